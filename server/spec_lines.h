/* spec_lines.h -- a tree as YAML, and from its lines back to the tree. */
#ifndef SHOAL_SERVER_SPEC_LINES_H
#define SHOAL_SERVER_SPEC_LINES_H

#include "body.h"

typedef struct server_lines {
    char *text; /* NUL-terminated */
    size_t size;
    size_t capacity;
    json_t *path;  /* where the writer is */
    json_t *paths; /* of every line, from the first */
    bool has_failed;
} server_lines;

/* Write a tree; false: no memory. Clear it in any case. */
bool server_lines_write(server_lines *out, const json_t *tree);
void server_lines_clear(server_lines *lines);

/* Give mistakes, objects with a line, the path in the tree instead. */
void server_lines_resolve(const server_lines *lines, json_t *mistakes);

#endif /* SHOAL_SERVER_SPEC_LINES_H */

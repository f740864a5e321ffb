/* serve.h -- `shoal serve`: the life of the server. */
#ifndef SHOAL_SERVE_H
#define SHOAL_SERVE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct server_options {
    const char *operand; /* a file or a folder; NULL: the current folder */
    int port;            /* 0: any that is free */
    int threads;         /* of each run; 0: one per processor */
    bool with_browser;
    bool (*is_stopped)(void); /* asked ten times a second */
} server_options;

/* Serve until it is stopped. False, with a sentence in the message, when that cannot begin. One
 * line with the address goes to the standard output. */
bool server_run(const server_options *options, char *message, size_t size);

#endif /* SHOAL_SERVE_H */

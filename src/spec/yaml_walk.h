/* yaml_walk.h -- walking the tree that libyaml makes of a spec, by tables of keys.
 *
 * The tables say what may stand where. The walk goes on after a mistake, so that all are
 * reported, each at its line and column. Its depth is fixed by the tables, whatever the file
 * nests, and aliases only ever name nodes: a small file stays small.
 *
 * Functions that return a shoal_status here return only what must end the walk, such as lack of
 * memory; mistakes are taken down and the walk continues.
 */
#ifndef SHOAL_I_YAML_WALK_H
#define SHOAL_I_YAML_WALK_H

#include "mistakes.h"
#include "spec.h"

#include <yaml.h>

/* No table has more keys. */
#define SHOAL_I_YAML_KEYS_MAX 24

/* A place in the bytes of the file. */
typedef struct shoal_i_yaml_cursor {
    size_t at;
    size_t line;       /* from 0 */
    size_t column;     /* in characters, from 0 */
    size_t line_start; /* offset of the line's first byte */
} shoal_i_yaml_cursor;

typedef struct shoal_i_yaml {
    shoal_ctx *ctx;
    shoal_spec *spec;
    yaml_document_t *document;
    const char *source; /* in the spec's arena: places keep it */
    const char *folder; /* of the source; NULL when it names none */
    const char *bytes;
    size_t size;
    shoal_i_yaml_cursor cursor; /* of the mark asked for last */
    shoal_i_mistakes mistakes;
} shoal_i_yaml;

/* A key of a mapping: `read` gets its value and the target that was given to
 * shoal_i_yaml_mapping. */
typedef struct shoal_i_yaml_key {
    const char *name;
    shoal_status (*read)(shoal_i_yaml *yaml, void *target, const struct shoal_i_yaml_key *self,
                         yaml_node_t *value);
    const char *expected; /* here, for messages; NULL: its reader knows */
} shoal_i_yaml_key;

/* Where a mark of libyaml is, counted as messages count. */
shoal_i_place shoal_i_yaml_place(shoal_i_yaml *yaml, yaml_mark_t mark);

/* Pass on the status of a check of this node: a mistake is placed there and taken down. */
shoal_status shoal_i_yaml_judge(shoal_i_yaml *yaml, const yaml_node_t *node,
                                shoal_status status);

/* The mistake of a node that is not what was expected. */
shoal_status shoal_i_yaml_judge_kind(shoal_i_yaml *yaml, const yaml_node_t *node,
                                     const char *expected);

/* The mistake of a name that stands twice in one mapping. */
shoal_status shoal_i_yaml_judge_twice(shoal_i_yaml *yaml, const yaml_node_t *node,
                                      const char *name);

/* The text of a scalar; NULL when the node is none or its text holds a NUL. Borrowed. */
const char *shoal_i_yaml_text(const yaml_node_t *node);

/* A number; *out stays as it is after a mistake. */
shoal_status shoal_i_yaml_number(shoal_i_yaml *yaml, double *out, const yaml_node_t *node);

size_t shoal_i_yaml_item_count(const yaml_node_t *list);
yaml_node_t *shoal_i_yaml_item(const shoal_i_yaml *yaml, const yaml_node_t *list, size_t i);

size_t shoal_i_yaml_pair_count(const yaml_node_t *mapping);

/* Pair i of a mapping. */
typedef struct shoal_i_yaml_pair {
    const char *name; /* NULL, after a mistake was taken down, when the key is no text */
    yaml_node_t *key;
    yaml_node_t *value;
} shoal_i_yaml_pair;
shoal_status shoal_i_yaml_pair_read(shoal_i_yaml *yaml, shoal_i_yaml_pair *out,
                                    const yaml_node_t *mapping, size_t i);

/* Read every pair of a mapping by the table of keys, which messages call so: "key",
 * "figure". */
shoal_status shoal_i_yaml_mapping_of(shoal_i_yaml *yaml, void *target,
                                     const yaml_node_t *mapping, const shoal_i_yaml_key *keys,
                                     size_t count, const char *what);
shoal_status shoal_i_yaml_mapping(shoal_i_yaml *yaml, void *target, const yaml_node_t *mapping,
                                  const shoal_i_yaml_key *keys, size_t count);

/* Reads the whole (spec_yaml.c). */
shoal_status shoal_i_yaml_root(shoal_i_yaml *yaml);

/* Reads the key `columns` (columns_yaml.c). */
shoal_status shoal_i_yaml_columns(shoal_i_yaml *yaml, void *target,
                                  const shoal_i_yaml_key *self, yaml_node_t *value);

/* Reads a key of `privacy` about sensitive values or a population
 * (requirement_request_yaml.c). */
shoal_status shoal_i_yaml_requests(shoal_i_yaml *yaml, const char *key,
                                   const yaml_node_t *value);

/* Reads the key `sweep` of `frontier` (sweep_yaml.c). */
shoal_status shoal_i_yaml_sweep(shoal_i_yaml *yaml, const yaml_node_t *value);

/* The levels of a hierarchy as a table (levels_yaml.c), which is the caller's; *out stays as it
 * is after a mistake. */
shoal_status shoal_i_yaml_levels(shoal_i_yaml *yaml, const shoal_table **out,
                                 const yaml_node_t *value);

#endif /* SHOAL_I_YAML_WALK_H */

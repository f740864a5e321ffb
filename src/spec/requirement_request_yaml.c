/* The part of a spec file about sensitive values and populations: the keys of `privacy` but k.
 *
 * Each is a single value in the form of requirement_request.h, a mapping, or a list of those:
 *
 *     l: 3
 *     l: {value: 2, kind: {recursive: 3}, column: diagnosis}
 *     l: [3, {value: 2, kind: entropy}]
 */
#include "yaml_walk.h"

#include <string.h>

/* The parts a mapping may have. */
enum part { VALUE, KIND, VALUES, LIMITS, LEAST, COLUMN, PARTS };

typedef struct draft {
    shoal_i_requirement_request request;
    yaml_node_t *parts[PARTS]; /* NULL: not given */
} draft;

static shoal_status keep_part(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                              yaml_node_t *value)
{
    static const char *const names[PARTS] = {"value",  "kind",  "values",
                                             "limits", "least", "column"};
    draft *d = target;
    size_t part = KIND; /* which t calls a distance */

    (void)yaml;
    for (size_t i = 0; i < PARTS; i++) {
        part = strcmp(names[i], self->name) == 0 ? i : part;
    }
    d->parts[part] = value;
    return SHOAL_OK;
}

/* --- Kinds. ------------------------------------------------------------------------------- */

/* kind: {recursive: 3} */
static shoal_status read_recursive(shoal_i_yaml *yaml, void *target,
                                   const shoal_i_yaml_key *self, yaml_node_t *value)
{
    draft *d = target;
    const char *text = shoal_i_yaml_text(value);

    (void)self;
    if (!text) {
        return shoal_i_yaml_judge_kind(yaml, value, "the number c of recursive l-diversity");
    }
    d->request.kind = &shoal_i_l_recursive;
    return shoal_i_yaml_judge(yaml, value,
                              shoal_i_request_parse_c(yaml->ctx, &d->request.c, text));
}

static shoal_status read_kind(shoal_i_yaml *yaml, draft *d)
{
    static const shoal_i_yaml_key keys[] = {{"recursive", read_recursive, NULL}};
    yaml_node_t *node = d->parts[KIND];
    const char *key = d->request.kind->key;
    const char *what = strcmp(key, "t") == 0 ? "distance" : "kind";
    const char *word = shoal_i_yaml_text(node);

    if (strcmp(key, "l") == 0 && node->type == YAML_MAPPING_NODE &&
        shoal_i_yaml_pair_count(node) > 0) {
        return shoal_i_yaml_mapping(yaml, d, node, keys, 1);
    }
    if (!word) {
        return shoal_i_yaml_judge_kind(yaml, node, "a word");
    }
    const shoal_i_requirement_kind *kind = NULL;
    shoal_status st = shoal_i_request_find_kind(yaml->ctx, &kind, key, what, word);

    if (st == SHOAL_OK && kind == &shoal_i_l_recursive) {
        st = shoal_i_fail(yaml->ctx, SHOAL_EINVAL,
                          "Recursive l-diversity needs its c: kind: {recursive: C}.");
    }
    /* After a mistake the default stays, so that the value is looked at too. */
    d->request.kind = st == SHOAL_OK ? kind : d->request.kind;
    return shoal_i_yaml_judge(yaml, node, st);
}

/* The variants that other parts than `kind` imply. */
static void imply_kind(draft *d)
{
    if (d->parts[VALUES]) {
        d->request.kind = &shoal_i_alpha_values;
    }
    if (d->parts[LIMITS]) {
        d->request.kind = &shoal_i_alpha_limits;
    }
    if (d->parts[LEAST]) {
        d->request.kind = &shoal_i_presence_between;
    }
}

/* --- Values and limits. ------------------------------------------------------------------- */

/* A copy in the spec; NULL when there is no memory. */
static const char *keep_text(shoal_i_yaml *yaml, const char *text)
{
    return shoal_i_arena_text(yaml->ctx, &yaml->spec->arena, text, strlen(text));
}

/* values: [HIV, TB] */
static shoal_status read_values(shoal_i_yaml *yaml, draft *d)
{
    shoal_status st = SHOAL_OK;
    yaml_node_t *list = d->parts[VALUES];
    size_t count = list->type == YAML_SEQUENCE_NODE ? shoal_i_yaml_item_count(list) : 0;

    if (count == 0 || count > SHOAL_I_REQUEST_VALUES_MAX) {
        return shoal_i_yaml_judge_kind(yaml, list, "a list of 1 to 4096 values");
    }
    const char **values =
        shoal_i_arena_alloc(yaml->ctx, &yaml->spec->arena, count, sizeof *values);

    if (!values) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *item = shoal_i_yaml_item(yaml, list, i);
        const char *text = shoal_i_yaml_text(item);

        if (!text) {
            SHOAL_TRY(shoal_i_yaml_judge_kind(yaml, item, "a value of the sensitive column"));
            continue;
        }
        values[i] = keep_text(yaml, text);
        if (!values[i]) {
            return SHOAL_ENOMEM;
        }
    }
    d->request.values = values;
    d->request.value_count = count;
done:
    return st;
}

static shoal_status read_limit(shoal_i_yaml *yaml, double *out, const yaml_node_t *node)
{
    const char *text = shoal_i_yaml_text(node);

    if (!text) {
        return shoal_i_yaml_judge_kind(yaml, node, "a number");
    }
    return shoal_i_yaml_judge(
        yaml, node, shoal_i_request_parse_value(yaml->ctx, out, &shoal_i_alpha_general, text));
}

/* limits: {HIV: 0.2, TB: 0.3} */
static shoal_status read_limits(shoal_i_yaml *yaml, draft *d)
{
    shoal_status st = SHOAL_OK;
    yaml_node_t *map = d->parts[LIMITS];
    size_t count = map->type == YAML_MAPPING_NODE ? shoal_i_yaml_pair_count(map) : 0;
    shoal_i_arena *arena = &yaml->spec->arena;
    shoal_i_yaml_pair pair;

    if (count == 0 || count > SHOAL_I_REQUEST_VALUES_MAX) {
        return shoal_i_yaml_judge_kind(yaml, map, "a mapping of 1 to 4096 values to limits");
    }
    const char **values = shoal_i_arena_alloc(yaml->ctx, arena, count, sizeof *values);
    double *limits = shoal_i_arena_alloc(yaml->ctx, arena, count, sizeof *limits);

    if (!values || !limits) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(shoal_i_yaml_pair_read(yaml, &pair, map, i));
        SHOAL_TRY(read_limit(yaml, &limits[i], pair.value));
        values[i] = keep_text(yaml, pair.name ? pair.name : "");
        if (!values[i]) {
            return SHOAL_ENOMEM;
        }
    }
    d->request.values = values;
    d->request.limits = limits;
    d->request.value_count = count;
done:
    return st;
}

/* --- Numbers and columns. ----------------------------------------------------------------- */

static shoal_status read_least(shoal_i_yaml *yaml, draft *d)
{
    const char *text = shoal_i_yaml_text(d->parts[LEAST]);

    if (!text) {
        return shoal_i_yaml_judge_kind(yaml, d->parts[LEAST], "a number");
    }
    return shoal_i_yaml_judge(yaml, d->parts[LEAST],
                              shoal_i_request_parse_least(yaml->ctx, &d->request.least, text));
}

static shoal_status read_value(shoal_i_yaml *yaml, draft *d, const yaml_node_t *mapping)
{
    yaml_node_t *node = d->parts[VALUE];
    const char *text = node ? shoal_i_yaml_text(node) : NULL;

    if (d->parts[LIMITS]) {
        if (node || d->parts[VALUES]) {
            shoal_i_fail(yaml->ctx, SHOAL_EFORMAT,
                         "Limits of single values stand by themselves; write a list to ask for "
                         "more than them.");
            return shoal_i_yaml_judge(yaml, mapping, SHOAL_EFORMAT);
        }
        return SHOAL_OK;
    }
    if (!text) {
        return shoal_i_yaml_judge_kind(yaml, node ? node : mapping,
                                       "a number under the key \"value\"");
    }
    return shoal_i_yaml_judge(
        yaml, node,
        shoal_i_request_parse_value(yaml->ctx, &d->request.value, d->request.kind, text));
}

static shoal_status read_column(shoal_i_yaml *yaml, draft *d)
{
    const char *text = shoal_i_yaml_text(d->parts[COLUMN]);

    if (!text || text[0] == '\0') {
        return shoal_i_yaml_judge_kind(yaml, d->parts[COLUMN], "the name of a column");
    }
    d->request.column = keep_text(yaml, text);
    return d->request.column ? SHOAL_OK : SHOAL_ENOMEM;
}

/* --- Requests. ---------------------------------------------------------------------------- */

static shoal_status read_parts(shoal_i_yaml *yaml, draft *d, const yaml_node_t *mapping)
{
    shoal_status st = SHOAL_OK;

    imply_kind(d);
    if (d->parts[KIND]) {
        SHOAL_TRY(read_kind(yaml, d));
    }
    SHOAL_TRY(read_value(yaml, d, mapping));
    if (d->parts[VALUES]) {
        SHOAL_TRY(read_values(yaml, d));
    }
    if (d->parts[LIMITS]) {
        SHOAL_TRY(read_limits(yaml, d));
    }
    if (d->parts[LEAST]) {
        SHOAL_TRY(read_least(yaml, d));
    }
    if (d->parts[COLUMN]) {
        SHOAL_TRY(read_column(yaml, d));
    }
done:
    return st;
}

/* The keys that the mapping of a requirement may have. */
typedef struct grammar {
    const char *key;
    shoal_i_yaml_key keys[4];
    size_t count;
} grammar;

#define PART(name)                                                                             \
    {                                                                                          \
        name, keep_part, NULL                                                                  \
    }

static const grammar grammars[] = {
    {"alpha", {PART("value"), PART("values"), PART("limits"), PART("column")}, 4},
    {"l", {PART("value"), PART("kind"), PART("column")}, 3},
    {"t", {PART("value"), PART("distance"), PART("column")}, 3},
    {"delta", {PART("value"), PART("column")}, 2},
    {"beta", {PART("value"), PART("kind"), PART("column")}, 3},
    {"k_map", {PART("value")}, 1},
    {"presence", {PART("value"), PART("least")}, 2},
};

static shoal_status read_mapping(shoal_i_yaml *yaml, shoal_i_requirement_request *out,
                                 const char *key, const yaml_node_t *mapping)
{
    shoal_status st = SHOAL_OK;
    draft d = {.request.kind = shoal_i_requirement_find(key)};
    const grammar *g = grammars;

    if (mapping->type != YAML_MAPPING_NODE) {
        return shoal_i_yaml_judge_kind(yaml, mapping, "a number or a mapping");
    }
    while (strcmp(g->key, key) != 0) {
        g++;
    }
    SHOAL_TRY(shoal_i_yaml_mapping(yaml, &d, mapping, g->keys, g->count));
    SHOAL_TRY(read_parts(yaml, &d, mapping));
    *out = d.request;
done:
    return st;
}

static shoal_status read_request(shoal_i_yaml *yaml, const char *key, const yaml_node_t *node)
{
    shoal_status st = SHOAL_OK;
    shoal_i_requirement_request request = {0};
    size_t mistakes = yaml->mistakes.count;
    const char *text = shoal_i_yaml_text(node);

    if (text) {
        st = shoal_i_request_parse(yaml->ctx, &request, &yaml->spec->arena, key, text);
        SHOAL_TRY(shoal_i_yaml_judge(yaml, node, st));
    } else {
        SHOAL_TRY(read_mapping(yaml, &request, key, node));
    }
    if (yaml->mistakes.count == mistakes) {
        request.place = shoal_i_yaml_place(yaml, node->start_mark);
        st = shoal_i_spec_add_request(yaml->ctx, yaml->spec, &request);
        SHOAL_TRY(shoal_i_yaml_judge(yaml, node, st));
    }
done:
    return st;
}

shoal_status shoal_i_yaml_requests(shoal_i_yaml *yaml, const char *key,
                                   const yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;

    shoal_i_spec_forget_requests(yaml->spec, key, false);
    if (value->type != YAML_SEQUENCE_NODE) {
        return read_request(yaml, key, value);
    }
    for (size_t i = 0; i < shoal_i_yaml_item_count(value); i++) {
        SHOAL_TRY(read_request(yaml, key, shoal_i_yaml_item(yaml, value, i)));
    }
done:
    return st;
}

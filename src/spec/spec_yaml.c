/* The keys of a spec file: all but those of its columns (columns_yaml.c), of sensitive values
 * (requirement_request_yaml.c) and of a frontier (sweep_yaml.c). */
#include "yaml_walk.h"

#include <stdio.h>
#include <string.h>

#define TOKENS_MAX 256

static shoal_status read_setting(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                 yaml_node_t *value)
{
    const char *text = shoal_i_yaml_text(value);

    (void)target;
    if (!text) {
        return shoal_i_yaml_judge_kind(yaml, value, "a single value");
    }
    shoal_status st = shoal_spec_set(yaml->ctx, yaml->spec, self->setting, text);

    shoal_i_spec_set_place(yaml->spec, self->setting,
                           shoal_i_yaml_place(yaml, value->start_mark));
    return shoal_i_yaml_judge(yaml, value, st);
}

/* --- missing, input, privacy, output. --------------------------------------------------- */

static shoal_status read_tokens(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;
    shoal_i_arena *arena = &yaml->spec->arena;

    (void)target;
    (void)self;
    if (value->type != YAML_SEQUENCE_NODE || shoal_i_yaml_item_count(value) > TOKENS_MAX) {
        return shoal_i_yaml_judge_kind(yaml, value,
                                       "a list of at most 256 texts, such as [\"?\", \"\"]");
    }
    size_t count = shoal_i_yaml_item_count(value);
    const char **tokens = shoal_i_arena_alloc(yaml->ctx, arena, count + 1, sizeof *tokens);

    if (!tokens) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *item = shoal_i_yaml_item(yaml, value, i);
        const char *text = shoal_i_yaml_text(item);

        if (!text) {
            SHOAL_TRY(shoal_i_yaml_judge_kind(yaml, item, "a text"));
            text = "";
        }
        tokens[i] = shoal_i_arena_text(yaml->ctx, arena, text, strlen(text));
        if (!tokens[i]) {
            return SHOAL_ENOMEM;
        }
    }
    yaml->spec->missing_tokens = tokens;
    yaml->spec->missing_token_count = count;
done:
    return st;
}

/* missing: drop, or missing: {tokens: [...], action: drop} */
static shoal_status read_missing(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                 yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {
        {"tokens", read_tokens, NULL},
        {"action", read_setting, "missing.action"},
    };

    if (value->type == YAML_SCALAR_NODE) {
        return read_setting(yaml, target, self, value);
    }
    return shoal_i_yaml_mapping(yaml, target, value, keys, sizeof keys / sizeof *keys);
}

static shoal_status read_input(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                               yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {{"delimiter", read_setting, "input.delimiter"}};

    (void)self;
    return shoal_i_yaml_mapping(yaml, target, value, keys, sizeof keys / sizeof *keys);
}

/* k: 10, k: {column: my_k}, or both as k: {value: 10, column: my_k} */
static shoal_status read_k(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                           yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {
        {"value", read_setting, "privacy.k"},
        {"column", read_setting, "privacy.k.column"},
    };

    if (value->type == YAML_MAPPING_NODE) {
        return shoal_i_yaml_mapping(yaml, target, value, keys, sizeof keys / sizeof *keys);
    }
    return read_setting(yaml, target, self, value);
}

/* The path of a file, seen from the spec's folder. */
static shoal_status read_path(shoal_i_yaml *yaml, const char **out, const yaml_node_t *value)
{
    const char *text = shoal_i_yaml_text(value);

    if (!text || text[0] == '\0') {
        return shoal_i_yaml_judge_kind(yaml, value, "the path of a file");
    }
    return shoal_i_hierarchy_plan_resolve(yaml->ctx, out, &yaml->spec->arena, yaml->folder,
                                          text);
}

static shoal_status read_population(shoal_i_yaml *yaml, void *target,
                                    const shoal_i_yaml_key *self, yaml_node_t *value)
{
    (void)target;
    (void)self;
    return read_path(yaml, &yaml->spec->population, value);
}

static shoal_status read_sensitive_table(shoal_i_yaml *yaml, void *target,
                                         const shoal_i_yaml_key *self, yaml_node_t *value)
{
    (void)target;
    shoal_i_spec_set_place(yaml->spec, self->setting,
                           shoal_i_yaml_place(yaml, value->start_mark));
    return read_path(yaml, &yaml->spec->sensitive_table, value);
}

static shoal_status read_privacy(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                 yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {
        {"k", read_k, "privacy.k"},
        {"alpha", shoal_i_yaml_requests, NULL},
        {"l", shoal_i_yaml_requests, NULL},
        {"t", shoal_i_yaml_requests, NULL},
        {"delta", shoal_i_yaml_requests, NULL},
        {"beta", shoal_i_yaml_requests, NULL},
        {"k_map", shoal_i_yaml_requests, NULL},
        {"presence", shoal_i_yaml_requests, NULL},
        {"population", read_population, NULL},
    };

    (void)self;
    return shoal_i_yaml_mapping(yaml, target, value, keys, sizeof keys / sizeof *keys);
}

/* figures: privacy_loss, or a list of them */
static shoal_status read_figures(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                 yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;
    unsigned figures = 0;

    if (value->type != YAML_SEQUENCE_NODE) {
        return read_setting(yaml, target, self, value);
    }
    for (size_t i = 0; i < shoal_i_yaml_item_count(value); i++) {
        SHOAL_TRY(read_setting(yaml, target, self, shoal_i_yaml_item(yaml, value, i)));
        figures |= yaml->spec->figures;
    }
    yaml->spec->figures = figures;
done:
    return st;
}

static shoal_status read_output(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {
        {"numeric", read_setting, "output.numeric"},
        {"categorical", read_setting, "output.categorical"},
        {"order", read_setting, "output.order"},
        {"delimiter", read_setting, "output.delimiter"},
        {"sensitive_table", read_sensitive_table, "output.sensitive_table"},
    };

    (void)self;
    return shoal_i_yaml_mapping(yaml, target, value, keys, sizeof keys / sizeof *keys);
}

static shoal_status read_measure(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                 yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {
        {"figures", read_figures, "measure.figures"},
        {"min_support", read_setting, "measure.min_support"},
        {"shape", read_setting, "measure.shape"},
    };

    (void)self;
    return shoal_i_yaml_mapping(yaml, target, value, keys, sizeof keys / sizeof *keys);
}

/* One number or a list of them. */
static shoal_status read_thresholds(shoal_i_yaml *yaml, void *target,
                                    const shoal_i_yaml_key *self, yaml_node_t *value)
{
    char text[512] = "";

    if (value->type != YAML_SEQUENCE_NODE) {
        return read_setting(yaml, target, self, value);
    }
    for (size_t i = 0; i < shoal_i_yaml_item_count(value); i++) {
        const char *item = shoal_i_yaml_text(shoal_i_yaml_item(yaml, value, i));
        size_t length = strlen(text);

        if (!item || length + strlen(item) + 2 > sizeof text) {
            return shoal_i_yaml_judge_kind(yaml, value,
                                           "a list of numbers, such as [0.09, 0.2]");
        }
        snprintf(text + length, sizeof text - length, "%s%s", i > 0 ? "," : "", item);
    }
    return shoal_i_yaml_judge(yaml, value,
                              shoal_spec_set(yaml->ctx, yaml->spec, self->setting, text));
}

static shoal_status read_risk(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                              yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {
        {"thresholds", read_thresholds, "risk.thresholds"},
        {"sampling_fraction", read_setting, "risk.sampling_fraction"},
    };

    (void)self;
    return shoal_i_yaml_mapping(yaml, target, value, keys, sizeof keys / sizeof *keys);
}

static shoal_status read_report(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {{"detail", read_setting, "report.detail"}};

    (void)self;
    return shoal_i_yaml_mapping(yaml, target, value, keys, sizeof keys / sizeof *keys);
}

/* --- method. ---------------------------------------------------------------------------- */

/* The name of the method in its mapping; NULL, after a mistake, when it lacks one or names
 * none. */
static shoal_status read_method_name(shoal_i_yaml *yaml, const char **out,
                                     const yaml_node_t *mapping)
{
    shoal_status st = SHOAL_OK;
    shoal_i_yaml_pair pair;
    const yaml_node_t *found = NULL;

    *out = NULL;
    for (size_t i = 0; i < shoal_i_yaml_pair_count(mapping); i++) {
        SHOAL_TRY(shoal_i_yaml_pair_read(yaml, &pair, mapping, i));
        if (pair.name && strcmp(pair.name, "name") == 0) {
            if (found) {
                return shoal_i_yaml_judge_twice(yaml, pair.key, pair.name);
            }
            found = pair.value;
        }
    }
    const char *name = found ? shoal_i_yaml_text(found) : NULL;

    if (!name) {
        return shoal_i_yaml_judge_kind(yaml, found ? found : mapping,
                                       "a method as a name or a mapping with the key \"name\"");
    }
    if (!shoal_i_method_find(name)) {
        return shoal_i_yaml_judge(yaml, found,
                                  shoal_spec_set(yaml->ctx, yaml->spec, "method", name));
    }
    *out = name;
done:
    return st;
}

/* Check one option of the method behind those that are known to be right, so that a mistake is
 * placed at it, and add it to the text that shoal_spec_set reads. */
static shoal_status read_method_option(shoal_i_yaml *yaml, const shoal_i_yaml_pair *pair,
                                       char *text, size_t capacity)
{
    const char *setting = shoal_i_yaml_text(pair->value);
    const shoal_i_method *parsed = NULL;
    shoal_i_method_settings settings;
    size_t length = strlen(text);

    if (!setting || strpbrk(setting, ",=:")) {
        return shoal_i_yaml_judge_kind(yaml, pair->value, "a number or a word");
    }
    snprintf(text + length, capacity - length, "%c%.80s=%.80s", strchr(text, ':') ? ',' : ':',
             pair->name, setting);

    shoal_status status = shoal_i_method_parse(yaml->ctx, &parsed, &settings, text);

    if (status != SHOAL_OK) {
        text[length] = '\0';
        return shoal_i_yaml_judge(yaml, pair->key, status);
    }
    return SHOAL_OK;
}

/* The options of the method, its own first: those that are passed on depend on them. */
static shoal_status read_method_options(shoal_i_yaml *yaml, const shoal_i_method *method,
                                        yaml_node_t *mapping, bool are_own, char *text,
                                        size_t capacity)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < shoal_i_yaml_pair_count(mapping); i++) {
        const yaml_node_pair_t *nodes = &mapping->data.mapping.pairs.start[i];
        shoal_i_yaml_pair pair = {.key = yaml_document_get_node(yaml->document, nodes->key),
                                  .value =
                                      yaml_document_get_node(yaml->document, nodes->value)};

        pair.name = shoal_i_yaml_text(pair.key);
        if (pair.name && strcmp(pair.name, "name") != 0 &&
            shoal_i_method_has_option(method, pair.name, strlen(pair.name)) == are_own) {
            SHOAL_TRY(read_method_option(yaml, &pair, text, capacity));
        }
    }
done:
    return st;
}

/* method: topdown, or method: {name: topdown, rounds: 6} */
static shoal_status read_method(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;
    const char *method = NULL;
    char text[1024];

    if (value->type != YAML_MAPPING_NODE) {
        SHOAL_TRY(read_setting(yaml, target, self, value));
        goto done;
    }
    SHOAL_TRY(read_method_name(yaml, &method, value));
    if (!method) {
        return SHOAL_OK;
    }
    snprintf(text, sizeof text, "%s", method);
    for (int pass = 0; pass < 2; pass++) {
        SHOAL_TRY(read_method_options(yaml, shoal_i_method_find(method), value, pass == 0, text,
                                      sizeof text));
    }
    SHOAL_TRY(shoal_i_yaml_judge(yaml, value,
                                 shoal_spec_set(yaml->ctx, yaml->spec, self->setting, text)));
done:
    shoal_i_spec_set_place(yaml->spec, self->setting,
                           shoal_i_yaml_place(yaml, value->start_mark));
    return st;
}

/* --- The whole. ------------------------------------------------------------------------- */

shoal_status shoal_i_yaml_root(shoal_i_yaml *yaml)
{
    static const shoal_i_yaml_key keys[] = {
        {"missing", read_missing, "missing.action"},
        {"input", read_input, NULL},
        {"columns", shoal_i_yaml_columns, NULL},
        {"privacy", read_privacy, NULL},
        {"method", read_method, "method"},
        {"effort", read_setting, "effort"},
        {"time", read_setting, "time"},
        {"suppress", read_setting, "suppress"},
        {"memory", read_setting, "memory"},
        {"seed", read_setting, "seed"},
        {"threads", read_setting, "threads"},
        {"output", read_output, NULL},
        {"measure", read_measure, NULL},
        {"frontier", shoal_i_yaml_sweep, NULL},
        {"risk", read_risk, NULL},
        {"report", read_report, NULL},
    };
    yaml_node_t *root = yaml_document_get_root_node(yaml->document);

    if (!root) {
        shoal_i_fail(yaml->ctx, SHOAL_EFORMAT,
                     "The spec is empty; it needs at least the columns.");
        shoal_i_fail_in(yaml->ctx, yaml->source, 1, 1);
        return shoal_i_mistakes_take(&yaml->mistakes, SHOAL_EFORMAT);
    }
    return shoal_i_yaml_mapping(yaml, NULL, root, keys, sizeof keys / sizeof *keys);
}

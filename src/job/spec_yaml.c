/* A spec from a YAML file: everything but its columns (columns_yaml.c), and the reading of the
 * whole. */
#include "yaml_walk.h"

#include "../base/file.h"

#include <stdio.h>
#include <string.h>

#define SPEC_SIZE_MAX ((size_t)1 << 20)
#define TOKENS_MAX 256
#define DEPTH_MAX 16
#define ANCHORS_MAX 256

static shoal_status read_setting(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                 yaml_node_t *value)
{
    const char *text = shoal_i_yaml_text(value);

    (void)target;
    if (!text) {
        return shoal_i_yaml_judge_kind(yaml, value, "a single value");
    }
    return shoal_i_yaml_judge(yaml, value,
                              shoal_spec_set(yaml->ctx, yaml->spec, self->setting, text));
}

/* --- missing, input, privacy, output.
 * ----------------------------------------------------------- */

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

static shoal_status read_k_column(shoal_i_yaml *yaml, void *target,
                                  const shoal_i_yaml_key *self, yaml_node_t *value)
{
    shoal_status st = read_setting(yaml, target, self, value);

    yaml->spec->k_place = shoal_i_yaml_place(yaml, value->start_mark);
    return st;
}

/* k: 10, k: {column: my_k}, or both as k: {value: 10, column: my_k} */
static shoal_status read_k(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                           yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {
        {"value", read_setting, "privacy.k"},
        {"column", read_k_column, "privacy.k.column"},
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
    return shoal_i_plan_resolve(yaml->ctx, out, &yaml->spec->arena, yaml->folder, text);
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
    (void)self;
    return read_path(yaml, &yaml->spec->sensitive_table, value);
}

static shoal_status read_privacy(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                 yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {
        {"k", read_k, "privacy.k"},
        {"alpha", shoal_i_yaml_wishes, NULL},
        {"l", shoal_i_yaml_wishes, NULL},
        {"t", shoal_i_yaml_wishes, NULL},
        {"delta", shoal_i_yaml_wishes, NULL},
        {"beta", shoal_i_yaml_wishes, NULL},
        {"k_map", shoal_i_yaml_wishes, NULL},
        {"presence", shoal_i_yaml_wishes, NULL},
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
        {"sensitive_table", read_sensitive_table, NULL},
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

/* Check one option of the method by itself, so that a mistake is placed at it, and add it to
 * the text that shoal_spec_set reads. */
static shoal_status read_method_option(shoal_i_yaml *yaml, const char *method,
                                       const shoal_i_yaml_pair *pair, char *text,
                                       size_t capacity)
{
    const char *setting = shoal_i_yaml_text(pair->value);
    const shoal_i_method *parsed = NULL;
    shoal_i_method_settings settings;
    char alone[256];

    if (!setting || strpbrk(setting, ",=:")) {
        return shoal_i_yaml_judge_kind(yaml, pair->value, "a number or a word");
    }
    snprintf(alone, sizeof alone, "%s:%.80s=%.80s", method, pair->name, setting);

    shoal_status status = shoal_i_method_parse(yaml->ctx, &parsed, &settings, alone);

    if (status != SHOAL_OK) {
        return shoal_i_yaml_judge(yaml, pair->key, status);
    }
    size_t length = strlen(text);

    snprintf(text + length, capacity - length, "%c%s=%s", strchr(text, ':') ? ',' : ':',
             pair->name, setting);
    return SHOAL_OK;
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
    for (size_t i = 0; i < shoal_i_yaml_pair_count(value); i++) {
        const yaml_node_pair_t *nodes = &value->data.mapping.pairs.start[i];
        shoal_i_yaml_pair pair = {.key = yaml_document_get_node(yaml->document, nodes->key),
                                  .value =
                                      yaml_document_get_node(yaml->document, nodes->value)};

        pair.name = shoal_i_yaml_text(pair.key);
        if (pair.name && strcmp(pair.name, "name") != 0) {
            SHOAL_TRY(read_method_option(yaml, method, &pair, text, sizeof text));
        }
    }
    SHOAL_TRY(shoal_i_yaml_judge(yaml, value,
                                 shoal_spec_set(yaml->ctx, yaml->spec, self->setting, text)));
done:
    yaml->spec->method_place = shoal_i_yaml_place(yaml, value->start_mark);
    return st;
}

/* --- The whole. ------------------------------------------------------------------------- */

static shoal_status read_root(shoal_i_yaml *yaml)
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

/* The place of a byte of the file. */
static shoal_i_place place_offset(const shoal_i_yaml *yaml, size_t offset)
{
    shoal_i_place place = {yaml->source, 1, 1};

    for (size_t i = 0; i < offset && i < yaml->size; i++) {
        place.column++;
        if (yaml->bytes[i] == '\n') {
            place.line++;
            place.column = 1;
        }
    }
    return place;
}

/* What libyaml says of a text that is no YAML. */
static shoal_status take_syntax_error(shoal_i_yaml *yaml, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        return shoal_i_fail(yaml->ctx, SHOAL_ENOMEM, "Out of memory while reading the spec.");
    }
    shoal_i_place place = parser->error == YAML_READER_ERROR
                              ? place_offset(yaml, parser->problem_offset)
                              : shoal_i_yaml_place(yaml, parser->problem_mark);

    shoal_i_fail(yaml->ctx, SHOAL_EFORMAT, "This is not YAML: %s%s%s.",
                 parser->context ? parser->context : "", parser->context ? ", " : "",
                 parser->problem ? parser->problem : "it cannot be parsed");
    shoal_i_fail_in(yaml->ctx, place.source, place.line, place.column);
    return shoal_i_mistakes_take(&yaml->mistakes, SHOAL_EFORMAT);
}

static shoal_status open_parser(shoal_i_yaml *yaml, yaml_parser_t *parser)
{
    if (!yaml_parser_initialize(parser)) {
        return shoal_i_fail(yaml->ctx, SHOAL_ENOMEM, "Out of memory while reading the spec.");
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)yaml->bytes, yaml->size);
    return SHOAL_OK;
}

static shoal_status take_excess(shoal_i_yaml *yaml, yaml_mark_t mark, const char *what,
                                int limit)
{
    shoal_i_place place = shoal_i_yaml_place(yaml, mark);

    shoal_i_fail(yaml->ctx, SHOAL_ELIMIT, "Too many %s; a spec has at most %d.", what, limit);
    shoal_i_fail_in(yaml->ctx, place.source, place.line, place.column);
    return shoal_i_mistakes_take(&yaml->mistakes, SHOAL_ELIMIT);
}

static bool has_anchor(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor != NULL;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor != NULL;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor != NULL;
    default:
        return false;
    }
}

/* libyaml takes time that grows with the square of the depth and of the number of anchors, so a
 * small file could keep it busy for hours. Its events are walked first, and the file is refused
 * where there is too much of either. What is no YAML is left for the second reading to report.
 */
static shoal_status check_excess(shoal_i_yaml *yaml)
{
    shoal_status st = SHOAL_OK;
    yaml_parser_t parser;
    yaml_event_t event;
    int depth = 0;
    int anchors = 0;
    bool is_over = false;

    SHOAL_TRY(open_parser(yaml, &parser));
    while (!is_over && yaml_parser_parse(&parser, &event)) {
        depth +=
            event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT;
        depth -= event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
        anchors += has_anchor(&event);
        is_over =
            event.type == YAML_STREAM_END_EVENT || depth > DEPTH_MAX || anchors > ANCHORS_MAX;
        if (depth > DEPTH_MAX) {
            st = take_excess(yaml, event.start_mark, "levels", DEPTH_MAX);
        } else if (anchors > ANCHORS_MAX) {
            st = take_excess(yaml, event.start_mark, "anchors", ANCHORS_MAX);
        }
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
done:
    return st;
}

/* One document and nothing behind it. */
static shoal_status check_end(shoal_i_yaml *yaml, yaml_parser_t *parser)
{
    shoal_status st = SHOAL_OK;
    yaml_document_t next;

    if (!yaml_parser_load(parser, &next)) {
        return take_syntax_error(yaml, parser);
    }
    yaml_node_t *root = yaml_document_get_root_node(&next);

    if (root) {
        shoal_i_fail(yaml->ctx, SHOAL_EFORMAT,
                     "A spec is one YAML document; this is a second.");
        st = shoal_i_yaml_judge(yaml, root, SHOAL_EFORMAT);
    }
    yaml_document_delete(&next);
    return st;
}

static shoal_status read_document(shoal_i_yaml *yaml)
{
    shoal_status st = SHOAL_OK;
    yaml_parser_t parser;
    yaml_document_t document;

    SHOAL_TRY(open_parser(yaml, &parser));
    if (!yaml_parser_load(&parser, &document)) {
        st = take_syntax_error(yaml, &parser);
    } else {
        yaml->document = &document;
        st = read_root(yaml);
        if (st == SHOAL_OK && yaml_document_get_root_node(&document)) {
            st = check_end(yaml, &parser);
        }
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
done:
    return st;
}

/* The folder that paths inside the file start from; none when the source names none. */
static shoal_status find_folder(shoal_i_yaml *yaml)
{
    const char *slash = strrchr(yaml->source, '/');

    if (!slash) {
        return SHOAL_OK;
    }
    size_t length = slash == yaml->source ? 1 : (size_t)(slash - yaml->source);

    yaml->folder = shoal_i_arena_text(yaml->ctx, &yaml->spec->arena, yaml->source, length);
    return yaml->folder ? SHOAL_OK : SHOAL_ENOMEM;
}

shoal_status shoal_spec_read_memory(shoal_ctx *ctx, shoal_spec *spec, const char *bytes,
                                    size_t size, const char *source)
{
    shoal_status st = SHOAL_OK;
    bool has_mark = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0; /* byte order mark */
    shoal_i_yaml yaml = {
        .ctx = ctx,
        .spec = spec,
        .bytes = has_mark ? bytes + 3 : bytes,
        .size = has_mark ? size - 3 : size,
        .mistakes = {.ctx = ctx},
    };

    yaml.source = shoal_i_arena_text(ctx, &spec->arena, source, strlen(source));
    if (!yaml.source) {
        return SHOAL_ENOMEM;
    }
    if (size > SPEC_SIZE_MAX) {
        shoal_i_fail(ctx, SHOAL_ELIMIT, "A spec has at most %zu bytes; got %zu.", SPEC_SIZE_MAX,
                     size);
        shoal_i_fail_in(ctx, yaml.source, 0, 0);
        SHOAL_TRY(shoal_i_mistakes_take(&yaml.mistakes, SHOAL_ELIMIT));
    } else {
        SHOAL_TRY(find_folder(&yaml));
        SHOAL_TRY(check_excess(&yaml));
        if (yaml.mistakes.count == 0) {
            SHOAL_TRY(read_document(&yaml));
        }
    }
    SHOAL_TRY(shoal_i_mistakes_status(&yaml.mistakes));
done:
    return st;
}

shoal_status shoal_spec_read(shoal_ctx *ctx, shoal_spec *spec, const char *path)
{
    shoal_status st = SHOAL_OK;
    char *bytes = NULL;
    size_t size = 0;

    SHOAL_TRY(shoal_i_input_read_all(ctx, &bytes, &size, path, SPEC_SIZE_MAX));
    SHOAL_TRY(shoal_spec_read_memory(ctx, spec, bytes, size,
                                     strcmp(path, "-") == 0 ? "standard input" : path));
done:
    free(bytes);
    return st;
}

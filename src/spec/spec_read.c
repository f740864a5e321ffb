/* A spec from a YAML file: libyaml makes a tree of it, within limits, and spec_yaml.c reads
 * that.
 */
#include "yaml_walk.h"

#include "../base/file.h"

#include <string.h>

#define DEPTH_MAX 16
#define ANCHORS_MAX 256

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

/* Whether the line that libyaml stopped in is indented by a tab, as other files may be. */
static bool is_by_tab(const shoal_i_yaml *yaml, size_t line)
{
    size_t at = 0;

    for (; line > 0 && at < yaml->size; at++) {
        line -= yaml->bytes[at] == '\n';
    }
    while (at < yaml->size && yaml->bytes[at] == ' ') {
        at++;
    }
    return at < yaml->size && yaml->bytes[at] == '\t';
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

    shoal_i_fail(yaml->ctx, SHOAL_EFORMAT, "This is not YAML: %s%s%s%s.",
                 parser->context ? parser->context : "", parser->context ? ", " : "",
                 parser->problem ? parser->problem : "it cannot be parsed",
                 is_by_tab(yaml, parser->problem_mark.line) ? "; indent by spaces, not by tabs"
                                                            : "");
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
        st = shoal_i_yaml_root(yaml);
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
    SHOAL_ENTER(ctx, spec, source);
    shoal_status st = SHOAL_OK;
    bool has_mark =
        bytes && size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0; /* byte order mark */
    shoal_i_yaml yaml = {
        .ctx = ctx,
        .spec = spec,
        .bytes = has_mark ? bytes + 3 : bytes,
        .size = has_mark ? size - 3 : size,
        .mistakes = {.ctx = ctx},
    };

    SHOAL_TRY(shoal_i_check_bytes(ctx, bytes, size));
    yaml.source = shoal_i_arena_text(ctx, &spec->arena, source, strlen(source));
    if (!yaml.source) {
        return SHOAL_ENOMEM;
    }
    if (size > SHOAL_I_SPEC_SIZE_MAX) {
        shoal_i_fail(ctx, SHOAL_ELIMIT, "A spec has at most %zu bytes; got %zu.",
                     SHOAL_I_SPEC_SIZE_MAX, size);
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
    SHOAL_ENTER(ctx, spec, path);
    shoal_status st = SHOAL_OK;
    char *bytes = NULL;
    size_t size = 0;

    SHOAL_TRY(shoal_i_input_read_all(ctx, &bytes, &size, path, SHOAL_I_SPEC_SIZE_MAX));
    SHOAL_TRY(shoal_spec_read_memory(ctx, spec, bytes, size,
                                     strcmp(path, "-") == 0 ? "standard input" : path));
done:
    free(bytes);
    return st;
}

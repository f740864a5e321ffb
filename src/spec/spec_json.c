/* A spec as JSON: its YAML, as libyaml reads it, written as a tree of texts. */
#include "yaml_walk.h"

#include "../base/entry.h"

#include <string.h>

typedef struct writer {
    shoal_i_buffer out;
    yaml_document_t *document;
} writer;

/* Of single values null is one among the levels of a hierarchy alone; elsewhere it is a text
 * like any other. */
static bool is_null(const yaml_node_t *node, bool is_level)
{
    return is_level && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           strcmp((const char *)node->data.scalar.value, "null") == 0;
}

static const char *text_of(const yaml_node_t *scalar)
{
    return (const char *)scalar->data.scalar.value;
}

/* What spec_write.c has written is a few levels deep and has no aliases. */
static void put_node(writer *w, const yaml_node_t *node, bool is_level)
{
    if (node->type == YAML_MAPPING_NODE) {
        const yaml_node_pair_t *pair = node->data.mapping.pairs.start;

        shoal_i_buffer_char(&w->out, '{');
        for (size_t i = 0; pair + i < node->data.mapping.pairs.top; i++) {
            const char *key = text_of(yaml_document_get_node(w->document, pair[i].key));

            shoal_i_buffer_text(&w->out, i > 0 ? ", " : "");
            shoal_i_spec_put_quoted(&w->out, key);
            shoal_i_buffer_text(&w->out, ": ");
            put_node(w, yaml_document_get_node(w->document, pair[i].value),
                     strcmp(key, "levels") == 0);
        }
        shoal_i_buffer_char(&w->out, '}');
    } else if (node->type == YAML_SEQUENCE_NODE) {
        const yaml_node_item_t *item = node->data.sequence.items.start;

        shoal_i_buffer_char(&w->out, '[');
        for (size_t i = 0; item + i < node->data.sequence.items.top; i++) {
            shoal_i_buffer_text(&w->out, i > 0 ? ", " : "");
            put_node(w, yaml_document_get_node(w->document, item[i]), is_level);
        }
        shoal_i_buffer_char(&w->out, ']');
    } else if (is_null(node, is_level)) {
        shoal_i_buffer_text(&w->out, "null");
    } else {
        shoal_i_spec_put_quoted(&w->out, text_of(node));
    }
}

/* The document of a text that this library wrote. */
static shoal_status load(shoal_ctx *ctx, yaml_document_t *out, const char *yaml)
{
    yaml_parser_t parser;

    if (!yaml_parser_initialize(&parser)) {
        return shoal_i_fail(ctx, SHOAL_ENOMEM, "Out of memory while writing the spec.");
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)yaml, strlen(yaml));
    bool is_loaded = yaml_parser_load(&parser, out) != 0;

    yaml_parser_delete(&parser);
    return is_loaded ? SHOAL_OK
                     : shoal_i_fail(ctx, SHOAL_ENOMEM, "Out of memory while writing the spec.");
}

shoal_status shoal_spec_write_json(shoal_ctx *ctx, char **out, const shoal_spec *spec)
{
    SHOAL_ENTER_FOR(ctx, out, spec);
    shoal_status st = SHOAL_OK;
    char *yaml = NULL;
    yaml_document_t document;
    writer w = {.document = &document};

    shoal_i_buffer_init(&w.out, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_TRY(shoal_i_spec_write_noted(ctx, &yaml, spec, NULL));
    SHOAL_TRY(load(ctx, &document, yaml));
    put_node(&w, yaml_document_get_root_node(&document), false);
    yaml_document_delete(&document);
    SHOAL_TRY(shoal_i_buffer_take(out, &w.out));
done:
    shoal_i_buffer_clear(&w.out);
    free(yaml);
    return st;
}

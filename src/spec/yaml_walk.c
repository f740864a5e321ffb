#include "yaml_walk.h"

#include "../base/text.h"

#include <assert.h>
#include <string.h>

/* libyaml counts characters within a line, we count bytes. Marks are asked for nearly in the
 * order of the file, so the search goes on from the last one: otherwise a large file would be
 * read again for each of its columns. */
shoal_i_place shoal_i_yaml_place(shoal_i_yaml *yaml, yaml_mark_t mark)
{
    shoal_i_yaml_cursor *cursor = &yaml->cursor;

    if (mark.line < cursor->line ||
        (mark.line == cursor->line && mark.column < cursor->column)) {
        *cursor = (shoal_i_yaml_cursor){0};
    }
    while (cursor->line < mark.line && cursor->at < yaml->size) {
        if (yaml->bytes[cursor->at++] == '\n') {
            cursor->line++;
            cursor->column = 0;
            cursor->line_start = cursor->at;
        }
    }
    while (cursor->column < mark.column && cursor->at < yaml->size) {
        cursor->at++;
        while (cursor->at < yaml->size &&
               ((unsigned char)yaml->bytes[cursor->at] & 0xC0) == 0x80) {
            cursor->at++;
        }
        cursor->column++;
    }
    return (shoal_i_place){yaml->source, (int64_t)mark.line + 1,
                           (int64_t)(cursor->at - cursor->line_start) + 1};
}

shoal_status shoal_i_yaml_judge(shoal_i_yaml *yaml, const yaml_node_t *node,
                                shoal_status status)
{
    if (status != SHOAL_OK && status != SHOAL_ENOMEM) {
        shoal_i_place place = shoal_i_yaml_place(yaml, node->start_mark);

        shoal_i_fail_in(yaml->ctx, place.source, place.line, place.column);
    }
    return shoal_i_mistakes_take(&yaml->mistakes, status);
}

static const char *name_kind(const yaml_node_t *node)
{
    switch (node->type) {
    case YAML_SCALAR_NODE:
        return "a single value";
    case YAML_SEQUENCE_NODE:
        return "a list";
    case YAML_MAPPING_NODE:
        return "a mapping";
    default:
        return "nothing";
    }
}

shoal_status shoal_i_yaml_judge_kind(shoal_i_yaml *yaml, const yaml_node_t *node,
                                     const char *expected)
{
    shoal_i_fail(yaml->ctx, SHOAL_EFORMAT, "Expected %s here; got %s.", expected,
                 name_kind(node));
    return shoal_i_yaml_judge(yaml, node, SHOAL_EFORMAT);
}

shoal_status shoal_i_yaml_judge_twice(shoal_i_yaml *yaml, const yaml_node_t *node,
                                      const char *name)
{
    shoal_i_fail(yaml->ctx, SHOAL_EFORMAT, "\"%.80s\" is given twice.", name);
    return shoal_i_yaml_judge(yaml, node, SHOAL_EFORMAT);
}

const char *shoal_i_yaml_text(const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE) {
        return NULL;
    }
    const char *text = (const char *)node->data.scalar.value;

    return strlen(text) == node->data.scalar.length ? text : NULL;
}

shoal_status shoal_i_yaml_number(shoal_i_yaml *yaml, double *out, const yaml_node_t *node)
{
    const char *text = shoal_i_yaml_text(node);

    if (!text) {
        return shoal_i_yaml_judge_kind(yaml, node, "a number");
    }
    if (!shoal_i_text_to_double(out, text, strlen(text))) {
        shoal_i_fail(yaml->ctx, SHOAL_EFORMAT, "Expected a number; got \"%.40s\".", text);
        return shoal_i_yaml_judge(yaml, node, SHOAL_EFORMAT);
    }
    return SHOAL_OK;
}

size_t shoal_i_yaml_item_count(const yaml_node_t *list)
{
    return (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

yaml_node_t *shoal_i_yaml_item(const shoal_i_yaml *yaml, const yaml_node_t *list, size_t i)
{
    return yaml_document_get_node(yaml->document, list->data.sequence.items.start[i]);
}

size_t shoal_i_yaml_pair_count(const yaml_node_t *mapping)
{
    return (size_t)(mapping->data.mapping.pairs.top - mapping->data.mapping.pairs.start);
}

shoal_status shoal_i_yaml_pair_read(shoal_i_yaml *yaml, shoal_i_yaml_pair *out,
                                    const yaml_node_t *mapping, size_t i)
{
    const yaml_node_pair_t *pair = &mapping->data.mapping.pairs.start[i];

    out->key = yaml_document_get_node(yaml->document, pair->key);
    out->value = yaml_document_get_node(yaml->document, pair->value);
    out->name = shoal_i_yaml_text(out->key);
    return out->name ? SHOAL_OK : shoal_i_yaml_judge_kind(yaml, out->key, "a name");
}

/* The place of a name in the table; `count` when it is not there. */
static size_t find_key(const shoal_i_yaml_key *keys, size_t count, const char *name)
{
    size_t i = 0;

    while (i < count && strcmp(keys[i].name, name) != 0) {
        i++;
    }
    return i;
}

static shoal_status judge_unknown(shoal_i_yaml *yaml, const shoal_i_yaml_pair *pair,
                                  const shoal_i_yaml_key *keys, size_t count, const char *what)
{
    const char *names[SHOAL_I_YAML_KEYS_MAX];

    for (size_t i = 0; i < count; i++) {
        names[i] = keys[i].name;
    }
    shoal_i_fail_unknown(yaml->ctx, SHOAL_EFORMAT, what, pair->name, names, count);
    return shoal_i_yaml_judge(yaml, pair->key, SHOAL_EFORMAT);
}

shoal_status shoal_i_yaml_mapping_of(shoal_i_yaml *yaml, void *target,
                                     const yaml_node_t *mapping, const shoal_i_yaml_key *keys,
                                     size_t count, const char *what)
{
    shoal_status st = SHOAL_OK;
    bool seen[SHOAL_I_YAML_KEYS_MAX] = {false};
    shoal_i_yaml_pair pair;

    assert(count <= SHOAL_I_YAML_KEYS_MAX);
    if (mapping->type != YAML_MAPPING_NODE) {
        return shoal_i_yaml_judge_kind(yaml, mapping, "a mapping of keys to values");
    }
    for (size_t i = 0; i < shoal_i_yaml_pair_count(mapping); i++) {
        SHOAL_TRY(shoal_i_yaml_pair_read(yaml, &pair, mapping, i));
        if (!pair.name) {
            continue;
        }
        size_t k = find_key(keys, count, pair.name);

        if (k == count) {
            SHOAL_TRY(judge_unknown(yaml, &pair, keys, count, what));
        } else if (seen[k]) {
            SHOAL_TRY(shoal_i_yaml_judge_twice(yaml, pair.key, pair.name));
        } else {
            seen[k] = true;
            SHOAL_TRY(keys[k].read(yaml, target, &keys[k], pair.value));
        }
    }
done:
    return st;
}

shoal_status shoal_i_yaml_mapping(shoal_i_yaml *yaml, void *target, const yaml_node_t *mapping,
                                  const shoal_i_yaml_key *keys, size_t count)
{
    return shoal_i_yaml_mapping_of(yaml, target, mapping, keys, count, "key");
}

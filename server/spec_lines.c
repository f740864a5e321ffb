#include "spec_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MAX_OF_SPEC ((size_t)4 << 20)
#define KEY_SIMPLE_MAX 512 /* bytes of a key that YAML takes without a question mark before */

static void put_bytes(server_lines *l, const char *bytes, size_t size)
{
    if (l->size + size + 1 > l->capacity) {
        size_t capacity = 2 * (l->size + size) + 256;
        char *text = capacity <= 2 * SIZE_MAX_OF_SPEC ? realloc(l->text, capacity) : NULL;

        if (!text) {
            l->has_failed = true;
            return;
        }
        l->text = text;
        l->capacity = capacity;
    }
    memcpy(l->text + l->size, bytes, size);
    l->size += size;
    l->text[l->size] = '\0';
}

static void put_text(server_lines *l, const char *text)
{
    put_bytes(l, text, strlen(text));
}

/* Start a line that is about where the writer is. */
static void put_line(server_lines *l)
{
    put_text(l, "\n");
    l->has_failed |= json_array_append_new(l->paths, json_deep_copy(l->path)) != 0;
}

/* What YAML does not take as it is, though JSON does: control characters from 0x7F on, ends of
 * lines of Unicode, the byte order mark and what is no character. As UTF-8, which a text of
 * jansson is. */
static size_t find_escape(const unsigned char *t, unsigned *character)
{
    *character = t[0];
    if (t[0] < 0x20 || t[0] == 0x7F || t[0] == '"' || t[0] == '\\') {
        return 1;
    }
    if (t[0] == 0xC2 && t[1] < 0xA0) {
        *character = t[1];
        return 2;
    }
    if (t[0] < 0xE0 || t[0] > 0xEF) {
        return 0;
    }
    *character = (t[0] & 0x0FU) << 12 | (t[1] & 0x3FU) << 6 | (t[2] & 0x3FU);
    return *character == 0x2028 || *character == 0x2029 || *character == 0xFEFF ||
                   *character >= 0xFFFE
               ? 3
               : 0;
}

static void put_quoted(server_lines *l, const char *text)
{
    char escaped[8];

    put_text(l, "\"");
    while (*text) {
        unsigned character = 0;
        size_t length = find_escape((const unsigned char *)text, &character);

        if (length > 0) {
            snprintf(escaped, sizeof escaped, "\\u%04X", character & 0xFFFFU);
            put_text(l, escaped);
            text += length;
        } else {
            size_t plain = 1;

            while ((text[plain] & 0xC0) == 0x80) {
                plain++;
            }
            put_bytes(l, text, plain);
            text += plain;
        }
    }
    put_text(l, "\"");
}

static void put_node(server_lines *l, const json_t *node);

static void put_key(server_lines *l, const char *key)
{
    bool is_long = strlen(key) > KEY_SIMPLE_MAX;

    put_text(l, is_long ? "? " : "");
    put_quoted(l, key);
    if (is_long) {
        put_line(l);
    }
    put_text(l, ": ");
}

static void put_object(server_lines *l, const json_t *node)
{
    const char *key = NULL;
    json_t *value = NULL;
    size_t count = 0;

    put_text(l, "{");
    json_object_foreach((json_t *)node, key, value)
    {
        put_text(l, count++ > 0 ? "," : "");
        l->has_failed |= json_array_append_new(l->path, json_string(key)) != 0;
        put_line(l);
        put_key(l, key);
        put_node(l, value);
        json_array_remove(l->path, json_array_size(l->path) - 1);
    }
    put_line(l);
    put_text(l, "}");
}

static void put_array(server_lines *l, const json_t *node)
{
    put_text(l, "[");
    for (size_t i = 0; i < json_array_size(node); i++) {
        put_text(l, i > 0 ? "," : "");
        l->has_failed |= json_array_append_new(l->path, json_integer((json_int_t)i)) != 0;
        put_line(l);
        put_node(l, json_array_get(node, i));
        json_array_remove(l->path, json_array_size(l->path) - 1);
    }
    put_line(l);
    put_text(l, "]");
}

static void put_node(server_lines *l, const json_t *node)
{
    if (json_is_object(node)) {
        put_object(l, node);
    } else if (json_is_array(node)) {
        put_array(l, node);
    } else if (json_is_string(node)) {
        put_quoted(l, json_string_value(node));
    } else {
        char *text = server_body_dump(node);

        put_text(l, text ? text : "");
        l->has_failed |= !text;
        free(text);
    }
}

bool server_lines_write(server_lines *out, const json_t *tree)
{
    *out = (server_lines){.path = json_array(), .paths = json_array()};
    out->has_failed = !out->path || json_array_append_new(out->paths, json_array()) != 0;
    put_node(out, tree);
    put_text(out, "\n");
    return !out->has_failed;
}

void server_lines_clear(server_lines *lines)
{
    free(lines->text);
    json_decref(lines->path);
    json_decref(lines->paths);
    *lines = (server_lines){0};
}

void server_lines_resolve(const server_lines *lines, json_t *mistakes)
{
    for (size_t i = 0; i < json_array_size(mistakes); i++) {
        json_t *mistake = json_array_get(mistakes, i);
        json_int_t line = json_integer_value(json_object_get(mistake, "line"));
        json_t *path = line > 0 ? json_array_get(lines->paths, (size_t)line - 1) : NULL;

        if (path) {
            json_object_set(mistake, "path", path);
            json_object_set_new(mistake, "line", json_null());
            json_object_set_new(mistake, "column", json_null());
        }
    }
}

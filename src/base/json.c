#include "json.h"

#include "text.h"

#include <assert.h>
#include <math.h>

shoal_i_json shoal_i_json_start(shoal_i_buffer *out)
{
    return (shoal_i_json){.out = out};
}

static void put_line_start(shoal_i_json *json)
{
    shoal_i_buffer_char(json->out, '\n');
    for (int i = 0; i < json->depth; i++) {
        shoal_i_buffer_put(json->out, "  ", 2);
    }
}

static void put_escape(shoal_i_buffer *out, unsigned char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *shorthand = strchr("\bb\tt\nn\ff\rr\"\"\\\\", c);

    if (c != 0 && shorthand) {
        shoal_i_buffer_char(out, '\\');
        shoal_i_buffer_char(out, shorthand[1]);
    } else {
        shoal_i_buffer_text(out, "\\u00");
        shoal_i_buffer_char(out, digits[c >> 4]);
        shoal_i_buffer_char(out, digits[c & 15]);
    }
}

static void put_escaped(shoal_i_buffer *out, const char *text, size_t length)
{
    size_t start = 0;

    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c < 0x20 || c == '"' || c == '\\') {
            shoal_i_buffer_put(out, text + start, i - start);
            put_escape(out, c);
            start = i + 1;
        }
    }
    shoal_i_buffer_put(out, text + start, length - start);
}

static void put_string(shoal_i_buffer *out, const char *text, size_t length)
{
    size_t good = 0;

    shoal_i_buffer_char(out, '"');
    while (!shoal_i_text_is_utf8(&good, text, length)) {
        put_escaped(out, text, good);
        shoal_i_buffer_text(out, "\xEF\xBF\xBD");
        text += good + 1;
        length -= good + 1;
    }
    put_escaped(out, text, length);
    shoal_i_buffer_char(out, '"');
}

/* What stands before every item: the comma of the item before, the line, the key. */
static void put_prefix(shoal_i_json *json, const char *key)
{
    bool is_in_object = json->depth > 0 && json->closers[json->depth - 1] == '}';

    assert(is_in_object == (key != NULL));
    if (json->has_items[json->depth]) {
        shoal_i_buffer_char(json->out, ',');
    }
    json->has_items[json->depth] = true;
    if (json->depth > 0) {
        put_line_start(json);
    }
    if (is_in_object) {
        put_string(json->out, key, strlen(key));
        shoal_i_buffer_put(json->out, ": ", 2);
    }
}

static void open_container(shoal_i_json *json, const char *key, char opener, char closer)
{
    assert(json->depth < SHOAL_I_JSON_DEPTH_MAX);
    put_prefix(json, key);
    shoal_i_buffer_char(json->out, opener);
    json->closers[json->depth++] = closer;
    json->has_items[json->depth] = false;
}

void shoal_i_json_object(shoal_i_json *json, const char *key)
{
    open_container(json, key, '{', '}');
}

void shoal_i_json_array(shoal_i_json *json, const char *key)
{
    open_container(json, key, '[', ']');
}

void shoal_i_json_end(shoal_i_json *json)
{
    assert(json->depth > 0);
    bool has_items = json->has_items[json->depth--];

    if (has_items) {
        put_line_start(json);
    }
    shoal_i_buffer_char(json->out, json->closers[json->depth]);
    if (json->depth == 0) {
        shoal_i_buffer_char(json->out, '\n');
    }
}

void shoal_i_json_text(shoal_i_json *json, const char *key, const char *text)
{
    shoal_i_json_text_n(json, key, text, strlen(text));
}

void shoal_i_json_text_n(shoal_i_json *json, const char *key, const char *text, size_t length)
{
    put_prefix(json, key);
    put_string(json->out, text, length);
}

void shoal_i_json_count(shoal_i_json *json, const char *key, uint64_t count)
{
    put_prefix(json, key);
    shoal_i_buffer_printf(json->out, "%llu", (unsigned long long)count);
}

void shoal_i_json_number(shoal_i_json *json, const char *key, double number)
{
    char text[SHOAL_I_NUMBER_MAX];

    if (!isfinite(number)) {
        shoal_i_json_null(json, key);
        return;
    }
    size_t length = shoal_i_text_from_double(text, number);

    put_prefix(json, key);
    shoal_i_buffer_put(json->out, text, length);
}

void shoal_i_json_bool(shoal_i_json *json, const char *key, bool value)
{
    put_prefix(json, key);
    shoal_i_buffer_text(json->out, value ? "true" : "false");
}

void shoal_i_json_null(shoal_i_json *json, const char *key)
{
    put_prefix(json, key);
    shoal_i_buffer_text(json->out, "null");
}

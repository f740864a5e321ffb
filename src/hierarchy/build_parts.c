/* build_parts.c -- prefixes by separators: C50.9, C50, C5*, C**, *.
 *
 * A value is cut at its separators from the right, part by part, until its first part is left;
 * that is masked as build_prefix.c masks values. A run of separators is one, and one in front
 * belongs to the first part.
 *
 *     length 3, "."     C50.91.2 -> C50.91 -> C50 -> C5* -> C** -> *
 *     length 1, "/"     Surgery/Ward 3/Bed 2 -> Surgery/Ward 3 -> Surgery -> *
 *
 * The groups of a value are told by its text alone, whatever the other values are.
 */
#include "sketch.h"

#include "../base/entry.h"

#include <string.h>

#define LENGTH_MAX ((size_t)SHOAL_LEVELS_MAX - 1)

typedef struct cutting {
    const char *separators;
    size_t length; /* of masks */
} cutting;

static bool is_separator(const cutting *c, char byte)
{
    return byte != '\0' && strchr(c->separators, byte) != NULL;
}

/* Where the next run of separators behind `from` starts; the length of the text: none does. */
static size_t find_cut(const cutting *c, const char *text, size_t length, size_t from)
{
    while (from < length && is_separator(c, text[from])) {
        from++;
    }
    while (from < length && !is_separator(c, text[from])) {
        from++;
    }
    return from;
}

static bool is_char_start(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

static size_t count_chars(const char *text, size_t length)
{
    size_t count = 0;

    for (size_t i = 0; i < length; i++) {
        count += is_char_start(text[i]);
    }
    return count;
}

/* The masks of a first part, from the coarsest on. */
static shoal_status draw_masks(shoal_ctx *ctx, uint32_t *node, shoal_i_sketch *sketch,
                               const cutting *c, const char *head, size_t size)
{
    shoal_status st = SHOAL_OK;
    char label[4 * SHOAL_LEVELS_MAX];
    size_t chars = count_chars(head, size);
    size_t most = chars < c->length ? chars : c->length;
    size_t bytes = 0;

    for (size_t kept = 1; kept < most; kept++) {
        do {
            bytes++;
        } while (!is_char_start(head[bytes]));
        if (head[bytes - 1] == '*') {
            continue; /* the mask is the one a level up */
        }
        memcpy(label, head, bytes);
        memset(label + bytes, '*', c->length - kept);
        SHOAL_TRY(shoal_i_sketch_descend(ctx, node, sketch, label, bytes + c->length - kept));
    }
done:
    return st;
}

static shoal_status draw_value(shoal_ctx *ctx, shoal_i_sketch *sketch, const cutting *c,
                               uint32_t code)
{
    shoal_status st = SHOAL_OK;
    size_t length = 0;
    const char *text = shoal_table_text(sketch->table, sketch->column, code, &length);
    size_t cut = find_cut(c, text, length, 0);
    uint32_t node = 0;

    SHOAL_TRY(draw_masks(ctx, &node, sketch, c, text, cut));
    /* Up to the value itself, which others may be below. */
    for (size_t before = 0; cut > before; cut = find_cut(c, text, length, cut)) {
        SHOAL_TRY(shoal_i_sketch_descend(ctx, &node, sketch, text, cut));
        before = cut;
    }
    SHOAL_TRY(shoal_i_sketch_add_leaf(ctx, sketch, code, node));
done:
    return st;
}

static size_t find_longest(const shoal_i_sketch *sketch, const cutting *c)
{
    size_t longest = 1;

    for (uint32_t code = 0; code < shoal_table_value_count(sketch->table, sketch->column);
         code++) {
        size_t length = 0;
        const char *text = shoal_table_text(sketch->table, sketch->column, code, &length);
        size_t chars = count_chars(text, find_cut(c, text, length, 0));

        longest = chars > longest ? chars : longest;
    }
    return longest;
}

bool shoal_i_are_separators(const char *text)
{
    size_t length = 0;

    for (; text[length]; length++) {
        unsigned char byte = (unsigned char)text[length];
        bool is_word = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= 'a' && byte <= 'z');

        if (byte < ' ' || byte > '~' || byte == '*' || is_word) {
            return false;
        }
    }
    return length > 0 && length <= 16;
}

shoal_status shoal_hierarchy_build_parts(shoal_ctx *ctx, shoal_hierarchy **out,
                                         const shoal_table *table, size_t column,
                                         const char *separators, size_t length)
{
    SHOAL_ENTER_FOR(ctx, out, table, separators);
    SHOAL_NEED_COLUMN(ctx, table, column);
    shoal_status st = SHOAL_OK;
    shoal_i_sketch sketch = {0};
    cutting c = {separators, length};

    if (!shoal_i_are_separators(separators)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "Separators are 1 to 16 characters of ASCII that are no letters, "
                            "digits or asterisks.");
    }
    SHOAL_TRY(shoal_i_sketch_start(ctx, &sketch, table, column));
    c.length = length > 0 ? length : find_longest(&sketch, &c);
    if (c.length > LENGTH_MAX) {
        SHOAL_TRY(shoal_i_fail_at(ctx, SHOAL_ELIMIT, -1, (int64_t)column,
                                  "A prefix of %zu characters on column \"%s\" is too long; "
                                  "masks are for 1 to %zu characters.",
                                  c.length, shoal_table_name(table, column), LENGTH_MAX));
    }
    for (uint32_t code = 0; code < shoal_table_value_count(table, column); code++) {
        SHOAL_TRY(draw_value(ctx, &sketch, &c, code));
    }
    SHOAL_TRY(shoal_i_sketch_build(ctx, out, &sketch));
done:
    shoal_i_sketch_clear(&sketch);
    return st;
}

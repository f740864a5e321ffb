/* build_prefix.c -- prefix masks: 53711, 5371*, 537**, 53***, 5****, *.
 *
 * With length L, the group on level i of a value holds all values that share its first L - i
 * characters; its label is those characters and i asterisks. Values are aligned on the left: a
 * value of n < L characters joins its first group where fewer than n are kept, and one of more
 * than L characters counts by its first L.
 *
 * In byte order of the texts the values of a group are neighbours, so one pass with the groups
 * of the previous value at hand draws the tree. Dictionaries of strings are in that order;
 * those of numbers are sorted here first.
 */
#include "sketch.h"

#include "../base/entry.h"

#include <string.h>

/* A leaf hangs below `length` labels, the root among them. */
#define LENGTH_MAX ((size_t)SHOAL_LEVELS_MAX - 1)

typedef struct value {
    const char *text;
    uint32_t length; /* bytes */
    uint32_t code;
} value;

/* The groups of the value drawn last. */
typedef struct trail {
    const char *text;
    size_t length;
    size_t kept;                          /* groups keep 1, 2, ..., kept characters */
    uint32_t nodes[SHOAL_LEVELS_MAX + 1]; /* by characters kept; nodes[0] is the root */
} trail;

static bool is_char_start(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

/* Offsets where characters end, of the first `most` characters; how many there are. */
static size_t find_char_ends(size_t *ends, const value *v, size_t most)
{
    size_t count = 0;

    for (size_t i = 1; i <= v->length && count < most; i++) {
        if (i == v->length || is_char_start(v->text[i])) {
            ends[count++] = i;
        }
    }
    return count;
}

static size_t count_chars(const char *text, size_t length)
{
    size_t count = 0;

    for (size_t i = 0; i < length; i++) {
        count += is_char_start(text[i]);
    }
    return count;
}

static size_t measure_common(const trail *t, const value *v)
{
    size_t most = t->length < v->length ? t->length : v->length;
    size_t common = 0;

    while (common < most && t->text[common] == v->text[common]) {
        common++;
    }
    return common;
}

static shoal_status add_mask(shoal_ctx *ctx, shoal_i_sketch *sketch, trail *t, const value *v,
                             size_t bytes, size_t kept, size_t length)
{
    char label[4 * SHOAL_LEVELS_MAX];

    /* Where the last character kept is an asterisk itself, the mask is the one a level up. */
    if (v->text[bytes - 1] == '*') {
        t->nodes[kept] = t->nodes[kept - 1];
        return SHOAL_OK;
    }
    memcpy(label, v->text, bytes);
    memset(label + bytes, '*', length - kept);
    return shoal_i_sketch_add(ctx, &t->nodes[kept], sketch, t->nodes[kept - 1], label,
                              bytes + length - kept);
}

static shoal_status draw_value(shoal_ctx *ctx, shoal_i_sketch *sketch, trail *t, const value *v,
                               size_t length)
{
    shoal_status st = SHOAL_OK;
    size_t ends[SHOAL_LEVELS_MAX];
    size_t chars = find_char_ends(ends, v, length);
    size_t kept = chars > 0 ? chars - 1 : 0; /* a mask hides one character at least */
    size_t common = measure_common(t, v);
    size_t shared = 0;

    while (shared < t->kept && shared < kept && ends[shared] <= common) {
        shared++;
    }
    for (size_t keep = shared + 1; keep <= kept; keep++) {
        SHOAL_TRY(add_mask(ctx, sketch, t, v, ends[keep - 1], keep, length));
    }
    t->text = v->text;
    t->length = v->length;
    t->kept = kept;
    SHOAL_TRY(shoal_i_sketch_add_leaf(ctx, sketch, v->code, t->nodes[kept]));
done:
    return st;
}

static int compare_values(const void *a, const void *b)
{
    const value *x = a;
    const value *y = b;
    uint32_t most = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->text, y->text, most);

    return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

static bool is_sorted(const value *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (compare_values(&values[i - 1], &values[i]) > 0) {
            return false;
        }
    }
    return true;
}

/* The values of the column in byte order, and the length of the longest in characters. */
static void list_values(value *values, size_t *longest, const shoal_i_sketch *sketch,
                        size_t count)
{
    *longest = 0;
    for (uint32_t code = 0; code < count; code++) {
        size_t bytes = 0;
        const char *text = shoal_table_text(sketch->table, sketch->column, code, &bytes);
        size_t chars = count_chars(text, bytes);

        values[code] = (value){.text = text, .length = (uint32_t)bytes, .code = code};
        *longest = chars > *longest ? chars : *longest;
    }
    if (!is_sorted(values, count)) {
        qsort(values, count, sizeof *values, compare_values);
    }
}

static shoal_status fail_length(shoal_ctx *ctx, const shoal_i_sketch *sketch, size_t length)
{
    return shoal_i_fail_at(
        ctx, SHOAL_ELIMIT, -1, (int64_t)sketch->column,
        "A prefix of %zu characters on column \"%s\" is too long; masks are for "
        "1 to %zu characters.",
        length, shoal_table_name(sketch->table, sketch->column), LENGTH_MAX);
}

shoal_status shoal_hierarchy_build_prefix(shoal_ctx *ctx, shoal_hierarchy **out,
                                          const shoal_table *table, size_t column,
                                          size_t length)
{
    SHOAL_ENTER_FOR(ctx, out, table);
    SHOAL_NEED_COLUMN(ctx, table, column);
    shoal_status st = SHOAL_OK;
    shoal_i_sketch sketch = {0};
    value *values = NULL;
    trail t = {.text = ""};
    size_t count = shoal_table_value_count(table, column);
    size_t longest = 0;

    SHOAL_TRY(shoal_i_sketch_start(ctx, &sketch, table, column));
    SHOAL_ALLOC(ctx, values, count);
    list_values(values, &longest, &sketch, count);
    length = length > 0 ? length : longest;
    if (length > LENGTH_MAX) {
        st = fail_length(ctx, &sketch, length);
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(draw_value(ctx, &sketch, &t, &values[i], length));
    }
    SHOAL_TRY(shoal_i_sketch_build(ctx, out, &sketch));
done:
    free(values);
    shoal_i_sketch_clear(&sketch);
    return st;
}

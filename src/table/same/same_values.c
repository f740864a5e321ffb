#include "same_values.h"

#include "../../base/hash.h"
#include "../../base/sort.h"
#include "../../base/text.h"
#include "../value_format.h"

#include <string.h>

/* --- Decimals. ---------------------------------------------------------------------------- */

/* A decimal taken apart: the digits from its first that is not 0 to the last such, as one whole
 * number times 10 to the power of `power`. */
typedef struct decimal {
    bool is_negative;
    char *digits;
    size_t count;
    size_t zeros; /* behind them, that count only if another digit follows */
    int64_t power;
} decimal;

static void take_digit(decimal *d, char digit, bool is_fraction)
{
    d->power -= is_fraction;
    if (digit == '0') {
        d->zeros += d->count > 0;
        return;
    }
    memset(d->digits + d->count, '0', d->zeros);
    d->count += d->zeros;
    d->zeros = 0;
    d->digits[d->count++] = digit;
}

/* Digits with at most one point, at least one digit; bytes, 0: there are none. */
static size_t take_digits(decimal *d, const char *text, size_t length)
{
    bool is_fraction = false;
    size_t digits = 0;
    size_t at = 0;

    for (; at < length; at++) {
        if (text[at] == '.' && !is_fraction) {
            is_fraction = true;
        } else if (shoal_i_text_is_digit(text[at])) {
            take_digit(d, text[at], is_fraction);
            digits++;
        } else {
            break;
        }
    }
    return digits > 0 ? at : 0;
}

/* The power of ten behind a number, "e-3"; false: it is something else, or beyond counting. */
static bool take_power(decimal *d, const char *text, size_t length)
{
    int64_t power = 0;

    if (length == 0) {
        return true;
    }
    if ((text[0] != 'e' && text[0] != 'E') || length > 18 ||
        !shoal_i_text_to_int64(&power, text + 1, length - 1)) {
        return false;
    }
    d->power += power;
    return true;
}

size_t shoal_i_decimal_key(char *out, const char *text, size_t length)
{
    size_t sign = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    decimal d = {.is_negative = sign > 0 && text[0] == '-', .digits = out + 1};
    size_t taken = take_digits(&d, text + sign, length - sign);

    if (taken == 0 || !take_power(&d, text + sign + taken, length - sign - taken)) {
        return 0;
    }
    if (d.count == 0) { /* 0, -0, 0e5 */
        out[0] = '0';
        return 1;
    }
    out[0] = d.is_negative ? '-' : '+';
    uint64_t power = (uint64_t)(d.power + (int64_t)d.zeros);

    for (size_t i = 0; i < sizeof power; i++, power >>= 8) {
        d.digits[d.count + i] = (char)(power & 0xFF);
    }
    return 1 + d.count + sizeof power;
}

/* --- Keys: equal for texts that are the same. --------------------------------------------- */

typedef struct key_maker {
    const shoal_table *table;
    size_t column;
    const shoal_i_sameness *same;
    shoal_i_folder folder;
    char *number; /* in the usual form */
    char *key;
    size_t capacity; /* of both */
    size_t size;     /* of the key */
} key_maker;

static void clear_maker(key_maker *m)
{
    shoal_i_folder_clear(&m->folder);
    free(m->number);
    free(m->key);
}

static shoal_status reserve_key(shoal_ctx *ctx, key_maker *m, size_t capacity)
{
    shoal_status st = SHOAL_OK;

    if (capacity > m->capacity) {
        free(m->number);
        free(m->key);
        m->number = NULL;
        m->key = NULL;
        m->capacity = 0;
        SHOAL_ALLOC(ctx, m->number, capacity);
        SHOAL_ALLOC(ctx, m->key, capacity);
        m->capacity = capacity;
    }
done:
    return st;
}

/* The key of a text as a number behind the first byte; 0: it is none. */
static size_t make_number(key_maker *m, const char *text, size_t length)
{
    const shoal_i_value_format format = {.decimal = m->same->decimal,
                                         .thousands = m->same->thousands};

    if (!shoal_i_value_format_is_usual(&format)) {
        length = shoal_i_number_by_format(m->number, &format, text, length);
        text = m->number;
    }
    return shoal_i_decimal_key(m->key + 1, text, length);
}

static shoal_status make_text_key(shoal_ctx *ctx, key_maker *m, const char *text, size_t length)
{
    shoal_status st = SHOAL_OK;
    size_t size = 0;

    SHOAL_TRY(shoal_i_fold(ctx, &m->folder, &text, &length, text, length, m->same->ways));
    SHOAL_TRY(reserve_key(ctx, m, length + 32));
    if (m->same->has_numbers) {
        size = make_number(m, text, length);
    }
    m->key[0] = size > 0 ? '#' : '"';
    if (size == 0 && length > 0) {
        memcpy(m->key + 1, text, length);
    }
    m->size = 1 + (size > 0 ? size : length);
done:
    return st;
}

/* The key of a code, or of the token for missing values. */
static shoal_status make_key(shoal_ctx *ctx, key_maker *m, uint32_t code)
{
    size_t length = 0;
    const char *text = shoal_table_text(m->table, m->column, code, &length);

    return make_text_key(ctx, m, text, length);
}

static bool are_equal(const key_maker m[2])
{
    return m[0].size == m[1].size && memcmp(m[0].key, m[1].key, m[0].size) == 0;
}

/* --- Groups of equal keys. ---------------------------------------------------------------- */

/* Of codes with one hash, ascending, the first with the same key becomes first_of each. Hashes
 * of different keys are hardly ever the same, so there is one such code. */
static shoal_status part_run(shoal_ctx *ctx, uint32_t *first_of, key_maker m[2],
                             const shoal_i_sort_item *items, size_t count)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 1; i < count; i++) {
        SHOAL_TRY(make_key(ctx, &m[0], items[i].item));
        for (size_t j = 0; j < i; j++) {
            if (first_of[items[j].item] != items[j].item) {
                continue;
            }
            SHOAL_TRY(make_key(ctx, &m[1], items[j].item));
            if (are_equal(m)) {
                first_of[items[i].item] = items[j].item;
                break;
            }
        }
    }
done:
    return st;
}

/* first_of each of `count` codes: the first that is the same. */
static shoal_status find_first(shoal_ctx *ctx, uint32_t *first_of, const shoal_table *table,
                               size_t column, const shoal_i_sameness *same, size_t count)
{
    shoal_status st = SHOAL_OK;
    key_maker m[2] = {{.table = table, .column = column, .same = same},
                      {.table = table, .column = column, .same = same}};
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;

    SHOAL_ALLOC(ctx, items, count);
    SHOAL_ALLOC(ctx, scratch, count);
    for (size_t code = 0; code < count; code++) {
        SHOAL_TRY(make_key(ctx, &m[0], (uint32_t)code));
        first_of[code] = (uint32_t)code;
        items[code] =
            (shoal_i_sort_item){.key = shoal_i_hash_bytes(&ctx->hash_key, m[0].key, m[0].size),
                                .item = (uint32_t)code};
    }
    shoal_i_sort_items(items, scratch, count);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && items[end].key == items[first].key;) {
            end++;
        }
        if (end - first > 1) {
            SHOAL_TRY(part_run(ctx, first_of, m, items + first, end - first));
        }
    }
done:
    free(items);
    free(scratch);
    clear_maker(&m[0]);
    clear_maker(&m[1]);
    return st;
}

/* How many codes are compared: that of missing is the last, if there is any. */
static size_t count_codes(const shoal_table *table, size_t column, const shoal_i_sameness *same)
{
    return shoal_table_value_count(table, column) +
           (!same->keeps_missing && shoal_table_missing_count(table, column) > 0);
}

static bool is_compared(const shoal_table *table, size_t column, const shoal_i_sameness *same)
{
    return same && (same->ways != 0 || same->has_numbers) &&
           shoal_table_type(table, column) == SHOAL_TYPE_STRING;
}

static size_t count_values(const uint32_t *first_of, size_t count)
{
    size_t values = 0;

    for (size_t code = 0; code < count; code++) {
        values += first_of[code] == code;
    }
    return values;
}

shoal_status shoal_i_same_values_find(shoal_ctx *ctx, shoal_i_same_values *out,
                                      shoal_i_arena *arena, const shoal_table *table,
                                      size_t column, const shoal_i_sameness *same)
{
    shoal_status st = SHOAL_OK;
    size_t plain = shoal_table_value_count(table, column);
    bool has_missing = shoal_table_missing_count(table, column) > 0;
    uint32_t *first_of = NULL;
    uint32_t *value_of = NULL;
    uint32_t *code_of = NULL;
    uint32_t next = 0;

    *out = (shoal_i_same_values){.count = plain + has_missing};
    if (!is_compared(table, column, same) || plain == 0) {
        return SHOAL_OK;
    }
    size_t count = count_codes(table, column, same);

    SHOAL_ALLOC(ctx, first_of, count);
    SHOAL_TRY(find_first(ctx, first_of, table, column, same, count));
    size_t values = count_values(first_of, count);

    if (values == count) {
        goto done;
    }
    value_of = shoal_i_arena_alloc(ctx, arena, plain + 1, sizeof *value_of);
    code_of = shoal_i_arena_alloc(ctx, arena, values + 1, sizeof *code_of);
    if (!value_of || !code_of) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    /* Missing stays the last; what is written as its token, but for blanks, is missing too. */
    uint32_t missing = count > plain ? first_of[plain] : (uint32_t)plain;
    uint32_t last = (uint32_t)(count > plain ? values - 1 : values);

    for (uint32_t code = 0; code < plain; code++) {
        if (first_of[code] == missing) {
            value_of[code] = last;
        } else if (first_of[code] == code) {
            code_of[next] = code;
            value_of[code] = next++;
        } else {
            value_of[code] = value_of[first_of[code]];
        }
    }
    value_of[plain] = last;
    code_of[last] = (uint32_t)plain;
    *out = (shoal_i_same_values){
        .count = last + has_missing, .value_of = value_of, .code_of = code_of};
done:
    free(first_of);
    return st;
}

shoal_status shoal_i_same_values_seek(shoal_ctx *ctx, int64_t *code, const shoal_table *table,
                                      size_t column, const shoal_i_sameness *same,
                                      const char *text, size_t length)
{
    shoal_status st = SHOAL_OK;
    key_maker m[2] = {{.table = table, .column = column, .same = same},
                      {.table = table, .column = column, .same = same}};

    *code = -1;
    if (!is_compared(table, column, same)) {
        return SHOAL_OK;
    }
    SHOAL_TRY(make_text_key(ctx, &m[0], text, length));
    for (size_t i = 0; *code < 0 && i < count_codes(table, column, same); i++) {
        SHOAL_TRY(make_key(ctx, &m[1], (uint32_t)i));
        *code = are_equal(m) ? (int64_t)i : -1;
    }
done:
    clear_maker(&m[0]);
    clear_maker(&m[1]);
    return st;
}

shoal_status shoal_i_same_values_digest(shoal_ctx *ctx, uint64_t *digests,
                                        const shoal_table *table, size_t column,
                                        const shoal_i_sameness *same)
{
    shoal_status st = SHOAL_OK;
    key_maker m = {.table = table, .column = column, .same = same};

    for (size_t code = 0; code < shoal_table_value_count(table, column); code++) {
        SHOAL_TRY(make_key(ctx, &m, (uint32_t)code));
        digests[code] = shoal_i_digest_bytes(m.key, m.size);
    }
done:
    clear_maker(&m);
    return st;
}

/* How many values there are, by ways. */
static shoal_status count_by(shoal_ctx *ctx, size_t *out, uint32_t *scratch,
                             const shoal_table *table, size_t column, shoal_i_sameness same,
                             unsigned ways)
{
    shoal_status st = SHOAL_OK;
    size_t count = count_codes(table, column, &same);

    same.ways = ways;
    SHOAL_TRY(find_first(ctx, scratch, table, column, &same, count));
    *out = count_values(scratch, count);
done:
    return st;
}

shoal_status shoal_i_same_values_doubt(shoal_ctx *ctx, size_t *found, unsigned *ways,
                                       const shoal_table *table, size_t column,
                                       const shoal_i_sameness *same)
{
    shoal_status st = SHOAL_OK;
    size_t count = count_codes(table, column, same);
    uint32_t *scratch = NULL;
    size_t values = 0;
    size_t least = 0;

    *found = 0;
    *ways = same->ways;
    if (shoal_table_type(table, column) != SHOAL_TYPE_STRING || count < 2 ||
        same->ways == SHOAL_I_FOLD_ALL) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, scratch, count);
    SHOAL_TRY(count_by(ctx, &values, scratch, table, column, *same, same->ways));
    SHOAL_TRY(count_by(ctx, &least, scratch, table, column, *same, SHOAL_I_FOLD_ALL));
    *found = values - least;
    if (*found == 0) {
        goto done;
    }
    *ways = SHOAL_I_FOLD_ALL;
    for (unsigned way = 1; way < SHOAL_I_FOLD_ALL; way <<= 1) {
        if (!(same->ways & way)) {
            SHOAL_TRY(count_by(ctx, &values, scratch, table, column, *same, *ways & ~way));
            *ways = values == least ? *ways & ~way : *ways;
        }
    }
done:
    free(scratch);
    return st;
}

#include "value.h"

#include "formula.h"

#include <math.h>

/* A quasi column as the reader sees it: the dictionary of the table behind it, in which texts
 * are looked up, and the codes that the dictionary's entries lead to. */
typedef struct reader {
    shoal_ctx *ctx;
    const shoal_i_quasi_column *column;
    const shoal_table *table;
    shoal_type type;
    size_t entry_count; /* values in the dictionary, missing not counted */
    bool has_missing;
} reader;

uint32_t shoal_i_value_missing_entry(const shoal_i_quasi *quasi, size_t c)
{
    return (uint32_t)shoal_table_value_count(quasi->table, quasi->columns[c].column);
}

bool shoal_i_value_has_missing(const shoal_i_quasi *quasi, size_t c)
{
    return quasi->columns[c].value_count > shoal_i_value_missing_entry(quasi, c);
}

static reader start_reader(shoal_ctx *ctx, const shoal_i_quasi *quasi, size_t c)
{
    const shoal_i_quasi_column *column = &quasi->columns[c];

    return (reader){
        .ctx = ctx,
        .column = column,
        .table = quasi->table,
        .type = shoal_table_type(quasi->table, column->column),
        .entry_count = shoal_i_value_missing_entry(quasi, c),
        .has_missing = shoal_i_value_has_missing(quasi, c),
    };
}

static bool is_numeric(const reader *r)
{
    return r->type != SHOAL_TYPE_STRING;
}

static bool equals(const char *text, size_t length, const char *other, size_t other_length)
{
    return length == other_length && memcmp(text, other, length) == 0;
}

static shoal_i_value_result find_code(shoal_i_interval *out, const reader *r, size_t entry)
{
    uint32_t code = r->column->code_of_entry[entry];

    *out = (shoal_i_interval){code, code};
    return SHOAL_I_VALUE_FOUND;
}

static bool is_missing_token(const reader *r, const char *text, size_t length)
{
    size_t token_length = 0;

    if (!r->has_missing) {
        return false;
    }
    const char *token =
        shoal_table_text(r->table, r->column->column, (uint32_t)r->entry_count, &token_length);

    return equals(text, length, token, token_length);
}

/* --- Ranges. */

static double number_at(const reader *r, size_t entry)
{
    return shoal_table_number(r->table, r->column->column, (uint32_t)entry);
}

/* The first entry whose number is not below `bound` or, when is_open, above it; the dictionary
 * is in ascending order. */
static size_t find_entry(const reader *r, double bound, bool is_open)
{
    size_t low = 0;
    size_t high = r->entry_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        double number = number_at(r, middle);

        if (number < bound || (is_open && number <= bound)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Whether a range may end there. Ends that are not told say nothing, and so does an open one:
 * the value is not meant. */
static bool is_on_grid(const reader *r, double end, bool is_open)
{
    return !r->column->cells || is_open || !isfinite(end) ||
           shoal_i_grid_is_end(&r->column->grid, r->type == SHOAL_TYPE_DATE, end);
}

/* What the entries first..end-1 cover. Without a hierarchy codes go up with entries; under one
 * they need not be neighbours, so each is looked at. */
static shoal_i_interval cover_entries(const reader *r, size_t first, size_t end)
{
    const uint32_t *codes = r->column->code_of_entry;
    shoal_i_interval cover = {codes[first], codes[end - 1]};

    for (size_t entry = first; r->column->hierarchy && entry < end; entry++) {
        cover.lo = codes[entry] < cover.lo ? codes[entry] : cover.lo;
        cover.hi = codes[entry] > cover.hi ? codes[entry] : cover.hi;
    }
    return cover;
}

/* The values inside a range, as an interval. */
static shoal_i_value_result cover_range(shoal_i_interval *out, const reader *r,
                                        shoal_i_range range)
{
    size_t first = find_entry(r, range.lo, range.is_lo_open);
    size_t end = find_entry(r, range.hi, !range.is_hi_open);

    if (!is_on_grid(r, range.lo, range.is_lo_open) ||
        !is_on_grid(r, range.hi, range.is_hi_open)) {
        return SHOAL_I_VALUE_OFF;
    }
    if (first >= end) {
        return SHOAL_I_VALUE_NONE;
    }
    shoal_i_interval cover = cover_entries(r, first, end);

    *out = shoal_i_quasi_close(r->column, cover.lo, cover.hi);
    return SHOAL_I_VALUE_FOUND;
}

static shoal_i_value_result read_range(shoal_i_interval *out, const reader *r, const char *text,
                                       size_t length)
{
    shoal_i_range range;

    if (!is_numeric(r) || !shoal_i_range_read(&range, r->type, text, length)) {
        return SHOAL_I_VALUE_UNKNOWN;
    }
    return cover_range(out, r, range);
}

/* --- Single values and labels. */

static shoal_i_value_result read_value(shoal_i_interval *out, const reader *r, const char *text,
                                       size_t length)
{
    int64_t entry = shoal_table_find_code(r->table, r->column->column, text, length);

    if (entry >= 0 && (size_t)entry < r->entry_count) {
        if (r->column->cells && !is_on_grid(r, number_at(r, (size_t)entry), false)) {
            return SHOAL_I_VALUE_OFF;
        }
        return find_code(out, r, (size_t)entry);
    }
    if (is_missing_token(r, text, length)) {
        return find_code(out, r, r->entry_count);
    }
    return SHOAL_I_VALUE_UNKNOWN;
}

static shoal_i_value_result read_label(shoal_i_interval *out, const reader *r, const char *text,
                                       size_t length)
{
    const shoal_hierarchy *h = r->column->hierarchy;
    int64_t node = h ? shoal_hierarchy_find(h, text, length) : -1;

    if (node < 0) {
        return SHOAL_I_VALUE_UNKNOWN;
    }
    *out = (shoal_i_interval){shoal_hierarchy_first(h, (uint32_t)node),
                              shoal_hierarchy_last(h, (uint32_t)node)};
    return SHOAL_I_VALUE_FOUND;
}

/* --- Sets. */

typedef struct set_reader {
    const reader *r;
    char separator;
    shoal_i_buffer plain;   /* an element without its backslashes */
    shoal_i_interval cover; /* of the elements so far */
    bool is_empty;
} set_reader;

/* Where the element that starts at `at` ends: at an unescaped separator, or at the end. */
static size_t find_element_end(const char *text, size_t length, size_t at, char separator)
{
    while (at < length && text[at] != separator) {
        at += text[at] == '\\' && at + 1 < length ? 2 : 1;
    }
    return at < length ? at : length;
}

/* Take the backslashes out of an element. */
static void unescape(shoal_i_buffer *plain, const char *text, size_t length)
{
    plain->size = 0;
    for (size_t at = 0; at < length; at++) {
        if (text[at] == '\\' && at + 1 < length) {
            at++;
        }
        shoal_i_buffer_char(plain, text[at]);
    }
}

static shoal_i_value_result read_element_text(shoal_i_interval *out, const reader *r,
                                              const char *text, size_t length)
{
    shoal_i_value_result result = read_value(out, r, text, length);

    if (result == SHOAL_I_VALUE_UNKNOWN) {
        result = read_label(out, r, text, length);
    }
    return result;
}

static shoal_i_value_result read_element(shoal_i_interval *out, set_reader *s, const char *text,
                                         size_t length)
{
    if (s->r->has_missing && equals(text, length, "\\N", 2)) {
        return find_code(out, s->r, s->r->entry_count);
    }
    if (length > 0 && memchr(text, '\\', length)) {
        unescape(&s->plain, text, length);
        text = s->plain.data;
        length = s->plain.size;
        if (shoal_i_buffer_status(&s->plain) != SHOAL_OK) {
            return SHOAL_I_VALUE_UNKNOWN;
        }
    }
    shoal_i_value_result result = read_element_text(out, s->r, text, length);

    /* Exactly as it stands first: spaces may belong to a value. */
    if (result == SHOAL_I_VALUE_UNKNOWN) {
        shoal_i_value_trim(&text, &length);
        result = read_element_text(out, s->r, text, length);
    }
    return result;
}

/* The elements of a set, without its braces. Each must be known. */
static bool read_elements(set_reader *s, const char *text, size_t length)
{
    size_t at = 0;

    s->is_empty = true;
    do {
        size_t end = find_element_end(text, length, at, s->separator);
        shoal_i_interval one;

        if (read_element(&one, s, text + at, end - at) != SHOAL_I_VALUE_FOUND) {
            return false;
        }
        s->cover.lo = s->is_empty || one.lo < s->cover.lo ? one.lo : s->cover.lo;
        s->cover.hi = s->is_empty || one.hi > s->cover.hi ? one.hi : s->cover.hi;
        s->is_empty = false;
        at = end + 1;
    } while (at <= length);
    return true;
}

/* {a|b}, and {a, b} as others write it. */
static shoal_status read_set(shoal_i_value_result *result, shoal_i_interval *out,
                             const reader *r, const char *text, size_t length)
{
    set_reader s = {.r = r, .separator = '|'};
    bool is_read = false;

    if (length < 2 || text[0] != '{' || text[length - 1] != '}') {
        return SHOAL_OK;
    }
    shoal_i_buffer_init(&s.plain, r->ctx, SHOAL_I_BUFFER_MAX);
    is_read = read_elements(&s, text + 1, length - 2);
    if (!is_read) {
        s.separator = ',';
        is_read = read_elements(&s, text + 1, length - 2);
    }
    shoal_status st = shoal_i_buffer_status(&s.plain);

    if (is_read && st == SHOAL_OK) {
        *out = shoal_i_quasi_close(r->column, s.cover.lo, s.cover.hi);
        *result = SHOAL_I_VALUE_FOUND;
    }
    shoal_i_buffer_clear(&s.plain);
    return st;
}

/* --- Any text. */

static shoal_status read_exact(shoal_i_value_result *result, shoal_i_interval *out,
                               const reader *r, const char *text, size_t length)
{
    *result = SHOAL_I_VALUE_UNKNOWN;
    if (equals(text, length, "*", 1)) {
        *out = shoal_i_quasi_all(r->column);
        *result = SHOAL_I_VALUE_FOUND;
        return SHOAL_OK;
    }
    shoal_status st = read_set(result, out, r, text, length);

    if (st == SHOAL_OK && *result == SHOAL_I_VALUE_UNKNOWN) {
        *result = read_label(out, r, text, length);
    }
    if (st == SHOAL_OK && *result == SHOAL_I_VALUE_UNKNOWN) {
        *result = read_value(out, r, text, length);
    }
    if (st == SHOAL_OK && *result == SHOAL_I_VALUE_UNKNOWN) {
        *result = read_range(out, r, text, length);
    }
    return st;
}

shoal_status shoal_i_value_read(shoal_ctx *ctx, shoal_i_value_result *result,
                                shoal_i_interval *out, const shoal_i_quasi *quasi, size_t c,
                                const char *text, size_t length)
{
    reader r = start_reader(ctx, quasi, c);
    shoal_status st = read_exact(result, out, &r, text, length);

    if (st == SHOAL_OK && *result == SHOAL_I_VALUE_UNKNOWN) {
        shoal_i_value_trim(&text, &length);
        st = read_exact(result, out, &r, text, length);
    }
    if (st == SHOAL_OK && *result == SHOAL_I_VALUE_UNKNOWN &&
        shoal_i_is_guarded(text, length)) {
        st = read_exact(result, out, &r, text + 1, length - 1);
    }
    return st;
}

shoal_status shoal_i_value_read_in(shoal_ctx *ctx, shoal_i_interval *out,
                                   const shoal_i_quasi *quasi, size_t c,
                                   shoal_i_interval interval, const shoal_i_quasi *other)
{
    shoal_status st = SHOAL_OK;
    shoal_i_value_result result = SHOAL_I_VALUE_UNKNOWN;
    shoal_i_buffer text;

    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_value_write(&text, quasi, c, interval, SHOAL_I_CATEGORICAL_LABEL);
    SHOAL_TRY(shoal_i_buffer_status(&text));
    SHOAL_TRY(shoal_i_value_read(ctx, &result, out, other, c, text.size > 0 ? text.data : "",
                                 text.size));
    if (result != SHOAL_I_VALUE_FOUND) {
        *out = (shoal_i_interval){.lo = 1, .hi = 0};
    }
done:
    shoal_i_buffer_clear(&text);
    return st;
}

static bool is_missing_bound(const reader *r, const char *text, size_t length)
{
    return is_missing_token(r, text, length) ||
           (r->has_missing &&
            equals(text, length, SHOAL_I_VALUE_MISSING, strlen(SHOAL_I_VALUE_MISSING)));
}

shoal_i_value_result shoal_i_value_read_bounds(shoal_i_interval *out,
                                               const shoal_i_quasi *quasi, size_t c,
                                               const char *min, size_t min_length,
                                               const char *max, size_t max_length)
{
    reader r = start_reader(NULL, quasi, c);
    shoal_i_range range = {0};

    if (equals(min, min_length, "*", 1) && equals(max, max_length, "*", 1)) {
        *out = shoal_i_quasi_all(r.column);
        return SHOAL_I_VALUE_FOUND;
    }
    if (is_missing_bound(&r, min, min_length) && is_missing_bound(&r, max, max_length)) {
        return find_code(out, &r, r.entry_count);
    }
    if (!is_numeric(&r) || !shoal_i_range_read_number(&range.lo, r.type, min, min_length) ||
        !shoal_i_range_read_number(&range.hi, r.type, max, max_length)) {
        return SHOAL_I_VALUE_UNKNOWN;
    }
    return cover_range(out, &r, range);
}

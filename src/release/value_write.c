#include "value.h"

#include "../base/text.h"

/* The dictionary entry of a code. */
static uint32_t find_entry(const shoal_i_quasi *quasi, size_t c, uint32_t code)
{
    const shoal_hierarchy *h = quasi->columns[c].hierarchy;

    /* Without a hierarchy codes are those of the dictionary. */
    return h ? shoal_hierarchy_code(h, code) : code;
}

static bool is_missing(const shoal_i_quasi *quasi, size_t c, uint32_t code)
{
    return find_entry(quasi, c, code) == shoal_i_value_missing_entry(quasi, c);
}

/* The text of a code as the table has it. */
static void write_entry(shoal_i_buffer *out, const shoal_i_quasi *quasi, size_t c,
                        uint32_t code)
{
    size_t length = 0;
    const char *text = shoal_table_text(quasi->table, quasi->columns[c].column,
                                        find_entry(quasi, c, code), &length);

    shoal_i_buffer_put(out, text, length);
}

/* Whether the bytes from `start` on read as the interval. A failure stays in the buffer. */
static bool reads_back(shoal_i_buffer *out, size_t start, const shoal_i_quasi *quasi, size_t c,
                       shoal_i_interval interval)
{
    shoal_i_value_result result = SHOAL_I_VALUE_UNKNOWN;
    shoal_i_interval back = {0};

    if (shoal_i_buffer_status(out) != SHOAL_OK) {
        return true;
    }
    const char *text = out->size > start ? out->data + start : "";
    shoal_status st =
        shoal_i_value_read(out->ctx, &result, &back, quasi, c, text, out->size - start);

    if (st != SHOAL_OK) {
        out->status = st;
        return true;
    }
    return result == SHOAL_I_VALUE_FOUND && back.lo == interval.lo && back.hi == interval.hi;
}

/* --- Numbers. */

void shoal_i_value_write_end(shoal_i_buffer *out, const shoal_i_quasi *quasi, size_t c,
                             double end)
{
    char text[SHOAL_I_NUMBER_MAX];
    bool is_date = shoal_table_type(quasi->table, quasi->columns[c].column) == SHOAL_TYPE_DATE;
    size_t length = is_date ? shoal_i_text_from_date(text, (int32_t)end)
                            : shoal_i_text_from_double(text, end);

    shoal_i_buffer_put(out, text, length);
}

/* A range that ends on a grid; a multiple by itself is one number. */
static void write_cells(shoal_i_buffer *out, const shoal_i_quasi *quasi, size_t c,
                        shoal_i_interval interval)
{
    const shoal_i_quasi_column *column = &quasi->columns[c];

    if (shoal_i_quasi_is_exact(column, interval)) {
        shoal_i_value_write_end(out, quasi, c, column->lower[interval.lo]);
        return;
    }
    shoal_i_buffer_char(out, '[');
    shoal_i_value_write_end(out, quasi, c, column->lower[interval.lo]);
    shoal_i_buffer_put(out, "..", 2);
    shoal_i_value_write_end(out, quasi, c, column->upper[interval.hi]);
    shoal_i_buffer_char(out, ']');
}

/* A bound in standard form, for texts such as "5." that do not go into a range. Dates have no
 * other form to begin with. */
static void write_number(shoal_i_buffer *out, const shoal_i_quasi *quasi, size_t c,
                         uint32_t code)
{
    char text[SHOAL_I_NUMBER_MAX];
    size_t length = shoal_i_text_from_double(text, quasi->columns[c].values[code]);

    shoal_i_buffer_put(out, text, length);
}

static void write_range(shoal_i_buffer *out, const shoal_i_quasi *quasi, size_t c,
                        shoal_i_interval interval,
                        void (*write_bound)(shoal_i_buffer *, const shoal_i_quasi *, size_t,
                                            uint32_t))
{
    shoal_i_buffer_char(out, '[');
    write_bound(out, quasi, c, interval.lo);
    shoal_i_buffer_put(out, "..", 2);
    write_bound(out, quasi, c, interval.hi);
    shoal_i_buffer_char(out, ']');
}

/* A range up to .5 would have three points in a row: a riddle to any reader but ours. */
static bool starts_with_point(const shoal_i_quasi *quasi, size_t c, uint32_t code)
{
    const char *text = shoal_table_text(quasi->table, quasi->columns[c].column, code, NULL);

    return text[0] == '.';
}

static void write_numeric(shoal_i_buffer *out, const shoal_i_quasi *quasi, size_t c,
                          shoal_i_interval interval)
{
    size_t start = out->size;

    if (quasi->columns[c].cells && !is_missing(quasi, c, interval.hi)) {
        write_cells(out, quasi, c, interval);
        return;
    }
    if (interval.lo == interval.hi) {
        write_entry(out, quasi, c, interval.lo);
    } else if (is_missing(quasi, c, interval.hi)) {
        shoal_i_buffer_char(out, '*');
    } else {
        write_range(out, quasi, c, interval,
                    starts_with_point(quasi, c, interval.hi) ? write_number : write_entry);
    }
    if (reads_back(out, start, quasi, c, interval)) {
        return;
    }
    out->size = start;
    if (is_missing(quasi, c, interval.hi)) {
        shoal_i_buffer_text(out, SHOAL_I_VALUE_MISSING);
    } else {
        write_range(out, quasi, c, interval, write_number);
    }
}

/* --- Categories. */

/* Append the text of a code as an element of a set. */
static void write_element(shoal_i_buffer *out, const shoal_i_quasi *quasi, size_t c,
                          uint32_t code)
{
    const shoal_i_quasi_column *column = &quasi->columns[c];
    size_t length = 0;
    const char *text =
        shoal_table_text(quasi->table, column->column, find_entry(quasi, c, code), &length);

    /* The token of "missing" may be a value, too: then it is the value. */
    if (is_missing(quasi, c, code) &&
        shoal_table_find_code(quasi->table, column->column, text, length) >= 0) {
        shoal_i_buffer_put(out, "\\N", 2);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\' || text[i] == '|' || text[i] == '{' || text[i] == '}') {
            shoal_i_buffer_char(out, '\\');
        }
        shoal_i_buffer_char(out, text[i]);
    }
}

static void write_set(shoal_i_buffer *out, const shoal_i_quasi *quasi, size_t c,
                      shoal_i_interval interval)
{
    shoal_i_buffer_char(out, '{');
    for (uint32_t code = interval.lo; code <= interval.hi; code++) {
        if (code > interval.lo) {
            shoal_i_buffer_char(out, '|');
        }
        write_element(out, quasi, c, code);
    }
    shoal_i_buffer_char(out, '}');
}

static void write_plain(shoal_i_buffer *out, const shoal_i_quasi *quasi, size_t c,
                        shoal_i_interval interval, shoal_i_categorical_form form)
{
    const shoal_hierarchy *h = quasi->columns[c].hierarchy;

    if (interval.lo == interval.hi) {
        write_entry(out, quasi, c, interval.lo);
    } else if (form == SHOAL_I_CATEGORICAL_LABEL) {
        uint32_t node = shoal_hierarchy_ancestor(h, interval.lo, interval.hi);

        shoal_i_buffer_text(out, shoal_hierarchy_label(h, node));
    } else if (interval.lo == 0 && interval.hi == quasi->columns[c].value_count - 1) {
        shoal_i_buffer_char(out, '*'); /* all values say as much as none */
    } else {
        write_set(out, quasi, c, interval);
    }
}

void shoal_i_value_write(shoal_i_buffer *out, const shoal_i_quasi *quasi, size_t c,
                         shoal_i_interval interval, shoal_i_categorical_form form)
{
    size_t start = out->size;

    if (!quasi->columns[c].hierarchy) {
        write_numeric(out, quasi, c, interval);
        return;
    }
    write_plain(out, quasi, c, interval, form);
    if (!reads_back(out, start, quasi, c, interval)) {
        out->size = start;
        write_set(out, quasi, c, interval);
    }
}

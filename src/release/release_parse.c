/* release_parse.c -- a release file back to boxes.
 *
 * Rows are grouped by the texts of the quasi columns, each distinct text is read once, and each
 * group becomes a box. Groups whose texts differ but mean the same end as one class.
 */
#include "release.h"

#include "../base/pool.h"
#include "number.h"
#include "value.h"

#include <stdio.h>

#define NO_COLUMN SIZE_MAX
#define QUOTED_MAX 80

/* Where the intervals of one quasi column come from: a column of the file, or the two columns
 * NAME_min and NAME_max. */
typedef struct source {
    size_t column;
    size_t max_column;             /* NO_COLUMN when there is one column only */
    shoal_i_interval *meanings;    /* one column: of each code */
    shoal_i_value_result *results; /* of reading it */
} source;

typedef struct parser {
    const shoal_i_quasi *quasi;
    const shoal_table *file;
    source *sources;    /* of each quasi column */
    uint32_t *group_of; /* of each row, by text; numbered by first row */
    size_t group_count;
    shoal_i_interval *boxes; /* of each group */
    bool is_of_others;       /* texts may be about values that nobody has here */
} parser;

/* --- Finding the columns. */

static size_t find_column(shoal_i_buffer *name, const parser *p, size_t c, const char *suffix)
{
    name->size = 0;
    shoal_i_buffer_text(name, p->quasi->columns[c].name);
    shoal_i_buffer_text(name, suffix);
    shoal_i_buffer_char(name, '\0');
    if (shoal_i_buffer_status(name) != SHOAL_OK) {
        return NO_COLUMN;
    }
    ptrdiff_t column = shoal_table_find(p->file, name->data);

    return column < 0 || shoal_table_is_skipped(p->file, (size_t)column) ? NO_COLUMN
                                                                         : (size_t)column;
}

static shoal_status fail_without_column(shoal_ctx *ctx, const parser *p, size_t c)
{
    const char *name = p->quasi->columns[c].name;

    shoal_i_fail(ctx, SHOAL_ENOTFOUND,
                 "The release has neither a column '%s' nor the columns '%s_min' and '%s_max'.",
                 name, name, name);
    return shoal_i_fail_in(ctx, shoal_table_source(p->file), 0, 0);
}

static shoal_status find_source(shoal_ctx *ctx, parser *p, size_t c)
{
    shoal_status st = SHOAL_OK;
    source *s = &p->sources[c];
    shoal_i_buffer name;

    shoal_i_buffer_init(&name, ctx, SHOAL_I_BUFFER_MAX);
    s->max_column = NO_COLUMN;
    s->column = find_column(&name, p, c, "");
    if (s->column == NO_COLUMN) {
        s->column = find_column(&name, p, c, "_min");
        s->max_column = find_column(&name, p, c, "_max");
        SHOAL_TRY(shoal_i_buffer_status(&name));
        if (s->column == NO_COLUMN || s->max_column == NO_COLUMN) {
            SHOAL_TRY(fail_without_column(ctx, p, c));
        }
    }
done:
    shoal_i_buffer_clear(&name);
    return st;
}

static shoal_status group_rows(shoal_ctx *ctx, parser *p)
{
    shoal_status st = SHOAL_OK;
    size_t *columns = NULL;
    size_t count = 0;

    SHOAL_ALLOC(ctx, columns, 2 * p->quasi->count);
    for (size_t c = 0; c < p->quasi->count; c++) {
        columns[count++] = p->sources[c].column;
        if (p->sources[c].max_column != NO_COLUMN) {
            columns[count++] = p->sources[c].max_column;
        }
    }
    SHOAL_ALLOC(ctx, p->group_of, shoal_table_row_count(p->file));
    SHOAL_TRY(shoal_i_number_rows(ctx, p->group_of, &p->group_count, p->file, columns, count));
done:
    free(columns);
    return st;
}

/* --- Reading the texts. */

/* A cell that counts as missing in the file, unless its text means something by itself: the
 * missing value where the original has one, else suppressed. */
static void read_missing(shoal_i_value_result *result, shoal_i_interval *out, const parser *p,
                         size_t c)
{
    const shoal_i_quasi_column *column = &p->quasi->columns[c];

    if (*result == SHOAL_I_VALUE_FOUND) {
        return;
    }
    *result = SHOAL_I_VALUE_FOUND;
    *out = shoal_i_quasi_all(column);
    if (shoal_i_value_has_missing(p->quasi, c)) {
        out->lo = column->code_of_entry[shoal_i_value_missing_entry(p->quasi, c)];
        out->hi = out->lo;
    }
}

/* Read every text of a column once. */
static shoal_status read_texts(shoal_ctx *ctx, void *payload, size_t c)
{
    shoal_status st = SHOAL_OK;
    const parser *p = payload;
    source *s = &p->sources[c];
    size_t values = shoal_table_value_count(p->file, s->column);

    if (s->max_column != NO_COLUMN) {
        return SHOAL_OK; /* pairs are read group by group */
    }
    SHOAL_ALLOC(ctx, s->meanings, values + 1);
    SHOAL_ALLOC(ctx, s->results, values + 1);
    for (size_t code = 0; code <= values; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(p->file, s->column, (uint32_t)code, &length);

        SHOAL_TRY(shoal_i_value_read(ctx, &s->results[code], &s->meanings[code], p->quasi, c,
                                     text, length));
    }
    read_missing(&s->results[values], &s->meanings[values], p, c);
done:
    return st;
}

static const char *find_text(const parser *p, size_t column, size_t row, size_t *length)
{
    return shoal_table_text(p->file, column, shoal_table_code(p->file, column, row), length);
}

static bool is_missing_cell(const parser *p, size_t column, size_t row)
{
    return shoal_table_code(p->file, column, row) == shoal_table_value_count(p->file, column);
}

static shoal_i_value_result read_pair(shoal_i_interval *out, const parser *p, size_t c,
                                      size_t row)
{
    const source *s = &p->sources[c];
    size_t min_length = 0;
    size_t max_length = 0;
    const char *min = find_text(p, s->column, row, &min_length);
    const char *max = find_text(p, s->max_column, row, &max_length);
    shoal_i_value_result result =
        shoal_i_value_read_bounds(out, p->quasi, c, min, min_length, max, max_length);

    if (is_missing_cell(p, s->column, row) && is_missing_cell(p, s->max_column, row)) {
        read_missing(&result, out, p, c);
    }
    return result;
}

static shoal_i_value_result read_cell(shoal_i_interval *out, const parser *p, size_t c,
                                      size_t row)
{
    const source *s = &p->sources[c];

    if (s->max_column != NO_COLUMN) {
        return read_pair(out, p, c, row);
    }
    uint32_t code = shoal_table_code(p->file, s->column, row);

    *out = s->meanings[code];
    return s->results[code];
}

/* --- What has no meaning. */

static const char *find_expectation(const parser *p, size_t c, shoal_i_value_result result)
{
    if (result == SHOAL_I_VALUE_NONE) {
        return p->quasi->columns[c].hierarchy
                   ? "a value or range that holds a value of the original"
                   : "a value or range that holds a value of the original, no mean or median";
    }
    if (p->sources[c].max_column != NO_COLUMN) {
        return "a smallest and a largest value, or * for both";
    }
    return p->quasi->columns[c].hierarchy
               ? "a value of the original, a label of its hierarchy, a set such as {a|b}, or *"
               : "a value of the original, a range such as [20..30], or *";
}

/* " The text is '...'." when values may be shown, else nothing. */
static void quote_text(shoal_ctx *ctx, char out[QUOTED_MAX + 32], const parser *p, size_t c,
                       size_t row)
{
    size_t length = 0;
    const char *text = find_text(p, p->sources[c].column, row, &length);

    out[0] = '\0';
    if (!ctx->show_values) {
        return;
    }
    if (length > QUOTED_MAX) {
        length = QUOTED_MAX;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) {
            length--; /* not in the middle of a character */
        }
    }
    snprintf(out, QUOTED_MAX + 32, " The text is '%.*s'.", (int)length, text);
}

static shoal_status fail_text(shoal_ctx *ctx, const parser *p, size_t c, size_t row,
                              shoal_i_value_result result)
{
    char quoted[QUOTED_MAX + 32];

    quote_text(ctx, quoted, p, c, row);
    if (result == SHOAL_I_VALUE_OFF) {
        shoal_i_fail_at(ctx, SHOAL_EREJECTED, (int64_t)row, (int64_t)p->sources[c].column,
                        "Column '%s' has a grid, and here it holds a value or range that does "
                        "not end on a multiple of its step.%s",
                        p->quasi->columns[c].name, quoted);
        return shoal_i_fail_in(ctx, shoal_table_source(p->file), shoal_table_line(p->file, row),
                               0);
    }
    shoal_i_fail_at(
        ctx, SHOAL_EFORMAT, (int64_t)row, (int64_t)p->sources[c].column,
        "Column '%s' of the release should hold %s; here it holds something else.%s",
        p->quasi->columns[c].name, find_expectation(p, c, result), quoted);
    return shoal_i_fail_in(ctx, shoal_table_source(p->file), shoal_table_line(p->file, row), 0);
}

/* --- Boxes. */

/* Groups are numbered by first row: each is met for the first time in turn, and the first text
 * without meaning is the first in the file. */
static shoal_status read_boxes(shoal_ctx *ctx, parser *p)
{
    shoal_status st = SHOAL_OK;
    size_t width = p->quasi->count;
    size_t cells = 0;
    size_t seen = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, p->group_count, width));
    SHOAL_ALLOC(ctx, p->boxes, cells);
    for (size_t row = 0; seen < p->group_count; row++) {
        if (p->group_of[row] != seen) {
            continue;
        }
        bool is_nobody = false;

        for (size_t c = 0; c < width; c++) {
            shoal_i_value_result result = read_cell(&p->boxes[seen * width + c], p, c, row);

            if (result == SHOAL_I_VALUE_FOUND) {
                continue;
            }
            if (!p->is_of_others || result == SHOAL_I_VALUE_OFF) {
                SHOAL_TRY(fail_text(ctx, p, c, row, result));
            }
            is_nobody = true;
        }
        for (size_t c = 0; is_nobody && c < width; c++) {
            p->boxes[seen * width + c] = SHOAL_I_COVERS_NONE;
        }
        seen++;
    }
done:
    return st;
}

/* Whoever compares a release with its original refuses one that has more records; a domain that
 * stands in for the original has fewer. */
static size_t count_omitted(const parser *p)
{
    size_t original = shoal_table_row_count(p->quasi->table);
    size_t released = shoal_table_row_count(p->file);

    return released > original ? 0 : original - released;
}

static shoal_status parse(shoal_ctx *ctx, shoal_i_release **out, const shoal_i_quasi *quasi,
                          const shoal_table *file, bool is_of_others)
{
    shoal_status st = SHOAL_OK;
    parser p = {.quasi = quasi, .file = file, .is_of_others = is_of_others};

    *out = NULL;
    SHOAL_ALLOC(ctx, p.sources, quasi->count);
    for (size_t c = 0; c < quasi->count; c++) {
        SHOAL_TRY(find_source(ctx, &p, c));
    }
    SHOAL_TRY(group_rows(ctx, &p));
    SHOAL_TRY(shoal_i_parallel_for(ctx, quasi->count, read_texts, &p));
    SHOAL_TRY(read_boxes(ctx, &p));
    SHOAL_TRY(shoal_i_release_from_numbered(ctx, out, quasi, p.boxes, p.group_count, p.group_of,
                                            shoal_table_row_count(file)));
    (*out)->omitted = count_omitted(&p);
done:
    for (size_t c = 0; p.sources && c < quasi->count; c++) {
        free(p.sources[c].meanings);
        free(p.sources[c].results);
    }
    free(p.sources);
    free(p.group_of);
    free(p.boxes);
    return st;
}

shoal_status shoal_i_release_parse(shoal_ctx *ctx, shoal_i_release **out,
                                   const shoal_i_quasi *quasi, const shoal_table *file)
{
    return parse(ctx, out, quasi, file, false);
}

shoal_status shoal_i_release_parse_others(shoal_ctx *ctx, shoal_i_release **out,
                                          const shoal_i_quasi *quasi, const shoal_table *file)
{
    return parse(ctx, out, quasi, file, true);
}

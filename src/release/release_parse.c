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
#define TEXTS_PER_TASK 1024
#define GROUPS_PER_TASK 1024
#define QUOTED_MAX 80

/* Where the intervals of one quasi column come from: a column of the file, or the two columns
 * NAME_min and NAME_max. */
typedef struct source {
    size_t column;
    size_t max_column;             /* NO_COLUMN when there is one column only */
    shoal_i_interval *meanings;    /* one column: of each code */
    shoal_i_value_result *results; /* of reading it */
    size_t first_task;             /* that reads texts of it */
} source;

typedef struct parser {
    const shoal_i_quasi *quasi;
    const shoal_table *file;
    source *sources;    /* of each quasi column */
    uint32_t *group_of; /* of each row, by text; numbered by first row */
    size_t group_count;
    uint32_t *first_rows;    /* of each group */
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

/* Whether classes are by all columns that boxes are read from. */
static bool are_by_sources(const parser *p, const shoal_i_row_classes *classes)
{
    bool are_all = true;

    for (size_t c = 0; c < p->quasi->count; c++) {
        size_t wanted = 1 + (p->sources[c].max_column != NO_COLUMN);

        for (size_t i = 0; i < classes->column_count; i++) {
            wanted -= classes->columns[i] == p->sources[c].column;
            wanted -= classes->columns[i] == p->sources[c].max_column;
        }
        are_all &= wanted == 0;
    }
    return are_all;
}

static shoal_status take_classes(shoal_ctx *ctx, parser *p, const shoal_i_row_classes *classes)
{
    size_t rows = shoal_table_row_count(p->file);

    p->group_of = shoal_i_alloc_raw(ctx, rows, sizeof *p->group_of);
    if (!p->group_of) {
        return SHOAL_ENOMEM;
    }
    if (rows > 0) {
        memcpy(p->group_of, classes->of, rows * sizeof *p->group_of);
    }
    p->group_count = classes->count;
    return SHOAL_OK;
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

/* Make room for what the texts of columns mean; *tasks: those that read them. Pairs are read
 * group by group. */
static shoal_status plan_texts(shoal_ctx *ctx, parser *p, size_t *tasks)
{
    shoal_status st = SHOAL_OK;

    for (size_t c = 0; c < p->quasi->count; c++) {
        source *s = &p->sources[c];
        size_t values = shoal_table_value_count(p->file, s->column);

        s->first_task = *tasks;
        if (s->max_column == NO_COLUMN) {
            SHOAL_ALLOC(ctx, s->meanings, values + 1);
            SHOAL_ALLOC(ctx, s->results, values + 1);
            *tasks += values / TEXTS_PER_TASK + 1;
        }
    }
done:
    return st;
}

/* Read some texts of a column, each once. */
static shoal_status read_texts(shoal_ctx *ctx, void *payload, size_t task)
{
    shoal_status st = SHOAL_OK;
    const parser *p = payload;
    size_t c = p->quasi->count - 1;

    while (p->sources[c].first_task > task || p->sources[c].max_column != NO_COLUMN) {
        c--;
    }
    source *s = &p->sources[c];
    size_t values = shoal_table_value_count(p->file, s->column);
    size_t first = (task - s->first_task) * TEXTS_PER_TASK;
    size_t end = values + 1 - first < TEXTS_PER_TASK ? values + 1 : first + TEXTS_PER_TASK;

    for (size_t code = first; code < end; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(p->file, s->column, (uint32_t)code, &length);

        SHOAL_TRY(shoal_i_value_read(ctx, &s->results[code], &s->meanings[code], p->quasi, c,
                                     text, length));
    }
    if (end > values) {
        read_missing(&s->results[values], &s->meanings[values], p, c);
    }
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

static shoal_status read_box(shoal_ctx *ctx, const parser *p, size_t group)
{
    shoal_status st = SHOAL_OK;
    size_t row = p->first_rows[group];
    shoal_i_interval *box = p->boxes + group * p->quasi->count;
    bool is_nobody = false;

    for (size_t c = 0; c < p->quasi->count; c++) {
        shoal_i_value_result result = read_cell(&box[c], p, c, row);

        if (result == SHOAL_I_VALUE_FOUND) {
            continue;
        }
        if (!p->is_of_others || result == SHOAL_I_VALUE_OFF) {
            SHOAL_TRY(fail_text(ctx, p, c, row, result));
        }
        is_nobody = true;
    }
    for (size_t c = 0; is_nobody && c < p->quasi->count; c++) {
        box[c] = SHOAL_I_COVERS_NONE;
    }
done:
    return st;
}

static shoal_status read_some_boxes(shoal_ctx *ctx, void *payload, size_t task)
{
    shoal_status st = SHOAL_OK;
    const parser *p = payload;
    size_t first = task * GROUPS_PER_TASK;
    size_t left = p->group_count - first;
    size_t end = left < GROUPS_PER_TASK ? p->group_count : first + GROUPS_PER_TASK;

    for (size_t group = first; group < end; group++) {
        SHOAL_TRY(read_box(ctx, p, group));
    }
done:
    return st;
}

/* Groups are numbered by first row: each is met for the first time in turn, and the first text
 * without meaning is the first in the file. */
static shoal_status read_boxes(shoal_ctx *ctx, parser *p)
{
    shoal_status st = SHOAL_OK;
    size_t cells = 0;
    size_t seen = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, p->group_count, p->quasi->count));
    SHOAL_ALLOC(ctx, p->boxes, cells);
    SHOAL_ALLOC(ctx, p->first_rows, p->group_count);
    for (size_t row = 0; seen < p->group_count; row++) {
        if (p->group_of[row] == seen) {
            p->first_rows[seen++] = (uint32_t)row;
        }
    }
    SHOAL_TRY(shoal_i_parallel_for(
        ctx, (p->group_count + GROUPS_PER_TASK - 1) / GROUPS_PER_TASK, read_some_boxes, p));
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

/* A release with a box per group, as they are. */
static shoal_status keep_groups(shoal_ctx *ctx, shoal_i_release **out, parser *p)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *release = NULL;

    SHOAL_ALLOC(ctx, release, 1);
    SHOAL_ALLOC(ctx, release->box_sizes, p->group_count);
    release->quasi = p->quasi;
    release->row_count = shoal_table_row_count(p->file);
    release->box_count = p->group_count;
    for (size_t row = 0; row < release->row_count; row++) {
        release->box_sizes[p->group_of[row]]++;
    }
    release->box_of = p->group_of;
    release->boxes = p->boxes;
    p->group_of = NULL;
    p->boxes = NULL;
    *out = release;
    release = NULL;
done:
    shoal_i_release_free(release);
    return st;
}

/* classes: those of the rows, where they are known and kept as they are; else NULL. */
static shoal_status parse(shoal_ctx *ctx, shoal_i_release **out, parser *p,
                          const shoal_i_row_classes *classes)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = p->quasi;
    size_t tasks = 0;

    *out = NULL;
    SHOAL_ALLOC(ctx, p->sources, quasi->count);
    for (size_t c = 0; c < quasi->count; c++) {
        SHOAL_TRY(find_source(ctx, p, c));
    }
    if (classes && are_by_sources(p, classes)) {
        SHOAL_TRY(take_classes(ctx, p, classes));
    } else {
        SHOAL_TRY(group_rows(ctx, p));
    }
    SHOAL_TRY(plan_texts(ctx, p, &tasks));
    SHOAL_TRY(shoal_i_parallel_for(ctx, tasks, read_texts, p));
    SHOAL_TRY(read_boxes(ctx, p));
    if (classes) {
        SHOAL_TRY(keep_groups(ctx, out, p));
    } else {
        SHOAL_TRY(shoal_i_release_from_numbered(ctx, out, quasi, p->boxes, p->group_count,
                                                p->group_of, shoal_table_row_count(p->file)));
    }
    (*out)->omitted = count_omitted(p);
done:
    for (size_t c = 0; p->sources && c < quasi->count; c++) {
        free(p->sources[c].meanings);
        free(p->sources[c].results);
    }
    free(p->sources);
    free(p->group_of);
    free(p->first_rows);
    free(p->boxes);
    return st;
}

shoal_status shoal_i_release_parse(shoal_ctx *ctx, shoal_i_release **out,
                                   const shoal_i_quasi *quasi, const shoal_table *file)
{
    return parse(ctx, out, &(parser){.quasi = quasi, .file = file}, NULL);
}

shoal_status shoal_i_release_parse_classes(shoal_ctx *ctx, shoal_i_release **out,
                                           const shoal_i_quasi *quasi, const shoal_table *file,
                                           const shoal_i_row_classes *classes)
{
    return parse(ctx, out, &(parser){.quasi = quasi, .file = file}, classes);
}

shoal_status shoal_i_release_parse_others(shoal_ctx *ctx, shoal_i_release **out,
                                          const shoal_i_quasi *quasi, const shoal_table *file)
{
    return parse(ctx, out, &(parser){.quasi = quasi, .file = file, .is_of_others = true}, NULL);
}

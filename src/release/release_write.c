/* release_write.c -- a release as CSV.
 *
 * The lines of a class differ only in the columns that are not quasi-identifiers. So a line is
 * put together from pieces that are ready: the runs of quasi cells between other columns,
 * joined once per class, and cells of other columns, quoted once per dictionary entry.
 *
 *     age,      sex,   diagnosis,   zip
 *     [24..30], F,  |  flu,      |  5371*\n
 *     run of the class  cell        run of the class
 *
 * Chunks of rows are formatted in parallel, while those before are being written: in
 * each round one task writes what the round before has made, in order, and the others format.
 */
#include "release.h"

#include "../base/pool.h"
#include "../table/csv/csv_text.h"
#include "../table/table_codes.h"
#include "buckets.h"
#include "cells.h"
#include "row_order.h"

#define ROWS_PER_CHUNK 4096
#define CHUNKS_PER_THREAD 4
#define NOT_QUASI SIZE_MAX
#define NO_BOX SIZE_MAX
#define BUCKET_NUMBER SIZE_MAX /* in place of a column: the number of the bucket */

/* One column of the file. */
typedef struct field {
    size_t column; /* of the table, or BUCKET_NUMBER */
    size_t c;      /* quasi column, NOT_QUASI for others */
    size_t slot;   /* of quasi columns: place in cell_of */
    shoal_i_cells_part part;
    shoal_i_cells cells;
    shoal_i_codes codes; /* of other columns */
} field;

typedef struct writer {
    const shoal_i_release *release;
    const shoal_i_layout *layout;
    shoal_i_output *output;
    char delimiter;
    field *fields;
    size_t field_count;
    size_t slot_count; /* fields of quasi columns */
    uint32_t *cell_of; /* box after box: the number of its cell in each slot */
    size_t *plain;     /* columns of the table that are released as they are */
    size_t plain_count;
    size_t *other_fields; /* their fields, and that of the bucket */
    size_t other_count;
    char *bucket_name;
    size_t widest_others; /* bytes that their cells take at most in a line */
    uint32_t *line_order; /* rows in the order of the file */
    uint32_t *own_rows;
    uint32_t *rows;         /* class after class: line_order or own_rows; NULL: not needed */
    uint32_t *starts;       /* of each class in rows */
    shoal_i_buffer *chunks; /* two sets: one being filled, one being written */
    size_t set_size;
    size_t round;
} writer;

/* --- Columns of the file. */

static void add_field(writer *w, size_t column, size_t c, shoal_i_cells_part part)
{
    w->fields[w->field_count++] = (field){.column = column, .c = c, .part = part};
    if (c != NOT_QUASI) {
        w->fields[w->field_count - 1].slot = w->slot_count++;
    }
}

static void add_quasi_fields(writer *w, size_t column, size_t c)
{
    shoal_i_numeric_form form = w->layout->numeric;

    if (w->release->quasi->columns[c].hierarchy || form == SHOAL_I_NUMERIC_RANGE ||
        w->release->shape == SHOAL_I_SHAPE_BUCKETS) {
        add_field(w, column, c, SHOAL_I_CELLS_VALUE);
    } else if (form == SHOAL_I_NUMERIC_MINMAX) {
        add_field(w, column, c, SHOAL_I_CELLS_MIN);
        add_field(w, column, c, SHOAL_I_CELLS_MAX);
    } else {
        add_field(w, column, c,
                  form == SHOAL_I_NUMERIC_MEAN ? SHOAL_I_CELLS_MEAN : SHOAL_I_CELLS_MEDIAN);
    }
}

/* A column that is released as it is. Whatever has the role of a quasi-identifier never is. */
static shoal_status add_other_field(shoal_ctx *ctx, writer *w, size_t column)
{
    if (w->layout->roles[column] == SHOAL_ROLE_QUASI) {
        return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)column,
                               "Column '%s' has the role of a quasi-identifier, but was not "
                               "generalized.",
                               shoal_table_name(w->release->quasi->table, column));
    }
    w->plain[w->plain_count++] = column;
    w->other_fields[w->other_count++] = w->field_count;
    add_field(w, column, NOT_QUASI, SHOAL_I_CELLS_VALUE);
    w->fields[w->field_count - 1].codes = shoal_i_table_codes(w->release->quasi->table, column);
    return SHOAL_OK;
}

/* Buckets: the number comes first. */
static shoal_status add_bucket_field(shoal_ctx *ctx, writer *w)
{
    w->other_fields[w->other_count++] = w->field_count;
    add_field(w, BUCKET_NUMBER, NOT_QUASI, SHOAL_I_CELLS_VALUE);
    w->fields[w->field_count - 1].codes =
        (shoal_i_codes){.data = w->release->bucket_of, .width = sizeof *w->release->bucket_of};
    return shoal_i_bucket_name(ctx, &w->bucket_name, w->release->quasi->table);
}

/* Identifiers are never written, sensitive columns not beside the records of buckets. */
static bool is_left_out(const writer *w, size_t column)
{
    return w->layout->roles[column] == SHOAL_ROLE_IDENTIFIER ||
           shoal_table_is_skipped(w->release->quasi->table, column) ||
           (w->release->shape == SHOAL_I_SHAPE_BUCKETS &&
            w->layout->roles[column] == SHOAL_ROLE_SENSITIVE);
}

static shoal_status plan_fields(shoal_ctx *ctx, writer *w)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = w->release->quasi;
    size_t columns = shoal_table_column_count(quasi->table);
    size_t *quasi_of = NULL; /* quasi column of each column, plus one; 0: it is none */

    SHOAL_ALLOC(ctx, w->fields, 2 * columns + 1);
    SHOAL_ALLOC(ctx, w->plain, columns);
    SHOAL_ALLOC(ctx, w->other_fields, columns + 1);
    SHOAL_ALLOC(ctx, quasi_of, columns);
    for (size_t c = 0; c < quasi->count; c++) {
        quasi_of[quasi->columns[c].column] = c + 1;
    }
    if (w->release->shape == SHOAL_I_SHAPE_BUCKETS) {
        SHOAL_TRY(add_bucket_field(ctx, w));
    }
    for (size_t column = 0; column < columns; column++) {
        if (is_left_out(w, column)) {
            continue;
        }
        if (quasi_of[column] > 0) {
            add_quasi_fields(w, column, quasi_of[column] - 1);
        } else {
            SHOAL_TRY(add_other_field(ctx, w, column));
        }
    }
done:
    free(quasi_of);
    return st;
}

static const char *find_suffix(shoal_i_cells_part part)
{
    return part == SHOAL_I_CELLS_MIN ? "_min" : part == SHOAL_I_CELLS_MAX ? "_max" : "";
}

/* NAME_min and NAME_max must be new names. */
static shoal_status check_name(shoal_ctx *ctx, const writer *w, const field *f,
                               const char *name)
{
    ptrdiff_t same = shoal_table_find(w->release->quasi->table, name);

    if (f->part != SHOAL_I_CELLS_MIN && f->part != SHOAL_I_CELLS_MAX) {
        return SHOAL_OK;
    }
    for (size_t i = 0; same >= 0 && i < w->field_count; i++) {
        if (w->fields[i].column == (size_t)same) {
            return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)same,
                                   "Released by minimum and maximum, column '%s' would get a "
                                   "second column '%s'; choose another numeric form.",
                                   shoal_table_name(w->release->quasi->table, f->column), name);
        }
    }
    return SHOAL_OK;
}

static shoal_status put_header(shoal_ctx *ctx, shoal_i_buffer *out, const writer *w)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer name;

    shoal_i_buffer_init(&name, ctx, SHOAL_I_BUFFER_MAX);
    for (size_t i = 0; i < w->field_count; i++) {
        const field *f = &w->fields[i];

        name.size = 0;
        shoal_i_buffer_text(&name, f->column == BUCKET_NUMBER
                                       ? w->bucket_name
                                       : shoal_table_name(w->release->quasi->table, f->column));
        shoal_i_buffer_text(&name, find_suffix(f->part));
        shoal_i_buffer_char(&name, '\0');
        SHOAL_TRY(shoal_i_buffer_status(&name));
        SHOAL_TRY(check_name(ctx, w, f, name.data));
        shoal_i_csv_put_name(out, name.data, w->delimiter);
        shoal_i_buffer_char(out, i + 1 < w->field_count ? w->delimiter : '\n');
    }
    st = shoal_i_buffer_status(out);
done:
    shoal_i_buffer_clear(&name);
    return st;
}

/* --- Order and texts. */

static bool needs_rows(const shoal_i_layout *layout)
{
    return !layout->keep_order || layout->numeric == SHOAL_I_NUMERIC_MEAN ||
           layout->numeric == SHOAL_I_NUMERIC_MEDIAN;
}

static shoal_status order_rows(shoal_ctx *ctx, writer *w)
{
    shoal_status st = SHOAL_OK;
    size_t count = w->release->row_count;

    SHOAL_ALLOC(ctx, w->line_order, count);
    if (w->layout->keep_order) {
        for (size_t row = 0; row < count; row++) {
            w->line_order[row] = (uint32_t)row;
        }
    }
    if (!needs_rows(w->layout)) {
        goto done;
    }
    w->rows = w->line_order;
    if (w->layout->keep_order) {
        SHOAL_ALLOC(ctx, w->own_rows, count);
        w->rows = w->own_rows;
    }
    SHOAL_ALLOC(ctx, w->starts, w->release->box_count + 1);
    shoal_i_row_order_group(w->rows, w->starts, w->release);
    if (!w->layout->keep_order) {
        SHOAL_TRY(shoal_i_row_order_sort(ctx, w->rows, w->starts, w->release, w->plain,
                                         w->plain_count));
    }
    if (!w->layout->keep_order && w->release->shape == SHOAL_I_SHAPE_BUCKETS) {
        SHOAL_TRY(shoal_i_buckets_group(ctx, w->line_order, w->release));
    }
done:
    return st;
}

static shoal_status make_cells(shoal_ctx *ctx, void *payload, size_t i)
{
    writer *w = payload;
    field *f = &w->fields[i];
    shoal_i_cells_format format = {
        .categorical = w->layout->categorical,
        .delimiter = w->delimiter,
        .end = i + 1 < w->field_count ? w->delimiter : '\n',
    };

    if (f->column == BUCKET_NUMBER) {
        return shoal_i_cells_from_numbers(ctx, &f->cells, w->release->bucket_count, &format);
    }
    if (f->c == NOT_QUASI) {
        return shoal_i_cells_from_column(ctx, &f->cells, w->release->quasi->table, f->column,
                                         &format);
    }
    shoal_status st = shoal_i_cells_from_boxes(ctx, &f->cells, w->release, f->c, f->part,
                                               &format, w->rows, w->starts);

    for (size_t b = 0; st == SHOAL_OK && b < w->release->box_count; b++) {
        w->cell_of[b * w->slot_count + f->slot] = f->cells.of_box[b];
    }
    free(f->cells.of_box);
    f->cells.of_box = NULL;
    return st;
}

static shoal_status make_all_cells(shoal_ctx *ctx, writer *w)
{
    shoal_status st = SHOAL_OK;
    size_t count = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &count, w->release->box_count, w->slot_count));
    SHOAL_ALLOC(ctx, w->cell_of, count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, w->field_count, make_cells, w));
    for (size_t i = 0; i < w->other_count; i++) {
        w->widest_others += w->fields[w->other_fields[i]].cells.widest;
    }
done:
    return st;
}

/* --- Lines. */

/* The runs of quasi cells of one class: run i ends where other column i stands, the last at the
 * end of the line. */
typedef struct class_runs {
    shoal_i_buffer bytes;
    size_t *ends;
    size_t box;
} class_runs;

static void join_runs(class_runs *runs, const writer *w, size_t box)
{
    const uint32_t *cell_of = w->cell_of + box * w->slot_count;
    size_t run = 0;

    runs->box = box;
    runs->bytes.size = 0;
    for (size_t i = 0; i < w->field_count; i++) {
        const shoal_i_cells *cells = &w->fields[i].cells;

        if (w->fields[i].c == NOT_QUASI) {
            runs->ends[run++] = runs->bytes.size;
        } else {
            const size_t *start = cells->starts + cell_of[w->fields[i].slot];

            shoal_i_buffer_put(&runs->bytes, cells->bytes + start[0], start[1] - start[0]);
        }
    }
    runs->ends[run] = runs->bytes.size;
}

static char *copy_bytes(char *to, const char *from, size_t count)
{
    memcpy(to, from, count);
    return to + count;
}

/* What the lines of a chunk are made of, looked up beforehand: the rows of neighbouring lines
 * lie apart in memory, and a loop that does nothing else waits for many of them at once. */
typedef struct chunk_lines {
    size_t count;
    uint32_t *boxes;
    uint32_t *codes; /* of other columns, one after the other; count each */
} chunk_lines;

static shoal_status look_up_lines(shoal_ctx *ctx, chunk_lines *lines, const writer *w,
                                  size_t chunk)
{
    shoal_status st = SHOAL_OK;
    size_t left = w->release->row_count - chunk * ROWS_PER_CHUNK;
    const uint32_t *rows = w->line_order + chunk * ROWS_PER_CHUNK;

    lines->count = left < ROWS_PER_CHUNK ? left : ROWS_PER_CHUNK;
    SHOAL_ALLOC(ctx, lines->boxes, lines->count);
    SHOAL_ALLOC(ctx, lines->codes, lines->count * w->other_count);
    for (size_t i = 0; i < lines->count; i++) {
        lines->boxes[i] = w->release->box_of[rows[i]];
    }
    for (size_t other = 0; other < w->other_count; other++) {
        shoal_i_codes codes = w->fields[w->other_fields[other]].codes;
        uint32_t *to = lines->codes + other * lines->count;

        for (size_t i = 0; i < lines->count; i++) {
            to[i] = shoal_i_codes_get(codes, shoal_i_release_source(w->release, rows[i]));
        }
    }
done:
    return st;
}

/* Append line i of a chunk; the buffer has room for it. */
static void put_line(shoal_i_buffer *out, const class_runs *runs, const chunk_lines *lines,
                     const writer *w, size_t i)
{
    char *to = out->data + out->size;
    size_t done = 0;

    for (size_t other = 0; other < w->other_count; other++) {
        const shoal_i_cells *cells = &w->fields[w->other_fields[other]].cells;
        const size_t *start = cells->starts + lines->codes[other * lines->count + i];

        to = copy_bytes(to, runs->bytes.data + done, runs->ends[other] - done);
        to = copy_bytes(to, cells->bytes + start[0], start[1] - start[0]);
        done = runs->ends[other];
    }
    to = copy_bytes(to, runs->bytes.data + done, runs->ends[w->other_count] - done);
    out->size = (size_t)(to - out->data);
}

static shoal_status format_chunk(shoal_ctx *ctx, shoal_i_buffer *out, const writer *w,
                                 size_t chunk)
{
    shoal_status st = SHOAL_OK;
    chunk_lines lines = {0};
    class_runs runs = {.box = NO_BOX};

    out->ctx = ctx; /* the one that filled it before was another task's */
    out->size = 0;
    shoal_i_buffer_init(&runs.bytes, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_ALLOC(ctx, runs.ends, w->other_count + 1);
    SHOAL_TRY(look_up_lines(ctx, &lines, w, chunk));
    for (size_t i = 0; i < lines.count; i++) {
        if (lines.boxes[i] != runs.box) {
            join_runs(&runs, w, lines.boxes[i]);
            SHOAL_TRY(shoal_i_buffer_status(&runs.bytes));
        }
        if (!shoal_i_buffer_reserve(out, runs.bytes.size + w->widest_others)) {
            SHOAL_TRY(shoal_i_buffer_status(out));
        }
        put_line(out, &runs, &lines, w, i);
    }
done:
    shoal_i_buffer_clear(&runs.bytes);
    free(runs.ends);
    free(lines.boxes);
    free(lines.codes);
    return st;
}

/* --- Rounds. */

static size_t count_chunks(const writer *w)
{
    return w->release->row_count / ROWS_PER_CHUNK +
           (w->release->row_count % ROWS_PER_CHUNK != 0);
}

/* The chunks of a set that a round has to do with. */
static size_t count_round(const writer *w, size_t round)
{
    size_t left = count_chunks(w) - round * w->set_size;

    return left < w->set_size ? left : w->set_size;
}

static size_t count_rows(const writer *w, size_t round)
{
    size_t left = w->release->row_count - round * w->set_size * ROWS_PER_CHUNK;

    return left < w->set_size * ROWS_PER_CHUNK ? left : w->set_size * ROWS_PER_CHUNK;
}

static shoal_status write_set(shoal_ctx *ctx, const writer *w, size_t round)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_buffer *set = w->chunks + round % 2 * w->set_size;

    for (size_t i = 0; i < count_round(w, round); i++) {
        SHOAL_TRY(shoal_i_output_write(ctx, w->output, set[i].data, set[i].size));
    }
done:
    return st;
}

/* Task 0 writes what the round before has made, task i formats chunk i - 1 of this round. */
static shoal_status run_task(shoal_ctx *ctx, void *payload, size_t task)
{
    writer *w = payload;

    if (task == 0) {
        return w->round > 0 ? write_set(ctx, w, w->round - 1) : SHOAL_OK;
    }
    return format_chunk(ctx, w->chunks + w->round % 2 * w->set_size + task - 1, w,
                        w->round * w->set_size + task - 1);
}

static shoal_status write_lines(shoal_ctx *ctx, writer *w)
{
    shoal_status st = SHOAL_OK;
    shoal_i_meter meter = {.stage = "write", .total = w->release->row_count};

    w->set_size = CHUNKS_PER_THREAD * (size_t)shoal_ctx_thread_count(ctx);
    SHOAL_ALLOC(ctx, w->chunks, 2 * w->set_size);
    for (size_t i = 0; i < 2 * w->set_size; i++) {
        shoal_i_buffer_init(&w->chunks[i], ctx, SHOAL_I_BUFFER_MAX);
    }
    for (w->round = 0; w->round * w->set_size < count_chunks(w); w->round++) {
        size_t count = count_round(w, w->round);

        SHOAL_TRY(shoal_i_parallel_for(ctx, 1 + count, run_task, w));
        SHOAL_TRY(shoal_i_meter_add(ctx, &meter, count_rows(w, w->round)));
    }
    if (w->round > 0) {
        SHOAL_TRY(write_set(ctx, w, w->round - 1));
    }
done:
    for (size_t i = 0; w->chunks && i < 2 * w->set_size; i++) {
        shoal_i_buffer_clear(&w->chunks[i]);
    }
    free(w->chunks);
    return st;
}

static shoal_status write_header(shoal_ctx *ctx, const writer *w)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer header;

    shoal_i_buffer_init(&header, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_TRY(put_header(ctx, &header, w));
    SHOAL_TRY(shoal_i_output_write(ctx, w->output, header.data, header.size));
done:
    shoal_i_buffer_clear(&header);
    return st;
}

static void clear_writer(writer *w)
{
    for (size_t i = 0; i < w->field_count; i++) {
        shoal_i_cells_clear(&w->fields[i].cells);
    }
    free(w->fields);
    free(w->cell_of);
    free(w->plain);
    free(w->bucket_name);
    free(w->other_fields);
    free(w->starts);
    free(w->own_rows);
    free(w->line_order);
}

/* The rows of a box are those that happened to get it: their mean would tell of the records whose
 * rows they are, and so would their order. */
static shoal_status check_shape(shoal_ctx *ctx, const writer *w)
{
    if (w->release->shape != SHOAL_I_SHAPE_RECORDS) {
        return SHOAL_OK;
    }
    if (w->layout->numeric == SHOAL_I_NUMERIC_MEAN ||
        w->layout->numeric == SHOAL_I_NUMERIC_MEDIAN) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "A release with a box per record has no classes whose mean or "
                            "median could be written; choose range or minmax.");
    }
    if (w->layout->keep_order) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "A release with a box per record cannot keep the order of the "
                            "input: its rows are not those of single records.");
    }
    return SHOAL_OK;
}

shoal_status shoal_i_release_write(shoal_ctx *ctx, uint32_t **row_order,
                                   const shoal_i_release *release, const shoal_i_layout *layout,
                                   shoal_i_output *output)
{
    shoal_status st = SHOAL_OK;
    writer w = {.release = release,
                .layout = layout,
                .output = output,
                .delimiter = layout->delimiter ? layout->delimiter : ','};

    *row_order = NULL;
    SHOAL_TRY(check_shape(ctx, &w));
    SHOAL_TRY(shoal_i_csv_check_delimiter(ctx, w.delimiter));
    SHOAL_TRY(plan_fields(ctx, &w));
    if (!layout->without_header) {
        SHOAL_TRY(write_header(ctx, &w));
    }
    SHOAL_TRY(order_rows(ctx, &w));
    SHOAL_TRY(make_all_cells(ctx, &w));
    SHOAL_TRY(write_lines(ctx, &w));
    *row_order = w.line_order;
    w.line_order = NULL;
done:
    clear_writer(&w);
    return st;
}

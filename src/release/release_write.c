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
#include "fields.h"

#define ROWS_PER_CHUNK 4096
#define CHUNKS_PER_THREAD 4
#define RESERVED 65536 /* bytes that are reserved for lines of a class at once, or one line */

/* One column of the file. */
typedef struct file_column {
    const shoal_i_field *field;
    size_t slot; /* of quasi columns: place in cell_of */
    shoal_i_cells cells;
    shoal_i_codes codes; /* of other columns */
} file_column;

typedef struct writer {
    const shoal_i_release *release;
    const shoal_i_layout *layout;
    shoal_i_output *output;
    char delimiter;
    shoal_i_fields fields;
    file_column *columns; /* of each field */
    size_t slot_count;    /* fields of quasi columns */
    uint32_t *cell_of;    /* box after box: the number of its cell in each slot */
    size_t *others;       /* fields that are not of quasi columns */
    size_t other_count;
    size_t widest_others; /* bytes that their cells take at most in a line */
    shoal_i_line_order order;
    shoal_i_buffer *chunks; /* two sets: one being filled, one being written */
    size_t set_size;
    size_t round;
} writer;

static bool is_quasi(const file_column *column)
{
    return column->field->c != SHOAL_I_FIELD_NOT_QUASI;
}

/* --- Columns of the file. */

static shoal_i_codes find_codes(const shoal_i_release *release, size_t column)
{
    return column == SHOAL_I_FIELD_BUCKET ? (shoal_i_codes){.data = release->bucket_of,
                                                            .width = sizeof *release->bucket_of}
                                          : shoal_i_table_codes(release->quasi->table, column);
}

static shoal_status plan_columns(shoal_ctx *ctx, writer *w)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_fields_plan(ctx, &w->fields, w->release, w->layout));
    SHOAL_ALLOC(ctx, w->columns, w->fields.count);
    SHOAL_ALLOC(ctx, w->others, w->fields.count);
    for (size_t i = 0; i < w->fields.count; i++) {
        w->columns[i].field = &w->fields.items[i];
        if (is_quasi(&w->columns[i])) {
            w->columns[i].slot = w->slot_count++;
        } else {
            w->columns[i].codes = find_codes(w->release, w->fields.items[i].column);
            w->others[w->other_count++] = i;
        }
    }
done:
    return st;
}

static shoal_status put_header(shoal_i_buffer *out, const writer *w)
{
    for (size_t i = 0; i < w->fields.count; i++) {
        shoal_i_csv_put_name(out, w->fields.items[i].name, w->delimiter);
        shoal_i_buffer_char(out, i + 1 < w->fields.count ? w->delimiter : '\n');
    }
    return shoal_i_buffer_status(out);
}

/* --- Texts. */

/* The rows of each box, for what is made of their values; others do not wait for them. */
static shoal_i_box_rows find_rows(const writer *w, const shoal_i_field *field)
{
    bool is_wanted = field->part == SHOAL_I_CELLS_MEAN || field->part == SHOAL_I_CELLS_MEDIAN;

    return is_wanted ? (shoal_i_box_rows){w->order.rows, w->order.starts}
                     : (shoal_i_box_rows){NULL, NULL};
}

static shoal_status make_cells(shoal_ctx *ctx, writer *w, size_t i)
{
    file_column *column = &w->columns[i];
    const shoal_i_field *field = column->field;
    shoal_i_cells_format format = {
        .categorical = w->layout->categorical,
        .delimiter = w->delimiter,
        .is_guarded = w->layout->is_guarded,
        .end = i + 1 < w->fields.count ? w->delimiter : '\n',
        .is_only = w->fields.count == 1,
    };

    if (field->column == SHOAL_I_FIELD_BUCKET) {
        return shoal_i_cells_from_numbers(ctx, &column->cells, w->release->bucket_count,
                                          &format);
    }
    if (!is_quasi(column)) {
        return shoal_i_cells_from_column(ctx, &column->cells, w->release->quasi->table,
                                         field->column, &format);
    }
    shoal_status st = shoal_i_cells_from_boxes(ctx, &column->cells, w->release, field->c,
                                               field->part, &format, find_rows(w, field));

    for (size_t b = 0; st == SHOAL_OK && b < w->release->box_count; b++) {
        w->cell_of[b * w->slot_count + column->slot] = column->cells.of_box[b];
    }
    free(column->cells.of_box);
    column->cells.of_box = NULL;
    return st;
}

/* What is prepared beside the texts of the columns: the order of the lines, mostly the work of
 * one thread, and room for them in the system's memory. */
enum { PREPARE_ORDER, PREPARE_ROOM, PREPARE_COUNT };

static shoal_status find_order(shoal_ctx *ctx, writer *w)
{
    return w->order.lines
               ? SHOAL_OK
               : shoal_i_line_order_find(ctx, &w->order, w->release, w->layout, &w->fields);
}

static shoal_status prepare(shoal_ctx *ctx, void *payload, size_t i)
{
    writer *w = payload;

    if (i < w->fields.count) {
        return make_cells(ctx, w, i);
    }
    if (i == w->fields.count + PREPARE_ORDER) {
        return find_order(ctx, w);
    }
    shoal_i_output_make_room(w->output);
    return SHOAL_OK;
}

/* How long each takes, by a guess: the texts that a column may have. */
static void weigh(size_t *weights, const writer *w)
{
    for (size_t i = 0; i < w->fields.count; i++) {
        size_t column = w->fields.items[i].column;

        weights[i] = column == SHOAL_I_FIELD_BUCKET
                         ? w->release->bucket_count
                         : shoal_table_value_count(w->release->quasi->table, column);
    }
    weights[w->fields.count + PREPARE_ORDER] = SIZE_MAX;
    weights[w->fields.count + PREPARE_ROOM] = SIZE_MAX - 1;
}

/* Texts, order and room, all at once; but texts of means and medians need the order. */
static shoal_status prepare_all(shoal_ctx *ctx, writer *w)
{
    shoal_status st = SHOAL_OK;
    size_t *weights = NULL;
    size_t count = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &count, w->release->box_count, w->slot_count));
    SHOAL_ALLOC(ctx, w->cell_of, count);
    SHOAL_ALLOC(ctx, weights, w->fields.count + PREPARE_COUNT);
    weigh(weights, w);
    if (w->layout->numeric == SHOAL_I_NUMERIC_MEAN ||
        w->layout->numeric == SHOAL_I_NUMERIC_MEDIAN) {
        SHOAL_TRY(find_order(ctx, w));
    }
    SHOAL_TRY(
        shoal_i_parallel_by_weight(ctx, w->fields.count + PREPARE_COUNT, weights, prepare, w));
    for (size_t i = 0; i < w->other_count; i++) {
        w->widest_others += w->columns[w->others[i]].cells.widest;
    }
done:
    free(weights);
    return st;
}

/* --- Lines. */

/* The runs of quasi cells of one class: run i ends where other column i stands, the last at the
 * end of the line. */
typedef struct class_runs {
    shoal_i_buffer bytes;
    size_t *ends;
} class_runs;

static void join_runs(class_runs *runs, const writer *w, size_t box)
{
    const uint32_t *cell_of = w->cell_of + box * w->slot_count;
    size_t run = 0;

    runs->bytes.size = 0;
    for (size_t i = 0; i < w->fields.count; i++) {
        const shoal_i_cells *cells = &w->columns[i].cells;

        if (!is_quasi(&w->columns[i])) {
            runs->ends[run++] = runs->bytes.size;
        } else {
            const size_t *start = cells->starts + cell_of[w->columns[i].slot];

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
    const uint32_t *rows = w->order.lines + chunk * ROWS_PER_CHUNK;

    lines->count = left < ROWS_PER_CHUNK ? left : ROWS_PER_CHUNK;
    SHOAL_ALLOC(ctx, lines->boxes, lines->count);
    SHOAL_ALLOC(ctx, lines->codes, lines->count * w->other_count);
    for (size_t i = 0; i < lines->count; i++) {
        lines->boxes[i] = w->release->box_of[rows[i]];
    }
    for (size_t other = 0; other < w->other_count; other++) {
        shoal_i_codes codes = w->columns[w->others[other]].codes;
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
        const shoal_i_cells *cells = &w->columns[w->others[other]].cells;
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
    class_runs runs = {0};

    out->ctx = ctx; /* the one that filled it before was another task's */
    out->size = 0;
    shoal_i_buffer_init(&runs.bytes, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_ALLOC(ctx, runs.ends, w->other_count + 1);
    SHOAL_TRY(look_up_lines(ctx, &lines, w, chunk));
    for (size_t i = 0, end = 0; i < lines.count; i = end) {
        join_runs(&runs, w, lines.boxes[i]);
        SHOAL_TRY(shoal_i_buffer_status(&runs.bytes));
        size_t widest = runs.bytes.size + w->widest_others;
        size_t most = i + RESERVED / (widest + 1) + 1; /* others may be wide */

        most = most < lines.count ? most : lines.count;
        for (end = i + 1; end < most && lines.boxes[end] == lines.boxes[i];) {
            end++;
        }
        if (!shoal_i_buffer_reserve(out, (end - i) * widest)) {
            SHOAL_TRY(shoal_i_buffer_status(out));
        }
        for (size_t line = i; line < end; line++) {
            put_line(out, &runs, &lines, w, line);
        }
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
    SHOAL_TRY(put_header(&header, w));
    SHOAL_TRY(shoal_i_output_write(ctx, w->output, header.data, header.size));
done:
    shoal_i_buffer_clear(&header);
    return st;
}

static void clear_writer(writer *w)
{
    for (size_t i = 0; w->columns && i < w->fields.count; i++) {
        shoal_i_cells_clear(&w->columns[i].cells);
    }
    free(w->columns);
    free(w->others);
    free(w->cell_of);
    shoal_i_fields_clear(&w->fields);
    shoal_i_line_order_clear(&w->order);
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
    SHOAL_TRY(shoal_i_csv_check_delimiter(ctx, w.delimiter));
    SHOAL_TRY(plan_columns(ctx, &w));
    if (!layout->without_header) {
        SHOAL_TRY(write_header(ctx, &w));
    }
    SHOAL_TRY(prepare_all(ctx, &w));
    SHOAL_TRY(write_lines(ctx, &w));
    *row_order = w.order.lines;
    w.order.lines = NULL;
    if (w.order.rows == *row_order) {
        w.order.rows = NULL;
    }
done:
    clear_writer(&w);
    return st;
}

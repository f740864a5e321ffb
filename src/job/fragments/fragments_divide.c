/* From one file of records to fragments that fit in memory: count, cut and route of a division,
 * with the records on disk.
 *
 * Fragments are numbered from the front of the cuts to their back, so that in a file of all
 * records, fragment after fragment, a cut parts a run of rows into two:
 *
 *     before   | fragment 0 . . . . . . . | fragment 1 . . |        the one file
 *     after    | fragment 0 . | 1 . . . . |                         the other: at the same
 *              place
 *                                         | fragment 2 . . |        has not moved
 */
#include "fragments.h"

#include <inttypes.h>
#include <string.h>

/* Bytes of answers for every record that fits in memory; no fragment is there while cuts are
 * found. */
#define ROUND_BYTES_PER_RECORD 32
#define ROUND_BYTES_LEAST ((size_t)1 << 20)

shoal_status shoal_i_fragments_records(shoal_ctx *ctx, shoal_i_row_format *format,
                                       size_t **fields, const shoal_table *table,
                                       ptrdiff_t person)
{
    shoal_status st = SHOAL_OK;
    size_t columns = shoal_table_column_count(table);

    SHOAL_TRY(shoal_i_row_format_init(ctx, format, columns));
    SHOAL_ALLOC(ctx, *fields, columns);
    if (person >= 0) {
        shoal_i_row_format_add(format,
                               (uint32_t)shoal_table_value_count(table, (size_t)person));
    }
    for (size_t c = 0; c < columns; c++) {
        if (!shoal_table_is_skipped(table, c) && (ptrdiff_t)c != person) {
            (*fields)[c] = format->field_count;
            shoal_i_row_format_add(format, (uint32_t)shoal_table_value_count(table, c));
        }
    }
done:
    return st;
}

static bool is_other(const shoal_i_prepared *prepared, size_t column)
{
    return !shoal_table_is_skipped(prepared->table, column) &&
           prepared->roles[column] != SHOAL_ROLE_QUASI &&
           prepared->roles[column] != SHOAL_ROLE_PERSON &&
           prepared->roles[column] != SHOAL_ROLE_IDENTIFIER;
}

static shoal_status init_released(shoal_ctx *ctx, shoal_i_fragments *f)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = f->prepared->quasi;
    const shoal_table *table = f->prepared->table;
    shoal_i_row_format *format = &f->released_format;

    SHOAL_ALLOC(ctx, f->others, f->prepared->column_count);
    SHOAL_TRY(
        shoal_i_row_format_init(ctx, format, 3 * quasi->count + f->prepared->column_count + 2));
    for (size_t c = 0; c < quasi->count; c++) {
        shoal_i_row_format_add(format, quasi->columns[c].value_count - 1);
        shoal_i_row_format_add(format, quasi->columns[c].value_count - 1);
    }
    f->box_size = format->size;
    for (size_t column = 0; column < f->prepared->column_count; column++) {
        if (is_other(f->prepared, column)) {
            f->others[f->other_count++] = column;
            shoal_i_row_format_add(format, (uint32_t)shoal_table_value_count(table, column));
        }
    }
    for (size_t c = 0; c < quasi->count; c++) {
        shoal_i_row_format_add(
            format, (uint32_t)shoal_table_value_count(table, quasi->columns[c].column));
    }
    if (f->division->own_k.is_asked) {
        f->k_field = format->field_count;
        shoal_i_row_format_add(format, (uint32_t)f->division->own_k.count);
    }
    if (shoal_i_division_counts_persons(f->division)) {
        f->person_field = format->field_count;
        shoal_i_row_format_add(
            format, (uint32_t)shoal_table_value_count(table, f->prepared->persons.column));
    }
done:
    return st;
}

shoal_status shoal_i_fragments_init(shoal_ctx *ctx, shoal_i_fragments *fragments,
                                    shoal_i_rows *records)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(init_released(ctx, fragments));
    SHOAL_ALLOC(ctx, fragments->starts, 2);
    SHOAL_ALLOC(ctx, fragments->file_of, 1);
    fragments->files[0] = *records;
    fragments->files[0].format = &fragments->record_format;
    fragments->starts[1] = records->count;
    fragments->count = 1;
    *records = (shoal_i_rows){0};
done:
    return st;
}

void shoal_i_fragments_clear(shoal_i_fragments *fragments)
{
    shoal_i_rows_clear(&fragments->files[0]);
    shoal_i_rows_clear(&fragments->files[1]);
    shoal_i_rows_clear(&fragments->solved);
    shoal_i_rows_clear(&fragments->merged);
    free(fragments->starts);
    free(fragments->file_of);
    free(fragments->fields);
    free(fragments->others);
    free(fragments->persons);
    shoal_i_row_format_clear(&fragments->record_format);
    shoal_i_row_format_clear(&fragments->released_format);
    *fragments = (shoal_i_fragments){0};
}

/* --- Batches. --------------------------------------------------------------------------- */

/* Rows on their way to the verbs of a division. */
typedef struct window {
    const shoal_i_fragments *f;
    unsigned char *bytes; /* of SHOAL_I_BATCH_MAX rows */
    uint32_t **codes;     /* of each column of the table; NULL: not read */
    uint64_t *persons;    /* where they are counted: one more than the code; 0: nobody's */
    shoal_i_batch batch;
} window;

static void clear_window(window *w)
{
    for (size_t c = 0; w->codes && c < w->f->prepared->column_count; c++) {
        free(w->codes[c]);
    }
    free(w->codes);
    free(w->persons);
    free(w->bytes);
}

static shoal_status init_window(shoal_ctx *ctx, window *w)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_prepared *prepared = w->f->prepared;

    SHOAL_ALLOC(ctx, w->bytes, SHOAL_I_BATCH_MAX * w->f->record_format.size);
    SHOAL_ALLOC(ctx, w->codes, prepared->column_count);
    for (size_t c = 0; c < prepared->column_count; c++) {
        if (!shoal_table_is_skipped(prepared->table, c)) {
            SHOAL_ALLOC(ctx, w->codes[c], SHOAL_I_BATCH_MAX);
        }
    }
    if (shoal_i_division_counts_persons(w->f->division)) {
        SHOAL_ALLOC(ctx, w->persons, SHOAL_I_BATCH_MAX);
    }
done:
    return st;
}

static const unsigned char *row_of(const window *w, size_t i)
{
    return w->bytes + i * w->f->record_format.size;
}

/* Rows of a file from `first` on, at most up to `end`. */
static shoal_status read_window(shoal_ctx *ctx, window *w, const shoal_i_rows *rows,
                                uint64_t first, uint64_t end)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_fragments *f = w->f;
    size_t count = end - first < SHOAL_I_BATCH_MAX ? (size_t)(end - first) : SHOAL_I_BATCH_MAX;

    SHOAL_TRY(shoal_i_rows_read(ctx, rows, first, count, w->bytes));
    for (size_t c = 0; c < f->prepared->column_count; c++) {
        for (size_t i = 0; w->codes[c] && i < count; i++) {
            w->codes[c][i] = shoal_i_row_get(&f->record_format, row_of(w, i), f->fields[c]);
        }
    }
    if (w->persons) {
        size_t column = f->prepared->persons.column;
        uint32_t nobody = shoal_i_fragments_nobody(f);

        for (size_t i = 0; i < count; i++) {
            uint32_t code = w->codes[column][i];

            w->persons[i] = code == nobody ? 0 : (uint64_t)code + 1;
        }
    }
    w->batch = (shoal_i_batch){.codes = w->codes, .count = count, .persons = w->persons};
done:
    return st;
}

/* --- Count. ----------------------------------------------------------------------------- */

/* What the fragments ask, answered by their records. */
static shoal_status count_asked(shoal_ctx *ctx, struct shoal_counts *counts,
                                const shoal_i_fragments *f, window *w)
{
    shoal_status st = SHOAL_OK;
    shoal_i_counter *counter = NULL;

    SHOAL_TRY(shoal_i_part_counts_init(ctx, counts, f->division));
    SHOAL_TRY(shoal_i_counter_new(ctx, &counter, f->division, counts));
    for (size_t i = 0; i < f->count; i++) {
        if (!f->division->fragments[i].is_asked) {
            continue;
        }
        for (uint64_t row = f->starts[i]; row < f->starts[i + 1]; row += w->batch.count) {
            SHOAL_TRY(read_window(ctx, w, &f->files[f->file_of[i]], row, f->starts[i + 1]));
            SHOAL_TRY(shoal_i_counter_add(ctx, counter, &w->batch));
        }
    }
done:
    shoal_i_counter_free(counter);
    return st;
}

/* --- Route. ----------------------------------------------------------------------------- */

/* One side of a cut on its way to its place. */
typedef struct side {
    uint64_t next; /* row */
    unsigned char *bytes;
    size_t count;
} side;

static shoal_status flush(shoal_ctx *ctx, side *s, shoal_i_rows *to)
{
    shoal_status st = shoal_i_rows_place(ctx, to, s->next, s->count, s->bytes);

    s->next += s->count;
    s->count = 0;
    return st;
}

static shoal_status put_row(shoal_ctx *ctx, side *s, shoal_i_rows *to, const unsigned char *row)
{
    shoal_status st = SHOAL_OK;
    size_t size = to->format->size;

    if (s->count == SHOAL_I_BATCH_MAX) {
        SHOAL_TRY(flush(ctx, s, to));
    }
    memcpy(s->bytes + s->count++ * size, row, size);
done:
    return st;
}

/* Part the rows of what was fragment `old` into fragments `front` and front + 1, in the other
 * file. */
static shoal_status part_rows(shoal_ctx *ctx, shoal_i_fragments *f, window *w, size_t from,
                              const uint64_t *starts, size_t front)
{
    shoal_status st = SHOAL_OK;
    side sides[2] = {{.next = starts[front]}, {.next = starts[front + 1]}};
    shoal_i_rows *to = &f->files[!from];

    if (!to->spool) {
        SHOAL_TRY(shoal_i_rows_open(ctx, to, &f->record_format, f->folder));
    }
    for (size_t s = 0; s < 2; s++) {
        SHOAL_ALLOC(ctx, sides[s].bytes, SHOAL_I_BATCH_MAX * f->record_format.size);
    }
    for (uint64_t row = starts[front]; row < starts[front + 2]; row += w->batch.count) {
        SHOAL_TRY(read_window(ctx, w, &f->files[from], row, starts[front + 2]));
        for (size_t i = 0; i < w->batch.count; i++) {
            size_t back = shoal_i_division_find(f->division, &w->batch, i) != front;

            SHOAL_TRY(put_row(ctx, &sides[back], to, row_of(w, i)));
        }
    }
    SHOAL_TRY(flush(ctx, &sides[0], to));
    SHOAL_TRY(flush(ctx, &sides[1], to));
done:
    free(sides[0].bytes);
    free(sides[1].bytes);
    return st;
}

/* Follow the cuts that the division has made: every fragment is one of those now, or two. */
static shoal_status follow_cuts(shoal_ctx *ctx, shoal_i_fragments *f, window *w)
{
    shoal_status st = SHOAL_OK;
    const shoal_division *d = f->division;
    uint64_t *starts = NULL;
    uint8_t *file_of = NULL;
    size_t at = 0;

    SHOAL_ALLOC(ctx, starts, d->count + 1);
    SHOAL_ALLOC(ctx, file_of, d->count);
    for (size_t i = 0; i < d->count; i++) {
        starts[i + 1] = starts[i] + d->fragments[i].size;
    }
    for (size_t old = 0; old < f->count; old++) {
        file_of[at] = f->file_of[old];
        if (starts[at + 1] < f->starts[old + 1]) {
            SHOAL_TRY(part_rows(ctx, f, w, f->file_of[old], starts, at));
            file_of[at] = file_of[at + 1] = !f->file_of[old];
            at++;
        }
        at++;
    }
    free(f->starts);
    free(f->file_of);
    f->starts = starts;
    f->file_of = file_of;
    f->count = d->count;
    starts = NULL;
    file_of = NULL;
done:
    free(starts);
    free(file_of);
    return st;
}

/* --- All of it. ------------------------------------------------------------------------- */

/* No fragment is larger than what fits. */
static shoal_status check_sizes(shoal_ctx *ctx, shoal_i_fragments *f)
{
    for (size_t i = 0; i < f->count; i++) {
        uint64_t size = f->division->fragments[i].size;

        if (size > f->most_records) {
            return shoal_i_fail(ctx, SHOAL_ELIMIT,
                                "A part of %" PRIu64
                                " records cannot be cut further under the requirement, and "
                                "only %zu fit in the memory allowed; allow about %" PRIu64
                                " times as much.",
                                size, f->most_records, size / f->most_records + 1);
        }
        f->largest = size > f->largest ? (size_t)size : f->largest;
    }
    return SHOAL_OK;
}

shoal_status shoal_i_fragments_divide(shoal_ctx *ctx, shoal_i_fragments *fragments)
{
    shoal_status st = SHOAL_OK;
    shoal_i_fragments *f = fragments;
    window w = {.f = f};
    struct shoal_counts counts = {0};
    size_t bytes = ROUND_BYTES_PER_RECORD * f->most_records;
    size_t open = 0;

    f->division->round_bytes = bytes > ROUND_BYTES_LEAST ? bytes : ROUND_BYTES_LEAST;
    if (f->division->most_sampled > f->most_records) {
        f->division->most_sampled = f->most_records;
    }
    SHOAL_TRY(init_window(ctx, &w));
    SHOAL_TRY(shoal_i_division_cut(ctx, &open, f->division, NULL, f->most_records));
    while (open > 0) {
        SHOAL_TRY(count_asked(ctx, &counts, f, &w));
        SHOAL_TRY(shoal_i_division_cut(ctx, &open, f->division, &counts, f->most_records));
        shoal_i_part_counts_clear(&counts);
        SHOAL_TRY(follow_cuts(ctx, f, &w));
    }
    SHOAL_TRY(check_sizes(ctx, f));
    if (shoal_i_division_counts_persons(f->division)) {
        SHOAL_ALLOC(ctx, f->persons, f->largest);
    }
done:
    shoal_i_part_counts_clear(&counts);
    clear_window(&w);
    return st;
}

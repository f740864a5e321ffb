#include "csv_block.h"

#include "../grow.h"

#include <assert.h>

void shoal_i_csv_worker_clear(shoal_i_csv_worker *worker, size_t column_count)
{
    for (size_t c = 0; worker->dictionaries && c < column_count; c++) {
        shoal_i_dictionary_clear(&worker->dictionaries[c]);
    }
    free(worker->dictionaries);
    free(worker->codes);
    free(worker->column);
    free(worker->repeats.ends);
    free(worker->repeats.row_of);
    free(worker->packed);
    shoal_i_csv_fields_clear(&worker->fields);
    memset(worker, 0, sizeof *worker);
}

void shoal_i_csv_run_clear(shoal_i_csv_run *run)
{
    free(run->widths);
    free(run->shifts);
    memset(run, 0, sizeof *run);
}

/* --- Rows that repeat. --- */

/* Rows by which it is told whether others may repeat. */
#define ROWS_ASKED 64

/* Whether a plain record, not the first, is the same text as the one before it. */
static inline bool repeats_before(const shoal_i_csv_fields *f, size_t row)
{
    const uint32_t *end = f->ends + row * f->column_count;
    uint32_t start = end[0] + 1;
    uint32_t length = end[f->column_count] - start;
    uint32_t before = *(end - f->column_count) + 1;

    return length == end[0] - before &&
           memcmp(f->bytes + start, f->bytes + before, length) == 0;
}

/* Most records are as different in one part of a text as in another. */
static bool may_repeat(const shoal_i_csv_fields *f)
{
    size_t asked = f->record_count < ROWS_ASKED ? f->record_count : ROWS_ASKED;
    size_t repeating = 0;

    for (size_t row = 1; row < asked; row++) {
        repeating += repeats_before(f, row);
    }
    return 4 * repeating > asked;
}

/* List the rows that are not the same as the one before them. */
static shoal_status list_repeats(shoal_ctx *ctx, shoal_i_csv_repeats *to,
                                 const shoal_i_csv_fields *f)
{
    size_t stride = f->column_count + 1;
    uint32_t *row_of =
        shoal_i_grow(ctx, to->row_of, &to->row_capacity, f->record_count + 1, sizeof *row_of);

    to->row_of = row_of ? row_of : to->row_of;
    uint32_t *ends = shoal_i_grow(ctx, to->ends, &to->end_capacity,
                                  (f->record_count + 1) * stride, sizeof *ends);

    to->ends = ends ? ends : to->ends;
    if (!row_of || !ends) {
        return SHOAL_ENOMEM;
    }
    to->count = 0;
    for (size_t row = 0; row < f->record_count; row++) {
        if (row == 0 || !repeats_before(f, row)) {
            memcpy(ends + to->count * stride, f->ends + row * f->column_count,
                   stride * sizeof *ends);
            to->count++;
        }
        row_of[row] = (uint32_t)to->count - 1;
    }
    return SHOAL_OK;
}

/* The plain rows of a block that are looked up: those that repeat the one before are left out
 * where there are many, as in a release sorted by its classes. */
static shoal_status list_rows(shoal_ctx *ctx, shoal_i_csv_worker *worker)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_csv_fields *f = &worker->fields;

    worker->rows = (shoal_i_csv_rows){.bytes = f->bytes,
                                      .ends = f->ends,
                                      .stride = f->column_count,
                                      .count = f->record_count};
    worker->has_repeats = f->is_plain && may_repeat(f);
    if (worker->has_repeats) {
        SHOAL_TRY(list_repeats(ctx, &worker->repeats, f));
        worker->rows.ends = worker->repeats.ends;
        worker->rows.stride = f->column_count + 1;
        worker->rows.count = worker->repeats.count;
    }
done:
    return st;
}

/* From the codes of rows that were looked up to those of all; from the back, as each comes from
 * its own place or one before it. */
static void repeat_codes(shoal_i_csv_worker *worker)
{
    for (size_t row = worker->fields.record_count; row-- > 0;) {
        worker->codes[row] = worker->codes[worker->repeats.row_of[row]];
    }
}

/* --- Looking up the fields of a column. --- */

/* Code rows from `row` on as long as their values are known and short; the row where that ends.
 * `words` is a constant in each call, which makes this three tight loops; what they need is
 * copied first, since codes might lie on top of it for all the compiler knows. */
static inline size_t code_plain(uint32_t *codes, const shoal_i_dictionary *dictionary,
                                unsigned words, const shoal_i_csv_rows *rows, size_t column,
                                size_t row)
{
    const shoal_i_dictionary d = *dictionary;
    const char *bytes = rows->bytes;
    const size_t stride = rows->stride;
    const size_t row_count = rows->count;
    const uint32_t *end = rows->ends + column + row * stride;

    for (; row < row_count; row++, end += stride) {
        uint32_t start = end[0] + 1;
        uint32_t length = end[1] - start;
        uint64_t key[SHOAL_I_DICTIONARY_WORDS_MAX];

        if (length > 8 * words) {
            break;
        }
        shoal_i_dictionary_key(key, words, bytes + start, length);
        uint32_t index = shoal_i_dictionary_find_key(&d, words, key);

        codes[row] = index;
        if (index == 0) {
            break;
        }
    }
    return row;
}

/* The same for fields that are listed. */
static inline size_t code_listed(uint32_t *codes, const shoal_i_dictionary *dictionary,
                                 unsigned words, const shoal_i_text *list, size_t stride,
                                 size_t row, size_t row_count)
{
    const shoal_i_dictionary d = *dictionary;

    for (; row < row_count; row++) {
        const shoal_i_text *field = &list[row * stride];
        uint64_t key[SHOAL_I_DICTIONARY_WORDS_MAX];

        if (field->length > 8 * words) {
            break;
        }
        shoal_i_dictionary_key(key, words, field->text, field->length);
        uint32_t index = shoal_i_dictionary_find_key(&d, words, key);

        codes[row] = index;
        if (index == 0) {
            break;
        }
    }
    return row;
}

static shoal_status code_plain_column(shoal_ctx *ctx, shoal_i_csv_worker *worker, size_t column)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_csv_rows *rows = &worker->rows;
    shoal_i_dictionary *d = &worker->dictionaries[column];

    for (size_t row = 0;; row++) {
        switch (d->words) {
        case 1:
            row = code_plain(worker->codes, d, 1, rows, column, row);
            break;
        case 2:
            row = code_plain(worker->codes, d, 2, rows, column, row);
            break;
        case 4:
            row = code_plain(worker->codes, d, 4, rows, column, row);
            break;
        }
        if (row == rows->count) {
            break;
        }
        const uint32_t *end = rows->ends + column + row * rows->stride;
        uint32_t start = end[0] + 1;

        SHOAL_TRY(shoal_i_dictionary_add(ctx, d, &worker->codes[row], rows->bytes + start,
                                         end[1] - start));
    }
done:
    return st;
}

static shoal_status code_listed_column(shoal_ctx *ctx, shoal_i_csv_worker *worker,
                                       size_t column, const shoal_i_text *list, size_t stride)
{
    shoal_status st = SHOAL_OK;
    size_t row_count = worker->rows.count;
    shoal_i_dictionary *d = &worker->dictionaries[column];

    for (size_t row = 0;; row++) {
        switch (d->words) {
        case 1:
            row = code_listed(worker->codes, d, 1, list, stride, row, row_count);
            break;
        case 2:
            row = code_listed(worker->codes, d, 2, list, stride, row, row_count);
            break;
        case 4:
            row = code_listed(worker->codes, d, 4, list, stride, row, row_count);
            break;
        }
        if (row == row_count) {
            break;
        }
        SHOAL_TRY(shoal_i_dictionary_add(ctx, d, &worker->codes[row], list[row * stride].text,
                                         list[row * stride].length));
    }
done:
    return st;
}

/* List a column of plain records. A last field may end in the CR of a line end. */
static shoal_status list_column(shoal_ctx *ctx, shoal_i_csv_worker *worker, size_t column)
{
    const shoal_i_csv_rows *rows = &worker->rows;
    bool may_have_cr = worker->fields.has_cr && column + 1 == worker->fields.column_count;
    shoal_i_text *list =
        shoal_i_grow(ctx, worker->column, &worker->column_capacity, rows->count, sizeof *list);

    if (!list) {
        return SHOAL_ENOMEM;
    }
    worker->column = list;
    for (size_t row = 0; row < rows->count; row++) {
        const uint32_t *end = rows->ends + column + row * rows->stride;
        uint32_t start = end[0] + 1;
        size_t length = end[1] - start;

        length -= may_have_cr && length > 0 && rows->bytes[end[1] - 1] == '\r';
        list[row] = (shoal_i_text){.text = rows->bytes + start, .length = length};
    }
    return SHOAL_OK;
}

static shoal_status code_rows(shoal_ctx *ctx, shoal_i_csv_worker *worker, size_t column)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_csv_fields *f = &worker->fields;
    bool is_large = worker->dictionaries[column].count >= SHOAL_I_DICTIONARY_LARGE;
    bool has_cr = f->has_cr && column + 1 == f->column_count;
    const shoal_i_text *list = NULL;
    size_t stride = 1;

    if (f->is_plain && !is_large && !has_cr) {
        return code_plain_column(ctx, worker, column);
    }
    if (f->is_plain) {
        SHOAL_TRY(list_column(ctx, worker, column));
        list = worker->column;
    } else {
        list = f->list + column;
        stride = f->column_count;
    }
    if (is_large) {
        SHOAL_TRY(shoal_i_dictionary_add_all(ctx, &worker->dictionaries[column], worker->codes,
                                             list, stride, worker->rows.count));
    } else {
        SHOAL_TRY(code_listed_column(ctx, worker, column, list, stride));
    }
done:
    return st;
}

static shoal_status code_column(shoal_ctx *ctx, shoal_i_csv_worker *worker, size_t column)
{
    shoal_status st = code_rows(ctx, worker, column);

    if (st == SHOAL_OK && worker->has_repeats) {
        repeat_codes(worker);
    }
    return st;
}

/* --- Keeping the codes. --- */

/* Append the codes of the column just coded in the fewest bytes that hold them. */
static shoal_status pack_column(shoal_ctx *ctx, shoal_i_csv_run *run,
                                shoal_i_csv_worker *worker, size_t column)
{
    unsigned width = shoal_i_codes_width(worker->dictionaries[column].count);

    run->widths[column] = (uint8_t)width;
    size_t size = shoal_i_csv_run_size(run, column);
    unsigned char *packed = shoal_i_grow(ctx, worker->packed, &worker->packed_capacity,
                                         worker->packed_size + size + 1, 1);

    if (!packed) {
        return SHOAL_ENOMEM;
    }
    worker->packed = packed;
    shoal_i_codes_narrow(packed + worker->packed_size, width, 0, worker->codes, run->row_count);
    worker->packed_size += size;
    return SHOAL_OK;
}

/* Widths and codes in one block of exactly the size they need: there are many runs. */
static shoal_status keep_codes(shoal_ctx *ctx, shoal_i_csv_run *run,
                               const shoal_i_csv_worker *worker)
{
    size_t head = (worker->fields.column_count + 3) / 4 * 4;
    uint8_t *block = shoal_i_realloc(ctx, run->widths, head + worker->packed_size, 1);

    if (!block) {
        return SHOAL_ENOMEM;
    }
    run->widths = block;
    run->codes = block + head;
    run->size = head + worker->packed_size;
    if (worker->packed_size > 0) {
        memcpy(run->codes, worker->packed, worker->packed_size);
    }
    return SHOAL_OK;
}

static shoal_status keep_shifts(shoal_ctx *ctx, shoal_i_csv_run *run,
                                const shoal_i_csv_fields *fields)
{
    shoal_status st = SHOAL_OK;

    if (fields->shift_count == 0) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, run->shifts, fields->shift_count);
    memcpy(run->shifts, fields->shifts, fields->shift_count * sizeof *run->shifts);
    run->shift_count = fields->shift_count;
done:
    return st;
}

shoal_status shoal_i_csv_block_code(shoal_ctx *ctx, shoal_i_csv_run *run,
                                    shoal_i_csv_worker *worker, const shoal_csv_column *columns,
                                    const char *bytes, size_t size)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_fields *fields = &worker->fields;
    uint32_t *codes = NULL;

    SHOAL_TRY(shoal_i_csv_fields_find(ctx, fields, bytes, size));
    run->row_count = fields->record_count;
    run->line_count = fields->line_count;
    SHOAL_TRY(keep_shifts(ctx, run, fields));
    codes = shoal_i_grow(ctx, worker->codes, &worker->code_capacity, run->row_count + 1,
                         sizeof *codes);
    if (!codes) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    worker->codes = codes;
    worker->packed_size = 0;
    SHOAL_TRY(list_rows(ctx, worker));
    SHOAL_ALLOC(ctx, run->widths, fields->column_count);
    for (size_t c = 0; c < fields->column_count; c++) {
        if (!columns[c].skip) {
            SHOAL_TRY(code_column(ctx, worker, c));
            SHOAL_TRY(pack_column(ctx, run, worker, c));
        }
    }
    SHOAL_TRY(keep_codes(ctx, run, worker));
done:
    return st;
}

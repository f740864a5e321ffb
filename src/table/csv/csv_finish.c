#include "csv_reader.h"

#include "../../base/pool.h"
#include "../column_build.h"
#include "csv_locate.h"
#include "../value_type.h"

/* Rows that one task of the last pass recodes: enough to be worth a task. */
#define ROWS_PER_TASK ((size_t)1 << 16)

#define TEXTS_AT_ONCE 256 /* values of a worker that are merged together */

/* What the end of reading holds. maps[worker * column_count + column][index] leads from what a
 * run holds to the final code. */
typedef struct finish {
    shoal_i_csv_reader *reader;
    uint32_t **maps;
    bool *has_bad;       /* of each column */
    size_t *task_starts; /* first run of each task */
    size_t task_count;
} finish;

static uint32_t **find_map(const finish *f, size_t worker, size_t column)
{
    return &f->maps[worker * f->reader->column_count + column];
}

/* --- Dictionaries: all workers' into the first one's, then the final one. --- */

/* Add the values of one worker; the map leads to their indices in the first worker's
 * dictionary. */
static shoal_status merge_worker(shoal_ctx *ctx, const finish *f, size_t worker, size_t column)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_csv_reader *reader = f->reader;
    shoal_i_dictionary *all = &reader->workers[0].dictionaries[column];
    const shoal_i_dictionary *d = &reader->workers[worker].dictionaries[column];
    uint32_t **map = find_map(f, worker, column);
    shoal_i_text texts[TEXTS_AT_ONCE];

    SHOAL_ALLOC(ctx, *map, (size_t)d->count + 1);
    for (uint32_t first = 1; first <= d->count; first += TEXTS_AT_ONCE) {
        uint32_t left = d->count - first + 1;
        uint32_t count = left < TEXTS_AT_ONCE ? left : TEXTS_AT_ONCE;

        for (uint32_t i = 0; i < count; i++) {
            texts[i].text = shoal_i_dictionary_text(d, first + i, &texts[i].length);
        }
        SHOAL_TRY(shoal_i_dictionary_add_all(ctx, all, *map + first, texts, 1, count));
    }
done:
    return st;
}

static void extend_map(uint32_t *map, uint32_t count, const uint32_t *code_of)
{
    for (uint32_t index = 1; index <= count; index++) {
        map[index] = code_of[map[index]];
    }
}

/* Dictionaries are no longer needed, unless a bad value must still be shown. */
static void release_dictionaries(const finish *f, size_t column)
{
    for (size_t w = 0; w < f->reader->worker_count && !f->has_bad[column]; w++) {
        if (f->reader->workers[w].dictionaries) {
            shoal_i_dictionary_clear(&f->reader->workers[w].dictionaries[column]);
        }
    }
}

static shoal_status finish_column(shoal_ctx *ctx, void *payload, size_t column)
{
    shoal_status st = SHOAL_OK;
    finish *f = payload;
    shoal_i_csv_reader *reader = f->reader;
    const shoal_csv_column *how = &reader->columns[column];
    shoal_i_column_rules rules = {
        .type = how->type,
        .format = {how->decimal, how->thousands, how->date_format},
    };
    uint32_t **code_of = find_map(f, 0, column);

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    if (how->skip) {
        goto done;
    }
    if (how->detect_missing) {
        rules.missing_tokens = reader->options.missing_tokens;
        rules.missing_token_count = reader->options.missing_token_count;
    }
    for (size_t w = 1; w < reader->worker_count; w++) {
        if (reader->workers[w].dictionaries) {
            SHOAL_TRY(merge_worker(ctx, f, w, column));
        }
    }
    SHOAL_TRY(shoal_i_column_build(ctx, &reader->table->columns[column], code_of,
                                   &f->has_bad[column],
                                   &reader->workers[0].dictionaries[column], &rules));
    for (size_t w = 1; w < reader->worker_count; w++) {
        if (reader->workers[w].dictionaries) {
            extend_map(*find_map(f, w, column), reader->workers[w].dictionaries[column].count,
                       *code_of);
        }
    }
    release_dictionaries(f, column);
done:
    return st;
}

static shoal_status finish_columns(shoal_ctx *ctx, finish *f)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_csv_reader *reader = f->reader;
    size_t *weights = NULL; /* values that all workers have seen */

    SHOAL_ALLOC(ctx, weights, reader->column_count);
    for (size_t w = 0; w < reader->worker_count; w++) {
        for (size_t c = 0; reader->workers[w].dictionaries && c < reader->column_count; c++) {
            weights[c] += reader->workers[w].dictionaries[c].count;
        }
    }
    SHOAL_TRY(shoal_i_parallel_by_weight(ctx, reader->column_count, weights, finish_column, f));
done:
    free(weights);
    return st;
}

/* --- Values that are not of their column's type. --- */

/* The first row of a run whose value in this column is bad; row_count when none is. */
static size_t find_bad_row(const finish *f, const shoal_i_csv_run *run, size_t column,
                           const unsigned char *codes)
{
    shoal_i_codes indices = {.data = codes, .width = run->widths[column]};
    const uint32_t *map = *find_map(f, run->worker, column);
    size_t row = 0;

    while (row < run->row_count && map[shoal_i_codes_get(indices, row)] != SHOAL_I_CODE_BAD) {
        row++;
    }
    return row;
}

static shoal_status fail_value(shoal_ctx *ctx, const finish *f, const shoal_i_csv_run *run,
                               size_t row, size_t column, const unsigned char *codes)
{
    const shoal_i_csv_reader *reader = f->reader;
    shoal_i_codes indices = {.data = codes, .width = run->widths[column]};
    size_t record = run->first_row + row;
    size_t length;
    const char *text =
        shoal_i_dictionary_text(&reader->workers[run->worker].dictionaries[column],
                                shoal_i_codes_get(indices, row), &length);

    const shoal_csv_column *how = &reader->columns[column];

    shoal_i_value_fail(ctx, how->type,
                       &(shoal_i_value_format){how->decimal, how->thousands, how->date_format},
                       how->name, (int64_t)record, (int64_t)column, text, length);
    int64_t line = shoal_table_line(reader->table, record);

    return shoal_i_fail_in(ctx, reader->source, line,
                           shoal_i_csv_locate(ctx, reader, line, column));
}

/* Report the lowest row of a run that has a bad value, and the lowest column there. */
static shoal_status check_run(shoal_ctx *ctx, const finish *f, const shoal_i_csv_run *run)
{
    const unsigned char *codes = run->codes;
    const unsigned char *bad_codes = NULL;
    size_t bad_row = run->row_count;
    size_t bad_column = 0;

    for (size_t c = 0; c < f->reader->column_count; c++) {
        if (f->has_bad[c]) {
            size_t row = find_bad_row(f, run, c, codes);

            if (row < bad_row) {
                bad_row = row;
                bad_column = c;
                bad_codes = codes;
            }
        }
        codes += shoal_i_csv_run_size(run, c);
    }
    return bad_codes ? fail_value(ctx, f, run, bad_row, bad_column, bad_codes) : SHOAL_OK;
}

static shoal_status check_values(shoal_ctx *ctx, const finish *f)
{
    shoal_status st = SHOAL_OK;
    bool has_bad = false;

    for (size_t c = 0; c < f->reader->column_count; c++) {
        has_bad |= f->has_bad[c];
    }
    for (size_t r = 0; has_bad && r < f->reader->run_count; r++) {
        if (f->reader->spooling) {
            SHOAL_TRY(shoal_i_csv_spool_load(ctx, f->reader, &f->reader->runs[r]));
        }
        SHOAL_TRY(check_run(ctx, f, &f->reader->runs[r]));
        if (f->reader->spooling) {
            shoal_i_csv_spool_unload(&f->reader->runs[r]);
        }
    }
done:
    return st;
}

/* --- Codes. --- */

/* Codes that are as wide as the indices they come from: in one pass, without a list of either
 * in between. */
#define DEFINE_RECODE(name, type)                                                              \
    static void name(void *to, const void *from, const uint32_t *map, size_t count)            \
    {                                                                                          \
        type *restrict codes = to;                                                             \
        const type *indices = from;                                                            \
                                                                                               \
        for (size_t row = 0; row < count; row++) {                                             \
            codes[row] = (type)map[indices[row]];                                              \
        }                                                                                      \
    }

DEFINE_RECODE(recode_bytes, uint8_t)
DEFINE_RECODE(recode_pairs, uint16_t)

static void recode_column(const finish *f, const shoal_i_csv_run *run, size_t column,
                          const unsigned char *codes, uint32_t *scratch)
{
    shoal_i_codes indices = {.data = codes, .width = run->widths[column]};
    const shoal_i_column *to = &f->reader->table->columns[column];
    const uint32_t *map = *find_map(f, run->worker, column);

    if (indices.width == 1 && to->width == 1) {
        recode_bytes((uint8_t *)to->codes + run->first_row, codes, map, run->row_count);
        return;
    }
    if (indices.width == 2 && to->width == 2) {
        recode_pairs((uint16_t *)to->codes + run->first_row, codes, map, run->row_count);
        return;
    }
    shoal_i_codes_widen(scratch, indices, 0, run->row_count);
    for (size_t row = 0; row < run->row_count; row++) {
        scratch[row] = map[scratch[row]];
    }
    shoal_i_codes_narrow(to->codes, to->width, run->first_row, scratch, run->row_count);
}

static shoal_status recode_run(shoal_ctx *ctx, const finish *f, shoal_i_csv_run *run)
{
    shoal_status st = SHOAL_OK;
    const unsigned char *codes = run->codes;
    uint32_t *scratch = NULL;

    SHOAL_ALLOC(ctx, scratch, run->row_count);
    for (size_t c = 0; c < f->reader->column_count; c++) {
        if (run->widths[c] > 0) {
            recode_column(f, run, c, codes, scratch);
        }
        codes += shoal_i_csv_run_size(run, c);
    }
    shoal_i_csv_run_clear(run);
done:
    free(scratch);
    return st;
}

static shoal_status recode_task(shoal_ctx *ctx, void *payload, size_t task)
{
    shoal_status st = SHOAL_OK;
    finish *f = payload;

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    for (size_t r = f->task_starts[task]; r < f->task_starts[task + 1]; r++) {
        SHOAL_TRY(recode_run(ctx, f, &f->reader->runs[r]));
    }
done:
    return st;
}

/* Group the runs into tasks of about ROWS_PER_TASK rows. */
static shoal_status plan_tasks(shoal_ctx *ctx, finish *f)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_csv_reader *reader = f->reader;
    size_t first_row = 0;

    SHOAL_ALLOC(ctx, f->task_starts, reader->run_count + 1);
    for (size_t r = 1; r < reader->run_count; r++) {
        if (reader->runs[r].first_row - first_row >= ROWS_PER_TASK) {
            f->task_starts[++f->task_count] = r;
            first_row = reader->runs[r].first_row;
        }
    }
    f->task_starts[++f->task_count] = reader->run_count;
done:
    return st;
}

static shoal_status count_column(shoal_ctx *ctx, void *payload, size_t column)
{
    finish *f = payload;
    shoal_i_column *c = &f->reader->table->columns[column];

    if (!c->skipped) {
        shoal_i_column_count_missing(c, f->reader->row_count);
    }
    return shoal_i_check_cancelled(ctx);
}

static shoal_status recode(shoal_ctx *ctx, finish *f)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_reader *reader = f->reader;

    for (size_t c = 0; c < reader->column_count; c++) {
        if (!reader->columns[c].skip) {
            SHOAL_TRY(
                shoal_i_column_alloc_codes(ctx, &reader->table->columns[c], reader->row_count));
        }
    }
    SHOAL_TRY(plan_tasks(ctx, f));
    SHOAL_TRY(shoal_i_parallel_for(ctx, f->task_count, recode_task, f));
    SHOAL_TRY(shoal_i_parallel_for(ctx, reader->column_count, count_column, f));
done:
    return st;
}

/* --- Lines. --- */

/* Join the shifts of all runs; the first record comes right behind the header. */
static shoal_status join_shifts(shoal_ctx *ctx, shoal_i_csv_reader *reader)
{
    shoal_status st = SHOAL_OK;
    shoal_table *table = reader->table;
    size_t count = 1;

    for (size_t r = 0; r < reader->run_count; r++) {
        count += reader->runs[r].shift_count;
    }
    SHOAL_ALLOC(ctx, table->shifts, count);
    table->shifts[0].lines = reader->header_lines + 1;
    table->shift_count = 1;
    for (size_t r = 0; r < reader->run_count; r++) {
        const shoal_i_csv_run *run = &reader->runs[r];

        for (size_t i = 0; i < run->shift_count; i++) {
            shoal_i_line_shift *last = &table->shifts[table->shift_count - 1];
            size_t row = run->first_row + run->shifts[i].row;
            int64_t lines = last->lines + run->shifts[i].lines;

            table->shift_count += row != last->row;
            table->shifts[table->shift_count - 1] =
                (shoal_i_line_shift){.row = row, .lines = lines};
        }
    }
done:
    return st;
}

static void clear_finish(finish *f)
{
    size_t count = f->reader->worker_count * f->reader->column_count;

    for (size_t i = 0; f->maps && i < count; i++) {
        free(f->maps[i]);
    }
    free(f->maps);
    free(f->has_bad);
    free(f->task_starts);
}

shoal_status shoal_i_csv_finish(shoal_ctx *ctx, shoal_i_csv_reader *reader)
{
    shoal_status st = SHOAL_OK;
    finish f = {.reader = reader};

    reader->table->row_count = reader->row_count;
    SHOAL_ALLOC(ctx, f.maps, reader->worker_count * reader->column_count);
    SHOAL_ALLOC(ctx, f.has_bad, reader->column_count);
    SHOAL_TRY(join_shifts(ctx, reader));
    SHOAL_TRY(finish_columns(ctx, &f));
    SHOAL_TRY(check_values(ctx, &f));
    SHOAL_TRY(reader->spooling ? shoal_i_csv_spool_consume(ctx, reader, f.maps)
                               : recode(ctx, &f));
done:
    clear_finish(&f);
    return st;
}

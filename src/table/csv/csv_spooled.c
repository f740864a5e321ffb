#include "csv_spooled.h"

#include "csv_reader.h"

#include <string.h>

/* What a value takes of the final column beside its text: where the text starts, its number,
 * its places in the maps from the dictionaries of workers. */
#define BYTES_BESIDE_TEXT 24

/* What a worker's values of a column take now, and what they add to the final column, which is
 * made while they are there. */
static size_t measure_dictionary(const shoal_i_dictionary *d)
{
    size_t texts = (size_t)d->count * d->words * sizeof *d->keys + d->long_bytes;

    return shoal_i_dictionary_size(d) + texts + (size_t)d->count * BYTES_BESIDE_TEXT;
}

static size_t measure_values(const shoal_i_csv_reader *reader, size_t column)
{
    size_t bytes = 0;

    for (size_t w = 0; w < reader->worker_count; w++) {
        if (reader->workers[w].dictionaries) {
            bytes += measure_dictionary(&reader->workers[w].dictionaries[column]);
        }
    }
    return bytes;
}

/* The values of all columns must fit in memory, whatever becomes of the records. */
static shoal_status check_values_fit(shoal_ctx *ctx, const shoal_i_csv_reader *reader)
{
    size_t sum = 0;
    size_t most = 0;

    for (size_t c = 0; c < reader->column_count; c++) {
        sum += measure_values(reader, c);
        most = measure_values(reader, c) > measure_values(reader, most) ? c : most;
    }
    if (reader->spooling->values_max == 0 || sum <= reader->spooling->values_max) {
        return SHOAL_OK;
    }
    shoal_i_fail_at(ctx, SHOAL_ELIMIT, -1, (int64_t)most,
                    "The different values of the columns alone take more than the memory "
                    "allowed for them (%zu MiB); allow more memory, or leave out columns: most "
                    "of it goes to "
                    "\"%.200s\".",
                    reader->spooling->values_max >> 20, reader->columns[most].name);
    return shoal_i_fail_in(ctx, reader->source, 0, 0);
}

void shoal_i_csv_spool_unload(shoal_i_csv_run *run)
{
    free(run->widths);
    run->widths = NULL;
    run->codes = NULL;
}

shoal_status shoal_i_csv_spool_runs(shoal_ctx *ctx, shoal_i_csv_reader *reader, size_t first)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(check_values_fit(ctx, reader));
    for (size_t r = first; r < reader->run_count; r++) {
        shoal_i_csv_run *run = &reader->runs[r];

        run->place = shoal_i_spool_size(reader->spool);
        SHOAL_TRY(shoal_i_spool_write(ctx, reader->spool, run->widths, run->size));
        shoal_i_csv_spool_unload(run);
    }
done:
    return st;
}

shoal_status shoal_i_csv_spool_load(shoal_ctx *ctx, shoal_i_csv_reader *reader,
                                    shoal_i_csv_run *run)
{
    shoal_status st = SHOAL_OK;
    size_t head = (reader->column_count + 3) / 4 * 4;

    if (!run->widths) {
        SHOAL_ALLOC(ctx, run->widths, run->size);
        SHOAL_TRY(shoal_i_spool_read(ctx, reader->spool, run->place, run->widths, run->size));
        run->codes = run->widths + head;
    }
done:
    return st;
}

/* Final codes of one run; counts missing values on the way. */
static void recode_run(shoal_i_csv_reader *reader, const shoal_i_csv_run *run,
                       uint32_t *const *maps, uint32_t *const *codes)
{
    const unsigned char *packed = run->codes;

    for (size_t c = 0; c < reader->column_count; c++) {
        shoal_i_column *column = &reader->table->columns[c];
        const uint32_t *map = maps[run->worker * reader->column_count + c];

        for (size_t i = 0; codes[c] && i < run->row_count; i++) {
            shoal_i_codes indices = {.data = packed, .width = run->widths[c]};

            codes[c][i] = map[shoal_i_codes_get(indices, i)];
            column->missing_count += codes[c][i] == column->value_count;
        }
        packed += shoal_i_csv_run_size(run, c);
    }
}

/* A column of codes for each column that is not skipped, of the longest run. */
static shoal_status new_codes(shoal_ctx *ctx, uint32_t ***out, const shoal_i_csv_reader *reader)
{
    shoal_status st = SHOAL_OK;
    size_t rows = 0;

    SHOAL_ALLOC(ctx, *out, reader->column_count);
    for (size_t r = 0; r < reader->run_count; r++) {
        rows = reader->runs[r].row_count > rows ? reader->runs[r].row_count : rows;
    }
    for (size_t c = 0; c < reader->column_count; c++) {
        if (!reader->columns[c].skip) {
            SHOAL_ALLOC(ctx, (*out)[c], rows);
        }
    }
done:
    return st;
}

shoal_status shoal_i_csv_spool_consume(shoal_ctx *ctx, shoal_i_csv_reader *reader,
                                       uint32_t **maps)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_csv_spooling *spooling = reader->spooling;
    uint32_t **codes = NULL;

    SHOAL_TRY(new_codes(ctx, &codes, reader));
    SHOAL_TRY(spooling->consume(ctx, spooling->payload, reader->table, codes, 0));
    for (size_t r = 0; r < reader->run_count; r++) {
        shoal_i_csv_run *run = &reader->runs[r];

        SHOAL_TRY(shoal_i_csv_spool_load(ctx, reader, run));
        recode_run(reader, run, maps, codes);
        SHOAL_TRY(
            spooling->consume(ctx, spooling->payload, reader->table, codes, run->row_count));
        shoal_i_csv_run_clear(run);
    }
done:
    for (size_t c = 0; codes && c < reader->column_count; c++) {
        free(codes[c]);
    }
    free(codes);
    return st;
}

#include "specialize_count.h"

#include "../../base/fail.h"

#include <string.h>

/* Counts are emptied and summed up for every set. Measured on Adult: so many of them cost as
 * much as a record that is looked up column by column. */
#define COUNTS_PER_RECORD 32

/* Records between the one that is counted and the one whose row is called for. */
#define ROWS_AHEAD 16

static size_t count_slots(const shoal_i_code_counts *counts)
{
    return counts->firsts[counts->columns];
}

bool shoal_i_code_counts_pay(const shoal_i_code_counts *counts, size_t count)
{
    return !counts->source->persons &&
           count_slots(counts) <= COUNTS_PER_RECORD * count / (counts->width + 1);
}

shoal_status shoal_i_code_counts_init(shoal_ctx *ctx, shoal_i_code_counts *counts,
                                      const shoal_i_quasi *quasi,
                                      const shoal_i_tally_source *source, size_t count)
{
    shoal_status st = SHOAL_OK;

    *counts = (shoal_i_code_counts){.source = source, .columns = quasi->count};
    for (size_t j = 0; j < source->active_count; j++) {
        counts->width += source->active[j].value_count;
    }
    SHOAL_ALLOC(ctx, counts->firsts, counts->columns + 1);
    for (size_t c = 0; c < counts->columns; c++) {
        counts->firsts[c + 1] = counts->firsts[c] + quasi->columns[c].value_count;
    }
    if (shoal_i_code_counts_pay(counts, count)) {
        SHOAL_ALLOC(ctx, counts->sizes, count_slots(counts));
        if (counts->width > 0) {
            SHOAL_ALLOC(ctx, counts->cells, count_slots(counts) * counts->width);
        }
    }
done:
    if (st != SHOAL_OK) {
        shoal_i_code_counts_clear(counts);
    }
    return st;
}

void shoal_i_code_counts_clear(shoal_i_code_counts *counts)
{
    free(counts->firsts);
    free(counts->sizes);
    free(counts->cells);
    *counts = (shoal_i_code_counts){0};
}

/* The records of a set are scattered over the table: their rows are called for in good time. A
 * row of a few columns lies in one or two lines of the cache. */
static void prefetch_row(const shoal_i_code_rows *rows, const uint32_t *records, size_t i)
{
    const uint32_t *row = rows->cells + records[i] * rows->stride;

    __builtin_prefetch(row);
    __builtin_prefetch(row + rows->stride - 1);
}

static void count_sizes(shoal_i_code_counts *counts, const shoal_i_code_rows *rows,
                        const uint32_t *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t *row = rows->cells + records[i] * rows->stride;

        prefetch_row(rows, records, i + ROWS_AHEAD < count ? i + ROWS_AHEAD : i);
        for (size_t c = 0; c < counts->columns; c++) {
            counts->sizes[counts->firsts[c] + row[c]]++;
        }
    }
}

/* Count an active column, whose cells lie from `offset` on in every slot. */
static void count_values(shoal_i_code_counts *counts, const shoal_i_code_rows *rows,
                         const uint32_t *records, size_t count, size_t j, size_t offset)
{
    const size_t *firsts = counts->firsts;
    size_t columns = counts->columns;
    size_t width = counts->width;

    for (size_t i = 0; i < count; i++) {
        const uint32_t *row = rows->cells + records[i] * rows->stride;
        uint32_t *cells = counts->cells + offset + row[columns + j];

        prefetch_row(rows, records, i + ROWS_AHEAD < count ? i + ROWS_AHEAD : i);
        for (size_t c = 0; c < columns; c++) {
            cells[(firsts[c] + row[c]) * width]++;
        }
    }
}

/* A record has one value in the first active column, so its counts add up to the size. */
static void add_up_sizes(shoal_i_code_counts *counts)
{
    size_t value_count = counts->source->active[0].value_count;

    for (size_t slot = 0; slot < count_slots(counts); slot++) {
        const uint32_t *cells = counts->cells + slot * counts->width;
        uint32_t size = 0;

        for (size_t value = 0; value < value_count; value++) {
            size += cells[value];
        }
        counts->sizes[slot] = size;
    }
}

void shoal_i_code_counts_take(shoal_i_code_counts *counts, const shoal_i_code_rows *rows,
                              const uint32_t *records, size_t count)
{
    const shoal_i_tally_source *source = counts->source;
    size_t offset = 0;

    if (source->active_count == 0) {
        memset(counts->sizes, 0, count_slots(counts) * sizeof *counts->sizes);
        count_sizes(counts, rows, records, count);
        return;
    }
    memset(counts->cells, 0, count_slots(counts) * counts->width * sizeof *counts->cells);
    for (size_t j = 0; j < source->active_count; j++) {
        count_values(counts, rows, records, count, j, offset);
        offset += source->active[j].value_count;
    }
    add_up_sizes(counts);
}

void shoal_i_code_counts_extent(const shoal_i_code_counts *counts, size_t column, uint32_t *lo,
                                uint32_t *hi)
{
    const uint32_t *sizes = counts->sizes + counts->firsts[column];

    *lo = 0;
    *hi = (uint32_t)(counts->firsts[column + 1] - counts->firsts[column] - 1);
    while (sizes[*lo] == 0) {
        ++*lo;
    }
    while (sizes[*hi] == 0) {
        --*hi;
    }
}

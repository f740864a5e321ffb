/* population.c -- how many people of a population fall into each class of a sample's release.
 *
 * Classes of a locally recoded release may overlap, so a record of the population counts in
 * every box it lies in. The records are listed by code once per column; a box then looks only
 * at those of the column in which it is narrowest.
 */
#include "measure.h"

#include "../base/pool.h"
#include "../base/sort.h"

/* The records of a column in the order of their codes. */
typedef struct listing {
    size_t *starts; /* of each code, and the end */
    uint32_t *rows;
} listing;

typedef struct count_job {
    const shoal_i_release *parsed;
    listing *listings;              /* of each quasi column */
    const shoal_i_persons *persons; /* NULL: each record is somebody */
    uint64_t *counts;               /* of each box */
} count_job;

static shoal_status list_records(shoal_ctx *ctx, void *payload, size_t c)
{
    shoal_status st = SHOAL_OK;
    const count_job *job = payload;
    const shoal_i_quasi *quasi = job->parsed->quasi;
    size_t rows = shoal_table_row_count(quasi->table);
    size_t codes = quasi->columns[c].value_count;
    listing *l = &job->listings[c];

    SHOAL_ALLOC(ctx, l->starts, codes + 2);
    SHOAL_ALLOC(ctx, l->rows, rows);
    for (size_t row = 0; row < rows; row++) {
        l->starts[shoal_i_quasi_code(quasi, c, row) + 2]++;
    }
    for (size_t code = 2; code < codes + 2; code++) {
        l->starts[code] += l->starts[code - 1];
    }
    /* Until here starts[code + 1] is where a code begins; filling moves it to where it ends. */
    for (size_t row = 0; row < rows; row++) {
        l->rows[l->starts[shoal_i_quasi_code(quasi, c, row) + 1]++] = (uint32_t)row;
    }
done:
    return st;
}

static bool is_inside(const shoal_i_quasi *quasi, const shoal_i_interval *box, size_t row)
{
    for (size_t c = 0; c < quasi->count; c++) {
        uint32_t code = shoal_i_quasi_code(quasi, c, row);

        if (code < box[c].lo || code > box[c].hi) {
            return false;
        }
    }
    return true;
}

/* How many different ones there are. */
static uint64_t count_different(uint32_t *persons, size_t count)
{
    uint64_t different = 0;

    if (count > 0) {
        qsort(persons, count, sizeof *persons, shoal_i_compare_u32);
    }
    for (size_t i = 0; i < count; i++) {
        different += i == 0 || persons[i] != persons[i - 1];
    }
    return different;
}

static shoal_status count_box(shoal_ctx *ctx, void *payload, size_t b)
{
    shoal_status st = SHOAL_OK;
    uint32_t *found = NULL; /* persons in the box */
    size_t found_count = 0;
    const count_job *job = payload;
    const shoal_i_quasi *quasi = job->parsed->quasi;
    const shoal_i_interval *box = &job->parsed->boxes[b * quasi->count];
    size_t best = 0;
    size_t least = SIZE_MAX;

    for (size_t c = 0; c < quasi->count; c++) {
        const size_t *starts = job->listings[c].starts;
        size_t count = starts[box[c].hi + 1] - starts[box[c].lo];

        best = count < least ? c : best;
        least = count < least ? count : least;
    }
    const listing *l = &job->listings[best];

    SHOAL_ALLOC(ctx, found, job->persons ? least : 0);
    for (size_t at = l->starts[box[best].lo]; at < l->starts[box[best].hi + 1]; at++) {
        bool is_in = is_inside(quasi, box, l->rows[at]);

        job->counts[b] += is_in;
        if (is_in && job->persons) {
            found[found_count++] = job->persons->of[l->rows[at]];
        }
    }
    if (job->persons) {
        job->counts[b] = count_different(found, found_count);
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(found);
    return st;
}

shoal_status shoal_i_count_population(shoal_ctx *ctx, uint64_t **out,
                                      const shoal_i_release *parsed,
                                      const shoal_i_persons *persons)
{
    shoal_status st = SHOAL_OK;
    size_t columns = parsed->quasi->count;
    count_job job = {.parsed = parsed, .persons = persons};

    *out = NULL;
    SHOAL_ALLOC(ctx, job.listings, columns);
    SHOAL_ALLOC(ctx, job.counts, parsed->box_count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, columns, list_records, &job));
    SHOAL_TRY(shoal_i_parallel_for(ctx, parsed->box_count, count_box, &job));
    *out = job.counts;
    job.counts = NULL;
done:
    for (size_t c = 0; job.listings && c < columns; c++) {
        free(job.listings[c].starts);
        free(job.listings[c].rows);
    }
    free(job.listings);
    free(job.counts);
    return st;
}

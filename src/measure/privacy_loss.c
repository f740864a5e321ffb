#include "tradeoff.h"

#include "../base/pool.h"
#include "../release/number.h"
#include "divergence.h"

#include <string.h>

#define POINTS_PER_TASK 256

/* The values of the whole release: what an attacker knows of anybody. */
typedef struct prior {
    double *shares; /* by code */
    size_t count;
} prior;

static shoal_status find_prior(shoal_ctx *ctx, prior *out, const shoal_i_spread *spread,
                               size_t j)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_sensitive *column = &spread->published->sensitive[j];
    size_t rows = spread->published->release->row_count;

    out->count = column->value_count;
    SHOAL_ALLOC(ctx, out->shares, out->count);
    for (size_t row = 0; row < rows; row++) {
        out->shares[column->codes[row]]++;
    }
    for (size_t code = 0; code < out->count; code++) {
        out->shares[code] /= (double)rows;
    }
done:
    return st;
}

/* JS of the prior and of so many values of a total; values that are absent add their share of
 * the prior, times ln 2. */
static double find_loss(const prior *q, const uint32_t *codes, const double *counts,
                        size_t count, double total)
{
    double sum = 0;
    double present = 0;

    for (size_t i = 0; i < count; i++) {
        double share = q->shares[codes[i]];

        sum += shoal_i_divergence_part(share, counts[i] / total);
        present += share;
    }
    /* All values present: what rounding leaves is no absence. */
    double absent = count == q->count ? 0 : fmax(0, 1 - present);
    double loss = (sum + absent * SHOAL_I_LN2) / 2;

    return loss < SHOAL_I_LN2 ? loss : SHOAL_I_LN2;
}

static void add_records(shoal_i_privacy_loss *loss, double figure, uint64_t records)
{
    size_t bin = (size_t)(figure / SHOAL_I_PRIVACY_BIN_WIDTH);

    loss->highest = fmax(loss->highest, figure);
    loss->mean += figure * (double)records; /* a sum until all are in */
    loss->records += records;
    loss->bins[bin < SHOAL_I_PRIVACY_BINS ? bin : SHOAL_I_PRIVACY_BINS - 1] += records;
}

/* --- Classes and buckets: a group is what a record hides in. ---------------------------- */

static shoal_status measure_groups(shoal_ctx *ctx, shoal_i_privacy_loss *out,
                                   const shoal_i_spread *spread, size_t j, const prior *q)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_spread_values *values = &spread->values[j];
    double *counts = NULL;

    SHOAL_ALLOC(ctx, counts, q->count);
    for (size_t group = 0; group < spread->group_count; group++) {
        uint32_t first = values->starts[group];
        size_t count = values->starts[group + 1] - first;
        uint32_t size = spread->group_sizes[group];

        if (size == 0) {
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            counts[i] = values->counts[first + i];
        }
        add_records(out, find_loss(q, values->codes + first, counts, count, size), size);
    }
done:
    free(counts);
    return st;
}

/* --- Boxes per record: a record hides in all rows whose boxes cover it. ----------------- */

/* The records of the original by their place: those at one place have one loss. */
typedef struct places {
    const shoal_i_spread *spread;
    size_t j;
    const prior *q;
    size_t count;
    uint32_t *first;   /* a record of each place */
    uint32_t *records; /* how many there are */
    double *figures;   /* of each place; negative: no row covers it */
} places;

static shoal_status find_places(shoal_ctx *ctx, places *p)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = p->spread->published->release->quasi;
    size_t rows = shoal_table_row_count(quasi->table);
    uint32_t *place_of = NULL;

    SHOAL_TRY(shoal_i_number_records(ctx, &place_of, &p->count, quasi));
    SHOAL_ALLOC(ctx, p->first, p->count);
    SHOAL_ALLOC(ctx, p->records, p->count);
    SHOAL_ALLOC(ctx, p->figures, p->count);
    for (size_t row = rows; row-- > 0;) {
        p->first[place_of[row]] = (uint32_t)row;
        p->records[place_of[row]]++;
    }
done:
    free(place_of);
    return st;
}

/* What a task needs beside the places. */
typedef struct cover_scratch {
    shoal_i_touch *intervals; /* of the column at hand */
    shoal_i_touch *best;      /* of the column that leaves fewest boxes */
    double *counts;           /* by value */
    double *listed;           /* of the values that occur */
    uint32_t *codes;          /* those values */
} cover_scratch;

static void clear_scratch(cover_scratch *s)
{
    free(s->intervals);
    free(s->best);
    free(s->counts);
    free(s->listed);
    free(s->codes);
}

static shoal_status init_scratch(shoal_ctx *ctx, cover_scratch *s, const places *p)
{
    shoal_status st = SHOAL_OK;
    size_t most = 0;

    for (size_t c = 0; c < p->spread->column_count; c++) {
        size_t count = p->spread->columns[c].interval_count;

        most = count > most ? count : most;
    }
    SHOAL_ALLOC(ctx, s->intervals, most);
    SHOAL_ALLOC(ctx, s->best, most);
    SHOAL_ALLOC(ctx, s->counts, p->q->count);
    SHOAL_ALLOC(ctx, s->listed, p->q->count);
    SHOAL_ALLOC(ctx, s->codes, p->q->count);
done:
    return st;
}

/* The column whose intervals around a record leave fewest boxes; they are put into s->best. */
static size_t find_narrowest(const places *p, cover_scratch *s, size_t row, size_t *best_column)
{
    const shoal_i_spread *spread = p->spread;
    size_t fewest = SIZE_MAX;
    size_t best_count = 0;

    for (size_t c = 0; c < spread->column_count; c++) {
        const shoal_i_spread_column *column = &spread->columns[c];
        uint32_t code = shoal_i_quasi_code(spread->published->release->quasi, c, row);
        shoal_i_segment place =
            shoal_i_axis_place(&column->axis, (shoal_i_interval){code, code});
        size_t count = shoal_i_spread_find(column, &place, 1, s->intervals);
        size_t boxes = 0;

        /* A point on the border of a real interval has no length, but is covered. */
        if (!column->axis.is_whole) {
            count = 0;
            for (size_t i = 0; i < column->interval_count; i++) {
                if (column->intervals[i].lo <= code && code <= column->intervals[i].hi) {
                    s->intervals[count++] = (shoal_i_touch){(uint32_t)i, 1};
                }
            }
        }
        for (size_t i = 0; i < count; i++) {
            uint32_t interval = s->intervals[i].box;

            boxes += column->starts[interval + 1] - column->starts[interval];
        }
        if (boxes < fewest) {
            shoal_i_touch *swap = s->best;

            fewest = boxes;
            *best_column = c;
            best_count = count;
            s->best = s->intervals;
            s->intervals = swap;
        }
    }
    return best_count;
}

static bool covers(const shoal_i_release *release, uint32_t box, size_t row)
{
    const shoal_i_interval *intervals = release->boxes + box * release->quasi->count;

    for (size_t c = 0; c < release->quasi->count; c++) {
        uint32_t code = shoal_i_quasi_code(release->quasi, c, row);

        if (code < intervals[c].lo || code > intervals[c].hi) {
            return false;
        }
    }
    return true;
}

/* The loss of the records at a place: values of all rows that may be theirs. */
static double measure_place(const places *p, cover_scratch *s, size_t row)
{
    const shoal_i_release *release = p->spread->published->release;
    const shoal_i_spread_values *values = &p->spread->values[p->j];
    size_t c = 0;
    size_t count = find_narrowest(p, s, row, &c);
    const shoal_i_spread_column *column = &p->spread->columns[c];
    double total = 0;
    size_t different = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t end = column->starts[s->best[i].box + 1];

        for (uint32_t at = column->starts[s->best[i].box]; at < end; at++) {
            uint32_t box = column->lists[at];

            if (!covers(release, box, row)) {
                continue;
            }
            total += release->box_sizes[box];
            for (uint32_t v = values->starts[box]; v < values->starts[box + 1]; v++) {
                uint32_t code = values->codes[v];

                if (s->counts[code] == 0) {
                    s->codes[different++] = code;
                }
                s->counts[code] += values->counts[v];
            }
        }
    }
    for (size_t i = 0; i < different; i++) {
        s->listed[i] = s->counts[s->codes[i]];
        s->counts[s->codes[i]] = 0;
    }
    return total > 0 ? find_loss(p->q, s->codes, s->listed, different, total) : -1;
}

static shoal_status measure_places(shoal_ctx *ctx, void *payload, size_t task)
{
    shoal_status st = SHOAL_OK;
    places *p = payload;
    cover_scratch scratch = {0};
    size_t end =
        (task + 1) * POINTS_PER_TASK < p->count ? (task + 1) * POINTS_PER_TASK : p->count;

    SHOAL_TRY(init_scratch(ctx, &scratch, p));
    for (size_t i = task * POINTS_PER_TASK; i < end; i++) {
        p->figures[i] = measure_place(p, &scratch, p->first[i]);
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    clear_scratch(&scratch);
    return st;
}

static shoal_status measure_records(shoal_ctx *ctx, shoal_i_privacy_loss *out,
                                    const shoal_i_spread *spread, size_t j, const prior *q)
{
    shoal_status st = SHOAL_OK;
    places p = {.spread = spread, .j = j, .q = q};

    SHOAL_TRY(find_places(ctx, &p));
    SHOAL_TRY(shoal_i_parallel_for(ctx, p.count / POINTS_PER_TASK + 1, measure_places, &p));
    for (size_t i = 0; i < p.count; i++) {
        if (p.figures[i] >= 0) {
            add_records(out, p.figures[i], p.records[i]);
        }
    }
done:
    free(p.first);
    free(p.records);
    free(p.figures);
    return st;
}

shoal_status shoal_i_privacy_loss_measure(shoal_ctx *ctx, shoal_i_privacy_loss *out,
                                          const shoal_i_spread *spread)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_published *published = spread->published;
    prior q = {0};

    for (size_t j = 0; j < published->sensitive_count; j++) {
        out[j] = (shoal_i_privacy_loss){.name = published->sensitive[j].name};
        SHOAL_TRY(find_prior(ctx, &q, spread, j));
        if (published->release->shape == SHOAL_I_SHAPE_RECORDS) {
            SHOAL_TRY(measure_records(ctx, &out[j], spread, j, &q));
        } else {
            SHOAL_TRY(measure_groups(ctx, &out[j], spread, j, &q));
        }
        out[j].mean = out[j].records > 0 ? out[j].mean / (double)out[j].records : 0;
        free(q.shares);
        q = (prior){0};
    }
done:
    free(q.shares);
    return st;
}

/* loss.c -- how much a release lost: certainty penalty, discernibility, class sizes,
 * distortion.
 *
 *   certainty penalty   Xu, Wang, Pei, Wang, Shi, Fu, "Utility-based anonymization using local
 *                       recoding", KDD 2006, doi:10.1145/1150402.1150504
 *   its share (GCP)     Ghinita, Karras, Kalnis, Mamoulis, "Fast data anonymization with low
 *                       information loss", VLDB 2007
 *   discernibility      Bayardo, Agrawal, "Data privacy through optimal k-anonymization", ICDE
 *                       2005, doi:10.1109/ICDE.2005.42
 *   C_AVG               LeFevre, DeWitt, Ramakrishnan, "Mondrian multidimensional k-anonymity",
 *                       ICDE 2006, doi:10.1109/ICDE.2006.101
 *   distortion ratio    Wong, Li, Fu, Wang, "(alpha, k)-anonymity", KDD 2006,
 *                       doi:10.1145/1150402.1150499
 */
#include "measure.h"

#include "../base/pool.h"
#include "../base/sort.h"
#include "../release/looks.h"

#include <math.h>
#include <string.h>

/* What one column adds, summed over the boxes in their order. */
typedef struct column_sums {
    double penalty; /* of all written records */
    uint64_t height;
    uint64_t suppressed;
} column_sums;

typedef struct loss_job {
    const shoal_i_release *release;
    column_sums *sums;
} loss_job;

static bool is_suppressed(const shoal_i_quasi_column *column, shoal_i_interval interval)
{
    return column->value_count > 1 && interval.lo == 0 &&
           interval.hi == column->value_count - 1;
}

static uint64_t find_column_height(const shoal_i_quasi_column *column)
{
    if (column->value_count <= 1) {
        return 0;
    }
    return column->hierarchy ? (uint64_t)shoal_hierarchy_height(column->hierarchy) : 1;
}

static uint64_t find_height(const shoal_i_quasi_column *column, shoal_i_interval interval)
{
    if (column->value_count <= 1 || shoal_i_quasi_is_exact(column, interval)) {
        return 0;
    }
    if (!column->hierarchy) {
        return 1;
    }
    uint32_t node = shoal_hierarchy_ancestor(column->hierarchy, interval.lo, interval.hi);

    return (uint64_t)shoal_hierarchy_node_height(column->hierarchy, node);
}

static shoal_status sum_column(shoal_ctx *ctx, void *payload, size_t c)
{
    loss_job *job = payload;
    const shoal_i_release *release = job->release;
    const shoal_i_quasi_column *column = &release->quasi->columns[c];
    column_sums sums = {0};

    for (size_t b = 0; b < release->box_count; b++) {
        shoal_i_interval interval = release->boxes[b * release->quasi->count + c];
        uint64_t size = release->box_sizes[b];

        sums.penalty += (double)size * shoal_i_quasi_loss(column, interval.lo, interval.hi);
        sums.height += size * find_height(column, interval);
        sums.suppressed += is_suppressed(column, interval) ? size : 0;
    }
    job->sums[c] = sums;
    return shoal_i_check_cancelled(ctx);
}

/* Penalties are averaged per column and then weighted, so that a release that keeps everything
 * has a GCP of exactly 0 and one that keeps nothing of exactly 1, whatever the weights. */
static void add_penalties(shoal_i_loss *loss, const shoal_i_quasi *quasi,
                          const column_sums *sums)
{
    double weighted = 0;
    double weights = 0;
    uint64_t height = 0;
    uint64_t full_height = 0;

    for (size_t c = 0; c < quasi->count; c++) {
        const shoal_i_quasi_column *column = &quasi->columns[c];
        uint64_t column_height = find_column_height(column);
        double penalty = sums[c].penalty + (double)loss->omitted;

        loss->columns[c] = (shoal_i_column_loss){
            .name = column->name,
            .weight = column->weight,
            .loss = loss->records > 0 ? penalty / (double)loss->records : 0,
            .suppressed = sums[c].suppressed + loss->omitted,
        };
        loss->ncp += column->weight * penalty;
        weighted += column->weight * loss->columns[c].loss;
        weights += column->weight;
        height += sums[c].height + loss->omitted * column_height;
        full_height += loss->records * column_height;
    }
    loss->gcp = weights > 0 ? weighted / weights : 0;
    loss->distortion_ratio = full_height > 0 ? (double)height / (double)full_height : 0;
}

/* Whether a box says nothing on any column that has something to say. */
static bool is_box_suppressed(const shoal_i_quasi *quasi, const shoal_i_interval *box)
{
    bool is_any = false;

    for (size_t c = 0; c < quasi->count; c++) {
        if (is_suppressed(&quasi->columns[c], box[c])) {
            is_any = true;
        } else if (quasi->columns[c].value_count > 1) {
            return false;
        }
    }
    return is_any;
}

/* --- Sizes. */

/* The crowds that records hide in: classes, or buckets. With a box per record there are none;
 * then rows with equal boxes are counted. */
typedef struct crowds {
    size_t count;
    const uint32_t *sizes;
    uint32_t *own_sizes;
} crowds;

static shoal_status find_crowds(shoal_ctx *ctx, crowds *out, const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;

    switch (release->shape) {
    case SHOAL_I_SHAPE_CLASSES:
    case SHOAL_I_SHAPE_RECORDS:
        out->count = shoal_i_release_look_count(release);
        out->sizes = release->box_sizes;
        if (release->look_of) {
            SHOAL_ALLOC(ctx, out->own_sizes, out->count);
            for (size_t b = 0; b < release->box_count; b++) {
                out->own_sizes[release->look_of[b]] += release->box_sizes[b];
            }
            out->sizes = out->own_sizes;
        }
        break;
    case SHOAL_I_SHAPE_BUCKETS:
        SHOAL_ALLOC(ctx, out->own_sizes, release->bucket_count);
        for (size_t row = 0; row < release->row_count; row++) {
            out->own_sizes[release->bucket_of[row]]++;
        }
        out->count = release->bucket_count;
        out->sizes = out->own_sizes;
        break;
    }
done:
    return st;
}

static void count_suppressed(shoal_i_loss *loss, const shoal_i_release *release)
{
    size_t width = release->quasi->count;

    loss->suppressed = loss->omitted;
    for (size_t b = 0; b < release->box_count; b++) {
        if (is_box_suppressed(release->quasi, release->boxes + b * width)) {
            loss->suppressed += release->box_sizes[b];
        }
    }
}

/* In a bucket no record is suppressed: its values are published as they are. */
static void add_sizes(shoal_i_loss *loss, const shoal_i_release *release, const crowds *c,
                      uint64_t k)
{
    size_t width = release->quasi->count;

    if (release->shape == SHOAL_I_SHAPE_RECORDS) {
        loss->discernibility = NAN;
        loss->average_class_size = NAN;
        return;
    }

    if (release->shape == SHOAL_I_SHAPE_BUCKETS) {
        for (size_t i = 0; i < c->count; i++) {
            loss->discernibility += (double)c->sizes[i] * c->sizes[i];
        }
    }
    for (size_t b = 0; release->shape == SHOAL_I_SHAPE_CLASSES && b < release->box_count; b++) {
        /* A record counts as many as look like it. */
        if (!is_box_suppressed(release->quasi, release->boxes + b * width)) {
            loss->discernibility += (double)release->box_sizes[b] *
                                    c->sizes[shoal_i_release_look(release, (uint32_t)b)];
        }
    }
    loss->discernibility += (double)loss->suppressed * (double)loss->records;
    if (c->count > 0) {
        loss->average_class_size =
            (double)release->row_count / (double)c->count / (double)(k > 0 ? k : 1);
    }
}

static shoal_status add_bins(shoal_ctx *ctx, shoal_i_loss *loss, const crowds *c)
{
    shoal_status st = SHOAL_OK;
    size_t count = c->count;
    shoal_i_sort_item *sizes = NULL;
    shoal_i_sort_item *scratch = NULL;

    SHOAL_ALLOC(ctx, sizes, count);
    SHOAL_ALLOC(ctx, scratch, count);
    for (size_t b = 0; b < count; b++) {
        sizes[b].key = c->sizes[b];
    }
    shoal_i_sort_items(sizes, scratch, count);
    for (size_t b = 0; b < count; b++) {
        loss->bin_count += b == 0 || sizes[b].key != sizes[b - 1].key;
    }
    SHOAL_ALLOC(ctx, loss->bins, loss->bin_count);
    shoal_i_size_bin *bin = loss->bins;

    for (size_t b = 0; b < count; b++) {
        bin += b > 0 && sizes[b].key != sizes[b - 1].key;
        bin->size = sizes[b].key;
        bin->classes++;
    }
    loss->smallest_class = count > 0 ? sizes[0].key : 0;
    loss->largest_class = count > 0 ? sizes[count - 1].key : 0;
done:
    free(sizes);
    free(scratch);
    return st;
}

shoal_status shoal_i_loss_measure(shoal_ctx *ctx, shoal_i_loss *out,
                                  const shoal_i_release *release, uint64_t k)
{
    shoal_status st = SHOAL_OK;
    shoal_i_loss loss = {.records = release->row_count + release->omitted,
                         .omitted = release->omitted};
    loss_job job = {.release = release};
    crowds hiding = {0};

    *out = (shoal_i_loss){0};
    SHOAL_TRY(find_crowds(ctx, &hiding, release));
    loss.classes = hiding.count;
    SHOAL_ALLOC(ctx, loss.columns, release->quasi->count);
    loss.column_count = release->quasi->count;
    SHOAL_ALLOC(ctx, job.sums, release->quasi->count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, release->quasi->count, sum_column, &job));
    add_penalties(&loss, release->quasi, job.sums);
    count_suppressed(&loss, release);
    add_sizes(&loss, release, &hiding, k);
    SHOAL_TRY(add_bins(ctx, &loss, &hiding));
    *out = loss;
    loss = (shoal_i_loss){0};
done:
    free(job.sums);
    free(hiding.own_sizes);
    shoal_i_loss_clear(&loss);
    return st;
}

void shoal_i_loss_clear(shoal_i_loss *loss)
{
    free(loss->columns);
    free(loss->bins);
    *loss = (shoal_i_loss){0};
}

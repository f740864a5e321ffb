/* utility_loss.c -- how well a release answers for large populations.
 *
 * Large populations are found depth-first: a conjunction is extended by predicates of later
 * columns as long as it stays large. The records of a conjunction are bits, those of its
 * extension the bits that it has in common with one more predicate. This finds exactly what
 * FP-growth (Han, Pei, Yin, SIGMOD 2000, doi:10.1145/342009.335372) finds over the same
 * items, and on the way down keeps what the estimates need: the boxes that the conjunction
 * touches, each with its share, so that one more predicate costs one more multiplication per
 * box. Vertical bits instead of a prefix tree: Zaki, "Scalable algorithms for association
 * mining", TKDE 2000, doi:10.1109/69.846291.
 *
 * Each first predicate is a task; their sums are added up in the order of predicates.
 */
#include "tradeoff.h"

#include "../base/bitset.h"
#include "../base/pool.h"
#include "divergence.h"
#include "query/predicates.h"

#include <string.h>

/* What one first predicate and all its extensions add up to. */
typedef struct tree_sums {
    uint64_t count;
    double *sums;    /* of the losses, by sensitive column */
    double *highest; /* likewise */
} tree_sums;

typedef struct utility_job {
    const shoal_i_spread *spread;
    const shoal_i_sensitive *truth;
    const shoal_i_predicates *predicates;
    uint32_t support;
    double **shares;  /* of each predicate: of every interval of its column */
    double *all_sums; /* where the tree_sums keep theirs */
    tree_sums *trees;
    uint64_t *populations; /* found so far, by all; atomic */
} utility_job;

/* A conjunction: its records, and the boxes that it touches. */
typedef struct level {
    uint64_t *bits;
    uint64_t support;
    shoal_i_touch *touched;
    size_t touched_count;
} level;

/* What a task works with. */
typedef struct walker {
    const utility_job *job;
    tree_sums *tree;
    level *levels; /* one per column at most */
    double *weights;
    double *actual;   /* values of the records */
    double *expected; /* values that the release suggests */
} walker;

/* --- Bits. ------------------------------------------------------------------------------ */

/* out = a & b; how many bits that has. */
static uint64_t intersect(uint64_t *out, const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t count = 0;

    for (size_t i = 0; i < words; i++) {
        out[i] = a[i] & b[i];
        count += shoal_i_count_bits(out[i]);
    }
    return count;
}

static void count_values(double *counts, const uint64_t *bits, size_t words,
                         const uint32_t *codes)
{
    for (size_t i = 0; i < words; i++) {
        for (uint64_t word = bits[i]; word; word &= word - 1) {
            counts[codes[i * 64 + (size_t)__builtin_ctzll(word)]]++;
        }
    }
}

/* --- One population. -------------------------------------------------------------------- */

static void measure_population(walker *w, const level *at)
{
    const utility_job *job = w->job;

    for (size_t j = 0; j < job->spread->published->sensitive_count; j++) {
        size_t values = job->truth[j].value_count;

        memset(w->actual, 0, values * sizeof *w->actual);
        memset(w->expected, 0, values * sizeof *w->expected);
        count_values(w->actual, at->bits, job->predicates->word_count, job->truth[j].codes);

        double total = shoal_i_spread_add(job->spread, j, at->touched, at->touched_count,
                                          w->weights, w->expected);
        double loss = total > 0 ? shoal_i_divergence(w->actual, (double)at->support,
                                                     w->expected, total, values)
                                : SHOAL_I_LN2;

        w->tree->sums[j] += loss;
        w->tree->highest[j] = fmax(w->tree->highest[j], loss);
    }
    w->tree->count++;
}

/* The boxes of a conjunction that one more predicate touches too. */
static void narrow(const utility_job *job, level *to, const level *from, size_t i)
{
    const uint32_t *interval_of =
        job->spread->columns[job->predicates->items[i].column].interval_of;
    const double *shares = job->shares[i];

    to->touched_count = 0;
    for (size_t t = 0; t < from->touched_count; t++) {
        double share = shares[interval_of[from->touched[t].box]];

        if (share > 0) {
            to->touched[to->touched_count++] =
                (shoal_i_touch){from->touched[t].box, from->touched[t].share * share};
        }
    }
}

static shoal_status count_population(shoal_ctx *ctx, const utility_job *job)
{
    uint64_t found = __atomic_add_fetch(job->populations, 1, __ATOMIC_RELAXED);

    if (found > SHOAL_I_POPULATIONS_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT,
                            "There are more than %d large populations to measure the utility "
                            "by; choose a larger minimum support.",
                            SHOAL_I_POPULATIONS_MAX);
    }
    return found % 64 == 0 ? shoal_i_check_cancelled(ctx) : SHOAL_OK;
}

/* Measure the conjunction of a level and extend it by predicates of later columns. The depth is
 * bounded by the number of columns; `next` of each level is where it goes on. */
static shoal_status walk(shoal_ctx *ctx, walker *w, size_t *next, size_t first)
{
    shoal_status st = SHOAL_OK;
    const utility_job *job = w->job;
    const shoal_i_predicates *predicates = job->predicates;
    size_t depth = 0;

    next[0] = predicates->starts[predicates->items[first].column + 1];
    SHOAL_TRY(count_population(ctx, job));
    measure_population(w, &w->levels[0]);
    for (;;) {
        if (next[depth] == predicates->count) {
            if (depth-- == 0) {
                break;
            }
            continue;
        }
        size_t i = next[depth]++;
        const level *from = &w->levels[depth];
        level *to = &w->levels[depth + 1];

        to->support =
            intersect(to->bits, from->bits, predicates->items[i].bits, predicates->word_count);
        if (to->support < job->support) {
            continue;
        }
        narrow(job, to, from, i);
        SHOAL_TRY(count_population(ctx, job));
        measure_population(w, to);
        next[++depth] = predicates->starts[predicates->items[i].column + 1];
    }
done:
    return st;
}

/* --- Tasks. ----------------------------------------------------------------------------- */

static void clear_walker(walker *w, size_t level_count)
{
    for (size_t i = 0; w->levels && i < level_count; i++) {
        free(w->levels[i].bits);
        free(w->levels[i].touched);
    }
    free(w->levels);
    free(w->weights);
    free(w->actual);
    free(w->expected);
}

static size_t find_widest(const shoal_i_sensitive *columns, size_t count)
{
    size_t widest = 0;

    for (size_t j = 0; j < count; j++) {
        widest = columns[j].value_count > widest ? columns[j].value_count : widest;
    }
    return widest;
}

static shoal_status init_walker(shoal_ctx *ctx, walker *w, size_t level_count)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_spread *spread = w->job->spread;
    size_t values = find_widest(w->job->truth, spread->published->sensitive_count);

    SHOAL_ALLOC(ctx, w->levels, level_count);
    for (size_t i = 0; i < level_count; i++) {
        SHOAL_ALLOC(ctx, w->levels[i].bits, w->job->predicates->word_count);
        SHOAL_ALLOC(ctx, w->levels[i].touched, spread->published->release->box_count);
    }
    SHOAL_ALLOC(ctx, w->weights, spread->group_count);
    SHOAL_ALLOC(ctx, w->actual, values);
    SHOAL_ALLOC(ctx, w->expected, values);
done:
    return st;
}

/* All populations whose first predicate is number i. */
static shoal_status walk_tree(shoal_ctx *ctx, void *payload, size_t i)
{
    shoal_status st = SHOAL_OK;
    utility_job *job = payload;
    const shoal_i_predicate *item = &job->predicates->items[i];
    const shoal_i_spread_column *column = &job->spread->columns[item->column];
    size_t level_count = job->spread->column_count - item->column;
    walker w = {.job = job, .tree = &job->trees[i]};
    size_t *next = NULL;

    SHOAL_ALLOC(ctx, next, level_count);
    SHOAL_TRY(init_walker(ctx, &w, level_count));
    level *top = &w.levels[0];

    memcpy(top->bits, item->bits, job->predicates->word_count * sizeof *top->bits);
    top->support = item->support;
    for (size_t b = 0; b < job->spread->published->release->box_count; b++) {
        double share = job->shares[i][column->interval_of[b]];

        if (share > 0) {
            top->touched[top->touched_count++] = (shoal_i_touch){(uint32_t)b, share};
        }
    }
    SHOAL_TRY(walk(ctx, &w, next, i));
done:
    free(next);
    clear_walker(&w, level_count);
    return st;
}

/* What each predicate selects of each interval of its column. */
static shoal_status find_shares(shoal_ctx *ctx, utility_job *job)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, job->shares, job->predicates->count);
    for (size_t i = 0; i < job->predicates->count; i++) {
        const shoal_i_predicate *item = &job->predicates->items[i];
        const shoal_i_spread_column *column = &job->spread->columns[item->column];
        shoal_i_segment cover = shoal_i_axis_cover(&column->axis, item->first, item->last);

        SHOAL_ALLOC(ctx, job->shares[i], column->interval_count);
        for (size_t v = 0; v < column->interval_count; v++) {
            job->shares[i][v] = shoal_i_axis_share(&column->axis, column->places[v], &cover, 1);
        }
    }
done:
    return st;
}

static shoal_status init_trees(shoal_ctx *ctx, utility_job *job)
{
    shoal_status st = SHOAL_OK;
    size_t columns = job->spread->published->sensitive_count;
    size_t figures = 0;

    SHOAL_ALLOC(ctx, job->trees, job->predicates->count);
    SHOAL_TRY(shoal_i_size_mul(ctx, &figures, job->predicates->count, 2 * columns));
    SHOAL_ALLOC(ctx, job->all_sums, figures);
    for (size_t i = 0; i < job->predicates->count; i++) {
        job->trees[i].sums = job->all_sums + 2 * i * columns;
        job->trees[i].highest = job->trees[i].sums + columns;
    }
done:
    return st;
}

static void clear_job(utility_job *job)
{
    for (size_t i = 0; job->shares && i < job->predicates->count; i++) {
        free(job->shares[i]);
    }
    free(job->shares);
    free(job->all_sums);
    free(job->trees);
}

static void add_up(shoal_i_utility_loss *out, shoal_i_populations *populations,
                   const utility_job *job)
{
    size_t columns = job->spread->published->sensitive_count;

    populations->count = 0;
    for (size_t i = 0; i < job->predicates->count; i++) {
        populations->count += job->trees[i].count;
    }
    for (size_t j = 0; j < columns; j++) {
        out[j] = (shoal_i_utility_loss){.name = job->spread->published->sensitive[j].name};
        for (size_t i = 0; i < job->predicates->count; i++) {
            out[j].mean += job->trees[i].sums[j];
            out[j].highest = fmax(out[j].highest, job->trees[i].highest[j]);
        }
        out[j].mean = populations->count > 0 ? out[j].mean / (double)populations->count : 0;
    }
}

shoal_status shoal_i_utility_loss_measure(shoal_ctx *ctx, shoal_i_utility_loss *out,
                                          shoal_i_populations *populations,
                                          const shoal_i_spread *spread,
                                          const shoal_i_sensitive *truth,
                                          const shoal_i_population_options *options)
{
    shoal_status st = SHOAL_OK;
    double min_support = options->min_support;
    const shoal_i_quasi *quasi = spread->published->release->quasi;
    shoal_i_predicates predicates = {0};
    uint64_t found = 0;
    utility_job job = {
        .spread = spread, .truth = truth, .predicates = &predicates, .populations = &found};

    if (!(min_support > 0 && min_support <= 1)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The minimum support of a population is a share of the records, "
                            "above 0 and at most 1; got %g.",
                            min_support);
    }
    double least = floor(min_support * (double)shoal_table_row_count(quasi->table));

    job.support = least > 1 ? (uint32_t)least : 1;
    *populations = (shoal_i_populations){.support = job.support};
    SHOAL_TRY(shoal_i_predicates_find(ctx, &predicates, quasi, options->trees, job.support));
    SHOAL_TRY(find_shares(ctx, &job));
    SHOAL_TRY(init_trees(ctx, &job));
    SHOAL_TRY(shoal_i_parallel_for(ctx, predicates.count, walk_tree, &job));
    add_up(out, populations, &job);
done:
    clear_job(&job);
    shoal_i_predicates_clear(&predicates);
    return st;
}

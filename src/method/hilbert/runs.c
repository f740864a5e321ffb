#include "runs.h"

#include "../../base/pool.h"
#include "../../box/scan.h"
#include "long_runs.h"

#include <string.h>

/* Starts whose runs one task measures at most, and tasks that there are at least to measure
 * the starts of a block. */
#define CHUNK 1024
#define TASKS_LEAST 8

/* Penalties that are kept at a time: of few starts, where runs may be long. */
#define PENALTIES_MOST ((size_t)1 << 21)

/* Records that are counted in all when the requirement looks at more than sizes: bounds how far
 * a start looks for runs that hold. */
#define COUNTED_MOST ((size_t)1 << 27)

/* The shortest run from which on a search that looks at few ends takes
 * less time than a look at all of them. */
#define LONG_LEAST 256
#define COUNTED_LEAST 32 /* where the requirement looks at more than sizes: on average */

#define NO_COST INT64_MAX

typedef struct finder {
    const shoal_i_problem *problem;
    const shoal_i_lanes *lanes;
    const int32_t *rows;
    const uint32_t *order;
    size_t count;
    size_t shortest; /* run that can hold */
    size_t longest;  /* run that is looked at */
    bool is_size_enough;
    int64_t *best;    /* of the places from j on */
    uint32_t *length; /* of the run from j in it */
    uint32_t *greedy; /* length of the greedy run that starts at j; 0: none */
    int32_t *box;     /* of a greedy run: two rows, and a climb */
    size_t block;     /* starts that are worked on at a time, */
    size_t chunk;     /* by one task */
    size_t first;     /* of the block that is worked on */
    size_t end;
    /* per start of the block, of the lengths shortest..longest; below 0: none */
    int32_t *penalties;
} finder;

static size_t lengths_per_start(const finder *f)
{
    return f->longest - f->shortest + 1;
}

static int32_t *penalties_of(const finder *f, size_t start)
{
    return f->penalties + (start - f->first) * lengths_per_start(f);
}

/* How long a run from a start can be at most. */
static size_t reach(const finder *f, size_t start)
{
    return f->count - start < f->longest ? f->count - start : f->longest;
}

/* --- Penalties of runs. ------------------------------------------------------------------- */

typedef struct scratch {
    int32_t *rows;  /* of a chunk and what its runs reach, in order */
    int32_t *grown; /* per length, from 1 on */
    int32_t *climb;
    shoal_i_tally tally;
} scratch;

static void scratch_clear(scratch *w)
{
    free(w->rows);
    free(w->grown);
    free(w->climb);
    shoal_i_tally_clear(&w->tally);
}

static shoal_status scratch_init(shoal_ctx *ctx, scratch *w, const finder *f, size_t places)
{
    shoal_status st = SHOAL_OK;
    size_t cells = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, places, f->lanes->count));
    SHOAL_ALLOC(ctx, w->rows, cells);
    SHOAL_ALLOC(ctx, w->grown, f->longest);
    SHOAL_ALLOC(ctx, w->climb, f->lanes->count);
    SHOAL_TRY(shoal_i_tally_init(ctx, &w->tally, f->problem->source));
done:
    return st;
}

/* Find out which of the runs from a start hold, and give the others a penalty below 0. Returns
 * the longest to be looked at: less than twice the shortest that holds. */
static size_t judge_lengths(const finder *f, scratch *w, size_t start, int32_t *penalties)
{
    size_t last = reach(f, start);

    shoal_i_tally_empty(&w->tally);
    for (size_t length = 1; length <= last; length++) {
        shoal_i_tally_add(&w->tally, f->order[start + length - 1]);
        if (length < f->shortest) {
            continue;
        }
        bool holds = shoal_i_requirement_holds(f->problem->requirements, &w->tally.stats);

        penalties[length - f->shortest] = holds ? 0 : -1;
        if (holds && 2 * length - 1 < last) {
            last = 2 * length - 1;
        }
    }
    for (size_t length = last + 1; length <= f->longest; length++) {
        penalties[length - f->shortest] = -1;
    }
    return last;
}

static void measure_start(const finder *f, scratch *w, size_t start, const int32_t *rows)
{
    shoal_i_probe probe = {.climb = w->climb};
    int32_t *penalties = penalties_of(f, start);
    size_t last = reach(f, start);

    if (last < f->shortest) {
        return;
    }
    if (f->is_size_enough) {
        memset(penalties, 0, lengths_per_start(f) * sizeof *penalties);
    } else {
        last = judge_lengths(f, w, start, penalties);
    }
    shoal_i_probe_set(&probe, f->lanes, rows, rows, rows);
    f->lanes->kernels->grow(w->grown, f->lanes, w->climb, rows, last);
    for (size_t length = f->shortest; length <= last; length++) {
        penalties[length - f->shortest] |= w->grown[length - 1]; /* -1 stays -1 */
    }
}

static shoal_status measure_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    const finder *f = payload;
    size_t lanes = f->lanes->count;
    size_t first = f->first + index * f->chunk;
    size_t end = f->end - first < f->chunk ? f->end : first + f->chunk;
    size_t places = end - first + reach(f, end);
    scratch w = {0};

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    SHOAL_TRY(scratch_init(ctx, &w, f, places));
    for (size_t i = 0; i < places; i++) {
        memcpy(w.rows + i * lanes, f->rows + (size_t)f->order[first + i] * lanes,
               lanes * sizeof *w.rows);
    }
    for (size_t start = first; start < end; start++) {
        measure_start(f, &w, start, w.rows + (start - first) * lanes);
    }
done:
    scratch_clear(&w);
    return st;
}

/* --- The greedy runs. --------------------------------------------------------------------- */

/* Let the records from `rest` on, which do not hold, join the runs before them until they do.
 * starts: of the runs, count of them. */
static void close_end(const finder *f, shoal_i_tally *tally, const uint32_t *starts,
                      size_t count, size_t rest)
{
    size_t start = rest;

    while (count > 0 && !shoal_i_requirement_holds(f->problem->requirements, &tally->stats)) {
        size_t before = starts[--count];

        shoal_i_tally_add_list(tally, f->order + before, start - before);
        f->greedy[start] = 0;
        start = before;
    }
    f->greedy[start] = (uint32_t)(f->count - start);
}

static shoal_status find_greedy(shoal_ctx *ctx, finder *f)
{
    shoal_status st = SHOAL_OK;
    shoal_i_tally tally = {0};
    uint32_t *starts = NULL;
    size_t runs = 0;
    size_t start = 0;

    SHOAL_ALLOC(ctx, f->greedy, f->count);
    SHOAL_ALLOC(ctx, starts, f->count);
    SHOAL_TRY(shoal_i_tally_init(ctx, &tally, f->problem->source));
    for (size_t i = 0; i < f->count; i++) {
        shoal_i_tally_add(&tally, f->order[i]);
        if (i + 1 - start >= f->shortest &&
            shoal_i_requirement_holds(f->problem->requirements, &tally.stats)) {
            f->greedy[start] = (uint32_t)(i + 1 - start);
            starts[runs++] = (uint32_t)start;
            start = i + 1;
            shoal_i_tally_empty(&tally);
        }
    }
    if (start < f->count) {
        close_end(f, &tally, starts, runs, start);
    }
done:
    free(starts);
    shoal_i_tally_clear(&tally);
    return st;
}

/* The penalty of the greedy run from a start, however long it is. */
static int32_t measure_greedy(const finder *f, size_t start)
{
    size_t lanes = f->lanes->count;
    int32_t *lo = f->box;
    int32_t *hi = f->box + lanes;
    const int32_t *row = f->rows + (size_t)f->order[start] * lanes;
    shoal_i_probe probe = {.climb = f->box + 2 * lanes};
    int32_t grown[2];

    memcpy(lo, row, lanes * sizeof *lo);
    memcpy(hi, row, lanes * sizeof *hi);
    for (size_t i = start + 1; i < start + f->greedy[start]; i++) {
        const int32_t *other = f->rows + (size_t)f->order[i] * lanes;

        shoal_i_box_join(f->lanes, lo, hi, other, other);
    }
    shoal_i_probe_set(&probe, f->lanes, lo, hi, row);
    f->lanes->kernels->grow(grown, f->lanes, probe.climb, lo, 2);
    return grown[1];
}

/* --- The best partition. ------------------------------------------------------------------ */

static void take_if_better(finder *f, size_t start, size_t length, int32_t penalty)
{
    int64_t rest = f->best[start + length];

    if (rest != NO_COST && rest + (int64_t)length * penalty < f->best[start]) {
        f->best[start] = rest + (int64_t)length * penalty;
        f->length[start] = (uint32_t)length;
    }
}

/* Whether the greedy run from a start is none of those that were measured. */
static bool is_greedy_left_out(const finder *f, size_t start)
{
    size_t length = f->greedy ? f->greedy[start] : 0;

    return length > 0 &&
           (length > f->longest || penalties_of(f, start)[length - f->shortest] < 0);
}

static void choose_length(finder *f, size_t start)
{
    const int32_t *penalties = penalties_of(f, start);
    size_t last = reach(f, start);

    f->best[start] = NO_COST;
    for (size_t length = f->shortest; length <= last; length++) {
        if (penalties[length - f->shortest] >= 0) {
            take_if_better(f, start, length, penalties[length - f->shortest]);
        }
    }
    if (is_greedy_left_out(f, start)) {
        take_if_better(f, start, f->greedy[start], measure_greedy(f, start));
    }
}

/* Measure the runs that start in the block, all together, then choose among them from the
 * back. */
static shoal_status solve_block(shoal_ctx *ctx, finder *f)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_parallel_for(ctx, (f->end - f->first + f->chunk - 1) / f->chunk,
                                   measure_chunk, f));
    for (size_t start = f->end; start-- > f->first;) {
        choose_length(f, start);
    }
done:
    return st;
}

static shoal_status init_finder(shoal_ctx *ctx, finder *f)
{
    shoal_status st = SHOAL_OK;
    size_t cells = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, f->block, lengths_per_start(f)));
    SHOAL_ALLOC(ctx, f->penalties, cells);
    SHOAL_ALLOC(ctx, f->best, f->count + 1);
    SHOAL_ALLOC(ctx, f->box, 3 * f->lanes->count);
done:
    return st;
}

static void clear_finder(finder *f)
{
    free(f->penalties);
    free(f->best);
    free(f->length);
    free(f->greedy);
    free(f->box);
}

/* How long runs may be: all lengths of an optimal partition, where sizes are enough; otherwise
 * as the records to be counted allow, in a part of the table as in the whole. */
static void set_lengths(finder *f)
{
    uint64_t smallest = shoal_i_requirement_smallest_class(f->problem->requirements);

    f->shortest = smallest < f->count ? (size_t)smallest : f->count;
    f->longest = 2 * f->shortest - 1;
    if (!f->is_size_enough && COUNTED_MOST / f->problem->source->row_count > f->longest) {
        f->longest = COUNTED_MOST / f->problem->source->row_count;
    }
    f->longest = f->longest < f->count ? f->longest : f->count;
}

/* How many starts are measured at a time. */
static void choose_block(finder *f)
{
    size_t block = PENALTIES_MOST / lengths_per_start(f);

    block = block > 0 ? block : 1;
    f->block = block < f->count ? block : f->count;
    f->chunk = f->block / TASKS_LEAST < CHUNK ? f->block / TASKS_LEAST : CHUNK;
    f->chunk = f->chunk > 0 ? f->chunk : 1;
}

/* Whether runs are so long that not all of them are looked at. */
static bool are_runs_long(const finder *f)
{
    size_t runs = 0;

    for (size_t start = 0; !f->is_size_enough && start < f->count; start++) {
        runs += f->greedy[start] > 0;
    }
    return runs > 0 ? f->count / runs >= COUNTED_LEAST : f->shortest >= LONG_LEAST;
}

/* Measure all runs of a block of starts, one block after the other, from the back. */
static shoal_status find_by_blocks(shoal_ctx *ctx, finder *f, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;

    choose_block(f);
    SHOAL_TRY(init_finder(ctx, f));
    for (f->end = f->count; f->end > 0; f->end = f->first) {
        f->first = f->end > f->block ? f->end - f->block : 0;
        SHOAL_TRY(solve_block(ctx, f));
        SHOAL_TRY(shoal_i_meter_add(ctx, meter, f->end - f->first));
    }
done:
    return st;
}

shoal_status shoal_i_runs_greedy(shoal_ctx *ctx, uint8_t *is_start, double *counted,
                                 const shoal_i_problem *problem, const uint32_t *order)
{
    shoal_status st = SHOAL_OK;
    finder f = {.problem = problem, .order = order, .count = problem->row_count};

    *counted = 0;
    set_lengths(&f);
    SHOAL_TRY(find_greedy(ctx, &f));
    for (size_t start = 0; start < f.count; start += f.greedy[start]) {
        size_t length = f.greedy[start] < f.longest ? f.greedy[start] : f.longest;

        is_start[start] = 1;
        *counted += (double)f.greedy[start] * (double)(length - f.shortest);
    }
done:
    clear_finder(&f);
    return st;
}

shoal_status shoal_i_runs_find(shoal_ctx *ctx, uint8_t *is_start,
                               const shoal_i_problem *problem, const shoal_i_lanes *lanes,
                               const int32_t *rows, const uint32_t *order, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    finder f = {
        .problem = problem,
        .lanes = lanes,
        .rows = rows,
        .order = order,
        .count = problem->row_count,
        .is_size_enough = problem->source->active_count == 0,
    };

    set_lengths(&f);
    SHOAL_ALLOC(ctx, f.length, f.count);
    if (!f.is_size_enough) {
        SHOAL_TRY(find_greedy(ctx, &f));
    }
    if (are_runs_long(&f)) {
        const shoal_i_run_lengths lengths = {f.shortest, f.longest, f.greedy};

        SHOAL_TRY(shoal_i_long_runs_find(ctx, f.length, problem, lanes, rows, order, &lengths,
                                         meter));
    } else {
        SHOAL_TRY(find_by_blocks(ctx, &f, meter));
    }
    for (size_t start = 0; start < f.count; start += f.length[start]) {
        is_start[start] = 1;
    }
done:
    clear_finder(&f);
    return st;
}

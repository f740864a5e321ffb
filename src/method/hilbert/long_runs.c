#include "long_runs.h"

#include "../../base/pool.h"
#include "rests.h"
#include "run_check.h"

#include <string.h>

/* Starts that are solved between two looks at the meter; tasks that solve them at least, and
 * starts of a task at least and at most. */
#define BLOCK 16384
#define TASKS_LEAST 8
#define CHUNK_LEAST 32
#define CHUNK_MOST 256
#define CHUNK_COUNTED 2048 /* where the records of a run are counted first */

/* Starts between two looks at whether to go on. */
#define ASK_EVERY 64

typedef struct finder {
    const shoal_i_problem *problem;
    const shoal_i_lanes *lanes;
    const uint32_t *order;
    size_t count;
    size_t shortest;
    size_t longest;
    bool is_counted; /* the requirement looks at more than sizes */
    bool is_line;    /* see below */
    const uint32_t *greedy;
    uint32_t *length;
    shoal_i_run_boxes boxes;
    shoal_i_rests rests;
    size_t first; /* of the starts that are solved now */
    size_t end;
    size_t chunk; /* starts of a task */
} finder;

/* The search for the end of a run. */
typedef struct walk {
    size_t start;
    size_t last;  /* end that is looked at */
    size_t place; /* next end to be looked at */
    int32_t *box; /* of the run that ends there, and room for the rows of a leaf behind it */
    int32_t penalty;
    int32_t *climb;
    int32_t *grown;          /* penalties of the runs that end in a leaf */
    int32_t *tried;          /* a box */
    int64_t cost;            /* of the best end so far, or one more than what is possible */
    size_t end;              /* that end; 0: none yet */
    int32_t *end_box;        /* of that run, or a larger one of the same penalty; */
    size_t known_from;       /* the start it belongs to; SIZE_MAX: none */
    shoal_i_run_check check; /* of ends that would be cheaper */
} walk;

static void walk_clear(walk *w)
{
    free(w->box);
    free(w->climb);
    free(w->grown);
    free(w->tried);
    free(w->end_box);
    shoal_i_run_check_clear(&w->check);
}

static shoal_status walk_init(shoal_ctx *ctx, walk *w, const finder *f)
{
    shoal_status st = SHOAL_OK;
    size_t lanes = f->lanes->count;
    size_t width = shoal_i_level_width(0);

    *w = (walk){.known_from = SIZE_MAX};
    SHOAL_ALLOC(ctx, w->box, (2 + width) * lanes);
    SHOAL_ALLOC(ctx, w->climb, lanes);
    SHOAL_ALLOC(ctx, w->grown, 2 + width);
    SHOAL_ALLOC(ctx, w->tried, 2 * lanes);
    SHOAL_ALLOC(ctx, w->end_box, 2 * lanes);
    if (f->is_counted) {
        SHOAL_TRY(shoal_i_run_check_init(ctx, &w->check, f->problem, f->order));
    }
done:
    return st;
}

/* The penalty of a box around the start: of what grows from its lo row to its hi row. */
static int32_t measure(const finder *f, const walk *w, const int32_t *box)
{
    int32_t grown[2];

    f->lanes->kernels->grow(grown, f->lanes, w->climb, box, 2);
    return grown[1];
}

static void copy_box(const finder *f, int32_t *to, const int32_t *from)
{
    memcpy(to, from, 2 * f->lanes->count * sizeof *to);
}

/* Whether the run to an end, not shorter than the shortest, holds. */
static bool does_hold(const finder *f, walk *w, size_t end)
{
    return !f->is_counted || shoal_i_run_holds(&w->check, w->start, end);
}

/* The least that the ends of a stretch cost, given the penalty at the first of them. */
static int64_t bound(const finder *f, const walk *w, size_t level, size_t *end)
{
    size_t stretch = w->place / shoal_i_level_width(level);
    int64_t least = shoal_i_rests_least(&f->rests, level, stretch, w->penalty, end);

    return least == SHOAL_I_NO_COST ? least : least - (int64_t)w->start * w->penalty;
}

/* The places up to before `next` join the run. */
static void move_on(const finder *f, walk *w, size_t next)
{
    if (next <= w->last) {
        shoal_i_run_boxes_join(&f->boxes, w->box, w->place, next);
        w->penalty = measure(f, w, w->box);
    }
    w->place = next;
}

/* Settle a stretch without a look at its ends, if that can be. */
static bool pass_stretch(const finder *f, walk *w, size_t level)
{
    size_t next = w->place + shoal_i_level_width(level);
    size_t end = 0;
    int64_t least = bound(f, w, level, &end);

    if (least >= w->cost) {
        move_on(f, w, next);
        return true;
    }
    copy_box(f, w->tried, w->box);
    shoal_i_run_boxes_join(&f->boxes, w->tried, w->place, next < f->count ? next : f->count);
    if (measure(f, w, w->tried) != w->penalty || !does_hold(f, w, end)) {
        return false;
    }
    w->cost = least;
    w->end = end;
    copy_box(f, w->end_box, w->tried);
    copy_box(f, w->box, w->tried);
    w->place = next;
    return true;
}

/* Look at the ends of a leaf one by one, from the place on to before `next`. */
static void look_at_ends(const finder *f, walk *w, size_t next)
{
    size_t lanes = f->lanes->count;
    size_t before = w->end;

    for (size_t place = w->place; place + 1 < next; place++) {
        memcpy(w->box + (2 + place - w->place) * lanes, shoal_i_run_row(&f->boxes, place),
               lanes * sizeof *w->box);
    }
    f->lanes->kernels->grow(w->grown, f->lanes, w->climb, w->box, 1 + next - w->place);
    for (size_t end = w->place; end < next; end++) {
        int64_t rest = f->rests.best[end];
        int64_t own = (int64_t)(end - w->start) * w->grown[1 + end - w->place];

        if (rest != SHOAL_I_NO_COST && rest + own < w->cost && does_hold(f, w, end)) {
            w->cost = rest + own;
            w->end = end;
        }
    }
    if (w->end != before) {
        copy_box(f, w->end_box, w->box);
        shoal_i_run_boxes_join(&f->boxes, w->end_box, w->place, w->end);
    }
}

static void pass_leaf(const finder *f, walk *w)
{
    size_t width = shoal_i_level_width(0);
    size_t next = (w->place / width + 1) * width;
    size_t end = 0;

    next = next <= w->last ? next : w->last + 1;
    if (bound(f, w, 0, &end) < w->cost) {
        look_at_ends(f, w, next);
    }
    move_on(f, w, next);
}

/* Settle the largest stretch at the place that can be. */
static void step(const finder *f, walk *w)
{
    size_t level = 1;

    while (level < f->boxes.level_count && w->place % shoal_i_level_width(level) == 0 &&
           w->last - w->place >= shoal_i_level_width(level) - 1) {
        level++;
    }
    while (--level > 0) {
        if (pass_stretch(f, w, level)) {
            return;
        }
    }
    pass_leaf(f, w);
}

/* What the run to an end costs, with the rest; the box around it in end_box. */
static int64_t cost_of(const finder *f, const walk *w, size_t end)
{
    int64_t rest = f->rests.best[end];

    return rest == SHOAL_I_NO_COST
               ? rest
               : rest + (int64_t)(end - w->start) * measure(f, w, w->end_box);
}

/* Whether it is among the ends that are looked at, and holds. */
static bool is_possible(const finder *f, walk *w, size_t end)
{
    return end >= w->place && end <= w->last && does_hold(f, w, end);
}

/* The cost of a run as long as that from the start behind the block. */
static int64_t cost_of_guess(const finder *f, walk *w)
{
    size_t end = f->end < f->count ? w->start + f->length[f->end] : 0;

    if (!is_possible(f, w, end)) {
        return SHOAL_I_NO_COST;
    }
    copy_box(f, w->end_box, w->box);
    shoal_i_run_boxes_join(&f->boxes, w->end_box, w->place, end);
    return cost_of(f, w, end);
}

/* The cost of the run that ends where that from the next start does, which was solved
 * before. */
static int64_t cost_of_next(const finder *f, walk *w)
{
    if (!is_possible(f, w, w->end)) {
        return SHOAL_I_NO_COST;
    }
    shoal_i_run_boxes_join(&f->boxes, w->end_box, w->start, w->start + 1);
    return cost_of(f, w, w->end);
}

/* Begin with a start, with the runs that end from `first` to `last`. */
static void begin_walk(const finder *f, walk *w, size_t start, size_t first, size_t last)
{
    const int32_t *row = shoal_i_run_row(&f->boxes, start);
    size_t lanes = f->lanes->count;
    shoal_i_probe probe = {.climb = w->climb};

    w->start = start;
    w->place = first;
    w->last = last;
    shoal_i_probe_set(&probe, f->lanes, row, row, row);
    memcpy(w->box, row, lanes * sizeof *row);
    memcpy(w->box + lanes, row, lanes * sizeof *row);
    shoal_i_run_boxes_join(&f->boxes, w->box, start + 1, first);
    w->penalty = measure(f, w, w->box);
}

/* The best end from `first` to `last`. */
static void solve_start(const finder *f, walk *w, size_t start, size_t first, size_t last)
{
    begin_walk(f, w, start, first, last);
    w->cost = w->known_from == start + 1 ? cost_of_next(f, w) : cost_of_guess(f, w);
    w->cost += w->cost < SHOAL_I_NO_COST;
    w->end = 0;
    while (w->place <= last) {
        step(f, w);
    }
    w->known_from = w->end > 0 ? start : SIZE_MAX;
    f->rests.best[start] = w->cost;
    f->length[start] = w->end > 0 ? (uint32_t)(w->end - start) : 0;
}

static size_t first_end(const finder *f, size_t start)
{
    return start + f->shortest;
}

static size_t last_end(const finder *f, size_t start)
{
    return f->count - start < f->longest ? f->count : start + f->longest;
}

/* --- Records on a line. -------------------------------------------------------------------
 *
 * Where no lane ever falls from one place to the next, as with a single numeric column, every
 * record makes the box grow, and bounds are poor: many ends cost nearly the same. But there the
 * costs of runs meet the quadrangle inequality: for a < b < c < d
 *
 *     cost(a, c) + cost(b, d) <= cost(a, d) + cost(b, c)
 *
 * since both factors, records and penalty, add up along the line. So the best end of a start is
 * never before that of a smaller start (F. F. Yao, "Efficient dynamic programming using
 * quadrangle inequalities", STOC 1980, doi:10.1145/800141.804691), ties included. A start
 * between two that are solved has only the ends between theirs to look at. */

static bool is_line(const finder *f)
{
    size_t lanes = f->lanes->count;
    const int32_t *first = shoal_i_run_row(&f->boxes, 0);
    const int32_t *last = shoal_i_run_row(&f->boxes, f->count - 1);

    for (size_t place = 1; place < f->count; place++) {
        const int32_t *before = shoal_i_run_row(&f->boxes, place - 1);
        const int32_t *row = shoal_i_run_row(&f->boxes, place);

        for (size_t lane = 0; lane < lanes; lane++) {
            if (row[lane] < before[lane]) {
                return false;
            }
        }
    }
    for (size_t lane = 0; lane < lanes; lane++) {
        int32_t most = f->lanes->is_tree[lane] ? 0 : f->lanes->most[lane];

        if (last[lane] - first[lane] > most) {
            return false;
        }
    }
    return true;
}

/* Solve the starts from `first` to before `end`, whose best ends are not before `from` nor
 * behind `to`: the one in the middle, then either side. */
static void solve_line(const finder *f, walk *w, size_t first, size_t end, size_t from,
                       size_t to)
{
    if (first >= end) {
        return;
    }
    size_t start = first + (end - first) / 2;
    size_t least = first_end(f, start) > from ? first_end(f, start) : from;
    size_t most = last_end(f, start) < to ? last_end(f, start) : to;

    solve_start(f, w, start, least, most);
    size_t found = w->end; /* 0: no partition starts here */

    solve_line(f, w, start + 1, end, found > 0 ? found : from, to);
    solve_line(f, w, first, start, from, found > 0 ? found : to);
}

/* --- Requirements that look at more than sizes. ------------------------------------------- */

/* The length of the shortest run that holds; 0: none does. */
static uint32_t find_shortest(const finder *f, shoal_i_run_check *check, size_t start)
{
    for (size_t end = first_end(f, start); end <= last_end(f, start); end++) {
        if (shoal_i_run_holds(check, start, end)) {
            return (uint32_t)(end - start);
        }
    }
    return 0;
}

static shoal_status find_shortest_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    const finder *f = payload;
    size_t first = index * CHUNK_COUNTED;
    size_t end = f->count - first < CHUNK_COUNTED ? f->count : first + CHUNK_COUNTED;
    shoal_i_run_check check = {0};

    SHOAL_TRY(shoal_i_run_check_init(ctx, &check, f->problem, f->order));
    for (size_t start = end; start-- > first;) {
        if (start % ASK_EVERY == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
        f->length[start] = find_shortest(f, &check, start);
    }
done:
    shoal_i_run_check_clear(&check);
    return st;
}

/* Fill length with those of the shortest runs. */
static shoal_status find_all_shortest(shoal_ctx *ctx, finder *f)
{
    return shoal_i_parallel_for(ctx, (f->count + CHUNK_COUNTED - 1) / CHUNK_COUNTED,
                                find_shortest_chunk, f);
}

/* The greedy run, if it was not among those that were looked at and is cheaper than they. */
static void try_greedy(const finder *f, walk *w, size_t start)
{
    size_t end = start + f->greedy[start];

    begin_walk(f, w, start, end, end);
    copy_box(f, w->end_box, w->box);
    int64_t cost = cost_of(f, w, end);

    if (cost < f->rests.best[start]) {
        f->rests.best[start] = cost;
        f->length[start] = f->greedy[start];
    }
    w->known_from = SIZE_MAX;
}

/* Ends from that of the shortest run that holds, whose length is known, to less than twice that
 * length. */
static void solve_counted(const finder *f, walk *w, size_t start)
{
    size_t shortest = f->length[start];
    size_t last = last_end(f, start);

    if (shortest > 0) {
        last = last - start < 2 * shortest - 1 ? last : start + 2 * shortest - 1;
        solve_start(f, w, start, start + shortest, last);
    } else {
        w->known_from = SIZE_MAX;
        f->rests.best[start] = SHOAL_I_NO_COST;
    }
    if (f->greedy[start] > 0 && (shortest == 0 || start + f->greedy[start] > last)) {
        try_greedy(f, w, start);
    }
}

/* --- All starts. -------------------------------------------------------------------------- */

/* Solve the starts from `first` to before `end`. */
static shoal_status solve_starts(shoal_ctx *ctx, const finder *f, walk *w, size_t first,
                                 size_t end)
{
    shoal_status st = SHOAL_OK;

    while (end > first && f->count - (end - 1) < f->shortest) {
        f->rests.best[--end] = SHOAL_I_NO_COST;
    }
    if (f->is_line) {
        solve_line(f, w, first, end, 0, f->count);
        end = first;
    }
    for (size_t start = end; start-- > first;) {
        if (start % ASK_EVERY == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
        if (f->is_counted) {
            solve_counted(f, w, start);
        } else {
            solve_start(f, w, start, first_end(f, start), last_end(f, start));
        }
    }
done:
    return st;
}

static shoal_status solve_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    const finder *f = payload;
    size_t first = f->first + index * f->chunk;
    size_t end = f->end - first < f->chunk ? f->end : first + f->chunk;
    walk w = {0};

    SHOAL_TRY(walk_init(ctx, &w, f));
    SHOAL_TRY(solve_starts(ctx, f, &w, first, end));
done:
    walk_clear(&w);
    return st;
}

/* Whether a run from a start, which is not solved yet, may end before f->end. The greedy one
 * does if it is longer than all that are looked at, and these do not hold. */
static bool ends_within(const finder *f, size_t start)
{
    size_t shortest = f->length[start] > 0 ? f->length[start] : f->greedy[start];

    return shortest > 0 && start + shortest < f->end;
}

/* The first start of the block that ends before f->end: no run of the block ends within it. */
static size_t find_block(const finder *f)
{
    size_t most = f->is_counted ? BLOCK : f->shortest < BLOCK ? f->shortest : BLOCK;
    size_t first = f->end - 1;

    while (first > 0 && f->end - first < most &&
           !(f->is_counted && ends_within(f, first - 1))) {
        first--;
    }
    return first;
}

/* Solve the starts of a block; by one task, which goes on where it was, if they are few. */
static shoal_status solve_block(shoal_ctx *ctx, finder *f, walk *w)
{
    shoal_status st = SHOAL_OK;
    size_t count = f->end - f->first;

    if (count <= f->chunk) {
        SHOAL_TRY(solve_starts(ctx, f, w, f->first, f->end));
    } else {
        SHOAL_TRY(shoal_i_parallel_for(ctx, (count + f->chunk - 1) / f->chunk, solve_chunk, f));
    }
    for (size_t start = f->end; start-- > f->first;) {
        shoal_i_rests_add(&f->rests, start);
    }
done:
    return st;
}

static size_t choose_chunk(const finder *f)
{
    size_t chunk = (f->is_counted ? BLOCK : f->shortest) / TASKS_LEAST;
    size_t most = f->is_counted ? CHUNK_COUNTED : CHUNK_MOST;

    chunk = chunk > CHUNK_LEAST ? chunk : CHUNK_LEAST;
    return chunk < most ? chunk : most;
}

shoal_status shoal_i_long_runs_find(shoal_ctx *ctx, uint32_t *length,
                                    const shoal_i_problem *problem, const shoal_i_lanes *lanes,
                                    const int32_t *rows, const uint32_t *order,
                                    const shoal_i_run_lengths *lengths, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    finder f = {.problem = problem,
                .lanes = lanes,
                .order = order,
                .count = problem->row_count,
                .shortest = lengths->shortest,
                .longest = lengths->longest,
                .greedy = lengths->greedy,
                .is_counted = lengths->greedy != NULL,
                .length = length};
    size_t levels = shoal_i_level_count(f.longest - f.shortest + 1);
    walk w = {0};

    SHOAL_TRY(shoal_i_run_boxes_init(ctx, &f.boxes, lanes, rows, order, f.count, levels));
    SHOAL_TRY(shoal_i_rests_init(ctx, &f.rests, f.count, levels));
    shoal_i_rests_add(&f.rests, f.count);
    f.chunk = choose_chunk(&f);
    f.is_line = !f.is_counted && is_line(&f);
    SHOAL_TRY(walk_init(ctx, &w, &f));
    if (f.is_counted) {
        SHOAL_TRY(find_all_shortest(ctx, &f));
    }
    for (f.end = f.count; f.end > 0; f.end = f.first) {
        f.first = find_block(&f);
        SHOAL_TRY(solve_block(ctx, &f, &w));
        SHOAL_TRY(shoal_i_meter_add(ctx, meter, f.end - f.first));
    }
done:
    walk_clear(&w);
    shoal_i_run_boxes_clear(&f.boxes);
    shoal_i_rests_clear(&f.rests);
    return st;
}

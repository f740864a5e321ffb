#include "cell_hunt.h"

#include "hunted_group.h"

#include "../base/fail.h"
#include "../base/pool.h"
#include "../base/random.h"

#include <assert.h>
#include <string.h>

/* Tasks at least, if coverings are enough to tell so many apart. */
#define TASKS 64

/* Tasks that are done before it is asked whether there were too many visits already, and the
 * part of all visits that one of them may take. */
#define WAVE 16
#define TASK_SHARE 0.25

/* Points that pay this part of what they would lose in a cell, and so many times as many
 * records as its smallest class has, may come to matter there. */
#define NEARLY 0.6
#define SPARE_LOAD 4

/* A part of the group that is being sorted out. */
typedef struct part {
    uint64_t load; /* records */
    uint32_t count;
    uint32_t at;    /* where the next point of the part goes in the list */
    uint32_t step;  /* to the one after it; 0: all go where none is looked for */
    uint32_t finer; /* the part of one of them in the covering before */
    uint32_t low;   /* the smallest and the largest value */
    uint32_t high;
    bool is_wanted;
    bool differ; /* in the covering before */
} part;

/* What a thread needs. */
typedef struct scratch {
    uint32_t **lists;  /* by depth: points in parts */
    part **parts;      /* by depth: by part */
    uint32_t **wanted; /* by depth: parts that are wanted */
    uint16_t *path;    /* by depth: the covering */
    shoal_i_sort_item *gains;
    shoal_i_sort_item *spare;
    /* Of each rank: */
    int32_t *excess;
    int64_t *best_worths;
    uint64_t *best_keys;
    uint32_t *best_tasks;
    uint16_t *best_paths; /* column_count each */
    int64_t surplus;
    double left;   /* visits that the task may still make */
    double visits; /* that all tasks made */
    bool is_complete;
} scratch;

struct shoal_i_cell_hunt {
    const shoal_i_coverings *coverings;
    shoal_i_hunt_needs needs;
    double visits;   /* of a run at most */
    size_t first;    /* task of the wave */
    size_t *columns; /* in the order in which they are taken */
    size_t prefix;   /* columns whose covering a task has chosen */
    size_t task_count;
    size_t scratch_count;
    scratch *scratches;
    const uint64_t *known; /* numbers of cells, ascending */
    size_t known_count;
    /* The points of a run by rank, highest price first; groups are made of ranks, so that what
     * is read for one point after the other stands side by side: */
    shoal_i_payers payers;
    uint32_t *weights;
    uint32_t *order;  /* the point of each rank */
    uint32_t *ranks;  /* 0, 1, 2, ... */
    uint32_t *values; /* column after column */
    shoal_i_sort_item *items;
};

/* What a task is at. */
typedef struct walk {
    const shoal_i_cell_hunt *hunt;
    scratch *d;
    size_t worker;
    uint32_t task;
} walk;

static void scratch_clear(scratch *d, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        free(d->lists ? d->lists[i] : NULL);
        free(d->parts ? d->parts[i] : NULL);
        free(d->wanted ? d->wanted[i] : NULL);
    }
    free(d->lists);
    free(d->parts);
    free(d->wanted);
    free(d->path);
    free(d->gains);
    free(d->spare);
    free(d->excess);
    free(d->best_worths);
    free(d->best_keys);
    free(d->best_tasks);
    free(d->best_paths);
}

void shoal_i_cell_hunt_free(shoal_i_cell_hunt *h)
{
    if (h) {
        for (size_t i = 0; h->scratches && i < h->scratch_count; i++) {
            scratch_clear(&h->scratches[i], h->coverings->column_count);
        }
        free(h->scratches);
        free(h->columns);
        free(h->payers.all);
        free(h->weights);
        free(h->order);
        free(h->ranks);
        free(h->values);
        free(h->items);
        free(h);
    }
}

static const shoal_i_covered_column *column_at(const shoal_i_cell_hunt *h, size_t depth)
{
    return &h->coverings->columns[h->columns[depth]];
}

/* The values of that column, by rank. */
static const uint32_t *values_at(const shoal_i_cell_hunt *h, size_t depth)
{
    return h->values + h->columns[depth] * h->coverings->points->count;
}

static shoal_status scratch_init(shoal_ctx *ctx, scratch *d, const shoal_i_cell_hunt *h)
{
    shoal_status st = SHOAL_OK;
    size_t columns = h->coverings->column_count;
    size_t points = h->coverings->points->count;

    SHOAL_ALLOC(ctx, d->lists, columns);
    SHOAL_ALLOC(ctx, d->parts, columns);
    SHOAL_ALLOC(ctx, d->wanted, columns);
    SHOAL_ALLOC(ctx, d->path, columns);
    for (size_t i = 0; i < columns; i++) {
        size_t most = column_at(h, i)->value_count;

        SHOAL_ALLOC(ctx, d->lists[i], points + 1);
        SHOAL_ALLOC(ctx, d->parts[i], most);
        SHOAL_ALLOC(ctx, d->wanted[i], most);
    }
    SHOAL_ALLOC(ctx, d->gains, points);
    SHOAL_ALLOC(ctx, d->spare, points);
    SHOAL_ALLOC(ctx, d->excess, points);
    SHOAL_ALLOC(ctx, d->best_worths, points);
    SHOAL_ALLOC(ctx, d->best_keys, points);
    SHOAL_ALLOC(ctx, d->best_tasks, points);
    SHOAL_ALLOC(ctx, d->best_paths, points * columns);
done:
    return st;
}

/* --- The order of columns. ---------------------------------------------------------------- */

/* Columns with few coverings part most for each that is tried, and of these those with many
 * values; numbers have most. */
static bool is_column_before(const shoal_i_covered_column *a, const shoal_i_covered_column *b)
{
    return a->count != b->count ? a->count < b->count : a->value_count > b->value_count;
}

static void order_columns(shoal_i_cell_hunt *h)
{
    const shoal_i_covered_column *columns = h->coverings->columns;

    for (size_t c = 0; c < h->coverings->column_count; c++) {
        size_t at = c;

        for (; at > 0 && is_column_before(&columns[c], &columns[h->columns[at - 1]]); at--) {
            h->columns[at] = h->columns[at - 1];
        }
        h->columns[at] = c;
    }
    h->task_count = 1;
    while (h->prefix < h->coverings->column_count && h->task_count < TASKS) {
        h->task_count *= column_at(h, h->prefix)->count;
        h->prefix++;
    }
}

shoal_status shoal_i_cell_hunt_new(shoal_ctx *ctx, shoal_i_cell_hunt **out,
                                   const shoal_i_coverings *coverings,
                                   const shoal_i_hunt_needs *needs)
{
    shoal_status st = SHOAL_OK;
    shoal_i_cell_hunt *h = NULL;
    size_t points = coverings->points->count;

    *out = NULL;
    SHOAL_ALLOC(ctx, h, 1);
    h->coverings = coverings;
    h->needs = *needs;
    h->payers.smallest = needs->smallest;
    SHOAL_ALLOC(ctx, h->columns, coverings->column_count);
    order_columns(h);
    SHOAL_ALLOC(ctx, h->payers.all, points);
    SHOAL_ALLOC(ctx, h->weights, points);
    SHOAL_ALLOC(ctx, h->order, points);
    SHOAL_ALLOC(ctx, h->ranks, points);
    SHOAL_ALLOC(ctx, h->values, points * coverings->column_count);
    SHOAL_ALLOC(ctx, h->items, 2 * points);
    h->scratch_count = (size_t)shoal_ctx_thread_count(ctx);
    SHOAL_ALLOC(ctx, h->scratches, h->scratch_count);
    for (size_t i = 0; i < h->scratch_count; i++) {
        SHOAL_TRY(scratch_init(ctx, &h->scratches[i], h));
    }
    *out = h;
    h = NULL;
done:
    shoal_i_cell_hunt_free(h);
    return st;
}

/* --- A cell that is worth something. ------------------------------------------------------ */

static bool can_hold(const walk *w, const shoal_i_hunted_group *g)
{
    const shoal_i_hunt_needs *needs = &w->hunt->needs;

    return !needs->can_hold ||
           needs->can_hold(needs->payload, w->worker, w->hunt->order, g->points, g->count);
}

/* Whether some class lies in the cell and in no finer one: its points differ, in each column,
 * in the covering before, or are as far apart as the intervals that the window stands for. */
static bool is_closed(const walk *w, const shoal_i_hunted_group *g)
{
    for (size_t depth = 0; depth < w->hunt->coverings->column_count; depth++) {
        const shoal_i_covered_column *column = column_at(w->hunt, depth);
        const uint32_t *values = values_at(w->hunt, depth);
        size_t at = w->d->path[depth];
        uint32_t first = values[g->points[0]];
        uint32_t low = first;
        uint32_t high = first;
        bool differ = at == 0;
        int32_t loss = column->coverings[at].losses[column->coverings[at].part_of[first]];

        for (size_t i = 1; i < g->count && !differ; i++) {
            uint32_t value = values[g->points[i]];

            low = value < low ? value : low;
            high = value > high ? value : high;
            differ = column->lows ? column->lows[high] - column->highs[low] >= loss
                                  : column->coverings[at - 1].part_of[value] !=
                                        column->coverings[at - 1].part_of[first];
        }
        if (!differ) {
            return false;
        }
    }
    return true;
}

/* The number of the cell that a point is in. */
static uint64_t find_key(const walk *w, uint32_t point)
{
    uint64_t key = 0;

    for (size_t depth = 0; depth < w->hunt->coverings->column_count; depth++) {
        const shoal_i_covered_column *column = column_at(w->hunt, depth);
        size_t at = w->d->path[depth];
        uint32_t number = column->coverings[at].part_of[values_at(w->hunt, depth)[point]];

        key = shoal_i_random_key(shoal_i_random_key(key, at), number);
    }
    return key ? key : 1;
}

/* Whether a cell is one of those that are known. */
static bool is_known(const shoal_i_cell_hunt *h, uint64_t key)
{
    size_t first = 0;
    size_t end = h->known_count;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (h->known[middle] < key) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first < h->known_count && h->known[first] == key;
}

static void take_cell(const walk *w, const shoal_i_hunted_group *g)
{
    const shoal_i_cell_hunt *h = w->hunt;
    scratch *d = w->d;
    size_t columns = h->coverings->column_count;

    if (!is_closed(w, g)) {
        return;
    }
    int64_t worth = shoal_i_hunted_group_appraise(g, h->payers).worth;
    uint64_t key = find_key(w, g->points[0]);

    d->surplus += worth;
    shoal_i_hunted_group_spread_excess(g, h->payers, d->excess, d->gains, d->spare);
    if (is_known(h, key)) {
        return;
    }
    for (size_t i = 0; i < g->count && h->payers.all[g->points[i]].price > g->loss; i++) {
        uint32_t point = g->points[i];

        /* Of equals, that of the first task, whichever thread did it. */
        if (worth > d->best_worths[point] ||
            (worth == d->best_worths[point] && w->task < d->best_tasks[point])) {
            d->best_worths[point] = worth;
            d->best_keys[point] = key;
            d->best_tasks[point] = w->task;
            memcpy(d->best_paths + point * columns, d->path, columns * sizeof *d->path);
        }
    }
}

/* --- The way down. ------------------------------------------------------------------------ */

/* Find the parts of a covering in which somebody could gain; returns how many. */
static size_t find_wanted(const walk *w, size_t depth, const shoal_i_hunted_group *g,
                          const shoal_i_covering *covering)
{
    const shoal_i_covered_column *column = column_at(w->hunt, depth);
    const shoal_i_covering *finer =
        covering > column->coverings && !column->lows ? covering - 1 : NULL;
    const uint32_t *values = values_at(w->hunt, depth);
    uint32_t nowhere = (uint32_t)w->hunt->coverings->points->count;
    part *parts = w->d->parts[depth];
    size_t count = 0;

    for (uint32_t number = 0; number < covering->part_count; number++) {
        parts[number] = (part){.at = nowhere};
    }
    for (size_t i = 0; i < g->count; i++) {
        const shoal_i_payer *who = &w->hunt->payers.all[g->points[i]];

        if (who->price <= g->loss + covering->least) {
            break;
        }
        if (who->spare <= 0) {
            continue;
        }
        uint32_t value = values[g->points[i]];
        uint32_t number = covering->part_of[value];

        if (number == SHOAL_I_NO_PART || covering->losses[number] == SHOAL_I_NO_LOSS ||
            parts[number].is_wanted || who->price <= g->loss + covering->losses[number]) {
            continue;
        }
        parts[number] = (part){.at = nowhere,
                               .is_wanted = true,
                               .finer = finer ? finer->part_of[value] : 0,
                               .low = value,
                               .high = value,
                               .differ = !finer};
        w->d->wanted[depth][count++] = number;
    }
    return count;
}

/* Count what the parts hold, wanted or not: to tell them apart would take longer. */
static void count_tree(const walk *w, size_t depth, const shoal_i_hunted_group *g, size_t at)
{
    const shoal_i_covered_column *column = column_at(w->hunt, depth);
    const uint32_t *part_of = column->coverings[at].part_of;
    const uint32_t *finer = column->coverings[at > 0 ? at - 1 : 0].part_of;
    const uint32_t *values = values_at(w->hunt, depth);
    part *parts = w->d->parts[depth];

    for (size_t i = 0; i < g->count; i++) {
        uint32_t value = values[g->points[i]];
        part *it = &parts[part_of[value]];

        it->count++;
        it->load += w->hunt->weights[g->points[i]];
        it->differ |= finer[value] != it->finer;
    }
}

static void count_windows(const walk *w, size_t depth, const shoal_i_hunted_group *g, size_t at)
{
    const uint32_t *part_of = column_at(w->hunt, depth)->coverings[at].part_of;
    const uint32_t *values = values_at(w->hunt, depth);
    part *parts = w->d->parts[depth];

    for (size_t i = 0; i < g->count; i++) {
        uint32_t value = values[g->points[i]];

        if (part_of[value] != SHOAL_I_NO_PART) {
            part *it = &parts[part_of[value]];

            it->count++;
            it->load += w->hunt->weights[g->points[i]];
            it->low = value < it->low ? value : it->low;
            it->high = value > it->high ? value : it->high;
        }
    }
}

/* Leave out parts that cannot be a cell, and give the others their places in the list. */
static size_t keep_parts(const walk *w, size_t depth, const shoal_i_covering *covering,
                         size_t count)
{
    const shoal_i_covered_column *column = column_at(w->hunt, depth);
    part *parts = w->d->parts[depth];
    uint32_t *wanted = w->d->wanted[depth];
    uint32_t at = 0;
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        part *it = &parts[wanted[i]];
        /* Bins by themselves lose nothing and are as far apart as they are. */
        bool is_far =
            !column->lows || covering == column->coverings ||
            column->lows[it->high] - column->highs[it->low] >= covering->losses[wanted[i]];

        if (it->load >= w->hunt->needs.smallest && it->differ && is_far) {
            it->at = at;
            it->step = 1;
            at += it->count;
            wanted[kept++] = wanted[i];
        }
    }
    return kept;
}

static void fill_list(const walk *w, size_t depth, const shoal_i_hunted_group *g,
                      const shoal_i_covering *covering)
{
    const uint32_t *values = values_at(w->hunt, depth);
    part *parts = w->d->parts[depth];
    uint32_t *list = w->d->lists[depth];

    for (size_t i = 0; i < g->count; i++) {
        uint32_t number = covering->part_of[values[g->points[i]]];

        if (number != SHOAL_I_NO_PART) {
            list[parts[number].at] = g->points[i];
            parts[number].at += parts[number].step;
        }
    }
}

/* Choose a covering for the next column; as deep as there are columns. */
static void descend(const walk *w, size_t depth, const shoal_i_hunted_group *g);

/* Go on with a group that a column has left as it is worth something, if it can hold. */
static void go_on(const walk *w, size_t depth, shoal_i_hunted_group *next)
{
    shoal_i_appraisal found = shoal_i_hunted_group_appraise(next, w->hunt->payers);

    if (found.worth > 0) {
        shoal_i_hunted_group_leave_out(next, w->hunt->payers, found.most);
        if (can_hold(w, next)) {
            descend(w, depth + 1, next);
        }
    }
}

/* Whether the values of a group differ in a covering. */
static bool has_different(const walk *w, size_t depth, const shoal_i_hunted_group *g,
                          const shoal_i_covering *covering)
{
    const uint32_t *values = values_at(w->hunt, depth);
    uint32_t first = covering->part_of[values[g->points[0]]];
    size_t i = 1;

    while (i < g->count && covering->part_of[values[g->points[i]]] == first) {
        i++;
    }
    return i < g->count;
}

/* Sort a group out by a covering of the next column, and go on with each part. */
static void sort_out(const walk *w, size_t depth, const shoal_i_hunted_group *g, size_t at)
{
    scratch *d = w->d;
    const shoal_i_covering *covering = &column_at(w->hunt, depth)->coverings[at];
    size_t count = find_wanted(w, depth, g, covering);

    d->left -= (double)g->count;
    if (column_at(w->hunt, depth)->lows) {
        count_windows(w, depth, g, at);
    } else {
        count_tree(w, depth, g, at);
    }
    count = keep_parts(w, depth, covering, count);
    if (count == 0) {
        return;
    }
    fill_list(w, depth, g, covering);
    for (size_t i = 0; i < count && d->left > 0; i++) {
        uint32_t number = d->wanted[depth][i];
        const part *it = &d->parts[depth][number];
        shoal_i_hunted_group next = {.points = d->lists[depth] + it->at - it->count,
                                     .count = it->count,
                                     .load = it->load,
                                     .loss = g->loss + covering->losses[number]};

        go_on(w, depth, &next);
    }
}

/* Try a covering of the next column, if the group could pay for it. */
static void try_covering(const walk *w, size_t depth, const shoal_i_hunted_group *g, size_t at)
{
    const shoal_i_covered_column *column = column_at(w->hunt, depth);
    const shoal_i_covering *covering = &column->coverings[at];
    shoal_i_hunted_group left = *g;

    if (covering->least == SHOAL_I_NO_LOSS) {
        return;
    }
    left.loss += covering->least;
    shoal_i_appraisal at_least = shoal_i_hunted_group_appraise(&left, w->hunt->payers);

    if (at_least.worth == 0) {
        return;
    }
    shoal_i_hunted_group_leave_out(&left, w->hunt->payers, at_least.most);
    w->d->path[depth] = (uint16_t)at;
    if (covering->part_count > 1 || column->lows || at == 0) {
        left.loss = g->loss;
        sort_out(w, depth, &left, at);
    } else if (has_different(w, depth, &left, covering - 1)) {
        go_on(w, depth, &left); /* the root: all stay together */
    }
}

static void descend(const walk *w, size_t depth, const shoal_i_hunted_group *g)
{
    if (depth == w->hunt->coverings->column_count) {
        take_cell(w, g);
        return;
    }
    size_t count = column_at(w->hunt, depth)->count;

    if (depth < w->hunt->prefix) {
        size_t rest = w->task;

        for (size_t i = 0; i < depth; i++) {
            rest /= column_at(w->hunt, i)->count;
        }
        try_covering(w, depth, g, rest % count);
        return;
    }
    for (size_t at = 0; at < count && w->d->left > 0; at++) {
        try_covering(w, depth, g, at);
    }
}

/* --- Running. ----------------------------------------------------------------------------- */

static shoal_status run_task(shoal_ctx *ctx, void *payload, size_t index)
{
    const shoal_i_cell_hunt *h = payload;
    scratch *d = &h->scratches[ctx->worker];
    walk w = {.hunt = h, .d = d, .worker = ctx->worker, .task = (uint32_t)(h->first + index)};
    shoal_i_hunted_group all = {.points = h->ranks, .count = h->coverings->points->count};
    double may_take = TASK_SHARE * h->visits;

    all.load = h->coverings->points->first[all.count];
    d->left = may_take;
    descend(&w, 0, &all);
    d->visits += may_take - d->left;
    d->is_complete = d->is_complete && d->left > 0;
    return shoal_i_check_cancelled(ctx);
}

/* Run all tasks, unless those of the first waves have made all the visits. */
static shoal_status run_waves(shoal_ctx *ctx, shoal_i_cell_hunt *h, bool *is_complete)
{
    shoal_status st = SHOAL_OK;

    *is_complete = true;
    for (h->first = 0; h->first < h->task_count && *is_complete; h->first += WAVE) {
        size_t left = h->task_count - h->first;
        double visits = 0;

        SHOAL_TRY(shoal_i_parallel_for(ctx, left < WAVE ? left : WAVE, run_task, h));
        for (size_t i = 0; i < h->scratch_count; i++) {
            visits += h->scratches[i].visits;
            *is_complete = *is_complete && h->scratches[i].is_complete;
        }
        *is_complete = *is_complete && visits < h->visits;
    }
done:
    return st;
}

static void line_up(shoal_i_cell_hunt *h, shoal_i_hunt_prices prices)
{
    const shoal_i_distinct *points = h->coverings->points;

    for (uint32_t i = 0; i < points->count; i++) {
        h->items[i] =
            (shoal_i_sort_item){.key = (uint64_t)(INT32_MAX - prices.prices[i]), .item = i};
    }
    shoal_i_sort_items(h->items, h->items + points->count, points->count);
    for (uint32_t rank = 0; rank < points->count; rank++) {
        uint32_t i = h->items[rank].item;
        uint64_t need = h->needs.least ? h->needs.least[i] : h->needs.smallest;

        need = need > h->needs.smallest ? need : h->needs.smallest;
        h->order[rank] = i;
        h->weights[rank] = points->weights[i];
        h->ranks[rank] = rank;
        h->payers.all[rank] =
            (shoal_i_payer){.price = prices.prices[i],
                            .spare = prices.prices[i] - prices.floors[i],
                            .weight = points->weights[i],
                            .need = need < UINT32_MAX ? (uint32_t)need : UINT32_MAX};
        for (size_t c = 0; c < h->coverings->column_count; c++) {
            h->values[c * points->count + rank] = h->coverings->columns[c].values[i];
        }
    }
}

static void scratch_begin(scratch *d, size_t points)
{
    d->surplus = 0;
    d->visits = 0;
    d->is_complete = true;
    memset(d->excess, 0, points * sizeof *d->excess);
    memset(d->best_worths, 0, points * sizeof *d->best_worths);
    memset(d->best_keys, 0, points * sizeof *d->best_keys);
    memset(d->best_tasks, 0, points * sizeof *d->best_tasks);
}

/* Let the first scratch have what is best of both. */
static void scratch_merge(scratch *d, const scratch *other, size_t points, size_t columns)
{
    d->surplus += other->surplus;
    for (size_t i = 0; i < points; i++) {
        d->excess[i] = other->excess[i] > d->excess[i] ? other->excess[i] : d->excess[i];
        if (other->best_worths[i] > d->best_worths[i] ||
            (other->best_worths[i] == d->best_worths[i] &&
             other->best_tasks[i] < d->best_tasks[i])) {
            d->best_worths[i] = other->best_worths[i];
            d->best_keys[i] = other->best_keys[i];
            d->best_tasks[i] = other->best_tasks[i];
            memcpy(d->best_paths + i * columns, other->best_paths + i * columns,
                   columns * sizeof *d->best_paths);
        }
    }
}

shoal_status shoal_i_cell_hunt_run(shoal_ctx *ctx, shoal_i_cell_hunt *h,
                                   shoal_i_hunt_prices prices, double visits, bool *is_complete)
{
    shoal_status st = SHOAL_OK;
    size_t points = h->coverings->points->count;

    line_up(h, prices);
    h->known = prices.known;
    h->known_count = prices.known_count;
    for (size_t i = 0; i < h->scratch_count; i++) {
        scratch_begin(&h->scratches[i], points);
    }
    h->visits = visits;
    SHOAL_TRY(run_waves(ctx, h, is_complete));
    for (size_t i = 1; i < h->scratch_count; i++) {
        scratch_merge(&h->scratches[0], &h->scratches[i], points, h->coverings->column_count);
    }
done:
    return st;
}

const shoal_i_coverings *shoal_i_cell_hunt_coverings(const shoal_i_cell_hunt *h)
{
    return h->coverings;
}

int64_t shoal_i_cell_hunt_surplus(const shoal_i_cell_hunt *h)
{
    return h->scratches[0].surplus;
}

const uint32_t *shoal_i_cell_hunt_order(const shoal_i_cell_hunt *h)
{
    return h->order;
}

const int32_t *shoal_i_cell_hunt_excess(const shoal_i_cell_hunt *h)
{
    return h->scratches[0].excess;
}

uint64_t shoal_i_cell_hunt_best(const shoal_i_cell_hunt *h, uint32_t rank)
{
    return h->scratches[0].best_keys[rank];
}

/* How many of the points of a cell, highest price first, may be in a class that is worth
 * something at prices near these. */
static size_t count_mattering(const shoal_i_cell_hunt *h, const uint32_t *found, size_t count,
                              int32_t loss)
{
    uint64_t load = 0;
    size_t i = 0;

    while (i < count && (h->payers.all[found[i]].price > NEARLY * loss ||
                         load < SPARE_LOAD * h->needs.smallest)) {
        load += h->payers.all[found[i++]].weight;
    }
    return i;
}

shoal_status shoal_i_cell_hunt_fetch(shoal_ctx *ctx, const shoal_i_cell_hunt *h, uint32_t rank,
                                     shoal_i_hunted_cell *cell)
{
    shoal_status st = SHOAL_OK;
    size_t columns = h->coverings->column_count;
    const uint16_t *path = h->scratches[0].best_paths + rank * columns;
    uint32_t *found = NULL;
    size_t count = h->coverings->points->count;
    int32_t loss = 0;

    SHOAL_ALLOC(ctx, found, count);
    memcpy(found, h->ranks, count * sizeof *found);
    for (size_t depth = 0; depth < columns; depth++) {
        const shoal_i_covering *covering = &column_at(h, depth)->coverings[path[depth]];
        const uint32_t *values = values_at(h, depth);
        uint32_t number = covering->part_of[values[rank]];
        size_t kept = 0;

        for (size_t i = 0; i < count; i++) {
            found[kept] = found[i];
            kept += covering->part_of[values[found[i]]] == number;
        }
        count = kept;
        loss += covering->losses[number];
    }
    count = count_mattering(h, found, count, loss);
    *cell = (shoal_i_hunted_cell){.loss = loss, .count = (uint32_t)count};
    SHOAL_ALLOC(ctx, cell->points, count);
    for (size_t i = 0; i < count; i++) {
        cell->points[i] = h->order[found[i]];
    }
done:
    free(found);
    return st;
}

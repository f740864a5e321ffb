#include "cell_worth.h"

#include "../base/fail.h"
#include "../base/pool.h"
#include "../base/sort.h"

#include <assert.h>
#include <string.h>

/* Nodes one task looks at. */
#define NODES_PER_TASK 32

/* Bits that tell where there may be a cell: a point without one is passed over without looking
 * further. */
#define MARKS 65536

/* A cell of the node that is being looked at. */
typedef struct cell {
    uint64_t key;
    int64_t worth;
    uint64_t taken; /* records of the best set so far */
    int32_t loss;
} cell;

/* A point that is to hear of a cell: places among the points and among the cells. */
typedef struct listener {
    uint32_t at;
    uint32_t cell;
} listener;

/* What a thread needs. */
typedef struct scratch {
    size_t slot_count; /* a power of two */
    uint32_t *slots;   /* number of a cell and 1 more, by its key; 0: none */
    cell *cells;       /* of the node, as they came */
    uint64_t *marks;   /* MARKS bits */
    listener *listeners;
    shoal_i_best_cell *best_cells; /* of the points in the order of their prices */
    /* column after column: of each point, the sum over this and all further columns */
    uint64_t *keys;
    int64_t surplus;
    size_t near_count;
    shoal_i_near_cell *near; /* twice as many as are asked for */
    shoal_i_near_cell *near_spare;
    shoal_i_sort_item *items;
    shoal_i_sort_item *items_spare;
    uint32_t *sizes;   /* per cell of the node: points */
    uint32_t *samples; /* and one of them */
} scratch;

struct shoal_i_cell_worth {
    const shoal_i_lattice *lattice;
    const shoal_i_distinct *points;
    uint64_t k;
    /* all nodes, so that each differs from the one before in its first columns if possible */
    uint32_t *sequence;
    /* column after column, of SHOAL_I_LEVELS_MAX levels: the least loss there */
    int32_t *least;
    size_t scratch_count;
    scratch *scratches;
    const shoal_i_near_cells *near; /* that are asked for; or NULL */
    /* The points that are looked at, highest price first: */
    shoal_i_worth_kind what;
    size_t count;
    shoal_i_sort_item *order; /* item: place among the points that were given */
    shoal_i_sort_item *spare;
    uint32_t *numbers; /* of the points */
    int32_t *prices;
    uint32_t *weights;
    uint32_t *values; /* column after column, point_count apart */
};

static void clear_near(scratch *d)
{
    free(d->near);
    free(d->near_spare);
    free(d->items);
    free(d->items_spare);
    free(d->sizes);
    free(d->samples);
    d->near = NULL;
    d->near_spare = NULL;
    d->items = NULL;
    d->items_spare = NULL;
    d->sizes = NULL;
    d->samples = NULL;
    d->near_count = 0;
}

static void scratch_clear(scratch *d)
{
    clear_near(d);
    free(d->slots);
    free(d->cells);
    free(d->marks);
    free(d->keys);
    free(d->listeners);
    free(d->best_cells);
}

void shoal_i_cell_worth_free(shoal_i_cell_worth *a)
{
    if (a) {
        for (size_t i = 0; a->scratches && i < a->scratch_count; i++) {
            scratch_clear(&a->scratches[i]);
        }
        free(a->scratches);
        free(a->sequence);
        free(a->least);
        free(a->order);
        free(a->spare);
        free(a->numbers);
        free(a->prices);
        free(a->weights);
        free(a->values);
        free(a);
    }
}

static shoal_status scratch_init(shoal_ctx *ctx, scratch *d, size_t points, size_t columns)
{
    shoal_status st = SHOAL_OK;

    d->slot_count = 1024;
    while (d->slot_count < 2 * points) {
        d->slot_count *= 2;
    }
    SHOAL_ALLOC(ctx, d->slots, d->slot_count);
    SHOAL_ALLOC(ctx, d->cells, points);
    SHOAL_ALLOC(ctx, d->marks, MARKS / 64);
    SHOAL_ALLOC(ctx, d->keys, points * columns);
    SHOAL_ALLOC(ctx, d->listeners, points);
    SHOAL_ALLOC(ctx, d->best_cells, points);
done:
    return st;
}

static void find_least(shoal_i_cell_worth *a)
{
    const shoal_i_scales *scales = a->lattice->scales;

    for (size_t c = 0; c < scales->column_count; c++) {
        const shoal_i_scale_column *column = &scales->columns[c];

        for (size_t level = 0; level < column->level_count; level++) {
            int32_t least = INT32_MAX;

            for (size_t value = 0; value < column->value_count; value++) {
                int32_t loss = column->losses[level * column->value_count + value];

                least = loss < least ? loss : least;
            }
            a->least[c * SHOAL_I_LEVELS_MAX + level] = least;
        }
    }
}

/* Sort the nodes by their last column, then the one before, and so on. */
static shoal_status find_sequence(shoal_ctx *ctx, shoal_i_cell_worth *a)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_lattice *lattice = a->lattice;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *spare = NULL;

    SHOAL_ALLOC(ctx, a->sequence, lattice->count);
    SHOAL_ALLOC(ctx, items, lattice->count);
    SHOAL_ALLOC(ctx, spare, lattice->count);
    for (uint32_t i = 0; i < lattice->count; i++) {
        items[i].item = i;
    }
    for (size_t c = 0; c < lattice->scales->column_count; c++) {
        for (size_t i = 0; i < lattice->count; i++) {
            items[i].key = shoal_i_lattice_node(lattice, items[i].item)[c];
        }
        shoal_i_sort_items(items, spare, lattice->count);
    }
    for (size_t i = 0; i < lattice->count; i++) {
        a->sequence[i] = items[i].item;
    }
done:
    free(items);
    free(spare);
    return st;
}

shoal_status shoal_i_cell_worth_new(shoal_ctx *ctx, shoal_i_cell_worth **out,
                                    const shoal_i_lattice *lattice,
                                    const shoal_i_distinct *points, uint64_t k)
{
    shoal_status st = SHOAL_OK;
    shoal_i_cell_worth *a = NULL;
    size_t columns = lattice->scales->column_count;

    *out = NULL;
    SHOAL_ALLOC(ctx, a, 1);
    a->lattice = lattice;
    a->points = points;
    a->k = k;
    SHOAL_ALLOC(ctx, a->least, columns * SHOAL_I_LEVELS_MAX);
    SHOAL_ALLOC(ctx, a->order, points->count);
    SHOAL_ALLOC(ctx, a->spare, points->count);
    SHOAL_ALLOC(ctx, a->numbers, points->count);
    SHOAL_ALLOC(ctx, a->prices, points->count);
    SHOAL_ALLOC(ctx, a->weights, points->count);
    SHOAL_ALLOC(ctx, a->values, points->count * columns);
    a->scratch_count = (size_t)shoal_ctx_thread_count(ctx);
    SHOAL_ALLOC(ctx, a->scratches, a->scratch_count);
    for (size_t i = 0; i < a->scratch_count; i++) {
        SHOAL_TRY(scratch_init(ctx, &a->scratches[i], points->count, columns));
    }
    find_least(a);
    SHOAL_TRY(find_sequence(ctx, a));
    *out = a;
    a = NULL;
done:
    shoal_i_cell_worth_free(a);
    return st;
}

/* Line up the points, highest price first. */
static void line_up(shoal_i_cell_worth *a, const int32_t *prices, const uint32_t *points)
{
    const shoal_i_scales *scales = a->lattice->scales;

    for (size_t i = 0; i < a->count; i++) {
        a->order[i] = (shoal_i_sort_item){.key = (uint64_t)(INT32_MAX - prices[points[i]]),
                                          .item = (uint32_t)i};
    }
    shoal_i_sort_items(a->order, a->spare, a->count);
    for (size_t i = 0; i < a->count; i++) {
        uint32_t point = points[a->order[i].item];

        a->numbers[i] = point;
        a->prices[i] = prices[point];
        a->weights[i] = a->points->weights[point];
    }
    for (size_t c = 0; c < scales->column_count; c++) {
        const uint32_t *from = scales->values + c * scales->point_count;
        uint32_t *to = a->values + c * scales->point_count;

        for (size_t i = 0; i < a->count; i++) {
            to[i] = from[points[a->order[i].item]];
        }
    }
}

/* The loss of the cell of the point in place i. */
static int32_t find_loss(const shoal_i_cell_worth *a, const uint8_t *node, size_t i)
{
    const shoal_i_scales *scales = a->lattice->scales;
    int32_t loss = 0;

    for (size_t c = 0; c < scales->column_count; c++) {
        const shoal_i_scale_column *column = &scales->columns[c];
        uint32_t value = a->values[c * scales->point_count + i];

        loss += column->losses[node[c] * column->value_count + value];
    }
    return loss;
}

static int32_t find_least_loss(const shoal_i_cell_worth *a, const uint8_t *node)
{
    int32_t loss = 0;

    for (size_t c = 0; c < a->lattice->scales->column_count; c++) {
        loss += a->least[c * SHOAL_I_LEVELS_MAX + node[c]];
    }
    return loss;
}

/* A node that is being looked at. */
typedef struct look {
    const shoal_i_cell_worth *a;
    scratch *d;
    const uint8_t *node;
    int32_t least; /* loss of any of its cells */
    size_t cells;
    size_t listeners;
} look;

static size_t mark_of(uint64_t key)
{
    return (size_t)(key >> 48) & (MARKS - 1);
}

/* Where the number of the cell with a key is, or would be. */
static uint32_t *find_slot(const look *l, uint64_t key)
{
    const scratch *d = l->d;
    size_t at = (size_t)(key >> 32) & (d->slot_count - 1);

    while (d->slots[at] != 0 && d->cells[d->slots[at] - 1].key != key) {
        at = (at + 1) & (d->slot_count - 1);
    }
    return &d->slots[at];
}

/* Let a cell have what is best of the point in place i. */
static void give_point(look *l, size_t i, uint32_t number)
{
    const shoal_i_cell_worth *a = l->a;
    cell *it = &l->d->cells[number];
    int64_t gain = (int64_t)a->prices[i] - it->loss;
    uint64_t missing = it->taken < a->k ? a->k - it->taken : 0;
    uint64_t taken = gain > 0 || a->weights[i] < missing ? a->weights[i] : missing;

    it->taken += taken;
    it->worth += (int64_t)taken * gain;
    if (gain > 0 || a->what == SHOAL_I_WORTH_ALL) {
        l->d->listeners[l->listeners++] = (listener){.at = (uint32_t)i, .cell = number};
    }
}

/* Offer a point that may gain in its cell: there is one from here on if it does. */
static void offer_point(look *l, size_t i, uint64_t key)
{
    const shoal_i_cell_worth *a = l->a;
    uint32_t *slot = find_slot(l, key);

    if (*slot == 0) {
        int32_t loss = find_loss(a, l->node, i);

        if (a->what != SHOAL_I_WORTH_ALL && a->prices[i] <= loss) {
            return;
        }
        l->d->cells[l->cells++] = (cell){.key = key, .loss = loss};
        l->d->marks[mark_of(key) / 64] |= (uint64_t)1 << mark_of(key) % 64;
        *slot = (uint32_t)l->cells;
    }
    give_point(l, i, *slot - 1);
}

/* Offer a point that cannot gain at the node: to a cell only in which others do. */
static void fill_up(look *l, size_t i, uint64_t key)
{
    if (l->d->marks[mark_of(key) / 64] >> mark_of(key) % 64 & 1) {
        uint32_t number = *find_slot(l, key);

        if (number > 0) {
            give_point(l, i, number - 1);
        }
    }
}

/* --- Cells worth nearly something. -------------------------------------------------------- */

static shoal_status init_near(shoal_ctx *ctx, scratch *d, size_t points, size_t most)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, d->near, 2 * most);
    SHOAL_ALLOC(ctx, d->near_spare, 2 * most);
    SHOAL_ALLOC(ctx, d->items, 2 * most);
    SHOAL_ALLOC(ctx, d->items_spare, 2 * most);
    SHOAL_ALLOC(ctx, d->sizes, points);
    SHOAL_ALLOC(ctx, d->samples, points);
done:
    return st;
}

/* Sort the cells of a thread, those worth most first, and forget all but `most`. No two are
 * equal in all of what they are sorted by, so what is left does not depend on their order. */
static void keep_nearest(scratch *d, size_t most)
{
    for (uint32_t i = 0; i < d->near_count; i++) {
        d->items[i] = (shoal_i_sort_item){.key = d->near[i].key, .item = i};
    }
    shoal_i_sort_items(d->items, d->items_spare, d->near_count);
    for (size_t i = 0; i < d->near_count; i++) {
        d->items[i].key = d->near[d->items[i].item].node;
    }
    shoal_i_sort_items(d->items, d->items_spare, d->near_count);
    for (size_t i = 0; i < d->near_count; i++) {
        d->items[i].key = (uint64_t)INT64_MAX - (uint64_t)d->near[d->items[i].item].worth;
    }
    shoal_i_sort_items(d->items, d->items_spare, d->near_count);
    d->near_count = d->near_count < most ? d->near_count : most;
    for (size_t i = 0; i < d->near_count; i++) {
        d->near_spare[i] = d->near[d->items[i].item];
    }
    memcpy(d->near, d->near_spare, d->near_count * sizeof *d->near);
}

/* Note the cells of a node that are worth enough. */
static void note_near(const look *l, uint32_t number)
{
    scratch *d = l->d;
    const shoal_i_near_cells *asked = l->a->near;

    memset(d->sizes, 0, l->cells * sizeof *d->sizes);
    for (size_t i = 0; i < l->listeners; i++) {
        d->sizes[d->listeners[i].cell]++;
        d->samples[d->listeners[i].cell] = l->a->numbers[d->listeners[i].at];
    }
    for (size_t i = 0; i < l->cells; i++) {
        const cell *it = &d->cells[i];

        if (it->taken < l->a->k || it->worth < asked->least) {
            continue;
        }
        if (d->near_count == 2 * asked->most) {
            keep_nearest(d, asked->most);
        }
        d->near[d->near_count++] = (shoal_i_near_cell){.worth = it->worth,
                                                       .key = it->key,
                                                       .node = number,
                                                       .point = d->samples[i],
                                                       .count = d->sizes[i]};
    }
}

/* Bring together what the threads have noted. */
static shoal_status gather_near(shoal_ctx *ctx, shoal_i_cell_worth *a, shoal_i_near_cells *near)
{
    shoal_status st = SHOAL_OK;
    scratch *all = &a->scratches[0];

    keep_nearest(all, near->most);
    for (size_t d = 1; d < a->scratch_count; d++) {
        keep_nearest(&a->scratches[d], near->most);
        memcpy(all->near + all->near_count, a->scratches[d].near,
               a->scratches[d].near_count * sizeof *all->near);
        all->near_count += a->scratches[d].near_count;
        keep_nearest(all, near->most);
    }
    SHOAL_ALLOC(ctx, near->cells, all->near_count);
    near->count = all->near_count;
    memcpy(near->cells, all->near, near->count * sizeof *near->cells);
done:
    return st;
}

/* Tell the points of their cells, and forget these. */
static void settle_node(look *l, uint32_t number)
{
    scratch *d = l->d;

    if (l->a->near) {
        note_near(l, number);
    }
    for (size_t i = 0; i < l->cells; i++) {
        cell *it = &d->cells[i];

        if (it->taken < l->a->k) {
            it->worth = INT64_MIN;
        }
        d->surplus += it->worth > 0 ? it->worth : 0;
    }
    for (size_t i = 0; i < l->listeners; i++) {
        const cell *it = &d->cells[d->listeners[i].cell];
        shoal_i_best_cell *best_cell = &d->best_cells[d->listeners[i].at];
        bool is_offered =
            it->worth > 0 || (l->a->what == SHOAL_I_WORTH_ALL && it->worth > INT64_MIN);

        /* Of equals, that of the first node, whichever thread looked at it. */
        if (is_offered && (it->worth > best_cell->worth ||
                           (it->worth == best_cell->worth && number < best_cell->node))) {
            *best_cell =
                (shoal_i_best_cell){.worth = it->worth, .key = it->key, .node = number};
        }
    }
    for (size_t i = 0; i < l->cells; i++) {
        size_t at = (size_t)(d->cells[i].key >> 32) & (d->slot_count - 1);

        d->marks[mark_of(d->cells[i].key) / 64] = 0;
        for (; d->slots[at] != 0; at = (at + 1) & (d->slot_count - 1)) {
            d->slots[at] = 0;
        }
    }
}

/* What a column adds to the keys at a level; NULL: nothing. */
static const uint64_t *level_keys(const shoal_i_cell_worth *a, size_t c, size_t level)
{
    const shoal_i_scale_column *column = &a->lattice->scales->columns[c];

    return level + 1 < column->level_count ? column->keys + level * column->value_count : NULL;
}

/* Bring the keys of the columns up to `last` up to date. */
static void sum_keys(const shoal_i_cell_worth *a, scratch *d, const uint8_t *node, size_t last)
{
    size_t columns = a->lattice->scales->column_count;
    size_t stride = a->lattice->scales->point_count;

    for (size_t c = last + 1; c-- > 0;) {
        const uint64_t *table = level_keys(a, c, node[c]);
        const uint32_t *values = a->values + c * stride;
        const uint64_t *further = c + 1 < columns ? d->keys + (c + 1) * stride : NULL;
        uint64_t *keys = d->keys + c * stride;

        for (size_t i = 0; i < a->count; i++) {
            keys[i] = (further ? further[i] : 0) + (table ? table[values[i]] : 0);
        }
    }
}

/* How many points, highest price first, pay more than so much. */
static size_t count_payers(const shoal_i_cell_worth *a, int32_t loss)
{
    size_t first = 0;
    size_t end = a->count;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (a->prices[middle] > loss) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

/* The last column in which a node differs from the one before. */
static size_t last_change(const shoal_i_cell_worth *a, const uint8_t *node,
                          const uint8_t *before)
{
    size_t last = a->lattice->scales->column_count - 1;

    while (before && last > 0 && node[last] == before[last]) {
        last--;
    }
    return last;
}

static void look_at(const shoal_i_cell_worth *a, scratch *d, uint32_t number, size_t payers)
{
    const uint8_t *node = shoal_i_lattice_node(a->lattice, number);
    look l = {.a = a, .d = d, .node = node, .least = find_least_loss(a, node)};

    for (size_t i = 0; i < payers; i++) {
        offer_point(&l, i, d->keys[i] ? d->keys[i] : 1);
    }
    for (size_t i = payers; i < a->count && l.cells > 0; i++) {
        fill_up(&l, i, d->keys[i] ? d->keys[i] : 1);
    }
    settle_node(&l, number);
}

static shoal_status look_at_some(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    shoal_i_cell_worth *a = payload;
    scratch *d = &a->scratches[ctx->worker];
    size_t end = (index + 1) * NODES_PER_TASK;
    const uint8_t *before = NULL;

    end = end < a->lattice->count ? end : a->lattice->count;
    for (size_t i = index * NODES_PER_TASK; i < end; i++) {
        const uint8_t *node = shoal_i_lattice_node(a->lattice, a->sequence[i]);
        size_t payers =
            a->what == SHOAL_I_WORTH_ALL ? a->count : count_payers(a, find_least_loss(a, node));

        if (payers > 0) {
            sum_keys(a, d, node, last_change(a, node, before));
            look_at(a, d, a->sequence[i], payers);
            before = node;
        }
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

/* Whether a best_cell is better than another. */
static bool is_better(const shoal_i_best_cell *a, const shoal_i_best_cell *b)
{
    return a->node != SHOAL_I_NO_NODE &&
           (a->worth > b->worth || (a->worth == b->worth && a->node < b->node));
}

const shoal_i_lattice *shoal_i_cell_worth_lattice(const shoal_i_cell_worth *a)
{
    return a->lattice;
}

const shoal_i_distinct *shoal_i_cell_worth_points(const shoal_i_cell_worth *a)
{
    return a->points;
}

uint64_t shoal_i_cell_worth_smallest(const shoal_i_cell_worth *a)
{
    return a->k;
}

shoal_status shoal_i_cell_worth_find(shoal_ctx *ctx, shoal_i_cell_worth *a,
                                     shoal_i_worth_question question,
                                     shoal_i_best_cell *best_cells, int64_t *surplus)
{
    shoal_status st = SHOAL_OK;
    static const shoal_i_best_cell none = {.worth = INT64_MIN, .node = SHOAL_I_NO_NODE};

    *surplus = 0;
    assert(!question.near || question.kind == SHOAL_I_WORTH_ALL);
    a->near = question.near;
    a->what = question.kind;
    a->count = question.count;
    line_up(a, question.prices, question.points);
    for (size_t d = 0; d < a->scratch_count; d++) {
        a->scratches[d].surplus = 0;
        if (a->near) {
            SHOAL_TRY(init_near(ctx, &a->scratches[d], a->points->count, a->near->most));
        }
        for (size_t i = 0; i < a->count; i++) {
            a->scratches[d].best_cells[i] = none;
        }
    }
    if (a->count > 0) {
        SHOAL_TRY(shoal_i_parallel_for(
            ctx, (a->lattice->count + NODES_PER_TASK - 1) / NODES_PER_TASK, look_at_some, a));
    }
    for (size_t d = 0; d < a->scratch_count; d++) {
        *surplus += a->scratches[d].surplus;
    }
    for (size_t i = 0; i < a->count; i++) {
        shoal_i_best_cell *best_cell = &best_cells[a->order[i].item];

        *best_cell = a->scratches[0].best_cells[i];
        for (size_t d = 1; d < a->scratch_count; d++) {
            *best_cell = is_better(&a->scratches[d].best_cells[i], best_cell)
                             ? a->scratches[d].best_cells[i]
                             : *best_cell;
        }
    }
    if (a->near) {
        SHOAL_TRY(gather_near(ctx, a, question.near));
    }
done:
    for (size_t d = 0; d < a->scratch_count; d++) {
        clear_near(&a->scratches[d]);
    }
    return st;
}

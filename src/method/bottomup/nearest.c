#include "nearest.h"

#include "../../base/fail.h"
#include "../../base/sort.h"
#include "../../box/scan.h"
#include "../problem/span.h"

#include <assert.h>
#include <string.h>

/* Groups of a leaf, and nodes of a node. */
#define FANOUT 16

/* Levels: 16^9 groups are more than can be numbered. */
#define LEVELS_MAX 9

/* Pairs that are looked at to find the column in which the groups of a range differ most. */
#define SAMPLE 64

struct shoal_i_nearest {
    const shoal_i_bunches *bunches;
    size_t group_count;
    uint32_t *order;               /* groups, near ones together */
    uint32_t *place_of;            /* of a group in the order */
    size_t level_count;            /* level 0: the leaves */
    size_t firsts[LEVELS_MAX + 1]; /* first node of each level */
    uint32_t *numbers;             /* of the nodes: 0, 1, 2, ... */
    int32_t *boxes;                /* two rows per node: largest lower, smallest upper ends */
    uint32_t *least_sizes;
    int32_t *most_penalties;
};

/* A node that is still to be looked into. */
typedef struct visit {
    uint32_t node;
    uint32_t level;
    int64_t bound;
} visit;

struct shoal_i_nearest_scratch {
    int32_t *climb;
    int32_t penalties[FANOUT];
    visit visits[LEVELS_MAX * FANOUT];
};

shoal_status shoal_i_bunches_init(shoal_ctx *ctx, shoal_i_bunches *bunches,
                                  const shoal_i_distinct *distinct)
{
    shoal_status st = SHOAL_OK;
    size_t lanes = distinct->lanes->count;

    *bunches = (shoal_i_bunches){.distinct = distinct};
    bunches->boxes =
        shoal_i_alloc_aligned(ctx, distinct->count, 2 * lanes * sizeof *bunches->boxes);
    if (!bunches->boxes) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    SHOAL_ALLOC(ctx, bunches->sizes, distinct->count);
    SHOAL_ALLOC(ctx, bunches->penalties, distinct->count);
    for (uint32_t i = 0; i < distinct->count; i++) {
        int32_t *lo = bunches->boxes + 2 * i * lanes;

        memcpy(lo, shoal_i_distinct_row(distinct, i), lanes * sizeof *lo);
        memcpy(lo + lanes, shoal_i_distinct_row(distinct, i), lanes * sizeof *lo);
        bunches->sizes[i] = distinct->weights[i];
    }
done:
    return st;
}

void shoal_i_bunches_clear(shoal_i_bunches *bunches)
{
    free(bunches->boxes);
    free(bunches->sizes);
    free(bunches->penalties);
    *bunches = (shoal_i_bunches){0};
}

static int32_t *box_of(const shoal_i_bunches *bunches, uint32_t g)
{
    return bunches->boxes + (size_t)g * 2 * bunches->distinct->lanes->count;
}

/* --- Comparing. --------------------------------------------------------------------------- */

shoal_status shoal_i_nearest_scratch_new(shoal_ctx *ctx, shoal_i_nearest_scratch **out,
                                         const shoal_i_lanes *lanes)
{
    shoal_status st = SHOAL_OK;
    shoal_i_nearest_scratch *scratch = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, scratch, 1);
    SHOAL_ALLOC(ctx, scratch->climb, lanes->count);
    *out = scratch;
    scratch = NULL;
done:
    shoal_i_nearest_scratch_free(scratch);
    return st;
}

void shoal_i_nearest_scratch_free(shoal_i_nearest_scratch *scratch)
{
    if (scratch) {
        free(scratch->climb);
        free(scratch);
    }
}

static shoal_i_probe make_probe(const shoal_i_bunches *bunches,
                                shoal_i_nearest_scratch *scratch, uint32_t g)
{
    const shoal_i_distinct *distinct = bunches->distinct;
    const int32_t *lo = box_of(bunches, g);
    shoal_i_probe probe = {.climb = scratch->climb};

    shoal_i_probe_set(&probe, distinct->lanes, lo, lo + distinct->lanes->count,
                      shoal_i_distinct_row(distinct, g));
    return probe;
}

/* Compare the probe of g with at most FANOUT groups. */
static void compare_few(const shoal_i_bunches *bunches, shoal_i_nearest_scratch *scratch,
                        const shoal_i_probe *probe, uint32_t g, const uint32_t *groups,
                        size_t count, shoal_i_partner *best)
{
    const shoal_i_lanes *lanes = bunches->distinct->lanes;
    int64_t size = bunches->sizes[g];
    int64_t penalty = bunches->penalties[g];

    lanes->kernels->unions(scratch->penalties, lanes, probe, bunches->boxes, groups, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t other = groups[i];
        int64_t together = scratch->penalties[i];
        int64_t cost = size * (together - penalty) +
                       bunches->sizes[other] * (together - bunches->penalties[other]);

        if (bunches->sizes[other] > 0 && other != g &&
            (cost < best->cost || (cost == best->cost && other < best->group))) {
            *best = (shoal_i_partner){
                .group = other, .penalty = scratch->penalties[i], .cost = cost};
        }
    }
}

void shoal_i_nearest_among(const shoal_i_bunches *bunches, shoal_i_nearest_scratch *scratch,
                           uint32_t g, const uint32_t *groups, size_t count,
                           shoal_i_partner *best)
{
    shoal_i_probe probe = make_probe(bunches, scratch, g);

    for (size_t i = 0; i < count; i += FANOUT) {
        compare_few(bunches, scratch, &probe, g, groups + i,
                    count - i < FANOUT ? count - i : FANOUT, best);
    }
}

/* --- The order: ranges are cut in two where their groups differ most. --------------------- */

typedef struct ordering {
    const shoal_i_bunches *bunches;
    uint32_t *order;
    shoal_i_sort_item *items;
    shoal_i_sort_item *spare;
    int32_t *climb;
} ordering;

/* The middle of a group in a lane, doubled. */
static int64_t middle_of(const ordering *o, uint32_t g, size_t lane)
{
    const int32_t *lo = box_of(o->bunches, g);

    return (int64_t)lo[lane] + lo[o->bunches->distinct->lanes->count + lane];
}

/* The lane in which groups of a range differ by the largest penalty on average, by a sample of
 * pairs; their number when they do not differ at all. */
static size_t find_widest(const ordering *o, const uint32_t *groups, size_t count)
{
    const shoal_i_lanes *lanes = o->bunches->distinct->lanes;
    size_t pairs = count / 2 < SAMPLE ? count / 2 : SAMPLE;
    size_t widest = lanes->count;
    int64_t most = 0;

    shoal_i_probe probe = {.climb = o->climb};
    const int32_t *row = shoal_i_distinct_row(o->bunches->distinct, groups[0]);

    shoal_i_probe_set(&probe, lanes, row, row, row);
    for (size_t lane = 0; lane < lanes->count; lane++) {
        int64_t sum = 0;

        for (size_t i = 0; i < pairs; i++) {
            int64_t apart = middle_of(o, groups[i * count / pairs], lane) -
                            middle_of(o, groups[(i * count / pairs + count / 2) % count], lane);

            if (lanes->is_tree[lane]) {
                sum += apart != 0 ? 2 * (int64_t)o->climb[lane] : 0;
            } else {
                sum += apart < 0 ? -apart : apart;
            }
        }
        if (sum > most) {
            most = sum;
            widest = lane;
        }
    }
    return widest;
}

/* Where to cut sorted items: in the middle, or between different keys if there are any not far
 * from it. */
static size_t find_cut(const shoal_i_sort_item *items, size_t count)
{
    size_t middle = count / 2;

    for (size_t off = 0; off < count / 4; off++) {
        if (items[middle - off - 1].key != items[middle - off].key) {
            return middle - off;
        }
        if (items[middle + off - 1].key != items[middle + off].key) {
            return middle + off;
        }
    }
    return middle;
}

/* Sort a range of the order by a lane and return where to cut it. */
static size_t sort_range(const ordering *o, shoal_i_span range, size_t lane)
{
    for (size_t i = 0; i < range.count; i++) {
        uint32_t g = o->order[range.first + i];

        o->items[i] = (shoal_i_sort_item){
            .key = (uint64_t)(middle_of(o, g, lane) + ((int64_t)1 << 40)), .item = g};
    }
    shoal_i_sort_items(o->items, o->spare, range.count);
    for (size_t i = 0; i < range.count; i++) {
        o->order[range.first + i] = o->items[i].item;
    }
    return find_cut(o->items, range.count);
}

/* Cut ranges until none has more groups than a leaf. The larger part waits, so that few do. */
static void order_groups(const ordering *o, size_t count)
{
    shoal_i_span waiting[64] = {{.first = 0, .count = count}};
    size_t depth = 1;

    while (depth > 0) {
        shoal_i_span range = waiting[--depth];

        while (range.count > FANOUT) {
            size_t lane = find_widest(o, o->order + range.first, range.count);

            if (lane == o->bunches->distinct->lanes->count) {
                break;
            }
            size_t cut = sort_range(o, range, lane);
            shoal_i_span front = {.first = range.first, .count = cut};
            shoal_i_span back =
                shoal_i_span_between(range.first + cut, shoal_i_span_end(range));
            bool is_front_larger = front.count > back.count;

            waiting[depth++] = is_front_larger ? front : back;
            range = is_front_larger ? back : front;
        }
    }
}

static shoal_status make_order(shoal_ctx *ctx, shoal_i_nearest *n)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_distinct *distinct = n->bunches->distinct;
    ordering o = {.bunches = n->bunches, .order = n->order};

    SHOAL_ALLOC(ctx, o.items, n->group_count);
    SHOAL_ALLOC(ctx, o.spare, n->group_count);
    SHOAL_ALLOC(ctx, o.climb, distinct->lanes->count);
    order_groups(&o, n->group_count);
    for (size_t i = 0; i < n->group_count; i++) {
        n->place_of[n->order[i]] = (uint32_t)i;
    }
done:
    free(o.items);
    free(o.spare);
    free(o.climb);
    return st;
}

/* --- The nodes. --------------------------------------------------------------------------- */

/* Let a node cover a box: a group's, or that of a node of the level below. */
static void cover(shoal_i_nearest *n, size_t node, bool is_first, const int32_t *lo,
                  uint32_t size, int32_t penalty)
{
    size_t lanes = n->bunches->distinct->lanes->count;
    int32_t *mine = n->boxes + node * 2 * lanes;
    const int32_t *hi = lo + lanes;

    if (is_first) {
        memcpy(mine, lo, 2 * lanes * sizeof *mine);
        n->least_sizes[node] = size;
        n->most_penalties[node] = penalty;
        return;
    }
    for (size_t lane = 0; lane < lanes; lane++) {
        mine[lane] = lo[lane] > mine[lane] ? lo[lane] : mine[lane];
        mine[lanes + lane] = hi[lane] < mine[lanes + lane] ? hi[lane] : mine[lanes + lane];
    }
    n->least_sizes[node] = size < n->least_sizes[node] ? size : n->least_sizes[node];
    n->most_penalties[node] =
        penalty > n->most_penalties[node] ? penalty : n->most_penalties[node];
}

static void fill_nodes(shoal_i_nearest *n)
{
    size_t lanes = n->bunches->distinct->lanes->count;

    for (size_t i = 0; i < n->group_count; i++) {
        uint32_t g = n->order[i];

        cover(n, i / FANOUT, i % FANOUT == 0, box_of(n->bunches, g), n->bunches->sizes[g],
              n->bunches->penalties[g]);
    }
    for (size_t level = 1; level < n->level_count; level++) {
        for (size_t i = 0; n->firsts[level - 1] + i < n->firsts[level]; i++) {
            size_t child = n->firsts[level - 1] + i;

            cover(n, n->firsts[level] + i / FANOUT, i % FANOUT == 0,
                  n->boxes + child * 2 * lanes, n->least_sizes[child],
                  n->most_penalties[child]);
        }
    }
    for (uint32_t node = 0; node < n->firsts[n->level_count]; node++) {
        n->numbers[node] = node;
    }
}

static void count_levels(shoal_i_nearest *n)
{
    size_t count = n->group_count;

    do {
        count = (count + FANOUT - 1) / FANOUT;
        n->firsts[n->level_count + 1] = n->firsts[n->level_count] + count;
        n->level_count++;
    } while (count > 1);
}

shoal_status shoal_i_nearest_build(shoal_ctx *ctx, shoal_i_nearest **out,
                                   const shoal_i_bunches *bunches)
{
    shoal_status st = SHOAL_OK;
    size_t lanes = bunches->distinct->lanes->count;
    shoal_i_nearest *n = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, n, 1);
    n->bunches = bunches;
    SHOAL_ALLOC(ctx, n->order, bunches->distinct->count);
    SHOAL_ALLOC(ctx, n->place_of, bunches->distinct->count);
    for (uint32_t g = 0; g < bunches->distinct->count; g++) {
        if (bunches->sizes[g] > 0) {
            n->order[n->group_count++] = g;
        }
    }
    SHOAL_TRY(make_order(ctx, n));
    count_levels(n);
    size_t nodes = n->firsts[n->level_count];

    SHOAL_ALLOC(ctx, n->numbers, nodes);
    SHOAL_ALLOC(ctx, n->least_sizes, nodes);
    SHOAL_ALLOC(ctx, n->most_penalties, nodes);
    n->boxes = shoal_i_alloc_aligned(ctx, nodes, 2 * lanes * sizeof *n->boxes);
    if (!n->boxes) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    fill_nodes(n);
    *out = n;
    n = NULL;
done:
    shoal_i_nearest_free(n);
    return st;
}

void shoal_i_nearest_free(shoal_i_nearest *nearest)
{
    if (nearest) {
        free(nearest->order);
        free(nearest->place_of);
        free(nearest->numbers);
        free(nearest->boxes);
        free(nearest->least_sizes);
        free(nearest->most_penalties);
        free(nearest);
    }
}

/* --- The search. -------------------------------------------------------------------------- */

/* How many entries of the level below belong to a node: groups, for a leaf. */
static size_t count_entries(const shoal_i_nearest *n, size_t node, size_t level)
{
    size_t below = level == 0 ? n->group_count : n->firsts[level] - n->firsts[level - 1];
    size_t before = (node - n->firsts[level]) * FANOUT;

    return below - before < FANOUT ? below - before : FANOUT;
}

/* Add the nodes below a node that may hold something as cheap as *best, the most promising
 * last. */
static size_t push_children(const shoal_i_nearest *n, shoal_i_nearest_scratch *scratch,
                            const shoal_i_probe *probe, uint32_t g, visit from,
                            const shoal_i_partner *best, size_t depth)
{
    const shoal_i_lanes *lanes = n->bunches->distinct->lanes;
    size_t first = n->firsts[from.level - 1] + (from.node - n->firsts[from.level]) * FANOUT;
    size_t count = count_entries(n, from.node, from.level);
    size_t base = depth;

    lanes->kernels->unions(scratch->penalties, lanes, probe, n->boxes, n->numbers + first,
                           count);
    for (size_t i = 0; i < count; i++) {
        size_t node = first + i;
        int64_t together = scratch->penalties[i];
        int64_t more = together - n->most_penalties[node];
        int64_t bound = n->bunches->sizes[g] * (together - n->bunches->penalties[g]) +
                        (more > 0 ? n->least_sizes[node] * more : 0);
        size_t at = depth;

        if (bound > best->cost) {
            continue;
        }
        for (; at > base && scratch->visits[at - 1].bound < bound; at--) {
            scratch->visits[at] = scratch->visits[at - 1];
        }
        scratch->visits[at] =
            (visit){.node = (uint32_t)node, .level = from.level - 1, .bound = bound};
        depth++;
    }
    return depth;
}

shoal_i_partner shoal_i_nearest_find(const shoal_i_nearest *nearest,
                                     shoal_i_nearest_scratch *scratch, uint32_t g)
{
    shoal_i_partner best = {.group = SHOAL_I_NO_GROUP, .cost = INT64_MAX};
    shoal_i_probe probe = make_probe(nearest->bunches, scratch, g);
    size_t depth = 1;

    scratch->visits[0] = (visit){.node = (uint32_t)nearest->firsts[nearest->level_count] - 1,
                                 .level = (uint32_t)nearest->level_count - 1};
    while (depth > 0) {
        visit at = scratch->visits[--depth];

        if (at.bound > best.cost) {
            continue;
        }
        if (at.level > 0) {
            depth = push_children(nearest, scratch, &probe, g, at, &best, depth);
        } else {
            compare_few(nearest->bunches, scratch, &probe, g,
                        nearest->order + (size_t)at.node * FANOUT,
                        count_entries(nearest, at.node, 0), &best);
        }
    }
    return best;
}

uint32_t shoal_i_nearest_merge(shoal_i_nearest *nearest, shoal_i_bunches *bunches, uint32_t a,
                               uint32_t b, int32_t penalty)
{
    size_t lanes = bunches->distinct->lanes->count;
    uint32_t into = a < b ? a : b;
    uint32_t gone = a < b ? b : a;
    int32_t *lo = box_of(bunches, into);
    const int32_t *other = box_of(bunches, gone);

    assert(into != gone && bunches->sizes[into] > 0 && bunches->sizes[gone] > 0);
    shoal_i_box_join(bunches->distinct->lanes, lo, lo + lanes, other, other + lanes);
    bunches->penalties[into] = penalty;
    bunches->sizes[into] += bunches->sizes[gone];
    bunches->sizes[gone] = 0;
    size_t place = nearest->place_of[into];

    for (size_t level = 0; level < nearest->level_count; level++) {
        size_t node = nearest->firsts[level] + (place /= FANOUT);

        if (nearest->most_penalties[node] >= penalty) {
            break;
        }
        nearest->most_penalties[node] = penalty;
    }
    return into;
}

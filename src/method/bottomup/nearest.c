#include "nearest.h"

#include "../../base/fail.h"
#include "../../base/sort.h"
#include "../../box/scan.h"
#include "../problem/span.h"

#include <assert.h>
#include <string.h>

/* Groups of a leaf, and nodes of a node. */
#define FANOUT SHOAL_I_BLOCK_GROUPS

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
    size_t numeric_count;
    size_t narrow_count;   /* with the numeric ones */
    size_t lane_count;     /* padding is left out */
    size_t *lanes;         /* numeric ones, then those of trees: narrow ones, wide ones */
    uint32_t *lane_starts; /* of these: where in a block they start */
    size_t block_size;
    size_t sizes_start; /* in the block of a leaf: sizes of its groups, then penalties */
    int32_t *blocks;    /* of each node: what is below it (scan.h); of nodes there: the largest
                        lower and the smallest upper ends */
    uint32_t *least_sizes;
    int32_t *most_penalties;
    uint32_t *least_groups; /* the lowest number of a group */
};

/* A node that is still to be looked into. */
typedef struct visit {
    uint32_t node;
    uint32_t level;
    int64_t bound;
} visit;

struct shoal_i_nearest_scratch {
    int32_t *climb;
    int32_t *ends; /* see shoal_i_block_probe */
    uint32_t *trees;
    int32_t *values;
    int32_t *climbs;
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
    SHOAL_ALLOC(ctx, scratch->ends, 2 * lanes->count);
    SHOAL_ALLOC(ctx, scratch->trees, lanes->count);
    SHOAL_ALLOC(ctx, scratch->values, lanes->count);
    SHOAL_ALLOC(ctx, scratch->climbs, lanes->count);
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
        free(scratch->ends);
        free(scratch->trees);
        free(scratch->values);
        free(scratch->climbs);
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

/* A partner that costs less than the best so far, or as much and has a lower number, takes its
 * place. */
static void keep_better(shoal_i_partner *best, uint32_t group, int32_t penalty, int64_t cost)
{
    if (cost < best->cost || (cost == best->cost && group < best->group)) {
        *best = (shoal_i_partner){.group = group, .penalty = penalty, .cost = cost};
    }
}

void shoal_i_nearest_among(const shoal_i_bunches *bunches, shoal_i_nearest_scratch *scratch,
                           uint32_t g, const uint32_t *groups, size_t count,
                           shoal_i_partner *best)
{
    const shoal_i_lanes *lanes = bunches->distinct->lanes;
    shoal_i_probe probe = make_probe(bunches, scratch, g);

    for (size_t first = 0; first < count; first += FANOUT) {
        size_t few = count - first < FANOUT ? count - first : FANOUT;

        lanes->kernels->unions(scratch->penalties, lanes, &probe, bunches->boxes,
                               groups + first, few);
        for (size_t i = 0; i < few; i++) {
            uint32_t other = groups[first + i];
            int64_t together = scratch->penalties[i];
            int64_t cost = bunches->sizes[g] * (together - bunches->penalties[g]) +
                           bunches->sizes[other] * (together - bunches->penalties[other]);

            if (bunches->sizes[other] > 0 && other != g) {
                keep_better(best, other, scratch->penalties[i], cost);
            }
        }
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

enum { NUMERIC, NARROW, WIDE };

/* Lanes of trees are narrow when the last five bits tell all their values apart. */
static int find_lane_kind(const shoal_i_nearest *n, size_t lane)
{
    const shoal_i_distinct *distinct = n->bunches->distinct;
    int32_t least = INT32_MAX;
    int32_t most = 0;

    if (!distinct->lanes->is_tree[lane]) {
        return NUMERIC;
    }
    for (size_t i = 0; i < distinct->count; i++) {
        int32_t value = shoal_i_distinct_row(distinct, i)[lane];

        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    return most - least < 32 ? NARROW : WIDE;
}

static shoal_status list_lanes(shoal_ctx *ctx, shoal_i_nearest *n)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_lanes *lanes = n->bunches->distinct->lanes;
    size_t used = lanes->first[lanes->quasi->count];

    SHOAL_ALLOC(ctx, n->lanes, used);
    SHOAL_ALLOC(ctx, n->lane_starts, used);
    for (int kind = NUMERIC; kind <= WIDE; kind++) {
        for (size_t lane = 0; lane < used; lane++) {
            if (find_lane_kind(n, lane) == kind) {
                n->lane_starts[n->lane_count] = (uint32_t)n->block_size;
                n->lanes[n->lane_count++] = lane;
                n->block_size += (kind == NARROW ? (size_t)1 : 2) * FANOUT;
            }
        }
        n->numeric_count = kind == NUMERIC ? n->lane_count : n->numeric_count;
        n->narrow_count = kind <= NARROW ? n->lane_count : n->narrow_count;
    }
    n->sizes_start = n->block_size;
    n->block_size += 2 * FANOUT;
done:
    return st;
}

/* Put a group, as it is now, into the block of its leaf. */
static void put_group(shoal_i_nearest *n, size_t place)
{
    const shoal_i_lanes *lanes = n->bunches->distinct->lanes;
    uint32_t g = n->order[place];
    int32_t *slot = n->blocks + place / FANOUT * n->block_size + place % FANOUT;
    const int32_t *lo = box_of(n->bunches, g);
    const int32_t *hi = lo + lanes->count;

    slot[n->sizes_start] = (int32_t)n->bunches->sizes[g];
    slot[n->sizes_start + FANOUT] = n->bunches->penalties[g];

    for (size_t i = 0; i < n->lane_count; i++) {
        size_t lane = n->lanes[i];

        if (i < n->numeric_count) {
            slot[n->lane_starts[i]] = lo[lane];
            slot[n->lane_starts[i] + FANOUT] = hi[lane];
        } else {
            slot[n->lane_starts[i]] = lo[lane] == hi[lane] ? lo[lane] : SHOAL_I_MIXED;
        }
    }
}

/* What a numeric lane of a block is for the level above. */
static void sum_ends(int32_t *slot, const int32_t *from, size_t count)
{
    slot[0] = from[0];
    slot[FANOUT] = from[FANOUT];
    for (size_t i = 1; i < count; i++) {
        slot[0] = from[i] > slot[0] ? from[i] : slot[0];
        slot[FANOUT] = from[FANOUT + i] < slot[FANOUT] ? from[FANOUT + i] : slot[FANOUT];
    }
}

static void sum_bits(int32_t *slot, const int32_t *from, size_t count, bool are_groups)
{
    slot[0] = 0;
    for (size_t i = 0; i < count; i++) {
        if (!are_groups) {
            slot[0] |= from[i];
        } else if (from[i] != SHOAL_I_MIXED) {
            slot[0] |= shoal_i_mark_bit(from[i]);
        }
    }
}

static void sum_range(int32_t *slot, const int32_t *from, size_t count, bool are_groups)
{
    slot[0] = INT32_MAX;
    slot[FANOUT] = SHOAL_I_MIXED;
    for (size_t i = 0; i < count; i++) {
        int32_t most = are_groups ? from[i] : from[FANOUT + i];

        if (most != SHOAL_I_MIXED) {
            slot[0] = from[i] < slot[0] ? from[i] : slot[0];
            slot[FANOUT] = most > slot[FANOUT] ? most : slot[FANOUT];
        }
    }
}

/* Sum up the block of a node in the block of its parent. */
static void put_node(shoal_i_nearest *n, size_t node, size_t level, size_t count)
{
    size_t at = node - n->firsts[level];
    const int32_t *block = n->blocks + node * n->block_size;
    int32_t *slots =
        n->blocks + (n->firsts[level + 1] + at / FANOUT) * n->block_size + at % FANOUT;

    for (size_t i = 0; i < n->lane_count; i++) {
        const int32_t *from = block + n->lane_starts[i];
        int32_t *slot = slots + n->lane_starts[i];

        if (i < n->numeric_count) {
            sum_ends(slot, from, count);
        } else if (i < n->narrow_count) {
            sum_bits(slot, from, count, level == 0);
        } else {
            sum_range(slot, from, count, level == 0);
        }
    }
}

/* Let a node know of a group or a node below it. */
static void note_below(shoal_i_nearest *n, size_t node, uint32_t size, int32_t penalty,
                       uint32_t group)
{
    n->least_sizes[node] = size < n->least_sizes[node] ? size : n->least_sizes[node];
    n->most_penalties[node] =
        penalty > n->most_penalties[node] ? penalty : n->most_penalties[node];
    n->least_groups[node] = group < n->least_groups[node] ? group : n->least_groups[node];
}

/* How many entries of the level below belong to a node: groups, for a leaf. */
static size_t count_entries(const shoal_i_nearest *n, size_t node, size_t level)
{
    size_t below = level == 0 ? n->group_count : n->firsts[level] - n->firsts[level - 1];
    size_t before = (node - n->firsts[level]) * FANOUT;

    return below - before < FANOUT ? below - before : FANOUT;
}

static void fill_nodes(shoal_i_nearest *n)
{
    for (size_t node = 0; node < n->firsts[n->level_count]; node++) {
        n->least_sizes[node] = UINT32_MAX;
        n->least_groups[node] = UINT32_MAX;
    }
    for (size_t i = 0; i < n->group_count; i++) {
        uint32_t g = n->order[i];

        put_group(n, i);
        note_below(n, i / FANOUT, n->bunches->sizes[g], n->bunches->penalties[g], g);
    }
    for (size_t level = 0; level + 1 < n->level_count; level++) {
        for (size_t i = 0; n->firsts[level] + i < n->firsts[level + 1]; i++) {
            size_t node = n->firsts[level] + i;

            put_node(n, node, level, count_entries(n, node, level));
            note_below(n, n->firsts[level + 1] + i / FANOUT, n->least_sizes[node],
                       n->most_penalties[node], n->least_groups[node]);
        }
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

    SHOAL_TRY(list_lanes(ctx, n));
    SHOAL_ALLOC(ctx, n->least_sizes, nodes);
    SHOAL_ALLOC(ctx, n->most_penalties, nodes);
    SHOAL_ALLOC(ctx, n->least_groups, nodes);
    n->blocks = shoal_i_alloc_aligned(ctx, nodes, n->block_size * sizeof *n->blocks);
    if (!n->blocks) {
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
        free(nearest->lanes);
        free(nearest->lane_starts);
        free(nearest->blocks);
        free(nearest->least_sizes);
        free(nearest->most_penalties);
        free(nearest->least_groups);
        free(nearest);
    }
}

/* --- The search. -------------------------------------------------------------------------- */

typedef struct search {
    const shoal_i_nearest *n;
    shoal_i_nearest_scratch *scratch;
    shoal_i_block_probe probe;
    uint32_t g;
    int64_t size;
    int64_t penalty;
    shoal_i_partner best;
    size_t depth; /* visits that wait */
} search;

/* Lanes of trees in which the group has several values cost the same with all others. */
static void prepare_probe(search *s)
{
    const shoal_i_nearest *n = s->n;
    shoal_i_nearest_scratch *scratch = s->scratch;
    shoal_i_probe group = make_probe(n->bunches, scratch, s->g);

    s->probe = (shoal_i_block_probe){.numeric_count = n->numeric_count,
                                     .ends = scratch->ends,
                                     .trees = scratch->trees,
                                     .values = scratch->values,
                                     .climbs = scratch->climbs};
    for (size_t i = 0; i < n->lane_count; i++) {
        size_t lane = n->lanes[i];

        if (i < n->numeric_count) {
            scratch->ends[2 * i] = group.lo[lane];
            scratch->ends[2 * i + 1] = group.hi[lane];
        } else if (group.lo[lane] != group.hi[lane]) {
            s->probe.fixed += group.climb[lane];
        } else {
            scratch->trees[s->probe.tree_count] = n->lane_starts[i];
            scratch->values[s->probe.tree_count] = group.lo[lane];
            scratch->climbs[s->probe.tree_count++] = group.climb[lane];
            s->probe.narrow_count += i < n->narrow_count;
        }
    }
}

/* The penalty above which no union with a group below a node can be as cheap as the best so
 * far, or a little more than that: with u, the cost is at least
 *
 *     size (u - penalty) + least size max(0, u - most penalty)                              */
static int32_t find_cap(const search *s, size_t node)
{
    double size = (double)s->size;
    double least = (double)s->n->least_sizes[node];
    double most = (double)s->n->most_penalties[node];
    double cost = (double)s->best.cost + size * (double)s->penalty;
    double both = (cost + least * most) / (size + least);
    double cap = both > most ? both : most;

    cap = cost / size < cap ? cost / size : cap;
    return cap + 1 < INT32_MAX ? (int32_t)(cap + 1) : INT32_MAX;
}

/* Whether a node may hold something better than the best so far. */
static bool is_promising(const search *s, size_t node, int64_t bound)
{
    return bound < s->best.cost ||
           (bound == s->best.cost && s->n->least_groups[node] < s->best.group);
}

/* Add a node to those that wait, of which the last is the most promising; those before `base`
 * stay where they are. */
static void push_node(search *s, visit node, size_t base)
{
    visit *visits = s->scratch->visits;
    const uint32_t *least = s->n->least_groups;
    size_t at = s->depth++;

    for (; at > base && (visits[at - 1].bound < node.bound ||
                         (visits[at - 1].bound == node.bound &&
                          least[visits[at - 1].node] < least[node.node]));
         at--) {
        visits[at] = visits[at - 1];
    }
    visits[at] = node;
}

/* Let the nodes below a node wait that may hold something better. */
static void push_children(search *s, visit from)
{
    const shoal_i_nearest *n = s->n;
    size_t first = n->firsts[from.level - 1] + (from.node - n->firsts[from.level]) * FANOUT;
    size_t base = s->depth;
    uint32_t bits = n->bunches->distinct->lanes->kernels->block_bounds(
        s->scratch->penalties, &s->probe, n->blocks + from.node * n->block_size,
        find_cap(s, from.node));

    bits &= (1U << count_entries(n, from.node, from.level)) - 1;
    for (; bits; bits &= bits - 1) {
        size_t i = (size_t)__builtin_ctz(bits);
        size_t node = first + i;
        int64_t together = s->scratch->penalties[i];
        int64_t more = together - n->most_penalties[node];
        int64_t bound =
            s->size * (together - s->penalty) + (more > 0 ? n->least_sizes[node] * more : 0);

        if (is_promising(s, node, bound)) {
            push_node(s,
                      (visit){.node = (uint32_t)node, .level = from.level - 1, .bound = bound},
                      base);
        }
    }
}

static void compare_leaf(search *s, uint32_t node)
{
    const shoal_i_nearest *n = s->n;
    const uint32_t *groups = n->order + (size_t)node * FANOUT;
    const int32_t *block = n->blocks + node * n->block_size;
    const int32_t *sizes = block + n->sizes_start;
    uint32_t bits = n->bunches->distinct->lanes->kernels->block_unions(
        s->scratch->penalties, &s->probe, block, find_cap(s, node));

    bits &= (1U << count_entries(n, node, 0)) - 1;
    for (; bits; bits &= bits - 1) {
        size_t i = (size_t)__builtin_ctz(bits);
        int64_t together = s->scratch->penalties[i];
        int64_t cost = s->size * (together - s->penalty) +
                       (uint32_t)sizes[i] * (together - sizes[FANOUT + i]);

        if (cost <= s->best.cost && sizes[i] != 0 && groups[i] != s->g) {
            keep_better(&s->best, groups[i], s->scratch->penalties[i], cost);
        }
    }
}

shoal_i_partner shoal_i_nearest_find(const shoal_i_nearest *nearest,
                                     shoal_i_nearest_scratch *scratch, uint32_t g)
{
    search s = {.n = nearest,
                .scratch = scratch,
                .g = g,
                .size = nearest->bunches->sizes[g],
                .penalty = nearest->bunches->penalties[g],
                .best = {.group = SHOAL_I_NO_GROUP, .cost = INT64_MAX},
                .depth = 1};

    prepare_probe(&s);
    /* Who stands beside it is near: what comes after has a good one to beat at once. */
    compare_leaf(&s, nearest->place_of[g] / FANOUT);
    scratch->visits[0] = (visit){.node = (uint32_t)nearest->firsts[nearest->level_count] - 1,
                                 .level = (uint32_t)nearest->level_count - 1};
    while (s.depth > 0) {
        visit at = scratch->visits[--s.depth];

        if (!is_promising(&s, at.node, at.bound)) {
            continue;
        }
        if (at.level > 0) {
            push_children(&s, at);
        } else {
            compare_leaf(&s, at.node);
        }
    }
    return s.best;
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

    put_group(nearest, place);
    put_group(nearest, nearest->place_of[gone]);
    for (size_t level = 0; level < nearest->level_count; level++) {
        size_t node = nearest->firsts[level] + (place /= FANOUT);

        if (nearest->most_penalties[node] >= penalty) {
            break;
        }
        nearest->most_penalties[node] = penalty;
    }
    return into;
}

#include "split.h"

#include "../../base/pool.h"
#include "../../base/random.h"
#include "../../base/sort.h"
#include "../../box/scan.h"
#include "recursion.h"

#include <string.h>

/* In sets larger than this the seeds are sought in a sample. */
#define SAMPLE_ABOVE 16384
#define SAMPLE 4096

/* Splits below the root after which a set is halved by force. */
#define DEPTH_MAX 96

shoal_status shoal_i_grouping_new(shoal_ctx *ctx, shoal_i_grouping **out,
                                  const shoal_i_problem *problem)
{
    shoal_status st = SHOAL_OK;
    shoal_i_grouping *grouping = NULL;
    shoal_i_lanes *lanes = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, grouping, 1);
    grouping->count = problem->row_count;
    SHOAL_TRY(shoal_i_lanes_build(ctx, &lanes, problem->quasi));
    grouping->lanes = lanes;
    SHOAL_TRY(shoal_i_lanes_rows(ctx, &grouping->rows, lanes));
    SHOAL_ALLOC(ctx, grouping->records, grouping->count);
    SHOAL_ALLOC(ctx, grouping->is_start, grouping->count);
    for (size_t i = 0; i < grouping->count; i++) {
        grouping->records[i] = (uint32_t)i;
    }
    grouping->is_start[0] = 1;
    *out = grouping;
    grouping = NULL;
done:
    shoal_i_grouping_free(grouping);
    return st;
}

void shoal_i_grouping_free(shoal_i_grouping *grouping)
{
    if (grouping) {
        shoal_i_lanes_free((shoal_i_lanes *)grouping->lanes); /* made by grouping_new */
        free(grouping->rows);
        free(grouping->records);
        free(grouping->is_start);
        free(grouping);
    }
}

typedef struct releasing {
    shoal_i_release **out;
    const shoal_i_quasi *quasi;
    shoal_i_grouping *grouping;
} releasing;

static shoal_status release_part(shoal_ctx *ctx, void *payload, size_t part)
{
    const releasing *r = payload;

    if (part == 0) {
        return shoal_i_groups_release(ctx, r->out, r->quasi, r->grouping->records,
                                      r->grouping->is_start);
    }
    free(r->grouping->rows);
    r->grouping->rows = NULL;
    return SHOAL_OK;
}

shoal_status shoal_i_grouping_release(shoal_ctx *ctx, shoal_i_release **out,
                                      const shoal_i_quasi *quasi, shoal_i_grouping *grouping)
{
    releasing r = {out, quasi, grouping};

    *out = NULL;
    return shoal_i_parallel_for(ctx, 2, release_part, &r);
}

shoal_status shoal_i_grouping_starts(shoal_ctx *ctx, size_t **starts, size_t *count,
                                     const shoal_i_grouping *grouping)
{
    shoal_status st = SHOAL_OK;

    *starts = NULL;
    *count = 0;
    SHOAL_ALLOC(ctx, *starts, grouping->count + 1);
    for (size_t i = 0; i < grouping->count; i++) {
        if (i == 0 || grouping->is_start[i]) {
            (*starts)[(*count)++] = i;
        }
    }
    (*starts)[*count] = grouping->count;
done:
    return st;
}

shoal_status shoal_i_grouping_distinct(shoal_ctx *ctx, shoal_i_distinct **out,
                                       const shoal_i_grouping *grouping, shoal_i_span span)
{
    const shoal_i_distinct_rows rows = {
        .rows = grouping->rows + span.first * grouping->lanes->count,
        .count = span.count,
        .records = grouping->records + span.first,
    };

    return shoal_i_distinct_build(ctx, out, grouping->lanes, &rows);
}

/* Rows are a multiple of SHOAL_I_LANES_STEP long. */
static void swap_places(shoal_i_grouping *grouping, size_t i, size_t j)
{
    size_t lanes = grouping->lanes->count;
    int32_t *a = grouping->rows + i * lanes;
    int32_t *b = grouping->rows + j * lanes;
    uint32_t record = grouping->records[i];

    for (size_t lane = 0; lane < lanes; lane += SHOAL_I_LANES_STEP) {
        int32_t swap[SHOAL_I_LANES_STEP];

        memcpy(swap, a + lane, sizeof swap);
        memcpy(a + lane, b + lane, sizeof swap);
        memcpy(b + lane, swap, sizeof swap);
    }
    grouping->records[i] = grouping->records[j];
    grouping->records[j] = record;
}

/* Places that are looked at together for those of the wrong side, one bit each: which side
 * comes next is as good as random, and a branch for each would be mispredicted. */
#define LOOKED_AT 64

/* Places on the wrong side, and how far they have been sought. */
typedef struct misplaced {
    uint64_t marks; /* of the places from `first` on: those that are left to be moved */
    size_t first;
    size_t looked; /* places that have been looked at */
    size_t end;    /* all of them */
} misplaced;

/* Bit i: side i, of up to 64. Eight bytes of 0 and 1 become eight bits by one product: the bit
 * of byte i comes to stand at 56 + i, and no two meet on the way. */
static uint64_t mark_sides(const uint8_t *sides, size_t count)
{
    uint64_t marks = 0;
    size_t i = 0;

    for (; i + 8 <= count; i += 8) {
        uint64_t eight = 0;

        for (size_t j = 0; j < 8; j++) {
            eight |= (uint64_t)sides[i + j] << (8 * j);
        }
        marks |= (eight * UINT64_C(0x0102040810204080)) >> 56 << i;
    }
    for (; i < count; i++) {
        marks |= (uint64_t)sides[i] << i;
    }
    return marks;
}

static size_t count_next(const misplaced *m)
{
    return m->end - m->looked < LOOKED_AT ? m->end - m->looked : LOOKED_AT;
}

/* Mark places below `end` from the front that belong to the back, if none is left. */
static void mark_front(misplaced *m, const uint8_t *sides)
{
    while (!m->marks && m->looked < m->end) {
        size_t count = count_next(m);

        m->first = m->looked;
        m->marks = mark_sides(sides + m->first, count);
        m->looked += count;
    }
}

/* Mark places from the back, of `total`, that belong to the front. */
static void mark_back(misplaced *m, const uint8_t *sides, size_t total)
{
    while (!m->marks && m->looked < m->end) {
        size_t count = count_next(m);

        m->looked += count;
        m->first = total - m->looked;
        m->marks = ~mark_sides(sides + m->first, count) & (UINT64_MAX >> (LOOKED_AT - count));
    }
}

size_t shoal_i_grouping_part(shoal_i_grouping *grouping, shoal_i_span span,
                             const uint8_t *sides)
{
    size_t ones = 0;

    for (size_t i = 0; i < span.count; i++) {
        ones += sides[i];
    }
    misplaced front = {.end = span.count - ones};
    misplaced back = {.end = ones};

    for (;;) {
        mark_front(&front, sides);
        mark_back(&back, sides, span.count);
        if (!front.marks) { /* there are as many at the back */
            return span.count - ones;
        }
        while (front.marks && back.marks) {
            size_t low = (size_t)__builtin_ctzll(front.marks);
            size_t high = LOOKED_AT - 1 - (size_t)__builtin_clzll(back.marks);

            swap_places(grouping, span.first + front.first + low,
                        span.first + back.first + high);
            front.marks &= front.marks - 1;
            back.marks &= ~(UINT64_C(1) << high);
        }
    }
}

typedef struct splitting {
    shoal_i_grouping *grouping;
    uint8_t *sides; /* of each place */
    size_t most;
    int rounds;
} splitting;

/* Scratch of one task while it splits ranges. */
typedef struct scratch {
    shoal_i_probe a;
    shoal_i_probe b;
    int32_t *row_a; /* copies of the seeds: the rows themselves move when the range is parted */
    int32_t *row_b;
    int32_t *sample; /* SAMPLE rows */
} scratch;

static void scratch_free(void *space)
{
    scratch *w = space;

    if (w) {
        free(w->a.climb);
        free(w->b.climb);
        free(w->row_a);
        free(w->row_b);
        free(w->sample);
        free(w);
    }
}

static shoal_status scratch_new(shoal_ctx *ctx, void **space, void *payload, size_t count)
{
    shoal_status st = SHOAL_OK;
    const splitting *s = payload;
    size_t lanes = s->grouping->lanes->count;
    scratch *w = NULL;

    *space = NULL;
    SHOAL_ALLOC(ctx, w, 1);
    SHOAL_ALLOC(ctx, w->a.climb, lanes);
    SHOAL_ALLOC(ctx, w->b.climb, lanes);
    SHOAL_ALLOC(ctx, w->row_a, lanes);
    SHOAL_ALLOC(ctx, w->row_b, lanes);
    if (count > SAMPLE_ABOVE) {
        SHOAL_ALLOC(ctx, w->sample, SAMPLE * lanes);
    }
    *space = w;
    w = NULL;
done:
    scratch_free(w);
    return st;
}

static int32_t *row_at(const splitting *s, size_t place)
{
    return s->grouping->rows + place * s->grouping->lanes->count;
}

/* Copy evenly spaced rows of a large range, so that one pass over little memory serves all
 * rounds. */
static void take_sample(const splitting *s, const shoal_i_subrange *r, scratch *w)
{
    size_t lanes = s->grouping->lanes->count;

    for (size_t i = 0; i < SAMPLE; i++) {
        size_t place = r->first + (size_t)((uint64_t)r->count * i / SAMPLE);

        shoal_i_row_copy(s->grouping->lanes, w->sample + i * lanes, row_at(s, place));
    }
}

static void set_seed(const splitting *s, shoal_i_probe *probe, int32_t *copy,
                     const int32_t *row)
{
    shoal_i_row_copy(s->grouping->lanes, copy, row);
    shoal_i_probe_set(probe, s->grouping->lanes, copy, copy, copy);
}

/* Find two rows far apart: from a random one go to the farthest, from there to the farthest,
 * and so on. False when all rows are equal. */
static bool seek_seeds(const splitting *s, scratch *w, uint64_t key, const int32_t *rows,
                       size_t count)
{
    const shoal_i_lanes *lanes = s->grouping->lanes;
    shoal_i_random random = shoal_i_random_start(key);
    int32_t largest = 0;

    set_seed(s, &w->b, w->row_b, rows + shoal_i_random_below(&random, count) * lanes->count);
    for (int round = 0; round < s->rounds; round++) {
        shoal_i_probe probe = w->a;
        int32_t *row = w->row_a;

        w->a = w->b;
        w->row_a = w->row_b;
        w->b = probe;
        w->row_b = row;
        size_t farthest = lanes->kernels->farthest(&largest, lanes, &w->a, rows, count);

        set_seed(s, &w->b, w->row_b, rows + farthest * lanes->count);
    }
    return largest > 0;
}

/* The seeds of a range. A sample of equal rows proves nothing: a few others may be among the
 * rest, and taking them for equal would cost all of them. */
static bool find_seeds(const splitting *s, const shoal_i_subrange *r, scratch *w)
{
    if (r->count > SAMPLE_ABOVE) {
        take_sample(s, r, w);
        if (seek_seeds(s, w, r->key, w->sample, SAMPLE)) {
            return true;
        }
    }
    return seek_seeds(s, w, r->key, row_at(s, r->first), r->count);
}

/* Give the half of the range that leans most to b the side 1. */
static shoal_status halve_sides(shoal_ctx *ctx, splitting *s, const shoal_i_subrange *r,
                                const scratch *w, size_t *ones)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_lanes *lanes = s->grouping->lanes;
    shoal_i_sort_item *entries = NULL;
    shoal_i_sort_item *spare = NULL;

    SHOAL_ALLOC(ctx, entries, r->count);
    SHOAL_ALLOC(ctx, spare, r->count);
    for (size_t i = 0; i < r->count; i++) {
        int32_t to_a = 0;
        int32_t to_b = 0;

        lanes->kernels->penalties(&to_a, lanes, &w->a, row_at(s, r->first + i), 1);
        lanes->kernels->penalties(&to_b, lanes, &w->b, row_at(s, r->first + i), 1);
        int64_t lean = (int64_t)to_a - to_b + 2 * (int64_t)SHOAL_I_PENALTY_ONE;

        entries[i] = (shoal_i_sort_item){.key = (uint64_t)lean, .item = (uint32_t)i};
    }
    shoal_i_sort_items(entries, spare, r->count);
    for (size_t i = 0; i < r->count; i++) {
        s->sides[r->first + entries[i].item] = i >= r->count / 2;
    }
    *ones = r->count - r->count / 2;
done:
    free(entries);
    free(spare);
    return st;
}

/* Split a range in two, or leave it whole when it is small or its records are all equal. */
static shoal_status split_range(shoal_ctx *ctx, void *payload, void *space,
                                const shoal_i_subrange *r, shoal_i_parts *parts)
{
    shoal_status st = SHOAL_OK;
    splitting *s = payload;
    scratch *w = space;
    const shoal_i_lanes *lanes = s->grouping->lanes;
    size_t ones = 0;

    if (r->count <= s->most || !find_seeds(s, r, w)) {
        return SHOAL_OK;
    }
    if (r->depth < DEPTH_MAX) {
        ones = lanes->kernels->sides(s->sides + r->first, lanes, &w->a, &w->b,
                                     row_at(s, r->first), r->count);
    } else {
        SHOAL_TRY(halve_sides(ctx, s, r, w, &ones));
    }
    shoal_i_grouping_part(s->grouping, shoal_i_subrange_span(r), s->sides + r->first);
    if (r->count > SHOAL_I_BLOCK) {
        s->grouping->is_start[r->first + r->count - ones] = SHOAL_I_STARTS_BLOCK;
    }
    SHOAL_TRY(shoal_i_parts_add(ctx, parts, r->count - ones));
    SHOAL_TRY(shoal_i_parts_add(ctx, parts, ones));
done:
    return st;
}

shoal_status shoal_i_split(shoal_ctx *ctx, shoal_i_grouping *grouping, uint64_t seed,
                           size_t most, int rounds, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    splitting s = {.grouping = grouping, .most = most, .rounds = rounds};
    const shoal_i_recursion recursion = {
        .split = split_range,
        .scratch_new = scratch_new,
        .scratch_free = scratch_free,
        .payload = &s,
        .is_start = grouping->is_start,
        .meter = meter,
    };

    SHOAL_ALLOC(ctx, s.sides, grouping->count);
    SHOAL_TRY(shoal_i_recurse(ctx, &recursion, grouping->count, seed));
done:
    free(s.sides);
    return st;
}

/* --- Blocks. ------------------------------------------------------------------------------ */

typedef struct blocks {
    size_t count;
    size_t *starts; /* count + 1 */
    shoal_i_block_fn work;
    void *payload;
} blocks;

/* The next place from `place` on where a block may start, or the end. */
static size_t find_mark(const shoal_i_grouping *grouping, size_t place)
{
    const uint8_t *mark =
        place < grouping->count
            ? memchr(grouping->is_start + place, SHOAL_I_STARTS_BLOCK, grouping->count - place)
            : NULL;

    return mark ? (size_t)(mark - grouping->is_start) : grouping->count;
}

/* Let the rest, whose records the tally has, join the blocks before it until it holds. One may
 * not be enough: where values matter, what holds and what does not need not hold together. */
static void close_blocks(blocks *b, const shoal_i_grouping *grouping,
                         const shoal_i_problem *problem, shoal_i_tally *tally)
{
    while (b->count > 0 && !shoal_i_requirement_holds(problem->requirements, &tally->stats)) {
        size_t first = b->starts[b->count - 1];

        shoal_i_tally_add_list(tally, grouping->records + first, b->starts[b->count] - first);
        b->count--;
    }
    b->starts[++b->count] = grouping->count;
}

/* Join the ranges that splitting marked as blocks until each holds the requirement by
 * itself. */
static shoal_status collect_blocks(shoal_ctx *ctx, blocks *b, const shoal_i_grouping *grouping,
                                   const shoal_i_problem *problem)
{
    shoal_status st = SHOAL_OK;
    shoal_i_tally tally = {0};
    size_t marked = 1;

    for (size_t i = 1; i < grouping->count; i++) {
        marked += grouping->is_start[i] == SHOAL_I_STARTS_BLOCK;
    }
    SHOAL_TRY(shoal_i_tally_init(ctx, &tally, problem->source));
    SHOAL_ALLOC(ctx, b->starts, marked + 1);
    for (size_t i = 0, end = 0; i < grouping->count; i = end) {
        if (i > 0 && shoal_i_requirement_holds(problem->requirements, &tally.stats)) {
            b->starts[++b->count] = i;
            shoal_i_tally_empty(&tally);
        }
        end = find_mark(grouping, i + 1);
        shoal_i_tally_add_list(&tally, grouping->records + i, end - i);
    }
    close_blocks(b, grouping, problem, &tally);
done:
    shoal_i_tally_clear(&tally);
    return st;
}

static shoal_status work_on_block(shoal_ctx *ctx, void *payload, size_t index)
{
    blocks *b = payload;

    return b->work(ctx, b->payload,
                   shoal_i_span_between(b->starts[index], b->starts[index + 1]));
}

shoal_status shoal_i_split_blocks(shoal_ctx *ctx, const shoal_i_grouping *grouping,
                                  const shoal_i_problem *problem, shoal_i_block_fn work,
                                  void *payload)
{
    shoal_status st = SHOAL_OK;
    blocks b = {.work = work, .payload = payload};
    size_t *weights = NULL; /* records of each */

    SHOAL_TRY(collect_blocks(ctx, &b, grouping, problem));
    SHOAL_ALLOC(ctx, weights, b.count);
    for (size_t i = 0; i < b.count; i++) {
        weights[i] = b.starts[i + 1] - b.starts[i];
    }
    SHOAL_TRY(shoal_i_parallel_by_weight(ctx, b.count, weights, work_on_block, &b));
done:
    free(weights);
    free(b.starts);
    return st;
}

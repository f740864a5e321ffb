#include "search_in_blocks.h"

#include "long_search.h"

#include "../../base/clock.h"
#include "../../base/random.h"

#include <string.h>

/* How often the groups of several blocks are searched. */
#define ROUNDS 2

/* Seconds for each record that it takes about until a block can be searched: listing near
 * points of a block that has less time than that would only make others wait. */
#define SECONDS_UNTIL_SEARCH 1e-6

/* Rounds in which split.h seeks the two records of a cut that are far apart. */
#define SEED_ROUNDS 3

/* One round. */
typedef struct round_state {
    const shoal_i_block_search *search;
    unsigned round_count; /* of the search */
    uint64_t seed;
    double deadline;    /* of the round; 0: none */
    size_t group_count; /* at its start */
    size_t *starts;     /* of the groups, and the end */
    uint32_t *order;    /* of the groups, near ones together */
    uint8_t *is_cut;    /* per place of the order: a block may start there */
    uint32_t *group_of; /* per record */
    size_t block_count;
    size_t *blocks; /* places of the grouping where blocks start, and the end */
} round_state;

static void round_clear(round_state *r)
{
    free(r->starts);
    free(r->order);
    free(r->is_cut);
    free(r->group_of);
    free(r->blocks);
}

/* --- Which groups lie together. ----------------------------------------------------------- */

/* Put the groups in order by splitting their first records (split.h) until a part has no more
 * groups than a block. */
static shoal_status order_groups(shoal_ctx *ctx, round_state *r)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_grouping *grouping = r->search->grouping;
    size_t lanes = grouping->lanes->count;
    size_t most = r->group_count * r->search->block_records / grouping->count;
    /* So long that nothing is told of it. */
    shoal_i_meter silent = {.stage = r->search->meter->stage, .total = UINT64_MAX};
    shoal_i_grouping heads = {.lanes = grouping->lanes, .count = r->group_count};

    SHOAL_ALLOC(ctx, heads.rows, r->group_count * lanes);
    SHOAL_ALLOC(ctx, heads.records, r->group_count);
    SHOAL_ALLOC(ctx, heads.is_start, r->group_count);
    for (size_t g = 0; g < r->group_count; g++) {
        memcpy(heads.rows + g * lanes, grouping->rows + r->starts[g] * lanes,
               lanes * sizeof *heads.rows);
        heads.records[g] = (uint32_t)g;
    }
    heads.is_start[0] = 1;
    SHOAL_TRY(shoal_i_split(ctx, &heads, r->seed, most > 1 ? most : 1, SEED_ROUNDS, &silent));
    r->order = heads.records;
    r->is_cut = heads.is_start;
    heads.records = NULL;
    heads.is_start = NULL;
done:
    free(heads.rows);
    free(heads.records);
    free(heads.is_start);
    return st;
}

/* Bring the records of the grouping into the order of the groups, and mark the blocks. */
static shoal_status arrange(shoal_ctx *ctx, round_state *r)
{
    shoal_status st = SHOAL_OK;
    shoal_i_grouping *grouping = r->search->grouping;
    size_t lanes = grouping->lanes->count;
    int32_t *rows = NULL;
    uint32_t *records = NULL;
    size_t least = r->search->block_records / 2;
    size_t place = 0;

    SHOAL_ALLOC(ctx, rows, grouping->count * lanes);
    SHOAL_ALLOC(ctx, records, grouping->count);
    SHOAL_ALLOC(ctx, r->group_of, grouping->count);
    SHOAL_ALLOC(ctx, r->blocks, r->group_count + 1);
    memset(grouping->is_start, 0, grouping->count);
    for (size_t i = 0; i < r->group_count; i++) {
        size_t first = r->starts[r->order[i]];
        size_t count = r->starts[r->order[i] + 1] - first;

        if (i == 0 || (r->is_cut[i] && place - r->blocks[r->block_count - 1] >= least)) {
            r->blocks[r->block_count++] = place;
        }
        grouping->is_start[place] = 1;
        memcpy(rows + place * lanes, grouping->rows + first * lanes,
               count * lanes * sizeof *rows);
        memcpy(records + place, grouping->records + first, count * sizeof *records);
        for (size_t j = place; j < place + count; j++) {
            r->group_of[records[j]] = (uint32_t)i;
        }
        place += count;
    }
    r->blocks[r->block_count] = place;
    free(grouping->rows);
    free(grouping->records);
    grouping->rows = rows;
    grouping->records = records;
    rows = NULL;
    records = NULL;
done:
    free(rows);
    free(records);
    return st;
}

/* --- Blocks. ------------------------------------------------------------------------------ */

/* The points of a block: equal records of different groups are different ones. */
static shoal_status make_points(shoal_ctx *ctx, const round_state *r, shoal_i_span span,
                                shoal_i_distinct **out)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_grouping *grouping = r->search->grouping;
    uint32_t *parts = NULL;

    SHOAL_ALLOC(ctx, parts, span.count);
    for (size_t i = 0; i < span.count; i++) {
        parts[i] = r->group_of[grouping->records[span.first + i]];
    }
    const shoal_i_distinct_rows rows = {
        .rows = grouping->rows + span.first * grouping->lanes->count,
        .count = span.count,
        .records = grouping->records + span.first,
        .parts = parts,
    };

    SHOAL_TRY(shoal_i_distinct_build(ctx, out, grouping->lanes, &rows));
done:
    free(parts);
    return st;
}

/* The share of a block in the work of the round, or in the time that is left for this block and
 * those behind it. */
static shoal_i_search_limit limit_block(const round_state *r, shoal_i_span span)
{
    shoal_i_search_limit limit = {
        .work = r->search->work * span.count / r->round_count,
        .units = SHOAL_I_SEARCH_UNITS * span.count / r->round_count,
    };

    if (r->deadline > 0) {
        double now = shoal_i_clock_seconds();
        size_t left = r->search->grouping->count - span.first;

        limit.deadline = now + (r->deadline - now) * (double)span.count / (double)left;
    }
    return limit;
}

static bool has_time(shoal_i_search_limit limit, size_t records)
{
    double needed = SECONDS_UNTIL_SEARCH * (double)records;

    return limit.deadline == 0 || shoal_i_clock_seconds() + needed < limit.deadline;
}

/* Search a block; without time for that its groups stay. */
static shoal_status search_block(shoal_ctx *ctx, const round_state *r, size_t index)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_block_search *search = r->search;
    shoal_i_span span = shoal_i_span_between(r->blocks[index], r->blocks[index + 1]);
    uint64_t key = shoal_i_random_key(r->seed, index);
    shoal_i_search_limit limit = limit_block(r, span);
    shoal_i_distinct *distinct = NULL;
    shoal_i_point_neighbours *points = NULL;
    shoal_i_solution *solution = NULL;

    if (!has_time(limit, span.count)) {
        return shoal_i_meter_add(ctx, search->meter, limit.units);
    }
    SHOAL_TRY(make_points(ctx, r, span, &distinct));
    SHOAL_TRY(shoal_i_point_neighbours_build(ctx, &points, search->problem, distinct));
    SHOAL_TRY(shoal_i_solution_new(ctx, &solution, points));
    SHOAL_TRY(shoal_i_solution_load(ctx, solution, r->group_of));
    SHOAL_TRY(shoal_i_point_neighbours_list(
        ctx, points, shoal_i_effort_reach(search->problem, points->count, span.count)));
    if (search->is_long) {
        SHOAL_TRY(shoal_i_search_long(ctx, &solution, key, limit, search->meter));
    } else {
        SHOAL_TRY(shoal_i_solution_improve(ctx, solution, key, limit, search->meter));
    }
    SHOAL_TRY(shoal_i_solution_lay_out(ctx, solution, search->grouping, span.first));
done:
    shoal_i_solution_free(solution);
    shoal_i_point_neighbours_free(points);
    shoal_i_distinct_free(distinct);
    return st;
}

static shoal_status run_round(shoal_ctx *ctx, round_state *r)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_grouping_starts(ctx, &r->starts, &r->group_count, r->search->grouping));
    SHOAL_TRY(order_groups(ctx, r));
    SHOAL_TRY(arrange(ctx, r));
    for (size_t i = 0; i < r->block_count; i++) {
        SHOAL_TRY(search_block(ctx, r, i));
    }
done:
    return st;
}

shoal_status shoal_i_search_in_blocks(shoal_ctx *ctx, const shoal_i_block_search *search)
{
    shoal_status st = SHOAL_OK;
    double start = shoal_i_clock_seconds();
    unsigned rounds = search->grouping->count > search->block_records ? ROUNDS : 1;

    for (unsigned i = 0;
         i < rounds && st == SHOAL_OK && !shoal_i_clock_is_over(search->deadline); i++) {
        round_state r = {
            .search = search,
            .round_count = rounds,
            .seed = shoal_i_random_key(search->problem->seed, i),
        };

        if (search->deadline > 0) {
            r.deadline = start + (search->deadline - start) * (i + 1) / rounds;
        }
        st = run_round(ctx, &r);
        round_clear(&r);
    }
    return st;
}

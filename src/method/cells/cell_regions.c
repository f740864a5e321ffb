#include "cell_regions.h"

#include "cell_chain.h"
#include "region_part.h"

#include "../../base/clock.h"
#include "../../base/fail.h"
#include "../../base/pool.h"

#include <math.h>
#include <string.h>

/* Regions are large at first, and cooled slowly: what hangs together over many cells is decided
 * there. Then they are small, since a small one is brought to its optimum soon, and in the end
 * there are some of what is left for those in between. */
typedef struct stage {
    size_t cells;   /* open cells of a region */
    size_t trials;  /* for each of these */
    double ends_at; /* after so much of what may be done, from 0 to 1, or when all is in vain */
} stage;

static const stage stages[] = {
    {.cells = 128, .trials = 20000, .ends_at = 0.3},
    {.cells = 16, .trials = 3000, .ends_at = 0.45},
    {.cells = 32, .trials = 3000, .ends_at = 1},
};
#define STAGES (sizeof stages / sizeof *stages)
#define CELLS_MOST 128

/* A region is at most such a part of all open cells, and so are all that are annealed at a
 * time, so that there is an outside. */
#define REGION_PART 4
#define REGIONS_PART 4
#define REGIONS_MOST 8

/* How often T falls while a region is annealed. */
#define COOLED 64

/* How often each open cell may be looked at in vain. */
#define LOOKS_IN_VAIN 6

/* How near an open cell is to a region: what a point counts that could go there, and one that
 * could come from there. */
#define GOES 10
#define COMES 3

/* How many cells are drawn to find a closed one. */
#define CLOSED_DRAWS 16

/* A record that is in another cell now. */
typedef struct change {
    uint32_t record;
    uint32_t cell;
} change;

typedef struct region {
    size_t cell_count;
    uint32_t cells[CELLS_MOST];
    size_t change_count;
    change *changes;
    uint64_t work;
} region;

typedef struct regions {
    shoal_i_cell_state state;
    int64_t warmest;
    uint64_t seed;
    uint64_t round;
    size_t open_count;
    uint32_t *open;
    uint64_t *nearness; /* per cell: to the region that grows */
    size_t stage;
    size_t region_cells;
    size_t region_count;
    region regions[REGIONS_MOST];
    size_t in_vain; /* regions since the last that became cheaper, or since the stage began */
} regions;

/* --- Which cells are a region. ------------------------------------------------------------ */

static void list_open(regions *r)
{
    r->open_count = 0;
    for (uint32_t i = 0; i < r->state.pool->cell_count; i++) {
        if (r->state.loads[i] > 0) {
            r->open[r->open_count++] = i;
        }
    }
}

/* Find out which cells records of a point could go to from a cell, or come from. */
static void see_point(regions *r, uint32_t point, uint32_t cell)
{
    const shoal_i_cell_pool *pool = r->state.pool;
    bool is_in = false;

    for (uint32_t i = r->state.first[point]; i < r->state.first[point + 1]; i++) {
        is_in |= r->state.cell_of[i] == cell;
        if (r->state.cell_of[i] != cell) {
            r->nearness[r->state.cell_of[i]] += COMES;
        }
    }
    for (uint32_t i = pool->first[point]; is_in && i < pool->first[point + 1]; i++) {
        r->nearness[pool->cells_of[i]] += GOES;
    }
}

/* Take a cell into a region, and find out who is near it. */
static void take_cell(regions *r, region *it, uint32_t number)
{
    const shoal_i_priced_cell *cell = &r->state.pool->cells[number];

    it->cells[it->cell_count++] = number;
    r->state.region_of[number] = (uint8_t)(it - r->regions + 1);
    for (uint32_t i = 0; i < cell->count; i++) {
        see_point(r, cell->points[i], number);
    }
}

/* The open cell in no region that is nearest, more or less; large cells are near to all, which
 * is no reason to take them. SHOAL_I_NO_CELL: none is near. */
static uint32_t draw_near(const regions *r, shoal_i_random *random)
{
    uint32_t nearest = SHOAL_I_NO_CELL;
    double most = 0;

    for (size_t i = 0; i < r->open_count; i++) {
        uint32_t cell = r->open[i];

        if (r->state.region_of[cell] == 0 && r->nearness[cell] > 0) {
            double near = (double)r->nearness[cell] /
                          sqrt(1.0 + r->state.pool->cells[cell].count) *
                          (0.5 + shoal_i_random_unit(random));

            nearest = near > most ? cell : nearest;
            most = fmax(near, most);
        }
    }
    return nearest;
}

/* Take open cells in no region that records of a closed cell are in: what it would take to open
 * it. */
static void take_donors(regions *r, region *it, shoal_i_random *random, uint32_t closed)
{
    const shoal_i_priced_cell *cell = &r->state.pool->cells[closed];

    for (uint32_t i = 0; i < cell->count && it->cell_count < r->region_cells; i++) {
        uint32_t point = cell->points[shoal_i_random_below(random, cell->count)];
        uint32_t donor = r->state.cell_of[r->state.first[point]];

        if (donor < r->state.pool->cell_count && r->state.region_of[donor] == 0) {
            take_cell(r, it, donor);
        }
    }
}

/* Draw a cell that is closed; SHOAL_I_NO_CELL: hardly any is. */
static uint32_t draw_closed(const regions *r, shoal_i_random *random)
{
    for (int i = 0; i < CLOSED_DRAWS; i++) {
        uint32_t cell = (uint32_t)shoal_i_random_below(random, r->state.pool->cell_count);

        if (r->state.loads[cell] == 0) {
            return cell;
        }
    }
    return SHOAL_I_NO_CELL;
}

/* Let a region grow around a random closed cell, or from a random open one. */
static void grow_region(regions *r, region *it, shoal_i_random *random)
{
    uint32_t cell = r->open[shoal_i_random_below(random, r->open_count)];
    uint32_t closed = draw_closed(r, random);

    it->cell_count = 0;
    memset(r->nearness, 0, (r->state.pool->cell_count + 1) * sizeof *r->nearness);
    if (closed != SHOAL_I_NO_CELL) {
        take_donors(r, it, random, closed);
    }
    if (it->cell_count == 0 && r->state.region_of[cell] == 0) {
        take_cell(r, it, cell);
    }
    while (it->cell_count > 0 && it->cell_count < r->region_cells) {
        cell = draw_near(r, random);
        if (cell == SHOAL_I_NO_CELL) {
            break;
        }
        take_cell(r, it, cell);
    }
}

static void choose_regions(regions *r)
{
    shoal_i_random random = shoal_i_random_start(shoal_i_random_key(~r->seed, r->round));
    size_t cells = r->open_count / REGION_PART + 1;

    r->region_cells = cells < stages[r->stage].cells ? cells : stages[r->stage].cells;
    size_t most = r->open_count / (REGIONS_PART * r->region_cells);

    r->region_count = most < 1 ? 1 : most < REGIONS_MOST ? most : REGIONS_MOST;
    memset(r->state.region_of, 0, r->state.pool->cell_count + 1);
    for (size_t i = 0; i < r->region_count; i++) {
        grow_region(r, &r->regions[i], &random);
    }
}

/* --- One region. -------------------------------------------------------------------------- */

/* Note which records are in another cell now. */
static shoal_status note_changes(shoal_ctx *ctx, region *it, const shoal_i_region_part *part,
                                 const uint32_t *best)
{
    shoal_status st = SHOAL_OK;
    size_t total = 0;
    size_t record = 0;

    for (size_t i = 0; i < part->pool.point_count; i++) {
        total += part->weights[i];
    }
    SHOAL_ALLOC(ctx, it->changes, total);
    for (size_t i = 0; i < part->pool.point_count; i++) {
        uint32_t cell =
            best[i] < part->pool.cell_count ? part->whole[best[i]] : SHOAL_I_NO_CELL;

        for (uint32_t j = 0; j < part->weights[i]; j++, record++) {
            if (best[i] != part->cell_of[i]) {
                it->changes[it->change_count++] =
                    (change){.record = part->records[record], .cell = cell};
            }
        }
    }
done:
    return st;
}

static shoal_status anneal_region(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    regions *r = payload;
    region *it = &r->regions[index];
    size_t trials = stages[r->stage].trials * it->cell_count / COOLED;
    shoal_i_region_part part = {0};
    shoal_i_cell_chain chain = {0};

    it->change_count = 0;
    it->work = 0;
    if (it->cell_count == 0) {
        goto done;
    }
    SHOAL_TRY(shoal_i_region_part_build(ctx, &part, &r->state, it->cells, it->cell_count));
    SHOAL_TRY(shoal_i_cell_chain_init(ctx, &chain, &part.pool));
    chain.random =
        shoal_i_random_start(shoal_i_random_key(r->seed, r->round * REGIONS_MOST + index));
    shoal_i_open_cells_place(&chain.cells, part.cell_of);
    shoal_i_cell_chain_keep(&chain);
    int64_t before = chain.least;

    for (int i = 0; i < COOLED; i++) {
        shoal_i_cell_chain_run(&chain, shoal_i_cell_cooled(r->warmest, (double)i / COOLED),
                               trials);
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
    it->work = chain.cells.work;
    if (chain.least < before) {
        SHOAL_TRY(note_changes(ctx, it, &part, chain.best));
    }
done:
    shoal_i_cell_chain_clear(&chain);
    shoal_i_region_part_clear(&part);
    return st;
}

/* --- Rounds. ------------------------------------------------------------------------------ */

/* Let records go where their regions want them. */
static void make_changes(regions *r, region *it)
{
    for (size_t i = 0; i < it->change_count; i++) {
        change to = it->changes[i];
        uint32_t cell =
            to.cell != SHOAL_I_NO_CELL ? to.cell : (uint32_t)r->state.pool->cell_count;

        r->state.loads[r->state.cell_of[to.record]]--;
        r->state.loads[cell]++;
        r->state.cell_of[to.record] = cell;
    }
    r->in_vain = it->change_count > 0 ? 0 : r->in_vain + 1;
    free(it->changes);
    it->changes = NULL;
}

/* Go on with the next stage when it is time, or when this one is in vain; false: there is none,
 * or nothing to do. */
static bool go_on(regions *r, double progress)
{
    bool is_in_vain = r->in_vain * r->region_cells > LOOKS_IN_VAIN * r->open_count;

    while (r->stage < STAGES && (is_in_vain || progress >= stages[r->stage].ends_at)) {
        r->stage++;
        r->in_vain = 0;
        is_in_vain = false;
    }
    return r->stage < STAGES && r->open_count > 0;
}

static shoal_status run_rounds(shoal_ctx *ctx, regions *r, shoal_i_search_limit limit,
                               shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    double start = shoal_i_clock_seconds();
    uint64_t work = 0;
    uint64_t shown = 0;
    double progress = 0;

    for (list_open(r); go_on(r, progress); list_open(r), r->round++) {
        choose_regions(r);
        SHOAL_TRY(shoal_i_parallel_for(ctx, r->region_count, anneal_region, r));
        for (size_t i = 0; i < r->region_count; i++) {
            work += r->regions[i].work;
            make_changes(r, &r->regions[i]);
        }
        progress = shoal_i_search_progress(&limit, work, start);
        uint64_t now = (uint64_t)(progress * (double)limit.units);

        SHOAL_TRY(shoal_i_meter_add(ctx, meter, now - shown));
        shown = now;
    }
    SHOAL_TRY(shoal_i_meter_add(ctx, meter, limit.units - shown));
done:
    return st;
}

shoal_status shoal_i_cell_regions_improve(shoal_ctx *ctx, const shoal_i_cell_pool *pool,
                                          const uint32_t *first, uint32_t *cell_of,
                                          int64_t warmest, uint64_t seed,
                                          shoal_i_search_limit limit, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    regions r = {.state = {.pool = pool, .first = first, .cell_of = cell_of},
                 .warmest = warmest,
                 .seed = seed};

    SHOAL_ALLOC(ctx, r.state.loads, pool->cell_count + 1);
    SHOAL_ALLOC(ctx, r.state.region_of, pool->cell_count + 1);
    SHOAL_ALLOC(ctx, r.open, pool->cell_count);
    SHOAL_ALLOC(ctx, r.nearness, pool->cell_count + 1);
    for (size_t i = 0; i < first[pool->point_count]; i++) {
        r.state.loads[cell_of[i]]++;
    }
    SHOAL_TRY(run_rounds(ctx, &r, limit, meter));
done:
    for (size_t i = 0; i < REGIONS_MOST; i++) {
        free(r.regions[i].changes);
    }
    free(r.state.loads);
    free(r.state.region_of);
    free(r.open);
    free(r.nearness);
    return st;
}

#include "cell_chain.h"

#include "../../base/fail.h"
#include "thresholds.h"

#include <string.h>

/* After how many trials the state is kept if it is the cheapest so far. */
#define KEEP_TRIALS 32

/* T at the beginning, in what the smallest class loses on average, and how it falls. */
#define WARMTH 0.2
static const shoal_i_cooling cooling = {.steps = 64, .fall = 38, .cold_from = 62};

/* Of 16 trials, those that close a cell, swap one for others, and settle a point; the rest
 * open. */
#define CLOSING 1
#define SWAPPING 1
#define SETTLING 4

/* How many cells are opened at most where one is closed, and how many are drawn for each. */
#define SWAP_OPENED 3
#define SWAP_DRAWS 16

/* What a trial stands for beside the points it looks at. */
#define TRIAL_WORK 16

/* --- One trial. --------------------------------------------------------------------------- */

static uint32_t draw(shoal_i_cell_chain *c, size_t bound)
{
    return (uint32_t)shoal_i_random_below(&c->random, bound);
}

/* A cell around a point that is cheaper than the one it is in; SHOAL_I_NO_CELL: there is
 * none. */
static uint32_t draw_cheaper(shoal_i_cell_chain *c, uint32_t point)
{
    const shoal_i_cell_pool *pool = c->cells.pool;
    uint32_t cheaper = shoal_i_open_cells_count_cheaper(&c->cells, point);

    return cheaper > 0 ? pool->cells_of[pool->first[point] + draw(c, cheaper)]
                       : SHOAL_I_NO_CELL;
}

/* Open a cell in which some point would gain, if that costs no more than the limit. */
static void try_opening(shoal_i_cell_chain *c, int64_t limit)
{
    uint32_t cell = draw_cheaper(c, draw(c, c->cells.pool->point_count));

    if (cell == SHOAL_I_NO_CELL || c->cells.is_open[cell] ||
        shoal_i_open_cells_judge(&c->cells, cell) > limit) {
        return;
    }
    int64_t before = c->cells.cost;

    if (shoal_i_open_cells_open(&c->cells, cell) && c->cells.cost - before <= limit) {
        shoal_i_open_cells_keep(&c->cells);
    } else {
        shoal_i_open_cells_undo(&c->cells);
    }
}

static void try_closing(shoal_i_cell_chain *c, int64_t limit)
{
    uint32_t cell = c->cells.open[draw(c, c->cells.open_count)];

    if (cell < c->cells.pool->closable && c->cells.closing[cell] <= limit) {
        shoal_i_open_cells_close(&c->cells, cell);
        shoal_i_open_cells_keep(&c->cells);
    }
}

/* The cell that it would cost least to open, of some that are drawn around points of another;
 * SHOAL_I_NO_CELL: none gains anything. */
static uint32_t draw_best(shoal_i_cell_chain *c, const shoal_i_priced_cell *near)
{
    uint32_t best = SHOAL_I_NO_CELL;
    int64_t least = 0;

    for (int i = 0; i < SWAP_DRAWS; i++) {
        uint32_t cell = draw_cheaper(c, near->points[draw(c, near->count)]);

        if (cell == SHOAL_I_NO_CELL || c->cells.is_open[cell]) {
            continue;
        }
        int64_t rise = shoal_i_open_cells_judge(&c->cells, cell);

        if (rise < least) {
            least = rise;
            best = cell;
        }
    }
    return best;
}

/* Close a cell and open others around its points, if all of that costs no more than the
 * limit. */
static void try_swapping(shoal_i_cell_chain *c, int64_t limit)
{
    shoal_i_open_cells *cells = &c->cells;
    uint32_t closed = cells->open[draw(c, cells->open_count)];
    int64_t before = cells->cost;
    bool is_done = true;

    if (closed >= cells->pool->closable) {
        return;
    }
    shoal_i_open_cells_close(cells, closed);
    for (int i = 0; i < SWAP_OPENED && is_done; i++) {
        uint32_t best = draw_best(c, &cells->pool->cells[closed]);

        if (best == SHOAL_I_NO_CELL) {
            break;
        }
        /* Opening goes the way that was found last. */
        (void)shoal_i_open_cells_judge(cells, best);
        is_done = shoal_i_open_cells_open(cells, best);
    }
    if (is_done && cells->cost - before <= limit) {
        shoal_i_open_cells_keep(cells);
    } else {
        shoal_i_open_cells_undo(cells);
    }
}

/* Let a point that is kept back go to a cheaper cell. */
static void try_settling(shoal_i_cell_chain *c)
{
    if (c->cells.held_count > 0) {
        shoal_i_open_cells_settle(&c->cells, c->cells.held[draw(c, c->cells.held_count)]);
    }
}

static void try_once(shoal_i_cell_chain *c, int64_t temper)
{
    uint32_t kind = draw(c, 16);
    int64_t limit = shoal_i_threshold(temper, draw(c, 64));

    if (kind < CLOSING) {
        try_closing(c, limit);
    } else if (kind < CLOSING + SWAPPING) {
        try_swapping(c, limit);
    } else if (kind < CLOSING + SWAPPING + SETTLING) {
        try_settling(c);
    } else {
        try_opening(c, limit);
    }
    c->cells.work += TRIAL_WORK;
}

/* --- The chain. --------------------------------------------------------------------------- */

shoal_status shoal_i_cell_chain_init(shoal_ctx *ctx, shoal_i_cell_chain *c,
                                     const shoal_i_cell_pool *pool)
{
    shoal_status st = SHOAL_OK;

    *c = (shoal_i_cell_chain){.least = INT64_MAX};
    SHOAL_TRY(shoal_i_open_cells_init(ctx, &c->cells, pool));
    SHOAL_ALLOC(ctx, c->best, pool->point_count);
done:
    return st;
}

void shoal_i_cell_chain_clear(shoal_i_cell_chain *c)
{
    shoal_i_open_cells_clear(&c->cells);
    free(c->best);
    *c = (shoal_i_cell_chain){0};
}

int64_t shoal_i_cell_warmth(double loss, uint64_t smallest)
{
    return (int64_t)(WARMTH * loss * (double)smallest);
}

int64_t shoal_i_cell_cooled(int64_t warmest, double progress)
{
    return shoal_i_cooled(cooling, warmest, progress);
}

void shoal_i_cell_chain_keep(shoal_i_cell_chain *c)
{
    if (c->cells.cost < c->least) {
        c->least = c->cells.cost;
        memcpy(c->best, c->cells.cell_of, c->cells.pool->point_count * sizeof *c->best);
    }
}

void shoal_i_cell_chain_run(shoal_i_cell_chain *c, int64_t temper, size_t trials)
{
    for (size_t i = 1; i <= trials; i++) {
        try_once(c, temper);
        if (i % KEEP_TRIALS == 0 || i == trials) {
            shoal_i_cell_chain_keep(c);
        }
    }
}

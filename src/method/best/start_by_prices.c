/* Cells are opened in the order of what they are worth with the points that are left. Worth
 * only falls as others take points away, so a cell whose worth has fallen goes back into the
 * queue with what it is worth now.
 *
 * The cells that the prices were found with leave some points over, which then best_cell for
 * cells of the whole lattice, even where they lose; what nobody has opened after some rounds is
 * left to be joined to groups near it.
 */

#include "start_by_prices.h"

#include "lazy_queue.h"

#include "../../base/fail.h"

#include <string.h>

#define ROUNDS 12

/* A cell is not opened if its records lose so much more than they would pay, on average; in
 * parts of what is lost by suppression. */
#define DEFICIT_MOST 0.5

typedef struct price_start {
    shoal_i_solution *solution;
    const shoal_i_point_neighbours *points;
    const int32_t *prices;
    uint64_t smallest;
    bool is_size_enough;
    int64_t least;            /* worth of a cell that is opened */
    shoal_i_lazy_queue queue; /* of cells, by what they are worth, negated */
    size_t wanted_count;
    uint32_t *wanted; /* points that the cell looked at last would take */
    int32_t *climb;
    shoal_i_tally tally;
} price_start;

/* Whether the wanted points meet the requirement; their number is settled already. */
static bool wanted_hold(price_start *a)
{
    if (a->is_size_enough) {
        return true;
    }
    shoal_i_tally_empty(&a->tally);
    for (size_t i = 0; i < a->wanted_count; i++) {
        shoal_i_point_tally(a->points, a->wanted[i], &a->tally);
    }
    return shoal_i_requirement_holds(a->points->problem->requirements, &a->tally.stats);
}

/* What a cell is worth with the points that are left, whom it takes becoming `wanted`;
 * INT64_MIN when these are too few. */
static int64_t find_worth(price_start *a, const shoal_i_priced_cell *cell)
{
    uint64_t load = 0;
    int64_t worth = 0;

    a->wanted_count = 0;
    for (uint32_t i = 0; i < cell->count; i++) {
        uint32_t point = cell->points[i];

        if (a->solution->group_of[point] != SHOAL_I_NO_POINT) {
            continue;
        }
        int64_t gain = (int64_t)a->prices[point] - cell->loss;

        /* Beyond the smallest class, whoever does not gain is taken only to make it hold. */
        if (gain <= 0 && load >= a->smallest && wanted_hold(a)) {
            break;
        }
        a->wanted[a->wanted_count++] = point;
        load += a->points->weights[point];
        worth += gain * a->points->weights[point];
    }
    return load >= a->smallest && wanted_hold(a) ? worth : INT64_MIN;
}

static shoal_status fill_queue(shoal_ctx *ctx, price_start *a, shoal_i_priced_cells *cells)
{
    shoal_status st = SHOAL_OK;

    free(a->queue.entries);
    a->queue = (shoal_i_lazy_queue){0};
    SHOAL_ALLOC(ctx, a->queue.entries, cells->count);
    SHOAL_TRY(shoal_i_priced_cells_order(ctx, cells, a->prices));
    for (size_t i = 0; i < cells->count; i++) {
        int64_t worth = find_worth(a, &cells->cells[i]);

        if (worth >= a->least) {
            a->queue.entries[a->queue.count++] =
                (shoal_i_queued){.cost = -worth, .item = (uint32_t)i};
        }
    }
    shoal_i_lazy_queue_order(&a->queue);
done:
    return st;
}

/* Open cells, the one worth most first; how many. */
static shoal_status open_cells(shoal_ctx *ctx, price_start *a, shoal_i_priced_cells *cells,
                               size_t *opened)
{
    shoal_status st = SHOAL_OK;

    *opened = 0;
    SHOAL_TRY(fill_queue(ctx, a, cells));
    while (a->queue.count > 0) {
        shoal_i_queued *first = &a->queue.entries[0];
        int64_t worth = find_worth(a, &cells->cells[first->item]);

        if (worth >= a->least && -worth > first->cost) {
            first->cost = -worth;
            shoal_i_lazy_queue_settle(&a->queue);
        } else {
            if (worth >= a->least) {
                shoal_i_solution_group(a->solution, a->wanted, a->wanted_count, a->climb);
                ++*opened;
            }
            shoal_i_lazy_queue_drop(&a->queue);
        }
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

/* Let the points that are left best_cell for cells of the whole lattice, until none is
 * opened. */
static shoal_status serve_rest(shoal_ctx *ctx, price_start *a, shoal_i_cell_worth *cell_worth,
                               const shoal_i_lattice *lattice)
{
    shoal_status st = SHOAL_OK;
    shoal_i_priced_cells cells = {.lattice = lattice};
    shoal_i_best_cell *best_cells = NULL;
    uint32_t *left = NULL;

    SHOAL_ALLOC(ctx, best_cells, a->points->count);
    SHOAL_ALLOC(ctx, left, a->points->count);
    for (unsigned round = 0; round < ROUNDS; round++) {
        size_t count = 0;
        size_t opened = 0;
        int64_t surplus = 0;

        for (uint32_t i = 0; i < a->points->count; i++) {
            left[count] = i;
            count += a->solution->group_of[i] == SHOAL_I_NO_POINT;
        }
        shoal_i_worth_question question = {
            .kind = SHOAL_I_WORTH_ALL, .prices = a->prices, .points = left, .count = count};

        SHOAL_TRY(shoal_i_cell_worth_find(ctx, cell_worth, question, best_cells, &surplus));
        SHOAL_TRY(shoal_i_priced_cells_add(ctx, &cells, best_cells, left, count));
        SHOAL_TRY(open_cells(ctx, a, &cells, &opened));
        shoal_i_priced_cells_clear(&cells);
        if (opened == 0) {
            break;
        }
    }
done:
    shoal_i_priced_cells_clear(&cells);
    free(best_cells);
    free(left);
    return st;
}

shoal_status shoal_i_solution_start_by_prices(shoal_ctx *ctx, shoal_i_solution *solution,
                                              shoal_i_cell_worth *cell_worth,
                                              shoal_i_prices *prices, double share)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_point_neighbours *points = solution->points;
    const shoal_i_problem *problem = points->problem;
    price_start a = {.solution = solution,
                     .points = points,
                     .smallest = shoal_i_requirement_smallest_class(problem->requirements),
                     .is_size_enough = problem->source->active_count == 0};
    int32_t *lowered = NULL;
    size_t opened = 0;

    a.least = -(int64_t)(DEFICIT_MOST * SHOAL_I_PENALTY_ONE * (double)a.smallest);
    SHOAL_ALLOC(ctx, lowered, points->count);
    SHOAL_ALLOC(ctx, a.wanted, points->count);
    SHOAL_ALLOC(ctx, a.climb, points->lanes->count);
    SHOAL_TRY(shoal_i_tally_init(ctx, &a.tally, problem->source));
    for (size_t i = 0; i < points->count; i++) {
        lowered[i] = (int32_t)(share * prices->prices[i]);
    }
    a.prices = lowered;
    SHOAL_TRY(open_cells(ctx, &a, &prices->cells, &opened));
    SHOAL_TRY(serve_rest(ctx, &a, cell_worth, prices->cells.lattice));
done:
    shoal_i_tally_clear(&a.tally);
    free(a.queue.entries);
    free(a.wanted);
    free(a.climb);
    free(lowered);
    return st;
}

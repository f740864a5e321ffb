/* Cells are opened in the order of what they are worth with the points that are left. Worth only falls as
 * others take points away, so a cell whose worth has fallen goes back into the queue with what it is worth now.
 *
 * The cells that the prices were found with leave some points over, which then bid for cells of the whole lattice,
 * even where they lose; what nobody has opened after some rounds is left to be joined to groups near it.
 */

#include "auction.h"

#include "../../base/fail.h"

#include <string.h>

#define ROUNDS 12

/* A cell is not opened if its records lose so much more than they would pay, on average; in parts of what is lost by
 * suppression. */
#define DEFICIT_MOST 0.5

/* A cell and what it was worth when it was looked at last. */
typedef struct entry {
    int64_t worth;
    uint32_t cell;
} entry;

typedef struct auction {
    shoal_i_solution *solution;
    const shoal_i_site *site;
    const int32_t *prices;
    uint64_t smallest;
    bool is_size_enough;
    int64_t least; /* worth of a cell that is opened */
    size_t entry_count;
    entry *heap; /* greatest worth first, then the first cell */
    size_t wanted_count;
    uint32_t *wanted; /* points that the cell looked at last would take */
    int32_t *climb;
    shoal_i_tally tally;
} auction;

static bool is_before(entry a, entry b)
{
    return a.worth != b.worth ? a.worth > b.worth : a.cell < b.cell;
}

static void sink(auction *a, size_t at)
{
    entry moving = a->heap[at];

    for (;;) {
        size_t child = 2 * at + 1;

        if (child + 1 < a->entry_count && is_before(a->heap[child + 1], a->heap[child])) {
            child++;
        }
        if (child >= a->entry_count || !is_before(a->heap[child], moving)) {
            break;
        }
        a->heap[at] = a->heap[child];
        at = child;
    }
    a->heap[at] = moving;
}

/* Whether the wanted points meet the requirement; their number is settled already. */
static bool wanted_hold(auction *a)
{
    if (a->is_size_enough) {
        return true;
    }
    shoal_i_tally_empty(&a->tally);
    for (size_t i = 0; i < a->wanted_count; i++) {
        shoal_i_site_tally(a->site, a->wanted[i], &a->tally);
    }
    return shoal_i_requirement_holds(a->site->problem->requirements, &a->tally.stats);
}

/* What a cell is worth with the points that are left, whom it takes becoming `wanted`; INT64_MIN when these are too few. */
static int64_t appraise(auction *a, const shoal_i_lot *cell)
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
        load += a->site->weights[point];
        worth += gain * a->site->weights[point];
    }
    return load >= a->smallest && wanted_hold(a) ? worth : INT64_MIN;
}

static shoal_status fill_heap(shoal_ctx *ctx, auction *a, shoal_i_lots *lots)
{
    shoal_status st = SHOAL_OK;

    free(a->heap);
    a->heap = NULL;
    SHOAL_ALLOC(ctx, a->heap, lots->count);
    SHOAL_TRY(shoal_i_lots_order(ctx, lots, a->prices));
    a->entry_count = 0;
    for (size_t i = 0; i < lots->count; i++) {
        int64_t worth = appraise(a, &lots->lots[i]);

        if (worth >= a->least) {
            a->heap[a->entry_count++] = (entry){.worth = worth, .cell = (uint32_t)i};
        }
    }
    for (size_t i = a->entry_count / 2; i-- > 0;) {
        sink(a, i);
    }
done:
    return st;
}

/* Open lots, the one worth most first; how many. */
static shoal_status open_cells(shoal_ctx *ctx, auction *a, shoal_i_lots *lots, size_t *opened)
{
    shoal_status st = SHOAL_OK;

    *opened = 0;
    SHOAL_TRY(fill_heap(ctx, a, lots));
    while (a->entry_count > 0) {
        entry *top = &a->heap[0];
        int64_t worth = appraise(a, &lots->lots[top->cell]);

        if (worth >= a->least && worth < top->worth) {
            top->worth = worth;
        } else {
            if (worth >= a->least) {
                shoal_i_solution_gather(a->solution, a->wanted, a->wanted_count, a->climb);
                ++*opened;
            }
            a->heap[0] = a->heap[--a->entry_count];
        }
        if (a->entry_count > 0) {
            sink(a, 0);
        }
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

/* Let the points that are left bid for cells of the whole lattice, until none is opened. */
static shoal_status serve_rest(shoal_ctx *ctx, auction *a, shoal_i_appraiser *appraiser,
                               const shoal_i_lattice *lattice)
{
    shoal_status st = SHOAL_OK;
    shoal_i_lots lots = {.lattice = lattice};
    shoal_i_bid *bids = NULL;
    uint32_t *left = NULL;

    SHOAL_ALLOC(ctx, bids, a->site->count);
    SHOAL_ALLOC(ctx, left, a->site->count);
    for (unsigned round = 0; round < ROUNDS; round++) {
        size_t count = 0;
        size_t opened = 0;
        int64_t surplus = 0;

        for (uint32_t i = 0; i < a->site->count; i++) {
            left[count] = i;
            count += a->solution->group_of[i] == SHOAL_I_NO_POINT;
        }
        SHOAL_TRY(shoal_i_appraise_cells(ctx, appraiser, SHOAL_I_APPRAISE_ALL, a->prices, left,
                                         count, bids, &surplus));
        SHOAL_TRY(shoal_i_lots_add(ctx, &lots, bids, left, count));
        SHOAL_TRY(open_cells(ctx, a, &lots, &opened));
        shoal_i_lots_clear(&lots);
        if (opened == 0) {
            break;
        }
    }
done:
    shoal_i_lots_clear(&lots);
    free(bids);
    free(left);
    return st;
}

shoal_status shoal_i_solution_auction(shoal_ctx *ctx, shoal_i_solution *solution,
                                      shoal_i_appraiser *appraiser, shoal_i_prices *prices,
                                      double share)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_site *site = solution->site;
    const shoal_i_problem *problem = site->problem;
    auction a = {.solution = solution,
                 .site = site,
                 .smallest = shoal_i_requirement_smallest_class(problem->requirements),
                 .is_size_enough = problem->source->active_count == 0};
    int32_t *lowered = NULL;
    size_t opened = 0;

    a.least = -(int64_t)(DEFICIT_MOST * SHOAL_I_PENALTY_ONE * (double)a.smallest);
    SHOAL_ALLOC(ctx, lowered, site->count);
    SHOAL_ALLOC(ctx, a.wanted, site->count);
    SHOAL_ALLOC(ctx, a.climb, site->lanes->count);
    SHOAL_TRY(shoal_i_tally_init(ctx, &a.tally, problem->source));
    for (size_t i = 0; i < site->count; i++) {
        lowered[i] = (int32_t)(share * prices->prices[i]);
    }
    a.prices = lowered;
    SHOAL_TRY(open_cells(ctx, &a, &prices->lots, &opened));
    SHOAL_TRY(serve_rest(ctx, &a, appraiser, prices->lots.lattice));
done:
    shoal_i_tally_clear(&a.tally);
    free(a.heap);
    free(a.wanted);
    free(a.climb);
    free(lowered);
    return st;
}

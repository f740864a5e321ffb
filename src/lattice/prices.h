/* prices.h -- how much each record can be asked to pay, so that no cell could do with less.
 *
 * Putting records into classes is a matter of opening cells, each of which k records or more
 * must use, and every record pays the loss of its cell. Give each record a price. A cell whose
 * worth at these prices (cell_worth.h) is not positive cannot serve any k records for less than
 * they would pay; so if none is worth anything, no release loses less than the sum of all
 * prices. And if some are, since no cell need be opened twice,
 *
 *     no release loses less than  sum of prices - sum of worths that are positive.
 *
 * This is the Lagrangian dual of lower-bounded facility location with cells as facilities
 * (Karger and Minkoff 2000, doi:10.1109/SFCS.2000.892328; Held, Wolfe and Crowder 1974,
 * doi:10.1007/BF01580223). Prices that make it large tell two things: a bound, and which cells
 * a good solution would open.
 *
 * They are found by going along the subgradient: whoever nobody wants at his price pays more,
 * whoever several cells want pays less. Only cells that were ever worth something are looked at
 * in each step; from time to time all are, and those that have become worth something join
 * them. Arithmetic of prices and worths is on integers.
 */
#ifndef SHOAL_I_PRICES_H
#define SHOAL_I_PRICES_H

#include "priced_cells.h"

typedef struct shoal_i_prices {
    int32_t *prices;            /* of each point */
    int64_t bound;              /* what they prove, as far as the lattice has all cells */
    shoal_i_priced_cells cells; /* that were worth something once */
} shoal_i_prices;

#define SHOAL_I_PRICE_MOST (3 * SHOAL_I_PENALTY_ONE)

/* When to stop. */
typedef struct shoal_i_prices_limit {
    unsigned rounds; /* in which all cells are looked at */
    double deadline; /* of shoal_i_clock_seconds; 0: none */
} shoal_i_prices_limit;

/* Where cells come from. */
typedef struct shoal_i_price_source {
    const shoal_i_distinct *points;
    uint64_t smallest;     /* class */
    int32_t most;          /* that a record may be asked to pay */
    const int32_t *floors; /* by point: no class of its records loses less; NULL: nothing */
    /* Look at all cells at some prices: those worth most are added, and *bound is what the
     * prices prove, or what others near them do, which they then become. */
    shoal_status (*look)(shoal_ctx *ctx, void *payload, int32_t *prices,
                         shoal_i_priced_cells *cells, int64_t *bound);
    void *payload;
} shoal_i_price_source;

/* The cells of a lattice, by what they are worth. */
shoal_i_price_source shoal_i_price_source_of(shoal_i_cell_worth *cell_worth);

/* Find prices of the points of a source; the lattice of the cells that it adds must live as
 * long as they do. start: of each point, to begin with. target: what some release loses, all
 * records together. Parallel, the same on any number of threads unless the deadline ends it. */
shoal_status shoal_i_prices_find(shoal_ctx *ctx, shoal_i_prices **out,
                                 const shoal_i_price_source *source, const int32_t *start,
                                 int64_t target, shoal_i_prices_limit limit);
void shoal_i_prices_free(shoal_i_prices *prices);

#endif /* SHOAL_I_PRICES_H */

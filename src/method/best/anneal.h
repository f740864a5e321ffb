/* anneal.h -- making classes cheaper by simulated annealing, where sensitive values matter.
 *
 * The exchange (grouping/exchange.h) takes steps that gain and soon ends where no single step
 * does: a class that needs ten of its members replaced, to give up a whole column's
 * generalization, is dearer after each of the first nine. Annealing also takes steps that lose
 * a little, less and less so:
 *
 *   a record that is near others of another class either goes there, or changes places with one
 *   of that class, of the same stratum mostly; if both classes hold, the step is taken when it
 *   raises the total by no more than a random threshold of mean T; and T falls to 0
 *
 * Classes are not divided or emptied; how many there are is for the exchange before it.
 *
 * S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing", Science
 * 220 (1983), doi:10.1126/science.220.4598.671. Deviations: T starts so low, in proportion to
 * what classes lose, that a good start is not forgotten.
 *
 * Rounds go in parallel: for each one the classes are parted anew into a fixed number of tasks,
 * near ones together, and a task makes steps between its own classes alone. So the result does
 * not depend on the number of threads.
 */
#ifndef SHOAL_I_ANNEAL_H
#define SHOAL_I_ANNEAL_H

#include "../grouping/exchange.h"

/* Change the groups of a span, each of which meets the requirement, until the limit; each does
 * afterwards. May end with more loss than it began (grouping/keep_cheaper.h). `rows` is kept in
 * step. */
shoal_status shoal_i_anneal(shoal_ctx *ctx, shoal_i_grouping *grouping, shoal_i_span span,
                            const shoal_i_exchange_case *exchange, shoal_i_search_limit limit,
                            shoal_i_meter *meter);

#endif /* SHOAL_I_ANNEAL_H */

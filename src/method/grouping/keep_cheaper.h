/* keep_cheaper.h -- several ways to group the records; the cheapest stands.
 *
 * No single way is best for every requirement: where sensitive values hardly matter (few distinct
 * values asked for), groups of near records mended a little lose least; where classes have to
 * look like the table, carving does (carve.h). So methods that have grouped the records
 * without regard to sensitive values let a rival try, and keep whichever costs less.
 */
#ifndef SHOAL_I_KEEP_CHEAPER_H
#define SHOAL_I_KEEP_CHEAPER_H

#include "split.h"
#include "strata.h"

typedef struct shoal_i_alternatives {
    const shoal_i_problem *problem;
    shoal_i_strata *strata;
    int32_t *rows; /* of each record of the table */
} shoal_i_alternatives;

/* Whether requirements read more than sizes, and in a way that leaves room for rivals: what holds
 * must still hold after merging. */
bool shoal_i_alternatives_apply(const shoal_i_problem *problem);

shoal_status shoal_i_alternatives_init(shoal_ctx *ctx, shoal_i_alternatives *alternatives,
                                       const shoal_i_problem *problem,
                                       const shoal_i_lanes *lanes);
void shoal_i_alternatives_clear(shoal_i_alternatives *alternatives);

/* Bring the rows of the places first..first+count-1 in step with their records. */
void shoal_i_alternatives_align(const shoal_i_alternatives *alternatives,
                                shoal_i_grouping *grouping, size_t first, size_t count);

/* What the groups of these places lose: penalty times records, by the definition and not in
 * lanes, which differ where missing values are kept. */
double shoal_i_alternatives_cost(const shoal_i_alternatives *alternatives,
                                 const shoal_i_grouping *grouping, size_t first, size_t count);

/* A copy of these places and their groups, to come back to; drop accepts an empty one. */
shoal_status shoal_i_alternatives_keep(shoal_ctx *ctx, shoal_i_grouping *out,
                                       const shoal_i_grouping *grouping, size_t first,
                                       size_t count);
void shoal_i_alternatives_drop(shoal_i_grouping *copy);

/* Come back to what was kept and costs `cost`, unless what stands now costs no more. Rows are
 * left in step. */
void shoal_i_alternatives_settle(const shoal_i_alternatives *alternatives,
                                 shoal_i_grouping *grouping, size_t first,
                                 const shoal_i_grouping *kept, double cost);

/* Carve the places, which together meet the requirement, in each of so many sizes
 * (shoal_i_carve), in parallel, and keep the cheapest if it costs less than *cost, which it
 * then becomes. Rows are left in step. */
shoal_status shoal_i_alternatives_carve(shoal_ctx *ctx,
                                        const shoal_i_alternatives *alternatives,
                                        shoal_i_grouping *grouping, size_t first, size_t count,
                                        uint64_t seed, const double *factors,
                                        size_t factor_count, double *cost);

/* Whether the groups of these places are so much larger than the smallest possible class that
 * sensitive values must be what keeps them from being small. */
bool shoal_i_alternatives_is_tight(const shoal_i_alternatives *alternatives,
                                   const shoal_i_grouping *grouping, size_t first,
                                   size_t count);

/* Carve each group of a grouping, each of which meets the requirement, into smaller ones. Rows are
 * left in step. Parallel. */
shoal_status shoal_i_alternatives_carve_groups(shoal_ctx *ctx,
                                               const shoal_i_alternatives *alternatives,
                                               shoal_i_grouping *grouping, double factor);

/* Take the classes of another method's release of the whole table if they cost less than *cost, as above. */
shoal_status shoal_i_alternatives_release(shoal_ctx *ctx,
                                          const shoal_i_alternatives *alternatives,
                                          shoal_i_grouping *grouping,
                                          const shoal_i_release *release, double *cost);

#endif /* SHOAL_I_KEEP_CHEAPER_H */

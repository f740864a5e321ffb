/* keep_cheaper.h -- several ways to group the records; the cheapest stands.
 *
 * No single way is best for every requirement: where sensitive values hardly matter (few
 * distinct values asked for), groups of near records mended a little lose least; where classes
 * have to look like the table, carving does (carve.h). So methods that have grouped the records
 * without regard to sensitive values try another way too, and keep whichever costs less.
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

/* Whether requirements read more than sizes, and in a way that leaves room for other groups:
 * what holds must still hold after merging. */
bool shoal_i_alternatives_apply(const shoal_i_problem *problem);

shoal_status shoal_i_alternatives_init(shoal_ctx *ctx, shoal_i_alternatives *alternatives,
                                       const shoal_i_problem *problem,
                                       const shoal_i_lanes *lanes);
void shoal_i_alternatives_clear(shoal_i_alternatives *alternatives);

/* Bring the rows of a span in step with its records. */
void shoal_i_alternatives_align(const shoal_i_alternatives *alternatives,
                                shoal_i_grouping *grouping, shoal_i_span span);

/* What the groups of a span lose: penalty times records, by the definition and not in lanes,
 * which differ where missing values are kept. */
double shoal_i_alternatives_cost(const shoal_i_alternatives *alternatives,
                                 const shoal_i_grouping *grouping, shoal_i_span span);

/* Group the records of a span in another way. */
typedef shoal_status (*shoal_i_attempt_fn)(shoal_ctx *ctx, void *payload, shoal_i_span span);

/* Let an attempt group a span in another way, and come back to what stood there if that cost
 * less. Of equals the attempt stands. Rows are left in step. */
shoal_status shoal_i_keep_cheaper(shoal_ctx *ctx, const shoal_i_alternatives *alternatives,
                                  shoal_i_grouping *grouping, shoal_i_span span,
                                  shoal_i_attempt_fn attempt, void *payload);

/* Sizes of classes to carve, in smallest possible ones. */
typedef struct shoal_i_carve_sizes {
    size_t count; /* at most 4 */
    const double *factors;
    double deadline; /* of shoal_i_clock_seconds: what is not done then is dropped; 0: none */
} shoal_i_carve_sizes;

/* Carve a span, whose records together meet the requirement, in each of some sizes
 * (shoal_i_carve), in parallel, and keep the cheapest if it costs less than what stands. Rows
 * are left in step. */
shoal_status shoal_i_alternatives_carve(shoal_ctx *ctx,
                                        const shoal_i_alternatives *alternatives,
                                        shoal_i_grouping *grouping, shoal_i_span span,
                                        uint64_t seed, shoal_i_carve_sizes sizes);

/* How often to peel. */
typedef struct shoal_i_peel_variations {
    size_t count;    /* at least 1 */
    double near;     /* if the first costs more than this, it is the last */
    double deadline; /* as of carving */
} shoal_i_peel_variations;

/* Group a span, whose records together meet the requirement, by peeling it, in some variations
 * (shoal_i_peel), in parallel; the cheapest stands, whatever stood there, unless there was no
 * time for any. Rows are left in step. */
shoal_status shoal_i_alternatives_peel(shoal_ctx *ctx, const shoal_i_alternatives *alternatives,
                                       shoal_i_grouping *grouping, shoal_i_span span,
                                       uint64_t seed,
                                       const shoal_i_peel_variations *variations);

/* Whether the groups of a span are so much larger than the smallest possible class that
 * sensitive values must be what keeps them from being small. */
bool shoal_i_alternatives_are_tight(const shoal_i_alternatives *alternatives,
                                    const shoal_i_grouping *grouping, shoal_i_span span);

/* Carve each group of a grouping, each of which meets the requirement, into smaller ones. Rows
 * are left in step. Parallel. */
shoal_status shoal_i_alternatives_carve_groups(shoal_ctx *ctx,
                                               const shoal_i_alternatives *alternatives,
                                               shoal_i_grouping *grouping, double factor);

/* Replace all groups by the classes of another method's release of the whole table: at any
 * price, or only if they cost less. Rows are left in step. */
shoal_status shoal_i_alternatives_load(shoal_ctx *ctx, const shoal_i_alternatives *alternatives,
                                       shoal_i_grouping *grouping,
                                       const shoal_i_release *release);
shoal_status shoal_i_alternatives_take(shoal_ctx *ctx, const shoal_i_alternatives *alternatives,
                                       shoal_i_grouping *grouping,
                                       const shoal_i_release *release);

#endif /* SHOAL_I_KEEP_CHEAPER_H */

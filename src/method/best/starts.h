/* starts.h -- other methods as starts of the search.
 *
 * No single start is best for every table. Cells of a lattice (fill_from_cells.h) keep
 * identical records together and halve the ranges of numbers, which is wrong where one value is
 * very frequent, where tails are long, and where a class is a large part of the table. So other
 * methods group the records as well; the search goes on from what they found where that looks
 * promising, and the cheapest of all releases stands.
 *
 * topdown, mondrian and hilbert have a try in every table, unless it is large and a sample of
 * it shows that they have no chance. All methods that make classes have where the table is so
 * small, or so few of its records differ, that they cost little beside the search; in larger
 * ones those that take long only where a quick one came near, at fast effort in wide tables
 * alone. Where the optimum is a matter of a moment (exact.h), it is the only rival. Where
 * values matter, less effort has a try beside them: more begins elsewhere, and may end higher.
 */
#ifndef SHOAL_I_STARTS_H
#define SHOAL_I_STARTS_H

#include "solution.h"

#define SHOAL_I_STARTS_MAX 16

typedef struct shoal_i_starts {
    const shoal_i_problem *problem;
    double effort;
    size_t
        dear_rows; /* records that those who take long work through: different ones, mostly */
    size_t lane_count; /* of a row, about (points.h) */
    bool has_distinct; /* a column of values of their own, without a hierarchy */
    bool has_optimum;  /* the only release is the best there is */
    size_t count;
    shoal_i_release *releases[SHOAL_I_STARTS_MAX]; /* cheapest first */
    double costs[SHOAL_I_STARTS_MAX];              /* NCP */
    shoal_i_release *easier; /* what less effort finds, not one of them; NULL: not tried */
} shoal_i_starts;

/* Whether the optimum takes no longer than the effort allows. */
bool shoal_i_starts_have_optimum(const shoal_i_problem *problem, double effort);

/* Whether any other method has a try. */
bool shoal_i_starts_apply(const shoal_i_problem *problem, double effort);

/* Let the methods that suit the problem group its records, which now costs so much; none if
 * that is nothing, and none that is not done at a deadline (of shoal_i_clock_seconds; 0: none).
 * The progress that is shown meanwhile is that of the meter. Parallel. */
shoal_status shoal_i_starts_run(shoal_ctx *ctx, shoal_i_starts *starts,
                                const shoal_i_problem *problem, double effort, double cost,
                                double deadline, const shoal_i_meter *meter);
void shoal_i_starts_clear(shoal_i_starts *starts);

/* Search on from the most promising of them, and replace *release by the cheapest of all that
 * was found, if it costs less. Until the deadline (0: none) if the problem has a time. `units`
 * of the meter stand for all of it. What normal effort looks at, high effort does too, so it
 * finds nothing worse. */
shoal_status shoal_i_starts_search(shoal_ctx *ctx, shoal_i_release **release,
                                   shoal_i_starts *starts, double deadline, uint64_t units,
                                   shoal_i_meter *meter);

#endif /* SHOAL_I_STARTS_H */

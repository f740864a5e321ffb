/* population_rows.h -- the records of a population as rows in the lanes of a table that is a
 * sample of it (points.h).
 *
 * The population may have values that the table lacks. A category then has, in each lane, the
 * node of the table's hierarchy that it falls into as a reader of the release would say, and no
 * node, 0, where it falls into none; a number its place among those of the table, no lower than
 * the smallest and no higher than the largest, as a missing number that the table lacks. So a
 * row is no farther from any point of the table than what a box must lose to hold both, beyond
 * rounding: as a bound needs it.
 */
#ifndef SHOAL_I_POPULATION_ROWS_H
#define SHOAL_I_POPULATION_ROWS_H

#include "../../box/points.h"

/* population has the columns of the lanes' table, in the same order. *rows is to be freed; NULL
 * where a value falls into groups of the table that have nothing to do with each other, so that
 * it has no place. Parallel. */
shoal_status shoal_i_population_rows(shoal_ctx *ctx, int32_t **rows, const shoal_i_lanes *lanes,
                                     const shoal_i_quasi *population);

#endif /* SHOAL_I_POPULATION_ROWS_H */

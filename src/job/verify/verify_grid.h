/* verify_grid.h -- whether the ranges of a release end on the grids that a spec asks for, by
 * its texts alone. */
#ifndef SHOAL_I_VERIFY_GRID_H
#define SHOAL_I_VERIFY_GRID_H

#include "../input/received.h"

/* Every text of a quasi column with a grid must be a number or range whose ends are multiples,
 * or `*`, or missing. Where the spec does not give the type of a column, dates are what reads
 * as dates; a grid for all columns is not about one whose texts are neither.
 *
 * SHOAL_EREJECTED: one is not, with its line. */
shoal_status shoal_i_verify_grids(shoal_ctx *ctx, const shoal_spec *spec,
                                  const shoal_table *file);

#endif /* SHOAL_I_VERIFY_GRID_H */

/* gather.h -- requirements about a population: classes are merged until enough people fall into
 * each.
 *
 * How many people fall into a class depends on its box, which methods do not watch while they
 * put records into groups. So the method first meets all other requirements, and then classes
 * into which too few people fall (or too many of whom are in the table) are merged, each with
 * the one whose union costs least, until every class holds.
 *
 * How fine the method's own classes should be cannot be known beforehand: larger ones are
 * nearer to what is asked for, smaller ones leave more choice to the merging. So it is run for
 * the smallest classes that the other requirements allow, for twice as large ones, and so on
 * until it loses clearly more than before.
 *
 * The same merging mends what of persons a method could not see to: classes that hold may not
 * hold together where a person may be in both, and classes with equal boxes are together.
 */
#ifndef SHOAL_I_GATHER_H
#define SHOAL_I_GATHER_H

#include "../problem/method.h"

/* Merge classes of *release, which is replaced, until each meets the requirements, those about
 * a population where the problem has people. The whole table as one class must meet them. */
shoal_status shoal_i_gather(shoal_ctx *ctx, shoal_i_release **release,
                            const shoal_i_problem *problem);

/* Run a method whose shape is classes, and which is not full-domain, on a problem with people.
 * The whole table as one class must meet the requirements. */
shoal_status shoal_i_gather_run(shoal_ctx *ctx, shoal_i_release **out,
                                const shoal_i_method *method, const shoal_i_problem *problem,
                                const shoal_i_method_settings *settings);

#endif /* SHOAL_I_GATHER_H */

/* among_people.h -- `best` where enough people of a population must fall into every class.
 *
 * Classes of every method that makes them are merged until enough people fall into each
 * (gather.h), and the search goes on from the cheapest: there it counts the people of each
 * class that it tries (people_box.h), so that classes become as small as the population allows.
 *
 * That is for k-map. Under delta-presence the cheapest of all stands: what is promised there is
 * promised of each class by itself, and a search that makes the most of this makes classes
 * overlap so much that people are found present more likely than before (docs/research.md).
 */
#ifndef SHOAL_I_AMONG_PEOPLE_H
#define SHOAL_I_AMONG_PEOPLE_H

#include "../problem/method.h"

/* problem: with people. effort as in effort.h. The whole table as one class must meet the
 * requirements. */
shoal_status shoal_i_best_among_people(shoal_ctx *ctx, shoal_i_release **out,
                                       const shoal_i_problem *problem, double effort);

#endif /* SHOAL_I_AMONG_PEOPLE_H */

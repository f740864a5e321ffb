/* people.h -- how many people of a population fall into a box of the table's codes.
 *
 * The table is a sample of the population, which may have values that the sample lacks:
 *
 *     sample      20      30              [20..30] is codes 0..1
 *     population  20  25  30  70          and codes 0..2 here: 25 falls into it
 *
 * A released category is its label, and all below the node of that label in the population's
 * hierarchy fall into it. A box is translated as a reader of the release would read its text,
 * so what is counted here is what the verifier will count.
 *
 * The people lie in a tree of boxes of their own, not in a box_tree.h: that one sorts its items
 * at each level, keeps a box and a mark per item, and took 5 times as long to build, 2.5 times
 * as long to count and twice the memory here (docs/research.md). Halving a node at the middle
 * of its widest column only parts codes, and counting needs no way back up. Counting
 * a box takes about the square root of their number where it is narrow in some columns only,
 * less for others. Never changes once built.
 */
#ifndef SHOAL_I_PEOPLE_H
#define SHOAL_I_PEOPLE_H

#include "../../box/quasi.h"
#include "../../requirement/persons.h"

typedef struct shoal_i_people shoal_i_people;

/* population has the columns of sample, in the same order. Both must outlive the people.
 * persons: of the population, only read during the call: who has several records counts once.
 * NULL: each record is somebody. */
shoal_status shoal_i_people_build(shoal_ctx *ctx, shoal_i_people **out,
                                  const shoal_i_quasi *sample, const shoal_i_quasi *population,
                                  const shoal_i_persons *persons);
void shoal_i_people_free(shoal_i_people *people);

/* Count those in a box of the sample's codes, one closed interval per column. scratch: as many
 * intervals. Where persons are counted, every record in the box is looked at. */
uint64_t shoal_i_people_count(const shoal_i_people *people, const shoal_i_interval *box,
                              shoal_i_interval *scratch);

#endif /* SHOAL_I_PEOPLE_H */

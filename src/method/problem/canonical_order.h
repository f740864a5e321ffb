/* canonical_order.h -- the records of a problem in an order that follows from their values.
 *
 * Methods break ties by the place of a record, take records in turn, or share them out, so the
 * order of the input would show in the release, and a part of a table that arrives in another
 * order would be solved otherwise. So every method sees its records sorted:
 *
 *     by the codes of the quasi columns; those that agree in them are shuffled
 *
 * A reader knows who agrees with whom. If a method saw them by their sensitive values, it would
 * put lower values into lower classes, and of classes with {gout, HIV} and {flu, gout} the
 * reader would know: both of their people at 30 M have gout. So their order must be one that he
 * cannot make again. Yet the same table gives the same release, in whatever order it comes and
 * in however many parts. So the shuffling is drawn from a source whose key is a digest of all
 * the records with all their columns: whoever can compute that has the table already. (Who
 * knows all of it but one value may try which value leads to the release; that he can with any
 * method that gives the same bytes again. docs/randomness.md goes through all of this.)
 *
 * Against a reader who may try every table (blind.h) not even that will do: where is_blind is
 * set, those that agree are shuffled from the order of the input, by a digest of the quasi
 * columns alone.
 *
 * Records that agree in everything are interchangeable: whichever of them comes first, the same
 * is published.
 *
 *     given     order           a method sees
 *     30 F      2 0 1           24 M | 30 F | 30 M
 *     30 M      its release gets the rows of the given table back: box_of[order[i]]
 *     24 M
 */
#ifndef SHOAL_I_CANONICAL_ORDER_H
#define SHOAL_I_CANONICAL_ORDER_H

#include "method.h"

/* A problem in canonical order, and what it is made of. Not to be moved. */
typedef struct shoal_i_canonical {
    shoal_i_problem problem;
    const shoal_i_problem *given;
    uint32_t *order; /* record of the given table in each place; NULL: it was in order already,
                        and the problem is the given one */
    shoal_table *table; /* of the quasi columns alone */
    shoal_i_quasi quasi;
    shoal_i_tally_source source;
    uint32_t **codes;        /* of each active column of the source */
    shoal_i_persons persons; /* whose records they are, where that is counted */
} shoal_i_canonical;

/* With is_shuffled the sorted records are shuffled by the seed of the problem, for methods that
 * do better with neighbours apart. Everything is borrowed from the problem. {0} may be cleared,
 * and is to be after a failure. O(rows * columns); parallel, the same order on any number of
 * threads. */
shoal_status shoal_i_canonical_init(shoal_ctx *ctx, shoal_i_canonical *out,
                                    const shoal_i_problem *problem, bool is_shuffled);
void shoal_i_canonical_clear(shoal_i_canonical *canonical);

/* Give a release of the problem in canonical order the rows of the given one. */
shoal_status shoal_i_canonical_return(shoal_ctx *ctx, const shoal_i_canonical *canonical,
                                      shoal_i_release *release);

#endif /* SHOAL_I_CANONICAL_ORDER_H */

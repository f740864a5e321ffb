/* class_needs.h -- what the class of a record needs, whatever the release.
 *
 * So many records, more for a record whose value is rare or who asks for more; and, among the
 * records of its box, what requirement/necessary.h asks for: values, persons, shares. Records
 * that need different numbers are different points, though their rows be equal.
 */
#ifndef SHOAL_I_CLASS_NEEDS_H
#define SHOAL_I_CLASS_NEEDS_H

#include "../../box/distinct.h"
#include "../../requirement/necessary.h"
#include "../../requirement/tally.h"

typedef struct shoal_i_class_needs {
    const shoal_i_requirement_set *set;
    const shoal_i_tally_source *source; /* NULL: the number of records is all that counts */
    uint64_t smallest;                  /* class */
    uint64_t total;                     /* as shoal_i_necessary_total */
    uint32_t *sizes;                    /* by record: of its class, at least; owned */
    /* Set once points are known: */
    const shoal_i_distinct *points;
    size_t tally_count;
    shoal_i_tally *tallies; /* by worker; owned */
} shoal_i_class_needs;

/* Find out what classes need. source: of the records, with the values that the requirements
 * read; NULL: these are not known. record_k: the k of each record's own, or NULL. */
shoal_status shoal_i_class_needs_init(shoal_ctx *ctx, shoal_i_class_needs *needs,
                                      const shoal_i_requirement_set *set,
                                      const shoal_i_tally_source *source,
                                      const uint32_t *record_k, size_t row_count);
void shoal_i_class_needs_clear(shoal_i_class_needs *needs);

/* Let it be asked about points; they are borrowed. */
shoal_status shoal_i_class_needs_for(shoal_ctx *ctx, shoal_i_class_needs *needs,
                                     const shoal_i_distinct *points);

/* How many people of the population fall into the class of a record, at least; 1 or more. */
static inline uint64_t shoal_i_class_needs_people(const shoal_i_class_needs *needs,
                                                  uint32_t record)
{
    uint64_t persons = needs->set->counts_persons ? needs->total : needs->sizes[record];

    return shoal_i_necessary_people(needs->set, persons);
}

/* Whether more than the number of records counts. */
static inline bool shoal_i_class_needs_more(const shoal_i_class_needs *needs)
{
    return needs->source && needs->source->active_count > 0;
}

/* The tally of a worker, empty. */
shoal_i_tally *shoal_i_class_needs_tally(const shoal_i_class_needs *needs, size_t worker);

/* Count a point in; whether a class may lie among those counted so far. */
void shoal_i_class_needs_add(const shoal_i_class_needs *needs, shoal_i_tally *tally,
                             uint32_t point);
static inline bool shoal_i_class_needs_met(const shoal_i_class_needs *needs,
                                           const shoal_i_tally *tally)
{
    return shoal_i_necessary_within(needs->set, &tally->stats, needs->total);
}

#endif /* SHOAL_I_CLASS_NEEDS_H */

/* persons.h -- whose record each is, where a person may have several.
 *
 *     record   patient   person        diagnosis   pair
 *        0     P07          1          flu           1
 *        1     P03          0          flu           0
 *        2     P07          1          asthma        2
 *        3     P07          1          flu           1
 *
 * Promises are about persons: a class of records 0, 2 and 3 has one. And c(flu), the number of
 * persons with at least one record of a value, is the number of different pairs of a person and
 * flu. So whoever counts in persons counts how often each person and each pair occurs, and
 * looks at how many of them occur at all; those counts come and go with records, one by one.
 *
 * Persons are numbered densely in the order of their dictionary, so that numbers do not depend
 * on the order of the records. Never changes once built; any number of threads may read it.
 */
#ifndef SHOAL_I_PERSONS_H
#define SHOAL_I_PERSONS_H

#include "../base/arena.h"

#include <stddef.h>
#include <stdint.h>

typedef struct shoal_i_persons {
    size_t row_count;
    const uint32_t *of; /* of each record: its person, below count; each number occurs */
    size_t count;
    size_t column;       /* of the table, from which they are; SIZE_MAX: of none */
    shoal_i_arena arena; /* holds what init made */
} shoal_i_persons;

/* Number the persons of records. names: of each record, equal where the person is, below
 * name_count; only read during the call. The numbers ascend with the names. O(rows + names). */
shoal_status shoal_i_persons_init(shoal_ctx *ctx, shoal_i_persons *out, const uint32_t *names,
                                  size_t row_count, size_t name_count);

/* The persons of rows that stand for records: of row i, the person of record_of[i]. */
shoal_status shoal_i_persons_init_rows(shoal_ctx *ctx, shoal_i_persons *out,
                                       const shoal_i_persons *persons,
                                       const uint32_t *record_of, size_t row_count);

/* {0} is allowed. */
void shoal_i_persons_clear(shoal_i_persons *persons);

/* Whether some person has several records: without that, persons are records. NULL: none. */
static inline bool shoal_i_persons_repeat(const shoal_i_persons *persons)
{
    return persons && persons->count < persons->row_count;
}

/* How many different persons each group has; group_of: of each record, below group_count. NULL
 * for persons: records. *out is the caller's to free. O(rows + persons). */
shoal_status shoal_i_persons_count_groups(shoal_ctx *ctx, uint64_t **out,
                                          const shoal_i_persons *persons,
                                          const uint32_t *group_of, size_t row_count,
                                          size_t group_count);

/* The different pairs of a person and a value, numbered densely. */
typedef struct shoal_i_pairs {
    const uint32_t *of; /* of each record: its pair */
    size_t count;
    const uint32_t *value_of; /* of each pair */
} shoal_i_pairs;

/* The pairs of persons and values, in memory of the arena; values: of each record, below
 * value_count. O(rows + persons + values). */
shoal_status shoal_i_pairs_build(shoal_ctx *ctx, shoal_i_pairs *out, shoal_i_arena *arena,
                                 const shoal_i_persons *persons, const uint32_t *values,
                                 size_t value_count);

#endif /* SHOAL_I_PERSONS_H */

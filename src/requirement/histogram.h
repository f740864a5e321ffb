/* histogram.h -- how often each value of a sensitive column occurs in a class: in how many of
 * its records, or, where persons are counted, for how many of its persons.
 *
 * Counts lie densely by code, and beside them the list of the codes that occur at all, so that
 * what a requirement reads costs as much as the class has different values, however many the
 * column has. The list is in any order; nothing that is computed here depends on it.
 */
#ifndef SHOAL_I_HISTOGRAM_H
#define SHOAL_I_HISTOGRAM_H

#include <shoal/hierarchy.h>

typedef struct shoal_i_histogram {
    const uint32_t *counts;  /* by code */
    const uint32_t *present; /* the codes with a count above 0 */
    size_t present_count;
    uint64_t total; /* sum of the counts: of records their number, of persons perhaps more, as
                       one may have several values */
} shoal_i_histogram;

/* The largest count; 0 of an empty class. */
uint32_t shoal_i_histogram_largest(const shoal_i_histogram *histogram);

/* Sum of the `count` largest counts. O(values present * log of the largest), no memory. */
uint64_t shoal_i_histogram_top(const shoal_i_histogram *histogram, uint64_t count);

/* A walk over the values of a class in the order of their codes, or, with a hierarchy, of their
 * leaves. Few values among many are sorted; otherwise all codes are looked at. */
#define SHOAL_I_WALK_SORTED_MAX 256
typedef struct shoal_i_walk {
    const shoal_i_histogram *histogram;
    const shoal_hierarchy *hierarchy;
    size_t next;
    size_t end;
    bool is_sorted;
    uint32_t sorted[SHOAL_I_WALK_SORTED_MAX];
} shoal_i_walk;

/* hierarchy may be NULL; value_count is the number of codes of the column. */
void shoal_i_walk_start(shoal_i_walk *walk, const shoal_i_histogram *histogram,
                        const shoal_hierarchy *hierarchy, size_t value_count);

/* The next code or leaf and its count; false behind the last. */
bool shoal_i_walk_next(shoal_i_walk *walk, uint32_t *position, uint32_t *count);

#endif /* SHOAL_I_HISTOGRAM_H */

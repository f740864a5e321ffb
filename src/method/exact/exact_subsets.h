/* exact_subsets.h -- the optimal partition of few records, by dynamic programming over subsets.
 *
 * Records that agree in every column that costs and in all that the requirements read are of
 * one kind and interchangeable. A set of records is then how many it has of each kind, and is
 * numbered in mixed radix:
 *
 *     kind            0    1    2                set with 1, 0 and 2 of them:
 *     records of it   2    1    3                number 1*1 + 0*3 + 2*6 = 13
 *     place value     1    3    6
 *
 * The best partition of a set is its best first group, one that has a record of the set's last
 * kind, and the best partition of what is left:
 *
 *     best[S] = min over groups G of S with a record of its last kind that hold:
 *               cost[G] + best[S - G]
 *
 * Cost and requirement of every set are worked out beforehand, once. Without equal records this
 * takes 2^n sets and 3^n / 6 pairs; fewer when only sizes matter, since groups of 2k are not
 * tried.
 */
#ifndef SHOAL_I_EXACT_SUBSETS_H
#define SHOAL_I_EXACT_SUBSETS_H

#include "../problem/method.h"

/* Records at most; with more, even 63 equal pairs have too many sets. */
#define SHOAL_I_EXACT_RECORDS_MAX 64

typedef struct shoal_i_exact_kinds {
    const shoal_i_problem *problem;
    size_t count;
    uint32_t kind_of[SHOAL_I_EXACT_RECORDS_MAX]; /* of each record */
    uint32_t example[SHOAL_I_EXACT_RECORDS_MAX]; /* a record of each kind */
    uint8_t sizes[SHOAL_I_EXACT_RECORDS_MAX];    /* records of each kind */
} shoal_i_exact_kinds;

/* The kinds of the records of a problem that has at most SHOAL_I_EXACT_RECORDS_MAX. */
shoal_i_exact_kinds shoal_i_exact_find_kinds(const shoal_i_problem *problem);

/* Whether there are few enough sets and pairs of them. */
bool shoal_i_exact_is_feasible(const shoal_i_exact_kinds *kinds);

/* Pairs of sets that are looked at: what a caller may hold against a limit. */
double shoal_i_exact_pairs(const shoal_i_exact_kinds *kinds);

/* group_of[record] is set to the record's group, numbered from 0; *group_count to how many
 * there are. The whole table must meet the requirement. Parallel. */
shoal_status shoal_i_exact_subsets(shoal_ctx *ctx, uint32_t *group_of, size_t *group_count,
                                   const shoal_i_exact_kinds *kinds);

#endif /* SHOAL_I_EXACT_SUBSETS_H */

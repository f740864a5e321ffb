/* carve.h -- cutting classes out of a set of records, each a miniature of it.
 *
 * Where requirements look at how sensitive values are distributed (t, delta, beta, alpha, most
 * kinds of l), splitting by the quasi-identifier alone parts the values, and merging the parts
 * until they hold costs nearly everything. Carving draws instead. Around a record the nearest
 * of each stratum (strata.h) stand by; the class takes in whoever costs it least, but no
 * stratum may get far ahead of its share:
 *
 *     records of a stratum in the class  <  its share of the set * size of the class + lead
 *
 * until the class meets the requirement and what is left of the set does, too. Several leads
 * are tried and the cheapest class is taken. It is left to the requirement itself to say when
 * it holds, so nothing here knows the kinds of requirements.
 *
 * In the line of J. Cao, P. Karras, P. Kalnis, K.-L. Tan, "SABRE: a sensitive attribute
 * bucketization and redistribution framework for t-closeness", VLDB Journal 20 (2011), which
 * fixes the numbers drawn beforehand, for t-closeness.
 */
#ifndef SHOAL_I_CARVE_H
#define SHOAL_I_CARVE_H

#include "../../base/random.h"
#include "../../base/sort.h"
#include "split.h"
#include "strata.h"

/* Records that are still to be carved, stratum after stratum, and scratch. */
typedef struct shoal_i_carver {
    const shoal_i_problem *problem;
    const shoal_i_lanes *lanes;
    const shoal_i_strata *strata;
    uint64_t smallest_class;

    size_t count;      /* records left */
    uint32_t *firsts;  /* per stratum and one more: where its records start */
    uint32_t *lefts;   /* per stratum: how many are left, the first of its places */
    uint32_t *records; /* of each place */
    int32_t *rows;
    shoal_i_tally rest; /* what is left, without the class that is growing */

    size_t candidate_count;
    uint32_t *places; /* of the candidates, stratum after stratum */
    uint32_t *stratum_of;
    int32_t *candidate_rows;
    int32_t *penalties; /* of the candidates with the class */
    uint8_t *is_taken;

    size_t taken_count;
    uint32_t *taken; /* candidates in the class that is growing */
    uint32_t *drawn; /* per stratum: how many */
    shoal_i_tally tally;
    int32_t *box; /* two rows */
    int32_t *climb;
    uint32_t *best;     /* places of the cheapest class so far */
    int32_t *distances; /* of the places of one stratum */
    shoal_i_sort_item *items;
    shoal_i_sort_item *scratch;
} shoal_i_carver;

/* A class that can be carved: the places carver->best[0..count-1]. None: count is 0. */
typedef struct shoal_i_carving {
    size_t count;
    int32_t penalty;
} shoal_i_carving;

/* For sets of at most `count` records. */
shoal_status shoal_i_carver_init(shoal_ctx *ctx, shoal_i_carver *carver,
                                 const shoal_i_problem *problem, const shoal_i_lanes *lanes,
                                 const shoal_i_strata *strata, size_t count);
void shoal_i_carver_clear(shoal_i_carver *carver);

/* Begin with a set of records that meets the requirement; rows are theirs. */
void shoal_i_carver_load(shoal_i_carver *carver, const uint32_t *records, const int32_t *rows,
                         size_t count);

/* The best class around a random record for a size of about `size` records. */
shoal_i_carving shoal_i_carver_try(shoal_i_carver *carver, shoal_i_random *random, double size);

/* Take what the last try found out of the set: its records and rows. */
void shoal_i_carver_take(shoal_i_carver *carver, uint32_t *records, int32_t *rows,
                         const shoal_i_carving *carving);

/* Carve a span of a grouping, a group that meets the requirement, into
 * groups that do; classes of about `factor` times the smallest possible size first. `rows` is
 * kept in step. O(records^2 / size of a class). */
shoal_status shoal_i_carve(shoal_ctx *ctx, shoal_i_carver *carver, shoal_i_grouping *grouping,
                           shoal_i_span span, uint64_t seed, double factor);

#endif /* SHOAL_I_CARVE_H */

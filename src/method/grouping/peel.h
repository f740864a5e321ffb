/* peel.h -- taking classes off a set of records, each as large a part of it as holds.
 *
 * Where classes must have nearly every sensitive value (delta, beta), there are few of them and
 * they are large. Carving (carve.h) draws classes around records; here they follow from what a
 * set has in common. Of each column the set falls into the children of the node where its
 * records meet, or into lower and upper parts of a range:
 *
 *     set          *            * gives up a column for most records first:
 *                 / \           of the records of a child as many as possible, but of each
 *     child   west   east       stratum (strata.h) at most a common share of the set's
 *
 * until the part holds and so does what is left of the set. The child that gains most comes
 * first, and both the part and the rest are peeled on until nothing can be taken off. It is the
 * requirement itself that says what holds, so nothing here knows the kinds of requirements.
 *
 * What gains most at first may use up the records that later parts need. So several runs may
 * differ: with `noise` above 0 gains count up to so much more by chance.
 *
 * After the top-down recoding of (alpha, k)-anonymity (specialize.c), which takes down all
 * children at once and gives back what fails; here one child at a time takes what it can.
 */
#ifndef SHOAL_I_PEEL_H
#define SHOAL_I_PEEL_H

#include "../../base/random.h"
#include "../../base/sort.h"
#include "split.h"
#include "strata.h"

/* A part that may be taken off a set: records whose value in a lane is in a range. */
typedef struct shoal_i_peel_part {
    size_t lane;
    int32_t lo;
    int32_t hi;
    int32_t drop; /* by how much less a record of it loses, at least */
    double gain;  /* of all of its records, noise included */
    double noise; /* what gains are multiplied by */
} shoal_i_peel_part;

/* Scratch for peeling. */
typedef struct shoal_i_peeler {
    const shoal_i_problem *problem;
    const shoal_i_lanes *lanes;
    const shoal_i_strata *strata;
    uint64_t smallest_class;
    uint32_t *totals;      /* per stratum: records of the set */
    uint32_t *part_counts; /* of the part that is judged */
    uint32_t *counts;      /* who goes, while records are marked */
    uint32_t *caps;        /* of what is taken of it */
    uint32_t *best;        /* the same of the best part so far */
    uint32_t *like;        /* a record of the set */
    shoal_i_tally taken;
    shoal_i_tally rest;
    uint8_t *sides;  /* of each record of the set: 0 goes, 1 stays */
    int32_t *box;    /* of the set, two rows, then of a part */
    int32_t penalty; /* of the set */
    int32_t *climb;
    size_t part_count;
    shoal_i_peel_part *parts;
    shoal_i_sort_item *items;
    shoal_i_sort_item *scratch;
} shoal_i_peeler;

/* For sets of at most `count` records. What is zeroed may be cleared; clear it on failure too.
 */
shoal_status shoal_i_peeler_init(shoal_ctx *ctx, shoal_i_peeler *peeler,
                                 const shoal_i_problem *problem, const shoal_i_lanes *lanes,
                                 const shoal_i_strata *strata, size_t count);
void shoal_i_peeler_clear(shoal_i_peeler *peeler);

/* Peel a span of a grouping, a group that meets the requirement, into groups that do. `rows` is
 * kept in step. Ends early, with larger groups, where it would look at
 * each record some hundred times. */
shoal_status shoal_i_peel(shoal_ctx *ctx, shoal_i_peeler *peeler, shoal_i_grouping *grouping,
                          shoal_i_span span, uint64_t seed, double noise);

#endif /* SHOAL_I_PEEL_H */

/* incognito_counts.h -- the classes of a generalization as counts, without their records.
 *
 * The frequency set of a node: its classes, each with its key, its size and, for every column
 * that some requirement reads, how often which value occurs. That of a more general node is got
 * by adding up classes (roll-up), never by going back to the records.
 */
#ifndef SHOAL_I_INCOGNITO_COUNTS_H
#define SHOAL_I_INCOGNITO_COUNTS_H

#include "incognito_levels.h"
#include "../problem/method.h"

typedef struct shoal_i_value_count {
    uint32_t code;
    uint32_t count;
} shoal_i_value_count;

typedef struct shoal_i_counts {
    size_t class_count;
    size_t word_count;   /* of a key */
    size_t active_count; /* columns that requirements read */
    uint64_t *keys;
    uint32_t *sizes;
    size_t *starts; /* of class i and active column j: [i * active_count + j]; one more at the
                       end */
    shoal_i_value_count *values;
} shoal_i_counts;

void shoal_i_counts_clear(shoal_i_counts *counts);

/* What it holds in memory. */
size_t shoal_i_counts_bytes(const shoal_i_counts *counts);

/* Every record as a class of its own, at level 0 of all columns. */
shoal_status shoal_i_counts_load(shoal_ctx *ctx, shoal_i_counts *out,
                                 const shoal_i_problem *problem, const shoal_i_levels *levels);

/* How a column of a key rises to another level. */
typedef struct shoal_i_lift {
    size_t word;
    unsigned shift;
    uint64_t mask;
    const shoal_i_interval *to; /* by code */
} shoal_i_lift;

/* Scratch of one thread, for roll-ups from sets of at most so many classes and values; after
 * one, what it made. */
typedef struct shoal_i_roller {
    const shoal_i_problem *problem;
    const shoal_i_levels *levels;
    shoal_i_counts made;
    uint32_t *class_of; /* of each class of the source */
    uint32_t *slots;    /* hash table: class + 1 */
    shoal_i_hash_key hash_key;
    size_t slot_count;
    uint32_t *order;     /* classes of the source, by class made */
    uint32_t *firsts;    /* of each class made: its first place in order; one more at the end */
    bool *holds;         /* of each class made */
    uint64_t *kept_bits; /* of a key, word by word: those of columns that are taken */
    size_t lift_count;
    shoal_i_lift *lifts;
    shoal_i_tally tally;
    shoal_i_tally suppressed;

    /* What was found about the classes. */
    uint64_t small;     /* records in classes smaller than any that can hold */
    uint64_t violating; /* records in classes that do not hold */
    uint64_t extra;     /* what it costs more to suppress them */
    bool may_suppress;  /* there are none of them, or together they hold as a class */
} shoal_i_roller;

shoal_status shoal_i_roller_init(shoal_ctx *ctx, shoal_i_roller *roller,
                                 const shoal_i_problem *problem, const shoal_i_levels *levels,
                                 size_t class_count, size_t value_count);
void shoal_i_roller_clear(shoal_i_roller *roller);

/* How thoroughly classes are judged. */
typedef enum shoal_i_judging {
    SHOAL_I_JUDGE_NONE,  /* nothing is found out */
    SHOAL_I_JUDGE_SIZES, /* `small`; values are not added up */
    SHOAL_I_JUDGE_FIRST, /* `small`, and `violating` is 0 exactly when all classes hold */
    SHOAL_I_JUDGE_ALL    /* everything; all columns must be taken */
} shoal_i_judging;

/* Make the classes of a node from those of another that it generalizes. */
void shoal_i_roll_up(shoal_i_roller *roller, const shoal_i_counts *source,
                     const uint8_t *source_node, const uint8_t *node, shoal_i_judging judging);

/* A copy of what was made, no larger than needed. */
shoal_status shoal_i_roller_copy(shoal_ctx *ctx, shoal_i_counts *out,
                                 const shoal_i_roller *roller);

#endif /* SHOAL_I_INCOGNITO_COUNTS_H */

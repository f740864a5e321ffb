/* exchange_scratch.h -- one of several tasks that look for steps of an exchange (exchange.h) in
 * the same classes: what it needs, and the steps it has found, not made yet. */
#ifndef SHOAL_I_EXCHANGE_SCRATCH_H
#define SHOAL_I_EXCHANGE_SCRATCH_H

#include "carve.h"
#include "exchange.h"
#include "exchange_classes.h"

/* Trials of a task in one batch. */
#define SHOAL_I_TRIALS 48

/* Of a larger class the box is taken not to change when a member goes, and it is not divided:
 * looking at all its members again and again would be quadratic. */
#define SHOAL_I_LARGE 512

/* Members that are replaced at most in one step. */
#define SHOAL_I_REPLACED_MAX 4

/* What a member does in a step: it goes to a class, or to one that is new. */
#define SHOAL_I_NEW_CLASS UINT32_MAX
typedef struct shoal_i_change {
    uint32_t member;
    uint32_t class;
} shoal_i_change;

/* What a task needs, kept from batch to batch. */
typedef struct shoal_i_exchange_scratch {
    const shoal_i_classes *classes;
    const shoal_i_problem *problem;
    bool strata_are_exact;
    shoal_i_random random;
    shoal_i_tally tally;
    shoal_i_carver carver;
    int32_t *penalties; /* of a window */
    int32_t *unions;
    uint32_t *numbers;
    int32_t *box;         /* two rows: of the class that changes */
    int32_t *other;       /* two rows: of another */
    const int32_t *stays; /* the row of a member of that class that stays */
    int32_t *climb;
    uint32_t records[SHOAL_I_LARGE];
    int32_t *rows; /* SHOAL_I_LARGE rows */
    size_t change_count;
    size_t change_most;
    shoal_i_change *changes;
    size_t step_count;
    shoal_i_span steps[SHOAL_I_TRIALS]; /* that gain: runs of the changes */
    uint64_t work;
} shoal_i_exchange_scratch;

shoal_status shoal_i_exchange_scratch_init(shoal_ctx *ctx, shoal_i_exchange_scratch *scratch,
                                           const shoal_i_classes *classes,
                                           const shoal_i_exchange_case *exchange);
void shoal_i_exchange_scratch_clear(shoal_i_exchange_scratch *scratch);

/* Forget the steps found, and look for others; random is that of this batch. */
void shoal_i_exchange_scratch_search(shoal_i_exchange_scratch *scratch, shoal_i_random random);

#endif /* SHOAL_I_EXCHANGE_SCRATCH_H */

/* trial_kinds.h -- which kind of trial pays, learnt while a search runs.
 *
 * A trial of improve.c takes 1 to 4 groups apart, makes as many new ones of them as can be or
 * any number, and grows these from remote points or from any. Which of that gains depends on
 * the table, and is not the same at the beginning of a search and at its end. So the search
 * keeps books: what each kind gained, and how many rows it compared. The next kind is drawn by
 * the square of its gain per row; one trial in eight is of any kind, so that one that does
 * not pay now can come back:
 *
 *     gain per row       30    60    10
 *     drawn              20 %  78 %   2 %   of seven in eight
 *
 * All tasks of a batch draw from the same books, which are brought up to date after it. So
 * nothing depends on the number of threads. Integers alone, so nothing on the machine either.
 *
 * S. Ropke, D. Pisinger, "An adaptive large neighborhood search heuristic for the pickup and
 * delivery problem with time windows", Transportation Science 40 (2006),
 * doi:10.1287/trsc.1050.0135. Deviation: what counts is the gain per work, not points for
 * successes, since kinds differ in what a trial costs.
 */
#ifndef SHOAL_I_TRIAL_KINDS_H
#define SHOAL_I_TRIAL_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#define SHOAL_I_TRIAL_OPENED 4 /* groups at most */
#define SHOAL_I_TRIAL_KINDS (4 * SHOAL_I_TRIAL_OPENED)

/* A kind is drawn by a number below. */
#define SHOAL_I_TRIAL_DRAWS 65536

typedef struct shoal_i_trial_yield {
    uint64_t gain;
    uint64_t work; /* rows compared */
} shoal_i_trial_yield;

typedef struct shoal_i_trial_kinds {
    shoal_i_trial_yield yields[SHOAL_I_TRIAL_KINDS]; /* lately */
    uint32_t ends[SHOAL_I_TRIAL_KINDS]; /* draws below this one's: it or one before */
} shoal_i_trial_kinds;

/* What a kind says. */
static inline unsigned shoal_i_trial_opened(unsigned kind)
{
    return 1 + kind / 4;
}

static inline bool shoal_i_trial_makes_most(unsigned kind)
{
    return kind & 1;
}

static inline bool shoal_i_trial_is_remote(unsigned kind)
{
    return kind & 2;
}

/* Nothing known: all alike. */
void shoal_i_trial_kinds_init(shoal_i_trial_kinds *kinds);

/* The kind of a number below SHOAL_I_TRIAL_DRAWS. */
unsigned shoal_i_trial_kinds_choose(const shoal_i_trial_kinds *kinds, uint32_t number);

/* Add what a task has yielded, and forget it there. */
void shoal_i_trial_kinds_add(shoal_i_trial_kinds *kinds, shoal_i_trial_yield *yields);

/* After a batch: draw by what is known now, of which the older counts less and less. */
void shoal_i_trial_kinds_learn(shoal_i_trial_kinds *kinds);

#endif /* SHOAL_I_TRIAL_KINDS_H */

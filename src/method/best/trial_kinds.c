#include "trial_kinds.h"

#include <string.h>

/* The part of what is known that is forgotten after a batch. */
#define FADING 32

/* The part of trials that are of any kind. */
#define ANY_KIND 8

/* Gains are told apart down to this part of the best one, per so many rows. */
#define SHARES 256
#define ROWS 64

/* The gain per work of each kind, as a part of the best; all alike where nobody gained. */
static void find_shares(const shoal_i_trial_kinds *kinds, uint64_t *shares)
{
    uint64_t most = 0;

    for (unsigned i = 0; i < SHOAL_I_TRIAL_KINDS; i++) {
        shares[i] = kinds->yields[i].gain / (kinds->yields[i].work / ROWS + 1);
        most = shares[i] > most ? shares[i] : most;
    }
    for (unsigned i = 0; i < SHOAL_I_TRIAL_KINDS; i++) {
        shares[i] = most > 0 ? shares[i] / (most / SHARES + 1) : 1;
    }
}

static void set_ends(shoal_i_trial_kinds *kinds)
{
    const uint64_t any = SHOAL_I_TRIAL_DRAWS / ANY_KIND;
    uint64_t shares[SHOAL_I_TRIAL_KINDS];
    uint64_t sum = 0;
    uint64_t before = 0;

    find_shares(kinds, shares);
    for (unsigned i = 0; i < SHOAL_I_TRIAL_KINDS; i++) {
        sum += shares[i] * shares[i];
    }
    for (unsigned i = 0; i < SHOAL_I_TRIAL_KINDS; i++) {
        before += shares[i] * shares[i];
        kinds->ends[i] = (uint32_t)((SHOAL_I_TRIAL_DRAWS - any) * before / sum +
                                    any * (i + 1) / SHOAL_I_TRIAL_KINDS);
    }
}

void shoal_i_trial_kinds_init(shoal_i_trial_kinds *kinds)
{
    *kinds = (shoal_i_trial_kinds){0};
    set_ends(kinds);
}

unsigned shoal_i_trial_kinds_choose(const shoal_i_trial_kinds *kinds, uint32_t number)
{
    unsigned kind = 0;

    while (kind < SHOAL_I_TRIAL_KINDS - 1 && number >= kinds->ends[kind]) {
        kind++;
    }
    return kind;
}

void shoal_i_trial_kinds_add(shoal_i_trial_kinds *kinds, shoal_i_trial_yield *yields)
{
    for (unsigned i = 0; i < SHOAL_I_TRIAL_KINDS; i++) {
        kinds->yields[i].gain += yields[i].gain;
        kinds->yields[i].work += yields[i].work;
    }
    memset(yields, 0, SHOAL_I_TRIAL_KINDS * sizeof *yields);
}

void shoal_i_trial_kinds_learn(shoal_i_trial_kinds *kinds)
{
    set_ends(kinds);
    for (unsigned i = 0; i < SHOAL_I_TRIAL_KINDS; i++) {
        kinds->yields[i].gain -= kinds->yields[i].gain / FADING;
        kinds->yields[i].work -= kinds->yields[i].work / FADING;
    }
}

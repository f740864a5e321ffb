#include "hunted_group.h"

/* What a point gains by being in a class that loses so much. */
static int64_t gain_of(const shoal_i_payer *who, int64_t loss)
{
    int64_t gain = who->price - loss;

    return gain < who->spare ? gain : who->spare;
}

/* All that gain are in the best set, and if these are not enough those that lose least; one
 * that its floor keeps from gaining fills up for nothing. */
shoal_i_appraisal shoal_i_hunted_group_appraise(const shoal_i_hunted_group *g,
                                                shoal_i_payers payers)
{
    uint64_t load = 0;
    int64_t worth = 0;
    int64_t last = 0; /* gain of the last record that fills up */
    size_t i = 0;

    for (; i < g->count && payers.all[g->points[i]].price > g->loss; i++) {
        const shoal_i_payer *who = &payers.all[g->points[i]];

        if (who->need <= g->load) {
            int64_t gain = gain_of(who, g->loss);

            load += who->weight;
            worth += gain > 0 ? gain * who->weight : 0;
        }
    }
    for (; i < g->count && load < payers.smallest && worth > 0; i++) {
        const shoal_i_payer *who = &payers.all[g->points[i]];
        uint64_t missing = payers.smallest - load;
        uint64_t taken = who->weight < missing ? who->weight : missing;

        if (who->need <= g->load) {
            last = who->price - g->loss;
            load += taken;
            worth += (int64_t)taken * last;
        }
    }
    bool has_worth = load >= payers.smallest && worth > 0;

    return (shoal_i_appraisal){.worth = has_worth ? worth : 0, .most = worth - last};
}

void shoal_i_hunted_group_leave_out(shoal_i_hunted_group *g, shoal_i_payers payers,
                                    int64_t most)
{
    while (g->count > 0) {
        const shoal_i_payer *who = &payers.all[g->points[g->count - 1]];

        if (who->price - g->loss + most > 0) {
            break;
        }
        g->load -= who->weight;
        g->count--;
    }
}

/* --- Excess. --------------------------------------------------------------------------------
 *
 * Prices prove their sum when no cell is worth anything at them. Lowering prices by the excess
 * makes it so. Let a class lie in cell C, which loses L, have m records S, and let g(r) be what
 * each gains. The excess e(r) of r in C is the largest mean of g over sets of C that contain
 * r and are large enough to be a class with r in it. S is such a set for each of its records,
 * so
 *
 *     e(r) >= sum of g over S / m   for all r in S,
 *     sum over S of (g(r) - e(r)) <= sum of g over S - m * (sum of g over S) / m = 0.
 *
 * Points that were left out are in no S whose sum is above 0, and need none. A price is lowered
 * by the largest excess of its point over all cells. The mean is largest for r and the n - 1
 * best others, n being the smallest class with r in it, or with some more; each of those gains
 * at most what the n-th best of the cell does, so the larger of this and of the mean with n - 1
 * is never below it. */

/* Sum of the gains of the best `wanted` records; *last: what the next one gains. */
static int64_t sum_best(const shoal_i_sort_item *gains, size_t count, shoal_i_payers payers,
                        uint64_t wanted, int64_t *last)
{
    int64_t sum = 0;

    *last = INT32_MIN;
    for (size_t i = 0; i < count; i++) {
        uint64_t weight = payers.all[gains[i].item].weight;
        int64_t gain = INT32_MAX - (int64_t)gains[i].key;

        if (wanted < weight) {
            sum += (int64_t)wanted * gain;
            *last = gain;
            break;
        }
        sum += (int64_t)weight * gain;
        wanted -= weight;
    }
    return sum;
}

static int64_t divide_up(int64_t sum, int64_t count)
{
    return sum > 0 ? (sum + count - 1) / count : 0;
}

void shoal_i_hunted_group_spread_excess(const shoal_i_hunted_group *g, shoal_i_payers payers,
                                        int32_t *excess, shoal_i_sort_item *gains,
                                        shoal_i_sort_item *spare)
{
    size_t count = 0;
    uint64_t need = 0;
    int64_t last = 0;
    int64_t others = 0;

    for (size_t i = 0; i < g->count; i++) {
        const shoal_i_payer *who = &payers.all[g->points[i]];

        if (who->need <= g->load) {
            gains[count++] = (shoal_i_sort_item){
                .key = (uint64_t)(INT32_MAX - gain_of(who, g->loss)), .item = g->points[i]};
        }
    }
    shoal_i_sort_items(gains, spare, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t point = gains[i].item;
        int64_t gain = INT32_MAX - (int64_t)gains[i].key;

        if (payers.all[point].need != need) {
            need = payers.all[point].need;
            others = sum_best(gains, count, payers, need - 1, &last);
        }
        if (last == INT32_MIN) { /* too few for a class with r in it */
            continue;
        }
        /* Of the best, r itself is among the others; the next one then stands in for it. */
        int64_t mean = divide_up(others + (gain < last ? gain : last), (int64_t)need);
        int64_t most = mean > last ? mean : last;

        if (most > excess[point]) {
            excess[point] = (int32_t)(most < INT32_MAX ? most : INT32_MAX);
        }
    }
}

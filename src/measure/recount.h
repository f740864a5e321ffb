/* recount.h -- classes of a file, judged one after the other from what its rows say.
 *
 *     shoal_i_recount_init(ctx, &r, set);
 *     shoal_i_verdict_begin(&verdict, set);
 *     for each class: shoal_i_recount_empty(&r);
 *         for each of its rows and r.columns: shoal_i_recount_add(&r, column, code);
 *         stats.histograms = r.histograms; stats.joined = r.joined;
 *         shoal_i_verdict_take(&verdict, &stats, first_row);
 *     shoal_i_verdict_end(&verdict);
 *
 * The verifier counts for itself: it shares the formulas of requirements with the methods, and
 * nothing by which those keep their counts. Where persons are counted, their rows are taken one
 * person after the other, each with a turn of its own, in which a value counts once
 * (shoal_i_recount_add_once).
 */
#ifndef SHOAL_I_RECOUNT_H
#define SHOAL_I_RECOUNT_H

#include "measure.h"

/* The sensitive values of one class. Empty when no requirement reads them. Starts as {0}. */
typedef struct shoal_i_recount {
    size_t column_count;               /* histograms, read or not */
    const shoal_i_sensitive **columns; /* of each histogram; NULL: not read */
    shoal_i_histogram *histograms;     /* of the class at hand */
    uint32_t **counts;                 /* what they show */
    uint32_t **present;
    uint64_t **turns; /* per value: the last turn in which it was counted */
    const shoal_i_requirement_set *set;
    shoal_i_histogram *joined; /* of values that requirements join, all records or persons */
    uint32_t (*joined_counts)[2];
    uint64_t (*joined_turns)[2];
    shoal_i_arena arena;
} shoal_i_recount;

/* The set is borrowed. O(values). */
shoal_status shoal_i_recount_init(shoal_ctx *ctx, shoal_i_recount *recount,
                                  const shoal_i_requirement_set *set);
void shoal_i_recount_clear(shoal_i_recount *recount);

/* Forget the class at hand. O(values present). */
void shoal_i_recount_empty(shoal_i_recount *recount);

/* One more record of the class has this code in this column, which is read. */
static inline void shoal_i_recount_add(shoal_i_recount *recount, size_t column, uint32_t code)
{
    if (recount->counts[column][code]++ == 0) {
        shoal_i_histogram *histogram = &recount->histograms[column];

        recount->present[column][histogram->present_count++] = code;
    }
    recount->histograms[column].total++;
}

/* The same of a person: a value counts once per turn. Turns are above 0, each person of each
 * class has another. */
void shoal_i_recount_add_once(shoal_i_recount *recount, size_t column, uint32_t code,
                              uint64_t turn);

/* One more record, or person in a turn, has or has not one of the values that requirement
 * `item` of the set joins. */
void shoal_i_recount_add_joined(shoal_i_recount *recount, size_t item, uint32_t code,
                                uint64_t turn);

/* A verdict on no class yet; one more class, whose first row is given; the whole. */
void shoal_i_verdict_begin(shoal_i_verdict *verdict, const shoal_i_requirement_set *set);
void shoal_i_verdict_take(shoal_i_verdict *verdict, const shoal_i_class_stats *stats,
                          size_t first_row);
void shoal_i_verdict_end(shoal_i_verdict *verdict);

#endif /* SHOAL_I_RECOUNT_H */

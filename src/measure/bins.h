/* bins.h -- the values of a number or date in at most twenty ranges that begin at round numbers
 * or at days of the calendar.
 *
 *     ages 17 to 90               15 20 25 ... 90       steps of 1, 2 or 5 times a power of ten
 *     incomes 0.3 to 155.9        0 10 20 ... 150
 *     days 2019-03-04 to 2021-..  2019-01 2019-04 ...   days, weeks, months, quarters, years
 *
 * So the ends of what is drawn are nobody's values.
 */
#ifndef SHOAL_I_BINS_H
#define SHOAL_I_BINS_H

#include <shoal/table.h>

#include "../base/figures/round_step.h"
#include "../box/grid.h"

#define SHOAL_I_BINS_MAX 20

typedef struct shoal_i_bins {
    size_t count;
    bool is_whole;     /* values are whole numbers or days, each a length of 1 */
    shoal_i_grid grid; /* of dates: what the calendar is divided into; else not set */
    shoal_i_step step; /* of numbers; digit 0: edges are not round, as there is no way */
    int64_t first;     /* the first edge in steps; of months and years, too */
    /* Bin i holds what is at edges[i] or above it, and below edges[i + 1]; the last bin holds
     * reals at its end, too. */
    double edges[SHOAL_I_BINS_MAX + 1];
} shoal_i_bins;

/* Divide what lies from least to most, both finite. Dates are day numbers. */
shoal_i_bins shoal_i_bins_choose(shoal_type type, double least, double most);

/* Where all values are multiples of a longer step, as rounded ones are, take the longest such,
 * with a bin for each of its multiples: none between them need be empty. least and most are
 * among the values; dates stay as they are. For values, not for ranges of reals. */
void shoal_i_bins_widen(shoal_i_bins *bins, const double *values, size_t count);

/* The bin of a value between least and most. */
size_t shoal_i_bins_find(const shoal_i_bins *bins, double value);

/* Add records to the bins that [from, to] reaches, evenly over its length. */
void shoal_i_bins_spread(const shoal_i_bins *bins, double *masses, double from, double to,
                         double records);

/* Every how many edges a scale has its texts, by how much room there is: months by the quarter
 * or year. Edge i is one of them where first + i is a multiple. */
#define SHOAL_I_SPACINGS 4
const size_t *shoal_i_bins_spacings(const shoal_i_bins *bins);

/* The text of an edge: "1,500", "2019-04", "2019". */
void shoal_i_bins_put_edge(shoal_i_buffer *out, const shoal_i_bins *bins, size_t edge);

#endif /* SHOAL_I_BINS_H */

/* t-closeness by Jensen-Shannon divergence; see t_closeness.h.
 *
 *     JS(q, p) = 1/2 KL(q || m) + 1/2 KL(p || m),   m = (q + p) / 2,   natural logarithm.
 *
 * It is 0 for equal distributions and ln 2 for such that share no value. A value with p = 0
 * contributes q ln 2 / 2, so the absent ones are counted together and only the present ones one
 * by one.
 *
 * Searches ask for it millions of times, and most answers follow from the triangular
 * discrimination D, which needs no logarithms:
 *
 *     D = sum of (q - p)^2 / (q + p),   D / 4 <= JS <= D ln 2 / 2
 *
 * F. Topsoe, "Some inequalities for information divergence and related measures of
 * discrimination", IEEE Transactions on Information Theory 46 (2000), doi:10.1109/18.850703.
 */
#include "t_closeness.h"

#define LN2 0.69314718055994530942

/* Twice what one value adds; at least 0 but for rounding. */
static double compare_shares(double q, double p)
{
    double middle = (q + p) / 2;

    return fmax(0, q * log(q / middle) + p * log(p / middle));
}

static bool check_js(const shoal_i_requirement *requirement, const shoal_i_class_stats *stats,
                     double *figure)
{
    const shoal_i_sensitive *column = requirement->column;
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, stats);
    shoal_i_sum sum = shoal_i_sum_start(histogram->present_count + 1);
    uint64_t absent = column->total;

    for (size_t i = 0; i < histogram->present_count; i++) {
        uint32_t code = histogram->present[i];
        double q = shoal_i_ratio(column->totals[code], column->total);
        double p = shoal_i_ratio(histogram->counts[code], histogram->total);

        shoal_i_sum_add(&sum, compare_shares(q, p));
        absent -= column->totals[code];
    }
    shoal_i_sum_add(&sum, shoal_i_ratio(absent, column->total) * LN2);
    *figure = shoal_i_snap(shoal_i_sum_value(&sum) / 2, requirement->value);
    return *figure <= requirement->value;
}

/* Rounding of a sum of a few thousand terms is far below. */
#define GLANCE_MARGIN 1e-9

static shoal_i_glance glance_js(const shoal_i_requirement *requirement,
                                const shoal_i_class_stats *stats)
{
    const shoal_i_sensitive *column = requirement->column;
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, stats);
    double whole = 1 / (double)column->total;
    double here = 1 / (double)histogram->total;
    double sum = 0;
    double present = 0;

    if (histogram->total == 0) { /* nobody: no distribution to be far from */
        return SHOAL_I_GLANCE_UNSURE;
    }
    for (size_t i = 0; i < histogram->present_count; i++) {
        uint32_t code = histogram->present[i];
        double q = (double)column->totals[code] * whole;
        double p = (double)histogram->counts[code] * here;

        sum += (q - p) * (q - p) / (q + p);
        present += q;
    }
    sum += 1 - present;
    return sum / 4 > requirement->value + GLANCE_MARGIN         ? SHOAL_I_GLANCE_FAILS
           : sum * LN2 / 2 < requirement->value - GLANCE_MARGIN ? SHOAL_I_GLANCE_HOLDS
                                                                : SHOAL_I_GLANCE_UNSURE;
}

/* Of all classes whose values have that share of the table, the one with p proportional to q
 * is nearest. */
static bool is_enough(const shoal_i_requirement *requirement, double share)
{
    double least = share > 0 ? ((1 - share) * LN2 + compare_shares(share, 1)) / 2 : LN2;

    return least <= requirement->value + 2 * SHOAL_I_TOLERANCE;
}

static shoal_status prepare_js(shoal_ctx *ctx, shoal_i_requirement *requirement,
                               shoal_i_arena *arena)
{
    (void)arena;
    return shoal_i_prepare_cover(ctx, requirement, is_enough);
}

const shoal_i_requirement_kind shoal_i_t_js = {
    .key = "t",
    .variant = "js",
    .title = "t-closeness by Jensen-Shannon divergence",
    .figure = "Jensen-Shannon divergence from the values of the table",
    .citation = SHOAL_I_T_CITATION "; this distance Li and Li 2009, "
                                   "doi:10.1145/1557019.1557079",
    .missing = SHOAL_I_MISSING_AS_VALUE,
    .is_monotone = true,
    .needs_sensitive = true,
    .check = check_js,
    .glance = glance_js,
    .check_value = shoal_i_t_is_value,
    .value_range = SHOAL_I_T_RANGE,
    .prepare = prepare_js,
    .smallest_class = shoal_i_smallest_prepared,
    .describe = shoal_i_t_describe,
};

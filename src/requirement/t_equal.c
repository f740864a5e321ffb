/* t-closeness by the earth mover's distance when all values are equally far apart; see
 * t_closeness.h.
 *
 * The distance is the sum of p - q over the values that are more frequent in the class than in
 * the table: over values present, in whole numbers (c N - T n over n N for count c of n records
 * and total T of N), hence exact.
 */
#include "t_closeness.h"

static bool check_equal(const shoal_i_requirement *requirement,
                        const shoal_i_class_stats *stats, double *figure)
{
    const shoal_i_sensitive *column = requirement->column;
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, stats);
    uint64_t excess = 0;

    for (size_t i = 0; i < histogram->present_count; i++) {
        uint32_t code = histogram->present[i];
        uint64_t here = histogram->counts[code] * column->total;
        uint64_t expected = column->totals[code] * histogram->total;

        excess += here > expected ? here - expected : 0;
    }
    *figure = shoal_i_ratio(excess, histogram->total * column->total);
    return *figure <= requirement->value;
}

static bool is_enough(const shoal_i_requirement *requirement, double share)
{
    return shoal_i_t_is_cover(requirement, share, 1);
}

static shoal_status prepare_equal(shoal_ctx *ctx, shoal_i_requirement *requirement,
                                  shoal_i_arena *arena)
{
    (void)arena;
    return shoal_i_prepare_cover(ctx, requirement, is_enough);
}

const shoal_i_requirement_kind shoal_i_t_equal = {
    .key = "t",
    .variant = "equal",
    .title = "t-closeness by equal distance",
    .figure = "earth mover's distance to the values of the table, all equally far apart",
    .citation = SHOAL_I_T_CITATION,
    .missing = SHOAL_I_MISSING_AS_VALUE,
    .is_monotone = true,
    .needs_sensitive = true,
    .check = check_equal,
    .check_value = shoal_i_t_is_value,
    .value_range = SHOAL_I_T_RANGE,
    .prepare = prepare_equal,
    .smallest_class = shoal_i_smallest_prepared,
    .describe = shoal_i_t_describe,
};

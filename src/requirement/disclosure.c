/* Delta-disclosure privacy (semantic privacy): in every class, for every value s of the table,
 * |ln(p(s) / q(s))| <= delta. What a class tells about any value changes an attacker's belief
 * by a factor of at most e^delta, up or down. A value that the class lacks would be ruled out:
 * it violates any delta.
 *
 * Monotone: the condition keeps p(s) between e^-delta q(s) and e^delta q(s), and the p(s) of a
 * union is a weighted mean of the p(s) of its parts; not so of persons. The whole table has
 * p = q and always holds.
 */
#include "kind.h"

static bool check_disclosure(const shoal_i_requirement *requirement,
                             const shoal_i_class_stats *stats, double *figure)
{
    const shoal_i_sensitive *column = requirement->column;
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, stats);
    double least = 1;
    double most = 1;

    if (histogram->present_count < column->value_count) {
        *figure = INFINITY;
        return false;
    }
    for (size_t i = 0; i < histogram->present_count; i++) {
        uint32_t code = histogram->present[i];
        double factor = shoal_i_ratio(histogram->counts[code] * column->total,
                                      column->totals[code] * histogram->total);

        least = fmin(least, factor);
        most = fmax(most, factor);
    }
    *figure = shoal_i_snap(fmax(log(most), -log(least)), requirement->value);
    return *figure <= requirement->value;
}

/* Every value must be there, and a single record must not make the rarest too frequent. */
static shoal_status prepare_disclosure(shoal_ctx *ctx, shoal_i_requirement *requirement,
                                       shoal_i_arena *arena)
{
    const shoal_i_sensitive *column = requirement->column;
    uint32_t rarest = UINT32_MAX;
    double size = 1;

    (void)ctx;
    (void)arena;
    for (size_t i = 0; i < column->value_count; i++) {
        rarest = column->totals[i] < rarest ? column->totals[i] : rarest;
    }
    if (column->value_count > 0) {
        double share = shoal_i_ratio(rarest, column->total);

        size = ceil((1 - 4 * SHOAL_I_TOLERANCE) / (share * exp(requirement->value)));
        size = fmax(size, (double)column->value_count);
    }
    requirement->smallest = (uint64_t)size;
    return SHOAL_OK;
}

static void describe_disclosure(const shoal_i_requirement *requirement, const char *group,
                                shoal_i_buffer *out)
{
    shoal_i_buffer_printf(out,
                          "in every %s the share of each value of %s differs from that in "
                          "the table by a factor of at most e^%s",
                          group, requirement->column->name,
                          shoal_i_words_number(requirement->value).text);
}

const shoal_i_requirement_kind shoal_i_delta_disclosure = {
    .key = "delta",
    .title = "delta-disclosure privacy",
    .figure = "largest logarithm by which the share of a value differs from that in the table",
    .citation = "Brickell and Shmatikov 2008, doi:10.1145/1401890.1401904",
    .missing =
        "A missing sensitive value counts as a value of its own: where one record of the "
        "table lacks a value, some record of every class must.",
    .is_monotone = true,
    .needs_sensitive = true,
    .check = check_disclosure,
    .check_value = shoal_i_is_nonnegative,
    .value_range = "a number of at least 0",
    .prepare = prepare_disclosure,
    .smallest_class = shoal_i_smallest_prepared,
    .describe = describe_disclosure,
};

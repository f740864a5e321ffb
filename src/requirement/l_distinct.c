/* Distinct l-diversity: every class has at least l different values. The weakest of the family:
 * one value may still have nearly all of the class.
 *
 * Monotone: a union has every value of its parts.
 */
#include "kind.h"

static bool check_distinct(const shoal_i_requirement *requirement,
                           const shoal_i_class_stats *stats, double *figure)
{
    *figure = (double)shoal_i_histogram_of(requirement, stats)->present_count;
    return *figure >= requirement->value;
}

static uint64_t find_smallest_class(const shoal_i_requirement *requirement)
{
    return (uint64_t)requirement->value;
}

static void describe_distinct(const shoal_i_requirement *requirement, const char *group,
                              shoal_i_buffer *out)
{
    uint64_t l = find_smallest_class(requirement);

    shoal_i_buffer_printf(out, "every %s has at least %" PRIu64 " %s of %s", group, l,
                          l == 1 ? "value" : "different values", requirement->column->name);
}

static void explain_few_values(const shoal_i_requirement *requirement,
                               const shoal_i_class_stats *whole, shoal_ctx *ctx)
{
    (void)whole;
    shoal_i_fail(ctx, SHOAL_EUNSATISFIABLE,
                 "Distinct l = %" PRIu64 " cannot be met: column \"%.200s\" has %zu different "
                 "values; the largest l that can hold is %zu.",
                 find_smallest_class(requirement), requirement->column->name,
                 requirement->column->value_count, requirement->column->value_count);
}

const shoal_i_requirement_kind shoal_i_l_distinct = {
    .key = "l",
    .variant = "distinct",
    .title = "distinct l-diversity",
    .figure = "different values",
    .citation = "Machanavajjhala and others 2007, doi:10.1145/1217299.1217302",
    .missing = SHOAL_I_MISSING_AS_VALUE,
    .is_monotone = true,
    .is_monotone_in_persons = true,
    .needs_sensitive = true,
    .larger_is_safer = true,
    .check = check_distinct,
    .check_value = shoal_i_is_whole_from_one,
    .value_range = "a whole number of at least 1",
    .smallest_class = find_smallest_class,
    .describe = describe_distinct,
    .explain_impossible = explain_few_values,
};

/* l-diversity by frequency: no value has a share above 1/l in any class, so that an attacker
 * guesses right at most once in l times. l need not be whole.
 *
 * Monotone, as the share of a value in a union is a weighted mean of its shares in the parts.
 * Not so of persons (alpha.c).
 */
#include "kind.h"

/* Size over largest count, the l that was reached: whole numbers divided once, so thirds meet
 * l = 3 exactly. */
static bool check_frequency(const shoal_i_requirement *requirement,
                            const shoal_i_class_stats *stats, double *figure)
{
    uint32_t largest = shoal_i_histogram_largest(shoal_i_histogram_of(requirement, stats));

    *figure = shoal_i_ratio(stats->persons, largest);
    return *figure >= requirement->value;
}

static uint64_t find_smallest_class(const shoal_i_requirement *requirement)
{
    return (uint64_t)ceil(requirement->value);
}

static void describe_frequency(const shoal_i_requirement *requirement, const char *group,
                               shoal_i_buffer *out)
{
    shoal_i_buffer_printf(out, "in every %s each value of %s has a share of at most 1/%s",
                          group, requirement->column->name,
                          shoal_i_words_number(requirement->value).text);
}

static void explain_frequent_value(const shoal_i_requirement *requirement,
                                   const shoal_i_class_stats *whole, shoal_ctx *ctx)
{
    const shoal_i_sensitive *column = requirement->column;
    uint32_t code = shoal_i_sensitive_most_frequent(column);
    char bound[SHOAL_I_NUMBER_MAX];

    shoal_i_bound_down(bound, shoal_i_ratio(whole->persons, column->totals[code]));
    shoal_i_explain_frequent(ctx, requirement, whole, bound);
}

const shoal_i_requirement_kind shoal_i_l_frequency = {
    .key = "l",
    .variant = "frequency",
    .title = "l-diversity",
    .figure = "records divided by those with the most frequent value",
    .citation = "Machanavajjhala and others 2007, doi:10.1145/1217299.1217302; in this form "
                "Xiao and Tao 2006, Li and Li 2009, doi:10.1145/1557019.1557079",
    .missing = SHOAL_I_MISSING_AS_VALUE,
    .is_monotone = true,
    .needs_sensitive = true,
    .larger_is_safer = true,
    .check = check_frequency,
    .check_value = shoal_i_is_from_one,
    .value_range = "a number of at least 1",
    .smallest_class = find_smallest_class,
    .describe = describe_frequency,
    .explain_impossible = explain_frequent_value,
};

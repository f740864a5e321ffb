/* Entropy l-diversity: the entropy of the values in every class is at least ln l, that of l
 * equally frequent values.
 *
 * With counts c of n records the entropy is ln n - (sum of c ln c) / n; the figure is its
 * exponential, the l that was reached.
 *
 * Monotone: entropy is concave, so the entropy of a union is at least the weighted mean of
 * those of its parts, and so at least ln l.
 * Not so of persons, whose counts do not add up.
 */
#include "kind.h"

static double find_effective_count(const shoal_i_histogram *histogram)
{
    uint64_t size = histogram->total;
    shoal_i_sum sum = shoal_i_sum_start(histogram->present_count);

    for (size_t i = 0; i < histogram->present_count; i++) {
        double count = histogram->counts[histogram->present[i]];

        shoal_i_sum_add(&sum, count * log(count));
    }
    return size > 0 ? (double)size / exp(shoal_i_sum_value(&sum) / (double)size) : 0;
}

static bool check_entropy(const shoal_i_requirement *requirement,
                          const shoal_i_class_stats *stats, double *figure)
{
    double reached = find_effective_count(shoal_i_histogram_of(requirement, stats));

    *figure = shoal_i_snap(reached, requirement->value);
    return *figure >= requirement->value;
}

/* n records have at most n values, and an entropy of at most ln n. */
static uint64_t find_smallest_class(const shoal_i_requirement *requirement)
{
    return (uint64_t)ceil(requirement->value * (1 - 2 * SHOAL_I_TOLERANCE));
}

static void describe_entropy(const shoal_i_requirement *requirement, const char *group,
                             shoal_i_buffer *out)
{
    shoal_i_buffer_printf(out, "in every %s the entropy of %s is at least ln %s", group,
                          requirement->column->name,
                          shoal_i_words_number(requirement->value).text);
}

static void explain_low_entropy(const shoal_i_requirement *requirement,
                                const shoal_i_class_stats *whole, shoal_ctx *ctx)
{
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, whole);
    uint32_t largest = shoal_i_histogram_largest(histogram);
    char bound[SHOAL_I_NUMBER_MAX];

    shoal_i_bound_down(bound, find_effective_count(histogram));
    shoal_i_fail(
        ctx, SHOAL_EUNSATISFIABLE,
        "Entropy l = %s cannot be met: column \"%.200s\" has %zu different values, the "
        "most frequent in %" PRIu32 " of the %" PRIu64 " %ss; the largest l that %s is %s.",
        shoal_i_words_number(requirement->value).text, requirement->column->name,
        histogram->present_count, largest, whole->persons,
        shoal_i_requirement_unit(requirement), shoal_i_words_can(requirement), bound);
}

const shoal_i_requirement_kind shoal_i_l_entropy = {
    .key = "l",
    .variant = "entropy",
    .title = "entropy l-diversity",
    .figure = "exponential of the entropy of the values",
    .citation = "Machanavajjhala and others 2007, doi:10.1145/1217299.1217302",
    .missing = SHOAL_I_MISSING_AS_VALUE,
    .is_monotone = true,
    .needs_sensitive = true,
    .larger_is_safer = true,
    .check = check_entropy,
    .check_value = shoal_i_is_from_one,
    .value_range = "a number of at least 1",
    .smallest_class = find_smallest_class,
    .describe = describe_entropy,
    .explain_impossible = explain_low_entropy,
};

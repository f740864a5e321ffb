/* Recursive (c,l)-diversity: with the counts of the values in descending order r1 >= r2 >= ...,
 * r1 < c * (r_l + r_(l+1) + ...). An attacker who can rule out l - 2 values still cannot be
 * sure: the most frequent value is not too frequent among those that remain.
 *
 * The figure is r1 over the rest r_l + r_(l+1) + ..., which must be below c.
 *
 * Monotone: in a union of A and B, r1 is at most r1(A) + r1(B), and the l - 1 largest counts
 * together are at most those of A and those of B together, so the rest is at least the sum of
 * the rests: r1 <= r1(A) + r1(B) < c * (rest(A) + rest(B)) <= c * rest. Not so of
 * persons, whose counts do not add up.
 */
#include "kind.h"

#include <stdio.h>

/* What is left of the class behind its l - 1 most frequent values. */
static uint64_t count_rest(const shoal_i_histogram *histogram, uint64_t l)
{
    return histogram->total - shoal_i_histogram_top(histogram, l - 1);
}

static double find_figure(const shoal_i_histogram *histogram, uint64_t l)
{
    uint64_t rest = count_rest(histogram, l);

    return rest > 0 ? shoal_i_ratio(shoal_i_histogram_largest(histogram), rest) : INFINITY;
}

static bool check_recursive(const shoal_i_requirement *requirement,
                            const shoal_i_class_stats *stats, double *figure)
{
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, stats);

    *figure = find_figure(histogram, (uint64_t)requirement->value);
    return *figure < requirement->c;
}

static double find_bound(const shoal_i_requirement *requirement)
{
    return requirement->c;
}

static shoal_status prepare_recursive(shoal_ctx *ctx, shoal_i_requirement *requirement,
                                      shoal_i_arena *arena)
{
    (void)arena;
    if (!(requirement->c > 0) || !isfinite(requirement->c)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The c of recursive (c,l)-diversity must be a number above 0; "
                            "got %g.",
                            requirement->c);
    }
    /* The rest must exceed r1 / c, where r1 is at least 1, and l - 1 records at least come on
     * top of it. */
    double estimate = floor(1 / requirement->c) + 1;
    uint64_t rest = estimate < 0x1p53 ? (uint64_t)estimate : UINT64_C(1) << 53;

    while (rest > 1 && shoal_i_ratio(1, rest - 1) < requirement->c) {
        rest--;
    }
    requirement->smallest = (uint64_t)requirement->value - 1 + rest;
    return SHOAL_OK;
}

/* The largest l that holds with this c, 0 if none does. The rest shrinks as l grows. */
static double find_largest_l(const shoal_i_requirement *requirement,
                             const shoal_i_class_stats *whole)
{
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, whole);
    uint64_t low = 0;
    uint64_t high = histogram->present_count;

    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;

        if (find_figure(histogram, middle) < requirement->c) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return (double)low;
}

static void describe_recursive(const shoal_i_requirement *requirement, const char *group,
                               shoal_i_buffer *out)
{
    shoal_i_buffer_printf(
        out,
        "in every %s the most frequent value of %s has fewer than %s times "
        "the %ss of the values from rank %s on",
        group, requirement->column->name, shoal_i_words_number(requirement->c).text,
        shoal_i_requirement_unit(requirement), shoal_i_words_number(requirement->value).text);
}

static void explain_small_rest(const shoal_i_requirement *requirement,
                               const shoal_i_class_stats *whole, shoal_ctx *ctx)
{
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, whole);
    uint64_t l = (uint64_t)requirement->value;
    double best = find_largest_l(requirement, whole);
    shoal_i_words remedy = {"no l can hold with this c; raise c"};

    if (best >= 1) {
        snprintf(remedy.text, sizeof remedy.text, "the largest l that %s with this c is %.0f",
                 shoal_i_words_can(requirement), best);
    }
    shoal_i_fail(ctx, SHOAL_EUNSATISFIABLE,
                 "Recursive l = %" PRIu64 " with c = %s cannot be met: of the %" PRIu64
                 " %ss, in column \"%.200s\" the most frequent value has %" PRIu32
                 " and the values from rank %" PRIu64 " on have %" PRIu64 "; %s.",
                 l, shoal_i_words_number(requirement->c).text, whole->persons,
                 shoal_i_requirement_unit(requirement), requirement->column->name,
                 shoal_i_histogram_largest(histogram), l, count_rest(histogram, l),
                 remedy.text);
}

const shoal_i_requirement_kind shoal_i_l_recursive = {
    .key = "l",
    .variant = "recursive",
    .title = "recursive (c,l)-diversity",
    .figure = "records with the most frequent value, divided by those with the l-th and all "
              "less frequent ones",
    .citation = "Machanavajjhala and others 2007, doi:10.1145/1217299.1217302",
    .missing = SHOAL_I_MISSING_AS_VALUE,
    .is_monotone = true,
    .needs_sensitive = true,
    .check = check_recursive,
    .bound = find_bound,
    .check_value = shoal_i_is_whole_from_one,
    .value_range = "a whole number of at least 1",
    .prepare = prepare_recursive,
    .smallest_class = shoal_i_smallest_prepared,
    .describe = describe_recursive,
    .best_possible = find_largest_l,
    .explain_impossible = explain_small_rest,
};

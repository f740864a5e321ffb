/* The alpha of (alpha,k)-anonymity: no class may tell a sensitive value with a confidence above
 * alpha. Three variants:
 *
 *   general   every value of the column has a share of at most alpha in every class;
 *   values    the named values together have; one value is the case the paper starts from,
 *             several are joined into one combined value, as its section 5 proposes;
 *   limits    each named value has a limit of its own (the templates of Wang, Fung and Yu 2005,
 *             doi:10.1109/ICDM.2005.142); values without a limit are free.
 *
 * Monotone: the share in a union is a weighted mean of the shares in the parts, and so at most
 * the larger. For the same reason the share in the whole table is at most the largest share in
 * any class, whence the paper's lemma: an alpha below the share in the table cannot be met.
 *
 * Of persons neither is true: {A: v, B: w} and {C: v, B: w} have a share of 1/2 each, and their
 * union, in which B counts once, one of 2/3.
 */
#include "kind.h"

#include <assert.h>

#define CITATION "Wong, Li, Fu and Wang 2006, doi:10.1145/1150402.1150499"
#define RANGE "a share above 0 and up to 1"

/* --- general --------------------------------------------------------------------------- */

static bool check_every_value(const shoal_i_requirement *requirement,
                              const shoal_i_class_stats *stats, double *figure)
{
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, stats);

    *figure = shoal_i_ratio(shoal_i_histogram_largest(histogram), stats->persons);
    return *figure <= requirement->value;
}

static uint64_t find_smallest_class(const shoal_i_requirement *requirement)
{
    return shoal_i_smallest_for_share(requirement->value);
}

static void describe_every_value(const shoal_i_requirement *requirement, const char *group,
                                 shoal_i_buffer *out)
{
    shoal_i_buffer_printf(out, "in every %s each value of %s has a share of at most %s", group,
                          requirement->column->name,
                          shoal_i_words_number(requirement->value).text);
}

static void explain_frequent_value(const shoal_i_requirement *requirement,
                                   const shoal_i_class_stats *whole, shoal_ctx *ctx)
{
    const shoal_i_sensitive *column = requirement->column;
    uint32_t code = shoal_i_sensitive_most_frequent(column);
    char bound[SHOAL_I_NUMBER_MAX];

    shoal_i_bound_up(bound, shoal_i_ratio(column->totals[code], whole->persons));
    shoal_i_explain_frequent(ctx, requirement, whole, bound);
}

const shoal_i_requirement_kind shoal_i_alpha_general = {
    .key = "alpha",
    .variant = "general",
    .title = "general (alpha,k)-anonymity",
    .figure = "share of the most frequent value",
    .citation = CITATION,
    .missing = SHOAL_I_MISSING_AS_VALUE,
    .is_monotone = true,
    .needs_sensitive = true,
    .check = check_every_value,
    .check_value = shoal_i_is_share,
    .value_range = RANGE,
    .smallest_class = find_smallest_class,
    .describe = describe_every_value,
    .explain_impossible = explain_frequent_value,
};

/* --- values ---------------------------------------------------------------------------- */

/* Named values must be codes of the column, each named once: a repeated one would be counted
 * twice. */
static shoal_status check_named(shoal_ctx *ctx, shoal_i_requirement *requirement,
                                shoal_i_arena *arena)
{
    shoal_status st = SHOAL_OK;
    const char *title = requirement->kind->title;
    const shoal_i_sensitive *column = requirement->column;
    bool *is_named = NULL;

    (void)arena;
    if (requirement->code_count == 0) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "%s expects at least one value of column \"%.200s\" by name.",
                            title, column->name);
    }
    SHOAL_ALLOC(ctx, is_named, column->value_count);
    for (size_t i = 0; i < requirement->code_count; i++) {
        uint32_t code = requirement->codes[i];

        if (code >= column->value_count) {
            st = shoal_i_fail(ctx, SHOAL_ENOTFOUND,
                              "%s names a value that does not occur in column \"%.200s\".",
                              title, column->name);
            goto done;
        }
        if (is_named[code]) {
            st = shoal_i_fail(ctx, SHOAL_EINVAL, "%s names a value of column \"%.200s\" twice.",
                              title, column->name);
            goto done;
        }
        is_named[code] = true;
    }
done:
    free(is_named);
    return st;
}

/* Records of the class with one of the named values; persons with any of them. */
static uint64_t count_named(const shoal_i_requirement *requirement,
                            const shoal_i_class_stats *stats)
{
    const uint32_t *counts = shoal_i_histogram_of(requirement, stats)->counts;
    uint64_t sum = 0;

    if (requirement->joined > 0) {
        return stats->joined[requirement->joined - 1].counts[1];
    }
    for (size_t i = 0; i < requirement->code_count; i++) {
        sum += counts[requirement->codes[i]];
    }
    return sum;
}

static bool check_named_values(const shoal_i_requirement *requirement,
                               const shoal_i_class_stats *stats, double *figure)
{
    *figure = shoal_i_ratio(count_named(requirement, stats), stats->persons);
    return *figure <= requirement->value;
}

/* A class without the named values may be of any size, unless there are no others. */
static uint64_t find_smallest_named(const shoal_i_requirement *requirement)
{
    bool are_all = requirement->code_count == requirement->column->value_count;

    return are_all ? shoal_i_smallest_for_share(requirement->value) : 1;
}

static void describe_named_values(const shoal_i_requirement *requirement, const char *group,
                                  shoal_i_buffer *out)
{
    const shoal_i_sensitive *column = requirement->column;

    shoal_i_buffer_printf(out, "in every %s ", group);
    for (size_t i = 0; i < requirement->code_count; i++) {
        shoal_i_buffer_printf(
            out, "%s%s", i == 0 ? "" : (i + 1 < requirement->code_count ? ", " : " and "),
            shoal_i_words_value(out->ctx, column, requirement->codes[i]).text);
    }
    shoal_i_buffer_printf(out, " of %s %s a share of at most %s", column->name,
                          requirement->code_count == 1 ? "has" : "together have",
                          shoal_i_words_number(requirement->value).text);
}

static void explain_named_values(const shoal_i_requirement *requirement,
                                 const shoal_i_class_stats *whole, shoal_ctx *ctx)
{
    const shoal_i_sensitive *column = requirement->column;
    uint64_t count = count_named(requirement, whole);
    shoal_i_words who = shoal_i_words_value(ctx, column, requirement->codes[0]);
    char bound[SHOAL_I_NUMBER_MAX];

    if (requirement->code_count > 1) {
        who = (shoal_i_words){"the named values together"};
    }
    shoal_i_bound_up(bound, shoal_i_ratio(count, whole->persons));
    shoal_i_fail(ctx, SHOAL_EUNSATISFIABLE,
                 "alpha = %s cannot be met: in column \"%.200s\" %s %s %" PRIu64
                 " of the %" PRIu64 " %ss; the smallest alpha that %s is %s.",
                 shoal_i_words_number(requirement->value).text, column->name, who.text,
                 requirement->code_count > 1 ? "have" : "has", count, whole->persons,
                 shoal_i_requirement_unit(requirement), shoal_i_words_can(requirement), bound);
}

const shoal_i_requirement_kind shoal_i_alpha_values = {
    .key = "alpha",
    .variant = "values",
    .title = "(alpha,k)-anonymity of named values",
    .figure = "share of the named values together",
    .citation = CITATION,
    .missing =
        "A missing sensitive value is none of the named values unless it is named itself.",
    .is_monotone = true,
    .needs_sensitive = true,
    .check = check_named_values,
    .check_value = shoal_i_is_share,
    .value_range = RANGE,
    .prepare = check_named,
    .smallest_class = find_smallest_named,
    .describe = describe_named_values,
    .explain_impossible = explain_named_values,
};

/* --- limits ---------------------------------------------------------------------------- */

static shoal_status check_limits(shoal_ctx *ctx, shoal_i_requirement *requirement,
                                 shoal_i_arena *arena)
{
    double largest = 0;

    assert(requirement->limits || requirement->code_count == 0);
    for (size_t i = 0; i < requirement->code_count; i++) {
        double limit = requirement->limits[i];

        if (!shoal_i_is_share(limit)) {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "Each limit of column \"%.200s\" must be " RANGE "; got %g.",
                                requirement->column->name, limit);
        }
        largest = fmax(largest, limit);
    }
    /* A class holds some value at least once: one that has a limit, if all have. */
    bool have_all = requirement->code_count >= requirement->column->value_count;

    requirement->smallest = have_all && largest > 0 ? shoal_i_smallest_for_share(largest) : 1;
    return check_named(ctx, requirement, arena);
}

/* The share as a part of its limit, so that values with different limits compare. */
static double weigh_share(const shoal_i_requirement *requirement, size_t i, uint32_t count,
                          uint64_t size, bool *holds)
{
    double share = shoal_i_ratio(count, size);

    *holds = share <= requirement->limits[i];
    return share / requirement->limits[i];
}

static bool check_limited_values(const shoal_i_requirement *requirement,
                                 const shoal_i_class_stats *stats, double *figure)
{
    const uint32_t *counts = shoal_i_histogram_of(requirement, stats)->counts;
    bool all_hold = true;

    *figure = 0;
    for (size_t i = 0; i < requirement->code_count; i++) {
        bool holds = true;
        double part =
            weigh_share(requirement, i, counts[requirement->codes[i]], stats->persons, &holds);

        *figure = fmax(*figure, part);
        all_hold = all_hold && holds;
    }
    return all_hold;
}

/* Shares count as parts of their limits. */
static double find_whole_limit(const shoal_i_requirement *requirement)
{
    (void)requirement;
    return 1;
}

static void describe_limits(const shoal_i_requirement *requirement, const char *group,
                            shoal_i_buffer *out)
{
    const shoal_i_sensitive *column = requirement->column;

    shoal_i_buffer_printf(out, "in every %s, of %s,", group, column->name);
    for (size_t i = 0; i < requirement->code_count; i++) {
        shoal_i_buffer_printf(out, "%s %s has a share of at most %s", i == 0 ? "" : ",",
                              shoal_i_words_value(out->ctx, column, requirement->codes[i]).text,
                              shoal_i_words_number(requirement->limits[i]).text);
    }
}

static void explain_limits(const shoal_i_requirement *requirement,
                           const shoal_i_class_stats *whole, shoal_ctx *ctx)
{
    const shoal_i_sensitive *column = requirement->column;
    double worst = 0;
    size_t at = 0;

    for (size_t i = 0; i < requirement->code_count; i++) {
        bool holds = true;
        double part = weigh_share(requirement, i, column->totals[requirement->codes[i]],
                                  whole->persons, &holds);

        at = part > worst ? i : at;
        worst = fmax(worst, part);
    }
    uint32_t code = requirement->codes[at];
    char bound[SHOAL_I_NUMBER_MAX];

    shoal_i_bound_up(bound, shoal_i_ratio(column->totals[code], whole->persons));
    shoal_i_fail(ctx, SHOAL_EUNSATISFIABLE,
                 "The limit %s cannot be met: in column \"%.200s\" %s has %" PRIu32
                 " of the %" PRIu64 " %ss; the smallest limit that %s is %s.",
                 shoal_i_words_number(requirement->limits[at]).text, column->name,
                 shoal_i_words_value(ctx, column, code).text, column->totals[code],
                 whole->persons, shoal_i_requirement_unit(requirement),
                 shoal_i_words_can(requirement), bound);
}

const shoal_i_requirement_kind shoal_i_alpha_limits = {
    .key = "alpha",
    .variant = "limits",
    .title = "(alpha,k)-anonymity with a limit for each value",
    .figure = "largest share of a named value as a part of its limit",
    .citation = CITATION "; Wang, Fung and Yu 2005, doi:10.1109/ICDM.2005.142",
    .missing = "A missing sensitive value has no limit unless it is given one itself.",
    .is_monotone = true,
    .needs_sensitive = true,
    .check = check_limited_values,
    .bound = find_whole_limit,
    .prepare = check_limits,
    .smallest_class = shoal_i_smallest_prepared,
    .describe = describe_limits,
    .explain_impossible = explain_limits,
};

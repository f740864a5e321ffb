/* Beta-likeness: no value gains more than a part beta of its frequency by being in a class:
 *
 *   basic      (p(s) - q(s)) / q(s) <= beta                   for every s with p(s) > q(s)
 *   enhanced   (p(s) - q(s)) / q(s) <= min(beta, -ln q(s))    which also keeps frequent values
 *                                                             away from certainty
 *
 * Losing frequency, down to none, is allowed: only gains count as disclosure. The figure is the
 * largest gain; for the enhanced variant a gain with the stricter limit -ln q counts as many
 * times as that limit goes into beta, so that the class holds when the figure is at most beta.
 *
 * Monotone: either condition says p(s) <= b(s) for bounds that depend on the table alone, and
 * the p(s) of a union is a weighted mean of those of its parts; not so of persons. The
 * whole table has p = q.
 */
#include "kind.h"

#define CITATION "Cao and Karras 2012, doi:10.14778/2350229.2350255"

/* Whole numbers up to the one division. */
static double find_gain(const shoal_i_sensitive *column, uint32_t code, uint32_t count,
                        uint64_t size)
{
    uint64_t here = count * column->total;
    uint64_t expected = column->totals[code] * size;

    return here > expected ? shoal_i_ratio(here - expected, expected) : 0;
}

static bool check_basic(const shoal_i_requirement *requirement,
                        const shoal_i_class_stats *stats, double *figure)
{
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, stats);

    *figure = 0;
    for (size_t i = 0; i < histogram->present_count; i++) {
        uint32_t code = histogram->present[i];

        *figure = fmax(*figure, find_gain(requirement->column, code, histogram->counts[code],
                                          histogram->total));
    }
    return *figure <= requirement->value;
}

static bool check_enhanced(const shoal_i_requirement *requirement,
                           const shoal_i_class_stats *stats, double *figure)
{
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, stats);
    const double *weights = requirement->prepared;

    *figure = 0;
    for (size_t i = 0; i < histogram->present_count; i++) {
        uint32_t code = histogram->present[i];
        double gain =
            find_gain(requirement->column, code, histogram->counts[code], histogram->total);

        *figure = fmax(*figure, gain * weights[code]);
    }
    *figure = shoal_i_snap(*figure, requirement->value);
    return *figure <= requirement->value;
}

/* The shares of a class sum to 1, and each is at most 1 + beta times that of the table. */
static bool is_enough(const shoal_i_requirement *requirement, double share)
{
    return (1 + requirement->value) * share >= 1 - 4 * SHOAL_I_TOLERANCE;
}

static shoal_status prepare_basic(shoal_ctx *ctx, shoal_i_requirement *requirement,
                                  shoal_i_arena *arena)
{
    (void)arena;
    return shoal_i_prepare_cover(ctx, requirement, is_enough);
}

static shoal_status prepare_enhanced(shoal_ctx *ctx, shoal_i_requirement *requirement,
                                     shoal_i_arena *arena)
{
    const shoal_i_sensitive *column = requirement->column;
    double beta = requirement->value;
    double *weights = shoal_i_arena_alloc(ctx, arena, column->value_count, sizeof *weights);

    if (!weights) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < column->value_count; i++) {
        double limit = -log(shoal_i_ratio(column->totals[i], column->total));

        /* Limit 0: the only value there is, which can gain nothing. */
        weights[i] = limit > 0 && beta > limit ? beta / limit : 1;
    }
    requirement->prepared = weights;
    return shoal_i_prepare_cover(ctx, requirement, is_enough);
}

static void describe_likeness(const shoal_i_requirement *requirement, const char *group,
                              shoal_i_buffer *out)
{
    shoal_i_buffer_printf(out,
                          "in every %s the share of each value of %s exceeds that in the "
                          "table by at most %s times",
                          group, requirement->column->name,
                          shoal_i_words_number(requirement->value).text);
    if (requirement->kind == &shoal_i_beta_enhanced) {
        shoal_i_buffer_text(out, ", and by less for values with a share above e^-beta");
    }
}

const shoal_i_requirement_kind shoal_i_beta_basic = {
    .key = "beta",
    .variant = "basic",
    .title = "beta-likeness",
    .figure = "largest gain in the share of a value over that in the table",
    .citation = CITATION,
    .missing = SHOAL_I_MISSING_AS_VALUE,
    .is_monotone = true,
    .needs_sensitive = true,
    .check = check_basic,
    .check_value = shoal_i_is_nonnegative,
    .value_range = "a number of at least 0",
    .prepare = prepare_basic,
    .smallest_class = shoal_i_smallest_prepared,
    .describe = describe_likeness,
};

const shoal_i_requirement_kind shoal_i_beta_enhanced = {
    .key = "beta",
    .variant = "enhanced",
    .title = "enhanced beta-likeness",
    .figure = "largest gain in the share of a value over that in the table, counted more where "
              "its limit is below beta",
    .citation = CITATION,
    .missing = SHOAL_I_MISSING_AS_VALUE,
    .is_monotone = true,
    .needs_sensitive = true,
    .check = check_enhanced,
    .check_value = shoal_i_is_nonnegative,
    .value_range = "a number of at least 0",
    .prepare = prepare_enhanced,
    .smallest_class = shoal_i_smallest_prepared,
    .describe = describe_likeness,
};

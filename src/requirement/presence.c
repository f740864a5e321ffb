/* Delta-presence: nobody can tell from the release whether a person of the population is in the
 * table. Of the people who fall into a class, a share of at least delta_min and at most
 * delta_max is in the table: delta_min <= size / population <= delta_max.
 *
 * Not monotone: classes of a local recoding may overlap, and the same people fall into both; of
 * a union there may be fewer people than the two counts add up to, while its records do add up,
 * so the share may rise. And a box around two classes may take in people who were in neither,
 * and lower the share below the least.
 *
 * The figure is the share.
 */
#include "kind.h"

#define CITATION "Nergiz, Atzori and Clifton 2007, doi:10.1145/1247480.1247554"

static bool check_most(const shoal_i_requirement *requirement, const shoal_i_class_stats *stats,
                       double *figure)
{
    *figure = shoal_i_ratio(stats->persons, stats->population_size);
    return *figure <= requirement->value;
}

static bool check_between(const shoal_i_requirement *requirement,
                          const shoal_i_class_stats *stats, double *figure)
{
    return check_most(requirement, stats, figure) && *figure >= requirement->least;
}

static shoal_status check_least(shoal_ctx *ctx, shoal_i_requirement *requirement,
                                shoal_i_arena *arena)
{
    (void)arena;
    if (!(requirement->least >= 0 && requirement->least <= requirement->value)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The least share of delta-presence must lie between 0 and the "
                            "largest, %g; got %g.",
                            requirement->value, requirement->least);
    }
    return SHOAL_OK;
}

static void describe_presence(const shoal_i_requirement *requirement, const char *group,
                              shoal_i_buffer *out)
{
    shoal_i_buffer_printf(out, "of the population that falls into a %s, ", group);
    if (requirement->least > 0) {
        shoal_i_buffer_printf(out, "a share of at least %s and ",
                              shoal_i_words_number(requirement->least).text);
    }
    shoal_i_buffer_printf(out, "at most %s is in the table",
                          shoal_i_words_number(requirement->value).text);
}

static void explain_presence(const shoal_i_requirement *requirement,
                             const shoal_i_class_stats *whole, shoal_ctx *ctx)
{
    double share = shoal_i_ratio(whole->persons, whole->population_size);
    bool is_high = share > requirement->value;
    char bound[SHOAL_I_NUMBER_MAX];

    if (whole->population_size < whole->persons) {
        shoal_i_fail(
            ctx, SHOAL_EUNSATISFIABLE,
            "Delta-presence cannot be met: the population has %" PRIu64
            " %ss in the box around the whole table, fewer than the %" PRIu64 " of the table.",
            whole->population_size, shoal_i_requirement_unit(requirement), whole->persons);
        return;
    }
    if (is_high) {
        shoal_i_bound_up(bound, share);
    } else {
        shoal_i_bound_down(bound, share);
    }
    shoal_i_fail(ctx, SHOAL_EUNSATISFIABLE,
                 "Delta-presence cannot be met: the table has %" PRIu64 " of the %" PRIu64
                 " %ss of the population in the box around it; the %s share that can be "
                 "asked for is %s.",
                 whole->persons, whole->population_size, shoal_i_requirement_unit(requirement),
                 is_high ? "smallest upper" : "largest lower", bound);
}

const shoal_i_requirement_kind shoal_i_presence_most = {
    .key = "presence",
    .variant = "most",
    .title = "delta-presence",
    .figure = "records of the class, divided by those of the population that fall into it",
    .citation = CITATION,
    .needs_population = true,
    .check = check_most,
    .check_value = shoal_i_is_share,
    .value_range = "a share above 0 and up to 1",
    .smallest_class = shoal_i_smallest_one,
    .describe = describe_presence,
    .explain_impossible = explain_presence,
};

const shoal_i_requirement_kind shoal_i_presence_between = {
    .key = "presence",
    .variant = "between",
    .title = "delta-presence with a least share",
    .figure = "records of the class, divided by those of the population that fall into it",
    .citation = CITATION,
    .needs_population = true,
    .check = check_between,
    .check_value = shoal_i_is_share,
    .value_range = "a share above 0 and up to 1",
    .prepare = check_least,
    .smallest_class = shoal_i_smallest_one,
    .describe = describe_presence,
    .explain_impossible = explain_presence,
};

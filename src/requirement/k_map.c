/* k-map: at least k people of the population fall into every class, though fewer may be in the
 * table. For an attacker who does not know who is in the table.
 *
 * Monotone: all of the population that falls into a class falls into any class it is merged
 * into.
 */
#include "kind.h"

static bool check_population(const shoal_i_requirement *requirement,
                             const shoal_i_class_stats *stats, double *figure)
{
    *figure = (double)stats->population_size;
    return *figure >= requirement->value;
}

static void describe_population(const shoal_i_requirement *requirement, const char *group,
                                shoal_i_buffer *out)
{
    bool is_one = requirement->value == 1;

    shoal_i_buffer_printf(out, "at least %s %s%s of the population fall%s into every %s",
                          shoal_i_words_number(requirement->value).text,
                          shoal_i_requirement_unit(requirement), is_one ? "" : "s",
                          is_one ? "s" : "", group);
}

static void explain_small_population(const shoal_i_requirement *requirement,
                                     const shoal_i_class_stats *whole, shoal_ctx *ctx)
{
    shoal_i_fail(ctx, SHOAL_EUNSATISFIABLE,
                 "k-map with k = %s cannot be met: %" PRIu64
                 " %ss of the population fall into the box around the whole table, and "
                 "the largest k that can be met is %" PRIu64 ".",
                 shoal_i_words_number(requirement->value).text, whole->population_size,
                 shoal_i_requirement_unit(requirement), whole->population_size);
}

const shoal_i_requirement_kind shoal_i_k_map = {
    .key = "k_map",
    .title = "k-map",
    .figure = "records of the population that fall into the class",
    .citation = "Sweeney 2002, doi:10.1142/S0218488502001648; El Emam and Dankar 2008, "
                "doi:10.1197/jamia.M2716",
    .is_monotone = true,
    .is_monotone_in_persons = true,
    .needs_population = true,
    .larger_is_safer = true,
    .check = check_population,
    .check_value = shoal_i_is_whole_from_one,
    .value_range = "a whole number of at least 1",
    .smallest_class = shoal_i_smallest_one,
    .describe = describe_population,
    .explain_impossible = explain_small_population,
};

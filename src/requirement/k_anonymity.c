/* k-anonymity: every class has at least k records, or persons where those are counted. */

#include "kind.h"

static bool check_size(const shoal_i_requirement *requirement, const shoal_i_class_stats *stats,
                       double *figure)
{
    *figure = (double)stats->persons;
    return *figure >= requirement->value;
}

static uint64_t find_smallest_class(const shoal_i_requirement *requirement)
{
    return (uint64_t)requirement->value;
}

static void describe_size(const shoal_i_requirement *requirement, const char *group,
                          shoal_i_buffer *out)
{
    uint64_t k = find_smallest_class(requirement);

    shoal_i_buffer_printf(out, "every %s has at least %" PRIu64 " %s%s", group, k,
                          shoal_i_requirement_unit(requirement), k == 1 ? "" : "s");
}

static void explain_few_records(const shoal_i_requirement *requirement,
                                const shoal_i_class_stats *whole, shoal_ctx *ctx)
{
    shoal_i_fail(ctx, SHOAL_EUNSATISFIABLE,
                 "k = %" PRIu64 " cannot be met by a table of %" PRIu64
                 " %s%s; the largest k that can is %" PRIu64 ".",
                 find_smallest_class(requirement), whole->persons,
                 shoal_i_requirement_unit(requirement), whole->persons == 1 ? "" : "s",
                 whole->persons);
}

const shoal_i_requirement_kind shoal_i_k_anonymity = {
    .key = "k",
    .title = "k-anonymity",
    .figure = "records of the class",
    .citation = "Samarati and Sweeney 1998; Sweeney 2002, doi:10.1142/S0218488502001648",
    .is_monotone = true,
    .is_monotone_in_persons = true,
    .larger_is_safer = true,
    .check = check_size,
    .check_value = shoal_i_is_whole_from_one,
    .value_range = "a whole number of at least 1",
    .smallest_class = find_smallest_class,
    .describe = describe_size,
    .explain_impossible = explain_few_records,
};

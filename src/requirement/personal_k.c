/* Personalised k-anonymity: each record names the size of the class it wants to hide in.
 *
 * The class must be as large as the largest wish in it, so merging two classes that hold may
 * raise the wish but raises the size at least as much: monotone. */

#include "kind.h"

static bool check_wishes(const shoal_i_requirement *requirement,
                         const shoal_i_class_stats *stats, double *figure)
{
    (void)requirement;
    /* How many times over the largest wish is met, so that classes compare. */
    *figure = stats->largest_k > 0 ? (double)stats->persons / (double)stats->largest_k : 1;
    return stats->persons >= stats->largest_k;
}

static void describe_wishes(const shoal_i_requirement *requirement, const char *group,
                            shoal_i_buffer *out)
{
    shoal_i_buffer_printf(out, "every %s %s as the largest k its records ask for", group,
                          requirement->counts_persons ? "has as many persons" : "is as large");
}

/* The largest wish counts once. */
static double find_whole_wish(const shoal_i_requirement *requirement)
{
    (void)requirement;
    return 1;
}

static void explain_large_wish(const shoal_i_requirement *requirement,
                               const shoal_i_class_stats *whole, shoal_ctx *ctx)
{
    shoal_i_fail(ctx, SHOAL_EUNSATISFIABLE,
                 "A record asks for k = %" PRIu64 ", which a table of %" PRIu64
                 " %ss cannot meet.",
                 whole->largest_k, whole->persons, shoal_i_requirement_unit(requirement));
}

const shoal_i_requirement_kind shoal_i_personal_k = {
    .key = "record_k",
    .title = "personalised k-anonymity",
    .figure = "records of the class, divided by the largest k that one of them asks for",
    .citation = "Xu and others 2006 (open question); Xiao and Tao 2006, "
                "doi:10.1145/1142473.1142500",
    .is_monotone = true,
    .is_monotone_in_persons = true,
    .needs_record_k = true,
    .larger_is_safer = true,
    .check = check_wishes,
    .bound = find_whole_wish,
    .smallest_class = shoal_i_smallest_one,
    .describe = describe_wishes,
    .explain_impossible = explain_large_wish,
};

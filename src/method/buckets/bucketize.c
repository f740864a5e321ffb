/* Buckets from the classes of any method.
 *
 * T. Li and N. Li, "On the tradeoff between privacy and utility in data publishing", KDD 2009,
 * doi:10.1145/1557019.1557079, compare generalization and bucketization over the partition of
 * Mondrian; X. Xiao and Y. Tao, "Anatomy: simple and effective privacy preservation", VLDB
 * 2006, for the release in two tables.
 *
 * A class that meets the requirement by its size and the counts of its sensitive values does so
 * as a bucket: it has the same records. Nothing is generalized, so records near each other only
 * make the estimates from a bucket better.
 */
#include "../finish/gather.h"
#include "../problem/method.h"

#include "../../release/buckets.h"

enum { OPTION_FROM };

/* The methods by classes, in the order of the words of the option. */
static const shoal_i_method *const inner_methods[] = {
    &shoal_i_mondrian,   &shoal_i_topdown,   &shoal_i_bottomup,
    &shoal_i_specialize, &shoal_i_incognito, &shoal_i_hilbert,
    &shoal_i_best,       &shoal_i_cluster,   &shoal_i_exact,
};

static const char *const inner_names[] = {
    "mondrian", "topdown", "bottomup", "specialize", "incognito",
    "hilbert",  "best",    "cluster",  "exact",      NULL,
};

static const shoal_i_method *find_inner(const shoal_i_method_settings *settings)
{
    return inner_methods[(size_t)settings->values[OPTION_FROM]];
}

static shoal_status run_bucketize(shoal_ctx *ctx, shoal_i_release **out,
                                  const shoal_i_problem *problem,
                                  const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_method *inner = find_inner(settings);
    shoal_i_method_settings inner_settings = shoal_i_method_inner_settings(settings);
    shoal_i_problem whole = *problem;
    shoal_i_release *classes = NULL;

    *out = NULL;
    whole.suppress = 0; /* there is no loss that suppression could lower */
    SHOAL_TRY(inner->run(ctx, &classes, &whole, &inner_settings));
    if (!shoal_i_problem_is_monotone(problem)) {
        SHOAL_TRY(shoal_i_gather(ctx, &classes, &whole));
    }
    SHOAL_TRY(shoal_i_release_from_buckets(ctx, out, problem->quasi, classes->box_of,
                                           classes->box_count));
done:
    shoal_i_release_free(classes);
    return st;
}

static const shoal_i_method_option options[] = {
    [OPTION_FROM] = {.name = "from",
                     .help =
                         "the method whose classes become buckets; further options are its own",
                     .standard = 0,
                     .words = inner_names},
    {.name = NULL},
};

const shoal_i_method shoal_i_bucketize = {
    .name = "bucketize",
    .summary =
        "the classes of another method as buckets: records as they are, sensitive values "
        "apart",
    .citation = "Li and Li, KDD 2009, doi:10.1145/1557019.1557079",
    .cost = "that of the other method",
    .shape = SHOAL_I_SHAPE_BUCKETS,
    .options = options,
    .refuse = shoal_i_refuse_in_buckets,
    .find_inner = find_inner,
    .passes_options = true,
    .run = run_bucketize,
};

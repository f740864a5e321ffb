/* Top-down greedy partitioning.
 *
 * J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu, "Utility-based anonymization using
 * local recoding", KDD 2006, doi:10.1145/1150402.1150504; section 4.2.
 *
 * Split a set of records in two around two records far apart, as long as it has more than k
 * (split.h); then mend the groups that came out too small (mend.h).
 *
 * Where this differs from the paper, or settles what it leaves open:
 *   - A record joins the side whose seed it is nearer to. The paper's words allow three
 *     readings: by the penalty of the side's growing box the loss is twice as high; by the
 *     increase of that penalty it is the same, but depends on the order and cannot be
 *     vectorized. Records equally near alternate.
 *   - In large sets the seeds are sought in a sample.
 *   - Records that agree in all columns are one group whatever their number: that costs
 *     nothing.
 *   - Small groups look for partners among their neighbours, within blocks.
 *   - The paper knows k only. Where sensitive values make mended groups large, a carved block
 *     (carve.h) takes their place if it costs less.
 */

#include "../grouping/mend.h"
#include "../grouping/recursion.h"
#include "../grouping/keep_cheaper.h"
#include "../grouping/split.h"

#include "../../base/random.h"

enum { OPTION_ROUNDS };

typedef struct topdown {
    const shoal_i_problem *problem;
    shoal_i_grouping *grouping;
    shoal_i_alternatives *alternatives; /* NULL: sizes are all that requirements look at */
    shoal_i_meter meter;
} topdown;

/* Where sensitive values keep groups from being small, carve the block instead if that costs
 * less. */
static shoal_status carve_block(shoal_ctx *ctx, topdown *t, shoal_i_span block)
{
    const double factor = 2;
    shoal_i_carve_sizes sizes = {.count = 1, .factors = &factor};

    if (!shoal_i_alternatives_are_tight(t->alternatives, t->grouping, block)) {
        return SHOAL_OK;
    }
    return shoal_i_alternatives_carve(ctx, t->alternatives, t->grouping, block,
                                      shoal_i_random_key(t->problem->seed, block.first), sizes);
}

static shoal_status mend_block(shoal_ctx *ctx, void *payload, shoal_i_span block)
{
    shoal_status st = SHOAL_OK;
    topdown *t = payload;

    SHOAL_TRY(shoal_i_mend(ctx, t->grouping, block, t->problem));
    if (t->alternatives) {
        SHOAL_TRY(carve_block(ctx, t, block));
    }
    SHOAL_TRY(shoal_i_meter_add(ctx, &t->meter, block.count));
done:
    return st;
}

static shoal_status run_topdown(shoal_ctx *ctx, shoal_i_release **out,
                                const shoal_i_problem *problem,
                                const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    size_t most = (size_t)shoal_i_requirement_smallest_class(problem->requirements);
    topdown t = {
        .problem = problem,
        .meter = {.stage = "anonymize", .total = 2 * problem->row_count},
    };

    shoal_i_alternatives alternatives = {0};

    *out = NULL;
    SHOAL_TRY(shoal_i_grouping_new(ctx, &t.grouping, problem));
    if (shoal_i_alternatives_apply(problem)) {
        SHOAL_TRY(shoal_i_alternatives_init(ctx, &alternatives, problem, t.grouping->lanes));
        t.alternatives = &alternatives;
    }
    SHOAL_TRY(shoal_i_split(ctx, t.grouping, problem->seed, most,
                            (int)settings->values[OPTION_ROUNDS], &t.meter));
    SHOAL_TRY(shoal_i_split_blocks(ctx, t.grouping, problem, mend_block, &t));
    SHOAL_TRY(shoal_i_grouping_release(ctx, out, problem->quasi, t.grouping));
done:
    shoal_i_alternatives_clear(&alternatives);
    shoal_i_grouping_free(t.grouping);
    return st;
}

static const shoal_i_method_option options[] = {
    [OPTION_ROUNDS] =
        {.name = "rounds",
         .help = "how often the farthest record is sought for a pair of seeds, 1 to 6",
         .standard = 3,
         .least = 1,
         .most = 6},
    {.name = NULL},
};

const shoal_i_method shoal_i_topdown = {
    .name = "topdown",
    .summary = "split around two far records, then mend small groups; low loss, fast",
    .citation = "Xu and others, KDD 2006, doi:10.1145/1150402.1150504",
    .cost = "O(n log n) on real data",
    .options = options,
    .run = run_topdown,
};

/* How far the answers of a release to random queries would be off: LILI's workload where there
 * are sensitive values, XU's where there are none. */
#include "frontier.h"

#define QUERIES 1000
#define DIMENSIONS_MOST 4
#define SELECTIVITY 0.05

void shoal_i_frontier_clear_queries(shoal_i_frontier *frontier)
{
    shoal_i_truth_free(frontier->truth);
    for (size_t i = 0; i < frontier->other_count; i++) {
        shoal_i_sensitive_clear(&frontier->others[i]);
    }
    free(frontier->others);
    frontier->truth = NULL;
    frontier->others = NULL;
    frontier->other_count = 0;
}

shoal_status shoal_i_frontier_ready_queries(shoal_ctx *ctx, shoal_i_frontier *frontier)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_prepared *prepared = frontier->prepared;

    if (!shoal_i_frontier_wants(frontier, SHOAL_I_BY_QUERY_ERROR)) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, frontier->others, prepared->column_count);
    for (size_t i = 0; i < prepared->column_count; i++) {
        if (prepared->roles[i] == SHOAL_ROLE_SENSITIVE) {
            SHOAL_TRY(shoal_i_sensitive_init(ctx, &frontier->others[frontier->other_count],
                                             prepared->table, i, NULL, NULL));
            frontier->other_count++;
        }
    }
    SHOAL_TRY(shoal_i_truth_build(ctx, &frontier->truth, prepared->quasi, frontier->others,
                                  frontier->other_count));
done:
    return st;
}

/* All quasi columns, all others. */
static shoal_status run_workload(shoal_ctx *ctx, shoal_i_errors *out, const shoal_i_frontier *f,
                                 const shoal_i_answerer *answerer)
{
    shoal_status st = SHOAL_OK;
    size_t columns = f->prepared->quasi->count;
    size_t *numbers = NULL;

    SHOAL_ALLOC(ctx, numbers, columns + f->other_count);
    for (size_t i = 0; i < columns; i++) {
        numbers[i] = i;
    }
    for (size_t i = 0; i < f->other_count; i++) {
        numbers[columns + i] = i;
    }
    shoal_i_workload workload = {
        .kind = f->other_count > 0 ? SHOAL_I_WORKLOAD_LILI : SHOAL_I_WORKLOAD_XU_COUNT,
        .query_count = QUERIES,
        .seed = ctx->seed,
        .columns = numbers,
        .column_count = columns,
        .dimensions = columns < DIMENSIONS_MOST ? columns : DIMENSIONS_MOST,
        .selectivity = SELECTIVITY,
        .sensitive = numbers + columns,
        .sensitive_count = f->other_count,
    };

    SHOAL_TRY(shoal_i_workload_run(ctx, out, &workload, answerer, f->truth));
done:
    free(numbers);
    return st;
}

shoal_status shoal_i_frontier_query_error(shoal_ctx *ctx, double *out,
                                          const shoal_i_frontier *frontier,
                                          const shoal_i_published *published)
{
    shoal_status st = SHOAL_OK;
    shoal_i_spread *spread = NULL;
    shoal_i_answerer *answerer = NULL;
    bool *is_sensitive = NULL;
    shoal_i_errors errors = {0};

    SHOAL_ALLOC(ctx, is_sensitive, frontier->other_count);
    for (size_t i = 0; i < frontier->other_count; i++) {
        is_sensitive[i] = true;
    }
    SHOAL_TRY(shoal_i_spread_build(ctx, &spread, published));
    SHOAL_TRY(shoal_i_answerer_build(ctx, &answerer, spread, is_sensitive));
    SHOAL_TRY(run_workload(ctx, &errors, frontier, answerer));
    *out = errors.mean;
done:
    shoal_i_answerer_free(answerer);
    shoal_i_spread_free(spread);
    free(is_sensitive);
    return st;
}

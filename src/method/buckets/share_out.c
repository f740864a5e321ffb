#include "share_out.h"

#include "../../base/fail.h"

#define BUCKETS_PER_CHECK 4096

/* Whether all of `count` buckets meet the requirement. */
static shoal_status check_shares(shoal_ctx *ctx, bool *holds, shoal_i_tally *tally,
                                 const shoal_i_problem *problem, const uint32_t *rows,
                                 size_t count)
{
    *holds = true;
    for (size_t b = 0; *holds && b < count; b++) {
        shoal_i_tally_empty(tally);
        for (size_t i = b; i < problem->row_count; i += count) {
            shoal_i_tally_add(tally, rows[i]);
        }
        *holds = shoal_i_requirement_holds(problem->requirements, &tally->stats);
        if (b % BUCKETS_PER_CHECK == 0 && shoal_i_check_cancelled(ctx) != SHOAL_OK) {
            return SHOAL_ECANCELLED;
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_i_share_out(shoal_ctx *ctx, uint32_t **bucket_of, size_t *bucket_count,
                               const shoal_i_problem *problem, const uint32_t *rows)
{
    shoal_status st = SHOAL_OK;
    uint64_t smallest = shoal_i_requirement_smallest_class(problem->requirements);
    size_t good = 1;
    size_t bad = problem->row_count / (size_t)smallest + 1;
    shoal_i_tally tally = {0};

    *bucket_of = NULL;
    SHOAL_TRY(shoal_i_tally_init(ctx, &tally, problem->source));
    while (good + 1 < bad) {
        size_t middle = good + (bad - good) / 2;
        bool holds = false;

        SHOAL_TRY(check_shares(ctx, &holds, &tally, problem, rows, middle));
        if (holds) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    SHOAL_ALLOC(ctx, *bucket_of, problem->row_count);
    for (size_t i = 0; i < problem->row_count; i++) {
        (*bucket_of)[rows[i]] = (uint32_t)(i % good);
    }
    *bucket_count = good;
done:
    shoal_i_tally_clear(&tally);
    return st;
}

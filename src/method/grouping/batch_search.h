/* batch_search.h -- a search that looks for changes in parallel and makes them in order.
 *
 * Large-neighbourhood search (best/improve.c) and the exchange of records (exchange.c) go the
 * same way. A batch is a fixed number of tasks. All of them look at the same solution, which
 * nobody changes meanwhile, and note the changes that would gain:
 *
 *     look    task 0   task 1   ...   task 7        in parallel
 *     accept  task 0,  task 1,  ...,  task 7        one after the other
 *
 * Then the changes are made real, task by task, unless one before has touched the same groups,
 * for then what was found rests on a solution that is no more. Few trials succeed, so few are
 * in vain. A task's random numbers come from the number of the batch and its own, so the result
 * does not depend on the number of threads, and more work begins with what less work does.
 */
#ifndef SHOAL_I_BATCH_SEARCH_H
#define SHOAL_I_BATCH_SEARCH_H

#include "../../base/random.h"
#include "../problem/effort.h"
#include "../problem/method.h"

#define SHOAL_I_BATCH_TASKS 8

typedef struct shoal_i_batch_search shoal_i_batch_search;

struct shoal_i_batch_search {
    /* Let task `task` look for changes. Only what belongs to the task may be written. */
    shoal_status (*look)(shoal_ctx *ctx, void *payload, size_t task, shoal_i_random random);
    /* Make real what the task has found, but for what is touched; touch what that changes. */
    void (*accept)(void *payload, shoal_i_batch_search *search, size_t task);
    /* The rows that the task has compared since the beginning. */
    uint64_t (*work)(const void *payload, size_t task);
    void *payload;
    size_t group_count; /* numbers of groups are below */
    uint64_t seed;
    uint64_t batch;       /* counts batches, from 1 */
    uint64_t *touched_at; /* per group: the last batch that changed it */
    double progress;      /* how much of the limit was used up before the batch, from 0 to 1 */
};

/* Run batches until the limit. Of `search`, the functions, payload, group_count and seed are
 * given. */
shoal_status shoal_i_batch_search_run(shoal_ctx *ctx, shoal_i_batch_search *search,
                                      shoal_i_search_limit limit, shoal_i_meter *meter);

static inline bool shoal_i_batch_is_touched(const shoal_i_batch_search *search, uint32_t group)
{
    return search->touched_at[group] == search->batch;
}

static inline void shoal_i_batch_touch(shoal_i_batch_search *search, uint32_t group)
{
    search->touched_at[group] = search->batch;
}

#endif /* SHOAL_I_BATCH_SEARCH_H */

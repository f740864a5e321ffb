/* pool.h -- a pool of worker threads whose use never changes a result.
 *
 * Two forms of parallel work:
 *
 *   for     shoal_i_parallel_for runs body(ctx, payload, i) for i = 0..count-1;
 *   tasks   a task may spawn further tasks into its set, and whoever started the set
 *           waits for all of it: recursion. A for may run inside a task.
 *
 * Tasks run in any order on any thread, so each writes only to what is its own,
 * takes its randomness from a stream named by the work and not by the thread, and
 * sums that decide are taken in index order afterwards.
 *
 * Each task gets a child of the caller's context (fail.h) with its settings. The first
 * failure (by index in a for; any one in a set) is copied to the caller's context
 * and the rest of the work is skipped.
 *
 * The pool starts with the first parallel call on a context that has more than one
 * thread, and ends with it. If a thread cannot be started there are fewer
 * of them; the work is done all the same. In a process forked between two calls a new pool is
 * started.
 */
#ifndef SHOAL_I_POOL_H
#define SHOAL_I_POOL_H

#include "context.h"

#define SHOAL_I_THREADS_MAX 256

typedef shoal_status (*shoal_i_body_fn)(shoal_ctx *ctx, void *payload, size_t index);

/* Run body for each index below count and wait for all of it. */
shoal_status shoal_i_parallel_for(shoal_ctx *ctx, size_t count, shoal_i_body_fn body,
                                  void *payload);

/* The same, those that weigh most first, so that no long one is left for the end: weights are
 * about how long each takes, in any unit. The failure of the heaviest is reported. */
shoal_status shoal_i_parallel_by_weight(shoal_ctx *ctx, size_t count, const size_t *weights,
                                        shoal_i_body_fn body, void *payload);

typedef struct shoal_i_tasks shoal_i_tasks;
typedef shoal_status (*shoal_i_task_fn)(shoal_ctx *ctx, shoal_i_tasks *tasks, void *payload);

/* Run first(payload) and all tasks it spawns, directly or not, and wait for them. */
shoal_status shoal_i_tasks_run(shoal_ctx *ctx, shoal_i_task_fn first, void *payload);

/* Queue a task; payload is owned by the task, which releases it when it ends (a task that is
 * skipped after a failure is still called, with tasks_failed() true, so that it can do so).
 * When there is no memory or only one thread, the task runs at once in the caller: its status
 * is returned. */
shoal_status shoal_i_tasks_spawn(shoal_ctx *ctx, shoal_i_tasks *tasks, shoal_i_task_fn task,
                                 void *payload);

/* Whether a task of the set has failed, so that the rest need not be done. */
bool shoal_i_tasks_failed(const shoal_i_tasks *tasks);

/* End the threads of a context; called when it ends. */
void shoal_i_pool_stop(shoal_ctx *ctx);

/* ctx->worker of a task's context is 0 on the calling thread, 1.. on the others, and below
 * shoal_ctx_thread_count(): an index for scratch memory per thread, never for results. */

#endif /* SHOAL_I_POOL_H */

#include "recursion.h"

#include "../../base/pool.h"
#include "../../base/random.h"

#include <assert.h>
#include <string.h>

/* Ranges above this size become tasks of their own. */
#define TASK_ABOVE 4096

typedef struct job {
    const shoal_i_recursion *recursion;
    shoal_i_subrange range;
} job;

static shoal_status grow_parts(shoal_ctx *ctx, shoal_i_parts *parts)
{
    size_t capacity = parts->capacity ? 2 * parts->capacity : 2 * SHOAL_I_PARTS_FEW;
    size_t *sizes = shoal_i_realloc(ctx, parts->sizes, capacity, sizeof *sizes);

    if (!sizes) {
        return SHOAL_ENOMEM;
    }
    if (!parts->sizes) {
        memcpy(sizes, parts->few, sizeof parts->few);
    }
    parts->sizes = sizes;
    parts->capacity = capacity;
    return SHOAL_OK;
}

shoal_status shoal_i_parts_add(shoal_ctx *ctx, shoal_i_parts *parts, size_t size)
{
    if (!parts->sizes && parts->count < SHOAL_I_PARTS_FEW) {
        parts->few[parts->count++] = size;
        return SHOAL_OK;
    }
    if (parts->count >= parts->capacity && grow_parts(ctx, parts) != SHOAL_OK) {
        return SHOAL_ENOMEM;
    }
    parts->sizes[parts->count++] = size;
    return SHOAL_OK;
}

static shoal_status run_job(shoal_ctx *ctx, shoal_i_tasks *tasks, void *payload);

static shoal_status spawn(shoal_ctx *ctx, shoal_i_tasks *tasks,
                          const shoal_i_recursion *recursion, shoal_i_subrange range)
{
    shoal_status st = SHOAL_OK;
    job *next = NULL;

    SHOAL_ALLOC(ctx, next, 1);
    *next = (job){.recursion = recursion, .range = range};
    SHOAL_TRY(shoal_i_tasks_spawn(ctx, tasks, run_job, next));
done:
    return st;
}

static shoal_status descend(shoal_ctx *ctx, shoal_i_tasks *tasks,
                            const shoal_i_recursion *recursion, shoal_i_subrange range,
                            void *scratch)
{
    shoal_status st = SHOAL_OK;
    shoal_i_parts parts = {0};
    size_t first = range.first;

    if (!shoal_i_tasks_failed(tasks)) {
        SHOAL_TRY(recursion->split(ctx, recursion->payload, scratch, &range, &parts));
    }
    if (parts.count < 2) {
        SHOAL_TRY(shoal_i_meter_add(ctx, recursion->meter, range.count));
    }
    for (size_t i = 0; parts.count >= 2 && i < parts.count; i++) {
        shoal_i_subrange part = {.first = first,
                                 .count = shoal_i_parts_size(&parts, i),
                                 .depth = range.depth + 1,
                                 .key = shoal_i_random_key(range.key, i)};

        assert(part.count > 0 && part.count < range.count);
        first += part.count;
        if (recursion->is_start[part.first] == 0) {
            recursion->is_start[part.first] = 1;
        }
        /* The last part stays here: something must be left to do for this task. */
        if (part.count > TASK_ABOVE && i + 1 < parts.count) {
            SHOAL_TRY(spawn(ctx, tasks, recursion, part));
        } else {
            SHOAL_TRY(descend(ctx, tasks, recursion, part, scratch));
        }
    }
done:
    free(parts.sizes);
    return st;
}

static shoal_status run_job(shoal_ctx *ctx, shoal_i_tasks *tasks, void *payload)
{
    shoal_status st = SHOAL_OK;
    job *self = payload;
    const shoal_i_recursion *recursion = self->recursion;
    void *scratch = NULL;

    SHOAL_TRY(recursion->scratch_new(ctx, &scratch, recursion->payload, self->range.count));
    SHOAL_TRY(descend(ctx, tasks, recursion, self->range, scratch));
done:
    recursion->scratch_free(scratch);
    free(self);
    return st;
}

shoal_status shoal_i_recurse(shoal_ctx *ctx, const shoal_i_recursion *recursion, size_t count,
                             uint64_t seed)
{
    shoal_status st = SHOAL_OK;
    job *first = NULL;

    assert(count > 0);
    SHOAL_ALLOC(ctx, first, 1);
    *first = (job){
        .recursion = recursion,
        .range = {.count = count, .key = shoal_i_random_key(seed, 0)},
    };
    recursion->is_start[0] = 1;
    SHOAL_TRY(shoal_i_tasks_run(ctx, run_job, first));
done:
    return st;
}

shoal_status shoal_i_groups_release(shoal_ctx *ctx, shoal_i_release **out,
                                    const shoal_i_quasi *quasi, const uint32_t *records,
                                    const uint8_t *is_start)
{
    shoal_status st = SHOAL_OK;
    uint32_t *starts = NULL;
    size_t count = shoal_table_row_count(quasi->table);
    size_t group_count = 0;

    for (size_t i = 0; i < count; i++) {
        group_count += is_start[i] != 0;
    }
    SHOAL_ALLOC(ctx, starts, group_count + 1);
    group_count = 0;
    for (size_t i = 0; i < count; i++) { /* without a branch */
        starts[group_count] = (uint32_t)i;
        group_count += is_start[i] != 0;
    }
    starts[group_count] = (uint32_t)count;
    SHOAL_TRY(shoal_i_release_from_groups(ctx, out, quasi, records, starts, group_count));
done:
    free(starts);
    return st;
}

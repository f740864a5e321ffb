#include "cell_merge.h"

#include "../../base/fail.h"

/* The cell that stands for all that hang together with one. */
static uint32_t find_root(uint32_t *above, uint32_t cell)
{
    while (above[cell] != cell) {
        above[cell] = above[above[cell]];
        cell = above[cell];
    }
    return cell;
}

/* Where each record of a point would go, of the cells that its records are in in the other
 * state: as many as can be stay. missing: per cell, 0 before and after. */
static void match_point(uint32_t *target, uint32_t *missing, const uint32_t *cell_of,
                        const uint32_t *other, uint32_t first, uint32_t end)
{
    uint32_t next = first;

    for (uint32_t i = first; i < end; i++) {
        missing[other[i]]++;
    }
    for (uint32_t i = first; i < end; i++) {
        bool stays = missing[cell_of[i]] > 0;

        target[i] = stays ? cell_of[i] : SHOAL_I_NO_CELL;
        missing[cell_of[i]] -= stays;
    }
    for (uint32_t i = first; i < end; i++) {
        if (target[i] == SHOAL_I_NO_CELL) {
            while (missing[other[next]] == 0) {
                next++;
            }
            target[i] = other[next];
            missing[target[i]]--;
        }
    }
}

shoal_status shoal_i_cell_merge(shoal_ctx *ctx, const shoal_i_cell_pool *pool,
                                const uint32_t *first, uint32_t *cell_of, const uint32_t *other)
{
    shoal_status st = SHOAL_OK;
    size_t records = first[pool->point_count];
    uint32_t *target = NULL;
    uint32_t *missing = NULL; /* per cell, the shelter too, as all that follow */
    uint32_t *above = NULL;   /* nearer to the root */
    int64_t *rises = NULL;    /* per root: by how much the other state costs more */

    SHOAL_ALLOC(ctx, target, records);
    SHOAL_ALLOC(ctx, missing, pool->cell_count + 1);
    SHOAL_ALLOC(ctx, above, pool->cell_count + 1);
    SHOAL_ALLOC(ctx, rises, pool->cell_count + 1);
    for (uint32_t i = 0; i <= pool->cell_count; i++) {
        above[i] = i;
    }
    for (size_t i = 0; i < pool->point_count; i++) {
        match_point(target, missing, cell_of, other, first[i], first[i + 1]);
    }
    for (size_t i = 0; i < records; i++) {
        above[find_root(above, cell_of[i])] = find_root(above, target[i]);
    }
    for (size_t i = 0; i < records; i++) {
        rises[find_root(above, target[i])] +=
            shoal_i_cell_pool_loss(pool, target[i]) - shoal_i_cell_pool_loss(pool, cell_of[i]);
    }
    for (size_t i = 0; i < records; i++) {
        if (rises[find_root(above, target[i])] < 0) {
            cell_of[i] = target[i];
        }
    }
done:
    free(target);
    free(missing);
    free(above);
    free(rises);
    return st;
}

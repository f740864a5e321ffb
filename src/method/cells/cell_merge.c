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

shoal_status shoal_i_cell_merge(shoal_ctx *ctx, const shoal_i_cell_pool *pool,
                                uint32_t *cell_of, const uint32_t *other)
{
    shoal_status st = SHOAL_OK;
    uint32_t *above = NULL; /* per cell, the shelter too: nearer to the root */
    int64_t *rises = NULL;  /* per root: by how much the other state costs more */

    SHOAL_ALLOC(ctx, above, pool->cell_count + 1);
    SHOAL_ALLOC(ctx, rises, pool->cell_count + 1);
    for (uint32_t i = 0; i <= pool->cell_count; i++) {
        above[i] = i;
    }
    for (size_t i = 0; i < pool->point_count; i++) {
        above[find_root(above, cell_of[i])] = find_root(above, other[i]);
    }
    for (size_t i = 0; i < pool->point_count; i++) {
        rises[find_root(above, other[i])] +=
            (int64_t)pool->weights[i] *
            (shoal_i_cell_pool_loss(pool, other[i]) - shoal_i_cell_pool_loss(pool, cell_of[i]));
    }
    for (size_t i = 0; i < pool->point_count; i++) {
        if (rises[find_root(above, other[i])] < 0) {
            cell_of[i] = other[i];
        }
    }
done:
    free(above);
    free(rises);
    return st;
}

#include "rests.h"

shoal_status shoal_i_rests_init(shoal_ctx *ctx, shoal_i_rests *rests, size_t count,
                                size_t level_count)
{
    shoal_status st = SHOAL_OK;

    *rests = (shoal_i_rests){.count = count, .level_count = level_count};
    SHOAL_ALLOC(ctx, rests->best, count + 1);
    for (size_t level = 0; level < level_count; level++) {
        SHOAL_ALLOC(ctx, rests->hulls[level], count + 1);
        SHOAL_ALLOC(ctx, rests->sizes[level], count / shoal_i_level_width(level) + 1);
    }
done:
    return st;
}

void shoal_i_rests_clear(shoal_i_rests *rests)
{
    for (size_t level = 0; level < rests->level_count; level++) {
        free(rests->hulls[level]);
        free(rests->sizes[level]);
    }
    free(rests->best);
    *rests = (shoal_i_rests){0};
}

/* The least penalty with which the end a, the smaller one, is at least as good as b. Penalties
 * are whole numbers, so hulls are exact in these. */
static int64_t find_turn(const shoal_i_rests *rests, size_t a, size_t b)
{
    int64_t gain = rests->best[a] - rests->best[b];
    int64_t width = (int64_t)(b - a);

    return gain <= 0 ? 0 : (gain - 1) / width + 1;
}

static void add_to_stretch(shoal_i_rests *rests, size_t level, size_t end)
{
    size_t stretch = end / shoal_i_level_width(level);
    uint32_t *hull = rests->hulls[level] + stretch * shoal_i_level_width(level);
    uint32_t size = rests->sizes[level][stretch];

    /* What is on top is needed for penalties below the turn to its left, and not below the turn
     * to its right. */
    while (size > 0) {
        int64_t turn = find_turn(rests, end, hull[size - 1]);

        if (turn > (size > 1 ? find_turn(rests, hull[size - 1], hull[size - 2]) : 0)) {
            break;
        }
        size--;
    }
    hull[size] = (uint32_t)end;
    rests->sizes[level][stretch] = size + 1;
}

void shoal_i_rests_add(shoal_i_rests *rests, size_t end)
{
    for (size_t level = 0; rests->best[end] != SHOAL_I_NO_COST && level < rests->level_count;
         level++) {
        add_to_stretch(rests, level, end);
    }
}

static int64_t cost_of(const shoal_i_rests *rests, size_t end, int32_t penalty)
{
    return rests->best[end] + (int64_t)end * penalty;
}

int64_t shoal_i_rests_least(const shoal_i_rests *rests, size_t level, size_t stretch,
                            int32_t penalty, size_t *end)
{
    const uint32_t *hull = rests->hulls[level] + stretch * shoal_i_level_width(level);
    size_t left = rests->sizes[level][stretch];
    size_t right = 0;

    if (left == 0) {
        return SHOAL_I_NO_COST;
    }
    left--;
    /* Costs fall from the left up to the one that is looked for, and then fall no more. */
    while (right < left) {
        size_t middle = right + (left - right + 1) / 2;

        if (cost_of(rests, hull[middle], penalty) <=
            cost_of(rests, hull[middle - 1], penalty)) {
            right = middle;
        } else {
            left = middle - 1;
        }
    }
    *end = hull[right];
    return cost_of(rests, hull[right], penalty);
}

#include "scan.h"

#include "scan_avx2.h"

#include <string.h>

static int32_t min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t union_penalty(const shoal_i_lanes *lanes, const shoal_i_probe *probe,
                             const int32_t *lo, const int32_t *hi)
{
    int32_t sum = 0;

    for (size_t lane = 0; lane < lanes->count; lane++) {
        int32_t spread = max(probe->hi[lane], hi[lane]) - min(probe->lo[lane], lo[lane]);

        if (lanes->is_tree[lane]) {
            sum += spread > 0 ? probe->climb[lane] : 0;
        } else {
            sum += spread;
        }
    }
    return sum;
}

static void plain_penalties(int32_t *out, const shoal_i_lanes *lanes,
                            const shoal_i_probe *probe, const int32_t *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t *row = rows + i * lanes->count;

        out[i] = union_penalty(lanes, probe, row, row);
    }
}

static int32_t plain_replaced(const shoal_i_lanes *lanes, const int32_t *ends,
                              const uint32_t *times, const int32_t *leaves,
                              const int32_t *joins, const int32_t *climb)
{
    size_t count = lanes->count;
    int32_t sum = 0;

    for (size_t lane = 0; lane < count; lane++) {
        const int32_t *low = ends + lane;
        const int32_t *high = ends + 2 * count + lane;
        bool is_lowest = leaves[lane] == *low && times[lane] == 1;
        bool is_highest = leaves[lane] == *high && times[2 * count + lane] == 1;
        int32_t lo = min(low[is_lowest ? count : 0], joins[lane]);
        int32_t hi = max(high[is_highest ? count : 0], joins[lane]);

        sum += lanes->is_tree[lane] ? (hi > lo ? climb[lane] : 0) : hi - lo;
    }
    return sum;
}

static size_t plain_farthest(int32_t *largest, const shoal_i_lanes *lanes,
                             const shoal_i_probe *probe, const int32_t *rows, size_t count)
{
    size_t best = 0;

    *largest = -1;
    for (size_t i = 0; i < count; i++) {
        const int32_t *row = rows + i * lanes->count;
        int32_t penalty = union_penalty(lanes, probe, row, row);

        if (penalty > *largest) {
            *largest = penalty;
            best = i;
        }
    }
    return best;
}

static size_t plain_sides(uint8_t *sides, const shoal_i_lanes *lanes, const shoal_i_probe *a,
                          const shoal_i_probe *b, const int32_t *rows, size_t count)
{
    size_t ones = 0;
    uint8_t tie = 0;

    for (size_t i = 0; i < count; i++) {
        const int32_t *row = rows + i * lanes->count;
        int32_t to_a = union_penalty(lanes, a, row, row);
        int32_t to_b = union_penalty(lanes, b, row, row);

        sides[i] = to_b < to_a || (to_b == to_a && tie);
        tie ^= to_b == to_a;
        ones += sides[i];
    }
    return ones;
}

static void plain_unions(int32_t *out, const shoal_i_lanes *lanes, const shoal_i_probe *probe,
                         const int32_t *boxes, const uint32_t *groups, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t *lo = boxes + (size_t)groups[i] * 2 * lanes->count;

        out[i] = union_penalty(lanes, probe, lo, lo + lanes->count);
    }
}

/* What a block costs in numeric lanes, to which the others add. */
static void start_block(int32_t *out, const shoal_i_block_probe *probe, const int32_t *block)
{
    for (size_t i = 0; i < SHOAL_I_BLOCK_GROUPS; i++) {
        out[i] = probe->fixed;
        for (size_t n = 0; n < probe->numeric_count; n++) {
            const int32_t *lo = block + 2 * n * SHOAL_I_BLOCK_GROUPS;

            out[i] += max(probe->ends[2 * n + 1], lo[SHOAL_I_BLOCK_GROUPS + i]) -
                      min(probe->ends[2 * n], lo[i]);
        }
    }
}

static uint32_t find_cheap(const int32_t *out, int32_t cap)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < SHOAL_I_BLOCK_GROUPS; i++) {
        bits |= (uint32_t)(out[i] <= cap) << i;
    }
    return bits;
}

static uint32_t plain_block_unions(int32_t *out, const shoal_i_block_probe *probe,
                                   const int32_t *block, int32_t cap)
{
    start_block(out, probe, block);
    for (size_t t = 0; t < probe->tree_count; t++) {
        for (size_t i = 0; i < SHOAL_I_BLOCK_GROUPS; i++) {
            bool is_same = block[probe->trees[t] + i] == probe->values[t];

            out[i] += is_same ? 0 : probe->climbs[t];
        }
    }
    return find_cheap(out, cap);
}

static uint32_t plain_block_bounds(int32_t *out, const shoal_i_block_probe *probe,
                                   const int32_t *block, int32_t cap)
{
    start_block(out, probe, block);
    for (size_t t = 0; t < probe->tree_count; t++) {
        const int32_t *marks = block + probe->trees[t];
        int32_t value = probe->values[t];

        for (size_t i = 0; i < SHOAL_I_BLOCK_GROUPS; i++) {
            bool may_have = t < probe->narrow_count
                                ? (marks[i] & shoal_i_mark_bit(value)) != 0
                                : marks[i] <= value && value <= marks[SHOAL_I_BLOCK_GROUPS + i];

            out[i] += may_have ? 0 : probe->climbs[t];
        }
    }
    return find_cheap(out, cap);
}

static void plain_grow(int32_t *out, const shoal_i_lanes *lanes, const int32_t *climb,
                       const int32_t *rows, size_t count)
{
    memset(out, 0, count * sizeof *out);
    for (size_t lane = 0; lane < lanes->count; lane++) {
        int32_t lo = rows[lane];
        int32_t hi = rows[lane];

        for (size_t i = 0; i < count; i++) {
            lo = min(lo, rows[i * lanes->count + lane]);
            hi = max(hi, rows[i * lanes->count + lane]);
            if (lanes->is_tree[lane]) {
                out[i] += hi > lo ? climb[lane] : 0;
            } else {
                out[i] += min(hi - lo, lanes->most[lane]);
            }
        }
    }
}

static void plain_enclose(int32_t *boxes, const shoal_i_lanes *lanes, const uint8_t *sides,
                          const int32_t *rows, size_t count)
{
    for (size_t lane = 0; lane < lanes->count; lane++) {
        for (size_t side = 0; side < 2; side++) {
            int32_t lo = INT32_MAX;
            int32_t hi = 0;

            for (size_t i = 0; i < count; i++) {
                if (sides[i] == side) {
                    lo = min(lo, rows[i * lanes->count + lane]);
                    hi = max(hi, rows[i * lanes->count + lane]);
                }
            }
            boxes[2 * side * lanes->count + lane] = lo;
            boxes[(2 * side + 1) * lanes->count + lane] = hi;
        }
    }
}

static void plain_join(const shoal_i_lanes *lanes, int32_t *lo, int32_t *hi,
                       const int32_t *other_lo, const int32_t *other_hi)
{
    for (size_t lane = 0; lane < lanes->count; lane++) {
        lo[lane] = min(lo[lane], other_lo[lane]);
        hi[lane] = max(hi[lane], other_hi[lane]);
    }
}

const shoal_i_kernels shoal_i_kernels_plain = {
    .name = "plain",
    .penalties = plain_penalties,
    .replaced = plain_replaced,
    .farthest = plain_farthest,
    .sides = plain_sides,
    .unions = plain_unions,
    .block_unions = plain_block_unions,
    .block_bounds = plain_block_bounds,
    .grow = plain_grow,
    .enclose = plain_enclose,
    .join = plain_join,
};

const shoal_i_kernels *shoal_i_kernels_best(void)
{
#if SHOAL_I_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        return &shoal_i_kernels_avx2;
    }
#endif
    return &shoal_i_kernels_plain;
}

int32_t shoal_i_penalty(const shoal_i_lanes *lanes, const shoal_i_probe *probe)
{
    return union_penalty(lanes, probe, probe->lo, probe->hi);
}

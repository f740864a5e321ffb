#include "closest.h"

#define BLOCK 64

static unsigned count_trailing_zeros(uint64_t word)
{
    return (unsigned)__builtin_ctzll(word);
}

/* Position of the highest bit; word is not 0. */
static unsigned find_highest(uint64_t word)
{
    return 63 - (unsigned)__builtin_clzll(word);
}

/* The marks of a position are the stack of a scan from the left: where minima ascend. */
static void mark_block(const uint32_t *joints, uint64_t *marks, size_t count)
{
    uint64_t stack = 0;

    for (size_t i = 0; i < count; i++) {
        while (stack != 0 && joints[find_highest(stack)] >= joints[i]) {
            stack ^= UINT64_C(1) << find_highest(stack);
        }
        stack |= UINT64_C(1) << i;
        marks[i] = stack;
    }
}

/* Of a range inside one block. */
static uint32_t find_inside(const shoal_i_closest *closest, size_t from, size_t to)
{
    uint64_t marks = closest->marks[to] >> (from % BLOCK);

    return closest->joints[from + count_trailing_zeros(marks)];
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static size_t count_rows(size_t block_count)
{
    return block_count == 0 ? 0 : find_highest(block_count) + 1;
}

static void fill_blocks(shoal_i_closest *closest, size_t count)
{
    size_t width = closest->block_count;

    for (size_t b = 0; b < width; b++) {
        size_t from = b * BLOCK;
        size_t length = count - from < BLOCK ? count - from : BLOCK;

        mark_block(closest->joints + from, closest->marks + from, length);
        closest->blocks[b] = find_inside(closest, from, from + length - 1);
    }
    for (size_t row = 1; row < count_rows(width); row++) {
        const uint32_t *below = closest->blocks + (row - 1) * width;
        size_t half = (size_t)1 << (row - 1);

        for (size_t b = 0; b + 2 * half <= width; b++) {
            closest->blocks[row * width + b] = min_u32(below[b], below[b + half]);
        }
    }
}

shoal_status shoal_i_closest_init(shoal_ctx *ctx, shoal_i_closest *closest, uint32_t *joints,
                                  size_t count)
{
    shoal_status st = SHOAL_OK;

    *closest = (shoal_i_closest){.joints = joints, .block_count = (count + BLOCK - 1) / BLOCK};
    SHOAL_ALLOC(ctx, closest->marks, count);
    SHOAL_ALLOC(ctx, closest->blocks, closest->block_count * count_rows(closest->block_count));
    fill_blocks(closest, count);
done:
    return st;
}

void shoal_i_closest_clear(shoal_i_closest *closest)
{
    free(closest->joints);
    free(closest->marks);
    free(closest->blocks);
    *closest = (shoal_i_closest){0};
}

/* Of whole blocks first..last: two runs of 2^row blocks that cover them. */
static uint32_t find_over_blocks(const shoal_i_closest *closest, size_t first, size_t last)
{
    unsigned row = find_highest(last - first + 1);
    const uint32_t *minima = closest->blocks + row * closest->block_count;

    return min_u32(minima[first], minima[last + 1 - ((size_t)1 << row)]);
}

uint32_t shoal_i_closest_min(const shoal_i_closest *closest, size_t from, size_t to)
{
    size_t first = from / BLOCK;
    size_t last = to / BLOCK;

    if (first == last) {
        return find_inside(closest, from, to);
    }
    uint32_t head = find_inside(closest, from, first * BLOCK + BLOCK - 1);
    uint32_t least = min_u32(head, find_inside(closest, last * BLOCK, to));

    if (first + 1 < last) {
        least = min_u32(least, find_over_blocks(closest, first + 1, last - 1));
    }
    return least;
}

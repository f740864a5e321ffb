#include "specialize_tree.h"

#include "../../base/fail.h"
#include "../../base/sort.h"

/* Halves of halves: the way down to a code is its place among the values, scaled to a power of
 * two, so that each step halves what is left. A kept missing value is apart from all values at
 * the first step. */
static uint32_t find_way(const shoal_i_quasi_column *column, uint32_t code, unsigned bits)
{
    uint32_t values = column->value_count - column->has_missing;

    return code == values ? (uint32_t)1 << bits : (uint32_t)(((uint64_t)code << bits) / values);
}

static void fill_halves(shoal_i_branching *b, const shoal_i_quasi_column *column)
{
    unsigned bits = shoal_i_sort_bits(column->value_count - column->has_missing);

    for (uint32_t code = 0; code < b->value_count; code++) {
        uint32_t way = find_way(column, code, bits);

        for (int depth = 1; depth <= b->height; depth++) {
            b->ids[(size_t)(depth - 1) * b->value_count + code] = way >> (b->height - depth);
        }
    }
}

static void fill_ids(shoal_i_branching *b)
{
    for (size_t i = 0; i < (size_t)b->height * b->value_count; i++) {
        uint32_t code = (uint32_t)(i % b->value_count);

        b->ids[i] = b->hierarchy ? shoal_hierarchy_ancestor_at(b->hierarchy, code,
                                                               (int)(i / b->value_count) + 1)
                                 : code;
    }
}

shoal_status shoal_i_branching_init(shoal_ctx *ctx, shoal_i_branching *out,
                                    const shoal_i_quasi_column *column, bool in_halves)
{
    shoal_status st = SHOAL_OK;
    size_t cells = 0;

    in_halves = in_halves && !column->hierarchy;
    *out = (shoal_i_branching){.hierarchy = column->hierarchy,
                               .value_count = column->value_count,
                               .height = 1,
                               .id_count = column->value_count};
    if (column->hierarchy) {
        out->height = shoal_hierarchy_height(column->hierarchy);
        out->id_count = shoal_hierarchy_node_count(column->hierarchy);
    } else if (in_halves) {
        out->height = (int)shoal_i_sort_bits(column->value_count - column->has_missing) +
                      column->has_missing;
        out->id_count = (size_t)1 << out->height;
    }
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, (size_t)out->height, out->value_count));
    SHOAL_ALLOC(ctx, out->ids, cells);
    if (in_halves) {
        fill_halves(out, column);
    } else {
        fill_ids(out);
    }
done:
    return st;
}

void shoal_i_branching_clear(shoal_i_branching *branching)
{
    free(branching->ids);
    *branching = (shoal_i_branching){0};
}

const uint32_t *shoal_i_branching_ids(const shoal_i_branching *b, int depth)
{
    return b->ids + (size_t)(depth - 1) * b->value_count;
}

int shoal_i_branching_common_depth(const shoal_i_branching *b, uint32_t lo, uint32_t hi)
{
    int depth = 0;

    while (depth < b->height &&
           shoal_i_branching_ids(b, depth + 1)[lo] == shoal_i_branching_ids(b, depth + 1)[hi]) {
        depth++;
    }
    return depth;
}

bool shoal_i_branching_is_bottom(const shoal_i_branching *b, uint32_t code, int depth)
{
    return depth >= b->height ||
           (b->hierarchy &&
            shoal_hierarchy_depth(b->hierarchy,
                                  shoal_hierarchy_leaf_node(b->hierarchy, code)) <= depth);
}

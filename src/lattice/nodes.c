/* Which nodes of the lattice of levels to look at, and in which order. */

#include "nodes.h"

#include "../base/fail.h"
#include "../base/sort.h"

#include <string.h>

/* The range of a number is halved so many times at most. */
#define HALVINGS_MOST 6
#define HALVINGS_LEAST 2

/* How many levels a column has with numbers halved so often. */
static size_t count_levels(const shoal_i_scale_column *column, unsigned halvings)
{
    size_t count = column->level_count;

    for (size_t level = 2; column->halvings && level < column->level_count; level++) {
        count -= column->halvings[level] >= halvings;
    }
    return count;
}

/* How many nodes there are with numbers halved so often, or 0 when more than `most`. */
static size_t count_nodes(const shoal_i_scales *scales, unsigned halvings, size_t most)
{
    size_t count = 1;

    for (size_t c = 0; c < scales->column_count; c++) {
        count *= count_levels(&scales->columns[c], halvings);
        if (count > most) {
            return 0;
        }
    }
    return count;
}

/* Halve numbers as often as leaves at most so many nodes; false when there are always more. */
static bool choose_halvings(shoal_i_lattice *lattice, size_t most)
{
    unsigned halvings = HALVINGS_MOST;

    do {
        lattice->count = count_nodes(lattice->scales, halvings, most);
    } while (lattice->count == 0 && halvings-- > HALVINGS_LEAST);
    if (lattice->count > 0) {
        shoal_i_scales_coarsen(lattice->scales, halvings);
    }
    return lattice->count > 0;
}

shoal_status shoal_i_lattice_order(shoal_ctx *ctx, shoal_i_lattice *lattice)
{
    shoal_status st = SHOAL_OK;
    size_t columns = lattice->scales->column_count;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;
    uint8_t *nodes = NULL;

    SHOAL_ALLOC(ctx, items, lattice->count);
    SHOAL_ALLOC(ctx, scratch, lattice->count);
    SHOAL_ALLOC(ctx, nodes, lattice->count * columns);
    for (size_t i = 0; i < lattice->count; i++) {
        double penalty =
            shoal_i_scales_penalty(lattice->scales, shoal_i_lattice_node(lattice, i));

        /* In units fine enough to tell any two apart that matter. */
        items[i] = (shoal_i_sort_item){.key = (uint64_t)penalty, .item = (uint32_t)i};
    }
    shoal_i_sort_items(items, scratch, lattice->count);
    for (size_t i = 0; i < lattice->count; i++) {
        memcpy(nodes + i * columns, shoal_i_lattice_node(lattice, items[i].item), columns);
    }
    free(lattice->nodes);
    lattice->nodes = nodes;
    nodes = NULL;
done:
    free(items);
    free(scratch);
    free(nodes);
    return st;
}

/* All nodes: counting with one digit per column. */
static shoal_status list_all(shoal_ctx *ctx, shoal_i_lattice *lattice)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_scales *scales = lattice->scales;

    SHOAL_ALLOC(ctx, lattice->nodes, lattice->count * scales->column_count);
    for (size_t i = 0; i < lattice->count; i++) {
        size_t rest = i;

        for (size_t c = 0; c < scales->column_count; c++) {
            lattice->nodes[i * scales->column_count + c] =
                (uint8_t)(rest % scales->columns[c].level_count);
            rest /= scales->columns[c].level_count;
        }
    }
done:
    return st;
}

shoal_status shoal_i_lattice_add(shoal_ctx *ctx, shoal_i_lattice *lattice, const uint8_t *node,
                                 size_t raised)
{
    shoal_status st = SHOAL_OK;
    size_t columns = lattice->scales->column_count;

    if (lattice->count == lattice->capacity) {
        size_t capacity = 2 * lattice->capacity + 64;
        uint8_t *nodes = shoal_i_realloc(ctx, lattice->nodes, capacity, columns);

        if (!nodes) {
            return SHOAL_ENOMEM;
        }
        lattice->nodes = nodes;
        lattice->capacity = capacity;
    }
    memcpy(lattice->nodes + lattice->count * columns, node, columns);
    if (raised < columns) {
        lattice->nodes[lattice->count * columns + raised]++;
    }
    lattice->count++;
    return st;
}

shoal_status shoal_i_lattice_list(shoal_ctx *ctx, shoal_i_lattice **out,
                                  const shoal_i_distinct *points, size_t most)
{
    shoal_status st = SHOAL_OK;
    shoal_i_lattice *lattice = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, lattice, 1);
    SHOAL_TRY(shoal_i_scales_build(ctx, &lattice->scales, points, HALVINGS_MOST));
    if (choose_halvings(lattice, most)) {
        SHOAL_TRY(list_all(ctx, lattice));
        SHOAL_TRY(shoal_i_lattice_order(ctx, lattice));
    }
    *out = lattice;
    lattice = NULL;
done:
    shoal_i_lattice_free(lattice);
    return st;
}

void shoal_i_lattice_free(shoal_i_lattice *lattice)
{
    if (lattice) {
        shoal_i_scales_free(lattice->scales);
        free(lattice->nodes);
        free(lattice);
    }
}

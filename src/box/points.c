#include "points.h"

#include "../base/fail.h"
#include "../base/pool.h"
#include "scan.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A column has distinct places for its values when they are fewer than this part of its scale.
 */
#define STEPS_PER_SCALE 64

/* Records filled by one task. */
#define CHUNK 16384

/* Rows per value of a column from which on its nodes are sought once per value. */
#define ROWS_PER_ENTRY 8

static int32_t column_scale(const shoal_i_quasi *quasi, size_t c)
{
    return (int32_t)(quasi->columns[c].weight / quasi->weight_sum * SHOAL_I_PENALTY_ONE);
}

static size_t count_column_lanes(const shoal_i_quasi_column *column)
{
    if (!column->hierarchy) {
        return 1;
    }
    return (size_t)shoal_hierarchy_height(column->hierarchy);
}

static shoal_status place_columns(shoal_ctx *ctx, shoal_i_lanes *lanes)
{
    size_t used = 0;

    for (size_t c = 0; c < lanes->quasi->count; c++) {
        lanes->first[c] = used;
        used += count_column_lanes(&lanes->quasi->columns[c]);
        if (used > SHOAL_I_LANES_MAX) {
            return shoal_i_fail(
                ctx, SHOAL_ELIMIT,
                "The quasi-identifiers have more than %d hierarchy levels in all.",
                SHOAL_I_LANES_MAX);
        }
    }
    lanes->first[lanes->quasi->count] = used;
    lanes->count = (used + SHOAL_I_LANES_STEP - 1) / SHOAL_I_LANES_STEP * SHOAL_I_LANES_STEP;
    return SHOAL_OK;
}

/* Distinct values get distinct places even where the difference is below the resolution, as
 * long as that moves none of them by more than a percent or so: records that differ are then
 * never taken for equal, whatever the spread of the column. With a grid, values of one cell
 * have one place. */
static shoal_status build_coordinates(shoal_ctx *ctx, shoal_i_lanes *lanes, size_t c)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi_column *column = &lanes->quasi->columns[c];
    int32_t scale = column_scale(lanes->quasi, c);
    uint32_t plain = column->value_count - (column->has_missing ? 1 : 0);
    int32_t step = plain < (uint32_t)scale / STEPS_PER_SCALE ? 1 : 0;
    int32_t *coordinates = NULL;

    SHOAL_ALLOC(ctx, coordinates, column->value_count);
    lanes->coordinates[c] = coordinates;
    for (uint32_t code = 1; code < plain; code++) {
        double place = shoal_i_quasi_place(column, code);
        bool is_same = shoal_i_quasi_alike(column, code) != code;
        int32_t least = coordinates[code - 1] + (is_same ? 0 : step);
        int32_t exact = (int32_t)lrint(place * scale);

        coordinates[code] = exact > least ? exact : least;
    }
    lanes->most[lanes->first[c]] = scale;
    if (column->has_missing) {
        coordinates[plain] = 2 * scale;
    } else if (plain > 0 && coordinates[plain - 1] > scale) {
        lanes->most[lanes->first[c]] = coordinates[plain - 1];
    }
done:
    return st;
}

/* The penalty of a node in fixed point. Climbs are differences of these, so that they add up
 * exactly. */
static int32_t node_penalty(const shoal_hierarchy *hierarchy, uint32_t node, int32_t scale)
{
    return (int32_t)lrint(shoal_hierarchy_loss(hierarchy, node) * scale);
}

static shoal_status build_climbs(shoal_ctx *ctx, shoal_i_lanes *lanes, size_t c)
{
    shoal_status st = SHOAL_OK;
    const shoal_hierarchy *hierarchy = lanes->quasi->columns[c].hierarchy;
    size_t node_count = shoal_hierarchy_node_count(hierarchy);
    int32_t scale = column_scale(lanes->quasi, c);

    SHOAL_ALLOC(ctx, lanes->climbs[c], node_count);
    for (uint32_t node = 1; node < node_count; node++) {
        uint32_t parent = shoal_hierarchy_parent(hierarchy, node);

        lanes->climbs[c][node] =
            node_penalty(hierarchy, parent, scale) - node_penalty(hierarchy, node, scale);
    }
    for (size_t lane = lanes->first[c]; lane < lanes->first[c + 1]; lane++) {
        lanes->is_tree[lane] = -1;
        lanes->trees[lanes->tree_count++] = (shoal_i_tree_lane){
            .lane = lane, .goes_on = lane > lanes->first[c], .climbs = lanes->climbs[c]};
    }
done:
    return st;
}

shoal_status shoal_i_lanes_build(shoal_ctx *ctx, shoal_i_lanes **out,
                                 const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;
    shoal_i_lanes *lanes = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, lanes, 1);
    lanes->quasi = quasi;
    lanes->kernels = shoal_i_kernels_best();
    SHOAL_ALLOC(ctx, lanes->first, quasi->count + 1);
    SHOAL_TRY(place_columns(ctx, lanes));
    SHOAL_ALLOC(ctx, lanes->is_tree, lanes->count);
    SHOAL_ALLOC(ctx, lanes->most, lanes->count);
    SHOAL_ALLOC(ctx, lanes->coordinates, quasi->count);
    SHOAL_ALLOC(ctx, lanes->climbs, quasi->count);
    SHOAL_ALLOC(ctx, lanes->trees, lanes->count);
    for (size_t c = 0; c < quasi->count; c++) {
        if (quasi->columns[c].hierarchy) {
            SHOAL_TRY(build_climbs(ctx, lanes, c));
        } else {
            SHOAL_TRY(build_coordinates(ctx, lanes, c));
        }
    }
    *out = lanes;
    lanes = NULL;
done:
    shoal_i_lanes_free(lanes);
    return st;
}

void shoal_i_lanes_free(shoal_i_lanes *lanes)
{
    if (!lanes) {
        return;
    }
    for (size_t c = 0; c < lanes->quasi->count; c++) {
        free(lanes->coordinates ? lanes->coordinates[c] : NULL);
        free(lanes->climbs ? lanes->climbs[c] : NULL);
    }
    free(lanes->coordinates);
    free(lanes->climbs);
    free(lanes->trees);
    free(lanes->is_tree);
    free(lanes->most);
    free(lanes->first);
    free(lanes);
}

static void fill_numeric(const shoal_i_lanes *lanes, size_t c, int32_t *out, size_t count,
                         const uint32_t *entries)
{
    const int32_t *coordinates = lanes->coordinates[c];

    out += lanes->first[c];
    for (size_t i = 0; i < count; i++) {
        out[i * lanes->count] = coordinates[entries[i]];
    }
}

/* The same of a column with a hierarchy, from the nodes of each entry, depth after depth. */
static void fill_nodes(const shoal_i_lanes *lanes, size_t c, int32_t *out, size_t count,
                       const uint32_t *entries, const int32_t *nodes)
{
    size_t depths = lanes->first[c + 1] - lanes->first[c];

    out += lanes->first[c];
    for (size_t depth = 0; depth < depths; depth++) {
        const int32_t *at_depth = nodes + depth * lanes->quasi->columns[c].value_count;

        for (size_t i = 0; i < count; i++) {
            out[i * lanes->count + depth] = at_depth[entries[i]];
        }
    }
}

static void fill_tree(const shoal_i_lanes *lanes, size_t c, int32_t *out, size_t count,
                      const uint32_t *entries)
{
    const shoal_i_quasi_column *column = &lanes->quasi->columns[c];
    size_t depths = lanes->first[c + 1] - lanes->first[c];

    out += lanes->first[c];
    for (size_t depth = 1; depth <= depths; depth++) {
        for (size_t i = 0; i < count; i++) {
            uint32_t leaf = column->code_of_entry[entries[i]];

            out[i * lanes->count + depth - 1] =
                (int32_t)shoal_hierarchy_ancestor_at(column->hierarchy, leaf, (int)depth);
        }
    }
}

/* nodes: per column those of its entries, NULL where they are sought; NULL: nowhere. */
static void fill_rows(const shoal_i_lanes *lanes, int32_t *out, size_t first, size_t count,
                      uint32_t *scratch, int32_t *const *nodes)
{
    const shoal_i_quasi *quasi = lanes->quasi;
    size_t used = lanes->first[quasi->count];

    for (size_t i = 0; i < count && used < lanes->count; i++) {
        memset(out + i * lanes->count + used, 0, (lanes->count - used) * sizeof *out);
    }
    for (size_t c = 0; c < quasi->count; c++) {
        shoal_table_codes(quasi->table, quasi->columns[c].column, first, count, scratch);
        if (nodes && nodes[c]) {
            fill_nodes(lanes, c, out, count, scratch, nodes[c]);
        } else if (quasi->columns[c].hierarchy) {
            fill_tree(lanes, c, out, count, scratch);
        } else {
            fill_numeric(lanes, c, out, count, scratch);
        }
    }
}

void shoal_i_lanes_fill(const shoal_i_lanes *lanes, int32_t *out, size_t first, size_t count,
                        uint32_t *scratch)
{
    fill_rows(lanes, out, first, count, scratch, NULL);
}

typedef struct filling {
    const shoal_i_lanes *lanes;
    int32_t *rows;
    size_t row_count;
    int32_t **nodes; /* per column with a hierarchy and few values: those of each entry */
} filling;

static shoal_status fill_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    filling *f = payload;
    size_t first = index * CHUNK;
    size_t count = f->row_count - first < CHUNK ? f->row_count - first : CHUNK;
    uint32_t *scratch = NULL;

    SHOAL_ALLOC(ctx, scratch, count);
    fill_rows(f->lanes, f->rows + first * f->lanes->count, first, count, scratch, f->nodes);
done:
    free(scratch);
    return st;
}

/* Seek the nodes of an entry once, where many rows have it. */
static shoal_status list_nodes(shoal_ctx *ctx, filling *f)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_lanes *lanes = f->lanes;

    SHOAL_ALLOC(ctx, f->nodes, lanes->quasi->count);
    for (size_t c = 0; c < lanes->quasi->count; c++) {
        const shoal_i_quasi_column *column = &lanes->quasi->columns[c];
        size_t depths = lanes->first[c + 1] - lanes->first[c];

        if (!column->hierarchy || column->value_count > f->row_count / ROWS_PER_ENTRY) {
            continue;
        }
        SHOAL_ALLOC(ctx, f->nodes[c], depths * column->value_count);
        for (size_t i = 0; i < depths * column->value_count; i++) {
            uint32_t leaf = column->code_of_entry[i % column->value_count];
            int depth = (int)(i / column->value_count) + 1;

            f->nodes[c][i] =
                (int32_t)shoal_hierarchy_ancestor_at(column->hierarchy, leaf, depth);
        }
    }
done:
    return st;
}

shoal_status shoal_i_lanes_rows(shoal_ctx *ctx, int32_t **rows, const shoal_i_lanes *lanes)
{
    shoal_status st = SHOAL_OK;
    filling f = {.lanes = lanes, .row_count = shoal_table_row_count(lanes->quasi->table)};

    *rows = NULL;
    f.rows = shoal_i_alloc_aligned(ctx, f.row_count, lanes->count * sizeof *f.rows);
    if (!f.rows) {
        return SHOAL_ENOMEM;
    }
    SHOAL_TRY(list_nodes(ctx, &f));
    SHOAL_TRY(shoal_i_parallel_for(ctx, (f.row_count + CHUNK - 1) / CHUNK, fill_chunk, &f));
    *rows = f.rows;
    f.rows = NULL;
done:
    for (size_t c = 0; f.nodes && c < lanes->quasi->count; c++) {
        free(f.nodes[c]);
    }
    free(f.nodes);
    free(f.rows);
    return st;
}

void shoal_i_probe_set(shoal_i_probe *probe, const shoal_i_lanes *lanes, const int32_t *lo,
                       const int32_t *hi, const int32_t *member)
{
    int32_t *climb = probe->climb;

    probe->lo = lo;
    probe->hi = hi;
    for (size_t lane = 0; lane < lanes->count; lane += SHOAL_I_LANES_STEP) {
        memset(climb + lane, 0, SHOAL_I_LANES_STEP * sizeof *climb);
    }
    for (size_t i = 0; i < lanes->tree_count; i++) {
        const shoal_i_tree_lane *tree = &lanes->trees[i];
        int32_t node = member[tree->lane];
        bool repeated = tree->goes_on && member[tree->lane - 1] == node;

        climb[tree->lane] = repeated ? 0 : tree->climbs[node];
    }
}

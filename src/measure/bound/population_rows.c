#include "population_rows.h"

#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../../release/value.h"
#include "reach.h"

#include <math.h>
#include <string.h>

/* Records filled by one task. */
#define CHUNK 16384

typedef struct placing {
    const shoal_i_lanes *lanes;
    const shoal_i_quasi *population;
    size_t row_count;
    int32_t **of_codes; /* per column: the lanes of each code of the population */
    bool has_places;
    int32_t *rows;
} placing;

/* --- Numbers. ----------------------------------------------------------------------------- */

static int32_t place_number(const shoal_i_lanes *lanes, size_t c, double number)
{
    const shoal_i_quasi_column *column = &lanes->quasi->columns[c];
    double scale = column->weight / lanes->quasi->weight_sum * SHOAL_I_PENALTY_ONE;
    double middle = (column->lower[0] + column->upper[0]) / 2;
    double place = column->range > 0 ? (number - middle) / column->span : 0;
    int32_t top = shoal_i_reach_top(lanes, c);
    int32_t at = (int32_t)lrint(fmin(fmax(place, 0), 1) * scale);

    return at < top ? at : top;
}

static void place_numbers(const placing *p, size_t c)
{
    const shoal_i_quasi_column *column = &p->population->columns[c];
    uint32_t plain = column->value_count - (column->has_missing ? 1 : 0);

    for (uint32_t code = 0; code < plain; code++) {
        p->of_codes[c][code] = place_number(p->lanes, c, column->values[code]);
    }
    if (column->has_missing) {
        p->of_codes[c][plain] = shoal_i_reach_top(p->lanes, c);
    }
}

/* --- Categories. -------------------------------------------------------------------------- */

/* Whether a node that comes later stands below another. */
static bool is_below(const shoal_hierarchy *h, uint32_t node, uint32_t above)
{
    return shoal_hierarchy_first(h, node) >= shoal_hierarchy_first(h, above) &&
           shoal_hierarchy_last(h, node) <= shoal_hierarchy_last(h, above);
}

/* The deepest node that each code of the population falls into. */
static shoal_status find_deepest(shoal_ctx *ctx, placing *p, size_t c, uint32_t *deepest)
{
    shoal_status st = SHOAL_OK;
    const shoal_hierarchy *h = p->lanes->quasi->columns[c].hierarchy;
    size_t count = shoal_hierarchy_node_count(h);

    for (uint32_t node = 1; node < count; node++) {
        shoal_i_interval extent = {shoal_hierarchy_first(h, node),
                                   shoal_hierarchy_last(h, node)};
        shoal_i_interval there;

        SHOAL_TRY(
            shoal_i_value_read_in(ctx, &there, p->lanes->quasi, c, extent, p->population));
        for (uint32_t code = there.lo; there.lo <= there.hi && code <= there.hi; code++) {
            p->has_places = p->has_places && is_below(h, node, deepest[code]);
            deepest[code] = node;
        }
    }
done:
    return st;
}

static void fill_nodes(const placing *p, size_t c, int32_t *out, uint32_t node)
{
    const shoal_hierarchy *h = p->lanes->quasi->columns[c].hierarchy;
    int depths = (int)(p->lanes->first[c + 1] - p->lanes->first[c]);
    int deep =
        shoal_hierarchy_node_height(h, node) == 0 ? depths : shoal_hierarchy_depth(h, node);

    for (int depth = 1; depth <= deep; depth++) {
        out[depth - 1] =
            (int32_t)shoal_hierarchy_ancestor_at(h, shoal_hierarchy_first(h, node), depth);
    }
}

static shoal_status place_categories(shoal_ctx *ctx, placing *p, size_t c)
{
    shoal_status st = SHOAL_OK;
    size_t depths = p->lanes->first[c + 1] - p->lanes->first[c];
    uint32_t codes = p->population->columns[c].value_count;
    uint32_t *deepest = NULL;

    SHOAL_ALLOC(ctx, deepest, codes);
    SHOAL_TRY(find_deepest(ctx, p, c, deepest));
    for (uint32_t code = 0; code < codes; code++) {
        fill_nodes(p, c, p->of_codes[c] + code * depths, deepest[code]);
    }
done:
    free(deepest);
    return st;
}

/* --- Rows. -------------------------------------------------------------------------------- */

static shoal_status place_codes(shoal_ctx *ctx, placing *p)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_lanes *lanes = p->lanes;

    SHOAL_ALLOC(ctx, p->of_codes, lanes->quasi->count);
    for (size_t c = 0; c < lanes->quasi->count; c++) {
        size_t depths = lanes->first[c + 1] - lanes->first[c];

        SHOAL_ALLOC(ctx, p->of_codes[c], depths * p->population->columns[c].value_count);
        if (lanes->quasi->columns[c].hierarchy) {
            SHOAL_TRY(place_categories(ctx, p, c));
        } else {
            place_numbers(p, c);
        }
    }
done:
    return st;
}

static shoal_status fill_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    const placing *p = payload;
    const shoal_i_lanes *lanes = p->lanes;
    size_t first = index * CHUNK;
    size_t end = p->row_count - first < CHUNK ? p->row_count : first + CHUNK;

    memset(p->rows + first * lanes->count, 0, (end - first) * lanes->count * sizeof *p->rows);
    for (size_t row = first; row < end; row++) {
        for (size_t c = 0; c < lanes->quasi->count; c++) {
            size_t depths = lanes->first[c + 1] - lanes->first[c];
            uint32_t code = shoal_i_quasi_code(p->population, c, row);

            memcpy(p->rows + row * lanes->count + lanes->first[c],
                   p->of_codes[c] + code * depths, depths * sizeof *p->rows);
        }
    }
    return shoal_i_check_cancelled(ctx);
}

shoal_status shoal_i_population_rows(shoal_ctx *ctx, int32_t **rows, const shoal_i_lanes *lanes,
                                     const shoal_i_quasi *population)
{
    shoal_status st = SHOAL_OK;
    placing p = {.lanes = lanes,
                 .population = population,
                 .row_count = shoal_table_row_count(population->table),
                 .has_places = true};

    *rows = NULL;
    SHOAL_TRY(place_codes(ctx, &p));
    if (!p.has_places) {
        goto done;
    }
    p.rows = shoal_i_alloc_aligned(ctx, p.row_count, lanes->count * sizeof *p.rows);
    if (!p.rows) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    SHOAL_TRY(shoal_i_parallel_for(ctx, (p.row_count + CHUNK - 1) / CHUNK, fill_chunk, &p));
    *rows = p.rows;
    p.rows = NULL;
done:
    for (size_t c = 0; p.of_codes && c < lanes->quasi->count; c++) {
        free(p.of_codes[c]);
    }
    free(p.of_codes);
    free(p.rows);
    return st;
}

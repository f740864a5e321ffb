#include "incognito_levels.h"

#include "../../base/fail.h"
#include "../../base/sort.h"

#include <math.h>

/* Of a suppressed record; times the largest number of records it stays below 2^63. */
#define GCP_ONE 4294967296.0

static shoal_i_interval find_interval(const shoal_i_quasi_column *column, size_t level,
                                      uint32_t code)
{
    if (level == 0) {
        return column->hierarchy ? (shoal_i_interval){code, code}
                                 : shoal_i_quasi_close(column, code, code);
    }
    if (!column->hierarchy) {
        return shoal_i_quasi_all(column);
    }
    uint32_t node = shoal_hierarchy_ancestor_at(
        column->hierarchy, code, shoal_hierarchy_height(column->hierarchy) - (int)level);

    return (shoal_i_interval){shoal_hierarchy_first(column->hierarchy, node),
                              shoal_hierarchy_last(column->hierarchy, node)};
}

/* As the distortion ratio is measured: a node above a single value is that value. */
static uint64_t find_height(const shoal_i_quasi_column *column, shoal_i_interval interval)
{
    if (column->value_count <= 1 || shoal_i_quasi_is_exact(column, interval)) {
        return 0;
    }
    if (!column->hierarchy) {
        return 1;
    }
    return (uint64_t)shoal_hierarchy_node_height(
        column->hierarchy,
        shoal_hierarchy_ancestor(column->hierarchy, interval.lo, interval.hi));
}

static uint64_t find_cost(const shoal_i_quasi *quasi, size_t c, shoal_i_interval interval,
                          shoal_i_objective objective)
{
    const shoal_i_quasi_column *column = &quasi->columns[c];

    if (objective == SHOAL_I_OBJECTIVE_DISTORTION) {
        return find_height(column, interval);
    }
    double loss = shoal_i_quasi_loss(column, interval.lo, interval.hi);

    return (uint64_t)llround(column->weight / quasi->weight_sum * loss * GCP_ONE);
}

size_t shoal_i_levels_count(const shoal_i_quasi_column *column)
{
    if (column->hierarchy) {
        return (size_t)shoal_hierarchy_height(column->hierarchy) + 1;
    }
    return column->value_count > 1 ? 2 : 1;
}

static shoal_status build_column(shoal_ctx *ctx, shoal_i_level_column *out,
                                 const shoal_i_quasi *quasi, size_t c,
                                 shoal_i_objective objective)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi_column *column = &quasi->columns[c];
    size_t cells = 0;

    out->level_count = shoal_i_levels_count(column);
    out->value_count = column->value_count;
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, out->level_count, out->value_count));
    SHOAL_ALLOC(ctx, out->intervals, cells);
    SHOAL_ALLOC(ctx, out->costs, cells);
    SHOAL_ALLOC(ctx, out->totals, out->level_count);
    for (size_t i = 0; i < cells; i++) {
        out->intervals[i] =
            find_interval(column, i / out->value_count, (uint32_t)(i % out->value_count));
        out->costs[i] = find_cost(quasi, c, out->intervals[i], objective);
    }
    out->full_cost = find_cost(quasi, c, shoal_i_quasi_all(column), objective);
done:
    return st;
}

/* A column never lies across two words. */
static void lay_out_keys(shoal_i_levels *levels)
{
    unsigned used = 64;

    for (size_t c = 0; c < levels->count; c++) {
        shoal_i_level_column *column = &levels->columns[c];
        unsigned bits = shoal_i_sort_bits(column->value_count);

        bits = bits > 0 ? bits : 1;
        if (used + bits > 64) {
            levels->word_count++;
            used = 0;
        }
        column->word = levels->word_count - 1;
        column->shift = used;
        column->mask = ((uint64_t)1 << bits) - 1;
        used += bits;
    }
}

static void sum_costs(shoal_i_levels *levels, size_t row_count)
{
    for (size_t c = 0; c < levels->count; c++) {
        shoal_i_level_column *column = &levels->columns[c];

        for (size_t row = 0; row < row_count; row++) {
            uint32_t code = shoal_i_quasi_code(levels->quasi, c, row);

            for (size_t level = 0; level < column->level_count; level++) {
                column->totals[level] += column->costs[level * column->value_count + code];
            }
        }
    }
}

shoal_status shoal_i_levels_build(shoal_ctx *ctx, shoal_i_levels *out,
                                  const shoal_i_quasi *quasi, size_t row_count,
                                  shoal_i_objective objective)
{
    shoal_status st = SHOAL_OK;

    *out = (shoal_i_levels){.quasi = quasi, .count = quasi->count};
    SHOAL_ALLOC(ctx, out->columns, quasi->count);
    for (size_t c = 0; c < quasi->count; c++) {
        SHOAL_TRY(build_column(ctx, &out->columns[c], quasi, c, objective));
    }
    lay_out_keys(out);
    sum_costs(out, row_count);
done:
    if (st != SHOAL_OK) {
        shoal_i_levels_clear(out);
    }
    return st;
}

void shoal_i_levels_clear(shoal_i_levels *levels)
{
    for (size_t c = 0; levels->columns && c < levels->count; c++) {
        free(levels->columns[c].intervals);
        free(levels->columns[c].costs);
        free(levels->columns[c].totals);
    }
    free(levels->columns);
    *levels = (shoal_i_levels){0};
}

uint64_t shoal_i_levels_gain(const shoal_i_levels *levels, const uint8_t *node,
                             const uint64_t *key)
{
    uint64_t gain = 0;

    for (size_t c = 0; c < levels->count; c++) {
        const shoal_i_level_column *column = &levels->columns[c];
        uint32_t code = shoal_i_level_code(column, key);

        gain += column->full_cost - column->costs[(node[c] - 1u) * column->value_count + code];
    }
    return gain;
}

uint64_t shoal_i_levels_total(const shoal_i_levels *levels, const uint8_t *node)
{
    uint64_t total = 0;

    for (size_t c = 0; c < levels->count; c++) {
        total += levels->columns[c].totals[node[c] - 1u];
    }
    return total;
}

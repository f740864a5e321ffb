#include "quasi.h"

#include "../base/fail.h"

#include <assert.h>
#include <math.h>

static shoal_status check_request(shoal_ctx *ctx, const shoal_table *table,
                                  const shoal_i_quasi_request *request)
{
    const char *name = shoal_table_name(table, request->column);

    if (!isfinite(request->weight) || request->weight < 0) {
        return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)request->column,
                               "The weight of column '%s' must be a number of at least 0.",
                               name);
    }
    if (!request->hierarchy && shoal_table_type(table, request->column) == SHOAL_TYPE_STRING) {
        return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)request->column,
                               "Column '%s' holds text and needs a hierarchy.", name);
    }
    return SHOAL_OK;
}

/* A numeric column keeps the order of the dictionary, which is that of its values. */
static shoal_status build_numeric(shoal_ctx *ctx, shoal_i_quasi_column *column,
                                  const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    size_t count = shoal_table_value_count(table, column->column);

    SHOAL_ALLOC(ctx, column->values, count);
    for (size_t code = 0; code < count; code++) {
        column->values[code] = shoal_table_number(table, column->column, (uint32_t)code);
    }
    for (uint32_t code = 0; code < column->value_count; code++) {
        column->code_of_entry[code] = code;
    }
    column->has_missing = column->value_count > count;
    column->range = count > 0 ? column->values[count - 1] - column->values[0] : 0;
    column->span = column->range;
    column->lower = column->values;
    column->upper = column->values;
    if (isinf(column->range)) {
        st = shoal_i_fail(
            ctx, SHOAL_ELIMIT,
            "The numbers of column \"%s\" are too far apart: what they lose is "
            "measured by their range, which must be below 1.8e308. Give the column "
            "a hierarchy.",
            column->name);
    }
done:
    return st;
}

/* The cell of each value, which is published where the value stands alone. */
static shoal_status find_cell_ends(shoal_ctx *ctx, shoal_i_quasi_column *column, bool is_date,
                                   size_t count)
{
    shoal_status st = SHOAL_OK;

    column->lower = NULL;
    column->upper = NULL;
    SHOAL_ALLOC(ctx, column->lower, count);
    SHOAL_ALLOC(ctx, column->upper, count);
    for (size_t code = 0; code < count; code++) {
        if (!shoal_i_grid_cell(&column->grid, is_date, column->values[code],
                               &column->lower[code], &column->upper[code])) {
            SHOAL_TRY(shoal_i_fail_at(
                ctx, SHOAL_ELIMIT, -1, (int64_t)column->column,
                "The grid of column \"%.200s\" is too fine for its numbers: multiples are "
                "exact "
                "up to 9007199254740992 of the last digit of the step. Give it a coarser one, "
                "or none.",
                column->name));
        }
    }
done:
    return st;
}

/* Which codes lie in the cell of each. Both ends ascend, and so do the codes there. */
static shoal_status find_cells(shoal_ctx *ctx, shoal_i_quasi_column *column, uint32_t count)
{
    shoal_status st = SHOAL_OK;
    uint32_t first = 0;
    uint32_t last = 0;

    SHOAL_ALLOC(ctx, column->cells, column->value_count);
    for (uint32_t code = 0; code < count; code++) {
        while (column->values[first] < column->lower[code]) {
            first++;
        }
        while (last + 1 < count && column->values[last + 1] <= column->upper[code]) {
            last++;
        }
        column->cells[code] = (shoal_i_interval){first, last};
    }
    if (column->has_missing) {
        column->cells[count] = (shoal_i_interval){count, count};
    }
done:
    return st;
}

static shoal_status lay_grid(shoal_ctx *ctx, shoal_i_quasi_column *column, bool is_date)
{
    shoal_status st = SHOAL_OK;
    uint32_t count = column->value_count - (column->has_missing ? 1 : 0);

    SHOAL_TRY(find_cell_ends(ctx, column, is_date, count));
    SHOAL_TRY(find_cells(ctx, column, count));
    if (count > 0) {
        column->span = fmax(column->range, column->upper[count - 1] - column->lower[0]);
    }
done:
    return st;
}

static shoal_status build_column(shoal_ctx *ctx, shoal_i_quasi_column *column,
                                 const shoal_table *table, const shoal_i_quasi_request *request)
{
    shoal_status st = SHOAL_OK;
    size_t missing = shoal_table_missing_count(table, request->column) > 0;

    SHOAL_TRY(check_request(ctx, table, request));
    column->column = request->column;
    column->name = shoal_table_name(table, request->column);
    column->weight = request->weight;
    column->hierarchy = request->hierarchy;
    column->entries = shoal_i_table_codes(table, request->column);
    column->value_count = (uint32_t)(shoal_table_value_count(table, request->column) + missing);
    SHOAL_ALLOC(ctx, column->code_of_entry, column->value_count);
    if (!column->hierarchy) {
        SHOAL_TRY(build_numeric(ctx, column, table));
        column->grid = request->grid;
        if (shoal_i_grid_is_set(&column->grid)) {
            bool is_date = shoal_table_type(table, request->column) == SHOAL_TYPE_DATE;

            assert(shoal_i_grid_fits(&column->grid, is_date));
            SHOAL_TRY(lay_grid(ctx, column, is_date));
        }
    } else {
        assert(shoal_hierarchy_leaf_count(column->hierarchy) == column->value_count);
        for (uint32_t entry = 0; entry < column->value_count; entry++) {
            column->code_of_entry[entry] = shoal_hierarchy_leaf(column->hierarchy, entry);
        }
    }
done:
    return st;
}

shoal_status shoal_i_quasi_build(shoal_ctx *ctx, shoal_i_quasi **out, const shoal_table *table,
                                 const shoal_i_quasi_request *requests, size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_quasi *quasi = NULL;

    *out = NULL;
    if (count == 0) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "No column is a quasi-identifier; name at least one.");
    }
    SHOAL_ALLOC(ctx, quasi, 1);
    quasi->table = table;
    SHOAL_ALLOC(ctx, quasi->columns, count);
    quasi->count = count;
    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(build_column(ctx, &quasi->columns[i], table, &requests[i]));
        quasi->weight_sum += requests[i].weight;
    }
    if (!(quasi->weight_sum > 0)) {
        SHOAL_TRY(
            shoal_i_fail(ctx, SHOAL_EINVAL,
                         "All quasi-identifiers have weight 0; give at least one a weight."));
    }
    *out = quasi;
    quasi = NULL;
done:
    shoal_i_quasi_free(quasi);
    return st;
}

void shoal_i_quasi_free(shoal_i_quasi *quasi)
{
    if (!quasi) {
        return;
    }
    for (size_t i = 0; quasi->columns && i < quasi->count; i++) {
        shoal_i_quasi_column *column = &quasi->columns[i];

        if (column->lower != column->values) {
            free(column->lower);
        }
        if (column->upper != column->values) {
            free(column->upper);
        }
        free(column->cells);
        free(column->values);
        free(column->code_of_entry);
    }
    free(quasi->columns);
    free(quasi);
}

/* Whether an interval of a numeric column joins the missing value with others. */
static bool joins_missing(const shoal_i_quasi_column *column, uint32_t lo, uint32_t hi)
{
    return column->has_missing && hi == column->value_count - 1 && lo < hi;
}

shoal_i_interval shoal_i_quasi_close(const shoal_i_quasi_column *column, uint32_t lo,
                                     uint32_t hi)
{
    if (column->hierarchy) {
        uint32_t node = shoal_hierarchy_ancestor(column->hierarchy, lo, hi);

        return (shoal_i_interval){shoal_hierarchy_first(column->hierarchy, node),
                                  shoal_hierarchy_last(column->hierarchy, node)};
    }
    if (joins_missing(column, lo, hi)) {
        return shoal_i_quasi_all(column);
    }
    if (column->cells) {
        return (shoal_i_interval){column->cells[lo].lo, column->cells[hi].hi};
    }
    return (shoal_i_interval){lo, hi};
}

/* With a grid; missing is not joined with values. */
static double find_published_loss(const shoal_i_quasi_column *column, uint32_t lo, uint32_t hi)
{
    bool is_missing = column->has_missing && lo == column->value_count - 1;

    if (is_missing || column->range <= 0) {
        return 0;
    }
    return fmin(1, (column->upper[hi] - column->lower[lo]) / column->range);
}

double shoal_i_quasi_loss(const shoal_i_quasi_column *column, uint32_t lo, uint32_t hi)
{
    if (lo == hi) {
        return column->cells ? find_published_loss(column, lo, hi) : 0;
    }
    if (column->hierarchy) {
        return shoal_hierarchy_loss(column->hierarchy,
                                    shoal_hierarchy_ancestor(column->hierarchy, lo, hi));
    }
    if (joins_missing(column, lo, hi)) {
        return 1;
    }
    return column->cells ? find_published_loss(column, lo, hi)
                         : (column->values[hi] - column->values[lo]) / column->range;
}

double shoal_i_quasi_place(const shoal_i_quasi_column *column, uint32_t code)
{
    if (column->range <= 0) {
        return 0;
    }
    if (!column->cells) {
        return (column->values[code] - column->values[0]) / column->range;
    }
    double below = column->lower[code] - column->lower[0];
    double above = column->upper[code] - column->upper[0];

    return (below + above) / 2 / column->span;
}

double shoal_i_quasi_spread(const shoal_i_quasi_column *column, uint32_t lo, uint32_t hi)
{
    if (!column->cells || lo == hi || joins_missing(column, lo, hi)) {
        return column->cells && lo == hi ? 0 : shoal_i_quasi_loss(column, lo, hi);
    }
    return shoal_i_quasi_place(column, hi) - shoal_i_quasi_place(column, lo);
}

shoal_i_interval shoal_i_quasi_all(const shoal_i_quasi_column *column)
{
    return (shoal_i_interval){0, column->value_count - 1};
}

#include "fields.h"

#include "../base/buffer.h"
#include "buckets.h"
#include "row_order.h"

/* --- Columns. --------------------------------------------------------------------------- */

void shoal_i_fields_clear(shoal_i_fields *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        free(fields->items[i].name);
    }
    free(fields->items);
    free(fields->plain);
    *fields = (shoal_i_fields){0};
}

static const char *find_suffix(shoal_i_cells_part part)
{
    return part == SHOAL_I_CELLS_MIN ? "_min" : part == SHOAL_I_CELLS_MAX ? "_max" : "";
}

static shoal_status add_field(shoal_ctx *ctx, shoal_i_fields *fields, const shoal_table *table,
                              size_t column, size_t c, shoal_i_cells_part part)
{
    shoal_i_field *field = &fields->items[fields->count];
    shoal_i_buffer name;

    *field = (shoal_i_field){.column = column, .c = c, .part = part};
    shoal_i_buffer_init(&name, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_text(&name, shoal_table_name(table, column));
    shoal_i_buffer_text(&name, find_suffix(part));
    fields->count++;
    return shoal_i_buffer_take(&field->name, &name);
}

static shoal_status add_quasi_fields(shoal_ctx *ctx, shoal_i_fields *fields,
                                     const shoal_i_release *release,
                                     shoal_i_numeric_form numeric, size_t c)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = release->quasi->table;
    size_t column = release->quasi->columns[c].column;

    if (release->quasi->columns[c].hierarchy || numeric == SHOAL_I_NUMERIC_RANGE ||
        release->shape == SHOAL_I_SHAPE_BUCKETS) {
        SHOAL_TRY(add_field(ctx, fields, table, column, c, SHOAL_I_CELLS_VALUE));
    } else if (numeric == SHOAL_I_NUMERIC_MINMAX) {
        SHOAL_TRY(add_field(ctx, fields, table, column, c, SHOAL_I_CELLS_MIN));
        SHOAL_TRY(add_field(ctx, fields, table, column, c, SHOAL_I_CELLS_MAX));
    } else {
        SHOAL_TRY(add_field(ctx, fields, table, column, c,
                            numeric == SHOAL_I_NUMERIC_MEAN ? SHOAL_I_CELLS_MEAN
                                                            : SHOAL_I_CELLS_MEDIAN));
    }
done:
    return st;
}

/* A column that is released as it is. Whatever has the role of a quasi-identifier never is. */
static shoal_status add_plain_field(shoal_ctx *ctx, shoal_i_fields *fields,
                                    const shoal_table *table, const shoal_role *roles,
                                    size_t column)
{
    if (roles[column] == SHOAL_ROLE_QUASI) {
        return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)column,
                               "Column '%s' has the role of a quasi-identifier, but was not "
                               "generalized.",
                               shoal_table_name(table, column));
    }
    fields->plain[fields->plain_count++] = column;
    return add_field(ctx, fields, table, column, SHOAL_I_FIELD_NOT_QUASI, SHOAL_I_CELLS_VALUE);
}

/* Identifiers are never released, sensitive columns not beside the records of buckets. */
static bool is_left_out(const shoal_i_release *release, shoal_role role, size_t column)
{
    return role == SHOAL_ROLE_IDENTIFIER || role == SHOAL_ROLE_PERSON ||
           shoal_table_is_skipped(release->quasi->table, column) ||
           (release->shape == SHOAL_I_SHAPE_BUCKETS && role == SHOAL_ROLE_SENSITIVE);
}

/* NAME_min and NAME_max must be new names. */
static shoal_status check_names(shoal_ctx *ctx, const shoal_i_fields *fields,
                                const shoal_table *table)
{
    for (size_t i = 0; i < fields->count; i++) {
        const shoal_i_field *field = &fields->items[i];
        ptrdiff_t same = shoal_table_find(table, field->name);

        if (field->part != SHOAL_I_CELLS_MIN && field->part != SHOAL_I_CELLS_MAX) {
            continue;
        }
        for (size_t j = 0; same >= 0 && j < fields->count; j++) {
            if (fields->items[j].column == (size_t)same) {
                return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)same,
                                       "Released by minimum and maximum, column '%s' would get "
                                       "a second column '%s'; choose another numeric form.",
                                       shoal_table_name(table, field->column), field->name);
            }
        }
    }
    return SHOAL_OK;
}

/* The rows of a box are those that happened to get it: their mean would tell of the records
 * whose rows they are, and so would their order. */
static shoal_status check_shape(shoal_ctx *ctx, const shoal_i_release *release,
                                const shoal_i_layout *layout)
{
    if (release->shape != SHOAL_I_SHAPE_RECORDS) {
        return SHOAL_OK;
    }
    if (layout->numeric == SHOAL_I_NUMERIC_MEAN || layout->numeric == SHOAL_I_NUMERIC_MEDIAN) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "A release with a box per record has no classes whose mean or "
                            "median could be written; choose range or minmax.");
    }
    if (layout->keep_order) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "A release with a box per record cannot keep the order of the "
                            "input: its rows are not those of single records.");
    }
    return SHOAL_OK;
}

/* Buckets: the number comes first. */
static shoal_status add_bucket_field(shoal_ctx *ctx, shoal_i_fields *fields,
                                     const shoal_table *table)
{
    shoal_i_field *field = &fields->items[fields->count++];

    *field = (shoal_i_field){.column = SHOAL_I_FIELD_BUCKET, .c = SHOAL_I_FIELD_NOT_QUASI};
    return shoal_i_bucket_name(ctx, &field->name, table);
}

static shoal_status add_fields(shoal_ctx *ctx, shoal_i_fields *fields,
                               const shoal_i_release *release, const shoal_i_layout *layout)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = release->quasi;
    size_t columns = shoal_table_column_count(quasi->table);
    size_t *quasi_of = NULL; /* quasi column of each column, plus one; 0: it is none */

    SHOAL_ALLOC(ctx, quasi_of, columns);
    for (size_t c = 0; c < quasi->count; c++) {
        quasi_of[quasi->columns[c].column] = c + 1;
    }
    for (size_t column = 0; column < columns; column++) {
        if (is_left_out(release, layout->roles[column], column)) {
            continue;
        }
        if (quasi_of[column] > 0) {
            SHOAL_TRY(
                add_quasi_fields(ctx, fields, release, layout->numeric, quasi_of[column] - 1));
        } else {
            SHOAL_TRY(add_plain_field(ctx, fields, quasi->table, layout->roles, column));
        }
    }
done:
    free(quasi_of);
    return st;
}

shoal_status shoal_i_fields_plan(shoal_ctx *ctx, shoal_i_fields *out,
                                 const shoal_i_release *release, const shoal_i_layout *layout)
{
    shoal_status st = SHOAL_OK;
    size_t columns = shoal_table_column_count(release->quasi->table);

    SHOAL_TRY(check_shape(ctx, release, layout));
    SHOAL_ALLOC(ctx, out->items, 2 * columns + 1);
    SHOAL_ALLOC(ctx, out->plain, columns);
    if (release->shape == SHOAL_I_SHAPE_BUCKETS) {
        SHOAL_TRY(add_bucket_field(ctx, out, release->quasi->table));
    }
    SHOAL_TRY(add_fields(ctx, out, release, layout));
    SHOAL_TRY(check_names(ctx, out, release->quasi->table));
done:
    return st;
}

/* --- Rows. ------------------------------------------------------------------------------ */

void shoal_i_line_order_clear(shoal_i_line_order *order)
{
    if (order->rows != order->lines) {
        free(order->rows);
    }
    free(order->lines);
    free(order->starts);
    *order = (shoal_i_line_order){0};
}

static shoal_status keep_order(shoal_ctx *ctx, shoal_i_line_order *out,
                               const shoal_i_release *release, const shoal_i_layout *layout)
{
    shoal_status st = SHOAL_OK;

    for (size_t row = 0; row < release->row_count; row++) {
        out->lines[row] = (uint32_t)row;
    }
    if (layout->numeric == SHOAL_I_NUMERIC_MEAN || layout->numeric == SHOAL_I_NUMERIC_MEDIAN) {
        SHOAL_ALLOC(ctx, out->rows, release->row_count);
        SHOAL_ALLOC(ctx, out->starts, release->box_count + 1);
        shoal_i_row_order_group(out->rows, out->starts, release);
    }
done:
    return st;
}

/* Classes that look alike are one run of lines: in two, which is which could be read from the
 * order. Means and medians still need the rows of each box. */
static shoal_status order_by_looks(shoal_ctx *ctx, shoal_i_line_order *out,
                                   const shoal_i_release *release, const shoal_i_fields *fields)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release seen = *release;
    uint32_t *starts = NULL;

    seen.box_count = release->look_count;
    seen.box_of = NULL;
    seen.box_sizes = NULL;
    SHOAL_ALLOC(ctx, seen.box_of, release->row_count);
    SHOAL_ALLOC(ctx, seen.box_sizes, seen.box_count);
    SHOAL_ALLOC(ctx, starts, seen.box_count + 1);
    for (size_t row = 0; row < release->row_count; row++) {
        seen.box_of[row] = release->look_of[release->box_of[row]];
        seen.box_sizes[seen.box_of[row]]++;
    }
    shoal_i_row_order_group(out->lines, starts, &seen);
    SHOAL_TRY(shoal_i_row_order_sort(ctx, out->lines, starts, &seen, fields->plain,
                                     fields->plain_count));
    SHOAL_ALLOC(ctx, out->rows, release->row_count);
    SHOAL_ALLOC(ctx, out->starts, release->box_count + 1);
    shoal_i_row_order_group(out->rows, out->starts, release);
done:
    free(seen.box_of);
    free(seen.box_sizes);
    free(starts);
    return st;
}

shoal_status shoal_i_line_order_find(shoal_ctx *ctx, shoal_i_line_order *out,
                                     const shoal_i_release *release,
                                     const shoal_i_layout *layout, const shoal_i_fields *fields)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, out->lines, release->row_count);
    if (layout->keep_order) {
        return keep_order(ctx, out, release, layout);
    }
    if (release->look_of) {
        return order_by_looks(ctx, out, release, fields);
    }
    out->rows = out->lines;
    SHOAL_ALLOC(ctx, out->starts, release->box_count + 1);
    shoal_i_row_order_group(out->rows, out->starts, release);
    SHOAL_TRY(shoal_i_row_order_sort(ctx, out->rows, out->starts, release, fields->plain,
                                     fields->plain_count));
    if (release->shape == SHOAL_I_SHAPE_BUCKETS) {
        SHOAL_TRY(shoal_i_buckets_group(ctx, out->lines, release));
    }
done:
    return st;
}

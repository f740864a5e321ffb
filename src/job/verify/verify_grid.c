#include "verify_grid.h"

#include "../../release/value.h"

#include <math.h>
#include <stdio.h>

/* A column of the release, NAME or one of NAME_min and NAME_max. */
typedef struct shown_column {
    const shoal_table *file;
    size_t column;
    const shoal_i_spec_column *asked;
    const shoal_spec *spec;
} shown_column;

/* A token of the original for missing values, which a class of such keeps. */
static bool is_token(const shoal_spec *spec, const char *text)
{
    for (size_t i = 0; i < spec->missing_token_count; i++) {
        if (strcmp(spec->missing_tokens[i], text) == 0) {
            return true;
        }
    }
    return false;
}

/* What says nothing about ends: everything, or nothing. */
static bool is_silent(const shown_column *shown, const char *text, size_t length)
{
    return length == 0 || (length == 1 && (text[0] == '*' || text[0] == '?')) ||
           strcmp(text, SHOAL_I_VALUE_MISSING) == 0 || is_token(shown->spec, text);
}

static bool reads_as(const shown_column *shown, shoal_type type)
{
    size_t count = shoal_table_value_count(shown->file, shown->column);
    bool reads = true;

    for (uint32_t code = 0; reads && code < count; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(shown->file, shown->column, code, &length);
        shoal_i_range range;

        reads =
            is_silent(shown, text, length) || shoal_i_range_read(&range, type, text, length);
    }
    return reads;
}

static shoal_type find_type(const shown_column *shown)
{
    if (shown->asked->type != SHOAL_TYPE_AUTO) {
        return shown->asked->type;
    }
    return reads_as(shown, SHOAL_TYPE_REAL)   ? SHOAL_TYPE_REAL
           : reads_as(shown, SHOAL_TYPE_DATE) ? SHOAL_TYPE_DATE
                                              : SHOAL_TYPE_STRING;
}

static bool is_end(const shoal_i_grid *grid, shoal_type type, double end)
{
    return !isfinite(end) || shoal_i_grid_is_end(grid, type == SHOAL_TYPE_DATE, end);
}

static bool is_on_grid(const shown_column *shown, const shoal_i_grid *grid, shoal_type type,
                       const char *text, size_t length)
{
    shoal_i_range range;

    return is_silent(shown, text, length) ||
           (shoal_i_range_read(&range, type, text, length) && is_end(grid, type, range.lo) &&
            is_end(grid, type, range.hi));
}

static shoal_status reject(shoal_ctx *ctx, const shown_column *shown, uint32_t code)
{
    size_t row = 0;

    while (shoal_table_code(shown->file, shown->column, row) != code) {
        row++;
    }
    shoal_i_fail_at(ctx, SHOAL_EREJECTED, (int64_t)row, (int64_t)shown->column,
                    "Column \"%.200s\" has a grid, and record %zu of the release does not hold "
                    "a range there that ends on multiples of its step.",
                    shoal_table_name(shown->file, shown->column), row + 1);
    return shoal_i_fail_in(ctx, shoal_table_source(shown->file),
                           shoal_table_line(shown->file, row), 0);
}

static shoal_status check_column(shoal_ctx *ctx, const shoal_spec *spec,
                                 const shown_column *shown)
{
    shoal_type type = find_type(shown);
    bool is_own = shoal_i_grid_is_set(&shown->asked->grid);
    shoal_i_grid grid = shoal_i_spec_grid(
        spec, shown->asked, is_own && type == SHOAL_TYPE_STRING ? SHOAL_TYPE_REAL : type);
    size_t count = shoal_table_value_count(shown->file, shown->column);

    for (uint32_t code = 0; shoal_i_grid_is_set(&grid) && code < count; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(shown->file, shown->column, code, &length);

        if (!is_on_grid(shown, &grid, type, text, length)) {
            return reject(ctx, shown, code);
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_i_verify_grids(shoal_ctx *ctx, const shoal_spec *spec,
                                  const shoal_table *file)
{
    static const char *const endings[] = {"", "_min", "_max"};
    shoal_status st = SHOAL_OK;
    char name[SHOAL_MESSAGE_MAX];

    for (size_t i = 0; shoal_i_spec_has_grid(spec) && i < spec->column_count; i++) {
        const shoal_i_spec_column *asked = &spec->columns[i];

        for (size_t e = 0; asked->has_role && asked->role == SHOAL_ROLE_QUASI && e < 3; e++) {
            snprintf(name, sizeof name, "%s%s", asked->name, endings[e]);
            ptrdiff_t column = shoal_table_find(file, name);

            if (column >= 0) {
                SHOAL_TRY(check_column(ctx, spec,
                                       &(shown_column){file, (size_t)column, asked, spec}));
            }
        }
    }
done:
    return st;
}

#include "verify_header.h"

#include "../../base/warnings.h"
#include "../input/columns.h"

#include <stdlib.h>

/* By the spec alone: what it does with columns without a role is another question. */
static bool is_withheld(const shoal_spec *spec, const char *name)
{
    const shoal_i_spec_column *column = shoal_i_spec_find_column(spec, name);

    return column && column->has_role &&
           (column->role == SHOAL_ROLE_IDENTIFIER || column->role == SHOAL_ROLE_PERSON);
}

/* Whether it is what the spec calls by another name: NAME_min, the number of a bucket. */
static bool is_of_form(const shoal_i_received *received, size_t column)
{
    for (size_t i = 0; i < received->column_count; i++) {
        if (received->columns[i] == column) {
            return true;
        }
    }
    return received->shape == SHOAL_I_SHAPE_BUCKETS && received->bucket_column == column;
}

shoal_status shoal_i_verify_header(shoal_ctx *ctx, shoal_i_withheld *out,
                                   const shoal_spec *spec, const shoal_i_received *received)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = received->table;
    size_t columns = shoal_table_column_count(table);

    SHOAL_ALLOC(ctx, out->names, columns);
    for (size_t i = 0; i < columns; i++) {
        const char *name = shoal_table_name(table, i);

        if (is_of_form(received, i)) {
            continue;
        }
        if (is_withheld(spec, name)) {
            out->names[out->count++] = name;
        } else if (!spec->releases_rest && shoal_i_spec_is_undecided(spec, name)) {
            SHOAL_TRY(shoal_i_warn(
                ctx, SHOAL_I_WARN_UNKNOWN, name,
                "The release has a column \"%.200s\" that nobody decided on: give it its role, "
                "or say that the rest is released: `rest: release`.",
                name));
        }
    }
done:
    return st;
}

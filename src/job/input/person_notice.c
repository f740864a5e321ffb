#include "person_notice.h"

#include "../../base/warnings.h"
#include "../../table/table_part.h"
#include "column_names.h"

#include <string.h>

static bool holds_k(const shoal_spec *spec, const char *name)
{
    return spec->k_column && strcmp(spec->k_column, name) == 0;
}

/* Whether it may be the number of a person that nobody calls one. */
static bool is_candidate(const shoal_i_prepared *prepared, const shoal_spec *spec,
                         size_t column)
{
    shoal_role role = prepared->roles[column];

    return (role == SHOAL_ROLE_IDENTIFIER || role == SHOAL_ROLE_INSENSITIVE) &&
           !shoal_table_is_skipped(prepared->table, column) &&
           !holds_k(spec, shoal_table_name(prepared->table, column));
}

static shoal_status warn_repeated(shoal_ctx *ctx, const char *name, size_t distinct,
                                  size_t records)
{
    return shoal_i_warn(
        ctx, SHOAL_I_WARN_REPEATED, name,
        "The column \"%.200s\" looks like the number of a person, and it comes back (%zu "
        "different values in %zu records): a class of many records may be one person's, and "
        "records are counted. If it tells whose record it is, give it the role person.",
        name, distinct, records);
}

shoal_status shoal_i_notice_person(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                   const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_table *table = prepared->table;
    size_t records = shoal_table_row_count(table);
    bool is_told = shoal_i_spec_person(spec) != NULL;

    for (size_t i = 0; i < prepared->column_count; i++) {
        const char *name = shoal_table_name(table, i);

        if (!is_candidate(prepared, spec, i)) {
            continue;
        }
        if (!is_told && shoal_i_seems_person(name, shoal_table_value_count(table, i),
                                             shoal_table_missing_count(table, i), records)) {
            SHOAL_TRY(warn_repeated(ctx, name, shoal_table_value_count(table, i), records));
            is_told = true;
        }
        if (prepared->roles[i] == SHOAL_ROLE_IDENTIFIER) {
            shoal_i_table_forget(table, i);
        }
    }
done:
    return st;
}

#include "warn_release.h"

#include "../../base/warnings.h"
#include "columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A column that is the same everywhere tells nothing of a class. */
static bool can_tell(const shoal_i_prepared *prepared, size_t column)
{
    const shoal_table *table = prepared->table;

    return prepared->roles[column] == SHOAL_ROLE_SENSITIVE &&
           !shoal_table_is_skipped(table, column) &&
           shoal_table_value_count(table, column) +
                   (shoal_table_missing_count(table, column) > 0) >
               1;
}

shoal_status shoal_i_warn_release_begin(shoal_ctx *ctx, shoal_i_exposed *out,
                                        const shoal_spec *spec,
                                        const shoal_i_prepared *prepared)
{
    shoal_status st = SHOAL_OK;
    size_t *sensitive = NULL;
    size_t count = 0;

    SHOAL_ALLOC(ctx, sensitive, prepared->column_count);
    for (size_t i = 0; i < prepared->column_count; i++) {
        if (can_tell(prepared, i)) {
            sensitive[count++] = i;
        }
    }
    SHOAL_TRY(shoal_i_exposed_init(ctx, out, prepared->quasi, sensitive, count,
                                   spec->numeric == SHOAL_I_NUMERIC_RANGE ||
                                       spec->numeric == SHOAL_I_NUMERIC_MINMAX));
    for (size_t j = 0; j < count; j++) {
        const shoal_table *table = prepared->table;
        shoal_i_sameness same =
            shoal_i_column_sameness(spec, shoal_table_name(table, sensitive[j]));
        shoal_i_same_values values = {0};

        SHOAL_TRY(
            shoal_i_same_values_find(ctx, &values, &out->arena, table, sensitive[j], &same));
        out->singles[j].value_of = values.value_of;
    }
done:
    free(sensitive);
    return st;
}

static shoal_status warn_single(shoal_ctx *ctx, const char *name,
                                const shoal_i_single_value *single, uint64_t classes,
                                shoal_i_shape shape)
{
    bool is_bucket = shape == SHOAL_I_SHAPE_BUCKETS;
    char persons[60] = "";

    if (single->classes == 0) {
        return SHOAL_OK;
    }
    if (single->persons > 0) {
        snprintf(persons, sizeof persons, " of %" PRIu64 " person%s", single->persons,
                 single->persons == 1 ? "" : "s");
    }
    return shoal_i_warn(ctx, SHOAL_I_WARN_SINGLE, name,
                        "In %" PRIu64 " of %" PRIu64
                        " %s all records have the same value in the column \"%.200s\", with "
                        "%" PRIu64 " record%s%s: whoever knows that somebody is in such a %s "
                        "knows the value. To forbid it, ask for diversity: `privacy.l`.",
                        single->classes, classes, is_bucket ? "buckets" : "classes", name,
                        single->records, single->records == 1 ? "" : "s", persons,
                        is_bucket ? "bucket" : "class");
}

/* Most values are one record's alone, and some of those can be read off the release. */
static shoal_status warn_ends(shoal_ctx *ctx, const char *name, const shoal_i_range_ends *ends,
                              const char *whose)
{
    if (!ends->is_looked_at || 2 * ends->alone <= ends->values || ends->shown == 0) {
        return SHOAL_OK;
    }
    return shoal_i_warn(ctx, SHOAL_I_WARN_ENDS, name,
                        "In the column \"%.200s\" most values are of one %s alone "
                        "(%" PRIu64 " of %" PRIu64 "), and %" PRIu64
                        " of these are the ends of released ranges, where they can be read. "
                        "To round the ends, give the column a grid: `grid`.",
                        name, whose, ends->alone, ends->values, ends->shown);
}

shoal_status shoal_i_warn_release_end(shoal_ctx *ctx, shoal_i_exposed *exposed,
                                      const shoal_i_prepared *prepared, shoal_i_shape shape)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = prepared->quasi;
    bool are_many = shoal_table_row_count(prepared->table) >= SHOAL_I_WARN_RECORDS_MIN;

    shoal_i_exposed_end(exposed, quasi);
    for (size_t c = 0; are_many && c < exposed->quasi_count; c++) {
        SHOAL_TRY(warn_ends(ctx, quasi->columns[c].name, &exposed->ends[c],
                            exposed->person_of ? "person" : "record"));
    }
    for (size_t j = 0; j < exposed->sensitive_count; j++) {
        const char *name = shoal_table_name(prepared->table, exposed->singles[j].column);

        SHOAL_TRY(warn_single(ctx, name, &exposed->singles[j], exposed->classes, shape));
    }
done:
    return st;
}

shoal_status shoal_i_warn_release(shoal_ctx *ctx, const shoal_spec *spec,
                                  const shoal_i_prepared *prepared,
                                  const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    shoal_i_exposed exposed = {0};

    SHOAL_TRY(shoal_i_warn_release_begin(ctx, &exposed, spec, prepared));
    exposed.person_of = prepared->persons.of;
    exposed.person_count = prepared->persons.count;
    SHOAL_TRY(shoal_i_exposed_add(ctx, &exposed, release, SHOAL_I_WHOLE));
    SHOAL_TRY(shoal_i_warn_release_end(ctx, &exposed, prepared, release->shape));
done:
    shoal_i_exposed_clear(&exposed);
    return st;
}

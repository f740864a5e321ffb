/* The hierarchy of one column of a file. */
#include <shoal/job.h>

#include "../input/columns.h"
#include "../input/run.h"

#include <string.h>

/* As in a run, but only the one column is read. */
static shoal_status configure_column(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                                     size_t count)
{
    const shoal_i_reading *reading = payload;
    const shoal_i_spec_column *asked = shoal_i_spec_find_column(reading->spec, reading->column);
    shoal_status st = shoal_i_configure_original(ctx, payload, columns, count);

    for (size_t i = 0; st == SHOAL_OK && i < count; i++) {
        columns[i].skip = strcmp(columns[i].name, reading->column) != 0;
        if (!columns[i].skip) {
            columns[i].type = shoal_i_column_type(asked);
            columns[i].detect_missing = true;
        }
    }
    return st;
}

static shoal_status build(shoal_ctx *ctx, shoal_hierarchy **out, const shoal_spec *spec,
                          const shoal_table *table, const char *name)
{
    const shoal_i_spec_column *asked = shoal_i_spec_find_column(spec, name);
    size_t column = (size_t)shoal_table_find(table, name);
    shoal_i_hierarchy_plan plan = asked->plan;

    if (plan.kind == SHOAL_I_PLAN_NONE) {
        if (shoal_table_type(table, column) != SHOAL_TYPE_STRING) {
            return shoal_i_fail(
                ctx, SHOAL_EINVAL,
                "The column \"%.200s\" is numeric; say what its hierarchy is made of: widths, "
                "breaks, dates, prefix, codes, flat or a file.",
                name);
        }
        plan.kind = SHOAL_I_PLAN_FLAT;
    }
    return shoal_i_hierarchy_plan_build(ctx, out, &plan, table, column);
}

static shoal_status run_build(shoal_ctx *caller, shoal_hierarchy **out, const shoal_spec *spec,
                              const shoal_i_given *input, const char *column)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_ctx *ctx = shoal_i_run_begin(&run, caller, spec);
    shoal_table *table = NULL;
    shoal_i_reading reading = {.spec = spec, .given = *input, .column = column};
    shoal_csv_options options = shoal_i_column_options(&reading, configure_column);

    *out = NULL;
    if (!shoal_i_spec_find_column(spec, column)) {
        st = shoal_i_fail(ctx, SHOAL_ENOTFOUND, "The spec says nothing of a column \"%.200s\".",
                          column);
        goto done;
    }
    SHOAL_TRY(shoal_i_given_read(ctx, &table, input, &options));
    SHOAL_TRY(build(ctx, out, spec, table, column));
done:
    shoal_table_free(table);
    return shoal_i_run_end(&run, st);
}

shoal_status shoal_hierarchy_build_spec(shoal_ctx *ctx, shoal_hierarchy **out,
                                        const shoal_spec *spec, const char *input,
                                        const char *column)
{
    SHOAL_ENTER_FOR(ctx, out, spec, input, column);
    shoal_i_given given = shoal_i_given_file(input);

    return run_build(ctx, out, spec, &given, column);
}

shoal_status shoal_hierarchy_build_spec_table(shoal_ctx *ctx, shoal_hierarchy **out,
                                              const shoal_spec *spec, const shoal_table *table,
                                              const char *column)
{
    SHOAL_ENTER_FOR(ctx, out, spec, table, column);
    shoal_i_given given = shoal_i_given_table(table);

    return run_build(ctx, out, spec, &given, column);
}

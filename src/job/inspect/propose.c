/* The spec that an inspection proposes: all that was asked for, and what was found out. */
#include "inspect.h"

#include "../../base/file_system.h"
#include "../../table/column_build.h"
#include "../../table/table_hold.h"

#include <stdlib.h>

/* --- How the file is read. -------------------------------------------------------------- */

/* The tokens of the reader, and some more. */
static shoal_status add_tokens(shoal_ctx *ctx, shoal_spec *spec, const char *const *tokens,
                               size_t count)
{
    if (count == 0) {
        return SHOAL_OK;
    }
    const char **all =
        shoal_i_arena_alloc(ctx, &spec->arena, SHOAL_I_USUAL_TOKENS + count, sizeof *all);

    if (!all) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < SHOAL_I_USUAL_TOKENS; i++) {
        all[i] = shoal_i_usual_tokens[i];
    }
    for (size_t i = 0; i < count; i++) {
        all[SHOAL_I_USUAL_TOKENS + i] = tokens[i];
    }
    spec->missing_tokens = all;
    spec->missing_token_count = SHOAL_I_USUAL_TOKENS + count;
    return SHOAL_OK;
}

static shoal_status set_reading(shoal_ctx *ctx, shoal_spec *spec, const char *name,
                                const shoal_i_column_reading *r)
{
    shoal_status st = SHOAL_OK;
    shoal_i_spec_column *column = NULL;

    SHOAL_TRY(shoal_i_spec_add_column(ctx, spec, name, &column));
    if (r->date_format) {
        column->texts[SHOAL_I_COLUMN_DATE_FORMAT] = r->date_format;
    }
    if (r->decimal && (strcmp(r->decimal, ".") != 0 || spec->decimal != 0)) {
        column->texts[SHOAL_I_COLUMN_DECIMAL] = r->decimal;
    }
    if (r->thousands) {
        column->texts[SHOAL_I_COLUMN_THOUSANDS] = r->thousands;
    }
    if (r->type != SHOAL_TYPE_AUTO) {
        column->type = r->type;
    }
done:
    return st;
}

shoal_status shoal_i_propose_reading(shoal_ctx *ctx, shoal_spec **out, const shoal_spec *spec,
                                     const shoal_table *table,
                                     const shoal_i_column_reading *readings,
                                     const char *const *tokens, size_t token_count)
{
    shoal_status st = SHOAL_OK;
    shoal_spec *proposed = NULL;

    *out = NULL;
    SHOAL_TRY(shoal_spec_copy(ctx, &proposed, spec));
    if (proposed->population_table && !proposed->population) {
        shoal_i_table_drop(proposed->population_table); /* which no file could hold */
        proposed->population_table = NULL;
    }
    SHOAL_TRY(add_tokens(ctx, proposed, tokens, token_count));
    for (size_t i = 0; i < shoal_table_column_count(table); i++) {
        const shoal_i_column_reading *r = &readings[i];

        if (r->date_format || r->decimal || r->thousands || r->type != SHOAL_TYPE_AUTO) {
            SHOAL_TRY(set_reading(ctx, proposed, shoal_table_name(table, i), r));
        }
    }
    *out = proposed;
    proposed = NULL;
done:
    shoal_spec_free(proposed);
    return st;
}

/* --- What the columns are. -------------------------------------------------------------- */

/* Formats are for those that are released; a type too, where it does not follow from the
 * hierarchy. */
static shoal_status set_column(shoal_ctx *ctx, shoal_spec *spec,
                               const shoal_i_column_facts *facts)
{
    shoal_status st = SHOAL_OK;
    shoal_i_spec_column *column = NULL;
    const shoal_i_column_reading *r = &facts->reading;
    bool is_read = r->date_format || r->decimal || r->thousands;

    SHOAL_TRY(shoal_i_spec_add_column(ctx, spec, facts->name, &column));
    column->has_role = true;
    column->role = facts->role;
    if (facts->role == SHOAL_ROLE_IDENTIFIER || facts->role == SHOAL_ROLE_PERSON) {
        if (is_read || r->type != SHOAL_TYPE_AUTO) {
            column->texts[SHOAL_I_COLUMN_DATE_FORMAT] = NULL;
            column->texts[SHOAL_I_COLUMN_DECIMAL] = NULL;
            column->texts[SHOAL_I_COLUMN_THOUSANDS] = NULL;
            column->type = SHOAL_TYPE_AUTO;
        }
        return SHOAL_OK;
    }
    if (facts->hierarchy[0]) {
        SHOAL_TRY(
            shoal_i_spec_column_assign(ctx, spec, column, "hierarchy", facts->hierarchy, NULL));
    }
    if (facts->grid[0]) {
        SHOAL_TRY(shoal_i_spec_column_assign(ctx, spec, column, "grid", facts->grid, NULL));
    }
    if (facts->role == SHOAL_ROLE_QUASI && !facts->has_hierarchy) {
        /* Dates of the usual form are dates beside any format, unless they are asked to be. */
        bool follows = facts->hierarchy[0] ||
                       (facts->type == SHOAL_TYPE_DATE && spec->date_format && !r->date_format);

        column->type = follows ? SHOAL_TYPE_AUTO : facts->type;
    } else if (is_read) {
        column->type = facts->type;
    }
done:
    return st;
}

/* Relative paths would start at the folder of the file that is written, wherever that is. */
static shoal_status set_full_path(shoal_ctx *ctx, shoal_spec *spec, const char **path)
{
    char *full =
        *path && **path != '/' && !shoal_i_is_standard(*path) ? realpath(*path, NULL) : NULL;
    shoal_status st = SHOAL_OK;

    if (full) {
        *path = shoal_i_arena_text(ctx, &spec->arena, full, strlen(full));
        st = *path ? SHOAL_OK : SHOAL_ENOMEM;
    }
    free(full);
    return st;
}

static shoal_status set_full_paths(shoal_ctx *ctx, shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < spec->column_count; i++) {
        if (spec->columns[i].plan.kind == SHOAL_I_PLAN_FILE) {
            SHOAL_TRY(set_full_path(ctx, spec, &spec->columns[i].plan.path));
        }
    }
    SHOAL_TRY(set_full_path(ctx, spec, &spec->population));
done:
    return st;
}

/* The usual 10, less where the table is too small for it. */
static size_t choose_k(size_t count)
{
    size_t k = count / 4;

    return k < 1 ? 1 : k < 10 ? k : 10;
}

shoal_status shoal_i_propose_rest(shoal_ctx *ctx, shoal_spec *proposed,
                                  const shoal_i_inspection *inspection)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < inspection->column_count; i++) {
        const shoal_i_column_facts *facts = &inspection->columns[i];

        if (facts->is_given || !proposed->k_column ||
            strcmp(proposed->k_column, facts->name) != 0) {
            SHOAL_TRY(set_column(ctx, proposed, facts));
        }
    }
    if (proposed->k == 0 && !proposed->k_column) {
        proposed->k =
            choose_k(inspection->persons > 0 ? inspection->persons : inspection->records);
    }
    if (inspection->missing_records > 0 && proposed->missing == SHOAL_I_MISSING_ERROR) {
        proposed->missing = SHOAL_I_MISSING_KEEP;
    }
    proposed->owns_missing_person =
        proposed->owns_missing_person || inspection->missing_persons > 0;
    SHOAL_TRY(set_full_paths(ctx, proposed));
done:
    return st;
}

#include "bound_requirements.h"

#include "columns.h"

#include <stdio.h>
#include <string.h>

void shoal_i_bound_requirements_clear(shoal_i_bound_requirements *requirements)
{
    shoal_i_requirement_set_clear(&requirements->set);
    for (size_t i = 0; i < requirements->sensitive_count; i++) {
        shoal_i_sensitive_clear(&requirements->sensitive[i]);
        shoal_hierarchy_free(requirements->hierarchies[i]);
    }
    free(requirements->sensitive);
    free(requirements->hierarchies);
    *requirements = (shoal_i_bound_requirements){0};
}

/* --- Before reading. ---------------------------------------------------------------------- */

static bool is_sensitive(const shoal_spec *spec, const char *name)
{
    return shoal_i_column_role(spec, name) == SHOAL_ROLE_SENSITIVE;
}

/* What is released of a quasi column is the same for all of a class, so there is nothing to
 * count in it: a column cannot be both. */
static shoal_status check_request(shoal_ctx *ctx, const shoal_spec *spec,
                                  const shoal_i_requirement_request *request)
{
    if (!request->kind->needs_sensitive ||
        (!request->column && shoal_i_spec_has_role(spec, SHOAL_ROLE_SENSITIVE)) ||
        (request->column && is_sensitive(spec, request->column))) {
        return SHOAL_OK;
    }
    if (!request->column) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "%s is about a sensitive column and there is none; give a column "
                            "the role sensitive.",
                            request->kind->key);
    }
    if (shoal_i_column_role(spec, request->column) == SHOAL_ROLE_QUASI) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "%s is about sensitive columns, but \"%.200s\" is a "
                            "quasi-identifier, which is generalized; it cannot be both.",
                            request->kind->key, request->column);
    }
    return shoal_i_fail(ctx, SHOAL_EINVAL,
                        "%s is about sensitive columns, but \"%.200s\" is not one; give it the "
                        "role sensitive.",
                        request->kind->key, request->column);
}

shoal_status shoal_i_bound_requirements_check(shoal_i_mistakes *mistakes,
                                              const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_ctx *ctx = mistakes->ctx;

    for (size_t i = 0; i < spec->request_count; i++) {
        const shoal_i_requirement_request *request = &spec->requests[i];

        SHOAL_TRY(shoal_i_mistakes_take(
            mistakes,
            shoal_i_fail_of_request(ctx, request, check_request(ctx, spec, request))));
    }
done:
    return st;
}

/* --- Sensitive columns. ------------------------------------------------------------------- */

static bool is_about(const shoal_i_requirement_request *request, const shoal_spec *spec,
                     const char *column)
{
    return request->kind->needs_sensitive &&
           (!request->column || shoal_i_spec_find_column(spec, request->column) ==
                                    shoal_i_spec_find_column(spec, column));
}

bool shoal_i_request_joins(const shoal_i_requirement_request *request, const shoal_spec *spec,
                           const char *column)
{
    return request->kind == &shoal_i_alpha_values && request->value_count > 1 &&
           shoal_i_spec_person(spec) && is_sensitive(spec, column) &&
           is_about(request, spec, column);
}

/* The hierarchy of a sensitive column, where a distance is measured along it. */
static shoal_status build_hierarchy(shoal_ctx *ctx, shoal_hierarchy **out,
                                    const shoal_spec *spec, const shoal_table *table,
                                    size_t column)
{
    const char *name = shoal_table_name(table, column);
    const shoal_i_spec_column *asked = shoal_i_spec_find_column(spec, name);
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; st == SHOAL_OK && !*out && i < spec->request_count; i++) {
        const shoal_i_requirement_request *request = &spec->requests[i];

        if (request->kind == &shoal_i_t_hierarchical && is_about(request, spec, name)) {
            st = shoal_i_hierarchy_plan_build(ctx, out, &asked->plan, table, column);
        }
    }
    if (st != SHOAL_OK && st != SHOAL_ENOMEM && st != SHOAL_ECANCELLED) {
        shoal_i_fail_in(ctx, asked->place.source, asked->place.line, asked->place.column);
    }
    return st;
}

/* totals: of each column, or NULL where the table has the codes of its records. */
static shoal_status collect_sensitive(shoal_ctx *ctx, shoal_i_bound_requirements *requirements,
                                      const shoal_spec *spec, const shoal_table *table,
                                      uint32_t *const *totals, shoal_hierarchy **given)
{
    shoal_status st = SHOAL_OK;
    size_t columns = shoal_table_column_count(table);

    SHOAL_ALLOC(ctx, requirements->sensitive, columns);
    SHOAL_ALLOC(ctx, requirements->hierarchies, columns);
    for (size_t i = 0; i < columns; i++) {
        if (!is_sensitive(spec, shoal_table_name(table, i))) {
            continue;
        }
        size_t at = requirements->sensitive_count++;

        if (given && given[i]) {
            requirements->hierarchies[at] = given[i];
            given[i] = NULL;
        } else {
            SHOAL_TRY(build_hierarchy(ctx, &requirements->hierarchies[at], spec, table, i));
        }
        shoal_i_sameness same = shoal_i_column_sameness(spec, shoal_table_name(table, i));

        SHOAL_TRY(totals ? shoal_i_sensitive_init_counted(
                               ctx, &requirements->sensitive[at], table, i,
                               requirements->hierarchies[at], &same, totals[i])
                         : shoal_i_sensitive_init(ctx, &requirements->sensitive[at], table, i,
                                                  requirements->hierarchies[at], &same));
        if (!totals) {
            SHOAL_TRY(shoal_i_sensitive_count_persons(ctx, &requirements->sensitive[at],
                                                      requirements->persons));
        }
    }
done:
    return st;
}

/* --- Requirements. ------------------------------------------------------------------------ */

/* A value that the user named and no record has is a mistake of the spec, not of the file. */
static shoal_status find_code(shoal_ctx *ctx, uint32_t *out, const shoal_i_sensitive *column,
                              const char *value)
{
    shoal_status st = shoal_i_sensitive_find(ctx, out, column, value, strlen(value));

    if (st == SHOAL_ENOTFOUND) {
        st = shoal_i_fail(ctx, SHOAL_EINVAL,
                          "The value \"%.200s\" does not occur in the sensitive column "
                          "\"%.200s\".",
                          value, column->name);
    }
    return st;
}

/* One request for one column; `column` is NULL for requests about none. */
static shoal_status add_item(shoal_ctx *ctx, shoal_i_bound_requirements *requirements,
                             const shoal_i_requirement_request *request,
                             const shoal_i_sensitive *column)
{
    shoal_status st = SHOAL_OK;
    uint32_t *codes = NULL;
    shoal_i_requirement item = {
        .kind = request->kind,
        .value = request->value,
        .c = request->c,
        .least = request->least,
        .column = column,
        .column_index = column ? (size_t)(column - requirements->sensitive) : 0,
        .limits = request->limits,
        .code_count = request->value_count,
    };

    SHOAL_ALLOC(ctx, codes, request->value_count);
    for (size_t i = 0; i < request->value_count; i++) {
        SHOAL_TRY(find_code(ctx, &codes[i], column, request->values[i]));
    }
    item.codes = codes;
    SHOAL_TRY(shoal_i_requirement_add_item(ctx, &requirements->set, &item));
done:
    free(codes);
    return shoal_i_fail_of_request(ctx, request, st);
}

static shoal_status add_request(shoal_i_mistakes *mistakes,
                                shoal_i_bound_requirements *requirements,
                                const shoal_spec *spec,
                                const shoal_i_requirement_request *request)
{
    shoal_status st = SHOAL_OK;
    shoal_ctx *ctx = mistakes->ctx;

    if (!request->kind->needs_sensitive) {
        return shoal_i_mistakes_take(mistakes, add_item(ctx, requirements, request, NULL));
    }
    for (size_t i = 0; i < requirements->sensitive_count; i++) {
        if (is_about(request, spec, requirements->sensitive[i].name)) {
            SHOAL_TRY(shoal_i_mistakes_take(
                mistakes, add_item(ctx, requirements, request, &requirements->sensitive[i])));
        }
    }
done:
    return st;
}

shoal_status
shoal_i_bound_requirements_build_given(shoal_ctx *ctx, shoal_i_bound_requirements *out,
                                       const shoal_spec *spec, const shoal_table *table,
                                       uint32_t *const *totals, shoal_hierarchy **given,
                                       const shoal_i_persons *persons)
{
    shoal_status st = SHOAL_OK;
    shoal_i_mistakes mistakes = {.ctx = ctx};

    *out = (shoal_i_bound_requirements){.persons = persons,
                                        .set = {.counts_persons = persons != NULL}};
    if (shoal_i_spec_reads_sensitive(spec)) {
        SHOAL_TRY(collect_sensitive(ctx, out, spec, table, totals, given));
    }
    if (spec->k > 0) {
        SHOAL_TRY(
            shoal_i_requirement_add(ctx, &out->set, &shoal_i_k_anonymity, (double)spec->k));
    }
    if (spec->k_column) {
        SHOAL_TRY(shoal_i_requirement_add(ctx, &out->set, &shoal_i_personal_k, 0));
    }
    for (size_t i = 0; i < spec->request_count; i++) {
        SHOAL_TRY(add_request(&mistakes, out, spec, &spec->requests[i]));
    }
    SHOAL_TRY(shoal_i_mistakes_status(&mistakes));
done:
    if (st != SHOAL_OK) {
        shoal_i_bound_requirements_clear(out);
    }
    return st;
}

shoal_status shoal_i_bound_requirements_build_counted(shoal_ctx *ctx,
                                                      shoal_i_bound_requirements *out,
                                                      const shoal_spec *spec,
                                                      const shoal_table *table,
                                                      uint32_t *const *totals)
{
    return shoal_i_bound_requirements_build_given(ctx, out, spec, table, totals, NULL, NULL);
}

shoal_status shoal_i_bound_requirements_build(shoal_ctx *ctx, shoal_i_bound_requirements *out,
                                              const shoal_spec *spec, const shoal_table *table,
                                              const shoal_i_persons *persons)
{
    return shoal_i_bound_requirements_build_given(ctx, out, spec, table, NULL, NULL, persons);
}

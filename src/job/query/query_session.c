#include "query_session.h"

#include "../../measure/query/marginal.h"

#include <string.h>

const char *const shoal_i_estimator_words[] = {"uniform", "marginal", NULL};

void shoal_i_query_session_clear(shoal_i_query_session *s)
{
    shoal_i_truth_free(s->exact);
    shoal_i_answerer_free(s->answerer);
    shoal_i_spread_free(s->spread);
    for (size_t j = 0; j < s->asked_count; j++) {
        if (s->truth) {
            shoal_i_sensitive_clear(&s->truth[j]);
        }
        if (s->shown) {
            shoal_i_sensitive_clear(&s->shown[j]);
        }
        if (s->hierarchies) {
            shoal_hierarchy_free(s->hierarchies[j]);
        }
    }
    free(s->truth);
    free(s->shown);
    free((void *)s->hierarchies);
    free(s->is_sensitive);
    shoal_i_release_free(s->parsed);
    shoal_i_received_clear(&s->received);
    shoal_i_prepared_clear(&s->prepared);
}

static bool has_original(const shoal_i_query_session *s)
{
    return shoal_i_is_given(&s->original);
}

/* --- Files. ----------------------------------------------------------------------------- */

static shoal_status read_files(shoal_ctx *ctx, shoal_i_query_session *s)
{
    shoal_status st = SHOAL_OK;
    shoal_i_reading reading = {.spec = s->spec,
                               .given = s->release.rows,
                               .is_asked = true,
                               .asked = s->asked,
                               .asked_count = s->asked_count};

    SHOAL_TRY(shoal_i_received_read_by(ctx, &s->received, &reading, s->release.sensitive, 0));
    if (has_original(s)) {
        reading.given = s->original;
        SHOAL_TRY(shoal_i_prepare_by(ctx, &s->prepared, &reading));
    }
done:
    return st;
}

static shoal_status parse_release(shoal_ctx *ctx, shoal_i_query_session *s)
{
    shoal_status st = SHOAL_OK;
    size_t written = shoal_table_row_count(s->received.table);

    if (has_original(s) && written > shoal_table_row_count(s->prepared.table)) {
        shoal_i_fail(ctx, SHOAL_EFORMAT,
                     "The release has %zu records, its original %zu; a release has no more "
                     "than its original.",
                     written, shoal_table_row_count(s->prepared.table));
        return shoal_i_fail_in(ctx, shoal_table_source(s->received.table), 0, 0);
    }
    if (has_original(s)) {
        SHOAL_TRY(shoal_i_prepare_quasi(ctx, &s->prepared, s->spec));
    } else {
        SHOAL_TRY(shoal_i_domain_build(ctx, &s->prepared, s->spec, &s->received));
    }
    SHOAL_TRY(shoal_i_received_parse(ctx, &s->parsed, &s->received, s->prepared.quasi));
done:
    return st;
}

/* --- Other columns. --------------------------------------------------------------------- */

/* A column of a file that was read, or -1. */
static ptrdiff_t find_read(const shoal_table *table, const char *name)
{
    ptrdiff_t column = shoal_table_find(table, name);

    return column >= 0 && shoal_table_is_skipped(table, (size_t)column) ? -1 : column;
}

static shoal_status fail_absent(shoal_ctx *ctx, const shoal_i_query_session *s,
                                const char *name)
{
    shoal_i_fail(ctx, SHOAL_ENOTFOUND,
                 "The original has no column \"%.200s\", which its release has.", name);
    return shoal_i_fail_in(ctx, shoal_table_source(s->prepared.table), 1, 0);
}

/* Take column j, which the release has. Its codes are those of the original where there is one.
 */
static shoal_status take_other(shoal_ctx *ctx, shoal_i_query_session *s, const char *name,
                               size_t column)
{
    shoal_status st = SHOAL_OK;
    size_t j = s->other_count;
    const shoal_i_spec_column *asked = shoal_i_spec_find_column(s->spec, name);
    const shoal_table *table = has_original(s) ? s->prepared.table : s->received.table;
    ptrdiff_t original = has_original(s) ? find_read(table, name) : (ptrdiff_t)column;

    if (original < 0) {
        return fail_absent(ctx, s, name);
    }
    if (asked && asked->plan.kind != SHOAL_I_PLAN_NONE) {
        SHOAL_TRY(shoal_i_hierarchy_plan_build(ctx, &s->hierarchies[j], &asked->plan, table,
                                               (size_t)original));
    }
    if (has_original(s)) {
        SHOAL_TRY(shoal_i_sensitive_init(ctx, &s->truth[j], table, (size_t)original,
                                         s->hierarchies[j]));
        SHOAL_TRY(
            shoal_i_show_column(ctx, &s->shown[j], &s->truth[j], s->parsed, &s->received));
    } else {
        SHOAL_TRY(shoal_i_sensitive_init(ctx, &s->shown[j], table, column, s->hierarchies[j]));
    }
    s->is_sensitive[j] = shoal_i_column_role(s->spec, name) == SHOAL_ROLE_SENSITIVE;
    s->other_count++;
done:
    return st;
}

static bool is_taken(const shoal_i_query_session *s, const char *name)
{
    for (size_t j = 0; j < s->other_count; j++) {
        if (strcmp(s->shown[j].name, name) == 0) {
            return true;
        }
    }
    return shoal_i_column_role(s->spec, name) == SHOAL_ROLE_QUASI;
}

static shoal_status take_others(shoal_ctx *ctx, shoal_i_query_session *s)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, s->truth, s->asked_count);
    SHOAL_ALLOC(ctx, s->shown, s->asked_count);
    SHOAL_ALLOC(ctx, s->hierarchies, s->asked_count);
    SHOAL_ALLOC(ctx, s->is_sensitive, s->asked_count);
    for (size_t i = 0; i < s->asked_count; i++) {
        ptrdiff_t column = find_read(s->received.table, s->asked[i]);

        if (column >= 0 && !is_taken(s, s->asked[i])) {
            SHOAL_TRY(take_other(ctx, s, s->asked[i], (size_t)column));
        }
    }
done:
    return st;
}

/* --- Indexes. --------------------------------------------------------------------------- */

static shoal_status build_indexes(shoal_ctx *ctx, shoal_i_query_session *s)
{
    shoal_status st = SHOAL_OK;

    s->published = (shoal_i_published){
        .release = s->parsed, .sensitive = s->shown, .sensitive_count = s->other_count};
    SHOAL_TRY(shoal_i_spread_build(ctx, &s->spread, &s->published));
    if (s->estimator == SHOAL_I_ESTIMATOR_MARGINAL) {
        SHOAL_TRY(shoal_i_marginal_fit(ctx, s->spread));
    }
    SHOAL_TRY(shoal_i_answerer_build(ctx, &s->answerer, s->spread, s->is_sensitive));
    if (has_original(s)) {
        SHOAL_TRY(
            shoal_i_truth_build(ctx, &s->exact, s->prepared.quasi, s->truth, s->other_count));
    }
done:
    return st;
}

shoal_status shoal_i_query_session_open(shoal_ctx *ctx, shoal_i_query_session *session,
                                        shoal_i_run *run)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_prepare_check(ctx, session->spec, false));
    SHOAL_TRY(read_files(ctx, session));
    SHOAL_TRY(shoal_i_run_stage(run, "read"));
    SHOAL_TRY(parse_release(ctx, session));
    SHOAL_TRY(take_others(ctx, session));
    SHOAL_TRY(shoal_i_run_stage(run, "parse"));
    SHOAL_TRY(build_indexes(ctx, session));
    SHOAL_TRY(shoal_i_run_stage(run, "prepare"));
done:
    return st;
}

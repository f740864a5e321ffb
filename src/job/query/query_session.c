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
    free((void *)s->listed);
    shoal_i_release_free(s->parsed);
    shoal_i_received_clear(&s->received);
    shoal_i_prepared_clear(&s->prepared);
}

static bool has_original(const shoal_i_query_session *s)
{
    return shoal_i_is_given(&s->original);
}

/* --- Files. ----------------------------------------------------------------------------- */

static bool is_quasi_identifier(const shoal_i_received *received, size_t column)
{
    for (size_t i = 0; i < received->column_count; i++) {
        if (received->columns[i] == column) {
            return true;
        }
    }
    return received->shape == SHOAL_I_SHAPE_BUCKETS && received->bucket_column == column;
}

/* All that was read of the release beside its quasi-identifier. The sensitive columns come
 * first, in the order of the spec, as a workload on its own has them. */
static shoal_status list_all(shoal_ctx *ctx, shoal_i_query_session *s)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = s->received.table;
    const shoal_spec *spec = s->spec;

    SHOAL_ALLOC(ctx, s->listed, spec->column_count + shoal_table_column_count(table));
    for (size_t i = 0; i < spec->column_count; i++) {
        if (spec->columns[i].has_role && spec->columns[i].role == SHOAL_ROLE_SENSITIVE) {
            s->listed[s->asked_count++] = spec->columns[i].name;
        }
    }
    for (size_t c = 0; c < shoal_table_column_count(table); c++) {
        if (!shoal_table_is_skipped(table, c) && !is_quasi_identifier(&s->received, c)) {
            s->listed[s->asked_count++] = shoal_table_name(table, c);
        }
    }
    s->asked = s->listed;
done:
    return st;
}

static shoal_status read_files(shoal_ctx *ctx, shoal_i_query_session *s)
{
    shoal_status st = SHOAL_OK;
    shoal_i_reading reading = {.spec = s->spec,
                               .given = s->release.rows,
                               .is_asked = true,
                               .asked = s->asked,
                               .asked_count = s->asked_count,
                               .asks_all = s->asks_all};

    SHOAL_TRY(shoal_i_received_read_by(ctx, &s->received, &reading, s->release.sensitive, 0));
    if (s->asks_all) {
        SHOAL_TRY(list_all(ctx, s));
        reading.asked = s->asked;
        reading.asked_count = s->asked_count;
        reading.asks_all = false;
    }
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
                                         s->hierarchies[j], NULL));
        SHOAL_TRY(
            shoal_i_show_column(ctx, &s->shown[j], &s->truth[j], s->parsed, &s->received));
    } else {
        SHOAL_TRY(
            shoal_i_sensitive_init(ctx, &s->shown[j], table, column, s->hierarchies[j], NULL));
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

        /* Of all columns those that only the release has cannot be asked about. */
        bool is_absent =
            s->asks_all && has_original(s) && find_read(s->prepared.table, s->asked[i]) < 0;

        if (column >= 0 && !is_absent && !is_taken(s, s->asked[i])) {
            SHOAL_TRY(take_other(ctx, s, s->asked[i], (size_t)column));
        }
    }
done:
    return st;
}

shoal_status shoal_i_query_session_check(shoal_ctx *ctx, const shoal_i_query_session *session,
                                         const char *name)
{
    if (find_read(session->received.table, name) >= 0 && has_original(session) &&
        !is_taken(session, name) && find_read(session->prepared.table, name) < 0) {
        return fail_absent(ctx, session, name);
    }
    return SHOAL_OK;
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

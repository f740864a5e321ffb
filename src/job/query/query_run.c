/* Queries and workloads put to a release: one after another in a session, or one alone, which
 * reads no more than it asks about. */
#include <shoal/query.h>

#include "../release/release_object.h"
#include "../../base/sized.h"
#include "../../measure/query/workload.h"
#include "query_bind.h"
#include "query_report.h"
#include "query_session.h"

#include <math.h>
#include <string.h>

#define QUERIES_STANDARD 1000
#define QUERIES_MAX 100000000
#define DIMENSIONS_STANDARD 4
#define SELECTIVITY_STANDARD 0.05

static const char *const workload_words[] = {"xu-count", "xu-sum", "lili", NULL};

static shoal_status find_estimator(shoal_ctx *ctx, shoal_i_estimator *out, const char *name)
{
    size_t word = 0;
    shoal_status st =
        shoal_i_parse_word(ctx, &word, "estimator", name ? name : shoal_i_estimator_words[0],
                           shoal_i_estimator_words);

    *out = (shoal_i_estimator)word;
    return st;
}

/* --- One query. ------------------------------------------------------------------------- */

/* The columns that a query names; room for conditions and the target. */
static size_t list_asked(const char **out, const shoal_i_query *query)
{
    size_t count = 0;

    if (query->aggregate != SHOAL_I_COUNT) {
        out[count++] = query->target.text;
    }
    for (size_t i = 0; i < query->condition_count; i++) {
        out[count++] = query->conditions[i].column.text;
    }
    return count;
}

static shoal_status check_asked(shoal_ctx *ctx, const shoal_i_query_session *s,
                                const shoal_i_query *query)
{
    shoal_status st = SHOAL_OK;
    const char *asked[SHOAL_I_CONDITIONS_MAX + 1];
    size_t count = list_asked(asked, query);

    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(shoal_i_query_session_check(ctx, s, asked[i]));
    }
done:
    return st;
}

static shoal_status ask(shoal_ctx *ctx, shoal_i_query_findings *found,
                        const shoal_i_query_session *s, const shoal_i_query *query)
{
    shoal_status st = SHOAL_OK;
    shoal_i_question question = {0};
    shoal_i_answer_scratch scratch = {0};
    uint64_t *bits = NULL;
    shoal_i_query_scope scope = {.spec = s->spec,
                                 .spread = s->spread,
                                 .quasi = s->prepared.quasi,
                                 .others = s->shown,
                                 .other_count = s->other_count,
                                 .file = s->received.table};

    SHOAL_TRY(check_asked(ctx, s, query));
    SHOAL_TRY(shoal_i_question_init(ctx, &question, s->spread));
    SHOAL_TRY(shoal_i_query_bind(ctx, &question, query, &scope));
    SHOAL_TRY(shoal_i_answer_scratch_init(ctx, &scratch, s->answerer));
    shoal_i_answer estimate = shoal_i_answer_estimate(s->answerer, &question, &scratch);

    found->estimate = shoal_i_answer_value(&estimate, question.aggregate);
    if (s->exact) {
        SHOAL_ALLOC(ctx, bits, 2 * s->exact->word_count);
        shoal_i_answer exact = shoal_i_answer_exact(s->exact, &question, bits);

        found->exact = shoal_i_answer_value(&exact, question.aggregate);
        found->error = fabs(found->estimate - found->exact) / fabs(found->exact);
    }
done:
    free(bits);
    shoal_i_answer_scratch_clear(&scratch);
    shoal_i_question_clear(&question, s->spread);
    return st;
}

/* A release and its original, which may give nothing. */
typedef struct answered {
    const shoal_spec *spec;
    shoal_i_given_release release;
    shoal_i_given original;
} answered;

static shoal_status report_answer(shoal_ctx *ctx, shoal_report **out, shoal_i_run *run,
                                  const shoal_i_query_session *s, const shoal_i_query *parsed,
                                  const char *query)
{
    shoal_status st = SHOAL_OK;
    shoal_i_query_findings found = {.session = s, .stages = &run->stages, .query = query};

    SHOAL_TRY(ask(ctx, &found, s, parsed));
    SHOAL_TRY(shoal_i_run_stage(run, "query"));
    SHOAL_TRY(shoal_i_query_report(ctx, out, &found));
done:
    return st;
}

static shoal_status run_query(shoal_ctx *caller, shoal_report **out, const answered *a,
                              const char *query, const char *estimator)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_ctx *ctx = shoal_i_run_begin(&run, caller, a->spec);
    shoal_i_query parsed = {0};
    const char *asked[SHOAL_I_CONDITIONS_MAX + 1];
    shoal_i_query_session session = {
        .spec = a->spec, .release = a->release, .original = a->original};

    *out = NULL;
    SHOAL_TRY(find_estimator(ctx, &session.estimator, estimator));
    SHOAL_TRY(shoal_i_query_parse(ctx, &parsed, query));
    session.asked_count = list_asked(asked, &parsed);
    session.asked = asked;
    SHOAL_TRY(shoal_i_query_session_open(ctx, &session, &run));
    SHOAL_TRY(report_answer(ctx, out, &run, &session, &parsed, query));
done:
    shoal_i_query_session_clear(&session);
    shoal_i_query_clear(&parsed);
    return shoal_i_run_end(&run, st);
}

/* --- Workloads. ------------------------------------------------------------------------- */

/* A workload with the columns that it is about. */
typedef struct plan {
    shoal_i_workload workload;
    size_t *columns;
    size_t *sensitive;
} plan;

static shoal_status find_quasi(shoal_ctx *ctx, size_t *out, const shoal_i_quasi *quasi,
                               const char *name, size_t length)
{
    for (size_t c = 0; c < quasi->count; c++) {
        if (strlen(quasi->columns[c].name) == length &&
            memcmp(quasi->columns[c].name, name, length) == 0) {
            *out = c;
            return SHOAL_OK;
        }
    }
    return shoal_i_fail(ctx, SHOAL_EINVAL,
                        "\"%.*s\" is no quasi-identifier; a workload asks about these.",
                        length < 200 ? (int)length : 200, name);
}

/* The quasi columns of a comma list; of none, all. */
static shoal_status list_columns(shoal_ctx *ctx, plan *p, const shoal_i_quasi *quasi,
                                 const char *names)
{
    shoal_status st = SHOAL_OK;
    size_t count = 0;

    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        count++;
    }
    SHOAL_ALLOC(ctx, p->columns, names ? count : quasi->count);
    p->workload.columns = p->columns;
    for (size_t c = 0; !names && c < quasi->count; c++) {
        p->columns[p->workload.column_count++] = c;
    }
    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t c = 0;
        bool is_new = true;

        SHOAL_TRY(find_quasi(ctx, &c, quasi, at, strcspn(at, ",")));
        for (size_t i = 0; i < p->workload.column_count; i++) {
            is_new = is_new && p->columns[i] != c;
        }
        p->columns[p->workload.column_count] = c;
        p->workload.column_count += is_new;
    }
done:
    return st;
}

/* The column to be added up: the one named, or the first of numbers. */
static shoal_status find_target(shoal_ctx *ctx, plan *p, const shoal_i_spread *spread,
                                const char *name)
{
    const shoal_i_quasi *quasi = spread->published->release->quasi;

    for (size_t c = 0; !name && c < quasi->count; c++) {
        if (spread->columns[c].axis.is_numeric) {
            p->workload.target = c;
            return SHOAL_OK;
        }
    }
    if (!name) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "No quasi-identifier holds numbers; there is nothing to add up.");
    }
    shoal_status st = find_quasi(ctx, &p->workload.target, quasi, name, strlen(name));

    if (st == SHOAL_OK && !spread->columns[p->workload.target].axis.is_numeric) {
        st = shoal_i_fail(ctx, SHOAL_EINVAL,
                          "The column \"%.200s\" holds texts, which cannot be added up.", name);
    }
    return st;
}

static shoal_status set_lili(shoal_ctx *ctx, plan *p, const shoal_i_query_session *s,
                             const shoal_workload *asked)
{
    shoal_status st = SHOAL_OK;
    shoal_i_workload *workload = &p->workload;
    size_t standard = workload->column_count < DIMENSIONS_STANDARD ? workload->column_count
                                                                   : DIMENSIONS_STANDARD;

    workload->dimensions = asked->dimensions ? asked->dimensions : standard;
    workload->selectivity = asked->selectivity != 0 ? asked->selectivity : SELECTIVITY_STANDARD;
    if (workload->dimensions > workload->column_count) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "A query cannot be about %zu quasi-identifiers; there are %zu.",
                            workload->dimensions, workload->column_count);
    }
    if (!(workload->selectivity > 0 && workload->selectivity <= 1)) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "The selectivity of queries is a share, above 0 and at most 1; got %g.",
            workload->selectivity);
    }
    SHOAL_ALLOC(ctx, p->sensitive, s->other_count);
    for (size_t j = 0; j < s->other_count; j++) {
        if (s->is_sensitive[j]) {
            p->sensitive[workload->sensitive_count++] = j;
        }
    }
    workload->sensitive = p->sensitive;
    if (workload->sensitive_count == 0) {
        st =
            shoal_i_fail(ctx, SHOAL_EINVAL,
                         "The workload lili asks about a sensitive column; give one the role.");
    }
done:
    return st;
}

static shoal_status make_plan(shoal_ctx *ctx, plan *p, const shoal_i_query_session *s,
                              const shoal_workload *asked)
{
    shoal_status st = SHOAL_OK;

    p->workload.query_count = asked->queries ? asked->queries : QUERIES_STANDARD;
    p->workload.seed = ctx->seed;
    SHOAL_TRY(list_columns(ctx, p, s->prepared.quasi, asked->columns));
    if (p->workload.kind == SHOAL_I_WORKLOAD_XU_SUM) {
        SHOAL_TRY(find_target(ctx, p, s->spread, asked->sum));
    }
    if (p->workload.kind == SHOAL_I_WORKLOAD_LILI) {
        SHOAL_TRY(set_lili(ctx, p, s, asked));
    }
done:
    return st;
}

/* What can be refused before any file is read; finds the kind. */
static shoal_status check_workload(shoal_ctx *ctx, plan *p, const shoal_workload *asked,
                                   bool has_original)
{
    shoal_status st = SHOAL_OK;
    size_t word = 0;

    SHOAL_TRY(shoal_i_parse_word(ctx, &word, "workload", asked->kind ? asked->kind : "",
                                 workload_words));
    p->workload.kind = (shoal_i_workload_kind)word;
    if (!has_original) {
        st = shoal_i_fail(ctx, SHOAL_EINVAL,
                          "The errors of a workload are those against the original; give it "
                          "(`original`).");
    } else if (asked->queries > QUERIES_MAX) {
        st = shoal_i_fail(ctx, SHOAL_ELIMIT, "A workload has at most %d queries; got %zu.",
                          QUERIES_MAX, asked->queries);
    }
done:
    return st;
}

/* The sensitive columns of the spec, for lili. */
static shoal_status list_sensitive(shoal_ctx *ctx, const char ***out, size_t *count,
                                   const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    const char **names = NULL;

    SHOAL_ALLOC(ctx, names, spec->column_count);
    for (size_t i = 0; i < spec->column_count; i++) {
        if (spec->columns[i].has_role && spec->columns[i].role == SHOAL_ROLE_SENSITIVE) {
            names[(*count)++] = spec->columns[i].name;
        }
    }
    *out = names;
done:
    return st;
}

/* p: checked; it is used up. */
static shoal_status report_errors(shoal_ctx *ctx, shoal_report **out, shoal_i_run *run,
                                  const shoal_i_query_session *s, plan *p,
                                  const shoal_workload *asked)
{
    shoal_status st = SHOAL_OK;
    shoal_i_errors errors = {0};
    shoal_i_query_findings found = {.session = s,
                                    .stages = &run->stages,
                                    .kind = workload_words[p->workload.kind],
                                    .workload = &p->workload,
                                    .errors = &errors};

    SHOAL_TRY(make_plan(ctx, p, s, asked));
    SHOAL_TRY(shoal_i_workload_run(ctx, &errors, &p->workload, s->answerer, s->exact));
    SHOAL_TRY(shoal_i_run_stage(run, "query"));
    SHOAL_TRY(shoal_i_query_report(ctx, out, &found));
done:
    free(p->columns);
    free(p->sensitive);
    return st;
}

static shoal_status run_workload(shoal_ctx *caller, shoal_report **out, const answered *a,
                                 const shoal_workload *workload)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_ctx *ctx = shoal_i_run_begin(&run, caller, a->spec);
    const char **asked = NULL;
    shoal_workload known = SHOAL_WORKLOAD_INIT;
    plan p = {0};
    shoal_i_query_session session = {
        .spec = a->spec, .release = a->release, .original = a->original};

    *out = NULL;
    SHOAL_TRY(shoal_i_sized_take(ctx, &known, sizeof known, workload, "shoal_workload"));
    SHOAL_TRY(find_estimator(ctx, &session.estimator, known.estimator));
    SHOAL_TRY(check_workload(ctx, &p, &known, shoal_i_is_given(&a->original)));
    if (p.workload.kind == SHOAL_I_WORKLOAD_LILI) {
        SHOAL_TRY(list_sensitive(ctx, &asked, &session.asked_count, a->spec));
        session.asked = asked;
    }
    SHOAL_TRY(shoal_i_query_session_open(ctx, &session, &run));
    SHOAL_TRY(report_errors(ctx, out, &run, &session, &p, &known));
done:
    free((void *)asked);
    shoal_i_query_session_clear(&session);
    return shoal_i_run_end(&run, st);
}

/* --- Of files and of what is in memory. -------------------------------------------------- */

static answered of_files(const shoal_spec *spec, const char *release, const char *original)
{
    return (answered){.spec = spec,
                      .release = {.rows = shoal_i_given_file(release)},
                      .original = shoal_i_given_file(original)};
}

static answered of_release(const shoal_spec *spec, const shoal_release *release,
                           const shoal_table *original)
{
    return (answered){.spec = spec,
                      .release = shoal_i_release_object_given(release),
                      .original = shoal_i_given_table(original)};
}

shoal_status shoal_query(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                         const char *release, const char *original, const char *query,
                         const char *estimator)
{
    SHOAL_ENTER_FOR(ctx, out, spec, release, query);
    answered a = of_files(spec, release, original);

    return run_query(ctx, out, &a, query, estimator);
}

shoal_status shoal_query_workload(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                  const char *release, const char *original,
                                  const shoal_workload *workload)
{
    SHOAL_ENTER_FOR(ctx, out, spec, release, workload);
    answered a = of_files(spec, release, original);

    return run_workload(ctx, out, &a, workload);
}

shoal_status shoal_query_release(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                 const shoal_release *release, const shoal_table *original,
                                 const char *query, const char *estimator)
{
    SHOAL_ENTER_FOR(ctx, out, spec, release, query);
    answered a = of_release(spec, release, original);

    return run_query(ctx, out, &a, query, estimator);
}

shoal_status shoal_query_release_workload(shoal_ctx *ctx, shoal_report **out,
                                          const shoal_spec *spec, const shoal_release *release,
                                          const shoal_table *original,
                                          const shoal_workload *workload)
{
    SHOAL_ENTER_FOR(ctx, out, spec, release, workload);
    answered a = of_release(spec, release, original);

    return run_workload(ctx, out, &a, workload);
}

/* --- Sessions. -------------------------------------------------------------------------- */

struct shoal_query_session {
    shoal_spec *spec; /* a copy, which nobody changes */
    char *release;    /* paths; NULL: in memory */
    char *original;
    /* What it was given from memory is held by the tables that were made of it. */
    shoal_i_query_session ready;
};

void shoal_query_session_free(shoal_query_session *session)
{
    if (session) {
        shoal_i_query_session_clear(&session->ready);
        shoal_spec_free(session->spec);
        free(session->release);
        free(session->original);
        free(session);
    }
}

static shoal_status copy_path(shoal_ctx *ctx, char **out, const char **path)
{
    if (*path) {
        *out = shoal_i_strdup(ctx, *path);
        *path = *out;
        return *out ? SHOAL_OK : SHOAL_ENOMEM;
    }
    return SHOAL_OK;
}

static shoal_status open_session(shoal_ctx *caller, shoal_query_session **out,
                                 const answered *a, const char *estimator)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_ctx *ctx = shoal_i_run_begin(&run, caller, a->spec);
    shoal_query_session *session = NULL;

    SHOAL_ALLOC(ctx, session, 1);
    session->ready = (shoal_i_query_session){
        .release = a->release, .original = a->original, .asks_all = true};
    SHOAL_TRY(find_estimator(ctx, &session->ready.estimator, estimator));
    SHOAL_TRY(shoal_spec_copy(ctx, &session->spec, a->spec));
    session->ready.spec = session->spec;
    SHOAL_TRY(copy_path(ctx, &session->release, &session->ready.release.rows.path));
    SHOAL_TRY(copy_path(ctx, &session->original, &session->ready.original.path));
    SHOAL_TRY(shoal_i_query_session_open(ctx, &session->ready, &run));
    *out = session;
    session = NULL;
done:
    shoal_query_session_free(session);
    return shoal_i_run_end(&run, st);
}

shoal_status shoal_query_session_open(shoal_ctx *ctx, shoal_query_session **out,
                                      const shoal_spec *spec, const char *release,
                                      const char *original, const char *estimator)
{
    SHOAL_ENTER_FOR(ctx, out, spec, release);
    answered a = of_files(spec, release, original);

    return open_session(ctx, out, &a, estimator);
}

shoal_status shoal_query_session_open_release(shoal_ctx *ctx, shoal_query_session **out,
                                              const shoal_spec *spec,
                                              const shoal_release *release,
                                              const shoal_table *original,
                                              const char *estimator)
{
    SHOAL_ENTER_FOR(ctx, out, spec, release);
    answered a = of_release(spec, release, original);

    return open_session(ctx, out, &a, estimator);
}

shoal_status shoal_query_session_ask(shoal_ctx *caller, shoal_report **out,
                                     const shoal_query_session *session, const char *query)
{
    SHOAL_ENTER_FOR(caller, out, session, query);
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_ctx *ctx = shoal_i_run_begin(&run, caller, session->spec);
    shoal_i_query parsed = {0};

    SHOAL_TRY(shoal_i_query_parse(ctx, &parsed, query));
    SHOAL_TRY(report_answer(ctx, out, &run, &session->ready, &parsed, query));
done:
    shoal_i_query_clear(&parsed);
    return shoal_i_run_end(&run, st);
}

shoal_status shoal_query_session_workload(shoal_ctx *caller, shoal_report **out,
                                          const shoal_query_session *session,
                                          const shoal_workload *workload)
{
    SHOAL_ENTER_FOR(caller, out, session, workload);
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_ctx *ctx = shoal_i_run_begin(&run, caller, session->spec);
    shoal_workload known = SHOAL_WORKLOAD_INIT;
    shoal_i_estimator estimator = session->ready.estimator;
    plan p = {0};

    SHOAL_TRY(shoal_i_sized_take(ctx, &known, sizeof known, workload, "shoal_workload"));
    if (known.estimator) {
        SHOAL_TRY(find_estimator(ctx, &estimator, known.estimator));
    }
    if (estimator != session->ready.estimator) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EINVAL,
                               "The session answers by the estimator %s; the workload asks for "
                               "%s: open another session.",
                               shoal_i_estimator_words[session->ready.estimator],
                               shoal_i_estimator_words[estimator]));
    }
    SHOAL_TRY(check_workload(ctx, &p, &known, session->ready.exact != NULL));
    SHOAL_TRY(report_errors(ctx, out, &run, &session->ready, &p, &known));
done:
    return shoal_i_run_end(&run, st);
}

#include "query_report.h"

#include <math.h>

/* --- Text. ------------------------------------------------------------------------------ */

static void put_line(shoal_i_buffer *out, const char *label, double number)
{
    if (isnan(number)) {
        shoal_i_buffer_printf(out, "%-10snone: no record is selected\n", label);
    } else {
        shoal_i_buffer_printf(out, "%-10s%.10g\n", label, number);
    }
}

static void put_answer(shoal_i_buffer *out, const shoal_i_query_findings *found)
{
    put_line(out, "Estimate", found->estimate);
    if (!shoal_i_is_given(&found->session->original)) {
        return;
    }
    put_line(out, "Exact", found->exact);
    if (isfinite(found->error)) {
        shoal_i_buffer_printf(out, "%-10s%.2f %%\n", "Error", 100 * found->error);
    }
}

static void put_errors(shoal_i_buffer *out, const shoal_i_query_findings *found)
{
    const shoal_i_errors *errors = found->errors;

    shoal_i_buffer_printf(out, "Queries   %zu (%s), %zu of them dropped: exactly 0\n",
                          errors->query_count, found->kind, errors->dropped);
    if (errors->dropped == errors->query_count) {
        return;
    }
    shoal_i_buffer_printf(out, "Error     mean %.2f %%, median %.2f %%\n", 100 * errors->mean,
                          100 * errors->median);
    shoal_i_buffer_text(out, "Quantiles ");
    for (size_t i = 0; i < 5; i++) {
        shoal_i_buffer_printf(out, "%s%g: %.2f %%", i > 0 ? ", " : "",
                              shoal_i_error_quantiles[i], 100 * errors->quantiles[i]);
    }
    shoal_i_buffer_char(out, '\n');
}

/* --- JSON. ------------------------------------------------------------------------------ */

static void put_workload(shoal_i_json *json, const shoal_i_query_findings *found)
{
    const shoal_i_workload *workload = found->workload;
    const shoal_i_quasi *quasi = found->session->prepared.quasi;

    shoal_i_json_object(json, "workload");
    shoal_i_json_text(json, "kind", found->kind);
    shoal_i_json_count(json, "queries", workload->query_count);
    shoal_i_json_count(json, "seed", workload->seed);
    shoal_i_json_array(json, "columns");
    for (size_t i = 0; i < workload->column_count; i++) {
        shoal_i_json_text(json, NULL, quasi->columns[workload->columns[i]].name);
    }
    shoal_i_json_end(json);
    if (workload->kind == SHOAL_I_WORKLOAD_XU_SUM) {
        shoal_i_json_text(json, "sum", quasi->columns[workload->target].name);
    }
    if (workload->kind == SHOAL_I_WORKLOAD_LILI) {
        shoal_i_json_count(json, "qd", workload->dimensions);
        shoal_i_json_number(json, "sel", workload->selectivity);
    }
    shoal_i_json_end(json);
}

static void put_error_figures(shoal_i_json *json, const shoal_i_errors *errors)
{
    static const char *const names[5] = {"0.05", "0.25", "0.75", "0.95", "1"};

    shoal_i_json_count(json, "dropped", errors->dropped);
    shoal_i_json_number(json, "query_error", errors->mean);
    shoal_i_json_number(json, "query_error_median", errors->median);
    shoal_i_json_object(json, "query_error_quantiles");
    for (size_t i = 0; i < 5; i++) {
        shoal_i_json_number(json, names[i], errors->quantiles[i]);
    }
    shoal_i_json_end(json);
}

static void put_json(shoal_i_buffer *out, const shoal_i_query_findings *found)
{
    shoal_i_json json = shoal_i_json_start(out);
    const shoal_i_query_session *s = found->session;

    shoal_i_json_object(&json, NULL);
    shoal_i_report_put_head(&json, "query", s->original.path, s->release.rows.path);
    shoal_i_json_text(&json, "estimator", shoal_i_estimator_words[s->estimator]);
    if (found->query) {
        shoal_i_json_text(&json, "query", found->query);
        shoal_i_json_number(&json, "estimate", found->estimate);
        if (shoal_i_is_given(&s->original)) {
            shoal_i_json_number(&json, "exact", found->exact);
            shoal_i_json_number(&json, "query_error", found->error);
        }
    } else {
        put_workload(&json, found);
        put_error_figures(&json, found->errors);
    }
    shoal_i_report_put_end(&json, found->stages);
    shoal_i_json_end(&json);
}

/* --- The report. ------------------------------------------------------------------------ */

static void add_figures(shoal_report *report, const shoal_i_query_findings *found)
{
    if (!found->query) {
        shoal_i_report_add_figure(report, "dropped", (double)found->errors->dropped);
        shoal_i_report_add_figure(report, "query_error", found->errors->mean);
        shoal_i_report_add_figure(report, "query_error_median", found->errors->median);
        return;
    }
    shoal_i_report_add_figure(report, "estimate", found->estimate);
    if (shoal_i_is_given(&found->session->original)) {
        shoal_i_report_add_figure(report, "exact", found->exact);
        shoal_i_report_add_figure(report, "query_error", found->error);
    }
}

shoal_status shoal_i_query_report(shoal_ctx *ctx, shoal_report **out,
                                  const shoal_i_query_findings *found)
{
    shoal_status st = SHOAL_OK;
    shoal_report *report = NULL;
    shoal_i_buffer text;

    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_TRY(shoal_i_report_new(ctx, &report));
    add_figures(report, found);
    shoal_i_report_add_figure(report, "seconds", shoal_i_stages_total(found->stages));
    if (found->query) {
        put_answer(&text, found);
    } else {
        put_errors(&text, found);
    }
    shoal_i_report_put_seconds_text(&text, found->stages);
    SHOAL_TRY(shoal_i_buffer_take(&report->text, &text));
    put_json(&text, found);
    SHOAL_TRY(shoal_i_buffer_take(&report->json, &text));
    *out = report;
    report = NULL;
done:
    shoal_i_buffer_clear(&text);
    shoal_report_free(report);
    return st;
}

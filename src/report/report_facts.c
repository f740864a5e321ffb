/* The typed parts of a report: figures, requirements, warnings, points of a frontier. All of it
 * is copied, since what it was found in ends with the run. */
#include "report.h"

#include "../base/sized.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A copy of a text in the report; of NULL, "". NULL when there is no memory. */
static const char *keep_text(shoal_ctx *ctx, shoal_report *report, const char *text)
{
    return text && text[0] ? shoal_i_arena_text(ctx, &report->arena, text, strlen(text)) : "";
}

/* --- A new report, with its warnings. --------------------------------------------------- */

static shoal_status add_warnings(shoal_ctx *ctx, shoal_report *report,
                                 const shoal_i_warnings *warnings)
{
    report->warnings =
        shoal_i_arena_alloc(ctx, &report->arena, warnings->count, sizeof *report->warnings);
    if (!report->warnings) {
        return SHOAL_ENOMEM;
    }
    for (const shoal_i_warning *w = warnings->first; w; w = w->next) {
        shoal_warning_facts *facts = &report->warnings[report->warning_count++];

        *facts = (shoal_warning_facts){
            .struct_size = sizeof *facts, .code = w->code, .is_accepted = w->is_accepted};
        facts->column = keep_text(ctx, report, w->column);
        facts->message = keep_text(ctx, report, w->message);
        if (!facts->column || !facts->message) {
            return SHOAL_ENOMEM;
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_i_report_new(shoal_ctx *ctx, shoal_report **out)
{
    shoal_status st = SHOAL_OK;
    shoal_report *report = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, report, 1);
    if (ctx->warnings) {
        SHOAL_TRY(add_warnings(ctx, report, ctx->warnings));
    }
    *out = report;
    report = NULL;
done:
    shoal_report_free(report);
    return st;
}

size_t shoal_report_warning_count(const shoal_report *report)
{
    return report->warning_count;
}

bool shoal_report_warning(const shoal_report *report, size_t warning, shoal_warning_facts *out)
{
    return warning < report->warning_count &&
           shoal_i_sized_fill(out, &report->warnings[warning], sizeof *out);
}

/* --- Figures. --------------------------------------------------------------------------- */

void shoal_i_report_add_figure(shoal_report *report, const char *name, double value)
{
    assert(report->figure_count < SHOAL_I_FIGURES_MAX);
    report->figures[report->figure_count++] = (shoal_i_figure){name, value};
}

double shoal_report_figure(const shoal_report *report, const char *name)
{
    for (size_t i = 0; i < report->figure_count; i++) {
        if (strcmp(report->figures[i].name, name) == 0) {
            return report->figures[i].value;
        }
    }
    return NAN;
}

size_t shoal_report_figure_count(const shoal_report *report)
{
    return report->figure_count;
}

const char *shoal_report_figure_name(const shoal_report *report, size_t figure)
{
    return figure < report->figure_count ? report->figures[figure].name : NULL;
}

double shoal_report_figure_at(const shoal_report *report, size_t figure)
{
    return figure < report->figure_count ? report->figures[figure].value : NAN;
}

/* --- Requirements. ---------------------------------------------------------------------- */

/* What is found of each record and each row, where there are no classes. */
static const char *const candidates =
    "rows that a record could be in, or records that a row could be of";

static shoal_status keep_asked(shoal_ctx *ctx, shoal_report *report, const char **out,
                               const shoal_i_requirement *requirement, shoal_i_shape shape)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer words;

    shoal_i_buffer_init(&words, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_report_put_asked(&words, requirement, shape);
    SHOAL_TRY(shoal_i_buffer_status(&words));
    *out = shoal_i_arena_text(ctx, &report->arena, words.data, words.size);
    st = *out ? SHOAL_OK : SHOAL_ENOMEM;
done:
    shoal_i_buffer_clear(&words);
    return st;
}

static shoal_status add_requirement(shoal_ctx *ctx, shoal_report *report,
                                    const shoal_i_verdict_item *item,
                                    const shoal_i_findings *findings)
{
    const shoal_i_requirement *requirement = &item->requirement;
    const shoal_i_requirement_kind *kind = requirement->kind;
    bool is_by_record = findings->shape == SHOAL_I_SHAPE_RECORDS;
    shoal_requirement_facts *facts = &report->requirements[report->requirement_count++];

    *facts = (shoal_requirement_facts){
        .struct_size = sizeof *facts,
        .key = kind->key,
        .kind = kind->variant ? kind->variant : "",
        .title = kind->title,
        .figure = is_by_record ? candidates : kind->figure,
        .worst_figure = item->worst_figure,
        .bound =
            is_by_record && kind->needs_record_k ? NAN : shoal_i_requirement_bound(requirement),
        .larger_is_safer = kind->larger_is_safer,
        .holds = item->holds,
        .worst_class = item->worst_class,
        .worst_class_size = item->worst_class_size,
        .worst_row = item->worst_row,
        .failing_classes = item->failing_classes,
        .failing_records = item->failing_records,
    };
    facts->column = keep_text(ctx, report,
                              kind->needs_record_k  ? findings->spec->k_column
                              : requirement->column ? requirement->column->name
                                                    : NULL);
    return facts->column ? keep_asked(ctx, report, &facts->asked, requirement, findings->shape)
                         : SHOAL_ENOMEM;
}

shoal_status shoal_i_report_add_verdict(shoal_ctx *ctx, shoal_report *report,
                                        const shoal_i_findings *findings)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < findings->verdict->count; i++) {
        SHOAL_TRY(add_requirement(ctx, report, &findings->verdict->items[i], findings));
    }
done:
    return st;
}

size_t shoal_report_requirement_count(const shoal_report *report)
{
    return report->requirement_count;
}

bool shoal_report_requirement(const shoal_report *report, size_t requirement,
                              shoal_requirement_facts *out)
{
    return requirement < report->requirement_count &&
           shoal_i_sized_fill(out, &report->requirements[requirement], sizeof *out);
}

/* --- Points of a frontier. -------------------------------------------------------------- */

shoal_status shoal_i_report_add_points(shoal_ctx *ctx, shoal_report *report, size_t count)
{
    report->points = shoal_i_arena_alloc(ctx, &report->arena, count, sizeof *report->points);
    if (!report->points) {
        return SHOAL_ENOMEM;
    }
    report->point_count = count;
    return SHOAL_OK;
}

shoal_status shoal_i_report_set_point(shoal_ctx *ctx, shoal_report *report, size_t point,
                                      const shoal_i_point_result *result)
{
    shoal_i_point_result *kept = &report->points[point];
    const char **const texts[] = {&kept->facts.requirement, &kept->facts.method,
                                  &kept->facts.state,       &kept->facts.reason,
                                  &kept->facts.shape,       &kept->spec};

    *kept = *result;
    kept->facts.struct_size = sizeof kept->facts;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = keep_text(ctx, report, *texts[i]);
        if (!*texts[i]) {
            return SHOAL_ENOMEM;
        }
    }
    return SHOAL_OK;
}

size_t shoal_report_point_count(const shoal_report *report)
{
    return report->point_count;
}

bool shoal_report_point(const shoal_report *report, size_t point, shoal_point_facts *out)
{
    return point < report->point_count &&
           shoal_i_sized_fill(out, &report->points[point].facts, sizeof *out);
}

double shoal_report_point_figure(const shoal_report *report, size_t point, const char *name)
{
    if (point >= report->point_count) {
        return NAN;
    }
    const shoal_i_point_result *result = &report->points[point];
    bool is_done = result->facts.shape[0] != '\0';

    for (size_t i = 0; is_done && i < SHOAL_I_BY_COUNT; i++) {
        if (strcmp(shoal_i_axis_words[i], name) == 0) {
            return result->figures[i];
        }
    }
    if (is_done && strcmp(name, "classes") == 0) {
        return (double)result->facts.classes;
    }
    if (is_done && strcmp(name, "smallest_class") == 0) {
        return (double)result->facts.smallest_class;
    }
    if (is_done && strcmp(name, "seconds") == 0) {
        return result->facts.seconds;
    }
    return strcmp(name, "value") == 0 ? result->value : NAN;
}

const char *shoal_report_point_spec(const shoal_report *report, size_t point)
{
    return point < report->point_count ? report->points[point].spec : NULL;
}

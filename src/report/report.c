#include "report.h"

#include "../base/file.h"
#include "report_html.h"

#include <math.h>
#include <string.h>

void shoal_report_free(shoal_report *report)
{
    if (report) {
        shoal_i_arena_clear(&report->arena);
        shoal_i_attack_findings_clear(&report->attacks);
        free(report->text);
        free(report->json);
        free(report->spec);
        free(report->csv);
        free(report->svg);
        free(report->html);
        free(report->external);
        free(report);
    }
}

const char *shoal_i_report_group(shoal_i_shape shape)
{
    return shape == SHOAL_I_SHAPE_BUCKETS ? "bucket" : "class";
}

const char *shoal_i_report_groups(shoal_i_shape shape)
{
    return shape == SHOAL_I_SHAPE_BUCKETS ? "buckets" : "classes";
}

void shoal_i_report_put_asked(shoal_i_buffer *out, const shoal_i_requirement *requirement,
                              shoal_i_shape shape)
{
    if (shape != SHOAL_I_SHAPE_RECORDS) {
        requirement->kind->describe(requirement, shoal_i_report_group(shape), out);
    } else if (requirement->kind->needs_record_k) {
        shoal_i_buffer_text(out, "every record could be in as many rows as it asks for");
    } else {
        shoal_i_buffer_printf(out,
                              "every record could be in any of at least %.0f row%s, and every "
                              "row be of any of as many records",
                              requirement->value, requirement->value == 1 ? "" : "s");
    }
}

bool shoal_i_report_is_blind(const shoal_i_findings *findings)
{
    return strcmp(findings->command, "anonymize") == 0 &&
           (findings->spec->defended & SHOAL_I_AGAINST_MINIMALITY) != 0;
}

bool shoal_i_report_counts_rows(const shoal_i_findings *findings)
{
    return findings->verdict && findings->verdict->persons == 0 &&
           findings->shape != SHOAL_I_SHAPE_RECORDS && shoal_i_spec_person(findings->spec);
}

const char *shoal_i_report_note(shoal_i_shape shape)
{
    static const char *const notes[] = {
        [SHOAL_I_SHAPE_RECORDS] =
            "Values outside the quasi-identifier were dealt out anew: a row carries those of "
            "one of the records that lie in its box. What a record's values tell about it is "
            "not limited beyond that.",
        [SHOAL_I_SHAPE_BUCKETS] =
            "Identities are not hidden: quasi-identifiers are published as they are, and "
            "whoever knows one finds the person's record. Only sensitive values are "
            "protected: they are told per bucket, and what is asked of classes holds for "
            "buckets.",
    };

    return (size_t)shape < sizeof notes / sizeof *notes ? notes[shape] : NULL;
}

const char *shoal_i_report_role(const shoal_i_findings *findings, size_t column)
{
    const shoal_i_original *original = &findings->original;

    return shoal_i_spec_is_undecided(findings->spec, shoal_table_name(original->table, column))
               ? "none"
               : shoal_role_name(original->roles[column]);
}

static bool makes_release(const shoal_i_findings *findings)
{
    return findings->original.table && findings->loss && findings->verdict;
}

bool shoal_i_report_is_as_is(const shoal_i_findings *findings, size_t column)
{
    return makes_release(findings) &&
           findings->original.roles[column] == SHOAL_ROLE_INSENSITIVE;
}

bool shoal_i_report_is_left_out(const shoal_i_findings *findings, size_t column)
{
    return makes_release(findings) && !findings->spec->releases_rest &&
           shoal_i_spec_is_undecided(findings->spec,
                                     shoal_table_name(findings->original.table, column));
}

bool shoal_i_report_passes(const shoal_i_findings *findings)
{
    return findings->verdict && findings->verdict->holds && findings->withheld_count == 0 &&
           !findings->is_held_back;
}

static void add_loss(shoal_report *report, const shoal_i_loss *loss)
{
    shoal_i_report_add_figure(report, "records", (double)loss->records);
    shoal_i_report_add_figure(report, "classes", (double)loss->classes);
    shoal_i_report_add_figure(report, "smallest_class", (double)loss->smallest_class);
    shoal_i_report_add_figure(report, "ncp", loss->ncp);
    shoal_i_report_add_figure(report, "gcp", loss->gcp);
    shoal_i_report_add_figure(report, "discernibility", loss->discernibility);
    shoal_i_report_add_figure(report, "average_class_size", loss->average_class_size);
    shoal_i_report_add_figure(report, "distortion_ratio", loss->distortion_ratio);
}

static void add_tradeoff(shoal_report *report, const shoal_i_tradeoff *tradeoff)
{
    if (tradeoff->privacy) {
        shoal_i_report_add_figure(report, "privacy_loss", shoal_i_tradeoff_privacy(tradeoff));
    }
    if (tradeoff->utility) {
        shoal_i_report_add_figure(report, "utility_loss", shoal_i_tradeoff_utility(tradeoff));
    }
}

/* Where persons were counted. */
static void add_persons(shoal_report *report, const shoal_i_verdict *verdict)
{
    if (verdict->persons > 0) {
        shoal_i_report_add_figure(report, "persons", (double)verdict->persons);
        shoal_i_report_add_figure(report, "fewest_persons", (double)verdict->fewest_persons);
    }
}

static void add_verdict(shoal_report *report, const shoal_i_verdict *verdict)
{
    shoal_i_report_add_figure(report, "records", (double)verdict->records);
    shoal_i_report_add_figure(report, "classes", (double)verdict->classes);
    shoal_i_report_add_figure(report, "smallest_class", (double)verdict->smallest_class);
}

static void add_risk(shoal_report *report, const shoal_i_risk *risk)
{
    const shoal_i_identity_risk *last = risk->has_release ? &risk->release : &risk->original;

    shoal_i_report_add_figure(report, "uniques", (double)last->uniques);
    shoal_i_report_add_figure(report, "prosecutor_highest", last->prosecutor.highest);
    shoal_i_report_add_figure(report, "prosecutor_mean", last->prosecutor.mean);
    shoal_i_report_add_figure(report, "marketer", last->marketer);
}

/* The pages of a full report. */
static shoal_status add_pages(shoal_ctx *ctx, shoal_report *report,
                              const shoal_i_findings *findings)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_report_page(ctx, &report->html, findings, false));
    SHOAL_TRY(shoal_i_report_page(ctx, &report->external, findings, true));
done:
    return st;
}

/* Whether no attack reached more than was promised. */
static bool keeps_promises(const shoal_i_attack_findings *attacks)
{
    for (size_t i = 0; i < attacks->count; i++) {
        if (!shoal_i_attack_is_kept(&attacks->items[i])) {
            return false;
        }
    }
    return true;
}

shoal_status shoal_i_report_build(shoal_ctx *ctx, shoal_report **out,
                                  const shoal_i_findings *findings)
{
    shoal_status st = SHOAL_OK;
    shoal_report *report = NULL;
    shoal_i_buffer text;

    *out = NULL;
    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_TRY(shoal_i_report_new(ctx, &report));
    if (findings->loss) {
        add_loss(report, findings->loss);
    } else if (findings->verdict) {
        add_verdict(report, findings->verdict);
    } else {
        shoal_i_report_add_figure(report, "records",
                                  findings->attacks
                                      ? (double)shoal_table_row_count(findings->original.table)
                                      : (double)findings->details->risk.original.records);
    }
    if (findings->details && findings->details->risk.original.records > 0) {
        add_risk(report, &findings->details->risk);
    }
    if (findings->tradeoff) {
        add_tradeoff(report, findings->tradeoff);
    }
    if (findings->gap && findings->gap->is_known) {
        shoal_i_report_add_figure(report, "bound", findings->gap->gcp);
        if (!isnan(findings->gap->times)) {
            shoal_i_report_add_figure(report, "gap", findings->gap->times);
        }
    }
    shoal_i_report_add_figure(report, "seconds", shoal_i_stages_total(findings->stages));
    report->holds = shoal_i_report_passes(findings);
    report->is_shared = findings->spec->shares_reports;
    if (findings->attacks) {
        SHOAL_TRY(shoal_i_report_add_attacks(ctx, report, findings->attacks));
        report->holds = findings->verdict ? report->holds : keeps_promises(findings->attacks);
    }
    if (findings->verdict) {
        add_persons(report, findings->verdict);
        SHOAL_TRY(shoal_i_report_add_verdict(ctx, report, findings));
    }

    shoal_i_report_put_text(&text, findings);
    SHOAL_TRY(shoal_i_buffer_take(&report->text, &text));
    shoal_i_report_put_json(&text, findings);
    SHOAL_TRY(shoal_i_buffer_take(&report->json, &text));
    if (findings->spec->is_full_report) {
        SHOAL_TRY(add_pages(ctx, report, findings));
    }
    *out = report;
    report = NULL;
done:
    shoal_i_buffer_clear(&text);
    shoal_report_free(report);
    return st;
}

const char *shoal_report_text(const shoal_report *report)
{
    return report->text ? report->text : "";
}

const char *shoal_report_json(const shoal_report *report)
{
    return report->json ? report->json : "";
}

const char *shoal_report_spec(const shoal_report *report)
{
    return report->spec ? report->spec : "";
}

const char *shoal_report_html(const shoal_report *report)
{
    return report->html ? report->html : "";
}

const char *shoal_report_external(const shoal_report *report)
{
    return report->external ? report->external : "";
}

const char *shoal_report_csv(const shoal_report *report)
{
    return report->csv ? report->csv : "";
}

const char *shoal_report_svg(const shoal_report *report)
{
    return report->svg ? report->svg : "";
}

bool shoal_report_holds(const shoal_report *report)
{
    return report->holds;
}

/* --- Writing. --------------------------------------------------------------------------- */

static bool has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path);
    size_t end = strlen(ending);

    return length > end && strcmp(path + length - end, ending) == 0;
}

/* What an ending asks for. */
typedef enum form { FORM_JSON, FORM_SPEC, FORM_CSV, FORM_SVG, FORM_HTML, FORM_NONE } form;

static form find_form(const char *path)
{
    static const struct {
        const char *ending;
        form form;
    } endings[] = {
        {".json", FORM_JSON}, {".yaml", FORM_SPEC}, {".yml", FORM_SPEC}, {".csv", FORM_CSV},
        {".svg", FORM_SVG},   {".html", FORM_HTML}, {".htm", FORM_HTML},
    };

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (has_ending(path, endings[i].ending)) {
            return endings[i].form;
        }
    }
    return FORM_NONE;
}

shoal_status shoal_report_check(shoal_ctx *ctx, const char *path)
{
    SHOAL_ENTER(ctx, path);

    if (find_form(path) != FORM_HTML && find_form(path) != FORM_JSON &&
        find_form(path) != FORM_SPEC) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "The ending of a report's name says what to write; expected .html or "
                     ".json.");
        return shoal_i_fail_in(ctx, path, 0, 0);
    }
    return SHOAL_OK;
}

shoal_status shoal_report_check_external(shoal_ctx *ctx, const char *path)
{
    SHOAL_ENTER(ctx, path);

    if (find_form(path) != FORM_HTML) {
        shoal_i_fail(ctx, SHOAL_EINVAL, "A report for others is a page; expected .html.");
        return shoal_i_fail_in(ctx, path, 0, 0);
    }
    return SHOAL_OK;
}

static shoal_status write_content(shoal_ctx *ctx, const char *content, const char *path,
                                  bool is_private)
{
    if (!content) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "This report cannot be written so: a page comes of a full report "
                     "(report.detail) or a frontier, a spec of a look at a raw file, a table "
                     "and a picture of a frontier.");
        return shoal_i_fail_in(ctx, path, 0, 0);
    }
    return shoal_i_output_write_all(ctx, path, content, strlen(content), is_private);
}

shoal_status shoal_report_write(shoal_ctx *ctx, const shoal_report *report, const char *path)
{
    SHOAL_ENTER(ctx, report, path);
    const char *const contents[FORM_NONE + 1] = {
        [FORM_JSON] = report->json, [FORM_SPEC] = report->spec, [FORM_CSV] = report->csv,
        [FORM_SVG] = report->svg,   [FORM_HTML] = report->html,
    };

    form asked = find_form(path);
    bool is_private = (asked == FORM_JSON || asked == FORM_HTML) && !report->is_shared;

    return write_content(ctx, contents[asked], path, is_private);
}

shoal_status shoal_report_write_external(shoal_ctx *ctx, const shoal_report *report,
                                         const char *path)
{
    SHOAL_ENTER(ctx, report, path);
    shoal_status st = shoal_report_check_external(ctx, path);

    return st == SHOAL_OK ? write_content(ctx, report->external, path, false) : st;
}

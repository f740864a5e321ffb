/* The page of a report: its head, a glance, and the sections of page_order.c. */
#include "report_html.h"

#include <string.h>

static bool has_risk(const shoal_i_html *html)
{
    return html->findings->details && html->findings->details->risk.original.crowds > 0;
}

/* The last part of a path. */
static const char *find_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* --- The head. -------------------------------------------------------------------------- */

static const char *find_title(const shoal_i_html *html)
{
    static const struct {
        const char *command;
        const char *title;
    } titles[] = {{"anonymize", "Anonymization report"},
                  {"verify", "Verification report"},
                  {"measure", "Release report"},
                  {"refine", "Refinement report"},
                  {"risk", "Risk report"},
                  {"attack", "Attack report"}};

    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        if (strcmp(titles[i].command, html->findings->command) == 0) {
            return titles[i].title;
        }
    }
    return "Report";
}

/* What the spec calls it, or else the kind of report. */
static const char *find_heading(const shoal_i_html *html)
{
    const char *given = html->findings->spec->report_title;

    return given ? given : find_title(html);
}

static void put_start(shoal_i_html *html)
{
    shoal_i_html_raw(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                           "<meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width, "
                           "initial-scale=1\">\n"
                           "<meta name=\"referrer\" content=\"no-referrer\">\n"
                           "<meta http-equiv=\"Content-Security-Policy\" "
                           "content=\"default-src 'none'; style-src 'unsafe-inline'; "
                           "img-src data:\">\n"
                           "<link rel=\"icon\" href=\"data:,\">\n<title>");
    shoal_i_html_text(html, find_heading(html));
    if (!html->is_external && html->findings->release) {
        shoal_i_html_raw(html, ": ");
        shoal_i_html_text(html, find_name(html->findings->release));
    }
    shoal_i_html_raw(html, "</title>\n<style>\n");
    for (const char *const *line = shoal_i_html_style; *line; line++) {
        shoal_i_html_raw(html, *line);
    }
    shoal_i_html_raw(html, "</style>\n</head>\n<body>\n<header>\n<h1>");
    shoal_i_html_text(html, find_heading(html));
    shoal_i_html_raw(html, "</h1>\n");
    shoal_i_html_about(html);
    shoal_i_html_raw(html, "<p class=\"soft\">");
    if (html->findings->spec->report_title) {
        shoal_i_buffer_printf(html->out, "%s. ", find_title(html));
    }
    if (html->is_external) {
        shoal_i_html_raw(html, "For readers outside: without values of the data, without names "
                               "of files and without what would help to repeat the run. ");
    } else if (html->findings->release) {
        shoal_i_html_raw(html, "Of the release <strong>");
        shoal_i_html_text(html, find_name(html->findings->release));
        shoal_i_html_raw(html, "</strong>. Shows how often values occur: for internal use. ");
    }
    if (html->is_external) {
        shoal_i_html_raw(html, "Made by Shoal.</p>\n");
    } else {
        shoal_i_buffer_printf(html->out, "Made by Shoal %s.</p>\n", shoal_version());
    }
}

/* Whether this run has the section. */
static bool is_shown(const shoal_i_html *html, const shoal_i_page_section *section)
{
    return !section->has || section->has(html->findings);
}

static void put_link(shoal_i_html *html, const char *anchor, const char *title)
{
    shoal_i_buffer_printf(html->out, "<li><a href=\"#%s\">%s</a></li>\n", anchor, title);
}

static void put_contents(shoal_i_html *html)
{
    shoal_i_html_raw(html, "<nav aria-label=\"Contents\"><ul>\n");
    for (const shoal_i_page_section *section = shoal_i_page_sections; section->put; section++) {
        if (is_shown(html, section)) {
            put_link(html, section->anchor, section->link);
        }
    }
    shoal_i_html_raw(html, "</ul></nav>\n</header>\n<main>\n");
}

/* --- At a glance. ----------------------------------------------------------------------- */

static const char *name_everywhere(shoal_i_shape shape)
{
    static const char *const words[] = {
        [SHOAL_I_SHAPE_CLASSES] = " in every class of the release",
        [SHOAL_I_SHAPE_RECORDS] = " for every record and row of the release",
        [SHOAL_I_SHAPE_BUCKETS] = " in every bucket of the release",
    };

    return words[shape];
}

/* What the verdict says beside its sign. */
static void put_holding(shoal_i_html *html)
{
    const shoal_i_verdict *verdict = html->findings->verdict;

    shoal_i_buffer_printf(html->out, "%s asked for %s%s.",
                          verdict->count == 1 ? "The requirement" : "All requirements",
                          verdict->count == 1 ? "holds" : "hold",
                          name_everywhere(html->findings->shape));
}

/* Those that somebody accepted, or the others. */
static void put_warning_list(shoal_i_html *html, const shoal_i_warnings *warnings,
                             bool is_accepted)
{
    shoal_i_html_raw(html, "<ul>\n");
    for (const shoal_i_warning *w = warnings->first; w; w = w->next) {
        if (w->is_accepted == is_accepted) {
            shoal_i_html_raw(html, "<li>");
            shoal_i_html_text(html, w->message);
            shoal_i_html_raw(html, " <code>");
            shoal_i_html_text(html, w->code);
            shoal_i_html_raw(html, "</code></li>\n");
        }
    }
    shoal_i_html_raw(html, "</ul>\n");
}

/* Columns that are in the release and must not be. */
static void put_withheld(shoal_i_html *html)
{
    const shoal_i_findings *findings = html->findings;

    for (size_t i = 0; i < findings->withheld_count; i++) {
        shoal_i_html_raw(html,
                         i == 0 ? " Columns that must not be released are in it: " : ", ");
        shoal_i_html_text(html, findings->withheld[i]);
    }
    shoal_i_html_raw(html, findings->withheld_count > 0 ? "." : "");
}

/* Red: something asked for does not hold. Amber: all holds, but something known speaks against
 * publishing. Green: nothing known does. Runs that verify nothing have warnings only. */
static void put_verdict_line(shoal_i_html *html)
{
    const shoal_i_verdict *verdict = html->findings->verdict;
    const shoal_i_warnings *warnings = html->out->ctx->warnings;
    size_t open = warnings ? warnings->open_count : 0;
    size_t accepted = warnings ? warnings->count - open : 0;

    if (!verdict && open + accepted == 0) {
        return;
    }
    bool is_withheld_in = html->findings->withheld_count > 0;

    if (verdict && (!verdict->holds || is_withheld_in)) {
        shoal_i_html_raw(html, "<div class=\"verdict bad\" role=\"status\"><p><strong>✗ Not "
                               "met.</strong>");
        shoal_i_html_raw(html, verdict->holds ? ""
                                              : " At least one requirement does not hold: see "
                                                "the table below.");
        put_withheld(html);
    } else if (open > 0) {
        shoal_i_html_raw(html, verdict ? "<div class=\"verdict warn\" role=\"status\">"
                                         "<p><strong>! Verified, with warnings.</strong> "
                                       : "<div class=\"verdict warn\" role=\"status\">"
                                         "<p><strong>! Warnings.</strong>");
    } else {
        shoal_i_html_raw(html, "<div class=\"verdict\" role=\"status\"><p><strong>");
        shoal_i_html_raw(html, verdict ? "✓ Verified.</strong> " : "✓</strong>");
    }
    if (verdict && verdict->holds && !is_withheld_in) {
        put_holding(html);
    }
    if (open > 0) {
        shoal_i_html_raw(html, " This speaks against publishing:</p>\n");
        put_warning_list(html, warnings, false);
        shoal_i_html_raw(html, html->findings->is_held_back
                                   ? "<p>Nothing may be published while nobody accepts it."
                                   : "<p>");
    }
    if (accepted > 0) {
        shoal_i_html_raw(html, " Accepted, as somebody decided to live with it:</p>\n");
        put_warning_list(html, warnings, true);
        shoal_i_html_raw(html, "<p>");
    }
    shoal_i_html_raw(html, "</p></div>\n");
}

static void start_tile(shoal_i_html *html, const char *title)
{
    shoal_i_buffer_printf(html->out, "<div><dt>%s</dt><dd>", title);
}

static void end_tile(shoal_i_html *html)
{
    shoal_i_html_raw(html, "</dd></div>\n");
}

static void put_count_tile(shoal_i_html *html, const char *title, const char *figure,
                           uint64_t count)
{
    start_tile(html, title);
    shoal_i_html_count(html, figure, count);
    end_tile(html);
}

static void put_loss_tiles(shoal_i_html *html)
{
    const shoal_i_loss *loss = html->findings->loss;

    put_count_tile(html, "Records", "records", loss->records);
    start_tile(html, "Classes");
    shoal_i_html_count(html, "classes", loss->classes);
    shoal_i_html_raw(html, "<small>of ");
    shoal_i_html_count(html, "smallest_class", loss->smallest_class);
    shoal_i_html_raw(html, " to ");
    shoal_i_html_count(html, "largest_class", loss->largest_class);
    shoal_i_html_raw(html, " records</small>");
    end_tile(html);
    start_tile(html, "Information lost (GCP)");
    shoal_i_html_share(html, "gcp", loss->gcp);
    end_tile(html);
    put_count_tile(html, "Suppressed records", "suppression.records", loss->suppressed);
}

static void put_verdict_tiles(shoal_i_html *html)
{
    const shoal_i_verdict *verdict = html->findings->verdict;

    put_count_tile(html, "Records", "records", verdict->records);
    put_count_tile(html, "Classes", "classes", verdict->classes);
    put_count_tile(html, "Smallest class", "smallest_class", verdict->smallest_class);
}

/* How many persons the records are of. */
static void put_person_tiles(shoal_i_html *html)
{
    const shoal_i_verdict *verdict = html->findings->verdict;

    if (verdict && verdict->persons > 0) {
        start_tile(html, "Persons");
        shoal_i_html_count(html, "persons", verdict->persons);
        shoal_i_html_raw(html, "<small>at least ");
        shoal_i_html_count(html, "fewest_persons", verdict->fewest_persons);
        shoal_i_html_raw(html, " in every class</small>");
        end_tile(html);
    } else if (shoal_i_report_counts_rows(html->findings)) {
        start_tile(html, "Persons");
        shoal_i_html_raw(html, "not known<small>" SHOAL_I_ROWS_NOTE "</small>");
        end_tile(html);
    }
}

static void put_risk_tiles(shoal_i_html *html)
{
    const shoal_i_risk *risk = &html->findings->details->risk;
    const shoal_i_identity_risk *last = risk->has_release ? &risk->release : &risk->original;

    start_tile(html, "Unique records");
    shoal_i_html_count(html, NULL, last->uniques);
    if (risk->has_release) {
        shoal_i_html_raw(html, "<small>of the original: ");
        shoal_i_html_count(html, NULL, risk->original.uniques);
        shoal_i_html_raw(html, "</small>");
    }
    end_tile(html);
    start_tile(html, "Highest chance to be found");
    shoal_i_html_share(html, NULL, last->prosecutor.highest);
    if (risk->has_release) {
        shoal_i_html_raw(html, "<small>in the original: ");
        shoal_i_html_share(html, NULL, risk->original.prosecutor.highest);
        shoal_i_html_raw(html, "</small>");
    }
    end_tile(html);
}

static void put_glance(shoal_i_html *html)
{
    const char *note = shoal_i_report_note(html->findings->shape);

    put_verdict_line(html);
    if (html->findings->is_test_seeded) {
        shoal_i_html_raw(html,
                         "<div class=\"verdict bad\" role=\"alert\"><p><strong>✗ Not for "
                         "publication.</strong> What protects people here was drawn by a "
                         "test’s seed (<code>test_seed</code>): whoever knows that number "
                         "can undo the release.</p></div>\n");
    }
    if (note) {
        shoal_i_html_raw(html, "<div class=\"verdict bad\"><p>");
        shoal_i_html_text(html, note);
        shoal_i_html_raw(html, "</p></div>\n");
    }
    shoal_i_html_raw(html, "<dl class=\"tiles\">\n");
    if (html->findings->loss) {
        put_loss_tiles(html);
    } else if (html->findings->verdict) {
        put_verdict_tiles(html);
    }
    put_person_tiles(html);
    if (has_risk(html)) {
        put_risk_tiles(html);
    }
    shoal_i_html_raw(html, "</dl>\n");
}

/* --- The page. -------------------------------------------------------------------------- */

/* As an image, in which nothing can run, whoever made it. */
void shoal_i_html_frontier(shoal_i_html *html)
{
    const shoal_i_details *details = html->findings->details;

    shoal_i_html_section_start(html, "frontier", "Which other releases could be made?");
    shoal_i_html_raw(
        html, "<p>Every mark is a release that was tried before this one was chosen. Left and "
              "low is good; the dashed line joins those that no other beats on both "
              "axes.</p>\n<img alt=\"The figures of the releases that were tried\" "
              "style=\"max-width:100%;height:auto\" "
              "src=\"data:image/svg+xml;base64,");
    shoal_i_buffer_base64(html->out, details->frontier, details->frontier_size);
    shoal_i_html_raw(html, "\">\n");
    shoal_i_html_section_end(html);
}

static void put_page(shoal_i_html *html)
{
    put_start(html);
    put_contents(html);
    put_glance(html);
    for (const shoal_i_page_section *section = shoal_i_page_sections; section->put; section++) {
        if (is_shown(html, section)) {
            section->put(html);
        }
    }
    shoal_i_html_raw(html, "</main>\n<footer><p>Figures are defined in Shoal’s documentation "
                           "(measures, risk). This page is one file and loads nothing from "
                           "elsewhere.</p></footer>\n</body>\n</html>\n");
}

shoal_status shoal_i_report_page(shoal_ctx *ctx, char **out, const shoal_i_findings *findings,
                                 bool is_external)
{
    bool shows_values = ctx->show_values;
    shoal_i_buffer page;
    shoal_i_html html = {.out = &page, .findings = findings, .is_external = is_external};

    shoal_i_buffer_init(&page, ctx, SHOAL_I_BUFFER_MAX);
    ctx->show_values = shows_values && !is_external;
    put_page(&html);
    ctx->show_values = shows_values;
    return shoal_i_buffer_take(out, &page);
}

/* The page of a report: its head, and its sections in the order a board asks for them. */
#include "report_html.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FIGURE_MAX 96

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
                  {"risk", "Risk report"}};

    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        if (strcmp(titles[i].command, html->findings->command) == 0) {
            return titles[i].title;
        }
    }
    return "Report";
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
    shoal_i_html_text(html, find_title(html));
    if (!html->is_external && html->findings->release) {
        shoal_i_html_raw(html, ": ");
        shoal_i_html_text(html, find_name(html->findings->release));
    }
    shoal_i_html_raw(html, "</title>\n<style>\n");
    for (const char *const *line = shoal_i_html_style; *line; line++) {
        shoal_i_html_raw(html, *line);
    }
    shoal_i_html_raw(html, "</style>\n</head>\n<body>\n<header>\n<h1>");
    shoal_i_html_text(html, find_title(html));
    shoal_i_html_raw(html, "</h1>\n<p class=\"soft\">");
    if (html->is_external) {
        shoal_i_html_raw(html, "For readers outside: without values of the data and without "
                               "names of files. ");
    } else if (html->findings->release) {
        shoal_i_html_raw(html, "Of the release <strong>");
        shoal_i_html_text(html, find_name(html->findings->release));
        shoal_i_html_raw(html, "</strong>. Shows how often values occur: for internal use. ");
    }
    shoal_i_buffer_printf(html->out, "Made by Shoal %s.</p>\n", shoal_version());
}

static void put_link(shoal_i_html *html, const char *anchor, const char *title)
{
    shoal_i_buffer_printf(html->out, "<li><a href=\"#%s\">%s</a></li>\n", anchor, title);
}

static bool has_frontier(const shoal_i_html *html)
{
    return html->findings->details && html->findings->details->frontier;
}

static void put_contents(shoal_i_html *html)
{
    shoal_i_html_raw(html, "<nav aria-label=\"Contents\"><ul>\n");
    if (html->findings->verdict) {
        put_link(html, "asked", "Asked and verified");
    }
    if (has_risk(html)) {
        put_link(html, "risk", "Risk");
        put_link(html, "combinations", "What singles out");
        if (html->findings->details->risk.attribute_count > 0) {
            put_link(html, "attributes", "Sensitive values");
        }
    }
    if (html->findings->loss) {
        put_link(html, "loss", "Loss");
    }
    if (html->findings->details && html->findings->details->distributions) {
        put_link(html, "values", "Values");
        put_link(html, "queries", "Queries");
    }
    if (has_frontier(html)) {
        put_link(html, "frontier", "Other releases");
    }
    put_link(html, "limits", "Limits");
    put_link(html, "configuration", "Files and configuration");
    shoal_i_html_raw(html, "</ul></nav>\n</header>\n<main>\n");
}

/* --- At a glance. ----------------------------------------------------------------------- */

static void put_verdict_line(shoal_i_html *html)
{
    const shoal_i_verdict *verdict = html->findings->verdict;

    if (!verdict) {
        return;
    }
    if (verdict->holds) {
        shoal_i_html_raw(html, "<div class=\"verdict\" role=\"status\"><p><strong>✓ "
                               "Verified.</strong> ");
        shoal_i_buffer_printf(html->out, "%s asked for %s in every class of the release.",
                              verdict->count == 1 ? "The requirement" : "All requirements",
                              verdict->count == 1 ? "holds" : "hold");
    } else {
        shoal_i_html_raw(html, "<div class=\"verdict bad\" role=\"status\"><p><strong>✗ Not "
                               "met.</strong> At least one requirement does not hold: see the "
                               "table below.");
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

static void put_loss_tiles(shoal_i_html *html)
{
    const shoal_i_loss *loss = html->findings->loss;

    start_tile(html, "Records");
    shoal_i_html_count(html, "records", loss->records);
    end_tile(html);
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
    start_tile(html, "Suppressed records");
    shoal_i_html_count(html, "suppression.records", loss->suppressed);
    end_tile(html);
}

static void put_verdict_tiles(shoal_i_html *html)
{
    const shoal_i_verdict *verdict = html->findings->verdict;

    start_tile(html, "Records");
    shoal_i_html_count(html, "records", verdict->records);
    end_tile(html);
    start_tile(html, "Classes");
    shoal_i_html_count(html, "classes", verdict->classes);
    end_tile(html);
    start_tile(html, "Smallest class");
    shoal_i_html_count(html, "smallest_class", verdict->smallest_class);
    end_tile(html);
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
    if (has_risk(html)) {
        put_risk_tiles(html);
    }
    shoal_i_html_raw(html, "</dl>\n");
}

/* --- What was asked and verified. ------------------------------------------------------- */

static void put_requirement(shoal_i_html *html, const shoal_i_verdict_item *item, size_t i)
{
    shoal_i_buffer words;
    char figure[FIGURE_MAX];

    shoal_i_html_row_start(html, item->requirement.kind->title);
    shoal_i_html_raw(html, "<td class=\"text\">");
    shoal_i_buffer_init(&words, html->out->ctx, SHOAL_I_BUFFER_MAX);
    item->requirement.kind->describe(&item->requirement, &words);
    shoal_i_html_words(html, &words);
    shoal_i_buffer_printf(html->out, "</td><td class=\"text %s</td>",
                          item->holds ? "ok\">holds" : "no\">violated");
    snprintf(figure, sizeof figure, "requirements.%zu.worst_figure", i);
    shoal_i_html_number_cell(html, figure, item->worst_figure);
    snprintf(figure, sizeof figure, "requirements.%zu.worst_class_size", i);
    shoal_i_html_count_cell(html, figure, item->worst_class_size);
    snprintf(figure, sizeof figure, "requirements.%zu.failing_records", i);
    shoal_i_html_count_cell(html, figure, item->failing_records);
    shoal_i_html_raw(html, "</tr>\n");
}

static void put_asked(shoal_i_html *html)
{
    static const char *const columns[] = {
        "requirement",       "~asked", "~verdict", "worst figure", "size of that class",
        "records that fail", NULL};
    const shoal_i_verdict *verdict = html->findings->verdict;

    if (!verdict) {
        return;
    }
    shoal_i_html_section_start(html, "asked", "What was asked, and what was verified");
    shoal_i_html_raw(html, "<p>Checked on the very bytes of the release, class by class. The "
                           "worst figure is that of the class that comes nearest to a "
                           "violation.</p>\n");
    shoal_i_html_table_start(html, "Requirements", columns);
    for (size_t i = 0; i < verdict->count; i++) {
        put_requirement(html, &verdict->items[i], i);
    }
    shoal_i_html_table_end(html);
    if (html->findings->loss) {
        shoal_i_html_raw(html, html->findings->checked_cover
                                   ? "<p>Every record was found to lie within what is "
                                     "published for it.</p>\n"
                                   : "<p>Whether records lie within what is published for "
                                     "them was not checked: means and medians cover "
                                     "nothing.</p>\n");
    }
    shoal_i_html_section_end(html);
}

/* --- Loss. ------------------------------------------------------------------------------ */

static void put_loss_columns(shoal_i_html *html, const shoal_i_loss *loss)
{
    static const char *const columns[] = {"column", "loss", "suppressed cells", "weight", NULL};
    char figure[FIGURE_MAX];

    shoal_i_html_table_start(html, "Loss of each column", columns);
    for (size_t i = 0; i < loss->column_count; i++) {
        const shoal_i_column_loss *column = &loss->columns[i];

        shoal_i_html_row_start(html, column->name);
        snprintf(figure, sizeof figure, "columns.%zu.loss", i);
        shoal_i_html_bar_cell(html, figure, column->loss);
        snprintf(figure, sizeof figure, "columns.%zu.suppressed", i);
        shoal_i_html_count_cell(html, figure, column->suppressed);
        snprintf(figure, sizeof figure, "columns.%zu.weight", i);
        shoal_i_html_number_cell(html, figure, column->weight);
        shoal_i_html_raw(html, "</tr>\n");
    }
    shoal_i_html_table_end(html);
}

static void put_figure_row(shoal_i_html *html, const char *title, const char *figure,
                           double value, const char *meaning)
{
    shoal_i_html_row_start(html, title);
    shoal_i_html_number_cell(html, figure, value);
    shoal_i_html_raw(html, "<td class=\"text\">");
    shoal_i_html_raw(html, meaning);
    shoal_i_html_raw(html, "</td></tr>\n");
}

static void put_loss_figures(shoal_i_html *html, const shoal_i_findings *findings)
{
    static const char *const columns[] = {"figure", "value", "~meaning", NULL};
    const shoal_i_loss *loss = findings->loss;
    const shoal_i_tradeoff *tradeoff = findings->tradeoff;

    shoal_i_html_table_start(html, "Figures of the whole release", columns);
    put_figure_row(html, "GCP", "gcp", loss->gcp,
                   "share of all information lost: 0 nothing, 1 everything");
    put_figure_row(html, "NCP", "ncp", loss->ncp, "certainty penalty, summed over all cells");
    put_figure_row(html, "Discernibility", "discernibility", loss->discernibility,
                   "every record charged the size of its class");
    put_figure_row(html, "Average class size", "average_class_size", loss->average_class_size,
                   "as a multiple of k");
    put_figure_row(html, "Distortion ratio", "distortion_ratio", loss->distortion_ratio,
                   "how high values were lifted in their hierarchies");
    if (findings->gap && findings->gap->is_known) {
        put_figure_row(html, "Lower bound of the GCP", "bound.gcp", findings->gap->gcp,
                       "no release that meets the requirements loses less");
    }
    if (tradeoff && tradeoff->count > 0 && tradeoff->privacy) {
        put_figure_row(html, "Privacy loss", "privacy_loss", shoal_i_tradeoff_privacy(tradeoff),
                       "how far a class tells more of a sensitive value than the table");
    }
    if (tradeoff && tradeoff->count > 0 && tradeoff->utility) {
        put_figure_row(html, "Utility loss", "utility_loss", shoal_i_tradeoff_utility(tradeoff),
                       "how far large groups’ sensitive values are misjudged");
    }
    shoal_i_html_table_end(html);
}

static void put_loss(shoal_i_html *html)
{
    const shoal_i_findings *findings = html->findings;

    if (!findings->loss) {
        return;
    }
    shoal_i_html_section_start(html, "loss", "What was lost");
    shoal_i_html_raw(html, "<p>The loss of a column is how much of its range, or of the values "
                           "below a label, a released cell spans on average: 0&nbsp;% for "
                           "values as they were, 100&nbsp;% for nothing but “*”.</p>\n");
    put_loss_columns(html, findings->loss);
    put_loss_figures(html, findings);
    shoal_i_html_raw(html, "<p>Of the original’s records ");
    shoal_i_html_count(html, "suppression.omitted", findings->loss->omitted);
    shoal_i_html_raw(html, " are not in the release");
    if (findings->prepared) {
        shoal_i_html_raw(html, "; ");
        shoal_i_html_count(html, "suppression.dropped", findings->prepared->dropped);
        shoal_i_html_raw(html, " more were left out beforehand because a value is missing");
    }
    shoal_i_html_raw(html, ".</p>\n");
    shoal_i_html_section_end(html);
}

/* --- Files and configuration. ----------------------------------------------------------- */

static void put_fact(shoal_i_html *html, const char *term, const char *text)
{
    shoal_i_buffer_printf(html->out, "<dt>%s</dt><dd>", term);
    shoal_i_html_text(html, text);
    shoal_i_html_raw(html, "</dd>\n");
}

static void put_file(shoal_i_html *html, const char *term, const char *path, const char *digest)
{
    if (!path) {
        return;
    }
    shoal_i_buffer_printf(html->out, "<dt>%s</dt><dd>", term);
    if (!html->is_external) {
        shoal_i_html_raw(html, "<code>");
        shoal_i_html_text(html, path);
        shoal_i_html_raw(html, "</code><br>");
    }
    if (digest[0]) {
        shoal_i_buffer_printf(html->out, "SHA-256 <span class=\"digest\">%s</span>", digest);
    } else {
        shoal_i_html_raw(html, "no SHA-256: read from a pipe");
    }
    shoal_i_html_raw(html, "</dd>\n");
}

static void put_method(shoal_i_html *html)
{
    const shoal_spec *spec = html->findings->spec;
    const shoal_i_method *method = spec->method ? spec->method : shoal_i_methods[0];

    shoal_i_html_raw(html, "<dt>Method</dt><dd>");
    shoal_i_html_text(html, method->name);
    for (size_t i = 0; method->options && method->options[i].name; i++) {
        const shoal_i_method_option *option = &method->options[i];
        double value = spec->method ? spec->method_settings.values[i] : option->standard;

        shoal_i_html_raw(html, i == 0 ? ": " : ", ");
        shoal_i_html_text(html, option->name);
        shoal_i_html_raw(html, " ");
        if (option->words) {
            shoal_i_html_text(html, option->words[(size_t)value]);
        } else {
            shoal_i_html_number(html, NULL, value);
        }
    }
    shoal_i_html_raw(html, "</dd>\n");
}

static void put_run(shoal_i_html *html)
{
    const shoal_i_findings *findings = html->findings;
    const shoal_i_details *details = findings->details;
    bool is_made_here = strcmp(findings->command, "anonymize") == 0;

    shoal_i_html_raw(html, "<dl class=\"facts\">\n");
    put_file(html, "Original", findings->input, details ? details->input_digest : "");
    put_file(html, "Release", findings->release, details ? details->release_digest : "");
    if (findings->sensitive_table) {
        put_file(html, "Sensitive table", findings->sensitive_table,
                 details ? details->table_digest : "");
    }
    if (findings->spec->population && !html->is_external) {
        put_fact(html, "Population", findings->spec->population);
    }
    put_fact(html, "Program", "Shoal");
    put_fact(html, "Version", shoal_version());
    if (is_made_here) {
        put_method(html);
        shoal_i_html_raw(html, "<dt>Seed</dt><dd>");
        if (findings->shape == SHOAL_I_SHAPE_RECORDS && html->is_external) {
            shoal_i_html_raw(html, "not told: with it the protection could be undone");
        } else {
            shoal_i_html_count(html, "configuration.seed", findings->run->ctx->seed);
        }
        shoal_i_html_raw(html, "</dd>\n<dt>May be suppressed</dt><dd>");
        shoal_i_html_share(html, "configuration.suppress", findings->spec->suppress);
        shoal_i_html_raw(html, " of the records</dd>\n");
    }
    put_fact(html, "Missing values", shoal_i_missing_words[findings->spec->missing]);
    shoal_i_html_raw(html, "</dl>\n");
}

static const char *name_plan(shoal_i_plan_kind kind)
{
    static const char *const names[] = {
        [SHOAL_I_PLAN_NONE] = "flat",        [SHOAL_I_PLAN_FLAT] = "flat",
        [SHOAL_I_PLAN_FILE] = "from a file", [SHOAL_I_PLAN_PREFIX] = "prefix masks",
        [SHOAL_I_PLAN_DATES] = "dates",      [SHOAL_I_PLAN_WIDTHS] = "intervals",
        [SHOAL_I_PLAN_BREAKS] = "intervals"};

    return names[kind];
}

/* How a quasi column is made coarser; for others without numbers and names of files. */
static void put_hierarchy(shoal_i_html *html, size_t column)
{
    const shoal_i_prepared *prepared = html->findings->prepared;
    const char *name = shoal_table_name(prepared->table, column);
    const shoal_i_spec_column *asked = shoal_i_spec_find_column(html->findings->spec, name);
    shoal_i_buffer words;

    if (prepared->roles[column] != SHOAL_ROLE_QUASI) {
        return;
    }
    if (!prepared->hierarchies[column]) {
        shoal_i_html_raw(html, "ranges");
    } else if (html->is_external || asked->plan.kind == SHOAL_I_PLAN_NONE) {
        shoal_i_html_raw(html, name_plan(asked->plan.kind));
    } else {
        shoal_i_buffer_init(&words, html->out->ctx, SHOAL_I_BUFFER_MAX);
        shoal_i_plan_describe(&asked->plan, &words);
        shoal_i_html_words(html, &words);
    }
}

static void put_columns(shoal_i_html *html)
{
    static const char *const columns[] = {"column", "role", "type", "made coarser by", NULL};
    const shoal_i_prepared *prepared = html->findings->prepared;

    shoal_i_html_raw(html, "<div class=\"texts\">");
    shoal_i_html_table_start(html, "Columns of the original", columns);
    for (size_t i = 0; i < prepared->column_count; i++) {
        bool is_skipped = shoal_table_is_skipped(prepared->table, i);

        shoal_i_html_row_start(html, shoal_table_name(prepared->table, i));
        shoal_i_html_raw(html, "<td>");
        shoal_i_html_raw(html, shoal_role_name(prepared->roles[i]));
        shoal_i_html_raw(html, "</td><td>");
        shoal_i_html_raw(html, is_skipped
                                   ? "not read"
                                   : shoal_type_name(shoal_table_type(prepared->table, i)));
        shoal_i_html_raw(html, "</td><td>");
        put_hierarchy(html, i);
        shoal_i_html_raw(html, "</td></tr>\n");
    }
    shoal_i_html_table_end(html);
    shoal_i_html_raw(html, "</div>\n");
}

static void put_configuration(shoal_i_html *html)
{
    shoal_i_html_section_start(html, "configuration", "Files and configuration");
    put_run(html);
    if (html->findings->prepared) {
        put_columns(html);
    }
    shoal_i_html_raw(html, "<p class=\"soft\">To check again: compare the digests "
                           "(<code>sha256sum FILE</code>), then <code>shoal verify</code> the "
                           "release with the same requirements. The same input, settings and "
                           "seed give the same release, byte for byte.</p>\n");
    shoal_i_html_section_end(html);
}

/* --- The page. -------------------------------------------------------------------------- */

/* As an image, in which nothing can run, whoever made it. */
static void put_frontier(shoal_i_html *html)
{
    const shoal_i_details *details = html->findings->details;

    if (!has_frontier(html)) {
        return;
    }
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
    put_asked(html);
    if (has_risk(html)) {
        shoal_i_html_risk(html);
        shoal_i_html_combinations(html);
        shoal_i_html_attributes(html);
    }
    put_loss(html);
    if (html->findings->details && html->findings->details->distributions) {
        shoal_i_html_distributions(html);
        shoal_i_html_queries(html);
    }
    put_frontier(html);
    shoal_i_html_limits(html);
    put_configuration(html);
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

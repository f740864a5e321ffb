/* The page of a report: its head, and the sections of page_order.c. */
#include "report_html.h"

#include <string.h>

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

/* What of the data a page shows. */
static const char *name_shown(const shoal_i_details *details)
{
    return details && details->sample.count > 0
               ? ": it shows values of the data and cells of some records. "
           : details && details->distributions ? ": it shows values of the data. "
                                               : ". ";
}

static void put_start(shoal_i_html *html)
{
    shoal_i_html_begin(html);
    shoal_i_html_raw(html, "<title>");
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
        shoal_i_html_raw(html, "</strong>. For internal use");
        shoal_i_html_raw(html, name_shown(html->findings->details));
    }
    if (html->is_external) {
        shoal_i_html_raw(html, "Made by Shoal.</p>\n");
    } else {
        shoal_i_buffer_printf(html->out, "Made by Shoal %s.</p>\n", shoal_version());
    }
}

/* Whether this run has the section, for these readers. */
static bool is_shown(const shoal_i_html *html, const shoal_i_page_section *section)
{
    return (!section->has || section->has(html->findings)) &&
           !(section->is_internal && html->is_external);
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

/* --- The page. -------------------------------------------------------------------------- */

/* As an image, in which nothing can run, whoever made it. */
void shoal_i_html_frontier(shoal_i_html *html)
{
    const shoal_i_details *details = html->findings->details;

    shoal_i_html_section_start(html, "frontier", "Which other releases could be made?");
    shoal_i_html_raw(
        html, "<p>Every mark is a release that was tried before this one was chosen. Left and "
              "low is good; the dashed line joins those that no other beats on both "
              "axes.</p>\n<div class=\"scroll picture\" tabindex=\"0\" role=\"group\" "
              "aria-label=\"Picture of the frontier\"><img alt=\"What each release that was "
              "tried reveals and loses\" src=\"data:image/svg+xml;base64,");
    shoal_i_buffer_base64(html->out, details->frontier, details->frontier_size);
    shoal_i_html_raw(html, "\"></div>\n");
    shoal_i_html_section_end(html);
}

static void put_page(shoal_i_html *html)
{
    put_start(html);
    put_contents(html);
    shoal_i_html_glance(html);
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

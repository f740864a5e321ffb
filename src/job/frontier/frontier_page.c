/* A frontier as a page: what is recommended, the picture, the command and the spec that make
 * the recommended release, and every point. It has the style of the reports (report_style.c),
 * no network and no scripts. */
#include "frontier.h"

#include "../../report/report_html.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HEAD_MAX 96
#define SPEC_NAME "recommended.yaml"
#define SPEC_END "END_OF_SPEC"
#define SHELL_LINES_END " -o release.csv --spec " SPEC_NAME /* the one call of the program */

/* A figure as people read it. */
static void put_figure(shoal_i_html *html, shoal_i_axis_figure figure, double value)
{
    if (shoal_i_frontier_is_share(figure)) {
        shoal_i_html_share(html, NULL, value);
    } else {
        shoal_i_html_number(html, NULL, value);
    }
}

/* A title of an axis within a sentence: what stands before its unit. */
static void put_short_title(shoal_i_html *html, shoal_i_axis_figure figure)
{
    const char *title = shoal_i_frontier_axis_title(figure);

    shoal_i_html_text_n(html, title, strcspn(title, ":,"));
}

/* --- The head. ---------------------------------------------------------------------------- */

static void put_head(shoal_i_html *html)
{
    shoal_i_html_begin(html);
    shoal_i_html_raw(html, "<title>Which release is worth making?</title>\n<style>\n");
    for (const char *const *line = shoal_i_html_style; *line; line++) {
        shoal_i_html_raw(html, *line);
    }
    shoal_i_html_raw(html, "</style>\n</head>\n<body>\n<header>\n"
                           "<h1>Which release is worth making?</h1>\n");
}

static size_t count_done(const shoal_i_frontier *f)
{
    size_t count = 0;

    for (size_t i = 0; i < f->count; i++) {
        count += f->points[i].state == SHOAL_I_POINT_DONE;
    }
    return count;
}

static void put_introduction(shoal_i_html *html, const shoal_i_frontier *f)
{
    size_t done = count_done(f);

    shoal_i_html_raw(html, "<p class=\"soft\">");
    shoal_i_html_count(html, NULL, done);
    shoal_i_buffer_printf(html->out,
                          " release%s of the table %s made, verified, measured and "
                          "thrown away",
                          done == 1 ? "" : "s", done == 1 ? "was" : "were");
    if (done < f->count) {
        shoal_i_html_raw(html, "; ");
        shoal_i_html_count(html, NULL, f->count - done);
        shoal_i_html_raw(html, " more could not be made or were not tried");
    }
    shoal_i_html_raw(html, ". Nothing is published.</p>\n</header>\n<main>\n");
}

/* --- What is recommended. ----------------------------------------------------------------- */

static void put_limits(shoal_i_html *html, const shoal_i_frontier *f)
{
    bool is_first = true;

    for (size_t i = 0; i < SHOAL_I_BY_COUNT; i++) {
        if (f->sweep.has_limit[i]) {
            shoal_i_html_raw(html, is_first ? "" : "; ");
            put_short_title(html, (shoal_i_axis_figure)i);
            shoal_i_html_raw(html, " at most ");
            put_figure(html, (shoal_i_axis_figure)i, f->sweep.limits[i]);
            is_first = false;
        }
    }
}

static void put_chosen(shoal_i_html *html, const shoal_i_frontier *f,
                       const shoal_i_point *point)
{
    shoal_i_buffer_printf(
        html->out,
        "<div class=\"verdict\" role=\"status\"><p><strong>✓ Recommended: no. "
        "%zu, ",
        (size_t)f->recommended + 1);
    shoal_i_html_text(html, point->asks);
    shoal_i_html_raw(html, ", by ");
    shoal_i_html_text(html, point->method->text);
    shoal_i_html_raw(html, ".</strong> The limits are: ");
    put_limits(html, f);
    shoal_i_html_raw(html, ". Of the releases within them this one is the best.</p>\n<ul>\n");
    for (size_t axis = 0; axis < 2; axis++) {
        shoal_i_html_raw(html, "<li>");
        put_short_title(html, f->sweep.axes[axis]);
        shoal_i_html_raw(html, ": <strong>");
        put_figure(html, f->sweep.axes[axis], point->figures[f->sweep.axes[axis]]);
        shoal_i_html_raw(html, "</strong></li>\n");
    }
    shoal_i_html_raw(html, "<li>Classes: ");
    shoal_i_html_count(html, NULL, point->classes);
    shoal_i_html_raw(html, ", the smallest of ");
    shoal_i_html_count(html, NULL, point->smallest_class);
    shoal_i_html_raw(html, " records</li>\n</ul></div>\n");
    if (point->shape == SHOAL_I_SHAPE_BUCKETS) {
        shoal_i_html_raw(html, "<div class=\"verdict bad\"><p><strong>It hides no "
                               "identities.</strong> A release by buckets publishes "
                               "quasi-identifiers as they are.</p></div>\n");
    }
}

static void put_recommendation(shoal_i_html *html, const shoal_i_frontier *f)
{
    if (f->recommended >= 0) {
        put_chosen(html, f, &f->points[f->recommended]);
    } else if (f->has_limits) {
        shoal_i_html_raw(html,
                         "<div class=\"verdict bad\" role=\"status\"><p><strong>✗ No "
                         "release that was tried is within the limits.</strong> They are: ");
        put_limits(html, f);
        shoal_i_html_raw(html, ". Try more, or allow more.</p></div>\n");
    } else {
        shoal_i_html_raw(html,
                         "<div class=\"verdict warn\" role=\"status\"><p><strong>Nothing is "
                         "recommended, since no limit was given.</strong> The frontier is a "
                         "choice between two goods. With the most that may be revealed or lost "
                         "(<code>frontier.max</code>, for instance <code>highest_risk: "
                         "0.1</code>), this page names the best "
                         "release within it, and how to make it.</p></div>\n");
    }
}

/* --- The picture. ------------------------------------------------------------------------- */

static void put_picture(shoal_i_html *html, const shoal_i_frontier *f)
{
    shoal_i_html_section_start(html, "picture", "What each would reveal and lose");
    shoal_i_html_raw(html,
                     "<p>Every mark is a release that could be made, with its number in the "
                     "table below. Left and low is good. The dashed line joins those that "
                     "no other beats on both axes. Marks at the same place are drawn side "
                     "by side, with a line to where they belong.</p>\n"
                     "<div class=\"scroll picture\" tabindex=\"0\" role=\"group\" "
                     "aria-label=\"Picture of the frontier\">");
    shoal_i_frontier_put_svg(html->out, f);
    shoal_i_html_raw(html, "</div>\n");
    shoal_i_html_section_end(html);
}

/* --- How to make it. ---------------------------------------------------------------------- */

/* A word of a shell's command, whatever is in it. */
static void put_shell_word(shoal_i_html *html, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";

    if (text[0] != '-' && text[strspn(text, plain)] == '\0') {
        shoal_i_html_text(html, text);
        return;
    }
    shoal_i_html_raw(html, text[0] == '-' ? "./&#39;" : "&#39;");
    for (; *text; text++) {
        if (*text == '\'') {
            shoal_i_html_raw(html, "&#39;\\&#39;&#39;");
        } else {
            shoal_i_html_text_n(html, text, 1);
        }
    }
    shoal_i_html_raw(html, "&#39;");
}

/* The lines of a text, which shoal_i_html_text would join. */
static void put_lines(shoal_i_html *html, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");

        shoal_i_html_text_n(html, text, length);
        shoal_i_html_raw(html, "\n");
        text += length + (text[length] == '\n');
    }
}

/* What a shell takes as it stands: the spec into a file, and the run. */
static void put_command(shoal_i_html *html, const char *spec, const char *input)
{
    shoal_i_html_raw(html,
                     "<pre class=\"copy\" tabindex=\"0\" id=\"command\">cat &gt; " SPEC_NAME
                     " &lt;&lt;&#39;" SPEC_END "&#39;\n");
    put_lines(html, spec);
    shoal_i_html_raw(html, SPEC_END "\nshoal anonymize ");
    put_shell_word(html, input);
    shoal_i_html_raw(html, SHELL_LINES_END "\n</pre>\n");
}

static void put_making(shoal_i_html *html, const shoal_i_frontier *f, const char *input)
{
    const shoal_i_point *point = &f->points[f->recommended];
    bool is_file = input && strcmp(input, "-") != 0;

    shoal_i_html_section_start(html, "making", "How to make the recommended release");
    if (!point->spec[0]) {
        shoal_i_html_raw(html, "<p>No file can say all that it takes: a part of the spec is in "
                               "memory.</p>\n");
    } else if (shoal_i_frontier_names_values(f, point) && !html->out->ctx->show_values) {
        shoal_i_html_raw(html,
                         "<p>Its spec names values of the table and is left out here. Run "
                         "again with <code>show_values</code> to have it on this "
                         "page.</p>\n");
    } else if (is_file) {
        shoal_i_html_raw(html,
                         "<p>In the folder from which this page was made, a shell makes it "
                         "with these lines, seed included. One click selects all of "
                         "them.</p>\n");
        put_command(html, point->spec, input);
    } else {
        shoal_i_html_raw(html, "<p>With this spec the same table gives this very release. One "
                               "click selects all of it.</p>\n"
                               "<pre class=\"copy\" tabindex=\"0\" id=\"command\">");
        put_lines(html, point->spec);
        shoal_i_html_raw(html, "</pre>\n");
    }
    shoal_i_html_section_end(html);
}

/* --- Every point. ------------------------------------------------------------------------- */

static void put_row(shoal_i_html *html, const shoal_i_frontier *f, size_t i)
{
    const shoal_i_point *point = &f->points[i];
    bool is_taken = (ptrdiff_t)i == f->recommended;

    shoal_i_buffer_printf(html->out, "<tr%s><th scope=\"row\">%zu</th><td class=\"text\">",
                          is_taken              ? " class=\"take\""
                          : point->is_dominated ? ""
                                                : " class=\"on\"",
                          i + 1);
    shoal_i_html_text(html, point->asks);
    shoal_i_html_raw(html, "</td><td class=\"text\">");
    shoal_i_html_text(html, point->method->text);
    shoal_i_html_raw(html, "</td>");
    if (point->state != SHOAL_I_POINT_DONE) {
        shoal_i_buffer_printf(html->out, "<td colspan=\"4\" class=\"text\">%s: ",
                              shoal_i_point_words[point->state]);
        shoal_i_html_text(html, point->reason);
        shoal_i_html_raw(html, "</td></tr>\n");
        return;
    }
    for (size_t axis = 0; axis < 2; axis++) {
        shoal_i_html_raw(html, "<td>");
        put_figure(html, f->sweep.axes[axis], point->figures[f->sweep.axes[axis]]);
        shoal_i_html_raw(html, "</td>");
    }
    shoal_i_html_count_cell(html, NULL, point->classes);
    shoal_i_buffer_printf(html->out, "<td class=\"text\">%s</td></tr>\n",
                          is_taken              ? "recommended"
                          : point->is_dominated ? ""
                                                : "on the frontier");
}

static void put_points(shoal_i_html *html, const shoal_i_frontier *f)
{
    char titles[2][HEAD_MAX];
    const char *const columns[] = {"no.",     "~asks for", "~method", titles[0],
                                   titles[1], "classes",   "~stands", NULL};

    for (size_t i = 0; i < 2; i++) {
        const char *title = shoal_i_frontier_axis_title(f->sweep.axes[i]);

        snprintf(titles[i], HEAD_MAX, "%.*s", (int)strcspn(title, ":,"), title);
    }
    shoal_i_html_section_start(html, "points", "All releases that were tried");
    shoal_i_html_raw(html, "<div class=\"points\">");
    shoal_i_html_table_start(html, "Of both figures less is better", columns);
    for (size_t i = 0; i < f->count; i++) {
        put_row(html, f, i);
    }
    shoal_i_html_table_end(html);
    shoal_i_html_raw(html, "</div>\n");
    shoal_i_html_section_end(html);
}

void shoal_i_frontier_put_html(shoal_i_buffer *out, const shoal_i_frontier *frontier,
                               const char *input)
{
    shoal_i_html html = {.out = out};

    put_head(&html);
    put_introduction(&html, frontier);
    put_recommendation(&html, frontier);
    put_picture(&html, frontier);
    if (frontier->recommended >= 0) {
        put_making(&html, frontier, input);
    }
    put_points(&html, frontier);
    shoal_i_html_raw(&html,
                     "</main>\n<footer><p>Figures are defined in Shoal’s documentation "
                     "(frontier, measures). This page is one file and loads nothing from "
                     "elsewhere.</p></footer>\n</body>\n</html>\n");
}

/* report_html.h -- a report as one page for a review board: no network, no scripts, readable on
 * paper, on a telephone and in the dark.
 *
 *   report_page.c         the page: its head
 *   page_glance.c         the verdict, warnings, and what there is to know in a few sentences
 *   page_order.c          its sections in their order
 *   page_about.c          whose report it is, and who signs it
 *   page_outcome.c        what was asked, verified and lost
 *   page_risk.c           who can be found, by which columns, and what that tells
 *   page_attacks.c        what attackers reach
 *   page_as_is.c          what is released as it is
 *   page_ready.c          what was made coarser before the method
 *   page_samples.c        a few records before and after
 *   page_values.c         values before and after; queries
 *   report_limits.c       what is proved and what is not, in plain words
 *   page_configuration.c  files and settings
 *   report_style.c        the style sheet
 *   report_svg.c          plots
 *   report_html.c         what all of them write with: escaped text, figures, tables
 *
 * Everything that came from outside (names, values, paths) goes through shoal_i_html_text.
 * Figures carry their name in the JSON report and their full value,
 *
 *     <data data-figure="risk.release.uniques" value="12">12</data>
 *
 * so that a program can compare the two.
 */
#ifndef SHOAL_I_REPORT_HTML_H
#define SHOAL_I_REPORT_HTML_H

#include "report.h"

typedef struct shoal_i_html {
    shoal_i_buffer *out;
    const shoal_i_findings *findings;
    bool is_external; /* for others: no values, no names of files */
    char place[64];   /* what stands before the names of figures: "columns.3" */
} shoal_i_html;

/* The page, to be freed. external: without values and names of files. */
shoal_status shoal_i_report_page(shoal_ctx *ctx, char **out, const shoal_i_findings *findings,
                                 bool is_external);

/* --- What it is written with. ----------------------------------------------------------- */

/* As it stands: only for what is written in the source. */
void shoal_i_html_raw(shoal_i_html *html, const char *markup);

/* The head of every page, up to its title: nothing is loaded from anywhere, no script runs. */
void shoal_i_html_begin(shoal_i_html *html);

/* Text from anywhere, escaped. What HTML cannot hold becomes U+FFFD. */
void shoal_i_html_text(shoal_i_html *html, const char *text);
void shoal_i_html_text_n(shoal_i_html *html, const char *text, size_t length);

/* The text of a buffer, which is used up. */
void shoal_i_html_words(shoal_i_html *html, shoal_i_buffer *words);

/* Where in the JSON the figures that follow stand: shoal_i_html_enter(html, "columns.%zu", i)
 * makes "loss" stand for "columns.3.loss", until _leave. Places do not nest. */
void shoal_i_html_enter(shoal_i_html *html, const char *format, ...) SHOAL_I_PRINTF(2, 3);
void shoal_i_html_leave(shoal_i_html *html);

/* Counts, shares and other numbers as for_people.h writes them. figure: the name in JSON, or
 * NULL. */
void shoal_i_html_count(shoal_i_html *html, const char *figure, uint64_t count);
void shoal_i_html_share(shoal_i_html *html, const char *figure, double share);
void shoal_i_html_number(shoal_i_html *html, const char *figure, double number);

/* A cell of a table with one of them. */
void shoal_i_html_count_cell(shoal_i_html *html, const char *figure, uint64_t count);
void shoal_i_html_share_cell(shoal_i_html *html, const char *figure, double share);
void shoal_i_html_number_cell(shoal_i_html *html, const char *figure, double number);

/* A cell that heads its row. */
void shoal_i_html_row_start(shoal_i_html *html, const char *text);

/* A table with its caption and the heads of its columns, NULL-terminated; the first column is
 * text, the others are figures but for those whose head starts with a "~". */
void shoal_i_html_table_start(shoal_i_html *html, const char *caption,
                              const char *const *columns);
void shoal_i_html_table_end(shoal_i_html *html);

/* A section with its anchor and title. */
void shoal_i_html_section_start(shoal_i_html *html, const char *anchor, const char *title);
void shoal_i_html_section_end(shoal_i_html *html);

/* --- Plots. ----------------------------------------------------------------------------- */

/* A cell with a bar of a share, and the share. */
void shoal_i_html_bar_cell(shoal_i_html *html, const char *figure, double share);

typedef struct shoal_i_bar_pair {
    const char *label;
    double before; /* shares */
    double after;
} shoal_i_bar_pair;

/* Two bars per label, upright or lying. has_after false: one bar. */
typedef struct shoal_i_chart {
    const char *title;
    const char *description;
    const shoal_i_bar_pair *pairs;
    size_t count;
    bool has_after;
    /* Of a histogram: the texts of the edges of its bins, one more than there are; as many of
     * them are shown as there is room for: those whose number, counted from first_edge, is a
     * multiple of the first of the spacings that do not crowd them. The bars behind the bins
     * (missing values) have their labels below them, as those of other charts have.
     * hides_edges: none is shown, only which end is which. */
    const char *const *edges;
    size_t bin_count;
    int64_t first_edge;
    const size_t *spacings; /* SHOAL_I_SPACINGS of them */
    bool hides_edges;
} shoal_i_chart;

/* About how wide a text is at the size of labels, 11 pixels: rather too much. */
double shoal_i_svg_text_width(const char *text);

/* Which colour is which: the original, and what is `after`, if not NULL. */
void shoal_i_html_legend(shoal_i_html *html, const char *after);

void shoal_i_html_upright(shoal_i_html *html, const shoal_i_chart *chart);
void shoal_i_html_lying(shoal_i_html *html, const shoal_i_chart *chart);

/* --- Parts of the page. ----------------------------------------------------------------- */

extern const char *const shoal_i_html_style[]; /* NULL-terminated */

/* A section of the page; the last one is {0}. */
typedef struct shoal_i_page_section {
    const char *anchor;
    const char *link;                              /* its name in the contents */
    bool (*has)(const shoal_i_findings *findings); /* NULL: every run has it */
    void (*put)(shoal_i_html *html);
    bool is_internal; /* not for readers outside */
} shoal_i_page_section;

extern const shoal_i_page_section shoal_i_page_sections[];

void shoal_i_html_asked(shoal_i_html *html);
void shoal_i_html_risk(shoal_i_html *html);
void shoal_i_html_combinations(shoal_i_html *html);
void shoal_i_html_attributes(shoal_i_html *html);
void shoal_i_html_loss(shoal_i_html *html);
void shoal_i_html_as_is(shoal_i_html *html);
void shoal_i_html_ready(shoal_i_html *html);
void shoal_i_html_distributions(shoal_i_html *html);
void shoal_i_html_samples(shoal_i_html *html);
void shoal_i_html_queries(shoal_i_html *html);
void shoal_i_html_frontier(shoal_i_html *html);
void shoal_i_html_attacks(shoal_i_html *html);
void shoal_i_html_limits(shoal_i_html *html);
void shoal_i_html_configuration(shoal_i_html *html);
void shoal_i_html_sign_off(shoal_i_html *html);

/* The verdict, warnings, thresholds, and the figures of the whole. */
void shoal_i_html_glance(shoal_i_html *html);

/* Author, purpose and date, as the spec gives them; nothing where it gives none. */
void shoal_i_html_about(shoal_i_html *html);

#endif /* SHOAL_I_REPORT_HTML_H */

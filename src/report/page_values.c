/* The sections of a page about values before and after, and about queries. */
#include "report_html.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- Values before and after. ----------------------------------------------------------- */

#define LABEL_MAX 160

/* Between two texts of edges, and what is in none. */
#define EDGE_MAX 40

/* The text of a value of a column, cut to what fits, between letters. */
static void name_value(char *out, size_t capacity, const shoal_i_distribution *d, uint32_t code)
{
    uint32_t entry = shoal_i_distribution_entry(d, code);
    size_t length = 0;
    const char *text = shoal_table_text(d->table, d->column, entry, &length);

    length = length < capacity - 1 ? length : capacity - 1;
    while (length > 0 && text[length] != '\0' && ((unsigned char)text[length] & 0xC0) == 0x80) {
        length--;
    }
    memcpy(out, text, length);
    out[length] = '\0';
    if (length == 0) {
        snprintf(out, capacity, "(empty)");
    }
}

static void name_share(char out[LABEL_MAX], const shoal_i_html *html,
                       const shoal_i_distribution *d, size_t i,
                       char edges[SHOAL_I_BINS_MAX + 1][EDGE_MAX])
{
    const shoal_i_share *share = &d->shares[i];

    switch (share->kind) {
    case SHOAL_I_SHARE_RANGE:
        out[0] = '\0';
        if (!html->is_external) {
            snprintf(out, LABEL_MAX, "%.*s to %.*s", EDGE_MAX, edges[i], EDGE_MAX,
                     edges[i + 1]);
        }
        break;
    case SHOAL_I_SHARE_VALUE:
        if (html->is_external) {
            snprintf(out, LABEL_MAX, "value no. %zu", i + 1);
        } else {
            name_value(out, LABEL_MAX, d, share->code);
        }
        break;
    case SHOAL_I_SHARE_OTHERS:
        snprintf(out, LABEL_MAX, "%" PRIu32 " others", share->values);
        break;
    case SHOAL_I_SHARE_MISSING:
        snprintf(out, LABEL_MAX, "none");
        break;
    }
}

/* The texts of the edges of bins. */
static void name_edges(char out[SHOAL_I_BINS_MAX + 1][EDGE_MAX], shoal_i_html *html,
                       const shoal_i_distribution *d)
{
    shoal_i_buffer text;

    for (size_t i = 0; i <= d->bins.count; i++) {
        shoal_i_buffer_init(&text, html->out->ctx, EDGE_MAX);
        shoal_i_bins_put_edge(&text, &d->bins, i);
        snprintf(out[i], EDGE_MAX, "%.*s", (int)text.size, text.size > 0 ? text.data : "");
        if (shoal_i_buffer_status(&text) != SHOAL_OK) {
            html->out->status = text.status;
        }
        shoal_i_buffer_clear(&text);
    }
}

static void put_distribution(shoal_i_html *html, const shoal_i_distribution *d, size_t c)
{
    char edges[SHOAL_I_BINS_MAX + 1][EDGE_MAX];
    const char *edge_texts[SHOAL_I_BINS_MAX + 1];
    char labels[SHOAL_I_SHARES_MAX][LABEL_MAX];
    shoal_i_bar_pair pairs[SHOAL_I_SHARES_MAX];
    shoal_i_chart chart = {
        .title = d->name,
        .description = "The share of the records with each value, in the original and as a "
                       "reader of the release must expect it.",
        .pairs = pairs,
        .count = d->count,
        .has_after = true,
        .edges = edge_texts,
        .bin_count = d->bins.count,
        .first_edge = d->bins.first,
        .spacings = shoal_i_bins_spacings(&d->bins),
        .hides_edges = html->is_external,
    };

    name_edges(edges, html, d);
    for (size_t i = 0; i <= d->bins.count; i++) {
        edge_texts[i] = edges[i];
    }
    for (size_t i = 0; i < d->count; i++) {
        name_share(labels[i], html, d, i, edges);
        pairs[i] = (shoal_i_bar_pair){labels[i], d->shares[i].original, d->shares[i].release};
    }
    shoal_i_html_raw(html, "<figure><figcaption>");
    shoal_i_html_text(html, d->name);
    shoal_i_html_raw(html, "<small>distance ");
    shoal_i_html_enter(html, "distributions.%zu", c);
    shoal_i_html_share(html, "distance", d->distance);
    shoal_i_html_leave(html);
    shoal_i_html_raw(html, "</small></figcaption>\n");
    if (d->is_ordered) {
        shoal_i_html_upright(html, &chart);
    } else {
        shoal_i_html_lying(html, &chart);
    }
    shoal_i_html_raw(html, "</figure>\n");
}

/* The plots of quasi columns, or those of sensitive ones. */
static void put_distributions(shoal_i_html *html, bool is_sensitive)
{
    const shoal_i_details *details = html->findings->details;

    shoal_i_html_legend(html, is_sensitive ? "release" : "expected from the release");
    shoal_i_html_raw(html, "<div class=\"plots\">\n");
    for (size_t c = 0; c < details->distribution_count; c++) {
        if ((details->distributions[c].quasi == NULL) == is_sensitive) {
            put_distribution(html, &details->distributions[c], c);
        }
    }
    shoal_i_html_raw(html, "</div>\n");
}

static bool has_sensitive(const shoal_i_details *details)
{
    size_t count = details->distribution_count;

    return count > 0 && !details->distributions[count - 1].quasi;
}

void shoal_i_html_distributions(shoal_i_html *html)
{
    shoal_i_html_section_start(html, "values", "Values before and after");
    shoal_i_html_raw(
        html,
        "<p>How often each value of the quasi-identifier occurs in the original, and how "
        "often a reader must think so who has the release alone and takes all values "
        "within a released range or label as equally likely. The <em>distance</em> is "
        "half the sum of the differences: 0 when nothing changed, 100&nbsp;% when nothing "
        "is left.");
    if (html->is_external) {
        shoal_i_html_raw(html, " This page names no values: categories are numbered by how "
                               "frequent they are, and numbers and dates go from the lowest "
                               "to the highest.");
    }
    shoal_i_html_raw(html, "</p>\n");
    put_distributions(html, false);
    if (has_sensitive(html->findings->details)) {
        shoal_i_html_raw(html, "<h3>Sensitive columns</h3>\n<p>The method does not touch "
                               "sensitive values. Where the two differ, records were left "
                               "out.</p>\n");
        put_distributions(html, true);
    }
    shoal_i_html_section_end(html);
}

/* --- Queries. --------------------------------------------------------------------------- */

#define ANSWERABLE_LEAST 30 /* queries; of fewer no error is told, which chance would make */

static size_t count_answerable(const shoal_i_sample *sample)
{
    return sample->errors.query_count - sample->errors.dropped;
}

static void put_sample(shoal_i_html *html, const shoal_i_sample *sample, size_t i)
{
    bool has_sensitive = strcmp(sample->workload, "lili") == 0;

    shoal_i_html_row_start(html, has_sensitive
                                     ? "Counts over up to four columns and a sensitive one"
                                     : "Counts over all quasi columns");
    shoal_i_html_enter(html, "queries.%zu", i);
    shoal_i_html_count_cell(html, "queries", sample->errors.query_count);
    shoal_i_html_count_cell(html, "dropped", sample->errors.dropped);
    if (count_answerable(sample) < ANSWERABLE_LEAST) {
        shoal_i_html_raw(html, "<td colspan=\"3\" class=\"text\">too few that have an answer "
                               "to tell</td>");
    } else {
        shoal_i_html_share_cell(html, "query_error", sample->errors.mean);
        shoal_i_html_share_cell(html, "query_error_median", sample->errors.median);
        shoal_i_html_share_cell(html, "query_error_95", sample->errors.quantiles[3]);
    }
    shoal_i_html_leave(html);
    shoal_i_html_raw(html, "</tr>\n");
}

void shoal_i_html_queries(shoal_i_html *html)
{
    static const char *const columns[] = {"queries",    "asked",        "without records",
                                          "mean error", "median error", "95 of 100 within",
                                          NULL};
    const shoal_i_samples *samples = &html->findings->details->queries;

    shoal_i_html_section_start(html, "queries", "How far answers are off");
    shoal_i_html_raw(
        html, "<p>Random counts were asked of the release, every value within a released range "
              "or label taken as equally likely, and of the original. The error is the "
              "difference as a share of the true count; queries that no record of the original "
              "meets have none and are left out. From fewer than 30 queries with an answer no "
              "error is told: chance would make it.</p>\n");
    shoal_i_html_table_start(html, "Relative errors of random queries", columns);
    for (size_t i = 0; i < samples->count; i++) {
        put_sample(html, &samples->items[i], i);
    }
    shoal_i_html_table_end(html);
    shoal_i_html_section_end(html);
}

/* The sections of a page about values before and after, and about queries. */
#include "report_html.h"

#include "../base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Values before and after. ----------------------------------------------------------- */

#define LABEL_MAX 160

static void name_number(char *out, size_t capacity, const shoal_i_distribution *d, double value)
{
    char text[SHOAL_I_NUMBER_MAX];

    if (d->type == SHOAL_TYPE_DATE) {
        shoal_i_text_from_date(text, (int32_t)value);
        snprintf(out, capacity, "%s", text);
    } else {
        snprintf(out, capacity, "%.6g", value);
    }
}

/* The text of a code of a categorical column, cut to what fits, between letters. */
static void name_value(char *out, size_t capacity, const shoal_i_html *html,
                       const shoal_i_distribution *d, uint32_t code)
{
    const shoal_table *table = html->findings->original.table;
    uint32_t entry = 0;
    size_t length = 0;

    while (d->column->code_of_entry[entry] != code) {
        entry++;
    }
    const char *text = shoal_table_text(table, d->column->column, entry, &length);

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
                       const shoal_i_distribution *d, size_t i)
{
    const shoal_i_share *share = &d->shares[i];

    switch (share->kind) {
    case SHOAL_I_SHARE_RANGE:
        if (html->is_external) {
            snprintf(out, LABEL_MAX, "%zu%%", 100 * i / d->count);
        } else {
            name_number(out, LABEL_MAX, d, share->from);
        }
        break;
    case SHOAL_I_SHARE_VALUE:
        if (html->is_external) {
            snprintf(out, LABEL_MAX, "value no. %zu", i + 1);
        } else {
            name_value(out, LABEL_MAX, html, d, share->code);
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

static void put_distribution(shoal_i_html *html, const shoal_i_distribution *d, size_t c)
{
    char labels[SHOAL_I_SHARES_MAX][LABEL_MAX];
    shoal_i_bar_pair pairs[SHOAL_I_SHARES_MAX];
    bool is_numeric = !d->column->hierarchy;
    shoal_i_chart chart = {
        .title = d->column->name,
        .description = "The share of the records with each value, in the original and as a "
                       "reader of the release must expect it.",
        .pairs = pairs,
        .count = d->count,
        .has_after = true,
        .label_every = d->count > 8 ? d->count / 4 : 1,
    };

    for (size_t i = 0; i < d->count; i++) {
        name_share(labels[i], html, d, i);
        pairs[i] = (shoal_i_bar_pair){labels[i], d->shares[i].original, d->shares[i].release};
    }
    shoal_i_html_raw(html, "<figure><figcaption>");
    shoal_i_html_text(html, d->column->name);
    shoal_i_html_raw(html, "<small>distance ");
    shoal_i_html_enter(html, "distributions.%zu", c);
    shoal_i_html_share(html, "distance", d->distance);
    shoal_i_html_leave(html);
    if (html->is_external && is_numeric) {
        shoal_i_html_raw(html, "; places within the range of the column");
    }
    shoal_i_html_raw(html, "</small></figcaption>\n");
    if (is_numeric) {
        shoal_i_html_upright(html, &chart);
    } else {
        shoal_i_html_lying(html, &chart);
    }
    shoal_i_html_raw(html, "</figure>\n");
}

void shoal_i_html_distributions(shoal_i_html *html)
{
    const shoal_i_details *details = html->findings->details;

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
                               "frequent they are.");
    }
    shoal_i_html_raw(html, "</p>\n");
    shoal_i_html_legend(html, "expected from the release");
    shoal_i_html_raw(html, "<div class=\"plots\">\n");
    for (size_t c = 0; c < details->distribution_count; c++) {
        put_distribution(html, &details->distributions[c], c);
    }
    shoal_i_html_raw(html, "</div>\n");
    shoal_i_html_section_end(html);
}

/* --- Queries. --------------------------------------------------------------------------- */

static void put_error_cell(shoal_i_html *html, const char *figure, double error)
{
    if (isnan(error)) {
        shoal_i_html_raw(html, "<td>none</td>");
    } else {
        shoal_i_html_share_cell(html, figure, error);
    }
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
    put_error_cell(html, "query_error", sample->errors.mean);
    put_error_cell(html, "query_error_median", sample->errors.median);
    put_error_cell(html, "query_error_95", sample->errors.quantiles[3]);
    shoal_i_html_leave(html);
    shoal_i_html_raw(html, "</tr>\n");
}

void shoal_i_html_queries(shoal_i_html *html)
{
    static const char *const columns[] = {"queries",    "asked",        "without records",
                                          "mean error", "median error", "95th of 100",
                                          NULL};
    const shoal_i_samples *samples = &html->findings->details->queries;

    shoal_i_html_section_start(html, "queries", "How far answers are off");
    shoal_i_html_raw(
        html, "<p>Random counts were asked of the release, every value within a released range "
              "or label taken as equally likely, and of the original. The error is the "
              "difference as a share of the true count; queries that no record of the original "
              "meets have none and are left out.</p>\n");
    shoal_i_html_table_start(html, "Relative errors of random queries", columns);
    for (size_t i = 0; i < samples->count; i++) {
        put_sample(html, &samples->items[i], i);
    }
    shoal_i_html_table_end(html);
    shoal_i_html_section_end(html);
}

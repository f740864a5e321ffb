/* The sections of a page about what was asked, verified and lost. */
#include "report_html.h"

/* --- What was asked and verified. ------------------------------------------------------- */

static void put_requirement(shoal_i_html *html, const shoal_i_verdict_item *item, size_t i)
{
    shoal_i_buffer words;

    shoal_i_html_row_start(html, item->requirement.kind->title);
    shoal_i_html_enter(html, "requirements.%zu", i);
    shoal_i_html_raw(html, "<td class=\"text\">");
    shoal_i_buffer_init(&words, html->out->ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_report_put_asked(&words, &item->requirement, html->findings->shape);
    shoal_i_html_words(html, &words);
    shoal_i_buffer_printf(html->out, "</td><td class=\"text %s</td>",
                          item->holds ? "ok\">holds" : "no\">violated");
    shoal_i_html_number_cell(html, "worst_figure", item->worst_figure);
    shoal_i_html_count_cell(html, "worst_class_size", item->worst_class_size);
    shoal_i_html_count_cell(html, "failing_records", item->failing_records);
    shoal_i_html_leave(html);
    shoal_i_html_raw(html, "</tr>\n");
}

void shoal_i_html_asked(shoal_i_html *html)
{
    static const struct {
        const char *each;
        const char *nearest;
        const char *size;
    } words[] = {
        [SHOAL_I_SHAPE_CLASSES] = {"class by class", "class", "size of that class"},
        [SHOAL_I_SHAPE_RECORDS] = {"record by record and row by row", "record or row",
                                   "candidates there"},
        [SHOAL_I_SHAPE_BUCKETS] = {"bucket by bucket", "bucket", "size of that bucket"},
    };
    shoal_i_shape shape = html->findings->shape;
    const char *const columns[] = {
        "requirement",       "~asked", "~verdict", "worst figure", words[shape].size,
        "records that fail", NULL};
    const shoal_i_verdict *verdict = html->findings->verdict;

    shoal_i_html_section_start(html, "asked", "What was asked, and what was verified");
    shoal_i_buffer_printf(
        html->out,
        "<p>Checked on the very bytes of the release, %s. The worst figure is "
        "that of the %s that comes nearest to a violation.</p>\n",
        words[shape].each, words[shape].nearest);
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

    shoal_i_html_table_start(html, "Loss of each column", columns);
    for (size_t i = 0; i < loss->column_count; i++) {
        const shoal_i_column_loss *column = &loss->columns[i];

        shoal_i_html_row_start(html, column->name);
        shoal_i_html_enter(html, "columns.%zu", i);
        shoal_i_html_bar_cell(html, "loss", column->loss);
        shoal_i_html_count_cell(html, "suppressed", column->suppressed);
        shoal_i_html_number_cell(html, "weight", column->weight);
        shoal_i_html_leave(html);
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

/* Records of the original that the release does not have. */
static void put_left_out(shoal_i_html *html)
{
    const shoal_i_findings *findings = html->findings;
    size_t dropped = findings->original.table ? findings->original.dropped : 0;

    if (findings->loss->omitted == 0 && dropped == 0) {
        shoal_i_html_raw(html, "<p>All records of the original are in the release.</p>\n");
        return;
    }
    shoal_i_html_raw(html, "<p>Of the original’s records ");
    shoal_i_html_count(html, "suppression.omitted", findings->loss->omitted);
    shoal_i_html_raw(html, " are not in the release");
    if (dropped > 0) {
        shoal_i_html_raw(html, "; ");
        shoal_i_html_count(html, "suppression.dropped", dropped);
        shoal_i_html_raw(html, " more were left out beforehand because a value is missing");
    }
    shoal_i_html_raw(html, ".</p>\n");
}

void shoal_i_html_loss(shoal_i_html *html)
{
    const shoal_i_findings *findings = html->findings;

    shoal_i_html_section_start(html, "loss", "What was lost");
    shoal_i_html_raw(html, "<p>The loss of a column is how much of its range, or of the values "
                           "below a label, a released cell spans on average: 0&nbsp;% for "
                           "values as they were, 100&nbsp;% for nothing but “*”.</p>\n");
    put_loss_columns(html, findings->loss);
    put_loss_figures(html, findings);
    put_left_out(html);
    shoal_i_html_section_end(html);
}

/* The sections of a page about risk: who is found, by which columns, and what that tells. */
#include "report_html.h"

#include <inttypes.h>
#include <stdio.h>

#define COMBINATIONS_SHOWN 12
#define FIGURE_MAX 64

/* --- Finding records. ------------------------------------------------------------------- */

/* A row of a figure before and after: where the release stands, if there is one. */
static void put_share_row(shoal_i_html *html, const shoal_i_risk *risk, const char *title,
                          const char *figure, double before, double after)
{
    shoal_i_html_row_start(html, title);
    shoal_i_html_enter(html, "risk.original");
    shoal_i_html_share_cell(html, figure, before);
    if (risk->has_release) {
        shoal_i_html_enter(html, "risk.release");
        shoal_i_html_share_cell(html, figure, after);
    }
    shoal_i_html_leave(html);
    shoal_i_html_raw(html, "</tr>\n");
}

static void put_count_row(shoal_i_html *html, const shoal_i_risk *risk, const char *title,
                          const char *figure, uint64_t before, uint64_t after)
{
    shoal_i_html_row_start(html, title);
    shoal_i_html_enter(html, "risk.original");
    shoal_i_html_count_cell(html, figure, before);
    if (risk->has_release) {
        shoal_i_html_enter(html, "risk.release");
        shoal_i_html_count_cell(html, figure, after);
    }
    shoal_i_html_leave(html);
    shoal_i_html_raw(html, "</tr>\n");
}

static void put_attack_rows(shoal_i_html *html, const shoal_i_risk *risk, const char *who,
                            const char *key, const shoal_i_attack *before,
                            const shoal_i_attack *after)
{
    char title[160];
    char figure[FIGURE_MAX];

    snprintf(title, sizeof title, "%s: highest chance", who);
    snprintf(figure, sizeof figure, "%s.highest", key);
    put_share_row(html, risk, title, figure, before->highest, after->highest);
    snprintf(title, sizeof title, "%s: mean chance", who);
    snprintf(figure, sizeof figure, "%s.mean", key);
    put_share_row(html, risk, title, figure, before->mean, after->mean);
    for (size_t i = 0; i < risk->settings.threshold_count; i++) {
        snprintf(title, sizeof title, "%s: records above %.4g %%", who,
                 100 * risk->settings.thresholds[i]);
        snprintf(figure, sizeof figure, "%s.above.%zu.records", key, i);
        put_count_row(html, risk, title, figure, before->above[i], after->above[i]);
    }
}

static void put_attack_table(shoal_i_html *html, const shoal_i_risk *risk)
{
    const shoal_i_identity_risk *before = &risk->original;
    const shoal_i_identity_risk *after = &risk->release;
    const char *const columns[] = {"", "original", risk->has_release ? "release" : NULL, NULL};

    shoal_i_html_table_start(html, "The chance that a record is found", columns);
    put_count_row(html, risk, "Records", "records", before->records, after->records);
    put_count_row(html, risk, "Classes of records that look alike", "classes", before->crowds,
                  after->crowds);
    put_count_row(html, risk, "Unique records", "uniques", before->uniques, after->uniques);
    put_count_row(html, risk, "Smallest class", "smallest_class", before->smallest,
                  after->smallest);
    put_attack_rows(html, risk, "Prosecutor", "prosecutor", &before->prosecutor,
                    &after->prosecutor);
    if (before->source != SHOAL_I_JOURNALIST_NONE) {
        put_attack_rows(html, risk, "Journalist", "journalist", &before->journalist,
                        &after->journalist);
    }
    put_share_row(html, risk, "Marketer: records found", "marketer", before->marketer,
                  after->marketer);
    shoal_i_html_table_end(html);
}

static void name_band(char *out, size_t capacity, const shoal_i_band *band)
{
    if (band->to == 0) {
        snprintf(out, capacity, "%" PRIu64 "+", band->from);
    } else if (band->to == band->from) {
        snprintf(out, capacity, "%" PRIu64, band->from);
    } else {
        snprintf(out, capacity, "%" PRIu64 "–%" PRIu64, band->from, band->to);
    }
}

static double divide(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static void put_bands_plot(shoal_i_html *html, const shoal_i_risk *risk,
                           char labels[SHOAL_I_BANDS][48])
{
    shoal_i_bar_pair pairs[SHOAL_I_BANDS];
    shoal_i_chart chart = {
        .title = "Records by the size of their class",
        .description =
            "For each range of class sizes the share of the records in such classes, "
            "in the original and in the release. The table beside it has the counts.",
        .pairs = pairs,
        .count = SHOAL_I_BANDS,
        .has_after = risk->has_release,
    };

    for (size_t i = 0; i < SHOAL_I_BANDS; i++) {
        pairs[i] = (shoal_i_bar_pair){
            labels[i], divide(risk->original.bands[i].records, risk->original.records),
            divide(risk->release.bands[i].records, risk->release.records)};
    }
    shoal_i_html_legend(html, risk->has_release ? "release" : NULL);
    shoal_i_html_upright(html, &chart);
}

static void put_bands(shoal_i_html *html, const shoal_i_risk *risk)
{
    const char *const columns[] = {"class size", "original",
                                   risk->has_release ? "release" : NULL, NULL};
    char labels[SHOAL_I_BANDS][48];
    char figure[FIGURE_MAX];

    for (size_t i = 0; i < SHOAL_I_BANDS; i++) {
        name_band(labels[i], sizeof labels[i], &risk->original.bands[i]);
    }
    shoal_i_html_raw(html, "<div class=\"plots\"><figure><figcaption>Records by the size of "
                           "their class</figcaption>\n");
    put_bands_plot(html, risk, labels);
    shoal_i_html_raw(html, "</figure>\n<div>");
    shoal_i_html_table_start(html, "Records in classes of each size", columns);
    for (size_t i = 0; i < SHOAL_I_BANDS; i++) {
        snprintf(figure, sizeof figure, "class_sizes.%zu.records", i);
        put_count_row(html, risk, labels[i], figure, risk->original.bands[i].records,
                      risk->release.bands[i].records);
    }
    shoal_i_html_table_end(html);
    shoal_i_html_raw(html, "</div></div>\n");
}

static void put_attackers(shoal_i_html *html, const shoal_i_risk *risk)
{
    shoal_i_html_raw(
        html, "<p>A record is found when its values, known from elsewhere, lead to it. A "
              "<em>prosecutor</em> knows that the person is in the table: the chance is 1 / "
              "(records that look alike). ");
    switch (risk->original.source) {
    case SHOAL_I_JOURNALIST_POPULATION:
        shoal_i_html_raw(html, "A <em>journalist</em> does not know that: the chance is 1 / "
                               "(people of the population who look alike), counted in the "
                               "population file. ");
        break;
    case SHOAL_I_JOURNALIST_FRACTION:
        shoal_i_html_raw(html, "A <em>journalist</em> does not know that: the chance is 1 / "
                               "(people of the population who look alike), estimated from a "
                               "sampling fraction of ");
        shoal_i_html_number(html, "risk.sampling_fraction", risk->settings.sampling_fraction);
        shoal_i_html_raw(html, ". ");
        break;
    default:
        shoal_i_html_raw(html, "What a <em>journalist</em>, who does not know that, can do was "
                               "not measured: neither a population nor a sampling fraction was "
                               "given. ");
    }
    shoal_i_html_raw(html, "A <em>marketer</em> links all records and expects to be right for "
                           "a share of them. Above a threshold means strictly above.</p>\n");
    if (risk->has_release && risk->shape == SHOAL_I_SHAPE_BUCKETS) {
        shoal_i_html_raw(html,
                         "<p class=\"no\">This release publishes the quasi-identifier as it "
                         "is: records can be found as in the original. Only what is sensitive "
                         "is hidden, among the values of a bucket.</p>\n");
    }
    if (risk->has_release && risk->shape == SHOAL_I_SHAPE_RECORDS) {
        shoal_i_html_raw(html,
                         "<p>In this release every record has a box of its own; those who "
                         "look alike are the records of the original that fit into it, "
                         "each taken to be equally likely.</p>\n");
    }
}

void shoal_i_html_risk(shoal_i_html *html)
{
    const shoal_i_risk *risk = &html->findings->details->risk;

    shoal_i_html_section_start(html, "risk", "Can records be found?");
    put_attackers(html, risk);
    put_attack_table(html, risk);
    put_bands(html, risk);
    shoal_i_html_section_end(html);
}

/* --- What singles records out. ---------------------------------------------------------- */

static void put_combination_names(shoal_i_html *html, const shoal_i_combinations *found,
                                  const shoal_i_combination *item)
{
    shoal_i_html_raw(html, "<tr><th scope=\"row\">");
    for (size_t c = 0; c < item->count; c++) {
        shoal_i_html_raw(html, c > 0 ? " + " : "");
        shoal_i_html_text(html, found->columns[item->columns[c]].name);
    }
    shoal_i_html_raw(html, "</th>");
}

static void put_riskiest(shoal_i_html *html, const shoal_i_combinations *found)
{
    static const char *const columns[] = {"columns", "minimal uniques", "unique records",
                                          "share of records", NULL};

    shoal_i_html_table_start(html, "The riskiest combinations of columns in the original",
                             columns);
    for (size_t i = 0; i < found->count && i < COMBINATIONS_SHOWN; i++) {
        const shoal_i_combination *item = &found->items[i];

        put_combination_names(html, found, item);
        shoal_i_html_enter(html, "risk.combinations.riskiest.%zu", i);
        shoal_i_html_count_cell(html, "minimal_uniques", item->minimal);
        shoal_i_html_count_cell(html, "uniques", item->uniques);
        shoal_i_html_leave(html);
        shoal_i_html_bar_cell(html, NULL, divide(item->uniques, found->records));
        shoal_i_html_raw(html, "</tr>\n");
    }
    shoal_i_html_table_end(html);
}

static void put_contributions(shoal_i_html *html, const shoal_i_combinations *found)
{
    static const char *const columns[] = {"column", "minimal uniques with it",
                                          "records it helps to single out",
                                          "records only with it", NULL};

    shoal_i_html_table_start(html, "What each column adds", columns);
    for (size_t c = 0; c < found->column_count; c++) {
        const shoal_i_column_part *part = &found->columns[c];

        shoal_i_html_row_start(html, part->name);
        shoal_i_html_enter(html, "risk.combinations.columns.%zu", c);
        shoal_i_html_count_cell(html, "minimal_uniques", part->minimal);
        shoal_i_html_count_cell(html, "records", part->records);
        shoal_i_html_count_cell(html, "only", part->only);
        shoal_i_html_leave(html);
        shoal_i_html_raw(html, "</tr>\n");
    }
    shoal_i_html_table_end(html);
}

void shoal_i_html_combinations(shoal_i_html *html)
{
    const shoal_i_combinations *found = &html->findings->details->risk.combinations;

    shoal_i_html_section_start(html, "combinations", "What singles people out");
    shoal_i_html_raw(html, "<p>Of the original, the raw values of at most ");
    shoal_i_html_count(html, "risk.combinations.columns_together", found->together);
    shoal_i_html_raw(html, " columns at once single out ");
    shoal_i_html_count(html, "risk.combinations.singled_out", found->singled_out);
    shoal_i_html_raw(html, " of ");
    shoal_i_html_count(html, NULL, found->records);
    shoal_i_html_raw(html, " records. A record is a <em>minimal unique</em> of some columns "
                           "when no other record equals it in them and fewer of these columns "
                           "would not do: whoever knows so little finds the person.</p>\n");
    if (found->left_out > 0) {
        shoal_i_html_raw(html, "<p><strong>Not looked at:</strong> ");
        shoal_i_html_count(html, "risk.combinations.sets_left_out", found->left_out);
        shoal_i_html_raw(html, " larger combinations, up to ");
        shoal_i_html_count(html, NULL, found->asked);
        shoal_i_html_raw(html, " columns; there are too many for so many records.</p>\n");
    }
    if (found->count > 0) {
        put_riskiest(html, found);
        put_contributions(html, found);
    }
    shoal_i_html_section_end(html);
}

/* --- Sensitive columns. ----------------------------------------------------------------- */

static void put_attribute_row(shoal_i_html *html, const shoal_i_attribute_pair *pair, size_t i,
                              bool is_release)
{
    const shoal_i_attribute_risk *risk = is_release ? &pair->release : &pair->original;
    const char *side = is_release ? "release" : "original";

    shoal_i_html_raw(html, "<tr><th scope=\"row\">");
    shoal_i_html_text(html, pair->name);
    shoal_i_buffer_printf(html->out, ", %s</th>", side);
    shoal_i_html_enter(html, "risk.attributes.%zu.%s", i, side);
    shoal_i_html_share_cell(html, "mean_share", risk->mean_share);
    shoal_i_html_share_cell(html, "table_share", risk->table_share);
    shoal_i_html_share_cell(html, "highest_share", risk->highest_share);
    shoal_i_html_count_cell(html, "certain_records", risk->certain_records);
    shoal_i_html_count_cell(html, "fewest_values", risk->fewest_values);
    shoal_i_html_number_cell(html, "fewest_effective_values", risk->fewest_effective);
    shoal_i_html_leave(html);
    shoal_i_html_raw(html, "</tr>\n");
}

void shoal_i_html_attributes(shoal_i_html *html)
{
    static const char *const columns[] = {"column",
                                          "guessed by class",
                                          "guessed by the whole table",
                                          "highest share",
                                          "certain records",
                                          "fewest values in a class",
                                          "fewest effective",
                                          NULL};
    const shoal_i_risk *risk = &html->findings->details->risk;

    shoal_i_html_section_start(html, "attributes", "What finding somebody’s class tells");
    shoal_i_html_raw(
        html,
        "<p>Who knows to which class a person belongs can guess the most frequent "
        "sensitive value there. <em>Guessed by class</em> is the share of records for "
        "which that is right; by the whole table, without any class, it would be right "
        "for the second figure. For <em>certain</em> records all of their class share one "
        "value: no record need be found to learn it. <em>Effective</em> values are as "
        "many equally frequent values as have the same entropy.</p>\n");
    shoal_i_html_table_start(html, "Sensitive columns, by class", columns);
    for (size_t i = 0; i < risk->attribute_count; i++) {
        put_attribute_row(html, &risk->attributes[i], i, false);
        if (risk->attributes[i].has_release) {
            put_attribute_row(html, &risk->attributes[i], i, true);
        }
    }
    shoal_i_html_table_end(html);
    shoal_i_html_section_end(html);
}

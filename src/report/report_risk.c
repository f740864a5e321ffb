/* The risk of a report, in words and in JSON. */
#include "report.h"

#include <inttypes.h>

#define COMBINATIONS_IN_JSON 50
#define COMBINATIONS_IN_TEXT 5

static const char *const source_words[] = {NULL, "population", "sampling_fraction"};

/* --- JSON. ------------------------------------------------------------------------------ */

static void put_attack(shoal_i_json *json, const char *key, const shoal_i_attack *attack,
                       const shoal_i_risk_settings *settings, uint64_t records)
{
    shoal_i_json_object(json, key);
    shoal_i_json_number(json, "highest", attack->highest);
    shoal_i_json_number(json, "mean", attack->mean);
    shoal_i_json_array(json, "above");
    for (size_t i = 0; i < settings->threshold_count; i++) {
        shoal_i_json_object(json, NULL);
        shoal_i_json_number(json, "threshold", settings->thresholds[i]);
        shoal_i_json_count(json, "records", attack->above[i]);
        shoal_i_json_number(json, "share",
                            records > 0 ? (double)attack->above[i] / (double)records : 0);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
    shoal_i_json_end(json);
}

static void put_identity(shoal_i_json *json, const char *key, const shoal_i_identity_risk *risk,
                         const shoal_i_risk_settings *settings)
{
    shoal_i_json_object(json, key);
    shoal_i_json_count(json, "records", risk->records);
    shoal_i_json_count(json, "classes", risk->crowds);
    shoal_i_json_count(json, "smallest_class", risk->smallest);
    shoal_i_json_count(json, "largest_class", risk->largest);
    shoal_i_json_count(json, "uniques", risk->uniques);
    put_attack(json, "prosecutor", &risk->prosecutor, settings, risk->records);
    if (risk->source != SHOAL_I_JOURNALIST_NONE) {
        put_attack(json, "journalist", &risk->journalist, settings, risk->records);
    }
    shoal_i_json_number(json, "marketer", risk->marketer);
    shoal_i_json_array(json, "class_sizes");
    for (size_t i = 0; i < SHOAL_I_BANDS; i++) {
        const shoal_i_band *band = &risk->bands[i];

        shoal_i_json_object(json, NULL);
        shoal_i_json_count(json, "from", band->from);
        if (band->to > 0) {
            shoal_i_json_count(json, "to", band->to);
        } else {
            shoal_i_json_null(json, "to");
        }
        shoal_i_json_count(json, "classes", band->crowds);
        shoal_i_json_count(json, "records", band->records);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
    shoal_i_json_end(json);
}

static void put_combination_list(shoal_i_json *json, const shoal_i_combinations *found)
{
    shoal_i_json_array(json, "riskiest");
    for (size_t i = 0; i < found->count && i < COMBINATIONS_IN_JSON; i++) {
        const shoal_i_combination *item = &found->items[i];

        shoal_i_json_object(json, NULL);
        shoal_i_json_array(json, "columns");
        for (size_t c = 0; c < item->count; c++) {
            shoal_i_json_text(json, NULL, found->columns[item->columns[c]].name);
        }
        shoal_i_json_end(json);
        shoal_i_json_count(json, "minimal_uniques", item->minimal);
        shoal_i_json_count(json, "uniques", item->uniques);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
}

static void put_combinations(shoal_i_json *json, const shoal_i_combinations *found)
{
    shoal_i_json_object(json, "combinations");
    shoal_i_json_count(json, "columns_together", found->together);
    shoal_i_json_count(json, "sets", found->sets);
    shoal_i_json_count(json, "sets_left_out", found->left_out);
    shoal_i_json_count(json, "singled_out", found->singled_out);
    shoal_i_json_array(json, "by_size");
    for (size_t m = 1; m <= found->together; m++) {
        shoal_i_json_object(json, NULL);
        shoal_i_json_count(json, "columns", m);
        shoal_i_json_count(json, "minimal_uniques", found->minimal[m]);
        shoal_i_json_count(json, "records", found->first_out[m]);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
    put_combination_list(json, found);
    shoal_i_json_count(json, "with_minimal_uniques", found->count);
    shoal_i_json_array(json, "columns");
    for (size_t c = 0; c < found->column_count; c++) {
        shoal_i_json_object(json, NULL);
        shoal_i_json_text(json, "name", found->columns[c].name);
        shoal_i_json_count(json, "minimal_uniques", found->columns[c].minimal);
        shoal_i_json_count(json, "records", found->columns[c].records);
        shoal_i_json_count(json, "only", found->columns[c].only);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
    shoal_i_json_end(json);
}

static void put_attribute(shoal_i_json *json, const char *key,
                          const shoal_i_attribute_risk *risk)
{
    shoal_i_json_object(json, key);
    shoal_i_json_number(json, "highest_share", risk->highest_share);
    shoal_i_json_number(json, "mean_share", risk->mean_share);
    shoal_i_json_number(json, "table_share", risk->table_share);
    shoal_i_json_count(json, "certain_classes", risk->certain_groups);
    shoal_i_json_count(json, "certain_records", risk->certain_records);
    shoal_i_json_count(json, "fewest_values", risk->fewest_values);
    shoal_i_json_number(json, "fewest_effective_values", risk->fewest_effective);
    shoal_i_json_end(json);
}

void shoal_i_report_put_risk(shoal_i_json *json, const shoal_i_risk *risk)
{
    const shoal_i_risk_settings *settings = &risk->settings;

    shoal_i_json_object(json, "risk");
    if (risk->original.source != SHOAL_I_JOURNALIST_NONE) {
        shoal_i_json_text(json, "journalist_by", source_words[risk->original.source]);
    }
    if (risk->original.source == SHOAL_I_JOURNALIST_FRACTION) {
        shoal_i_json_number(json, "sampling_fraction", settings->sampling_fraction);
    }
    put_identity(json, "original", &risk->original, settings);
    if (risk->has_release) {
        put_identity(json, "release", &risk->release, settings);
    }
    shoal_i_json_array(json, "attributes");
    for (size_t i = 0; i < risk->attribute_count; i++) {
        shoal_i_json_object(json, NULL);
        shoal_i_json_text(json, "name", risk->attributes[i].name);
        put_attribute(json, "original", &risk->attributes[i].original);
        if (risk->attributes[i].has_release) {
            put_attribute(json, "release", &risk->attributes[i].release);
        }
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
    put_combinations(json, &risk->combinations);
    shoal_i_json_end(json);
}

/* --- Words. ----------------------------------------------------------------------------- */

/* A line of a figure before and, where there is a release, after. */
static void put_pair(shoal_i_buffer *out, const char *label, const char *name, double before,
                     double after, bool has_after)
{
    shoal_i_buffer_printf(out, "%-10s%s%.4g", label, name, before);
    if (has_after) {
        shoal_i_buffer_printf(out, " before, %.4g after", after);
    }
    shoal_i_buffer_char(out, '\n');
}

static void put_attacker(shoal_i_buffer *out, const char *label, const char *name,
                         const shoal_i_risk *risk, const shoal_i_attack *before,
                         const shoal_i_attack *after)
{
    bool both = risk->has_release;

    put_pair(out, label, name, before->highest, after->highest, both);
    put_pair(out, "", "on average ", before->mean, after->mean, both);
    for (size_t i = 0; i < risk->settings.threshold_count; i++) {
        shoal_i_buffer_printf(out, "%-10sabove %.4g: %" PRIu64 " of %" PRIu64 " records", "",
                              risk->settings.thresholds[i], before->above[i],
                              risk->original.records);
        if (both) {
            shoal_i_buffer_printf(out, " before, %" PRIu64 " of %" PRIu64 " after",
                                  after->above[i], risk->release.records);
        }
        shoal_i_buffer_char(out, '\n');
    }
}

static void put_combination_lines(shoal_i_buffer *out, const shoal_i_combinations *found)
{
    shoal_i_buffer_printf(out,
                          "%-10s%" PRIu64 " of %" PRIu64
                          " records by the raw values of at most %zu columns\n",
                          "Singled", found->singled_out, found->records, found->together);
    if (found->left_out > 0) {
        shoal_i_buffer_printf(
            out, "%-10s%" PRIu64 " sets of more columns were not looked at: too many\n", "",
            found->left_out);
    }
    for (size_t i = 0; i < found->count && i < COMBINATIONS_IN_TEXT; i++) {
        const shoal_i_combination *item = &found->items[i];

        shoal_i_buffer_printf(out, "%-10s%" PRIu64 " by ", i == 0 ? "Riskiest" : "",
                              item->minimal);
        for (size_t c = 0; c < item->count; c++) {
            shoal_i_buffer_text(out, c == 0 ? "" : c + 1 < item->count ? ", " : " and ");
            shoal_i_buffer_printable(out, found->columns[item->columns[c]].name);
        }
        shoal_i_buffer_char(out, '\n');
    }
}

static void put_attribute_lines(shoal_i_buffer *out, const shoal_i_risk *risk)
{
    for (size_t i = 0; i < risk->attribute_count; i++) {
        const shoal_i_attribute_pair *pair = &risk->attributes[i];

        shoal_i_buffer_printf(out, "%-10s", i == 0 ? "Guessing" : "");
        shoal_i_buffer_printable(out, pair->name);
        shoal_i_buffer_printf(out, " is right for %.2f %%", 100 * pair->original.mean_share);
        if (pair->has_release) {
            shoal_i_buffer_printf(out, " before, %.2f %% after",
                                  100 * pair->release.mean_share);
        }
        const shoal_i_attribute_risk *last =
            pair->has_release ? &pair->release : &pair->original;

        shoal_i_buffer_printf(out, ", %.2f %% by the whole table; certain for %" PRIu64 "\n",
                              100 * last->table_share, last->certain_records);
    }
}

void shoal_i_report_put_risk_text(shoal_i_buffer *out, const shoal_i_risk *risk)
{
    const shoal_i_identity_risk *before = &risk->original;
    const shoal_i_identity_risk *after = &risk->release;

    shoal_i_buffer_printf(out, "%-10s%" PRIu64 "\n", "Records", before->records);
    put_pair(out, "Unique", "", (double)before->uniques, (double)after->uniques,
             risk->has_release);
    put_attacker(out, "Found", "by a prosecutor: at most ", risk, &before->prosecutor,
                 &after->prosecutor);
    if (before->source != SHOAL_I_JOURNALIST_NONE) {
        put_attacker(out, "", "by a journalist: at most ", risk, &before->journalist,
                     &after->journalist);
    }
    put_pair(out, "", "by a marketer: on average ", before->marketer, after->marketer,
             risk->has_release);
    put_combination_lines(out, &risk->combinations);
    put_attribute_lines(out, risk);
}

/* What a board reads first: the verdict, what speaks against publishing, and in a few sentences
 * what was promised, who can be found, what is told, and what that costs. */
#include "report_html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAMES_MOST 8 /* quasi columns that a sentence names */

static bool has_risk(const shoal_i_html *html)
{
    return html->findings->details && html->findings->details->risk.original.crowds > 0;
}

/* --- The verdict. ----------------------------------------------------------------------- */

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

/* A message, in which settings stand in backquotes. */
static void put_message(shoal_i_html *html, const char *message)
{
    bool is_code = false;

    for (;;) {
        size_t length = strcspn(message, "`");

        shoal_i_html_text_n(html, message, length);
        message += length;
        if (*message != '`') {
            break;
        }
        is_code = !is_code;
        shoal_i_html_raw(html, is_code ? "<code>" : "</code>");
        message++;
    }
    shoal_i_html_raw(html, is_code ? "</code>" : "");
}

/* Those that somebody accepted, or the others. */
static void put_warning_list(shoal_i_html *html, const shoal_i_warnings *warnings,
                             bool is_accepted)
{
    shoal_i_html_raw(html, "<ul>\n");
    for (const shoal_i_warning *w = warnings->first; w; w = w->next) {
        if (w->is_accepted == is_accepted) {
            shoal_i_html_raw(html, "<li>");
            put_message(html, w->message);
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
        shoal_i_html_raw(html,
                         verdict->holds ? "" : " At least one requirement does not hold.");
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

/* --- In short. -------------------------------------------------------------------------- */

/* How many of the records of the release, or of an original alone, and the verb: "No record
 * has", "12 of 60 records have". */
static void put_records(shoal_i_html *html, const char *figure, uint64_t count, uint64_t all)
{
    if (count == 0) {
        shoal_i_html_raw(html, "No record has");
        return;
    }
    shoal_i_html_raw(html, count == all ? "All " : "");
    shoal_i_html_count(html, figure, count);
    if (count < all) {
        shoal_i_html_raw(html, " of ");
        shoal_i_html_count(html, NULL, all);
    }
    shoal_i_html_raw(html, count == 1 ? " records has" : " records have");
}

/* The same of the original, to compare with: "none has", "all 60 have". */
static void put_compared(shoal_i_html *html, const char *figure, uint64_t count, uint64_t all)
{
    if (count == 0) {
        shoal_i_html_raw(html, "none has");
        return;
    }
    shoal_i_html_raw(html, count == all ? "all " : "");
    shoal_i_html_count(html, figure, count);
    shoal_i_html_raw(html, count == 1 ? " has" : " have");
}

static void put_kept(shoal_i_html *html, const shoal_i_verdict_item *item, size_t i)
{
    shoal_i_buffer words;

    shoal_i_html_raw(html, item->holds ? "<li>Promised and kept: "
                                       : "<li class=\"no\">Promised and not kept: ");
    shoal_i_buffer_init(&words, html->out->ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_report_put_asked(&words, &item->requirement, html->findings->shape);
    shoal_i_html_words(html, &words);
    if (!item->holds) {
        shoal_i_html_raw(html, "; ");
        shoal_i_html_enter(html, "requirements.%zu", i);
        shoal_i_html_count(html, "failing_records", item->failing_records);
        shoal_i_html_leave(html);
        shoal_i_html_raw(html, item->failing_records == 1 ? " record fails" : " records fail");
    }
    shoal_i_html_raw(html, ".</li>\n");
}

/* The names of the quasi columns, or how many they are. */
static void put_known(shoal_i_html *html)
{
    const shoal_i_original *original = &html->findings->original;
    size_t columns = shoal_table_column_count(original->table);
    size_t count = 0;
    size_t put = 0;

    for (size_t i = 0; i < columns; i++) {
        count += original->roles[i] == SHOAL_ROLE_QUASI;
    }
    if (count > NAMES_MOST) {
        shoal_i_html_raw(html, "the values of ");
        shoal_i_html_count(html, NULL, count);
        shoal_i_html_raw(html, " columns");
        return;
    }
    for (size_t i = 0; i < columns; i++) {
        if (original->roles[i] == SHOAL_ROLE_QUASI) {
            shoal_i_html_raw(html, put == 0 ? "" : put + 1 == count ? " and " : ", ");
            shoal_i_html_text(html, shoal_table_name(original->table, i));
            put++;
        }
    }
}

static void put_chance(shoal_i_html *html, const shoal_i_risk *risk)
{
    shoal_i_html_raw(html,
                     "<li>Whoever knows the quasi-identifier of somebody in the table finds "
                     "that record with a chance of <strong>at most ");
    if (risk->has_release) {
        shoal_i_html_share(html, "risk.release.prosecutor.highest",
                           risk->release.prosecutor.highest);
        shoal_i_html_raw(html, "</strong>; in the original it is ");
        shoal_i_html_share(html, "risk.original.prosecutor.highest",
                           risk->original.prosecutor.highest);
        shoal_i_html_raw(html, ".</li>\n");
    } else {
        shoal_i_html_share(html, "risk.original.prosecutor.highest",
                           risk->original.prosecutor.highest);
        shoal_i_html_raw(html, "</strong>.</li>\n");
    }
}

static void put_threshold(shoal_i_html *html, const shoal_i_risk *risk, size_t i)
{
    const shoal_i_identity_risk *last = risk->has_release ? &risk->release : &risk->original;
    char figure[64];

    snprintf(figure, sizeof figure, "risk.%s.prosecutor.above.%zu.records",
             risk->has_release ? "release" : "original", i);
    shoal_i_html_raw(html, "<li>");
    put_records(html, figure, last->prosecutor.above[i], last->records);
    shoal_i_html_raw(html, " a chance above ");
    shoal_i_html_share(html, NULL, risk->settings.thresholds[i]);
    if (risk->has_release) {
        shoal_i_html_raw(html, "; in the original ");
        snprintf(figure, sizeof figure, "risk.original.prosecutor.above.%zu.records", i);
        put_compared(html, figure, risk->original.prosecutor.above[i], risk->original.records);
    }
    shoal_i_html_raw(html, ".</li>\n");
}

static void put_guess(shoal_i_html *html, const shoal_i_attribute_pair *pair, size_t i)
{
    shoal_i_html_raw(html, "<li>Guessing ");
    shoal_i_html_text(html, pair->name);
    shoal_i_html_raw(html, " from somebody’s class is right for ");
    shoal_i_html_enter(html, "risk.attributes.%zu.release", i);
    shoal_i_html_share(html, "mean_share", pair->release.mean_share);
    shoal_i_html_raw(html, " of the records; guessing it from the whole table, for ");
    shoal_i_html_share(html, "table_share", pair->release.table_share);
    if (pair->release.certain_records > 0) {
        shoal_i_html_raw(html, ". <strong>It is certain of ");
        shoal_i_html_count(html, "certain_records", pair->release.certain_records);
        shoal_i_html_raw(html, pair->release.certain_records == 1
                                   ? " record.</strong></li>\n"
                                   : " records.</strong></li>\n");
    } else {
        shoal_i_html_raw(html, ". It is certain of no record.</li>\n");
    }
    shoal_i_html_leave(html);
}

static void put_cost(shoal_i_html *html, const shoal_i_loss *loss)
{
    shoal_i_html_raw(html, "<li>The price: ");
    shoal_i_html_share(html, "gcp", loss->gcp);
    shoal_i_html_raw(html, " of the information in the quasi-identifier is lost (GCP)");
    if (loss->suppressed > 0) {
        shoal_i_html_raw(html, "; nothing but “*” is left of the quasi-identifier of ");
        shoal_i_html_count(html, "suppression.records", loss->suppressed);
        shoal_i_html_raw(html, " records");
    }
    if (loss->omitted > 0) {
        shoal_i_html_raw(html, "; ");
        shoal_i_html_count(html, "suppression.omitted", loss->omitted);
        shoal_i_html_raw(html, " records of the original are not in the release");
    }
    shoal_i_html_raw(html, ".</li>\n");
}

static void put_risk_sentences(shoal_i_html *html)
{
    const shoal_i_risk *risk = &html->findings->details->risk;

    put_chance(html, risk);
    for (size_t i = 0; i < risk->settings.threshold_count; i++) {
        put_threshold(html, risk, i);
    }
    for (size_t i = 0; i < risk->attribute_count; i++) {
        if (risk->attributes[i].has_release) {
            put_guess(html, &risk->attributes[i], i);
        }
    }
}

/* The two words that the sentences need. */
static void put_words(shoal_i_html *html)
{
    static const char *const words[] = {
        [SHOAL_I_SHAPE_CLASSES] = "<p class=\"soft\">A <em>class</em> is all records that look "
                                  "alike to a reader. The <em>quasi-identifier</em> is what "
                                  "others may know of people",
        [SHOAL_I_SHAPE_RECORDS] =
            "<p class=\"soft\">The <em>quasi-identifier</em> is what others "
            "may know of people",
        [SHOAL_I_SHAPE_BUCKETS] =
            "<p class=\"soft\">A <em>bucket</em> is some records whose "
            "sensitive values are told without saying whose they are. The "
            "<em>quasi-identifier</em> is what others may know of people",
    };

    shoal_i_html_raw(html, words[html->findings->shape]);
    if (html->findings->original.table) {
        shoal_i_html_raw(html, ": ");
        put_known(html);
    }
    shoal_i_html_raw(html, ".</p>\n");
}

static void put_reached(shoal_i_html *html, const shoal_i_attack_finding *f, const char *name,
                        double figure)
{
    if (f->kind->larger_is_safer) {
        shoal_i_html_number(html, name, figure);
    } else {
        shoal_i_html_share(html, name, figure);
    }
}

/* What an attack reaches, against what is promised: for whoever made the release. */
static void put_attack(shoal_i_html *html, const shoal_i_attack_finding *f, size_t i)
{
    bool is_kept = shoal_i_attack_is_kept(f);
    bool is_promised = !isnan(f->promise);
    /* Some promises are about all people together, and a single one may be worse off. */
    bool is_of_all = is_promised && is_kept &&
                     (f->kind->larger_is_safer ? f->worst < f->promise : f->worst > f->promise);

    shoal_i_html_raw(html, is_kept ? "<li>" : "<li class=\"no\">");
    shoal_i_html_text(html, f->kind->title);
    if (f->column) {
        shoal_i_html_raw(html, " of ");
        shoal_i_html_text(html, f->column);
    }
    shoal_i_html_raw(html, !is_promised ? ", of which nothing is promised: "
                           : is_kept    ? " stays within what is promised: "
                                        : " reaches more than is promised: ");
    shoal_i_html_text(html, f->kind->figure);
    shoal_i_html_enter(html, "attacks.%zu", i);
    shoal_i_html_raw(html, " ");
    put_reached(html, f, "reached", f->reached);
    shoal_i_html_raw(html, " on average");
    if (!is_of_all) {
        shoal_i_html_raw(html, ", ");
        put_reached(html, f, "worst", f->worst);
        shoal_i_html_raw(html, " at worst");
    }
    if (is_promised) {
        shoal_i_html_raw(html, f->kind->larger_is_safer ? "; at least " : "; at most ");
        put_reached(html, f, "promise", f->promise);
        shoal_i_html_raw(html, " is promised");
    }
    shoal_i_html_leave(html);
    shoal_i_html_raw(html, ".</li>\n");
}

/* What a board decides by, in sentences. */
static void put_short(shoal_i_html *html)
{
    const shoal_i_verdict *verdict = html->findings->verdict;
    const shoal_i_attack_findings *attacks = html->findings->attacks;

    shoal_i_html_raw(html, "<ul class=\"short\">\n");
    for (size_t i = 0; verdict && i < verdict->count; i++) {
        put_kept(html, &verdict->items[i], i);
    }
    if (has_risk(html)) {
        put_risk_sentences(html);
    }
    for (size_t i = 0; attacks && !html->is_external && i < attacks->count; i++) {
        if (!attacks->items[i].reason[0] && !isnan(attacks->items[i].reached)) {
            put_attack(html, &attacks->items[i], i);
        }
    }
    if (html->findings->loss) {
        put_cost(html, html->findings->loss);
    }
    shoal_i_html_raw(html, "</ul>\n");
}

/* --- Tiles. ----------------------------------------------------------------------------- */

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

void shoal_i_html_glance(shoal_i_html *html)
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
    shoal_i_html_raw(html, "<section id=\"short\" aria-labelledby=\"short-title\" "
                           "class=\"first\">\n<h2 id=\"short-title\">In short</h2>\n");
    put_words(html);
    put_short(html);
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
    shoal_i_html_section_end(html);
}

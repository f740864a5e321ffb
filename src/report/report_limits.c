/* What a report proves and what it does not, in plain words. */
#include "report_html.h"

#include <string.h>

static bool asks_for_sensitive(const shoal_i_findings *findings)
{
    return shoal_i_spec_reads_sensitive(findings->spec);
}

static void put_item(shoal_i_html *html, const char *text)
{
    shoal_i_html_raw(html, "<li>");
    shoal_i_html_raw(html, text);
    shoal_i_html_raw(html, "</li>\n");
}

static void put_proved(shoal_i_html *html)
{
    const shoal_i_findings *findings = html->findings;

    shoal_i_html_raw(html, "<h3>What was checked</h3>\n<ul class=\"limits\">\n");
    if (findings->verdict) {
        put_item(html, "The release as it is published was read back and counted anew, by code "
                       "that shares nothing with the method that made it. Records count as "
                       "alike when the released texts of their quasi-identifier are equal.");
    } else {
        put_item(html,
                 "Figures were measured. No privacy requirement was checked by this run.");
    }
    if (findings->checked_cover) {
        put_item(html, "Every record of the release was found to be true of the record it was "
                       "made from: its values lie within what is published for it.");
    }
    put_item(html, "The digests below name the very files this page is about. Whoever has them "
                   "can repeat the check.");
    shoal_i_html_raw(html, "</ul>\n");
}

static void put_shape_limits(shoal_i_html *html, shoal_i_shape shape)
{
    if (shape == SHOAL_I_SHAPE_BUCKETS) {
        put_item(html,
                 "<strong>Buckets do not hide identities.</strong> The quasi-identifier is "
                 "published unchanged: who is in the table can be seen. Only the link to "
                 "the sensitive value is blurred, within a bucket. Where records were drawn "
                 "into buckets at random, the operating system drew, not the seed of the "
                 "run: knowing the program and its settings does not undo it.");
    }
    if (shape == SHOAL_I_SHAPE_RECORDS) {
        put_item(html, "Records have boxes of their own. The protection rests on a random "
                       "choice among the candidates. The operating system drew it, not the "
                       "seed of the run: knowing the program, its settings and the boxes of "
                       "everybody does not undo it.");
    }
}

/* Quasi columns that are released as ranges: with a grid, and without. */
static void count_ranges(const shoal_i_findings *findings, size_t *with_grid, size_t *without)
{
    const shoal_i_original *original = &findings->original;

    *with_grid = 0;
    *without = 0;
    for (size_t i = 0; original->table && i < shoal_table_column_count(original->table); i++) {
        if (original->roles[i] != SHOAL_ROLE_QUASI || original->hierarchies[i]) {
            continue;
        }
        shoal_i_grid grid = shoal_i_spec_grid(
            findings->spec,
            shoal_i_spec_find_column(findings->spec, shoal_table_name(original->table, i)),
            shoal_table_type(original->table, i));

        if (shoal_i_grid_is_set(&grid)) {
            ++*with_grid;
        } else {
            ++*without;
        }
    }
}

static void put_range_limits(shoal_i_html *html, shoal_i_shape shape)
{
    size_t with_grid = 0;
    size_t without = 0;

    count_ranges(html->findings, &with_grid, &without);
    if (without > 0 && shape != SHOAL_I_SHAPE_BUCKETS) {
        put_item(
            html,
            "<strong>Ends of ranges are values of people.</strong> A range is the smallest "
            "that covers its class, so both ends are exact values that somebody in it has: "
            "the youngest and the oldest, the lowest and the highest income. Where that "
            "tells too much, a grid rounds them outward.");
    }
    if (with_grid > 0) {
        put_item(html,
                 "<strong>Ranges on a grid</strong> end on multiples of a step, whatever "
                 "values lie between. A single value that is itself a multiple, and that all "
                 "of a class share, is still published as it is.");
    }
}

/* Attackers beyond the promises: those who were simulated, and those who were not. */
static void put_attack_limits(shoal_i_html *html)
{
    put_item(html,
             "<strong>The release teaches.</strong> Who takes all classes together learns "
             "which sensitive values go with which people, and guesses better than within "
             "a class alone (the attack of de Finetti). Requirements bound what a class "
             "tells, not what can be learned from many.");
    put_item(html, "<strong>The program is known.</strong> Who knows how classes are found can "
                   "ask why they are not smaller, and sometimes answer it (minimality). "
                   "Requirements about sensitive values that decide where classes end give "
                   "such answers.");
    if (html->findings->attacks) {
        put_item(html, "<strong>Simulated attacks</strong> tell what these attackers reach, by "
                       "the knowledge the section says they have. Others may know more, and "
                       "an attack that fails today proves nothing about the next one.");
    } else {
        put_item(html, "<strong>No attack was simulated</strong> for this page "
                       "(<code>attack.names</code>).");
    }
}

static void put_attribute_limits(shoal_i_html *html)
{
    if (shoal_i_report_is_blind(html->findings)) {
        put_item(html, "<strong>Sensitive values</strong> are protected as far as the "
                       "requirement says, for the columns it names, against readers who know "
                       "the quasi-identifier of everybody, the method and the requirement: "
                       "sensitive values decided only what does not tell whose they are. It is "
                       "no protection against readers who know which values are likelier for "
                       "whom.");
    } else if (asks_for_sensitive(html->findings)) {
        put_item(html, "<strong>Sensitive values</strong> are protected as far as the "
                       "requirement says, for the columns it names, and only against readers "
                       "who know no more than the quasi-identifier.");
    } else {
        put_item(
            html,
            "<strong>k-anonymity does not protect sensitive values.</strong> When all of a "
            "class share one value, it is told without finding anybody. No requirement "
            "about sensitive values was asked for; ℓ-diversity, t-closeness or "
            "(α,k)-anonymity would be one.");
    }
}

static void put_person_limits(shoal_i_html *html)
{
    const shoal_i_verdict *verdict = html->findings->verdict;

    if (verdict && verdict->persons > 0) {
        put_item(html, "<strong>Persons were counted, not records</strong>, by the column that "
                       "tells whose a record is. That it tells people apart rightly was not "
                       "checked.");
    } else {
        put_item(html,
                 "<strong>Several records of one person</strong> count as several people, "
                 "unless the table was prepared otherwise.");
    }
}

void shoal_i_html_limits(shoal_i_html *html)
{
    const shoal_i_findings *findings = html->findings;
    shoal_i_shape shape = findings->details ? findings->details->risk.shape : findings->shape;

    shoal_i_html_section_start(html, "limits", "What this proves, and what it does not");
    put_proved(html);
    shoal_i_html_raw(html, "<h3>What remains possible</h3>\n<ul class=\"limits\">\n");
    put_shape_limits(html, shape);
    put_attribute_limits(html);
    put_range_limits(html, shape);
    put_attack_limits(html);
    put_item(html, "<strong>The choice of columns is a judgement.</strong> Only the columns "
                   "named as quasi-identifier are protected. What else is released as it is, "
                   "and known to somebody, can single people out.");
    put_item(html, "<strong>Background knowledge.</strong> Who knows more than the "
                   "quasi-identifier, for instance that a neighbour does not have a certain "
                   "illness, can rule out values or records.");
    put_item(
        html,
        findings->previous_count > 0
            ? "<strong>Repeated releases.</strong> Whoever may be in the previous release "
              "as well keeps what is promised in what the two classes have in common, "
              "as far as boxes and values tell who is in which. Those who left or "
              "joined in between are not covered, and nothing is proved about other "
              "releases."
            : "<strong>Repeated releases.</strong> Two releases of the same or overlapping "
              "data, each safe by itself, may together tell more. Nothing is proved about "
              "a second release.");
    put_person_limits(html);
    put_item(html, "<strong>Chances are those of a model.</strong> They assume an attacker who "
                   "knows the quasi-identifier exactly, errs nowhere and has no other source.");
    put_item(html, "<strong>Being in the table</strong> may itself be sensitive; only a "
                   "requirement about a population (presence) is about that.");
    shoal_i_html_raw(html, "</ul>\n");
    shoal_i_html_section_end(html);
}

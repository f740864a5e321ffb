/* The section of a page about attacks: who attacks, what was promised, what was reached. */
#include "report_html.h"

#include <inttypes.h>
#include <math.h>

/* Records that a cell names. */
#define NAMED_MOST 5

/* A figure of an attack as its cell: a chance as a share, or a number; what is not known stays
 * empty. */
static void put_figure_cell(shoal_i_html *html, const shoal_i_attack_finding *f,
                            const char *name, double figure)
{
    if (isnan(figure)) {
        shoal_i_html_raw(html, "<td>–</td>");
    } else if (f->kind->larger_is_safer) {
        shoal_i_html_number_cell(html, name, figure);
    } else {
        shoal_i_html_share_cell(html, name, figure);
    }
}

/* Records by number, which tell nobody outside anything, and help those who have the data. */
static void put_worst_cell(shoal_i_html *html, const shoal_i_attack_finding *f)
{
    size_t count = f->worst_count < NAMED_MOST ? f->worst_count : NAMED_MOST;

    shoal_i_html_raw(html, "<td>");
    for (size_t i = 0; i < count; i++) {
        shoal_i_buffer_printf(html->out, "%s%" PRIu32, i > 0 ? ", " : "",
                              f->worst_people[i].record + 1);
    }
    shoal_i_html_raw(html, "</td>");
}

static void put_row(shoal_i_html *html, const shoal_i_attack_finding *f, size_t i)
{
    shoal_i_html_raw(html, shoal_i_attack_is_kept(f) ? "<tr><th scope=\"row\">"
                                                     : "<tr><th scope=\"row\">✗ ");
    shoal_i_html_text(html, f->kind->title);
    if (f->column) {
        shoal_i_html_raw(html, " of ");
        shoal_i_html_text(html, f->column);
    }
    shoal_i_html_raw(html, "<br><span class=\"soft\">");
    shoal_i_html_text(html, f->kind->figure);
    shoal_i_html_raw(html, "</span></th>");
    shoal_i_html_enter(html, "attacks.%zu", i);
    put_figure_cell(html, f, "promise", f->promise);
    put_figure_cell(html, f, "reached", f->reached);
    put_figure_cell(html, f, "worst", f->worst);
    put_figure_cell(html, f, "without", f->without);
    shoal_i_html_count_cell(html, "people", f->people);
    shoal_i_html_count_cell(html, "beyond", f->beyond);
    shoal_i_html_count_cell(html, "certain", f->certain);
    shoal_i_html_leave(html);
    if (!html->is_external) {
        put_worst_cell(html, f);
    }
    shoal_i_html_raw(html, "</tr>\n");
}

static void put_table(shoal_i_html *html, const shoal_i_attack_findings *attacks)
{
    static const char *const inside[] = {"attack",
                                         "promised",
                                         "reached on average",
                                         "at worst",
                                         "without",
                                         "people attacked",
                                         "beyond the promise",
                                         "certain",
                                         "~worst records",
                                         NULL};
    static const char *const outside[] = {
        "attack",  "promised",        "reached on average", "at worst",
        "without", "people attacked", "beyond the promise", "certain",
        NULL};

    shoal_i_html_table_start(html, "What attacks reach", html->is_external ? outside : inside);
    for (size_t i = 0; i < attacks->count; i++) {
        if (!attacks->items[i].reason[0]) {
            put_row(html, &attacks->items[i], i);
        }
    }
    shoal_i_html_table_end(html);
}

/* Who the attackers are, what else is known of what they reached, and what helps. */
static void put_attackers(shoal_i_html *html, const shoal_i_attack_findings *attacks)
{
    shoal_i_html_raw(html, "<ul class=\"limits\">\n");
    for (size_t i = 0; i < attacks->count; i++) {
        const shoal_i_attack_finding *f = &attacks->items[i];

        if (i > 0 && attacks->items[i - 1].kind == f->kind) {
            continue; /* the same of another column */
        }
        shoal_i_html_raw(html, "<li><strong>");
        shoal_i_html_text(html, f->kind->title);
        shoal_i_html_raw(html, ".</strong> ");
        shoal_i_html_text(html, f->kind->attacker);
        if (f->reason[0]) {
            shoal_i_html_raw(html, " Not simulated: ");
            shoal_i_html_text(html, f->reason);
            shoal_i_html_raw(html, ".");
        }
        if (f->is_sampled) {
            shoal_i_html_raw(html, " By chance, what is reached on average lies between ");
            shoal_i_html_enter(html, "attacks.%zu", i);
            shoal_i_html_share(html, "low", f->low);
            shoal_i_html_raw(html, " and ");
            shoal_i_html_share(html, "high", f->high);
            shoal_i_html_leave(html);
            shoal_i_html_raw(html, ".");
        }
        if (f->note[0]) {
            shoal_i_html_raw(html, " ");
            shoal_i_html_text(html, f->note);
        }
        shoal_i_html_raw(html, " What helps: ");
        shoal_i_html_text(html, f->kind->helps);
        shoal_i_html_raw(html, ". <span class=\"soft\">");
        shoal_i_html_text(html, f->kind->citation);
        shoal_i_html_raw(html, "</span></li>\n");
    }
    shoal_i_html_raw(html, "</ul>\n");
}

void shoal_i_html_attacks(shoal_i_html *html)
{
    const shoal_i_attack_findings *attacks = html->findings->attacks;

    shoal_i_html_section_start(html, "attacks", "What attackers reach");
    shoal_i_html_raw(
        html,
        "<p>Attackers who know more than the text of the release were simulated, beside the "
        "original. <em>Promised</em> is what the requirements say to such an attacker, and – "
        "where they are silent. Chances are better low, numbers of values better high. "
        "<em>Without</em> is what can be reached without the attack. An attack that reached "
        "more than was promised is marked ✗.</p>\n");
    put_table(html, attacks);
    put_attackers(html, attacks);
    shoal_i_html_section_end(html);
}

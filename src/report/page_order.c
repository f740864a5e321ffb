/* Which sections a page has, in which order. A new one is a file with a function that writes
 * it, a function that tells whether this run has anything to say there, and a line in the table
 * below: the contents at the head of the page and the page itself both follow it. */
#include "report_html.h"

/* --- What a run has. -------------------------------------------------------------------- */

static bool has_verdict(const shoal_i_findings *findings)
{
    return findings->verdict != NULL;
}

static bool has_risk(const shoal_i_findings *findings)
{
    return findings->details && findings->details->risk.original.crowds > 0;
}

static bool has_attributes(const shoal_i_findings *findings)
{
    return has_risk(findings) && findings->details->risk.attribute_count > 0;
}

static bool has_attacks(const shoal_i_findings *findings)
{
    return findings->attacks != NULL;
}

static bool has_as_is(const shoal_i_findings *findings)
{
    return findings->details && findings->details->has_as_is;
}

static bool has_ready(const shoal_i_findings *findings)
{
    return findings->original.ready_count > 0;
}

static bool has_loss(const shoal_i_findings *findings)
{
    return findings->loss != NULL;
}

static bool has_distributions(const shoal_i_findings *findings)
{
    return findings->details && findings->details->distributions;
}

static bool has_samples(const shoal_i_findings *findings)
{
    return findings->details && findings->details->sample.count > 0;
}

static bool has_frontier(const shoal_i_findings *findings)
{
    return findings->details && findings->details->frontier;
}

static bool has_signatures(const shoal_i_findings *findings)
{
    return findings->spec->sign_off_count > 0;
}

/* --- The order. ------------------------------------------------------------------------- */

/* First what a board decides by: what was promised and whether it holds, who can be found, what
 * is told of them. Then what it costs. Then what nobody promises, and how to check. */
const shoal_i_page_section shoal_i_page_sections[] = {
    {"asked", "Asked and verified", has_verdict, shoal_i_html_asked, false},
    {"risk", "Risk", has_risk, shoal_i_html_risk, false},
    {"combinations", "What singles out", has_risk, shoal_i_html_combinations, false},
    {"attributes", "Sensitive values", has_attributes, shoal_i_html_attributes, false},
    {"attacks", "Attacks", has_attacks, shoal_i_html_attacks, false},
    {"as-is", "Released as they are", has_as_is, shoal_i_html_as_is, false},
    {"made-ready", "Made ready before", has_ready, shoal_i_html_ready, false},
    {"loss", "Loss", has_loss, shoal_i_html_loss, false},
    {"values", "Values", has_distributions, shoal_i_html_distributions, false},
    {"samples", "Some records", has_samples, shoal_i_html_samples, true},
    {"queries", "Queries", has_distributions, shoal_i_html_queries, false},
    {"frontier", "Other releases", has_frontier, shoal_i_html_frontier, false},
    {"limits", "Limits", NULL, shoal_i_html_limits, false},
    {"configuration", "Files and configuration", NULL, shoal_i_html_configuration, false},
    {"sign-off", "Sign-off", has_signatures, shoal_i_html_sign_off, false},
    {0},
};

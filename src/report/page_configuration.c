/* The section of a page about what was run, on which files, with which settings. */
#include "report_html.h"

#include <string.h>

static void put_fact(shoal_i_html *html, const char *term, const char *text)
{
    shoal_i_buffer_printf(html->out, "<dt>%s</dt><dd>", term);
    shoal_i_html_text(html, text);
    shoal_i_html_raw(html, "</dd>\n");
}

static void put_file(shoal_i_html *html, const char *term, const char *path, const char *digest)
{
    if (!path) {
        return;
    }
    shoal_i_buffer_printf(html->out, "<dt>%s</dt><dd>", term);
    if (!html->is_external) {
        shoal_i_html_raw(html, "<code>");
        shoal_i_html_text(html, path);
        shoal_i_html_raw(html, "</code><br>");
    }
    if (digest[0]) {
        shoal_i_buffer_printf(html->out, "SHA-256 <span class=\"digest\">%s</span>", digest);
    } else {
        shoal_i_html_raw(html, "no SHA-256: read from a pipe");
    }
    shoal_i_html_raw(html, "</dd>\n");
}

static void put_method_options(shoal_i_html *html, const shoal_i_method *method,
                               const double *values, const char *before)
{
    for (size_t i = 0; method->options && method->options[i].name; i++) {
        const shoal_i_method_option *option = &method->options[i];

        shoal_i_html_raw(html, i == 0 ? before : ", ");
        shoal_i_html_text(html, option->name);
        shoal_i_html_raw(html, " ");
        if (option->words) {
            shoal_i_html_text(html, option->words[(size_t)values[i]]);
        } else {
            shoal_i_html_number(html, NULL, values[i]);
        }
    }
}

static void put_method(shoal_i_html *html)
{
    const shoal_i_chosen chosen = shoal_i_spec_method(html->findings->spec);
    const shoal_i_method *inner = shoal_i_method_inner(chosen.method, &chosen.settings);

    shoal_i_html_raw(html, "<dt>Method</dt><dd>");
    shoal_i_html_text(html, chosen.method->name);
    put_method_options(html, chosen.method, chosen.settings.values, ": ");
    if (inner) {
        put_method_options(html, inner, chosen.settings.inner, ", ");
    }
    shoal_i_html_raw(html, "</dd>\n");
}

/* How the release was made. For readers outside nothing of it: with method, settings, seed and
 * version anybody could make the release of a table that he guessed, and see whether it is this
 * one; the digest of the original would tell even more simply. */
static void put_making(shoal_i_html *html)
{
    const shoal_i_findings *findings = html->findings;

    if (strcmp(findings->command, "anonymize") != 0) {
        return;
    }
    put_method(html);
    shoal_i_html_raw(html, "<dt>Seed</dt><dd>");
    shoal_i_html_count(html, "configuration.seed", findings->seed);
    shoal_i_html_raw(html, "</dd>\n<dt>May be suppressed</dt><dd>");
    shoal_i_html_share(html, "configuration.suppress", findings->spec->suppress);
    shoal_i_html_raw(html, " of the records</dd>\n");
}

/* What was done about missing values of the quasi-identifier. */
static const char *name_missing(shoal_i_missing_action action)
{
    static const char *const words[] = {
        [SHOAL_I_MISSING_ERROR] = "none: the quasi-identifier must not have any",
        [SHOAL_I_MISSING_DROP] = "records without a value in the quasi-identifier are left out",
        [SHOAL_I_MISSING_KEEP] = "kept, as a value of its own",
    };

    return words[action];
}

static void put_run(shoal_i_html *html)
{
    const shoal_i_findings *findings = html->findings;
    const shoal_i_details *details = findings->details;

    shoal_i_html_raw(html, "<dl class=\"facts\">\n");
    if (!html->is_external) {
        put_file(html, "Original", findings->input, details ? details->input_digest : "");
    }
    put_file(html, "Release", findings->release, details ? details->release_digest : "");
    if (findings->sensitive_table) {
        put_file(html, "Sensitive table", findings->sensitive_table,
                 details ? details->table_digest : "");
    }
    if (shoal_i_spec_has_population(findings->spec) && !html->is_external) {
        put_fact(html, "Population", shoal_i_spec_population_name(findings->spec));
    }
    put_fact(html, "Program", "Shoal");
    if (!html->is_external) {
        put_fact(html, "Version", shoal_version());
        put_making(html);
    }
    put_fact(html, "Missing values", name_missing(findings->spec->missing));
    shoal_i_html_raw(html, "</dl>\n");
}

static const char *name_plan(shoal_i_hierarchy_plan_kind kind)
{
    static const char *const names[] = {
        [SHOAL_I_PLAN_NONE] = "flat",        [SHOAL_I_PLAN_FLAT] = "flat",
        [SHOAL_I_PLAN_FILE] = "from a file", [SHOAL_I_PLAN_PREFIX] = "prefix masks",
        [SHOAL_I_PLAN_DATES] = "dates",      [SHOAL_I_PLAN_WIDTHS] = "intervals",
        [SHOAL_I_PLAN_BREAKS] = "intervals", [SHOAL_I_PLAN_TABLE] = "from a table",
        [SHOAL_I_PLAN_CODES] = "codes"};

    return names[kind];
}

/* How a quasi column is made coarser; for others without numbers and names of files. */
static void put_hierarchy(shoal_i_html *html, size_t column)
{
    const shoal_i_original *original = &html->findings->original;
    const char *name = shoal_table_name(original->table, column);
    const shoal_i_spec_column *asked = shoal_i_spec_find_column(html->findings->spec, name);
    shoal_i_buffer words;

    if (original->roles[column] != SHOAL_ROLE_QUASI) {
        return;
    }
    shoal_i_grid grid = shoal_i_spec_grid(html->findings->spec, asked,
                                          shoal_table_type(original->table, column));

    if (shoal_i_grid_is_set(&grid)) {
        shoal_i_buffer_init(&words, html->out->ctx, SHOAL_I_BUFFER_MAX);
        shoal_i_buffer_text(&words, "ranges on a grid of ");
        shoal_i_grid_put(&words, &grid);
        shoal_i_html_words(html, &words);
    } else if (!original->hierarchies[column]) {
        shoal_i_html_raw(html, "ranges");
    } else if (html->is_external || asked->plan.kind == SHOAL_I_PLAN_NONE) {
        shoal_i_html_raw(html, name_plan(asked->plan.kind));
    } else {
        shoal_i_buffer_init(&words, html->out->ctx, SHOAL_I_BUFFER_MAX);
        shoal_i_hierarchy_plan_describe(&asked->plan, &words);
        shoal_i_html_words(html, &words);
    }
}

static void put_columns(shoal_i_html *html)
{
    static const char *const columns[] = {"column", "role", "type", "made coarser by", NULL};
    const shoal_i_original *original = &html->findings->original;

    shoal_i_html_raw(html, "<div class=\"texts\">");
    shoal_i_html_table_start(html, "Columns of the original", columns);
    for (size_t i = 0; i < shoal_table_column_count(original->table); i++) {
        bool is_skipped = shoal_table_is_skipped(original->table, i);

        shoal_i_html_row_start(html, shoal_table_name(original->table, i));
        shoal_i_html_raw(html, "<td>");
        shoal_i_html_raw(html, shoal_i_report_role(html->findings, i));
        shoal_i_html_raw(html, "</td><td>");
        shoal_i_html_raw(html, is_skipped
                                   ? "not read"
                                   : shoal_type_name(shoal_table_type(original->table, i)));
        shoal_i_html_raw(html, "</td><td>");
        put_hierarchy(html, i);
        shoal_i_html_raw(html, "</td></tr>\n");
    }
    shoal_i_html_table_end(html);
    shoal_i_html_raw(html, "</div>\n");
}

/* Whether another run makes the same release. */
static void put_repeating(shoal_i_html *html)
{
    static const char *const texts[] = {
        [SHOAL_I_SHAPE_CLASSES] = " The same input, settings and seed give the same release, "
                                  "byte for byte.",
        [SHOAL_I_SHAPE_RECORDS] = " Another run gives the same boxes, but deals the values out "
                                  "anew: the operating system draws, and nobody can repeat it.",
        [SHOAL_I_SHAPE_BUCKETS] =
            " Where records are drawn into buckets, by the method anatomy, "
            "another run draws others: the operating system draws, and "
            "nobody can repeat it.",
    };

    if (!html->findings->is_test_seeded) {
        shoal_i_html_raw(html, texts[html->findings->shape]);
    }
}

void shoal_i_html_configuration(shoal_i_html *html)
{
    shoal_i_html_section_start(html, "configuration", "Files and configuration");
    put_run(html);
    if (html->findings->original.table) {
        put_columns(html);
    }
    shoal_i_html_raw(html, "<p class=\"soft\">To check again: compare the digests "
                           "(<code>sha256sum FILE</code>), then <code>shoal verify</code> the "
                           "release with the same requirements.");
    if (!html->is_external) {
        put_repeating(html);
    }
    shoal_i_html_raw(html, "</p>\n");
    shoal_i_html_section_end(html);
}

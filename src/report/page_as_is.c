/* What is released as it is, and what it adds for whoever knows it. */
#include "report_html.h"

/* The names of the columns that something holds of, behind a few words; nothing where it holds
 * of none. */
static void put_names(shoal_i_html *html, const char *words,
                      bool (*holds)(const shoal_i_findings *findings, size_t column))
{
    const shoal_table *table = html->findings->original.table;
    size_t count = 0;

    for (size_t i = 0; i < shoal_table_column_count(table); i++) {
        if (holds(html->findings, i)) {
            shoal_i_html_raw(html, count++ == 0 ? words : ", ");
            shoal_i_html_text(html, shoal_table_name(table, i));
        }
    }
    shoal_i_html_raw(html, count > 0 ? ".</p>\n" : "");
}

static bool is_sensitive(const shoal_i_findings *findings, size_t column)
{
    return findings->original.roles[column] == SHOAL_ROLE_SENSITIVE;
}

static void put_columns(shoal_i_html *html, const shoal_i_as_is *as_is)
{
    static const char *const columns[] = {"column", "values", "of one record alone", NULL};

    shoal_i_html_table_start(html, "Columns that are released as they are", columns);
    for (size_t i = 0; i < as_is->count; i++) {
        shoal_i_html_enter(html, "as_is.columns.%zu", i);
        shoal_i_html_row_start(
            html, shoal_table_name(html->findings->original.table, as_is->columns[i].column));
        shoal_i_html_count_cell(html, "distinct", as_is->columns[i].distinct);
        shoal_i_html_count_cell(html, "unique", as_is->columns[i].unique);
        shoal_i_html_raw(html, "</tr>\n");
        shoal_i_html_leave(html);
    }
    shoal_i_html_table_end(html);
}

/* How many are alone, by the quasi-identifier and by more. */
static void put_uniques(shoal_i_html *html, const shoal_i_as_is *as_is)
{
    shoal_i_html_raw(html, "<p>Whoever knows of somebody what is released of the "
                           "quasi-identifier finds one record alone in ");
    shoal_i_html_count(html, "as_is.unique_by_quasi", as_is->unique_before);
    shoal_i_html_raw(html, " cases; whoever knows these columns as well, in <strong>");
    shoal_i_html_count(html, "as_is.unique_records", as_is->unique_records);
    shoal_i_html_raw(html, "</strong>. No requirement looks at these columns: that others do "
                           "not know them is for those who publish to judge.</p>\n");
}

void shoal_i_html_as_is(shoal_i_html *html)
{
    const shoal_i_as_is *as_is = &html->findings->details->as_is;

    shoal_i_html_section_start(html, "as-is", "Released as they are");
    if (as_is->count > 0) {
        put_columns(html, as_is);
        put_uniques(html, as_is);
    } else {
        shoal_i_html_raw(html, "<p>No column is released as it is but for those that the "
                               "release is about.</p>\n");
    }
    put_names(html,
              "<p class=\"soft\">Sensitive, and released as they are because others are "
              "to learn from them: ",
              is_sensitive);
    put_names(html, "<p class=\"soft\">Left out, because nobody gave them a role: ",
              shoal_i_report_is_left_out);
    shoal_i_html_section_end(html);
}

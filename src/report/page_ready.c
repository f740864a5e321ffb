/* What was done to columns before any method saw them, and what that cost. */
#include "report_html.h"

void shoal_i_html_ready(shoal_i_html *html)
{
    static const char *const columns[] = {"column", "made ready by", "records changed", "loss",
                                          NULL};
    const shoal_i_original *original = &html->findings->original;

    shoal_i_html_section_start(html, "made-ready", "Made ready before");
    shoal_i_html_raw(html,
                     "<p>These columns were made coarser before the method saw them. What that "
                     "cost is no part of the loss of the method, which comes on top.</p>\n");
    shoal_i_html_table_start(html, "Columns made ready", columns);
    for (size_t i = 0; i < original->ready_count; i++) {
        const shoal_i_made_ready *made = &original->ready[i];

        shoal_i_html_enter(html, "made_ready.%zu", i);
        shoal_i_html_row_start(html, shoal_table_name(original->table, made->column));
        shoal_i_html_raw(html, "<td>");
        shoal_i_html_text(html, made->steps);
        shoal_i_html_raw(html, "</td>");
        shoal_i_html_count_cell(html, "changed", made->changed);
        shoal_i_html_share_cell(html, "loss", made->loss);
        shoal_i_html_raw(html, "</tr>\n");
        shoal_i_html_leave(html);
    }
    shoal_i_html_table_end(html);
    shoal_i_html_section_end(html);
}

/* A few records before and after, on the page for internal use alone: cells of people. */
#include "report_html.h"

#include <stdio.h>
#include <string.h>

#define CELL_LETTERS 60
#define SHORT_BYTES 24 /* a range of dates: not to be broken where one can scroll */
#define TINY_BYTES 10  /* a date: not even on paper */

/* A cell, cut between letters where it is very long. */
static void put_cell(shoal_i_html *html, const char *text)
{
    size_t end = 0;

    for (size_t letters = 0; text[end] && letters < CELL_LETTERS; letters++) {
        end++;
        while (((unsigned char)text[end] & 0xC0) == 0x80) {
            end++;
        }
    }
    shoal_i_html_raw(html, end <= TINY_BYTES    ? "<td class=\"text short tiny\">"
                           : end <= SHORT_BYTES ? "<td class=\"text short\">"
                                                : "<td class=\"text\">");
    shoal_i_html_text_n(html, text, end);
    shoal_i_html_raw(html, text[end] ? "…</td>" : "</td>");
}

static void put_record(shoal_i_html *html, const shoal_i_sample_rows *sample, size_t r,
                       bool is_after)
{
    shoal_i_buffer_printf(html->out, "<tr class=\"%s\"><th scope=\"row\">%zu, %s</th>",
                          is_after ? "released" : "as-read", r + 1,
                          is_after ? "release" : "original");
    for (size_t i = 0; i < sample->column_count; i++) {
        put_cell(html, is_after ? sample->after[r][i] : sample->before[r][i]);
    }
    shoal_i_html_raw(html, "</tr>\n");
}

static void put_table(shoal_i_html *html, const shoal_i_sample_rows *sample)
{
    char heads[SHOAL_I_SAMPLE_COLUMNS][256];
    const char *columns[SHOAL_I_SAMPLE_COLUMNS + 2] = {"record"};

    for (size_t i = 0; i < sample->column_count; i++) {
        snprintf(heads[i], sizeof heads[i], "~%s",
                 shoal_table_name(html->findings->original.table, sample->columns[i]));
        columns[i + 1] = heads[i];
    }
    columns[sample->column_count + 1] = NULL;
    shoal_i_html_raw(html, "<div class=\"samples\">");
    shoal_i_html_table_start(html, "The same records in the original and in the release",
                             columns);
    for (size_t r = 0; r < sample->count; r++) {
        put_record(html, sample, r, false);
        put_record(html, sample, r, true);
    }
    shoal_i_html_table_end(html);
    shoal_i_html_raw(html, "</div>\n");
}

void shoal_i_html_samples(shoal_i_html *html)
{
    const shoal_i_sample_rows *sample = &html->findings->details->sample;

    shoal_i_html_section_start(html, "samples", "A few records before and after");
    shoal_i_html_raw(html, "<p><strong>These are cells of real records: treat this page as the "
                           "data.</strong> The page for readers outside has none of them. ");
    if (sample->count < SHOAL_I_SAMPLE_ROWS) {
        shoal_i_html_raw(html, "All records are shown.");
    } else {
        shoal_i_html_raw(html, "Nobody chose them: the table, in the order in which it was "
                               "read, is divided into ten parts, and the record in the middle "
                               "of each is shown.");
    }
    if (html->findings->original.ready_count > 0) {
        shoal_i_html_raw(html, " The original is shown as it was made ready.");
    }
    shoal_i_html_raw(html, "</p>\n");
    put_table(html, sample);
    if (sample->left_out > 0) {
        shoal_i_html_raw(html, "<p class=\"soft\">");
        shoal_i_html_count(html, NULL, sample->left_out);
        shoal_i_html_raw(html, sample->left_out == 1
                                   ? " more column is released and not shown here.</p>\n"
                                   : " more columns are released and not shown here.</p>\n");
    }
    shoal_i_html_section_end(html);
}

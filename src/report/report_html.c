#include "report_html.h"

#include "../base/figures/for_people.h"
#include "../base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void shoal_i_html_raw(shoal_i_html *html, const char *markup)
{
    shoal_i_buffer_text(html->out, markup);
}

void shoal_i_html_begin(shoal_i_html *html)
{
    shoal_i_html_raw(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                           "<meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width, "
                           "initial-scale=1\">\n"
                           "<meta name=\"referrer\" content=\"no-referrer\">\n"
                           "<meta http-equiv=\"Content-Security-Policy\" "
                           "content=\"default-src 'none'; style-src 'unsafe-inline'; "
                           "img-src data:\">\n"
                           "<link rel=\"icon\" href=\"data:,\">\n");
}

/* --- Text. ------------------------------------------------------------------------------ */

static const char *escape(unsigned char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case '\n':
    case '\r':
    case '\t':
        return " ";
    default:
        return c < 0x20 || c == 0x7F ? "\xEF\xBF\xBD" : NULL;
    }
}

static void put_valid(shoal_i_buffer *out, const char *text, size_t length)
{
    size_t start = 0;

    for (size_t i = 0; i < length; i++) {
        const char *stands_for = escape((unsigned char)text[i]);

        if (stands_for) {
            shoal_i_buffer_put(out, text + start, i - start);
            shoal_i_buffer_text(out, stands_for);
            start = i + 1;
        }
    }
    shoal_i_buffer_put(out, text + start, length - start);
}

void shoal_i_html_text_n(shoal_i_html *html, const char *text, size_t length)
{
    size_t bad = 0;

    while (!shoal_i_text_is_utf8(&bad, text, length)) {
        put_valid(html->out, text, bad);
        shoal_i_buffer_text(html->out, "\xEF\xBF\xBD");
        text += bad + 1;
        length -= bad + 1;
    }
    put_valid(html->out, text, length);
}

void shoal_i_html_text(shoal_i_html *html, const char *text)
{
    shoal_i_html_text_n(html, text, strlen(text));
}

void shoal_i_html_words(shoal_i_html *html, shoal_i_buffer *words)
{
    if (shoal_i_buffer_status(words) == SHOAL_OK) {
        shoal_i_html_text_n(html, words->size > 0 ? words->data : "", words->size);
    } else {
        html->out->status = words->status;
    }
    shoal_i_buffer_clear(words);
}

/* --- Figures. --------------------------------------------------------------------------- */

void shoal_i_html_enter(shoal_i_html *html, const char *format, ...)
{
    va_list parts;

    va_start(parts, format);
    vsnprintf(html->place, sizeof html->place, format, parts);
    va_end(parts);
}

void shoal_i_html_leave(shoal_i_html *html)
{
    html->place[0] = '\0';
}

/* Open the element that carries the full value. */
static void start_figure(shoal_i_html *html, const char *figure, double value)
{
    char text[SHOAL_I_NUMBER_MAX];

    if (!figure) {
        return;
    }
    shoal_i_buffer_printf(html->out, "<data data-figure=\"%s%s%s", html->place,
                          html->place[0] ? "." : "", figure);
    if (isfinite(value)) {
        shoal_i_text_from_double(text, value);
        shoal_i_buffer_printf(html->out, "\" value=\"%s\">", text);
    } else {
        shoal_i_html_raw(html, "\" value=\"\">");
    }
}

static void end_figure(shoal_i_html *html, const char *figure)
{
    shoal_i_html_raw(html, figure ? "</data>" : "");
}

void shoal_i_html_count(shoal_i_html *html, const char *figure, uint64_t count)
{
    start_figure(html, figure, (double)count);
    shoal_i_put_count(html->out, count);
    end_figure(html, figure);
}

void shoal_i_html_share(shoal_i_html *html, const char *figure, double share)
{
    start_figure(html, figure, share);
    shoal_i_put_percent(html->out, share);
    shoal_i_html_raw(html, "&nbsp;%");
    end_figure(html, figure);
}

void shoal_i_html_number(shoal_i_html *html, const char *figure, double number)
{
    start_figure(html, figure, number);
    shoal_i_put_number(html->out, number);
    end_figure(html, figure);
}

void shoal_i_html_count_cell(shoal_i_html *html, const char *figure, uint64_t count)
{
    shoal_i_html_raw(html, "<td>");
    shoal_i_html_count(html, figure, count);
    shoal_i_html_raw(html, "</td>");
}

void shoal_i_html_share_cell(shoal_i_html *html, const char *figure, double share)
{
    shoal_i_html_raw(html, "<td>");
    shoal_i_html_share(html, figure, share);
    shoal_i_html_raw(html, "</td>");
}

void shoal_i_html_number_cell(shoal_i_html *html, const char *figure, double number)
{
    shoal_i_html_raw(html, "<td>");
    shoal_i_html_number(html, figure, number);
    shoal_i_html_raw(html, "</td>");
}

/* --- Tables and sections. --------------------------------------------------------------- */

void shoal_i_html_row_start(shoal_i_html *html, const char *text)
{
    shoal_i_html_raw(html, "<tr><th scope=\"row\">");
    shoal_i_html_text(html, text);
    shoal_i_html_raw(html, "</th>");
}

void shoal_i_html_table_start(shoal_i_html *html, const char *caption,
                              const char *const *columns)
{
    shoal_i_html_raw(html, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"");
    shoal_i_html_text(html, caption);
    shoal_i_html_raw(html, "\"><table><caption>");
    shoal_i_html_text(html, caption);
    shoal_i_html_raw(html, "</caption>\n<thead><tr>");
    for (; *columns; columns++) {
        bool is_text = **columns == '~';

        shoal_i_html_raw(html,
                         is_text ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\">");
        shoal_i_html_text(html, *columns + is_text);
        shoal_i_html_raw(html, "</th>");
    }
    shoal_i_html_raw(html, "</tr></thead>\n<tbody>\n");
}

void shoal_i_html_table_end(shoal_i_html *html)
{
    shoal_i_html_raw(html, "</tbody></table></div>\n");
}

void shoal_i_html_section_start(shoal_i_html *html, const char *anchor, const char *title)
{
    shoal_i_buffer_printf(html->out,
                          "<section id=\"%s\" aria-labelledby=\"%s-title\">\n"
                          "<h2 id=\"%s-title\">%s</h2>\n",
                          anchor, anchor, anchor, title);
}

void shoal_i_html_section_end(shoal_i_html *html)
{
    shoal_i_html_raw(html, "</section>\n");
}

/* What a page says of itself: whose report it is and what for, and who signs it. */
#include "report_html.h"

static void put_line(shoal_i_html *html, const char *term, const char *text)
{
    if (text) {
        shoal_i_buffer_printf(html->out, "<dt>%s</dt><dd>", term);
        shoal_i_html_text(html, text);
        shoal_i_html_raw(html, "</dd>\n");
    }
}

void shoal_i_html_about(shoal_i_html *html)
{
    const shoal_spec *spec = html->findings->spec;

    if (!spec->report_author && !spec->report_purpose && !spec->report_date) {
        return;
    }
    shoal_i_html_raw(html, "<dl class=\"facts about\">\n");
    put_line(html, "Purpose", spec->report_purpose);
    put_line(html, "Author", spec->report_author);
    put_line(html, "Date", spec->report_date);
    shoal_i_html_raw(html, "</dl>\n");
}

/* One line each, wide enough for a pen. */
void shoal_i_html_sign_off(shoal_i_html *html)
{
    const shoal_spec *spec = html->findings->spec;

    shoal_i_html_section_start(html, "sign-off", "Sign-off");
    shoal_i_html_raw(html, "<p>Whoever signs has read this page, what it does not prove "
                           "included.</p>\n<ul class=\"signatures\">\n");
    for (size_t i = 0; i < spec->sign_off_count; i++) {
        shoal_i_html_raw(html, "<li><span class=\"who\">");
        shoal_i_html_text(html, spec->sign_off[i]);
        shoal_i_html_raw(html, "</span><span class=\"pen\">Signature</span>"
                               "<span class=\"pen\">Date</span></li>\n");
    }
    shoal_i_html_raw(html, "</ul>\n");
    shoal_i_html_section_end(html);
}

/* Plots as inline SVG: their colours are those of the page, so they follow it into the dark and
 * onto paper. About as wide as a telephone, so that nothing need be scaled down there. */
#include "report_html.h"

#include <math.h>
#include <string.h>

#define WIDTH 360
#define HEIGHT 190
#define LEFT 38
#define RIGHT 6
#define TOP 10
#define BOTTOM 26
#define LABEL_WIDTH 124
#define ROW_HEIGHT 24
#define LABEL_LETTERS 15

void shoal_i_html_bar_cell(shoal_i_html *html, const char *figure, double share)
{
    double width = share < 0 ? 0 : share > 1 ? 1 : share;

    shoal_i_buffer_printf(html->out,
                          "<td class=\"bar\"><svg viewBox=\"0 0 100 10\" "
                          "preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                          "<rect class=\"track\" width=\"100\" height=\"10\"/>"
                          "<rect class=\"after\" width=\"%.2f\" height=\"10\"/></svg><span>",
                          100 * width);
    shoal_i_html_share(html, figure, share);
    shoal_i_html_raw(html, "</span></td>");
}

/* --- What plots share. ------------------------------------------------------------------ */

static void start_svg(shoal_i_html *html, const shoal_i_chart *chart, int height)
{
    shoal_i_buffer_printf(html->out,
                          "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\"><title>",
                          WIDTH, height);
    shoal_i_html_text(html, chart->title);
    shoal_i_html_raw(html, "</title><desc>");
    shoal_i_html_text(html, chart->description);
    shoal_i_html_raw(html, "</desc>\n");
}

/* The largest share, rounded up to a number of one or two digits. */
static double find_scale(const shoal_i_chart *chart)
{
    static const double steps[] = {1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8};
    double largest = 0;

    for (size_t i = 0; i < chart->count; i++) {
        largest = fmax(largest, chart->pairs[i].before);
        largest = chart->has_after ? fmax(largest, chart->pairs[i].after) : largest;
    }
    if (!(largest > 0)) {
        return 1;
    }
    double power = pow(10, floor(log10(largest)));

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (largest <= steps[i] * power * (1 + 1e-9)) {
            return steps[i] * power;
        }
    }
    return 10 * power;
}

static void put_bar(shoal_i_html *html, const char *kind, double x, double y, double width,
                    double height, double share)
{
    shoal_i_buffer_printf(html->out,
                          "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                          "height=\"%.1f\"><title>",
                          kind, x, y, width, height);
    shoal_i_buffer_printf(html->out, "%s %.2f %%</title></rect>", kind, 100 * share);
}

void shoal_i_html_legend(shoal_i_html *html, const char *after)
{
    shoal_i_html_raw(html, "<p class=\"legend\"><span>original</span>");
    if (after) {
        shoal_i_buffer_printf(html->out, "<span class=\"new\">%s</span>", after);
    }
    shoal_i_html_raw(html, "</p>\n");
}

/* --- Upright. --------------------------------------------------------------------------- */

static void put_grid(shoal_i_html *html, double scale)
{
    double height = HEIGHT - TOP - BOTTOM;

    for (int i = 0; i <= 2; i++) {
        double y = TOP + height * (1 - i / 2.0);

        shoal_i_buffer_printf(html->out,
                              "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" "
                              "y2=\"%.1f\"/><text class=\"tick\" x=\"%d\" y=\"%.1f\" "
                              "text-anchor=\"end\">%.3g%%</text>",
                              LEFT, y, WIDTH - RIGHT, y, LEFT - 4, y + 4,
                              100 * scale * i / 2.0);
    }
}

void shoal_i_html_upright(shoal_i_html *html, const shoal_i_chart *chart)
{
    double scale = find_scale(chart);
    double height = HEIGHT - TOP - BOTTOM;
    double step =
        (double)(WIDTH - LEFT - RIGHT) / (double)(chart->count > 0 ? chart->count : 1);
    double width = step * (chart->has_after ? 0.42 : 0.8);
    size_t every = chart->label_every > 0 ? chart->label_every : 1;

    start_svg(html, chart, HEIGHT);
    put_grid(html, scale);
    for (size_t i = 0; i < chart->count; i++) {
        const shoal_i_bar_pair *pair = &chart->pairs[i];
        double x = LEFT + step * ((double)i + 0.08);
        double before = height * pair->before / scale;
        double after = height * pair->after / scale;

        put_bar(html, "before", x, TOP + height - before, width, before, pair->before);
        if (chart->has_after) {
            put_bar(html, "after", x + width, TOP + height - after, width, after, pair->after);
        }
        if (i % every == 0 && pair->label[0]) {
            shoal_i_buffer_printf(
                html->out, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">",
                every > 1 ? x : x + width, HEIGHT - 9, every > 1 ? "start" : "middle");
            shoal_i_html_text(html, pair->label);
            shoal_i_html_raw(html, "</text>\n");
        }
    }
    shoal_i_html_raw(html, "</svg>\n");
}

/* --- Lying. ----------------------------------------------------------------------------- */

/* A label of at most so many letters, the whole of it where the pointer rests. */
static void put_label(shoal_i_html *html, const char *label, double y)
{
    size_t length = strlen(label);
    size_t end = 0;
    size_t letters = 0;

    for (; end < length && letters < LABEL_LETTERS; letters++) {
        end++;
        while (end < length && ((unsigned char)label[end] & 0xC0) == 0x80) {
            end++;
        }
    }
    shoal_i_buffer_printf(html->out,
                          "<text class=\"label\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
                          LABEL_WIDTH - 6, y);
    if (end < length) {
        shoal_i_html_raw(html, "<title>");
        shoal_i_html_text(html, label);
        shoal_i_html_raw(html, "</title>");
    }
    shoal_i_html_text_n(html, label, end);
    shoal_i_html_raw(html, end < length ? "…</text>" : "</text>");
}

void shoal_i_html_lying(shoal_i_html *html, const shoal_i_chart *chart)
{
    double scale = find_scale(chart);
    double room = WIDTH - LABEL_WIDTH - (chart->has_after ? 92 : 48);
    double thick = chart->has_after ? 8 : 14;

    start_svg(html, chart, (int)chart->count * ROW_HEIGHT + 4);
    for (size_t i = 0; i < chart->count; i++) {
        const shoal_i_bar_pair *pair = &chart->pairs[i];
        double y = (double)i * ROW_HEIGHT + 4;
        double longest = chart->has_after ? fmax(pair->before, pair->after) : pair->before;

        put_label(html, pair->label, y + 12);
        put_bar(html, "before", LABEL_WIDTH, y, room * pair->before / scale, thick,
                pair->before);
        if (chart->has_after) {
            put_bar(html, "after", LABEL_WIDTH, y + thick + 1, room * pair->after / scale,
                    thick, pair->after);
        }
        shoal_i_buffer_printf(html->out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">",
                              LABEL_WIDTH + room * longest / scale + 4, y + 12);
        if (chart->has_after) {
            shoal_i_buffer_printf(html->out, "%.1f → %.1f%%</text>\n", 100 * pair->before,
                                  100 * pair->after);
        } else {
            shoal_i_buffer_printf(html->out, "%.1f%%</text>\n", 100 * pair->before);
        }
    }
    shoal_i_html_raw(html, "</svg>\n");
}

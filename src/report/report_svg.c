/* Plots as inline SVG: their colours are those of the page, so they follow it into the dark and
 * onto paper. About as wide as a telephone, so that nothing need be scaled down there. */
#include "report_html.h"

#include "../base/figures/round_step.h"

#include <math.h>
#include <string.h>

#define WIDTH 360
#define HEIGHT 190
#define LEFT 38
#define RIGHT 6
#define TOP 10
#define BOTTOM 26
#define LABEL_MOST 140 /* of a line */
#define ROW_HEIGHT 24
#define MISSING_GAP 1.2 /* between the bins and the bar of missing values, in bars */

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

/* The largest share of a chart; of an empty one, all. */
static double find_largest(const shoal_i_chart *chart)
{
    double largest = 0;

    for (size_t i = 0; i < chart->count; i++) {
        largest = fmax(largest, chart->pairs[i].before);
        largest = chart->has_after ? fmax(largest, chart->pairs[i].after) : largest;
    }
    return largest > 0 ? largest : 1;
}

/* About how wide a letter is at the size of labels: fonts differ, so rather too much. */
static double measure_letter(uint32_t letter)
{
    if (letter >= 0x1100) { /* scripts of full width */
        return 12;
    }
    if (letter > 0x7F) {
        return 7.6;
    }
    return strchr("iljtfr.,:;'|!()[] ", (int)letter) ? 4
           : strchr("mwMWQO@%&", (int)letter)        ? 10.5
           : (letter >= 'A' && letter <= 'Z')        ? 8.2
                                                     : 7;
}

/* How many bytes of a text fit into so many pixels, between letters; *width is what they
 * take. */
static size_t fit_text(const char *text, double room, double *width)
{
    size_t end = 0;

    *width = 0;
    while (text[end]) {
        size_t next = end + 1;
        uint32_t letter = (unsigned char)text[end];

        while (((unsigned char)text[next] & 0xC0) == 0x80) {
            next++;
        }
        if (next - end > 1) {
            letter = next - end > 2 ? 0x1100 : 0x80;
        }
        double more = measure_letter(letter);

        if (*width + more > room) {
            break;
        }
        *width += more;
        end = next;
    }
    return end;
}

double shoal_i_svg_text_width(const char *text)
{
    double width = 0;

    (void)fit_text(text, INFINITY, &width);
    return width;
}

/* A share beside a bar, by one digit: "29.3", "under 0.1". */
static void put_short(shoal_i_html *html, double share)
{
    if (share > 0 && share < 0.0005) {
        shoal_i_html_raw(html, "&lt;0.1");
    } else {
        shoal_i_buffer_printf(html->out, "%.*f", share == 0 || share == 1 ? 0 : 1, 100 * share);
    }
}

static void put_bar(shoal_i_html *html, const char *kind, const shoal_i_bar_pair *pair,
                    const double at[4], double share)
{
    shoal_i_buffer_printf(html->out,
                          "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                          "height=\"%.1f\"><title>",
                          kind, at[0], at[1], at[2], at[3]);
    if (pair->label[0]) {
        shoal_i_html_text(html, pair->label);
        shoal_i_html_raw(html, ": ");
    }
    shoal_i_html_share(html, NULL, share);
    shoal_i_html_raw(html, strcmp(kind, "before") == 0 ? " in the original</title></rect>"
                                                       : " in the release</title></rect>");
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

#define TICKS_MOST 4

/* Lines at round percentages, the last one at or above the largest share; returns that. */
static double put_grid(shoal_i_html *html, double largest)
{
    double height = HEIGHT - TOP - BOTTOM;
    shoal_i_step step = shoal_i_step_choose(100 * largest, TICKS_MOST);
    int64_t ticks = 0;

    while (shoal_i_step_times(step, ticks) < 100 * largest * (1 - 1e-9)) {
        ticks++;
    }
    for (int64_t i = 0; i <= ticks; i++) {
        double y = TOP + height * (1 - (double)i / (double)ticks);

        shoal_i_buffer_printf(html->out,
                              "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" "
                              "y2=\"%.1f\"/><text class=\"tick\" x=\"%d\" y=\"%.1f\" "
                              "text-anchor=\"end\">",
                              LEFT, y, WIDTH - RIGHT, y, LEFT - 4, y + 4);
        shoal_i_step_put(html->out, step, i);
        shoal_i_html_raw(html, "%</text>");
    }
    return shoal_i_step_times(step, ticks) / 100;
}

/* A text below the axis. */
static void put_below(shoal_i_html *html, const char *text, double x, const char *anchor)
{
    shoal_i_buffer_printf(html->out,
                          "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">", x,
                          HEIGHT - 9, anchor);
    shoal_i_html_text(html, text);
    shoal_i_html_raw(html, "</text>\n");
}

/* Every how many edges there is room for a text. */
static size_t choose_spacing(const shoal_i_chart *chart, double step)
{
    double widest = 0;

    for (size_t i = 0; i <= chart->bin_count; i++) {
        widest = fmax(widest, shoal_i_svg_text_width(chart->edges[i]));
    }
    for (size_t i = 0; i < SHOAL_I_SPACINGS; i++) {
        if ((double)chart->spacings[i] * step >= widest + 10) {
            return chart->spacings[i];
        }
    }
    return SIZE_MAX;
}

/* Below the edges of bins: their texts, where there is room, and a mark for each that is
 * told. */
static void put_edges(shoal_i_html *html, const shoal_i_chart *chart, double step)
{
    double end = LEFT + step * (double)chart->bin_count;

    if (chart->hides_edges) {
        put_below(html, "lowest", LEFT, "start");
        put_below(html, "highest", end, "end");
        return;
    }
    size_t spacing = choose_spacing(chart, step);

    if (spacing == SIZE_MAX) { /* the ends alone */
        put_below(html, chart->edges[0], LEFT, "start");
        put_below(html, chart->edges[chart->bin_count], end, "end");
        return;
    }
    for (size_t i = 0; i <= chart->bin_count; i++) {
        double x = LEFT + step * (double)i;
        double half = shoal_i_svg_text_width(chart->edges[i]) / 2;

        if ((chart->first_edge + (int64_t)i) % (int64_t)spacing == 0 && x + half < WIDTH &&
            (i <= chart->bin_count - (chart->count > chart->bin_count))) {
            shoal_i_buffer_printf(
                html->out, "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
                x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 4);
            put_below(html, chart->edges[i], x, "middle");
        }
    }
}

void shoal_i_html_upright(shoal_i_html *html, const shoal_i_chart *chart)
{
    double height = HEIGHT - TOP - BOTTOM;
    bool has_gap = chart->bin_count > 0 && chart->count > chart->bin_count;
    double step = (double)(WIDTH - LEFT - RIGHT) /
                  fmax(1, (double)chart->count + (has_gap ? MISSING_GAP : 0));
    double width = step * (chart->has_after ? 0.42 : 0.8);

    start_svg(html, chart, HEIGHT);
    double scale = put_grid(html, find_largest(chart));

    if (chart->bin_count > 0) {
        put_edges(html, chart, step);
    }
    for (size_t i = 0; i < chart->count; i++) {
        const shoal_i_bar_pair *pair = &chart->pairs[i];
        bool is_bin = i < chart->bin_count;
        double x = LEFT + step * ((double)i + 0.08 + (is_bin || !has_gap ? 0 : MISSING_GAP));
        double before = height * pair->before / scale;
        double after = height * pair->after / scale;

        put_bar(html, "before", pair, (const double[]){x, TOP + height - before, width, before},
                pair->before);
        if (chart->has_after) {
            put_bar(html, "after", pair,
                    (const double[]){x + width, TOP + height - after, width, after},
                    pair->after);
        }
        if (!is_bin) {
            put_below(html, pair->label, has_gap ? WIDTH - RIGHT : x + step * 0.42,
                      has_gap ? "end" : "middle");
        }
    }
    shoal_i_html_raw(html, "</svg>\n");
}

/* --- Lying. ----------------------------------------------------------------------------- */

/* Where a line of a text ends: all of it, behind the last space or hyphen that fits, or between
 * letters. */
static size_t find_line_end(const char *text, double room)
{
    double width = 0;
    size_t end = fit_text(text, room, &width);

    if (!text[end]) {
        return end;
    }
    for (size_t at = end; at > end / 2; at--) {
        if (text[at - 1] == ' ' || text[at - 1] == '-') {
            return at;
        }
    }
    return end > 0 ? end : strlen(text);
}

/* A label in two lines at most, the whole of it where the pointer rests. */
static void put_label(shoal_i_html *html, const char *label, double right, double y)
{
    double room = LABEL_MOST;
    size_t first = find_line_end(label, room);
    size_t second = find_line_end(label + first, room);
    bool is_cut = label[first + second] != '\0';
    bool has_two = second > 0;

    if (is_cut) { /* room for the dots */
        second = find_line_end(label + first, room - 12);
    }
    shoal_i_buffer_printf(html->out,
                          "<text class=\"label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
                          right, has_two ? y - 5.5 : y);
    if (is_cut) {
        shoal_i_html_raw(html, "<title>");
        shoal_i_html_text(html, label);
        shoal_i_html_raw(html, "</title>");
    }
    shoal_i_html_text_n(html, label, first);
    if (has_two) {
        shoal_i_buffer_printf(html->out, "<tspan x=\"%.1f\" dy=\"11\">", right);
        shoal_i_html_text_n(html, label + first, second);
        shoal_i_html_raw(html, is_cut ? "…</tspan>" : "</tspan>");
    }
    shoal_i_html_raw(html, "</text>");
}

/* How wide the labels of a chart are, in two lines at most. */
static double measure_labels(const shoal_i_chart *chart)
{
    double widest = 0;

    for (size_t i = 0; i < chart->count; i++) {
        widest = fmax(widest, fmin(LABEL_MOST, shoal_i_svg_text_width(chart->pairs[i].label)));
    }
    return widest;
}

void shoal_i_html_lying(shoal_i_html *html, const shoal_i_chart *chart)
{
    double scale = find_largest(chart);
    double left = measure_labels(chart) + 10;
    double room = WIDTH - left - (chart->has_after ? 104 : 48);
    double thick = chart->has_after ? 8 : 14;

    start_svg(html, chart, (int)chart->count * ROW_HEIGHT + 4);
    for (size_t i = 0; i < chart->count; i++) {
        const shoal_i_bar_pair *pair = &chart->pairs[i];
        double y = (double)i * ROW_HEIGHT + 4;
        double longest = chart->has_after ? fmax(pair->before, pair->after) : pair->before;

        put_label(html, pair->label, left - 6, y + 12);
        put_bar(html, "before", pair,
                (const double[]){left, y, room * pair->before / scale, thick}, pair->before);
        if (chart->has_after) {
            put_bar(html, "after", pair,
                    (const double[]){left, y + thick + 1, room * pair->after / scale, thick},
                    pair->after);
        }
        shoal_i_buffer_printf(html->out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">",
                              left + room * longest / scale + 4, y + 12);
        put_short(html, pair->before);
        if (chart->has_after) {
            shoal_i_html_raw(html, " → ");
            put_short(html, pair->after);
        }
        shoal_i_html_raw(html, "%</text>\n");
    }
    shoal_i_html_raw(html, "</svg>\n");
}

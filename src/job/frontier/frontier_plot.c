/* A frontier as a picture: both axes from 0, a mark per point, the frontier as a line through
 * those that are not dominated. Marks tell their figures when pointed at. Colours tell
 * requirements apart, shapes methods; both follow the reader's scheme, light or dark. */
#include "frontier.h"

#include "../../report/report_html.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define WIDTH 760
#define HEIGHT 480
#define LEFT 70
#define RIGHT 20
#define TOP 20
#define BOTTOM 56
#define LEGEND_LINE 20
#define COLOURS 8
#define SHAPES 4
#define KINDS_MAX 32
#define LEGEND_COLUMNS 4

typedef struct scale {
    double most; /* of the figure: a round number */
    double step;
    double from; /* in the picture */
    double to;
} scale;

typedef struct plot {
    const shoal_i_frontier *frontier;
    scale x;
    scale y;
    double height; /* with the legend */
    size_t kind_count;
    const shoal_i_requirement_kind *kinds[KINDS_MAX]; /* that are swept, in their order */
} plot;

static void put_escaped(shoal_i_buffer *out, const char *text)
{
    shoal_i_html_text(&(shoal_i_html){.out = out}, text);
}

static bool is_shown(const shoal_i_frontier *f, const shoal_i_point *point)
{
    return point->state == SHOAL_I_POINT_DONE && isfinite(point->figures[f->sweep.axes[0]]) &&
           isfinite(point->figures[f->sweep.axes[1]]);
}

/* About five steps of 1, 2 or 5 times a power of ten. */
static scale make_scale(const shoal_i_frontier *f, size_t axis, double from, double to)
{
    scale s = {.from = from, .to = to};
    double most = 0;

    for (size_t i = 0; i < f->count; i++) {
        if (is_shown(f, &f->points[i])) {
            most = fmax(most, f->points[i].figures[f->sweep.axes[axis]]);
        }
    }
    most = most > 0 ? most : 1;
    double power = pow(10, floor(log10(most / 5)));
    double rest = most / 5 / power;

    s.step = power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
    s.most = s.step * ceil(most / s.step - 1e-9);
    return s;
}

static double place(const scale *s, double value)
{
    return s->from + (s->to - s->from) * value / s->most;
}

/* Which of the kinds it is; a new one is noted. */
static size_t number_kind(plot *p, const shoal_i_requirement_kind *kind)
{
    size_t i = 0;

    while (i < p->kind_count && p->kinds[i] != kind) {
        i++;
    }
    if (i == p->kind_count && i < KINDS_MAX) {
        p->kinds[p->kind_count++] = kind;
    }
    return i;
}

/* --- Parts. ------------------------------------------------------------------------------- */

static const char style[] =
    "<style>.fr{--ink:#1c2430;--soft:#5b6675;--grid:#d9dee5;--paper:#fff;"
    "--c0:#0b63b0;--c1:#b5460f;--c2:#1c7a3d;--c3:#7a2f9e;--c4:#8a6a00;--c5:#a3134f;--c6:#"
    "006d77;"
    "--c7:#555;font:13px system-ui,sans-serif;background:var(--paper)}"
    "@media(prefers-color-scheme:dark){.fr{--ink:#e6eaf0;--soft:#a2adbb;--grid:#343c47;"
    "--paper:#14181e;--c0:#6db6ff;--c1:#ff9a62;--c2:#6fd592;--c3:#d59bf2;--c4:#e5c04b;"
    "--c5:#ff85b3;--c6:#58d1dc;--c7:#bbb}}"
    ".fr text{fill:var(--ink)}.fr .soft{fill:var(--soft)}.fr .grid{stroke:var(--grid)}"
    ".fr .edge{stroke:var(--ink);fill:none;stroke-width:1.5;stroke-dasharray:5 3}"
    ".fr .mark{stroke-width:1.8}.fr .beaten{fill-opacity:.12;stroke-opacity:.75}"
    ".fr .ring{fill:none;stroke:var(--ink);stroke-width:1.5}"
    ".fr .mark:hover{stroke-width:4}</style>";

static void put_axis_names(shoal_i_buffer *out, const plot *p)
{
    const shoal_i_sweep *sweep = &p->frontier->sweep;

    shoal_i_buffer_printf(out,
                          "<text x=\"%g\" y=\"%d\" text-anchor=\"middle\">%s</text>"
                          "<text transform=\"translate(16 %g) rotate(-90)\" "
                          "text-anchor=\"middle\">%s</text>",
                          (p->x.from + p->x.to) / 2, HEIGHT - 14,
                          shoal_i_axis_words[sweep->axes[0]], (p->y.from + p->y.to) / 2,
                          shoal_i_axis_words[sweep->axes[1]]);
}

static void put_grid(shoal_i_buffer *out, const plot *p)
{
    for (double v = 0; v <= p->x.most * 1.0001; v += p->x.step) {
        double at = place(&p->x, v);

        shoal_i_buffer_printf(
            out,
            "<line class=\"grid\" x1=\"%.1f\" y1=\"%g\" x2=\"%.1f\" y2=\"%g\"/>"
            "<text class=\"soft\" x=\"%.1f\" y=\"%g\" "
            "text-anchor=\"middle\">%.6g</text>",
            at, p->y.from, at, p->y.to, at, p->y.from + 18, v);
    }
    for (double v = 0; v <= p->y.most * 1.0001; v += p->y.step) {
        double at = place(&p->y, v);

        shoal_i_buffer_printf(
            out,
            "<line class=\"grid\" x1=\"%g\" y1=\"%.1f\" x2=\"%g\" y2=\"%.1f\"/>"
            "<text class=\"soft\" x=\"%g\" y=\"%.1f\" "
            "text-anchor=\"end\">%.6g</text>",
            p->x.from, at, p->x.to, at, p->x.from - 8, at + 4, v);
    }
}

/* The shape of a method; the colour of a requirement, or that of the text. */
static void put_shape(shoal_i_buffer *out, size_t method, const char *colour, double x,
                      double y)
{
    static const char *const shapes[SHAPES] = {"M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
                                               "M-5-5H5V5H-5z", "M0-6L6 5H-6z",
                                               "M0-6L6 0L0 6L-6 0z"};

    shoal_i_buffer_printf(out,
                          "d=\"%s\" transform=\"translate(%.1f %.1f)\" "
                          "style=\"fill:var(--%s);stroke:var(--%s)\"",
                          shapes[method % SHAPES], x, y, colour, colour);
}

static void put_title(shoal_i_buffer *out, const shoal_i_frontier *f,
                      const shoal_i_point *point)
{
    shoal_i_buffer_text(out, "<title>");
    put_escaped(out, point->requirement);
    shoal_i_buffer_text(out, " by ");
    put_escaped(out, point->method->text);
    for (size_t i = 0; i < SHOAL_I_BY_COUNT; i++) {
        if (isfinite(point->figures[i])) {
            shoal_i_buffer_printf(out, "\n%s %.5g", shoal_i_axis_words[i], point->figures[i]);
        }
    }
    shoal_i_buffer_printf(out, "\nclasses %" PRIu64 "%s</title>", point->classes,
                          point->is_dominated ? "" : "\non the frontier");
    (void)f;
}

/* The name of a kind's colour among the variables of the style. */
static const char *name_colour(size_t kind)
{
    static const char *const names[COLOURS] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"};

    return names[kind % COLOURS];
}

static void put_marks(shoal_i_buffer *out, plot *p)
{
    const shoal_i_frontier *f = p->frontier;

    for (size_t i = 0; i < f->count; i++) {
        const shoal_i_point *point = &f->points[i];

        if (!is_shown(f, point)) {
            continue;
        }
        double x = place(&p->x, point->figures[f->sweep.axes[0]]);
        double y = place(&p->y, point->figures[f->sweep.axes[1]]);

        if ((ptrdiff_t)i == f->recommended) {
            shoal_i_buffer_printf(
                out, "<circle class=\"ring\" cx=\"%.1f\" cy=\"%.1f\" r=\"11\"/>", x, y);
        }
        shoal_i_buffer_printf(out, "<path class=\"mark%s\" ",
                              point->is_dominated ? " beaten" : "");
        put_shape(out, (size_t)(point->method - f->sweep.methods),
                  name_colour(number_kind(p, point->request->kind)), x, y);
        shoal_i_buffer_char(out, '>');
        put_title(out, f, point);
        shoal_i_buffer_text(out, "</path>");
    }
}

/* The next point of the frontier to the right of x; NULL behind the last. */
static const shoal_i_point *find_next(const shoal_i_frontier *f, double x)
{
    const shoal_i_point *next = NULL;

    for (size_t i = 0; i < f->count; i++) {
        const shoal_i_point *point = &f->points[i];
        double at = point->figures[f->sweep.axes[0]];

        if (is_shown(f, point) && !point->is_dominated && at > x &&
            (!next || at < next->figures[f->sweep.axes[0]])) {
            next = point;
        }
    }
    return next;
}

static void put_edge(shoal_i_buffer *out, const plot *p)
{
    const shoal_i_frontier *f = p->frontier;
    const shoal_i_point *point = find_next(f, -INFINITY);

    shoal_i_buffer_text(out, "<polyline class=\"edge\" points=\"");
    while (point) {
        double x = point->figures[f->sweep.axes[0]];

        shoal_i_buffer_printf(out, "%.1f,%.1f ", place(&p->x, x),
                              place(&p->y, point->figures[f->sweep.axes[1]]));
        point = find_next(f, x);
    }
    shoal_i_buffer_text(out, "\"/>");
}

/* One entry of the legend: a mark and its name. */
static void put_entry(shoal_i_buffer *out, size_t place, size_t method, const char *colour,
                      const char *name, const char *more)
{
    double y = HEIGHT + LEGEND_LINE * (double)(place / LEGEND_COLUMNS) + 4;
    double x = LEFT + 172 * (double)(place % LEGEND_COLUMNS);

    shoal_i_buffer_text(out, "<path class=\"mark\" ");
    put_shape(out, method, colour, x, y);
    shoal_i_buffer_printf(out, "/><text x=\"%.1f\" y=\"%.1f\">", x + 12, y + 4);
    put_escaped(out, name);
    shoal_i_buffer_char(out, ' ');
    put_escaped(out, more);
    shoal_i_buffer_text(out, "</text>");
}

static size_t count_lines(size_t entries)
{
    return (entries + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
}

/* Requirements by colour, and below them methods by shape. */
static void put_legend(shoal_i_buffer *out, const plot *p)
{
    const shoal_i_sweep *sweep = &p->frontier->sweep;
    size_t behind = count_lines(p->kind_count) * LEGEND_COLUMNS;

    for (size_t i = 0; i < p->kind_count; i++) {
        put_entry(out, i, 0, name_colour(i), p->kinds[i]->key,
                  p->kinds[i]->variant ? p->kinds[i]->variant : "");
    }
    for (size_t i = 0; i < sweep->method_count; i++) {
        put_entry(out, behind + i, i, "soft", sweep->methods[i].text, "");
    }
}

void shoal_i_frontier_put_svg(shoal_i_buffer *out, const shoal_i_frontier *frontier)
{
    plot p = {
        .frontier = frontier,
        .x = make_scale(frontier, 0, LEFT, WIDTH - RIGHT),
        .y = make_scale(frontier, 1, HEIGHT - BOTTOM, TOP),
    };

    for (size_t i = 0; i < frontier->sweep.request_count; i++) {
        (void)number_kind(&p, frontier->sweep.requests[i].kind);
    }
    p.height = HEIGHT + LEGEND_LINE * (double)(count_lines(p.kind_count) +
                                               count_lines(frontier->sweep.method_count));

    shoal_i_buffer_printf(out,
                          "<svg class=\"fr\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
                          "viewBox=\"0 0 %d %g\" width=\"%d\" height=\"%g\" "
                          "aria-label=\"%s against %s of every point\">",
                          WIDTH, p.height, WIDTH, p.height,
                          shoal_i_axis_words[frontier->sweep.axes[1]],
                          shoal_i_axis_words[frontier->sweep.axes[0]]);
    shoal_i_buffer_text(out, style);
    shoal_i_buffer_printf(out, "<rect width=\"%d\" height=\"%g\" style=\"fill:var(--paper)\"/>",
                          WIDTH, p.height);
    put_grid(out, &p);
    put_axis_names(out, &p);
    put_edge(out, &p);
    put_marks(out, &p);
    put_legend(out, &p);
    shoal_i_buffer_text(out, "</svg>\n");
}

/* --- A page. ------------------------------------------------------------------------------ */

static const char page_style[] =
    "<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:0 "
    "auto;"
    "max-width:62rem;padding:1rem}h1{font-size:1.5rem}svg{max-width:100%;height:auto}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}"
    "th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #8884}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}tr.on{font-weight:600}"
    "tr.take{background:#2a84}</style>";

static void put_table_row(shoal_i_buffer *out, const shoal_i_frontier *f, size_t i)
{
    const shoal_i_point *point = &f->points[i];

    shoal_i_buffer_printf(out, "<tr class=\"%s%s\"><td>", point->is_dominated ? "" : "on",
                          (ptrdiff_t)i == f->recommended ? " take" : "");
    put_escaped(out, point->requirement);
    shoal_i_buffer_text(out, "</td><td>");
    put_escaped(out, point->method->text);
    shoal_i_buffer_text(out, "</td>");
    if (point->state != SHOAL_I_POINT_DONE) {
        shoal_i_buffer_printf(out, "<td colspan=\"4\">%s: ", shoal_i_point_words[point->state]);
        put_escaped(out, point->reason);
        shoal_i_buffer_text(out, "</td></tr>\n");
        return;
    }
    for (size_t axis = 0; axis < 2; axis++) {
        shoal_i_buffer_printf(out, "<td class=\"n\">%.5g</td>",
                              point->figures[f->sweep.axes[axis]]);
    }
    shoal_i_buffer_printf(out, "<td class=\"n\">%" PRIu64 "</td><td>%s</td></tr>\n",
                          point->classes,
                          (ptrdiff_t)i == f->recommended ? "recommended"
                          : point->is_dominated          ? ""
                                                         : "on the frontier");
}

void shoal_i_frontier_put_html(shoal_i_buffer *out, const shoal_i_frontier *frontier)
{
    shoal_i_buffer_text(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                             "<meta name=\"viewport\" content=\"width=device-width\">"
                             "<title>Privacy and utility of possible releases</title>");
    shoal_i_buffer_text(out, page_style);
    shoal_i_buffer_text(out,
                        "</head><body><h1>Privacy and utility of possible releases</h1>"
                        "<p>Every mark is a release that could be made. Left and low is good. "
                        "The dashed line joins those that no other beats on both axes; point "
                        "at a mark for its figures.</p><div class=\"wide\">");
    shoal_i_frontier_put_svg(out, frontier);
    shoal_i_buffer_printf(out,
                          "</div><div class=\"wide\"><table><thead><tr><th>Requirement</th>"
                          "<th>Method</th><th class=\"n\">%s</th><th class=\"n\">%s</th>"
                          "<th class=\"n\">Classes</th><th></th></tr></thead><tbody>\n",
                          shoal_i_axis_words[frontier->sweep.axes[0]],
                          shoal_i_axis_words[frontier->sweep.axes[1]]);
    for (size_t i = 0; i < frontier->count; i++) {
        put_table_row(out, frontier, i);
    }
    shoal_i_buffer_text(out, "</tbody></table></div></body></html>\n");
}

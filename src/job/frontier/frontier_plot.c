/* A frontier as a picture: both axes from 0, a mark per point, the frontier as a line through
 * those that are not dominated. Colours tell requirements apart, shapes methods; both follow
 * the reader's scheme, light or dark. Every mark has the number of its point; those of the
 * frontier have all that they ask for beside them, where there is room.
 *
 * Marks that would hide each other are moved apart, each with a line to where it belongs:
 *
 *          ■ 4            2 and 4 are at the same place
 *         /
 *        ● 2
 */
#include "frontier.h"

#include "../../base/figures/for_people.h"
#include "../../base/figures/round_step.h"
#include "../../report/report_html.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 760
#define HEIGHT 500
#define RIGHT 24
#define TOP 48
#define BOTTOM 62
#define TICKS_MOST 5
#define LEGEND_LINE 22
#define COLOURS 8
#define SHAPES 4
#define KINDS_MAX 32
#define LETTER_SCALE (13.0 / 11) /* texts of 13 pixels against those that are measured */
#define MARKS_APART 13           /* centres of marks that can be told apart */
#define RINGS 6                  /* of places around one that is taken */
#define MARKS_MOST 600           /* up to which marks are moved apart and have texts */
#define TEXT_MAX 96

typedef struct scale {
    shoal_i_step step;
    int64_t steps; /* up to the end of the axis */
    double unit;   /* what the figure is multiplied by: 100 of a share */
    double from;   /* in the picture */
    double to;
} scale;

typedef struct box {
    double left;
    double top;
    double right;
    double bottom;
} box;

typedef struct mark {
    const shoal_i_point *point;
    size_t number; /* of the point, from 1 on */
    double x;      /* where it belongs */
    double y;
    double at_x; /* where it is drawn */
    double at_y;
    int rank; /* 0 recommended, 1 on the frontier, 2 dominated */
} mark;

typedef struct plot {
    const shoal_i_frontier *frontier;
    scale x;
    scale y;
    double height; /* with the legend */
    size_t kind_count;
    const shoal_i_requirement_kind *kinds[KINDS_MAX]; /* that are swept, in their order */
    mark *marks; /* in the order in which they are placed: the most important first */
    size_t mark_count;
    box *taken; /* by texts */
    size_t taken_count;
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

/* --- Figures in words. -------------------------------------------------------------------- */

typedef struct axis_words {
    const char *title;
    bool is_share;
} axis_words;

static const axis_words titles[SHOAL_I_BY_COUNT] = {
    [SHOAL_I_BY_PRIVACY_LOSS] = {"Privacy loss: what a class tells of sensitive values (0 "
                                 "nothing, 0.69 everything)",
                                 false},
    [SHOAL_I_BY_UTILITY_LOSS] = {"Utility loss: how far values of large groups are misjudged "
                                 "(0 not at all, 0.69 wholly)",
                                 false},
    [SHOAL_I_BY_GCP] = {"Information lost (GCP), in %", true},
    [SHOAL_I_BY_DISCERNIBILITY] =
        {"Discernibility: every record charged the size of its class, "
         "in records",
         false},
    [SHOAL_I_BY_CLASS_SIZE] = {"Average class size, in multiples of k", false},
    [SHOAL_I_BY_DISTORTION] =
        {"Distortion: how high values are lifted in their hierarchies, in "
         "%",
         true},
    [SHOAL_I_BY_RISK] = {"Highest chance that a record is found, in %", true},
    [SHOAL_I_BY_QUERY_ERROR] = {"Mean error of random counts, in % of the true ones", true},
    [SHOAL_I_BY_LINKAGE] = {"Linkage: mean chance of a right link, in %", true},
    [SHOAL_I_BY_MATCHING] = {"Matching: mean chance of a right link, in %", true},
    [SHOAL_I_BY_DEFINETTI] = {"De Finetti: share of right guesses at sensitive values, in %",
                              true},
};

const char *shoal_i_frontier_axis_title(shoal_i_axis_figure figure)
{
    return titles[figure].title;
}

bool shoal_i_frontier_is_share(shoal_i_axis_figure figure)
{
    return titles[figure].is_share;
}

/* --- Scales. ------------------------------------------------------------------------------ */

/* At most five round steps from 0 to beyond the largest value. */
static scale make_scale(const shoal_i_frontier *f, size_t axis, double from, double to)
{
    scale s = {.from = from,
               .to = to,
               .unit = shoal_i_frontier_is_share(f->sweep.axes[axis]) ? 100 : 1};
    double most = 0;

    for (size_t i = 0; i < f->count; i++) {
        if (is_shown(f, &f->points[i])) {
            most = fmax(most, s.unit * f->points[i].figures[f->sweep.axes[axis]]);
        }
    }
    most = most > 0 ? most : 1;
    s.step = shoal_i_step_choose(most, TICKS_MOST);
    while (shoal_i_step_times(s.step, s.steps) < most * (1 - 1e-9)) {
        s.steps++;
    }
    return s;
}

static double place(const scale *s, double value)
{
    return s->from +
           (s->to - s->from) * s->unit * value / shoal_i_step_times(s->step, s->steps);
}

/* How wide the texts of an upright axis are. */
static double measure_ticks(const scale *s)
{
    char text[TEXT_MAX];

    /* Steps are whole numbers of digits: the last is the longest but for the point. */
    snprintf(text, sizeof text, "%.*f", s->step.power < 0 ? -s->step.power : 0,
             shoal_i_step_times(s->step, s->steps));
    return (shoal_i_svg_text_width(text) + 4 * (double)(strlen(text) / 4)) * LETTER_SCALE;
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

/* --- Marks. ------------------------------------------------------------------------------- */

static int rank_of(const shoal_i_frontier *f, size_t i)
{
    return (ptrdiff_t)i == f->recommended ? 0 : f->points[i].is_dominated ? 2 : 1;
}

static bool is_free(const plot *p, size_t count, double x, double y)
{
    for (size_t i = 0; i < count; i++) {
        if (hypot(p->marks[i].at_x - x, p->marks[i].at_y - y) < MARKS_APART) {
            return false;
        }
    }
    return true;
}

/* Move a mark aside if those before it stand in its way: the nearest free place of some rings
 * around it. Where there is none it stays, and is seen through the others. */
static void place_mark(plot *p, size_t m)
{
    mark *one = &p->marks[m];

    one->at_x = one->x;
    one->at_y = one->y;
    for (int ring = 0; ring <= RINGS; ring++) {
        int places = ring == 0 ? 1 : 6 * ring;

        for (int i = 0; i < places; i++) {
            double angle = 2 * acos(-1) * (i + 0.5) / places;
            double x = one->x + ring * (MARKS_APART + 1) * cos(angle);
            double y = one->y - ring * (MARKS_APART + 1) * sin(angle);

            if (x >= p->x.from && x <= p->x.to && y <= p->y.from && y >= p->y.to &&
                is_free(p, m, x, y)) {
                one->at_x = x;
                one->at_y = y;
                return;
            }
        }
    }
}

static shoal_status place_marks(shoal_ctx *ctx, plot *p)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_frontier *f = p->frontier;

    SHOAL_ALLOC(ctx, p->marks, f->count);
    SHOAL_ALLOC(ctx, p->taken, f->count);
    for (int rank = 0; rank <= 2; rank++) {
        for (size_t i = 0; i < f->count; i++) {
            const shoal_i_point *point = &f->points[i];

            if (is_shown(f, point) && rank_of(f, i) == rank) {
                mark *one = &p->marks[p->mark_count++];

                *one = (mark){.point = point, .number = i + 1, .rank = rank};
                one->x = one->at_x = place(&p->x, point->figures[f->sweep.axes[0]]);
                one->y = one->at_y = place(&p->y, point->figures[f->sweep.axes[1]]);
            }
        }
    }
    for (size_t m = 0; p->mark_count <= MARKS_MOST && m < p->mark_count; m++) {
        place_mark(p, m);
    }
done:
    return st;
}

/* --- Texts of marks. ---------------------------------------------------------------------- */

static bool do_overlap(const box *a, const box *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

/* Whether nothing stands where a text is to be. */
static bool has_room(const plot *p, const box *wanted)
{
    if (wanted->left < p->x.from || wanted->right > WIDTH - 4 || wanted->top < p->y.to - 12 ||
        wanted->bottom > p->y.from) {
        return false;
    }
    for (size_t i = 0; i < p->mark_count; i++) {
        const mark *one = &p->marks[i];
        double half = one->rank == 0 ? 12 : 7;
        box around = {one->at_x - half, one->at_y - half, one->at_x + half, one->at_y + half};

        if (do_overlap(&around, wanted)) {
            return false;
        }
    }
    for (size_t i = 0; i < p->taken_count; i++) {
        if (do_overlap(&p->taken[i], wanted)) {
            return false;
        }
    }
    return true;
}

/* Put a text beside, above or below a mark; false where there is no room. */
static bool put_beside(shoal_i_buffer *out, plot *p, const mark *one, const char *text)
{
    static const struct {
        double side; /* of the text from the mark: -1 left, 1 right, 0 in the middle */
        double up;
    } tries[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    double width = shoal_i_svg_text_width(text);
    double away = one->rank == 0 ? 15 : 9;

    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        double x = one->at_x + tries[i].side * away;
        double y = one->at_y + 4 - tries[i].up * (tries[i].side == 0 ? away + 6 : away);
        box wanted = {x - width * (1 - tries[i].side) / 2 - 1, y - 10,
                      x + width * (1 + tries[i].side) / 2 + 1, y + 3};

        if (has_room(p, &wanted)) {
            p->taken[p->taken_count++] = wanted;
            shoal_i_buffer_printf(out,
                                  "<text class=\"name%s\" x=\"%.1f\" y=\"%.1f\" "
                                  "text-anchor=\"%s\">",
                                  one->rank == 2 ? " soft" : "", x, y,
                                  tries[i].side > 0   ? "start"
                                  : tries[i].side < 0 ? "end"
                                                      : "middle");
            put_escaped(out, text);
            shoal_i_buffer_text(out, "</text>");
            return true;
        }
    }
    return false;
}

/* All that it asks for, of those that no other beats; else its number. */
static void put_names(shoal_i_buffer *out, plot *p)
{
    for (size_t i = 0; p->mark_count <= MARKS_MOST && i < p->mark_count; i++) {
        const mark *one = &p->marks[i];
        char number[TEXT_MAX];
        char text[TEXT_MAX];

        snprintf(number, sizeof number, "%zu", one->number);
        int length = snprintf(text, sizeof text, "%zu: %s", one->number, one->point->asks);

        if (one->rank == 2 || length >= TEXT_MAX || !put_beside(out, p, one, text)) {
            (void)put_beside(out, p, one, number);
        }
    }
}

/* --- Parts. ------------------------------------------------------------------------------- */

static const char style[] =
    "<style>.fr{--ink:#1c2430;--soft:#51606f;--grid:#d9dee5;--paper:#fff;"
    "--c0:#0b63b0;--c1:#b5460f;--c2:#1c7a3d;--c3:#7a2f9e;--c4:#8a6a00;--c5:#a3134f;"
    "--c6:#006d77;--c7:#555;font:13px system-ui,sans-serif;background:var(--paper)}"
    "@media(prefers-color-scheme:dark){.fr{--ink:#e6eaf0;--soft:#a5b2be;--grid:#343c47;"
    "--paper:#12181f;--c0:#6db6ff;--c1:#ff9a62;--c2:#6fd592;--c3:#d59bf2;--c4:#e5c04b;"
    "--c5:#ff85b3;--c6:#58d1dc;--c7:#bbb}}"
    "@media print{.fr{--ink:#000;--soft:#333;--grid:#ccc;--paper:#fff;--c0:#0b63b0;"
    "--c1:#b5460f;--c2:#1c7a3d;--c3:#7a2f9e;--c4:#8a6a00;--c5:#a3134f;--c6:#006d77;--c7:#555}}"
    ".fr text{fill:var(--ink)}.fr .soft{fill:var(--soft)}.fr .grid{stroke:var(--grid)}"
    ".fr .name{font-size:11px;paint-order:stroke;stroke:var(--paper);stroke-width:3px;"
    "stroke-linejoin:round}.fr .lead{stroke:var(--soft);stroke-width:1}"
    ".fr .edge{stroke:var(--ink);fill:none;stroke-width:1.5;stroke-dasharray:5 3}"
    ".fr .mark{stroke-width:1.8}.fr .beaten{fill-opacity:.15;stroke-opacity:.8}"
    ".fr .ring{fill:none;stroke:var(--ink);stroke-width:1.5}"
    ".fr .mark:hover{stroke-width:4}</style>";

static void put_axis_names(shoal_i_buffer *out, const plot *p)
{
    const shoal_i_sweep *sweep = &p->frontier->sweep;

    shoal_i_buffer_printf(out,
                          "<text x=\"%g\" y=\"%d\" text-anchor=\"end\">%s →</text>"
                          "<text x=\"12\" y=\"22\">↑ %s</text>",
                          p->x.to, HEIGHT - 16, shoal_i_frontier_axis_title(sweep->axes[0]),
                          shoal_i_frontier_axis_title(sweep->axes[1]));
}

static void put_tick(shoal_i_buffer *out, const scale *s, int64_t i, const char *anchor,
                     double x, double y)
{
    shoal_i_buffer_printf(out, "<text class=\"soft\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">",
                          x, y, anchor);
    shoal_i_step_put(out, s->step, i);
    shoal_i_buffer_text(out, s->unit > 1 ? "%</text>" : "</text>");
}

static double place_step(const scale *s, int64_t i)
{
    return s->from + (s->to - s->from) * (double)i / (double)s->steps;
}

static void put_grid(shoal_i_buffer *out, const plot *p)
{
    for (int64_t i = 0; i <= p->x.steps; i++) {
        double at = place_step(&p->x, i);

        shoal_i_buffer_printf(
            out, "<line class=\"grid\" x1=\"%.1f\" y1=\"%g\" x2=\"%.1f\" y2=\"%g\"/>", at,
            p->y.from, at, p->y.to);
        put_tick(out, &p->x, i, "middle", at, p->y.from + 18);
    }
    for (int64_t i = 0; i <= p->y.steps; i++) {
        double at = place_step(&p->y, i);

        shoal_i_buffer_printf(
            out, "<line class=\"grid\" x1=\"%g\" y1=\"%.1f\" x2=\"%g\" y2=\"%.1f\"/>",
            p->x.from, at, p->x.to, at);
        put_tick(out, &p->y, i, "end", p->x.from - 8, at + 4);
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

static void put_title(shoal_i_buffer *out, const mark *one)
{
    const shoal_i_point *point = one->point;

    shoal_i_buffer_printf(out, "<title>%zu: ", one->number);
    put_escaped(out, point->asks);
    shoal_i_buffer_text(out, " by ");
    put_escaped(out, point->method->text);
    for (size_t i = 0; i < SHOAL_I_BY_COUNT; i++) {
        if (isfinite(point->figures[i])) {
            shoal_i_buffer_printf(out, "\n%s %.5g", shoal_i_axis_words[i], point->figures[i]);
        }
    }
    shoal_i_buffer_printf(out, "\nclasses %" PRIu64 "%s</title>", point->classes,
                          one->rank == 0   ? "\nrecommended"
                          : one->rank == 1 ? "\non the frontier"
                                           : "");
}

/* The name of a kind's colour among the variables of the style. */
static const char *name_colour(size_t kind)
{
    static const char *const names[COLOURS] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"};

    return names[kind % COLOURS];
}

/* The most important last, so that it is on top. */
static void put_marks(shoal_i_buffer *out, plot *p)
{
    for (size_t i = p->mark_count; i-- > 0;) {
        const mark *one = &p->marks[i];

        if (hypot(one->at_x - one->x, one->at_y - one->y) > 1) {
            shoal_i_buffer_printf(
                out, "<line class=\"lead\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                one->x, one->y, one->at_x, one->at_y);
        }
    }
    for (size_t i = p->mark_count; i-- > 0;) {
        const mark *one = &p->marks[i];

        if (one->rank == 0) {
            shoal_i_buffer_printf(out,
                                  "<circle class=\"ring\" cx=\"%.1f\" cy=\"%.1f\" r=\"11\"/>",
                                  one->at_x, one->at_y);
        }
        shoal_i_buffer_printf(out, "<path class=\"mark%s\" ", one->rank == 2 ? " beaten" : "");
        put_shape(out, (size_t)(one->point->method - p->frontier->sweep.methods),
                  name_colour(number_kind(p, one->point->request->kind)), one->at_x, one->at_y);
        shoal_i_buffer_char(out, '>');
        put_title(out, one);
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

/* --- The legend. -------------------------------------------------------------------------- */

typedef struct legend {
    size_t columns;
    double width; /* of a column */
    size_t place; /* of the next entry */
} legend;

static void name_kind(char out[TEXT_MAX], const shoal_i_requirement_kind *kind)
{
    snprintf(out, TEXT_MAX, "%s%s%s", kind->key, kind->variant ? " " : "",
             kind->variant ? kind->variant : "");
}

/* As many columns as the longest name leaves room for. */
static legend make_legend(const plot *p)
{
    const shoal_i_sweep *sweep = &p->frontier->sweep;
    double room = WIDTH - RIGHT - 24;
    double widest = shoal_i_svg_text_width("beaten on both axes");
    char name[TEXT_MAX];

    for (size_t i = 0; i < p->kind_count; i++) {
        name_kind(name, p->kinds[i]);
        widest = fmax(widest, shoal_i_svg_text_width(name));
    }
    for (size_t i = 0; i < sweep->method_count; i++) {
        widest = fmax(widest, shoal_i_svg_text_width(sweep->methods[i].text));
    }
    double columns = floor(room / (widest * LETTER_SCALE + 34));

    columns = fmax(1, fmin(4, columns));
    return (legend){.columns = (size_t)columns, .width = room / columns};
}

static size_t count_lines(const legend *l, size_t entries)
{
    return (entries + l->columns - 1) / l->columns;
}

static double entry_x(const legend *l)
{
    return 24 + l->width * (double)(l->place % l->columns);
}

static double entry_y(const legend *l)
{
    return HEIGHT + LEGEND_LINE * (double)(l->place / l->columns) + 6;
}

static void put_entry_text(shoal_i_buffer *out, legend *l, const char *text)
{
    shoal_i_buffer_printf(out, "<text x=\"%.1f\" y=\"%.1f\">", entry_x(l) + 16, entry_y(l) + 4);
    put_escaped(out, text);
    shoal_i_buffer_text(out, "</text>");
    l->place++;
}

static void put_entry(shoal_i_buffer *out, legend *l, size_t method, const char *colour,
                      const char *kind, const char *text)
{
    shoal_i_buffer_printf(out, "<path class=\"mark%s\" ", kind);
    put_shape(out, method, colour, entry_x(l), entry_y(l));
    shoal_i_buffer_text(out, "/>");
    put_entry_text(out, l, text);
}

static void end_line(legend *l)
{
    l->place = count_lines(l, l->place) * l->columns;
}

/* Requirements by colour, below them methods by shape, and what else is drawn. */
static void put_legend(shoal_i_buffer *out, const plot *p)
{
    const shoal_i_sweep *sweep = &p->frontier->sweep;
    legend l = make_legend(p);
    char name[TEXT_MAX];

    for (size_t i = 0; i < p->kind_count; i++) {
        name_kind(name, p->kinds[i]);
        put_entry(out, &l, 0, name_colour(i), "", name);
    }
    end_line(&l);
    for (size_t i = 0; i < sweep->method_count; i++) {
        put_entry(out, &l, i, "soft", "", sweep->methods[i].text);
    }
    end_line(&l);
    shoal_i_buffer_printf(out, "<path class=\"edge\" d=\"M%.1f %.1fh16\"/>", entry_x(&l) - 8,
                          entry_y(&l));
    put_entry_text(out, &l, "the frontier");
    put_entry(out, &l, 0, "soft", " beaten", "beaten on both axes");
    if (p->frontier->recommended >= 0) {
        shoal_i_buffer_printf(out, "<circle class=\"ring\" cx=\"%.1f\" cy=\"%.1f\" r=\"8\"/>",
                              entry_x(&l), entry_y(&l));
        put_entry_text(out, &l, "recommended");
    }
}

static double measure_height(const plot *p)
{
    legend l = make_legend(p);

    return HEIGHT + LEGEND_LINE * (double)(count_lines(&l, p->kind_count) +
                                           count_lines(&l, p->frontier->sweep.method_count) +
                                           count_lines(&l, 3));
}

/* --- The picture. ------------------------------------------------------------------------- */

static void put_plot(shoal_i_buffer *out, plot *p)
{
    const shoal_i_sweep *sweep = &p->frontier->sweep;

    shoal_i_buffer_printf(out,
                          "<svg class=\"fr\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
                          "viewBox=\"0 0 %d %g\" width=\"%d\" height=\"%g\" "
                          "aria-label=\"%s, against %s, of every release that was tried\">",
                          WIDTH, p->height, WIDTH, p->height, titles[sweep->axes[1]].title,
                          titles[sweep->axes[0]].title);
    shoal_i_buffer_text(out, style);
    shoal_i_buffer_printf(out, "<rect width=\"%d\" height=\"%g\" style=\"fill:var(--paper)\"/>",
                          WIDTH, p->height);
    put_grid(out, p);
    put_axis_names(out, p);
    put_edge(out, p);
    put_marks(out, p);
    put_names(out, p);
    put_legend(out, p);
    shoal_i_buffer_text(out, "</svg>\n");
}

void shoal_i_frontier_put_svg(shoal_i_buffer *out, const shoal_i_frontier *frontier)
{
    plot p = {
        .frontier = frontier,
        .y = make_scale(frontier, 1, HEIGHT - BOTTOM, TOP),
    };

    p.x = make_scale(frontier, 0, fmax(48, measure_ticks(&p.y) + 18), WIDTH - RIGHT);
    for (size_t i = 0; i < frontier->sweep.request_count; i++) {
        (void)number_kind(&p, frontier->sweep.requests[i].kind);
    }
    p.height = measure_height(&p);
    if (place_marks(out->ctx, &p) == SHOAL_OK) {
        put_plot(out, &p);
    } else {
        out->status = SHOAL_ENOMEM;
    }
    free(p.marks);
    free(p.taken);
}

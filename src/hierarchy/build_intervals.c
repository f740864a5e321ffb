/* build_intervals.c -- numeric intervals: by widths, or by break points.
 *
 * Both number the intervals of a level from left to right and the values of a column ascend, so
 * each interval is a run of codes. What differs is how a value finds its interval and where an
 * interval begins and ends: a `scale` answers that.
 */
#include "sketch.h"

#include "../base/entry.h"
#include "../base/text.h"

#include <math.h>
#include <string.h>

/* A level per width or list of breaks; the root and the values come on top. */
#define SCALE_LEVELS_MAX ((size_t)SHOAL_LEVELS_MAX - 2)

/* How many steps of the finest width the values may span: whole bounds stay exact in a double,
 * others apart by more than the rounding of round_digits. */
#define WHOLE_STEPS_MAX 0x1p52
#define REAL_STEPS_MAX 1e13

#define LABEL_MAX (2 * (size_t)SHOAL_I_NUMBER_MAX + 8)

/* Days 0001-01-01 and 9999-12-31: beyond them dates have no text. */
#define DAY_MIN (-719162.0)
#define DAY_MAX 2932896.0

/* Levels run from fine (0) to coarse. Widths: interval j of a level is [origin + j*width,
 * origin + (j+1)*width), and spans steps[level] intervals of level 0. Breaks: interval j of a
 * level is [breaks[j-1], breaks[j]), open at the ends. */
typedef struct scale {
    const char *name; /* of the column, for messages */
    shoal_type type;
    size_t level_count;
    double origin;
    double width;
    int64_t steps[SCALE_LEVELS_MAX];
    const double *breaks; /* NULL: widths */
    const size_t *starts;
} scale;

/* --- Widths. ------------------------------------------------------------------------------ */

/* Round x to 15 digits of the numbers it was computed from, the largest of which is `most`:
 * three times 0.1 is then 0.3, as people write it, and -0.3 plus that is 0. */
static double round_digits(double x, double most)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}; /* all exact */
    double digits = most > 0.0 ? 14.0 - floor(log10(most)) : 0.0;

    if (digits <= 0.0 || digits > 22.0) {
        return x;
    }
    double power = powers[(size_t)digits];

    return round(x * power) / power;
}

/* Where interval j of level 0 starts. */
static double find_start(const scale *s, int64_t j)
{
    double distance = (double)j * s->width;
    double start = s->origin + distance;

    return s->type == SHOAL_TYPE_REAL
               ? round_digits(start, fmax(fabs(s->origin), fabs(distance)))
               : start;
}

/* The interval of level 0 that holds a value. The quotient may be off by one either way. */
static int64_t find_step(const scale *s, double x)
{
    int64_t j = (int64_t)floor((x - s->origin) / s->width);

    while (find_start(s, j) > x) {
        j--;
    }
    while (find_start(s, j + 1) <= x) {
        j++;
    }
    return j;
}

static int64_t divide_down(int64_t a, int64_t b)
{
    int64_t quotient = a / b;

    return a % b < 0 ? quotient - 1 : quotient;
}

/* --- Breaks. ------------------------------------------------------------------------------ */

/* How many of the breaks of a level are at or below x. */
static size_t count_breaks(const scale *s, size_t level, double x)
{
    size_t low = s->starts[level];
    size_t high = s->starts[level + 1];

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->breaks[middle] <= x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - s->starts[level];
}

/* --- Either. ------------------------------------------------------------------------------ */

static void find_intervals(int64_t *intervals, const scale *s, double x)
{
    int64_t step = s->breaks ? 0 : find_step(s, x);

    for (size_t level = 0; level < s->level_count; level++) {
        intervals[level] =
            s->breaks ? (int64_t)count_breaks(s, level, x) : divide_down(step, s->steps[level]);
    }
}

static void find_bounds(double *low, double *high, const scale *s, size_t level, int64_t j)
{
    if (!s->breaks) {
        *low = find_start(s, j * s->steps[level]);
        *high = find_start(s, (j + 1) * s->steps[level]);
        return;
    }
    const double *breaks = s->breaks + s->starts[level];
    int64_t count = (int64_t)(s->starts[level + 1] - s->starts[level]);

    *low = j == 0 ? -INFINITY : breaks[j - 1];
    *high = j == count ? INFINITY : breaks[j];
}

static size_t write_number(char out[SHOAL_I_NUMBER_MAX], shoal_type type, double x)
{
    if (type == SHOAL_TYPE_DATE) {
        return shoal_i_text_from_date(out, (int32_t)fmin(fmax(x, DAY_MIN), DAY_MAX));
    }
    return shoal_i_text_from_double(out, x + 0.0); /* no negative zero */
}

/* "<18" or ">=65". */
static size_t write_open_label(char out[LABEL_MAX], shoal_type type, double low, double high)
{
    if (isinf(low)) {
        out[0] = '<';
        return 1 + write_number(out + 1, type, high);
    }
    memcpy(out, ">=", 2);
    return 2 + write_number(out + 2, type, low);
}

/* "[20..29]", "[0.5..1)", or the number alone; whole values end with the last one inside. */
static size_t write_label(char out[LABEL_MAX], const scale *s, size_t level, int64_t j)
{
    bool is_whole = s->type != SHOAL_TYPE_REAL;
    double low = 0.0;
    double high = 0.0;

    find_bounds(&low, &high, s, level, j);
    if (is_whole) {
        low = ceil(low);
        high = ceil(high);
    }
    if (isinf(low) || isinf(high)) {
        return write_open_label(out, s->type, low, high);
    }
    if (is_whole && high - 1.0 <= low) {
        return write_number(out, s->type, low);
    }
    size_t length = 1 + write_number(out + 1, s->type, low);

    out[0] = '[';
    memcpy(out + length, "..", 2);
    length += 2;
    length += write_number(out + length, s->type, is_whole ? high - 1.0 : high);
    out[length] = is_whole ? ']' : ')';
    return length + 1;
}

static shoal_status draw_intervals(shoal_ctx *ctx, shoal_i_sketch *sketch, const scale *s)
{
    shoal_status st = SHOAL_OK;
    size_t value_count = shoal_table_value_count(sketch->table, sketch->column);
    size_t levels = s->level_count;
    int64_t before[SCALE_LEVELS_MAX] = {0};
    int64_t now[SCALE_LEVELS_MAX] = {0};
    uint32_t nodes[SCALE_LEVELS_MAX + 1] = {0}; /* by level; nodes[levels] is the root */

    for (uint32_t code = 0; code < value_count; code++) {
        find_intervals(now, s, shoal_table_number(sketch->table, sketch->column, code));
        for (size_t level = levels; level-- > 0;) {
            if (code == 0 || now[level] != before[level]) {
                char label[LABEL_MAX];
                size_t length = write_label(label, s, level, now[level]);

                SHOAL_TRY(shoal_i_sketch_add(ctx, &nodes[level], sketch, nodes[level + 1],
                                             label, length));
                before[level] = now[level];
            }
        }
        SHOAL_TRY(shoal_i_sketch_add_leaf(ctx, sketch, code, nodes[0]));
    }
done:
    return st;
}

static shoal_status build_scale(shoal_ctx *ctx, shoal_hierarchy **out, const shoal_table *table,
                                size_t column, const scale *s)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sketch sketch = {0};

    SHOAL_TRY(shoal_i_sketch_start(ctx, &sketch, table, column));
    SHOAL_TRY(draw_intervals(ctx, &sketch, s));
    SHOAL_TRY(shoal_i_sketch_build(ctx, out, &sketch));
done:
    shoal_i_sketch_clear(&sketch);
    return st;
}

/* --- Checks. ------------------------------------------------------------------------------ */

static shoal_status check_numeric(shoal_ctx *ctx, const shoal_table *table, size_t column,
                                  size_t level_count)
{
    if (shoal_table_type(table, column) == SHOAL_TYPE_STRING) {
        return shoal_i_fail_at(
            ctx, SHOAL_EINVAL, -1, (int64_t)column,
            "Column \"%s\" is of type string; intervals need numbers or dates.",
            shoal_table_name(table, column));
    }
    if (level_count == 0 || level_count > SCALE_LEVELS_MAX) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "Intervals have 1 to %zu levels; column \"%.200s\" has %zu.",
                            SCALE_LEVELS_MAX, shoal_table_name(table, column), level_count);
    }
    return SHOAL_OK;
}

static shoal_status set_widths(shoal_ctx *ctx, scale *s, double origin, const double *widths)
{
    if (!isfinite(origin)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The origin of the intervals of column \"%.200s\" must be finite.",
                            s->name);
    }
    s->origin = origin;
    s->width = widths[0];
    for (size_t i = 0; i < s->level_count; i++) {
        if (!isfinite(widths[i]) || widths[i] <= 0.0) {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "A width must be a finite number above 0; width %zu of column "
                                "\"%.200s\" is %g.",
                                i + 1, s->name, widths[i]);
        }
        double ratio = i == 0 ? 1.0 : widths[i] / widths[i - 1];
        double steps = (i == 0 ? 1.0 : (double)s->steps[i - 1]) * round(ratio);

        if (fabs(ratio - round(ratio)) > 1e-9 * ratio || (i > 0 && ratio < 1.5)) {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "Each width must be a multiple of the one before, twice it at "
                                "least; %g after %g, of column \"%.200s\", is not.",
                                widths[i], widths[i - 1], s->name);
        }
        if (steps > WHOLE_STEPS_MAX) {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "The width %g of column \"%.200s\" is too large beside %g.",
                                widths[i], s->name, widths[0]);
        }
        s->steps[i] = (int64_t)steps;
    }
    return SHOAL_OK;
}

static shoal_status check_span(shoal_ctx *ctx, const scale *s, const shoal_table *table,
                               size_t column)
{
    size_t count = shoal_table_value_count(table, column);
    double steps_max = s->type == SHOAL_TYPE_REAL ? REAL_STEPS_MAX : WHOLE_STEPS_MAX;
    double most = fabs(s->origin);

    if (count == 0) {
        return SHOAL_OK;
    }
    most = fmax(most, fabs(shoal_table_number(table, column, 0)));
    most = fmax(most, fabs(shoal_table_number(table, column, (uint32_t)count - 1)));
    double reach = 2.0 * most + (double)s->steps[s->level_count - 1] * s->width;

    if (!isfinite(reach) || reach / s->width > steps_max) {
        return shoal_i_fail_at(
            ctx, SHOAL_EINVAL, -1, (int64_t)column,
            "The widths do not fit the values of column \"%s\": %g is too small "
            "or too large beside them.",
            shoal_table_name(table, column), s->width);
    }
    return SHOAL_OK;
}

shoal_status shoal_hierarchy_build_widths(shoal_ctx *ctx, shoal_hierarchy **out,
                                          const shoal_table *table, size_t column,
                                          double origin, const double *widths,
                                          size_t width_count)
{
    SHOAL_ENTER_FOR(ctx, out, table, widths);
    SHOAL_NEED_COLUMN(ctx, table, column);
    shoal_status st = SHOAL_OK;
    scale s = {.name = shoal_table_name(table, column),
               .type = shoal_table_type(table, column),
               .level_count = width_count};

    SHOAL_TRY(check_numeric(ctx, table, column, width_count));
    SHOAL_TRY(set_widths(ctx, &s, origin, widths));
    SHOAL_TRY(check_span(ctx, &s, table, column));
    SHOAL_TRY(build_scale(ctx, out, table, column, &s));
done:
    return st;
}

static shoal_status check_level_breaks(shoal_ctx *ctx, const scale *s, size_t level)
{
    size_t first = s->starts[level];
    size_t end = s->starts[level + 1];

    if (end <= first) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "Level %zu of the intervals of column \"%.200s\" has no break.",
                            level + 1, s->name);
    }
    for (size_t i = first; i < end; i++) {
        if (!isfinite(s->breaks[i]) || (i > first && s->breaks[i] <= s->breaks[i - 1])) {
            return shoal_i_fail(
                ctx, SHOAL_EINVAL,
                "Breaks must be finite and ascend; number %zu of level %zu of column "
                "\"%.200s\", %g, does not.",
                i - first + 1, level + 1, s->name, s->breaks[i]);
        }
        if (level > 0) {
            size_t below = count_breaks(s, level - 1, s->breaks[i]);

            if (below == 0 || s->breaks[s->starts[level - 1] + below - 1] != s->breaks[i]) {
                return shoal_i_fail(
                    ctx, SHOAL_EINVAL,
                    "The break %g of level %zu of column \"%.200s\" is not among those of "
                    "level %zu; coarser intervals are made of finer ones.",
                    s->breaks[i], level + 1, s->name, level);
            }
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_hierarchy_build_breaks(shoal_ctx *ctx, shoal_hierarchy **out,
                                          const shoal_table *table, size_t column,
                                          const double *breaks, const size_t *starts,
                                          size_t level_count)
{
    SHOAL_ENTER_FOR(ctx, out, table, breaks, starts);
    SHOAL_NEED_COLUMN(ctx, table, column);
    shoal_status st = SHOAL_OK;
    scale s = {.name = shoal_table_name(table, column),
               .type = shoal_table_type(table, column),
               .level_count = level_count,
               .breaks = breaks,
               .starts = starts};

    SHOAL_TRY(check_numeric(ctx, table, column, level_count));
    for (size_t level = 0; level < level_count; level++) {
        SHOAL_TRY(check_level_breaks(ctx, &s, level));
    }
    SHOAL_TRY(build_scale(ctx, out, table, column, &s));
done:
    return st;
}

/* A frontier as text for people, as a CSV table and as JSON. */
#include "frontier.h"

#include "../../base/json.h"
#include "../../base/text.h"
#include "../../report/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static size_t count_state(const shoal_i_frontier *f, shoal_i_point_state state)
{
    size_t count = 0;

    for (size_t i = 0; i < f->count; i++) {
        count += f->points[i].state == state;
    }
    return count;
}

/* --- For people. -------------------------------------------------------------------------- */

static void put_figure(shoal_i_buffer *out, double figure)
{
    if (isfinite(figure)) {
        shoal_i_buffer_printf(out, fabs(figure) < 100 ? "%16.4f" : "%16.0f", figure);
    } else {
        shoal_i_buffer_printf(out, "%16s", "-");
    }
}

static void put_line(shoal_i_buffer *out, const shoal_i_frontier *f, const shoal_i_point *point)
{
    bool is_chosen = f->recommended >= 0 && point == &f->points[f->recommended];

    shoal_i_buffer_printf(out, "%c %-28s %-24s",
                          is_chosen             ? '>'
                          : point->is_dominated ? ' '
                                                : '*',
                          point->asks, point->method->text);
    if (point->state == SHOAL_I_POINT_DONE) {
        put_figure(out, point->figures[f->sweep.axes[0]]);
        put_figure(out, point->figures[f->sweep.axes[1]]);
        shoal_i_buffer_printf(out, "%10" PRIu64 "\n", point->classes);
    } else {
        shoal_i_buffer_printf(out, " %s: %s\n", shoal_i_point_words[point->state],
                              point->reason);
    }
}

static void put_recommendation(shoal_i_buffer *out, const shoal_i_frontier *f)
{
    if (!f->has_limits) {
        return;
    }
    if (f->recommended < 0) {
        shoal_i_buffer_text(out,
                            "No point is within the limits; widen the sweep or the limits.\n");
        return;
    }
    const shoal_i_point *point = &f->points[f->recommended];

    shoal_i_buffer_printf(out, "Recommended within the limits: %s by %s.\n", point->asks,
                          point->method->text);
}

/* Buckets lose little by leaving identities open; nobody should learn that from the release. */
static void put_note(shoal_i_buffer *out, const shoal_i_frontier *f)
{
    for (size_t i = 0; i < f->count; i++) {
        if (f->points[i].state == SHOAL_I_POINT_DONE &&
            f->points[i].shape == SHOAL_I_SHAPE_BUCKETS) {
            shoal_i_buffer_printf(out,
                                  "Releases by buckets (%s) publish quasi-identifiers as they "
                                  "are: identities are not hidden.\n",
                                  f->points[i].method->text);
            return;
        }
    }
}

void shoal_i_frontier_put_text(shoal_i_buffer *out, const shoal_i_frontier *frontier)
{
    const shoal_i_sweep *sweep = &frontier->sweep;

    shoal_i_buffer_printf(out, "  %-28s %-24s%16.16s%16.16s%10s\n", "requirement", "method",
                          shoal_i_axis_words[sweep->axes[0]],
                          shoal_i_axis_words[sweep->axes[1]], "classes");
    for (size_t i = 0; i < frontier->count; i++) {
        put_line(out, frontier, &frontier->points[i]);
    }
    shoal_i_buffer_text(out, "* no other point is better on one axis and as good on the other");
    shoal_i_buffer_text(out, frontier->recommended >= 0 ? "; > recommended\n" : "\n");
    shoal_i_buffer_printf(out,
                          "%zu point%s: %zu done, %zu impossible, %zu failed, %zu not run.\n",
                          frontier->count, frontier->count == 1 ? "" : "s",
                          count_state(frontier, SHOAL_I_POINT_DONE),
                          count_state(frontier, SHOAL_I_POINT_IMPOSSIBLE),
                          count_state(frontier, SHOAL_I_POINT_REFUSED),
                          count_state(frontier, SHOAL_I_POINT_OPEN));
    put_recommendation(out, frontier);
    put_note(out, frontier);
}

/* --- CSV. --------------------------------------------------------------------------------- */

static void put_cell(shoal_i_buffer *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        shoal_i_buffer_text(out, text);
        return;
    }
    shoal_i_buffer_char(out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"') {
            shoal_i_buffer_char(out, '"');
        }
        shoal_i_buffer_char(out, *c);
    }
    shoal_i_buffer_char(out, '"');
}

static void put_number(shoal_i_buffer *out, double number)
{
    char text[SHOAL_I_NUMBER_MAX] = "";

    if (isfinite(number)) {
        shoal_i_text_from_double(text, number);
    }
    shoal_i_buffer_printf(out, ",%s", text);
}

static void put_row(shoal_i_buffer *out, const shoal_i_frontier *f, size_t i)
{
    const shoal_i_point *point = &f->points[i];
    bool is_done = point->state == SHOAL_I_POINT_DONE;

    put_cell(out, point->requirement);
    shoal_i_buffer_char(out, ',');
    put_cell(out, point->request->kind->key);
    put_number(out, point->request->value);
    shoal_i_buffer_char(out, ',');
    put_cell(out, point->method->text);
    shoal_i_buffer_printf(out, ",%s,%s", shoal_i_point_words[point->state],
                          is_done ? shoal_i_shape_name(point->shape) : "");
    put_number(out, is_done ? (double)point->classes : NAN);
    put_number(out, is_done ? (double)point->smallest_class : NAN);
    for (size_t j = 0; j < SHOAL_I_BY_COUNT; j++) {
        put_number(out, is_done ? point->figures[j] : NAN);
    }
    shoal_i_buffer_printf(out, ",%s,%s,%.3f,", point->is_dominated ? "no" : "yes",
                          (ptrdiff_t)i == f->recommended ? "yes" : "no", point->seconds);
    put_cell(out, point->asks);
    shoal_i_buffer_char(out, ',');
    put_cell(out, point->reason);
    shoal_i_buffer_char(out, '\n');
}

void shoal_i_frontier_put_csv(shoal_i_buffer *out, const shoal_i_frontier *frontier)
{
    shoal_i_buffer_text(out, "requirement,key,value,method,state,shape,classes,smallest_class");
    for (size_t i = 0; i < SHOAL_I_BY_COUNT; i++) {
        shoal_i_buffer_printf(out, ",%s", shoal_i_axis_words[i]);
    }
    shoal_i_buffer_text(out, ",frontier,recommended,seconds,asks,reason\n");
    for (size_t i = 0; i < frontier->count; i++) {
        put_row(out, frontier, i);
    }
}

/* --- JSON. -------------------------------------------------------------------------------- */

static void put_point(shoal_i_json *json, const shoal_i_frontier *f, size_t i)
{
    const shoal_i_point *point = &f->points[i];

    shoal_i_json_object(json, NULL);
    shoal_i_json_text(json, "requirement", point->requirement);
    shoal_i_json_text(json, "asks", point->asks);
    shoal_i_json_text(json, "key", point->request->kind->key);
    if (point->request->kind->variant) {
        shoal_i_json_text(json, "variant", point->request->kind->variant);
    }
    shoal_i_json_number(json, "value", point->request->value);
    shoal_i_json_text(json, "method", point->method->text);
    shoal_i_json_text(json, "state", shoal_i_point_words[point->state]);
    if (point->state == SHOAL_I_POINT_DONE) {
        shoal_i_json_text(json, "shape", shoal_i_shape_name(point->shape));
        shoal_i_json_count(json, "classes", point->classes);
        shoal_i_json_count(json, "smallest_class", point->smallest_class);
        for (size_t j = 0; j < SHOAL_I_BY_COUNT; j++) {
            if (isfinite(point->figures[j])) {
                shoal_i_json_number(json, shoal_i_axis_words[j], point->figures[j]);
            }
        }
        shoal_i_json_bool(json, "frontier", !point->is_dominated);
        shoal_i_json_bool(json, "recommended", (ptrdiff_t)i == f->recommended);
        shoal_i_json_number(json, "seconds", point->seconds);
        if ((ptrdiff_t)i == f->recommended && point->spec[0] &&
            (json->out->ctx->show_values || !shoal_i_frontier_names_values(f, point))) {
            shoal_i_json_text(json, "spec", point->spec);
        }
    } else {
        shoal_i_json_text(json, "reason", point->reason);
    }
    shoal_i_json_end(json);
}

static void put_limits(shoal_i_json *json, const shoal_i_sweep *sweep)
{
    shoal_i_json_object(json, "max");
    for (size_t i = 0; i < SHOAL_I_BY_COUNT; i++) {
        if (sweep->has_limit[i]) {
            shoal_i_json_number(json, shoal_i_axis_words[i], sweep->limits[i]);
        }
    }
    shoal_i_json_end(json);
}

void shoal_i_frontier_put_json(shoal_i_buffer *out, const shoal_i_frontier *frontier,
                               const shoal_i_stages *stages, const char *input)
{
    shoal_i_json json = shoal_i_json_start(out);

    shoal_i_json_object(&json, NULL);
    shoal_i_report_put_head(&json, "frontier", input, NULL);
    shoal_i_json_array(&json, "axes");
    shoal_i_json_text(&json, NULL, shoal_i_axis_words[frontier->sweep.axes[0]]);
    shoal_i_json_text(&json, NULL, shoal_i_axis_words[frontier->sweep.axes[1]]);
    shoal_i_json_end(&json);
    put_limits(&json, &frontier->sweep);
    shoal_i_json_array(&json, "points");
    for (size_t i = 0; i < frontier->count; i++) {
        put_point(&json, frontier, i);
    }
    shoal_i_json_end(&json);
    shoal_i_report_put_end(&json, stages);
    shoal_i_json_end(&json);
}

#include "cells.h"

#include "../base/pool.h"
#include "../base/sort.h"
#include "../base/text.h"
#include "../table/csv/csv_text.h"
#include "formula.h"
#include "number.h"
#include "value.h"

#include <math.h>
#include <string.h>

/* Means are rounded to a power of ten that cuts a column's range into at least this many steps.
 */
#define MEAN_STEPS 1e6
#define MEAN_DIGITS_MAX 15

#define TEXTS_PER_TASK 2048

void shoal_i_cells_clear(shoal_i_cells *cells)
{
    free(cells->bytes);
    free(cells->starts);
    free(cells->of_box);
    *cells = (shoal_i_cells){0};
}

/* Collects texts one after the other. */
typedef struct collector {
    shoal_i_cells *cells;
    shoal_i_buffer bytes;
    shoal_i_buffer guarded; /* a formula behind its apostrophe */
    const shoal_i_cells_format *format;
} collector;

static shoal_status start_cells(shoal_ctx *ctx, collector *to, shoal_i_cells *cells,
                                size_t count, const shoal_i_cells_format *format)
{
    shoal_status st = SHOAL_OK;

    *to = (collector){.cells = cells, .format = format};
    shoal_i_buffer_init(&to->bytes, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_init(&to->guarded, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_ALLOC(ctx, cells->starts, count + 1);
done:
    return st;
}

static void put_field(collector *to, const char *text, size_t length)
{
    if (to->format->is_only && memchr(text, ',', length)) {
        shoal_i_csv_put_quoted(&to->bytes, text, length);
    } else {
        shoal_i_csv_put_field(&to->bytes, text, length, to->format->delimiter);
    }
}

static void add_cell(collector *to, const char *text, size_t length)
{
    shoal_i_cells *cells = to->cells;
    size_t start = to->bytes.size;

    if (to->format->is_plain) {
        shoal_i_buffer_put(&to->bytes, text, length);
    } else if (to->format->is_guarded && shoal_i_is_formula(text, length)) {
        to->guarded.size = 0;
        shoal_i_buffer_char(&to->guarded, SHOAL_I_FORMULA_GUARD);
        shoal_i_buffer_put(&to->guarded, text, length);
        if (shoal_i_buffer_status(&to->guarded) == SHOAL_OK) {
            put_field(to, to->guarded.data, to->guarded.size);
        }
        shoal_i_buffer_char(&to->bytes, to->format->end);
    } else {
        put_field(to, text, length);
        shoal_i_buffer_char(&to->bytes, to->format->end);
    }
    if (to->bytes.size - start > cells->widest) {
        cells->widest = to->bytes.size - start;
    }
    cells->starts[++cells->count] = to->bytes.size;
}

/* Hand the texts over; the collector is empty afterwards, also on failure. */
static shoal_status finish_cells(collector *to)
{
    shoal_status st = shoal_i_buffer_status(&to->bytes);

    st = st == SHOAL_OK ? shoal_i_buffer_status(&to->guarded) : st;
    shoal_i_buffer_clear(&to->guarded);
    if (st == SHOAL_OK) {
        to->cells->bytes = to->bytes.data;
        to->bytes.data = NULL;
    }
    shoal_i_buffer_clear(&to->bytes);
    return st;
}

shoal_status shoal_i_cells_from_column(shoal_ctx *ctx, shoal_i_cells *out,
                                       const shoal_table *table, size_t column,
                                       const shoal_i_cells_format *format)
{
    size_t count =
        shoal_table_value_count(table, column) + (shoal_table_missing_count(table, column) > 0);
    collector to;
    shoal_status st = start_cells(ctx, &to, out, count, format);

    for (size_t code = 0; st == SHOAL_OK && code < count; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(table, column, (uint32_t)code, &length);

        add_cell(&to, text, length);
    }
    return st == SHOAL_OK ? finish_cells(&to) : st;
}

shoal_status shoal_i_cells_from_numbers(shoal_ctx *ctx, shoal_i_cells *out, size_t count,
                                        const shoal_i_cells_format *format)
{
    collector to;
    shoal_status st = start_cells(ctx, &to, out, count, format);

    for (size_t i = 0; st == SHOAL_OK && i < count; i++) {
        char text[SHOAL_I_NUMBER_MAX];
        size_t length = shoal_i_text_from_int64(text, (int64_t)i + 1);

        add_cell(&to, text, length);
    }
    return st == SHOAL_OK ? finish_cells(&to) : st;
}

/* --- Quasi columns: a key per box, a text per distinct key. */

typedef struct boxes_job {
    const shoal_i_release *release;
    const shoal_i_quasi_column *column;
    size_t c;
    shoal_i_cells_part part;
    const uint32_t *rows;
    const uint32_t *starts;
    shoal_i_sort_item *items; /* scratch of the median: rows of the largest box */
    shoal_i_sort_item *scratch;
    double mean_scale;
} boxes_job;

static shoal_i_interval box_interval(const boxes_job *job, size_t b)
{
    return job->release->boxes[b * job->release->quasi->count + job->c];
}

/* Whether missing and values come together: then nothing but "*" can be shown. */
static bool joins_missing(const boxes_job *job, shoal_i_interval interval)
{
    return job->column->has_missing && interval.hi == job->column->value_count - 1 &&
           interval.lo < interval.hi;
}

static uint32_t find_median(const boxes_job *job, size_t b)
{
    size_t count = job->starts[b + 1] - job->starts[b];

    for (size_t i = 0; i < count; i++) {
        size_t row = job->rows[job->starts[b] + i];

        job->items[i].key = shoal_i_quasi_code(job->release->quasi, job->c, row);
    }
    shoal_i_sort_items(job->items, job->scratch, count);
    return (uint32_t)job->items[(count - 1) / 2].key;
}

/* The interval whose text a box shows. */
static shoal_i_interval find_shown(const boxes_job *job, size_t b)
{
    shoal_i_interval shown = box_interval(job, b);

    if (joins_missing(job, shown)) {
        return shown;
    }
    switch (job->part) {
    case SHOAL_I_CELLS_MIN:
        shown.hi = shown.lo;
        break;
    case SHOAL_I_CELLS_MAX:
        shown.lo = shown.hi;
        break;
    case SHOAL_I_CELLS_MEDIAN:
        shown.lo = shown.lo < shown.hi ? find_median(job, b) : shown.lo;
        shown.hi = shown.lo;
        break;
    default:
        break;
    }
    return shown;
}

static double find_mean_scale(double range)
{
    double scale = 1;

    for (int digits = 0; digits < MEAN_DIGITS_MAX && range * scale < MEAN_STEPS; digits++) {
        scale *= 10;
    }
    return scale;
}

/* The rounded mean of a box of numbers. Rows are in a fixed order, hence so is the sum, which
 * is one of distances from the least value: large numbers that are close keep their digits. */
static double find_mean(const boxes_job *job, size_t b)
{
    const double *values = job->column->values;
    shoal_i_interval interval = box_interval(job, b);
    double least = values[interval.lo];
    double sum = 0;

    if (interval.lo == interval.hi) {
        return least;
    }
    for (size_t i = job->starts[b]; i < job->starts[b + 1]; i++) {
        sum += values[shoal_i_quasi_code(job->release->quasi, job->c, job->rows[i])] - least;
    }
    double mean = least + sum / (double)(job->starts[b + 1] - job->starts[b]);
    double scaled = mean * job->mean_scale;

    return fabs(scaled) < 0x1p52 ? floor(scaled + 0.5) / job->mean_scale : mean;
}

/* Equal keys, equal texts. A mean is keyed by its bits, and what has none by two infinities. */
static uint64_t find_key(const boxes_job *job, size_t b)
{
    shoal_i_interval interval = box_interval(job, b);

    if (job->part != SHOAL_I_CELLS_MEAN) {
        interval = find_shown(job, b);
        return (uint64_t)interval.lo << 32 | interval.hi;
    }
    double mean = joins_missing(job, interval) ? INFINITY
                  : interval.lo == job->column->value_count - job->column->has_missing
                      ? -INFINITY
                      : find_mean(job, b);
    uint64_t key = 0;

    memcpy(&key, &mean, sizeof key);
    return key;
}

static void write_mean(shoal_i_buffer *out, const boxes_job *job, double mean)
{
    const shoal_i_quasi *quasi = job->release->quasi;
    uint32_t last = job->column->value_count - 1;
    char text[SHOAL_I_NUMBER_MAX];

    if (isinf(mean)) {
        shoal_i_interval shown = {mean > 0 ? 0 : last, last};

        shoal_i_value_write(out, quasi, job->c, shown, SHOAL_I_CATEGORICAL_LABEL);
        return;
    }
    size_t length = shoal_table_type(quasi->table, job->column->column) == SHOAL_TYPE_DATE
                        ? shoal_i_text_from_date(text, (int32_t)floor(mean + 0.5))
                        : shoal_i_text_from_double(text, mean);

    shoal_i_buffer_put(out, text, length);
}

static void write_key(shoal_i_buffer *out, const boxes_job *job, uint64_t key,
                      shoal_i_categorical_form form)
{
    if (job->part == SHOAL_I_CELLS_MEAN) {
        double mean = 0;

        memcpy(&mean, &key, sizeof mean);
        write_mean(out, job, mean);
        return;
    }
    shoal_i_interval shown = {(uint32_t)(key >> 32), (uint32_t)key};
    bool is_end = job->part == SHOAL_I_CELLS_MIN || job->part == SHOAL_I_CELLS_MAX;
    bool is_missing = job->column->has_missing && shown.hi == job->column->value_count - 1;

    if (is_end && job->column->cells && !is_missing) {
        double end = job->part == SHOAL_I_CELLS_MIN ? job->column->lower[shown.lo]
                                                    : job->column->upper[shown.hi];

        shoal_i_value_write_end(out, job->release->quasi, job->c, end);
        return;
    }
    shoal_i_value_write(out, job->release->quasi, job->c, shown, form);
}

/* Texts of distinct keys while they are written, some by each task. */
typedef struct texts_job {
    const boxes_job *boxes;
    const uint64_t *keys; /* by number */
    size_t key_count;
    const shoal_i_cells_format *format;
    shoal_i_cells *parts; /* of each task */
} texts_job;

static shoal_status write_part(shoal_ctx *ctx, void *payload, size_t task)
{
    const texts_job *job = payload;
    size_t first = task * TEXTS_PER_TASK;
    size_t left = job->key_count - first;
    size_t end = left < TEXTS_PER_TASK ? job->key_count : first + TEXTS_PER_TASK;
    collector to;
    shoal_status st = start_cells(ctx, &to, &job->parts[task], end - first, job->format);
    shoal_i_buffer text;

    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    for (size_t i = first; st == SHOAL_OK && i < end; i++) {
        text.size = 0;
        write_key(&text, job->boxes, job->keys[i], job->format->categorical);
        add_cell(&to, text.size > 0 ? text.data : "", text.size);
        st = shoal_i_buffer_status(&text);
    }
    shoal_i_buffer_clear(&text);
    if (st != SHOAL_OK) {
        shoal_i_buffer_clear(&to.bytes);
        shoal_i_buffer_clear(&to.guarded);
        return st;
    }
    return finish_cells(&to);
}

/* The texts of all tasks, one after the other. */
static shoal_status join_parts(shoal_ctx *ctx, shoal_i_cells *out, const texts_job *job,
                               size_t tasks)
{
    shoal_status st = SHOAL_OK;
    size_t size = 0;

    for (size_t t = 0; t < tasks; t++) {
        size += job->parts[t].starts[job->parts[t].count];
    }
    SHOAL_ALLOC(ctx, out->starts, job->key_count + 1);
    SHOAL_ALLOC(ctx, out->bytes, size);
    for (size_t t = 0; t < tasks; t++) {
        const shoal_i_cells *part = &job->parts[t];
        size_t start = out->starts[out->count];

        if (part->starts[part->count] > 0) {
            memcpy(out->bytes + start, part->bytes, part->starts[part->count]);
        }
        for (size_t i = 1; i <= part->count; i++) {
            out->starts[++out->count] = start + part->starts[i];
        }
        out->widest = part->widest > out->widest ? part->widest : out->widest;
    }
done:
    return st;
}

/* Texts by number. */
static shoal_status write_keys(shoal_ctx *ctx, shoal_i_cells *out, texts_job *job)
{
    shoal_status st = SHOAL_OK;
    size_t tasks = job->key_count / TEXTS_PER_TASK + (job->key_count % TEXTS_PER_TASK != 0);

    SHOAL_ALLOC(ctx, job->parts, tasks);
    SHOAL_TRY(shoal_i_parallel_for(ctx, tasks, write_part, job));
    SHOAL_TRY(join_parts(ctx, out, job, tasks));
done:
    for (size_t t = 0; job->parts && t < tasks; t++) {
        shoal_i_cells_clear(&job->parts[t]);
    }
    free(job->parts);
    return st;
}

/* Numbers go by first box: each key moves to the place of its number, which is no later than
 * its own. */
static void keep_first(uint64_t *keys, const uint32_t *number_of, size_t count)
{
    size_t seen = 0;

    for (size_t b = 0; b < count; b++) {
        if (number_of[b] == seen) {
            keys[seen++] = keys[b];
        }
    }
}

static shoal_status alloc_scratch(shoal_ctx *ctx, boxes_job *job)
{
    shoal_status st = SHOAL_OK;
    size_t largest = 0;

    for (size_t b = 0; b < job->release->box_count; b++) {
        size_t size = job->release->box_sizes[b];

        largest = size > largest ? size : largest;
    }
    SHOAL_ALLOC(ctx, job->items, largest);
    SHOAL_ALLOC(ctx, job->scratch, largest);
done:
    return st;
}

shoal_status shoal_i_cells_from_boxes(shoal_ctx *ctx, shoal_i_cells *out,
                                      const shoal_i_release *release, size_t c,
                                      shoal_i_cells_part part,
                                      const shoal_i_cells_format *format, shoal_i_box_rows rows)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi_column *column = &release->quasi->columns[c];
    boxes_job job = {.release = release,
                     .column = column,
                     .c = c,
                     .part = part,
                     .rows = rows.rows,
                     .starts = rows.starts,
                     .mean_scale = find_mean_scale(column->range)};
    texts_job texts = {.boxes = &job, .format = format};
    uint64_t *keys = NULL;

    SHOAL_ALLOC(ctx, keys, release->box_count);
    SHOAL_ALLOC(ctx, out->of_box, release->box_count);
    if (part == SHOAL_I_CELLS_MEDIAN) {
        SHOAL_TRY(alloc_scratch(ctx, &job));
    }
    for (size_t b = 0; b < release->box_count; b++) {
        keys[b] = find_key(&job, b);
    }
    SHOAL_TRY(
        shoal_i_number_keys(ctx, out->of_box, &texts.key_count, keys, release->box_count));
    keep_first(keys, out->of_box, release->box_count);
    texts.keys = keys;
    SHOAL_TRY(write_keys(ctx, out, &texts));
done:
    free(keys);
    free(job.items);
    free(job.scratch);
    return st;
}

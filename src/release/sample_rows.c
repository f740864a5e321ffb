#include "sample_rows.h"

#include "fields.h"

#include <stdio.h>
#include <string.h>

/* The release, cut down to the boxes of the records that are looked at. */
typedef struct cut {
    shoal_i_release release;
    shoal_i_interval *boxes;
    uint32_t sizes[SHOAL_I_SAMPLE_ROWS];
    uint32_t box_numbers[SHOAL_I_SAMPLE_ROWS]; /* in the whole release */
    uint32_t *rows;                            /* of these boxes, one after the other */
    uint32_t starts[SHOAL_I_SAMPLE_ROWS + 1];
} cut;

void shoal_i_sample_rows_clear(shoal_i_sample_rows *sample)
{
    shoal_i_arena_clear(&sample->arena);
    *sample = (shoal_i_sample_rows){0};
}

/* --- Which records, which columns. ------------------------------------------------------ */

static void choose_records(shoal_i_sample_rows *out, size_t rows)
{
    out->count = rows < SHOAL_I_SAMPLE_ROWS ? rows : SHOAL_I_SAMPLE_ROWS;
    for (size_t i = 0; i < out->count; i++) {
        out->records[i] = (uint32_t)((2 * (uint64_t)i + 1) * rows / (2 * out->count));
    }
}

static bool is_released(const shoal_i_release *release, const shoal_i_fields *fields,
                        const shoal_i_layout *layout, size_t column)
{
    bool is = release->shape == SHOAL_I_SHAPE_BUCKETS &&
              layout->roles[column] == SHOAL_ROLE_SENSITIVE;

    for (size_t i = 0; i < fields->count; i++) {
        is = is || fields->items[i].column == column;
    }
    return is;
}

static void choose_columns(shoal_i_sample_rows *out, const shoal_i_release *release,
                           const shoal_i_fields *fields, const shoal_i_layout *layout)
{
    static const shoal_role order[] = {SHOAL_ROLE_QUASI, SHOAL_ROLE_SENSITIVE,
                                       SHOAL_ROLE_INSENSITIVE};
    size_t columns = shoal_table_column_count(release->quasi->table);

    for (size_t r = 0; r < sizeof order / sizeof *order; r++) {
        for (size_t i = 0; i < columns; i++) {
            if (layout->roles[i] != order[r] || !is_released(release, fields, layout, i)) {
                continue;
            }
            if (out->column_count < SHOAL_I_SAMPLE_COLUMNS) {
                out->columns[out->column_count++] = i;
            } else {
                out->left_out++;
            }
        }
    }
}

/* --- The boxes they are in. ------------------------------------------------------------- */

static void clear_cut(cut *c)
{
    free(c->boxes);
    free(c->rows);
}

/* Where a box of the whole release stands in the cut; its count: nowhere. */
static size_t find_box(const cut *c, uint32_t box)
{
    size_t i = 0;

    while (i < c->release.box_count && c->box_numbers[i] != box) {
        i++;
    }
    return i;
}

/* The rows of each box, for means and medians. */
static shoal_status group_rows(shoal_ctx *ctx, cut *c, const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    uint32_t next[SHOAL_I_SAMPLE_ROWS];

    for (size_t i = 0; i < c->release.box_count; i++) {
        next[i] = c->starts[i];
        c->starts[i + 1] = c->starts[i] + c->sizes[i];
    }
    SHOAL_ALLOC(ctx, c->rows, c->starts[c->release.box_count]);
    for (size_t row = 0; row < release->row_count; row++) {
        size_t box = find_box(c, release->box_of[row]);

        if (box < c->release.box_count) {
            c->rows[next[box]++] = (uint32_t)row;
        }
    }
done:
    return st;
}

static shoal_status cut_release(shoal_ctx *ctx, cut *c, const shoal_i_release *release,
                                const shoal_i_layout *layout, const shoal_i_sample_rows *sample)
{
    shoal_status st = SHOAL_OK;
    size_t width = release->quasi->count;

    c->release = *release;
    c->release.box_count = 0;
    c->release.look_of = NULL;
    SHOAL_ALLOC(ctx, c->boxes, SHOAL_I_SAMPLE_ROWS * width);
    for (size_t i = 0; i < sample->count; i++) {
        uint32_t box = release->box_of[sample->records[i]];
        size_t at = find_box(c, box);

        if (at == c->release.box_count) {
            memcpy(c->boxes + at * width, release->boxes + box * width,
                   width * sizeof *c->boxes);
            c->box_numbers[at] = box;
            c->sizes[at] = release->box_sizes[box];
            c->release.box_count++;
        }
    }
    c->release.boxes = c->boxes;
    c->release.box_sizes = c->sizes;
    if (layout->numeric == SHOAL_I_NUMERIC_MEAN || layout->numeric == SHOAL_I_NUMERIC_MEDIAN) {
        SHOAL_TRY(group_rows(ctx, c, release));
    }
done:
    return st;
}

/* --- Texts. ----------------------------------------------------------------------------- */

static shoal_status keep_text(shoal_ctx *ctx, shoal_i_sample_rows *out, const char **to,
                              const char *text, size_t length)
{
    *to = shoal_i_arena_text(ctx, &out->arena, text, length);
    return *to ? SHOAL_OK : SHOAL_ENOMEM;
}

/* What the table has of a column. linked: as rows carry it that are dealt out. */
static shoal_status take_plain(shoal_ctx *ctx, shoal_i_sample_rows *out, size_t i,
                               const shoal_i_release *release, bool is_released)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = release->quasi->table;

    for (size_t r = 0; r < out->count; r++) {
        size_t record = out->records[r];
        size_t length = 0;

        if (is_released && release->linked) {
            record = release->linked[record];
        }
        uint32_t code = shoal_table_code(table, out->columns[i], record);
        const char *text = shoal_table_text(table, out->columns[i], code, &length);

        SHOAL_TRY(keep_text(ctx, out, is_released ? &out->after[r][i] : &out->before[r][i],
                            text, length));
    }
done:
    return st;
}

static shoal_status take_buckets(shoal_ctx *ctx, shoal_i_sample_rows *out, size_t i,
                                 const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;

    for (size_t r = 0; r < out->count; r++) {
        char text[48];
        int length = snprintf(text, sizeof text, "bucket %zu",
                              (size_t)release->bucket_of[out->records[r]] + 1);

        SHOAL_TRY(keep_text(ctx, out, &out->after[r][i], text, (size_t)length));
    }
done:
    return st;
}

/* Put the texts of a released field behind what is there of the column already. */
static shoal_status add_cells(shoal_ctx *ctx, shoal_i_sample_rows *out, size_t i, const cut *c,
                              const shoal_i_cells *cells, const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer joined;

    shoal_i_buffer_init(&joined, ctx, SHOAL_I_BUFFER_MAX);
    for (size_t r = 0; r < out->count; r++) {
        size_t box = find_box(c, release->box_of[out->records[r]]);
        const size_t *start = cells->starts + cells->of_box[box];
        const char *before = out->after[r][i];

        joined.size = 0;
        if (before) {
            shoal_i_buffer_text(&joined, before);
            shoal_i_buffer_text(&joined, " to ");
        }
        shoal_i_buffer_put(&joined, cells->bytes + start[0], start[1] - start[0]);
        SHOAL_TRY(shoal_i_buffer_status(&joined));
        SHOAL_TRY(keep_text(ctx, out, &out->after[r][i], joined.size > 0 ? joined.data : "",
                            joined.size));
    }
done:
    shoal_i_buffer_clear(&joined);
    return st;
}

static shoal_status take_field(shoal_ctx *ctx, shoal_i_sample_rows *out, size_t i, const cut *c,
                               const shoal_i_field *field, const shoal_i_layout *layout,
                               const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    shoal_i_cells cells = {0};
    shoal_i_cells_format format = {.categorical = layout->categorical, .is_plain = true};

    if (field->c == SHOAL_I_FIELD_NOT_QUASI) {
        return take_plain(ctx, out, i, release, true);
    }
    SHOAL_TRY(shoal_i_cells_from_boxes(ctx, &cells, &c->release, field->c, field->part, &format,
                                       (shoal_i_box_rows){c->rows, c->starts}));
    SHOAL_TRY(add_cells(ctx, out, i, c, &cells, release));
done:
    shoal_i_cells_clear(&cells);
    return st;
}

static shoal_status take_column(shoal_ctx *ctx, shoal_i_sample_rows *out, size_t i,
                                const cut *c, const shoal_i_fields *fields,
                                const shoal_i_layout *layout, const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    bool is_shown = false;

    SHOAL_TRY(take_plain(ctx, out, i, release, false));
    for (size_t f = 0; f < fields->count; f++) {
        if (fields->items[f].column == out->columns[i]) {
            is_shown = true;
            SHOAL_TRY(take_field(ctx, out, i, c, &fields->items[f], layout, release));
        }
    }
    if (!is_shown) {
        SHOAL_TRY(take_buckets(ctx, out, i, release));
    }
done:
    return st;
}

shoal_status shoal_i_sample_rows_take(shoal_ctx *ctx, shoal_i_sample_rows *out,
                                      const shoal_i_release *release,
                                      const shoal_i_layout *layout)
{
    shoal_status st = SHOAL_OK;
    shoal_i_fields fields = {0};
    cut c = {0};

    SHOAL_TRY(shoal_i_fields_plan(ctx, &fields, release, layout));
    choose_records(out, release->row_count);
    choose_columns(out, release, &fields, layout);
    SHOAL_TRY(cut_release(ctx, &c, release, layout, out));
    for (size_t i = 0; i < out->column_count; i++) {
        SHOAL_TRY(take_column(ctx, out, i, &c, &fields, layout, release));
    }
done:
    clear_cut(&c);
    shoal_i_fields_clear(&fields);
    return st;
}

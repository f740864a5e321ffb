#include "looks.h"

#include "cells.h"
#include "number.h"
#include "row_order.h"

#include <string.h>

/* A text of a column. */
typedef struct shown_text {
    const char *bytes;
    size_t length;
    uint32_t number; /* among the texts as they were made */
} shown_text;

static int compare_texts(const void *a, const void *b)
{
    const shown_text *x = a;
    const shown_text *y = b;

    if (x->length != y->length) {
        return x->length < y->length ? -1 : 1;
    }
    return x->length > 0 ? memcmp(x->bytes, y->bytes, x->length) : 0;
}

/* ids[i]: the same for texts of the same bytes. Different means may be the same date. */
static shoal_status number_texts(shoal_ctx *ctx, uint32_t *ids, const shoal_i_cells *cells)
{
    shoal_status st = SHOAL_OK;
    shown_text *texts = NULL;

    SHOAL_ALLOC(ctx, texts, cells->count);
    for (size_t i = 0; i < cells->count; i++) {
        texts[i] = (shown_text){cells->bytes + cells->starts[i],
                                cells->starts[i + 1] - cells->starts[i], (uint32_t)i};
    }
    qsort(texts, cells->count, sizeof *texts, compare_texts);
    for (size_t i = 0; i < cells->count; i++) {
        bool is_same = i > 0 && compare_texts(&texts[i], &texts[i - 1]) == 0;

        ids[texts[i].number] = is_same ? ids[texts[i - 1].number] : texts[i].number;
    }
done:
    free(texts);
    return st;
}

/* Part the looks so far by what a column shows. */
static shoal_status part_by_column(shoal_ctx *ctx, uint32_t *looks, size_t *look_count,
                                   const shoal_i_release *release, size_t c,
                                   shoal_i_cells_part part, shoal_i_box_rows rows)
{
    shoal_status st = SHOAL_OK;
    shoal_i_cells cells = {0};
    const shoal_i_cells_format plain = {.is_plain = true};
    uint32_t *ids = NULL;
    uint64_t *keys = NULL;

    SHOAL_TRY(shoal_i_cells_from_boxes(ctx, &cells, release, c, part, &plain, rows));
    SHOAL_ALLOC(ctx, ids, cells.count);
    SHOAL_ALLOC(ctx, keys, release->box_count);
    SHOAL_TRY(number_texts(ctx, ids, &cells));
    for (size_t b = 0; b < release->box_count; b++) {
        keys[b] = (uint64_t)looks[b] << 32 | ids[cells.of_box[b]];
    }
    SHOAL_TRY(shoal_i_number_keys(ctx, looks, look_count, keys, release->box_count));
done:
    free(ids);
    free(keys);
    shoal_i_cells_clear(&cells);
    return st;
}

shoal_status shoal_i_release_find_looks(shoal_ctx *ctx, shoal_i_release *release,
                                        const shoal_i_layout *layout)
{
    shoal_status st = SHOAL_OK;
    bool is_mean = layout->numeric == SHOAL_I_NUMERIC_MEAN;
    uint32_t *rows = NULL;
    uint32_t *starts = NULL;
    uint32_t *looks = NULL;
    size_t count = 1;

    if (release->shape != SHOAL_I_SHAPE_CLASSES ||
        (!is_mean && layout->numeric != SHOAL_I_NUMERIC_MEDIAN)) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, rows, release->row_count);
    SHOAL_ALLOC(ctx, starts, release->box_count + 1);
    SHOAL_ALLOC(ctx, looks, release->box_count);
    shoal_i_row_order_group(rows, starts, release);
    for (size_t c = 0; c < release->quasi->count && count < release->box_count; c++) {
        shoal_i_cells_part part = release->quasi->columns[c].hierarchy ? SHOAL_I_CELLS_VALUE
                                  : is_mean                            ? SHOAL_I_CELLS_MEAN
                                                                       : SHOAL_I_CELLS_MEDIAN;

        SHOAL_TRY(part_by_column(ctx, looks, &count, release, c, part,
                                 (shoal_i_box_rows){rows, starts}));
    }
    if (count < release->box_count) {
        release->look_of = looks;
        release->look_count = count;
        looks = NULL;
    }
done:
    free(rows);
    free(starts);
    free(looks);
    return st;
}

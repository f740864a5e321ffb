#include "cover.h"

#include "../release/number.h"

void shoal_i_cover_clear(shoal_i_cover *cover)
{
    free(cover->point_of);
    free(cover->first);
    free(cover->row_starts);
    free(cover->rows);
    shoal_i_box_tree_free(cover->boxes);
    *cover = (shoal_i_cover){0};
}

/* The rows of each box. */
static shoal_status list_rows(shoal_ctx *ctx, shoal_i_cover *cover)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_release *release = cover->release;

    SHOAL_ALLOC(ctx, cover->row_starts, release->box_count + 2);
    SHOAL_ALLOC(ctx, cover->rows, release->row_count);
    for (size_t row = 0; row < release->row_count; row++) {
        cover->row_starts[release->box_of[row] + 2]++;
    }
    for (size_t b = 0; b < release->box_count; b++) {
        cover->row_starts[b + 2] += cover->row_starts[b + 1];
    }
    for (size_t row = 0; row < release->row_count; row++) {
        cover->rows[cover->row_starts[release->box_of[row] + 1]++] = (uint32_t)row;
    }
done:
    return st;
}

shoal_status shoal_i_cover_build(shoal_ctx *ctx, shoal_i_cover *out,
                                 const shoal_i_attack_scene *scene,
                                 const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;

    *out = (shoal_i_cover){.release = release, .record_count = scene->record_count};
    SHOAL_TRY(shoal_i_number_records(ctx, &out->point_of, &out->point_count, scene->quasi));
    SHOAL_ALLOC(ctx, out->first, out->point_count);
    for (size_t record = scene->record_count; record-- > 0;) {
        out->first[out->point_of[record]] = (uint32_t)record;
    }
    SHOAL_TRY(list_rows(ctx, out));
    SHOAL_TRY(shoal_i_box_tree_build(ctx, &out->boxes, release->quasi->count, release->boxes,
                                     release->box_count));
done:
    return st;
}

void shoal_i_cover_point(const shoal_i_cover *cover, shoal_i_interval *point, size_t record)
{
    const shoal_i_quasi *quasi = cover->release->quasi;

    for (size_t c = 0; c < quasi->count; c++) {
        uint32_t code = shoal_i_quasi_code(quasi, c, record);

        point[c] = (shoal_i_interval){code, code};
    }
}

void shoal_i_cover_find(const shoal_i_cover *cover, const shoal_i_interval *point,
                        shoal_i_box_tree_fn found, void *payload)
{
    shoal_i_box_tree_search search = {
        .box = point, .from = SHOAL_I_NO_ITEM, .found = found, .payload = payload};

    shoal_i_box_tree_find(cover->boxes, &search);
}

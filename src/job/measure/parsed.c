#include "parsed.h"

#include "../../base/warnings.h"
#include "../../measure/origin_check.h"

#include <stdio.h>

/* One row in so many that seems to break k is enough to ask whether the file was read
 * rightly. */
#define SEEMS_BY_RECORD 10

/* Every row must be able to stand for a record: what is measured of another table's release
 * would be figures without a meaning. */
static shoal_status check_origin(shoal_ctx *ctx, const shoal_i_release *parsed,
                                 const shoal_table *file)
{
    shoal_status st = SHOAL_OK;
    shoal_i_origin_verdict found = {0};
    char where[SHOAL_MESSAGE_MAX / 2] = "";

    SHOAL_TRY(shoal_i_origin_check(ctx, &found, parsed, SHOAL_I_ORIGIN_WHOLE));
    if (found.lost == 0) {
        goto done;
    }
    if (found.column != SHOAL_I_ORIGIN_ALL) {
        snprintf(where, sizeof where, "in column \"%.200s\", ",
                 parsed->quasi->columns[found.column].name);
    }
    shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)found.row, -1,
                    "This is no release of the original: %s%zu of its %zu rows, this one among "
                    "them, find no record of their own that they cover; compare the files, "
                    "roles and hierarchies (of means and medians, measure the release with "
                    "ranges).",
                    where, found.lost, parsed->row_count);
    st = shoal_i_fail_in(ctx, shoal_table_source(file), shoal_table_line(file, found.row), 0);
done:
    return st;
}

/* Rows that look like a class too small, though their box is none of a single point: that is
 * what a release with a box per record is read as. */
static size_t count_alone(const shoal_i_release *parsed, uint64_t k)
{
    size_t width = parsed->quasi->count;
    size_t alone = 0;

    for (size_t b = 0; b < parsed->box_count; b++) {
        const shoal_i_interval *box = parsed->boxes + b * width;
        bool is_point = true;

        for (size_t c = 0; c < width; c++) {
            is_point = is_point && shoal_i_quasi_is_exact(&parsed->quasi->columns[c], box[c]);
        }
        if (!is_point && parsed->box_sizes[b] < (k > 2 ? k : 2)) {
            alone += parsed->box_sizes[b];
        }
    }
    return alone;
}

/* A file does not tell whether rows with equal boxes are a class; whoever asks may say so. */
static shoal_status find_shape(shoal_ctx *ctx, shoal_i_release *parsed,
                               shoal_i_received *received, const shoal_spec *spec)
{
    if (parsed->shape != SHOAL_I_SHAPE_CLASSES) {
        return SHOAL_OK;
    }
    if (spec->is_by_record) {
        parsed->shape = SHOAL_I_SHAPE_RECORDS;
        received->shape = SHOAL_I_SHAPE_RECORDS;
        return SHOAL_OK;
    }
    size_t alone = count_alone(parsed, spec->k);

    if (alone > parsed->row_count / SEEMS_BY_RECORD) {
        return shoal_i_warn(
            ctx, SHOAL_I_WARN_BY_RECORD, NULL,
            "%zu of the %zu rows of the release are in classes of fewer than %zu, "
            "though their values are generalized; if it has a box per record (method "
            "nonhomogeneous), say so: `measure.shape: records`.",
            alone, parsed->row_count, (size_t)(spec->k > 2 ? spec->k : 2));
    }
    return SHOAL_OK;
}

shoal_status shoal_i_parse_beside(shoal_ctx *ctx, shoal_i_release **out,
                                  const shoal_i_prepared *prepared, shoal_i_received *received,
                                  const shoal_spec *spec)
{
    size_t original = shoal_table_row_count(prepared->table);
    size_t written = shoal_table_row_count(received->table);

    if (written > original) {
        shoal_i_fail(
            ctx, SHOAL_EFORMAT,
            "The release has %zu records, its original %zu; a release has no more than its "
            "original.",
            written, original);
        return shoal_i_fail_in(ctx, shoal_table_source(received->table), 0, 0);
    }
    shoal_status st = shoal_i_received_parse(ctx, out, received, prepared->quasi);

    if (st == SHOAL_OK) {
        (*out)->omitted = original - written;
        st = check_origin(ctx, *out, received->table);
    }
    if (st == SHOAL_OK) {
        st = find_shape(ctx, *out, received, spec);
    }
    return st;
}

#include "top_cut.h"

#include "../../base/fail.h"

#include <math.h>
#include <stdlib.h>

/* The smallest and the largest code that occur; there is one. */
static shoal_i_interval find_extent(const shoal_i_quasi_column *column, const uint64_t *counts)
{
    shoal_i_interval extent = {.lo = 0, .hi = column->value_count - 1};

    while (counts[extent.lo] == 0) {
        extent.lo++;
    }
    while (counts[extent.hi] == 0) {
        extent.hi--;
    }
    return extent;
}

static double find_width(const shoal_i_quasi *quasi, uint64_t *const *counts, size_t c)
{
    const shoal_i_quasi_column *column = &quasi->columns[c];
    shoal_i_interval extent = find_extent(column, counts[c]);

    return column->weight * shoal_i_quasi_spread(column, extent.lo, extent.hi);
}

static uint32_t find_child(const shoal_hierarchy *h, shoal_i_interval extent, uint32_t code)
{
    uint32_t node = shoal_hierarchy_ancestor(h, extent.lo, extent.hi);

    return shoal_hierarchy_ancestor_at(h, code, shoal_hierarchy_depth(h, node) + 1);
}

/* Whether a cut may part two neighbouring codes. */
static bool may_part(const shoal_i_quasi_column *column, shoal_i_interval extent,
                     uint32_t before, uint32_t code)
{
    return !column->hierarchy || find_child(column->hierarchy, extent, before) !=
                                     find_child(column->hierarchy, extent, code);
}

/* A cut while the list is sorted. */
typedef struct ranked {
    shoal_i_top_cut cut;
    uint64_t distance;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a;
    const ranked *y = b;

    if (x->distance != y->distance) {
        return x->distance < y->distance ? -1 : 1;
    }
    return x->cut.code < y->cut.code ? -1 : 1;
}

/* The cuts of one column, nearest to the median first; how many there are. */
static size_t list_column(ranked *out, const shoal_i_quasi *quasi, uint64_t *const *counts,
                          size_t c, uint64_t total, uint64_t least)
{
    const shoal_i_quasi_column *column = &quasi->columns[c];
    shoal_i_interval extent = find_extent(column, counts[c]);
    uint64_t ahead = 0;
    uint32_t before = extent.lo;
    size_t count = 0;

    for (uint32_t code = extent.lo; code <= extent.hi; code++) {
        if (counts[c][code] == 0) {
            continue;
        }
        if (ahead >= least && total - ahead >= least &&
            may_part(column, extent, before, code)) {
            shoal_i_top_cut cut = {.column = c, .code = code, .front = ahead};

            out[count++] = (ranked){cut, shoal_i_top_cut_distance(&cut, total)};
        }
        ahead += counts[c][code];
        before = code;
    }
    qsort(out, count, sizeof *out, compare_ranked);
    return count;
}

/* The widest column behind the one of this width and number: narrower, or as wide and later.
 * quasi->count: none is left that has any width. */
static size_t find_next(const shoal_i_quasi *quasi, uint64_t *const *counts, double width,
                        size_t number)
{
    size_t next = quasi->count;
    double next_width = 0;

    for (size_t c = 0; c < quasi->count; c++) {
        double here = find_width(quasi, counts, c);

        if ((here < width || (here == width && c > number)) && here > next_width) {
            next = c;
            next_width = here;
        }
    }
    return next;
}

static shoal_status list_cuts(shoal_ctx *ctx, shoal_i_top_cut *cuts, size_t *count,
                              const shoal_i_quasi *quasi, uint64_t *const *counts,
                              uint64_t total, uint64_t least)
{
    shoal_status st = SHOAL_OK;
    double width = INFINITY;
    ranked *of_column = NULL;
    size_t most = 0;

    for (size_t c = 0; c < quasi->count; c++) {
        most = quasi->columns[c].value_count > most ? quasi->columns[c].value_count : most;
    }
    SHOAL_ALLOC(ctx, of_column, most);
    for (size_t c = find_next(quasi, counts, width, 0); c < quasi->count;
         c = find_next(quasi, counts, width, c)) {
        size_t listed = list_column(of_column, quasi, counts, c, total, least);

        for (size_t i = 0; i < listed; i++) {
            cuts[(*count)++] = of_column[i].cut;
        }
        width = find_width(quasi, counts, c);
    }
done:
    free(of_column);
    return st;
}

shoal_status shoal_i_top_cut_list(shoal_ctx *ctx, shoal_i_top_cut **cuts, size_t *count,
                                  const shoal_i_quasi *quasi, uint64_t *const *counts,
                                  uint64_t total, uint64_t least)
{
    shoal_status st = SHOAL_OK;
    shoal_i_top_cut *list = NULL;
    uint64_t side = least > 0 ? least : 1; /* a side has records */
    size_t values = 0;

    *cuts = NULL;
    *count = 0;
    for (size_t c = 0; c < quasi->count; c++) {
        values += quasi->columns[c].value_count;
    }
    SHOAL_ALLOC(ctx, list, values);
    if (total >= 2 * side) {
        SHOAL_TRY(list_cuts(ctx, list, count, quasi, counts, total, side));
    }
    *cuts = list;
    list = NULL;
done:
    free(list);
    return st;
}

#include "top_cut.h"

#include <math.h>

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

    return column->weight * shoal_i_quasi_loss(column, extent.lo, extent.hi);
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

static bool cut_column(shoal_i_top_cut *cut, const shoal_i_quasi *quasi,
                       uint64_t *const *counts, size_t c, uint64_t total, uint64_t least)
{
    const shoal_i_quasi_column *column = &quasi->columns[c];
    shoal_i_interval extent = find_extent(column, counts[c]);
    uint64_t best_distance = UINT64_MAX;
    uint64_t ahead = 0;
    uint32_t before = extent.lo;

    for (uint32_t code = extent.lo; code <= extent.hi; code++) {
        if (counts[c][code] == 0) {
            continue;
        }
        uint64_t distance = 2 * ahead > total ? 2 * ahead - total : total - 2 * ahead;

        if (ahead >= least && total - ahead >= least && distance < best_distance &&
            may_part(column, extent, before, code)) {
            *cut = (shoal_i_top_cut){.column = c, .code = code, .front = ahead};
            best_distance = distance;
        }
        ahead += counts[c][code];
        before = code;
    }
    return best_distance < UINT64_MAX;
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

bool shoal_i_top_cut_find(shoal_i_top_cut *cut, const shoal_i_quasi *quasi,
                          uint64_t *const *counts, uint64_t total, uint64_t least)
{
    double width = INFINITY;
    uint64_t side = least > 0 ? least : 1; /* a side has records */

    if (total < 2 * side) {
        return false;
    }
    for (size_t c = find_next(quasi, counts, width, 0); c < quasi->count;
         c = find_next(quasi, counts, width, c)) {
        if (cut_column(cut, quasi, counts, c, total, side)) {
            return true;
        }
        width = find_width(quasi, counts, c);
    }
    return false;
}

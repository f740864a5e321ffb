/* Which points of a frontier no other beats on both axes, and which of them to take. */
#include "frontier.h"

#include <math.h>

#define TIE_WEIGHT 1e-9

static double axis(const shoal_i_frontier *f, const shoal_i_point *point, size_t i)
{
    return point->figures[f->sweep.axes[i]];
}

/* A point counts when both its axes were measured. */
static bool counts(const shoal_i_frontier *f, const shoal_i_point *point)
{
    return point->state == SHOAL_I_POINT_DONE && isfinite(axis(f, point, 0)) &&
           isfinite(axis(f, point, 1));
}

static bool dominates(const shoal_i_frontier *f, const shoal_i_point *a, const shoal_i_point *b)
{
    double ax = axis(f, a, 0);
    double ay = axis(f, a, 1);
    double bx = axis(f, b, 0);
    double by = axis(f, b, 1);

    return ax <= bx && ay <= by && (ax < bx || ay < by);
}

static void mark_dominated(shoal_i_frontier *f)
{
    for (size_t i = 0; i < f->count; i++) {
        shoal_i_point *point = &f->points[i];

        point->is_dominated = !counts(f, point);
        for (size_t j = 0; j < f->count && !point->is_dominated; j++) {
            point->is_dominated =
                counts(f, &f->points[j]) && dominates(f, &f->points[j], point);
        }
    }
}

/* Whether a point meets the limits. */
static bool is_within_limits(const shoal_i_frontier *frontier, const shoal_i_point *point)
{
    bool is_within = point->state == SHOAL_I_POINT_DONE;

    for (size_t i = 0; i < SHOAL_I_BY_COUNT; i++) {
        is_within = is_within && (!frontier->sweep.has_limit[i] ||
                                  point->figures[i] <= frontier->sweep.limits[i]);
    }
    return is_within;
}

/* Whether what is revealed, or what is lost, is limited. */
static bool is_limited(const shoal_i_frontier *f, bool privacy)
{
    bool is = false;

    for (size_t i = 0; i < SHOAL_I_BY_COUNT; i++) {
        is = is || (f->sweep.has_limit[i] &&
                    shoal_i_axis_is_privacy((shoal_i_axis_figure)i) == privacy);
    }
    return is;
}

/* The largest value of an axis. */
static double find_extent(const shoal_i_frontier *f, size_t i)
{
    double most = 0;

    for (size_t p = 0; p < f->count; p++) {
        if (counts(f, &f->points[p])) {
            most = fmax(most, axis(f, &f->points[p], i));
        }
    }
    return most > 0 ? most : 1;
}

/* What is to be least among the points within the limits. Who limits what is revealed wants the
 * least loss, and the other way round; limits on both kinds are met best in the middle. The
 * axis that does not count breaks ties. */
static double grade(const shoal_i_frontier *f, const shoal_i_point *point)
{
    bool of_privacy = is_limited(f, true);
    bool of_loss = is_limited(f, false);
    double sum = 0;

    for (size_t i = 0; i < 2; i++) {
        bool is_privacy = shoal_i_axis_is_privacy(f->sweep.axes[i]);
        bool matters = of_privacy == of_loss || is_privacy == of_loss;

        sum += (matters ? 1 : TIE_WEIGHT) * axis(f, point, i) / find_extent(f, i);
    }
    return sum;
}

void shoal_i_frontier_choose(shoal_i_frontier *frontier)
{
    double least = INFINITY;

    mark_dominated(frontier);
    frontier->recommended = -1;
    for (size_t i = 0; frontier->has_limits && i < frontier->count; i++) {
        const shoal_i_point *point = &frontier->points[i];
        double found = INFINITY;

        if (counts(frontier, point) && is_within_limits(frontier, point)) {
            found = grade(frontier, point);
        }
        if (found < least) {
            least = found;
            frontier->recommended = (ptrdiff_t)i;
        }
    }
}

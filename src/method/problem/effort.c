#include "effort.h"

#include "../../base/clock.h"

#include <math.h>

#define WORK_TOTAL 120000000
#define WORK_LARGE                                                                             \
    260000000               /* in all, of a table in which the total would be less per record */
#define WORK_LARGE_MOST 260 /* per record there */
#define WORK_LEAST 40
#define WORK_MOST 6000
#define WORK_SMALL 1000000 /* in all, of a table so small that this is more */
#define WORK_HIGH 38       /* times the normal work */
#define WORK_HIGH_LARGE 75 /* times the total, of a table whose normal work is more than it */
#define WORK_UNBOUNDED ((uint64_t)1 << 31)

/* Near points: so many times the points a group needs, within bounds. In a large table a search
 * asks each point so seldom that listing more than the nearest costs more than it gains. */
#define REACH_PER_POINT 8
#define REACH_LEAST 64
#define REACH_MOST 384
#define REACH_LARGE_PER_POINT 1
#define REACH_LARGE_LEAST 16
#define REACH_LARGE_MOST 48
#define LARGE_TABLE 200000

const char *const shoal_i_effort_words[] = {[SHOAL_I_EFFORT_FAST] = "fast",
                                            [SHOAL_I_EFFORT_NORMAL] = "normal",
                                            [SHOAL_I_EFFORT_HIGH] = "high",
                                            NULL};

uint64_t shoal_i_effort_first_look(const shoal_i_problem *problem)
{
    uint64_t records = problem->row_count + 1;
    uint64_t share = WORK_TOTAL / records;
    uint64_t large = WORK_LARGE / records;

    if (problem->row_count < WORK_SMALL / WORK_MOST) {
        return WORK_SMALL / records;
    }
    large = large < WORK_LEAST ? WORK_LEAST : large > WORK_LARGE_MOST ? WORK_LARGE_MOST : large;
    return share < large ? large : share > WORK_MOST ? WORK_MOST : share;
}

uint64_t shoal_i_effort_work(double effort, const shoal_i_problem *problem)
{
    uint64_t share = shoal_i_effort_first_look(problem);

    if (problem->seconds > 0) {
        return WORK_UNBOUNDED;
    }
    if (effort == SHOAL_I_EFFORT_FAST) {
        return 0;
    }
    if (effort == SHOAL_I_EFFORT_HIGH) {
        /* Large tables get more at normal effort than their share of the total; 38 times that
         * would be minutes. */
        uint64_t total = WORK_TOTAL / (problem->row_count + 1);
        uint64_t high = total < share ? WORK_HIGH_LARGE * total : WORK_HIGH * share;

        return high > 2 * share ? high : 2 * share;
    }
    return share;
}

size_t shoal_i_effort_reach(const shoal_i_problem *problem, size_t points, size_t records)
{
    uint64_t smallest = shoal_i_requirement_smallest_class(problem->requirements);
    bool is_large = problem->row_count > LARGE_TABLE;
    double needed = (double)smallest * (double)points / (double)records;

    return (size_t)(is_large ? fmin(fmax(REACH_LARGE_PER_POINT * needed, REACH_LARGE_LEAST),
                                    REACH_LARGE_MOST)
                             : fmin(fmax(REACH_PER_POINT * needed, REACH_LEAST), REACH_MOST));
}

double shoal_i_search_progress(const shoal_i_search_limit *limit, uint64_t work, double start)
{
    double progress = (double)work / (double)limit->work;

    if (limit->deadline > 0) {
        double length = limit->deadline - start;

        progress = fmax(progress, length > 0 ? (shoal_i_clock_seconds() - start) / length : 1);
    }
    return fmin(progress, 1);
}

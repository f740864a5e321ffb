#include "effort.h"

#define WORK_TOTAL 120000000
#define WORK_LEAST 120
#define WORK_MOST 6000
#define WORK_SMALL 1000000 /* in all, of a table so small that this is more */
#define WORK_HIGH 38       /* times the normal work */
#define WORK_UNBOUNDED ((uint64_t)1 << 31)

/* From here on normal effort does not search. */
#define HUGE_TABLE 4000000

/* Near points: so many times the points a group needs, within bounds. */
#define REACH_PER_POINT 8
#define REACH_LEAST 64
#define REACH_LARGE 40 /* in a large table, where each point asks fewer of them */
#define REACH_MOST 384
#define LARGE_TABLE 200000

const char *const shoal_i_effort_words[] = {[SHOAL_I_EFFORT_FAST] = "fast",
                                            [SHOAL_I_EFFORT_NORMAL] = "normal",
                                            [SHOAL_I_EFFORT_HIGH] = "high",
                                            NULL};

uint64_t shoal_i_effort_first_look(const shoal_i_problem *problem)
{
    uint64_t share = WORK_TOTAL / (problem->row_count + 1);

    if (problem->row_count < WORK_SMALL / WORK_MOST) {
        return WORK_SMALL / (problem->row_count + 1);
    }
    return share < WORK_LEAST ? WORK_LEAST : share > WORK_MOST ? WORK_MOST : share;
}

uint64_t shoal_i_effort_work(double effort, const shoal_i_problem *problem)
{
    uint64_t share = shoal_i_effort_first_look(problem);

    if (problem->seconds > 0) {
        return WORK_UNBOUNDED;
    }
    if (effort == SHOAL_I_EFFORT_FAST ||
        (effort == SHOAL_I_EFFORT_NORMAL && problem->row_count > HUGE_TABLE)) {
        return 0;
    }
    return effort == SHOAL_I_EFFORT_HIGH ? WORK_HIGH * share : share;
}

size_t shoal_i_effort_reach(const shoal_i_problem *problem, size_t points, size_t records)
{
    uint64_t smallest = shoal_i_requirement_smallest_class(problem->requirements);
    double wanted = REACH_PER_POINT * (double)smallest * (double)points / (double)records;

    if (wanted < REACH_LEAST) {
        return problem->row_count > LARGE_TABLE ? REACH_LARGE : REACH_LEAST;
    }
    return wanted < REACH_MOST ? (size_t)wanted : REACH_MOST;
}

/* effort.h -- how much a method that searches does. */
#ifndef SHOAL_I_EFFORT_H
#define SHOAL_I_EFFORT_H

#include "method.h"

/* The places of shoal_i_effort_words. */
enum { SHOAL_I_EFFORT_FAST, SHOAL_I_EFFORT_NORMAL, SHOAL_I_EFFORT_HIGH };

/* Units of the meter for the search of one record; finding the first groups is one. */
#define SHOAL_I_SEARCH_UNITS 16

/* Rows that may be compared for each record: a second or so for a small table, and at least
 * enough per record of a large one to gain most of what there is to gain; 0: no search.
 * Practically no limit when the problem has a time. */
uint64_t shoal_i_effort_work(double effort, const shoal_i_problem *problem);

/* The same for normal effort whatever the effort, the time and the size: what a first look at a
 * start is worth. */
uint64_t shoal_i_effort_first_look(const shoal_i_problem *problem);

/* How many near points to list for each of so many points that stand for so many records. */
size_t shoal_i_effort_reach(const shoal_i_problem *problem, size_t points, size_t records);

/* When a search ends. */
typedef struct shoal_i_search_limit {
    uint64_t work;   /* rows compared */
    double deadline; /* of shoal_i_clock_seconds; 0: none */
    uint64_t units;  /* of the meter that the whole search stands for */
} shoal_i_search_limit;

/* How much of a limit is used up, from 0 to 1, after so much work since a moment of
 * shoal_i_clock_seconds. */
double shoal_i_search_progress(const shoal_i_search_limit *limit, uint64_t work, double start);

#endif /* SHOAL_I_EFFORT_H */

/* exact.h -- whether the optimum is within reach. */
#ifndef SHOAL_I_EXACT_H
#define SHOAL_I_EXACT_H

#include "../problem/method.h"

/* Steps the method `exact` would take, about one per nanosecond; INFINITY where it refuses. */
double shoal_i_exact_work(const shoal_i_problem *problem);

#endif /* SHOAL_I_EXACT_H */

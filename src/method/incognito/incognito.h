/* incognito.h -- how much full-domain recoding has to look at. */
#ifndef SHOAL_I_INCOGNITO_H
#define SHOAL_I_INCOGNITO_H

#include "../problem/method.h"

/* Nodes over all sets of columns, of which few or all are judged; INFINITY where the method
 * `incognito` would refuse the problem. */
double shoal_i_incognito_nodes(const shoal_i_problem *problem);

#endif /* SHOAL_I_INCOGNITO_H */

/* lattice_walk.h -- nodes along one way through a lattice. */
#ifndef SHOAL_I_LATTICE_WALK_H
#define SHOAL_I_LATTICE_WALK_H

#include "lattice.h"
#include "remnant.h"

/* Add the nodes of a walk to a lattice, the last one of the lattice among them; walks of different numbers go different ways. */
shoal_status shoal_i_lattice_walk(shoal_ctx *ctx, shoal_i_lattice *lattice,
                                  const shoal_i_site *site, size_t number);

#endif /* SHOAL_I_LATTICE_WALK_H */

/* ring.h -- records on a ring: the box of each, and whose values it is published with.
 *
 * A record is published with the box around itself and the `width` - 1 records that follow it
 * on the ring. So it lies in `width` boxes, its own and those of the records before it:
 *
 *     ring      a  b  c  d  e  (a ...)          width 3
 *     boxes     abc  bcd  cde  dea  eab
 *     c is in   abc  bcd  cde
 *
 * Which of those rows carries the values of c is drawn: a perfect matching of rows and
 * records, one of the `width` matchings that the graph of boxes and records is the sum of
 * (matching.h). Each is equally likely for each record, exactly. A ring that is no longer than
 * its width is a class, and any permutation is drawn.
 */
#ifndef SHOAL_I_RING_H
#define SHOAL_I_RING_H

#include "../../base/entropy.h"
#include "../../box/quasi.h"

typedef struct shoal_i_ring {
    const uint32_t *records; /* in the order of the ring */
    size_t size;
    size_t width; /* 1 to size */
} shoal_i_ring;

/* Scratch for rings of at most a size and an area (size times width). */
typedef struct shoal_i_ring_scratch {
    shoal_i_interval *covers;
    shoal_i_interval *before;
    uint32_t *right;
    uint32_t *matched;
} shoal_i_ring_scratch;

shoal_status shoal_i_ring_scratch_init(shoal_ctx *ctx, shoal_i_ring_scratch *scratch,
                                       const shoal_i_quasi *quasi, size_t size, size_t area);
void shoal_i_ring_scratch_clear(shoal_i_ring_scratch *scratch);

/* Set the box, closed, of each record of the ring: boxes[record * quasi->count + c]. */
void shoal_i_ring_cover(shoal_i_interval *boxes, const shoal_i_quasi *quasi,
                        const shoal_i_ring *ring, shoal_i_ring_scratch *scratch);

/* Draw for each record of the ring the one whose values its row carries: linked[record]. */
shoal_status shoal_i_ring_link(shoal_ctx *ctx, uint32_t *linked, const shoal_i_ring *ring,
                               shoal_i_ring_scratch *scratch, shoal_i_entropy *entropy);

#endif /* SHOAL_I_RING_H */

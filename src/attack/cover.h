/* cover.h -- which boxes of a release cover a point: what whoever knows somebody's
 * quasi-identifier sees of him. */
#ifndef SHOAL_I_COVER_H
#define SHOAL_I_COVER_H

#include "../box/box_tree.h"
#include "attack.h"

/* The records of the original by point, as those at one point look the same, and the boxes of a
 * release in a tree. Never changes once built; any number of threads may read it. */
typedef struct shoal_i_cover {
    const shoal_i_release *release;
    size_t record_count;
    size_t point_count;
    uint32_t *point_of;   /* record -> point */
    uint32_t *first;      /* a record of each point, the first */
    uint32_t *row_starts; /* of the rows of each box, and the end */
    uint32_t *rows;       /* box after box */
    shoal_i_box_tree *boxes;
} shoal_i_cover;

/* Starts as {0}; clear it after a failure, too. quasi: of the original. */
shoal_status shoal_i_cover_build(shoal_ctx *ctx, shoal_i_cover *out,
                                 const shoal_i_attack_scene *scene,
                                 const shoal_i_release *release);
void shoal_i_cover_clear(shoal_i_cover *cover);

/* The point of a record as a box, into `point`. */
void shoal_i_cover_point(const shoal_i_cover *cover, shoal_i_interval *point, size_t record);

/* Call `found` for each box around a point; true ends it. */
void shoal_i_cover_find(const shoal_i_cover *cover, const shoal_i_interval *point,
                        shoal_i_box_tree_fn found, void *payload);

#endif /* SHOAL_I_COVER_H */

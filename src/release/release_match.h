/* release_match.h -- which record may stand behind which row of a release, found without any
 * order.
 *
 * A release says how many of its rows show a box (and a tag, such as the sensitive values that
 * go with it). A record can stand behind a row whose box holds it and whose tag it has. Records
 * of one kind, which agree in all quasi columns and the tag, are interchangeable, so this is a
 * transport from kinds to boxes: first greedily, kinds with few choices first, then by changing
 * places along shortest ways, many at once. It succeeds exactly when the release can belong to
 * the table.
 */
#ifndef SHOAL_I_RELEASE_MATCH_H
#define SHOAL_I_RELEASE_MATCH_H

#include "release.h"

/* *box_of (free): for each record of the release's quasi->table a box of the release that holds
 * it, so that each box and tag has as many records as rows. The tags of the records and of the
 * rows; both NULL: none. *open_count, unless NULL: records that more than one box with a row of
 * their tag holds, so that another way might place them elsewhere; 0: there is only this way.
 * SHOAL_EFORMAT: there is no such way. Boxes around a kind are found in a tree: O(kinds * log
 * boxes) where few overlap, and more where they overlap much. */
shoal_status shoal_i_release_match(shoal_ctx *ctx, uint32_t **box_of, size_t *open_count,
                                   const shoal_i_release *release, const uint32_t *record_tags,
                                   const uint32_t *row_tags);

#endif /* SHOAL_I_RELEASE_MATCH_H */

/* matched.h -- which record of the original stands behind which row of somebody's release.
 *
 * A row tells its box and its sensitive values, and that is all there is to go by, unless the
 * rows stand in the order of the original. So records that agree in all of that are
 * interchangeable, and where boxes overlap there may be several ways (release_match.h): one of
 * them is taken.
 */
#ifndef SHOAL_I_MATCHED_H
#define SHOAL_I_MATCHED_H

#include "../input/prepare.h"
#include "../input/received.h"

typedef struct shoal_i_matched {
    uint32_t *tags;   /* of the records, then of the rows: equal where the sensitive values are;
                         NULL: they are not looked at */
    uint32_t *box_of; /* of each record: its box in the release */
    bool is_in_order; /* row i is of record i */
    size_t open_count; /* records that could be in another box as well; 0 in order */
} shoal_i_matched;

/* Match the records of the original, whose quasi is built, to a release as it was received and
 * parsed; by the sensitive columns, too, if these were read and with_values. name: of the
 * release, for messages. SHOAL_EFORMAT: the release does not belong to the original. */
shoal_status shoal_i_match_records(shoal_ctx *ctx, shoal_i_matched *out,
                                   const shoal_i_prepared *original,
                                   const shoal_i_release *parsed,
                                   const shoal_i_received *received, bool with_values,
                                   const char *name);

/* *record_of (free): of each row a record of its own, of the same box and tag. */
shoal_status shoal_i_matched_rows(shoal_ctx *ctx, uint32_t **record_of,
                                  const shoal_i_matched *matched,
                                  const shoal_i_release *parsed);

/* Warn of records that could stand in another class (another-matching). classes: how many the
 * texts of the release make. Different texts may mean one box, which the matching cannot tell
 * apart: then it could be any record. */
shoal_status shoal_i_matched_warn(shoal_ctx *ctx, const shoal_i_matched *matched,
                                  const shoal_i_release *parsed, uint64_t classes);

/* {0} is allowed. */
void shoal_i_matched_clear(shoal_i_matched *matched);

#endif /* SHOAL_I_MATCHED_H */

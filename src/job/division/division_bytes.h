/* division_bytes.h -- the objects of a division as bytes (portable.h), part by part.
 *
 *     base    seed, numbers of records and persons, columns with their values, totals and
 *             hierarchies; persons with any of the values that a requirement joins
 *     state   the tree of cuts, the fragments, and what they ask
 *
 * The base never changes; its digest and the state tell which question counts are an answer to.
 */
#ifndef SHOAL_I_DIVISION_BYTES_H
#define SHOAL_I_DIVISION_BYTES_H

#include "division.h"

void shoal_i_pack_base(shoal_i_buffer *out, const shoal_division *division);
void shoal_i_pack_state(shoal_i_buffer *out, const shoal_division *division);

/* Fill a new division from its base, and give it its cuts; broken bytes are a failure. */
shoal_status shoal_i_unpack_base(shoal_ctx *ctx, shoal_division *division,
                                 shoal_i_unpacking *in);
shoal_status shoal_i_unpack_state(shoal_ctx *ctx, shoal_division *division,
                                  shoal_i_unpacking *in);

/* What the spec says of the columns must be true of those that were read, or later steps would
 * stumble. SHOAL_EFORMAT */
shoal_status shoal_i_division_check_columns(shoal_ctx *ctx, const shoal_division *division);

/* Set base_digest. */
shoal_status shoal_i_division_seal(shoal_ctx *ctx, shoal_division *division);

/* The digest of a division as it stands. */
shoal_status shoal_i_division_digest(shoal_ctx *ctx, char hex[SHOAL_I_SHA256_HEX],
                                     const shoal_division *division);

#endif /* SHOAL_I_DIVISION_BYTES_H */

/* ready_rare.h -- rare values of a column become one.
 *
 * Values that fewer records have than asked for are merged with the other rare ones below the
 * same group of the column's hierarchy; without a hierarchy, all of them:
 *
 *     A15.0  12 records      A15.0
 *     A15.3   2 records  ->  A15: other
 *     A15.7   1 record   ->  A15: other
 *     B20     3 records  ->  B20-B24: other
 *
 * Which values are rare is decided by all records, so a part of a table cannot tell.
 */
#ifndef SHOAL_I_READY_RARE_H
#define SHOAL_I_READY_RARE_H

#include "../../spec/spec.h"

/* What each value of a column becomes; texts has one for each, NULL so far, which are the
 * caller's to free after a failure, too. SHOAL_EINVAL: a value or a group elsewhere has the
 * text of merged ones; numbers without a hierarchy. */
shoal_status shoal_i_rare_texts(shoal_ctx *ctx, char **texts, const shoal_table *table,
                                size_t column, const shoal_i_spec_column *asked,
                                uint64_t least);

/* The hierarchy of what they became: each stays below its group. became: old code -> new. */
shoal_status shoal_i_rare_hierarchy(shoal_ctx *ctx, shoal_hierarchy **out,
                                    const shoal_table *from, const shoal_table *to,
                                    size_t column, const shoal_i_spec_column *asked,
                                    const uint32_t *became);

#endif /* SHOAL_I_READY_RARE_H */

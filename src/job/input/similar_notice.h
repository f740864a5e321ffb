/* similar_notice.h -- values that count as several and likely are one.
 *
 * HIV, "HIV " and hiv make a class of three look diverse, and A1 and "a1 " two persons of one.
 * Whether they are the same, only somebody who knows the table can say: `same` of the column.
 */
#ifndef SHOAL_I_SIMILAR_NOTICE_H
#define SHOAL_I_SIMILAR_NOTICE_H

#include "../../spec/spec.h"

/* Warn of every column of persons and, where values are counted, every sensitive one in which
 * texts differ from others in blanks, case or the form of letters alone, and `same` does not
 * say that they are one value. Only dictionaries are looked at. O(values). */
shoal_status shoal_i_notice_similar(shoal_ctx *ctx, const shoal_table *table,
                                    const shoal_spec *spec, bool counts_values);

#endif /* SHOAL_I_SIMILAR_NOTICE_H */

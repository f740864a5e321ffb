/* person_notice.h -- persons with several records that nobody spoke of.
 *
 * Without a column of persons a run counts records, and what it promises is of records. Where a
 * column looks like the number of persons who come back, that is likely not what was meant.
 */
#ifndef SHOAL_I_PERSON_NOTICE_H
#define SHOAL_I_PERSON_NOTICE_H

#include "prepare.h"

/* Warn of the first column that looks so and is left out or released as it is, unless a column
 * has the role person. Of the columns left out only those that a reading with seeks_person kept
 * have values; these are given up afterwards, as if they had not been read. */
shoal_status shoal_i_notice_person(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                   const shoal_spec *spec);

#endif /* SHOAL_I_PERSON_NOTICE_H */

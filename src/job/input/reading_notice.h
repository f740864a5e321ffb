/* reading_notice.h -- columns of text that likely are numbers or dates.
 *
 * A few values that are written wrongly, or another form of all of them, make a column one of
 * texts, which are kept or suppressed where numbers would become ranges. Nothing is read
 * otherwise than somebody said; whoever runs into that is told what to say.
 */
#ifndef SHOAL_I_READING_NOTICE_H
#define SHOAL_I_READING_NOTICE_H

#include "../../base/context.h"

#include <shoal/table.h>

/* Warn of a column whose values would be numbers or dates in another reading
 * (other_reading.h), all of them or all but a few, or which is text because of a few
 * (stray.h). */
shoal_status shoal_i_notice_reading(shoal_ctx *ctx, const shoal_table *table, size_t column);

#endif /* SHOAL_I_READING_NOTICE_H */

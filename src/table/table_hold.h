/* table_hold.h -- a table that somebody else may free meanwhile.
 *
 * A table counts those who need it: whoever built it is one, and shoal_table_free takes one
 * away. The last of them ends it. Any thread may hold and drop.
 */
#ifndef SHOAL_I_TABLE_HOLD_H
#define SHOAL_I_TABLE_HOLD_H

#include <shoal/table.h>

/* One more who needs the table; to be taken away by drop, which accepts NULL. */
void shoal_i_table_hold(const shoal_table *table);
void shoal_i_table_drop(const shoal_table *table);

#endif /* SHOAL_I_TABLE_HOLD_H */

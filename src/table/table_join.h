/* table_join.h -- the columns of two tables side by side. */
#ifndef SHOAL_I_TABLE_JOIN_H
#define SHOAL_I_TABLE_JOIN_H

#include <shoal/table.h>

/* Add the columns of `more` behind those of `table`: both have the same number of records and
 * no name in common. The columns are moved: `more` is empty afterwards, to be freed; on failure
 * both are as they were. SHOAL_EINVAL for a name that both have. */
shoal_status shoal_i_table_join(shoal_ctx *ctx, shoal_table *table, shoal_table *more);

#endif /* SHOAL_I_TABLE_JOIN_H */

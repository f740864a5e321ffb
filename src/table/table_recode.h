/* table_recode.h -- a table in which some columns have other values.
 *
 * A recoding says what each value of a column becomes, by its code; values that become the same
 * are one value from then on. Missing stays missing, and so becomes what becomes its token.
 * Records stay where they are.
 */
#ifndef SHOAL_I_TABLE_RECODE_H
#define SHOAL_I_TABLE_RECODE_H

#include <shoal/table.h>

typedef struct shoal_i_recoding {
    char *const *texts; /* by code, one for each value; NULL: the column stays as it is */
    shoal_type type;    /* of the texts, which must all be of it; not AUTO */
} shoal_i_recoding;

/* recodings has one for each column. The result borrows from the table and holds it
 * (table_hold.h). SHOAL_EINVAL: a text that is not of its type. Parallel over columns. */
shoal_status shoal_i_table_recode(shoal_ctx *ctx, shoal_table **out, const shoal_table *table,
                                  const shoal_i_recoding *recodings);

#endif /* SHOAL_I_TABLE_RECODE_H */

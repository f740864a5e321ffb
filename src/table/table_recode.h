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
 * (table_hold.h). maps[column][code] receives what a code became, that of missing values
 * included, for columns that are recoded; it has an entry for each column, NULL so far, which
 * is the caller's to free after a failure, too. Of a table without the codes of its records
 * (csv_spooled.h) the result has none either. SHOAL_EINVAL: a text that is not of its type.
 * Parallel over columns. */
shoal_status shoal_i_table_recode(shoal_ctx *ctx, shoal_table **out, uint32_t **maps,
                                  const shoal_table *table, const shoal_i_recoding *recodings);

/* Of a result without codes: how many records lack a value, now that they were counted. */
void shoal_i_table_recoded_missing(shoal_table *table, size_t column, size_t count);

#endif /* SHOAL_I_TABLE_RECODE_H */

/* sensitive_table.h -- the second file of a release by buckets (release/buckets.h), found, read
 * and joined to the records.
 *
 *     release.csv          release.sensitive.csv            joined
 *
 *     bucket  age          bucket  column  value  count     bucket  age  ill
 *       1      23            1     ill     flu      1         1      23  flu
 *       1      27            1     ill     gout     1         1      27  gout
 *
 * The first column of the table has the name of the column of the release that links the two.
 * Joining gives the records of a bucket its values in the order in which they stand in the
 * table. That is no claim about which record has which: whoever reads the joined columns may
 * only count per bucket. It makes the sensitive columns of buckets what those of other releases
 * are, read by the same types and tokens.
 */
#ifndef SHOAL_I_SENSITIVE_TABLE_H
#define SHOAL_I_SENSITIVE_TABLE_H

#include "columns.h"

/* Where the sensitive table of a release is, or will be: where the spec says or, without a word
 * of it, beside the release: NAME.csv has NAME.sensitive.csv. *out is the caller's to free;
 * NULL for standard input or output, which has nothing beside it. */
shoal_status shoal_i_sensitive_table_path(shoal_ctx *ctx, char **out, const shoal_spec *spec,
                                          const char *release);

/* Read it: columns as texts, counts as whole numbers. delimiter 0: detect. With is_needed false
 * *out is NULL when the file is not there or its header is not that of a sensitive table.
 * SHOAL_EFORMAT: such a header; a count below 1. */
shoal_status shoal_i_sensitive_table_read(shoal_ctx *ctx, shoal_table **out,
                                          const shoal_i_given *given, char delimiter,
                                          bool is_needed);

/* Give a release, read with its column of buckets, the columns of a sensitive table: the
 * sensitive columns of the spec or, in a reading for a query, those asked for that the table
 * has. SHOAL_EFORMAT, with its place: a bucket that the release lacks; a bucket with more or
 * fewer values of a column than records. SHOAL_ENOTFOUND: a sensitive column of the spec that
 * the table lacks. */
shoal_status shoal_i_sensitive_table_join(shoal_ctx *ctx, shoal_table *release,
                                          size_t bucket_column, const shoal_table *values,
                                          const shoal_i_reading *reading);

#endif /* SHOAL_I_SENSITIVE_TABLE_H */

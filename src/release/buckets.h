/* buckets.h -- a release by buckets: records as they are, their sensitive values told per
 * bucket.
 *
 *     release.csv               release.sensitive.csv
 *
 *     bucket  age  zip          bucket  column     value   count
 *       1      23  11000          1     diagnosis  flu       1
 *       1      27  13000          1     diagnosis  gout      1
 *       2      35  59000          2     diagnosis  flu       2
 *       2      59  12000          2     diagnosis  HIV       1
 *       2      61  54000
 *
 * Which record of a bucket has which of its values is not told, and nothing in the files may
 * tell it: buckets are numbered, and records within them ordered, by what is published alone.
 * Of several sensitive columns each is told by itself. How their values go together in one
 * record is not published: whoever knows one of a person's values would learn the others by it,
 * and no requirement looks at that.
 */
#ifndef SHOAL_I_BUCKETS_H
#define SHOAL_I_BUCKETS_H

#include "release.h"

/* From buckets: bucket_of[row] is below bucket_count, no bucket is empty; copied. Every box is
 * a record as it is. */
shoal_status shoal_i_release_from_buckets(shoal_ctx *ctx, shoal_i_release **out,
                                          const shoal_i_quasi *quasi, const uint32_t *bucket_of,
                                          size_t bucket_count);

/* Number the buckets anew: by the records of each as they are published, ascending, and where
 * two have the same records by their sensitive values. What is left equal is interchangeable.
 * Roles are those of each column of the table. */
shoal_status shoal_i_buckets_number(shoal_ctx *ctx, shoal_i_release *release,
                                    const shoal_role *roles);

/* Reorder rows bucket after bucket; within one they stay as they are among themselves. */
shoal_status shoal_i_buckets_group(shoal_ctx *ctx, uint32_t *rows,
                                   const shoal_i_release *release);

/* A line of the sensitive table. */
typedef struct shoal_i_value_line {
    uint32_t bucket;
    uint32_t column; /* of the table */
    uint32_t code;
    uint32_t count;
} shoal_i_value_line;

/* The sensitive table: of each bucket, of each sensitive column, the values that occur and how
 * often, in the order of the columns and of their values. *lines is the caller's to free. */
shoal_status shoal_i_buckets_list_values(shoal_ctx *ctx, shoal_i_value_line **lines,
                                         size_t *count, const shoal_i_release *release,
                                         const shoal_role *roles);

/* --- Text. ------------------------------------------------------------------------------ */

/* The columns of the sensitive table behind the first, which links it to the records. */
#define SHOAL_I_SENSITIVE_COLUMNS 4
extern const char *const shoal_i_sensitive_columns[SHOAL_I_SENSITIVE_COLUMNS];

/* The name of the column with the numbers in both files: "bucket", or "bucket_2", "bucket_3",
 * ..., the first that no column of the table has. The caller's to free. */
shoal_status shoal_i_bucket_name(shoal_ctx *ctx, char **out, const shoal_table *table);

/* Write the sensitive table. Values are written as the table has them. */
shoal_status shoal_i_buckets_write_sensitive(shoal_ctx *ctx, const shoal_i_release *release,
                                             const shoal_i_layout *layout,
                                             shoal_i_output *output);

#endif /* SHOAL_I_BUCKETS_H */

/* release.h -- a release as an object: what is handed out, and who is in which class.
 *
 * shoal_anonymize_table (job.h) makes one from a table, without a file:
 *
 *     shoal_anonymize_table(ctx, &release, &report, spec, table);
 *     shoal_release_export(ctx, &stream, release);            to another program, or
 *     shoal_release_write(ctx, release, "release.csv", ',');  to a file
 *     shoal_release_free(release);
 *
 * It has one of three shapes:
 *
 *   classes   records of a class look alike
 *   records   a box for each record; the other values are those of some record in the box
 *   buckets   records as they are, their sensitive values in a second table, per bucket
 *
 * What is handed out is a table, of buckets two. Its rows are in an order that tells nothing of
 * that of the input. It was verified column by column before anybody got it. Everything else
 * here (which record is in which class, how likely a person is found) is for whoever made the
 * release: it must not be handed out with it.
 *
 * Releases never change; any number of threads may read one. They hold what they need of the
 * tables they were made from.
 */
#ifndef SHOAL_RELEASE_H
#define SHOAL_RELEASE_H

#include "arrow.h"
#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct shoal_release shoal_release;

typedef enum shoal_shape {
    SHOAL_SHAPE_CLASSES,
    SHOAL_SHAPE_RECORDS,
    SHOAL_SHAPE_BUCKETS
} shoal_shape;

/* "classes", "records", "buckets". */
SHOAL_API const char *shoal_shape_name(shoal_shape shape);

/* A release from tables that anybody made: the rows as their readers get them, with every quasi
 * column as NAME or as the pair NAME_min and NAME_max; of buckets also the table of sensitive
 * values (bucket, column, value, count), else NULL. For verify, measure, risk, refine and
 * queries, which find out by themselves whether it fits. It has no classes: functions below
 * that are about classes and records answer 0, -1, NaN or NULL. */
SHOAL_API shoal_status shoal_release_from_tables(shoal_ctx *ctx, shoal_release **out,
                                                 const shoal_table *rows,
                                                 const shoal_table *sensitive);

SHOAL_API void shoal_release_free(shoal_release *release);

SHOAL_API shoal_shape shoal_release_shape(const shoal_release *release);

/* --- What is handed out. ---------------------------------------------------------------- */

/* The rows: generalized columns as text, or as numbers when their ends, means or medians were
 * asked for; columns released as they are with the values and types they came with.
 * Borrowed. */
SHOAL_API const shoal_table *shoal_release_table(const shoal_release *release);

/* Of buckets, their sensitive values: bucket, column, value, count. NULL for other shapes.
 * Borrowed. */
SHOAL_API const shoal_table *shoal_release_sensitive(const shoal_release *release);

/* Both as Arrow streams (arrow.h), which may outlive the release. SHOAL_EINVAL: there is no
 * such table. */
SHOAL_API shoal_status shoal_release_export(shoal_ctx *ctx, struct ArrowArrayStream *out,
                                            const shoal_release *release);
SHOAL_API shoal_status shoal_release_export_sensitive(shoal_ctx *ctx,
                                                      struct ArrowArrayStream *out,
                                                      const shoal_release *release);

/* Write the rows as CSV, and for buckets the sensitive values to sensitive_path, which is NULL
 * for other shapes; whole or not at all. The file is read back and compared with the release,
 * value by value, before it gets its name. SHOAL_EINVAL: a delimiter that cannot be one, a path
 * too many or too few; SHOAL_EREJECTED: the file does not read back as the release;
 * SHOAL_ENOTFOUND, SHOAL_EIO. */
SHOAL_API shoal_status shoal_release_write(shoal_ctx *ctx, const shoal_release *release,
                                           const char *path, const char *sensitive_path,
                                           char delimiter);

/* --- For whoever made it. --------------------------------------------------------------- */

/* How many rows; how many records the original had, those left out because a value was missing
 * included. */
SHOAL_API size_t shoal_release_row_count(const shoal_release *release);
SHOAL_API size_t shoal_release_record_count(const shoal_release *release);

/* The record of the original, from 0, that a row stands for. */
SHOAL_API int64_t shoal_release_record(const shoal_release *release, size_t row);

/* How many classes (of the shape records: different boxes; of buckets: buckets), and how many
 * records one has. */
SHOAL_API size_t shoal_release_class_count(const shoal_release *release);
SHOAL_API size_t shoal_release_class_size(const shoal_release *release, size_t class_number);

/* The class of a record of the original, from 0; -1 when the record was left out. */
SHOAL_API int64_t shoal_release_class_of(const shoal_release *release, size_t record);

/* How likely somebody who knows a record's quasi-identifier picks it out (prosecutor): 1 over
 * the records that look alike or, of the shape records, that fit into the box published for it.
 * 0 when the record was left out. */
SHOAL_API double shoal_release_risk(const shoal_release *release, size_t record);

/* The quasi columns, and what a class shows of them: as text (NULL where two columns, NAME_min
 * and NAME_max, show it, and for buckets) and, for numbers and dates without hierarchy, as the
 * least and the greatest value (dates as days since 1970-01-01; false for others, and where
 * nothing is told because missing values are among them). Borrowed. */
SHOAL_API size_t shoal_release_quasi_count(const shoal_release *release);
SHOAL_API const char *shoal_release_quasi_name(const shoal_release *release, size_t quasi);
SHOAL_API const char *shoal_release_text(const shoal_release *release, size_t class_number,
                                         size_t quasi);
SHOAL_API bool shoal_release_interval(const shoal_release *release, size_t class_number,
                                      size_t quasi, double *least, double *greatest);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_RELEASE_H */

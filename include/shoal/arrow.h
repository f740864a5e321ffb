/* arrow.h -- tables from and to other programs, by the Arrow C stream interface.
 *
 * Arrow's C interface is three structs that every producer and consumer of tables declares for
 * itself: a schema says what the columns are, an array holds some of the records, a stream
 * hands out one schema and any number of arrays. pyarrow, pandas, polars, DuckDB and Spark
 * speak it, so a table goes from them to Shoal and back without a file and without a library
 * between:
 *
 *     struct ArrowArrayStream stream;                  filled by the other program
 *
 *     shoal_table_import(ctx, &table, &stream);        read to its end and released
 *     ...
 *     shoal_table_export(ctx, &stream, table);         handed to the other program, which
 *     shoal_table_free(table);                         releases it when it has read enough
 *
 * The structs are those of the published interface, https://arrow.apache.org/docs/format/
 * CDataInterface.html and CStreamInterface.html, with its guards: including another copy of
 * them, before or after, does no harm.
 *
 * What the columns become, by their Arrow type, and what they are given back as:
 *
 *   in                                        column     remarks
 *   int8 .. int64, uint8 .. uint64            integer    text of the exact digits where a value
 *                                                        is beyond 2^53 in magnitude
 *   float, double                             real       NaN is missing; infinity is refused; a
 *                                                        float is the shortest text that reads
 *                                                        back as the same float
 *   decimal (32, 64, 128, 256 bits)           real       with all digits of its scale; integer
 *                                                        where the scale is not above 0; text
 *                                                        where a value has more than 15 digits
 *                                                        that count (of integers: beyond 2^53)
 *   bool                                      string     "false", "true"
 *   utf8, large utf8, utf8 view               string     as it is
 *   date32                                    date       years 1 to 9999
 *   date64, timestamp of any unit             date       where every value is midnight; else
 *                                             string     2024-05-01T12:30:00, with 3, 6 or 9
 *                                                        digits of a second where one needs
 *                                                        them; those with a time zone count in
 *                                                        UTC and end in Z
 *   dictionary of any of these, any index     as its     entries that no record has are no
 *                                             values     values; the order of the entries is
 *                                                        not kept
 *   null                                      string     all missing
 *
 * Anything else (lists, structs, maps, unions, run-end encoded, binary, half floats, times of
 * day, durations, intervals) is refused by the name of its column.
 *
 * A column remembers the type it came with and leaves with that type. A column from elsewhere
 * (a file, arrays, a release) leaves as int64, double, date32 or, when it is text, as a
 * dictionary of utf8 whose indices are the smallest of int8, int16 and int32 that hold them. So
 * does a column whose values no longer fit the type it came with. Missing becomes null.
 *
 * The result does not depend on how the records are cut into arrays, nor on threads.
 *
 * The interface has no lengths of buffers: that a buffer is as long as the length, offset and
 * offsets of its array say must be believed. Everything else is checked before it is used.
 */
#ifndef SHOAL_ARROW_H
#define SHOAL_ARROW_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/* The type of an array, and of its parts. Released by its own callback, which sets release to
 * NULL: a struct whose release is NULL is empty. */
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

/* Some records. */
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

/* Arrays of one schema, one after another. The callbacks return 0 or a code of errno.h;
 * get_next gives a released array at the end. */
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/* Build a table from all records of a stream, of which there may be none. The stream is called
 * from this thread only, and is released in any case, also when the call fails (unless it fails
 * for the lack of a context, or one that is in use). Each array is released as soon as its
 * values are coded.
 *
 *   SHOAL_EINVAL        no stream, or one that was released before
 *   SHOAL_EUNSUPPORTED  a column of a type that no column of a table can have (error.field)
 *   SHOAL_EFORMAT       not a stream of records; no columns; names that are missing, empty or
 *                       equal; arrays that contradict the schema or themselves; infinity, a
 *                       year outside 1 to 9999, invalid UTF-8 or a NUL byte in a text, an index
 *                       outside its dictionary (error.record, error.field)
 *   SHOAL_ELIMIT        more than 65,536 columns or 2^32 - 2 records
 *   SHOAL_EIO           the producer failed; its own words are part of the message only when
 *                       the context shows values, as they may quote some
 *   SHOAL_ENOMEM, SHOAL_ECANCELLED
 *
 * When several values are wrong, the first record is named, and its first column. */
SHOAL_API shoal_status shoal_table_import(shoal_ctx *ctx, shoal_table **out,
                                          struct ArrowArrayStream *stream);

/* Records of an exported array, unless asked otherwise. */
#define SHOAL_ARROW_BATCH 131072

/* A stream of all records of a table, in their order; columns that were skipped when the table
 * was read are left out. The values are prepared here, once for each distinct one; arrays are
 * made when they are asked for, and neither they nor the stream need the context. The table may
 * be freed at once: the stream, and every array it handed out, keep what they need of it until
 * they are released. The stream serves one thread at a time, which may be any; arrays may be
 * released by any thread.
 *
 * On failure (SHOAL_ENOMEM, SHOAL_ECANCELLED) *out is a released stream. */
SHOAL_API shoal_status shoal_table_export(shoal_ctx *ctx, struct ArrowArrayStream *out,
                                          const shoal_table *table);

/* The same in arrays of this many records, at least 1; the last one may be shorter. So may one
 * whose texts would exceed 2^31 bytes. */
SHOAL_API shoal_status shoal_table_export_batches(shoal_ctx *ctx, struct ArrowArrayStream *out,
                                                  const shoal_table *table, size_t batch_rows);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_ARROW_H */

/* table.h -- a table of records with dictionary-coded columns.
 *
 * Every column is a dictionary of its distinct values and one small code per record:
 *
 *     record   age   sex             age: dictionary 0 "24"  1 "30"      codes 1 0 1
 *        0      30    F              sex: dictionary 0 "F"   1 "M"       codes 0 1 1
 *        1      24    M
 *        2      30    M
 *
 * The dictionary is sorted: integers, reals and dates by value, strings by their bytes. So
 * the codes of a table do not depend on the order of its records or on the number
 * of threads that read it, and a range of values is a range of codes.
 * A missing value has the code value_count, one behind the last value.
 *
 * Tables never change after construction; any number of threads may read one.
 */
#ifndef SHOAL_TABLE_H
#define SHOAL_TABLE_H

#include "ctx.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct shoal_table shoal_table;

typedef enum shoal_type {
    SHOAL_TYPE_AUTO,    /* decide from the values; never the type of a finished column */
    SHOAL_TYPE_STRING,  /* text, compared byte by byte */
    SHOAL_TYPE_INTEGER, /* whole numbers up to 2^53 in magnitude */
    SHOAL_TYPE_REAL,    /* finite decimal numbers */
    SHOAL_TYPE_DATE     /* YYYY-MM-DD */
} shoal_type;

SHOAL_API const char *shoal_type_name(shoal_type type);
/* Whether name is a type, "auto", "string", ...; if so *out is it. */
SHOAL_API bool shoal_type_find(shoal_type *out, const char *name);

/* What a column is to the anonymizer. */
typedef enum shoal_role {
    SHOAL_ROLE_INSENSITIVE, /* released as it is, on purpose */
    SHOAL_ROLE_IDENTIFIER,  /* never released */
    SHOAL_ROLE_QUASI,       /* known to an attacker: generalized */
    SHOAL_ROLE_SENSITIVE,   /* what an attacker wants to learn; released as it is */
    SHOAL_ROLE_PERSON       /* whose record it is, where a person may have several: promises
                               count persons; never released */
} shoal_role;

SHOAL_API const char *shoal_role_name(shoal_role role);
/* Whether name is a role; if so *out is it. */
SHOAL_API bool shoal_role_find(shoal_role *out, const char *name);

SHOAL_API void shoal_table_free(shoal_table *table);

SHOAL_API size_t shoal_table_row_count(const shoal_table *table);
SHOAL_API size_t shoal_table_column_count(const shoal_table *table);

/* Where the table came from, such as a path; "" when built in memory. Borrowed. */
SHOAL_API const char *shoal_table_source(const shoal_table *table);

/* Line of the source on which a record starts (1-based; the header is line 1), 0 when not
 * known. */
SHOAL_API int64_t shoal_table_line(const shoal_table *table, size_t row);

/* The column of a name, or -1. */
SHOAL_API ptrdiff_t shoal_table_find(const shoal_table *table, const char *name);

/* Borrowed, NUL-terminated. */
SHOAL_API const char *shoal_table_name(const shoal_table *table, size_t column);
SHOAL_API shoal_type shoal_table_type(const shoal_table *table, size_t column);

/* Whether the column was skipped when reading: it has a name but no values. */
SHOAL_API bool shoal_table_is_skipped(const shoal_table *table, size_t column);

/* How many distinct values, missing not counted: codes run from 0 to this - 1. */
SHOAL_API size_t shoal_table_value_count(const shoal_table *table, size_t column);

/* How many records have no value in this column. */
SHOAL_API size_t shoal_table_missing_count(const shoal_table *table, size_t column);

/* The text of a code, as it was read; code value_count is the token that stood for missing, the
 * first in the list of tokens if several did, "" in a table from arrays. Borrowed,
 * NUL-terminated; length may be NULL. Where several texts had one number (7 and 7.0) it is the
 * shortest, and the first by bytes of these. */
SHOAL_API const char *shoal_table_text(const shoal_table *table, size_t column, uint32_t code,
                                       size_t *length);

/* The number of a code of an integer or real column, the day number (0 is 1970-01-01) of
 * a date. Not for strings, not for missing. */
SHOAL_API double shoal_table_number(const shoal_table *table, size_t column, uint32_t code);

/* The code of one record. */
SHOAL_API uint32_t shoal_table_code(const shoal_table *table, size_t column, size_t row);

/* Copy the codes of `count` records from `first` on into out. */
SHOAL_API void shoal_table_codes(const shoal_table *table, size_t column, size_t first,
                                 size_t count, uint32_t *out);

/* Code of a text in a column, or -1: exact text, or equal number in a numeric column. The
 * missing token gives value_count in a column that has missing values. O(log values). */
SHOAL_API int64_t shoal_table_find_code(const shoal_table *table, size_t column,
                                        const char *text, size_t length);

/* A new table of those records for which keep[row] is true; dictionaries keep only the values
 * that still occur. names, types and lines carry over. */
SHOAL_API shoal_status shoal_table_filter(shoal_ctx *ctx, shoal_table **out,
                                          const shoal_table *table, const bool *keep);

/* Arrays in memory, laid out as Apache Arrow lays them out; read during the call only. */
typedef enum shoal_array_kind {
    SHOAL_ARRAY_INT32,
    SHOAL_ARRAY_INT64,
    SHOAL_ARRAY_DOUBLE,
    SHOAL_ARRAY_DATE32,     /* int32 days since 1970-01-01 */
    SHOAL_ARRAY_UTF8,       /* data: bytes; offsets32: length + 1 offsets */
    SHOAL_ARRAY_LARGE_UTF8, /* data: bytes; offsets64 */
    SHOAL_ARRAY_DICTIONARY  /* data: int32 indices; dictionary: an array of another kind */
} shoal_array_kind;

typedef struct shoal_array {
    const char *name;
    shoal_array_kind kind;
    size_t length;
    const void *data;
    const int32_t *offsets32;
    const int64_t *offsets64;
    const uint8_t *validity; /* bit i set: element i has a value; NULL: all have */
    const struct shoal_array *dictionary;
} shoal_array;

/* Build a table from arrays of equal length, 0 allowed. Integers become integer columns,
 * doubles real, dates date, text string columns; of a dictionary array only the entries that
 * occur become values. SHOAL_EINVAL for no array, unequal lengths, missing parts, bad offsets
 * or indices, a dictionary in a dictionary, empty or duplicate names; SHOAL_EFORMAT (record,
 * field) for NaN, infinity, |integer| > 2^53, a date outside the years 1 to 9999, invalid UTF-8
 * or a NUL byte. */
SHOAL_API shoal_status shoal_table_from_arrays(shoal_ctx *ctx, shoal_table **out,
                                               const shoal_array *arrays, size_t count);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_TABLE_H */

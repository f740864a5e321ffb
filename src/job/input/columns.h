/* columns.h -- how the columns of a file are read for a run: its header held against the spec.
 */
#ifndef SHOAL_I_COLUMNS_H
#define SHOAL_I_COLUMNS_H

#include "../../spec/spec.h"
#include "../../table/same/same_values.h"
#include "given.h"

/* What a column is to the anonymizer. Nothing undecided is released: columns without a role are
 * as identifiers, unless the spec says that the rest is released. That of the records' own k is
 * not released unless it has a role. */
shoal_role shoal_i_column_role(const shoal_spec *spec, const char *name);

/* The type to read a quasi column by: the one given, or what its hierarchy works on. */
shoal_type shoal_i_column_type(const shoal_i_spec_column *column);

/* The payload of the functions below: what is read, and for whom. */
typedef struct shoal_i_reading {
    const shoal_spec *spec;
    shoal_i_given given;
    const char *column; /* when only one is wanted; else NULL */
    /* Of a release: its sensitive columns too; of an original that is only compared: these as
     * values, whether or not a requirement reads them. */
    bool with_sensitive;
    bool is_asked; /* for a query: beside the quasi columns those of `asked` alone, by the
                      types of their values */
    const char *const *asked;
    size_t asked_count;
    bool asks_all; /* of a release, for many queries: all that it shows, in place of `asked` */
    const char *bucket; /* the column that would make a release one by buckets; or NULL */
    bool has_bucket;    /* whether the header has it; then sensitive columns are elsewhere */
    /* Of an original: to read also those left out that are named like the number of a person,
     * to see whether it comes back (person_notice.h). */
    bool seeks_person;
} shoal_i_reading;

/* The options to read a file by: the spec's delimiter, encoding and tokens, and one of the
 * functions below. Valid as long as the reading. */
shoal_csv_options shoal_i_column_options(shoal_i_reading *reading,
                                         shoal_csv_configure_fn configure);

/* Which texts of a column are one value: equal numbers, unless it has the type string, and what
 * `same` says of it. The spec is borrowed. */
shoal_i_sameness shoal_i_column_sameness(const shoal_spec *spec, const char *name);

/* SHOAL_EINVAL: `same` is said of a column that nobody counts the values of. */
shoal_status shoal_i_column_check_same(shoal_ctx *ctx, const shoal_i_spec_column *column);

/* How the numbers and dates of a column of the original are written, by the spec. */
void shoal_i_column_set_format(shoal_csv_column *column, const shoal_spec *spec);

/* The options to read a release by. The spec's encoding, comments and lines to skip are those
 * of the original; a release is UTF-8, or tells by its byte order mark that it is UTF-16. */
shoal_csv_options shoal_i_release_options(shoal_i_reading *reading, char delimiter);

/* Give the columns of a table that was just read the names that they have in releases. */
shoal_status shoal_i_rename_columns(shoal_ctx *ctx, shoal_table *table, const shoal_spec *spec);

/* The original: quasi columns by their types and hierarchies, identifiers not at all, the
 * others as the texts they are. SHOAL_ENOTFOUND, every one logged: columns of the spec that the
 * header lacks. */
shoal_status shoal_i_configure_original(shoal_ctx *ctx, void *reading,
                                        shoal_csv_column *columns, size_t count);

/* A population: the quasi columns as those of the original, and the person if it has one, no
 * others. SHOAL_ENOTFOUND, every
 * one logged: quasi columns that the header lacks. */
shoal_status shoal_i_configure_population(shoal_ctx *ctx, void *reading,
                                          shoal_csv_column *columns, size_t count);

/* A release: the quasi columns as texts without missing values, the column of k if it is there,
 * the sensitive columns as those of the original if they are wanted, no others. */
shoal_status shoal_i_configure_release(shoal_ctx *ctx, void *reading, shoal_csv_column *columns,
                                       size_t count);

/* The sensitive columns of a release by buckets, as those of an original are read: no others
 * are there. */
shoal_status shoal_i_configure_dealt(shoal_ctx *ctx, void *reading, shoal_csv_column *columns,
                                     size_t count);

/* The k of each record from an integer column of the table. SHOAL_EFORMAT: one below 1 or
 * missing. */
shoal_status shoal_i_column_record_k(shoal_ctx *ctx, uint32_t **out, const shoal_table *table,
                                     const char *name);

/* The k that a value of an integer column asks for; 0: the value is missing or below 1. */
uint32_t shoal_i_column_k(const shoal_table *table, size_t column, uint32_t code);

/* SHOAL_EFORMAT: this record has no k of its own in this column. */
shoal_status shoal_i_column_fail_k(shoal_ctx *ctx, const shoal_table *table, size_t row,
                                   size_t column);

#endif /* SHOAL_I_COLUMNS_H */

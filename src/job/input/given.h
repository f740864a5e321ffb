/* given.h -- what a run is given to read: a file, or a table in memory.
 *
 * Every run works on tables. Where it is given a file, the file is read by the options of the
 * run (which columns, types, missing values); a table in memory is taken by the same options
 * (table_configure.h). Behind this point nobody knows the difference.
 */
#ifndef SHOAL_I_GIVEN_H
#define SHOAL_I_GIVEN_H

#include <shoal/csv.h>

typedef struct shoal_i_given {
    const char *path;         /* a file, "-": standard input; NULL: it is a table */
    const shoal_table *table; /* in memory; NULL: it is a file, or nothing at all */
} shoal_i_given;

static inline shoal_i_given shoal_i_given_file(const char *path)
{
    return (shoal_i_given){.path = path};
}

static inline shoal_i_given shoal_i_given_table(const shoal_table *table)
{
    return (shoal_i_given){.table = table};
}

/* Whether there is anything. */
static inline bool shoal_i_is_given(const shoal_i_given *given)
{
    return given->path || given->table;
}

/* Its name in messages: "standard input", the path, or where the table came from; "" for a
 * table that was built in memory. */
const char *shoal_i_given_name(const shoal_i_given *given);

/* Read it. What comes of a table in memory holds it (table_hold.h). */
shoal_status shoal_i_given_read(shoal_ctx *ctx, shoal_table **out, const shoal_i_given *given,
                                const shoal_csv_options *options);

/* A release that somebody gives: its rows and, of one by buckets, its sensitive values. */
typedef struct shoal_i_given_release {
    shoal_i_given rows;
    const shoal_table *sensitive; /* beside rows in memory; NULL: none. That of a file is found
                                     by its name */
} shoal_i_given_release;

#endif /* SHOAL_I_GIVEN_H */

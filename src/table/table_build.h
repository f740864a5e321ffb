/* table_build.h -- the inside of a table, for the files of this folder that build one.
 *
 * Columns are filled in place and the table is handed out when it is complete; nobody changes
 * it afterwards. A column's texts lie back to back in code order, the missing token last:
 *
 *     starts   0      3      6    8          value_count + 2 entries
 *     texts    2 4 \0 3 0 \0 ? \0            text of code c: texts + starts[c]
 */
#ifndef SHOAL_I_TABLE_BUILD_H
#define SHOAL_I_TABLE_BUILD_H

#include "../base/context.h"
#include "../base/fail.h"
#include "table_codes.h"

typedef struct shoal_i_column {
    char *name;
    shoal_type type;
    bool skipped;
    bool owns_name; /* of a part: it was renamed */
    bool is_part;   /* name, texts, starts, numbers and origin are another table's */
    unsigned width; /* bytes of a code */
    uint32_t value_count;
    size_t missing_count;
    void *codes;     /* row_count of them */
    char *texts;     /* NUL behind each */
    size_t *starts;  /* of each text; the last entry is the size of texts */
    double *numbers; /* of each value; NULL in a string column */
    char *origin;    /* the Arrow type it came with, as table_origin.h has it; NULL: none */
} shoal_i_column;

/* From this row on, up to that of the next entry, a record's line is row + lines. */
typedef struct shoal_i_line_shift {
    size_t row;
    int64_t lines;
} shoal_i_line_shift;

struct shoal_table {
    uint32_t references; /* atomic; table_hold.h */
    size_t row_count;
    size_t column_count;
    shoal_i_column *columns;
    char *source;
    shoal_i_line_shift *shifts; /* ascending, from row 0 on; none when lines are not known */
    size_t shift_count;
    const shoal_table *whole; /* of a part: the table it borrows from, held */

    /* Names of columns, where there are many: column + 1, 0 when free. */
    shoal_i_hash_key hash_key;
    uint32_t *name_slots; /* NULL: there are few */
    size_t name_slot_count;
};

/* A table without rows, with column_count columns that have no name yet. */
shoal_status shoal_i_table_new(shoal_ctx *ctx, shoal_table **out, const char *source,
                               size_t column_count);

/* Let names be found without going through all of them, once all columns have theirs; to be
 * called again when columns are added. A table without this is slow where it has many. */
shoal_status shoal_i_table_index_names(shoal_ctx *ctx, shoal_table *table);

/* The name a column has, given once; the table keeps a copy. */
shoal_status shoal_i_table_set_name(shoal_ctx *ctx, shoal_table *table, size_t column,
                                    const char *name, size_t length);

/* Give a column of a table that nobody else holds another name; the table keeps a copy. */
shoal_status shoal_i_table_rename(shoal_ctx *ctx, shoal_table *table, size_t column,
                                  const char *name);

/* Allocate the codes of a column whose values are known: width and row_count are settled here.
 */
shoal_status shoal_i_column_alloc_codes(shoal_ctx *ctx, shoal_i_column *column,
                                        size_t row_count);

/* Set missing_count from the finished codes. */
void shoal_i_column_count_missing(shoal_i_column *column, size_t row_count);

/* SHOAL_EINVAL or SHOAL_EFORMAT, as asked, for an empty name or one that two columns have;
 * error.field is the column at fault. */
shoal_status shoal_i_table_check_names(shoal_ctx *ctx, const shoal_table *table,
                                       shoal_status status);

#endif /* SHOAL_I_TABLE_BUILD_H */

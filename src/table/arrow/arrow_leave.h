/* arrow_leave.h -- one column of a table on its way to an Arrow stream.
 *
 * What an element of the array looks like is worked out once for each distinct value; the
 * arrays are then gathered by the codes of their records:
 *
 *     codes      1 0 2 1            code 2 is missing, and becomes 0
 *     elements   24 30 0   ->   array   30 24 0 30     validity 1 1 0 1
 *
 * Of a dictionary the elements are the indices themselves, and the values are an array that all
 * arrays of the column share. Where indices are as wide as codes and nothing is missing, the
 * codes of the table are the array.
 */
#ifndef SHOAL_I_ARROW_LEAVE_H
#define SHOAL_I_ARROW_LEAVE_H

#include "../table_build.h"
#include "arrow_type.h"

#define SHOAL_I_ARROW_BUFFERS_MAX 4

typedef struct shoal_i_leaving {
    shoal_i_column column;   /* as the table has it: its memory is borrowed */
    char *format;            /* of the array */
    char *values_format;     /* of the dictionary; NULL: none */
    shoal_i_arrow_type type; /* of the array: integers where there is a dictionary */

    void *elements;        /* of each code, type.width bytes; of BOOL one byte */
    int64_t texts_size[1]; /* VIEW: of the one buffer, the texts of the column */

    /* The dictionary. */
    const void *value_buffers[SHOAL_I_ARROW_BUFFERS_MAX];
    int64_t value_buffer_count;
    void *owned[2]; /* those of its buffers that are not the column's */
} shoal_i_leaving;

/* Find the type that a column leaves with and prepare its elements. The memory that the column
 * points to is borrowed. */
shoal_status shoal_i_leaving_open(shoal_ctx *ctx, shoal_i_leaving *leaving,
                                  const shoal_i_column *column);
void shoal_i_leaving_clear(shoal_i_leaving *leaving);

/* How many records from `first` on, at most count, fit in one array. */
size_t shoal_i_leaving_fit(const shoal_i_leaving *leaving, size_t first, size_t count);

/* The buffers of an array of records first..first + count - 1. Those in `owned` are the
 * caller's to free, also after a failure; the others belong to the column. */
typedef struct shoal_i_leaving_array {
    const void *buffers[SHOAL_I_ARROW_BUFFERS_MAX];
    int64_t buffer_count;
    int64_t null_count;
    void *owned[3];
} shoal_i_leaving_array;

shoal_status shoal_i_leaving_gather(shoal_ctx *ctx, shoal_i_leaving_array *out,
                                    const shoal_i_leaving *leaving, size_t first, size_t count);

#endif /* SHOAL_I_ARROW_LEAVE_H */

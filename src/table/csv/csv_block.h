/* csv_block.h -- from the text of a block of records to codes, on one worker thread.
 *
 * Each worker codes what it gets with dictionaries of its own, one per column, and a run keeps
 * the codes of one block with the number of its worker. They are indices in order of arrival
 * (dictionary.h), which csv_finish.c turns into final codes when everything is read.
 *
 * Rows of the same text as the row before, the rule in a release that is sorted by its classes,
 * are not looked up again.
 *
 * A block is coded column by column, not record by record: the column's dictionary then lies in
 * the nearest cache, and the processor learns what its values look like.
 */
#ifndef SHOAL_I_CSV_BLOCK_H
#define SHOAL_I_CSV_BLOCK_H

#include "csv_fields.h"
#include "../dictionary.h"

#include <shoal/csv.h>

/* Plain rows that are looked up: field c of row r lies between two neighbouring ends, those at
 * r * stride + c. */
typedef struct shoal_i_csv_rows {
    const char *bytes;
    const uint32_t *ends;
    size_t stride;
    size_t count;
} shoal_i_csv_rows;

/* Rows that are not the same text as the one before, each with the end before its first field.
 */
typedef struct shoal_i_csv_repeats {
    uint32_t *ends;
    size_t end_capacity;
    size_t count;
    uint32_t *row_of; /* of each row of the block: which of them it is, or is the same as */
    size_t row_capacity;
} shoal_i_csv_repeats;

typedef struct shoal_i_csv_worker {
    shoal_i_csv_fields fields;
    shoal_i_csv_rows rows; /* of the fields, all of them or those that repeat nothing */
    bool has_repeats;
    shoal_i_csv_repeats repeats;
    shoal_i_dictionary *dictionaries; /* one per column; NULL until the worker is used */
    uint32_t *codes;                  /* of the column at work */
    size_t code_capacity;
    shoal_i_text *column; /* its fields, where they are not found by their ends */
    size_t column_capacity;
    unsigned char *packed; /* the run as it grows */
    size_t packed_size;
    size_t packed_capacity;
} shoal_i_csv_worker;

typedef struct shoal_i_csv_run {
    size_t row_count;
    size_t first_row;  /* of the table */
    size_t line_count; /* of the text */
    size_t worker;
    shoal_status status;
    uint8_t *widths;      /* of each column's codes, 0 when skipped; starts the block of */
    unsigned char *codes; /* column after column, each from a multiple of 4 bytes on */
    size_t size;          /* of the block */
    uint64_t place;       /* of the block in the spool, when it is not in memory */
    shoal_i_line_shift *shifts; /* by row of the run: further lines from there on */
    size_t shift_count;
} shoal_i_csv_run;

void shoal_i_csv_worker_clear(shoal_i_csv_worker *worker, size_t column_count);
void shoal_i_csv_run_clear(shoal_i_csv_run *run);

/* Bytes that a column of a run takes. */
static inline size_t shoal_i_csv_run_size(const shoal_i_csv_run *run, size_t column)
{
    return (run->row_count * run->widths[column] + 3) / 4 * 4;
}

/* Code a block of whole records. Failures as those of shoal_i_csv_fields_find. */
shoal_status shoal_i_csv_block_code(shoal_ctx *ctx, shoal_i_csv_run *run,
                                    shoal_i_csv_worker *worker, const shoal_csv_column *columns,
                                    const char *bytes, size_t size);

#endif /* SHOAL_I_CSV_BLOCK_H */

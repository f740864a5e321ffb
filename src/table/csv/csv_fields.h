/* csv_fields.h -- the fields of a run of whole records, and what is wrong with them.
 *
 * From the masks of csv_scan.h come the places where fields end. In the plain case, which is
 * nearly always, that is all: no quotes, no blank lines, every record as wide as the header;
 * field c of record r lies between two neighbouring ends, and nobody looks at its bytes before
 * they are coded:
 *
 *     bytes   a , 1 3 , x \n b , 2 , y \n        3 columns
 *     ends  -1  1   4    6    8  10   12         field (r, c) ends at ends[1 + 3 r + c]
 *
 * In all other cases the records are walked through one by one: quotes are checked and removed,
 * blank lines dropped, lines counted, and each field is listed with its text. The first thing
 * wrong, in the order of the text, is reported, so what is reported does not depend on where
 * the text was cut.
 */
#ifndef SHOAL_I_CSV_FIELDS_H
#define SHOAL_I_CSV_FIELDS_H

#include "../../base/arena.h"
#include "csv_scan.h"
#include "../dictionary.h"
#include "../table_build.h"

/* Bytes behind a text that may be read by those who look it up. */
#define SHOAL_I_CSV_PADDING SHOAL_I_DICTIONARY_SHORT_MAX

typedef struct shoal_i_csv_fields {
    /* Settings. */
    const shoal_i_csv_scanner *scanner;
    char delimiter;
    size_t column_count; /* that every record must have; 0: any, and blank lines count */

    /* What was found last. */
    const char *bytes;
    size_t size;
    size_t record_count;
    size_t line_count; /* of the text, those inside quotes included */
    bool is_plain;
    bool has_cr;        /* plain: some record ends in CR LF */
    uint32_t *ends;     /* plain: of each field; entry 0 stands for the byte before the text */
    shoal_i_text *list; /* not plain: record after record, without quotes */
    size_t list_count;
    shoal_i_line_shift *shifts; /* lines on top of one per record, from this record on */
    size_t shift_count;

    /* Memory, kept from one run of records to the next. */
    shoal_i_csv_masks *masks;
    size_t mask_capacity;
    size_t end_count;
    size_t end_capacity;
    size_t list_capacity;
    size_t shift_capacity;
    shoal_i_arena unescaped;
} shoal_i_csv_fields;

/* Starts as {0} with the settings filled in. */
void shoal_i_csv_fields_clear(shoal_i_csv_fields *fields);

/* Find the fields of whole records: the last byte is a newline outside quotes, size is below
 * 2^32 - 1, and SHOAL_I_CSV_PADDING bytes behind may be read. SHOAL_EFORMAT and SHOAL_ELIMIT as
 * in csv.h; error.record counts from the first record here, error.line from the first line
 * here. */
shoal_status shoal_i_csv_fields_find(shoal_ctx *ctx, shoal_i_csv_fields *fields,
                                     const char *bytes, size_t size);

/* Check a record of which only the beginning is there, all of it without a newline outside
 * quotes. At the end of the input that is always a failure: a quote was never closed. Before,
 * it is one when a field is already too long or what is there is wrong in itself. */
shoal_status shoal_i_csv_fields_check_open(shoal_ctx *ctx, shoal_i_csv_fields *fields,
                                           const char *bytes, size_t size, bool is_end);

#endif /* SHOAL_I_CSV_FIELDS_H */

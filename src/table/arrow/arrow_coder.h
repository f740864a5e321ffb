/* arrow_coder.h -- one column of an Arrow stream on its way to a column of a table.
 *
 * Arrays come one after another; each record's value becomes the index of that value in order
 * of arrival, 0 when it is missing. What is looked up is a number of 64 bits where the type
 * allows, else the text. Of a dictionary, each entry is looked up once per array, when a record
 * first has it:
 *
 *     entries   "F" "M" "?"            values (of all arrays)   1 "M"   2 "F"
 *     indices    1   0   1     ->      indices                  1  2  1
 *
 * When all arrays have come, the values are sorted and the indices become codes.
 *
 * A coder belongs to one thread at a time. A value that cannot be is no failure of a call but a
 * fault that the coder remembers, with its record: of all columns, the first record counts, so
 * that what is reported depends neither on threads nor on the arrays.
 */
#ifndef SHOAL_I_ARROW_CODER_H
#define SHOAL_I_ARROW_CODER_H

#include "../column_build.h"
#include "arrow_view.h"

/* What is wrong with a value. */
typedef enum shoal_i_arrow_fault {
    SHOAL_I_ARROW_FINE,
    SHOAL_I_ARROW_INFINITE,
    SHOAL_I_ARROW_YEAR,
    SHOAL_I_ARROW_UTF8,
    SHOAL_I_ARROW_PLACE, /* a text outside its buffer */
    SHOAL_I_ARROW_INDEX  /* outside the dictionary */
} shoal_i_arrow_fault;

typedef struct shoal_i_arrow_coder {
    shoal_i_arrow_type type; /* of the values */
    bool has_entries;        /* a dictionary; index_type is that of its indices */
    shoal_i_arrow_type index_type;

    shoal_i_dictionary values; /* numbers, or texts */
    uint32_t *window;          /* indices of the numbers from window_first on, 0: not known */
    int64_t window_first;
    size_t window_count;
    bool is_beyond; /* a number that a double could not keep */
    bool has_time;  /* an instant that is not midnight */
    int digits;     /* of a second that instants need */

    void *indices; /* of each record so far, width bytes each */
    unsigned width;
    size_t count;
    size_t capacity;

    uint32_t *entries; /* of the dictionary at hand: 1 + index, 0 while not known */
    size_t entry_capacity;
    uint32_t *touched; /* entries that are known, to be forgotten with the dictionary */
    size_t touched_count;
    size_t touched_capacity;

    struct shoal_i_decimal_slot *decimals; /* decimals that occurred lately */

    shoal_i_arrow_fault fault;
    size_t fault_row;
} shoal_i_arrow_coder;

void shoal_i_arrow_coder_clear(shoal_i_arrow_coder *coder);

/* What a fault is, as a clause behind "Column x". */
const char *shoal_i_arrow_fault_text(shoal_i_arrow_fault fault);

/* Some records: elements first..first + count - 1 of an array, without those that are missing
 * in `records`, the validity of the records from element 0 on, unless that is NULL. entries
 * belongs to a coder that has_entries. */
typedef struct shoal_i_arrow_piece {
    const shoal_i_arrow_view *view;
    const shoal_i_arrow_view *entries;
    bool is_same_dictionary; /* entries are those of the piece before */
    size_t first;
    size_t count;
    const uint8_t *records;
    size_t records_offset;
} shoal_i_arrow_piece;

/* Add the records of a piece, up to a fault if there is one. */
shoal_status shoal_i_arrow_code(shoal_ctx *ctx, shoal_i_arrow_coder *coder,
                                const shoal_i_arrow_piece *piece);

/* Fill a column from all that was added, its name and origin excepted. The indices are released
 * on the way. */
shoal_status shoal_i_arrow_finish(shoal_ctx *ctx, shoal_i_arrow_coder *coder,
                                  shoal_i_column *column);

#endif /* SHOAL_I_ARROW_CODER_H */

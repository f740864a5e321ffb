/* table_codes.h -- a column's codes as they lie in memory, for passes over all records.
 *
 * Codes are stored in the smallest of 1, 2 and 4 bytes that holds the column's largest code,
 * the missing one included. shoal_table_code asks for one code; loops over many take the array:
 *
 *     shoal_i_codes codes = shoal_i_table_codes(table, column);
 *     for (size_t row = 0; row < rows; row++) {
 *         counts[shoal_i_codes_get(codes, row)]++;
 *     }
 *
 * A hot loop switches on codes.width once, outside. The array starts at a multiple of 64 bytes
 * and 64 bytes behind its end may be read.
 */
#ifndef SHOAL_I_TABLE_CODES_H
#define SHOAL_I_TABLE_CODES_H

#include <shoal/table.h>

typedef struct shoal_i_codes {
    const void *data; /* borrowed from the table; NULL when the column was skipped */
    unsigned width;   /* bytes of a code: 1, 2 or 4 */
} shoal_i_codes;

shoal_i_codes shoal_i_table_codes(const shoal_table *table, size_t column);

static inline uint32_t shoal_i_codes_get(shoal_i_codes codes, size_t row)
{
    switch (codes.width) {
    case 1:
        return ((const uint8_t *)codes.data)[row];
    case 2:
        return ((const uint16_t *)codes.data)[row];
    default:
        return ((const uint32_t *)codes.data)[row];
    }
}

/* Bytes that a code needs when none is larger than this one. */
static inline unsigned shoal_i_codes_width(uint32_t largest)
{
    return largest <= UINT8_MAX ? 1 : largest <= UINT16_MAX ? 2 : 4;
}

/* out[i] = code first + i, for count codes. */
void shoal_i_codes_widen(uint32_t *out, shoal_i_codes codes, size_t first, size_t count);

/* How many of the first count codes are this one. */
size_t shoal_i_codes_count(shoal_i_codes codes, size_t count, uint32_t code);

/* Store count codes, each of which fits in width bytes, from place first on. */
void shoal_i_codes_narrow(void *out, unsigned width, size_t first, const uint32_t *codes,
                          size_t count);

/* Store count codes, each of which fits in width bytes: that of place i is the code of record
 * rows[i], looked up in code_of. rows NULL: record i; code_of NULL: as it is. */
void shoal_i_codes_map(void *out, unsigned width, shoal_i_codes codes, const uint32_t *rows,
                       const uint32_t *code_of, size_t count);

#endif /* SHOAL_I_TABLE_CODES_H */

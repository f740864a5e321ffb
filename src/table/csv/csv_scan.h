/* csv_scan.h -- where the bytes that structure a CSV text lie, 64 bytes at a time.
 *
 * Each 64 bytes become three words of 64 bits, a bit per byte:
 *
 *     bytes        3 9 , S t a t e , " a , b " \n
 *     delimiters   . . 1 . . . . . 1 . . 1 . . .
 *     quotes       . . . . . . . . . 1 . . . 1 .
 *     newlines     . . . . . . . . . . . . . . 1
 *
 * A second step decides on whole words what lies inside quotes and lists where fields end. This
 * is the idea of G. Langdale and D. Lemire, "Parsing gigabytes of JSON per second", VLDB
 * Journal 2019, doi:10.1007/s00778-019-00578-5.
 *
 * Both steps exist in portable C and for newer processors, of which the best is chosen at run
 * time.
 */
#ifndef SHOAL_I_CSV_SCAN_H
#define SHOAL_I_CSV_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHOAL_I_CSV_WORD 64 /* bytes that one mask covers */

typedef struct shoal_i_csv_masks {
    uint64_t delimiters;
    uint64_t newlines;
    uint64_t quotes;
} shoal_i_csv_masks;

/* Bytes that need a second look, anywhere in what was scanned. */
typedef struct shoal_i_csv_marks {
    bool has_nul;
    bool has_high; /* 0x80 and above: not ASCII */
} shoal_i_csv_marks;

/* How far the listing of ends has come; starts as {0}. */
typedef struct shoal_i_csv_state {
    uint64_t inside;     /* all ones when the next word starts inside quotes */
    uint64_t quotes;     /* not 0 when there was a quote */
    size_t record_count; /* newlines outside quotes */
    size_t line_count;   /* newlines */
} shoal_i_csv_state;

/* One way to scan. */
typedef struct shoal_i_csv_scanner {
    /* Classify count * 64 bytes. */
    shoal_i_csv_marks (*classify)(shoal_i_csv_masks *out, const char *bytes, size_t count,
                                  char delimiter);
    /* List the places of delimiters and newlines outside quotes, the first byte of the masks
     * being `first`; returns how many. out has room for SHOAL_I_CSV_ENDS(count) of them. */
    size_t (*list)(uint32_t *out, const shoal_i_csv_masks *masks, size_t count, uint32_t first,
                   shoal_i_csv_state *state);
} shoal_i_csv_scanner;

/* Room for what `count` masks can hold, and for a group written beyond it. */
#define SHOAL_I_CSV_ENDS(count) (((count) + 1) * SHOAL_I_CSV_WORD)

typedef enum shoal_i_csv_kind {
    SHOAL_I_CSV_BEST,
    SHOAL_I_CSV_PORTABLE,
    SHOAL_I_CSV_SSE2,
    SHOAL_I_CSV_AVX2
} shoal_i_csv_kind;

/* The scanner of a kind; NULL when this processor lacks it. */
const shoal_i_csv_scanner *shoal_i_csv_scanner_find(shoal_i_csv_kind kind);

/* How many masks cover size bytes. */
static inline size_t shoal_i_csv_mask_count(size_t size)
{
    return size / SHOAL_I_CSV_WORD + (size % SHOAL_I_CSV_WORD != 0);
}

/* Classify size bytes, any number; no byte behind them is read, bits behind the end are 0. */
shoal_i_csv_marks shoal_i_csv_scan(shoal_i_csv_masks *out, const char *bytes, size_t size,
                                   char delimiter, const shoal_i_csv_scanner *scanner);

/* Whether the number of quotes is odd. */
bool shoal_i_csv_has_odd_quotes(const char *bytes, size_t size);

/* Bit i of the result: whether the number of bits set up to and including i is odd. */
static inline uint64_t shoal_i_csv_prefix_xor(uint64_t bits)
{
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    return bits ^ bits << 32;
}

#endif /* SHOAL_I_CSV_SCAN_H */

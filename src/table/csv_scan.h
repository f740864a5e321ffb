/* csv_scan.h -- where the bytes that structure a CSV text lie, 64 bytes at a time.
 *
 * Each 64 bytes become three words of 64 bits, a bit per byte:
 *
 *     bytes        3 9 , S t a t e , " a , b " \n
 *     delimiters   . . 1 . . . . . 1 . . 1 . . .
 *     quotes       . . . . . . . . . 1 . . . 1 .
 *     newlines     . . . . . . . . . . . . . . 1
 *
 * What lies inside quotes is decided afterwards on whole words (csv_fields.c). This is the idea
 * of G. Langdale and D. Lemire, "Parsing gigabytes of JSON per second", VLDB Journal 2019,
 * doi:10.1007/s00778-019-00578-5.
 *
 * The same classification exists for AVX2, for SSE2 and in portable C; the best one that the
 * processor has is chosen at run time.
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

typedef enum shoal_i_csv_kind {
    SHOAL_I_CSV_BEST,
    SHOAL_I_CSV_PORTABLE,
    SHOAL_I_CSV_SSE2,
    SHOAL_I_CSV_AVX2
} shoal_i_csv_kind;

/* Classify count * 64 bytes. */
typedef shoal_i_csv_marks (*shoal_i_csv_classify_fn)(shoal_i_csv_masks *out, const char *bytes,
                                                     size_t count, char delimiter);

/* The classification of a kind; NULL when this processor lacks it. */
shoal_i_csv_classify_fn shoal_i_csv_classifier(shoal_i_csv_kind kind);

/* How many masks cover size bytes. */
static inline size_t shoal_i_csv_mask_count(size_t size)
{
    return size / SHOAL_I_CSV_WORD + (size % SHOAL_I_CSV_WORD != 0);
}

/* Classify size bytes, any number; no byte behind them is read, bits behind the end are 0. */
shoal_i_csv_marks shoal_i_csv_scan(shoal_i_csv_masks *out, const char *bytes, size_t size,
                                   char delimiter, shoal_i_csv_classify_fn classify);

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

/* decode.h -- from other encodings to UTF-8, a run of bytes at a time.
 *
 * The two encodings of one byte differ in 32 places: from 0x80 to 0x9F Windows-1252 has
 * typographic signs, and five bytes that mean nothing; Latin-1 has control characters, which no
 * table holds on purpose. Both are told as mistakes rather than carried along, since they show
 * that the file is of another encoding.
 */
#ifndef SHOAL_I_DECODE_H
#define SHOAL_I_DECODE_H

#include <shoal/csv.h>

/* UTF-8 bytes that a byte of input may become at most. */
#define SHOAL_I_DECODE_GROWTH 3

typedef struct shoal_i_decoded {
    size_t taken; /* bytes of input */
    size_t given; /* bytes of UTF-8 */
    /* What is wrong with the bytes at `taken`, a sentence; NULL: nothing. Of UTF-16 there may
     * be up to 3 bytes left that only the next ones complete. */
    const char *mistake;
} shoal_i_decoded;

/* Decode size bytes; out has room for SHOAL_I_DECODE_GROWTH times as many. Not for AUTO, UTF-8
 * and UTF-16 without its order. is_last: no others follow, so nothing may be left. */
shoal_i_decoded shoal_i_decode(char *out, shoal_encoding encoding, const unsigned char *bytes,
                               size_t size, bool is_last);

#endif /* SHOAL_I_DECODE_H */

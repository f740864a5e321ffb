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

/* Whether text that is said to be of an encoding of one byte is UTF-8 after all, where each
 * letter beyond ASCII would become two or three: every byte of them belongs to a character of
 * UTF-8, which hardly happens otherwise. Starts as {0}. */
typedef struct shoal_i_utf8_guess {
    bool is_other;    /* no: nothing is looked at any more */
    unsigned missing; /* bytes that the last character lacks */
    size_t found;     /* characters beyond ASCII */
    size_t first;     /* bytes before the first of them */
    size_t seen;      /* bytes */
} shoal_i_utf8_guess;

/* Look at the next bytes. */
void shoal_i_utf8_guess_see(shoal_i_utf8_guess *guess, const unsigned char *bytes, size_t size);

/* What it comes to when all were seen. */
bool shoal_i_utf8_guess_is(const shoal_i_utf8_guess *guess);

#endif /* SHOAL_I_DECODE_H */

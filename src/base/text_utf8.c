#include "text.h"

#include <string.h>

/* How many of the leading bytes are ASCII, in whole blocks. */
static size_t skip_ascii(const char *text, size_t length)
{
    const uint64_t high_bits = 0x8080808080808080u;
    uint64_t block[4];
    size_t at = 0;

    for (; length - at >= sizeof block; at += sizeof block) {
        memcpy(block, text + at, sizeof block);
        if ((block[0] | block[1] | block[2] | block[3]) & high_bits) {
            break;
        }
    }
    return at;
}

/* Length of the well-formed character at text, 0 when there is none (Unicode 15, table 3-7: no
 * overlong forms, no surrogates, nothing above U+10FFFF). */
static size_t measure_char(const unsigned char *text, size_t length)
{
    unsigned char lead = text[0];
    size_t size = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;

    if (size == 1) {
        return 1;
    }
    if (size == 0 || lead > 0xF4 || size > length) {
        return 0;
    }
    unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;

    if (text[1] < least || text[1] > most) {
        return 0;
    }
    for (size_t i = 2; i < size; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return size;
}

bool shoal_i_text_is_utf8(size_t *at, const char *text, size_t length)
{
    size_t i = 0;

    while (i < length) {
        i += skip_ascii(text + i, length - i);
        /* A block holds something else, or the end is near: go on by the character for as long
         * as a block, then try again. */
        for (size_t end = length - i > 32 ? i + 32 : length; i < end;) {
            size_t size = measure_char((const unsigned char *)text + i, length - i);

            if (size == 0) {
                *at = i;
                return false;
            }
            i += size;
        }
    }
    return true;
}

#include "decode.h"

#include <assert.h>
#include <string.h>

#define HIGH_BITS 0x8080808080808080u

/* Of the bytes 0x80 to 0x9F in Windows-1252 (www.unicode.org/Public/MAPPINGS, CP1252.TXT); 0:
 * none. */
static const uint16_t windows_signs[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178,
};

/* A character as UTF-8; its length. */
static size_t put_char(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* Copy what is ASCII, eight bytes at once; what is left of a run goes byte by byte. */
static size_t copy_ascii(char *out, const unsigned char *bytes, size_t size)
{
    size_t at = 0;
    uint64_t word;

    for (; size - at >= sizeof word; at += sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        if (word & HIGH_BITS) {
            break;
        }
        memcpy(out + at, &word, sizeof word);
    }
    return at;
}

static shoal_i_decoded decode_bytes(char *out, const uint16_t *signs, const char *mistake,
                                    const unsigned char *bytes, size_t size)
{
    shoal_i_decoded d = {0};

    while (d.taken < size) {
        size_t plain = copy_ascii(out + d.given, bytes + d.taken, size - d.taken);

        d.taken += plain;
        d.given += plain;
        for (size_t end = size - d.taken > 8 ? d.taken + 8 : size; d.taken < end; d.taken++) {
            uint32_t c = bytes[d.taken];

            if (c >= 0x80 && c < 0xA0) {
                c = signs ? signs[c - 0x80] : 0;
                if (c == 0) {
                    d.mistake = mistake;
                    return d;
                }
            }
            d.given += put_char(out + d.given, c);
        }
    }
    return d;
}

static uint32_t take_unit(const unsigned char *bytes, bool is_big)
{
    return is_big ? (uint32_t)bytes[0] << 8 | bytes[1] : (uint32_t)bytes[1] << 8 | bytes[0];
}

/* The character at bytes; its length, 0: more bytes are needed, or it is a mistake. */
static size_t take_char(uint32_t *c, const char **mistake, const unsigned char *bytes,
                        size_t size, bool is_big)
{
    *c = size >= 2 ? take_unit(bytes, is_big) : 0;
    if (size < 2) {
        return 0;
    }
    if (*c == 0xFFFE) {
        *mistake = "A byte order mark of the other order stands in the middle of the text, as "
                   "where files are joined one behind the other.";
        return 0;
    }
    if (*c < 0xD800 || *c > 0xDFFF) {
        return 2;
    }
    uint32_t second = size >= 4 ? take_unit(bytes + 2, is_big) : 0xDC00;

    if (*c > 0xDBFF || second < 0xDC00 || second > 0xDFFF) {
        *mistake = "The text is not valid UTF-16: half of a character stands alone.";
        return 0;
    }
    if (size < 4) {
        return 0;
    }
    *c = 0x10000 + ((*c - 0xD800) << 10) + (second - 0xDC00);
    return 4;
}

static shoal_i_decoded decode_utf16(char *out, bool is_big, const unsigned char *bytes,
                                    size_t size, bool is_last)
{
    shoal_i_decoded d = {0};
    uint32_t c = 0;

    for (;;) {
        size_t length = take_char(&c, &d.mistake, bytes + d.taken, size - d.taken, is_big);

        if (length == 0) {
            break;
        }
        d.taken += length;
        d.given += put_char(out + d.given, c);
    }
    if (is_last && !d.mistake && d.taken < size) {
        d.mistake = (size - d.taken) % 2
                        ? "The text is UTF-16 with an odd number of bytes; its end is missing."
                        : "The text is UTF-16 and ends with half of a character.";
    }
    return d;
}

shoal_i_decoded shoal_i_decode(char *out, shoal_encoding encoding, const unsigned char *bytes,
                               size_t size, bool is_last)
{
    switch (encoding) {
    case SHOAL_ENCODING_LATIN1:
        return decode_bytes(out, NULL,
                            "A byte that is a control character in Latin-1 stands here; the "
                            "file may be Windows-1252.",
                            bytes, size);
    case SHOAL_ENCODING_WINDOWS_1252:
        return decode_bytes(out, windows_signs,
                            "A byte that means nothing in Windows-1252 stands here; the file "
                            "is of another encoding.",
                            bytes, size);
    default:
        assert(encoding == SHOAL_ENCODING_UTF16LE || encoding == SHOAL_ENCODING_UTF16BE);
        return decode_utf16(out, encoding == SHOAL_ENCODING_UTF16BE, bytes, size, is_last);
    }
}

/* --- Whether it is UTF-8 after all. ------------------------------------------------------ */

/* Bytes that follow the first of a character; 0: none begins so. */
static unsigned count_following(unsigned char c)
{
    return c >= 0xC2 && c < 0xE0   ? 1
           : c >= 0xE0 && c < 0xF0 ? 2
           : c >= 0xF0 && c < 0xF5 ? 3
                                   : 0;
}

static void see_high(shoal_i_utf8_guess *guess, unsigned char c, size_t at)
{
    if (guess->missing > 0) {
        guess->is_other = c >= 0xC0;
        guess->missing--;
        return;
    }
    guess->missing = count_following(c);
    guess->is_other = guess->missing == 0;
    guess->first = guess->found++ == 0 ? guess->seen + at : guess->first;
}

/* Bytes of ASCII, eight at once. */
static size_t skip_ascii(const unsigned char *bytes, size_t size)
{
    size_t at = 0;
    uint64_t word;

    for (; size - at >= sizeof word; at += sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        if (word & HIGH_BITS) {
            break;
        }
    }
    return at;
}

void shoal_i_utf8_guess_see(shoal_i_utf8_guess *guess, const unsigned char *bytes, size_t size)
{
    for (size_t at = 0; at < size && !guess->is_other; at++) {
        if (guess->missing == 0) {
            at += skip_ascii(bytes + at, size - at);
        }
        if (at == size) {
            break;
        }
        if (bytes[at] >= 0x80) {
            see_high(guess, bytes[at], at);
        } else {
            guess->is_other = guess->missing > 0;
        }
    }
    guess->seen += size;
}

bool shoal_i_utf8_guess_is(const shoal_i_utf8_guess *guess)
{
    return !guess->is_other && guess->missing == 0 && guess->found > 0;
}

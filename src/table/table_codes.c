#include "table_codes.h"

#include <string.h>

void shoal_i_codes_widen(uint32_t *out, shoal_i_codes codes, size_t first, size_t count)
{
    const uint8_t *bytes = codes.data;
    const uint16_t *pairs = codes.data;
    const uint32_t *quads = codes.data;

    switch (codes.width) {
    case 1:
        for (size_t i = 0; i < count; i++) {
            out[i] = bytes[first + i];
        }
        break;
    case 2:
        for (size_t i = 0; i < count; i++) {
            out[i] = pairs[first + i];
        }
        break;
    default:
        for (size_t i = 0; i < count; i++) {
            out[i] = quads[first + i];
        }
    }
}

size_t shoal_i_codes_count(shoal_i_codes codes, size_t count, uint32_t code)
{
    const uint8_t *bytes = codes.data;
    const uint16_t *pairs = codes.data;
    const uint32_t *quads = codes.data;
    size_t found = 0;

    switch (codes.width) {
    case 1:
        for (size_t i = 0; i < count; i++) {
            found += bytes[i] == (uint8_t)code;
        }
        break;
    case 2:
        for (size_t i = 0; i < count; i++) {
            found += pairs[i] == (uint16_t)code;
        }
        break;
    default:
        for (size_t i = 0; i < count; i++) {
            found += quads[i] == code;
        }
    }
    return found;
}

void shoal_i_codes_narrow(void *out, unsigned width, size_t first, const uint32_t *codes,
                          size_t count)
{
    uint8_t *bytes = out;
    uint16_t *pairs = out;
    uint32_t *quads = out;

    switch (width) {
    case 1:
        for (size_t i = 0; i < count; i++) {
            bytes[first + i] = (uint8_t)codes[i];
        }
        break;
    case 2:
        for (size_t i = 0; i < count; i++) {
            pairs[first + i] = (uint16_t)codes[i];
        }
        break;
    default:
        for (size_t i = 0; i < count; i++) {
            quads[first + i] = codes[i];
        }
    }
}

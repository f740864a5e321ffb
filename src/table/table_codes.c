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

/* A block at a time: the width is looked at once for many codes. */
#define BLOCK 1024

void shoal_i_codes_map(void *out, unsigned width, shoal_i_codes codes, const uint32_t *rows,
                       const uint32_t *code_of, size_t count)
{
    uint32_t block[BLOCK];

    for (size_t first = 0; first < count; first += BLOCK) {
        size_t size = count - first < BLOCK ? count - first : BLOCK;

        if (!rows) {
            shoal_i_codes_widen(block, codes, first, size);
        }
        for (size_t i = 0; rows && i < size; i++) {
            block[i] = shoal_i_codes_get(codes, rows[first + i]);
        }
        for (size_t i = 0; code_of && i < size; i++) {
            block[i] = code_of[block[i]];
        }
        shoal_i_codes_narrow(out, width, first, block, size);
    }
}

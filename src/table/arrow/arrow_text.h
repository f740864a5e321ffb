/* arrow_text.h -- values of Arrow's types as texts, and back.
 *
 * What a column stores of a decimal or an instant is its text; the way back is exact, so that a
 * column leaves as it came.
 */
#ifndef SHOAL_I_ARROW_TEXT_H
#define SHOAL_I_ARROW_TEXT_H

#include "arrow_type.h"

#define SHOAL_I_ARROW_TEXT_MAX 192 /* longest text of a decimal or an instant, NUL included */
#define SHOAL_I_ARROW_WORDS 4      /* of a decimal, 64 bits each, the least significant first */

/* A decimal's whole number, in two's complement over all words. */
typedef struct shoal_i_decimal {
    uint64_t words[SHOAL_I_ARROW_WORDS];
} shoal_i_decimal;

/* From and to memory of `width` bytes: 4, 8, 16 or 32. */
shoal_i_decimal shoal_i_decimal_load(const void *data, unsigned width);
void shoal_i_decimal_store(void *data, unsigned width, const shoal_i_decimal *decimal);

/* The text of decimal / 10^scale with `scale` digits behind the point, NUL-terminated; its
 * length. *significant: digits without zeros in front and behind. */
size_t shoal_i_decimal_text(char out[SHOAL_I_ARROW_TEXT_MAX], int *significant,
                            const shoal_i_decimal *decimal, int scale);

/* The inverse: false when the text is no decimal number, has digits beyond the scale that are
 * not 0, or does not fit in `width` bytes. */
bool shoal_i_decimal_parse(shoal_i_decimal *out, const char *text, size_t length, int scale,
                           unsigned width);

/* Whether an instant is in the years 1 to 9999, which have texts. */
bool shoal_i_instant_has_text(int64_t instant, const shoal_i_arrow_type *type);

/* How many digits of a second an instant needs: 0, 3, 6 or 9. */
int shoal_i_instant_digits(int64_t instant, const shoal_i_arrow_type *type);

/* Days since 1970 and what is left of the day. */
int64_t shoal_i_instant_days(int64_t *rest, int64_t instant, const shoal_i_arrow_type *type);

/* YYYY-MM-DDThh:mm:ss, a point and `digits` digits of a second unless 0, and Z with a zone. */
size_t shoal_i_instant_text(char out[SHOAL_I_ARROW_TEXT_MAX], int64_t instant,
                            const shoal_i_arrow_type *type, int digits);

/* The inverse, of a date alone, too: false when the text is neither or needs a finer unit. */
bool shoal_i_instant_parse(int64_t *out, const char *text, size_t length,
                           const shoal_i_arrow_type *type);

/* A whole number without a sign. False when it is none or exceeds 64 bits. */
bool shoal_i_unsigned_parse(uint64_t *out, const char *text, size_t length);
size_t shoal_i_unsigned_text(char out[SHOAL_I_ARROW_TEXT_MAX], uint64_t number);

#endif /* SHOAL_I_ARROW_TEXT_H */

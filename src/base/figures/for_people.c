#include "for_people.h"

#include "../text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define WHOLE_NEAR 1e-9 /* of a percentage: 7 of 50 is 14 %, whatever 0.14 is in binary */
#define PERCENT_LEAST 0.01
#define PERCENT_MOST 99.99
#define NUMBER_LEAST 0.0001
#define EXACT_MOST 1e15

void shoal_i_put_count(shoal_i_buffer *out, uint64_t count)
{
    char digits[SHOAL_I_NUMBER_MAX];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);

    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            shoal_i_buffer_char(out, ',');
        }
        shoal_i_buffer_char(out, digits[i]);
    }
}

static void put_whole(shoal_i_buffer *out, double number)
{
    if (number < EXACT_MOST) {
        shoal_i_put_count(out, (uint64_t)(number + 0.5));
    } else {
        shoal_i_buffer_printf(out, "%.4g", number);
    }
}

/* A number below 1000 by so many digits behind the point, whatever the locale; trim: without
 * zeros at the end. */
static void put_decimals(shoal_i_buffer *out, double number, int decimals, bool trim)
{
    int64_t power = 1;

    for (int i = 0; i < decimals; i++) {
        power *= 10;
    }
    int64_t units = (int64_t)round(number * (double)power);

    while (trim && decimals > 0 && units % 10 == 0) {
        units /= 10;
        power /= 10;
        decimals--;
    }
    shoal_i_buffer_printf(out, "%" PRId64, units / power);
    if (decimals > 0) {
        shoal_i_buffer_printf(out, ".%0*" PRId64, decimals, units % power);
    }
}

/* How many digits behind the point a percentage has: what rounding lifts to the next power of
 * ten has that one's. */
static int count_decimals(double percent)
{
    return percent >= 99.95 ? 2 : percent >= 9.995 ? 1 : percent >= 0.0995 ? 2 : 3;
}

void shoal_i_put_percent(shoal_i_buffer *out, double share)
{
    double percent = fabs(100 * share);

    if (!isfinite(percent)) {
        shoal_i_buffer_text(out, isnan(percent) ? "not known" : "∞");
        return;
    }
    bool is_whole = fabs(percent - round(percent)) < WHOLE_NEAR && percent > 0.5;

    shoal_i_buffer_text(out, share < 0 ? "−" : "");
    if (percent == 0) {
        shoal_i_buffer_char(out, '0');
    } else if (is_whole || percent > 100) {
        put_whole(out, percent);
    } else if (percent < PERCENT_LEAST) {
        shoal_i_buffer_text(out, "under 0.01");
    } else if (percent > PERCENT_MOST) {
        shoal_i_buffer_text(out, "over 99.99");
    } else {
        put_decimals(out, percent, count_decimals(percent), false);
    }
}

void shoal_i_put_number(shoal_i_buffer *out, double number)
{
    double size = fabs(number);

    if (!isfinite(number)) {
        shoal_i_buffer_text(out, isnan(number) ? "not known" : "∞");
        return;
    }
    shoal_i_buffer_text(out, number < 0 ? "−" : "");
    if (size == floor(size) || size >= 1000) {
        put_whole(out, size);
    } else if (size < NUMBER_LEAST) {
        shoal_i_buffer_text(out, "under 0.0001");
    } else {
        put_decimals(out, size, 3 - (int)floor(log10(size)), true);
    }
}

#include "round_step.h"

#include "for_people.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define NEAR 1e-12 /* a length that is a step but for the rounding of its last digits */
#define TIMES_MOST 0x1p50
#define PLAIN_ZEROS 12 /* numbers of at most so many digits are written out */
#define PLAIN_DECIMALS 9

static int64_t ten_to(int power)
{
    int64_t number = 1;

    while (power-- > 0) {
        number *= 10;
    }
    return number;
}

double shoal_i_step_times(shoal_i_step step, int64_t times)
{
    double digits = (double)(times * step.digit);

    return step.power < 0 ? digits / pow(10, -step.power) : digits * pow(10, step.power);
}

shoal_i_step shoal_i_step_choose(double length, size_t most)
{
    static const int digits[] = {1, 2, 5};
    double each = length / (double)most;
    shoal_i_step step = {.digit = 5, .power = (int)floor(log10(each))};

    for (int power = step.power - 1; power <= step.power + 1; power++) {
        for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
            shoal_i_step tried = {digits[i], power};

            if (shoal_i_step_times(tried, 1) * (1 + NEAR) >= each) {
                return tried;
            }
        }
    }
    return (shoal_i_step){1, step.power + 2};
}

bool shoal_i_step_below(int64_t *out, shoal_i_step step, double value)
{
    double times = floor(value / shoal_i_step_times(step, 1));

    if (!(fabs(times) < TIMES_MOST)) {
        return false;
    }
    *out = (int64_t)times;
    /* A quotient that was rounded may be off by one. */
    if (shoal_i_step_times(step, *out) > value) {
        --*out;
    } else if (shoal_i_step_times(step, *out + 1) <= value) {
        ++*out;
    }
    return true;
}

/* How many digits a number above 0 has. */
static int count_digits(int64_t number)
{
    int count = 0;

    for (; number > 0; number /= 10) {
        count++;
    }
    return count;
}

void shoal_i_step_put(shoal_i_buffer *out, shoal_i_step step, int64_t times)
{
    int64_t digits = llabs(times) * step.digit;

    if (times == 0) {
        shoal_i_buffer_char(out, '0');
        return;
    }
    if (step.power < -PLAIN_DECIMALS || count_digits(digits) + step.power > PLAIN_ZEROS) {
        shoal_i_buffer_printf(out, "%.6g", shoal_i_step_times(step, times));
        return;
    }
    shoal_i_buffer_text(out, times < 0 ? "−" : "");
    if (step.power >= 0) {
        shoal_i_put_count(out, (uint64_t)digits * (uint64_t)ten_to(step.power));
    } else {
        int64_t one = ten_to(-step.power);

        shoal_i_put_count(out, (uint64_t)(digits / one));
        shoal_i_buffer_printf(out, ".%0*" PRId64, -step.power, digits % one);
    }
}

/* for_people.h -- numbers as people read them: with commas between thousands, and with no more
 * digits than mean something. What a program reads has all of them (text.h).
 *
 *     counts     30,162
 *     per cent   14.0   4.13   0.23   0.023   under 0.01   over 99.99   0   100   20
 *     others     0.1403   4,210   1.13   under 0.0001
 *
 * 0 is 0 and 100 % is all: what is a little more or less is never written so.
 */
#ifndef SHOAL_I_FOR_PEOPLE_H
#define SHOAL_I_FOR_PEOPLE_H

#include "../buffer.h"

void shoal_i_put_count(shoal_i_buffer *out, uint64_t count);

/* A share in per cent, without the sign: a whole number where it is one, else three digits, two
 * of what is below 1 %, and none below 0.01 %. */
void shoal_i_put_percent(shoal_i_buffer *out, double share);

/* Any other number, by four digits. */
void shoal_i_put_number(shoal_i_buffer *out, double number);

#endif /* SHOAL_I_FOR_PEOPLE_H */

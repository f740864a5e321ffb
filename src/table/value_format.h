/* value_format.h -- numbers and dates as people write them: 1.234,5 and 03.05.2024.
 *
 * A format says how the values of a column are written in a file. They are turned into the one
 * form that all layers above know, 1234.5 and 2024-05-03, before the column gets its type, and
 * so a release has that form. A text that is not written by the format is no number and no
 * date, whatever it looks like otherwise: where the comma is the decimal mark, 1.5 is a text.
 *
 *     YYYY  year     MM, DD, hh, mm, ss  month, day, hour, minute, second, of two digits
 *     M, D, h        the same of one digit or two
 *     T, Z, any other sign but letters and digits: itself
 *
 * The time of day is checked and left out.
 */
#ifndef SHOAL_I_VALUE_FORMAT_H
#define SHOAL_I_VALUE_FORMAT_H

#include "../base/text.h"
#include "table_build.h"
#include "dictionary.h"

#define SHOAL_I_DATE_FORMAT_MAX 40 /* bytes of a format of dates */

typedef struct shoal_i_value_format {
    char decimal;     /* '.' or ','; 0: '.' */
    char thousands;   /* '.', ',', ' ' (any space), '\''; 0: none */
    const char *date; /* NULL: YYYY-MM-DD */
} shoal_i_value_format;

/* Whether anything is written otherwise than in the usual form. */
static inline bool shoal_i_value_format_is_usual(const shoal_i_value_format *f)
{
    return (f->decimal == 0 || f->decimal == '.') && f->thousands == 0 && !f->date;
}

/* What is wrong with a format of dates, a sentence; NULL: nothing. */
const char *shoal_i_date_format_mistake(const char *format);

/* A date as YYYY-MM-DD; false: it is not written so, or there is no such day. */
bool shoal_i_date_by_format(char out[SHOAL_I_NUMBER_MAX], const char *format, const char *text,
                            size_t length);

/* A number in the usual form, of at most `length` bytes, not NUL-terminated; its length, 0: it
 * is not written so. Groups of thousands must be whole: 12.34 is none. */
size_t shoal_i_number_by_format(char *out, const shoal_i_value_format *format, const char *text,
                                size_t length);

/* The texts of a column in the usual form: *out holds them, (*index_of)[index] is the place
 * there of each text of the dictionary (count + 1 entries, the caller's to free). With the type
 * AUTO only where all of them (missing ones left out) are numbers, or all dates, by the format;
 * else *out stays empty and *index_of NULL. With a type, what is not written by the format
 * becomes a text that is of no type. Missing tokens stay what they are. */
shoal_status shoal_i_value_format_apply(shoal_ctx *ctx, shoal_i_dictionary *out,
                                        uint32_t **index_of,
                                        const shoal_i_dictionary *dictionary,
                                        const shoal_i_value_format *format, shoal_type type,
                                        const char *const *tokens, size_t token_count);

#endif /* SHOAL_I_VALUE_FORMAT_H */

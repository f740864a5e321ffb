/* other_reading.h -- columns of text that would be numbers or dates if they were read
 * otherwise.
 *
 * Nothing is read otherwise than usual unless somebody says so: 03.04.2024 has two readings,
 * and 1.234 has two. But a column of dates that becomes flat text loses nearly all that it
 * tells, so who runs into that is told what to say.
 */
#ifndef SHOAL_I_OTHER_READING_H
#define SHOAL_I_OTHER_READING_H

#include <shoal/table.h>

#include "value_format.h"

#define SHOAL_I_OTHER_MAX 200
#define SHOAL_I_MISSING_WORDS_MAX 40 /* there are no more */

typedef struct shoal_i_other_reading {
    char what[SHOAL_I_OTHER_MAX];    /* "dates written DD.MM.YYYY" */
    char setting[SHOAL_I_OTHER_MAX]; /* what to say for that, in backquotes */
    shoal_i_value_format format;     /* of these numbers or dates */
    const char *second;              /* another format that all values fit; NULL: none */
    bool has_tokens;                 /* some values are NA or the like, and would be missing */
    size_t stray_count;              /* values that do not fit */
    int64_t stray_line;              /* of the first record with one; 0: not known */
} shoal_i_other_reading;

/* Whether all values of a text column, those left out that people write for missing ones, are
 * numbers or dates in another reading; or those of an integer column dates YYYYMMDD. */
bool shoal_i_other_reading_find(shoal_i_other_reading *out, const shoal_table *table,
                                size_t column);

/* The same where a few values do not fit, 31.02.2024 among dates: a single one, or one in ten.
 */
bool shoal_i_near_reading_find(shoal_i_other_reading *out, const shoal_table *table,
                               size_t column);

/* Whether nine in ten values of a text column look like dates whose years have two digits, such
 * as 03.05.24, which no format can read: nobody knows the century. */
bool shoal_i_has_short_years(const shoal_table *table, size_t column);

/* The words for missing values that are values of a column, as a list for people; false: there
 * are none. They are of a list of our own: NA, N/A, n/a, null, unknown, -, . and the like. */
bool shoal_i_missing_words_find(char out[SHOAL_I_OTHER_MAX], const shoal_table *table,
                                size_t column);

/* The same as a list of at most SHOAL_I_MISSING_WORDS_MAX constants; how many. */
size_t shoal_i_missing_words_list(const char **out, const shoal_table *table, size_t column);

/* Whether such a word means nothing else: NA, but not unknown, which may be an answer. */
bool shoal_i_missing_word_is_certain(const char *word);

/* The type that a text column would have without such words; STRING: it would be text all the
 * same, or has none of them. */
shoal_type shoal_i_type_without_words(const shoal_table *table, size_t column);

#endif /* SHOAL_I_OTHER_READING_H */

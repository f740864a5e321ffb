/* value_type.h -- what type a column's values are, and what a single text means in a type.
 *
 * All of it looks at distinct values only: a column of a million records and ninety ages
 * is decided by ninety texts.
 */
#ifndef SHOAL_I_VALUE_TYPE_H
#define SHOAL_I_VALUE_TYPE_H

#include "dictionary.h"
#include "value_format.h"

#include <shoal/table.h>

/* The largest whole number up to which all of them are doubles. */
#define SHOAL_I_INTEGER_MAX ((int64_t)1 << 53)

/* The type of the texts of a dictionary, of which those with is_missing[index] do not count:
 *
 *   integer  all are whole numbers up to 2^53, written plainly: no plus sign, no leading
 *            zero, no -0
 *   real     all are finite decimal numbers, none with a leading zero before a digit (007 is
 *            a code) and none a whole number beyond 2^53 (as a real it would lose digits)
 *   date     all are YYYY-MM-DD
 *   string   anything else, or no value at all */
shoal_type shoal_i_value_type(const shoal_i_dictionary *dictionary, const bool *is_missing);

/* The number of a text in an integer, real or date column; false when it has none. More
 * generous than the decision above: 007 and +7 are 7 in a column declared to be integer. */
bool shoal_i_value_number(double *out, shoal_type type, const char *text, size_t length);

/* Whether a text by itself would let a column be of a type, by the decision above. */
bool shoal_i_value_is(shoal_type type, const char *text, size_t length);

/* 007, -01, 00.5: digits that mean something else than their number. */
bool shoal_i_value_is_code(const char *text, size_t length);

/* What kind of thing a text is that is not of a type, as a clause without its content. */
const char *shoal_i_value_describe(shoal_type type, const char *text, size_t length);

/* Record SHOAL_EFORMAT: what was expected in this column, written by its format, and what kind
 * of thing the text is instead. The text itself is quoted only when ctx->show_values. */
shoal_status shoal_i_value_fail(shoal_ctx *ctx, shoal_type type,
                                const shoal_i_value_format *format, const char *column,
                                int64_t record, int64_t field, const char *text, size_t length);

#endif /* SHOAL_I_VALUE_TYPE_H */

/* same_values.h -- values of a column that are one, though their texts differ.
 *
 *     code   text      value            numbers, blanks, case
 *       0    7           0
 *       1    7.0         0     <- the same number
 *       2    HIV         1
 *       3    HIV_        1     <- a blank at its end
 *       4    flu         2
 *
 * Whoever counts texts counts 5 different ones here; a reader of the table sees 3. Numbers are
 * the same when they are equal as decimals, digit by digit: no rounding makes two long ones
 * one. What else makes texts the same is said of the column (fold.h). Whether two texts are the
 * same depends on them alone, so it is the same in an original and in what is released of it.
 *
 * Values are numbered by the first of their codes, so where all texts differ a value is a code.
 */
#ifndef SHOAL_I_SAME_VALUES_H
#define SHOAL_I_SAME_VALUES_H

#include <shoal/table.h>

#include "../../base/arena.h"
#include "fold.h"

/* What makes two texts of a column one value. {0}: nothing does. */
typedef struct shoal_i_sameness {
    unsigned ways;      /* bits of fold.h */
    bool has_numbers;   /* numbers are compared as numbers */
    bool keeps_missing; /* missing is the same as no text, whatever its token is */
    char decimal;       /* how numbers are written, as in value_format.h */
    char thousands;
} shoal_i_sameness;

typedef struct shoal_i_same_values {
    size_t count;             /* of values, missing included where a record lacks one */
    const uint32_t *value_of; /* of each code and of missing; NULL: the code itself */
    const uint32_t *code_of;  /* the first code of each value and of missing; NULL: itself */
} shoal_i_same_values;

/* The values of a column of texts; of other types codes are values already. What it points to
 * lies in the arena. O(values of the table). */
shoal_status shoal_i_same_values_find(shoal_ctx *ctx, shoal_i_same_values *out,
                                      shoal_i_arena *arena, const shoal_table *table,
                                      size_t column, const shoal_i_sameness *same);

/* The first code with the same value; of what is missing, that of missing. */
static inline uint32_t shoal_i_same_values_first(const shoal_i_same_values *values,
                                                 uint32_t code)
{
    return values->value_of ? values->code_of[values->value_of[code]] : code;
}

/* How many values differ from one before them in ways that `same` does not overlook, and a
 * reader might: *found, by the ways that it would take, as bits, in *ways. */
shoal_status shoal_i_same_values_doubt(shoal_ctx *ctx, size_t *found, unsigned *ways,
                                       const shoal_table *table, size_t column,
                                       const shoal_i_sameness *same);

/* The code of a text that is the same as another one: *code, the first such; -1: there is none.
 * O(values of the table). */
shoal_status shoal_i_same_values_seek(shoal_ctx *ctx, int64_t *code, const shoal_table *table,
                                      size_t column, const shoal_i_sameness *same,
                                      const char *text, size_t length);

/* A digest of each text, equal for those that are the same, in every table and on every
 * machine. O(values of the table). */
shoal_status shoal_i_same_values_digest(shoal_ctx *ctx, uint64_t *digests,
                                        const shoal_table *table, size_t column,
                                        const shoal_i_sameness *same);

/* The decimal that a text in the usual form is, such that equal ones have equal keys; written
 * to out, which has room for length + 24 bytes. Its size, 0: the text is no decimal. */
size_t shoal_i_decimal_key(char *out, const char *text, size_t length);

#endif /* SHOAL_I_SAME_VALUES_H */

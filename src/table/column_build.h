/* column_build.h -- from the distinct texts of a column to its finished dictionary.
 *
 * While a table is read, a record holds the index of its value in order of arrival, which
 * depends on threads and chance. Here values get their type, their numbers and their final
 * codes, which do not:
 *
 *     arrived   1 "30"   2 "?"   3 "24"   4 "30.0"
 *     final     real: code 0 "24", code 1 "30", missing 2
 *     code_of   2  1  2  0  1                 by arrival index; 0, no value, is missing too
 */
#ifndef SHOAL_I_COLUMN_BUILD_H
#define SHOAL_I_COLUMN_BUILD_H

#include "../base/text.h"
#include "dictionary.h"
#include "table_build.h"
#include "value_format.h"

/* The tokens that mean missing where nobody says which do. */
#define SHOAL_I_USUAL_TOKENS 2
extern const char *const shoal_i_usual_tokens[SHOAL_I_USUAL_TOKENS];

/* In code_of: a value that is not of the type the column was declared to have. */
#define SHOAL_I_CODE_BAD UINT32_MAX

typedef struct shoal_i_column_rules {
    shoal_type type;                   /* AUTO: decided from the values */
    const char *const *missing_tokens; /* texts that mean missing */
    size_t missing_token_count;
    shoal_i_value_format format; /* of its numbers and dates; {0}: the usual form */
} shoal_i_column_rules;

/* Fill type, value_count, texts, starts and numbers of a column from all its distinct texts.
 * (*code_of)[index] becomes the code of each; it has dictionary->count + 1 entries and is the
 * caller's to free. *has_bad tells whether one of them is SHOAL_I_CODE_BAD: the caller knows
 * where it occurs first and words the failure with shoal_i_value_fail; the column is unfinished
 * then, but can be freed. */
shoal_status shoal_i_column_build(shoal_ctx *ctx, shoal_i_column *column, uint32_t **code_of,
                                  bool *has_bad, const shoal_i_dictionary *dictionary,
                                  const shoal_i_column_rules *rules);

/* What the numbers of a dictionary mean. */
typedef struct shoal_i_number_rules {
    shoal_type type; /* not string */
    /* A double that sorts as the number does; of no two numbers the same. */
    double (*value)(const void *payload, uint64_t number);
    /* The text of the number, NUL-terminated, and the value of that text; its length. */
    size_t (*write)(char out[SHOAL_I_NUMBER_MAX], double *value, const void *payload,
                    uint64_t number);
    const void *payload;
} shoal_i_number_rules;

/* The same from distinct numbers; each text is written once. */
shoal_status shoal_i_column_build_numbers(shoal_ctx *ctx, shoal_i_column *column,
                                          uint32_t **code_of, const shoal_i_dictionary *numbers,
                                          const shoal_i_number_rules *rules);

/* The values of a column for which is_used[code] is true, in the same order. (*code_of)[code]
 * is the new code of each of them and of missing; value_count + 1 entries, the caller's to
 * free. */
shoal_status shoal_i_column_restrict(shoal_ctx *ctx, shoal_i_column *column, uint32_t **code_of,
                                     const shoal_i_column *original, const bool *is_used);

#endif /* SHOAL_I_COLUMN_BUILD_H */

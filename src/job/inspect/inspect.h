/* inspect.h -- a first look at a raw file: what its columns seem to be, and how exposed its
 * records are. */
#ifndef SHOAL_I_INSPECT_H
#define SHOAL_I_INSPECT_H

#include "../../report/report.h"

/* The c for which recursive l-diversity is tried. */
#define SHOAL_I_BOUNDS_C 3

/* The strictest parameters that any release of a sensitive column can meet: the smallest alpha,
 * the largest l. NaN: none. */
typedef struct shoal_i_bounds {
    double alpha; /* general */
    double l_frequency;
    double l_distinct;
    double l_entropy;
    double l_recursive; /* with SHOAL_I_BOUNDS_C */
} shoal_i_bounds;

typedef struct shoal_i_column_facts {
    const char *name; /* borrowed from the table */
    shoal_type type;
    size_t distinct;
    size_t missing;
    size_t once;        /* records whose value no other record has */
    size_t text_length; /* of every value, when all have the same; else 0 */
    shoal_role role;
    bool is_given; /* the role comes from the spec */
    size_t
        mask_length;  /* a prefix hierarchy could mask so many characters; 0: none suggested */
    const char *note; /* why this role, or what to see to; "" when there is nothing to say */
    shoal_i_bounds bounds; /* of a sensitive column */
} shoal_i_column_facts;

typedef struct shoal_i_inspection {
    size_t records;
    size_t column_count;
    shoal_i_column_facts *columns;
    size_t quasi_count;
    size_t missing_records; /* that lack a value in a quasi column */

    /* The records as the quasi columns show them. */
    size_t classes;
    size_t unique_records;
    size_t smallest_class;
} shoal_i_inspection;

/* Of all columns, after their own guesses: the first that looks like the number of a person who
 * has several records gets the role person, unless one was given it. */
void shoal_i_inspect_guess_person(shoal_i_column_facts *columns, size_t count, size_t records);

/* Guess the role of a column from its name and its facts, unless it has one, and word the note.
 */
void shoal_i_inspect_guess(shoal_i_column_facts *facts, size_t records);

/* The strictest parameters of a column of a table. O(rows). */
shoal_status shoal_i_inspect_bounds(shoal_ctx *ctx, shoal_i_bounds *out,
                                    const shoal_table *table, size_t column);

/* The three forms of an inspection. */
void shoal_i_inspect_put_text(shoal_i_buffer *out, const shoal_i_inspection *inspection);
void shoal_i_inspect_put_json(shoal_i_buffer *out, const shoal_i_inspection *inspection,
                              const shoal_i_stages *stages, const char *input);
void shoal_i_inspect_put_spec(shoal_i_buffer *out, const shoal_i_inspection *inspection,
                              const char *input);

#endif /* SHOAL_I_INSPECT_H */

/* inspect.h -- a first look at a raw file: what its columns seem to be, and how exposed its
 * records are.
 *
 * The file is read twice as it were: first as it is, to find columns that are numbers or dates
 * in another reading and words for missing values (readings.c), then, in memory, as the spec
 * that is proposed reads it. What is said of columns is said of the second table, so that the
 * spec runs as it is.
 */
#ifndef SHOAL_I_INSPECT_H
#define SHOAL_I_INSPECT_H

#include "../../report/report.h"
#include "../input/column_names.h"
#include "../input/given.h"
#include "value_kinds.h"

/* The c for which recursive l-diversity is tried. */
#define SHOAL_I_BOUNDS_C 3

#define SHOAL_I_NOTE_MAX 240
#define SHOAL_I_PROPOSAL_MAX 80

/* The strictest parameters that any release of a sensitive column can meet: the smallest alpha,
 * the largest l. NaN: none. */
typedef struct shoal_i_bounds {
    double alpha; /* general */
    double l_frequency;
    double l_distinct;
    double l_entropy;
    double l_recursive; /* with SHOAL_I_BOUNDS_C */
} shoal_i_bounds;

/* What a guess rests on. */
typedef enum shoal_i_evidence {
    SHOAL_I_BY_NOTHING, /* neither name nor values tell; caution decides */
    SHOAL_I_BY_NAME,
    SHOAL_I_BY_VALUES,
    SHOAL_I_BY_SPEC /* the role was given */
} shoal_i_evidence;

/* How the values of a column are written, where that is not the usual form. */
typedef struct shoal_i_column_reading {
    const char *date_format; /* constants, as the next; NULL: the usual one */
    const char *decimal;
    const char *thousands;
    const char *first;  /* of two formats that all dates fit; NULL: there is no doubt */
    const char *second; /* the other one */
    shoal_type type;    /* that words for missing values hid; AUTO: none did */
} shoal_i_column_reading;

typedef struct shoal_i_column_facts {
    const char *name; /* borrowed from the table */
    shoal_type type;  /* as the spec that is proposed reads it */
    size_t distinct;
    size_t missing;
    size_t once;        /* records whose value no other record has */
    size_t text_length; /* of every value, when all have the same; else 0 */
    double least;       /* of numbers and dates */
    double most;
    shoal_i_value_kind kind;
    shoal_i_known_codes codes;
    shoal_i_column_reading reading;
    bool has_type; /* the spec gives it a type, or a hierarchy */
    bool has_hierarchy;
    bool is_made_ready; /* it is rounded or the like before it is released */
    bool is_given;      /* the role comes from the spec */
    shoal_role role;
    shoal_i_meaning meaning; /* what its name was taken for; NOTHING: not by its name */
    shoal_i_evidence evidence;
    char note[SHOAL_I_NOTE_MAX];          /* why this role, and what to see to */
    char hierarchy[SHOAL_I_PROPOSAL_MAX]; /* proposed, as options write it; "": none */
    char grid[SHOAL_I_PROPOSAL_MAX];      /* of the ends of its ranges; "": none */
    char instead[SHOAL_I_PROPOSAL_MAX];   /* a hierarchy in place of ranges; "": none */
    shoal_i_bounds bounds;                /* of a sensitive column */
} shoal_i_column_facts;

typedef struct shoal_i_inspection {
    size_t records;
    size_t column_count;
    shoal_i_column_facts *columns;
    size_t quasi_count;
    size_t missing_records; /* that lack a value in a quasi column */
    size_t missing_persons; /* that lack a person */
    size_t persons;         /* 0: no column tells */

    /* The records as the quasi columns show them. */
    size_t classes;
    size_t unique_records;
    size_t smallest_class;
} shoal_i_inspection;

/* How every column of a table that was read as it is could be read otherwise, and the words for
 * missing values in it (readings.c). readings has an entry for each column; spec is what was
 * asked for, which is not doubted. tokens gets the words that are not tokens yet, *token_count
 * of them, at most SHOAL_I_MISSING_WORDS_MAX. */
void shoal_i_readings_find(shoal_i_column_reading *readings, const char **tokens,
                           size_t *token_count, const shoal_table *table,
                           const shoal_spec *spec);

/* Of all columns, after their own guesses: the one that most looks like the number of a person
 * who has several records gets the role person, unless one was given it; others that look so
 * are identifiers. */
void shoal_i_inspect_guess_person(shoal_i_column_facts *columns, size_t count, size_t records);

/* Guess the role of a column from its values, its name and its facts, unless it has one, and
 * word the note. */
void shoal_i_inspect_guess(shoal_i_column_facts *facts, size_t records);

/* Then, of a quasi column, whether its numbers are codes, its hierarchy or the grid of its
 * ranges, where these are free (has_ranges); people: persons, or records where each is one. */
void shoal_i_inspect_guess_levels(shoal_i_column_facts *facts, size_t people, bool has_ranges);

/* The strictest parameters of a column of a table, in persons unless NULL. O(rows). */
shoal_status shoal_i_inspect_bounds(shoal_ctx *ctx, shoal_i_bounds *out,
                                    const shoal_table *table, size_t column,
                                    const shoal_i_persons *persons);

/* The spec that is proposed before anything is guessed: what was asked for, with readings and
 * tokens (propose.c). */
shoal_status shoal_i_propose_reading(shoal_ctx *ctx, shoal_spec **out, const shoal_spec *spec,
                                     const shoal_table *table,
                                     const shoal_i_column_reading *readings,
                                     const char *const *tokens, size_t token_count);

/* What was guessed, said in that spec: roles, types, hierarchies, k. */
shoal_status shoal_i_propose_rest(shoal_ctx *ctx, shoal_spec *proposed,
                                  const shoal_i_inspection *inspection);

/* The forms of an inspection; the spec as YAML with a reason behind every column. */
void shoal_i_inspect_put_text(shoal_i_buffer *out, const shoal_i_inspection *inspection);
void shoal_i_inspect_put_json(shoal_i_buffer *out, const shoal_i_inspection *inspection,
                              const shoal_i_stages *stages, const char *input);
shoal_status shoal_i_inspect_put_spec(shoal_ctx *ctx, char **out,
                                      const shoal_i_inspection *inspection,
                                      const shoal_spec *proposed, const char *input);

#endif /* SHOAL_I_INSPECT_H */

/* values.h -- the values of parts of a table with how often each occurs, before there is a
 * division; behind include/shoal/division.h.
 *
 * Values are kept as texts in order of arrival. Types, order and codes follow when all parts
 * have been added up (column_build.h), as they do when a file has been read: so a division does
 * not depend on which part had what.
 *
 * Where persons are counted, the columns that requirements read have beside each text how many
 * persons have it; who they are is not kept, but for a sketch (part_persons.h).
 */
#ifndef SHOAL_I_VALUES_H
#define SHOAL_I_VALUES_H

#include <shoal/division.h>

#include "../../table/dictionary.h"
#include "division.h"
#include "part_persons.h"

typedef struct shoal_i_value_column {
    char *name;
    bool is_skipped;
    shoal_type type; /* of all parts together; AUTO: no value yet */
    shoal_i_dictionary texts;
    uint64_t *counts;  /* by index of a text, from 1 on */
    uint64_t *persons; /* who have it; 0 where nobody counts persons */
    bool *is_missing;  /* of each text: it stands for a missing value */
    size_t capacity;   /* of all three */
} shoal_i_value_column;

struct shoal_values {
    char spec_digest[SHOAL_I_SHA256_HEX];
    uint64_t record_count; /* those that take part */
    size_t column_count;
    shoal_i_value_column *columns;
    bool counts_persons;
    uint64_t person_count;
    shoal_i_person_sketch sketch;
    size_t joined_count; /* of requirements that join values, in their order: */
    uint64_t joined[SHOAL_I_REQUIREMENTS_MAX][2]; /* persons with another value, and with one
                                                     that is named */
};

/* The table of a division, without the codes of its records, and its totals: of persons in the
 * columns that requirements read, where persons are counted. */
shoal_status shoal_i_values_table(shoal_ctx *ctx, shoal_table **out, shoal_i_totals *totals,
                                  const struct shoal_values *values, const shoal_spec *spec);

/* `times` more records have this text, a missing value or not. */
shoal_status shoal_i_value_column_add(shoal_ctx *ctx, shoal_i_value_column *column,
                                      const char *text, size_t length, uint64_t times,
                                      bool is_missing);

/* What it owns. */
void shoal_i_value_column_clear(shoal_i_value_column *column);

#endif /* SHOAL_I_VALUES_H */

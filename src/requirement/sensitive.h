/* sensitive.h -- a sensitive column as requirements see it.
 *
 *     record   diagnosis            code   text   total
 *        0     flu                    0    flu      3
 *        1     HIV                    1    HIV      1
 *        2     flu                    2    (missing) 1
 *        3
 *        4     flu
 *
 * Codes are those of the table, ascending by value in numeric columns; where some record lacks
 * a value, the last code stands for that. Every code occurs: totals are at least 1.
 *
 * Where texts of the table are the same to a reader (same_values.h: 7 and 7.0; HIV and hiv, if
 * the column says so), they are one value here, and codes are numbers of values: what comes
 * with codes of the table goes through shoal_i_sensitive_value first.
 *
 * Never changes once built; any number of threads may read it.
 */
#ifndef SHOAL_I_SENSITIVE_H
#define SHOAL_I_SENSITIVE_H

#include <shoal/hierarchy.h>
#include <shoal/table.h>

#include "../base/arena.h"
#include "../table/same/same_values.h"
#include "persons.h"

typedef struct shoal_i_sensitive {
    const char *name;
    size_t row_count;
    const uint32_t *codes; /* of each record; NULL where only counts are at hand */
    size_t value_count;    /* how many codes, that of missing values included */
    bool has_missing;
    const uint32_t *totals; /* by code: records of the whole table, or persons with the value */
    uint64_t total;         /* their sum */
    bool is_numeric;        /* codes ascend with numbers or dates: there is an order */
    const shoal_hierarchy *hierarchy; /* over the codes; NULL when none was given */
    const shoal_table *table;         /* the texts of the codes; NULL: unknown */
    size_t column;
    /* Where texts are the same; else {0} and NULL. */
    shoal_i_sameness same;
    const uint32_t *value_of; /* of each code of the table */
    const uint32_t *entry_of; /* of each value: the first code of the table that has it */
    shoal_hierarchy *reduced; /* that was given, over values */
    shoal_i_arena arena;      /* holds what init made */
} shoal_i_sensitive;

/* Collect a column of a table. The table, and the hierarchy where it is not NULL, are borrowed
 * and must outlive it. same: which texts are one value; NULL: none but equal ones. SHOAL_EINVAL
 * for a column without values in memory, for a hierarchy with another number of leaves than the
 * column has values (missing counted, if there is any), and for one that has different parents
 * for what is the same. O(rows). */
shoal_status shoal_i_sensitive_init(shoal_ctx *ctx, shoal_i_sensitive *out,
                                    const shoal_table *table, size_t column,
                                    const shoal_hierarchy *hierarchy,
                                    const shoal_i_sameness *same);

/* The value of a code of the table, and the first code of a value. */
static inline uint32_t shoal_i_sensitive_value(const shoal_i_sensitive *sensitive,
                                               uint32_t entry)
{
    return sensitive->value_of ? sensitive->value_of[entry] : entry;
}
static inline uint32_t shoal_i_sensitive_entry(const shoal_i_sensitive *sensitive,
                                               uint32_t value)
{
    return sensitive->entry_of ? sensitive->entry_of[value] : value;
}

/* Let the totals be those of persons, not of records. persons: of the same records; NULL: each
 * is one of its own. O(rows). */
shoal_status shoal_i_sensitive_count_persons(shoal_ctx *ctx, shoal_i_sensitive *sensitive,
                                             const shoal_i_persons *persons);
void shoal_i_sensitive_clear(shoal_i_sensitive *sensitive);

/* The same of a table without the codes of its records, from its totals by code of the table,
 * which are added up by value; the codes stay NULL. O(values). */
shoal_status shoal_i_sensitive_init_counted(shoal_ctx *ctx, shoal_i_sensitive *out,
                                            const shoal_table *table, size_t column,
                                            const shoal_hierarchy *hierarchy,
                                            const shoal_i_sameness *same,
                                            const uint32_t *totals);

/* The column in some of the records: codes are those of the part, a table with the values of
 * the whole (table_part.h), totals those of the whole, which must outlive it. O(rows of the
 * part). */
shoal_status shoal_i_sensitive_init_part(shoal_ctx *ctx, shoal_i_sensitive *out,
                                         const shoal_i_sensitive *whole,
                                         const shoal_table *part);

/* The code of a text: of a value, or of the token that stood for missing. A text that is the
 * same as some value is that. SHOAL_ENOTFOUND when the column has no such value. */
shoal_status shoal_i_sensitive_find(shoal_ctx *ctx, uint32_t *code,
                                    const shoal_i_sensitive *sensitive, const char *text,
                                    size_t length);

/* How many values are more frequent, plus one: 1 for the most frequent. O(values). */
size_t shoal_i_sensitive_rank(const shoal_i_sensitive *sensitive, uint32_t code);

/* The code with the largest total, the first of equals. The column has values. O(values). */
uint32_t shoal_i_sensitive_most_frequent(const shoal_i_sensitive *sensitive);

#endif /* SHOAL_I_SENSITIVE_H */

/* coverage.h -- whether the lines of a hierarchy have every value of a column, and a message
 * that says which it lacks without telling more than it may.
 */
#ifndef SHOAL_I_COVERAGE_H
#define SHOAL_I_COVERAGE_H

#include "hierarchy_lines.h"

#define SHOAL_I_NO_ENTRY UINT32_MAX

/* entries[code] is SHOAL_I_NO_ENTRY for values of the column without a line, and is used up by
 * a failure: SHOAL_EFORMAT, in the source of the lines, with all of them counted and up to ten
 * listed; record and field are those of the column. */
shoal_status shoal_i_check_coverage(shoal_ctx *ctx, const shoal_table *table, size_t column,
                                    uint32_t *entries, const shoal_i_hierarchy_lines *lines);

/* Where values without an entry are first met, "first met on lines 3, 8 of people.csv", or,
 * when the context shows values, what they are. Returns how many of them are listed, up to ten,
 * and the first record. Uses up entries. */
size_t shoal_i_list_uncovered(const shoal_ctx *ctx, char *out, size_t capacity,
                              size_t *first_row, const shoal_table *table, size_t column,
                              uint32_t *entries);

/* How many bytes of a text a message shows: at most 40, no character cut in two. */
int shoal_i_shown_length(const char *text);

#endif /* SHOAL_I_COVERAGE_H */

/* coverage.h -- whether a hierarchy file has a line for every value of a column, and a message
 * that says which it lacks without telling more than it may.
 */
#ifndef SHOAL_I_COVERAGE_H
#define SHOAL_I_COVERAGE_H

#include <shoal/hierarchy.h>

#define SHOAL_I_NO_ENTRY UINT32_MAX

/* entries[code] is SHOAL_I_NO_ENTRY for values of the column without a line, and is used up by
 * a failure: SHOAL_EFORMAT, in `source`, with all of them counted and up to ten listed. */
shoal_status shoal_i_check_coverage(shoal_ctx *ctx, const shoal_table *table, size_t column,
                                    uint32_t *entries, const char *source);

/* How many bytes of a text a message shows: at most 40, no character cut in two. */
int shoal_i_shown_length(const char *text);

#endif /* SHOAL_I_COVERAGE_H */

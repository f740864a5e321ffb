/* stray.h -- the few values that keep a column from being one of numbers or dates.
 *
 * A single "NaN", "unknown" or number beyond 2^53 makes a column of ages one of texts, which
 * are kept or suppressed where numbers would become ranges. That is seldom meant.
 */
#ifndef SHOAL_I_STRAY_H
#define SHOAL_I_STRAY_H

#include <shoal/table.h>

typedef struct shoal_i_stray {
    size_t count;      /* distinct values that stray; 0: the column is what it seems to be */
    shoal_type type;   /* what the others are: real or date */
    int64_t line;      /* of the first record with such a value; 0: not known */
    const char *found; /* what its value is instead: a clause, without its content */
} shoal_i_stray;

/* Look at a column that was read as text. Values stray when it is a single one, or when at
 * least nine in ten of the distinct values have another type; never where numbers have leading
 * zeros: those are codes. O(values), and O(rows) when some stray. */
void shoal_i_stray_find(shoal_i_stray *out, const shoal_table *table, size_t column);

#endif /* SHOAL_I_STRAY_H */

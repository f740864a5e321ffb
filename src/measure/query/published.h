/* published.h -- what a reader of a release knows: boxes, and which sensitive values go with
 * them.
 *
 * Measures of what a release tells about people (queries, privacy loss, utility loss, risk)
 * see this and nothing else:
 *
 *     classes   a class has the sensitive values of its rows
 *     records   a row has a box and one sensitive value, not necessarily of the same record
 *     buckets   a row has its point; a bucket has the sensitive values of its rows, and which
 *               row has which is not known: measures read counts per bucket, never the code of
 *               a row
 */
#ifndef SHOAL_I_PUBLISHED_H
#define SHOAL_I_PUBLISHED_H

#include "../../release/release.h"
#include "../../requirement/sensitive.h"

typedef struct shoal_i_published {
    const shoal_i_release *release;
    /* Of the rows of the release, in the order of the release. Codes are those of the
     * original's column, so that a value of the release and of the original compare. */
    const shoal_i_sensitive *sensitive;
    size_t sensitive_count;
} shoal_i_published;

/* The sensitive columns of an original and of its release; starts as {0}. */
typedef struct shoal_i_shown {
    size_t count;
    shoal_i_sensitive *truth; /* by the records of the original */
    shoal_i_sensitive *shown; /* by the rows of the release; codes are those of truth */
    shoal_i_published published;
} shoal_i_shown;

void shoal_i_shown_clear(shoal_i_shown *shown);

#endif /* SHOAL_I_PUBLISHED_H */

/* query_bind.h -- the names and texts of a query held against the columns there are.
 *
 * Quasi columns are asked about through their axes, other columns by their codes. Values may be
 * labels of hierarchies, and in numeric columns ranges such as 20-30 or [20..30].
 */
#ifndef SHOAL_I_QUERY_BIND_H
#define SHOAL_I_QUERY_BIND_H

#include "../../measure/query/query_text.h"
#include "../../spec/spec.h"

/* The columns that a query can be about. */
typedef struct shoal_i_query_scope {
    const shoal_spec *spec;
    const shoal_i_spread *spread;
    const shoal_i_quasi *quasi;
    const shoal_i_sensitive *others; /* their hierarchies may be NULL */
    size_t other_count;
    const shoal_table *file; /* the release: all names it has, for "did you mean" */
} shoal_i_query_scope;

/* Fill a question from shoal_i_question_init. Errors name their place in the query:
 *   SHOAL_ENOTFOUND  no such column, or no such value in it; only what the user typed is shown
 *   SHOAL_EINVAL     a sum of texts, an order where there is none, no number where one
 *                    belongs */
shoal_status shoal_i_query_bind(shoal_ctx *ctx, shoal_i_question *out,
                                const shoal_i_query *query, const shoal_i_query_scope *scope);

#endif /* SHOAL_I_QUERY_BIND_H */

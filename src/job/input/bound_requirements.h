/* bound_requirements.h -- the requirements of a spec held against a table: which columns they
 * are about, which values they name.
 *
 * The original and the release that is verified have requirements of their own: shares of the
 * whole table are those of the file at hand.
 */
#ifndef SHOAL_I_BOUND_REQUIREMENTS_H
#define SHOAL_I_BOUND_REQUIREMENTS_H

#include "../../requirement/requirement.h"
#include "../../spec/mistakes.h"
#include "../../spec/spec.h"

/* Starts as {0}. The set points into the rest: it is moved, if at all, before it is built. */
typedef struct shoal_i_bound_requirements {
    shoal_i_requirement_set set;
    shoal_i_sensitive *sensitive;   /* in the order of the table's columns */
    shoal_hierarchy **hierarchies;  /* of each of them; NULL for those that need none */
    size_t sensitive_count;         /* 0 when no requirement reads them */
    const shoal_i_persons *persons; /* of the table's records; NULL: each is one of its own */
} shoal_i_bound_requirements;

/* What can be said before any file is read; every mistake is taken down. SHOAL_EINVAL: a
 * requirement about sensitive values, and no column or not the one it names is sensitive. */
shoal_status shoal_i_bound_requirements_check(shoal_i_mistakes *mistakes,
                                              const shoal_spec *spec);

/* Build them for a table, which is borrowed: its columns have the roles and types of the spec.
 * All mistakes are logged, each at its place in the spec. SHOAL_EINVAL: a named value that does
 * not occur or is named twice, a distance the column has no order or hierarchy for. Hierarchies
 * fail as their builders do. persons: whose records those of the table are, borrowed; then
 * persons are what is counted. NULL: records are. */
shoal_status shoal_i_bound_requirements_build(shoal_ctx *ctx, shoal_i_bound_requirements *out,
                                              const shoal_spec *spec, const shoal_table *table,
                                              const shoal_i_persons *persons);

/* The same for a table without the codes of its records: totals[column][code] says how often
 * each value occurs, in the sensitive columns at least. */
shoal_status shoal_i_bound_requirements_build_counted(shoal_ctx *ctx,
                                                      shoal_i_bound_requirements *out,
                                                      const shoal_spec *spec,
                                                      const shoal_table *table,
                                                      uint32_t *const *totals);

/* The same with hierarchies of sensitive columns that are there already, by column of the
 * table: those that are needed are taken and become NULL; others are built. given may be
 * NULL. With totals as well as persons, the totals are those of persons. */
shoal_status
shoal_i_bound_requirements_build_given(shoal_ctx *ctx, shoal_i_bound_requirements *out,
                                       const shoal_spec *spec, const shoal_table *table,
                                       uint32_t *const *totals, shoal_hierarchy **given,
                                       const shoal_i_persons *persons);

/* Whether a request joins values of a column of this name: how many persons have any of them is
 * no sum of how many have each. Those that do are numbered request by request, and column by
 * column of the table. */
bool shoal_i_request_joins(const shoal_i_requirement_request *request, const shoal_spec *spec,
                           const char *column);

/* {0} is allowed. */
void shoal_i_bound_requirements_clear(shoal_i_bound_requirements *requirements);

#endif /* SHOAL_I_BOUND_REQUIREMENTS_H */

/* prepare.h -- from a spec and a table to what methods and measures work on.
 *
 * The steps every run shares: read the table with the columns as the spec wants them, treat
 * missing values, build the hierarchies, code the quasi-identifier, collect the requirements.
 */
#ifndef SHOAL_I_PREPARE_H
#define SHOAL_I_PREPARE_H

#include "../../box/quasi.h"
#include "../../report/report.h"
#include "columns.h"
#include "bound_requirements.h"
#include "ready.h"

typedef struct shoal_i_prepared {
    shoal_table *table;
    size_t column_count;
    shoal_role *roles;             /* of each column */
    shoal_hierarchy **hierarchies; /* of each column; NULL for those without */
    shoal_i_quasi *quasi;
    shoal_i_bound_requirements requirements;
    uint32_t *record_k;       /* one per record; NULL when no column holds them */
    shoal_i_persons persons;  /* of each record; of is NULL when no column holds them */
    size_t dropped;           /* records left out because a value was missing */
    shoal_i_readied readied;  /* what is known of columns that were made ready; its table is
                                 above */
    const shoal_table *given; /* the table in memory that this was read from, held; NULL: a
                                 file was read */
    uint32_t *given_record;   /* its record of each record here; NULL: the same, none was left
                                 out */
} shoal_i_prepared;

/* Whose records they are; NULL when each is a person of its own. Borrowed. */
const shoal_i_persons *shoal_i_prepared_persons(const shoal_i_prepared *prepared);

/* What a report says of it. */
shoal_i_original shoal_i_prepared_original(const shoal_i_prepared *prepared);

/* Starts as {0}; clear leaves it so. */
void shoal_i_prepared_clear(shoal_i_prepared *prepared);

/* What can be said of a spec before any file is read. SHOAL_EINVAL: no quasi-identifier, a
 * weight or a hierarchy on a column without a role; with needs_requirement, no privacy
 * requirement, or one that lacks its column (bound_requirements.h). */
shoal_status shoal_i_prepare_check(shoal_ctx *ctx, const shoal_spec *spec,
                                   bool needs_requirement);

/* Read what is given and treat its missing values: fills table, roles, record_k, persons and
 * dropped.
 *   SHOAL_ENOTFOUND       columns of the spec that the file lacks; all are logged
 *   SHOAL_EFORMAT         a missing value or person where the spec allows none; a k that is no
 *                         whole number of at least 1
 *   SHOAL_EUNSATISFIABLE  no record is left */
shoal_status shoal_i_prepare_read(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                  const shoal_spec *spec, const shoal_i_given *input);

/* As shoal_i_prepare_read, by a reading of the original (columns.h). */
shoal_status shoal_i_prepare_by(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                shoal_i_reading *reading);

/* As shoal_i_prepare_read, of an original that is compared with a release and not released: its
 * sensitive columns are read as those of the release are. */
shoal_status shoal_i_prepare_original(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                      const shoal_spec *spec, const shoal_i_given *input);

/* As shoal_i_prepare_read for the quasi columns alone: the population that the records of a
 * release are from. */
shoal_status shoal_i_prepare_population(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                        const shoal_spec *spec, const shoal_i_given *given);

/* Build hierarchies and quasi from the table read. */
shoal_status shoal_i_prepare_quasi(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                   const shoal_spec *spec);

/* The quasi-identifier of another table with the same columns and values (table_part.h), by the
 * hierarchies that were built. */
shoal_status shoal_i_prepare_quasi_of(shoal_ctx *ctx, shoal_i_quasi **out,
                                      const shoal_i_prepared *prepared, const shoal_spec *spec,
                                      const shoal_table *table);

/* SHOAL_EFORMAT: this record, the first of `count`, lacks a value in this column. */
shoal_status shoal_i_prepare_fail_missing(shoal_ctx *ctx, const shoal_table *table, size_t row,
                                          size_t column, size_t count);
/* The same of a record without a person. */
shoal_status shoal_i_prepare_fail_nobody(shoal_ctx *ctx, const shoal_table *table, size_t row,
                                         size_t column, size_t count);

/* Fill the roles of the columns of the table. */
shoal_status shoal_i_prepare_roles(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                   const shoal_spec *spec);

/* Warn of columns that will be released as they are and are nearly unique, or seem to be
 * identifiers or known to others, and of quasi columns without type and hierarchy that a few
 * values keep from being numbers. */
shoal_status shoal_i_prepare_warn(shoal_ctx *ctx, const shoal_i_prepared *prepared,
                                  const shoal_spec *spec);

#endif /* SHOAL_I_PREPARE_H */

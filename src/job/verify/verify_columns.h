/* verify_columns.h -- a release in memory held against what was asked for: its columns as other
 * programs get them, out by an Arrow stream and in again. */
#ifndef SHOAL_I_VERIFY_COLUMNS_H
#define SHOAL_I_VERIFY_COLUMNS_H

#include "../../release/release_table.h"
#include "verify_previous.h"
#include "verify_release.h"

/* What a release was made from, and what it must meet; all borrowed. */
typedef struct shoal_i_promise {
    const shoal_spec *spec;
    const shoal_i_prepared *original;
    const shoal_i_bound_requirements *requirements;
    const shoal_i_population *population; /* its people are NULL where there is none */
    const shoal_i_previous *previous;     /* earlier releases; may be NULL, or have none */
} shoal_i_promise;

/* Hold what a reader received against the release that was made. record_of: the record that
 * each row stands for. */
shoal_status shoal_i_verify_received(shoal_ctx *ctx, shoal_i_verification *out,
                                     const shoal_i_received *received,
                                     const shoal_i_promise *promise,
                                     const shoal_i_release *made, const uint32_t *record_of);

/* The same for tables: read as their readers would. */
shoal_status shoal_i_verify_columns(shoal_ctx *ctx, shoal_i_verification *out,
                                    const shoal_i_release_tables *tables,
                                    const shoal_i_promise *promise,
                                    const shoal_i_release *made);

#endif /* SHOAL_I_VERIFY_COLUMNS_H */

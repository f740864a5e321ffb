#include "verify_columns.h"

#include <shoal/arrow.h>

/* The record whose values outside the quasi-identifier each row carries, where that is not the
 * one whose box it has. */
static shoal_status list_sources(shoal_ctx *ctx, uint32_t **out, const shoal_i_release *release,
                                 const uint32_t *record_of)
{
    shoal_status st = SHOAL_OK;

    *out = NULL;
    if (release->shape == SHOAL_I_SHAPE_RECORDS) {
        SHOAL_ALLOC(ctx, *out, release->row_count);
        for (size_t row = 0; row < release->row_count; row++) {
            (*out)[row] = shoal_i_release_source(release, record_of[row]);
        }
    }
done:
    return st;
}

shoal_status shoal_i_verify_received(shoal_ctx *ctx, shoal_i_verification *out,
                                     const shoal_i_received *received,
                                     const shoal_i_promise *promise,
                                     const shoal_i_release *made, const uint32_t *record_of)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_population *population = promise->population;
    uint32_t *values_of = NULL;

    SHOAL_TRY(list_sources(ctx, &values_of, made, record_of));
    SHOAL_TRY(shoal_i_verify_release(
        ctx, out, received,
        &(shoal_i_expected){
            .spec = promise->spec,
            .original = promise->original,
            .requirements = promise->requirements,
            .population = population->people ? &population->prepared : NULL,
            .shape = made->shape,
            .row_count = made->row_count,
            .record_of = record_of,
            .values_of = values_of,
        }));
    if (promise->previous && promise->previous->count > 0) {
        SHOAL_TRY(shoal_i_verify_previous(ctx, &out->in_previous, received, promise->previous,
                                          record_of));
    }
done:
    free(values_of);
    return st;
}

/* A table as another program gets it: out by a stream, and back. */
static shoal_status pass_through(shoal_ctx *ctx, shoal_table **out, const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    struct ArrowArrayStream stream;

    *out = NULL;
    if (table) {
        SHOAL_TRY(shoal_table_export(ctx, &stream, table));
        SHOAL_TRY(shoal_table_import(ctx, out, &stream));
    }
done:
    return st;
}

shoal_status shoal_i_verify_columns(shoal_ctx *ctx, shoal_i_verification *out,
                                    const shoal_i_release_tables *tables,
                                    const shoal_i_promise *promise, const shoal_i_release *made)
{
    shoal_status st = SHOAL_OK;
    const shoal_spec *spec = promise->spec;
    shoal_table *rows = NULL;
    shoal_table *sensitive = NULL;
    shoal_i_received received = {0};

    SHOAL_TRY(pass_through(ctx, &rows, tables->rows));
    SHOAL_TRY(pass_through(ctx, &sensitive, tables->sensitive));
    SHOAL_TRY(shoal_i_received_read(
        ctx, &received, spec,
        &(shoal_i_given_release){.rows = shoal_i_given_table(rows), .sensitive = sensitive}, 0,
        shoal_i_spec_reads_sensitive(spec)));
    SHOAL_TRY(shoal_i_verify_received(ctx, out, &received, promise, made, tables->record_of));
done:
    shoal_i_received_clear(&received);
    shoal_table_free(rows);
    shoal_table_free(sensitive);
    return st;
}

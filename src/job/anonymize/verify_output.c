/* What the verifiers of all shapes share: reading back what is about to be published, and holding
 * its classes against the requirements. */
#include "making.h"

#include <inttypes.h>

shoal_status shoal_i_read_back(shoal_ctx *ctx, shoal_i_released *out,
                               const shoal_i_making *making)
{
    shoal_status st = SHOAL_OK;
    shoal_i_released released = {0};

    SHOAL_TRY(shoal_i_released_read_known(
        ctx, &released, making->spec, shoal_i_output_temporary(making->output),
        making->table_output ? shoal_i_output_temporary(making->table_output) : NULL,
        making->spec->output_delimiter, shoal_i_spec_reads_sensitive(making->spec)));
    if (shoal_table_row_count(released.table) != making->release->row_count) {
        st = shoal_i_fail(ctx, SHOAL_EREJECTED,
                          "The release reads back with %zu records instead of %zu; nothing was "
                          "written.",
                          shoal_table_row_count(released.table), making->release->row_count);
        goto done;
    }
    *out = released;
    released = (shoal_i_released){0};
done:
    shoal_i_released_clear(&released);
    return st;
}

/* The k of the record behind each written line. */
static shoal_status order_record_k(shoal_ctx *ctx, uint32_t **out, const shoal_i_making *making)
{
    shoal_status st = SHOAL_OK;
    size_t count = making->release->row_count;
    uint32_t *ordered = NULL;

    if (making->prepared.record_k) {
        SHOAL_ALLOC(ctx, ordered, count);
        for (size_t i = 0; i < count; i++) {
            ordered[i] = making->prepared.record_k[making->row_order[i]];
        }
    }
    *out = ordered;
done:
    return st;
}

/* Name the first requirement that does not hold. */
static shoal_status reject(shoal_ctx *ctx, const shoal_i_making *making)
{
    const shoal_i_verdict_item *item = making->verdict.items;

    while (item->holds) {
        item++;
    }
    return shoal_i_fail(ctx, SHOAL_EREJECTED,
                        "The verifier found %" PRIu64
                        " %s that do not meet %s; nothing was written. This is a defect "
                        "of the method, please report it.",
                        item->failing_classes,
                        making->release->shape == SHOAL_I_SHAPE_BUCKETS ? "buckets" : "classes",
                        item->requirement.kind->title);
}

shoal_status shoal_i_verify_requirements(shoal_ctx *ctx, shoal_i_making *making,
                                         const shoal_i_released *released,
                                         const size_t *columns, size_t column_count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_demands demands = {0};
    uint32_t *record_k = NULL;
    uint64_t *people = NULL;

    SHOAL_TRY(order_record_k(ctx, &record_k, making));
    SHOAL_TRY(shoal_i_demands_build(ctx, &demands, making->spec, released->table));
    if (making->people) {
        SHOAL_TRY(shoal_i_population_count(ctx, &people, &making->population, released));
    }
    SHOAL_TRY(shoal_i_verify(ctx, &making->verdict, released->table, columns, column_count,
                             &demands.set, &(shoal_i_row_facts){record_k, people}));
    for (size_t i = 0; i < making->verdict.count; i++) {
        making->verdict.items[i].requirement = making->prepared.demands.set.items[i];
    }
    if (!making->verdict.holds) {
        SHOAL_TRY(reject(ctx, making));
    }
done:
    free(record_k);
    free(people);
    shoal_i_demands_clear(&demands);
    return st;
}

/* What the verifiers of all shapes share: the number of rows, and classes held against the
 * requirements. */
#include "verify_release.h"

#include "../../table/table_part.h"

#include <inttypes.h>

static shoal_status check_rows(shoal_ctx *ctx, const shoal_i_received *received,
                               const shoal_i_expected *expected)
{
    size_t rows = shoal_table_row_count(received->table);

    if (rows != expected->row_count) {
        return shoal_i_fail(ctx, SHOAL_EREJECTED,
                            "The release reads back with %zu records instead of %zu; nothing "
                            "was written.",
                            rows, expected->row_count);
    }
    return SHOAL_OK;
}

/* The k of the record behind each row. */
static shoal_status order_record_k(shoal_ctx *ctx, uint32_t **out,
                                   const shoal_i_expected *expected)
{
    shoal_status st = SHOAL_OK;
    uint32_t *ordered = NULL;

    if (expected->original->record_k) {
        SHOAL_ALLOC(ctx, ordered, expected->row_count);
        for (size_t i = 0; i < expected->row_count; i++) {
            ordered[i] = expected->original->record_k[expected->record_of[i]];
        }
    }
    *out = ordered;
done:
    return st;
}

/* Name the first requirement that does not hold. */
static shoal_status reject(shoal_ctx *ctx, const shoal_i_verdict *verdict, shoal_i_shape shape)
{
    const shoal_i_verdict_item *item = verdict->items;

    while (item->holds) {
        item++;
    }
    return shoal_i_fail(ctx, SHOAL_EREJECTED,
                        "The verifier found %" PRIu64
                        " %s that do not meet %s; nothing was written. This is a defect "
                        "of the method, please report it.",
                        item->failing_classes,
                        shape == SHOAL_I_SHAPE_BUCKETS ? "buckets" : "classes",
                        item->requirement.kind->title);
}

/* Where persons are counted, a value must be that of its person. In buckets rows do not tell:
 * so of those the values of the records behind them are taken, which verify_buckets.c finds to
 * be the published ones, bucket by bucket. *out stays NULL where rows tell themselves. */
static shoal_status find_own_values(shoal_ctx *ctx, shoal_table **out,
                                    const shoal_i_expected *expected)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_prepared *original = expected->original;
    bool *is_wanted = NULL;

    if (!original->persons.of || expected->shape != SHOAL_I_SHAPE_BUCKETS) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, is_wanted, original->column_count);
    for (size_t i = 0; i < original->column_count; i++) {
        is_wanted[i] = original->roles[i] == SHOAL_ROLE_SENSITIVE;
    }
    SHOAL_TRY(shoal_i_table_reorder(ctx, out, original->table, expected->record_of, is_wanted));
done:
    free(is_wanted);
    return st;
}

shoal_status shoal_i_verify_requirements(shoal_ctx *ctx, shoal_i_verification *out,
                                         const shoal_i_received *received,
                                         const shoal_i_expected *expected,
                                         const shoal_i_row_classes *classes)
{
    shoal_status st = SHOAL_OK;
    shoal_i_bound_requirements requirements = {0};
    uint32_t *record_k = NULL;
    uint64_t *people = NULL;
    shoal_i_persons persons = {0}; /* of the rows */
    bool has_persons = expected->original->persons.of != NULL;
    shoal_table *own_values = NULL;

    SHOAL_TRY(order_record_k(ctx, &record_k, expected));
    SHOAL_TRY(find_own_values(ctx, &own_values, expected));
    if (has_persons) {
        SHOAL_TRY(shoal_i_persons_init_rows(ctx, &persons, &expected->original->persons,
                                            expected->record_of, expected->row_count));
    }
    SHOAL_TRY(shoal_i_bound_requirements_build(ctx, &requirements, expected->spec,
                                               own_values ? own_values : received->table,
                                               has_persons ? &persons : NULL));
    if (expected->population) {
        SHOAL_TRY(shoal_i_population_count(ctx, &people, expected->population, received,
                                           has_persons, has_persons ? &persons : NULL));
    }
    SHOAL_TRY(shoal_i_verify(ctx, &out->verdict, received->table, classes->columns,
                             classes->column_count, &requirements.set,
                             &(shoal_i_row_facts){.k = record_k,
                                                  .population = people,
                                                  .persons = has_persons ? &persons : NULL,
                                                  .classes = classes->of ? classes : NULL}));
    shoal_i_verdict_speak_of(&out->verdict, &expected->requirements->set);
    if (!out->verdict.holds) {
        SHOAL_TRY(reject(ctx, &out->verdict, expected->shape));
    }
done:
    free(record_k);
    free(people);
    shoal_i_persons_clear(&persons);
    shoal_i_bound_requirements_clear(&requirements);
    shoal_table_free(own_values);
    return st;
}

shoal_status shoal_i_verify_release(shoal_ctx *ctx, shoal_i_verification *out,
                                    const shoal_i_received *received,
                                    const shoal_i_expected *expected)
{
    shoal_status st = SHOAL_OK;

    *out = (shoal_i_verification){0};
    SHOAL_TRY(check_rows(ctx, received, expected));
    switch (expected->shape) {
    case SHOAL_I_SHAPE_CLASSES:
        SHOAL_TRY(shoal_i_verify_classes(ctx, out, received, expected));
        break;
    case SHOAL_I_SHAPE_RECORDS:
        SHOAL_TRY(shoal_i_verify_boxes(ctx, out, received, expected));
        break;
    case SHOAL_I_SHAPE_BUCKETS:
        SHOAL_TRY(shoal_i_verify_buckets(ctx, out, received, expected));
        break;
    }
done:
    return st;
}

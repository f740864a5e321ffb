/* What a sensitive column allows: the strictest parameters that the whole table as one class
 * meets, and that no release of it can surpass. */
#include "inspect.h"

#include <math.h>

/* The best parameter of one kind; NaN when none holds. */
static shoal_status find_best(shoal_ctx *ctx, double *out, const shoal_i_requirement *wish,
                              const shoal_i_class_stats *whole)
{
    shoal_status st = SHOAL_OK;
    shoal_i_requirement_set set = {0};

    SHOAL_TRY(shoal_i_requirement_add_item(ctx, &set, wish));
    *out = shoal_i_requirement_best_possible(&set.items[0], whole);
    *out = *out > 0 ? *out : NAN;
done:
    shoal_i_requirement_set_clear(&set);
    return st;
}

static shoal_status find_all(shoal_ctx *ctx, shoal_i_bounds *out,
                             const shoal_i_sensitive *column, const shoal_i_class_stats *whole)
{
    shoal_status st = SHOAL_OK;
    const struct {
        const shoal_i_requirement_kind *kind;
        double *best;
    } wishes[] = {
        {&shoal_i_alpha_general, &out->alpha},     {&shoal_i_l_frequency, &out->l_frequency},
        {&shoal_i_l_distinct, &out->l_distinct},   {&shoal_i_l_entropy, &out->l_entropy},
        {&shoal_i_l_recursive, &out->l_recursive},
    };

    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        shoal_i_requirement wish = {
            .kind = wishes[i].kind, .value = 1, .c = SHOAL_I_BOUNDS_C, .column = column};

        SHOAL_TRY(find_best(ctx, wishes[i].best, &wish, whole));
    }
done:
    return st;
}

shoal_status shoal_i_inspect_bounds(shoal_ctx *ctx, shoal_i_bounds *out,
                                    const shoal_table *table, size_t column,
                                    const shoal_i_persons *persons)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sensitive sensitive = {0};
    uint32_t *present = NULL;

    const shoal_i_sameness same = {.has_numbers = true};

    SHOAL_TRY(shoal_i_sensitive_init(ctx, &sensitive, table, column, NULL, &same));
    if (persons) {
        SHOAL_TRY(shoal_i_sensitive_count_persons(ctx, &sensitive, persons));
    }
    SHOAL_ALLOC(ctx, present, sensitive.value_count);
    for (size_t i = 0; i < sensitive.value_count; i++) {
        present[i] = (uint32_t)i;
    }
    shoal_i_histogram histogram = {.counts = sensitive.totals,
                                   .present = present,
                                   .present_count = sensitive.value_count,
                                   .total = sensitive.total};
    shoal_i_class_stats whole = {.size = shoal_table_row_count(table),
                                 .persons =
                                     persons ? persons->count : shoal_table_row_count(table),
                                 .histograms = &histogram};

    SHOAL_TRY(find_all(ctx, out, &sensitive, &whole));
done:
    free(present);
    shoal_i_sensitive_clear(&sensitive);
    return st;
}

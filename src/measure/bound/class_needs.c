#include "class_needs.h"

#include "../../base/fail.h"

void shoal_i_class_needs_clear(shoal_i_class_needs *needs)
{
    for (size_t i = 0; needs->tallies && i < needs->tally_count; i++) {
        shoal_i_tally_clear(&needs->tallies[i]);
    }
    free(needs->tallies);
    free(needs->sizes);
    *needs = (shoal_i_class_needs){0};
}

/* Raise what records need to what one requirement asks of the classes with their values. */
static shoal_status raise_sizes(shoal_ctx *ctx, shoal_i_class_needs *needs,
                                const shoal_i_requirement *requirement, size_t row_count)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_sensitive *column = requirement->column;
    uint64_t *sizes = NULL;

    if (!requirement->kind->needs_sensitive || !column->codes) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, sizes, column->value_count);
    for (uint32_t code = 0; code < column->value_count; code++) {
        sizes[code] = shoal_i_necessary_size(requirement, code);
    }
    for (size_t i = 0; i < row_count; i++) {
        uint64_t size = sizes[column->codes[i]];

        needs->sizes[i] = size > needs->sizes[i] ? (uint32_t)size : needs->sizes[i];
    }
done:
    free(sizes);
    return st;
}

shoal_status shoal_i_class_needs_init(shoal_ctx *ctx, shoal_i_class_needs *needs,
                                      const shoal_i_requirement_set *set,
                                      const shoal_i_tally_source *source,
                                      const uint32_t *record_k, size_t row_count)
{
    shoal_status st = SHOAL_OK;

    *needs = (shoal_i_class_needs){.set = set,
                                   .source = source,
                                   .smallest = shoal_i_requirement_smallest_class(set),
                                   .total = shoal_i_necessary_total(set)};
    uint32_t smallest = needs->smallest < UINT32_MAX ? (uint32_t)needs->smallest : UINT32_MAX;

    SHOAL_ALLOC(ctx, needs->sizes, row_count);
    for (size_t i = 0; i < row_count; i++) {
        needs->sizes[i] = record_k && record_k[i] > smallest ? record_k[i] : smallest;
    }
    for (size_t i = 0; source && i < set->count; i++) {
        SHOAL_TRY(raise_sizes(ctx, needs, &set->items[i], row_count));
    }
done:
    return st;
}

shoal_status shoal_i_class_needs_for(shoal_ctx *ctx, shoal_i_class_needs *needs,
                                     const shoal_i_distinct *points)
{
    shoal_status st = SHOAL_OK;

    needs->points = points;
    if (shoal_i_class_needs_more(needs)) {
        needs->tally_count = (size_t)shoal_ctx_thread_count(ctx);
        SHOAL_ALLOC(ctx, needs->tallies, needs->tally_count);
        for (size_t i = 0; i < needs->tally_count; i++) {
            SHOAL_TRY(shoal_i_tally_init(ctx, &needs->tallies[i], needs->source));
        }
    }
done:
    return st;
}

shoal_i_tally *shoal_i_class_needs_tally(const shoal_i_class_needs *needs, size_t worker)
{
    shoal_i_tally_empty(&needs->tallies[worker]);
    return &needs->tallies[worker];
}

void shoal_i_class_needs_add(const shoal_i_class_needs *needs, shoal_i_tally *tally,
                             uint32_t point)
{
    const shoal_i_distinct *points = needs->points;

    shoal_i_tally_add_list(tally, points->records + points->first[point],
                           points->weights[point]);
}

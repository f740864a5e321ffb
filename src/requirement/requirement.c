#include "requirement.h"

#include <string.h>

static const shoal_i_requirement_kind *const kinds[] = {
    &shoal_i_k_anonymity,
    &shoal_i_personal_k,
};

const shoal_i_requirement_kind *shoal_i_requirement_find(const char *key)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i]->key, key) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}

shoal_status shoal_i_requirement_add(shoal_ctx *ctx, shoal_i_requirement_set *set,
                                     const shoal_i_requirement_kind *kind, double value)
{
    if (set->count == SHOAL_I_REQUIREMENTS_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "At most %d requirements can be combined.",
                            SHOAL_I_REQUIREMENTS_MAX);
    }
    if (kind->check_value && !kind->check_value(value)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "%s expects %s; got %g.", kind->title,
                            kind->value_range, value);
    }
    set->items[set->count++] = (shoal_i_requirement){.kind = kind, .value = value};
    return SHOAL_OK;
}

bool shoal_i_requirement_holds(const shoal_i_requirement_set *set,
                               const shoal_i_class_stats *stats)
{
    double figure = 0;

    for (size_t i = 0; i < set->count; i++) {
        if (!set->items[i].kind->check(&set->items[i], stats, &figure)) {
            return false;
        }
    }
    return true;
}

uint64_t shoal_i_requirement_smallest_class(const shoal_i_requirement_set *set)
{
    uint64_t smallest = 1;

    for (size_t i = 0; i < set->count; i++) {
        uint64_t size = set->items[i].kind->smallest_class(&set->items[i]);

        smallest = size > smallest ? size : smallest;
    }
    return smallest;
}

bool shoal_i_requirement_needs_record_k(const shoal_i_requirement_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].kind->needs_record_k) {
            return true;
        }
    }
    return false;
}

bool shoal_i_requirement_is_monotone(const shoal_i_requirement_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        if (!set->items[i].kind->is_monotone) {
            return false;
        }
    }
    return true;
}

shoal_status shoal_i_requirement_check_possible(shoal_ctx *ctx,
                                                const shoal_i_requirement_set *set,
                                                const shoal_i_class_stats *whole)
{
    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement *item = &set->items[i];
        double figure = 0;

        if (!item->kind->check(item, whole, &figure)) {
            item->kind->explain_impossible(item, whole, ctx);
            return ctx->error.status;
        }
    }
    return SHOAL_OK;
}

#include "requirement.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const shoal_i_requirement_kind *const shoal_i_requirement_kinds[] = {
    &shoal_i_k_anonymity,
    &shoal_i_personal_k,
    &shoal_i_alpha_general,
    &shoal_i_alpha_values,
    &shoal_i_alpha_limits,
    &shoal_i_l_frequency,
    &shoal_i_l_distinct,
    &shoal_i_l_entropy,
    &shoal_i_l_recursive,
    &shoal_i_t_js,
    &shoal_i_t_equal,
    &shoal_i_t_ordered,
    &shoal_i_t_hierarchical,
    &shoal_i_delta_disclosure,
    &shoal_i_beta_basic,
    &shoal_i_beta_enhanced,
    &shoal_i_k_map,
    &shoal_i_presence_most,
    &shoal_i_presence_between,
    NULL,
};

const shoal_i_requirement_kind *shoal_i_requirement_find(const char *key)
{
    const shoal_i_requirement_kind *const *kind = shoal_i_requirement_kinds;

    while (*kind && strcmp((*kind)->key, key) != 0) {
        kind++;
    }
    return *kind;
}

const shoal_i_requirement_kind *shoal_i_requirement_find_variant(const char *key,
                                                                 const char *variant)
{
    const shoal_i_requirement_kind *const *kind = shoal_i_requirement_kinds;

    while (*kind && (!(*kind)->variant || strcmp((*kind)->key, key) != 0 ||
                     strcmp((*kind)->variant, variant) != 0)) {
        kind++;
    }
    return *kind;
}

/* Copy codes and limits into the set, which outlives what the caller has them in. */
static shoal_status copy_named_values(shoal_ctx *ctx, shoal_i_requirement *item,
                                      shoal_i_arena *arena)
{
    size_t count = item->code_count;

    if (count > 0) {
        uint32_t *codes = shoal_i_arena_alloc(ctx, arena, count, sizeof *codes);

        if (!codes) {
            return SHOAL_ENOMEM;
        }
        memcpy(codes, item->codes, count * sizeof *codes);
        item->codes = codes;
    }
    if (count > 0 && item->limits) {
        double *limits = shoal_i_arena_alloc(ctx, arena, count, sizeof *limits);

        if (!limits) {
            return SHOAL_ENOMEM;
        }
        memcpy(limits, item->limits, count * sizeof *limits);
        item->limits = limits;
    }
    return SHOAL_OK;
}

shoal_status shoal_i_requirement_add(shoal_ctx *ctx, shoal_i_requirement_set *set,
                                     const shoal_i_requirement_kind *kind, double value)
{
    return shoal_i_requirement_add_item(ctx, set,
                                        &(shoal_i_requirement){.kind = kind, .value = value});
}

shoal_status shoal_i_requirement_add_item(shoal_ctx *ctx, shoal_i_requirement_set *set,
                                          const shoal_i_requirement *wish)
{
    shoal_status st = SHOAL_OK;
    shoal_i_requirement item = *wish;
    const shoal_i_requirement_kind *kind = item.kind;

    if (set->count == SHOAL_I_REQUIREMENTS_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "At most %d requirements can be combined.",
                            SHOAL_I_REQUIREMENTS_MAX);
    }
    if (kind->check_value && !kind->check_value(item.value)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "%s expects %s; got %g.", kind->title,
                            kind->value_range, item.value);
    }
    if (kind->needs_sensitive && !item.column) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "%s is about a sensitive column; give a column that role.",
                            kind->title);
    }
    item.counts_persons = set->counts_persons;
    if (item.counts_persons && kind == &shoal_i_alpha_values && item.code_count > 1 &&
        item.joined == 0) {
        item.joined = ++set->joined_count;
    }
    SHOAL_TRY(copy_named_values(ctx, &item, &set->arena));
    if (kind->prepare) {
        SHOAL_TRY(kind->prepare(ctx, &item, &set->arena));
    }
    set->items[set->count++] = item;
done:
    return st;
}

void shoal_i_requirement_set_clear(shoal_i_requirement_set *set)
{
    shoal_i_arena_clear(&set->arena);
    set->count = 0;
}

static bool holds_one(const shoal_i_requirement *item, const shoal_i_class_stats *stats)
{
    const shoal_i_requirement_kind *kind = item->kind;
    shoal_i_glance glance = kind->glance ? kind->glance(item, stats) : SHOAL_I_GLANCE_UNSURE;
    double figure = 0;

    return glance == SHOAL_I_GLANCE_UNSURE ? kind->check(item, stats, &figure)
                                           : glance == SHOAL_I_GLANCE_HOLDS;
}

bool shoal_i_requirement_holds(const shoal_i_requirement_set *set,
                               const shoal_i_class_stats *stats)
{
    for (size_t i = 0; i < set->count; i++) {
        assert(stats->histograms || !set->items[i].kind->needs_sensitive);
        if (!holds_one(&set->items[i], stats)) {
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

bool shoal_i_requirement_needs_sensitive(const shoal_i_requirement_set *set)
{
    bool needs = false;

    for (size_t i = 0; i < set->count; i++) {
        needs = needs || set->items[i].kind->needs_sensitive;
    }
    return needs;
}

bool shoal_i_requirement_needs_record_k(const shoal_i_requirement_set *set)
{
    bool needs = false;

    for (size_t i = 0; i < set->count; i++) {
        needs = needs || set->items[i].kind->needs_record_k;
    }
    return needs;
}

bool shoal_i_requirement_needs_population(const shoal_i_requirement_set *set)
{
    bool needs = false;

    for (size_t i = 0; i < set->count; i++) {
        needs = needs || set->items[i].kind->needs_population;
    }
    return needs;
}

bool shoal_i_requirement_is_monotone(const shoal_i_requirement_set *set, bool repeats)
{
    bool is_monotone = true;

    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement_kind *kind = set->items[i].kind;

        is_monotone =
            is_monotone && (repeats ? kind->is_monotone_in_persons : kind->is_monotone);
    }
    return is_monotone;
}

const char *shoal_i_requirement_unit(const shoal_i_requirement *requirement)
{
    return requirement->counts_persons ? "person" : "record";
}

double shoal_i_requirement_best_possible(const shoal_i_requirement *requirement,
                                         const shoal_i_class_stats *whole)
{
    const shoal_i_requirement_kind *kind = requirement->kind;
    double figure = NAN;

    if (kind->best_possible) {
        figure = kind->best_possible(requirement, whole);
    } else if (kind->check_value) {
        kind->check(requirement, whole, &figure);
    }
    return figure;
}

double shoal_i_requirement_bound(const shoal_i_requirement *requirement)
{
    return requirement->kind->bound ? requirement->kind->bound(requirement)
                                    : requirement->value;
}

shoal_status shoal_i_requirement_check_possible(shoal_ctx *ctx,
                                                const shoal_i_requirement_set *set,
                                                const shoal_i_class_stats *whole)
{
    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement *item = &set->items[i];
        double figure = 0;

        if (item->kind->check(item, whole, &figure)) {
            continue;
        }
        if (!item->kind->explain_impossible) {
            return shoal_i_fail(ctx, SHOAL_EUNSATISFIABLE,
                                "%s of %g cannot be met: the whole table as one class has %g.",
                                item->kind->title, item->value, figure);
        }
        item->kind->explain_impossible(item, whole, ctx);
        return ctx->error.status;
    }
    return SHOAL_OK;
}

/* A copy of a spec: all that its arena and its arrays hold, once more. */
#include "spec.h"

#include "../base/entry.h"
#include "../table/table_hold.h"

/* Put an array into the arena of the copy; NULL stays. */
static shoal_status keep_bytes(shoal_ctx *ctx, shoal_i_arena *arena, const void **array,
                               size_t count, size_t size)
{
    if (!*array) {
        return SHOAL_OK;
    }
    void *copy = shoal_i_arena_alloc(ctx, arena, count, size);

    if (!copy) {
        return SHOAL_ENOMEM;
    }
    if (count > 0) {
        memcpy(copy, *array, count * size);
    }
    *array = copy;
    return SHOAL_OK;
}

#define KEEP(field, count)                                                                     \
    do {                                                                                       \
        const void *kept = (field);                                                            \
        SHOAL_TRY(keep_bytes(ctx, arena, &kept, (count), sizeof *(field)));                    \
        (field) = kept;                                                                        \
    } while (0)

static shoal_status keep_text(shoal_ctx *ctx, shoal_i_arena *arena, const char **text)
{
    shoal_status st = SHOAL_OK;

    if (*text) {
        KEEP(*text, strlen(*text) + 1);
    }
done:
    return st;
}

static shoal_status keep_texts(shoal_ctx *ctx, shoal_i_arena *arena, const char *const **texts,
                               size_t count)
{
    shoal_status st = SHOAL_OK;
    const char **copies = NULL;

    if (!*texts) {
        return SHOAL_OK;
    }
    copies = shoal_i_arena_alloc(ctx, arena, count, sizeof *copies);
    if (!copies) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        copies[i] = (*texts)[i];
        SHOAL_TRY(keep_text(ctx, arena, &copies[i]));
    }
    *texts = copies;
done:
    return st;
}

static shoal_status keep_plan(shoal_ctx *ctx, shoal_i_arena *arena,
                              shoal_i_hierarchy_plan *plan)
{
    shoal_status st = SHOAL_OK;
    shoal_group_weight *weights = NULL;

    SHOAL_TRY(keep_text(ctx, arena, &plan->path));
    SHOAL_TRY(keep_text(ctx, arena, &plan->other));
    SHOAL_TRY(keep_text(ctx, arena, &plan->separators));
    KEEP(plan->numbers, plan->number_count);
    KEEP(plan->starts, plan->level_count + 1);
    if (plan->weights) {
        weights = shoal_i_arena_alloc(ctx, arena, plan->weight_count, sizeof *weights);
        if (!weights) {
            return SHOAL_ENOMEM;
        }
    }
    for (size_t i = 0; i < plan->weight_count; i++) {
        weights[i] = plan->weights[i];
        SHOAL_TRY(keep_text(ctx, arena, &weights[i].label));
    }
    plan->weights = weights;
done:
    return st;
}

static shoal_status keep_request(shoal_ctx *ctx, shoal_i_arena *arena,
                                 shoal_i_requirement_request *request)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(keep_text(ctx, arena, &request->column));
    SHOAL_TRY(keep_texts(ctx, arena, &request->values, request->value_count));
    KEEP(request->limits, request->value_count);
    SHOAL_TRY(keep_text(ctx, arena, &request->place.source));
done:
    return st;
}

static shoal_status keep_sweep(shoal_ctx *ctx, shoal_i_arena *arena, shoal_i_sweep *sweep)
{
    shoal_status st = SHOAL_OK;
    shoal_i_requirement_request *requests =
        shoal_i_arena_alloc(ctx, arena, sweep->request_capacity, sizeof *requests);

    if (!requests) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < sweep->request_count; i++) {
        requests[i] = sweep->requests[i];
        SHOAL_TRY(keep_request(ctx, arena, &requests[i]));
    }
    sweep->requests = requests;
    for (size_t i = 0; i < sweep->method_count; i++) {
        SHOAL_TRY(keep_text(ctx, arena, &sweep->methods[i].text));
    }
done:
    return st;
}

static void hold_table(const shoal_table *table)
{
    if (table) {
        shoal_i_table_hold(table);
    }
}

/* The arrays of columns, which belong to the copy from here on. */
static shoal_status keep_columns(shoal_ctx *ctx, shoal_spec *copy, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, copy->columns, spec->column_capacity);
    SHOAL_ALLOC(ctx, copy->slots, spec->slot_count);
    copy->column_count = spec->column_count;
    copy->column_capacity = spec->column_capacity;
    copy->slot_count = spec->slot_count;
    if (spec->slot_count > 0) {
        memcpy(copy->slots, spec->slots, spec->slot_count * sizeof *spec->slots);
    }
    for (size_t i = 0; i < spec->column_count; i++) {
        shoal_i_spec_column *column = &copy->columns[i];

        *column = spec->columns[i];
        hold_table(column->plan.levels);
        hold_table(column->populations.levels);
        SHOAL_TRY(keep_text(ctx, &copy->arena, &column->name));
        SHOAL_TRY(keep_text(ctx, &copy->arena, &column->original));
        SHOAL_TRY(keep_text(ctx, &copy->arena, &column->place.source));
        SHOAL_TRY(keep_plan(ctx, &copy->arena, &column->plan));
        SHOAL_TRY(keep_plan(ctx, &copy->arena, &column->populations));
        for (size_t t = 0; t < SHOAL_I_COLUMN_TEXTS; t++) {
            SHOAL_TRY(keep_text(ctx, &copy->arena, &column->texts[t]));
        }
    }
done:
    return st;
}

static shoal_status keep_settings(shoal_ctx *ctx, shoal_spec *copy)
{
    shoal_status st = SHOAL_OK;
    shoal_i_arena *arena = &copy->arena;
    const char **const texts[] = {
        &copy->k_column,       &copy->population,      &copy->frontier_plot,
        &copy->temporary,      &copy->sensitive_table, &copy->comment,
        &copy->date_format,    &copy->report_title,    &copy->report_author,
        &copy->report_purpose, &copy->report_date};
    const char *const *tokens = copy->missing_tokens;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        SHOAL_TRY(keep_text(ctx, arena, texts[i]));
    }
    for (size_t i = 0; i < SHOAL_I_SETTINGS_MAX; i++) {
        SHOAL_TRY(keep_text(ctx, arena, &copy->places[i].source));
    }
    for (size_t i = 0; i < copy->previous_count; i++) {
        SHOAL_TRY(keep_text(ctx, arena, &copy->previous[i]));
    }
    SHOAL_TRY(keep_texts(ctx, arena, &tokens, copy->missing_token_count));
    copy->missing_tokens = (const char **)tokens;
    tokens = copy->sign_off;
    SHOAL_TRY(keep_texts(ctx, arena, &tokens, copy->sign_off_count));
    copy->sign_off = (const char **)tokens;
    for (size_t i = 0; i < copy->request_count; i++) {
        SHOAL_TRY(keep_request(ctx, arena, &copy->requests[i]));
    }
    SHOAL_TRY(keep_sweep(ctx, arena, &copy->sweep));
done:
    return st;
}

shoal_status shoal_spec_copy(shoal_ctx *ctx, shoal_spec **out, const shoal_spec *spec)
{
    SHOAL_ENTER_FOR(ctx, out, spec);
    shoal_status st = SHOAL_OK;
    shoal_spec *copy = NULL;

    SHOAL_ALLOC(ctx, copy, 1);
    *copy = *spec;
    copy->arena = (shoal_i_arena){0};
    copy->columns = NULL;
    copy->column_count = 0;
    copy->slots = NULL;
    hold_table(copy->population_table);
    SHOAL_TRY(keep_columns(ctx, copy, spec));
    SHOAL_TRY(keep_settings(ctx, copy));
    *out = copy;
    copy = NULL;
done:
    shoal_spec_free(copy);
    return st;
}

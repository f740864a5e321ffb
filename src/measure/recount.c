#include "recount.h"

/* Which columns the requirements read. */
static shoal_status list_columns(shoal_ctx *ctx, shoal_i_recount *r,
                                 const shoal_i_requirement_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        size_t index = set->items[i].column_index;

        if (set->items[i].kind->needs_sensitive && index >= r->column_count) {
            r->column_count = index + 1;
        }
    }
    r->columns = shoal_i_arena_alloc(ctx, &r->arena, r->column_count, sizeof *r->columns);
    r->histograms = shoal_i_arena_alloc(ctx, &r->arena, r->column_count, sizeof *r->histograms);
    r->counts = shoal_i_arena_alloc(ctx, &r->arena, r->column_count, sizeof *r->counts);
    r->present = shoal_i_arena_alloc(ctx, &r->arena, r->column_count, sizeof *r->present);
    r->turns = shoal_i_arena_alloc(ctx, &r->arena, r->column_count, sizeof *r->turns);
    r->joined = shoal_i_arena_alloc(ctx, &r->arena, set->joined_count, sizeof *r->joined);
    r->joined_counts =
        shoal_i_arena_alloc(ctx, &r->arena, set->joined_count, sizeof *r->joined_counts);
    r->joined_turns =
        shoal_i_arena_alloc(ctx, &r->arena, set->joined_count, sizeof *r->joined_turns);
    if (!r->columns || !r->histograms || !r->counts || !r->present || !r->turns || !r->joined ||
        !r->joined_counts || !r->joined_turns) {
        return SHOAL_ENOMEM;
    }
    for (size_t j = 0; j < set->joined_count; j++) {
        r->joined[j].counts = r->joined_counts[j];
    }
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].kind->needs_sensitive) {
            r->columns[set->items[i].column_index] = set->items[i].column;
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_i_recount_init(shoal_ctx *ctx, shoal_i_recount *recount,
                                  const shoal_i_requirement_set *set)
{
    shoal_status st = SHOAL_OK;

    *recount = (shoal_i_recount){.set = set};
    if (!shoal_i_requirement_needs_sensitive(set)) {
        return SHOAL_OK;
    }
    SHOAL_TRY(list_columns(ctx, recount, set));
    for (size_t i = 0; i < recount->column_count; i++) {
        size_t values = recount->columns[i] ? recount->columns[i]->value_count : 0;

        recount->counts[i] =
            shoal_i_arena_alloc(ctx, &recount->arena, values, sizeof **recount->counts);
        recount->present[i] =
            shoal_i_arena_alloc(ctx, &recount->arena, values, sizeof **recount->present);
        recount->turns[i] =
            shoal_i_arena_alloc(ctx, &recount->arena, values, sizeof **recount->turns);
        if (!recount->counts[i] || !recount->present[i] || !recount->turns[i]) {
            st = SHOAL_ENOMEM;
            goto done;
        }
        recount->histograms[i] =
            (shoal_i_histogram){.counts = recount->counts[i], .present = recount->present[i]};
    }
done:
    if (st != SHOAL_OK) {
        shoal_i_recount_clear(recount);
    }
    return st;
}

void shoal_i_recount_clear(shoal_i_recount *recount)
{
    shoal_i_arena_clear(&recount->arena);
    *recount = (shoal_i_recount){0};
}

void shoal_i_recount_empty(shoal_i_recount *recount)
{
    for (size_t i = 0; i < recount->column_count; i++) {
        shoal_i_histogram *histogram = &recount->histograms[i];

        for (size_t k = 0; k < histogram->present_count; k++) {
            recount->counts[i][recount->present[i][k]] = 0;
        }
        histogram->present_count = 0;
        histogram->total = 0;
    }
    for (size_t j = 0; recount->joined && j < recount->set->joined_count; j++) {
        recount->joined_counts[j][0] = 0;
        recount->joined_counts[j][1] = 0;
    }
}

void shoal_i_recount_add_once(shoal_i_recount *recount, size_t column, uint32_t code,
                              uint64_t turn)
{
    if (recount->turns[column][code] != turn) {
        recount->turns[column][code] = turn;
        shoal_i_recount_add(recount, column, code);
    }
}

void shoal_i_recount_add_joined(shoal_i_recount *recount, size_t item, uint32_t code,
                                uint64_t turn)
{
    const shoal_i_requirement *requirement = &recount->set->items[item];
    size_t j = requirement->joined - 1;
    bool is_named = false;

    for (size_t i = 0; i < requirement->code_count; i++) {
        is_named = is_named || requirement->codes[i] == code;
    }
    if (turn == 0 || recount->joined_turns[j][is_named] != turn) {
        recount->joined_turns[j][is_named] = turn;
        recount->joined_counts[j][is_named]++;
    }
}

/* --- The verdict. ----------------------------------------------------------------------- */

void shoal_i_verdict_begin(shoal_i_verdict *verdict, const shoal_i_requirement_set *set)
{
    *verdict = (shoal_i_verdict){.holds = true, .count = set->count};
    for (size_t i = 0; i < set->count; i++) {
        verdict->items[i] = (shoal_i_verdict_item){.requirement = set->items[i], .holds = true};
    }
}

static void judge_class(shoal_i_verdict_item *item, const shoal_i_class_stats *stats,
                        uint64_t class, size_t first_row)
{
    const shoal_i_requirement *requirement = &item->requirement;
    double figure = 0;
    bool holds = requirement->kind->check(requirement, stats, &figure);
    bool is_worse = requirement->kind->larger_is_safer ? figure < item->worst_figure
                                                       : figure > item->worst_figure;

    if (!holds) {
        item->holds = false;
        item->failing_classes++;
        item->failing_records += stats->size;
    }
    if (class == 0 || is_worse) {
        item->worst_figure = figure;
        item->worst_class = class;
        item->worst_class_size = stats->size;
        item->worst_class_persons = stats->persons;
        item->worst_row = first_row;
    }
}

void shoal_i_verdict_take(shoal_i_verdict *verdict, const shoal_i_class_stats *stats,
                          size_t first_row)
{
    if (verdict->classes == 0 || stats->size < verdict->smallest_class) {
        verdict->smallest_class = stats->size;
    }
    if (verdict->persons > 0 &&
        (verdict->classes == 0 || stats->persons < verdict->fewest_persons)) {
        verdict->fewest_persons = stats->persons;
    }
    for (size_t i = 0; i < verdict->count; i++) {
        judge_class(&verdict->items[i], stats, verdict->classes, first_row);
    }
    verdict->classes++;
    verdict->records += stats->size;
}

void shoal_i_verdict_end(shoal_i_verdict *verdict)
{
    for (size_t i = 0; i < verdict->count; i++) {
        verdict->holds = verdict->holds && verdict->items[i].holds;
    }
}

void shoal_i_verdict_speak_of(shoal_i_verdict *verdict, const shoal_i_requirement_set *set)
{
    for (size_t i = 0; i < verdict->count; i++) {
        verdict->items[i].requirement = set->items[i];
    }
}

/* From one file of records to fragments that fit in memory: count, cut, route. */
#include "fragments.h"

#include "../input/method_check.h"

#include <inttypes.h>

shoal_status shoal_i_fragments_records(shoal_ctx *ctx, shoal_i_row_format *format,
                                       size_t **fields, const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    size_t columns = shoal_table_column_count(table);

    SHOAL_TRY(shoal_i_row_format_init(ctx, format, columns));
    SHOAL_ALLOC(ctx, *fields, columns);
    for (size_t c = 0; c < columns; c++) {
        if (!shoal_table_is_skipped(table, c)) {
            (*fields)[c] = format->field_count;
            shoal_i_row_format_add(format, (uint32_t)shoal_table_value_count(table, c));
        }
    }
done:
    return st;
}

static bool is_other(const shoal_i_prepared *prepared, size_t column)
{
    return !shoal_table_is_skipped(prepared->table, column) &&
           prepared->roles[column] != SHOAL_ROLE_QUASI &&
           prepared->roles[column] != SHOAL_ROLE_IDENTIFIER;
}

static shoal_status init_released(shoal_ctx *ctx, shoal_i_fragments *f)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = f->prepared->quasi;
    const shoal_table *table = f->prepared->table;
    shoal_i_row_format *format = &f->released_format;

    SHOAL_ALLOC(ctx, f->others, f->prepared->column_count);
    SHOAL_TRY(
        shoal_i_row_format_init(ctx, format, 3 * quasi->count + f->prepared->column_count + 1));
    for (size_t c = 0; c < quasi->count; c++) {
        shoal_i_row_format_add(format, quasi->columns[c].value_count - 1);
        shoal_i_row_format_add(format, quasi->columns[c].value_count - 1);
    }
    f->box_size = format->size;
    for (size_t column = 0; column < f->prepared->column_count; column++) {
        if (is_other(f->prepared, column)) {
            f->others[f->other_count++] = column;
            shoal_i_row_format_add(format, (uint32_t)shoal_table_value_count(table, column));
        }
    }
    for (size_t c = 0; c < quasi->count; c++) {
        shoal_i_row_format_add(
            format, (uint32_t)shoal_table_value_count(table, quasi->columns[c].column));
    }
    if (f->own_k.is_asked) {
        f->k_field = format->field_count;
        shoal_i_row_format_add(format, (uint32_t)f->own_k.count);
    }
done:
    return st;
}

shoal_status shoal_i_fragments_init(shoal_ctx *ctx, shoal_i_fragments *fragments,
                                    shoal_i_rows *records)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_fragments_watch(ctx, fragments));
    SHOAL_TRY(init_released(ctx, fragments));
    SHOAL_ALLOC(ctx, fragments->list, SHOAL_I_FRAGMENTS_MAX);
    fragments->list[0] = *records;
    fragments->list[0].format = &fragments->record_format;
    fragments->count = 1;
    *records = (shoal_i_rows){0};
done:
    return st;
}

void shoal_i_fragments_clear(shoal_i_fragments *fragments)
{
    for (size_t i = 0; i < fragments->count; i++) {
        shoal_i_rows_clear(&fragments->list[i]);
    }
    free(fragments->list);
    shoal_i_rows_clear(&fragments->merged);
    free(fragments->fields);
    free(fragments->others);
    free(fragments->own_k.code_of_entry);
    free(fragments->own_k.ks);
    shoal_i_tally_source_clear(&fragments->counted);
    shoal_i_row_format_clear(&fragments->record_format);
    shoal_i_row_format_clear(&fragments->released_format);
    *fragments = (shoal_i_fragments){0};
}

shoal_status shoal_i_fragments_count(shoal_ctx *ctx, const shoal_i_fragments *fragments,
                                     const shoal_i_rows *records, uint64_t *const *counts)
{
    shoal_status st = SHOAL_OK;
    shoal_i_rows_reader reader = {0};
    const unsigned char *row = NULL;

    SHOAL_TRY(shoal_i_rows_reader_init(ctx, &reader, records));
    SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
    while (row) {
        for (size_t c = 0; c < fragments->prepared->quasi->count; c++) {
            counts[c][shoal_i_fragments_code(fragments, row, c)]++;
        }
        SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
    }
done:
    shoal_i_rows_reader_clear(&reader);
    return st;
}

shoal_status shoal_i_fragments_route(shoal_ctx *ctx, shoal_i_rows *front, shoal_i_rows *back,
                                     const shoal_i_fragments *fragments,
                                     const shoal_i_rows *records, const shoal_i_top_cut *cut)
{
    shoal_status st = SHOAL_OK;
    shoal_i_rows_reader reader = {0};
    const unsigned char *row = NULL;

    SHOAL_TRY(shoal_i_rows_open(ctx, front, records->format, fragments->folder));
    SHOAL_TRY(shoal_i_rows_open(ctx, back, records->format, fragments->folder));
    SHOAL_TRY(shoal_i_rows_reader_init(ctx, &reader, records));
    SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
    while (row) {
        bool is_front = shoal_i_fragments_code(fragments, row, cut->column) < cut->code;

        SHOAL_TRY(shoal_i_rows_add(ctx, is_front ? front : back, row));
        SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
    }
done:
    shoal_i_rows_reader_clear(&reader);
    return st;
}

static void free_counts(uint64_t **counts, size_t columns)
{
    for (size_t c = 0; counts && c < columns; c++) {
        free(counts[c]);
    }
    free(counts);
}

/* The first cut of a list that may be made; none may be. Takes the list. */
static shoal_status choose(shoal_ctx *ctx, shoal_i_top_cut *cut, bool *found,
                           const shoal_i_fragments *f, const shoal_i_rows *records,
                           shoal_i_top_cut *cuts, size_t count, bool prefers_room)
{
    shoal_status st = SHOAL_OK;
    size_t first = 0;

    SHOAL_TRY(shoal_i_fragments_find_safe(ctx, &first, f, records, cuts, count, prefers_room));
    *found = first < count;
    if (*found) {
        *cut = cuts[first];
    }
done:
    free(cuts);
    return st;
}

static shoal_status fail_whole(shoal_ctx *ctx, const shoal_i_fragments *f,
                               const shoal_i_rows *records)
{
    return shoal_i_fail(ctx, SHOAL_ELIMIT,
                        "A part of %" PRIu64 " records cannot be cut further under the "
                        "requirement, and only %zu fit in the memory allowed; allow about "
                        "%" PRIu64 " times as much.",
                        records->count, f->most_records, records->count / f->most_records + 1);
}

/* Count the values of a fragment and find where to cut it. */
static shoal_status find_cut(shoal_ctx *ctx, shoal_i_top_cut *cut, const shoal_i_fragments *f,
                             const shoal_i_rows *records)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = f->prepared->quasi;
    uint64_t least = shoal_i_requirement_smallest_class(&f->prepared->demands.set);
    uint64_t **counts = NULL;
    shoal_i_top_cut *cuts = NULL;
    size_t count = 0;
    bool found = false;

    SHOAL_ALLOC(ctx, counts, quasi->count);
    for (size_t c = 0; c < quasi->count; c++) {
        SHOAL_ALLOC(ctx, counts[c], quasi->columns[c].value_count);
    }
    SHOAL_TRY(shoal_i_fragments_count(ctx, f, records, counts));
    if (shoal_i_spec_method(f->spec).method != &shoal_i_mondrian) {
        SHOAL_TRY(shoal_i_fragments_list_cheap_cuts(ctx, &cuts, &count, f, records, counts));
        SHOAL_TRY(choose(ctx, cut, &found, f, records, cuts, count, true));
    }
    if (!found) {
        SHOAL_TRY(
            shoal_i_top_cut_list(ctx, &cuts, &count, quasi, counts, records->count, least));
        SHOAL_TRY(choose(ctx, cut, &found, f, records, cuts, count, false));
    }
    if (!found) {
        SHOAL_TRY(fail_whole(ctx, f, records));
    }
done:
    free_counts(counts, quasi->count);
    return st;
}

static shoal_status cut_fragment(shoal_ctx *ctx, shoal_i_fragments *f, size_t i)
{
    shoal_status st = SHOAL_OK;
    shoal_i_rows front = {0};
    shoal_i_rows back = {0};
    shoal_i_top_cut cut = {0};

    if (f->count == SHOAL_I_FRAGMENTS_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT,
                            "More than %d fragments would be needed for as little memory as "
                            "that; allow more.",
                            SHOAL_I_FRAGMENTS_MAX);
    }
    SHOAL_TRY(find_cut(ctx, &cut, f, &f->list[i]));
    SHOAL_TRY(shoal_i_fragments_route(ctx, &front, &back, f, &f->list[i], &cut));
    shoal_i_rows_clear(&f->list[i]);
    f->list[i] = front;
    f->list[f->count++] = back;
    front = (shoal_i_rows){0};
    back = (shoal_i_rows){0};
done:
    shoal_i_rows_clear(&front);
    shoal_i_rows_clear(&back);
    return st;
}

shoal_status shoal_i_fragments_divide(shoal_ctx *ctx, shoal_i_fragments *fragments)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < fragments->count; i++) {
        while (fragments->list[i].count > fragments->most_records) {
            SHOAL_TRY(cut_fragment(ctx, fragments, i));
        }
        if (fragments->list[i].count > fragments->largest) {
            fragments->largest = (size_t)fragments->list[i].count;
        }
    }
done:
    return st;
}

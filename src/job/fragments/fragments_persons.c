/* Persons, whose records lie one after the other in a sorted file. */
#include "fragments.h"

#include <string.h>

/* A record may be of somebody it is not told of. */
bool shoal_i_next_person(shoal_i_turn *turn, uint32_t person, uint32_t nobody)
{
    bool is_next = turn->number == 0 || person != turn->person || person == nobody;

    turn->number += is_next;
    turn->person = person;
    return is_next;
}

/* Which turn each value of the columns that are counted was last seen in. */
static shoal_status init_turns(shoal_ctx *ctx, uint32_t ***out, const shoal_i_totals *totals,
                               const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    uint32_t **turns = NULL;

    SHOAL_ALLOC(ctx, turns, totals->column_count);
    *out = turns;
    for (size_t c = 0; c < totals->column_count; c++) {
        size_t values = shoal_table_value_count(table, c) + 1;

        if (totals->counts[c]) {
            SHOAL_ALLOC(ctx, turns[c], values);
            memset(totals->counts[c], 0, values * sizeof *totals->counts[c]);
        }
    }
done:
    return st;
}

/* Which texts of the columns that are counted are one value. */
static shoal_status find_values(shoal_ctx *ctx, shoal_i_same_values **out, shoal_i_arena *arena,
                                const shoal_i_totals *totals, const shoal_spec *spec,
                                const shoal_table *table)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, *out, totals->column_count);
    for (size_t c = 0; c < totals->column_count; c++) {
        shoal_i_sameness same = shoal_i_column_sameness(spec, shoal_table_name(table, c));

        if (totals->counts[c]) {
            SHOAL_TRY(shoal_i_same_values_find(ctx, &(*out)[c], arena, table, c, &same));
        }
    }
done:
    return st;
}

shoal_status shoal_i_totals_of_persons(shoal_ctx *ctx, shoal_i_totals *totals,
                                       uint64_t *persons, const shoal_spec *spec,
                                       const shoal_table *table,
                                       const shoal_i_person_rows *rows)
{
    shoal_status st = SHOAL_OK;
    shoal_i_same_values *values = NULL;
    shoal_i_arena arena = {0};
    const shoal_i_row_format *format = rows->sorted->format;
    shoal_i_rows_reader reader = {0};
    const unsigned char *row = NULL;
    uint32_t **turns = NULL;
    shoal_i_turn turn = {0};

    SHOAL_TRY(find_values(ctx, &values, &arena, totals, spec, table));
    SHOAL_TRY(init_turns(ctx, &turns, totals, table));
    SHOAL_TRY(shoal_i_rows_reader_init(ctx, &reader, rows->sorted));
    SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
    while (row) {
        (void)shoal_i_next_person(&turn, shoal_i_row_get(format, row, rows->person_field),
                                  rows->nobody);
        for (size_t c = 0; c < totals->column_count; c++) {
            if (!totals->counts[c]) {
                continue;
            }
            uint32_t code = shoal_i_same_values_first(
                &values[c], shoal_i_row_get(format, row, rows->fields[c]));

            totals->counts[c][code] += turns[c][code] != turn.number;
            turns[c][code] = (uint32_t)turn.number;
        }
        SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
    }
    *persons = turn.number;
done:
    for (size_t c = 0; turns && c < totals->column_count; c++) {
        free(turns[c]);
    }
    free(turns);
    free(values);
    shoal_i_arena_clear(&arena);
    shoal_i_rows_reader_clear(&reader);
    return st;
}

shoal_status shoal_i_joined_of_persons(shoal_ctx *ctx, shoal_division *division,
                                       const shoal_i_person_rows *rows)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_row_format *format = rows->sorted->format;
    uint64_t turns[SHOAL_I_TALLY_INPUTS_MAX][2] = {{0}};
    shoal_i_rows_reader reader = {0};
    const unsigned char *row = NULL;
    shoal_i_turn turn = {0};

    SHOAL_TRY(shoal_i_rows_reader_init(ctx, &reader, rows->sorted));
    SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
    while (row) {
        (void)shoal_i_next_person(&turn, shoal_i_row_get(format, row, rows->person_field),
                                  rows->nobody);
        for (size_t a = 0; a < division->counted.active_count; a++) {
            if (!division->named[a]) {
                continue;
            }
            size_t field = rows->fields[division->counted_columns[a]];
            uint32_t entry = shoal_i_row_get(format, row, field);
            uint32_t code = division->named[a][shoal_i_division_value(division, a, entry)];

            division->joined[a][code] += turns[a][code] != turn.number;
            turns[a][code] = turn.number;
        }
        SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
    }
done:
    shoal_i_rows_reader_clear(&reader);
    return st;
}

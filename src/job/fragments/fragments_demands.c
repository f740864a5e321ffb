/* What is asked of records that are on disk: the totals of the whole table, which requirements
 * refer to, and the values of some of its records. */
#include "fragments.h"

#include <string.h>

/* --- What is counted. ------------------------------------------------------------------- */

/* The values of the column ascend, but two of them may ask for the same, when both are larger
 * than any table. */
static shoal_status init_own_k(shoal_ctx *ctx, shoal_i_own_k *own, const shoal_table *table,
                               const char *name)
{
    shoal_status st = SHOAL_OK;
    size_t column = (size_t)shoal_table_find(table, name);
    size_t values = shoal_table_value_count(table, column);

    SHOAL_ALLOC(ctx, own->ks, values);
    SHOAL_ALLOC(ctx, own->code_of_entry, values);
    for (uint32_t entry = 0; entry < values; entry++) {
        uint32_t k = shoal_i_column_k(table, column, entry);

        if (own->count == 0 || own->ks[own->count - 1] != k) {
            own->ks[own->count++] = k;
        }
        own->code_of_entry[entry] = (uint32_t)(own->count - 1);
    }
    own->column = column;
    own->is_asked = true;
done:
    return st;
}

shoal_status shoal_i_fragments_watch(shoal_ctx *ctx, shoal_i_fragments *fragments)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_demands *demands = &fragments->prepared->demands;
    shoal_i_tally_source *counted = &fragments->counted;

    if (fragments->spec->k_column) {
        SHOAL_TRY(init_own_k(ctx, &fragments->own_k, fragments->prepared->table,
                             fragments->spec->k_column));
    }
    shoal_i_tally_source_init_counted(counted, &demands->set, demands->sensitive,
                                      demands->sensitive_count, fragments->own_k.ks,
                                      fragments->own_k.count);
    for (size_t i = 0; i < counted->active_count; i++) {
        size_t column = counted->active[i].column;

        fragments->counted_columns[i] = column == counted->column_count
                                            ? fragments->own_k.column
                                            : demands->sensitive[column].column;
    }
done:
    return st;
}

shoal_status shoal_i_fragments_check_possible(shoal_ctx *ctx, shoal_i_fragments *fragments,
                                              const shoal_i_totals *totals)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_tally_source *counted = &fragments->counted;
    const shoal_table *table = fragments->prepared->table;
    shoal_i_tally whole = {0};

    SHOAL_TRY(shoal_i_tally_init(ctx, &whole, counted));
    whole.stats.size = shoal_table_row_count(table);
    for (size_t i = 0; i < counted->active_count; i++) {
        size_t column = fragments->counted_columns[i];
        bool is_k = counted->active[i].column == counted->column_count;

        for (uint32_t entry = 0; entry <= shoal_table_value_count(table, column); entry++) {
            uint32_t count = totals->counts[column][entry];

            if (count > 0) {
                shoal_i_tally_add_values(
                    &whole, i, is_k ? fragments->own_k.code_of_entry[entry] : entry, count);
            }
        }
    }
    const shoal_i_requirement_set *set = &fragments->prepared->demands.set;

    for (size_t i = 0; i < set->count; i++) {
        set->items[i].kind->check(&set->items[i], &whole.stats, &fragments->whole_figures[i]);
    }
    st = shoal_i_requirement_check_possible(ctx, set, &whole.stats);
    if (st != SHOAL_OK) {
        shoal_i_fail_in(ctx, shoal_table_source(table), 0, 0);
    }
done:
    shoal_i_tally_clear(&whole);
    return st;
}

/* --- A part. ---------------------------------------------------------------------------- */

shoal_status shoal_i_fragments_source(shoal_ctx *ctx, shoal_i_part_source *out,
                                      const shoal_i_fragments *fragments,
                                      const shoal_table *part)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_demands *demands = &fragments->prepared->demands;
    size_t rows = shoal_table_row_count(part);

    SHOAL_ALLOC(ctx, out->sensitive, demands->sensitive_count);
    for (; out->sensitive_count < demands->sensitive_count; out->sensitive_count++) {
        SHOAL_TRY(shoal_i_sensitive_init_part(ctx, &out->sensitive[out->sensitive_count],
                                              &demands->sensitive[out->sensitive_count], part));
    }
    if (fragments->own_k.is_asked) {
        SHOAL_TRY(
            shoal_i_column_record_k(ctx, &out->record_k, part, fragments->spec->k_column));
    }
    SHOAL_TRY(shoal_i_tally_source_init(ctx, &out->source, &demands->set, out->sensitive,
                                        out->sensitive_count, out->record_k, rows));
done:
    return st;
}

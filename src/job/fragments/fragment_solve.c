/* One fragment in memory: the method, and its released rows in canonical order. */
#include "fragments.h"

#include "../../release/row_order.h"
#include "../../table/table_part.h"
#include "../input/method_check.h"

void shoal_i_fragments_take_row(const shoal_i_fragments *fragments, shoal_table *part, size_t i,
                                const unsigned char *row)
{
    for (size_t c = 0; c < fragments->prepared->column_count; c++) {
        if (!shoal_table_is_skipped(part, c)) {
            shoal_i_table_part_set(
                part, c, i,
                shoal_i_row_get(&fragments->record_format, row, fragments->fields[c]));
        }
    }
}

static shoal_status load_table(shoal_ctx *ctx, shoal_table **out, const shoal_i_fragments *f,
                               const shoal_i_rows *records)
{
    shoal_status st = SHOAL_OK;
    shoal_i_rows_reader reader = {0};
    const unsigned char *row = NULL;

    SHOAL_TRY(shoal_i_table_part(ctx, out, f->prepared->table, (size_t)records->count));
    SHOAL_TRY(shoal_i_rows_reader_init(ctx, &reader, records));
    for (size_t i = 0; i < records->count; i++) {
        SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
        shoal_i_fragments_take_row(f, *out, i, row);
    }
done:
    shoal_i_rows_reader_clear(&reader);
    return st;
}

static shoal_status run_method(shoal_ctx *ctx, shoal_i_release **out,
                               const shoal_i_fragments *f, const shoal_i_quasi *quasi,
                               double share)
{
    shoal_status st = SHOAL_OK;
    shoal_i_chosen chosen = shoal_i_spec_method(f->spec);
    shoal_i_part_source source = {0};
    shoal_i_problem problem = {
        .quasi = quasi,
        .row_count = shoal_table_row_count(quasi->table),
        .requirements = &f->prepared->demands.set,
        .source = &source.source,
        .seed = ctx->seed,
        .seconds = f->spec->seconds * share,
        .suppress = f->spec->suppress,
    };

    SHOAL_TRY(shoal_i_fragments_source(ctx, &source, f, quasi->table));
    st = shoal_i_method_run(ctx, out, chosen.method, &problem, &chosen.settings);
    if (st == SHOAL_EUNSATISFIABLE) {
        shoal_i_fail_in(ctx, shoal_table_source(quasi->table), 0, 0);
    }
done:
    shoal_i_part_source_clear(&source);
    return st;
}

static void pack_row(unsigned char *to, const shoal_i_fragments *f,
                     const shoal_i_release *release, uint32_t row)
{
    const shoal_i_quasi *quasi = release->quasi;
    const shoal_i_interval *box = release->boxes + release->box_of[row] * quasi->count;
    const shoal_i_row_format *format = &f->released_format;
    size_t field = 0;

    for (size_t c = 0; c < quasi->count; c++) {
        shoal_i_row_put(format, to, field++, box[c].lo);
        shoal_i_row_put(format, to, field++, box[c].hi);
    }
    for (size_t i = 0; i < f->other_count; i++) {
        shoal_i_row_put(format, to, field++, shoal_table_code(quasi->table, f->others[i], row));
    }
    for (size_t c = 0; c < quasi->count; c++) {
        shoal_i_row_put(format, to, field++,
                        shoal_table_code(quasi->table, quasi->columns[c].column, row));
    }
    if (f->own_k.is_asked) {
        uint32_t entry = shoal_table_code(quasi->table, f->own_k.column, row);

        shoal_i_row_put(format, to, f->k_field, f->own_k.code_of_entry[entry]);
    }
}

/* The rows of a release in canonical order. */
static shoal_status sort_release(shoal_ctx *ctx, shoal_i_rows *out, const shoal_i_fragments *f,
                                 const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    uint32_t *rows = NULL;
    uint32_t *starts = NULL;
    unsigned char *packed = NULL;

    SHOAL_ALLOC(ctx, rows, release->row_count);
    SHOAL_ALLOC(ctx, starts, release->box_count + 1);
    SHOAL_ALLOC(ctx, packed, f->released_format.size);
    shoal_i_row_order_group(rows, starts, release);
    SHOAL_TRY(shoal_i_row_order_sort(ctx, rows, starts, release, f->others, f->other_count));
    SHOAL_TRY(shoal_i_rows_open(ctx, out, &f->released_format, f->folder));
    for (size_t i = 0; i < release->row_count; i++) {
        pack_row(packed, f, release, rows[i]);
        SHOAL_TRY(shoal_i_rows_add(ctx, out, packed));
    }
done:
    free(rows);
    free(starts);
    free(packed);
    return st;
}

shoal_status shoal_i_fragment_solve(shoal_ctx *ctx, shoal_i_fragments *fragments, size_t i,
                                    double share)
{
    shoal_status st = SHOAL_OK;
    shoal_i_rows *records = &fragments->list[i];
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_release *release = NULL;
    shoal_i_rows solved = {0};

    SHOAL_TRY(load_table(ctx, &table, fragments, records));
    SHOAL_TRY(
        shoal_i_prepare_quasi_of(ctx, &quasi, fragments->prepared, fragments->spec, table));
    SHOAL_TRY(run_method(ctx, &release, fragments, quasi, share));
    SHOAL_TRY(sort_release(ctx, &solved, fragments, release));
    shoal_i_rows_clear(records);
    *records = solved;
    solved = (shoal_i_rows){0};
done:
    shoal_i_rows_clear(&solved);
    shoal_i_release_free(release);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
    return st;
}

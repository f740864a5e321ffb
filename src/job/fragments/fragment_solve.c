/* One fragment in memory: the method, and its released rows in canonical order. */
#include "fragments.h"

#include "../../release/row_order.h"
#include "../../table/table_part.h"

#define READ_BYTES ((size_t)64 * 1024)

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
                               size_t fragment)
{
    shoal_status st = SHOAL_OK;
    uint64_t first = f->starts[fragment];
    size_t count = (size_t)(f->starts[fragment + 1] - first);
    shoal_i_rows_reader reader = {0};
    const unsigned char *row = NULL;

    SHOAL_TRY(shoal_i_table_part(ctx, out, f->prepared->table, count));
    SHOAL_TRY(shoal_i_rows_reader_init_range(ctx, &reader, &f->files[f->file_of[fragment]],
                                             first, count, READ_BYTES));
    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
        shoal_i_fragments_take_row(f, *out, i, row);
    }
done:
    shoal_i_rows_reader_clear(&reader);
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
    const shoal_i_own_k *own = &f->division->own_k;

    if (own->is_asked) {
        uint32_t entry = shoal_table_code(quasi->table, own->column, row);

        shoal_i_row_put(format, to, f->k_field, own->code_of_entry[entry]);
    }
    if (shoal_i_division_counts_persons(f->division)) {
        shoal_i_row_put(format, to, f->person_field,
                        shoal_table_code(quasi->table, f->prepared->persons.column, row));
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

/* Whose the records are, where persons are counted; each without one is of one of its own. */
static shoal_status name_records(shoal_ctx *ctx, uint32_t **name_of, shoal_i_names *names,
                                 const shoal_i_fragments *f, const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(table);
    size_t column = f->prepared->persons.column;

    if (!shoal_i_division_counts_persons(f->division)) {
        return SHOAL_OK;
    }
    uint32_t nobody = shoal_i_fragments_nobody(f);

    SHOAL_ALLOC(ctx, *name_of, rows);
    shoal_table_codes(table, column, 0, rows, *name_of);
    names->count = nobody;
    for (size_t row = 0; row < rows; row++) {
        if ((*name_of)[row] == nobody) {
            (*name_of)[row] = (uint32_t)names->count++;
        }
    }
    names->of = *name_of;
done:
    return st;
}

shoal_status shoal_i_fragment_solve(shoal_ctx *ctx, shoal_i_fragments *fragments, size_t i)
{
    shoal_status st = SHOAL_OK;
    const shoal_division *division = fragments->division;
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_release *release = NULL;
    uint32_t *name_of = NULL;
    shoal_i_names names = {0};

    if (!fragments->solved.spool) {
        SHOAL_TRY(shoal_i_rows_open(ctx, &fragments->solved, &fragments->released_format,
                                    fragments->folder));
    }
    SHOAL_TRY(load_table(ctx, &table, fragments, i));
    SHOAL_TRY(
        shoal_i_prepare_quasi_of(ctx, &quasi, fragments->prepared, fragments->spec, table));
    SHOAL_TRY(name_records(ctx, &name_of, &names, fragments, table));
    SHOAL_TRY(shoal_i_division_solve(ctx, &release, division, quasi, &names));
    SHOAL_TRY(sort_release(ctx, &fragments->solved, fragments, release));
done:
    shoal_i_release_free(release);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
    free(name_of);
    return st;
}

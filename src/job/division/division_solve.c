/* One fragment in memory, solved under what the whole table has. */
#include "../../base/entry.h"
#include "../../release/release_table.h"
#include "../../table/table_part.h"
#include "../input/method_check.h"
#include "bound_part.h"
#include "classes.h"

#include <inttypes.h>
#include <string.h>

shoal_status shoal_i_part_source_init(shoal_ctx *ctx, shoal_i_part_source *out,
                                      const shoal_division *division, const shoal_table *part,
                                      const shoal_i_names *names)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_bound_requirements *requirements = &division->prepared.requirements;
    size_t rows = shoal_table_row_count(part);

    SHOAL_ALLOC(ctx, out->sensitive, requirements->sensitive_count);
    for (; out->sensitive_count < requirements->sensitive_count; out->sensitive_count++) {
        SHOAL_TRY(shoal_i_sensitive_init_part(ctx, &out->sensitive[out->sensitive_count],
                                              &requirements->sensitive[out->sensitive_count],
                                              part));
    }
    if (division->own_k.is_asked) {
        SHOAL_TRY(shoal_i_column_record_k(ctx, &out->record_k, part, division->spec->k_column));
    }
    if (shoal_i_division_counts_persons(division)) {
        SHOAL_TRY(shoal_i_persons_init(ctx, &out->persons, names->of, rows, names->count));
    }
    SHOAL_TRY(shoal_i_tally_source_init_persons(
        ctx, &out->source, &requirements->set, out->sensitive, out->sensitive_count,
        out->record_k, out->persons.of ? &out->persons : NULL, rows));
done:
    return st;
}

void shoal_i_part_source_clear(shoal_i_part_source *source)
{
    shoal_i_tally_source_clear(&source->source);
    for (size_t i = 0; i < source->sensitive_count; i++) {
        shoal_i_sensitive_clear(&source->sensitive[i]);
    }
    free(source->sensitive);
    free(source->record_k);
    shoal_i_persons_clear(&source->persons);
    *source = (shoal_i_part_source){0};
}

shoal_status shoal_i_division_solve(shoal_ctx *ctx, shoal_i_release **out,
                                    const shoal_division *division, const shoal_i_quasi *quasi,
                                    const shoal_i_names *names)
{
    shoal_status st = SHOAL_OK;
    const shoal_spec *spec = division->spec;
    shoal_i_chosen chosen = shoal_i_spec_method(spec);
    shoal_i_part_source source = {0};
    size_t rows = shoal_table_row_count(quasi->table);
    double share = (double)rows / (double)shoal_table_row_count(division->prepared.table);
    shoal_i_problem problem = {
        .quasi = quasi,
        .row_count = rows,
        .requirements = &division->prepared.requirements.set,
        .source = &source.source,
        .seed = division->seed,
        .seconds = spec->seconds * share,
        .suppress = spec->suppress,
    };

    SHOAL_TRY(shoal_i_part_source_init(ctx, &source, division, quasi->table, names));
    st = shoal_i_method_run(ctx, out, chosen.method, &problem, &chosen.settings);
    if (st == SHOAL_EUNSATISFIABLE) {
        shoal_i_fail_in(ctx, shoal_table_source(quasi->table), 0, 0);
    }
done:
    shoal_i_part_source_clear(&source);
    return st;
}

/* --- Parts that are tables. ------------------------------------------------------------- */

shoal_status shoal_division_route(shoal_ctx *ctx, uint32_t *fragments,
                                  const shoal_division *division, const shoal_table *part)
{
    SHOAL_ENTER(ctx, fragments, division, part);
    shoal_status st = SHOAL_OK;
    shoal_i_bound_part bound = {0};
    shoal_i_batch batch = {0};
    uint32_t *rows = NULL;

    SHOAL_ALLOC(ctx, rows, SHOAL_I_BATCH_MAX);
    SHOAL_TRY(shoal_i_bound_part_init(ctx, &bound, division, part, SHOAL_I_PART_ROUTED));
    for (size_t row = 0; row < shoal_table_row_count(part); row++) {
        fragments[row] = SHOAL_NO_FRAGMENT;
    }
    for (size_t first = 0; first < shoal_table_row_count(part);) {
        SHOAL_TRY(shoal_i_bound_part_read(ctx, &batch, rows, &first, &bound, first));
        for (size_t i = 0; i < batch.count; i++) {
            fragments[rows[i]] = shoal_i_division_find(division, &batch, i);
        }
    }
done:
    shoal_i_bound_part_clear(&bound);
    free(rows);
    return st;
}

/* Take over the records of a batch, all of which are in the fragment. */
static shoal_status take_batch(shoal_ctx *ctx, shoal_table *table, size_t *row,
                               const shoal_division *d, const shoal_i_batch *batch,
                               const uint32_t *rows, size_t fragment)
{
    for (size_t i = 0; i < batch->count; i++) {
        uint32_t found = shoal_i_division_find(d, batch, i);

        if (found != fragment || *row + i >= d->fragments[fragment].size) {
            return shoal_i_fail_at(ctx, SHOAL_EINVAL, rows[i], -1,
                                   found != fragment
                                       ? "Record %" PRIu32 " is in another fragment than the "
                                         "one to be solved; route the records first."
                                       : "Record %" PRIu32 " is one more than the fragment "
                                         "has; solve every record once.",
                                   rows[i] + 1);
        }
    }
    for (size_t c = 0; c < d->prepared.column_count; c++) {
        for (size_t i = 0; batch->codes[c] && i < batch->count; i++) {
            shoal_i_table_part_set(table, c, *row + i, batch->codes[c][i]);
        }
    }
    *row += batch->count;
    return SHOAL_OK;
}

/* The records of a fragment, by the dictionaries of the division. */
typedef struct fragment_records {
    shoal_table *table;
    uint32_t *row_of;  /* of each: its row in the part */
    uint32_t *name_of; /* and whose it is, where persons are counted; */
    size_t name_count;
    uint64_t *digests; /* by its digest, 0: one of its own */
} fragment_records;

static void clear_records(fragment_records *records)
{
    shoal_table_free(records->table);
    free(records->row_of);
    free(records->name_of);
    free(records->digests);
}

/* Whose they are. The counts of parts gave the fragment so many persons: one who had records in
 * two parts was counted in both. */
static shoal_status name_records(shoal_ctx *ctx, fragment_records *records,
                                 const shoal_i_bound_part *bound,
                                 const shoal_i_fragment *fragment)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_part_persons *persons = &bound->persons;

    SHOAL_ALLOC(ctx, records->name_of, persons->row_count);
    SHOAL_ALLOC(ctx, records->digests, persons->row_count);
    for (size_t i = 0; i < persons->row_count; i++) {
        records->name_of[i] = persons->names[records->row_of[i]];
        records->digests[i] = persons->digests[records->name_of[i]];
    }
    records->name_count = persons->name_count;
    if (persons->count != fragment->persons) {
        st = shoal_i_fail(ctx, SHOAL_EINVAL,
                          "A fragment of %" PRIu64 " persons has records of %zu; where persons "
                          "are counted, let each part have all records of its persons, and "
                          "count and solve the same records.",
                          fragment->persons, persons->count);
    }
done:
    return st;
}

static shoal_status load_fragment(shoal_ctx *ctx, fragment_records *out,
                                  const shoal_division *d, const shoal_table *part,
                                  size_t fragment)
{
    shoal_status st = SHOAL_OK;
    size_t size = (size_t)d->fragments[fragment].size;
    shoal_i_bound_part bound = {0};
    shoal_i_batch batch = {0};
    uint32_t *rows = NULL;
    size_t row = 0;

    SHOAL_ALLOC(ctx, rows, SHOAL_I_BATCH_MAX);
    SHOAL_ALLOC(ctx, out->row_of, size);
    SHOAL_TRY(shoal_i_bound_part_init(ctx, &bound, d, part, SHOAL_I_PART_SOLVED));
    SHOAL_TRY(shoal_i_table_part(ctx, &out->table, d->prepared.table, size));
    for (size_t first = 0; first < shoal_table_row_count(part);) {
        SHOAL_TRY(shoal_i_bound_part_read(ctx, &batch, rows, &first, &bound, first));
        SHOAL_TRY(take_batch(ctx, out->table, &row, d, &batch, rows, fragment));
        memcpy(out->row_of + row - batch.count, rows, batch.count * sizeof *rows);
    }
    if (row < size) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EINVAL,
                               "Fragment %zu has %zu records; got %zu. Solve all of a fragment "
                               "together.",
                               fragment, size, row));
    }
    if (shoal_i_division_counts_persons(d)) {
        SHOAL_TRY(name_records(ctx, out, &bound, &d->fragments[fragment]));
    }
done:
    shoal_i_bound_part_clear(&bound);
    free(rows);
    return st;
}

/* Read what is published back from its texts: every record lies in it. */
static shoal_status check_published(shoal_ctx *ctx, const shoal_i_quasi *quasi,
                                    const shoal_table *published, const uint32_t *row_order)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *parsed = NULL;

    SHOAL_TRY(shoal_i_release_parse(ctx, &parsed, quasi, published));
    SHOAL_TRY(shoal_i_verify_cover(ctx, parsed, row_order));
done:
    shoal_i_release_free(parsed);
    return st;
}

/* The classes of what is published, with the k that its records ask for, and whose they are. */
static shoal_status count_classes(shoal_ctx *ctx, shoal_classes **out, const shoal_division *d,
                                  const fragment_records *records, const shoal_table *published,
                                  const uint32_t *row_order)
{
    shoal_status st = SHOAL_OK;
    uint32_t *ks = NULL;
    uint64_t *persons = NULL;
    const shoal_table *table = records->table;
    size_t rows = shoal_table_row_count(table);

    if (d->own_k.is_asked) {
        SHOAL_ALLOC(ctx, ks, rows);
        for (size_t row = 0; row < rows; row++) {
            ks[row] =
                shoal_i_column_k(table, d->own_k.column,
                                 shoal_table_code(table, d->own_k.column, row_order[row]));
        }
    }
    if (records->digests) {
        SHOAL_ALLOC(ctx, persons, rows);
        for (size_t row = 0; row < rows; row++) {
            persons[row] = records->digests[row_order[row]];
        }
    }
    SHOAL_TRY(shoal_i_classes_count(ctx, out, d->spec, published, ks, persons));
done:
    free(ks);
    free(persons);
    return st;
}

/* rows may be NULL. */
static shoal_status solve_fragment(shoal_ctx *ctx, shoal_table **published,
                                   shoal_classes **classes, uint32_t *rows,
                                   const shoal_division *division, const shoal_table *part,
                                   size_t fragment)
{
    shoal_status st = SHOAL_OK;
    fragment_records records = {0};
    shoal_i_quasi *quasi = NULL;
    shoal_i_release *release = NULL;
    shoal_i_release_tables tables = {0};
    shoal_classes *counted = NULL;

    if (fragment >= division->count) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "There are %zu fragments, numbered from 0; there is no fragment %zu.",
            division->count, fragment);
    }
    shoal_i_layout layout = {.numeric = division->spec->numeric,
                             .categorical = division->spec->categorical,
                             .roles = division->prepared.roles};

    SHOAL_TRY(load_fragment(ctx, &records, division, part, fragment));
    SHOAL_TRY(shoal_i_prepare_quasi_of(ctx, &quasi, &division->prepared, division->spec,
                                       records.table));
    SHOAL_TRY(shoal_i_division_solve(
        ctx, &release, division, quasi,
        &(shoal_i_names){.of = records.name_of, .count = records.name_count}));
    SHOAL_TRY(shoal_i_release_tables_build(ctx, &tables, release, &layout,
                                           &(shoal_i_as_given){.table = records.table}));
    SHOAL_TRY(check_published(ctx, quasi, tables.rows, tables.record_of));
    SHOAL_TRY(shoal_i_ready_verify(ctx, tables.rows, division->spec, NULL));
    if (classes) {
        SHOAL_TRY(
            count_classes(ctx, &counted, division, &records, tables.rows, tables.record_of));
        *classes = counted;
    }
    for (size_t i = 0; rows && i < shoal_table_row_count(records.table); i++) {
        rows[i] = records.row_of[tables.record_of[i]];
    }
    *published = tables.rows;
    tables.rows = NULL;
done:
    shoal_i_release_tables_clear(&tables);
    shoal_i_release_free(release);
    shoal_i_quasi_free(quasi);
    clear_records(&records);
    return st;
}

shoal_status shoal_division_solve(shoal_ctx *ctx, shoal_table **published,
                                  shoal_classes **classes, const shoal_division *division,
                                  const shoal_table *part, size_t fragment)
{
    SHOAL_ENTER_FOR(ctx, published, division, part);

    return solve_fragment(ctx, published, classes, NULL, division, part, fragment);
}

shoal_status shoal_division_solve_rows(shoal_ctx *ctx, shoal_table **published,
                                       shoal_classes **classes, uint32_t *rows,
                                       const shoal_division *division, const shoal_table *part,
                                       size_t fragment)
{
    SHOAL_ENTER_FOR(ctx, published, rows, division, part);

    return solve_fragment(ctx, published, classes, rows, division, part, fragment);
}

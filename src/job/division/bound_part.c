#include "bound_part.h"

#include "../../base/sort.h"
#include "../../table/table_configure.h"

#include <string.h>

/* --- A spec. ---------------------------------------------------------------------------- */

shoal_status shoal_i_part_configure(shoal_ctx *ctx, shoal_table **out, const shoal_spec *spec,
                                    const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    shoal_i_reading reading = {.spec = spec, .given = shoal_i_given_table(table)};
    shoal_csv_options options = shoal_i_column_options(&reading, shoal_i_configure_original);
    shoal_table *configured = NULL;
    shoal_i_readied readied = {0};

    *out = NULL;
    SHOAL_TRY(shoal_i_ready_refuse_whole(ctx, spec));
    SHOAL_TRY(shoal_i_table_configure(ctx, &configured, table, &options));
    if (shoal_i_spec_makes_ready(spec)) {
        SHOAL_TRY(shoal_i_ready_values(ctx, &readied, configured, spec));
        *out = readied.table;
        readied.table = NULL;
    } else {
        *out = configured;
        configured = NULL;
    }
done:
    shoal_table_free(configured);
    shoal_i_readied_clear(&readied);
    return st;
}

static bool is_needed(const shoal_spec *spec, const char *name)
{
    bool is_k = spec->k_column && strcmp(spec->k_column, name) == 0;
    bool is_quasi = shoal_i_column_role(spec, name) == SHOAL_ROLE_QUASI;

    return (is_k && spec->missing == SHOAL_I_MISSING_DROP) ||
           (is_quasi && spec->missing != SHOAL_I_MISSING_KEEP);
}

/* Take from keep[] the records without a value in a column; the first of them, or row_count. */
static size_t mark_missing(bool *keep, const shoal_table *table, size_t column)
{
    size_t rows = shoal_table_row_count(table);
    size_t missing = shoal_table_value_count(table, column);
    size_t first = rows;

    for (size_t row = rows; row-- > 0;) {
        if (shoal_table_code(table, column, row) == missing) {
            keep[row] = false;
            first = row;
        }
    }
    return first;
}

/* Every record that takes part has a k of its own. */
static shoal_status check_own_k(shoal_ctx *ctx, const shoal_spec *spec,
                                const shoal_table *table, const bool *keep)
{
    shoal_status st = SHOAL_OK;
    size_t column = (size_t)shoal_table_find(table, spec->k_column);

    for (size_t row = 0; row < shoal_table_row_count(table); row++) {
        if ((!keep || keep[row]) &&
            shoal_i_column_k(table, column, shoal_table_code(table, column, row)) == 0) {
            SHOAL_TRY(shoal_i_column_fail_k(ctx, table, row, column));
        }
    }
done:
    return st;
}

shoal_status shoal_i_part_select(shoal_ctx *ctx, bool **keep, const shoal_spec *spec,
                                 const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(table);
    bool *kept = NULL;

    *keep = NULL;
    for (size_t c = 0; c < shoal_table_column_count(table); c++) {
        if (shoal_table_is_skipped(table, c) || shoal_table_missing_count(table, c) == 0 ||
            !is_needed(spec, shoal_table_name(table, c))) {
            continue;
        }
        if (!kept) {
            SHOAL_ALLOC(ctx, kept, rows);
            memset(kept, true, rows);
        }
        size_t first = mark_missing(kept, table, c);

        if (first < rows && spec->missing != SHOAL_I_MISSING_DROP) {
            SHOAL_TRY(shoal_i_prepare_fail_missing(ctx, table, first, c,
                                                   shoal_table_missing_count(table, c)));
        }
    }
    if (spec->k_column) {
        SHOAL_TRY(check_own_k(ctx, spec, table, kept));
    }
    *keep = kept;
    kept = NULL;
done:
    free(kept);
    return st;
}

/* --- A division. ------------------------------------------------------------------------ */

/* The code of each value of a part's column. */
static shoal_status map_column(shoal_ctx *ctx, uint32_t **out, const shoal_table *whole,
                               size_t column, const shoal_table *table, size_t from)
{
    shoal_status st = SHOAL_OK;
    size_t values = shoal_table_value_count(table, from);
    uint32_t *code_of = NULL;

    SHOAL_ALLOC(ctx, code_of, values + 1);
    for (uint32_t code = 0; code <= values; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(table, from, code, &length);
        int64_t found = shoal_table_find_code(whole, column, text, length);

        if (code == values) {
            found = shoal_table_missing_count(whole, column) > 0
                        ? (int64_t)shoal_table_value_count(whole, column)
                        : -1;
        }
        code_of[code] = found >= 0 ? (uint32_t)found : SHOAL_I_LACKING;
    }
    *out = code_of;
done:
    return st;
}

/* Whether the verb needs the codes of a column of the division. */
static bool is_used(const shoal_division *d, size_t column, shoal_i_part_use use)
{
    bool is_used = d->prepared.roles[column] == SHOAL_ROLE_QUASI || use == SHOAL_I_PART_SOLVED;

    /* A sample is drawn by all that a record says. */
    is_used = is_used || (use == SHOAL_I_PART_COUNTED && !d->is_exact);
    for (size_t a = 0; use == SHOAL_I_PART_COUNTED && a < d->counted.active_count; a++) {
        is_used = is_used || d->counted_columns[a] == column;
    }
    return is_used;
}

/* Whether some value of a part's column, or that none is there, may be none of the division's:
 * only records can tell then. */
static bool may_lack(const shoal_i_bound_part *part, size_t column)
{
    size_t from = (size_t)part->columns[column];
    size_t values = shoal_table_value_count(part->table, from);
    const uint32_t *code_of = part->code_of[column];

    for (size_t code = 0; code < values; code++) {
        if (code_of[code] == SHOAL_I_LACKING) {
            return true;
        }
    }
    return code_of[values] == SHOAL_I_LACKING &&
           shoal_table_missing_count(part->table, from) > 0;
}

static shoal_status bind_column(shoal_ctx *ctx, shoal_i_bound_part *part, size_t column,
                                shoal_i_part_use use)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *whole = part->division->prepared.table;
    ptrdiff_t from = shoal_table_find(part->table, shoal_table_name(whole, column));

    if (from < 0) {
        return shoal_i_fail(ctx, SHOAL_ENOTFOUND,
                            "The division has a column \"%.200s\", which this part lacks.",
                            shoal_table_name(whole, column));
    }
    if (shoal_table_is_skipped(part->table, (size_t)from)) {
        return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)from,
                               "Column \"%.200s\" is part of the division and was not read.",
                               shoal_table_name(whole, column));
    }
    part->columns[column] = from;
    SHOAL_ALLOC(ctx, part->codes[column], SHOAL_I_BATCH_MAX);
    SHOAL_TRY(
        map_column(ctx, &part->code_of[column], whole, column, part->table, (size_t)from));
    part->is_read[column] = is_used(part->division, column, use) || may_lack(part, column);
done:
    return st;
}

shoal_status shoal_i_bound_part_init(shoal_ctx *ctx, shoal_i_bound_part *part,
                                     const shoal_division *division, const shoal_table *table,
                                     shoal_i_part_use use)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *whole = division->prepared.table;
    size_t columns = shoal_table_column_count(whole);

    *part = (shoal_i_bound_part){.division = division};
    SHOAL_ALLOC(ctx, part->columns, columns);
    SHOAL_ALLOC(ctx, part->code_of, columns);
    SHOAL_ALLOC(ctx, part->codes, columns);
    SHOAL_ALLOC(ctx, part->is_read, columns);
    SHOAL_TRY(shoal_i_part_configure(ctx, &part->table, division->spec, table));
    SHOAL_TRY(shoal_i_part_select(ctx, &part->keep, division->spec, part->table));
    for (size_t c = 0; c < columns; c++) {
        part->columns[c] = -1;
        if (!shoal_table_is_skipped(whole, c)) {
            SHOAL_TRY(bind_column(ctx, part, c, use));
        }
    }
    if (shoal_i_division_counts_persons(division)) {
        SHOAL_TRY(shoal_i_part_persons_init(ctx, &part->persons, division->spec, part->table,
                                            part->keep));
        SHOAL_ALLOC(ctx, part->digests, SHOAL_I_BATCH_MAX);
    }
done:
    return st;
}

void shoal_i_bound_part_clear(shoal_i_bound_part *part)
{
    size_t columns =
        part->division ? shoal_table_column_count(part->division->prepared.table) : 0;

    for (size_t c = 0; c < columns; c++) {
        if (part->code_of) {
            free(part->code_of[c]);
        }
        if (part->codes) {
            free(part->codes[c]);
        }
    }
    free(part->code_of);
    free(part->codes);
    free(part->columns);
    free(part->is_read);
    free(part->keep);
    free(part->digests);
    shoal_i_part_persons_clear(&part->persons);
    shoal_table_free(part->table);
    *part = (shoal_i_bound_part){0};
}

static shoal_status fail_lacking(shoal_ctx *ctx, const shoal_i_bound_part *part, size_t row,
                                 size_t column)
{
    const shoal_table *table = part->table;

    shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)row, (int64_t)column,
                    "Record %zu has a value in column \"%.200s\" that the division lacks: it "
                    "was built from other records. Count the values of every part before it is "
                    "built.",
                    row + 1, shoal_table_name(table, column));
    return shoal_i_fail_in(ctx, shoal_table_source(table), shoal_table_line(table, row), 0);
}

static shoal_status read_column(shoal_ctx *ctx, const shoal_i_bound_part *part, size_t c,
                                const uint32_t *rows, size_t count)
{
    size_t column = (size_t)part->columns[c];
    shoal_i_codes codes = shoal_i_table_codes(part->table, column);
    const uint32_t *code_of = part->code_of[c];

    for (size_t i = 0; i < count; i++) {
        uint32_t code = code_of[shoal_i_codes_get(codes, rows[i])];

        if (code == SHOAL_I_LACKING) {
            return fail_lacking(ctx, part, rows[i], column);
        }
        part->codes[c][i] = code;
    }
    return SHOAL_OK;
}

shoal_status shoal_i_bound_part_gather(shoal_ctx *ctx, shoal_i_batch *batch,
                                       const shoal_i_bound_part *part, const uint32_t *rows,
                                       size_t count)
{
    shoal_status st = SHOAL_OK;

    for (size_t c = 0; c < shoal_table_column_count(part->division->prepared.table); c++) {
        if (part->is_read[c]) {
            SHOAL_TRY(read_column(ctx, part, c, rows, count));
        }
    }
    for (size_t i = 0; part->digests && i < count; i++) {
        part->digests[i] = part->persons.digests[part->persons.names[rows[i]]];
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    *batch = (shoal_i_batch){.codes = part->codes, .count = count, .persons = part->digests};
done:
    return st;
}

shoal_status shoal_i_bound_part_read(shoal_ctx *ctx, shoal_i_batch *batch, uint32_t *rows,
                                     size_t *next, const shoal_i_bound_part *part, size_t first)
{
    shoal_status st = SHOAL_OK;
    size_t left = shoal_table_row_count(part->table) - first;
    size_t end = first + (left < SHOAL_I_BATCH_MAX ? left : SHOAL_I_BATCH_MAX);
    size_t count = 0;

    for (size_t row = first; row < end; row++) {
        if (!part->keep || part->keep[row]) {
            rows[count++] = (uint32_t)row;
        }
    }
    SHOAL_TRY(shoal_i_bound_part_gather(ctx, batch, part, rows, count));
    *next = end;
done:
    return st;
}

shoal_status shoal_i_bound_part_sort(shoal_ctx *ctx, uint32_t **rows,
                                     const shoal_i_bound_part *part)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_part_persons *persons = &part->persons;
    const shoal_division *d = part->division;
    shoal_i_batch batch = {0};
    uint32_t *fragment_of = NULL; /* of each record, person after person */
    uint32_t *starts = NULL;
    uint32_t *sorted = NULL;

    SHOAL_ALLOC(ctx, fragment_of, persons->row_count);
    SHOAL_ALLOC(ctx, sorted, persons->row_count);
    SHOAL_ALLOC(ctx, starts, d->count + 1);
    for (size_t first = 0; first < persons->row_count; first += batch.count) {
        size_t left = persons->row_count - first;

        SHOAL_TRY(
            shoal_i_bound_part_gather(ctx, &batch, part, persons->rows + first,
                                      left < SHOAL_I_BATCH_MAX ? left : SHOAL_I_BATCH_MAX));
        for (size_t i = 0; i < batch.count; i++) {
            fragment_of[first + i] = shoal_i_division_find(d, &batch, i);
        }
    }
    shoal_i_sort_by_number(sorted, starts, fragment_of, persons->row_count, d->count);
    for (size_t i = 0; i < persons->row_count; i++) {
        sorted[i] = persons->rows[sorted[i]];
    }
    *rows = sorted;
    sorted = NULL;
done:
    free(fragment_of);
    free(starts);
    free(sorted);
    return st;
}

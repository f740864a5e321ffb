#include "prepare.h"

#include "../../base/warnings.h"
#include "../../release/formula.h"
#include "../../table/table_hold.h"
#include "columns.h"
#include "column_names.h"
#include "person_notice.h"
#include "reading_notice.h"
#include "similar_notice.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Fewer records than this say nothing about how unique a column is. */
#define WARN_RECORDS_MIN 20
#define BLOCK 4096

void shoal_i_prepared_clear(shoal_i_prepared *prepared)
{
    shoal_i_readied_clear(&prepared->readied);
    shoal_i_quasi_free(prepared->quasi);
    for (size_t i = 0; prepared->hierarchies && i < prepared->column_count; i++) {
        shoal_hierarchy_free(prepared->hierarchies[i]);
    }
    free(prepared->hierarchies);
    free(prepared->roles);
    free(prepared->record_k);
    shoal_i_persons_clear(&prepared->persons);
    shoal_i_bound_requirements_clear(&prepared->requirements);
    shoal_table_free(prepared->table);
    shoal_i_table_drop(prepared->given);
    free(prepared->given_record);
    *prepared = (shoal_i_prepared){0};
}

const shoal_i_persons *shoal_i_prepared_persons(const shoal_i_prepared *prepared)
{
    return prepared->persons.of ? &prepared->persons : NULL;
}

shoal_i_original shoal_i_prepared_original(const shoal_i_prepared *prepared)
{
    return (shoal_i_original){
        .table = prepared->table,
        .roles = prepared->roles,
        .hierarchies = prepared->hierarchies,
        .dropped = prepared->dropped,
        .ready = prepared->readied.columns,
        .ready_count = prepared->readied.count,
    };
}

/* --- Before reading. -------------------------------------------------------------------- */

/* A weight or hierarchy shows that a column is meant to be generalized; to release it as it is
 * because its role was forgotten would betray that. */
static shoal_status check_generalized(shoal_ctx *ctx, const shoal_i_spec_column *column)
{
    const char *given = column->plan.kind != SHOAL_I_PLAN_NONE          ? "a hierarchy"
                        : column->weight != 1.0                         ? "a weight"
                        : shoal_i_grid_is_set(&column->grid)            ? "a grid"
                        : column->populations.kind != SHOAL_I_PLAN_NONE ? "populations"
                                                                        : NULL;

    if (column->has_role || !given) {
        return SHOAL_OK;
    }
    shoal_i_fail(
        ctx, SHOAL_EINVAL,
        "The column \"%.200s\" has %s but no role; if it is to be generalized, give it the "
        "role quasi.",
        column->name, given);
    return shoal_i_fail_in(ctx, column->place.source, column->place.line, column->place.column);
}

/* A grid is of ranges, which are those of quasi columns without hierarchy. */
static shoal_status check_grid(shoal_ctx *ctx, const shoal_i_spec_column *column)
{
    if (!column->has_role || !shoal_i_grid_is_set(&column->grid)) {
        return SHOAL_OK;
    }
    if (column->role != SHOAL_ROLE_QUASI) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "The column \"%.200s\" has a grid and the role %s; only quasi columns are "
                     "released as ranges, which can end on one.",
                     column->name, shoal_role_name(column->role));
    } else if (column->plan.kind != SHOAL_I_PLAN_NONE) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "The column \"%.200s\" has a grid and a hierarchy, whose labels are "
                     "released in place of ranges; leave one of them out.",
                     column->name);
    } else {
        return SHOAL_OK;
    }
    return shoal_i_fail_in(ctx, column->place.source, column->place.line, column->place.column);
}

/* One column at most says whose records they are, and nothing else. */
static shoal_status check_person(shoal_ctx *ctx, const shoal_spec *spec,
                                 const shoal_i_spec_column *column)
{
    const shoal_i_spec_column *person = shoal_i_spec_person(spec);

    if (!column->has_role || column->role != SHOAL_ROLE_PERSON) {
        return SHOAL_OK;
    }
    if (column != person) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "The columns \"%.200s\" and \"%.200s\" both have the role person; one "
                     "column tells whose record it is.",
                     person->name, column->name);
    } else if (spec->k_column && strcmp(spec->k_column, column->name) == 0) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "The column \"%.200s\" cannot hold both the person and each record's own "
                     "k.",
                     column->name);
    } else {
        return SHOAL_OK;
    }
    return shoal_i_fail_in(ctx, column->place.source, column->place.line, column->place.column);
}

/* Means, medians and the values of buckets are no ranges: a promise about the ends of ranges
 * would be an empty one. */
static shoal_status check_grid_use(shoal_ctx *ctx, const shoal_spec *spec)
{
    if (!shoal_i_spec_has_grid(spec)) {
        return SHOAL_OK;
    }
    if (spec->numeric == SHOAL_I_NUMERIC_MEAN || spec->numeric == SHOAL_I_NUMERIC_MEDIAN) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "A grid is of the ends of ranges, and with `output.numeric: %s` none are "
                     "released; take the grid out, or write numbers as range or minmax.",
                     shoal_i_numeric_words[spec->numeric]);
        return shoal_i_fail_of_setting(ctx, spec, "output.numeric", SHOAL_EINVAL);
    }
    return SHOAL_OK;
}

/* In a population other values would be rare. */
static shoal_status check_rare(shoal_ctx *ctx, const shoal_spec *spec)
{
    return shoal_i_spec_merges_rare(spec) && shoal_i_spec_reads_population(spec)
               ? shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                              "Rare values cannot be merged under a requirement about a "
                              "population, in which other values are rare.")
               : SHOAL_OK;
}

/* The records' own k is found by its name in the file. */
static shoal_status check_own_k_name(shoal_ctx *ctx, const shoal_spec *spec)
{
    const shoal_i_spec_column *column =
        spec->k_column ? shoal_i_spec_find_column(spec, spec->k_column) : NULL;

    return column && column->original
               ? shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                              "The column \"%.200s\", which holds each record's own k, cannot "
                              "be renamed.",
                              column->original)
               : SHOAL_OK;
}

shoal_status shoal_i_prepare_check(shoal_ctx *ctx, const shoal_spec *spec,
                                   bool needs_requirement)
{
    shoal_status st = SHOAL_OK;
    shoal_i_mistakes mistakes = {.ctx = ctx};
    bool has_quasi = false;

    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_spec_column *column = &spec->columns[i];

        has_quasi = has_quasi || (column->has_role && column->role == SHOAL_ROLE_QUASI);
        SHOAL_TRY(shoal_i_mistakes_take(&mistakes, check_generalized(ctx, column)));
        SHOAL_TRY(shoal_i_mistakes_take(&mistakes, check_grid(ctx, column)));
        SHOAL_TRY(shoal_i_mistakes_take(&mistakes, check_person(ctx, spec, column)));
        SHOAL_TRY(shoal_i_mistakes_take(&mistakes, shoal_i_ready_check(ctx, column)));
        SHOAL_TRY(shoal_i_mistakes_take(&mistakes, shoal_i_column_check_same(ctx, column)));
    }
    SHOAL_TRY(shoal_i_mistakes_take(&mistakes, check_grid_use(ctx, spec)));
    SHOAL_TRY(shoal_i_mistakes_take(&mistakes, check_own_k_name(ctx, spec)));
    SHOAL_TRY(shoal_i_mistakes_take(&mistakes, check_rare(ctx, spec)));
    if (!has_quasi) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "No column is a quasi-identifier; give at least one the role quasi.");
        SHOAL_TRY(shoal_i_mistakes_take(&mistakes, SHOAL_EINVAL));
    }
    if (needs_requirement && spec->k == 0 && !spec->k_column && spec->request_count == 0) {
        shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "No privacy requirement is given; say how large classes must be at least: k.");
        SHOAL_TRY(shoal_i_mistakes_take(&mistakes, SHOAL_EINVAL));
    }
    if (needs_requirement) {
        SHOAL_TRY(shoal_i_bound_requirements_check(&mistakes, spec));
    }
    SHOAL_TRY(shoal_i_mistakes_status(&mistakes));
done:
    return st;
}

/* --- Reading. ----------------------------------------------------------------------------- */

shoal_status shoal_i_prepare_roles(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                   const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    prepared->column_count = shoal_table_column_count(prepared->table);
    SHOAL_ALLOC(ctx, prepared->roles, prepared->column_count);
    for (size_t i = 0; i < prepared->column_count; i++) {
        prepared->roles[i] = shoal_i_column_role(spec, shoal_table_name(prepared->table, i));
    }
done:
    return st;
}

/* Take from keep[] the records without a value in a column. */
static void mark_missing(bool *keep, const shoal_table *table, size_t column)
{
    size_t rows = shoal_table_row_count(table);
    uint32_t missing = (uint32_t)shoal_table_value_count(table, column);
    uint32_t codes[BLOCK];

    for (size_t first = 0; first < rows; first += BLOCK) {
        size_t count = rows - first < BLOCK ? rows - first : BLOCK;

        shoal_table_codes(table, column, first, count, codes);
        for (size_t i = 0; i < count; i++) {
            keep[first + i] = keep[first + i] && codes[i] != missing;
        }
    }
}

shoal_status shoal_i_prepare_fail_missing(shoal_ctx *ctx, const shoal_table *table, size_t row,
                                          size_t column, size_t count)
{
    shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)row, (int64_t)column,
                    "Record %zu has no value in column \"%.200s\" (records that lack one in a "
                    "quasi-identifier: %zu). Give `missing.action: drop` to leave them out, or "
                    "`missing.action: keep` to let missing count as a value of its own.",
                    row + 1, shoal_table_name(table, column), count);
    return shoal_i_fail_in(ctx, shoal_table_source(table), shoal_table_line(table, row), 0);
}

/* Name the first record that lacks a value where it must have one. */
static shoal_status fail_missing(shoal_ctx *ctx, const shoal_table *table, const bool *keep,
                                 const bool *is_needed, size_t count)
{
    size_t row = 0;
    size_t column = 0;

    while (keep[row]) {
        row++;
    }
    while (!is_needed[column] ||
           shoal_table_code(table, column, row) != shoal_table_value_count(table, column)) {
        column++;
    }
    return shoal_i_prepare_fail_missing(ctx, table, row, column, count);
}

/* The numbers of the records that are kept. */
static shoal_status list_kept(shoal_ctx *ctx, uint32_t **out, const bool *keep, size_t rows)
{
    shoal_status st = SHOAL_OK;
    uint32_t *kept = NULL;
    size_t count = 0;

    SHOAL_ALLOC(ctx, kept, rows);
    for (size_t row = 0; row < rows; row++) {
        if (keep[row]) {
            kept[count++] = (uint32_t)row;
        }
    }
    *out = kept;
done:
    return st;
}

/* Replace the table by one without the records that lack a value. */
static shoal_status drop_records(shoal_ctx *ctx, shoal_i_prepared *prepared, const bool *keep,
                                 size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_table *filtered = NULL;

    if (count == shoal_table_row_count(prepared->table)) {
        shoal_i_fail(
            ctx, SHOAL_EUNSATISFIABLE,
            "All %zu records lack a value in a quasi-identifier; after dropping them none is "
            "left.",
            count);
        return shoal_i_fail_in(ctx, shoal_table_source(prepared->table), 0, 0);
    }
    SHOAL_TRY(shoal_table_filter(ctx, &filtered, prepared->table, keep));
    SHOAL_TRY(
        list_kept(ctx, &prepared->given_record, keep, shoal_table_row_count(prepared->table)));
    shoal_table_free(prepared->table);
    prepared->table = filtered;
    prepared->dropped = count;
    shoal_i_log(ctx, SHOAL_LOG_DEBUG, "%zu records with missing values were left out.", count);
done:
    return st;
}

/* Records that lack a value: all quasi columns need one, unless missing is kept. One without a
 * k of its own, where records have one, can be dropped but not kept; that is checked later. */
static shoal_status treat_missing(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                  const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = prepared->table;
    size_t rows = shoal_table_row_count(table);
    bool *is_needed = NULL;
    bool *keep = NULL;
    size_t count = 0;

    SHOAL_ALLOC(ctx, is_needed, prepared->column_count);
    SHOAL_ALLOC(ctx, keep, rows);
    memset(keep, true, rows);
    for (size_t i = 0; i < prepared->column_count; i++) {
        bool is_k = spec->k_column && strcmp(spec->k_column, shoal_table_name(table, i)) == 0;
        bool is_quasi = prepared->roles[i] == SHOAL_ROLE_QUASI;

        is_needed[i] = ((is_k && spec->missing == SHOAL_I_MISSING_DROP) ||
                        (is_quasi && spec->missing != SHOAL_I_MISSING_KEEP)) &&
                       shoal_table_missing_count(table, i) > 0;
        if (is_needed[i]) {
            mark_missing(keep, table, i);
        }
    }
    for (size_t row = 0; row < rows; row++) {
        count += !keep[row];
    }
    if (count > 0 && spec->missing == SHOAL_I_MISSING_DROP) {
        SHOAL_TRY(drop_records(ctx, prepared, keep, count));
    } else if (count > 0) {
        SHOAL_TRY(fail_missing(ctx, table, keep, is_needed, count));
    }
done:
    free(is_needed);
    free(keep);
    return st;
}

shoal_status shoal_i_prepare_fail_nobody(shoal_ctx *ctx, const shoal_table *table, size_t row,
                                         size_t column, size_t count)
{
    shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)row, (int64_t)column,
                    "Record %zu has no person in column \"%.200s\" (records without one: %zu). "
                    "Give `missing.person: own` if each of them is of a person of its own.",
                    row + 1, shoal_table_name(table, column), count);
    return shoal_i_fail_in(ctx, shoal_table_source(table), shoal_table_line(table, row), 0);
}

/* The first record without a person. */
static shoal_status fail_nobody(shoal_ctx *ctx, const shoal_table *table, size_t column)
{
    uint32_t missing = (uint32_t)shoal_table_value_count(table, column);
    size_t row = 0;

    while (shoal_table_code(table, column, row) != missing) {
        row++;
    }
    return shoal_i_prepare_fail_nobody(ctx, table, row, column,
                                       shoal_table_missing_count(table, column));
}

/* Whose records they are. Those without a person come behind all others. */
static shoal_status number_persons(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                   const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = prepared->table;
    size_t rows = shoal_table_row_count(table);
    size_t column = 0;
    uint32_t *names = NULL;
    shoal_i_same_values values = {0};
    shoal_i_arena arena = {0};

    while (column < prepared->column_count && prepared->roles[column] != SHOAL_ROLE_PERSON) {
        column++;
    }
    if (column == prepared->column_count || shoal_table_is_skipped(table, column)) {
        return SHOAL_OK;
    }
    uint32_t missing = (uint32_t)shoal_table_value_count(table, column);
    size_t count = missing;

    if (shoal_table_missing_count(table, column) > 0 && !spec->owns_missing_person) {
        return fail_nobody(ctx, table, column);
    }
    shoal_i_sameness same = shoal_i_column_sameness(spec, shoal_table_name(table, column));

    SHOAL_TRY(shoal_i_same_values_find(ctx, &values, &arena, table, column, &same));
    SHOAL_ALLOC(ctx, names, rows);
    shoal_table_codes(table, column, 0, rows, names);
    for (size_t row = 0; row < rows; row++) {
        names[row] = shoal_i_same_values_first(&values, names[row]);
        if (names[row] == missing) {
            names[row] = (uint32_t)count++;
        }
    }
    SHOAL_TRY(shoal_i_persons_init(ctx, &prepared->persons, names, rows, count));
    prepared->persons.column = column;
done:
    free(names);
    shoal_i_arena_clear(&arena);
    return st;
}

/* Make columns ready: the table is another one from here on. */
static shoal_status make_ready(shoal_ctx *ctx, shoal_i_prepared *prepared,
                               const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    if (shoal_i_spec_makes_ready(spec)) {
        SHOAL_TRY(shoal_i_make_ready(ctx, &prepared->readied, prepared->table, spec));
        shoal_table_free(prepared->table);
        prepared->table = prepared->readied.table;
        prepared->readied.table = NULL;
    }
done:
    return st;
}

shoal_status shoal_i_prepare_by(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                shoal_i_reading *reading)
{
    shoal_status st = SHOAL_OK;
    const shoal_spec *spec = reading->spec;
    shoal_csv_options options = shoal_i_column_options(reading, shoal_i_configure_original);

    SHOAL_TRY(shoal_i_given_read(ctx, &prepared->table, &reading->given, &options));
    SHOAL_TRY(shoal_i_rename_columns(ctx, prepared->table, spec));
    if (reading->given.table) {
        prepared->given = reading->given.table;
        shoal_i_table_hold(prepared->given);
    }
    SHOAL_TRY(shoal_i_prepare_roles(ctx, prepared, spec));
    SHOAL_TRY(treat_missing(ctx, prepared, spec));
    SHOAL_TRY(number_persons(ctx, prepared, spec));
    if (reading->seeks_person) {
        SHOAL_TRY(shoal_i_notice_person(ctx, prepared, spec));
    }
    SHOAL_TRY(make_ready(ctx, prepared, spec));
    if (spec->k_column) {
        SHOAL_TRY(
            shoal_i_column_record_k(ctx, &prepared->record_k, prepared->table, spec->k_column));
    }
done:
    return st;
}

shoal_status shoal_i_prepare_read(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                  const shoal_spec *spec, const shoal_i_given *input)
{
    return shoal_i_prepare_by(ctx, prepared, &(shoal_i_reading){.spec = spec, .given = *input});
}

shoal_status shoal_i_prepare_original(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                      const shoal_spec *spec, const shoal_i_given *input)
{
    return shoal_i_prepare_by(
        ctx, prepared,
        &(shoal_i_reading){.spec = spec, .given = *input, .with_sensitive = true});
}

shoal_status shoal_i_prepare_population(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                        const shoal_spec *spec, const shoal_i_given *given)
{
    shoal_status st = SHOAL_OK;
    shoal_i_reading reading = {.spec = spec, .given = *given};
    shoal_csv_options options = shoal_i_column_options(&reading, shoal_i_configure_population);

    /* The spec's are those of the table. */
    options.delimiter = 0;
    options.encoding = SHOAL_ENCODING_AUTO;
    options.skip_lines = 0;
    options.comment = NULL;
    SHOAL_TRY(shoal_i_given_read(ctx, &prepared->table, given, &options));
    SHOAL_TRY(shoal_i_rename_columns(ctx, prepared->table, spec));
    SHOAL_TRY(shoal_i_prepare_roles(ctx, prepared, spec));
    SHOAL_TRY(treat_missing(ctx, prepared, spec));
    SHOAL_TRY(number_persons(ctx, prepared, spec));
    SHOAL_TRY(make_ready(ctx, prepared, spec));
done:
    return st;
}

/* --- The quasi-identifier. -------------------------------------------------------------- */

/* The hierarchy of a quasi column: the one asked for; text without one gets a flat one; numbers
 * need none. */
static shoal_status build_hierarchy(shoal_ctx *ctx, shoal_hierarchy **out,
                                    const shoal_i_spec_column *asked, const shoal_table *table,
                                    size_t column)
{
    shoal_i_hierarchy_plan plan = asked->plan;

    if (plan.kind == SHOAL_I_PLAN_NONE &&
        shoal_table_type(table, column) == SHOAL_TYPE_STRING) {
        plan.kind = SHOAL_I_PLAN_FLAT;
    }
    shoal_status st = shoal_i_hierarchy_plan_build(ctx, out, &plan, table, column);

    if (st != SHOAL_OK && st != SHOAL_ENOMEM && st != SHOAL_ECANCELLED) {
        shoal_i_fail_in(ctx, asked->place.source, asked->place.line, asked->place.column);
    }
    return st;
}

/* All quasi columns, so that every hierarchy that does not fit is reported, not only the first.
 */
static shoal_status build_hierarchies(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                      const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_i_mistakes mistakes = {.ctx = ctx};

    SHOAL_ALLOC(ctx, prepared->hierarchies, prepared->column_count);
    for (size_t i = 0; i < prepared->column_count; i++) {
        shoal_hierarchy **ready =
            prepared->readied.hierarchies ? &prepared->readied.hierarchies[i] : NULL;

        if (ready && *ready) { /* that of its least level */
            prepared->hierarchies[i] = *ready;
            *ready = NULL;
        } else if (prepared->roles[i] == SHOAL_ROLE_QUASI) {
            const shoal_i_spec_column *asked =
                shoal_i_spec_find_column(spec, shoal_table_name(prepared->table, i));

            SHOAL_TRY(
                shoal_i_mistakes_take(&mistakes, build_hierarchy(ctx, &prepared->hierarchies[i],
                                                                 asked, prepared->table, i)));
        }
    }
    SHOAL_TRY(shoal_i_mistakes_status(&mistakes));
done:
    return st;
}

/* What a column's own grid is made for: its values must have that unit. */
static shoal_status check_grid_of(shoal_ctx *ctx, const shoal_i_spec_column *asked,
                                  shoal_type type)
{
    if (!shoal_i_grid_is_set(&asked->grid) ||
        (type != SHOAL_TYPE_STRING &&
         shoal_i_grid_fits(&asked->grid, type == SHOAL_TYPE_DATE))) {
        return SHOAL_OK;
    }
    shoal_i_fail(ctx, SHOAL_EINVAL,
                 type == SHOAL_TYPE_STRING
                     ? "The column \"%.200s\" has a grid, which is for numbers and dates, and "
                       "holds text."
                 : type == SHOAL_TYPE_DATE
                     ? "The column \"%.200s\" holds dates; its grid is a whole number of days "
                       "up to 1000000, or of weeks, months or years."
                     : "The column \"%.200s\" holds numbers; its grid is a number without a "
                       "unit.",
                 asked->name);
    return shoal_i_fail_in(ctx, asked->place.source, asked->place.line, asked->place.column);
}

shoal_status shoal_i_prepare_quasi_of(shoal_ctx *ctx, shoal_i_quasi **out,
                                      const shoal_i_prepared *prepared, const shoal_spec *spec,
                                      const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    shoal_i_quasi_request *requests = NULL;
    size_t count = 0;
    bool has_grid = false;

    SHOAL_ALLOC(ctx, requests, prepared->column_count);
    for (size_t i = 0; i < prepared->column_count; i++) {
        if (prepared->roles[i] == SHOAL_ROLE_QUASI) {
            const shoal_i_spec_column *asked =
                shoal_i_spec_find_column(spec, shoal_table_name(table, i));
            shoal_type type = shoal_table_type(table, i);

            SHOAL_TRY(check_grid_of(ctx, asked, type));
            requests[count] = (shoal_i_quasi_request){
                .column = i,
                .weight = asked->weight,
                .hierarchy = prepared->hierarchies[i],
                .grid = shoal_i_spec_grid(spec, asked, type),
            };
            has_grid = has_grid || shoal_i_grid_is_set(&requests[count].grid);
            count++;
        }
    }
    if (shoal_i_grid_is_set(&spec->grid) && !has_grid) {
        shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "The grid fits no column: no quasi column without a hierarchy holds numbers "
            "or dates that it could be of.");
        SHOAL_TRY(shoal_i_fail_of_setting(ctx, spec, "grid", SHOAL_EINVAL));
    }
    SHOAL_TRY(shoal_i_quasi_build(ctx, out, table, requests, count));
done:
    free(requests);
    return st;
}

shoal_status shoal_i_prepare_quasi(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                   const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(build_hierarchies(ctx, prepared, spec));
    SHOAL_TRY(shoal_i_prepare_quasi_of(ctx, &prepared->quasi, prepared, spec, prepared->table));
done:
    return st;
}

/* Of a column that is released as it is: each is warned of once, by what is worst. What is
 * insensitive on purpose is only doubted where its name speaks against that. */
static shoal_status warn_released(shoal_ctx *ctx, const char *name, shoal_role role,
                                  bool is_decided, size_t distinct, size_t rows)
{
    bool is_sensitive = role == SHOAL_ROLE_SENSITIVE;

    if (rows >= WARN_RECORDS_MIN && distinct >= rows - rows / 10) {
        return shoal_i_warn(
            ctx, SHOAL_I_WARN_NEAR_UNIQUE, name,
            "The column \"%.200s\" is released as it is, and nearly every record has a value "
            "of its own there (%zu in %zu records); if it tells who a record is about, make it "
            "an identifier%s.",
            name, distinct, rows,
            is_sensitive ? ", and if others may know it exactly, release it rounded" : "");
    }
    if (shoal_i_names_identifier(name, distinct, rows)) {
        return shoal_i_warn(
            ctx, SHOAL_I_WARN_IDENTIFIER, name,
            "The column \"%.200s\" is released as it is, and it is named like an identifier; "
            "if it tells who a record is about, make it one.",
            name);
    }
    if (!is_sensitive && distinct > 1 && !shoal_i_names_sensitive(name) &&
        (!is_decided || shoal_i_names_quasi(name))) {
        return shoal_i_warn(
            ctx, SHOAL_I_WARN_QUASI, name,
            "The column \"%.200s\" is released as it is, and others may know it; if they do, "
            "make it a part of the quasi-identifier%s.",
            name, is_decided ? "" : ", and if not, insensitive");
    }
    return SHOAL_OK;
}

/* Of a column whose texts are released: some that a spreadsheet would run. */
static shoal_status warn_formulas(shoal_ctx *ctx, const shoal_table *table, size_t column)
{
    const char *name = shoal_table_name(table, column);
    size_t values = shoal_table_value_count(table, column);
    size_t count = 0;

    for (uint32_t code = 0; code < values; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(table, column, code, &length);

        count += shoal_i_is_formula(text, length);
    }
    if (count == 0) {
        return SHOAL_OK;
    }
    return shoal_i_warn(
        ctx, SHOAL_I_WARN_FORMULA, name,
        "In the column \"%.200s\" %zu of %zu values begin with =, +, - or @ and "
        "are no numbers: a spreadsheet that opens the release runs them as "
        "formulas. To write them as texts, give `output.cells: spreadsheet`.",
        name, count, values);
}

shoal_status shoal_i_prepare_warn(shoal_ctx *ctx, const shoal_i_prepared *prepared,
                                  const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = prepared->table;

    for (size_t i = 0; i < prepared->column_count; i++) {
        const char *name = shoal_table_name(table, i);
        const shoal_i_spec_column *asked = shoal_i_spec_find_column(spec, name);

        if (prepared->roles[i] == SHOAL_ROLE_QUASI && asked->type == SHOAL_TYPE_AUTO &&
            asked->plan.kind == SHOAL_I_PLAN_NONE) {
            SHOAL_TRY(shoal_i_notice_reading(ctx, table, i));
        }
        if (prepared->roles[i] == SHOAL_ROLE_INSENSITIVE ||
            prepared->roles[i] == SHOAL_ROLE_SENSITIVE) {
            SHOAL_TRY(warn_released(ctx, name, prepared->roles[i], asked && asked->has_role,
                                    shoal_table_value_count(table, i),
                                    shoal_table_row_count(table)));
        }
        if ((prepared->roles[i] == SHOAL_ROLE_QUASI ||
             prepared->roles[i] == SHOAL_ROLE_SENSITIVE ||
             prepared->roles[i] == SHOAL_ROLE_INSENSITIVE) &&
            !spec->is_guarded && !shoal_table_is_skipped(table, i)) {
            SHOAL_TRY(warn_formulas(ctx, table, i));
        }
    }
    SHOAL_TRY(shoal_i_notice_similar(ctx, table, spec, shoal_i_spec_reads_sensitive(spec)));
done:
    return st;
}

#include "inspect.h"

#include <shoal/job.h>

#include "../../base/warnings.h"
#include "../../base/pool.h"
#include "../../table/other_reading.h"
#include "../../table/table_configure.h"
#include "../input/prepare.h"
#include "../input/reading_notice.h"
#include "../input/ready.h"
#include "../input/run.h"

#include <string.h>

#define BLOCK 4096

/* --- Facts of a column. ----------------------------------------------------------------- */

/* Records whose value occurs once. */
static shoal_status count_once(shoal_ctx *ctx, size_t *out, const shoal_table *table,
                               size_t column)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(table);
    size_t values = shoal_table_value_count(table, column);
    uint32_t *counts = NULL;
    uint32_t codes[BLOCK];

    SHOAL_ALLOC(ctx, counts, values + 1);
    for (size_t first = 0; first < rows; first += BLOCK) {
        size_t count = rows - first < BLOCK ? rows - first : BLOCK;

        shoal_table_codes(table, column, first, count, codes);
        for (size_t i = 0; i < count; i++) {
            counts[codes[i]]++;
        }
    }
    *out = 0;
    for (size_t code = 0; code < values; code++) {
        *out += counts[code] == 1;
    }
done:
    free(counts);
    return st;
}

/* The length that all values share, or 0. */
static size_t find_text_length(const shoal_table *table, size_t column)
{
    size_t values = shoal_table_value_count(table, column);
    size_t first = 0;
    size_t length = 0;

    for (size_t code = 0; code < values; code++) {
        (void)shoal_table_text(table, column, (uint32_t)code, &length);
        first = code == 0 ? length : first;
        if (length != first) {
            return 0;
        }
    }
    return first;
}

typedef struct look {
    const shoal_table *table;
    const shoal_spec *spec; /* as asked for */
    const shoal_i_column_reading *readings;
    shoal_i_inspection *inspection;
} look;

/* The smallest and the largest number: the dictionary is sorted. */
static void find_ends(shoal_i_column_facts *facts, const shoal_table *table, size_t column)
{
    if (facts->type != SHOAL_TYPE_STRING && facts->distinct > 0) {
        facts->least = shoal_table_number(table, column, 0);
        facts->most = shoal_table_number(table, column, (uint32_t)facts->distinct - 1);
    }
}

static shoal_status look_at_column(shoal_ctx *ctx, void *payload, size_t column)
{
    const look *l = payload;
    shoal_i_column_facts *facts = &l->inspection->columns[column];
    const char *name = shoal_table_name(l->table, column);
    const shoal_i_spec_column *asked = shoal_i_spec_find_column(l->spec, name);

    *facts = (shoal_i_column_facts){
        .name = name,
        .type = shoal_table_type(l->table, column),
        .distinct = shoal_table_value_count(l->table, column),
        .missing = shoal_table_missing_count(l->table, column),
        .text_length = find_text_length(l->table, column),
        .kind = shoal_i_value_kind_find(l->table, column),
        .codes = shoal_i_known_codes_find(l->table, column),
        .reading = l->readings[column],
        .has_type = asked && asked->type != SHOAL_TYPE_AUTO,
        .has_hierarchy = asked && asked->plan.kind != SHOAL_I_PLAN_NONE,
        .is_made_ready = asked && shoal_i_is_made_ready(asked),
        .is_given = asked && asked->has_role,
        .role = asked && asked->has_role ? asked->role : SHOAL_ROLE_INSENSITIVE,
    };
    find_ends(facts, l->table, column);
    shoal_status st = count_once(ctx, &facts->once, l->table, column);

    if (st == SHOAL_OK) {
        shoal_i_inspect_guess(facts, l->inspection->records);
    }
    return st;
}

/* --- What can be asked of sensitive columns. -------------------------------------------- */

typedef struct bounding {
    const shoal_table *table;
    shoal_i_inspection *inspection;
    const shoal_i_persons *persons; /* NULL: records are counted */
} bounding;

static shoal_status bound_column(shoal_ctx *ctx, void *payload, size_t column)
{
    const bounding *b = payload;
    shoal_i_column_facts *facts = &b->inspection->columns[column];

    return facts->role == SHOAL_ROLE_SENSITIVE
               ? shoal_i_inspect_bounds(ctx, &facts->bounds, b->table, column, b->persons)
               : SHOAL_OK;
}

/* Whose record each is; one without a person is of one of its own. */
static shoal_status number_persons(shoal_ctx *ctx, shoal_i_persons *out,
                                   const shoal_table *table, size_t column)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(table);
    size_t values = shoal_table_value_count(table, column);
    size_t names = values;
    uint32_t *name_of = NULL;

    SHOAL_ALLOC(ctx, name_of, rows);
    for (size_t row = 0; row < rows; row++) {
        uint32_t code = shoal_table_code(table, column, row);

        name_of[row] = code < values ? code : (uint32_t)names++;
    }
    SHOAL_TRY(shoal_i_persons_init(ctx, out, name_of, rows, names));
done:
    free(name_of);
    return st;
}

static shoal_status bound_columns(shoal_ctx *ctx, shoal_i_inspection *inspection,
                                  const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    shoal_i_persons persons = {0};
    bounding b = {table, inspection, NULL};

    for (size_t i = 0; i < inspection->column_count; i++) {
        if (inspection->columns[i].role == SHOAL_ROLE_PERSON) {
            SHOAL_TRY(number_persons(ctx, &persons, table, i));
            b.persons = &persons;
        }
    }
    SHOAL_TRY(shoal_i_parallel_for(ctx, inspection->column_count, bound_column, &b));
done:
    shoal_i_persons_clear(&persons);
    return st;
}

/* --- Facts of the quasi-identifier. ----------------------------------------------------- */

static shoal_status count_classes(shoal_ctx *ctx, shoal_i_inspection *inspection,
                                  const uint32_t *class_of, size_t class_count)
{
    shoal_status st = SHOAL_OK;
    uint32_t *sizes = NULL;

    SHOAL_ALLOC(ctx, sizes, class_count);
    for (size_t row = 0; row < inspection->records; row++) {
        sizes[class_of[row]]++;
    }
    inspection->classes = class_count;
    inspection->smallest_class = inspection->records;
    for (size_t c = 0; c < class_count; c++) {
        inspection->unique_records += sizes[c] == 1;
        if (sizes[c] < inspection->smallest_class) {
            inspection->smallest_class = sizes[c];
        }
    }
done:
    free(sizes);
    return st;
}

/* Records without a value in some quasi column. */
static shoal_status count_incomplete(shoal_ctx *ctx, shoal_i_inspection *inspection,
                                     const shoal_table *table, const size_t *columns)
{
    shoal_status st = SHOAL_OK;
    bool *is_incomplete = NULL;

    SHOAL_ALLOC(ctx, is_incomplete, inspection->records);
    for (size_t i = 0; i < inspection->quasi_count; i++) {
        const shoal_i_column_facts *facts = &inspection->columns[columns[i]];

        for (size_t row = 0; facts->missing > 0 && row < inspection->records; row++) {
            is_incomplete[row] = is_incomplete[row] ||
                                 shoal_table_code(table, columns[i], row) == facts->distinct;
        }
    }
    for (size_t row = 0; row < inspection->records; row++) {
        inspection->missing_records += is_incomplete[row];
    }
done:
    free(is_incomplete);
    return st;
}

/* Whether ends of ranges can be rounded: they are published, and nobody said how. */
static bool has_free_ranges(const shoal_spec *spec)
{
    return (spec->numeric == SHOAL_I_NUMERIC_RANGE ||
            spec->numeric == SHOAL_I_NUMERIC_MINMAX) &&
           !shoal_i_spec_has_grid(spec) && spec->memory == 0 &&
           shoal_i_spec_method(spec).method->shape == SHOAL_I_SHAPE_CLASSES;
}

static void count_persons(shoal_i_inspection *inspection)
{
    for (size_t i = 0; i < inspection->column_count; i++) {
        const shoal_i_column_facts *facts = &inspection->columns[i];

        if (facts->role == SHOAL_ROLE_PERSON) {
            inspection->persons = facts->distinct + facts->missing;
            inspection->missing_persons = facts->missing;
        }
    }
}

static shoal_status look_at_records(shoal_ctx *ctx, shoal_i_inspection *inspection,
                                    const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    size_t *columns = NULL;
    uint32_t *class_of = NULL;
    size_t class_count = 0;

    SHOAL_ALLOC(ctx, columns, inspection->column_count);
    for (size_t i = 0; i < inspection->column_count; i++) {
        if (inspection->columns[i].role == SHOAL_ROLE_QUASI) {
            columns[inspection->quasi_count++] = i;
        }
    }
    if (inspection->quasi_count > 0) {
        SHOAL_TRY(count_incomplete(ctx, inspection, table, columns));
        SHOAL_TRY(shoal_i_group_rows(ctx, &class_of, &class_count, table, columns,
                                     inspection->quasi_count));
        SHOAL_TRY(count_classes(ctx, inspection, class_of, class_count));
    }
done:
    free(columns);
    free(class_of);
    return st;
}

/* --- The run. --------------------------------------------------------------------------- */

/* Every column is read, whatever its role, by the type the spec gives it, if any. */
static shoal_status configure_raw(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                                  size_t count)
{
    shoal_status st = shoal_i_configure_original(ctx, payload, columns, count);
    const shoal_spec *spec = ((const shoal_i_reading *)payload)->spec;

    for (size_t i = 0; st == SHOAL_OK && i < count; i++) {
        const shoal_i_spec_column *asked = shoal_i_spec_find_column(spec, columns[i].name);

        columns[i].skip = false;
        columns[i].detect_missing = true;
        columns[i].type = asked ? asked->type : SHOAL_TYPE_AUTO;
    }
    return st;
}

/* Words that people write for missing values, which are values here. */
static shoal_status warn_of_words(shoal_ctx *ctx, const shoal_table *table, size_t column)
{
    char words[SHOAL_I_OTHER_MAX];
    const char *name = shoal_table_name(table, column);

    if (!shoal_i_missing_words_find(words, table, column)) {
        return SHOAL_OK;
    }
    return shoal_i_warn(ctx, SHOAL_I_WARN_MISSING, name,
                        "The column \"%.200s\" has values that look like missing ones: %s. If "
                        "they are, list them in `missing.tokens`, with those that are there.",
                        name, words);
}

static shoal_status warn_of_strays(shoal_ctx *ctx, const shoal_table *table,
                                   const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    for (size_t column = 0; column < shoal_table_column_count(table); column++) {
        const shoal_i_spec_column *asked =
            shoal_i_spec_find_column(spec, shoal_table_name(table, column));

        if (!asked || asked->type == SHOAL_TYPE_AUTO) {
            SHOAL_TRY(shoal_i_notice_reading(ctx, table, column));
            SHOAL_TRY(warn_of_words(ctx, table, column));
        }
    }
done:
    return st;
}

static shoal_status build_report(shoal_ctx *ctx, shoal_report **out,
                                 const shoal_i_inspection *inspection,
                                 const shoal_spec *proposed, const shoal_i_stages *stages,
                                 const char *input)
{
    shoal_status st = SHOAL_OK;
    shoal_report *report = NULL;
    shoal_i_buffer text;

    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_TRY(shoal_i_report_new(ctx, &report));
    shoal_i_inspect_put_text(&text, inspection);
    SHOAL_TRY(shoal_i_buffer_take(&report->text, &text));
    shoal_i_inspect_put_json(&text, inspection, stages, input);
    SHOAL_TRY(shoal_i_buffer_take(&report->json, &text));
    SHOAL_TRY(shoal_i_inspect_put_spec(ctx, &report->spec, inspection, proposed, input));
    shoal_i_report_add_figure(report, "records", (double)inspection->records);
    shoal_i_report_add_figure(report, "classes", (double)inspection->classes);
    shoal_i_report_add_figure(report, "smallest_class", (double)inspection->smallest_class);
    shoal_i_report_add_figure(report, "unique_records", (double)inspection->unique_records);
    shoal_i_report_add_figure(report, "seconds", shoal_i_stages_total(stages));
    *out = report;
    report = NULL;
done:
    shoal_i_buffer_clear(&text);
    shoal_report_free(report);
    return st;
}

/* What was read, read again as the spec that is proposed says. */
static shoal_status read_again(shoal_ctx *ctx, shoal_table **out, const shoal_table *table,
                               const shoal_spec *proposed)
{
    shoal_i_reading reading = {.spec = proposed, .given = shoal_i_given_table(table)};
    shoal_csv_options options = shoal_i_column_options(&reading, configure_raw);

    return shoal_i_table_configure(ctx, out, table, &options);
}

static shoal_status look_at_columns(shoal_ctx *ctx, shoal_i_inspection *inspection,
                                    const shoal_table *table, const shoal_spec *spec,
                                    const shoal_i_column_reading *readings)
{
    shoal_status st = SHOAL_OK;
    look l = {table, spec, readings, inspection};

    inspection->records = shoal_table_row_count(table);
    inspection->column_count = shoal_table_column_count(table);
    SHOAL_ALLOC(ctx, inspection->columns, inspection->column_count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, inspection->column_count, look_at_column, &l));
    shoal_i_inspect_guess_person(inspection->columns, inspection->column_count,
                                 inspection->records);
    count_persons(inspection);
    for (size_t i = 0; i < inspection->column_count; i++) {
        shoal_i_inspect_guess_levels(&inspection->columns[i],
                                     inspection->persons > 0 ? inspection->persons
                                                             : inspection->records,
                                     has_free_ranges(spec));
    }
done:
    return st;
}

static shoal_status run_inspect(shoal_ctx *caller, shoal_report **out, const shoal_spec *spec,
                                const shoal_i_given *input)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_ctx *ctx = shoal_i_run_begin(&run, caller, spec);
    shoal_table *raw = NULL;
    shoal_table *table = NULL;
    shoal_spec *proposed = NULL;
    shoal_i_column_reading *readings = NULL;
    const char *tokens[SHOAL_I_MISSING_WORDS_MAX];
    size_t token_count = 0;
    shoal_i_inspection inspection = {0};
    shoal_i_reading reading = {.spec = spec, .given = *input};
    shoal_csv_options options = shoal_i_column_options(&reading, configure_raw);

    *out = NULL;
    SHOAL_TRY(shoal_i_given_read(ctx, &raw, input, &options));
    SHOAL_TRY(shoal_i_run_stage(&run, "read"));
    SHOAL_TRY(warn_of_strays(ctx, raw, spec));
    SHOAL_ALLOC(ctx, readings, shoal_table_column_count(raw));
    shoal_i_readings_find(readings, tokens, &token_count, raw, spec);
    SHOAL_TRY(
        shoal_i_propose_reading(ctx, &proposed, spec, raw, readings, tokens, token_count));
    SHOAL_TRY(read_again(ctx, &table, raw, proposed));
    SHOAL_TRY(look_at_columns(ctx, &inspection, table, spec, readings));
    SHOAL_TRY(bound_columns(ctx, &inspection, table));
    SHOAL_TRY(look_at_records(ctx, &inspection, table));
    SHOAL_TRY(shoal_i_propose_rest(ctx, proposed, &inspection));
    SHOAL_TRY(shoal_i_run_stage(&run, "inspect"));
    SHOAL_TRY(build_report(ctx, out, &inspection, proposed, &run.stages, input->path));
done:
    free(inspection.columns);
    free(readings);
    shoal_table_free(table);
    shoal_table_free(raw);
    shoal_spec_free(proposed);
    return shoal_i_run_end(&run, st);
}

shoal_status shoal_inspect(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                           const char *input)
{
    SHOAL_ENTER_FOR(ctx, out, spec, input);
    shoal_i_given given = shoal_i_given_file(input);

    return run_inspect(ctx, out, spec, &given);
}

shoal_status shoal_inspect_table(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                 const shoal_table *table)
{
    SHOAL_ENTER_FOR(ctx, out, spec, table);
    shoal_i_given given = shoal_i_given_table(table);

    return run_inspect(ctx, out, spec, &given);
}

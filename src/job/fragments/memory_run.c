#include "memory_run.h"

#include "../../base/relay.h"
#include "../../method/problem/effort.h"
#include "../../method/grouping/split.h"
#include "../../table/csv/csv_spooled.h"
#include "../../table/table_recode.h"
#include "fragments.h"
#include "rows_sort.h"
#include "../input/method_check.h"
#include "../input/warn_release.h"

#include <inttypes.h>
#include <string.h>

#define MIB ((uint64_t)1 << 20)
#define BASE_BYTES (20 * MIB)
#define BYTES_PER_THREAD (8 * MIB)

/* One in so many bytes may go to the values of columns. */
#define VALUES_SHARE 4

/* Bytes that a method needs of a record, a quarter more than measured with the hungriest of
 * those supported on records that all differ. */
#define BYTES_PER_RECORD 96
#define BYTES_PER_QUASI 28
#define BYTES_PER_COLUMN 8

/* And where persons are counted: whose a record is, the pairs of persons and values. */
#define BYTES_OF_PERSON 40
#define BYTES_OF_PAIR 24

/* Of each person of the table, while a fragment is solved. */
#define BYTES_PER_PERSON 4

/* What a search needs besides, of each record of the blocks that threads work on: the list of
 * its neighbours, which grows with the size of classes; places and trials; what competes where
 * sensitive values matter. */
#define SEARCH_BYTES 250
#define SEARCH_BYTES_SENSITIVE 400

/* Fewer records than that make no sensible fragment. */
#define LEAST_RECORDS 10000

/* --- What can be done. ------------------------------------------------------------------ */

/* What is asked for and cannot be done within a limit of memory; NULL when nothing. */
static const char *find_unsupported(const shoal_spec *spec)
{
    const char *refusal = shoal_i_division_refusal(spec);

    if (refusal) {
        return refusal;
    }
    if (shoal_i_spec_merges_rare(spec)) {
        return "columns whose rare values are not merged";
    }
    if (spec->keep_order) {
        return "releases in canonical order only; take keep-order out";
    }
    if (spec->figures != 0 || spec->is_full_report) {
        return "the short report only; measure the release in a run of its own";
    }
    return NULL;
}

static size_t count_quasi(const shoal_spec *spec)
{
    size_t count = 0;

    for (size_t i = 0; i < spec->column_count; i++) {
        count += spec->columns[i].has_role && spec->columns[i].role == SHOAL_ROLE_QUASI;
    }
    return count;
}

/* What a run takes. */
typedef struct budget {
    uint64_t base;
    uint64_t of_record;
    uint64_t of_search;     /* of a record that is searched; */
    uint64_t most_searched; /* as many at once */
} budget;

/* Whether the method goes on after its first classes. */
static bool does_search(const shoal_spec *spec)
{
    shoal_i_chosen chosen = shoal_i_spec_method(spec);
    size_t i = 0;

    if (!chosen.method->is_anytime) {
        return false;
    }
    while (strcmp(chosen.method->options[i].name, "effort") != 0) {
        i++;
    }
    return spec->seconds > 0 || chosen.settings.values[i] != SHOAL_I_EFFORT_FAST;
}

static budget find_budget(const shoal_ctx *ctx, const shoal_spec *spec, size_t column_count,
                          const shoal_i_requirement_set *set, uint64_t persons)
{
    uint64_t threads = (uint64_t)shoal_ctx_thread_count(ctx);
    shoal_i_problem problem = {.requirements = set};
    budget b = {
        .base = BASE_BYTES + BYTES_PER_THREAD * threads + BYTES_PER_PERSON * persons,
        .of_record = BYTES_PER_RECORD + BYTES_PER_QUASI * count_quasi(spec) +
                     BYTES_PER_COLUMN * column_count,
        .most_searched = threads * SHOAL_I_BLOCK,
    };

    if (shoal_i_spec_person(spec)) {
        b.of_record += BYTES_OF_PERSON + BYTES_OF_PAIR * spec->request_count;
    }
    if (does_search(spec)) {
        b.of_search = SEARCH_BYTES + sizeof(uint32_t) * shoal_i_effort_reach(&problem, 1, 1) +
                      (shoal_i_spec_reads_sensitive(spec) ? SEARCH_BYTES_SENSITIVE : 0);
    }
    return b;
}

/* The least limit that leaves room for a sensible fragment. */
static uint64_t find_least(const budget *b)
{
    uint64_t needed = b->base + LEAST_RECORDS * (b->of_record + b->of_search);
    uint64_t least = needed + needed / (VALUES_SHARE - 1) + 1;

    return least > SHOAL_I_MEMORY_LEAST ? least : SHOAL_I_MEMORY_LEAST;
}

/* How many records fit at once; the limit is enough. */
static size_t find_records(const budget *b, uint64_t memory)
{
    uint64_t bytes = memory - memory / VALUES_SHARE - b->base;
    uint64_t records = bytes / (b->of_record + b->of_search);

    if (records > b->most_searched) {
        records = (bytes - b->most_searched * b->of_search) / b->of_record;
    }
    return records < UINT32_MAX ? (size_t)records : UINT32_MAX;
}

static shoal_status check_enough(shoal_ctx *ctx, const shoal_spec *spec, const budget *b)
{
    uint64_t least = find_least(b);

    if (spec->memory < least) {
        shoal_status st =
            shoal_i_fail(ctx, SHOAL_ELIMIT,
                         "The memory allowed is too little: with %d threads, this method and "
                         "these columns a run needs at least %" PRIu64 "M.",
                         shoal_ctx_thread_count(ctx), (least + MIB - 1) / MIB);

        return shoal_i_fail_of_setting(ctx, spec, "memory", st);
    }
    return SHOAL_OK;
}

/* Before anything is read: by the columns and the k of the spec. */
static shoal_status check_spec_enough(shoal_ctx *ctx, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_i_requirement_set set = {0};

    if (spec->k > 0) {
        SHOAL_TRY(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, (double)spec->k));
    }
    budget b = find_budget(ctx, spec, spec->column_count, &set, 0);

    SHOAL_TRY(check_enough(ctx, spec, &b));
done:
    shoal_i_requirement_set_clear(&set);
    return st;
}

/* How many records fit at once, now that all is known. */
static shoal_status find_most_records(shoal_ctx *ctx, size_t *out, const shoal_spec *spec,
                                      const shoal_i_prepared *prepared)
{
    shoal_status st = SHOAL_OK;
    budget b = find_budget(ctx, spec, prepared->column_count, &prepared->requirements.set,
                           prepared->persons.count);

    SHOAL_TRY(check_enough(ctx, spec, &b));
    *out = find_records(&b, spec->memory);
done:
    return st;
}

shoal_status shoal_i_memory_check(shoal_ctx *ctx, const shoal_spec *spec)
{
    const char *unsupported = find_unsupported(spec);

    if (spec->memory == 0) {
        return SHOAL_OK;
    }
    if (unsupported) {
        return shoal_i_fail_of_setting(ctx, spec, "memory",
                                       shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                                                    "A limit of memory is supported for %s.",
                                                    unsupported));
    }
    return check_spec_enough(ctx, spec);
}

/* --- Reading. --------------------------------------------------------------------------- */

/* Records on their way from the reader to disk. */
typedef struct intake {
    const shoal_spec *spec;
    shoal_i_fragments *fragments; /* gets the form of the records */
    shoal_i_rows records;
    unsigned char *row;
    shoal_i_totals totals;
    bool *is_needed;  /* columns that must have a value in every record */
    size_t lacking;   /* records that do not */
    size_t first_row; /* of them, and the column it lacks */
    size_t first_column;
    ptrdiff_t k_column; /* of the records' own k; -1: none */
    bool *is_k;         /* of each value there: it can be one */
    size_t wrong_k;     /* records that have none */
    size_t first_wrong_k;
    ptrdiff_t person_column; /* -1: persons are not told */
    size_t nobodies;         /* records without a person */
    size_t first_nobody;
    shoal_i_same_values names; /* of persons: which are the same */
    shoal_i_arena arena;
    uint64_t persons;
    shoal_i_readied readied; /* where columns are made ready: its table is the one to be */
    size_t ready_columns;    /* of that table; 0: none are made ready */
    uint64_t **counts;       /* of each column that is: records by value before */
    uint32_t **codes;        /* of each column that is, of the records at hand */
    uint32_t **ready_codes;  /* of each column, made ready or not */
    size_t batch;            /* records that codes have room for */
} intake;

/* Which values of the column of the records' own k can be one. */
static shoal_status begin_k(shoal_ctx *ctx, intake *in, const shoal_table *table)
{
    shoal_status st = SHOAL_OK;

    in->k_column = in->spec->k_column ? shoal_table_find(table, in->spec->k_column) : -1;
    if (in->k_column >= 0) {
        size_t column = (size_t)in->k_column;
        size_t values = shoal_table_value_count(table, column);

        SHOAL_ALLOC(ctx, in->is_k, values + 1);
        for (uint32_t code = 0; code <= values; code++) {
            in->is_k[code] = shoal_i_column_k(table, column, code) > 0;
        }
    }
done:
    return st;
}

/* Make the values ready, now that all are known. */
static shoal_status begin_ready(shoal_ctx *ctx, intake *in, const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    size_t columns = shoal_table_column_count(table);

    in->ready_columns = columns;
    SHOAL_TRY(shoal_i_ready_values(ctx, &in->readied, table, in->spec));
    SHOAL_ALLOC(ctx, in->counts, columns);
    SHOAL_ALLOC(ctx, in->codes, columns);
    SHOAL_ALLOC(ctx, in->ready_codes, columns);
    for (size_t c = 0; c < columns; c++) {
        if (in->readied.maps[c]) {
            SHOAL_ALLOC(ctx, in->counts[c], shoal_table_value_count(table, c) + 1);
        }
    }
done:
    return st;
}

/* What records become: codes of columns that are made ready are other ones. */
static shoal_status take_ready(shoal_ctx *ctx, intake *in, uint32_t *const **out,
                               uint32_t *const *codes, size_t count)
{
    shoal_status st = SHOAL_OK;

    for (size_t c = 0; c < in->readied.column_count; c++) {
        const uint32_t *map = in->readied.maps[c];

        if (!map) {
            in->ready_codes[c] = codes[c];
            continue;
        }
        if (count > in->batch) {
            free(in->codes[c]);
            in->codes[c] = NULL;
            SHOAL_ALLOC(ctx, in->codes[c], count);
        }
        for (size_t i = 0; i < count; i++) {
            in->counts[c][codes[c][i]]++;
            in->codes[c][i] = map[codes[c][i]];
        }
        in->ready_codes[c] = in->codes[c];
    }
    in->batch = count > in->batch ? count : in->batch;
    *out = in->ready_codes;
done:
    return st;
}

/* The table is the one that was made ready, from here on. */
static shoal_status end_ready(shoal_ctx *ctx, intake *in, shoal_i_prepared *prepared)
{
    shoal_status st = SHOAL_OK;

    for (size_t c = 0; c < in->readied.column_count; c++) {
        const uint32_t *map = in->readied.maps[c];
        size_t missing = 0;

        for (size_t code = 0; map && code <= shoal_table_value_count(prepared->table, c);
             code++) {
            bool is_missing = map[code] == shoal_table_value_count(in->readied.table, c);

            missing += is_missing ? (size_t)in->counts[c][code] : 0;
        }
        shoal_i_table_recoded_missing(in->readied.table, c,
                                      map ? missing
                                          : shoal_table_missing_count(prepared->table, c));
    }
    SHOAL_TRY(shoal_i_ready_finish(ctx, &in->readied, prepared->table, in->counts, in->spec));
    shoal_table_free(prepared->table); /* the other one holds it */
    prepared->table = in->readied.table;
    in->readied.table = NULL;
    prepared->readied = in->readied;
    in->readied = (shoal_i_readied){0};
done:
    return st;
}

static void clear_ready(intake *in)
{
    for (size_t c = 0; c < in->ready_columns; c++) {
        if (in->counts) {
            free(in->counts[c]);
        }
        if (in->codes) {
            free(in->codes[c]);
        }
    }
    free(in->counts);
    free(in->codes);
    free((void *)in->ready_codes);
    shoal_i_readied_clear(&in->readied);
}

static shoal_status begin_intake(shoal_ctx *ctx, intake *in, const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    shoal_i_fragments *f = in->fragments;
    size_t columns = shoal_table_column_count(table);

    const shoal_i_spec_column *person = shoal_i_spec_person(in->spec);

    in->person_column = person ? shoal_table_find(table, person->name) : -1;
    if (in->person_column >= 0) {
        shoal_i_sameness same = shoal_i_column_sameness(in->spec, person->name);

        SHOAL_TRY(shoal_i_same_values_find(ctx, &in->names, &in->arena, table,
                                           (size_t)in->person_column, &same));
    }
    SHOAL_TRY(shoal_i_fragments_records(ctx, &f->record_format, &f->fields, table,
                                        in->person_column));
    SHOAL_ALLOC(ctx, in->is_needed, columns);
    SHOAL_TRY(begin_k(ctx, in, table));
    SHOAL_TRY(shoal_i_totals_init(ctx, &in->totals, in->spec, table, false));
    for (size_t c = 0; c < columns; c++) {
        in->is_needed[c] =
            (in->spec->missing != SHOAL_I_MISSING_KEEP &&
             shoal_i_column_role(in->spec, shoal_table_name(table, c)) == SHOAL_ROLE_QUASI) ||
            (in->spec->missing == SHOAL_I_MISSING_DROP && (ptrdiff_t)c == in->k_column);
    }
    SHOAL_TRY(shoal_i_rows_open(ctx, &in->records, &f->record_format, f->folder));
    SHOAL_ALLOC(ctx, in->row, f->record_format.size);
done:
    return st;
}

/* The code of records without a person. */
static uint32_t find_nobody(const shoal_table *table, ptrdiff_t column)
{
    return (uint32_t)shoal_table_value_count(table, (size_t)column);
}

/* Take one record down; `row` of the file. */
static void take_record(intake *in, const shoal_table *table, uint32_t *const *codes, size_t i)
{
    bool lacks = false;

    for (size_t c = 0; c < shoal_table_column_count(table); c++) {
        if (!codes[c]) {
            continue;
        }
        if (in->is_needed[c] && codes[c][i] == shoal_table_value_count(table, c) && !lacks) {
            lacks = true;
            if (in->lacking++ == 0) {
                in->first_row = (size_t)in->records.count;
                in->first_column = c;
            }
        }
        shoal_i_row_put(&in->fragments->record_format, in->row, in->fragments->fields[c],
                        (ptrdiff_t)c == in->person_column
                            ? shoal_i_same_values_first(&in->names, codes[c][i])
                            : codes[c][i]);
    }
    if (in->k_column >= 0 && !in->is_k[codes[in->k_column][i]] && in->wrong_k++ == 0) {
        in->first_wrong_k = (size_t)in->records.count;
    }
    if (in->person_column >= 0 &&
        codes[in->person_column][i] == find_nobody(table, in->person_column) &&
        in->nobodies++ == 0) {
        in->first_nobody = (size_t)in->records.count;
    }
}

static shoal_status consume(shoal_ctx *ctx, void *payload, const shoal_table *table,
                            uint32_t *const *codes, size_t count)
{
    shoal_status st = SHOAL_OK;
    intake *in = payload;

    if (!in->row && shoal_i_spec_makes_ready(in->spec)) {
        SHOAL_TRY(begin_ready(ctx, in, table));
    }
    if (in->ready_columns > 0) {
        SHOAL_TRY(take_ready(ctx, in, &codes, codes, count));
        table = in->readied.table;
    }
    if (!in->row) {
        SHOAL_TRY(begin_intake(ctx, in, table));
    }
    shoal_i_totals_add(&in->totals, codes, count);
    for (size_t i = 0; i < count; i++) {
        take_record(in, table, codes, i);
        SHOAL_TRY(shoal_i_rows_add(ctx, &in->records, in->row));
    }
done:
    return st;
}

/* Whether every record has what it must have. */
static shoal_status check_records(shoal_ctx *ctx, const intake *in, const shoal_table *table)
{
    if (in->lacking == 0 && in->nobodies > 0 && !in->spec->owns_missing_person) {
        return shoal_i_prepare_fail_nobody(ctx, table, in->first_nobody,
                                           (size_t)in->person_column, in->nobodies);
    }
    if (in->lacking == 0) {
        return in->wrong_k == 0
                   ? SHOAL_OK
                   : shoal_i_column_fail_k(ctx, table, in->first_wrong_k, (size_t)in->k_column);
    }
    if (in->spec->missing == SHOAL_I_MISSING_DROP) {
        shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                     "Dropping records with missing values is not supported within a limit of "
                     "memory (records that lack one in a quasi-identifier: %zu); take them out "
                     "of the file, or choose \"keep\".",
                     in->lacking);
        return shoal_i_fail_in(ctx, shoal_table_source(table), 0, 0);
    }
    return shoal_i_prepare_fail_missing(ctx, table, in->first_row, in->first_column,
                                        in->lacking);
}

static shoal_i_person_rows list_by_person(const intake *in, const shoal_i_rows *sorted,
                                          const shoal_table *table)
{
    const size_t *fields = in->fragments->fields;

    return (shoal_i_person_rows){.sorted = sorted,
                                 .person_field = fields[in->person_column],
                                 .nobody = find_nobody(table, in->person_column),
                                 .fields = fields};
}

/* Let the records of each person follow each other, and count what there is in persons. */
static shoal_status sort_by_person(shoal_ctx *ctx, intake *in, const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    shoal_i_fragments *f = in->fragments;
    shoal_i_rows sorted = {0};

    if (in->person_column < 0) {
        return SHOAL_OK;
    }
    shoal_i_row_key by_person = {0, f->record_format.offsets[1]};
    shoal_i_person_rows rows = list_by_person(in, &sorted, table);

    SHOAL_TRY(
        shoal_i_rows_sort(ctx, &sorted, &in->records, by_person, f->most_records, f->folder));
    SHOAL_TRY(
        shoal_i_totals_of_persons(ctx, &in->totals, &in->persons, in->spec, table, &rows));
    shoal_i_rows_clear(&in->records);
    in->records = sorted;
    sorted = (shoal_i_rows){0};
done:
    shoal_i_rows_clear(&sorted);
    return st;
}

static shoal_status read_records(shoal_ctx *ctx, intake *in, shoal_i_prepared *prepared,
                                 shoal_i_run *run, const char *input)
{
    shoal_status st = SHOAL_OK;
    const shoal_spec *spec = run->spec;
    shoal_i_reading reading = {.spec = spec, .given = shoal_i_given_file(input)};
    shoal_csv_options options = shoal_i_column_options(&reading, shoal_i_configure_original);
    shoal_i_csv_spooling spooling = {
        .folder = spec->temporary,
        .values_max = (size_t)(spec->memory / VALUES_SHARE),
        .consume = consume,
        .payload = in,
    };

    SHOAL_TRY(shoal_i_csv_read_spooled(ctx, &prepared->table, input, &options, &spooling));
    if (in->ready_columns > 0) {
        SHOAL_TRY(end_ready(ctx, in, prepared));
    }
    SHOAL_TRY(shoal_i_rename_columns(ctx, prepared->table, spec));
    SHOAL_TRY(shoal_i_prepare_roles(ctx, prepared, spec));
    SHOAL_TRY(check_records(ctx, in, prepared->table));
    SHOAL_TRY(sort_by_person(ctx, in, prepared->table));
    SHOAL_TRY(shoal_i_run_stage(run, "read"));
    SHOAL_TRY(shoal_i_prepare_warn(ctx, prepared, spec));
done:
    return st;
}

/* --- Solving. --------------------------------------------------------------------------- */

/* The progress of each fragment is a part of the whole. */
static shoal_status solve_all(shoal_ctx *ctx, shoal_i_fragments *f)
{
    shoal_status st = SHOAL_OK;
    shoal_i_relay relay;
    double total = (double)shoal_table_row_count(f->prepared->table);

    shoal_i_relay_begin(&relay, ctx, NULL);
    for (size_t i = 0; i < f->count; i++) {
        relay.share = (double)f->division->fragments[i].size / total;
        SHOAL_TRY(shoal_i_fragment_solve(&relay.own, f, i));
        relay.from += relay.share;
    }
done:
    return shoal_i_ctx_join(ctx, &relay.own, st);
}

/* --- The run. --------------------------------------------------------------------------- */

/* What reading back calls its stages is all one stage to the user. */
static shoal_status verify(shoal_ctx *ctx, shoal_i_verdict *out, shoal_i_fragments *f,
                           const char *path)
{
    shoal_i_relay relay;

    shoal_i_relay_begin(&relay, ctx, "verify");
    return shoal_i_ctx_join(ctx, &relay.own,
                            shoal_i_fragments_verify(&relay.own, out, f, path));
}

static shoal_status make_fragments(shoal_ctx *ctx, shoal_i_memory_made *made, shoal_i_run *run,
                                   shoal_i_fragments *f, shoal_i_output *output)
{
    shoal_status st = SHOAL_OK;
    shoal_i_exposed exposed = {0};
    shoal_i_ready_known known = {.readied = &f->prepared->readied,
                                 .original = f->prepared->table,
                                 .hierarchies = f->prepared->hierarchies};

    SHOAL_TRY(shoal_i_fragments_divide(ctx, f));
    shoal_i_log(ctx, SHOAL_LOG_DEBUG, "The records were cut into %zu fragments.", f->count);
    SHOAL_TRY(shoal_i_run_stage(run, "divide"));
    SHOAL_TRY(solve_all(ctx, f));
    SHOAL_TRY(shoal_i_run_stage(run, "anonymize"));
    SHOAL_TRY(shoal_i_fragments_merge(ctx, f));
    SHOAL_TRY(shoal_i_run_stage(run, "merge"));
    SHOAL_TRY(shoal_i_warn_release_begin(ctx, &exposed, run->spec, f->prepared));
    SHOAL_TRY(shoal_i_fragments_write(ctx, &made->loss, &exposed, f, output));
    SHOAL_TRY(shoal_i_warn_release_end(ctx, &exposed, f->prepared, SHOAL_I_SHAPE_CLASSES));
    SHOAL_TRY(shoal_i_output_end(ctx, output));
    SHOAL_TRY(shoal_i_run_stage(run, "write"));
    SHOAL_TRY(
        shoal_i_ready_verify_file(ctx, shoal_i_output_temporary(output), run->spec, &known));
    SHOAL_TRY(verify(ctx, &made->verdict, f, shoal_i_output_temporary(output)));
    SHOAL_TRY(shoal_i_run_stage(run, "verify"));
done:
    shoal_i_exposed_clear(&exposed);
    return st;
}

/* From what was read to a division of one fragment, which owns it. */
static shoal_status build_division(shoal_ctx *ctx, shoal_division **out, intake *in,
                                   shoal_i_prepared *prepared)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_division_new(ctx, out, in->spec));
    (*out)->prepared = *prepared;
    (*out)->totals = in->totals;
    *prepared = (shoal_i_prepared){0};
    in->totals = (shoal_i_totals){0};
    if (in->person_column >= 0) {
        (*out)->counts_persons = true;
        (*out)->prepared.persons.count = (size_t)in->persons;
        (*out)->prepared.persons.row_count = (size_t)in->records.count;
        (*out)->prepared.persons.column = (size_t)in->person_column;
    }
    SHOAL_TRY(shoal_i_division_bind(ctx, *out, NULL));
    if (in->person_column >= 0) {
        shoal_i_person_rows rows = list_by_person(in, &in->records, (*out)->prepared.table);

        SHOAL_TRY(shoal_i_joined_of_persons(ctx, *out, &rows));
        SHOAL_TRY(shoal_i_division_check_possible(ctx, *out));
    }
done:
    return st;
}

shoal_status shoal_i_memory_make(shoal_ctx *ctx, shoal_i_memory_made *out, shoal_i_run *run,
                                 const char *input, shoal_i_output *output)
{
    shoal_status st = SHOAL_OK;
    const shoal_spec *spec = run->spec;
    shoal_division *division = NULL;
    shoal_i_fragments fragments = {
        .spec = spec, .folder = spec->temporary, .most_records = spec->fragment_records};
    intake in = {.spec = spec, .fragments = &fragments, .person_column = -1};

    SHOAL_TRY(read_records(ctx, &in, &out->prepared, run, input));
    SHOAL_TRY(build_division(ctx, &division, &in, &out->prepared));
    fragments.division = division;
    fragments.prepared = &division->prepared;
    if (fragments.most_records == 0) {
        SHOAL_TRY(find_most_records(ctx, &fragments.most_records, spec, &division->prepared));
    }
    SHOAL_TRY(shoal_i_fragments_init(ctx, &fragments, &in.records));
    SHOAL_TRY(make_fragments(ctx, out, run, &fragments, output));
done:
    shoal_i_rows_clear(&in.records);
    free(in.row);
    free(in.is_needed);
    free(in.is_k);
    clear_ready(&in);
    shoal_i_arena_clear(&in.arena);
    shoal_i_totals_clear(&in.totals);
    shoal_i_fragments_clear(&fragments);
    if (division) {
        out->prepared = division->prepared; /* the report is about it */
        if (out->prepared.requirements.persons) {
            out->prepared.requirements.persons = &out->prepared.persons;
        }
        division->prepared = (shoal_i_prepared){0};
    }
    shoal_division_free(division);
    return st;
}

void shoal_i_memory_made_clear(shoal_i_memory_made *made)
{
    shoal_i_loss_clear(&made->loss);
    shoal_i_prepared_clear(&made->prepared);
}

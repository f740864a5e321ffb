#include "values.h"

#include "../../base/entry.h"
#include "../../table/column_build.h"
#include "../input/method_check.h"
#include "bound_part.h"

#include <inttypes.h>
#include <string.h>

/* Records are numbered in 32 bits. */
#define RECORDS_MAX (UINT32_MAX - 1)

void shoal_i_value_column_clear(shoal_i_value_column *column)
{
    free(column->name);
    shoal_i_dictionary_clear(&column->texts);
    free(column->counts);
    free(column->persons);
    free(column->is_missing);
}

void shoal_values_free(shoal_values *values)
{
    if (!values) {
        return;
    }
    for (size_t c = 0; c < values->column_count; c++) {
        shoal_i_value_column_clear(&values->columns[c]);
    }
    free(values->columns);
    shoal_i_person_sketch_clear(&values->sketch);
    free(values);
}

uint64_t shoal_values_record_count(const shoal_values *values)
{
    return values->record_count;
}

size_t shoal_values_column_count(const shoal_values *values)
{
    return values->column_count;
}

const char *shoal_values_column_name(const shoal_values *values, size_t column)
{
    return column < values->column_count ? values->columns[column].name : NULL;
}

size_t shoal_values_value_count(const shoal_values *values, size_t column)
{
    return column < values->column_count ? values->columns[column].texts.count : 0;
}

uint64_t shoal_values_person_count(const shoal_values *values)
{
    return values->counts_persons ? values->person_count : values->record_count;
}

/* --- One column. ------------------------------------------------------------------------ */

static shoal_status grow(shoal_ctx *ctx, shoal_i_value_column *column, size_t needed)
{
    size_t capacity = column->capacity ? column->capacity : 64;
    size_t more = 0;

    while (capacity < needed) {
        capacity *= 2;
    }
    more = capacity - column->capacity;
    uint64_t *counts = shoal_i_realloc(ctx, column->counts, capacity, sizeof *counts);

    column->counts = counts ? counts : column->counts;
    uint64_t *persons =
        counts ? shoal_i_realloc(ctx, column->persons, capacity, sizeof *persons) : NULL;

    column->persons = persons ? persons : column->persons;
    bool *is_missing =
        persons ? shoal_i_realloc(ctx, column->is_missing, capacity, sizeof *is_missing) : NULL;

    if (!is_missing) {
        return SHOAL_ENOMEM;
    }
    column->is_missing = is_missing;
    memset(counts + column->capacity, 0, more * sizeof *counts);
    memset(persons + column->capacity, 0, more * sizeof *persons);
    memset(is_missing + column->capacity, 0, more);
    column->capacity = capacity;
    return SHOAL_OK;
}

shoal_status shoal_i_value_column_add(shoal_ctx *ctx, shoal_i_value_column *column,
                                      const char *text, size_t length, uint64_t times,
                                      bool is_missing)
{
    shoal_status st = SHOAL_OK;
    uint32_t index = 0;

    SHOAL_TRY(shoal_i_dictionary_add(ctx, &column->texts, &index, text, length));
    if (index >= column->capacity) {
        SHOAL_TRY(grow(ctx, column, (size_t)index + 1));
    }
    column->counts[index] += times;
    column->is_missing[index] = column->is_missing[index] || is_missing;
done:
    return st;
}

/* The type of a column of which some values are of type a and others of type b. */
static shoal_type join_types(shoal_type a, shoal_type b)
{
    bool are_numbers = (a == SHOAL_TYPE_INTEGER || a == SHOAL_TYPE_REAL) &&
                       (b == SHOAL_TYPE_INTEGER || b == SHOAL_TYPE_REAL);

    if (a == b || b == SHOAL_TYPE_AUTO) {
        return a;
    }
    return a == SHOAL_TYPE_AUTO ? b : are_numbers ? SHOAL_TYPE_REAL : SHOAL_TYPE_STRING;
}

/* Whether requirements read a column, so that the persons of its values are counted. */
static bool is_required(const shoal_spec *spec, const char *name)
{
    return shoal_i_column_role(spec, name) == SHOAL_ROLE_SENSITIVE ||
           (spec->k_column && strcmp(spec->k_column, name) == 0);
}

/* A part on its way to values. */
typedef struct counting {
    const shoal_spec *spec;
    shoal_table *table; /* as the spec wants it */
    bool *keep;         /* NULL: all records */
    shoal_i_part_persons persons;
} counting;

/* Of each code, the first that is one value with it by the spec: the persons of all of them are
 * told with its text, and add up with those of other parts, whichever text is the first there.
 */
static shoal_status list_first(shoal_ctx *ctx, uint32_t *first_of, const shoal_spec *spec,
                               const shoal_table *table, size_t column)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sameness same = shoal_i_column_sameness(spec, shoal_table_name(table, column));
    shoal_i_same_values values = {0};
    shoal_i_arena arena = {0};

    SHOAL_TRY(shoal_i_same_values_find(ctx, &values, &arena, table, column, &same));
    for (uint32_t code = 0; code <= shoal_table_value_count(table, column); code++) {
        first_of[code] = shoal_i_same_values_first(&values, code);
    }
done:
    shoal_i_arena_clear(&arena);
    return st;
}

static shoal_status count_column(shoal_ctx *ctx, shoal_i_value_column *column,
                                 const counting *in, size_t c)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = in->table;
    const bool *keep = in->keep;
    size_t values = shoal_table_value_count(table, c);
    shoal_i_codes codes = shoal_i_table_codes(table, c);
    uint64_t *times = NULL;
    uint64_t *persons = NULL;
    uint32_t *first_of = NULL;

    SHOAL_ALLOC(ctx, times, values + 1);
    SHOAL_ALLOC(ctx, persons, values + 1);
    if (in->persons.names && is_required(in->spec, column->name)) {
        SHOAL_ALLOC(ctx, first_of, values + 1);
        SHOAL_TRY(list_first(ctx, first_of, in->spec, table, c));
        SHOAL_TRY(shoal_i_part_persons_total(ctx, persons, &in->persons, table, c, first_of,
                                             values + 1));
    }
    for (size_t row = 0; row < shoal_table_row_count(table); row++) {
        times[shoal_i_codes_get(codes, row)] += !keep || keep[row];
    }
    for (uint32_t code = 0; code <= values; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(table, c, code, &length);

        if (times[code] == 0) {
            continue;
        }
        if (code < values) {
            column->type = join_types(column->type, shoal_table_type(table, c));
        }
        SHOAL_TRY(
            shoal_i_value_column_add(ctx, column, text, length, times[code], code == values));
        /* The texts are all different, so that this one is the last. */
        column->persons[column->texts.count] += persons[code];
    }
done:
    free(times);
    free(persons);
    free(first_of);
    return st;
}

/* --- A part. ---------------------------------------------------------------------------- */

/* What can be said of a spec before any record is seen. */
static shoal_status check_spec(shoal_ctx *ctx, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    const char *refusal = shoal_i_division_refusal(spec);

    SHOAL_TRY(shoal_i_prepare_check(ctx, spec, true));
    SHOAL_TRY(shoal_i_method_check(ctx, spec));
    if (refusal) {
        st = shoal_i_fail(ctx, SHOAL_EUNSUPPORTED, "A division is supported for %s.", refusal);
    }
done:
    return st;
}

/* How many persons have any of the values that a requirement joins. */
static shoal_status count_joined(shoal_ctx *ctx, shoal_values *values, const counting *in,
                                 const shoal_i_requirement_request *request, size_t column)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sameness same =
        shoal_i_column_sameness(in->spec, shoal_table_name(in->table, column));
    shoal_i_sensitive sensitive = {0};
    size_t codes = shoal_table_value_count(in->table, column) + 1;
    uint32_t *is_named = NULL;
    uint32_t value = 0;

    SHOAL_ALLOC(ctx, is_named, codes);
    SHOAL_TRY(shoal_i_sensitive_init(ctx, &sensitive, in->table, column, NULL, &same));
    for (size_t i = 0; i < request->value_count; i++) {
        const char *text = request->values[i];

        st = shoal_i_sensitive_find(ctx, &value, &sensitive, text, strlen(text));
        if (st == SHOAL_OK) {
            for (uint32_t code = 0; code < codes; code++) {
                is_named[code] |= shoal_i_sensitive_value(&sensitive, code) == value;
            }
        } else if (st != SHOAL_ENOTFOUND) {
            goto done;
        }
    }
    SHOAL_TRY(shoal_i_part_persons_total(ctx, values->joined[values->joined_count++],
                                         &in->persons, in->table, column, is_named, 2));
done:
    shoal_i_sensitive_clear(&sensitive);
    free(is_named);
    return st;
}

/* In the order in which requirements are bound. */
static shoal_status count_all_joined(shoal_ctx *ctx, shoal_values *values, const counting *in)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < in->spec->request_count; i++) {
        for (size_t c = 0; c < values->column_count; c++) {
            if (values->joined_count < SHOAL_I_REQUIREMENTS_MAX &&
                shoal_i_request_joins(&in->spec->requests[i], in->spec,
                                      values->columns[c].name)) {
                SHOAL_TRY(count_joined(ctx, values, in, &in->spec->requests[i], c));
            }
        }
    }
done:
    return st;
}

static shoal_status count_persons(shoal_ctx *ctx, shoal_values *values, const counting *in)
{
    shoal_status st = SHOAL_OK;

    values->counts_persons = true;
    values->person_count = in->persons.count;
    SHOAL_TRY(shoal_i_person_sketch_init(ctx, &values->sketch, &in->persons));
    SHOAL_TRY(count_all_joined(ctx, values, in));
done:
    return st;
}

/* Who it is only tells what else is counted: the names stay in the part. */
static shoal_status count_columns(shoal_ctx *ctx, shoal_values *values, const counting *in)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, values->columns, shoal_table_column_count(in->table));
    values->column_count = shoal_table_column_count(in->table);
    for (size_t c = 0; c < values->column_count; c++) {
        shoal_i_value_column *column = &values->columns[c];
        const char *name = shoal_table_name(in->table, c);

        column->name = shoal_i_strdup(ctx, name);
        if (!column->name) {
            st = SHOAL_ENOMEM;
            goto done;
        }
        column->is_skipped = shoal_table_is_skipped(in->table, c) ||
                             shoal_i_column_role(in->spec, name) == SHOAL_ROLE_PERSON;
        if (!column->is_skipped) {
            SHOAL_TRY(count_column(ctx, column, in, c));
        }
    }
done:
    return st;
}

shoal_status shoal_values_count(shoal_ctx *ctx, shoal_values **out, const shoal_spec *spec,
                                const shoal_table *part)
{
    SHOAL_ENTER_FOR(ctx, out, spec, part);
    shoal_status st = SHOAL_OK;
    shoal_values *values = NULL;
    counting in = {.spec = spec};

    SHOAL_TRY(check_spec(ctx, spec));
    SHOAL_TRY(shoal_i_part_configure(ctx, &in.table, spec, part));
    SHOAL_TRY(shoal_i_part_select(ctx, &in.keep, spec, in.table));
    SHOAL_ALLOC(ctx, values, 1);
    SHOAL_TRY(shoal_i_spec_digest(ctx, values->spec_digest, spec));
    if (shoal_i_spec_person(spec)) {
        SHOAL_TRY(shoal_i_part_persons_init(ctx, &in.persons, spec, in.table, in.keep));
    }
    SHOAL_TRY(count_columns(ctx, values, &in));
    if (shoal_i_spec_person(spec)) {
        SHOAL_TRY(count_persons(ctx, values, &in));
    }
    for (size_t row = 0; row < shoal_table_row_count(part); row++) {
        values->record_count += !in.keep || in.keep[row];
    }
    *out = values;
    values = NULL;
done:
    shoal_values_free(values);
    shoal_i_part_persons_clear(&in.persons);
    shoal_table_free(in.table);
    free(in.keep);
    return st;
}

/* --- Parts together. -------------------------------------------------------------------- */

static shoal_status check_alike(shoal_ctx *ctx, const shoal_values *values,
                                const shoal_values *more)
{
    if (memcmp(values->spec_digest, more->spec_digest, sizeof values->spec_digest) != 0) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The values of two parts were counted by different specs.");
    }
    if (values->column_count != more->column_count) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The parts of a table have the same columns; got %zu and %zu.",
                            values->column_count, more->column_count);
    }
    for (size_t c = 0; c < values->column_count; c++) {
        if (strcmp(values->columns[c].name, more->columns[c].name) != 0) {
            return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)c,
                                   "The parts of a table have the same columns; column %zu is "
                                   "\"%.200s\" in one and \"%.200s\" in another.",
                                   c + 1, values->columns[c].name, more->columns[c].name);
        }
    }
    if (more->record_count > RECORDS_MAX - values->record_count) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "A table has at most %" PRIu32 " records.",
                            RECORDS_MAX);
    }
    if (shoal_i_person_sketch_common(&values->sketch, &more->sketch) > 0) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "A person has records in two parts, or a part was added twice; "
                            "where persons are counted, let each part have all records of its "
                            "persons.");
    }
    return SHOAL_OK;
}

shoal_status shoal_values_add(shoal_ctx *ctx, shoal_values *values, const shoal_values *more)
{
    SHOAL_ENTER(ctx, values, more);
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(check_alike(ctx, values, more));
    for (size_t c = 0; c < values->column_count; c++) {
        shoal_i_value_column *to = &values->columns[c];
        const shoal_i_value_column *from = &more->columns[c];

        for (uint32_t index = 1; index <= from->texts.count; index++) {
            size_t length = 0;
            const char *text = shoal_i_dictionary_text(&from->texts, index, &length);

            SHOAL_TRY(shoal_i_value_column_add(ctx, to, text, length, from->counts[index],
                                               from->is_missing[index]));
            if (from->persons[index] > 0) {
                to->persons[shoal_i_dictionary_find(&to->texts, text, length)] +=
                    from->persons[index];
            }
        }
        to->type = join_types(to->type, from->type);
    }
    values->record_count += more->record_count;
    values->person_count += more->person_count;
    for (size_t i = 0; i < values->joined_count; i++) {
        values->joined[i][0] += more->joined[i][0];
        values->joined[i][1] += more->joined[i][1];
    }
    SHOAL_TRY(shoal_i_person_sketch_add(ctx, &values->sketch, &more->sketch));
done:
    return st;
}

/* --- The table. ------------------------------------------------------------------------- */

/* Texts that stand for missing values, those of the spec in its order first. */
typedef struct tokens {
    const char **list;
    char *bytes;
    size_t count;
} tokens;

static bool is_listed(const tokens *t, const char *text)
{
    for (size_t i = 0; i < t->count; i++) {
        if (strcmp(t->list[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static shoal_status list_tokens(shoal_ctx *ctx, tokens *t, const shoal_i_value_column *column,
                                const shoal_spec *spec)
{
    static const char *const usual[] = {"", "?"};
    shoal_status st = SHOAL_OK;
    const char *const *first = spec->missing_tokens ? spec->missing_tokens : usual;
    size_t first_count =
        spec->missing_tokens ? spec->missing_token_count : sizeof usual / sizeof *usual;
    size_t missing = 0;
    size_t bytes = 0;
    size_t length = 0;

    for (uint32_t index = 1; index <= column->texts.count; index++) {
        shoal_i_dictionary_text(&column->texts, index, &length);
        missing += column->is_missing[index];
        bytes += column->is_missing[index] ? length + 1 : 0;
    }
    SHOAL_ALLOC(ctx, t->list, first_count + missing);
    SHOAL_ALLOC(ctx, t->bytes, bytes + 1);
    for (size_t i = 0; i < first_count; i++) {
        uint32_t index = shoal_i_dictionary_find(&column->texts, first[i], strlen(first[i]));

        if (index > 0 && column->is_missing[index]) {
            t->list[t->count++] = first[i];
        }
    }
    char *at = t->bytes;

    for (uint32_t index = 1; index <= column->texts.count; index++) {
        const char *text = shoal_i_dictionary_text(&column->texts, index, &length);

        if (column->is_missing[index]) {
            memcpy(at, text, length);
            at[length] = '\0';
            if (!is_listed(t, at)) {
                t->list[t->count++] = at;
                at += length + 1;
            }
        }
    }
done:
    return st;
}

/* in_persons: the totals are to be those of persons. */
static shoal_status build_column(shoal_ctx *ctx, shoal_i_column *to, uint32_t **totals,
                                 const shoal_i_value_column *column, const shoal_spec *spec,
                                 bool in_persons)
{
    shoal_status st = SHOAL_OK;
    tokens missing = {0};
    uint32_t *code_of = NULL;
    bool has_bad = false;

    SHOAL_TRY(list_tokens(ctx, &missing, column, spec));
    shoal_i_column_rules rules = {
        .type = column->type == SHOAL_TYPE_AUTO ? SHOAL_TYPE_STRING : column->type,
        .missing_tokens = missing.list,
        .missing_token_count = missing.count,
    };

    SHOAL_TRY(shoal_i_column_build(ctx, to, &code_of, &has_bad, &column->texts, &rules));
    if (has_bad) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EFORMAT,
                               "Column \"%.200s\" has values that are not of the type %s.",
                               column->name, shoal_type_name(rules.type)));
    }
    SHOAL_ALLOC(ctx, *totals, (size_t)to->value_count + 1);
    for (uint32_t index = 1; index <= column->texts.count; index++) {
        (*totals)[code_of[index]] += (uint32_t)column->counts[index];
    }
    to->missing_count = (*totals)[to->value_count];
    for (uint32_t index = 1; in_persons && index <= column->texts.count; index++) {
        (*totals)[code_of[index]] -= (uint32_t)(column->counts[index] - column->persons[index]);
    }
done:
    free(code_of);
    free(missing.list);
    free(missing.bytes);
    return st;
}

/* Of other columns a division has the values alone. */
static bool is_counted(const shoal_spec *spec, const char *name)
{
    shoal_role role = shoal_i_column_role(spec, name);

    return role == SHOAL_ROLE_QUASI || role == SHOAL_ROLE_SENSITIVE ||
           (spec->k_column && strcmp(spec->k_column, name) == 0);
}

shoal_status shoal_i_values_table(shoal_ctx *ctx, shoal_table **out, shoal_i_totals *totals,
                                  const struct shoal_values *values, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_table *table = NULL;

    SHOAL_TRY(shoal_i_table_new(ctx, &table, "", values->column_count));
    SHOAL_ALLOC(ctx, totals->counts, values->column_count);
    totals->column_count = values->column_count;
    for (size_t c = 0; c < values->column_count; c++) {
        const shoal_i_value_column *column = &values->columns[c];

        SHOAL_TRY(shoal_i_table_set_name(ctx, table, c, column->name, strlen(column->name)));
        table->columns[c].skipped = column->is_skipped;
        table->columns[c].type = SHOAL_TYPE_STRING;
        if (!column->is_skipped) {
            SHOAL_TRY(build_column(ctx, &table->columns[c], &totals->counts[c], column, spec,
                                   values->counts_persons && is_required(spec, column->name)));
        }
        if (!is_counted(spec, column->name)) {
            free(totals->counts[c]);
            totals->counts[c] = NULL;
        }
    }
    table->row_count = (size_t)values->record_count;
    *out = table;
    table = NULL;
done:
    shoal_table_free(table);
    return st;
}

/* --- Bytes. ----------------------------------------------------------------------------- */

static void pack_persons(shoal_i_buffer *out, const shoal_values *values)
{
    shoal_i_pack_number(out, values->counts_persons);
    if (!values->counts_persons) {
        return;
    }
    shoal_i_pack_number(out, values->person_count);
    shoal_i_pack_number(out, values->joined_count);
    for (size_t i = 0; i < values->joined_count; i++) {
        shoal_i_pack_number(out, values->joined[i][0]);
        shoal_i_pack_number(out, values->joined[i][1]);
    }
    shoal_i_pack_number(out, values->sketch.count);
    for (size_t i = 0; i < values->sketch.count; i++) {
        shoal_i_pack_digest(out, values->sketch.digests[i]);
    }
}

static void pack_values(shoal_i_buffer *out, const shoal_values *values)
{
    shoal_i_pack_text(out, values->spec_digest, strlen(values->spec_digest));
    shoal_i_pack_number(out, values->record_count);
    shoal_i_pack_number(out, values->column_count);
    for (size_t c = 0; c < values->column_count; c++) {
        const shoal_i_value_column *column = &values->columns[c];

        shoal_i_pack_text(out, column->name, strlen(column->name));
        shoal_i_pack_number(out, column->is_skipped);
        shoal_i_pack_number(out, (uint64_t)column->type);
        shoal_i_pack_number(out, column->texts.count);
        for (uint32_t index = 1; index <= column->texts.count; index++) {
            size_t length = 0;
            const char *text = shoal_i_dictionary_text(&column->texts, index, &length);

            shoal_i_pack_text(out, text, length);
            shoal_i_pack_number(out, column->counts[index]);
            shoal_i_pack_number(out, column->persons[index]);
            shoal_i_pack_number(out, column->is_missing[index]);
        }
    }
    pack_persons(out, values);
}

shoal_status shoal_values_write_memory(shoal_ctx *ctx, char **bytes, size_t *size,
                                       const shoal_values *values)
{
    SHOAL_ENTER_FOR(ctx, bytes, size, values);
    shoal_i_buffer out;

    shoal_i_buffer_init(&out, ctx, SHOAL_I_BUFFER_MAX);
    pack_values(&out, values);
    return shoal_i_pack_end(ctx, bytes, size, SHOAL_I_PORTABLE_VALUES, &out);
}

/* The texts of a column; together they are the values of all records. */
static shoal_status unpack_column(shoal_ctx *ctx, shoal_i_value_column *column,
                                  shoal_i_unpacking *in, uint64_t records,
                                  const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    size_t length = 0;
    const char *name = shoal_i_unpack_text(in, &length);
    uint64_t sum = 0;

    column->name = shoal_i_strndup(ctx, name, length);
    if (!column->name) {
        return SHOAL_ENOMEM;
    }
    column->is_skipped = shoal_i_unpack_number(in, 1) != 0;
    column->type = (shoal_type)shoal_i_unpack_number(in, SHOAL_TYPE_DATE);
    size_t count = shoal_i_unpack_count(in);
    bool in_persons = shoal_i_spec_person(spec) && is_required(spec, column->name);

    for (size_t i = 0; i < count && !in->is_broken; i++) {
        const char *text = shoal_i_unpack_text(in, &length);
        uint64_t times = shoal_i_unpack_number(in, RECORDS_MAX);
        uint64_t persons = shoal_i_unpack_number(in, records);
        bool is_missing = shoal_i_unpack_number(in, 1) != 0;

        SHOAL_TRY(shoal_i_value_column_add(ctx, column, text, length, times, is_missing));
        in->is_broken =
            in->is_broken || times == 0 || column->texts.count != i + 1 ||
            (persons > 0 && !in_persons); /* 0: told with a text of the same value */
        column->persons[column->texts.count] = persons;
        sum += times;
    }
    in->is_broken = in->is_broken || sum != (column->is_skipped ? 0 : records);
done:
    return st;
}

/* How many requirements of a spec join values, in columns of these names. */
static size_t count_joining(const shoal_values *values, const shoal_spec *spec)
{
    size_t count = 0;

    for (size_t i = 0; i < spec->request_count; i++) {
        for (size_t c = 0; c < values->column_count; c++) {
            count += shoal_i_request_joins(&spec->requests[i], spec, values->columns[c].name);
        }
    }
    return count < SHOAL_I_REQUIREMENTS_MAX ? count : SHOAL_I_REQUIREMENTS_MAX;
}

/* Every person has a value in each column that requirements read, and each value once. */
static bool are_persons(const shoal_values *values, const shoal_spec *spec)
{
    for (size_t c = 0; c < values->column_count; c++) {
        const shoal_i_value_column *column = &values->columns[c];
        uint64_t sum = 0;

        if (column->is_skipped || !is_required(spec, column->name)) {
            continue;
        }
        for (uint32_t index = 1; index <= column->texts.count; index++) {
            if (column->persons[index] > values->person_count) {
                return false;
            }
            sum += column->persons[index];
        }
        if (sum < values->person_count) {
            return false;
        }
    }
    return true;
}

static shoal_status unpack_persons(shoal_ctx *ctx, shoal_values *values, shoal_i_unpacking *in,
                                   const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    bool is_told = shoal_i_unpack_number(in, 1) != 0;

    values->counts_persons = shoal_i_spec_person(spec) != NULL;
    in->is_broken = in->is_broken || is_told != values->counts_persons;
    if (in->is_broken || !is_told) {
        return SHOAL_OK;
    }
    values->person_count = shoal_i_unpack_number(in, values->record_count);
    size_t joined = shoal_i_unpack_count(in);

    in->is_broken = in->is_broken || joined != count_joining(values, spec) ||
                    (values->person_count == 0) != (values->record_count == 0) ||
                    !are_persons(values, spec);
    for (size_t i = 0; i < joined && !in->is_broken; i++) {
        values->joined[i][0] = shoal_i_unpack_number(in, values->person_count);
        values->joined[i][1] = shoal_i_unpack_number(in, values->person_count);
        values->joined_count++;
    }
    size_t digests = shoal_i_unpack_count(in);

    in->is_broken = in->is_broken || digests > SHOAL_I_PERSON_SKETCH_MAX;
    if (in->is_broken) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, values->sketch.digests, digests);
    for (size_t i = 0; i < digests; i++) {
        uint64_t digest = shoal_i_unpack_digest(in);
        uint64_t last = i > 0 ? values->sketch.digests[i - 1] : 0;

        in->is_broken = in->is_broken || digest <= last;
        values->sketch.digests[values->sketch.count++] = digest;
    }
done:
    return st;
}

shoal_status shoal_values_read_memory(shoal_ctx *ctx, shoal_values **out,
                                      const shoal_spec *spec, const void *bytes, size_t size)
{
    SHOAL_ENTER_FOR(ctx, out, spec);
    shoal_status st = SHOAL_OK;
    shoal_i_portable_kind kind = SHOAL_I_PORTABLE_VALUES;
    shoal_i_unpacking in = {0};
    shoal_values *values = NULL;

    SHOAL_ALLOC(ctx, values, 1);
    SHOAL_TRY(shoal_i_unpack_begin(ctx, &in, kind, bytes, size));
    SHOAL_TRY(shoal_i_spec_digest(ctx, values->spec_digest, spec));
    SHOAL_TRY(shoal_i_unpack_spec(ctx, &in, kind, values->spec_digest));
    values->record_count = shoal_i_unpack_number(&in, RECORDS_MAX);
    size_t columns = shoal_i_unpack_count(&in);

    SHOAL_ALLOC(ctx, values->columns, columns);
    values->column_count = columns;
    for (size_t c = 0; c < columns; c++) {
        SHOAL_TRY(unpack_column(ctx, &values->columns[c], &in, values->record_count, spec));
    }
    SHOAL_TRY(unpack_persons(ctx, values, &in, spec));
    SHOAL_TRY(shoal_i_unpack_end(ctx, &in, kind));
    *out = values;
    values = NULL;
done:
    shoal_values_free(values);
    return st;
}

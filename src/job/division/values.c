#include "values.h"

#include "../../base/entry.h"
#include "../../table/column_build.h"
#include "../input/method_check.h"
#include "bound_part.h"

#include <inttypes.h>
#include <string.h>

/* Records are numbered in 32 bits. */
#define RECORDS_MAX (UINT32_MAX - 1)

void shoal_values_free(shoal_values *values)
{
    if (!values) {
        return;
    }
    for (size_t c = 0; c < values->column_count; c++) {
        shoal_i_value_column *column = &values->columns[c];

        free(column->name);
        shoal_i_dictionary_clear(&column->texts);
        free(column->counts);
        free(column->is_missing);
    }
    free(values->columns);
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

/* --- One column. ------------------------------------------------------------------------ */

static shoal_status grow(shoal_ctx *ctx, shoal_i_value_column *column, size_t needed)
{
    size_t capacity = column->capacity ? column->capacity : 64;

    while (capacity < needed) {
        capacity *= 2;
    }
    uint64_t *counts = shoal_i_realloc(ctx, column->counts, capacity, sizeof *counts);

    column->counts = counts ? counts : column->counts;
    bool *is_missing =
        counts ? shoal_i_realloc(ctx, column->is_missing, capacity, sizeof *is_missing) : NULL;

    if (!is_missing) {
        return SHOAL_ENOMEM;
    }
    column->is_missing = is_missing;
    memset(counts + column->capacity, 0, (capacity - column->capacity) * sizeof *counts);
    memset(is_missing + column->capacity, 0, capacity - column->capacity);
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

static shoal_status count_column(shoal_ctx *ctx, shoal_i_value_column *column,
                                 const shoal_table *table, size_t c, const bool *keep)
{
    shoal_status st = SHOAL_OK;
    size_t values = shoal_table_value_count(table, c);
    shoal_i_codes codes = shoal_i_table_codes(table, c);
    uint64_t *times = NULL;

    SHOAL_ALLOC(ctx, times, values + 1);
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
    }
done:
    free(times);
    return st;
}

/* --- A part. ---------------------------------------------------------------------------- */

/* What can be said of a spec before any record is seen. */
static shoal_status check_spec(shoal_ctx *ctx, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    const char *refusal = shoal_i_spec_person(spec) ? shoal_i_division_no_persons
                                                    : shoal_i_division_refusal(spec);

    SHOAL_TRY(shoal_i_prepare_check(ctx, spec, true));
    SHOAL_TRY(shoal_i_method_check(ctx, spec));
    if (refusal) {
        st = shoal_i_fail(ctx, SHOAL_EUNSUPPORTED, "A division is supported for %s.", refusal);
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
    shoal_table *table = NULL;
    bool *keep = NULL;

    SHOAL_TRY(check_spec(ctx, spec));
    SHOAL_TRY(shoal_i_part_configure(ctx, &table, spec, part));
    SHOAL_TRY(shoal_i_part_select(ctx, &keep, spec, table));
    SHOAL_ALLOC(ctx, values, 1);
    SHOAL_TRY(shoal_i_spec_digest(ctx, values->spec_digest, spec));
    SHOAL_ALLOC(ctx, values->columns, shoal_table_column_count(part));
    values->column_count = shoal_table_column_count(part);
    for (size_t c = 0; c < values->column_count; c++) {
        shoal_i_value_column *column = &values->columns[c];
        const char *name = shoal_table_name(part, c);

        column->name = shoal_i_strdup(ctx, name);
        if (!column->name) {
            st = SHOAL_ENOMEM;
            goto done;
        }
        column->is_skipped = shoal_table_is_skipped(table, c);
        if (!column->is_skipped) {
            SHOAL_TRY(count_column(ctx, column, table, c, keep));
        }
    }
    for (size_t row = 0; row < shoal_table_row_count(part); row++) {
        values->record_count += !keep || keep[row];
    }
    *out = values;
    values = NULL;
done:
    shoal_values_free(values);
    shoal_table_free(table);
    free(keep);
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
        }
        to->type = join_types(to->type, from->type);
    }
    values->record_count += more->record_count;
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

static shoal_status build_column(shoal_ctx *ctx, shoal_i_column *to, uint32_t **totals,
                                 const shoal_i_value_column *column, const shoal_spec *spec)
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
            SHOAL_TRY(build_column(ctx, &table->columns[c], &totals->counts[c], column, spec));
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
            shoal_i_pack_number(out, column->is_missing[index]);
        }
    }
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
                                  shoal_i_unpacking *in, uint64_t records)
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

    for (size_t i = 0; i < count && !in->is_broken; i++) {
        const char *text = shoal_i_unpack_text(in, &length);
        uint64_t times = shoal_i_unpack_number(in, RECORDS_MAX);
        bool is_missing = shoal_i_unpack_number(in, 1) != 0;

        SHOAL_TRY(shoal_i_value_column_add(ctx, column, text, length, times, is_missing));
        in->is_broken = in->is_broken || times == 0 || column->texts.count != i + 1;
        sum += times;
    }
    in->is_broken = in->is_broken || sum != (column->is_skipped ? 0 : records);
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
        SHOAL_TRY(unpack_column(ctx, &values->columns[c], &in, values->record_count));
    }
    SHOAL_TRY(shoal_i_unpack_end(ctx, &in, kind));
    *out = values;
    values = NULL;
done:
    shoal_values_free(values);
    return st;
}

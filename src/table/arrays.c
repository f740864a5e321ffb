#include <shoal/table.h>

#include "../base/entry.h"
#include "../base/bitset.h"
#include "../base/pool.h"
#include "../base/text.h"
#include "column_build.h"
#include "value_type.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define ROWS_PER_CHECK 65536 /* between two looks at the cancel flag */

/* One array on its way to a column: the distinct elements, and the index of each row's (0:
 * missing). */
typedef struct coder {
    const shoal_array *array;
    int64_t field;
    shoal_i_dictionary values; /* numbers or texts, as the kind has it */
    uint32_t *indices;
    uint32_t *entries; /* dictionary arrays: index of each entry, once it is known */
} coder;

typedef struct building {
    const shoal_array *arrays;
    shoal_table *table;
} building;

/* The array that holds the values themselves. */
static const shoal_array *find_values(const shoal_array *array)
{
    return array->kind == SHOAL_ARRAY_DICTIONARY ? array->dictionary : array;
}

static bool has_value(const shoal_array *array, size_t i)
{
    return !array->validity || shoal_i_bitset_has(array->validity, i);
}

static shoal_type type_of(const shoal_array *values)
{
    switch (values->kind) {
    case SHOAL_ARRAY_INT32:
    case SHOAL_ARRAY_INT64:
        return SHOAL_TYPE_INTEGER;
    case SHOAL_ARRAY_DOUBLE:
        return SHOAL_TYPE_REAL;
    case SHOAL_ARRAY_DATE32:
        return SHOAL_TYPE_DATE;
    default:
        return SHOAL_TYPE_STRING;
    }
}

/* --- Elements. Loaded by memcpy: nothing is said about the alignment of foreign memory. --- */

static int32_t load_int32(const void *data, size_t i)
{
    int32_t value;

    memcpy(&value, (const char *)data + i * sizeof value, sizeof value);
    return value;
}

static int64_t load_int64(const void *data, size_t i)
{
    int64_t value;

    memcpy(&value, (const char *)data + i * sizeof value, sizeof value);
    return value;
}

static double load_double(const void *data, size_t i)
{
    double value;

    memcpy(&value, (const char *)data + i * sizeof value, sizeof value);
    return value;
}

static shoal_status add_integer(shoal_ctx *ctx, coder *c, uint32_t *index, int64_t number,
                                int64_t row)
{
    if (number < -SHOAL_I_INTEGER_MAX || number > SHOAL_I_INTEGER_MAX) {
        return shoal_i_fail_at(ctx, SHOAL_EFORMAT, row, c->field,
                               "Column \"%s\" has an integer beyond 2^53, which could not be "
                               "kept exactly; pass the column as text.",
                               c->array->name);
    }
    return shoal_i_dictionary_add_number(ctx, &c->values, index, (uint64_t)number);
}

static shoal_status add_double(shoal_ctx *ctx, coder *c, uint32_t *index, double number,
                               int64_t row)
{
    uint64_t bits;

    if (!isfinite(number)) {
        return shoal_i_fail_at(ctx, SHOAL_EFORMAT, row, c->field,
                               "Column \"%s\" has a value that is %s; mark it as missing or "
                               "leave the record out.",
                               c->array->name, isnan(number) ? "NaN" : "infinite");
    }
    number = number == 0 ? 0 : number; /* -0 and 0 are one value */
    memcpy(&bits, &number, sizeof bits);
    return shoal_i_dictionary_add_number(ctx, &c->values, index, bits);
}

static shoal_status add_date(shoal_ctx *ctx, coder *c, uint32_t *index, int32_t days,
                             int64_t row)
{
    int year;
    int month;
    int day;

    shoal_i_date_parts(days, &year, &month, &day);
    if (year < 1 || year > 9999) {
        return shoal_i_fail_at(ctx, SHOAL_EFORMAT, row, c->field,
                               "Column \"%s\" has a date outside the years 1 to 9999.",
                               c->array->name);
    }
    return shoal_i_dictionary_add_number(ctx, &c->values, index, (uint64_t)(int64_t)days);
}

static shoal_status add_text(shoal_ctx *ctx, coder *c, uint32_t *index,
                             const shoal_array *values, size_t i, int64_t row)
{
    bool is_large = values->kind == SHOAL_ARRAY_LARGE_UTF8;
    int64_t start =
        is_large ? load_int64(values->offsets64, i) : load_int32(values->offsets32, i);
    int64_t end =
        is_large ? load_int64(values->offsets64, i + 1) : load_int32(values->offsets32, i + 1);
    size_t length = (size_t)(end - start);
    size_t at;

    if (start < 0 || end < start || (uint64_t)end > SIZE_MAX || (!values->data && end > 0)) {
        return shoal_i_fail_at(ctx, SHOAL_EINVAL, row, c->field,
                               "The offsets of column \"%s\" do not ascend within its data.",
                               c->array->name);
    }
    const char *text = length > 0 ? (const char *)values->data + start : "";

    if (!shoal_i_text_is_utf8(&at, text, length) || memchr(text, '\0', length)) {
        return shoal_i_fail_at(ctx, SHOAL_EFORMAT, row, c->field,
                               "Column \"%s\" has a text that is not valid UTF-8 or contains "
                               "a NUL byte.",
                               c->array->name);
    }
    return shoal_i_dictionary_add(ctx, &c->values, index, text, length);
}

/* The index of element i of the array that holds the values; 0 when it is missing. */
static shoal_status code_value(shoal_ctx *ctx, coder *c, uint32_t *index,
                               const shoal_array *values, size_t i, int64_t row)
{
    *index = 0;
    if (!has_value(values, i)) {
        return SHOAL_OK;
    }
    switch (values->kind) {
    case SHOAL_ARRAY_INT32:
        return add_integer(ctx, c, index, load_int32(values->data, i), row);
    case SHOAL_ARRAY_INT64:
        return add_integer(ctx, c, index, load_int64(values->data, i), row);
    case SHOAL_ARRAY_DOUBLE:
        return add_double(ctx, c, index, load_double(values->data, i), row);
    case SHOAL_ARRAY_DATE32:
        return add_date(ctx, c, index, load_int32(values->data, i), row);
    default:
        return add_text(ctx, c, index, values, i, row);
    }
}

/* The same for a row of a dictionary array. Entries are coded when they first occur: those that
 * never do are not values of the column, whatever they hold. */
static shoal_status code_entry(shoal_ctx *ctx, coder *c, uint32_t *index, size_t row)
{
    shoal_status st = SHOAL_OK;
    const shoal_array *values = c->array->dictionary;
    int32_t entry;

    *index = 0;
    if (!has_value(c->array, row)) {
        return SHOAL_OK;
    }
    entry = load_int32(c->array->data, row);
    if (entry < 0 || (size_t)entry >= values->length) {
        return shoal_i_fail_at(ctx, SHOAL_EINVAL, (int64_t)row, c->field,
                               "An index of column \"%s\" is outside its dictionary.",
                               c->array->name);
    }
    if (c->entries[entry] == 0) {
        SHOAL_TRY(code_value(ctx, c, &c->entries[entry], values, (size_t)entry, (int64_t)row));
    }
    *index = c->entries[entry];
done:
    return st;
}

static shoal_status code_rows(shoal_ctx *ctx, coder *c)
{
    shoal_status st = SHOAL_OK;
    bool has_entries = c->array->kind == SHOAL_ARRAY_DICTIONARY;

    SHOAL_ALLOC(ctx, c->indices, c->array->length);
    if (has_entries) {
        SHOAL_ALLOC(ctx, c->entries, c->array->dictionary->length);
    }
    for (size_t row = 0; row < c->array->length; row++) {
        if (row % ROWS_PER_CHECK == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
        if (has_entries) {
            SHOAL_TRY(code_entry(ctx, c, &c->indices[row], row));
        } else {
            SHOAL_TRY(code_value(ctx, c, &c->indices[row], c->array, row, (int64_t)row));
        }
    }
done:
    return st;
}

/* --- Columns. --- */

static double value_of_number(const void *payload, uint64_t number)
{
    const shoal_type *type = payload;
    double value;

    if (*type != SHOAL_TYPE_REAL) {
        return (double)(int64_t)number;
    }
    memcpy(&value, &number, sizeof value);
    return value;
}

static size_t write_number(char out[SHOAL_I_NUMBER_MAX], double *value, const void *payload,
                           uint64_t number)
{
    const shoal_type *type = payload;

    *value = value_of_number(payload, number);
    switch (*type) {
    case SHOAL_TYPE_INTEGER:
        return shoal_i_text_from_int64(out, (int64_t)number);
    case SHOAL_TYPE_DATE:
        return shoal_i_text_from_date(out, (int32_t)(int64_t)number);
    default:
        return shoal_i_text_from_double(out, *value);
    }
}

/* The column's values from the distinct elements. */
static shoal_status build_values(shoal_ctx *ctx, const coder *c, shoal_i_column *column,
                                 uint32_t **code_of)
{
    shoal_type type = type_of(find_values(c->array));
    shoal_i_column_rules rules = {.type = type};
    shoal_i_number_rules number_rules = {
        .type = type, .value = value_of_number, .write = write_number, .payload = &type};
    bool has_bad = false;

    if (type != SHOAL_TYPE_STRING) {
        return shoal_i_column_build_numbers(ctx, column, code_of, &c->values, &number_rules);
    }
    shoal_status st = shoal_i_column_build(ctx, column, code_of, &has_bad, &c->values, &rules);

    assert(!has_bad);
    return st;
}

static shoal_status finish_column(shoal_ctx *ctx, coder *c, shoal_i_column *column)
{
    shoal_status st = SHOAL_OK;
    uint32_t *code_of = NULL;

    SHOAL_TRY(build_values(ctx, c, column, &code_of));
    SHOAL_TRY(shoal_i_column_alloc_codes(ctx, column, c->array->length));
    for (size_t row = 0; row < c->array->length; row++) {
        c->indices[row] = code_of[c->indices[row]];
    }
    shoal_i_codes_narrow(column->codes, column->width, 0, c->indices, c->array->length);
    shoal_i_column_count_missing(column, c->array->length);
done:
    free(code_of);
    return st;
}

static shoal_status build_column(shoal_ctx *ctx, void *payload, size_t index)
{
    const building *b = payload;
    coder c = {.array = &b->arrays[index], .field = (int64_t)index};
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(code_rows(ctx, &c));
    SHOAL_TRY(finish_column(ctx, &c, &b->table->columns[index]));
done:
    shoal_i_dictionary_clear(&c.values);
    free(c.indices);
    free(c.entries);
    return st;
}

/* --- Checks before any element is looked at. --- */

static shoal_status fail_array(shoal_ctx *ctx, const shoal_array *array, int64_t field,
                               const char *what)
{
    return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, field, "Array \"%s\" %s.", array->name, what);
}

/* The parts that an array of values of this kind must have. */
static const char *find_lack(const shoal_array *values)
{
    switch (values->kind) {
    case SHOAL_ARRAY_INT32:
    case SHOAL_ARRAY_INT64:
    case SHOAL_ARRAY_DOUBLE:
    case SHOAL_ARRAY_DATE32:
        return values->length > 0 && !values->data ? "has no data" : NULL;
    case SHOAL_ARRAY_UTF8:
        return values->length > 0 && !values->offsets32 ? "has no 32-bit offsets" : NULL;
    case SHOAL_ARRAY_LARGE_UTF8:
        return values->length > 0 && !values->offsets64 ? "has no 64-bit offsets" : NULL;
    case SHOAL_ARRAY_DICTIONARY:
        return "has a dictionary inside its dictionary";
    default:
        return "is of an unknown kind";
    }
}

static shoal_status check_array(shoal_ctx *ctx, const shoal_array *array, size_t length,
                                int64_t field)
{
    const char *lack = NULL;
    size_t at;

    if (!array->name || !shoal_i_text_is_utf8(&at, array->name, strlen(array->name))) {
        return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, field,
                               "An array needs a name in valid UTF-8.");
    }
    if (array->length != length || length > UINT32_MAX - 1) {
        return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, field,
                               "Array \"%s\" has %zu elements, but the first one has %zu.",
                               array->name, array->length, length);
    }
    if (array->kind != SHOAL_ARRAY_DICTIONARY) {
        lack = find_lack(array);
    } else if (!array->dictionary || (length > 0 && !array->data)) {
        lack = "has no dictionary or no indices";
    } else {
        lack = find_lack(array->dictionary);
    }
    return lack ? fail_array(ctx, array, field, lack) : SHOAL_OK;
}

shoal_status shoal_table_from_arrays(shoal_ctx *ctx, shoal_table **out,
                                     const shoal_array *arrays, size_t count)
{
    SHOAL_ENTER_FOR(ctx, out, arrays);
    shoal_status st = SHOAL_OK;
    building b = {.arrays = arrays};

    if (count == 0) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "A table needs at least one array.");
    }
    SHOAL_TRY(shoal_i_table_new(ctx, &b.table, "", count));
    b.table->row_count = arrays[0].length;
    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(check_array(ctx, &arrays[i], arrays[0].length, (int64_t)i));
        SHOAL_TRY(
            shoal_i_table_set_name(ctx, b.table, i, arrays[i].name, strlen(arrays[i].name)));
    }
    SHOAL_TRY(shoal_i_table_check_names(ctx, b.table, SHOAL_EINVAL));
    SHOAL_TRY(shoal_i_table_index_names(ctx, b.table));
    SHOAL_TRY(shoal_i_parallel_for(ctx, count, build_column, &b));
    *out = b.table;
    b.table = NULL;
done:
    shoal_table_free(b.table);
    return st;
}

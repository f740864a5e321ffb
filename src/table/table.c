#include <shoal/table.h>

#include "../base/hash.h"
#include "../base/text.h"
#include "dictionary.h"
#include "table_build.h"
#include "table_hold.h"
#include "table_origin.h"

#include <assert.h>
#include <string.h>

static const char *const type_names[] = {
    [SHOAL_TYPE_AUTO] = "auto",       [SHOAL_TYPE_STRING] = "string",
    [SHOAL_TYPE_INTEGER] = "integer", [SHOAL_TYPE_REAL] = "real",
    [SHOAL_TYPE_DATE] = "date",
};

static const char *const role_names[] = {
    [SHOAL_ROLE_INSENSITIVE] = "insensitive",
    [SHOAL_ROLE_IDENTIFIER] = "identifier",
    [SHOAL_ROLE_QUASI] = "quasi",
    [SHOAL_ROLE_SENSITIVE] = "sensitive",
    [SHOAL_ROLE_PERSON] = "person",
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

const char *shoal_type_name(shoal_type type)
{
    return (size_t)type < LENGTH(type_names) ? type_names[type] : "unknown";
}

/* The place of a name among the first `count`; count when it is not there. */
static size_t find_name(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;

    while (i < count && strcmp(names[i], name) != 0) {
        i++;
    }
    return i;
}

bool shoal_type_find(shoal_type *out, const char *name)
{
    size_t i = find_name(type_names, LENGTH(type_names), name);

    if (i < LENGTH(type_names)) {
        *out = (shoal_type)i;
    }
    return i < LENGTH(type_names);
}

const char *shoal_role_name(shoal_role role)
{
    return (size_t)role < LENGTH(role_names) ? role_names[role] : "unknown";
}

bool shoal_role_find(shoal_role *out, const char *name)
{
    size_t i = find_name(role_names, LENGTH(role_names), name);

    if (i < LENGTH(role_names)) {
        *out = (shoal_role)i;
    }
    return i < LENGTH(role_names);
}

/* --- Names of columns. --- */

#define NAMES_FEW 32

/* The slot of a name, or the free one where it belongs. */
static uint32_t *find_name_slot(const shoal_table *table, const char *name)
{
    size_t mask = table->name_slot_count - 1;
    size_t at = (size_t)shoal_i_hash_bytes(&table->hash_key, name, strlen(name)) & mask;

    while (table->name_slots[at] != 0 &&
           strcmp(table->columns[table->name_slots[at] - 1].name, name) != 0) {
        at = (at + 1) & mask;
    }
    return &table->name_slots[at];
}

shoal_status shoal_i_table_index_names(shoal_ctx *ctx, shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    uint32_t *slots = NULL;
    size_t slot_count = NAMES_FEW;

    if (table->column_count <= NAMES_FEW || table->column_count >= UINT32_MAX) {
        return SHOAL_OK;
    }
    while (slot_count < 2 * table->column_count) {
        slot_count *= 2;
    }
    SHOAL_ALLOC(ctx, slots, slot_count);
    free(table->name_slots);
    table->name_slots = slots;
    table->name_slot_count = slot_count;
    table->hash_key = ctx->hash_key;
    for (size_t c = table->column_count; c > 0; c--) {
        *find_name_slot(table, table->columns[c - 1].name) =
            (uint32_t)c; /* of equals the first */
    }
done:
    return st;
}

/* --- Building. --- */

shoal_status shoal_i_table_new(shoal_ctx *ctx, shoal_table **out, const char *source,
                               size_t column_count)
{
    shoal_status st = SHOAL_OK;
    shoal_table *table = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, table, 1);
    table->references = 1;
    SHOAL_ALLOC(ctx, table->columns, column_count);
    table->column_count = column_count;
    table->source = shoal_i_strdup(ctx, source);
    if (!table->source) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    *out = table;
    table = NULL;
done:
    shoal_table_free(table);
    return st;
}

shoal_status shoal_i_table_set_name(shoal_ctx *ctx, shoal_table *table, size_t column,
                                    const char *name, size_t length)
{
    assert(!table->columns[column].name);
    table->columns[column].name = shoal_i_strndup(ctx, name, length);
    return table->columns[column].name ? SHOAL_OK : SHOAL_ENOMEM;
}

shoal_status shoal_i_table_rename(shoal_ctx *ctx, shoal_table *table, size_t column,
                                  const char *name)
{
    shoal_i_column *c = &table->columns[column];
    char *copy = shoal_i_strdup(ctx, name);

    if (!copy) {
        return SHOAL_ENOMEM;
    }
    if (!c->is_part || c->owns_name) {
        free(c->name);
    }
    c->name = copy;
    c->owns_name = c->is_part;
    return shoal_i_table_index_names(ctx, table);
}

shoal_status shoal_i_column_set_origin(shoal_ctx *ctx, shoal_i_column *column,
                                       const char *origin)
{
    assert(!column->origin);
    if (!origin) {
        return SHOAL_OK;
    }
    column->origin = shoal_i_strdup(ctx, origin);
    return column->origin ? SHOAL_OK : SHOAL_ENOMEM;
}

shoal_status shoal_i_column_alloc_codes(shoal_ctx *ctx, shoal_i_column *column,
                                        size_t row_count)
{
    column->width = shoal_i_codes_width(column->value_count);
    column->codes = shoal_i_alloc_aligned(ctx, row_count, column->width);
    return column->codes ? SHOAL_OK : SHOAL_ENOMEM;
}

void shoal_i_column_count_missing(shoal_i_column *column, size_t row_count)
{
    shoal_i_codes codes = {.data = column->codes, .width = column->width};

    column->missing_count = shoal_i_codes_count(codes, row_count, column->value_count);
}

static shoal_status check_name(shoal_ctx *ctx, shoal_i_dictionary *seen,
                               const shoal_table *table, size_t column, shoal_status status)
{
    const char *name = table->columns[column].name;
    uint32_t index = 0;
    shoal_status st = SHOAL_OK;

    if (name[0] == '\0') {
        return shoal_i_fail_at(ctx, status, -1, (int64_t)column,
                               "Column %zu has an empty name; every column needs one.",
                               column + 1);
    }
    SHOAL_TRY(shoal_i_dictionary_add(ctx, seen, &index, name, strlen(name)));
    /* As long as all names differ, the index of a name is its column, counted from 1. */
    if (index != column + 1) {
        st = shoal_i_fail_at(ctx, status, -1, (int64_t)column,
                             "Columns %u and %zu have the same name \"%s\"; names must differ.",
                             index, column + 1, name);
    }
done:
    return st;
}

shoal_status shoal_i_table_check_names(shoal_ctx *ctx, const shoal_table *table,
                                       shoal_status status)
{
    shoal_status st = SHOAL_OK;
    shoal_i_dictionary seen = {0};

    for (size_t c = 0; c < table->column_count; c++) {
        SHOAL_TRY(check_name(ctx, &seen, table, c, status));
    }
done:
    shoal_i_dictionary_clear(&seen);
    return st;
}

/* --- Life. --- */

/* The count is the one thing about a finished table that changes, hence the cast. */
void shoal_i_table_hold(const shoal_table *table)
{
    __atomic_add_fetch(&((shoal_table *)table)->references, 1, __ATOMIC_RELAXED);
}

void shoal_i_table_drop(const shoal_table *table)
{
    shoal_table_free((shoal_table *)table);
}

void shoal_table_free(shoal_table *table)
{
    /* Release what this thread did with the table, acquire what others did, before it ends. */
    if (!table || __atomic_sub_fetch(&table->references, 1, __ATOMIC_ACQ_REL) > 0) {
        return;
    }
    for (size_t c = 0; table->columns && c < table->column_count; c++) {
        shoal_i_column *column = &table->columns[c];

        free(column->codes);
        if (!column->is_part || column->owns_name) {
            free(column->name);
        }
        if (!column->is_part) {
            free(column->texts);
            free(column->starts);
            free(column->numbers);
            free(column->origin);
        }
    }
    shoal_i_table_drop(table->whole);
    free(table->columns);
    free(table->source);
    free(table->shifts);
    free(table->name_slots);
    free(table);
}

/* --- Reading. --- */

size_t shoal_table_row_count(const shoal_table *table)
{
    return table->row_count;
}

size_t shoal_table_column_count(const shoal_table *table)
{
    return table->column_count;
}

const char *shoal_table_source(const shoal_table *table)
{
    return table->source;
}

int64_t shoal_table_line(const shoal_table *table, size_t row)
{
    size_t low = 0;
    size_t high = table->shift_count;

    if (high == 0) {
        return 0;
    }
    /* The last entry that starts at or before the row. */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (table->shifts[middle].row <= row) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (int64_t)row + table->shifts[low].lines;
}

ptrdiff_t shoal_table_find(const shoal_table *table, const char *name)
{
    if (table->name_slots) {
        return (ptrdiff_t)*find_name_slot(table, name) - 1;
    }
    for (size_t c = 0; c < table->column_count; c++) {
        if (strcmp(table->columns[c].name, name) == 0) {
            return (ptrdiff_t)c;
        }
    }
    return -1;
}

static const shoal_i_column *find_column(const shoal_table *table, size_t column)
{
    assert(column < table->column_count);
    return &table->columns[column];
}

const char *shoal_table_name(const shoal_table *table, size_t column)
{
    return find_column(table, column)->name;
}

shoal_type shoal_table_type(const shoal_table *table, size_t column)
{
    return find_column(table, column)->type;
}

bool shoal_table_is_skipped(const shoal_table *table, size_t column)
{
    return find_column(table, column)->skipped;
}

size_t shoal_table_value_count(const shoal_table *table, size_t column)
{
    return find_column(table, column)->value_count;
}

size_t shoal_table_missing_count(const shoal_table *table, size_t column)
{
    return find_column(table, column)->missing_count;
}

const char *shoal_table_text(const shoal_table *table, size_t column, uint32_t code,
                             size_t *length)
{
    const shoal_i_column *c = find_column(table, column);

    assert(!c->skipped && code <= c->value_count);
    if (length) {
        *length = c->starts[code + 1] - c->starts[code] - 1;
    }
    return c->texts + c->starts[code];
}

double shoal_table_number(const shoal_table *table, size_t column, uint32_t code)
{
    const shoal_i_column *c = find_column(table, column);

    assert(c->numbers && code < c->value_count);
    return c->numbers[code];
}

const char *shoal_i_table_origin(const shoal_table *table, size_t column)
{
    return find_column(table, column)->origin;
}

shoal_i_codes shoal_i_table_codes(const shoal_table *table, size_t column)
{
    const shoal_i_column *c = find_column(table, column);

    return (shoal_i_codes){.data = c->codes, .width = c->width};
}

uint32_t shoal_table_code(const shoal_table *table, size_t column, size_t row)
{
    assert(row < table->row_count);
    return shoal_i_codes_get(shoal_i_table_codes(table, column), row);
}

void shoal_table_codes(const shoal_table *table, size_t column, size_t first, size_t count,
                       uint32_t *out)
{
    assert(first <= table->row_count && count <= table->row_count - first);
    shoal_i_codes_widen(out, shoal_i_table_codes(table, column), first, count);
}

/* How a text compares with the value of a code: below 0, 0 or above, as memcmp. */
static int compare_text(const shoal_i_column *c, uint32_t code, const char *text, size_t length)
{
    size_t other = c->starts[code + 1] - c->starts[code] - 1;
    size_t shared = length < other ? length : other;
    int order = shared ? memcmp(text, c->texts + c->starts[code], shared) : 0;

    return order ? order : (length > other) - (length < other);
}

/* The number that a text stands for in a column of this type. */
static bool parse_number(double *out, shoal_type type, const char *text, size_t length)
{
    int32_t days;

    if (type != SHOAL_TYPE_DATE) {
        return shoal_i_text_to_double(out, text, length);
    }
    if (!shoal_i_text_to_date(&days, text, length)) {
        return false;
    }
    *out = days;
    return true;
}

/* Lowest code whose value is not below the one sought. */
static uint32_t find_lower_bound(const shoal_i_column *c, const char *text, size_t length,
                                 double number)
{
    uint32_t low = 0;
    uint32_t high = c->value_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bool is_below = c->numbers ? c->numbers[middle] < number
                                   : compare_text(c, middle, text, length) > 0;

        if (is_below) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int64_t shoal_table_find_code(const shoal_table *table, size_t column, const char *text,
                              size_t length)
{
    const shoal_i_column *c = find_column(table, column);
    double number = 0;

    if (c->skipped) {
        return -1;
    }
    if (!c->numbers || parse_number(&number, c->type, text, length)) {
        uint32_t code = find_lower_bound(c, text, length, number);

        if (code < c->value_count && (c->numbers ? c->numbers[code] == number
                                                 : compare_text(c, code, text, length) == 0)) {
            return code;
        }
    }
    if (c->missing_count > 0 && compare_text(c, c->value_count, text, length) == 0) {
        return c->value_count;
    }
    return -1;
}

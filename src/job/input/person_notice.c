#include "person_notice.h"

#include "../../base/fail.h"
#include "../../base/warnings.h"
#include "../../table/table_part.h"
#include "column_names.h"

#include <stdlib.h>
#include <string.h>

static bool holds_k(const shoal_spec *spec, const char *name)
{
    return spec->k_column && strcmp(spec->k_column, name) == 0;
}

/* Whether it may be the number of a person that nobody calls one. */
static bool is_candidate(const shoal_i_prepared *prepared, const shoal_spec *spec,
                         size_t column)
{
    shoal_role role = prepared->roles[column];

    return (role == SHOAL_ROLE_IDENTIFIER || role == SHOAL_ROLE_INSENSITIVE) &&
           !shoal_table_is_skipped(prepared->table, column) &&
           !holds_k(spec, shoal_table_name(prepared->table, column));
}

static shoal_status warn_repeated(shoal_ctx *ctx, const char *name, size_t distinct,
                                  size_t records)
{
    return shoal_i_warn(
        ctx, SHOAL_I_WARN_REPEATED, name,
        "The column \"%.200s\" looks like the number of a person, and it comes back (%zu "
        "different values in %zu records): a class of many records may be one person's, and "
        "records are counted. If it tells whose record it is, give it the role person.",
        name, distinct, records);
}

shoal_status shoal_i_notice_person(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                   const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_table *table = prepared->table;
    size_t records = shoal_table_row_count(table);
    bool is_told = shoal_i_spec_person(spec) != NULL;

    for (size_t i = 0; i < prepared->column_count; i++) {
        const char *name = shoal_table_name(table, i);

        if (!is_candidate(prepared, spec, i)) {
            continue;
        }
        if (!is_told && shoal_i_seems_person(name, shoal_table_value_count(table, i),
                                             shoal_table_missing_count(table, i), records)) {
            SHOAL_TRY(warn_repeated(ctx, name, shoal_table_value_count(table, i), records));
            is_told = true;
        }
        if (prepared->roles[i] == SHOAL_ROLE_IDENTIFIER) {
            shoal_i_table_forget(table, i);
        }
    }
done:
    return st;
}

/* --- Persons who are written in two ways. ------------------------------------------------- */

/* A name without the blanks at its ends; borrowed. */
typedef struct bare_name {
    const char *text;
    size_t length;
} bare_name;

static bare_name strip(const char *text, size_t length)
{
    while (length > 0 && (text[0] == ' ' || text[0] == '\t')) {
        text++;
        length--;
    }
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) {
        length--;
    }
    return (bare_name){.text = text, .length = length};
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int compare_names(const void *a, const void *b)
{
    const bare_name *x = a;
    const bare_name *y = b;

    for (size_t i = 0; i < x->length && i < y->length; i++) {
        if (lower(x->text[i]) != lower(y->text[i])) {
            return lower(x->text[i]) < lower(y->text[i]) ? -1 : 1;
        }
    }
    return x->length == y->length ? 0 : x->length < y->length ? -1 : 1;
}

/* How many names say the same as another that was counted before. */
static shoal_status count_alike(shoal_ctx *ctx, size_t *alike, const shoal_table *table,
                                size_t column)
{
    shoal_status st = SHOAL_OK;
    size_t count = shoal_table_value_count(table, column);
    bare_name *names = NULL;

    *alike = 0;
    SHOAL_ALLOC(ctx, names, count);
    for (size_t code = 0; code < count; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(table, column, (uint32_t)code, &length);

        names[code] = strip(text, length);
    }
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 1; i < count; i++) {
        *alike += compare_names(&names[i - 1], &names[i]) == 0;
    }
done:
    free(names);
    return st;
}

shoal_status shoal_i_notice_alike(shoal_ctx *ctx, const shoal_i_prepared *prepared)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = prepared->table;

    for (size_t i = 0; i < prepared->column_count; i++) {
        size_t alike = 0;

        if (prepared->roles[i] != SHOAL_ROLE_PERSON || shoal_table_is_skipped(table, i) ||
            shoal_table_type(table, i) != SHOAL_TYPE_STRING) {
            continue;
        }
        SHOAL_TRY(count_alike(ctx, &alike, table, i));
        if (alike > 0) {
            SHOAL_TRY(shoal_i_warn(
                ctx, SHOAL_I_WARN_ALIKE, shoal_table_name(table, i),
                "Of the %zu persons in the column \"%.200s\" %zu differ from another in "
                "blanks or capital letters alone, and are counted as persons of their own: if "
                "they are not, write them in one way before.",
                shoal_table_value_count(table, i), shoal_table_name(table, i), alike));
        }
    }
done:
    return st;
}

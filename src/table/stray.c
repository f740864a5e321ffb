#include "stray.h"

#include "table_build.h"
#include "value_type.h"

#define VALUES_MIN 4 /* of which one may stray */

static const char *find_text(size_t *length, const shoal_table *table, size_t column,
                             size_t code)
{
    return shoal_table_text(table, column, (uint32_t)code, length);
}

/* How many values are not of a type, described by the first of them; all of them where one is a
 * code of digits. */
static size_t count_strays(shoal_i_stray *out, const shoal_table *table, size_t column)
{
    size_t values = shoal_table_value_count(table, column);

    out->count = 0;
    for (size_t code = 0; code < values; code++) {
        size_t length = 0;
        const char *text = find_text(&length, table, column, code);

        if (shoal_i_value_is(out->type, text, length)) {
            continue;
        }
        if (out->type == SHOAL_TYPE_REAL && shoal_i_value_is_code(text, length)) {
            return values;
        }
        if (out->count++ == 0) {
            out->found = shoal_i_value_describe(out->type, text, length);
        }
    }
    return out->count;
}

/* Describe the first record that strays instead. */
static void find_first(shoal_i_stray *out, const shoal_table *table, size_t column)
{
    size_t values = shoal_table_value_count(table, column);

    for (size_t row = 0; row < shoal_table_row_count(table); row++) {
        uint32_t code = shoal_table_code(table, column, row);
        size_t length = 0;
        const char *text = find_text(&length, table, column, code);

        if (code < values && !shoal_i_value_is(out->type, text, length)) {
            out->line = shoal_table_line(table, row);
            out->found = shoal_i_value_describe(out->type, text, length);
            return;
        }
    }
}

void shoal_i_stray_find(shoal_i_stray *out, const shoal_table *table, size_t column)
{
    static const shoal_type types[] = {SHOAL_TYPE_REAL, SHOAL_TYPE_DATE};
    size_t values = shoal_table_value_count(table, column);

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        *out = (shoal_i_stray){.type = types[i]};
        if (shoal_table_type(table, column) != SHOAL_TYPE_STRING || values < VALUES_MIN) {
            return;
        }
        size_t count = count_strays(out, table, column);

        if (count == 1 || (count > 0 && count <= values / 10)) {
            if (table->columns[column].codes) { /* not where they are on disk */
                find_first(out, table, column);
            }
            return;
        }
    }
    *out = (shoal_i_stray){0};
}

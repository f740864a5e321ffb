#include "coverage.h"

#include "../base/fail.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LISTED_MAX 10
#define SHOWN_MAX 40

int shoal_i_shown_length(const char *text)
{
    size_t length = strnlen(text, SHOWN_MAX + 1);

    if (length > SHOWN_MAX) {
        length = SHOWN_MAX;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) {
            length--;
        }
    }
    return (int)length;
}

/* The first records with values that no line has, one per value. Marks in entries what it has
 * seen. */
static size_t find_rows(size_t rows[LISTED_MAX], const shoal_table *table, size_t column,
                        uint32_t *entries)
{
    enum { BLOCK = 1024 };
    const uint32_t seen = SHOAL_I_NO_ENTRY - 1;
    size_t row_count = shoal_table_row_count(table);
    size_t value_count = shoal_table_value_count(table, column);
    size_t found = 0;
    uint32_t codes[BLOCK];

    for (size_t first = 0; first < row_count && found < LISTED_MAX; first += BLOCK) {
        size_t count = row_count - first < BLOCK ? row_count - first : BLOCK;

        shoal_table_codes(table, column, first, count, codes);
        for (size_t i = 0; i < count && found < LISTED_MAX; i++) {
            if (codes[i] < value_count && entries[codes[i]] == SHOAL_I_NO_ENTRY) {
                entries[codes[i]] = seen;
                rows[found++] = first + i;
            }
        }
    }
    return found;
}

/* Append to a text of fixed size; what does not fit is cut off. */
static void append_text(char *out, size_t capacity, const char *text)
{
    size_t used = strlen(out);

    snprintf(out + used, capacity - used, "%s", text);
}

static void list_values(char *out, size_t capacity, const shoal_table *table, size_t column,
                        const size_t *rows, size_t count)
{
    char item[SHOWN_MAX + 8];

    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const char *text =
            shoal_table_text(table, column, shoal_table_code(table, column, rows[i]), NULL);

        snprintf(item, sizeof item, "%s\"%.*s\"", i > 0 ? ", " : "", shoal_i_shown_length(text),
                 text);
        append_text(out, capacity, item);
    }
}

/* "first met on lines 3, 8, 21 of patients.csv", or in records where there are no lines. */
static void list_places(char *out, size_t capacity, const shoal_table *table,
                        const size_t *rows, size_t count)
{
    bool has_lines = shoal_table_line(table, rows[0]) > 0;
    char item[32];

    snprintf(out, capacity, "first met %s%s", has_lines ? "on line" : "in record",
             count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        int64_t place = has_lines ? shoal_table_line(table, rows[i]) : (int64_t)rows[i] + 1;

        snprintf(item, sizeof item, "%s %" PRId64, i > 0 ? "," : "", place);
        append_text(out, capacity, item);
    }
    if (has_lines && shoal_table_source(table)[0] != '\0') {
        append_text(out, capacity, " of ");
        append_text(out, capacity, shoal_table_source(table));
    }
}

size_t shoal_i_list_uncovered(const shoal_ctx *ctx, char *out, size_t capacity,
                              size_t *first_row, const shoal_table *table, size_t column,
                              uint32_t *entries)
{
    size_t rows[LISTED_MAX] = {0};
    size_t listed = find_rows(rows, table, column, entries);

    if (ctx->show_values) {
        list_values(out, capacity, table, column, rows, listed);
    } else {
        list_places(out, capacity, table, rows, listed);
    }
    *first_row = rows[0];
    return listed;
}

static shoal_status fail_uncovered(shoal_ctx *ctx, const shoal_table *table, size_t column,
                                   uint32_t *entries, size_t uncovered,
                                   const shoal_i_hierarchy_lines *lines)
{
    char list[SHOAL_MESSAGE_MAX - 300];
    size_t first = 0;
    size_t listed =
        shoal_i_list_uncovered(ctx, list, sizeof list, &first, table, column, entries);

    return shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)first, (int64_t)column,
                           "%zu of the %zu values of column \"%.60s\" %s no %s in the "
                           "%s (%s%s); add a %s for %s%s.",
                           uncovered, shoal_table_value_count(table, column),
                           shoal_table_name(table, column), uncovered == 1 ? "has" : "have",
                           lines->unit, lines->levels ? "table of levels" : "hierarchy file",
                           list, uncovered > listed ? ", ..." : "", lines->unit,
                           uncovered == 1 ? "it" : "each",
                           ctx->show_values ? "" : " (`show_values` names them)");
}

shoal_status shoal_i_check_coverage(shoal_ctx *ctx, const shoal_table *table, size_t column,
                                    uint32_t *entries, const shoal_i_hierarchy_lines *lines)
{
    size_t value_count = shoal_table_value_count(table, column);
    size_t uncovered = 0;

    for (size_t code = 0; code < value_count; code++) {
        uncovered += entries[code] == SHOAL_I_NO_ENTRY;
    }
    if (uncovered == 0) {
        return SHOAL_OK;
    }
    fail_uncovered(ctx, table, column, entries, uncovered, lines);
    return shoal_i_fail_in(ctx, lines->source, 0, 0);
}

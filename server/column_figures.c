/* What columns hold, in a few bins or values; and what a release shows of them. */
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BINS_MAX 24
#define TOP_MAX 12

/* Bins of equal width over the values of a column of numbers or dates. */
typedef struct bins {
    size_t count;
    double least;
    double width;
    bool is_whole; /* ends are whole numbers */
    double weights[BINS_MAX];
} bins;

static size_t find_bin(const bins *b, double value)
{
    double place = b->width > 0 ? floor((value - b->least) / b->width) : 0;

    return place < 0 ? 0 : place >= (double)b->count ? b->count - 1 : (size_t)place;
}

static bins make_bins(const shoal_table *table, size_t column)
{
    size_t values = shoal_table_value_count(table, column);
    bool is_whole = shoal_table_type(table, column) != SHOAL_TYPE_REAL;
    bins b = {.least = shoal_table_number(table, column, 0), .is_whole = is_whole};
    double most = shoal_table_number(table, column, (uint32_t)values - 1);
    double span = most - b.least + (is_whole ? 1 : 0);

    b.count = values < BINS_MAX ? values : BINS_MAX;
    b.width = span / (double)b.count;
    if (is_whole) {
        b.width = ceil(b.width);
        b.count = (size_t)ceil(span / b.width);
    }
    return b;
}

/* What a bin is from and to, in the words of the column: the values that it has, or of numbers
 * its ends. */
static json_t *bin_text(const shoal_table *table, size_t column, double number)
{
    char text[64];

    if (shoal_table_type(table, column) == SHOAL_TYPE_DATE) {
        size_t low = 0;
        size_t high = shoal_table_value_count(table, column) - 1;

        while (low < high) { /* the first value from here on */
            size_t middle = (low + high) / 2;

            if (shoal_table_number(table, column, (uint32_t)middle) < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return server_body_text(shoal_table_text(table, column, (uint32_t)low, NULL));
    }
    snprintf(text, sizeof text, "%.6g", number);
    return server_body_text(text);
}

static void put_counts(server_body *b, json_t *object, const char *key, const bins *all)
{
    json_t *counts = json_array();

    for (size_t i = 0; i < all->count; i++) {
        server_body_add(b, counts, server_body_number(all->weights[i]));
    }
    server_body_put(b, object, key, counts);
}

static void put_bins(server_body *b, json_t *object, const server_table *t, size_t column)
{
    const shoal_table *table = t->table;
    bins all = make_bins(table, column);
    json_t *shown = json_object();
    json_t *from = json_array();
    json_t *to = json_array();

    for (size_t code = 0; code < shoal_table_value_count(table, column); code++) {
        all.weights[find_bin(&all, shoal_table_number(table, column, (uint32_t)code))] +=
            (double)t->counts[column][code];
    }
    for (size_t i = 0; i < all.count; i++) {
        double start = all.least + (double)i * all.width;

        server_body_add(b, from, bin_text(table, column, start));
        server_body_add(b, to,
                        bin_text(table, column, start + all.width - (all.is_whole ? 1 : 0)));
    }
    server_body_put(b, shown, "from", from);
    server_body_put(b, shown, "to", to);
    put_counts(b, shown, "counts", &all);
    server_body_put(b, object, "bins", shown);
}

static void put_top(server_body *b, json_t *object, server_table *t, size_t column)
{
    size_t values = shoal_table_value_count(t->table, column);
    const uint32_t *order = server_order_values(t, column);
    json_t *top = json_array();
    uint64_t others =
        shoal_table_row_count(t->table) - shoal_table_missing_count(t->table, column);

    b->has_failed |= !order;
    for (size_t i = 0; order && i < values && i < TOP_MAX; i++) {
        size_t length = 0;
        const char *text = shoal_table_text(t->table, column, order[i], &length);
        json_t *pair = json_array();

        while (length > SERVER_CELL_MAX / 4 ||
               (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)) {
            length--;
        }
        server_body_add(b, pair, server_body_text_n(text, length));
        server_body_add(b, pair, server_body_count(t->counts[column][order[i]]));
        server_body_add(b, top, pair);
        others -= t->counts[column][order[i]];
    }
    server_body_put(b, object, "top", top);
    server_body_put(b, object, "others", server_body_count(others));
}

static bool has_bins(const shoal_table *table, size_t column)
{
    return shoal_table_type(table, column) != SHOAL_TYPE_STRING &&
           shoal_table_value_count(table, column) > 0;
}

/* --- A release beside it. ----------------------------------------------------------------- */

/* The number, or the day, of a text of a release, by the values of the original. */
static bool read_number(const shoal_table *table, size_t column, const char *text,
                        size_t length, double *out)
{
    int64_t code = shoal_table_find_code(table, column, text, length);
    char *end = NULL;
    char number[64];

    if (code >= 0 && (size_t)code < shoal_table_value_count(table, column)) {
        *out = shoal_table_number(table, column, (uint32_t)code);
        return true;
    }
    if (length == 0 || length >= sizeof number ||
        shoal_table_type(table, column) == SHOAL_TYPE_DATE) {
        return false;
    }
    memcpy(number, text, length);
    number[length] = '\0';
    *out = strtod(number, &end);
    return *end == '\0' && isfinite(*out);
}

/* The ends of a released value, "42" or "[19..41]"; everything where it tells nothing. */
static void read_range(const shoal_table *table, size_t column, const char *text,
                       double ends[2])
{
    size_t length = strlen(text);
    const char *dots = text[0] == '[' ? strstr(text, "..") : NULL;
    size_t values = shoal_table_value_count(table, column);
    bool is_read = false;

    if (dots && length > 0) {
        is_read =
            read_number(table, column, text + 1, (size_t)(dots - text) - 1, &ends[0]) &&
            read_number(table, column, dots + 2, (size_t)(text + length - dots) - 3, &ends[1]);
    } else {
        is_read = read_number(table, column, text, length, &ends[0]);
        ends[1] = ends[0];
    }
    if (!is_read || ends[0] > ends[1]) {
        ends[0] = shoal_table_number(table, column, 0);
        ends[1] = shoal_table_number(table, column, (uint32_t)values - 1);
    }
}

/* Spread records of a range evenly over the bins it touches. */
static void spread(bins *b, const double ends[2], double records)
{
    size_t first = find_bin(b, ends[0]);
    size_t last = find_bin(b, ends[1]);

    for (size_t i = first; i <= last; i++) {
        b->weights[i] += records / (double)(last - first + 1);
    }
}

static void put_after_bins(server_body *b, json_t *object, const server_table *t, size_t column,
                           const server_table *after, size_t released)
{
    bins all = make_bins(t->table, column);

    for (size_t i = 0; i < shoal_table_value_count(after->table, released); i++) {
        double ends[2] = {0, 0};

        read_range(t->table, column,
                   shoal_table_text(after->table, released, (uint32_t)i, NULL), ends);
        spread(&all, ends, (double)after->counts[released][i]);
    }
    put_counts(b, object, "counts", &all);
}

/* Numbers in their bins; texts, and pairs of columns that show the ends, by their values. */
static void put_after(server_body *b, json_t *object, const server_table *t, size_t column,
                      server_table *after)
{
    ptrdiff_t released = shoal_table_find(after->table, shoal_table_name(t->table, column));
    json_t *shown = json_object();

    if (released < 0 || shoal_table_is_skipped(after->table, (size_t)released)) {
        json_decref(shown);
        server_body_put(b, object, "after", json_null());
        return;
    }
    if (has_bins(t->table, column)) {
        put_after_bins(b, shown, t, column, after, (size_t)released);
    }
    put_top(b, shown, after, (size_t)released);
    server_body_put(b, shown, "distinct",
                    server_body_count(shoal_table_value_count(after->table, (size_t)released)));
    server_body_put(b, object, "after", shown);
}

/* --- All of them. ------------------------------------------------------------------------- */

static json_t *make_column(server_body *b, server_table *t, size_t column, const json_t *tree)
{
    const shoal_table *table = t->table;
    const char *name = shoal_table_name(table, column);
    const json_t *said = json_object_get(json_object_get(tree, "columns"), name);
    bool is_skipped = shoal_table_is_skipped(table, column);
    json_t *object = json_object();

    server_body_put(b, object, "name", server_body_text(name));
    server_body_put(b, object, "type",
                    server_body_text(shoal_type_name(shoal_table_type(table, column))));
    server_body_put(b, object, "distinct",
                    server_body_count(shoal_table_value_count(table, column)));
    server_body_put(b, object, "missing",
                    server_body_count(shoal_table_missing_count(table, column)));
    server_body_put(b, object, "skipped", json_boolean(is_skipped));
    server_body_put(b, object, "role",
                    server_body_text(json_string_value(json_object_get(said, "role"))));
    server_body_put(b, object, "bins", json_null());
    server_body_put(b, object, "top", json_null());
    server_body_put(b, object, "others", server_body_count(0));
    if (!is_skipped && has_bins(table, column)) {
        put_bins(b, object, t, column);
    } else if (!is_skipped) {
        put_top(b, object, t, column);
    }
    return object;
}

void server_put_columns(server_body *b, server_table *table, const json_t *tree,
                        server_table *after)
{
    json_t *columns = json_array();

    for (size_t i = 0; i < shoal_table_column_count(table->table); i++) {
        json_t *column = make_column(b, table, i, tree);

        if (after) {
            put_after(b, column, table, i, after);
        }
        server_body_add(b, columns, column);
    }
    server_body_put(b, b->root, "columns", columns);
}

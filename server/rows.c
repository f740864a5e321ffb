#include "rows.h"

#include "specs.h"

#include <stdlib.h>
#include <string.h>

#define SEARCH_SECONDS 0.2
#define SEARCH_STEP 4096
#define ROWS_BYTES_MAX ((size_t)4 << 20) /* of an answer, but for its last row */

/* --- Reading. ----------------------------------------------------------------------------- */

typedef struct reading {
    const json_t *tree;
    bool as_published;
} reading;

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* What is said of a column, or of all in its place. */
static const char *find_said(const reading *r, const json_t *column, const char *key)
{
    const char *said = text_of(column, key);

    return said ? said : text_of(json_object_get(r->tree, "input"), key);
}

static char sign_of(const char *word)
{
    if (!word || strcmp(word, "none") == 0) {
        return 0;
    }
    return (char)(strcmp(word, "tab") == 0 ? '\t' : strcmp(word, "space") == 0 ? ' ' : word[0]);
}

static shoal_status configure(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                              size_t count)
{
    const reading *r = payload;
    const json_t *said = json_object_get(r->tree, "columns");

    (void)ctx;
    for (size_t i = 0; i < count; i++) {
        const json_t *column = json_object_get(said, columns[i].name);
        const char *role = text_of(column, "role");
        const char *type = text_of(column, "type");
        bool is_hidden = role && strcmp(role, "quasi") == 0;

        if (!type || !shoal_type_find(&columns[i].type, type)) {
            columns[i].type =
                r->as_published && !is_hidden ? SHOAL_TYPE_STRING : SHOAL_TYPE_AUTO;
        }
        columns[i].detect_missing = !r->as_published || is_hidden || type;
        columns[i].decimal = sign_of(find_said(r, column, "decimal"));
        columns[i].thousands = sign_of(find_said(r, column, "thousands"));
        columns[i].date_format = find_said(r, column, "date_format");
    }
    return SHOAL_OK;
}

static shoal_encoding find_encoding(const char *name)
{
    static const char *const names[] = {"auto",   "utf-8",    "latin1",  "windows-1252",
                                        "utf-16", "utf-16le", "utf-16be"};

    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            return (shoal_encoding)i;
        }
    }
    return SHOAL_ENCODING_AUTO;
}

shoal_status server_table_read(shoal_ctx *ctx, shoal_table **out, const json_t *tree,
                               const char *path, bool as_published)
{
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
    reading r = {tree, as_published};
    const json_t *input = json_object_get(tree, "input");
    const json_t *tokens = json_object_get(json_object_get(tree, "missing"), "tokens");
    size_t count = json_array_size(tokens);
    const char **texts = calloc(count + 1, sizeof *texts);

    *out = NULL;
    if (!texts) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        texts[i] = json_string_value(json_array_get(tokens, i));
    }
    options.missing_tokens = tokens ? texts : NULL;
    options.missing_token_count = count;
    options.delimiter = sign_of(text_of(input, "delimiter"));
    options.encoding = find_encoding(text_of(input, "encoding"));
    options.comment = text_of(input, "comment");
    options.skip_lines =
        text_of(input, "skip_lines") ? strtoull(text_of(input, "skip_lines"), NULL, 10) : 0;
    options.configure = configure;
    options.configure_payload = &r;
    shoal_status st = shoal_csv_read(ctx, out, path, &options);

    free(texts);
    return st;
}

void server_table_clear(server_table *table)
{
    size_t count = table->table ? shoal_table_column_count(table->table) : 0;

    for (size_t i = 0; i < count && table->counts; i++) {
        free(table->counts[i]);
    }
    for (size_t i = 0; i < count && table->orders; i++) {
        free(table->orders[i]);
    }
    free(table->counts);
    free(table->orders);
    free(table->reading);
    shoal_table_free(table->table);
    *table = (server_table){0};
}

static uint64_t *count_column(const shoal_table *table, size_t column)
{
    uint32_t codes[SEARCH_STEP];
    size_t rows = shoal_table_row_count(table);
    uint64_t *counts = calloc(shoal_table_value_count(table, column) + 1, sizeof *counts);

    for (size_t first = 0; counts && first < rows; first += SEARCH_STEP) {
        size_t count = rows - first < SEARCH_STEP ? rows - first : SEARCH_STEP;

        shoal_table_codes(table, column, first, count, codes);
        for (size_t i = 0; i < count; i++) {
            counts[codes[i]]++;
        }
    }
    return counts;
}

shoal_status server_table_count(server_table *out, shoal_table *table, const json_t *tree)
{
    size_t count = shoal_table_column_count(table);

    *out = (server_table){.table = table,
                          .counts = calloc(count, sizeof *out->counts),
                          .orders = calloc(count, sizeof *out->orders),
                          .reading = server_spec_reading(tree, table)};
    bool is_good = out->counts && out->orders && out->reading;

    for (size_t i = 0; i < count && is_good; i++) {
        if (!shoal_table_is_skipped(table, i)) {
            out->counts[i] = count_column(table, i);
            is_good = out->counts[i] != NULL;
        }
    }
    if (!is_good) {
        server_table_clear(out);
    }
    return is_good ? SHOAL_OK : SHOAL_ENOMEM;
}

/* --- Rows. -------------------------------------------------------------------------------- */

/* Where to cut a text so that no character is cut. */
static size_t find_cut(const char *text, size_t length)
{
    if (length <= SERVER_CELL_MAX) {
        return length;
    }
    length = SERVER_CELL_MAX;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) {
        length--;
    }
    return length;
}

json_t *server_cell(server_body *b, const shoal_table *table, size_t column, size_t row,
                    json_t *cut, size_t row_of_answer)
{
    if (shoal_table_is_skipped(table, column)) {
        return json_null();
    }
    size_t length = 0;
    uint32_t code = shoal_table_code(table, column, row);
    const char *text = shoal_table_text(table, column, code, &length);
    size_t shown = find_cut(text, length);

    if (code == shoal_table_value_count(table, column)) {
        return json_null();
    }
    if (shown < length && cut) {
        json_t *note = json_array();

        server_body_add(b, note, server_body_count(row_of_answer));
        server_body_add(b, note, server_body_count(column));
        server_body_add(b, note, server_body_count(length));
        server_body_add(b, cut, note);
    }
    return server_body_text_n(text, shown);
}

/* One row; how many bytes its cells have, roughly as JSON. */
static size_t add_row(server_body *b, json_t *rows, const shoal_table *table, size_t row,
                      json_t *cut)
{
    json_t *cells = json_array();
    size_t place = json_array_size(rows);
    size_t bytes = 0;

    for (size_t c = 0; c < shoal_table_column_count(table); c++) {
        json_t *cell = server_cell(b, table, c, row, cut, place);

        bytes += json_string_length(cell) + 4;
        server_body_add(b, cells, cell);
    }
    server_body_add(b, rows, cells);
    return bytes;
}

bool server_window_of(const server_request *request, server_reply *reply, uint64_t *from,
                      uint64_t *count)
{
    return server_count_of(request, reply, "from", from, 0, UINT64_MAX / 2) &&
           server_count_of(request, reply, "count", count, 100, SERVER_ROWS_MAX);
}

void server_send_rows(server_request *request, server_reply *reply, const shoal_table *table)
{
    uint64_t total = shoal_table_row_count(table);
    uint64_t from = 0;
    uint64_t count = 0;
    size_t bytes = 0;

    if (!server_window_of(request, reply, &from, &count)) {
        return;
    }
    server_body b = server_body_begin();
    json_t *names = json_array();
    json_t *rows = json_array();
    json_t *lines = json_array();
    json_t *cut = json_array();

    for (size_t c = 0; c < shoal_table_column_count(table); c++) {
        server_body_add(&b, names, server_body_text(shoal_table_name(table, c)));
    }
    for (uint64_t row = from; row < total && row < from + count && bytes < ROWS_BYTES_MAX;
         row++) {
        bytes += add_row(&b, rows, table, (size_t)row, cut);
        server_body_add(&b, lines, json_integer(shoal_table_line(table, (size_t)row)));
    }
    server_body_put(&b, b.root, "from", server_body_count(from));
    server_body_put(&b, b.root, "total", server_body_count(total));
    server_body_put(&b, b.root, "columns", names);
    server_body_put(&b, b.root, "rows", rows);
    server_body_put(&b, b.root, "lines", lines);
    server_body_put(&b, b.root, "cut", cut);
    server_body_send(&b, reply, 200);
}

static bool want_table(const server *s, server_reply *reply)
{
    return s->table.table || server_refuse(reply, 409, "conflict", "No file is open yet.");
}

void server_get_rows(server *s, server_request *request, server_reply *reply)
{
    if (want_table(s, reply)) {
        server_send_rows(request, reply, s->table.table);
    }
}

void server_get_columns(server *s, server_request *request, server_reply *reply)
{
    (void)request;
    if (want_table(s, reply)) {
        server_body b = server_body_begin();

        server_put_columns(&b, &s->table, s->spec.tree, NULL);
        server_body_send(&b, reply, 200);
    }
}

/* --- Values. ------------------------------------------------------------------------------ */

typedef struct ranked {
    uint64_t count;
    uint32_t code;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a;
    const ranked *y = b;

    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    return x->code < y->code ? -1 : 1;
}

const uint32_t *server_order_values(server_table *t, size_t column)
{
    size_t count = shoal_table_value_count(t->table, column);

    if (t->orders[column]) {
        return t->orders[column];
    }
    ranked *values = malloc((count + 1) * sizeof *values);
    uint32_t *order = malloc((count + 1) * sizeof *order);

    if (values && order) {
        for (size_t i = 0; i < count; i++) {
            values[i] = (ranked){t->counts[column][i], (uint32_t)i};
        }
        qsort(values, count, sizeof *values, compare_ranked);
        for (size_t i = 0; i < count; i++) {
            order[i] = values[i].code;
        }
        t->orders[column] = order;
    } else {
        free(order);
    }
    free(values);
    return t->orders[column];
}

/* Whether a value has a text in it. */
static bool has_text(const shoal_table *table, size_t column, uint32_t code, const char *text)
{
    return !text || strstr(shoal_table_text(table, column, code, NULL), text) != NULL;
}

typedef struct window {
    uint64_t from;
    uint64_t count;
    const char *text;
} window;

/* Put the values of a window into an array; how many there are in all, up to where the time was
 * over. */
static uint64_t put_window(server_body *b, json_t *values, const server_table *t, size_t column,
                           const uint32_t *order, const window *w)
{
    size_t all = shoal_table_value_count(t->table, column);
    double until = server_now() + SEARCH_SECONDS;
    uint64_t total = 0;
    size_t i = 0;

    for (; i < all; i++) {
        uint32_t code = order ? order[i] : (uint32_t)i;

        if (i % SEARCH_STEP == SEARCH_STEP - 1 && w->text && server_now() > until) {
            break;
        }
        if (!has_text(t->table, column, code, w->text)) {
            continue;
        }
        if (total >= w->from && total - w->from < w->count) {
            size_t length = 0;
            const char *text = shoal_table_text(t->table, column, code, &length);
            json_t *pair = json_array();

            server_body_add(b, pair, server_body_text_n(text, find_cut(text, length)));
            server_body_add(b, pair, server_body_count(t->counts[column][code]));
            server_body_add(b, values, pair);
        }
        total++;
    }
    server_body_put(b, b->root, "more", json_boolean(i < all));
    return total;
}

void server_get_values(server *s, server_request *request, server_reply *reply)
{
    const char *sort = server_argument_of(request, "sort");
    bool is_by_value = sort && strcmp(sort, "value") == 0;
    char *end = NULL;
    unsigned long column = strtoul(request->parts[0], &end, 10);
    window w = {.text = server_argument_of(request, "contains")};

    if (!want_table(s, reply) ||
        !server_count_of(request, reply, "from", &w.from, 0, UINT64_MAX / 2) ||
        !server_count_of(request, reply, "count", &w.count, 100, SERVER_ROWS_MAX)) {
        return;
    }
    if (*end || request->parts[0][0] == '-' ||
        column >= shoal_table_column_count(s->table.table) ||
        shoal_table_is_skipped(s->table.table, column)) {
        server_refuse(reply, 404, "not_found", "There is no such column.");
        return;
    }
    if (sort && !is_by_value && strcmp(sort, "count") != 0) {
        server_refuse(reply, 400, "request", "\"sort\" must be count or value.");
        return;
    }
    const uint32_t *order = is_by_value ? NULL : server_order_values(&s->table, column);
    server_body b = server_body_begin();
    json_t *values = json_array();

    b.has_failed |= !is_by_value && !order;
    if (!b.has_failed) {
        uint64_t total = put_window(&b, values, &s->table, column, order, &w);

        server_body_put(&b, b.root, "total", server_body_count(total));
    }
    server_body_put(&b, b.root, "values", values);
    server_body_send(&b, reply, 200);
}

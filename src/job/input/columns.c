#include "columns.h"

#include "column_names.h"
#include "ready.h"

#include "../../base/text.h"
#include "../../table/table_build.h"
#include "../../spec/mistakes.h"

#include <stdio.h>
#include <string.h>

shoal_role shoal_i_column_role(const shoal_spec *spec, const char *name)
{
    const shoal_i_spec_column *column = shoal_i_spec_find_column(spec, name);

    if (column && column->has_role) {
        return column->role;
    }
    return spec->releases_rest && shoal_i_spec_is_undecided(spec, name) ? SHOAL_ROLE_INSENSITIVE
                                                                        : SHOAL_ROLE_IDENTIFIER;
}

/* Masks and codes work on the text: 01234 must not become 1234. */
shoal_type shoal_i_column_type(const shoal_i_spec_column *column)
{
    if (column->type != SHOAL_TYPE_AUTO) {
        return column->type;
    }
    switch (column->plan.kind) {
    case SHOAL_I_PLAN_PREFIX:
    case SHOAL_I_PLAN_CODES:
        return SHOAL_TYPE_STRING;
    case SHOAL_I_PLAN_DATES:
        return SHOAL_TYPE_DATE;
    default:
        return SHOAL_TYPE_AUTO;
    }
}

shoal_csv_options shoal_i_column_options(shoal_i_reading *reading,
                                         shoal_csv_configure_fn configure)
{
    return (shoal_csv_options){
        .struct_size = sizeof(shoal_csv_options),
        .delimiter = reading->spec->input_delimiter,
        .missing_tokens = reading->spec->missing_tokens,
        .missing_token_count = reading->spec->missing_token_count,
        .configure = configure,
        .configure_payload = reading,
        .encoding = reading->spec->encoding,
        .skip_lines = reading->spec->skip_lines,
        .comment = reading->spec->comment,
    };
}

shoal_csv_options shoal_i_release_options(shoal_i_reading *reading, char delimiter)
{
    shoal_csv_options options = shoal_i_column_options(reading, shoal_i_configure_release);

    options.delimiter = delimiter;
    options.encoding = SHOAL_ENCODING_AUTO;
    options.skip_lines = 0;
    options.comment = NULL;
    return options;
}

/* The sign that one of the words for thousands stands for. */
static char find_thousands(size_t word)
{
    const char *text = shoal_i_thousands_words[word];

    return word == 0 ? '\0' : strcmp(text, "space") == 0 ? ' ' : text[0];
}

static size_t find_word(const char *const *words, const char *text)
{
    size_t i = 0;

    while (strcmp(words[i], text) != 0) {
        i++;
    }
    return i;
}

void shoal_i_column_set_format(shoal_csv_column *column, const shoal_spec *spec)
{
    const shoal_i_spec_column *asked = shoal_i_spec_find_column(spec, column->name);
    const char *const *texts =
        asked ? asked->texts : (const char *const[SHOAL_I_COLUMN_TEXTS]){0};
    const char *decimal = texts[SHOAL_I_COLUMN_DECIMAL];
    const char *thousands = texts[SHOAL_I_COLUMN_THOUSANDS];
    const char *date = texts[SHOAL_I_COLUMN_DATE_FORMAT];

    column->decimal = (decimal ? decimal : shoal_i_decimal_words[spec->decimal])[0];
    column->thousands = find_thousands(thousands ? find_word(shoal_i_thousands_words, thousands)
                                                 : spec->thousands);
    column->date_format = date ? date : spec->date_format;
}

/* The bits of `same`, which was checked when it was said. */
static unsigned find_ways(const char *text)
{
    unsigned ways = 0;

    for (unsigned i = 0; text && shoal_i_same_words[i]; i++) {
        ways |= strstr(text, shoal_i_same_words[i]) ? 1u << i : 0;
    }
    return ways;
}

/* A released text of numbers is written as it was in the original, so one format is both's. */
shoal_i_sameness shoal_i_column_sameness(const shoal_spec *spec, const char *name)
{
    const shoal_i_spec_column *asked = shoal_i_spec_find_column(spec, name);
    shoal_csv_column column = {.name = name};

    shoal_i_column_set_format(&column, spec);
    return (shoal_i_sameness){.ways = asked ? find_ways(asked->texts[SHOAL_I_COLUMN_SAME]) : 0,
                              .has_numbers = !asked || asked->type != SHOAL_TYPE_STRING,
                              .keeps_missing =
                                  shoal_i_column_role(spec, name) == SHOAL_ROLE_PERSON,
                              .decimal = column.decimal,
                              .thousands = column.thousands};
}

shoal_status shoal_i_column_check_same(shoal_ctx *ctx, const shoal_i_spec_column *column)
{
    bool is_counted = column->has_role && (column->role == SHOAL_ROLE_SENSITIVE ||
                                           column->role == SHOAL_ROLE_PERSON);

    if (is_counted || !column->texts[SHOAL_I_COLUMN_SAME]) {
        return SHOAL_OK;
    }
    return shoal_i_fail(
        ctx, SHOAL_EINVAL,
        "The column \"%.200s\" says what does not make two values of a text (`same`), which is "
        "for columns with the role sensitive or person; take it out. Of a quasi-identifier, a "
        "value that is written in two ways only makes classes larger.",
        column->name);
}

/* Releases are written in the usual form, however the original is. */
static void forget_formats(shoal_csv_column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        columns[i].decimal = '\0';
        columns[i].thousands = '\0';
        columns[i].date_format = NULL;
    }
}

/* --- Columns that are not there. -------------------------------------------------------- */

static shoal_csv_column *find_header(shoal_csv_column *columns, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(columns[i].name, name) == 0) {
            return &columns[i];
        }
    }
    return NULL;
}

/* The columns of a header, while it is held against a spec. */
typedef struct header {
    const shoal_i_reading *reading;
    shoal_csv_column *columns;
    size_t count;
    shoal_i_mistakes mistakes;
    bool is_original;
} header;

/* The line of the header; 0: only reading could tell. */
static int64_t find_header_line(const shoal_i_reading *reading)
{
    return reading->spec->comment ? 0 : (int64_t)reading->spec->skip_lines + 1;
}

static shoal_status fail_absent(shoal_ctx *ctx, const header *h, const char *name,
                                const shoal_i_place *place)
{
    const char *path = shoal_i_given_name(&h->reading->given);
    const char **names = shoal_i_alloc(ctx, h->count, sizeof *names);

    if (!names) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < h->count; i++) {
        names[i] = h->columns[i].name;
    }
    const char *near = shoal_i_text_nearest(name, names, h->count);

    const char *subject = h->reading->given.table && path[0] == '\0' ? "The table"
                          : place->source                            ? path
                                                                     : "The header";

    free(names);
    if (near) {
        shoal_i_fail(ctx, SHOAL_ENOTFOUND,
                     "%.200s has no column \"%.200s\"; did you mean \"%.200s\"?", subject, name,
                     near);
    } else {
        /* One column alone is seldom meant: another line, or another delimiter, may be. */
        shoal_i_fail(
            ctx, SHOAL_ENOTFOUND, "%.200s has no column \"%.200s\"%s.", subject, name,
            h->is_original && h->count == 1 && !h->reading->given.table
                ? ", but one column in all; if its first line is not the header, leave "
                  "lines out by `input.skip_lines` or `input.comment`, and if fields "
                  "are not separated so, say how by `input.delimiter`"
                : "");
    }
    return place->source ? shoal_i_fail_in(ctx, place->source, place->line, place->column)
                         : shoal_i_fail_in(ctx, path, find_header_line(h->reading), 0);
}

/* Take it down that the file lacks a column of the spec. */
static shoal_status note_absent(header *h, const char *name, const shoal_i_place *place)
{
    return shoal_i_mistakes_take(&h->mistakes, fail_absent(h->mistakes.ctx, h, name, place));
}

/* --- Originals. ------------------------------------------------------------------------- */

/* The new name of a column is that of another one of the file. */
static shoal_status fail_taken(shoal_ctx *ctx, const shoal_i_spec_column *column)
{
    shoal_i_fail(
        ctx, SHOAL_EINVAL,
        "The column \"%.200s\" cannot be renamed to \"%.200s\": another one of the file "
        "is called so.",
        column->original, column->name);
    return shoal_i_fail_in(ctx, column->place.source, column->place.line, column->place.column);
}

shoal_status shoal_i_rename_columns(shoal_ctx *ctx, shoal_table *table, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_spec_column *column = &spec->columns[i];
        ptrdiff_t at = column->original ? shoal_table_find(table, column->original) : -1;

        if (at >= 0) {
            SHOAL_TRY(shoal_i_table_rename(ctx, table, (size_t)at, column->name));
        }
    }
done:
    return st;
}

static shoal_status check_present(header *h, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_spec_column *column = &spec->columns[i];

        bool is_there =
            find_header(h->columns, h->count, shoal_i_spec_original(column)) != NULL;
        /* A release, which is looked at by itself, has it by its new name. */
        bool is_renamed =
            column->original && find_header(h->columns, h->count, column->name) != NULL;

        if (!is_there && !is_renamed) {
            SHOAL_TRY(note_absent(h, shoal_i_spec_original(column), &column->place));
        }
        if (is_there && is_renamed && strcmp(column->original, column->name) != 0) {
            SHOAL_TRY(shoal_i_mistakes_take(&h->mistakes, fail_taken(h->mistakes.ctx, column)));
        }
    }
    if (spec->k_column && !shoal_i_spec_find_column(spec, spec->k_column) &&
        !find_header(h->columns, h->count, spec->k_column)) {
        SHOAL_TRY(note_absent(h, spec->k_column, shoal_i_spec_place(spec, "privacy.k.column")));
    }
    SHOAL_TRY(shoal_i_mistakes_status(&h->mistakes));
done:
    return st;
}

/* What is rounded or cut off as a number is one. */
static shoal_type find_plain_type(const shoal_i_spec_column *asked)
{
    return asked->type == SHOAL_TYPE_AUTO && shoal_i_is_made_ready_as_number(asked)
               ? SHOAL_TYPE_REAL
               : asked->type;
}

/* A column that is released as it is keeps its texts, those for missing values included; with a
 * type of its own it is checked against that. */
static void configure_plain(shoal_csv_column *column, const shoal_i_spec_column *asked)
{
    shoal_type type = asked ? find_plain_type(asked) : SHOAL_TYPE_STRING;
    bool is_typed = type != SHOAL_TYPE_AUTO && type != SHOAL_TYPE_STRING;

    column->type = is_typed ? type : SHOAL_TYPE_STRING;
    column->detect_missing = is_typed;
}

/* A sensitive column that requirements read: all its missing values are one, whatever token
 * stands for them, or a class of "?" and "" would count as diverse. */
static void configure_sensitive(shoal_csv_column *column, const shoal_i_spec_column *asked)
{
    shoal_type type = shoal_i_column_type(asked);

    type = type == SHOAL_TYPE_AUTO ? find_plain_type(asked) : type;
    column->type = type == SHOAL_TYPE_AUTO ? SHOAL_TYPE_STRING : type;
    column->detect_missing = true;
}

/* Whether a reader of the release never sees a column. One that nobody decided on may be asked
 * about: the release has it or not, whatever the spec would do with it. */
static bool is_hidden(const shoal_i_reading *reading, const char *name)
{
    shoal_role role = shoal_i_column_role(reading->spec, name);

    return (role == SHOAL_ROLE_PERSON && reading->is_asked) ||
           (role == SHOAL_ROLE_IDENTIFIER &&
            !(reading->is_asked && shoal_i_spec_is_undecided(reading->spec, name)));
}

/* Who it is: names and numbers alike as the texts they are. */
static void configure_person(shoal_csv_column *column)
{
    column->skip = false;
    column->type = SHOAL_TYPE_STRING;
    column->detect_missing = true;
}

/* A column that is left out is not read, but where it may tell that people have several
 * records. A table in memory has its values already, by whatever type. */
static void seek_person(shoal_csv_column *column, const shoal_i_reading *reading)
{
    column->skip = !reading->seeks_person || shoal_i_spec_person(reading->spec) ||
                   !shoal_i_names_person(column->name);
    column->type = reading->given.table ? SHOAL_TYPE_AUTO : SHOAL_TYPE_STRING;
    column->detect_missing = true;
}

/* A column that a query may be about. Others are not read, but for the k of records. */
static void configure_asked(shoal_csv_column *column, const shoal_i_reading *reading)
{
    const shoal_i_spec_column *asked = shoal_i_spec_find_column(reading->spec, column->name);

    column->skip = !reading->asks_all || is_hidden(reading, column->name);
    for (size_t i = 0; i < reading->asked_count; i++) {
        column->skip = column->skip && strcmp(reading->asked[i], column->name) != 0;
    }
    column->type = asked ? shoal_i_column_type(asked) : SHOAL_TYPE_AUTO;
}

shoal_status shoal_i_configure_original(shoal_ctx *ctx, void *payload,
                                        shoal_csv_column *columns, size_t count)
{
    const shoal_i_reading *reading = payload;
    const shoal_spec *spec = reading->spec;
    header h = {reading, columns, count, {.ctx = ctx}, true};
    shoal_status st = check_present(&h, spec);

    for (size_t i = 0; st == SHOAL_OK && i < count; i++) {
        shoal_csv_column *column = &columns[i];
        const shoal_i_spec_column *asked = shoal_i_spec_find_column(spec, column->name);
        shoal_role role = shoal_i_column_role(spec, column->name);

        shoal_i_column_set_format(column, spec);
        if (spec->k_column && strcmp(spec->k_column, column->name) == 0) {
            column->type = SHOAL_TYPE_INTEGER;
        } else if (is_hidden(reading, column->name)) {
            seek_person(column, reading);
        } else if (role == SHOAL_ROLE_PERSON) {
            configure_person(column);
        } else if (reading->is_asked && role != SHOAL_ROLE_QUASI) {
            configure_asked(column, reading);
        } else if (role == SHOAL_ROLE_QUASI) {
            column->type = shoal_i_column_type(asked);
        } else if (role == SHOAL_ROLE_SENSITIVE &&
                   (reading->with_sensitive || shoal_i_spec_reads_sensitive(spec))) {
            configure_sensitive(column, asked);
        } else {
            configure_plain(column, asked);
        }
    }
    return st;
}

shoal_status shoal_i_configure_dealt(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                                     size_t count)
{
    const shoal_i_reading *reading = payload;
    bool is_read = reading->with_sensitive || shoal_i_spec_reads_sensitive(reading->spec);

    (void)ctx;
    for (size_t i = 0; i < count; i++) {
        const shoal_i_spec_column *asked =
            shoal_i_spec_find_column(reading->spec, columns[i].name);

        if (reading->is_asked) {
            configure_asked(&columns[i], reading);
        } else if (is_read) {
            configure_sensitive(&columns[i], asked);
        } else {
            configure_plain(&columns[i], asked);
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_i_configure_population(shoal_ctx *ctx, void *payload,
                                          shoal_csv_column *columns, size_t count)
{
    const shoal_i_reading *reading = payload;
    const shoal_spec *spec = reading->spec;
    shoal_status st = SHOAL_OK;
    header h = {reading, columns, count, {.ctx = ctx}, false};

    for (size_t i = 0; i < count; i++) {
        columns[i].skip = true;
    }
    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_spec_column *asked = &spec->columns[i];
        bool is_quasi = asked->has_role && asked->role == SHOAL_ROLE_QUASI;
        shoal_csv_column *column = find_header(columns, count, shoal_i_spec_original(asked));

        if (asked->has_role && asked->role == SHOAL_ROLE_PERSON && column) {
            configure_person(column);
        } else if (is_quasi && column) {
            column->skip = false;
            column->type = shoal_i_column_type(asked);
            shoal_i_column_set_format(column, spec);
        } else if (is_quasi) {
            SHOAL_TRY(note_absent(&h, asked->name, &asked->place));
        }
    }
    SHOAL_TRY(shoal_i_mistakes_status(&h.mistakes));
done:
    return st;
}

/* --- Releases. -------------------------------------------------------------------------- */

/* Take a quasi column as the text it is; false when the header lacks it. */
static bool take_text(shoal_csv_column *columns, size_t count, const char *name,
                      const char *ending)
{
    char whole[SHOAL_MESSAGE_MAX];

    if (snprintf(whole, sizeof whole, "%s%s", name, ending) >= (int)sizeof whole) {
        return false;
    }
    shoal_csv_column *column = find_header(columns, count, whole);

    if (column) {
        column->skip = false;
        column->type = SHOAL_TYPE_STRING;
        column->detect_missing = false;
    }
    return column != NULL;
}

static void take_k(shoal_csv_column *columns, size_t count, const shoal_spec *spec)
{
    shoal_csv_column *column =
        spec->k_column ? find_header(columns, count, spec->k_column) : NULL;

    if (column && shoal_i_column_role(spec, spec->k_column) != SHOAL_ROLE_QUASI) {
        column->skip = false;
        column->type = SHOAL_TYPE_INTEGER;
    }
}

/* What is released of a column that is generalized is labels. */
static void configure_labels(shoal_csv_column *column, const shoal_i_spec_column *asked)
{
    if (asked &&
        (asked->texts[SHOAL_I_COLUMN_GENERALIZE] || asked->texts[SHOAL_I_COLUMN_RARE])) {
        column->type = SHOAL_TYPE_STRING;
    }
}

/* Take the sensitive columns as the original's are taken. */
static shoal_status take_sensitive(header *h, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_spec_column *asked = &spec->columns[i];
        bool is_sensitive = asked->has_role && asked->role == SHOAL_ROLE_SENSITIVE;
        shoal_csv_column *column = find_header(h->columns, h->count, asked->name);

        if (is_sensitive && column) {
            column->skip = false;
            configure_sensitive(column, asked);
            configure_labels(column, asked);
        } else if (is_sensitive) {
            SHOAL_TRY(note_absent(h, asked->name, &asked->place));
        }
    }
done:
    return st;
}

shoal_status shoal_i_configure_release(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                                       size_t count)
{
    shoal_i_reading *reading = payload;
    const shoal_spec *spec = reading->spec;
    shoal_status st = SHOAL_OK;
    header h = {reading, columns, count, {.ctx = ctx}, false};

    for (size_t i = 0; i < count; i++) {
        columns[i].skip = true;
    }
    reading->has_bucket = reading->bucket && take_text(columns, count, reading->bucket, "");
    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_spec_column *column = &spec->columns[i];

        if (!column->has_role || column->role != SHOAL_ROLE_QUASI ||
            take_text(columns, count, column->name, "")) {
            continue;
        }
        bool has_min = take_text(columns, count, column->name, "_min");
        bool has_max = take_text(columns, count, column->name, "_max");

        if (!has_min || !has_max) {
            SHOAL_TRY(note_absent(&h, column->name, &column->place));
        }
    }
    for (size_t i = 0; reading->is_asked && i < count; i++) {
        if (columns[i].skip) {
            configure_asked(&columns[i], reading);
        }
    }
    if (reading->with_sensitive && !reading->has_bucket) {
        SHOAL_TRY(take_sensitive(&h, spec));
    }
    take_k(columns, count, spec);
    forget_formats(columns, count);
    SHOAL_TRY(shoal_i_mistakes_status(&h.mistakes));
done:
    return st;
}

/* --- The records' own k. ---------------------------------------------------------------- */

shoal_status shoal_i_column_fail_k(shoal_ctx *ctx, const shoal_table *table, size_t row,
                                   size_t column)
{
    shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)row, (int64_t)column,
                    "Record %zu: expected its own k in column \"%.200s\", a whole number of at "
                    "least 1; got a smaller one or none.",
                    row + 1, shoal_table_name(table, column));
    return shoal_i_fail_in(ctx, shoal_table_source(table), shoal_table_line(table, row), 0);
}

uint32_t shoal_i_column_k(const shoal_table *table, size_t column, uint32_t code)
{
    bool is_missing = code >= shoal_table_value_count(table, column);
    double k = is_missing ? 0 : shoal_table_number(table, column, code);

    if (k < 1) {
        return 0;
    }
    return k < UINT32_MAX ? (uint32_t)k : UINT32_MAX;
}

shoal_status shoal_i_column_record_k(shoal_ctx *ctx, uint32_t **out, const shoal_table *table,
                                     const char *name)
{
    shoal_status st = SHOAL_OK;
    size_t column = (size_t)shoal_table_find(table, name);
    size_t rows = shoal_table_row_count(table);
    uint32_t *record_k = NULL;

    SHOAL_ALLOC(ctx, record_k, rows);
    shoal_table_codes(table, column, 0, rows, record_k);
    for (size_t row = 0; row < rows; row++) {
        record_k[row] = shoal_i_column_k(table, column, record_k[row]);
        if (record_k[row] == 0) {
            SHOAL_TRY(shoal_i_column_fail_k(ctx, table, row, column));
        }
    }
    *out = record_k;
    record_k = NULL;
done:
    free(record_k);
    return st;
}

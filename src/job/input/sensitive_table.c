#include "sensitive_table.h"

#include "../../base/compress/codec.h"
#include "../../base/file.h"
#include "../../release/buckets.h"
#include "../../table/csv/csv_text.h"
#include "../../table/table_join.h"

#include <inttypes.h>
#include <stdio.h>

enum { BUCKET, COLUMN, VALUE, COUNT };

#define NOT_WANTED SIZE_MAX

/* --- Finding. --------------------------------------------------------------------------- */

shoal_status shoal_i_sensitive_table_path(shoal_ctx *ctx, char **out, const shoal_spec *spec,
                                          const char *release)
{
    const char *slash = strrchr(release, '/');
    const char *name = slash ? slash + 1 : release;
    const char *dot = strrchr(name, '.');
    shoal_i_buffer path;

    *out = NULL;
    if (!spec->sensitive_table && strcmp(release, "-") == 0) {
        return SHOAL_OK;
    }
    shoal_i_buffer_init(&path, ctx, SHOAL_I_BUFFER_MAX);
    if (spec->sensitive_table) {
        shoal_i_buffer_text(&path, spec->sensitive_table);
    } else {
        /* A name that starts with its only dot has no ending. */
        size_t length = dot && dot > name ? (size_t)(dot - release) : strlen(release);

        /* What is packed has two: release.csv.gz. */
        if (shoal_i_codec_of_name(name)) {
            size_t before = length;

            while (before > (size_t)(name - release) && release[before - 1] != '.') {
                before--;
            }
            length = before > (size_t)(name - release) + 1 ? before - 1 : length;
        }

        shoal_i_buffer_put(&path, release, length);
        shoal_i_buffer_text(&path, ".sensitive");
        shoal_i_buffer_text(&path, release + length);
    }
    return shoal_i_buffer_take(out, &path);
}

/* --- Reading. --------------------------------------------------------------------------- */

typedef struct table_header {
    const char *path;
    bool fits;
} table_header;

static shoal_status configure_table(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                                    size_t count)
{
    table_header *header = payload;

    header->fits = count == SHOAL_I_SENSITIVE_COLUMNS;
    for (size_t i = 1; header->fits && i < count; i++) {
        header->fits = strcmp(columns[i].name, shoal_i_sensitive_columns[i]) == 0;
    }
    if (!header->fits) {
        shoal_i_fail(ctx, SHOAL_EFORMAT,
                     "A sensitive table has the columns %s (or the name that this has in the "
                     "release), %s, %s and %s; this file has others.",
                     shoal_i_sensitive_columns[0], shoal_i_sensitive_columns[1],
                     shoal_i_sensitive_columns[2], shoal_i_sensitive_columns[3]);
        return shoal_i_fail_in(ctx, header->path, 1, 0);
    }
    for (size_t i = 0; i < count; i++) {
        columns[i].type = i == COUNT ? SHOAL_TYPE_INTEGER : SHOAL_TYPE_STRING;
        columns[i].detect_missing = false;
    }
    return SHOAL_OK;
}

static shoal_status check_counts(shoal_ctx *ctx, const shoal_table *table)
{
    for (size_t row = 0; row < shoal_table_row_count(table); row++) {
        double count = shoal_table_number(table, COUNT, shoal_table_code(table, COUNT, row));

        if (count < 1) {
            shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)row, COUNT,
                            "Expected how often a value occurs, a whole number of at least 1; "
                            "got a smaller one.");
            return shoal_i_fail_in(ctx, shoal_table_source(table), shoal_table_line(table, row),
                                   0);
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_i_sensitive_table_read(shoal_ctx *ctx, shoal_table **out,
                                          const shoal_i_given *given, char delimiter,
                                          bool is_needed)
{
    shoal_status st = SHOAL_OK;
    table_header header = {.path = shoal_i_given_name(given), .fits = true};
    shoal_csv_options options = {.struct_size = sizeof options,
                                 .delimiter = delimiter,
                                 .configure = configure_table,
                                 .configure_payload = &header};
    shoal_table *table = NULL;

    *out = NULL;
    if (!is_needed && !shoal_i_is_there(given->path)) {
        return SHOAL_OK;
    }
    st = shoal_i_given_read(ctx, &table, given, &options);
    if (!is_needed && !header.fits) {
        return SHOAL_OK; /* somebody's own file of that name */
    }
    SHOAL_TRY(st);
    SHOAL_TRY(check_counts(ctx, table));
    *out = table;
    table = NULL;
done:
    shoal_table_free(table);
    return st;
}

/* --- Joining. --------------------------------------------------------------------------- */

typedef struct join {
    const shoal_table *release;
    size_t bucket_column;
    const shoal_table *values;
    const shoal_i_reading *reading; /* of the release */
    size_t bucket_count;
    uint32_t *bucket_of_text; /* bucket texts of the table -> codes of the release */
    uint32_t *starts;         /* of the buckets in rows, and the end */
    uint32_t *rows;           /* of the release, bucket after bucket */
    size_t name_count;        /* of the columns that the table tells of */
    size_t *wanted;           /* of each: its place among those that are joined; NOT_WANTED */
    const char **joined;      /* names of those */
    size_t joined_count;
    uint64_t *told;    /* bucket after bucket: how many values, of each name */
    uint32_t *line_of; /* column after column: of each row the line of the table it is from */
} join;

/* The buckets of the table among those of the release. */
static shoal_status match_buckets(shoal_ctx *ctx, join *j)
{
    shoal_status st = SHOAL_OK;
    size_t count = shoal_table_value_count(j->values, BUCKET);

    SHOAL_ALLOC(ctx, j->bucket_of_text, count);
    for (size_t row = 0; row < shoal_table_row_count(j->values); row++) {
        uint32_t text = shoal_table_code(j->values, BUCKET, row);
        size_t length = 0;
        const char *bytes = shoal_table_text(j->values, BUCKET, text, &length);
        int64_t code = shoal_table_find_code(j->release, j->bucket_column, bytes, length);

        if (code < 0) {
            shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)row, BUCKET,
                            "The release has no record in this bucket; the two files do not "
                            "belong together.");
            st = shoal_i_fail_in(ctx, shoal_table_source(j->values),
                                 shoal_table_line(j->values, row), 0);
            goto done;
        }
        j->bucket_of_text[text] = (uint32_t)code;
    }
done:
    return st;
}

static shoal_status group_rows(shoal_ctx *ctx, join *j)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(j->release);
    uint32_t *next = NULL;

    j->bucket_count = shoal_table_value_count(j->release, j->bucket_column);
    SHOAL_ALLOC(ctx, j->starts, j->bucket_count + 1);
    SHOAL_ALLOC(ctx, j->rows, rows);
    SHOAL_ALLOC(ctx, next, j->bucket_count);
    for (size_t row = 0; row < rows; row++) {
        j->starts[shoal_table_code(j->release, j->bucket_column, row) + 1]++;
    }
    for (size_t b = 0; b < j->bucket_count; b++) {
        j->starts[b + 1] += j->starts[b];
        next[b] = j->starts[b];
    }
    for (size_t row = 0; row < rows; row++) {
        j->rows[next[shoal_table_code(j->release, j->bucket_column, row)]++] = (uint32_t)row;
    }
done:
    free(next);
    return st;
}

/* Join a column of the table, if it has one of that name. */
static bool want_column(join *j, const char *name)
{
    int64_t code = shoal_table_find_code(j->values, COLUMN, name, strlen(name));

    if (code >= 0 && j->wanted[code] == NOT_WANTED) {
        j->wanted[code] = j->joined_count;
        j->joined[j->joined_count++] = name;
    }
    return code >= 0;
}

/* Which of the columns that the table tells of are wanted. */
static shoal_status choose_columns(shoal_ctx *ctx, join *j)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_reading *reading = j->reading;
    const shoal_spec *spec = reading->spec;

    j->name_count = shoal_table_value_count(j->values, COLUMN);
    SHOAL_ALLOC(ctx, j->wanted, j->name_count);
    SHOAL_ALLOC(ctx, j->joined, j->name_count);
    for (size_t i = 0; i < j->name_count; i++) {
        j->wanted[i] = NOT_WANTED;
    }
    for (size_t i = 0; reading->is_asked && i < reading->asked_count; i++) {
        want_column(j, reading->asked[i]);
    }
    for (uint32_t i = 0; reading->asks_all && i < j->name_count; i++) {
        want_column(j, shoal_table_text(j->values, COLUMN, i, NULL));
    }
    for (size_t i = 0; !reading->is_asked && i < spec->column_count; i++) {
        const char *name = spec->columns[i].name;

        if (shoal_i_column_role(spec, name) == SHOAL_ROLE_SENSITIVE && !want_column(j, name)) {
            shoal_i_fail(ctx, SHOAL_ENOTFOUND,
                         "The sensitive table has no values of the column \"%.200s\".", name);
            return shoal_i_fail_in(ctx, shoal_table_source(j->values), 0, 0);
        }
    }
done:
    return st;
}

static shoal_status fail_count(shoal_ctx *ctx, const join *j, size_t bucket, size_t name)
{
    size_t row = j->rows[j->starts[bucket]];

    shoal_i_fail_at(
        ctx, SHOAL_EFORMAT, (int64_t)row, (int64_t)j->bucket_column,
        "The bucket of this record has %" PRIu32 " records, but the sensitive table "
        "tells %" PRIu64 " values of the column \"%.200s\" for it.",
        j->starts[bucket + 1] - j->starts[bucket], j->told[bucket * j->name_count + name],
        shoal_table_text(j->values, COLUMN, (uint32_t)name, NULL));
    return shoal_i_fail_in(ctx, shoal_table_source(j->release),
                           shoal_table_line(j->release, row), 0);
}

/* Deal the values of each bucket to its rows. Counts beyond the bucket are not dealt, and found
 * by check_told. */
static shoal_status deal_values(shoal_ctx *ctx, join *j)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(j->release);
    size_t cells = 0;
    size_t places = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, j->joined_count, rows));
    SHOAL_TRY(shoal_i_size_mul(ctx, &places, j->bucket_count, j->name_count));
    SHOAL_ALLOC(ctx, j->line_of, cells);
    SHOAL_ALLOC(ctx, j->told, places);
    for (size_t line = 0; line < shoal_table_row_count(j->values); line++) {
        uint32_t bucket = j->bucket_of_text[shoal_table_code(j->values, BUCKET, line)];
        uint32_t name = shoal_table_code(j->values, COLUMN, line);
        uint64_t *told = &j->told[bucket * j->name_count + name];
        uint64_t size = j->starts[bucket + 1] - j->starts[bucket];
        uint64_t count = (uint64_t)shoal_table_number(j->values, COUNT,
                                                      shoal_table_code(j->values, COUNT, line));

        for (uint64_t i = *told; j->wanted[name] != NOT_WANTED && i < *told + count && i < size;
             i++) {
            j->line_of[j->wanted[name] * rows + j->rows[j->starts[bucket] + i]] =
                (uint32_t)line;
        }
        *told += count <= UINT64_MAX - *told ? count : UINT64_MAX - *told;
    }
done:
    return st;
}

/* As many values of each column as records, in every bucket. */
static shoal_status check_told(shoal_ctx *ctx, const join *j)
{
    for (size_t b = 0; b < j->bucket_count; b++) {
        for (size_t name = 0; name < j->name_count; name++) {
            if (j->told[b * j->name_count + name] != j->starts[b + 1] - j->starts[b]) {
                return fail_count(ctx, j, b, name);
            }
        }
    }
    return SHOAL_OK;
}

/* The dealt values as the text of a table: read by the same rules as the original's, they have
 * its types and its missing values. */
static void put_dealt(shoal_i_buffer *text, const join *j)
{
    size_t rows = shoal_table_row_count(j->release);

    for (size_t c = 0; c < j->joined_count; c++) {
        shoal_i_csv_put_name(text, j->joined[c], ',');
        shoal_i_buffer_char(text, c + 1 < j->joined_count ? ',' : '\n');
    }
    for (size_t row = 0; row < rows; row++) {
        for (size_t c = 0; c < j->joined_count; c++) {
            size_t line = j->line_of[c * rows + row];
            size_t length = 0;
            const char *value = shoal_table_text(
                j->values, VALUE, shoal_table_code(j->values, VALUE, line), &length);

            if (length == 0) {
                shoal_i_csv_put_quoted(text, value, length);
            } else {
                shoal_i_csv_put_field(text, value, length, ',');
            }
            shoal_i_buffer_char(text, c + 1 < j->joined_count ? ',' : '\n');
        }
    }
}

/* A value that is not of its column's type stands in the table, not in the text made of it. */
static void place_failure(shoal_ctx *ctx, const join *j)
{
    int64_t row = ctx->error.record;
    int64_t column = ctx->error.field;
    size_t rows = shoal_table_row_count(j->release);

    if (row >= 0 && (size_t)row < rows && column >= 0 && (size_t)column < j->joined_count) {
        size_t line = j->line_of[(size_t)column * rows + (size_t)row];

        ctx->error.record = (int64_t)line;
        ctx->error.field = VALUE;
        ctx->error.line = shoal_table_line(j->values, line);
        ctx->error.column = 0;
    }
}

static shoal_status read_dealt(shoal_ctx *ctx, shoal_table **out, const join *j)
{
    shoal_status st = SHOAL_OK;
    const char *source = shoal_table_source(j->values);
    shoal_i_reading reading = *j->reading;
    shoal_csv_options options = shoal_i_column_options(&reading, shoal_i_configure_dealt);
    shoal_i_buffer text;

    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    put_dealt(&text, j);
    SHOAL_TRY(shoal_i_buffer_status(&text));
    options.delimiter = ',';
    st = shoal_csv_read_memory(ctx, out, text.data, text.size, source, &options);
    if (st == SHOAL_EFORMAT) {
        place_failure(ctx, j);
    }
done:
    shoal_i_buffer_clear(&text);
    return st;
}

static void clear_join(join *j)
{
    free(j->bucket_of_text);
    free(j->starts);
    free(j->rows);
    free(j->wanted);
    free(j->joined);
    free(j->told);
    free(j->line_of);
}

shoal_status shoal_i_sensitive_table_join(shoal_ctx *ctx, shoal_table *release,
                                          size_t bucket_column, const shoal_table *values,
                                          const shoal_i_reading *reading)
{
    shoal_status st = SHOAL_OK;
    join j = {.release = release,
              .bucket_column = bucket_column,
              .values = values,
              .reading = reading};
    shoal_table *dealt = NULL;

    SHOAL_TRY(match_buckets(ctx, &j));
    SHOAL_TRY(group_rows(ctx, &j));
    SHOAL_TRY(choose_columns(ctx, &j));
    SHOAL_TRY(deal_values(ctx, &j));
    SHOAL_TRY(check_told(ctx, &j));
    if (j.joined_count > 0) {
        SHOAL_TRY(read_dealt(ctx, &dealt, &j));
        SHOAL_TRY(shoal_i_table_join(ctx, release, dealt));
    }
done:
    shoal_table_free(dealt);
    clear_join(&j);
    return st;
}

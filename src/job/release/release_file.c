/* A release in memory as files: written beside their targets, read back and compared with the
 * columns that were verified, and only then given their names. */
#include "release_object.h"

#include "../../base/entry.h"
#include "../../base/file.h"
#include "../../table/table_codes.h"

/* --- Writing. --------------------------------------------------------------------------- */

/* A sink keeps its own failure: the writer only learns that there is one. */
typedef struct sink {
    shoal_ctx ctx;
    shoal_i_output *output;
    shoal_status st;
} sink;

static bool take_bytes(void *payload, const char *bytes, size_t size)
{
    sink *to = payload;

    to->st = shoal_i_output_write(&to->ctx, to->output, bytes, size);
    return to->st == SHOAL_OK;
}

static shoal_status write_text(shoal_ctx *ctx, shoal_i_output *output, const shoal_table *table,
                               char delimiter)
{
    sink to = {.output = output};
    shoal_status st = SHOAL_OK;

    shoal_i_ctx_child(&to.ctx, ctx);
    st = shoal_csv_write_to(ctx, table, delimiter, take_bytes, &to);
    return to.st != SHOAL_OK ? shoal_i_ctx_join(ctx, &to.ctx, to.st) : st;
}

/* --- Reading back. ---------------------------------------------------------------------- */

/* All columns as the texts they are. */
static shoal_status configure_texts(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                                    size_t count)
{
    (void)ctx;
    (void)payload;
    for (size_t i = 0; i < count; i++) {
        columns[i].type = SHOAL_TYPE_STRING;
        columns[i].detect_missing = false;
    }
    return SHOAL_OK;
}

static shoal_status reject(shoal_ctx *ctx)
{
    return shoal_i_fail(ctx, SHOAL_EREJECTED,
                        "The file does not read back as the release that was verified; nothing "
                        "was written.");
}

/* Whether a column of the file has the texts of a column of the release, row by row. */
static shoal_status compare_column(shoal_ctx *ctx, const shoal_table *file, size_t i,
                                   const shoal_table *table, size_t column)
{
    shoal_status st = SHOAL_OK;
    size_t values = shoal_table_value_count(table, column);
    shoal_i_codes expected = shoal_i_table_codes(table, column);
    shoal_i_codes found = shoal_i_table_codes(file, i);
    int64_t *code_in_file = NULL;

    SHOAL_ALLOC(ctx, code_in_file, values + 1);
    for (uint32_t code = 0; code <= values; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(table, column, code, &length);

        code_in_file[code] = shoal_table_find_code(file, i, text, length);
    }
    for (size_t row = 0; row < shoal_table_row_count(table); row++) {
        if (code_in_file[shoal_i_codes_get(expected, row)] !=
            (int64_t)shoal_i_codes_get(found, row)) {
            SHOAL_TRY(reject(ctx));
        }
    }
done:
    free(code_in_file);
    return st;
}

static shoal_status compare(shoal_ctx *ctx, const char *path, const shoal_table *table,
                            char delimiter)
{
    shoal_status st = SHOAL_OK;
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
    shoal_table *file = NULL;
    size_t i = 0;

    options.delimiter = delimiter;
    options.configure = configure_texts;
    SHOAL_TRY(shoal_csv_read(ctx, &file, path, &options));
    if (shoal_table_row_count(file) != shoal_table_row_count(table)) {
        SHOAL_TRY(reject(ctx));
    }
    for (size_t column = 0; column < shoal_table_column_count(table); column++) {
        if (shoal_table_is_skipped(table, column)) {
            continue;
        }
        if (i >= shoal_table_column_count(file) ||
            strcmp(shoal_table_name(file, i), shoal_table_name(table, column)) != 0) {
            SHOAL_TRY(reject(ctx));
        }
        SHOAL_TRY(compare_column(ctx, file, i++, table, column));
    }
    if (i != shoal_table_column_count(file)) {
        SHOAL_TRY(reject(ctx));
    }
done:
    shoal_table_free(file);
    return st;
}

/* --- All of it. ------------------------------------------------------------------------- */

static shoal_status write_table(shoal_ctx *ctx, shoal_i_output **output, const char *path,
                                const shoal_table *table, char delimiter)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_output_open(ctx, output, path));
    SHOAL_TRY(write_text(ctx, *output, table, delimiter));
    SHOAL_TRY(shoal_i_output_end(ctx, *output));
    SHOAL_TRY(compare(ctx, shoal_i_output_temporary(*output), table, delimiter));
done:
    return st;
}

static shoal_status check_paths(shoal_ctx *ctx, const shoal_release *release,
                                const char *sensitive_path)
{
    if (!release->sensitive == !sensitive_path) {
        return SHOAL_OK;
    }
    return shoal_i_fail(ctx, SHOAL_EINVAL,
                        release->sensitive
                            ? "A release by buckets has two tables; name a file for its "
                              "sensitive values, too."
                            : "This release has one table; there is nothing to write to a "
                              "second file.");
}

shoal_status shoal_release_write(shoal_ctx *ctx, const shoal_release *release, const char *path,
                                 const char *sensitive_path, char delimiter)
{
    SHOAL_ENTER(ctx, release, path);
    shoal_status st = SHOAL_OK;
    shoal_i_output *output = NULL;
    shoal_i_output *companion = NULL;

    SHOAL_TRY(check_paths(ctx, release, sensitive_path));
    SHOAL_TRY(write_table(ctx, &output, path, release->rows, delimiter));
    if (!sensitive_path) {
        SHOAL_TRY(shoal_i_output_publish(ctx, output));
        goto done;
    }
    SHOAL_TRY(write_table(ctx, &companion, sensitive_path, release->sensitive, delimiter));
    if (!shoal_i_output_is_renamed(companion)) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EINVAL,
                               "The sensitive values must go to a file, not to a pipe or a "
                               "device: they are published together with the release or not "
                               "at all."));
    }
    SHOAL_TRY(shoal_i_output_publish_pair(ctx, output, companion));
done:
    shoal_i_output_free(output);
    shoal_i_output_free(companion);
    return st;
}

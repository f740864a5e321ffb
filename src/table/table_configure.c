#include "table_configure.h"

#include "../base/pool.h"
#include "column_build.h"
#include "table_hold.h"
#include "table_origin.h"
#include "value_type.h"

#include <string.h>

typedef struct configuration {
    const shoal_table *from;
    shoal_table *to;
    const shoal_csv_column *columns;
    const char *const *tokens;
    size_t token_count;
} configuration;

/* Whether a text is one of the tokens for missing values. */
static bool is_token(const configuration *c, const char *text, size_t length)
{
    for (size_t i = 0; i < c->token_count; i++) {
        if (strlen(c->tokens[i]) == length && memcmp(c->tokens[i], text, length) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_token(const configuration *c, const shoal_i_column *column)
{
    for (uint32_t code = 0; column->type == SHOAL_TYPE_STRING && code < column->value_count;
         code++) {
        size_t start = column->starts[code];

        if (is_token(c, column->texts + start, column->starts[code + 1] - start - 1)) {
            return true;
        }
    }
    return false;
}

/* The format that the texts of a column are to be read by; numbers and dates have theirs, but
 * for whole numbers that are asked to be dates: 20240503. */
static shoal_i_value_format find_format(const shoal_i_column *from,
                                        const shoal_csv_column *asked)
{
    bool is_dated = from->type == SHOAL_TYPE_INTEGER && asked->type == SHOAL_TYPE_DATE;

    return from->type == SHOAL_TYPE_STRING || is_dated
               ? (shoal_i_value_format){asked->decimal, asked->thousands, asked->date_format}
               : (shoal_i_value_format){0};
}

static bool has_format(const shoal_i_column *from, const shoal_csv_column *asked)
{
    shoal_i_value_format format = find_format(from, asked);

    return !shoal_i_value_format_is_usual(&format);
}

/* Whether a column is what it is asked to be. */
static bool is_as_asked(const configuration *c, const shoal_i_column *from,
                        const shoal_csv_column *asked)
{
    return (asked->type == SHOAL_TYPE_AUTO ? !has_format(from, asked)
                                           : asked->type == from->type) &&
           (asked->detect_missing
                ? !has_token(c, from)
                : from->missing_count == 0 || from->type != SHOAL_TYPE_STRING);
}

/* Borrow the values, copy the codes. */
static shoal_status borrow_column(shoal_ctx *ctx, shoal_i_column *to,
                                  const shoal_i_column *from, size_t row_count)
{
    shoal_status st = SHOAL_OK;
    char *name = to->name;

    *to = *from;
    to->codes = NULL;
    to->is_part = true;
    to->owns_name = false;
    free(name);
    SHOAL_TRY(shoal_i_column_alloc_codes(ctx, to, row_count));
    memcpy(to->codes, from->codes, row_count * from->width);
done:
    return st;
}

/* The texts of a column as if they had just been read; missing is the last of them, the empty
 * text. */
static shoal_status list_texts(shoal_ctx *ctx, shoal_i_dictionary *dictionary,
                               uint32_t *index_of, const shoal_i_column *from,
                               bool with_missing)
{
    shoal_status st = SHOAL_OK;

    for (uint32_t code = 0; code < from->value_count; code++) {
        size_t start = from->starts[code];

        SHOAL_TRY(shoal_i_dictionary_add(ctx, dictionary, &index_of[code], from->texts + start,
                                         from->starts[code + 1] - start - 1));
    }
    if (with_missing) {
        SHOAL_TRY(shoal_i_dictionary_add(ctx, dictionary, &index_of[from->value_count], "", 0));
    }
done:
    return st;
}

/* Name the first record whose value is not of the type that was asked for. */
static shoal_status fail_value(shoal_ctx *ctx, const configuration *c, size_t index,
                               const uint32_t *code_of)
{
    const shoal_i_column *from = &c->from->columns[index];
    shoal_i_codes codes = shoal_i_table_codes(c->from, index);
    size_t row = 0;

    while (code_of[shoal_i_codes_get(codes, row)] != SHOAL_I_CODE_BAD) {
        row++;
    }
    size_t start = from->starts[shoal_i_codes_get(codes, row)];
    size_t end = from->starts[shoal_i_codes_get(codes, row) + 1];

    shoal_i_value_format format = find_format(from, &c->columns[index]);

    shoal_i_value_fail(ctx, c->columns[index].type, &format, from->name, (int64_t)row,
                       (int64_t)index, from->texts + start, end - start - 1);
    return shoal_i_fail_in(ctx, c->from->source, shoal_table_line(c->from, row), 0);
}

/* Read the values again by the type and the tokens asked for. */
static shoal_status recode_column(shoal_ctx *ctx, const configuration *c, size_t index)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_column *from = &c->from->columns[index];
    const shoal_csv_column *asked = &c->columns[index];
    shoal_i_column *to = &c->to->columns[index];
    shoal_i_codes codes = shoal_i_table_codes(c->from, index);
    shoal_i_dictionary dictionary = {0};
    shoal_i_column_rules rules = {
        .type = asked->type == SHOAL_TYPE_AUTO && !has_format(from, asked) ? from->type
                                                                           : asked->type,
        .missing_tokens = c->tokens,
        .missing_token_count = asked->detect_missing ? c->token_count : 0,
        .format = find_format(from, asked),
    };

    uint32_t *index_of = NULL; /* by code of `from` */
    uint32_t *code_of = NULL;
    bool has_bad = false;

    SHOAL_ALLOC(ctx, index_of, (size_t)from->value_count + 1);
    SHOAL_TRY(list_texts(ctx, &dictionary, index_of, from,
                         from->missing_count > 0 && !asked->detect_missing &&
                             rules.type == SHOAL_TYPE_STRING));
    SHOAL_TRY(shoal_i_column_build(ctx, to, &code_of, &has_bad, &dictionary, &rules));
    for (size_t code = 0; code <= from->value_count; code++) {
        index_of[code] = code_of[index_of[code]];
    }
    if (has_bad) {
        SHOAL_TRY(fail_value(ctx, c, index, index_of));
    }
    if (to->type == from->type) {
        SHOAL_TRY(shoal_i_column_set_origin(ctx, to, from->origin));
    }
    SHOAL_TRY(shoal_i_column_alloc_codes(ctx, to, c->from->row_count));
    shoal_i_codes_map(to->codes, to->width, codes, NULL, index_of, c->from->row_count);
    shoal_i_column_count_missing(to, c->from->row_count);
done:
    shoal_i_dictionary_clear(&dictionary);
    free(index_of);
    free(code_of);
    return st;
}

static shoal_status configure_column(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    const configuration *c = payload;
    const shoal_i_column *from = &c->from->columns[index];
    shoal_i_column *to = &c->to->columns[index];

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    SHOAL_TRY(shoal_i_table_set_name(ctx, c->to, index, from->name, strlen(from->name)));
    if (from->skipped || c->columns[index].skip) {
        to->skipped = true;
        to->type = from->type;
    } else if (is_as_asked(c, from, &c->columns[index])) {
        SHOAL_TRY(borrow_column(ctx, to, from, c->from->row_count));
    } else {
        SHOAL_TRY(recode_column(ctx, c, index));
    }
done:
    return st;
}

/* Lines, where the table knows them. */
static shoal_status copy_lines(shoal_ctx *ctx, const configuration *c)
{
    shoal_status st = SHOAL_OK;

    if (c->from->shift_count > 0) {
        SHOAL_ALLOC(ctx, c->to->shifts, c->from->shift_count);
        memcpy(c->to->shifts, c->from->shifts, c->from->shift_count * sizeof *c->to->shifts);
        c->to->shift_count = c->from->shift_count;
    }
done:
    return st;
}

shoal_status shoal_i_table_configure(shoal_ctx *ctx, shoal_table **out,
                                     const shoal_table *table, const shoal_csv_options *options)
{
    shoal_status st = SHOAL_OK;
    size_t count = table->column_count;
    shoal_csv_column *columns = NULL;
    shoal_table *result = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, columns, count);
    for (size_t i = 0; i < count; i++) {
        columns[i] = (shoal_csv_column){.name = table->columns[i].name, .detect_missing = true};
    }
    if (options->configure) {
        SHOAL_TRY(options->configure(ctx, options->configure_payload, columns, count));
    }
    SHOAL_TRY(shoal_i_table_new(ctx, &result, table->source, count));
    result->row_count = table->row_count;
    result->whole = table;
    shoal_i_table_hold(table);

    configuration c = {
        .from = table,
        .to = result,
        .columns = columns,
        .tokens = options->missing_tokens ? options->missing_tokens : shoal_i_usual_tokens,
        .token_count =
            options->missing_tokens ? options->missing_token_count : SHOAL_I_USUAL_TOKENS,
    };

    SHOAL_TRY(copy_lines(ctx, &c));
    SHOAL_TRY(shoal_i_parallel_for(ctx, count, configure_column, &c));
    SHOAL_TRY(shoal_i_table_index_names(ctx, result));
    *out = result;
    result = NULL;
done:
    shoal_table_free(result);
    free(columns);
    return st;
}

#include "query_text.h"

#include <string.h>
#include <strings.h>

typedef enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_QUOTED,
    TOKEN_SIGN /* ( ) , = < <= > >= */
} token_kind;

typedef struct token {
    token_kind kind;
    shoal_i_query_word word;
} token;

typedef struct parser {
    shoal_ctx *ctx;
    shoal_i_query *query;
    const char *text;
    size_t at; /* behind the token */
    token next;
} parser;

void shoal_i_query_clear(shoal_i_query *query)
{
    shoal_i_arena_clear(&query->arena);
    *query = (shoal_i_query){0};
}

shoal_status shoal_i_query_fail_in(shoal_ctx *ctx, size_t at)
{
    return shoal_i_fail_in(ctx, SHOAL_I_QUERY_SOURCE, 1, (int64_t)at + 1);
}

/* --- Tokens. ---------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool ends_word(char c)
{
    return c == '\0' || is_space(c) || strchr("(),=<>\"'", c);
}

static shoal_status take_text(parser *p, const char *text, size_t length)
{
    p->next.word.text = shoal_i_arena_text(p->ctx, &p->query->arena, text, length);
    p->next.word.length = length;
    return p->next.word.text ? SHOAL_OK : SHOAL_ENOMEM;
}

/* A text in quotes; doubled ones inside become one. */
static shoal_status read_quoted(parser *p)
{
    const char *start = p->text + p->at + 1;
    char quote = p->text[p->at];
    size_t length = 0;
    size_t written = 0;

    while (start[length] && (start[length] != quote || start[length + 1] == quote)) {
        length += start[length] == quote ? 2 : 1;
    }
    if (!start[length]) {
        shoal_i_fail(p->ctx, SHOAL_EINVAL,
                     "This quote is not closed; a quote within quotes is doubled.");
        return shoal_i_query_fail_in(p->ctx, p->at);
    }
    char *copy = shoal_i_arena_text(p->ctx, &p->query->arena, start, length);

    if (!copy) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < length; i++) {
        copy[written++] = start[i];
        i += start[i] == quote;
    }
    copy[written] = '\0';
    p->next.kind = TOKEN_QUOTED;
    p->next.word.text = copy;
    p->next.word.length = written;
    p->at += length + 2;
    return SHOAL_OK;
}

/* Read the token behind the last. */
static shoal_status advance(parser *p)
{
    size_t length = 0;

    while (is_space(p->text[p->at])) {
        p->at++;
    }
    const char *start = p->text + p->at;

    p->next = (token){.kind = TOKEN_END, .word = {.text = "", .at = p->at}};
    if (*start == '\0') {
        return SHOAL_OK;
    }
    if (*start == '"' || *start == '\'') {
        return read_quoted(p);
    }
    if (ends_word(*start)) {
        p->next.kind = TOKEN_SIGN;
        length = (*start == '<' || *start == '>') && start[1] == '=' ? 2 : 1;
    } else {
        p->next.kind = TOKEN_WORD;
        while (!ends_word(start[length])) {
            length++;
        }
    }
    p->at += length;
    return take_text(p, start, length);
}

static bool is_keyword(const parser *p, const char *keyword)
{
    return p->next.kind == TOKEN_WORD && strcasecmp(p->next.word.text, keyword) == 0;
}

static bool is_sign(const parser *p, const char *sign)
{
    return p->next.kind == TOKEN_SIGN && strcmp(p->next.word.text, sign) == 0;
}

static shoal_status fail_expected(const parser *p, const char *expected)
{
    if (p->next.kind == TOKEN_END) {
        shoal_i_fail(p->ctx, SHOAL_EINVAL, "Expected %s; the query ends here.", expected);
    } else {
        shoal_i_fail(p->ctx, SHOAL_EINVAL, "Expected %s; got \"%.80s\".", expected,
                     p->next.word.text);
    }
    return shoal_i_query_fail_in(p->ctx, p->next.word.at);
}

static shoal_status expect_sign(parser *p, const char *sign, const char *expected)
{
    return is_sign(p, sign) ? advance(p) : fail_expected(p, expected);
}

static bool is_reserved(const parser *p)
{
    return is_keyword(p, "WHERE") || is_keyword(p, "AND") || is_keyword(p, "IN") ||
           is_keyword(p, "BETWEEN");
}

static shoal_status expect_text(parser *p, shoal_i_query_word *out, const char *expected)
{
    if ((p->next.kind != TOKEN_WORD && p->next.kind != TOKEN_QUOTED) || is_reserved(p)) {
        return fail_expected(p, expected);
    }
    *out = p->next.word;
    return advance(p);
}

/* --- Grammar. --------------------------------------------------------------------------- */

static shoal_status read_aggregate(parser *p)
{
    shoal_status st = SHOAL_OK;
    shoal_i_query *query = p->query;
    bool is_count = is_keyword(p, "COUNT");

    if (!is_count && !is_keyword(p, "SUM") && !is_keyword(p, "AVG")) {
        return fail_expected(p, "COUNT, SUM(column) or AVG(column)");
    }
    query->aggregate = is_count               ? SHOAL_I_COUNT
                       : is_keyword(p, "SUM") ? SHOAL_I_SUM
                                              : SHOAL_I_AVG;
    SHOAL_TRY(advance(p));
    if (is_count && !is_sign(p, "(")) {
        return SHOAL_OK;
    }
    SHOAL_TRY(expect_sign(p, "(", "\"(\" and the column to add up"));
    if (is_count && !is_keyword(p, "*")) {
        return fail_expected(p, "* within COUNT(*)");
    }
    if (is_count) {
        SHOAL_TRY(advance(p));
    } else {
        SHOAL_TRY(expect_text(p, &query->target, "the column to add up"));
    }
    SHOAL_TRY(expect_sign(p, ")", "\")\""));
done:
    return st;
}

/* One value more of a condition; the array of a list grows by doubling, in the arena. */
static shoal_status add_value(parser *p, shoal_i_condition *condition, size_t *capacity)
{
    if (condition->value_count == *capacity) {
        size_t larger = *capacity > 0 ? 2 * *capacity : 2;
        shoal_i_query_word *values =
            shoal_i_arena_alloc(p->ctx, &p->query->arena, larger, sizeof *values);

        if (!values) {
            return SHOAL_ENOMEM;
        }
        if (condition->value_count > 0) {
            memcpy(values, condition->values, condition->value_count * sizeof *values);
        }
        condition->values = values;
        *capacity = larger;
    }
    shoal_status st = expect_text(p, &condition->values[condition->value_count], "a value");

    condition->value_count += st == SHOAL_OK;
    return st;
}

static shoal_status read_list(parser *p, shoal_i_condition *condition, size_t *capacity)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(expect_sign(p, "(", "\"(\" and a list of values"));
    SHOAL_TRY(add_value(p, condition, capacity));
    while (is_sign(p, ",")) {
        SHOAL_TRY(advance(p));
        SHOAL_TRY(add_value(p, condition, capacity));
    }
    SHOAL_TRY(expect_sign(p, ")", "\",\" and one more value, or \")\""));
done:
    return st;
}

static shoal_status read_operator(parser *p, shoal_i_operator *out)
{
    static const struct {
        const char *text;
        shoal_i_operator sign;
    } signs[] = {
        {"=", SHOAL_I_EQUAL},   {"<", SHOAL_I_LESS},           {"<=", SHOAL_I_LESS_EQUAL},
        {">", SHOAL_I_GREATER}, {">=", SHOAL_I_GREATER_EQUAL},
    };

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (is_sign(p, signs[i].text)) {
            *out = signs[i].sign;
            return advance(p);
        }
    }
    if (is_keyword(p, "IN") || is_keyword(p, "BETWEEN")) {
        *out = is_keyword(p, "IN") ? SHOAL_I_IN : SHOAL_I_BETWEEN;
        return advance(p);
    }
    return fail_expected(p, "=, IN, BETWEEN, <, <=, > or >=");
}

static shoal_status read_condition(parser *p)
{
    shoal_status st = SHOAL_OK;
    size_t capacity = 0;

    if (p->query->condition_count == SHOAL_I_CONDITIONS_MAX) {
        shoal_i_fail(p->ctx, SHOAL_ELIMIT, "A query has at most %d conditions.",
                     SHOAL_I_CONDITIONS_MAX);
        return shoal_i_query_fail_in(p->ctx, p->next.word.at);
    }
    shoal_i_condition *condition = &p->query->conditions[p->query->condition_count];

    SHOAL_TRY(expect_text(p, &condition->column, "a column"));
    SHOAL_TRY(read_operator(p, &condition->sign));
    if (condition->sign == SHOAL_I_IN) {
        SHOAL_TRY(read_list(p, condition, &capacity));
    } else {
        SHOAL_TRY(add_value(p, condition, &capacity));
    }
    if (condition->sign == SHOAL_I_BETWEEN) {
        if (!is_keyword(p, "AND")) {
            return fail_expected(p, "AND and the upper end");
        }
        SHOAL_TRY(advance(p));
        SHOAL_TRY(add_value(p, condition, &capacity));
    }
    p->query->condition_count++;
done:
    return st;
}

static shoal_status read_query(parser *p)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(advance(p));
    SHOAL_TRY(read_aggregate(p));
    if (p->next.kind == TOKEN_END) {
        return SHOAL_OK;
    }
    if (!is_keyword(p, "WHERE")) {
        return fail_expected(p, "WHERE");
    }
    do {
        SHOAL_TRY(advance(p));
        SHOAL_TRY(read_condition(p));
    } while (is_keyword(p, "AND"));
    if (p->next.kind != TOKEN_END) {
        st = fail_expected(p, "AND or the end of the query");
    }
done:
    return st;
}

shoal_status shoal_i_query_parse(shoal_ctx *ctx, shoal_i_query *out, const char *text)
{
    parser p = {.ctx = ctx, .query = out, .text = text};
    size_t length = strlen(text);
    shoal_status st = SHOAL_OK;

    *out = (shoal_i_query){0};
    if (length > SHOAL_I_QUERY_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "A query has at most %d bytes; got %zu.",
                            SHOAL_I_QUERY_MAX, length);
    }
    st = read_query(&p);
    if (st != SHOAL_OK) {
        shoal_i_query_clear(out);
    }
    return st;
}

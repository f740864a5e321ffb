#include "requirement_request.h"

#include "../base/text.h"
#include "mistakes.h"

#include <stdio.h>
#include <string.h>

shoal_status shoal_i_fail_of_request(shoal_ctx *ctx, const shoal_i_requirement_request *request,
                                     shoal_status status)
{
    if (status != SHOAL_OK && status != SHOAL_ENOMEM) {
        const shoal_i_place *place = &request->place;
        char setting[64];

        snprintf(setting, sizeof setting, "privacy.%s", request->kind->key);
        shoal_i_fail_in(ctx, place->source ? place->source : setting, place->line,
                        place->column);
    }
    return status;
}

/* --- Numbers. ----------------------------------------------------------------------------- */

static shoal_status fail_number(shoal_ctx *ctx, const char *what, const char *range,
                                const char *text)
{
    return shoal_i_fail(ctx, SHOAL_EINVAL, "%s expects %s; got \"%.40s\".", what, range, text);
}

shoal_status shoal_i_request_parse_value(shoal_ctx *ctx, double *out,
                                         const shoal_i_requirement_kind *kind, const char *text)
{
    double value = 0;

    if (!shoal_i_text_to_double(&value, text, strlen(text)) || !kind->check_value(value)) {
        return fail_number(ctx, kind->key, kind->value_range, text);
    }
    *out = value;
    return SHOAL_OK;
}

shoal_status shoal_i_request_parse_c(shoal_ctx *ctx, double *out, const char *text)
{
    double c = 0;

    if (!shoal_i_text_to_double(&c, text, strlen(text)) || !(c > 0)) {
        return fail_number(ctx, "The c of recursive l-diversity", "a number above 0", text);
    }
    *out = c;
    return SHOAL_OK;
}

shoal_status shoal_i_request_parse_least(shoal_ctx *ctx, double *out, const char *text)
{
    double least = 0;

    if (!shoal_i_text_to_double(&least, text, strlen(text)) || !(least >= 0 && least <= 1)) {
        return fail_number(ctx, "The least share of presence", "a share from 0 to 1", text);
    }
    *out = least;
    return SHOAL_OK;
}

/* --- Kinds. ------------------------------------------------------------------------------- */

#define WORDS_MAX 8

shoal_status shoal_i_request_find_kind(shoal_ctx *ctx, const shoal_i_requirement_kind **out,
                                       const char *key, const char *what, const char *word)
{
    const char *words[WORDS_MAX];
    size_t count = 0;

    *out = shoal_i_requirement_find_variant(key, word);
    if (*out) {
        return SHOAL_OK;
    }
    for (size_t i = 0; shoal_i_requirement_kinds[i]; i++) {
        const shoal_i_requirement_kind *kind = shoal_i_requirement_kinds[i];

        if (strcmp(kind->key, key) == 0 && kind->variant && count < WORDS_MAX) {
            words[count++] = kind->variant;
        }
    }
    return shoal_i_fail_unknown(ctx, SHOAL_EINVAL, what, word, words, count);
}

/* --- The form of one line. ---------------------------------------------------------------- */

/* Cut text in two at its first colon; the rest, or NULL. */
static char *cut(char *text)
{
    char *colon = strchr(text, ':');

    if (colon) {
        *colon++ = '\0';
    }
    return colon;
}

/* Take the quotes away from a name that begins with one; *rest is what follows it. NULL: a
 * quote without its end. */
static char *take_quoted(char *name, char **rest)
{
    char *from = name + 1;
    char *to = name;

    for (; *from && (from[0] != '"' || from[1] == '"'); from++) {
        from += *from == '"'; /* of two, one */
        *to++ = *from;
    }
    if (*from != '"') {
        return NULL;
    }
    *to = '\0';
    *rest = from + 1;
    return name;
}

/* End the first name of a list and take its quotes away, if it has any; *rest is what follows
 * its comma, NULL behind the last. NULL: a quote without its end. */
static char *take_name(char *list, char **rest)
{
    char *name = list;

    if (*list != '"') {
        *rest = strchr(list, ',');
    } else {
        if (!take_quoted(name, rest) || (**rest != ',' && **rest != '\0')) {
            return NULL;
        }
        *rest = **rest == ',' ? *rest : NULL;
    }
    if (*rest) {
        **rest = '\0';
        ++*rest;
    }
    return name;
}

/* No list has more items than that. */
static size_t count_commas(const char *list)
{
    size_t most = 1;

    for (; *list; list++) {
        most += *list == ',';
    }
    return most;
}

static shoal_status check_value_count(shoal_ctx *ctx, size_t count)
{
    return count <= SHOAL_I_REQUEST_VALUES_MAX
               ? SHOAL_OK
               : shoal_i_fail(ctx, SHOAL_ELIMIT, "At most %d values can be named; got %zu.",
                              SHOAL_I_REQUEST_VALUES_MAX, count);
}

/* HIV,"TB, open" */
static shoal_status parse_names(shoal_ctx *ctx, shoal_i_requirement_request *request,
                                shoal_i_arena *arena, char *list)
{
    size_t most = count_commas(list);
    size_t count = 0;

    const char **names = shoal_i_arena_alloc(ctx, arena, most, sizeof *names);

    if (!names) {
        return SHOAL_ENOMEM;
    }
    while (list) {
        names[count] = take_name(list, &list);
        if (!names[count++]) {
            return shoal_i_fail(
                ctx, SHOAL_EINVAL,
                "A quoted value ends in a quote and a comma or the end; a quote "
                "within it is doubled.");
        }
    }
    request->kind = &shoal_i_alpha_values;
    request->values = names;
    request->value_count = count;
    return check_value_count(ctx, count);
}

/* "HIV"=0.2,"TB"=0.3 */
static shoal_status parse_limits(shoal_ctx *ctx, shoal_i_requirement_request *request,
                                 shoal_i_arena *arena, char *list)
{
    shoal_status st = SHOAL_OK;
    size_t most = count_commas(list);
    const char **names = shoal_i_arena_alloc(ctx, arena, most, sizeof *names);
    double *limits = shoal_i_arena_alloc(ctx, arena, most, sizeof *limits);
    size_t count = 0;

    if (!names || !limits) {
        return SHOAL_ENOMEM;
    }
    while (list) {
        char *rest = NULL;

        names[count] = *list == '"' ? take_quoted(list, &rest) : NULL;
        if (!names[count] || *rest != '=') {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "Limits of single values are written "
                                "limits:\"VALUE\"=SHARE,\"VALUE\"=SHARE.");
        }
        char *limit = rest + 1;

        list = strchr(limit, ',');
        if (list) {
            *list++ = '\0';
        }
        SHOAL_TRY(
            shoal_i_request_parse_value(ctx, &limits[count++], &shoal_i_alpha_general, limit));
    }
    request->kind = &shoal_i_alpha_limits;
    request->values = names;
    request->limits = limits;
    request->value_count = count;
    st = check_value_count(ctx, count);
done:
    return st;
}

/* 0.5 or 0.5:HIV,TB or limits:"HIV"=0.2,"TB"=0.3 */
static shoal_status parse_alpha(shoal_ctx *ctx, shoal_i_requirement_request *request,
                                shoal_i_arena *arena, char *text)
{
    shoal_status st = SHOAL_OK;
    char *names = cut(text);

    if (names && strcmp(text, shoal_i_alpha_limits.variant) == 0) {
        return parse_limits(ctx, request, arena, names);
    }
    if (names) {
        SHOAL_TRY(parse_names(ctx, request, arena, names));
    }
    SHOAL_TRY(shoal_i_request_parse_value(ctx, &request->value, request->kind, text));
done:
    return st;
}

/* 0.1 or 0.01:0.1 */
static shoal_status parse_presence(shoal_ctx *ctx, shoal_i_requirement_request *request,
                                   char *text)
{
    shoal_status st = SHOAL_OK;
    char *most = cut(text);

    if (most) {
        request->kind = &shoal_i_presence_between;
        SHOAL_TRY(shoal_i_request_parse_least(ctx, &request->least, text));
    }
    SHOAL_TRY(
        shoal_i_request_parse_value(ctx, &request->value, request->kind, most ? most : text));
done:
    return st;
}

/* [KIND:]VALUE, or recursive:C:L; what the kinds are called. */
static shoal_status parse_variant(shoal_ctx *ctx, shoal_i_requirement_request *request,
                                  char *text, const char *what)
{
    shoal_status st = SHOAL_OK;
    char *rest = cut(text);

    if (rest) {
        SHOAL_TRY(
            shoal_i_request_find_kind(ctx, &request->kind, request->kind->key, what, text));
        text = rest;
    }
    if (request->kind == &shoal_i_l_recursive) {
        rest = cut(text);
        if (!rest) {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "Recursive l-diversity has two parameters: recursive:C:L.");
        }
        SHOAL_TRY(shoal_i_request_parse_c(ctx, &request->c, text));
        text = rest;
    }
    SHOAL_TRY(shoal_i_request_parse_value(ctx, &request->value, request->kind, text));
done:
    return st;
}

/* The text behind COLUMN= or "COLUMN"=, if that is there. */
static char *cut_column(const char **column, char *text)
{
    char *end = strpbrk(text, "=\"");

    if (end == text && *end == '"' && take_quoted(text, &end) && *end == '=') {
        *column = text;
        return end + 1;
    }
    if (end && *end == '=') {
        *end = '\0';
        *column = text;
        return end + 1;
    }
    return text;
}

static shoal_status parse_form(shoal_ctx *ctx, shoal_i_requirement_request *request,
                               shoal_i_arena *arena, char *text)
{
    const shoal_i_requirement_kind *kind = request->kind;

    if (strcmp(kind->key, "alpha") == 0) {
        return parse_alpha(ctx, request, arena, text);
    }
    if (strcmp(kind->key, "presence") == 0) {
        return parse_presence(ctx, request, text);
    }
    return kind->variant ? parse_variant(ctx, request, text,
                                         strcmp(kind->key, "t") == 0 ? "distance" : "kind")
                         : shoal_i_request_parse_value(ctx, &request->value, kind, text);
}

shoal_status shoal_i_request_parse(shoal_ctx *ctx, shoal_i_requirement_request *out,
                                   shoal_i_arena *arena, const char *key, const char *text)
{
    shoal_status st = SHOAL_OK;
    shoal_i_requirement_request request = {.kind = shoal_i_requirement_find(key)};
    char *rest = shoal_i_arena_text(ctx, arena, text, strlen(text));

    if (!rest) {
        return SHOAL_ENOMEM;
    }
    if (request.kind->needs_sensitive) {
        rest = cut_column(&request.column, rest);
    }
    SHOAL_TRY(parse_form(ctx, &request, arena, rest));
    *out = request;
done:
    return st;
}

/* --- And back. ---------------------------------------------------------------------------- */

static void put_quoted(shoal_i_buffer *out, const char *name)
{
    shoal_i_buffer_char(out, '"');
    for (; *name; name++) {
        shoal_i_buffer_text(out, *name == '"' ? "\"\"" : (const char[]){*name, '\0'});
    }
    shoal_i_buffer_char(out, '"');
}

/* A name, in quotes where it holds what would end it. */
static void put_name(shoal_i_buffer *out, const char *name)
{
    if (strpbrk(name, "=\",")) {
        put_quoted(out, name);
    } else {
        shoal_i_buffer_text(out, name);
    }
}

static void put_limits(shoal_i_buffer *out, const shoal_i_requirement_request *request)
{
    for (size_t i = 0; i < request->value_count; i++) {
        shoal_i_buffer_text(out, i == 0 ? "limits:" : ",");
        put_quoted(out, request->values[i]);
        shoal_i_buffer_char(out, '=');
        shoal_i_buffer_number(out, request->limits[i]);
    }
}

void shoal_i_request_put(shoal_i_buffer *out, const shoal_i_requirement_request *request)
{
    const shoal_i_requirement_kind *kind = request->kind;

    if (request->column) {
        put_name(out, request->column);
        shoal_i_buffer_char(out, '=');
    }
    if (kind == &shoal_i_alpha_limits) {
        put_limits(out, request);
        return;
    }
    if (kind == &shoal_i_presence_between) {
        shoal_i_buffer_number(out, request->least);
        shoal_i_buffer_char(out, ':');
    } else if (kind != shoal_i_requirement_find(kind->key) && kind != &shoal_i_alpha_values) {
        shoal_i_buffer_printf(out, "%s:", kind->variant);
    }
    if (kind == &shoal_i_l_recursive) {
        shoal_i_buffer_number(out, request->c);
        shoal_i_buffer_char(out, ':');
    }
    shoal_i_buffer_number(out, request->value);
    for (size_t i = 0; kind == &shoal_i_alpha_values && i < request->value_count; i++) {
        shoal_i_buffer_char(out, i == 0 ? ':' : ',');
        put_name(out, request->values[i]);
    }
}

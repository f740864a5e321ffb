#include "requirement_request.h"

#include "../base/text.h"
#include "mistakes.h"

#include <string.h>

/* The setting that asks for this: where mistakes of a request that no file holds are placed. */
static const char *name_setting(const shoal_i_requirement_request *request)
{
    static const char *const settings[] = {
        "privacy.alpha", "privacy.l",     "privacy.t",        "privacy.delta",
        "privacy.beta",  "privacy.k_map", "privacy.presence",
    };
    size_t i = 0;

    while (strcmp(settings[i] + strlen("privacy."), request->kind->key) != 0) {
        i++;
    }
    return settings[i];
}

shoal_status shoal_i_fail_of_request(shoal_ctx *ctx, const shoal_i_requirement_request *request,
                                     shoal_status status)
{
    if (status != SHOAL_OK && status != SHOAL_ENOMEM) {
        const shoal_i_place *place = &request->place;

        shoal_i_fail_in(ctx, place->source ? place->source : name_setting(request), place->line,
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

/* End the first name of a list and take its quotes away, if it has any; *rest is what follows
 * its comma, NULL behind the last. NULL: a quote without its end. */
static char *take_name(char *list, char **rest)
{
    char *name = list;
    char *to = list;

    if (*list != '"') {
        *rest = strchr(list, ',');
    } else {
        for (list++; *list && (list[0] != '"' || list[1] == '"'); list++) {
            list += *list == '"'; /* of two, one */
            *to++ = *list;
        }
        if (*list != '"' || (list[1] != ',' && list[1] != '\0')) {
            return NULL;
        }
        *rest = list[1] == ',' ? list + 1 : NULL;
        *to = '\0';
    }
    if (*rest) {
        **rest = '\0';
        ++*rest;
    }
    return name;
}

/* HIV,"TB, open" */
static shoal_status parse_names(shoal_ctx *ctx, shoal_i_requirement_request *request,
                                shoal_i_arena *arena, char *list)
{
    size_t most = 1;
    size_t count = 0;

    for (const char *c = list; *c; c++) {
        most += *c == ',';
    }
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
    if (count > SHOAL_I_REQUEST_VALUES_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "At most %d values can be named; got %zu.",
                            SHOAL_I_REQUEST_VALUES_MAX, count);
    }
    request->kind = &shoal_i_alpha_values;
    request->values = names;
    request->value_count = count;
    return SHOAL_OK;
}

/* 0.5 or 0.5:HIV,TB */
static shoal_status parse_alpha(shoal_ctx *ctx, shoal_i_requirement_request *request,
                                shoal_i_arena *arena, char *text)
{
    shoal_status st = SHOAL_OK;
    char *names = cut(text);

    if (names) {
        SHOAL_TRY(parse_names(ctx, request, arena, names));
    }
    SHOAL_TRY(shoal_i_request_parse_value(ctx, &request->value, request->kind, text));
done:
    return st;
}

/* 0.1 or 0.01:0.1 */
static shoal_status parse_presence(shoal_ctx *ctx, shoal_i_requirement_request *request,
                                   shoal_i_arena *arena, char *text)
{
    shoal_status st = SHOAL_OK;
    char *most = cut(text);

    (void)arena;
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

static shoal_status parse_kind(shoal_ctx *ctx, shoal_i_requirement_request *request,
                               shoal_i_arena *arena, char *text)
{
    (void)arena;
    return parse_variant(ctx, request, text, "kind");
}

static shoal_status parse_distance(shoal_ctx *ctx, shoal_i_requirement_request *request,
                                   shoal_i_arena *arena, char *text)
{
    (void)arena;
    return parse_variant(ctx, request, text, "distance");
}

static shoal_status parse_number(shoal_ctx *ctx, shoal_i_requirement_request *request,
                                 shoal_i_arena *arena, char *text)
{
    (void)arena;
    return shoal_i_request_parse_value(ctx, &request->value, request->kind, text);
}

typedef struct form {
    const char *key;
    shoal_status (*parse)(shoal_ctx *ctx, shoal_i_requirement_request *request,
                          shoal_i_arena *arena, char *text);
} form;

static const form forms[] = {
    {"alpha", parse_alpha},       {"l", parse_kind},    {"t", parse_distance},
    {"delta", parse_number},      {"beta", parse_kind}, {"k_map", parse_number},
    {"presence", parse_presence},
};

shoal_status shoal_i_request_parse(shoal_ctx *ctx, shoal_i_requirement_request *out,
                                   shoal_i_arena *arena, const char *key, const char *text)
{
    shoal_status st = SHOAL_OK;
    shoal_i_requirement_request request = {.kind = shoal_i_requirement_find(key)};
    char *rest = shoal_i_arena_text(ctx, arena, text, strlen(text));
    size_t i = 0;

    if (!rest) {
        return SHOAL_ENOMEM;
    }
    char *equals = request.kind->needs_sensitive ? strpbrk(rest, "=\"") : NULL;

    if (equals && *equals == '=') {
        *equals = '\0';
        request.column = rest;
        rest = equals + 1;
    }
    while (strcmp(forms[i].key, key) != 0) {
        i++;
    }
    SHOAL_TRY(forms[i].parse(ctx, &request, arena, rest));
    *out = request;
done:
    return st;
}

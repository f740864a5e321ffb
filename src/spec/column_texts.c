/* What is said of a column as a text: each kind has a check, made when it is said. */
#include "setting.h"

#include "../table/value_format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_LONGEST 20 /* digits of a number that is said of a column */

shoal_status shoal_i_date_format_check(shoal_ctx *ctx, const char *text)
{
    const char *mistake = shoal_i_date_format_mistake(text);

    return mistake ? shoal_i_fail(ctx, SHOAL_EINVAL, "A format of dates %s; got \"%.80s\".",
                                  mistake, text)
                   : SHOAL_OK;
}

static shoal_status check_word(shoal_ctx *ctx, const shoal_i_setting *s, const char *text)
{
    size_t word = 0;

    return shoal_i_parse_word(ctx, &word, s->subject, text, s->words);
}

/* Words separated by commas, each once. */
static shoal_status check_words(shoal_ctx *ctx, const shoal_i_setting *s, const char *text)
{
    shoal_status st = SHOAL_OK;
    unsigned said = 0;

    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char word[NUMBER_LONGEST + 1];
        size_t place = 0;
        size_t length = strcspn(at, ",");

        snprintf(word, sizeof word, "%.*s", length < NUMBER_LONGEST ? (int)length : 20, at);
        SHOAL_TRY(shoal_i_parse_word(ctx, &place, s->subject, word, s->words));
        if (said & 1u << place) {
            return shoal_i_fail(ctx, SHOAL_EINVAL, "The word %s is given twice.",
                                s->words[place]);
        }
        said |= 1u << place;
    }
done:
    return st;
}

/* Plain digits: the text is what a cell becomes, and has as many decimals as are meant. */
static shoal_status check_number(shoal_ctx *ctx, const shoal_i_setting *s, const char *text)
{
    double number = 0;
    bool is_plain =
        strlen(text) <= NUMBER_LONGEST && text[strspn(text, "-0123456789.")] == '\0';

    shoal_status st = shoal_i_setting_parse_number(ctx, &number, s, text, NULL);
    bool is_whole = s->type != &shoal_i_type_whole || number == floor(number);

    if (st == SHOAL_OK && !(is_plain && is_whole)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "%s %s, written in digits; got \"%.40s\".",
                            s->subject, s->range, text);
    }
    return st;
}

shoal_status shoal_i_column_text_assign(shoal_ctx *ctx, shoal_spec *spec,
                                        shoal_i_spec_column *column, const shoal_i_setting *s,
                                        const char *text)
{
    shoal_status st = SHOAL_OK;
    size_t at = (size_t)(s - shoal_i_column_settings) - SHOAL_I_COLUMN_FACTS;

    if (s->type == &shoal_i_type_text) {
        SHOAL_TRY(shoal_i_spec_rename(ctx, spec, column, text));
        column->texts[at] = column->name;
        return SHOAL_OK;
    }
    SHOAL_TRY(s->type == &shoal_i_type_words         ? check_words(ctx, s, text)
              : s->words                             ? check_word(ctx, s, text)
              : s->type == &shoal_i_type_date_format ? shoal_i_date_format_check(ctx, text)
                                                     : check_number(ctx, s, text));
    char *copy = shoal_i_arena_text(ctx, &spec->arena, text, strlen(text));

    if (!copy) {
        return SHOAL_ENOMEM;
    }
    column->texts[at] = copy;
done:
    return st;
}

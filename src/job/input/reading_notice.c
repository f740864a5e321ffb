#include "reading_notice.h"

#include "../../base/warnings.h"
#include "../../table/other_reading.h"
#include "../../table/stray.h"

#include <stdio.h>

/* Only the words of our own list are shown, which are nobody's data. */
static shoal_status warn_other_reading(shoal_ctx *ctx, const shoal_i_other_reading *other,
                                       const shoal_table *table, size_t column)
{
    const char *name = shoal_table_name(table, column);
    char words[SHOAL_I_OTHER_MAX] = "";
    char second[SHOAL_I_OTHER_MAX] = "";
    char tokens[2 * SHOAL_I_OTHER_MAX] = "";

    if (other->second) {
        snprintf(second, sizeof second, "; they fit %s as well, so look which it is",
                 other->second);
    }
    if (other->has_tokens && shoal_i_missing_words_find(words, table, column)) {
        snprintf(tokens, sizeof tokens, ", and list %s in `missing.tokens`", words);
    }
    return shoal_i_warn(
        ctx, SHOAL_I_WARN_READING, name,
        "The column \"%.200s\" is read as %s; its values would be %s%s. If that "
        "is meant, say %s%s; if not, give it the type %s.",
        name, shoal_table_type(table, column) == SHOAL_TYPE_STRING ? "text" : "whole numbers",
        other->what, second, other->setting, tokens,
        shoal_type_name(shoal_table_type(table, column)));
}

#define LINE_WORDS 40

static const char *tell_line(char out[LINE_WORDS], int64_t line)
{
    out[0] = '\0';
    if (line > 0) {
        snprintf(out, LINE_WORDS, ", first in line %lld", (long long)line);
    }
    return out;
}

/* Of columns that are nearly numbers or dates in another form, said or not. */
static shoal_status warn_near_reading(shoal_ctx *ctx, const shoal_table *table, size_t column)
{
    shoal_i_other_reading near;
    const char *name = shoal_table_name(table, column);
    char line[LINE_WORDS];

    if (shoal_i_near_reading_find(&near, table, column)) {
        return shoal_i_warn(
            ctx, SHOAL_I_WARN_STRAY, name,
            "The column \"%.200s\" is read as text, not as %s, because of %zu of "
            "its %zu values%s: %s. Correct what is wrong and read the column by "
            "%s; if it is meant to be text, give it the type string.",
            name, near.what, near.stray_count, shoal_table_value_count(table, column),
            tell_line(line, near.stray_line),
            near.format.date ? "the value is written otherwise or is no day there is"
                             : "the value is something else",
            near.setting);
    }
    if (shoal_i_has_short_years(table, column)) {
        return shoal_i_warn(ctx, SHOAL_I_WARN_READING, name,
                            "The column \"%.200s\" is read as text; its values look like dates "
                            "whose years have two digits, which do not tell the century. Write "
                            "them with four before; if they are no dates, give it the type "
                            "string.",
                            name);
    }
    return SHOAL_OK;
}

shoal_status shoal_i_notice_reading(shoal_ctx *ctx, const shoal_table *table, size_t column)
{
    shoal_i_stray stray = {0};
    shoal_i_other_reading other;
    const char *name = shoal_table_name(table, column);
    char line[LINE_WORDS];

    if (shoal_i_other_reading_find(&other, table, column)) {
        return warn_other_reading(ctx, &other, table, column);
    }
    shoal_i_stray_find(&stray, table, column);
    if (stray.count == 0) {
        return warn_near_reading(ctx, table, column);
    }
    return shoal_i_warn(ctx, SHOAL_I_WARN_STRAY, name,
                        "The column \"%.200s\" is read as text, not as %s, because of %zu of "
                        "its %zu values%s: %s. If it is meant to be text, give it the type "
                        "string.",
                        name, stray.type == SHOAL_TYPE_DATE ? "dates" : "numbers", stray.count,
                        shoal_table_value_count(table, column), tell_line(line, stray.line),
                        stray.found);
}

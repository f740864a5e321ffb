/* How columns of text could be read: dates and numbers in another form, words for missing
 * values.
 *
 * Only what all values fit is taken, and of two formats of dates neither, unless another column
 * of the file has one of them beyond doubt. */
#include "inspect.h"

#include "../../table/other_reading.h"

#include <string.h>

static bool is_open(const shoal_spec *spec, const char *name)
{
    const shoal_i_spec_column *asked = shoal_i_spec_find_column(spec, name);

    return (!asked ||
            (asked->type == SHOAL_TYPE_AUTO && asked->plan.kind == SHOAL_I_PLAN_NONE)) &&
           !(spec->k_column && strcmp(spec->k_column, name) == 0);
}

/* Whether all values are two capitals, so that NA may be Namibia. */
static bool are_short_codes(const shoal_table *table, size_t column)
{
    size_t values = shoal_table_value_count(table, column);

    for (size_t code = 0; code < values; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(table, column, (uint32_t)code, &length);

        if (length != 2 || text[0] < 'A' || text[0] > 'Z' || text[1] < 'A' || text[1] > 'Z') {
            return false;
        }
    }
    return values > 2;
}

static void add_token(const char **tokens, size_t *count, const char *word)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(tokens[i], word) == 0) {
            return;
        }
    }
    tokens[(*count)++] = word;
}

/* The words of a column that are to be missing: all where the rest is numbers or dates, else
 * those that mean nothing else. */
static void add_words(const char **tokens, size_t *count, const shoal_table *table,
                      size_t column, bool takes_all)
{
    const char *words[SHOAL_I_MISSING_WORDS_MAX];
    size_t found = shoal_i_missing_words_list(words, table, column);

    if (found == 0 || (!takes_all && are_short_codes(table, column))) {
        return;
    }
    for (size_t i = 0; i < found; i++) {
        if (takes_all || shoal_i_missing_word_is_certain(words[i])) {
            add_token(tokens, count, words[i]);
        }
    }
}

static const char *name_sign(char sign)
{
    switch (sign) {
    case '.':
        return ".";
    case ',':
        return ",";
    case ' ':
        return "space";
    case '\'':
        return "'";
    default:
        return NULL;
    }
}

static shoal_i_column_reading make_reading(const shoal_i_other_reading *other)
{
    if (other->second) {
        return (shoal_i_column_reading){.first = other->format.date, .second = other->second};
    }
    if (other->format.date) {
        return (shoal_i_column_reading){.date_format = other->format.date,
                                        .type = SHOAL_TYPE_DATE};
    }
    return (shoal_i_column_reading){.decimal = name_sign(other->format.decimal),
                                    .thousands = name_sign(other->format.thousands)};
}

/* Values in the usual form that words for missing ones hid; said where the rest of the file has
 * another. */
static shoal_i_column_reading make_usual(shoal_type type, const shoal_spec *spec)
{
    bool is_date = type == SHOAL_TYPE_DATE;
    bool is_other = spec->decimal != 0 || spec->thousands != 0;

    return (shoal_i_column_reading){
        .type = type,
        .date_format = is_date && spec->date_format ? "YYYY-MM-DD" : NULL,
        .decimal = !is_date && is_other ? "." : NULL,
        .thousands = !is_date && is_other ? "none" : NULL,
    };
}

static bool has_format(const shoal_i_column_reading *readings, size_t count, const char *format)
{
    for (size_t i = 0; i < count; i++) {
        if (readings[i].date_format && strcmp(readings[i].date_format, format) == 0) {
            return true;
        }
    }
    return false;
}

/* Where two formats fit, that of another column of the file. */
static void settle_doubts(shoal_i_column_reading *readings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        shoal_i_column_reading *r = &readings[i];
        bool is_first = r->second && has_format(readings, count, r->first);
        bool is_second = r->second && has_format(readings, count, r->second);

        if (is_first != is_second) {
            r->date_format = is_first ? r->first : r->second;
            r->type = SHOAL_TYPE_DATE;
            r->first = NULL;
            r->second = NULL;
        }
    }
}

void shoal_i_readings_find(shoal_i_column_reading *readings, const char **tokens,
                           size_t *token_count, const shoal_table *table,
                           const shoal_spec *spec)
{
    size_t columns = shoal_table_column_count(table);
    bool may_add = spec->missing_tokens == NULL;

    *token_count = 0;
    for (size_t i = 0; i < columns; i++) {
        shoal_i_other_reading other;
        bool is_other = is_open(spec, shoal_table_name(table, i)) &&
                        shoal_i_other_reading_find(&other, table, i) &&
                        (may_add || !other.has_tokens);

        readings[i] = is_other ? make_reading(&other) : (shoal_i_column_reading){0};
        if (!may_add || !is_open(spec, shoal_table_name(table, i))) {
            continue;
        }
        shoal_type hidden = is_other ? SHOAL_TYPE_STRING : shoal_i_type_without_words(table, i);

        if (hidden != SHOAL_TYPE_STRING) {
            readings[i] = make_usual(hidden, spec);
        }
        add_words(tokens, token_count, table, i, is_other || hidden != SHOAL_TYPE_STRING);
    }
    settle_doubts(readings, columns);
}

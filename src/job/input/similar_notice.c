#include "similar_notice.h"

#include "../../base/text.h"
#include "../../base/warnings.h"
#include "columns.h"

#include <stdio.h>

#define WAYS_MAX 3
#define LIST_MAX 80

/* Some ways by names, joined as a list of a spec is. */
static void list_words(char out[LIST_MAX], unsigned ways)
{
    size_t length = 0;

    out[0] = '\0';
    for (unsigned i = 0; i < WAYS_MAX; i++) {
        if (ways & 1u << i) {
            length += (size_t)snprintf(out + length, LIST_MAX - length, "%s%s",
                                       length > 0 ? ", " : "", shoal_i_same_words[i]);
        }
    }
}

/* The same as a reader of a message would say it. */
static void list_names(char out[LIST_MAX], unsigned ways)
{
    static const char *const names[WAYS_MAX] = {"blanks", "capitals", "the form of letters"};
    const char *listed[WAYS_MAX];
    size_t count = 0;

    for (unsigned i = 0; i < WAYS_MAX; i++) {
        if (ways & 1u << i) {
            listed[count++] = names[i];
        }
    }
    shoal_i_text_list(out, LIST_MAX, listed, count);
}

/* said: the ways that do not count already; ways: those that should not. */
static shoal_status warn(shoal_ctx *ctx, const shoal_table *table, size_t column,
                         bool is_person, size_t found, unsigned said, unsigned ways)
{
    bool is_one = found == 1;
    const char *what = is_person ? "person" : "value";
    char words[LIST_MAX];
    char names[LIST_MAX];

    list_words(words, ways);
    list_names(names, ways & ~said);
    return shoal_i_warn(
        ctx, is_person ? SHOAL_I_WARN_ALIKE : SHOAL_I_WARN_SIMILAR,
        shoal_table_name(table, column),
        "%zu of the %zu %ss in the column \"%.200s\" %s from another in %s alone, and %s as %s "
        "of %s own: if %s not, say `same: [%s]` of the column, or write them in one way "
        "before.",
        found, shoal_table_value_count(table, column), what, shoal_table_name(table, column),
        is_one ? "differs" : "differ", names, is_one ? "counts" : "count",
        is_one      ? is_person ? "a person" : "a value"
        : is_person ? "persons"
                    : "values",
        is_one ? "its" : "their", is_one ? "it is" : "they are", words);
}

shoal_status shoal_i_notice_similar(shoal_ctx *ctx, const shoal_table *table,
                                    const shoal_spec *spec, bool counts_values)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < shoal_table_column_count(table); i++) {
        shoal_role role = shoal_i_column_role(spec, shoal_table_name(table, i));
        bool is_counted =
            role == SHOAL_ROLE_PERSON || (role == SHOAL_ROLE_SENSITIVE && counts_values);
        size_t found = 0;
        unsigned ways = 0;

        if (!is_counted || shoal_table_is_skipped(table, i)) {
            continue;
        }
        shoal_i_sameness same = shoal_i_column_sameness(spec, shoal_table_name(table, i));

        SHOAL_TRY(shoal_i_same_values_doubt(ctx, &found, &ways, table, i, &same));
        if (found > 0) {
            SHOAL_TRY(warn(ctx, table, i, role == SHOAL_ROLE_PERSON, found, same.ways, ways));
        }
    }
done:
    return st;
}

/* That columns were made ready, seen in the texts of a release alone. It reads what anybody
 * reads there, numbers and ranges of them, and shares nothing with what made the columns ready.
 */
#include "ready.h"

#include "../../base/text.h"

#include <math.h>
#include <string.h>

/* A multiple is one up to what doubles cannot tell. */
#define NEARLY 1e-6

typedef struct bounds {
    const char *top;
    const char *bottom;
    const char *multiple;
} bounds;

static bool is_number_right(const bounds *b, double number)
{
    double limit = 0;

    if (b->top && shoal_i_text_to_double(&limit, b->top, strlen(b->top)) && number > limit) {
        return false;
    }
    if (b->bottom && shoal_i_text_to_double(&limit, b->bottom, strlen(b->bottom)) &&
        number < limit) {
        return false;
    }
    if (b->multiple && !b->top && !b->bottom &&
        shoal_i_text_to_double(&limit, b->multiple, strlen(b->multiple))) {
        double quotient = number / limit;

        return fabs(quotient - round(quotient)) < NEARLY;
    }
    return true;
}

/* A number, or a range [a..b] of two; other texts are labels of groups. */
static bool is_text_right(const bounds *b, const char *text, size_t length)
{
    double number = 0;

    if (shoal_i_text_to_double(&number, text, length)) {
        return is_number_right(b, number);
    }
    const char *dots = length > 2 && text[0] == '[' ? strstr(text, "..") : NULL;

    if (!dots || text[length - 1] != ']') {
        return true;
    }
    const char *second = dots + 2;

    return (!shoal_i_text_to_double(&number, text + 1, (size_t)(dots - text - 1)) ||
            is_number_right(b, number)) &&
           (!shoal_i_text_to_double(&number, second, (size_t)(text + length - 1 - second)) ||
            is_number_right(b, number));
}

static size_t count_characters(const char *text, size_t length)
{
    size_t count = 0;

    for (size_t i = 0; i < length; i++) {
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return count;
}

static shoal_status reject(shoal_ctx *ctx, const char *name)
{
    return shoal_i_fail(ctx, SHOAL_EREJECTED,
                        "The release has a value in the column \"%.200s\" that was to be made "
                        "coarser before; nothing was written.",
                        name);
}

/* Prefixes and ranges of a quasi column have forms of their own; there only numbers count. */
static shoal_status verify_column(shoal_ctx *ctx, const shoal_table *release, size_t at,
                                  const shoal_i_spec_column *column)
{
    bounds b = {column->texts[SHOAL_I_COLUMN_TOP], column->texts[SHOAL_I_COLUMN_BOTTOM],
                column->role == SHOAL_ROLE_QUASI ? NULL : column->texts[SHOAL_I_COLUMN_ROUND]};
    const char *truncate = column->texts[SHOAL_I_COLUMN_TRUNCATE];
    double most = 0;
    bool is_cut = truncate && column->role != SHOAL_ROLE_QUASI &&
                  shoal_i_text_to_double(&most, truncate, strlen(truncate));

    for (size_t code = 0; code < shoal_table_value_count(release, at); code++) {
        size_t length = 0;
        const char *text = shoal_table_text(release, at, (uint32_t)code, &length);

        if (!is_text_right(&b, text, length) ||
            (is_cut && (double)count_characters(text, length) > most)) {
            return reject(ctx, column->name);
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_i_ready_verify(shoal_ctx *ctx, const shoal_table *release,
                                  const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_spec_column *column = &spec->columns[i];
        ptrdiff_t at = shoal_table_find(release, column->name);

        if (at >= 0 && shoal_i_is_made_ready(column) &&
            !shoal_table_is_skipped(release, (size_t)at)) {
            SHOAL_TRY(verify_column(ctx, release, (size_t)at, column));
        }
    }
done:
    return st;
}

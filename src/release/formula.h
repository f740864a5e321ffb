/* formula.h -- texts that a spreadsheet takes for formulas and runs when it opens a file.
 *
 * They begin with = + - or @ (or a tab or carriage return, which some skip) and are no numbers:
 *
 *     =HYPERLINK("http://...")    +49 171 55    @SUM(A1)    -x         but not -5, +1e3
 *
 * Behind an apostrophe, '=..., they are texts, to a spreadsheet and to readers of releases.
 */
#ifndef SHOAL_I_FORMULA_H
#define SHOAL_I_FORMULA_H

#include "../base/text.h"

#include <string.h>

#define SHOAL_I_FORMULA_GUARD '\''

static inline bool shoal_i_is_formula(const char *text, size_t length)
{
    double number = 0;

    return length > 0 && strchr("=+-@\t\r", text[0]) && text[0] != '\0' &&
           !shoal_i_text_to_double(&number, text, length);
}

/* Whether a text is a formula behind its guard. */
static inline bool shoal_i_is_guarded(const char *text, size_t length)
{
    return length > 1 && text[0] == SHOAL_I_FORMULA_GUARD &&
           shoal_i_is_formula(text + 1, length - 1);
}

#endif /* SHOAL_I_FORMULA_H */

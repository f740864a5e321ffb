/* codes_nuts.c -- regions of Europe by NUTS: DE212, DE21, DE2, the country.
 *
 * Source: Regulation (EC) No 1059/2003 on a common classification of territorial units for
 * statistics, and Eurostat's list of statistical regions of EFTA and candidate countries; the
 * United Kingdom is there up to NUTS 2021. A code is that of a country, in which Greece is EL
 * and the United Kingdom UK, and up to three digits or letters. Which regions a country has
 * changes every few years and is not checked.
 */
#include "codes.h"

#include <string.h>

#define COUNTRY 2 /* letters */
#define LONGEST 5

static const struct {
    char code[COUNTRY + 1];
    const char *name;
} countries[] = {
    /* European Union */
    {"AT", "Austria"},
    {"BE", "Belgium"},
    {"BG", "Bulgaria"},
    {"CY", "Cyprus"},
    {"CZ", "Czechia"},
    {"DE", "Germany"},
    {"DK", "Denmark"},
    {"EE", "Estonia"},
    {"EL", "Greece"},
    {"ES", "Spain"},
    {"FI", "Finland"},
    {"FR", "France"},
    {"HR", "Croatia"},
    {"HU", "Hungary"},
    {"IE", "Ireland"},
    {"IT", "Italy"},
    {"LT", "Lithuania"},
    {"LU", "Luxembourg"},
    {"LV", "Latvia"},
    {"MT", "Malta"},
    {"NL", "Netherlands"},
    {"PL", "Poland"},
    {"PT", "Portugal"},
    {"RO", "Romania"},
    {"SE", "Sweden"},
    {"SI", "Slovenia"},
    {"SK", "Slovakia"},
    /* EFTA */
    {"CH", "Switzerland"},
    {"IS", "Iceland"},
    {"LI", "Liechtenstein"},
    {"NO", "Norway"},
    /* candidates */
    {"AL", "Albania"},
    {"BA", "Bosnia and Herzegovina"},
    {"ME", "Montenegro"},
    {"MK", "North Macedonia"},
    {"RS", "Serbia"},
    {"TR", "Türkiye"},
    {"XK", "Kosovo"},
    {"UK", "United Kingdom"},
};

static const char *find_country(const char *code)
{
    for (size_t i = 0; i < sizeof countries / sizeof *countries; i++) {
        if (memcmp(countries[i].code, code, COUNTRY) == 0) {
            return countries[i].name;
        }
    }
    return NULL;
}

bool shoal_i_code_find_nuts(shoal_i_code_groups *out, const char *text, size_t length)
{
    char code[LONGEST + 1] = {0};

    out->count = 0;
    text = shoal_i_code_trim(text, &length);
    if (length < COUNTRY || length > LONGEST) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        code[i] = shoal_i_code_upper(text[i]);
        if (!(code[i] >= 'A' && code[i] <= 'Z') &&
            !(i >= COUNTRY && code[i] >= '0' && code[i] <= '9')) {
            return false;
        }
    }
    const char *country = find_country(code);

    if (!country) {
        return false;
    }
    shoal_i_code_groups_add(out, country, strlen(country));
    for (size_t level = COUNTRY + 1; level <= length; level++) {
        shoal_i_code_groups_add(out, code, level);
    }
    return true;
}

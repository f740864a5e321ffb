#include "codes.h"

#include <string.h>

const shoal_i_code_system shoal_i_code_systems[] = {
    {"icd10", "codes of ICD-10", "diagnoses: A15.0 -> A15 -> A15-A19 -> A00-B99",
     shoal_i_code_find_icd10},
    {"countries", "countries of ISO 3166", "DE, DEU or Germany -> Western Europe -> Europe",
     shoal_i_code_find_country},
    {"nuts", "codes of NUTS", "regions of Europe: DE212 -> DE21 -> DE2 -> Germany",
     shoal_i_code_find_nuts},
    {"isco", "codes of ISCO-08", "occupations: 2221 -> 222 -> 22 -> 2 Professionals",
     shoal_i_code_find_isco},
    {0},
};

const shoal_i_code_system *shoal_i_code_system_find(const char *name, size_t length)
{
    for (const shoal_i_code_system *s = shoal_i_code_systems; s->name; s++) {
        if (strlen(s->name) == length && memcmp(s->name, name, length) == 0) {
            return s;
        }
    }
    return NULL;
}

const char *shoal_i_code_trim(const char *text, size_t *length)
{
    while (*length > 0 && text[*length - 1] == ' ') {
        --*length;
    }
    while (*length > 0 && text[0] == ' ') {
        text++;
        --*length;
    }
    return text;
}

void shoal_i_code_groups_add(shoal_i_code_groups *groups, const char *label, size_t length)
{
    char *to = groups->labels[groups->count++];

    length = length < SHOAL_I_CODE_LABEL_MAX - 1 ? length : SHOAL_I_CODE_LABEL_MAX - 1;
    memcpy(to, label, length);
    to[length] = '\0';
}

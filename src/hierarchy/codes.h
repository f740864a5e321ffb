/* codes.h -- systems of codes whose groups are known, so that no file has to be written for
 * them.
 *
 *     icd10       A15.0 -> A15 -> A15-A19 -> A00-B99
 *     countries   DE, DEU, Germany -> Western Europe -> Europe
 *     nuts        DE212 -> DE21 -> DE2 -> Germany
 *     isco        2221 -> 222 -> 22 -> 2 Professionals
 *
 * A system is a function from a text to the labels of its groups. It knows nothing of trees:
 * build_codes.c draws one from what it says of each value, and who wants to know whether a
 * column holds such codes asks it value by value. A new system is a file and a row of the
 * table.
 */
#ifndef SHOAL_I_CODES_H
#define SHOAL_I_CODES_H

#include <stdbool.h>
#include <stddef.h>

#define SHOAL_I_CODE_GROUPS_MAX 4
#define SHOAL_I_CODE_LABEL_MAX 64

/* The groups that a code is in, from coarse to fine, without the root. */
typedef struct shoal_i_code_groups {
    size_t count;
    char labels[SHOAL_I_CODE_GROUPS_MAX][SHOAL_I_CODE_LABEL_MAX];
} shoal_i_code_groups;

typedef struct shoal_i_code_system {
    const char *name;  /* as specs spell it */
    const char *codes; /* what its values are, for messages: "codes of ICD-10" */
    const char *help;  /* one line */
    /* Find the groups of a text; false when it is no code of the system. */
    bool (*find)(shoal_i_code_groups *out, const char *text, size_t length);
} shoal_i_code_system;

/* The table; behind the last one is a row without a name. */
extern const shoal_i_code_system shoal_i_code_systems[];

/* The system of a name, which ends after length bytes; NULL when there is none. */
const shoal_i_code_system *shoal_i_code_system_find(const char *name, size_t length);

/* A letter from a to z as a capital; what else it is stays. */
static inline char shoal_i_code_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Leave out spaces around a text. */
const char *shoal_i_code_trim(const char *text, size_t *length);

/* One more group, below those that are there. It is cut when it is longer than a label. */
void shoal_i_code_groups_add(shoal_i_code_groups *groups, const char *label, size_t length);

/* The systems, each in a file with its facts. */
bool shoal_i_code_find_country(shoal_i_code_groups *out, const char *text, size_t length);
bool shoal_i_code_find_icd10(shoal_i_code_groups *out, const char *text, size_t length);
bool shoal_i_code_find_isco(shoal_i_code_groups *out, const char *text, size_t length);
bool shoal_i_code_find_nuts(shoal_i_code_groups *out, const char *text, size_t length);

#endif /* SHOAL_I_CODES_H */

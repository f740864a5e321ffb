#include "column_names.h"

#include <string.h>

#define NAME_MAX_LENGTH 256
#define WORDS_MAX 24
#define RECORDS_PER_PERSON_MAX 20 /* on average */

/* --- Words of a name. ------------------------------------------------------------------- */

/* Small letters without accents, words separated by NUL. */
typedef struct words {
    char text[2 * NAME_MAX_LENGTH];
    const char *word[WORDS_MAX];
    size_t count;
} words;

typedef enum letter_kind { SIGN, SMALL, CAPITAL, DIGIT } letter_kind;

/* À to ß and, 32 further on, à to ÿ. */
static const char folded[] = "aaaaaaaceeeeiiiidnooooo ouuuuyts";

/* The next character of UTF-8, as one letter of a to z or a digit; others are signs. *second is
 * that of ß, æ and œ. */
static letter_kind read_letter(const char **name, char *letter, char *second)
{
    unsigned char c = (unsigned char)*(*name)++;

    *second = '\0';
    *letter = (char)c;
    if (c >= 'a' && c <= 'z') {
        return SMALL;
    }
    if (c >= 'A' && c <= 'Z') {
        *letter = (char)(c - 'A' + 'a');
        return CAPITAL;
    }
    if (c >= '0' && c <= '9') {
        return DIGIT;
    }
    unsigned char next = (unsigned char)**name;

    while (((unsigned char)**name & 0xC0) == 0x80) {
        (*name)++;
    }
    if (c == 0xC5 && (next == 0x92 || next == 0x93)) {
        *letter = 'o';
        *second = 'e';
        return SMALL;
    }
    if (c != 0xC3 || folded[next & 31] == ' ') {
        return SIGN;
    }
    *letter = folded[next & 31];
    *second = next == 0x9F ? 's' : (next & 31) == 6 ? 'e' : '\0';
    return next < 0x9F ? CAPITAL : SMALL;
}

/* Whether a word begins between two characters; the second of them is followed by `after`. */
static bool begins_word(letter_kind before, letter_kind kind, letter_kind after)
{
    return before == SIGN || (before == DIGIT) != (kind == DIGIT) ||
           (kind == CAPITAL && (before == SMALL || (before == CAPITAL && after == SMALL)));
}

static void split(words *out, const char *name)
{
    letter_kind before = SIGN;
    size_t size = 0;

    out->count = 0;
    while (*name && size + 4 < sizeof out->text) {
        char letter = '\0';
        char second = '\0';
        char ignored = '\0';
        letter_kind kind = read_letter(&name, &letter, &second);
        const char *ahead = name;
        letter_kind after = *name ? read_letter(&ahead, &ignored, &ignored) : SIGN;

        if (kind != SIGN && begins_word(before, kind, after)) {
            if (out->count == WORDS_MAX) {
                break;
            }
            out->text[size++] = '\0';
            out->word[out->count++] = out->text + size;
        }
        if (kind != SIGN) {
            out->text[size++] = letter;
        }
        if (kind != SIGN && second) {
            out->text[size++] = second;
        }
        before = kind;
    }
    out->text[size] = '\0';
}

/* --- Looking up. ------------------------------------------------------------------------ */

/* A pattern of some bytes on a word: stars at its ends, question marks within. */
static bool fits_at(const char *pattern, size_t length, const char *word)
{
    for (size_t i = 0; i < length; i++) {
        if (word[i] == '\0' || (pattern[i] != '?' && pattern[i] != word[i])) {
            return false;
        }
    }
    return true;
}

static bool fits(const char *pattern, size_t length, const char *word)
{
    bool opens = length > 0 && pattern[0] == '*';
    bool ends_open = length > 1 && pattern[length - 1] == '*';
    size_t size = strlen(word);

    pattern += opens;
    length -= (size_t)opens + (size_t)ends_open;
    if (size < length || (!opens && !ends_open && size != length)) {
        return false;
    }
    size_t last = opens ? size - length : 0;

    for (size_t at = opens && !ends_open ? last : 0; at <= last; at++) {
        if (fits_at(pattern, length, word + at)) {
            return true;
        }
    }
    return false;
}

static bool any_fits(const char *pattern, size_t length, const words *name)
{
    if (pattern[0] == '=') {
        return name->count == 1 && fits(pattern + 1, length - 1, name->word[0]);
    }
    for (size_t i = 0; i < name->count; i++) {
        if (fits(pattern, length, name->word[i])) {
            return true;
        }
    }
    return false;
}

/* "a+b": all of them. */
static bool holds_phrase(const char *phrase, size_t length, const words *name)
{
    const char *end = phrase + length;

    while (phrase < end) {
        const char *plus = memchr(phrase, '+', (size_t)(end - phrase));
        size_t size = (size_t)((plus ? plus : end) - phrase);

        if (!any_fits(phrase, size, name)) {
            return false;
        }
        phrase += size + 1;
    }
    return true;
}

/* Whether a phrase is worth a look: nearly all begin with a letter that begins no word. */
static bool may_hold(const char *phrase, const words *name)
{
    for (size_t i = 0; i < name->count; i++) {
        if (phrase[0] == name->word[i][0]) {
            return true;
        }
    }
    return phrase[0] == '*' || phrase[0] == '?' || phrase[0] == '=';
}

static bool holds_any(const char *list, const words *name)
{
    while (*list) {
        const char *end = list;

        while (*end && *end != ' ') {
            end++;
        }
        if (end > list && may_hold(list, name) &&
            holds_phrase(list, (size_t)(end - list), name)) {
            return true;
        }
        list = *end ? end + 1 : end;
    }
    return false;
}

static shoal_i_meanings find_meanings(const words *name)
{
    shoal_i_meanings set = 0;

    for (size_t meaning = 1; meaning < SHOAL_I_MEANINGS; meaning++) {
        if (holds_any(shoal_i_name_words[meaning], name)) {
            set |= UINT64_C(1) << meaning;
        }
    }
    return set;
}

shoal_i_meanings shoal_i_name_meanings(const char *name)
{
    words w;

    split(&w, name);
    return find_meanings(&w);
}

shoal_i_meaning shoal_i_first_meaning(shoal_i_meanings set)
{
    for (int meaning = 1; meaning < SHOAL_I_MEANINGS; meaning++) {
        if (shoal_i_means(set, (shoal_i_meaning)meaning)) {
            return (shoal_i_meaning)meaning;
        }
    }
    return SHOAL_I_MEANS_NOTHING;
}

/* --- What meanings are. ----------------------------------------------------------------- */

static const struct {
    shoal_role role;
    const char *words;
} facts_of[SHOAL_I_MEANINGS] = {
    [SHOAL_I_MEANS_NOTHING] = {SHOAL_ROLE_QUASI, "nothing known"},
    [SHOAL_I_MEANS_SURVEY_WEIGHT] = {SHOAL_ROLE_INSENSITIVE, "a weight of a survey"},
    [SHOAL_I_MEANS_CONTACT] = {SHOAL_ROLE_IDENTIFIER, "a way to reach somebody"},
    [SHOAL_I_MEANS_OFFICIAL] = {SHOAL_ROLE_IDENTIFIER, "an official number"},
    [SHOAL_I_MEANS_NAME] = {SHOAL_ROLE_IDENTIFIER, "somebody's name"},
    [SHOAL_I_MEANS_ADDRESS] = {SHOAL_ROLE_IDENTIFIER, "an address"},
    [SHOAL_I_MEANS_REMARK] = {SHOAL_ROLE_IDENTIFIER, "a remark"},
    [SHOAL_I_MEANS_AGE] = {SHOAL_ROLE_QUASI, "an age"},
    [SHOAL_I_MEANS_DIAGNOSIS] = {SHOAL_ROLE_SENSITIVE, "a diagnosis or death"},
    [SHOAL_I_MEANS_POSTAL] = {SHOAL_ROLE_QUASI, "a postal code"},
    [SHOAL_I_MEANS_COUNTRY] = {SHOAL_ROLE_QUASI, "a country"},
    [SHOAL_I_MEANS_BODY] = {SHOAL_ROLE_QUASI, "what one can see of somebody"},
    [SHOAL_I_MEANS_PLACE] = {SHOAL_ROLE_QUASI, "a place"},
    [SHOAL_I_MEANS_POSITION] = {SHOAL_ROLE_QUASI, "a position on the map"},
    [SHOAL_I_MEANS_BIRTH] = {SHOAL_ROLE_QUASI, "a birth"},
    [SHOAL_I_MEANS_SEX] = {SHOAL_ROLE_QUASI, "a sex"},
    [SHOAL_I_MEANS_ORIGIN] = {SHOAL_ROLE_QUASI, "an origin"},
    [SHOAL_I_MEANS_MARITAL] = {SHOAL_ROLE_QUASI, "a marital status"},
    [SHOAL_I_MEANS_FAMILY] = {SHOAL_ROLE_QUASI, "a family"},
    [SHOAL_I_MEANS_HOUSING] = {SHOAL_ROLE_QUASI, "housing"},
    [SHOAL_I_MEANS_MONEY] = {SHOAL_ROLE_SENSITIVE, "money"},
    [SHOAL_I_MEANS_OPINION] = {SHOAL_ROLE_SENSITIVE, "belief or opinion"},
    [SHOAL_I_MEANS_INSTITUTION] = {SHOAL_ROLE_QUASI, "who looks after somebody, or where"},
    [SHOAL_I_MEANS_EDUCATION] = {SHOAL_ROLE_QUASI, "an education"},
    [SHOAL_I_MEANS_LANGUAGE] = {SHOAL_ROLE_QUASI, "a language"},
    [SHOAL_I_MEANS_HEALTH] = {SHOAL_ROLE_SENSITIVE, "health"},
    [SHOAL_I_MEANS_OCCUPATION] = {SHOAL_ROLE_QUASI, "work"},
    [SHOAL_I_MEANS_OFFENCE] = {SHOAL_ROLE_SENSITIVE, "an offence"},
    [SHOAL_I_MEANS_RESULT] = {SHOAL_ROLE_SENSITIVE, "a result"},
    [SHOAL_I_MEANS_DATE] = {SHOAL_ROLE_QUASI, "a date"},
    [SHOAL_I_MEANS_CALLED] = {SHOAL_ROLE_IDENTIFIER, "a name"},
    [SHOAL_I_MEANS_ID] = {SHOAL_ROLE_IDENTIFIER, "an identifier"},
    [SHOAL_I_MEANS_NUMBER] = {SHOAL_ROLE_IDENTIFIER, "a number of records or people"},
    [SHOAL_I_MEANS_TECHNICAL] = {SHOAL_ROLE_INSENSITIVE, "how the file was made"},
    [SHOAL_I_MEANS_PERSON] = {SHOAL_ROLE_IDENTIFIER, "a person"},
};

shoal_role shoal_i_meaning_role(shoal_i_meaning meaning)
{
    return facts_of[meaning].role;
}

const char *shoal_i_meaning_words(shoal_i_meaning meaning)
{
    return facts_of[meaning].words;
}

/* --- Questions. ------------------------------------------------------------------------- */

/* A meaning that alone tells who it is. */
static bool is_strong(shoal_i_meaning meaning)
{
    return meaning == SHOAL_I_MEANS_CONTACT || meaning == SHOAL_I_MEANS_OFFICIAL ||
           meaning == SHOAL_I_MEANS_NAME || meaning == SHOAL_I_MEANS_ADDRESS;
}

/* One that does where values hardly repeat. */
static bool is_weak(shoal_i_meaning meaning)
{
    return meaning == SHOAL_I_MEANS_CALLED || meaning == SHOAL_I_MEANS_ID ||
           meaning == SHOAL_I_MEANS_NUMBER || meaning == SHOAL_I_MEANS_PERSON;
}

bool shoal_i_names_identifier(const char *name, size_t distinct, size_t records)
{
    words w;

    split(&w, name);
    shoal_i_meanings set = find_meanings(&w);
    shoal_i_meaning meaning = shoal_i_first_meaning(set);
    bool hardly_repeats = distinct > records / 2;
    bool is_alone =
        w.count == 1 && (meaning == SHOAL_I_MEANS_CALLED || meaning == SHOAL_I_MEANS_ID);

    return distinct > 1 &&
           (is_strong(meaning) || (is_weak(meaning) && (hardly_repeats || is_alone)));
}

bool shoal_i_names_person(const char *name)
{
    shoal_i_meanings set = shoal_i_name_meanings(name);
    shoal_i_meaning meaning = shoal_i_first_meaning(set);

    return meaning == SHOAL_I_MEANS_OFFICIAL || meaning == SHOAL_I_MEANS_ID ||
           meaning == SHOAL_I_MEANS_PERSON ||
           (meaning == SHOAL_I_MEANS_NUMBER && shoal_i_means(set, SHOAL_I_MEANS_PERSON));
}

bool shoal_i_seems_person(const char *name, size_t distinct, size_t missing, size_t records)
{
    return distinct > 1 && distinct + missing < records &&
           distinct >= records / RECORDS_PER_PERSON_MAX && shoal_i_names_person(name);
}

bool shoal_i_names_sensitive(const char *name)
{
    shoal_i_meaning meaning = shoal_i_first_meaning(shoal_i_name_meanings(name));

    return meaning != SHOAL_I_MEANS_NOTHING &&
           shoal_i_meaning_role(meaning) == SHOAL_ROLE_SENSITIVE;
}

bool shoal_i_names_quasi(const char *name)
{
    shoal_i_meaning meaning = shoal_i_first_meaning(shoal_i_name_meanings(name));

    return meaning != SHOAL_I_MEANS_NOTHING && meaning != SHOAL_I_MEANS_INSTITUTION &&
           meaning != SHOAL_I_MEANS_HOUSING &&
           shoal_i_meaning_role(meaning) == SHOAL_ROLE_QUASI;
}

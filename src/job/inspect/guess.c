/* What a column seems to be: by its values where they cannot be mistaken, then by its name,
 * then by how its values repeat.
 *
 * Guesses err on the side of caution: what could point at a person is taken for a
 * quasi-identifier, what may tell anything for an identifier. They are a start for whoever
 * knows the data, never a decision. */
#include "inspect.h"

#include "../../hierarchy/codes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FEW 20           /* values of a column about the file itself, or of a nominal code */
#define COUNTED_LEAST 20 /* records without which nothing can be said to count them */
#define LONG_NUMBER 6    /* digits of numbers that nobody counts or measures */
#define CODED_VALUES 12  /* of a question with answers 1, 2, 3 */
#define RANGE_LEAST 20   /* of whole numbers that are worth intervals */
#define VALUES_LEAST 10
#define SHARING_LEAST 10 /* people who share a value on average, so that it tells of none */
#define LONG_PERIOD 730  /* days */

/* Nine in ten records have a value of their own. */
static bool is_nearly_unique(const shoal_i_column_facts *facts, size_t records)
{
    return records > 1 && facts->once >= records - records / 10;
}

static bool is_number(const shoal_i_column_facts *facts)
{
    return facts->type == SHOAL_TYPE_INTEGER || facts->type == SHOAL_TYPE_REAL;
}

static void set(shoal_i_column_facts *facts, shoal_role role, shoal_i_evidence evidence,
                const char *note)
{
    facts->role = role;
    facts->evidence = evidence;
    snprintf(facts->note, sizeof facts->note, "%s", note);
}

static void add_note(shoal_i_column_facts *facts, const char *more)
{
    size_t length = strlen(facts->note);

    snprintf(facts->note + length, sizeof facts->note - length, "%s%s", length > 0 ? "; " : "",
             more);
}

/* --- Roles. ----------------------------------------------------------------------------- */

/* Whether the values speak for it before the name is asked. */
static bool guess_by_values(shoal_i_column_facts *facts, size_t records)
{
    char note[SHOAL_I_NOTE_MAX];

    if (facts->distinct <= 1 && records > 1) {
        set(facts, SHOAL_ROLE_INSENSITIVE, SHOAL_I_BY_VALUES,
            facts->distinct == 0 ? "no values at all" : "the same value everywhere");
        return true;
    }
    switch (facts->kind.role) {
    case SHOAL_I_VALUES_CONTACT:
    case SHOAL_I_VALUES_OFFICIAL:
        snprintf(note, sizeof note, "its values are %s", facts->kind.what);
        set(facts, SHOAL_ROLE_IDENTIFIER, SHOAL_I_BY_VALUES, note);
        return true;
    case SHOAL_I_VALUES_TEXT:
        set(facts, SHOAL_ROLE_IDENTIFIER, SHOAL_I_BY_VALUES,
            "free text, which may tell anything");
        return true;
    case SHOAL_I_VALUES_DIAGNOSIS:
        set(facts, SHOAL_ROLE_SENSITIVE, SHOAL_I_BY_VALUES, "its values are codes of ICD-10");
        return true;
    case SHOAL_I_VALUES_AMOUNT:
        set(facts, SHOAL_ROLE_SENSITIVE, SHOAL_I_BY_VALUES, "its values are bands of amounts");
        return true;
    default:
        return false;
    }
}

/* Whether values can be what a name says. */
static bool is_plausible(const shoal_i_column_facts *facts, shoal_i_meaning meaning,
                         size_t records)
{
    switch (meaning) {
    case SHOAL_I_MEANS_SURVEY_WEIGHT:
    case SHOAL_I_MEANS_POSITION:
        return is_number(facts);
    case SHOAL_I_MEANS_REMARK:
        return facts->type == SHOAL_TYPE_STRING && facts->distinct > FEW;
    case SHOAL_I_MEANS_CALLED:
    case SHOAL_I_MEANS_ID:
    case SHOAL_I_MEANS_NUMBER:
    case SHOAL_I_MEANS_PERSON:
        return is_nearly_unique(facts, records) ||
               (facts->type != SHOAL_TYPE_REAL &&
                shoal_i_names_identifier(facts->name, facts->distinct, records));
    case SHOAL_I_MEANS_TECHNICAL:
        return facts->distinct <= FEW;
    case SHOAL_I_MEANS_POSTAL: /* of three characters at least */
        return facts->type == SHOAL_TYPE_INTEGER
                   ? facts->most >= 100
                   : facts->text_length == 0 || facts->text_length >= 3;
    case SHOAL_I_MEANS_OFFICIAL:
    case SHOAL_I_MEANS_CONTACT:
    case SHOAL_I_MEANS_NAME:
    case SHOAL_I_MEANS_ADDRESS:
        return facts->distinct > 2; /* has_phone: yes, no */
    default:
        return true;
    }
}

/* The id of a loan is an id, whatever loans are, where each record has one of its own. */
static shoal_i_meanings prefer_ids(const shoal_i_column_facts *facts, shoal_i_meanings meanings,
                                   size_t records)
{
    bool is_id = shoal_i_means(meanings, SHOAL_I_MEANS_ID) ||
                 shoal_i_means(meanings, SHOAL_I_MEANS_NUMBER);

    return is_id && facts->type != SHOAL_TYPE_REAL && is_nearly_unique(facts, records)
               ? UINT64_C(1) << SHOAL_I_MEANS_ID
               : meanings;
}

static bool guess_by_name(shoal_i_column_facts *facts, size_t records)
{
    shoal_i_meanings meanings = prefer_ids(facts, shoal_i_name_meanings(facts->name), records);
    shoal_i_meaning meaning = SHOAL_I_MEANS_NOTHING;
    char note[SHOAL_I_NOTE_MAX];

    if (facts->type == SHOAL_TYPE_DATE) {
        bool is_birth = shoal_i_means(meanings, SHOAL_I_MEANS_BIRTH);

        facts->meaning = is_birth ? SHOAL_I_MEANS_BIRTH : SHOAL_I_MEANS_DATE;
        set(facts, SHOAL_ROLE_QUASI, SHOAL_I_BY_VALUES,
            is_birth ? "dates of birth" : "dates, which others may know");
        return true;
    }
    for (meaning = shoal_i_first_meaning(meanings);
         meaning != SHOAL_I_MEANS_NOTHING && !is_plausible(facts, meaning, records);
         meaning = shoal_i_first_meaning(meanings)) {
        meanings &= ~(UINT64_C(1) << meaning);
    }
    if (meaning == SHOAL_I_MEANS_NOTHING) {
        return false;
    }
    facts->meaning = meaning;
    snprintf(note, sizeof note, "the name says %s", shoal_i_meaning_words(meaning));
    set(facts, shoal_i_meaning_role(meaning), SHOAL_I_BY_NAME, note);
    return true;
}

/* Whole numbers that count the records, or are as long as no count or amount is by chance. */
static bool is_numbering(const shoal_i_column_facts *facts, size_t records)
{
    double span = facts->most - facts->least + 1;

    return facts->type == SHOAL_TYPE_INTEGER && records >= COUNTED_LEAST &&
           is_nearly_unique(facts, records) &&
           (span <= 1.1 * (double)records || facts->text_length >= LONG_NUMBER);
}

static void guess_by_repeats(shoal_i_column_facts *facts, size_t records)
{
    if (facts->kind.role == SHOAL_I_VALUES_POSTAL) {
        facts->meaning = SHOAL_I_MEANS_POSTAL;
        set(facts, SHOAL_ROLE_QUASI, SHOAL_I_BY_VALUES, "its values are postal codes");
    } else if (facts->type == SHOAL_TYPE_STRING && is_nearly_unique(facts, records)) {
        set(facts, SHOAL_ROLE_IDENTIFIER, SHOAL_I_BY_VALUES,
            "nearly every record has a value of its own");
    } else if (is_numbering(facts, records)) {
        set(facts, SHOAL_ROLE_IDENTIFIER, SHOAL_I_BY_VALUES, "it numbers the records");
    } else if (facts->type == SHOAL_TYPE_REAL && facts->distinct > FEW) {
        set(facts, SHOAL_ROLE_SENSITIVE, SHOAL_I_BY_VALUES,
            "measured; if others may know it, it is quasi");
    } else {
        set(facts, SHOAL_ROLE_QUASI, SHOAL_I_BY_NOTHING,
            "could others know it? if not, it is insensitive");
    }
}

/* How much a column looks like the number of a person; 0: not at all. */
static int rate_person(const shoal_i_column_facts *facts, size_t records)
{
    shoal_i_meanings meanings = shoal_i_name_meanings(facts->name);
    bool is_official = facts->kind.role == SHOAL_I_VALUES_OFFICIAL;
    bool comes_back = facts->distinct > 1 && facts->distinct + facts->missing < records;

    if (facts->is_given || !comes_back ||
        (facts->role != SHOAL_ROLE_IDENTIFIER && facts->evidence == SHOAL_I_BY_NAME)) {
        return 0;
    }
    if (shoal_i_seems_person(facts->name, facts->distinct, facts->missing, records)) {
        return shoal_i_means(meanings, SHOAL_I_MEANS_PERSON)     ? 4
               : shoal_i_means(meanings, SHOAL_I_MEANS_OFFICIAL) ? 3
                                                                 : 1;
    }
    return is_official && strcmp(facts->kind.what, "IBANs") != 0 ? 2 : 0;
}

/* The one that looks most like it, the first of several; NULL: none does, or one was given. */
static shoal_i_column_facts *find_person(shoal_i_column_facts *columns, size_t count,
                                         size_t records)
{
    shoal_i_column_facts *person = NULL;
    int best = 0;

    for (size_t i = 0; i < count; i++) {
        int rating = rate_person(&columns[i], records);

        if (columns[i].is_given && columns[i].role == SHOAL_ROLE_PERSON) {
            return NULL;
        }
        if (rating > best) {
            best = rating;
            person = &columns[i];
        }
    }
    return person;
}

void shoal_i_inspect_guess_person(shoal_i_column_facts *columns, size_t count, size_t records)
{
    shoal_i_column_facts *person = find_person(columns, count, records);

    for (size_t i = 0; i < count; i++) {
        shoal_i_column_facts *facts = &columns[i];

        if (facts == person) {
            set(facts, SHOAL_ROLE_PERSON, facts->evidence,
                "comes back: whose record is it? persons are counted then");
        } else if (facts->role == SHOAL_ROLE_QUASI && rate_person(facts, records) > 0) {
            set(facts, SHOAL_ROLE_IDENTIFIER, SHOAL_I_BY_NAME,
                "numbers people, or what they have to do with");
        }
    }
}

/* --- Types and hierarchies. ------------------------------------------------------------- */

/* Numbers that are answers of a list or parts of a code, so that a range of them says nothing.
 */
static bool is_nominal(const shoal_i_column_facts *facts)
{
    switch (facts->meaning) {
    case SHOAL_I_MEANS_SEX:
    case SHOAL_I_MEANS_MARITAL:
    case SHOAL_I_MEANS_POSTAL:
    case SHOAL_I_MEANS_COUNTRY:
    case SHOAL_I_MEANS_PLACE:
    case SHOAL_I_MEANS_ORIGIN:
    case SHOAL_I_MEANS_LANGUAGE:
        return true;
    case SHOAL_I_MEANS_INSTITUTION:
    case SHOAL_I_MEANS_OCCUPATION:
        return facts->distinct <= CODED_VALUES || facts->text_length >= 3;
    default:
        return false;
    }
}

/* 1, 2 or 5 with noughts, not below a number above 0. */
static double round_step(double number)
{
    double unit = pow(10, floor(log10(number)));
    double steps[] = {1, 2, 5, 10};
    size_t i = 0;

    while (i < 3 && steps[i] * unit < number * (1 - 1e-9)) {
        i++;
    }
    return steps[i] * unit;
}

/* Ranges of any length keep most; where few people share a value, their ends are rounded, since
 * they would tell it. Of intervals that are all alike the first is a twentieth of the whole. */
static void propose_ranges(shoal_i_column_facts *facts, size_t people, bool has_ranges)
{
    double range = facts->most - facts->least;
    bool is_whole = facts->type == SHOAL_TYPE_INTEGER;

    if (facts->distinct < VALUES_LEAST || !isfinite(range) || range <= 0 ||
        (is_whole && range < RANGE_LEAST)) {
        return;
    }
    double step = facts->meaning == SHOAL_I_MEANS_AGE && is_whole ? 5 : round_step(range / 20);

    snprintf(facts->instead, sizeof facts->instead, "widths:%.15g,%.15g,%.15g", step, 2 * step,
             4 * step);
    if (has_ranges && people < SHARING_LEAST * facts->distinct) {
        snprintf(facts->grid, sizeof facts->grid, "%.15g", step);
    }
}

static void propose_periods(shoal_i_column_facts *facts, bool has_ranges)
{
    bool is_long = facts->most - facts->least > LONG_PERIOD;

    snprintf(facts->instead, sizeof facts->instead, "dates");
    if (has_ranges) {
        snprintf(facts->grid, sizeof facts->grid, "%s", is_long ? "1 month" : "1 week");
    }
}

static void propose_prefix(shoal_i_column_facts *facts)
{
    if (facts->text_length > 1 && facts->text_length < SHOAL_LEVELS_MAX) {
        snprintf(facts->hierarchy, sizeof facts->hierarchy, "prefix:%zu", facts->text_length);
    } else {
        snprintf(facts->hierarchy, sizeof facts->hierarchy, "prefix");
    }
    add_note(facts, "masked from the right");
}

/* Whether the name allows a system of codes. Occupations of one digit or two are answers of a
 * list as often as groups of ISCO; regions of NUTS are longer than the code of a country. */
static bool allows_system(const shoal_i_column_facts *facts, const char *system)
{
    if (strcmp(system, "icd10") == 0) {
        return facts->meaning == SHOAL_I_MEANS_DIAGNOSIS ||
               facts->meaning == SHOAL_I_MEANS_HEALTH ||
               facts->kind.role == SHOAL_I_VALUES_DIAGNOSIS;
    }
    if (strcmp(system, "countries") == 0) {
        return facts->meaning == SHOAL_I_MEANS_COUNTRY || facts->meaning == SHOAL_I_MEANS_BIRTH;
    }
    if (strcmp(system, "nuts") == 0) {
        return facts->meaning == SHOAL_I_MEANS_PLACE && facts->text_length != 2;
    }
    return strcmp(system, "isco") == 0 && facts->meaning == SHOAL_I_MEANS_OCCUPATION &&
           facts->text_length >= 3;
}

/* The hierarchy of a system of codes that knows the values. */
static bool propose_codes(shoal_i_column_facts *facts)
{
    for (unsigned s = 0; shoal_i_code_systems[s].name; s++) {
        const shoal_i_code_system *system = &shoal_i_code_systems[s];
        bool is_complete = (facts->codes.complete >> s & 1) != 0;
        char note[SHOAL_I_NOTE_MAX];

        if ((facts->codes.systems >> s & 1) == 0 || !allows_system(facts, system->name)) {
            continue;
        }
        snprintf(facts->hierarchy, sizeof facts->hierarchy, "%s%s", system->name,
                 is_complete ? "" : ":other");
        snprintf(note, sizeof note, "%s%s", is_complete ? "" : "nearly all ", system->codes);
        add_note(facts, note);
        return true;
    }
    return false;
}

static void note_ranges(shoal_i_column_facts *facts)
{
    char note[SHOAL_I_NOTE_MAX];

    if (facts->grid[0]) {
        snprintf(note, sizeof note, "ranges on a grid of %s, or hierarchy: %s", facts->grid,
                 facts->instead);
        add_note(facts, note);
    } else if (facts->instead[0]) {
        snprintf(note, sizeof note, "ranges, or hierarchy: %s", facts->instead);
        add_note(facts, note);
    }
}

void shoal_i_inspect_guess_levels(shoal_i_column_facts *facts, size_t people, bool has_ranges)
{
    bool is_as_is = !facts->is_made_ready && (facts->role == SHOAL_ROLE_SENSITIVE ||
                                              facts->role == SHOAL_ROLE_INSENSITIVE);

    if (is_as_is && is_number(facts) && facts->distinct > 1 && 10 * facts->once > people) {
        add_note(facts, "many values are one record's alone: rounded it would tell less");
    }
    if (facts->role != SHOAL_ROLE_QUASI || facts->has_type || facts->has_hierarchy) {
        return;
    }
    if (facts->type == SHOAL_TYPE_INTEGER && is_nominal(facts)) {
        facts->type = SHOAL_TYPE_STRING;
        add_note(facts, "its numbers are codes");
    }
    if (facts->type == SHOAL_TYPE_STRING && propose_codes(facts)) {
        return;
    }
    if (facts->meaning == SHOAL_I_MEANS_POSTAL && facts->type == SHOAL_TYPE_STRING) {
        propose_prefix(facts);
    } else if (facts->type == SHOAL_TYPE_DATE) {
        propose_periods(facts, has_ranges);
    } else if (is_number(facts)) {
        propose_ranges(facts, people, has_ranges);
    } else if (facts->type == SHOAL_TYPE_STRING && facts->distinct > FEW) {
        add_note(facts, "many values: a hierarchy would keep more of them");
    }
    note_ranges(facts);
}

/* How its values are written, where that had to be found out. */
static void note_reading(shoal_i_column_facts *facts)
{
    const shoal_i_column_reading *r = &facts->reading;
    char note[SHOAL_I_NOTE_MAX];

    if (r->second) {
        snprintf(note, sizeof note, "dates written %s or %s: say which", r->first, r->second);
        add_note(facts, note);
    } else if (r->date_format) {
        snprintf(note, sizeof note, "written %s", r->date_format);
        add_note(facts, note);
    } else if (r->decimal && strcmp(r->decimal, ",") == 0) {
        add_note(facts, "written with a decimal comma");
    }
}

void shoal_i_inspect_guess(shoal_i_column_facts *facts, size_t records)
{
    facts->note[0] = '\0';
    facts->meaning = SHOAL_I_MEANS_NOTHING;
    if (facts->is_given) {
        facts->evidence = SHOAL_I_BY_SPEC;
        facts->meaning = shoal_i_first_meaning(shoal_i_name_meanings(facts->name));
    } else if (!guess_by_values(facts, records) && !guess_by_name(facts, records)) {
        guess_by_repeats(facts, records);
    }
    note_reading(facts);
}

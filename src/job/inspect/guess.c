/* What a column seems to be, from its name and from how its values repeat.
 *
 * Guesses err on the side of caution: what could point at a person is taken for a
 * quasi-identifier. They are a start for whoever knows the data, never a decision. */
#include "inspect.h"

#include "../input/column_names.h"

/* Nine in ten records have a value of their own. */
static bool is_nearly_unique(const shoal_i_column_facts *facts, size_t records)
{
    return records > 1 && facts->once >= records - records / 10;
}

static void set(shoal_i_column_facts *facts, shoal_role role, const char *note)
{
    facts->role = role;
    facts->note = note;
}

static void guess_role(shoal_i_column_facts *facts, size_t records)
{
    const char *name = facts->name;

    if (facts->distinct <= 1 && records > 1) {
        set(facts, SHOAL_ROLE_INSENSITIVE,
            facts->distinct == 0 ? "no values at all" : "the same value everywhere");
    } else if (shoal_i_names_identifier(name, facts->distinct, records)) {
        set(facts, SHOAL_ROLE_IDENTIFIER, "named like an identifier");
    } else if (shoal_i_names_sensitive(name)) {
        set(facts, SHOAL_ROLE_SENSITIVE, "named like a sensitive value");
    } else if (shoal_i_names_quasi(name)) {
        set(facts, SHOAL_ROLE_QUASI, "");
    } else if (facts->type == SHOAL_TYPE_STRING && is_nearly_unique(facts, records)) {
        set(facts, SHOAL_ROLE_IDENTIFIER, "nearly every record has a value of its own");
    } else {
        set(facts, SHOAL_ROLE_QUASI, "could others know it? if not, it is insensitive");
    }
}

void shoal_i_inspect_guess_person(shoal_i_column_facts *columns, size_t count, size_t records)
{
    shoal_i_column_facts *person = NULL;

    for (size_t i = 0; i < count; i++) {
        shoal_i_column_facts *facts = &columns[i];

        if (facts->is_given && facts->role == SHOAL_ROLE_PERSON) {
            return;
        }
        if (!person && !facts->is_given &&
            shoal_i_seems_person(facts->name, facts->distinct, facts->missing, records)) {
            person = facts;
        }
    }
    if (person) {
        set(person, SHOAL_ROLE_PERSON,
            "comes back: whose record is it? persons are counted then");
        person->mask_length = 0;
    }
}

void shoal_i_inspect_guess(shoal_i_column_facts *facts, size_t records)
{
    facts->note = "";
    if (!facts->is_given) {
        guess_role(facts, records);
    }
    if (facts->role != SHOAL_ROLE_QUASI) {
        return;
    }
    bool is_code = shoal_i_names_code(facts->name) && facts->text_length > 1 &&
                   facts->text_length < SHOAL_LEVELS_MAX;

    if (is_code && (facts->type == SHOAL_TYPE_STRING || facts->type == SHOAL_TYPE_INTEGER)) {
        facts->mask_length = facts->text_length;
        facts->note = "a code; masked from the right";
    } else if (facts->type == SHOAL_TYPE_STRING && facts->distinct > 20) {
        facts->note = "many values; a hierarchy would keep more of them";
    }
}

/* What can be chosen: settings, methods, requirements, as the library lists them. */
#include "session.h"

#include <string.h>

static json_t *put_words(server_body *b, const char *const *words)
{
    json_t *list = words ? json_array() : json_null();

    for (size_t i = 0; words && words[i]; i++) {
        server_body_add(b, list, json_string(words[i]));
    }
    return list;
}

static json_t *make_setting(server_body *b, const shoal_setting_facts *facts)
{
    json_t *setting = json_object();

    server_body_put(b, setting, "key", json_string(facts->key));
    server_body_put(b, setting, "type", server_body_text(facts->type));
    server_body_put(b, setting, "range", server_body_text(facts->range));
    server_body_put(b, setting, "words", put_words(b, facts->words));
    server_body_put(b, setting, "least", server_body_number(facts->least));
    server_body_put(b, setting, "most", server_body_number(facts->most));
    server_body_put(b, setting, "standard", server_body_text(facts->standard));
    server_body_put(b, setting, "is_list", json_boolean(facts->is_list));
    server_body_put(b, setting, "adds_up", json_boolean(facts->adds_up));
    server_body_put(b, setting, "runs", server_body_text(facts->runs));
    server_body_put(b, setting, "help", server_body_text(facts->help));
    return setting;
}

static json_t *list_settings(server_body *b,
                             bool (*describe)(shoal_setting_facts *out, size_t setting))
{
    shoal_setting_facts facts = SHOAL_SETTING_FACTS_INIT;
    json_t *list = json_array();

    for (size_t i = 0; describe(&facts, i); i++) {
        server_body_add(b, list, make_setting(b, &facts));
    }
    return list;
}

static json_t *list_options(server_body *b, size_t method)
{
    shoal_option_facts facts = SHOAL_OPTION_FACTS_INIT;
    json_t *list = json_array();

    for (size_t i = 0; shoal_method_option_describe(&facts, method, i); i++) {
        json_t *option = json_object();
        bool has_words = facts.words != NULL;

        server_body_put(b, option, "name", json_string(facts.name));
        server_body_put(b, option, "help", server_body_text(facts.help));
        server_body_put(b, option, "words", put_words(b, facts.words));
        server_body_put(b, option, "least", server_body_number(facts.least));
        server_body_put(b, option, "most", server_body_number(facts.most));
        server_body_put(b, option, "standard",
                        has_words ? server_body_text(facts.words[(size_t)facts.standard])
                                  : server_body_number(facts.standard));
        server_body_add(b, list, option);
    }
    return list;
}

static json_t *list_refusals(server_body *b, size_t method)
{
    json_t *list = json_array();

    for (size_t i = 0; shoal_requirement_key(i); i++) {
        const char *reason = shoal_method_refusal(method, i);

        if (reason) {
            json_t *refusal = json_object();

            server_body_put(b, refusal, "key", json_string(shoal_requirement_key(i)));
            server_body_put(b, refusal, "kind", json_string(shoal_requirement_kind(i)));
            server_body_put(b, refusal, "reason", server_body_text(reason));
            server_body_add(b, list, refusal);
        }
    }
    return list;
}

static json_t *list_methods(server_body *b)
{
    shoal_method_facts facts = SHOAL_METHOD_FACTS_INIT;
    json_t *list = json_array();

    for (size_t i = 0; shoal_method_describe(&facts, i); i++) {
        json_t *method = json_object();

        server_body_put(b, method, "name", json_string(facts.name));
        server_body_put(b, method, "summary", server_body_text(facts.summary));
        server_body_put(b, method, "shape", server_body_text(facts.shape));
        server_body_put(b, method, "cost", server_body_text(facts.cost));
        server_body_put(b, method, "citation", server_body_text(facts.citation));
        server_body_put(b, method, "needs_sensitive", json_boolean(facts.needs_sensitive));
        server_body_put(b, method, "publishes_in_two", json_boolean(facts.publishes_in_two));
        server_body_put(b, method, "options", list_options(b, i));
        server_body_put(b, method, "refuses", list_refusals(b, i));
        server_body_add(b, list, method);
    }
    return list;
}

static json_t *list_requirements(server_body *b)
{
    json_t *list = json_array();

    for (size_t i = 0; shoal_requirement_key(i); i++) {
        json_t *requirement = json_object();

        server_body_put(b, requirement, "key", json_string(shoal_requirement_key(i)));
        server_body_put(b, requirement, "kind", json_string(shoal_requirement_kind(i)));
        server_body_put(b, requirement, "title", server_body_text(shoal_requirement_title(i)));
        server_body_add(b, list, requirement);
    }
    return list;
}

static json_t *list_codes(server_body *b)
{
    json_t *list = json_array();

    for (size_t i = 0; shoal_hierarchy_codes_name(i); i++) {
        json_t *system = json_object();

        server_body_put(b, system, "name", json_string(shoal_hierarchy_codes_name(i)));
        server_body_put(b, system, "help", server_body_text(shoal_hierarchy_codes_help(i)));
        server_body_add(b, list, system);
    }
    return list;
}

static json_t *list_attacks(server_body *b)
{
    shoal_attack_kind_facts facts = SHOAL_ATTACK_KIND_FACTS_INIT;
    json_t *list = json_array();

    for (size_t i = 0; shoal_attack_describe(&facts, i); i++) {
        json_t *attack = json_object();

        server_body_put(b, attack, "name", json_string(facts.name));
        server_body_put(b, attack, "title", server_body_text(facts.title));
        server_body_put(b, attack, "attacker", server_body_text(facts.attacker));
        server_body_put(b, attack, "figure", server_body_text(facts.figure));
        server_body_put(b, attack, "helps", server_body_text(facts.helps));
        server_body_put(b, attack, "citation", server_body_text(facts.citation));
        server_body_put(b, attack, "larger_is_safer", json_boolean(facts.larger_is_safer));
        server_body_put(b, attack, "needs_sensitive", json_boolean(facts.needs_sensitive));
        server_body_put(b, attack, "needs_population", json_boolean(facts.needs_population));
        server_body_put(b, attack, "needs_method", json_boolean(facts.needs_method));
        server_body_put(b, attack, "least_releases", server_body_count(facts.least_releases));
        server_body_add(b, list, attack);
    }
    return list;
}

void server_get_choices(server *s, server_request *request, server_reply *reply)
{
    server_body b = server_body_begin();
    json_t *roles = json_array();
    json_t *types = json_array();

    (void)s;
    (void)request;
    for (int i = SHOAL_ROLE_INSENSITIVE; i <= SHOAL_ROLE_PERSON; i++) {
        server_body_add(&b, roles, json_string(shoal_role_name((shoal_role)i)));
    }
    for (int i = SHOAL_TYPE_AUTO; i <= SHOAL_TYPE_DATE; i++) {
        server_body_add(&b, types, json_string(shoal_type_name((shoal_type)i)));
    }
    server_body_put(&b, b.root, "settings", list_settings(&b, shoal_setting_describe));
    server_body_put(&b, b.root, "column_settings",
                    list_settings(&b, shoal_column_setting_describe));
    server_body_put(&b, b.root, "methods", list_methods(&b));
    server_body_put(&b, b.root, "requirements", list_requirements(&b));
    server_body_put(&b, b.root, "codes", list_codes(&b));
    server_body_put(&b, b.root, "attacks", list_attacks(&b));
    server_body_put(&b, b.root, "roles", roles);
    server_body_put(&b, b.root, "types", types);
    server_body_send(&b, reply, 200);
}

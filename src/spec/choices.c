/* What front ends can offer: the methods, their options, what they honour; names that look
 * alike. */
#include <shoal/spec.h>

#include "../base/sized.h"
#include "../base/text.h"
#include "../method/problem/method.h"

/* The method of a number, or NULL. The list is short; it is walked so that any number may be
 * asked for. */
static const shoal_i_method *find_method(size_t number)
{
    for (size_t i = 0; shoal_i_methods[i]; i++) {
        if (i == number) {
            return shoal_i_methods[i];
        }
    }
    return NULL;
}

static const shoal_i_method_option *find_option(size_t method, size_t number)
{
    const shoal_i_method *found = find_method(method);

    for (size_t i = 0; found && found->options[i].name; i++) {
        if (i == number) {
            return &found->options[i];
        }
    }
    return NULL;
}

bool shoal_method_describe(shoal_method_facts *out, size_t method)
{
    const shoal_i_method *found = find_method(method);

    if (found) {
        shoal_method_facts facts = {
            .name = found->name,
            .summary = found->summary,
            .shape = shoal_i_shape_name(found->shape),
            .cost = found->cost,
            .citation = found->citation,
            .needs_sensitive = found->needs_sensitive,
            .publishes_in_two = found->shape == SHOAL_I_SHAPE_BUCKETS,
        };

        return shoal_i_sized_fill(out, &facts, sizeof facts);
    }
    return false;
}

bool shoal_method_option_describe(shoal_option_facts *out, size_t method, size_t option)
{
    const shoal_i_method_option *found = find_option(method, option);

    if (found) {
        shoal_option_facts facts = {
            .name = found->name,
            .help = found->help,
            .words = found->words,
            .least = found->least,
            .most = found->most,
            .standard = found->standard,
        };

        return shoal_i_sized_fill(out, &facts, sizeof facts);
    }
    return false;
}

static const shoal_i_requirement_kind *find_kind(size_t number)
{
    for (size_t i = 0; shoal_i_requirement_kinds[i]; i++) {
        if (i == number) {
            return shoal_i_requirement_kinds[i];
        }
    }
    return NULL;
}

const char *shoal_requirement_key(size_t requirement)
{
    const shoal_i_requirement_kind *kind = find_kind(requirement);

    return kind ? kind->key : NULL;
}

const char *shoal_requirement_kind(size_t requirement)
{
    const shoal_i_requirement_kind *kind = find_kind(requirement);

    return !kind ? NULL : kind->variant ? kind->variant : "";
}

const char *shoal_requirement_title(size_t requirement)
{
    const shoal_i_requirement_kind *kind = find_kind(requirement);

    return kind ? kind->title : NULL;
}

const char *shoal_method_refusal(size_t method, size_t requirement)
{
    const shoal_i_method *found = find_method(method);
    const shoal_i_requirement_kind *kind = find_kind(requirement);

    if (!found || !kind) {
        return NULL;
    }
    shoal_i_method_settings defaults = shoal_i_method_defaults(found);

    return shoal_i_method_refusal(found, &defaults, kind, false);
}

const char *shoal_method_name(size_t method)
{
    const shoal_i_method *found = find_method(method);

    return found ? found->name : NULL;
}

const char *shoal_nearest(const char *name, const char *const *candidates, size_t count)
{
    return shoal_i_text_nearest(name, candidates, count);
}

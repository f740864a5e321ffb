/* What front ends can offer: the methods, their options, names that look alike. */
#include <shoal/job.h>

#include "../base/text.h"
#include "../method/method.h"

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

const char *shoal_method_name(size_t i)
{
    const shoal_i_method *method = find_method(i);

    return method ? method->name : NULL;
}

const char *shoal_method_summary(size_t i)
{
    const shoal_i_method *method = find_method(i);

    return method ? method->summary : NULL;
}

const char *shoal_method_option_name(size_t method, size_t i)
{
    const shoal_i_method_option *option = find_option(method, i);

    return option ? option->name : NULL;
}

const char *shoal_method_option_help(size_t method, size_t i)
{
    const shoal_i_method_option *option = find_option(method, i);

    return option ? option->help : NULL;
}

const char *shoal_nearest(const char *name, const char *const *candidates, size_t count)
{
    return shoal_i_text_nearest(name, candidates, count);
}

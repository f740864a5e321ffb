#include "problem/method.h"
#include "problem/canonical_order.h"
#include "finish/blind.h"
#include "finish/gather.h"
#include "finish/suppress.h"

#include "../base/fail.h"
#include "../base/text.h"
#include "../base/warnings.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const shoal_i_method *const shoal_i_methods[] = {
    &shoal_i_best,
    &shoal_i_topdown,
    &shoal_i_bottomup,
    &shoal_i_mondrian,
    &shoal_i_specialize,
    &shoal_i_incognito,
    &shoal_i_hilbert,
    &shoal_i_cluster,
    &shoal_i_exact,
    &shoal_i_nonhomogeneous,
    &shoal_i_anatomy,
    &shoal_i_bucketize,
    NULL,
};

#define NAMES_MAX 32
#define KNOWN_MAX 256

const char *shoal_i_refuse_in_buckets(const shoal_i_requirement_kind *kind, bool in_persons)
{
    (void)in_persons;
    return kind->needs_population
               ? "in buckets records are published as they are, so that their "
                 "identities do not hide among those of a population"
               : NULL;
}

shoal_status shoal_i_method_warn_seeded(shoal_ctx *ctx, const shoal_i_method *method)
{
    return shoal_i_warn(ctx, SHOAL_I_WARN_TEST_SEED, NULL,
                        "The method %s drew by its option `test_seed`: whoever knows that "
                        "number can undo the release. It is for tests, not for publication.",
                        method->name);
}

const shoal_i_method *shoal_i_method_find(const char *name)
{
    for (size_t i = 0; shoal_i_methods[i]; i++) {
        if (strcmp(shoal_i_methods[i]->name, name) == 0) {
            return shoal_i_methods[i];
        }
    }
    return NULL;
}

/* Fail for a name that is not among the candidates, with the nearest of them, or all. */
static shoal_status fail_unknown(shoal_ctx *ctx, const char *what, const char *name,
                                 const char *const *candidates, size_t count)
{
    const char *nearest = shoal_i_text_nearest(name, candidates, count);
    char known[KNOWN_MAX];

    if (nearest) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "There is no %s '%s'; did you mean '%s'?", what,
                            name, nearest);
    }
    shoal_i_text_list(known, sizeof known, candidates, count);
    return shoal_i_fail(ctx, SHOAL_EINVAL, "There is no %s '%s'; known: %s.", what, name,
                        known);
}

static shoal_status parse_name(shoal_ctx *ctx, const shoal_i_method **method, const char *name)
{
    const char *names[NAMES_MAX];
    size_t count = 0;

    *method = shoal_i_method_find(name);
    if (*method) {
        return SHOAL_OK;
    }
    for (; shoal_i_methods[count] && count < NAMES_MAX; count++) {
        names[count] = shoal_i_methods[count]->name;
    }
    return fail_unknown(ctx, "method", name, names, count);
}

bool shoal_i_method_has_option(const shoal_i_method *method, const char *name, size_t length)
{
    for (size_t i = 0; method->options[i].name; i++) {
        if (strlen(method->options[i].name) == length &&
            strncmp(method->options[i].name, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* The option of a name, counted from 0; a failure names the nearest. */
static shoal_status find_option(shoal_ctx *ctx, size_t *found, const shoal_i_method *method,
                                const char *name)
{
    const char *names[SHOAL_I_METHOD_OPTIONS_MAX];
    size_t count = 0;

    for (; method->options[count].name; count++) {
        names[count] = method->options[count].name;
        if (strcmp(names[count], name) == 0) {
            *found = count;
            return SHOAL_OK;
        }
    }
    if (count == 0) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "Method '%s' has no options.", method->name);
    }
    char what[64];

    snprintf(what, sizeof what, "option of the method %s", method->name);
    return fail_unknown(ctx, what, name, names, count);
}

static shoal_status parse_word(shoal_ctx *ctx, double *out, const shoal_i_method_option *option,
                               const char *text)
{
    size_t count = 0;

    for (; option->words[count]; count++) {
        if (strcmp(option->words[count], text) == 0) {
            *out = (double)count;
            return SHOAL_OK;
        }
    }
    return fail_unknown(ctx, option->name, text, option->words, count);
}

static shoal_status parse_value(shoal_ctx *ctx, double *out,
                                const shoal_i_method_option *option, const char *text)
{
    if (option->words) {
        return parse_word(ctx, out, option, text);
    }
    if (!shoal_i_text_to_double(out, text, strlen(text)) || *out < option->least ||
        *out > option->most) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "Option '%s' expects a number from %g to %g; got \"%.40s\".",
                            option->name, option->least, option->most, text);
    }
    return SHOAL_OK;
}

static void set_defaults(double *values, const shoal_i_method *method)
{
    for (size_t i = 0; method->options[i].name; i++) {
        values[i] = method->options[i].standard;
    }
}

const shoal_i_method *shoal_i_method_inner(const shoal_i_method *method,
                                           const shoal_i_method_settings *settings)
{
    return method->passes_options ? method->find_inner(settings) : NULL;
}

shoal_i_method_settings shoal_i_method_inner_settings(const shoal_i_method_settings *settings)
{
    shoal_i_method_settings inner = {0};

    memcpy(inner.values, settings->inner, sizeof inner.values);
    return inner;
}

shoal_i_method_settings shoal_i_method_defaults(const shoal_i_method *method)
{
    shoal_i_method_settings settings = {0};

    set_defaults(settings.values, method);
    if (method->passes_options) {
        set_defaults(settings.inner, method->find_inner(&settings));
    }
    return settings;
}

shoal_status shoal_i_method_set_option(shoal_ctx *ctx, shoal_i_method_settings *settings,
                                       const shoal_i_method *method, const char *name,
                                       const char *value)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_method *inner = shoal_i_method_inner(method, settings);
    bool is_own = !inner || shoal_i_method_has_option(method, name, strlen(name));
    const shoal_i_method *owner = is_own ? method : inner;
    double *values = is_own ? settings->values : settings->inner;
    size_t option = 0;

    SHOAL_TRY(find_option(ctx, &option, owner, name));
    SHOAL_TRY(parse_value(ctx, &values[option], &owner->options[option], value));
    if (inner && shoal_i_method_inner(method, settings) != inner) {
        set_defaults(settings->inner, shoal_i_method_inner(method, settings));
    }
done:
    return st;
}

/* The settings of a list that are (or are not) the method's own. */
static shoal_status parse_settings(shoal_ctx *ctx, shoal_i_method_settings *settings,
                                   const shoal_i_method *method, bool are_own, char *list)
{
    shoal_status st = SHOAL_OK;
    char *rest = list;

    while (rest) {
        char *setting = rest;
        char *equals = NULL;

        rest = strchr(setting, ',');
        if (rest) {
            *rest = '\0';
        }
        if (shoal_i_method_has_option(method, setting, strcspn(setting, "=")) == are_own) {
            equals = strchr(setting, '=');
            if (!equals) {
                return shoal_i_fail(ctx, SHOAL_EINVAL,
                                    "A method option is written key=value; got '%s'.", setting);
            }
            *equals = '\0';
            SHOAL_TRY(shoal_i_method_set_option(ctx, settings, method, setting, equals + 1));
            *equals = '=';
        }
        if (rest) {
            *rest++ = ',';
        }
    }
done:
    return st;
}

shoal_status shoal_i_method_parse(shoal_ctx *ctx, const shoal_i_method **method,
                                  shoal_i_method_settings *settings, const char *text)
{
    shoal_status st = SHOAL_OK;
    char *copy = shoal_i_strdup(ctx, text);
    char *rest = NULL;

    if (!copy) {
        return SHOAL_ENOMEM;
    }
    rest = strchr(copy, ':');
    if (rest) {
        *rest++ = '\0';
    }
    SHOAL_TRY(parse_name(ctx, method, copy));
    *settings = shoal_i_method_defaults(*method);
    SHOAL_TRY(parse_settings(ctx, settings, *method, true, rest));
    SHOAL_TRY(parse_settings(ctx, settings, *method, false, rest));
done:
    free(copy);
    return st;
}

static void put_options(shoal_i_buffer *out, const shoal_i_method *method, const double *values,
                        char before)
{
    char number[SHOAL_I_NUMBER_MAX];

    for (size_t i = 0; method->options[i].name; i++, before = ',') {
        const shoal_i_method_option *option = &method->options[i];

        shoal_i_text_from_double(number, values[i]);
        shoal_i_buffer_printf(out, "%c%s=%s", before, option->name,
                              option->words ? option->words[(size_t)values[i]] : number);
    }
}

void shoal_i_method_put(shoal_i_buffer *out, const shoal_i_method *method,
                        const shoal_i_method_settings *settings)
{
    const shoal_i_method *inner = shoal_i_method_inner(method, settings);

    shoal_i_buffer_text(out, method->name);
    put_options(out, method, settings->values, ':');
    if (inner) {
        put_options(out, inner, settings->inner, ',');
    }
}

const char *shoal_i_method_refusal(const shoal_i_method *method,
                                   const shoal_i_method_settings *settings,
                                   const shoal_i_requirement_kind *kind, bool in_persons)
{
    const shoal_i_method *inner = method->find_inner ? method->find_inner(settings) : NULL;
    const char *reason = method->refuse ? method->refuse(kind, in_persons) : NULL;

    if (!reason && inner && inner->refuse) {
        reason = inner->refuse(kind, in_persons);
    }
    if (!reason && method->shape != SHOAL_I_SHAPE_CLASSES && kind->needs_population) {
        reason = "it makes no classes into which people of a population could fall";
    }
    return reason;
}

/* How many people fall into the box around the whole table. */
static shoal_status count_people(shoal_ctx *ctx, uint64_t *out, const shoal_i_problem *problem)
{
    shoal_status st = SHOAL_OK;
    size_t width = problem->quasi->count;
    shoal_i_interval *box = NULL;

    SHOAL_ALLOC(ctx, box, 2 * width);
    for (size_t c = 0; c < width; c++) {
        box[c] = shoal_i_quasi_all(&problem->quasi->columns[c]);
    }
    *out = shoal_i_people_count(problem->people, box, box + width);
done:
    free(box);
    return st;
}

/* Whether the whole table as one class meets the requirements. */
static shoal_status check_possible(shoal_ctx *ctx, const shoal_i_problem *problem)
{
    shoal_status st = SHOAL_OK;
    shoal_i_tally whole = {0};

    SHOAL_TRY(shoal_i_tally_init(ctx, &whole, problem->source));
    shoal_i_tally_add_all(&whole);
    if (problem->people) {
        SHOAL_TRY(count_people(ctx, &whole.stats.population_size, problem));
    }
    SHOAL_TRY(shoal_i_requirement_check_possible(ctx, problem->requirements, &whole.stats));
done:
    shoal_i_tally_clear(&whole);
    return st;
}

/* A problem whose records are in canonical order. */
static shoal_status run_in_order(shoal_ctx *ctx, shoal_i_release **out,
                                 const shoal_i_method *method, const shoal_i_problem *problem,
                                 const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;

    if (problem->is_blind) {
        return shoal_i_blind_run(ctx, out, method, problem, settings);
    }
    if (problem->people && method->run_among_people) {
        return method->run_among_people(ctx, out, problem, settings);
    }
    if (problem->people) {
        return shoal_i_gather_run(ctx, out, method, problem, settings);
    }
    SHOAL_TRY(method->run(ctx, out, problem, settings));
    if (problem->suppress > 0 && !method->is_full_domain &&
        (*out)->shape == SHOAL_I_SHAPE_CLASSES) {
        size_t limit = (size_t)(problem->suppress * (double)problem->row_count);

        SHOAL_TRY(shoal_i_suppress(ctx, out, problem, limit));
    }
    /* Classes that ended with equal boxes are one. */
    if (!shoal_i_problem_is_monotone(problem) && !method->is_full_domain &&
        (*out)->shape == SHOAL_I_SHAPE_CLASSES) {
        SHOAL_TRY(shoal_i_gather(ctx, out, problem));
    }
done:
    return st;
}

shoal_status shoal_i_method_run(shoal_ctx *ctx, shoal_i_release **out,
                                const shoal_i_method *method, const shoal_i_problem *problem,
                                const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    shoal_i_canonical canonical = {0};

    *out = NULL;
    if (problem->row_count > UINT32_MAX / 2) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "At most %" PRIu32 " records can be anonymized.",
                            UINT32_MAX / 2);
    }
    SHOAL_TRY(check_possible(ctx, problem));
    if (problem->row_count == 0) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EINVAL, "There are no records to anonymize."));
    }
    SHOAL_TRY(shoal_i_canonical_init(ctx, &canonical, problem, method->wants_shuffled));
    SHOAL_TRY(run_in_order(ctx, out, method, &canonical.problem, settings));
    SHOAL_TRY(shoal_i_canonical_return(ctx, &canonical, *out));
done:
    shoal_i_canonical_clear(&canonical);
    if (st != SHOAL_OK) {
        shoal_i_release_free(*out);
        *out = NULL;
    }
    return st;
}

#include "method_check.h"

#include "../../base/text.h"
#include "columns.h"

#include <string.h>

#define METHODS_MAX 64
#define LIST_MAX 512

/* --- What a method can do. ---------------------------------------------------------------- */

static bool is_blind(const shoal_spec *spec)
{
    return (spec->defended & SHOAL_I_AGAINST_MINIMALITY) != 0;
}

/* Why a method cannot honour some requirement of a spec, or withstand an attack; NULL when it
 * can do all. */
static const char *find_refusal(const shoal_i_chosen *chosen, const shoal_spec *spec)
{
    const char *reason =
        is_blind(spec) ? shoal_i_method_blind_refusal(chosen->method, &chosen->settings) : NULL;
    bool in_persons = shoal_i_spec_has_role(spec, SHOAL_ROLE_PERSON);

    if (!reason && spec->k > 0) {
        reason = shoal_i_method_refusal(chosen->method, &chosen->settings, &shoal_i_k_anonymity,
                                        in_persons);
    }
    if (!reason && spec->k_column) {
        reason = shoal_i_method_refusal(chosen->method, &chosen->settings, &shoal_i_personal_k,
                                        in_persons);
    }
    for (size_t i = 0; !reason && i < spec->request_count; i++) {
        reason = shoal_i_method_refusal(chosen->method, &chosen->settings,
                                        spec->requests[i].kind, in_persons);
    }
    return reason;
}

static bool has_what_it_needs(const shoal_i_method *method, const shoal_spec *spec)
{
    return (method->shape != SHOAL_I_SHAPE_BUCKETS ||
            shoal_i_spec_has_role(spec, SHOAL_ROLE_SENSITIVE)) &&
           (!method->needs_sensitive || shoal_i_spec_reads_sensitive(spec));
}

/* The methods that can do all of what a spec asks for: "a, b and c". */
static void list_able(char out[LIST_MAX], const shoal_spec *spec)
{
    const char *names[METHODS_MAX];
    size_t count = 0;

    for (size_t i = 0; shoal_i_methods[i] && count < METHODS_MAX; i++) {
        shoal_i_chosen chosen = {shoal_i_methods[i],
                                 shoal_i_method_defaults(shoal_i_methods[i])};

        if (has_what_it_needs(chosen.method, spec) && !find_refusal(&chosen, spec)) {
            names[count++] = chosen.method->name;
        }
    }
    if (count == 0) {
        names[count++] = "none";
    }
    shoal_i_text_list(out, LIST_MAX, names, count);
}

/* --- Mistakes. ---------------------------------------------------------------------------- */

static shoal_status check_kind(shoal_ctx *ctx, const shoal_spec *spec,
                               const shoal_i_requirement_kind *kind)
{
    shoal_i_chosen chosen = shoal_i_spec_method(spec);
    bool in_persons = shoal_i_spec_has_role(spec, SHOAL_ROLE_PERSON);
    const char *reason =
        shoal_i_method_refusal(chosen.method, &chosen.settings, kind, in_persons);
    char able[LIST_MAX];

    if (!reason) {
        return SHOAL_OK;
    }
    list_able(able, spec);
    return shoal_i_fail(
        ctx, SHOAL_EUNSUPPORTED, "The method %s cannot honour %s%s: %s. Methods that can: %s.",
        chosen.method->name, kind->title, in_persons ? " of persons" : "", reason, able);
}

/* What the method needs of the columns and requirements. */
static shoal_status check_needs(shoal_ctx *ctx, const shoal_spec *spec)
{
    const shoal_i_method *method = shoal_i_spec_method(spec).method;
    char able[LIST_MAX];

    if (has_what_it_needs(method, spec)) {
        return SHOAL_OK;
    }
    list_able(able, spec);
    if (!shoal_i_spec_has_role(spec, SHOAL_ROLE_SENSITIVE)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The method %s publishes sensitive values apart from the records, "
                            "and no column is sensitive; give one that role. Methods that need "
                            "none: %s.",
                            method->name, able);
    }
    return shoal_i_fail(ctx, SHOAL_EINVAL,
                        "The method %s works by the diversity of sensitive values, and no "
                        "requirement is about them; say how diverse they must be, such as l. "
                        "Methods that need none: %s.",
                        method->name, able);
}

/* A method that does not search has no use for effort or time. */
static shoal_status check_search(shoal_ctx *ctx, const shoal_spec *spec)
{
    const shoal_i_method *method = shoal_i_spec_method(spec).method;
    const char *names[METHODS_MAX];
    size_t count = 0;
    char able[LIST_MAX];

    if ((!spec->has_effort && spec->seconds <= 0) || method->is_anytime) {
        return SHOAL_OK;
    }
    for (size_t i = 0; shoal_i_methods[i] && count < METHODS_MAX; i++) {
        if (shoal_i_methods[i]->is_anytime) {
            names[count++] = shoal_i_methods[i]->name;
        }
    }
    shoal_i_text_list(able, LIST_MAX, names, count);
    return shoal_i_fail(ctx, SHOAL_EINVAL,
                        "The method %s does not search, so it has no use for %s. Methods that "
                        "search: %s.",
                        method->name, spec->has_effort ? "an effort" : "a time", able);
}

/* Buckets publish the quasi-identifier as it is, and no range that could end on a grid. */
static shoal_status check_buckets(shoal_ctx *ctx, const shoal_spec *spec)
{
    const shoal_i_method *method = shoal_i_spec_method(spec).method;

    if (method->shape != SHOAL_I_SHAPE_BUCKETS || !shoal_i_spec_has_grid(spec)) {
        return SHOAL_OK;
    }
    return shoal_i_fail(
        ctx, SHOAL_EINVAL,
        "The method %s publishes quasi-identifiers as they are: there are no "
        "ranges that could end on a grid. Take the grid out, or choose a method "
        "that makes classes.",
        method->name);
}

/* What cannot be done with a box per record. */
static shoal_status check_box_per_record(shoal_ctx *ctx, const shoal_spec *spec)
{
    const shoal_i_method *method = shoal_i_spec_method(spec).method;

    if (method->shape != SHOAL_I_SHAPE_RECORDS) {
        return SHOAL_OK;
    }
    if (spec->suppress > 0) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The method %s cannot suppress records: it has no classes that "
                            "they could leave. Take suppress out, or choose another method.",
                            method->name);
    }
    if (spec->numeric == SHOAL_I_NUMERIC_MEAN || spec->numeric == SHOAL_I_NUMERIC_MEDIAN) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The method %s gives each record a box of its own, and a mean or "
                            "median would tell the record; write numbers as range or minmax.",
                            method->name);
    }
    if (spec->keep_order) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The method %s deals values out anew, so that a row is not of one "
                            "record: the order of the input cannot be kept.",
                            method->name);
    }
    return SHOAL_OK;
}

/* What the defence against minimality cannot do (blind.h), whatever the method. */
static const char *find_blind_limit(const shoal_spec *spec)
{
    if (!shoal_i_spec_reads_sensitive(spec)) {
        return "no requirement is about sensitive values, so that nothing can be told from how "
               "it was met; ask for l, alpha, t, delta or beta, or take `privacy.attacks` out";
    }
    if (shoal_i_spec_has_role(spec, SHOAL_ROLE_PERSON)) {
        return "records of one person cannot take each other's place, so it does not work "
               "where persons have several";
    }
    if (shoal_i_spec_reads_population(spec)) {
        return "who of a population falls into a class is met by merging classes, which it "
               "does not know";
    }
    if (spec->suppress > 0) {
        return "which records are suppressed would tell on them; take `suppress` out";
    }
    return spec->memory > 0 ? "it needs the whole table; take `memory` out" : NULL;
}

static shoal_status check_blind(shoal_ctx *ctx, const shoal_spec *spec)
{
    shoal_i_chosen chosen = shoal_i_spec_method(spec);
    const char *limit = is_blind(spec) ? find_blind_limit(spec) : NULL;
    const char *reason =
        is_blind(spec) ? shoal_i_method_blind_refusal(chosen.method, &chosen.settings) : NULL;
    char able[LIST_MAX];

    if (limit) {
        return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                            "A release cannot be made to withstand minimality: %s.", limit);
    }
    if (!reason) {
        return SHOAL_OK;
    }
    list_able(able, spec);
    return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                        "The method %s cannot withstand minimality: %s. Methods that can: %s.",
                        chosen.method->name, reason, able);
}

/* What cannot go together with earlier releases (together.h). */
static shoal_status check_previous(shoal_ctx *ctx, const shoal_spec *spec)
{
    const shoal_i_method *method = shoal_i_spec_method(spec).method;
    const char *reason = NULL;

    if (spec->previous_count == 0) {
        return SHOAL_OK;
    }
    if (method->shape != SHOAL_I_SHAPE_CLASSES || method->is_full_domain) {
        reason =
            "its classes are made inside those of the previous one, by a method of classes "
            "that does not treat all records alike";
    } else if (shoal_i_spec_has_role(spec, SHOAL_ROLE_PERSON)) {
        reason = "who is in both is told by records, not by persons with several";
    } else if (shoal_i_spec_reads_population(spec)) {
        reason = "what is asked about a population is met by merging classes";
    } else if (is_blind(spec)) {
        reason = "it goes by sensitive values, and `privacy.attacks` forbids that";
    } else if (spec->suppress > 0) {
        reason = "what is suppressed is in no old class; take `suppress` out";
    } else if (spec->numeric == SHOAL_I_NUMERIC_MEAN ||
               spec->numeric == SHOAL_I_NUMERIC_MEDIAN) {
        reason = "classes with one mean would look the same; write ranges";
    } else if (spec->memory > 0) {
        reason = "it needs the whole table; take `memory` out";
    } else if (shoal_i_spec_has_coarsest(spec)) {
        reason = "parts with a coarsest level and old classes would both have to be kept apart";
    }
    return reason ? shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                                 "This release cannot be made to go together with a previous "
                                 "one: %s.",
                                 reason)
                  : SHOAL_OK;
}

/* Take down what is wrong with a setting. */
static shoal_status take_at(shoal_i_mistakes *mistakes, const shoal_spec *spec, const char *key,
                            shoal_status status)
{
    return shoal_i_mistakes_take(mistakes,
                                 shoal_i_fail_of_setting(mistakes->ctx, spec, key, status));
}

shoal_status shoal_i_method_check(shoal_ctx *ctx, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_i_mistakes mistakes = {.ctx = ctx};

    SHOAL_TRY(take_at(&mistakes, spec, "method", check_needs(ctx, spec)));
    SHOAL_TRY(take_at(&mistakes, spec, spec->has_effort ? "effort" : "time",
                      check_search(ctx, spec)));
    SHOAL_TRY(take_at(&mistakes, spec, "method", check_box_per_record(ctx, spec)));
    SHOAL_TRY(take_at(&mistakes, spec, "method", check_buckets(ctx, spec)));
    SHOAL_TRY(take_at(&mistakes, spec, "privacy.attacks", check_blind(ctx, spec)));
    SHOAL_TRY(take_at(&mistakes, spec, "privacy.previous", check_previous(ctx, spec)));
    if (spec->k > 0) {
        SHOAL_TRY(
            take_at(&mistakes, spec, "privacy.k", check_kind(ctx, spec, &shoal_i_k_anonymity)));
    }
    if (spec->k_column) {
        SHOAL_TRY(take_at(&mistakes, spec, "privacy.k.column",
                          check_kind(ctx, spec, &shoal_i_personal_k)));
    }
    for (size_t i = 0; i < spec->request_count; i++) {
        const shoal_i_requirement_request *request = &spec->requests[i];

        SHOAL_TRY(shoal_i_mistakes_take(
            &mistakes,
            shoal_i_fail_of_request(ctx, request, check_kind(ctx, spec, request->kind))));
    }
    SHOAL_TRY(shoal_i_mistakes_status(&mistakes));
done:
    return st;
}

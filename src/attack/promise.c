#include "promise.h"

#include "../base/fail.h"
#include "../requirement/figure.h"

#include <math.h>
#include <string.h>

#define NO_PROMISE                                                                             \
    (shoal_i_bound_promise)                                                                    \
    {                                                                                          \
        NAN, NULL                                                                              \
    }

static shoal_i_shape find_shape(const shoal_i_attack_scene *scene)
{
    return scene->releases[0].release->shape;
}

/* --- Being found. ----------------------------------------------------------------------- */

/* The k that a record asks for by all requirements; 0: none. */
static double find_k(const shoal_i_attack_scene *scene, size_t record, const char **by)
{
    double k = 0;

    for (size_t i = 0; i < scene->requirements->count; i++) {
        const shoal_i_requirement *r = &scene->requirements->items[i];
        double own = r->kind == &shoal_i_k_anonymity ? r->value
                     : r->kind == &shoal_i_personal_k && scene->record_k
                         ? scene->record_k[record]
                         : 0;

        if (own > k) {
            k = own;
            *by = r->kind->title;
        }
    }
    return k;
}

shoal_i_bound_promise shoal_i_promise_found(const shoal_i_attack_scene *scene)
{
    shoal_i_bound_promise promise = NO_PROMISE;
    double least = HUGE_VAL;

    if (find_shape(scene) == SHOAL_I_SHAPE_BUCKETS) {
        return promise;
    }
    for (size_t i = 0; i < scene->record_count; i++) {
        least = fmin(least, find_k(scene, i, &promise.by));
        if (!scene->record_k) {
            break;
        }
    }
    if (!isfinite(least) || least < 1) {
        return NO_PROMISE;
    }
    promise.bound = 1 / least;
    return promise;
}

shoal_status shoal_i_promise_found_each(shoal_ctx *ctx, double **out,
                                        const shoal_i_attack_scene *scene)
{
    shoal_status st = SHOAL_OK;
    const char *by = NULL;
    double *promises = NULL;

    *out = NULL;
    if (!scene->record_k || find_shape(scene) == SHOAL_I_SHAPE_BUCKETS) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, promises, scene->record_count);
    for (size_t i = 0; i < scene->record_count; i++) {
        double k = find_k(scene, i, &by);

        promises[i] = k >= 1 ? 1 / k : NAN;
    }
    *out = promises;
done:
    return st;
}

/* --- A value. --------------------------------------------------------------------------- */

static double find_total_share(const shoal_i_sensitive *column, uint32_t code)
{
    return shoal_i_ratio(column->totals[code], column->total);
}

/* The largest share that a requirement allows a value; 1: it says nothing of it. */
static double limit_of(const shoal_i_requirement *r, uint32_t code)
{
    const shoal_i_requirement_kind *kind = r->kind;
    double q = r->column ? find_total_share(r->column, code) : 0;

    if (kind == &shoal_i_alpha_general) {
        return r->value;
    }
    if (kind == &shoal_i_alpha_values || kind == &shoal_i_alpha_limits) {
        for (size_t i = 0; i < r->code_count; i++) {
            if (r->codes[i] == code) {
                return r->limits ? r->limits[i] : r->value;
            }
        }
        return 1;
    }
    if (kind == &shoal_i_l_frequency) {
        return 1 / r->value;
    }
    if (kind == &shoal_i_t_equal) {
        return q + r->value;
    }
    if (kind == &shoal_i_delta_disclosure) {
        return q * exp(r->value);
    }
    if (kind == &shoal_i_beta_basic) {
        return q * (1 + r->value);
    }
    if (kind == &shoal_i_beta_enhanced) {
        return q * (1 + fmin(r->value, -log(q)));
    }
    return 1;
}

static bool is_of_column(const shoal_i_requirement *r, const shoal_i_sensitive *column)
{
    return r->column && strcmp(r->column->name, column->name) == 0;
}

shoal_i_bound_promise shoal_i_promise_share(double *limits, const shoal_i_attack_scene *scene,
                                            size_t column)
{
    const shoal_i_sensitive *truth = &scene->truth[column];
    shoal_i_bound_promise promise = {0, NULL};

    for (uint32_t code = 0; code < truth->value_count; code++) {
        const char *by = NULL;

        limits[code] = 1;
        for (size_t i = 0;
             i < scene->requirements->count && find_shape(scene) != SHOAL_I_SHAPE_RECORDS;
             i++) {
            const shoal_i_requirement *r = &scene->requirements->items[i];
            double limit = is_of_column(r, truth) ? limit_of(r, code) : 1;

            if (limit < limits[code]) {
                limits[code] = limit;
                by = r->kind->title;
            }
        }
        if (limits[code] > promise.bound) {
            promise = (shoal_i_bound_promise){limits[code], by};
        }
    }
    return promise.by ? promise : NO_PROMISE;
}

/* --- Values that remain. ---------------------------------------------------------------- */

/* The fewest different values of a class by a requirement. */
static double fewest_by(const shoal_i_requirement *r)
{
    const shoal_i_requirement_kind *kind = r->kind;

    if (kind == &shoal_i_l_distinct || kind == &shoal_i_l_frequency ||
        kind == &shoal_i_l_entropy || kind == &shoal_i_l_recursive) {
        return ceil(r->value - SHOAL_I_TOLERANCE);
    }
    if (kind == &shoal_i_alpha_general) {
        return ceil(1 / r->value - SHOAL_I_TOLERANCE);
    }
    if (kind == &shoal_i_delta_disclosure) {
        return (double)r->column->value_count;
    }
    return 1;
}

shoal_i_bound_promise shoal_i_promise_ruled_out(const shoal_i_attack_scene *scene,
                                                size_t column)
{
    shoal_i_bound_promise promise = {0, NULL};

    for (size_t i = 0;
         i < scene->requirements->count && find_shape(scene) != SHOAL_I_SHAPE_RECORDS; i++) {
        const shoal_i_requirement *r = &scene->requirements->items[i];
        double fewest = is_of_column(r, &scene->truth[column]) ? fewest_by(r) : 1;

        if (fewest - 1 > promise.bound) {
            promise = (shoal_i_bound_promise){fewest - 1, r->kind->title};
        }
    }
    return promise.by ? promise : NO_PROMISE;
}

/* One point of a frontier: a release is made, verified, measured, and thrown away. */
#include "frontier.h"

#include "../../base/clock.h"
#include "../../base/relay.h"
#include "../../measure/measure.h"
#include "../../release/buckets.h"
#include "../input/method_check.h"
#include "../input/population_run.h"
#include "../input/problem_build.h"
#include "../measure/attacked.h"
#include "../measure/tradeoff_run.h"
#include "../verify/verify_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

shoal_status shoal_i_frontier_derive(shoal_ctx *ctx, shoal_spec *out, const shoal_i_frontier *f,
                                     const shoal_i_point *point)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_requirement_request *request = point->request;

    *out = *f->spec;
    out->method = point->method->method;
    out->method_settings = point->method->settings;
    out->has_effort = false; /* each method of a sweep has its own */
    out->seconds = 0;
    if (request->kind == &shoal_i_k_anonymity) {
        out->k = (uint64_t)request->value;
    } else {
        shoal_i_spec_forget_requests(out, request->kind->key, false);
        SHOAL_TRY(shoal_i_spec_add_request(ctx, out, request));
    }
done:
    return st;
}

/* Hold what would be handed out against the requirement, by the verifier: the release as
 * columns, numbers as ranges, which cover their records. */
static shoal_status verify(shoal_ctx *ctx, shoal_i_verification *out, const shoal_i_frontier *f,
                           const shoal_spec *spec,
                           const shoal_i_bound_requirements *requirements,
                           shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_prepared *original = f->prepared;
    shoal_spec plain = *spec;
    shoal_i_layout layout = {.numeric = SHOAL_I_NUMERIC_RANGE,
                             .categorical = SHOAL_I_CATEGORICAL_LABEL,
                             .roles = original->roles};
    shoal_i_promise promise = {.spec = &plain,
                               .original = original,
                               .requirements = requirements,
                               .population = f->population};
    shoal_i_release_tables tables = {0};

    plain.numeric = SHOAL_I_NUMERIC_RANGE;
    if (release->shape == SHOAL_I_SHAPE_BUCKETS) {
        SHOAL_TRY(shoal_i_buckets_number(ctx, release, original->roles));
    }
    SHOAL_TRY(shoal_i_release_tables_build(ctx, &tables, release, &layout,
                                           &(shoal_i_as_given){.table = original->table}));
    SHOAL_TRY(shoal_i_verify_columns(ctx, out, &tables, &promise, release));
done:
    shoal_i_release_tables_clear(&tables);
    return st;
}

static shoal_status measure_loss(shoal_ctx *ctx, shoal_i_point *point,
                                 const shoal_i_release *release, const shoal_i_verdict *verdict,
                                 uint64_t k)
{
    shoal_status st = SHOAL_OK;
    shoal_i_loss loss = {0};

    SHOAL_TRY(shoal_i_loss_measure(ctx, &loss, release, k));
    point->classes = loss.classes;
    point->smallest_class = loss.smallest_class;
    point->figures[SHOAL_I_BY_GCP] = loss.gcp;
    point->figures[SHOAL_I_BY_DISCERNIBILITY] = loss.discernibility;
    point->figures[SHOAL_I_BY_CLASS_SIZE] = loss.average_class_size;
    point->figures[SHOAL_I_BY_DISTORTION] = loss.distortion_ratio;
    if (release->shape == SHOAL_I_SHAPE_CLASSES && loss.smallest_class > 0) {
        uint64_t fewest = verdict->persons > 0 ? verdict->fewest_persons : loss.smallest_class;

        point->figures[SHOAL_I_BY_RISK] = 1 / (double)fewest;
    }
done:
    shoal_i_loss_clear(&loss);
    return st;
}

/* What is told by what the release shows of sensitive values. */
static shoal_status measure_tradeoff(shoal_ctx *ctx, shoal_i_point *point,
                                     const shoal_i_frontier *f, const shoal_i_shown *shown)
{
    shoal_status st = SHOAL_OK;
    unsigned figures = 0;
    shoal_i_tradeoff tradeoff = {0};

    if (shoal_i_frontier_wants(f, SHOAL_I_BY_PRIVACY_LOSS)) {
        figures |= SHOAL_I_FIGURE_PRIVACY_LOSS;
    }
    if (shoal_i_frontier_wants(f, SHOAL_I_BY_UTILITY_LOSS)) {
        figures |= SHOAL_I_FIGURE_UTILITY_LOSS;
    }
    SHOAL_TRY(shoal_i_tradeoff_measure(ctx, &tradeoff, f->spec, shown, figures));
    if (tradeoff.privacy) {
        point->figures[SHOAL_I_BY_PRIVACY_LOSS] = shoal_i_tradeoff_privacy(&tradeoff);
    }
    if (tradeoff.utility) {
        point->figures[SHOAL_I_BY_UTILITY_LOSS] = shoal_i_tradeoff_utility(&tradeoff);
    }
done:
    shoal_i_tradeoff_clear(&tradeoff);
    return st;
}

/* Attacks whose figures are wanted, and where they go. */
static const struct {
    shoal_i_axis_figure figure;
    const shoal_i_attack_kind *kind;
} attack_figures[] = {
    {SHOAL_I_BY_LINKAGE, &shoal_i_attack_linkage},
    {SHOAL_I_BY_MATCHING, &shoal_i_attack_matching},
    {SHOAL_I_BY_DEFINETTI, &shoal_i_attack_definetti},
};

#define ATTACK_FIGURES (sizeof attack_figures / sizeof *attack_figures)

/* Their bits (attack.h). */
static unsigned find_attacks(const shoal_i_frontier *f)
{
    unsigned asked = 0;

    for (size_t i = 0; shoal_i_attack_kinds[i]; i++) {
        for (size_t j = 0; j < ATTACK_FIGURES; j++) {
            if (attack_figures[j].kind == shoal_i_attack_kinds[i] &&
                shoal_i_frontier_wants(f, attack_figures[j].figure)) {
                asked |= 1u << i;
            }
        }
    }
    return asked;
}

/* What they reach; of several sensitive columns the most. */
static shoal_status measure_attacks(shoal_ctx *ctx, shoal_i_point *point,
                                    const shoal_i_frontier *f, const shoal_spec *spec,
                                    const shoal_i_release *release, const shoal_i_shown *shown)
{
    shoal_status st = SHOAL_OK;
    shoal_i_attack_findings found = {0};

    SHOAL_TRY(shoal_i_attacks_find(ctx, &found, spec, find_attacks(f), f->prepared, release,
                                   NULL, shown, ""));
    for (size_t i = 0; i < found.count; i++) {
        for (size_t j = 0; j < ATTACK_FIGURES; j++) {
            double *figure = &point->figures[attack_figures[j].figure];

            if (attack_figures[j].kind == found.items[i].kind && !found.items[i].reason[0]) {
                *figure = fmax(*figure, found.items[i].reached);
            }
        }
    }
done:
    shoal_i_attack_findings_clear(&found);
    return st;
}

static shoal_status measure_shown(shoal_ctx *ctx, shoal_i_point *point,
                                  const shoal_i_frontier *f, const shoal_spec *spec,
                                  const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    shoal_i_shown shown = {0};

    SHOAL_TRY(shoal_i_shown_build(ctx, &shown, f->spec, f->prepared, release, NULL));
    SHOAL_TRY(measure_tradeoff(ctx, point, f, &shown));
    SHOAL_TRY(measure_attacks(ctx, point, f, spec, release, &shown));
    if (f->truth) {
        SHOAL_TRY(shoal_i_frontier_query_error(ctx, &point->figures[SHOAL_I_BY_QUERY_ERROR], f,
                                               &shown.published));
    }
done:
    shoal_i_shown_clear(&shown);
    return st;
}

/* Run the method and measure what it makes. */
static shoal_status make_and_measure(shoal_ctx *ctx, const shoal_i_frontier *f,
                                     shoal_i_point *point, const shoal_spec *spec,
                                     const shoal_i_bound_requirements *requirements)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *release = NULL;
    shoal_i_posed posed = {0};
    shoal_i_verification verification = {0};

    SHOAL_TRY(shoal_i_pose(ctx, &posed, spec, f->prepared->quasi, requirements,
                           f->prepared->record_k, f->population->people));
    SHOAL_TRY(shoal_i_method_run(ctx, &release, spec->method, &posed.problem,
                                 &spec->method_settings));
    point->shape = release->shape;
    SHOAL_TRY(verify(ctx, &verification, f, spec, requirements, release));
    SHOAL_TRY(measure_loss(ctx, point, release, &verification.verdict, spec->k));
    SHOAL_TRY(measure_shown(ctx, point, f, spec, release));
done:
    shoal_i_release_free(release);
    shoal_i_posed_clear(&posed);
    return st;
}

static shoal_status run_point(shoal_ctx *ctx, const shoal_i_frontier *f, shoal_i_point *point)
{
    shoal_status st = SHOAL_OK;
    shoal_spec spec;
    shoal_i_bound_requirements requirements = {0};

    SHOAL_TRY(shoal_i_frontier_derive(ctx, &spec, f, point));
    SHOAL_TRY(shoal_i_method_check(ctx, &spec));
    SHOAL_TRY(shoal_i_population_check(ctx, &spec));
    SHOAL_TRY(shoal_i_bound_requirements_build(ctx, &requirements, &spec, f->prepared->table,
                                               shoal_i_prepared_persons(f->prepared)));
    SHOAL_TRY(make_and_measure(ctx, f, point, &spec, &requirements));
done:
    shoal_i_bound_requirements_clear(&requirements);
    return st;
}

shoal_status shoal_i_frontier_try(shoal_ctx *ctx, const shoal_i_frontier *frontier,
                                  shoal_i_point *point)
{
    double started = shoal_i_clock_seconds();
    shoal_status st = SHOAL_OK;

    if (frontier->deadline > 0 && started >= frontier->deadline) {
        snprintf(point->reason, sizeof point->reason, "the time was over");
        return SHOAL_OK;
    }
    /* What is wrong with a point is its reason, and no message of the run. */
    shoal_i_relay relay;

    shoal_i_relay_begin(&relay, ctx, NULL);
    relay.own.log = NULL;
    relay.own.warnings = NULL;
    shoal_i_relay_limit(&relay, frontier->deadline);
    st = shoal_i_ctx_join(ctx, &relay.own, run_point(&relay.own, frontier, point));
    point->seconds = shoal_i_clock_seconds() - started;
    if (st == SHOAL_OK) {
        point->state = SHOAL_I_POINT_DONE;
        return SHOAL_OK;
    }
    if (shoal_i_relay_is_late(&relay, ctx, st)) {
        snprintf(point->reason, sizeof point->reason, "the time was over");
        point->seconds = 0;
        return SHOAL_OK;
    }
    if (st == SHOAL_ECANCELLED || st == SHOAL_ENOMEM) {
        return st;
    }
    point->state =
        st == SHOAL_EUNSATISFIABLE ? SHOAL_I_POINT_IMPOSSIBLE : SHOAL_I_POINT_REFUSED;
    snprintf(point->reason, sizeof point->reason, "%.300s", ctx->error.message);
    return SHOAL_OK;
}

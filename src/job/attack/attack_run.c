/* Attacking a release that anybody made, beside its original. */
#include <shoal/attack.h>

#include "../../base/sized.h"
#include "../../report/report.h"
#include "../input/run.h"
#include "../measure/attacked.h"
#include "../measure/details_run.h"
#include "../release/release_object.h"

/* What a run is given. */
typedef struct order {
    const shoal_spec *spec;
    shoal_i_given original;
    const shoal_i_given_release *releases;
    size_t release_count;
} order;

/* What it holds. */
typedef struct attacking {
    shoal_i_run run;
    shoal_i_prepared prepared;
    shoal_i_stage_set stage;
    shoal_i_attack_findings found;
    shoal_i_details details;
} attacking;

static void clear_attacking(attacking *a)
{
    shoal_i_attack_findings_clear(&a->found);
    shoal_i_details_clear(&a->details);
    shoal_i_stage_clear(&a->stage);
    shoal_i_prepared_clear(&a->prepared);
}

static shoal_status check_order(shoal_ctx *ctx, const order *o)
{
    if (o->release_count == 0) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "There is no release to attack; expected at least one.");
    }
    shoal_status st = shoal_i_prepare_check(ctx, o->spec, false);

    return st == SHOAL_OK
               ? shoal_i_attacks_check(ctx, o->spec, o->release_count, o->spec->method != NULL)
               : st;
}

/* What is lacking may only be seen in the releases, in their shape or in who is left out. Where
 * attacks were named and not one could be done, that is a mistake, not a result. */
static shoal_status check_done(shoal_ctx *ctx, const shoal_i_attack_findings *found,
                               unsigned asked)
{
    for (size_t i = 0; i < found->count; i++) {
        if (asked == 0 || !found->items[i].reason[0]) {
            return SHOAL_OK;
        }
    }
    return shoal_i_fail(ctx, SHOAL_EINVAL, "The attack %s cannot be run: %s.",
                        found->items[0].kind->name, found->items[0].reason);
}

static shoal_status set_stage(shoal_ctx *ctx, attacking *a, const order *o)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_prepare_original(ctx, &a->prepared, o->spec, &o->original));
    SHOAL_TRY(shoal_i_run_stage(&a->run, "read"));
    SHOAL_TRY(shoal_i_prepare_quasi(ctx, &a->prepared, o->spec));
    SHOAL_TRY(shoal_i_bound_requirements_build(ctx, &a->prepared.requirements, o->spec,
                                               a->prepared.table,
                                               shoal_i_prepared_persons(&a->prepared)));
    SHOAL_TRY(shoal_i_stage_open(ctx, &a->stage, o->spec, &a->prepared, o->release_count,
                                 o->spec->attacks, o->spec->method != NULL));
    SHOAL_TRY(shoal_i_run_stage(&a->run, "prepare"));
    for (size_t i = 0; i < o->release_count; i++) {
        SHOAL_TRY(shoal_i_stage_add(ctx, &a->stage, o->spec, &a->prepared, &o->releases[i]));
    }
    SHOAL_TRY(shoal_i_run_stage(&a->run, "parse"));
done:
    return st;
}

static shoal_status build_report(shoal_ctx *ctx, shoal_report **out, attacking *a,
                                 const order *o)
{
    const shoal_i_received *received = &a->stage.releases[0].received;
    shoal_i_findings findings = {
        .command = "attack",
        .spec = o->spec,
        .stages = &a->run.stages,
        .seed = a->run.ctx.seed,
        .threads = shoal_ctx_thread_count(&a->run.ctx),
        .input = o->original.path,
        .release = o->releases[0].rows.path,
        .original = shoal_i_prepared_original(&a->prepared),
        .shape = received->shape,
        .sensitive_table = received->table_path,
        .attacks = &a->found,
        .details = o->spec->is_full_report ? &a->details : NULL,
    };

    return shoal_i_report_build(ctx, out, &findings);
}

static shoal_status run_attack(shoal_ctx *caller, shoal_report **out, const order *o)
{
    shoal_status st = SHOAL_OK;
    attacking a = {0};
    shoal_ctx *ctx = shoal_i_run_begin(&a.run, caller, o->spec);

    SHOAL_TRY(check_order(ctx, o));
    SHOAL_TRY(set_stage(ctx, &a, o));
    SHOAL_TRY(shoal_i_attack_run(ctx, &a.found, &a.stage.scene, o->spec->attacks));
    SHOAL_TRY(check_done(ctx, &a.found, o->spec->attacks));
    SHOAL_TRY(shoal_i_run_stage(&a.run, "attack"));
    if (o->spec->is_full_report) {
        SHOAL_TRY(shoal_i_details_hash(
            ctx, &a.details,
            &(shoal_i_run_files){.input = o->original.path,
                                 .release = o->releases[0].rows.path,
                                 .table = a.stage.releases[0].received.table_path}));
        SHOAL_TRY(shoal_i_run_stage(&a.run, "report"));
    }
    SHOAL_TRY(build_report(ctx, out, &a, o));
done:
    clear_attacking(&a);
    return shoal_i_run_end(&a.run, st);
}

shoal_status shoal_attack(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                          const char *original, const char *const *releases,
                          size_t release_count)
{
    SHOAL_ENTER_FOR(ctx, out, spec, original, releases);
    shoal_status st = SHOAL_OK;
    shoal_i_given_release *given = NULL;

    SHOAL_ALLOC(ctx, given, release_count);
    for (size_t i = 0; i < release_count; i++) {
        given[i].rows = shoal_i_given_file(releases[i]);
    }
    SHOAL_TRY(run_attack(ctx, out,
                         &(order){.spec = spec,
                                  .original = shoal_i_given_file(original),
                                  .releases = given,
                                  .release_count = release_count}));
done:
    free(given);
    return st;
}

shoal_status shoal_attack_release(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                  const shoal_table *original,
                                  const shoal_release *const *releases, size_t release_count)
{
    SHOAL_ENTER_FOR(ctx, out, spec, original, releases);
    shoal_status st = SHOAL_OK;
    shoal_i_given_release *given = NULL;

    SHOAL_ALLOC(ctx, given, release_count);
    for (size_t i = 0; i < release_count; i++) {
        given[i] = shoal_i_release_object_given(releases[i]);
    }
    SHOAL_TRY(run_attack(ctx, out,
                         &(order){.spec = spec,
                                  .original = shoal_i_given_table(original),
                                  .releases = given,
                                  .release_count = release_count}));
done:
    free(given);
    return st;
}

/* --- The attacks there are. -------------------------------------------------------------- */

bool shoal_attack_describe(shoal_attack_kind_facts *out, size_t attack)
{
    for (size_t i = 0; shoal_i_attack_kinds[i]; i++) {
        if (i == attack) {
            const shoal_i_attack_kind *kind = shoal_i_attack_kinds[i];
            shoal_attack_kind_facts facts = {
                .struct_size = sizeof facts,
                .name = kind->name,
                .title = kind->title,
                .attacker = kind->attacker,
                .figure = kind->figure,
                .helps = kind->helps,
                .citation = kind->citation,
                .larger_is_safer = kind->larger_is_safer,
                .needs_sensitive = kind->needs_sensitive,
                .needs_population = kind->needs_population,
                .needs_method = kind->needs_method,
                .least_releases = kind->least_releases > 1 ? kind->least_releases : 1,
            };

            return shoal_i_sized_fill(out, &facts, sizeof facts);
        }
    }
    return false;
}

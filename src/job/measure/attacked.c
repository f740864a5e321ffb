#include "attacked.h"

#include "matched.h"
#include "parsed.h"
#include "tradeoff_run.h"

static void clear_release(shoal_i_stage_release *r)
{
    shoal_i_persons_clear(&r->row_persons);
    free(r->box_of);
    shoal_i_shown_clear(&r->shown);
    shoal_i_release_free(r->parsed);
    shoal_i_received_clear(&r->received);
}

void shoal_i_stage_clear(shoal_i_stage_set *stage)
{
    for (size_t i = 0; i < stage->release_count; i++) {
        clear_release(&stage->releases[i]);
    }
    free(stage->releases);
    free(stage->attacked);
    shoal_i_population_clear(&stage->population);
    shoal_i_posed_clear(&stage->posed);
    *stage = (shoal_i_stage_set){0};
}

shoal_status shoal_i_stage_open(shoal_ctx *ctx, shoal_i_stage_set *out, const shoal_spec *spec,
                                const shoal_i_prepared *original, size_t release_count,
                                unsigned asked, bool knows_method)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, out->attacked, release_count);
    SHOAL_ALLOC(ctx, out->releases, release_count);
    out->scene = (shoal_i_attack_scene){
        .quasi = original->quasi,
        .record_count = shoal_table_row_count(original->table),
        .persons = shoal_i_prepared_persons(original),
        .record_k = original->record_k,
        .requirements = &original->requirements.set,
        .releases = out->attacked,
        .known = spec->attack_known,
        .errors = spec->attack_errors,
        .seed = ctx->seed,
    };
    if (shoal_i_spec_has_population(spec) &&
        (shoal_i_attack_asks_population(asked) ||
         (knows_method && shoal_i_spec_reads_population(spec)))) {
        SHOAL_TRY(shoal_i_population_open(ctx, &out->population, spec, original));
        out->scene.population = out->population.people;
        out->scene.population_count = shoal_table_row_count(out->population.prepared.table);
    }
    if (knows_method && original->requirements.set.count > 0) {
        out->chosen = shoal_i_spec_method(spec);
        SHOAL_TRY(shoal_i_pose(ctx, &out->posed, spec, original->quasi, &original->requirements,
                               original->record_k, out->population.people));
        out->scene.method = out->chosen.method;
        out->scene.settings = &out->chosen.settings;
        out->scene.problem = &out->posed.problem;
    }
done:
    return st;
}

/* The next release is there. */
static void add_attacked(shoal_i_stage_set *stage, const shoal_i_release *release,
                         const shoal_i_shown *shown, const char *name)
{
    shoal_i_stage_release *r = &stage->releases[stage->scene.release_count];

    stage->attacked[stage->scene.release_count++] = (shoal_i_attacked){
        .name = name,
        .release = release,
        .shown = shown->shown,
        .box_of = r->box_of,
        .row_persons = r->row_persons.of ? &r->row_persons : NULL,
    };
    if (stage->scene.release_count == 1) {
        stage->scene.truth = shown->truth;
        stage->scene.sensitive_count = shown->count;
    }
}

/* Who stands behind which row, of a release by classes that leaves nobody out. */
static shoal_status match_rows(shoal_ctx *ctx, shoal_i_stage_release *r, const shoal_spec *spec,
                               const shoal_i_prepared *original, const shoal_i_release *parsed,
                               const shoal_i_received *received, const char *name)
{
    shoal_status st = SHOAL_OK;
    shoal_i_matched matched = {0};
    uint32_t *record_of = NULL;

    if (parsed->shape != SHOAL_I_SHAPE_CLASSES || parsed->omitted > 0) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_match_records(ctx, &matched, original, parsed, received,
                                    shoal_i_spec_has_role(spec, SHOAL_ROLE_SENSITIVE), name));
    if (shoal_i_prepared_persons(original)) {
        SHOAL_TRY(shoal_i_matched_rows(ctx, &record_of, &matched, parsed));
        SHOAL_TRY(shoal_i_persons_init_rows(ctx, &r->row_persons, &original->persons, record_of,
                                            parsed->row_count));
    }
    r->box_of = matched.box_of;
    matched.box_of = NULL;
done:
    free(record_of);
    shoal_i_matched_clear(&matched);
    return st;
}

shoal_status shoal_i_stage_add(shoal_ctx *ctx, shoal_i_stage_set *stage, const shoal_spec *spec,
                               const shoal_i_prepared *original,
                               const shoal_i_given_release *given)
{
    shoal_status st = SHOAL_OK;
    shoal_i_stage_release *r = &stage->releases[stage->release_count++];
    const char *name = shoal_i_given_name(&given->rows);

    SHOAL_TRY(shoal_i_received_read(ctx, &r->received, spec, given, 0,
                                    shoal_i_spec_has_role(spec, SHOAL_ROLE_SENSITIVE)));
    SHOAL_TRY(shoal_i_parse_beside(ctx, &r->parsed, original, &r->received, spec));
    SHOAL_TRY(shoal_i_shown_build(ctx, &r->shown, spec, original, r->parsed, &r->received));
    SHOAL_TRY(match_rows(ctx, r, spec, original, r->parsed, &r->received, name));
    add_attacked(stage, r->parsed, &r->shown, name);
done:
    return st;
}

shoal_status shoal_i_stage_add_parsed(shoal_ctx *ctx, shoal_i_stage_set *stage,
                                      const shoal_spec *spec, const shoal_i_prepared *original,
                                      const shoal_i_release *parsed,
                                      const shoal_i_received *received,
                                      const shoal_i_shown *shown, const char *name)
{
    shoal_status st = SHOAL_OK;
    shoal_i_stage_release *r = &stage->releases[stage->release_count++];

    SHOAL_TRY(match_rows(ctx, r, spec, original, parsed, received, name));
    add_attacked(stage, parsed, shown, name);
done:
    return st;
}

shoal_status shoal_i_stage_add_made(shoal_ctx *ctx, shoal_i_stage_set *stage,
                                    const shoal_i_prepared *original,
                                    const shoal_i_release *release, const shoal_i_shown *shown)
{
    shoal_status st = SHOAL_OK;
    shoal_i_stage_release *r = &stage->releases[stage->release_count++];

    if (release->shape == SHOAL_I_SHAPE_CLASSES) {
        SHOAL_ALLOC(ctx, r->box_of, release->row_count);
        for (size_t i = 0; i < release->row_count; i++) {
            r->box_of[i] = release->box_of[i];
        }
    }
    add_attacked(stage, release, shown, "");
    stage->attacked[stage->scene.release_count - 1].row_persons =
        shoal_i_prepared_persons(original);
done:
    return st;
}

/* --- One release of a run. ---------------------------------------------------------------- */

shoal_status shoal_i_attacks_check(shoal_ctx *ctx, const shoal_spec *spec, size_t release_count,
                                   bool has_method)
{
    shoal_i_attack_means means = {.has_sensitive =
                                      shoal_i_spec_has_role(spec, SHOAL_ROLE_SENSITIVE),
                                  .has_population = shoal_i_spec_has_population(spec),
                                  .has_method = has_method,
                                  .release_count = release_count};

    return shoal_i_attack_check(ctx, spec->attacks, &means);
}

shoal_status shoal_i_attacks_find(shoal_ctx *ctx, shoal_i_attack_findings *out,
                                  const shoal_spec *spec, unsigned asked,
                                  const shoal_i_prepared *original,
                                  const shoal_i_release *release,
                                  const shoal_i_received *received, const shoal_i_shown *shown,
                                  const char *name)
{
    shoal_status st = SHOAL_OK;
    shoal_i_stage_set stage = {0};

    if (asked == 0) {
        return SHOAL_OK;
    }
    SHOAL_TRY(
        shoal_i_stage_open(ctx, &stage, spec, original, 1, asked, !received || spec->method));
    SHOAL_TRY(received ? shoal_i_stage_add_parsed(ctx, &stage, spec, original, release,
                                                  received, shown, name)
                       : shoal_i_stage_add_made(ctx, &stage, original, release, shown));
    SHOAL_TRY(shoal_i_attack_run(ctx, out, &stage.scene, asked));
done:
    shoal_i_stage_clear(&stage);
    return st;
}

#include "attack.h"

#include "../base/fail.h"
#include "judge.h"

#include <math.h>

/* Means of figures that are all as promised may differ from it by rounding. */
#define ROUNDING 1e-9

const shoal_i_attack_kind *const shoal_i_attack_kinds[] = {
    &shoal_i_attack_linkage,     &shoal_i_attack_homogeneity,  &shoal_i_attack_definetti,
    &shoal_i_attack_matching,    &shoal_i_attack_presence,     &shoal_i_attack_minimality,
    &shoal_i_attack_composition, &shoal_i_attack_intersection, NULL,
};

/* The same order; a test compares them. */
const char *const shoal_i_attack_words[] = {"linkage",     "homogeneity",  "definetti",
                                            "matching",    "presence",     "minimality",
                                            "composition", "intersection", NULL};

void shoal_i_attack_findings_clear(shoal_i_attack_findings *findings)
{
    free(findings->items);
    *findings = (shoal_i_attack_findings){0};
}

static bool is_asked(unsigned asked, size_t kind)
{
    return asked == 0 || (asked >> kind & 1) != 0;
}

/* What is lacking for an attack, in words; NULL: nothing. */
static const char *find_lack(const shoal_i_attack_kind *kind, const shoal_i_attack_means *means)
{
    if (kind->needs_sensitive && !means->has_sensitive) {
        return "it is about sensitive values, and no column has the role sensitive";
    }
    if (kind->needs_population && !means->has_population) {
        return "it is about who of a population is in the release, and none is given "
               "(`privacy.population`)";
    }
    if (kind->least_releases > means->release_count) {
        return "it is about several releases, and there is one";
    }
    if (kind->needs_method && !means->has_method) {
        return "its attacker knows the method, and how the release was made is not given "
               "(`method`)";
    }
    return NULL;
}

bool shoal_i_attack_asks_population(unsigned asked)
{
    for (size_t i = 0; shoal_i_attack_kinds[i]; i++) {
        if (is_asked(asked, i) && shoal_i_attack_kinds[i]->needs_population) {
            return true;
        }
    }
    return false;
}

shoal_status shoal_i_attack_check(shoal_ctx *ctx, unsigned asked,
                                  const shoal_i_attack_means *means)
{
    for (size_t i = 0; shoal_i_attack_kinds[i]; i++) {
        const shoal_i_attack_kind *kind = shoal_i_attack_kinds[i];
        const char *lack = (asked >> i & 1) != 0 ? find_lack(kind, means) : NULL;

        if (lack) {
            return shoal_i_fail(ctx, SHOAL_EINVAL, "The attack %s cannot be run: %s.",
                                kind->name, lack);
        }
    }
    return SHOAL_OK;
}

static shoal_i_attack_finding start_finding(const shoal_i_attack_kind *kind,
                                            const shoal_i_attack_scene *scene, size_t column)
{
    return (shoal_i_attack_finding){
        .kind = kind,
        .column = kind->needs_sensitive && column < scene->sensitive_count
                      ? scene->truth[column].name
                      : NULL,
        .promise = NAN,
        .reached = NAN,
        .worst = NAN,
        .without = NAN,
        .low = NAN,
        .high = NAN,
    };
}

static size_t count_runs(const shoal_i_attack_kind *kind, const shoal_i_attack_scene *scene)
{
    return kind->needs_sensitive && scene->sensitive_count > 0 ? scene->sensitive_count : 1;
}

static shoal_status run_kind(shoal_ctx *ctx, shoal_i_attack_findings *found,
                             const shoal_i_attack_kind *kind, const shoal_i_attack_scene *scene,
                             const shoal_i_attack_means *means)
{
    shoal_status st = SHOAL_OK;
    const char *lack = find_lack(kind, means);

    for (size_t column = 0; column < count_runs(kind, scene); column++) {
        shoal_i_attack_finding *finding = &found->items[found->count];

        *finding = start_finding(kind, scene, column);
        if (lack) {
            shoal_i_attack_not_done(finding, "%s", lack);
        } else {
            SHOAL_TRY(kind->run(ctx, finding, scene, column));
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
        found->count++;
    }
done:
    return st;
}

shoal_status shoal_i_attack_run(shoal_ctx *ctx, shoal_i_attack_findings *out,
                                const shoal_i_attack_scene *scene, unsigned asked)
{
    shoal_status st = SHOAL_OK;
    shoal_i_attack_findings found = {0};
    shoal_i_attack_means means = {.has_sensitive = scene->sensitive_count > 0,
                                  .has_population = scene->population != NULL,
                                  .has_method = scene->method != NULL,
                                  .release_count = scene->release_count};
    size_t most = 0;

    *out = found;
    SHOAL_TRY(shoal_i_attack_check(ctx, asked, &means));
    for (size_t i = 0; shoal_i_attack_kinds[i]; i++) {
        most += is_asked(asked, i) ? count_runs(shoal_i_attack_kinds[i], scene) : 0;
    }
    SHOAL_ALLOC(ctx, found.items, most);
    for (size_t i = 0; shoal_i_attack_kinds[i]; i++) {
        if (is_asked(asked, i)) {
            SHOAL_TRY(run_kind(ctx, &found, shoal_i_attack_kinds[i], scene, &means));
            SHOAL_TRY(shoal_i_progress(ctx, "attack", (double)found.count / (double)most));
        }
    }
    *out = found;
    found = (shoal_i_attack_findings){0};
done:
    shoal_i_attack_findings_clear(&found);
    return st;
}

bool shoal_i_attack_is_kept(const shoal_i_attack_finding *finding)
{
    if (finding->reason[0] || isnan(finding->promise)) {
        return true;
    }
    double least = finding->is_sampled ? finding->low : finding->reached;
    double slack = ROUNDING * fmax(1, fabs(finding->promise));

    return finding->beyond == 0 &&
           (finding->kind->larger_is_safer ? finding->reached >= finding->promise - slack
                                           : least <= finding->promise + slack);
}

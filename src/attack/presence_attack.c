/* Presence: whoever knows a population asks who of it is in the release.
 *
 * A class of s rows into which P people of the population fall has each of them with the chance
 * s/P. Where boxes overlap, somebody may be in any class that covers him, and in one only: the
 * chances add up, to at most 1. Delta-presence bounds each class by itself, so that a person
 * whom several classes cover may be present more likely than promised.
 *
 *   Nergiz, Atzori, Clifton, "Hiding the presence of individuals from shared databases", SIGMOD
 *   2007, doi:10.1145/1247480.1247554
 *
 * Under attack are those who are present, and that is what the attacker does not know. */
#include "attack.h"

#include "../requirement/figure.h"
#include "cover.h"
#include "judge.h"

#include <math.h>

typedef struct seeking {
    const shoal_i_attack_scene *scene;
    shoal_i_cover cover;
    double *shares; /* of each box: rows, or persons, of the people that fall into it */
    double sum;
} seeking;

static bool add_share(void *payload, size_t box)
{
    seeking *s = payload;

    s->sum += s->shares[box];
    return false;
}

static shoal_status find_shares(shoal_ctx *ctx, seeking *s)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_release *release = s->cover.release;
    size_t width = release->quasi->count;
    shoal_i_interval *scratch = NULL;
    uint64_t *sizes = NULL;

    SHOAL_ALLOC(ctx, s->shares, release->box_count);
    SHOAL_ALLOC(ctx, scratch, width);
    SHOAL_TRY(shoal_i_persons_count_groups(ctx, &sizes, s->scene->releases[0].row_persons,
                                           release->box_of, release->row_count,
                                           release->box_count));
    for (size_t b = 0; b < release->box_count; b++) {
        uint64_t people =
            shoal_i_people_count(s->scene->population, release->boxes + b * width, scratch);

        s->shares[b] = fmin(1, shoal_i_ratio(sizes[b], people > 0 ? people : 1));
        if (b % 1024 == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
done:
    free(scratch);
    free(sizes);
    return st;
}

static shoal_status find_figures(shoal_ctx *ctx, double *figures, seeking *s)
{
    shoal_status st = SHOAL_OK;
    shoal_i_interval *point = NULL;
    double *sums = NULL;

    SHOAL_ALLOC(ctx, point, s->scene->quasi->count);
    SHOAL_ALLOC(ctx, sums, s->cover.point_count);
    for (size_t i = 0; i < s->cover.point_count; i++) {
        s->sum = 0;
        shoal_i_cover_point(&s->cover, point, s->cover.first[i]);
        shoal_i_cover_find(&s->cover, point, add_share, s);
        sums[i] = s->sum > 0 ? fmin(1, s->sum) : NAN;
        if (i % 1024 == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
    for (size_t i = 0; i < s->scene->record_count; i++) {
        figures[i] = sums[s->cover.point_of[i]];
    }
done:
    free(point);
    free(sums);
    return st;
}

/* The least of the shares that delta-presence allows. */
static void find_promise(shoal_i_attack_finding *out, const shoal_i_attack_scene *scene)
{
    for (size_t i = 0; i < scene->requirements->count; i++) {
        const shoal_i_requirement *r = &scene->requirements->items[i];
        bool is_presence =
            r->kind == &shoal_i_presence_most || r->kind == &shoal_i_presence_between;

        if (is_presence && !(r->value >= out->promise)) {
            out->promise = r->value;
            out->promised_by = r->kind->title;
        }
    }
}

static shoal_status run(shoal_ctx *ctx, shoal_i_attack_finding *out,
                        const shoal_i_attack_scene *scene, size_t column)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_release *release = scene->releases[0].release;
    seeking s = {.scene = scene};
    double *figures = NULL;

    (void)column;
    find_promise(out, scene);
    out->without = fmin(1, shoal_i_ratio(release->row_count, scene->population_count));
    SHOAL_TRY(shoal_i_cover_build(ctx, &s.cover, scene, release));
    SHOAL_TRY(find_shares(ctx, &s));
    SHOAL_ALLOC(ctx, figures, scene->record_count);
    SHOAL_TRY(find_figures(ctx, figures, &s));
    SHOAL_TRY(
        shoal_i_attack_judge(ctx, out, scene, figures, NULL, SHOAL_I_ATTACK_WORST_RECORD));
done:
    free(figures);
    free(s.shares);
    shoal_i_cover_clear(&s.cover);
    return st;
}

const shoal_i_attack_kind shoal_i_attack_presence = {
    .name = "presence",
    .title = "Presence",
    .attacker = "Knows a population with its quasi-identifiers, and asks who of it is in the "
                "release.",
    .figure = "chance that somebody in the release is known to be in it",
    .helps = "delta-presence with classes that do not overlap (incognito); coarser classes",
    .citation = "Nergiz, Atzori and Clifton 2007, doi:10.1145/1247480.1247554",
    .needs_population = true,
    .run = run,
};

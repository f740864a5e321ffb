/* Homogeneity and background knowledge: whoever knows in which class or bucket somebody is need
 * not find his row.
 *
 * Where all rows there have one value, it is known (homogeneity). Else the attacker rules out
 * values by what he knows from elsewhere; with d different values, the rest is certain when d -
 * 1 of them are ruled out, whichever they are. So d - 1 is the figure of everybody in the
 * group, and l-diversity promises at least l - 1.
 *
 *   Machanavajjhala, Gehrke, Kifer, Venkitasubramaniam, "l-diversity: privacy beyond
 *   k-anonymity", ICDE 2006, doi:10.1109/ICDE.2006.1
 *
 * Of boxes per record the group of a person is all rows whose boxes cover him. Where a record
 * could be in several classes because boxes overlap, it counts in that of its row; where rows
 * are not matched, in all that cover it together. */
#include "attack.h"

#include "../base/pool.h"
#include "cover.h"
#include "judge.h"
#include "promise.h"

#include <math.h>

typedef struct counting {
    const shoal_i_attack_scene *scene;
    const shoal_i_attacked *attacked;
    const uint32_t *codes; /* of the rows */
    shoal_i_cover cover;
} counting;

/* --- Groups that are known: classes, buckets. --------------------------------------------- */

/* How many different values each group has; *out is to be freed. */
static shoal_status count_values(shoal_ctx *ctx, uint32_t **out, const counting *c,
                                 const uint32_t *group_of, size_t group_count, size_t values)
{
    shoal_status st = SHOAL_OK;
    size_t rows = c->attacked->release->row_count;
    uint32_t *counts = NULL;
    uint32_t *starts = NULL;
    uint32_t *listed = NULL;
    uint32_t *stamps = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, counts, group_count);
    SHOAL_ALLOC(ctx, starts, group_count + 2);
    SHOAL_ALLOC(ctx, listed, rows);
    SHOAL_ALLOC(ctx, stamps, values);
    for (size_t row = 0; row < rows; row++) {
        starts[group_of[row] + 2]++;
    }
    for (size_t g = 0; g < group_count; g++) {
        starts[g + 2] += starts[g + 1];
    }
    for (size_t row = 0; row < rows; row++) {
        listed[starts[group_of[row] + 1]++] = c->codes[row];
    }
    for (size_t g = 0; g < group_count; g++) {
        for (size_t i = starts[g]; i < starts[g + 1]; i++) {
            counts[g] += stamps[listed[i]] != g + 1;
            stamps[listed[i]] = (uint32_t)g + 1;
        }
    }
    *out = counts;
    counts = NULL;
done:
    free(counts);
    free(starts);
    free(listed);
    free(stamps);
    return st;
}

/* --- Rows that cover a point. ------------------------------------------------------------- */

typedef struct seen {
    const counting *c;
    const uint32_t *group_of; /* of rows: buckets, whose values count; NULL: the rows' own do */
    const uint32_t *counts;
    uint32_t *stamps; /* of each value */
    uint32_t stamp;
    double different;
} seen;

static bool see_box(void *payload, size_t box)
{
    seen *s = payload;
    const shoal_i_cover *cover = &s->c->cover;

    for (size_t i = cover->row_starts[box]; i < cover->row_starts[box + 1]; i++) {
        uint32_t row = cover->rows[i];

        if (s->group_of) { /* the bucket that tells most */
            s->different = fmin(s->different, s->counts[s->group_of[row]]);
        } else if (s->stamps[s->c->codes[row]] != s->stamp) {
            s->stamps[s->c->codes[row]] = s->stamp;
            s->different++;
        }
    }
    return false;
}

/* The figure of each record from the rows that cover its point: of buckets the worst of theirs,
 * else all different values of the rows. */
static shoal_status see_points(shoal_ctx *ctx, double *figures, counting *c,
                               const uint32_t *counts, size_t values)
{
    shoal_status st = SHOAL_OK;
    bool by_bucket = c->attacked->release->shape == SHOAL_I_SHAPE_BUCKETS;
    seen s = {.c = c,
              .group_of = by_bucket ? c->attacked->release->bucket_of : NULL,
              .counts = counts};
    shoal_i_interval *point = NULL;
    double *found = NULL;

    SHOAL_TRY(shoal_i_cover_build(ctx, &c->cover, c->scene, c->attacked->release));
    SHOAL_ALLOC(ctx, s.stamps, values);
    SHOAL_ALLOC(ctx, point, c->scene->quasi->count);
    SHOAL_ALLOC(ctx, found, c->cover.point_count);
    for (size_t i = 0; i < c->cover.point_count; i++) {
        s.stamp++;
        s.different = by_bucket ? HUGE_VAL : 0;
        shoal_i_cover_point(&c->cover, point, c->cover.first[i]);
        shoal_i_cover_find(&c->cover, point, see_box, &s);
        found[i] = isfinite(s.different) && s.different > 0 ? s.different - 1 : NAN;
        if (i % 1024 == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
    for (size_t i = 0; i < c->scene->record_count; i++) {
        figures[i] = found[c->cover.point_of[i]];
    }
done:
    free(s.stamps);
    free(point);
    free(found);
    return st;
}

/* --- The attack. -------------------------------------------------------------------------- */

static shoal_status find_figures(shoal_ctx *ctx, double *figures, counting *c, size_t values)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_release *release = c->attacked->release;
    uint32_t *counts = NULL;

    if (release->shape == SHOAL_I_SHAPE_BUCKETS) {
        SHOAL_TRY(
            count_values(ctx, &counts, c, release->bucket_of, release->bucket_count, values));
        SHOAL_TRY(see_points(ctx, figures, c, counts, values));
    } else if (c->attacked->box_of) {
        SHOAL_TRY(count_values(ctx, &counts, c, release->box_of, release->box_count, values));
        for (size_t i = 0; i < c->scene->record_count; i++) {
            figures[i] = (double)counts[c->attacked->box_of[i]] - 1;
        }
    } else {
        SHOAL_TRY(see_points(ctx, figures, c, NULL, values));
    }
done:
    free(counts);
    return st;
}

static shoal_status run(shoal_ctx *ctx, shoal_i_attack_finding *out,
                        const shoal_i_attack_scene *scene, size_t column)
{
    shoal_status st = SHOAL_OK;
    shoal_i_bound_promise promise = shoal_i_promise_ruled_out(scene, column);
    counting c = {.scene = scene,
                  .attacked = &scene->releases[0],
                  .codes = scene->releases[0].shown[column].codes};
    double *figures = NULL;

    out->promise = promise.bound;
    out->promised_by = promise.by;
    out->without = (double)scene->truth[column].value_count - 1;
    SHOAL_ALLOC(ctx, figures, scene->record_count);
    SHOAL_TRY(find_figures(ctx, figures, &c, scene->truth[column].value_count));
    SHOAL_TRY(
        shoal_i_attack_judge(ctx, out, scene, figures, NULL, SHOAL_I_ATTACK_WORST_RECORD));
done:
    free(figures);
    shoal_i_cover_clear(&c.cover);
    return st;
}

const shoal_i_attack_kind shoal_i_attack_homogeneity = {
    .name = "homogeneity",
    .title = "Homogeneity and background knowledge",
    .attacker = "Knows in which class or bucket somebody is, and rules out sensitive values by "
                "what he knows from elsewhere.",
    .figure = "values to rule out until the rest is certain",
    .helps = "l-diversity with a larger l; t-closeness, which also keeps the rest from being "
             "likely",
    .citation = "Machanavajjhala and others 2006, doi:10.1109/ICDE.2006.1",
    .larger_is_safer = true,
    .needs_sensitive = true,
    .run = run,
};

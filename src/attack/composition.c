/* Composition: whoever has two releases puts together what each says of somebody.
 *
 *   Ganta, Kasiviswanathan, Smith, "Composition attacks and auxiliary information in data
 *   privacy", KDD 2008, doi:10.1145/1401890.1401926
 *
 * A release says: he is one of these, and has one of these values. Of two of them both is true,
 * so he is one of those, and has one of those values, that they have in common. Two attacks,
 * as what is promised of either is another thing:
 *
 *   composition    how many others are left with whom somebody is in one class in all releases
 *   intersection   how likely his likeliest value is among those that all of his classes have:
 *                  a value counts as often as in the class that has it least, as no more people
 *                  can have it that are in all of them
 *
 * Of a release that leaves somebody out it is not known who is in which class. There he may be
 * in any class that covers him, and hides among all of their rows; where none does, the
 * release says nothing of him. */
#include "attack.h"

#include "../base/fail.h"
#include "../release/number.h"
#include "cover.h"
#include "judge.h"
#include "promise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct putting {
    const shoal_i_attack_scene *scene;
    size_t column;    /* of the sensitive ones */
    size_t values;    /* of that column; 0: none is asked for */
    uint32_t *counts; /* of a release: class by class, of each value */
} putting;

/* --- Releases of which it is not known who is where. -------------------------------------- */

typedef struct covering {
    const shoal_i_release *release;
    const uint32_t *counts; /* of the values of each class; NULL: none are asked for */
    size_t values;
    uint64_t rows;
    uint64_t *sums; /* of each value */
} covering;

static bool add_class(void *payload, size_t box)
{
    covering *c = payload;

    c->rows += c->release->box_sizes[box];
    for (size_t v = 0; v < c->values; v++) {
        c->sums[v] += c->counts[box * c->values + v];
    }
    return false;
}

/* Call `found` for each record with the rows, and values, of all classes that cover it. */
typedef void (*covered_fn)(void *payload, size_t record, uint64_t rows, const uint64_t *sums);

static shoal_status cover_records(shoal_ctx *ctx, const putting *p,
                                  const shoal_i_release *release, covered_fn found,
                                  void *payload)
{
    shoal_status st = SHOAL_OK;
    shoal_i_cover cover = {0};
    shoal_i_interval *point = NULL;
    covering c = {.release = release, .counts = p->counts, .values = p->values};

    SHOAL_TRY(shoal_i_cover_build(ctx, &cover, p->scene, release));
    SHOAL_ALLOC(ctx, point, release->quasi->count);
    SHOAL_ALLOC(ctx, c.sums, p->values);
    for (size_t r = 0; r < p->scene->record_count; r++) {
        c.rows = 0;
        memset(c.sums, 0, p->values * sizeof *c.sums);
        shoal_i_cover_point(&cover, point, r);
        shoal_i_cover_find(&cover, point, add_class, &c);
        found(payload, r, c.rows, c.sums);
        if (r % 1024 == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
done:
    free(c.sums);
    free(point);
    shoal_i_cover_clear(&cover);
    return st;
}

/* --- Why not. ----------------------------------------------------------------------------- */

static bool is_by_classes(const shoal_i_attack_scene *scene)
{
    bool is = true;

    for (size_t i = 0; i < scene->release_count; i++) {
        is = is && scene->releases[i].release->shape == SHOAL_I_SHAPE_CLASSES;
    }
    return is;
}

static void say_unknown(shoal_i_attack_finding *out, const shoal_i_attack_scene *scene)
{
    size_t unknown = 0;

    for (size_t i = 0; i < scene->release_count; i++) {
        unknown += scene->releases[i].box_of == NULL;
    }
    if (unknown > 0) {
        snprintf(out->note, sizeof out->note,
                 "%zu of %zu releases leave somebody out: who is in which of their classes is "
                 "not known, and all that cover a person count",
                 unknown, scene->release_count);
    }
}

/* --- People. ------------------------------------------------------------------------------ */

/* Number the records by their classes in all releases in which these are known. */
static shoal_status number_cells(shoal_ctx *ctx, uint32_t *cell_of, size_t *cells,
                                 const shoal_i_attack_scene *scene)
{
    shoal_status st = SHOAL_OK;
    uint64_t *keys = NULL;

    *cells = 1;
    SHOAL_ALLOC(ctx, keys, scene->record_count);
    for (size_t i = 0; i < scene->release_count; i++) {
        const uint32_t *box_of = scene->releases[i].box_of;

        for (size_t r = 0; box_of && r < scene->record_count; r++) {
            keys[r] = (uint64_t)cell_of[r] << 32 | box_of[r];
        }
        if (box_of) {
            SHOAL_TRY(shoal_i_number_keys(ctx, cell_of, cells, keys, scene->record_count));
        }
    }
done:
    free(keys);
    return st;
}

static void take_fewer(void *payload, size_t record, uint64_t rows, const uint64_t *sums)
{
    double *figures = payload;

    (void)sums;
    figures[record] = rows > 0 ? fmin(figures[record], (double)rows - 1) : figures[record];
}

/* Of each record, the other persons in its cell, who are its records where each is of one. */
static shoal_status count_people(shoal_ctx *ctx, double *figures, const uint32_t *cell_of,
                                 size_t cells, const shoal_i_attack_scene *scene)
{
    shoal_status st = SHOAL_OK;
    size_t records = scene->record_count;
    uint64_t *keys = NULL;
    uint32_t *pair_of = NULL;
    uint32_t *sizes = NULL;
    bool *is_seen = NULL;
    size_t pairs = 0;

    SHOAL_ALLOC(ctx, keys, records);
    SHOAL_ALLOC(ctx, pair_of, records);
    SHOAL_ALLOC(ctx, sizes, cells);
    for (size_t r = 0; r < records; r++) {
        keys[r] = (uint64_t)cell_of[r] << 32 | (scene->persons ? scene->persons->of[r] : r);
    }
    SHOAL_TRY(shoal_i_number_keys(ctx, pair_of, &pairs, keys, records));
    SHOAL_ALLOC(ctx, is_seen, pairs);
    for (size_t r = 0; r < records; r++) {
        sizes[cell_of[r]] += !is_seen[pair_of[r]];
        is_seen[pair_of[r]] = true;
    }
    for (size_t r = 0; r < records; r++) {
        figures[r] = sizes[cell_of[r]] - 1.0;
    }
done:
    free(keys);
    free(pair_of);
    free(sizes);
    free(is_seen);
    return st;
}

static shoal_status find_candidates(shoal_ctx *ctx, double *figures,
                                    const shoal_i_attack_scene *scene)
{
    shoal_status st = SHOAL_OK;
    putting p = {.scene = scene};
    uint32_t *cell_of = NULL;
    size_t cells = 0;

    SHOAL_ALLOC(ctx, cell_of, scene->record_count);
    SHOAL_TRY(number_cells(ctx, cell_of, &cells, scene));
    SHOAL_TRY(count_people(ctx, figures, cell_of, cells, scene));
    for (size_t i = 0; i < scene->release_count; i++) {
        if (!scene->releases[i].box_of) {
            SHOAL_TRY(cover_records(ctx, &p, scene->releases[i].release, take_fewer, figures));
        }
    }
done:
    free(cell_of);
    return st;
}

static shoal_status run_composition(shoal_ctx *ctx, shoal_i_attack_finding *out,
                                    const shoal_i_attack_scene *scene, size_t column)
{
    shoal_status st = SHOAL_OK;
    shoal_i_bound_promise promise = shoal_i_promise_found(scene);
    double *figures = NULL;
    double *promises = NULL;

    (void)column;
    if (!is_by_classes(scene)) {
        shoal_i_attack_not_done(out, "it is about releases by classes, and one of these is of "
                                     "another shape");
        return SHOAL_OK;
    }
    out->promise = 1 / promise.bound - 1;
    out->promised_by = promise.by;
    SHOAL_ALLOC(ctx, figures, scene->record_count);
    SHOAL_TRY(shoal_i_promise_found_each(ctx, &promises, scene));
    for (size_t r = 0; promises && r < scene->record_count; r++) {
        promises[r] = 1 / promises[r] - 1;
    }
    SHOAL_TRY(find_candidates(ctx, figures, scene));
    SHOAL_TRY(
        shoal_i_attack_judge(ctx, out, scene, figures, promises, SHOAL_I_ATTACK_WORST_RECORD));
    say_unknown(out, scene);
done:
    free(figures);
    free(promises);
    return st;
}

/* --- Values. ------------------------------------------------------------------------------ */

/* How often each record may have each value: as often as the class that has it least. */
typedef struct common {
    uint64_t *counts; /* record after record, of each value */
    size_t values;
} common;

static void take_least(void *payload, size_t record, uint64_t rows, const uint64_t *sums)
{
    common *c = payload;
    uint64_t *counts = c->counts + record * c->values;

    for (size_t v = 0; rows > 0 && v < c->values; v++) {
        counts[v] = sums[v] < counts[v] ? sums[v] : counts[v];
    }
}

static shoal_status count_release(shoal_ctx *ctx, putting *p, const shoal_i_attacked *attacked)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_release *release = attacked->release;

    free(p->counts);
    p->counts = NULL;
    SHOAL_ALLOC(ctx, p->counts, release->box_count * p->values);
    for (size_t row = 0; row < release->row_count; row++) {
        p->counts[release->box_of[row] * p->values + attacked->shown[p->column].codes[row]]++;
    }
done:
    return st;
}

static shoal_status put_together(shoal_ctx *ctx, common *c, putting *p)
{
    shoal_status st = SHOAL_OK;
    size_t records = p->scene->record_count;
    uint64_t *sums = NULL;

    SHOAL_ALLOC(ctx, c->counts, records * p->values);
    SHOAL_ALLOC(ctx, sums, p->values);
    memset(c->counts, 0xff, records * p->values * sizeof *c->counts);
    for (size_t i = 0; i < p->scene->release_count; i++) {
        const shoal_i_attacked *attacked = &p->scene->releases[i];

        SHOAL_TRY(count_release(ctx, p, attacked));
        if (!attacked->box_of) {
            SHOAL_TRY(cover_records(ctx, p, attacked->release, take_least, c));
            continue;
        }
        for (size_t r = 0; r < records; r++) {
            const uint32_t *of_class = p->counts + attacked->box_of[r] * p->values;

            for (size_t v = 0; v < p->values; v++) {
                sums[v] = of_class[v];
            }
            take_least(c, r, 1, sums);
        }
    }
done:
    free(sums);
    return st;
}

/* The chance of the value that passes its limit most, NaN where nothing was said of a record;
 * values without a limit count as one of 1. */
static double find_chance(double *limit, const uint64_t *counts, size_t values,
                          const double *limits)
{
    double total = 0;
    double worst = -1;
    double chance = NAN;

    for (size_t v = 0; v < values; v++) {
        total += counts[v] == UINT64_MAX ? NAN : (double)counts[v];
    }
    for (size_t v = 0; total > 0 && v < values; v++) {
        double share = (double)counts[v] / total;

        if (share / limits[v] > worst) {
            worst = share / limits[v];
            chance = share;
            *limit = limits[v];
        }
    }
    return chance;
}

static shoal_status judge_values(shoal_ctx *ctx, shoal_i_attack_finding *out, putting *p,
                                 const double *limits)
{
    shoal_status st = SHOAL_OK;
    size_t records = p->scene->record_count;
    common c = {.values = p->values};
    double *figures = NULL;
    double *promises = NULL;

    SHOAL_ALLOC(ctx, figures, records);
    SHOAL_ALLOC(ctx, promises, records);
    SHOAL_TRY(put_together(ctx, &c, p));
    for (size_t r = 0; r < records; r++) {
        figures[r] = find_chance(&promises[r], c.counts + r * p->values, p->values, limits);
    }
    SHOAL_TRY(shoal_i_attack_judge(ctx, out, p->scene, figures,
                                   isnan(out->promise) ? NULL : promises,
                                   SHOAL_I_ATTACK_WORST_RECORD));
    say_unknown(out, p->scene);
done:
    free(c.counts);
    free(figures);
    free(promises);
    return st;
}

static shoal_status run_intersection(shoal_ctx *ctx, shoal_i_attack_finding *out,
                                     const shoal_i_attack_scene *scene, size_t column)
{
    shoal_status st = SHOAL_OK;
    putting p = {.scene = scene, .column = column, .values = scene->truth[column].value_count};
    double *limits = NULL;

    if (!is_by_classes(scene)) {
        shoal_i_attack_not_done(out, "it is about releases by classes, and one of these is of "
                                     "another shape");
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, limits, p.values);
    shoal_i_bound_promise promise = shoal_i_promise_share(limits, scene, column);

    out->promise = promise.bound;
    out->promised_by = promise.by;
    SHOAL_TRY(judge_values(ctx, out, &p, limits));
done:
    free(limits);
    free(p.counts);
    return st;
}

const shoal_i_attack_kind shoal_i_attack_composition = {
    .name = "composition",
    .title = "Composition",
    .attacker =
        "Has several releases of the same people, knows in which class of each somebody "
        "is, and looks who is with him in all of them.",
    .figure = "others left in what the classes have in common",
    .helps = "classes that nest in those of the earlier release (`privacy.previous`)",
    .citation = "Ganta, Kasiviswanathan and Smith 2008, doi:10.1145/1401890.1401926",
    .larger_is_safer = true,
    .least_releases = 2,
    .run = run_composition,
};

const shoal_i_attack_kind shoal_i_attack_intersection = {
    .name = "intersection",
    .title = "Composition: sensitive values",
    .attacker =
        "Has several releases of the same people, knows in which class of each somebody "
        "is, and looks which values all of these classes have.",
    .figure = "chance of the value that passes its limit most",
    .helps = "classes that nest in those of the earlier release (`privacy.previous`)",
    .citation = "Ganta, Kasiviswanathan and Smith 2008, doi:10.1145/1401890.1401926",
    .needs_sensitive = true,
    .least_releases = 2,
    .run = run_intersection,
};

/* Matching: whoever knows everybody's quasi-identifier knows that rows and records belong
 * together one by one.
 *
 * A row that covers somebody may still be impossible: where some perfect matching of all
 * records and rows is needed, and none has this pair, it cannot be true. What is left are the
 * candidates of a person; the attacker takes one of them at random, and where there is one
 * only, the link is certain. compatible.h finds the pairs.
 *
 *   Wong, Mamoulis, Cheung, "Non-homogeneous generalization in privacy preserving data
 *   publishing", SIGMOD 2010, doi:10.1145/1807167.1807248
 *   Tassa, "Finding all maximally-matchable edges in a bipartite graph", 2012,
 *   doi:10.1016/j.tcs.2011.12.071
 *
 * Who also believes that every perfect matching is as likely as the other, can weigh the
 * candidates: the chance of a pair is the permanent of what is left without it by the permanent
 * of all. That is worked out where parts that can be matched by themselves are small (subsets
 * of at most PART_MOST rows), and told as a note: it is a belief. The method nonhomogeneous
 * draws among k matchings, all equally likely, so that it is wrong there. */
#include "attack.h"

#include "../base/pool.h"
#include "../measure/compatible.h"
#include "cover.h"
#include "judge.h"
#include "promise.h"

#include <math.h>
#include <stdio.h>

#define POINTS_PER_TASK 256
#define PART_MOST 12

typedef struct matching {
    const shoal_i_attack_scene *scene;
    const shoal_i_attacked *attacked;
    shoal_i_compatible *graph;
    uint32_t *parts; /* of points, then of boxes */
    shoal_i_cover cover;
    double *chances; /* of each point */
} matching;

/* --- Candidates. -------------------------------------------------------------------------- */

typedef struct counted {
    const matching *m;
    uint32_t part;
    uint64_t candidates;
    uint32_t *stamps; /* of persons; NULL: rows count */
    uint32_t stamp;
} counted;

static bool count_box(void *payload, size_t box)
{
    counted *c = payload;
    const matching *m = c->m;

    if (m->parts[m->graph->point_count + box] != c->part) {
        return false;
    }
    if (!c->stamps) {
        c->candidates += m->graph->sizes[box];
        return false;
    }
    for (size_t i = m->cover.row_starts[box]; i < m->cover.row_starts[box + 1]; i++) {
        uint32_t person = m->attacked->row_persons->of[m->cover.rows[i]];

        c->candidates += c->stamps[person] != c->stamp;
        c->stamps[person] = c->stamp;
    }
    return false;
}

static shoal_status count_points(shoal_ctx *ctx, void *payload, size_t task)
{
    shoal_status st = SHOAL_OK;
    matching *m = payload;
    counted c = {.m = m};
    shoal_i_interval *point = NULL;
    size_t end = (task + 1) * POINTS_PER_TASK;

    end = end < m->cover.point_count ? end : m->cover.point_count;
    SHOAL_ALLOC(ctx, point, m->scene->quasi->count);
    if (m->attacked->row_persons) {
        SHOAL_ALLOC(ctx, c.stamps, m->attacked->row_persons->count);
    }
    for (size_t i = task * POINTS_PER_TASK; i < end; i++) {
        /* The points of both are those of shoal_i_number_records. */
        c.part = m->parts[i];
        c.candidates = 0;
        c.stamp++;
        shoal_i_cover_point(&m->cover, point, m->cover.first[i]);
        shoal_i_cover_find(&m->cover, point, count_box, &c);
        m->chances[i] = c.candidates > 0 ? 1 / (double)c.candidates : NAN;
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(point);
    free(c.stamps);
    return st;
}

/* --- Beliefs of small parts. -------------------------------------------------------------- */

/* The records and rows of a part that can be matched by themselves. */
typedef struct part {
    size_t count;
    uint32_t records[PART_MOST];
    uint32_t boxes[PART_MOST]; /* of the rows */
    uint32_t edges[PART_MOST]; /* of each record: its rows, a bit each */
    double *before;            /* by set of rows: ways to match the first records to them */
    double *after;             /* ways to match the last records to all others */
} part;

static bool covers(const matching *m, size_t box, size_t record)
{
    const shoal_i_quasi *quasi = m->scene->quasi;
    const shoal_i_interval *intervals = m->cover.release->boxes + box * quasi->count;

    for (size_t c = 0; c < quasi->count; c++) {
        uint32_t code = shoal_i_quasi_code(quasi, c, record);

        if (code < intervals[c].lo || code > intervals[c].hi) {
            return false;
        }
    }
    return true;
}

static size_t count_bits(uint32_t set)
{
    size_t count = 0;

    for (; set; set &= set - 1) {
        count++;
    }
    return count;
}

/* The surest pair of a part, as a share of all perfect matchings. Record i takes a row behind
 * those of the records before it: ways add up over sets of rows. */
static double find_surest(part *p)
{
    uint32_t all = ((uint32_t)1 << p->count) - 1;
    double ways[PART_MOST][PART_MOST] = {{0}};
    double surest = 0;
    bool is_whole = true;

    for (size_t i = 0; i < p->count; i++) {
        is_whole = is_whole && p->edges[i] == all;
    }
    if (is_whole) { /* nobody can be told from the other */
        return 1 / (double)p->count;
    }
    for (uint32_t set = 0; set <= all; set++) {
        p->before[set] = set == 0;
        for (size_t j = 0; set > 0 && j < p->count; j++) {
            if ((set >> j & 1) && (p->edges[count_bits(set) - 1] >> j & 1)) {
                p->before[set] += p->before[set & ~((uint32_t)1 << j)];
            }
        }
    }
    for (uint32_t set = all + 1; set-- > 0;) {
        p->after[set] = set == all;
        for (size_t j = 0; set < all && j < p->count; j++) {
            if (!(set >> j & 1) && (p->edges[count_bits(set)] >> j & 1)) {
                p->after[set] += p->after[set | (uint32_t)1 << j];
            }
        }
    }
    for (uint32_t set = 0; set < all; set++) {
        size_t i = count_bits(set);

        for (size_t j = 0; j < p->count; j++) {
            if (!(set >> j & 1) && (p->edges[i] >> j & 1)) {
                ways[i][j] += p->before[set] * p->after[set | (uint32_t)1 << j];
            }
        }
    }
    for (size_t i = 0; i < p->count; i++) {
        for (size_t j = 0; j < p->count; j++) {
            surest = fmax(surest, ways[i][j] / p->before[all]);
        }
    }
    return surest;
}

/* Fill a part; false when it is too large. */
static bool load_part(part *p, const matching *m, const uint32_t *records, const uint32_t *rows,
                      size_t record_count, size_t row_count)
{
    const shoal_i_release *release = m->cover.release;

    if (record_count > PART_MOST || record_count != row_count) {
        return false;
    }
    p->count = record_count;
    for (size_t i = 0; i < record_count; i++) {
        p->records[i] = records[i];
        p->boxes[i] = release->box_of[rows[i]];
    }
    for (size_t i = 0; i < record_count; i++) {
        p->edges[i] = 0;
        for (size_t j = 0; j < record_count; j++) {
            p->edges[i] |= (uint32_t)covers(m, p->boxes[j], p->records[i]) << j;
        }
    }
    return true;
}

/* Lists of what belongs to each part. */
static void list_by_part(uint32_t *starts, uint32_t *listed, const uint32_t *part_of,
                         size_t count, size_t part_count)
{
    for (size_t i = 0; i < count; i++) {
        starts[part_of[i] + 2]++;
    }
    for (size_t p = 0; p < part_count; p++) {
        starts[p + 2] += starts[p + 1];
    }
    for (size_t i = 0; i < count; i++) {
        listed[starts[part_of[i] + 1]++] = (uint32_t)i;
    }
}

/* The surest belief of all, where every part is small; NaN: some is not. */
static shoal_status find_belief(shoal_ctx *ctx, double *out, const matching *m)
{
    shoal_status st = SHOAL_OK;
    size_t count = m->scene->record_count;
    size_t parts = m->graph->point_count + m->graph->box_count;
    uint32_t *part_of = NULL; /* of records, then of rows */
    uint32_t *starts = NULL;
    uint32_t *listed = NULL;
    part p = {0};

    *out = NAN;
    SHOAL_ALLOC(ctx, part_of, 2 * count);
    SHOAL_ALLOC(ctx, starts, 2 * (parts + 2));
    SHOAL_ALLOC(ctx, listed, 2 * count);
    SHOAL_ALLOC(ctx, p.before, (size_t)1 << PART_MOST);
    SHOAL_ALLOC(ctx, p.after, (size_t)1 << PART_MOST);
    for (size_t i = 0; i < count; i++) {
        part_of[i] = m->parts[m->cover.point_of[i]];
        part_of[count + i] = m->parts[m->graph->point_count + m->cover.release->box_of[i]];
    }
    uint32_t *row_starts = starts + parts + 2;

    list_by_part(starts, listed, part_of, count, parts);
    list_by_part(row_starts, listed + count, part_of + count, count, parts);
    double surest = 0;

    for (uint32_t number = 0; number < parts; number++) {
        size_t size = starts[number + 1] - starts[number];

        if (size > 0 &&
            !load_part(&p, m, listed + starts[number], listed + count + row_starts[number],
                       size, row_starts[number + 1] - row_starts[number])) {
            goto done;
        }
        surest = size > 0 ? fmax(surest, find_surest(&p)) : surest;
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
    *out = surest;
done:
    free(part_of);
    free(starts);
    free(listed);
    free(p.before);
    free(p.after);
    return st;
}

/* --- The attack. -------------------------------------------------------------------------- */

/* Why it cannot be done; NULL: it can. */
static const char *find_reason(const shoal_i_attack_scene *scene)
{
    const shoal_i_release *release = scene->releases[0].release;

    if (release->shape == SHOAL_I_SHAPE_BUCKETS) {
        return "a release by buckets publishes quasi-identifiers as they are";
    }
    if (scene->known < 1 || scene->errors > 0) {
        return "its attacker knows the quasi-identifier of everybody, without errors";
    }
    if (release->row_count != scene->record_count) {
        return "the release leaves records out, and rows match records one by one only where "
               "all are in";
    }
    return NULL;
}

static shoal_status match(shoal_ctx *ctx, double *figures, matching *m)
{
    shoal_status st = SHOAL_OK;
    size_t left = 0;

    SHOAL_TRY(shoal_i_compatible_build(ctx, &m->graph, m->attacked->release));
    SHOAL_TRY(shoal_i_compatible_match(ctx, m->graph, &left, NULL));
    if (left > 0) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EFORMAT,
                               "The release does not belong to the original: %zu of its rows "
                               "find no record of their own.",
                               left));
    }
    SHOAL_ALLOC(ctx, m->parts, m->graph->point_count + m->graph->box_count);
    SHOAL_TRY(shoal_i_compatible_part(ctx, m->parts, m->graph));
    SHOAL_TRY(shoal_i_cover_build(ctx, &m->cover, m->scene, m->attacked->release));
    SHOAL_ALLOC(ctx, m->chances, m->cover.point_count);
    SHOAL_TRY(
        shoal_i_parallel_for(ctx, m->cover.point_count / POINTS_PER_TASK + 1, count_points, m));
    for (size_t i = 0; i < m->scene->record_count; i++) {
        figures[i] = m->chances[m->cover.point_of[i]];
    }
done:
    return st;
}

static shoal_status run(shoal_ctx *ctx, shoal_i_attack_finding *out,
                        const shoal_i_attack_scene *scene, size_t column)
{
    shoal_status st = SHOAL_OK;
    const char *reason = find_reason(scene);
    shoal_i_bound_promise promise = shoal_i_promise_found(scene);
    matching m = {.scene = scene, .attacked = &scene->releases[0]};
    double *figures = NULL;
    double *promises = NULL;
    double belief = NAN;

    (void)column;
    if (reason) {
        shoal_i_attack_not_done(out, "%s", reason);
        return SHOAL_OK;
    }
    out->promise = promise.bound;
    out->promised_by = promise.by;
    SHOAL_TRY(shoal_i_promise_found_each(ctx, &promises, scene));
    SHOAL_ALLOC(ctx, figures, scene->record_count);
    SHOAL_TRY(match(ctx, figures, &m));
    SHOAL_TRY(
        shoal_i_attack_judge(ctx, out, scene, figures, promises, SHOAL_I_ATTACK_WORST_RECORD));
    SHOAL_TRY(find_belief(ctx, &belief, &m));
    if (!isnan(belief) && scene->record_count > 0) {
        snprintf(out->note, sizeof out->note,
                 "If every way to match rows and records were equally likely, the surest link "
                 "would have a chance of %.6f.",
                 belief);
    }
done:
    free(figures);
    free(promises);
    free(m.parts);
    free(m.chances);
    shoal_i_compatible_free(m.graph);
    shoal_i_cover_clear(&m.cover);
    return st;
}

const shoal_i_attack_kind shoal_i_attack_matching = {
    .name = "matching",
    .title = "Matching",
    .attacker = "Knows the quasi-identifier of everybody, and that rows and records belong "
                "together one by one, which rules out links that fit by themselves.",
    .figure = "chance of a right link",
    .helps = "a larger k; a box per record is checked by the same matchings before it is "
             "published",
    .citation = "Wong, Mamoulis and Cheung 2010, doi:10.1145/1807167.1807248; Tassa 2012, "
                "doi:10.1016/j.tcs.2011.12.071",
    .run = run,
};

/* Linkage: whoever knows people's quasi-identifiers looks for their rows.
 *
 * Exactly known, a person may be any row whose box covers him; the attacker takes one of them
 * at random. One of them is right, so the chance is 1 over their number: no draw is needed. The
 * rows of a class look alike, so nobody who goes by the quasi-identifier alone has a better
 * chance than 1 over the rows of the class, whatever he knows of the others; where boxes of
 * several classes overlap, he has less.
 *
 * With errors, some of the cells he knows are wrong: each with the same chance, replaced by the
 * value of a random record. He takes one of the rows that contradict the fewest cells. What he
 * knows is drawn, for at most PEOPLE_MOST people; the chance given what he knows is exact.
 *
 * Which row is right: in a class any of its rows, since they are alike. Of boxes per record it
 * is the row that carries the person's values, and that is any of the rows that cover him.
 *
 * Where persons have several records, he picks a person, not a row: the chance is 1 over the
 * different persons behind the rows, and of a person's records the one that tells most
 * counts. */
#include "attack.h"

#include "../base/pool.h"
#include "../base/random.h"
#include "cover.h"
#include "judge.h"
#include "promise.h"

#include <math.h>
#include <stdio.h>

#define POINTS_PER_TASK 256
#define PEOPLE_MOST 2000
#define ERROR_STREAM 0x6572726f72
#define DRAW_STREAM 0x64726177

typedef struct linking {
    const shoal_i_attack_scene *scene;
    const shoal_i_attacked *attacked;
    shoal_i_cover cover;
    double *chances; /* of each point, or record */
    bool *known;
} linking;

/* --- Counting the rows, or the persons behind them. -------------------------------------- */

typedef struct count {
    const linking *l;
    uint64_t rows;
    uint64_t persons;
    uint32_t *stamps; /* of each person: when he was last counted; NULL: rows count */
    uint32_t stamp;
} count;

static bool add_box(void *payload, size_t box)
{
    count *c = payload;
    const shoal_i_cover *cover = &c->l->cover;

    c->rows += cover->release->box_sizes[box];
    for (size_t i = cover->row_starts[box]; c->stamps && i < cover->row_starts[box + 1]; i++) {
        uint32_t person = c->l->attacked->row_persons->of[cover->rows[i]];

        c->persons += c->stamps[person] != c->stamp;
        c->stamps[person] = c->stamp;
    }
    return false;
}

static double find_chance(const count *c)
{
    uint64_t candidates = c->stamps ? c->persons : c->rows;

    return candidates > 0 ? 1 / (double)candidates : NAN;
}

/* --- Exactly known. --------------------------------------------------------------------- */

static shoal_status link_points(shoal_ctx *ctx, void *payload, size_t task)
{
    shoal_status st = SHOAL_OK;
    linking *l = payload;
    shoal_i_interval *point = NULL;
    count c = {.l = l};
    size_t end = (task + 1) * POINTS_PER_TASK;

    end = end < l->cover.point_count ? end : l->cover.point_count;
    SHOAL_ALLOC(ctx, point, l->scene->quasi->count);
    if (l->attacked->row_persons) {
        SHOAL_ALLOC(ctx, c.stamps, l->attacked->row_persons->count);
    }
    for (size_t i = task * POINTS_PER_TASK; i < end; i++) {
        c.rows = 0;
        c.persons = 0;
        c.stamp++;
        shoal_i_cover_point(&l->cover, point, l->cover.first[i]);
        shoal_i_cover_find(&l->cover, point, add_box, &c);
        l->chances[i] = find_chance(&c);
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(point);
    free(c.stamps);
    return st;
}

static shoal_status link_exactly(shoal_ctx *ctx, double *figures, linking *l)
{
    shoal_status st = SHOAL_OK;
    size_t points = l->cover.point_count;

    SHOAL_ALLOC(ctx, l->chances, points);
    SHOAL_TRY(shoal_i_parallel_for(ctx, points / POINTS_PER_TASK + 1, link_points, l));
    for (size_t i = 0; i < l->scene->record_count; i++) {
        figures[i] = l->known[i] ? l->chances[l->cover.point_of[i]] : NAN;
    }
done:
    return st;
}

/* --- With errors. ------------------------------------------------------------------------ */

/* How many cells a box contradicts. */
static size_t count_wrong(const linking *l, const uint32_t *cells, size_t box)
{
    size_t width = l->scene->quasi->count;
    const shoal_i_interval *intervals = l->cover.release->boxes + box * width;
    size_t wrong = 0;

    for (size_t c = 0; c < width; c++) {
        wrong += cells[c] < intervals[c].lo || cells[c] > intervals[c].hi;
    }
    return wrong;
}

/* What the attacker believes to know of a record. */
static void draw_cells(const linking *l, uint32_t *cells, size_t record)
{
    const shoal_i_quasi *quasi = l->scene->quasi;
    uint64_t key = shoal_i_random_key(l->scene->seed, ERROR_STREAM);
    shoal_i_random random = shoal_i_random_start(shoal_i_random_key(key, record));

    for (size_t c = 0; c < quasi->count; c++) {
        bool is_wrong = shoal_i_random_unit(&random) < l->scene->errors;
        uint64_t other = shoal_i_random_below(&random, l->scene->record_count);

        cells[c] = shoal_i_quasi_code(quasi, c, is_wrong ? (size_t)other : record);
    }
}

/* Whether the right row may be one of this box: that of the record where it is known, else any
 * that covers it. */
static bool may_be_right(const linking *l, const uint32_t *truth, size_t record, size_t box)
{
    return l->attacked->box_of ? l->attacked->box_of[record] == box
                               : count_wrong(l, truth, box) == 0;
}

/* The chance of a right link: the rows that fit best, and how many of the rows of which one is
 * right are among them. */
static double link_record(const linking *l, count *c, const uint32_t *cells,
                          const uint32_t *truth, size_t record)
{
    size_t fewest = SIZE_MAX;
    uint64_t right_rows = 0;
    uint64_t right_among = 0;

    c->stamp++;
    for (size_t box = 0; box < l->cover.release->box_count; box++) {
        size_t wrong = count_wrong(l, cells, box);
        uint64_t rows =
            may_be_right(l, truth, record, box) ? l->cover.release->box_sizes[box] : 0;

        right_rows += rows;
        if (wrong < fewest) {
            fewest = wrong;
            c->rows = 0;
            c->persons = 0;
            c->stamp++;
            right_among = 0;
        }
        if (wrong == fewest) {
            add_box(c, box);
            right_among += rows;
        }
    }
    return right_rows > 0 ? (double)right_among / (double)right_rows * find_chance(c) : 0;
}

/* Leave at most PEOPLE_MOST of those known, drawn at random: the rest are not attacked. */
static void draw_fewer(linking *l)
{
    shoal_i_random random =
        shoal_i_random_start(shoal_i_random_key(l->scene->seed, DRAW_STREAM));
    uint64_t left = 0;
    uint64_t wanted = PEOPLE_MOST;

    for (size_t i = 0; i < l->scene->record_count; i++) {
        left += l->known[i];
    }
    for (size_t i = 0; i < l->scene->record_count; i++) {
        if (l->known[i]) {
            l->known[i] = shoal_i_random_below(&random, left--) < wanted;
            wanted -= l->known[i];
        }
    }
}

static shoal_status link_wrongly(shoal_ctx *ctx, void *payload, size_t task)
{
    shoal_status st = SHOAL_OK;
    linking *l = payload;
    size_t width = l->scene->quasi->count;
    uint32_t *cells = NULL;
    count c = {.l = l};
    size_t end = (task + 1) * POINTS_PER_TASK;

    end = end < l->scene->record_count ? end : l->scene->record_count;
    SHOAL_ALLOC(ctx, cells, 2 * width);
    if (l->attacked->row_persons) {
        SHOAL_ALLOC(ctx, c.stamps, l->attacked->row_persons->count);
    }
    for (size_t i = task * POINTS_PER_TASK; i < end; i++) {
        l->chances[i] = NAN;
        if (!l->known[i]) {
            continue;
        }
        draw_cells(l, cells, i);
        for (size_t column = 0; column < width; column++) {
            cells[width + column] = shoal_i_quasi_code(l->scene->quasi, column, i);
        }
        l->chances[i] = link_record(l, &c, cells, cells + width, i);
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(cells);
    free(c.stamps);
    return st;
}

static shoal_status link_with_errors(shoal_ctx *ctx, double *figures, linking *l)
{
    shoal_status st = SHOAL_OK;
    size_t records = l->scene->record_count;

    draw_fewer(l);
    SHOAL_ALLOC(ctx, l->chances, records);
    SHOAL_TRY(shoal_i_parallel_for(ctx, records / POINTS_PER_TASK + 1, link_wrongly, l));
    for (size_t i = 0; i < records; i++) {
        figures[i] = l->chances[i];
    }
done:
    return st;
}

/* --- The attack. ------------------------------------------------------------------------- */

static void add_note(shoal_i_attack_finding *out, const shoal_i_attack_scene *scene)
{
    if (scene->releases[0].release->shape == SHOAL_I_SHAPE_BUCKETS) {
        snprintf(out->note, sizeof out->note,
                 "A release by buckets hides values, not people: nothing is promised here.");
    } else if (scene->releases[0].release->omitted > 0) {
        snprintf(out->note, sizeof out->note,
                 "The release leaves %zu records out; their links count as if they were in it.",
                 scene->releases[0].release->omitted);
    } else if (scene->persons && !scene->releases[0].row_persons) {
        snprintf(out->note, sizeof out->note,
                 "Whose rows they are is not known: rows were counted, not persons.");
    }
}

static shoal_status run(shoal_ctx *ctx, shoal_i_attack_finding *out,
                        const shoal_i_attack_scene *scene, size_t column)
{
    shoal_status st = SHOAL_OK;
    shoal_i_bound_promise promise = shoal_i_promise_found(scene);
    linking l = {.scene = scene, .attacked = &scene->releases[0]};
    double *figures = NULL;
    double *promises = NULL;

    (void)column;
    out->promise = promise.bound;
    out->promised_by = promise.by;
    out->without =
        l.attacked->release->row_count > 0 ? 1 / (double)l.attacked->release->row_count : NAN;
    SHOAL_TRY(shoal_i_promise_found_each(ctx, &promises, scene));
    SHOAL_TRY(shoal_i_cover_build(ctx, &l.cover, scene, l.attacked->release));
    SHOAL_TRY(shoal_i_attack_draw_known(ctx, &l.known, scene));
    SHOAL_ALLOC(ctx, figures, scene->record_count);
    SHOAL_TRY(scene->errors > 0 ? link_with_errors(ctx, figures, &l)
                                : link_exactly(ctx, figures, &l));
    SHOAL_TRY(
        shoal_i_attack_judge(ctx, out, scene, figures, promises, SHOAL_I_ATTACK_WORST_RECORD));
    if (scene->errors > 0 || scene->known < 1) {
        shoal_i_attack_sampled(out, out->people);
    }
    add_note(out, scene);
done:
    free(figures);
    free(promises);
    free(l.chances);
    free(l.known);
    shoal_i_cover_clear(&l.cover);
    return st;
}

const shoal_i_attack_kind shoal_i_attack_linkage = {
    .name = "linkage",
    .title = "Linkage",
    .attacker =
        "Knows the quasi-identifier of people, all of them or a sample, exactly or with "
        "errors, and takes one of the rows that fit a person best.",
    .figure = "chance of a right link",
    .helps = "a larger k, fewer or coarser quasi columns",
    .citation = "Sweeney 2002, doi:10.1142/S0218488502001648",
    .run = run,
};

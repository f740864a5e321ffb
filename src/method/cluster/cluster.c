/* Clustering in two, again and again.
 *
 * "CLUST": clustering-based anonymization by binary k-means under the normalized certainty
 * penalty, with its extension to l-diversity; docs/methods/cluster.md has the reference.
 *
 * A set of records is split around two centres: first two random records, then the means of the
 * sides (centres.h), as long as that lowers NCP(G1) + NCP(G2). Of several tries the best is
 * kept.
 *
 * Where this differs from the paper, or settles what it leaves open:
 *   - A try is a pair of random records and the means that follow; the paper's words allow one
 *     chain of means from one pair as well, which loses more.
 *   - In every second try the two records are made alike in all columns but one: see
 *     keep_one_difference.
 *   - Records equally far from both centres go to the smaller side all together, so that equal
 *     records are never parted. The order of the records does not matter then, and none
 *     are shuffled.
 *   - A side that comes out too small borrows at the end and not from its sibling alone but
 *     from whoever is cheapest, or joins it (mend.h): adjust=end. adjust=split is by the
 *     letter.
 *   - Requirements on sensitive values: by the letter, and shared out at the end
 * (share_groups.h).
 *   - In large sets the centres are sought in a sample.
 *   - Records that agree in all columns are one group whatever their number: that costs
 *     nothing.
 */

#include "centres.h"
#include "../grouping/share_groups.h"
#include "../grouping/mend.h"
#include "../grouping/recursion.h"
#include "../grouping/split.h"

#include "../../base/random.h"
#include "../../base/sort.h"
#include "../../box/scan.h"

#include <string.h>

enum { OPTION_TRIES, OPTION_ADJUST, OPTION_MEANS };
enum { ADJUST_END, ADJUST_SPLIT };
enum { MEANS_ALL, MEANS_NEAR };

/* In sets larger than this the centres are sought in a sample. */
#define SAMPLE_ABOVE 16384
#define SAMPLE 8192

/* Splits below the root after which a set is halved by force. */
#define DEPTH_MAX 96

/* Means that follow a pair of random records, at most. */
#define MEANS_MOST 8

/* Rows whose categories are counted for means that need not be exact. */
#define MEANS_SAMPLE 128

#define NO_COST INT64_MAX

typedef struct clustering {
    const shoal_i_problem *problem;
    shoal_i_grouping *grouping;
    size_t smallest;   /* group that can hold */
    bool adjusts_late; /* small sides are mended at the end */
    bool only_near;    /* means follow a split only if none before cost less */
    int tries;
    shoal_i_meter meter;
} clustering;

/* The rows that a try looks at: all of a range, or a sample of them. */
typedef struct view {
    const int32_t *rows;
    const uint32_t *records; /* NULL: a sample, which is only split, not judged */
    size_t count;
} view;

/* NCP(G1) + NCP(G2); of equal ones that with records nearer to their centres. */
typedef struct cost {
    int64_t penalty;
    int64_t far;
} cost;

/* Scratch of one task while it splits ranges. */
typedef struct scratch {
    shoal_i_centres centres;
    int32_t *centre[2]; /* rows: of the split at hand */
    int32_t *next[2];   /* of the one after it */
    int32_t *best[2];   /* of the best so far */
    cost least;
    shoal_i_probe probe[2];
    int32_t *boxes;  /* four rows: of both sides */
    int32_t *far[2]; /* penalty of each row with the centre of a side */
    uint8_t *sides;  /* of the rows */
    size_t sizes[2];
    shoal_i_sort_item *items;
    shoal_i_sort_item *spare;
    int32_t *sample;
    shoal_i_tally tally;
} scratch;

static void scratch_free(void *space)
{
    scratch *w = space;

    if (!w) {
        return;
    }
    shoal_i_centres_clear(&w->centres);
    for (size_t side = 0; side < 2; side++) {
        free(w->centre[side]);
        free(w->next[side]);
        free(w->best[side]);
        free(w->probe[side].climb);
        free(w->far[side]);
    }
    free(w->boxes);
    free(w->sides);
    free(w->items);
    free(w->spare);
    free(w->sample);
    shoal_i_tally_clear(&w->tally);
    free(w);
}

static shoal_status scratch_new(shoal_ctx *ctx, void **space, void *payload, size_t count)
{
    shoal_status st = SHOAL_OK;
    const clustering *c = payload;
    const shoal_i_lanes *lanes = c->grouping->lanes;
    scratch *w = NULL;

    *space = NULL;
    SHOAL_ALLOC(ctx, w, 1);
    SHOAL_TRY(
        shoal_i_centres_init(ctx, &w->centres, lanes, count, c->only_near ? MEANS_SAMPLE : 0));
    for (size_t side = 0; side < 2; side++) {
        SHOAL_ALLOC(ctx, w->centre[side], lanes->count);
        SHOAL_ALLOC(ctx, w->next[side], lanes->count);
        SHOAL_ALLOC(ctx, w->best[side], lanes->count);
        SHOAL_ALLOC(ctx, w->probe[side].climb, lanes->count);
        SHOAL_ALLOC(ctx, w->far[side], count);
    }
    SHOAL_ALLOC(ctx, w->boxes, 4 * lanes->count);
    SHOAL_ALLOC(ctx, w->sides, count);
    SHOAL_ALLOC(ctx, w->items, count);
    SHOAL_ALLOC(ctx, w->spare, count);
    if (count > SAMPLE_ABOVE) {
        SHOAL_ALLOC(ctx, w->sample, SAMPLE * lanes->count);
    }
    SHOAL_TRY(shoal_i_tally_init(ctx, &w->tally, c->problem->source));
    *space = w;
    w = NULL;
done:
    scratch_free(w);
    return st;
}

static int32_t *row_at(const clustering *c, size_t place)
{
    return c->grouping->rows + place * c->grouping->lanes->count;
}

static const int32_t *row_of(const clustering *c, const view *v, size_t i)
{
    return v->rows + i * c->grouping->lanes->count;
}

static void copy_row(const clustering *c, int32_t *to, const int32_t *from)
{
    memcpy(to, from, c->grouping->lanes->count * sizeof *to);
}

static bool same_row(const clustering *c, const int32_t *a, const int32_t *b)
{
    return memcmp(a, b, c->grouping->lanes->count * sizeof *a) == 0;
}

/* --- Two sides. --------------------------------------------------------------------------- */

/* Two random records that differ, as centres. False: all are equal. */
static bool draw_centres(const clustering *c, const view *v, scratch *w, shoal_i_random *random)
{
    enum { DRAWS = 8 };

    copy_row(c, w->centre[0], row_of(c, v, shoal_i_random_below(random, v->count)));
    for (size_t i = 0; i < DRAWS + v->count; i++) {
        size_t at = i < DRAWS ? shoal_i_random_below(random, v->count) : i - DRAWS;

        if (!same_row(c, w->centre[0], row_of(c, v, at))) {
            copy_row(c, w->centre[1], row_of(c, v, at));
            return true;
        }
    }
    return false;
}

static bool same_column(const shoal_i_lanes *lanes, size_t column, const int32_t *a,
                        const int32_t *b)
{
    size_t first = lanes->first[column];

    return memcmp(a + first, b + first, (lanes->first[column + 1] - first) * sizeof *a) == 0;
}

/* Make the centres alike in all columns but one in which they differ. In a flat column all
 * records that have neither value are then equally far, and the split is the commoner one of
 * the two against the rest: one side is pure in that column, which two records that differ in
 * many columns rarely bring about. */
static void keep_one_difference(const clustering *c, scratch *w, shoal_i_random *random)
{
    const shoal_i_lanes *lanes = c->grouping->lanes;
    size_t columns = lanes->quasi->count;
    size_t kept = 0;
    uint64_t differing = 0;

    for (size_t i = 0; i < columns; i++) {
        if (!same_column(lanes, i, w->centre[0], w->centre[1])) {
            kept = shoal_i_random_below(random, ++differing) == 0 ? i : kept;
        }
    }
    for (size_t lane = 0; lane < lanes->count; lane++) {
        if (lane < lanes->first[kept] || lane >= lanes->first[kept + 1]) {
            w->centre[1][lane] = w->centre[0][lane];
        }
    }
}

static void measure_far(const clustering *c, const view *v, scratch *w)
{
    const shoal_i_lanes *lanes = c->grouping->lanes;

    for (size_t side = 0; side < 2; side++) {
        shoal_i_probe_set(&w->probe[side], lanes, w->centre[side], w->centre[side],
                          w->centre[side]);
        lanes->kernels->penalties(w->far[side], lanes, &w->probe[side], v->rows, v->count);
    }
}

/* Send each record to the nearer centre, those equally far to the side that is smaller without
 * them. */
static void assign(const clustering *c, const view *v, scratch *w)
{
    size_t nearer[2] = {0};
    size_t ones = 0;

    measure_far(c, v, w);
    for (size_t i = 0; i < v->count; i++) {
        nearer[0] += w->far[0][i] < w->far[1][i];
        nearer[1] += w->far[1][i] < w->far[0][i];
    }
    int32_t ahead = nearer[1] < nearer[0]; /* of side 1 in a tie */

    for (size_t i = 0; i < v->count; i++) {
        w->sides[i] = w->far[1][i] < w->far[0][i] + ahead;
        ones += w->sides[i];
    }
    w->sizes[0] = v->count - ones;
    w->sizes[1] = ones;
}

static void enclose(const clustering *c, const view *v, scratch *w)
{
    const shoal_i_lanes *lanes = c->grouping->lanes;

    lanes->kernels->enclose(w->boxes, lanes, w->sides, v->rows, v->count);
}

/* Set the probe of a side, which has records, to its box. */
static void probe_box(const clustering *c, const view *v, scratch *w, uint8_t side)
{
    size_t lanes = c->grouping->lanes->count;
    int32_t *lo = w->boxes + 2 * side * lanes;
    const uint8_t *member = memchr(w->sides, side, v->count);

    shoal_i_probe_set(&w->probe[side], c->grouping->lanes, lo, lo + lanes,
                      row_of(c, v, (size_t)(member - w->sides)));
}

/* Move records to a side that lacks some, those that enlarge its box least. */
static void borrow(const clustering *c, const view *v, scratch *w, uint8_t side, size_t missing)
{
    const shoal_i_lanes *lanes = c->grouping->lanes;
    size_t found = 0;

    if (w->sizes[side] > 0) {
        enclose(c, v, w);
        probe_box(c, v, w, side);
        lanes->kernels->penalties(w->far[side], lanes, &w->probe[side], v->rows, v->count);
    }
    for (size_t i = 0; i < v->count; i++) {
        if (w->sides[i] != side) {
            w->items[found++] =
                (shoal_i_sort_item){.key = (uint64_t)w->far[side][i], .item = (uint32_t)i};
        }
    }
    shoal_i_sort_items(w->items, w->spare, found);
    for (size_t i = 0; i < missing; i++) {
        w->sides[w->items[i].item] = side;
    }
    w->sizes[side] += missing;
    w->sizes[!side] -= missing;
}

/* Split a view around the centres. False: one side is empty. */
static bool make_sides(const clustering *c, const view *v, scratch *w)
{
    assign(c, v, w);
    for (uint8_t side = 0; side < 2 && v->records && !c->adjusts_late; side++) {
        if (w->sizes[side] < c->smallest) {
            borrow(c, v, w, side, c->smallest - w->sizes[side]);
        }
    }
    return w->sizes[0] > 0 && w->sizes[1] > 0;
}

static cost measure_sides(const clustering *c, const view *v, scratch *w)
{
    cost sum = {0};

    for (size_t i = 0; i < v->count; i++) {
        sum.far += w->far[w->sides[i]][i];
    }
    enclose(c, v, w);
    for (uint8_t side = 0; side < 2; side++) {
        probe_box(c, v, w, side);
        sum.penalty +=
            (int64_t)w->sizes[side] * shoal_i_penalty(c->grouping->lanes, &w->probe[side]);
    }
    return sum;
}

static bool is_less(cost a, cost b)
{
    return a.penalty < b.penalty || (a.penalty == b.penalty && a.far < b.far);
}

static bool side_holds(const clustering *c, const view *v, scratch *w, uint8_t side)
{
    shoal_i_tally_empty(&w->tally);
    for (size_t i = 0; i < v->count; i++) {
        if (w->sides[i] == side) {
            shoal_i_tally_add(&w->tally, v->records[i]);
        }
    }
    return shoal_i_requirement_holds(c->problem->requirements, &w->tally.stats);
}

/* Whether a split may be made: when small sides are mended at the end, any may. */
static bool sides_hold(const clustering *c, const view *v, scratch *w)
{
    return c->adjusts_late || !v->records || (side_holds(c, v, w, 0) && side_holds(c, v, w, 1));
}

/* --- Tries. ------------------------------------------------------------------------------- */

/* Split around two random records, made alike in all columns but one if is_single, then around
 * the means of the sides while that costs less. The best split that may be made is remembered
 * by its centres. False: all records are equal. */
static bool try_split(const clustering *c, const view *v, scratch *w, shoal_i_random *random,
                      bool is_single)
{
    cost last = {.penalty = NO_COST};

    if (!draw_centres(c, v, w, random)) {
        return false;
    }
    if (is_single) {
        keep_one_difference(c, w, random);
    }
    for (int i = 0; i <= MEANS_MOST && make_sides(c, v, w); i++) {
        cost here = measure_sides(c, v, w);

        if (is_less(here, w->least) && sides_hold(c, v, w)) {
            w->least = here;
            copy_row(c, w->best[0], w->centre[0]);
            copy_row(c, w->best[1], w->centre[1]);
        }
        if (!is_less(here, last) || (c->only_near && here.penalty > w->least.penalty)) {
            break;
        }
        last = here;
        shoal_i_centres_find(&w->centres, w->next, w->sides, v->rows, v->count);
        if (same_row(c, w->next[0], w->centre[0]) && same_row(c, w->next[1], w->centre[1])) {
            break;
        }
        copy_row(c, w->centre[0], w->next[0]);
        copy_row(c, w->centre[1], w->next[1]);
    }
    return true;
}

/* Set the centres to the best of all tries. False: there is none. */
static bool find_centres(const clustering *c, const view *v, scratch *w, uint64_t key)
{
    shoal_i_random random = shoal_i_random_start(key);

    w->least.penalty = NO_COST;
    for (int i = 0; i < c->tries && try_split(c, v, w, &random, i % 2 == 1); i++) {
    }
    copy_row(c, w->centre[0], w->best[0]);
    copy_row(c, w->centre[1], w->best[1]);
    return w->least.penalty != NO_COST;
}

/* Evenly spaced rows of a large range. */
static view take_sample(const clustering *c, const shoal_i_subrange *r, scratch *w)
{
    size_t lanes = c->grouping->lanes->count;

    for (size_t i = 0; i < SAMPLE; i++) {
        copy_row(c, w->sample + i * lanes,
                 row_at(c, r->first + (size_t)((uint64_t)r->count * i / SAMPLE)));
    }
    return (view){.rows = w->sample, .count = SAMPLE};
}

/* Split a range in the best way that was found. False: in none. What a sample proposes may turn
 * out not to be allowed; then all records are looked at. */
static bool find_sides(const clustering *c, const shoal_i_subrange *r, scratch *w)
{
    view all = {.rows = row_at(c, r->first),
                .records = c->grouping->records + r->first,
                .count = r->count};

    if (r->count > SAMPLE_ABOVE) {
        view some = take_sample(c, r, w);

        if (find_centres(c, &some, w, r->key) && make_sides(c, &all, w) &&
            sides_hold(c, &all, w)) {
            return true;
        }
    }
    return find_centres(c, &all, w, r->key) && make_sides(c, &all, w);
}

/* --- Splitting. --------------------------------------------------------------------------- */

/* Give the half of the range that leans most to centre 1 the side 1. */
static void halve_sides(const clustering *c, const shoal_i_subrange *r, scratch *w)
{
    view all = {.rows = row_at(c, r->first), .count = r->count};

    measure_far(c, &all, w);
    for (size_t i = 0; i < r->count; i++) {
        int64_t lean = (int64_t)w->far[0][i] - w->far[1][i] + 2 * (int64_t)SHOAL_I_PENALTY_ONE;

        w->items[i] = (shoal_i_sort_item){.key = (uint64_t)lean, .item = (uint32_t)i};
    }
    shoal_i_sort_items(w->items, w->spare, r->count);
    for (size_t i = 0; i < r->count; i++) {
        w->sides[w->items[i].item] = i >= r->count / 2;
    }
}

static shoal_status split_range(shoal_ctx *ctx, void *payload, void *space,
                                const shoal_i_subrange *r, shoal_i_parts *parts)
{
    shoal_status st = SHOAL_OK;
    const clustering *c = payload;
    scratch *w = space;
    size_t least = c->adjusts_late ? c->smallest + 1 : 2 * c->smallest;

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    if (r->count < least || !find_sides(c, r, w)) {
        return SHOAL_OK;
    }
    if (r->depth >= DEPTH_MAX) {
        view all = {.rows = row_at(c, r->first),
                    .records = c->grouping->records + r->first,
                    .count = r->count};

        halve_sides(c, r, w);
        if (!sides_hold(c, &all, w)) {
            return SHOAL_OK;
        }
    }
    size_t front = shoal_i_grouping_part(c->grouping, shoal_i_subrange_span(r), w->sides);

    if (r->count > SHOAL_I_BLOCK) {
        c->grouping->is_start[r->first + front] = SHOAL_I_STARTS_BLOCK;
    }
    SHOAL_TRY(shoal_i_parts_add(ctx, parts, front));
    SHOAL_TRY(shoal_i_parts_add(ctx, parts, r->count - front));
done:
    return st;
}

static shoal_status finish_block(shoal_ctx *ctx, void *payload, shoal_i_span block)
{
    shoal_status st = SHOAL_OK;
    clustering *c = payload;

    SHOAL_TRY(shoal_i_mend(ctx, c->grouping, block, c->problem));
    SHOAL_TRY(shoal_i_meter_add(ctx, &c->meter, block.count));
done:
    return st;
}

/* Mend what is too small, or share out groups that could not be split. */
static shoal_status finish_groups(shoal_ctx *ctx, clustering *c)
{
    if (c->adjusts_late) {
        return shoal_i_split_blocks(ctx, c->grouping, c->problem, finish_block, c);
    }
    if (shoal_i_requirement_needs_sensitive(c->problem->requirements)) {
        return shoal_i_share_groups(ctx, c->grouping, c->problem, &c->meter);
    }
    return shoal_i_meter_add(ctx, &c->meter, c->problem->row_count);
}

static shoal_status run_cluster(shoal_ctx *ctx, shoal_i_release **out,
                                const shoal_i_problem *problem,
                                const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    clustering c = {
        .problem = problem,
        .smallest = (size_t)shoal_i_requirement_smallest_class(problem->requirements),
        .adjusts_late = settings->values[OPTION_ADJUST] == ADJUST_END &&
                        !shoal_i_requirement_needs_sensitive(problem->requirements),
        .only_near = settings->values[OPTION_MEANS] == MEANS_NEAR,
        .tries = (int)settings->values[OPTION_TRIES],
        .meter = {.stage = "anonymize", .total = 2 * problem->row_count},
    };
    shoal_i_recursion recursion = {
        .split = split_range,
        .scratch_new = scratch_new,
        .scratch_free = scratch_free,
        .payload = &c,
        .meter = &c.meter,
    };

    *out = NULL;
    SHOAL_TRY(shoal_i_grouping_new(ctx, &c.grouping, problem));
    recursion.is_start = c.grouping->is_start;
    SHOAL_TRY(shoal_i_recurse(ctx, &recursion, problem->row_count, problem->seed));
    SHOAL_TRY(finish_groups(ctx, &c));
    SHOAL_TRY(shoal_i_groups_release(ctx, out, problem->quasi, c.grouping->records,
                                     c.grouping->is_start));
done:
    shoal_i_grouping_free(c.grouping);
    return st;
}

static const char *const adjustments[] = {[ADJUST_END] = "end", [ADJUST_SPLIT] = "split", NULL};

static const char *const means[] = {[MEANS_ALL] = "all", [MEANS_NEAR] = "near", NULL};

static const shoal_i_method_option options[] = {
    [OPTION_TRIES] = {.name = "tries",
                      .help = "how many pairs of random records a split is tried with",
                      .standard = 15,
                      .least = 1,
                      .most = 1000},
    [OPTION_ADJUST] = {.name = "adjust",
                       .help =
                           "small sides, end: find partners at the end; split: borrow at once",
                       .standard = ADJUST_END,
                       .words = adjustments},
    [OPTION_MEANS] = {.name = "means",
                      .help =
                          "follow, all: every split by its means; near: only the best so far, "
                          "which is faster",
                      .standard = MEANS_ALL,
                      .words = means},
    {.name = NULL},
};

const shoal_i_method shoal_i_cluster = {
    .name = "cluster",
    .summary = "2-means under the penalty, the best of several tries per split; low loss",
    .citation = "clustering-based k-anonymity (CLUST), after Xu and others 2006",
    .cost = "O(tries n log n) on real data",
    .shape = SHOAL_I_SHAPE_CLASSES,
    .options = options,
    .wants_shuffled = true,
    .run = run_cluster,
};

#include "peel.h"

#include "../../base/fail.h"
#include "../../box/scan.h"

#include <math.h>
#include <string.h>

/* Parts of one column at most: a part has at least this part of the records of its set. */
#define PARTS_PER_COLUMN 64

/* Where a range of numbers is cut, in so many parts of its records. */
#define CUTS 4

/* Shares of the strata of a set that are tried, evenly spaced, largest first. */
#define SHARES 24

/* How often each record is looked at, at most. */
#define LOOKS 256

/* --- Parts of a set. ---------------------------------------------------------------------- */

static const int32_t *row_of(const shoal_i_grouping *grouping, size_t place)
{
    return grouping->rows + place * grouping->lanes->count;
}

/* Begin a box with a row. */
static void start_box(const shoal_i_lanes *lanes, int32_t *box, const int32_t *row)
{
    memcpy(box, row, lanes->count * sizeof *box);
    memcpy(box + lanes->count, row, lanes->count * sizeof *box);
}

/* What the box around some records, one of which is `member`, loses. */
static int32_t find_penalty(const shoal_i_peeler *p, const int32_t *box, const int32_t *member)
{
    shoal_i_probe probe = {.climb = p->climb};

    shoal_i_probe_set(&probe, p->lanes, box, box + p->lanes->count, member);
    return shoal_i_penalty(p->lanes, &probe);
}

/* The first lane of a column in which a set has several values; the column's end: none. */
static size_t find_lane(const shoal_i_peeler *p, size_t column)
{
    size_t lane = p->lanes->first[column];

    while (lane < p->lanes->first[column + 1] &&
           p->box[lane] == p->box[p->lanes->count + lane]) {
        lane++;
    }
    return lane;
}

/* List the records of a run of items as a part, if they may be one. */
static void add_part(shoal_i_peeler *p, const shoal_i_grouping *grouping, shoal_i_span set,
                     shoal_i_span run, shoal_i_peel_part part)
{
    size_t lanes = p->lanes->count;
    int32_t *box = p->box + 2 * lanes;
    const int32_t *member = row_of(grouping, p->items[run.first].item);

    if (run.count < p->smallest_class || set.count - run.count < p->smallest_class) {
        return;
    }
    start_box(p->lanes, box, member);
    for (size_t i = run.first + 1; i < shoal_i_span_end(run); i++) {
        const int32_t *row = row_of(grouping, p->items[i].item);

        shoal_i_box_join(p->lanes, box, box + lanes, row, row);
    }
    part.lo = box[part.lane];
    part.hi = box[lanes + part.lane];
    part.drop = p->penalty - find_penalty(p, box, member);
    part.gain = part.noise * (double)part.drop * (double)run.count;
    p->parts[p->part_count++] = part;
}

/* Put the records into items, sorted by a lane. */
static void sort_values(shoal_i_peeler *p, const shoal_i_grouping *grouping, shoal_i_span set,
                        size_t lane)
{
    for (size_t i = 0; i < set.count; i++) {
        int32_t value = row_of(grouping, set.first + i)[lane];

        p->items[i] = (shoal_i_sort_item){.key = (uint64_t)((int64_t)value - INT32_MIN),
                                          .item = (uint32_t)(set.first + i)};
    }
    shoal_i_sort_items(p->items, p->scratch, set.count);
}

/* Where the run of equal values ends that begins here. */
static size_t find_end(const shoal_i_peeler *p, size_t start, size_t count)
{
    size_t end = start + 1;

    while (end < count && p->items[end].key == p->items[start].key) {
        end++;
    }
    return end;
}

/* What gains are multiplied by. */
static double draw_noise(shoal_i_random *random, double noise)
{
    return 1 + noise * shoal_i_random_unit(random);
}

/* The children of a node. */
static void list_children(shoal_i_peeler *p, const shoal_i_grouping *grouping, shoal_i_span set,
                          size_t lane, shoal_i_random *random, double noise)
{
    size_t least = set.count / PARTS_PER_COLUMN + 1;

    for (size_t i = 0, end = 0; i < set.count; i = end) {
        end = find_end(p, i, set.count);
        if (end - i >= least) {
            add_part(p, grouping, set, shoal_i_span_between(i, end),
                     (shoal_i_peel_part){.lane = lane, .noise = draw_noise(random, noise)});
        }
    }
}

/* What is below and above some cuts of a range. */
static void list_ranges(shoal_i_peeler *p, const shoal_i_grouping *grouping, shoal_i_span set,
                        size_t lane, shoal_i_random *random, double noise)
{
    for (size_t cut = 1; cut < CUTS; cut++) {
        size_t at = set.count * cut / CUTS;

        while (at > 0 && p->items[at - 1].key == p->items[at].key) {
            at--;
        }
        for (int side = 0; at > 0 && side < 2; side++) {
            add_part(p, grouping, set,
                     side == 0 ? shoal_i_span_between(0, at)
                               : shoal_i_span_between(at, set.count),
                     (shoal_i_peel_part){.lane = lane, .noise = draw_noise(random, noise)});
        }
    }
}

/* --- What of a part can be taken. --------------------------------------------------------- */

static bool is_in(const shoal_i_peel_part *part, const int32_t *row)
{
    return row[part->lane] >= part->lo && row[part->lane] <= part->hi;
}

/* Mark who goes: of each stratum of the part the first ones, up to its cap. */
static void mark(shoal_i_peeler *p, const shoal_i_grouping *grouping, shoal_i_span set,
                 const shoal_i_peel_part *part, const uint32_t *caps)
{
    memset(p->counts, 0, p->strata->count * sizeof *p->counts);
    for (size_t i = 0; i < set.count; i++) {
        uint32_t s = p->strata->of[grouping->records[set.first + i]];
        bool goes = is_in(part, row_of(grouping, set.first + i)) && p->counts[s] < caps[s];

        p->counts[s] += goes;
        p->sides[i] = !goes;
    }
}

/* Count who would go and who would stay: by strata where these tell all, else one by one. */
static void tally_sides(shoal_i_peeler *p, const shoal_i_grouping *grouping, shoal_i_span set,
                        const shoal_i_peel_part *part)
{
    const shoal_i_tally_source *source = p->problem->source;

    shoal_i_tally_empty(&p->taken);
    shoal_i_tally_empty(&p->rest);
    if (!p->strata->are_exact) {
        mark(p, grouping, set, part, p->caps);
        for (size_t i = 0; i < set.count; i++) {
            shoal_i_tally_add(p->sides[i] ? &p->rest : &p->taken,
                              grouping->records[set.first + i]);
        }
        return;
    }
    for (uint32_t s = 0; s < p->strata->count; s++) {
        uint32_t stay = p->totals[s] - p->caps[s];

        for (size_t i = 0; i < source->active_count; i++) {
            uint32_t code = p->totals[s] > 0 ? source->active[i].codes[p->like[s]] : 0;

            if (p->caps[s] > 0) {
                shoal_i_tally_add_values(&p->taken, i, code, p->caps[s]);
            }
            if (stay > 0) {
                shoal_i_tally_add_values(&p->rest, i, code, stay);
            }
        }
        shoal_i_tally_add_size(&p->taken, p->caps[s]);
        shoal_i_tally_add_size(&p->rest, stay);
    }
}

/* Cap the strata of a part at a share of those of the set, rounded up, but so that somebody
 * stays, or down; how many records that are. */
static uint64_t cap_strata(shoal_i_peeler *p, const uint32_t *counts, size_t share, bool is_up)
{
    uint64_t size = 0;

    for (size_t s = 0; s < p->strata->count; s++) {
        uint64_t total = p->totals[s];
        uint64_t cap = (total * share + (is_up ? SHARES - 1 : 0)) / SHARES;

        cap = is_up && total > 1 && cap == total ? total - 1 : cap;
        p->caps[s] = counts[s] < cap ? counts[s] : (uint32_t)cap;
        size += p->caps[s];
    }
    return size;
}

/* Whether what the caps leave and what they take both hold. */
static bool both_hold(shoal_i_peeler *p, const shoal_i_grouping *grouping, shoal_i_span set,
                      const shoal_i_peel_part *part, uint64_t size)
{
    const shoal_i_requirement_set *requirements = p->problem->requirements;

    if (size < p->smallest_class || set.count - size < p->smallest_class) {
        return false;
    }
    tally_sides(p, grouping, set, part);
    return shoal_i_requirement_holds(requirements, &p->taken.stats) &&
           shoal_i_requirement_holds(requirements, &p->rest.stats);
}

/* The gain of the largest part of a part that can be taken off, its caps in p->best; `least`
 * unless it is more. */
static double judge_part(shoal_i_peeler *p, const shoal_i_grouping *grouping, shoal_i_span set,
                         const shoal_i_peel_part *part, double least)
{
    uint32_t *counts = p->part_counts;

    memset(counts, 0, p->strata->count * sizeof *counts);
    for (size_t i = set.first; i < shoal_i_span_end(set); i++) {
        counts[p->strata->of[grouping->records[i]]] += is_in(part, row_of(grouping, i));
    }
    for (size_t share = SHARES; share > 0; share--) {
        for (int up = 1; up >= 0; up--) {
            uint64_t size = cap_strata(p, counts, share, up != 0);
            double gain = part->noise * (double)part->drop * (double)size;

            if (gain > least && both_hold(p, grouping, set, part, size)) {
                memcpy(p->best, p->caps, p->strata->count * sizeof *p->best);
                return gain;
            }
        }
    }
    return least;
}

static int compare_parts(const void *a, const void *b)
{
    const shoal_i_peel_part *x = a;
    const shoal_i_peel_part *y = b;

    if (x->gain != y->gain) {
        return x->gain > y->gain ? -1 : 1;
    }
    return x->lane != y->lane ? (x->lane > y->lane) - (x->lane < y->lane)
                              : (x->lo > y->lo) - (x->lo < y->lo);
}

/* --- A whole set. ------------------------------------------------------------------------- */

static void survey(shoal_i_peeler *p, const shoal_i_grouping *grouping, shoal_i_span set)
{
    size_t lanes = p->lanes->count;

    memset(p->totals, 0, p->strata->count * sizeof *p->totals);
    start_box(p->lanes, p->box, row_of(grouping, set.first));
    for (size_t i = set.first; i < shoal_i_span_end(set); i++) {
        uint32_t s = p->strata->of[grouping->records[i]];
        const int32_t *row = row_of(grouping, i);

        p->totals[s]++;
        p->like[s] = grouping->records[i];
        shoal_i_box_join(p->lanes, p->box, p->box + lanes, row, row);
    }
    p->penalty = find_penalty(p, p->box, row_of(grouping, set.first));
}

/* List the parts of a set, those first that would gain most as a whole. */
static void list_parts(shoal_i_peeler *p, const shoal_i_grouping *grouping, shoal_i_span set,
                       shoal_i_random *random, double noise)
{
    p->part_count = 0;
    for (size_t c = 0; c < p->lanes->quasi->count; c++) {
        size_t lane = find_lane(p, c);

        if (lane == p->lanes->first[c + 1]) {
            continue;
        }
        sort_values(p, grouping, set, lane);
        if (p->lanes->is_tree[lane]) {
            list_children(p, grouping, set, lane, random, noise);
        } else {
            list_ranges(p, grouping, set, lane, random, noise);
        }
    }
    qsort(p->parts, p->part_count, sizeof *p->parts, compare_parts);
}

/* Take the best part off a set, to its front; its size, or 0. */
static size_t peel_once(shoal_i_peeler *p, shoal_i_grouping *grouping, shoal_i_span set,
                        shoal_i_random *random, double noise)
{
    const shoal_i_peel_part *found = NULL;
    double gain = 0;

    survey(p, grouping, set);
    list_parts(p, grouping, set, random, noise);
    for (size_t i = 0; i < p->part_count && p->parts[i].gain > gain; i++) {
        double reached = judge_part(p, grouping, set, &p->parts[i], gain);

        if (reached > gain) {
            gain = reached;
            found = &p->parts[i];
        }
    }
    if (!found) {
        return 0;
    }
    mark(p, grouping, set, found, p->best);
    return shoal_i_grouping_part(grouping, set, p->sides);
}

shoal_status shoal_i_peel(shoal_ctx *ctx, shoal_i_peeler *peeler, shoal_i_grouping *grouping,
                          shoal_i_span span, uint64_t seed, double noise)
{
    shoal_status st = SHOAL_OK;
    shoal_i_random random = shoal_i_random_start(seed);
    uint64_t looks = 0;
    size_t end = shoal_i_span_end(span);

    memset(grouping->is_start + span.first, 0, span.count);
    grouping->is_start[span.first] = 1;
    for (size_t first = span.first; first < end;) {
        shoal_i_span set = {.first = first, .count = 1};
        size_t taken = 0;

        while (shoal_i_span_end(set) < end && !grouping->is_start[shoal_i_span_end(set)]) {
            set.count++;
        }
        looks += set.count;
        if (set.count >= 2 * peeler->smallest_class && looks <= LOOKS * span.count) {
            taken = peel_once(peeler, grouping, set, &random, noise);
        }
        if (taken > 0) {
            grouping->is_start[first + taken] = 1;
        } else {
            first = shoal_i_span_end(set);
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
done:
    return st;
}

/* --- Life cycle. -------------------------------------------------------------------------- */

shoal_status shoal_i_peeler_init(shoal_ctx *ctx, shoal_i_peeler *peeler,
                                 const shoal_i_problem *problem, const shoal_i_lanes *lanes,
                                 const shoal_i_strata *strata, size_t count)
{
    shoal_status st = SHOAL_OK;

    *peeler = (shoal_i_peeler){
        .problem = problem,
        .lanes = lanes,
        .strata = strata,
        .smallest_class = shoal_i_requirement_smallest_class(problem->requirements),
    };
    SHOAL_TRY(shoal_i_tally_init(ctx, &peeler->taken, problem->source));
    SHOAL_TRY(shoal_i_tally_init(ctx, &peeler->rest, problem->source));
    SHOAL_ALLOC(ctx, peeler->totals, strata->count);
    SHOAL_ALLOC(ctx, peeler->counts, strata->count);
    SHOAL_ALLOC(ctx, peeler->part_counts, strata->count);
    SHOAL_ALLOC(ctx, peeler->caps, strata->count);
    SHOAL_ALLOC(ctx, peeler->best, strata->count);
    SHOAL_ALLOC(ctx, peeler->like, strata->count);
    SHOAL_ALLOC(ctx, peeler->sides, count);
    SHOAL_ALLOC(ctx, peeler->box, 4 * lanes->count);
    SHOAL_ALLOC(ctx, peeler->climb, lanes->count);
    SHOAL_ALLOC(ctx, peeler->parts, lanes->quasi->count * PARTS_PER_COLUMN);
    SHOAL_ALLOC(ctx, peeler->items, count);
    SHOAL_ALLOC(ctx, peeler->scratch, count);
done:
    return st;
}

void shoal_i_peeler_clear(shoal_i_peeler *peeler)
{
    shoal_i_tally_clear(&peeler->taken);
    shoal_i_tally_clear(&peeler->rest);
    free(peeler->totals);
    free(peeler->counts);
    free(peeler->part_counts);
    free(peeler->caps);
    free(peeler->best);
    free(peeler->like);
    free(peeler->sides);
    free(peeler->box);
    free(peeler->climb);
    free(peeler->parts);
    free(peeler->items);
    free(peeler->scratch);
    *peeler = (shoal_i_peeler){0};
}

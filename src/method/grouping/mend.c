#include "mend.h"

#include "../../base/fail.h"
#include "../../box/scan.h"
#include "../../base/sort.h"
#include "neighbours.h"

#include <assert.h>
#include <string.h>

/* How far to look in each order of the neighbours at first; doubled while nobody is found.
 * Wider windows find slightly better partners at proportional cost. */
#define REACH 8

/* How many members of a donor are looked at: a larger one consists of nearly equal records, or
 * is so coarse that it makes no difference which of them go. */
#define OFFERS_PER_LACKING 8
#define OFFERS_LEAST 32
#define OFFERS_MAX 4096

/* Up to so many offers the cheapest are found by counting, for each, how many cost less: no
 * branch depends on what they cost. */
#define COUNTED_MAX 64

/* How many possible donors are tried in earnest. */
#define DONORS_MAX 3

#define NONE UINT32_MAX

typedef struct group {
    uint32_t head; /* first and last member: places of the block */
    uint32_t tail;
    uint32_t size;
    int32_t penalty;
    bool holds;           /* the requirement */
    uint32_t last_merged; /* of the groups in it, which `merged` links; itself at first */
} group;

/* A group that may spare records, and the penalty of its union with the one that lacks them. */
typedef struct donor {
    uint32_t group;
    int32_t penalty;
} donor;

/* Where a group went, and who has met it: both are asked for of every neighbour, mostly of the
 * same group. */
typedef struct whereabouts {
    uint32_t joined; /* the standing group that one is in; itself while it stands */
    uint32_t seen;   /* the last search that met it */
} whereabouts;

typedef struct mending {
    const shoal_i_problem *problem;
    const shoal_i_lanes *lanes;
    const int32_t *rows;     /* of the block */
    const uint32_t *records; /* of the block */
    uint64_t smallest_class;
    bool is_size_enough; /* to tell whether a group holds */
    shoal_i_tally tally;
    size_t group_count;
    size_t standing; /* groups that were not merged into others */
    group *groups;
    whereabouts *links;
    uint32_t *merged; /* the next group that is in the same one */
    uint32_t *next;   /* place -> next member of its group */
    int32_t *boxes;   /* two rows per group: lo and hi */
    shoal_i_neighbours *neighbours;
    uint32_t search;
    size_t candidate_count;
    size_t candidate_capacity;
    uint32_t *candidates; /* standing groups near the one that is mended */
    int32_t *unions;      /* penalty of its union with each of them */
    size_t donor_count;
    donor donors[DONORS_MAX]; /* nearest first */
    size_t offer_count;
    uint32_t *offers;         /* members of a donor, in their order */
    int32_t *offered;         /* their rows */
    int32_t *prices;          /* penalty of the receiver with each */
    uint8_t *leaves;          /* 1: it would be borrowed */
    shoal_i_sort_item *items; /* for sorting many of them */
    shoal_i_sort_item *scratch;
    int32_t *climb;       /* one row: of the group that is mended */
    int32_t *other_climb; /* one row: of any other */
    int32_t *trial;       /* four rows: boxes of those who stay with a donor and who leave */
} mending;

static int32_t *box_lo(const mending *m, uint32_t g)
{
    return m->boxes + (size_t)g * 2 * m->lanes->count;
}

static int32_t *box_hi(const mending *m, uint32_t g)
{
    return box_lo(m, g) + m->lanes->count;
}

static const int32_t *row_of(const mending *m, uint32_t place)
{
    return m->rows + (size_t)place * m->lanes->count;
}

static void count_members(mending *m, uint32_t g)
{
    for (uint32_t place = m->groups[g].head; place != NONE; place = m->next[place]) {
        shoal_i_tally_add(&m->tally, m->records[place]);
    }
}

static bool size_holds(const mending *m, uint64_t size)
{
    return shoal_i_requirement_holds(m->problem->requirements,
                                     &(shoal_i_class_stats){.size = size, .persons = size});
}

/* Find out whether a group holds after its members changed. */
static void judge_group(mending *m, uint32_t g)
{
    if (m->is_size_enough) {
        m->groups[g].holds = size_holds(m, m->groups[g].size);
        return;
    }
    shoal_i_tally_empty(&m->tally);
    count_members(m, g);
    m->groups[g].holds = shoal_i_requirement_holds(m->problem->requirements, &m->tally.stats);
}

/* Penalty of a box, given one member of it. */
static int32_t box_penalty(mending *m, const int32_t *lo, const int32_t *hi, uint32_t member)
{
    shoal_i_probe probe = {.climb = m->other_climb};

    shoal_i_probe_set(&probe, m->lanes, lo, hi, row_of(m, member));
    return shoal_i_penalty(m->lanes, &probe);
}

/* Compute the box and the penalty of a group from its members, and whether it holds. */
static void survey_group(mending *m, uint32_t g)
{
    group *it = &m->groups[g];
    int32_t *lo = box_lo(m, g);
    int32_t *hi = box_hi(m, g);

    shoal_i_row_copy(m->lanes, lo, row_of(m, it->head));
    shoal_i_row_copy(m->lanes, hi, row_of(m, it->head));
    for (uint32_t place = m->next[it->head]; place != NONE; place = m->next[place]) {
        shoal_i_box_join(m->lanes, lo, hi, row_of(m, place), row_of(m, place));
    }
    it->penalty = box_penalty(m, lo, hi, it->head);
    judge_group(m, g);
}

static void collect_groups(mending *m, const uint8_t *is_start, uint32_t count)
{
    uint32_t g = 0;

    for (uint32_t place = 0; place < count; place++) {
        m->next[place] = NONE;
        if (place == 0 || is_start[place]) {
            g += place > 0;
            m->groups[g] = (group){.head = place, .last_merged = g};
            m->links[g].joined = g;
            m->merged[g] = NONE;
        } else {
            m->next[m->groups[g].tail] = place;
        }
        m->groups[g].tail = place;
        m->groups[g].size++;
    }
    for (g = 0; g < m->group_count; g++) {
        survey_group(m, g);
    }
}

static shoal_status reserve_candidates(shoal_ctx *ctx, mending *m, size_t count)
{
    shoal_status st = SHOAL_OK;

    if (count <= m->candidate_capacity) {
        return SHOAL_OK;
    }
    free(m->candidates);
    free(m->unions);
    m->candidates = NULL;
    m->unions = NULL;
    m->candidate_capacity = 0;
    SHOAL_ALLOC(ctx, m->candidates, count);
    SHOAL_ALLOC(ctx, m->unions, count);
    m->candidate_capacity = count;
done:
    return st;
}

/* Of the groups listed the standing ones they are in, each once, but g; how many they are.
 * Without a branch: half are met again. */
static size_t keep_standing(mending *m, uint32_t g, size_t listed)
{
    whereabouts *links = m->links;
    uint32_t *candidates = m->candidates;
    uint32_t search = ++m->search;
    size_t count = 0;

    links[g].seen = search;
    for (size_t i = 0; i < listed; i++) {
        uint32_t standing = links[candidates[i]].joined;

        candidates[count] = standing;
        count += links[standing].seen != search;
        links[standing].seen = search;
    }
    return count;
}

/* List the standing groups near g, each once. */
static shoal_status find_candidates(shoal_ctx *ctx, mending *m, uint32_t g)
{
    shoal_status st = SHOAL_OK;

    m->candidate_count = 0;
    for (size_t reach = REACH; m->candidate_count == 0; reach *= 2) {
        assert(reach < 4 * m->group_count + 4 * REACH);
        SHOAL_TRY(reserve_candidates(ctx, m, shoal_i_neighbours_most(m->neighbours, reach)));
        m->candidate_count = keep_standing(
            m, g, shoal_i_neighbours_list(m->neighbours, m->candidates, g, reach));
    }
done:
    return st;
}

/* All groups within g are within `into` from now on. They are few: g lacks records. */
static void redirect_groups(mending *m, uint32_t g, uint32_t into)
{
    for (uint32_t within = g; within != NONE; within = m->merged[within]) {
        m->links[within].joined = into;
    }
    m->merged[m->groups[into].last_merged] = g;
    m->groups[into].last_merged = m->groups[g].last_merged;
}

/* g is taken up by `into`. */
static void merge_groups(mending *m, uint32_t g, uint32_t into, int32_t penalty)
{
    group *a = &m->groups[into];
    const group *b = &m->groups[g];

    m->next[a->tail] = b->head;
    a->tail = b->tail;
    a->size += b->size;
    a->penalty = penalty;
    shoal_i_box_join(m->lanes, box_lo(m, into), box_hi(m, into), box_lo(m, g), box_hi(m, g));
    redirect_groups(m, g, into);
    m->standing--;
    judge_group(m, into);
}

/* --- Borrowing: the records a group lacks, from a group that can spare them. -------------- */

/* How many records g lacks; 0 when that is not a question of number alone. */
static uint32_t count_lacking(const mending *m, uint32_t g)
{
    return m->is_size_enough ? (uint32_t)(m->smallest_class - m->groups[g].size) : 0;
}

/* What a donor's union must cost less than to be noted. */
static int32_t find_donor_limit(const mending *m)
{
    return m->donor_count < DONORS_MAX ? INT32_MAX : m->donors[DONORS_MAX - 1].penalty;
}

/* Note a group among the nearest ones that still hold when what is lacking leaves them. It is
 * nearer than the last of them, or they are not as many yet. */
static void note_donor(mending *m, uint32_t g, int32_t penalty)
{
    size_t at = m->donor_count - (m->donor_count == DONORS_MAX);

    m->donor_count = at + 1;
    for (; at > 0 && penalty < m->donors[at - 1].penalty; at--) {
        m->donors[at] = m->donors[at - 1];
    }
    m->donors[at] = (donor){.group = g, .penalty = penalty};
}

/* How many members of a donor are looked at. */
static size_t count_looks(uint32_t lacking)
{
    size_t looks = OFFERS_LEAST + (size_t)lacking * OFFERS_PER_LACKING;

    return looks < OFFERS_MAX ? looks : OFFERS_MAX;
}

/* List members of a donor and what each would cost g. */
static void collect_offers(mending *m, uint32_t g, uint32_t giver, uint32_t lacking)
{
    shoal_i_probe probe = {.climb = m->climb, .lo = box_lo(m, g), .hi = box_hi(m, g)};
    size_t lanes = m->lanes->count;
    size_t most = count_looks(lacking);

    m->offer_count = 0;
    for (uint32_t place = m->groups[giver].head; place != NONE && m->offer_count < most;
         place = m->next[place]) {
        shoal_i_row_copy(m->lanes, m->offered + m->offer_count * lanes, row_of(m, place));
        m->offers[m->offer_count++] = place;
    }
    m->lanes->kernels->penalties(m->prices, m->lanes, &probe, m->offered, m->offer_count);
}

/* The highest price of the cheapest offers, and how many cost less. */
static int32_t find_price(const mending *m, uint32_t lacking, size_t *cheaper)
{
    int32_t price = INT32_MIN;

    for (size_t i = 0; i < m->offer_count; i++) {
        int32_t here = m->prices[i];
        uint32_t less = 0;

        for (size_t j = 0; j < m->offer_count; j++) {
            less += m->prices[j] < here;
        }
        bool is_higher = (less < lacking) & (here >= price);

        price = is_higher ? here : price;
        *cheaper = is_higher ? less : *cheaper;
    }
    return price;
}

/* The same of many offers. */
static int32_t sort_prices(mending *m, uint32_t lacking, size_t *cheaper)
{
    for (size_t i = 0; i < m->offer_count; i++) {
        m->items[i] = (shoal_i_sort_item){.key = (uint64_t)m->prices[i], .item = (uint32_t)i};
    }
    shoal_i_sort_first(m->items, m->scratch, m->offer_count, lacking);
    uint64_t price = m->items[lacking - 1].key;

    *cheaper = lacking - 1;
    while (*cheaper > 0 && m->items[*cheaper - 1].key == price) {
        --*cheaper;
    }
    return (int32_t)price;
}

/* Choose as many of the cheapest offers as are lacking, of equally cheap ones the first. There
 * are as many. */
static void choose_offers(mending *m, uint32_t lacking)
{
    size_t cheaper = 0;
    int32_t price = m->offer_count <= COUNTED_MAX ? find_price(m, lacking, &cheaper)
                                                  : sort_prices(m, lacking, &cheaper);
    size_t left = lacking - cheaper; /* to be taken at that price */

    for (size_t i = 0; i < m->offer_count; i++) {
        bool is_last = (m->prices[i] == price) & (left > 0);

        m->leaves[i] = (m->prices[i] < price) | is_last;
        left -= is_last;
    }
}

/* Penalty of g together with the offers that were chosen. */
static int32_t penalty_with_offers(mending *m, uint32_t g)
{
    int32_t *lo = m->trial + 2 * m->lanes->count;
    int32_t *hi = lo + m->lanes->count;

    shoal_i_box_join(m->lanes, lo, hi, box_lo(m, g), box_hi(m, g));
    return box_penalty(m, lo, hi, m->groups[g].head);
}

/* Penalty of the donor without them. That of a large donor is taken not to change: it hardly
 * does, and looking at all its members again and again would be quadratic. */
static int32_t penalty_without_offers(mending *m, uint32_t giver)
{
    size_t first = 0;

    if (m->groups[giver].penalty == 0 || m->groups[giver].size > m->offer_count) {
        return m->groups[giver].penalty;
    }
    while (m->leaves[first]) {
        first++;
    }
    return box_penalty(m, m->trial, m->trial + m->lanes->count, m->offers[first]);
}

/* Whether there are as many offers as are lacking with each of which alone g, of `size` then,
 * costs less than `limit`. */
static bool has_cheap_offers(const mending *m, uint32_t lacking, int64_t size, int64_t limit)
{
    int64_t most = limit / size + 1;
    int32_t too_much = most < INT32_MAX ? (int32_t)most : INT32_MAX;
    uint32_t cheap = 0;

    for (size_t i = 0; limit > 0 && i < m->offer_count; i++) {
        cheap += m->prices[i] < too_much;
    }
    return cheap >= lacking;
}

/* What the total penalty rises by when g borrows from the donor; INT64_MAX when it cannot, or
 * when that is no less than `limit` for certain: together with all of the offers g costs no
 * less than with one of them. */
static int64_t borrow_cost(mending *m, uint32_t g, uint32_t giver, uint32_t lacking,
                           int64_t limit)
{
    const group *a = &m->groups[g];
    const group *b = &m->groups[giver];
    int64_t before = (int64_t)a->penalty * a->size + (int64_t)b->penalty * b->size;
    int64_t size = (int64_t)a->size + lacking;

    collect_offers(m, g, giver, lacking);
    if (!has_cheap_offers(m, lacking, size, limit + before)) {
        return INT64_MAX;
    }
    choose_offers(m, lacking);
    m->lanes->kernels->enclose(m->trial, m->lanes, m->leaves, m->offered, m->offer_count);
    return penalty_with_offers(m, g) * size +
           (int64_t)penalty_without_offers(m, giver) * ((int64_t)b->size - lacking) - before;
}

/* Move the cheapest `lacking` members of the donor to g. */
static void borrow_members(mending *m, uint32_t g, uint32_t giver, uint32_t lacking)
{
    collect_offers(m, g, giver, lacking);
    choose_offers(m, lacking);
    uint32_t *link = &m->groups[giver].head;
    uint32_t last = NONE; /* the last one that stays, of those passed */

    for (size_t i = 0; i < m->offer_count; i++) {
        uint32_t place = *link;

        if (m->leaves[i]) {
            *link = m->next[place];
            m->next[place] = NONE;
            m->next[m->groups[g].tail] = place;
            m->groups[g].tail = place;
        } else {
            last = place;
            link = &m->next[place];
        }
    }
    if (*link == NONE) {
        m->groups[giver].tail = last;
    }
    bool was_large = m->groups[giver].size > m->offer_count;

    m->groups[giver].size -= lacking;
    m->groups[g].size += lacking;
    survey_group(m, g);
    if (!was_large) {
        survey_group(m, giver);
    }
}

/* The donor from which borrowing costs least, if it costs less than `limit`; else NONE. */
static uint32_t find_donor(mending *m, uint32_t g, uint32_t lacking, int64_t limit)
{
    uint32_t best = NONE;

    for (size_t i = 0; i < m->donor_count; i++) {
        int64_t cost = borrow_cost(m, g, m->donors[i].group, lacking, limit);

        if (cost < limit) {
            limit = cost;
            best = m->donors[i].group;
        }
    }
    return best;
}

/* The candidate with which merging costs least, and what the total penalty rises by then; the
 * nearest that can spare what g lacks are noted as donors on the way. Both are rare among the
 * candidates, and all that is asked of each is one question. */
static size_t compare_candidates(mending *m, uint32_t g, uint32_t lacking, int64_t *cost)
{
    int64_t size = m->groups[g].size;
    uint64_t spares = lacking > 0 ? lacking + m->smallest_class : UINT64_MAX;
    int64_t least = INT64_MAX;
    int32_t limit = INT32_MAX;
    size_t best = 0;

    for (size_t i = 0; i < m->candidate_count; i++) {
        const group *b = &m->groups[m->candidates[i]];
        int32_t joint = m->unions[i];
        int64_t here = (int64_t)joint * (size + b->size) - (int64_t)b->penalty * b->size;
        bool is_donor = (b->size >= spares) & (joint < limit);

        best = here < least ? i : best;
        least = here < least ? here : least;
        if (is_donor) {
            note_donor(m, m->candidates[i], joint);
            limit = find_donor_limit(m);
        }
    }
    *cost = least - m->groups[g].penalty * size;
    return best;
}

static size_t find_partner(mending *m, uint32_t g, uint32_t lacking, int64_t *cost)
{
    shoal_i_probe probe = {.climb = m->climb};

    shoal_i_probe_set(&probe, m->lanes, box_lo(m, g), box_hi(m, g),
                      row_of(m, m->groups[g].head));
    m->lanes->kernels->unions(m->unions, m->lanes, &probe, m->boxes, m->candidates,
                              m->candidate_count);
    m->donor_count = 0;
    return compare_candidates(m, g, lacking, cost);
}

static shoal_status mend_group(shoal_ctx *ctx, mending *m, uint32_t g)
{
    shoal_status st = SHOAL_OK;
    uint32_t lacking = count_lacking(m, g);
    int64_t cost = 0;

    SHOAL_TRY(find_candidates(ctx, m, g));
    size_t partner = find_partner(m, g, lacking, &cost);
    uint32_t giver = find_donor(m, g, lacking, cost);

    if (giver != NONE) {
        borrow_members(m, g, giver, lacking);
    } else {
        merge_groups(m, g, m->candidates[partner], m->unions[partner]);
    }
done:
    return st;
}

/* A merger may leave a group that was passed before still too small, hence the rounds. Each
 * mending of a group either makes it hold for good or lowers the number of groups, so they end;
 * at one group at the latest, which may not hold where persons are counted and requirements are
 * not monotone: gather.h has the last word then. */
static shoal_status mend_all(shoal_ctx *ctx, mending *m)
{
    shoal_status st = SHOAL_OK;

    for (bool is_done = false; !is_done;) {
        is_done = true;
        for (uint32_t g = 0; g < m->group_count; g++) {
            if (m->links[g].joined == g && !m->groups[g].holds && m->standing > 1) {
                SHOAL_TRY(mend_group(ctx, m, g));
                is_done = false;
            }
            if (g % 4096 == 0) {
                SHOAL_TRY(shoal_i_check_cancelled(ctx));
            }
        }
    }
done:
    return st;
}

/* Write the groups that stand back as runs of places. */
static void lay_out(const mending *m, uint32_t *records, uint8_t *is_start)
{
    size_t place = 0;

    for (uint32_t g = 0; g < m->group_count; g++) {
        bool is_first = true;

        if (m->links[g].joined != g) {
            continue;
        }
        for (uint32_t member = m->groups[g].head; member != NONE; member = m->next[member]) {
            records[place] = m->records[member];
            is_start[place] = is_first;
            is_first = false;
            place++;
        }
    }
}

static void mending_clear(mending *m)
{
    shoal_i_tally_clear(&m->tally);
    free(m->groups);
    free(m->links);
    free(m->next);
    free(m->boxes);
    shoal_i_neighbours_free(m->neighbours);
    free(m->candidates);
    free(m->unions);
    free(m->merged);
    free(m->offers);
    free(m->offered);
    free(m->prices);
    free(m->leaves);
    free(m->items);
    free(m->scratch);
    free(m->climb);
    free(m->other_climb);
    free(m->trial);
}

static shoal_status mending_alloc(shoal_ctx *ctx, mending *m, size_t count)
{
    shoal_status st = SHOAL_OK;
    size_t row = m->lanes->count;

    SHOAL_ALLOC(ctx, m->groups, m->group_count);
    SHOAL_ALLOC(ctx, m->links, m->group_count);
    SHOAL_ALLOC(ctx, m->next, count);
    m->boxes = shoal_i_alloc_aligned(ctx, m->group_count, 2 * row * sizeof *m->boxes);
    if (!m->boxes) {
        return SHOAL_ENOMEM;
    }
    SHOAL_ALLOC(ctx, m->merged, m->group_count);
    SHOAL_ALLOC(ctx, m->offers, OFFERS_MAX);
    SHOAL_ALLOC(ctx, m->offered, OFFERS_MAX * row);
    SHOAL_ALLOC(ctx, m->prices, OFFERS_MAX);
    SHOAL_ALLOC(ctx, m->leaves, OFFERS_MAX);
    SHOAL_ALLOC(ctx, m->items, OFFERS_MAX);
    SHOAL_ALLOC(ctx, m->scratch, OFFERS_MAX);
    SHOAL_ALLOC(ctx, m->climb, row);
    SHOAL_ALLOC(ctx, m->other_climb, row);
    SHOAL_ALLOC(ctx, m->trial, 4 * row);
done:
    return st;
}

shoal_status shoal_i_mend(shoal_ctx *ctx, shoal_i_grouping *grouping, shoal_i_span span,
                          const shoal_i_problem *problem)
{
    shoal_status st = SHOAL_OK;
    uint8_t *is_start = grouping->is_start + span.first;
    uint32_t *records = NULL;
    mending m = {
        .problem = problem,
        .lanes = grouping->lanes,
        .rows = grouping->rows + span.first * grouping->lanes->count,
        .smallest_class = shoal_i_requirement_smallest_class(problem->requirements),
        .is_size_enough = problem->source->active_count == 0,
        .group_count = 1,
    };

    for (size_t i = 1; i < span.count; i++) {
        m.group_count += is_start[i] != 0;
    }
    SHOAL_ALLOC(ctx, records, span.count);
    memcpy(records, grouping->records + span.first, span.count * sizeof *records);
    m.records = records;
    SHOAL_TRY(shoal_i_tally_init(ctx, &m.tally, problem->source));
    SHOAL_TRY(mending_alloc(ctx, &m, span.count));
    m.standing = m.group_count;
    collect_groups(&m, is_start, (uint32_t)span.count);
    SHOAL_TRY(shoal_i_neighbours_build(ctx, &m.neighbours, m.lanes, m.boxes, 2, m.group_count));
    SHOAL_TRY(mend_all(ctx, &m));
    lay_out(&m, grouping->records + span.first, is_start);
done:
    mending_clear(&m);
    free(records);
    return st;
}

#include "anneal_classes.h"

#include "../../box/scan.h"

#include <assert.h>
#include <string.h>

/* The rows of a class in extremes and multitude. */
enum { LOWEST, LOW, HIGHEST, HIGH, EXTREMES };

static int32_t *extreme_rows(const shoal_i_anneal_classes *c, uint32_t class)
{
    return c->extremes + (size_t) class * EXTREMES * c->lanes->count;
}

static uint32_t *multitude_rows(const shoal_i_anneal_classes *c, uint32_t class)
{
    return c->multitude + (size_t) class * EXTREMES * c->lanes->count;
}

/* --- The extremes of a class. ------------------------------------------------------------- */

static void forget_extremes(shoal_i_anneal_classes *c, uint32_t class)
{
    size_t lanes = c->lanes->count;
    int32_t *extremes = extreme_rows(c, class);

    for (size_t lane = 0; lane < lanes; lane++) {
        extremes[LOWEST * lanes + lane] = INT32_MAX;
        extremes[LOW * lanes + lane] = INT32_MAX;
        extremes[HIGHEST * lanes + lane] = INT32_MIN;
        extremes[HIGH * lanes + lane] = INT32_MIN;
    }
    memset(multitude_rows(c, class), 0, EXTREMES * lanes * sizeof *c->multitude);
}

/* Count a value in on one side: the most extreme value and the next, `stride` behind it. sign
 * is 1 for the lowest, -1 for the highest. */
static void count_in(int32_t *extreme, uint32_t *multitude, size_t stride, int32_t value,
                     int sign)
{
    int32_t first = extreme[0];
    int32_t second = extreme[stride];

    if (value == first) {
        multitude[0]++;
    } else if (sign > 0 ? value < first : value > first) {
        extreme[stride] = first;
        multitude[stride] = multitude[0];
        extreme[0] = value;
        multitude[0] = 1;
    } else if (value == second) {
        multitude[stride]++;
    } else if (sign > 0 ? value < second : value > second) {
        extreme[stride] = value;
        multitude[stride] = 1;
    }
}

/* Count a value out; whether it was the last of its kind, so that the next is unknown. */
static bool count_out(const int32_t *extreme, uint32_t *multitude, size_t stride, int32_t value)
{
    if (value == extreme[0]) {
        return --multitude[0] == 0;
    }
    return value == extreme[stride] && --multitude[stride] == 0;
}

static void add_row(shoal_i_anneal_classes *c, uint32_t class, const int32_t *row)
{
    size_t lanes = c->lanes->count;
    int32_t *extremes = extreme_rows(c, class);
    uint32_t *multitude = multitude_rows(c, class);

    for (size_t lane = 0; lane < lanes; lane++) {
        count_in(extremes + lane, multitude + lane, lanes, row[lane], 1);
        count_in(extremes + HIGHEST * lanes + lane, multitude + HIGHEST * lanes + lane, lanes,
                 row[lane], -1);
    }
}

/* Whether the class must be surveyed now. */
static bool remove_row(shoal_i_anneal_classes *c, uint32_t class, const int32_t *row)
{
    size_t lanes = c->lanes->count;
    const int32_t *extremes = extreme_rows(c, class);
    uint32_t *multitude = multitude_rows(c, class);
    bool is_unknown = false;

    for (size_t lane = 0; lane < lanes; lane++) {
        is_unknown |= count_out(extremes + lane, multitude + lane, lanes, row[lane]);
        is_unknown |= count_out(extremes + HIGHEST * lanes + lane,
                                multitude + HIGHEST * lanes + lane, lanes, row[lane]);
    }
    return is_unknown;
}

/* The same for one row that joins and one that leaves, most of whose lanes agree. */
static bool replace_row(shoal_i_anneal_classes *c, uint32_t class, const int32_t *leaves,
                        const int32_t *joins)
{
    size_t lanes = c->lanes->count;
    int32_t *extremes = extreme_rows(c, class);
    uint32_t *multitude = multitude_rows(c, class);
    bool is_unknown = false;

    for (size_t lane = 0; lane < lanes; lane++) {
        if (leaves[lane] == joins[lane]) {
            continue;
        }
        for (int side = 0; side < 2; side++) {
            size_t at = (side == 0 ? LOWEST : HIGHEST) * lanes + lane;

            count_in(extremes + at, multitude + at, lanes, joins[lane], side == 0 ? 1 : -1);
            is_unknown |= count_out(extremes + at, multitude + at, lanes, leaves[lane]);
        }
    }
    return is_unknown;
}

static void survey(shoal_i_anneal_classes *c, uint32_t class)
{
    size_t ring = (size_t) class * c->stratum_count;

    forget_extremes(c, class);
    for (size_t end = ring + c->stratum_count; ring < end; ring++) {
        uint32_t member = c->heads[ring];

        for (uint32_t i = 0; i < c->counts[ring]; i++, member = c->next[member]) {
            add_row(c, class, shoal_i_anneal_row(c, member));
        }
    }
}

/* --- Asking. ------------------------------------------------------------------------------ */

/* Somebody of a class who does not leave. */
static uint32_t find_staying(const shoal_i_anneal_classes *c, uint32_t class, uint32_t leaves)
{
    size_t ring = (size_t) class * c->stratum_count;

    while (c->counts[ring] == 0 || (c->counts[ring] == 1 && c->heads[ring] == leaves)) {
        ring++;
        assert(ring < (size_t)(class + 1) * c->stratum_count);
    }
    return c->heads[ring] == leaves ? c->next[leaves] : c->heads[ring];
}

int32_t shoal_i_anneal_penalty(const shoal_i_anneal_classes *c, uint32_t class, uint32_t leaves,
                               uint32_t joins)
{
    size_t lanes = c->lanes->count;
    const int32_t *extremes = extreme_rows(c, class);
    /* Whoever it is, the member is one of the class then: joining changes nothing but that. */
    uint32_t member = joins != SHOAL_I_ANNEAL_NONE ? joins : find_staying(c, class, leaves);
    int32_t *climb = c->climbs + (size_t)c->members[member].point * lanes;
    const int32_t *row = shoal_i_anneal_row(c, member);
    shoal_i_probe probe = {
        .lo = extremes + LOWEST * lanes, .hi = extremes + HIGHEST * lanes, .climb = climb};
    int32_t penalty = 0;

    if (leaves != SHOAL_I_ANNEAL_NONE) {
        return c->lanes->kernels->replaced(c->lanes, extremes, multitude_rows(c, class),
                                           shoal_i_anneal_row(c, leaves), row, climb);
    }
    c->lanes->kernels->penalties(&penalty, c->lanes, &probe, row, 1);
    return penalty;
}

int64_t shoal_i_anneal_judge(const shoal_i_anneal_classes *c, shoal_i_anneal_step *step)
{
    uint32_t from = c->members[step->member].class;
    const shoal_i_anneal_class *here = &c->classes[from];
    const shoal_i_anneal_class *there = &c->classes[step->class];
    uint32_t goes = step->back == SHOAL_I_ANNEAL_NONE;

    step->here = shoal_i_anneal_penalty(c, from, step->member, step->back);
    step->there = shoal_i_anneal_penalty(c, step->class, step->back, step->member);
    return (int64_t)step->here * (here->size - goes) - (int64_t)here->penalty * here->size +
           (int64_t)step->there * (there->size + goes) - (int64_t)there->penalty * there->size;
}

/* Count the strata of a class, as they would be, into a tally. */
static void tally_counts(const shoal_i_anneal_classes *c, uint32_t class, uint32_t leaves,
                         uint32_t joins, shoal_i_tally *tally)
{
    const shoal_i_tally_source *source = c->problem->source;
    const uint32_t *counts = c->counts + (size_t) class * c->stratum_count;

    for (uint32_t s = 0; s < c->stratum_count; s++) {
        uint32_t count = counts[s];

        count += joins != SHOAL_I_ANNEAL_NONE && c->members[joins].stratum == s;
        count -= leaves != SHOAL_I_ANNEAL_NONE && c->members[leaves].stratum == s;
        for (size_t i = 0; count > 0 && i < source->active_count; i++) {
            shoal_i_tally_add_values(tally, i, source->active[i].codes[c->like[s]], count);
        }
        shoal_i_tally_add_size(tally, count);
    }
}

static void tally_members(const shoal_i_anneal_classes *c, uint32_t class, uint32_t leaves,
                          uint32_t joins, shoal_i_tally *tally)
{
    size_t ring = (size_t) class * c->stratum_count;

    for (size_t end = ring + c->stratum_count; ring < end; ring++) {
        uint32_t member = c->heads[ring];

        for (uint32_t i = 0; i < c->counts[ring]; i++, member = c->next[member]) {
            if (member != leaves) {
                shoal_i_tally_add(tally, c->records[member]);
            }
        }
    }
    if (joins != SHOAL_I_ANNEAL_NONE) {
        shoal_i_tally_add(tally, c->records[joins]);
    }
}

bool shoal_i_anneal_holds(const shoal_i_anneal_classes *c, uint32_t class, uint32_t leaves,
                          uint32_t joins, shoal_i_tally *tally)
{
    shoal_i_tally_empty(tally);
    if (c->is_exact) {
        tally_counts(c, class, leaves, joins, tally);
    } else {
        tally_members(c, class, leaves, joins, tally);
    }
    return shoal_i_requirement_holds(c->problem->requirements, &tally->stats);
}

int64_t shoal_i_anneal_cost(const shoal_i_anneal_classes *c)
{
    int64_t cost = 0;

    for (size_t class = 0; class < c->class_count; class ++) {
        cost += (int64_t)c->classes[class].penalty * c->classes[class].size;
    }
    return cost;
}

/* --- Changing. ---------------------------------------------------------------------------- */

static void link_member(shoal_i_anneal_classes *c, uint32_t member, uint32_t class)
{
    size_t ring = (size_t) class * c->stratum_count + c->members[member].stratum;
    uint32_t head = c->heads[ring];

    if (c->counts[ring]++ == 0) {
        c->heads[ring] = member;
        c->next[member] = member;
        c->previous[member] = member;
    } else {
        c->next[member] = head;
        c->previous[member] = c->previous[head];
        c->next[c->previous[head]] = member;
        c->previous[head] = member;
    }
    c->classes[class].size++;
    c->members[member].class = class;
}

static void unlink_member(shoal_i_anneal_classes *c, uint32_t member)
{
    uint32_t class = c->members[member].class;
    size_t ring = (size_t) class * c->stratum_count + c->members[member].stratum;

    assert(c->classes[class].size > 1);
    c->classes[class].size--;
    c->counts[ring]--;
    c->heads[ring] = c->heads[ring] == member ? c->next[member] : c->heads[ring];
    c->next[c->previous[member]] = c->next[member];
    c->previous[c->next[member]] = c->previous[member];
}

/* Survey a class if it must be; how many members were looked at. */
static size_t survey_if(shoal_i_anneal_classes *c, uint32_t class, bool is_unknown)
{
    if (!is_unknown) {
        return 0;
    }
    survey(c, class);
    return c->classes[class].size;
}

size_t shoal_i_anneal_make(shoal_i_anneal_classes *c, const shoal_i_anneal_step *step)
{
    uint32_t from = c->members[step->member].class;
    const int32_t *row = shoal_i_anneal_row(c, step->member);
    size_t looked_at = 0;

    /* In this order nobody is ever alone when leaving, and classes are surveyed as they are in
     * the end. */
    unlink_member(c, step->member);
    link_member(c, step->member, step->class);
    if (step->back == SHOAL_I_ANNEAL_NONE) {
        looked_at += survey_if(c, from, remove_row(c, from, row));
        add_row(c, step->class, row);
    } else {
        const int32_t *other = shoal_i_anneal_row(c, step->back);

        unlink_member(c, step->back);
        link_member(c, step->back, from);
        looked_at += survey_if(c, from, replace_row(c, from, row, other));
        looked_at += survey_if(c, step->class, replace_row(c, step->class, other, row));
    }
    c->classes[from].penalty = step->here;
    c->classes[step->class].penalty = step->there;
    return looked_at;
}

/* --- Life cycle. -------------------------------------------------------------------------- */

static shoal_status alloc_classes(shoal_ctx *ctx, shoal_i_anneal_classes *c, size_t points)
{
    shoal_status st = SHOAL_OK;
    size_t lanes = c->lanes->count;

    SHOAL_ALLOC(ctx, c->records, c->count);
    SHOAL_ALLOC(ctx, c->members, c->count);
    SHOAL_ALLOC(ctx, c->climbs, points * lanes);
    SHOAL_ALLOC(ctx, c->classes, c->class_count);
    SHOAL_ALLOC(ctx, c->next, c->count);
    SHOAL_ALLOC(ctx, c->previous, c->count);
    SHOAL_ALLOC(ctx, c->heads, c->class_count * c->stratum_count);
    SHOAL_ALLOC(ctx, c->counts, c->class_count * c->stratum_count);
    SHOAL_ALLOC(ctx, c->like, c->stratum_count);
    SHOAL_ALLOC(ctx, c->extremes, c->class_count * EXTREMES * lanes);
    SHOAL_ALLOC(ctx, c->multitude, c->class_count * EXTREMES * lanes);
done:
    return st;
}

/* Number the members point after point; class_of: of each place of the span. */
static void load_members(shoal_i_anneal_classes *c, const uint32_t *records,
                         const shoal_i_strata *strata, const shoal_i_distinct *distinct,
                         const uint32_t *class_of)
{
    for (uint32_t point = 0; point < distinct->count; point++) {
        const int32_t *row = shoal_i_distinct_row(distinct, point);
        shoal_i_probe probe = {.climb = c->climbs + (size_t)point * c->lanes->count};

        shoal_i_probe_set(&probe, c->lanes, row, row, row);
        for (uint32_t i = distinct->first[point]; i < distinct->first[point + 1]; i++) {
            uint32_t place = distinct->records[i];
            uint32_t stratum = strata->of[records[place]];

            c->records[i] = records[place];
            c->members[i] = (shoal_i_anneal_member){.point = point, .stratum = stratum};
            c->like[stratum] = records[place];
            link_member(c, i, class_of[place]);
            add_row(c, class_of[place], row);
        }
    }
}

shoal_status shoal_i_anneal_classes_build(shoal_ctx *ctx, shoal_i_anneal_classes **out,
                                          const shoal_i_grouping *grouping, shoal_i_span span,
                                          const shoal_i_problem *problem,
                                          const shoal_i_strata *strata,
                                          const shoal_i_distinct *distinct)
{
    shoal_status st = SHOAL_OK;
    shoal_i_anneal_classes *c = NULL;
    uint32_t *class_of = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, c, 1);
    *c = (shoal_i_anneal_classes){.lanes = grouping->lanes,
                                  .problem = problem,
                                  .count = span.count,
                                  .rows = distinct->rows,
                                  .points = distinct->first,
                                  .is_exact = strata->are_exact,
                                  .stratum_count = strata->count};
    SHOAL_ALLOC(ctx, class_of, span.count);
    for (size_t i = 0; i < span.count; i++) {
        c->class_count += i == 0 || grouping->is_start[span.first + i];
        class_of[i] = (uint32_t)(c->class_count - 1);
    }
    SHOAL_TRY(alloc_classes(ctx, c, distinct->count));
    for (uint32_t class = 0; class < c->class_count; class ++) {
        forget_extremes(c, class);
    }
    load_members(c, grouping->records + span.first, strata, distinct, class_of);
    for (uint32_t class = 0; class < c->class_count; class ++) {
        c->classes[class].penalty =
            shoal_i_anneal_penalty(c, class, SHOAL_I_ANNEAL_NONE, SHOAL_I_ANNEAL_NONE);
    }
    *out = c;
    c = NULL;
done:
    free(class_of);
    shoal_i_anneal_classes_free(c);
    return st;
}

void shoal_i_anneal_classes_free(shoal_i_anneal_classes *c)
{
    if (c) {
        free(c->records);
        free(c->members);
        free(c->climbs);
        free(c->classes);
        free(c->next);
        free(c->previous);
        free(c->heads);
        free(c->counts);
        free(c->like);
        free(c->extremes);
        free(c->multitude);
        free(c);
    }
}

void shoal_i_anneal_lay_out(const shoal_i_anneal_classes *c, shoal_i_grouping *grouping,
                            size_t first)
{
    size_t lanes = c->lanes->count;
    size_t place = first;

    for (size_t ring = 0; ring < c->class_count * c->stratum_count; ring++) {
        uint32_t member = c->heads[ring];

        if (ring % c->stratum_count == 0) {
            memset(grouping->is_start + place, 0, c->classes[ring / c->stratum_count].size);
            grouping->is_start[place] = 1;
        }
        for (uint32_t i = 0; i < c->counts[ring]; i++, member = c->next[member]) {
            grouping->records[place] = c->records[member];
            memcpy(grouping->rows + place * lanes, shoal_i_anneal_row(c, member),
                   lanes * sizeof *grouping->rows);
            place++;
        }
    }
}

#include "exchange_scratch.h"

#include "../../base/fail.h"
#include "../../box/scan.h"

#include <assert.h>
#include <string.h>

/* Records of a stratum, and classes, that are compared in one trial at most. */
#define WINDOW 8192

/* Partners whose first estimate is good, how many are kept and how many of these are looked at
 * closely. */
#define PARTNERS 256
#define LOOKS 4

/* Classes whose members are asked for one that stretches the box. */
#define ASKED 8

/* Changes that a task may note in one batch. */
#define CHANGES_MAX 4096

static uint32_t draw(shoal_i_exchange_scratch *s, size_t bound)
{
    return (uint32_t)shoal_i_random_below(&s->random, bound);
}

/* Of two random members one of the dearer class. */
static uint32_t draw_member(shoal_i_exchange_scratch *s)
{
    const shoal_i_classes *c = s->classes;
    uint32_t a = draw(s, c->count);
    uint32_t b = draw(s, c->count);

    return c->classes[c->class_of[b]].penalty > c->classes[c->class_of[a]].penalty ? b : a;
}

/* Whether a member is among those that leave. */
static bool is_listed(const shoal_i_change *list, size_t count, uint32_t member)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].member == member) {
            return true;
        }
    }
    return false;
}

/* Someone of a class who is not listed as leaving; not all are. */
static const int32_t *find_staying(const shoal_i_classes *c, uint32_t class,
                                   const shoal_i_change *gone, size_t gone_count)
{
    uint32_t i = c->classes[class].head;

    while (is_listed(gone, gone_count, i)) {
        i = c->next[i];
        assert(i != SHOAL_I_NOBODY);
    }
    return shoal_i_classes_row(c, i);
}

/* The penalty and, in `box`, the box of a class without the members listed and with one more
 * member, or SHOAL_I_NOBODY. Not all may go. */
static int32_t box_after(shoal_i_exchange_scratch *s, int32_t *box, uint32_t class,
                         const shoal_i_change *gone, size_t gone_count, uint32_t joins)
{
    const shoal_i_classes *c = s->classes;
    size_t lanes = c->lanes->count;
    const int32_t *any = joins == SHOAL_I_NOBODY ? find_staying(c, class, gone, gone_count)
                                                 : shoal_i_classes_row(c, joins);

    memcpy(box, any, lanes * sizeof *box);
    memcpy(box + lanes, any, lanes * sizeof *box);
    for (uint32_t i = c->classes[class].head; i != SHOAL_I_NOBODY; i = c->next[i]) {
        if (!is_listed(gone, gone_count, i)) {
            const int32_t *row = shoal_i_classes_row(c, i);

            shoal_i_box_join(c->lanes, box, box + lanes, row, row);
        }
    }
    s->work += c->classes[class].size;
    return shoal_i_classes_box_penalty(c, box, any, s->climb);
}

/* Whether a class holds without one member and with another; SHOAL_I_NOBODY: none. */
static bool holds_after(shoal_i_exchange_scratch *s, uint32_t class, uint32_t leaves,
                        uint32_t joins)
{
    const shoal_i_classes *c = s->classes;

    shoal_i_tally_empty(&s->tally);
    for (uint32_t i = c->classes[class].head; i != SHOAL_I_NOBODY; i = c->next[i]) {
        if (i != leaves) {
            shoal_i_tally_add(&s->tally, c->records[i]);
        }
    }
    if (joins != SHOAL_I_NOBODY) {
        shoal_i_tally_add(&s->tally, c->records[joins]);
    }
    s->work += c->classes[class].size / 2;
    return shoal_i_requirement_holds(s->problem->requirements, &s->tally.stats);
}

/* Note a change of the step on trial; steps end with keep_step. */
static void note_change(shoal_i_exchange_scratch *s, uint32_t member, uint32_t class)
{
    s->changes[s->change_count++] = (shoal_i_change){.member = member, .class = class};
}

static size_t step_start(const shoal_i_exchange_scratch *s)
{
    return s->step_count == 0 ? 0 : shoal_i_span_end(s->steps[s->step_count - 1]);
}

static void keep_step(shoal_i_exchange_scratch *s)
{
    size_t first = step_start(s);

    s->steps[s->step_count++] = shoal_i_span_between(first, s->change_count);
}

static void drop_step(shoal_i_exchange_scratch *s)
{
    s->change_count = step_start(s);
}

/* --- Replacing members.
 * ------------------------------------------------------------------------
 *
 * The step for strict requirements. A member that goes and one of the same stratum that comes
 * have the same sensitive values (or nearly, where strata are not exact; then the requirement
 * is asked), so the class stays as well distributed as it was, and only boxes change. Where a
 * box is stretched from several sides no single exchange gains; that is why up to
 * SHOAL_I_REPLACED_MAX members go together. */

/* Someone who may take a member's place. */
typedef struct partner {
    uint32_t member;
    int32_t together; /* penalty of the class with it */
    int64_t cost;     /* estimate of what the total rises by */
} partner;

/* Keep the best few of the partners, cheapest first. */
static void keep_partner(partner *best, size_t *count, partner it)
{
    size_t at = *count;

    if (at == LOOKS) {
        if (it.cost >= best[at - 1].cost) {
            return;
        }
        at--;
    } else {
        ++*count;
    }
    for (; at > 0 && best[at - 1].cost > it.cost; at--) {
        best[at] = best[at - 1];
    }
    best[at] = it;
}

/* Whether a class is part of the step on trial. */
static bool is_in_step(const shoal_i_exchange_scratch *s, uint32_t class)
{
    for (size_t i = step_start(s); i < s->change_count; i++) {
        if (s->changes[i].class == class ||
            s->classes->class_of[s->changes[i].member] == class) {
            return true;
        }
    }
    return false;
}

/* Members of the stratum of `leaves` whose coming keeps the box of its class small, with what
 * their class would rise by if `leaves` came there and they stayed. */
static size_t list_partners(shoal_i_exchange_scratch *s, partner *best, uint32_t leaves,
                            int32_t limit)
{
    const shoal_i_classes *c = s->classes;
    const shoal_i_lanes *lanes = c->lanes;
    uint32_t class = c->class_of[leaves];
    uint32_t first = c->firsts[c->stratum_of[leaves]];
    size_t count = c->firsts[c->stratum_of[leaves] + 1] - first;
    shoal_i_probe probe = {.climb = s->climb};
    const int32_t *row = shoal_i_classes_row(c, leaves);
    uint32_t members[PARTNERS];
    size_t listed = 0;
    size_t kept = 0;

    if (count > WINDOW) {
        first += draw(s, count - WINDOW + 1);
        count = WINDOW;
    }
    uint32_t offset = draw(s, count);

    shoal_i_probe_set(&probe, lanes, s->box, s->box + lanes->count, s->stays);
    lanes->kernels->penalties(s->penalties, lanes, &probe, shoal_i_classes_row(c, first),
                              count);
    for (size_t i = 0; i < count && listed < PARTNERS; i++) {
        size_t at = i + offset < count ? i + offset : i + offset - count;
        uint32_t other = c->class_of[first + at];

        if (s->penalties[at] < limit && other != class && !is_in_step(s, other)) {
            members[listed] = first + (uint32_t)at;
            s->numbers[listed++] = other;
        }
    }
    shoal_i_probe_set(&probe, lanes, row, row, row);
    lanes->kernels->unions(s->unions, lanes, &probe, c->boxes, s->numbers, listed);
    for (size_t i = 0; i < listed; i++) {
        const shoal_i_class *other = &c->classes[s->numbers[i]];
        int32_t together = s->penalties[members[i] - first];

        keep_partner(best, &kept,
                     (partner){.member = members[i],
                               .together = together,
                               .cost = (int64_t)together * c->classes[class].size +
                                       (int64_t)(s->unions[i] - other->penalty) * other->size});
    }
    s->work += count + 2 * listed;
    return kept;
}

/* Whether two members of a stratum may change places. */
static bool may_swap(shoal_i_exchange_scratch *s, uint32_t a, uint32_t b)
{
    return s->strata_are_exact || (holds_after(s, s->classes->class_of[a], a, b) &&
                                   holds_after(s, s->classes->class_of[b], b, a));
}

/* Find someone who takes the place of a member that leaves, and note both changes; what the
 * other class rises by, INT64_MAX when there is nobody. s->box grows by who comes. */
static int64_t replace_one(shoal_i_exchange_scratch *s, uint32_t leaves, int32_t limit)
{
    const shoal_i_classes *c = s->classes;
    uint32_t class = c->class_of[leaves];
    partner partners[LOOKS];
    size_t count = list_partners(s, partners, leaves, limit);
    int64_t least = INT64_MAX;
    int64_t rise = INT64_MAX;
    uint32_t comes = SHOAL_I_NOBODY;

    for (size_t i = 0; i < count; i++) {
        uint32_t member = partners[i].member;
        const shoal_i_class *other = &c->classes[c->class_of[member]];
        int32_t penalty = other->penalty;

        if (other->size <= SHOAL_I_LARGE) {
            penalty = box_after(s, s->other, c->class_of[member],
                                &(shoal_i_change){.member = member}, 1, leaves);
        }
        int64_t here = (int64_t)(penalty - other->penalty) * other->size;
        int64_t cost = here + (int64_t)partners[i].together * c->classes[class].size;

        if (cost < least && may_swap(s, leaves, member)) {
            least = cost;
            rise = here;
            comes = member;
        }
    }
    if (comes != SHOAL_I_NOBODY) {
        const int32_t *row = shoal_i_classes_row(c, comes);

        note_change(s, leaves, c->class_of[comes]);
        note_change(s, comes, class);
        shoal_i_box_join(c->lanes, s->box, s->box + c->lanes->count, row, row);
    }
    return rise;
}

/* Choose members to be replaced: those farthest from one of them. How many. */
static size_t choose_leaving(shoal_i_exchange_scratch *s, shoal_i_change *gone, uint32_t class)
{
    const shoal_i_classes *c = s->classes;
    shoal_i_probe probe = {.climb = s->climb};
    size_t size = c->classes[class].size;
    size_t wanted = 1 + (size_t)draw(s, SHOAL_I_REPLACED_MAX);
    uint32_t pivot = c->classes[class].head;
    size_t count = 0;

    for (uint32_t steps = draw(s, size); steps > 0; steps--) {
        pivot = c->next[pivot];
    }
    const int32_t *row = shoal_i_classes_row(c, pivot);

    wanted = wanted < size / 2 ? wanted : size / 2;
    shoal_i_probe_set(&probe, c->lanes, row, row, row);
    for (uint32_t i = c->classes[class].head; i != SHOAL_I_NOBODY; i = c->next[i]) {
        int32_t penalty = 0;
        size_t at = count;

        c->lanes->kernels->penalties(&penalty, c->lanes, &probe, shoal_i_classes_row(c, i), 1);
        if (at == wanted) {
            if (at == 0 || penalty <= (int32_t)gone[at - 1].class) {
                continue;
            }
            at--;
        } else {
            count++;
        }
        for (; at > 0 && (int32_t)gone[at - 1].class < penalty; at--) {
            gone[at] = gone[at - 1];
        }
        gone[at] = (shoal_i_change){.member = i, .class = (uint32_t)penalty};
    }
    s->work += size;
    return count;
}

/* Whether a class holds after all changes of the step on trial. Where strata are not exact,
 * members who may each take another's place need not do so together: they may be records of
 * one person. Other classes are part of one change alone, and have been asked. */
static bool holds_after_step(shoal_i_exchange_scratch *s, uint32_t class)
{
    const shoal_i_classes *c = s->classes;
    size_t first = step_start(s);

    shoal_i_tally_empty(&s->tally);
    for (uint32_t i = c->classes[class].head; i != SHOAL_I_NOBODY; i = c->next[i]) {
        bool leaves = false;

        for (size_t j = first; j < s->change_count; j++) {
            leaves |= s->changes[j].member == i;
        }
        if (!leaves) {
            shoal_i_tally_add(&s->tally, c->records[i]);
        }
    }
    for (size_t j = first; j < s->change_count; j++) {
        if (s->changes[j].class == class) {
            shoal_i_tally_add(&s->tally, c->records[s->changes[j].member]);
        }
    }
    s->work += c->classes[class].size;
    return shoal_i_requirement_holds(s->problem->requirements, &s->tally.stats);
}

static void try_replace(shoal_i_exchange_scratch *s)
{
    const shoal_i_classes *c = s->classes;
    uint32_t class = c->class_of[draw_member(s)];
    const shoal_i_class *it = &c->classes[class];
    shoal_i_change gone[SHOAL_I_REPLACED_MAX];

    if (it->penalty == 0 || it->size > SHOAL_I_LARGE || it->size < 2) {
        return;
    }
    size_t count = choose_leaving(s, gone, class);

    if (count == 0 || box_after(s, s->box, class, gone, count, SHOAL_I_NOBODY) >= it->penalty) {
        return;
    }
    int64_t cost = 0;

    s->stays = find_staying(c, class, gone, count);
    for (size_t i = 0; i < count && cost < INT64_MAX; i++) {
        int64_t rise = replace_one(s, gone[i].member, it->penalty);

        cost = rise == INT64_MAX ? INT64_MAX : cost + rise;
    }
    if (cost < INT64_MAX) {
        int32_t penalty = shoal_i_classes_box_penalty(c, s->box, s->stays, s->climb);

        cost += (int64_t)(penalty - it->penalty) * it->size;
    }
    if (cost < 0 && (s->strata_are_exact || holds_after_step(s, class))) {
        keep_step(s);
    } else {
        drop_step(s);
    }
}

/* --- Moving a member.
 * --------------------------------------------------------------------------
 *
 * The step for lenient requirements: classes change their sizes. It is what lets a large cheap
 * class take in what makes small ones dear; both classes are counted anew before it is kept. */

/* A member of the class of `member` without which its box is smaller, if one of the first asked
 * is; else itself. *penalty: of the class without it. */
static uint32_t choose_mover(shoal_i_exchange_scratch *s, uint32_t member, int32_t *penalty)
{
    const shoal_i_classes *c = s->classes;
    const shoal_i_class *class = &c->classes[c->class_of[member]];
    uint32_t asked = member;

    for (int i = 0; i < ASKED && class->size <= SHOAL_I_LARGE; i++) {
        *penalty = box_after(s, s->box, c->class_of[member], &(shoal_i_change){.member = asked},
                             1, SHOAL_I_NOBODY);
        if (*penalty < class->penalty) {
            return asked;
        }
        asked = c->next[asked] == SHOAL_I_NOBODY ? class->head : c->next[asked];
    }
    *penalty = class->penalty;
    return member;
}

static void try_move(shoal_i_exchange_scratch *s)
{
    const shoal_i_classes *c = s->classes;
    const shoal_i_lanes *lanes = c->lanes;
    uint32_t member = draw_member(s);
    uint32_t class = c->class_of[member];
    const shoal_i_class *from = &c->classes[class];
    shoal_i_probe probe = {.climb = s->climb};
    int32_t penalty = 0;
    partner best[LOOKS];
    size_t kept = 0;
    size_t count = c->class_count < WINDOW ? c->class_count : WINDOW;
    uint32_t first = draw(s, c->class_count - count + 1);

    if (from->penalty == 0 || from->size < 2) {
        return;
    }
    member = choose_mover(s, member, &penalty);
    if (!holds_after(s, class, member, SHOAL_I_NOBODY)) {
        return;
    }
    const int32_t *row = shoal_i_classes_row(c, member);
    int64_t gain = (int64_t)from->penalty * from->size - (int64_t)penalty * (from->size - 1);

    for (size_t i = 0; i < count; i++) {
        s->numbers[i] = first + (uint32_t)i;
    }
    shoal_i_probe_set(&probe, lanes, row, row, row);
    lanes->kernels->unions(s->unions, lanes, &probe, c->boxes, s->numbers, count);
    s->work += 2 * count;
    for (size_t i = 0; i < count; i++) {
        const shoal_i_class *to = &c->classes[s->numbers[i]];
        int64_t cost = (int64_t)s->unions[i] * (to->size + 1) - (int64_t)to->penalty * to->size;

        if (s->numbers[i] != class && to->size > 0 && cost < gain) {
            keep_partner(best, &kept, (partner){.member = s->numbers[i], .cost = cost});
        }
    }
    for (size_t i = 0; i < kept; i++) {
        if (holds_after(s, best[i].member, SHOAL_I_NOBODY, member)) {
            note_change(s, member, best[i].member);
            keep_step(s);
            return;
        }
    }
}

/* --- Dividing a class.
 * -------------------------------------------------------------------------
 *
 * Moving and replacing never make a class more. A class that has grown, or was too large from
 * the beginning, is carved in two (carve.h), seldom, because carving costs far more than a
 * look. */

/* The members of a class by their records, which the carver knows them by. */
static uint32_t find_member(const shoal_i_classes *c, uint32_t class, uint32_t record)
{
    uint32_t i = c->classes[class].head;

    while (c->records[i] != record) {
        i = c->next[i];
    }
    return i;
}

static void try_divide(shoal_i_exchange_scratch *s)
{
    const shoal_i_classes *c = s->classes;
    size_t lanes = c->lanes->count;
    uint32_t class = c->class_of[draw_member(s)];
    const shoal_i_class *it = &c->classes[class];
    double smallest = (double)s->carver.smallest_class;
    size_t count = 0;

    if (it->penalty == 0 || it->size > SHOAL_I_LARGE ||
        it->size < 2 * s->carver.smallest_class ||
        s->change_count + it->size > s->change_most) {
        return;
    }
    for (uint32_t i = it->head; i != SHOAL_I_NOBODY; i = c->next[i]) {
        s->records[count] = c->records[i];
        memcpy(s->rows + count++ * lanes, shoal_i_classes_row(c, i), lanes * sizeof *s->rows);
    }
    shoal_i_carver_load(&s->carver, s->records, s->rows, count);
    shoal_i_carving carving = shoal_i_carver_try(
        &s->carver, &s->random, smallest + (it->size / 2.0 - smallest) * draw(s, 5) / 4.0);

    s->work += 16 * (uint64_t)it->size;
    if (carving.count == 0 || carving.count == it->size || carving.penalty >= it->penalty) {
        return;
    }
    shoal_i_carver_take(&s->carver, s->records, s->rows, &carving);
    for (size_t i = 0; i < carving.count; i++) {
        note_change(s, find_member(c, class, s->records[i]), SHOAL_I_NEW_CLASS);
    }
    keep_step(s);
}

/* --- The task. ---------------------------------------------------------------------------- */

void shoal_i_exchange_scratch_clear(shoal_i_exchange_scratch *s)
{
    shoal_i_tally_clear(&s->tally);
    shoal_i_carver_clear(&s->carver);
    free(s->penalties);
    free(s->unions);
    free(s->numbers);
    free(s->box);
    free(s->other);
    free(s->climb);
    free(s->rows);
    free(s->changes);
}

shoal_status shoal_i_exchange_scratch_init(shoal_ctx *ctx, shoal_i_exchange_scratch *s,
                                           const shoal_i_classes *classes,
                                           const shoal_i_exchange_case *exchange)
{
    shoal_status st = SHOAL_OK;
    size_t lanes = classes->lanes->count;
    size_t window = classes->count < WINDOW ? classes->count : WINDOW;
    size_t large = classes->count < SHOAL_I_LARGE ? classes->count : SHOAL_I_LARGE;

    s->classes = classes;
    s->problem = exchange->problem;
    s->strata_are_exact = exchange->strata->are_exact;
    s->change_most = classes->count < CHANGES_MAX / 4
                         ? 4 * classes->count + 2 * SHOAL_I_REPLACED_MAX
                         : CHANGES_MAX;
    SHOAL_TRY(shoal_i_tally_init(ctx, &s->tally, exchange->problem->source));
    SHOAL_TRY(shoal_i_carver_init(ctx, &s->carver, exchange->problem, classes->lanes,
                                  exchange->strata, large));
    SHOAL_ALLOC(ctx, s->penalties, window);
    SHOAL_ALLOC(ctx, s->unions, window);
    SHOAL_ALLOC(ctx, s->numbers, window);
    SHOAL_ALLOC(ctx, s->box, 2 * lanes);
    SHOAL_ALLOC(ctx, s->other, 2 * lanes);
    SHOAL_ALLOC(ctx, s->climb, lanes);
    SHOAL_ALLOC(ctx, s->rows, large * lanes);
    SHOAL_ALLOC(ctx, s->changes, s->change_most);
done:
    return st;
}

void shoal_i_exchange_scratch_search(shoal_i_exchange_scratch *s, shoal_i_random random)
{
    s->random = random;
    s->change_count = 0;
    s->step_count = 0;
    for (int i = 0; i < SHOAL_I_TRIALS; i++) {
        uint32_t kind = draw(s, 16);

        if (kind == 0) {
            try_divide(s);
        } else if (kind % 2 == 0 && s->change_count < s->change_most) {
            try_move(s);
        } else if (s->change_count + 2 * SHOAL_I_REPLACED_MAX <= s->change_most) {
            try_replace(s);
        }
        s->work += 16; /* so that trials that compare nothing come to an end too */
    }
}

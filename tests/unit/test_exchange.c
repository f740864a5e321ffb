/* The steps that an exchange looks for, against the same search told slowly: every box from its
 * members, every class counted anew, the same draws. */
#include "method_case.h"

#include "box/scan.h"
#include "method/grouping/exchange_scratch.h"
#include "method/grouping/keep_cheaper.h"

enum { LANES_MAX = 64, KEPT = 4, ASKED_MEMBERS = 8, PARTNERS_MOST = 256 };

/* Kinds under which records change places with their like, or seldom, or often. */
static const shoal_i_requirement_kind *const kinds[] = {
    &shoal_i_l_frequency, &shoal_i_alpha_general, &shoal_i_l_distinct,
    &shoal_i_t_equal,     &shoal_i_l_entropy,     &shoal_i_beta_basic,
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* Members, and what they are together. */
typedef struct crowd {
    size_t count;
    uint32_t members[CASE_ROWS_MAX];
} crowd;

typedef struct choice {
    uint32_t who;
    int64_t cost;
    int32_t together;
} choice;

typedef struct slow_search {
    shoal_ctx *ctx;
    const method_case *m;
    const shoal_i_classes *c;
    shoal_i_carver carver;
    bool strata_are_exact;
    shoal_i_random random;
    size_t change_most;
    size_t change_count;
    shoal_i_change changes[5 * CASE_ROWS_MAX];
    size_t step_count;
    size_t step_ends[SHOAL_I_TRIALS];
    uint64_t work;
} slow_search;

static uint32_t draw(slow_search *s, size_t bound)
{
    return (uint32_t)shoal_i_random_below(&s->random, bound);
}

static crowd crowd_of(const slow_search *s, uint32_t class)
{
    crowd out = {0};

    for (uint32_t i = s->c->classes[class].head; i != SHOAL_I_NOBODY; i = s->c->next[i]) {
        out.members[out.count++] = i;
    }
    assert_int_equal(out.count, s->c->classes[class].size);
    return out;
}

static crowd without(crowd it, uint32_t member)
{
    size_t count = 0;

    for (size_t i = 0; i < it.count; i++) {
        it.members[count] = it.members[i];
        count += it.members[i] != member;
    }
    it.count = count;
    return it;
}

static crowd with(crowd it, uint32_t member)
{
    it.members[it.count++] = member;
    return it;
}

static int32_t penalty_of(const slow_search *s, const crowd *it)
{
    const shoal_i_lanes *lanes = s->c->lanes;
    int32_t climb[LANES_MAX];
    int32_t box[2 * LANES_MAX];
    shoal_i_probe probe = {.climb = climb};
    const int32_t *first = shoal_i_classes_row(s->c, it->members[0]);

    memcpy(box, first, lanes->count * sizeof *box);
    memcpy(box + lanes->count, first, lanes->count * sizeof *box);
    for (size_t i = 1; i < it->count; i++) {
        const int32_t *row = shoal_i_classes_row(s->c, it->members[i]);

        shoal_i_box_join(lanes, box, box + lanes->count, row, row);
    }
    shoal_i_probe_set(&probe, lanes, box, box + lanes->count, first);
    return shoal_i_penalty(lanes, &probe);
}

/* The penalty of members and one more. */
static int32_t penalty_with(const slow_search *s, const crowd *it, uint32_t member)
{
    crowd more = with(*it, member);

    return penalty_of(s, &more);
}

static bool holds(const slow_search *s, const crowd *it)
{
    uint32_t records[CASE_ROWS_MAX];

    for (size_t i = 0; i < it->count; i++) {
        records[i] = s->c->records[it->members[i]];
    }
    return slow_holds(s->ctx, s->m, records, it->count);
}

/* Put a choice behind all that cost as much or less. */
static void insert(choice *list, size_t *count, choice it)
{
    size_t at = (*count)++;

    for (; at > 0 && list[at - 1].cost > it.cost; at--) {
        list[at] = list[at - 1];
    }
    list[at] = it;
}

static uint32_t draw_member(slow_search *s)
{
    const shoal_i_classes *c = s->c;
    uint32_t one = draw(s, c->count);
    uint32_t two = draw(s, c->count);

    return c->classes[c->class_of[one]].penalty >= c->classes[c->class_of[two]].penalty ? one
                                                                                        : two;
}

static size_t step_start(const slow_search *s)
{
    return s->step_count == 0 ? 0 : s->step_ends[s->step_count - 1];
}

static void note(slow_search *s, uint32_t member, uint32_t class)
{
    s->changes[s->change_count++] = (shoal_i_change){.member = member, .class = class};
}

static void end_step(slow_search *s, bool is_kept)
{
    if (is_kept) {
        s->step_ends[s->step_count++] = s->change_count;
    } else {
        s->change_count = step_start(s);
    }
}

/* --- Replacing. --------------------------------------------------------------------------- */

static bool is_in_step(const slow_search *s, uint32_t class)
{
    for (size_t i = step_start(s); i < s->change_count; i++) {
        if (s->changes[i].class == class || s->c->class_of[s->changes[i].member] == class) {
            return true;
        }
    }
    return false;
}

/* All who could come in the place of `leaves`, cheapest first; how many. */
static size_t list_partners(slow_search *s, choice *partners, const crowd *stay,
                            uint32_t leaves)
{
    const shoal_i_classes *c = s->c;
    uint32_t class = c->class_of[leaves];
    uint32_t first = c->firsts[c->stratum_of[leaves]];
    uint32_t count = c->firsts[c->stratum_of[leaves] + 1] - first;
    uint32_t offset = draw(s, count);
    size_t listed = 0;

    for (uint32_t i = 0; i < count && listed < PARTNERS_MOST; i++) {
        uint32_t member = first + (i + offset) % count;
        uint32_t other = c->class_of[member];
        int32_t together = penalty_with(s, stay, member);

        if (other == class || is_in_step(s, other) || together >= c->classes[class].penalty) {
            continue;
        }
        crowd of_other = crowd_of(s, other);
        int32_t joined = penalty_with(s, &of_other, leaves);

        insert(partners, &listed,
               (choice){.who = member,
                        .together = together,
                        .cost = (int64_t)together * c->classes[class].size +
                                (int64_t)(joined - c->classes[other].penalty) *
                                    c->classes[other].size});
    }
    s->work += count + 2 * listed;
    return listed;
}

/* Whether the classes of two hold when these change places; the second is not asked when the
 * first does not. */
static bool may_swap(slow_search *s, uint32_t a, uint32_t b)
{
    const uint32_t pairs[2][2] = {{a, b}, {b, a}};

    for (int i = 0; i < 2 && !s->strata_are_exact; i++) {
        crowd before = crowd_of(s, s->c->class_of[pairs[i][0]]);
        crowd after = with(without(before, pairs[i][0]), pairs[i][1]);

        s->work += before.count / 2;
        if (!holds(s, &after)) {
            return false;
        }
    }
    return true;
}

static int64_t replace_one(slow_search *s, crowd *stay, uint32_t leaves)
{
    const shoal_i_classes *c = s->c;
    uint32_t class = c->class_of[leaves];
    choice partners[PARTNERS_MOST];
    size_t count = list_partners(s, partners, stay, leaves);
    int64_t least = INT64_MAX;
    int64_t rise = INT64_MAX;
    uint32_t comes = SHOAL_I_NOBODY;

    for (size_t i = 0; i < count && i < KEPT; i++) {
        uint32_t other = c->class_of[partners[i].who];
        crowd before = crowd_of(s, other);
        crowd after = with(without(before, partners[i].who), leaves);
        int64_t here = (int64_t)(penalty_of(s, &after) - c->classes[other].penalty) *
                       (int64_t)before.count;
        int64_t cost = here + (int64_t)partners[i].together * c->classes[class].size;

        s->work += before.count;
        if (cost < least && may_swap(s, leaves, partners[i].who)) {
            least = cost;
            rise = here;
            comes = partners[i].who;
        }
    }
    if (comes != SHOAL_I_NOBODY) {
        note(s, leaves, c->class_of[comes]);
        note(s, comes, class);
        *stay = with(*stay, comes);
    }
    return rise;
}

static void try_replace(slow_search *s)
{
    uint32_t class = s->c->class_of[draw_member(s)];
    const shoal_i_class *it = &s->c->classes[class];
    choice far[CASE_ROWS_MAX];
    size_t count = 0;

    if (it->penalty == 0 || it->size > SHOAL_I_LARGE || it->size < 2) {
        return;
    }
    crowd all = crowd_of(s, class);
    crowd stay = all;
    size_t wanted = 1 + (size_t)draw(s, SHOAL_I_REPLACED_MAX);
    uint32_t pivot = all.members[draw(s, all.count)];

    wanted = wanted < all.count / 2 ? wanted : all.count / 2;
    for (size_t i = 0; i < all.count; i++) { /* farthest first */
        crowd two = {.count = 2, .members = {pivot, all.members[i]}};

        insert(far, &count, (choice){.who = all.members[i], .cost = -penalty_of(s, &two)});
    }
    for (size_t i = 0; i < wanted; i++) {
        stay = without(stay, far[i].who);
    }
    s->work += 2 * all.count;
    if (penalty_of(s, &stay) >= it->penalty) {
        return;
    }
    int64_t cost = 0;

    for (size_t i = 0; i < wanted && cost < INT64_MAX; i++) {
        int64_t rise = replace_one(s, &stay, far[i].who);

        cost = rise == INT64_MAX ? INT64_MAX : cost + rise;
    }
    bool gains =
        cost < INT64_MAX && cost + (int64_t)(penalty_of(s, &stay) - it->penalty) * it->size < 0;

    if (gains && !s->strata_are_exact) { /* all of them together */
        s->work += all.count;
        gains = holds(s, &stay);
    }
    end_step(s, gains);
}

/* --- Moving. ------------------------------------------------------------------------------ */

/* Whoever, from a member on, stretches the box of its class; else the member. */
static uint32_t choose_mover(slow_search *s, const crowd *all, uint32_t member, int32_t most,
                             int32_t *penalty)
{
    size_t at = 0;

    while (all->members[at] != member) {
        at++;
    }
    for (size_t i = 0; i < ASKED_MEMBERS; i++) {
        uint32_t asked = all->members[(at + i) % all->count];
        crowd rest = without(*all, asked);

        *penalty = penalty_of(s, &rest);
        s->work += all->count;
        if (*penalty < most) {
            return asked;
        }
    }
    *penalty = most;
    return member;
}

static void try_move(slow_search *s)
{
    const shoal_i_classes *c = s->c;
    uint32_t member = draw_member(s);
    uint32_t class = c->class_of[member];
    const shoal_i_class *from = &c->classes[class];
    choice targets[CASE_ROWS_MAX];
    size_t count = 0;
    int32_t penalty = 0;

    draw(s, 1); /* where the classes begin that are looked at: all are */
    if (from->penalty == 0 || from->size < 2) {
        return;
    }
    crowd all = crowd_of(s, class);

    member = choose_mover(s, &all, member, from->penalty, &penalty);
    crowd rest = without(all, member);

    s->work += all.count / 2;
    if (!holds(s, &rest)) {
        return;
    }
    int64_t gain = (int64_t)from->penalty * from->size - (int64_t)penalty * (from->size - 1);

    s->work += 2 * c->class_count;
    for (uint32_t other = 0; other < c->class_count; other++) {
        crowd to = crowd_of(s, other);

        if (other == class || to.count == 0) {
            continue;
        }
        int64_t cost = (int64_t)penalty_with(s, &to, member) * (int64_t)(to.count + 1) -
                       (int64_t)c->classes[other].penalty * (int64_t)to.count;

        if (cost < gain) {
            insert(targets, &count, (choice){.who = other, .cost = cost});
        }
    }
    for (size_t i = 0; i < count && i < KEPT; i++) {
        crowd to = with(crowd_of(s, targets[i].who), member);

        s->work += (to.count - 1) / 2;
        if (holds(s, &to)) {
            note(s, member, targets[i].who);
            end_step(s, true);
            return;
        }
    }
}

/* --- Dividing. Carving has tests of its own. ---------------------------------------------- */

static void try_divide(slow_search *s)
{
    const shoal_i_classes *c = s->c;
    size_t lanes = c->lanes->count;
    uint32_t class = c->class_of[draw_member(s)];
    const shoal_i_class *it = &c->classes[class];
    double smallest = (double)s->carver.smallest_class;
    uint32_t records[CASE_ROWS_MAX];
    static int32_t rows[CASE_ROWS_MAX * LANES_MAX];

    if (it->penalty == 0 || it->size > SHOAL_I_LARGE ||
        it->size < 2 * s->carver.smallest_class ||
        s->change_count + it->size > s->change_most) {
        return;
    }
    crowd all = crowd_of(s, class);

    for (size_t i = 0; i < all.count; i++) {
        records[i] = c->records[all.members[i]];
        memcpy(rows + i * lanes, shoal_i_classes_row(c, all.members[i]), lanes * sizeof *rows);
    }
    shoal_i_carver_load(&s->carver, records, rows, all.count);
    double size = smallest + ((double)all.count / 2 - smallest) * draw(s, 5) / 4;
    shoal_i_carving carving = shoal_i_carver_try(&s->carver, &s->random, size);

    s->work += 16 * all.count;
    if (carving.count == 0 || carving.count == all.count || carving.penalty >= it->penalty) {
        return;
    }
    shoal_i_carver_take(&s->carver, records, rows, &carving);
    for (size_t i = 0; i < carving.count; i++) {
        for (size_t j = 0; j < all.count; j++) {
            if (c->records[all.members[j]] == records[i]) {
                note(s, all.members[j], SHOAL_I_NEW_CLASS);
            }
        }
    }
    end_step(s, true);
}

/* --- All of a batch. ---------------------------------------------------------------------- */

static void search_slowly(slow_search *s)
{
    for (int i = 0; i < SHOAL_I_TRIALS; i++) {
        uint32_t kind = draw(s, 16);

        if (kind == 0) {
            try_divide(s);
        } else if (kind % 2 == 0 && s->change_count < s->change_most) {
            try_move(s);
        } else if (s->change_count + 2 * SHOAL_I_REPLACED_MAX <= s->change_most) {
            try_replace(s);
        }
        s->work += 16;
    }
}

/* Kinds of steps that were found. */
typedef struct seen {
    size_t moves;
    size_t divisions;
    size_t replaced[SHOAL_I_REPLACED_MAX + 1];
} seen;

static void count_step(seen *found, const shoal_i_change *changes, size_t count)
{
    if (changes[0].class == SHOAL_I_NEW_CLASS) {
        found->divisions++;
    } else if (count == 1) {
        found->moves++;
    } else {
        assert_int_equal(count % 2, 0);
        found->replaced[count / 2]++;
    }
}

static void compare(slow_search *slow, const shoal_i_exchange_scratch *scratch, seen *found)
{
    search_slowly(slow);
    assert_int_equal(scratch->step_count, slow->step_count);
    assert_int_equal(scratch->change_count, slow->change_count);
    assert_int_equal(scratch->work, slow->work);
    size_t first = 0;

    for (size_t i = 0; i < slow->step_count; i++) {
        assert_int_equal(scratch->steps[i].first, first);
        assert_int_equal(shoal_i_span_end(scratch->steps[i]), slow->step_ends[i]);
        count_step(found, slow->changes + first, slow->step_ends[i] - first);
        first = slow->step_ends[i];
    }
    for (size_t i = 0; i < slow->change_count; i++) {
        assert_int_equal(scratch->changes[i].member, slow->changes[i].member);
        assert_int_equal(scratch->changes[i].class, slow->changes[i].class);
    }
}

/* Look for steps in classes that were carved, and exchanged for a while. */
static void check_batch(shoal_ctx *ctx, const method_case *m, uint64_t seed, seen *found)
{
    shoal_i_meter meter = {.stage = "test", .total = 1000};
    shoal_i_search_limit limit = {.work = 3000 * (seed % 3), .units = 100};
    shoal_i_grouping *grouping = NULL;
    shoal_i_alternatives alternatives = {0};
    shoal_i_classes *classes = NULL;
    shoal_i_exchange_scratch scratch = {0};
    slow_search *slow = calloc(1, sizeof *slow);
    shoal_i_random random = shoal_i_random_start(seed + 77);

    assert_int_equal(shoal_i_grouping_new(ctx, &grouping, &m->problem), SHOAL_OK);
    assert_true(grouping->lanes->count <= LANES_MAX);
    assert_int_equal(
        shoal_i_alternatives_init(ctx, &alternatives, &m->problem, grouping->lanes), SHOAL_OK);
    assert_int_equal(shoal_i_alternatives_carve_groups(ctx, &alternatives, grouping,
                                                       1 + 2 * (double)(seed % 4)),
                     SHOAL_OK);
    shoal_i_span all = {.count = grouping->count};
    shoal_i_exchange_case exchange = {
        .problem = &m->problem, .strata = alternatives.strata, .seed = seed};

    if (limit.work > 0) {
        assert_int_equal(shoal_i_exchange(ctx, grouping, all, &exchange, limit, &meter),
                         SHOAL_OK);
    }
    assert_int_equal(shoal_i_classes_build(ctx, &classes, grouping, all, alternatives.strata),
                     SHOAL_OK);
    assert_int_equal(shoal_i_exchange_scratch_init(ctx, &scratch, classes, &exchange),
                     SHOAL_OK);
    *slow = (slow_search){.ctx = ctx,
                          .m = m,
                          .c = classes,
                          .strata_are_exact = alternatives.strata->are_exact,
                          .random = random,
                          .change_most = 4 * classes->count + 2 * SHOAL_I_REPLACED_MAX};
    assert_int_equal(shoal_i_carver_init(ctx, &slow->carver, &m->problem, classes->lanes,
                                         alternatives.strata, classes->count),
                     SHOAL_OK);
    shoal_i_exchange_scratch_search(&scratch, random);
    compare(slow, &scratch, found);
    shoal_i_carver_clear(&slow->carver);
    free(slow);
    shoal_i_exchange_scratch_clear(&scratch);
    shoal_i_classes_free(classes);
    shoal_i_alternatives_clear(&alternatives);
    shoal_i_grouping_free(grouping);
}

static void test_steps_are_those_of_a_slow_search(void **state)
{
    shoal_ctx ctx;
    method_case m;
    seen found = {0};
    size_t tried = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    for (uint64_t seed = 0; seed < rounds(240, 1000); seed++) {
        uint32_t rows[CASE_ROWS_MAX];

        /* Now and then more values than there may be strata. */
        method_case_make(&ctx, &m, seed, 20 + 11 * (seed % 17), 2 + seed % 3,
                         seed % 5 == 4 ? 150 : 6, kinds[seed % KINDS]);
        for (uint32_t i = 0; i < m.problem.row_count; i++) {
            rows[i] = i;
        }
        if (shoal_i_alternatives_apply(&m.problem) &&
            slow_holds(&ctx, &m, rows, m.problem.row_count)) {
            check_batch(&ctx, &m, seed, &found);
            tried++;
        }
        method_case_free(&m);
    }
    print_message("%zu batches: %zu moves, %zu divisions, %zu, %zu, %zu, %zu replacements\n",
                  tried, found.moves, found.divisions, found.replaced[1], found.replaced[2],
                  found.replaced[3], found.replaced[4]);
    assert_true(tried > 20 && found.moves > 20 && found.divisions > 5);
    for (size_t i = 1; i <= SHOAL_I_REPLACED_MAX; i++) {
        assert_true(found.replaced[i] > 0);
    }
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps_are_those_of_a_slow_search)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

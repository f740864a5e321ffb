/* What the points of a group are worth, who is left out, and their excess: against all ways to
 * choose records. */

#include "deep.h"

#include "base/random.h"
#include "lattice/hunted_group.h"

#define POINTS 6

typedef struct fixture {
    shoal_i_payer payers[POINTS];
    uint32_t ranks[POINTS];
    shoal_i_payers all;
    shoal_i_hunted_group group;
} fixture;

static void make(fixture *f, uint64_t seed)
{
    shoal_i_random random = shoal_i_random_start(seed);
    int32_t price = 20 + (int32_t)shoal_i_random_below(&random, 100);

    *f = (fixture){.all = {.all = f->payers, .smallest = 1 + seed % 6}};
    f->group = (shoal_i_hunted_group){
        .points = f->ranks,
        .count = 1 + (size_t)shoal_i_random_below(&random, POINTS),
        .loss = (int64_t)shoal_i_random_below(&random, 110),
    };
    for (uint32_t i = 0; i < f->group.count; i++) {
        f->ranks[i] = i;
        f->payers[i] = (shoal_i_payer){
            .price = price,
            .spare = seed % 2 ? price : (int32_t)shoal_i_random_below(&random, 30),
            .weight = 1 + (uint32_t)shoal_i_random_below(&random, 3),
            .need = (uint32_t)f->all.smallest + (seed % 3 == 0) * (uint32_t)(seed % 8)};
        f->group.load += f->payers[i].weight;
        price -=
            (int32_t)shoal_i_random_below(&random, (uint64_t)(price < 30 ? price + 1 : 30));
    }
}

/* What a class of so many records of each point is worth. */
static int64_t slow_worth(const fixture *f, const uint32_t *records)
{
    int64_t worth = 0;

    for (size_t i = 0; i < f->group.count; i++) {
        int64_t gain = f->payers[i].price - f->group.loss;

        worth += (int64_t)records[i] * (gain < f->payers[i].spare ? gain : f->payers[i].spare);
    }
    return worth;
}

/* Go to the next way to choose records; false: there is none. */
static bool next_choice(const fixture *f, size_t count, uint32_t *records)
{
    for (size_t i = 0; i < count; i++) {
        if (++records[i] <= f->payers[i].weight) {
            return true;
        }
        records[i] = 0;
    }
    return false;
}

/* Whether records are enough for a class with each of them in it. */
static bool is_class(const fixture *f, size_t count, const uint32_t *records)
{
    uint64_t load = 0;
    uint64_t need = f->all.smallest;

    for (size_t i = 0; i < count; i++) {
        load += records[i];
        need = records[i] > 0 && f->payers[i].need > need ? f->payers[i].need : need;
    }
    return load >= need;
}

static void test_against_all_classes(void **state)
{
    size_t left_out = 0;
    size_t worthless = 0;

    (void)state;
    for (uint64_t seed = 0; seed < rounds(600, 6000); seed++) {
        fixture f;
        shoal_i_sort_item gains[POINTS];
        shoal_i_sort_item spare[POINTS];
        int32_t excess[POINTS] = {0};
        uint32_t records[POINTS] = {0};
        bool matters[POINTS] = {false};
        int64_t most = 0;

        make(&f, seed);
        size_t count = f.group.count;

        do {
            int64_t worth = is_class(&f, count, records) ? slow_worth(&f, records) : 0;

            most = worth > most ? worth : most;
            for (size_t i = 0; i < count; i++) {
                matters[i] |= worth > 0 && records[i] > 0;
            }
        } while (next_choice(&f, count, records));
        shoal_i_appraisal found = shoal_i_hunted_group_appraise(&f.group, f.all);

        /* Needs of single points are looked at one by one, so that it may say too much. */
        assert_true(found.worth >= most);
        assert_true(seed % 3 == 0 || found.worth == most);
        if (found.worth == 0) {
            worthless++;
            continue;
        }
        shoal_i_hunted_group_leave_out(&f.group, f.all, found.most);
        uint64_t load = 0;

        for (size_t i = 0; i < count; i++) {
            bool is_left = i < f.group.count;

            assert_true(is_left || !matters[i]);
            assert_true(seed % 3 == 0 || seed % 2 == 0 || is_left == matters[i]);
            left_out += !is_left;
            load += is_left ? f.payers[i].weight : 0;
        }
        assert_int_equal(f.group.load, load);
        int64_t again = shoal_i_hunted_group_appraise(&f.group, f.all).worth;

        assert_true(again >= most && (seed % 3 == 0 || again == most));
        /* With prices lowered by the excess, no class is worth anything. */
        shoal_i_hunted_group_spread_excess(&f.group, f.all, excess, gains, spare);
        f.group.count = count;
        do {
            int64_t worth = slow_worth(&f, records);

            for (size_t i = 0; i < count; i++) {
                worth -= (int64_t)records[i] * excess[i];
            }
            assert_true(worth <= 0 || !is_class(&f, count, records));
        } while (next_choice(&f, count, records));
    }
    assert_true(left_out > 50 && worthless > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_classes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

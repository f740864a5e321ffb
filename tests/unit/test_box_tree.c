#include "context.h"
#include "failing.h"

#include "base/random.h"
#include "box/box_tree.h"

#include <string.h>

#define ITEMS_MAX 2400
#define COLUMNS 3
#define VALUES 12

/* Random boxes, some of them points, and which of them a tree has been asked to take out. */
typedef struct fixture {
    size_t count;
    shoal_i_interval boxes[ITEMS_MAX * COLUMNS];
    bool is_out[ITEMS_MAX];
    uint32_t step; /* between codes */
    shoal_i_box_tree *tree;
    uint32_t *set; /* of the items that are not out */
} fixture;

static shoal_i_interval draw_interval(shoal_i_random *random, uint32_t step, bool is_point)
{
    uint32_t a = (uint32_t)shoal_i_random_below(random, VALUES) * step;
    uint32_t b = is_point ? a : (uint32_t)shoal_i_random_below(random, VALUES) * step;

    return (shoal_i_interval){.lo = a < b ? a : b, .hi = a < b ? b : a};
}

static void draw_boxes(fixture *f, uint64_t seed, size_t count)
{
    shoal_i_random random = shoal_i_random_start(seed);

    /* Codes that fit into 16 bits, just not, and far from it. */
    const uint32_t steps[] = {1, UINT16_MAX / (VALUES - 1), 7000, UINT32_MAX / VALUES};

    memset(f, 0, sizeof *f);
    f->step = steps[seed % 4];
    f->count = count;
    for (size_t i = 0; i < count; i++) {
        bool is_point = shoal_i_random_below(&random, 2);

        for (size_t c = 0; c < COLUMNS; c++) {
            f->boxes[i * COLUMNS + c] = draw_interval(&random, f->step, is_point);
        }
    }
}

static bool slow_meets(const fixture *f, size_t item, const shoal_i_interval *box)
{
    for (size_t c = 0; c < COLUMNS; c++) {
        const shoal_i_interval *its = &f->boxes[item * COLUMNS + c];

        if (its->hi < box[c].lo || box[c].hi < its->lo) {
            return false;
        }
    }
    return true;
}

typedef struct found {
    size_t times[ITEMS_MAX];
    size_t count;
    size_t most; /* ends the search when so many are found */
} found;

static bool note(void *payload, size_t item)
{
    found *f = payload;

    f->times[item]++;
    return ++f->count == f->most;
}

/* Every box finds what meets it, each once, wherever the search begins; what is taken out only
 * with all. */
static void check_search(const fixture *f, const shoal_i_interval *box, size_t from,
                         bool with_all)
{
    found all = {.most = SIZE_MAX};
    shoal_i_box_tree_search search = {
        .box = box, .among = f->set, .from = from, .found = note, .payload = &all};
    size_t expected = 0;

    if (with_all) {
        search.among = NULL;
    }
    assert_false(shoal_i_box_tree_find(f->tree, &search));
    for (size_t i = 0; i < f->count; i++) {
        bool is_wanted = slow_meets(f, i, box) && (with_all || !f->is_out[i]);

        expected += is_wanted;
        assert_int_equal(all.times[i], is_wanted);
    }
    if (expected > 0) {
        found some = {.most = (expected + 1) / 2};

        search.payload = &some;
        assert_true(shoal_i_box_tree_find(f->tree, &search));
        assert_int_equal(some.count, some.most);
    }
}

static void check_searches(const fixture *f, shoal_i_random *random)
{
    for (size_t i = 0; i < 30; i++) {
        shoal_i_interval box[COLUMNS];
        bool begins_somewhere = f->count > 0 && shoal_i_random_below(random, 2);
        size_t from =
            begins_somewhere ? (size_t)shoal_i_random_below(random, f->count) : SHOAL_I_NO_ITEM;

        for (size_t c = 0; c < COLUMNS; c++) {
            box[c] = draw_interval(random, f->step, i % 3 == 0);
            if (i % 5 == 0) { /* beyond all items */
                box[c].hi = UINT32_MAX;
                box[c].lo = i % 10 == 0 ? box[c].lo : UINT32_MAX - 1;
            }
        }
        check_search(f, box, from, i % 2);
    }
}

static void check_tree(shoal_ctx *ctx, uint64_t seed, size_t count)
{
    shoal_i_random random = shoal_i_random_start(seed + 500);
    fixture f;

    draw_boxes(&f, seed, count);
    assert_int_equal(shoal_i_box_tree_build(ctx, &f.tree, COLUMNS, f.boxes, f.count), SHOAL_OK);
    for (size_t i = 0; i < f.count; i++) {
        assert_memory_equal(shoal_i_box_tree_box(f.tree, i), f.boxes + i * COLUMNS,
                            COLUMNS * sizeof *f.boxes);
    }
    f.set = calloc(f.tree->node_count, sizeof *f.set);
    shoal_i_box_tree_fill(f.tree, f.set);
    check_searches(&f, &random);
    for (size_t i = 0; i < f.count; i++) {
        if (shoal_i_random_below(&random, 3)) {
            f.is_out[i] = true;
            shoal_i_box_tree_take(f.tree, f.set, i);
        }
    }
    check_searches(&f, &random);
    for (size_t i = 0; i < f.count; i++) {
        if (f.is_out[i] && shoal_i_random_below(&random, 2)) {
            f.is_out[i] = false;
            shoal_i_box_tree_put(f.tree, f.set, i);
        }
    }
    check_searches(&f, &random);
    shoal_i_box_tree_fill(f.tree, f.set);
    memset(f.is_out, 0, sizeof f.is_out);
    check_searches(&f, &random);
    free(f.set);
    shoal_i_box_tree_free(f.tree);
}

static void test_finds_what_a_slow_look_finds(void **state)
{
    const size_t full[] = {31, 32, 33, 64, 1023, 1024, 1025, ITEMS_MAX};

    for (uint64_t seed = 0; seed < 40; seed++) {
        check_tree(*state, seed, seed < 20 ? seed : seed * 11);
    }
    for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
        check_tree(*state, 100 + i, full[i]);
    }
}

/* What is taken out of a set, one after the other, leaves it as empty as it began. */
static void test_an_emptied_set_is_all_zero(void **state)
{
    fixture f;

    draw_boxes(&f, 7, 1100);
    assert_int_equal(shoal_i_box_tree_build(*state, &f.tree, COLUMNS, f.boxes, f.count),
                     SHOAL_OK);
    f.set = calloc(f.tree->node_count, sizeof *f.set);
    shoal_i_box_tree_fill(f.tree, f.set);
    for (size_t i = 0; i < f.count; i++) {
        shoal_i_box_tree_take(f.tree, f.set, i);
    }
    for (size_t node = 0; node < f.tree->node_count; node++) {
        assert_int_equal(f.set[node], 0);
    }
    free(f.set);
    shoal_i_box_tree_free(f.tree);
}

static shoal_status build_again(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_status st = shoal_i_box_tree_build(ctx, &f->tree, COLUMNS, f->boxes, f->count);

    assert_true(st == SHOAL_OK || !f->tree);
    shoal_i_box_tree_free(f->tree);
    f->tree = NULL;
    return st;
}

static void test_every_allocation_may_fail(void **state)
{
    fixture f;

    draw_boxes(&f, 3, 50);
    assert_survives_failing_allocations(*state, build_again, &f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_what_a_slow_look_finds),
        cmocka_unit_test(test_an_emptied_set_is_all_zero),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}

/* Persons with several records: tallies against recounting, and the worked answers of the
 * definition. */
#include "context.h"
#include "failing.h"
#include "requirement_fixture.h"

#include "base/random.h"
#include "requirement/tally.h"

#include <string.h>

#define ROWS 120
#define PERSONS 40
#define VALUES 6

/* Two sensitive columns that are read, one that is not; a requirement that joins values. */
typedef struct bench {
    uint32_t names[ROWS];
    uint32_t codes[3][ROWS];
    uint32_t record_k[ROWS];
    uint32_t totals[3][VALUES];
    shoal_i_sensitive columns[3];
    shoal_i_persons persons;
    shoal_i_requirement_set set;
    shoal_i_tally_source source;
} bench;

static const uint32_t joined[] = {1, 3};

static void add(shoal_ctx *ctx, bench *b, const shoal_i_requirement_kind *kind, double value,
                size_t column)
{
    shoal_i_requirement item = {
        .kind = kind, .value = value, .column = &b->columns[column], .column_index = column};

    if (kind == &shoal_i_alpha_values) {
        item.codes = joined;
        item.code_count = 2;
    }
    assert_int_equal(shoal_i_requirement_add_item(ctx, &b->set, &item), SHOAL_OK);
}

/* names of which each occurs, but with gaps: the numbers of persons have none. */
static void make_bench(shoal_ctx *ctx, bench *b, uint64_t seed, size_t person_count)
{
    shoal_i_random random = shoal_i_random_start(seed);

    memset(b, 0, sizeof *b);
    for (size_t i = 0; i < ROWS; i++) {
        b->names[i] =
            3 * (uint32_t)(person_count < ROWS ? shoal_i_random_below(&random, person_count)
                                               : i) +
            1;
        b->record_k[i] = 1 + (uint32_t)shoal_i_random_below(&random, 4);
        for (size_t c = 0; c < 3; c++) {
            b->codes[c][i] = (uint32_t)shoal_i_random_below(&random, VALUES);
        }
    }
    for (size_t c = 0; c < 3; c++) {
        b->columns[c] = (shoal_i_sensitive){.name = "column",
                                            .row_count = ROWS,
                                            .codes = b->codes[c],
                                            .value_count = VALUES,
                                            .totals = b->totals[c]};
    }
    assert_int_equal(shoal_i_persons_init(ctx, &b->persons, b->names, ROWS, 3 * ROWS + 2),
                     SHOAL_OK);
    b->set.counts_persons = true;
    add(ctx, b, &shoal_i_l_entropy, 1, 0);
    add(ctx, b, &shoal_i_l_frequency, 1, 2);
    add(ctx, b, &shoal_i_alpha_values, 1, 2);
    assert_int_equal(shoal_i_requirement_add(ctx, &b->set, &shoal_i_personal_k, 0), SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init_persons(ctx, &b->source, &b->set, b->columns, 3,
                                                       b->record_k, &b->persons, ROWS),
                     SHOAL_OK);
}

static void clear_bench(bench *b)
{
    shoal_i_tally_source_clear(&b->source);
    shoal_i_requirement_set_clear(&b->set);
    shoal_i_persons_clear(&b->persons);
}

/* Whether a person who is in has a record of the value, or of any of those joined. */
static bool has_value(const bench *b, const bool *is_in, uint32_t name, size_t column,
                      uint32_t value, bool any_joined)
{
    for (size_t i = 0; i < ROWS; i++) {
        uint32_t code = b->codes[column][i];

        if (is_in[i] && b->names[i] == name &&
            (any_joined ? code == joined[0] || code == joined[1] : code == value)) {
            return true;
        }
    }
    return false;
}

static bool is_there(const bench *b, const bool *is_in, uint32_t name)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (is_in[i] && b->names[i] == name) {
            return true;
        }
    }
    return false;
}

/* Count persons one by one, and compare all of the statistics. */
static void assert_recount(const bench *b, const shoal_i_tally *tally, const bool *is_in)
{
    uint64_t size = 0;
    uint64_t persons = 0;
    uint64_t with_joined = 0;
    uint64_t largest = 0;

    for (size_t i = 0; i < ROWS; i++) {
        size += is_in[i];
        largest = is_in[i] && b->record_k[i] > largest ? b->record_k[i] : largest;
    }
    for (uint32_t name = 0; name < 3 * ROWS + 2; name++) {
        persons += is_there(b, is_in, name);
        with_joined += has_value(b, is_in, name, 2, 0, true);
    }
    assert_int_equal(tally->stats.size, size);
    assert_int_equal(tally->stats.persons, persons);
    assert_int_equal(tally->stats.largest_k, largest);
    assert_int_equal(tally->stats.joined[0].counts[1], with_joined);
    for (size_t c = 0; c < 3; c += 2) {
        const shoal_i_histogram *h = &tally->stats.histograms[c];
        uint64_t total = 0;
        size_t present = 0;

        for (uint32_t value = 0; value < VALUES; value++) {
            uint32_t count = 0;

            for (uint32_t name = 0; name < 3 * ROWS + 2; name++) {
                count += has_value(b, is_in, name, c, value, false);
            }
            assert_int_equal(h->counts[value], count);
            total += count;
            present += count > 0;
        }
        assert_int_equal(h->total, total);
        assert_int_equal(h->present_count, present);
        for (size_t i = 0; i < present; i++) {
            assert_true(h->counts[h->present[i]] > 0);
        }
    }
}

static void test_add_and_remove(void **state)
{
    shoal_i_random random = shoal_i_random_start(1);
    bench b;
    shoal_i_tally tally;
    bool is_in[ROWS] = {false};

    make_bench(*state, &b, 1, PERSONS);
    assert_true(shoal_i_persons_repeat(&b.persons));
    assert_int_equal(shoal_i_tally_init(*state, &tally, &b.source), SHOAL_OK);
    assert_recount(&b, &tally, is_in);
    for (int step = 0; step < 400; step++) {
        size_t record = shoal_i_random_below(&random, step % 100 < 40 ? ROWS : 15);

        if (is_in[record]) {
            shoal_i_tally_remove(&tally, record);
        } else {
            shoal_i_tally_add(&tally, record);
        }
        is_in[record] = !is_in[record];
        assert_recount(&b, &tally, is_in);
        if (step % 150 == 149) {
            shoal_i_tally_empty(&tally);
            memset(is_in, 0, sizeof is_in);
            assert_recount(&b, &tally, is_in);
        }
    }
    shoal_i_tally_clear(&tally);
    clear_bench(&b);
}

/* Two classes may have persons in common, so that numbers of persons do not add up. */
static void test_join(void **state)
{
    shoal_i_random random = shoal_i_random_start(2);
    bench b;
    shoal_i_tally left;
    shoal_i_tally right;

    make_bench(*state, &b, 2, PERSONS);
    assert_int_equal(shoal_i_tally_init(*state, &left, &b.source), SHOAL_OK);
    assert_int_equal(shoal_i_tally_init(*state, &right, &b.source), SHOAL_OK);
    for (int round = 0; round < 20; round++) {
        bool is_in[ROWS] = {false};
        bool is_left[ROWS] = {false};

        for (size_t i = 0; i < ROWS; i++) {
            is_in[i] = shoal_i_random_below(&random, 3) > 0;
            is_left[i] = is_in[i] && shoal_i_random_below(&random, 2) > 0;
            if (is_in[i]) {
                shoal_i_tally_add(is_left[i] ? &left : &right, i);
            }
        }
        shoal_i_tally_join(&left, &right);
        assert_recount(&b, &left, is_in);
        for (size_t i = 0; i < ROWS; i++) {
            if (is_in[i] && !is_left[i]) {
                shoal_i_tally_remove(&left, i);
            }
        }
        assert_recount(&b, &left, is_left);
        shoal_i_tally_empty(&left);
        shoal_i_tally_empty(&right);
    }
    shoal_i_tally_clear(&left);
    shoal_i_tally_clear(&right);
    clear_bench(&b);
}

/* Where nobody has two records, nothing more is counted than without persons. */
static void test_nobody_repeats(void **state)
{
    bench b;
    shoal_i_tally tally;
    bool is_in[ROWS] = {false};

    make_bench(*state, &b, 3, ROWS);
    assert_false(shoal_i_persons_repeat(&b.persons));
    assert_null(b.source.persons);
    assert_int_equal(shoal_i_tally_init(*state, &tally, &b.source), SHOAL_OK);
    for (size_t i = 0; i < ROWS; i += 3) {
        shoal_i_tally_add(&tally, i);
        is_in[i] = true;
    }
    assert_recount(&b, &tally, is_in);
    shoal_i_tally_clear(&tally);
    clear_bench(&b);
}

static void test_numbers_follow_names(void **state)
{
    const uint32_t names[] = {7, 2, 7, 9, 2};
    const uint32_t record_of[] = {3, 0, 2};
    shoal_i_persons persons;
    shoal_i_persons rows;

    assert_int_equal(shoal_i_persons_init(*state, &persons, names, 5, 10), SHOAL_OK);
    assert_int_equal(persons.count, 3);
    assert_memory_equal(persons.of, ((const uint32_t[]){1, 0, 1, 2, 0}), 5 * sizeof(uint32_t));
    assert_int_equal(shoal_i_persons_init_rows(*state, &rows, &persons, record_of, 3),
                     SHOAL_OK);
    assert_int_equal(rows.count, 2);
    assert_memory_equal(rows.of, ((const uint32_t[]){1, 0, 0}), 3 * sizeof(uint32_t));
    shoal_i_persons_clear(&rows);
    shoal_i_persons_clear(&persons);
}

/* --- The worked answers: A has x, y and z, B has x. ------------------------------------ */

typedef struct worked {
    shoal_i_persons persons;
    uint32_t codes[4];
    uint32_t totals[3];
    shoal_i_sensitive column;
    shoal_i_requirement_set set;
    shoal_i_tally_source source;
    shoal_i_tally tally;
} worked;

static double find_worked(shoal_ctx *ctx, const shoal_i_requirement_kind *kind, double value,
                          bool *holds)
{
    const uint32_t names[] = {0, 0, 0, 1};
    worked w = {.codes = {0, 1, 2, 0}, .totals = {2, 1, 1}};
    double figure = 0;

    w.column = (shoal_i_sensitive){.name = "diagnosis",
                                   .row_count = 4,
                                   .codes = w.codes,
                                   .value_count = 3,
                                   .totals = w.totals,
                                   .total = 4};
    w.set.counts_persons = true;
    assert_int_equal(shoal_i_persons_init(ctx, &w.persons, names, 4, 2), SHOAL_OK);
    assert_int_equal(
        shoal_i_requirement_add_item(
            ctx, &w.set,
            &(shoal_i_requirement){.kind = kind, .value = value, .c = 2, .column = &w.column}),
        SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init_persons(ctx, &w.source, &w.set, &w.column, 1,
                                                       NULL, &w.persons, 4),
                     SHOAL_OK);
    assert_int_equal(shoal_i_tally_init(ctx, &w.tally, &w.source), SHOAL_OK);
    shoal_i_tally_add_all(&w.tally);
    assert_int_equal(w.tally.stats.persons, 2);
    *holds = kind->check(&w.set.items[0], &w.tally.stats, &figure);
    shoal_i_tally_clear(&w.tally);
    shoal_i_tally_source_clear(&w.source);
    shoal_i_requirement_set_clear(&w.set);
    shoal_i_persons_clear(&w.persons);
    return figure;
}

static void test_worked_answers(void **state)
{
    bool holds = false;

    assert_float_equal(find_worked(*state, &shoal_i_k_anonymity, 2, &holds), 2, 0);
    assert_true(holds);
    find_worked(*state, &shoal_i_k_anonymity, 3, &holds);
    assert_false(holds);
    assert_float_equal(find_worked(*state, &shoal_i_alpha_general, 0.9, &holds), 1, 0);
    assert_false(holds);
    assert_float_equal(find_worked(*state, &shoal_i_l_distinct, 3, &holds), 3, 0);
    assert_true(holds);
    assert_float_equal(find_worked(*state, &shoal_i_l_frequency, 1, &holds), 1, 0);
    assert_true(holds);
    /* c = 2, 1, 1: entropy of 1/2, 1/4, 1/4 is 1.5 ln 2. */
    assert_float_equal(find_worked(*state, &shoal_i_l_entropy, 2, &holds), 2.8284271247, 1e-9);
    /* r1 = 2, the rest from the second on 2. */
    assert_float_equal(find_worked(*state, &shoal_i_l_recursive, 2, &holds), 1, 1e-12);
    /* The table has the same distribution of persons. */
    assert_float_equal(find_worked(*state, &shoal_i_t_equal, 0, &holds), 0, 0);
    assert_true(holds);
    assert_float_equal(find_worked(*state, &shoal_i_delta_disclosure, 0, &holds), 0, 1e-12);
    assert_true(holds);
}

/* {A: v, B: w} and {C: v, B: w} have a share of 1/2 each, their union one of 2/3. */
static void test_shares_are_not_monotone(void **state)
{
    shoal_i_requirement_set set = {.counts_persons = true};
    uint32_t totals[] = {1, 1};
    shoal_i_sensitive column = {.name = "ill", .value_count = 2, .totals = totals, .total = 2};

    (void)state;
    for (size_t i = 0; shoal_i_requirement_kinds[i]; i++) {
        const shoal_i_requirement_kind *kind = shoal_i_requirement_kinds[i];
        bool stays = kind == &shoal_i_k_anonymity || kind == &shoal_i_personal_k ||
                     kind == &shoal_i_l_distinct || kind == &shoal_i_k_map;

        set.count = 1;
        set.items[0] = (shoal_i_requirement){.kind = kind, .column = &column};
        assert_int_equal(shoal_i_requirement_is_monotone(&set, true), stays);
        assert_int_equal(shoal_i_requirement_is_monotone(&set, false), kind->is_monotone);
    }
}

static shoal_status build_all(shoal_ctx *ctx, void *payload)
{
    shoal_status st = SHOAL_OK;
    bench *b = payload;
    shoal_i_persons persons = {0};
    shoal_i_tally_source source = {0};
    shoal_i_tally tally = {0};

    SHOAL_TRY(shoal_i_persons_init(ctx, &persons, b->names, ROWS, 3 * ROWS + 2));
    SHOAL_TRY(shoal_i_tally_source_init_persons(ctx, &source, &b->set, b->columns, 3,
                                                b->record_k, &persons, ROWS));
    SHOAL_TRY(shoal_i_tally_init(ctx, &tally, &source));
done:
    shoal_i_tally_clear(&tally);
    shoal_i_tally_source_clear(&source);
    shoal_i_persons_clear(&persons);
    return st;
}

static void test_no_memory(void **state)
{
    bench b;

    make_bench(*state, &b, 4, PERSONS);
    assert_survives_failing_allocations(*state, build_all, &b);
    assert_notices_failing_allocations(*state, build_all, &b);
    clear_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_and_remove), cmocka_unit_test(test_join),
        cmocka_unit_test(test_nobody_repeats), cmocka_unit_test(test_numbers_follow_names),
        cmocka_unit_test(test_worked_answers), cmocka_unit_test(test_shares_are_not_monotone),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}

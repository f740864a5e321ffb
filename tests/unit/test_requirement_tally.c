/* Sensitive columns from tables, and tallies against recounting. */
#include "context.h"
#include "requirement_fixture.h"

#include "base/random.h"
#include "requirement/tally.h"

#include <stdio.h>
#include <string.h>

#define ROWS 200

/* illness: text, "" is missing; visits: a number. */
static shoal_table *make_table(shoal_ctx *ctx, const char *const *illness,
                               const int64_t *visits, size_t rows)
{
    char bytes[4096];
    int32_t offsets[ROWS + 1] = {0};
    uint8_t validity[ROWS / 8 + 1] = {0};
    shoal_array arrays[] = {
        {.name = "illness",
         .kind = SHOAL_ARRAY_UTF8,
         .length = rows,
         .data = bytes,
         .offsets32 = offsets,
         .validity = validity},
        {.name = "visits", .kind = SHOAL_ARRAY_INT64, .length = rows, .data = visits},
    };
    shoal_table *table = NULL;

    for (size_t i = 0; i < rows; i++) {
        size_t length = strlen(illness[i]);

        memcpy(bytes + offsets[i], illness[i], length);
        offsets[i + 1] = offsets[i] + (int32_t)length;
        if (length > 0) {
            validity[i / 8] = (uint8_t)(validity[i / 8] | 1u << i % 8);
        }
    }
    assert_int_equal(shoal_table_from_arrays(ctx, &table, arrays, 2), SHOAL_OK);
    return table;
}

static shoal_table *make_small_table(shoal_ctx *ctx)
{
    const char *const illness[] = {"flu", "HIV", "flu", "", "flu"};
    const int64_t visits[] = {7, 3, 7, 1, 3};

    return make_table(ctx, illness, visits, 5);
}

/* --- Columns. ---------------------------------------------------------------------------- */

static void test_column(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_table *table = make_small_table(ctx);
    shoal_i_sensitive illness;
    shoal_i_sensitive visits;
    uint32_t code = 9;

    assert_int_equal(shoal_i_sensitive_init(ctx, &illness, table, 0, NULL, NULL), SHOAL_OK);
    assert_string_equal(illness.name, "illness");
    assert_int_equal(illness.value_count, 3);
    assert_int_equal(illness.total, 5);
    assert_true(illness.has_missing);
    assert_false(illness.is_numeric);
    assert_int_equal(illness.totals[0], 1); /* HIV comes before flu */
    assert_int_equal(illness.totals[1], 3);
    assert_int_equal(illness.totals[2], 1);
    assert_int_equal(illness.codes[3], 2);
    assert_int_equal(shoal_i_sensitive_most_frequent(&illness), 1);
    assert_int_equal(shoal_i_sensitive_rank(&illness, 1), 1);
    assert_int_equal(shoal_i_sensitive_rank(&illness, 0), 2);
    assert_int_equal(shoal_i_sensitive_find(ctx, &code, &illness, "flu", 3), SHOAL_OK);
    assert_int_equal(code, 1);
    assert_int_equal(shoal_i_sensitive_find(ctx, &code, &illness, "fl", 2), SHOAL_ENOTFOUND);
    assert_non_null(strstr(ctx->error.message, "\"illness\""));

    assert_int_equal(shoal_i_sensitive_init(ctx, &visits, table, 1, NULL, NULL), SHOAL_OK);
    assert_true(visits.is_numeric);
    assert_false(visits.has_missing);
    assert_int_equal(shoal_i_sensitive_find(ctx, &code, &visits, "3.0", 3), SHOAL_OK);
    assert_int_equal(code, 1);
    shoal_i_sensitive_clear(&illness);
    shoal_i_sensitive_clear(&visits);
    shoal_table_free(table);
}

static void test_missing_can_be_named(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_table *table = make_small_table(ctx);
    shoal_i_sensitive illness;
    uint32_t code = 9;
    size_t length = 0;

    assert_int_equal(shoal_i_sensitive_init(ctx, &illness, table, 0, NULL, NULL), SHOAL_OK);
    const char *token = shoal_table_text(table, 0, 2, &length);

    assert_int_equal(shoal_i_sensitive_find(ctx, &code, &illness, token, length), SHOAL_OK);
    assert_int_equal(code, 2);
    shoal_i_sensitive_clear(&illness);
    shoal_table_free(table);
}

static void test_foreign_hierarchy(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_table *table = make_small_table(ctx);
    shoal_hierarchy *of_visits = NULL;
    shoal_hierarchy *of_illness = NULL;
    shoal_i_sensitive column;
    const int64_t two[] = {1, 2};
    const char *const names[] = {"a", "b"};
    shoal_table *other = make_table(ctx, names, two, 2);

    assert_int_equal(shoal_hierarchy_build_flat(ctx, &of_visits, other, 1), SHOAL_OK);
    assert_int_equal(shoal_i_sensitive_init(ctx, &column, table, 0, of_visits, NULL),
                     SHOAL_EINVAL);
    assert_non_null(strstr(ctx->error.message, "3 different values"));
    assert_int_equal(shoal_hierarchy_build_flat(ctx, &of_illness, table, 0), SHOAL_OK);
    assert_int_equal(shoal_i_sensitive_init(ctx, &column, table, 0, of_illness, NULL),
                     SHOAL_OK);
    shoal_i_sensitive_clear(&column);
    shoal_hierarchy_free(of_visits);
    shoal_hierarchy_free(of_illness);
    shoal_table_free(other);
    shoal_table_free(table);
}

/* Values are named by rank, and by text only for those who ask. */
static void test_messages_hide_values(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_table *table = make_small_table(ctx);
    shoal_i_sensitive illness;
    shoal_i_requirement_set set = {0};
    shoal_i_tally_source source;
    shoal_i_tally whole;

    assert_int_equal(shoal_i_sensitive_init(ctx, &illness, table, 0, NULL, NULL), SHOAL_OK);
    shoal_i_requirement item = {
        .kind = &shoal_i_alpha_general, .value = 0.5, .column = &illness};

    assert_int_equal(shoal_i_requirement_add_item(ctx, &set, &item), SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init(ctx, &source, &set, &illness, 1, NULL, 5),
                     SHOAL_OK);
    assert_int_equal(shoal_i_tally_init(ctx, &whole, &source), SHOAL_OK);
    shoal_i_tally_add_all(&whole);
    for (int show = 0; show < 2; show++) {
        ctx->show_values = show == 1;
        assert_int_equal(shoal_i_requirement_check_possible(ctx, &set, &whole.stats),
                         SHOAL_EUNSATISFIABLE);
        assert_true((strstr(ctx->error.message, "flu") != NULL) == (show == 1));
        assert_true((strstr(ctx->error.message, "rank 1") != NULL) == (show == 0));
        assert_non_null(strstr(ctx->error.message, "3 of the 5 records"));
        assert_non_null(strstr(ctx->error.message, "hold is 0.6."));
    }
    ctx->show_values = false;
    shoal_i_tally_clear(&whole);
    shoal_i_tally_source_clear(&source);
    shoal_i_requirement_set_clear(&set);
    shoal_i_sensitive_clear(&illness);
    shoal_table_free(table);
}

/* --- Tallies. ---------------------------------------------------------------------------- */

typedef struct bench {
    shoal_i_sensitive columns[3];
    uint32_t codes[3][ROWS];
    uint32_t totals[3][8];
    uint32_t record_k[ROWS];
    shoal_i_requirement_set set;
    shoal_i_tally_source source;
} bench;

/* Three columns of which the first and the last are read, and a k of each record. */
static void make_bench(shoal_ctx *ctx, bench *b, shoal_i_random *random)
{
    *b = (bench){0};
    for (size_t c = 0; c < 3; c++) {
        for (size_t i = 0; i < ROWS; i++) {
            b->codes[c][i] = (uint32_t)shoal_i_random_below(random, 8);
            b->totals[c][b->codes[c][i]]++;
        }
        b->columns[c] = (shoal_i_sensitive){.name = "column",
                                            .row_count = ROWS,
                                            .codes = b->codes[c],
                                            .value_count = 8,
                                            .totals = b->totals[c],
                                            .total = ROWS};
    }
    for (size_t i = 0; i < ROWS; i++) {
        b->record_k[i] = 2 + (uint32_t)shoal_i_random_below(random, 5) * 3;
    }
    for (size_t c = 0; c < 3; c += 2) {
        shoal_i_requirement item = {.kind = &shoal_i_l_distinct,
                                    .value = 2,
                                    .column = &b->columns[c],
                                    .column_index = c};

        assert_int_equal(shoal_i_requirement_add_item(ctx, &b->set, &item), SHOAL_OK);
    }
    assert_int_equal(shoal_i_requirement_add(ctx, &b->set, &shoal_i_personal_k, 0), SHOAL_OK);
    assert_int_equal(
        shoal_i_tally_source_init(ctx, &b->source, &b->set, b->columns, 3, b->record_k, ROWS),
        SHOAL_OK);
}

static void clear_bench(bench *b)
{
    shoal_i_tally_source_clear(&b->source);
    shoal_i_requirement_set_clear(&b->set);
}

/* Recount the records that are in and compare all of the statistics. */
static void assert_recount(const bench *b, const shoal_i_tally *tally, const bool *is_in)
{
    uint64_t size = 0;
    uint32_t largest = 0;

    for (size_t i = 0; i < ROWS; i++) {
        size += is_in[i];
        largest = is_in[i] && b->record_k[i] > largest ? b->record_k[i] : largest;
    }
    assert_int_equal(tally->stats.size, size);
    assert_int_equal(tally->stats.largest_k, largest);
    for (size_t c = 0; c < 3; c += 2) {
        const shoal_i_histogram *h = &tally->stats.histograms[c];
        uint32_t counts[8] = {0};
        size_t present = 0;

        for (size_t i = 0; i < ROWS; i++) {
            counts[b->codes[c][i]] += is_in[i];
        }
        assert_memory_equal(h->counts, counts, sizeof counts);
        for (uint32_t code = 0; code < 8; code++) {
            present += counts[code] > 0;
        }
        assert_int_equal(h->present_count, present);
        for (size_t i = 0; i < present; i++) {
            assert_true(counts[h->present[i]] > 0);
            counts[h->present[i]] = 0; /* listed once */
        }
    }
}

static void test_add_and_remove(void **state)
{
    shoal_i_random random = shoal_i_random_start(1);
    bench b;
    shoal_i_tally tally;
    bool is_in[ROWS] = {false};

    make_bench(*state, &b, &random);
    assert_int_equal(shoal_i_tally_init(*state, &tally, &b.source), SHOAL_OK);
    assert_recount(&b, &tally, is_in);
    for (int step = 0; step < 3000; step++) {
        size_t record = shoal_i_random_below(&random, step % 200 < 20 ? ROWS : 12);

        if (is_in[record]) {
            shoal_i_tally_remove(&tally, record);
        } else {
            shoal_i_tally_add(&tally, record);
        }
        is_in[record] = !is_in[record];
        assert_recount(&b, &tally, is_in);
        if (step % 500 == 499) {
            shoal_i_tally_empty(&tally);
            memset(is_in, 0, sizeof is_in);
            assert_recount(&b, &tally, is_in);
        }
    }
    shoal_i_tally_clear(&tally);
    clear_bench(&b);
}

static void test_join_and_part(void **state)
{
    shoal_i_random random = shoal_i_random_start(2);
    bench b;
    shoal_i_tally left;
    shoal_i_tally right;
    bool in_left[ROWS] = {false};
    bool in_either[ROWS] = {false};

    make_bench(*state, &b, &random);
    assert_int_equal(shoal_i_tally_init(*state, &left, &b.source), SHOAL_OK);
    assert_int_equal(shoal_i_tally_init(*state, &right, &b.source), SHOAL_OK);
    for (int round = 0; round < 50; round++) {
        size_t count = shoal_i_random_below(&random, 10);

        for (uint32_t i = 0; i < ROWS; i++) {
            in_left[i] = i < count;
            in_either[i] = i < 2 * count;
            if (i < count) {
                shoal_i_tally_add_list(&left, &i, 1);
            } else if (i < 2 * count) {
                shoal_i_tally_add(&right, i);
            }
        }
        shoal_i_tally_join(&left, &right);
        assert_recount(&b, &left, in_either);
        for (size_t i = count; i < 2 * count; i++) {
            shoal_i_tally_remove(&left, i);
        }
        assert_recount(&b, &left, in_left);
        shoal_i_tally_empty(&left);
        shoal_i_tally_empty(&right);
    }
    shoal_i_tally_clear(&left);
    shoal_i_tally_clear(&right);
    clear_bench(&b);
}

/* A set of sizes alone counts nothing else, and needs no columns. */
static void test_sizes_only(void **state)
{
    shoal_i_requirement_set set = {0};
    shoal_i_tally_source source;
    shoal_i_tally tally;

    assert_int_equal(shoal_i_requirement_add(*state, &set, &shoal_i_k_anonymity, 2), SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init(*state, &source, &set, NULL, 0, NULL, ROWS),
                     SHOAL_OK);
    assert_int_equal(source.active_count, 0);
    assert_int_equal(shoal_i_tally_init(*state, &tally, &source), SHOAL_OK);
    shoal_i_tally_add(&tally, 3);
    assert_false(shoal_i_requirement_holds(&set, &tally.stats));
    shoal_i_tally_add_all(&tally);
    shoal_i_tally_remove(&tally, 3);
    assert_int_equal(tally.stats.size, ROWS);
    assert_true(shoal_i_requirement_holds(&set, &tally.stats));
    shoal_i_tally_clear(&tally);
    shoal_i_tally_source_clear(&source);
    shoal_i_requirement_set_clear(&set);
}

static void test_no_records(void **state)
{
    shoal_i_requirement_set set = {0};
    shoal_i_sensitive column = {.name = "nothing"};
    shoal_i_requirement item = {.kind = &shoal_i_t_js, .value = 0.1, .column = &column};
    const uint32_t nobody[1] = {0};
    shoal_i_tally_source source;
    shoal_i_tally tally;

    assert_int_equal(shoal_i_requirement_add_item(*state, &set, &item), SHOAL_OK);
    item.kind = &shoal_i_delta_disclosure;
    assert_int_equal(shoal_i_requirement_add_item(*state, &set, &item), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(*state, &set, &shoal_i_personal_k, 0), SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init(*state, &source, &set, &column, 1, nobody, 0),
                     SHOAL_OK);
    assert_int_equal(shoal_i_tally_init(*state, &tally, &source), SHOAL_OK);
    shoal_i_tally_add_all(&tally);
    assert_int_equal(tally.stats.size, 0);
    assert_int_equal(tally.stats.largest_k, 0);
    assert_true(shoal_i_requirement_holds(&set, &tally.stats));
    assert_int_equal(shoal_i_requirement_smallest_class(&set), 1);
    shoal_i_tally_clear(&tally);
    shoal_i_tally_source_clear(&source);
    shoal_i_requirement_set_clear(&set);
}

/* --- No memory. -------------------------------------------------------------------------- */

/* Every kind that prepares something, and all that a tally needs. */
static shoal_status build_all(shoal_ctx *ctx, void *payload)
{
    static const uint32_t code = 1;
    static const double limit = 0.9;
    shoal_status st = SHOAL_OK;
    const shoal_table *table = payload;
    shoal_i_sensitive columns[2] = {{0}, {0}};
    shoal_i_requirement_set set = {0};
    shoal_i_tally_source source = {0};
    shoal_i_tally tally = {0};
    shoal_i_tally wide_tally = {0};
    const uint32_t record_k[] = {2, 2, 3, 2, 3};

    SHOAL_TRY(shoal_i_sensitive_init(ctx, &columns[0], table, 0, NULL, NULL));
    SHOAL_TRY(shoal_i_sensitive_init(ctx, &columns[1], table, 1, NULL, NULL));
    for (size_t i = 0; shoal_i_requirement_kinds[i]; i++) {
        shoal_i_requirement item = {.kind = shoal_i_requirement_kinds[i],
                                    .value = 1,
                                    .c = 1,
                                    .column = &columns[1],
                                    .column_index = 1,
                                    .codes = &code,
                                    .limits = &limit,
                                    .code_count = 1};

        if (item.kind != &shoal_i_t_hierarchical && item.kind->needs_sensitive) {
            SHOAL_TRY(shoal_i_requirement_add_item(ctx, &set, &item));
        }
    }
    SHOAL_TRY(shoal_i_requirement_add(ctx, &set, &shoal_i_personal_k, 0));
    SHOAL_TRY(shoal_i_tally_source_init(ctx, &source, &set, columns, 2, record_k, 5));
    SHOAL_TRY(shoal_i_tally_init(ctx, &tally, &source));
    /* Lists that do not fit into the memory that was asked for at first. */
    shoal_i_tally_source wide = source;

    wide.active[0].value_count = 1000000;
    SHOAL_TRY(shoal_i_tally_init(ctx, &wide_tally, &wide));
done:
    shoal_i_tally_clear(&wide_tally);
    shoal_i_tally_clear(&tally);
    shoal_i_tally_source_clear(&source);
    shoal_i_requirement_set_clear(&set);
    shoal_i_sensitive_clear(&columns[0]);
    shoal_i_sensitive_clear(&columns[1]);
    return st;
}

static void test_no_memory(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_table *table = make_small_table(ctx);

    assert_survives_failing_allocations(ctx, build_all, table);
    assert_notices_failing_allocations(ctx, build_all, table);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_column),
        cmocka_unit_test(test_missing_can_be_named),
        cmocka_unit_test(test_foreign_hierarchy),
        cmocka_unit_test(test_messages_hide_values),
        cmocka_unit_test(test_add_and_remove),
        cmocka_unit_test(test_join_and_part),
        cmocka_unit_test(test_sizes_only),
        cmocka_unit_test(test_no_records),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}

/* Whether a release can be one of its original, against a plain search for a matching. */
#include "release_fixture.h"

#include "base/random.h"
#include "measure/origin_check.h"

#define FEW 8
#define TABLES 1200
#define SEED 1

typedef struct draw {
    size_t record_count;
    size_t row_count;
    size_t column_count;
    unsigned records[FEW][2];
    unsigned rows[FEW][2][2]; /* row, column, end */
} draw;

/* --- The oracle. */

static bool covers(const draw *d, size_t row, size_t record)
{
    for (size_t c = 0; c < d->column_count; c++) {
        if (d->records[record][c] < d->rows[row][c][0] ||
            d->records[record][c] > d->rows[row][c][1]) {
            return false;
        }
    }
    return true;
}

/* The most rows, from this one on, that can have records of their own. */
static size_t slow_most(const draw *d, size_t row, unsigned taken)
{
    size_t most = 0;

    if (row == d->row_count) {
        return 0;
    }
    most = slow_most(d, row + 1, taken);
    for (size_t record = 0; record < d->record_count; record++) {
        if (!(taken & 1u << record) && covers(d, row, record)) {
            size_t count = 1 + slow_most(d, row + 1, taken | 1u << record);

            most = count > most ? count : most;
        }
    }
    return most;
}

/* --- Random tables. */

/* Values 0..3, all of which occur in some record: ranges of a release are made of them. */
static draw draw_tables(shoal_i_random *random)
{
    draw d = {.record_count = 4 + shoal_i_random_below(random, FEW - 3),
              .column_count = 1 + shoal_i_random_below(random, 2)};

    d.row_count = d.record_count - shoal_i_random_below(random, 3);
    for (unsigned i = 0; i < d.record_count; i++) {
        for (size_t c = 0; c < 2; c++) {
            d.records[i][c] = i < 4 ? i : (unsigned)shoal_i_random_below(random, 4);
        }
    }
    for (size_t i = 0; i < d.row_count; i++) {
        for (size_t c = 0; c < 2; c++) {
            unsigned a = (unsigned)shoal_i_random_below(random, 4);
            unsigned b = (unsigned)shoal_i_random_below(random, 4);

            d.rows[i][c][0] = a < b ? a : b;
            d.rows[i][c][1] = a < b ? b : a;
        }
    }
    return d;
}

static shoal_i_origin_verdict check(shoal_ctx *ctx, const draw *d, size_t whole)
{
    static const fixture_column columns[] = {{"a", NULL, 1}, {"b", NULL, 1}};
    char original[256] = "a,b\n";
    char release[512] = "a,b\n";
    fixture f;
    shoal_i_release *parsed = NULL;
    shoal_i_origin_verdict found = {0};

    for (size_t i = 0; i < d->record_count; i++) {
        snprintf(original + strlen(original), sizeof original - strlen(original), "%u,%u\n",
                 d->records[i][0], d->records[i][1]);
    }
    for (size_t i = 0; i < d->row_count; i++) {
        snprintf(release + strlen(release), sizeof release - strlen(release),
                 "[%u..%u],[%u..%u]\n", d->rows[i][0][0], d->rows[i][0][1], d->rows[i][1][0],
                 d->rows[i][1][1]);
    }
    fixture_open(&f, original, columns, d->column_count);

    shoal_table *file = fixture_read(&f, release);

    assert_ok(&f, shoal_i_release_parse(&f.ctx, &parsed, f.quasi, file));
    ctx->error.status = shoal_i_origin_check(ctx, &found, parsed, whole);
    shoal_i_release_free(parsed);
    shoal_table_free(file);
    fixture_close(&f);
    return found;
}

/* As a whole it is exact. By columns it refuses none that belongs, and is exact in one
 * column. */
static void test_random_releases(void **state)
{
    shoal_ctx ctx;
    shoal_i_random random = shoal_i_random_start(SEED);
    size_t seen[2] = {0};

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < TABLES; i++) {
        draw d = draw_tables(&random);
        size_t lost = d.row_count - slow_most(&d, 0, 0);
        shoal_i_origin_verdict whole = check(&ctx, &d, FEW);
        shoal_i_origin_verdict columns = check(&ctx, &d, 0);

        assert_int_equal(whole.lost > 0, lost > 0);
        assert_true(columns.lost <= lost);
        if (d.column_count == 1) {
            assert_int_equal(columns.lost, lost);
        } else if (whole.column == SHOAL_I_ORIGIN_ALL) {
            assert_int_equal(whole.lost, lost);
        }
        assert_true(lost == 0 || whole.row < d.row_count);
        seen[lost > 0]++;
    }
    assert_true(seen[0] > TABLES / 10 && seen[1] > TABLES / 10);
    shoal_i_ctx_clear(&ctx);
}

/* The row that is named is one that finds no record. */
static void test_names_the_row(void **state)
{
    shoal_ctx ctx;
    draw d = {.record_count = 4,
              .row_count = 4,
              .column_count = 1,
              .records = {{0, 0}, {1, 1}, {2, 2}, {3, 3}},
              .rows = {{{2, 3}}, {{0, 1}}, {{0, 1}}, {{0, 1}}}};

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_i_origin_verdict found = check(&ctx, &d, FEW);

    assert_int_equal(found.lost, 1);
    assert_int_equal(found.row, 1);
    assert_int_equal(found.column, 0);
    shoal_i_ctx_clear(&ctx);
}

static void test_every_allocation_may_fail(void **state)
{
    shoal_ctx ctx;
    shoal_i_random random = shoal_i_random_start(SEED);

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < 20; i++) {
        draw d = draw_tables(&random);
        shoal_i_origin_verdict whole = check(&ctx, &d, FEW);

        ctx.error.status = SHOAL_ENOMEM;
        for (long n = 0; ctx.error.status == SHOAL_ENOMEM; n++) {
            ctx.alloc_budget = n;

            shoal_i_origin_verdict again = check(&ctx, &d, FEW);

            if (ctx.error.status == SHOAL_OK) {
                assert_int_equal(again.lost, whole.lost);
            }
        }
        ctx.alloc_budget = -1;
    }
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_releases),
        cmocka_unit_test(test_names_the_row),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

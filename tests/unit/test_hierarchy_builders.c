/* Flat, intervals, prefix masks and dates, against trees written by hand. */
#include "test_hierarchy_common.h"

#include "base/random.h"
#include "base/text.h"

#include <math.h>

/* How a case asks for a hierarchy over column 0. */
typedef struct request {
    enum { FLAT, WIDTHS, BREAKS, PREFIX, DATES } kind;
    double origin;
    double numbers[8]; /* widths or breaks */
    size_t starts[4];  /* of breaks; widths: starts[1] of them */
    size_t levels;
    size_t length; /* prefix */
} request;

static shoal_status build(shoal_ctx *ctx, shoal_hierarchy **out, const shoal_table *table,
                          const request *r)
{
    switch (r->kind) {
    case FLAT:
        return shoal_hierarchy_build_flat(ctx, out, table, 0);
    case WIDTHS:
        return shoal_hierarchy_build_widths(ctx, out, table, 0, r->origin, r->numbers,
                                            r->levels);
    case BREAKS:
        return shoal_hierarchy_build_breaks(ctx, out, table, 0, r->numbers, r->starts,
                                            r->levels);
    case PREFIX:
        return shoal_hierarchy_build_prefix(ctx, out, table, 0, r->length);
    default:
        return shoal_hierarchy_build_dates(ctx, out, table, 0);
    }
}

static void assert_builds(const char *text, request r, const char *expected)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, text);

    if (build(&ctx, &h, table, &r) != SHOAL_OK) {
        fail_msg("%s", ctx.error.message);
    }
    assert_total_and_nested(h, table, 0);
    shoal_table_free(table); /* the hierarchy lives on */
    assert_tree(h, expected);
    shoal_hierarchy_free(h);
    shoal_i_ctx_clear(&ctx);
}

static void assert_refused(const char *text, request r, shoal_status expected)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = (shoal_hierarchy *)&ctx; /* must become NULL */

    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, text);

    assert_int_equal(build(&ctx, &h, table, &r), expected);
    assert_null(h);
    assert_int_equal(ctx.error.status, expected);
    assert_int_equal(ctx.error.message[strlen(ctx.error.message) - 1], '.');
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

/* --- Flat. -------------------------------------------------------------------------------- */

static void test_flat(void **state)
{
    const request flat = {.kind = FLAT};

    (void)state;
    assert_builds("x\nb\n", flat, "*(b)");
    assert_builds("x\nb\na\nb\nc\n", flat, "*(a b c)");
    assert_builds("x\n10\n9\n100\n", flat, "*(9 10 100)");
    assert_builds("x,y\nb,1\n?,1\na,1\n", flat, "*(a b ?)");
    assert_builds("x,y\n?,1\n?,2\n", flat, "*(?)");
    assert_builds("x\n*\na\n", flat, "*(* a)");
}

static void test_skipped_or_empty_column(void **state)
{
    const shoal_array nothing = {.name = "x", .kind = SHOAL_ARRAY_INT32, .data = ""};
    shoal_ctx ctx;
    shoal_table *table = NULL;
    shoal_hierarchy *h = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    if (shoal_table_from_arrays(&ctx, &table, &nothing, 1) == SHOAL_OK) {
        const request requests[] = {{.kind = FLAT}, {.kind = PREFIX}};

        for (size_t i = 0; i < 2; i++) {
            assert_int_equal(build(&ctx, &h, table, &requests[i]), SHOAL_EINVAL);
            assert_null(h);
        }
    }
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

/* --- Intervals. --------------------------------------------------------------------------- */

static void test_widths_of_integers(void **state)
{
    const request ages = {.kind = WIDTHS, .numbers = {5, 10, 20}, .levels = 3};

    (void)state;
    assert_builds("age\n39\n17\n18\n20\n24\n25\n40\n17\n", ages,
                  "*([0..19]([10..19]([15..19](17 18)))"
                  " [20..39]([20..29]([20..24](20 24) [25..29](25)) [30..39]([35..39](39)))"
                  " [40..59]([40..49]([40..44](40))))");
    assert_builds("age\n7\n", ages, "*([0..19]([0..9]([5..9](7))))");
    assert_builds("age,y\n7,1\n?,1\n", ages, "*([0..19]([0..9]([5..9](7))) ?)");
}

static void test_widths_below_zero(void **state)
{
    const request fives = {.kind = WIDTHS, .numbers = {5, 10}, .levels = 2};

    (void)state;
    assert_builds("x\n-11\n-10\n-6\n-5\n-1\n0\n4\n", fives,
                  "*([-20..-11]([-15..-11](-11))"
                  " [-10..-1]([-10..-6](-10 -6) [-5..-1](-5 -1))"
                  " [0..9]([0..4](0 4)))");
}

static void test_widths_from_an_origin(void **state)
{
    const request ages = {.kind = WIDTHS, .origin = 17, .numbers = {10}, .levels = 1};
    const request halves = {.kind = WIDTHS, .numbers = {2.5, 5}, .levels = 2};

    (void)state;
    assert_builds("x\n16\n17\n26\n27\n", ages, "*([7..16](16) [17..26](17 26) [27..36](27))");
    assert_builds("x\n0\n2\n3\n5\n", halves,
                  "*([0..4]([0..2](0 2) [3..4](3)) [5..9]([5..7](5)))");
}

/* An interval of one whole number is the number: no level. */
static void test_width_one(void **state)
{
    const request ones = {.kind = WIDTHS, .numbers = {1, 2}, .levels = 2};

    (void)state;
    assert_builds("x\n4\n5\n6\n", ones, "*([4..5](4 5) [6..7](6))");
}

static void test_widths_of_reals(void **state)
{
    const request tenths = {.kind = WIDTHS, .numbers = {0.1, 0.5}, .levels = 2};
    const request wide = {.kind = WIDTHS, .numbers = {1e6}, .levels = 1};

    (void)state;
    assert_builds("x\n0.05\n0.1\n0.3\n0.35\n0.6\n0.7\n", tenths,
                  "*([0..0.5)([0..0.1)(0.05) [0.1..0.2)(0.1) [0.3..0.4)(0.3 0.35))"
                  " [0.5..1)([0.6..0.7)(0.6) [0.7..0.8)(0.7)))");
    assert_builds("x\n-0.25\n0.05\n",
                  (request){.kind = WIDTHS, .origin = -0.3, .numbers = {0.1}, .levels = 1},
                  "*([-0.3..-0.2)(-0.25) [0..0.1)(0.05))");
    assert_builds("x\n-0.5\n1e6\n1999999.5\n", wide,
                  "*([-1000000..0)(-0.5) [1000000..2000000)(1e6 1999999.5))");
}

static void test_widths_of_dates(void **state)
{
    /* Weeks from Monday 1970-01-05 on. */
    const request weeks = {.kind = WIDTHS, .origin = 4, .numbers = {7, 28}, .levels = 2};

    (void)state;
    assert_builds("day\n2024-05-06\n2024-05-12\n2024-05-13\n1969-12-31\n", weeks,
                  "*([1969-12-08..1970-01-04]([1969-12-29..1970-01-04](1969-12-31))"
                  " [2024-04-15..2024-05-12]([2024-05-06..2024-05-12](2024-05-06 2024-05-12))"
                  " [2024-05-13..2024-06-09]([2024-05-13..2024-05-19](2024-05-13)))");
}

static void test_widths_refused(void **state)
{
    const request cases[] = {
        {.kind = WIDTHS, .levels = 0},
        {.kind = WIDTHS, .numbers = {0}, .levels = 1},
        {.kind = WIDTHS, .numbers = {-5}, .levels = 1},
        {.kind = WIDTHS, .numbers = {NAN}, .levels = 1},
        {.kind = WIDTHS, .numbers = {INFINITY}, .levels = 1},
        {.kind = WIDTHS, .numbers = {5, 12}, .levels = 2},
        {.kind = WIDTHS, .numbers = {10, 5}, .levels = 2},
        {.kind = WIDTHS, .numbers = {5, 5}, .levels = 2},
        {.kind = WIDTHS, .numbers = {5, INFINITY}, .levels = 2},
        {.kind = WIDTHS, .numbers = {1e-300}, .levels = 1},
        {.kind = WIDTHS, .numbers = {1, 1e300}, .levels = 2},
        {.kind = WIDTHS, .numbers = {5}, .origin = NAN, .levels = 1},
        {.kind = WIDTHS, .numbers = {5}, .origin = 1e300, .levels = 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_refused("x\n1\n2\n", cases[i], SHOAL_EINVAL);
    }
    assert_refused("x\na\n", (request){.kind = WIDTHS, .numbers = {5}, .levels = 1},
                   SHOAL_EINVAL);
}

static void test_breaks(void **state)
{
    const request ages = {
        .kind = BREAKS, .numbers = {18, 40, 65, 18, 65}, .starts = {0, 3, 5}, .levels = 2};
    const request reals = {.kind = BREAKS, .numbers = {0.5, 1}, .starts = {0, 2}, .levels = 1};
    const request halves = {
        .kind = BREAKS, .numbers = {17.5, 20}, .starts = {0, 2}, .levels = 1};

    (void)state;
    assert_builds("age\n5\n17\n18\n40\n64\n65\n90\n", ages,
                  "*(<18(5 17) [18..64]([18..39](18) [40..64](40 64)) >=65(65 90))");
    assert_builds("age\n20\n", ages, "*([18..64]([18..39](20)))");
    assert_builds("x\n0.25\n0.5\n0.75\n1.5\n", reals,
                  "*(<0.5(0.25) [0.5..1)(0.5 0.75) >=1(1.5))");
    assert_builds("x\n17\n18\n20\n", halves, "*(<18(17) [18..19](18) >=20(20))");
    assert_builds("d\n2001-06-01\n1999-01-01\n",
                  (request){.kind = BREAKS, .numbers = {10957}, .starts = {0, 1}, .levels = 1},
                  "*(<2000-01-01(1999-01-01) >=2000-01-01(2001-06-01))");
}

static void test_breaks_refused(void **state)
{
    const request cases[] = {
        {.kind = BREAKS, .levels = 0},
        {.kind = BREAKS, .numbers = {1}, .starts = {0, 0}, .levels = 1},
        {.kind = BREAKS, .numbers = {2, 1}, .starts = {0, 2}, .levels = 1},
        {.kind = BREAKS, .numbers = {1, 1}, .starts = {0, 2}, .levels = 1},
        {.kind = BREAKS, .numbers = {NAN}, .starts = {0, 1}, .levels = 1},
        {.kind = BREAKS, .numbers = {1, 2, 3}, .starts = {0, 2, 3}, .levels = 2},
        {.kind = BREAKS, .numbers = {1, 2, 0}, .starts = {0, 2, 3}, .levels = 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_refused("x\n1\n2\n", cases[i], SHOAL_EINVAL);
    }
    assert_refused("x\na\n",
                   (request){.kind = BREAKS, .numbers = {1}, .starts = {0, 1}, .levels = 1},
                   SHOAL_EINVAL);
}

/* Read back a label such as "[15..19]" and see that the number lies in it. */
static void assert_label_holds(const char *label, double number)
{
    double low = 0.0;
    double high = 0.0;
    const char *dots = strstr(label, "..");

    if (!dots) {
        return; /* the value itself, or the root */
    }
    size_t end = strcspn(dots + 2, "])");

    assert_true(shoal_i_text_to_double(&low, label + 1, (size_t)(dots - label - 1)));
    assert_true(shoal_i_text_to_double(&high, dots + 2, end));
    assert_true(low <= number);
    assert_true(dots[2 + end] == ']' ? number <= high : number < high);
}

static shoal_table *draw_numbers(shoal_ctx *ctx, shoal_i_random *random, bool is_real)
{
    double values[200];
    int64_t whole[200];
    size_t count = 1 + shoal_i_random_below(random, 200);
    shoal_array array = {.name = "x",
                         .kind = is_real ? SHOAL_ARRAY_DOUBLE : SHOAL_ARRAY_INT64,
                         .length = count,
                         .data = is_real ? (const void *)values : (const void *)whole};
    shoal_table *table = NULL;

    for (size_t i = 0; i < count; i++) {
        whole[i] = (int64_t)shoal_i_random_below(random, 4001) - 2000;
        values[i] = (double)whole[i] / 16.0;
    }
    assert_int_equal(shoal_table_from_arrays(ctx, &table, &array, 1), SHOAL_OK);
    return table;
}

static void test_random_widths(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 60; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        shoal_table *table = draw_numbers(&ctx, &random, seed % 2 == 1);
        shoal_hierarchy *h = NULL;
        request r = {.kind = WIDTHS, .levels = 1 + shoal_i_random_below(&random, 4)};

        r.origin = (double)shoal_i_random_below(&random, 1000) / 10.0;
        r.numbers[0] = 0.1 * (double)(1 + shoal_i_random_below(&random, 50));
        for (size_t i = 1; i < r.levels; i++) {
            r.numbers[i] = r.numbers[i - 1] * (double)(2 + shoal_i_random_below(&random, 4));
        }
        if (build(&ctx, &h, table, &r) != SHOAL_OK) {
            fail_msg("seed %d: %s", (int)seed, ctx.error.message);
        }
        assert_total_and_nested(h, table, 0);
        for (uint32_t code = 0; code < shoal_hierarchy_leaf_count(h); code++) {
            assert_int_equal(shoal_hierarchy_leaf(h, code), code); /* numeric order is kept */
            for (uint32_t node = shoal_hierarchy_leaf_node(h, code); node != 0;
                 node = shoal_hierarchy_parent(h, node)) {
                assert_label_holds(shoal_hierarchy_label(h, node),
                                   shoal_table_number(table, 0, code));
            }
        }
        shoal_hierarchy_free(h);
        shoal_table_free(table);
    }
    shoal_i_ctx_clear(&ctx);
}

/* --- Prefix masks. ------------------------------------------------------------------------ */

static void test_prefix(void **state)
{
    const request five = {.kind = PREFIX, .length = 5};
    const request longest = {.kind = PREFIX};
    const char *const zips = "*(1****(10***(100**(1000*(10001))))"
                             " 5****(53***(537**(5370*(53705) 5371*(53711 53712)))))";

    (void)state;
    assert_builds("zip\n53711\n53712\n53705\n10001\n", five, zips);
    assert_builds("zip\n53711\n53712\n53705\n10001\n", longest, zips);
    assert_builds("zip\na\n", longest, "*(a)");
    assert_builds("zip,y\n53711,1\n?,1\n", (request){.kind = PREFIX, .length = 2},
                  "*(5*(53711) ?)");
}

/* Left-aligned: what is shorter joins later, what is longer counts by its start. */
static void test_prefix_of_unequal_lengths(void **state)
{
    (void)state;
    assert_builds("code\nE11\nE11.9\nE11.65\nE1\nF\n", (request){.kind = PREFIX},
                  "*(E*****(E1 E1****(E11 E11***(E11.**(E11.6*(E11.65) E11.9)))) F)");
    assert_builds("zip\n53711-1234\n53711\n5371\n", (request){.kind = PREFIX, .length = 5},
                  "*(5****(53***(537**(5371 5371*(53711 53711-1234)))))");
}

/* Numbers are in numeric order, masks go by text. */
static void test_prefix_of_numbers(void **state)
{
    (void)state;
    assert_builds("x\n5\n54\n53\n530\n6\n", (request){.kind = PREFIX},
                  "*(5 6 5**(53 54 53*(530)))");
    assert_builds("x\n2\n10\n11\n20\n", (request){.kind = PREFIX}, "*(2 1*(10 11) 2*(20))");
}

static void test_prefix_counts_characters(void **state)
{
    (void)state;
    assert_builds("town\nZ\xC3\xBCrich\nZ\xC3\xBCri\nZug\n",
                  (request){.kind = PREFIX, .length = 3},
                  "*(Z**(Zu*(Zug) Z\xC3\xBC*(Z\xC3\xBCri Z\xC3\xBCrich)))");
    assert_builds("t\n\xE6\x9D\xB1\xE4\xBA\xAC\n\xE6\x9D\xB1\n", (request){.kind = PREFIX},
                  "*(\xE6\x9D\xB1 \xE6\x9D\xB1*(\xE6\x9D\xB1\xE4\xBA\xAC))");
}

/* Values that are masks themselves, and the empty text. */
static void test_prefix_with_asterisks(void **state)
{
    (void)state;
    assert_builds("zip\n53711\n537**\n53***\n*\n*****\n",
                  (request){.kind = PREFIX, .length = 5},
                  "*(* ***** 5****(53***(53*** 537**(537** 5371*(53711)))))");
    assert_builds("zip\n5*7\n5*8\n", (request){.kind = PREFIX, .length = 3}, "*(5**(5*7 5*8))");
}

static void test_prefix_refused(void **state)
{
    char text[100] = "x\n";

    (void)state;
    memset(text + 2, 'a', 64);
    memcpy(text + 66, "\n", 2);
    assert_refused(text, (request){.kind = PREFIX}, SHOAL_ELIMIT);
    assert_refused("x\na\n", (request){.kind = PREFIX, .length = 64}, SHOAL_ELIMIT);
    assert_refused("x\na\n", (request){.kind = PREFIX, .length = SIZE_MAX}, SHOAL_ELIMIT);
}

static void test_longest_prefix(void **state)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;
    const request r = {.kind = PREFIX};
    char text[100] = "x\n";

    (void)state;
    shoal_i_ctx_init(&ctx);
    memset(text + 2, 'a', 63);
    memcpy(text + 65, "\n", 2);
    shoal_table *table = read_table(&ctx, text);

    assert_int_equal(build(&ctx, &h, table, &r), SHOAL_OK);
    assert_int_equal(shoal_hierarchy_height(h), 63);
    shoal_hierarchy_free(h);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void make_text(char out[8], shoal_i_random *random)
{
    static const char letters[] = "ab*1";
    size_t length = 1 + shoal_i_random_below(random, 6);

    for (size_t i = 0; i < length; i++) {
        out[i] = letters[shoal_i_random_below(random, 4)];
    }
    out[length] = '\0';
}

/* Whether a mask covers a text: equal up to the asterisks at its end. */
static bool is_mask_of(const char *mask, const char *text)
{
    size_t kept = strlen(mask);

    while (kept > 0 && mask[kept - 1] == '*') {
        kept--;
    }
    return strncmp(mask, text, kept) == 0;
}

/* The closest common group of two values is the longest common prefix that fits. */
static void test_random_prefixes(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 60; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        size_t count = 1 + shoal_i_random_below(&random, 60);
        request r = {.kind = PREFIX, .length = shoal_i_random_below(&random, 8)};
        char text[1024] = "x\n";
        char value[8];
        shoal_hierarchy *h = NULL;

        for (size_t i = 0; i < count; i++) {
            make_text(value, &random);
            size_t used = strlen(text);

            snprintf(text + used, sizeof text - used, "%s\n", value);
        }
        shoal_table *table = read_table(&ctx, text);

        if (build(&ctx, &h, table, &r) != SHOAL_OK) {
            fail_msg("seed %d: %s", (int)seed, ctx.error.message);
        }
        assert_total_and_nested(h, table, 0);
        for (uint32_t node = 0; node < shoal_hierarchy_node_count(h); node++) {
            for (uint32_t leaf = 0; leaf < shoal_hierarchy_leaf_count(h); leaf++) {
                const char *label =
                    shoal_hierarchy_label(h, shoal_hierarchy_leaf_node(h, leaf));

                if (leaf >= shoal_hierarchy_first(h, node) &&
                    leaf <= shoal_hierarchy_last(h, node)) {
                    assert_true(is_mask_of(shoal_hierarchy_label(h, node), label));
                }
            }
        }
        shoal_hierarchy_free(h);
        shoal_table_free(table);
    }
    shoal_i_ctx_clear(&ctx);
}

/* --- Dates. ------------------------------------------------------------------------------- */

static void test_dates(void **state)
{
    const request dates = {.kind = DATES};

    (void)state;
    assert_builds("d\n2024-05-17\n", dates, "*(2020s(2024(2024-Q2(2024-05(2024-05-17)))))");
    assert_builds("d\n1999-12-31\n2000-01-01\n2000-03-31\n2000-04-01\n2009-12-31\n2010-01-01\n",
                  dates,
                  "*(1990s(1999(1999-Q4(1999-12(1999-12-31))))"
                  " 2000s(2000(2000-Q1(2000-01(2000-01-01) 2000-03(2000-03-31))"
                  " 2000-Q2(2000-04(2000-04-01))) 2009(2009-Q4(2009-12(2009-12-31))))"
                  " 2010s(2010(2010-Q1(2010-01(2010-01-01)))))");
    assert_builds("d\n1969-12-31\n1970-01-01\n1900-02-28\n", dates,
                  "*(1900s(1900(1900-Q1(1900-02(1900-02-28))))"
                  " 1960s(1969(1969-Q4(1969-12(1969-12-31))))"
                  " 1970s(1970(1970-Q1(1970-01(1970-01-01)))))");
    assert_builds("d\n0001-01-01\n0010-06-30\n9999-12-31\n", dates,
                  "*(0000s(0001(0001-Q1(0001-01(0001-01-01))))"
                  " 0010s(0010(0010-Q2(0010-06(0010-06-30))))"
                  " 9990s(9999(9999-Q4(9999-12(9999-12-31)))))");
    assert_builds("d,y\n2024-05-17,1\n?,1\n", dates,
                  "*(2020s(2024(2024-Q2(2024-05(2024-05-17)))) ?)");
}

static void test_dates_refused(void **state)
{
    (void)state;
    assert_refused("d\n5\n", (request){.kind = DATES}, SHOAL_EINVAL);
    assert_refused("d\n2024-05-17\nsoon\n", (request){.kind = DATES}, SHOAL_EINVAL);
}

/* --- Memory. ------------------------------------------------------------------------------ */

typedef struct attempt {
    shoal_table *table;
    request request;
} attempt;

static shoal_status try_build(shoal_ctx *ctx, void *payload)
{
    attempt *a = payload;
    shoal_hierarchy *h = NULL;
    shoal_status st = build(ctx, &h, a->table, &a->request);

    assert_int_equal(st == SHOAL_OK, h != NULL);
    shoal_hierarchy_free(h);
    return st;
}

static void test_failing_allocations(void **state)
{
    const request requests[] = {
        {.kind = FLAT},
        {.kind = WIDTHS, .numbers = {5, 10}, .levels = 2},
        {.kind = BREAKS, .numbers = {10958}, .starts = {0, 1}, .levels = 1},
        {.kind = PREFIX},
        {.kind = DATES},
    };
    shoal_ctx ctx;

    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        shoal_i_ctx_init(&ctx);
        attempt a = {.table = read_table(&ctx, "d\n2000-01-01\n2000-01-02\n1999-05-06\n"),
                     .request = requests[i]};

        assert_survives_failing_allocations(&ctx, try_build, &a);
        shoal_table_free(a.table);
        shoal_i_ctx_clear(&ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_skipped_or_empty_column),
        cmocka_unit_test(test_widths_of_integers),
        cmocka_unit_test(test_widths_below_zero),
        cmocka_unit_test(test_widths_from_an_origin),
        cmocka_unit_test(test_width_one),
        cmocka_unit_test(test_widths_of_reals),
        cmocka_unit_test(test_widths_of_dates),
        cmocka_unit_test(test_widths_refused),
        cmocka_unit_test(test_breaks),
        cmocka_unit_test(test_breaks_refused),
        cmocka_unit_test(test_random_widths),
        cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_prefix_of_unequal_lengths),
        cmocka_unit_test(test_prefix_of_numbers),
        cmocka_unit_test(test_prefix_counts_characters),
        cmocka_unit_test(test_prefix_with_asterisks),
        cmocka_unit_test(test_prefix_refused),
        cmocka_unit_test(test_longest_prefix),
        cmocka_unit_test(test_random_prefixes),
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_dates_refused),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

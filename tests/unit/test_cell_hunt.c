/* Coverings and the hunt for cells in them, against trying all intervals, cells and sets. */

#include "context.h"
#include "method_case.h"

#include "lattice/cell_hunt.h"

#include "base/fail.h"

#define FEW 9

static const shoal_i_fineness fine[] = {{1, 1000}, {1.25, 8}, {1.6, 3}, {4, 1}};

typedef struct fixture {
    method_case m;
    shoal_i_lanes *lanes;
    int32_t *rows;
    shoal_i_distinct *points;
    shoal_i_coverings *coverings;
    int32_t prices[CASE_ROWS_MAX];
    int32_t floors[CASE_ROWS_MAX];
    uint64_t least[CASE_ROWS_MAX];
} fixture;

static void set_up(shoal_ctx *ctx, fixture *f, uint64_t seed, size_t rows)
{
    shoal_i_random random = shoal_i_random_start(seed);

    *f = (fixture){0};
    method_case_make(ctx, &f->m, seed, rows, 1 + seed % 4, 2 + seed % 11, &shoal_i_k_anonymity);
    assert_int_equal(shoal_i_lanes_build(ctx, &f->lanes, f->m.quasi), SHOAL_OK);
    assert_int_equal(shoal_i_lanes_rows(ctx, &f->rows, f->lanes), SHOAL_OK);
    const shoal_i_distinct_rows from = {.rows = f->rows, .count = rows};

    assert_int_equal(shoal_i_distinct_build(ctx, &f->points, f->lanes, &from), SHOAL_OK);
    assert_int_equal(shoal_i_coverings_build(ctx, &f->coverings, f->points, fine[seed % 4]),
                     SHOAL_OK);
    for (size_t i = 0; i < f->points->count; i++) {
        f->prices[i] = (int32_t)shoal_i_random_below(&random, SHOAL_I_PENALTY_ONE);
        f->floors[i] = (int32_t)shoal_i_random_below(&random, SHOAL_I_PENALTY_ONE / 4);
        f->least[i] = 1 + shoal_i_random_below(&random, seed % 3 == 0 ? 7 : 3);
    }
}

static void tear_down(fixture *f)
{
    shoal_i_coverings_free(f->coverings);
    shoal_i_distinct_free(f->points);
    free(f->rows);
    shoal_i_lanes_free(f->lanes);
    method_case_free(&f->m);
}

/* What the points of a set lose in a column at least, lane by lane. */
static int32_t slow_column_loss(const fixture *f, size_t c, unsigned set)
{
    const shoal_i_lanes *lanes = f->lanes;
    const int32_t *first = NULL;
    int32_t loss = 0;

    for (size_t lane = lanes->first[c]; lane < lanes->first[c + 1]; lane++) {
        int32_t low = INT32_MAX;
        int32_t high = INT32_MIN;

        for (size_t i = 0; i < f->points->count; i++) {
            const int32_t *row = shoal_i_distinct_row(f->points, i);

            if (set & 1u << i) {
                first = first ? first : row;
                low = row[lane] < low ? row[lane] : low;
                high = row[lane] > high ? row[lane] : high;
            }
        }
        bool is_deeper = lane == lanes->first[c] || (first && first[lane] != first[lane - 1]);

        if (!lanes->quasi->columns[c].hierarchy) {
            loss += high - low;
        } else if (high > low && is_deeper) {
            loss += lanes->climbs[c][first[lane]];
        }
    }
    return loss;
}

static bool is_inside(const fixture *f, size_t c, const shoal_i_covering *covering,
                      uint32_t part, unsigned set)
{
    for (size_t i = 0; i < f->points->count; i++) {
        if (set & 1u << i && covering->part_of[f->coverings->columns[c].values[i]] != part) {
            return false;
        }
    }
    return true;
}

/* The least loss of a part that holds a set, and how many such parts stand for something. */
static int32_t slow_cover(const fixture *f, size_t c, unsigned set)
{
    const shoal_i_covered_column *column = &f->coverings->columns[c];
    int32_t least = INT32_MAX;

    for (size_t at = 0; at < column->count; at++) {
        for (uint32_t part = 0; part < column->coverings[at].part_count; part++) {
            int32_t loss = column->coverings[at].losses[part];

            if (loss < least && is_inside(f, c, &column->coverings[at], part, set)) {
                least = loss;
            }
        }
    }
    return least;
}

/* Whatever is published lies in a part that loses no more; and where windows are as fine as can
 * be, there is none that loses less. */
static void test_all_is_covered(void **state)
{
    shoal_ctx *ctx = *state;
    size_t exact = 0;

    for (uint64_t seed = 0; seed < 400; seed++) {
        fixture f;

        set_up(ctx, &f, seed, 2 + seed % (FEW - 1));
        assert_true(f.coverings->are_complete);
        for (size_t c = 0; c < f.m.quasi->count; c++) {
            for (unsigned set = 1; set < 1u << f.points->count; set++) {
                int32_t loss = slow_column_loss(&f, c, set);
                int32_t covered = slow_cover(&f, c, set);

                assert_true(covered <= loss);
                exact += covered == loss && loss > 0;
                assert_true(seed % 4 != 0 || covered == loss);
            }
        }
        tear_down(&f);
    }
    assert_true(exact > 1000);
}

/* Equal numbers of the table, however fine, make few bins. */
static void test_many_values(void **state)
{
    shoal_ctx *ctx = *state;
    fixture f;

    set_up(ctx, &f, 2, 600);
    for (size_t c = 0; c < f.m.quasi->count; c++) {
        const shoal_i_covered_column *column = &f.coverings->columns[c];

        for (size_t at = 0; at < column->count; at++) {
            assert_true(column->coverings[at].part_count <= column->value_count);
        }
        for (size_t i = 0; i < f.points->count; i++) {
            assert_true(column->values[i] < column->value_count);
        }
    }
    tear_down(&f);
}

/* --- The hunt. ---------------------------------------------------------------------------- */

typedef struct slow_cell {
    unsigned set;
    int64_t loss;
} slow_cell;

/* All cells: a covering for each column, and the points that share the parts of one of them;
 * calls back for each set once per cell. */
typedef struct slow_hunt {
    const fixture *f;
    uint64_t smallest;
    unsigned banned; /* some class needs one of these points; 0: none does */
    slow_cell cells[100000];
    size_t count;
} slow_hunt;

static void slow_cells(slow_hunt *s, size_t c, unsigned set, int64_t loss)
{
    const fixture *f = s->f;

    if (c == f->m.quasi->count) {
        assert_true(s->count < sizeof s->cells / sizeof *s->cells);
        s->cells[s->count++] = (slow_cell){.set = set, .loss = loss};
        return;
    }
    const shoal_i_covered_column *column = &f->coverings->columns[c];

    for (size_t at = 0; at < column->count; at++) {
        for (uint32_t part = 0; part < column->coverings[at].part_count; part++) {
            unsigned inside = 0;

            for (size_t i = 0; i < f->points->count; i++) {
                inside |=
                    set & 1u << i && column->coverings[at].part_of[column->values[i]] == part
                        ? 1u << i
                        : 0;
            }
            if (inside && column->coverings[at].losses[part] != SHOAL_I_NO_LOSS) {
                slow_cells(s, c + 1, inside, loss + column->coverings[at].losses[part]);
            }
        }
    }
}

/* What records gain at most in a cell as a class that takes all of some points and the rest of
 * its number from one more; sets of whole points and one part of a point are enough, because
 * gains of a point are equal. INT64_MIN: no class. */
static int64_t slow_gain(const slow_hunt *s, const slow_cell *cell, unsigned set,
                         const int64_t *prices)
{
    const fixture *f = s->f;
    uint64_t load = 0;
    int64_t sum = 0;

    for (size_t i = 0; i < f->points->count; i++) {
        if (set & 1u << i) {
            int64_t loss = cell->loss > f->floors[i] ? cell->loss : f->floors[i];

            load += f->points->weights[i];
            sum += f->points->weights[i] * (prices[i] - loss);
        }
    }
    for (size_t i = 0; i < f->points->count; i++) {
        if (set & 1u << i && load < f->least[i]) {
            return INT64_MIN;
        }
    }
    return load >= s->smallest && (!s->banned || set & s->banned) ? sum : INT64_MIN;
}

static bool can_hold_banned(const void *payload, size_t worker, const uint32_t *order,
                            const uint32_t *ranks, size_t count)
{
    unsigned banned = *(const unsigned *)payload;
    bool holds = false;

    (void)worker;
    for (size_t i = 0; i < count; i++) {
        holds = holds || banned & 1u << order[ranks[i]];
    }
    return holds;
}

/* Both proofs of a hunt hold for all sets that could be a class. */
static void check_proofs(const slow_hunt *s, const shoal_i_cell_hunt *hunt)
{
    const fixture *f = s->f;
    const uint32_t *order = shoal_i_cell_hunt_order(hunt);
    int64_t prices[FEW] = {0};
    int64_t lowered[FEW] = {0};
    int64_t best[1 << FEW] = {0};
    unsigned all = (1u << f->points->count) - 1;

    for (size_t rank = 0; rank < f->points->count; rank++) {
        prices[order[rank]] = f->prices[order[rank]];
        lowered[order[rank]] =
            f->prices[order[rank]] - (int64_t)shoal_i_cell_hunt_excess(hunt)[rank];
    }
    for (size_t i = 0; i < s->count; i++) {
        for (unsigned set = s->cells[i].set; set > 0; set = (set - 1) & s->cells[i].set) {
            int64_t gain = slow_gain(s, &s->cells[i], set, prices);

            assert_true(slow_gain(s, &s->cells[i], set, lowered) <= 0);
            best[set] = gain > best[set] ? gain : best[set];
        }
    }
    /* Whatever classes there are, disjoint ones, they gain no more than the surplus. */
    for (unsigned set = 1; set <= all; set++) {
        unsigned first = set & -set;
        int64_t most = best[set & ~first];

        for (unsigned part = set; part > 0; part = (part - 1) & set) {
            if (part & first && best[part] + best[set & ~part] > most) {
                most = best[part] + best[set & ~part];
            }
        }
        best[set] = most > best[set] ? most : best[set];
    }
    assert_true(best[all] <= shoal_i_cell_hunt_surplus(hunt));
}

static void test_hunt(void **state)
{
    shoal_ctx *ctx = *state;
    slow_hunt *s = malloc(sizeof *s);
    size_t found = 0;
    size_t nothing = 0;

    assert_non_null(s);
    for (uint64_t seed = 0; seed < rounds(400, 2000); seed++) {
        fixture f;
        shoal_i_cell_hunt *hunt = NULL;
        bool is_complete = false;

        set_up(ctx, &f, seed, 2 + seed % (FEW - 2));
        *s = (slow_hunt){.f = &f, .smallest = 1 + seed % 4, .banned = seed % 5 ? 0 : 5};
        slow_cells(s, 0, (1u << f.points->count) - 1, 0);
        shoal_i_hunt_needs needs = {.smallest = s->smallest,
                                    .least = f.least,
                                    .can_hold = s->banned ? can_hold_banned : NULL,
                                    .payload = &s->banned};
        shoal_i_hunt_prices prices = {.prices = f.prices, .floors = f.floors};

        assert_int_equal(shoal_i_cell_hunt_new(ctx, &hunt, f.coverings, &needs), SHOAL_OK);
        assert_int_equal(shoal_i_cell_hunt_run(ctx, hunt, prices, 1e9, &is_complete), SHOAL_OK);
        assert_true(is_complete);
        check_proofs(s, hunt);
        found += shoal_i_cell_hunt_surplus(hunt) > 0;
        nothing += shoal_i_cell_hunt_surplus(hunt) == 0;
        shoal_i_cell_hunt_free(hunt);
        tear_down(&f);
    }
    assert_true(found > 100 && nothing > 20);
    free(s);
}

/* Without floors and needs of their own, cells that hold several levels at once are worth what
 * they are worth, each counted once. */
static void test_surplus_is_that_of_closed_cells(void **state)
{
    shoal_ctx *ctx = *state;
    slow_hunt *s = malloc(sizeof *s);
    size_t finer = 0;

    assert_non_null(s);
    for (uint64_t seed = 0; seed < 200; seed++) {
        fixture f;
        shoal_i_cell_hunt *hunt = NULL;
        bool is_complete = false;
        int64_t surplus = 0;

        set_up(ctx, &f, 4 * seed, 2 + seed % (FEW - 2));
        *s = (slow_hunt){.f = &f, .smallest = 1 + seed % 4};
        memset(f.floors, 0, sizeof f.floors);
        memset(f.least, 0, sizeof f.least);
        slow_cells(s, 0, (1u << f.points->count) - 1, 0);
        /* Windows as fine as can be lose what their points do, unless these are nearer. */
        for (size_t i = 0; i < s->count; i++) {
            int64_t prices[FEW];
            int64_t loss = 0;
            int64_t most = 0;
            unsigned gaining = 0; /* all of the sets that are worth something */
            bool is_first = true;

            for (size_t j = 0; j < f.points->count; j++) {
                prices[j] = f.prices[j];
            }
            for (size_t c = 0; c < f.m.quasi->count; c++) {
                loss += slow_column_loss(&f, c, s->cells[i].set);
            }
            for (size_t j = 0; j < i; j++) {
                is_first = is_first && s->cells[j].set != s->cells[i].set;
            }
            s->cells[i].loss = loss;
            for (unsigned set = s->cells[i].set; is_first && set > 0;
                 set = (set - 1) & s->cells[i].set) {
                int64_t gain = slow_gain(s, &s->cells[i], set, prices);

                most = gain > most ? gain : most;
                gaining |= gain > 0 ? set : 0;
            }
            /* Where these lie in a finer cell, they are counted there. */
            for (size_t c = 0; most > 0 && c < f.m.quasi->count; c++) {
                if (slow_column_loss(&f, c, gaining) <
                    slow_column_loss(&f, c, s->cells[i].set)) {
                    most = 0;
                    finer++;
                }
            }
            surplus += most;
        }
        shoal_i_hunt_needs needs = {.smallest = s->smallest};
        shoal_i_hunt_prices prices = {.prices = f.prices, .floors = f.floors};

        assert_int_equal(shoal_i_cell_hunt_new(ctx, &hunt, f.coverings, &needs), SHOAL_OK);
        assert_int_equal(shoal_i_cell_hunt_run(ctx, hunt, prices, 1e9, &is_complete), SHOAL_OK);
        /* Classes of parts of a point may be worth more than those of whole points. */
        assert_true(shoal_i_cell_hunt_surplus(hunt) >= surplus);
        if (f.points->count == f.m.problem.row_count) {
            assert_int_equal(shoal_i_cell_hunt_surplus(hunt), surplus);
        }
        shoal_i_cell_hunt_free(hunt);
        tear_down(&f);
    }
    assert_true(finer > 0);
    free(s);
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Cells that are known are nobody's best, whose best is not known keeps it, and what is proved
 * stays: every second of the bests becomes known, again and again until nothing is found. */
static void test_known_cells(void **state)
{
    shoal_ctx *ctx = *state;
    size_t rounds_in_all = 0;

    for (uint64_t seed = 0; seed < 12; seed++) {
        static uint64_t known[200000];
        uint64_t best[CASE_ROWS_MAX] = {0};
        size_t count = 0;
        size_t fresh = 1;
        int64_t surplus = -1;
        shoal_i_cell_hunt *hunt = NULL;
        fixture f;

        set_up(ctx, &f, seed, 40);
        shoal_i_hunt_needs needs = {.smallest = 2};

        assert_int_equal(shoal_i_cell_hunt_new(ctx, &hunt, f.coverings, &needs), SHOAL_OK);
        for (; fresh > 0; rounds_in_all++) {
            shoal_i_hunt_prices prices = {
                .prices = f.prices, .floors = f.floors, .known = known, .known_count = count};
            size_t before = count;
            bool is_complete = false;

            assert_int_equal(shoal_i_cell_hunt_run(ctx, hunt, prices, 1e9, &is_complete),
                             SHOAL_OK);
            assert_true(surplus < 0 || shoal_i_cell_hunt_surplus(hunt) == surplus);
            surplus = shoal_i_cell_hunt_surplus(hunt);
            fresh = 0;
            for (uint32_t rank = 0; rank < f.points->count; rank++) {
                uint64_t key = shoal_i_cell_hunt_best(hunt, rank);
                bool was_known =
                    bsearch(&best[rank], known, before, sizeof *known, compare_keys);

                assert_false(key && bsearch(&key, known, before, sizeof *known, compare_keys));
                assert_true(best[rank] == 0 || was_known || best[rank] == key);
                best[rank] = key;
                fresh += key != 0;
            }
            for (uint32_t rank = 0, last = 0; rank < f.points->count; rank++) {
                bool is_listed = best[rank] == 0;

                for (size_t j = before; j < count; j++) {
                    is_listed |= known[j] == best[rank];
                }
                if (!is_listed && (last++ % 2 == 0)) {
                    assert_true(count < sizeof known / sizeof *known);
                    known[count++] = best[rank];
                }
            }
            qsort(known, count, sizeof *known, compare_keys);
        }
        shoal_i_cell_hunt_free(hunt);
        tear_down(&f);
    }
    assert_true(rounds_in_all > 36);
}

/* Few visits are told, on any number of threads alike. */
static void test_threads_and_visits(void **state)
{
    shoal_ctx one;
    shoal_ctx four;
    fixture f;

    (void)state;
    shoal_i_ctx_init(&one);
    shoal_i_ctx_init(&four);
    one.threads = 1;
    four.threads = 4;
    set_up(&one, &f, 7, 300);
    shoal_i_hunt_needs needs = {.smallest = 3};
    shoal_i_hunt_prices prices = {.prices = f.prices, .floors = f.floors};

    for (int few = 0; few < 2; few++) {
        shoal_i_cell_hunt *a = NULL;
        shoal_i_cell_hunt *b = NULL;
        bool a_complete = false;
        bool b_complete = false;

        assert_int_equal(shoal_i_cell_hunt_new(&one, &a, f.coverings, &needs), SHOAL_OK);
        assert_int_equal(shoal_i_cell_hunt_new(&four, &b, f.coverings, &needs), SHOAL_OK);
        assert_int_equal(shoal_i_cell_hunt_run(&one, a, prices, few ? 3000 : 1e9, &a_complete),
                         SHOAL_OK);
        assert_int_equal(shoal_i_cell_hunt_run(&four, b, prices, few ? 3000 : 1e9, &b_complete),
                         SHOAL_OK);
        assert_true(a_complete == b_complete && a_complete == !few);
        assert_true(shoal_i_cell_hunt_surplus(a) == shoal_i_cell_hunt_surplus(b));
        for (uint32_t rank = 0; rank < f.points->count; rank++) {
            assert_true(shoal_i_cell_hunt_best(a, rank) == shoal_i_cell_hunt_best(b, rank));
            assert_true(shoal_i_cell_hunt_excess(a)[rank] == shoal_i_cell_hunt_excess(b)[rank]);
        }
        shoal_i_cell_hunt_free(a);
        shoal_i_cell_hunt_free(b);
    }
    tear_down(&f);
    shoal_i_ctx_clear(&one);
    shoal_i_ctx_clear(&four);
}

static shoal_status hunt_again(shoal_ctx *ctx, void *payload)
{
    shoal_status st = SHOAL_OK;
    const fixture *f = payload;
    shoal_i_coverings *coverings = NULL;
    shoal_i_cell_hunt *hunt = NULL;
    shoal_i_hunted_cell cell = {0};
    shoal_i_hunt_needs needs = {.smallest = 2};
    shoal_i_hunt_prices prices = {.prices = f->prices, .floors = f->floors};
    bool is_complete = false;

    SHOAL_TRY(shoal_i_coverings_build(ctx, &coverings, f->points, fine[1]));
    SHOAL_TRY(shoal_i_cell_hunt_new(ctx, &hunt, coverings, &needs));
    SHOAL_TRY(shoal_i_cell_hunt_run(ctx, hunt, prices, 1e9, &is_complete));
    for (uint32_t rank = 0; rank < f->points->count && !cell.points; rank++) {
        if (shoal_i_cell_hunt_best(hunt, rank)) {
            SHOAL_TRY(shoal_i_cell_hunt_fetch(ctx, hunt, rank, &cell));
        }
    }
done:
    free(cell.points);
    shoal_i_cell_hunt_free(hunt);
    shoal_i_coverings_free(coverings);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx *ctx = *state;
    fixture f;

    set_up(ctx, &f, 6, 40);
    assert_survives_failing_allocations(ctx, hunt_again, &f);
    tear_down(&f);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_is_covered),
        cmocka_unit_test(test_many_values),
        cmocka_unit_test(test_hunt),
        cmocka_unit_test(test_surplus_is_that_of_closed_cells),
        cmocka_unit_test(test_known_cells),
        cmocka_unit_test(test_threads_and_visits),
        cmocka_unit_test(test_failing_allocations),
    };

    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, open_context, close_context);
}

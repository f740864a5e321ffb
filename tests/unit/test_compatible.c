/* Matchings of boxes and points: releases on which a greedy start must fail, and random ones
 * against a plain search. */
#include "release_fixture.h"

#include "base/random.h"
#include "measure/compatible.h"

#define MANY 240
#define TEXT_MAX (MANY * 32)

/* Records and rows in two columns of numbers. */
typedef struct scene {
    size_t count;
    unsigned records[MANY][2];
    unsigned rows[MANY][2][2]; /* row, column, end */
} scene;

/* --- The oracle: Kuhn's search, row by row. */

static bool covers(const scene *s, size_t row, size_t record)
{
    for (size_t c = 0; c < 2; c++) {
        if (s->records[record][c] < s->rows[row][c][0] ||
            s->records[record][c] > s->rows[row][c][1]) {
            return false;
        }
    }
    return true;
}

static bool seat(const scene *s, size_t row, size_t *row_of, bool *is_tried)
{
    for (size_t record = 0; record < s->count; record++) {
        if (!covers(s, row, record) || is_tried[record]) {
            continue;
        }
        is_tried[record] = true;
        if (row_of[record] == SIZE_MAX || seat(s, row_of[record], row_of, is_tried)) {
            row_of[record] = row;
            return true;
        }
    }
    return false;
}

static size_t count_left(const scene *s)
{
    size_t row_of[MANY];
    size_t left = 0;

    for (size_t i = 0; i < s->count; i++) {
        row_of[i] = SIZE_MAX;
    }
    for (size_t row = 0; row < s->count; row++) {
        bool is_tried[MANY] = {false};

        left += !seat(s, row, row_of, is_tried);
    }
    return left;
}

/* --- What is tested. */

/* Each row is matched once at most, to a record in its box; *left: rows without one. */
static void check_matching(const shoal_i_compatible *graph, size_t left)
{
    uint32_t *rows = calloc(graph->box_count, sizeof *rows);
    size_t matched = 0;

    for (size_t point = 0; point < graph->point_count; point++) {
        const shoal_i_interval *at = shoal_i_box_tree_box(graph->points, point);

        for (size_t slot = graph->starts[point]; slot < graph->starts[point + 1]; slot++) {
            uint32_t b = graph->box_in[slot];

            if (b == SHOAL_I_NO_ITEM) {
                continue;
            }
            const shoal_i_interval *box = shoal_i_box_tree_box(graph->boxes, b);

            for (size_t c = 0; c < graph->boxes->width; c++) {
                assert_true(box[c].lo <= at[c].lo && at[c].hi <= box[c].hi);
            }
            rows[b]++;
            matched++;
        }
    }
    for (size_t b = 0; b < graph->box_count; b++) {
        assert_true(rows[b] <= graph->sizes[b]);
    }
    assert_int_equal(matched + left, graph->row_count);
    free(rows);
}

static size_t match(const scene *s)
{
    static const fixture_column columns[] = {{"a", NULL, 1}, {"b", NULL, 1}};
    static char original[TEXT_MAX];
    static char release[TEXT_MAX];
    size_t original_end = (size_t)snprintf(original, sizeof original, "a,b\n");
    size_t release_end = (size_t)snprintf(release, sizeof release, "a,b\n");
    fixture f;
    shoal_i_release *parsed = NULL;
    shoal_i_compatible *graph = NULL;
    size_t left = 0;

    for (size_t i = 0; i < s->count; i++) {
        original_end +=
            (size_t)snprintf(original + original_end, sizeof original - original_end, "%u,%u\n",
                             s->records[i][0], s->records[i][1]);
        release_end += (size_t)snprintf(release + release_end, sizeof release - release_end,
                                        "[%u..%u],[%u..%u]\n", s->rows[i][0][0],
                                        s->rows[i][0][1], s->rows[i][1][0], s->rows[i][1][1]);
    }
    fixture_open(&f, original, columns, 2);

    shoal_table *file = fixture_read(&f, release);

    assert_ok(&f, shoal_i_release_parse(&f.ctx, &parsed, f.quasi, file));
    assert_ok(&f, shoal_i_compatible_build(&f.ctx, &graph, parsed));
    assert_ok(&f, shoal_i_compatible_match(&f.ctx, graph, &left, NULL));
    check_matching(graph, left);
    shoal_i_compatible_free(graph);
    shoal_i_release_free(parsed);
    shoal_table_free(file);
    fixture_close(&f);
    return left;
}

static void set_row(scene *s, size_t row, unsigned from, unsigned to, unsigned height)
{
    s->rows[row][0][0] = from;
    s->rows[row][0][1] = to;
    s->rows[row][1][0] = 0;
    s->rows[row][1][1] = height;
}

/* Boxes [i..i+1], each around two points of a line, and one that holds only the first: it is
 * the largest, as it is high, so that it comes last and all others must move on by one. The way
 * has more levels than there are sets of them. A second one finds nothing. */
static void make_chain(scene *s, size_t links)
{
    *s = (scene){.count = links + 2};
    for (unsigned i = 0; i <= links; i++) {
        s->records[i][0] = i;
        set_row(s, i, i, i + 1, 0);
    }
    set_row(s, links, 0, 0, 3);
    s->records[links + 1][0] = 1000;
    s->records[links + 1][1] = 3;
    set_row(s, links + 1, 1000, 1000, 3);
}

static void test_chains(void **state)
{
    static scene s;

    (void)state;
    for (size_t links = 1; links < MANY - 2; links += links < 10 ? 1 : 45) {
        make_chain(&s, links);
        assert_int_equal(match(&s), 0);
        set_row(&s, links + 1, 0, 0, 3);
        assert_int_equal(match(&s), 1);
    }
}

/* From the other end: everybody must move on the other way. */
static void test_chains_backwards(void **state)
{
    static scene s;

    (void)state;
    make_chain(&s, 200);
    set_row(&s, 200, 200, 200, 3);
    assert_int_equal(match(&s), 0);
}

/* Boxes within boxes, from either end: there is one way only. */
static void test_nested(void **state)
{
    static scene s;

    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        s = (scene){.count = 100};
        for (unsigned i = 0; i < 100; i++) {
            s.records[i][0] = i;
            set_row(&s, turn ? i : 99 - i, turn ? 0 : i, turn ? i : 99, 0);
        }
        assert_int_equal(match(&s), 0);
        set_row(&s, 0, turn ? 0 : 99, turn ? 0 : 99, 0);
        set_row(&s, 1, turn ? 0 : 99, turn ? 0 : 99, 0);
        assert_int_equal(match(&s), count_left(&s));
    }
}

static void test_all_equal(void **state)
{
    static scene s;

    (void)state;
    s = (scene){.count = MANY};
    for (unsigned i = 0; i < MANY; i++) {
        s.records[i][0] = i % 7;
        set_row(&s, i, 0, 6, 0);
    }
    assert_int_equal(match(&s), 0);
    for (unsigned i = 0; i < MANY; i++) {
        set_row(&s, i, 1, 6, 0);
    }
    assert_int_equal(match(&s), count_left(&s));
}

/* Boxes around records, of which some are moved or shrunk: tight ones, so that many must
 * change places. */
static void draw_scene(scene *s, shoal_i_random *random, uint64_t seed)
{
    unsigned values = 3 + (unsigned)(seed % 5) * 12;

    *s = (scene){.count = 20 + seed * 5 % (MANY - 20)};
    for (size_t i = 0; i < s->count; i++) {
        for (size_t c = 0; c < 2; c++) {
            unsigned value = (unsigned)shoal_i_random_below(random, values);
            unsigned below = (unsigned)shoal_i_random_below(random, 4) % 3;
            unsigned above = (unsigned)shoal_i_random_below(random, 4) % 3;
            bool is_moved = seed % 3 == 0 && shoal_i_random_below(random, 20) == 0;

            s->records[i][c] = value;
            s->rows[i][c][0] = value > below ? value - below : 0;
            s->rows[i][c][1] = value + above;
            if (is_moved) {
                s->rows[i][c][0] = s->rows[i][c][1] = s->records[i / 2][c];
            }
        }
    }
}

static void test_random_scenes(void **state)
{
    shoal_i_random random = shoal_i_random_start(11);
    size_t seen[2] = {0};
    static scene s;

    (void)state;
    for (uint64_t seed = 0; seed < 90; seed++) {
        draw_scene(&s, &random, seed);
        size_t left = count_left(&s);

        assert_int_equal(match(&s), left);
        seen[left > 0]++;
    }
    assert_true(seen[0] > 20 && seen[1] > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains),        cmocka_unit_test(test_chains_backwards),
        cmocka_unit_test(test_nested),        cmocka_unit_test(test_all_equal),
        cmocka_unit_test(test_random_scenes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a release shows though it holds, against plain counting: classes with one value, ends of
 * ranges, columns that are released as they are. A release in parts shows the same. */
#include "failing.h"
#include "table_tools.h"

#include "measure/as_is.h"
#include "measure/exposed.h"

#include <stdio.h>
#include <string.h>

#define ROWS 24
#define TABLES 300

/* Columns: 0 the quasi-identifier, a number; 1 a sensitive value; 2 and 3 as they are. Rows of
 * a class stand together, and the classes are those of the numbers' tens. */
typedef struct sample {
    unsigned cells[ROWS][4];
    size_t rows;
    shoal_ctx ctx;
    shoal_table *table;
    shoal_i_quasi *quasi;
    shoal_i_release *release;
} sample;

static unsigned draw(unsigned *state, unsigned below)
{
    *state = *state * 1103515245U + 12345U;
    return (*state >> 16) % below;
}

static void make_sample(sample *s, unsigned seed)
{
    char text[4096] = "age,ill,ward,note\n";
    unsigned state = seed;

    s->rows = 1 + draw(&state, ROWS);
    for (size_t i = 0; i < s->rows; i++) {
        unsigned class = (unsigned)(i * 4 / s->rows);

        s->cells[i][0] = 10 * class + draw(&state, 6);
        s->cells[i][1] = draw(&state, 2 + seed % 2);
        s->cells[i][2] = draw(&state, 3);
        s->cells[i][3] = draw(&state, 20);
        snprintf(text + strlen(text), 64, "%u,i%u,w%u,n%u\n", s->cells[i][0], s->cells[i][1],
                 s->cells[i][2], s->cells[i][3]);
    }
    shoal_i_ctx_init(&s->ctx);
    s->table = read_text(&s->ctx, text, NULL);
    assert_int_equal(shoal_i_quasi_build(&s->ctx, &s->quasi, s->table,
                                         &(shoal_i_quasi_request){.column = 0, .weight = 1}, 1),
                     SHOAL_OK);
}

/* The least and the greatest number of the class of a row. */
static void find_range(const sample *s, size_t row, unsigned *least, unsigned *greatest)
{
    *least = *greatest = s->cells[row][0];
    for (size_t i = 0; i < s->rows; i++) {
        if (s->cells[i][0] / 10 == s->cells[row][0] / 10) {
            *least = s->cells[i][0] < *least ? s->cells[i][0] : *least;
            *greatest = s->cells[i][0] > *greatest ? s->cells[i][0] : *greatest;
        }
    }
}

static uint32_t code_of(const sample *s, unsigned number)
{
    uint32_t code = 0;

    while (s->quasi->columns[0].values[code] != number) {
        code++;
    }
    return code;
}

static void make_release(sample *s)
{
    shoal_i_interval boxes[ROWS];

    for (size_t i = 0; i < s->rows; i++) {
        unsigned least = 0;
        unsigned greatest = 0;

        find_range(s, i, &least, &greatest);
        boxes[i] = (shoal_i_interval){code_of(s, least), code_of(s, greatest)};
    }
    assert_int_equal(shoal_i_release_from_boxes(&s->ctx, &s->release, s->quasi, boxes, s->rows),
                     SHOAL_OK);
}

static void clear_sample(sample *s)
{
    shoal_i_release_free(s->release);
    shoal_i_quasi_free(s->quasi);
    shoal_table_free(s->table);
    shoal_i_ctx_clear(&s->ctx);
}

static bool is_same(const sample *s, size_t i, size_t j, unsigned columns)
{
    bool is_one = s->cells[i][0] / 10 == s->cells[j][0] / 10;

    for (size_t c = 1; c < 4; c++) {
        is_one = is_one && (!(columns & 1U << c) || s->cells[i][c] == s->cells[j][c]);
    }
    return is_one;
}

/* How many rows are like this one in its class and the columns. */
static size_t count_alike(const sample *s, size_t row, unsigned columns)
{
    size_t count = 0;

    for (size_t i = 0; i < s->rows; i++) {
        count += is_same(s, row, i, columns);
    }
    return count;
}

static size_t count_value(const sample *s, size_t row, size_t column)
{
    size_t count = 0;

    for (size_t i = 0; i < s->rows; i++) {
        count += s->cells[i][column] == s->cells[row][column];
    }
    return count;
}

static bool is_first(const sample *s, size_t row, size_t column)
{
    for (size_t i = 0; i < row; i++) {
        if (s->cells[i][column] == s->cells[row][column]) {
            return false;
        }
    }
    return true;
}

static void check_exposed(const sample *s, const shoal_i_exposed *e)
{
    size_t records = 0;
    size_t values = 0;
    size_t alone = 0;
    size_t shown = 0;

    for (size_t i = 0; i < s->rows; i++) {
        unsigned least = 0;
        unsigned greatest = 0;

        find_range(s, i, &least, &greatest);
        bool is_end =
            least < greatest && (s->cells[i][0] == least || s->cells[i][0] == greatest);

        records += count_alike(s, i, 0) == count_alike(s, i, 1U << 1);
        values += is_first(s, i, 0);
        alone += count_value(s, i, 0) == 1;
        shown += count_value(s, i, 0) == 1 && is_end;
    }
    assert_int_equal(e->singles[0].records, records);
    assert_true((e->singles[0].classes > 0) == (records > 0));
    assert_int_equal(e->classes, s->release->box_count);
    assert_int_equal(e->ends[0].values, values);
    assert_int_equal(e->ends[0].alone, alone);
    assert_int_equal(e->ends[0].shown, shown);
}

static shoal_status look(shoal_ctx *ctx, void *payload)
{
    sample *s = payload;
    size_t sensitive = 1;
    shoal_i_exposed e = {0};
    shoal_status st = shoal_i_exposed_init(ctx, &e, s->quasi, &sensitive, 1, true);

    if (st == SHOAL_OK) {
        st = shoal_i_exposed_add(ctx, &e, s->release, SHOAL_I_WHOLE);
    }
    if (st == SHOAL_OK) {
        shoal_i_exposed_end(&e, s->quasi);
        check_exposed(s, &e);
    }
    shoal_i_exposed_clear(&e);
    return st;
}

/* The wards as persons: who is in a class with one value, each once, and numbers that are one
 * person's alone. */
static void check_persons(const sample *s, const shoal_i_exposed *e)
{
    bool is_told[3] = {false};
    size_t alone = 0;

    for (size_t i = 0; i < s->rows; i++) {
        size_t same = 0;
        size_t own = 0;

        if (count_alike(s, i, 0) == count_alike(s, i, 1U << 1)) {
            is_told[s->cells[i][2]] = true;
        }
        for (size_t j = 0; j < s->rows; j++) {
            same += s->cells[j][0] == s->cells[i][0];
            own += s->cells[j][0] == s->cells[i][0] && s->cells[j][2] == s->cells[i][2];
        }
        alone += is_first(s, i, 0) && same == own;
    }
    assert_int_equal(e->singles[0].persons, is_told[0] + is_told[1] + is_told[2]);
    assert_int_equal(e->ends[0].alone, alone);
}

static shoal_status look_by_persons(shoal_ctx *ctx, void *payload)
{
    sample *s = payload;
    size_t sensitive = 1;
    uint32_t person_of[ROWS];
    shoal_i_exposed e = {0};
    shoal_status st = shoal_i_exposed_init(ctx, &e, s->quasi, &sensitive, 1, true);

    for (size_t i = 0; i < s->rows; i++) {
        person_of[i] = s->cells[i][2];
    }
    e.person_of = person_of;
    e.person_count = 3;
    if (st == SHOAL_OK) {
        st = shoal_i_exposed_add(ctx, &e, s->release, SHOAL_I_WHOLE);
    }
    if (st == SHOAL_OK) {
        shoal_i_exposed_end(&e, s->quasi);
        check_persons(s, &e);
    }
    shoal_i_exposed_clear(&e);
    return st;
}

static void test_exposed(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= TABLES; seed++) {
        sample s = {0};

        make_sample(&s, seed);
        make_release(&s);
        assert_int_equal(look(&s.ctx, &s), SHOAL_OK);
        assert_int_equal(look_by_persons(&s.ctx, &s), SHOAL_OK);
        clear_sample(&s);
    }
}

/* One class that comes three times: its value is one only if it is the same in all parts. */
static void test_parts(void **state)
{
    sample s = {0};
    size_t sensitive = 1;

    (void)state;
    for (unsigned seed = 1; seed <= TABLES; seed++) {
        shoal_i_exposed e = {0};

        make_sample(&s, seed);
        make_release(&s);
        bool is_one_class = s.release->box_count == 1;
        bool is_one_value = count_alike(&s, 0, 1U << 1) == s.rows;

        assert_int_equal(shoal_i_exposed_init(&s.ctx, &e, s.quasi, &sensitive, 1, false),
                         SHOAL_OK);
        if (is_one_class) {
            for (int part = 0; part < 3; part++) {
                assert_int_equal(
                    shoal_i_exposed_add(&s.ctx, &e, s.release,
                                        part == 0 ? SHOAL_I_BEGINNING : SHOAL_I_GOING_ON),
                    SHOAL_OK);
            }
            shoal_i_exposed_end(&e, s.quasi);
            assert_int_equal(e.classes, 1);
            assert_int_equal(e.singles[0].records, is_one_value ? 3 * s.rows : 0);
            assert_false(e.ends[0].is_looked_at);
        }
        shoal_i_exposed_clear(&e);
        clear_sample(&s);
        s = (sample){0};
    }
}

static shoal_status look_as_is(shoal_ctx *ctx, void *payload)
{
    sample *s = payload;
    const size_t columns[] = {2, 3};
    shoal_i_as_is found = {0};
    shoal_status st = shoal_i_as_is_find(ctx, &found, s->release, columns, 2);
    size_t before = 0;
    size_t together = 0;

    for (size_t i = 0; i < s->rows; i++) {
        before += count_alike(s, i, 0) == 1;
        together += count_alike(s, i, 1U << 2 | 1U << 3) == 1;
    }
    for (size_t c = 0; st == SHOAL_OK && c < 2; c++) {
        size_t distinct = 0;
        size_t unique = 0;

        for (size_t i = 0; i < s->rows; i++) {
            distinct += is_first(s, i, columns[c]);
            unique += count_value(s, i, columns[c]) == 1;
        }
        assert_int_equal(found.columns[c].distinct, distinct);
        assert_int_equal(found.columns[c].unique, unique);
    }
    if (st == SHOAL_OK) {
        assert_int_equal(found.unique_before, before);
        assert_int_equal(found.unique_records, together);
    }
    shoal_i_as_is_clear(&found);
    return st;
}

static void test_as_is(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= TABLES; seed++) {
        sample s = {0};

        make_sample(&s, seed);
        make_release(&s);
        assert_int_equal(look_as_is(&s.ctx, &s), SHOAL_OK);
        clear_sample(&s);
    }
}

static void test_allocation_failures(void **state)
{
    sample s = {0};

    (void)state;
    make_sample(&s, 5);
    make_release(&s);
    assert_survives_failing_allocations(&s.ctx, look, &s);
    assert_survives_failing_allocations(&s.ctx, look_by_persons, &s);
    assert_survives_failing_allocations(&s.ctx, look_as_is, &s);
    clear_sample(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exposed),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_as_is),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

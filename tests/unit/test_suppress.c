/* Suppression, against the same told slowly: again and again the record whose leaving gains
 * most, over all classes, every box from its records. */
#include "method_case.h"

#include "method/finish/suppress.h"

typedef struct slow_class {
    uint32_t members[CASE_ROWS_MAX];
    size_t size;
    double last; /* gain of the record that went last: no later one counts more */
} slow_class;

typedef struct next_one {
    size_t class;
    size_t place;
    double gain;
} next_one;

/* Weighted loss of all records of a class but one (size: none is left out), together. */
static double loss_without(const method_case *m, const slow_class *it, size_t out)
{
    double loss = 0;
    size_t count = 0;

    for (size_t c = 0; c < m->quasi->count; c++) {
        const shoal_i_quasi_column *column = &m->quasi->columns[c];
        uint32_t lo = UINT32_MAX;
        uint32_t hi = 0;

        count = 0;
        for (size_t i = 0; i < it->size; i++) {
            uint32_t code = shoal_i_quasi_code(m->quasi, c, it->members[i]);

            if (i != out) {
                lo = code < lo ? code : lo;
                hi = code > hi ? code : hi;
                count++;
            }
        }
        loss += column->weight * shoal_i_quasi_loss(column, lo, hi);
    }
    return loss * (double)count;
}

static bool holds_without(shoal_ctx *ctx, const method_case *m, const slow_class *it,
                          size_t out)
{
    uint32_t rest[CASE_ROWS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < it->size; i++) {
        rest[count] = it->members[i];
        count += i != out;
    }
    return slow_holds(ctx, m, rest, count);
}

/* The record of a class that goes next, if any: raises *best. */
static void find_next(shoal_ctx *ctx, const method_case *m, const slow_class *classes,
                      size_t class, next_one *best)
{
    const slow_class *it = &classes[class];
    double whole = loss_without(m, it, it->size);
    next_one own = {.class = class};

    for (size_t i = 0; i < it->size && it->size > 1; i++) {
        double gain = whole - loss_without(m, it, i) - m->quasi->weight_sum;

        if (gain > own.gain && holds_without(ctx, m, it, i)) {
            own.gain = gain;
            own.place = i;
        }
    }
    own.gain = own.gain < it->last ? own.gain : it->last;
    if (own.gain > best->gain) {
        *best = own;
    }
}

/* Who is suppressed, in *gone; how many. */
static size_t suppress_slowly(shoal_ctx *ctx, const method_case *m,
                              const shoal_i_release *release, size_t limit, uint32_t *gone)
{
    slow_class *classes = calloc(release->box_count, sizeof *classes);
    size_t count = 0;

    for (uint32_t row = 0; row < release->row_count; row++) {
        slow_class *it = &classes[release->box_of[row]];

        it->members[it->size++] = row;
        it->last = INFINITY;
    }
    while (count < limit) {
        next_one next = {0};

        for (size_t class = 0; class < release->box_count; class ++) {
            find_next(ctx, m, classes, class, &next);
        }
        if (next.gain <= 0) {
            break;
        }
        slow_class *it = &classes[next.class];

        gone[count++] = it->members[next.place];
        it->members[next.place] = it->members[--it->size];
        it->last = next.gain;
    }
    free(classes);
    return count > 0 && slow_holds(ctx, m, gone, count) ? count : 0;
}

/* Whether a record is published as it would be without all others that are gone. */
static void check_record(const method_case *m, const shoal_i_release *before,
                         const shoal_i_release *after, const bool *is_gone, uint32_t row)
{
    const shoal_i_interval *box = after->boxes + after->box_of[row] * m->quasi->count;

    for (size_t c = 0; c < m->quasi->count; c++) {
        const shoal_i_quasi_column *column = &m->quasi->columns[c];
        shoal_i_interval expected = shoal_i_quasi_all(column);

        if (!is_gone[row]) {
            uint32_t lo = UINT32_MAX;
            uint32_t hi = 0;

            for (uint32_t other = 0; other < before->row_count; other++) {
                uint32_t code = shoal_i_quasi_code(m->quasi, c, other);

                if (before->box_of[other] == before->box_of[row] && !is_gone[other]) {
                    lo = code < lo ? code : lo;
                    hi = code > hi ? code : hi;
                }
            }
            expected = shoal_i_quasi_close(column, lo, hi);
        }
        assert_int_equal(box[c].lo, expected.lo);
        assert_int_equal(box[c].hi, expected.hi);
    }
}

static bool classes_hold(shoal_ctx *ctx, const method_case *m, const shoal_i_release *release)
{
    bool holds = true;

    for (uint32_t b = 0; b < release->box_count; b++) {
        uint32_t members[CASE_ROWS_MAX];
        size_t count = 0;

        for (uint32_t row = 0; row < release->row_count; row++) {
            members[count] = row;
            count += release->box_of[row] == b;
        }
        holds = holds && slow_holds(ctx, m, members, count);
    }
    return holds;
}

/* Classes of about `size` records each, in the order of the first column: larger than they need
 * be, with some who stretch them. */
static shoal_i_release *make_loose(shoal_ctx *ctx, const method_case *m, size_t size)
{
    size_t rows = m->problem.row_count;
    size_t width = m->quasi->count;
    uint32_t box_of[CASE_ROWS_MAX];
    shoal_i_interval *boxes = calloc(rows * width, sizeof *boxes);
    shoal_i_release *release = NULL;

    for (uint32_t row = 0; row < rows; row++) {
        uint32_t code = shoal_i_quasi_code(m->quasi, 0, row);
        size_t rank = 0;

        for (uint32_t other = 0; other < rows; other++) {
            uint32_t its = shoal_i_quasi_code(m->quasi, 0, other);

            rank += its < code || (its == code && other < row);
        }
        box_of[row] = (uint32_t)(rank / size < rows / size ? rank / size : rows / size - 1);
    }
    for (size_t i = 0; i < rows * width; i++) { /* a box per record: that of its class */
        uint32_t lo = UINT32_MAX;
        uint32_t hi = 0;

        for (uint32_t other = 0; other < rows; other++) {
            if (box_of[other] == box_of[i / width]) {
                uint32_t code = shoal_i_quasi_code(m->quasi, i % width, other);

                lo = code < lo ? code : lo;
                hi = code > hi ? code : hi;
            }
        }
        boxes[i] = shoal_i_quasi_close(&m->quasi->columns[i % width], lo, hi);
    }
    assert_int_equal(shoal_i_release_from_boxes(ctx, &release, m->quasi, boxes, rows),
                     SHOAL_OK);
    free(boxes);
    return release;
}

/* How many were suppressed. */
static size_t compare_with_slow(shoal_ctx *ctx, const method_case *m, size_t limit)
{
    shoal_i_release *before = make_loose(ctx, m, 9);
    shoal_i_release *after = make_loose(ctx, m, 9);
    size_t count = 0;
    uint32_t gone[CASE_ROWS_MAX];
    bool is_gone[CASE_ROWS_MAX] = {false};

    if (classes_hold(ctx, m, before)) {
        count = suppress_slowly(ctx, m, before, limit, gone);
        for (size_t i = 0; i < count; i++) {
            is_gone[gone[i]] = true;
        }
        assert_int_equal(shoal_i_suppress(ctx, &after, &m->problem, limit), SHOAL_OK);
        for (uint32_t row = 0; row < before->row_count; row++) {
            check_record(m, before, after, is_gone, row);
        }
        check_case_release(ctx, m, after);
        assert_true(slow_release_ncp(after) <= slow_release_ncp(before) + 1e-9);
    }
    shoal_i_release_free(before);
    shoal_i_release_free(after);
    return count;
}

static void test_equals_slow(void **state)
{
    shoal_ctx ctx;
    size_t some = 0;
    size_t many = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < rounds(300, 1500); seed++) {
        const shoal_i_requirement_kind *kinds[] = {&shoal_i_k_anonymity, &shoal_i_l_frequency,
                                                   &shoal_i_personal_k};
        method_case m;

        method_case_make(&ctx, &m, seed, 30 + 7 * (seed % 12), 1 + seed % 3, 5 + seed % 40,
                         kinds[seed % 3]);
        size_t count = compare_with_slow(&ctx, &m, 1 + seed % 20);

        some += count > 0;
        many += count > 5;
        method_case_free(&m);
    }
    assert_true(some > 75 && many > 40);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_slow)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Random classes: what the facts of a kind promise (monotone, smallest class), that the order
 * of a histogram's list plays no part, and the shortcuts over columns of many values against
 * the plain sums. The seed is printed with a failure. */
#include "context.h"
#include "requirement_fixture.h"

#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 3000
#define MANY_VALUES 2000

/* A random table and two disjoint classes of it. */
typedef struct trial {
    fixture_column column;
    fixture_class a;
    fixture_class b;
    fixture_class both;
    shoal_hierarchy *hierarchy;
} trial;

/* Two inner nodes, over the first and the other half of the values. */
static shoal_hierarchy *build_halves(shoal_ctx *ctx, size_t values)
{
    uint32_t parents[VALUES_MAX + 3] = {0, 0, 0};
    uint32_t node_of_code[VALUES_MAX];
    const char *labels[VALUES_MAX + 3] = {"all", "left", "right"};
    char names[VALUES_MAX][8];
    shoal_hierarchy *h = NULL;

    for (size_t i = 0; i < values; i++) {
        snprintf(names[i], sizeof names[i], "v%u", (unsigned)i & 0xff);
        labels[i + 3] = names[i];
        parents[i + 3] = i < values / 2 ? 1 : 2;
        node_of_code[i] = (uint32_t)(i + 3);
    }
    assert_int_equal(
        shoal_hierarchy_build_tree(ctx, &h, labels, parents, values + 3, node_of_code, values),
        SHOAL_OK);
    return h;
}

static void make_trial(shoal_ctx *ctx, trial *t, shoal_i_random *random)
{
    size_t values = 1 + shoal_i_random_below(random, 5);
    uint64_t spread = 2 + shoal_i_random_below(random, 6);
    uint32_t a[VALUES_MAX] = {0};
    uint32_t b[VALUES_MAX] = {0};
    uint32_t sum[VALUES_MAX] = {0};
    uint32_t totals[VALUES_MAX] = {0};

    a[0] = 1; /* no class is empty */
    b[values - 1] = 1;
    for (size_t i = 0; i < values; i++) {
        a[i] += (uint32_t)shoal_i_random_below(random, spread);
        b[i] += (uint32_t)shoal_i_random_below(random, spread);
        sum[i] = a[i] + b[i];
        totals[i] = sum[i] + (uint32_t)shoal_i_random_below(random, spread) + (sum[i] == 0);
    }
    fixture_make_column(&t->column, totals, values);
    fixture_make_class(&t->a, a, values);
    fixture_make_class(&t->b, b, values);
    fixture_make_class(&t->both, sum, values);
    t->a.stats.population_size = t->a.stats.size + shoal_i_random_below(random, 20);
    t->b.stats.population_size = t->b.stats.size + shoal_i_random_below(random, 20);
    t->both.stats.population_size = t->a.stats.population_size + t->b.stats.population_size +
                                    shoal_i_random_below(random, 3);
    t->hierarchy = build_halves(ctx, values);
    t->column.column.hierarchy = t->hierarchy;
}

/* A parameter of the kind that random classes meet now and then. */
static double draw_value(const shoal_i_requirement_kind *kind, shoal_i_random *random)
{
    double unit = shoal_i_random_unit(random);

    if (strcmp(kind->key, "k") == 0 || strcmp(kind->key, "k_map") == 0) {
        return 1 + floor(10 * unit);
    }
    if (strcmp(kind->key, "l") == 0) {
        double l = 1 + 3 * unit;

        return kind->check_value(l) ? l : floor(l);
    }
    if (strcmp(kind->key, "delta") == 0 || strcmp(kind->key, "beta") == 0) {
        return 3 * unit;
    }
    return fmax(unit, 0.01);
}

static const uint32_t first_code[] = {0};
static const double first_limit[] = {0.4};

static shoal_i_requirement draw_item(const shoal_i_requirement_kind *kind, const trial *t,
                                     shoal_i_random *random)
{
    return (shoal_i_requirement){.kind = kind,
                                 .value = draw_value(kind, random),
                                 .c = 0.3 + 3 * shoal_i_random_unit(random),
                                 .column = &t->column.column,
                                 .codes = first_code,
                                 .limits = first_limit,
                                 .code_count = 1};
}

/* One class that holds must be large enough; two that hold must hold together, if the kind says
 * so. Returns whether both held. */
static bool check_promises(shoal_ctx *ctx, const shoal_i_requirement_kind *kind, uint64_t seed)
{
    shoal_i_random random = shoal_i_random_start(seed);
    trial t;
    shoal_i_requirement_set set = {0};

    make_trial(ctx, &t, &random);
    shoal_i_requirement item = draw_item(kind, &t, &random);

    assert_int_equal(shoal_i_requirement_add_item(ctx, &set, &item), SHOAL_OK);
    bool a_holds = shoal_i_requirement_holds(&set, &t.a.stats);
    bool b_holds = shoal_i_requirement_holds(&set, &t.b.stats);

    const shoal_i_class_stats *both[] = {&t.a.stats, &t.b.stats, &t.both.stats};

    for (size_t i = 0; kind->glance && i < 3; i++) {
        shoal_i_glance glance = kind->glance(&set.items[0], both[i]);
        double figure = 0;
        bool holds = kind->check(&set.items[0], both[i], &figure);

        if (glance != SHOAL_I_GLANCE_UNSURE && holds != (glance == SHOAL_I_GLANCE_HOLDS)) {
            fail_msg("%s, seed %u: a glance misleads", kind->title, (unsigned)seed);
        }
    }
    if (a_holds && t.a.stats.size < shoal_i_requirement_smallest_class(&set)) {
        fail_msg("%s, seed %u: a class below the smallest holds", kind->title, (unsigned)seed);
    }
    if (a_holds && b_holds && !shoal_i_requirement_holds(&set, &t.both.stats)) {
        fail_msg("%s, seed %u: merging breaks it", kind->title, (unsigned)seed);
    }
    shoal_i_requirement_set_clear(&set);
    shoal_hierarchy_free(t.hierarchy);
    return a_holds && b_holds;
}

static void test_promises(void **state)
{
    for (size_t i = 0; shoal_i_requirement_kinds[i]; i++) {
        const shoal_i_requirement_kind *kind = shoal_i_requirement_kinds[i];
        unsigned both_held = 0;
        unsigned rounds = 0;

        for (; kind->is_monotone && rounds < ROUNDS; rounds++) {
            both_held += check_promises(*state, kind, 1000 * i + rounds);
        }
        /* The test says something only if merging was tried, and refusing was too. */
        if (kind->is_monotone && kind->check_value) {
            assert_true(both_held > ROUNDS / 50);
            assert_true(both_held < ROUNDS);
        }
    }
}

/* What is not monotone is not by an example: two classes in [0.2, 0.5] and a union below. */
static void test_presence_is_not_monotone(void **state)
{
    shoal_i_requirement_set set = {0};
    shoal_i_requirement item = {.kind = &shoal_i_presence_between, .value = 0.5, .least = 0.2};

    assert_int_equal(shoal_i_requirement_add_item(*state, &set, &item), SHOAL_OK);
    assert_true(shoal_i_requirement_holds(
        &set, &(shoal_i_class_stats){.size = 2, .persons = 2, .population_size = 10}));
    assert_false(shoal_i_requirement_holds(
        &set, &(shoal_i_class_stats){.size = 4, .persons = 4, .population_size = 21}));
    assert_false(shoal_i_requirement_is_monotone(&set, false));
    shoal_i_requirement_set_clear(&set);
}

/* --- Columns of many values. ------------------------------------------------------------- */

typedef struct many {
    shoal_i_sensitive column;
    shoal_i_class_stats stats;
    shoal_i_histogram histogram;
    uint32_t totals[MANY_VALUES];
    uint32_t counts[MANY_VALUES];
    uint32_t present[MANY_VALUES];
    uint32_t parents[MANY_VALUES + 50];
    shoal_hierarchy *hierarchy;
} many;

/* A random tree of 50 inner nodes; values hang below any of them. */
static void build_random_tree(shoal_ctx *ctx, many *m, shoal_i_random *random)
{
    enum { INNER = 50, NODES = MANY_VALUES + INNER };
    char(*names)[8] = calloc(NODES, sizeof *names);
    const char **labels = calloc(NODES, sizeof *labels);
    uint32_t *node_of_code = calloc(MANY_VALUES, sizeof *node_of_code);

    for (uint32_t i = 0; i < NODES; i++) {
        uint64_t choices = i < INNER ? i : INNER;

        snprintf(names[i], sizeof names[i], "n%u", i & 0xffff);
        labels[i] = names[i];
        m->parents[i] = choices > 0 ? (uint32_t)shoal_i_random_below(random, choices) : 0;
        if (i >= INNER) {
            node_of_code[i - INNER] = i;
        }
    }
    assert_int_equal(shoal_hierarchy_build_tree(ctx, &m->hierarchy, labels, m->parents, NODES,
                                                node_of_code, MANY_VALUES),
                     SHOAL_OK);
    free(names);
    free(labels);
    free(node_of_code);
}

static many *make_many(shoal_ctx *ctx, uint64_t seed, size_t records)
{
    shoal_i_random random = shoal_i_random_start(seed);
    many *m = calloc(1, sizeof *m);

    for (size_t i = 0; i < MANY_VALUES; i++) {
        m->totals[i] = 1 + (uint32_t)shoal_i_random_below(&random, 1 + i % 9);
        m->column.total += m->totals[i];
    }
    for (size_t i = 0; i < records; i++) {
        uint32_t code = (uint32_t)shoal_i_random_below(&random, MANY_VALUES);

        if (m->counts[code]++ == 0) {
            m->present[m->histogram.present_count++] = code;
        }
    }
    build_random_tree(ctx, m, &random);
    m->column.name = "income";
    m->column.value_count = MANY_VALUES;
    m->column.totals = m->totals;
    m->column.is_numeric = true;
    m->column.hierarchy = m->hierarchy;
    m->histogram.counts = m->counts;
    m->histogram.present = m->present;
    m->histogram.total = records;
    m->stats =
        (shoal_i_class_stats){.size = records, .persons = records, .histograms = &m->histogram};
    return m;
}

static void free_many(many *m)
{
    shoal_hierarchy_free(m->hierarchy);
    free(m);
}

static double find_figure(shoal_ctx *ctx, const shoal_i_requirement_kind *kind, const many *m)
{
    shoal_i_requirement_set set = {0};
    shoal_i_requirement item = {.kind = kind, .value = 1, .column = &m->column};
    double figure = 0;

    assert_int_equal(shoal_i_requirement_add_item(ctx, &set, &item), SHOAL_OK);
    kind->check(&set.items[0], &m->stats, &figure);
    shoal_i_requirement_set_clear(&set);
    return figure;
}

static double sum_ordered(const many *m)
{
    double sum = 0;
    double p = 0;
    double q = 0;

    for (size_t i = 0; i + 1 < MANY_VALUES; i++) {
        p += m->counts[i];
        q += m->totals[i];
        sum += fabs(p / (double)m->stats.size - q / (double)m->column.total);
    }
    return sum / (MANY_VALUES - 1);
}

/* The formula of the paper: at each inner node the surplus of some children meets the lack of
 * others, at the cost of its height. */
static double sum_hierarchical(const many *m)
{
    const shoal_hierarchy *h = m->hierarchy;
    size_t nodes = shoal_hierarchy_node_count(h);
    double *extra = calloc(nodes, sizeof *extra);
    double sum = 0;

    for (uint32_t code = 0; code < MANY_VALUES; code++) {
        uint32_t node = shoal_hierarchy_leaf_node(h, shoal_hierarchy_leaf(h, code));

        extra[node] =
            m->counts[code] / (double)m->stats.size - m->totals[code] / (double)m->column.total;
    }
    for (uint32_t node = (uint32_t)nodes; node-- > 0;) {
        double surplus = 0;
        double lack = 0;

        for (size_t i = 0; i < shoal_hierarchy_child_count(h, node); i++) {
            double part = extra[shoal_hierarchy_child(h, node, i)];

            surplus += fmax(part, 0);
            lack += fmax(-part, 0);
            extra[node] += part;
        }
        sum += fmin(surplus, lack) * shoal_hierarchy_node_height(h, node);
    }
    free(extra);
    return sum / shoal_hierarchy_height(h);
}

/* Few records: the values present are sorted. Many: all codes are walked. */
static void test_many_values(void **state)
{
    const size_t sizes[] = {1, 2, 7, 60, 240, 260, 3000};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (uint64_t seed = 0; seed < 5; seed++) {
            many *m = make_many(*state, 100 * i + seed, sizes[i]);

            assert_true(fabs(find_figure(*state, &shoal_i_t_ordered, m) - sum_ordered(m)) <
                        1e-12);
            assert_true(fabs(find_figure(*state, &shoal_i_t_hierarchical, m) -
                             sum_hierarchical(m)) < 1e-12);
            free_many(m);
        }
    }
}

/* To the last bit: methods and the verifier list the values in different orders. */
static void test_order_plays_no_part(void **state)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        many *m = make_many(*state, seed, 500);
        double before[32];

        for (size_t i = 0; shoal_i_requirement_kinds[i]; i++) {
            const shoal_i_requirement_kind *kind = shoal_i_requirement_kinds[i];
            bool is_simple = kind->needs_sensitive && kind != &shoal_i_alpha_values &&
                             kind != &shoal_i_alpha_limits && kind != &shoal_i_l_recursive;

            before[i] = is_simple ? find_figure(*state, kind, m) : 0;
            for (size_t j = 0; j < m->histogram.present_count / 2; j++) {
                uint32_t *last = &m->present[m->histogram.present_count - 1 - j];
                uint32_t code = m->present[j];

                m->present[j] = *last;
                *last = code;
            }
            assert_true(!is_simple || find_figure(*state, kind, m) == before[i]);
        }
        free_many(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_promises),
        cmocka_unit_test(test_presence_is_not_monotone),
        cmocka_unit_test(test_many_values),
        cmocka_unit_test(test_order_plays_no_part),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}

/* Tables that are samples of a population, against exhaustive search: the bound is never above
 * the optimum, and `best` never below it, nor above any other method. Who falls into a class is
 * told here by what would be published. */
#include <shoal/csv.h>

#include "context.h"
#include "failing.h"
#include "same_release.h"

#include "base/buffer.h"
#include "base/random.h"
#include "measure/bound/bound.h"
#include "method/finish/gather.h"

#include <math.h>
#include <string.h>

#define FEW 8 /* records of the sample at most where all partitions are tried */
#define PEOPLE_MOST 400
#define COLUMNS 3
#define STEP 5      /* of the grid of ages */
#define NO_AGE (-1) /* missing */

static const char *const regions[] = {"n1", "n2", "s1", "s2", "s3", "w1"};
static const char *const parents[] = {"north", "north", "south", "south", "south", "west"};
#define REGIONS (sizeof regions / sizeof *regions)

typedef struct person {
    int age;
    int region;
    int sex;
} person;

/* A table with its quasi-identifier. */
typedef struct side {
    shoal_table *table;
    shoal_hierarchy *hierarchies[2];
    shoal_i_quasi *quasi;
} side;

typedef struct sampled_case {
    bool has_grid;
    size_t people_count;
    person people[PEOPLE_MOST]; /* the first of them are the sample */
    side sample;
    side population;
    double k;
    double k_map; /* 0: not asked for */
    double most;  /* share that may be in the table; 0: not asked for */
    shoal_i_people *counted;
    shoal_i_requirement_set set;
    shoal_i_tally_source source;
    shoal_i_problem problem;
} sampled_case;

static void side_free(side *s)
{
    shoal_i_quasi_free(s->quasi);
    shoal_hierarchy_free(s->hierarchies[0]);
    shoal_hierarchy_free(s->hierarchies[1]);
    shoal_table_free(s->table);
}

static void side_make(shoal_ctx *ctx, side *s, const person *people, size_t count,
                      bool has_grid)
{
    shoal_i_buffer text;
    shoal_i_buffer paths;
    shoal_i_quasi_request requests[COLUMNS] = {
        {.column = 0, .weight = 1}, {.column = 1, .weight = 2}, {.column = 2, .weight = 1}};

    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_init(&paths, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_printf(&text, "age,region,sex\n");
    for (size_t i = 0; i < count; i++) {
        if (people[i].age != NO_AGE) {
            shoal_i_buffer_printf(&text, "%d", people[i].age);
        }
        shoal_i_buffer_printf(&text, ",%s,%c\n", regions[people[i].region],
                              people[i].sex ? 'f' : 'm');
    }
    for (size_t i = 0; i < REGIONS; i++) {
        shoal_i_buffer_printf(&paths, "%s;%s;*\n", regions[i], parents[i]);
    }
    assert_int_equal(
        shoal_csv_read_memory(ctx, &s->table, text.data, text.size, "people.csv", NULL),
        SHOAL_OK);
    assert_int_equal(shoal_hierarchy_build_memory(ctx, &s->hierarchies[0], s->table, 1,
                                                  paths.data, paths.size, "regions.csv"),
                     SHOAL_OK);
    assert_int_equal(shoal_hierarchy_build_flat(ctx, &s->hierarchies[1], s->table, 2),
                     SHOAL_OK);
    requests[1].hierarchy = s->hierarchies[0];
    requests[2].hierarchy = s->hierarchies[1];
    if (has_grid) {
        assert_true(shoal_i_grid_read(&requests[0].grid, "5"));
    }
    assert_int_equal(shoal_i_quasi_build(ctx, &s->quasi, s->table, requests, COLUMNS),
                     SHOAL_OK);
    shoal_i_buffer_clear(&text);
    shoal_i_buffer_clear(&paths);
}

static void sampled_case_free(sampled_case *s)
{
    shoal_i_people_free(s->counted);
    shoal_i_tally_source_clear(&s->source);
    shoal_i_requirement_set_clear(&s->set);
    side_free(&s->sample);
    side_free(&s->population);
}

/* rows: of the sample. At least one of its ages is known, so that the column is one of numbers.
 */
static void sampled_case_make(shoal_ctx *ctx, sampled_case *s, uint64_t seed, size_t rows,
                              size_t people)
{
    shoal_i_random random = shoal_i_random_start(seed + 40);
    bool has_missing = seed % 3 == 0;

    *s = (sampled_case){.has_grid = seed % 4 == 1, .people_count = people};
    assert_true(rows <= people && people <= PEOPLE_MOST);
    for (size_t i = 0; i < people; i++) {
        bool is_missing = has_missing && i > 0 && shoal_i_random_below(&random, 6) == 0;

        s->people[i] =
            (person){.age = is_missing ? NO_AGE : (int)(20 + shoal_i_random_below(&random, 40)),
                     .region = (int)shoal_i_random_below(&random, 1 + seed % REGIONS),
                     .sex = (int)shoal_i_random_below(&random, 2)};
    }
    side_make(ctx, &s->sample, s->people, rows, s->has_grid);
    side_make(ctx, &s->population, s->people, people, s->has_grid);
    assert_int_equal(
        shoal_i_people_build(ctx, &s->counted, s->sample.quasi, s->population.quasi, NULL),
        SHOAL_OK);
    s->k = (double)(1 + shoal_i_random_below(&random, 3));
    assert_int_equal(shoal_i_requirement_add(ctx, &s->set, &shoal_i_k_anonymity, s->k),
                     SHOAL_OK);
    if (seed % 5 != 2) {
        s->k_map = (double)(2 + shoal_i_random_below(&random, 9));
        assert_int_equal(shoal_i_requirement_add(ctx, &s->set, &shoal_i_k_map, s->k_map),
                         SHOAL_OK);
    }
    if (seed % 5 > 1) {
        s->most = 0.3 + 0.1 * (double)shoal_i_random_below(&random, 7);
        assert_int_equal(shoal_i_requirement_add(ctx, &s->set, &shoal_i_presence_most, s->most),
                         SHOAL_OK);
    }
    assert_int_equal(shoal_i_tally_source_init(ctx, &s->source, &s->set, NULL, 0, NULL, rows),
                     SHOAL_OK);
    s->problem = (shoal_i_problem){.quasi = s->sample.quasi,
                                   .row_count = rows,
                                   .requirements = &s->set,
                                   .source = &s->source,
                                   .people = s->counted,
                                   .seed = seed};
}

/* --- What would be published. ------------------------------------------------------------- */

typedef struct published {
    size_t count; /* records */
    bool has_known;
    bool has_missing;
    int first; /* ages, as published */
    int last;
    int region; /* of all, or -1 */
    const char *parent;
    int sex; /* of all, or -1 */
} published;

static void join(published *p, const person *who)
{
    bool is_new = p->count++ == 0;

    p->has_missing |= who->age == NO_AGE;
    if (who->age != NO_AGE) {
        p->first = !p->has_known || who->age < p->first ? who->age : p->first;
        p->last = !p->has_known || who->age > p->last ? who->age : p->last;
        p->has_known = true;
    }
    p->region = is_new || p->region == who->region ? who->region : -1;
    p->sex = is_new || p->sex == who->sex ? who->sex : -1;
    if (is_new) {
        p->parent = parents[who->region];
    } else if (p->parent && strcmp(p->parent, parents[who->region]) != 0) {
        p->parent = NULL;
    }
}

static bool is_age_inside(const sampled_case *s, const published *p, int age)
{
    if (!p->has_known) {
        return age == NO_AGE;
    }
    if (p->has_missing) {
        return true;
    }
    if (s->has_grid && (p->first != p->last || p->first % STEP != 0)) {
        int first = p->first / STEP * STEP;
        int last = (p->last + STEP - 1) / STEP * STEP;

        return age >= first && age <= last;
    }
    return age >= p->first && age <= p->last;
}

static size_t count_people(const sampled_case *s, const published *p)
{
    size_t count = 0;

    for (size_t i = 0; i < s->people_count; i++) {
        const person *who = &s->people[i];
        bool is_near = !p->parent || strcmp(p->parent, parents[who->region]) == 0;

        count += is_age_inside(s, p, who->age) && is_near &&
                 (p->region < 0 || p->region == who->region) &&
                 (p->sex < 0 || p->sex == who->sex);
    }
    return count;
}

static bool holds(const sampled_case *s, const published *p)
{
    double people = (double)count_people(s, p);
    double records = (double)p->count;

    return records >= s->k && people >= s->k_map &&
           (s->most == 0 || records / people <= s->most);
}

/* Whether all records as one class hold; where they do not, nothing may. */
static bool can_hold(const sampled_case *s)
{
    published p = {0};

    for (size_t row = 0; row < s->problem.row_count; row++) {
        join(&p, &s->people[row]);
    }
    return holds(s, &p);
}

/* --- Exhaustive search. ------------------------------------------------------------------- */

static double class_ncp(const sampled_case *s, unsigned set)
{
    const shoal_i_quasi *quasi = s->sample.quasi;
    published p = {0};
    double sum = 0;

    for (size_t row = 0; row < s->problem.row_count; row++) {
        if (set & 1u << row) {
            join(&p, &s->people[row]);
        }
    }
    if (!holds(s, &p)) {
        return INFINITY;
    }
    for (size_t c = 0; c < quasi->count; c++) {
        shoal_i_interval span = {UINT32_MAX, 0};

        for (size_t row = 0; row < s->problem.row_count; row++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, row);

            span.lo = set & 1u << row && code < span.lo ? code : span.lo;
            span.hi = set & 1u << row && code > span.hi ? code : span.hi;
        }
        span = shoal_i_quasi_close(&quasi->columns[c], span.lo, span.hi);
        sum += (double)p.count * quasi->columns[c].weight *
               shoal_i_quasi_loss(&quasi->columns[c], span.lo, span.hi);
    }
    return sum;
}

static double slow_optimum(const sampled_case *s)
{
    unsigned all = (1u << s->problem.row_count) - 1;
    double costs[1 << FEW];
    double best[1 << FEW] = {0};

    for (unsigned set = 1; set <= all; set++) {
        costs[set] = class_ncp(s, set);
        best[set] = INFINITY;
        for (unsigned part = set; part > 0; part = (part - 1) & set) {
            if (part & set & -set) {
                best[set] = fmin(best[set], costs[part] + best[set & ~part]);
            }
        }
    }
    return best[all];
}

static double run_bound(shoal_ctx *ctx, const sampled_case *s, const shoal_i_quasi *population,
                        double known)
{
    double ncp = -1;
    const shoal_i_bound_known facts = {
        .ncp = known, .source = &s->source, .population = population};

    assert_int_equal(shoal_i_bound(ctx, &ncp, s->sample.quasi, &s->set, &facts), SHOAL_OK);
    assert_true(ncp >= 0 && isfinite(ncp));
    return ncp;
}

static shoal_status run_method(shoal_ctx *ctx, shoal_i_release **out, const sampled_case *s,
                               const char *text)
{
    const shoal_i_method *method = NULL;
    shoal_i_method_settings settings;

    *out = NULL;
    shoal_status st = shoal_i_method_parse(ctx, &method, &settings, text);

    return st == SHOAL_OK ? shoal_i_method_run(ctx, out, method, &s->problem, &settings) : st;
}

/* What a method loses; every class of it holds. */
static double lose(shoal_ctx *ctx, const sampled_case *s, const char *text)
{
    shoal_i_release *release = NULL;

    assert_int_equal(run_method(ctx, &release, s, text), SHOAL_OK);
    for (size_t b = 0; b < release->box_count; b++) {
        published p = {0};

        for (size_t row = 0; row < s->problem.row_count; row++) {
            if (release->box_of[row] == b) {
                join(&p, &s->people[row]);
            }
        }
        assert_true(holds(s, &p));
    }
    double ncp = shoal_i_release_ncp(release);

    shoal_i_release_free(release);
    return ncp;
}

/* --- Tests. ------------------------------------------------------------------------------- */

static void test_bound(void **state)
{
    shoal_ctx *ctx = *state;
    size_t raised = 0;
    size_t reached = 0;
    size_t possible = 0;

    for (uint64_t seed = 0; seed < rounds(600, 4000); seed++) {
        sampled_case s;

        sampled_case_make(ctx, &s, seed, 2 + seed % (FEW - 1), 12 + seed % 30);
        double optimum = slow_optimum(&s);
        double known = isfinite(optimum) ? 1.2 * optimum : 100;
        double bound = run_bound(ctx, &s, s.population.quasi, known);
        double without = run_bound(ctx, &s, NULL, known);

        assert_true(bound <= optimum);
        possible += isfinite(optimum) ? 1 : 0;
        raised += bound > 1.01 * without + 1e-6;
        reached += isfinite(optimum) && bound > 0 && bound > optimum - 1e-4;
        sampled_case_free(&s);
    }
    assert_true(possible > 300);
    assert_true(raised > 150);
    assert_true(reached > 15);
}

static void test_worked_bound(void **state)
{
    shoal_ctx *ctx = *state;
    static const person people[] = {{20, 0, 0}, {30, 0, 0}, {40, 0, 0}, {50, 0, 0},
                                    {21, 0, 0}, {31, 0, 0}, {41, 0, 0}, {51, 0, 0}};
    side sample = {0};
    side population = {0};
    shoal_i_requirement_set set = {0};
    shoal_i_tally_source source = {0};
    double ncp = 0;

    side_make(ctx, &sample, people, 4, false);
    side_make(ctx, &population, people, 8, false);
    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_map, 3), SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init(ctx, &source, &set, NULL, 0, NULL, 4), SHOAL_OK);
    assert_int_equal(shoal_i_bound(ctx, &ncp, sample.quasi, &set,
                                   &(shoal_i_bound_known){.ncp = 0,
                                                          .source = &source,
                                                          .population = population.quasi}),
                     SHOAL_OK);
    /* By hand, a range of 30 years. 20 needs 21 and 30; 30 needs two of 21, 31, 20 and 40,
     * which takes 10 years together whoever they are, and so does 40. 51 is placed at 50, the
     * last age of the table, so that 50 needs 41 alone. */
    assert_true(fabs(ncp - (10 + 10 + 10 + 9) / 30.0) < 1e-6);
    shoal_i_tally_source_clear(&source);
    shoal_i_requirement_set_clear(&set);
    side_free(&sample);
    side_free(&population);
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Many people of one column of numbers: what a record loses at least is the shortest range of
 * so many neighbours that has it, within those of the table. */
static void test_bound_of_many_people(void **state)
{
    enum { PEOPLE = 40000, SAMPLE = 60, NEEDED = 7 };
    shoal_ctx *ctx = *state;
    shoal_i_random random = shoal_i_random_start(11);
    int64_t *people = calloc(PEOPLE, sizeof *people);
    shoal_array array = {
        .name = "x", .kind = SHOAL_ARRAY_INT64, .length = SAMPLE, .data = people};
    const shoal_i_quasi_request request = {.column = 0, .weight = 1};
    side sample = {0};
    side population = {0};
    shoal_i_requirement_set set = {0};
    double truth = 0;
    double ncp = 0;

    assert_non_null(people);
    for (size_t i = 0; i < PEOPLE; i++) {
        people[i] = (int64_t)shoal_i_random_below(&random, 10000000);
    }
    assert_int_equal(shoal_table_from_arrays(ctx, &sample.table, &array, 1), SHOAL_OK);
    array.length = PEOPLE;
    assert_int_equal(shoal_table_from_arrays(ctx, &population.table, &array, 1), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, &sample.quasi, sample.table, &request, 1),
                     SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, &population.quasi, population.table, &request, 1),
                     SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_map, NEEDED), SHOAL_OK);
    assert_int_equal(shoal_i_bound(ctx, &ncp, sample.quasi, &set,
                                   &(shoal_i_bound_known){.population = population.quasi}),
                     SHOAL_OK);
    int64_t own[SAMPLE];

    memcpy(own, people, sizeof own);
    qsort(own, SAMPLE, sizeof *own, compare_numbers);
    qsort(people, PEOPLE, sizeof *people, compare_numbers);
    for (size_t i = 0; i < SAMPLE; i++) {
        int64_t shortest = INT64_MAX;

        for (size_t first = 0; first + NEEDED <= PEOPLE; first++) {
            int64_t lo = people[first] > own[0] ? people[first] : own[0];
            int64_t hi = people[first + NEEDED - 1];

            hi = hi < own[SAMPLE - 1] ? hi : own[SAMPLE - 1];
            if (lo <= own[i] && hi >= own[i]) {
                shortest = hi - lo < shortest ? hi - lo : shortest;
            }
        }
        truth += (double)shortest / (double)(own[SAMPLE - 1] - own[0]);
    }
    assert_true(truth > 0.001 && fabs(ncp - truth) < 1e-6);
    shoal_i_requirement_set_clear(&set);
    side_free(&sample);
    side_free(&population);
    free(people);
}

/* What a method loses that is run without people, with classes of a size, and merged then. */
static double lose_with_size(shoal_ctx *ctx, const sampled_case *s, const char *text, double k)
{
    const shoal_i_method *method = NULL;
    shoal_i_method_settings settings;
    shoal_i_requirement_set sizes = {0};
    shoal_i_problem alone = s->problem;
    shoal_i_release *release = NULL;

    assert_int_equal(shoal_i_requirement_add(ctx, &sizes, &shoal_i_k_anonymity, k), SHOAL_OK);
    alone.requirements = &sizes;
    alone.people = NULL;
    assert_int_equal(shoal_i_method_parse(ctx, &method, &settings, text), SHOAL_OK);
    assert_int_equal(shoal_i_method_run(ctx, &release, method, &alone, &settings), SHOAL_OK);
    assert_int_equal(shoal_i_gather(ctx, &release, &s->problem), SHOAL_OK);
    double ncp = shoal_i_release_ncp(release);

    shoal_i_release_free(release);
    shoal_i_requirement_set_clear(&sizes);
    return ncp;
}

/* Sizes are tried from the smallest that is allowed on, until a tenth more is lost. */
static void test_sizes_before_merging(void **state)
{
    shoal_ctx *ctx = *state;
    size_t later = 0;

    for (uint64_t seed = 0; seed < 40; seed++) {
        const char *text = seed % 2 ? "mondrian" : "topdown";
        sampled_case s;

        sampled_case_make(ctx, &s, seed, 60, 60 + seed * 8);
        if (can_hold(&s)) {
            double first = lose_with_size(ctx, &s, text, s.k);
            double least = first;
            double loss = first;

            for (double k = 2 * s.k; k <= 60 && loss < 1.1 * least; k *= 2) {
                loss = lose_with_size(ctx, &s, text, k);
                least = fmin(least, loss);
            }
            assert_true(lose(ctx, &s, text) == least);
            later += least < first;
        }
        sampled_case_free(&s);
    }
    assert_true(later > 3);
}

static void test_best_beside_the_optimum(void **state)
{
    shoal_ctx *ctx = *state;
    double sum = 0;
    double least = 0;
    size_t found = 0;
    size_t count = 0;

    for (uint64_t seed = 0; seed < rounds(120, 1200); seed++) {
        sampled_case s;

        sampled_case_make(ctx, &s, seed, 3 + seed % (FEW - 2), 12 + seed % 30);
        double optimum = slow_optimum(&s);

        if (can_hold(&s)) {
            double loss = lose(ctx, &s, "best");

            assert_true(loss >= optimum - 1e-9);
            if (s.most == 0) { /* there the search goes on */
                sum += loss;
                least += optimum;
                found += loss <= optimum + 1e-9;
                count++;
            }
        }
        sampled_case_free(&s);
    }
    assert_true(count > 30);
    assert_true(found * 10 > count * 9);
    assert_true(sum <= 1.01 * least);
}

/* At effort fast it promises to be no worse than the first three. */
static bool is_never_worse(shoal_ctx *ctx, const sampled_case *s)
{
    static const char *const others[] = {"topdown", "mondrian", "hilbert",
                                         "cluster", "bottomup", "specialize"};
    double fast = lose(ctx, s, "best:effort=fast");
    double normal = lose(ctx, s, "best");
    double cheapest = INFINITY;

    assert_true(normal <= fast);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        double loss = lose(ctx, s, others[i]);

        assert_true(normal <= loss + 1e-9);
        assert_true(i > 2 || fast <= loss + 1e-9);
        cheapest = fmin(cheapest, loss);
    }
    assert_true(normal >= run_bound(ctx, s, s->population.quasi, normal));
    return normal < 0.97 * cheapest;
}

static void test_never_worse(void **state)
{
    shoal_ctx *ctx = *state;
    size_t better = 0;
    size_t searched = 0;

    for (uint64_t seed = 0; seed < rounds(16, 150); seed++) {
        sampled_case s;

        sampled_case_make(ctx, &s, seed, 20 + seed * 5 % 100, 120 + seed * 7 % 250);
        if (can_hold(&s)) {
            bool is_better = is_never_worse(ctx, &s);

            assert_true(s.most == 0 || !is_better || s.k_map > 0);
            searched += s.most == 0;
            better += is_better;
        }
        sampled_case_free(&s);
    }
    assert_true(searched > 5);
    assert_true(better * 2 > searched);
}

static void test_threads_do_not_matter(void **state)
{
    shoal_ctx *one = *state;
    shoal_ctx four;

    shoal_i_ctx_init(&four);
    four.threads = 4;
    for (uint64_t seed = 0; seed < 3; seed++) {
        sampled_case s;
        shoal_i_release *a = NULL;
        shoal_i_release *b = NULL;

        sampled_case_make(one, &s, seed, 100, 300);
        assert_int_equal(run_method(one, &a, &s, "best"), SHOAL_OK);
        assert_int_equal(run_method(&four, &b, &s, "best"), SHOAL_OK);
        assert_same_release(a, b);
        assert_true(run_bound(one, &s, s.population.quasi, 50) ==
                    run_bound(&four, &s, s.population.quasi, 50));
        shoal_i_release_free(a);
        shoal_i_release_free(b);
        sampled_case_free(&s);
    }
    shoal_i_ctx_clear(&four);
}

/* A time is kept, and ends with a release. */
static void test_time(void **state)
{
    shoal_ctx *ctx = *state;
    sampled_case s;

    sampled_case_make(ctx, &s, 0, 100, 300);
    s.problem.seconds = 0.001;
    lose(ctx, &s, "best");
    s.problem.seconds = 0.2;
    lose(ctx, &s, "best:effort=high");
    sampled_case_free(&s);
}

static shoal_status run_both(shoal_ctx *ctx, void *payload)
{
    const sampled_case *s = payload;
    const shoal_i_bound_known facts = {
        .ncp = 10, .source = &s->source, .population = s->population.quasi};
    shoal_i_release *release = NULL;
    double ncp = 0;
    shoal_status st = run_method(ctx, &release, s, "best");

    assert_true((st == SHOAL_OK) == (release != NULL));
    shoal_i_release_free(release);
    return st == SHOAL_OK ? shoal_i_bound(ctx, &ncp, s->sample.quasi, &s->set, &facts) : st;
}

static void test_failing_allocations(void **state)
{
    sampled_case s;

    sampled_case_make(*state, &s, 6, 9, 30);
    assert_survives_failing_allocations(*state, run_both, &s);
    sampled_case_free(&s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_worked_bound),
        cmocka_unit_test(test_bound_of_many_people),
        cmocka_unit_test(test_sizes_before_merging),
        cmocka_unit_test(test_best_beside_the_optimum),
        cmocka_unit_test(test_never_worse),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_failing_allocations),
    };

    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, open_context, close_context);
}

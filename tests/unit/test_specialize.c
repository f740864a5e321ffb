/* Specialize, against WONG's examples and against the algorithm told again step by step. */
#include "context.h"
#include "method_case.h"

#include "method/specialize/specialize_count.h"

#include <shoal/csv.h>

/* --- The paper's tables. -------------------- */

typedef struct small_case {
    shoal_table *table;
    shoal_hierarchy *postcodes;
    shoal_i_quasi *quasi;
    shoal_i_sensitive illness;
    shoal_i_requirement_set set;
    shoal_i_tally_source source;
} small_case;

/* Records of a postcode and an illness, alpha on the illness "HIV" and k = 2. */
static void make_small(shoal_ctx *ctx, small_case *s, const char *csv, double alpha)
{
    uint32_t code = 0;

    memset(s, 0, sizeof *s);
    assert_int_equal(shoal_csv_read_memory(ctx, &s->table, csv, strlen(csv), "small.csv", NULL),
                     SHOAL_OK);
    assert_int_equal(shoal_hierarchy_build_prefix(ctx, &s->postcodes, s->table, 0, 4),
                     SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(
                         ctx, &s->quasi, s->table,
                         &(shoal_i_quasi_request){.weight = 1, .hierarchy = s->postcodes}, 1),
                     SHOAL_OK);
    assert_int_equal(shoal_i_sensitive_init(ctx, &s->illness, s->table, 1, NULL, NULL),
                     SHOAL_OK);
    assert_int_equal(shoal_i_sensitive_find(ctx, &code, &s->illness, "HIV", 3), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(ctx, &s->set, &shoal_i_k_anonymity, 2), SHOAL_OK);
    assert_int_equal(
        shoal_i_requirement_add_item(ctx, &s->set,
                                     &(shoal_i_requirement){.kind = &shoal_i_alpha_values,
                                                            .value = alpha,
                                                            .column = &s->illness,
                                                            .codes = &code,
                                                            .code_count = 1}),
        SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init(ctx, &s->source, &s->set, &s->illness, 1, NULL,
                                               shoal_table_row_count(s->table)),
                     SHOAL_OK);
}

static shoal_status run_small(shoal_ctx *ctx, shoal_i_release **out, const small_case *s)
{
    shoal_i_problem problem = {.quasi = s->quasi,
                               .row_count = shoal_table_row_count(s->table),
                               .requirements = &s->set,
                               .source = &s->source};
    const shoal_i_method *method = NULL;
    shoal_i_method_settings settings;

    assert_int_equal(shoal_i_method_parse(ctx, &method, &settings, "specialize"), SHOAL_OK);
    return shoal_i_method_run(ctx, out, method, &problem, &settings);
}

static void free_small(small_case *s)
{
    shoal_i_tally_source_clear(&s->source);
    shoal_i_requirement_set_clear(&s->set);
    shoal_i_sensitive_clear(&s->illness);
    shoal_i_quasi_free(s->quasi);
    shoal_hierarchy_free(s->postcodes);
    shoal_table_free(s->table);
}

static const char *label_of(const small_case *s, const shoal_i_release *release, size_t row)
{
    shoal_i_interval interval = release->boxes[release->box_of[row]];

    return shoal_hierarchy_label(
        s->postcodes, shoal_hierarchy_ancestor(s->postcodes, interval.lo, interval.hi));
}

/* WONG, tables 5 and 6: 4352 alone may not stay, nor may it return alone. */
static void test_wong_table_6(void **state)
{
    shoal_ctx *ctx = *state;
    small_case s;
    shoal_i_release *release = NULL;
    size_t exact = 0;

    make_small(ctx, &s, "postcode,illness\n4351,HIV\n4351,flu\n4351,fever\n4352,HIV\n", 0.5);
    assert_int_equal(run_small(ctx, &release, &s), SHOAL_OK);
    assert_int_equal(release->box_count, 2);
    for (size_t row = 0; row < 3; row++) {
        exact += strcmp(label_of(&s, release, row), "4351") == 0;
    }
    assert_int_equal(exact, 2);
    assert_string_equal(label_of(&s, release, 3), "435*");
    assert_string_equal(label_of(&s, release, 0), "4351"); /* HIV may not meet HIV */
    shoal_i_release_free(release);
    free_small(&s);
}

/* WONG, tables 2 and 3: two of a postcode who both have HIV do not hide it; one of two does. */
static void test_wong_table_3(void **state)
{
    shoal_ctx *ctx = *state;
    small_case s;
    shoal_i_release *release = NULL;

    make_small(ctx, &s, "postcode,illness\n4350,HIV\n4350,HIV\n4360,flu\n4360,fever\n", 0.5);
    assert_int_equal(run_small(ctx, &release, &s), SHOAL_OK);
    assert_int_equal(release->box_count, 1);
    assert_string_equal(label_of(&s, release, 0), "43**");
    shoal_i_release_free(release);
    free_small(&s);

    make_small(ctx, &s, "postcode,illness\n4350,HIV\n4350,flu\n4360,HIV\n4360,fever\n", 0.5);
    assert_int_equal(run_small(ctx, &release, &s), SHOAL_OK);
    assert_int_equal(release->box_count, 2);
    assert_string_equal(label_of(&s, release, 0), "4350");
    shoal_i_release_free(release);
    free_small(&s);
}

/* WONG's lemma: alpha below the share of the whole table. */
static void test_impossible_alpha(void **state)
{
    shoal_ctx *ctx = *state;
    small_case s;
    shoal_i_release *release = NULL;

    make_small(ctx, &s, "postcode,illness\n4350,HIV\n4350,HIV\n4360,flu\n4360,fever\n", 0.4);
    assert_int_equal(run_small(ctx, &release, &s), SHOAL_EUNSATISFIABLE);
    assert_null(release);
    free_small(&s);
}

/* Of two children that can spare a record, the one that cannot go down further gives it: 43 is
 * deep, 44 ends in values that are all alone. */
static void test_least_specializable_returns(void **state)
{
    shoal_ctx *ctx = *state;
    small_case s;
    shoal_i_release *release = NULL;

    make_small(ctx, &s,
               "postcode,illness\n4350,flu\n4350,flu\n4350,flu\n4411,flu\n4421,flu\n4431,flu\n"
               "4511,HIV\n",
               0.5);
    assert_int_equal(run_small(ctx, &release, &s), SHOAL_OK);
    assert_string_equal(label_of(&s, release, 0), "4350");
    assert_string_equal(label_of(&s, release, 1), "4350");
    assert_string_equal(label_of(&s, release, 2), "4350");
    assert_string_equal(label_of(&s, release, 3), "4***");
    assert_string_equal(label_of(&s, release, 4), "44**");
    assert_string_equal(label_of(&s, release, 6), "4***");
    shoal_i_release_free(release);
    free_small(&s);
}

/* --- The algorithm told again. -------------------- */

/* A column as a tree of runs of codes: categorical by its hierarchy, numeric as values below a
 * root or in halves. Depth 0 is the root. */
static uint32_t slow_node(const shoal_i_quasi_column *column, bool in_halves, uint32_t code,
                          int depth)
{
    if (column->hierarchy) {
        return shoal_hierarchy_ancestor_at(column->hierarchy, code, depth);
    }
    if (!in_halves) {
        return depth > 0 ? code + 1 : 0;
    }
    uint32_t values = column->value_count - column->has_missing;
    uint32_t node = 1;

    if (column->has_missing && depth > 0) {
        if (code == values) {
            return 0;
        }
        depth--;
    }
    /* Which half, which quarter, ...: digits of code / values. */
    for (uint64_t rest = code; depth > 0 && (uint64_t)node < 2 * (uint64_t)values; depth--) {
        rest *= 2;
        node = 2 * node + (rest >= values);
        rest -= rest >= values ? values : 0;
    }
    return node;
}

#define SLOW_DEPTH_MAX 40
#define SLOW_ROWS 64

typedef struct slow_group {
    size_t count;
    uint32_t rows[SLOW_ROWS]; /* ascending */
} slow_group;

typedef struct slow_run {
    shoal_ctx *ctx;
    const method_case *m;
    bool in_halves;
    size_t group_count;
    slow_group groups[SLOW_ROWS];
} slow_run;

typedef struct slow_trial {
    size_t branch_count;
    slow_group branches[SLOW_ROWS];
    slow_group rest;
    size_t specialized;
    size_t filled; /* branches */
} slow_trial;

static bool group_holds(const slow_run *r, const slow_group *g)
{
    return slow_holds(r->ctx, r->m, g->rows, g->count);
}

static void put_row(slow_group *g, uint32_t row)
{
    size_t at = g->count++;

    for (; at > 0 && g->rows[at - 1] > row; at--) {
        g->rows[at] = g->rows[at - 1];
    }
    g->rows[at] = row;
}

static void drop_row(slow_group *g, uint32_t row)
{
    size_t kept = 0;

    for (size_t i = 0; i < g->count; i++) {
        if (g->rows[i] != row) {
            g->rows[kept++] = g->rows[i];
        }
    }
    g->count = kept;
}

static uint32_t node_of(const slow_run *r, size_t c, uint32_t row, int depth)
{
    return slow_node(&r->m->quasi->columns[c], r->in_halves,
                     shoal_i_quasi_code(r->m->quasi, c, row), depth);
}

/* How many steps below `depth` a row of the branch goes with company that holds. */
static size_t slow_further(const slow_run *r, const slow_group *branch, size_t c, uint32_t row,
                           int depth)
{
    size_t steps = 0;
    slow_group company = *branch;

    for (;; steps++) {
        slow_group next = {0};

        depth++;
        if (depth > SLOW_DEPTH_MAX ||
            node_of(r, c, row, depth) == node_of(r, c, row, depth - 1)) {
            return steps;
        }
        for (size_t i = 0; i < company.count; i++) {
            if (node_of(r, c, company.rows[i], depth) == node_of(r, c, row, depth)) {
                put_row(&next, company.rows[i]);
            }
        }
        if (!group_holds(r, &next)) {
            return steps;
        }
        company = next;
    }
}

static void slow_figures(const slow_run *r, const slow_group *g, double *figures, bool *holds)
{
    const shoal_i_requirement_set *set = &r->m->set;
    shoal_i_tally tally = {0};

    assert_int_equal(shoal_i_tally_init(r->ctx, &tally, &r->m->source), SHOAL_OK);
    shoal_i_tally_add_list(&tally, g->rows, g->count);
    for (size_t i = 0; i < set->count; i++) {
        holds[i] = set->items[i].kind->check(&set->items[i], &tally.stats, &figures[i]);
    }
    shoal_i_tally_clear(&tally);
}

/* Whether a row helps the rest: no figure that fails gets worse, and all (pass 0), some (pass
 * 1) or none (pass 2) of those that fail get better. */
static bool slow_helps(const slow_run *r, const slow_group *rest, uint32_t row, size_t pass)
{
    double before[SHOAL_I_REQUIREMENTS_MAX];
    double after[SHOAL_I_REQUIREMENTS_MAX];
    bool held[SHOAL_I_REQUIREMENTS_MAX];
    bool holds[SHOAL_I_REQUIREMENTS_MAX];
    slow_group with = *rest;
    bool is_any = false;
    bool is_all = true;

    put_row(&with, row);
    slow_figures(r, rest, before, held);
    slow_figures(r, &with, after, holds);
    for (size_t i = 0; i < r->m->set.count; i++) {
        double gain = after[i] - before[i];

        gain = r->m->set.items[i].kind->larger_is_safer ? gain : -gain;
        if (!holds[i] && gain < 0) {
            return false;
        }
        if (!held[i]) {
            is_any = is_any || holds[i] || gain > 0;
            is_all = is_all && (holds[i] || gain > 0);
        }
    }
    return pass == 2 || (pass == 1 && is_any) || (is_any && is_all);
}

typedef struct slow_offer {
    size_t further;
    size_t branch;
    uint32_t row;
} slow_offer;

static int compare_offers(const void *a, const void *b)
{
    const slow_offer *x = a;
    const slow_offer *y = b;

    if (x->further != y->further) {
        return x->further < y->further ? -1 : 1;
    }
    if (x->branch != y->branch) {
        return x->branch < y->branch ? -1 : 1;
    }
    return x->row < y->row ? -1 : 1;
}

/* Return rows of the branches until the rest holds; false: that cannot be done. */
static bool slow_fill(const slow_run *r, slow_trial *t, size_t c, int depth)
{
    slow_offer offers[SLOW_ROWS];
    slow_offer taken[SLOW_ROWS];
    size_t offer_count = 0;
    size_t taken_count = 0;

    for (size_t b = 0; b < t->branch_count; b++) {
        for (size_t i = 0; i < t->branches[b].count; i++) {
            uint32_t row = t->branches[b].rows[i];

            offers[offer_count++] =
                (slow_offer){slow_further(r, &t->branches[b], c, row, depth), b, row};
        }
    }
    qsort(offers, offer_count, sizeof *offers, compare_offers);
    for (size_t i = 0; i < 3 * offer_count && !group_holds(r, &t->rest); i++) {
        slow_offer offer = offers[i % offer_count];
        slow_group without = t->branches[offer.branch];

        drop_row(&without, offer.row);
        if (without.count > 0 && without.count < t->branches[offer.branch].count &&
            group_holds(r, &without) && slow_helps(r, &t->rest, offer.row, i / offer_count)) {
            t->branches[offer.branch] = without;
            put_row(&t->rest, offer.row);
            taken[taken_count++] = offer;
        }
    }
    if (!group_holds(r, &t->rest)) {
        return false;
    }
    while (taken_count-- > 0) {
        slow_offer offer = taken[taken_count];
        slow_group without = t->rest;
        slow_group with = t->branches[offer.branch];

        drop_row(&without, offer.row);
        put_row(&with, offer.row);
        if (group_holds(r, &without) && group_holds(r, &with)) {
            t->rest = without;
            t->branches[offer.branch] = with;
        }
    }
    return true;
}

/* One step down a column from the depth where the rows stand together. */
static void slow_try(const slow_run *r, slow_trial *t, const slow_group *g, size_t c, int depth)
{
    slow_group all[SLOW_ROWS];
    uint32_t nodes[SLOW_ROWS];
    size_t node_count = 0;

    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < g->count; i++) {
        uint32_t node = node_of(r, c, g->rows[i], depth + 1);
        size_t n = 0;

        while (n < node_count && nodes[n] != node) {
            n++;
        }
        if (n == node_count) {
            nodes[node_count++] = node;
            all[n].count = 0;
        }
        put_row(&all[n], g->rows[i]);
    }
    for (size_t n = 0; n < node_count; n++) {
        if (group_holds(r, &all[n])) {
            t->branches[t->branch_count++] = all[n];
        } else {
            for (size_t i = 0; i < all[n].count; i++) {
                put_row(&t->rest, all[n].rows[i]);
            }
        }
    }
    t->filled = t->branch_count;
    if (t->branch_count == 0 ||
        (t->rest.count > 0 && !group_holds(r, &t->rest) && !slow_fill(r, t, c, depth + 1))) {
        return;
    }
    t->specialized = g->count - t->rest.count;
}

/* As the paper: a group stands at one node per column, given by its depth, and steps down from
 * there. */
static void slow_specialize(slow_run *r, const slow_group *g, const int *depths)
{
    slow_trial *best = calloc(1, sizeof *best);
    slow_trial *trial = calloc(1, sizeof *trial);
    size_t best_column = 0;
    int below[RANDOM_COLUMNS_MAX];

    for (size_t c = 0; c < r->m->quasi->count; c++) {
        if (depths[c] == SLOW_DEPTH_MAX) {
            continue;
        }
        slow_try(r, trial, g, c, depths[c]);
        if (trial->specialized > best->specialized ||
            (trial->specialized > 0 && trial->specialized == best->specialized &&
             trial->filled < best->filled)) {
            *best = *trial;
            best_column = c;
        }
    }
    if (best->specialized == 0) {
        r->groups[r->group_count++] = *g;
    } else {
        memcpy(below, depths, sizeof below);
        below[best_column]++;
        for (size_t b = 0; b < best->branch_count; b++) {
            slow_specialize(r, &best->branches[b], below);
        }
        if (best->rest.count > 0) {
            slow_specialize(r, &best->rest, depths);
        }
    }
    free(best);
    free(trial);
}

static shoal_i_release *release_slowly(const slow_run *r)
{
    uint32_t order[SLOW_ROWS];
    uint32_t starts[SLOW_ROWS + 1] = {0};
    shoal_i_release *release = NULL;

    for (size_t g = 0; g < r->group_count; g++) {
        memcpy(order + starts[g], r->groups[g].rows, r->groups[g].count * sizeof *order);
        starts[g + 1] = starts[g] + (uint32_t)r->groups[g].count;
    }
    assert_int_equal(starts[r->group_count], r->m->problem.row_count);
    assert_int_equal(shoal_i_release_from_groups(r->ctx, &release, r->m->quasi, order, starts,
                                                 r->group_count),
                     SHOAL_OK);
    return release;
}

/* How many of the random tables, with columns of up to so many values and a few more, can be
 * released; all of them as the slow way does. */
static size_t compare_with_slow(shoal_ctx *ctx, uint64_t seeds, uint64_t values,
                                const shoal_i_requirement_kind *second)
{
    size_t done = 0;

    for (uint64_t seed = 0; seed < seeds; seed++) {
        method_case m;
        bool in_halves = seed % 3 == 0;
        shoal_i_release *release = NULL;

        method_case_make_two(ctx, &m, seed, 6 + seed % 30, 1 + seed % 4, values + seed % 5,
                             case_kinds[seed % CASE_KINDS], second);
        shoal_status st = method_case_run_as_given(
            ctx, &release, &m, in_halves ? "specialize:numeric=halves" : "specialize");

        if (st == SHOAL_OK) {
            slow_run *slow = calloc(1, sizeof *slow);
            slow_group all = {0};
            int depths[RANDOM_COLUMNS_MAX] = {0};

            *slow = (slow_run){.ctx = ctx, .m = &m, .in_halves = in_halves};
            for (uint32_t row = 0; row < m.problem.row_count; row++) {
                put_row(&all, row);
            }
            slow_specialize(slow, &all, depths);
            shoal_i_release *expected = release_slowly(slow);

            assert_same_release(release, expected);
            shoal_i_release_free(expected);
            free(slow);
            done++;
        } else {
            assert_int_equal(st, SHOAL_EUNSATISFIABLE);
        }
        shoal_i_release_free(release);
        method_case_free(&m);
    }
    return done;
}

/* Few values: groups are counted by code, in all columns at once. */
static void test_equals_slow(void **state)
{
    uint64_t cases = rounds(96, 192);

    assert_true(compare_with_slow(*state, cases, 3, NULL) > cases * 5 / 8);
}

/* More values than that pays for: groups are counted column by column. */
static void test_equals_slow_with_many_values(void **state)
{
    assert_true(compare_with_slow(*state, 96, 40, NULL) > 40);
}

/* Requirements about two columns, counted in either way. */
static void test_equals_slow_with_two_sensitive_columns(void **state)
{
    assert_true(compare_with_slow(*state, 96, 3, &shoal_i_l_frequency) > 20);
    assert_true(compare_with_slow(*state, 48, 3, &shoal_i_l_distinct) > 10);
    assert_true(compare_with_slow(*state, 48, 40, &shoal_i_l_frequency) > 10);
}

static uint32_t count_slowly(const shoal_i_code_rows *codes, const uint32_t *records,
                             size_t count, size_t c, uint32_t code, size_t j, uint32_t value)
{
    uint32_t found = 0;

    for (size_t i = 0; i < count; i++) {
        const uint32_t *row = codes->cells + records[i] * codes->stride;

        found += row[c] == code && (j == SIZE_MAX || row[codes->columns + j] == value);
    }
    return found;
}

static void assert_counts_equal_slow(const shoal_i_code_counts *counts,
                                     const shoal_i_code_rows *codes, const uint32_t *records,
                                     size_t count)
{
    for (size_t c = 0; c < codes->columns; c++) {
        uint32_t smallest = UINT32_MAX;
        uint32_t largest = 0;
        uint32_t lo;
        uint32_t hi;

        for (size_t slot = counts->firsts[c]; slot < counts->firsts[c + 1]; slot++) {
            uint32_t code = (uint32_t)(slot - counts->firsts[c]);
            uint32_t size = count_slowly(codes, records, count, c, code, SIZE_MAX, 0);
            size_t cell = slot * counts->width;

            assert_int_equal(counts->sizes[slot], size);
            smallest = size > 0 && smallest == UINT32_MAX ? code : smallest;
            largest = size > 0 ? code : largest;
            for (size_t j = 0; j < counts->source->active_count; j++) {
                for (uint32_t v = 0; v < counts->source->active[j].value_count; v++) {
                    assert_int_equal(counts->cells[cell++],
                                     count_slowly(codes, records, count, c, code, j, v));
                }
            }
        }
        shoal_i_code_counts_extent(counts, c, &lo, &hi);
        assert_int_equal(lo, smallest);
        assert_int_equal(hi, largest);
    }
}

/* The counts by code of every other record, against looking at all of them for each count. */
static void test_counts_by_code(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 16; seed++) {
        method_case m;
        uint32_t cells[CASE_ROWS_MAX * (RANDOM_COLUMNS_MAX + SHOAL_I_REQUIREMENTS_MAX + 1)];
        uint32_t records[CASE_ROWS_MAX];
        shoal_i_code_counts counts;
        size_t rows = 60;

        method_case_make_two(ctx, &m, seed, rows, 3, 6, case_kinds[seed % CASE_KINDS],
                             seed % 2 == 0 ? NULL : &shoal_i_l_frequency);
        const shoal_i_tally_source *source = &m.source;
        shoal_i_code_rows codes = {cells, 3 + source->active_count, 3};

        for (uint32_t row = 0; row < rows; row++) {
            for (size_t c = 0; c < 3; c++) {
                cells[row * codes.stride + c] =
                    (row * 7 + (uint32_t)c * row) % m.quasi->columns[c].value_count;
            }
            for (size_t j = 0; j < source->active_count; j++) {
                cells[row * codes.stride + 3 + j] = source->active[j].codes[row];
            }
            records[row / 2] = row; /* the odd ones stay */
        }
        assert_int_equal(shoal_i_code_counts_init(ctx, &counts, m.quasi, source, rows / 2),
                         SHOAL_OK);
        assert_true(shoal_i_code_counts_pay(&counts, rows / 2));
        for (int time = 0; time < 2; time++) { /* nothing is left of the first */
            shoal_i_code_counts_take(&counts, &codes, records, rows / 2);
        }
        assert_counts_equal_slow(&counts, &codes, records, rows / 2);
        shoal_i_code_counts_clear(&counts);
        method_case_free(&m);
    }
}

/* --- Larger tables: properties only. -------------------- */

static void test_every_requirement_holds(void **state)
{
    shoal_ctx *ctx = *state;
    const char *variants[] = {"specialize", "specialize:numeric=halves"};

    for (uint64_t seed = 0; seed < 6 * CASE_KINDS; seed++) {
        method_case m;
        shoal_i_release *release = NULL;

        method_case_make(ctx, &m, seed, 100 + seed, 1 + seed % 7, 3 + seed % 9,
                         case_kinds[seed % CASE_KINDS]);
        shoal_status st = method_case_run(ctx, &release, &m, variants[seed % 2]);

        assert_true(st == SHOAL_OK || st == SHOAL_EUNSATISFIABLE);
        if (release) {
            check_case_release(ctx, &m, release);
        }
        shoal_i_release_free(release);
        method_case_free(&m);
    }
}

/* So many sensitive values that they are not counted by node. */
static void test_many_values(void **state)
{
    shoal_ctx *ctx = *state;
    const shoal_i_requirement_kind *kinds[] = {&shoal_i_l_distinct, &shoal_i_alpha_general};

    for (size_t i = 0; i < 2; i++) {
        method_case m;
        shoal_i_release *release = NULL;

        method_case_make(ctx, &m, i, 600, 3, 2000, kinds[i]);
        assert_true(m.sensitive[0].value_count > 500);
        assert_int_equal(method_case_run(ctx, &release, &m, "specialize"), SHOAL_OK);
        check_case_release(ctx, &m, release);
        assert_true(release->box_count > 1);
        shoal_i_release_free(release);
        method_case_free(&m);
    }
}

static void test_failing_allocations(void **state)
{
    shoal_ctx *ctx = *state;
    method_case m;

    method_case_make(ctx, &m, 4, 60, 5, 6, &shoal_i_l_distinct);
    assert_case_survives_failing_allocations(ctx, &m, "specialize:numeric=halves");
    method_case_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wong_table_6),
        cmocka_unit_test(test_wong_table_3),
        cmocka_unit_test(test_impossible_alpha),
        cmocka_unit_test(test_least_specializable_returns),
        cmocka_unit_test(test_equals_slow),
        cmocka_unit_test(test_equals_slow_with_many_values),
        cmocka_unit_test(test_equals_slow_with_two_sensitive_columns),
        cmocka_unit_test(test_counts_by_code),
        cmocka_unit_test(test_every_requirement_holds),
        cmocka_unit_test(test_many_values),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}

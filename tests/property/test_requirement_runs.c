/* Random tables, random requirements, every method, from file to file: what is written passes
 * the library's verifier and a slow one that works from the definitions, and an impossible
 * request never yields a file. */
#include <shoal/job.h>

#include "deep.h"

#include "base/context.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TABLES 25
#define TABLES_DEEP 400
#define ROWS_MAX 48
#define EXACT_ROWS_MAX 12 /* the method exact takes long, or refuses, beyond */
#define VALUES_MAX 9
#define SLACK 1e-9 /* the library's tolerance is 1e-12 */

/* --- The slow checker. ------------------------------------------------------------------ */

/* A file as lines of quasi-identifier and sensitive value. */
typedef struct lines {
    size_t count;
    char quasi[ROWS_MAX][256];
    int value[ROWS_MAX];
} lines;

/* Counts by value, 1 to VALUES_MAX. */
typedef struct counts {
    int of[VALUES_MAX + 1];
    int total;
} counts;

typedef enum kind {
    K,
    ALPHA,
    ALPHA_VALUES,
    L_FREQUENCY,
    L_DISTINCT,
    L_ENTROPY,
    L_RECURSIVE,
    T_JS,
    T_EQUAL,
    T_ORDERED,
    T_HIERARCHICAL,
    DELTA,
    BETA,
    BETA_ENHANCED,
    KINDS
} kind;

typedef struct request {
    kind kind;
    double value;
    double c;
    int named[2];
} request;

static double share(const counts *c, int value)
{
    return (double)c->of[value] / c->total;
}

static double find_entropy(const counts *c)
{
    double sum = 0;

    for (int v = 1; v <= VALUES_MAX; v++) {
        sum -= c->of[v] ? share(c, v) * log(share(c, v)) : 0;
    }
    return sum;
}

static int compare_down(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

/* r1 over r_l + r_(l+1) + ... */
static double find_recursive(const counts *c, int l)
{
    int sorted[VALUES_MAX + 1];
    double rest = 0;

    memcpy(sorted, c->of, sizeof sorted);
    qsort(sorted, VALUES_MAX + 1, sizeof *sorted, compare_down);
    for (int i = l - 1; i <= VALUES_MAX; i++) {
        rest += sorted[i];
    }
    return rest > 0 ? sorted[0] / rest : INFINITY;
}

static double find_js(const counts *c, const counts *whole)
{
    double sum = 0;

    for (int v = 1; v <= VALUES_MAX; v++) {
        double p = share(c, v);
        double q = share(whole, v);
        double m = (p + q) / 2;

        sum += (q > 0 ? q * log(q / m) / 2 : 0) + (p > 0 ? p * log(p / m) / 2 : 0);
    }
    return sum;
}

static double find_ordered(const counts *c, const counts *whole)
{
    double carried = 0;
    double sum = 0;
    int present = 0;

    for (int v = 1; v <= VALUES_MAX; v++) {
        if (whole->of[v]) {
            carried += share(c, v) - share(whole, v);
            sum += fabs(carried);
            present++;
        }
    }
    return present > 1 ? sum / (present - 1) : 0;
}

/* The earth that cannot be moved within the children of a node moves at its height; widths 2, 4
 * and the root. */
static double find_hierarchical(const counts *c, const counts *whole)
{
    double extra[4][VALUES_MAX + 1] = {{0}};
    double cost = 0;

    for (int v = 1; v <= VALUES_MAX; v++) {
        extra[0][v] = share(c, v) - share(whole, v);
    }
    for (int level = 1; level <= 3; level++) {
        double above[VALUES_MAX + 1] = {0};
        double below[VALUES_MAX + 1] = {0};

        for (int child = 0; child <= VALUES_MAX; child++) {
            int parent = level == 3 ? 0 : child / 2;
            double e = extra[level - 1][child];

            above[parent] += e > 0 ? e : 0;
            below[parent] += e < 0 ? -e : 0;
        }
        for (int node = 0; node <= VALUES_MAX; node++) {
            cost += level / 3.0 * fmin(above[node], below[node]);
            extra[level][node] = above[node] - below[node];
        }
    }
    return cost;
}

/* The figure of the worst value by delta or beta. */
static double find_change(const counts *c, const counts *whole, const request *r)
{
    double worst = 0;

    for (int v = 1; v <= VALUES_MAX; v++) {
        double p = share(c, v);
        double q = share(whole, v);

        if (q == 0) {
            continue;
        }
        if (r->kind == DELTA) {
            worst = fmax(worst, p > 0 ? fabs(log(p / q)) : INFINITY);
        } else if (p > q) {
            double limit = r->kind == BETA ? r->value : fmin(r->value, -log(q));

            worst = fmax(worst, (p - q) / q > limit + SLACK ? INFINITY : (p - q) / q);
        }
    }
    return worst;
}

static double find_largest(const counts *c)
{
    double largest = 0;

    for (int v = 1; v <= VALUES_MAX; v++) {
        largest = fmax(largest, share(c, v));
    }
    return largest;
}

static int count_present(const counts *c)
{
    int present = 0;

    for (int v = 1; v <= VALUES_MAX; v++) {
        present += c->of[v] > 0;
    }
    return present;
}

/* By how much a class misses a request; at most 0 when it holds. */
static double find_miss(const counts *c, const counts *whole, const request *r)
{
    switch (r->kind) {
    case K:
        return r->value - c->total;
    case ALPHA:
        return find_largest(c) - r->value;
    case ALPHA_VALUES:
        return share(c, r->named[0]) + share(c, r->named[1]) - r->value;
    case L_FREQUENCY:
        return find_largest(c) - 1 / r->value;
    case L_DISTINCT:
        return r->value - count_present(c);
    case L_ENTROPY:
        return log(r->value) - find_entropy(c);
    case L_RECURSIVE: /* strict: equality is a miss */
        return find_recursive(c, (int)r->value) < r->c - SLACK ? -1 : 1;
    case T_JS:
        return find_js(c, whole) - r->value;
    case T_EQUAL: {
        double sum = 0;

        for (int v = 1; v <= VALUES_MAX; v++) {
            sum += fabs(share(c, v) - share(whole, v)) / 2;
        }
        return sum - r->value;
    }
    case T_ORDERED:
        return find_ordered(c, whole) - r->value;
    case T_HIERARCHICAL:
        return find_hierarchical(c, whole) - r->value;
    default:
        return find_change(c, whole, r) - r->value;
    }
}

static counts count_class(const lines *l, const char *quasi)
{
    counts c = {{0}, 0};

    for (size_t i = 0; i < l->count; i++) {
        if (!quasi || strcmp(l->quasi[i], quasi) == 0) {
            c.of[l->value[i]]++;
            c.total++;
        }
    }
    return c;
}

static void assert_all_hold(const lines *l, const request *requests, size_t count,
                            uint64_t seed)
{
    counts whole = count_class(l, NULL);

    for (size_t i = 0; i < l->count; i++) {
        counts c = count_class(l, l->quasi[i]);

        for (size_t r = 0; r < count; r++) {
            if (find_miss(&c, &whole, &requests[r]) > SLACK) {
                fail_msg("seed %llu: kind %d of %g fails in the class of line %zu",
                         (unsigned long long)seed, (int)requests[r].kind, requests[r].value,
                         i + 1);
            }
        }
    }
}

/* The last field of every line is the sensitive one. */
static lines read_lines(const char *path)
{
    lines l = {0};
    char text[256];
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    while (fgets(text, sizeof text, file)) {
        char *comma = strrchr(text, ',');

        assert_true(l.count < ROWS_MAX);
        *comma = '\0';
        snprintf(l.quasi[l.count], sizeof l.quasi[0], "%s", text);
        l.value[l.count++] = (int)strtol(comma + 1, NULL, 10);
    }
    fclose(file);
    return l;
}

/* The lines of a sensitive table, "bucket,ill,value,count", one for each that is counted. */
static lines read_buckets(const char *path)
{
    lines l = {0};
    char text[256];
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "bucket,column,value,count\n");
    while (fgets(text, sizeof text, file)) {
        char bucket[64];
        int value = 0;
        int count = 0;

        assert_int_equal(sscanf(text, "%63[^,],ill,%d,%d", bucket, &value, &count), 3);
        for (; count > 0; count--) {
            assert_true(l.count < ROWS_MAX);
            snprintf(l.quasi[l.count], sizeof l.quasi[0], "%s", bucket);
            l.value[l.count++] = value;
        }
    }
    fclose(file);
    return l;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The records beside a sensitive table: as many in each bucket as values, and all as they
 * were. */
static void check_records(const lines *buckets, const char *path, const lines *original)
{
    lines l = {0};
    lines sorted = *original;
    char text[256];
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "bucket,age,job\n");
    while (fgets(text, sizeof text, file)) {
        char *comma = strchr(text, ',');
        size_t in_table = 0;
        size_t in_file = 1;

        *comma = '\0';
        text[strlen(text) + 1 + strcspn(comma + 1, "\n")] = '\0';
        snprintf(l.quasi[l.count], sizeof l.quasi[0], "%s", comma + 1);
        l.value[l.count] = (int)strtol(text, NULL, 10);
        for (size_t i = 0; i < buckets->count; i++) {
            in_table += strcmp(buckets->quasi[i], text) == 0;
        }
        for (size_t i = 0; i < l.count; i++) {
            in_file += l.value[i] == l.value[l.count];
        }
        assert_true(in_file <= in_table);
        l.count++;
    }
    fclose(file);
    assert_int_equal(l.count, buckets->count);
    assert_int_equal(l.count, original->count);
    qsort(l.quasi, l.count, sizeof l.quasi[0], compare_texts);
    qsort(sorted.quasi, sorted.count, sizeof sorted.quasi[0], compare_texts);
    for (size_t i = 0; i < l.count; i++) {
        assert_string_equal(l.quasi[i], sorted.quasi[i]);
    }
}

/* --- Random runs. ----------------------------------------------------------------------- */

typedef struct fixture {
    shoal_ctx ctx;
    char input[96];
    char output[96];
    char table[96]; /* the second file of buckets */
    char folder[64];
    size_t released;
    size_t refused;
} fixture;

static void write_table(const fixture *f, shoal_i_random *random)
{
    FILE *file = fopen(f->input, "wb");
    size_t rows = 1 + (size_t)shoal_i_random_below(random, ROWS_MAX);
    uint64_t values = 1 + shoal_i_random_below(random, VALUES_MAX);

    assert_non_null(file);
    fputs("age,job,ill\n", file);
    for (size_t i = 0; i < rows; i++) {
        uint64_t skew = shoal_i_random_below(random, values);
        uint64_t value = shoal_i_random_below(random, skew + 1);

        fprintf(file, "%u,j%u,%u\n", (unsigned)shoal_i_random_below(random, 40),
                (unsigned)shoal_i_random_below(random, 4), (unsigned)value + 1);
    }
    fclose(file);
}

/* A request of random kind and strength, and how it is written. */
static request choose(shoal_i_random *random, const lines *l, char key[32], char text[64])
{
    static const char *const keys[KINDS] = {
        "k", "alpha", "alpha", "l", "l", "l", "l", "t", "t", "t", "t", "delta", "beta", "beta"};
    static const char *const words[KINDS] = {
        "",           "",         "",       "",         "distinct:",     "entropy:",
        "recursive:", "js:",      "equal:", "ordered:", "hierarchical:", "",
        "basic:",     "enhanced:"};
    request r = {.kind = (kind)shoal_i_random_below(random, KINDS)};
    double unit = (double)(1 + shoal_i_random_below(random, 20)) / 20;
    size_t a = (size_t)shoal_i_random_below(random, l->count);
    size_t b = (size_t)shoal_i_random_below(random, l->count);

    r.value = r.kind == K || r.kind == L_DISTINCT
                  ? (double)(1 + shoal_i_random_below(random, 5))
              : r.kind >= L_FREQUENCY && r.kind <= L_ENTROPY ? 1 + 2 * unit
              : r.kind == L_RECURSIVE ? (double)(1 + shoal_i_random_below(random, 3))
              : r.kind >= DELTA       ? 2 * unit
                                      : unit;
    r.c = 0.5 + 2 * unit;
    r.named[0] = l->value[a];
    r.named[1] = l->value[b] == l->value[a] ? 0 : l->value[b];
    snprintf(key, 32, "privacy.%s", keys[r.kind]);
    if (r.kind == L_RECURSIVE) {
        snprintf(text, 64, "%s%.17g:%.17g", words[r.kind], r.c, r.value);
    } else if (r.kind == ALPHA_VALUES && r.named[1]) {
        snprintf(text, 64, "%.17g:%d,%d", r.value, r.named[0], r.named[1]);
    } else if (r.kind == ALPHA_VALUES) {
        snprintf(text, 64, "%.17g:%d", r.value, r.named[0]);
    } else {
        snprintf(text, 64, "%s%.17g", words[r.kind], r.value);
    }
    return r;
}

static shoal_spec *make_spec(fixture *f)
{
    shoal_spec *spec = NULL;

    assert_int_equal(shoal_spec_new(&f->ctx, &spec), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&f->ctx, spec, "age", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&f->ctx, spec, "job", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&f->ctx, spec, "ill", SHOAL_ROLE_SENSITIVE), SHOAL_OK);
    assert_int_equal(shoal_spec_set_type(&f->ctx, spec, "ill", "integer"), SHOAL_OK);
    assert_int_equal(shoal_spec_set_hierarchy(&f->ctx, spec, "ill", "widths:2,4"), SHOAL_OK);
    return spec;
}

/* One run. -1: impossible by far, 1: possible by far, 0: on the edge. */
static void try_method(fixture *f, shoal_spec *spec, const shoal_method_facts *facts,
                       int possible, const lines *original, const request *requests,
                       size_t count, uint64_t seed)
{
    const char *method = facts->name;
    shoal_report *report = NULL;

    assert_int_equal(shoal_spec_set(&f->ctx, spec, "method", method), SHOAL_OK);
    unlink(f->output);
    unlink(f->table);

    shoal_status st = shoal_anonymize(&f->ctx, &report, spec, f->input, f->output);

    shoal_report_free(report);
    if (st != SHOAL_OK) {
        if (st != SHOAL_EUNSATISFIABLE || possible > 0) {
            fail_msg("seed %llu, %s: %s", (unsigned long long)seed, method,
                     f->ctx.error.message);
        }
        assert_int_not_equal(access(f->output, F_OK), 0);
        assert_int_not_equal(access(f->table, F_OK), 0);
        f->refused++;
        return;
    }
    assert_true(possible >= 0);
    f->released++;

    lines l = facts->publishes_in_two ? read_buckets(f->table) : read_lines(f->output);

    if (facts->publishes_in_two) {
        check_records(&l, f->output, original);
    }
    assert_all_hold(&l, requests, count, seed);
    assert_int_equal(shoal_verify(&f->ctx, &report, spec, f->output), SHOAL_OK);
    assert_true(shoal_report_holds(report));
    shoal_report_free(report);
}

static bool is_about_values(const request *requests, size_t count)
{
    bool is_any = false;

    for (size_t i = 0; i < count; i++) {
        is_any = is_any || requests[i].kind != K;
    }
    return is_any;
}

/* A box per record has no classes to check here; what needs them is refused, as is, first of
 * all if it was asked for, suppression. */
static void try_without_classes(fixture *f, shoal_spec *spec, const char *method,
                                const request *requests, size_t count, uint64_t seed)
{
    shoal_status expected = seed % 2 ? SHOAL_EUNSUPPORTED : SHOAL_EINVAL;
    shoal_report *report = NULL;

    if (!is_about_values(requests, count)) {
        return;
    }
    unlink(f->output);
    assert_int_equal(shoal_spec_set(&f->ctx, spec, "method", method), SHOAL_OK);
    shoal_status st = shoal_anonymize(&f->ctx, &report, spec, f->input, f->output);

    if (st != expected) {
        fail_msg("%s: status %d, %s", method, (int)st, f->ctx.error.message);
    }
    assert_int_not_equal(access(f->output, F_OK), 0);
}

static void try_table(fixture *f, uint64_t seed)
{
    shoal_method_facts facts = SHOAL_METHOD_FACTS_INIT;
    shoal_i_random random = shoal_i_random_start(seed);
    shoal_spec *spec = make_spec(f);
    request requests[3];
    size_t count = 1 + (size_t)shoal_i_random_below(&random, 3);
    int possible = 1;

    assert_int_equal(shoal_spec_set(&f->ctx, spec, "suppress", seed % 2 ? "0" : "0.2"),
                     SHOAL_OK);
    write_table(f, &random);
    lines original = read_lines(f->input);
    counts whole = count_class(&original, NULL);

    for (size_t i = 0; i < count; i++) {
        char key[32];
        char text[64];

        requests[i] = choose(&random, &original, key, text);
        assert_int_equal(shoal_spec_set(&f->ctx, spec, key, text), SHOAL_OK);

        /* Of two k the later counts. */
        for (size_t before = 0; requests[i].kind == K && before < i; before++) {
            requests[before].value =
                requests[before].kind == K ? requests[i].value : requests[before].value;
        }
    }
    for (size_t i = 0; i < count; i++) {
        double miss = find_miss(&whole, &whole, &requests[i]);
        int here = miss > SLACK ? -1 : miss < -SLACK ? 1 : 0;

        possible = here < possible ? here : possible;
    }
    for (size_t i = 0; shoal_method_describe(&facts, i); i++) {
        bool is_too_slow = strcmp(facts.name, "exact") == 0 && original.count > EXACT_ROWS_MAX;

        /* Some only with something to be diverse by. */
        if (strcmp(facts.shape, "records") == 0) {
            try_without_classes(f, spec, facts.name, requests, count, seed);
        } else if (!is_too_slow &&
                   (!facts.needs_sensitive || is_about_values(requests, count))) {
            try_method(f, spec, &facts, possible, &original, requests, count, seed);
        }
    }
    shoal_spec_free(spec);
}

static void test_random_runs(void **state)
{
    fixture f = {.folder = "/tmp/shoal-test-XXXXXX"};

    (void)state;
    shoal_i_ctx_init(&f.ctx);
    f.ctx.threads = 1;
    assert_non_null(mkdtemp(f.folder));
    snprintf(f.input, sizeof f.input, "%s/in.csv", f.folder);
    snprintf(f.output, sizeof f.output, "%s/out.csv", f.folder);
    snprintf(f.table, sizeof f.table, "%s/out.sensitive.csv", f.folder);
    /* Where tests may take long, those that `make test` leaves out. */
    uint64_t first = is_deep() ? TABLES : 0;
    uint64_t tables = (is_deep() ? TABLES_DEEP : TABLES) - first;

    for (uint64_t seed = first + 1; seed <= first + tables; seed++) {
        try_table(&f, seed);
    }
    assert_true(f.released > tables && f.refused > tables / 2); /* both happen often */
    unlink(f.input);
    unlink(f.output);
    unlink(f.table);
    rmdir(f.folder);
    shoal_i_ctx_clear(&f.ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_runs)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

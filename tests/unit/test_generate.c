/* Synthetic tables: same bytes on any number of threads, domains, distributions, refusals. */
#include <shoal/csv.h>
#include <shoal/generate.h>

#include "base/fail.h"
#include "base/file.h"
#include "failing.h"
#include "table_tools.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FIELDS_MAX 32
#define FIELD_BYTES 32

typedef struct text {
    char *bytes;
    size_t size;
} text;

typedef struct record {
    char fields[FIELDS_MAX][FIELD_BYTES];
    size_t count;
} record;

enum {
    AGE,
    SEX,
    EDUCATION,
    MARITAL,
    RACE,
    WORKCLASS,
    COUNTRY,
    OCCUPATION,
    ZIP,
    INCOME,
    COLUMNS
};

static const char *get_path(void)
{
    static char path[64];

    snprintf(path, sizeof path, "/tmp/shoal_generate_%ld.csv", (long)getpid());
    return path;
}

static text generate(const shoal_generate_options *options, int threads)
{
    shoal_ctx ctx;
    text out = {0};

    shoal_i_ctx_init(&ctx);
    ctx.threads = threads;
    assert_int_equal(shoal_generate(&ctx, get_path(), options), SHOAL_OK);
    assert_int_equal(shoal_i_input_read_all(&ctx, &out.bytes, &out.size, get_path(), 1 << 30),
                     SHOAL_OK);
    unlink(get_path());
    shoal_i_ctx_clear(&ctx);
    return out;
}

/* Cut the next line into fields; false behind the last. */
static bool read_record(record *out, const char **at)
{
    const char *p = *at;

    *out = (record){0};
    if (*p == '\0') {
        return false;
    }
    for (;; p++) {
        size_t length = strcspn(p, ",\n");

        assert_true(out->count < FIELDS_MAX && length > 0 && length < FIELD_BYTES);
        memcpy(out->fields[out->count++], p, length);
        p += length;
        assert_true(*p == ',' || *p == '\n');
        if (*p == '\n') {
            break;
        }
    }
    *at = p + 1;
    return true;
}

static int read_number(const char *field)
{
    char *end = NULL;
    int64_t number = strtoll(field, &end, 10);

    assert_int_equal(*end, '\0');
    assert_in_range(number, 0, 100000000);
    return (int)number;
}

static shoal_generate_options make_options(shoal_generate_kind kind, uint64_t records)
{
    return (shoal_generate_options){.struct_size = sizeof(shoal_generate_options),
                                    .kind = kind,
                                    .records = records,
                                    .seed = 7};
}

static const shoal_generate_kind kinds[] = {SHOAL_GENERATE_UNIFORM, SHOAL_GENERATE_GAUSSIAN,
                                            SHOAL_GENERATE_CENSUS, SHOAL_GENERATE_PAYMENTS};
enum { KINDS = sizeof kinds / sizeof *kinds };
static const size_t kind_columns[KINDS] = {4, 4, COLUMNS, 24};

static void test_names(void **state)
{
    shoal_generate_kind kind;

    (void)state;
    assert_true(shoal_generate_kind_find(&kind, "uniform") && kind == SHOAL_GENERATE_UNIFORM);
    assert_true(shoal_generate_kind_find(&kind, "gaussian") && kind == SHOAL_GENERATE_GAUSSIAN);
    assert_true(shoal_generate_kind_find(&kind, "census") && kind == SHOAL_GENERATE_CENSUS);
    assert_true(shoal_generate_kind_find(&kind, "payments") && kind == SHOAL_GENERATE_PAYMENTS);
    assert_false(shoal_generate_kind_find(&kind, "Census"));
    assert_false(shoal_generate_kind_find(&kind, ""));
}

static void test_one_record(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        shoal_generate_options options = make_options(kinds[i], 1);
        text t = generate(&options, 1);
        const char *at = t.bytes;
        record header;
        record r;

        assert_true(read_record(&header, &at) && read_record(&r, &at));
        assert_int_equal(r.count, header.count);
        assert_int_equal(r.count, kind_columns[i]);
        assert_false(read_record(&r, &at));
        free(t.bytes);
    }
}

/* The first and the last fill more than one batch of blocks. */
static void test_same_bytes_on_any_threads(void **state)
{
    const shoal_generate_options cases[] = {
        {.struct_size = sizeof(shoal_generate_options),
         .kind = SHOAL_GENERATE_UNIFORM,
         .records = 22001,
         .seed = 7,
         .dimensions = 256},
        {.struct_size = sizeof(shoal_generate_options),
         .kind = SHOAL_GENERATE_GAUSSIAN,
         .records = 20001,
         .seed = 7,
         .dimensions = 64},
        {.struct_size = sizeof(shoal_generate_options),
         .kind = SHOAL_GENERATE_CENSUS,
         .records = 70001,
         .seed = 7},
        {.struct_size = sizeof(shoal_generate_options),
         .kind = SHOAL_GENERATE_PAYMENTS,
         .records = 30001,
         .seed = 7,
         .dimensions = 70},
    };

    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        text one = generate(&cases[i], 1);
        text two = generate(&cases[i], 2);
        text five = generate(&cases[i], 5);

        assert_int_equal(one.size, two.size);
        assert_int_equal(one.size, five.size);
        assert_memory_equal(one.bytes, two.bytes, one.size);
        assert_memory_equal(one.bytes, five.bytes, one.size);
        free(one.bytes);
        free(two.bytes);
        free(five.bytes);
    }
}

static void test_longer_starts_with_shorter(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        shoal_generate_options options = make_options(kinds[i], 6000);
        text shorter = generate(&options, 2);

        options.records *= 2;
        text longer = generate(&options, 2);

        assert_true(longer.size > shorter.size);
        assert_memory_equal(longer.bytes, shorter.bytes, shorter.size);
        free(shorter.bytes);
        free(longer.bytes);
    }
}

static void test_seed_matters(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        shoal_generate_options options = make_options(kinds[i], 100);
        text a = generate(&options, 1);

        options.seed++;
        text b = generate(&options, 1);

        assert_true(a.size != b.size || memcmp(a.bytes, b.bytes, a.size) != 0);
        free(a.bytes);
        free(b.bytes);
    }
}

/* --- Uniform and gaussian. ---------------------------------------------------------------- */

static void count_values(uint64_t counts[17], const text *t)
{
    const char *at = t->bytes;
    record r;

    memset(counts, 0, 17 * sizeof *counts);
    assert_true(read_record(&r, &at));
    while (read_record(&r, &at)) {
        for (size_t i = 0; i < r.count; i++) {
            int value = read_number(r.fields[i]);

            assert_in_range(value, 1, 16);
            counts[value]++;
        }
    }
}

static void test_uniform(void **state)
{
    shoal_generate_options options = make_options(SHOAL_GENERATE_UNIFORM, 20000);
    uint64_t counts[17];

    (void)state;
    options.dimensions = 8;
    text t = generate(&options, 1);

    assert_memory_equal(t.bytes, "A1,A2,A3,A4,A5,A6,A7,A8\n", 24);
    count_values(counts, &t);
    double chi = 0.0;

    for (int value = 1; value <= 16; value++) {
        chi += pow((double)counts[value] - 10000.0, 2.0) / 10000.0;
    }
    assert_true(chi < 44.3); /* 15 degrees of freedom, 1 in 10,000 */
    free(t.bytes);
}

/* Share of each value of a bell around 8.5, cut off at 0.5 and 16.5. */
static double compute_bell(int value, double sigma)
{
    double scale = sigma * sqrt(2.0);
    double all = erf(8.0 / scale);

    return (erf((value - 8.0) / scale) - erf((value - 9.0) / scale)) / (2.0 * all);
}

static void test_gaussian(void **state)
{
    const double sigmas[] = {0.0, 0.3, 1.0, 4.0, 100.0};

    (void)state;
    for (size_t i = 0; i < sizeof sigmas / sizeof *sigmas; i++) {
        shoal_generate_options options = make_options(SHOAL_GENERATE_GAUSSIAN, 10000);
        double sigma = sigmas[i] > 0.0 ? sigmas[i] : 1.0;
        uint64_t counts[17];

        options.sigma = sigmas[i];
        text t = generate(&options, 1);

        count_values(counts, &t);
        for (int value = 1; value <= 16; value++) {
            double expected = compute_bell(value, sigma);
            double share = (double)counts[value] / 40000.0;

            assert_true(fabs(share - expected) < 5.0 * sqrt(expected / 40000.0) + 1e-4);
        }
        free(t.bytes);
    }
}

static void test_many_dimensions(void **state)
{
    shoal_generate_options options = make_options(SHOAL_GENERATE_UNIFORM, 3);
    size_t commas = 0;
    size_t lines = 0;

    (void)state;
    options.dimensions = 1024;
    text t = generate(&options, 1);

    for (size_t i = 0; i < t.size; i++) {
        commas += t.bytes[i] == ',';
        lines += t.bytes[i] == '\n';
    }
    assert_int_equal(lines, 4);
    assert_int_equal(commas, 4 * 1023);
    assert_non_null(strstr(t.bytes, ",A1024\n"));
    free(t.bytes);
}

/* --- Census. ------------------------------------------------------------------------------ */

#define CENSUS_RECORDS 40000

/* What was counted over the records; shares are of all records. */
typedef struct survey {
    double age_sum;
    double female;
    double white;
    double american;
    double private;
    double degrees; /* bachelor and above */
    double degree_income;
    double other_income;
    double young_single; /* of those below 25 */
    double old_single;   /* of those from 45 on */
    double young;
    double old;
    double widows;
    double widowers;
    double asian;
    double asian_abroad;
    double bytes;
} survey;

static bool is_degree(const char *education)
{
    const char *const degrees[] = {"Bachelor", "Master", "Professional", "Doctorate"};

    for (size_t i = 0; i < 4; i++) {
        if (strcmp(education, degrees[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void add_to_survey(survey *s, const record *r)
{
    int age = read_number(r->fields[AGE]);
    bool is_female = strcmp(r->fields[SEX], "Female") == 0;
    bool is_single = strcmp(r->fields[MARITAL], "Single") == 0;
    bool is_widowed = strcmp(r->fields[MARITAL], "Widowed") == 0;
    bool is_american = strcmp(r->fields[COUNTRY], "United-States") == 0;
    bool is_asian = strcmp(r->fields[RACE], "Asian") == 0;
    double income = read_number(r->fields[INCOME]);

    s->age_sum += age;
    s->female += is_female;
    s->white += strcmp(r->fields[RACE], "White") == 0;
    s->american += is_american;
    s->private += strcmp(r->fields[WORKCLASS], "Private") == 0;
    s->degrees += is_degree(r->fields[EDUCATION]);
    *(is_degree(r->fields[EDUCATION]) ? &s->degree_income : &s->other_income) += income;
    s->young += age < 25;
    s->old += age >= 45;
    s->young_single += age < 25 && is_single;
    s->old_single += age >= 45 && is_single;
    s->widows += is_widowed && is_female;
    s->widowers += is_widowed && !is_female;
    s->asian += is_asian;
    s->asian_abroad += is_asian && !is_american;
}

static void check_domain(const record *r)
{
    int age = read_number(r->fields[AGE]);
    int zip = read_number(r->fields[ZIP]);
    int income = read_number(r->fields[INCOME]);

    assert_int_equal(r->count, COLUMNS);
    assert_in_range(age, 17, 90);
    assert_in_range(zip, 10000, 99999);
    assert_int_equal(strlen(r->fields[ZIP]), 5);
    assert_in_range(income, 0, 2000000);
    assert_int_equal(income % 100, 0);
    assert_false(age < 21 && is_degree(r->fields[EDUCATION]));
}

static survey take_survey(const text *t)
{
    const char *at = t->bytes;
    survey s = {.bytes = (double)t->size};
    record r;

    assert_true(read_record(&r, &at));
    assert_memory_equal(
        t->bytes, "age,sex,education,marital,race,workclass,country,occupation,zip,income\n",
        71);
    while (read_record(&r, &at)) {
        check_domain(&r);
        add_to_survey(&s, &r);
    }
    return s;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (fabs(value - expected) > tolerance) {
        fail_msg("%g is not within %g of %g", value, tolerance, expected);
    }
}

static void test_census_shares(void **state)
{
    shoal_generate_options options = make_options(SHOAL_GENERATE_CENSUS, CENSUS_RECORDS);
    text t = generate(&options, 2);
    survey s = take_survey(&t);
    const double n = CENSUS_RECORDS;

    (void)state;
    assert_near(s.age_sum / n, 47.0, 2.0);
    assert_near(s.female / n, 0.515, 0.015);
    assert_near(s.white / n, 0.60, 0.015);
    assert_near(s.american / n, 0.86, 0.02);
    assert_near(s.private / n, 0.59, 0.03);
    assert_near(s.degrees / n, 0.23, 0.03);
    assert_near(s.bytes / n, 73.0, 4.0);

    /* One attribute tells about another. */
    double degree_income = s.degree_income / s.degrees;
    double other_income = s.other_income / (n - s.degrees);

    assert_true(degree_income > 1.8 * other_income);
    assert_true(s.young_single / s.young > 0.7);
    assert_true(s.old_single / s.old < 0.15);
    assert_true(s.widows > 2.0 * s.widowers);
    assert_near(s.asian_abroad / s.asian, 0.64, 0.05);
    free(t.bytes);
}

static int compare_fields(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* How many different values a column has, and the largest share of one. */
static size_t count_distinct(const text *t, size_t column, size_t prefix, double *largest)
{
    static char values[CENSUS_RECORDS][FIELD_BYTES];
    const char *at = t->bytes;
    size_t count = 0;
    size_t distinct = 0;
    size_t run = 0;
    size_t longest = 0;
    record r;

    assert_true(read_record(&r, &at));
    while (read_record(&r, &at)) {
        snprintf(values[count++], FIELD_BYTES, "%.*s", (int)prefix, r.fields[column]);
    }
    qsort(values, count, FIELD_BYTES, compare_fields);
    for (size_t i = 0; i < count; i++) {
        bool is_new = i == 0 || strcmp(values[i], values[i - 1]) != 0;

        distinct += is_new;
        run = is_new ? 1 : run + 1;
        longest = run > longest ? run : longest;
    }
    *largest = (double)longest / (double)count;
    return distinct;
}

static void test_census_domains(void **state)
{
    shoal_generate_options options = make_options(SHOAL_GENERATE_CENSUS, CENSUS_RECORDS);
    text t = generate(&options, 2);
    const struct {
        size_t column;
        size_t least;
        size_t most;
    } cases[] = {{AGE, 74, 74},        {SEX, 2, 2},          {EDUCATION, 12, 12},
                 {MARITAL, 7, 7},      {RACE, 6, 6},         {WORKCLASS, 8, 8},
                 {COUNTRY, 38, 42},    {OCCUPATION, 14, 14}, {ZIP, 900, 1000},
                 {INCOME, 1000, 20000}};
    double largest = 0.0;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_in_range(count_distinct(&t, cases[i].column, 31, &largest), cases[i].least,
                        cases[i].most);
    }
    assert_int_equal(count_distinct(&t, ZIP, 3, &largest), 50);
    assert_true(largest > 0.06); /* the largest area: three times what an even spread gives */
    free(t.bytes);
}

/* --- Payments. ---------------------------------------------------------------------------- */

enum { PAYMENTS = 20000, P_LIMIT = 0, P_AGE, P_BILL1, P_PAID1, P_LATE1, P_BILL2, P_LATE7 = 22 };

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The columns of a table of payments, one after the other. */
static double *read_columns(const text *t)
{
    double *values = calloc((size_t)PAYMENTS * 24, sizeof *values);
    const char *at = t->bytes;
    size_t row = 0;
    record r;

    assert_true(read_record(&r, &at));
    for (; read_record(&r, &at); row++) {
        assert_int_equal(r.count, 24);
        for (size_t c = 0; c < 24; c++) {
            values[c * PAYMENTS + row] = read_number(r.fields[c]);
        }
    }
    assert_int_equal(row, PAYMENTS);
    return values;
}

/* The correlation of the logarithms of two columns, where both are above 0. */
static double correlate(const double *a, const double *b)
{
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;

    for (size_t i = 0; i < PAYMENTS; i++) {
        if (a[i] > 0 && b[i] > 0) {
            double u = log(a[i]);
            double v = log(b[i]);

            n++;
            x += u;
            y += v;
            xx += u * u;
            yy += v * v;
            xy += u * v;
        }
    }
    return (n * xy - x * y) / sqrt((n * xx - x * x) * (n * yy - y * y));
}

static void test_payments_follow_each_other(void **state)
{
    shoal_generate_options options = make_options(SHOAL_GENERATE_PAYMENTS, PAYMENTS);
    text t = generate(&options, 2);
    double *all = read_columns(&t);
    const double *bill1 = all + (size_t)P_BILL1 * PAYMENTS;
    const double *paid1 = all + (size_t)P_PAID1 * PAYMENTS;
    const double *bill2 = all + (size_t)P_BILL2 * PAYMENTS;
    double empty = 0, unpaid = 0, whole = 0, late = 0;

    (void)state;
    assert_memory_equal(t.bytes, "limit,age,bill1,paid1,late1,bill2,", 34);
    assert_non_null(strstr(t.bytes, ",late7,bill8\n"));
    for (size_t i = 0; i < PAYMENTS; i++) {
        assert_int_equal((int)all[i] % 10000, 0);
        assert_in_range((int)all[(size_t)P_AGE * PAYMENTS + i], 21, 79);
        assert_true(paid1[i] <= bill1[i]);
        empty += bill1[i] == 0;
        unpaid += bill1[i] > 0 && paid1[i] == 0;
        whole += bill1[i] > 0 && paid1[i] == bill1[i];
        late += all[(size_t)P_LATE1 * PAYMENTS + i] > 0;
    }
    assert_near(empty / PAYMENTS, 0.12, 0.02);
    assert_near(unpaid / PAYMENTS, 0.11, 0.02);
    assert_near(whole / PAYMENTS, 0.275, 0.03);
    assert_true(late > 0 && late <= unpaid);
    assert_true(correlate(bill1, bill2) > 0.9);
    assert_in_range((int)(100 * correlate(bill1, all)), 35, 75); /* the limit */
    assert_true(correlate(bill1, paid1) > 0.5);
    free(all);
    free(t.bytes);
}

static void test_payments_have_long_tails(void **state)
{
    shoal_generate_options options = make_options(SHOAL_GENERATE_PAYMENTS, PAYMENTS);
    text t = generate(&options, 2);
    double *all = read_columns(&t);
    const size_t amounts[] = {P_BILL1, P_PAID1, P_BILL2, 23};

    (void)state;
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
        double *column = all + amounts[i] * PAYMENTS;
        size_t distinct = 1;

        qsort(column, PAYMENTS, sizeof *column, compare_numbers);
        for (size_t j = 1; j < PAYMENTS; j++) {
            distinct += column[j] != column[j - 1];
        }
        assert_true(distinct > 5000);
        /* One in a hundred has ten times the median or more, the largest several times that. */
        assert_true(column[PAYMENTS - PAYMENTS / 100] > 9 * column[PAYMENTS / 2]);
        assert_true(column[PAYMENTS - 1] > 2.5 * column[PAYMENTS - PAYMENTS / 100]);
    }
    assert_true(all[(size_t)P_LATE7 * PAYMENTS] >= 0);
    free(all);
    free(t.bytes);
}

static text write_spec(const shoal_generate_options *options)
{
    shoal_ctx ctx;
    text out = {0};

    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_generate_spec(&ctx, get_path(), options), SHOAL_OK);
    assert_int_equal(shoal_i_input_read_all(&ctx, &out.bytes, &out.size, get_path(), 1 << 30),
                     SHOAL_OK);
    unlink(get_path());
    shoal_i_ctx_clear(&ctx);
    return out;
}

/* Every column of the header has its line. */
static void test_specs_name_all_columns(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        shoal_generate_options options = make_options(kinds[i], 1);
        text table = generate(&options, 1);
        text spec = write_spec(&options);
        const char *at = table.bytes;
        size_t lines = 0;
        record header;

        assert_true(read_record(&header, &at));
        for (size_t c = 0; c < header.count; c++) {
            char line[FIELD_BYTES + 16];

            snprintf(line, sizeof line, "\n  %s: {role: ", header.fields[c]);
            assert_non_null(strstr(spec.bytes, line));
        }
        for (const char *p = spec.bytes; (p = strstr(p, ": {role: ")) != NULL; p++) {
            lines++;
        }
        assert_int_equal(lines, header.count);
        assert_int_equal(strstr(spec.bytes, "breaks") != NULL,
                         kinds[i] == SHOAL_GENERATE_PAYMENTS);
        assert_int_equal(strstr(spec.bytes, "income: {role: sensitive, type: integer}") != NULL,
                         kinds[i] == SHOAL_GENERATE_CENSUS);
        free(table.bytes);
        free(spec.bytes);
    }
}

static shoal_status write_spec_of(shoal_ctx *ctx, void *payload)
{
    shoal_status st = shoal_generate_spec(ctx, get_path(), payload);

    unlink(get_path());
    return st;
}

static void test_spec_failures(void **state)
{
    shoal_generate_options options = make_options(SHOAL_GENERATE_PAYMENTS, 10);
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_survives_failing_allocations(&ctx, write_spec_of, &options);
    options.dimensions = 1025;
    assert_int_equal(shoal_generate_spec(&ctx, get_path(), &options), SHOAL_EINVAL);
    assert_int_not_equal(access(get_path(), F_OK), 0);
    shoal_i_ctx_clear(&ctx);
}

/* --- Refusals and failures. --------------------------------------------------------------- */

static void test_options_refused(void **state)
{
    const shoal_generate_options cases[] = {
        {.struct_size = sizeof(shoal_generate_options),
         .kind = SHOAL_GENERATE_UNIFORM,
         .records = 0},
        {.struct_size = sizeof(shoal_generate_options),
         .kind = SHOAL_GENERATE_UNIFORM,
         .records = UINT64_MAX},
        {.struct_size = sizeof(shoal_generate_options),
         .kind = SHOAL_GENERATE_UNIFORM,
         .records = 5,
         .dimensions = 1025},
        {.struct_size = sizeof(shoal_generate_options),
         .kind = SHOAL_GENERATE_GAUSSIAN,
         .records = 5,
         .sigma = -1.0},
        {.struct_size = sizeof(shoal_generate_options),
         .kind = SHOAL_GENERATE_GAUSSIAN,
         .records = 5,
         .sigma = NAN},
        {.struct_size = sizeof(shoal_generate_options),
         .kind = SHOAL_GENERATE_GAUSSIAN,
         .records = 5,
         .sigma = INFINITY},
        {.struct_size = sizeof(shoal_generate_options),
         .kind = SHOAL_GENERATE_GAUSSIAN,
         .records = 5,
         .sigma = 101.0},
        {.struct_size = sizeof(shoal_generate_options),
         .kind = (shoal_generate_kind)7,
         .records = 5},
    };
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(shoal_generate(&ctx, get_path(), &cases[i]), SHOAL_EINVAL);
        assert_int_equal(ctx.error.message[strlen(ctx.error.message) - 1], '.');
        assert_int_not_equal(access(get_path(), F_OK), 0);
    }
}

static void test_target_refused(void **state)
{
    shoal_generate_options options = make_options(SHOAL_GENERATE_CENSUS, 10);
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_not_equal(shoal_generate(&ctx, "/nonexistent/folder/x.csv", &options), SHOAL_OK);
    assert_true(ctx.error.message[0] != '\0');
    assert_int_equal(shoal_generate(&ctx, "/dev/full", &options), SHOAL_EIO);
}

static bool stop_at_once(void *payload, const char *stage, double fraction)
{
    (void)fraction;
    assert_string_equal(stage, "generate");
    ++*(int *)payload;
    return false;
}

static void test_cancelled(void **state)
{
    shoal_generate_options options = make_options(SHOAL_GENERATE_CENSUS, 500000);
    int calls = 0;
    const int cancel = 1;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.progress = stop_at_once;
    ctx.progress_payload = &calls;
    assert_int_equal(shoal_generate(&ctx, get_path(), &options), SHOAL_ECANCELLED);
    assert_int_equal(calls, 1);
    ctx.progress = NULL;
    ctx.cancel = &cancel;
    assert_int_equal(shoal_generate(&ctx, get_path(), &options), SHOAL_ECANCELLED);
    assert_int_not_equal(access(get_path(), F_OK), 0);
    shoal_i_ctx_clear(&ctx);
}

static shoal_status generate_few(shoal_ctx *ctx, void *payload)
{
    shoal_status st = shoal_generate(ctx, get_path(), payload);

    unlink(get_path());
    return st;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        shoal_generate_options options = make_options(kinds[i], 10);
        shoal_ctx ctx;

        shoal_i_ctx_init(&ctx);
        ctx.threads = 1;
        assert_survives_failing_allocations(&ctx, generate_few, &options);
        shoal_i_ctx_clear(&ctx);
    }
}

/* --- In memory. --------------------------------------------------------------------------- */

static void test_table_is_what_the_file_reads_as(void **state)
{
    (void)state;
    for (int kind = SHOAL_GENERATE_UNIFORM; kind <= SHOAL_GENERATE_PAYMENTS; kind++) {
        shoal_generate_options options = SHOAL_GENERATE_OPTIONS_INIT;
        shoal_ctx ctx;
        shoal_table *of_file = NULL;
        shoal_table *in_memory = NULL;

        options.kind = (shoal_generate_kind)kind;
        options.records = 20001; /* more than a block of the wider kinds */
        options.seed = 5;
        options.dimensions = 60;
        shoal_i_ctx_init(&ctx);
        ctx.threads = 2;
        assert_int_equal(shoal_generate(&ctx, get_path(), &options), SHOAL_OK);
        assert_int_equal(shoal_csv_read(&ctx, &of_file, get_path(), NULL), SHOAL_OK);
        unlink(get_path());
        assert_int_equal(shoal_generate_table(&ctx, &in_memory, &options), SHOAL_OK);
        assert_int_equal(shoal_table_row_count(in_memory), 20001);
        assert_same_table(of_file, in_memory);
        shoal_table_free(of_file);
        shoal_table_free(in_memory);
        shoal_i_ctx_clear(&ctx);
    }
}

static shoal_status generate_table(shoal_ctx *ctx, void *payload)
{
    shoal_table *table = NULL;
    shoal_status st = shoal_generate_table(ctx, &table, payload);

    assert_true((st == SHOAL_OK) == (table != NULL));
    shoal_table_free(table);
    return st;
}

static void test_table_refusals(void **state)
{
    shoal_generate_options options = SHOAL_GENERATE_OPTIONS_INIT;
    shoal_ctx ctx;
    shoal_table *table = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    assert_int_equal(shoal_generate_table(&ctx, &table, &options), SHOAL_EINVAL);
    assert_int_equal(shoal_generate_table(&ctx, &table, NULL), SHOAL_EINVAL);
    options.records = 10;
    assert_int_equal(shoal_generate_table(&ctx, NULL, &options), SHOAL_EINVAL);
    assert_null(table);
    assert_survives_failing_allocations(&ctx, generate_table, &options);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_one_record),
        cmocka_unit_test(test_same_bytes_on_any_threads),
        cmocka_unit_test(test_longer_starts_with_shorter),
        cmocka_unit_test(test_seed_matters),
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_gaussian),
        cmocka_unit_test(test_many_dimensions),
        cmocka_unit_test(test_census_shares),
        cmocka_unit_test(test_census_domains),
        cmocka_unit_test(test_payments_follow_each_other),
        cmocka_unit_test(test_payments_have_long_tails),
        cmocka_unit_test(test_specs_name_all_columns),
        cmocka_unit_test(test_spec_failures),
        cmocka_unit_test(test_options_refused),
        cmocka_unit_test(test_target_refused),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_table_is_what_the_file_reads_as),
        cmocka_unit_test(test_table_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

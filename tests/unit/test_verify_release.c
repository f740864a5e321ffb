/* The verifier of what is about to be handed out, shape by shape: a true release passes, and
 * each way of being false is noticed by the check that is there for it. */
#include "failing.h"
#include "files.h"

#include "job/verify/verify_release.h"

#define ROWS 6

/* What a faulty method or a faulty writer could have made of the table below. */
typedef struct release_case {
    const char *privacy; /* of the spec, with the form of the output */
    shoal_i_shape shape;
    const char *text;
    const char *sensitive_table; /* buckets only */
    uint32_t record_of[ROWS];
    uint32_t values_of[ROWS]; /* records only */
    const char *complaint;    /* a part of the message; NULL: it is true */
    bool counts_persons;      /* a column says whose records they are */
} release_case;

/* The k of one record is larger than that of its neighbours on both sides. */
static const char original[] = "age,sex,ill,own_k,who\n"
                               "30,F,flu,2,a\n31,M,gout,4,a\n32,F,flu,2,b\n"
                               "33,M,cold,2,c\n34,F,flu,2,c\n35,M,cold,2,d\n";

#define IN_ORDER                                                                               \
    {                                                                                          \
        0, 1, 2, 3, 4, 5                                                                       \
    }
#define IN_PAIRS                                                                               \
    {                                                                                          \
        1, 0, 3, 2, 5, 4                                                                       \
    }

static shoal_i_verification verify(shoal_ctx *ctx, const release_case *c, shoal_status expected)
{
    char yaml[512];
    char folder[64];
    shoal_spec *spec = NULL;
    shoal_i_prepared prepared = {0};
    shoal_i_received received = {0};
    shoal_i_verification out = {0};
    shoal_i_given given = shoal_i_given_file("in.csv");

    make_folder(folder);
    assert_int_equal(chdir(folder), 0);
    write_file("in.csv", original);
    write_file("out.csv", c->text);
    if (c->sensitive_table) {
        write_file("table.csv", c->sensitive_table);
    }
    snprintf(yaml, sizeof yaml, "columns: {age: quasi, sex: quasi, ill: sensitive%s}\n%s\n",
             c->counts_persons ? ", who: person" : "", c->privacy);
    assert_int_equal(shoal_spec_new(ctx, &spec), SHOAL_OK);
    if (shoal_spec_read_memory(ctx, spec, yaml, strlen(yaml), "s.yaml") != SHOAL_OK) {
        fail_msg("%s", ctx->error.message);
    }
    assert_int_equal(shoal_i_prepare_read(ctx, &prepared, spec, &given), SHOAL_OK);
    assert_int_equal(shoal_i_prepare_quasi(ctx, &prepared, spec), SHOAL_OK);
    assert_int_equal(shoal_i_bound_requirements_build(ctx, &prepared.requirements, spec,
                                                      prepared.table,
                                                      shoal_i_prepared_persons(&prepared)),
                     SHOAL_OK);
    if (shoal_i_received_read_known(ctx, &received, spec, "out.csv",
                                    c->sensitive_table ? "table.csv" : NULL, ',',
                                    true) != SHOAL_OK) {
        fail_msg("%s", ctx->error.message);
    }
    shoal_i_expected asked = {
        .spec = spec,
        .original = &prepared,
        .requirements = &prepared.requirements,
        .shape = c->shape,
        .row_count = ROWS,
        .record_of = c->record_of,
        .values_of = c->shape == SHOAL_I_SHAPE_RECORDS ? c->values_of : NULL,
    };
    shoal_status st = shoal_i_verify_release(ctx, &out, &received, &asked);

    if (st != expected) {
        fail_msg("status %d: %s", (int)st, st == SHOAL_OK ? "accepted" : ctx->error.message);
    }
    shoal_i_received_clear(&received);
    shoal_i_prepared_clear(&prepared);
    shoal_spec_free(spec);
    assert_true(chdir("/") == 0 && remove_folder(folder) == 0);
    return out;
}

static void check_case(const release_case *c)
{
    shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    if (!c->complaint) {
        shoal_i_verification out = verify(&ctx, c, SHOAL_OK);

        assert_true(out.verdict.holds);
        assert_int_equal(out.checked_cover, !strstr(c->privacy, "mean"));
    } else {
        verify(&ctx, c, SHOAL_EREJECTED);
        if (!strstr(ctx.error.message, c->complaint)) {
            fail_msg("\"%s\" instead of \"%s\"", ctx.error.message, c->complaint);
        }
    }
    shoal_i_ctx_clear(&ctx);
}

#define CHECK_ALL(cases)                                                                       \
    for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++) {                             \
        check_case(&(cases)[i]);                                                               \
    }

/* --- Classes. --------------------------------------------------------------------------- */

#define LOW "[30..32],*,"
#define HIGH "[33..35],*,"

static const release_case classes[] = {
    {.privacy = "privacy: {k: 3, l: {value: 2, kind: distinct}}",
     .text = "age,sex,ill\n" LOW "flu\n" LOW "gout\n" LOW "flu\n" HIGH "cold\n" HIGH
             "flu\n" HIGH "cold\n",
     .record_of = IN_ORDER},
    /* A mean covers nobody, and nobody says that it does. */
    {.privacy = "privacy: {k: 3}\noutput: {numeric: mean}",
     .text = "age,sex,ill\n31,*,flu\n31,*,gout\n31,*,flu\n34,*,cold\n34,*,flu\n34,*,cold\n",
     .record_of = IN_ORDER},
    {.privacy = "privacy: {k: 3}",
     .text = "age,sex,ill\n" LOW "flu\n" LOW "gout\n" LOW "flu\n" HIGH "cold\n" HIGH "flu\n",
     .record_of = IN_ORDER,
     .complaint = "with 5 records instead of 6"},
    {.privacy = "privacy: {k: 3}",
     .text =
         "age,sex,ill\n" LOW "flu\n" LOW "gout\n[32..35],*,flu\n[32..35],*,cold\n[32..35],*,"
         "flu\n[32..35],*,cold\n",
     .record_of = IN_ORDER,
     .complaint = "1 classes that do not meet k-anonymity"},
    /* Three each, but the third record is not in the second class. */
    {.privacy = "privacy: {k: 3}",
     .text = "age,sex,ill\n" LOW "flu\n" LOW "gout\n" HIGH "flu\n" HIGH "cold\n" HIGH
             "flu\n" LOW "cold\n",
     .record_of = IN_ORDER,
     .complaint = "does not cover"},
    {.privacy = "privacy: {k: 3}",
     .text = "age,sex,ill\n" LOW "flu\n" LOW "gout\n" LOW "flu\n" HIGH "cold\n" HIGH
             "flu\n" HIGH "cold\n",
     .record_of = {0, 1, 1, 3, 4, 5},
     .complaint = "published twice"},
    /* Values that the writer mixed up. */
    {.privacy = "privacy: {k: 3, l: {value: 2, kind: distinct}}",
     .text = "age,sex,ill\n" LOW "flu\n" LOW "flu\n" LOW "flu\n" HIGH "cold\n" HIGH
             "gout\n" HIGH "cold\n",
     .record_of = IN_ORDER,
     .complaint = "l-diversity"},
    /* The record that asks for four is neither the first nor the last of its three. */
    {.privacy = "privacy: {k: {column: own_k}}",
     .text = "age,sex,ill\n" LOW "flu\n" LOW "gout\n" LOW "flu\n" HIGH "cold\n" HIGH
             "flu\n" HIGH "cold\n",
     .record_of = IN_ORDER,
     .complaint = "do not meet"},
    {.privacy = "privacy: {k: {column: own_k}}",
     .text = "age,sex,ill\n[30..33],*,flu\n[30..33],*,gout\n[30..33],*,flu\n[30..33],*,cold\n"
             "[34..35],*,flu\n[34..35],*,cold\n",
     .record_of = IN_ORDER},
    /* The same with the classes the other way round: the k of a row is that of its record. */
    {.privacy = "privacy: {k: {column: own_k}}",
     .text = "age,sex,ill\n[34..35],*,flu\n[34..35],*,cold\n"
             "[30..33],*,flu\n[30..33],*,gout\n[30..33],*,flu\n[30..33],*,cold\n",
     .record_of = {4, 5, 0, 1, 2, 3}},
    {.privacy = "privacy: {k: {column: own_k}}",
     .text = "age,sex,ill\n*,F,flu\n*,F,flu\n*,F,flu\n*,M,gout\n*,M,cold\n*,M,cold\n",
     .record_of = {0, 2, 4, 1, 3, 5},
     .complaint = "do not meet"},
};

static void test_classes(void **state)
{
    (void)state;
    CHECK_ALL(classes);
}

/* --- Boxes of records. ------------------------------------------------------------------ */

#define PAIRS "[30..31],*,gout\n[30..31],*,flu\n[32..33],*,cold\n[32..33],*,flu\n"

static const release_case boxes[] = {
    {.privacy = "privacy: {k: 2}",
     .shape = SHOAL_I_SHAPE_RECORDS,
     .text = "age,sex,ill\n" PAIRS "[34..35],*,cold\n[34..35],*,flu\n",
     .record_of = IN_ORDER,
     .values_of = IN_PAIRS},
    {.privacy = "privacy: {k: 2}",
     .shape = SHOAL_I_SHAPE_RECORDS,
     .text = "age,sex,ill\n" PAIRS "[34..35],*,cold\n",
     .record_of = IN_ORDER,
     .values_of = IN_PAIRS,
     .complaint = "with 5 records instead of 6"},
    /* Made for a record that it does not cover. */
    {.privacy = "privacy: {k: 2}",
     .shape = SHOAL_I_SHAPE_RECORDS,
     .text = "age,sex,ill\n" PAIRS "[34..35],*,cold\n[34..35],*,flu\n",
     .record_of = {0, 2, 1, 3, 4, 5},
     .values_of = IN_PAIRS,
     .complaint = "does not cover"},
    /* With the values of a record that it does not cover. */
    {.privacy = "privacy: {k: 2}",
     .shape = SHOAL_I_SHAPE_RECORDS,
     .text = "age,sex,ill\n" PAIRS "[34..35],*,cold\n[34..35],*,flu\n",
     .record_of = IN_ORDER,
     .values_of = {1, 2, 3, 0, 5, 4},
     .complaint = "does not cover"},
    {.privacy = "privacy: {k: 2}",
     .shape = SHOAL_I_SHAPE_RECORDS,
     .text = "age,sex,ill\n" PAIRS "34,F,flu\n35,M,cold\n",
     .record_of = IN_ORDER,
     .values_of = {1, 0, 3, 2, 4, 5},
     .complaint = "only 1 candidates"},
};

static void test_boxes(void **state)
{
    (void)state;
    CHECK_ALL(boxes);
}

/* --- Buckets. --------------------------------------------------------------------------- */

#define RECORDS "bucket,age,sex\n1,30,F\n1,31,M\n2,32,F\n2,33,M\n3,34,F\n3,35,M\n"
#define TWO "privacy: {l: {value: 2, kind: distinct}}"
#define COUNTS "bucket,column,value,count\n1,ill,flu,1\n1,ill,gout,1\n"

static const release_case buckets[] = {
    {.privacy = TWO,
     .shape = SHOAL_I_SHAPE_BUCKETS,
     .text = RECORDS,
     .sensitive_table = COUNTS "2,ill,flu,1\n2,ill,cold,1\n3,ill,flu,1\n3,ill,cold,1\n",
     .record_of = IN_ORDER},
    {.privacy = TWO,
     .shape = SHOAL_I_SHAPE_BUCKETS,
     .text = RECORDS,
     .sensitive_table = COUNTS "2,ill,flu,1\n2,ill,cold,1\n3,ill,flu,2\n",
     .record_of = IN_ORDER,
     .complaint = "1 buckets that do not meet"},
    /* Two values have changed places between buckets: as diverse as before, and untrue. */
    {.privacy = TWO,
     .shape = SHOAL_I_SHAPE_BUCKETS,
     .text = RECORDS,
     .sensitive_table = "bucket,column,value,count\n1,ill,flu,1\n1,ill,cold,1\n2,ill,flu,1\n"
                        "2,ill,gout,1\n3,ill,flu,1\n3,ill,cold,1\n",
     .record_of = IN_ORDER,
     .complaint = "values of column \"ill\""},
    /* A value too often, in the place of one of the last bucket's own. */
    {.privacy = TWO,
     .shape = SHOAL_I_SHAPE_BUCKETS,
     .text = RECORDS,
     .sensitive_table = COUNTS "2,ill,flu,1\n2,ill,cold,1\n3,ill,gout,1\n3,ill,cold,1\n",
     .record_of = IN_ORDER,
     .complaint = "values of column \"ill\""},
    {.privacy = TWO,
     .shape = SHOAL_I_SHAPE_BUCKETS,
     .text = RECORDS,
     .sensitive_table = COUNTS "2,ill,flu,1\n2,ill,measles,1\n3,ill,flu,1\n3,ill,cold,1\n",
     .record_of = IN_ORDER,
     .complaint = "values of column \"ill\""},
    {.privacy = TWO,
     .shape = SHOAL_I_SHAPE_BUCKETS,
     .text = RECORDS,
     .sensitive_table = COUNTS "2,ill,flu,1\n2,ill,,1\n3,ill,flu,1\n3,ill,cold,1\n",
     .record_of = IN_ORDER,
     .complaint = "values of column \"ill\""},
    {.privacy = TWO,
     .shape = SHOAL_I_SHAPE_BUCKETS,
     .text = "bucket,age,sex\n1,[30..31],F\n1,31,M\n2,32,F\n2,33,M\n3,34,F\n3,35,M\n",
     .sensitive_table = COUNTS "2,ill,flu,1\n2,ill,cold,1\n3,ill,flu,1\n3,ill,cold,1\n",
     .record_of = IN_ORDER,
     .complaint = "stands for several"},
    {.privacy = TWO,
     .shape = SHOAL_I_SHAPE_BUCKETS,
     .text = "bucket,age,sex\n1,31,F\n1,31,M\n2,32,F\n2,33,M\n3,34,F\n3,35,M\n",
     .sensitive_table = COUNTS "2,ill,flu,1\n2,ill,cold,1\n3,ill,flu,1\n3,ill,cold,1\n",
     .record_of = IN_ORDER,
     .complaint = "does not cover"},
    {.privacy = TWO,
     .shape = SHOAL_I_SHAPE_BUCKETS,
     .text = RECORDS,
     .sensitive_table = COUNTS "2,ill,flu,1\n2,ill,cold,1\n3,ill,flu,1\n3,ill,cold,1\n",
     .record_of = {0, 1, 2, 3, 4, 4},
     .complaint = "published twice"},
};

static void test_buckets(void **state)
{
    (void)state;
    CHECK_ALL(buckets);
}

/* --- Persons. --------------------------------------------------------------------------- */

#define THREE_EACH                                                                             \
    "age,sex,ill\n" LOW "flu\n" LOW "gout\n" LOW "flu\n" HIGH "cold\n" HIGH "flu\n" HIGH       \
    "cold\n"
#define BUCKETS_OF_THREE "bucket,age,sex\n1,30,F\n1,31,M\n1,32,F\n2,33,M\n2,34,F\n2,35,M\n"
#define VALUES_OF_THREE                                                                        \
    "bucket,column,value,count\n1,ill,flu,2\n1,ill,gout,1\n2,ill,cold,2\n2,ill,flu,1\n"

/* What a method that counts rows in place of persons would take to be right. */
static const release_case persons[] = {
    {.privacy = "privacy: {k: 2}",
     .text = THREE_EACH,
     .record_of = IN_ORDER,
     .counts_persons = true},
    /* Three records each, of two persons. */
    {.privacy = "privacy: {k: 3}",
     .text = THREE_EACH,
     .record_of = IN_ORDER,
     .counts_persons = true,
     .complaint = "2 classes that do not meet k-anonymity"},
    /* Two of three rows have flu, and both persons. */
    {.privacy = "privacy: {alpha: 0.7}", .text = THREE_EACH, .record_of = IN_ORDER},
    {.privacy = "privacy: {alpha: 0.7}",
     .text = THREE_EACH,
     .record_of = IN_ORDER,
     .counts_persons = true,
     .complaint = "(alpha,k)-anonymity"},
    /* Of c and d, c has cold and flu, d has cold: together both have one of them. */
    {.privacy = "privacy: {alpha: {value: 0.7, values: [gout, flu]}}",
     .text = "age,sex,ill\n*,*,flu\n*,*,gout\n*,*,flu\n*,*,cold\n*,*,flu\n*,*,cold\n",
     .record_of = IN_ORDER},
    {.privacy = "privacy: {alpha: {value: 0.7, values: [gout, flu]}}",
     .text = "age,sex,ill\n*,*,flu\n*,*,gout\n*,*,flu\n*,*,cold\n*,*,flu\n*,*,cold\n",
     .record_of = IN_ORDER,
     .counts_persons = true,
     .complaint = "(alpha,k)-anonymity of named values"},
    {.privacy = "privacy: {l: 1.5}", .text = THREE_EACH, .record_of = IN_ORDER},
    {.privacy = "privacy: {l: 1.5}",
     .text = THREE_EACH,
     .record_of = IN_ORDER,
     .counts_persons = true,
     .complaint = "l-diversity"},
    /* A k of a record's own is met by persons. */
    {.privacy = "privacy: {k: {column: own_k}}",
     .text = "age,sex,ill\n[30..33],*,flu\n[30..33],*,gout\n[30..33],*,flu\n[30..33],*,cold\n"
             "[34..35],*,flu\n[34..35],*,cold\n",
     .record_of = IN_ORDER,
     .counts_persons = true,
     .complaint = "do not meet"},
    /* The rows in another order: whose they are follows from the records behind them. */
    {.privacy = "privacy: {k: 2}",
     .text = "age,sex,ill\n[30..31],*,flu\n[30..31],*,gout\n[32..35],*,flu\n[32..35],*,cold\n"
             "[32..35],*,flu\n[32..35],*,cold\n",
     .record_of = IN_ORDER,
     .counts_persons = true,
     .complaint = "1 classes that do not meet k-anonymity"},
    {.privacy = "privacy: {k: 2}",
     .shape = SHOAL_I_SHAPE_BUCKETS,
     .text = BUCKETS_OF_THREE,
     .sensitive_table = VALUES_OF_THREE,
     .record_of = IN_ORDER,
     .counts_persons = true},
    {.privacy = "privacy: {k: 3}",
     .shape = SHOAL_I_SHAPE_BUCKETS,
     .text = BUCKETS_OF_THREE,
     .sensitive_table = VALUES_OF_THREE,
     .record_of = IN_ORDER,
     .counts_persons = true,
     .complaint = "2 buckets that do not meet k-anonymity"},
    {.privacy = "privacy: {l: 1.5}",
     .shape = SHOAL_I_SHAPE_BUCKETS,
     .text = BUCKETS_OF_THREE,
     .sensitive_table = VALUES_OF_THREE,
     .record_of = IN_ORDER},
    {.privacy = "privacy: {l: 1.5}",
     .shape = SHOAL_I_SHAPE_BUCKETS,
     .text = BUCKETS_OF_THREE,
     .sensitive_table = VALUES_OF_THREE,
     .record_of = IN_ORDER,
     .counts_persons = true,
     .complaint = "2 buckets that do not meet l-diversity"},
    /* In boxes nobody counts persons, so nothing passes. */
    {.privacy = "privacy: {k: 2}",
     .shape = SHOAL_I_SHAPE_RECORDS,
     .text = "age,sex,ill\n" PAIRS "[34..35],*,cold\n[34..35],*,flu\n",
     .record_of = IN_ORDER,
     .values_of = IN_PAIRS,
     .counts_persons = true,
     .complaint = "persons"},
};

static void test_persons(void **state)
{
    (void)state;
    CHECK_ALL(persons);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_buckets),
        cmocka_unit_test(test_persons),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

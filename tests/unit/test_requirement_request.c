/* Requirements in specs: every form by setting and by file, every mistake with its place. */
#include <shoal/job.h>

#include "failing.h"
#include "spec/spec.h"

#include <stdio.h>
#include <string.h>

typedef struct fixture {
    shoal_ctx ctx;
    shoal_spec *spec;
    size_t mistakes;
    shoal_error last; /* mistake */
} fixture;

static void note_error(void *payload, shoal_log_level level, const char *message,
                       const shoal_error *where)
{
    fixture *f = payload;

    (void)message;
    assert_int_equal(level, SHOAL_LOG_ERROR);
    f->mistakes++;
    f->last = *where;
}

static int open_fixture(void **state)
{
    static fixture f;

    memset(&f, 0, sizeof f);
    shoal_i_ctx_init(&f.ctx);
    f.ctx.log = note_error;
    f.ctx.log_payload = &f;
    *state = &f;
    return shoal_spec_new(&f.ctx, &f.spec) == SHOAL_OK ? 0 : -1;
}

static int close_fixture(void **state)
{
    fixture *f = *state;

    shoal_spec_free(f->spec);
    shoal_i_ctx_clear(&f->ctx);
    return 0;
}

/* The spec holds the one request last set, and nothing of others. */
static const shoal_i_requirement_request *read_one(fixture *f, const char *text)
{
    shoal_spec_free(f->spec);
    assert_int_equal(shoal_spec_new(&f->ctx, &f->spec), SHOAL_OK);
    if (shoal_spec_read_memory(&f->ctx, f->spec, text, strlen(text), "s.yaml") != SHOAL_OK) {
        fail_msg("%s: %s", text, f->ctx.error.message);
    }
    assert_int_equal(f->spec->request_count, 1);
    return &f->spec->requests[0];
}

static const shoal_i_requirement_request *set_one(fixture *f, const char *key,
                                                  const char *value)
{
    shoal_spec_free(f->spec);
    assert_int_equal(shoal_spec_new(&f->ctx, &f->spec), SHOAL_OK);
    if (shoal_spec_set(&f->ctx, f->spec, key, value) != SHOAL_OK) {
        fail_msg("%s %s: %s", key, value, f->ctx.error.message);
    }
    assert_int_equal(f->spec->request_count, 1);
    return &f->spec->requests[0];
}

/* What one form asks for. */
typedef struct form {
    const char *key;
    const char *setting; /* NULL: in files only */
    const char *yaml;
    const shoal_i_requirement_kind *kind;
    double value;
    double c;
    const char *column;
} form;

static const form forms[] = {
    {"alpha", "0.5", "0.5", &shoal_i_alpha_general, 0.5, 0, NULL},
    {"alpha", "0.5:HIV", "{value: 0.5, values: [HIV]}", &shoal_i_alpha_values, 0.5, 0, NULL},
    {"alpha", "ill=0.5:HIV", "{value: 0.5, values: [HIV], column: ill}", &shoal_i_alpha_values,
     0.5, 0, "ill"},
    {"alpha", NULL, "{limits: {HIV: 0.2}}", &shoal_i_alpha_limits, 0, 0, NULL},
    {"l", "3", "3", &shoal_i_l_frequency, 3, 0, NULL},
    {"l", "frequency:2.5", "{value: 2.5, kind: frequency}", &shoal_i_l_frequency, 2.5, 0, NULL},
    {"l", "distinct:3", "{kind: distinct, value: 3}", &shoal_i_l_distinct, 3, 0, NULL},
    {"l", "distinct:3", "distinct:3", &shoal_i_l_distinct, 3, 0, NULL},
    {"l", "entropy:2.5", "{value: 2.5, kind: entropy}", &shoal_i_l_entropy, 2.5, 0, NULL},
    {"l", "recursive:3:2", "{value: 2, kind: {recursive: 3}}", &shoal_i_l_recursive, 2, 3,
     NULL},
    {"l", "a b=recursive:0.5:2", "[{value: 2, kind: {recursive: 0.5}, column: a b}]",
     &shoal_i_l_recursive, 2, 0.5, "a b"},
    {"t", "0.2", "{value: 0.2}", &shoal_i_t_js, 0.2, 0, NULL},
    {"t", "js:0", "{value: 0, distance: js}", &shoal_i_t_js, 0, 0, NULL},
    {"t", "equal:1", "{value: 1, distance: equal}", &shoal_i_t_equal, 1, 0, NULL},
    {"t", "ordered:0.2", "{value: 0.2, distance: ordered}", &shoal_i_t_ordered, 0.2, 0, NULL},
    {"t", "hierarchical:0.2", "{value: 0.2, distance: hierarchical}", &shoal_i_t_hierarchical,
     0.2, 0, NULL},
    {"delta", "1.5", "1.5", &shoal_i_delta_disclosure, 1.5, 0, NULL},
    {"delta", "ill=0", "{value: 0, column: ill}", &shoal_i_delta_disclosure, 0, 0, "ill"},
    {"beta", "1", "1", &shoal_i_beta_basic, 1, 0, NULL},
    {"beta", "basic:1", "{value: 1, kind: basic}", &shoal_i_beta_basic, 1, 0, NULL},
    {"k_map", "5", "{value: 5}", &shoal_i_k_map, 5, 0, NULL},
    {"presence", "0.1", "0.1", &shoal_i_presence_most, 0.1, 0, NULL},
    {"presence", "0.01:0.1", "{value: 0.1, least: 0.01}", &shoal_i_presence_between, 0.1, 0,
     NULL},
    {"beta", "enhanced:1e1", "{value: 10, kind: enhanced}", &shoal_i_beta_enhanced, 10, 0,
     NULL},
};

static void assert_request(const shoal_i_requirement_request *request, const form *expected)
{
    assert_ptr_equal(request->kind, expected->kind);
    assert_true(request->value == expected->value);
    assert_true(request->c == expected->c);
    if (expected->column) {
        assert_string_equal(request->column, expected->column);
    } else {
        assert_null(request->column);
    }
    bool has_values =
        expected->kind == &shoal_i_alpha_values || expected->kind == &shoal_i_alpha_limits;

    assert_true(request->least == (expected->kind == &shoal_i_presence_between ? 0.01 : 0));
    assert_int_equal(request->value_count, has_values);
    if (has_values) {
        assert_string_equal(request->values[0], "HIV");
    }
    if (expected->kind == &shoal_i_alpha_limits) {
        assert_true(request->limits[0] == 0.2);
    }
}

static void test_every_form(void **state)
{
    fixture *f = *state;
    char text[256];

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        snprintf(text, sizeof text, "privacy: {%s: %s}", forms[i].key, forms[i].yaml);
        assert_request(read_one(f, text), &forms[i]);
        assert_int_equal(f->spec->requests[0].place.line, 1);
        if (forms[i].setting) {
            snprintf(text, sizeof text, "privacy.%s", forms[i].key);
            assert_request(set_one(f, text, forms[i].setting), &forms[i]);
            assert_null(f->spec->requests[0].place.source);
        }
    }
}

static void test_named_values(void **state)
{
    fixture *f = *state;
    const shoal_i_requirement_request *request = set_one(f, "privacy.alpha", "0.5:HIV,,a b:c");

    assert_int_equal(request->value_count, 3);
    assert_string_equal(request->values[0], "HIV");
    assert_string_equal(request->values[1], "");
    assert_string_equal(request->values[2], "a b:c");
}

static void test_lists_and_overriding(void **state)
{
    fixture *f = *state;
    const char *text = "privacy:\n  l: [3, {value: 2, kind: entropy}]\n  delta: 1\n";

    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "privacy.l", "9"), SHOAL_OK);
    assert_int_equal(shoal_spec_read_memory(&f->ctx, f->spec, text, strlen(text), "s.yaml"),
                     SHOAL_OK);
    assert_int_equal(f->spec->request_count, 3); /* a file replaces what was set before */
    assert_true(f->spec->requests[0].value == 3);
    assert_ptr_equal(f->spec->requests[1].kind, &shoal_i_l_entropy);
    assert_int_equal(f->spec->requests[1].place.column, 10);

    /* The first setting replaces those of the file, the next adds to it. */
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "privacy.l", "4"), SHOAL_OK);
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "privacy.l", "distinct:5"), SHOAL_OK);
    assert_int_equal(f->spec->request_count, 3);
    assert_ptr_equal(f->spec->requests[0].kind, &shoal_i_delta_disclosure);
    assert_true(f->spec->requests[1].value == 4);
    assert_true(f->spec->requests[2].value == 5);

    /* A setting that is refused changes nothing. */
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "privacy.delta", "-1"), SHOAL_EINVAL);
    assert_int_equal(f->spec->request_count, 3);
}

static void test_no_more_than_fit(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i < SHOAL_I_REQUIREMENTS_MAX; i++) {
        assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "privacy.t", "0.5"), SHOAL_OK);
    }
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "privacy.t", "0.5"), SHOAL_ELIMIT);
}

static void test_settings_are_refused(void **state)
{
    fixture *f = *state;
    static const char *const cases[][3] = {
        {"alpha", "0", "a share above 0 and up to 1; got \"0\""},
        {"alpha", "1.01", "a share above 0"},
        {"alpha", "nan", "got \"nan\""},
        {"alpha", "", "got \"\""},
        {"alpha", "0.5:a=b", "got \"b\""},
        {"l", "0.99", "at least 1"},
        {"l", "inf", "at least 1"},
        {"l", "distinct:2.5", "a whole number"},
        {"l", "distict:2", "did you mean \"distinct\""},
        {"l", "recursive:2", "recursive:C:L"},
        {"l", "recursive:0:2", "above 0"},
        {"l", "recursive:x:2", "above 0"},
        {"l", "entropy:", "got \"\""},
        {"t", "-0.1", "from 0 to 1"},
        {"t", "1.1", "from 0 to 1"},
        {"t", "emd:0.1", "Unknown distance \"emd\""},
        {"delta", "-1", "at least 0"},
        {"delta", "NaN", "at least 0"},
        {"beta", "-1", "at least 0"},
        {"beta", "better:1", "basic and enhanced"},
        {"k_map", "1.5", "a whole number"},
        {"presence", "1.5", "a share above 0"},
        {"presence", "-1:0.5", "from 0 to 1"},
        {"population", "", "no name"},
    };
    char key[32];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(key, sizeof key, "privacy.%s", cases[i][0]);
        assert_int_equal(shoal_spec_set(&f->ctx, f->spec, key, cases[i][1]), SHOAL_EINVAL);
        if (!strstr(f->ctx.error.message, cases[i][2])) {
            fail_msg("%s: expected \"%s\" in \"%s\"", cases[i][1], cases[i][2],
                     f->ctx.error.message);
        }
    }
    assert_int_equal(f->spec->request_count, 0);
}

static void test_mistakes_have_places(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *text; /* under privacy, which starts at column 11 */
        int column;
        const char *part;
    } cases[] = {
        {"alpha: 2", 18, "a share above 0"},
        {"alpha: {value: .nan}", 26, "got \".nan\""},
        {"alpha: {values: [x]}", 18, "\"value\""},
        {"alpha: {value: 0.5, values: x}", 39, "a list of 1 to 4096"},
        {"alpha: {value: 0.5, values: []}", 39, "a list of 1 to 4096"},
        {"alpha: {value: 0.5, values: [[x]]}", 40, "a value of the sensitive column"},
        {"alpha: {limits: {x: 2}}", 31, "a share above 0"},
        {"alpha: {limits: {}}", 27, "a mapping"},
        {"alpha: {limits: {x: [1]}}", 31, "a number"},
        {"alpha: {value: 0.5, limits: {x: 0.2}}", 18, "stand by themselves"},
        {"alpha: {vallue: 0.5, value: 1}", 19, "did you mean \"value\""},
        {"alpha: {value: 1, column: [x]}", 37, "the name of a column"},
        {"alpha: [0.5, {value: 7}]", 32, "a share above 0"},
        {"alpha: [[0.5]]", 19, "a mapping"},
        {"l: {value: 0}", 22, "at least 1"},
        {"l: {value: 2, kind: distnct}", 31, "did you mean"},
        {"l: {value: 2, kind: recursive}", 31, "{recursive: C}"},
        {"l: {value: 2, kind: {recursive: 0}}", 43, "above 0"},
        {"l: {value: 2, kind: {recursive: [1]}}", 43, "the number c"},
        {"l: {value: 2, kind: {recursion: 1}}", 32, "Unknown key"},
        {"l: {value: 2, kind: [distinct]}", 31, "a word"},
        {"l: {}", 14, "\"value\""},
        {"t: {value: 0.1, distance: emd}", 37, "Unknown distance"},
        {"t: {value: 0.1, kind: js}", 27, "Unknown key"},
        {"t: {value: 0.1, distance: {recursive: 1}}", 37, "a word"},
        {"delta: {value: -1}", 26, "at least 0"},
        {"beta: {value: 1, kind: {recursive: 1}}", 34, "a word"},
        {"k_map: {column: x, value: 2}", 19, "Unknown key"},
        {"presence: {value: 0.5, least: 2}", 41, "from 0 to 1"},
        {"presence: {value: 0.5, least: [2]}", 41, "a number"},
        {"population: {file: x}", 23, "the path of a file"},
        {"gamma: 1", 11, "Unknown key"},
    };
    char text[256];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        f->mistakes = 0;
        snprintf(text, sizeof text, "privacy: {%s}", cases[i].text);
        assert_int_not_equal(
            shoal_spec_read_memory(&f->ctx, f->spec, text, strlen(text), "s.yaml"), SHOAL_OK);
        if (f->mistakes != 1 || f->last.column != cases[i].column || f->last.line != 1 ||
            !strstr(f->last.message, cases[i].part)) {
            fail_msg("%s: %zu mistakes, the last at column %d: %s", cases[i].text, f->mistakes,
                     (int)f->last.column, f->last.message);
        }
        assert_int_equal(f->spec->request_count, i == 12 ? 1 : 0); /* the good one of a list */
        shoal_i_spec_forget_requests(f->spec, "alpha", false);
    }
}

static shoal_status read_failing(shoal_ctx *ctx, void *payload)
{
    static const char text[] = "privacy: {alpha: [\"0.5:a,b\", {limits: {x: 0.2}}, {value: "
                               "0.5, values: [x], column: c}],"
                               " l: {value: 2, kind: {recursive: 3}}}";
    shoal_spec *spec = NULL;
    shoal_status st = shoal_spec_new(ctx, &spec);

    (void)payload;
    if (st == SHOAL_OK) {
        st = shoal_spec_read_memory(ctx, spec, text, sizeof text - 1, "s.yaml");
    }
    shoal_spec_free(spec);
    return st;
}

static void test_allocation_failures(void **state)
{
    fixture *f = *state;

    assert_survives_failing_allocations(&f->ctx, read_failing, NULL);
    assert_int_equal(f->mistakes, 0);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_every_form),           CASE(test_named_values),
        CASE(test_lists_and_overriding), CASE(test_no_more_than_fit),
        CASE(test_settings_are_refused), CASE(test_mistakes_have_places),
        CASE(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

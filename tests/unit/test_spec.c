/* Specs: settings one by one, and the YAML file with the place of every mistake. */
#include <shoal/job.h>

#include "failing.h"
#include "spec/spec.h"

#include <stdio.h>
#include <string.h>

#define LOGGED_MAX 16

/* What the log callback heard. */
typedef struct logged {
    size_t count;
    shoal_error errors[LOGGED_MAX];
} logged;

typedef struct fixture {
    shoal_ctx ctx;
    shoal_spec *spec;
    logged log;
} fixture;

static void note_error(void *payload, shoal_log_level level, const char *message,
                       const shoal_error *where)
{
    logged *log = payload;

    assert_int_equal(level, SHOAL_LOG_ERROR);
    assert_non_null(where);
    assert_string_equal(message, where->message);
    if (log->count < LOGGED_MAX) {
        log->errors[log->count] = *where;
    }
    log->count++;
}

static int open_fixture(void **state)
{
    static fixture f;

    memset(&f, 0, sizeof f);
    shoal_i_ctx_init(&f.ctx);
    f.ctx.log = note_error;
    f.ctx.log_payload = &f.log;
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

static shoal_status read_text(fixture *f, const char *text)
{
    return shoal_spec_read_memory(&f->ctx, f->spec, text, strlen(text), "folder/spec.yaml");
}

static void assert_mistake(const fixture *f, size_t i, int line, int column, const char *part)
{
    assert_true(i < f->log.count);
    const shoal_error *error = &f->log.errors[i];

    assert_string_equal(error->source, "folder/spec.yaml");
    assert_int_equal(error->line, line);
    assert_int_equal(error->column, column);
    if (!strstr(error->message, part)) {
        fail_msg("expected \"%s\" in \"%s\"", part, error->message);
    }
}

/* The only mistake of a text. */
static void assert_one_mistake(fixture *f, const char *text, int line, int column,
                               const char *part)
{
    f->log.count = 0;
    assert_int_not_equal(read_text(f, text), SHOAL_OK);
    assert_int_equal(f->log.count, 1);
    assert_mistake(f, 0, line, column, part);
    assert_string_equal(f->ctx.error.message, f->log.errors[0].message);
}

/* --- Settings. -------------------------------------------------------------------------- */

static void test_defaults(void **state)
{
    fixture *f = *state;
    const shoal_spec *s = f->spec;

    assert_int_equal(s->column_count, 0);
    assert_int_equal(s->missing, SHOAL_I_MISSING_ERROR);
    assert_null(s->missing_tokens);
    assert_int_equal(s->input_delimiter, 0);
    assert_int_equal(s->k, 0);
    assert_null(s->k_column);
    assert_null(s->method);
    assert_false(s->has_seed);
    assert_false(s->has_threads);
    assert_int_equal(s->numeric, SHOAL_I_NUMERIC_RANGE);
    assert_int_equal(s->categorical, SHOAL_I_CATEGORICAL_LABEL);
    assert_false(s->keep_order);
    assert_int_equal(s->output_delimiter, ',');
    assert_null(shoal_i_spec_find_column(s, "age"));
}

static void test_settings_are_taken(void **state)
{
    fixture *f = *state;
    shoal_spec *s = f->spec;
    static const char *const pairs[][2] = {
        {"privacy.k", "10"},        {"privacy.k.column", "my_k"}, {"seed", "7"},
        {"threads", "3"},           {"missing.action", "keep"},   {"missing.tokens", "NA,,-"},
        {"input.delimiter", "tab"}, {"output.numeric", "minmax"}, {"output.categorical", "set"},
        {"output.order", "keep"},   {"output.delimiter", ";"},    {"method", "mondrian"},
    };

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(shoal_spec_set(&f->ctx, s, pairs[i][0], pairs[i][1]), SHOAL_OK);
    }
    assert_int_equal(s->k, 10);
    assert_string_equal(s->k_column, "my_k");
    assert_true(s->has_seed && s->seed == 7);
    assert_true(s->has_threads && s->threads == 3);
    assert_int_equal(s->missing, SHOAL_I_MISSING_KEEP);
    assert_int_equal(s->missing_token_count, 3);
    assert_string_equal(s->missing_tokens[0], "NA");
    assert_string_equal(s->missing_tokens[1], "");
    assert_string_equal(s->missing_tokens[2], "-");
    assert_int_equal(s->input_delimiter, '\t');
    assert_int_equal(s->numeric, SHOAL_I_NUMERIC_MINMAX);
    assert_int_equal(s->categorical, SHOAL_I_CATEGORICAL_SET);
    assert_true(s->keep_order);
    assert_int_equal(s->output_delimiter, ';');
    assert_string_equal(s->method->name, "mondrian");
}

static void test_settings_are_refused(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *key;
        const char *value;
        shoal_status status;
        const char *part;
    } cases[] = {
        {"privacy.k", "0", SHOAL_EINVAL, "\"0\""},
        {"privacy.k", "-1", SHOAL_EINVAL, "whole number from 1"},
        {"privacy.k", "abc", SHOAL_EINVAL, "\"abc\""},
        {"privacy.k", "", SHOAL_EINVAL, "whole number"},
        {"privacy.k", "2.5", SHOAL_EINVAL, "whole number"},
        {"privacy.k", "10000000000000000", SHOAL_EINVAL, "whole number"},
        {"privacy.k.column", "", SHOAL_EINVAL, "got nothing"},
        {"privacy.alpha", "1.5", SHOAL_EINVAL, "a share above 0"},
        {"seed", "-1", SHOAL_EINVAL, "seed"},
        {"threads", "257", SHOAL_EINVAL, "0 to 256"},
        {"missing.action", "dropp", SHOAL_EINVAL, "did you mean \"drop\"?"},
        {"input.delimiter", ":", SHOAL_EINVAL, "delimiter"},
        {"output.delimiter", "", SHOAL_EINVAL, "delimiter"},
        {"output.numeric", "interval", SHOAL_EINVAL, "range, minmax, mean and median"},
        {"output.order", "kept", SHOAL_EINVAL, "keep"},
        {"method", "topdwn", SHOAL_EINVAL, "topdown"},
        {"sed", "1", SHOAL_EINVAL, "did you mean \"seed\"?"},
        {"", "1", SHOAL_EINVAL, "Unknown setting"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(shoal_spec_set(&f->ctx, f->spec, cases[i].key, cases[i].value),
                         cases[i].status);
        if (!strstr(f->ctx.error.message, cases[i].part)) {
            fail_msg("%s = %s: expected \"%s\" in \"%s\"", cases[i].key, cases[i].value,
                     cases[i].part, f->ctx.error.message);
        }
    }
    assert_int_equal(f->spec->k, 0);
    assert_null(f->spec->method);
}

static void test_largest_k_is_taken(void **state)
{
    fixture *f = *state;

    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "privacy.k", "1000000000000"), SHOAL_OK);
    assert_true(f->spec->k == UINT64_C(1000000000000));
}

static void test_two_roles_by_flags(void **state)
{
    fixture *f = *state;

    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "age", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "age", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "age", SHOAL_ROLE_SENSITIVE),
                     SHOAL_EINVAL);
    assert_non_null(strstr(f->ctx.error.message, "quasi and sensitive"));
    assert_int_equal(shoal_i_spec_find_column(f->spec, "age")->role, SHOAL_ROLE_QUASI);
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "", SHOAL_ROLE_QUASI), SHOAL_EINVAL);
}

static void test_flag_overrides_file(void **state)
{
    fixture *f = *state;

    assert_int_equal(read_text(f, "columns: {age: quasi}\nprivacy: {k: 3}\n"), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "age", SHOAL_ROLE_SENSITIVE),
                     SHOAL_OK);
    assert_int_equal(shoal_i_spec_place(f->spec, "privacy.k")->line, 2);
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "privacy.k", "4"), SHOAL_OK);
    assert_null(shoal_i_spec_place(f->spec, "privacy.k")->source);
    assert_int_equal(shoal_i_spec_find_column(f->spec, "age")->role, SHOAL_ROLE_SENSITIVE);
    assert_int_equal(f->spec->k, 4);
}

static void test_many_columns_are_found(void **state)
{
    fixture *f = *state;
    char name[16];

    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "c%d", i);
        assert_int_equal(shoal_spec_set_weight(&f->ctx, f->spec, name, "2"), SHOAL_OK);
    }
    assert_int_equal(f->spec->column_count, 5000);
    assert_string_equal(shoal_i_spec_find_column(f->spec, "c4321")->name, "c4321");
    assert_null(shoal_i_spec_find_column(f->spec, "c5000"));
}

static void test_weights(void **state)
{
    fixture *f = *state;
    static const char *const bad[] = {"-1", "nan", "inf", "x", ""};

    assert_int_equal(shoal_spec_set_weight(&f->ctx, f->spec, "age", "2.5"), SHOAL_OK);
    assert_true(shoal_i_spec_find_column(f->spec, "age")->weight == 2.5);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(shoal_spec_set_weight(&f->ctx, f->spec, "age", bad[i]), SHOAL_EINVAL);
    }
    assert_true(shoal_i_spec_find_column(f->spec, "age")->weight == 2.5);
}

static void test_types(void **state)
{
    fixture *f = *state;

    assert_int_equal(shoal_spec_set_type(&f->ctx, f->spec, "age", "integer"), SHOAL_OK);
    assert_int_equal(shoal_i_spec_find_column(f->spec, "age")->type, SHOAL_TYPE_INTEGER);
    assert_int_equal(shoal_spec_set_type(&f->ctx, f->spec, "age", "auto"), SHOAL_OK);
    assert_int_equal(shoal_i_spec_find_column(f->spec, "age")->type, SHOAL_TYPE_AUTO);
    assert_int_equal(shoal_spec_set_type(&f->ctx, f->spec, "age", "int"), SHOAL_EINVAL);
}

/* --- Hierarchies. ----------------------------------------------------------------------- */

/* The plan of a text, and the text that describes it. */
static void assert_plan(fixture *f, const char *text, shoal_i_hierarchy_plan_kind kind,
                        const char *described)
{
    shoal_i_buffer buffer;

    assert_int_equal(shoal_spec_set_hierarchy(&f->ctx, f->spec, "zip", text), SHOAL_OK);
    const shoal_i_hierarchy_plan *plan = &shoal_i_spec_find_column(f->spec, "zip")->plan;

    assert_int_equal(plan->kind, kind);
    shoal_i_buffer_init(&buffer, &f->ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_hierarchy_plan_describe(plan, &buffer);
    char *words = NULL;

    assert_int_equal(shoal_i_buffer_take(&words, &buffer), SHOAL_OK);
    assert_string_equal(words, described);
    free(words);
}

static void test_plans(void **state)
{
    fixture *f = *state;

    assert_plan(f, "flat", SHOAL_I_PLAN_FLAT, "flat");
    assert_plan(f, "dates", SHOAL_I_PLAN_DATES, "dates");
    assert_plan(f, "prefix", SHOAL_I_PLAN_PREFIX, "prefix");
    assert_plan(f, "prefix:5", SHOAL_I_PLAN_PREFIX, "prefix:5");
    assert_plan(f, "widths:5,10,20", SHOAL_I_PLAN_WIDTHS, "widths:5,10,20");
    assert_plan(f, "widths:0.5@-1", SHOAL_I_PLAN_WIDTHS, "widths:0.5@-1");
    assert_plan(f, "breaks:18,40,65;40", SHOAL_I_PLAN_BREAKS, "breaks:18,40,65;40");
    assert_plan(f, "./flat", SHOAL_I_PLAN_FILE, "./flat");
    assert_plan(f, "/data/zip.csv", SHOAL_I_PLAN_FILE, "/data/zip.csv");
}

static void test_bad_plans(void **state)
{
    fixture *f = *state;
    static const char *const bad[] = {"",           "prefix:",     "prefix:0", "prefix:64",
                                      "prefix:x",   "widths:",     "widths:a", "widths:5;10",
                                      "widths:5@x", "breaks:1,,2", "breaks:;", "breaks:nan"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (shoal_spec_set_hierarchy(&f->ctx, f->spec, "zip", bad[i]) != SHOAL_EINVAL) {
            fail_msg("\"%s\" was taken", bad[i]);
        }
    }
    assert_int_equal(shoal_i_spec_find_column(f->spec, "zip")->plan.kind, SHOAL_I_PLAN_NONE);
}

/* --- Files. ----------------------------------------------------------------------------- */

static const char whole_spec[] =
    "# patients.yaml\n"
    "missing: {tokens: [\"?\", \"\"], action: drop}\n"
    "input: {delimiter: \";\"}\n"
    "columns:\n"
    "  name:       {role: identifier}\n"
    "  age:        {role: quasi, type: integer, weight: 2}\n"
    "  zip:        {role: quasi, hierarchy: {prefix: 5}}\n"
    "  job:        {role: quasi, hierarchy: job.csv}\n"
    "  town:       {role: quasi, hierarchy: {file: /t.csv, weights: {North: 3, \"*\": 9}}}\n"
    "  income:     {role: quasi, hierarchy: {widths: [10, 20], origin: 5}}\n"
    "  score:      {role: quasi, hierarchy: {breaks: [[1, 2.5], [2.5]]}}\n"
    "  born:       {role: quasi, hierarchy: dates}\n"
    "  sex:        quasi\n"
    "  diagnosis:  {role: sensitive}\n"
    "privacy:\n"
    "  k: {value: 10, column: my_k}\n"
    "method: mondrian\n"
    "seed: 12\n"
    "threads: 2\n"
    "output: {numeric: mean, categorical: set, order: keep, delimiter: \"|\"}\n";

static void test_whole_file(void **state)
{
    fixture *f = *state;
    const shoal_spec *s = f->spec;

    assert_int_equal(read_text(f, whole_spec), SHOAL_OK);
    assert_int_equal(f->log.count, 0);
    assert_int_equal(s->column_count, 10);
    assert_int_equal(s->missing, SHOAL_I_MISSING_DROP);
    assert_int_equal(s->missing_token_count, 2);
    assert_int_equal(s->input_delimiter, ';');
    assert_int_equal(s->k, 10);
    assert_string_equal(s->k_column, "my_k");
    assert_int_equal(shoal_i_spec_place(s, "privacy.k.column")->line, 16);
    assert_int_equal(s->seed, 12);
    assert_int_equal(s->numeric, SHOAL_I_NUMERIC_MEAN);
    assert_int_equal(s->output_delimiter, '|');

    const shoal_i_spec_column *age = shoal_i_spec_find_column(s, "age");

    assert_true(age->has_role && age->role == SHOAL_ROLE_QUASI && age->weight == 2);
    assert_int_equal(age->type, SHOAL_TYPE_INTEGER);
    assert_int_equal(age->place.line, 6);
    assert_int_equal(age->place.column, 3);
    assert_int_equal(shoal_i_spec_find_column(s, "zip")->plan.length, 5);
    assert_string_equal(shoal_i_spec_find_column(s, "job")->plan.path, "folder/job.csv");

    const shoal_i_hierarchy_plan *town = &shoal_i_spec_find_column(s, "town")->plan;

    assert_string_equal(town->path, "/t.csv");
    assert_int_equal(town->weight_count, 2);
    assert_string_equal(town->weights[1].label, "*");
    assert_true(town->weights[1].weight == 9);

    const shoal_i_hierarchy_plan *income = &shoal_i_spec_find_column(s, "income")->plan;

    assert_int_equal(income->number_count, 2);
    assert_true(income->origin == 5 && income->numbers[1] == 20);

    const shoal_i_hierarchy_plan *score = &shoal_i_spec_find_column(s, "score")->plan;

    assert_int_equal(score->level_count, 2);
    assert_int_equal(score->starts[1], 2);
    assert_int_equal(score->starts[2], 3);
    assert_true(score->numbers[2] == 2.5);
}

static void test_method_with_options(void **state)
{
    fixture *f = *state;

    assert_int_equal(read_text(f, "method: {mode: relaxed, name: mondrian}"), SHOAL_OK);
    assert_string_equal(f->spec->method->name, "mondrian");
    assert_string_equal(f->spec->method->options[0].name, "mode");
    assert_true(f->spec->method_settings.values[0] == 1);
    assert_one_mistake(f, "method: {name: mondrian, mode: soft}", 1, 26, "soft");
    assert_one_mistake(f, "method: {name: mondrian, mode: [x]}", 1, 32, "a number or a word");
    assert_one_mistake(f, "method: {name: mondrian, mode: \"x,cuts=y\"}", 1, 32, "a word");
}

static void test_three_mistakes(void **state)
{
    fixture *f = *state;

    assert_int_not_equal(read_text(f, "colums:\n"
                                      "  age: {role: quasi}\n"
                                      "columns:\n"
                                      "  sex: {role: quassi}\n"
                                      "privacy:\n"
                                      "  k: many\n"),
                         SHOAL_OK);
    assert_int_equal(f->log.count, 3);
    assert_mistake(f, 0, 1, 1, "did you mean \"columns\"?");
    assert_mistake(f, 1, 4, 15, "did you mean \"quasi\"?");
    assert_mistake(f, 2, 6, 6, "\"many\"");
    assert_non_null(strstr(f->ctx.error.message, "did you mean \"columns\"?"));
    assert_non_null(strstr(f->ctx.error.message, "first of 3"));
    assert_int_equal(f->ctx.error.line, 1);
}

static void test_single_mistakes(void **state)
{
    fixture *f = *state;

    assert_one_mistake(f, "", 1, 1, "empty");
    assert_one_mistake(f, "# nothing\n", 1, 1, "empty");
    assert_one_mistake(f, "[1, 2]", 1, 1, "got a list");
    assert_one_mistake(f, "text", 1, 1, "got a single value");
    assert_one_mistake(f, "seed: 1\nseed: 2\n", 2, 1, "\"seed\" is given twice");
    assert_one_mistake(f, "seed: [1]", 1, 7, "got a list");
    assert_one_mistake(f, "? [a]\n: 1\n", 1, 3, "a name");
    assert_one_mistake(f, "seed: 1\n---\nseed: 2\n", 3, 1, "second");
    assert_one_mistake(f, "seed: {a\n", 2, 1, "not YAML");
    assert_one_mistake(f, "a: b: c", 1, 5, "not YAML");
    assert_one_mistake(f, "seed: \xFF", 1, 7, "not YAML");
    assert_one_mistake(f, "seed: \"1\\0\"", 1, 7, "a single value");
    assert_one_mistake(f, "missing: dropp", 1, 10, "drop");
    assert_one_mistake(f, "missing: {tokens: x}", 1, 19, "a list");
    assert_one_mistake(f, "missing: {tokens: [[x]]}", 1, 20, "a text");
    assert_one_mistake(f, "input: 1", 1, 8, "a mapping");
    assert_one_mistake(f, "privacy: {alpha: {value: 1.5}}", 1, 26, "a share above 0");
    assert_one_mistake(f, "privacy: {l: few}", 1, 14, "a number of at least 1");
    assert_one_mistake(f, "privacy: {k: {colum: x}}", 1, 15, "did you mean \"column\"?");
    assert_one_mistake(f, "privacy: {k: 0}", 1, 14, "whole number");
    assert_one_mistake(f, "method: topdwn", 1, 9, "topdown");
    assert_one_mistake(f, "method: {tries: 3}", 1, 9, "\"name\"");
    assert_one_mistake(f, "method: {name: [x]}", 1, 16, "a method");
    assert_one_mistake(f, "method: {name: topdwn}", 1, 16, "topdown");
    assert_one_mistake(f, "method: {name: topdown, nothing: 3}", 1, 25, "nothing");
    assert_one_mistake(f, "method: {name: topdown, name: topdown}", 1, 25, "twice");
    assert_one_mistake(f, "output: {numeric: x}", 1, 19, "range");
    assert_one_mistake(f, "frontier: {methods: [topdown, mondriam]}", 1, 31, "mondrian");
    assert_one_mistake(f, "measure: {figures: [bound, bond]}", 1, 28, "bound");
    assert_one_mistake(f, "risk: {thresholds: [0.5, 2]}", 1, 26, "up to 8 chances");
    assert_one_mistake(f, "risk: {thresholds: []}", 1, 20, "up to 8 numbers");
    assert_one_mistake(f, "frontier: {max: {gcp: -1}}", 1, 23, "from 0 on");
    assert_one_mistake(f, "a: [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]", 1, 19, "Too many levels");
}

static void test_mistakes_of_columns(void **state)
{
    fixture *f = *state;

    assert_one_mistake(f, "columns: [a]", 1, 10, "column names");
    assert_one_mistake(f, "columns: {a: quasi, a: sensitive}", 1, 21, "\"a\" is given twice");
    assert_one_mistake(f, "columns: {a: {role: quasi, role: sensitive}}", 1, 28, "twice");
    assert_one_mistake(f, "columns: {\"\": quasi}", 1, 11, "empty name");
    assert_one_mistake(f, "columns: {b: [1]}", 1, 14, "a mapping");
    assert_one_mistake(f, "columns: {b: {rle: quasi}}", 1, 15, "did you mean \"role\"?");
    assert_one_mistake(f, "columns: {b: {role: [quasi]}}", 1, 21, "a role");
    assert_one_mistake(f, "columns: {b: {type: int}}", 1, 21, "Unknown type");
    assert_one_mistake(f, "columns: {b: {weight: -1}}", 1, 23, "at least 0");
    assert_one_mistake(f, "columns: {\xC3\xA4: {weight: -1}}", 1, 24, "at least 0");
}

static void test_mistakes_of_hierarchies(void **state)
{
    fixture *f = *state;

    assert_one_mistake(f, "columns: {z: {hierarchy: [x]}}", 1, 26, "a file, a word");
    assert_one_mistake(f, "columns: {z: {hierarchy: {}}}", 1, 26, "needs one of");
    assert_one_mistake(f, "columns: {z: {hierarchy: {origin: 3}}}", 1, 26, "needs one of");
    assert_one_mistake(f, "columns: {z: {hierarchy: {file: \"\"}}}", 1, 33, "path");
    assert_one_mistake(f, "columns: {z: {hierarchy: {prefix: 0}}}", 1, 35, "1 to 63");
    assert_one_mistake(f, "columns: {z: {hierarchy: {prefix: 2, file: a}}}", 1, 44, "second");
    assert_one_mistake(f, "columns: {z: {hierarchy: {widths: []}}}", 1, 35, "1 to 63 widths");
    assert_one_mistake(f, "columns: {z: {hierarchy: {widths: [5, x]}}}", 1, 39, "a number");
    assert_one_mistake(f, "columns: {z: {hierarchy: {breaks: [5]}}}", 1, 36, "list of lists");
    assert_one_mistake(f, "columns: {z: {hierarchy: {breaks: [[]]}}}", 1, 36, "list of lists");
    assert_one_mistake(f, "columns: {z: {hierarchy: {prefix: 2, weights: 3}}}", 1, 47,
                       "labels");
    assert_one_mistake(f, "columns: {z: {hierarchy: {prefix: 2, weights: {a: x}}}}", 1, 51,
                       "a number");
}

static void test_a_flood_of_mistakes_ends(void **state)
{
    fixture *f = *state;
    char text[8192];
    size_t length = 0;

    for (int i = 0; i < 500; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "x%d: 1\n", i);
    }
    assert_int_equal(read_text(f, text), SHOAL_EFORMAT);
    assert_int_equal(f->log.count, 100);
    assert_int_equal(f->ctx.error.line, 1);
}

/* Places are found by going on from the last one; aliases lead back. */
static void test_places_in_any_order(void **state)
{
    fixture *f = *state;

    assert_int_not_equal(read_text(f, "columns:\n"
                                      "  \xC3\xA4: {role: &r nobody}\n"
                                      "  b: {weight: x}\n"
                                      "  c: {role: *r}\n"
                                      "  d: {\xC3\xA4: 1}\n"),
                         SHOAL_OK);
    assert_int_equal(f->log.count, 4);
    assert_mistake(f, 0, 2, 14, "nobody");
    assert_mistake(f, 1, 3, 15, "\"x\"");
    assert_mistake(f, 2, 2, 14, "nobody");
    assert_mistake(f, 3, 5, 7, "Unknown key");
}

static void test_byte_order_mark_and_crlf(void **state)
{
    fixture *f = *state;

    assert_int_equal(read_text(f, "\xEF\xBB\xBFseed: 3\r\nthreads: 1\r\n"), SHOAL_OK);
    assert_int_equal(f->spec->seed, 3);
    assert_int_equal(f->spec->threads, 1);
}

static void test_aliases(void **state)
{
    fixture *f = *state;

    assert_int_equal(read_text(f, "columns:\n  a: &q {role: quasi}\n  b: *q\n"), SHOAL_OK);
    assert_int_equal(shoal_i_spec_find_column(f->spec, "b")->role, SHOAL_ROLE_QUASI);
}

static void test_later_file_overrides(void **state)
{
    fixture *f = *state;

    assert_int_equal(read_text(f, "columns: {a: {role: quasi, weight: 3}}"), SHOAL_OK);
    assert_int_equal(read_text(f, "columns: {a: sensitive}"), SHOAL_OK);
    assert_int_equal(shoal_i_spec_find_column(f->spec, "a")->role, SHOAL_ROLE_SENSITIVE);
    assert_int_equal(f->spec->column_count, 1);
}

static void test_large_file_is_refused(void **state)
{
    fixture *f = *state;
    size_t size = ((size_t)1 << 20) + 1;
    char *bytes = malloc(size);

    assert_non_null(bytes);
    memset(bytes, '\n', size);
    assert_int_equal(shoal_spec_read_memory(&f->ctx, f->spec, bytes, size, "x"), SHOAL_ELIMIT);
    free(bytes);
}

static void test_absent_file(void **state)
{
    fixture *f = *state;

    assert_int_equal(shoal_spec_read(&f->ctx, f->spec, "no/such/spec.yaml"), SHOAL_ENOTFOUND);
    assert_string_equal(f->ctx.error.source, "no/such/spec.yaml");
}

static shoal_status read_whole(shoal_ctx *ctx, void *payload)
{
    shoal_spec *spec = NULL;
    shoal_status st = shoal_spec_new(ctx, &spec);

    (void)payload;
    if (st == SHOAL_OK) {
        st = shoal_spec_read_memory(ctx, spec, whole_spec, strlen(whole_spec), "a/b.yaml");
    }
    shoal_spec_free(spec);
    return st;
}

static void test_allocation_failures(void **state)
{
    fixture *f = *state;

    assert_survives_failing_allocations(&f->ctx, read_whole, NULL);
    assert_int_equal(f->log.count, 0);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_defaults),
        CASE(test_settings_are_taken),
        CASE(test_settings_are_refused),
        CASE(test_largest_k_is_taken),
        CASE(test_two_roles_by_flags),
        CASE(test_flag_overrides_file),
        CASE(test_many_columns_are_found),
        CASE(test_weights),
        CASE(test_types),
        CASE(test_plans),
        CASE(test_bad_plans),
        CASE(test_whole_file),
        CASE(test_method_with_options),
        CASE(test_three_mistakes),
        CASE(test_single_mistakes),
        CASE(test_mistakes_of_columns),
        CASE(test_mistakes_of_hierarchies),
        CASE(test_a_flood_of_mistakes_ends),
        CASE(test_places_in_any_order),
        CASE(test_byte_order_mark_and_crlf),
        CASE(test_aliases),
        CASE(test_later_file_overrides),
        CASE(test_large_file_is_refused),
        CASE(test_absent_file),
        CASE(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

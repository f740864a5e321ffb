/* The table of settings: its facts, every setting by key and by file, values out of range, and
 * specs that go to YAML and back. */
#include "spec/setting.h"

#include "base/random.h"
#include "failing.h"
#include "setting_samples.h"

#include <stdio.h>
#include <string.h>

#define TEXT_MOST 256

typedef struct fixture {
    shoal_ctx ctx;
    shoal_spec *spec;
} fixture;

static int open_fixture(void **state)
{
    static fixture f;

    memset(&f, 0, sizeof f);
    shoal_i_ctx_init(&f.ctx);
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

/* --- Specs that are equal, field by field. ------------------------------------------------ */

static void assert_texts_equal(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a) {
        assert_string_equal(a, b);
    }
}

static void assert_plans_equal(const shoal_i_hierarchy_plan *a, const shoal_i_hierarchy_plan *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_texts_equal(a->path, b->path);
    assert_int_equal(a->length, b->length);
    assert_true(a->origin == b->origin);
    assert_int_equal(a->number_count, b->number_count);
    assert_int_equal(a->level_count, b->level_count);
    for (size_t i = 0; i < a->number_count; i++) {
        assert_true(a->numbers[i] == b->numbers[i]);
    }
    for (size_t i = 0; a->starts && i <= a->level_count; i++) {
        assert_int_equal(a->starts[i], b->starts[i]);
    }
    assert_int_equal(a->weight_count, b->weight_count);
    for (size_t i = 0; i < a->weight_count; i++) {
        assert_string_equal(a->weights[i].label, b->weights[i].label);
        assert_true(a->weights[i].weight == b->weights[i].weight);
    }
}

static void assert_requests_equal(const shoal_i_requirement_request *a,
                                  const shoal_i_requirement_request *b)
{
    assert_ptr_equal(a->kind, b->kind);
    assert_true(a->value == b->value && a->c == b->c && a->least == b->least);
    assert_texts_equal(a->column, b->column);
    assert_int_equal(a->value_count, b->value_count);
    for (size_t i = 0; i < a->value_count; i++) {
        assert_string_equal(a->values[i], b->values[i]);
        if (a->limits) {
            assert_true(a->limits[i] == b->limits[i]);
        }
    }
}

/* Requirements of one key in their order; the order of keys does not matter. */
static void assert_all_requests_equal(const shoal_spec *a, const shoal_spec *b)
{
    assert_int_equal(a->request_count, b->request_count);
    for (size_t i = 0; i < a->request_count; i++) {
        const char *key = a->requests[i].kind->key;
        size_t before = 0;
        size_t j = 0;

        for (size_t other = 0; other < i; other++) {
            before += strcmp(a->requests[other].kind->key, key) == 0;
        }
        for (; j < b->request_count; j++) {
            if (strcmp(b->requests[j].kind->key, key) == 0 && before-- == 0) {
                break;
            }
        }
        assert_true(j < b->request_count);
        assert_requests_equal(&a->requests[i], &b->requests[j]);
    }
}

static void assert_sweeps_equal(const shoal_i_sweep *a, const shoal_i_sweep *b)
{
    assert_int_equal(a->request_count, b->request_count);
    for (size_t i = 0; i < a->request_count; i++) {
        assert_requests_equal(&a->requests[i], &b->requests[i]);
    }
    assert_int_equal(a->method_count, b->method_count);
    for (size_t i = 0; i < a->method_count; i++) {
        assert_ptr_equal(a->methods[i].method, b->methods[i].method);
        assert_string_equal(a->methods[i].text, b->methods[i].text);
        assert_memory_equal(&a->methods[i].settings, &b->methods[i].settings,
                            sizeof a->methods[i].settings);
    }
    assert_int_equal(a->has_axes, b->has_axes);
    assert_memory_equal(a->axes, b->axes, sizeof a->axes);
    assert_memory_equal(a->has_limit, b->has_limit, sizeof a->has_limit);
    for (size_t i = 0; i < SHOAL_I_BY_COUNT; i++) {
        assert_true(a->limits[i] == b->limits[i]);
    }
    assert_true(a->seconds == b->seconds);
}

static void assert_columns_equal(const shoal_spec *a, const shoal_spec *b)
{
    assert_int_equal(a->column_count, b->column_count);
    for (size_t i = 0; i < a->column_count; i++) {
        const shoal_i_spec_column *column = &a->columns[i];
        const shoal_i_spec_column *other = shoal_i_spec_find_column(b, column->name);

        assert_non_null(other);
        assert_string_equal(b->columns[i].name, column->name);
        assert_int_equal(column->has_role, other->has_role);
        assert_int_equal(column->role, other->role);
        assert_int_equal(column->type, other->type);
        assert_true(column->weight == other->weight);
        assert_true(shoal_i_grid_is_same(&column->grid, &other->grid));
        assert_plans_equal(&column->plan, &other->plan);
        assert_plans_equal(&column->populations, &other->populations);
        for (size_t t = 0; t < SHOAL_I_COLUMN_TEXTS; t++) {
            assert_int_equal(column->texts[t] == NULL, other->texts[t] == NULL);
            if (column->texts[t]) {
                assert_string_equal(column->texts[t], other->texts[t]);
            }
        }
    }
}

static void assert_specs_equal(const shoal_spec *a, const shoal_spec *b)
{
    assert_columns_equal(a, b);
    assert_int_equal(a->missing, b->missing);
    assert_int_equal(a->missing_tokens == NULL, b->missing_tokens == NULL);
    assert_int_equal(a->missing_token_count, b->missing_token_count);
    for (size_t i = 0; i < a->missing_token_count; i++) {
        assert_string_equal(a->missing_tokens[i], b->missing_tokens[i]);
    }
    assert_int_equal(a->input_delimiter, b->input_delimiter);
    assert_true(a->k == b->k);
    assert_texts_equal(a->k_column, b->k_column);
    assert_all_requests_equal(a, b);
    assert_texts_equal(a->population, b->population);
    assert_int_equal(a->threshold_count, b->threshold_count);
    for (size_t i = 0; i < a->threshold_count; i++) {
        assert_true(a->thresholds[i] == b->thresholds[i]);
    }
    assert_true(a->sampling_fraction == b->sampling_fraction);
    assert_int_equal(a->is_full_report, b->is_full_report);
    assert_texts_equal(a->frontier_plot, b->frontier_plot);
    assert_ptr_equal(a->method, b->method);
    assert_memory_equal(&a->method_settings, &b->method_settings, sizeof a->method_settings);
    assert_int_equal(a->has_effort, b->has_effort);
    assert_int_equal(a->effort, b->effort);
    assert_true(a->seconds == b->seconds);
    assert_int_equal(a->figures, b->figures);
    assert_int_equal(a->is_by_record, b->is_by_record);
    assert_true(a->min_support == b->min_support);
    assert_true(a->memory == b->memory);
    assert_texts_equal(a->temporary, b->temporary);
    assert_true(a->suppress == b->suppress);
    assert_sweeps_equal(&a->sweep, &b->sweep);
    assert_int_equal(a->has_seed, b->has_seed);
    assert_true(a->seed == b->seed);
    assert_int_equal(a->has_threads, b->has_threads);
    assert_int_equal(a->threads, b->threads);
    assert_int_equal(a->numeric, b->numeric);
    assert_int_equal(a->categorical, b->categorical);
    assert_int_equal(a->keep_order, b->keep_order);
    assert_int_equal(a->output_delimiter, b->output_delimiter);
    assert_texts_equal(a->sensitive_table, b->sensitive_table);
}

/* --- Facts. ------------------------------------------------------------------------------- */

static void assert_facts(const shoal_setting_facts *facts)
{
    assert_non_null(facts->key);
    assert_true(strlen(facts->help) > 10);
    assert_true(strlen(facts->type) > 3);
    assert_true(strlen(facts->runs) > 5);
    assert_true(facts->range || (facts->words && facts->words[0] && facts->words[1]));
    assert_null(strchr(facts->help, '\n'));
}

/* Texts of ranges name the numbers that are checked. */
static void assert_range_told(const shoal_setting_facts *facts)
{
    char number[32];

    if (strcmp(facts->type, "whole number") == 0) {
        snprintf(number, sizeof number, "from %.0f to ", facts->least);
        assert_non_null(strstr(facts->range, number));
        snprintf(number, sizeof number, "to %.0f", facts->most);
        if (facts->most < 0x1p63) {
            assert_non_null(strstr(facts->range, number));
        } else {
            assert_non_null(strstr(facts->range, "to 9223372036854775807"));
        }
    }
    if (facts->is_list && !facts->words && facts->most > 0) {
        snprintf(number, sizeof number, "up to %d ", SHOAL_I_THRESHOLDS_MAX);
        assert_non_null(strstr(facts->range, number));
    }
}

static void test_facts_are_complete(void **state)
{
    shoal_setting_facts facts = SHOAL_SETTING_FACTS_INIT;
    shoal_setting_facts other = SHOAL_SETTING_FACTS_INIT;
    size_t count = 0;

    (void)state;
    for (; shoal_setting_describe(&facts, count); count++) {
        assert_facts(&facts);
        assert_range_told(&facts);
        for (size_t i = 0; i < count; i++) {
            assert_true(shoal_setting_describe(&other, i));
            assert_string_not_equal(facts.key, other.key);
        }
    }
    assert_int_equal(count, shoal_i_setting_count);
    for (count = 0; shoal_column_setting_describe(&facts, count); count++) {
        assert_facts(&facts);
    }
    assert_int_equal(count, SHOAL_I_COLUMN_SETTINGS);
    facts.struct_size = 0;
    assert_false(shoal_setting_describe(&facts, 0));
}

/* What a fresh spec has is what the table says. */
static void test_defaults_are_told(void **state)
{
    fixture *f = *state;
    shoal_setting_facts facts = SHOAL_SETTING_FACTS_INIT;
    shoal_i_buffer text;

    for (size_t i = 0; shoal_setting_describe(&facts, i); i++) {
        const shoal_i_setting *s = &shoal_i_settings[i];
        char *value = NULL;

        assert_false(shoal_i_setting_is_set(f->spec, s));
        assert_int_equal(shoal_spec_get(&f->ctx, &value, f->spec, facts.key, 0), SHOAL_OK);
        assert_texts_equal(value, facts.standard);
        free(value);
        if (facts.standard && !s->given && s->type != &shoal_i_type_method) {
            shoal_i_buffer_init(&text, &f->ctx, SHOAL_I_BUFFER_MAX);
            s->type->put(&text, f->spec, s, 0);
            assert_int_equal(shoal_i_buffer_take(&value, &text), SHOAL_OK);
            assert_string_equal(value, facts.standard);
            free(value);
        }
    }
}

/* --- Values. ------------------------------------------------------------------------------ */

static shoal_spec *set_one(fixture *f, const char *key, const char *value)
{
    shoal_spec *spec = NULL;

    assert_int_equal(shoal_spec_new(&f->ctx, &spec), SHOAL_OK);
    if (shoal_spec_set(&f->ctx, spec, key, value) != SHOAL_OK) {
        fail_msg("%s = %s: %s", key, value, f->ctx.error.message);
    }
    return spec;
}

/* A text in the quotes of YAML; the samples hold nothing else that needs escaping. */
static void quote(char out[TEXT_MOST], const char *text)
{
    *out++ = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            *out++ = '\\';
        }
        *out++ = *text;
    }
    *out++ = '"';
    *out = '\0';
}

/* What a file says for a setting: a level for each dot, and lists as lists. */
static void write_file(char *out, size_t capacity, const shoal_setting_facts *facts,
                       const char *value)
{
    char path[TEXT_MOST];
    char item[TEXT_MOST];
    size_t depth = 0;
    size_t length = 0;
    bool is_sweep = strcmp(facts->type, "sweep") == 0;

    snprintf(path, sizeof path, "%s%s",
             strcmp(facts->key, "privacy.k") == 0 ? "privacy.k.value" : facts->key,
             is_sweep ? "." : "");
    if (is_sweep) { /* KEY=VALUE */
        snprintf(path + strlen(path), sizeof path - strlen(path), "%.*s",
                 (int)strcspn(value, "="), value);
        value = strchr(value, '=') + 1;
    }
    for (char *level = path, *next = NULL; level; level = next) {
        next = strchr(level, '.');
        if (next) {
            *next++ = '\0';
        }
        length += (size_t)snprintf(out + length, capacity - length, "%*s%s:%s",
                                   (int)(2 * depth++), "", level, next ? "\n" : " ");
    }
    if (!facts->is_list) {
        quote(item, value);
        snprintf(out + length, capacity - length, "%s\n", item);
        return;
    }
    char copy[TEXT_MOST];

    snprintf(copy, sizeof copy, "%s", value);
    length += (size_t)snprintf(out + length, capacity - length, "[");
    for (char *at = copy, *next = NULL; at; at = next) {
        next = strchr(at, ',');
        if (next) {
            *next++ = '\0';
        }
        quote(item, at);
        length += (size_t)snprintf(out + length, capacity - length, "%s%s", item,
                                   next ? ", " : "]\n");
    }
}

static shoal_spec *read_one(fixture *f, const char *text)
{
    shoal_spec *spec = NULL;

    assert_int_equal(shoal_spec_new(&f->ctx, &spec), SHOAL_OK);
    if (shoal_spec_read_memory(&f->ctx, spec, text, strlen(text), "spec.yaml") != SHOAL_OK) {
        fail_msg("%s: %s", text, f->ctx.error.message);
    }
    return spec;
}

/* Every setting by key, by file, and by key again with what was got. */
static void test_every_setting_in_every_way(void **state)
{
    fixture *f = *state;
    shoal_setting_facts facts = SHOAL_SETTING_FACTS_INIT;
    char text[4 * TEXT_MOST];

    for (size_t i = 0; shoal_setting_describe(&facts, i); i++) {
        for (size_t v = 0; find_good(&facts, v); v++) {
            const char *value = find_good(&facts, v);
            shoal_spec *by_key = set_one(f, facts.key, value);
            char *got = NULL;

            write_file(text, sizeof text, &facts, value);
            shoal_spec *by_file = read_one(f, text);

            assert_specs_equal(by_key, by_file);
            assert_int_equal(shoal_i_spec_place(by_file, facts.key)->source != NULL, true);
            assert_null(shoal_i_spec_place(by_key, facts.key)->source);
            assert_int_equal(shoal_spec_get(&f->ctx, &got, by_key, facts.key, 0), SHOAL_OK);
            assert_non_null(got);

            shoal_spec *again = set_one(f, facts.key, got);

            assert_specs_equal(by_key, again);
            free(got);
            shoal_spec_free(again);
            shoal_spec_free(by_file);
            shoal_spec_free(by_key);
        }
    }
}

static char *write_yaml(fixture *f, const shoal_spec *spec)
{
    char *text = NULL;

    if (shoal_spec_write_yaml(&f->ctx, &text, spec) != SHOAL_OK) {
        fail_msg("%s", f->ctx.error.message);
    }
    return text;
}

/* The spec that its JSON, which is YAML too, reads back to. */
static shoal_spec *go_by_json(fixture *f, const shoal_spec *spec)
{
    char *text = NULL;

    if (shoal_spec_write_json(&f->ctx, &text, spec) != SHOAL_OK) {
        fail_msg("%s", f->ctx.error.message);
    }
    shoal_spec *back = read_one(f, text);

    free(text);
    return back;
}

/* What is refused: by key, with the key and what would do, and the spec as it was. */
static void assert_refused(fixture *f, const shoal_setting_facts *facts, const char *value)
{
    char *before = write_yaml(f, f->spec);
    shoal_status st = shoal_spec_set(&f->ctx, f->spec, facts->key, value);
    const shoal_error *error = &f->ctx.error;
    char *after = write_yaml(f, f->spec);

    if (st != SHOAL_EINVAL && st != SHOAL_ELIMIT) {
        fail_msg("%s = %s: taken", facts->key, value);
    }
    assert_string_equal(error->source, facts->key);
    bool is_named = value[0] == '\0' && (strstr(error->message, "has no name") ||
                                         strstr(error->message, "got nothing"));

    if (strcmp(facts->type, "number") == 0 || strcmp(facts->type, "whole number") == 0 ||
        strcmp(facts->type, "time") == 0 || strcmp(facts->type, "bytes") == 0 ||
        strcmp(facts->type, "delimiter") == 0 || strcmp(facts->type, "list of numbers") == 0) {
        if (!strstr(error->message, facts->range)) {
            fail_msg("%s = %s: \"%s\" does not say \"%s\"", facts->key, value, error->message,
                     facts->range);
        }
    } else if (facts->words && !strchr(value, ',')) {
        assert_true(strstr(error->message, facts->words[0]) || strstr(error->message, "mean"));
    } else if (strcmp(facts->type, "path") == 0 || strcmp(facts->type, "text") == 0) {
        assert_true(is_named);
    }
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static void test_values_out_of_range(void **state)
{
    fixture *f = *state;
    shoal_setting_facts facts = SHOAL_SETTING_FACTS_INIT;

    for (size_t i = 0; shoal_setting_describe(&facts, i); i++) {
        const sample *known = find_sample(&facts);

        for (size_t v = 0; known && v < 12 && known->bad[v]; v++) {
            assert_refused(f, &facts, known->bad[v]);
        }
        if (facts.words) {
            assert_refused(f, &facts, "nonsense");
        }
        /* And with a value in place, which stays. */
        assert_int_equal(shoal_spec_set(&f->ctx, f->spec, facts.key, find_good(&facts, 0)),
                         SHOAL_OK);
        for (size_t v = 0; known && v < 12 && known->bad[v]; v++) {
            assert_refused(f, &facts, known->bad[v]);
        }
    }
    char *value = NULL;

    assert_int_equal(shoal_spec_get(&f->ctx, &value, f->spec, "sed", 0), SHOAL_EINVAL);
    assert_null(value);
}

/* What only a file can say. */
static void test_beyond_one_line(void **state)
{
    fixture *f = *state;
    const char *text = "missing: {tokens: [\"a,b\"]}\n"
                       "columns: {z: {hierarchy: {prefix: 2, weights: {\"*\": 3}}}}\n"
                       "frontier: {sweep: {alpha: [\"0.5:HIV,TB\"], k: [3]}}\n";
    char *value = NULL;

    assert_int_equal(shoal_spec_read_memory(&f->ctx, f->spec, text, strlen(text), "spec.yaml"),
                     SHOAL_OK);
    assert_int_equal(shoal_spec_get(&f->ctx, &value, f->spec, "missing.tokens", 0),
                     SHOAL_EUNSUPPORTED);
    assert_int_equal(shoal_spec_get(&f->ctx, &value, f->spec, "frontier.sweep", 0),
                     SHOAL_EUNSUPPORTED);
    assert_int_equal(shoal_spec_get_column(&f->ctx, &value, f->spec, "z", "hierarchy"),
                     SHOAL_EUNSUPPORTED);
    assert_null(value);
    assert_int_equal(shoal_spec_get(&f->ctx, &value, f->spec, "frontier.sweep", 1), SHOAL_OK);
    assert_string_equal(value, "k=3");
    free(value);
    assert_int_equal(shoal_spec_get(&f->ctx, &value, f->spec, "frontier.sweep", 2), SHOAL_OK);
    assert_null(value);
    text = "missing: {tokens: []}\n";
    assert_int_equal(shoal_spec_read_memory(&f->ctx, f->spec, text, strlen(text), "spec.yaml"),
                     SHOAL_OK);
    assert_int_equal(shoal_spec_get(&f->ctx, &value, f->spec, "missing.tokens", 0),
                     SHOAL_EUNSUPPORTED);
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "a\xFF", SHOAL_ROLE_QUASI),
                     SHOAL_OK);
    assert_int_equal(shoal_spec_write_yaml(&f->ctx, &value, f->spec), SHOAL_EUNSUPPORTED);
    assert_null(value);
}

static void test_columns_are_told(void **state)
{
    fixture *f = *state;
    static const char *const facts[][2] = {
        {"role", "quasi"}, {"type", "integer"},     {"weight", "2.5"},
        {"grid", "0.25"},  {"hierarchy", "./flat"}, {"populations", "widths:5,10@-1"}};
    char *value = NULL;

    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "age", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_type(&f->ctx, f->spec, "age", "integer"), SHOAL_OK);
    assert_int_equal(shoal_spec_set_weight(&f->ctx, f->spec, "age", "2.5"), SHOAL_OK);
    assert_int_equal(shoal_spec_set_column(&f->ctx, f->spec, "age", "grid", "0.250"), SHOAL_OK);
    assert_int_equal(shoal_spec_set_hierarchy(&f->ctx, f->spec, "age", "./flat"), SHOAL_OK);
    assert_int_equal(shoal_spec_set_populations(&f->ctx, f->spec, "age", "widths:5,10@-1"),
                     SHOAL_OK);
    assert_int_equal(shoal_spec_column_count(f->spec), 1);
    assert_string_equal(shoal_spec_column_name(f->spec, 0), "age");
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(shoal_spec_get_column(&f->ctx, &value, f->spec, "age", facts[i][0]),
                         SHOAL_OK);
        assert_string_equal(value, facts[i][1]);
        free(value);
    }
    assert_int_equal(shoal_spec_get_column(&f->ctx, &value, f->spec, "sex", "role"), SHOAL_OK);
    assert_null(value);
    assert_int_equal(shoal_spec_get_column(&f->ctx, &value, f->spec, "age", "rule"),
                     SHOAL_EINVAL);
}

static void test_columns_are_set_by_key(void **state)
{
    fixture *f = *state;
    static const char *const facts[][2] = {{"role", "quasi"},
                                           {"type", "integer"},
                                           {"weight", "2.5"},
                                           {"hierarchy", "./flat"},
                                           {"populations", "widths:5,10@-1"},
                                           {"date_format", "DD.MM.YYYY"},
                                           {"decimal", ","},
                                           {"thousands", "space"},
                                           {"top", "90"},
                                           {"bottom", "-0.5"},
                                           {"round", "0.25"},
                                           {"truncate", "3"},
                                           {"generalize", "2"},
                                           {"same", "blanks,unicode"},
                                           {"coarsest", "3"},
                                           {"rename", "years"},
                                           {"rare", "5"}};
    char *value = NULL;

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        assert_int_equal(
            shoal_spec_set_column(&f->ctx, f->spec, "age", facts[i][0], facts[i][1]), SHOAL_OK);
        assert_int_equal(shoal_spec_get_column(&f->ctx, &value, f->spec, "age", facts[i][0]),
                         SHOAL_OK);
        assert_string_equal(value, facts[i][1]);
        free(value);
    }
    /* As the functions of one setting: another role contradicts the first. */
    assert_int_equal(shoal_spec_set_column(&f->ctx, f->spec, "age", "role", "sensitive"),
                     SHOAL_EINVAL);
    assert_non_null(strstr(f->ctx.error.message, "two roles"));
    assert_int_equal(shoal_spec_set_column(&f->ctx, f->spec, "age", "role", "quazi"),
                     SHOAL_EINVAL);
    assert_non_null(strstr(f->ctx.error.message, "did you mean"));
    assert_int_equal(shoal_spec_set_column(&f->ctx, f->spec, "age", "rule", "quasi"),
                     SHOAL_EINVAL);
}

/* --- Random specs. ------------------------------------------------------------------------ */

static const char *pick(shoal_i_random *random, const char *const *texts, size_t count)
{
    return texts[shoal_i_random_below(random, count)];
}

static void add_random_column(fixture *f, shoal_spec *spec, shoal_i_random *random)
{
    static const char *const names[] = {
        "age", "a b",  "a,b", "x=y",         "\"q\"",       "it's", "\xC3\xA4",
        "- x", "a: b", "#c",  "\t tab",      "line\nfeed",  "{a}",  "\xC2\x85",
        "[b",  "null", "~",   "back\\slash", "\xE2\x80\xA8"};
    static const char *const plans[] = {
        "flat",        "dates",         "prefix",          "prefix:5",
        "widths:5,10", "widths:0.5@-1", "breaks:18,40;40", "./flat",
        "a b/c.csv",   "./widths:1",    "/abs/x.csv",      "prefixes.csv"};
    static const char *const texts[][2] = {{"date_format", "DD.MM.YYYY"},
                                           {"decimal", ","},
                                           {"thousands", "'"},
                                           {"top", "90"},
                                           {"truncate", "3"}};
    static const char *const types[] = {"auto", "string", "integer", "real", "date"};
    const char *name = pick(random, names, sizeof names / sizeof *names);

    if (shoal_i_random_below(random, 2)) {
        /* Given another role before, the column keeps it. */
        (void)shoal_spec_set_role(&f->ctx, spec, name,
                                  (shoal_role)shoal_i_random_below(random, 4));
    }
    if (shoal_i_random_below(random, 2)) {
        assert_int_equal(shoal_spec_set_type(&f->ctx, spec, name, pick(random, types, 5)),
                         SHOAL_OK);
    }
    if (shoal_i_random_below(random, 2)) {
        assert_int_equal(shoal_spec_set_weight(&f->ctx, spec, name, "0.1"), SHOAL_OK);
    }
    if (shoal_i_random_below(random, 2)) {
        assert_int_equal(shoal_spec_set_hierarchy(&f->ctx, spec, name, pick(random, plans, 12)),
                         SHOAL_OK);
    }
    if (shoal_i_random_below(random, 4) == 0) {
        assert_int_equal(
            shoal_spec_set_populations(&f->ctx, spec, name, pick(random, plans, 12)), SHOAL_OK);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (shoal_i_random_below(random, 6) == 0) {
            assert_int_equal(
                shoal_spec_set_column(&f->ctx, spec, name, texts[i][0], texts[i][1]), SHOAL_OK);
        }
    }
}

/* Parts that only files can say. */
static const char *const file_parts[] = {
    "missing: {tokens: []}\n",
    "missing: {tokens: [\"a,b\", \"\"]}\n",
    "columns: {z: {hierarchy: {file: \"t t.csv\", weights: {\"N,S\": 3, \"*\": 9}}}}\n",
    "columns: {w: {hierarchy: {widths: [5, 10.5], origin: -3, weights: {a: 1}}}}\n",
    "columns: {v: {hierarchy: {breaks: [[1, 2, 3], [2]], weights: {a: 1}}}}\n",
    "columns: {u: {hierarchy: {prefix: 4, weights: {a: 1.5}}}}\n",
    "privacy: {alpha: {limits: {HIV: 0.2, \"TB, \\\"open\\\"\": 0.3}, column: \"a=b\"}}\n",
    "frontier: {sweep: {alpha: [\"0.5:HIV,TB\", 0.3], l: [\"distinct:3\"]}}\n",
    "columns: {t: {hierarchy: {file: flat}, populations: {widths: [5]}}}\n",
    "method: {name: bucketize, mode: relaxed, from: mondrian}\n",
};

static shoal_spec *make_random_spec(fixture *f, shoal_i_random *random)
{
    shoal_setting_facts facts = SHOAL_SETTING_FACTS_INIT;
    shoal_spec *spec = NULL;

    assert_int_equal(shoal_spec_new(&f->ctx, &spec), SHOAL_OK);
    for (size_t n = shoal_i_random_below(random, 3); n > 0; n--) {
        const char *part = pick(random, file_parts, sizeof file_parts / sizeof *file_parts);

        assert_int_equal(shoal_spec_read_memory(&f->ctx, spec, part, strlen(part), "part.yaml"),
                         SHOAL_OK);
    }
    for (size_t n = shoal_i_random_below(random, 5); n > 0; n--) {
        add_random_column(f, spec, random);
    }
    for (size_t n = shoal_i_random_below(random, 20); n > 0; n--) {
        size_t count = 0;

        assert_true(shoal_setting_describe(
            &facts, shoal_i_random_below(random, shoal_i_setting_count)));
        while (find_good(&facts, count)) {
            count++;
        }
        shoal_status st = shoal_spec_set(
            &f->ctx, spec, facts.key, find_good(&facts, shoal_i_random_below(random, count)));

        assert_true(st == SHOAL_OK || st == SHOAL_ELIMIT);
    }
    return spec;
}

static void test_to_yaml_and_back(void **state)
{
    fixture *f = *state;
    shoal_i_place places[SHOAL_I_SETTINGS_MAX];

    for (uint64_t seed = 0; seed < 600; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        shoal_spec *spec = make_random_spec(f, &random);
        char *text = write_yaml(f, spec);
        shoal_spec *back = read_one(f, text);
        char *again = write_yaml(f, back);
        shoal_spec *by_json = go_by_json(f, spec);
        shoal_spec *copy = NULL;

        assert_specs_equal(spec, back);
        assert_specs_equal(spec, by_json);
        assert_string_equal(text, again);
        shoal_spec_free(by_json);
        assert_int_equal(shoal_spec_copy(&f->ctx, &copy, back), SHOAL_OK);
        memcpy(places, back->places, sizeof places);
        shoal_spec_free(back); /* the copy shares nothing with it */
        for (size_t i = 0; i < shoal_i_setting_count; i++) {
            assert_texts_equal(copy->places[i].source, places[i].source ? "spec.yaml" : NULL);
            assert_int_equal(copy->places[i].line, places[i].line);
        }
        assert_specs_equal(spec, copy);
        free(text);
        free(again);
        shoal_spec_free(copy);
        shoal_spec_free(spec);
    }
}

/* Texts stay texts, and only levels of a hierarchy have nulls. */
static void test_json_is_a_tree_of_texts(void **state)
{
    fixture *f = *state;
    const char *text = "columns:\n  age: {role: quasi, weight: 2}\n  \"a \\\"b\\\"\\u0085\": "
                       "{role: sensitive, rename: \"null\", hierarchy: {levels: [[x, \"null\", "
                       "\"*\"], [null, \"*\", null]]}}\n"
                       "missing: {tokens: [\"null\", \"a,b\"]}\nprivacy: {k: 10}\n";
    char *json = NULL;

    assert_int_equal(shoal_spec_read_memory(&f->ctx, f->spec, text, strlen(text), "spec.yaml"),
                     SHOAL_OK);
    assert_int_equal(shoal_spec_write_json(&f->ctx, &json, f->spec), SHOAL_OK);
    assert_string_equal(
        json, "{\"columns\": {\"age\": {\"role\": \"quasi\", \"weight\": \"2\"}, "
              "\"a \\\"b\\\"\\u0085\": {\"role\": \"sensitive\", \"hierarchy\": {\"levels\": "
              "[[\"x\", \"null\", \"*\"], [null, \"*\", null]]}, \"rename\": \"null\"}}, "
              "\"missing\": {\"tokens\": [\"null\", \"a,b\"]}, \"privacy\": {\"k\": \"10\"}}");
    free(json);
    assert_int_equal(shoal_spec_write_json(&f->ctx, NULL, f->spec), SHOAL_EINVAL);
    assert_int_equal(shoal_spec_write_json(&f->ctx, &json, NULL), SHOAL_EINVAL);
    assert_null(json);
}

/* YAML takes keys of up to 1,024 characters as they are. */
static void test_long_names_read_back(void **state)
{
    fixture *f = *state;
    static const size_t lengths[] = {499, 500, 501, 1024, 1100, 5000};
    char name[5001];

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        memset(name, 'a' + (int)i, lengths[i]);
        name[lengths[i]] = '\0';
        assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, name, SHOAL_ROLE_QUASI),
                         SHOAL_OK);
    }
    char *text = write_yaml(f, f->spec);
    shoal_spec *back = read_one(f, text);
    char *json = NULL;

    assert_specs_equal(f->spec, back);
    assert_int_equal(shoal_spec_write_json(&f->ctx, &json, f->spec), SHOAL_OK);
    assert_non_null(strstr(json, name));
    free(json);
    free(text);
    shoal_spec_free(back);
}

/* A copy can be changed by itself. */
static void test_a_copy_stands_alone(void **state)
{
    fixture *f = *state;
    shoal_spec *copy = NULL;

    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "a", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_copy(&f->ctx, &copy, f->spec), SHOAL_OK);
    for (int i = 0; i < 40; i++) {
        char name[16];

        snprintf(name, sizeof name, "b%d", i);
        assert_int_equal(shoal_spec_set_weight(&f->ctx, copy, name, "2"), SHOAL_OK);
        assert_int_equal(shoal_spec_set(&f->ctx, copy, "frontier.sweep", "k=7"), SHOAL_OK);
    }
    assert_int_equal(shoal_spec_set(&f->ctx, copy, "privacy.l", "3"), SHOAL_OK);
    assert_int_equal(shoal_spec_column_count(f->spec), 1);
    assert_int_equal(f->spec->request_count, 0);
    assert_int_equal(f->spec->sweep.request_count, 0);
    assert_int_equal(shoal_spec_column_count(copy), 41);
    shoal_spec_free(copy);
}

/* --- Failing allocations. ----------------------------------------------------------------- */

static shoal_status go_round(shoal_ctx *ctx, void *payload)
{
    shoal_status st = SHOAL_OK;
    shoal_spec *copy = NULL;
    shoal_spec *back = NULL;
    char *text = NULL;
    char *value = NULL;

    SHOAL_TRY(shoal_spec_copy(ctx, &copy, payload));
    SHOAL_TRY(shoal_spec_write_json(ctx, &text, copy));
    free(text);
    text = NULL;
    SHOAL_TRY(shoal_spec_write_yaml(ctx, &text, copy));
    SHOAL_TRY(shoal_spec_new(ctx, &back));
    SHOAL_TRY(shoal_spec_read_memory(ctx, back, text, strlen(text), "spec.yaml"));
    SHOAL_TRY(shoal_spec_get(ctx, &value, back, "risk.thresholds", 0));
    free(value);
    SHOAL_TRY(shoal_spec_get_column(ctx, &value, back, "age", "hierarchy"));
done:
    free(value);
    free(text);
    shoal_spec_free(back);
    shoal_spec_free(copy);
    return st;
}

static void test_allocation_failures(void **state)
{
    fixture *f = *state;
    const char *text = "columns: {age: {hierarchy: {widths: [5], weights: {a: 1}}}}\n"
                       "privacy: {alpha: {limits: {HIV: 0.2}, column: ill}}\n";
    static const char *const pairs[][2] = {
        {"missing.tokens", "a,b"},       {"risk.thresholds", "0.1,0.2"},
        {"privacy.population", "p.csv"}, {"frontier.sweep", "alpha=0.5:HIV"},
        {"frontier.methods", "topdown"}, {"method", "mondrian"},
        {"privacy.k.column", "my_k"},    {"frontier.axes", "gcp,privacy_loss"},
    };

    assert_int_equal(shoal_spec_read_memory(&f->ctx, f->spec, text, strlen(text), "spec.yaml"),
                     SHOAL_OK);
    assert_int_equal(shoal_spec_set_hierarchy(&f->ctx, f->spec, "age", "widths:5,10"),
                     SHOAL_OK);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(shoal_spec_set(&f->ctx, f->spec, pairs[i][0], pairs[i][1]), SHOAL_OK);
    }
    assert_survives_failing_allocations(&f->ctx, go_round, f->spec);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_facts_are_complete),
        CASE(test_defaults_are_told),
        CASE(test_every_setting_in_every_way),
        CASE(test_values_out_of_range),
        CASE(test_beyond_one_line),
        CASE(test_columns_are_set_by_key),
        CASE(test_columns_are_told),
        CASE(test_to_yaml_and_back),
        CASE(test_json_is_a_tree_of_texts),
        CASE(test_long_names_read_back),
        CASE(test_a_copy_stands_alone),
        CASE(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

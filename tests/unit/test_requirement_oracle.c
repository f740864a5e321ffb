/* Every kind against tests/oracle/requirements.txt, which an independent script has computed in
 * exact arithmetic from the definitions. */
#include "context.h"
#include "requirement_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#ifndef SHOAL_ORACLE_FILE
#error "the build names the file"
#endif

#define LINE_LENGTH_MAX 512
#define NODES_MAX 64

typedef struct oracle_case {
    shoal_i_requirement item;
    fixture_column column;
    fixture_class class;
    uint32_t codes[VALUES_MAX];
    double limits[VALUES_MAX];
    uint32_t parents[NODES_MAX];
    size_t node_count;
    double figure;
    bool holds;
} oracle_case;

static size_t parse_numbers(double *out, size_t max, const char *text)
{
    size_t count = 0;

    for (const char *p = text; *p != '\0' && count < max; count++) {
        char *end = NULL;

        out[count] = strtod(p, &end);
        assert_ptr_not_equal(p, end);
        p = *end == ',' ? end + 1 : end;
    }
    return count;
}

static size_t parse_counts(uint32_t *out, size_t max, const char *text)
{
    double numbers[NODES_MAX] = {0};
    size_t count = parse_numbers(numbers, max, text);

    for (size_t i = 0; i < count; i++) {
        out[i] = (uint32_t)numbers[i];
    }
    return count;
}

static void parse_kind(oracle_case *c, char *text)
{
    char *variant = strchr(text, '/');

    if (variant) {
        *variant++ = '\0';
    }
    c->item.kind = variant ? shoal_i_requirement_find_variant(text, variant)
                           : shoal_i_requirement_find(text);
    assert_non_null(c->item.kind);
}

static void parse_word(oracle_case *c, char *word)
{
    char *value = strchr(word, '=');
    uint32_t counts[VALUES_MAX];

    assert_non_null(value);
    *value++ = '\0';
    if (strcmp(word, "kind") == 0) {
        parse_kind(c, value);
    } else if (strcmp(word, "totals") == 0) {
        fixture_make_column(&c->column, counts, parse_counts(counts, VALUES_MAX, value));
    } else if (strcmp(word, "class") == 0) {
        fixture_make_class(&c->class, counts, parse_counts(counts, VALUES_MAX, value));
    } else if (strcmp(word, "codes") == 0) {
        c->item.code_count = parse_counts(c->codes, VALUES_MAX, value);
    } else if (strcmp(word, "limits") == 0) {
        parse_numbers(c->limits, VALUES_MAX, value);
    } else if (strcmp(word, "tree") == 0) {
        c->node_count = parse_counts(c->parents, NODES_MAX, value);
    } else if (strcmp(word, "value") == 0) {
        c->item.value = strtod(value, NULL);
    } else if (strcmp(word, "c") == 0) {
        c->item.c = strtod(value, NULL);
    } else if (strcmp(word, "least") == 0) {
        c->item.least = strtod(value, NULL);
    } else if (strcmp(word, "population") == 0) {
        c->class.stats.population_size = (uint64_t)strtod(value, NULL);
    } else if (strcmp(word, "figure") == 0) {
        c->figure = strtod(value, NULL);
    } else {
        assert_string_equal(word, "holds");
        c->holds = strcmp(value, "yes") == 0;
    }
}

static shoal_hierarchy *build_tree(shoal_ctx *ctx, const oracle_case *c)
{
    static const char *const labels[] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                         "i", "j", "k", "l", "m", "n", "o", "p"};
    size_t values = c->column.column.value_count;
    uint32_t node_of_code[VALUES_MAX];
    shoal_hierarchy *h = NULL;

    assert_true(c->node_count <= sizeof labels / sizeof *labels);
    for (size_t i = 0; i < values; i++) {
        node_of_code[i] = (uint32_t)(c->node_count - values + i);
    }
    assert_int_equal(shoal_hierarchy_build_tree(ctx, &h, labels, c->parents, c->node_count,
                                                node_of_code, values),
                     SHOAL_OK);
    return h;
}

static void check_line(shoal_ctx *ctx, char *line, size_t number)
{
    oracle_case c = {0};
    shoal_hierarchy *h = NULL;
    shoal_i_requirement_set set = {0};
    double figure = -1;
    char *rest = NULL;

    for (char *word = strtok_r(line, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        parse_word(&c, word);
    }
    if (c.node_count > 0) {
        h = build_tree(ctx, &c);
    }
    c.column.column.hierarchy = h;
    c.column.column.totals = c.column.totals;
    c.item.column = &c.column.column;
    c.item.codes = c.codes;
    c.item.limits = c.limits;
    assert_int_equal(shoal_i_requirement_add_item(ctx, &set, &c.item), SHOAL_OK);
    bool holds = set.items[0].kind->check(&set.items[0], &c.class.stats, &figure);
    bool is_near = isinf(c.figure) ? figure == c.figure : fabs(figure - c.figure) < 1e-11;

    if (holds != c.holds || !is_near) {
        fail_msg("line %zu: got figure %.15f, holds %d", number, figure, holds);
    }
    /* No class that holds is smaller than the bound that methods prune by. */
    if (holds) {
        assert_true(shoal_i_requirement_smallest_class(&set) <= c.class.stats.size);
    }
    shoal_i_requirement_set_clear(&set);
    shoal_hierarchy_free(h);
}

static void test_all_lines(void **state)
{
    char line[LINE_LENGTH_MAX];
    size_t number = 0;
    FILE *file = fopen(SHOAL_ORACLE_FILE, "r");

    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        check_line(*state, line, ++number);
    }
    fclose(file);
    assert_true(number > 800);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_lines)};

    return cmocka_run_group_tests(tests, open_context, close_context);
}

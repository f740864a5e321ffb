/* Random tables with awkward values: what is written reads back as the same boxes, covers its
 * records, keeps the other columns, and its loss is that of the definitions computed slowly. */

#include "../unit/release_fixture.h"

#include "base/buffer.h"
#include "base/random.h"
#include "measure/measure.h"

#include <math.h>

#define COLUMNS_MAX 7
#define ROWS_MAX 60
#define NODES_MAX 64
#define SEEDS 250

/* --- Drawing a table. */

static const char *const texts[] = {
    "*",      "{a|b}", "a|b", "a",        "b",   "\\",   "\\N",       "{\\N}", "[1..2]", "1..2",
    "1-2",    " x",    "x ",  "x",        "?",   "a, b", "say \"q\"", "x\ny",  "{",      "}",
    "{a, b}", "NA",    "-",   "\xC3\xA9", "{*}", "all",  "group",     "|",     "{}",     "5"};
static const char *const reals[] = {"0.", ".5",  "-.5", "1e3", "1.50",
                                    "-7", "0.7", "+2",  "3E-2"};
static const char *const dates[] = {"2020-01-01", "2019-12-31", "0001-01-01", "9999-12-31",
                                    "2020-02-29"};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

typedef enum kind { KIND_INTEGER, KIND_REAL, KIND_DATE, KIND_FLAT, KIND_TREE, KINDS } kind;

static const char *draw_text(shoal_i_random *random, kind k, char scratch[32])
{
    switch (k) {
    case KIND_INTEGER:
        snprintf(scratch, 32, "%d", (int)shoal_i_random_below(random, 30) - 15);
        return scratch;
    case KIND_REAL:
        return reals[shoal_i_random_below(random, COUNT_OF(reals))];
    case KIND_DATE:
        return dates[shoal_i_random_below(random, COUNT_OF(dates))];
    default:
        return texts[shoal_i_random_below(random, COUNT_OF(texts))];
    }
}

static void put_quoted(shoal_i_buffer *csv, const char *text)
{
    shoal_i_buffer_char(csv, '"');
    for (; *text; text++) {
        shoal_i_buffer_text(csv, *text == '"' ? "\"\"" : (char[]){*text, '\0'});
    }
    shoal_i_buffer_char(csv, '"');
}

typedef struct drawn {
    fixture f;
    kind kinds[COLUMNS_MAX];
    size_t columns; /* quasi columns; one more column follows them */
    uint32_t groups[ROWS_MAX];
} drawn;

/* missing is the token of missing values, NULL for a table without any. */
static char *draw_csv(shoal_i_random *random, drawn *d, size_t rows, const char *missing)
{
    shoal_i_buffer csv;
    char scratch[32];

    shoal_i_buffer_init(&csv, &d->f.ctx, SHOAL_I_BUFFER_MAX);
    for (size_t c = 0; c <= d->columns; c++) {
        shoal_i_buffer_printf(&csv, "%sc%zu", c ? "," : "", c);
    }
    for (size_t row = 0; row < rows; row++) {
        for (size_t c = 0; c <= d->columns; c++) {
            kind k = c < d->columns ? d->kinds[c] : KIND_FLAT;
            bool is_missing = missing && shoal_i_random_below(random, 6) == 0;

            shoal_i_buffer_char(&csv, c ? ',' : '\n');
            put_quoted(&csv, is_missing ? missing : draw_text(random, k, scratch));
        }
    }
    shoal_i_buffer_char(&csv, '\n');
    char *text = NULL;

    assert_int_equal(shoal_i_buffer_take(&text, &csv), SHOAL_OK);
    return text;
}

static shoal_status set_types(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                              size_t count)
{
    static const shoal_type types[KINDS] = {SHOAL_TYPE_INTEGER, SHOAL_TYPE_REAL,
                                            SHOAL_TYPE_DATE, SHOAL_TYPE_STRING,
                                            SHOAL_TYPE_STRING};
    const drawn *d = payload;

    (void)ctx;
    for (size_t c = 0; c < count; c++) {
        columns[c].type = c < d->columns ? types[d->kinds[c]] : SHOAL_TYPE_STRING;
    }
    return SHOAL_OK;
}

/* A tree of random shape. Its groups have awkward labels, and some that of a value below. */
#define INNER 8
static const char *const group_labels[INNER] = {"{g|h}", "[1..9]", "1-9", "g*",
                                                "{g}",   "g\\",    " g",  "g"};

static bool is_drawn_below(const uint32_t *parents, uint32_t node, uint32_t above)
{
    while (node != above && node != 0) {
        node = parents[node];
    }
    return node == above;
}

/* The name of group i: that of value `code` if that is below and has lent its name to no other.
 */
static const char *draw_label(const char *const *labels, const uint32_t *parents, uint32_t i,
                              uint32_t leaf)
{
    for (uint32_t other = 0; other < i; other++) {
        if (labels[other] == labels[leaf]) {
            return group_labels[i];
        }
    }
    return is_drawn_below(parents, leaf, i) ? labels[leaf] : group_labels[i];
}

static shoal_hierarchy *draw_tree(shoal_i_random *random, drawn *d, size_t column)
{
    const shoal_table *table = d->f.table;
    uint32_t codes = (uint32_t)shoal_table_value_count(table, column) +
                     (shoal_table_missing_count(table, column) > 0);
    const char *labels[NODES_MAX] = {0};
    uint32_t parents[NODES_MAX] = {0};
    uint32_t node_of_code[NODES_MAX] = {0};
    shoal_hierarchy *h = NULL;

    for (uint32_t i = 1; i < INNER + codes; i++) {
        parents[i] = (uint32_t)shoal_i_random_below(random, i < INNER ? i : INNER);
    }
    for (uint32_t code = 0; code < codes; code++) {
        labels[INNER + code] = shoal_table_text(table, column, code, NULL);
        node_of_code[code] = INNER + code;
    }
    for (uint32_t i = 0; i < INNER; i++) {
        labels[i] = draw_label(labels, parents, i,
                               INNER + (uint32_t)shoal_i_random_below(random, codes));
    }
    assert_ok(&d->f, shoal_hierarchy_build_tree(&d->f.ctx, &h, labels, parents, INNER + codes,
                                                node_of_code, codes));
    return h;
}

static void draw(drawn *d, uint64_t seed)
{
    static const char *const tokens[] = {"!", "*", "[1..2]", "5", "{a|b}", "\\N"};
    const char *const missing[] = {tokens[seed / 2 % COUNT_OF(tokens)]};
    shoal_i_random random = shoal_i_random_start(seed);
    shoal_i_quasi_request requests[COLUMNS_MAX] = {{0}};
    size_t rows = 1 + shoal_i_random_below(&random, ROWS_MAX);
    size_t group_size = 1 + shoal_i_random_below(&random, 9);
    shoal_csv_options options = {.struct_size = sizeof options,
                                 .delimiter = ',',
                                 .missing_tokens = missing,
                                 .missing_token_count = 1,
                                 .configure = set_types,
                                 .configure_payload = d};

    memset(d, 0, sizeof *d);
    shoal_i_ctx_init(&d->f.ctx);
    d->f.ctx.threads = 1;
    d->columns = 1 + shoal_i_random_below(&random, COLUMNS_MAX);
    for (size_t c = 0; c < d->columns; c++) {
        d->kinds[c] = (kind)shoal_i_random_below(&random, KINDS);
    }
    char *csv = draw_csv(&random, d, rows, seed % 2 ? missing[0] : NULL);

    assert_ok(&d->f, shoal_csv_read_memory(&d->f.ctx, &d->f.table, csv, strlen(csv),
                                           "original.csv", &options));
    free(csv);
    for (size_t c = 0; c < d->columns; c++) {
        if (d->kinds[c] == KIND_TREE) {
            d->f.hierarchies[c] = draw_tree(&random, d, c);
        } else if (d->kinds[c] == KIND_FLAT) {
            assert_ok(&d->f, shoal_hierarchy_build_flat(&d->f.ctx, &d->f.hierarchies[c],
                                                        d->f.table, c));
        }
        requests[c] = (shoal_i_quasi_request){
            .column = c,
            .weight = 0.25 * (double)(1 + shoal_i_random_below(&random, 8)),
            .hierarchy = d->f.hierarchies[c]};
        d->f.roles[c] = SHOAL_ROLE_QUASI;
    }
    assert_ok(&d->f,
              shoal_i_quasi_build(&d->f.ctx, &d->f.quasi, d->f.table, requests, d->columns));
    for (size_t row = 0; row < rows; row++) {
        d->groups[row] = (uint32_t)(row / group_size);
    }
}

/* --- Loss by the definitions. */

typedef struct slow_loss {
    double ncp;
    double height;
    double full_height;
    double discernibility;
} slow_loss;

static bool is_below(const shoal_hierarchy *h, uint32_t node, uint32_t above)
{
    while (node != above && node != 0) {
        node = shoal_hierarchy_parent(h, node);
    }
    return node == above;
}

static bool is_same_class(const shoal_i_release *release, size_t a, size_t b)
{
    return release->box_of[a] == release->box_of[b];
}

/* The lowest node above all values of a record's class. */
static uint32_t find_node(const shoal_i_release *release, size_t c, size_t row)
{
    const shoal_hierarchy *h = release->quasi->columns[c].hierarchy;
    uint32_t node = shoal_hierarchy_leaf_node(h, shoal_i_quasi_code(release->quasi, c, row));

    for (size_t other = 0; other < release->row_count; other++) {
        uint32_t leaf =
            shoal_hierarchy_leaf_node(h, shoal_i_quasi_code(release->quasi, c, other));

        while (is_same_class(release, row, other) && !is_below(h, leaf, node)) {
            node = shoal_hierarchy_parent(h, node);
        }
    }
    return node;
}

static void add_category(slow_loss *loss, const shoal_i_release *release, size_t c, size_t row)
{
    const shoal_i_quasi_column *column = &release->quasi->columns[c];
    const shoal_hierarchy *h = column->hierarchy;
    uint32_t node = find_node(release, c, row);
    size_t below = 0;

    for (uint32_t leaf = 0; leaf < column->value_count; leaf++) {
        below += is_below(h, shoal_hierarchy_leaf_node(h, leaf), node);
    }
    if (below > 1) {
        loss->ncp += column->weight * (double)below / (double)column->value_count;
    }
    if (column->value_count > 1) {
        loss->height += shoal_hierarchy_node_height(h, node);
        loss->full_height += shoal_hierarchy_height(h);
    }
}

static void add_number(slow_loss *loss, const shoal_i_release *release, size_t c, size_t row)
{
    const shoal_i_quasi_column *column = &release->quasi->columns[c];
    const shoal_table *table = release->quasi->table;
    size_t values = shoal_table_value_count(table, c);
    double least = INFINITY;
    double most = -INFINITY;
    bool has_missing = false;

    for (size_t other = 0; other < release->row_count; other++) {
        uint32_t code = shoal_table_code(table, c, other);

        if (is_same_class(release, row, other) && code == values) {
            has_missing = true;
        } else if (is_same_class(release, row, other)) {
            least = fmin(least, shoal_table_number(table, c, code));
            most = fmax(most, shoal_table_number(table, c, code));
        }
    }
    bool is_wide = most > least || (has_missing && most >= least);

    if (has_missing && most >= least) {
        loss->ncp += column->weight;
    } else if (most > least) {
        loss->ncp += column->weight * (most - least) /
                     (shoal_table_number(table, c, (uint32_t)values - 1) -
                      shoal_table_number(table, c, 0));
    }
    loss->height += is_wide;
    loss->full_height += column->value_count > 1;
}

/* Whether the class of a record spans all values of every column that has several. */
static bool is_suppressed(const shoal_i_release *release, size_t row)
{
    size_t wide = 0;
    size_t spanned = 0;

    for (size_t c = 0; c < release->quasi->count; c++) {
        uint32_t values = release->quasi->columns[c].value_count;
        shoal_i_interval interval =
            release->boxes[release->box_of[row] * release->quasi->count + c];

        wide += values > 1;
        spanned += values > 1 && interval.hi - interval.lo + 1 == values;
    }
    return wide > 0 && spanned == wide;
}

static slow_loss measure_slowly(const shoal_i_release *release)
{
    slow_loss loss = {0};

    for (size_t row = 0; row < release->row_count; row++) {
        for (size_t c = 0; c < release->quasi->count; c++) {
            if (release->quasi->columns[c].hierarchy) {
                add_category(&loss, release, c, row);
            } else {
                add_number(&loss, release, c, row);
            }
        }
        for (size_t other = 0; other < release->row_count; other++) {
            loss.discernibility +=
                is_suppressed(release, row) || is_same_class(release, row, other);
        }
    }
    return loss;
}

static void assert_near(uint64_t seed, double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * (1 + fabs(b)))) {
        fail_msg("seed %u: %.17g is not %.17g", (unsigned)seed, a, b);
    }
}

static void test_loss_is_that_of_the_definitions(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        drawn d;
        shoal_i_loss loss;

        draw(&d, seed);
        shoal_i_release *release = fixture_release(&d.f, d.groups);
        slow_loss slow = measure_slowly(release);

        assert_ok(&d.f, shoal_i_loss_measure(&d.f.ctx, &loss, release, 3));
        assert_near(seed, loss.ncp, slow.ncp);
        assert_near(seed, loss.gcp,
                    slow.ncp / ((double)release->row_count * d.f.quasi->weight_sum));
        assert_near(seed, loss.distortion_ratio,
                    slow.full_height > 0 ? slow.height / slow.full_height : 0);
        assert_near(seed, loss.discernibility, slow.discernibility);
        assert_true(loss.gcp >= 0 && loss.gcp <= 1 + 1e-12);
        shoal_i_loss_clear(&loss);
        shoal_i_release_free(release);
        fixture_close(&d.f);
    }
}

/* --- Writing and reading back. */

/* The column after the quasi columns comes through unchanged. */
static void check_other_column(const drawn *d, const shoal_table *file,
                               const uint32_t *row_order)
{
    size_t last = shoal_table_column_count(file) - 1;

    for (size_t line = 0; line < shoal_table_row_count(file); line++) {
        uint32_t written = shoal_table_code(file, last, line);
        uint32_t original = shoal_table_code(d->f.table, d->columns, row_order[line]);

        assert_string_equal(shoal_table_text(file, last, written, NULL),
                            shoal_table_text(d->f.table, d->columns, original, NULL));
    }
}

static void check_boxes(uint64_t seed, const shoal_i_release *release,
                        const shoal_i_release *parsed, const uint32_t *row_order)
{
    size_t width = release->quasi->count;

    assert_int_equal(parsed->box_count, release->box_count);
    assert_int_equal(parsed->omitted, 0);
    for (size_t line = 0; line < parsed->row_count; line++) {
        const shoal_i_interval *a = parsed->boxes + parsed->box_of[line] * width;
        const shoal_i_interval *b = release->boxes + release->box_of[row_order[line]] * width;

        for (size_t c = 0; c < width; c++) {
            if (a[c].lo != b[c].lo || a[c].hi != b[c].hi) {
                fail_msg("seed %u, line %zu, column %zu: [%u, %u] is not [%u, %u]",
                         (unsigned)seed, line, c, a[c].lo, a[c].hi, b[c].lo, b[c].hi);
            }
        }
    }
}

/* Equal boxes have equal texts and different ones different texts, so the verifier, which knows
 * the texts alone, counts the same classes. */
static void check_verdict(drawn *d, const shoal_i_release *release, const shoal_table *file)
{
    size_t columns[FIXTURE_COLUMNS_MAX];
    size_t count = shoal_table_column_count(file) - 1;
    shoal_i_requirement_set set = {0};
    shoal_i_verdict verdict;
    uint32_t smallest = UINT32_MAX;

    for (size_t c = 0; c < count; c++) {
        columns[c] = c;
    }
    for (size_t b = 0; b < release->box_count; b++) {
        smallest = release->box_sizes[b] < smallest ? release->box_sizes[b] : smallest;
    }
    assert_ok(&d->f, shoal_i_requirement_add(&d->f.ctx, &set, &shoal_i_k_anonymity, smallest));
    assert_ok(&d->f, shoal_i_verify(&d->f.ctx, &verdict, file, columns, count, &set, NULL));
    assert_true(verdict.holds);
    assert_int_equal(verdict.classes, release->box_count);
    assert_int_equal(verdict.smallest_class, smallest);
}

static void check_round_trip(drawn *d, uint64_t seed, const shoal_i_release *release,
                             shoal_i_layout layout)
{
    uint32_t *row_order = NULL;
    char *text = fixture_write(&d->f, release, layout, &row_order);
    shoal_table *file = fixture_read(&d->f, text);
    shoal_i_release *parsed = NULL;

    assert_ok(&d->f, shoal_i_release_parse(&d->f.ctx, &parsed, d->f.quasi, file));
    check_boxes(seed, release, parsed, row_order);
    check_other_column(d, file, row_order);
    check_verdict(d, release, file);
    assert_ok(&d->f, shoal_i_verify_cover(&d->f.ctx, parsed, row_order));
    shoal_i_release_free(parsed);
    shoal_table_free(file);
    free(row_order);
    free(text);
}

static void test_what_is_written_reads_back(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        drawn d;

        draw(&d, seed);
        shoal_i_release *release = fixture_release(&d.f, d.groups);

        for (unsigned i = 0; i < 8; i++) {
            check_round_trip(
                &d, seed, release,
                (shoal_i_layout){
                    .numeric = i & 1 ? SHOAL_I_NUMERIC_MINMAX : SHOAL_I_NUMERIC_RANGE,
                    .categorical = i & 2 ? SHOAL_I_CATEGORICAL_SET : SHOAL_I_CATEGORICAL_LABEL,
                    .keep_order = i & 4,
                    .delimiter = ",;\t|"[seed % 4],
                });
        }
        shoal_i_release_free(release);
        fixture_close(&d.f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loss_is_that_of_the_definitions),
        cmocka_unit_test(test_what_is_written_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

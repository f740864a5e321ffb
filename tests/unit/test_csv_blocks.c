/* Random CSV texts against a slow parser, however they are cut into blocks and whoever works on
 * them. */
#include "slow_csv.h"
#include "table_tools.h"

#include "base/random.h"
#include "table/csv/csv_reader.h"

#include <stdlib.h>

#define TEXT_MAX 20000

typedef struct text {
    char bytes[TEXT_MAX];
    size_t size;
    char delimiter;
} text;

static void put(text *t, const char *bytes)
{
    size_t length = strlen(bytes);

    assert_true(t->size + length < TEXT_MAX);
    memcpy(t->bytes + t->size, bytes, length);
    t->size += length;
}

/* A field of random pieces, quoted where it must be and sometimes where it need not. */
static void put_field(text *t, shoal_i_random *random, bool may_quote)
{
    static const char *const pieces[] = {"a",
                                         "17",
                                         "x y",
                                         "\xC3\xA9",
                                         "\xF0\x9F\x90\x9F",
                                         "?",
                                         "-0.5",
                                         "a rather long piece of text",
                                         "'",
                                         "\r"};
    static const char *const special[] = {",", ";", "\t", "|", "\"\"", "\n", "\r\n"};
    size_t count = shoal_i_random_below(random, 4);
    bool is_quoted = may_quote && shoal_i_random_below(random, 4) == 0;

    if (is_quoted) {
        put(t, "\"");
    }
    for (size_t i = 0; i < count; i++) {
        if (is_quoted && shoal_i_random_below(random, 2) == 0) {
            put(t, special[shoal_i_random_below(random, 7)]);
        } else {
            /* The last piece may not stand for itself at the end of a line. */
            put(t, pieces[shoal_i_random_below(random, is_quoted ? 10 : 9)]);
        }
    }
    if (is_quoted) {
        put(t, "\"");
    }
}

static void put_header(text *t, size_t column_count)
{
    for (size_t c = 0; c < column_count; c++) {
        char name[32];
        char end[] = {c + 1 < column_count ? t->delimiter : '\n', '\0'};

        snprintf(name, sizeof name, c == 1 ? "\"column\n%zu\"" : "column %zu", c);
        put(t, name);
        put(t, end);
    }
}

static void put_record(text *t, shoal_i_random *random, size_t column_count, bool may_quote,
                       bool has_cr)
{
    for (size_t c = 0; c < column_count; c++) {
        char delimiter[] = {t->delimiter, '\0'};

        put_field(t, random, may_quote);
        put(t, c + 1 < column_count ? delimiter : has_cr ? "\r\n" : "\n");
    }
}

/* Put the record that starts at `start` so many times more. */
static void repeat_record(text *t, size_t start, size_t times)
{
    size_t size = t->size - start;

    for (; times > 0 && t->size + size < TEXT_MAX / 2; times--) {
        memcpy(t->bytes + t->size, t->bytes + start, size);
        t->size += size;
    }
}

static void make_text(text *t, shoal_i_random *random)
{
    static const char delimiters[] = {',', ';', '\t', '|'};
    size_t column_count = 1 + shoal_i_random_below(random, 5);
    size_t record_count = 1 + shoal_i_random_below(random, 40);
    bool may_quote = shoal_i_random_below(random, 3) > 0;
    bool has_cr = shoal_i_random_below(random, 4) == 0;
    bool has_blanks = shoal_i_random_below(random, 3) == 0;
    bool has_repeats = shoal_i_random_below(random, 2) == 0;

    t->size = 0;
    t->delimiter = delimiters[shoal_i_random_below(random, 4)];
    if (shoal_i_random_below(random, 4) == 0) {
        put(t, "\xEF\xBB\xBF");
    }
    put_header(t, column_count);
    for (size_t r = 0; r < record_count; r++) {
        size_t start = t->size;

        put_record(t, random, column_count, may_quote, has_cr);
        if (has_repeats) { /* as in a release sorted by its classes */
            repeat_record(t, start, shoal_i_random_below(random, 4));
        }
        if (has_blanks && shoal_i_random_below(random, 3) == 0) {
            put(t, has_cr ? "\r\n" : "\n");
        }
    }
    if (shoal_i_random_below(random, 2) == 0) {
        t->size--; /* the last record may lack its newline */
    }
}

static bool is_missing_token(const char *cell_text)
{
    return cell_text[0] == '\0' || strcmp(cell_text, "?") == 0;
}

/* Every cell as the slow parser has it, up to texts of equal numbers. */
static void assert_like_slow(const shoal_table *table, const slow_csv *csv)
{
    assert_int_equal(shoal_table_column_count(table), csv->column_count);
    assert_int_equal(shoal_table_row_count(table), csv->record_count - 1);
    for (size_t c = 0; c < csv->column_count; c++) {
        assert_string_equal(shoal_table_name(table, c), csv->cells[c]);
        for (size_t row = 0; row < csv->record_count - 1; row++) {
            const char *expected = csv->cells[(row + 1) * csv->column_count + c];
            uint32_t code = shoal_table_code(table, c, row);

            assert_int_equal(code == shoal_table_value_count(table, c),
                             is_missing_token(expected));
            assert_int_equal(
                shoal_table_find_code(table, c, expected, strlen(expected)) == code,
                !is_missing_token(expected) || strcmp(expected, cell(table, row, c)) == 0);
            if (shoal_table_type(table, c) == SHOAL_TYPE_STRING &&
                !is_missing_token(expected)) {
                assert_string_equal(cell(table, row, c), expected);
            }
            assert_int_equal(shoal_table_line(table, row), csv->lines[row + 1]);
        }
    }
}

static shoal_table *read_tuned(shoal_ctx *ctx, const text *t, size_t block_size,
                               shoal_i_csv_kind kind)
{
    shoal_csv_options options = {.struct_size = sizeof options, .delimiter = t->delimiter};
    shoal_i_csv_tuning tuning = {.block_size = block_size, .kind = kind};
    shoal_table *table = NULL;
    /* Of exactly its size, so that the sanitizer sees a read beyond the end. */
    char *bytes = malloc(t->size);

    memcpy(bytes, t->bytes, t->size);
    if (shoal_i_csv_read_tuned(ctx, &table, bytes, t->size, "random", &options, &tuning) !=
        SHOAL_OK) {
        print_error("%d:%d %s\n%.*s\n", (int)ctx->error.line, (int)ctx->error.column,
                    ctx->error.message, (int)t->size, t->bytes);
        fail();
    }
    free(bytes);
    return table;
}

static void test_random_texts(void **state)
{
    static const size_t block_sizes[] = {1, 2, 3, 7, 16, 63, 64, 65, 200, 1000};
    static const int threads[] = {1, 2, 5};
    shoal_ctx ctx;
    text *t = malloc(sizeof *t);

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < 240; i++) {
        shoal_i_random random = shoal_i_random_start(shoal_i_random_key(11, i));
        shoal_table *whole;
        slow_csv csv;

        make_text(t, &random);
        csv = slow_csv_parse(t->bytes, t->size, t->delimiter);
        ctx.threads = 1;
        whole = read_tuned(&ctx, t, 0, SHOAL_I_CSV_BEST);
        assert_like_slow(whole, &csv);
        for (size_t k = 0; k < 3; k++) {
            size_t block = block_sizes[shoal_i_random_below(&random, 10)];
            shoal_i_csv_kind kind = k == 0 ? SHOAL_I_CSV_PORTABLE : SHOAL_I_CSV_BEST;
            shoal_table *cut;

            ctx.threads = threads[(i + k) % 3];
            cut = read_tuned(&ctx, t, block, kind);
            assert_same_table(whole, cut);
            assert_like_slow(cut, &csv);
            shoal_table_free(cut);
        }
        shoal_table_free(whole);
        slow_csv_free(&csv);
    }
    shoal_i_ctx_clear(&ctx);
    free(t);
}

/* A text with everything in it, cut at every place that a block can be. */
static void test_every_block_size(void **state)
{
    text t = {.delimiter = ','};
    shoal_ctx ctx;
    shoal_table *whole;
    slow_csv csv;

    (void)state;
    put(&t, "\xEF\xBB\xBFname,\"a \"\"quoted\"\"\nname\",n\r\n"
            "anna,\"line one\r\nline two, \"\"and\"\" more\",1\r\n\r\n"
            "b\xC3\xA9la,\"\",2.50\r\n\n\"c\",\"\"\"\",007\r\n"
            "a value of more than thirty-two bytes,\"\xF0\x9F\x90\x9F\",?");
    csv = slow_csv_parse(t.bytes, t.size, ',');
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    whole = read_tuned(&ctx, &t, 0, SHOAL_I_CSV_BEST);
    assert_like_slow(whole, &csv);
    for (size_t size = 1; size <= t.size + 1; size++) {
        ctx.threads = 1 + (int)(size % 2);
        shoal_table *cut = read_tuned(&ctx, &t, size, SHOAL_I_CSV_BEST);

        assert_same_table(whole, cut);
        assert_like_slow(cut, &csv);
        shoal_table_free(cut);
    }
    shoal_table_free(whole);
    slow_csv_free(&csv);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_texts),
        cmocka_unit_test(test_every_block_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

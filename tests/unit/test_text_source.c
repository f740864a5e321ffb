#include "table_tools.h"

#include "table/csv/csv_reader.h"
#include "table/source/file_kind.h"
#include "table/source/text_source.h"

#include <iconv.h>

#define SIZE_MOST ((size_t)200000)

/* All of a text as UTF-8, read in blocks of `step`; *out has room for three times its size. */
static shoal_status read_source(shoal_ctx *ctx, char *out, size_t *out_size, const void *bytes,
                                size_t size, shoal_encoding encoding, size_t step)
{
    shoal_status st = SHOAL_OK;
    shoal_i_text_source *source = NULL;
    shoal_i_text_origin origin = {
        .bytes = bytes, .size = size, .name = "test.csv", .encoding = encoding};
    size_t got = step;

    *out_size = 0;
    SHOAL_TRY(shoal_i_text_source_open(ctx, &source, &origin));
    while (got == step) {
        SHOAL_TRY(shoal_i_text_source_read(ctx, &got, source, out + *out_size, step));
        *out_size += got;
    }
    assert_int_equal(shoal_i_text_source_size(source), size);
    assert_int_equal(shoal_i_text_source_taken(source), size);
done:
    shoal_i_text_source_free(source);
    return st;
}

/* The same by the C library. */
static size_t convert(char *out, const char *encoding, const char *bytes, size_t size)
{
    iconv_t conversion = iconv_open("UTF-8", encoding);
    char *in = (char *)(uintptr_t)bytes;
    char *to = out;
    size_t room = 4 * SIZE_MOST;

    assert_true(conversion != (iconv_t)-1);
    assert_true(iconv(conversion, &in, &size, &to, &room) != (size_t)-1);
    assert_int_equal(size, 0);
    iconv_close(conversion);
    return (size_t)(to - out);
}

typedef struct named_encoding {
    shoal_encoding encoding;
    const char *name; /* that iconv knows */
    size_t unit;
} named_encoding;

static const named_encoding encodings[] = {
    {SHOAL_ENCODING_LATIN1, "ISO-8859-1", 1},
    {SHOAL_ENCODING_WINDOWS_1252, "CP1252", 1},
    {SHOAL_ENCODING_UTF16LE, "UTF-16LE", 2},
    {SHOAL_ENCODING_UTF16BE, "UTF-16BE", 2},
};

static uint32_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* A byte that the encoding has. */
static char draw_byte(uint64_t *state, shoal_encoding encoding, bool is_plain)
{
    for (;;) {
        unsigned c = is_plain ? 1 + draw(state) % 127 : draw(state) % 256;
        bool is_sign = c >= 0x80 && c < 0xA0;

        if (c != 0 && (!is_sign || (encoding == SHOAL_ENCODING_WINDOWS_1252 && c != 0x81 &&
                                    c != 0x8D && c != 0x8F && c != 0x90 && c != 0x9D))) {
            return (char)c;
        }
    }
}

static size_t draw_units(char *out, size_t size, uint64_t *state, bool is_big, bool is_plain)
{
    size_t at = 0;

    while (at + 4 <= size) {
        uint32_t kind = is_plain ? 0 : draw(state) % 4;
        uint32_t unit = kind == 0   ? 1 + draw(state) % 127
                        : kind == 1 ? 0x80 + draw(state) % 0xD000
                        : kind == 2 ? 0xE000 + draw(state) % 0x1EFE
                                    : 0xD800 + draw(state) % 0x400;
        uint32_t second = 0xDC00 + draw(state) % 0x400;

        for (int part = 0; part < (kind == 3 ? 2 : 1); part++, unit = second) {
            out[at + (is_big ? 0 : 1)] = (char)(unit >> 8);
            out[at + (is_big ? 1 : 0)] = (char)unit;
            at += 2;
        }
    }
    return at;
}

static void test_as_the_c_library_does(void **state)
{
    static const size_t sizes[] = {4, 5, 8, 63, 4096, 32768, 32770, 70001, 200000};
    static const size_t steps[] = {1, 3, 1000, 65536};
    shoal_ctx ctx;
    uint64_t seed = 1;
    char *bytes = malloc(SIZE_MOST);
    char *expected = malloc(4 * SIZE_MOST);
    char *got = malloc(4 * SIZE_MOST);

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < 4 * 9 * 4 * 2; i++) {
        const named_encoding *e = &encodings[i % 4];
        size_t size = sizes[i / 4 % 9];
        size_t got_size = 0;
        bool is_plain = i / 144;

        if (e->unit == 2) {
            size =
                draw_units(bytes, size, &seed, e->encoding == SHOAL_ENCODING_UTF16BE, is_plain);
        }
        for (size_t b = 0; e->unit == 1 && b < size; b++) {
            bytes[b] = draw_byte(&seed, e->encoding, is_plain || b % 5);
        }
        size_t expected_size = convert(expected, e->name, bytes, size);

        assert_int_equal(
            read_source(&ctx, got, &got_size, bytes, size, e->encoding, steps[i / 36 % 4]),
            SHOAL_OK);
        assert_int_equal(got_size, expected_size);
        assert_memory_equal(got, expected, expected_size);
    }
    free(bytes);
    free(expected);
    free(got);
}

typedef struct beginning {
    const char *bytes;
    size_t size;
    shoal_encoding encoding;
    const char *text;    /* NULL: it fails */
    const char *message; /* then */
} beginning;

#define BYTES(literal) (literal), sizeof(literal) - 1

static void test_byte_order_marks(void **state)
{
    static const beginning cases[] = {
        {BYTES("\xFF\xFE"
               "a\0b\0"),
         SHOAL_ENCODING_AUTO, "ab", NULL},
        {BYTES("\xFE\xFF\0a\0b"), SHOAL_ENCODING_AUTO, "ab", NULL},
        {BYTES("\xFE\xFF\0a\0b"), SHOAL_ENCODING_UTF16, "ab", NULL},
        {BYTES("\xFE\xFF\0a\0b"), SHOAL_ENCODING_UTF16BE, "ab", NULL},
        {BYTES("\0a\0b"), SHOAL_ENCODING_UTF16BE, "ab", NULL},
        {BYTES("a\0b\0"), SHOAL_ENCODING_UTF16LE, "ab", NULL},
        {BYTES("\xEF\xBB\xBF"
               "ab"),
         SHOAL_ENCODING_AUTO,
         "\xEF\xBB\xBF"
         "ab",
         NULL},
        {BYTES("\xEF\xBB\xBF"
               "ab"),
         SHOAL_ENCODING_UTF8,
         "\xEF\xBB\xBF"
         "ab",
         NULL},
        {BYTES("ab"), SHOAL_ENCODING_AUTO, "ab", NULL},
        {BYTES(""), SHOAL_ENCODING_AUTO, "", NULL},
        {BYTES(""), SHOAL_ENCODING_LATIN1, "", NULL},
        {BYTES("\xFF\xFE"), SHOAL_ENCODING_AUTO, "", NULL},
        {BYTES("\xFE\xFF\0a\0b"), SHOAL_ENCODING_UTF16LE, NULL, "mark of UTF-16, but"},
        {BYTES("\xFF\xFE"
               "a\0"),
         SHOAL_ENCODING_LATIN1, NULL, "mark of UTF-16, but"},
        {BYTES("\xFF\xFE"
               "a\0"),
         SHOAL_ENCODING_UTF8, NULL, "mark of UTF-16, but"},
        {BYTES("\xEF\xBB\xBF"
               "ab"),
         SHOAL_ENCODING_WINDOWS_1252, NULL, "mark of UTF-8, but"},
        {BYTES("\xEF\xBB\xBF"
               "ab"),
         SHOAL_ENCODING_UTF16, NULL, "mark of UTF-8, but"},
        {BYTES("a\0b\0"), SHOAL_ENCODING_UTF16, NULL, "no byte order mark"},
        {BYTES("\xFF\xFE\0\0a\0\0\0"), SHOAL_ENCODING_AUTO, NULL, "The file is UTF-32"},
    };
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const beginning *c = &cases[i];
        char text[64];
        size_t size = 0;
        shoal_status st = read_source(&ctx, text, &size, c->bytes, c->size, c->encoding, 1);

        assert_int_equal(st, c->text ? SHOAL_OK : SHOAL_EFORMAT);
        if (c->text) {
            assert_int_equal(size, strlen(c->text));
            assert_memory_equal(text, c->text, size);
        } else {
            assert_non_null(strstr(ctx.error.message, c->message));
            assert_int_equal(ctx.error.line, 1);
            assert_string_equal(ctx.error.source, "test.csv");
        }
    }
}

/* Bytes that an encoding lacks, behind `lead` bytes of two lines. */
static void test_mistakes_have_a_place(void **state)
{
    static const beginning cases[] = {
        {BYTES("\x81"), SHOAL_ENCODING_WINDOWS_1252, NULL, "means nothing in Windows-1252"},
        {BYTES("\x80"), SHOAL_ENCODING_LATIN1, NULL, "control character in Latin-1"},
        {BYTES("\x9F"), SHOAL_ENCODING_LATIN1, NULL, "control character in Latin-1"},
        {BYTES("\0\xD8"
               "x\0"),
         SHOAL_ENCODING_UTF16LE, NULL, "half of a character stands"},
        {BYTES("\0\xDC"), SHOAL_ENCODING_UTF16LE, NULL, "half of a character stands"},
        {BYTES("\0\xD8"), SHOAL_ENCODING_UTF16LE, NULL, "ends with half of a character"},
        {BYTES("x"), SHOAL_ENCODING_UTF16LE, NULL, "odd number of bytes"},
        {BYTES("\xFE\xFF"), SHOAL_ENCODING_UTF16LE, NULL, "mark of the other order"},
    };
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const beginning *c = &cases[i];

        /* In the first block that is decoded, and far behind it. */
        for (size_t lead = 10; lead <= 70010; lead += 70000) {
            bool is_wide = c->encoding == SHOAL_ENCODING_UTF16LE;
            char *bytes = calloc(2 * lead + 8, 1);
            char *text = malloc(6 * lead + 100);
            size_t size = 0;

            for (size_t b = 0; b < lead; b++) {
                bytes[size] = b == lead - 3 || b == lead - 7 ? '\n' : 'x';
                size += is_wide ? 2 : 1;
            }
            memcpy(bytes + size, c->bytes, c->size);
            size += c->size;
            assert_int_equal(
                read_source(&ctx, text, &(size_t){0}, bytes, size, c->encoding, 99),
                SHOAL_EFORMAT);
            assert_non_null(strstr(ctx.error.message, c->message));
            assert_int_equal(ctx.error.line, 3);
            assert_int_equal(ctx.error.column, 3);
            free(bytes);
            free(text);
        }
    }
}

/* A text of UTF-8 that is said to be of one byte a letter, behind `lead` bytes of x and a line.
 */
static void assert_utf8_found(const char *end, size_t size, size_t lead, bool is_found)
{
    shoal_ctx ctx;
    char *bytes = malloc(lead + 1 + size);
    char *text = malloc(3 * (lead + 1 + size));

    shoal_i_ctx_init(&ctx);
    memset(bytes, 'x', lead);
    bytes[lead] = '\n';
    memcpy(bytes + lead + 1, end, size);
    for (int windows = 0; windows < 2; windows++) {
        shoal_status st =
            read_source(&ctx, text, &(size_t){0}, bytes, lead + 1 + size,
                        windows ? SHOAL_ENCODING_WINDOWS_1252 : SHOAL_ENCODING_LATIN1, 999);

        assert_int_equal(st, is_found ? SHOAL_EFORMAT : SHOAL_OK);
        if (is_found) {
            assert_non_null(strstr(ctx.error.message, "The text is UTF-8"));
            assert_int_equal(ctx.error.line, 2);
        }
    }
    free(bytes);
    free(text);
}

static void test_utf8_under_another_name(void **state)
{
    static const size_t leads[] = {0, 7, 8, 32760, 32765, 32766, 32767, 32768, 65530, 70000};

    (void)state;
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        size_t lead = leads[i];

        assert_utf8_found(BYTES("\xC3\xA4"), lead, true); /* ä */
        assert_utf8_found(BYTES("K\xC3\xB6ln\nM\xC3\xBCll\n"), lead, true);
        assert_utf8_found(BYTES("a\xE2\xA2\xACz"), lead, true);
        assert_utf8_found(BYTES("\xF0\xA0\xA1\xA2"), lead, true);
        assert_utf8_found(BYTES("plain"), lead, false);
        assert_utf8_found(BYTES("\xE4"), lead, false);           /* ä of Latin-1 */
        assert_utf8_found(BYTES("\xC3\xA4\xE4"), lead, false);   /* and behind such a pair */
        assert_utf8_found(BYTES("\xE4\n\xC3\xA4"), lead, false); /* before one */
        assert_utf8_found(BYTES("\xC3\xA4\nB\xE4r\n"), lead, false);
        assert_utf8_found(BYTES("\xC3x"), lead, false); /* cut off */
        assert_utf8_found(BYTES("\xE2\xA2x"), lead, false);
        assert_utf8_found(BYTES("\xC3\xC3\xA4"), lead, false);
        assert_utf8_found(BYTES("\xC3\xA4\xC3"), lead, false);
        assert_utf8_found(BYTES("\xC1\xA4"), lead, false); /* no byte of UTF-8 */
        assert_utf8_found(BYTES("\xF5\xA4\xA4\xA4"), lead, false);
        assert_utf8_found(BYTES("\xA4\xA4"), lead, false);
    }
    /* Where Latin-1 has a control character, that speaks for UTF-8, too: Ä is C3 84. */
    shoal_ctx ctx;
    char text[64];

    shoal_i_ctx_init(&ctx);
    assert_int_equal(read_source(&ctx, text, &(size_t){0}, BYTES("x\n\xC3\x84rzte\n"),
                                 SHOAL_ENCODING_LATIN1, 99),
                     SHOAL_EFORMAT);
    assert_non_null(strstr(ctx.error.message, "The text is UTF-8"));
    assert_int_equal(ctx.error.line, 2);
}

/* --- What the reader of CSV makes of it. -------------------------------------------------- */

/* Read with every size of block, which must not matter. */
static shoal_status read_tuned(shoal_ctx *ctx, shoal_table **out, const char *text, size_t size,
                               const shoal_csv_options *options, size_t block)
{
    return shoal_i_csv_read_tuned(ctx, out, text, size, "test.csv", options,
                                  &(shoal_i_csv_tuning){.block_size = block});
}

static void test_lines_before_the_header(void **state)
{
    static const char text[] = "Export \"of\n"
                               "# a comment with \"one\" and a half\"\n"
                               "#\n"
                               "name,note\n"
                               "#1,\"x\ny\"\n"
                               "b,2\n";
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t block = 1; block < 80; block++) {
        shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
        shoal_table *table = NULL;

        options.skip_lines = 1;
        options.comment = "#";
        assert_int_equal(read_tuned(&ctx, &table, text, sizeof text - 1, &options, block),
                         SHOAL_OK);
        assert_string_equal(shoal_table_name(table, 0), "name");
        assert_int_equal(shoal_table_row_count(table), 2);
        assert_string_equal(cell(table, 0, 0), "#1"); /* below the header it is a record */
        assert_string_equal(cell(table, 0, 1), "x\ny");
        assert_int_equal(shoal_table_line(table, 0), 5);
        assert_int_equal(shoal_table_line(table, 1), 7);
        shoal_table_free(table);

        /* Skipped by number alone. */
        options.skip_lines = 3;
        options.comment = NULL;
        assert_int_equal(read_tuned(&ctx, &table, text, sizeof text - 1, &options, block),
                         SHOAL_OK);
        assert_int_equal(shoal_table_line(table, 1), 7);
        shoal_table_free(table);
    }
}

static void test_mistakes_behind_skipped_lines(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t block = 1; block < 40; block++) {
        shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
        shoal_table *table = NULL;

        options.comment = "//";
        assert_int_equal(
            read_tuned(&ctx, &table, "//\n//\"\na,b\n1,2\n1\n", 16, &options, block),
            SHOAL_EFORMAT);
        assert_int_equal(ctx.error.line, 5);
        assert_int_equal(
            read_tuned(&ctx, &table, "//\n//\"\na,a\n1,2\n1,2\n", 18, &options, block),
            SHOAL_EFORMAT);
        assert_int_equal(ctx.error.line, 3);
        assert_int_equal(read_tuned(&ctx, &table, "//\n//", 5, &options, block), SHOAL_EFORMAT);
        assert_non_null(strstr(ctx.error.message, "the 2 lines before the header"));
        options.skip_lines = 9;
        assert_int_equal(read_tuned(&ctx, &table, "a\n1\n", 4, &options, block), SHOAL_EFORMAT);
    }
}

static void test_a_mark_in_the_middle(void **state)
{
    static const char text[] = "a\nx\n\xEF\xBB\xBF"
                               "a\ny\n";
    static const char kept[] = "a\n\"\xEF\xBB\xBFx\"\nb\xEF\xBB\xBFy\n";
    shoal_ctx ctx;
    shoal_table *table = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t block = 1; block < 20; block++) {
        assert_int_equal(read_tuned(&ctx, &table, text, sizeof text - 1, NULL, block),
                         SHOAL_EFORMAT);
        assert_int_equal(ctx.error.line, 3);
        assert_int_equal(ctx.error.column, 1);
        assert_non_null(strstr(ctx.error.message, "byte order mark"));
        assert_int_equal(read_tuned(&ctx, &table, kept, sizeof kept - 1, NULL, block),
                         SHOAL_OK);
        assert_int_equal(shoal_table_row_count(table), 2);
        shoal_table_free(table);
    }
}

typedef struct kind_case {
    const char *bytes;
    size_t size;
    const char *name; /* part of it; NULL: text */
} kind_case;

static void test_kinds_of_files(void **state)
{
    static const kind_case cases[] = {
        {BYTES("PK\x03\x04\x14\0\x06\0\x08\0[Content_Types].xml"), ".xlsx"},
        {BYTES(
             "PK\x03\x04\x14\0\0\0\0\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet"),
         ".ods"},
        {BYTES("PK\x03\x04\x14\0\0\0\0\0data.csv"), ".zip"},
        {BYTES("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0"), ".xls"},
        {BYTES("PAR1\x15\x04"), "Parquet"},
        {BYTES("$FL2@(#) SPSS DATA FILE\x02\0\0\0"), "SPSS"},
        {BYTES("<stata_dta><header><release>118</release>\0"), "Stata"},
        {BYTES("\x72\x02\x01\0\x05\0"), "Stata"},
        {BYTES("SQLite format 3\0\x10\0"), "SQLite"},
        {BYTES("%PDF-1.7\n"), "PDF"},
        {BYTES("ORC\x0A\x03\x00"), "ORC"},
        {BYTES("ORCID,age\n0000,24\n"), NULL},
        {BYTES("PAR1,x\n1,2\n"), NULL},
        {BYTES("r,s\n1,2\n"), NULL},
        {BYTES(""), NULL},
        {BYTES("%"), NULL},
    };
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_i_file_kind kind = {0};
        shoal_table *table = NULL;
        bool is_known = shoal_i_file_kind_find(&kind, cases[i].bytes, cases[i].size);

        assert_int_equal(is_known, cases[i].name != NULL);
        if (is_known) {
            assert_non_null(strstr(kind.name, cases[i].name));
            assert_int_equal(read_tuned(&ctx, &table, cases[i].bytes, cases[i].size, NULL, 0),
                             SHOAL_EFORMAT);
            assert_non_null(strstr(ctx.error.message, kind.advice));
        }
    }
}

static shoal_status read_utf16(shoal_ctx *ctx, void *payload)
{
    static const char text[] = "\xFF\xFE"
                               "a\0\n\0\xE4\0\n\0";
    shoal_table *table = NULL;
    shoal_status st = shoal_csv_read_memory(ctx, &table, text, sizeof text - 1, "x", NULL);

    (void)payload;
    shoal_table_free(table);
    return st;
}

static void test_allocation_failures(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_survives_failing_allocations(&ctx, read_utf16, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_the_c_library_does),
        cmocka_unit_test(test_byte_order_marks),
        cmocka_unit_test(test_mistakes_have_a_place),
        cmocka_unit_test(test_utf8_under_another_name),
        cmocka_unit_test(test_lines_before_the_header),
        cmocka_unit_test(test_mistakes_behind_skipped_lines),
        cmocka_unit_test(test_a_mark_in_the_middle),
        cmocka_unit_test(test_kinds_of_files),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "failing.h"

#include "base/random.h"
#include "table/csv/csv_scan.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_TOP 400

/* Bytes of which most matter to the scanner. */
static void fill(char *bytes, size_t size, shoal_i_random *random, bool is_plain)
{
    static const char alphabet[] = {',', ';', '\n', '"',        '\r',      'a',
                                    '1', ' ', '\0', (char)0x80, (char)0xFF};

    for (size_t i = 0; i < size; i++) {
        bytes[i] = alphabet[shoal_i_random_below(random, is_plain ? 8 : sizeof alphabet)];
    }
}

static bool has_bit(uint64_t word, size_t i)
{
    return word >> (i % 64) & 1;
}

/* Every bit against the byte it stands for. */
static void assert_scan_is_right(shoal_i_csv_kind kind, const char *bytes, size_t size,
                                 char delimiter)
{
    shoal_i_csv_masks masks[SIZE_TOP / 64 + 1];
    const shoal_i_csv_scanner *scanner = shoal_i_csv_scanner_find(kind);
    bool has_nul = false;
    bool has_high = false;

    if (!scanner) {
        return; /* not on this processor */
    }
    memset(masks, 0xAA, sizeof masks);
    shoal_i_csv_marks marks = shoal_i_csv_scan(masks, bytes, size, delimiter, scanner);

    for (size_t i = 0; i < shoal_i_csv_mask_count(size) * 64; i++) {
        bool is_inside = i < size;

        assert_int_equal(has_bit(masks[i / 64].delimiters, i),
                         is_inside && bytes[i] == delimiter);
        assert_int_equal(has_bit(masks[i / 64].newlines, i), is_inside && bytes[i] == '\n');
        assert_int_equal(has_bit(masks[i / 64].quotes, i), is_inside && bytes[i] == '"');
        has_nul |= is_inside && bytes[i] == '\0';
        has_high |= is_inside && (unsigned char)bytes[i] >= 0x80;
    }
    assert_int_equal(marks.has_nul, has_nul);
    assert_int_equal(marks.has_high, has_high);
}

static void test_kinds_agree(void **state)
{
    static const shoal_i_csv_kind kinds[] = {SHOAL_I_CSV_BEST, SHOAL_I_CSV_PORTABLE,
                                             SHOAL_I_CSV_SSE2, SHOAL_I_CSV_AVX2};
    shoal_i_random random = shoal_i_random_start(3);

    (void)state;
    for (size_t size = 0; size < SIZE_TOP; size++) {
        /* Of exactly its size and at an odd address. */
        char *bytes = malloc(size + 1);

        fill(bytes + 1, size, &random, size % 2 == 0);
        for (size_t k = 0; k < 4; k++) {
            assert_scan_is_right(kinds[k], bytes + 1, size, ',');
            assert_scan_is_right(kinds[k], bytes + 1, size, ' ');
        }
        free(bytes);
    }
}

/* A single byte in a long text, at every place. */
static void test_single_bytes(void **state)
{
    static const char single[] = {'\0', (char)0x80, '"', '\n', ','};
    char bytes[200];

    (void)state;
    for (size_t s = 0; s < sizeof single; s++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            memset(bytes, 'x', sizeof bytes);
            bytes[i] = single[s];
            assert_scan_is_right(SHOAL_I_CSV_BEST, bytes, sizeof bytes, ',');
            assert_scan_is_right(SHOAL_I_CSV_SSE2, bytes, sizeof bytes, ',');
            assert_scan_is_right(SHOAL_I_CSV_PORTABLE, bytes, sizeof bytes, ',');
        }
    }
}

/* The ends listed against a walk through the bytes, from a place in the middle of a text. */
static void assert_list_is_right(const shoal_i_csv_scanner *scanner, const char *bytes,
                                 size_t size)
{
    enum { FIRST = 1000, MASKS = SIZE_TOP / 64 + 1 };
    shoal_i_csv_masks masks[MASKS];
    uint32_t ends[SHOAL_I_CSV_ENDS(MASKS)];
    shoal_i_csv_state state = {0};
    shoal_i_csv_state expected = {0};
    size_t mask_count = shoal_i_csv_mask_count(size);
    size_t next = 0;

    shoal_i_csv_scan(masks, bytes, size, ',', scanner);
    size_t count = scanner->list(ends, masks, mask_count / 2, FIRST, &state);

    count += scanner->list(ends + count, masks + mask_count / 2, mask_count - mask_count / 2,
                           (uint32_t)(FIRST + mask_count / 2 * 64), &state);
    for (size_t i = 0; i < size; i++) {
        bool is_outside = expected.quotes % 2 == 0;

        expected.quotes += bytes[i] == '"';
        expected.line_count += bytes[i] == '\n';
        expected.record_count += bytes[i] == '\n' && is_outside;
        if ((bytes[i] == ',' || bytes[i] == '\n') && is_outside) {
            assert_true(next < count);
            assert_int_equal(ends[next++], FIRST + i);
        }
    }
    assert_int_equal(next, count);
    assert_int_equal(state.line_count, expected.line_count);
    assert_int_equal(state.record_count, expected.record_count);
    assert_int_equal(state.quotes != 0, expected.quotes != 0);
    assert_int_equal(state.inside != 0, expected.quotes % 2);
}

static void test_lists(void **state)
{
    static const shoal_i_csv_kind kinds[] = {SHOAL_I_CSV_BEST, SHOAL_I_CSV_PORTABLE};
    shoal_i_random random = shoal_i_random_start(6);
    char bytes[SIZE_TOP];

    (void)state;
    for (size_t size = 0; size < SIZE_TOP; size++) {
        for (size_t k = 0; k < 2; k++) {
            fill(bytes, size, &random, true);
            assert_list_is_right(shoal_i_csv_scanner_find(kinds[k]), bytes, size);
            memset(bytes, ',', size); /* as many as there can be */
            assert_list_is_right(shoal_i_csv_scanner_find(kinds[k]), bytes, size);
        }
    }
}

static void test_prefix_xor(void **state)
{
    shoal_i_random random = shoal_i_random_start(4);

    (void)state;
    for (size_t n = 0; n < 1000; n++) {
        uint64_t bits = shoal_i_random_u64(&random) & shoal_i_random_u64(&random);
        uint64_t result = shoal_i_csv_prefix_xor(bits);
        bool is_odd = false;

        for (size_t i = 0; i < 64; i++) {
            is_odd ^= has_bit(bits, i);
            assert_int_equal(has_bit(result, i), is_odd);
        }
    }
}

static void test_odd_quotes(void **state)
{
    shoal_i_random random = shoal_i_random_start(5);
    char bytes[SIZE_TOP];

    (void)state;
    for (size_t size = 0; size < SIZE_TOP; size++) {
        bool is_odd = false;

        fill(bytes, size, &random, true);
        for (size_t i = 0; i < size; i++) {
            is_odd ^= bytes[i] == '"';
        }
        assert_int_equal(shoal_i_csv_has_odd_quotes(bytes, size), is_odd);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_agree), cmocka_unit_test(test_single_bytes),
        cmocka_unit_test(test_lists),       cmocka_unit_test(test_prefix_xor),
        cmocka_unit_test(test_odd_quotes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

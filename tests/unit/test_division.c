/* Divisions by their public verbs: mondrian's release in parts is that of the whole; objects go
 * through bytes; what is wrong is told. */
#include "divided_case.h"

#include "job/division/portable.h"
#include "job/fragments/fragments.h"

static void read_whole(fixture *f, divided *d)
{
    *d = (divided){.ctx = &f->ctx, .spec = f->spec};
    assert_int_equal(shoal_csv_read(&f->ctx, &d->whole, f->input, NULL), SHOAL_OK);
}

/* --- The same as the whole. ------------------------------------------------------------- */

static void compare_with_whole(fixture *f, shoal_i_random *random, uint64_t most, size_t parts,
                               size_t *cuts)
{
    divided d;
    shoal_report *whole = NULL;
    shoal_status expected = shoal_anonymize(&f->ctx, &whole, f->spec, f->input, f->whole);

    read_whole(f, &d);
    d.part_count = parts;
    d.through_bytes = shoal_i_random_below(random, 2) == 0;
    deal_out(&d, random);
    assert_int_equal(run_divided(&d, most), expected);
    if (expected == SHOAL_OK) {
        *cuts += shoal_division_fragment_count(d.division) > 1;
        assert_true(d.outcome.holds);
        assert_int_equal(d.outcome.records, shoal_table_row_count(d.whole));
        assert_int_equal(d.outcome.classes, (uint64_t)shoal_report_figure(whole, "classes"));
        assert_int_equal(d.outcome.smallest_class,
                         (uint64_t)shoal_report_figure(whole, "smallest_class"));
        assert_true(fabs(d.outcome.gcp - shoal_report_figure(whole, "gcp")) < 1e-9);
        assert_true(fabs(d.outcome.ncp - shoal_report_figure(whole, "ncp")) < 1e-6);
        assert_published(&d, f->whole, f->output, ',');
    }
    forget(&d);
    shoal_report_free(whole);
}

static void test_mondrian_in_parts_is_mondrian(void **state)
{
    fixture *f = *state;
    size_t cuts = 0;

    for (uint64_t seed = 1; seed <= 40; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        size_t rows = 20 + (size_t)shoal_i_random_below(&random, 300);

        write_random(f, &random, rows, seed % 3 == 0);
        shoal_spec_free(f->spec);
        assert_int_equal(shoal_spec_new(&f->ctx, &f->spec), SHOAL_OK);
        ask_random(f, &random);
        set(f, "output.delimiter", ",");
        set(f, "method", "mondrian");
        compare_with_whole(f, &random, 12 + shoal_i_random_below(&random, rows),
                           1 + (size_t)shoal_i_random_below(&random, 7), &cuts);
    }
    assert_true(cuts >= 20);
}

static void test_mondrian_in_parts_under_each_demand(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i < DEMANDS; i++) {
        size_t cuts = 0;

        for (uint64_t seed = 1; seed <= 6; seed++) {
            shoal_i_random random = shoal_i_random_start(100 * i + seed);
            size_t rows = 120 + (size_t)shoal_i_random_below(&random, 300);

            write_ill(f, &random, rows);
            ask_ill(f, requirements[i], seed % 2 ? "2" : "5");
            set(f, "method", "mondrian");
            compare_with_whole(f, &random, rows / 3, 1 + seed % 4, &cuts);
        }
        if (cuts < 2) {
            fail_msg("%s %s was hardly cut: %zu", requirements[i][0], requirements[i][1], cuts);
        }
    }
}

/* --- Other methods. --------------------------------------------------------------------- */

/* The same fragments and the same release however the records are spread. */
static void test_every_method_does_not_depend_on_parts(void **state)
{
    static const char *const methods[] = {"best:effort=fast", "topdown", "bottomup",
                                          "specialize",       "hilbert", "cluster"};
    fixture *f = *state;
    size_t cuts = 0;

    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        shoal_i_random random = shoal_i_random_start(m + 1);
        uint64_t classes = 0;
        double ncp = 0;

        write_ill(f, &random, 400);
        ask_ill(f, requirements[m % DEMANDS], "4");
        set(f, "method", methods[m]);
        for (size_t parts = 1; parts <= 5; parts += 2) {
            divided d;

            read_whole(f, &d);
            d.part_count = parts;
            d.through_bytes = parts == 3;
            deal_out(&d, &random);
            assert_int_equal(run_divided(&d, 120), SHOAL_OK);
            assert_true(d.outcome.holds);
            cuts += shoal_division_fragment_count(d.division) > 1;
            if (parts > 1) {
                assert_int_equal(d.outcome.classes, classes);
                assert_true(d.outcome.ncp == ncp);
            }
            classes = d.outcome.classes;
            ncp = d.outcome.ncp;
            forget(&d);
        }
    }
    assert_true(cuts > 6);
}

/* A division that is not cut is solved as the whole is, from the same seed. */
static void test_seed_of_the_spec(void **state)
{
    fixture *f = *state;
    shoal_i_random random = shoal_i_random_start(1);
    line_list first = {0};
    size_t different = 0;

    write_ill(f, &random, 150);
    for (unsigned seed = 1; seed <= 3; seed++) {
        char text[8];
        size_t cuts = 0;
        line_list found = {0};

        snprintf(text, sizeof text, "%u", seed);
        ask_ill(f, requirements[0], "3");
        set(f, "method", "cluster");
        set(f, "seed", text);
        compare_with_whole(f, &random, 1000, seed, &cuts);
        assert_int_equal(cuts, 0);
        add_lines(seed == 1 ? &first : &found, f->whole);
        for (size_t i = 0; i < found.count; i++) {
            different += strcmp(first.list[i], found.list[i]) != 0;
        }
        clear_lines(&found);
    }
    assert_true(different > 0);
    clear_lines(&first);
}

/* --- Records that are left out. --------------------------------------------------------- */

static void test_dropped_records(void **state)
{
    fixture *f = *state;
    size_t cuts = 0;

    for (uint64_t seed = 1; seed <= 6; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);

        write_random(f, &random, 200, true);
        shoal_spec_free(f->spec);
        assert_int_equal(shoal_spec_new(&f->ctx, &f->spec), SHOAL_OK);
        ask_random(f, &random);
        set(f, "output.delimiter", ",");
        set(f, "method", "mondrian");
        set(f, "missing.action", "drop");
        shoal_report *whole = NULL;
        divided d;

        assert_int_equal(shoal_anonymize(&f->ctx, &whole, f->spec, f->input, f->whole),
                         SHOAL_OK);
        read_whole(f, &d);
        d.part_count = 3;
        deal_out(&d, &random);
        assert_int_equal(run_divided(&d, 60), SHOAL_OK);
        cuts += shoal_division_fragment_count(d.division) > 1;
        for (size_t row = 0; row < shoal_table_row_count(d.whole); row++) {
            size_t age = (size_t)shoal_table_find(d.whole, "age");
            bool is_missing =
                shoal_table_code(d.whole, age, row) == shoal_table_value_count(d.whole, age);

            assert_int_equal(d.fragment_of[row] == SHOAL_NO_FRAGMENT, is_missing);
        }
        assert_published(&d, f->whole, f->output, ',');
        forget(&d);
        shoal_report_free(whole);
        set(f, "missing.action", "error");
        read_whole(f, &d);
        d.part_count = 1;
        deal_out(&d, &random);
        assert_int_equal(build(&d), SHOAL_EFORMAT);
        assert_true(f->ctx.error.record >= 0);
        forget(&d);
    }
    assert_true(cuts >= 3);
}

/* --- What is wrong. --------------------------------------------------------------------- */

static void prepare(fixture *f, divided *d, const char *method)
{
    shoal_i_random random = shoal_i_random_start(5);

    write_ill(f, &random, 200);
    ask_ill(f, requirements[0], "3");
    set(f, "method", method);
    read_whole(f, d);
    d->part_count = 2;
    deal_out(d, &random);
    assert_int_equal(build(d), SHOAL_OK);
}

static void test_bytes_that_are_not_right(void **state)
{
    fixture *f = *state;
    divided d;
    char *bytes = NULL;
    size_t size = 0;
    shoal_division *read = NULL;
    shoal_values *values = NULL;

    prepare(f, &d, "mondrian");
    assert_int_equal(shoal_division_write_memory(&f->ctx, &bytes, &size, d.division), SHOAL_OK);
    for (size_t cut = 0; cut < size; cut += 1 + cut / 16) {
        assert_int_equal(shoal_division_read_memory(&f->ctx, &read, f->spec, bytes, cut),
                         SHOAL_EFORMAT);
        assert_null(read);
    }
    for (size_t i = 0; i < size; i += 1 + i / 16) {
        bytes[i] ^= 4;
        shoal_status st = shoal_division_read_memory(&f->ctx, &read, f->spec, bytes, size);

        assert_true(st == SHOAL_EFORMAT || (i >= 8 && i < 12 && st == SHOAL_EUNSUPPORTED) ||
                    (i >= 12 && i < 16 && st == SHOAL_EINVAL));
        assert_null(read);
        bytes[i] ^= 4;
    }
    bytes[8] = 9;
    assert_int_equal(shoal_division_read_memory(&f->ctx, &read, f->spec, bytes, size),
                     SHOAL_EUNSUPPORTED);
    assert_non_null(strstr(f->ctx.error.message, "version 9"));
    bytes[8] = SHOAL_I_PORTABLE_VERSION;
    assert_int_equal(shoal_values_read_memory(&f->ctx, &values, f->spec, bytes, size),
                     SHOAL_EINVAL);
    assert_non_null(strstr(f->ctx.error.message, "a division"));
    set(f, "privacy.k", "4");
    assert_int_equal(shoal_division_read_memory(&f->ctx, &read, f->spec, bytes, size),
                     SHOAL_EINVAL);
    assert_non_null(strstr(f->ctx.error.message, "another spec"));
    set(f, "privacy.k", "3");
    set(f, "threads", "3"); /* is no matter of parts */
    assert_int_equal(shoal_division_read_memory(&f->ctx, &read, f->spec, bytes, size),
                     SHOAL_OK);
    shoal_division_free(read);
    assert_int_equal(shoal_division_read_memory(&f->ctx, &read, f->spec, NULL, 0),
                     SHOAL_EINVAL);
    shoal_bytes_free(bytes);
    forget(&d);
}

static void test_values_that_the_division_lacks(void **state)
{
    fixture *f = *state;
    divided d;
    shoal_table *stranger = NULL;
    shoal_counts *counts = NULL;
    uint32_t fragments[2] = {0};
    static const char text[] = "age,town,zip,ill,own\n1,t0,05,d1,1\n2,Secretville,07,d1,1\n";

    prepare(f, &d, "mondrian");
    assert_int_equal(
        shoal_csv_read_memory(&f->ctx, &stranger, text, strlen(text), "stranger", NULL),
        SHOAL_OK);
    assert_int_equal(shoal_division_route(&f->ctx, fragments, d.division, stranger),
                     SHOAL_EFORMAT);
    assert_int_equal(f->ctx.error.record, 1);
    assert_int_equal(f->ctx.error.field, 1);
    assert_non_null(strstr(f->ctx.error.message, "\"town\""));
    assert_null(strstr(f->ctx.error.message, "Secretville"));
    size_t open = 0;

    assert_int_equal(shoal_division_cut(&f->ctx, &open, d.division, NULL, 50), SHOAL_OK);
    assert_int_equal(shoal_division_count(&f->ctx, &counts, d.division, stranger),
                     SHOAL_EFORMAT);
    assert_null(counts);
    shoal_table_free(stranger);
    static const char less[] = "age,town,ill,own\n1,t0,d1,1\n";

    assert_int_equal(
        shoal_csv_read_memory(&f->ctx, &stranger, less, strlen(less), "less", NULL), SHOAL_OK);
    assert_int_equal(shoal_division_count(&f->ctx, &counts, d.division, stranger),
                     SHOAL_ENOTFOUND);
    shoal_table_free(stranger);
    forget(&d);
}

static void test_counts_that_do_not_belong(void **state)
{
    fixture *f = *state;
    divided d;
    size_t open = 0;
    shoal_counts *first = NULL;
    shoal_counts *second = NULL;
    shoal_counts *later = NULL;

    prepare(f, &d, "topdown");
    assert_int_equal(shoal_division_cut(&f->ctx, &open, d.division, NULL, 60), SHOAL_OK);
    assert_int_equal(open, 1);
    assert_int_equal(shoal_division_count(&f->ctx, &first, d.division, d.parts[0]), SHOAL_OK);
    assert_int_equal(shoal_division_count(&f->ctx, &second, d.division, d.parts[1]), SHOAL_OK);
    assert_int_equal(shoal_counts_add(&f->ctx, first, second), SHOAL_OK);
    assert_int_equal(shoal_division_cut(&f->ctx, &open, d.division, first, 60), SHOAL_OK);
    assert_int_equal(shoal_division_cut(&f->ctx, &open, d.division, first, 60), SHOAL_EINVAL);
    assert_non_null(strstr(f->ctx.error.message, "other cuts"));
    assert_int_equal(shoal_division_count(&f->ctx, &later, d.division, d.parts[0]), SHOAL_OK);
    assert_int_equal(shoal_counts_add(&f->ctx, first, later), SHOAL_EINVAL);
    /* A part that is missing. */
    assert_int_equal(shoal_division_cut(&f->ctx, &open, d.division, later, 60), SHOAL_EINVAL);
    assert_non_null(strstr(f->ctx.error.message, "every part once"));
    shoal_counts_free(first);
    shoal_counts_free(second);
    shoal_counts_free(later);
    forget(&d);
}

static void test_records_of_other_fragments(void **state)
{
    fixture *f = *state;
    divided d;
    shoal_table *published = NULL;
    shoal_values *values = NULL;

    prepare(f, &d, "mondrian");
    assert_int_equal(cut(&d, 60), SHOAL_OK);
    assert_true(shoal_division_fragment_count(d.division) > 2);
    assert_int_equal(shoal_division_solve(&f->ctx, &published, NULL, d.division, d.whole, 0),
                     SHOAL_EINVAL);
    assert_non_null(strstr(f->ctx.error.message, "another fragment"));
    assert_int_equal(shoal_division_solve(&f->ctx, &published, NULL, d.division, d.whole, 4711),
                     SHOAL_EINVAL);
    assert_non_null(strstr(f->ctx.error.message, "no fragment 4711"));
    assert_int_equal(shoal_division_fragment_size(d.division, 4711), 0);
    assert_null(published);
    assert_int_equal(route(&d), SHOAL_OK);
    bool *keep = calloc(shoal_table_row_count(d.whole), sizeof *keep);
    shoal_table *fewer = NULL;
    bool is_first = true;

    for (size_t row = 0; row < shoal_table_row_count(d.whole); row++) {
        keep[row] = d.fragment_of[row] == 0 && !is_first;
        is_first = is_first && d.fragment_of[row] != 0;
    }
    assert_int_equal(shoal_table_filter(&f->ctx, &fewer, d.whole, keep), SHOAL_OK);
    assert_int_equal(shoal_division_solve(&f->ctx, &published, NULL, d.division, fewer, 0),
                     SHOAL_EINVAL);
    assert_non_null(strstr(f->ctx.error.message, "together"));
    shoal_table_free(fewer);
    free(keep);
    assert_int_equal(shoal_values_count(&f->ctx, &values, NULL, d.whole), SHOAL_EINVAL);
    assert_int_equal(shoal_values_count(&f->ctx, &values, f->spec, NULL), SHOAL_EINVAL);
    assert_int_equal(shoal_values_add(&f->ctx, NULL, NULL), SHOAL_EINVAL);
    assert_int_equal(shoal_division_build(&f->ctx, NULL, f->spec, NULL), SHOAL_EINVAL);
    assert_int_equal(shoal_division_cut(&f->ctx, NULL, d.division, NULL, 1), SHOAL_EINVAL);
    assert_int_equal(shoal_division_verify(&f->ctx, NULL, d.division, NULL), SHOAL_EINVAL);
    forget(&d);
}

/* What cannot be divided is said before any record is looked at. */
static void test_what_is_refused(void **state)
{
    static const char *const refused[][2] = {
        {"method", "incognito"}, {"method", "exact"}, {"output.numeric", "mean"}};
    fixture *f = *state;

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        shoal_i_random random = shoal_i_random_start(5);
        shoal_values *values = NULL;
        divided d;

        write_ill(f, &random, 30);
        ask_ill(f, requirements[0], "3");
        set(f, refused[i][0], refused[i][1]);
        read_whole(f, &d);
        assert_int_equal(shoal_values_count(&f->ctx, &values, f->spec, d.whole),
                         SHOAL_EUNSUPPORTED);
        forget(&d);
    }
}

/* --- Verifying. ------------------------------------------------------------------------- */

/* A class that is published twice in two parts is one; too small a class is told. */
static void test_classes_add_up(void **state)
{
    fixture *f = *state;
    divided d;
    static const char one[] = "age,town,zip,ill\n[1..3],t1,*,d1\n[1..3],t1,*,d2\n4,t1,*,d1\n"
                              "4,t1,*,d2\n4,t1,*,d3\n";
    static const char two[] = "age,town,zip,ill\n[1..3],t1,*,d3\n";
    shoal_table *tables[2] = {NULL, NULL};
    shoal_classes *classes[2] = {NULL, NULL};
    shoal_division_outcome outcome = SHOAL_DIVISION_OUTCOME_INIT;

    prepare(f, &d, "mondrian"); /* k is 3, and three different illnesses */
    assert_int_equal(shoal_csv_read_memory(&f->ctx, &tables[0], one, strlen(one), "one", NULL),
                     SHOAL_OK);
    assert_int_equal(shoal_csv_read_memory(&f->ctx, &tables[1], two, strlen(two), "two", NULL),
                     SHOAL_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(shoal_classes_count(&f->ctx, &classes[i], f->spec, tables[i]),
                         SHOAL_OK);
    }
    assert_int_equal(shoal_division_verify(&f->ctx, &outcome, d.division, classes[0]),
                     SHOAL_OK);
    assert_false(outcome.holds);
    assert_int_equal(outcome.classes, 2);
    assert_int_equal(outcome.smallest_class, 2);
    assert_int_equal(outcome.failing_classes, 1);
    assert_non_null(strstr(outcome.failing, "at least 3 records"));
    assert_int_equal(shoal_classes_add(&f->ctx, classes[0], classes[1]), SHOAL_OK);
    assert_int_equal(shoal_division_verify(&f->ctx, &outcome, d.division, classes[0]),
                     SHOAL_OK);
    assert_false(outcome.holds); /* these are not all records */
    assert_int_equal(outcome.classes, 2);
    assert_int_equal(outcome.smallest_class, 3);
    assert_non_null(strstr(outcome.failing, "6 records are published of 200"));
    outcome.struct_size = 3;
    assert_int_equal(shoal_division_verify(&f->ctx, &outcome, d.division, classes[0]),
                     SHOAL_EINVAL);
    for (size_t i = 0; i < 2; i++) {
        shoal_classes_free(classes[i]);
        shoal_table_free(tables[i]);
    }
    forget(&d);
}

/* --- What callers of it rely on. -------------------------------------------------------- */

/* A fragment that no class can hold in, which no cut would have made: the failure is that of
 * the records, and of no line of a file. */
static void test_a_fragment_that_cannot_be_solved(void **state)
{
    fixture *f = *state;
    divided d;
    shoal_table *published = NULL;

    prepare(f, &d, "mondrian");
    d.division->prepared.requirements.set.items[0].value = 1000; /* k */
    assert_int_equal(shoal_division_solve(&f->ctx, &published, NULL, d.division, d.whole, 0),
                     SHOAL_EUNSATISFIABLE);
    assert_int_equal(f->ctx.error.line, 0);
    assert_int_equal(f->ctx.error.column, 0);
    assert_null(published);
    forget(&d);
}

/* Rows that are taken over have the form of the fragments, not one that the caller may give
 * up. */
static void test_fragments_keep_the_form_of_rows(void **state)
{
    fixture *f = *state;
    divided d;
    shoal_i_fragments fragments = {.spec = f->spec};
    shoal_i_row_format own = {0};
    shoal_i_rows records = {0};
    size_t *fields = NULL;

    prepare(f, &d, "mondrian");
    fragments.spec = f->spec;
    fragments.division = d.division;
    fragments.prepared = &d.division->prepared;
    fragments.folder = f->folder;
    assert_int_equal(shoal_i_fragments_records(&f->ctx, &fragments.record_format,
                                               &fragments.fields, d.division->prepared.table,
                                               -1),
                     SHOAL_OK);
    assert_int_equal(
        shoal_i_fragments_records(&f->ctx, &own, &fields, d.division->prepared.table, -1),
        SHOAL_OK);
    assert_int_equal(shoal_i_rows_open(&f->ctx, &records, &own, f->folder), SHOAL_OK);
    assert_int_equal(shoal_i_fragments_init(&f->ctx, &fragments, &records), SHOAL_OK);
    shoal_i_row_format_clear(&own);
    free(fields);
    assert_ptr_equal(fragments.files[0].format, &fragments.record_format);
    assert_null(records.spool);
    shoal_i_fragments_clear(&fragments);
    forget(&d);
}

/* --- Memory. ---------------------------------------------------------------------------- */

static shoal_status run_failing(shoal_ctx *ctx, void *payload)
{
    divided *d = payload;
    shoal_status st;

    d->ctx = ctx;
    d->rounds = 0;
    st = run_divided(d, 16);
    end(d);
    return st;
}

static void test_failing_allocations(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i < 2; i++) {
        shoal_i_random random = shoal_i_random_start(7);
        divided d;

        write_ill(f, &random, 40);
        ask_ill(f, requirements[i == 0 ? 9 : 13],
                "3"); /* a hierarchy; a k of each record's own */
        set(f, "method", i == 0 ? "mondrian" : "topdown");
        f->ctx.threads = 1;
        read_whole(f, &d);
        d.part_count = 2;
        d.through_bytes = true;
        deal_out(&d, &random);
        assert_survives_failing_allocations(&f->ctx, run_failing, &d);
        forget(&d);
    }
}

/* The first column has a hierarchy that distances are measured along: whoever fails behind it
 * gives it up. */
static void test_failing_with_a_hierarchy_first(void **state)
{
    static const char text[] = "ill,age\nd1,1\nd2,2\ne1,3\nd1,4\ne2,5\nd2,6\ne1,7\nd1,8\n";
    fixture *f = *state;
    shoal_i_random random = shoal_i_random_start(1);
    divided d = {.ctx = &f->ctx, .part_count = 2, .through_bytes = true};

    set_role(f, "ill", SHOAL_ROLE_SENSITIVE);
    set_role(f, "age", SHOAL_ROLE_QUASI);
    assert_int_equal(shoal_spec_set_hierarchy(&f->ctx, f->spec, "ill", "prefix:1"), SHOAL_OK);
    set(f, "privacy.k", "2");
    set(f, "privacy.t", "hierarchical:0.9");
    set(f, "method", "mondrian");
    f->ctx.threads = 1;
    d.spec = f->spec;
    assert_int_equal(shoal_csv_read_memory(&f->ctx, &d.whole, text, strlen(text), "text", NULL),
                     SHOAL_OK);
    deal_out(&d, &random);
    assert_notices_failing_allocations(&f->ctx, run_failing, &d);
    /* Every allocation of reading, one by one. */
    char *bytes = NULL;
    size_t size = 0;
    shoal_status st = SHOAL_ENOMEM;

    assert_int_equal(build(&d), SHOAL_OK);
    assert_int_equal(shoal_division_write_memory(&f->ctx, &bytes, &size, d.division), SHOAL_OK);
    for (int64_t n = 0; st != SHOAL_OK; n++) {
        shoal_division *read = NULL;

        f->ctx.alloc_budget = n;
        st = shoal_division_read_memory(&f->ctx, &read, f->spec, bytes, size);
        shoal_division_free(read);
        assert_true(st == SHOAL_OK || st == SHOAL_ENOMEM);
    }
    f->ctx.alloc_budget = -1;
    shoal_bytes_free(bytes);
    forget(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_mondrian_in_parts_is_mondrian),
        TEST(test_mondrian_in_parts_under_each_demand),
        TEST(test_every_method_does_not_depend_on_parts),
        TEST(test_seed_of_the_spec),
        TEST(test_dropped_records),
        TEST(test_bytes_that_are_not_right),
        TEST(test_values_that_the_division_lacks),
        TEST(test_counts_that_do_not_belong),
        TEST(test_records_of_other_fragments),
        TEST(test_what_is_refused),
        TEST(test_classes_add_up),
        TEST(test_a_fragment_that_cannot_be_solved),
        TEST(test_fragments_keep_the_form_of_rows),
        TEST(test_failing_allocations),
        TEST(test_failing_with_a_hierarchy_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

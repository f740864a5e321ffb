/* Divisions by their public verbs where a person may have several records: parts of whole
 * persons are released as a run within a limit of memory does it, byte for byte, and as the
 * whole where that is promised; classes are counted by definition; persons that lie in two
 * parts are found out.
 *
 * The linker puts a function of this program before the one that tells methods whose records
 * are whose (--wrap, see job.cmake): it may keep that from them. */
#include "base/hash.h"
#include "divided_case.h"
#include "persons_case.h"

#include "job/division/classes.h"
#include "job/division/values.h"

#include <pthread.h>

static bool is_lying;

shoal_status __real_shoal_i_tally_source_init_persons(
    shoal_ctx *ctx, shoal_i_tally_source *out, const shoal_i_requirement_set *set,
    const shoal_i_sensitive *sensitive, size_t sensitive_count, const uint32_t *record_k,
    const shoal_i_persons *persons, size_t row_count);
shoal_status __wrap_shoal_i_tally_source_init_persons(
    shoal_ctx *ctx, shoal_i_tally_source *out, const shoal_i_requirement_set *set,
    const shoal_i_sensitive *sensitive, size_t sensitive_count, const uint32_t *record_k,
    const shoal_i_persons *persons, size_t row_count);

shoal_status __wrap_shoal_i_tally_source_init_persons(
    shoal_ctx *ctx, shoal_i_tally_source *out, const shoal_i_requirement_set *set,
    const shoal_i_sensitive *sensitive, size_t sensitive_count, const uint32_t *record_k,
    const shoal_i_persons *persons, size_t row_count)
{
    return __real_shoal_i_tally_source_init_persons(ctx, out, set, sensitive, sensitive_count,
                                                    record_k, is_lying ? NULL : persons,
                                                    row_count);
}

/* What joins values, which persons may have several of. */
static const char *const joining[] = {"privacy.alpha", "0.8:d1,d2"};

static void read_whole(fixture *f, divided *d, size_t parts)
{
    *d = (divided){.ctx = &f->ctx, .spec = f->spec, .person = "who", .part_count = parts};
    assert_int_equal(shoal_csv_read(&f->ctx, &d->whole, f->input, NULL), SHOAL_OK);
}

static size_t count_persons(const divided *d)
{
    size_t column = (size_t)shoal_table_find(d->whole, "who");

    return shoal_table_value_count(d->whole, column) +
           shoal_table_missing_count(d->whole, column);
}

/* All published lines, fragment after fragment. */
static size_t read_published(line *lines, divided *d, const char *scratch)
{
    size_t count = 0;

    for (size_t i = 0; i < shoal_division_fragment_count(d->division); i++) {
        assert_int_equal(shoal_csv_write(d->ctx, d->published[i], scratch, ','), SHOAL_OK);
        count += read_release(lines + count, scratch);
    }
    return count;
}

/* --- The same as within a limit of memory, and as the whole. ---------------------------- */

typedef struct tries {
    size_t cut;
    size_t others; /* other releases than that of the whole */
    size_t rejected;
} tries;

static void compare(fixture *f, shoal_i_random *random, uint64_t most, size_t parts, tries *t)
{
    divided d;
    shoal_report *report = NULL;
    shoal_report *whole = NULL;
    shoal_status in_memory = shoal_anonymize(&f->ctx, &whole, f->spec, f->input, f->whole);
    shoal_status limited =
        anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, (size_t)most);
    bool is_joined =
        limited == SHOAL_ELIMIT && strstr(f->ctx.error.message, "came to look alike") != NULL;

    read_whole(f, &d, parts);
    d.through_bytes = shoal_i_random_below(random, 2) == 0;
    deal_out(&d, random);
    shoal_status st = run_divided(&d, most);

    if (limited == SHOAL_ELIMIT && st == SHOAL_OK) {
        assert_int_equal(d.outcome.holds, !is_joined); /* else a fragment that is too large */
        assert_int_equal(d.outcome.only_joined_fail, is_joined);
        t->rejected += is_joined;
    } else {
        assert_int_equal(st, limited);
        assert_int_equal(st, in_memory);
    }
    if (st == SHOAL_OK && limited == SHOAL_OK) {
        assert_true(d.outcome.holds);
        assert_false(d.outcome.only_joined_fail);
        assert_int_equal(d.outcome.persons, count_persons(&d));
        assert_int_equal(shoal_division_person_count(d.division), count_persons(&d));
        assert_int_equal(d.outcome.persons, (uint64_t)shoal_report_figure(report, "persons"));
        assert_int_equal(d.outcome.fewest_persons,
                         (uint64_t)shoal_report_figure(report, "fewest_persons"));
        assert_int_equal(d.outcome.classes, (uint64_t)shoal_report_figure(report, "classes"));
        assert_true(fabs(d.outcome.ncp - shoal_report_figure(report, "ncp")) < 1e-6);
        t->cut += shoal_division_fragment_count(d.division) > 1;
        t->others += !are_same_bytes(f->whole, f->output);
        assert_published(&d, f->output, f->whole, ',');
    }
    forget(&d);
    shoal_report_free(report);
    shoal_report_free(whole);
}

static void test_mondrian_in_parts_under_each_demand(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i <= DEMANDS; i++) {
        const char *const *demand = i < DEMANDS ? requirements[i] : joining;
        bool monotone = strcmp(demand[1], "distinct:3") == 0 || strcmp(demand[1], "own") == 0;
        tries t = {0};

        for (uint64_t seed = 1; seed <= rounds(2, 8); seed++) {
            shoal_i_random random = shoal_i_random_start(100 * i + seed);
            size_t rows = 150 + (size_t)shoal_i_random_below(&random, 400);
            size_t most = rows / (2 + (size_t)shoal_i_random_below(&random, 3));

            write_persons(f, &random, rows, 1 + (unsigned)shoal_i_random_below(&random, 6),
                          seed % 3 == 0);
            ask_persons(f, demand, seed % 2 ? "2" : "5");
            set(f, "method", "mondrian");
            compare(f, &random, most, 1 + seed % 5, &t);
        }
        if (t.cut < rounds(1, 2) || t.rejected > 2) {
            fail_msg("%s %s: %zu were cut, %zu rejected", demand[0], demand[1], t.cut,
                     t.rejected);
        }
        assert_true(t.others <= (monotone ? 0 : 1));
    }
}

/* --- All methods. ----------------------------------------------------------------------- */

/* The same fragments and the same release however persons are spread, and classes that hold by
 * definition. */
static void test_every_method_does_not_depend_on_parts(void **state)
{
    static const char *const methods[] = {"best:effort=fast", "topdown", "bottomup", "mondrian",
                                          "specialize",       "hilbert", "cluster"};
    fixture *f = *state;
    size_t cut = 0;

    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        for (size_t with_nobody = 0; with_nobody < 2; with_nobody++) {
            shoal_i_random random = shoal_i_random_start(m + 1);
            line *lines = calloc(PERSONS_MAX, sizeof *lines);

            write_persons(f, &random, 400, 6, with_nobody == 1);
            ask_persons(f, requirements[0], "4");
            set(f, "method", methods[m]);
            set(f, "suppress", with_nobody == 1 ? "0.05" : "0");
            for (size_t parts = 1; parts <= rounds(3, 5); parts += 2) {
                divided d;

                read_whole(f, &d, parts);
                d.through_bytes = parts == 3;
                deal_out(&d, &random);
                assert_int_equal(run_divided(&d, 150), SHOAL_OK);
                assert_true(d.outcome.holds);
                assert_int_equal(read_published(lines, &d, f->output), 400);
                assert_int_equal(d.outcome.fewest_persons, assert_lines(lines, 400, 4, 3));
                cut += shoal_division_fragment_count(d.division) > 1;
                if (parts == 1) {
                    /* One file of all. */
                    FILE *file = fopen(f->whole, "wb");

                    for (size_t i = 0; i < shoal_division_fragment_count(d.division); i++) {
                        size_t size = 0;

                        assert_int_equal(shoal_csv_write(d.ctx, d.published[i], f->output, ','),
                                         SHOAL_OK);
                        char *bytes = read_file(f->output, &size);
                        char *body = i == 0 ? bytes : strchr(bytes, '\n') + 1;

                        fwrite(body, 1, size - (size_t)(body - bytes), file);
                        free(bytes);
                    }
                    fclose(file);
                } else {
                    assert_published(&d, f->whole, f->output, ',');
                }
                forget(&d);
            }
            free(lines);
        }
    }
    assert_true(cut > rounds(24, 36));
}

/* --- Persons in several parts. ---------------------------------------------------------- */

static void prepare(fixture *f, divided *d, const char *const demand[2], uint64_t seed)
{
    shoal_i_random random = shoal_i_random_start(seed);

    write_persons(f, &random, 300, 4, false);
    ask_persons(f, demand, "3");
    set(f, "method", "mondrian");
    read_whole(f, d, 3);
    deal_out(d, &random);
}

static void test_a_person_in_two_parts_is_told_when_values_are_added(void **state)
{
    fixture *f = *state;
    divided d;

    prepare(f, &d, requirements[0], 3);
    for (size_t p = 0; p < d.part_count; p++) {
        shoal_table_free(d.parts[p]);
    }
    free(d.part_of);
    free(d.place_of);
    free(d.fragment_of);
    d.person = NULL;
    shoal_i_random random = shoal_i_random_start(3);

    deal_out(&d, &random);
    assert_int_equal(build(&d), SHOAL_EINVAL);
    assert_non_null(strstr(f->ctx.error.message, "A person has records in two parts"));
    shoal_values *first = NULL;
    shoal_values *second = NULL;

    /* It is as it was: the other part still cannot be added. */
    assert_int_equal(shoal_values_count(&f->ctx, &first, f->spec, d.parts[0]), SHOAL_OK);
    assert_int_equal(shoal_values_count(&f->ctx, &second, f->spec, d.parts[1]), SHOAL_OK);
    uint64_t records = shoal_values_record_count(first);
    uint64_t persons = shoal_values_person_count(first);

    assert_int_equal(shoal_values_add(&f->ctx, first, second), SHOAL_EINVAL);
    assert_int_equal(shoal_values_record_count(first), records);
    assert_int_equal(shoal_values_person_count(first), persons);
    assert_int_equal(shoal_values_add(&f->ctx, second, second), SHOAL_EINVAL);
    shoal_values_free(first);
    shoal_values_free(second);
    forget(&d);
}

/* The values of parts, some of which share persons, with nobody looking. */
static void build_unseen(divided *d)
{
    shoal_values *all = NULL;

    for (size_t p = 0; p < d->part_count; p++) {
        shoal_values *more = NULL;

        assert_int_equal(shoal_values_count(d->ctx, &more, d->spec, d->parts[p]), SHOAL_OK);
        more->sketch.count = 0;
        if (all) {
            assert_int_equal(shoal_values_add(d->ctx, all, more), SHOAL_OK);
            shoal_values_free(more);
        } else {
            all = more;
        }
    }
    assert_int_equal(shoal_division_build(d->ctx, &d->division, d->spec, all), SHOAL_OK);
    shoal_values_free(all);
}

/* Move one record of a person who has several to the next part. */
static void tear_apart(divided *d, size_t row)
{
    size_t rows = shoal_table_row_count(d->whole);
    bool *keep = calloc(rows, sizeof *keep);
    size_t counts[PARTS_MAX] = {0};

    d->part_of[row] = (d->part_of[row] + 1) % d->part_count;
    for (size_t p = 0; p < d->part_count; p++) {
        for (size_t i = 0; i < rows; i++) {
            keep[i] = d->part_of[i] == p;
        }
        shoal_table_free(d->parts[p]);
        d->parts[p] = NULL;
        assert_int_equal(shoal_table_filter(d->ctx, &d->parts[p], d->whole, keep), SHOAL_OK);
    }
    for (size_t i = 0; i < rows; i++) {
        d->place_of[i] = counts[d->part_of[i]]++;
    }
    free(keep);
}

static bool is_only_record(const divided *d, size_t row)
{
    size_t column = (size_t)shoal_table_find(d->whole, "who");
    size_t records = 0;

    for (size_t i = 0; i < shoal_table_row_count(d->whole); i++) {
        records +=
            shoal_table_code(d->whole, column, i) == shoal_table_code(d->whole, column, row);
    }
    return records == 1;
}

/* One record that strayed: whoever is not seen by a sketch is found by the persons of a
 * fragment, or by those of the release. */
static void test_a_person_in_two_parts_is_found_out_later(void **state)
{
    fixture *f = *state;
    size_t solving = 0;
    size_t verifying = 0;

    for (size_t row = 0; row < rounds(12, 40); row++) {
        divided d;

        prepare(f, &d, requirements[0], 3);
        bool is_only = is_only_record(&d, row);

        tear_apart(&d, row);
        build_unseen(&d);
        assert_int_equal(shoal_division_person_count(d.division), count_persons(&d) + !is_only);
        assert_int_equal(cut(&d, 60), SHOAL_OK);
        assert_true(shoal_division_fragment_count(d.division) > 2);
        assert_int_equal(route(&d), SHOAL_OK);
        shoal_status st = solve(&d);

        if (is_only) {
            assert_int_equal(st, SHOAL_OK);
            assert_true(d.outcome.holds);
        } else if (st == SHOAL_OK) {
            assert_false(d.outcome.holds);
            assert_non_null(strstr(d.outcome.failing, "some have records in several"));
            verifying++;
        } else {
            assert_int_equal(st, SHOAL_EINVAL);
            assert_non_null(strstr(f->ctx.error.message, "all records of its persons"));
            solving++;
        }
        forget(&d);
    }
    assert_true(solving > rounds(0, 5) && verifying > rounds(0, 5));
}

/* Values of whole persons, and counts of other parts. */
static void test_counts_of_torn_persons_do_not_add_up(void **state)
{
    fixture *f = *state;
    divided d;
    size_t row = 0;

    prepare(f, &d, requirements[0], 3);
    while (is_only_record(&d, row)) {
        row++;
    }
    assert_int_equal(build(&d), SHOAL_OK);
    tear_apart(&d, row);
    assert_int_equal(cut(&d, 60), SHOAL_EINVAL);
    assert_non_null(strstr(f->ctx.error.message, "all records of its persons"));
    forget(&d);
}

/* Many persons: not all of them are in a sketch, and a few that two parts share are not seen,
 * but many are. */
static void test_sketches_of_many_persons(void **state)
{
    fixture *f = *state;
    shoal_i_part_persons persons[2] = {{0}, {0}};
    shoal_i_person_sketch sketches[3] = {{0}, {0}, {0}};
    size_t count = 5 * SHOAL_I_PERSON_SKETCH_MAX;

    for (size_t p = 0; p < 2; p++) {
        persons[p] = (shoal_i_part_persons){
            .names = calloc(count, sizeof(uint32_t)),
            .name_count = count,
            .digests = calloc(count, sizeof(uint64_t)),
            .rows = calloc(count, sizeof(uint32_t)),
            .row_count = count,
            .count = count,
        };
        for (size_t i = 0; i < count; i++) {
            uint64_t person = 1 + i + p * (count - 100);

            persons[p].names[i] = (uint32_t)i;
            persons[p].rows[i] = (uint32_t)i;
            persons[p].digests[i] = shoal_i_digest_u64(person);
        }
        assert_int_equal(shoal_i_person_sketch_init(&f->ctx, &sketches[p], &persons[p]),
                         SHOAL_OK);
        assert_int_equal(sketches[p].count, SHOAL_I_PERSON_SKETCH_MAX);
    }
    /* A hundred persons of both parts, of which a fifth is among the smallest of either. */
    size_t common = shoal_i_person_sketch_common(&sketches[0], &sketches[1]);

    assert_true(common > 5 && common < 50);
    /* The smallest of all, by definition. */
    assert_int_equal(shoal_i_person_sketch_add(&f->ctx, &sketches[2], &sketches[1]), SHOAL_OK);
    assert_int_equal(shoal_i_person_sketch_add(&f->ctx, &sketches[2], &sketches[0]), SHOAL_OK);
    assert_int_equal(sketches[2].count, SHOAL_I_PERSON_SKETCH_MAX);
    for (size_t i = 0; i < sketches[2].count; i++) {
        uint64_t digest = sketches[2].digests[i];
        size_t smaller = 0;

        assert_true(i == 0 || digest > sketches[2].digests[i - 1]);
        for (size_t at = 0; at < 2 && i % 512 == 0; at++) {
            for (size_t n = at == 0 ? 0 : 100; n < count; n++) {
                smaller += persons[at].digests[n] < digest;
            }
        }
        assert_true(i % 512 != 0 || smaller == i);
    }
    for (size_t p = 0; p < 3; p++) {
        shoal_i_person_sketch_clear(&sketches[p]);
        if (p < 2) {
            shoal_i_part_persons_clear(&persons[p]);
        }
    }
}

/* --- Verifying. ------------------------------------------------------------------------- */

/* Towns 0 and 1 are one fragment, 2 and 3 the other. In each, town and age of A, B and C are
 * released as *, 10: they are one class then, of three persons with six records. x is had by
 * one of three in either part of it, and by two of three in both together. */
static void test_classes_that_fragments_share(void **state)
{
    static const char text[] = "town,age,who,ill\n"
                               "t0,10,A,x\nt1,10,B,y\nt1,10,C,y\n"
                               "t1,50,D,y\nt1,50,E,y\nt1,50,F,y\n"
                               "t2,10,A,y\nt3,10,B,x\nt3,10,C,y\n"
                               "t3,50,G,y\nt3,50,H,y\nt3,50,I,y\n";
    fixture *f = *state;

    set_role(f, "town", SHOAL_ROLE_QUASI);
    set_role(f, "age", SHOAL_ROLE_QUASI);
    set_role(f, "ill", SHOAL_ROLE_SENSITIVE);
    set_role(f, "who", SHOAL_ROLE_PERSON);
    set(f, "method", "mondrian");
    set(f, "privacy.k", "3");
    for (size_t with_alpha = 0; with_alpha < 2; with_alpha++) {
        shoal_i_random random = shoal_i_random_start(1);
        divided d = {.ctx = &f->ctx, .person = "who", .part_count = 2, .through_bytes = true};

        if (with_alpha) {
            set(f, "privacy.alpha", "0.4:x");
        }
        d.spec = f->spec;
        assert_int_equal(
            shoal_csv_read_memory(&f->ctx, &d.whole, text, strlen(text), "text", NULL),
            SHOAL_OK);
        deal_out(&d, &random);
        assert_int_equal(run_divided(&d, 6), SHOAL_OK);
        assert_int_equal(shoal_division_fragment_count(d.division), 2);
        assert_int_equal(d.outcome.classes, 3);
        assert_int_equal(d.outcome.persons, 9);
        assert_int_equal(d.outcome.fewest_persons, 3);
        assert_int_equal(d.outcome.smallest_class, 3);
        assert_int_equal(d.outcome.holds, !with_alpha);
        assert_int_equal(d.outcome.only_joined_fail, with_alpha);
        assert_int_equal(d.outcome.failing_classes, with_alpha);
        forget(&d);
    }
}

/* A method that takes records for persons: cuts are right, classes are not. */
static void test_counting_records_is_found_out(void **state)
{
    static const char *const demands[][2] = {
        {"privacy.l", "frequency:1.5"}, {"privacy.alpha", "0.65"}, {"privacy.k.column", "own"}};
    fixture *f = *state;

    for (size_t i = 0; i < 4; i++) {
        shoal_i_random random = shoal_i_random_start(40 + i);
        divided d;

        write_persons(f, &random, 400, 6, false);
        ask_persons(f, i < 3 ? demands[i] : requirements[0], i < 3 ? "1" : "3");
        set(f, "method", "mondrian");
        read_whole(f, &d, 2);
        deal_out(&d, &random);
        is_lying = true;
        shoal_status st = run_divided(&d, 250);

        is_lying = false;
        assert_int_equal(st, SHOAL_OK);
        assert_true(shoal_division_fragment_count(d.division) > 1);
        assert_false(d.outcome.holds);
        assert_false(d.outcome.only_joined_fail);
        assert_true(d.outcome.failing_classes > 0);
        end(&d);
        assert_int_equal(run_divided(&d, 250), SHOAL_OK);
        assert_true(d.outcome.holds);
        forget(&d);
    }
}

/* What is published with the column of the person beside it, as text. */
static void write_beside(FILE *file, divided *d, size_t fragment)
{
    size_t rows = shoal_table_row_count(d->whole);
    bool *keep = calloc(rows, sizeof *keep);
    uint32_t *of = calloc(rows, sizeof *of);
    shoal_table *records = NULL;
    shoal_table *published = NULL;

    for (size_t row = 0; row < rows; row++) {
        keep[row] = d->fragment_of[row] == fragment;
    }
    assert_int_equal(shoal_table_filter(d->ctx, &records, d->whole, keep), SHOAL_OK);
    assert_int_equal(
        shoal_division_solve_rows(d->ctx, &published, NULL, of, d->division, records, fragment),
        SHOAL_OK);
    size_t who = (size_t)shoal_table_find(records, "who");

    for (size_t row = 0; row < shoal_table_row_count(published); row++) {
        uint32_t code = shoal_table_code(records, who, of[row]);

        fprintf(file, "%s",
                code < shoal_table_value_count(records, who)
                    ? shoal_table_text(records, who, code, NULL)
                    : "");
        for (size_t c = 0; c < shoal_table_column_count(published); c++) {
            fprintf(file, ",%s",
                    shoal_table_text(published, c, shoal_table_code(published, c, row), NULL));
        }
        fprintf(file, "\n");
    }
    shoal_table_free(published);
    shoal_table_free(records);
    free(keep);
    free(of);
}

/* Classes from rows with their persons, in any parts, are those of who solved. */
static void test_classes_of_rows_with_persons_beside(void **state)
{
    fixture *f = *state;

    for (size_t with_nobody = 0; with_nobody < 2; with_nobody++) {
        shoal_i_random random = shoal_i_random_start(6);
        divided d;
        shoal_table *beside = NULL;
        shoal_classes *all = NULL;
        shoal_division_outcome outcome = SHOAL_DIVISION_OUTCOME_INIT;

        write_persons(f, &random, 300, 4, with_nobody == 1);
        ask_persons(f, with_nobody ? joining : requirements[0], "3");
        set(f, "method", "mondrian");
        read_whole(f, &d, 3);
        deal_out(&d, &random);
        assert_int_equal(run_divided(&d, 60), SHOAL_OK);
        FILE *file = fopen(f->output, "wb");

        fprintf(file, "who,age,town,zip,ill,number\n");
        for (size_t i = 0; i < shoal_division_fragment_count(d.division); i++) {
            write_beside(file, &d, i);
        }
        fclose(file);
        assert_int_equal(shoal_csv_read(&f->ctx, &beside, f->output, NULL), SHOAL_OK);
        for (size_t p = 0; p < 3; p++) {
            bool keep[300];
            shoal_table *part = NULL;
            shoal_classes *more = NULL;

            for (size_t row = 0; row < 300; row++) {
                keep[row] = row % 3 == p;
            }
            assert_int_equal(shoal_table_filter(&f->ctx, &part, beside, keep), SHOAL_OK);
            assert_int_equal(shoal_classes_count(&f->ctx, &more, f->spec, part), SHOAL_OK);
            if (all) {
                assert_int_equal(shoal_classes_add(&f->ctx, all, more), SHOAL_OK);
                shoal_classes_free(more);
            } else {
                all = more;
            }
            shoal_table_free(part);
        }
        assert_int_equal(shoal_division_verify(&f->ctx, &outcome, d.division, all), SHOAL_OK);
        assert_int_equal(outcome.holds, d.outcome.holds);
        assert_true(outcome.holds);
        assert_int_equal(outcome.persons, d.outcome.persons);
        assert_int_equal(outcome.fewest_persons, d.outcome.fewest_persons);
        assert_int_equal(outcome.classes, d.outcome.classes);
        assert_true(outcome.ncp == d.outcome.ncp);
        shoal_classes_free(all);
        all = NULL;
        assert_int_equal(shoal_classes_count(&f->ctx, &all, f->spec, d.published[0]),
                         SHOAL_EINVAL);
        assert_non_null(strstr(f->ctx.error.message, "in column \"who\""));
        shoal_table_free(beside);
        forget(&d);
    }
}

/* --- Names. ----------------------------------------------------------------------------- */

/* Numbers are names, too, whatever the types of parts; as texts where the column has that type.
 */
static void test_numbers_as_names(void **state)
{
    static const char text[] = "age,who\n1,7\n2,07\n3,10\n4,9\n5,7\n6,x\n7,10\n8,07\n";
    fixture *f = *state;
    shoal_i_random random = shoal_i_random_start(1);

    set_role(f, "age", SHOAL_ROLE_QUASI);
    set_role(f, "who", SHOAL_ROLE_PERSON);
    set(f, "method", "mondrian");
    set(f, "privacy.k", "2");
    assert_int_equal(shoal_spec_set_column(&f->ctx, f->spec, "who", "type", "string"),
                     SHOAL_OK);
    for (size_t parts = 1; parts < 6; parts++) {
        divided d = {.ctx = &f->ctx, .spec = f->spec, .person = "who", .part_count = parts};

        assert_int_equal(
            shoal_csv_read_memory(&f->ctx, &d.whole, text, strlen(text), "text", NULL),
            SHOAL_OK);
        deal_out(&d, &random);
        assert_int_equal(run_divided(&d, 4), SHOAL_OK);
        assert_true(d.outcome.holds);
        assert_int_equal(d.outcome.persons, 5);
        assert_int_equal(shoal_division_fragment_count(d.division), 2);
        forget(&d);
    }
}

/* A person who is written in several ways is one, and so is a sensitive value, in a part and
 * between parts. By texts there would be 8 persons, and 4 classes of two would do. */
static void test_one_person_in_several_ways(void **state)
{
    static const char text[] =
        "age,home,who,ill\n1,a,7,HIV\n2,a,7.0,hiv\n3,b,A,flu\n4,b,a,FLU\n"
        "5,c,B,HIV\n6,d,C,Flu\n7,d,c,flu\n8,e,D,hIV\n";
    fixture *f = *state;
    shoal_i_random random = shoal_i_random_start(1);

    set_role(f, "age", SHOAL_ROLE_QUASI);
    set_role(f, "who", SHOAL_ROLE_PERSON);
    set_role(f, "ill", SHOAL_ROLE_SENSITIVE);
    set(f, "method", "mondrian");
    set(f, "privacy.k", "2");
    set(f, "privacy.l", "distinct:2");
    set(f, "privacy.alpha", "0.7:hiv");
    set(f, "privacy.delta", "2");
    assert_int_equal(shoal_spec_set_column(&f->ctx, f->spec, "who", "same", "case"), SHOAL_OK);
    assert_int_equal(shoal_spec_set_column(&f->ctx, f->spec, "ill", "same", "case"), SHOAL_OK);
    for (size_t parts = 1; parts < 6; parts++) {
        divided d = {.ctx = &f->ctx,
                     .spec = f->spec,
                     .person = "home",
                     .part_count = parts,
                     .through_bytes = parts % 2 == 0};

        assert_int_equal(
            shoal_csv_read_memory(&f->ctx, &d.whole, text, strlen(text), "text", NULL),
            SHOAL_OK);
        deal_out(&d, &random);
        assert_int_equal(run_divided(&d, 4), SHOAL_OK);
        assert_true(d.outcome.holds);
        assert_int_equal(d.outcome.persons, 5);
        assert_int_equal(d.outcome.classes, 3); /* of 4, 2 and 2 records */
        forget(&d);
    }
}

static void test_records_of_nobody(void **state)
{
    fixture *f = *state;
    shoal_i_random random = shoal_i_random_start(8);
    divided d;

    write_persons(f, &random, 200, 3, true);
    ask_persons(f, requirements[0], "2");
    set(f, "missing.person", "error");
    read_whole(f, &d, 2);
    deal_out(&d, &random);
    assert_int_equal(build(&d), SHOAL_EFORMAT);
    assert_non_null(strstr(f->ctx.error.message, "has no person in column \"who\""));
    assert_true(f->ctx.error.record >= 0);
    assert_int_equal(f->ctx.error.field, 0);
    forget(&d);
}

/* A record that is left out for a missing value needs no person, and its person is not
 * counted. */
static void test_dropped_records_are_of_nobody(void **state)
{
    static const char text[] = "age,who\n1,A\n2,B\n,C\n,\n3,C\n4,D\n5,D\n6,E\n";
    static const char less[] = "age,who\n1,A\n2,B\n3,C\n4,D\n5,D\n6,E\n,F\n";
    fixture *f = *state;
    shoal_i_random random = shoal_i_random_start(1);

    set_role(f, "age", SHOAL_ROLE_QUASI);
    set_role(f, "who", SHOAL_ROLE_PERSON);
    set(f, "method", "mondrian");
    set(f, "privacy.k", "2");
    set(f, "missing.action", "drop");
    for (size_t i = 0; i < 2; i++) {
        const char *source = i == 0 ? text : less;
        divided d = {.ctx = &f->ctx, .spec = f->spec, .person = "who", .part_count = 2};

        assert_int_equal(
            shoal_csv_read_memory(&f->ctx, &d.whole, source, strlen(source), "text", NULL),
            SHOAL_OK);
        deal_out(&d, &random);
        assert_int_equal(run_divided(&d, 3), SHOAL_OK);
        assert_true(d.outcome.holds);
        assert_int_equal(d.outcome.records, 6);
        assert_int_equal(d.outcome.persons, 5);
        forget(&d);
    }
}

/* --- Bytes. ----------------------------------------------------------------------------- */

/* Each object with persons in it, cut short and damaged. */
static void test_bytes_that_are_not_right(void **state)
{
    fixture *f = *state;
    divided d;
    size_t open = 0;

    prepare(f, &d, joining, 5);
    assert_int_equal(build(&d), SHOAL_OK);
    assert_int_equal(shoal_division_cut(&f->ctx, &open, d.division, NULL, 100), SHOAL_OK);
    for (size_t kind = 0; kind < 3; kind++) {
        shoal_values *values = NULL;
        shoal_classes *classes = NULL;
        shoal_division *division = NULL;
        shoal_table *published = NULL;
        char *bytes = NULL;
        size_t size = 0;

        if (kind == 0) {
            assert_int_equal(shoal_values_count(&f->ctx, &values, f->spec, d.whole), SHOAL_OK);
            assert_int_equal(shoal_values_write_memory(&f->ctx, &bytes, &size, values),
                             SHOAL_OK);
        } else if (kind == 1) {
            assert_int_equal(shoal_division_write_memory(&f->ctx, &bytes, &size, d.division),
                             SHOAL_OK);
        } else {
            assert_int_equal(
                shoal_division_solve(&f->ctx, &published, &classes, d.division, d.whole, 0),
                SHOAL_OK);
            assert_int_equal(shoal_classes_write_memory(&f->ctx, &bytes, &size, classes),
                             SHOAL_OK);
        }
        shoal_values_free(values);
        shoal_classes_free(classes);
        shoal_table_free(published);
        for (size_t i = 0; i < size; i += 1 + size / 97) {
            for (size_t is_cut = 0; is_cut < 2; is_cut++) {
                size_t length = is_cut ? i : size;

                values = NULL;
                classes = NULL;
                bytes[i] ^= 16;
                shoal_status st =
                    kind == 0
                        ? shoal_values_read_memory(&f->ctx, &values, f->spec, bytes, length)
                    : kind == 1
                        ? shoal_division_read_memory(&f->ctx, &division, f->spec, bytes, length)
                        : shoal_classes_read_memory(&f->ctx, &classes, f->spec, bytes, length);
                bytes[i] ^= 16;
                assert_true(st == SHOAL_EFORMAT || st == SHOAL_EUNSUPPORTED ||
                            st == SHOAL_EINVAL);
                assert_true(!values && !classes && !division);
            }
        }
        shoal_bytes_free(bytes);
    }
    set(f, "missing.person", "error");
    char *bytes = NULL;
    size_t size = 0;
    shoal_division *division = NULL;

    assert_int_equal(shoal_division_write_memory(&f->ctx, &bytes, &size, d.division), SHOAL_OK);
    assert_int_equal(shoal_division_read_memory(&f->ctx, &division, f->spec, bytes, size),
                     SHOAL_EINVAL);
    shoal_bytes_free(bytes);
    forget(&d);
}

/* --- Threads. --------------------------------------------------------------------------- */

/* What one thread does with a division that others use, too. */
typedef struct user {
    const divided *d;
    shoal_ctx *ctx;
    shoal_status st;
    char *counts; /* of the first part, as bytes */
    size_t size;
    uint32_t *fragments;
} user;

static shoal_status use(user *u)
{
    const divided *d = u->d;
    shoal_counts *counts = NULL;
    shoal_values *values = NULL;
    shoal_table *published = NULL;

    CHECK(shoal_values_count(u->ctx, &values, d->spec, d->parts[0]));
    shoal_values_free(values);
    CHECK(shoal_division_count(u->ctx, &counts, d->division, d->parts[0]));
    CHECK(shoal_counts_write_memory(u->ctx, &u->counts, &u->size, counts));
    shoal_counts_free(counts);
    CHECK(shoal_division_route(u->ctx, u->fragments, d->division, d->whole));
    CHECK(shoal_division_solve(u->ctx, &published, NULL, d->division, d->whole, 0));
    shoal_table_free(published);
    return SHOAL_OK;
}

static void *use_in_thread(void *payload)
{
    user *u = payload;

    u->st = use(u);
    return NULL;
}

/* Objects that are not changed are shared: what each thread counts is the same. */
static void test_threads_share_a_division(void **state)
{
    fixture *f = *state;
    divided d;
    user users[3];
    pthread_t threads[3];
    size_t open = 0;

    prepare(f, &d, joining, 4);
    assert_int_equal(build(&d), SHOAL_OK);
    assert_int_equal(shoal_division_cut(&f->ctx, &open, d.division, NULL, 100), SHOAL_OK);
    shoal_counts *all = NULL;

    assert_int_equal(count_round(&d, &all), SHOAL_OK);
    assert_int_equal(shoal_division_cut(&f->ctx, &open, d.division, all, 100), SHOAL_OK);
    shoal_counts_free(all);
    /* Where the records of a person are put one after the other. */
    assert_int_equal(d.division->fragments[0].state, SHOAL_I_FRAGMENT_SIDES);
    for (size_t i = 0; i < 3; i++) {
        users[i] = (user){.d = &d, .ctx = shoal_ctx_new()};
        users[i].fragments = calloc(shoal_table_row_count(d.whole), sizeof *users[i].fragments);
        shoal_ctx_set_threads(users[i].ctx, 2);
        assert_int_equal(pthread_create(&threads[i], NULL, use_in_thread, &users[i]), 0);
    }
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(users[i].st, SHOAL_OK);
        assert_int_equal(users[i].size, users[0].size);
        assert_memory_equal(users[i].counts, users[0].counts, users[0].size);
        assert_memory_equal(users[i].fragments, users[0].fragments,
                            shoal_table_row_count(d.whole) * sizeof *users[i].fragments);
    }
    for (size_t i = 0; i < 3; i++) {
        shoal_bytes_free(users[i].counts);
        shoal_ctx_free(users[i].ctx);
        free(users[i].fragments);
    }
    forget(&d);
}

/* --- Memory. ---------------------------------------------------------------------------- */

static shoal_status run_failing(shoal_ctx *ctx, void *payload)
{
    divided *d = payload;
    shoal_status st;

    d->ctx = ctx;
    d->rounds = 0;
    st = run_divided(d, 30);
    end(d);
    return st;
}

static void test_every_allocation_may_fail(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i < 2; i++) {
        shoal_i_random random = shoal_i_random_start(2);
        divided d;

        write_persons(f, &random, 60, 3, true);
        ask_persons(f, i == 0 ? joining : requirements[0], "2");
        set(f, "method", i == 0 ? "mondrian" : "topdown");
        f->ctx.threads = 1;
        read_whole(f, &d, 2);
        d.through_bytes = true;
        deal_out(&d, &random);
        assert_survives_failing_allocations(&f->ctx, run_failing, &d);
        assert_notices_failing_allocations(&f->ctx, run_failing, &d);
        forget(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_mondrian_in_parts_under_each_demand),
        TEST(test_every_method_does_not_depend_on_parts),
        TEST(test_a_person_in_two_parts_is_told_when_values_are_added),
        TEST(test_a_person_in_two_parts_is_found_out_later),
        TEST(test_counts_of_torn_persons_do_not_add_up),
        TEST(test_sketches_of_many_persons),
        TEST(test_classes_that_fragments_share),
        TEST(test_counting_records_is_found_out),
        TEST(test_classes_of_rows_with_persons_beside),
        TEST(test_numbers_as_names),
        TEST(test_one_person_in_several_ways),
        TEST(test_records_of_nobody),
        TEST(test_dropped_records_are_of_nobody),
        TEST(test_bytes_that_are_not_right),
        TEST(test_threads_share_a_division),
        TEST(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

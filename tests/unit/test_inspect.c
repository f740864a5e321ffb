/* The first look at a raw file: facts, guesses, risk, and the spec it suggests. */
#include <shoal/job.h>

#include "failing.h"
#include "job/input/column_names.h"
#include "job/inspect/inspect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct fixture {
    shoal_ctx ctx;
    shoal_spec *spec;
    char path[64];
} fixture;

static void write_input(const fixture *f, const char *text)
{
    FILE *file = fopen(f->path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int open_fixture(void **state)
{
    static fixture f;

    memset(&f, 0, sizeof f);
    shoal_i_ctx_init(&f.ctx);
    f.ctx.threads = 1;
    snprintf(f.path, sizeof f.path, "/tmp/shoal-inspect-XXXXXX");
    int fd = mkstemp(f.path);

    assert_true(fd >= 0);
    close(fd);
    *state = &f;
    return shoal_spec_new(&f.ctx, &f.spec) == SHOAL_OK ? 0 : -1;
}

static int close_fixture(void **state)
{
    fixture *f = *state;

    shoal_spec_free(f->spec);
    shoal_i_ctx_clear(&f->ctx);
    unlink(f->path);
    return 0;
}

static shoal_report *inspect(fixture *f, const char *text)
{
    shoal_report *report = NULL;

    write_input(f, text);
    assert_int_equal(shoal_inspect(&f->ctx, &report, f->spec, f->path), SHOAL_OK);
    return report;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("expected \"%s\" in\n%s", part, text);
    }
}

/* --- Guesses. --------------------------------------------------------------------------- */

/* The role guessed for a string column of 100 records. */
static shoal_role guess(const char *name, size_t distinct, size_t once)
{
    shoal_i_column_facts facts = {
        .name = name, .type = SHOAL_TYPE_STRING, .distinct = distinct, .once = once};

    shoal_i_inspect_guess(&facts, 100);
    return facts.role;
}

static void test_roles_by_name(void **state)
{
    (void)state;
    assert_int_equal(guess("name", 95, 90), SHOAL_ROLE_IDENTIFIER);
    assert_int_equal(guess("Patient_ID", 100, 100), SHOAL_ROLE_IDENTIFIER);
    assert_int_equal(guess("e-mail", 100, 100), SHOAL_ROLE_IDENTIFIER);
    /* The same patients, again and again. */
    assert_int_equal(guess("Name", 12, 0), SHOAL_ROLE_IDENTIFIER);
    assert_int_equal(guess("name", 1, 0), SHOAL_ROLE_INSENSITIVE);
    assert_int_equal(guess("school_name", 5, 0), SHOAL_ROLE_QUASI);
    assert_int_equal(guess("Diagnosis", 12, 1), SHOAL_ROLE_SENSITIVE);
    assert_int_equal(guess("main-diagnosis", 12, 1), SHOAL_ROLE_SENSITIVE);
    assert_int_equal(guess("age", 60, 10), SHOAL_ROLE_QUASI);
    assert_int_equal(guess("birthdate", 100, 100), SHOAL_ROLE_QUASI);
    assert_int_equal(guess("average", 100, 100), SHOAL_ROLE_IDENTIFIER);
    assert_int_equal(guess("x", 10, 0), SHOAL_ROLE_QUASI);
    assert_int_equal(guess("age", 1, 0), SHOAL_ROLE_INSENSITIVE);
    assert_int_equal(guess("", 10, 0), SHOAL_ROLE_QUASI);
}

static void test_given_roles_stay(void **state)
{
    shoal_i_column_facts facts = {.name = "name",
                                  .type = SHOAL_TYPE_STRING,
                                  .distinct = 100,
                                  .once = 100,
                                  .is_given = true,
                                  .role = SHOAL_ROLE_SENSITIVE};

    (void)state;
    shoal_i_inspect_guess(&facts, 100);
    assert_int_equal(facts.role, SHOAL_ROLE_SENSITIVE);
    assert_string_equal(facts.note, "");
    assert_int_equal(facts.evidence, SHOAL_I_BY_SPEC);
}

/* What is proposed for a quasi column of numbers, over 100 people. */
static shoal_i_column_facts propose(const char *name, shoal_type type, double least,
                                    double most, size_t distinct)
{
    shoal_i_column_facts facts = {.name = name,
                                  .type = type,
                                  .distinct = distinct,
                                  .least = least,
                                  .most = most,
                                  .text_length = type == SHOAL_TYPE_INTEGER ? 5 : 0};

    shoal_i_inspect_guess(&facts, 100);
    shoal_i_inspect_guess_levels(&facts, 100, true);
    return facts;
}

static void test_codes_are_masked(void **state)
{
    shoal_i_column_facts facts = propose("ZIP", SHOAL_TYPE_INTEGER, 10000, 99999, 50);

    (void)state;
    assert_string_equal(facts.hierarchy, "prefix:5");
    assert_int_equal(facts.type, SHOAL_TYPE_STRING);
    assert_string_equal(propose("plz", SHOAL_TYPE_STRING, 0, 0, 50).hierarchy, "prefix");
    /* Answers 1 to 5 are no numbers, years of school are. */
    assert_int_equal(propose("marital", SHOAL_TYPE_INTEGER, 1, 5, 5).type, SHOAL_TYPE_STRING);
    assert_int_equal(propose("educ", SHOAL_TYPE_INTEGER, 1, 16, 16).type, SHOAL_TYPE_INTEGER);
}

static void test_ranges_and_grids(void **state)
{
    (void)state;
    assert_string_equal(propose("age", SHOAL_TYPE_INTEGER, 0, 99, 60).grid, "5");
    assert_string_equal(propose("age", SHOAL_TYPE_INTEGER, 0, 99, 60).instead,
                        "widths:5,10,20");
    /* Ten people share a value: it tells of none of them. */
    assert_string_equal(propose("age", SHOAL_TYPE_INTEGER, 0, 99, 10).grid, "");
    assert_string_equal(propose("age", SHOAL_TYPE_INTEGER, 0, 99, 11).grid, "5");
    assert_string_equal(propose("age", SHOAL_TYPE_INTEGER, 0, 19, 60).instead, "");
    assert_string_equal(propose("height", SHOAL_TYPE_REAL, 1.5, 2, 60).grid, "0.05");
    assert_string_equal(propose("height", SHOAL_TYPE_REAL, 150, 200, 60).grid, "5");
    assert_string_equal(propose("height", SHOAL_TYPE_REAL, 150, 170, 60).grid, "1");
    assert_string_equal(propose("height", SHOAL_TYPE_REAL, 150, 170.1, 60).grid, "2");
    assert_string_equal(propose("x", SHOAL_TYPE_DATE, 0, 730, 60).grid, "1 week");
    assert_string_equal(propose("x", SHOAL_TYPE_DATE, 0, 731, 60).grid, "1 month");
    assert_string_equal(propose("x", SHOAL_TYPE_DATE, 0, 731, 60).instead, "dates");
}

/* Without a name that tells, values do. */
static void test_roles_by_values(void **state)
{
    shoal_i_column_facts facts = {
        .name = "x", .type = SHOAL_TYPE_INTEGER, .distinct = 100, .once = 100, .most = 99};

    (void)state;
    shoal_i_inspect_guess(&facts, 100); /* it counts the records */
    assert_int_equal(facts.role, SHOAL_ROLE_IDENTIFIER);
    facts.most = 5000;
    shoal_i_inspect_guess(&facts, 100);
    assert_int_equal(facts.role, SHOAL_ROLE_QUASI);
    facts.text_length = 6;
    shoal_i_inspect_guess(&facts, 100);
    assert_int_equal(facts.role, SHOAL_ROLE_IDENTIFIER);
    facts.once = 89;
    shoal_i_inspect_guess(&facts, 100);
    assert_int_equal(facts.role, SHOAL_ROLE_QUASI);
    facts.type = SHOAL_TYPE_REAL;
    shoal_i_inspect_guess(&facts, 100);
    assert_int_equal(facts.role, SHOAL_ROLE_SENSITIVE);
    facts.type = SHOAL_TYPE_DATE;
    shoal_i_inspect_guess(&facts, 100);
    assert_int_equal(facts.role, SHOAL_ROLE_QUASI);
    facts.kind = (shoal_i_value_kind){SHOAL_I_VALUES_CONTACT, "e-mail addresses"};
    shoal_i_inspect_guess(&facts, 100);
    assert_int_equal(facts.role, SHOAL_ROLE_IDENTIFIER);
    assert_string_equal(facts.note, "its values are e-mail addresses");
}

/* A note in German is a mark, in Italian a remark: numbers are no remarks. */
static void test_names_that_values_contradict(void **state)
{
    shoal_i_column_facts facts = {
        .name = "note", .type = SHOAL_TYPE_INTEGER, .distinct = 30, .most = 15};

    (void)state;
    shoal_i_inspect_guess(&facts, 100);
    assert_int_equal(facts.role, SHOAL_ROLE_SENSITIVE);
    facts.type = SHOAL_TYPE_STRING;
    shoal_i_inspect_guess(&facts, 100);
    assert_int_equal(facts.role, SHOAL_ROLE_IDENTIFIER);
    /* Whether somebody has a phone is no number of one. */
    assert_int_equal(guess("phone", 2, 0), SHOAL_ROLE_QUASI);
    assert_int_equal(guess("phone", 3, 0), SHOAL_ROLE_IDENTIFIER);
    /* The id of a loan is none of money, the class of loans is. */
    assert_int_equal(guess("loan_id", 100, 100), SHOAL_ROLE_IDENTIFIER);
    assert_int_equal(guess("loan_id", 5, 0), SHOAL_ROLE_SENSITIVE);
}

/* --- Reports. --------------------------------------------------------------------------- */

static void test_facts_and_risk(void **state)
{
    fixture *f = *state;
    shoal_report *report =
        inspect(f, "age,sex,job\n30,F,a\n30,F,b\n30,M,b\n41,M,\n41,M,a\n52,F,a\n");

    assert_true(shoal_report_figure(report, "records") == 6);
    assert_true(shoal_report_figure(report, "unique_records") == 6);
    shoal_report_free(report);

    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "age", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "sex", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "job", SHOAL_ROLE_SENSITIVE),
                     SHOAL_OK);
    assert_int_equal(shoal_inspect(&f->ctx, &report, f->spec, f->path), SHOAL_OK);
    assert_true(shoal_report_figure(report, "classes") == 4);
    assert_true(shoal_report_figure(report, "unique_records") == 2);
    assert_true(shoal_report_figure(report, "smallest_class") == 1);
    assert_has(shoal_report_text(report), "2 of 6 records are unique (33.3%)");
    assert_has(shoal_report_text(report), "100.0% at most, 66.7% on average");
    assert_has(shoal_report_json(report), "\"role_guessed\": false");
    assert_has(shoal_report_json(report), "\"highest\": 1");
    shoal_report_free(report);
}

static void test_no_cell_is_shown(void **state)
{
    fixture *f = *state;
    shoal_report *report = inspect(f, "town,secret\nZanzibar,Quetzal\nZanzibar,Quetzal\n");

    assert_null(strstr(shoal_report_text(report), "Zanzibar"));
    assert_null(strstr(shoal_report_json(report), "Quetzal"));
    assert_null(strstr(shoal_report_spec(report), "Zanzibar"));
    shoal_report_free(report);
}

static void test_no_quasi_column(void **state)
{
    fixture *f = *state;
    shoal_report *report = inspect(f, "a\nx\nx\n");

    assert_has(shoal_report_text(report), "No column looks like a quasi-identifier");
    assert_null(strstr(shoal_report_json(report), "prosecutor_risk"));
    shoal_report_free(report);
}

static void test_one_record(void **state)
{
    fixture *f = *state;
    shoal_report *report = inspect(f, "age\n30\n");

    assert_true(shoal_report_figure(report, "unique_records") == 1);
    shoal_report_free(report);
}

/* What inspect suggests, anonymize understands, whatever the columns are called. */
static void test_spec_can_be_read(void **state)
{
    fixture *f = *state;
    shoal_report *report = inspect(f, "age,\"a: b\",\"x\"\"\\\n\t#\",{,null\n"
                                      "1,p,1,2,3\n2,q,2,2,4\n3,p,1,3,4\n4,q,2,3,3\n");
    const char *text = shoal_report_spec(report);
    shoal_spec *spec = NULL;

    assert_int_equal(shoal_spec_new(&f->ctx, &spec), SHOAL_OK);
    assert_int_equal(shoal_spec_read_memory(&f->ctx, spec, text, strlen(text), "s"), SHOAL_OK);
    assert_non_null(shoal_i_spec_find_column(spec, "a: b"));
    assert_non_null(shoal_i_spec_find_column(spec, "x\"\\\n\t#"));
    assert_non_null(shoal_i_spec_find_column(spec, "{"));
    assert_non_null(shoal_i_spec_find_column(spec, "null"));
    assert_int_equal(spec->column_count, 5);
    shoal_spec_free(spec);
    shoal_report_free(report);
}

/* The first record of a file as the proposed spec would be asked to read it. */
static const shoal_i_spec_column *read_back(fixture *f, shoal_spec **spec,
                                            const shoal_report *report, const char *column)
{
    const char *text = shoal_report_spec(report);

    assert_int_equal(shoal_spec_new(&f->ctx, spec), SHOAL_OK);
    assert_int_equal(shoal_spec_read_memory(&f->ctx, *spec, text, strlen(text), "s"), SHOAL_OK);
    return shoal_i_spec_find_column(*spec, column);
}

/* Of two formats that all dates fit none is taken, unless another column decides. */
static void test_formats_of_dates(void **state)
{
    fixture *f = *state;
    shoal_spec *spec = NULL;
    shoal_report *report = inspect(f, "born,x\n01/02/1980,a\n03/04/1990,b\n");
    const shoal_i_spec_column *born = read_back(f, &spec, report, "born");

    assert_null(born->texts[SHOAL_I_COLUMN_DATE_FORMAT]);
    assert_has(shoal_report_spec(report), "dates written MM/DD/YYYY or DD/MM/YYYY: say which");
    shoal_spec_free(spec);
    shoal_report_free(report);
    report = inspect(f, "born,seen\n01/02/1980,13/01/2024\n03/04/1990,01/02/2024\n");
    born = read_back(f, &spec, report, "born");
    assert_string_equal(born->texts[SHOAL_I_COLUMN_DATE_FORMAT], "DD/MM/YYYY");
    assert_int_equal(born->type, SHOAL_TYPE_DATE);
    shoal_spec_free(spec);
    shoal_report_free(report);
    report = inspect(f, "day,k\n20240229,1\n20240301,2\n");
    born = read_back(f, &spec, report, "day");
    assert_string_equal(born->texts[SHOAL_I_COLUMN_DATE_FORMAT], "YYYYMMDD");
    assert_has(shoal_report_json(report), "\"type\": \"date\"");
    shoal_spec_free(spec);
    shoal_report_free(report);
}

/* Of two formats that other columns have both, neither is taken. */
static void test_doubts_that_stay(void **state)
{
    fixture *f = *state;
    shoal_spec *spec = NULL;
    shoal_report *report = inspect(f, "born,seen,left\n01/02/1980,13/01/2024,01/13/2024\n"
                                      "03/04/1990,01/02/2024,02/01/2024\n");

    assert_null(read_back(f, &spec, report, "born")->texts[SHOAL_I_COLUMN_DATE_FORMAT]);
    assert_non_null(shoal_i_spec_find_column(spec, "left")->texts[SHOAL_I_COLUMN_DATE_FORMAT]);
    shoal_spec_free(spec);
    shoal_report_free(report);
}

/* What is not released needs no format, and no type. */
static void test_identifiers_have_no_format(void **state)
{
    fixture *f = *state;
    shoal_spec *spec = NULL;
    shoal_report *report = NULL;

    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "d", SHOAL_ROLE_IDENTIFIER),
                     SHOAL_OK);
    report = inspect(f, "d,age\n13.01.1990,1\n14.01.1990,2\n");
    const shoal_i_spec_column *d = read_back(f, &spec, report, "d");

    assert_null(d->texts[SHOAL_I_COLUMN_DATE_FORMAT]);
    assert_int_equal(d->type, SHOAL_TYPE_AUTO);
    shoal_spec_free(spec);
    shoal_report_free(report);
}

/* A grid of all columns that was asked for is not added to, nor where no ranges are written. */
static void test_grids_that_are_not_free(void **state)
{
    static const char table[] = "born,x\n1990-01-13,a\n1991-02-14,b\n";
    fixture *f = *state;
    shoal_report *report = inspect(f, table);

    assert_has(shoal_report_spec(report), "grid: 1 week");
    shoal_report_free(report);
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "output.numeric", "mean"), SHOAL_OK);
    report = inspect(f, table);
    assert_null(strstr(shoal_report_spec(report), "grid: "));
    shoal_report_free(report);
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "output.numeric", "range"), SHOAL_OK);
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "grid", "1 year"), SHOAL_OK);
    report = inspect(f, table);
    assert_null(strstr(shoal_report_spec(report), "week"));
    assert_has(shoal_report_spec(report), "grid: \"1 year\"");
    shoal_report_free(report);
}

/* Records without a person are persons of their own, in counts and in the spec. Here flu is
 * that of a and of one without a name: 2 of 4 persons, and 3 of 5 records. */
static void test_records_without_a_person(void **state)
{
    fixture *f = *state;
    shoal_spec *spec = NULL;
    shoal_report *report =
        inspect(f, "patient_id,age,diagnosis\na,30,flu\na,30,flu\nb,35,gout\n,41,flu\n"
                   ",52,gout\n");

    assert_int_equal(read_back(f, &spec, report, "patient_id")->role, SHOAL_ROLE_PERSON);
    assert_true(spec->owns_missing_person);
    assert_has(shoal_report_spec(report), "2 records do not tell whose they are");
    assert_has(shoal_report_text(report), "alpha from 0.5 on");
    shoal_spec_free(spec);
    shoal_report_free(report);
}

/* k is chosen by how many persons there are; of two columns that tell whose a record is, the
 * first is taken; an account may be a couple's, and is never taken. */
static void test_persons_are_chosen(void **state)
{
    fixture *f = *state;
    shoal_spec *spec = NULL;
    shoal_report *report =
        inspect(f, "patient_id,client_id,age\na,q,1\na,q,2\nb,r,3\nb,r,4\nc,s,5\nc,s,6\n"
                   "d,t,7\nd,t,8\n");

    assert_int_equal(read_back(f, &spec, report, "patient_id")->role, SHOAL_ROLE_PERSON);
    assert_int_equal(shoal_i_spec_find_column(spec, "client_id")->role, SHOAL_ROLE_IDENTIFIER);
    assert_int_equal(spec->k, 1); /* of 4 persons; of 8 records it were 2 */
    shoal_spec_free(spec);
    shoal_report_free(report);
    report = inspect(f, "x,age\nDE89370400440532013000,1\nDE89370400440532013000,2\n"
                        "GB82WEST12345698765432,3\nGB82WEST12345698765432,4\n");
    assert_int_equal(read_back(f, &spec, report, "x")->role, SHOAL_ROLE_IDENTIFIER);
    shoal_spec_free(spec);
    shoal_report_free(report);
}

static void test_amounts_of_single_records(void **state)
{
    fixture *f = *state;
    shoal_report *report = inspect(f, "age,income\n30,1000\n31,2000\n32,2500\n");

    assert_has(shoal_report_spec(report), "one record's alone");
    shoal_report_free(report);
    assert_int_equal(shoal_spec_set_column(&f->ctx, f->spec, "income", "round", "500"),
                     SHOAL_OK);
    report = inspect(f, "age,income\n30,1000\n31,2000\n32,2500\n");
    assert_null(strstr(shoal_report_spec(report), "one record's alone"));
    shoal_report_free(report);
}

/* Words for missing values: all where numbers are left, else only those that mean nothing else;
 * NA among codes of countries is Namibia; what was given is not added to. */
static void test_missing_words(void **state)
{
    fixture *f = *state;
    shoal_spec *spec = NULL;
    shoal_report *report = inspect(f, "age,job,land\n30,unknown,DE\nunknown,n/a,NA\n41,x,FR\n");
    const shoal_i_spec_column *age = read_back(f, &spec, report, "age");

    assert_int_equal(age->type, SHOAL_TYPE_INTEGER);
    assert_int_equal(spec->missing_token_count, 4);
    assert_string_equal(spec->missing_tokens[2], "unknown");
    assert_string_equal(spec->missing_tokens[3], "n/a");
    assert_int_equal(spec->missing, SHOAL_I_MISSING_KEEP);
    shoal_spec_free(spec);
    shoal_report_free(report);

    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "missing.tokens", "x"), SHOAL_OK);
    assert_int_equal(shoal_inspect(&f->ctx, &report, f->spec, f->path), SHOAL_OK);
    age = read_back(f, &spec, report, "age");
    assert_int_equal(age->type, SHOAL_TYPE_STRING);
    assert_int_equal(spec->missing_token_count, 1);
    shoal_spec_free(spec);
    shoal_report_free(report);

    /* Dates among which a word stands that was not listed are none. */
    write_input(f, "born\n13.01.1990\nNA\n");
    assert_int_equal(shoal_inspect(&f->ctx, &report, f->spec, f->path), SHOAL_OK);
    age = read_back(f, &spec, report, "born");
    assert_int_equal(age->type, SHOAL_TYPE_STRING);
    assert_null(age->texts[SHOAL_I_COLUMN_DATE_FORMAT]);
    shoal_spec_free(spec);
    shoal_report_free(report);
}

static void test_words_that_may_be_answers(void **state)
{
    fixture *f = *state;
    shoal_spec *spec = NULL;
    shoal_report *report = inspect(f, "job\nunknown\ncook\nn/a\ncook\n");

    (void)read_back(f, &spec, report, "job");
    assert_int_equal(spec->missing_token_count, 3);
    assert_string_equal(spec->missing_tokens[2], "n/a");
    shoal_spec_free(spec);
    shoal_report_free(report);
}

/* Where persons have several records, what can be asked for is counted in persons: three of
 * four have had flu, in three of six records. */
static void test_bounds_in_persons(void **state)
{
    fixture *f = *state;
    const char *text = "patient_id,age,ill\na,30,flu\na,30,gout\nb,41,flu\nb,41,cold\n"
                       "c,52,flu\nd,63,gout\n";
    shoal_report *report = inspect(f, text);

    assert_true(shoal_report_figure(report, "records") == 6);
    shoal_report_free(report);
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "ill", SHOAL_ROLE_SENSITIVE),
                     SHOAL_OK);
    report = inspect(f, text);
    assert_has(shoal_report_text(report), "alpha from 0.75 on; l up to 1.333333 (frequency)");
    shoal_report_free(report);
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "patient_id", SHOAL_ROLE_IDENTIFIER),
                     SHOAL_OK);
    report = inspect(f, text);
    assert_has(shoal_report_text(report), "alpha from 0.5 on; l up to 2 (frequency)");
    shoal_report_free(report);
}

/* Systems of codes that know the values, where the name agrees. */
static void test_known_codes(void **state)
{
    fixture *f = *state;
    shoal_report *report = inspect(f, "country,nuts,isco,job,state\nDE,DE212,2221,1,DE\n"
                                      "FR,FRK26,2212,2,FR\nNA,AT130,0110,3,AT\n");
    const char *text = shoal_report_spec(report);

    assert_has(text, "country: {role: quasi, hierarchy: countries}");
    assert_has(text, "nuts: {role: quasi, hierarchy: nuts}");
    assert_has(text, "isco: {role: quasi, hierarchy: isco}");
    assert_has(text, "job: {role: quasi, type: string}");
    assert_has(text, "state: {role: quasi, type: string}");
    shoal_report_free(report);
    /* One in ten may be something else. */
    report = inspect(f, "country\nDE\nFR\nAT\nBE\nIT\nES\nPT\nNL\nLU\nelsewhere\n");
    assert_has(shoal_report_spec(report),
               "country: {role: quasi, hierarchy: \"countries:other\"}");
    shoal_report_free(report);
    report = inspect(f, "country\nDE\nFR\nAT\nBE\nIT\nES\nPT\nNL\nthere\nelsewhere\n");
    assert_null(strstr(shoal_report_spec(report), "countries"));
    shoal_report_free(report);
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "dx", SHOAL_ROLE_QUASI), SHOAL_OK);
    report = inspect(f, "dx\nC50.9\nI10\nI10\nJ45\n");
    assert_has(shoal_report_spec(report), "dx: {role: quasi, hierarchy: icd10}");
    shoal_report_free(report);
}

/* What was asked for is in the spec, whatever is guessed. */
static void test_spec_keeps_what_was_asked(void **state)
{
    fixture *f = *state;
    shoal_spec *spec = NULL;
    shoal_report *report = NULL;

    write_input(f, "# c\nage;zip;x\n30;53711;1,5\n41;53712;2,5\n");
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "input.delimiter", ";"), SHOAL_OK);
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "input.comment", "#"), SHOAL_OK);
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "input.decimal", ","), SHOAL_OK);
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "privacy.k", "2"), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "x", SHOAL_ROLE_PERSON), SHOAL_OK);
    assert_int_equal(shoal_spec_set_hierarchy(&f->ctx, f->spec, "zip", "flat"), SHOAL_OK);
    assert_int_equal(shoal_inspect(&f->ctx, &report, f->spec, f->path), SHOAL_OK);
    const shoal_i_spec_column *x = read_back(f, &spec, report, "x");

    assert_int_equal(x->role, SHOAL_ROLE_PERSON);
    assert_int_equal(spec->input_delimiter, ';');
    assert_string_equal(spec->comment, "#");
    assert_int_equal(spec->decimal, 1);
    assert_int_equal(spec->k, 2);
    assert_int_equal(shoal_i_spec_find_column(spec, "zip")->plan.kind, SHOAL_I_PLAN_FLAT);
    assert_string_equal(spec->columns[0].name, "age"); /* in the order of the file */
    shoal_spec_free(spec);
    shoal_report_free(report);
}

static void test_absent_file(void **state)
{
    fixture *f = *state;
    shoal_report *report = NULL;

    assert_int_equal(shoal_inspect(&f->ctx, &report, f->spec, "/no/such/file.csv"),
                     SHOAL_ENOTFOUND);
    assert_null(report);
}

static shoal_status inspect_again(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_inspect(ctx, &report, f->spec, f->path);

    shoal_report_free(report);
    return st;
}

static void test_allocation_failures(void **state)
{
    fixture *f = *state;

    write_input(f, "patient_id,age,zip,name,born,ill\n7,1,53711,a,13.01.1990,flu\n"
                   "7,NA,53712,b,NA,gout\n8,?,53711,c,?,flu\n,3,53711,d,?,cold\n");
    assert_survives_failing_allocations(&f->ctx, inspect_again, f);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roles_by_name),
        cmocka_unit_test(test_given_roles_stay),
        cmocka_unit_test(test_codes_are_masked),
        cmocka_unit_test(test_ranges_and_grids),
        cmocka_unit_test(test_roles_by_values),
        cmocka_unit_test(test_names_that_values_contradict),
        CASE(test_facts_and_risk),
        CASE(test_no_cell_is_shown),
        CASE(test_no_quasi_column),
        CASE(test_one_record),
        CASE(test_spec_can_be_read),
        CASE(test_formats_of_dates),
        CASE(test_missing_words),
        CASE(test_words_that_may_be_answers),
        CASE(test_doubts_that_stay),
        CASE(test_identifiers_have_no_format),
        CASE(test_grids_that_are_not_free),
        CASE(test_records_without_a_person),
        CASE(test_persons_are_chosen),
        CASE(test_amounts_of_single_records),
        CASE(test_known_codes),
        CASE(test_bounds_in_persons),
        CASE(test_spec_keeps_what_was_asked),
        CASE(test_absent_file),
        CASE(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

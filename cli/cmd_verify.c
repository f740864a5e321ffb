#include "cli.h"

static const cli_option original_options[] = {
    CLI_TEXT(0, "original", "FILE",
             "the table that RELEASE was made from. With a column of persons, persons are "
             "counted by it; without, RELEASE has a box per record, and which rows each "
             "record could be in is counted",
             original),
    {0},
};

static const cli_group original_group = {"Beside the original", original_options};

static int run(cli *c)
{
    shoal_report *report = NULL;
    int code = cli_check_reports(c, c->operands[0]);

    if (code == CLI_DONE && c->original) {
        code = cli_check_reports(c, c->original);
    }
    if (code != CLI_DONE) {
        return code;
    }
    shoal_status st = c->original ? shoal_verify_records(c->ctx, &report, c->spec, c->original,
                                                         c->operands[0])
                                  : shoal_verify(c->ctx, &report, c->spec, c->operands[0]);

    if (st != SHOAL_OK) {
        code = cli_fail(c, st);
        return st == SHOAL_EREJECTED ? CLI_NEGATIVE : code;
    }
    cli_print_report(c, report, false);
    code = shoal_report_holds(report) ? CLI_DONE : CLI_NEGATIVE;
    st = cli_write_reports(c, report, false);
    shoal_report_free(report);
    return st == SHOAL_OK ? code : cli_fail(c, st);
}

const cli_command cli_verify = {
    .name = "verify",
    .summary = "check whether a file, anybody's, meets privacy requirements",
    .usage = "RELEASE -k N --quasi COLUMN,... [options]",
    .description =
        "Counts the records that look alike in the named columns, text by text: nothing is "
        "interpreted, so\na * is a value like any other. A column NAME may also be the pair "
        "NAME_min and NAME_max.\nSensitive values are counted class by class; the whole table "
        "is "
        "the file itself. For each requirement\nthe worst class is told: its number, in the "
        "order of first records, its size and its figure.\nThe exit code is 4 when a "
        "requirement does not hold, or a range does not end on its grid.\nA release with a box "
        "per record (method nonhomogeneous) "
        "has no classes: what it hides can only be\ntold beside its original, by --original. "
        "Then RELEASE is read through types and hierarchies.\nRows do not tell whose they are: "
        "where a person has several records (--person), persons are counted\nbeside the "
        "original, too, else rows.",
    .examples = "  printf 'age,ill\\n[20..29],flu\\n[20..29],gout\\n30,flu\\n30,gout\\n' > "
                "release.csv\n"
                "  shoal verify release.csv -k 2 --quasi age\n"
                "  shoal verify release.csv -k 2 --l distinct:2 --quasi age --sensitive ill\n",
    .basics = (const char *const[]){"k", "quasi", "sensitive", "l", "t", "spec", "original",
                                    "strict", "accept", "report", NULL},
    .groups =
        (const cli_group *const[]){&cli_size_group, &cli_privacy_group, &cli_population_group,
                                   &cli_release_columns_group, &original_group,
                                   &cli_buckets_group, &cli_warnings_group, &cli_report_group,
                                   &cli_input_group, &cli_missing_group, &cli_spec_group,
                                   &cli_common_group, NULL},
    .operands_min = 1,
    .operands_max = 1,
    .operands_expected = "one file to check",
    .run = run,
};

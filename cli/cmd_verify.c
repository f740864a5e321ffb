#include "cli.h"

static int run(cli *c)
{
    shoal_report *report = NULL;
    int code = cli_check_reports(c, c->operands[0]);

    if (code != CLI_DONE) {
        return code;
    }
    shoal_status st = shoal_verify(&c->ctx, &report, c->spec, c->operands[0]);

    if (st != SHOAL_OK) {
        return cli_fail(c, st);
    }
    cli_print_report(c, report, false);
    code = shoal_report_holds(report) ? CLI_DONE : CLI_NEGATIVE;
    st = cli_write_reports(c, report);
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
        "requirement does not hold.",
    .examples = "  printf 'age,ill\\n[20..29],flu\\n[20..29],gout\\n30,flu\\n30,gout\\n' > "
                "release.csv\n"
                "  shoal verify release.csv -k 2 --quasi age\n"
                "  shoal verify release.csv -k 2 --l distinct:2 --quasi age --sensitive ill\n",
    .groups = (const cli_group *const[]){&cli_size_group, &cli_privacy_group,
                                         &cli_population_group, &cli_release_columns_group,
                                         &cli_report_group, &cli_input_group, &cli_tokens_group,
                                         &cli_spec_group, &cli_common_group, NULL},
    .operands_min = 1,
    .operands_max = 1,
    .operands_expected = "one file to check",
    .run = run,
};

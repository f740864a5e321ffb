#include "cli.h"

static int run(cli *c)
{
    shoal_report *report = NULL;
    int code = cli_check_operands(c);

    if (code != CLI_DONE) {
        return code;
    }
    const char *release = c->operand_count == 2 ? c->operands[1] : NULL;
    shoal_status st = shoal_risk(c->ctx, &report, c->spec, c->operands[0], release);

    return cli_finish(c, st, report);
}

const cli_command cli_risk = {
    .name = "risk",
    .summary = "tell how exposed people are in a raw file, and in a release of it",
    .usage = "ORIGINAL [RELEASE] --quasi COLUMN,... [options]",
    .description =
        "The chance that a record is found: by a prosecutor, who knows that somebody is in the "
        "table; by a\njournalist, who knows the population, given as a file or as the share "
        "that was sampled; by a marketer,\nwho links all records. Unique records, the columns "
        "that together single them out (up to four), and\nwhat somebody's class tells about "
        "sensitive columns; before and, with a release, after.",
    .examples =
        "  shoal generate census --records 1000 -o people.csv\n"
        "  shoal risk people.csv --quasi age,sex,zip --sensitive income\n"
        "  shoal anonymize people.csv -o release.csv -k 10 --quasi age,sex,zip --quiet\n"
        "  shoal risk people.csv release.csv --quasi age,sex,zip --sampling-fraction "
        "0.01\n",
    .basics = (const char *const[]){"quasi", "sensitive", "person", "spec", "population",
                                    "sampling-fraction", "risk-threshold", "encoding", "report",
                                    "json", NULL},
    .groups =
        (const cli_group *const[]){&cli_columns_group, &cli_size_group,
                                   &cli_risk_population_group, &cli_shape_group,
                                   &cli_report_group, &cli_input_group, &cli_missing_group,
                                   &cli_spec_group, &cli_common_group, NULL},
    .operands_min = 1,
    .operands_max = 2,
    .operands_expected = "one file or two, the original and a release",
    .run = run,
};

#include "cli.h"

static int run(cli *c)
{
    shoal_report *report = NULL;
    int code = cli_check_operands(c);

    if (code != CLI_DONE) {
        return code;
    }
    shoal_status st = shoal_measure(c->ctx, &report, c->spec, c->operands[0], c->operands[1]);

    return cli_finish(c, st, report);
}

const cli_command cli_measure = {
    .name = "measure",
    .summary = "tell how much a release, anybody's, lost of its original",
    .usage = "ORIGINAL RELEASE --quasi COLUMN,... [options]",
    .description =
        "Reads the released values back through the hierarchies ([20..30], 20-30, [20, 30[, "
        "{a|b}, labels,\n*) and reports the certainty penalty (NCP, GCP), the loss of each "
        "column, discernibility (C_DM),\naverage class size (C_AVG), distortion ratio, class "
        "sizes and suppression; with a sensitive column also privacy loss and utility loss.",
    .examples = "  shoal generate census --records 1000 -o people.csv\n"
                "  shoal anonymize people.csv -o release.csv -k 10 --quasi age,sex --quiet\n"
                "  shoal measure people.csv release.csv --quasi age,sex\n",
    .basics = (const char *const[]){"quasi", "sensitive", "hierarchy", "spec", "k", "measure",
                                    "shape", "encoding", "report", "json", NULL},
    .groups =
        (const cli_group *const[]){&cli_columns_group, &cli_size_group, &cli_figures_group,
                                   &cli_shape_group, &cli_buckets_group, &cli_report_group,
                                   &cli_attack_group, &cli_risk_population_group,
                                   &cli_input_group, &cli_missing_group, &cli_spec_group,
                                   &cli_common_group, NULL},
    .operands_min = 2,
    .operands_max = 2,
    .operands_expected = "two files, the original and the release",
    .run = run,
};

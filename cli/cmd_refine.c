#include "cli.h"

static const cli_option search_options[] = {
    CLI_SETTING(0, "effort", CLI_WORDS,
                "how long to search (normal); fast only makes each class as narrow as its "
                "records allow",
                "effort"),
    CLI_SETTING(0, "time", "TIME", "search for so long instead, such as 30s, 2m or 1h", "time"),
    CLI_SETTING(0, "seed", "N", "of the random choices of the search (1)", "seed"),
    {0},
};

static const cli_group search_group = {"Search", search_options};

static int run(cli *c)
{
    shoal_report *report = NULL;
    int code = cli_check_release(c);

    if (code != CLI_DONE) {
        return code;
    }
    shoal_status st =
        shoal_refine(c->ctx, &report, c->spec, c->operands[0], c->operands[1], c->output);

    return cli_finish_release(c, st, report);
}

const cli_command cli_refine = {
    .name = "refine",
    .summary = "make a release, anybody's, lose less, with the same promise",
    .usage = "ORIGINAL RELEASE -o NEW -k N --quasi COLUMN,... [options]",
    .description =
        "Reads a release back through the hierarchies, finds which records of the original may "
        "stand behind\nits rows, and searches from its classes for better ones. Every class "
        "meets the requirement, before\nand after; nothing is lost that was not lost before. "
        "The result is verified and published as by\nanonymize.",
    .examples =
        "  shoal generate census --records 1000 -o people.csv\n"
        "  shoal anonymize people.csv -o coarse.csv -k 10 --quasi age,sex --method mondrian "
        "--quiet\n"
        "  shoal refine people.csv coarse.csv -o fine.csv -k 10 --quasi age,sex\n",
    .basics = (const char *const[]){"output", "quasi", "sensitive", "person", "k", "l",
                                    "hierarchy", "spec", "time", "report", NULL},
    .groups =
        (const cli_group *const[]){&cli_output_group, &cli_warnings_group, &cli_report_group,
                                   &cli_attack_group, &cli_size_group, &cli_privacy_group,
                                   &cli_columns_group, &search_group, &cli_figures_group,
                                   &cli_input_group, &cli_missing_group, &cli_spec_group,
                                   &cli_common_group, NULL},
    .operands_min = 2,
    .operands_max = 2,
    .operands_expected = "two files, the original and the release",
    .run = run,
};

#include "cli.h"

#include <string.h>

static const cli_option search_options[] = {
    {0, "effort", "fast|normal|high",
     "how long to search (normal); fast only makes each class as narrow as its records allow",
     cli_apply_setting, "effort", true},
    {0, "time", "TIME", "search for so long instead, such as 30s, 2m or 1h", cli_apply_setting,
     "time", true},
    {0, "seed", "N", "of the random choices of the search (1)", cli_apply_setting, "seed",
     true},
    {0},
};

static const cli_group search_group = {"Search", search_options};

static int check_paths(cli *c)
{
    int code = CLI_DONE;

    if (!c->output) {
        return cli_fail_usage(c, "Say where to write the release: -o FILE.");
    }
    if (strcmp(c->operands[0], "-") == 0 && strcmp(c->operands[1], "-") == 0) {
        return cli_fail_usage(c, "Only one of the two files can be standard input.");
    }
    if (c->json && strcmp(c->output, "-") == 0) {
        return cli_fail_usage(c, "-o - and --json both want the standard output; drop one.");
    }
    for (int i = 0; i < 2 && code == CLI_DONE; i++) {
        code = cli_check_reports(c, c->operands[i]);
    }
    if (code == CLI_DONE) {
        code = cli_check_reports(c, c->output);
    }
    return code == CLI_DONE ? cli_check_distinct(c, c->spec_path, c->output, "The release")
                            : code;
}

static int run(cli *c)
{
    shoal_report *report = NULL;
    int code = check_paths(c);

    if (code != CLI_DONE) {
        return code;
    }
    shoal_status st =
        shoal_refine(&c->ctx, &report, c->spec, c->operands[0], c->operands[1], c->output);

    if (st != SHOAL_OK) {
        return cli_fail(c, st);
    }
    /* The release is published: from here on there is nothing to stop. */
    c->ctx.cancel = NULL;
    cli_print_report(c, report, true);
    st = cli_write_reports(c, report);
    shoal_report_free(report);
    return st == SHOAL_OK ? CLI_DONE : cli_fail(c, st);
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
    .groups =
        (const cli_group *const[]){&cli_output_group, &cli_report_group, &cli_size_group,
                                   &cli_privacy_group, &cli_columns_group, &search_group,
                                   &cli_figures_group, &cli_input_group, &cli_missing_group,
                                   &cli_spec_group, &cli_common_group, NULL},
    .operands_min = 2,
    .operands_max = 2,
    .operands_expected = "two files, the original and the release",
    .run = run,
};

#include "cli.h"

#include <string.h>

static const cli_option output_options[] = {
    CLI_TEXT('o', "output", "FILE.yaml",
             "write a spec that runs on the file as it is; - is standard output", output),
    CLI_OPTION(0, "report", "FILE.json", "write the result to a file", cli_apply_report, false),
    {0},
};

static const cli_group output_group = {"Result", output_options};

static int check_paths(cli *c)
{
    bool is_to_stdout = c->output && strcmp(c->output, "-") == 0;
    int code = CLI_DONE;

    if (c->json && is_to_stdout) {
        return cli_fail_usage(c, "-o - and --json both want the standard output; drop one.");
    }
    if (c->output && !is_to_stdout &&
        (shoal_report_check(c->ctx, c->output) != SHOAL_OK || strstr(c->output, ".json"))) {
        return cli_fail_usage(c, "The name of a spec ends in .yaml or .yml; got \"%.200s\".",
                              c->output);
    }
    code = cli_check_distinct(c, c->operands[0], c->output, "The spec");
    if (code == CLI_DONE) {
        code = cli_check_distinct(c, c->spec_path, c->output, "The spec");
    }
    return code == CLI_DONE ? cli_check_distinct(c, c->operands[0], c->report, "The report")
                            : code;
}

static int run(cli *c)
{
    shoal_report *report = NULL;
    int code = check_paths(c);

    if (code != CLI_DONE) {
        return code;
    }
    shoal_status st = shoal_inspect(c->ctx, &report, c->spec, c->operands[0]);

    if (st != SHOAL_OK) {
        return cli_fail(c, st);
    }
    if (c->output && strcmp(c->output, "-") == 0) {
        cli_print(shoal_report_spec(report), false);
    } else {
        cli_print_report(c, report, false);
        st = c->output ? shoal_report_write(c->ctx, report, c->output) : SHOAL_OK;
    }
    if (st == SHOAL_OK && c->report) {
        st = shoal_report_write(c->ctx, report, c->report);
    }
    shoal_report_free(report);
    return st == SHOAL_OK ? CLI_DONE : cli_fail(c, st);
}

const cli_command cli_inspect = {
    .name = "inspect",
    .summary = "look at a raw file: types, likely roles, unique records, risk",
    .usage = "INPUT [-o SPEC.yaml] [options]",
    .description =
        "Guesses what each column is from its values, its name and how values repeat, says "
        "why, "
        "and tells\nhow many records the quasi-identifier (the one given, or the one guessed) "
        "singles out. Guesses are\na start; they never decide. No cell is shown. Requirements "
        "and --strict go into the spec.",
    .examples = "  shoal generate census --records 1000 -o people.csv\n"
                "  shoal inspect people.csv\n"
                "  shoal inspect people.csv -o people.yaml --quiet\n"
                "  shoal anonymize people.csv -o release.csv --spec people.yaml\n",
    .basics = (const char *const[]){"output", "quasi", "sensitive", "identifier", "person",
                                    "encoding", "date-format", "decimal", "missing-tokens",
                                    "spec", NULL},
    .groups = (const cli_group *const[]){&output_group, &cli_columns_group, &cli_size_group,
                                         &cli_privacy_group, &cli_warnings_group,
                                         &cli_input_group, &cli_missing_group, &cli_spec_group,
                                         &cli_common_group, NULL},
    .operands_min = 1,
    .operands_max = 1,
    .operands_expected = "one input file",
    .run = run,
};

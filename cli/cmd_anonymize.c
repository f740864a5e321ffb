#include "cli.h"

#include <stdlib.h>

static const cli_option method_options[] = {
    CLI_SETTING(0, "method", "NAME[:key=value,...]",
                "how to find the classes (best); shoal methods lists them", "method"),
    CLI_SETTING(0, "effort", CLI_WORDS, NULL, "effort"),
    CLI_SETTING(0, "time", "TIME", NULL, "time"),
    CLI_SETTING(0, "suppress", "SHARE", NULL, "suppress"),
    CLI_SETTING(0, "memory", "SIZE",
                "work within so much memory, such as 512M or 2G, and with temporary files for "
                "the rest; "
                "they go to SHOAL_TMPDIR, else TMPDIR, else /tmp",
                "memory"),
    CLI_SETTING(0, "seed", "N", NULL, "seed"),
    {0},
};

static const cli_group method_group = {"Method", method_options};

/* Where temporary files go, by the variables that say so. */
static shoal_status set_temporary(cli *c)
{
    const char *folder = getenv("SHOAL_TMPDIR");

    if (!folder || !*folder) {
        folder = getenv("TMPDIR");
    }
    return folder && *folder ? shoal_spec_set(c->ctx, c->spec, "temporary", folder) : SHOAL_OK;
}

static int run(cli *c)
{
    shoal_report *report = NULL;
    int code = cli_check_release(c);

    if (code != CLI_DONE) {
        return code;
    }
    shoal_status st = set_temporary(c);

    if (st == SHOAL_OK) {
        st = shoal_anonymize(c->ctx, &report, c->spec, c->operands[0], c->output);
    }
    return cli_finish_release(c, st, report);
}

const cli_command cli_anonymize = {
    .name = "anonymize",
    .summary = "make a release in which every record looks like at least k - 1 others",
    .usage = "INPUT -o RELEASE -k N --quasi COLUMN,... [options]",
    .description =
        "Reads a CSV file (- is standard input), groups its records so that little is lost, "
        "generalizes\nthe quasi-identifier of each group to one value, checks what is about to "
        "be published by reading\nit back, and only then gives it its name. A short summary "
        "goes to standard error.",
    .examples =
        "  shoal generate census --records 1000 -o people.csv\n"
        "  shoal anonymize people.csv -o release.csv -k 10 --quasi age,sex,zip --sensitive "
        "income\n"
        "  shoal anonymize people.csv -o release.csv -k 10 --l 2.5 --quasi age,sex,zip "
        "--sensitive income\n"
        "  shoal anonymize people.csv -o release.csv -k 10 --quasi age,sex,zip --sensitive "
        "income --report report.html\n"
        "  shoal anonymize people.csv -o - -k 5 --quasi age,zip --hierarchy zip=prefix:5 "
        "--quiet\n",
    .basics = (const char *const[]){"output", "spec", "quasi", "sensitive", "person", "k", "l",
                                    "hierarchy", "strict", "report", NULL},
    .groups =
        (const cli_group *const[]){
            &cli_output_group, &cli_warnings_group, &cli_report_group, &cli_attack_group,
            &cli_risk_group, &cli_size_group, &cli_privacy_group, &cli_population_group,
            &cli_defence_group, &cli_columns_group, &method_group, &cli_figures_group,
            &cli_input_group, &cli_missing_group, &cli_spec_group, &cli_common_group, NULL},
    .operands_min = 1,
    .operands_max = 1,
    .operands_expected = "one input file",
    .run = run,
};

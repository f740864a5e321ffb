#include "cli.h"

#include <string.h>

static bool apply_plot(cli *c, const cli_option *option, const char *value)
{
    size_t length = strlen(value);

    (void)option;
    if (length < 5 ||
        (strcmp(value + length - 4, ".svg") != 0 && strcmp(value + length - 5, ".html") != 0)) {
        cli_say(c, "--plot expects a name that ends with .svg or .html; got \"%s\".", value);
        return false;
    }
    c->plot = value;
    return true;
}

static const cli_option output_options[] = {
    CLI_TEXT('o', "output", "FILE.csv", "write the points as a table", output),
    CLI_OPTION(0, "plot", "FILE.svg|.html",
               "draw them; marks tell their figures when pointed at", apply_plot, false),
    CLI_OPTION(0, "report", "FILE.json", "write all of it to a file", cli_apply_report, false),
    CLI_SWITCH(
        0, "resume",
        "go on where an interrupted run with the same -o left off; it kept its points in "
        "FILE.csv.part",
        resume),
    {0},
};

static const cli_option sweep_options[] = {
    CLI_SETTING(0, "sweep", "KEY=VALUE,...", NULL, "frontier.sweep"),
    CLI_SETTING(0, "try", "NAME[:key=value,...]", NULL, "frontier.methods"),
    CLI_SETTING(0, "axes", "X,Y", NULL, "frontier.axes"),
    CLI_SETTING(0, "min-support", "SHARE",
                "utility loss counts populations of at least this share of the records (0.05)",
                "measure.min_support"),
    CLI_SETTING(0, "suppress", "SHARE", "of the records that every release may suppress (0)",
                "suppress"),
    CLI_SETTING(0, "seed", "N", "of the random choices of the methods (1)", "seed"),
    CLI_SETTING(0, "time", "30s|5m|1h", "begin no point later than that", "frontier.time"),
    {0},
};

static const cli_option limit_options[] = {
    CLI_SETTING(0, "max-privacy-loss", "P",
                "recommend the release that loses least among those within it",
                "frontier.max.privacy_loss"),
    CLI_SETTING(
        0, "max-risk", "R",
        "recommend none with more than this as the highest chance that a record is found, 1 / "
        "(records of the smallest class)",
        "frontier.max.highest_risk"),
    CLI_SETTING(0, "max-linkage", "SHARE", "likewise: of right links by the attack linkage",
                "frontier.max.linkage"),
    CLI_SETTING(0, "max-matching", "SHARE", "likewise: by the attack matching",
                "frontier.max.matching"),
    CLI_SETTING(0, "max-definetti", "SHARE", "likewise: of right guesses by de Finetti",
                "frontier.max.definetti"),
    CLI_SETTING(0, "max-utility-loss", "U",
                "recommend the release that reveals least among those within it",
                "frontier.max.utility_loss"),
    CLI_SETTING(0, "max-gcp", "G", "likewise", "frontier.max.gcp"),
    CLI_SETTING(0, "max-query-error", "E", "likewise", "frontier.max.query_error"),
    {0},
};

static const cli_group output_group = {"Output", output_options};
static const cli_group sweep_group = {"What is tried", sweep_options};
static const cli_group limit_group = {"Which one to take", limit_options};

static int check_paths(cli *c)
{
    const char *const written[] = {c->output, c->plot, c->report};

    if (c->resume && !c->output) {
        return cli_fail_usage(c, "--resume needs the -o of the run that was interrupted.");
    }
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        int code = cli_check_distinct(c, c->operands[0], written[i], "A result");

        for (size_t j = 0; j < i && code == CLI_DONE; j++) {
            code = cli_check_distinct(c, written[j], written[i], "A result");
        }
        if (code != CLI_DONE) {
            return code;
        }
    }
    return CLI_DONE;
}

/* Whether -o is a file that points can be kept beside. */
static const char *find_keep(const cli *c)
{
    return c->output && strcmp(c->output, "-") != 0 ? c->output : NULL;
}

static shoal_status write_results(cli *c, const shoal_report *report)
{
    const char *const paths[] = {c->output, c->plot, c->report};
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < sizeof paths / sizeof *paths && st == SHOAL_OK; i++) {
        if (paths[i]) {
            st = shoal_report_write(c->ctx, report, paths[i]);
        }
    }
    return st;
}

static int run(cli *c)
{
    shoal_report *report = NULL;
    int code = check_paths(c);

    if (code != CLI_DONE) {
        return code;
    }
    shoal_status st =
        shoal_frontier(c->ctx, &report, c->spec, c->operands[0], find_keep(c), c->resume);

    if (st == SHOAL_OK) {
        st = write_results(c, report);
    }
    if (st != SHOAL_OK) {
        shoal_report_free(report);
        code = cli_fail(c, st);
        if (st == SHOAL_ECANCELLED && find_keep(c)) {
            cli_say(c, "The points done so far are kept; go on with --resume.");
        }
        return code;
    }
    cli_print_report(c, report, false);
    code = shoal_report_holds(report) ? CLI_DONE : CLI_NEGATIVE;
    shoal_report_free(report);
    return code;
}

const cli_command cli_frontier = {
    .name = "frontier",
    .summary = "try many requirements and methods, and tell which releases are worth making",
    .usage = "INPUT --quasi COLUMN,... [options]",
    .description =
        "Makes a release for every requirement and method of the sweep without publishing any, "
        "measures what each\nreveals and what it loses, marks those that no other beats on "
        "both "
        "counts, and recommends one within\nthe limits given. Exit code 4: no point is within "
        "the limits.",
    .examples =
        "  shoal generate census --records 1000 -o people.csv\n"
        "  shoal frontier people.csv --quasi age,sex,zip --sensitive income -o points.csv "
        "--plot "
        "points.html\n"
        "  shoal frontier people.csv --quasi age,sex,zip --sensitive income --sweep k=5,10,50 "
        "--sweep t=0.2,0.4 --try mondrian --max-privacy-loss 0.2\n",
    .basics = (const char *const[]){"output", "plot", "report", "quasi", "sensitive", "person",
                                    "hierarchy", "spec", "sweep", "max-risk", NULL},
    .groups =
        (const cli_group *const[]){
            &output_group, &sweep_group, &limit_group, &cli_size_group, &cli_privacy_group,
            &cli_population_group, &cli_against_group, &cli_columns_group, &cli_input_group,
            &cli_missing_group, &cli_spec_group, &cli_common_group, NULL},
    .operands_min = 1,
    .operands_max = 1,
    .operands_expected = "one input file",
    .run = run,
};

/* What commands share that make a release: how it is written, and the end of the command. */
#include "cli.h"

#include <string.h>

static bool apply_keep_order(cli *c, const cli_option *option, const char *value)
{
    (void)value;
    return cli_apply_setting(c, option, "keep");
}

static bool apply_spreadsheet(cli *c, const cli_option *option, const char *value)
{
    (void)value;
    return cli_apply_setting(c, option, "spreadsheet");
}

static const cli_option output_options[] = {
    CLI_TEXT('o', "output", "FILE", "where to write it; - is standard output", output),
    CLI_SETTING(0, "rest", CLI_WORDS, NULL, "rest"),
    CLI_SETTING(0, "numeric", CLI_WORDS, NULL, "output.numeric"),
    CLI_SETTING(0, "categorical", CLI_WORDS, NULL, "output.categorical"),
    {0, "keep-order", NULL,
     "leave the records in the order of the input, which may tell who they are; otherwise they "
     "are sorted by what is released",
     apply_keep_order, "output.order", true, 0},
    {0, "spreadsheet-safe", NULL,
     "put an apostrophe before every text that a spreadsheet would run as a formula: one that "
     "begins with = + - or @ and is no number",
     apply_spreadsheet, "output.cells", true, 0},
    CLI_SETTING(0, "output-delimiter", "CHARACTER", NULL, "output.delimiter"),
    CLI_SETTING(
        0, "sensitive-table", "FILE",
        "where methods by buckets write the sensitive values; without: RELEASE.sensitive.csv "
        "beside RELEASE.csv",
        "output.sensitive_table"),
    {0},
};

const cli_group cli_output_group = {"Release", output_options};

int cli_check_release(cli *c)
{
    int code = CLI_DONE;

    if (!c->output) {
        return cli_fail_usage(c, "Say where to write the release: -o FILE.");
    }
    if (c->json && strcmp(c->output, "-") == 0) {
        return cli_fail_usage(c, "-o - and --json both want the standard output; drop one.");
    }
    code = cli_check_operands(c);
    if (code == CLI_DONE) {
        code = cli_check_reports(c, c->output);
    }
    if (code == CLI_DONE) {
        code = cli_check_reports(c, c->spec_path);
    }
    return code == CLI_DONE ? cli_check_distinct(c, c->spec_path, c->output, "The release")
                            : code;
}

int cli_finish_release(cli *c, shoal_status status, shoal_report *report)
{
    int code = CLI_DONE;

    if (status != SHOAL_OK) {
        if (status == SHOAL_EWARNED) {
            cli_print_report(c, report, true);
        }
        shoal_report_free(report);
        return cli_fail(c, status);
    }
    /* The release is published: from here on there is nothing to stop. */
    shoal_ctx_set_cancel(c->ctx, NULL);
    cli_print_report(c, report, true);
    status = cli_write_reports(c, report, true);
    shoal_report_free(report);
    if (status != SHOAL_OK) {
        code = cli_fail(c, status);
        cli_say(c, "The release was written, the report was not.");
    }
    return code;
}

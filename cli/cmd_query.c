#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_count(cli *c, const cli_option *option, const char *value, size_t *out)
{
    uint64_t count = 0;

    if (!cli_parse_count(c, &count, option, value, 1, UINT64_MAX)) {
        return false;
    }
    *out = count < SIZE_MAX ? (size_t)count : SIZE_MAX;
    return true;
}

static bool apply_queries(cli *c, const cli_option *option, const char *value)
{
    return read_count(c, option, value, &c->workload.queries);
}

static bool apply_dimensions(cli *c, const cli_option *option, const char *value)
{
    return read_count(c, option, value, &c->workload.dimensions);
}

static bool apply_selectivity(cli *c, const cli_option *option, const char *value)
{
    char *end = NULL;

    c->workload.selectivity = strtod(value, &end);
    if (end == value || *end ||
        !(c->workload.selectivity > 0 && c->workload.selectivity <= 1)) {
        cli_fail_usage(c, "--%s expects a share, above 0 and at most 1; got \"%.40s\".",
                       option->name, value);
        return false;
    }
    return true;
}

static const cli_option query_options[] = {
    CLI_TEXT(0, "original", "FILE",
             "what the release was made from: shows the exact answer and the error", original),
    CLI_TEXT(0, "estimator", "uniform|marginal",
             "within a released value every value is equally likely (the default), or as "
             "likely as the "
             "whole release suggests",
             workload.estimator),
    CLI_OPTION(0, "report", "FILE.json", "write the result to a file", cli_apply_report, false),
    {0},
};

static const cli_option workload_options[] = {
    CLI_TEXT(0, "workload", "KIND",
             "instead of a query, many random ones, and their errors against the original: "
             "xu-count (a "
             "range, value or group of each column), xu-sum (the same of all but one column, "
             "which is "
             "added up), lili (sets of values of some columns and of a sensitive one)",
             workload.kind),
    CLI_OPTION(0, "queries", "N", "how many (1000)", apply_queries, false),
    CLI_TEXT(0, "columns", "COLUMN,...", "ask about these quasi columns only (all)",
             workload.columns),
    CLI_TEXT(0, "sum", "COLUMN", "xu-sum: the column to add up (the first of numbers)",
             workload.sum),
    CLI_OPTION(0, "qd", "N", "lili: how many quasi columns each query is about (4)",
               apply_dimensions, false),
    CLI_OPTION(0, "sel", "SHARE",
               "lili: the share of the records that a query is expected to select (0.05)",
               apply_selectivity, false),
    CLI_SETTING(0, "seed", "N", "of the random queries (1)", "seed"),
    {0},
};

static const cli_group query_group = {"Query", query_options};
static const cli_group workload_group = {"Workload", workload_options};

static int check_usage(cli *c)
{
    const char *release = c->operands[0];
    int code = CLI_DONE;

    if (c->operand_count == 1 && !c->workload.kind) {
        return cli_fail_usage(c, "Expected a query, such as \"COUNT WHERE age < 40\", or "
                                 "--workload.");
    }
    if (c->operand_count == 2 && c->workload.kind) {
        return cli_fail_usage(c, "Either a query or --workload; got both.");
    }
    if (c->original && strcmp(c->original, "-") == 0 && strcmp(release, "-") == 0) {
        return cli_fail_usage(c, "Only one of the two files can be standard input.");
    }
    code = cli_check_distinct(c, release, c->report, "The report");
    return code == CLI_DONE ? cli_check_distinct(c, c->original, c->report, "The report")
                            : code;
}

/* The query with a mark under the byte at fault. */
static void show_place(const cli *c)
{
    const shoal_error *error = shoal_ctx_error(c->ctx);
    const char *query = c->operands[1];

    if (!query || strcmp(error->source, "query") != 0 || error->column < 1) {
        return;
    }
    cli_print("  ", true);
    cli_print(query, true);
    cli_print("\n  ", true);
    for (int64_t i = 1; i < error->column; i++) {
        unsigned char byte = (unsigned char)query[i - 1];

        /* Characters of several bytes take one place; what moves the cursor is repeated. */
        if ((byte & 0xC0) != 0x80) {
            cli_print(byte == '\t' || byte == '\n' ? (char[]){(char)byte, '\0'} : " ", true);
        }
    }
    cli_print("^\n", true);
}

static int run(cli *c)
{
    shoal_report *report = NULL;
    int code = check_usage(c);

    if (code != CLI_DONE) {
        return code;
    }
    shoal_status st = c->workload.kind
                          ? shoal_query_workload(c->ctx, &report, c->spec, c->operands[0],
                                                 c->original, &c->workload)
                          : shoal_query(c->ctx, &report, c->spec, c->operands[0], c->original,
                                        c->operands[1], c->workload.estimator);

    code = cli_finish(c, st, report);
    if (st != SHOAL_OK) {
        show_place(c);
    }
    return code;
}

const cli_command cli_query = {
    .name = "query",
    .summary = "answer a query from a release, anybody's, and tell how far it is off",
    .usage = "RELEASE \"QUERY\" --quasi COLUMN,... [--original FILE] [options]",
    .description =
        "A query counts records or adds up a column: COUNT, SUM(column) or AVG(column), then "
        "WHERE and\nconditions joined by AND: =, IN (...), BETWEEN ... AND ..., <, <=, >, >=. "
        "Values may be groups of a\nhierarchy; names and values with spaces or signs go in "
        "quotes. The answer is an estimate: of a\nreleased range or group that a condition "
        "selects in part, every value inside is taken as equally\nlikely. See docs/query.md.",
    .examples =
        "  shoal generate census --records 1000 -o people.csv\n"
        "  shoal anonymize people.csv -o release.csv -k 10 --quasi age,sex --quiet\n"
        "  shoal query release.csv \"COUNT WHERE age BETWEEN 30 AND 40\" --quasi age,sex\n"
        "  shoal query release.csv \"AVG(age) WHERE sex = Female\" --quasi age,sex --original "
        "people.csv\n"
        "  shoal query release.csv --workload xu-count --quasi age,sex --original people.csv\n",
    .basics = (const char *const[]){"original", "quasi", "sensitive", "hierarchy", "spec",
                                    "workload", "queries", "estimator", "report", "json", NULL},
    .groups =
        (const cli_group *const[]){&query_group, &workload_group, &cli_columns_group,
                                   &cli_buckets_group, &cli_input_group, &cli_missing_group,
                                   &cli_spec_group, &cli_common_group, NULL},
    .operands_min = 1,
    .operands_max = 2,
    .operands_expected = "a release and a query",
    .run = run,
};

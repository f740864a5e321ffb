#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool apply_records(cli *c, const cli_option *option, const char *value)
{
    return cli_parse_count(c, &c->generate.records, option, value, 1, UINT64_C(1000000000000));
}

static bool apply_seed(cli *c, const cli_option *option, const char *value)
{
    return cli_parse_count(c, &c->generate.seed, option, value, 0, INT64_MAX);
}

static bool apply_dimensions(cli *c, const cli_option *option, const char *value)
{
    uint64_t dimensions = 0;

    if (!cli_parse_count(c, &dimensions, option, value, 1, 1024)) {
        return false;
    }
    c->generate.dimensions = (unsigned)dimensions;
    return true;
}

static bool apply_sigma(cli *c, const cli_option *option, const char *value)
{
    char *end = NULL;

    c->generate.sigma = strtod(value, &end);
    if (end == value || *end != '\0' || !(c->generate.sigma > 0 && c->generate.sigma <= 1e6)) {
        cli_fail_usage(c, "--%s expects a number above 0; got \"%.40s\".", option->name, value);
        return false;
    }
    return true;
}

static const cli_option table_options[] = {
    CLI_OPTION(0, "records", "N", "how many records (required)", apply_records, false),
    CLI_OPTION(0, "seed", "N", "another seed, another table (1)", apply_seed, false),
    CLI_OPTION(0, "dimensions", "D", "columns, not of census (4; of payments 24)",
               apply_dimensions, false),
    CLI_OPTION(0, "sigma", "X", "standard deviation of gaussian (1)", apply_sigma, false),
    CLI_TEXT('o', "output", "FILE", "where to write it; - is standard output (-)", output),
    CLI_TEXT(0, "write-spec", "FILE", "write a spec that goes with it, too", generate_spec),
    {0},
};

static const cli_group table_group = {"Table", table_options};

static int check_arguments(cli *c)
{
    if (!shoal_generate_kind_find(&c->generate.kind, c->operands[0])) {
        return cli_fail_usage(
            c,
            "Unknown kind of table \"%.80s\"; known: uniform, gaussian, census "
            "and payments.",
            c->operands[0]);
    }
    if (c->generate.records == 0) {
        return cli_fail_usage(c, "Say how many records: --records N.");
    }
    if (c->json && (!c->output || strcmp(c->output, "-") == 0)) {
        return cli_fail_usage(c, "The table and --json both want the standard output; give -o "
                                 "FILE.");
    }
    return CLI_DONE;
}

static int run(cli *c)
{
    int code = check_arguments(c);

    if (code != CLI_DONE) {
        return code;
    }
    shoal_status st = shoal_generate(c->ctx, c->output ? c->output : "-", &c->generate);

    if (st == SHOAL_OK && c->generate_spec) {
        st = shoal_generate_spec(c->ctx, c->generate_spec, &c->generate);
    }
    if (st != SHOAL_OK) {
        return cli_fail(c, st);
    }
    if (c->json) {
        printf("{\n  \"command\": \"generate\",\n  \"kind\": \"%s\",\n  \"records\": %llu,\n"
               "  \"seed\": %llu\n}\n",
               c->operands[0], (unsigned long long)c->generate.records,
               (unsigned long long)c->generate.seed);
    }
    return CLI_DONE;
}

const cli_command cli_generate = {
    .name = "generate",
    .summary = "make a synthetic table to try things on",
    .usage = "uniform|gaussian|census|payments --records N [-o FILE] [options]",
    .description =
        "  uniform    columns A1, A2, ... of whole numbers from 1 to 16, each equally likely\n"
        "  gaussian   the same, normally distributed around 8.5\n"
        "  census     age, sex, education, marital, race, workclass, country, occupation, zip "
        "and\n"
        "             income of people who do not exist, distributed and related as in a "
        "census\n"
        "  payments   limit and age, then bill1, paid1, late1, bill2, ... of a bank's "
        "customers: "
        "wide\n"
        "             tables of amounts with long tails that follow each other\n"
        "\n"
        "A longer table of the same seed starts with the shorter one.",
    .examples =
        "  shoal generate census --records 1000 --seed 7 -o people.csv\n"
        "  shoal generate gaussian --records 500 --dimensions 3 --sigma 2 -o points.csv\n"
        "  shoal generate payments --records 30000 -o payments.csv --write-spec "
        "payments.yaml\n",
    .groups = (const cli_group *const[]){&table_group, &cli_common_group, NULL},
    .operands_min = 1,
    .operands_max = 1,
    .operands_expected = "one kind of table: uniform, gaussian, census or payments",
    .run = run,
};

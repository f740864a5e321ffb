#include "cli.h"

/* The first release is an operand; each further one comes by an option. */
static bool apply_release(cli *c, const cli_option *option, const char *value)
{
    if (c->release_count == CLI_RELEASES_MAX) {
        cli_fail_usage(c, "--%s: At most %d releases are attacked together.", option->name,
                       CLI_RELEASES_MAX + 1);
        return false;
    }
    c->releases[c->release_count++] = value;
    return true;
}

static const cli_option release_options[] = {
    CLI_OPTION(0, "release", "FILE",
               "another release of the same people, for attacks that put several together; may "
               "be given again",
               apply_release, false),
    {0},
};

static const cli_group release_group = {"Releases", release_options};

static int run(cli *c)
{
    shoal_report *report = NULL;
    const char *releases[CLI_RELEASES_MAX + 1] = {0};
    int code = cli_check_operands(c);

    for (size_t i = 0; i < c->release_count && code == CLI_DONE; i++) {
        code = cli_check_reports(c, c->releases[i]);
    }
    if (code != CLI_DONE) {
        return code;
    }
    releases[0] = c->operands[1];
    for (size_t i = 0; i < c->release_count; i++) {
        releases[i + 1] = c->releases[i];
    }
    shoal_status st =
        shoal_attack(c->ctx, &report, c->spec, c->operands[0], releases, c->release_count + 1);

    return cli_finish(c, st, report);
}

static const cli_option seed_options[] = {
    CLI_SETTING(0, "method", "NAME[:option=value,...]",
                "the method that the release was made by, for attackers who know it", "method"),
    CLI_SETTING(0, "seed", "N", "of what attackers know, where that is drawn (1)", "seed"),
    {0},
};

static const cli_group seed_group = {"Method and chance", seed_options};

const cli_command cli_attack = {
    .name = "attack",
    .summary = "simulate attacks on a release, anybody's, beside its original",
    .usage = "ORIGINAL RELEASE [--release OTHER ...] --quasi COLUMN,... [options]",
    .description =
        "Plays attackers of the literature: each knows something beside RELEASE, and what he "
        "finds out is held\nagainst ORIGINAL. For each attack: what the requirements given "
        "here promise, what was reached on average\nand at worst, on how many people, and the "
        "records that are worst off, by number. Attacks that lack\nsomething say what; those "
        "named by --attacks must have what they need, and one of them must apply.",
    .examples =
        "  shoal generate census --records 1000 -o people.csv\n"
        "  shoal anonymize people.csv -o release.csv -k 10 --quasi age,sex,zip --sensitive "
        "income --quiet\n"
        "  shoal attack people.csv release.csv -k 10 --quasi age,sex,zip --sensitive income\n",
    .basics = (const char *const[]){"quasi", "sensitive", "person", "spec", "attacks", "known",
                                    "errors", "release", "report", "json", NULL},
    .groups =
        (const cli_group *const[]){
            &cli_attack_group, &release_group, &cli_columns_group, &cli_size_group,
            &cli_privacy_group, &cli_population_group, &cli_against_group, &seed_group,
            &cli_shape_group, &cli_buckets_group, &cli_report_group, &cli_input_group,
            &cli_missing_group, &cli_spec_group, &cli_common_group, NULL},
    .operands_min = 2,
    .operands_max = 2,
    .operands_expected = "two files, the original and the release",
    .run = run,
};

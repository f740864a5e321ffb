/* Options that several commands take. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Say what the library found wrong with a value, naming the option it was given to. */
static bool report_value(cli *c, const cli_option *option, shoal_status status)
{
    if (status != SHOAL_OK) {
        cli_fail_usage(c, "--%s: %s", option->name, shoal_ctx_error(c->ctx)->message);
    }
    return status == SHOAL_OK;
}

bool cli_apply_setting(cli *c, const cli_option *option, const char *value)
{
    return report_value(c, option,
                        shoal_spec_set(c->ctx, c->spec, option->setting, value ? value : ""));
}

bool cli_apply_text(cli *c, const cli_option *option, const char *value)
{
    *(const char **)((char *)c + option->field) = value;
    return true;
}

bool cli_apply_switch(cli *c, const cli_option *option, const char *value)
{
    (void)value;
    *(bool *)((char *)c + option->field) = true;
    return true;
}

bool cli_parse_count(cli *c, uint64_t *out, const cli_option *option, const char *value,
                     uint64_t least, uint64_t most)
{
    char *end = NULL;
    bool has_digits = value[0] >= '0' && value[0] <= '9';

    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);

    if (has_digits && *end == '\0' && errno == 0 && number >= least && number <= most) {
        *out = number;
        return true;
    }
    if (most == UINT64_MAX) {
        cli_fail_usage(c, "--%s expects a whole number of at least %llu; got \"%.40s\".",
                       option->name, (unsigned long long)least, value);
    } else {
        cli_fail_usage(c, "--%s expects a whole number from %llu to %llu; got \"%.40s\".",
                       option->name, (unsigned long long)least, (unsigned long long)most,
                       value);
    }
    return false;
}

bool cli_apply_report(cli *c, const cli_option *option, const char *value)
{
    for (size_t i = 0; i < c->report_count; i++) {
        if (strcmp(c->reports[i], value) == 0) {
            return true;
        }
    }
    if (c->report_count == CLI_REPORTS_MAX) {
        cli_fail_usage(c, "--%s: At most %d reports are written.", option->name,
                       CLI_REPORTS_MAX);
        return false;
    }
    c->reports[c->report_count++] = value;
    c->report = c->reports[0];
    return report_value(c, option, shoal_report_check(c->ctx, value));
}

/* A report that is kept is a full one. */
static bool apply_full_report(cli *c, const cli_option *option, const char *value)
{
    return cli_apply_report(c, option, value) &&
           report_value(c, option, shoal_spec_set(c->ctx, c->spec, "report.detail", "full"));
}

static bool apply_external_report(cli *c, const cli_option *option, const char *value)
{
    c->external = value;
    return report_value(c, option, shoal_report_check_external(c->ctx, value)) &&
           report_value(c, option, shoal_spec_set(c->ctx, c->spec, "report.detail", "full"));
}

/* --- Columns. --------------------------------------------------------------------------- */

/* Give the role that the option is named after to every column of a comma list. */
static bool apply_roles(cli *c, const cli_option *option, const char *value)
{
    shoal_status st = SHOAL_OK;
    shoal_role role = SHOAL_ROLE_INSENSITIVE;
    char *names = strdup(value);

    shoal_role_find(&role, option->name);
    for (char *name = names; name && st == SHOAL_OK;) {
        char *comma = strchr(name, ',');

        if (comma) {
            *comma = '\0';
        }
        st = shoal_spec_set_role(c->ctx, c->spec, name, role);
        name = comma ? comma + 1 : NULL;
    }
    free(names);
    return names && report_value(c, option, st);
}

/* COLUMN=VALUE, of what the option is named after; the first = divides. */
static bool apply_column(cli *c, const cli_option *option, const char *value)
{
    const char *equals = strchr(value, '=');

    if (!equals || equals == value) {
        cli_fail_usage(c, "--%s expects %s; got \"%.200s\".", option->name, option->value,
                       value);
        return false;
    }
    char *column = strndup(value, (size_t)(equals - value));

    if (!column) {
        cli_say(c, "Out of memory.");
        return false;
    }
    shoal_status st = shoal_spec_set_column(c->ctx, c->spec, column, option->name, equals + 1);

    free(column);
    return report_value(c, option, st);
}

/* COLUMN=STEP, or a step for all columns. */
static bool apply_grid(cli *c, const cli_option *option, const char *value)
{
    return strchr(value, '=') ? apply_column(c, option, value)
                              : cli_apply_setting(c, option, value);
}

/* VALUE for all columns, or COLUMN=VALUE for one. */
static bool apply_format(cli *c, const cli_option *option, const char *value)
{
    const char *equals = strchr(value, '=');
    const char *key = strchr(option->setting, '.') + 1;
    char *column = equals && equals > value ? strndup(value, (size_t)(equals - value)) : NULL;
    shoal_status st = column ? shoal_spec_set_column(c->ctx, c->spec, column, key, equals + 1)
                             : shoal_spec_set(c->ctx, c->spec, option->setting, value);

    free(column);
    return report_value(c, option, st);
}

/* --- Switches. -------------------------------------------------------------------------- */

static bool apply_show_values(cli *c, const cli_option *option, const char *value)
{
    (void)option;
    (void)value;
    shoal_ctx_set_show_values(c->ctx, true);
    return true;
}

/* The spec checks the number; commands that need no spec take it from the context. */
static bool apply_threads(cli *c, const cli_option *option, const char *value)
{
    if (!cli_apply_setting(c, option, value)) {
        return false;
    }
    shoal_ctx_set_threads(c->ctx, (int)strtol(value, NULL, 10));
    return true;
}

/* --- Groups. ---------------------------------------------------------------------------- */

static const cli_option spec_options[] = {
    CLI_TEXT(0, "spec", "FILE",
             "read the settings from a YAML file; options given here override it. See "
             "docs/formats.md.",
             spec_path),
    {0},
};

static const cli_option release_columns_options[] = {
    CLI_SETTING(0, "rest", CLI_WORDS, "what the spec does with columns that it does not name",
                "rest"),
    CLI_OPTION(0, "quasi", "COLUMN,...",
               "the quasi-identifier: columns by which others could recognize a person",
               apply_roles, true),
    CLI_OPTION(0, "sensitive", "COLUMN,...", "what others want to learn", apply_roles, true),
    CLI_OPTION(
        0, "person", "COLUMN",
        "of the original; RELEASE must not have it. A release does not tell whose its rows "
        "are: rows are counted",
        apply_roles, true),
    CLI_OPTION(0, "type", "COLUMN=TYPE",
               "of a sensitive column, where integer, real and date have an order; of a quasi "
               "column of "
               "the population",
               apply_column, true),
    CLI_OPTION(
        0, "hierarchy", "COLUMN=HOW",
        "of a sensitive column, for the hierarchical distance; of a quasi column, to find the "
        "population of a class; see anonymize",
        apply_column, true),
    CLI_OPTION(0, "same", "COLUMN=WAY,...",
               "of a sensitive column: texts that differ in blanks, case or unicode alone are "
               "one value; numbers are compared as numbers anyway, unless the type is string",
               apply_column, true),
    {0, "grid", "[COLUMN=]STEP",
     "ends of ranges must be multiples of this step, of one column or of all; see anonymize",
     apply_grid, "grid", true, 0},
    {0},
};

static const cli_option columns_options[] = {
    CLI_OPTION(
        0, "quasi", "COLUMN,...",
        "the quasi-identifier: columns by which others could recognize a person; they are "
        "generalized",
        apply_roles, true),
    CLI_OPTION(0, "sensitive", "COLUMN,...", "what others want to learn; released as it is",
               apply_roles, true),
    CLI_OPTION(0, "identifier", "COLUMN,...", "names, numbers and the like; never released",
               apply_roles, true),
    CLI_OPTION(0, "insensitive", "COLUMN,...", "released as it is, on purpose", apply_roles,
               true),
    CLI_OPTION(0, "person", "COLUMN",
               "whose record it is, where a person may have several: persons are counted, not "
               "records; never released",
               apply_roles, true),
    CLI_OPTION(
        0, "hierarchy", "COLUMN=HOW",
        "how a quasi column may be made coarser, and how near the values of a sensitive "
        "one are "
        "for --t hierarchical: a file, flat, prefix[:N][@SEPARATORS], dates, "
        "widths:5,10,20[@ORIGIN], breaks:18,40,65;40 or codes: icd10, countries, "
        "nuts or isco[:OTHER]. Without: numbers become ranges, texts are kept or suppressed",
        apply_column, true),
    {0, "grid", "[COLUMN=]STEP",
     "round the ends of ranges outward to multiples of a step, such as 5, 0.1, or of dates "
     "\"1 month\"; of one column, or of all numbers and dates without hierarchy. Without: ends "
     "are values of records",
     apply_grid, "grid", true, 0},
    CLI_OPTION(0, "top", "COLUMN=NUMBER", "numbers above this become it, before any method",
               apply_column, true),
    CLI_OPTION(0, "bottom", "COLUMN=NUMBER", "numbers below this become it", apply_column,
               true),
    CLI_OPTION(0, "round", "COLUMN=STEP", "numbers become the nearest multiple", apply_column,
               true),
    CLI_OPTION(0, "truncate", "COLUMN=N", "texts keep so many characters", apply_column, true),
    CLI_OPTION(0, "generalize", "COLUMN=LEVEL",
               "values become their labels at this level of the hierarchy, the least that can "
               "be released of a quasi column",
               apply_column, true),
    CLI_OPTION(0, "coarsest", "COLUMN=LEVEL",
               "never release a quasi column coarser than this level of its hierarchy",
               apply_column, true),
    CLI_OPTION(
        0, "rare", "COLUMN=N",
        "values that fewer than N records have become one, \"other\", below each group of "
        "the hierarchy",
        apply_column, true),
    CLI_OPTION(0, "rename", "COLUMN=NAME", "what the column is called in releases",
               apply_column, true),
    CLI_OPTION(0, "same", "COLUMN=WAY,...",
               "of a sensitive column or of persons: texts that differ in blanks, case or "
               "unicode alone are one value; numbers are compared as numbers anyway, unless "
               "the type is string",
               apply_column, true),
    CLI_OPTION(0, "weight", "COLUMN=W", "how much the loss of a quasi column counts (1)",
               apply_column, true),
    {0, "type", "COLUMN=TYPE", "auto, string, integer, real or date", apply_column, NULL, true,
     0},
    {0},
};

static const cli_option size_options[] = {
    CLI_SETTING('k', "k", "N", NULL, "privacy.k"),
    CLI_SETTING(0, "k-column", "COLUMN", NULL, "privacy.k.column"),
    {0},
};

static const cli_option privacy_options[] = {
    CLI_SETTING(0, "alpha", "A[:VALUE,...]", NULL, "privacy.alpha"),
    CLI_SETTING(0, "l", "[KIND:]L", NULL, "privacy.l"),
    CLI_SETTING(0, "t", "[DISTANCE:]T", NULL, "privacy.t"),
    CLI_SETTING(0, "delta", "D", NULL, "privacy.delta"),
    CLI_SETTING(0, "beta", "[KIND:]B", NULL, "privacy.beta"),
    {0},
};

static const cli_option population_options[] = {
    CLI_SETTING(
        0, "population", "FILE",
        "the population that the release is a sample of; it has the quasi-identifier of every "
        "record",
        "privacy.population"),
    CLI_SETTING(0, "k-map", "N", NULL, "privacy.k_map"),
    CLI_SETTING(0, "presence", "[LEAST:]MOST", NULL, "privacy.presence"),
    {0},
};

static const cli_option against_options[] = {
    CLI_SETTING(0, "against", "ATTACK,...", NULL, "privacy.attacks"),
    {0},
};

static const cli_option defence_options[] = {
    CLI_SETTING(0, "against", "ATTACK,...", NULL, "privacy.attacks"),
    CLI_SETTING(0, "previous", "RELEASE", NULL, "privacy.previous"),
    {0},
};

static const cli_option figures_options[] = {
    CLI_SETTING(0, "measure", "FIGURE,...", NULL, "measure.figures"),
    CLI_SETTING(0, "min-support", "SHARE", NULL, "measure.min_support"),
    CLI_OPTION(0, "populations", "COLUMN=HOW",
               "the intervals of a number without hierarchy by which populations are told "
               "apart, as in "
               "--hierarchy (halves of halves)",
               apply_column, true),
    {0},
};

static bool apply_strict(cli *c, const cli_option *option, const char *value)
{
    (void)value;
    return cli_apply_setting(c, option, "true");
}

static const cli_option warnings_options[] = {
    {0, "strict", NULL,
     "publish nothing, and let nothing pass, while there are warnings that are not accepted; "
     "the exit code is 4 then",
     apply_strict, "strict", true, 0},
    CLI_SETTING(0, "accept", "CODE,...", NULL, "accept"),
    {0},
};

static const cli_option report_options[] = {
    CLI_OPTION(
        0, "report", "FILE.html|FILE.json",
        "write a page for a review board, or all figures as JSON: also risk, distributions, "
        "configuration and SHA-256 of the files",
        apply_full_report, true),
    CLI_OPTION(0, "report-external", "FILE.html",
               "write the page for readers outside: no values, no names of files",
               apply_external_report, true),
    CLI_SETTING(0, "report-access", CLI_WORDS, NULL, "report.access"),
    CLI_SETTING(0, "report-frontier", "FILE.svg",
                "show on the page what shoal frontier --plot FILE.svg drew", "report.frontier"),
    CLI_SETTING(0, "report-title", "TEXT", NULL, "report.title"),
    CLI_SETTING(0, "report-author", "TEXT", NULL, "report.author"),
    CLI_SETTING(0, "report-purpose", "TEXT", NULL, "report.purpose"),
    CLI_SETTING(0, "report-date", "TEXT", NULL, "report.date"),
    CLI_SETTING(0, "report-sign-off", "TEXT,...", NULL, "report.sign_off"),
    {0},
};

static const cli_option risk_options[] = {
    CLI_SETTING(0, "population", "FILE", NULL, "privacy.population"),
    CLI_SETTING(0, "sampling-fraction", "SHARE", NULL, "risk.sampling_fraction"),
    CLI_SETTING(0, "risk-threshold", "CHANCE,...", NULL, "risk.thresholds"),
    {0},
};

static const cli_option attack_options[] = {
    CLI_SETTING(0, "attacks", "NAME,...", NULL, "attack.names"),
    CLI_SETTING(0, "known", "SHARE", NULL, "attack.known"),
    CLI_SETTING(0, "errors", "SHARE", NULL, "attack.errors"),
    {0},
};

static const cli_option shape_options[] = {
    CLI_SETTING(0, "shape", CLI_WORDS, NULL, "measure.shape"),
    {0},
};

static const cli_option buckets_options[] = {
    CLI_SETTING(0, "sensitive-table", "FILE", NULL, "output.sensitive_table"),
    {0},
};

static const cli_option input_options[] = {
    CLI_SETTING(0, "delimiter", "CHARACTER", NULL, "input.delimiter"),
    CLI_SETTING(0, "encoding", CLI_WORDS, NULL, "input.encoding"),
    CLI_SETTING(0, "comment", "TEXT", NULL, "input.comment"),
    CLI_SETTING(0, "skip-lines", "N", NULL, "input.skip_lines"),
    {0, "decimal", "[COLUMN=].|,", NULL, apply_format, "input.decimal", true, 0},
    {0, "thousands", "[COLUMN=]none|.|,|space|'", NULL, apply_format, "input.thousands", true,
     0},
    {0, "date-format", "[COLUMN=]FORMAT", NULL, apply_format, "input.date_format", true, 0},
    {0},
};

static const cli_option missing_options[] = {
    CLI_SETTING(0, "missing", CLI_WORDS, NULL, "missing.action"),
    CLI_SETTING(0, "missing-person", CLI_WORDS, NULL, "missing.person"),
    CLI_SETTING(0, "missing-tokens", "TEXT,...", NULL, "missing.tokens"),
    {0},
};

#define THREADS_OPTION                                                                         \
    {                                                                                          \
        0, "threads", "N",                                                                     \
            "how many threads to use (0: one per processor); never changes a result",          \
            apply_threads, "threads", true, 0                                                  \
    }
#define HELP_OPTION                                                                            \
    CLI_SWITCH('h', "help", "show what the command does and the options that everybody needs", \
               help)
#define HELP_ALL_OPTION CLI_SWITCH(0, "help-all", "show all options", help_all)

static const cli_option common_options[] = {
    THREADS_OPTION,
    CLI_SWITCH(0, "json", "print the results as JSON on standard output", json),
    CLI_SWITCH('q', "quiet", "print errors only", quiet),
    {0, "show-values", NULL, "let messages quote the content of cells", apply_show_values,
     "show_values", false, 0},
    HELP_OPTION,
    HELP_ALL_OPTION,
    {0},
};

static const cli_option lasting_options[] = {THREADS_OPTION, HELP_OPTION, HELP_ALL_OPTION, {0}};

const cli_group cli_spec_group = {"Spec", spec_options};
const cli_group cli_release_columns_group = {"Columns", release_columns_options};
const cli_group cli_columns_group = {"Columns", columns_options};
const cli_group cli_size_group = {"Privacy: how large classes are", size_options};
const cli_group cli_privacy_group = {
    "Privacy: sensitive values (COLUMN= before a value limits it to one column; given again, "
    "they add up)",
    privacy_options};
const cli_group cli_population_group = {"Privacy: against a population", population_options};
const cli_group cli_against_group = {"Readers who know more", against_options};
const cli_group cli_defence_group = {"Readers who know more", defence_options};
const cli_group cli_figures_group = {"Figures", figures_options};
const cli_group cli_warnings_group = {"Warnings", warnings_options};
const cli_group cli_report_group = {"Report", report_options};
const cli_group cli_risk_group = {"Risk, for reports", risk_options + 1};
const cli_group cli_risk_population_group = {"Risk", risk_options};
const cli_group cli_attack_group = {"Attacks", attack_options};
const cli_group cli_shape_group = {"Release", shape_options};
const cli_group cli_buckets_group = {"Release by buckets", buckets_options};
const cli_group cli_input_group = {"Input", input_options};
const cli_group cli_missing_group = {"Missing values", missing_options};
const cli_group cli_tokens_group = {"Missing values", missing_options + 2};
const cli_group cli_common_group = {"General", common_options};
const cli_group cli_lasting_group = {"General", lasting_options};

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

bool cli_apply_output(cli *c, const cli_option *option, const char *value)
{
    (void)option;
    c->output = value;
    return true;
}

bool cli_apply_original(cli *c, const cli_option *option, const char *value)
{
    (void)option;
    c->original = value;
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
    c->report = value;
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

/* Give the role to every column of a comma list. */
static bool set_roles(cli *c, const cli_option *option, const char *list, shoal_role role)
{
    shoal_status st = SHOAL_OK;
    char *names = strdup(list);

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

static bool apply_quasi(cli *c, const cli_option *option, const char *value)
{
    return set_roles(c, option, value, SHOAL_ROLE_QUASI);
}

static bool apply_sensitive(cli *c, const cli_option *option, const char *value)
{
    return set_roles(c, option, value, SHOAL_ROLE_SENSITIVE);
}

static bool apply_identifier(cli *c, const cli_option *option, const char *value)
{
    return set_roles(c, option, value, SHOAL_ROLE_IDENTIFIER);
}

static bool apply_insensitive(cli *c, const cli_option *option, const char *value)
{
    return set_roles(c, option, value, SHOAL_ROLE_INSENSITIVE);
}

typedef shoal_status (*set_fn)(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                               const char *value);

/* COLUMN=VALUE; the first = divides. */
static bool set_column(cli *c, const cli_option *option, const char *pair, set_fn set)
{
    const char *equals = strchr(pair, '=');

    if (!equals || equals == pair) {
        cli_fail_usage(c, "--%s expects %s; got \"%.200s\".", option->name, option->value,
                       pair);
        return false;
    }
    char *column = strndup(pair, (size_t)(equals - pair));

    if (!column) {
        cli_say(c, "Out of memory.");
        return false;
    }
    shoal_status st = set(c->ctx, c->spec, column, equals + 1);

    free(column);
    return report_value(c, option, st);
}

static bool apply_weight(cli *c, const cli_option *option, const char *value)
{
    return set_column(c, option, value, shoal_spec_set_weight);
}

static bool apply_type(cli *c, const cli_option *option, const char *value)
{
    return set_column(c, option, value, shoal_spec_set_type);
}

static bool apply_hierarchy(cli *c, const cli_option *option, const char *value)
{
    return set_column(c, option, value, shoal_spec_set_hierarchy);
}

/* --- Switches. -------------------------------------------------------------------------- */

static bool apply_help(cli *c, const cli_option *option, const char *value)
{
    (void)option;
    (void)value;
    c->help = true;
    return true;
}

static bool apply_quiet(cli *c, const cli_option *option, const char *value)
{
    (void)option;
    (void)value;
    c->quiet = true;
    return true;
}

static bool apply_json(cli *c, const cli_option *option, const char *value)
{
    (void)option;
    (void)value;
    c->json = true;
    return true;
}

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

static bool apply_spec(cli *c, const cli_option *option, const char *value)
{
    (void)option;
    c->spec_path = value;
    return true;
}

/* --- Groups. ---------------------------------------------------------------------------- */

static const cli_option spec_options[] = {
    {0, "spec", "FILE",
     "read the settings from a YAML file; options given here override it. See docs/formats.md.",
     apply_spec, NULL, false},
    {0},
};

static const cli_option release_columns_options[] = {
    {0, "quasi", "COLUMN,...",
     "the quasi-identifier: columns by which others could recognize a person", apply_quasi,
     NULL, true},
    {0, "sensitive", "COLUMN,...", "what others want to learn", apply_sensitive, NULL, true},
    {0, "type", "COLUMN=TYPE",
     "of a sensitive column, where integer, real and date have an order; of a quasi column of "
     "the population",
     apply_type, NULL, true},
    {0, "hierarchy", "COLUMN=HOW",
     "of a sensitive column, for the hierarchical distance; of a quasi column, to find the "
     "population of a class; see anonymize",
     apply_hierarchy, NULL, true},
    {0},
};

static const cli_option columns_options[] = {
    {0, "quasi", "COLUMN,...",
     "the quasi-identifier: columns by which others could recognize a person; they are "
     "generalized",
     apply_quasi, NULL, true},
    {0, "sensitive", "COLUMN,...", "what others want to learn; released as it is",
     apply_sensitive, NULL, true},
    {0, "identifier", "COLUMN,...", "names, numbers and the like; never released",
     apply_identifier, NULL, true},
    {0, "insensitive", "COLUMN,...", "released as it is, on purpose", apply_insensitive, NULL,
     true},
    {0, "hierarchy", "COLUMN=HOW",
     "how a quasi column may be made coarser, and how near the values of a sensitive one are "
     "for --t hierarchical: a file, flat, prefix[:N], dates, "
     "widths:5,10,20[@ORIGIN] or breaks:18,40,65;40. Without: numbers become ranges, texts are "
     "kept or suppressed",
     apply_hierarchy, NULL, true},
    {0, "weight", "COLUMN=W", "how much the loss of a quasi column counts (1)", apply_weight,
     NULL, true},
    {0, "type", "COLUMN=TYPE", "auto, string, integer, real or date", apply_type, NULL, true},
    {0},
};

static const cli_option size_options[] = {
    {'k', "k", "N", "every record must look like at least N - 1 others", cli_apply_setting,
     "privacy.k", true},
    {0, "k-column", "COLUMN",
     "a column with a k of each record's own; not released unless it has a role",
     cli_apply_setting, "privacy.k.column", true},
    {0},
};

static const cli_option privacy_options[] = {
    {0, "alpha", "A[:VALUE,...]",
     "no sensitive value, or the named ones together, may have a share above A in a class",
     cli_apply_setting, "privacy.alpha", true},
    {0, "l", "[KIND:]L",
     "every class shows L well-represented sensitive values: frequency (none has a share above "
     "1/L; the default), distinct, entropy, or recursive:C:L",
     cli_apply_setting, "privacy.l", true},
    {0, "t", "[DISTANCE:]T",
     "the sensitive values of every class are distributed as in the whole table, up to a "
     "distance of T: js (the default), equal, ordered or hierarchical",
     cli_apply_setting, "privacy.t", true},
    {0, "delta", "D",
     "in no class a sensitive value is more or less frequent than in the whole table by a "
     "factor above e^D",
     cli_apply_setting, "privacy.delta", true},
    {0, "beta", "[KIND:]B",
     "in no class a sensitive value is more frequent than in the whole table by more than B "
     "times its share: basic (the default) or enhanced",
     cli_apply_setting, "privacy.beta", true},
    {0},
};

static const cli_option population_options[] = {
    {0, "population", "FILE",
     "the population that the release is a sample of; it has the quasi-identifier of every "
     "record",
     cli_apply_setting, "privacy.population", true},
    {0, "k-map", "N", "at least N records of the population fall into every class",
     cli_apply_setting, "privacy.k_map", true},
    {0, "presence", "[LEAST:]MOST",
     "of the population that falls into a class, a share of at most MOST is in the release",
     cli_apply_setting, "privacy.presence", true},
    {0},
};

static bool apply_populations(cli *c, const cli_option *option, const char *value)
{
    return set_column(c, option, value, shoal_spec_set_populations);
}

static const cli_option figures_options[] = {
    {0, "measure", "FIGURE,...",
     "of the sensitive columns: privacy_loss (what the release tells about single records), "
     "utility_loss (what it no longer tells about large populations); of the whole: bound "
     "(what no release can lose less than, and how far this one is from it). Unasked, "
     "anonymize takes none, measure the first two",
     cli_apply_setting, "measure.figures", true},
    {0, "min-support", "SHARE",
     "a population of the utility loss is large from this share of the records on (0.05)",
     cli_apply_setting, "measure.min_support", true},
    {0, "populations", "COLUMN=HOW",
     "the intervals of a number without hierarchy by which populations are told apart, as in "
     "--hierarchy (halves of halves)",
     apply_populations, NULL, true},
    {0},
};

static const cli_option report_options[] = {
    {0, "report", "FILE.html|FILE.json",
     "write a page for a review board, or all figures as JSON: also risk, distributions, "
     "configuration and SHA-256 of the files",
     apply_full_report, NULL, true},
    {0, "report-external", "FILE.html",
     "write the page for readers outside: no values, no names of files", apply_external_report,
     NULL, true},
    {0, "report-frontier", "FILE.svg",
     "show on the page what shoal frontier --plot FILE.svg drew", cli_apply_setting,
     "report.frontier", true},
    {0},
};

static const cli_option risk_options[] = {
    {0, "population", "FILE",
     "the population that the records are a sample of; it has the quasi-identifier of every "
     "record",
     cli_apply_setting, "privacy.population", true},
    {0, "sampling-fraction", "SHARE",
     "the share of the population that the original holds, where there is no file of it",
     cli_apply_setting, "risk.sampling_fraction", true},
    {0, "risk-threshold", "CHANCE,...",
     "count the records whose chance to be found is above these (0.09, 0.2 and 1/k)",
     cli_apply_setting, "risk.thresholds", true},
    {0},
};

static const cli_option shape_options[] = {
    {0, "shape", "classes|records",
     "records: the release has a box per record (method nonhomogeneous), and a record may be "
     "any row whose box covers it",
     cli_apply_setting, "measure.shape", true},
    {0},
};

static const cli_option buckets_options[] = {
    {0, "sensitive-table", "FILE",
     "the second file of a release by buckets; without: RELEASE.sensitive.csv beside "
     "RELEASE.csv, if it is there",
     cli_apply_setting, "output.sensitive_table", true},
    {0},
};

static const cli_option input_options[] = {
    {0, "delimiter", "CHARACTER", "what separates the fields: , ; | or tab (detected)",
     cli_apply_setting, "input.delimiter", true},
    {0},
};

static const cli_option missing_options[] = {
    {0, "missing", "error|drop|keep",
     "a missing value in a quasi column is an error (the default), has its record left out, or "
     "is kept as a value of its own",
     cli_apply_setting, "missing.action", true},
    {0, "missing-tokens", "TEXT,...", "what stands for a missing value (\"?\" and nothing)",
     cli_apply_setting, "missing.tokens", true},
    {0},
};

static const cli_option common_options[] = {
    {0, "threads", "N",
     "how many threads to use (0: one per processor); never changes a result", apply_threads,
     "threads", true},
    {0, "json", NULL, "print the results as JSON on standard output", apply_json, NULL, false},
    {'q', "quiet", NULL, "print errors only", apply_quiet, NULL, false},
    {0, "show-values", NULL, "let messages quote the content of cells", apply_show_values,
     "show_values", false},
    {'h', "help", NULL, "show this help", apply_help, NULL, false},
    {0},
};

const cli_group cli_spec_group = {"Spec", spec_options};
const cli_group cli_release_columns_group = {"Columns", release_columns_options};
const cli_group cli_columns_group = {"Columns (all others are released as they are)",
                                     columns_options};
const cli_group cli_size_group = {"Privacy: how large classes are", size_options};
const cli_group cli_privacy_group = {
    "Privacy: sensitive values (COLUMN= before a value limits it to one column; given again, "
    "they add up)",
    privacy_options};
const cli_group cli_population_group = {"Privacy: against a population", population_options};
const cli_group cli_figures_group = {"Figures", figures_options};
const cli_group cli_report_group = {"Report", report_options};
const cli_group cli_risk_group = {"Risk, for reports", risk_options + 1};
const cli_group cli_risk_population_group = {"Risk", risk_options};
const cli_group cli_shape_group = {"Release", shape_options};
const cli_group cli_buckets_group = {"Release by buckets", buckets_options};
const cli_group cli_input_group = {"Input", input_options};
const cli_group cli_missing_group = {"Missing values", missing_options};
const cli_group cli_tokens_group = {"Missing values", missing_options + 1};
const cli_group cli_common_group = {"General", common_options};

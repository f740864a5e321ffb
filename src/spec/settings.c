/* The table of settings, and what front ends are told of it. */
#include "setting.h"

#include "../base/pool.h"
#include "../base/sized.h"
#include "../measure/tradeoff.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

const char *const shoal_i_missing_words[] = {"error", "drop", "keep", NULL};
const char *const shoal_i_numeric_words[] = {"range", "minmax", "mean", "median", NULL};
const char *const shoal_i_categorical_words[] = {"label", "set", NULL};
const char *const shoal_i_order_words[] = {"canonical", "keep", NULL};
const char *const shoal_i_measured_words[] = {"classes", "records", NULL};
const char *const shoal_i_figure_words[] = {"privacy_loss", "utility_loss", "bound", NULL};
const char *const shoal_i_detail_words[] = {"short", "full", NULL};
static const char *const role_words[] = {"insensitive", "identifier", "quasi", "sensitive",
                                         NULL};
static const char *const type_words[] = {"auto", "string", "integer", "real", "date", NULL};

const shoal_spec shoal_i_spec_standard = {
    .output_delimiter = ',',
    .min_support = SHOAL_I_MIN_SUPPORT,
};

#define LARGEST_K 9007199254740992 /* up to which every whole number is a double */
#define TOKENS_MAX 256

#define FIELD(field)                                                                           \
    .offset = offsetof(shoal_spec, field), .size = sizeof((shoal_spec *)0)->field
#define GIVEN(field) .given = offsetof(shoal_spec, field)

#define MAKING "anonymize refine "
#define CLASSES MAKING "verify frontier"
#define READING MAKING "verify measure query risk inspect frontier"
#define FILES READING " hierarchy"
#define REPORTING MAKING "verify measure risk"

/* The requirement privacy.NAME. */
#define REQUIREMENT(name, takes, where, says)                                                  \
    {                                                                                          \
        .key = "privacy." name, .type = &shoal_i_type_requirement, .range = takes,             \
        .runs = where, .help = says                                                            \
    }

/* The most that a figure may be in what a frontier recommends. */
#define LIMIT(name, place)                                                                     \
    {                                                                                          \
        .key = "frontier.max." name, .type = &shoal_i_type_number,                             \
        .subject = "The most that " name " may be is", .range = "a number from 0 on",          \
        .most = DBL_MAX, FIELD(sweep.limits[place]), GIVEN(sweep.has_limit[place]),            \
        .runs = "frontier", .help = "the most that " name " may be in what is recommended"     \
    }

const shoal_i_setting shoal_i_settings[] = {
    {.key = "missing.action",
     .type = &shoal_i_type_word,
     .subject = "action for missing values",
     .words = shoal_i_missing_words,
     FIELD(missing),
     .standard = "error",
     .is_short = true,
     .runs = MAKING "verify measure query risk frontier",
     .help = "a missing value in a quasi column is an error (the default), has its record left "
             "out, or is kept as a value of its own"},
    {.key = "missing.tokens",
     .type = &shoal_i_type_texts,
     .subject = "tokens can stand for a missing value",
     .range = "a list of up to 256 texts",
     FIELD(missing_tokens),
     .count = offsetof(shoal_spec, missing_token_count),
     .capacity = TOKENS_MAX,
     .runs = FILES,
     .help = "what stands for a missing value (\"?\" and nothing)"},
    {.key = "input.delimiter",
     .type = &shoal_i_type_delimiter,
     .subject = "A delimiter is",
     .range = "a comma, a semicolon, a vertical bar or \"tab\"",
     FIELD(input_delimiter),
     .runs = FILES,
     .help = "what separates the fields: , ; | or tab (detected)"},
    {.key = "privacy.k",
     .type = &shoal_i_type_whole,
     .subject = "k is",
     .range = "a whole number from 1 to 9007199254740992",
     .least = 1,
     .most = LARGEST_K,
     FIELD(k),
     .runs = CLASSES " measure risk",
     .help = "every record must look like at least N - 1 others"},
    {.key = "privacy.k.column",
     .type = &shoal_i_type_text,
     .subject = "The column of each record's own k",
     .range = "the name of a column",
     FIELD(k_column),
     .runs = CLASSES " measure risk",
     .help = "a column with a k of each record's own; not released unless it has a role"},
    REQUIREMENT("alpha", "A[:VALUE,...], A a share above 0 and up to 1", CLASSES,
                "no sensitive value, or the named ones together, may have a share above A in a "
                "class"),
    REQUIREMENT("l", "[KIND:]L, L a number of at least 1", CLASSES,
                "every class shows L well-represented sensitive values: frequency (none has a "
                "share above 1/L; the default), distinct, entropy, or recursive:C:L"),
    REQUIREMENT("t", "[DISTANCE:]T, T a number from 0 to 1", CLASSES,
                "the sensitive values of every class are distributed as in the whole table, up "
                "to a distance of T: js (the default), equal, ordered or hierarchical"),
    REQUIREMENT(
        "delta", "a number of at least 0", CLASSES,
        "in no class a sensitive value is more or less frequent than in the whole table "
        "by a factor above e^D"),
    REQUIREMENT(
        "beta", "[KIND:]B, B a number of at least 0", CLASSES,
        "in no class a sensitive value is more frequent than in the whole table by more "
        "than B times its share: basic (the default) or enhanced"),
    REQUIREMENT("k_map", "a whole number of at least 1", "anonymize verify frontier",
                "at least N records of the population fall into every class"),
    REQUIREMENT("presence", "[LEAST:]MOST, MOST a share above 0 and up to 1",
                "anonymize verify frontier",
                "of the population that falls into a class, a share of at most MOST is in the "
                "release"),
    {.key = "privacy.population",
     .type = &shoal_i_type_path,
     .subject = "The file of the population",
     .range = "the path of a file",
     FIELD(population),
     .runs = "anonymize verify measure risk frontier",
     .help = "the population that the records are a sample of; it has the quasi-identifier of "
             "every record"},
    {.key = "method",
     .type = &shoal_i_type_method,
     .range = "NAME[:option=value,...]",
     .standard = "best",
     .runs = "anonymize",
     .help = "how to find the classes (best)"},
    {.key = "effort",
     .type = &shoal_i_type_word,
     .subject = "effort",
     .words = shoal_i_effort_words,
     FIELD(effort),
     GIVEN(has_effort),
     .standard = "normal",
     .runs = MAKING,
     .help = "how long a method that searches goes on (normal); the same effort and seed give "
             "the same release"},
    {.key = "time",
     .type = &shoal_i_type_time,
     .subject = "A time is",
     .range = "a number of seconds, minutes or hours from 0.001s to 1000h, such as 30s, 5m or "
              "1h",
     .least = 1e-3,
     .most = 3.6e6,
     FIELD(seconds),
     .runs = MAKING,
     .help = "search for so long instead, such as 30s, 2m or 1h, and publish the best found"},
    {.key = "suppress",
     .type = &shoal_i_type_number,
     .subject = "The share of records that may be suppressed is",
     .range = "a number from 0 to below 1",
     .most = 1,
     .is_most_out = true,
     FIELD(suppress),
     .standard = "0",
     .runs = "anonymize frontier",
     .help = "up to this share of the records may be released as * where that lowers the loss "
             "(0)"},
    {.key = "memory",
     .type = &shoal_i_type_bytes,
     .subject = "A limit of memory is",
     .range = "a number of bytes, such as 512M or 2G",
     .least = 1,
     .most = 0x1p63,
     FIELD(memory),
     .runs = "anonymize",
     .help = "work within so much memory, such as 512M or 2G, and with temporary files for the "
             "rest"},
    {.key = "temporary",
     .type = &shoal_i_type_path,
     .subject = "The folder of temporary files",
     .range = "the path of a folder",
     FIELD(temporary),
     .runs = MAKING,
     .help = "the folder of temporary files (that of the system)"},
    {.key = "seed",
     .type = &shoal_i_type_whole,
     .subject = "The seed is",
     .range = "a whole number from 0 to 9223372036854775807",
     .most = 0x1p63,
     FIELD(seed),
     GIVEN(has_seed),
     .standard = "1",
     .runs = MAKING "query frontier",
     .help = "of the random choices of the method (1); the same seed gives the same release"},
    {.key = "threads",
     .type = &shoal_i_type_whole,
     .subject = "The number of threads is",
     .range = "a whole number from 0 to 256",
     .most = SHOAL_I_THREADS_MAX,
     FIELD(threads),
     GIVEN(has_threads),
     .standard = "0",
     .runs = FILES " generate methods",
     .help = "how many threads to use (0: one per processor); never changes a result"},
    {.key = "output.numeric",
     .type = &shoal_i_type_word,
     .subject = "form of numbers",
     .words = shoal_i_numeric_words,
     FIELD(numeric),
     .standard = "range",
     .runs = MAKING,
     .help =
         "how to write numbers of a class: [24..30] (the default), two columns NAME_min and "
         "NAME_max, or one number"},
    {.key = "output.categorical",
     .type = &shoal_i_type_word,
     .subject = "form of categories",
     .words = shoal_i_categorical_words,
     FIELD(categorical),
     .standard = "label",
     .runs = MAKING,
     .help = "how to write categories of a class: the label of the hierarchy (the default) or "
             "{a|b}"},
    {.key = "output.order",
     .type = &shoal_i_type_word,
     .subject = "order",
     .words = shoal_i_order_words,
     FIELD(keep_order),
     .standard = "canonical",
     .runs = MAKING,
     .help =
         "canonical: sorted by what is released; keep: in the order of the input, which may "
         "tell who the records are about"},
    {.key = "output.delimiter",
     .type = &shoal_i_type_delimiter,
     .subject = "A delimiter is",
     .range = "a comma, a semicolon, a vertical bar or \"tab\"",
     FIELD(output_delimiter),
     .standard = ",",
     .runs = MAKING,
     .help = "what separates the fields of the release (,)"},
    {.key = "output.sensitive_table",
     .type = &shoal_i_type_path,
     .subject = "The file of the sensitive table",
     .range = "the path of a file",
     FIELD(sensitive_table),
     .runs = MAKING "verify measure query",
     .help = "the second file of a release by buckets; without: RELEASE.sensitive.csv beside "
             "RELEASE.csv, if it is there"},
    {.key = "measure.figures",
     .type = &shoal_i_type_words,
     .subject = "figure",
     .words = shoal_i_figure_words,
     FIELD(figures),
     .runs = MAKING "measure",
     .help = "of the sensitive columns: privacy_loss (what the release tells about single "
             "records), utility_loss (what it no longer tells about large populations); of the "
             "whole: bound (what no release can lose less than, and how far this one is from "
             "it). Unasked, anonymize takes none, measure the first two"},
    {.key = "measure.min_support",
     .type = &shoal_i_type_number,
     .subject = "The minimum support of a population is",
     .range = "a share of the records, a number above 0 and at most 1",
     .is_least_out = true,
     .most = 1,
     FIELD(min_support),
     .standard = "0.05",
     .runs = MAKING "measure frontier",
     .help = "a population of the utility loss is large from this share of the records on "
             "(0.05)"},
    {.key = "measure.shape",
     .type = &shoal_i_type_word,
     .subject = "shape of a release",
     .words = shoal_i_measured_words,
     FIELD(is_by_record),
     .standard = "classes",
     .runs = "measure risk",
     .help = "records: the release has a box per record (method nonhomogeneous), and a record "
             "may be any row whose box covers it"},
    {.key = "frontier.sweep",
     .type = &shoal_i_type_sweep,
     .range = "KEY=VALUE,...",
     .runs = "frontier",
     .help =
         "try these values of a requirement: k, alpha, l, t, delta, beta, k_map or presence, "
         "each value in the form of its option (l=distinct:3,distinct:5); may be given "
         "again. Without it: a grid that suits the table"},
    {.key = "frontier.methods",
     .type = &shoal_i_type_methods,
     .range = "NAME[:option=value,...]",
     .runs = "frontier",
     .help = "a method to try; may be given again (topdown, mondrian and, with a sensitive "
             "column, bucketize)"},
    {.key = "frontier.axes",
     .type = &shoal_i_type_axes,
     .subject = "The axes are",
     .range = "two figures, such as privacy_loss,utility_loss",
     .words = shoal_i_axis_words,
     FIELD(sweep.axes),
     .capacity = 2,
     GIVEN(sweep.has_axes),
     .runs = "frontier",
     .help = "two of privacy_loss, utility_loss, gcp, discernibility, average_class_size, "
             "distortion_ratio, highest_risk and query_error (the first two; without a "
             "sensitive column highest_risk,gcp)"},
    LIMIT("privacy_loss", SHOAL_I_BY_PRIVACY_LOSS),
    LIMIT("utility_loss", SHOAL_I_BY_UTILITY_LOSS),
    LIMIT("gcp", SHOAL_I_BY_GCP),
    LIMIT("discernibility", SHOAL_I_BY_DISCERNIBILITY),
    LIMIT("average_class_size", SHOAL_I_BY_CLASS_SIZE),
    LIMIT("distortion_ratio", SHOAL_I_BY_DISTORTION),
    LIMIT("highest_risk", SHOAL_I_BY_RISK),
    LIMIT("query_error", SHOAL_I_BY_QUERY_ERROR),
    {.key = "frontier.time",
     .type = &shoal_i_type_time,
     .subject = "A time is",
     .range = "a number of seconds, minutes or hours from 0.001s to 1000h, such as 30s, 5m or "
              "1h",
     .least = 1e-3,
     .most = 3.6e6,
     FIELD(sweep.seconds),
     .runs = "frontier",
     .help = "begin no point later than that, such as 30s, 5m or 1h (no limit)"},
    {.key = "risk.thresholds",
     .type = &shoal_i_type_numbers,
     .subject = "Thresholds of risk are",
     .range = "up to 8 chances above 0 and up to 1",
     .is_least_out = true,
     .most = 1,
     FIELD(thresholds),
     .count = offsetof(shoal_spec, threshold_count),
     .capacity = SHOAL_I_THRESHOLDS_MAX,
     .runs = "anonymize measure risk",
     .help = "count the records whose chance to be found is above these (0.09, 0.2 and 1/k)"},
    {.key = "risk.sampling_fraction",
     .type = &shoal_i_type_number,
     .subject = "The share of the population that the table holds is",
     .range = "a number above 0 and up to 1",
     .is_least_out = true,
     .most = 1,
     FIELD(sampling_fraction),
     .runs = "anonymize measure risk",
     .help = "the share of the population that the original holds, where there is no file of "
             "it"},
    {.key = "report.detail",
     .type = &shoal_i_type_word,
     .subject = "detail of a report",
     .words = shoal_i_detail_words,
     FIELD(is_full_report),
     .standard = "short",
     .runs = REPORTING,
     .help = "full: with risk, distributions, SHA-256 of the files, and pages"},
    {.key = "report.frontier",
     .type = &shoal_i_type_path,
     .subject = "The picture of the frontier",
     .range = "the path of a file",
     FIELD(frontier_plot),
     .runs = REPORTING,
     .help = "show on the page what shoal_frontier drew (.svg)"},
};

const size_t shoal_i_setting_count = sizeof shoal_i_settings / sizeof *shoal_i_settings;

_Static_assert(sizeof shoal_i_settings / sizeof *shoal_i_settings <= SHOAL_I_SETTINGS_MAX,
               "every setting has a place");

/* How a column has them is told in spec.c. */
const shoal_i_setting shoal_i_column_settings[SHOAL_I_COLUMN_SETTINGS] = {
    {.key = "role",
     .type = &shoal_i_type_word,
     .subject = "role",
     .words = role_words,
     .standard = "insensitive",
     .runs = READING,
     .help = "identifier: never released; quasi: known to others, generalized; sensitive: what "
             "others want to learn; insensitive: released as it is"},
    {.key = "type",
     .type = &shoal_i_type_word,
     .subject = "type",
     .words = type_words,
     .standard = "auto",
     .runs = READING,
     .help = "what the values are; auto: found from them"},
    {.key = "weight",
     .type = &shoal_i_type_number,
     .subject = "A weight is",
     .range = "a number of at least 0",
     .most = DBL_MAX,
     .standard = "1",
     .runs = READING,
     .help = "how much the loss of a quasi column counts (1)"},
    {.key = "hierarchy",
     .type = &shoal_i_type_path,
     .range = "a file, flat, prefix[:N], dates, widths:5,10,20[@ORIGIN] or breaks:18,40,65;40",
     .runs = READING,
     .help =
         "how a quasi column may be made coarser, and how near the values of a sensitive one "
         "are. Without: numbers become ranges, texts are kept or suppressed"},
    {.key = "populations",
     .type = &shoal_i_type_path,
     .range = "as a hierarchy",
     .runs = MAKING "measure",
     .help = "the intervals of a number without hierarchy by which populations are told apart "
             "(halves of halves)"},
};

static const shoal_i_setting *find(const shoal_i_setting *rows, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].key, key) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

const shoal_i_setting *shoal_i_setting_find(const char *key)
{
    return find(shoal_i_settings, shoal_i_setting_count, key);
}

const shoal_i_setting *shoal_i_column_setting_find(const char *key)
{
    return find(shoal_i_column_settings, SHOAL_I_COLUMN_SETTINGS, key);
}

static bool describe(shoal_setting_facts *out, const shoal_i_setting *rows, size_t count,
                     size_t i)
{
    if (i >= count) {
        return false;
    }
    const shoal_i_setting *s = &rows[i];

    shoal_setting_facts facts = {
        .key = s->key,
        .type = s->type->name,
        .range = s->range,
        .words = s->words,
        .least = s->least,
        .most = s->most,
        .standard = s->standard,
        .is_list = s->type->form == SHOAL_I_FORM_LIST,
        .adds_up = s->type->form == SHOAL_I_FORM_ADDING,
        .runs = s->runs,
        .help = s->help,
    };

    return shoal_i_sized_fill(out, &facts, sizeof facts);
}

bool shoal_setting_describe(shoal_setting_facts *out, size_t setting)
{
    return describe(out, shoal_i_settings, shoal_i_setting_count, setting);
}

bool shoal_column_setting_describe(shoal_setting_facts *out, size_t setting)
{
    return describe(out, shoal_i_column_settings, SHOAL_I_COLUMN_SETTINGS, setting);
}

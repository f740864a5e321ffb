/* The table of settings, and what front ends are told of it. */
#include "setting.h"

#include "../attack/attack.h"
#include "../base/pool.h"
#include "../base/sized.h"
#include "../base/warnings.h"
#include "../measure/tradeoff.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

const char *const shoal_i_rest_words[] = {"drop", "release", NULL};
static const char *const access_words[] = {"private", "shared", NULL};
const char *const shoal_i_truth_words[] = {"false", "true", NULL};
const char *const shoal_i_missing_words[] = {"error", "drop", "keep", NULL};
const char *const shoal_i_encoding_words[] = {"auto",   "utf-8",    "latin1",   "windows-1252",
                                              "utf-16", "utf-16le", "utf-16be", NULL};
const char *const shoal_i_decimal_words[] = {".", ",", NULL};
const char *const shoal_i_thousands_words[] = {"none", ".", ",", "space", "'", NULL};
const char *const shoal_i_missing_person_words[] = {"error", "own", NULL};
const char *const shoal_i_numeric_words[] = {"range", "minmax", "mean", "median", NULL};
const char *const shoal_i_categorical_words[] = {"label", "set", NULL};
const char *const shoal_i_order_words[] = {"canonical", "keep", NULL};
const char *const shoal_i_cells_words[] = {"plain", "spreadsheet", NULL};
const char *const shoal_i_measured_words[] = {"classes", "records", NULL};
const char *const shoal_i_figure_words[] = {"privacy_loss", "utility_loss", "bound", NULL};
const char *const shoal_i_defended_words[] = {"minimality", NULL};
const char *const shoal_i_detail_words[] = {"short", "full", NULL};
const char *const shoal_i_same_words[] = {"blanks", "case", "unicode", NULL};
static const char *const role_words[] = {"insensitive", "identifier", "quasi",
                                         "sensitive",   "person",     NULL};
static const char *const type_words[] = {"auto", "string", "integer", "real", "date", NULL};

const shoal_spec shoal_i_spec_standard = {
    .output_delimiter = ',',
    .min_support = SHOAL_I_MIN_SUPPORT,
    .attack_known = 1,
};

#define LARGEST_K 9007199254740992 /* up to which every whole number is a double */
#define TOKENS_MAX 256
#define SIGNATURES_MAX 12

#define FIELD(field)                                                                           \
    .offset = offsetof(shoal_spec, field), .size = sizeof((shoal_spec *)0)->field
#define GIVEN(field) .given = offsetof(shoal_spec, field)

#define MAKING "anonymize refine "
#define CLASSES MAKING "verify frontier attack"
#define READING MAKING "verify measure query risk inspect frontier attack"
#define FILES READING " hierarchy"
#define READY MAKING "measure query risk frontier verify attack"
#define ORIGINALS MAKING "verify measure query risk inspect frontier hierarchy attack"
#define REPORTING MAKING "verify measure risk attack"

/* Rows by the kind of their value: one of words; a text that is a name; a number or the like
 * with a range. What they lack comes behind, as of any struct. */
#define WORD(name, what, words_are, field, is, where, ...)                                     \
    {                                                                                          \
        .key = name, .type = &shoal_i_type_word, .subject = what, .words = words_are,          \
        FIELD(field), .standard = is, .runs = where, .help = __VA_ARGS__                       \
    }
#define NAMED(name, kind, what, takes, field, where, ...)                                      \
    {                                                                                          \
        .key = name, .type = &shoal_i_type_##kind, .subject = what, .range = takes,            \
        FIELD(field), .runs = where, .help = __VA_ARGS__                                       \
    }
#define VALUE(name, kind, what, takes, from, to, field, where, ...)                            \
    {                                                                                          \
        .key = name, .type = &shoal_i_type_##kind, .subject = what, .range = takes,            \
        .least = from, .most = to, FIELD(field), .runs = where, .help = __VA_ARGS__            \
    }
#define TIME_RANGE                                                                             \
    "a number of seconds, minutes or hours from 0.001s to 1000h, such as 30s, 5m or 1h"
#define DELIMITER_RANGE "a comma, a semicolon, a vertical bar or \"tab\""

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
    WORD("rest", "way with columns without a role", shoal_i_rest_words, releases_rest, "drop",
         MAKING "verify",
         "columns without a role are left out (drop, the default) or released as they are"),
    WORD("strict", "truth value", shoal_i_truth_words, is_strict, "false", MAKING "verify",
         "true: publish nothing, and let nothing pass, while there are warnings that are not "
         "accepted"),
    {.key = "accept",
     .type = &shoal_i_type_words,
     .subject = "code of a warning",
     .words = shoal_i_warning_codes,
     FIELD(accepted),
     .runs = MAKING "verify",
     .help = "warnings to live with, by their codes; they are listed as accepted"},
    WORD("missing.action", "action for missing values", shoal_i_missing_words, missing, "error",
         MAKING "verify measure query risk frontier attack",
         "a missing value in a quasi column is an error (the default), has its record left "
         "out, or is kept as a value of its own",
         .is_short = true),
    {.key = "missing.tokens",
     .type = &shoal_i_type_texts,
     .subject = "tokens can stand for a missing value",
     .range = "a list of up to 256 texts, such as [\"?\", \"\"]",
     FIELD(missing_tokens),
     .count = offsetof(shoal_spec, missing_token_count),
     .capacity = TOKENS_MAX,
     .runs = FILES,
     .help = "what stands for a missing value (\"?\" and nothing)"},
    WORD("missing.person", "meaning of a missing person", shoal_i_missing_person_words,
         owns_missing_person, "error", MAKING "verify measure query risk frontier attack",
         "a record without a person is an error (the default), or of a person of its own"),
    VALUE("input.delimiter", delimiter, "A delimiter is", DELIMITER_RANGE, 0, 0,
          input_delimiter, FILES, "what separates the fields: , ; | or tab (detected)"),
    WORD("input.encoding", "encoding", shoal_i_encoding_words, encoding, "auto", ORIGINALS,
         "what the text is encoded in; auto: UTF-16 where its byte order mark tells so, else "
         "UTF-8. Releases are UTF-8"),
    NAMED("input.comment", text, "What comment lines begin with", "a text such as #", comment,
          ORIGINALS,
          "leave out lines before the header that begin with this; further down they are "
          "records"),
    VALUE("input.skip_lines", whole, "The number of lines to skip is",
          "a whole number from 0 to 1000000", 0, 1e6, skip_lines, ORIGINALS,
          "leave out so many lines before the header (0)", .standard = "0"),
    WORD("input.decimal", "decimal mark", shoal_i_decimal_words, decimal, ".", ORIGINALS,
         "the decimal mark of numbers; releases have a point"),
    WORD("input.thousands", "sign between thousands", shoal_i_thousands_words, thousands,
         "none", ORIGINALS, "what stands between the thousands of numbers"),
    NAMED("input.date_format", date_format, "The format of dates",
          "a format of YYYY, MM, DD, hh, mm and ss, such as DD.MM.YYYY", date_format, ORIGINALS,
          "how dates are written; M and D have one digit or two, times are left out "
          "(YYYY-MM-DD, as in releases)"),
    VALUE("privacy.k", whole, "k is", "a whole number from 1 to 9007199254740992", 1, LARGEST_K,
          k, CLASSES " measure risk", "every record must look like at least N - 1 others"),
    NAMED("privacy.k.column", text, "The column of each record's own k", "the name of a column",
          k_column, CLASSES " measure risk",
          "a column with a k of each record's own; not released unless it has a role"),
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
    REQUIREMENT("k_map", "a whole number of at least 1", "anonymize verify frontier attack",
                "at least N records of the population fall into every class"),
    REQUIREMENT("presence", "[LEAST:]MOST, MOST a share above 0 and up to 1",
                "anonymize verify frontier attack",
                "of the population that falls into a class, a share of at most MOST is in the "
                "release"),
    NAMED("privacy.population", path, "The file of the population", "the path of a file",
          population, "anonymize verify measure risk frontier attack",
          "the population that the records are a sample of; it has the quasi-identifier of "
          "every record"),
    {.key = "privacy.attacks",
     .type = &shoal_i_type_words,
     .subject = "attack that a release can be made to withstand",
     .range = "a list of attacks: minimality",
     .words = shoal_i_defended_words,
     FIELD(defended),
     .runs = "anonymize frontier attack",
     .help = "attacks that the release must withstand: minimality (by readers who know method "
             "and requirement and ask why classes are as large as they are)"},
    {.key = "privacy.previous",
     .type = &shoal_i_type_previous,
     .subject = "The previous release",
     .range = "the path of a file",
     .runs = "anonymize",
     .help = "an earlier release of the same people or some of them; may be given again. Who "
             "may be in both hides among as many, and as different ones, in what their classes "
             "have in common"},
    {.key = "method",
     .type = &shoal_i_type_method,
     .range = "NAME[:option=value,...]",
     .standard = "best",
     .runs = "anonymize attack",
     .help = "how to find the classes (best)"},
    WORD("effort", "effort", shoal_i_effort_words, effort, "normal", MAKING,
         "how long a method that searches goes on (normal); the same effort and seed give "
         "the same release",
         GIVEN(has_effort)),
    VALUE("time", time, "A time is", TIME_RANGE, 1e-3, 3.6e6, seconds, MAKING,
          "search for so long instead, such as 30s, 2m or 1h, and publish the best found"),
    VALUE("suppress", number, "The share of records that may be suppressed is",
          "a number from 0 to below 1", 0, 1, suppress, "anonymize frontier",
          "up to this share of the records may be released as * where that lowers the loss "
          "(0)",
          .is_most_out = true, .standard = "0"),
    VALUE("grid", grid, "A grid is", SHOAL_I_GRID_RANGE, 0, 0, grid, READING,
          "ends of ranges are rounded outward to multiples of this step in every quasi column "
          "of numbers or dates that has no hierarchy and no grid of its own (none: ends are "
          "values of records)"),
    VALUE("memory", bytes, "A limit of memory is", "a number of bytes, such as 512M or 2G", 1,
          0x1p63, memory, "anonymize",
          "work within so much memory, such as 512M or 2G, and with temporary files for the "
          "rest"),
    NAMED("temporary", path, "The folder of temporary files", "the path of a folder", temporary,
          MAKING, "the folder of temporary files (that of the system)"),
    VALUE("seed", whole, "The seed is", "a whole number from 0 to 9223372036854775807", 0,
          0x1p63, seed, MAKING "query frontier attack",
          "of the random choices of the method (1); the same seed gives the same release",
          .standard = "1", GIVEN(has_seed)),
    VALUE("threads", whole, "The number of threads is", "a whole number from 0 to 256", 0,
          SHOAL_I_THREADS_MAX, threads, FILES " generate methods",
          "how many threads to use (0: one per processor); never changes a result",
          .standard = "0", GIVEN(has_threads)),
    WORD("output.numeric", "form of numbers", shoal_i_numeric_words, numeric, "range", MAKING,
         "how to write numbers of a class: [24..30] (the default), two columns NAME_min and "
         "NAME_max, or one number"),
    WORD("output.categorical", "form of categories", shoal_i_categorical_words, categorical,
         "label", MAKING,
         "how to write categories of a class: the label of the hierarchy (the default) or "
         "{a|b}"),
    WORD("output.order", "order", shoal_i_order_words, keep_order, "canonical", MAKING,
         "canonical: sorted by what is released; keep: in the order of the input, which may "
         "tell who the records are about"),
    WORD("output.cells", "form of cells", shoal_i_cells_words, is_guarded, "plain", MAKING,
         "spreadsheet: an apostrophe before every text that a spreadsheet would run as a "
         "formula, one that begins with = + - or @ and is no number"),
    VALUE("output.delimiter", delimiter, "A delimiter is", DELIMITER_RANGE, 0, 0,
          output_delimiter, MAKING, "what separates the fields of the release (,)",
          .standard = ","),
    NAMED("output.sensitive_table", path, "The file of the sensitive table",
          "the path of a file", sensitive_table, MAKING "verify measure query attack",
          "the second file of a release by buckets; without: RELEASE.sensitive.csv beside "
          "RELEASE.csv, if it is there"),
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
    VALUE("measure.min_support", number, "The minimum support of a population is",
          "a share of the records, a number above 0 and at most 1", 0, 1, min_support,
          MAKING "measure frontier",
          "a population of the utility loss is large from this share of the records on "
          "(0.05)",
          .is_least_out = true, .standard = "0.05"),
    WORD("measure.shape", "shape of a release", shoal_i_measured_words, is_by_record, "classes",
         "measure risk attack",
         "records: the release has a box per record (method nonhomogeneous), and a record "
         "may be any row whose box covers it"),
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
             "distortion_ratio, highest_risk, query_error, and what the attacks linkage, "
             "matching and definetti reach on average (the first two; without a sensitive "
             "column highest_risk,gcp)"},
    LIMIT("privacy_loss", SHOAL_I_BY_PRIVACY_LOSS),
    LIMIT("utility_loss", SHOAL_I_BY_UTILITY_LOSS),
    LIMIT("gcp", SHOAL_I_BY_GCP),
    LIMIT("discernibility", SHOAL_I_BY_DISCERNIBILITY),
    LIMIT("average_class_size", SHOAL_I_BY_CLASS_SIZE),
    LIMIT("distortion_ratio", SHOAL_I_BY_DISTORTION),
    LIMIT("highest_risk", SHOAL_I_BY_RISK),
    LIMIT("query_error", SHOAL_I_BY_QUERY_ERROR),
    LIMIT("linkage", SHOAL_I_BY_LINKAGE),
    LIMIT("matching", SHOAL_I_BY_MATCHING),
    LIMIT("definetti", SHOAL_I_BY_DEFINETTI),
    VALUE("frontier.time", time, "A time is", TIME_RANGE, 1e-3, 3.6e6, sweep.seconds,
          "frontier", "begin no point later than that, such as 30s, 5m or 1h (no limit)"),
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
    VALUE("risk.sampling_fraction", number,
          "The share of the population that the table holds is", "a number above 0 and up to 1",
          0, 1, sampling_fraction, "anonymize measure risk",
          "the share of the population that the original holds, where there is no file of "
          "it",
          .is_least_out = true),
    {.key = "attack.names",
     .type = &shoal_i_type_words,
     .subject = "attack",
     .words = shoal_i_attack_words,
     FIELD(attacks),
     .runs = MAKING "measure attack",
     .help = "attacks to simulate, and what they reach against what is promised. Unasked, "
             "attack takes all that apply, other runs none"},
    VALUE("attack.known", number, "The share of the people that an attacker knows is",
          "a number above 0 and up to 1", 0, 1, attack_known, MAKING "measure attack",
          "the share of the people whose quasi-identifier an attacker knows (1)",
          .is_least_out = true, .standard = "1"),
    VALUE("attack.errors", number, "The share of wrong cells that an attacker knows is",
          "a number from 0 to below 1", 0, 1, attack_errors, MAKING "measure attack",
          "the share of the cells known to an attacker that are wrong (0)", .is_most_out = true,
          .standard = "0"),
    WORD("report.detail", "detail of a report", shoal_i_detail_words, is_full_report, "short",
         REPORTING, "full: with risk, distributions, SHA-256 of the files, and pages"),
    WORD("report.access", "access to reports", access_words, shares_reports, "private",
         REPORTING,
         "who may read the files of --report: only their owner (private, mode 0600, the "
         "default), or as any new file (shared)"),
    NAMED("report.frontier", path, "The picture of the frontier", "the path of a file",
          frontier_plot, REPORTING, "show on the page what shoal_frontier drew (.svg)"),
    NAMED("report.title", text, "The title of the report", "a text", report_title, REPORTING,
          "what stands at the top of the page (the kind of report)"),
    NAMED("report.author", text, "The author of the report", "a text", report_author, REPORTING,
          "who made the release, on the page"),
    NAMED("report.purpose", text, "The purpose of the release", "a text", report_purpose,
          REPORTING, "what the release is for, on the page"),
    NAMED("report.date", text, "The date of the report", "a text such as 2026-03-31",
          report_date, REPORTING, "the date on the page, as it is given (none)"),
    {.key = "report.sign_off",
     .type = &shoal_i_type_texts,
     .subject = "people can sign a page",
     .range = "a list of up to 12 texts, such as [Data protection officer]",
     FIELD(sign_off),
     .count = offsetof(shoal_spec, sign_off_count),
     .capacity = SIGNATURES_MAX,
     .runs = REPORTING,
     .help = "who signs the page: a line for a signature and a date for each of them"},
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
     .help =
         "identifier: never released; quasi: known to others, generalized; sensitive: what "
         "others want to learn; insensitive: released as it is; person: whose record it is, "
         "where a person may have several, never released"},
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
    {.key = "grid",
     .type = &shoal_i_type_grid,
     .subject = "A grid is",
     .range = SHOAL_I_GRID_RANGE,
     .runs = READING,
     .help = "ends of the ranges of this column are rounded outward to multiples of this step "
             "(that of all columns)"},
    {.key = "hierarchy",
     .type = &shoal_i_type_path,
     .range = "a file, flat, prefix[:N][@SEPARATORS], dates, widths:5,10,20[@ORIGIN], "
              "breaks:18,40,65;40 or codes: icd10, countries, nuts or isco[:OTHER]",
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
    {.key = "date_format",
     .type = &shoal_i_type_date_format,
     .range = "a format of YYYY, MM, DD, hh, mm and ss, such as DD.MM.YYYY",
     .runs = ORIGINALS,
     .help = "how the dates of this column are written (input.date_format)"},
    {.key = "decimal",
     .type = &shoal_i_type_word,
     .subject = "decimal mark",
     .words = shoal_i_decimal_words,
     .runs = ORIGINALS,
     .help = "the decimal mark of this column (input.decimal)"},
    {.key = "thousands",
     .type = &shoal_i_type_word,
     .subject = "sign between thousands",
     .words = shoal_i_thousands_words,
     .runs = ORIGINALS,
     .help = "what stands between the thousands of this column (input.thousands)"},
    {.key = "top",
     .type = &shoal_i_type_number,
     .subject = "A top is",
     .range = "a number",
     .least = -DBL_MAX,
     .most = DBL_MAX,
     .runs = READY,
     .help = "numbers above this become it, before any method sees them"},
    {.key = "bottom",
     .type = &shoal_i_type_number,
     .subject = "A bottom is",
     .range = "a number",
     .least = -DBL_MAX,
     .most = DBL_MAX,
     .runs = READY,
     .help = "numbers below this become it"},
    {.key = "round",
     .type = &shoal_i_type_number,
     .subject = "What numbers are rounded to is",
     .range = "a number above 0, such as 5 or 0.1",
     .is_least_out = true,
     .most = 1e15,
     .runs = READY,
     .help = "numbers become the nearest multiple of this, halves the one farther from 0"},
    {.key = "truncate",
     .type = &shoal_i_type_whole,
     .subject = "The length that texts are truncated to is",
     .range = "a whole number from 1 to 1000000",
     .least = 1,
     .most = 1e6,
     .runs = READY,
     .help = "texts keep so many characters: C50.9 becomes C50 by 3"},
    {.key = "generalize",
     .type = &shoal_i_type_whole,
     .subject = "A level is",
     .range = "a whole number from 1 to 63",
     .least = 1,
     .most = 63,
     .runs = READY,
     .help = "values become their labels at this level of the hierarchy, the least that can be "
             "released of a quasi column"},
    {.key = "coarsest",
     .type = &shoal_i_type_whole,
     .subject = "A coarsest level is",
     .range = "a whole number from 0 to 63",
     .least = 0,
     .most = 63,
     .runs = READY,
     .help = "a quasi column is never released coarser than this level of its hierarchy"},
    {.key = "rename",
     .type = &shoal_i_type_text,
     .range = "a name",
     .runs = READY,
     .help = "what the column is called in releases; specs go by the name in the file"},
    {.key = "same",
     .type = &shoal_i_type_words,
     .subject = "way that texts may differ",
     .words = shoal_i_same_words,
     .runs = READING,
     .help = "of a sensitive column or of persons: texts that differ in this alone are counted "
             "as one value, and released as they are"},
    {.key = "rare",
     .type = &shoal_i_type_whole,
     .subject = "What is rare is",
     .range = "a whole number from 2 to 1000000000",
     .least = 2,
     .most = 1e9,
     .runs = READY,
     .help = "values that fewer records have become one, \"other\", below each group of the "
             "hierarchy"},
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

/* job.h -- a run from input to report: what the program, and every other front end, calls.
 *
 * A spec says what a table's columns are, what privacy is asked for, which method to use and
 * how to write the release. It is filled from a YAML file, from single settings (the program's
 * flags), or both; later settings override earlier ones. A run takes a spec and files, and
 * gives a report:
 *
 *     shoal_spec *spec = NULL;
 *     shoal_report *report = NULL;
 *
 *     shoal_spec_new(&ctx, &spec);
 *     shoal_spec_read(&ctx, spec, "patients.yaml");
 *     shoal_spec_set(&ctx, spec, "privacy.k", "10");
 *     if (shoal_anonymize(&ctx, &report, spec, "patients.csv", "release.csv") == SHOAL_OK) {
 *         puts(shoal_report_text(report));
 *     }
 *     shoal_report_free(report);
 *     shoal_spec_free(spec);
 *
 * Nothing is published that was not verified first, from the bytes that are about to be
 * published. A run that fails leaves no file behind. The same spec, seed and input give the
 * same bytes on any number of threads.
 *
 * Where people can make several mistakes at once (a spec file, columns that a table lacks,
 * hierarchies that do not fit), every one goes to the log callback as SHOAL_LOG_ERROR with its
 * place; the failure of the call is the first of them, and says how many there were.
 *
 * A spec is changed by one thread at a time; runs only read it. Reports never change.
 */
#ifndef SHOAL_JOB_H
#define SHOAL_JOB_H

#include "hierarchy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct shoal_spec shoal_spec;
typedef struct shoal_report shoal_report;

/* --- Specs. ----------------------------------------------------------------------------- */

/* An empty spec: no columns named, no privacy asked for, everything else at its default. */
shoal_status shoal_spec_new(shoal_ctx *ctx, shoal_spec **out);
void shoal_spec_free(shoal_spec *spec);

/* Read a YAML file ("-": standard input) into the spec; docs/formats.md lists the keys. Paths
 * inside are relative to the file. After a failure the spec is good for nothing but free:
 *   SHOAL_EFORMAT       not YAML, unknown key, key given twice, a list where a value belongs
 *   SHOAL_EINVAL        a value out of its range
 *   SHOAL_ELIMIT        more than 1 MiB, 16 levels or 256 anchors
 *   SHOAL_ENOTFOUND, SHOAL_EIO, SHOAL_ENOMEM */
shoal_status shoal_spec_read(shoal_ctx *ctx, shoal_spec *spec, const char *path);

/* As shoal_spec_read, from bytes in memory; source names them in messages, and the folder in it
 * is where paths inside start. */
shoal_status shoal_spec_read_memory(shoal_ctx *ctx, shoal_spec *spec, const char *bytes,
                                    size_t size, const char *source);

/* Change one setting; the spec stays as it was when that fails. Keys are the paths of the YAML
 * file:
 *   privacy.k            a whole number of at least 1
 *   privacy.k.column     the column that holds a k of each record's own
 *   privacy.alpha        A or A:VALUE,... ; a value with a comma or an equals sign in double
 *                        quotes; [COLUMN=] before it names one sensitive column, as for all that
 *                        follow up to beta
 *   privacy.l            [frequency:|distinct:|entropy:]L or recursive:C:L
 *   privacy.t            [js:|equal:|ordered:|hierarchical:]T
 *   privacy.delta        D
 *   privacy.beta         [basic:|enhanced:]B
 *   privacy.population   the file of a population
 *   privacy.k_map        a whole number of at least 1
 *   privacy.presence     [LEAST:]MOST, shares
 *   method               NAME[:key=value,...]
 *   effort               fast, normal or high: how much a method that searches does
 *   time                 how long it searches instead: 30s, 2m, 1h
 *   suppress             share of the records that may be suppressed where that lowers the loss
 *   memory               how much shoal_anonymize may use: bytes, or 512M, 2G; the rest lies in
 *                        temporary files. Not every method and requirement can do so
 *   temporary            the folder of these files; not set: that of the system
 *   measure.figures      a comma list of privacy_loss, utility_loss and bound: what
 *                        shoal_anonymize measures beside the loss, and shoal_measure instead of
 *                        the first two; bound needs a k there
 *   measure.shape        classes or records: what shoal_measure and shoal_risk take a release of boxes for
 *   measure.min_support  from which share of the records on a population is large
 *   frontier.sweep       KEY=VALUE,... ; each call adds to what shoal_frontier tries
 *   frontier.methods     NAME[:key=value,...]; each call adds one
 *   frontier.axes        X,Y: two figures
 *   frontier.time        30s, 5m, 1h
 *   frontier.max.FIGURE  the most that privacy_loss, utility_loss, gcp, highest_risk or
 *                        query_error may be in what is recommended
 *   seed, threads        whole numbers; threads 0: one per processor
 *   missing.action       error, drop or keep
 *   missing.tokens       a comma list
 *   input.delimiter      , ; | or tab; not set: detected
 *   output.numeric       range, minmax, mean or median
 *   output.categorical   label or set
 *   output.order         canonical or keep
 *   output.delimiter     as for the input
 *   output.sensitive_table  the second file of a release by buckets; not set: NAME.sensitive.csv
 *                        beside NAME.csv
 *   risk.thresholds      a comma list of up to 8 chances above 0 and up to 1
 *   risk.sampling_fraction  the share of the population that the table holds
 *   report.detail        short, or full: with risk, distributions, SHA-256 of the files, and
 *                        pages to be written as .html
 *   report.frontier      a picture that shoal_frontier drew (.svg), to be shown on the pages
 * Of requirements other than k, each call adds one; the first of a key replaces those of a
 * file. SHOAL_EINVAL: no such key, or a value out of its range; SHOAL_ELIMIT: more than 16
 * requirements. */
shoal_status shoal_spec_set(shoal_ctx *ctx, shoal_spec *spec, const char *key,
                            const char *value);

/* What is said of a column; its name may hold anything, so it is no part of a key.
 *
 * role: SHOAL_EINVAL when this function has already given the column another one. A role from a
 * file is overridden.
 * type: "auto", "string", "integer", "real" or "date". weight: a number of at least 0.
 * hierarchy: a file, or "flat", "prefix[:N]", "dates", "widths:5,10,20[@ORIGIN]",
 * "breaks:18,40,65;40" (levels from fine to coarse). A file of such a name is written "./flat".
 */
shoal_status shoal_spec_set_role(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                 shoal_role role);
shoal_status shoal_spec_set_type(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                 const char *type);
shoal_status shoal_spec_set_weight(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                   const char *weight);
shoal_status shoal_spec_set_hierarchy(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                      const char *hierarchy);

/* The intervals of a numeric quasi column without hierarchy by which the populations of the
 * utility loss are told apart, in the form of a hierarchy; not set: halves of halves. */
shoal_status shoal_spec_set_populations(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                        const char *hierarchy);

/* --- Runs. ------------------------------------------------------------------------------ */

/* All of them set *out to NULL on failure; otherwise it is the caller's. Seed and threads of
 * the spec, where it has them, stand in for those of the context during the run. They fail as
 * shoal_csv_read and the builders of hierarchy.h do, and with:
 *   SHOAL_EINVAL     the spec is not complete (no quasi column, no requirement, no sensitive
 *                    column for one that needs it), contradicts itself, or names a value that
 *                    does not occur
 *   SHOAL_ENOTFOUND  the file lacks a column of the spec
 *   SHOAL_EFORMAT    a value is missing where the spec allows none */

/* Anonymize input ("-": standard input) into output ("-": standard output), which must be
 * another file.
 *   SHOAL_EUNSATISFIABLE  no release can meet the requirements: not even the whole table as
 *                         one class does
 *   SHOAL_EUNSUPPORTED    the method cannot honour a requirement; the message names those that can
 *   SHOAL_EREJECTED       the verifier did not accept what the method made
 *   SHOAL_ECANCELLED      the caller said stop */
shoal_status shoal_anonymize(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                             const char *input, const char *output);

/* Search from the classes of a release, anybody's, for better ones, and write what is found into
 * output. The new release meets the same requirements and loses no more. Rows need not be in the
 * order of the original; which record stands behind which row is found from what the rows cover.
 * Seed, effort and time of the spec count, its method does not.
 *   SHOAL_EINVAL        the release does not meet the requirements
 *   SHOAL_EFORMAT       it does not belong to the original: its rows cannot be told to be those
 *                       records
 *   SHOAL_EUNSUPPORTED  a requirement about a population
 * and as shoal_anonymize and shoal_measure. */
shoal_status shoal_refine(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                          const char *original, const char *release, const char *output);

/* Check a release, anybody's, by the texts of its quasi columns: NAME, or NAME_min and
 * NAME_max, and by its sensitive columns where requirements are about them. SHOAL_OK whether or
 * not it holds; see shoal_report_holds. Where a requirement is about a population, the release
 * is read through the hierarchies over the population's values; SHOAL_EFORMAT when that lacks
 * a record of the release. */
shoal_status shoal_verify(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                          const char *release);

/* Check a release with a box per record (method nonhomogeneous, or like) against its original:
 * whether every record could be in any of at least k rows and every row be of any of at least
 * k records, counting only what some way of matching all rows and records one by one allows.
 * Without the original that cannot be told. SHOAL_EUNSUPPORTED: a requirement other than k. */
shoal_status shoal_verify_records(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                  const char *original, const char *release);

/* Measure a release, anybody's, against its original, through the hierarchies of the spec; where
 * the spec has sensitive columns, also its privacy loss and utility loss (docs/measures.md).
 * SHOAL_EFORMAT: a sensitive value of the release that the original lacks; a release that cannot
 * be one of the original, because rows find no record that they cover. */
shoal_status shoal_measure(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                           const char *original, const char *release);

/* Try many requirements and methods on a table (the part `frontier` of the spec, or a grid that
 * suits the table) and tell what each release would reveal and lose, which are not beaten on
 * both counts, and which one to take within the limits of the spec; nothing is released. Points
 * that cannot be made are part of the result.
 * keep: while the run lasts, points that are done are kept in the file KEEP.part; NULL: they are
 * not. It stays when the run is interrupted or its time is over, and resume takes it up.
 * shoal_report_holds: a point is within the limits, or there are none.
 *   SHOAL_EINVAL          figures about sensitive values, of which there are none; points to
 *                         resume that are of another table or other settings
 *   SHOAL_EUNSATISFIABLE  no point can be made */
shoal_status shoal_frontier(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                            const char *input, const char *keep, bool resume);

/* Answer a query from a release, anybody's (docs/query.md has the language):
 *
 *     COUNT WHERE age BETWEEN 30 AND 40 AND sex = Male AND diagnosis = flu
 *
 * Of a released value that a condition selects in part, every value inside it counts as equally
 * likely (estimator "uniform", or NULL), or as likely as the whole release suggests
 * ("marginal"). original: NULL, or the file that the release was made from; then the exact
 * answer and the relative error are found too. Without it the values of a column must follow
 * from the release and the spec. Figures: "estimate", "exact", "query_error".
 *   SHOAL_EINVAL        the query cannot be understood; error.source is "query", error.column
 *                       the byte at fault, from 1
 *   SHOAL_ENOTFOUND     no such column or value, with the same place
 *   SHOAL_EUNSUPPORTED  without the original: the values of a column are not known */
shoal_status shoal_query(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                         const char *release, const char *original, const char *query,
                         const char *estimator);

/* Many random queries; what is 0 or NULL has its default. */
typedef struct shoal_workload {
    const char *kind;    /* "xu-count", "xu-sum" or "lili" */
    size_t queries;      /* 1000 */
    const char *columns; /* quasi columns that are asked about, a comma list; all */
    const char *sum;     /* xu-sum: the quasi column to add up; the first of numbers */
    size_t dimensions;   /* lili: quasi columns per query; 4, or all when there are fewer */
    double selectivity;  /* lili: expected share of the records that is selected; 0.05 */
    const char *estimator;
} shoal_workload;

/* The errors of a release's answers against those of its original. The seed is that of the
 * spec or the context. Figures: "query_error" (mean), "query_error_median", "dropped" (queries
 * with an exact answer of 0, which have no relative error). */
shoal_status shoal_query_workload(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                  const char *release, const char *original,
                                  const shoal_workload *workload);

/* How exposed the people of an original are, and those of a release of it, anybody's (NULL:
 * none): who can be found, by which columns, and what that tells. Journalists count by the
 * spec's population or sampling fraction. SHOAL_EFORMAT: the population lacks a record, or as of
 * shoal_measure. */
shoal_status shoal_risk(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                        const char *original, const char *release);

/* Look at a raw file: types, likely roles, uniqueness and risk; shoal_report_spec is a spec to
 * start from. Roles that the spec gives are taken as given. */
shoal_status shoal_inspect(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                           const char *input);

/* The hierarchy that the spec asks for a column of a file, as the runs above build theirs; a
 * text column without one gets a flat one. SHOAL_ENOTFOUND: no such column in the spec or the
 * file. SHOAL_EINVAL: the column is numeric and the spec asks for none. */
shoal_status shoal_build_hierarchy(shoal_ctx *ctx, shoal_hierarchy **out,
                                   const shoal_spec *spec, const char *input,
                                   const char *column);

/* --- Reports. --------------------------------------------------------------------------- */

void shoal_report_free(shoal_report *report);

/* A few lines for people; all of it as JSON; a starting spec in YAML (inspect only, else "").
 * Borrowed. They hold counts and names, and the content of a cell only where ctx->show_values let
 * words about named values quote them. */
const char *shoal_report_text(const shoal_report *report);
const char *shoal_report_json(const shoal_report *report);
const char *shoal_report_spec(const shoal_report *report);

/* The page of a full report, one file without anything outside it, or the picture of a frontier;
 * "" when report.detail is short. The first shows how often values occur; the second, for others,
 * has neither values nor the names of files, and a frontier has none. Borrowed. */
const char *shoal_report_html(const shoal_report *report);
const char *shoal_report_external(const shoal_report *report);

/* Whether the requirement holds (anonymize, refine, verify), or a point of a frontier is within its
 * limits; else false. */
bool shoal_report_holds(const shoal_report *report);

/* One figure by its name in the JSON ("gcp", "classes"; "seconds" is the total); NaN when the
 * report has none of that name. */
double shoal_report_figure(const shoal_report *report, const char *name);

/* Write it to a file, whole or not at all. The ending of the name says what: .html the page of a
 * full report or the picture of a frontier, .json all of it, .yaml or .yml the starting spec,
 * .csv and .svg the table and the picture of a frontier. SHOAL_EINVAL: any other ending, or a
 * report that has no such form. */
shoal_status shoal_report_write(shoal_ctx *ctx, const shoal_report *report, const char *path);

/* Write the page for others, to a name that ends in .html. */
shoal_status shoal_report_write_external(shoal_ctx *ctx, const shoal_report *report,
                                         const char *path);

/* Whether the name of a report ends in .html, .json, .yaml or .yml, or that of a page for others
 * in .html: to be asked before the work is done. SHOAL_EINVAL */
shoal_status shoal_report_check(shoal_ctx *ctx, const char *path);
shoal_status shoal_report_check_external(shoal_ctx *ctx, const char *path);

/* --- What front ends can offer. --------------------------------------------------------- */

/* The methods there are, and what tells them apart. Numbers run from 0; all texts are constants.
 */
typedef struct shoal_method_facts {
    const char *name;
    const char *summary; /* one line */
    const char *shape;   /* of its release: "classes", "records" or "buckets" */
    const char *cost;
    const char *citation;
    bool needs_sensitive; /* some requirement must be about a sensitive column */
    /* Its release has a second file, of the sensitive columns: there must be one. */
    bool publishes_in_two;
} shoal_method_facts;

/* An option of a method, which is given as NAME:option=value. */
typedef struct shoal_option_facts {
    const char *name;
    const char *help;
    /* The values it takes, NULL-terminated; NULL: it takes a number. */
    const char *const *words;
    double least; /* of a number */
    double most;
    double standard; /* the default: a number, or the place of a word */
} shoal_option_facts;

/* Facts of method `method`, or of one of its options; false, with *out untouched, behind the
 * last. */
bool shoal_method_describe(shoal_method_facts *out, size_t method);
bool shoal_method_option_describe(shoal_option_facts *out, size_t method, size_t option);

/* The requirements there are: key ("l"), kind ("entropy"; "" for the only one of a key) and title
 * ("entropy l-diversity"); NULL behind the last. */
const char *shoal_requirement_key(size_t requirement);
const char *shoal_requirement_kind(size_t requirement);
const char *shoal_requirement_title(size_t requirement);

/* Why a method, with the defaults of its options, cannot honour a requirement: a clause without a
 * full stop. NULL when it can, and for numbers behind the last. A run that asks for it anyway
 * fails with SHOAL_EUNSUPPORTED before any file is read. */
const char *shoal_method_refusal(size_t method, size_t requirement);

/* The name alone: NULL behind the last. */
const char *shoal_method_name(size_t method);

/* The candidate nearest to a name by edit distance, for "did you mean"; NULL when none is. */
const char *shoal_nearest(const char *name, const char *const *candidates, size_t count);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_JOB_H */

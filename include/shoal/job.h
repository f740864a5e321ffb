/* job.h -- a run from input to report: what the program, and every other front end, calls.
 *
 * A run takes a spec (spec.h) and files or tables, and gives a report (report.h); what makes a
 * release from a table gives the release (release.h), too. Of files:
 *
 *     shoal_spec *spec = NULL;
 *     shoal_report *report = NULL;
 *
 *     shoal_spec_new(ctx, &spec);
 *     shoal_spec_read(ctx, spec, "patients.yaml");
 *     shoal_spec_set(ctx, spec, "privacy.k", "10");
 *     if (shoal_anonymize(ctx, &report, spec, "patients.csv", "release.csv") == SHOAL_OK) {
 *         puts(shoal_report_text(report));
 *     }
 *     shoal_report_free(report);
 *     shoal_spec_free(spec);
 *
 * and in memory, where no file is touched:
 *
 *     shoal_anonymize_table(ctx, &release, &report, spec, table);
 *
 * Nothing is handed out that was not verified first: the bytes of the file that is about to be
 * published, the columns as other programs get them. A run that fails leaves no file behind.
 * The same spec, seed and input give the same bytes on any number of threads, but for the
 * methods anatomy and nonhomogeneous, whose draws protect people and come from the operating
 * system.
 *
 * Where people can make several mistakes at once (a spec file, columns that a table lacks,
 * hierarchies that do not fit), every one goes to the log callback as SHOAL_LOG_ERROR with its
 * place; the failure of the call is the first of them, and says how many there were.
 */
#ifndef SHOAL_JOB_H
#define SHOAL_JOB_H

#include "hierarchy.h"
#include "release.h"
#include "report.h"
#include "spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All of them set *out to NULL on failure, but for SHOAL_EWARNED, which comes with the report
 * that tells the warnings; otherwise it is the caller's. Seed and threads of
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
 *   SHOAL_EUNSUPPORTED    the method cannot honour a requirement; the message names those that
 *                         can
 *   SHOAL_EREJECTED       the verifier did not accept what the method made
 *   SHOAL_EWARNED         the spec is strict, and there are warnings that it does not accept:
 *                         nothing is published, and *out is a report all the same
 *   SHOAL_ECANCELLED      the caller said stop */
SHOAL_API shoal_status shoal_anonymize(shoal_ctx *ctx, shoal_report **out,
                                       const shoal_spec *spec, const char *input,
                                       const char *output);

/* Search from the classes of a release, anybody's, for better ones, and write what is found
 * into output. The new release meets the same requirements and loses no more. Rows need not be
 * in the order of the original; which record stands behind which row is found from what the
 * rows cover. Seed, effort and time of the spec count, its method does not.
 *   SHOAL_EINVAL        the release does not meet the requirements
 *   SHOAL_EFORMAT       it does not belong to the original: its rows cannot be told to be those
 *                       records
 *   SHOAL_EUNSUPPORTED  a requirement about a population
 * and as shoal_anonymize and shoal_measure. */
SHOAL_API shoal_status shoal_refine(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                    const char *original, const char *release,
                                    const char *output);

/* Check a release, anybody's, by the texts of its quasi columns: NAME, or NAME_min and
 * NAME_max, and by its sensitive columns where requirements are about them. SHOAL_OK whether or
 * not it holds; see shoal_report_holds. Where a requirement is about a population, the release
 * is read through the hierarchies over the population's values; SHOAL_EFORMAT when that lacks
 * a record of the release. */
SHOAL_API shoal_status shoal_verify(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                    const char *release);

/* Check a release with a box per record (method nonhomogeneous, or like) against its original:
 * whether every record could be in any of at least k rows and every row be of any of at least
 * k records, counting only what some way of matching all rows and records one by one allows.
 * Without the original that cannot be told. SHOAL_EUNSUPPORTED: a requirement other than k.
 *
 * Where the spec has a column of persons, the release is one by classes: rows are matched to
 * records by their boxes and sensitive values, and the persons of each class are counted for
 * any requirement. Where several ways to match are possible one is taken, with a warning
 * (another-matching), unless the rows stand in the order of the original. SHOAL_EFORMAT: the
 * release does not belong to the original; SHOAL_EUNSUPPORTED: it is by buckets. */
SHOAL_API shoal_status shoal_verify_records(shoal_ctx *ctx, shoal_report **out,
                                            const shoal_spec *spec, const char *original,
                                            const char *release);

/* Measure a release, anybody's, against its original, through the hierarchies of the spec;
 * where the spec has sensitive columns, also its privacy loss and utility loss
 * (docs/measures.md). SHOAL_EFORMAT: a sensitive value of the release that the original lacks;
 * a release that cannot be one of the original, because rows find no record that they cover. */
SHOAL_API shoal_status shoal_measure(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                     const char *original, const char *release);

/* Try many requirements and methods on a table (the part `frontier` of the spec, or a grid that
 * suits the table) and tell what each release would reveal and lose, which are not beaten on
 * both counts, and which one to take within the limits of the spec; nothing is released. Points
 * that cannot be made are part of the result.
 * keep: while the run lasts, points that are done are kept in the file KEEP.part; NULL: they
 * are not. It stays when the run is interrupted or its time is over, and resume takes it up.
 * shoal_report_holds: a point is within the limits, or there are none.
 *   SHOAL_EINVAL          figures about sensitive values, of which there are none; points to
 *                         resume that are of another table or other settings
 *   SHOAL_EUNSATISFIABLE  no point can be made */
SHOAL_API shoal_status shoal_frontier(shoal_ctx *ctx, shoal_report **out,
                                      const shoal_spec *spec, const char *input,
                                      const char *keep, bool resume);

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
SHOAL_API shoal_status shoal_query(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                   const char *release, const char *original, const char *query,
                                   const char *estimator);

/* Many random queries; what is 0 or NULL has its default. */
typedef struct shoal_workload {
    size_t struct_size;  /* see ctx.h */
    const char *kind;    /* "xu-count", "xu-sum" or "lili" */
    size_t queries;      /* 1000 */
    const char *columns; /* quasi columns that are asked about, a comma list; all */
    const char *sum;     /* xu-sum: the quasi column to add up; the first of numbers */
    size_t dimensions;   /* lili: quasi columns per query; 4, or all when there are fewer */
    double selectivity;  /* lili: expected share of the records that is selected; 0.05 */
    const char *estimator;
} shoal_workload;

#define SHOAL_WORKLOAD_INIT                                                                    \
    {                                                                                          \
        sizeof(shoal_workload), NULL, 0, NULL, NULL, 0, 0.0, NULL                              \
    }

/* The errors of a release's answers against those of its original. The seed is that of the
 * spec or the context. Figures: "query_error" (mean), "query_error_median", "dropped" (queries
 * with an exact answer of 0, which have no relative error). */
SHOAL_API shoal_status shoal_query_workload(shoal_ctx *ctx, shoal_report **out,
                                            const shoal_spec *spec, const char *release,
                                            const char *original,
                                            const shoal_workload *workload);

/* How exposed the people of an original are, and those of a release of it, anybody's (NULL:
 * none): who can be found, by which columns, and what that tells. Journalists count by the
 * spec's population or sampling fraction. SHOAL_EFORMAT: the population lacks a record, or as
 * of shoal_measure. */
SHOAL_API shoal_status shoal_risk(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                  const char *original, const char *release);

/* Look at a raw file: types, likely roles with reasons, uniqueness and risk. shoal_report_spec
 * is a spec to start from, which runs on that file as it is: all that `spec` says, roles, types
 * and hierarchies that are guessed, and how values are written. Roles that the spec gives are
 * taken as given. docs/inspect.md says what guesses go by. */
SHOAL_API shoal_status shoal_inspect(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                     const char *input);

/* The hierarchy that the spec asks for a column of a file, as the runs above build theirs; a
 * text column without one gets a flat one. SHOAL_ENOTFOUND: no such column in the spec or the
 * file. SHOAL_EINVAL: the column is numeric and the spec asks for none. */
SHOAL_API shoal_status shoal_hierarchy_build_spec(shoal_ctx *ctx, shoal_hierarchy **out,
                                                  const shoal_spec *spec, const char *input,
                                                  const char *column);

/* --- In memory. ------------------------------------------------------------------------- */

/* The same runs of tables in memory. A table may come from another program (arrow.h), from
 * arrays (table.h) or from a file (csv.h). Columns have the type they come with, unless the
 * spec asks for another: a value that is not of that type is SHOAL_EFORMAT, with record and
 * field. Texts that the spec calls missing (missing.tokens, or "" and "?") are missing here,
 * too; in columns that are released as they are a missing value stays what it is. Settings
 * about files (delimiters, output.sensitive_table) do not count; memory is SHOAL_EUNSUPPORTED.
 *
 * The same records give the same release whether they come from a file or from memory. */

/* Anonymize a table. *out is the release; *report, unless report is NULL, what was found. */
SHOAL_API shoal_status shoal_anonymize_table(shoal_ctx *ctx, shoal_release **out,
                                             shoal_report **report, const shoal_spec *spec,
                                             const shoal_table *table);

/* A better release from one that exists. */
SHOAL_API shoal_status shoal_refine_release(shoal_ctx *ctx, shoal_release **out,
                                            shoal_report **report, const shoal_spec *spec,
                                            const shoal_table *original,
                                            const shoal_release *release);

SHOAL_API shoal_status shoal_verify_release(shoal_ctx *ctx, shoal_report **out,
                                            const shoal_spec *spec,
                                            const shoal_release *release);
SHOAL_API shoal_status shoal_verify_release_records(shoal_ctx *ctx, shoal_report **out,
                                                    const shoal_spec *spec,
                                                    const shoal_table *original,
                                                    const shoal_release *release);

SHOAL_API shoal_status shoal_measure_release(shoal_ctx *ctx, shoal_report **out,
                                             const shoal_spec *spec,
                                             const shoal_table *original,
                                             const shoal_release *release);

/* release may be NULL. */
SHOAL_API shoal_status shoal_risk_release(shoal_ctx *ctx, shoal_report **out,
                                          const shoal_spec *spec, const shoal_table *original,
                                          const shoal_release *release);

/* original may be NULL. */
SHOAL_API shoal_status shoal_query_release(shoal_ctx *ctx, shoal_report **out,
                                           const shoal_spec *spec, const shoal_release *release,
                                           const shoal_table *original, const char *query,
                                           const char *estimator);
SHOAL_API shoal_status shoal_query_release_workload(shoal_ctx *ctx, shoal_report **out,
                                                    const shoal_spec *spec,
                                                    const shoal_release *release,
                                                    const shoal_table *original,
                                                    const shoal_workload *workload);

SHOAL_API shoal_status shoal_frontier_table(shoal_ctx *ctx, shoal_report **out,
                                            const shoal_spec *spec, const shoal_table *table);

SHOAL_API shoal_status shoal_inspect_table(shoal_ctx *ctx, shoal_report **out,
                                           const shoal_spec *spec, const shoal_table *table);

SHOAL_API shoal_status shoal_hierarchy_build_spec_table(shoal_ctx *ctx, shoal_hierarchy **out,
                                                        const shoal_spec *spec,
                                                        const shoal_table *table,
                                                        const char *column);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_JOB_H */

/* report.h -- what a run found: in words, as JSON, as figures, as a page.
 *
 * Every run of job.h gives a report. Reports never change; any number of threads may read one.
 */
#ifndef SHOAL_REPORT_H
#define SHOAL_REPORT_H

#include "ctx.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct shoal_report shoal_report;

SHOAL_API void shoal_report_free(shoal_report *report);

/* A few lines for people; all of it as JSON; a starting spec in YAML (inspect only, else "").
 * Borrowed. They hold counts and names, and the content of a cell only where ctx->show_values let
 * words about named values quote them. */
SHOAL_API const char *shoal_report_text(const shoal_report *report);
SHOAL_API const char *shoal_report_json(const shoal_report *report);
SHOAL_API const char *shoal_report_spec(const shoal_report *report);

/* The page of a full report, one file without anything outside it, or the picture of a frontier;
 * "" when report.detail is short. The first shows how often values occur; the second, for others,
 * has neither values nor the names of files, and a frontier has none. Borrowed. */
SHOAL_API const char *shoal_report_html(const shoal_report *report);
SHOAL_API const char *shoal_report_external(const shoal_report *report);

/* Whether the requirement holds (anonymize, refine, verify), or a point of a frontier is within its
 * limits; else false. */
SHOAL_API bool shoal_report_holds(const shoal_report *report);

/* One figure by its name in the JSON ("gcp", "classes"; "seconds" is the total); NaN when the
 * report has none of that name. */
SHOAL_API double shoal_report_figure(const shoal_report *report, const char *name);

/* Write it to a file, whole or not at all. The ending of the name says what: .html the page of a
 * full report or the picture of a frontier, .json all of it, .yaml or .yml the starting spec,
 * .csv and .svg the table and the picture of a frontier. SHOAL_EINVAL: any other ending, or a
 * report that has no such form. */
SHOAL_API shoal_status shoal_report_write(shoal_ctx *ctx, const shoal_report *report,
                                          const char *path);

/* Write the page for others, to a name that ends in .html. */
SHOAL_API shoal_status shoal_report_write_external(shoal_ctx *ctx, const shoal_report *report,
                                                   const char *path);

/* Whether the name of a report ends in .html, .json, .yaml or .yml, or that of a page for others
 * in .html: to be asked before the work is done. SHOAL_EINVAL */
SHOAL_API shoal_status shoal_report_check(shoal_ctx *ctx, const char *path);
SHOAL_API shoal_status shoal_report_check_external(shoal_ctx *ctx, const char *path);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_REPORT_H */

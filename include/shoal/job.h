/* job.h -- a run from input to report: what the program, and every other front end, calls.
 *
 * A spec says what a table's columns are, what privacy is asked for, which method to use and how to
 * write the release. It is filled from a YAML file, from single settings (the program's flags), or
 * both; later settings override earlier ones. Then:
 *
 *     shoal_spec_new(&ctx, &spec);
 *     shoal_spec_read(&ctx, spec, "patients.yaml");
 *     shoal_spec_set(&ctx, spec, "privacy.k", "10");
 *     shoal_anonymize(&ctx, &report, spec, "patients.csv", "release.csv");
 *     puts(shoal_report_text(report));
 *
 * Nothing is published that was not verified first, from the bytes that are about to be published.
 */
#ifndef SHOAL_JOB_H
#define SHOAL_JOB_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct shoal_spec shoal_spec;
typedef struct shoal_report shoal_report;

shoal_status shoal_spec_new(shoal_ctx *ctx, shoal_spec **out);
void shoal_spec_free(shoal_spec *spec);

/* Read a YAML file ("-": standard input) into the spec. Every mistake is sent to the log
 * callback (SHOAL_LOG_ERROR, with source, line and column); the status and the message of ctx are those of the
 * first, and say how many there were. Paths inside are relative to the file. docs/formats.md lists the keys. */
shoal_status shoal_spec_read(shoal_ctx *ctx, shoal_spec *spec, const char *path);
shoal_status shoal_spec_read_memory(shoal_ctx *ctx, shoal_spec *spec, const char *bytes, size_t size,
                                    const char *source);

/* Change one setting. Keys are the paths of the YAML file: "privacy.k", "seed", "threads", "method" (NAME[:key=value,...]),
 * "missing.action", "missing.tokens" (a comma list), "output.numeric", "output.categorical", "output.order", "output.delimiter"; and
 * for columns, whose names may hold dots, the functions below. */
shoal_status shoal_spec_set(shoal_ctx *ctx, shoal_spec *spec, const char *key, const char *value);
/* SHOAL_EINVAL when flags have already given the column another role. A role from a file is overridden. */
shoal_status shoal_spec_set_role(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                 shoal_role role);
shoal_status shoal_spec_set_type(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                 const char *type);
shoal_status shoal_spec_set_weight(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                   const char *weight);
/* hierarchy: a file, or "flat", "prefix[:N]", "dates", "widths:5,10,20[@ORIGIN]". */
shoal_status shoal_spec_set_hierarchy(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                      const char *hierarchy);

/* Anonymize input ("-": standard input) into output ("-": standard output). */
shoal_status shoal_anonymize(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                             const char *input, const char *output);

/* Check a release, anybody's: SHOAL_OK whether or not it holds; see shoal_report_holds. */
shoal_status shoal_verify(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                          const char *release);

/* Measure a release against its original. */
shoal_status shoal_measure(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                           const char *original, const char *release);

/* Look at a raw file: types, suggested roles, uniqueness and risk; shoal_report_spec is a spec to start from. */
shoal_status shoal_inspect(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                           const char *input);

/* Results; borrowed from the report. text: a few lines for people. json: all of it. */
const char *shoal_report_text(const shoal_report *report);
const char *shoal_report_json(const shoal_report *report);
/* A starting spec in YAML (inspect only, else ""). */
const char *shoal_report_spec(const shoal_report *report);
/* Whether the requirement holds (anonymize, verify). */
bool shoal_report_holds(const shoal_report *report);
/* One figure by its name in the JSON ("gcp", "classes", "seconds"); NaN when there is none. */
double shoal_report_figure(const shoal_report *report, const char *name);
/* Write the JSON to a file, whole or not at all; by its ending: .json (.html later: SHOAL_EUNSUPPORTED). */
shoal_status shoal_report_write(shoal_ctx *ctx, const shoal_report *report, const char *path);
void shoal_report_free(shoal_report *report);

/* The methods there are: name and one-line summary of method i, NULL behind the last. */
const char *shoal_method_name(size_t i);
const char *shoal_method_summary(size_t i);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_JOB_H */

/* report.h -- what a run found, put into words (report_text.c), into JSON (report_json.c) and
 * onto a page (report_html.h).
 *
 * Words and JSON hold counts, figures and the names of columns and files; never the content of
 * a cell. So does the external page, without the names of files; the internal one shows how
 * often values occur.
 */
#ifndef SHOAL_I_REPORT_H
#define SHOAL_I_REPORT_H

#include <shoal/report.h>

#include "../attack/attack.h"
#include "../base/json.h"
#include "../base/warnings.h"
#include "../measure/bound/gap.h"
#include "../measure/measure.h"
#include "../measure/tradeoff.h"
#include "../spec/spec.h"
#include "details.h"
#include "stages.h"

#define SHOAL_I_FIGURES_MAX 32

/* The version of the JSON: raised when a key goes, or means something else. */
#define SHOAL_I_SCHEMA 1

typedef struct shoal_i_figure {
    const char *name;
    double value;
} shoal_i_figure;

/* A point of a frontier; its texts live in the report. */
typedef struct shoal_i_point_result {
    shoal_point_facts facts;
    double value; /* of its requirement */
    double figures[SHOAL_I_BY_COUNT];
    const char *spec;
} shoal_i_point_result;

struct shoal_report {
    shoal_i_arena arena; /* of the texts and arrays below */
    char *text;
    char *json;
    char *spec;
    char *csv; /* of a frontier, as the next; else NULL */
    char *svg;
    char *html; /* of a frontier, or the page of a full report */
    char *external;
    bool holds;
    bool is_shared; /* files of it are for others to read, too */
    size_t figure_count;
    shoal_i_figure figures[SHOAL_I_FIGURES_MAX];
    size_t requirement_count;
    shoal_requirement_facts requirements[SHOAL_I_REQUIREMENTS_MAX];
    size_t warning_count;
    shoal_warning_facts *warnings;
    size_t point_count;
    shoal_i_point_result *points;
    shoal_i_attack_findings attacks; /* their columns live in the arena */
};

#define SHOAL_I_MADE_READY_MAX 160

/* What was done to a column before any method saw it, and what that cost. */
typedef struct shoal_i_made_ready {
    size_t column;
    char steps[SHOAL_I_MADE_READY_MAX]; /* in the words of the spec: "top 90, round 5" */
    size_t changed;                     /* records with another value */
    double loss;                        /* 0 to 1, as that of a quasi column */
} shoal_i_made_ready;

/* The original as a run read it; all borrowed, the table is NULL where there is none. */
typedef struct shoal_i_original {
    const shoal_table *table;
    const shoal_role *roles; /* of its columns */
    shoal_hierarchy *const *hierarchies;
    size_t dropped;                  /* records left out because a value was missing */
    const shoal_i_made_ready *ready; /* columns that were made ready */
    size_t ready_count;
} shoal_i_original;

/* What is known at the end of a run; parts it does not have are NULL. All borrowed. */
typedef struct shoal_i_findings {
    const char *command;
    const shoal_spec *spec;
    const shoal_i_stages *stages;
    uint64_t seed;
    int threads;
    const char *input;
    const char *release; /* where it was or will be written, or where it was read */
    shoal_i_original original;
    const shoal_i_loss *loss;
    const shoal_i_tradeoff *tradeoff;
    const shoal_i_gap *gap;
    const shoal_i_verdict *verdict;
    size_t previous_count; /* earlier releases that it was verified to go together with */
    uint64_t in_previous;  /* records that may be in one of them, too */
    bool checked_cover;    /* every record was found inside what is published for it */
    bool is_test_seeded;   /* what protects was drawn by a test's seed: not for publication */
    bool is_held_back;     /* nothing may be published: of warnings that nobody accepted */
    const char *const
        *withheld; /* of a release that is verified: columns that must not be in */
    size_t withheld_count;
    shoal_i_shape shape;
    const char *sensitive_table;            /* the second file of buckets; else NULL */
    const shoal_i_details *details;         /* of a full report */
    const shoal_i_attack_findings *attacks; /* NULL: none was asked for */
} shoal_i_findings;

/* The report of anonymize, verify, measure and risk. */
shoal_status shoal_i_report_build(shoal_ctx *ctx, shoal_report **out,
                                  const shoal_i_findings *findings);

/* Whether a verdict counts rows though the spec names a column of persons: of a release alone,
 * nobody knows whose they are. And the words for it. */
bool shoal_i_report_counts_rows(const shoal_i_findings *findings);
#define SHOAL_I_ROWS_NOTE "rows were counted: a release does not tell whose they are"

/* What was found of people who may be in an earlier release, too, in words. */
#define SHOAL_I_PREVIOUS_NOTE "keep what is promised in what their classes have in common"

/* Whether the release was made to withstand minimality; and the words for it. */
bool shoal_i_report_is_blind(const shoal_i_findings *findings);
#define SHOAL_I_BLIND_NOTE                                                                     \
    "classes were found without sensitive values, and divided where that tells nothing"

/* What the reader of a release of this shape must know; NULL when nothing. */
const char *shoal_i_report_note(shoal_i_shape shape);

/* What requirements of a release of this shape are about: "class", "classes". */
const char *shoal_i_report_group(shoal_i_shape shape);
const char *shoal_i_report_groups(shoal_i_shape shape);

/* A requirement as it is asked of a release of this shape, in words. */
void shoal_i_report_put_asked(shoal_i_buffer *out, const shoal_i_requirement *requirement,
                              shoal_i_shape shape);

/* The role of a column of the original in words: "none" where nobody gave it one. */
const char *shoal_i_report_role(const shoal_i_findings *findings, size_t column);

/* Whether a column is released as it is without being what the release is about; whether it is
 * left out because it has no role. Of runs that make a release. */
bool shoal_i_report_is_as_is(const shoal_i_findings *findings, size_t column);
bool shoal_i_report_is_left_out(const shoal_i_findings *findings, size_t column);

/* Whether it may be published: all holds, no column is in that must not be, and no warning
 * forbids it. */
bool shoal_i_report_passes(const shoal_i_findings *findings);

/* Its two forms. */
void shoal_i_report_put_text(shoal_i_buffer *out, const shoal_i_findings *findings);
void shoal_i_report_put_json(shoal_i_buffer *out, const shoal_i_findings *findings);

/* Their parts about risk. */
void shoal_i_report_put_risk(shoal_i_json *json, const shoal_i_risk *risk);
void shoal_i_report_put_risk_text(shoal_i_buffer *out, const shoal_i_risk *risk);

/* Their parts about attacks, and those of the report itself. */
void shoal_i_report_put_attacks(shoal_i_json *json, const shoal_i_findings *findings);
void shoal_i_report_put_attacks_text(shoal_i_buffer *out, const shoal_i_findings *findings);
shoal_status shoal_i_report_add_attacks(shoal_ctx *ctx, shoal_report *report,
                                        const shoal_i_attack_findings *attacks);

/* Lines with the codes of the warnings of the run, whose context is that of the buffer. */
void shoal_i_report_put_warnings_text(shoal_i_buffer *out);

/* The line of seconds at the end of every report in words. */
void shoal_i_report_put_seconds_text(shoal_i_buffer *out, const shoal_i_stages *stages);

/* The head of every JSON report: command, version, files; and its end: the warnings of the run,
 * whose context is that of the buffer, and the seconds. */
void shoal_i_report_put_head(shoal_i_json *json, const char *command, const char *input,
                             const char *release);
void shoal_i_report_put_end(shoal_i_json *json, const shoal_i_stages *stages);

/* A report to fill, released with shoal_report_free. It has the warnings of the run so far. */
shoal_status shoal_i_report_new(shoal_ctx *ctx, shoal_report **out);
void shoal_i_report_add_figure(shoal_report *report, const char *name, double value);

/* The verdict, requirement by requirement. */
shoal_status shoal_i_report_add_verdict(shoal_ctx *ctx, shoal_report *report,
                                        const shoal_i_findings *findings);

/* Room for the points of a frontier, and one of them; texts are copied, spec may be NULL. */
shoal_status shoal_i_report_add_points(shoal_ctx *ctx, shoal_report *report, size_t count);
shoal_status shoal_i_report_set_point(shoal_ctx *ctx, shoal_report *report, size_t point,
                                      const shoal_i_point_result *result);

#endif /* SHOAL_I_REPORT_H */

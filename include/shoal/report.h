/* report.h -- what a run found: in words, as JSON, as figures, as a page.
 *
 * Every run of job.h gives a report:
 *
 *     text, json, html     the whole of it, for people and for machines
 *     holds                the verdict in one word; requirement by requirement below
 *     figures              numbers by name or one after another
 *     requirements         what was asked, whether it holds, and the class that is worst off
 *     warnings             what speaks against the result though the run went well
 *     points               of a frontier: what each release would reveal and lose, and the spec
 *                          that makes it
 *
 * A report owns all that it says: nothing in it points to the spec, the tables or the context
 * of its run, and every text of it lives as long as it does. Reports never change; any number
 * of threads may read one.
 *
 * Facts come in structs that begin with their size (ctx.h):
 *
 *     shoal_requirement_facts facts = SHOAL_REQUIREMENT_FACTS_INIT;
 *
 *     for (size_t i = 0; shoal_report_requirement(report, i, &facts); i++) {
 *         printf("%s: %s\n", facts.asked, facts.holds ? "holds" : "does not hold");
 *     }
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
 * Borrowed. They hold counts and names, and the content of a cell only where a context that
 * shows values lets words about named values quote them. */
SHOAL_API const char *shoal_report_text(const shoal_report *report);
SHOAL_API const char *shoal_report_json(const shoal_report *report);
SHOAL_API const char *shoal_report_spec(const shoal_report *report);

/* The page of a full report, one file without anything outside it, or the picture of a
 * frontier; "" when report.detail is short. The first shows how often values occur; the second,
 * for others, has neither values nor the names of files, and a frontier has none. Borrowed. */
SHOAL_API const char *shoal_report_html(const shoal_report *report);
SHOAL_API const char *shoal_report_external(const shoal_report *report);

/* Of a frontier its points as CSV, a row each, and the picture alone; else "". Borrowed. */
SHOAL_API const char *shoal_report_csv(const shoal_report *report);
SHOAL_API const char *shoal_report_svg(const shoal_report *report);

/* Whether a release passes (anonymize, refine, verify): the requirements hold, of one that is
 * verified no column is in it that the spec never releases, and where the spec is strict there
 * is no warning but for accepted ones. Whether a point of a frontier is within
 * its limits; else false. */
SHOAL_API bool shoal_report_holds(const shoal_report *report);

/* --- Figures. --------------------------------------------------------------------------- */

/* One figure by its name in the JSON ("gcp", "classes"; "seconds" is the total); NaN when the
 * report has none of that name. */
SHOAL_API double shoal_report_figure(const shoal_report *report, const char *name);

/* All of them, from 0: the name (NULL behind the last) and the value (NaN behind the last, and
 * where there is nothing to tell, as of a release of the shape records). No name comes
 * twice. */
SHOAL_API size_t shoal_report_figure_count(const shoal_report *report);
SHOAL_API const char *shoal_report_figure_name(const shoal_report *report, size_t figure);
SHOAL_API double shoal_report_figure_at(const shoal_report *report, size_t figure);

/* --- Requirements. ---------------------------------------------------------------------- */

/* One requirement of the verdict (anonymize, refine, verify). Classes are groups of rows that
 * look alike or, of the shape buckets, buckets. Of the shape records a class is a record or a
 * row, and its size how many rows it could be in, or records it could be of, counted no further
 * than what is asked for. */
typedef struct shoal_requirement_facts {
    size_t struct_size; /* see ctx.h */
    const char *key;    /* "l" */
    const char *kind;   /* "entropy"; "" for the only one of a key */
    const char *title;  /* "entropy l-diversity" */
    const char *asked;  /* "every class has at least 10 records" */
    const char *column; /* the sensitive column, or that of each record's own k; else "" */
    const char *figure; /* what worst_figure is: "records of the class" */
    /* The least safe figure of any class, which may be infinite; 0 when there is no class. */
    double worst_figure;
    /* What it is held against; NaN where each record has a bound of its own. */
    double bound;
    /* Whether figures are safe from the bound on, or up to it; `asked` has the fine print. */
    bool larger_is_safer;
    bool holds;
    /* The first class with that figure, from 0, in the order of the first rows of classes; how
     * many records it has, and its first row, from 0. */
    uint64_t worst_class;
    uint64_t worst_class_size;
    uint64_t worst_row;
    uint64_t failing_classes;
    uint64_t failing_records; /* in those */
} shoal_requirement_facts;

#define SHOAL_REQUIREMENT_FACTS_INIT                                                           \
    {                                                                                          \
        sizeof(shoal_requirement_facts), NULL, NULL, NULL, NULL, NULL, NULL, 0.0, 0.0, false,  \
            false, 0, 0, 0, 0, 0                                                               \
    }

/* Facts of requirement `requirement`, in the order of the JSON; false, with *out untouched,
 * behind the last, or when its struct_size is not set. Runs that verify nothing have none. */
SHOAL_API size_t shoal_report_requirement_count(const shoal_report *report);
SHOAL_API bool shoal_report_requirement(const shoal_report *report, size_t requirement,
                                        shoal_requirement_facts *out);

/* --- Warnings. -------------------------------------------------------------------------- */

/* What the user should know though the run went well, in the order it was found. The log
 * callback hears the same, with the code behind it, while the run lasts. Each code comes once
 * for a column. */
typedef struct shoal_warning_facts {
    size_t struct_size;  /* see ctx.h */
    const char *code;    /* a word that never changes: "near-unique-column"; docs/formats.md */
    const char *column;  /* that it is about; "" when none is */
    const char *message; /* for people; never the content of a cell */
    bool is_accepted;    /* the spec says that somebody decided to live with it */
} shoal_warning_facts;

#define SHOAL_WARNING_FACTS_INIT                                                               \
    {                                                                                          \
        sizeof(shoal_warning_facts), NULL, NULL, NULL, false                                   \
    }

/* Facts of warning `warning`; false, with *out untouched, behind the last, or when its
 * struct_size is not set. */
SHOAL_API size_t shoal_report_warning_count(const shoal_report *report);
SHOAL_API bool shoal_report_warning(const shoal_report *report, size_t warning,
                                    shoal_warning_facts *out);

/* --- Points of a frontier. -------------------------------------------------------------- */

/* One requirement by one method. */
typedef struct shoal_point_facts {
    size_t struct_size;      /* see ctx.h */
    const char *requirement; /* "t js 0.2" */
    const char *method;      /* "topdown:rounds=2" */
    const char *state;       /* "done", "impossible", "failed" or "not run", as in the JSON */
    const char *reason;      /* why it is not done; "" when it is */
    const char *shape;       /* "classes", "records" or "buckets"; "" unless it is done */
    uint64_t classes;        /* as the next: 0 unless it is done */
    uint64_t smallest_class;
    double seconds;
    bool is_dominated;   /* not done, not measured, or beaten by another point */
    bool is_recommended; /* at most one is: the best within the limits */
} shoal_point_facts;

#define SHOAL_POINT_FACTS_INIT                                                                 \
    {                                                                                          \
        sizeof(shoal_point_facts), NULL, NULL, NULL, NULL, NULL, 0, 0, 0.0, false, false       \
    }

/* Facts of point `point`, in the order of the JSON: requirement by requirement, each by every
 * method; false, with *out untouched, behind the last, or when its struct_size is not set.
 * Other runs have no points. */
SHOAL_API size_t shoal_report_point_count(const shoal_report *report);
SHOAL_API bool shoal_report_point(const shoal_report *report, size_t point,
                                  shoal_point_facts *out);

/* One figure of a point by its name in the JSON ("gcp", "privacy_loss", "query_error", ...);
 * NaN when there is none of that name, when it was not measured, and behind the last point. */
SHOAL_API double shoal_report_point_figure(const shoal_report *report, size_t point,
                                           const char *name);

/* The spec of a point as YAML: what the frontier was asked for, with the requirement, method
 * and seed of the point and without the sweep. shoal_anonymize makes the very release of the
 * point with it, though of the shape records links are drawn anew. Read it with
 * shoal_spec_read_memory and a source without a folder. It names the values that the spec of
 * the frontier names. NULL behind the last point; "" where a file cannot say what was asked
 * for, as of a population in memory. */
SHOAL_API const char *shoal_report_point_spec(const shoal_report *report, size_t point);

/* --- Writing. --------------------------------------------------------------------------- */

/* Write it to a file, whole or not at all. The ending of the name says what: .html the page of
 * a full report or the picture of a frontier, .json all of it, .yaml or .yml the starting spec,
 * .csv and .svg the table and the picture of a frontier. Pages and JSON are private (mode 0600)
 * unless the spec of the run says `report.access: shared`. SHOAL_EINVAL: any other ending, or a
 * report that has no such form. */
SHOAL_API shoal_status shoal_report_write(shoal_ctx *ctx, const shoal_report *report,
                                          const char *path);

/* Write the page for others, to a name that ends in .html. */
SHOAL_API shoal_status shoal_report_write_external(shoal_ctx *ctx, const shoal_report *report,
                                                   const char *path);

/* Whether the name of a report ends in .html, .json, .yaml or .yml, or that of a page for
 * others in .html: to be asked before the work is done. SHOAL_EINVAL */
SHOAL_API shoal_status shoal_report_check(shoal_ctx *ctx, const char *path);
SHOAL_API shoal_status shoal_report_check_external(shoal_ctx *ctx, const char *path);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_REPORT_H */

/* spec.h -- what a run is asked to do: columns, privacy, method, output.
 *
 * A spec is filled from a YAML file, from single settings (the program's flags), or both; later
 * settings override earlier ones.
 *
 *     shoal_spec_new(ctx, &spec);
 *     shoal_spec_read(ctx, spec, "patients.yaml");
 *     shoal_spec_set(ctx, spec, "privacy.k", "10");
 *     ...
 *     shoal_spec_free(spec);
 *
 * A spec is changed by one thread at a time; runs only read it.
 */
#ifndef SHOAL_SPEC_H
#define SHOAL_SPEC_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct shoal_spec shoal_spec;

/* An empty spec: no columns named, no privacy asked for, everything else at its default. */
SHOAL_API shoal_status shoal_spec_new(shoal_ctx *ctx, shoal_spec **out);
SHOAL_API void shoal_spec_free(shoal_spec *spec);

/* Read a YAML file ("-": standard input) into the spec; docs/formats.md lists the keys. Paths
 * inside are relative to the file. After a failure the spec is good for nothing but free:
 *   SHOAL_EFORMAT       not YAML, unknown key, key given twice, a list where a value belongs
 *   SHOAL_EINVAL        a value out of its range
 *   SHOAL_ELIMIT        more than 1 MiB, 16 levels or 256 anchors
 *   SHOAL_ENOTFOUND, SHOAL_EIO, SHOAL_ENOMEM */
SHOAL_API shoal_status shoal_spec_read(shoal_ctx *ctx, shoal_spec *spec, const char *path);

/* As shoal_spec_read, from bytes in memory; source names them in messages, and the folder in it
 * is where paths inside start. */
SHOAL_API shoal_status shoal_spec_read_memory(shoal_ctx *ctx, shoal_spec *spec,
                                              const char *bytes, size_t size,
                                              const char *source);

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
SHOAL_API shoal_status shoal_spec_set(shoal_ctx *ctx, shoal_spec *spec, const char *key,
                                      const char *value);

/* What is said of a column; its name may hold anything, so it is no part of a key.
 *
 * role: SHOAL_EINVAL when this function has already given the column another one. A role from a
 * file is overridden.
 * type: "auto", "string", "integer", "real" or "date". weight: a number of at least 0.
 * hierarchy: a file, or "flat", "prefix[:N]", "dates", "widths:5,10,20[@ORIGIN]",
 * "breaks:18,40,65;40" (levels from fine to coarse). A file of such a name is written "./flat".
 */
SHOAL_API shoal_status shoal_spec_set_role(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                           shoal_role role);
SHOAL_API shoal_status shoal_spec_set_type(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                           const char *type);
SHOAL_API shoal_status shoal_spec_set_weight(shoal_ctx *ctx, shoal_spec *spec,
                                             const char *column, const char *weight);
SHOAL_API shoal_status shoal_spec_set_hierarchy(shoal_ctx *ctx, shoal_spec *spec,
                                                const char *column, const char *hierarchy);

/* The intervals of a numeric quasi column without hierarchy by which the populations of the
 * utility loss are told apart, in the form of a hierarchy; not set: halves of halves. */
SHOAL_API shoal_status shoal_spec_set_populations(shoal_ctx *ctx, shoal_spec *spec,
                                                  const char *column, const char *hierarchy);

/* --- What front ends can offer. --------------------------------------------------------- */

/* The methods there are, and what tells them apart. Numbers run from 0; all texts are constants.
 */
typedef struct shoal_method_facts {
    size_t struct_size; /* see ctx.h */
    const char *name;
    const char *summary; /* one line */
    const char *shape;   /* of its release: "classes", "records" or "buckets" */
    const char *cost;
    const char *citation;
    bool needs_sensitive; /* some requirement must be about a sensitive column */
    /* Its release has a second file, of the sensitive columns: there must be one. */
    bool publishes_in_two;
} shoal_method_facts;

#define SHOAL_METHOD_FACTS_INIT                                                                \
    {                                                                                          \
        sizeof(shoal_method_facts), NULL, NULL, NULL, NULL, NULL, false, false                 \
    }

/* An option of a method, which is given as NAME:option=value. */
typedef struct shoal_option_facts {
    size_t struct_size; /* see ctx.h */
    const char *name;
    const char *help;
    /* The values it takes, NULL-terminated; NULL: it takes a number. */
    const char *const *words;
    double least; /* of a number */
    double most;
    double standard; /* the default: a number, or the place of a word */
} shoal_option_facts;

#define SHOAL_OPTION_FACTS_INIT                                                                \
    {                                                                                          \
        sizeof(shoal_option_facts), NULL, NULL, NULL, 0.0, 0.0, 0.0                            \
    }

/* Facts of method `method`, or of one of its options; false, with *out untouched, behind the
 * last, or when its struct_size is not set. */
SHOAL_API bool shoal_method_describe(shoal_method_facts *out, size_t method);
SHOAL_API bool shoal_method_option_describe(shoal_option_facts *out, size_t method,
                                            size_t option);

/* The requirements there are: key ("l"), kind ("entropy"; "" for the only one of a key) and title
 * ("entropy l-diversity"); NULL behind the last. */
SHOAL_API const char *shoal_requirement_key(size_t requirement);
SHOAL_API const char *shoal_requirement_kind(size_t requirement);
SHOAL_API const char *shoal_requirement_title(size_t requirement);

/* Why a method, with the defaults of its options, cannot honour a requirement: a clause without a
 * full stop. NULL when it can, and for numbers behind the last. A run that asks for it anyway
 * fails with SHOAL_EUNSUPPORTED before any file is read. */
SHOAL_API const char *shoal_method_refusal(size_t method, size_t requirement);

/* The name alone: NULL behind the last. */
SHOAL_API const char *shoal_method_name(size_t method);

/* The candidate nearest to a name by edit distance, for "did you mean"; NULL when none is. */
SHOAL_API const char *shoal_nearest(const char *name, const char *const *candidates,
                                    size_t count);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_SPEC_H */

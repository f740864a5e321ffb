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

/* A copy that shares nothing with the spec but the tables that both hold. */
SHOAL_API shoal_status shoal_spec_copy(shoal_ctx *ctx, shoal_spec **out,
                                       const shoal_spec *spec);

/* The spec as YAML, which reads back to an equal one: a new text, to be released with free().
 * Paths are those that the spec has, seen from the current folder if relative: give
 * shoal_spec_read_memory a source without a folder. A hierarchy from a table is written out
 * whole.
 *   SHOAL_EUNSUPPORTED  a population that is a table
 *   SHOAL_ELIMIT        more than shoal_spec_read takes */
SHOAL_API shoal_status shoal_spec_write_yaml(shoal_ctx *ctx, char **out,
                                             const shoal_spec *spec);

/* The same as JSON, a tree of the same keys: mappings are objects, lists are arrays and every
 * single value is a text, but for null among the levels of a hierarchy. It is YAML, too, and
 * reads back to an equal spec, unless a name has more than 500 bytes. Release it with free().
 * New, and may still change for one release. */
SHOAL_API shoal_status shoal_spec_write_json(shoal_ctx *ctx, char **out,
                                             const shoal_spec *spec);

/* --- Settings. ---------------------------------------------------------------------------- */

/* Change one setting; the spec stays as it was when that fails. Keys are the paths of the YAML
 * file; shoal_setting_describe lists them, docs/formats.md explains them. Some forms:
 *   privacy.alpha        A or A:VALUE,... ; a value with a comma or an equals sign in double
 *                        quotes; [COLUMN=] before it names one sensitive column, as for all up
 *                        to privacy.beta
 *   privacy.l            [frequency:|distinct:|entropy:]L or recursive:C:L
 *   method               NAME[:key=value,...]
 *   time                 30s, 2m, 1h
 *   memory               bytes, or 512M, 2G
 *   missing.tokens       lists are separated by commas
 * Of requirements other than k, of frontier.sweep and of frontier.methods each call adds one;
 * the first replaces those of a file. On failure error.source is the key: SHOAL_EINVAL: no such
 * key, or a value out of its range; SHOAL_ELIMIT: more than 16 requirements. */
SHOAL_API shoal_status shoal_spec_set(shoal_ctx *ctx, shoal_spec *spec, const char *key,
                                      const char *value);

/* The value of a setting as shoal_spec_set takes it, in *out, to be released with free(): its
 * default where nothing was said; NULL where there is none. item: 0, but for settings that add
 * up, of which it counts the values; NULL behind the last.
 *   SHOAL_EINVAL       no such key
 *   SHOAL_EUNSUPPORTED what only a file can say: an empty list, a comma within an item of
 *   one */
SHOAL_API shoal_status shoal_spec_get(shoal_ctx *ctx, char **out, const shoal_spec *spec,
                                      const char *key, size_t item);

/* What can be said about a setting. All texts are constants. */
typedef struct shoal_setting_facts {
    size_t struct_size; /* see ctx.h */
    const char *key;
    const char *type;  /* "whole number", "number", "word", "list of words", "path", ... */
    const char *range; /* what it takes; NULL: one of its words */
    /* The words it takes, NULL-terminated; NULL: it takes none. */
    const char *const *words;
    double least; /* of numbers; both 0 where there is none */
    double most;
    const char *standard; /* the default; NULL: none, or it depends on the rest */
    bool is_list;         /* separated by commas */
    bool adds_up;         /* each call of shoal_spec_set adds a value */
    const char *runs;     /* that use it, separated by spaces: "anonymize refine" */
    const char *help;     /* one line */
} shoal_setting_facts;

#define SHOAL_SETTING_FACTS_INIT                                                               \
    {                                                                                          \
        sizeof(shoal_setting_facts), NULL, NULL, NULL, NULL, 0.0, 0.0, NULL, false, false,     \
            NULL, NULL                                                                         \
    }

/* Facts of setting `setting`, and of what can be said of every column; false, with *out
 * untouched, behind the last, or when its struct_size is not set. */
SHOAL_API bool shoal_setting_describe(shoal_setting_facts *out, size_t setting);
SHOAL_API bool shoal_column_setting_describe(shoal_setting_facts *out, size_t setting);

/* --- Columns. ----------------------------------------------------------------------------- */

/* What is said of a column; its name may hold anything, so it is no part of a key.
 *
 * role: SHOAL_EINVAL when this function has already given the column another one. A role from a
 * file is overridden.
 * type: "auto", "string", "integer", "real" or "date". weight: a number of at least 0.
 * hierarchy: a file, or "flat", "prefix[:N][@SEPARATORS]", "dates", "widths:5,10,20[@ORIGIN]",
 * "breaks:18,40,65;40" (levels from fine to coarse), or a system of codes: "icd10",
 * "countries", "nuts" or "isco", each with [:OTHER], the group of those that are not known
 * (shoal_hierarchy_build_codes). A file of such a name is
 * written "./flat".
 * grid: ends of the ranges of a quasi column without hierarchy are rounded outward to multiples
 * of a step: "5", "0.1", of dates also "2 weeks", "1 month", "10 years"; "none": they are not,
 * whatever the setting `grid` says of all columns.
 */
SHOAL_API shoal_status shoal_spec_set_role(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                           shoal_role role);
SHOAL_API shoal_status shoal_spec_set_type(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                           const char *type);
SHOAL_API shoal_status shoal_spec_set_weight(shoal_ctx *ctx, shoal_spec *spec,
                                             const char *column, const char *weight);
SHOAL_API shoal_status shoal_spec_set_hierarchy(shoal_ctx *ctx, shoal_spec *spec,
                                                const char *column, const char *hierarchy);

/* The same by the key of shoal_column_setting_describe: "role", "type", ... SHOAL_EINVAL also:
 * no such key. */
SHOAL_API shoal_status shoal_spec_set_column(shoal_ctx *ctx, shoal_spec *spec,
                                             const char *column, const char *key,
                                             const char *value);

/* The hierarchy of a column from a table in memory: values in its first column, labels from
 * fine to coarse in the further ones, as shoal_hierarchy_build_table reads it. The spec holds
 * the table, which the caller may free; it is read when a run begins. */
SHOAL_API shoal_status shoal_spec_set_hierarchy_table(shoal_ctx *ctx, shoal_spec *spec,
                                                      const char *column,
                                                      const shoal_table *levels);

/* The intervals of a numeric quasi column without hierarchy by which the populations of the
 * utility loss are told apart, in the form of a hierarchy; not set: halves of halves. */
SHOAL_API shoal_status shoal_spec_set_populations(shoal_ctx *ctx, shoal_spec *spec,
                                                  const char *column, const char *hierarchy);

/* The population that the records are a sample of, as a table in memory, in place of the file
 * of privacy.population; of the two the one that was set last counts. It has the quasi columns,
 * by their names, and is taken as tables of runs are (job.h). The spec holds it; the caller may
 * free it. */
SHOAL_API shoal_status shoal_spec_set_population_table(shoal_ctx *ctx, shoal_spec *spec,
                                                       const shoal_table *population);

/* The columns that a spec speaks of; the name is borrowed until the spec changes. */
SHOAL_API size_t shoal_spec_column_count(const shoal_spec *spec);
SHOAL_API const char *shoal_spec_column_name(const shoal_spec *spec, size_t column);

/* What is said of a column under a key of shoal_column_setting_describe, as the functions above
 * take it; NULL where nothing is, or the spec does not speak of the column. Release with
 * free(). SHOAL_EINVAL: no such key; SHOAL_EUNSUPPORTED: a hierarchy with weights, which only a
 * file can give, or from a table. */
SHOAL_API shoal_status shoal_spec_get_column(shoal_ctx *ctx, char **out, const shoal_spec *spec,
                                             const char *column, const char *key);

/* --- What front ends can offer. --------------------------------------------------------- */

/* The methods there are, and what tells them apart. Numbers run from 0; all texts are
 * constants.
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

/* The requirements there are: key ("l"), kind ("entropy"; "" for the only one of a key) and
 * title ("entropy l-diversity"); NULL behind the last. */
SHOAL_API const char *shoal_requirement_key(size_t requirement);
SHOAL_API const char *shoal_requirement_kind(size_t requirement);
SHOAL_API const char *shoal_requirement_title(size_t requirement);

/* Why a method, with the defaults of its options, cannot honour a requirement: a clause without
 * a full stop. NULL when it can, and for numbers behind the last. A run that asks for it anyway
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

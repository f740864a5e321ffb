/* requirement.h -- privacy requirements: one const table of functions and facts each.
 *
 * A requirement is checked class by class, from the class's size and the counts of its
 * sensitive values, in records or in persons (persons.h); none looks at records. A release
 * meets a set of requirements when every class meets every one:
 *
 *     shoal_i_requirement_set set = {0};
 *     shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, 10);
 *     shoal_i_requirement_add_item(ctx, &set,
 *         &(shoal_i_requirement){.kind = &shoal_i_l_entropy, .value = 3, .column =
 * &diagnosis});
 *     ...
 *     shoal_i_requirement_holds(&set, &stats)      in any number of threads
 *     ...
 *     shoal_i_requirement_set_clear(&set);
 *
 * Kinds live in one file each and are listed in requirement.c; a new one is a new file and one
 * line there. What they mean, with formulas and examples: docs/requirements.md.
 */
#ifndef SHOAL_I_REQUIREMENT_H
#define SHOAL_I_REQUIREMENT_H

#include "../base/buffer.h"
#include "histogram.h"
#include "sensitive.h"

/* What a requirement may know about a class (or a group that may become one). Fields that no
 * requirement of the set needs may stay 0. tally.h keeps one up to date. */
typedef struct shoal_i_class_stats {
    uint64_t size;      /* records */
    uint64_t persons;   /* different ones; records, where each is a person of its own */
    uint64_t largest_k; /* largest k that a record of the class asks for; 0 when none does */
    uint64_t population_size; /* records of the population that fall into the class */
    const shoal_i_histogram *histograms; /* one per sensitive column */
    /* Where persons are counted, of each requirement about several values together: who has
     * none (0) and any (1) of them. */
    const shoal_i_histogram *joined;
} shoal_i_class_stats;

struct shoal_i_requirement;

/* What a quick look at a class tells. */
typedef enum shoal_i_glance {
    SHOAL_I_GLANCE_UNSURE,
    SHOAL_I_GLANCE_HOLDS,
    SHOAL_I_GLANCE_FAILS
} shoal_i_glance;

typedef struct shoal_i_requirement_kind {
    const char *key;     /* in specs and reports: "l" */
    const char *variant; /* tells kinds of one key apart: "entropy"; NULL for an only kind */
    const char *title;   /* for people: "entropy l-diversity" */
    const char *figure;  /* what `check` finds of a class: "records of the class" */
    const char *citation;
    const char *missing; /* how missing sensitive values count; NULL when none are read */
    bool is_monotone;    /* a class that holds still holds after merging with one that holds */
    /* The same where persons are counted: shares of a union are no mean of those of its parts
     * then, as one person may be in both. */
    bool is_monotone_in_persons;
    bool needs_sensitive;  /* reads histograms: the requirement must have a column */
    bool needs_record_k;   /* reads largest_k */
    bool needs_population; /* reads population_size */

    /* Whether the class holds. *figure is what was reached, comparable between classes of one
     * requirement and, where the kind has a parameter, with it (for k the size);
     * larger_is_safer tells which way it counts. May be infinite. */
    bool (*check)(const struct shoal_i_requirement *requirement,
                  const shoal_i_class_stats *stats, double *figure);
    bool larger_is_safer;

    /* What `check` will say, where that can be told without the figure and much sooner. NULL:
     * it cannot. */
    shoal_i_glance (*glance)(const struct shoal_i_requirement *requirement,
                             const shoal_i_class_stats *stats);

    /* What the figure is held against. NULL: the parameter. */
    double (*bound)(const struct shoal_i_requirement *requirement);

    /* Whether the parameter makes sense, and the words for what does ("a whole number from 1
     * on"). NULL: the kind has no parameter. */
    bool (*check_value)(double value);
    const char *value_range;

    /* Check the further parameters and work out once what checks need often: `prepared` and
     * `smallest`, in memory of the arena. NULL: nothing to do. */
    shoal_status (*prepare)(shoal_ctx *ctx, struct shoal_i_requirement *requirement,
                            shoal_i_arena *arena);

    /* A size below which no class can hold; at least 1. */
    uint64_t (*smallest_class)(const struct shoal_i_requirement *requirement);

    /* "every class has at least 10 records"; group is what it says for "class" */
    void (*describe)(const struct shoal_i_requirement *requirement, const char *group,
                     shoal_i_buffer *out);

    /* The strictest parameter that the whole table as one class meets. NULL: the figure that
     * the whole table reaches. */
    double (*best_possible)(const struct shoal_i_requirement *requirement,
                            const shoal_i_class_stats *whole);

    /* Record SHOAL_EUNSATISFIABLE: why not even the whole table as one class holds, and which
     * parameter would. NULL for kinds that the whole table always meets. */
    void (*explain_impossible)(const struct shoal_i_requirement *requirement,
                               const shoal_i_class_stats *whole, shoal_ctx *ctx);
} shoal_i_requirement_kind;

/* A kind with its parameters. */
typedef struct shoal_i_requirement {
    const shoal_i_requirement_kind *kind;
    double value; /* k, alpha, l, t, delta, beta; the largest share of presence */
    double c;     /* of recursive l-diversity */
    double least; /* share, of presence; 0: none */

    /* For kinds that need one: the sensitive column, borrowed, and which of stats->histograms
     * is its. */
    const shoal_i_sensitive *column;
    size_t column_index;

    /* Named values, for alpha: their codes and, for its variant "limits", the limit of each. */
    const uint32_t *codes;
    const double *limits;
    size_t code_count;

    bool counts_persons; /* persons, not records, in words and figures; set by add_item */
    size_t joined; /* one more than its place in stats->joined; 0: none. Set by add_item, kept
                      in copies */

    /* Set by prepare. */
    const void *prepared;
    uint64_t smallest; /* class that can hold */
} shoal_i_requirement;

#define SHOAL_I_REQUIREMENTS_MAX 16

/* The conjunction that a release must meet. Starts as {0}; columns must outlive it. */
typedef struct shoal_i_requirement_set {
    bool counts_persons; /* to be set before the first is added */
    size_t joined_count; /* entries of stats->joined */
    size_t count;
    shoal_i_requirement items[SHOAL_I_REQUIREMENTS_MAX];
    shoal_i_arena arena; /* codes, limits and what was prepared */
} shoal_i_requirement_set;

extern const shoal_i_requirement_kind shoal_i_k_anonymity;
extern const shoal_i_requirement_kind shoal_i_personal_k;
extern const shoal_i_requirement_kind shoal_i_alpha_general;
extern const shoal_i_requirement_kind shoal_i_alpha_values;
extern const shoal_i_requirement_kind shoal_i_alpha_limits;
extern const shoal_i_requirement_kind shoal_i_l_frequency;
extern const shoal_i_requirement_kind shoal_i_l_distinct;
extern const shoal_i_requirement_kind shoal_i_l_entropy;
extern const shoal_i_requirement_kind shoal_i_l_recursive;
extern const shoal_i_requirement_kind shoal_i_t_js;
extern const shoal_i_requirement_kind shoal_i_t_equal;
extern const shoal_i_requirement_kind shoal_i_t_ordered;
extern const shoal_i_requirement_kind shoal_i_t_hierarchical;
extern const shoal_i_requirement_kind shoal_i_delta_disclosure;
extern const shoal_i_requirement_kind shoal_i_beta_basic;
extern const shoal_i_requirement_kind shoal_i_beta_enhanced;
extern const shoal_i_requirement_kind shoal_i_k_map;
extern const shoal_i_requirement_kind shoal_i_presence_most;
extern const shoal_i_requirement_kind shoal_i_presence_between;

/* All of them, NULL-terminated; of one key, the default variant first. */
extern const shoal_i_requirement_kind *const shoal_i_requirement_kinds[];

/* The kind of a key, its default variant when it has several; or NULL. */
const shoal_i_requirement_kind *shoal_i_requirement_find(const char *key);

/* The kind of a key and a variant, or NULL. */
const shoal_i_requirement_kind *shoal_i_requirement_find_variant(const char *key,
                                                                 const char *variant);

/* Add a requirement that has no parameter but its value. SHOAL_EINVAL for a value out of its
 * range, SHOAL_ELIMIT for too many. */
shoal_status shoal_i_requirement_add(shoal_ctx *ctx, shoal_i_requirement_set *set,
                                     const shoal_i_requirement_kind *kind, double value);

/* Add a requirement with any parameters; codes and limits are copied. As above, and
 * SHOAL_EINVAL for a kind that needs a column and has none, for a column that does not fit (no
 * order, no hierarchy), and for further parameters out of range. */
shoal_status shoal_i_requirement_add_item(shoal_ctx *ctx, shoal_i_requirement_set *set,
                                          const shoal_i_requirement *item);

/* Release what a set owns and leave it empty. Copies of its items end with it. */
void shoal_i_requirement_set_clear(shoal_i_requirement_set *set);

/* Whether a class meets all of them. */
bool shoal_i_requirement_holds(const shoal_i_requirement_set *set,
                               const shoal_i_class_stats *stats);

/* The smallest class any of them allows; at least 1. */
uint64_t shoal_i_requirement_smallest_class(const shoal_i_requirement_set *set);

/* Whether any of them needs sensitive values; the k of each record; population sizes. */
bool shoal_i_requirement_needs_sensitive(const shoal_i_requirement_set *set);
bool shoal_i_requirement_needs_record_k(const shoal_i_requirement_set *set);
bool shoal_i_requirement_needs_population(const shoal_i_requirement_set *set);

/* Whether all of them are monotone; where some person has several records (repeats), in
 * persons. */
bool shoal_i_requirement_is_monotone(const shoal_i_requirement_set *set, bool repeats);

/* "record" or "person": what a requirement counts. */
const char *shoal_i_requirement_unit(const shoal_i_requirement *requirement);

/* The strictest parameter that the whole table as one class meets: the smallest alpha, the
 * largest l. NaN when the kind has no parameter. */
double shoal_i_requirement_best_possible(const shoal_i_requirement *requirement,
                                         const shoal_i_class_stats *whole);

/* What the figures of classes are held against. */
double shoal_i_requirement_bound(const shoal_i_requirement *requirement);

/* SHOAL_EUNSATISFIABLE when the whole table as one class (whole) does not hold, with a sentence
 * that says which requirement and what could be reached instead. For monotone requirements no
 * release exists then: WONG's lemma and its like. */
shoal_status shoal_i_requirement_check_possible(shoal_ctx *ctx,
                                                const shoal_i_requirement_set *set,
                                                const shoal_i_class_stats *whole);

#endif /* SHOAL_I_REQUIREMENT_H */

/* requirement.h -- privacy requirements: one const table of functions and facts each.
 *
 * A requirement is checked class by class, from the class's size and the counts of its
 * sensitive values. A release meets a set of requirements when every class meets every one.
 * Kinds live in one file each and are listed in requirement.c; a new one is a new file and one
 * line there.
 */
#ifndef SHOAL_I_REQUIREMENT_H
#define SHOAL_I_REQUIREMENT_H

#include "../base/buffer.h"

/* What a requirement may know about a class (or a group that may become one). */
typedef struct shoal_i_class_stats {
    uint64_t size;
    uint64_t largest_k; /* largest k that a record of the class asks for; 0 when none does */
    const uint32_t *const *counts; /* counts[s][code]: of sensitive column s, missing last */
} shoal_i_class_stats;

struct shoal_i_requirement;

typedef struct shoal_i_requirement_kind {
    const char *key;   /* in specs and reports: "k" */
    const char *title; /* for people: "k-anonymity" */
    const char *citation;
    bool is_monotone;     /* a class that holds still holds after merging with one that holds */
    bool needs_sensitive; /* reads counts */
    bool needs_record_k;  /* reads largest_k */

    /* Whether the class holds. *figure is what was reached, comparable between classes of one
     * requirement (for k the size); larger_is_safer tells which way it counts. */
    bool (*check)(const struct shoal_i_requirement *requirement,
                  const shoal_i_class_stats *stats, double *figure);
    bool larger_is_safer;

    /* Whether the parameter makes sense, and the words for what does ("a whole number from 1
     * on"). NULL: the kind has no parameter. */
    bool (*check_value)(double value);
    const char *value_range;

    /* The smallest class that can hold, given the requirement; at least 1. */
    uint64_t (*smallest_class)(const struct shoal_i_requirement *requirement);

    /* "every class has at least 10 records" */
    void (*describe)(const struct shoal_i_requirement *requirement, shoal_i_buffer *out);

    /* Record SHOAL_EUNSATISFIABLE: why not even the whole table as one class holds, and which
     * parameter would. */
    void (*explain_impossible)(const struct shoal_i_requirement *requirement,
                               const shoal_i_class_stats *whole, shoal_ctx *ctx);
} shoal_i_requirement_kind;

/* A kind with its parameter. */
typedef struct shoal_i_requirement {
    const shoal_i_requirement_kind *kind;
    double value;
} shoal_i_requirement;

#define SHOAL_I_REQUIREMENTS_MAX 16

/* The conjunction that a release must meet. */
typedef struct shoal_i_requirement_set {
    size_t count;
    shoal_i_requirement items[SHOAL_I_REQUIREMENTS_MAX];
} shoal_i_requirement_set;

extern const shoal_i_requirement_kind shoal_i_k_anonymity;
extern const shoal_i_requirement_kind shoal_i_personal_k;

/* The kind of a key, or NULL. */
const shoal_i_requirement_kind *shoal_i_requirement_find(const char *key);

/* Add a requirement. SHOAL_EINVAL for a value out of its range, SHOAL_ELIMIT for too many. */
shoal_status shoal_i_requirement_add(shoal_ctx *ctx, shoal_i_requirement_set *set,
                                     const shoal_i_requirement_kind *kind, double value);

/* Whether a class meets all of them. */
bool shoal_i_requirement_holds(const shoal_i_requirement_set *set,
                               const shoal_i_class_stats *stats);

/* The smallest class any of them allows; at least 1. */
uint64_t shoal_i_requirement_smallest_class(const shoal_i_requirement_set *set);

/* Whether any of them needs the k of each record. */
bool shoal_i_requirement_needs_record_k(const shoal_i_requirement_set *set);

/* Whether all of them are monotone. */
bool shoal_i_requirement_is_monotone(const shoal_i_requirement_set *set);

/* SHOAL_EUNSATISFIABLE when the whole table as one class (whole) does not hold, with a sentence
 * that says which requirement and what could be reached instead. */
shoal_status shoal_i_requirement_check_possible(shoal_ctx *ctx,
                                                const shoal_i_requirement_set *set,
                                                const shoal_i_class_stats *whole);

#endif /* SHOAL_I_REQUIREMENT_H */

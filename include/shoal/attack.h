/* attack.h -- what somebody who knows more than a release learns from it: attacks of the
 * literature, simulated beside the original.
 *
 *     const char *releases[] = {"release.csv"};
 *     shoal_attack_facts facts = SHOAL_ATTACK_FACTS_INIT;
 *
 *     shoal_attack(ctx, &report, spec, "patients.csv", releases, 1);
 *     for (size_t i = 0; shoal_report_attack(report, i, &facts); i++) {
 *         printf("%s: %g of %g promised\n", facts.name, facts.reached, facts.promise);
 *     }
 *
 * Which attacks, and what the attacker knows, are settings of the spec: `attack.names` (all),
 * `attack.known` (the share of the people whose quasi-identifier he knows) and `attack.errors`
 * (the share of the cells he knows that are wrong). The requirements of the spec are what was
 * promised; none need be given. Where `method` names one, the attacker knows it.
 *
 * Every attack gives each person a figure: a chance, such as that of a right link, or a number,
 * such as how many values must be ruled out. They are computed where that can be done, else
 * drawn, with an interval; the same seed gives the same figures on any number of threads. Where
 * the spec has a column of persons, people are persons. docs/attacks.md has the papers.
 *
 * Reports of attacks name records of the original by number, never their content. They are for
 * whoever made the release, and must not be handed out with it.
 *
 * New, and may still change for one release.
 */
#ifndef SHOAL_ATTACK_H
#define SHOAL_ATTACK_H

#include "job.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- The attacks there are. ------------------------------------------------------------- */

typedef struct shoal_attack_kind_facts {
    size_t struct_size;   /* see ctx.h */
    const char *name;     /* "linkage" */
    const char *title;    /* "Linkage" */
    const char *attacker; /* who he is and what he knows, in one sentence */
    const char *figure;   /* what he gets of a person: "chance of a right link" */
    const char *helps;    /* what helps against it */
    const char *citation;
    bool larger_is_safer;  /* the figure is a number, not a chance */
    bool needs_sensitive;  /* runs once for each sensitive column */
    bool needs_population; /* `privacy.population` */
    bool needs_method;     /* `method` */
    size_t least_releases;
} shoal_attack_kind_facts;

#define SHOAL_ATTACK_KIND_FACTS_INIT                                                           \
    {                                                                                          \
        sizeof(shoal_attack_kind_facts), NULL, NULL, NULL, NULL, NULL, NULL, false, false,     \
            false, false, 0                                                                    \
    }

/* Facts of attack `attack`, from 0; false, with *out untouched, behind the last, or when its
 * struct_size is not set. All texts are constants. */
SHOAL_API bool shoal_attack_describe(shoal_attack_kind_facts *out, size_t attack);

/* --- Running them. ---------------------------------------------------------------------- */

/* Attack the first of the releases, anybody's, beside its original; the others are further
 * releases of the same people, for attacks that put several together. An attack that the spec
 * names and that lacks what it needs is SHOAL_EINVAL; unnamed, it says why it was not done. So
 * is it when not one of those named applies to these releases, of another shape for instance. A
 * release that does not belong to the original is SHOAL_EFORMAT, as of shoal_measure.
 * shoal_report_holds: no attack reached more than was promised. */
SHOAL_API shoal_status shoal_attack(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                    const char *original, const char *const *releases,
                                    size_t release_count);
SHOAL_API shoal_status shoal_attack_release(shoal_ctx *ctx, shoal_report **out,
                                            const shoal_spec *spec, const shoal_table *original,
                                            const shoal_release *const *releases,
                                            size_t release_count);

/* --- What they reached. ------------------------------------------------------------------ */

/* One attack, on one sensitive column where it is about such. */
typedef struct shoal_attack_facts {
    size_t struct_size; /* see ctx.h */
    const char *name;   /* "linkage" */
    const char *column; /* the sensitive column; "" when it is about none */
    const char *reason; /* why it was not done; "": it was */
    const char *note;   /* what else its reader should know; or "" */
    const char
        *promised_by;     /* the requirement: "k-anonymity"; "" when none promises anything */
    double promise;       /* the bound of a person's figure; NaN: none */
    double reached;       /* mean of the people's figures */
    double worst;         /* of one of them */
    double without;       /* what is reached without this attack; NaN: nothing to tell */
    double low;           /* where it was drawn, what was reached lies between these by */
    double high;          /* 95 %; else NaN */
    uint64_t people;      /* under attack */
    uint64_t beyond;      /* of them: figure worse than promised */
    uint64_t certain;     /* of them: no doubt is left */
    uint64_t worst_count; /* see shoal_report_attack_worst */
} shoal_attack_facts;

#define SHOAL_ATTACK_FACTS_INIT                                                                \
    {                                                                                          \
        sizeof(shoal_attack_facts), NULL, NULL, NULL, NULL, NULL, 0.0, 0.0, 0.0, 0.0, 0.0,     \
            0.0, 0, 0, 0, 0                                                                    \
    }

/* Facts of attack `attack` of a report, in the order of its JSON; false, with *out untouched,
 * behind the last, or when its struct_size is not set. Reports of other runs have none, unless
 * the spec names attacks. */
SHOAL_API size_t shoal_report_attack_count(const shoal_report *report);
SHOAL_API bool shoal_report_attack(const shoal_report *report, size_t attack,
                                   shoal_attack_facts *out);

/* The people that are worst off, from 0: a record of the original, from 0, and its figure.
 * False, with both untouched, behind the last. */
SHOAL_API bool shoal_report_attack_worst(const shoal_report *report, size_t attack,
                                         size_t place, uint64_t *record, double *figure);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_ATTACK_H */

/* attack.h -- attacks on a release, simulated: what somebody who knows more than its text
 * learns from it, and whether the requirements promised that he does not.
 *
 * A scene holds what an attack may use; what the attacker of each kind knows of it, the kind
 * says in one sentence. Every attack gives each person a figure, and these are summed up in the
 * same way:
 *
 *     figure of a person     a chance (of being found, of a value guessed) or a number (values
 *                            that must be ruled out, candidates)
 *     promise                the bound of that figure by the requirements; NaN: they are silent
 *     reached, worst         the mean and the worst of all people
 *     beyond                 people whose figure is worse than promised
 *
 * Kinds live in one file each and are listed in attack.c; a new one is a new file and a line
 * there. Those about sensitive values run once for each sensitive column. Figures are the same
 * on any number of threads. What they mean, with papers: docs/attacks.md.
 */
#ifndef SHOAL_I_ATTACK_H
#define SHOAL_I_ATTACK_H

#include "../method/problem/method.h"
#include "../requirement/requirement.h"
#include "../requirement/sensitive.h"

/* --- What is attacked. ------------------------------------------------------------------ */

/* One release; all borrowed. Rows are its own, records those of the original. */
typedef struct shoal_i_attacked {
    const char *name; /* of its file; "" in memory */
    const shoal_i_release *release;
    const shoal_i_sensitive
        *shown;             /* sensitive columns by row; codes are those of the truth.
                               Of buckets: their counts per bucket are all that counts */
    const uint32_t *box_of; /* record -> its box; NULL: not known, as of buckets, of boxes per
                               record, and of a release that leaves somebody out */
    const shoal_i_persons *row_persons; /* whose rows they are; NULL: not known, or each is of a
                                           person of its own */
} shoal_i_attacked;

/* All that attacks may use; all borrowed. */
typedef struct shoal_i_attack_scene {
    const shoal_i_quasi *quasi; /* of the original */
    size_t record_count;
    const shoal_i_sensitive *truth; /* its sensitive columns */
    size_t sensitive_count;
    const shoal_i_persons *persons; /* of its records; NULL: each is one of its own */
    const uint32_t *record_k;       /* of records that ask for a k of their own; NULL */
    const shoal_i_requirement_set *requirements; /* that were promised; may be empty */
    const shoal_i_attacked *releases;            /* the first is the one under attack */
    size_t release_count;
    const shoal_i_people *population; /* NULL: none */
    uint64_t population_count;
    /* How the release was made, for those who know it; NULL: it is not known. */
    const shoal_i_method *method;
    const shoal_i_method_settings *settings;
    const shoal_i_problem *problem;
    double known;  /* share of the people whose quasi-identifier is known, above 0 to 1 */
    double errors; /* share of the cells known that are wrong, 0 to below 1 */
    uint64_t seed;
} shoal_i_attack_scene;

/* --- What was found. -------------------------------------------------------------------- */

#define SHOAL_I_ATTACK_WORST 10
#define SHOAL_I_ATTACK_BINS 10
#define SHOAL_I_ATTACK_WORDS 320

typedef struct shoal_i_attack_person {
    uint32_t record; /* of the original; of a person with several, the worst of them */
    double figure;
} shoal_i_attack_person;

struct shoal_i_attack_kind;

typedef struct shoal_i_attack_finding {
    const struct shoal_i_attack_kind *kind;
    const char *column;                /* the sensitive column it is about; NULL: none */
    char reason[SHOAL_I_ATTACK_WORDS]; /* why it does not apply; "": it was done */
    char note[SHOAL_I_ATTACK_WORDS];   /* what else its reader should know; or "" */
    double promise;                    /* NaN: the requirements promise nothing here */
    const char *promised_by;           /* title of the requirement; NULL: none */
    double reached;                    /* mean of the people's figures */
    double worst;
    double without;   /* what the attacker reaches without this attack; NaN: nothing to tell */
    uint64_t people;  /* under attack */
    uint64_t beyond;  /* of them: figure worse than promised; 0 where nothing is promised */
    uint64_t certain; /* of them: nothing is left to doubt */
    bool is_sampled;  /* drawn: reached lies between low and high by 95 % */
    double low;
    double high;
    size_t worst_count;
    shoal_i_attack_person worst_people[SHOAL_I_ATTACK_WORST];
    size_t bin_count; /* of figures that are numbers: people by number, from 0; the last bin has
                         all from there on */
    uint64_t bins[SHOAL_I_ATTACK_BINS];
} shoal_i_attack_finding;

/* --- The attacks there are. ------------------------------------------------------------- */

typedef struct shoal_i_attack_kind {
    const char *name;     /* in specs and reports: "linkage" */
    const char *title;    /* for people: "Linkage" */
    const char *attacker; /* who he is and what he knows, in one sentence */
    const char *figure;   /* what he gets of a person: "chance of a right link" */
    const char *helps;    /* what helps against it, in a sentence */
    const char *citation;
    bool larger_is_safer; /* figures are numbers, not chances */
    bool needs_sensitive; /* runs once for each sensitive column */
    bool needs_population;
    bool needs_method;     /* the scene must tell how the release was made */
    size_t least_releases; /* that it needs; 0 as 1 */
    /* Fill the finding, in which promise, without and figures are NaN and the rest is 0; or say
     * why not, by shoal_i_attack_not_done. column: of the sensitive ones; 0 where none is
     * needed. */
    shoal_status (*run)(shoal_ctx *ctx, shoal_i_attack_finding *out,
                        const shoal_i_attack_scene *scene, size_t column);
} shoal_i_attack_kind;

extern const shoal_i_attack_kind shoal_i_attack_linkage;
extern const shoal_i_attack_kind shoal_i_attack_homogeneity;
extern const shoal_i_attack_kind shoal_i_attack_definetti;
extern const shoal_i_attack_kind shoal_i_attack_matching;
extern const shoal_i_attack_kind shoal_i_attack_presence;
extern const shoal_i_attack_kind shoal_i_attack_minimality;
extern const shoal_i_attack_kind shoal_i_attack_composition;
extern const shoal_i_attack_kind shoal_i_attack_intersection;

/* All of them, NULL-terminated, and their names, in the same order: a set of attacks is a bit
 * for each. */
extern const shoal_i_attack_kind *const shoal_i_attack_kinds[];
extern const char *const shoal_i_attack_words[];

/* What a run found; starts as {0}. */
typedef struct shoal_i_attack_findings {
    size_t count;
    shoal_i_attack_finding *items;
} shoal_i_attack_findings;

void shoal_i_attack_findings_clear(shoal_i_attack_findings *findings);

/* What a run has, beside a release and its original. */
typedef struct shoal_i_attack_means {
    bool has_sensitive;
    bool has_population;
    bool has_method;
    size_t release_count;
} shoal_i_attack_means;

/* Whether one of the attacks that are asked for, 0: all, is about a population. */
bool shoal_i_attack_asks_population(unsigned asked);

/* SHOAL_EINVAL: one of the attacks that are asked for by name lacks something. */
shoal_status shoal_i_attack_check(shoal_ctx *ctx, unsigned asked,
                                  const shoal_i_attack_means *means);

/* Run attacks. asked: a bit for each; one that lacks something is SHOAL_EINVAL, saying what. 0:
 * all, and those that lack something say why they were not done. So do those that turn out not
 * to apply to a release, asked for or not. */
shoal_status shoal_i_attack_run(shoal_ctx *ctx, shoal_i_attack_findings *out,
                                const shoal_i_attack_scene *scene, unsigned asked);

/* Whether a finding was done and stays within its promise, if there is one: nobody is beyond
 * it, and what was reached is not. */
bool shoal_i_attack_is_kept(const shoal_i_attack_finding *finding);

#endif /* SHOAL_I_ATTACK_H */

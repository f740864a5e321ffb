/* method.h -- what a method is given and what it returns.
 *
 * A method sees a `problem` and nothing else: points to group, the cost of grouping them, what
 * a group must meet, and a seed. It returns a release of one of the three shapes (release.h).
 * Methods live in one file each and are listed in method.c; a new one is a new file and one
 * line there.
 */
#ifndef SHOAL_I_METHOD_H
#define SHOAL_I_METHOD_H

#include "../../box/quasi.h"
#include "../../release/release.h"
#include "../../requirement/tally.h"
#include "people.h"

typedef struct shoal_i_problem {
    const shoal_i_quasi *quasi;
    size_t row_count;
    const shoal_i_requirement_set *requirements;
    const shoal_i_tally_source *source; /* what the requirements count about the records */
    const shoal_i_people *people; /* of the population, where a requirement is about it; NULL in
                                     what most methods see: gather.h meets those requirements */
    uint64_t seed;
    double seconds; /* a method that searches ends after so long; 0: when its effort is spent */
    double suppress; /* share of the records that may be suppressed if that lowers the loss */
    bool is_blind; /* sensitive values may decide only what does not tell on anybody (blind.h);
                      no method sees this */
} shoal_i_problem;

/* Whether classes that hold still hold when they are merged. Not so, for most requirements,
 * where a person may have several records. */
static inline bool shoal_i_problem_is_monotone(const shoal_i_problem *problem)
{
    return shoal_i_requirement_is_monotone(problem->requirements,
                                           problem->source->persons != NULL);
}

/* Values of the options a method declares, by position in its table. */
#define SHOAL_I_METHOD_OPTIONS_MAX 8
typedef struct shoal_i_method_settings {
    double values[SHOAL_I_METHOD_OPTIONS_MAX];
    double inner[SHOAL_I_METHOD_OPTIONS_MAX]; /* of the method whose classes it takes, where it
                                                 passes options on */
} shoal_i_method_settings;

typedef struct shoal_i_method_option {
    const char *name;
    const char *help;
    double standard; /* the default */
    double least;
    double most;
    /* Names of the values 0, 1, 2..., NULL-terminated; NULL: a number. */
    const char *const *words;
} shoal_i_method_option;

typedef struct shoal_i_method {
    const char *name;
    const char *summary; /* one line */
    const char *citation;
    const char *cost; /* "O(n log n)" */
    shoal_i_shape shape;
    const shoal_i_method_option *options; /* ends with a NULL name */
    /* Why the method cannot honour a kind of requirement ("its classes are not ..."); NULL when
     * it can. in_persons: persons, who may have several records, are counted. No function: it
     * honours every kind, in either. */
    const char *(*refuse)(const shoal_i_requirement_kind *kind, bool in_persons);
    /* Why classes of parts of a table cannot be those of the whole: what alone would do ("...
     * only"); NULL when they can. No function: they can under all settings. */
    const char *(*refuse_parts)(const shoal_i_method_settings *settings);
    /* The method, named by an option, whose classes this one takes. No function: it takes
     * none. */
    const struct shoal_i_method *(*find_inner)(const shoal_i_method_settings *settings);
    bool passes_options;  /* options that it lacks are those of that method */
    bool needs_sensitive; /* it works by sensitive values: some requirement must read them */
    bool is_anytime; /* searches: has the option "effort", and ends in time with what it has */
    bool wants_shuffled; /* loses less when records that are alike do not come one after the
                             other (canonical_order.h) */
    bool is_full_domain; /* each column at one level for all records: a box need not be the
                            smallest around its records; suppression is the method's own */
    shoal_status (*run)(shoal_ctx *ctx, shoal_i_release **out, const shoal_i_problem *problem,
                        const shoal_i_method_settings *settings);
    /* The same of a problem with people. No function: its classes are merged (gather.h). */
    shoal_status (*run_among_people)(shoal_ctx *ctx, shoal_i_release **out,
                                     const shoal_i_problem *problem,
                                     const shoal_i_method_settings *settings);
} shoal_i_method;

extern const shoal_i_method shoal_i_best;
extern const shoal_i_method shoal_i_topdown;
extern const shoal_i_method shoal_i_bottomup;
extern const shoal_i_method shoal_i_mondrian;
extern const shoal_i_method shoal_i_specialize;
extern const shoal_i_method shoal_i_incognito;
extern const shoal_i_method shoal_i_hilbert;
extern const shoal_i_method shoal_i_exact;
extern const shoal_i_method shoal_i_cluster;
extern const shoal_i_method shoal_i_nonhomogeneous;
extern const shoal_i_method shoal_i_anatomy;
extern const shoal_i_method shoal_i_bucketize;

/* The option of methods whose randomness protects people. A release of one that was given a
 * seed says so (is_test_seeded), and the run warns: whoever knows it can undo the release. */
#define SHOAL_I_TEST_SEED_OPTION                                                               \
    {                                                                                          \
        .name = "test_seed",                                                                   \
        .help = "for tests only: what is drawn by this seed can be undone by whoever knows "   \
                "it; -1: the operating system draws",                                          \
        .standard = -1, .least = -1, .most = 0x1p53                                            \
    }
shoal_status shoal_i_method_warn_seeded(shoal_ctx *ctx, const shoal_i_method *method);

/* The words of the option "effort" of methods that search, NULL-terminated (effort.h). */
extern const char *const shoal_i_effort_words[];

/* All methods, NULL-terminated; the first is the default. */
extern const shoal_i_method *const shoal_i_methods[];

/* A `refuse` for methods that are done when they have classes: merging them to meet what is
 * asked about a population (gather.h) would undo what they promise. */
const char *shoal_i_refuse_population(const shoal_i_requirement_kind *kind, bool in_persons);

/* A `refuse` for methods by buckets: they hide no identities. */
const char *shoal_i_refuse_in_buckets(const shoal_i_requirement_kind *kind, bool in_persons);

/* The method of a name, or NULL. */
const shoal_i_method *shoal_i_method_find(const char *name);

/* The settings of a method of which nothing is said. */
shoal_i_method_settings shoal_i_method_defaults(const shoal_i_method *method);

/* Whether an option is the method's own. */
bool shoal_i_method_has_option(const shoal_i_method *method, const char *name, size_t length);

/* The method to which options are passed on, or NULL; and its settings. */
const shoal_i_method *shoal_i_method_inner(const shoal_i_method *method,
                                           const shoal_i_method_settings *settings);
shoal_i_method_settings shoal_i_method_inner_settings(const shoal_i_method_settings *settings);

/* Parse "NAME[:key=value,...]" into a method and its settings. Options of the method to which
 * they are passed on may stand before or behind the option that names it. SHOAL_EINVAL with
 * "did you mean" for unknown names, keys and values. */
shoal_status shoal_i_method_parse(shoal_ctx *ctx, const shoal_i_method **method,
                                  shoal_i_method_settings *settings, const char *text);

/* Give an option of a method, or of the one to which it passes options on, a value. What names
 * the other method comes before options of that. SHOAL_EINVAL as above. */
shoal_status shoal_i_method_set_option(shoal_ctx *ctx, shoal_i_method_settings *settings,
                                       const shoal_i_method *method, const char *name,
                                       const char *value);

/* The text that shoal_i_method_parse reads as this, every option named. */
void shoal_i_method_put(shoal_i_buffer *out, const shoal_i_method *method,
                        const shoal_i_method_settings *settings);

/* Why a method, or the one whose classes it takes, cannot honour a kind of requirement; NULL
 * when it can. */
const char *shoal_i_method_refusal(const shoal_i_method *method,
                                   const shoal_i_method_settings *settings,
                                   const shoal_i_requirement_kind *kind, bool in_persons);

/* Why a method cannot run without a look at sensitive values (blind.h), as a clause; NULL when
 * it can. */
const char *shoal_i_method_blind_refusal(const shoal_i_method *method,
                                         const shoal_i_method_settings *settings);

/* Check that the requirement can be met at all, run, suppress what the problem allows, unless
 * the method has done that or its release is not by classes, where it gains nothing, and merge
 * classes (gather.h) to meet what is asked about a population, and what of persons a merger of
 * classes with equal boxes may have undone. */
shoal_status shoal_i_method_run(shoal_ctx *ctx, shoal_i_release **out,
                                const shoal_i_method *method, const shoal_i_problem *problem,
                                const shoal_i_method_settings *settings);

#endif /* SHOAL_I_METHOD_H */

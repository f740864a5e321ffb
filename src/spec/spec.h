/* spec.h -- the model behind a spec: what the files and flags of a run said, checked value by
 * value.
 *
 * A spec knows nothing of the table it will be used on; that its columns exist and that
 * its parts fit together is checked when a run begins (prepare.h). All texts live in the spec's
 * arena.
 */
#ifndef SHOAL_I_SPEC_H
#define SHOAL_I_SPEC_H

#include <shoal/csv.h>
#include <shoal/spec.h>

#include "../base/arena.h"
#include "../measure/risk/risk.h"
#include "../method/problem/method.h"
#include "hierarchy_plan.h"
#include "sweep.h"
#include "requirement_request.h"

/* What is said of a column as a text, checked when it is said (column_texts.c). */
typedef enum shoal_i_column_text {
    SHOAL_I_COLUMN_DATE_FORMAT,
    SHOAL_I_COLUMN_DECIMAL,
    SHOAL_I_COLUMN_THOUSANDS,
    SHOAL_I_COLUMN_TOP,
    SHOAL_I_COLUMN_BOTTOM,
    SHOAL_I_COLUMN_ROUND,
    SHOAL_I_COLUMN_TRUNCATE,
    SHOAL_I_COLUMN_GENERALIZE,
    SHOAL_I_COLUMN_COARSEST,
    SHOAL_I_COLUMN_RENAME,
    SHOAL_I_COLUMN_SAME,
    SHOAL_I_COLUMN_RARE,
    SHOAL_I_COLUMN_TEXTS
} shoal_i_column_text;

typedef struct shoal_i_spec_column {
    const char *name;     /* in releases, and in tables once they were read */
    const char *original; /* in the file that is read, where it is renamed; NULL: as above */
    shoal_i_place place;
    shoal_role role;
    bool has_role;
    bool role_by_flag; /* a second, different role by flag is a mistake */
    shoal_type type;   /* AUTO when not given */
    double weight;
    shoal_i_grid grid;           /* of its ranges; UNSET when not given */
    shoal_i_hierarchy_plan plan; /* kind NONE when not given */
    shoal_i_hierarchy_plan
        populations; /* of a quasi column of numbers: intervals by which populations are
                                 told apart; kind NONE when not given */
    const char *texts[SHOAL_I_COLUMN_TEXTS]; /* NULL when not given */
} shoal_i_spec_column;

typedef enum shoal_i_missing_action {
    SHOAL_I_MISSING_ERROR,
    SHOAL_I_MISSING_DROP,
    SHOAL_I_MISSING_KEEP
} shoal_i_missing_action;

/* Figures that a run takes when asked, as bits. */
enum {
    SHOAL_I_FIGURE_PRIVACY_LOSS = 1,
    SHOAL_I_FIGURE_UTILITY_LOSS = 2,
    SHOAL_I_FIGURES_SENSITIVE =
        3, /* those of sensitive columns, which shoal_measure takes unasked */
    SHOAL_I_FIGURE_BOUND = 4,
};

/* Attacks that a release is made to withstand, as bits. */
enum {
    SHOAL_I_AGAINST_MINIMALITY = 1,
};

/* Earlier releases that a run takes. */
#define SHOAL_I_PREVIOUS_MAX 16

/* Bytes of a spec file. */
#define SHOAL_I_SPEC_SIZE_MAX ((size_t)1 << 20)

/* There are no more settings. */
#define SHOAL_I_SETTINGS_MAX 96

struct shoal_spec {
    shoal_i_arena arena;
    shoal_i_place places[SHOAL_I_SETTINGS_MAX]; /* where files made settings, by the table */

    shoal_i_spec_column *columns;
    size_t column_count;
    size_t column_capacity;
    shoal_i_hash_key hash_key; /* once there is a column */
    uint32_t *slots;      /* open addressing over names: index + 1 of a column, 0 when free */
    size_t slot_count;    /* a power of two, more than twice column_capacity, or 0 */
    size_t renamed_count; /* how often columns were renamed */

    bool is_strict;     /* nothing is published while there are warnings, but for */
    unsigned accepted;  /* those of these codes (warnings.h) */
    bool releases_rest; /* columns without a role are released as they are, not left out */

    shoal_i_missing_action missing;
    bool owns_missing_person;    /* a record without a person is of one of its own */
    const char **missing_tokens; /* NULL: the reader's own */
    size_t missing_token_count;
    char input_delimiter; /* 0: detect */
    shoal_encoding encoding;
    size_t skip_lines;   /* of the input, before its header */
    const char *comment; /* what such lines begin with; NULL when not given */
    /* How its numbers and dates are written; columns may say otherwise. */
    unsigned decimal;        /* in shoal_i_decimal_words */
    unsigned thousands;      /* in shoal_i_thousands_words */
    const char *date_format; /* NULL when not given */

    uint64_t k;           /* 0 when not given */
    const char *k_column; /* NULL when not given */

    shoal_i_requirement_request requests[SHOAL_I_REQUIREMENTS_MAX]; /* requirements but for k */
    size_t request_count;
    /* A file, or a table in memory; both NULL when not given. Setting the table unsets the
     * file, so of the two the file is what was said last. */
    const char *population;
    const shoal_table *population_table;        /* held (table_hold.h) */
    unsigned defended;                          /* attacks that the release must withstand */
    const char *previous[SHOAL_I_PREVIOUS_MAX]; /* releases that it must go together with */
    size_t previous_count;
    bool previous_by_flag; /* the first flag replaces the file's */

    double thresholds[SHOAL_I_THRESHOLDS_MAX]; /* of risk, as given; none: the usual ones */
    size_t threshold_count;
    double sampling_fraction;  /* 0 when not given */
    bool shares_reports;       /* others may read files of reports */
    bool is_full_report;       /* with risk, distributions and digests */
    const char *frontier_plot; /* to be shown in it; NULL: none */
    const char *report_title;  /* of pages, as the next; NULL when not given */
    const char *report_author;
    const char *report_purpose;
    const char *report_date;
    const char **sign_off; /* who signs the page, a line for each; NULL: nobody */
    size_t sign_off_count;

    unsigned attacks;     /* to simulate (attack.h), a bit for each; 0: not said */
    double attack_known;  /* share of the people that an attacker knows */
    double attack_errors; /* share of the cells he knows that are wrong */

    const shoal_i_method *method; /* NULL: the first of shoal_i_methods */
    shoal_i_method_settings method_settings;
    bool has_effort;
    size_t effort;  /* in shoal_i_effort_words */
    double seconds; /* that the method may search; 0: as long as its effort says */

    unsigned figures;   /* asked for */
    bool is_by_record;  /* the release that is measured has a box per record: rows with equal
                           boxes are no class of their own */
    double min_support; /* of the populations of the utility loss, a share */

    uint64_t memory;         /* bytes that a run may take; 0: no limit */
    size_t fragment_records; /* records that are solved at once; 0: as many as memory allows */
    const char *temporary;   /* folder of temporary files; NULL: that of the system */

    double suppress; /* share of the records that may be suppressed */

    shoal_i_grid grid; /* of the ranges of columns without one of their own */

    shoal_i_sweep sweep; /* of a frontier */
    bool sweep_by_flag;  /* the first flag of a sweep, or of its methods, replaces the file's */
    bool methods_by_flag;

    bool has_seed;
    uint64_t seed;
    bool has_threads;
    int threads; /* 0: one per processor */

    shoal_i_numeric_form numeric;
    shoal_i_categorical_form categorical;
    bool keep_order;
    bool is_guarded; /* formulas of spreadsheets behind an apostrophe */
    char output_delimiter;
    const char *sensitive_table; /* of a release by buckets; NULL: beside it */
};

/* A spec of which nothing is said. */
extern const shoal_spec shoal_i_spec_standard;

/* The column of a name, added when there is none yet. *out is valid until the next one is
 * added. */
shoal_status shoal_i_spec_add_column(shoal_ctx *ctx, shoal_spec *spec, const char *name,
                                     shoal_i_spec_column **out);

/* The name of a column in the file that is read. */
static inline const char *shoal_i_spec_original(const shoal_i_spec_column *column)
{
    return column->original ? column->original : column->name;
}

/* Call a column otherwise in releases. SHOAL_EINVAL: another one is called so. */
shoal_status shoal_i_spec_rename(shoal_ctx *ctx, shoal_spec *spec, shoal_i_spec_column *column,
                                 const char *name);

/* Whether any column is renamed. */
bool shoal_i_spec_renames(const shoal_spec *spec);

/* The column of a name, the one that it has in the file or in releases, or NULL. */
shoal_i_spec_column *shoal_i_spec_find_column(const shoal_spec *spec, const char *name);

/* Whether nobody said what a column of this name is: it has no role, and no setting reads it.
 */
bool shoal_i_spec_is_undecided(const shoal_spec *spec, const char *name);

/* The grid of a quasi column: its own, or that of all columns where it fits the values; not
 * set: ranges end at values. */
shoal_i_grid shoal_i_spec_grid(const shoal_spec *spec, const shoal_i_spec_column *column,
                               shoal_type type);

/* Whether any column may have a grid. */
bool shoal_i_spec_has_grid(const shoal_spec *spec);

/* Whether a column has a coarsest level. */
bool shoal_i_spec_has_coarsest(const shoal_spec *spec);

/* The column with the role person, or NULL. Borrowed. */
const shoal_i_spec_column *shoal_i_spec_person(const shoal_spec *spec);

/* Whether a column of the spec has the role. */
bool shoal_i_spec_has_role(const shoal_spec *spec, shoal_role role);

/* One more requirement. SHOAL_ELIMIT: too many. */
shoal_status shoal_i_spec_add_request(shoal_ctx *ctx, shoal_spec *spec,
                                      const shoal_i_requirement_request *request);

/* Take back the requirements of a key; only those that files asked for, or all of them. */
void shoal_i_spec_forget_requests(shoal_spec *spec, const char *key, bool of_files_only);

/* Whether any requirement is about sensitive values; about a population. */
bool shoal_i_spec_reads_sensitive(const shoal_spec *spec);
bool shoal_i_spec_reads_population(const shoal_spec *spec);

/* Whether there is one; its name for reports, which is the path of a file. */
bool shoal_i_spec_has_population(const shoal_spec *spec);
const char *shoal_i_spec_population_name(const shoal_spec *spec);

/* Give a column of the spec its role, type, weight, grid, hierarchy or populations (by the keys
 * of setting.h); folder is where paths start, NULL: as they are. */
shoal_status shoal_i_spec_column_assign(shoal_ctx *ctx, shoal_spec *spec,
                                        shoal_i_spec_column *column, const char *key,
                                        const char *text, const char *folder);

/* Where a file made a setting, which is named by its key; source NULL when none did.
 * Borrowed. */
const shoal_i_place *shoal_i_spec_place(const shoal_spec *spec, const char *key);
void shoal_i_spec_set_place(shoal_spec *spec, const char *key, shoal_i_place place);

/* Place a failure, if status is one, at the setting it is about: where a file made it, or else
 * at its key. Returns the status. */
shoal_status shoal_i_fail_of_setting(shoal_ctx *ctx, const shoal_spec *spec, const char *key,
                                     shoal_status status);

/* The method of a spec, the default where it names none, and its settings. Borrowed. */
typedef struct shoal_i_chosen {
    const shoal_i_method *method;
    shoal_i_method_settings settings;
} shoal_i_chosen;
shoal_i_chosen shoal_i_spec_method(const shoal_spec *spec);

/* What is written beside a spec, for people. */
typedef struct shoal_i_spec_notes {
    const char *head;           /* lines before it, comments; "": none */
    const char *const *names;   /* the columns that are written, in this order */
    const char *const *reasons; /* behind each of them, one line; "": none */
    size_t column_count;
} shoal_i_spec_notes;

/* A text in double quotes, as YAML and JSON both read it. */
void shoal_i_spec_put_quoted(shoal_i_buffer *out, const char *text);

/* shoal_spec_write_yaml, with notes. */
shoal_status shoal_i_spec_write_noted(shoal_ctx *ctx, char **out, const shoal_spec *spec,
                                      const shoal_i_spec_notes *notes);

/* The words of a setting, as files, flags and reports spell them; NULL-terminated. */
extern const char *const shoal_i_rest_words[];
extern const char *const shoal_i_truth_words[]; /* false, true */
extern const char *const shoal_i_missing_words[];
extern const char *const shoal_i_encoding_words[];
extern const char *const shoal_i_decimal_words[];   /* "." and "," */
extern const char *const shoal_i_thousands_words[]; /* "none", ".", ",", "space", "'" */
extern const char *const shoal_i_missing_person_words[];
extern const char *const shoal_i_numeric_words[];
extern const char *const shoal_i_categorical_words[];
extern const char *const shoal_i_order_words[];
extern const char *const shoal_i_cells_words[];
extern const char *const shoal_i_measured_words[]; /* shapes that a file cannot tell */
extern const char *const shoal_i_figure_words[];   /* in the order of their bits */
extern const char *const shoal_i_defended_words[]; /* in the order of their bits */
extern const char *const shoal_i_detail_words[];
extern const char *const shoal_i_same_words[]; /* in the order of the bits of fold.h */

/* The place in words[] of a value; SHOAL_EINVAL naming `what` when it is not there. */
shoal_status shoal_i_parse_word(shoal_ctx *ctx, size_t *out, const char *what,
                                const char *value, const char *const *words);

#endif /* SHOAL_I_SPEC_H */

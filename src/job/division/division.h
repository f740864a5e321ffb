/* division.h -- what the parts of a table share, and where it is cut; behind
 * include/shoal/division.h.
 *
 * The verbs work on batches of records whose codes are those of the division's dictionaries.
 * Two callers make them: the public functions bind tables (bound_part.h), and a run within a
 * limit of memory has them on disk (../fragments).
 *
 * Where a fragment is cut is found in one round of counting or in several. A fragment that is
 * too large asks a question, the answers of all parts are added up, and the cut is made or the
 * next question asked:
 *
 *     LARGE --> VALUES   how often does each value occur?        --> the cuts, best first
 *           --> SIDES    what do requirements count between       --> the first cut whose sides
 *                        some of these cuts?                          both hold, or more of
 *                        them
 *           --> two fragments, or WHOLE: no cut is allowed
 *
 * Where requirements look at sizes alone there is nothing to ask about sides.
 *
 * Where persons are counted, who may have several records, sides are asked about always, and
 * what is told of them is in persons: the records of a person in a fragment must be counted one
 * after the other (cut_trial.c). So a fragment's number of persons is known from the cut that
 * made it.
 *
 *     column, code     1 < 30            nodes; leaves are the fragments, numbered from the
 *                     /      \           front to the back
 *               0 < 7         fragment 2
 *              /     \
 *     fragment 0   fragment 1
 */
#ifndef SHOAL_I_DIVISION_H
#define SHOAL_I_DIVISION_H

#include <shoal/division.h>

#include "../../measure/measure.h"
#include "../../method/grouping/top_cut.h"
#include "../input/prepare.h"
#include "portable.h"
#include "draw.h"

/* How often each value occurs in the columns that are counted: by code, missing last. */
typedef struct shoal_i_totals {
    size_t column_count;
    uint32_t **counts; /* of each column of the table; NULL: not counted */
} shoal_i_totals;

/* Zeros for the columns of a table that requirements read: the sensitive ones and the records'
 * own k; with all_quasi the quasi columns as well. {0} may be cleared. */
shoal_status shoal_i_totals_init(shoal_ctx *ctx, shoal_i_totals *totals, const shoal_spec *spec,
                                 const shoal_table *table, bool all_quasi);
void shoal_i_totals_clear(shoal_i_totals *totals);

/* Count some records: codes[column][i], NULL for columns that were not read. */
void shoal_i_totals_add(shoal_i_totals *totals, uint32_t *const *codes, size_t count);

/* The k that records ask for, by a column. */
typedef struct shoal_i_own_k {
    bool is_asked;
    size_t column;
    uint32_t *code_of_entry; /* place in ks, of each value of the column */
    uint32_t *ks;            /* ascending, all different */
    size_t count;
} shoal_i_own_k;

typedef struct shoal_i_cut_node {
    uint32_t column; /* of the quasi-identifier; SHOAL_I_LEAF: it is not cut */
    uint32_t code;   /* records with a smaller one go to the front */
    uint32_t front;  /* node; of a leaf: its fragment */
    uint32_t back;
} shoal_i_cut_node;

#define SHOAL_I_LEAF UINT32_MAX

typedef enum shoal_i_fragment_state {
    SHOAL_I_FRAGMENT_FITS,
    SHOAL_I_FRAGMENT_WHOLE, /* larger than asked for, and no cut is allowed */
    SHOAL_I_FRAGMENT_LARGE, /* to be asked about */
    SHOAL_I_FRAGMENT_VALUES,
    SHOAL_I_FRAGMENT_SIDES
} shoal_i_fragment_state;

typedef struct shoal_i_fragment {
    uint32_t node;
    uint64_t size;    /* records */
    uint64_t persons; /* where they are counted; else 0 */
    shoal_i_fragment_state state;
    bool is_asked;         /* in this round */
    shoal_i_top_cut *cuts; /* to be tried: those that cost little, then mondrian's */
    size_t cut_count;
    size_t cheap_count;
    size_t tried; /* cuts before this one are not allowed */
    size_t trial; /* as many from there on are on trial */
} shoal_i_fragment;

struct shoal_division {
    const shoal_spec *spec;
    shoal_i_prepared prepared; /* its table has no codes */
    shoal_i_totals totals;
    shoal_i_own_k own_k;
    /* What requirements count beside sizes: columns of values, and where a record has them. */
    shoal_i_tally_source counted;
    size_t counted_columns[SHOAL_I_TALLY_INPUTS_MAX]; /* of the table */
    uint32_t *named[SHOAL_I_TALLY_INPUTS_MAX]; /* of values that a requirement joins: 1 for each
                                                  that it names; NULL: none are joined */
    const uint32_t *value_of[SHOAL_I_TALLY_INPUTS_MAX]; /* of codes of the table, where texts
                                                           are the same (sensitive.h); NULL */
    uint32_t joined[SHOAL_I_TALLY_INPUTS_MAX][2];   /* of these: persons with another value, and
                                                       with one that is named */
    double whole_figures[SHOAL_I_REQUIREMENTS_MAX]; /* of all records as one class */
    size_t *sampled; /* columns of the table: those of the quasi-identifier, and the counted */
    size_t sampled_count;  /* behind their codes a sample has whose record it is, in two */
    bool is_exact;         /* cuts are mondrian's own */
    bool counts_persons;   /* prepared.persons has their number and their column, which has no
                              values here where parts are tables */
    size_t round_bytes;    /* that the answers of a round may take */
    uint64_t most_sampled; /* records of a fragment */
    uint64_t seed;         /* of the search for cuts */
    shoal_i_cut_node *nodes;
    size_t node_count;
    shoal_i_fragment *fragments;
    size_t count;
    char spec_digest[SHOAL_I_SHA256_HEX];
    char base_digest[SHOAL_I_SHA256_HEX]; /* of all but the cuts; "" where nothing is written */
};

/* Some records: codes[column of the table][i], NULL for columns that are not read. */
typedef struct shoal_i_batch {
    uint32_t *const *codes;
    size_t count;
    const uint64_t *persons; /* where they are counted: equal where the person is; 0: one of its
                                own */
} shoal_i_batch;

#define SHOAL_I_BATCH_MAX 4096

/* --- Building (division_build.c). -------------------------------------------------------- */

/* Why a spec cannot be divided: "the methods ... only"; NULL when it can. */
const char *shoal_i_division_refusal(const shoal_spec *spec);

/* A division of one fragment, which owns nothing yet; set prepared.table and prepared.roles
 * (shoal_i_prepare_roles), and prepared.hierarchies where they are known, then bind. */
shoal_status shoal_i_division_new(shoal_ctx *ctx, shoal_division **out, const shoal_spec *spec);

/* Let persons be counted, of which there are so many in parts that are tables: these tell them
 * apart, and the division has no names. prepared.table is set. */
void shoal_i_division_count_persons(shoal_division *division, uint64_t persons);

/* Build hierarchies, unless they are there, the quasi-identifier and requirements, by totals
 * that are set. To count persons, set counts_persons, count and column of prepared.persons and
 * totals of persons before, and `joined` and check what is possible then.
 * SHOAL_EUNSATISFIABLE: not even all records as one class would hold. */
shoal_status shoal_i_division_bind(shoal_ctx *ctx, shoal_division *division,
                                   shoal_hierarchy **sensitive_hierarchies);

/* Set `joined`: of the requirements that join values, in their order; and check what is
 * possible. */
shoal_status shoal_i_division_join(shoal_ctx *ctx, shoal_division *division,
                                   const uint64_t (*joined)[2], size_t count);

/* Fails as bind does, which does it where persons are not counted; sets whole_figures. */
shoal_status shoal_i_division_check_possible(shoal_ctx *ctx, shoal_division *division);

/* The code of a record in a quasi column. */
static inline uint32_t shoal_i_batch_code(const shoal_division *division,
                                          const shoal_i_batch *batch, size_t c, size_t i)
{
    const shoal_i_quasi_column *column = &division->prepared.quasi->columns[c];

    return column->code_of_entry[batch->codes[column->column][i]];
}

/* The value of a code of the table in active column a of `counted`. */
static inline uint32_t shoal_i_division_value(const shoal_division *division, size_t a,
                                              uint32_t entry)
{
    return division->value_of[a] ? division->value_of[a][entry] : entry;
}

/* The code that a record has in active column a of `counted`. */
static inline uint32_t shoal_i_batch_counted(const shoal_division *division,
                                             const shoal_i_batch *batch, size_t a, size_t i)
{
    uint32_t entry =
        shoal_i_division_value(division, a, batch->codes[division->counted_columns[a]][i]);
    bool is_k = division->counted.active[a].column == division->counted.column_count;

    if (division->named[a]) {
        return division->named[a][entry];
    }
    return is_k ? division->own_k.code_of_entry[entry] : entry;
}

/* Whether persons are counted, who may have several records. */
static inline bool shoal_i_division_counts_persons(const shoal_division *division)
{
    return division->counts_persons;
}

/* How many codes tell a sampled record. */
static inline size_t shoal_i_sample_width(const shoal_division *division)
{
    return division->sampled_count + (division->counts_persons ? 2 : 0);
}

/* --- Counting (fragment_counts.c). ------------------------------------------------------- */

/* The answer of some records to the question of one fragment. */
typedef struct shoal_i_part_answer {
    size_t fragment;
    uint32_t *cells;
    size_t cell_count;
    shoal_i_draw sample; /* with the values, where cuts are searched for */
} shoal_i_part_answer;

struct shoal_counts {
    size_t count;
    shoal_i_part_answer *answers;    /* of the fragments that are asked, in their order */
    char digest[SHOAL_I_SHA256_HEX]; /* of the division; "" where nobody asks */
};

/* Zeros. {0} may be cleared. */
shoal_status shoal_i_part_counts_init(shoal_ctx *ctx, struct shoal_counts *counts,
                                      const shoal_division *division);
void shoal_i_part_counts_clear(struct shoal_counts *counts);

/* Who counts: what the answers look like, made once for many batches. */
typedef struct shoal_i_counter shoal_i_counter;
shoal_status shoal_i_counter_new(shoal_ctx *ctx, shoal_i_counter **out,
                                 const shoal_division *division, struct shoal_counts *counts);
void shoal_i_counter_free(shoal_i_counter *counter);
shoal_status shoal_i_counter_add(shoal_ctx *ctx, shoal_i_counter *counter,
                                 const shoal_i_batch *batch);

/* How many cells the answer of a fragment has. */
size_t shoal_i_answer_cells(const shoal_division *division, const shoal_i_fragment *fragment);

/* --- Cutting (division_cut.c, cheap_cuts.c, cut_trial.c). -------------------------------- */

/* Take the answers of all records, unless they are NULL, make the cuts that they allow, and ask
 * about fragments of more than most_records. *open: fragments that are not done. */
shoal_status shoal_i_division_cut(shoal_ctx *ctx, size_t *open, shoal_division *division,
                                  const struct shoal_counts *counts, uint64_t most_records);

/* Cuts that leave at least a quarter of the records on both sides, those first that divide the
 * fewest classes of the sample and the records most evenly; free *cuts. */
shoal_status shoal_i_list_cheap_cuts(shoal_ctx *ctx, shoal_i_top_cut **cuts, size_t *count,
                                     const shoal_division *division, shoal_i_draw *sample,
                                     uint64_t *const *counts, uint64_t total);

/* Cuts on trial: the segments that they part each column into. */
typedef struct shoal_i_trial shoal_i_trial;
shoal_status shoal_i_trial_new(shoal_ctx *ctx, shoal_i_trial **out,
                               const shoal_division *division,
                               const shoal_i_fragment *fragment);
void shoal_i_trial_free(shoal_i_trial *trial);
size_t shoal_i_trial_segment_size(const shoal_division *division);

/* Count a record of a batch into the cells of a trial. */
void shoal_i_trial_count(const shoal_i_trial *trial, uint32_t *cells,
                         const shoal_i_batch *batch, size_t i);

/* The person whose records are being counted; {0} may be cleared. */
typedef struct shoal_i_person_at {
    const shoal_i_trial *trial; /* NULL: nobody yet */
    uint64_t person;
    shoal_i_interval *seen; /* segments of each quasi column that the person was seen in;
                               then the same of each value, one after the other */
    size_t room;            /* values for which there is some */
    struct shoal_i_person_values {
        uint32_t *places;  /* of each value: its place in present */
        uint32_t *present; /* values of the person */
        uint32_t *numbers; /* of each of them: its number in seen */
        size_t count;
    } values[SHOAL_I_TALLY_INPUTS_MAX]; /* of each active column */
    size_t value_count;
} shoal_i_person_at;

shoal_status shoal_i_person_at_init(shoal_ctx *ctx, shoal_i_person_at *at,
                                    const shoal_division *division);
void shoal_i_person_at_clear(shoal_i_person_at *at);

/* The same where persons are counted, one person of a fragment after the other. */
shoal_status shoal_i_trial_count_person(shoal_ctx *ctx, shoal_i_person_at *at,
                                        const shoal_i_trial *trial, uint32_t *cells,
                                        const shoal_i_batch *batch, size_t i);

/* The first cut on trial whose sides both hold, by the cells of all records; the number of cuts
 * on trial when none does. With prefers_room the first whose sides are not much nearer to what
 * is forbidden than the whole table is; if there is none, the one whose sides are the least so.
 * SHOAL_EINVAL: the cells are not those of all records of the fragment. */
shoal_status shoal_i_trial_judge(shoal_ctx *ctx, size_t *found, const shoal_i_trial *trial,
                                 const uint32_t *cells, bool prefers_room);

/* How many persons are on the sides of a cut on trial, front and back; 0 where they are not
 * counted. */
void shoal_i_trial_persons(uint64_t persons[2], const shoal_i_trial *trial,
                           const uint32_t *cells, size_t cut);

/* --- Routing and solving (division_solve.c). --------------------------------------------- */

/* The fragment of record i of a batch. */
static inline uint32_t shoal_i_division_find(const shoal_division *division,
                                             const shoal_i_batch *batch, size_t i)
{
    const shoal_i_cut_node *node = division->nodes;

    while (node->column != SHOAL_I_LEAF) {
        bool is_front = shoal_i_batch_code(division, batch, node->column, i) < node->code;

        node = &division->nodes[is_front ? node->front : node->back];
    }
    return node->front;
}

/* What requirements count about the records of a part of the table. */
typedef struct shoal_i_part_source {
    shoal_i_tally_source source;
    shoal_i_sensitive *sensitive;
    size_t sensitive_count;
    uint32_t *record_k;
    shoal_i_persons persons;
} shoal_i_part_source;

/* Whose each record of a part is: below count, equal where the person is. */
typedef struct shoal_i_names {
    const uint32_t *of;
    size_t count;
} shoal_i_names;

/* {0} may be cleared; the part is borrowed. names: where persons are counted; else NULL. */
shoal_status shoal_i_part_source_init(shoal_ctx *ctx, shoal_i_part_source *out,
                                      const shoal_division *division, const shoal_table *part,
                                      const shoal_i_names *names);
void shoal_i_part_source_clear(shoal_i_part_source *source);

/* Solve records of one fragment: a table with the dictionaries of the division (table_part.h)
 * and its quasi-identifier. names: where persons are counted. */
shoal_status shoal_i_division_solve(shoal_ctx *ctx, shoal_i_release **out,
                                    const shoal_division *division, const shoal_i_quasi *quasi,
                                    const shoal_i_names *names);

#endif /* SHOAL_I_DIVISION_H */

/* Specialize: top-down local recoding for (alpha, k)-anonymity, and for any other requirement.
 *
 * R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang, "(alpha, k)-anonymity: an enhanced k-anonymity
 * model for privacy preserving data publishing", KDD 2006, doi:10.1145/1150402.1150499; section
 * 4, "top-down approach".
 *
 * All records start as one group at the roots of all columns. A group tries each column: its
 * records go down to the children of the node they stand at; children that do not meet the
 * requirement return theirs; if what is returned does not meet it either, just enough records
 * of the other children return too, those first that could go down least further. The column
 * that specializes the most records is taken, of equals the one with the fewest branches, then
 * the first; and all resulting groups, what was returned included, go on likewise until none
 * moves.
 *
 * Where the paper leaves something open:
 *   - A group stands at the closest common ancestors of its records. The paper goes down to a
 *     single child step by step; since such a step specializes all records with one branch it
 *     always comes first there, so the groups are the same.
 *   - How far records could go down is looked up on the column that is tried, as the paper
 *     tells it for one column; by all columns it would be a whole run per trial.
 *   - "Just enough" for any requirement: records return that better all that fails, as long as
 *     there are any; then those that better some of it, then those that change nothing (a value
 *     that is still missing may be behind them); none that makes worse what fails. What proves
 *     superfluous in the end goes down again.
 *   - Numbers without a hierarchy: the values directly below the root (numeric=values), or
 *     halves of halves of the sorted values (numeric=halves). Values lose less, by half on
 *     Adult: a column of two branches is taken as soon as all records can follow, and halving
 *     uses up the group before the other columns get their turn. A group is released with the
 *     tight interval of its values either way.
 *   - Groups that end up with equal boxes become one class, so the requirement must be
 *     monotone.
 */

#include "../grouping/recursion.h"
#include "specialize_count.h"
#include "specialize_trial.h"

#include "../../base/fail.h"

#include <string.h>

/* Splits above a range after which it is left whole: a guard for the stack. Trees of real
 * columns have a few dozen levels in all. */
#define DEPTH_MAX 1024

enum { OPTION_NUMERIC };
enum { NUMERIC_VALUES, NUMERIC_HALVES };

typedef struct specializing {
    const shoal_i_problem *problem;
    size_t columns;
    size_t stride;                 /* of codes */
    shoal_i_branching *branchings; /* per column */
    size_t most_ids;               /* of any of them */
    uint64_t smallest_class;
    uint32_t *codes;   /* record after record, one code per quasi column, then one per column
                          that requirements read */
    uint32_t *records; /* the record of each place */
    uint8_t *is_start;
    shoal_i_meter meter;
} specializing;

/* What a column promises: how many records it specializes, at most or exactly, and into how
 * many branches. */
typedef struct outlook {
    size_t specialized;
    size_t branches;
    bool is_exact;
} outlook;

typedef struct scratch {
    shoal_i_specialize_trial trial;
    shoal_i_code_counts counts;
    bool is_counted;   /* the range, by code */
    outlook *outlooks; /* per column */
    size_t *sizes;     /* of the branches, the rest last */
    uint32_t *spare;   /* records on their way to another place */
    uint32_t *lo;      /* per column: smallest and largest code of the range */
    uint32_t *hi;
} scratch;

static void scratch_free(void *space)
{
    scratch *w = space;

    if (w) {
        shoal_i_trial_clear(&w->trial);
        shoal_i_code_counts_clear(&w->counts);
        free(w->outlooks);
        free(w->sizes);
        free(w->spare);
        free(w->lo);
        free(w->hi);
        free(w);
    }
}

static shoal_status scratch_new(shoal_ctx *ctx, void **space, void *payload, size_t count)
{
    shoal_status st = SHOAL_OK;
    const specializing *s = payload;
    size_t branches = count < s->most_ids ? count : s->most_ids;
    scratch *w = NULL;

    *space = NULL;
    SHOAL_ALLOC(ctx, w, 1);
    SHOAL_TRY(shoal_i_trial_init(ctx, &w->trial, s->problem->source, count, s->most_ids));
    SHOAL_TRY(shoal_i_code_counts_init(ctx, &w->counts, s->problem->quasi, s->problem->source,
                                       count));
    SHOAL_ALLOC(ctx, w->outlooks, s->columns);
    SHOAL_ALLOC(ctx, w->sizes, branches + 1);
    SHOAL_ALLOC(ctx, w->spare, count);
    SHOAL_ALLOC(ctx, w->lo, s->columns);
    SHOAL_ALLOC(ctx, w->hi, s->columns);
    *space = w;
    w = NULL;
done:
    scratch_free(w);
    return st;
}

/* Smallest and largest code of each column, and the counts by code if they pay. */
static void look_over(const specializing *s, const shoal_i_subrange *r, scratch *w)
{
    const uint32_t *records = s->records + r->first;
    shoal_i_code_rows rows = {s->codes, s->stride, s->columns};

    w->is_counted = shoal_i_code_counts_pay(&w->counts, r->count);
    if (w->is_counted) {
        shoal_i_code_counts_take(&w->counts, &rows, records, r->count);
        for (size_t c = 0; c < s->columns; c++) {
            shoal_i_code_counts_extent(&w->counts, c, &w->lo[c], &w->hi[c]);
        }
        return;
    }
    memcpy(w->lo, s->codes + records[0] * s->stride, s->columns * sizeof *w->lo);
    memcpy(w->hi, w->lo, s->columns * sizeof *w->hi);
    for (size_t i = 1; i < r->count; i++) {
        const uint32_t *codes = s->codes + records[i] * s->stride;

        for (size_t c = 0; c < s->columns; c++) {
            w->lo[c] = codes[c] < w->lo[c] ? codes[c] : w->lo[c];
            w->hi[c] = codes[c] > w->hi[c] ? codes[c] : w->hi[c];
        }
    }
}

static shoal_i_trial_set make_set(const specializing *s, const shoal_i_subrange *r,
                                  const scratch *w, size_t c)
{
    shoal_i_trial_set set = {
        .problem = s->problem,
        .branching = &s->branchings[c],
        .count = r->count,
        .records = s->records + r->first,
        .codes = s->codes + c,
        .values = s->codes + s->columns,
        .stride = s->stride,
        .lo = w->lo[c],
        .hi = w->hi[c],
        .is_size_enough = s->problem->source->active_count == 0,
        .smallest_class = s->smallest_class,
    };

    if (w->is_counted) {
        size_t first = w->counts.firsts[c];

        set.code_sizes = w->counts.sizes + first;
        set.code_cells = w->counts.cells ? w->counts.cells + first * w->counts.width : NULL;
    }
    return set;
}

static void note_outlook(scratch *w, size_t c)
{
    w->outlooks[c] = (outlook){.specialized = w->trial.specialized,
                               .branches = w->trial.branches,
                               .is_exact = w->trial.is_exact};
}

static void survey_columns(const specializing *s, const shoal_i_subrange *r, scratch *w)
{
    bool is_unbeatable = false; /* all records in two branches */

    for (size_t c = 0; c < s->columns; c++) {
        shoal_i_trial_set set = make_set(s, r, w, c);

        w->outlooks[c] = (outlook){.is_exact = true};
        if (w->lo[c] < w->hi[c] && !is_unbeatable) {
            shoal_i_trial_survey(&w->trial, &set);
            note_outlook(w, c);
            is_unbeatable = w->trial.specialized == r->count && w->trial.branches == 2;
        }
    }
}

/* The column with the best outlook, the first of equals. */
static size_t find_best(const specializing *s, const scratch *w)
{
    size_t best = 0;

    for (size_t c = 1; c < s->columns; c++) {
        const outlook *it = &w->outlooks[c];
        const outlook *other = &w->outlooks[best];

        if (it->specialized > other->specialized ||
            (it->specialized == other->specialized && it->branches < other->branches)) {
            best = c;
        }
    }
    return best;
}

/* Try the column that specializes the most records. Only columns whose outlook is the best
 * are tried in earnest; none can do better than its outlook. */
static bool try_best(const specializing *s, const shoal_i_subrange *r, scratch *w)
{
    size_t tried = s->columns;

    survey_columns(s, r, w);
    for (;;) {
        size_t c = find_best(s, w);
        shoal_i_trial_set set = make_set(s, r, w, c);

        if (w->outlooks[c].specialized == 0) {
            return false;
        }
        if (c != tried) {
            shoal_i_trial_run(&w->trial, &set);
            tried = c;
        }
        if (w->outlooks[c].is_exact) {
            return true;
        }
        note_outlook(w, c);
    }
}

/* Bring the places of the range into the order of their branches, the rest last; sizes become
 * those of the branches. */
static void arrange(const specializing *s, const shoal_i_subrange *r, scratch *w)
{
    uint32_t *records = s->records + r->first;
    uint32_t *spare = w->spare;
    size_t *sizes = w->sizes;
    const uint32_t *branch_of = w->trial.branch_of;
    size_t branch_count = w->trial.branch_count;
    size_t next = 0;

    shoal_i_trial_sizes(&w->trial, sizes);
    for (size_t branch = 0; branch <= branch_count; branch++) {
        size_t size = sizes[branch];

        sizes[branch] = next;
        next += size;
    }
    for (size_t i = 0; i < r->count; i++) {
        size_t branch = branch_of[i] == SHOAL_I_TRIAL_REST ? branch_count : branch_of[i];

        spare[sizes[branch]++] = records[i];
    }
    memcpy(records, spare, r->count * sizeof *records);
    for (size_t branch = branch_count; branch > 0; branch--) {
        sizes[branch] -= sizes[branch - 1];
    }
}

static shoal_status split_range(shoal_ctx *ctx, void *payload, void *space,
                                const shoal_i_subrange *r, shoal_i_parts *parts)
{
    shoal_status st = SHOAL_OK;
    const specializing *s = payload;
    scratch *w = space;

    if (r->count < 2 * s->smallest_class || r->depth >= DEPTH_MAX) {
        return SHOAL_OK;
    }
    look_over(s, r, w);
    if (!try_best(s, r, w)) {
        return SHOAL_OK;
    }
    arrange(s, r, w);
    for (size_t branch = 0; branch <= w->trial.branch_count; branch++) {
        if (w->sizes[branch] > 0) {
            SHOAL_TRY(shoal_i_parts_add(ctx, parts, w->sizes[branch]));
        }
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

static shoal_status load_codes(shoal_ctx *ctx, specializing *s, bool in_halves)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = s->problem->quasi;
    size_t count = s->problem->row_count;
    uint32_t *entries = NULL;

    SHOAL_ALLOC(ctx, entries, count);
    for (size_t c = 0; c < s->columns; c++) {
        const shoal_i_quasi_column *column = &quasi->columns[c];

        SHOAL_TRY(shoal_i_branching_init(ctx, &s->branchings[c], column, in_halves));
        s->most_ids =
            s->branchings[c].id_count > s->most_ids ? s->branchings[c].id_count : s->most_ids;
        shoal_table_codes(quasi->table, column->column, 0, count, entries);
        for (size_t i = 0; i < count; i++) {
            s->codes[i * s->stride + c] = column->code_of_entry[entries[i]];
        }
    }
    for (size_t i = 0; i < count; i++) {
        s->records[i] = (uint32_t)i;
        for (size_t j = 0; j < s->problem->source->active_count; j++) {
            s->codes[i * s->stride + s->columns + j] = s->problem->source->active[j].codes[i];
        }
    }
done:
    free(entries);
    return st;
}

static void clear_specializing(specializing *s)
{
    for (size_t c = 0; s->branchings && c < s->columns; c++) {
        shoal_i_branching_clear(&s->branchings[c]);
    }
    free(s->branchings);
    free(s->codes);
    free(s->records);
    free(s->is_start);
}

static shoal_status run_specialize(shoal_ctx *ctx, shoal_i_release **out,
                                   const shoal_i_problem *problem,
                                   const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    size_t count = problem->row_count;
    size_t cells = 0;
    specializing s = {
        .problem = problem,
        .columns = problem->quasi->count,
        .stride = problem->quasi->count + problem->source->active_count,
        .smallest_class = shoal_i_requirement_smallest_class(problem->requirements),
        .meter = {.stage = "anonymize", .total = count},
    };
    shoal_i_recursion recursion = {
        .split = split_range,
        .scratch_new = scratch_new,
        .scratch_free = scratch_free,
        .payload = &s,
        .meter = &s.meter,
    };

    *out = NULL;
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, count, s.stride));
    SHOAL_ALLOC(ctx, s.branchings, s.columns);
    SHOAL_ALLOC(ctx, s.codes, cells);
    SHOAL_ALLOC(ctx, s.records, count);
    SHOAL_ALLOC(ctx, s.is_start, count);
    SHOAL_TRY(load_codes(ctx, &s, settings->values[OPTION_NUMERIC] == NUMERIC_HALVES));
    recursion.is_start = s.is_start;
    SHOAL_TRY(shoal_i_recurse(ctx, &recursion, count, problem->seed));
    SHOAL_TRY(shoal_i_groups_release(ctx, out, problem->quasi, s.records, s.is_start));
done:
    clear_specializing(&s);
    return st;
}

static const char *const numeric_words[] = {
    [NUMERIC_VALUES] = "values", [NUMERIC_HALVES] = "halves", NULL};

static const shoal_i_method_option options[] = {
    [OPTION_NUMERIC] = {.name = "numeric",
                        .help =
                            "numbers without a hierarchy, values: below *; halves: of halves",
                        .words = numeric_words},
    {.name = NULL},
};

const shoal_i_method shoal_i_specialize = {
    .name = "specialize",
    .summary = "from the roots down the hierarchies, group by group; made for (alpha,k)",
    .citation = "Wong, Li, Fu and Wang, KDD 2006, doi:10.1145/1150402.1150499",
    .cost = "O(n * columns * depth of the hierarchies)",
    .options = options,
    .run = run_specialize,
};

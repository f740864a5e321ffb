#include "exact_subsets.h"

#include "../../base/fail.h"
#include "../../base/pool.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Memory is 21 bytes per set, and a pair takes a few nanoseconds. */
#define SETS_MAX (1 << 23)
#define PAIRS_MAX 6e9

/* Sets that a task judges or solves. */
#define CHUNK 2048

#define KINDS_MAX SHOAL_I_EXACT_RECORDS_MAX

typedef struct subsets {
    const shoal_i_exact_kinds *kinds;
    size_t set_count;
    uint32_t values[KINDS_MAX]; /* place value of each kind */
    uint8_t *sizes;             /* records of each set */
    double *costs;              /* of each set as a group; infinite when it does not hold */
    double *best;               /* cost of the best partition of each set */
    uint32_t *groups;           /* first group of that partition */
    size_t largest;             /* group worth trying */
    size_t level;               /* size of the sets that are being solved */
    shoal_i_meter meter;
} subsets;

/* --- Kinds. ------------------------------------------------------------------------------- */

static bool is_same_kind(const shoal_i_problem *problem, uint32_t a, uint32_t b)
{
    const shoal_i_quasi *quasi = problem->quasi;
    const shoal_i_tally_source *source = problem->source;

    for (size_t c = 0; c < quasi->count; c++) {
        if (quasi->columns[c].weight > 0 &&
            shoal_i_quasi_code(quasi, c, a) != shoal_i_quasi_code(quasi, c, b)) {
            return false;
        }
    }
    for (size_t i = 0; i < source->active_count; i++) {
        if (source->active[i].codes[a] != source->active[i].codes[b]) {
            return false;
        }
    }
    return true;
}

shoal_i_exact_kinds shoal_i_exact_find_kinds(const shoal_i_problem *problem)
{
    shoal_i_exact_kinds kinds = {.problem = problem};

    assert(problem->row_count <= SHOAL_I_EXACT_RECORDS_MAX);
    for (uint32_t row = 0; row < problem->row_count; row++) {
        uint32_t kind = 0;

        while (kind < kinds.count && !is_same_kind(problem, row, kinds.example[kind])) {
            kind++;
        }
        if (kind == kinds.count) {
            kinds.example[kind] = row;
            kinds.count++;
        }
        kinds.kind_of[row] = kind;
        kinds.sizes[kind]++;
    }
    return kinds;
}

double shoal_i_exact_pairs(const shoal_i_exact_kinds *kinds)
{
    double pairs = 1 / 6.0; /* two thirds are of sets that are not needed */

    for (size_t i = 0; i < kinds->count; i++) {
        pairs *= (kinds->sizes[i] + 1) * (kinds->sizes[i] + 2) / 2.0;
    }
    return pairs;
}

bool shoal_i_exact_is_feasible(const shoal_i_exact_kinds *kinds)
{
    double sets = 1;

    for (size_t i = 0; i < kinds->count; i++) {
        sets *= kinds->sizes[i] + 1;
    }
    return sets <= SETS_MAX && shoal_i_exact_pairs(kinds) <= PAIRS_MAX;
}

/* --- Cost and requirement of every set. --------------------------------------------------- */

/* A set that is counted up from number to number. */
typedef struct counter {
    uint8_t digits[KINDS_MAX];
    shoal_i_tally tally;
} counter;

static void set_counter(const subsets *s, counter *at, size_t set)
{
    shoal_i_tally_empty(&at->tally);
    for (size_t i = 0; i < s->kinds->count; i++) {
        at->digits[i] = (uint8_t)(set / s->values[i] % (s->kinds->sizes[i] + 1u));
        for (size_t j = 0; j < at->digits[i]; j++) {
            shoal_i_tally_add(&at->tally, s->kinds->example[i]);
        }
    }
}

static void count_up(const subsets *s, counter *at)
{
    for (size_t i = 0; i < s->kinds->count; i++) {
        if (at->digits[i] < s->kinds->sizes[i]) {
            at->digits[i]++;
            shoal_i_tally_add(&at->tally, s->kinds->example[i]);
            return;
        }
        for (; at->digits[i] > 0; at->digits[i]--) {
            shoal_i_tally_remove(&at->tally, s->kinds->example[i]);
        }
    }
}

/* The loss of a record in the smallest box around a set. */
static double box_loss(const subsets *s, const counter *at)
{
    const shoal_i_quasi *quasi = s->kinds->problem->quasi;
    double sum = 0;

    for (size_t c = 0; c < quasi->count; c++) {
        uint32_t lo = UINT32_MAX;
        uint32_t hi = 0;

        for (size_t i = 0; i < s->kinds->count; i++) {
            if (at->digits[i] > 0) {
                uint32_t code = shoal_i_quasi_code(quasi, c, s->kinds->example[i]);

                lo = code < lo ? code : lo;
                hi = code > hi ? code : hi;
            }
        }
        sum += quasi->columns[c].weight * shoal_i_quasi_loss(&quasi->columns[c], lo, hi);
    }
    return sum;
}

static size_t chunk_end(const subsets *s, size_t chunk)
{
    size_t end = (chunk + 1) * CHUNK;

    return end < s->set_count ? end : s->set_count;
}

/* Judge the sets of a chunk; the empty set, number 0, is no group. */
static shoal_status judge_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    shoal_status st = SHOAL_OK;
    subsets *s = payload;
    counter at = {.digits = {0}};

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    SHOAL_TRY(shoal_i_tally_init(ctx, &at.tally, s->kinds->problem->source));
    set_counter(s, &at, chunk * CHUNK);
    for (size_t set = chunk * CHUNK; set < chunk_end(s, chunk); set++) {
        bool holds = set > 0 && shoal_i_requirement_holds(s->kinds->problem->requirements,
                                                          &at.tally.stats);

        s->sizes[set] = (uint8_t)at.tally.stats.size;
        s->costs[set] =
            holds ? (double)at.tally.stats.size * box_loss(s, &at) : (double)INFINITY;
        count_up(s, &at);
    }
done:
    shoal_i_tally_clear(&at.tally);
    return st;
}

/* --- The best partition of every set. ----------------------------------------------------- */

/* The kinds that a set has, the last one with the largest place value. */
typedef struct digits {
    size_t count;
    size_t last_kind;
    uint32_t values[KINDS_MAX];
    uint8_t sizes[KINDS_MAX];
} digits;

static digits list_digits(const subsets *s, size_t set)
{
    digits d = {.count = 0};

    for (size_t i = 0; i < s->kinds->count; i++) {
        uint8_t size = (uint8_t)(set / s->values[i] % (s->kinds->sizes[i] + 1u));

        if (size > 0) {
            d.last_kind = i;
            d.values[d.count] = s->values[i];
            d.sizes[d.count++] = size;
        }
    }
    return d;
}

/* Whether the partition of all records may come to a set. Every group taken before it had a
 * record of the last kind then left: of the set's last kind or a later one. So no more groups
 * were taken than such records are gone. */
static bool is_needed(const subsets *s, size_t set, const digits *d)
{
    size_t rest = s->set_count - 1 - set;
    size_t gone = s->kinds->sizes[d->last_kind] - d->sizes[d->count - 1];

    for (size_t i = d->last_kind + 1; i < s->kinds->count; i++) {
        gone += s->kinds->sizes[i];
    }
    if (gone < 2) {
        return rest == 0 || (gone == 1 && s->costs[rest] < (double)INFINITY);
    }
    return s->sizes[rest] <= gone * s->largest;
}

/* A group of a set, and the number of records of each of the set's kinds in it. */
typedef struct walk {
    size_t group;
    size_t size;
    uint8_t taken[KINDS_MAX];
} walk;

static inline void drop_kind(walk *w, const digits *d, size_t i)
{
    w->group -= (size_t)w->taken[i] * d->values[i];
    w->size -= w->taken[i];
    w->taken[i] = 0;
}

/* Go on to the next group in the order of numbers that has at most `largest` records; false
 * behind the last. Groups between that contain the one at hand are passed over when it is that
 * large. */
static inline bool next_group(walk *w, const digits *d, size_t largest)
{
    size_t i = 0;

    if (w->size == largest) {
        while (w->taken[i] == 0) {
            i++;
        }
        drop_kind(w, d, i++);
    }
    while (i < d->count && w->taken[i] == d->sizes[i]) {
        drop_kind(w, d, i++);
    }
    if (i == d->count) {
        return false;
    }
    w->taken[i]++;
    w->size++;
    w->group += d->values[i];
    return true;
}

/* Try every group of the set that has a record of its last kind and is not too large. */
static void solve_set(subsets *s, size_t set, const digits *d)
{
    walk w = {.group = d->values[d->count - 1], .size = 1};
    double best = INFINITY;
    size_t best_group = set;

    w.taken[d->count - 1] = 1;
    do {
        double cost = s->costs[w.group] + s->best[set - w.group];

        if (cost < best) {
            best = cost;
            best_group = w.group;
        }
    } while (next_group(&w, d, s->largest));
    s->best[set] = best;
    s->groups[set] = (uint32_t)best_group;
}

static shoal_status solve_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    shoal_status st = SHOAL_OK;
    subsets *s = payload;
    size_t solved = 0;

    for (size_t set = chunk * CHUNK; set < chunk_end(s, chunk); set++) {
        if (s->sizes[set] == s->level) {
            digits d = list_digits(s, set);

            if (is_needed(s, set, &d)) {
                solve_set(s, set, &d);
            } else {
                s->best[set] = INFINITY;
            }
            solved++;
        }
    }
    SHOAL_TRY(shoal_i_meter_add(ctx, &s->meter, solved));
done:
    return st;
}

/* When only sizes matter, a group twice as large as it must be can be parted for nothing. */
static size_t largest_group(const shoal_i_problem *problem)
{
    uint64_t smallest = shoal_i_requirement_smallest_class(problem->requirements);

    return problem->source->active_count == 0 && 2 * smallest <= problem->row_count
               ? (size_t)(2 * smallest - 1)
               : problem->row_count;
}

/* Sets of one size depend on smaller ones only, so they are solved side by side. */
static shoal_status solve_all(shoal_ctx *ctx, subsets *s)
{
    shoal_status st = SHOAL_OK;
    size_t chunks = (s->set_count + CHUNK - 1) / CHUNK;

    SHOAL_TRY(shoal_i_parallel_for(ctx, chunks, judge_chunk, s));
    for (s->level = 1; s->level <= s->kinds->problem->row_count; s->level++) {
        SHOAL_TRY(shoal_i_parallel_for(ctx, chunks, solve_chunk, s));
    }
done:
    return st;
}

/* Give the records of a group, so many of each kind, the group's number. */
static void name_group(const subsets *s, uint32_t *group_of, size_t group, uint32_t number)
{
    for (size_t i = 0; i < s->kinds->count; i++) {
        size_t wanted = group / s->values[i] % (s->kinds->sizes[i] + 1u);

        for (size_t row = 0; wanted > 0; row++) {
            if (s->kinds->kind_of[row] == i && group_of[row] == UINT32_MAX) {
                group_of[row] = number;
                wanted--;
            }
        }
    }
}

shoal_status shoal_i_exact_subsets(shoal_ctx *ctx, uint32_t *group_of, size_t *group_count,
                                   const shoal_i_exact_kinds *kinds)
{
    shoal_status st = SHOAL_OK;
    subsets s = {.kinds = kinds, .set_count = 1, .meter = {.stage = "anonymize"}};

    assert(shoal_i_exact_is_feasible(kinds));
    for (size_t i = 0; i < kinds->count; i++) {
        s.values[i] = (uint32_t)s.set_count;
        s.set_count *= kinds->sizes[i] + 1u;
    }
    s.meter.total = s.set_count;
    s.largest = largest_group(kinds->problem);
    SHOAL_ALLOC(ctx, s.sizes, s.set_count);
    SHOAL_ALLOC(ctx, s.costs, s.set_count);
    SHOAL_ALLOC(ctx, s.best, s.set_count);
    SHOAL_ALLOC(ctx, s.groups, s.set_count);
    SHOAL_TRY(solve_all(ctx, &s));
    memset(group_of, 0xff, kinds->problem->row_count * sizeof *group_of);
    *group_count = 0;
    for (size_t set = s.set_count - 1; set > 0; set -= s.groups[set]) {
        name_group(&s, group_of, s.groups[set], (uint32_t)(*group_count)++);
    }
done:
    free(s.sizes);
    free(s.costs);
    free(s.best);
    free(s.groups);
    return st;
}

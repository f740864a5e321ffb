#include "incognito_search.h"

#include "../../base/bitset.h"
#include "../../base/pool.h"

#include <string.h>

/* Nodes over all sets of columns: one byte each, and hours of work beyond. */
#define NODES_MAX ((size_t)1 << 26)

/* Projections are made of up to so many columns; beyond, nodes start from all columns. */
#define CUBE_COLUMNS_MAX 16

/* Counts kept for roll-ups, and projections, each take at most this many times the memory of
 * those of the table, and always at least so much. Nodes whose counts were not kept cost more,
 * no more. */
#define KEPT_TIMES 8
#define KEPT_LEAST ((size_t)64 << 20)

/* --- Nodes. -------------------- */

uint8_t shoal_i_search_digit(const shoal_i_search *s, size_t number, size_t c)
{
    return (uint8_t)(number / s->strides[c] % (s->levels.columns[c].level_count + 1));
}

void shoal_i_search_read(const shoal_i_search *s, size_t number, uint8_t *node)
{
    for (size_t c = 0; c < s->levels.count; c++) {
        node[c] = shoal_i_search_digit(s, number, c);
    }
}

static shoal_status number_nodes(shoal_ctx *ctx, shoal_i_search *s)
{
    shoal_status st = SHOAL_OK;
    double count = 1;

    for (size_t c = 0; c < s->levels.count; c++) {
        count *= (double)s->levels.columns[c].level_count + 1;
    }
    if (count > (double)NODES_MAX) {
        return shoal_i_fail(
            ctx, SHOAL_ELIMIT,
            "Method 'incognito' looks at up to %zu combinations of columns and "
            "levels, and these columns have %.3g; take fewer columns or levels, "
            "or a method of local recoding such as 'specialize' or 'topdown'.",
            NODES_MAX, count);
    }
    SHOAL_ALLOC(ctx, s->strides, s->levels.count);
    s->node_count = 1;
    for (size_t c = s->levels.count; c-- > 0;) {
        s->strides[c] = s->node_count;
        s->node_count *= s->levels.columns[c].level_count + 1;
    }
    SHOAL_ALLOC(ctx, s->facts, s->node_count);
    s->facts[0] = SHOAL_I_NODE_PASSES;
done:
    return st;
}

/* Whether a node passes without each of its columns, or, where the search takes all columns at
 * once, with each of them alone. */
static bool is_candidate(const shoal_i_search *s, size_t number)
{
    for (size_t c = 0; c < s->levels.count; c++) {
        size_t part = shoal_i_search_digit(s, number, c) * s->strides[c];
        size_t smaller = s->is_strict || s->size == 1 ? number - part : part;

        if (part > 0 && !(s->facts[smaller] & SHOAL_I_NODE_PASSES)) {
            return false;
        }
    }
    return true;
}

/* The facts of the nodes one level below, together. */
static uint8_t facts_below(const shoal_i_search *s, size_t number)
{
    uint8_t facts = 0;

    for (size_t c = 0; c < s->levels.count; c++) {
        if (shoal_i_search_digit(s, number, c) > 1) {
            facts |= s->facts[number - s->strides[c]];
        }
    }
    return facts;
}

/* --- Generations. -------------------- */

static void clear_generation(shoal_i_generation *g)
{
    for (size_t i = 0; i < g->count; i++) {
        shoal_i_counts_clear(&g->candidates[i].counts);
    }
    free(g->candidates);
    *g = (shoal_i_generation){0};
}

static shoal_status add_candidate(shoal_ctx *ctx, shoal_i_generation *g, shoal_i_candidate it)
{
    if (g->count == g->capacity) {
        size_t capacity = g->capacity ? 2 * g->capacity : 16;
        shoal_i_candidate *grown = shoal_i_realloc(ctx, g->candidates, capacity, sizeof *grown);

        if (!grown) {
            return SHOAL_ENOMEM;
        }
        g->candidates = grown;
        g->capacity = capacity;
    }
    g->candidates[g->count++] = it;
    return SHOAL_OK;
}

/* Find the candidates that extend a node over the columns before c by `size` more columns and
 * `height` more levels. */
static shoal_status find_candidates(shoal_ctx *ctx, shoal_i_search *s, size_t number, size_t c,
                                    size_t size, size_t height)
{
    shoal_status st = SHOAL_OK;

    s->steps++;
    if (size == 0) {
        if (height == 0 && is_candidate(s, number)) {
            bool is_marked = facts_below(s, number) & SHOAL_I_NODE_PASSES;

            SHOAL_TRY(add_candidate(
                ctx, &s->now, (shoal_i_candidate){.number = number, .is_marked = is_marked}));
        }
        return SHOAL_OK;
    }
    if (s->levels.count - c < size) {
        return SHOAL_OK;
    }
    /* What was taken so far is a node of fewer columns itself. */
    if (s->is_strict && !(s->facts[number] & SHOAL_I_NODE_PASSES)) {
        return SHOAL_OK;
    }
    SHOAL_TRY(find_candidates(ctx, s, number, c + 1, size, height));
    for (size_t level = 0; level < s->levels.columns[c].level_count && level <= height;
         level++) {
        SHOAL_TRY(find_candidates(ctx, s, number + (level + 1) * s->strides[c], c + 1, size - 1,
                                  height - level));
    }
done:
    return st;
}

/* The counts kept of a node of the generation before, or NULL. */
static const shoal_i_counts *find_kept(const shoal_i_search *s, size_t number)
{
    size_t low = 0;

    for (size_t high = s->before.count; low < high;) {
        size_t middle = low + (high - low) / 2;

        if (s->before.candidates[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == s->before.count || s->before.candidates[low].number != number ||
        s->before.candidates[low].counts.class_count == 0) {
        return NULL;
    }
    return &s->before.candidates[low].counts;
}

/* Counts that a node can be rolled up from, and their node. */
typedef struct source {
    const shoal_i_counts *counts;
    uint8_t *node;
} source;

static void set_projected_node(const shoal_i_search *s, uint8_t *node, size_t columns)
{
    for (size_t c = 0; c < s->levels.count; c++) {
        node[c] = columns >> c & 1 ? s->base_node[c] : 0;
    }
}

/* The projection to the columns of a node, or if there is none the base. */
static void find_projection(const shoal_i_search *s, source *out, size_t number)
{
    size_t columns = 0;

    out->counts = &s->base;
    memcpy(out->node, s->base_node, s->levels.count);
    for (size_t c = 0; s->cube && c < s->levels.count; c++) {
        columns |= (size_t)(shoal_i_search_digit(s, number, c) > 0) << c;
    }
    if (s->cube && s->cube[columns].class_count > 0) {
        out->counts = &s->cube[columns];
        set_projected_node(s, out->node, columns);
    }
}

/* The smallest one that a node can be rolled up from. */
static void find_source(const shoal_i_search *s, source *out, size_t number)
{
    find_projection(s, out, number);
    for (size_t c = 0; c < s->levels.count; c++) {
        if (shoal_i_search_digit(s, number, c) > 1) {
            const shoal_i_counts *counts = find_kept(s, number - s->strides[c]);

            if (counts && counts->class_count < out->counts->class_count) {
                out->counts = counts;
                shoal_i_search_read(s, number - s->strides[c], out->node);
            }
        }
    }
}

/* Keep what was made for others to be rolled up from, as far as memory is allowed for it. */
static shoal_status keep_counts(shoal_ctx *ctx, shoal_i_search *s, shoal_i_counts *out,
                                const shoal_i_roller *roller)
{
    size_t bytes = shoal_i_counts_bytes(&roller->made);

    if (__atomic_add_fetch(&s->kept_bytes, bytes, __ATOMIC_RELAXED) > s->kept_most) {
        __atomic_sub_fetch(&s->kept_bytes, bytes, __ATOMIC_RELAXED);
        return SHOAL_OK;
    }
    return shoal_i_roller_copy(ctx, out, roller);
}

static shoal_i_judging choose_judging(const shoal_i_search *s)
{
    if (s->is_strict) {
        return SHOAL_I_JUDGE_FIRST;
    }
    return s->size == s->levels.count ? SHOAL_I_JUDGE_ALL : SHOAL_I_JUDGE_SIZES;
}

/* Whether counts of a node serve those above it: not when they are all marked. */
static bool is_worth_keeping(const shoal_i_search *s, const shoal_i_candidate *it)
{
    return !it->passes || (!s->is_strict && s->size == s->levels.count);
}

static shoal_status judge_candidate(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    shoal_i_search *s = payload;
    shoal_i_candidate *it = &s->now.candidates[index];
    shoal_i_roller *roller = &s->rollers[ctx->worker];
    bool is_full = s->size == s->levels.count;
    uint8_t *node = NULL;
    source from = {0};

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    it->passes = it->is_marked;
    if (it->is_marked && (s->is_strict || !is_full)) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, node, 2 * s->levels.count);
    shoal_i_search_read(s, it->number, node);
    from.node = node + s->levels.count;
    find_source(s, &from, it->number);
    shoal_i_roll_up(roller, from.counts, from.node, node, choose_judging(s));
    it->passes = s->is_strict ? roller->violating == 0 : roller->small <= s->allowed;
    if (is_full) {
        it->is_accepted =
            s->is_strict ? it->passes : roller->violating <= s->allowed && roller->may_suppress;
        it->cost = shoal_i_levels_total(&s->levels, node) + roller->extra;
    }
    if (is_worth_keeping(s, it)) {
        SHOAL_TRY(keep_counts(ctx, s, &it->counts, roller));
    }
done:
    free(node);
    return st;
}

/* Write down what came of the candidates, in their order. */
static void note_facts(shoal_i_search *s)
{
    bool is_full = s->size == s->levels.count;

    for (size_t i = 0; i < s->now.count; i++) {
        const shoal_i_candidate *it = &s->now.candidates[i];
        bool is_above =
            facts_below(s, it->number) & (SHOAL_I_NODE_ACCEPTED | SHOAL_I_NODE_ABOVE);
        uint8_t facts = 0;

        facts |= it->passes ? SHOAL_I_NODE_PASSES : 0;
        facts |= it->is_accepted ? SHOAL_I_NODE_ACCEPTED : 0;
        facts |= is_full && is_above ? SHOAL_I_NODE_ABOVE : 0;
        s->facts[it->number] = facts;
        s->judged += !it->is_marked || (is_full && !s->is_strict);
        if (it->is_accepted && (!s->has_best || it->cost < s->best_cost ||
                                (it->cost == s->best_cost && it->number < s->best))) {
            s->has_best = true;
            s->best = it->number;
            s->best_cost = it->cost;
        }
    }
}

bool shoal_i_search_gave_up(const shoal_i_search *s)
{
    return s->steps_most > 0 && s->steps > s->steps_most;
}

/* What judging the candidates takes at most: each may have to be rolled up from the base. */
static void count_judging(shoal_i_search *s)
{
    bool judges_all = s->size == s->levels.count && !s->is_strict;

    for (size_t i = 0; i < s->now.count; i++) {
        if (judges_all || !s->now.candidates[i].is_marked) {
            s->steps += (double)s->base.class_count;
        }
    }
}

static shoal_status run_generation(shoal_ctx *ctx, shoal_i_search *s)
{
    shoal_status st = SHOAL_OK;
    shoal_i_generation old = s->before;

    SHOAL_TRY(find_candidates(ctx, s, 0, 0, s->size, s->height));
    count_judging(s);
    if (shoal_i_search_gave_up(s)) {
        return SHOAL_OK;
    }
    s->kept_bytes = 0;
    SHOAL_TRY(shoal_i_parallel_for(ctx, s->now.count, judge_candidate, s));
    note_facts(s);
    s->before = s->now;
    s->now = (shoal_i_generation){0};
    clear_generation(&old);
done:
    return st;
}

/* --- The search. -------------------- */

/* No node passes that takes a column at a level that does not pass alone: the counts that
 * others start from need not be finer. */
static shoal_status raise_base(shoal_ctx *ctx, shoal_i_search *s)
{
    shoal_status st = SHOAL_OK;
    shoal_i_counts raised = {0};
    uint8_t *node = NULL;

    SHOAL_ALLOC(ctx, node, s->levels.count);
    for (size_t c = 0; c < s->levels.count; c++) {
        node[c] = 1;
        while (node[c] < s->levels.columns[c].level_count &&
               !(s->facts[node[c] * s->strides[c]] & SHOAL_I_NODE_PASSES)) {
            node[c]++;
        }
    }
    shoal_i_roll_up(&s->rollers[0], &s->base, s->base_node, node, SHOAL_I_JUDGE_NONE);
    SHOAL_TRY(shoal_i_roller_copy(ctx, &raised, &s->rollers[0]));
    shoal_i_counts_clear(&s->base);
    s->base = raised;
    memcpy(s->base_node, node, s->levels.count);
done:
    free(node);
    return st;
}

/* --- Projections. -------------------- */

typedef struct projecting {
    shoal_i_search *search;
    size_t *sets; /* of columns, with equally many */
} projecting;

/* The smallest counts over one column more. */
static size_t find_wider(const shoal_i_search *s, size_t columns)
{
    size_t best = 0;

    for (size_t c = 0; c < s->levels.count; c++) {
        size_t wider = columns | (size_t)1 << c;

        if (wider != columns && s->cube[wider].class_count > 0 &&
            (best == 0 || s->cube[wider].class_count < s->cube[best].class_count)) {
            best = wider;
        }
    }
    return best;
}

static shoal_status project(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    projecting *p = payload;
    shoal_i_search *s = p->search;
    size_t columns = p->sets[index];
    size_t wider = find_wider(s, columns);
    shoal_i_roller *roller = &s->rollers[ctx->worker];
    uint8_t *nodes = NULL;

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    SHOAL_ALLOC(ctx, nodes, 2 * s->levels.count);
    set_projected_node(s, nodes, columns);
    set_projected_node(s, nodes + s->levels.count,
                       wider ? wider : ((size_t)1 << s->levels.count) - 1);
    shoal_i_roll_up(roller, wider ? &s->cube[wider] : &s->base, nodes + s->levels.count, nodes,
                    SHOAL_I_JUDGE_NONE);
    SHOAL_TRY(keep_counts(ctx, s, &s->cube[columns], roller));
done:
    free(nodes);
    return st;
}

/* Project the base to every set of two columns and more, but all. */
static shoal_status build_cube(shoal_ctx *ctx, shoal_i_search *s)
{
    shoal_status st = SHOAL_OK;
    projecting p = {.search = s};
    size_t all = 0;

    if (s->levels.count > CUBE_COLUMNS_MAX) {
        return SHOAL_OK;
    }
    all = ((size_t)1 << s->levels.count) - 1;
    s->steps += (double)all * (double)s->base.class_count;
    if (shoal_i_search_gave_up(s)) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, s->cube, all + 1);
    SHOAL_ALLOC(ctx, p.sets, all + 1);
    s->kept_bytes = 0;
    for (size_t size = s->levels.count; size-- > 2;) {
        size_t count = 0;

        for (size_t set = 0; set < all; set++) {
            if (shoal_i_count_bits(set) == size) {
                p.sets[count++] = set;
            }
        }
        SHOAL_TRY(shoal_i_parallel_for(ctx, count, project, &p));
    }
done:
    free(p.sets);
    return st;
}

shoal_status shoal_i_search_run(shoal_ctx *ctx, shoal_i_search *s)
{
    shoal_status st = SHOAL_OK;
    size_t top = 0;

    for (size_t c = 0; c < s->levels.count; c++) {
        top += s->levels.columns[c].level_count - 1;
    }
    s->meter.total = (s->is_strict || s->levels.count == 1 ? s->levels.count : 2) * (top + 1);
    for (s->size = 1; s->size <= s->levels.count;) {
        for (s->height = 0; s->height <= top && !shoal_i_search_gave_up(s); s->height++) {
            SHOAL_TRY(run_generation(ctx, s));
            SHOAL_TRY(shoal_i_meter_add(ctx, &s->meter, 1));
        }
        clear_generation(&s->before);
        if (shoal_i_search_gave_up(s)) {
            return SHOAL_OK;
        }
        if (s->size == 1) {
            SHOAL_TRY(raise_base(ctx, s));
        }
        if (s->size == 1 && s->is_strict) {
            SHOAL_TRY(build_cube(ctx, s));
        }
        s->size = s->is_strict || s->size == s->levels.count ? s->size + 1 : s->levels.count;
    }
done:
    return st;
}

/* --- Setting up. -------------------- */

/* The different records, as counts that all nodes can be rolled up from. */
static shoal_status load_base(shoal_ctx *ctx, shoal_i_search *s)
{
    shoal_status st = SHOAL_OK;
    size_t rows = s->problem->row_count;
    shoal_i_counts records = {0};
    shoal_i_roller roller = {0};

    SHOAL_ALLOC(ctx, s->base_node, s->levels.count);
    memset(s->base_node, 1, s->levels.count);
    SHOAL_TRY(shoal_i_counts_load(ctx, &records, s->problem, &s->levels));
    SHOAL_TRY(shoal_i_roller_init(ctx, &roller, s->problem, &s->levels, rows,
                                  rows * records.active_count));
    shoal_i_roll_up(&roller, &records, s->base_node, s->base_node, SHOAL_I_JUDGE_NONE);
    SHOAL_TRY(shoal_i_roller_copy(ctx, &s->base, &roller));
    s->kept_most = KEPT_TIMES * shoal_i_counts_bytes(&s->base);
    s->kept_most = s->kept_most > KEPT_LEAST ? s->kept_most : KEPT_LEAST;
done:
    shoal_i_counts_clear(&records);
    shoal_i_roller_clear(&roller);
    return st;
}

static shoal_status init_rollers(shoal_ctx *ctx, shoal_i_search *s)
{
    shoal_status st = SHOAL_OK;
    size_t count = (size_t)shoal_ctx_thread_count(ctx);
    size_t values = s->base.starts[s->base.class_count * s->base.active_count];

    SHOAL_ALLOC(ctx, s->rollers, count);
    s->roller_count = count;
    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(shoal_i_roller_init(ctx, &s->rollers[i], s->problem, &s->levels,
                                      s->base.class_count, values));
    }
done:
    return st;
}

void shoal_i_search_clear(shoal_i_search *s)
{
    for (size_t i = 0; i < s->roller_count; i++) {
        shoal_i_roller_clear(&s->rollers[i]);
    }
    free(s->rollers);
    clear_generation(&s->before);
    clear_generation(&s->now);
    for (size_t set = 0; s->cube && set >> s->levels.count == 0; set++) {
        shoal_i_counts_clear(&s->cube[set]);
    }
    free(s->cube);
    shoal_i_counts_clear(&s->base);
    shoal_i_levels_clear(&s->levels);
    free(s->base_node);
    free(s->strides);
    free(s->facts);
}

shoal_status shoal_i_search_init(shoal_ctx *ctx, shoal_i_search *s,
                                 const shoal_i_problem *problem, shoal_i_objective objective,
                                 uint64_t allowed)
{
    shoal_status st = SHOAL_OK;

    *s = (shoal_i_search){
        .problem = problem,
        .is_strict = allowed == 0 && shoal_i_problem_is_monotone(problem),
        .allowed = allowed,
        .meter = {.stage = "anonymize"},
    };
    SHOAL_TRY(
        shoal_i_levels_build(ctx, &s->levels, problem->quasi, problem->row_count, objective));
    SHOAL_TRY(number_nodes(ctx, s));
    SHOAL_TRY(load_base(ctx, s));
    SHOAL_TRY(init_rollers(ctx, s));
done:
    return st;
}

#include "predicates.h"

#include "../../base/fail.h"
#include "../../base/pool.h"

void shoal_i_predicates_clear(shoal_i_predicates *predicates)
{
    free(predicates->items);
    free(predicates->starts);
    free(predicates->bits);
    *predicates = (shoal_i_predicates){0};
}

/* The runs of one column while they are collected. */
typedef struct runs {
    shoal_i_predicates *found;
    size_t capacity;
    size_t column;
    const uint64_t *before; /* records with a smaller code; value_count + 1 entries */
    uint32_t value_count;
    uint32_t support;
} runs;

/* Take a run if it is large and not everything. The root of an unbalanced chain, and nodes with
 * a single child, have the run of another: these come one after the other. */
static shoal_status take_run(shoal_ctx *ctx, runs *r, uint32_t first, uint32_t last)
{
    shoal_i_predicates *found = r->found;
    uint64_t support = r->before[last + 1] - r->before[first];
    const shoal_i_predicate *previous =
        found->count > found->starts[r->column] ? &found->items[found->count - 1] : NULL;

    if (support < r->support || last - first + 1 == r->value_count ||
        (previous && previous->first == first && previous->last == last)) {
        return SHOAL_OK;
    }
    if (found->count == r->capacity) {
        size_t capacity = 2 * r->capacity + 64;
        shoal_i_predicate *items = shoal_i_realloc(ctx, found->items, capacity, sizeof *items);

        if (!items) {
            return SHOAL_ENOMEM;
        }
        found->items = items;
        r->capacity = capacity;
    }
    found->items[found->count++] = (shoal_i_predicate){
        .column = r->column, .first = first, .last = last, .support = (uint32_t)support};
    return SHOAL_OK;
}

/* Nodes are numbered depth-first, so those with one run follow each other. */
static shoal_status take_nodes(shoal_ctx *ctx, runs *r, const shoal_hierarchy *hierarchy)
{
    shoal_status st = SHOAL_OK;

    for (uint32_t node = 0; node < shoal_hierarchy_node_count(hierarchy); node++) {
        SHOAL_TRY(take_run(ctx, r, shoal_hierarchy_first(hierarchy, node),
                           shoal_hierarchy_last(hierarchy, node)));
    }
done:
    return st;
}

/* The last code of the left half of a run, which has more than one: where the records left and
 * right differ least, the earlier of two such places. */
static uint32_t find_middle(const runs *r, uint32_t first, uint32_t last)
{
    uint64_t from = r->before[first];
    uint64_t to = r->before[last + 1];
    uint32_t lo = first; /* the first place where the left half has half or more */
    uint32_t hi = last - 1;

    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;

        if (2 * (r->before[middle + 1] - from) >= to - from) {
            hi = middle;
        } else {
            lo = middle + 1;
        }
    }
    if (lo > first) {
        uint64_t over = 2 * (r->before[lo + 1] - from);
        uint64_t under = 2 * (r->before[lo] - from);
        uint64_t whole = to - from;
        uint64_t over_by = over > whole ? over - whole : whole - over;
        uint64_t under_by = under > whole ? under - whole : whole - under;

        lo -= under_by <= over_by;
    }
    return lo;
}

/* Halves of halves, outer ones first; the larger half waits on the stack, so that this holds
 * as many runs as there are halvings. */
static shoal_status take_halves(shoal_ctx *ctx, runs *r)
{
    shoal_status st = SHOAL_OK;
    shoal_i_interval *waiting = NULL;
    size_t count = 0;

    SHOAL_ALLOC(ctx, waiting, (size_t)r->value_count + 1);
    waiting[count++] = (shoal_i_interval){0, r->value_count - 1};
    while (count > 0) {
        shoal_i_interval run = waiting[--count];

        SHOAL_TRY(take_run(ctx, r, run.lo, run.hi));
        /* Parts of what is not large are not large. */
        if (run.lo < run.hi && r->before[run.hi + 1] - r->before[run.lo] >= r->support) {
            uint32_t middle = find_middle(r, run.lo, run.hi);

            waiting[count++] = (shoal_i_interval){middle + 1, run.hi};
            waiting[count++] = (shoal_i_interval){run.lo, middle};
        }
    }
done:
    free(waiting);
    return st;
}

/* Codes of a numeric column ascend; nodes are runs of them when the leaves do, too. */
static shoal_status check_tree(shoal_ctx *ctx, const shoal_i_quasi_column *column,
                               const shoal_hierarchy *tree)
{
    for (uint32_t leaf = 0; leaf < column->value_count; leaf++) {
        if (shoal_hierarchy_code(tree, leaf) != leaf) {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "The populations of column \"%.200s\" are not intervals: a "
                                "group has values on both sides of another.",
                                column->name);
        }
    }
    return SHOAL_OK;
}

static shoal_status take_column(shoal_ctx *ctx, runs *r, const shoal_i_quasi *quasi,
                                const shoal_hierarchy *tree)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi_column *column = &quasi->columns[r->column];
    size_t rows = shoal_table_row_count(quasi->table);
    uint64_t *before = NULL;

    SHOAL_ALLOC(ctx, before, (size_t)column->value_count + 1);
    for (size_t row = 0; row < rows; row++) {
        before[shoal_i_quasi_code(quasi, r->column, row) + 1]++;
    }
    for (size_t code = 0; code < column->value_count; code++) {
        before[code + 1] += before[code];
    }
    r->before = before;
    r->value_count = column->value_count;
    if (column->hierarchy) {
        SHOAL_TRY(take_nodes(ctx, r, column->hierarchy));
    } else if (tree) {
        SHOAL_TRY(check_tree(ctx, column, tree));
        SHOAL_TRY(take_nodes(ctx, r, tree));
    } else if (rows > 0) {
        SHOAL_TRY(take_halves(ctx, r));
    }
done:
    free(before);
    return st;
}

/* --- Bits. ------------------------------------------------------------------------------ */

typedef struct marking {
    const shoal_i_quasi *quasi;
    shoal_i_predicates *found;
} marking;

static shoal_status mark_records(shoal_ctx *ctx, void *payload, size_t i)
{
    const marking *m = payload;
    shoal_i_predicate *item = &m->found->items[i];
    uint64_t *bits = m->found->bits + i * m->found->word_count;
    size_t rows = shoal_table_row_count(m->quasi->table);

    for (size_t row = 0; row < rows; row++) {
        uint32_t code = shoal_i_quasi_code(m->quasi, item->column, row);

        bits[row / 64] |= (uint64_t)(code - item->first <= item->last - item->first)
                          << (row % 64);
    }
    item->bits = bits;
    return shoal_i_check_cancelled(ctx);
}

shoal_status shoal_i_predicates_find(shoal_ctx *ctx, shoal_i_predicates *out,
                                     const shoal_i_quasi *quasi,
                                     const shoal_hierarchy *const *trees, uint32_t support)
{
    shoal_status st = SHOAL_OK;
    shoal_i_predicates found = {0};
    runs r = {.found = &found, .support = support};
    size_t words = 0;

    found.word_count = (shoal_table_row_count(quasi->table) + 63) / 64;
    SHOAL_ALLOC(ctx, found.starts, quasi->count + 1);
    for (r.column = 0; r.column < quasi->count; r.column++) {
        found.starts[r.column] = found.count;
        SHOAL_TRY(take_column(ctx, &r, quasi, trees ? trees[r.column] : NULL));
    }
    found.starts[quasi->count] = found.count;
    SHOAL_TRY(shoal_i_size_mul(ctx, &words, found.count, found.word_count));
    SHOAL_ALLOC(ctx, found.bits, words);
    marking m = {quasi, &found};

    SHOAL_TRY(shoal_i_parallel_for(ctx, found.count, mark_records, &m));
    *out = found;
    found = (shoal_i_predicates){0};
done:
    shoal_i_predicates_clear(&found);
    return st;
}

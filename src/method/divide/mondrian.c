/* Mondrian: multidimensional partitioning as a kd-tree.
 *
 * K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE
 * 2006, doi:10.1109/ICDE.2006.101. MultiDim in XU, and the partitioner of LILI.
 *
 * Cut a set of records on the column with the widest range, at the median, as long as both
 * sides meet the requirement; when that column allows no cut, on the next widest.
 *
 *   mode=strict    equal values stay together; the cut nearest to the median that is allowed
 *   mode=relaxed   exactly at the median; equal values may part
 *   cuts=binary    a categorical column is cut in two between children of the closest common
 *                  ancestor, in the order of the hierarchy
 *   cuts=children  a categorical column is cut into all children of that node at once, as in
 *                  the paper; allowed when each of them meets the requirement
 *   finish=carve   where requirements look at sensitive values, groups that no cut divides are
 *                  carved into classes that look like them (carve.h); equal values may part
 *
 *   box=smallest   a finished group is released with the smallest box around its records
 *   box=region     with the region that the cuts left: all regions together cover the whole
 *                  domain, and lose more. What XU's comparison published; for such comparisons
 *
 * The range of a column is its weighted penalty, of the records of a group in either way.
 */

#include "../grouping/recursion.h"
#include "../grouping/keep_cheaper.h"

#include "../../base/fail.h"
#include "../../base/sort.h"

#include <string.h>

enum { OPTION_MODE, OPTION_CUTS, OPTION_FINISH, OPTION_BOX };
enum { MODE_STRICT, MODE_RELAXED };
enum { CUTS_BINARY, CUTS_CHILDREN };
enum { FINISH_NONE, FINISH_CARVE };
enum { BOX_SMALLEST, BOX_REGION };

/* Size of carved classes, in smallest possible ones. */
#define CARVED_SIZE 2

/* Codes are counted in an array when their range is at most this many times the records, else
 * sorted. */
#define COUNTING_FACTOR 4

typedef struct partitioning {
    const shoal_i_problem *problem;
    bool is_relaxed;
    bool cuts_children;
    bool is_size_enough; /* to tell whether a side meets the requirement */
    size_t columns;
    size_t most_values; /* of any column */
    uint32_t *codes;    /* place after place, one code per quasi column */
    uint32_t *records;  /* the record of each place */
    uint8_t *is_start;
    /* Of the range that starts at a place, one interval per column: the region that the cuts
     * left. NULL unless regions are published. */
    shoal_i_interval *regions;
    shoal_i_meter meter;
} partitioning;

/* The records of a range that share a code. */
typedef struct run {
    uint32_t code;
    uint32_t size;
} run;

/* A column and the weighted penalty of its range. */
typedef struct width {
    double penalty;
    size_t column;
} width;

typedef struct scratch {
    uint32_t *lo; /* per column: smallest and largest code of the range */
    uint32_t *hi;
    width *widths;
    run *counting; /* one per code of the column's range */
    size_t run_count;
    run *runs;    /* of the column on trial, ascending by code */
    bool *behind; /* behind[i]: whether runs i and later together hold */
    shoal_i_tally tally;
    shoal_i_sort_item *items; /* places of the range by code, unless sizes are enough */
    shoal_i_sort_item *sort_spare;
    uint32_t *spare; /* codes and records on their way to another place */
} scratch;

static void scratch_free(void *space)
{
    scratch *w = space;

    if (w) {
        shoal_i_tally_clear(&w->tally);
        free(w->lo);
        free(w->hi);
        free(w->widths);
        free(w->counting);
        free(w->runs);
        free(w->behind);
        free(w->items);
        free(w->sort_spare);
        free(w->spare);
        free(w);
    }
}

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static shoal_status scratch_new(shoal_ctx *ctx, void **space, void *payload, size_t count)
{
    shoal_status st = SHOAL_OK;
    const partitioning *p = payload;
    size_t runs = min(p->most_values, count);
    /* When sizes are enough only ranges with far fewer records than values are sorted. */
    bool sorts_all = p->cuts_children || !p->is_size_enough;
    size_t items = sorts_all ? count : min(p->most_values / COUNTING_FACTOR + 1, count);
    scratch *w = NULL;

    *space = NULL;
    SHOAL_ALLOC(ctx, w, 1);
    SHOAL_TRY(shoal_i_tally_init(ctx, &w->tally, p->problem->source));
    SHOAL_ALLOC(ctx, w->lo, p->columns);
    SHOAL_ALLOC(ctx, w->hi, p->columns);
    SHOAL_ALLOC(ctx, w->widths, p->columns);
    SHOAL_ALLOC(ctx, w->counting, min(p->most_values, count * COUNTING_FACTOR));
    SHOAL_ALLOC(ctx, w->runs, runs);
    SHOAL_ALLOC(ctx, w->behind, runs + 1);
    SHOAL_ALLOC(ctx, w->items, items);
    SHOAL_ALLOC(ctx, w->sort_spare, items);
    if (p->cuts_children) {
        SHOAL_ALLOC(ctx, w->spare, count * (p->columns + 1));
    }
    *space = w;
    w = NULL;
done:
    scratch_free(w);
    return st;
}

static uint32_t *codes_at(const partitioning *p, size_t place)
{
    return p->codes + place * p->columns;
}

/* Whether what the tally has counted meets the requirement. */
static bool tally_holds(const partitioning *p, const scratch *w)
{
    return shoal_i_requirement_holds(p->problem->requirements, &w->tally.stats);
}

static int compare_widths(const void *a, const void *b)
{
    const width *x = a;
    const width *y = b;

    if (x->penalty != y->penalty) {
        return x->penalty > y->penalty ? -1 : 1;
    }
    return x->column < y->column ? -1 : 1;
}

/* Find the extent of the range in each column, and sort the columns by it, widest first. */
static void measure_widths(const partitioning *p, const shoal_i_subrange *r, scratch *w)
{
    size_t bytes = p->columns * sizeof *w->lo;

    memcpy(w->lo, codes_at(p, r->first), bytes);
    memcpy(w->hi, codes_at(p, r->first), bytes);
    for (size_t i = 1; i < r->count; i++) {
        const uint32_t *codes = codes_at(p, r->first + i);

        for (size_t c = 0; c < p->columns; c++) {
            w->lo[c] = codes[c] < w->lo[c] ? codes[c] : w->lo[c];
            w->hi[c] = codes[c] > w->hi[c] ? codes[c] : w->hi[c];
        }
    }
    for (size_t c = 0; c < p->columns; c++) {
        const shoal_i_quasi_column *column = &p->problem->quasi->columns[c];

        w->widths[c].column = c;
        w->widths[c].penalty =
            column->weight * shoal_i_quasi_spread(column, w->lo[c], w->hi[c]);
    }
    qsort(w->widths, p->columns, sizeof *w->widths, compare_widths);
}

/* --- The runs of one column in a range. --------------------------------------------------- */

static void count_runs(const partitioning *p, const shoal_i_subrange *r, scratch *w, size_t c)
{
    uint32_t lo = w->lo[c];
    size_t extent = (size_t)w->hi[c] - lo + 1;

    memset(w->counting, 0, extent * sizeof *w->counting);
    for (size_t i = 0; i < r->count; i++) {
        w->counting[codes_at(p, r->first + i)[c] - lo].size++;
    }
    for (size_t i = 0; i < extent; i++) {
        if (w->counting[i].size > 0) {
            w->counting[i].code = lo + (uint32_t)i;
            w->runs[w->run_count++] = w->counting[i];
        }
    }
}

/* The places of the range in the order of column c. */
static void sort_items(const partitioning *p, const shoal_i_subrange *r, scratch *w, size_t c)
{
    for (size_t i = 0; i < r->count; i++) {
        w->items[i] =
            (shoal_i_sort_item){.key = codes_at(p, r->first + i)[c], .item = (uint32_t)i};
    }
    shoal_i_sort_items(w->items, w->sort_spare, r->count);
}

static void sort_into_runs(const partitioning *p, const shoal_i_subrange *r, scratch *w,
                           size_t c)
{
    sort_items(p, r, w, c);
    for (size_t i = 0; i < r->count; i++) {
        uint32_t code = (uint32_t)w->items[i].key;

        if (w->run_count == 0 || w->runs[w->run_count - 1].code != code) {
            w->runs[w->run_count++] = (run){.code = code};
        }
        w->runs[w->run_count - 1].size++;
    }
}

static void find_runs(const partitioning *p, const shoal_i_subrange *r, scratch *w, size_t c)
{
    w->run_count = 0;
    if (p->is_size_enough && (size_t)w->hi[c] - w->lo[c] < COUNTING_FACTOR * r->count) {
        count_runs(p, r, w, c);
    } else {
        sort_into_runs(p, r, w, c);
    }
}

/* Count a run of items into the tally. */
static void tally_run(const partitioning *p, const shoal_i_subrange *r, scratch *w,
                      shoal_i_span items)
{
    if (p->is_size_enough) {
        shoal_i_tally_add_size(&w->tally, items.count);
        return;
    }
    for (size_t i = items.first; i < shoal_i_span_end(items); i++) {
        shoal_i_tally_add(&w->tally, p->records[r->first + w->items[i].item]);
    }
}

/* The child of the closest common ancestor of the range that a code lies below. */
static uint32_t child_of_code(const partitioning *p, const scratch *w, size_t c, uint32_t code)
{
    const shoal_hierarchy *h = p->problem->quasi->columns[c].hierarchy;
    uint32_t node = shoal_hierarchy_ancestor(h, w->lo[c], w->hi[c]);

    return shoal_hierarchy_ancestor_at(h, code, shoal_hierarchy_depth(h, node) + 1);
}

/* Whether the column may be cut between run i - 1 and run i. */
static bool may_cut(const partitioning *p, const scratch *w, size_t c, size_t i)
{
    return !p->problem->quasi->columns[c].hierarchy ||
           child_of_code(p, w, c, w->runs[i - 1].code) !=
               child_of_code(p, w, c, w->runs[i].code);
}

/* --- Cuts. -------------------------------------------------------------------------------- */

static void swap_places(const partitioning *p, size_t i, size_t j)
{
    uint32_t *a = codes_at(p, i);
    uint32_t *b = codes_at(p, j);
    uint32_t record = p->records[i];

    for (size_t c = 0; c < p->columns; c++) {
        uint32_t swap = a[c];

        a[c] = b[c];
        b[c] = swap;
    }
    p->records[i] = p->records[j];
    p->records[j] = record;
}

/* Bring the places with a code below `code` in column c to the front, and of those that have it
 * the first `equals`. */
static void part_range(const partitioning *p, const shoal_i_subrange *r, size_t c,
                       uint32_t code, size_t equals)
{
    size_t front = r->first;

    for (size_t i = r->first; i < r->first + r->count; i++) {
        uint32_t here = codes_at(p, i)[c];
        bool is_equal_taken = here == code && equals > 0;

        if (here < code || is_equal_taken) {
            equals -= is_equal_taken;
            if (front != i) {
                swap_places(p, front, i);
            }
            front++;
        }
    }
}

static shoal_i_interval *region_at(const partitioning *p, size_t place)
{
    return p->regions + place * p->columns;
}

/* The region of a part is that of the range it comes from, but in column c. */
static void set_region(const partitioning *p, const shoal_i_interval *whole, size_t place,
                       size_t c, shoal_i_interval interval)
{
    shoal_i_interval *region = region_at(p, place);

    if (region != whole) {
        memcpy(region, whole, p->columns * sizeof *region);
    }
    region[c] = interval;
}

/* Cut the region of a range where `front` of its records go ahead. Run `cut` is the first one
 * behind; where equal values part (`is_shared`) it lies on both sides. In a hierarchy what lies
 * between two children that occur goes with the second. */
static void cut_region(const partitioning *p, const shoal_i_subrange *r, const scratch *w,
                       size_t c, size_t front, size_t cut, bool is_shared)
{
    const shoal_i_interval *whole = p->regions ? region_at(p, r->first) : NULL;

    if (!whole) {
        return;
    }
    shoal_i_interval ahead = whole[c];
    shoal_i_interval behind = whole[c];

    if (is_shared) {
        ahead.hi = w->runs[cut].code;
        behind.lo = ahead.hi;
    } else {
        const shoal_hierarchy *h = p->problem->quasi->columns[c].hierarchy;

        ahead.hi = w->runs[cut - 1].code;
        if (h && may_cut(p, w, c, cut)) {
            ahead.hi = shoal_hierarchy_last(h, child_of_code(p, w, c, ahead.hi));
        }
        behind.lo = ahead.hi + 1;
    }
    set_region(p, whole, r->first + front, c, behind);
    set_region(p, whole, r->first, c, ahead);
}

static shoal_status add_two_parts(shoal_ctx *ctx, shoal_i_parts *parts,
                                  const shoal_i_subrange *r, size_t front)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_parts_add(ctx, parts, front));
    SHOAL_TRY(shoal_i_parts_add(ctx, parts, r->count - front));
done:
    return st;
}

/* Find out for each run whether it and those behind it hold together. */
static void judge_behind(const partitioning *p, const shoal_i_subrange *r, scratch *w)
{
    size_t first = r->count;

    shoal_i_tally_empty(&w->tally);
    for (size_t i = w->run_count; i-- > 0;) {
        first -= w->runs[i].size;
        tally_run(p, r, w, (shoal_i_span){first, w->runs[i].size});
        w->behind[i] = tally_holds(p, w);
    }
}

/* The allowed cut nearest to the median between two runs: run i starts the second side, `front`
 * records are before it. 0: none. */
static size_t find_strict_cut(const partitioning *p, const shoal_i_subrange *r, scratch *w,
                              size_t c, size_t *front)
{
    size_t ahead = 0;
    size_t best = 0;
    size_t best_distance = SIZE_MAX;

    judge_behind(p, r, w);
    shoal_i_tally_empty(&w->tally);
    for (size_t i = 1; i < w->run_count; i++) {
        tally_run(p, r, w, (shoal_i_span){ahead, w->runs[i - 1].size});
        ahead += w->runs[i - 1].size;
        size_t distance = 2 * ahead > r->count ? 2 * ahead - r->count : r->count - 2 * ahead;

        if (distance < best_distance && w->behind[i] && may_cut(p, w, c, i) &&
            tally_holds(p, w)) {
            best = i;
            best_distance = distance;
            *front = ahead;
        }
    }
    return best;
}

static shoal_status cut_strict(shoal_ctx *ctx, const partitioning *p, const shoal_i_subrange *r,
                               scratch *w, size_t c, shoal_i_parts *parts)
{
    size_t front = 0;
    size_t cut = find_strict_cut(p, r, w, c, &front);

    if (cut == 0) {
        return SHOAL_OK;
    }
    part_range(p, r, c, w->runs[cut].code, 0);
    cut_region(p, r, w, c, front, cut, false);
    return add_two_parts(ctx, parts, r, front);
}

static bool places_hold(const partitioning *p, scratch *w, shoal_i_span span)
{
    shoal_i_tally_empty(&w->tally);
    shoal_i_tally_add_list(&w->tally, p->records + span.first, span.count);
    return tally_holds(p, w);
}

/* Cut at the median; equal values part as needed. */
static shoal_status cut_relaxed(shoal_ctx *ctx, const partitioning *p,
                                const shoal_i_subrange *r, scratch *w, size_t c,
                                shoal_i_parts *parts)
{
    size_t front = r->count / 2;
    size_t below = 0;
    size_t i = 0;

    while (below + w->runs[i].size <= front) {
        below += w->runs[i++].size;
    }
    part_range(p, r, c, w->runs[i].code, front - below);
    if (!places_hold(p, w, (shoal_i_span){r->first, front}) ||
        !places_hold(p, w, (shoal_i_span){r->first + front, r->count - front})) {
        return SHOAL_OK;
    }
    cut_region(p, r, w, c, front, i, front > below);
    return add_two_parts(ctx, parts, r, front);
}

/* Bring the places of the range into the order of column c. */
static void sort_places(const partitioning *p, const shoal_i_subrange *r, scratch *w, size_t c)
{
    uint32_t *spare_records = w->spare + r->count * p->columns;

    sort_items(p, r, w, c);
    for (size_t i = 0; i < r->count; i++) {
        size_t from = r->first + w->items[i].item;

        memcpy(w->spare + i * p->columns, codes_at(p, from), p->columns * sizeof *w->spare);
        spare_records[i] = p->records[from];
    }
    memcpy(codes_at(p, r->first), w->spare, r->count * p->columns * sizeof *w->spare);
    memcpy(p->records + r->first, spare_records, r->count * sizeof *spare_records);
}

/* The region of each child is what lies below its node. From the last to the first, whose
 * region stands where that of the range did. */
static void cut_region_into_children(const partitioning *p, const shoal_i_subrange *r,
                                     const scratch *w, size_t c)
{
    const shoal_hierarchy *h = p->problem->quasi->columns[c].hierarchy;
    size_t first = r->first + r->count;

    for (size_t i = w->run_count; p->regions && i-- > 0;) {
        first -= w->runs[i].size;
        if (i == 0 || may_cut(p, w, c, i)) {
            uint32_t child = child_of_code(p, w, c, w->runs[i].code);

            set_region(p, region_at(p, r->first), first, c,
                       (shoal_i_interval){shoal_hierarchy_first(h, child),
                                          shoal_hierarchy_last(h, child)});
        }
    }
}

/* Cut a categorical column into the children of the closest common ancestor, if all hold. */
static shoal_status cut_children(shoal_ctx *ctx, const partitioning *p,
                                 const shoal_i_subrange *r, scratch *w, size_t c,
                                 shoal_i_parts *parts)
{
    shoal_status st = SHOAL_OK;
    size_t passed = 0; /* records of the runs so far */
    size_t first = 0;  /* of the child */

    shoal_i_tally_empty(&w->tally);
    for (size_t i = 0; i < w->run_count; i++) {
        tally_run(p, r, w, (shoal_i_span){passed, w->runs[i].size});
        passed += w->runs[i].size;
        if (i + 1 < w->run_count && !may_cut(p, w, c, i + 1)) {
            continue;
        }
        if (!tally_holds(p, w)) {
            parts->count = 0;
            return SHOAL_OK;
        }
        SHOAL_TRY(shoal_i_parts_add(ctx, parts, passed - first));
        first = passed;
        shoal_i_tally_empty(&w->tally);
    }
    sort_places(p, r, w, c);
    cut_region_into_children(p, r, w, c);
done:
    return st;
}

static shoal_status cut_column(shoal_ctx *ctx, const partitioning *p, const shoal_i_subrange *r,
                               scratch *w, size_t c, shoal_i_parts *parts)
{
    find_runs(p, r, w, c);
    if (p->cuts_children && p->problem->quasi->columns[c].hierarchy) {
        return cut_children(ctx, p, r, w, c, parts);
    }
    if (p->is_relaxed) {
        return cut_relaxed(ctx, p, r, w, c, parts);
    }
    return cut_strict(ctx, p, r, w, c, parts);
}

/* Cut on the widest column that allows it. */
static shoal_status split_range(shoal_ctx *ctx, void *payload, void *space,
                                const shoal_i_subrange *r, shoal_i_parts *parts)
{
    shoal_status st = SHOAL_OK;
    const partitioning *p = payload;
    scratch *w = space;

    if (r->count < 2 * shoal_i_requirement_smallest_class(p->problem->requirements)) {
        return SHOAL_OK;
    }
    measure_widths(p, r, w);
    for (size_t i = 0; i < p->columns && w->widths[i].penalty > 0 && parts->count < 2; i++) {
        parts->count = 0;
        SHOAL_TRY(cut_column(ctx, p, r, w, w->widths[i].column, parts));
    }
done:
    return st;
}

static shoal_status load_codes(shoal_ctx *ctx, partitioning *p)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = p->problem->quasi;
    size_t count = p->problem->row_count;
    uint32_t *entries = NULL;

    SHOAL_ALLOC(ctx, entries, count);
    for (size_t c = 0; c < p->columns; c++) {
        const shoal_i_quasi_column *column = &quasi->columns[c];

        p->most_values =
            column->value_count > p->most_values ? column->value_count : p->most_values;
        shoal_table_codes(quasi->table, column->column, 0, count, entries);
        for (size_t i = 0; i < count; i++) {
            p->codes[i * p->columns + c] = column->code_of_entry[entries[i]];
        }
    }
    for (size_t i = 0; i < count; i++) {
        p->records[i] = (uint32_t)i;
    }
done:
    free(entries);
    return st;
}

/* --- The release. ------------------------------------------------------------------------- */

/* The first region is all there is. */
static shoal_status start_regions(shoal_ctx *ctx, partitioning *p, size_t cells)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, p->regions, cells);
    for (size_t c = 0; c < p->columns; c++) {
        p->regions[c] = shoal_i_quasi_all(&p->problem->quasi->columns[c]);
    }
done:
    return st;
}

/* Release each group with its region. They move to the front of `regions`, one after the
 * other. */
static shoal_status release_regions(shoal_ctx *ctx, shoal_i_release **out,
                                    const partitioning *p)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = p->problem->quasi;
    size_t count = p->problem->row_count;
    size_t groups = 0;
    uint32_t *group_of = NULL;

    SHOAL_ALLOC(ctx, group_of, count);
    for (size_t i = 0; i < count; i++) {
        if (p->is_start[i]) {
            shoal_i_interval *region = region_at(p, groups++);

            for (size_t c = 0; c < p->columns; c++) {
                shoal_i_interval cut = region_at(p, i)[c];

                region[c] = shoal_i_quasi_close(&quasi->columns[c], cut.lo, cut.hi);
            }
        }
        group_of[p->records[i]] = (uint32_t)groups - 1;
    }
    SHOAL_TRY(
        shoal_i_release_from_numbered(ctx, out, quasi, p->regions, groups, group_of, count));
done:
    free(group_of);
    return st;
}

/* Carve what no cut divides, where requirements look at sensitive values. */
static shoal_status finish(shoal_ctx *ctx, const partitioning *p)
{
    shoal_status st = SHOAL_OK;
    shoal_i_grouping *grouping = NULL;
    shoal_i_alternatives alternatives = {0};

    SHOAL_TRY(shoal_i_grouping_new(ctx, &grouping, p->problem));
    SHOAL_TRY(shoal_i_alternatives_init(ctx, &alternatives, p->problem, grouping->lanes));
    memcpy(grouping->records, p->records, grouping->count * sizeof *p->records);
    memcpy(grouping->is_start, p->is_start, grouping->count);
    SHOAL_TRY(shoal_i_alternatives_carve_groups(ctx, &alternatives, grouping, CARVED_SIZE));
    memcpy(p->records, grouping->records, grouping->count * sizeof *p->records);
    memcpy(p->is_start, grouping->is_start, grouping->count);
done:
    shoal_i_alternatives_clear(&alternatives);
    shoal_i_grouping_free(grouping);
    return st;
}

static shoal_status run_mondrian(shoal_ctx *ctx, shoal_i_release **out,
                                 const shoal_i_problem *problem,
                                 const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    size_t count = problem->row_count;
    size_t cells = 0;
    partitioning p = {
        .problem = problem,
        .is_relaxed = settings->values[OPTION_MODE] == MODE_RELAXED,
        .cuts_children = settings->values[OPTION_CUTS] == CUTS_CHILDREN,
        .is_size_enough = problem->source->active_count == 0,
        .columns = problem->quasi->count,
        .meter = {.stage = "anonymize", .total = count},
    };
    shoal_i_recursion recursion = {
        .split = split_range,
        .scratch_new = scratch_new,
        .scratch_free = scratch_free,
        .payload = &p,
        .meter = &p.meter,
    };

    *out = NULL;
    if (settings->values[OPTION_BOX] == BOX_REGION &&
        settings->values[OPTION_FINISH] == FINISH_CARVE) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "mondrian: box=region publishes what cuts leave, and finish=carve "
                            "makes classes without cuts; take one of the two.");
    }
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, count, p.columns));
    SHOAL_ALLOC(ctx, p.codes, cells);
    SHOAL_ALLOC(ctx, p.records, count);
    SHOAL_ALLOC(ctx, p.is_start, count);
    SHOAL_TRY(load_codes(ctx, &p));
    if (settings->values[OPTION_BOX] == BOX_REGION) {
        SHOAL_TRY(start_regions(ctx, &p, cells));
    }
    recursion.is_start = p.is_start;
    SHOAL_TRY(shoal_i_recurse(ctx, &recursion, count, problem->seed));
    if (settings->values[OPTION_FINISH] == FINISH_CARVE &&
        shoal_i_alternatives_apply(problem)) {
        SHOAL_TRY(finish(ctx, &p));
    }
    st = p.regions ? release_regions(ctx, out, &p)
                   : shoal_i_groups_release(ctx, out, problem->quasi, p.records, p.is_start);
done:
    free(p.codes);
    free(p.records);
    free(p.is_start);
    free(p.regions);
    return st;
}

static const char *const modes[] = {[MODE_STRICT] = "strict", [MODE_RELAXED] = "relaxed", NULL};
static const char *const cuts[] = {
    [CUTS_BINARY] = "binary", [CUTS_CHILDREN] = "children", NULL};

static const char *const finishes[] = {[FINISH_NONE] = "none", [FINISH_CARVE] = "carve", NULL};

static const char *const boxes[] = {[BOX_SMALLEST] = "smallest", [BOX_REGION] = "region", NULL};

/* A part of a table does not know what cuts outside of it have left. */
static const char *refuse_parts(const shoal_i_method_settings *settings)
{
    return settings->values[OPTION_BOX] == BOX_REGION
               ? "the smallest box of each class only, box=smallest"
               : NULL;
}

static const shoal_i_method_option options[] = {
    [OPTION_MODE] = {.name = "mode",
                     .help = "strict: equal values stay together; relaxed: they may part",
                     .words = modes},
    [OPTION_CUTS] = {.name = "cuts",
                     .help =
                         "categories, binary: in two; children: into all children of a node",
                     .words = cuts},
    [OPTION_FINISH] = {.name = "finish",
                       .help = "groups that sensitive values keep whole, none: leave them; "
                               "carve: into miniatures",
                       .words = finishes},
    [OPTION_BOX] = {.name = "box",
                    .help = "published of a class, smallest: the box around its records; "
                            "region: all that the cuts left it",
                    .words = boxes},
    {.name = NULL},
};

const shoal_i_method shoal_i_mondrian = {
    .name = "mondrian",
    .summary = "cut the widest column at the median, again and again; the classic, very fast",
    .citation = "LeFevre, DeWitt and Ramakrishnan, ICDE 2006, doi:10.1109/ICDE.2006.101",
    .cost = "O(n log n)",
    .options = options,
    .refuse_parts = refuse_parts,
    .run = run_mondrian,
};

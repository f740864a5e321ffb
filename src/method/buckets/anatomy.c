/* Anatomy's own buckets.
 *
 * X. Xiao, Y. Tao, "Anatomy: simple and effective privacy preservation", VLDB 2006, pages
 * 139-150.
 *
 * Records lie in piles by their sensitive value. While at least l piles are left, a bucket
 * takes one record, drawn at random, from each of the l fullest; so piles become equal, and in
 * the end fewer than l records are left over. Each joins a bucket that lacks its value. When no
 * value has a share above 1/l, every bucket is l-diverse.
 *
 * Where this differs from the paper, or goes beyond it:
 *   - l comes from the requirement that asks for most: l itself, 1/alpha, or the smallest class
 *     that another kind allows. Of several sensitive columns, its column makes the piles.
 *   - Where l is no whole number, ceil(l) may be more than the table has to give, and a bucket
 *     of ceil(c * l) records takes at most c of a value, c the smallest with which it comes out
 *     even. Likewise where buckets must be larger than l, by k.
 *   - What the drawing does not see to (a k of a record's own, other columns, closeness to the
 *     table, a recursive bound) buckets meet by joining others, in random order, until they do:
 *     a random bunch of buckets is distributed as the table is. Left over records that fit
 *     nowhere take part in that as buckets of their own.
 *   - Randomness comes from the operating system. Who could draw again, by a seed, would see
 *     which ranks of which values share a bucket, and that with the published counts tells
 *     nearly everybody's value.
 *   - Where more is asked than a largest share or a number of different values, records are
 *     also shared out value by value (share_out.h), and the way with more buckets is taken.
 */
#include "share_out.h"

#include "../../base/entropy.h"
#include "../../release/buckets.h"

#include <math.h>

#define REPEATS_TRIED 64
#define NONE UINT32_MAX
#define ROWS_PER_CHECK 65536

enum { OPTION_TEST_SEED };

typedef struct anatomy {
    const shoal_i_problem *problem;
    const shoal_i_sensitive *column;
    const uint32_t *codes; /* of each record there */
    double l;
    size_t size;    /* of a bucket as drawn */
    size_t repeats; /* records of one value in it, at most */

    uint32_t *rows;   /* pile after pile, shuffled */
    uint32_t *starts; /* of the piles, and the end */
    uint32_t *left;   /* records of each pile; the last ones are drawn first */

    uint32_t *heap; /* piles that are not empty, the fullest on top */
    size_t heap_count;
    uint32_t *taken; /* of each pile by the bucket at hand */

    size_t drawn;         /* buckets */
    uint32_t *members;    /* `size` each */
    uint32_t *extra_head; /* of each bucket: the last record that joined; NONE */
    uint32_t *extra_next; /* of each row */
    uint32_t *extra_count;
    uint32_t *spare; /* records that fit nowhere */
    size_t spare_count;

    shoal_i_entropy entropy;
    shoal_i_meter meter;
} anatomy;

/* --- What is asked for. */

/* How diverse one requirement wants a class to be. */
static double find_diversity(const shoal_i_requirement *item)
{
    if (item->kind == &shoal_i_l_frequency) {
        return item->value;
    }
    if (item->kind == &shoal_i_alpha_general) {
        return 1 / item->value;
    }
    return (double)item->kind->smallest_class(item);
}

static void choose_column(anatomy *a)
{
    const shoal_i_requirement_set *set = a->problem->requirements;
    const shoal_i_tally_source *source = a->problem->source;
    size_t index = 0;

    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement *item = &set->items[i];

        if (item->kind->needs_sensitive && (!a->column || find_diversity(item) > a->l)) {
            a->column = item->column;
            a->l = find_diversity(item);
            index = item->column_index;
        }
    }
    for (size_t i = 0; i < source->active_count; i++) {
        if (source->active[i].column == index) {
            a->codes = source->active[i].codes;
        }
    }
}

/* Records of a bucket that is large enough, and in which `repeats` of one value are a share of
 * at most 1/l. */
static size_t find_size(const anatomy *a, size_t repeats)
{
    double size = ceil((double)repeats * a->l * (1 - 1e-12));
    double least = (double)shoal_i_requirement_smallest_class(a->problem->requirements);
    double most = (double)a->problem->row_count;

    size = size < least ? least : size;
    return size > most ? (size_t)most : (size_t)size;
}

/* Whether buckets of such sizes can take up the most frequent value. */
static bool is_eligible(const anatomy *a, size_t repeats)
{
    uint32_t largest = a->column->totals[shoal_i_sensitive_most_frequent(a->column)];

    return (double)largest * (double)find_size(a, repeats) <=
           (double)a->problem->row_count * (double)repeats;
}

static void choose_size(anatomy *a)
{
    double fitting = floor((double)find_size(a, 1) / a->l * (1 + 1e-12));
    size_t first = fitting > 1 ? (size_t)fitting : 1;

    a->repeats = first;
    while (a->repeats - first < REPEATS_TRIED && !is_eligible(a, a->repeats)) {
        a->repeats++;
    }
    if (!is_eligible(a, a->repeats)) {
        a->repeats = first;
    }
    a->size = find_size(a, a->repeats);
}

/* --- Piles. */

static void shuffle(anatomy *a, uint32_t *items, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = shoal_i_entropy_below(&a->entropy, (uint32_t)i);
        uint32_t item = items[i - 1];

        items[i - 1] = items[j];
        items[j] = item;
    }
}

static shoal_status make_piles(shoal_ctx *ctx, anatomy *a)
{
    shoal_status st = SHOAL_OK;
    size_t rows = a->problem->row_count;
    size_t values = a->column->value_count;

    SHOAL_ALLOC(ctx, a->rows, rows);
    SHOAL_ALLOC(ctx, a->starts, values + 1);
    SHOAL_ALLOC(ctx, a->left, values);
    SHOAL_ALLOC(ctx, a->taken, values);
    SHOAL_ALLOC(ctx, a->heap, values);
    for (size_t code = 0; code < values; code++) {
        a->starts[code + 1] = a->starts[code] + a->column->totals[code];
    }
    for (size_t row = 0; row < rows; row++) {
        uint32_t code = a->codes[row];

        a->rows[a->starts[code] + a->left[code]++] = (uint32_t)row;
    }
    for (size_t code = 0; code < values; code++) {
        shuffle(a, a->rows + a->starts[code], a->left[code]);
    }
done:
    return st;
}

/* Whether pile x is drawn from before pile y: the fuller, of equals the one of the lower
 * code. */
static bool is_before(const anatomy *a, uint32_t x, uint32_t y)
{
    return a->left[x] != a->left[y] ? a->left[x] > a->left[y] : x < y;
}

static void push_pile(anatomy *a, uint32_t pile)
{
    size_t at = a->heap_count++;

    while (at > 0 && is_before(a, pile, a->heap[(at - 1) / 2])) {
        a->heap[at] = a->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    a->heap[at] = pile;
}

static uint32_t pop_pile(anatomy *a)
{
    uint32_t top = a->heap[0];
    uint32_t last = a->heap[--a->heap_count];
    size_t at = 0;

    for (size_t child = 1; child < a->heap_count; child = 2 * at + 1) {
        child += child + 1 < a->heap_count && is_before(a, a->heap[child + 1], a->heap[child]);
        if (!is_before(a, a->heap[child], last)) {
            break;
        }
        a->heap[at] = a->heap[child];
        at = child;
    }
    a->heap[at] = last;
    return top;
}

/* --- Drawing. */

static uint32_t draw_record(anatomy *a, uint32_t pile)
{
    return a->rows[a->starts[pile] + --a->left[pile]];
}

/* Fill one bucket; false when the piles do not suffice, with all records back on them. Piles
 * that gave what they may are set aside (`aside` has room for all of them) until the bucket is
 * full. */
static bool draw_bucket(anatomy *a, uint32_t *aside)
{
    uint32_t *members = a->members + a->drawn * a->size;
    size_t aside_count = 0;
    size_t count = 0;

    while (count < a->size && a->heap_count > 0) {
        uint32_t pile = pop_pile(a);

        members[count++] = draw_record(a, pile);
        if (++a->taken[pile] < a->repeats && a->left[pile] > 0) {
            push_pile(a, pile);
        } else {
            aside[aside_count++] = pile;
        }
    }
    bool is_full = count == a->size;

    for (size_t i = 0; i < count; i++) {
        uint32_t pile = a->codes[members[i]];

        a->left[pile] += is_full ? 0 : 1;
        a->taken[pile] = 0;
    }
    for (size_t i = 0; i < aside_count; i++) {
        if (a->left[aside[i]] > 0) {
            push_pile(a, aside[i]);
        }
    }
    return is_full;
}

static shoal_status draw_buckets(shoal_ctx *ctx, anatomy *a)
{
    shoal_status st = SHOAL_OK;
    uint32_t *aside = NULL;

    SHOAL_ALLOC(ctx, aside, a->column->value_count);
    SHOAL_ALLOC(ctx, a->members, a->problem->row_count);
    for (uint32_t code = 0; code < a->column->value_count; code++) {
        push_pile(a, code);
    }
    while ((a->drawn + 1) * a->size <= a->problem->row_count && draw_bucket(a, aside)) {
        a->drawn++;
        SHOAL_TRY(shoal_i_meter_add(ctx, &a->meter, a->size));
    }
done:
    free(aside);
    return st;
}

/* --- Left over records. */

/* Whether a bucket can take one more record of a value without that having too large a
 * share. */
static bool has_room(const anatomy *a, size_t bucket, uint32_t code)
{
    const uint32_t *members = a->members + bucket * a->size;
    size_t count = 1;

    for (size_t i = 0; i < a->size; i++) {
        count += a->codes[members[i]] == code;
    }
    for (uint32_t row = a->extra_head[bucket]; row != NONE; row = a->extra_next[row]) {
        count += a->codes[row] == code;
    }
    return (double)count * a->l <= (double)(a->size + a->extra_count[bucket] + 1);
}

static void join_bucket(anatomy *a, size_t bucket, uint32_t row)
{
    a->extra_next[row] = a->extra_head[bucket];
    a->extra_head[bucket] = row;
    a->extra_count[bucket]++;
}

/* Let the rest of a pile join buckets, from one drawn at random on; each is asked once. */
static shoal_status join_pile(shoal_ctx *ctx, anatomy *a, uint32_t code, size_t first)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < a->drawn && a->left[code] > 0; i++) {
        size_t bucket = (first + i) % a->drawn;

        if (has_room(a, bucket, code)) {
            join_bucket(a, bucket, draw_record(a, code));
        }
        if (i % ROWS_PER_CHECK == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
    while (a->left[code] > 0) {
        a->spare[a->spare_count++] = draw_record(a, code);
    }
done:
    return st;
}

static shoal_status join_left(shoal_ctx *ctx, anatomy *a)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, a->extra_head, a->drawn);
    SHOAL_ALLOC(ctx, a->extra_count, a->drawn);
    SHOAL_ALLOC(ctx, a->extra_next, a->problem->row_count);
    SHOAL_ALLOC(ctx, a->spare, a->problem->row_count - a->drawn * a->size);
    for (size_t bucket = 0; bucket < a->drawn; bucket++) {
        a->extra_head[bucket] = NONE;
    }
    for (uint32_t code = 0; code < a->column->value_count; code++) {
        if (a->left[code] > 0) {
            size_t first =
                a->drawn > 0 ? shoal_i_entropy_below(&a->entropy, (uint32_t)a->drawn) : 0;

            SHOAL_TRY(join_pile(ctx, a, code, first));
        }
    }
done:
    return st;
}

/* --- Joining buckets until each meets the requirement. */

/* Drawn buckets have numbers below `drawn`, spare records those behind. */
static void add_bucket(const anatomy *a, shoal_i_tally *tally, size_t number)
{
    if (number >= a->drawn) {
        shoal_i_tally_add(tally, a->spare[number - a->drawn]);
        return;
    }
    shoal_i_tally_add_list(tally, a->members + number * a->size, a->size);
    for (uint32_t row = a->extra_head[number]; row != NONE; row = a->extra_next[row]) {
        shoal_i_tally_add(tally, row);
    }
}

/* Cut an order of the buckets into runs that meet the requirement: ends[i] is the end of run i.
 * What is left at the end joins the runs before it, one after the other, until it does; all of
 * them together do. Returns how many there are. */
static shoal_status cut_runs(shoal_ctx *ctx, size_t *run_count, size_t *ends, const anatomy *a,
                             const uint32_t *order, size_t count)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_requirement_set *set = a->problem->requirements;
    shoal_i_tally tally = {0};
    size_t runs = 0;

    SHOAL_TRY(shoal_i_tally_init(ctx, &tally, a->problem->source));
    for (size_t i = 0; i < count; i++) {
        add_bucket(a, &tally, order[i]);
        if (shoal_i_requirement_holds(set, &tally.stats)) {
            ends[runs++] = i + 1;
            shoal_i_tally_empty(&tally);
        }
        if (i % ROWS_PER_CHECK == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
    while (tally.stats.size > 0 && runs > 0 && !shoal_i_requirement_holds(set, &tally.stats)) {
        size_t start = --runs > 0 ? ends[runs - 1] : 0;

        for (size_t i = start; i < ends[runs]; i++) {
            add_bucket(a, &tally, order[i]);
        }
    }
    if (tally.stats.size > 0) {
        ends[runs++] = count;
    }
    *run_count = runs;
done:
    shoal_i_tally_clear(&tally);
    return st;
}

static void mark_bucket(const anatomy *a, uint32_t *bucket_of, size_t number, uint32_t run)
{
    if (number >= a->drawn) {
        bucket_of[a->spare[number - a->drawn]] = run;
        return;
    }
    for (size_t i = 0; i < a->size; i++) {
        bucket_of[a->members[number * a->size + i]] = run;
    }
    for (uint32_t row = a->extra_head[number]; row != NONE; row = a->extra_next[row]) {
        bucket_of[row] = run;
    }
}

/* The buckets as drawn and joined. */
static shoal_status join_runs(shoal_ctx *ctx, uint32_t **bucket_of, size_t *bucket_count,
                              anatomy *a)
{
    shoal_status st = SHOAL_OK;
    size_t count = a->drawn + a->spare_count;
    uint32_t *order = NULL;
    size_t *ends = NULL;
    size_t runs = 0;

    SHOAL_ALLOC(ctx, order, count);
    SHOAL_ALLOC(ctx, ends, count + 1);
    SHOAL_ALLOC(ctx, *bucket_of, a->problem->row_count);
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
    }
    shuffle(a, order, count);
    SHOAL_TRY(cut_runs(ctx, &runs, ends, a, order, count));
    for (size_t run = 0, i = 0; run < runs; run++) {
        for (; i < ends[run]; i++) {
            mark_bucket(a, *bucket_of, order[i], (uint32_t)run);
        }
    }
    *bucket_count = runs;
done:
    free(order);
    free(ends);
    return st;
}

/* --- The method. */

static const char *refuse(const shoal_i_requirement_kind *kind, bool in_persons)
{
    return in_persons ? "it draws records by their values, and several of a bucket may be one "
                        "person's"
                      : shoal_i_refuse_in_buckets(kind, in_persons);
}

/* Whether all that is asked of sensitive values is a largest share or a number of different
 * ones: what drawing from the fullest piles serves best. */
static bool is_about_shares(const shoal_i_requirement_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement_kind *kind = set->items[i].kind;

        if (kind->needs_sensitive && kind != &shoal_i_l_frequency &&
            kind != &shoal_i_l_distinct && kind != &shoal_i_alpha_general) {
            return false;
        }
    }
    return true;
}

/* Share the records out instead, and keep that if it gives more buckets. */
static shoal_status try_sharing_out(shoal_ctx *ctx, uint32_t **bucket_of, size_t *bucket_count,
                                    const anatomy *a)
{
    shoal_status st = SHOAL_OK;
    uint32_t *other_of = NULL;
    size_t other_count = 0;

    SHOAL_TRY(shoal_i_share_out(ctx, &other_of, &other_count, a->problem, a->rows));
    if (other_count > *bucket_count) {
        free(*bucket_of);
        *bucket_of = other_of;
        *bucket_count = other_count;
        other_of = NULL;
    }
done:
    free(other_of);
    return st;
}

static void clear_anatomy(anatomy *a)
{
    free(a->rows);
    free(a->starts);
    free(a->left);
    free(a->heap);
    free(a->taken);
    free(a->members);
    free(a->extra_head);
    free(a->extra_next);
    free(a->extra_count);
    free(a->spare);
    shoal_i_entropy_clear(&a->entropy);
}

static shoal_status start_entropy(shoal_ctx *ctx, anatomy *a, double test_seed)
{
    shoal_status st = SHOAL_OK;

    if (test_seed < 0) {
        return shoal_i_entropy_init(ctx, &a->entropy);
    }
    SHOAL_TRY(shoal_i_method_warn_seeded(ctx, &shoal_i_anatomy));
    shoal_i_entropy_init_seeded(&a->entropy, (uint64_t)test_seed, 0);
done:
    return st;
}

static shoal_status run_anatomy(shoal_ctx *ctx, shoal_i_release **out,
                                const shoal_i_problem *problem,
                                const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    anatomy a = {.problem = problem,
                 .meter = {.stage = "anonymize", .total = problem->row_count}};
    uint32_t *bucket_of = NULL;
    size_t bucket_count = 0;

    *out = NULL;
    choose_column(&a);
    if (!a.column) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "The method anatomy works by the diversity of sensitive values, and "
            "no requirement is about them.");
    }
    choose_size(&a);
    SHOAL_TRY(start_entropy(ctx, &a, settings->values[OPTION_TEST_SEED]));
    SHOAL_TRY(make_piles(ctx, &a));
    SHOAL_TRY(draw_buckets(ctx, &a));
    SHOAL_TRY(join_left(ctx, &a));
    SHOAL_TRY(join_runs(ctx, &bucket_of, &bucket_count, &a));
    if (!is_about_shares(problem->requirements)) {
        SHOAL_TRY(try_sharing_out(ctx, &bucket_of, &bucket_count, &a));
    }
    SHOAL_TRY(shoal_i_release_from_buckets(ctx, out, problem->quasi, bucket_of, bucket_count));
    (*out)->is_test_seeded = settings->values[OPTION_TEST_SEED] >= 0;
done:
    free(bucket_of);
    clear_anatomy(&a);
    return st;
}

static const shoal_i_method_option options[] = {
    [OPTION_TEST_SEED] = SHOAL_I_TEST_SEED_OPTION,
    {.name = NULL},
};

const shoal_i_method shoal_i_anatomy = {
    .name = "anatomy",
    .summary =
        "small diverse buckets: records as they are, sensitive values apart; the fastest",
    .citation = "Xiao and Tao, VLDB 2006",
    .cost = "O(n log m), m sensitive values",
    .shape = SHOAL_I_SHAPE_BUCKETS,
    .options = options,
    .refuse = refuse,
    .needs_sensitive = true,
    .run = run_anatomy,
};

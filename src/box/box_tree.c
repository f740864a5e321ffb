#include "box_tree.h"

#include "../base/fail.h"
#include "../base/sort.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define FAN SHOAL_I_BOX_TREE_FAN

/* Of shortened codes. The largest that 16 bits hold is that of a child that is not there. */
#define CODES_MOST (UINT16_MAX - 1)

void shoal_i_box_tree_free(shoal_i_box_tree *tree)
{
    if (tree) {
        free(tree->item_at);
        free(tree->place_of);
        free(tree->boxes);
        free(tree->ends);
        free(tree->shifts);
        free(tree);
    }
}

static size_t divide_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

/* --- Building. */

/* Twice the middle of an interval. */
static uint64_t find_middle(shoal_i_interval interval)
{
    return (uint64_t)interval.lo + interval.hi;
}

static uint64_t find_spread(const uint32_t *items, size_t count, const shoal_i_interval *boxes,
                            size_t width, size_t column)
{
    uint64_t least = UINT64_MAX;
    uint64_t largest = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t middle = find_middle(boxes[items[i] * width + column]);

        least = middle < least ? middle : least;
        largest = middle > largest ? middle : largest;
    }
    return count > 0 ? largest - least : 0;
}

typedef struct growing {
    const shoal_i_interval *boxes;
    uint64_t *spreads; /* of all items, per column */
    shoal_i_sort_item *items;
    shoal_i_sort_item *scratch;
} growing;

/* The column in which the middles of some items spread over most of what all spread over. */
static size_t find_widest(const shoal_i_box_tree *tree, const growing *g, const uint32_t *items,
                          size_t count)
{
    size_t widest = 0;
    double most = -1;

    for (size_t c = 0; c < tree->width; c++) {
        uint64_t spread = find_spread(items, count, g->boxes, tree->width, c);
        double share = spread > 0 ? (double)spread / (double)g->spreads[c] : 0;

        if (share > most) {
            most = share;
            widest = c;
        }
    }
    return widest;
}

static void sort_along(const shoal_i_box_tree *tree, growing *g, uint32_t *items, size_t count)
{
    size_t column = find_widest(tree, g, items, count);

    for (size_t i = 0; i < count; i++) {
        g->items[i] = (shoal_i_sort_item){
            .key = find_middle(g->boxes[items[i] * tree->width + column]), .item = items[i]};
    }
    shoal_i_sort_items(g->items, g->scratch, count);
    for (size_t i = 0; i < count; i++) {
        items[i] = g->items[i].item;
    }
}

/* Give items their places: runs are halved along the column in which they are widest, until
 * they are leaves. Halves are powers of two, so that a node of any level is such a run. */
static shoal_status order_items(shoal_ctx *ctx, shoal_i_box_tree *tree, growing *g)
{
    shoal_status st = SHOAL_OK;
    size_t half = FAN;

    while (half < tree->count) {
        half *= 2;
    }
    for (half /= 2; half >= FAN; half /= 2) {
        for (size_t first = 0; first + half < tree->count; first += 2 * half) {
            size_t rest = tree->count - first;

            sort_along(tree, g, tree->item_at + first, rest < 2 * half ? rest : 2 * half);
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
done:
    return st;
}

static shoal_status place_items(shoal_ctx *ctx, shoal_i_box_tree *tree,
                                const shoal_i_interval *boxes)
{
    shoal_status st = SHOAL_OK;
    growing g = {.boxes = boxes};

    SHOAL_ALLOC(ctx, g.spreads, tree->width);
    SHOAL_ALLOC(ctx, g.items, tree->count);
    SHOAL_ALLOC(ctx, g.scratch, tree->count);
    for (size_t i = 0; i < tree->count; i++) {
        tree->item_at[i] = (uint32_t)i;
    }
    for (size_t c = 0; c < tree->width; c++) {
        g.spreads[c] = find_spread(tree->item_at, tree->count, boxes, tree->width, c);
    }
    SHOAL_TRY(order_items(ctx, tree, &g));
    for (size_t place = 0; place < tree->count; place++) {
        tree->place_of[tree->item_at[place]] = (uint32_t)place;
        memcpy(tree->boxes + place * tree->width, boxes + tree->item_at[place] * tree->width,
               tree->width * sizeof *boxes);
    }
done:
    free(g.spreads);
    free(g.items);
    free(g.scratch);
    return st;
}

/* Codes keep their order; processors compare vectors of signed numbers at once. */
static int16_t shorten(const shoal_i_box_tree *tree, size_t column, uint32_t code,
                       uint32_t most)
{
    uint32_t shortened = code >> tree->shifts[column];

    return (int16_t)((int32_t)(shortened < most ? shortened : most) + INT16_MIN);
}

/* The ends of the children of a node in a column: FAN lower ones, then as many upper ones. */
static int16_t *find_ends(const shoal_i_box_tree *tree, size_t node, size_t column)
{
    return tree->ends + (node * tree->width + column) * 2 * FAN;
}

static void set_shifts(shoal_i_box_tree *tree)
{
    for (size_t c = 0; c < tree->width; c++) {
        uint32_t most = 0;

        for (size_t place = 0; place < tree->count; place++) {
            uint32_t hi = tree->boxes[place * tree->width + c].hi;

            most = hi > most ? hi : most;
        }
        while (most >> tree->shifts[c] > CODES_MOST) {
            tree->shifts[c]++;
        }
        tree->is_shortened = tree->is_shortened || tree->shifts[c] > 0;
    }
}

static void bound_leaf(shoal_i_box_tree *tree, size_t leaf)
{
    for (size_t c = 0; c < tree->width; c++) {
        int16_t *ends = find_ends(tree, leaf, c);

        for (size_t i = 0; i < FAN && leaf * FAN + i < tree->count; i++) {
            const shoal_i_interval *its = &tree->boxes[(leaf * FAN + i) * tree->width + c];

            ends[i] = shorten(tree, c, its->lo, CODES_MOST);
            ends[FAN + i] = shorten(tree, c, its->hi, CODES_MOST);
        }
    }
}

/* The box around all below a node becomes that of a child of the node above. */
static void bound_child(shoal_i_box_tree *tree, size_t parent, size_t child, size_t node)
{
    for (size_t c = 0; c < tree->width; c++) {
        const int16_t *below = find_ends(tree, node, c);
        int16_t *ends = find_ends(tree, parent, c);

        for (size_t i = 0; i < FAN; i++) {
            ends[child] = below[i] < ends[child] ? below[i] : ends[child];
            ends[FAN + child] =
                below[FAN + i] > ends[FAN + child] ? below[FAN + i] : ends[FAN + child];
        }
    }
}

static shoal_status bound_nodes(shoal_ctx *ctx, shoal_i_box_tree *tree)
{
    shoal_status st = SHOAL_OK;
    size_t leaves = tree->level_count > 1 ? tree->level_first[1] : tree->node_count;
    size_t cells = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, tree->node_count * 2 * FAN, tree->width));
    SHOAL_ALLOC(ctx, tree->ends, cells);
    /* A child that is not there meets nothing. */
    for (size_t i = 0; i < cells; i++) {
        tree->ends[i] = i / FAN % 2 == 0 ? INT16_MAX : INT16_MIN;
    }
    for (size_t leaf = 0; leaf < leaves; leaf++) {
        bound_leaf(tree, leaf);
    }
    for (size_t level = 1; level < tree->level_count; level++) {
        for (size_t i = 0; tree->level_first[level - 1] + i < tree->level_first[level]; i++) {
            bound_child(tree, tree->level_first[level] + i / FAN, i % FAN,
                        tree->level_first[level - 1] + i);
        }
    }
done:
    return st;
}

static void count_nodes(shoal_i_box_tree *tree)
{
    size_t nodes = tree->count;

    do {
        nodes = nodes > 0 ? divide_up(nodes, FAN) : 1;
        tree->level_first[tree->level_count++] = tree->node_count;
        tree->node_count += nodes;
    } while (nodes > 1);
}

shoal_status shoal_i_box_tree_build(shoal_ctx *ctx, shoal_i_box_tree **out, size_t width,
                                    const shoal_i_interval *boxes, size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_box_tree *tree = NULL;
    size_t cells = 0;

    *out = NULL;
    SHOAL_ALLOC(ctx, tree, 1);
    tree->count = count;
    tree->width = width;
    count_nodes(tree);
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, count, width));
    SHOAL_ALLOC(ctx, tree->item_at, count);
    SHOAL_ALLOC(ctx, tree->place_of, count);
    SHOAL_ALLOC(ctx, tree->boxes, cells);
    SHOAL_ALLOC(ctx, tree->shifts, width);
    SHOAL_TRY(place_items(ctx, tree, boxes));
    set_shifts(tree);
    SHOAL_TRY(bound_nodes(ctx, tree));
    *out = tree;
    tree = NULL;
done:
    shoal_i_box_tree_free(tree);
    return st;
}

/* --- Sets. */

void shoal_i_box_tree_fill(const shoal_i_box_tree *tree, uint32_t *set)
{
    size_t children = tree->count;

    for (size_t level = 0; level < tree->level_count; level++) {
        size_t nodes = children > 0 ? divide_up(children, FAN) : 1;

        memset(set + tree->level_first[level], 0xff, nodes * sizeof *set);
        if (children % FAN != 0 || children == 0) {
            set[tree->level_first[level] + nodes - 1] = ((uint32_t)1 << children % FAN) - 1;
        }
        children = nodes;
    }
}

void shoal_i_box_tree_put(const shoal_i_box_tree *tree, uint32_t *set, size_t item)
{
    size_t child = tree->place_of[item];
    bool was_empty = true;

    for (size_t level = 0; level < tree->level_count && was_empty; level++) {
        uint32_t *word = &set[tree->level_first[level] + child / FAN];

        was_empty = *word == 0;
        *word |= (uint32_t)1 << child % FAN;
        child /= FAN;
    }
}

void shoal_i_box_tree_take(const shoal_i_box_tree *tree, uint32_t *set, size_t item)
{
    size_t child = tree->place_of[item];
    bool is_empty = true;

    for (size_t level = 0; level < tree->level_count && is_empty; level++) {
        uint32_t *word = &set[tree->level_first[level] + child / FAN];

        *word &= ~((uint32_t)1 << child % FAN);
        is_empty = *word == 0;
        child /= FAN;
    }
}

/* --- Looking up. */

/* Which of 32 intervals lie apart from [lo, hi], a bit each. */
static uint32_t find_apart(const int16_t *ends, int16_t lo, int16_t hi)
{
    uint32_t apart = 0;

#if defined(__SSE2__)
    const __m128i *lows = (const __m128i *)(const void *)ends;
    const __m128i *highs = lows + FAN / 8;
    __m128i first = _mm_set1_epi16(lo);
    __m128i last = _mm_set1_epi16(hi);

    for (unsigned i = 0; i < FAN / 8; i += 2) {
        __m128i a = _mm_or_si128(_mm_cmpgt_epi16(_mm_loadu_si128(lows + i), last),
                                 _mm_cmpgt_epi16(first, _mm_loadu_si128(highs + i)));
        __m128i b = _mm_or_si128(_mm_cmpgt_epi16(_mm_loadu_si128(lows + i + 1), last),
                                 _mm_cmpgt_epi16(first, _mm_loadu_si128(highs + i + 1)));

        apart |= (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(a, b)) << 8 * i;
    }
#else
    for (unsigned i = 0; i < FAN; i++) {
        apart |= (uint32_t)(ends[i] > hi || ends[FAN + i] < lo) << i;
    }
#endif
    return apart;
}

/* Of some children of a node those that meet a box, as far as shortened codes tell. */
static uint32_t find_meeting(const shoal_i_box_tree *tree, size_t node,
                             const shoal_i_interval *box, uint32_t children)
{
    for (size_t c = 0; c < tree->width && children != 0; c++) {
        /* What lies behind all items meets none. */
        children &=
            ~find_apart(find_ends(tree, node, c), shorten(tree, c, box[c].lo, UINT16_MAX),
                        shorten(tree, c, box[c].hi, CODES_MOST));
    }
    return children;
}

static bool meets(const shoal_i_box_tree *tree, size_t place, const shoal_i_interval *box)
{
    const shoal_i_interval *its = tree->boxes + place * tree->width;

    for (size_t c = 0; c < tree->width; c++) {
        if (its[c].hi < box[c].lo || box[c].hi < its[c].lo) {
            return false;
        }
    }
    return true;
}

static uint32_t find_lowest_bit(uint32_t bits)
{
    return (uint32_t)__builtin_ctz(bits);
}

/* Search below some children of a node: of its level, by its number there. */
static bool search_below(const shoal_i_box_tree *tree, const shoal_i_box_tree_search *search,
                         size_t level, size_t number, uint32_t children)
{
    size_t node = tree->level_first[level] + number;

    children &= search->among ? search->among[node] : UINT32_MAX;
    children = find_meeting(tree, node, search->box, children);
    for (; children != 0; children &= children - 1) {
        size_t child = number * FAN + find_lowest_bit(children);

        if (level > 0) {
            if (search_below(tree, search, level - 1, child, UINT32_MAX)) {
                return true;
            }
        } else if ((!tree->is_shortened || meets(tree, child, search->box)) &&
                   search->found(search->payload, tree->item_at[child])) {
            return true;
        }
    }
    return false;
}

bool shoal_i_box_tree_find(const shoal_i_box_tree *tree, const shoal_i_box_tree_search *search)
{
    size_t top = tree->level_count - 1;

    if (search->from == SHOAL_I_NO_ITEM) {
        return search_below(tree, search, top, 0, UINT32_MAX);
    }
    size_t number = tree->place_of[search->from] / FAN;

    if (search_below(tree, search, 0, number, UINT32_MAX)) {
        return true;
    }
    for (size_t level = 1; level <= top; level++) {
        uint32_t others = ~((uint32_t)1 << number % FAN);

        number /= FAN;
        if (search_below(tree, search, level, number, others)) {
            return true;
        }
    }
    return false;
}

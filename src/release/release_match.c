#include "release_match.h"

#include "../base/fail.h"
#include "../base/sort.h"
#include "../box/box_tree.h"
#include "../box/distinct.h"

#include <assert.h>
#include <string.h>

#define NOWHERE UINT32_MAX

/* Kinds of records on one side, places (a box and a tag) on the other, edges where a kind
 * fits. */
typedef struct transport {
    const shoal_i_release *release;
    const shoal_i_quasi *quasi;
    size_t record_count;
    uint32_t *codes;   /* of the records: one after the other, the tag last */
    size_t width;      /* of a record there */
    uint32_t *records; /* sorted by kind */
    size_t kind_count;
    uint32_t *first; /* kind_count + 1, into records */
    uint32_t *left;  /* of each kind: records without a place */

    size_t place_count; /* places stand box after box, tag after tag */
    uint32_t *place_box;
    uint32_t *place_tag;
    uint32_t *box_places;      /* box_count + 1: the first place of each box */
    shoal_i_sort_item *around; /* boxes around the kind at hand, and room to sort them */
    shoal_i_sort_item *around_scratch;
    size_t around_count;
    uint32_t *room; /* rows of a place that no record has */

    size_t edge_count;
    size_t edge_capacity;
    uint32_t *edge_kind; /* edges stand kind after kind */
    uint32_t *edge_place;
    uint32_t *flow;       /* records of the kind in the place */
    size_t *kind_edges;   /* kind_count + 1 */
    uint32_t *used_first; /* of each place: where its edges that have a flow stand in `used` */
    uint32_t *used_count; /* how many they are; no more than its rows */
    uint32_t *used;
    uint32_t *kind_level; /* steps from the nearest kind that has records left; NOWHERE: none */
    uint32_t *place_level;
    uint32_t *queue;      /* of kinds, by level */
    size_t *kind_next;    /* the first edge of a kind that may still lead on in this round */
    uint32_t *place_next; /* of a place: which of its used edges */
    uint32_t *way;        /* edges from a kind to a place with room, there and back in turn */
    size_t way_count;
} transport;

static void transport_clear(transport *t)
{
    free(t->codes);
    free(t->records);
    free(t->first);
    free(t->left);
    free(t->place_box);
    free(t->place_tag);
    free(t->box_places);
    free(t->around);
    free(t->around_scratch);
    free(t->room);
    free(t->edge_kind);
    free(t->edge_place);
    free(t->flow);
    free(t->kind_edges);
    free(t->used_first);
    free(t->used_count);
    free(t->used);
    free(t->kind_level);
    free(t->place_level);
    free(t->queue);
    free(t->kind_next);
    free(t->place_next);
    free(t->way);
}

/* --- Kinds and places. -------------------------------------------------------------------- */

static void load_words(const void *payload, size_t word, shoal_i_sort_item *items, size_t count)
{
    const transport *t = payload;

    for (size_t i = 0; i < count; i++) {
        items[i].key = t->codes[(size_t)items[i].item * t->width + word];
    }
}

static shoal_status find_kinds(shoal_ctx *ctx, transport *t, const uint32_t *tags)
{
    shoal_status st = SHOAL_OK;
    const uint32_t starts[] = {0, (uint32_t)t->record_count};
    size_t cells = 0;

    t->width = t->quasi->count + 1;
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, t->record_count, t->width));
    SHOAL_ALLOC(ctx, t->codes, cells);
    SHOAL_ALLOC(ctx, t->records, t->record_count);
    SHOAL_ALLOC(ctx, t->first, t->record_count + 1);
    for (uint32_t i = 0; i < t->record_count; i++) {
        for (size_t c = 0; c < t->quasi->count; c++) {
            t->codes[i * t->width + c] = shoal_i_quasi_code(t->quasi, c, i);
        }
        t->codes[i * t->width + t->quasi->count] = tags ? tags[i] : 0;
        t->records[i] = i;
    }
    SHOAL_TRY(shoal_i_sort_runs(ctx, t->records, starts, 1, t->width, load_words, t));
    t->kind_count = shoal_i_number_runs(t->first, t->records, t->record_count, t->codes,
                                        t->width * sizeof *t->codes);
    SHOAL_ALLOC(ctx, t->left, t->kind_count);
    for (size_t kind = 0; kind < t->kind_count; kind++) {
        t->left[kind] = t->first[kind + 1] - t->first[kind];
    }
done:
    return st;
}

static shoal_status find_places(shoal_ctx *ctx, transport *t, const uint32_t *tags)
{
    shoal_status st = SHOAL_OK;
    size_t rows = t->release->row_count;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;

    SHOAL_ALLOC(ctx, items, rows);
    SHOAL_ALLOC(ctx, scratch, rows);
    SHOAL_ALLOC(ctx, t->place_box, rows);
    SHOAL_ALLOC(ctx, t->place_tag, rows);
    SHOAL_ALLOC(ctx, t->room, rows);
    for (uint32_t i = 0; i < rows; i++) {
        items[i] = (shoal_i_sort_item){
            .key = (uint64_t)t->release->box_of[i] << 32 | (tags ? tags[i] : 0), .item = i};
    }
    shoal_i_sort_items(items, scratch, rows);
    for (size_t i = 0; i < rows; i++) {
        if (i == 0 || items[i].key != items[i - 1].key) {
            t->place_box[t->place_count] = (uint32_t)(items[i].key >> 32);
            t->place_tag[t->place_count++] = (uint32_t)items[i].key;
        }
        t->room[t->place_count - 1]++;
    }
    SHOAL_ALLOC(ctx, t->box_places, t->release->box_count + 1);
    for (size_t place = 0; place < t->place_count; place++) {
        t->box_places[t->place_box[place] + 1]++;
    }
    for (size_t box = 0; box < t->release->box_count; box++) {
        t->box_places[box + 1] += t->box_places[box];
    }
done:
    free(items);
    free(scratch);
    return st;
}

static bool note_box(void *payload, size_t box)
{
    transport *t = payload;

    t->around[t->around_count++].key = box;
    return false;
}

/* The place of a box and a tag; NOWHERE when the box has no row with the tag. */
static uint32_t find_place(const transport *t, uint32_t box, uint32_t tag)
{
    uint32_t low = t->box_places[box];
    uint32_t high = t->box_places[box + 1];

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (t->place_tag[middle] < tag) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < t->box_places[box + 1] && t->place_tag[low] == tag ? low : NOWHERE;
}

static shoal_status add_edge(shoal_ctx *ctx, transport *t, size_t kind, size_t place)
{
    if (t->edge_count == t->edge_capacity) {
        size_t capacity = 2 * t->edge_capacity + 1024;
        uint32_t *kinds = shoal_i_realloc(ctx, t->edge_kind, capacity, sizeof *kinds);

        if (!kinds) {
            return SHOAL_ENOMEM;
        }
        t->edge_kind = kinds;
        uint32_t *places = shoal_i_realloc(ctx, t->edge_place, capacity, sizeof *places);

        if (!places) {
            return SHOAL_ENOMEM;
        }
        t->edge_place = places;
        t->edge_capacity = capacity;
    }
    if (t->edge_count == UINT32_MAX - 1) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT,
                            "The boxes of the release overlap too much for its records to be "
                            "told apart.");
    }
    t->edge_kind[t->edge_count] = (uint32_t)kind;
    t->edge_place[t->edge_count++] = (uint32_t)place;
    return SHOAL_OK;
}

/* Edges of a kind, in the order of the places. `point` has room for a box. */
static shoal_status add_edges(shoal_ctx *ctx, transport *t, const shoal_i_box_tree *tree,
                              size_t kind, shoal_i_interval *point)
{
    shoal_status st = SHOAL_OK;
    const uint32_t *codes = t->codes + t->records[t->first[kind]] * t->width;

    for (size_t c = 0; c < t->quasi->count; c++) {
        point[c] = (shoal_i_interval){codes[c], codes[c]};
    }
    t->around_count = 0;
    shoal_i_box_tree_find(
        tree, &(shoal_i_box_tree_search){
                  .box = point, .from = SHOAL_I_NO_ITEM, .found = note_box, .payload = t});
    shoal_i_sort_items(t->around, t->around_scratch, t->around_count);
    for (size_t i = 0; i < t->around_count; i++) {
        uint32_t place = find_place(t, (uint32_t)t->around[i].key, codes[t->quasi->count]);

        if (place != NOWHERE) {
            SHOAL_TRY(add_edge(ctx, t, kind, place));
        }
    }
done:
    return st;
}

static shoal_status find_edges(shoal_ctx *ctx, transport *t)
{
    shoal_status st = SHOAL_OK;
    shoal_i_box_tree *tree = NULL;
    shoal_i_interval *point = NULL;

    SHOAL_ALLOC(ctx, point, t->quasi->count);
    SHOAL_ALLOC(ctx, t->around, t->release->box_count);
    SHOAL_ALLOC(ctx, t->around_scratch, t->release->box_count);
    SHOAL_TRY(shoal_i_box_tree_build(ctx, &tree, t->quasi->count, t->release->boxes,
                                     t->release->box_count));
    SHOAL_ALLOC(ctx, t->kind_edges, t->kind_count + 1);
    for (size_t kind = 0; kind < t->kind_count; kind++) {
        t->kind_edges[kind] = t->edge_count;
        SHOAL_TRY(add_edges(ctx, t, tree, kind, point));
        if (kind % 256 == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
    t->kind_edges[t->kind_count] = t->edge_count;
    SHOAL_ALLOC(ctx, t->flow, t->edge_count);
done:
    shoal_i_box_tree_free(tree);
    free(point);
    return st;
}

/* --- Moving records into places. ---------------------------------------------------------- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Room for the edges of each place that have a flow: one for each of its rows, which are all
 * free. */
static shoal_status list_used(shoal_ctx *ctx, transport *t)
{
    shoal_status st = SHOAL_OK;
    uint32_t rows = 0;

    SHOAL_ALLOC(ctx, t->used_first, t->place_count);
    SHOAL_ALLOC(ctx, t->used_count, t->place_count);
    SHOAL_ALLOC(ctx, t->used, t->release->row_count);
    for (size_t place = 0; place < t->place_count; place++) {
        t->used_first[place] = rows;
        rows += t->room[place];
    }
done:
    return st;
}

static void add_flow(transport *t, uint32_t edge, uint32_t amount)
{
    uint32_t place = t->edge_place[edge];

    if (t->flow[edge] == 0 && amount > 0) {
        t->used[t->used_first[place] + t->used_count[place]++] = edge;
    }
    t->flow[edge] += amount;
}

/* Of the used edge of a place at which a search stands. */
static void take_flow(transport *t, uint32_t edge, uint32_t amount)
{
    uint32_t place = t->edge_place[edge];
    uint32_t *used = t->used + t->used_first[place];

    assert(used[t->place_next[place]] == edge);
    t->flow[edge] -= amount;
    if (t->flow[edge] == 0) {
        used[t->place_next[place]] = used[--t->used_count[place]];
    }
}

/* Kinds with few choices first. */
static shoal_status fill_greedily(shoal_ctx *ctx, transport *t)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;

    SHOAL_ALLOC(ctx, items, t->kind_count);
    SHOAL_ALLOC(ctx, scratch, t->kind_count);
    SHOAL_TRY(list_used(ctx, t));
    for (uint32_t kind = 0; kind < t->kind_count; kind++) {
        items[kind] = (shoal_i_sort_item){.key = t->kind_edges[kind + 1] - t->kind_edges[kind],
                                          .item = kind};
    }
    shoal_i_sort_items(items, scratch, t->kind_count);
    for (size_t i = 0; i < t->kind_count; i++) {
        uint32_t kind = items[i].item;

        for (size_t e = t->kind_edges[kind]; e < t->kind_edges[kind + 1]; e++) {
            uint32_t amount = least(t->left[kind], t->room[t->edge_place[e]]);

            add_flow(t, (uint32_t)e, amount);
            t->left[kind] -= amount;
            t->room[t->edge_place[e]] -= amount;
        }
    }
done:
    free(items);
    free(scratch);
    return st;
}

/* Go from all kinds that have records left, level by level, over kinds that could move on.
 * Whether a place with room was reached; what lies behind the first such level stays
 * NOWHERE. */
static bool find_levels(transport *t)
{
    size_t tail = 0;
    uint32_t end = NOWHERE; /* the level of places with room */

    memset(t->place_level, 0xff, t->place_count * sizeof *t->place_level);
    for (uint32_t kind = 0; kind < t->kind_count; kind++) {
        t->kind_level[kind] = t->left[kind] > 0 ? 0 : NOWHERE;
        if (t->left[kind] > 0) {
            t->queue[tail++] = kind;
        }
    }
    for (size_t head = 0; head < tail && t->kind_level[t->queue[head]] < end; head++) {
        uint32_t kind = t->queue[head];

        for (size_t e = t->kind_edges[kind]; e < t->kind_edges[kind + 1]; e++) {
            uint32_t place = t->edge_place[e];

            if (t->place_level[place] != NOWHERE) {
                continue;
            }
            t->place_level[place] = t->kind_level[kind] + 1;
            if (t->room[place] > 0) {
                end = t->place_level[place];
                continue;
            }
            for (uint32_t i = 0; i < t->used_count[place]; i++) {
                uint32_t other = t->edge_kind[t->used[t->used_first[place] + i]];

                if (t->kind_level[other] == NOWHERE) {
                    t->kind_level[other] = t->place_level[place] + 1;
                    t->queue[tail++] = other;
                }
            }
        }
    }
    return end != NOWHERE;
}

/* Step from a kind to a place of the next level. */
static bool step_to_place(transport *t, uint32_t kind)
{
    for (; t->kind_next[kind] < t->kind_edges[kind + 1]; t->kind_next[kind]++) {
        uint32_t edge = (uint32_t)t->kind_next[kind];

        if (t->place_level[t->edge_place[edge]] == t->kind_level[kind] + 1) {
            t->way[t->way_count++] = edge;
            return true;
        }
    }
    return false;
}

/* Step from a full place to a kind of the next level that could leave it. */
static bool step_to_kind(transport *t, uint32_t place)
{
    for (; t->place_next[place] < t->used_count[place]; t->place_next[place]++) {
        uint32_t edge = t->used[t->used_first[place] + t->place_next[place]];

        if (t->kind_level[t->edge_kind[edge]] == t->place_level[place] + 1) {
            t->way[t->way_count++] = edge;
            return true;
        }
    }
    return false;
}

/* Find a way from a kind to a place with room that climbs a level at each step. What led
 * nowhere is not tried again in this round. */
static bool find_way(transport *t, uint32_t start)
{
    t->way_count = 0;
    for (;;) {
        uint32_t kind = t->way_count > 0 ? t->edge_kind[t->way[t->way_count - 1]] : start;

        if (step_to_place(t, kind)) {
            uint32_t place = t->edge_place[t->way[t->way_count - 1]];

            if (t->room[place] > 0) {
                return true;
            }
            if (!step_to_kind(t, place)) {
                t->way_count--;
                t->kind_next[kind]++;
            }
        } else if (t->way_count > 0) {
            t->way_count--;
            t->place_next[t->edge_place[t->way[t->way_count - 1]]]++;
            t->way_count--;
        } else {
            return false;
        }
    }
}

/* Move as many as can along the way that was found. */
static void move_along(transport *t, uint32_t start)
{
    uint32_t end = t->edge_place[t->way[t->way_count - 1]];
    uint32_t amount = least(t->left[start], t->room[end]);

    for (size_t i = 1; i < t->way_count; i += 2) {
        amount = least(amount, t->flow[t->way[i]]);
    }
    t->room[end] -= amount;
    t->left[start] -= amount;
    for (size_t i = 1; i < t->way_count; i += 2) {
        take_flow(t, t->way[i], amount);
    }
    for (size_t i = 0; i < t->way_count; i += 2) {
        add_flow(t, t->way[i], amount);
    }
}

static shoal_status fail_no_match(shoal_ctx *ctx)
{
    return shoal_i_fail(
        ctx, SHOAL_EFORMAT,
        "The release does not belong to the original: its records cannot be "
        "given one row each that covers them and shows their sensitive values.");
}

/* Move all records that can along shortest ways, which are the longer the later the round
 * (E. A. Dinic 1970): few rounds do, where a search for each record would take far more. */
static shoal_status run_round(shoal_ctx *ctx, transport *t)
{
    shoal_status st = SHOAL_OK;

    memcpy(t->kind_next, t->kind_edges, t->kind_count * sizeof *t->kind_next);
    memset(t->place_next, 0, t->place_count * sizeof *t->place_next);
    for (uint32_t kind = 0; kind < t->kind_count; kind++) {
        while (t->left[kind] > 0 && find_way(t, kind)) {
            move_along(t, kind);
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
done:
    return st;
}

static bool is_placed(const transport *t)
{
    for (size_t kind = 0; kind < t->kind_count; kind++) {
        if (t->left[kind] > 0) {
            return false;
        }
    }
    return true;
}

static shoal_status fill_rest(shoal_ctx *ctx, transport *t)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, t->kind_level, t->kind_count);
    SHOAL_ALLOC(ctx, t->place_level, t->place_count);
    SHOAL_ALLOC(ctx, t->queue, t->kind_count);
    SHOAL_ALLOC(ctx, t->kind_next, t->kind_count);
    SHOAL_ALLOC(ctx, t->place_next, t->place_count);
    SHOAL_ALLOC(ctx, t->way, 2 * t->kind_count);
    while (!is_placed(t)) {
        if (!find_levels(t)) {
            return fail_no_match(ctx);
        }
        SHOAL_TRY(run_round(ctx, t));
    }
done:
    return st;
}

static void read_off(const transport *t, uint32_t *box_of)
{
    for (size_t kind = 0; kind < t->kind_count; kind++) {
        uint32_t next = t->first[kind];

        for (size_t e = t->kind_edges[kind]; e < t->kind_edges[kind + 1]; e++) {
            for (uint32_t i = 0; i < t->flow[e]; i++) {
                box_of[t->records[next++]] = t->place_box[t->edge_place[e]];
            }
        }
        assert(next == t->first[kind + 1]);
    }
}

/* Edges of a kind stand in the order of their boxes. */
static size_t count_open(const transport *t)
{
    size_t count = 0;

    for (size_t kind = 0; kind < t->kind_count; kind++) {
        size_t from = t->kind_edges[kind];
        size_t to = t->kind_edges[kind + 1];

        if (to > from &&
            t->place_box[t->edge_place[from]] != t->place_box[t->edge_place[to - 1]]) {
            count += t->first[kind + 1] - t->first[kind];
        }
    }
    return count;
}

shoal_status shoal_i_release_match(shoal_ctx *ctx, uint32_t **box_of, size_t *open_count,
                                   const shoal_i_release *release, const uint32_t *record_tags,
                                   const uint32_t *row_tags)
{
    shoal_status st = SHOAL_OK;
    transport t = {.release = release,
                   .quasi = release->quasi,
                   .record_count = shoal_table_row_count(release->quasi->table)};
    uint32_t *found = NULL;

    *box_of = NULL;
    if (release->row_count != t.record_count) {
        return shoal_i_fail(
            ctx, SHOAL_EFORMAT,
            "The release has %zu records and the original %zu; every record needs "
            "its row.",
            release->row_count, t.record_count);
    }
    SHOAL_ALLOC(ctx, found, t.record_count);
    SHOAL_TRY(find_kinds(ctx, &t, record_tags));
    SHOAL_TRY(find_places(ctx, &t, row_tags));
    SHOAL_TRY(find_edges(ctx, &t));
    SHOAL_TRY(fill_greedily(ctx, &t));
    SHOAL_TRY(fill_rest(ctx, &t));
    read_off(&t, found);
    if (open_count) {
        *open_count = count_open(&t);
    }
    *box_of = found;
    found = NULL;
done:
    free(found);
    transport_clear(&t);
    return st;
}

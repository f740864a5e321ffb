/* verify_records.c -- the independent check of a release with a box per record.
 *
 * Finds a perfect matching of rows and records, the points and boxes that reach each other, and
 * counts for each of them the candidates among those: compatible.h says why.
 */
#include "compatible.h"
#include "measure.h"

#include "../base/pool.h"

#include <math.h>

#define NODES_PER_CHUNK 256

typedef struct verification {
    shoal_i_compatible *graph;
    uint32_t *parts;  /* node (point or box) -> those that reach each other */
    uint64_t *asked;  /* candidates that are counted at most, per node */
    uint64_t *counts; /* candidates, per node */
    uint64_t most;    /* candidates that are asked for */
    const uint32_t *record_k;
} verification;

/* --- Candidates. */

typedef struct counting {
    const verification *v;
    uint32_t part;
    bool of_point; /* then boxes are counted, by their rows; else points, by their records */
    uint64_t count;
    uint64_t most;
} counting;

static bool count_found(void *payload, size_t item)
{
    counting *c = payload;
    const shoal_i_compatible *graph = c->v->graph;
    size_t node = c->of_point ? graph->point_count + item : item;

    if (c->v->parts[node] == c->part) {
        c->count +=
            c->of_point ? graph->sizes[item] : graph->starts[item + 1] - graph->starts[item];
    }
    return c->count >= c->most;
}

static void count_node(verification *v, size_t node)
{
    const shoal_i_compatible *graph = v->graph;
    bool of_point = node < graph->point_count;
    counting c = {.v = v, .part = v->parts[node], .of_point = of_point, .most = v->asked[node]};
    shoal_i_box_tree_search search = {
        .from = SHOAL_I_NO_ITEM, .found = count_found, .payload = &c};

    if (of_point) {
        search.box = shoal_i_box_tree_box(graph->points, node);
        search.from = graph->box_in[graph->starts[node]];
        shoal_i_box_tree_find(graph->boxes, &search);
    } else {
        search.box = shoal_i_box_tree_box(graph->boxes, node - graph->point_count);
        shoal_i_box_tree_find(graph->points, &search);
    }
    v->counts[node] = c.count;
}

static shoal_status count_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    verification *v = payload;
    size_t nodes = v->graph->point_count + v->graph->box_count;
    size_t node = chunk * NODES_PER_CHUNK;
    size_t end = nodes - node < NODES_PER_CHUNK ? nodes : node + NODES_PER_CHUNK;

    for (; node < end; node++) {
        count_node(v, node);
    }
    return shoal_i_check_cancelled(ctx);
}

/* --- The verdict. */

/* One record or row more has been counted. */
static void judge(shoal_i_verdict_item *item, uint64_t count, uint64_t asked, size_t at)
{
    if (count < asked) {
        item->holds = false;
        item->failing_classes++;
        item->failing_records++;
    }
    if ((double)count < item->worst_figure) {
        item->worst_figure = (double)count;
        item->worst_class_size = count;
        item->worst_class = at;
        item->worst_row = at;
    }
}

static void judge_item(shoal_i_verdict_item *item, const verification *v)
{
    const shoal_i_compatible *graph = v->graph;
    const uint64_t *box_counts = v->counts + graph->point_count;
    bool is_own = item->requirement.kind->needs_record_k;
    uint64_t k = (uint64_t)item->requirement.value;

    item->worst_figure = HUGE_VAL;
    for (size_t record = 0; record < graph->record_count; record++) {
        judge(item, v->counts[graph->point_of[record]], is_own ? v->record_k[record] : k,
              record);
    }
    for (size_t row = 0; row < graph->record_count && !is_own; row++) {
        judge(item, box_counts[graph->parsed->box_of[row]], k, row);
    }
}

static void judge_all(shoal_i_verdict *verdict, const verification *v)
{
    for (size_t i = 0; i < verdict->count; i++) {
        shoal_i_verdict_item *item = &verdict->items[i];

        judge_item(item, v);
        verdict->holds = verdict->holds && item->holds;
        if (i == 0 || item->worst_class_size < verdict->smallest_class) {
            verdict->smallest_class = item->worst_class_size;
        }
    }
}

/* Some row is no record's: nothing holds. */
static void judge_unmatched(shoal_i_verdict *verdict, size_t left)
{
    verdict->holds = false;
    verdict->unmatched = left;
    for (size_t i = 0; i < verdict->count; i++) {
        verdict->items[i].holds = false;
        verdict->items[i].failing_classes = left;
        verdict->items[i].failing_records = verdict->records;
    }
}

static shoal_status check_set(shoal_ctx *ctx, const shoal_i_requirement_set *set,
                              const uint32_t *record_k)
{
    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement_kind *kind = set->items[i].kind;

        if (set->items[i].counts_persons) {
            return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                                "In a release with a box per record a record hides among "
                                "records, not among persons: %s of persons cannot be verified.",
                                kind->title);
        }
        if (kind != &shoal_i_k_anonymity && kind != &shoal_i_personal_k) {
            return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                                "Of a release with a box per record only k can be verified, "
                                "not %s: it has no classes. A release by classes is "
                                "verified without its original.",
                                kind->title);
        }
        if (kind->needs_record_k && !record_k) {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "To verify %s, the k of each record is needed.", kind->title);
        }
    }
    return SHOAL_OK;
}

/* How far candidates are counted: for a point, to the largest k of its records. */
static void set_asked(verification *v)
{
    const shoal_i_compatible *graph = v->graph;

    for (size_t node = 0; node < graph->point_count + graph->box_count; node++) {
        v->asked[node] = v->most;
    }
    for (size_t record = 0; v->record_k && record < graph->record_count; record++) {
        uint64_t *asked = &v->asked[graph->point_of[record]];

        *asked = v->record_k[record] > *asked ? v->record_k[record] : *asked;
    }
}

static shoal_status count_all(shoal_ctx *ctx, verification *v)
{
    shoal_status st = SHOAL_OK;
    size_t nodes = v->graph->point_count + v->graph->box_count;

    SHOAL_ALLOC(ctx, v->parts, nodes);
    SHOAL_ALLOC(ctx, v->asked, nodes);
    SHOAL_ALLOC(ctx, v->counts, nodes);
    set_asked(v);
    SHOAL_TRY(shoal_i_compatible_part(ctx, v->parts, v->graph));
    SHOAL_TRY(shoal_i_parallel_for(
        ctx, nodes / NODES_PER_CHUNK + (nodes % NODES_PER_CHUNK != 0), count_chunk, v));
done:
    return st;
}

static void start_verdict(shoal_i_verdict *out, const shoal_i_release *parsed,
                          const shoal_i_requirement_set *set)
{
    *out = (shoal_i_verdict){.holds = true,
                             .records = parsed->row_count,
                             .classes = parsed->box_count,
                             .count = set->count};
    for (size_t i = 0; i < set->count; i++) {
        out->items[i] = (shoal_i_verdict_item){.requirement = set->items[i], .holds = true};
    }
}

shoal_status shoal_i_verify_records(shoal_ctx *ctx, shoal_i_verdict *out,
                                    const shoal_i_release *parsed, const uint32_t *row_order,
                                    const shoal_i_requirement_set *set,
                                    const uint32_t *record_k)
{
    shoal_status st = SHOAL_OK;
    size_t records = shoal_table_row_count(parsed->quasi->table);
    verification v = {.most = shoal_i_requirement_smallest_class(set), .record_k = record_k};
    size_t left = 0;

    *out = (shoal_i_verdict){0};
    SHOAL_TRY(check_set(ctx, set, record_k));
    start_verdict(out, parsed, set);
    if (records != parsed->row_count) {
        judge_unmatched(out, records > parsed->row_count ? records - parsed->row_count
                                                         : parsed->row_count - records);
        goto done;
    }
    SHOAL_TRY(shoal_i_compatible_build(ctx, &v.graph, parsed));
    SHOAL_TRY(shoal_i_compatible_match(ctx, v.graph, &left, row_order));
    if (left > 0) {
        judge_unmatched(out, left);
        goto done;
    }
    SHOAL_TRY(count_all(ctx, &v));
    judge_all(out, &v);
done:
    shoal_i_compatible_free(v.graph);
    free(v.parts);
    free(v.asked);
    free(v.counts);
    return st;
}

/* verify_records.c -- the independent check of a release with a box per record.
 *
 * Finds a perfect matching of rows and records, the pairs that reach each other, and counts for
 * every record and every row its neighbours among those: compatible.h says why.
 */
#include "compatible.h"
#include "measure.h"

#include "../base/pool.h"

#define ITEMS_PER_CHUNK 1024

typedef struct verification {
    shoal_i_compatible *graph;
    uint32_t *part_of; /* item -> the set of pairs that reach each other */
    uint32_t *order;   /* items, by the end of their visits */
    uint32_t *stack;
    size_t depth;
    size_t found;
    uint64_t most; /* neighbours are counted up to here */
    const uint32_t *record_k;
    uint32_t *rows_of_record; /* item: rows that may be the record's */
    uint32_t *records_of_row; /* item: records that may be its row's */
} verification;

/* --- Pairs that reach each other (Kosaraju and Sharir). */

static bool take_first(void *payload, size_t item)
{
    ((verification *)payload)->found = item;
    return true;
}

/* Visit pairs depth first, from a record to the rows whose box holds it, and list each pair when
 * all it leads to has been visited. */
static shoal_status order_pairs(shoal_ctx *ctx, verification *v)
{
    shoal_i_compatible *graph = v->graph;
    size_t listed = 0;

    shoal_i_compatible_reset(graph);
    for (size_t start = 0; start < graph->count; start++) {
        if (graph->is_removed[start]) {
            continue;
        }
        shoal_i_compatible_remove(graph, start);
        v->stack[v->depth++] = (uint32_t)start;
        while (v->depth > 0) {
            uint32_t at = v->stack[v->depth - 1];
            shoal_i_compatible_search search = {
                .point = graph->codes + at * graph->width, .found = take_first, .payload = v};

            if (shoal_i_compatible_find(graph, &search, at)) {
                shoal_i_compatible_remove(graph, v->found);
                v->stack[v->depth++] = (uint32_t)v->found;
            } else {
                v->order[listed++] = at;
                v->depth--;
            }
        }
        if (shoal_i_check_cancelled(ctx) != SHOAL_OK) {
            return SHOAL_ECANCELLED;
        }
    }
    return SHOAL_OK;
}

static bool push_all(void *payload, size_t item)
{
    verification *v = payload;

    v->stack[v->depth++] = (uint32_t)item;
    return false;
}

/* From a row back to the records in its box: what a pair reaches this way, and was listed before
 * it, reaches it too. */
static shoal_status part_pairs(shoal_ctx *ctx, verification *v)
{
    shoal_i_compatible *graph = v->graph;
    uint32_t part = 0;

    shoal_i_compatible_reset(graph);
    for (size_t i = graph->count; i-- > 0;) {
        if (graph->is_removed[v->order[i]]) {
            continue;
        }
        shoal_i_compatible_remove(graph, v->order[i]);
        v->stack[v->depth++] = v->order[i];
        while (v->depth > 0) {
            uint32_t at = v->stack[--v->depth];
            shoal_i_compatible_search search = {
                .box = shoal_i_compatible_box(graph, graph->row_of[at]),
                .found = push_all,
                .payload = v};
            size_t first = v->depth;

            v->part_of[at] = part;
            shoal_i_compatible_find(graph, &search, at);
            for (size_t next = first; next < v->depth; next++) {
                shoal_i_compatible_remove(graph, v->stack[next]);
            }
        }
        part++;
        if (shoal_i_check_cancelled(ctx) != SHOAL_OK) {
            return SHOAL_ECANCELLED;
        }
    }
    return SHOAL_OK;
}

/* --- Candidates. */

typedef struct counting {
    const uint32_t *part_of;
    uint32_t part;
    uint64_t count;
    uint64_t most;
} counting;

static bool count_item(void *payload, size_t item)
{
    counting *c = payload;

    c->count += c->part_of[item] == c->part;
    return c->count >= c->most;
}

static uint32_t count_candidates(const verification *v, size_t item, bool of_record,
                                 uint64_t most)
{
    const shoal_i_compatible *graph = v->graph;
    counting c = {.part_of = v->part_of, .part = v->part_of[item], .most = most};
    shoal_i_compatible_search search = {
        .with_removed = true, .found = count_item, .payload = &c};

    if (of_record) {
        search.point = graph->codes + item * graph->width;
    } else {
        search.box = shoal_i_compatible_box(graph, graph->row_of[item]);
    }
    shoal_i_compatible_find(graph, &search, item);
    return (uint32_t)c.count;
}

static shoal_status count_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    verification *v = payload;
    size_t item = chunk * ITEMS_PER_CHUNK;
    size_t left = v->graph->count - item;
    size_t end = item + (left < ITEMS_PER_CHUNK ? left : ITEMS_PER_CHUNK);

    for (; item < end; item++) {
        uint64_t own = v->record_k ? v->record_k[v->graph->record_of[item]] : 0;

        v->rows_of_record[item] =
            count_candidates(v, item, true, own > v->most ? own : v->most);
        v->records_of_row[item] = count_candidates(v, item, false, v->most);
    }
    return shoal_i_check_cancelled(ctx);
}

/* --- The verdict. */

/* One record or row more has been counted. */
static void judge(shoal_i_verdict_item *item, uint64_t count, uint64_t asked, size_t row)
{
    if (count < asked) {
        item->holds = false;
        item->failing_classes++;
        item->failing_records++;
    }
    if ((double)count < item->worst_figure) {
        item->worst_figure = (double)count;
        item->worst_class_size = count;
        item->worst_class = row;
        item->worst_row = row;
    }
}

static void judge_all(shoal_i_verdict *verdict, const verification *v)
{
    const shoal_i_compatible *graph = v->graph;

    for (size_t i = 0; i < verdict->count; i++) {
        shoal_i_verdict_item *item = &verdict->items[i];
        bool is_own = item->requirement.kind->needs_record_k;
        uint64_t k = (uint64_t)item->requirement.value;

        item->worst_figure = (double)UINT32_MAX;
        for (size_t at = 0; at < graph->count; at++) {
            uint64_t asked = is_own ? v->record_k[graph->record_of[at]] : k;

            judge(item, v->rows_of_record[at], asked, graph->row_of[at]);
            if (!is_own) {
                judge(item, v->records_of_row[at], asked, graph->row_of[at]);
            }
        }
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

        if (kind != &shoal_i_k_anonymity && kind != &shoal_i_personal_k) {
            return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                                "Of a release with a box per record only k can be verified, "
                                "not %s: it has no classes.",
                                kind->title);
        }
        if (kind->needs_record_k && !record_k) {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "To verify %s, the k of each record is needed.", kind->title);
        }
    }
    return SHOAL_OK;
}

static shoal_status count_all(shoal_ctx *ctx, verification *v)
{
    shoal_status st = SHOAL_OK;
    size_t count = v->graph->count;

    SHOAL_ALLOC(ctx, v->part_of, count);
    SHOAL_ALLOC(ctx, v->order, count);
    SHOAL_ALLOC(ctx, v->stack, count);
    SHOAL_ALLOC(ctx, v->rows_of_record, count);
    SHOAL_ALLOC(ctx, v->records_of_row, count);
    shoal_i_compatible_attach(v->graph);
    SHOAL_TRY(order_pairs(ctx, v));
    SHOAL_TRY(part_pairs(ctx, v));
    SHOAL_TRY(shoal_i_parallel_for(
        ctx, count / ITEMS_PER_CHUNK + (count % ITEMS_PER_CHUNK != 0), count_chunk, v));
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
    free(v.part_of);
    free(v.order);
    free(v.stack);
    free(v.rows_of_record);
    free(v.records_of_row);
    return st;
}

#include "matching.h"

#include "../../base/sort.h"

#include <string.h>

#define NO_EDGE UINT32_MAX

/* The part of a graph that is still looked at: `degree` edges at each node. Edges are numbered
 * so that a shift leads to their node on the left: division would be half of the work. */
typedef struct part {
    const shoal_i_regular_graph *graph;
    size_t degree;
    unsigned shift;       /* edge e is one of node e >> shift on the left */
    uint32_t *right;      /* the node on the right of each edge */
    uint32_t *edges;      /* count * degree */
    uint32_t *left_list;  /* edges of each node on the left, at i * degree */
    uint32_t *right_list; /* on the right likewise */
    uint32_t *left_size;  /* edges of the list that may be unused yet */
    uint32_t *right_size;
    uint8_t *is_used;    /* per edge of the graph */
    uint32_t *edge_of;   /* matching under way: edge of each node on the right */
    uint32_t *chosen_of; /* edge by which the last walk left each node on the left */
} part;

static uint32_t left_of(const part *p, uint32_t edge)
{
    return edge >> p->shift;
}

static uint32_t right_of(const part *p, uint32_t edge)
{
    return p->right[edge];
}

static void clear_part(part *p)
{
    free(p->right);
    free(p->edges);
    free(p->left_list);
    free(p->right_list);
    free(p->left_size);
    free(p->right_size);
    free(p->is_used);
    free(p->edge_of);
    free(p->chosen_of);
}

static shoal_status start_part(shoal_ctx *ctx, part *p, const shoal_i_regular_graph *graph)
{
    shoal_status st = SHOAL_OK;
    size_t numbers = 0;

    *p = (part){.graph = graph,
                .degree = graph->degree,
                .shift = shoal_i_sort_bits((uint64_t)graph->degree)};
    SHOAL_TRY(shoal_i_size_mul(ctx, &numbers, graph->count, (size_t)1 << p->shift));
    if (numbers >= NO_EDGE) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_ELIMIT,
                               "A ring of %zu records with %zu candidates each is too large.",
                               graph->count, graph->degree));
    }
    SHOAL_ALLOC(ctx, p->right, numbers);
    SHOAL_ALLOC(ctx, p->edges, numbers);
    SHOAL_ALLOC(ctx, p->left_list, numbers);
    SHOAL_ALLOC(ctx, p->right_list, numbers);
    SHOAL_ALLOC(ctx, p->left_size, graph->count);
    SHOAL_ALLOC(ctx, p->right_size, graph->count);
    SHOAL_ALLOC(ctx, p->is_used, numbers);
    SHOAL_ALLOC(ctx, p->edge_of, graph->count);
    SHOAL_ALLOC(ctx, p->chosen_of, graph->count);
    for (size_t i = 0; i < graph->count * graph->degree; i++) {
        size_t edge = (i / graph->degree << p->shift) + i % graph->degree;

        p->edges[i] = (uint32_t)edge;
        p->right[edge] = graph->right[i];
    }
done:
    return st;
}

/* List the edges of each node; all of them are unused. */
static void list_edges(part *p)
{
    size_t nodes = p->graph->count;

    memset(p->left_size, 0, nodes * sizeof *p->left_size);
    memset(p->right_size, 0, nodes * sizeof *p->right_size);
    for (size_t i = 0; i < nodes * p->degree; i++) {
        uint32_t edge = p->edges[i];
        uint32_t left = left_of(p, edge);
        uint32_t right = right_of(p, edge);

        p->left_list[left * p->degree + p->left_size[left]++] = edge;
        p->right_list[right * p->degree + p->right_size[right]++] = edge;
        p->is_used[edge] = 0;
    }
}

/* Take a random unused edge from a node's list, or NO_EDGE. Edges that were used from their
 * other end are thrown out as they are met. */
static uint32_t take_edge(const part *p, uint32_t *list, uint32_t *size,
                          shoal_i_entropy *entropy)
{
    while (*size > 0) {
        uint32_t at = *size > 1 ? shoal_i_entropy_below(entropy, *size) : 0;
        uint32_t edge = list[at];

        list[at] = list[--*size];
        if (!p->is_used[edge]) {
            p->is_used[edge] = 1;
            return edge;
        }
    }
    return NO_EDGE;
}

/* Keep one half of a part with even degree: the edges walked forth or those walked back. */
static void halve(part *p, bool keeps_forth, shoal_i_entropy *entropy)
{
    size_t kept = 0;

    list_edges(p);
    for (uint32_t start = 0; start < p->graph->count; start++) {
        uint32_t at = start;

        for (;;) {
            uint32_t forth =
                take_edge(p, p->left_list + at * p->degree, &p->left_size[at], entropy);

            if (forth == NO_EDGE) {
                break; /* the tours through `start` are complete */
            }
            uint32_t right = right_of(p, forth);
            uint32_t back =
                take_edge(p, p->right_list + right * p->degree, &p->right_size[right], entropy);

            p->edges[kept++] = keeps_forth ? forth : back;
            at = left_of(p, back);
        }
    }
    p->degree /= 2;
}

/* Walk from a free node on the left over random edges to nodes on the right, and back over the
 * matching, until a free one is met; then match along the way, loops left out: from each node
 * by the edge over which it was left last. */
static void match_node(part *p, uint32_t start, shoal_i_entropy *entropy)
{
    uint32_t at = start;
    uint32_t edge = NO_EDGE;

    for (;;) {
        do {
            edge = p->left_list[at * p->degree +
                                shoal_i_entropy_below(entropy, (uint32_t)p->degree)];
        } while (p->edge_of[right_of(p, edge)] == edge);
        p->chosen_of[at] = edge;
        if (p->edge_of[right_of(p, edge)] == NO_EDGE) {
            break;
        }
        at = left_of(p, p->edge_of[right_of(p, edge)]);
    }
    at = start;
    do {
        edge = p->chosen_of[at];
        uint32_t freed = p->edge_of[right_of(p, edge)];

        p->edge_of[right_of(p, edge)] = edge;
        at = freed == NO_EDGE ? at : left_of(p, freed);
        edge = freed;
    } while (edge != NO_EDGE);
}

/* Find a perfect matching of a part and leave its edges in edge_of. */
static void match_all(part *p, shoal_i_entropy *entropy)
{
    list_edges(p);
    memset(p->edge_of, 0xFF, p->graph->count * sizeof *p->edge_of); /* NO_EDGE */
    for (uint32_t left = 0; left < p->graph->count; left++) {
        match_node(p, left, entropy);
    }
}

/* Take the matching out of the part. */
static void remove_matching(part *p)
{
    size_t kept = 0;

    for (size_t i = 0; i < p->graph->count * p->degree; i++) {
        uint32_t edge = p->edges[i];

        if (p->edge_of[right_of(p, edge)] != edge) {
            p->edges[kept++] = edge;
        }
    }
    p->degree--;
}

shoal_status shoal_i_matching_find(shoal_ctx *ctx, uint32_t *matched,
                                   const shoal_i_regular_graph *graph, size_t number,
                                   shoal_i_entropy *entropy)
{
    shoal_status st = SHOAL_OK;
    part p = {0};
    const uint32_t *found = NULL;

    SHOAL_TRY(start_part(ctx, &p, graph));
    while (p.degree > 1) {
        if (p.degree % 2 == 0) {
            bool is_first = number < p.degree / 2;

            halve(&p, is_first, entropy);
            number -= is_first ? 0 : p.degree;
        } else {
            match_all(&p, entropy);
            if (number == p.degree - 1) {
                found = p.edge_of;
                break;
            }
            remove_matching(&p);
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
    found = found ? found : p.edges;
    for (size_t i = 0; i < graph->count; i++) {
        matched[left_of(&p, found[i])] = right_of(&p, found[i]);
    }
done:
    clear_part(&p);
    return st;
}

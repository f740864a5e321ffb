#include "people.h"

#include "../../base/buffer.h"
#include "../../base/fail.h"
#include "../../release/value.h"

#include <string.h>

#define LEAF_MOST 16
#define NO_RECORD UINT32_MAX

/* Nobody falls into it. */
static const shoal_i_interval nobody = {.lo = 1, .hi = 0};

/* Nodes stand in the order of a walk that visits a node before what is below it. */
typedef struct node {
    uint32_t first; /* of its people */
    uint32_t count;
    uint32_t skip; /* the node to go on with when nothing below is of interest */
} node;

struct shoal_i_people {
    const shoal_i_quasi *sample;
    const shoal_i_quasi *population;
    shoal_i_interval **of_nodes; /* per categorical column: what each node of the sample's
                                    hierarchy means in the population */
    uint32_t *codes;             /* of the people, one after the other */
    uint32_t *rows;   /* of each of them in the population, while persons are looked up */
    uint32_t *before; /* the record before it of the same person, if somebody has several */
    size_t node_count;
    size_t node_capacity;
    node *nodes;
    shoal_i_interval *bounds; /* the smallest box around the people of each node */
};

void shoal_i_people_free(shoal_i_people *people)
{
    if (!people) {
        return;
    }
    for (size_t c = 0; people->of_nodes && c < people->sample->count; c++) {
        free(people->of_nodes[c]);
    }
    free(people->of_nodes);
    free(people->codes);
    free(people->rows);
    free(people->before);
    free(people->nodes);
    free(people->bounds);
    free(people);
}

/* --- Translation. ------------------------------------------------------------------------- */

static shoal_status translate_nodes(shoal_ctx *ctx, shoal_i_people *people, size_t c)
{
    shoal_status st = SHOAL_OK;
    const shoal_hierarchy *h = people->sample->columns[c].hierarchy;
    size_t count = shoal_hierarchy_node_count(h);

    SHOAL_ALLOC(ctx, people->of_nodes[c], count);
    for (uint32_t n = 0; n < count; n++) {
        shoal_i_interval extent = {shoal_hierarchy_first(h, n), shoal_hierarchy_last(h, n)};

        SHOAL_TRY(shoal_i_value_read_in(ctx, &people->of_nodes[c][n], people->sample, c, extent,
                                        people->population));
    }
done:
    return st;
}

/* The first of the ascending values that is not below x (or, with is_after, above it). */
static uint32_t find_value(const double *values, uint32_t count, double x, bool is_after)
{
    uint32_t lo = 0;

    while (count > 0) {
        uint32_t half = count / 2;

        if (values[lo + half] < x || (is_after && values[lo + half] == x)) {
            lo += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return lo;
}

static shoal_i_interval translate_numeric(const shoal_i_quasi_column *sample,
                                          const shoal_i_quasi_column *population,
                                          shoal_i_interval interval)
{
    uint32_t count = population->value_count - (population->has_missing ? 1 : 0);

    if (sample->has_missing && interval.hi == sample->value_count - 1) {
        if (interval.lo != interval.hi) {
            return shoal_i_quasi_all(population);
        }
        return population->has_missing ? (shoal_i_interval){count, count} : nobody;
    }
    uint32_t first = find_value(population->values, count, sample->lower[interval.lo], false);
    uint32_t behind = find_value(population->values, count, sample->upper[interval.hi], true);

    return first < behind ? (shoal_i_interval){first, behind - 1} : nobody;
}

static shoal_i_interval translate(const shoal_i_people *people, size_t c,
                                  shoal_i_interval interval)
{
    const shoal_i_quasi_column *column = &people->sample->columns[c];

    if (column->hierarchy) {
        return people->of_nodes[c][shoal_hierarchy_ancestor(column->hierarchy, interval.lo,
                                                            interval.hi)];
    }
    return translate_numeric(column, &people->population->columns[c], interval);
}

/* --- The tree. ---------------------------------------------------------------------------- */

static shoal_status copy_codes(shoal_ctx *ctx, shoal_i_people *people)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *population = people->population;
    size_t width = population->count;
    size_t rows = shoal_table_row_count(population->table);
    size_t cells = 0;

    if (rows > UINT32_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "A population has at most %u records.",
                            UINT32_MAX);
    }
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, rows, width));
    SHOAL_ALLOC(ctx, people->codes, cells);
    for (size_t c = 0; c < width; c++) {
        for (size_t row = 0; row < rows; row++) {
            people->codes[row * width + c] = shoal_i_quasi_code(population, c, row);
        }
    }
done:
    return st;
}

static void bound_people(const shoal_i_people *people, shoal_i_interval *box, uint32_t first,
                         uint32_t count)
{
    size_t width = people->sample->count;

    for (size_t c = 0; c < width; c++) {
        box[c] = (shoal_i_interval){UINT32_MAX, 0};
    }
    for (size_t i = first; i < (size_t)first + count; i++) {
        for (size_t c = 0; c < width; c++) {
            uint32_t code = people->codes[i * width + c];

            box[c].lo = code < box[c].lo ? code : box[c].lo;
            box[c].hi = code > box[c].hi ? code : box[c].hi;
        }
    }
}

/* The column in which a box is widest for its number of values; width when it is a point. */
static size_t find_widest(const shoal_i_people *people, const shoal_i_interval *box)
{
    size_t widest = people->sample->count;
    double most = 0;

    for (size_t c = 0; c < people->sample->count; c++) {
        double extent = (double)(box[c].hi - box[c].lo) /
                        (double)people->population->columns[c].value_count;

        if (extent > most) {
            most = extent;
            widest = c;
        }
    }
    return widest;
}

static void swap_people(const shoal_i_people *people, size_t a, size_t b)
{
    size_t width = people->sample->count;

    for (size_t c = 0; c < width; c++) {
        uint32_t code = people->codes[a * width + c];

        people->codes[a * width + c] = people->codes[b * width + c];
        people->codes[b * width + c] = code;
    }
    if (people->rows) {
        uint32_t row = people->rows[a];

        people->rows[a] = people->rows[b];
        people->rows[b] = row;
    }
}

/* Move those with codes up to `middle` to the front; returns how many they are. */
static uint32_t part_people(const shoal_i_people *people, uint32_t first, uint32_t count,
                            size_t c, uint32_t middle)
{
    size_t width = people->sample->count;
    size_t front = first;
    size_t back = (size_t)first + count;

    while (front < back) {
        if (people->codes[front * width + c] <= middle) {
            front++;
        } else {
            swap_people(people, front, --back);
        }
    }
    return (uint32_t)(front - first);
}

static shoal_status append_node(shoal_ctx *ctx, shoal_i_people *people, uint32_t first,
                                uint32_t count)
{
    size_t width = people->sample->count;

    if (people->node_count == people->node_capacity) {
        size_t capacity = people->node_capacity * 2 + 64;
        node *nodes = shoal_i_realloc(ctx, people->nodes, capacity, sizeof *nodes);

        if (!nodes) {
            return SHOAL_ENOMEM;
        }
        people->nodes = nodes;
        shoal_i_interval *bounds =
            shoal_i_realloc(ctx, people->bounds, capacity, width * sizeof *bounds);

        if (!bounds) {
            return SHOAL_ENOMEM;
        }
        people->bounds = bounds;
        people->node_capacity = capacity;
    }
    people->nodes[people->node_count] = (node){.first = first, .count = count};
    bound_people(people, people->bounds + people->node_count * width, first, count);
    people->node_count++;
    return SHOAL_OK;
}

/* A node is halved at the middle of its widest column until it is small or a single point. */
static shoal_status grow_tree(shoal_ctx *ctx, shoal_i_people *people)
{
    shoal_status st = SHOAL_OK;
    size_t width = people->sample->count;
    size_t waiting_count = 1;
    /* Every halving takes a bit off the code of a column, so no path is longer than all bits;
     * each step of it leaves one node waiting. */
    node *waiting = NULL;

    SHOAL_ALLOC(ctx, waiting, 32 * width + 2);
    waiting[0].count = (uint32_t)shoal_table_row_count(people->population->table);
    while (waiting_count > 0) {
        node n = waiting[--waiting_count];

        SHOAL_TRY(append_node(ctx, people, n.first, n.count));
        const shoal_i_interval *box = people->bounds + (people->node_count - 1) * width;
        size_t c = n.count > LEAF_MOST ? find_widest(people, box) : width;

        if (c < width) {
            uint32_t middle = box[c].lo + (box[c].hi - box[c].lo) / 2;
            uint32_t left = part_people(people, n.first, n.count, c, middle);

            waiting[waiting_count++] = (node){.first = n.first + left, .count = n.count - left};
            waiting[waiting_count++] = (node){.first = n.first, .count = left};
        }
        if (people->node_count % 4096 == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
done:
    free(waiting);
    return st;
}

/* Below a node lie the nodes behind it whose people are among its own. From the back, the next
 * that is not is found by skipping from sibling to sibling. */
static void set_skips(shoal_i_people *people)
{
    node *nodes = people->nodes;

    for (size_t i = people->node_count; i-- > 0;) {
        uint64_t end = (uint64_t)nodes[i].first + nodes[i].count;
        size_t next = i + 1;

        while (next < people->node_count && nodes[next].first < end) {
            next = nodes[next].skip;
        }
        nodes[i].skip = (uint32_t)next;
    }
}

/* Let each record know the one of its person before it, now that all have their places. */
static shoal_status link_persons(shoal_ctx *ctx, shoal_i_people *people,
                                 const shoal_i_persons *persons)
{
    shoal_status st = SHOAL_OK;
    uint32_t *last = NULL; /* record of each person */

    SHOAL_ALLOC(ctx, last, persons->count);
    SHOAL_ALLOC(ctx, people->before, persons->row_count);
    memset(last, 0xFF, persons->count * sizeof *last); /* NO_RECORD */
    for (size_t i = 0; i < persons->row_count; i++) {
        uint32_t person = persons->of[people->rows[i]];

        people->before[i] = last[person];
        last[person] = (uint32_t)i;
    }
    free(people->rows);
    people->rows = NULL;
done:
    free(last);
    return st;
}

/* To find the person of a record that moves while the tree is made. */
static shoal_status list_rows(shoal_ctx *ctx, shoal_i_people *people, size_t count)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, people->rows, count);
    for (size_t row = 0; row < count; row++) {
        people->rows[row] = (uint32_t)row;
    }
done:
    return st;
}

shoal_status shoal_i_people_build(shoal_ctx *ctx, shoal_i_people **out,
                                  const shoal_i_quasi *sample, const shoal_i_quasi *population,
                                  const shoal_i_persons *persons)
{
    shoal_status st = SHOAL_OK;
    shoal_i_people *people = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, people, 1);
    people->sample = sample;
    people->population = population;
    SHOAL_ALLOC(ctx, people->of_nodes, sample->count);
    for (size_t c = 0; c < sample->count; c++) {
        if (sample->columns[c].hierarchy) {
            SHOAL_TRY(translate_nodes(ctx, people, c));
        }
    }
    SHOAL_TRY(copy_codes(ctx, people));
    if (shoal_i_persons_repeat(persons)) {
        SHOAL_TRY(list_rows(ctx, people, persons->row_count));
    }
    SHOAL_TRY(grow_tree(ctx, people));
    set_skips(people);
    if (people->rows) {
        SHOAL_TRY(link_persons(ctx, people, persons));
    }
    *out = people;
    people = NULL;
done:
    shoal_i_people_free(people);
    return st;
}

/* --- Counting. ---------------------------------------------------------------------------- */

typedef enum relation { APART, ACROSS, INSIDE } relation;

static relation relate(const shoal_i_interval *bounds, const shoal_i_interval *box,
                       size_t width)
{
    relation found = INSIDE;

    for (size_t c = 0; c < width; c++) {
        if (bounds[c].hi < box[c].lo || bounds[c].lo > box[c].hi) {
            return APART;
        }
        if (bounds[c].lo < box[c].lo || bounds[c].hi > box[c].hi) {
            found = ACROSS;
        }
    }
    return found;
}

static bool is_inside(const shoal_i_people *people, size_t record, const shoal_i_interval *box)
{
    size_t width = people->sample->count;
    const uint32_t *codes = people->codes + record * width;
    bool is_inside = true;

    for (size_t c = 0; c < width && is_inside; c++) {
        is_inside = codes[c] >= box[c].lo && codes[c] <= box[c].hi;
    }
    return is_inside;
}

/* Whether no record of the same person before this one is in the box. */
static bool is_first(const shoal_i_people *people, size_t record, const shoal_i_interval *box)
{
    uint32_t before = people->before ? people->before[record] : NO_RECORD;

    while (before != NO_RECORD && !is_inside(people, before, box)) {
        before = people->before[before];
    }
    return before == NO_RECORD;
}

static uint64_t count_one_by_one(const shoal_i_people *people, const node *n,
                                 const shoal_i_interval *box)
{
    uint64_t count = 0;

    for (size_t i = n->first; i < (size_t)n->first + n->count; i++) {
        count += is_inside(people, i, box) && is_first(people, i, box);
    }
    return count;
}

uint64_t shoal_i_people_count(const shoal_i_people *people, const shoal_i_interval *box,
                              shoal_i_interval *scratch)
{
    size_t width = people->sample->count;
    uint64_t count = 0;
    size_t at = 0;

    for (size_t c = 0; c < width; c++) {
        scratch[c] = translate(people, c, box[c]);
        if (scratch[c].lo > scratch[c].hi) {
            return 0;
        }
    }
    while (at < people->node_count) {
        const node *n = &people->nodes[at];
        relation found = relate(people->bounds + at * width, scratch, width);

        if (found == ACROSS && n->skip > at + 1) {
            at++;
            continue;
        }
        if (found == INSIDE && !people->before) {
            count += n->count;
        } else if (found != APART) {
            count += count_one_by_one(people, n, scratch);
        }
        at = n->skip;
    }
    return count;
}

/* Ways through a lattice that is too large to be looked at as a whole.
 *
 * A walk starts where nothing is generalized and raises one column by one level at each step:
 * the one that brings most points together for what it costs. Points whose cell is large enough
 * leave, so each step serves those that no step before has served. Nodes on the way are kept,
 * and nodes beside it where a cell was large enough, unless the table is wide.
 */

#include "fill_from_cells.h"
#include "unassigned_points.h"

#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../../base/random.h"

#include <assert.h>
#include <string.h>

/* Values looked up for each point, about, in nodes on and beside some walks, above which only
 * those on one walk are kept: in a wide table hardly any two records agree in many columns
 * before nearly all is given up, so that cells are a poor start at any price. */
#define WIDE 24576

/* Points that one task raises, and ranges of slots that are counted beside each other: as each
 * of them looks at all keys, they are few. */
#define CHUNK ((size_t)1 << 15)
#define RANGES 4

/* In tables of more records a walk looks at every so many-th, so that about so many are left:
 * which way it goes and who is served beside it hardly depends on the others. */
#define SAMPLE 250000

/* What raising one column would do. */
typedef struct step {
    /* Sum over records of how many share their slot, no more than are needed. */
    double together;
    uint64_t served; /* records in slots that are full enough */
} step;

typedef struct walk {
    shoal_i_unassigned unassigned;
    const shoal_i_scales *scales;
    uint8_t *node;
    uint64_t *keys; /* of the points left, at the node */
    uint8_t *goes;  /* per point left: has found its cell */
    shoal_i_slot *slots;
    size_t thread_count;
    shoal_i_slot **counted; /* per thread: slots of the column that it judges */
    size_t raised;          /* the column that is being raised */
    step *steps;            /* one per column */
    double *temper;         /* one per column: how dear its levels seem to this walk */
    double together;
} walk;

static bool can_rise(const walk *w, size_t c)
{
    return w->node[c] + 1u < w->scales->columns[c].level_count;
}

/* What a column adds to the key of a value at a level. */
static const uint64_t *level_keys(const walk *w, size_t c, size_t level)
{
    const shoal_i_scale_column *column = &w->scales->columns[c];

    return level + 1 < column->level_count ? column->keys + level * column->value_count : NULL;
}

/* The key of point i of the unassigned after column c has been raised. */
static uint64_t raised_key(const walk *w, size_t c, const uint64_t *now, const uint64_t *next,
                           size_t i)
{
    uint32_t value = w->unassigned.values[c * w->unassigned.stride + i];

    return w->keys[i] - now[value] + (next ? next[value] : 0);
}

/* Slots count only up to what is enough, so what is in full ones follows from the others. */
static step judge_slots(const walk *w, const shoal_i_slot *slots)
{
    const shoal_i_unassigned *left = &w->unassigned;
    uint64_t others = 0;
    uint64_t squares = 0;

    for (size_t i = 0; i < left->slot_count; i++) {
        uint64_t load = slots[i] < left->full ? slots[i] : 0;

        others += load;
        squares += load * load;
    }
    return (step){
        .together = (double)squares + (double)(left->load - others) * (double)left->smallest,
        .served = left->load - others,
    };
}

static shoal_status judge_column(shoal_ctx *ctx, void *payload, size_t c)
{
    walk *w = payload;
    shoal_i_slot *slots = w->counted[ctx->worker];

    w->steps[c] = (step){0};
    if (can_rise(w, c)) {
        const uint64_t *now = level_keys(w, c, w->node[c]);
        const uint64_t *next = level_keys(w, c, w->node[c] + 1u);

        memset(slots, 0, w->unassigned.slot_count * sizeof *slots);
        for (size_t i = 0; i < w->unassigned.count; i++) {
            shoal_i_slot_add(&w->unassigned, slots, raised_key(w, c, now, next, i),
                             w->unassigned.weights[i]);
        }
        w->steps[c] = judge_slots(w, slots);
    }
    return shoal_i_check_cancelled(ctx);
}

/* The column to raise, or SIZE_MAX when all are at their last level. */
static size_t choose_column(const walk *w)
{
    size_t best = SIZE_MAX;
    double most = 0;

    for (size_t c = 0; c < w->scales->column_count; c++) {
        const double *penalties = w->scales->columns[c].penalties;

        if (can_rise(w, c)) {
            double price = (penalties[w->node[c] + 1] - penalties[w->node[c]]) * w->temper[c];
            double gain = (w->steps[c].together - w->together + 1) / (price + 1);

            if (best == SIZE_MAX || gain > most) {
                best = c;
                most = gain;
            }
        }
    }
    return best;
}

static size_t count_chunks(const walk *w)
{
    return (w->unassigned.count + CHUNK - 1) / CHUNK;
}

static size_t chunk_end(const walk *w, size_t chunk)
{
    size_t end = (chunk + 1) * CHUNK;

    return end < w->unassigned.count ? end : w->unassigned.count;
}

/* The keys of a chunk of points after the column has been raised. */
static shoal_status raise_keys(shoal_ctx *ctx, void *payload, size_t chunk)
{
    walk *w = payload;
    size_t c = w->raised;
    const uint64_t *now = level_keys(w, c, w->node[c]);
    const uint64_t *next = level_keys(w, c, w->node[c] + 1u);

    for (size_t i = chunk * CHUNK; i < chunk_end(w, chunk); i++) {
        w->keys[i] = raised_key(w, c, now, next, i);
    }
    return shoal_i_check_cancelled(ctx);
}

/* Count all points into one range of the slots. */
static shoal_status count_range(shoal_ctx *ctx, void *payload, size_t range)
{
    walk *w = payload;
    const shoal_i_unassigned *left = &w->unassigned;
    size_t size = left->slot_count / RANGES; /* a power of two */

    memset(w->slots + range * size, 0, size * sizeof *w->slots);
    for (size_t i = 0; i < left->count; i++) {
        size_t slot = shoal_i_unassigned_slot(left, w->keys[i]);

        if ((slot & ~(size - 1)) == range * size) {
            shoal_i_slot_add(left, w->slots, w->keys[i], left->weights[i]);
        }
    }
    return shoal_i_check_cancelled(ctx);
}

/* Which points of a chunk go. */
static shoal_status mark_full(shoal_ctx *ctx, void *payload, size_t chunk)
{
    walk *w = payload;
    const shoal_i_unassigned *left = &w->unassigned;

    for (size_t i = chunk * CHUNK; i < chunk_end(w, chunk); i++) {
        w->goes[i] = w->slots[shoal_i_unassigned_slot(left, w->keys[i])] >= left->full;
    }
    return shoal_i_check_cancelled(ctx);
}

/* Raise a column, and let those go whose slot is full enough. */
static shoal_status raise_column(shoal_ctx *ctx, walk *w, size_t c)
{
    shoal_status st = SHOAL_OK;
    shoal_i_unassigned *left = &w->unassigned;
    size_t kept = 0;

    w->raised = c;
    SHOAL_TRY(shoal_i_parallel_for(ctx, count_chunks(w), raise_keys, w));
    SHOAL_TRY(shoal_i_parallel_for(ctx, RANGES, count_range, w));
    SHOAL_TRY(shoal_i_parallel_for(ctx, count_chunks(w), mark_full, w));
    w->node[c]++;
    for (size_t i = 0; i < left->count; i++) {
        w->keys[kept] = w->keys[i];
        kept += !w->goes[i];
    }
    step all = judge_slots(w, w->slots);

    w->together = all.together - (double)all.served * (double)left->smallest;
    SHOAL_TRY(shoal_i_unassigned_sweep(ctx, left, w->goes));
    assert(kept == left->count);
done:
    return st;
}

/* Every how many-th record of a table a walk looks at: classes of two should be left. */
static size_t find_spacing(const shoal_i_point_neighbours *points)
{
    size_t spacing = points->distinct->first[points->count] / SAMPLE;
    uint64_t most = shoal_i_requirement_smallest_class(points->problem->requirements) / 2;

    spacing = spacing < most ? spacing : (size_t)most;
    return spacing > 1 ? spacing : 1;
}

static shoal_status walk_init(shoal_ctx *ctx, walk *w, const shoal_i_point_neighbours *points,
                              size_t number)
{
    shoal_status st = SHOAL_OK;
    shoal_i_random random = shoal_i_random_start(shoal_i_random_key(number, 0));
    size_t columns = w->scales->column_count;

    SHOAL_TRY(shoal_i_unassigned_sample(ctx, &w->unassigned, points, w->scales,
                                        find_spacing(points)));
    SHOAL_ALLOC(ctx, w->goes, w->unassigned.count);
    SHOAL_ALLOC(ctx, w->node, columns);
    SHOAL_ALLOC(ctx, w->keys, w->unassigned.count);
    SHOAL_ALLOC(ctx, w->slots, w->unassigned.slot_count);
    w->thread_count = (size_t)shoal_ctx_thread_count(ctx);
    SHOAL_ALLOC(ctx, w->counted, w->thread_count);
    for (size_t i = 0; i < w->thread_count; i++) {
        SHOAL_ALLOC(ctx, w->counted[i], w->unassigned.slot_count);
    }
    SHOAL_ALLOC(ctx, w->steps, columns);
    SHOAL_ALLOC(ctx, w->temper, columns);
    for (size_t c = 0; c < columns; c++) {
        w->temper[c] = number == 0 ? 1 : 0.5 + 2 * shoal_i_random_unit(&random);
    }
    shoal_i_scales_keys(w->scales, w->node, w->keys, w->unassigned.values, w->unassigned.stride,
                        w->unassigned.count);
done:
    return st;
}

static void walk_clear(walk *w)
{
    shoal_i_unassigned_clear(&w->unassigned);
    free(w->node);
    free(w->keys);
    free(w->goes);
    free(w->slots);
    for (size_t i = 0; w->counted && i < w->thread_count; i++) {
        free(w->counted[i]);
    }
    free(w->counted);
    free(w->steps);
    free(w->temper);
}

/* Whether looking at all nodes on and beside so many walks would take too long. */
static bool is_wide(const shoal_i_lattice *lattice, size_t walks)
{
    size_t columns = lattice->scales->column_count;
    size_t levels = 0;

    for (size_t c = 0; c < columns; c++) {
        levels += lattice->scales->columns[c].level_count;
    }
    return walks * levels * columns * columns > WIDE;
}

/* Add the nodes of a walk to a lattice, the last one of the lattice among them; walks of
 * different numbers go different ways. */
static shoal_status add_walk(shoal_ctx *ctx, shoal_i_lattice *lattice,
                             const shoal_i_point_neighbours *points, size_t number,
                             bool is_alone)
{
    shoal_status st = SHOAL_OK;
    walk w = {.scales = lattice->scales};

    SHOAL_TRY(walk_init(ctx, &w, points, number));
    SHOAL_TRY(shoal_i_lattice_add(ctx, lattice, w.node, SIZE_MAX));
    while (w.unassigned.count > 0) {
        SHOAL_TRY(shoal_i_parallel_for(ctx, w.scales->column_count, judge_column, &w));
        size_t best = choose_column(&w);

        if (best == SIZE_MAX) {
            break;
        }
        for (size_t c = 0; c < w.scales->column_count; c++) {
            if (c == best || (w.steps[c].served > 0 && !is_alone)) {
                SHOAL_TRY(shoal_i_lattice_add(ctx, lattice, w.node, c));
            }
        }
        SHOAL_TRY(raise_column(ctx, &w, best));
    }
    for (size_t c = 0; c < w.scales->column_count; c++) {
        w.node[c] = (uint8_t)(w.scales->columns[c].level_count - 1);
    }
    SHOAL_TRY(shoal_i_lattice_add(ctx, lattice, w.node, SIZE_MAX));
done:
    walk_clear(&w);
    return st;
}

shoal_status shoal_i_lattice_build(shoal_ctx *ctx, shoal_i_lattice **out,
                                   const shoal_i_point_neighbours *points, size_t most,
                                   size_t walks)
{
    shoal_status st = SHOAL_OK;
    shoal_i_lattice *lattice = NULL;

    *out = NULL;
    SHOAL_TRY(shoal_i_lattice_list(ctx, &lattice, points->distinct, most));
    if (lattice->count == 0) {
        bool is_alone = is_wide(lattice, walks);

        for (size_t number = 0; number < (is_alone ? 1 : walks); number++) {
            SHOAL_TRY(add_walk(ctx, lattice, points, number, is_alone));
        }
        SHOAL_TRY(shoal_i_lattice_order(ctx, lattice));
    }
    *out = lattice;
    lattice = NULL;
done:
    shoal_i_lattice_free(lattice);
    return st;
}

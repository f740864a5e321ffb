#include "region_part.h"

#include "../../base/fail.h"
#include "../../base/hash.h"
#include "../../base/sort.h"

#include <string.h>

/* Records of a piece at most, as a part of the smallest class. */
#define PIECE_PART 6

#define NO_KIND UINT32_MAX

/* Records that may be in the same cells. */
typedef struct kind {
    uint64_t hash;
    uint32_t first; /* of `wanted` */
    uint32_t count; /* of these, the cell outside, or SHOAL_I_NO_CELL, behind them */
    uint64_t records;
} kind;

typedef struct builder {
    const shoal_i_cell_state *state;
    uint8_t region; /* the number of the region */
    size_t record_count;
    shoal_i_sort_item *items; /* per record: its kind and the cell that it is in */
    shoal_i_sort_item *spare;
    uint32_t *wanted; /* of all kinds */
    size_t kind_count;
    kind *kinds;
    uint32_t *slots; /* of kinds, by their hashes */
    size_t mask;
    uint32_t *kind_of; /* per piece */
    uint64_t *records; /* per cell of the whole: that may be in it */
    uint32_t *number;  /* per cell of the whole: its number in the part; or SHOAL_I_NO_CELL */
} builder;

static void builder_clear(builder *b)
{
    free(b->items);
    free(b->spare);
    free(b->wanted);
    free(b->kinds);
    free(b->slots);
    free(b->kind_of);
    free(b->records);
    free(b->number);
}

void shoal_i_region_part_clear(shoal_i_region_part *part)
{
    shoal_i_cell_pool_clear(&part->pool);
    free(part->cell_of);
    free(part->whole);
    free(part->records);
    free(part->weights);
    free(part->cells);
    free(part->members);
    *part = (shoal_i_region_part){0};
}

/* --- Kinds. ------------------------------------------------------------------------------- */

/* List the cells that records of a point may be in: closed ones as long as they are cheaper
 * than the first open one in no region, and those of this region; and that first one behind
 * them. Returns how many, without that. */
static uint32_t list_wanted(const builder *b, uint32_t *wanted, uint32_t point)
{
    const shoal_i_cell_state *s = b->state;
    uint32_t outside = SHOAL_I_NO_CELL;
    uint32_t count = 0;

    for (uint32_t i = s->pool->first[point]; i < s->pool->first[point + 1]; i++) {
        uint32_t cell = s->pool->cells_of[i];
        bool is_cheaper = outside == SHOAL_I_NO_CELL;

        if (s->region_of[cell] == b->region || (s->loads[cell] == 0 && is_cheaper)) {
            wanted[count++] = cell;
        } else if (s->region_of[cell] == 0 && is_cheaper) {
            outside = cell;
        }
    }
    wanted[count] = outside;
    return count;
}

/* The kind of a point, made if it is new: what it wants stands behind that of all kinds. */
static uint32_t find_kind(const shoal_ctx *ctx, builder *b, uint32_t point)
{
    const kind *last = b->kind_count > 0 ? &b->kinds[b->kind_count - 1] : NULL;
    uint32_t first = last ? last->first + last->count + 1 : 0;
    uint32_t count = list_wanted(b, b->wanted + first, point);
    size_t size = (count + 1) * sizeof *b->wanted;
    uint64_t hash = shoal_i_hash_bytes(&ctx->hash_key, b->wanted + first, size);
    size_t slot = (size_t)hash & b->mask;

    for (; b->slots[slot] != NO_KIND; slot = (slot + 1) & b->mask) {
        const kind *it = &b->kinds[b->slots[slot]];

        if (it->hash == hash && it->count == count &&
            memcmp(b->wanted + it->first, b->wanted + first, size) == 0) {
            return b->slots[slot];
        }
    }
    b->slots[slot] = (uint32_t)b->kind_count;
    b->kinds[b->kind_count] = (kind){.hash = hash, .first = first, .count = count};
    return (uint32_t)b->kind_count++;
}

/* Find the kinds of those records of a point that are in a cell. */
static void add_point(const shoal_ctx *ctx, builder *b, uint32_t point, uint32_t cell)
{
    const shoal_i_cell_state *s = b->state;
    uint32_t found = NO_KIND;

    for (uint32_t i = s->first[point]; i < s->first[point + 1]; i++) {
        if (s->cell_of[i] == cell) {
            found = found == NO_KIND ? find_kind(ctx, b, point) : found;
            b->kinds[found].records++;
            b->items[b->record_count++] =
                (shoal_i_sort_item){.key = (uint64_t)found << 32 | cell, .item = i};
        }
    }
}

/* Room for the kinds of so many points with so many cells around them. */
static shoal_status reserve_kinds(shoal_ctx *ctx, builder *b, size_t points, size_t cells)
{
    shoal_status st = SHOAL_OK;
    size_t slots = 2;

    while (slots < 2 * points) {
        slots *= 2;
    }
    b->mask = slots - 1;
    SHOAL_ALLOC(ctx, b->slots, slots);
    memset(b->slots, 0xff, slots * sizeof *b->slots);
    SHOAL_ALLOC(ctx, b->kinds, points);
    SHOAL_ALLOC(ctx, b->wanted, cells + points);
done:
    return st;
}

static shoal_status find_kinds(shoal_ctx *ctx, builder *b, const uint32_t *cells,
                               size_t cell_count)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_cell_state *s = b->state;
    size_t records = 0;
    size_t points = 0;
    size_t around = 0;

    for (size_t i = 0; i < cell_count; i++) {
        const shoal_i_priced_cell *cell = &s->pool->cells[cells[i]];

        records += s->loads[cells[i]];
        points += cell->count;
        for (uint32_t j = 0; j < cell->count; j++) {
            around += s->pool->first[cell->points[j] + 1] - s->pool->first[cell->points[j]];
        }
    }
    SHOAL_TRY(reserve_kinds(ctx, b, points, around));
    SHOAL_ALLOC(ctx, b->items, records);
    SHOAL_ALLOC(ctx, b->spare, records);
    for (size_t i = 0; i < cell_count; i++) {
        const shoal_i_priced_cell *cell = &s->pool->cells[cells[i]];

        for (uint32_t j = 0; j < cell->count; j++) {
            add_point(ctx, b, cell->points[j], cells[i]);
        }
    }
    shoal_i_sort_items(b->items, b->spare, b->record_count);
done:
    return st;
}

/* --- Pieces. ------------------------------------------------------------------------------ */

/* Part the records of each kind in each cell. */
static shoal_status make_pieces(shoal_ctx *ctx, shoal_i_region_part *part, builder *b)
{
    shoal_status st = SHOAL_OK;
    uint64_t smallest = b->state->pool->smallest;
    uint32_t most = smallest >= PIECE_PART ? (uint32_t)(smallest / PIECE_PART) : 1;
    uint32_t weight = 0;

    SHOAL_ALLOC(ctx, part->records, b->record_count);
    SHOAL_ALLOC(ctx, part->weights, b->record_count);
    SHOAL_ALLOC(ctx, part->cell_of, b->record_count);
    SHOAL_ALLOC(ctx, b->kind_of, b->record_count);
    for (size_t i = 0; i < b->record_count; i++) {
        bool is_new = i == 0 || b->items[i].key != b->items[i - 1].key;
        size_t last = part->pool.point_count - 1; /* where there is one */

        if (is_new || part->weights[last] == weight) {
            weight = is_new ? 1 : 2 * weight < most ? 2 * weight : most;
            last = part->pool.point_count++;
            part->cell_of[last] = (uint32_t)b->items[i].key;
            b->kind_of[last] = (uint32_t)(b->items[i].key >> 32);
        }
        part->weights[last]++;
        part->records[i] = b->items[i].item;
    }
done:
    return st;
}

/* --- Cells. ------------------------------------------------------------------------------- */

/* Number a cell of the whole in the part, unless it has a number; one more member. */
static void count_member(shoal_i_region_part *part, builder *b, uint32_t cell)
{
    if (b->number[cell] == SHOAL_I_NO_CELL) {
        b->number[cell] = (uint32_t)part->pool.cell_count;
        part->whole[part->pool.cell_count] = cell;
        part->cells[part->pool.cell_count++] =
            (shoal_i_priced_cell){.loss = b->state->pool->cells[cell].loss};
    }
    part->cells[b->number[cell]].count++;
}

/* Whether a cell can be open in the part: it is, or enough records may be in it. */
static bool can_open(const builder *b, uint32_t cell)
{
    return b->state->loads[cell] > 0 || b->records[cell] >= b->state->pool->smallest;
}

static void count_wanted(builder *b)
{
    for (size_t i = 0; i < b->kind_count; i++) {
        for (uint32_t j = 0; j < b->kinds[i].count; j++) {
            b->records[b->wanted[b->kinds[i].first + j]] += b->kinds[i].records;
        }
    }
}

/* Number the cells that can be opened and closed, then those outside. */
static shoal_status number_cells(shoal_ctx *ctx, shoal_i_region_part *part, builder *b)
{
    shoal_status st = SHOAL_OK;
    size_t most = b->state->pool->cell_count;
    const kind *last = &b->kinds[b->kind_count - 1];
    size_t listed = (size_t)last->first + last->count + 1;

    SHOAL_ALLOC(ctx, b->records, most);
    SHOAL_ALLOC(ctx, b->number, most);
    memset(b->number, 0xff, most * sizeof *b->number);
    most = listed < most ? listed : most;
    SHOAL_ALLOC(ctx, part->whole, most);
    SHOAL_ALLOC(ctx, part->cells, most);
    count_wanted(b);
    for (size_t i = 0; i < part->pool.point_count; i++) {
        const kind *it = &b->kinds[b->kind_of[i]];

        for (uint32_t j = 0; j < it->count; j++) {
            if (can_open(b, b->wanted[it->first + j])) {
                count_member(part, b, b->wanted[it->first + j]);
            }
        }
    }
    part->pool.closable = part->pool.cell_count;
    for (size_t i = 0; i < part->pool.point_count; i++) {
        const kind *it = &b->kinds[b->kind_of[i]];

        if (b->wanted[it->first + it->count] != SHOAL_I_NO_CELL) {
            count_member(part, b, b->wanted[it->first + it->count]);
        }
    }
done:
    return st;
}

/* List the pieces of each cell, and where each piece is. */
static shoal_status list_members(shoal_ctx *ctx, shoal_i_region_part *part, const builder *b)
{
    shoal_status st = SHOAL_OK;
    size_t total = 0;

    for (size_t i = 0; i < part->pool.cell_count; i++) {
        total += part->cells[i].count;
    }
    SHOAL_ALLOC(ctx, part->members, total);
    total = 0;
    for (size_t i = 0; i < part->pool.cell_count; i++) {
        part->cells[i].points = part->members + total;
        total += part->cells[i].count;
        part->cells[i].count = 0;
    }
    for (uint32_t i = 0; i < part->pool.point_count; i++) {
        const kind *it = &b->kinds[b->kind_of[i]];

        part->cell_of[i] = b->number[part->cell_of[i]];
        for (uint32_t j = 0; j <= it->count; j++) {
            uint32_t cell = b->wanted[it->first + j];

            if (cell != SHOAL_I_NO_CELL && b->number[cell] != SHOAL_I_NO_CELL) {
                shoal_i_priced_cell *to = &part->cells[b->number[cell]];

                to->points[to->count++] = i;
            }
        }
    }
done:
    return st;
}

shoal_status shoal_i_region_part_build(shoal_ctx *ctx, shoal_i_region_part *part,
                                       const shoal_i_cell_state *state, const uint32_t *cells,
                                       size_t cell_count)
{
    shoal_status st = SHOAL_OK;
    builder b = {.state = state, .region = state->region_of[cells[0]]};

    *part = (shoal_i_region_part){0};
    SHOAL_TRY(find_kinds(ctx, &b, cells, cell_count));
    SHOAL_TRY(make_pieces(ctx, part, &b));
    SHOAL_TRY(number_cells(ctx, part, &b));
    SHOAL_TRY(list_members(ctx, part, &b));
    part->pool.weights = part->weights;
    part->pool.smallest = state->pool->smallest;
    part->pool.cells = part->cells;
    SHOAL_TRY(shoal_i_cell_pool_index(ctx, &part->pool));
done:
    builder_clear(&b);
    return st;
}

#include "neighbours.h"

#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../../base/sort.h"

#define ORDERS_MAX 8
#define KEY_BITS 64
#define CHUNK ((size_t)1 << 16) /* groups that one task puts in order */

struct shoal_i_neighbours {
    size_t group_count;
    size_t order_count;
    uint32_t *orders;    /* order_count * group_count: the groups in order */
    uint32_t *positions; /* order_count * group_count: a group's place in the order */
};

/* Where the columns of the boxes stand, cut to a few bits each: what the orders are sorted by.
 */
typedef struct digits {
    size_t column_count;
    unsigned bits;
    uint16_t *values; /* group after group, column_count each */
} digits;

/* Twice the middle of each group's box in one column, shifted so that it fits in the bits of a
 * digit. For a categorical column the deepest lane counts: its node numbers follow the
 * hierarchy. */
static void cut_column(digits *d, const shoal_i_lanes *lanes, const int32_t *boxes,
                       size_t rows_per_group, size_t group_count, size_t c)
{
    if (lanes->first[c + 1] == lanes->first[c]) {
        return; /* a constant column has no lane; its digit stays 0 */
    }
    const int32_t *lo = boxes + lanes->first[c + 1] - 1;
    const int32_t *hi = lo + (rows_per_group - 1) * lanes->count;
    size_t stride = rows_per_group * lanes->count;
    uint64_t most = 0;
    unsigned shift = 0;

    for (size_t g = 0; g < group_count; g++) {
        uint64_t twice = (uint64_t)lo[g * stride] + (uint64_t)hi[g * stride];

        most = twice > most ? twice : most;
    }
    while (most >> shift >> d->bits) {
        shift++;
    }
    for (size_t g = 0; g < group_count; g++) {
        uint64_t twice = (uint64_t)lo[g * stride] + (uint64_t)hi[g * stride];

        d->values[g * d->column_count + c] = (uint16_t)(twice >> shift);
    }
}

/* The key of a group in the order that starts with column `first`. */
static uint64_t rotate_key(const digits *d, size_t g, size_t first)
{
    const uint16_t *values = d->values + g * d->column_count;
    size_t used = KEY_BITS / d->bits;
    uint64_t key = 0;

    used = d->column_count < used ? d->column_count : used;
    for (size_t i = 0; i < used; i++) {
        size_t c = first + i;

        key = key << d->bits | values[c < d->column_count ? c : c - d->column_count];
    }
    return key;
}

/* One order while it is made. */
typedef struct ordering {
    const digits *digits;
    size_t first; /* the column that it starts with */
    size_t count;
    shoal_i_sort_item *entries;
    shoal_i_sort_item *scratch;
    uint32_t *groups;
    uint32_t *positions;
} ordering;

static size_t find_end(const ordering *o, size_t chunk)
{
    return (chunk + 1) * CHUNK < o->count ? (chunk + 1) * CHUNK : o->count;
}

static shoal_status make_keys(shoal_ctx *ctx, void *payload, size_t chunk)
{
    ordering *o = payload;

    for (size_t g = chunk * CHUNK; g < find_end(o, chunk); g++) {
        o->entries[g] =
            (shoal_i_sort_item){.key = rotate_key(o->digits, g, o->first), .item = (uint32_t)g};
    }
    return shoal_i_check_cancelled(ctx);
}

static shoal_status note_positions(shoal_ctx *ctx, void *payload, size_t chunk)
{
    ordering *o = payload;

    for (size_t i = chunk * CHUNK; i < find_end(o, chunk); i++) {
        o->groups[i] = o->entries[i].item;
        o->positions[o->entries[i].item] = (uint32_t)i;
    }
    return shoal_i_check_cancelled(ctx);
}

static shoal_status sort_order(shoal_ctx *ctx, ordering *o)
{
    shoal_status st = SHOAL_OK;
    size_t chunks = (o->count + CHUNK - 1) / CHUNK;

    SHOAL_TRY(shoal_i_parallel_for(ctx, chunks, make_keys, o));
    SHOAL_TRY(shoal_i_sort_items_parallel(ctx, o->entries, o->scratch, o->count));
    SHOAL_TRY(shoal_i_parallel_for(ctx, chunks, note_positions, o));
done:
    return st;
}

static shoal_status sort_orders(shoal_ctx *ctx, shoal_i_neighbours *n,
                                const shoal_i_lanes *lanes, const int32_t *boxes,
                                size_t rows_per_group)
{
    shoal_status st = SHOAL_OK;
    size_t columns = lanes->quasi->count;
    digits d = {.column_count = columns, .bits = columns <= 4 ? 16 : 8};
    shoal_i_sort_item *entries = NULL;
    shoal_i_sort_item *scratch = NULL;
    size_t cells = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, n->group_count, columns));
    SHOAL_ALLOC(ctx, d.values, cells);
    SHOAL_ALLOC(ctx, entries, n->group_count);
    SHOAL_ALLOC(ctx, scratch, n->group_count);
    for (size_t c = 0; c < columns; c++) {
        cut_column(&d, lanes, boxes, rows_per_group, n->group_count, c);
    }
    for (size_t order = 0; order < n->order_count; order++) {
        ordering o = {
            .digits = &d,
            .first = order * columns / n->order_count,
            .count = n->group_count,
            .entries = entries,
            .scratch = scratch,
            .groups = n->orders + order * n->group_count,
            .positions = n->positions + order * n->group_count,
        };

        SHOAL_TRY(sort_order(ctx, &o));
    }
done:
    free(d.values);
    free(entries);
    free(scratch);
    return st;
}

shoal_status shoal_i_neighbours_build(shoal_ctx *ctx, shoal_i_neighbours **out,
                                      const shoal_i_lanes *lanes, const int32_t *boxes,
                                      size_t rows_per_group, size_t group_count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_neighbours *n = NULL;
    size_t columns = lanes->quasi->count;

    *out = NULL;
    SHOAL_ALLOC(ctx, n, 1);
    n->group_count = group_count;
    n->order_count = columns < ORDERS_MAX ? columns : ORDERS_MAX;
    SHOAL_ALLOC(ctx, n->orders, n->order_count * group_count);
    SHOAL_ALLOC(ctx, n->positions, n->order_count * group_count);
    SHOAL_TRY(sort_orders(ctx, n, lanes, boxes, rows_per_group));
    *out = n;
    n = NULL;
done:
    shoal_i_neighbours_free(n);
    return st;
}

void shoal_i_neighbours_free(shoal_i_neighbours *neighbours)
{
    if (neighbours) {
        free(neighbours->orders);
        free(neighbours->positions);
        free(neighbours);
    }
}

size_t shoal_i_neighbours_most(const shoal_i_neighbours *n, size_t reach)
{
    return 2 * reach * (n->order_count + 2);
}

/* The places within reach of `at` among count, `at` itself included. */
static void find_window(size_t *from, size_t *to, size_t at, size_t reach, size_t count)
{
    *from = at > reach ? at - reach : 0;
    *to = count - at > reach ? at + reach : count - 1;
}

void shoal_i_neighbours_call(const shoal_i_neighbours *n, uint32_t g)
{
    for (size_t order = 0; order < n->order_count; order++) {
        size_t first = order * n->group_count;

        __builtin_prefetch(n->orders + first + n->positions[first + g]);
    }
}

size_t shoal_i_neighbours_list(const shoal_i_neighbours *n, uint32_t *out, uint32_t g,
                               size_t reach)
{
    size_t listed = 0;
    size_t from = 0;
    size_t to = 0;

    find_window(&from, &to, g, 2 * reach, n->group_count);
    for (size_t i = from; i <= to; i++) {
        if (i != g) {
            out[listed++] = (uint32_t)i;
        }
    }
    for (size_t order = 0; order < n->order_count; order++) {
        const uint32_t *groups = n->orders + order * n->group_count;

        find_window(&from, &to, n->positions[order * n->group_count + g], reach,
                    n->group_count);
        for (size_t i = from; i <= to; i++) {
            if (groups[i] != g) {
                out[listed++] = groups[i];
            }
        }
    }
    return listed;
}

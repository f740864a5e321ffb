/* Orders are made by stable passes, the least significant digit first. An order that starts
 * with column c and goes around to c - 1 needs one pass more to become the order that starts
 * with c - 1: sorted by that column first, the rest is in order already.
 *
 *     sorted by 2 0 1     one pass by 1:  1 2 0 (1)     one pass by 0:  0 1 2 (0 1)
 */
#include "neighbours.h"

#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../../base/sort.h"

#include <string.h>

#define ORDERS_MAX 8
#define KEY_BYTES 8 /* of the columns that an order looks at */
#define DIGITS 256
#define CHUNK ((size_t)1 << 16) /* groups that one task puts in order */

struct shoal_i_neighbours {
    size_t group_count;
    size_t order_count;
    uint32_t *orders;    /* order_count * group_count: the groups in order */
    uint32_t *positions; /* order_count * group_count: a group's place in the order */
};

/* Where the columns of the boxes stand, cut to one or two bytes each: what the orders are
 * sorted by. */
typedef struct digits {
    const shoal_i_lanes *lanes;
    const int32_t *boxes;
    size_t rows_per_group;
    size_t group_count;
    size_t bytes;    /* of a column */
    uint8_t *values; /* column after column, of each the lower byte of all groups first */
} digits;

/* Twice the middle of each group's box in one column, shifted so that it fits in the bytes of a
 * column. For a categorical column the deepest lane counts: its node numbers follow the
 * hierarchy. */
static shoal_status cut_column(shoal_ctx *ctx, void *payload, size_t c)
{
    digits *d = payload;
    const shoal_i_lanes *lanes = d->lanes;

    if (lanes->first[c + 1] == lanes->first[c]) {
        return SHOAL_OK; /* a constant column has no lane; its digits stay 0 */
    }
    const int32_t *lo = d->boxes + lanes->first[c + 1] - 1;
    const int32_t *hi = lo + (d->rows_per_group - 1) * lanes->count;
    size_t stride = d->rows_per_group * lanes->count;
    uint8_t *low = d->values + c * d->bytes * d->group_count;
    uint8_t *high = low + (d->bytes - 1) * d->group_count;
    uint64_t most = 0;
    unsigned shift = 0;

    for (size_t g = 0; g < d->group_count; g++) {
        uint64_t twice = (uint64_t)lo[g * stride] + (uint64_t)hi[g * stride];

        most = twice > most ? twice : most;
    }
    while (most >> shift >> (8 * d->bytes)) {
        shift++;
    }
    for (size_t g = 0; g < d->group_count; g++) {
        uint64_t twice = ((uint64_t)lo[g * stride] + (uint64_t)hi[g * stride]) >> shift;

        high[g] = (uint8_t)(twice >> 8); /* the same byte as low, where a column has one */
        low[g] = (uint8_t)twice;
    }
    return shoal_i_check_cancelled(ctx);
}

/* One stable pass, and where it leads. */
typedef struct pass {
    const uint8_t *digits; /* of each group */
    const uint32_t *from;  /* NULL: the groups as they are given */
    uint32_t *to;
    size_t count;
    size_t chunk_count;
    uint32_t *places; /* per chunk and digit: where the next group of the chunk goes */
} pass;

static size_t find_end(size_t count, size_t chunk)
{
    return (chunk + 1) * CHUNK < count ? (chunk + 1) * CHUNK : count;
}

static uint32_t group_at(const pass *p, size_t i)
{
    return p->from ? p->from[i] : (uint32_t)i;
}

static shoal_status count_digits(shoal_ctx *ctx, void *payload, size_t chunk)
{
    const pass *p = payload;
    uint32_t *places = p->places + chunk * DIGITS;

    memset(places, 0, DIGITS * sizeof *places);
    for (size_t i = chunk * CHUNK; i < find_end(p->count, chunk); i++) {
        places[p->digits[group_at(p, i)]]++;
    }
    return shoal_i_check_cancelled(ctx);
}

static shoal_status deal_out(shoal_ctx *ctx, void *payload, size_t chunk)
{
    const pass *p = payload;
    uint32_t *places = p->places + chunk * DIGITS;

    for (size_t i = chunk * CHUNK; i < find_end(p->count, chunk); i++) {
        uint32_t g = group_at(p, i);

        p->to[places[p->digits[g]]++] = g;
    }
    return shoal_i_check_cancelled(ctx);
}

static shoal_status run_pass(shoal_ctx *ctx, pass *p)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_parallel_for(ctx, p->chunk_count, count_digits, p));
    shoal_i_sort_place(p->places, NULL, p->chunk_count, DIGITS);
    SHOAL_TRY(shoal_i_parallel_for(ctx, p->chunk_count, deal_out, p));
done:
    return st;
}

/* Orders while they are made. */
typedef struct ordering {
    shoal_i_neighbours *neighbours;
    digits digits;
    size_t column_count;
    pass pass;
    uint32_t *spare[2]; /* an order on its way */
} ordering;

/* Sort `from` by a column; the result is in `to`. Neither is the spare that is written to. */
static shoal_status sort_by_column(shoal_ctx *ctx, ordering *o, size_t column,
                                   const uint32_t *from, uint32_t *to)
{
    shoal_status st = SHOAL_OK;

    for (size_t byte = 0; byte < o->digits.bytes; byte++) {
        bool is_last = byte + 1 == o->digits.bytes;

        o->pass.digits =
            o->digits.values + (column * o->digits.bytes + byte) * o->digits.group_count;
        o->pass.from = from;
        o->pass.to = is_last ? to : o->spare[0];
        SHOAL_TRY(run_pass(ctx, &o->pass));
        from = o->pass.to;
    }
done:
    return st;
}

/* The order that starts with a column, from the beginning. */
static shoal_status sort_whole(shoal_ctx *ctx, ordering *o, size_t first, uint32_t *to)
{
    shoal_status st = SHOAL_OK;
    size_t used = KEY_BYTES / o->digits.bytes;
    const uint32_t *from = NULL;

    used = o->column_count < used ? o->column_count : used;
    for (size_t i = used; i-- > 0;) {
        /* What is read is `to` or the second spare, and the last pass ends in `to`. */
        uint32_t *next = i % 2 == 0 ? to : o->spare[1];

        SHOAL_TRY(sort_by_column(ctx, o, (first + i) % o->column_count, from, next));
        from = next;
    }
done:
    return st;
}

static shoal_status note_positions(shoal_ctx *ctx, void *payload, size_t chunk)
{
    shoal_i_neighbours *n = payload;

    for (size_t order = 0; order < n->order_count; order++) {
        const uint32_t *groups = n->orders + order * n->group_count;
        uint32_t *positions = n->positions + order * n->group_count;

        for (size_t i = chunk * CHUNK; i < find_end(n->group_count, chunk); i++) {
            positions[groups[i]] = (uint32_t)i;
        }
    }
    return shoal_i_check_cancelled(ctx);
}

/* Where there are as many orders as columns, each follows from the one behind it. */
static shoal_status sort_all(shoal_ctx *ctx, ordering *o)
{
    shoal_status st = SHOAL_OK;
    shoal_i_neighbours *n = o->neighbours;
    const uint32_t *last = NULL;

    for (size_t order = n->order_count; order-- > 0;) {
        uint32_t *groups = n->orders + order * n->group_count;
        size_t first = order * o->column_count / n->order_count;

        if (last && n->order_count == o->column_count) {
            SHOAL_TRY(sort_by_column(ctx, o, first, last, groups));
        } else {
            SHOAL_TRY(sort_whole(ctx, o, first, groups));
        }
        last = groups;
    }
    SHOAL_TRY(shoal_i_parallel_for(ctx, o->pass.chunk_count, note_positions, n));
done:
    return st;
}

static shoal_status sort_orders(shoal_ctx *ctx, shoal_i_neighbours *n,
                                const shoal_i_lanes *lanes, const int32_t *boxes,
                                size_t rows_per_group)
{
    shoal_status st = SHOAL_OK;
    size_t columns = lanes->quasi->count;
    size_t chunks = (n->group_count + CHUNK - 1) / CHUNK;
    ordering o = {
        .neighbours = n,
        .digits = {.lanes = lanes,
                   .boxes = boxes,
                   .rows_per_group = rows_per_group,
                   .group_count = n->group_count,
                   .bytes = columns <= 4 ? 2 : 1},
        .column_count = columns,
        .pass = {.count = n->group_count, .chunk_count = chunks},
    };
    size_t cells = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, n->group_count, columns * o.digits.bytes));
    SHOAL_ALLOC(ctx, o.digits.values, cells);
    SHOAL_ALLOC(ctx, o.pass.places, chunks * DIGITS);
    SHOAL_ALLOC(ctx, o.spare[0], n->group_count);
    SHOAL_ALLOC(ctx, o.spare[1], n->group_count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, columns, cut_column, &o.digits));
    SHOAL_TRY(sort_all(ctx, &o));
done:
    free(o.digits.values);
    free(o.pass.places);
    free(o.spare[0]);
    free(o.spare[1]);
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
    for (size_t i = from; i < g; i++) {
        out[listed++] = (uint32_t)i;
    }
    for (size_t i = g + 1; i <= to; i++) {
        out[listed++] = (uint32_t)i;
    }
    for (size_t order = 0; order < n->order_count; order++) {
        const uint32_t *groups = n->orders + order * n->group_count;
        size_t at = n->positions[order * n->group_count + g];

        find_window(&from, &to, at, reach, n->group_count);
        for (size_t i = from; i < at; i++) {
            out[listed++] = groups[i];
        }
        for (size_t i = at + 1; i <= to; i++) {
            out[listed++] = groups[i];
        }
    }
    return listed;
}

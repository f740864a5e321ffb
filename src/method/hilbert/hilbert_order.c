#include "hilbert_order.h"

#include "../../base/pool.h"
#include "../../base/sort.h"
#include "../problem/span.h"

#include <string.h>

/* Records whose indices one task computes, and how many of them at a time: few enough for the
 * nearest cache, many enough for vectors. */
#define CHUNK 16384
#define BATCH 256

/* Bits of a coordinate beyond those that tell the values of a column apart, and in all. */
#define SPARE_BITS 6
#define BITS_MAX 32

/* --- The curve. ------------------------------------------------------------------------------
 *
 * J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707, 2004,
 * doi:10.1063/1.1751381: from the highest bit down, each dimension either inverts the lower
 * bits of dimension 0 or exchanges them with its own; a Gray code ends it. Here one step is
 * done for all points before the next, without branches. */

static void undo_level(uint32_t *first, uint32_t *axis, size_t count, unsigned level)
{
    const uint32_t below = ((uint32_t)1 << level) - 1;

    for (size_t i = 0; i < count; i++) {
        uint32_t inverts = 0 - (axis[i] >> level & 1);
        uint32_t exchanged = (first[i] ^ axis[i]) & below & ~inverts;

        first[i] ^= exchanged | (below & inverts);
        axis[i] ^= exchanged;
    }
}

/* Dimension 0 has nothing to exchange with itself. */
static void undo_first(uint32_t *first, size_t count, unsigned level)
{
    const uint32_t below = ((uint32_t)1 << level) - 1;

    for (size_t i = 0; i < count; i++) {
        first[i] ^= below & (0 - (first[i] >> level & 1));
    }
}

/* Bit j is 1 when an odd number of the bits of x above it are. */
static uint32_t parity_above(uint32_t x)
{
    for (unsigned shift = 1; shift < 32; shift *= 2) {
        x ^= x >> shift;
    }
    return x >> 1;
}

static void gray_encode(uint32_t *axes, size_t count, size_t dimensions)
{
    const uint32_t *last = axes + (dimensions - 1) * count;

    for (size_t d = 1; d < dimensions; d++) {
        for (size_t i = 0; i < count; i++) {
            axes[d * count + i] ^= axes[(d - 1) * count + i];
        }
    }
    for (size_t d = 0; d < dimensions; d++) { /* the last, from which the others read, last */
        for (size_t i = 0; i < count; i++) {
            axes[d * count + i] ^= parity_above(last[i]);
        }
    }
}

void shoal_i_hilbert_transpose(uint32_t *axes, size_t count, size_t dimensions, unsigned bits)
{
    for (unsigned level = bits - 1; level > 0; level--) {
        undo_first(axes, count, level);
        for (size_t d = 1; d < dimensions; d++) {
            undo_level(axes, axes + d * count, count, level);
        }
    }
    gray_encode(axes, count, dimensions);
}

size_t shoal_i_hilbert_word_count(size_t dimensions, unsigned bits)
{
    return (dimensions * bits + 63) / 64;
}

void shoal_i_hilbert_word(uint64_t *out, const uint32_t *transposed, size_t count,
                          size_t dimensions, unsigned bits, size_t word)
{
    size_t end = dimensions * bits;
    size_t first = word * 64;

    memset(out, 0, count * sizeof *out);
    for (size_t bit = first; bit < end && bit < first + 64; bit++) {
        const uint32_t *axis = transposed + bit % dimensions * count;
        unsigned level = bits - 1 - (unsigned)(bit / dimensions);

        for (size_t i = 0; i < count; i++) {
            out[i] = out[i] << 1 | (axis[i] >> level & 1);
        }
    }
}

/* --- Records on the curve. ---------------------------------------------------------------- */

typedef struct curve {
    const shoal_i_quasi *quasi;
    size_t row_count;
    size_t dimensions;
    size_t *columns;      /* quasi column of each dimension */
    uint32_t **places;    /* per dimension: the coordinate of each dictionary entry */
    uint32_t most_values; /* of a column */
    unsigned bits;
    size_t word_count;
    uint64_t *keys; /* word after word, of all records */
} curve;

/* Where the codes of a column stand on a line on which neighbours are as far apart as the
 * penalty of joining them; at may be NULL. Returns the length of the line: about 1 for numbers,
 * but for a flat column one less than it has values, so that the curve leaves one of its values
 * as seldom as the penalty of that asks for. */
static double lay_out(const shoal_i_quasi_column *column, double *at)
{
    double length = 0;

    for (uint32_t code = 0; code < column->value_count; code++) {
        if (code > 0) {
            length += column->weight * shoal_i_quasi_spread(column, code - 1, code);
        }
        if (at) {
            at[code] = length;
        }
    }
    return length;
}

/* The coordinate of each value: its place on the line in units of the grid, but never that of
 * the value before it, so that different values stay different however near they are. */
static shoal_status place_column(shoal_ctx *ctx, curve *c, size_t d, double longest)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi_column *column = &c->quasi->columns[c->columns[d]];
    uint64_t side = (uint64_t)1 << c->bits;
    double scale = (double)(side - c->most_values) / longest;
    double *at = NULL;
    uint32_t *places = NULL; /* by code */

    SHOAL_ALLOC(ctx, at, column->value_count);
    SHOAL_ALLOC(ctx, places, column->value_count);
    SHOAL_ALLOC(ctx, c->places[d], column->value_count);
    lay_out(column, at);
    for (uint32_t code = 1; code < column->value_count; code++) {
        uint32_t exact = (uint32_t)(at[code] * scale);

        places[code] = exact > places[code - 1] ? exact : places[code - 1] + 1;
    }
    for (uint32_t entry = 0; entry < column->value_count; entry++) {
        c->places[d][entry] = places[column->code_of_entry[entry]];
    }
done:
    free(at);
    free(places);
    return st;
}

static shoal_status choose_columns(shoal_ctx *ctx, curve *c)
{
    shoal_status st = SHOAL_OK;
    double longest = 0;

    SHOAL_ALLOC(ctx, c->columns, c->quasi->count);
    SHOAL_ALLOC(ctx, c->places, c->quasi->count);
    for (size_t i = 0; i < c->quasi->count; i++) {
        const shoal_i_quasi_column *column = &c->quasi->columns[i];

        if (column->weight > 0 && column->value_count > 1) {
            double length = lay_out(column, NULL);

            c->columns[c->dimensions++] = i;
            c->most_values =
                column->value_count > c->most_values ? column->value_count : c->most_values;
            longest = length > longest ? length : longest;
        }
    }
    c->bits = shoal_i_sort_bits(c->most_values) + SPARE_BITS;
    c->bits = c->bits < BITS_MAX ? c->bits : BITS_MAX;
    c->word_count = shoal_i_hilbert_word_count(c->dimensions, c->bits);
    for (size_t d = 0; d < c->dimensions; d++) {
        SHOAL_TRY(place_column(ctx, c, d, longest));
    }
done:
    return st;
}

static void clear_curve(curve *c)
{
    for (size_t d = 0; c->places && d < c->dimensions; d++) {
        free(c->places[d]);
    }
    free(c->places);
    free(c->columns);
    free(c->keys);
}

/* The indices of a run of records; axes holds a coordinate per dimension of each. */
static void index_batch(const curve *c, shoal_i_span records, uint32_t *axes)
{
    size_t count = records.count;

    for (size_t d = 0; d < c->dimensions; d++) {
        uint32_t *axis = axes + d * count;

        shoal_table_codes(c->quasi->table, c->quasi->columns[c->columns[d]].column,
                          records.first, count, axis);
        for (size_t i = 0; i < count; i++) {
            axis[i] = c->places[d][axis[i]];
        }
    }
    shoal_i_hilbert_transpose(axes, count, c->dimensions, c->bits);
    for (size_t word = 0; word < c->word_count; word++) {
        shoal_i_hilbert_word(c->keys + word * c->row_count + records.first, axes, count,
                             c->dimensions, c->bits, word);
    }
}

static shoal_status index_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    const curve *c = payload;
    size_t end = (index + 1) * CHUNK < c->row_count ? (index + 1) * CHUNK : c->row_count;
    uint32_t *axes = NULL;

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    SHOAL_ALLOC(ctx, axes, BATCH * c->dimensions);
    for (size_t first = index * CHUNK; first < end; first += BATCH) {
        size_t stop = first + BATCH < end ? first + BATCH : end;

        index_batch(c, shoal_i_span_between(first, stop), axes);
    }
done:
    free(axes);
    return st;
}

static void load_key(const void *payload, size_t word, shoal_i_sort_item *items, size_t count)
{
    const curve *c = payload;
    const uint64_t *keys = c->keys + word * c->row_count;

    for (size_t i = 0; i < count; i++) {
        items[i].key = keys[items[i].item];
    }
}

shoal_status shoal_i_hilbert_order(shoal_ctx *ctx, uint32_t *order, const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;
    curve c = {.quasi = quasi, .row_count = shoal_table_row_count(quasi->table)};
    const uint32_t starts[] = {0, (uint32_t)c.row_count};
    size_t words = 0;

    for (size_t i = 0; i < c.row_count; i++) {
        order[i] = (uint32_t)i;
    }
    SHOAL_TRY(choose_columns(ctx, &c));
    if (c.dimensions > 0) {
        SHOAL_TRY(shoal_i_size_mul(ctx, &words, c.word_count, c.row_count));
        SHOAL_ALLOC(ctx, c.keys, words);
        SHOAL_TRY(
            shoal_i_parallel_for(ctx, (c.row_count + CHUNK - 1) / CHUNK, index_chunk, &c));
        SHOAL_TRY(shoal_i_sort_runs(ctx, order, starts, 1, c.word_count, load_key, &c));
    }
done:
    clear_curve(&c);
    return st;
}

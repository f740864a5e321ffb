#include "centres.h"

#include <string.h>

typedef struct shoal_i_centres_tree tree;

static shoal_status init_tree(shoal_ctx *ctx, tree *t, const shoal_i_lanes *lanes, size_t c,
                              size_t most)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi_column *column = &lanes->quasi->columns[c];
    size_t values = column->value_count < most ? column->value_count : most;

    t->first = lanes->first[c];
    t->end = lanes->first[c + 1];
    t->climbs = lanes->climbs[c];
    for (size_t side = 0; side < 2; side++) {
        SHOAL_ALLOC(ctx, t->counts[side], shoal_hierarchy_node_count(column->hierarchy));
        SHOAL_ALLOC(ctx, t->seen[side], values);
    }
done:
    return st;
}

shoal_status shoal_i_centres_init(shoal_ctx *ctx, shoal_i_centres *centres,
                                  const shoal_i_lanes *lanes, size_t most, size_t counted_most)
{
    shoal_status st = SHOAL_OK;
    size_t columns = lanes->quasi->count;
    size_t nodes = 1;

    *centres = (shoal_i_centres){.lanes = lanes, .counted_most = counted_most};
    SHOAL_ALLOC(ctx, centres->trees, columns);
    SHOAL_ALLOC(ctx, centres->numbers, columns);
    SHOAL_ALLOC(ctx, centres->sums[0], columns);
    SHOAL_ALLOC(ctx, centres->sums[1], columns);
    for (size_t c = 0; c < columns; c++) {
        if (!lanes->quasi->columns[c].hierarchy) {
            centres->numbers[centres->number_count++] = lanes->first[c];
        } else if (lanes->first[c] < lanes->first[c + 1]) {
            size_t here = shoal_hierarchy_node_count(lanes->quasi->columns[c].hierarchy);

            SHOAL_TRY(init_tree(ctx, &centres->trees[centres->tree_count++], lanes, c, most));
            nodes = here > nodes ? here : nodes;
        }
    }
    SHOAL_ALLOC(ctx, centres->below, nodes);
    SHOAL_ALLOC(ctx, centres->values, most);
    SHOAL_ALLOC(ctx, centres->twig_sums, most < nodes ? most : nodes);
done:
    return st;
}

void shoal_i_centres_clear(shoal_i_centres *centres)
{
    for (size_t i = 0; i < centres->tree_count; i++) {
        for (size_t side = 0; side < 2; side++) {
            free(centres->trees[i].counts[side]);
            free(centres->trees[i].seen[side]);
        }
    }
    free(centres->trees);
    free(centres->below);
    free(centres->values);
    free(centres->twig_sums);
    free(centres->numbers);
    free(centres->sums[0]);
    free(centres->sums[1]);
}

/* The lane of the nodes one step above the values; of a flat column that of the values, which
 * are all below the root. */
static size_t twig_lane(const tree *t)
{
    return t->end - t->first > 1 ? t->end - 2 : t->end - 1;
}

/* Whether values have to be counted below twigs. */
static bool has_twigs(const tree *t)
{
    return t->end - t->first > 1;
}

/* Count a row below all nodes over its value. A value that is not as deep as the tree repeats
 * itself in the lanes behind it. */
static void count_value(tree *t, uint8_t side, const int32_t *row, size_t i)
{
    uint32_t *counts = t->counts[side];
    size_t last = twig_lane(t);
    int32_t above = 0;

    if (counts[row[last]] == 0) {
        t->seen[side][t->seen_counts[side]++] = (uint32_t)i;
    }
    for (size_t lane = t->first; lane <= last; lane++) {
        counts[row[lane]] += row[lane] != above;
        above = row[lane];
    }
}

/* Numbers are added up over all rows, as a mean of few misses a long tail; categories are
 * counted in every step-th. */
static void count_rows(shoal_i_centres *c, const uint8_t *sides, const int32_t *rows,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t *row = rows + i * c->lanes->count;
        int64_t *sums = c->sums[sides[i]];

        for (size_t j = 0; j < c->number_count; j++) {
            sums[j] += row[c->numbers[j]];
        }
        c->sizes[sides[i]]++;
    }
    for (size_t i = 0; i < count; i += c->step) {
        for (size_t j = 0; j < c->tree_count; j++) {
            count_value(&c->trees[j], sides[i], rows + i * c->lanes->count, i);
        }
        c->counted[sides[i]]++;
    }
}

/* The sum of the penalties of joining a twig with each of `size` records: each level that it
 * has not in common with a record costs the climb to the one above. */
static int64_t sum_penalties(const tree *t, uint8_t side, const int32_t *row, size_t size)
{
    size_t last = twig_lane(t);
    int64_t sum = 0;
    int32_t above = 0;

    for (size_t lane = t->first; lane <= last; lane++) {
        if (row[lane] != above) {
            sum += t->climbs[row[lane]] * ((int64_t)size - (int64_t)t->counts[side][row[lane]]);
        }
        above = row[lane];
    }
    return sum;
}

/* What the climb from a value to its twig costs at least, if all below the twig had the value.
 * The climb is the same from all of them. */
static int64_t least_below(const tree *t, uint8_t side, const int32_t *row, size_t size)
{
    int32_t twig = row[twig_lane(t)];
    int32_t value = row[t->end - 1];

    return value == twig ? 0
                         : t->climbs[value] * ((int64_t)size - (int64_t)t->counts[side][twig]);
}

/* The rows of one call. */
typedef struct input {
    const uint8_t *sides;
    const int32_t *rows;
    size_t count;
} input;

/* The first row that has the value that most records of a side have below the twig of a row;
 * *most is how many. */
static uint32_t find_commonest(const shoal_i_centres *c, const tree *t, const input *in,
                               uint8_t side, uint32_t first, uint32_t *most)
{
    size_t stride = c->lanes->count;
    const int32_t *twigs = in->rows + twig_lane(t);
    const int32_t *values = in->rows + t->end - 1;
    size_t seen = 0;
    uint32_t best = first;

    for (size_t i = first; i < in->count; i += c->step) {
        if (twigs[i * stride] == twigs[first * stride] && in->sides[i] == side &&
            c->below[values[i * stride]]++ == 0) {
            c->values[seen++] = (uint32_t)i;
        }
    }
    *most = 0;
    for (size_t i = 0; i < seen; i++) {
        uint32_t *records = &c->below[values[c->values[i] * stride]];

        best = *records > *most ? c->values[i] : best;
        *most = *records > *most ? *records : *most;
        *records = 0;
    }
    return best;
}

/* The least of the sums that no twig has been found to have yet, by its place among those seen;
 * SIZE_MAX: none is at most `limit`. What was looked at is marked by a sum of INT64_MAX. */
static size_t next_twig(const tree *t, const int64_t *sums, uint8_t side, int64_t limit)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < t->seen_counts[side]; i++) {
        if (sums[i] != INT64_MAX && sums[i] <= limit) {
            limit = sums[i];
            best = i;
        }
    }
    return best;
}

/* The row whose value is the centre of a side. Twigs are looked at in the order of what their
 * values cost at least, until that is more than the best costs; of equal ones the first row
 * wins. */
static uint32_t centre_row(const shoal_i_centres *c, const tree *t, const input *in,
                           uint8_t side)
{
    size_t size = c->counted[side];
    int64_t least = INT64_MAX - 1;
    uint32_t best = 0;

    for (size_t i = 0; i < t->seen_counts[side]; i++) {
        const int32_t *row = in->rows + t->seen[side][i] * c->lanes->count;

        c->twig_sums[i] = sum_penalties(t, side, row, size) + least_below(t, side, row, size);
    }
    for (size_t i = next_twig(t, c->twig_sums, side, least); i != SIZE_MAX;
         i = next_twig(t, c->twig_sums, side, least)) {
        uint32_t at = t->seen[side][i];
        const int32_t *row = in->rows + at * c->lanes->count;
        int64_t sum = c->twig_sums[i];
        int32_t twig = row[twig_lane(t)];

        if (has_twigs(t) && row[t->end - 1] != twig) {
            uint32_t most = 0;

            at = find_commonest(c, t, in, side, at, &most);
            sum += t->climbs[row[t->end - 1]] * ((int64_t)t->counts[side][twig] - most);
        }
        if (sum < least || (sum == least && at < best)) {
            least = sum;
            best = at;
        }
        c->twig_sums[i] = INT64_MAX;
    }
    return best;
}

static void centre_tree(const shoal_i_centres *c, const tree *t, const input *in, uint8_t side,
                        int32_t *centre)
{
    const int32_t *row = in->rows + centre_row(c, t, in, side) * c->lanes->count;

    memcpy(centre + t->first, row + t->first, (t->end - t->first) * sizeof *centre);
}

static void forget(shoal_i_centres *c, uint8_t side, const int32_t *rows)
{
    for (size_t j = 0; j < c->tree_count; j++) {
        tree *t = &c->trees[j];
        size_t last = twig_lane(t);

        for (size_t i = 0; i < t->seen_counts[side]; i++) {
            const int32_t *row = rows + t->seen[side][i] * c->lanes->count;

            for (size_t lane = t->first; lane <= last; lane++) {
                t->counts[side][row[lane]] = 0;
            }
        }
        t->seen_counts[side] = 0;
    }
    memset(c->sums[side], 0, c->number_count * sizeof *c->sums[side]);
    c->sizes[side] = 0;
    c->counted[side] = 0;
}

void shoal_i_centres_find(shoal_i_centres *scratch, int32_t *const centres[2],
                          const uint8_t *sides, const int32_t *rows, size_t count)
{
    const input in = {.sides = sides, .rows = rows, .count = count};

    scratch->step = scratch->counted_most == 0 ? 1 : 1 + (count - 1) / scratch->counted_most;
    count_rows(scratch, sides, rows, count);
    for (uint8_t side = 0; side < 2; side++) {
        if (scratch->counted[side] == 0) {
            forget(scratch, side, rows);
            continue;
        }
        int64_t size = (int64_t)scratch->sizes[side];

        memset(centres[side], 0, scratch->lanes->count * sizeof *centres[side]);
        for (size_t j = 0; j < scratch->number_count; j++) {
            centres[side][scratch->numbers[j]] =
                (int32_t)((scratch->sums[side][j] + size / 2) / size);
        }
        for (size_t j = 0; j < scratch->tree_count; j++) {
            centre_tree(scratch, &scratch->trees[j], &in, side, centres[side]);
        }
        forget(scratch, side, rows);
    }
}

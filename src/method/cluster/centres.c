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
                                  const shoal_i_lanes *lanes, size_t most)
{
    shoal_status st = SHOAL_OK;
    size_t columns = lanes->quasi->count;

    *centres = (shoal_i_centres){.lanes = lanes};
    SHOAL_ALLOC(ctx, centres->trees, columns);
    SHOAL_ALLOC(ctx, centres->numbers, columns);
    SHOAL_ALLOC(ctx, centres->sums[0], columns);
    SHOAL_ALLOC(ctx, centres->sums[1], columns);
    for (size_t c = 0; c < columns; c++) {
        if (!lanes->quasi->columns[c].hierarchy) {
            centres->numbers[centres->number_count++] = lanes->first[c];
        } else if (lanes->first[c] < lanes->first[c + 1]) {
            SHOAL_TRY(init_tree(ctx, &centres->trees[centres->tree_count++], lanes, c, most));
        }
    }
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
    free(centres->numbers);
    free(centres->sums[0]);
    free(centres->sums[1]);
}

/* Count a row below all nodes over its value. A value that is not as deep as the tree repeats
 * itself in the lanes behind it. */
static void count_value(tree *t, uint8_t side, const int32_t *row, size_t i)
{
    uint32_t *counts = t->counts[side];
    int32_t above = 0;

    if (counts[row[t->end - 1]] == 0) {
        t->seen[side][t->seen_counts[side]++] = (uint32_t)i;
    }
    for (size_t lane = t->first; lane < t->end; lane++) {
        counts[row[lane]] += row[lane] != above;
        above = row[lane];
    }
}

static void count_rows(shoal_i_centres *c, const uint8_t *sides, const int32_t *rows,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t *row = rows + i * c->lanes->count;
        int64_t *sums = c->sums[sides[i]];

        for (size_t j = 0; j < c->number_count; j++) {
            sums[j] += row[c->numbers[j]];
        }
        for (size_t j = 0; j < c->tree_count; j++) {
            count_value(&c->trees[j], sides[i], row, i);
        }
        c->sizes[sides[i]]++;
    }
}

/* The sum of the penalties of joining a value with each of `size` records: each level that it
 * has not in common with a record costs the climb to the one above. */
static int64_t sum_penalties(const tree *t, uint8_t side, const int32_t *row, size_t size)
{
    int64_t sum = 0;
    int32_t above = 0;

    for (size_t lane = t->first; lane < t->end; lane++) {
        if (row[lane] != above) {
            sum += t->climbs[row[lane]] * ((int64_t)size - (int64_t)t->counts[side][row[lane]]);
        }
        above = row[lane];
    }
    return sum;
}

static void centre_tree(const shoal_i_centres *c, const tree *t, uint8_t side, int32_t *centre,
                        const int32_t *rows)
{
    int64_t least = INT64_MAX;
    const int32_t *best = NULL;

    for (size_t i = 0; i < t->seen_counts[side]; i++) {
        const int32_t *row = rows + t->seen[side][i] * c->lanes->count;
        int64_t sum = sum_penalties(t, side, row, c->sizes[side]);

        if (sum < least) {
            least = sum;
            best = row;
        }
    }
    memcpy(centre + t->first, best + t->first, (t->end - t->first) * sizeof *centre);
}

static void forget(shoal_i_centres *c, uint8_t side, const int32_t *rows)
{
    for (size_t j = 0; j < c->tree_count; j++) {
        tree *t = &c->trees[j];

        for (size_t i = 0; i < t->seen_counts[side]; i++) {
            const int32_t *row = rows + t->seen[side][i] * c->lanes->count;

            for (size_t lane = t->first; lane < t->end; lane++) {
                t->counts[side][row[lane]] = 0;
            }
        }
        t->seen_counts[side] = 0;
    }
    memset(c->sums[side], 0, c->number_count * sizeof *c->sums[side]);
    c->sizes[side] = 0;
}

void shoal_i_centres_find(shoal_i_centres *scratch, int32_t *const centres[2],
                          const uint8_t *sides, const int32_t *rows, size_t count)
{
    count_rows(scratch, sides, rows, count);
    for (uint8_t side = 0; side < 2; side++) {
        if (scratch->sizes[side] == 0) {
            continue;
        }
        int64_t size = (int64_t)scratch->sizes[side];

        memset(centres[side], 0, scratch->lanes->count * sizeof *centres[side]);
        for (size_t j = 0; j < scratch->number_count; j++) {
            centres[side][scratch->numbers[j]] =
                (int32_t)((scratch->sums[side][j] + size / 2) / size);
        }
        for (size_t j = 0; j < scratch->tree_count; j++) {
            centre_tree(scratch, &scratch->trees[j], side, centres[side], rows);
        }
        forget(scratch, side, rows);
    }
}

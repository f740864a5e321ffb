#include "as_is.h"

#include <stdlib.h>

/* Rows in groups that agree on all that was looked at so far; groups are divided column by
 * column. */
typedef struct grouping {
    size_t rows;
    uint32_t *group_of;
    size_t group_count;
    uint32_t *codes; /* of the column at hand */
    uint32_t *order;
    uint32_t *by_code;
    uint32_t *starts; /* of groups, or of codes, while rows are sorted */
} grouping;

void shoal_i_as_is_clear(shoal_i_as_is *as_is)
{
    free(as_is->columns);
    *as_is = (shoal_i_as_is){0};
}

/* Sort rows by a number each has, keeping the order of equal ones; in NULL: by their own. */
static void sort_rows(uint32_t *out, const uint32_t *in, const uint32_t *key, uint32_t *starts,
                      size_t key_count, size_t rows)
{
    for (size_t i = 0; i <= key_count; i++) {
        starts[i] = 0;
    }
    for (size_t i = 0; i < rows; i++) {
        starts[key[i] + 1]++;
    }
    for (size_t i = 0; i < key_count; i++) {
        starts[i + 1] += starts[i];
    }
    for (size_t i = 0; i < rows; i++) {
        uint32_t row = in ? in[i] : (uint32_t)i;

        out[starts[key[row]]++] = row;
    }
}

/* Read a column as its rows are published. */
static void read_codes(grouping *g, const shoal_i_release *release, size_t column)
{
    for (size_t row = 0; row < g->rows; row++) {
        g->codes[row] = shoal_table_code(release->quasi->table, column,
                                         shoal_i_release_source(release, (uint32_t)row));
    }
}

static void count_column(shoal_i_as_is_column *out, const grouping *g, size_t value_count)
{
    for (size_t i = 0; i < value_count; i++) {
        g->starts[i] = 0;
    }
    for (size_t row = 0; row < g->rows; row++) {
        g->starts[g->codes[row]]++;
    }
    for (size_t i = 0; i < value_count; i++) {
        out->distinct += g->starts[i] > 0;
        out->unique += g->starts[i] == 1;
    }
}

/* Divide every group by the codes of its rows. */
static void divide(grouping *g, size_t value_count)
{
    sort_rows(g->by_code, NULL, g->codes, g->starts, value_count, g->rows);
    sort_rows(g->order, g->by_code, g->group_of, g->starts, g->group_count, g->rows);
    uint32_t group = 0;
    uint32_t last = 0; /* the group before it was divided */

    for (size_t i = 0; i < g->rows; i++) {
        uint32_t row = g->order[i];
        uint32_t before = i > 0 ? g->order[i - 1] : row;

        group += i > 0 && (g->group_of[row] != last || g->codes[row] != g->codes[before]);
        last = g->group_of[row];
        g->group_of[row] = group;
    }
    g->group_count = g->rows > 0 ? (size_t)group + 1 : 0;
}

static uint64_t count_alone(const grouping *g)
{
    uint64_t alone = 0;

    for (size_t i = 0; i < g->group_count; i++) {
        g->starts[i] = 0;
    }
    for (size_t row = 0; row < g->rows; row++) {
        g->starts[g->group_of[row]]++;
    }
    for (size_t i = 0; i < g->group_count; i++) {
        alone += g->starts[i] == 1;
    }
    return alone;
}

static shoal_status begin(shoal_ctx *ctx, grouping *g, const shoal_i_release *release,
                          const size_t *columns, size_t count)
{
    shoal_status st = SHOAL_OK;
    size_t most =
        release->row_count > release->box_count ? release->row_count : release->box_count;

    for (size_t i = 0; i < count; i++) {
        size_t values = shoal_table_value_count(release->quasi->table, columns[i]) + 1;

        most = values > most ? values : most;
    }
    g->rows = release->row_count;
    g->group_count = release->box_count;
    SHOAL_ALLOC(ctx, g->group_of, g->rows);
    SHOAL_ALLOC(ctx, g->codes, g->rows);
    SHOAL_ALLOC(ctx, g->order, g->rows);
    SHOAL_ALLOC(ctx, g->by_code, g->rows);
    SHOAL_ALLOC(ctx, g->starts, most + 1);
    for (size_t row = 0; row < g->rows; row++) {
        g->group_of[row] = release->box_of[row];
    }
done:
    return st;
}

shoal_status shoal_i_as_is_find(shoal_ctx *ctx, shoal_i_as_is *out,
                                const shoal_i_release *release, const size_t *columns,
                                size_t count)
{
    shoal_status st = SHOAL_OK;
    grouping g = {0};

    SHOAL_ALLOC(ctx, out->columns, count);
    out->count = count;
    SHOAL_TRY(begin(ctx, &g, release, columns, count));
    out->unique_before = count_alone(&g);
    for (size_t i = 0; i < count; i++) {
        size_t values = shoal_table_value_count(release->quasi->table, columns[i]) + 1;

        out->columns[i].column = columns[i];
        read_codes(&g, release, columns[i]);
        count_column(&out->columns[i], &g, values);
        divide(&g, values);
    }
    out->unique_records = count_alone(&g);
done:
    free(g.group_of);
    free(g.codes);
    free(g.order);
    free(g.by_code);
    free(g.starts);
    if (st != SHOAL_OK) {
        shoal_i_as_is_clear(out);
    }
    return st;
}

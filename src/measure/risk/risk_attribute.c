/* risk_attribute.c -- what it tells to know somebody's group: how sure its sensitive values
 * make an attacker. */
#include "risk.h"

#include "../../base/sort.h"

#include <math.h>

/* The rows in the order of their groups. */
typedef struct grouping {
    uint32_t *rows;
    uint32_t *starts; /* of each group in rows, and the end */
} grouping;

static shoal_status group_rows(shoal_ctx *ctx, grouping *g, const uint32_t *group_of,
                               size_t group_count, size_t row_count)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, g->starts, group_count + 1);
    SHOAL_ALLOC(ctx, g->rows, row_count);
    shoal_i_sort_by_number(g->rows, g->starts, group_of, row_count, group_count);
done:
    return st;
}

/* The values of one group at a time. */
typedef struct group_values {
    uint32_t *counts;  /* by code; all 0 between groups */
    uint32_t *present; /* codes that occur */
    size_t present_count;
} group_values;

static void count_group(group_values *v, const uint32_t *codes, const uint32_t *rows,
                        size_t count)
{
    v->present_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t code = codes[rows[i]];

        if (v->counts[code]++ == 0) {
            v->present[v->present_count++] = code;
        }
    }
}

/* Take the figures of a group, and its counts back. */
static void judge_group(shoal_i_attribute_risk *risk, uint64_t *guessed, group_values *v,
                        size_t size)
{
    uint32_t largest = 0;
    double entropy = 0;

    for (size_t i = 0; i < v->present_count; i++) {
        uint32_t count = v->counts[v->present[i]];
        double share = (double)count / (double)size;

        largest = count > largest ? count : largest;
        entropy -= share * log(share);
        v->counts[v->present[i]] = 0;
    }
    double highest = (double)largest / (double)size;
    double effective = exp(entropy);
    bool is_first = risk->fewest_values == 0;

    *guessed += largest;
    risk->highest_share = highest > risk->highest_share ? highest : risk->highest_share;
    if (largest == size) {
        risk->certain_groups++;
        risk->certain_records += size;
    }
    if (is_first || v->present_count < risk->fewest_values) {
        risk->fewest_values = v->present_count;
    }
    if (is_first || effective < risk->fewest_effective) {
        risk->fewest_effective = effective;
    }
}

shoal_status shoal_i_attribute_measure(shoal_ctx *ctx, shoal_i_attribute_risk *out,
                                       const uint32_t *group_of, size_t group_count,
                                       const shoal_i_sensitive *column)
{
    shoal_status st = SHOAL_OK;
    shoal_i_attribute_risk risk = {0};
    grouping groups = {0};
    group_values values = {0};
    uint64_t guessed = 0;

    *out = risk;
    SHOAL_TRY(group_rows(ctx, &groups, group_of, group_count, column->row_count));
    SHOAL_ALLOC(ctx, values.counts, column->value_count);
    SHOAL_ALLOC(ctx, values.present, column->value_count);
    for (size_t g = 0; g < group_count; g++) {
        size_t size = groups.starts[g + 1] - groups.starts[g];

        if (size > 0) {
            count_group(&values, column->codes, groups.rows + groups.starts[g], size);
            judge_group(&risk, &guessed, &values, size);
        }
    }
    if (column->row_count > 0) {
        uint32_t most = column->totals[shoal_i_sensitive_most_frequent(column)];

        risk.table_share = (double)most / (double)column->row_count;
        risk.mean_share = (double)guessed / (double)column->row_count;
    }
    *out = risk;
done:
    free(groups.rows);
    free(groups.starts);
    free(values.counts);
    free(values.present);
    return st;
}

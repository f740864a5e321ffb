/* t-closeness by the earth mover's distance over an order; see t_closeness.h.
 *
 *     D = 1/(m-1) * sum over i < m-1 of | P_i - Q_i |,   P, Q cumulative shares.
 *
 * P is constant between two values that are present and Q is the table's, so such a stretch is
 * summed at once from prefix sums of Q, parted where Q passes P:
 *
 *          Q ______/       the hatched area, from
 *          /////__/        S[i]  = records of the table with code <= i
 *     P ---////----------  SS[i] = S[0] + ... + S[i-1]
 *        _/
 *
 * A class costs O(values present * log m) rather than O(m).
 */
#include "t_closeness.h"

typedef struct ordered {
    const uint64_t *below;      /* S */
    const uint64_t *below_sums; /* SS, one longer */
} ordered;

/* The first code of [first, end) up to which the table has more than its part. */
static size_t find_crossing(const ordered *o, size_t first, size_t end, uint64_t size,
                            uint64_t expected)
{
    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (o->below[middle] * size > expected) {
            end = middle;
        } else {
            first = middle + 1;
        }
    }
    return first;
}

/* Sum of |P - Q_i| over the codes [first, end), where P = count / size. */
static double add_stretch(const shoal_i_requirement *requirement, size_t first, size_t end,
                          uint64_t count, uint64_t size)
{
    const ordered *o = requirement->prepared;
    uint64_t total = requirement->column->total;
    size_t crossing = find_crossing(o, first, end, size, count * total);
    double p = shoal_i_ratio(count, size);
    double before = shoal_i_ratio(o->below_sums[crossing] - o->below_sums[first], total);
    double behind = shoal_i_ratio(o->below_sums[end] - o->below_sums[crossing], total);

    return fmax(0, (double)(crossing - first) * p - before) +
           fmax(0, behind - (double)(end - crossing) * p);
}

static bool check_ordered(const shoal_i_requirement *requirement,
                          const shoal_i_class_stats *stats, double *figure)
{
    size_t values = requirement->column->value_count;
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, stats);
    shoal_i_sum sum = shoal_i_sum_start(histogram->present_count + 1);
    shoal_i_walk walk;
    uint64_t count = 0; /* records up to `first` */
    size_t first = 0;
    uint32_t position = 0;
    uint32_t here = 0;

    if (values < 2 || histogram->total == 0) {
        *figure = 0;
        return true;
    }
    shoal_i_walk_start(&walk, histogram, NULL, values);
    while (shoal_i_walk_next(&walk, &position, &here)) {
        shoal_i_sum_add(&sum,
                        add_stretch(requirement, first, position, count, histogram->total));
        count += here;
        first = position;
    }
    shoal_i_sum_add(&sum, add_stretch(requirement, first, values - 1, count, histogram->total));
    *figure = shoal_i_snap(shoal_i_sum_value(&sum) / (double)(values - 1), requirement->value);
    return *figure <= requirement->value;
}

static bool is_enough(const shoal_i_requirement *requirement, double share)
{
    double steps = (double)requirement->column->value_count - 1;

    return steps < 1 || shoal_i_t_is_cover(requirement, share, 1 / steps);
}

static shoal_status prepare_ordered(shoal_ctx *ctx, shoal_i_requirement *requirement,
                                    shoal_i_arena *arena)
{
    const shoal_i_sensitive *column = requirement->column;
    size_t values = column->value_count;

    if (!column->is_numeric) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "The ordered distance needs numbers or dates, but column \"%.200s\" "
            "is read as text; give it the type integer, real or date, or use the distance "
            "equal, hierarchical or js.",
            column->name);
    }
    ordered *o = shoal_i_arena_alloc(ctx, arena, 1, sizeof *o);
    uint64_t *below = shoal_i_arena_alloc(ctx, arena, values, sizeof *below);
    uint64_t *sums = shoal_i_arena_alloc(ctx, arena, values + 1, sizeof *sums);

    if (!o || !below || !sums) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < values; i++) {
        below[i] = (i > 0 ? below[i - 1] : 0) + column->totals[i];
        sums[i + 1] = sums[i] + below[i];
    }
    *o = (ordered){.below = below, .below_sums = sums};
    requirement->prepared = o;
    return shoal_i_prepare_cover(ctx, requirement, is_enough);
}

const shoal_i_requirement_kind shoal_i_t_ordered = {
    .key = "t",
    .variant = "ordered",
    .title = "t-closeness by ordered distance",
    .figure = "earth mover's distance to the values of the table, along their order",
    .citation = SHOAL_I_T_CITATION,
    .missing = "Missing sensitive values come behind the largest value in the order.",
    .is_monotone = true,
    .needs_sensitive = true,
    .check = check_ordered,
    .check_value = shoal_i_t_is_value,
    .value_range = SHOAL_I_T_RANGE,
    .prepare = prepare_ordered,
    .smallest_class = shoal_i_smallest_prepared,
    .describe = shoal_i_t_describe,
};

#include "answer.h"

#include <math.h>
#include <string.h>

double shoal_i_answer_value(const shoal_i_answer *answer, shoal_i_aggregate aggregate)
{
    switch (aggregate) {
    case SHOAL_I_SUM:
        return answer->sum;
    case SHOAL_I_AVG:
        return answer->count > 0 ? answer->sum / answer->count : NAN;
    default:
        return answer->count;
    }
}

shoal_status shoal_i_answer_numbers(shoal_ctx *ctx, double **out, const shoal_table *table,
                                    size_t column)
{
    shoal_status st = SHOAL_OK;
    size_t values = shoal_table_value_count(table, column);
    double *numbers = NULL;

    if (shoal_table_type(table, column) != SHOAL_TYPE_STRING) {
        SHOAL_ALLOC(ctx, numbers, values + 1);
        for (uint32_t code = 0; code < values; code++) {
            numbers[code] = shoal_table_number(table, column, code);
        }
    }
    *out = numbers;
done:
    return st;
}

/* --- Building. -------------------------------------------------------------------------- */

void shoal_i_answerer_free(shoal_i_answerer *answerer)
{
    if (!answerer) {
        return;
    }
    for (size_t j = 0; answerer->numbers && j < answerer->spread->published->sensitive_count;
         j++) {
        free(answerer->numbers[j]);
    }
    free(answerer->numbers);
    free(answerer->row_starts);
    free(answerer->rows);
    free(answerer);
}

shoal_status shoal_i_answerer_build(shoal_ctx *ctx, shoal_i_answerer **out,
                                    const shoal_i_spread *spread, const bool *is_sensitive)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_published *published = spread->published;
    const shoal_i_release *release = published->release;
    shoal_i_answerer *answerer = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, answerer, 1);
    answerer->spread = spread;
    answerer->is_sensitive = is_sensitive;
    SHOAL_ALLOC(ctx, answerer->numbers, published->sensitive_count);
    for (size_t j = 0; j < published->sensitive_count; j++) {
        const shoal_i_sensitive *column = &published->sensitive[j];

        if (column->table) {
            SHOAL_TRY(shoal_i_answer_numbers(ctx, &answerer->numbers[j], column->table,
                                             column->column));
        }
    }
    SHOAL_ALLOC(ctx, answerer->row_starts, release->box_count + 1);
    SHOAL_ALLOC(ctx, answerer->rows, release->row_count);
    for (size_t b = 0; b < release->box_count; b++) {
        answerer->row_starts[b + 1] = answerer->row_starts[b] + release->box_sizes[b];
    }
    /* The starts move to the ends while rows are put in their place, and back afterwards. */
    for (size_t row = 0; row < release->row_count; row++) {
        answerer->rows[answerer->row_starts[release->box_of[row]]++] = (uint32_t)row;
    }
    for (size_t b = release->box_count; b > 0; b--) {
        answerer->row_starts[b] = answerer->row_starts[b - 1];
    }
    answerer->row_starts[0] = 0;
    *out = answerer;
    answerer = NULL;
done:
    shoal_i_answerer_free(answerer);
    return st;
}

void shoal_i_answer_scratch_clear(shoal_i_answer_scratch *scratch)
{
    for (size_t c = 0; c < scratch->column_count; c++) {
        if (scratch->found) {
            free(scratch->found[c]);
        }
        if (scratch->shares) {
            free(scratch->shares[c]);
        }
    }
    free(scratch->found);
    free(scratch->found_count);
    free(scratch->shares);
    free(scratch->bucket_shares);
    free(scratch->bucket_sums);
    *scratch = (shoal_i_answer_scratch){0};
}

shoal_status shoal_i_answer_scratch_init(shoal_ctx *ctx, shoal_i_answer_scratch *scratch,
                                         const shoal_i_answerer *answerer)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_spread *spread = answerer->spread;

    *scratch = (shoal_i_answer_scratch){.column_count = spread->column_count};
    SHOAL_ALLOC(ctx, scratch->found, spread->column_count);
    SHOAL_ALLOC(ctx, scratch->found_count, spread->column_count);
    SHOAL_ALLOC(ctx, scratch->shares, spread->column_count);
    for (size_t c = 0; c < spread->column_count; c++) {
        SHOAL_ALLOC(ctx, scratch->found[c], spread->columns[c].interval_count);
        SHOAL_ALLOC(ctx, scratch->shares[c], spread->columns[c].interval_count);
    }
    if (spread->has_parts) {
        SHOAL_ALLOC(ctx, scratch->bucket_shares, spread->group_count);
        SHOAL_ALLOC(ctx, scratch->bucket_sums, spread->group_count);
    }
done:
    if (st != SHOAL_OK) {
        shoal_i_answer_scratch_clear(scratch);
    }
    return st;
}

/* --- Estimates. ------------------------------------------------------------------------- */

/* A query while it is answered. */
typedef struct asking {
    const shoal_i_answerer *answerer;
    const shoal_i_question *question;
    shoal_i_answer_scratch *scratch;
    size_t quasi_count;
    size_t other_count;
    bool asks_others; /* rows must be looked at */
    size_t only;      /* the one other column whose values suffice; other_count: rows do not */
    bool are_parts_enough; /* buckets: only their sensitive values are asked about */
    shoal_i_answer answer;
} asking;

static bool is_summed(const asking *a)
{
    return a->question->aggregate != SHOAL_I_COUNT;
}

/* Whether the columns of a row beside the quasi-identifier are selected; of buckets only those
 * that are the row's own. */
static bool selects_row(const asking *a, size_t row)
{
    const shoal_i_spread *spread = a->answerer->spread;

    for (size_t j = 0; j < a->other_count; j++) {
        const shoal_i_selection *selection = &a->question->selections[a->quasi_count + j];

        if (!selection->is_any && !(spread->has_parts && a->answerer->is_sensitive[j]) &&
            !selection->chosen[spread->published->sensitive[j].codes[row]]) {
            return false;
        }
    }
    return true;
}

/* What a record of a bucket has of the sensitive values that are selected, and adds to their
 * sum; columns are taken as independent within the bucket. */
static void weigh_bucket(const asking *a, uint32_t bucket)
{
    const shoal_i_spread *spread = a->answerer->spread;
    double size = spread->group_sizes[bucket];
    double share = 1;
    double sum = 1;

    for (size_t j = 0; j < a->other_count; j++) {
        const shoal_i_selection *selection = &a->question->selections[a->quasi_count + j];
        const shoal_i_spread_values *values = &spread->values[j];
        bool is_target = is_summed(a) && a->question->target == a->quasi_count + j;
        double selected = 0;
        double added = 0;

        if (!a->answerer->is_sensitive[j] || (selection->is_any && !is_target)) {
            continue;
        }
        for (uint32_t at = values->starts[bucket]; at < values->starts[bucket + 1]; at++) {
            uint32_t code = values->codes[at];

            if (selection->is_any || selection->chosen[code]) {
                selected += values->counts[at];
                added += is_target ? a->answerer->numbers[j][code] * values->counts[at] : 0;
            }
        }
        share *= selected / size;
        sum *= (is_target ? added : selected) / size;
    }
    a->scratch->bucket_shares[bucket] = share;
    a->scratch->bucket_sums[bucket] = sum;
}

/* Rows of a box by the buckets that they are in. */
static double count_parts(const asking *a, uint32_t box)
{
    const shoal_i_spread *spread = a->answerer->spread;
    const double *shares = a->scratch->bucket_shares;
    double count = 0;

    for (uint32_t at = spread->part_starts[box]; at < spread->part_starts[box + 1]; at++) {
        if (shares[spread->parts[at].group] < 0) {
            weigh_bucket(a, spread->parts[at].group);
        }
        count += spread->parts[at].count * shares[spread->parts[at].group];
    }
    return count;
}

/* A number that a row adds: its own, or that of the bucket's values. */
static double find_number(const asking *a, size_t row, double bucket_share, double bucket_sum)
{
    size_t j = a->question->target - a->quasi_count;
    const shoal_i_spread *spread = a->answerer->spread;

    if (spread->has_parts && a->answerer->is_sensitive[j]) {
        return bucket_sum;
    }
    return bucket_share * a->answerer->numbers[j][spread->published->sensitive[j].codes[row]];
}

/* Rows of a box whose value in the one other column that is asked about is selected. */
static double count_rows(const asking *a, uint32_t box)
{
    const shoal_i_spread_values *values = &a->answerer->spread->values[a->only];
    const bool *chosen = a->question->selections[a->quasi_count + a->only].chosen;
    uint32_t count = 0;

    for (uint32_t at = values->starts[box]; at < values->starts[box + 1]; at++) {
        count += chosen[values->codes[at]] ? values->counts[at] : 0;
    }
    return count;
}

/* Rows of a box: how many are selected, and the sum of another column over them. */
static void add_rows(asking *a, uint32_t box, double *count, double *sum)
{
    const shoal_i_answerer *answerer = a->answerer;
    const shoal_i_release *release = answerer->spread->published->release;
    bool is_other = is_summed(a) && a->question->target >= a->quasi_count;

    for (uint32_t at = answerer->row_starts[box]; at < answerer->row_starts[box + 1]; at++) {
        size_t row = answerer->rows[at];
        double share = 1;
        double bucket_sum = 0;

        if (!selects_row(a, row)) {
            continue;
        }
        if (answerer->spread->has_parts) {
            uint32_t bucket = release->bucket_of[row];

            if (a->scratch->bucket_shares[bucket] < 0) {
                weigh_bucket(a, bucket);
            }
            share = a->scratch->bucket_shares[bucket];
            bucket_sum = a->scratch->bucket_sums[bucket];
        }
        *count += share;
        *sum += is_other ? find_number(a, row, share, bucket_sum) : 0;
    }
}

/* What a record of a box adds to the sum of a quasi column, beside what other columns
 * select. */
static double find_moment(const asking *a, uint32_t box)
{
    const shoal_i_spread_column *column = &a->answerer->spread->columns[a->question->target];
    const shoal_i_selection *selection = &a->question->selections[a->question->target];
    shoal_i_segment place = column->places[column->interval_of[box]];

    return selection->is_any ? shoal_i_axis_moment(&column->axis, place, &place, 1)
                             : shoal_i_axis_moment(&column->axis, place, selection->segments,
                                                   selection->segment_count);
}

/* Add a box of which the columns but the summed one select `rest`, and all select `share`. */
static void add_box(asking *a, uint32_t box, double share, double rest)
{
    double count = 0;
    double sum = 0;

    if (a->only < a->other_count) {
        count = count_rows(a, box);
    } else if (a->are_parts_enough) {
        count = count_parts(a, box);
    } else if (a->asks_others) {
        add_rows(a, box, &count, &sum);
    } else {
        count = a->answerer->spread->published->release->box_sizes[box];
    }
    a->answer.count += share * count;
    if (is_summed(a)) {
        a->answer.sum += a->question->target < a->quasi_count
                             ? rest * count * find_moment(a, box)
                             : share * sum;
    }
}

/* Hold the boxes of one column's touched intervals against the other columns. */
static void follow(asking *a, size_t best)
{
    const shoal_i_spread *spread = a->answerer->spread;
    const shoal_i_spread_column *column = &spread->columns[best];
    size_t summed = is_summed(a) ? a->question->target : SIZE_MAX;

    for (size_t i = 0; i < a->scratch->found_count[best]; i++) {
        const shoal_i_touch *interval = &a->scratch->found[best][i];
        uint32_t end = column->starts[interval->box + 1];

        for (uint32_t at = column->starts[interval->box]; at < end; at++) {
            uint32_t box = column->lists[at];
            double share = interval->share;
            double rest = best == summed ? 1 : share;

            for (size_t c = 0; c < spread->column_count && share > 0; c++) {
                if (c != best && !a->question->selections[c].is_any) {
                    double part = a->scratch->shares[c][spread->columns[c].interval_of[box]];

                    share *= part;
                    rest *= c == summed ? 1 : part;
                }
            }
            if (share > 0) {
                add_box(a, box, share, rest);
            }
        }
    }
}

/* Find the intervals that each column's predicate touches; returns the column whose intervals
 * have fewest boxes, column_count when none is asked about. */
static size_t find_intervals(asking *a)
{
    const shoal_i_spread *spread = a->answerer->spread;
    size_t best = spread->column_count;
    size_t fewest = SIZE_MAX;

    for (size_t c = 0; c < spread->column_count; c++) {
        const shoal_i_selection *selection = &a->question->selections[c];
        const shoal_i_spread_column *column = &spread->columns[c];
        size_t boxes = 0;

        if (selection->is_any) {
            continue;
        }
        size_t count = shoal_i_spread_find(column, selection->segments,
                                           selection->segment_count, a->scratch->found[c]);

        a->scratch->found_count[c] = count;
        for (size_t i = 0; i < count; i++) {
            const shoal_i_touch *interval = &a->scratch->found[c][i];

            boxes += column->starts[interval->box + 1] - column->starts[interval->box];
            a->scratch->shares[c][interval->box] = interval->share;
        }
        if (boxes < fewest) {
            fewest = boxes;
            best = c;
        }
    }
    return best;
}

static void forget_intervals(asking *a)
{
    for (size_t c = 0; c < a->quasi_count; c++) {
        for (size_t i = 0; !a->question->selections[c].is_any && i < a->scratch->found_count[c];
             i++) {
            a->scratch->shares[c][a->scratch->found[c][i].box] = 0;
        }
    }
}

/* Which columns beside the quasi-identifier are asked about, and how. */
static void find_others(asking *a)
{
    size_t asked = 0;
    bool are_sensitive = true;
    bool adds_other = is_summed(a) && a->question->target >= a->quasi_count;

    a->only = a->other_count;
    for (size_t j = 0; j < a->other_count; j++) {
        if (!a->question->selections[a->quasi_count + j].is_any) {
            asked++;
            a->only = j;
            are_sensitive =
                are_sensitive && a->answerer->spread->has_parts && a->answerer->is_sensitive[j];
        }
    }
    a->asks_others = adds_other || asked > 0;
    a->are_parts_enough =
        a->answerer->spread->has_parts && asked > 0 && are_sensitive && !adds_other;
    if (adds_other || asked != 1 || a->answerer->spread->has_parts) {
        a->only = a->other_count;
    }
}

shoal_i_answer shoal_i_answer_estimate(const shoal_i_answerer *answerer,
                                       const shoal_i_question *question,
                                       shoal_i_answer_scratch *scratch)
{
    const shoal_i_spread *spread = answerer->spread;
    asking a = {.answerer = answerer,
                .question = question,
                .scratch = scratch,
                .quasi_count = spread->column_count,
                .other_count = spread->published->sensitive_count};

    find_others(&a);
    for (size_t g = 0; spread->has_parts && a.asks_others && g < spread->group_count; g++) {
        scratch->bucket_shares[g] = -1;
    }
    size_t best = find_intervals(&a);

    if (best < spread->column_count) {
        follow(&a, best);
        forget_intervals(&a);
    } else {
        for (size_t b = 0; b < spread->published->release->box_count; b++) {
            add_box(&a, (uint32_t)b, 1, 1);
        }
    }
    return a.answer;
}

#include "workload.h"

#include "../../base/pool.h"
#include "../../base/random.h"
#include "../../base/sort.h"

#include <math.h>
#include <string.h>

#define QUERIES_PER_TASK 32

const double shoal_i_error_quantiles[5] = {0.05, 0.25, 0.75, 0.95, 1};

/* --- Questions. ------------------------------------------------------------------------- */

static size_t count_columns(const shoal_i_spread *spread)
{
    return spread->column_count + spread->published->sensitive_count;
}

static size_t count_values(const shoal_i_spread *spread, size_t column)
{
    return column < spread->column_count
               ? spread->columns[column].axis.count
               : spread->published->sensitive[column - spread->column_count].value_count;
}

void shoal_i_question_clear(shoal_i_question *question, const shoal_i_spread *spread)
{
    for (size_t c = 0; question->selections && c < count_columns(spread); c++) {
        free(question->selections[c].segments);
        free(question->selections[c].chosen);
    }
    free(question->selections);
    *question = (shoal_i_question){0};
}

shoal_status shoal_i_question_init(shoal_ctx *ctx, shoal_i_question *out,
                                   const shoal_i_spread *spread)
{
    shoal_status st = SHOAL_OK;

    *out = (shoal_i_question){0};
    SHOAL_ALLOC(ctx, out->selections, count_columns(spread));
    for (size_t c = 0; c < count_columns(spread); c++) {
        shoal_i_selection *selection = &out->selections[c];

        selection->is_any = true;
        SHOAL_ALLOC(ctx, selection->chosen, count_values(spread, c));
        if (c < spread->column_count) {
            SHOAL_ALLOC(ctx, selection->segments, count_values(spread, c));
        }
    }
done:
    return st;
}

/* --- Random predicates. ----------------------------------------------------------------- */

/* Select a run of codes of a quasi column. */
static void select_run(shoal_i_selection *selection, const shoal_i_axis *axis, uint32_t first,
                       uint32_t last)
{
    selection->is_any = false;
    selection->segment_count = 1;
    selection->segments[0] = (shoal_i_segment){axis->starts[first], axis->ends[last]};
    memset(selection->chosen, 0, axis->count);
    memset(selection->chosen + first, 1, last - first + 1);
}

/* Of numbers a range; of categories a value or a group. */
static void draw_xu(shoal_i_selection *selection, const shoal_i_spread *spread, size_t c,
                    shoal_i_random *random)
{
    const shoal_i_quasi_column *column = &spread->published->release->quasi->columns[c];
    const shoal_i_axis *axis = &spread->columns[c].axis;
    const shoal_hierarchy *hierarchy = column->hierarchy;

    if (!hierarchy) {
        uint32_t a = (uint32_t)shoal_i_random_below(random, axis->count);
        uint32_t b = (uint32_t)shoal_i_random_below(random, axis->count);

        select_run(selection, axis, a < b ? a : b, a < b ? b : a);
        return;
    }
    size_t nodes = shoal_hierarchy_node_count(hierarchy);
    size_t leaves = shoal_hierarchy_leaf_count(hierarchy);
    bool is_leaf = nodes == leaves || shoal_i_random_below(random, 2) == 0;
    uint32_t node = 0;

    if (is_leaf) {
        node = shoal_hierarchy_leaf_node(hierarchy,
                                         (uint32_t)shoal_i_random_below(random, leaves));
    } else {
        do { /* groups are at least a few of the nodes; values are skipped */
            node = (uint32_t)shoal_i_random_below(random, nodes);
        } while (shoal_hierarchy_child_count(hierarchy, node) == 0);
    }
    select_run(selection, axis, shoal_hierarchy_first(hierarchy, node),
               shoal_hierarchy_last(hierarchy, node));
}

/* So many of the codes, every set as likely as any other. */
static void choose_codes(bool *chosen, size_t count, size_t wanted, shoal_i_random *random)
{
    for (size_t code = 0; code < count; code++) {
        chosen[code] = shoal_i_random_below(random, count - code) < wanted;
        wanted -= chosen[code];
    }
}

/* The segments of the chosen codes of a quasi column, neighbours as one. */
static void join_segments(shoal_i_selection *selection, const shoal_i_axis *axis)
{
    selection->segment_count = 0;
    for (uint32_t code = 0; code < axis->count; code++) {
        shoal_i_segment *last = &selection->segments[selection->segment_count - 1];
        shoal_i_segment next = axis->is_whole
                                   ? (shoal_i_segment){axis->starts[code], axis->ends[code]}
                                   : shoal_i_axis_cover(axis, code, code);

        if (!selection->chosen[code]) {
            continue;
        }
        if (selection->segment_count > 0 && last->to == next.from) {
            last->to = next.to;
        } else {
            selection->segments[selection->segment_count++] = next;
        }
    }
}

static void draw_set(shoal_i_selection *selection, const shoal_i_spread *spread, size_t column,
                     double share, shoal_i_random *random)
{
    size_t values = count_values(spread, column);
    double wanted = ceil((double)values * share);

    selection->is_any = false;
    choose_codes(selection->chosen, values, wanted < 1 ? 1 : (size_t)wanted, random);
    if (column < spread->column_count) {
        join_segments(selection, &spread->columns[column].axis);
    }
}

/* --- Queries. --------------------------------------------------------------------------- */

typedef struct workload_job {
    const shoal_i_workload *workload;
    const shoal_i_answerer *answerer;
    const shoal_i_truth *exact;
    double *errors; /* of each query; NaN: dropped */
} workload_job;

static void draw_lili(shoal_i_question *question, const workload_job *job, bool *is_drawn,
                      shoal_i_random *random)
{
    const shoal_i_workload *workload = job->workload;
    const shoal_i_spread *spread = job->answerer->spread;
    double share = pow(workload->selectivity, 1 / ((double)workload->dimensions + 1));
    size_t j = workload->sensitive[shoal_i_random_below(random, workload->sensitive_count)];

    choose_codes(is_drawn, workload->column_count, workload->dimensions, random);
    for (size_t i = 0; i < workload->column_count; i++) {
        if (is_drawn[i]) {
            draw_set(&question->selections[workload->columns[i]], spread, workload->columns[i],
                     share, random);
        }
    }
    draw_set(&question->selections[spread->column_count + j], spread, spread->column_count + j,
             share, random);
}

static void draw_question(shoal_i_question *question, const workload_job *job, bool *is_drawn,
                          size_t i)
{
    const shoal_i_workload *workload = job->workload;
    const shoal_i_spread *spread = job->answerer->spread;
    shoal_i_random random =
        shoal_i_random_start(shoal_i_random_key(workload->seed, (uint64_t)i));

    for (size_t c = 0; c < count_columns(spread); c++) {
        question->selections[c].is_any = true;
    }
    question->aggregate =
        workload->kind == SHOAL_I_WORKLOAD_XU_SUM ? SHOAL_I_SUM : SHOAL_I_COUNT;
    question->target = workload->target;
    if (workload->kind == SHOAL_I_WORKLOAD_LILI) {
        draw_lili(question, job, is_drawn, &random);
        return;
    }
    for (size_t k = 0; k < workload->column_count; k++) {
        size_t c = workload->columns[k];

        if (workload->kind == SHOAL_I_WORKLOAD_XU_COUNT || c != workload->target) {
            draw_xu(&question->selections[c], spread, c, &random);
        }
    }
}

static shoal_status ask_block(shoal_ctx *ctx, void *payload, size_t block)
{
    shoal_status st = SHOAL_OK;
    const workload_job *job = payload;
    const shoal_i_spread *spread = job->answerer->spread;
    size_t end = (block + 1) * QUERIES_PER_TASK;
    shoal_i_question question = {0};
    shoal_i_answer_scratch scratch = {0};
    bool *is_drawn = NULL;
    uint64_t *bits = NULL;

    end = end < job->workload->query_count ? end : job->workload->query_count;
    SHOAL_TRY(shoal_i_question_init(ctx, &question, spread));
    SHOAL_TRY(shoal_i_answer_scratch_init(ctx, &scratch, job->answerer));
    SHOAL_ALLOC(ctx, is_drawn, job->workload->column_count);
    SHOAL_ALLOC(ctx, bits, 2 * job->exact->word_count);
    for (size_t i = block * QUERIES_PER_TASK; i < end; i++) {
        draw_question(&question, job, is_drawn, i);

        shoal_i_answer exact = shoal_i_answer_exact(job->exact, &question, bits);
        double truth = shoal_i_answer_value(&exact, question.aggregate);

        job->errors[i] = NAN;
        if (truth != 0) {
            shoal_i_answer found = shoal_i_answer_estimate(job->answerer, &question, &scratch);

            job->errors[i] =
                fabs(shoal_i_answer_value(&found, question.aggregate) - truth) / fabs(truth);
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
done:
    free(is_drawn);
    free(bits);
    shoal_i_answer_scratch_clear(&scratch);
    shoal_i_question_clear(&question, spread);
    return st;
}

/* --- Errors. ---------------------------------------------------------------------------- */

/* The smallest of the sorted errors that a share of them does not exceed. */
static double find_quantile(const double *errors, size_t count, double share)
{
    size_t rank = (size_t)ceil(share * (double)count);

    return errors[rank > 0 ? rank - 1 : 0];
}

static void sum_up(shoal_i_errors *out, double *errors, size_t count)
{
    size_t kept = 0;
    double sum = 0;

    *out = (shoal_i_errors){.query_count = count, .mean = NAN, .median = NAN};
    for (size_t i = 0; i < count; i++) {
        if (!isnan(errors[i])) {
            sum += errors[i];
            errors[kept++] = errors[i];
        }
    }
    out->dropped = count - kept;
    qsort(errors, kept, sizeof *errors, shoal_i_compare_double);
    if (kept > 0) {
        out->mean = sum / (double)kept;
        out->median = find_quantile(errors, kept, 0.5);
    }
    for (size_t q = 0; q < 5; q++) {
        out->quantiles[q] =
            kept > 0 ? find_quantile(errors, kept, shoal_i_error_quantiles[q]) : NAN;
    }
}

shoal_status shoal_i_workload_run(shoal_ctx *ctx, shoal_i_errors *out,
                                  const shoal_i_workload *workload,
                                  const shoal_i_answerer *answerer, const shoal_i_truth *exact)
{
    shoal_status st = SHOAL_OK;
    workload_job job = {.workload = workload, .answerer = answerer, .exact = exact};

    SHOAL_ALLOC(ctx, job.errors, workload->query_count);
    SHOAL_TRY(shoal_i_parallel_for(
        ctx, (workload->query_count + QUERIES_PER_TASK - 1) / QUERIES_PER_TASK, ask_block,
        &job));
    sum_up(out, job.errors, workload->query_count);
done:
    free(job.errors);
    return st;
}

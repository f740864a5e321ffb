/* Incognito: the best full-domain generalization, exactly.
 *
 * K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Incognito: efficient full-domain k-anonymity",
 * SIGMOD 2005, doi:10.1145/1066157.1066164; for other requirements than k as in R. C.-W. Wong,
 * J. Li, A. W.-C. Fu, K. Wang, "(alpha, k)-anonymity", KDD 2006, doi:10.1145/1150402.1150499,
 * section 3 (eIncognito).
 *
 * Every column gets one level, the same for all records. The lattice of all combinations is
 * searched as follows; "holds" means that every class of a node meets the requirement:
 *
 *   a-priori    a node over some of the columns holds if one over more of them does, at the
 *               same levels: so columns are taken one by one, in pairs, ..., and only what
 *               holds without each single column is looked at
 *   roll-up     within a set of columns, from low levels to high; the classes of a node are
 *               added up from those of one just below it (incognito_counts.h)
 *   marking     what lies above a node that holds also holds, and is not looked at; it loses
 *               more
 *
 * All three need a requirement that merging classes keeps. For others, and whenever records may
 * be suppressed (a class that holds may stop to do so when one that does not joins it), a
 * weaker condition takes its place, which merging keeps always: at most as many records as may
 * be suppressed lie in classes smaller than any that can hold. It is tried on single columns
 * only; then all combinations of levels that pass are judged in full.
 *
 * Where there is nothing just below a node, its classes are added up from those of its columns
 * alone at their lowest levels that can hold; these are projected from each other beforehand,
 * from all columns down to two (LeFevre and others call that Cube Incognito).
 *
 * Nodes with equally many columns and equally high sums of levels do not depend on each other
 * and are judged in parallel.
 */

#include "incognito.h"

#include "incognito_search.h"

#include "../../base/buffer.h"

#include <math.h>
#include <string.h>

enum { OPTION_OBJECTIVE, OPTION_SUPPRESS, OPTION_LIST };

static shoal_status log_node(shoal_ctx *ctx, const shoal_i_search *s, size_t number)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer text;
    char *line = NULL;

    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    for (size_t c = 0; c < s->levels.count; c++) {
        shoal_i_buffer_printf(&text, "%s%.200s %d", c > 0 ? ", " : "",
                              s->levels.quasi->columns[c].name,
                              shoal_i_search_digit(s, number, c) - 1);
    }
    SHOAL_TRY(shoal_i_buffer_take(&line, &text));
    shoal_i_log(ctx, SHOAL_LOG_INFO, "minimal: %s", line);
done:
    free(line);
    return st;
}

static shoal_status log_minimal(shoal_ctx *ctx, const shoal_i_search *s)
{
    shoal_status st = SHOAL_OK;

    for (size_t number = 0; number < s->node_count; number++) {
        if ((s->facts[number] & (SHOAL_I_NODE_ACCEPTED | SHOAL_I_NODE_ABOVE)) ==
            SHOAL_I_NODE_ACCEPTED) {
            SHOAL_TRY(log_node(ctx, s, number));
        }
    }
done:
    return st;
}

static shoal_status make_release(shoal_ctx *ctx, shoal_i_release **out, shoal_i_search *s)
{
    shoal_status st = SHOAL_OK;
    size_t rows = s->problem->row_count;
    size_t width = s->levels.count;
    size_t cells = 0;
    shoal_i_counts records = {0};
    shoal_i_roller roller = {0};
    shoal_i_interval *boxes = NULL;
    uint8_t *nodes = NULL;

    SHOAL_ALLOC(ctx, nodes, 2 * width);
    memset(nodes + width, 1, width);
    shoal_i_search_read(s, s->best, nodes);
    SHOAL_TRY(shoal_i_counts_load(ctx, &records, s->problem, &s->levels));
    SHOAL_TRY(shoal_i_roller_init(ctx, &roller, s->problem, &s->levels, rows,
                                  rows * records.active_count));
    shoal_i_roll_up(&roller, &records, nodes + width, nodes, SHOAL_I_JUDGE_ALL);
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, roller.made.class_count, width));
    SHOAL_ALLOC(ctx, boxes, cells);
    for (size_t i = 0; i < cells; i++) {
        size_t e = i / width;
        const shoal_i_level_column *column = &s->levels.columns[i % width];
        uint32_t code = shoal_i_level_code(column, roller.made.keys + e * s->levels.word_count);

        boxes[i] = roller.holds[e] ? shoal_i_level_interval(column, nodes[i % width], code)
                                   : shoal_i_quasi_all(&s->levels.quasi->columns[i % width]);
    }
    SHOAL_TRY(shoal_i_release_from_numbered(ctx, out, s->levels.quasi, boxes,
                                            roller.made.class_count, roller.class_of, rows));
done:
    shoal_i_counts_clear(&records);
    shoal_i_roller_clear(&roller);
    free(boxes);
    free(nodes);
    return st;
}

/* Records that may be suppressed. A share such as 0.1 is a little more than a tenth, or a
 * little less. */
static uint64_t count_allowed(const shoal_i_problem *problem, double share)
{
    return (uint64_t)floor(share * (double)problem->row_count * (1 + 1e-12));
}

/* Nodes over all sets of columns. */
static double count_nodes(const shoal_i_quasi *quasi)
{
    double nodes = 1;

    for (size_t c = 0; c < quasi->count; c++) {
        nodes *= (double)shoal_i_levels_count(&quasi->columns[c]) + 1;
    }
    return nodes;
}

shoal_status shoal_i_incognito_within(shoal_ctx *ctx, shoal_i_release **out,
                                      const shoal_i_problem *problem, double steps)
{
    shoal_status st = SHOAL_OK;
    shoal_i_search s = {0};

    *out = NULL;
    if (shoal_i_requirement_needs_population(problem->requirements) ||
        count_nodes(problem->quasi) > steps) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_search_init(ctx, &s, problem, SHOAL_I_OBJECTIVE_GCP,
                                  count_allowed(problem, problem->suppress)));
    s.steps_most = steps;
    SHOAL_TRY(shoal_i_search_run(ctx, &s));
    if (!shoal_i_search_gave_up(&s)) {
        SHOAL_TRY(make_release(ctx, out, &s));
    }
done:
    shoal_i_search_clear(&s);
    return st;
}

static shoal_status run_incognito(shoal_ctx *ctx, shoal_i_release **out,
                                  const shoal_i_problem *problem,
                                  const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    double share = fmax(settings->values[OPTION_SUPPRESS], problem->suppress);
    shoal_i_objective objective = (shoal_i_objective)settings->values[OPTION_OBJECTIVE];
    shoal_i_search s = {0};

    *out = NULL;
    SHOAL_TRY(shoal_i_search_init(ctx, &s, problem, objective, count_allowed(problem, share)));
    SHOAL_TRY(shoal_i_search_run(ctx, &s));
    shoal_i_log(ctx, SHOAL_LOG_DEBUG,
                "%zu of %zu combinations of columns and levels were judged.", s.judged,
                s.node_count - 1);
    if (settings->values[OPTION_LIST] != 0) {
        SHOAL_TRY(log_minimal(ctx, &s));
    }
    /* The node of all roots is the whole table as one class, which holds. */
    SHOAL_TRY(make_release(ctx, out, &s));
done:
    shoal_i_search_clear(&s);
    return st;
}

static const char *const objectives[] = {
    [SHOAL_I_OBJECTIVE_DISTORTION] = "distortion", [SHOAL_I_OBJECTIVE_GCP] = "gcp", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};

static const shoal_i_method_option options[] = {
    [OPTION_OBJECTIVE] = {.name = "objective",
                          .help = "what is least: distortion, the sum of heights; or gcp",
                          .words = objectives},
    [OPTION_SUPPRESS] = {.name = "suppress",
                         .help = "share of the records that may be released as * altogether",
                         .least = 0,
                         .most = 1},
    [OPTION_LIST] = {.name = "list",
                     .help = "yes: tell all minimal combinations of levels that hold",
                     .words = no_yes},
    {.name = NULL},
};

const shoal_i_method shoal_i_incognito = {
    .name = "incognito",
    .summary = "the best release with one level per column; exact, for few columns",
    .citation = "LeFevre, DeWitt and Ramakrishnan, SIGMOD 2005, doi:10.1145/1066157.1066164",
    .cost = "the lattice of levels, pruned; O(classes) per node",
    .options = options,
    .refuse = shoal_i_refuse_population,
    .is_full_domain = true,
    .run = run_incognito,
};

#include "blind.h"

#include "../../base/fail.h"
#include "../../base/random.h"
#include "../../base/sort.h"
#include "../../release/buckets.h"
#include "sibling_tree.h"

#include <math.h>
#include <string.h>

#define STREAM_SHUFFLED 79 /* below the seed of the problem */
#define STREAM_DRAWN 80

/* Sizes of the method's classes that are tried at most, and how many in a row may be in vain:
 * the loss goes up and down with how well a size divides by l. */
#define TRIALS_MAX 10
#define TRIALS_IN_VAIN 3

/* Nodes are mixed from the size on of which so many random sets all held, times a factor, as
 * people near each other are more alike than random ones. */
#define DRAWS 256
#define LARGER 4

/* What is tried and decided. */
typedef struct judging {
    const shoal_i_problem *problem;
    shoal_i_requirement_set known;  /* that do not read sensitive values; k of the trial last */
    shoal_i_requirement_set hidden; /* those that do */
    uint32_t *record_k;             /* NULL: none is read */
    shoal_i_tally tally;
    uint32_t *sorted;   /* records by their sensitive values */
    uint32_t *shuffled; /* whose values a record has in a trial */
    size_t least;       /* size of the first trial */
    size_t mixed;       /* sibling_tree.h */
} judging;

static void judging_clear(judging *j)
{
    shoal_i_requirement_set_clear(&j->known);
    shoal_i_requirement_set_clear(&j->hidden);
    shoal_i_tally_clear(&j->tally);
    free(j->record_k);
    free(j->sorted);
    free(j->shuffled);
}

/* --- What is asked for, apart. ------------------------------------------------------------ */

static shoal_status split_requirements(shoal_ctx *ctx, judging *j)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_requirement_set *set = j->problem->requirements;

    j->hidden.joined_count = set->joined_count;
    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement *item = &set->items[i];

        SHOAL_TRY(shoal_i_requirement_add_item(
            ctx, item->kind->needs_sensitive ? &j->hidden : &j->known, item));
    }
done:
    return st;
}

/* The k of the records, back from its codes. */
static shoal_status find_record_k(shoal_ctx *ctx, judging *j)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_tally_source *source = j->problem->source;

    if (!source->ks) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, j->record_k, source->row_count);
    for (size_t i = 0; i < source->active_count; i++) {
        for (size_t row = 0;
             source->active[i].column == source->column_count && row < source->row_count;
             row++) {
            j->record_k[row] = source->ks[source->active[i].codes[row]];
        }
    }
done:
    return st;
}

static void load_values(const void *payload, size_t word, shoal_i_sort_item *items,
                        size_t count)
{
    const shoal_i_tally_source *source = payload;
    const struct shoal_i_tally_input *input = &source->active[word];
    bool is_value = input->column != source->column_count;

    for (size_t i = 0; i < count; i++) {
        items[i].key = is_value ? input->codes[items[i].item] : 0;
    }
}

/* Put the records into the order of their sensitive values: what is drawn from that depends on
 * how many there are of each, not on who has them. */
static shoal_status sort_values(shoal_ctx *ctx, judging *j)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_tally_source *source = j->problem->source;
    uint32_t all[2] = {0, (uint32_t)source->row_count};

    SHOAL_ALLOC(ctx, j->sorted, source->row_count);
    SHOAL_ALLOC(ctx, j->shuffled, source->row_count);
    for (size_t i = 0; i < source->row_count; i++) {
        j->sorted[i] = (uint32_t)i;
    }
    SHOAL_TRY(
        shoal_i_sort_runs(ctx, j->sorted, all, 1, source->active_count, load_values, source));
done:
    return st;
}

/* Shuffle the first `count` places of the sorted values anew. */
static void shuffle(judging *j, shoal_i_random *random, size_t count)
{
    size_t rows = j->problem->row_count;

    memcpy(j->shuffled, j->sorted, rows * sizeof *j->shuffled);
    for (size_t i = 0; i < count && i + 1 < rows; i++) {
        size_t k = i + (size_t)shoal_i_random_below(random, rows - i);
        uint32_t record = j->shuffled[i];

        j->shuffled[i] = j->shuffled[k];
        j->shuffled[k] = record;
    }
}

/* Whether all of so many random sets of `size` records hold. */
static bool holds_when_drawn(judging *j, size_t size)
{
    uint64_t key = shoal_i_random_key(j->problem->seed, STREAM_DRAWN);
    shoal_i_random random = shoal_i_random_start(shoal_i_random_key(key, size));
    bool holds = true;

    for (size_t draw = 0; holds && draw < DRAWS; draw++) {
        shuffle(j, &random, size);
        shoal_i_tally_empty(&j->tally);
        shoal_i_tally_add_list(&j->tally, j->shuffled, size);
        holds = shoal_i_requirement_holds(&j->hidden, &j->tally.stats);
    }
    return holds;
}

static shoal_status judging_init(shoal_ctx *ctx, judging *j)
{
    shoal_status st = SHOAL_OK;
    size_t rows = j->problem->row_count;

    SHOAL_TRY(split_requirements(ctx, j));
    SHOAL_TRY(find_record_k(ctx, j));
    SHOAL_TRY(shoal_i_tally_init(ctx, &j->tally, j->problem->source));
    SHOAL_TRY(sort_values(ctx, j));
    j->least = (size_t)shoal_i_requirement_smallest_class(j->problem->requirements);
    size_t size = j->least;

    while (size < rows && !holds_when_drawn(j, size)) {
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
        size *= 2;
    }
    j->mixed = size < rows / LARGER ? LARGER * size : rows;
done:
    return st;
}

/* --- Decisions. --------------------------------------------------------------------------- */

static bool is_holding(judging *j, const shoal_i_sibling_tree *tree, uint32_t node,
                       const uint32_t *value_of)
{
    shoal_i_span span = tree->nodes[node].span;

    shoal_i_tally_empty(&j->tally);
    for (size_t i = span.first; i < shoal_i_span_end(span); i++) {
        uint32_t record = tree->order[i];

        shoal_i_tally_add(&j->tally, value_of ? value_of[record] : record);
    }
    return shoal_i_requirement_holds(&j->hidden, &j->tally.stats);
}

static bool are_holding(judging *j, const shoal_i_sibling_tree *tree,
                        const shoal_i_sibling_node *node, const uint32_t *value_of)
{
    bool holds = node->child_count > 0;

    for (size_t i = 0; holds && i < node->child_count; i++) {
        holds = is_holding(j, tree, node->children[i], value_of);
    }
    return holds;
}

/* The classes: those below a node, from its first record to its last. */
static void divide(judging *j, const shoal_i_sibling_tree *tree, uint32_t number,
                   const uint32_t *value_of, uint32_t *starts, size_t *count)
{
    const shoal_i_sibling_node *node = &tree->nodes[number];

    if (!are_holding(j, tree, node, value_of)) {
        starts[(*count)++] = (uint32_t)node->span.first;
        return;
    }
    for (size_t i = 0; i < node->child_count; i++) {
        divide(j, tree, node->children[i], value_of, starts, count);
    }
}

/* The release of a tree; *out stays NULL when a root does not hold. value_of: the record whose
 * values each has; NULL: its own. */
static shoal_status judge(shoal_ctx *ctx, shoal_i_release **out, judging *j,
                          const shoal_i_sibling_tree *tree, const uint32_t *value_of)
{
    shoal_status st = SHOAL_OK;
    uint32_t *starts = NULL;
    size_t count = 0;
    bool holds = true;

    SHOAL_ALLOC(ctx, starts, j->problem->row_count + 1);
    for (size_t i = 0; holds && i < tree->root_count; i++) {
        holds = is_holding(j, tree, tree->roots[i], value_of);
    }
    if (!holds) {
        goto done;
    }
    for (size_t i = 0; i < tree->root_count; i++) {
        divide(j, tree, tree->roots[i], value_of, starts, &count);
    }
    starts[count] = (uint32_t)j->problem->row_count;
    SHOAL_TRY(
        shoal_i_release_from_groups(ctx, out, j->problem->quasi, tree->order, starts, count));
done:
    free(starts);
    return st;
}

/* --- Trials. ------------------------------------------------------------------------------ */

/* The method's classes of at least `size` records as a tree. */
static shoal_status grow(shoal_ctx *ctx, shoal_i_sibling_tree *out, const judging *j,
                         const shoal_i_method *method, const shoal_i_method_settings *settings,
                         size_t size)
{
    shoal_status st = SHOAL_OK;
    shoal_i_problem problem = *j->problem;
    shoal_i_requirement_set known = {0};
    shoal_i_tally_source source = {0};
    shoal_i_release *classes = NULL;

    for (size_t i = 0; i < j->known.count; i++) {
        SHOAL_TRY(shoal_i_requirement_add_item(ctx, &known, &j->known.items[i]));
    }
    SHOAL_TRY(shoal_i_requirement_add(ctx, &known, &shoal_i_k_anonymity, (double)size));
    SHOAL_TRY(shoal_i_tally_source_init(ctx, &source, &known, NULL, 0, j->record_k,
                                        problem.row_count));
    problem.requirements = &known;
    problem.source = &source;
    problem.suppress = 0;
    problem.seconds = problem.seconds / TRIALS_MAX;
    SHOAL_TRY(method->run(ctx, &classes, &problem, settings));
    SHOAL_TRY(shoal_i_sibling_tree_build(ctx, out, classes, size, j->mixed, problem.seed));
done:
    shoal_i_release_free(classes);
    shoal_i_tally_source_clear(&source);
    shoal_i_requirement_set_clear(&known);
    return st;
}

/* What a tree loses where values are shuffled; infinity when a root does not hold. */
static shoal_status try_shuffled(shoal_ctx *ctx, double *loss, judging *j,
                                 const shoal_i_sibling_tree *tree)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *trial = NULL;
    shoal_i_random random =
        shoal_i_random_start(shoal_i_random_key(j->problem->seed, STREAM_SHUFFLED));

    shuffle(j, &random, j->problem->row_count);
    SHOAL_TRY(judge(ctx, &trial, j, tree, j->shuffled));
    *loss = trial ? shoal_i_release_ncp(trial) : INFINITY;
done:
    shoal_i_release_free(trial);
    return st;
}

/* The tree that loses least. */
static shoal_status find_tree(shoal_ctx *ctx, shoal_i_sibling_tree *out, judging *j,
                              const shoal_i_method *method,
                              const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sibling_tree tree = {0};
    double least = INFINITY;
    size_t in_vain = 0;
    size_t size = j->least;

    for (size_t i = 0; i < TRIALS_MAX && in_vain < TRIALS_IN_VAIN; i++) {
        double loss = 0;

        SHOAL_TRY(grow(ctx, &tree, j, method, settings, size));
        SHOAL_TRY(try_shuffled(ctx, &loss, j, &tree));
        if (i == 0 || loss < least) {
            shoal_i_sibling_tree_clear(out);
            *out = tree;
            tree = (shoal_i_sibling_tree){0};
            least = loss;
            in_vain = 0;
        } else {
            in_vain++;
        }
        shoal_i_sibling_tree_clear(&tree);
        size += size < 5 ? 1 : size / 5;
        if (size >= j->mixed) {
            break;
        }
    }
done:
    shoal_i_sibling_tree_clear(&tree);
    return st;
}

const char *shoal_i_method_blind_refusal(const shoal_i_method *method,
                                         const shoal_i_method_settings *settings)
{
    const shoal_i_method *inner = shoal_i_method_inner(method, settings);
    const shoal_i_method *maker = inner ? inner : method;

    if (maker->shape == SHOAL_I_SHAPE_RECORDS) {
        return "it deals values out by chance and has no classes to be divided or not";
    }
    if (maker->shape == SHOAL_I_SHAPE_BUCKETS) {
        return "it makes its buckets by sensitive values";
    }
    return maker->is_full_domain
               ? "it treats all records alike, so that a class cannot stay as it is where "
                 "others are divided"
               : NULL;
}

shoal_status shoal_i_blind_run(shoal_ctx *ctx, shoal_i_release **out,
                               const shoal_i_method *method, const shoal_i_problem *problem,
                               const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    judging j = {.problem = problem};
    shoal_i_sibling_tree tree = {0};
    shoal_i_release *classes = NULL;
    const shoal_i_method *inner = shoal_i_method_inner(method, settings);
    shoal_i_method_settings inner_settings = shoal_i_method_inner_settings(settings);

    SHOAL_TRY(judging_init(ctx, &j));
    SHOAL_TRY(
        find_tree(ctx, &tree, &j, inner ? inner : method, inner ? &inner_settings : settings));
    SHOAL_TRY(judge(ctx, &classes, &j, &tree, NULL));
    if (!classes) {
        SHOAL_TRY(shoal_i_fail(
            ctx, SHOAL_EUNSATISFIABLE,
            "Against minimality the table is first divided into %zu parts without a look at "
            "sensitive values, and one of them does not hold; to join it with another would "
            "tell on its people. Ask for less, or try another method or seed.",
            tree.root_count));
    }
    if (inner) {
        SHOAL_TRY(shoal_i_release_from_buckets(ctx, out, problem->quasi, classes->box_of,
                                               classes->box_count));
    } else {
        *out = classes;
        classes = NULL;
    }
done:
    shoal_i_release_free(classes);
    shoal_i_sibling_tree_clear(&tree);
    judging_clear(&j);
    return st;
}

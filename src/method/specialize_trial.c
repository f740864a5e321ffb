#include "specialize_trial.h"

#include "../base/fail.h"

#include <string.h>

/* --- Columns as trees. -------------------- */

/* Ways down halves of halves: a code's place among `count`, scaled to a power of two, so that
 * each step halves what is left. A kept missing value is apart from all values at the first
 * step. */
static shoal_status build_paths(shoal_ctx *ctx, shoal_i_branching *b,
                                const shoal_i_quasi_column *column)
{
    shoal_status st = SHOAL_OK;
    uint32_t values = column->value_count - column->has_missing;
    unsigned bits = shoal_i_sort_bits(values);

    SHOAL_ALLOC(ctx, b->paths, column->value_count);
    for (uint32_t code = 0; code < values; code++) {
        b->paths[code] = (uint32_t)(((uint64_t)code << bits) / values);
    }
    if (column->has_missing) {
        b->paths[values] = (uint32_t)1 << bits;
        bits++;
    }
    b->height = (int)bits;
    b->id_count = (size_t)1 << bits;
done:
    return st;
}

shoal_status shoal_i_branching_init(shoal_ctx *ctx, shoal_i_branching *out,
                                    const shoal_i_quasi_column *column, bool in_halves)
{
    *out = (shoal_i_branching){.height = 1, .id_count = column->value_count};
    if (column->hierarchy) {
        out->hierarchy = column->hierarchy;
        out->height = shoal_hierarchy_height(column->hierarchy);
        out->id_count = shoal_hierarchy_node_count(column->hierarchy);
    } else if (in_halves) {
        return build_paths(ctx, out, column);
    }
    return SHOAL_OK;
}

void shoal_i_branching_clear(shoal_i_branching *branching)
{
    free(branching->paths);
    *branching = (shoal_i_branching){0};
}

/* The depth of the closest common ancestor of two codes. */
static int find_depth(const shoal_i_branching *b, uint32_t lo, uint32_t hi)
{
    int depth = 0;

    if (b->hierarchy) {
        return shoal_hierarchy_depth(b->hierarchy,
                                     shoal_hierarchy_ancestor(b->hierarchy, lo, hi));
    }
    while (depth < b->height &&
           shoal_i_branching_id(b, lo, depth + 1) == shoal_i_branching_id(b, hi, depth + 1)) {
        depth++;
    }
    return depth;
}

/* Whether there is nothing below a code's node at a depth. */
static bool is_bottom(const shoal_i_branching *b, uint32_t code, int depth)
{
    return depth >= b->height ||
           (b->hierarchy &&
            shoal_hierarchy_depth(b->hierarchy,
                                  shoal_hierarchy_leaf_node(b->hierarchy, code)) <= depth);
}

/* --- Scratch. -------------------- */

static void clear_census(shoal_i_census *census)
{
    free(census->node_of);
    free(census->ids);
    free(census->starts);
    free(census->order);
    free(census->holds);
}

static shoal_status init_census(shoal_ctx *ctx, shoal_i_census *census, size_t count,
                                size_t nodes)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, census->node_of, count);
    SHOAL_ALLOC(ctx, census->ids, nodes);
    SHOAL_ALLOC(ctx, census->starts, nodes + 1);
    SHOAL_ALLOC(ctx, census->order, count);
    SHOAL_ALLOC(ctx, census->holds, nodes);
done:
    return st;
}

void shoal_i_trial_clear(shoal_i_trial *trial)
{
    clear_census(&trial->census);
    clear_census(&trial->deeper);
    free(trial->branch_of);
    free(trial->list);
    free(trial->further);
    free(trial->offers);
    free(trial->scratch);
    free(trial->returned);
    free(trial->node_of_id);
    shoal_i_tally_clear(&trial->side);
    shoal_i_tally_clear(&trial->rest);
    *trial = (shoal_i_trial){0};
}

shoal_status shoal_i_trial_init(shoal_ctx *ctx, shoal_i_trial *trial,
                                const shoal_i_tally_source *source, size_t count,
                                size_t id_count)
{
    shoal_status st = SHOAL_OK;
    size_t nodes = count < id_count ? count : id_count;

    *trial = (shoal_i_trial){0};
    SHOAL_TRY(init_census(ctx, &trial->census, count, nodes));
    SHOAL_TRY(init_census(ctx, &trial->deeper, count, nodes));
    SHOAL_ALLOC(ctx, trial->branch_of, count);
    SHOAL_ALLOC(ctx, trial->list, count);
    SHOAL_ALLOC(ctx, trial->further, count);
    SHOAL_ALLOC(ctx, trial->offers, count);
    SHOAL_ALLOC(ctx, trial->scratch, count);
    SHOAL_ALLOC(ctx, trial->returned, count);
    SHOAL_ALLOC(ctx, trial->node_of_id, id_count);
    SHOAL_TRY(shoal_i_tally_init(ctx, &trial->side, source));
    SHOAL_TRY(shoal_i_tally_init(ctx, &trial->rest, source));
done:
    if (st != SHOAL_OK) {
        shoal_i_trial_clear(trial);
    }
    return st;
}

static bool tally_holds(const shoal_i_trial_set *set, const shoal_i_tally *tally)
{
    return shoal_i_requirement_holds(set->problem->requirements, &tally->stats);
}

/* --- Counting records by node. -------------------- */

/* Number the nodes of the listed records at a depth, and count how many each has, one place
 * further in starts. */
static void number_nodes(shoal_i_trial *t, shoal_i_census *census, const shoal_i_trial_set *set,
                         int depth, size_t listed)
{
    census->node_count = 0;
    census->starts[0] = 0;
    for (size_t i = 0; i < listed; i++) {
        uint32_t at = t->list[i];
        uint32_t id = shoal_i_branching_id(set->branching, set->codes[at * set->stride], depth);

        if (t->node_of_id[id] == 0) {
            census->ids[census->node_count] = id;
            census->starts[census->node_count + 1] = 0;
            t->node_of_id[id] = (uint32_t)++census->node_count;
        }
        census->node_of[at] = t->node_of_id[id] - 1;
        census->starts[t->node_of_id[id]]++;
    }
    for (size_t node = 0; node < census->node_count; node++) {
        t->node_of_id[census->ids[node]] = 0;
        census->starts[node + 1] += census->starts[node];
    }
}

/* Bring the listed records into the order of their nodes. */
static void order_by_node(shoal_i_trial *t, shoal_i_census *census, size_t listed)
{
    for (size_t i = 0; i < listed; i++) {
        uint32_t at = t->list[i];

        census->order[census->starts[census->node_of[at]]++] = at;
    }
    /* Each start has moved to the end of its node, which is the start of the next. */
    for (size_t node = census->node_count; node > 0; node--) {
        census->starts[node] = census->starts[node - 1];
    }
    census->starts[0] = 0;
}

static void judge_nodes(shoal_i_trial *t, shoal_i_census *census, const shoal_i_trial_set *set)
{
    for (size_t node = 0; node < census->node_count; node++) {
        size_t first = census->starts[node];
        size_t end = census->starts[node + 1];

        shoal_i_tally_empty(&t->side);
        if (set->is_size_enough) {
            t->side.stats.size = end - first;
        }
        for (size_t i = first; !set->is_size_enough && i < end; i++) {
            shoal_i_tally_add(&t->side, set->records[census->order[i]]);
        }
        census->holds[node] = tally_holds(set, &t->side);
    }
    shoal_i_tally_empty(&t->side);
}

static void take_census(shoal_i_trial *t, shoal_i_census *census, const shoal_i_trial_set *set,
                        int depth, size_t listed)
{
    number_nodes(t, census, set, depth, listed);
    if (!set->is_size_enough) {
        order_by_node(t, census, listed);
    }
    judge_nodes(t, census, set);
}

/* --- Returning records from branches that hold. -------------------- */

/* For each record of a branch that holds, how many steps it could go down below the branch, on
 * this column, with what goes the same way holding at each step. */
static void look_further(shoal_i_trial *t, const shoal_i_trial_set *set, int depth)
{
    size_t listed = 0;

    for (uint32_t i = 0; i < set->count; i++) {
        t->further[i] = 0;
        if (t->branch_of[i] != SHOAL_I_TRIAL_REST) {
            t->list[listed++] = i;
        }
    }
    while (listed > 0) {
        size_t kept = 0;

        for (size_t i = 0; i < listed; i++) {
            if (!is_bottom(set->branching, set->codes[t->list[i] * set->stride], depth)) {
                t->list[kept++] = t->list[i];
            }
        }
        depth++;
        listed = kept;
        kept = 0;
        if (listed == 0) {
            break;
        }
        take_census(t, &t->deeper, set, depth, listed);
        for (size_t i = 0; i < listed; i++) {
            uint32_t at = t->list[i];

            if (t->deeper.holds[t->deeper.node_of[at]]) {
                t->further[at]++;
                t->list[kept++] = at;
            }
        }
        listed = kept;
    }
}

/* The records of the branches that hold, those first that could go down least, then branch by
 * branch. */
static size_t sort_offers(shoal_i_trial *t, const shoal_i_trial_set *set)
{
    size_t count = 0;

    for (uint32_t i = 0; i < set->count; i++) {
        if (t->branch_of[i] != SHOAL_I_TRIAL_REST) {
            t->offers[count++] = (shoal_i_sort_item){
                .key = (uint64_t)t->further[i] << 32 | t->branch_of[i], .item = i};
        }
    }
    shoal_i_sort_items(t->offers, t->scratch, count);
    return count;
}

/* Count the records that are in a branch into the tally of the side. */
static void tally_branch(shoal_i_trial *t, const shoal_i_trial_set *set, uint32_t branch)
{
    const shoal_i_census *census = &t->census;

    shoal_i_tally_empty(&t->side);
    for (size_t i = census->starts[branch]; i < census->starts[branch + 1]; i++) {
        if (t->branch_of[census->order[i]] == branch) {
            shoal_i_tally_add(&t->side, set->records[census->order[i]]);
        }
    }
}

typedef struct figures {
    double of[SHOAL_I_REQUIREMENTS_MAX];
    bool holds[SHOAL_I_REQUIREMENTS_MAX];
    bool all_hold;
} figures;

static figures read_figures(const shoal_i_trial_set *set, const shoal_i_tally *tally)
{
    const shoal_i_requirement_set *requirements = set->problem->requirements;
    figures f = {.all_hold = true};

    for (size_t i = 0; i < requirements->count; i++) {
        const shoal_i_requirement *item = &requirements->items[i];

        f.holds[i] = item->kind->check(item, &tally->stats, &f.of[i]);
        f.all_hold = f.all_hold && f.holds[i];
    }
    return f;
}

/* What a record must do for the rest to be accepted: better every figure that fails, some of
 * them, or nothing; none that fails may get worse. */
typedef enum help { HELP_EVERY, HELP_SOME, HELP_NONE } help;

static bool is_help(const shoal_i_trial_set *set, const figures *before, const figures *after,
                    help wanted)
{
    size_t lacking = 0;
    size_t better = 0;

    for (size_t i = 0; i < set->problem->requirements->count; i++) {
        bool larger = set->problem->requirements->items[i].kind->larger_is_safer;
        double gain = larger ? after->of[i] - before->of[i] : before->of[i] - after->of[i];

        if (!after->holds[i] && gain < 0) {
            return false;
        }
        lacking += !before->holds[i];
        better += !before->holds[i] && (after->holds[i] || gain > 0);
    }
    return better >= (wanted == HELP_EVERY ? lacking : wanted == HELP_SOME);
}

/* Return a record of the branch in the tally of the side, if the branch can spare it and it
 * helps. */
static void offer_record(shoal_i_trial *t, const shoal_i_trial_set *set, uint32_t at,
                         figures *now, help wanted)
{
    uint32_t record = set->records[at];

    shoal_i_tally_remove(&t->side, record);
    if (t->side.stats.size > 0 && tally_holds(set, &t->side)) {
        shoal_i_tally_add(&t->rest, record);
        figures after = read_figures(set, &t->rest);

        if (is_help(set, now, &after, wanted)) {
            *now = after;
            t->branch_of[at] = SHOAL_I_TRIAL_REST;
            t->returned[t->returned_count++] = at;
            return;
        }
        shoal_i_tally_remove(&t->rest, record);
    }
    shoal_i_tally_add(&t->side, record);
}

static void accept_offers(shoal_i_trial *t, const shoal_i_trial_set *set, size_t count,
                          figures *now, help wanted)
{
    uint32_t branch = SHOAL_I_TRIAL_REST;

    for (size_t i = 0; i < count && !now->all_hold; i++) {
        uint32_t offering = (uint32_t)t->offers[i].key;

        if (t->branch_of[t->offers[i].item] == SHOAL_I_TRIAL_REST) {
            continue;
        }
        if (offering != branch) {
            branch = offering;
            tally_branch(t, set, branch);
        }
        offer_record(t, set, t->offers[i].item, now, wanted);
    }
}

/* Send returned records down again that turn out not to be needed, the last one first. */
static void take_back(shoal_i_trial *t, const shoal_i_trial_set *set)
{
    for (size_t i = t->returned_count; i-- > 0;) {
        uint32_t at = t->returned[i];

        shoal_i_tally_remove(&t->rest, set->records[at]);
        if (tally_holds(set, &t->rest)) {
            t->branch_of[at] = t->census.node_of[at];
            tally_branch(t, set, t->branch_of[at]);
            if (tally_holds(set, &t->side)) {
                continue;
            }
            t->branch_of[at] = SHOAL_I_TRIAL_REST;
        }
        shoal_i_tally_add(&t->rest, set->records[at]);
    }
}

/* Whether the branches that hold have as many records to spare as the rest lacks by size. */
static bool can_spare(const shoal_i_trial *t, const shoal_i_trial_set *set)
{
    uint64_t smallest = shoal_i_requirement_smallest_class(set->problem->requirements);
    uint64_t spare = t->rest.stats.size;

    for (size_t node = 0; node < t->census.node_count; node++) {
        uint64_t size = t->census.starts[node + 1] - t->census.starts[node];

        spare += t->census.holds[node] && size > smallest ? size - smallest : 0;
    }
    return spare >= smallest;
}

/* Return records until those that stay meet the requirement; whether that came about. */
static bool fill_rest(shoal_i_trial *t, const shoal_i_trial_set *set, int depth)
{
    figures now = read_figures(set, &t->rest);

    if (!can_spare(t, set)) {
        return false;
    }
    look_further(t, set, depth);
    size_t count = sort_offers(t, set);

    if (set->is_size_enough) {
        for (uint32_t i = 0; i < set->count; i++) {
            t->list[i] = i;
        }
        order_by_node(t, &t->census, set->count);
    }
    t->returned_count = 0;
    accept_offers(t, set, count, &now, HELP_EVERY);
    accept_offers(t, set, count, &now, HELP_SOME);
    accept_offers(t, set, count, &now, HELP_NONE);
    if (now.all_hold) {
        take_back(t, set);
    }
    return now.all_hold;
}

/* --- The trial. -------------------- */

/* Send all records down, then back those whose branch does not hold. */
static void send_down(shoal_i_trial *t, const shoal_i_trial_set *set)
{
    shoal_i_tally_empty(&t->rest);
    for (size_t i = 0; i < set->count; i++) {
        uint32_t node = t->census.node_of[i];

        t->branch_of[i] = node;
        if (!t->census.holds[node]) {
            t->branch_of[i] = SHOAL_I_TRIAL_REST;
            shoal_i_tally_add(&t->rest, set->records[i]);
        }
    }
}

void shoal_i_trial_run(shoal_i_trial *trial, const shoal_i_trial_set *set, uint32_t lo,
                       uint32_t hi)
{
    int depth = find_depth(set->branching, lo, hi) + 1;

    trial->specialized = 0;
    trial->branches = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        trial->list[i] = i;
    }
    take_census(trial, &trial->census, set, depth, set->count);
    for (size_t node = 0; node < trial->census.node_count; node++) {
        trial->branches += trial->census.holds[node];
    }
    if (trial->branches == 0) {
        return;
    }
    send_down(trial, set);
    trial->branch_count = trial->census.node_count;
    if (trial->rest.stats.size == 0 || tally_holds(set, &trial->rest) ||
        fill_rest(trial, set, depth)) {
        trial->specialized = set->count - trial->rest.stats.size;
    }
}

#include "specialize_trial.h"

#include "../base/fail.h"

#include <string.h>

/* Counts of values by node, for a census: beyond so many, records are tallied one by one. */
#define CELLS_MAX ((size_t)1 << 16)

/* --- Columns as trees. -------------------- */

/* Halves of halves: the way down to a code is its place among the values, scaled to a power of
 * two, so that each step halves what is left. A kept missing value is apart from all values at
 * the first step. */
static uint32_t find_way(const shoal_i_quasi_column *column, uint32_t code, unsigned bits)
{
    uint32_t values = column->value_count - column->has_missing;

    return code == values ? (uint32_t)1 << bits : (uint32_t)(((uint64_t)code << bits) / values);
}

static void fill_halves(shoal_i_branching *b, const shoal_i_quasi_column *column)
{
    unsigned bits = shoal_i_sort_bits(column->value_count - column->has_missing);

    for (uint32_t code = 0; code < b->value_count; code++) {
        uint32_t way = find_way(column, code, bits);

        for (int depth = 1; depth <= b->height; depth++) {
            b->ids[(size_t)(depth - 1) * b->value_count + code] = way >> (b->height - depth);
        }
    }
}

static void fill_ids(shoal_i_branching *b)
{
    for (size_t i = 0; i < (size_t)b->height * b->value_count; i++) {
        uint32_t code = (uint32_t)(i % b->value_count);

        b->ids[i] = b->hierarchy ? shoal_hierarchy_ancestor_at(b->hierarchy, code,
                                                               (int)(i / b->value_count) + 1)
                                 : code;
    }
}

shoal_status shoal_i_branching_init(shoal_ctx *ctx, shoal_i_branching *out,
                                    const shoal_i_quasi_column *column, bool in_halves)
{
    shoal_status st = SHOAL_OK;
    size_t cells = 0;

    in_halves = in_halves && !column->hierarchy;
    *out = (shoal_i_branching){.hierarchy = column->hierarchy,
                               .value_count = column->value_count,
                               .height = 1,
                               .id_count = column->value_count};
    if (column->hierarchy) {
        out->height = shoal_hierarchy_height(column->hierarchy);
        out->id_count = shoal_hierarchy_node_count(column->hierarchy);
    } else if (in_halves) {
        out->height = (int)shoal_i_sort_bits(column->value_count - column->has_missing) +
                      column->has_missing;
        out->id_count = (size_t)1 << out->height;
    }
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, (size_t)out->height, out->value_count));
    SHOAL_ALLOC(ctx, out->ids, cells);
    if (in_halves) {
        fill_halves(out, column);
    } else {
        fill_ids(out);
    }
done:
    return st;
}

void shoal_i_branching_clear(shoal_i_branching *branching)
{
    free(branching->ids);
    *branching = (shoal_i_branching){0};
}

/* The ids of all codes at a depth from 1 on. */
static const uint32_t *ids_at(const shoal_i_branching *b, int depth)
{
    return b->ids + (size_t)(depth - 1) * b->value_count;
}

/* The depth of the closest common ancestor of two codes. */
static int find_depth(const shoal_i_branching *b, uint32_t lo, uint32_t hi)
{
    int depth = 0;

    while (depth < b->height && ids_at(b, depth + 1)[lo] == ids_at(b, depth + 1)[hi]) {
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
    free(census->cells);
}

static shoal_status init_census(shoal_ctx *ctx, shoal_i_census *census, size_t count,
                                size_t nodes, size_t cell_count)
{
    shoal_status st = SHOAL_OK;

    if (cell_count > 0 && nodes <= CELLS_MAX / cell_count) {
        SHOAL_ALLOC(ctx, census->cells, nodes * cell_count);
    }

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
    for (size_t j = 0; j < source->active_count; j++) {
        trial->cell_count += source->active[j].value_count;
    }
    SHOAL_TRY(init_census(ctx, &trial->census, count, nodes, trial->cell_count));
    SHOAL_TRY(init_census(ctx, &trial->deeper, count, nodes, trial->cell_count));
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

/* Records to be counted: those of a list, or all when it is NULL. */
typedef struct roll {
    const uint32_t *list;
    size_t count;
} roll;

static uint32_t record_at(roll r, size_t i)
{
    return r.list ? r.list[i] : (uint32_t)i;
}

/* Give the node of an id the next number; returned is that number + 1. */
static uint32_t add_node(shoal_i_trial *t, shoal_i_census *census, uint32_t id)
{
    size_t node = census->node_count++;

    census->ids[node] = id;
    census->starts[node + 1] = 0;
    if (census->cells) {
        memset(census->cells + node * t->cell_count, 0, t->cell_count * sizeof *census->cells);
    }
    t->node_of_id[id] = (uint32_t)node + 1;
    return (uint32_t)node + 1;
}

/* Count the values of the records in the cells of their nodes. */
static void count_values(const shoal_i_trial *t, shoal_i_census *census,
                         const shoal_i_trial_set *set, roll r)
{
    const shoal_i_tally_source *source = set->problem->source;
    uint32_t *cells = census->cells;

    for (size_t j = 0; j < source->active_count; j++) {
        const uint32_t *node_of = census->node_of;
        const uint32_t *values = set->values + j;

        for (size_t i = 0; i < r.count; i++) {
            uint32_t at = record_at(r, i);

            cells[node_of[at] * t->cell_count + values[at * set->stride]]++;
        }
        cells += source->active[j].value_count;
    }
}

/* Number the nodes of the records at a depth, and find where each starts in their order. The
 * innermost loop of the method. */
static void number_nodes(shoal_i_trial *t, shoal_i_census *census, const shoal_i_trial_set *set,
                         int depth, roll r)
{
    const uint32_t *ids = ids_at(set->branching, depth);
    const uint32_t *codes = set->codes;
    const uint32_t *node_of_id = t->node_of_id;
    uint32_t *node_of = census->node_of;
    uint32_t *starts = census->starts;
    size_t stride = set->stride;

    census->node_count = 0;
    starts[0] = 0;
    for (size_t i = 0; i < r.count; i++) {
        uint32_t at = record_at(r, i);
        uint32_t id = ids[codes[at * stride]];
        uint32_t number = node_of_id[id];

        number = number > 0 ? number : add_node(t, census, id);
        node_of[at] = number - 1;
        starts[number]++;
    }
    if (census->cells) {
        count_values(t, census, set, r);
    }
    for (size_t node = 0; node < census->node_count; node++) {
        t->node_of_id[census->ids[node]] = 0;
        starts[node + 1] += starts[node];
    }
}

/* Bring the records into the order of their nodes. */
static void order_by_node(shoal_i_census *census, roll r)
{
    for (size_t i = 0; i < r.count; i++) {
        uint32_t at = record_at(r, i);

        census->order[census->starts[census->node_of[at]]++] = at;
    }
    /* Each start has moved to the end of its node, which is the start of the next. */
    for (size_t node = census->node_count; node > 0; node--) {
        census->starts[node] = census->starts[node - 1];
    }
    census->starts[0] = 0;
}

/* Count the values of a node, given its cells, into a tally. */
static void tally_cells(shoal_i_tally *tally, const uint32_t *cells)
{
    const shoal_i_tally_source *source = tally->source;

    for (size_t j = 0; j < source->active_count; j++) {
        for (uint32_t code = 0; code < source->active[j].value_count; code++) {
            if (cells[code] > 0) {
                shoal_i_tally_add_values(tally, j, code, cells[code]);
            }
        }
        cells += source->active[j].value_count;
    }
}

/* Whether sizes and cells are all that judging a node needs; else its records in order. */
static bool is_counted(const shoal_i_census *census, const shoal_i_trial_set *set)
{
    return set->is_size_enough || census->cells;
}

static void tally_node(const shoal_i_trial *t, shoal_i_tally *tally,
                       const shoal_i_census *census, const shoal_i_trial_set *set, size_t node)
{
    size_t first = census->starts[node];
    size_t end = census->starts[node + 1];

    if (is_counted(census, set)) {
        tally->stats.size += end - first;
        if (census->cells) {
            tally_cells(tally, census->cells + node * t->cell_count);
        }
        return;
    }
    for (size_t i = first; i < end; i++) {
        shoal_i_tally_add(tally, set->records[census->order[i]]);
    }
}

static bool node_holds(shoal_i_trial *t, const shoal_i_census *census,
                       const shoal_i_trial_set *set, size_t node)
{
    if (census->starts[node + 1] - census->starts[node] < set->smallest_class) {
        return false;
    }
    shoal_i_tally_empty(&t->side);
    tally_node(t, &t->side, census, set, node);
    return tally_holds(set, &t->side);
}

static void take_census(shoal_i_trial *t, shoal_i_census *census, const shoal_i_trial_set *set,
                        int depth, roll r)
{
    number_nodes(t, census, set, depth, r);
    if (!is_counted(census, set)) {
        order_by_node(census, r);
    }
    for (size_t node = 0; node < census->node_count; node++) {
        census->holds[node] = node_holds(t, census, set, node);
    }
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
        take_census(t, &t->deeper, set, depth, (roll){t->list, listed});
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
    uint64_t spare = t->rest.stats.size;

    for (size_t node = 0; node < t->census.node_count; node++) {
        uint64_t size = t->census.starts[node + 1] - t->census.starts[node];

        spare += t->census.holds[node] ? size - set->smallest_class : 0;
    }
    return spare >= set->smallest_class;
}

/* Return records until those that stay meet the requirement; whether that came about. */
static bool fill_rest(shoal_i_trial *t, const shoal_i_trial_set *set, int depth)
{
    figures now = read_figures(set, &t->rest);

    look_further(t, set, depth);
    size_t count = sort_offers(t, set);

    if (is_counted(&t->census, set)) {
        order_by_node(&t->census, (roll){NULL, set->count});
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

void shoal_i_trial_survey(shoal_i_trial *trial, const shoal_i_trial_set *set, uint32_t lo,
                          uint32_t hi)
{
    const shoal_i_census *census = &trial->census;
    uint64_t rest = 0;

    trial->depth = find_depth(set->branching, lo, hi) + 1;
    trial->specialized = 0;
    trial->branches = 0;
    trial->is_exact = true;
    shoal_i_tally_empty(&trial->rest);
    take_census(trial, &trial->census, set, trial->depth, (roll){NULL, set->count});
    for (size_t node = 0; node < census->node_count; node++) {
        trial->branches += census->holds[node];
        if (!census->holds[node]) {
            tally_node(trial, &trial->rest, census, set, node);
        }
    }
    rest = trial->rest.stats.size;
    if (rest == 0 || tally_holds(set, &trial->rest)) {
        trial->specialized = set->count - rest;
    } else if (trial->branches > 0 && can_spare(trial, set)) {
        uint64_t least = rest + 1 > set->smallest_class ? rest + 1 : set->smallest_class;

        trial->specialized = set->count - least;
        trial->is_exact = set->is_size_enough;
    }
}

void shoal_i_trial_run(shoal_i_trial *trial, const shoal_i_trial_set *set, uint32_t lo,
                       uint32_t hi)
{
    shoal_i_trial_survey(trial, set, lo, hi);
    trial->branch_count = trial->census.node_count;
    for (size_t i = 0; i < set->count; i++) {
        uint32_t node = trial->census.node_of[i];

        trial->branch_of[i] = trial->census.holds[node] ? node : SHOAL_I_TRIAL_REST;
    }
    if (trial->specialized == 0 || trial->rest.stats.size == 0 ||
        tally_holds(set, &trial->rest)) {
        return;
    }
    trial->is_exact = true;
    trial->specialized =
        fill_rest(trial, set, trial->depth) ? set->count - trial->rest.stats.size : 0;
}

#include "specialize_trial.h"

#include "../base/fail.h"

#include <string.h>

/* Counts of values by node, for a census: beyond so many, records are tallied one by one. */
#define CELLS_MAX ((size_t)1 << 16)

/* Records of a set are scattered over the table: their codes are called for so many records
 * ahead. */
#define CODES_AHEAD 16

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

/* Room for numbers that are written before they are read: pages that no set is large enough to
 * reach are never touched. */
static shoal_status make_room(shoal_ctx *ctx, uint32_t **out, size_t count)
{
    *out = shoal_i_alloc_raw(ctx, count, sizeof **out);
    return *out ? SHOAL_OK : SHOAL_ENOMEM;
}

static shoal_status init_census(shoal_ctx *ctx, shoal_i_census *census, size_t count,
                                size_t nodes, size_t cell_count)
{
    shoal_status st = SHOAL_OK;

    if (cell_count > 0 && nodes <= CELLS_MAX / cell_count) {
        SHOAL_ALLOC(ctx, census->cells, nodes * cell_count);
    }

    SHOAL_TRY(make_room(ctx, &census->node_of, count));
    SHOAL_ALLOC(ctx, census->ids, nodes);
    SHOAL_ALLOC(ctx, census->starts, nodes + 1);
    SHOAL_TRY(make_room(ctx, &census->order, count));
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
    free(trial->returned);
    free(trial->node_of_id);
    free(trial->view);
    free(trial->view_present);
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
    SHOAL_TRY(make_room(ctx, &trial->branch_of, count));
    SHOAL_TRY(make_room(ctx, &trial->list, count));
    SHOAL_ALLOC(ctx, trial->further, count);
    SHOAL_TRY(make_room(ctx, &trial->returned, count));
    SHOAL_ALLOC(ctx, trial->node_of_id, id_count);
    SHOAL_ALLOC(ctx, trial->view, source->column_count + 1);
    SHOAL_ALLOC(ctx, trial->view_present, trial->cell_count + 1);
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

static uint32_t code_of(const shoal_i_trial_set *set, uint32_t at)
{
    return set->codes[set->records[at] * set->stride];
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

static inline void number_roll(shoal_i_trial *t, shoal_i_census *census,
                               const shoal_i_trial_set *set, int depth, roll r)
{
    const uint32_t *ids = shoal_i_branching_ids(set->branching, depth);
    const uint32_t *codes = set->codes;
    const uint32_t *records = set->records;
    const uint32_t *node_of_id = t->node_of_id;
    uint32_t *node_of = census->node_of;
    size_t stride = set->stride;

    for (size_t i = 0; i < r.count; i++) {
        uint32_t at = record_at(r, i);
        uint32_t id = ids[codes[records[at] * stride]];
        uint32_t number = node_of_id[id];
        uint32_t ahead = record_at(r, i + CODES_AHEAD < r.count ? i + CODES_AHEAD : i);

        __builtin_prefetch(&codes[records[ahead] * stride]);
        number = number > 0 ? number : add_node(t, census, id);
        node_of[at] = number - 1;
    }
}

/* Number the nodes of the records at a depth, in order of appearance. Without a list the loop
 * is a tighter one. */
static void number_records(shoal_i_trial *t, shoal_i_census *census,
                           const shoal_i_trial_set *set, int depth, roll r)
{
    if (r.list) {
        number_roll(t, census, set, depth, r);
    } else {
        number_roll(t, census, set, depth, (roll){NULL, r.count});
    }
}

/* Count the records and their values by node. */
static void count_records(const shoal_i_trial *t, shoal_i_census *census,
                          const shoal_i_trial_set *set, roll r)
{
    const shoal_i_tally_source *source = set->problem->source;
    const uint32_t *node_of = census->node_of;
    uint32_t *cells = census->cells;

    for (size_t i = 0; i < r.count; i++) {
        census->starts[node_of[record_at(r, i)] + 1]++;
    }
    for (size_t j = 0; census->cells && j < source->active_count; j++) {
        const uint32_t *values = set->values + j;

        for (size_t i = 0; i < r.count; i++) {
            uint32_t at = record_at(r, i);

            cells[node_of[at] * t->cell_count + values[set->records[at] * set->stride]]++;
        }
        cells += source->active[j].value_count;
    }
}

/* Number the nodes at a depth in the order of codes; which record is where stays open. */
static void number_codes(shoal_i_trial *t, shoal_i_census *census, const shoal_i_trial_set *set,
                         int depth)
{
    const uint32_t *ids = shoal_i_branching_ids(set->branching, depth);

    for (size_t code = set->lo; code <= set->hi; code++) {
        if (set->code_sizes[code] > 0 && t->node_of_id[ids[code]] == 0) {
            add_node(t, census, ids[code]);
        }
    }
}

/* Add up the counts of codes in those of their nodes. */
static void add_codes(const shoal_i_trial *t, shoal_i_census *census,
                      const shoal_i_trial_set *set, int depth)
{
    const uint32_t *ids = shoal_i_branching_ids(set->branching, depth);

    for (size_t code = set->lo; code <= set->hi; code++) {
        uint32_t size = set->code_sizes[code];

        if (size > 0) {
            uint32_t number = t->node_of_id[ids[code]];

            census->starts[number] += size;
            for (size_t i = 0; i < t->cell_count; i++) {
                census->cells[(number - 1) * t->cell_count + i] +=
                    set->code_cells[code * t->cell_count + i];
            }
        }
    }
}

/* Forget the numbers of ids, and make sizes starts. */
static void close_numbers(shoal_i_trial *t, shoal_i_census *census)
{
    for (size_t node = 0; node < census->node_count; node++) {
        t->node_of_id[census->ids[node]] = 0;
        census->starts[node + 1] += census->starts[node];
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

/* The statistics of a node as its cells are, without a tally. */
static shoal_i_class_stats view_cells(shoal_i_trial *t, const shoal_i_tally_source *source,
                                      const uint32_t *cells, uint64_t size)
{
    shoal_i_class_stats stats = {.size = size, .histograms = t->view};
    uint32_t *present = t->view_present;

    for (size_t j = 0; j < source->active_count; j++) {
        const struct shoal_i_tally_input *active = &source->active[j];
        size_t count = 0;

        for (uint32_t code = 0; code < active->value_count; code++) {
            present[count] = code;
            count += cells[code] > 0;
        }
        t->view[active->column] =
            (shoal_i_histogram){.counts = cells, .present = present, .present_count = count};
        if (active->column == source->column_count) {
            stats.largest_k = source->ks[present[count - 1]];
        }
        cells += active->value_count;
        present += active->value_count;
    }
    return stats;
}

static bool node_holds(shoal_i_trial *t, const shoal_i_census *census,
                       const shoal_i_trial_set *set, size_t node)
{
    size_t size = census->starts[node + 1] - census->starts[node];

    if (size < set->smallest_class) {
        return false;
    }
    if (census->cells) {
        shoal_i_class_stats stats =
            view_cells(t, set->problem->source, census->cells + node * t->cell_count, size);

        return shoal_i_requirement_holds(set->problem->requirements, &stats);
    }
    shoal_i_tally_empty(&t->side);
    tally_node(t, &t->side, census, set, node);
    return tally_holds(set, &t->side);
}

/* Whether the records themselves can be left alone for a census of them all. */
static bool is_known_by_code(const shoal_i_census *census, const shoal_i_trial_set *set, roll r)
{
    return !r.list && set->code_sizes && is_counted(census, set);
}

/* Count the records by the nodes above them at a depth. Whoever does not need to know which
 * record is where gets it cheaper, if counts by code are known. */
static void take_census(shoal_i_trial *t, shoal_i_census *census, const shoal_i_trial_set *set,
                        int depth, roll r, bool needs_records)
{
    bool by_code = is_known_by_code(census, set, r);

    census->node_count = 0;
    census->starts[0] = 0;
    if (by_code && !needs_records) {
        number_codes(t, census, set, depth);
    } else {
        number_records(t, census, set, depth, r);
    }
    if (by_code) {
        add_codes(t, census, set, depth);
    } else {
        count_records(t, census, set, r);
    }
    close_numbers(t, census);
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

    t->most_further = 0;
    memset(t->further, 0, set->count * sizeof *t->further);
    if (depth >= set->branching->height) {
        return;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        t->list[listed] = i;
        listed += t->branch_of[i] != SHOAL_I_TRIAL_REST;
    }
    while (listed > 0) {
        size_t kept = 0;

        for (size_t i = 0; i < listed; i++) {
            if (!shoal_i_branching_is_bottom(set->branching, code_of(set, t->list[i]), depth)) {
                t->list[kept++] = t->list[i];
            }
        }
        depth++;
        listed = kept;
        kept = 0;
        if (listed == 0) {
            break;
        }
        take_census(t, &t->deeper, set, depth, (roll){t->list, listed}, true);
        for (size_t i = 0; i < listed; i++) {
            uint32_t at = t->list[i];

            if (t->deeper.holds[t->deeper.node_of[at]]) {
                t->further[at]++;
                t->list[kept++] = at;
            }
        }
        t->most_further += kept > 0;
        listed = kept;
    }
}

/* Count the records that are in a branch into the tally of the side. */
static void tally_branch(shoal_i_trial *t, const shoal_i_trial_set *set, uint32_t branch)
{
    shoal_i_tally_empty(&t->side);
    tally_node(t, &t->side, &t->census, set, branch);
    for (size_t i = 0; i < t->returned_count; i++) {
        uint32_t at = t->returned[i];

        if (t->census.node_of[at] == branch && t->branch_of[at] == SHOAL_I_TRIAL_REST) {
            shoal_i_tally_remove(&t->side, set->records[at]);
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

/* Go through the records of a branch that could go down so many steps further. */
static void accept_from(shoal_i_trial *t, const shoal_i_trial_set *set, uint32_t branch,
                        unsigned further, figures *now, help wanted)
{
    const shoal_i_census *census = &t->census;
    bool is_tallied = false;

    for (size_t i = census->starts[branch]; i < census->starts[branch + 1]; i++) {
        uint32_t at = census->order[i];

        if (now->all_hold) {
            return;
        }
        if (t->further[at] == further && t->branch_of[at] == branch) {
            if (!is_tallied) {
                tally_branch(t, set, branch);
                is_tallied = true;
            }
            offer_record(t, set, at, now, wanted);
        }
    }
}

/* Go through the records of the branches that hold, those first that could go down least, then
 * branch by branch. */
static void accept_offers(shoal_i_trial *t, const shoal_i_trial_set *set, figures *now,
                          help wanted)
{
    for (unsigned further = 0; further <= t->most_further; further++) {
        for (uint32_t branch = 0; branch < t->census.node_count; branch++) {
            if (t->census.holds[branch]) {
                accept_from(t, set, branch, further, now, wanted);
            }
        }
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
    if (is_counted(&t->census, set)) {
        order_by_node(&t->census, (roll){NULL, set->count});
    }
    accept_offers(t, set, &now, HELP_EVERY);
    accept_offers(t, set, &now, HELP_SOME);
    accept_offers(t, set, &now, HELP_NONE);
    if (now.all_hold) {
        take_back(t, set);
    }
    return now.all_hold;
}

/* --- The trial. -------------------- */

/* Send the records to the children and see which of them hold. */
static void send_down(shoal_i_trial *trial, const shoal_i_trial_set *set, bool needs_records)
{
    const shoal_i_census *census = &trial->census;
    uint64_t rest = 0;

    trial->depth = shoal_i_branching_common_depth(set->branching, set->lo, set->hi) + 1;
    trial->specialized = 0;
    trial->branches = 0;
    trial->is_exact = true;
    shoal_i_tally_empty(&trial->rest);
    take_census(trial, &trial->census, set, trial->depth, (roll){NULL, set->count},
                needs_records);
    for (size_t node = 0; node < census->node_count; node++) {
        trial->branches += census->holds[node];
    }
    if (trial->branches == 0) {
        return;
    }
    for (size_t node = 0; node < census->node_count; node++) {
        if (!census->holds[node]) {
            tally_node(trial, &trial->rest, census, set, node);
        }
    }
    rest = trial->rest.stats.size;
    if (rest == 0 || tally_holds(set, &trial->rest)) {
        trial->specialized = set->count - rest;
    } else if (can_spare(trial, set)) {
        uint64_t least = rest + 1 > set->smallest_class ? rest + 1 : set->smallest_class;

        trial->specialized = set->count - least;
        trial->is_exact = set->is_size_enough;
    }
}

void shoal_i_trial_survey(shoal_i_trial *trial, const shoal_i_trial_set *set)
{
    send_down(trial, set, false);
}

void shoal_i_trial_run(shoal_i_trial *trial, const shoal_i_trial_set *set)
{
    send_down(trial, set, true);
    trial->branch_count = trial->census.node_count;
    trial->returned_count = 0;
    for (size_t i = 0; i < set->count; i++) {
        uint32_t node = trial->census.node_of[i];

        /* All bits, which is REST, for a node that does not hold: no branch to mispredict. */
        trial->branch_of[i] = node | ((uint32_t)trial->census.holds[node] - 1);
    }
    if (trial->specialized == 0 || trial->rest.stats.size == 0 ||
        tally_holds(set, &trial->rest)) {
        return;
    }
    trial->is_exact = true;
    trial->specialized =
        fill_rest(trial, set, trial->depth) ? set->count - trial->rest.stats.size : 0;
}

void shoal_i_trial_sizes(const shoal_i_trial *trial, size_t *sizes)
{
    const shoal_i_census *census = &trial->census;
    size_t *rest = &sizes[trial->branch_count];

    *rest = 0;
    for (size_t node = 0; node < trial->branch_count; node++) {
        size_t size = census->starts[node + 1] - census->starts[node];

        sizes[node] = census->holds[node] ? size : 0;
        *rest += size - sizes[node];
    }
    for (size_t i = 0; i < trial->returned_count; i++) {
        uint32_t at = trial->returned[i];

        if (trial->branch_of[at] == SHOAL_I_TRIAL_REST) {
            sizes[census->node_of[at]]--;
            ++*rest;
        }
    }
}

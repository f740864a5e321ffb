#include "specialize_trial.h"

#include "../../base/fail.h"

#include <string.h>

/* --- Scratch. -------------------- */

void shoal_i_trial_clear(shoal_i_specialize_trial *trial)
{
    shoal_i_census_clear(&trial->census);
    shoal_i_census_clear(&trial->deeper);
    shoal_i_census_scratch_clear(&trial->scratch);
    free(trial->branch_of);
    free(trial->list);
    free(trial->further);
    free(trial->returned);
    shoal_i_tally_clear(&trial->side);
    shoal_i_tally_clear(&trial->rest);
    *trial = (shoal_i_specialize_trial){0};
}

shoal_status shoal_i_trial_init(shoal_ctx *ctx, shoal_i_specialize_trial *trial,
                                const shoal_i_tally_source *source, size_t count,
                                size_t id_count)
{
    shoal_status st = SHOAL_OK;
    size_t nodes = count < id_count ? count : id_count;

    *trial = (shoal_i_specialize_trial){0};
    SHOAL_TRY(shoal_i_census_scratch_init(ctx, &trial->scratch, source, id_count));
    SHOAL_TRY(shoal_i_census_init(ctx, &trial->census, &trial->scratch, count, nodes));
    SHOAL_TRY(shoal_i_census_init(ctx, &trial->deeper, &trial->scratch, count, nodes));
    SHOAL_TRY(shoal_i_make_room(ctx, &trial->branch_of, count));
    SHOAL_TRY(shoal_i_make_room(ctx, &trial->list, count));
    SHOAL_ALLOC(ctx, trial->further, count);
    SHOAL_TRY(shoal_i_make_room(ctx, &trial->returned, count));
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

static uint32_t code_of(const shoal_i_trial_set *set, uint32_t at)
{
    return set->codes[set->records[at] * set->stride];
}

/* --- Returning records from branches that hold. -------------------- */

/* For each record of a branch that holds, how many steps it could go down below the branch, on
 * this column, with what goes the same way holding at each step. */
static void look_further(shoal_i_specialize_trial *t, const shoal_i_trial_set *set, int depth)
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
        shoal_i_census_take(&t->scratch, &t->deeper, set, depth,
                            (shoal_i_roll){t->list, listed}, true);
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
static void tally_branch(shoal_i_specialize_trial *t, const shoal_i_trial_set *set,
                         uint32_t branch)
{
    shoal_i_tally_empty(&t->side);
    shoal_i_census_tally(&t->scratch, &t->side, &t->census, set, branch);
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
static void offer_record(shoal_i_specialize_trial *t, const shoal_i_trial_set *set, uint32_t at,
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
static void accept_from(shoal_i_specialize_trial *t, const shoal_i_trial_set *set,
                        uint32_t branch, unsigned further, figures *now, help wanted)
{
    const shoal_i_node_census *census = &t->census;
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
static void accept_offers(shoal_i_specialize_trial *t, const shoal_i_trial_set *set,
                          figures *now, help wanted)
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
static void take_back(shoal_i_specialize_trial *t, const shoal_i_trial_set *set)
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
static bool can_spare(const shoal_i_specialize_trial *t, const shoal_i_trial_set *set)
{
    uint64_t spare = t->rest.stats.size;

    for (size_t node = 0; node < t->census.node_count; node++) {
        uint64_t size = t->census.starts[node + 1] - t->census.starts[node];

        spare += t->census.holds[node] ? size - set->smallest_class : 0;
    }
    return spare >= set->smallest_class;
}

/* Return records until those that stay meet the requirement; whether that came about. */
static bool fill_rest(shoal_i_specialize_trial *t, const shoal_i_trial_set *set, int depth)
{
    figures now = read_figures(set, &t->rest);

    look_further(t, set, depth);
    if (shoal_i_census_is_counted(&t->census, set)) {
        shoal_i_census_order(&t->census, (shoal_i_roll){NULL, set->count});
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
static void send_down(shoal_i_specialize_trial *trial, const shoal_i_trial_set *set,
                      bool needs_records)
{
    const shoal_i_node_census *census = &trial->census;
    uint64_t rest = 0;

    trial->depth = shoal_i_branching_common_depth(set->branching, set->lo, set->hi) + 1;
    trial->specialized = 0;
    trial->branches = 0;
    trial->is_exact = true;
    shoal_i_tally_empty(&trial->rest);
    shoal_i_census_take(&trial->scratch, &trial->census, set, trial->depth,
                        (shoal_i_roll){NULL, set->count}, needs_records);
    for (size_t node = 0; node < census->node_count; node++) {
        trial->branches += census->holds[node];
    }
    if (trial->branches == 0) {
        return;
    }
    for (size_t node = 0; node < census->node_count; node++) {
        if (!census->holds[node]) {
            shoal_i_census_tally(&trial->scratch, &trial->rest, census, set, node);
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

void shoal_i_trial_survey(shoal_i_specialize_trial *trial, const shoal_i_trial_set *set)
{
    send_down(trial, set, false);
}

void shoal_i_trial_run(shoal_i_specialize_trial *trial, const shoal_i_trial_set *set)
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

void shoal_i_trial_sizes(const shoal_i_specialize_trial *trial, size_t *sizes)
{
    const shoal_i_node_census *census = &trial->census;
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

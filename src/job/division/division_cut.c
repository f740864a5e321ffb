/* From answers to cuts, and from cuts to the next questions. */
#include "division.h"

#include <inttypes.h>

/* Cuts of the first trial, and how many times as many the next one has. */
#define FIRST_TRIAL 32
#define GROWTH 8

/* Cuts to choose from where room is wanted. */
#define ROOMY_TRIAL 4096

/* More fragments than that are no sensible number, and node numbers stay within 32 bits. */
#define FRAGMENTS_MAX ((size_t)1 << 28)

/* --- Cuts to try. ----------------------------------------------------------------------- */

static void free_counts(uint64_t **counts, size_t columns)
{
    for (size_t c = 0; counts && c < columns; c++) {
        free(counts[c]);
    }
    free(counts);
}

/* The cells of an answer by column. SHOAL_EINVAL: they are not those of all records. */
static shoal_status load_counts(shoal_ctx *ctx, uint64_t ***out, const shoal_division *d,
                                const shoal_i_part_answer *answer)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = d->prepared.quasi;
    uint64_t size = d->fragments[answer->fragment].size;
    const uint32_t *cells = answer->cells;
    uint64_t **counts = NULL;

    SHOAL_ALLOC(ctx, counts, quasi->count);
    *out = counts;
    for (size_t c = 0; c < quasi->count; c++) {
        uint64_t sum = 0;

        SHOAL_ALLOC(ctx, counts[c], quasi->columns[c].value_count);
        for (uint32_t code = 0; code < quasi->columns[c].value_count; code++) {
            counts[c][code] = *cells++;
            sum += counts[c][code];
        }
        if (sum != size) {
            SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EINVAL,
                                   "The counts have %" PRIu64
                                   " records in a fragment of %" PRIu64
                                   "; add up those of every part once.",
                                   sum, size));
        }
    }
done:
    return st;
}

/* List the cuts of a fragment by its values: those that cost little, then mondrian's. */
static shoal_status list_cuts(shoal_ctx *ctx, shoal_i_fragment *f, const shoal_division *d,
                              shoal_i_part_answer *answer)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = d->prepared.quasi;
    uint64_t least = shoal_i_requirement_smallest_class(&d->prepared.requirements.set);
    uint64_t **counts = NULL;
    shoal_i_top_cut *cheap = NULL;
    shoal_i_top_cut *plain = NULL;
    size_t plain_count = 0;

    free(f->cuts);
    f->cuts = NULL;
    f->cheap_count = 0;
    SHOAL_TRY(load_counts(ctx, &counts, d, answer));
    if (!d->is_exact) {
        SHOAL_TRY(shoal_i_list_cheap_cuts(ctx, &cheap, &f->cheap_count, d, &answer->sample,
                                          counts, f->size));
    }
    SHOAL_TRY(shoal_i_top_cut_list(ctx, &plain, &plain_count, quasi, counts, f->size, least));
    SHOAL_ALLOC(ctx, f->cuts, f->cheap_count + plain_count);
    for (size_t i = 0; i < f->cheap_count; i++) {
        f->cuts[i] = cheap[i];
    }
    for (size_t i = 0; i < plain_count; i++) {
        f->cuts[f->cheap_count + i] = plain[i];
    }
    f->cut_count = f->cheap_count + plain_count;
    f->tried = 0;
    f->trial = 0;
done:
    free(cheap);
    free(plain);
    free_counts(counts, quasi->count);
    return st;
}

/* Put the next cuts on trial; those that cost little and mondrian's are judged differently, so
 * not together. */
static void begin_trial(shoal_i_fragment *f, const shoal_division *d)
{
    bool is_cheap = f->tried < f->cheap_count;
    size_t left = (is_cheap ? f->cheap_count : f->cut_count) - f->tried;
    size_t from = is_cheap ? 0 : f->cheap_count;
    size_t wanted = is_cheap ? ROOMY_TRIAL : FIRST_TRIAL;
    size_t cells = d->round_bytes / sizeof(uint32_t) / 2;
    size_t most = cells / shoal_i_trial_segment_size(d) / 2 + 1;

    /* As many times more as were tried in vain. */
    while (f->tried - from >= wanted && wanted < f->cut_count) {
        wanted *= GROWTH;
    }
    f->trial = left < wanted ? left : wanted;
    f->trial = f->trial < most ? f->trial : most;
    f->state = SHOAL_I_FRAGMENT_SIDES;
}

/* --- Making them. ----------------------------------------------------------------------- */

/* A fragment becomes two: itself the front, and one more behind all others. persons: of both,
 * who may have records in both. */
static shoal_status make_cut(shoal_ctx *ctx, shoal_division *d, size_t fragment,
                             shoal_i_top_cut cut, const uint64_t persons[2])
{
    if (d->count >= FRAGMENTS_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT,
                            "More than %zu fragments would be needed; allow larger ones.",
                            FRAGMENTS_MAX);
    }
    shoal_i_cut_node *nodes =
        shoal_i_realloc(ctx, d->nodes, d->node_count + 2, sizeof *d->nodes);

    if (!nodes) {
        return SHOAL_ENOMEM;
    }
    d->nodes = nodes;
    shoal_i_fragment *fragments =
        shoal_i_realloc(ctx, d->fragments, d->count + 1, sizeof *d->fragments);

    if (!fragments) {
        return SHOAL_ENOMEM;
    }
    d->fragments = fragments;
    shoal_i_fragment *f = &fragments[fragment];
    uint32_t front = (uint32_t)d->node_count;

    nodes[f->node] = (shoal_i_cut_node){(uint32_t)cut.column, cut.code, front, front + 1};
    nodes[front] = (shoal_i_cut_node){.column = SHOAL_I_LEAF, .front = (uint32_t)fragment};
    nodes[front + 1] = (shoal_i_cut_node){.column = SHOAL_I_LEAF, .front = (uint32_t)d->count};
    d->node_count += 2;
    free(f->cuts);
    fragments[d->count++] = (shoal_i_fragment){.node = front + 1,
                                               .size = f->size - cut.front,
                                               .persons = persons[1],
                                               .state = SHOAL_I_FRAGMENT_LARGE};
    *f = (shoal_i_fragment){.node = front,
                            .size = cut.front,
                            .persons = persons[0],
                            .state = SHOAL_I_FRAGMENT_LARGE};
    return SHOAL_OK;
}

/* The next step of a fragment that has cuts to try: make one, try more, or give up. */
static shoal_status go_on(shoal_ctx *ctx, shoal_division *d, size_t fragment)
{
    shoal_i_fragment *f = &d->fragments[fragment];

    if (f->tried == f->cut_count) {
        free(f->cuts);
        f->cuts = NULL;
        f->cut_count = f->cheap_count = f->tried = f->trial = 0;
        f->state = SHOAL_I_FRAGMENT_WHOLE;
        return SHOAL_OK;
    }
    if (d->counted.active_count == 0 && !shoal_i_division_counts_persons(d)) {
        /* Sizes are all there is, and both sides of every cut have enough. */
        return make_cut(ctx, d, fragment, f->cuts[f->tried], (uint64_t[2]){0, 0});
    }
    begin_trial(f, d);
    return SHOAL_OK;
}

static shoal_status judge_trial(shoal_ctx *ctx, shoal_division *d,
                                const shoal_i_part_answer *answer)
{
    shoal_status st = SHOAL_OK;
    shoal_i_fragment *f = &d->fragments[answer->fragment];
    shoal_i_trial *trial = NULL;
    size_t found = 0;
    uint64_t persons[2];

    SHOAL_TRY(shoal_i_trial_new(ctx, &trial, d, f));
    SHOAL_TRY(
        shoal_i_trial_judge(ctx, &found, trial, answer->cells, f->tried < f->cheap_count));
    if (found < f->trial) {
        shoal_i_trial_persons(persons, trial, answer->cells, found);
        SHOAL_TRY(make_cut(ctx, d, answer->fragment, f->cuts[f->tried + found], persons));
    } else {
        f->tried += f->trial;
        SHOAL_TRY(go_on(ctx, d, answer->fragment));
    }
done:
    shoal_i_trial_free(trial);
    return st;
}

static shoal_status take_answer(shoal_ctx *ctx, shoal_division *d, shoal_i_part_answer *answer)
{
    shoal_status st = SHOAL_OK;
    shoal_i_fragment *f = &d->fragments[answer->fragment];

    f->is_asked = false;
    if (f->state == SHOAL_I_FRAGMENT_SIDES) {
        return judge_trial(ctx, d, answer);
    }
    SHOAL_TRY(list_cuts(ctx, f, d, answer));
    SHOAL_TRY(go_on(ctx, d, answer->fragment));
done:
    return st;
}

/* --- Numbers and questions. ------------------------------------------------------------- */

/* Number the fragments from the front of the tree to its back. */
static shoal_status number_fragments(shoal_ctx *ctx, shoal_division *d)
{
    shoal_status st = SHOAL_OK;
    shoal_i_fragment *sorted = NULL;
    uint32_t *waiting = NULL; /* nodes; never more than there are leaves */
    size_t depth = 0;
    size_t count = 0;

    SHOAL_ALLOC(ctx, sorted, d->count);
    SHOAL_ALLOC(ctx, waiting, d->count);
    waiting[depth++] = 0;
    while (depth > 0) {
        shoal_i_cut_node *node = &d->nodes[waiting[--depth]];

        if (node->column == SHOAL_I_LEAF) {
            sorted[count] = d->fragments[node->front];
            node->front = (uint32_t)count++;
        } else {
            waiting[depth++] = node->back;
            waiting[depth++] = node->front;
        }
    }
    free(d->fragments);
    d->fragments = sorted;
    sorted = NULL;
done:
    free(sorted);
    free(waiting);
    return st;
}

/* Ask as many fragments as a round has room for, one at least. How many are not done. */
static size_t ask(shoal_division *d, uint64_t most_records)
{
    size_t left = d->round_bytes / sizeof(uint32_t);
    size_t open = 0;

    for (size_t i = 0; i < d->count; i++) {
        shoal_i_fragment *f = &d->fragments[i];

        if (f->state == SHOAL_I_FRAGMENT_WHOLE) {
            continue;
        }
        if (f->size <= most_records) {
            f->state = SHOAL_I_FRAGMENT_FITS;
            f->is_asked = false;
            continue;
        }
        if (f->state == SHOAL_I_FRAGMENT_FITS || f->state == SHOAL_I_FRAGMENT_LARGE) {
            f->state = SHOAL_I_FRAGMENT_VALUES;
        }
        size_t cells = shoal_i_answer_cells(d, f);

        if (f->state == SHOAL_I_FRAGMENT_VALUES && !d->is_exact) {
            cells += (size_t)(d->most_sampled < f->size ? d->most_sampled : f->size) *
                     (shoal_i_sample_width(d) + 3);
        }
        f->is_asked = open == 0 || cells <= left;
        left -= f->is_asked ? (cells < left ? cells : left) : 0;
        open++;
    }
    return open;
}

shoal_status shoal_i_division_cut(shoal_ctx *ctx, size_t *open, shoal_division *division,
                                  const struct shoal_counts *counts, uint64_t most_records)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; counts && i < counts->count; i++) {
        SHOAL_TRY(take_answer(ctx, division, &counts->answers[i]));
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
    SHOAL_TRY(number_fragments(ctx, division));
    *open = ask(division, most_records);
done:
    return st;
}

#include "merging.h"

#include "../../base/pool.h"
#include "../../base/sort.h"
#include "nearest.h"

#include <assert.h>

/* Groups whose partners are sought side by side, and how many of them one task takes. */
#define BATCH 256
#define SHARE 16

typedef struct merging {
    const shoal_i_problem *problem;
    const shoal_i_distinct *distinct;
    shoal_i_bunches bunches;
    size_t standing; /* groups */
    size_t indexed;  /* of them when the index was made */
    shoal_i_nearest *nearest;
    shoal_i_nearest_scratch **scratches; /* of each thread */
    bool is_size_enough;                 /* to tell whether a group holds */
    uint64_t smallest;                   /* class that can hold */
    shoal_i_tally tally;                 /* of the group that was counted last */
    uint32_t counted;
    uint32_t counted_last; /* its last point then */
    uint32_t *next;        /* point -> next one of its group */
    uint32_t *tails;       /* group -> its last point */
    uint8_t *holds;        /* per group: HOLDS, LACKS or UNKNOWN */
    uint32_t *changed_in;  /* per group: the batch in which it last changed */
    uint32_t *grown_in;    /* per group: the round in which it last changed */
    uint32_t round;        /* counted from 1 */
    size_t grown_count;
    shoal_i_sort_item *grown; /* groups that changed in the round that runs */
    /* groups that may lack something in it, in the order of their numbers */
    shoal_i_sort_item *turns;
    size_t turn_count;
    shoal_i_sort_item *spare;
    uint32_t batch; /* counted from 1 */
    size_t wanting_count;
    uint32_t wanting[BATCH]; /* groups that need a partner */
    shoal_i_partner partners[BATCH];
    size_t changed_count;
    uint32_t changed[BATCH]; /* groups that grew since partners were sought */
} merging;

enum { UNKNOWN, HOLDS, LACKS };

/* Count the records of a group. A group that was counted last has only grown at its end since:
 * one that is hard to please is asked about again and again. */
static void count_group(merging *m, uint32_t g)
{
    const shoal_i_distinct *d = m->distinct;
    uint32_t i = g;

    if (m->counted == g) {
        i = m->next[m->counted_last];
    } else {
        shoal_i_tally_empty(&m->tally);
    }
    for (; i != SHOAL_I_NO_GROUP; i = m->next[i]) {
        shoal_i_tally_add_list(&m->tally, d->records + d->first[i], d->weights[i]);
    }
    m->counted = g;
    m->counted_last = m->tails[g];
}

/* Whether a group meets the requirement; found out when it is asked for, since many merges may
 * lie between. */
static bool group_holds(merging *m, uint32_t g)
{
    shoal_i_class_stats stats = {.size = m->bunches.sizes[g], .persons = m->bunches.sizes[g]};

    if (m->holds[g] != UNKNOWN) {
        return m->holds[g] == HOLDS;
    }
    if (stats.size < m->smallest) {
        m->holds[g] = LACKS;
        return false;
    }
    if (!m->is_size_enough) {
        count_group(m, g);
        stats = m->tally.stats;
    }
    bool holds = shoal_i_requirement_holds(m->problem->requirements, &stats);

    m->holds[g] = holds ? HOLDS : LACKS;
    return holds;
}

static shoal_status seek_partners(shoal_ctx *ctx, void *payload, size_t index)
{
    merging *m = payload;
    size_t end =
        (index + 1) * SHARE < m->wanting_count ? (index + 1) * SHARE : m->wanting_count;

    for (size_t i = index * SHARE; i < end; i++) {
        m->partners[i] =
            shoal_i_nearest_find(m->nearest, m->scratches[ctx->worker], m->wanting[i]);
    }
    return SHOAL_OK;
}

/* The cheapest partner of a wanting group as things stand now. */
static shoal_i_partner settle_partner(merging *m, size_t i)
{
    shoal_i_partner partner = m->partners[i];

    if (partner.group == SHOAL_I_NO_GROUP || m->bunches.sizes[partner.group] == 0 ||
        m->changed_in[partner.group] == m->batch) {
        return shoal_i_nearest_find(m->nearest, m->scratches[0], m->wanting[i]);
    }
    shoal_i_nearest_among(&m->bunches, m->scratches[0], m->wanting[i], m->changed,
                          m->changed_count, &partner);
    return partner;
}

static void merge_groups(merging *m, uint32_t a, shoal_i_partner partner)
{
    uint32_t into =
        shoal_i_nearest_merge(m->nearest, &m->bunches, a, partner.group, partner.penalty);
    uint32_t gone = into == a ? partner.group : a;

    m->standing--;
    m->next[m->tails[into]] = gone;
    m->tails[into] = m->tails[gone];
    m->holds[into] = UNKNOWN;
    if (m->grown_in[into] != m->round) {
        m->grown_in[into] = m->round;
        m->grown[m->grown_count++] = (shoal_i_sort_item){.key = into, .item = into};
    }
    if (m->changed_in[into] != m->batch) {
        m->changed_in[into] = m->batch;
        m->changed[m->changed_count++] = into;
    }
}

/* Find partners for the groups collected, and merge. */
static shoal_status merge_batch(shoal_ctx *ctx, merging *m, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    size_t merged = 0;

    m->batch++;
    m->changed_count = 0;
    SHOAL_TRY(
        shoal_i_parallel_for(ctx, (m->wanting_count + SHARE - 1) / SHARE, seek_partners, m));
    for (size_t i = 0; i < m->wanting_count; i++) {
        if (m->bunches.sizes[m->wanting[i]] == 0) {
            continue; /* a lower number took it */
        }
        shoal_i_partner partner = settle_partner(m, i);

        if (partner.group == SHOAL_I_NO_GROUP) {
            break; /* one group is left: all points, which hold */
        }
        merge_groups(m, m->wanting[i], partner);
        merged++;
    }
    m->wanting_count = 0;
    SHOAL_TRY(shoal_i_meter_add(ctx, meter, merged));
done:
    return st;
}

/* Make the index anew when enough groups are gone. An old one gives the same answers, only
 * slower; and one group that is hard to please may need very many rounds. */
static shoal_status renew_index(shoal_ctx *ctx, merging *m)
{
    shoal_status st = SHOAL_OK;

    if (m->nearest && m->standing > m->indexed / 8 * 7) {
        return SHOAL_OK;
    }
    shoal_i_nearest_free(m->nearest);
    m->nearest = NULL;
    SHOAL_TRY(shoal_i_nearest_build(ctx, &m->nearest, &m->bunches));
    m->indexed = m->standing;
done:
    return st;
}

/* In the next round only groups that grew in this one may lack something: all that did have
 * grown. */
static void take_turns(merging *m)
{
    shoal_i_sort_item *swap = m->turns;

    shoal_i_sort_items(m->grown, m->spare, m->grown_count);
    m->turns = m->grown;
    m->turn_count = m->grown_count;
    m->grown = swap;
}

/* Give every group that lacks something a partner, once. */
static shoal_status merge_round(shoal_ctx *ctx, merging *m, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;

    m->round++;
    m->grown_count = 0;
    SHOAL_TRY(renew_index(ctx, m));
    for (size_t i = 0; i < m->turn_count; i++) {
        uint32_t g = m->turns[i].item;

        if (m->bunches.sizes[g] > 0 && !group_holds(m, g)) {
            m->wanting[m->wanting_count++] = g;
        }
        if (m->wanting_count == BATCH) {
            SHOAL_TRY(merge_batch(ctx, m, meter));
        }
    }
    SHOAL_TRY(merge_batch(ctx, m, meter));
    take_turns(m);
done:
    return st;
}

static shoal_status init_merging(shoal_ctx *ctx, merging *m)
{
    shoal_status st = SHOAL_OK;
    size_t count = m->distinct->count;
    size_t threads = (size_t)shoal_ctx_thread_count(ctx);

    m->standing = count;
    m->smallest = shoal_i_requirement_smallest_class(m->problem->requirements);
    m->counted = SHOAL_I_NO_GROUP;
    SHOAL_TRY(shoal_i_bunches_init(ctx, &m->bunches, m->distinct));
    SHOAL_TRY(shoal_i_tally_init(ctx, &m->tally, m->problem->source));
    SHOAL_ALLOC(ctx, m->next, count);
    SHOAL_ALLOC(ctx, m->tails, count);
    SHOAL_ALLOC(ctx, m->holds, count);
    SHOAL_ALLOC(ctx, m->changed_in, count);
    SHOAL_ALLOC(ctx, m->grown_in, count);
    SHOAL_ALLOC(ctx, m->grown, count);
    SHOAL_ALLOC(ctx, m->turns, count);
    SHOAL_ALLOC(ctx, m->spare, count);
    SHOAL_ALLOC(ctx, m->scratches, threads);
    for (size_t i = 0; i < threads; i++) {
        SHOAL_TRY(shoal_i_nearest_scratch_new(ctx, &m->scratches[i], m->distinct->lanes));
    }
    for (uint32_t i = 0; i < count; i++) {
        m->next[i] = SHOAL_I_NO_GROUP;
        m->tails[i] = i;
        m->turns[i] = (shoal_i_sort_item){.key = i, .item = i};
    }
    m->turn_count = count;
done:
    return st;
}

static void clear_merging(shoal_ctx *ctx, merging *m)
{
    for (size_t i = 0; m->scratches && i < (size_t)shoal_ctx_thread_count(ctx); i++) {
        shoal_i_nearest_scratch_free(m->scratches[i]);
    }
    free(m->scratches);
    shoal_i_nearest_free(m->nearest);
    shoal_i_bunches_clear(&m->bunches);
    shoal_i_tally_clear(&m->tally);
    free(m->next);
    free(m->tails);
    free(m->holds);
    free(m->changed_in);
    free(m->grown_in);
    free(m->grown);
    free(m->turns);
    free(m->spare);
    free(m);
}

shoal_status shoal_i_merge_points(shoal_ctx *ctx, uint32_t *group_of,
                                  const shoal_i_problem *problem,
                                  const shoal_i_distinct *distinct, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    merging *m = NULL;

    SHOAL_ALLOC(ctx, m, 1);
    m->problem = problem;
    m->distinct = distinct;
    m->is_size_enough = problem->source->active_count == 0;
    SHOAL_TRY(init_merging(ctx, m));
    while (m->turn_count > 0) {
        SHOAL_TRY(merge_round(ctx, m, meter));
    }
    for (uint32_t g = 0; g < distinct->count; g++) {
        for (uint32_t i = g; m->bunches.sizes[g] > 0 && i != SHOAL_I_NO_GROUP; i = m->next[i]) {
            group_of[i] = g;
        }
    }
    SHOAL_TRY(shoal_i_meter_add(ctx, meter, m->standing));
done:
    if (m) {
        clear_merging(ctx, m);
    }
    return st;
}

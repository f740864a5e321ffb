#include "deal.h"

#include "../../base/pool.h"
#include "../../base/sort.h"

#include <string.h>

/* Groups that one task deals. */
#define CHUNK 64

/* Records that may be counted while the number of groups is sought, for each record of the
 * group; past that it is halved instead of lowered by one. */
#define COUNTED_PER_RECORD 64

typedef struct dealing {
    shoal_i_grouping *grouping;
    const shoal_i_problem *problem;
    uint64_t smallest;
    size_t *starts; /* of the groups, one more than there are */
    size_t count;
    shoal_i_meter *meter;
} dealing;

/* Word i of the key of a record is its value in active column i. */
static void load_values(const void *payload, size_t word, shoal_i_sort_item *items,
                        size_t count)
{
    const shoal_i_tally_source *source = payload;

    for (size_t i = 0; i < count; i++) {
        items[i].key = source->active[word].codes[items[i].item];
    }
}

static shoal_status sort_by_values(shoal_ctx *ctx, const dealing *d, uint32_t *records,
                                   size_t count)
{
    const uint32_t starts[] = {0, (uint32_t)count};

    return shoal_i_sort_runs(ctx, records, starts, 1, d->problem->source->active_count,
                             load_values, d->problem->source);
}

/* Whether all hands hold when sorted records are dealt into so many; *counted is raised by the
 * records looked at. */
static bool hands_hold(const dealing *d, shoal_i_tally *tally, const uint32_t *sorted,
                       size_t count, size_t hands, size_t *counted)
{
    for (size_t hand = 0; hand < hands; hand++) {
        shoal_i_tally_empty(tally);
        for (size_t i = hand; i < count; i += hands) {
            shoal_i_tally_add(tally, sorted[i]);
        }
        *counted += tally->stats.size;
        if (!shoal_i_requirement_holds(d->problem->requirements, &tally->stats)) {
            return false;
        }
    }
    return true;
}

/* The largest number of hands that all hold; 1: the group stays whole. */
static size_t count_hands(const dealing *d, shoal_i_tally *tally, const uint32_t *sorted,
                          size_t count)
{
    size_t hands = count / (size_t)d->smallest;
    size_t counted = 0;

    while (hands > 1 && !hands_hold(d, tally, sorted, count, hands, &counted)) {
        hands = counted / COUNTED_PER_RECORD < count ? hands - 1 : hands / 2;
    }
    return hands > 1 ? hands : 1;
}

static void deal(const dealing *d, const uint32_t *sorted, shoal_i_span group, size_t hands)
{
    size_t place = group.first;

    for (size_t hand = 0; hand < hands; hand++) {
        for (size_t i = hand; i < group.count; i += hands) {
            d->grouping->records[place] = sorted[i];
            d->grouping->is_start[place] = i == hand;
            place++;
        }
    }
}

static shoal_status deal_group(shoal_ctx *ctx, const dealing *d, shoal_i_tally *tally,
                               shoal_i_span group)
{
    shoal_status st = SHOAL_OK;
    uint32_t *sorted = NULL;

    if (group.count / 2 < d->smallest) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, sorted, group.count);
    memcpy(sorted, d->grouping->records + group.first, group.count * sizeof *sorted);
    SHOAL_TRY(sort_by_values(ctx, d, sorted, group.count));
    size_t hands = count_hands(d, tally, sorted, group.count);

    if (hands > 1) {
        deal(d, sorted, group, hands);
    }
done:
    free(sorted);
    return st;
}

static shoal_status deal_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    const dealing *d = payload;
    size_t end = (index + 1) * CHUNK < d->count ? (index + 1) * CHUNK : d->count;
    shoal_i_tally tally = {0};

    SHOAL_TRY(shoal_i_tally_init(ctx, &tally, d->problem->source));
    for (size_t g = index * CHUNK; g < end; g++) {
        shoal_i_span group = shoal_i_span_between(d->starts[g], d->starts[g + 1]);

        SHOAL_TRY(deal_group(ctx, d, &tally, group));
        SHOAL_TRY(shoal_i_meter_add(ctx, d->meter, group.count));
    }
done:
    shoal_i_tally_clear(&tally);
    return st;
}

shoal_status shoal_i_deal_groups(shoal_ctx *ctx, shoal_i_grouping *grouping,
                                 const shoal_i_problem *problem, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    dealing d = {
        .grouping = grouping,
        .problem = problem,
        .smallest = shoal_i_requirement_smallest_class(problem->requirements),
        .meter = meter,
    };

    SHOAL_TRY(shoal_i_grouping_starts(ctx, &d.starts, &d.count, grouping));
    SHOAL_TRY(shoal_i_parallel_for(ctx, (d.count + CHUNK - 1) / CHUNK, deal_chunk, &d));
done:
    free(d.starts);
    return st;
}

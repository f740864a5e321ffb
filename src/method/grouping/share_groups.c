#include "share_groups.h"

#include "../../base/pool.h"
#include "../../base/sort.h"

#include <string.h>

/* Groups that one task shares out. */
#define CHUNK 64

/* Records that may be counted while the number of groups is sought, for each record of the
 * group; past that it is halved instead of lowered by one. */
#define COUNTED_PER_RECORD 64

typedef struct sharing {
    shoal_i_grouping *grouping;
    const shoal_i_problem *problem;
    uint64_t smallest;
    size_t *starts; /* of the groups, one more than there are */
    size_t count;
    shoal_i_meter *meter;
} sharing;

/* Word i of the key of a record is its value in active column i. */
static void load_values(const void *payload, size_t word, shoal_i_sort_item *items,
                        size_t count)
{
    const shoal_i_tally_source *source = payload;

    for (size_t i = 0; i < count; i++) {
        items[i].key = shoal_i_tally_value(&source->active[word], items[i].item);
    }
}

static shoal_status sort_by_values(shoal_ctx *ctx, const sharing *s, uint32_t *records,
                                   size_t count)
{
    const uint32_t starts[] = {0, (uint32_t)count};

    return shoal_i_sort_runs(ctx, records, starts, 1, s->problem->source->active_count,
                             load_values, s->problem->source);
}

/* Whether all parts hold when sorted records are shared out into so many; *counted is raised by
 * the records looked at. */
static bool parts_hold(const sharing *s, shoal_i_tally *tally, const uint32_t *sorted,
                       size_t count, size_t parts, size_t *counted)
{
    for (size_t part = 0; part < parts; part++) {
        shoal_i_tally_empty(tally);
        for (size_t i = part; i < count; i += parts) {
            shoal_i_tally_add(tally, sorted[i]);
        }
        *counted += tally->stats.size;
        if (!shoal_i_requirement_holds(s->problem->requirements, &tally->stats)) {
            return false;
        }
    }
    return true;
}

/* The largest number of parts that all hold; 1: the group stays whole. */
static size_t count_parts(const sharing *s, shoal_i_tally *tally, const uint32_t *sorted,
                          size_t count)
{
    size_t parts = count / (size_t)s->smallest;
    size_t counted = 0;

    while (parts > 1 && !parts_hold(s, tally, sorted, count, parts, &counted)) {
        parts = counted / COUNTED_PER_RECORD < count ? parts - 1 : parts / 2;
    }
    return parts > 1 ? parts : 1;
}

static void share_out(const sharing *s, const uint32_t *sorted, shoal_i_span group,
                      size_t parts)
{
    size_t place = group.first;

    for (size_t part = 0; part < parts; part++) {
        for (size_t i = part; i < group.count; i += parts) {
            s->grouping->records[place] = sorted[i];
            s->grouping->is_start[place] = i == part;
            place++;
        }
    }
}

static shoal_status share_group(shoal_ctx *ctx, const sharing *s, shoal_i_tally *tally,
                                shoal_i_span group)
{
    shoal_status st = SHOAL_OK;
    uint32_t *sorted = NULL;

    if (group.count / 2 < s->smallest) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, sorted, group.count);
    memcpy(sorted, s->grouping->records + group.first, group.count * sizeof *sorted);
    SHOAL_TRY(sort_by_values(ctx, s, sorted, group.count));
    size_t parts = count_parts(s, tally, sorted, group.count);

    if (parts > 1) {
        share_out(s, sorted, group, parts);
    }
done:
    free(sorted);
    return st;
}

static shoal_status share_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    const sharing *s = payload;
    size_t end = (index + 1) * CHUNK < s->count ? (index + 1) * CHUNK : s->count;
    shoal_i_tally tally = {0};

    SHOAL_TRY(shoal_i_tally_init(ctx, &tally, s->problem->source));
    for (size_t g = index * CHUNK; g < end; g++) {
        shoal_i_span group = shoal_i_span_between(s->starts[g], s->starts[g + 1]);

        SHOAL_TRY(share_group(ctx, s, &tally, group));
        SHOAL_TRY(shoal_i_meter_add(ctx, s->meter, group.count));
    }
done:
    shoal_i_tally_clear(&tally);
    return st;
}

shoal_status shoal_i_share_groups(shoal_ctx *ctx, shoal_i_grouping *grouping,
                                  const shoal_i_problem *problem, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    sharing s = {
        .grouping = grouping,
        .problem = problem,
        .smallest = shoal_i_requirement_smallest_class(problem->requirements),
        .meter = meter,
    };

    SHOAL_TRY(shoal_i_grouping_starts(ctx, &s.starts, &s.count, grouping));
    SHOAL_TRY(shoal_i_parallel_for(ctx, (s.count + CHUNK - 1) / CHUNK, share_chunk, &s));
done:
    free(s.starts);
    return st;
}

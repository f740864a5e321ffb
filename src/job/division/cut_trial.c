/* Whether both sides of a cut meet the requirement, where that depends on more than their
 * sizes.
 *
 * A side is a run of codes of one column, so what requirements count about it is a sum over
 * codes. To keep these counts for each code and each sensitive value could take more memory
 * than the records; so a few cuts are judged at a time, and counts are kept for the segments
 * between them:
 *
 *     codes of a column     0 1 2 3 | 4 5 | 6 7 8 9 ...
 *     segments                 0       1       2           each: records of each value
 *     front of a cut        the segments before it, back those behind
 *
 * The first cuts, which are wanted most, nearly always hold; later trials take more of them.
 */
#include "division.h"

#include <inttypes.h>
#include <math.h>

/* How much room is enough, of all that there is between the whole table and what is
 * forbidden. */
#define ROOM_ENOUGH 0.7

/* A cut of a trial, by its number there. */
typedef struct numbered_cut {
    uint32_t code;
    size_t number;
} numbered_cut;

/* The segments of a quasi column. */
typedef struct parted_column {
    size_t cut_count;
    numbered_cut *cuts;   /* ascending by code */
    uint32_t *segment_of; /* of each code */
    size_t first_cell;    /* segment after segment: records, then records of each value */
} parted_column;

struct shoal_i_trial {
    const shoal_division *division;
    uint64_t size; /* records of the fragment */
    const shoal_i_top_cut *cuts;
    size_t count;
    size_t offsets[SHOAL_I_REQUIREMENTS_MAX + 1]; /* of each active column in a segment */
    size_t segment_size;                          /* cells */
    parted_column *columns;                       /* of each quasi column */
};

static size_t find_offsets(size_t *offsets, const shoal_division *d)
{
    size_t size = 1;

    for (size_t a = 0; a < d->counted.active_count; a++) {
        offsets[a] = size;
        size += d->counted.active[a].value_count;
    }
    return size;
}

size_t shoal_i_trial_segment_size(const shoal_division *division)
{
    size_t offsets[SHOAL_I_REQUIREMENTS_MAX + 1];

    return find_offsets(offsets, division);
}

/* --- Segments. -------------------------------------------------------------------------- */

static int compare_codes(const void *a, const void *b)
{
    uint32_t x = ((const numbered_cut *)a)->code;
    uint32_t y = ((const numbered_cut *)b)->code;

    return (x > y) - (x < y);
}

static void number_segments(parted_column *column, uint32_t value_count)
{
    size_t segment = 0;

    for (uint32_t code = 0; code < value_count; code++) {
        while (segment < column->cut_count && column->cuts[segment].code <= code) {
            segment++;
        }
        column->segment_of[code] = (uint32_t)segment;
    }
}

static shoal_status part_columns(shoal_ctx *ctx, shoal_i_trial *t)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = t->division->prepared.quasi;
    size_t cells = 0;

    for (size_t i = 0; i < t->count; i++) {
        parted_column *column = &t->columns[t->cuts[i].column];

        if (!column->cuts) {
            SHOAL_ALLOC(ctx, column->cuts, t->count);
        }
        column->cuts[column->cut_count++] = (numbered_cut){t->cuts[i].code, i};
    }
    for (size_t c = 0; c < quasi->count; c++) {
        parted_column *column = &t->columns[c];

        if (column->cut_count == 0) {
            continue;
        }
        SHOAL_ALLOC(ctx, column->segment_of, quasi->columns[c].value_count);
        qsort(column->cuts, column->cut_count, sizeof *column->cuts, compare_codes);
        number_segments(column, quasi->columns[c].value_count);
        column->first_cell = cells;
        cells += (column->cut_count + 1) * t->segment_size;
    }
done:
    return st;
}

shoal_status shoal_i_trial_new(shoal_ctx *ctx, shoal_i_trial **out,
                               const shoal_division *division, const shoal_i_fragment *fragment)
{
    shoal_status st = SHOAL_OK;
    shoal_i_trial *t = NULL;

    SHOAL_ALLOC(ctx, t, 1);
    t->division = division;
    t->size = fragment->size;
    t->cuts = fragment->cuts + fragment->tried;
    t->count = fragment->trial;
    t->segment_size = find_offsets(t->offsets, division);
    SHOAL_ALLOC(ctx, t->columns, division->prepared.quasi->count);
    SHOAL_TRY(part_columns(ctx, t));
    *out = t;
    t = NULL;
done:
    shoal_i_trial_free(t);
    return st;
}

void shoal_i_trial_free(shoal_i_trial *trial)
{
    if (!trial) {
        return;
    }
    for (size_t c = 0; trial->columns && c < trial->division->prepared.quasi->count; c++) {
        free(trial->columns[c].cuts);
        free(trial->columns[c].segment_of);
    }
    free(trial->columns);
    free(trial);
}

void shoal_i_trial_count(const shoal_i_trial *trial, uint32_t *cells,
                         const shoal_i_batch *batch, size_t i)
{
    const shoal_division *d = trial->division;

    for (size_t c = 0; c < d->prepared.quasi->count; c++) {
        const parted_column *column = &trial->columns[c];

        if (column->cut_count == 0) {
            continue;
        }
        size_t segment = column->segment_of[shoal_i_batch_code(d, batch, c, i)];
        uint32_t *at = cells + column->first_cell + segment * trial->segment_size;

        at[0]++;
        for (size_t a = 0; a < d->counted.active_count; a++) {
            at[trial->offsets[a] + shoal_i_batch_counted(d, batch, a, i)]++;
        }
    }
}

/* --- Sides. ----------------------------------------------------------------------------- */

/* A trial while it is judged. */
typedef struct judging {
    const shoal_i_trial *trial;
    const uint32_t *cells;
    double *rooms; /* of each cut: that of the poorer side */
    shoal_i_tally tally;
} judging;

static void add_segment(judging *j, const parted_column *column, size_t segment)
{
    const shoal_i_trial *t = j->trial;
    const shoal_i_tally_source *counted = &t->division->counted;
    const uint32_t *cells = j->cells + column->first_cell + segment * t->segment_size;

    shoal_i_tally_add_size(&j->tally, cells[0]);
    for (size_t a = 0; a < counted->active_count; a++) {
        const uint32_t *counts = cells + t->offsets[a];

        for (uint32_t code = 0; code < counted->active[a].value_count; code++) {
            if (counts[code] > 0) {
                shoal_i_tally_add_values(&j->tally, a, code, counts[code]);
            }
        }
    }
}

/* Less is safer. */
static double find_badness(const shoal_i_requirement *requirement, double figure)
{
    return requirement->kind->larger_is_safer ? 1 / figure : figure;
}

/* How much of the way from what the whole table has to what is forbidden is left to a side: 1
 * all of it, 0 nothing. Where little is left, classes must look like the side as a whole, and
 * are large. Below 0: the side does not hold. */
static double find_room(const judging *j)
{
    const shoal_division *d = j->trial->division;
    const shoal_i_requirement_set *set = &d->prepared.requirements.set;
    double room = 1;

    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement *item = &set->items[i];
        double figure = 0;

        if (!item->kind->check(item, &j->tally.stats, &figure)) {
            return -1;
        }
        double bound = find_badness(item, shoal_i_requirement_bound(item));
        double way = bound - find_badness(item, d->whole_figures[i]);

        if (item->kind->needs_sensitive && way > 0) {
            room = fmin(room, fmax(0, (bound - find_badness(item, figure)) / way));
        }
    }
    return room;
}

static void judge_column(judging *j, const parted_column *column)
{
    shoal_i_tally_empty(&j->tally);
    for (size_t i = 0; i < column->cut_count; i++) {
        add_segment(j, column, i);
        j->rooms[column->cuts[i].number] = find_room(j);
    }
    shoal_i_tally_empty(&j->tally);
    for (size_t i = column->cut_count; i-- > 0;) {
        double *room = &j->rooms[column->cuts[i].number];

        add_segment(j, column, i + 1);
        *room = fmin(*room, find_room(j));
    }
}

/* The records of a column's segments are those of the fragment, and every record has a value in
 * every counted column. */
static bool adds_up(const judging *j, const parted_column *column)
{
    const shoal_i_trial *t = j->trial;
    const shoal_i_tally_source *counted = &t->division->counted;
    uint64_t records = 0;

    for (size_t s = 0; s <= column->cut_count; s++) {
        const uint32_t *cells = j->cells + column->first_cell + s * t->segment_size;

        for (size_t a = 0; a < counted->active_count; a++) {
            uint64_t sum = 0;

            for (size_t code = 0; code < counted->active[a].value_count; code++) {
                sum += cells[t->offsets[a] + code];
            }
            if (sum != cells[0]) {
                return false;
            }
        }
        records += cells[0];
    }
    return records == t->size;
}

/* The cut to make; the number of cuts when there is none. */
static size_t choose(const judging *j, bool prefers_room)
{
    double enough = prefers_room ? ROOM_ENOUGH : 0;
    size_t count = j->trial->count;
    size_t best = count;

    for (size_t i = 0; i < count; i++) {
        if (j->rooms[i] >= enough) {
            return i;
        }
        if (j->rooms[i] >= 0 && (best == count || j->rooms[i] > j->rooms[best])) {
            best = i;
        }
    }
    return best;
}

shoal_status shoal_i_trial_judge(shoal_ctx *ctx, size_t *found, const shoal_i_trial *trial,
                                 const uint32_t *cells, bool prefers_room)
{
    shoal_status st = SHOAL_OK;
    judging j = {.trial = trial, .cells = cells};

    SHOAL_ALLOC(ctx, j.rooms, trial->count);
    SHOAL_TRY(shoal_i_tally_init(ctx, &j.tally, &trial->division->counted));
    for (size_t c = 0; c < trial->division->prepared.quasi->count; c++) {
        const parted_column *column = &trial->columns[c];

        if (column->cut_count == 0) {
            continue;
        }
        if (!adds_up(&j, column)) {
            st = shoal_i_fail(ctx, SHOAL_EINVAL,
                              "The counts do not add up to the %" PRIu64 " records of a "
                              "fragment; add up those of every part once.",
                              trial->size);
            goto done;
        }
        judge_column(&j, column);
    }
    *found = choose(&j, prefers_room);
done:
    free(j.rooms);
    shoal_i_tally_clear(&j.tally);
    return st;
}

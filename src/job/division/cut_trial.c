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
 *
 * A person may have records on both sides, and counts on both. So where persons are counted,
 * there are two sets of counts: in the front of a cut are the persons whose smallest code is
 * before it, in its back those whose largest one is not; and the same of each person's records
 * of a value.
 *
 *     segments                 0       1       2
 *     records of a person      x       x                   counted in segment 0 for fronts, in
 *                                                          segment 1 for backs
 *
 * Both are sums over persons: they add up as long as all records of a person in the fragment
 * are counted together.
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
    size_t first_cell;    /* segment after segment: records, then records of each value;
                             or records, persons for fronts and for backs, then persons of each
                             value for fronts, and again for backs */
} parted_column;

struct shoal_i_trial {
    const shoal_division *division;
    uint64_t size; /* records of the fragment */
    uint64_t persons;
    const shoal_i_top_cut *cuts;
    size_t count;
    size_t offsets[SHOAL_I_TALLY_INPUTS_MAX]; /* of each active column in a segment */
    size_t values_size;                       /* cells of all values */
    size_t segment_size;                      /* cells */
    parted_column *columns;                   /* of each quasi column */
};

/* Cells of a segment: records, */
#define RECORDS 0
/* and where persons are counted those that count for fronts, and behind them for backs. */
#define PERSONS 1

static size_t count_values(const shoal_division *d)
{
    size_t values = 0;

    for (size_t a = 0; a < d->counted.active_count; a++) {
        values += d->counted.active[a].value_count;
    }
    return values;
}

size_t shoal_i_trial_segment_size(const shoal_division *division)
{
    size_t values = count_values(division);

    return shoal_i_division_counts_persons(division) ? PERSONS + 2 + 2 * values : 1 + values;
}

static void find_offsets(shoal_i_trial *t)
{
    const shoal_division *d = t->division;
    size_t offset = shoal_i_division_counts_persons(d) ? PERSONS + 2 : 1;

    for (size_t a = 0; a < d->counted.active_count; a++) {
        t->offsets[a] = offset;
        offset += d->counted.active[a].value_count;
    }
    t->values_size = count_values(d);
    t->segment_size = shoal_i_trial_segment_size(d);
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
    t->persons = fragment->persons;
    t->cuts = fragment->cuts + fragment->tried;
    t->count = fragment->trial;
    find_offsets(t);
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
    size_t places[SHOAL_I_TALLY_INPUTS_MAX]; /* in every segment */

    for (size_t a = 0; a < d->counted.active_count; a++) {
        places[a] = trial->offsets[a] + shoal_i_batch_counted(d, batch, a, i);
    }
    for (size_t c = 0; c < d->prepared.quasi->count; c++) {
        const parted_column *column = &trial->columns[c];

        if (column->cut_count == 0) {
            continue;
        }
        size_t segment = column->segment_of[shoal_i_batch_code(d, batch, c, i)];
        uint32_t *at = cells + column->first_cell + segment * trial->segment_size;

        at[RECORDS]++;
        for (size_t a = 0; a < d->counted.active_count; a++) {
            at[places[a]]++;
        }
    }
}

/* --- Persons. --------------------------------------------------------------------------- */

shoal_status shoal_i_person_at_init(shoal_ctx *ctx, shoal_i_person_at *at,
                                    const shoal_division *division)
{
    shoal_status st = SHOAL_OK;

    for (size_t a = 0; a < division->counted.active_count; a++) {
        size_t values = division->counted.active[a].value_count;

        SHOAL_ALLOC(ctx, at->values[a].places, values);
        SHOAL_ALLOC(ctx, at->values[a].present, values);
        SHOAL_ALLOC(ctx, at->values[a].numbers, values);
    }
    SHOAL_ALLOC(ctx, at->seen, division->prepared.quasi->count);
done:
    return st;
}

void shoal_i_person_at_clear(shoal_i_person_at *at)
{
    for (size_t a = 0; a < SHOAL_I_TALLY_INPUTS_MAX; a++) {
        free(at->values[a].places);
        free(at->values[a].present);
        free(at->values[a].numbers);
    }
    free(at->seen);
    *at = (shoal_i_person_at){0};
}

/* No segment yet. */
static void begin_seen(shoal_i_interval *seen, size_t columns)
{
    for (size_t c = 0; c < columns; c++) {
        seen[c] = (shoal_i_interval){.lo = UINT32_MAX, .hi = UINT32_MAX};
    }
}

/* A new person, of whom nothing was seen. */
static void begin_person(shoal_i_person_at *at, const shoal_i_trial *trial, uint64_t person)
{
    at->trial = trial;
    at->person = person;
    at->value_count = 0;
    for (size_t a = 0; a < trial->division->counted.active_count; a++) {
        at->values[a].count = 0;
    }
    begin_seen(at->seen, trial->division->prepared.quasi->count);
}

/* Where the person was seen with a value; *number: its place behind that of the person. */
static shoal_status find_value(shoal_ctx *ctx, size_t *number, shoal_i_person_at *at, size_t a,
                               uint32_t code)
{
    struct shoal_i_person_values *values = &at->values[a];
    size_t columns = at->trial->division->prepared.quasi->count;
    uint32_t place = values->places[code];

    if (place < values->count && values->present[place] == code) {
        *number = values->numbers[place];
        return SHOAL_OK;
    }
    if (at->value_count == at->room) {
        size_t room = 2 * at->room + 8;
        shoal_i_interval *seen =
            shoal_i_realloc(ctx, at->seen, (room + 1) * columns, sizeof *seen);

        if (!seen) {
            return SHOAL_ENOMEM;
        }
        at->seen = seen;
        at->room = room;
    }
    *number = ++at->value_count;
    begin_seen(at->seen + *number * columns, columns);
    values->places[code] = (uint32_t)values->count;
    values->numbers[values->count] = (uint32_t)*number;
    values->present[values->count++] = code;
    return SHOAL_OK;
}

/* Count once for fronts, in the first segment, and once for backs, in the last: cells of
 * segment 0. */
static void see(const shoal_i_trial *t, shoal_i_interval *seen, uint32_t segment,
                uint32_t *fronts, uint32_t *backs)
{
    if (seen->lo == UINT32_MAX || segment < seen->lo) {
        if (seen->lo != UINT32_MAX) {
            fronts[seen->lo * t->segment_size]--;
        }
        fronts[segment * t->segment_size]++;
        seen->lo = segment;
    }
    if (seen->hi == UINT32_MAX || segment > seen->hi) {
        if (seen->hi != UINT32_MAX) {
            backs[seen->hi * t->segment_size]--;
        }
        backs[segment * t->segment_size]++;
        seen->hi = segment;
    }
}

shoal_status shoal_i_trial_count_person(shoal_ctx *ctx, shoal_i_person_at *at,
                                        const shoal_i_trial *trial, uint32_t *cells,
                                        const shoal_i_batch *batch, size_t i)
{
    shoal_status st = SHOAL_OK;
    const shoal_division *d = trial->division;
    size_t columns = d->prepared.quasi->count;
    uint64_t person = batch->persons[i];
    size_t numbers[SHOAL_I_TALLY_INPUTS_MAX] = {0};
    uint32_t codes[SHOAL_I_TALLY_INPUTS_MAX] = {0};

    if (at->trial != trial || at->person != person || person == 0) {
        begin_person(at, trial, person);
    }
    for (size_t a = 0; a < d->counted.active_count; a++) {
        codes[a] = shoal_i_batch_counted(d, batch, a, i);
        SHOAL_TRY(find_value(ctx, &numbers[a], at, a, codes[a]));
    }
    for (size_t c = 0; c < columns; c++) {
        const parted_column *column = &trial->columns[c];
        uint32_t *first = cells + column->first_cell;

        if (column->cut_count == 0) {
            continue;
        }
        uint32_t segment = column->segment_of[shoal_i_batch_code(d, batch, c, i)];

        first[segment * trial->segment_size + RECORDS]++;
        see(trial, &at->seen[c], segment, first + PERSONS, first + PERSONS + 1);
        for (size_t a = 0; a < d->counted.active_count; a++) {
            uint32_t *fronts = first + trial->offsets[a] + codes[a];

            see(trial, &at->seen[numbers[a] * columns + c], segment, fronts,
                fronts + trial->values_size);
        }
    }
done:
    return st;
}

/* --- Sides. ----------------------------------------------------------------------------- */

/* A trial while it is judged. */
typedef struct judging {
    const shoal_i_trial *trial;
    const uint32_t *cells;
    double *rooms; /* of each cut: that of the poorer side */
    shoal_i_tally tally;
} judging;

/* One more segment of a front, or of a back. */
static void add_segment(judging *j, const parted_column *column, size_t segment, bool is_back)
{
    const shoal_i_trial *t = j->trial;
    const shoal_i_tally_source *counted = &t->division->counted;
    const uint32_t *cells = j->cells + column->first_cell + segment * t->segment_size;

    shoal_i_tally_add_size(&j->tally, cells[RECORDS]);
    if (shoal_i_division_counts_persons(t->division)) {
        j->tally.stats.persons += cells[PERSONS + is_back];
        cells += is_back ? t->values_size : 0;
    }
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
        add_segment(j, column, i, false);
        j->rooms[column->cuts[i].number] = find_room(j);
    }
    shoal_i_tally_empty(&j->tally);
    for (size_t i = column->cut_count; i-- > 0;) {
        double *room = &j->rooms[column->cuts[i].number];

        add_segment(j, column, i + 1, true);
        *room = fmin(*room, find_room(j));
    }
}

/* The records and persons of a column's segments are those of the fragment, and every record
 * has a value in every counted column; a person may have several. */
static bool adds_up(const judging *j, const parted_column *column)
{
    const shoal_i_trial *t = j->trial;
    const shoal_i_tally_source *counted = &t->division->counted;
    uint64_t records = 0;
    uint64_t persons[2] = {0, 0};

    for (size_t s = 0; s <= column->cut_count; s++) {
        const uint32_t *cells = j->cells + column->first_cell + s * t->segment_size;

        for (size_t a = 0; a < counted->active_count; a++) {
            uint64_t sum = 0;

            for (size_t code = 0; code < counted->active[a].value_count; code++) {
                sum += cells[t->offsets[a] + code];
            }
            if (sum != cells[RECORDS] && !shoal_i_division_counts_persons(t->division)) {
                return false;
            }
        }
        records += cells[RECORDS];
        for (size_t side = 0; side < 2 && shoal_i_division_counts_persons(t->division);
             side++) {
            persons[side] += cells[PERSONS + side];
        }
    }
    return records == t->size && persons[0] == t->persons && persons[1] == t->persons;
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

static shoal_status fail_sum(shoal_ctx *ctx, const shoal_i_trial *t)
{
    if (!shoal_i_division_counts_persons(t->division)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The counts do not add up to the %" PRIu64 " records of a "
                            "fragment; add up those of every part once.",
                            t->size);
    }
    return shoal_i_fail(ctx, SHOAL_EINVAL,
                        "The counts do not add up to the %" PRIu64 " records of %" PRIu64
                        " persons of a fragment; add up those of every part once, and let each "
                        "part have all records of its persons.",
                        t->size, t->persons);
}

void shoal_i_trial_persons(uint64_t persons[2], const shoal_i_trial *trial,
                           const uint32_t *cells, size_t cut)
{
    const parted_column *column = &trial->columns[trial->cuts[cut].column];
    bool is_back = false;

    persons[0] = persons[1] = 0;
    for (size_t s = 0;
         shoal_i_division_counts_persons(trial->division) && s <= column->cut_count; s++) {
        is_back = is_back || (s > 0 && column->cuts[s - 1].number == cut);
        persons[is_back] +=
            cells[column->first_cell + s * trial->segment_size + PERSONS + is_back];
    }
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
            st = fail_sum(ctx, trial);
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

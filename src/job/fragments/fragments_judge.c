/* Whether both sides of a cut meet the requirement, where that depends on more than their sizes.
 *
 * A side is a run of codes of one column, so what requirements count about it is a sum over
 * codes. To keep these counts for each code and each sensitive value could take more memory than
 * the records; so a few cuts are judged at a time, and counts are kept for the segments between
 * them:
 *
 *     codes of a column     0 1 2 3 | 4 5 | 6 7 8 9 ...
 *     segments                 0       1       2           each: records of each value
 *     front of a cut        the segments before it, back those behind
 *
 * The first cuts, which are wanted most, nearly always hold; later trials take more of them.
 */
#include "fragments.h"

#include <math.h>

/* Cuts of the first trial, and how many times as many the next one has. */
#define FIRST_TRIAL 32
#define GROWTH 8

/* Cuts to choose from where room is wanted, and how much of it is enough. */
#define ROOMY_TRIAL 4096
#define ROOM_ENOUGH 0.7

/* Cells of 4 bytes for every record that fits in memory; no fragment is there while cuts are
 * judged. */
#define CELLS_PER_RECORD 4

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
    uint32_t *cells;      /* segment after segment: records, then records of each value */
} parted_column;

typedef struct trial {
    const shoal_i_fragments *f;
    const shoal_i_top_cut *cuts;
    size_t count;
    size_t offsets[SHOAL_I_REQUIREMENTS_MAX + 1]; /* of each active column in a segment */
    size_t segment_size;                          /* cells */
    parted_column *columns;                       /* of each quasi column */
    double *rooms;                                /* of each cut: that of the poorer side */
    shoal_i_tally tally;
} trial;

static size_t find_segment_size(trial *t)
{
    const shoal_i_tally_source *counted = &t->f->counted;
    size_t size = 1;

    for (size_t i = 0; i < counted->active_count; i++) {
        t->offsets[i] = size;
        size += counted->active[i].value_count;
    }
    return size;
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

static shoal_status part_columns(shoal_ctx *ctx, trial *t)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = t->f->prepared->quasi;

    for (size_t i = 0; i < t->count; i++) {
        parted_column *column = &t->columns[t->cuts[i].column];

        if (!column->cuts) {
            SHOAL_ALLOC(ctx, column->cuts, t->count);
        }
        column->cuts[column->cut_count++] = (numbered_cut){t->cuts[i].code, i};
    }
    for (size_t c = 0; c < quasi->count; c++) {
        parted_column *column = &t->columns[c];
        size_t cells = 0;

        if (column->cut_count == 0) {
            continue;
        }
        SHOAL_ALLOC(ctx, column->segment_of, quasi->columns[c].value_count);
        qsort(column->cuts, column->cut_count, sizeof *column->cuts, compare_codes);
        number_segments(column, quasi->columns[c].value_count);
        SHOAL_TRY(shoal_i_size_mul(ctx, &cells, column->cut_count + 1, t->segment_size));
        SHOAL_ALLOC(ctx, column->cells, cells);
    }
done:
    return st;
}

static shoal_status count_segments(shoal_ctx *ctx, trial *t, const shoal_i_rows *records)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_fragments *f = t->f;
    shoal_i_rows_reader reader = {0};
    const unsigned char *row = NULL;
    uint32_t codes[SHOAL_I_REQUIREMENTS_MAX + 1];

    SHOAL_TRY(shoal_i_rows_reader_init(ctx, &reader, records));
    SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
    while (row) {
        for (size_t i = 0; i < f->counted.active_count; i++) {
            codes[i] = shoal_i_fragments_counted_code(f, row, i);
        }
        for (size_t c = 0; c < f->prepared->quasi->count; c++) {
            const parted_column *column = &t->columns[c];

            if (column->cut_count == 0) {
                continue;
            }
            uint32_t *cells =
                column->cells +
                column->segment_of[shoal_i_fragments_code(f, row, c)] * t->segment_size;

            cells[0]++;
            for (size_t i = 0; i < f->counted.active_count; i++) {
                cells[t->offsets[i] + codes[i]]++;
            }
        }
        SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    shoal_i_rows_reader_clear(&reader);
    return st;
}

/* --- Sides. ----------------------------------------------------------------------------- */

static void add_segment(trial *t, const parted_column *column, size_t segment)
{
    const shoal_i_tally_source *counted = &t->f->counted;
    const uint32_t *cells = column->cells + segment * t->segment_size;

    t->tally.stats.size += cells[0];
    for (size_t i = 0; i < counted->active_count; i++) {
        const uint32_t *counts = cells + t->offsets[i];

        for (uint32_t code = 0; code < counted->active[i].value_count; code++) {
            if (counts[code] > 0) {
                shoal_i_tally_add_values(&t->tally, i, code, counts[code]);
            }
        }
    }
}

/* Less is safer. */
static double find_badness(const shoal_i_requirement *requirement, double figure)
{
    return requirement->kind->larger_is_safer ? 1 / figure : figure;
}

/* How much of the way from what the whole table has to what is forbidden is left to a side: 1 all
 * of it, 0 nothing. Where little is left, classes must look like the side as a whole, and are
 * large. Below 0: the side does not hold. */
static double find_room(const trial *t)
{
    const shoal_i_requirement_set *set = &t->f->prepared->demands.set;
    double room = 1;

    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement *item = &set->items[i];
        double figure = 0;

        if (!item->kind->check(item, &t->tally.stats, &figure)) {
            return -1;
        }
        double bound = find_badness(item, shoal_i_requirement_bound(item));
        double way = bound - find_badness(item, t->f->whole_figures[i]);

        if (item->kind->needs_sensitive && way > 0) {
            room = fmin(room, fmax(0, (bound - find_badness(item, figure)) / way));
        }
    }
    return room;
}

static void judge_column(trial *t, const parted_column *column)
{
    shoal_i_tally_empty(&t->tally);
    for (size_t i = 0; i < column->cut_count; i++) {
        add_segment(t, column, i);
        t->rooms[column->cuts[i].number] = find_room(t);
    }
    shoal_i_tally_empty(&t->tally);
    for (size_t i = column->cut_count; i-- > 0;) {
        double *room = &t->rooms[column->cuts[i].number];

        add_segment(t, column, i + 1);
        *room = fmin(*room, find_room(t));
    }
}

/* The cut to make; the number of cuts when there is none. */
static size_t choose(const trial *t, bool prefers_room)
{
    double enough = prefers_room ? ROOM_ENOUGH : 0;
    size_t best = t->count;

    for (size_t i = 0; i < t->count; i++) {
        if (t->rooms[i] >= enough) {
            return i;
        }
        if (t->rooms[i] >= 0 && (best == t->count || t->rooms[i] > t->rooms[best])) {
            best = i;
        }
    }
    return best;
}

static void clear_trial(trial *t)
{
    for (size_t c = 0; t->columns && c < t->f->prepared->quasi->count; c++) {
        free(t->columns[c].cuts);
        free(t->columns[c].segment_of);
        free(t->columns[c].cells);
    }
    free(t->columns);
    free(t->rooms);
    shoal_i_tally_clear(&t->tally);
}

static shoal_status run_trial(shoal_ctx *ctx, size_t *found, trial *t,
                              const shoal_i_rows *records, bool prefers_room)
{
    shoal_status st = SHOAL_OK;
    size_t columns = t->f->prepared->quasi->count;

    SHOAL_ALLOC(ctx, t->columns, columns);
    SHOAL_ALLOC(ctx, t->rooms, t->count);
    SHOAL_TRY(shoal_i_tally_init(ctx, &t->tally, &t->f->counted));
    SHOAL_TRY(part_columns(ctx, t));
    SHOAL_TRY(count_segments(ctx, t, records));
    for (size_t c = 0; c < columns; c++) {
        if (t->columns[c].cut_count > 0) {
            judge_column(t, &t->columns[c]);
        }
    }
    *found = choose(t, prefers_room);
done:
    return st;
}

shoal_status shoal_i_fragments_find_safe(shoal_ctx *ctx, size_t *found,
                                         const shoal_i_fragments *fragments,
                                         const shoal_i_rows *records,
                                         const shoal_i_top_cut *cuts, size_t count,
                                         bool prefers_room)
{
    shoal_status st = SHOAL_OK;
    size_t next = prefers_room ? ROOMY_TRIAL : FIRST_TRIAL;

    *found = 0;
    if (fragments->counted.active_count == 0) {
        return SHOAL_OK; /* sizes are all there is, and each of them has enough */
    }
    while (*found < count) {
        trial t = {.f = fragments, .cuts = cuts + *found};
        size_t first = 0;

        t.segment_size = find_segment_size(&t);
        size_t most = CELLS_PER_RECORD * fragments->most_records / t.segment_size / 2 + 1;

        t.count = count - *found < next ? count - *found : next;
        t.count = t.count < most ? t.count : most;
        next *= GROWTH;
        st = run_trial(ctx, &first, &t, records, prefers_room);
        size_t tried = t.count;

        clear_trial(&t);
        SHOAL_TRY(st);
        *found += first;
        if (first < tried) {
            break;
        }
    }
done:
    return st;
}

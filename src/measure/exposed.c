#include "exposed.h"

#include "../base/pool.h"
#include "../table/table_codes.h"

#include <stdlib.h>

/* What is known of a code. */
enum { SEEN = 1, SEEN_AGAIN = 2, IS_END = 4 };

/* Whose codes are read together. */
#define ROWS_AT_ONCE 256

/* --- Start and end. --------------------------------------------------------------------- */

void shoal_i_exposed_clear(shoal_i_exposed *exposed)
{
    for (size_t c = 0; exposed->ends && c < exposed->quasi_count; c++) {
        free(exposed->ends[c].marks);
        free(exposed->ends[c].first);
    }
    free(exposed->ends);
    free(exposed->singles);
    shoal_i_arena_clear(&exposed->arena);
    *exposed = (shoal_i_exposed){0};
}

shoal_status shoal_i_exposed_init(shoal_ctx *ctx, shoal_i_exposed *out,
                                  const shoal_i_quasi *quasi, const size_t *sensitive,
                                  size_t sensitive_count, bool has_ranges)
{
    shoal_status st = SHOAL_OK;

    out->quasi_count = quasi->count;
    out->sensitive_count = sensitive_count;
    SHOAL_ALLOC(ctx, out->ends, quasi->count);
    SHOAL_ALLOC(ctx, out->singles, sensitive_count);
    for (size_t j = 0; j < sensitive_count; j++) {
        out->singles[j].column = sensitive[j];
    }
    for (size_t c = 0; c < quasi->count; c++) {
        const shoal_i_quasi_column *column = &quasi->columns[c];

        out->ends[c].is_looked_at = has_ranges && !column->hierarchy && !column->cells;
        if (out->ends[c].is_looked_at) {
            SHOAL_ALLOC(ctx, out->ends[c].marks, column->value_count);
        }
    }
done:
    return st;
}

static void end_class(shoal_i_exposed *e)
{
    for (size_t j = 0; e->open_size > 0 && j < e->sensitive_count; j++) {
        if (!e->singles[j].is_open_mixed) {
            e->singles[j].classes++;
            e->singles[j].records += e->open_size;
        }
    }
    e->classes += e->open_size > 0;
    e->open_size = 0;
}

/* The missing value, which is the last code, is nobody's value. */
static void end_column(shoal_i_range_ends *ends, size_t value_count)
{
    for (size_t code = 0; code < value_count; code++) {
        bool is_alone = (ends->marks[code] & (SEEN | SEEN_AGAIN)) == SEEN;

        ends->values += (ends->marks[code] & SEEN) != 0;
        ends->alone += is_alone;
        ends->shown += is_alone && (ends->marks[code] & IS_END);
    }
}

void shoal_i_exposed_end(shoal_i_exposed *exposed, const shoal_i_quasi *quasi)
{
    end_class(exposed);
    for (size_t c = 0; c < exposed->quasi_count; c++) {
        const shoal_i_quasi_column *column = &quasi->columns[c];

        if (exposed->ends[c].is_looked_at) {
            end_column(&exposed->ends[c], column->value_count - column->has_missing);
        }
    }
}

/* --- Ranges. ---------------------------------------------------------------------------- */

static void mark_persons(shoal_i_range_ends *ends, const shoal_i_release *release, size_t c,
                         const uint32_t *person_of)
{
    for (size_t row = 0; row < release->row_count; row++) {
        uint32_t code = shoal_i_quasi_code(release->quasi, c, row);
        unsigned char *mark = &ends->marks[code];

        if (!(*mark & SEEN)) {
            *mark |= SEEN;
            ends->first[code] = person_of[row];
        } else if (ends->first[code] != person_of[row]) {
            *mark |= SEEN_AGAIN;
        }
    }
}

/* Who was seen is seen again: without a branch, some rows at a time. */
static void mark_rows(shoal_i_range_ends *ends, const shoal_i_release *release, size_t c)
{
    const shoal_i_quasi_column *column = &release->quasi->columns[c];
    uint32_t entries[ROWS_AT_ONCE];

    for (size_t first = 0; first < release->row_count; first += ROWS_AT_ONCE) {
        size_t left = release->row_count - first;
        size_t count = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;

        shoal_i_codes_widen(entries, column->entries, first, count);
        for (size_t i = 0; i < count; i++) {
            unsigned char *mark = &ends->marks[column->code_of_entry[entries[i]]];

            *mark = (unsigned char)(*mark | SEEN | (*mark & SEEN) * SEEN_AGAIN);
        }
    }
}

static void add_column(shoal_i_range_ends *ends, const shoal_i_release *release, size_t c,
                       const uint32_t *person_of)
{
    const shoal_i_quasi *quasi = release->quasi;

    if (person_of) {
        mark_persons(ends, release, c, person_of);
    } else {
        mark_rows(ends, release, c);
    }
    for (size_t box = 0; box < release->box_count; box++) {
        shoal_i_interval interval = release->boxes[box * quasi->count + c];

        if (interval.lo < interval.hi) {
            ends->marks[interval.lo] |= IS_END;
            ends->marks[interval.hi] |= IS_END;
        }
    }
}

/* --- Values of classes. ----------------------------------------------------------------- */

/* The codes of a sensitive column, as classes show them. */
typedef struct shown {
    uint32_t *code; /* of each class: that of its first row */
    bool *is_mixed;
    uint32_t *size;
    size_t count;
} shown;

static const uint32_t *find_classes(const shoal_i_release *release)
{
    return release->shape == SHOAL_I_SHAPE_BUCKETS ? release->bucket_of : release->box_of;
}

static void read_column(shown *s, const shoal_i_release *release,
                        const shoal_i_single_value *single)
{
    const uint32_t *class_of = find_classes(release);

    for (size_t i = 0; i < s->count; i++) {
        s->size[i] = 0;
        s->is_mixed[i] = false;
    }
    for (size_t row = 0; row < release->row_count; row++) {
        uint32_t class = class_of[row];
        uint32_t code = shoal_table_code(release->quasi->table, single->column, row);

        code = single->value_of ? single->value_of[code] : code;
        if (s->size[class]++ == 0) {
            s->code[class] = code;
        }
        s->is_mixed[class] = s->is_mixed[class] || s->code[class] != code;
    }
}

static void add_classes(shoal_i_single_value *single, const shown *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (!s->is_mixed[i]) {
            single->classes++;
            single->records += s->size[i];
        }
    }
}

/* The persons of the classes with one value, which come in as a whole: who is in several of
 * them is one. */
static shoal_status add_persons(shoal_ctx *ctx, const shoal_i_exposed *e,
                                shoal_i_single_value *single, const shown *s,
                                const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    const uint32_t *class_of = find_classes(release);
    bool *is_told = NULL;

    SHOAL_ALLOC(ctx, is_told, e->person_count);
    for (size_t row = 0; row < release->row_count; row++) {
        if (!s->is_mixed[class_of[row]] && !is_told[e->person_of[row]]) {
            is_told[e->person_of[row]] = true;
            single->persons++;
        }
    }
done:
    free(is_told);
    return st;
}

/* A part of one class. */
static void add_part(shoal_i_single_value *single, const shown *s, bool goes_on)
{
    single->is_open_mixed =
        s->is_mixed[0] ||
        (goes_on && (single->is_open_mixed || single->open_code != s->code[0]));
    single->open_code = s->code[0];
}

static shoal_status add_values(shoal_ctx *ctx, shoal_i_exposed *e,
                               const shoal_i_release *release, shoal_i_piece piece)
{
    shoal_status st = SHOAL_OK;
    shown s = {.count = release->shape == SHOAL_I_SHAPE_BUCKETS ? release->bucket_count
                                                                : release->box_count};

    SHOAL_ALLOC(ctx, s.code, s.count);
    SHOAL_ALLOC(ctx, s.is_mixed, s.count);
    SHOAL_ALLOC(ctx, s.size, s.count);
    if (piece != SHOAL_I_GOING_ON) {
        end_class(e);
    }
    for (size_t j = 0; j < e->sensitive_count; j++) {
        read_column(&s, release, &e->singles[j]);
        if (piece == SHOAL_I_WHOLE) {
            add_classes(&e->singles[j], &s);
            if (e->person_count > 0) {
                SHOAL_TRY(add_persons(ctx, e, &e->singles[j], &s, release));
            }
        } else {
            add_part(&e->singles[j], &s, piece == SHOAL_I_GOING_ON);
        }
    }
    if (piece == SHOAL_I_WHOLE) {
        e->classes += s.count;
    } else {
        e->open_size += release->row_count;
    }
done:
    free(s.code);
    free(s.is_mixed);
    free(s.size);
    return st;
}

typedef struct adding {
    shoal_i_exposed *exposed;
    const shoal_i_release *release;
} adding;

static shoal_status add_one_column(shoal_ctx *ctx, void *payload, size_t c)
{
    shoal_status st = SHOAL_OK;
    const adding *a = payload;
    shoal_i_range_ends *ends = &a->exposed->ends[c];

    if (!ends->is_looked_at) {
        return SHOAL_OK;
    }
    if (a->exposed->person_of && !ends->first) {
        SHOAL_ALLOC(ctx, ends->first, a->release->quasi->columns[c].value_count);
    }
    add_column(ends, a->release, c, a->exposed->person_of);
done:
    return st;
}

shoal_status shoal_i_exposed_add(shoal_ctx *ctx, shoal_i_exposed *exposed,
                                 const shoal_i_release *release, shoal_i_piece piece)
{
    shoal_status st = SHOAL_OK;
    adding a = {exposed, release};

    SHOAL_TRY(shoal_i_parallel_for(ctx, exposed->quasi_count, add_one_column, &a));
    if (release->shape != SHOAL_I_SHAPE_RECORDS && release->row_count > 0) {
        SHOAL_TRY(add_values(ctx, exposed, release, piece));
    }
done:
    return st;
}

#include "uniques.h"

#include "../../base/pool.h"

#include <stdlib.h>

#define NO_UNIQUE UINT32_MAX

/* --- Points. ---------------------------------------------------------------------------- */

shoal_status shoal_i_uniques_load(shoal_ctx *ctx, shoal_i_uniques *s,
                                  const shoal_i_quasi *quasi, const uint32_t *point_of,
                                  size_t point_count)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(quasi->table);
    uint32_t *first_rows = NULL; /* of each point */
    uint32_t *sizes = NULL;

    s->column_count = quasi->count;
    s->point_count = point_count;
    SHOAL_ALLOC(ctx, first_rows, point_count);
    SHOAL_ALLOC(ctx, sizes, point_count);
    for (size_t row = 0; row < rows; row++) {
        if (sizes[point_of[row]]++ == 0) {
            first_rows[point_of[row]] = (uint32_t)row;
        }
    }
    SHOAL_ALLOC(ctx, s->value_count, quasi->count);
    SHOAL_ALLOC(ctx, s->codes, quasi->count);
    for (size_t c = 0; c < quasi->count; c++) {
        const shoal_i_quasi_column *column = &quasi->columns[c];

        s->value_count[c] = column->value_count;
        SHOAL_ALLOC(ctx, s->codes[c], point_count);
        for (size_t p = 0; p < point_count; p++) {
            s->codes[c][p] = shoal_i_codes_get(column->entries, first_rows[p]);
        }
    }
    SHOAL_ALLOC(ctx, s->unique_of, point_count);
    for (size_t p = 0; p < point_count; p++) {
        s->unique_of[p] = sizes[p] == 1 ? (uint32_t)s->unique_count++ : (uint32_t)NO_UNIQUE;
    }
    s->word_count = (s->unique_count + 63) / 64;
done:
    free(first_rows);
    free(sizes);
    return st;
}

/* --- Refinement. ------------------------------------------------------------------------ */

/* Classes of two points and more, one after another. */
typedef struct partition {
    uint32_t *points;
    size_t point_count;
    uint32_t *ends; /* of each class in points */
    size_t class_count;
} partition;

/* The walk below one largest column. */
typedef struct walk {
    const shoal_i_uniques *s;
    partition
        levels[SHOAL_I_TOGETHER_MAX + 1];   /* of the sets on the way, the empty one first */
    uint32_t columns[SHOAL_I_TOGETHER_MAX]; /* of the set, descending */
    uint32_t *counts;                       /* by code; all 0 between classes */
    uint32_t *places;                       /* by code */
    uint32_t *present;                      /* codes of a class */
    uint32_t *seen;                         /* the code of each of its points */
} walk;

static void note_found(const shoal_i_uniques *s, size_t set, uint32_t point)
{
    uint32_t unique = s->unique_of[point];

    if (unique != NO_UNIQUE) {
        s->bits[set * s->word_count + unique / 64] |= (uint64_t)1 << unique % 64;
    }
}

static void add_class(partition *to, size_t size)
{
    to->point_count += size;
    to->ends[to->class_count++] = (uint32_t)to->point_count;
}

/* Part one class by a column; points that are alone afterwards are noted for the set. */
static void part_class(walk *w, partition *to, const uint32_t *points, size_t size,
                       const uint32_t *codes, size_t set)
{
    size_t present_count = 0;

    if (size == 2 && codes[points[0]] != codes[points[1]]) { /* the usual end of a class */
        note_found(w->s, set, points[0]);
        note_found(w->s, set, points[1]);
        return;
    }
    for (size_t i = 0; i < size; i++) {
        uint32_t code = codes[points[i]];

        w->seen[i] = code;
        if (w->counts[code]++ == 0) {
            w->present[present_count++] = code;
        }
    }
    for (size_t i = 0; i < present_count; i++) {
        uint32_t code = w->present[i];

        if (w->counts[code] > 1) {
            w->places[code] = (uint32_t)to->point_count;
            add_class(to, w->counts[code]);
        }
    }
    for (size_t i = 0; i < size; i++) {
        uint32_t code = w->seen[i];

        if (w->counts[code] == 1) {
            note_found(w->s, set, points[i]);
        } else {
            to->points[w->places[code]++] = points[i];
        }
    }
    for (size_t i = 0; i < present_count; i++) {
        w->counts[w->present[i]] = 0;
    }
}

/* Extend the set of `depth` columns by one. */
static void refine(walk *w, size_t depth, uint32_t column)
{
    const partition *from = &w->levels[depth];
    partition *to = &w->levels[depth + 1];
    size_t start = 0;

    w->columns[depth] = column;
    to->point_count = 0;
    to->class_count = 0;
    size_t set = shoal_i_column_set(&w->s->sets, w->columns, depth + 1, SIZE_MAX);

    for (size_t c = 0; c < from->class_count; c++) {
        size_t end = from->ends[c];

        part_class(w, to, from->points + start, end - start, w->s->codes[column], set);
        start = end;
    }
}

/* All sets whose largest column is this one. An odometer rather than a recursion: the set on
 * the way is w->columns, of `depth` columns. */
static shoal_status walk_sets(shoal_ctx *ctx, walk *w, uint32_t largest)
{
    shoal_status st = SHOAL_OK;
    size_t depth = 1;
    uint32_t next = 0; /* column to extend the set by */

    refine(w, 0, largest);
    while (depth > 0) {
        bool can_grow = depth < w->s->sets.together && next < w->columns[depth - 1] &&
                        w->levels[depth].class_count > 0;

        if (can_grow) {
            refine(w, depth, next);
            depth++;
            next = 0;
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        } else {
            next = w->columns[--depth] + 1;
        }
    }
done:
    return st;
}

static shoal_status open_walk(shoal_ctx *ctx, walk *w, uint32_t largest)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_uniques *s = w->s;
    size_t values = 0;

    for (size_t c = 0; c <= largest; c++) {
        values = s->value_count[c] > values ? s->value_count[c] : values;
    }
    SHOAL_ALLOC(ctx, w->counts, values);
    SHOAL_ALLOC(ctx, w->places, values);
    SHOAL_ALLOC(ctx, w->present, values);
    SHOAL_ALLOC(ctx, w->seen, s->point_count);
    for (size_t level = 0; level <= s->sets.together; level++) {
        SHOAL_ALLOC(ctx, w->levels[level].points, s->point_count);
        SHOAL_ALLOC(ctx, w->levels[level].ends, s->point_count / 2 + 1);
    }
    for (size_t p = 0; p < s->point_count; p++) {
        w->levels[0].points[p] = (uint32_t)p;
    }
    add_class(&w->levels[0], s->point_count);
done:
    return st;
}

static void close_walk(walk *w)
{
    free(w->counts);
    free(w->places);
    free(w->present);
    free(w->seen);
    for (size_t level = 0; level <= SHOAL_I_TOGETHER_MAX; level++) {
        free(w->levels[level].points);
        free(w->levels[level].ends);
    }
}

/* The largest columns have the most sets below them: they come first. */
static shoal_status search_column(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    walk w = {.s = payload};
    uint32_t largest = (uint32_t)(w.s->column_count - 1 - index);

    SHOAL_TRY(open_walk(ctx, &w, largest));
    SHOAL_TRY(walk_sets(ctx, &w, largest));
done:
    close_walk(&w);
    return st;
}

shoal_status shoal_i_uniques_find(shoal_ctx *ctx, shoal_i_uniques *uniques)
{
    shoal_status st = SHOAL_OK;
    size_t words = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &words, uniques->word_count, uniques->sets.count));
    SHOAL_ALLOC(ctx, uniques->bits, words);
    SHOAL_TRY(shoal_i_parallel_for(ctx, uniques->column_count, search_column, uniques));
done:
    return st;
}

void shoal_i_uniques_clear(shoal_i_uniques *s)
{
    for (size_t c = 0; s->codes && c < s->column_count; c++) {
        free(s->codes[c]);
    }
    free(s->codes);
    free(s->value_count);
    free(s->unique_of);
    free(s->bits);
}

/* risk_combinations.c -- which columns together single records out: minimal sample uniques.
 *
 * A record is a minimal sample unique in a set of columns when no other record equals it there,
 * and in each smaller set some other does (Elliot, Manning, Ford, "A computational algorithm for
 * handling the special uniques problem", 2002, doi:10.1142/S0218488502001600).
 *
 * Records that are equal in all columns are one point. The search walks the sets depth first,
 * each as a refinement of the one it extends:
 *
 *     {}  ──► {2} ──► {2,0}
 *                 ──► {2,1} ──► {2,1,0}        sets grow by smaller and smaller columns
 *
 * A point that is alone in its class is singled out, and leaves: it is alone in all further
 * refinements, and nobody's company there. So deeper sets have less to look at. What was found
 * is one bit per set and point that can be singled out at all; which of these are minimal is
 * then a matter of bits, set by set from the small to the large:
 *
 *     below(S)   = OR of all(S without c), c in S
 *     minimal(S) = found(S) and not below(S)
 *     all(S)     = found(S) or below(S)
 *
 * Sets of m columns are numbered by the combinatorial number system, so the number of a smaller
 * set follows from its columns.
 */
#include "risk.h"

#include "../base/pool.h"
#include "../release/number.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Points times sets; some seconds on one processor. */
#define EFFORT_DEFAULT ((uint64_t)1 << 30)
#define WORDS_PER_BLOCK 64
#define NO_UNIQUE UINT32_MAX

typedef struct search {
    size_t column_count;
    size_t point_count;
    uint32_t **codes;    /* of each column, by point */
    size_t *value_count; /* of each column, the missing value included */
    uint32_t *unique_of; /* of each point: its place among those that are one record, or
                            NO_UNIQUE */
    size_t unique_count;
    size_t word_count;
    size_t together;
    size_t set_count;
    size_t first[SHOAL_I_TOGETHER_MAX + 2]; /* number of the first set of so many columns */
    uint64_t *bits; /* set after set, a bit for each unique point: found, later all */
} search;

/* --- Sets of columns. ------------------------------------------------------------------- */

/* n over k for k up to SHOAL_I_TOGETHER_MAX; UINT64_MAX when it is larger than that. */
static uint64_t choose(uint64_t n, size_t k)
{
    uint64_t result = 1;

    for (size_t i = 0; i < k; i++) {
        uint64_t factor = n >= i ? n - i : 0;

        if (factor > 0 && result > UINT64_MAX / factor) {
            return UINT64_MAX;
        }
        result = result * factor / (i + 1);
    }
    return result;
}

/* The number of a set, given as its columns in descending order without the one at `without`
 * (count: none). */
static size_t number_set(const search *s, const uint32_t *columns, size_t count, size_t without)
{
    size_t left = count - (without < count);
    size_t number = s->first[left];

    for (size_t i = 0; i < count; i++) {
        if (i != without) {
            number += (size_t)choose(columns[i], left--);
        }
    }
    return number;
}

/* Decide how many columns at once can be looked at within the effort. */
static void limit_sets(search *s, shoal_i_combinations *out, size_t together, uint64_t effort)
{
    uint64_t sets = 0;
    uint64_t affordable = effort / (s->point_count > 0 ? s->point_count : 1);

    out->asked = together < s->column_count ? together : s->column_count;
    for (size_t m = 1; m <= out->asked; m++) {
        uint64_t more = choose(s->column_count, m);
        bool is_too_many = m > 1 && (more > affordable || sets + more > affordable);

        if (!is_too_many && out->left_out == 0) {
            s->first[m] = (size_t)sets;
            sets += more;
            s->together = m;
        } else {
            out->left_out =
                more < UINT64_MAX - out->left_out ? out->left_out + more : UINT64_MAX;
        }
    }
    s->first[s->together + 1] = (size_t)sets;
    s->set_count = (size_t)sets;
    out->together = s->together;
    out->sets = sets;
}

/* --- Points. ---------------------------------------------------------------------------- */

typedef struct point_list {
    uint32_t *first_rows; /* of each point */
    uint32_t *sizes;      /* records */
} point_list;

static shoal_status list_points(shoal_ctx *ctx, point_list *points, size_t *count,
                                const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(quasi->table);
    uint32_t *point_of = NULL;
    size_t *columns = NULL;

    SHOAL_ALLOC(ctx, columns, quasi->count);
    SHOAL_ALLOC(ctx, point_of, rows);
    for (size_t c = 0; c < quasi->count; c++) {
        columns[c] = quasi->columns[c].column;
    }
    SHOAL_TRY(shoal_i_number_rows(ctx, point_of, count, quasi->table, columns, quasi->count));
    SHOAL_ALLOC(ctx, points->first_rows, *count);
    SHOAL_ALLOC(ctx, points->sizes, *count);
    for (size_t row = 0; row < rows; row++) {
        if (points->sizes[point_of[row]]++ == 0) {
            points->first_rows[point_of[row]] = (uint32_t)row;
        }
    }
done:
    free(point_of);
    free(columns);
    return st;
}

static shoal_status load_points(shoal_ctx *ctx, search *s, const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;
    point_list points = {0};

    SHOAL_TRY(list_points(ctx, &points, &s->point_count, quasi));
    s->column_count = quasi->count;
    SHOAL_ALLOC(ctx, s->value_count, quasi->count);
    SHOAL_ALLOC(ctx, s->codes, quasi->count);
    for (size_t c = 0; c < quasi->count; c++) {
        const shoal_i_quasi_column *column = &quasi->columns[c];

        s->value_count[c] = column->value_count;
        SHOAL_ALLOC(ctx, s->codes[c], s->point_count);
        for (size_t p = 0; p < s->point_count; p++) {
            s->codes[c][p] = shoal_i_codes_get(column->entries, points.first_rows[p]);
        }
    }
    SHOAL_ALLOC(ctx, s->unique_of, s->point_count);
    for (size_t p = 0; p < s->point_count; p++) {
        s->unique_of[p] =
            points.sizes[p] == 1 ? (uint32_t)s->unique_count++ : (uint32_t)NO_UNIQUE;
    }
    s->word_count = (s->unique_count + 63) / 64;
done:
    free(points.first_rows);
    free(points.sizes);
    return st;
}

static void clear_search(search *s)
{
    for (size_t c = 0; s->codes && c < s->column_count; c++) {
        free(s->codes[c]);
    }
    free(s->codes);
    free(s->value_count);
    free(s->unique_of);
    free(s->bits);
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
    const search *s;
    partition
        levels[SHOAL_I_TOGETHER_MAX + 1];   /* of the sets on the way, the empty one first */
    uint32_t columns[SHOAL_I_TOGETHER_MAX]; /* of the set, descending */
    uint32_t *counts;                       /* by code; all 0 between classes */
    uint32_t *places;                       /* by code */
    uint32_t *present;                      /* codes of a class */
    uint32_t *seen;                         /* the code of each of its points */
} walk;

static void note_found(const search *s, size_t set, uint32_t point)
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
    size_t set = number_set(w->s, w->columns, depth + 1, SIZE_MAX);

    for (size_t c = 0; c < from->class_count; c++) {
        size_t end = from->ends[c];

        part_class(w, to, from->points + start, end - start, w->s->codes[column], set);
        start = end;
    }
}

/* All sets whose largest column is this one. An odometer rather than a recursion: the set on the
 * way is w->columns, of `depth` columns. */
static shoal_status walk_sets(shoal_ctx *ctx, walk *w, uint32_t largest)
{
    shoal_status st = SHOAL_OK;
    size_t depth = 1;
    uint32_t next = 0; /* column to extend the set by */

    refine(w, 0, largest);
    while (depth > 0) {
        bool can_grow = depth < w->s->together && next < w->columns[depth - 1] &&
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
    const search *s = w->s;
    size_t values = 0;

    for (size_t c = 0; c <= largest; c++) {
        values = s->value_count[c] > values ? s->value_count[c] : values;
    }
    SHOAL_ALLOC(ctx, w->counts, values);
    SHOAL_ALLOC(ctx, w->places, values);
    SHOAL_ALLOC(ctx, w->present, values);
    SHOAL_ALLOC(ctx, w->seen, s->point_count);
    for (size_t level = 0; level <= s->together; level++) {
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

/* --- What is minimal. ------------------------------------------------------------------- */

/* Counts of some words; all of them are added up at the end. */
typedef struct word_counts {
    uint64_t *uniques; /* by set */
    uint64_t *minimal;
    uint64_t first_out[SHOAL_I_TOGETHER_MAX + 1];
    uint64_t singled_out;
    uint64_t *records; /* by column */
    uint64_t *only;
} word_counts;

typedef struct sieve {
    const search *s;
    uint32_t (*sets)[SHOAL_I_TOGETHER_MAX];    /* columns of each set, descending */
    uint32_t (*smaller)[SHOAL_I_TOGETHER_MAX]; /* numbers of the sets with one column less */
    unsigned char *sizes;
    word_counts *blocks;
} sieve;

static unsigned count_bits(uint64_t word)
{
    return (unsigned)__builtin_popcountll(word);
}

/* What a word of points owes to each column: `with` are those that a set with the column singles
 * out, `without` those that a set without it does. */
static void add_columns(const sieve *v, size_t set, uint64_t minimal, uint64_t *with,
                        uint64_t *without)
{
    size_t at = v->sizes[set];

    for (size_t c = 0; c < v->s->column_count; c++) {
        if (at > 0 && v->sets[set][at - 1] == c) {
            with[c] |= minimal;
            at--;
        } else {
            without[c] |= minimal;
        }
    }
}

/* bits: the word of set 0. */
static void sieve_word(const sieve *v, word_counts *counts, uint64_t *bits, uint64_t *with,
                       uint64_t *without)
{
    const search *s = v->s;
    uint64_t seen = 0;

    memset(with, 0, s->column_count * sizeof *with);
    memset(without, 0, s->column_count * sizeof *without);
    for (size_t set = 0; set < s->set_count; set++) {
        uint64_t below = 0;

        for (size_t i = 0; v->sizes[set] > 1 && i < v->sizes[set]; i++) {
            below |= bits[v->smaller[set][i] * s->word_count];
        }
        uint64_t *found = &bits[set * s->word_count];
        uint64_t minimal = *found & ~below;

        *found |= below;
        counts->uniques[set] += count_bits(*found);
        if (minimal) {
            counts->minimal[set] += count_bits(minimal);
            counts->first_out[v->sizes[set]] += count_bits(minimal & ~seen);
            seen |= minimal;
            add_columns(v, set, minimal, with, without);
        }
    }
    counts->singled_out += count_bits(seen);
    for (size_t c = 0; c < s->column_count; c++) {
        counts->records[c] += count_bits(with[c]);
        counts->only[c] += count_bits(with[c] & ~without[c]);
    }
}

static shoal_status sieve_block(shoal_ctx *ctx, void *payload, size_t block)
{
    shoal_status st = SHOAL_OK;
    const sieve *v = payload;
    const search *s = v->s;
    word_counts *counts = &v->blocks[block];
    size_t end = (block + 1) * WORDS_PER_BLOCK;
    uint64_t *with = NULL;
    uint64_t *without = NULL;

    SHOAL_ALLOC(ctx, counts->uniques, s->set_count);
    SHOAL_ALLOC(ctx, counts->minimal, s->set_count);
    SHOAL_ALLOC(ctx, counts->records, s->column_count);
    SHOAL_ALLOC(ctx, counts->only, s->column_count);
    SHOAL_ALLOC(ctx, with, s->column_count);
    SHOAL_ALLOC(ctx, without, s->column_count);
    for (size_t word = block * WORDS_PER_BLOCK; word < end && word < s->word_count; word++) {
        sieve_word(v, counts, s->bits + word, with, without);
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
done:
    free(with);
    free(without);
    return st;
}

/* List every set under its number: columns in descending order, as an odometer. */
static void list_sets(const sieve *v)
{
    const search *s = v->s;

    for (size_t m = 1; m <= s->together; m++) {
        uint32_t columns[SHOAL_I_TOGETHER_MAX] = {0};

        for (size_t i = 0; i < m; i++) {
            columns[i] = (uint32_t)(m - 1 - i);
        }
        for (size_t set = s->first[m]; set < s->first[m + 1]; set++) {
            assert(number_set(s, columns, m, SIZE_MAX) == set);
            v->sizes[set] = (unsigned char)m;
            memcpy(v->sets[set], columns, sizeof columns);
            for (size_t i = 0; m > 1 && i < m; i++) {
                v->smaller[set][i] = (uint32_t)number_set(s, columns, m, i);
            }
            /* The next one: the last column that can grow does, those behind it start over. */
            size_t at = m - 1;

            while (at > 0 && columns[at] + 1 == columns[at - 1]) {
                at--;
            }
            columns[at]++;
            for (size_t i = at + 1; i < m; i++) {
                columns[i] = (uint32_t)(m - 1 - i);
            }
        }
    }
}

/* --- The answer. ------------------------------------------------------------------------ */

static int compare_combinations(const void *x, const void *y)
{
    const shoal_i_combination *a = x;
    const shoal_i_combination *b = y;

    if (a->minimal != b->minimal) {
        return a->minimal > b->minimal ? -1 : 1;
    }
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (a->columns[i] != b->columns[i]) {
            return a->columns[i] < b->columns[i] ? -1 : 1;
        }
    }
    return 0;
}

static void add_block(const sieve *v, const word_counts *counts, shoal_i_combinations *out,
                      shoal_i_combination *all)
{
    const search *s = v->s;

    for (size_t set = 0; set < s->set_count; set++) {
        all[set].uniques += counts->uniques[set];
        all[set].minimal += counts->minimal[set];
        out->minimal[v->sizes[set]] += counts->minimal[set];
        for (size_t i = 0; i < v->sizes[set]; i++) {
            out->columns[v->sets[set][i]].minimal += counts->minimal[set];
        }
    }
    for (size_t c = 0; c < s->column_count; c++) {
        out->columns[c].records += counts->records[c];
        out->columns[c].only += counts->only[c];
    }
    for (size_t m = 0; m <= SHOAL_I_TOGETHER_MAX; m++) {
        out->first_out[m] += counts->first_out[m];
    }
    out->singled_out += counts->singled_out;
}

static shoal_status collect(shoal_ctx *ctx, const sieve *v, size_t block_count,
                            shoal_i_combinations *out)
{
    shoal_status st = SHOAL_OK;
    size_t sets = v->s->set_count;

    SHOAL_ALLOC(ctx, out->items, sets);
    for (size_t block = 0; block < block_count; block++) {
        add_block(v, &v->blocks[block], out, out->items);
    }
    for (size_t set = 0; set < sets; set++) {
        if (out->items[set].minimal == 0) {
            continue;
        }
        shoal_i_combination *item = &out->items[out->count++];

        *item = out->items[set];
        item->count = v->sizes[set];
        for (size_t i = 0; i < item->count; i++) {
            item->columns[i] = v->sets[set][item->count - 1 - i];
        }
    }
    qsort(out->items, out->count, sizeof *out->items, compare_combinations);
done:
    return st;
}

static shoal_status sift(shoal_ctx *ctx, const search *s, shoal_i_combinations *out)
{
    shoal_status st = SHOAL_OK;
    sieve v = {.s = s};
    size_t blocks = (s->word_count + WORDS_PER_BLOCK - 1) / WORDS_PER_BLOCK;

    SHOAL_ALLOC(ctx, v.sets, s->set_count);
    SHOAL_ALLOC(ctx, v.smaller, s->set_count);
    SHOAL_ALLOC(ctx, v.sizes, s->set_count);
    SHOAL_ALLOC(ctx, v.blocks, blocks);
    list_sets(&v);
    SHOAL_TRY(shoal_i_parallel_for(ctx, blocks, sieve_block, &v));
    SHOAL_TRY(collect(ctx, &v, blocks, out));
done:
    for (size_t block = 0; v.blocks && block < blocks; block++) {
        free(v.blocks[block].uniques);
        free(v.blocks[block].minimal);
        free(v.blocks[block].records);
        free(v.blocks[block].only);
    }
    free(v.sets);
    free(v.smaller);
    free(v.sizes);
    free(v.blocks);
    return st;
}

shoal_status shoal_i_combinations_find(shoal_ctx *ctx, shoal_i_combinations *out,
                                       const shoal_i_quasi *quasi, size_t together,
                                       uint64_t effort)
{
    shoal_status st = SHOAL_OK;
    shoal_i_combinations found = {.records = shoal_table_row_count(quasi->table),
                                  .column_count = quasi->count};
    search s = {0};
    size_t cells = 0;

    assert(together >= 1 && together <= SHOAL_I_TOGETHER_MAX);
    *out = (shoal_i_combinations){0};
    SHOAL_ALLOC(ctx, found.columns, quasi->count);
    for (size_t c = 0; c < quasi->count; c++) {
        found.columns[c].name = quasi->columns[c].name;
    }
    SHOAL_TRY(load_points(ctx, &s, quasi));
    limit_sets(&s, &found, together, effort > 0 ? effort : EFFORT_DEFAULT);
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, s.word_count, s.set_count));
    SHOAL_ALLOC(ctx, s.bits, cells);
    SHOAL_TRY(shoal_i_parallel_for(ctx, s.column_count, search_column, &s));
    SHOAL_TRY(sift(ctx, &s, &found));
    *out = found;
    found = (shoal_i_combinations){0};
done:
    clear_search(&s);
    shoal_i_combinations_clear(&found);
    return st;
}

void shoal_i_combinations_clear(shoal_i_combinations *combinations)
{
    free(combinations->items);
    free(combinations->columns);
    *combinations = (shoal_i_combinations){0};
}

void shoal_i_risk_clear(shoal_i_risk *risk)
{
    shoal_i_combinations_clear(&risk->combinations);
    free(risk->attributes);
    *risk = (shoal_i_risk){0};
}

/* risk_combinations.c -- which columns together single records out: minimal sample uniques.
 *
 * A record is a minimal sample unique in a set of columns when no other record equals it there,
 * and in each smaller set some other does (Elliot, Manning, Ford, "A computational algorithm
 * for handling the special uniques problem", 2002, doi:10.1142/S0218488502001600).
 *
 * Which sets single which records out is found first (uniques.h), a bit for each. Which of
 * these are minimal is then a matter of bits, set by set from the small to the large:
 *
 *     below(S)   = OR of all(S without c), c in S
 *     minimal(S) = found(S) and not below(S)
 *     all(S)     = found(S) or below(S)
 */
#include "uniques.h"

#include "../../base/bitset.h"
#include "../../base/pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Points times sets; some seconds on one processor. */
#define EFFORT_DEFAULT ((uint64_t)1 << 30)
#define WORDS_PER_BLOCK 64

/* Decide how many columns at once can be looked at within the effort. */
static void limit_sets(shoal_i_uniques *s, shoal_i_combinations *out, size_t together,
                       uint64_t effort)
{
    uint64_t sets = 0;
    uint64_t affordable = effort / (s->point_count > 0 ? s->point_count : 1);

    out->asked = together < s->column_count ? together : s->column_count;
    for (size_t m = 1; m <= out->asked; m++) {
        uint64_t more = shoal_i_choose(s->column_count, m);
        bool is_too_many = m > 1 && (more > affordable || sets + more > affordable);

        if (!is_too_many && out->left_out == 0) {
            s->sets.first[m] = (size_t)sets;
            sets += more;
            s->sets.together = m;
        } else {
            out->left_out =
                more < UINT64_MAX - out->left_out ? out->left_out + more : UINT64_MAX;
        }
    }
    s->sets.first[s->sets.together + 1] = (size_t)sets;
    s->sets.count = (size_t)sets;
    out->together = s->sets.together;
    out->sets = sets;
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
    const shoal_i_uniques *s;
    uint32_t (*sets)[SHOAL_I_TOGETHER_MAX];    /* columns of each set, descending */
    uint32_t (*smaller)[SHOAL_I_TOGETHER_MAX]; /* numbers of the sets with one column less */
    unsigned char *sizes;
    word_counts *blocks;
} sieve;

/* What a word of points owes to each column: `with` are those that a set with the column
 * singles out, `without` those that a set without it does. */
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
    const shoal_i_uniques *s = v->s;
    uint64_t seen = 0;

    memset(with, 0, s->column_count * sizeof *with);
    memset(without, 0, s->column_count * sizeof *without);
    for (size_t set = 0; set < s->sets.count; set++) {
        uint64_t below = 0;

        for (size_t i = 0; v->sizes[set] > 1 && i < v->sizes[set]; i++) {
            below |= bits[v->smaller[set][i] * s->word_count];
        }
        uint64_t *found = &bits[set * s->word_count];
        uint64_t minimal = *found & ~below;

        *found |= below;
        counts->uniques[set] += shoal_i_count_bits(*found);
        if (minimal) {
            counts->minimal[set] += shoal_i_count_bits(minimal);
            counts->first_out[v->sizes[set]] += shoal_i_count_bits(minimal & ~seen);
            seen |= minimal;
            add_columns(v, set, minimal, with, without);
        }
    }
    counts->singled_out += shoal_i_count_bits(seen);
    for (size_t c = 0; c < s->column_count; c++) {
        counts->records[c] += shoal_i_count_bits(with[c]);
        counts->only[c] += shoal_i_count_bits(with[c] & ~without[c]);
    }
}

static shoal_status sieve_block(shoal_ctx *ctx, void *payload, size_t block)
{
    shoal_status st = SHOAL_OK;
    const sieve *v = payload;
    const shoal_i_uniques *s = v->s;
    word_counts *counts = &v->blocks[block];
    size_t end = (block + 1) * WORDS_PER_BLOCK;
    uint64_t *with = NULL;
    uint64_t *without = NULL;

    SHOAL_ALLOC(ctx, counts->uniques, s->sets.count);
    SHOAL_ALLOC(ctx, counts->minimal, s->sets.count);
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
    const shoal_i_uniques *s = v->s;

    for (size_t m = 1; m <= s->sets.together; m++) {
        uint32_t columns[SHOAL_I_TOGETHER_MAX] = {0};

        for (size_t i = 0; i < m; i++) {
            columns[i] = (uint32_t)(m - 1 - i);
        }
        for (size_t set = s->sets.first[m]; set < s->sets.first[m + 1]; set++) {
            assert(shoal_i_column_set(&s->sets, columns, m, SIZE_MAX) == set);
            v->sizes[set] = (unsigned char)m;
            memcpy(v->sets[set], columns, sizeof columns);
            for (size_t i = 0; m > 1 && i < m; i++) {
                v->smaller[set][i] = (uint32_t)shoal_i_column_set(&s->sets, columns, m, i);
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
    const shoal_i_uniques *s = v->s;

    for (size_t set = 0; set < s->sets.count; set++) {
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
    size_t sets = v->s->sets.count;

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

static shoal_status sift(shoal_ctx *ctx, const shoal_i_uniques *s, shoal_i_combinations *out)
{
    shoal_status st = SHOAL_OK;
    sieve v = {.s = s};
    size_t blocks = (s->word_count + WORDS_PER_BLOCK - 1) / WORDS_PER_BLOCK;

    SHOAL_ALLOC(ctx, v.sets, s->sets.count);
    SHOAL_ALLOC(ctx, v.smaller, s->sets.count);
    SHOAL_ALLOC(ctx, v.sizes, s->sets.count);
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
                                       const shoal_i_quasi *quasi, const uint32_t *class_of,
                                       size_t class_count, size_t together, uint64_t effort)
{
    shoal_status st = SHOAL_OK;
    shoal_i_combinations found = {.records = shoal_table_row_count(quasi->table),
                                  .column_count = quasi->count};
    shoal_i_uniques s = {0};

    assert(together >= 1 && together <= SHOAL_I_TOGETHER_MAX);
    *out = (shoal_i_combinations){0};
    SHOAL_ALLOC(ctx, found.columns, quasi->count);
    for (size_t c = 0; c < quasi->count; c++) {
        found.columns[c].name = quasi->columns[c].name;
    }
    SHOAL_TRY(shoal_i_uniques_load(ctx, &s, quasi, class_of, class_count));
    limit_sets(&s, &found, together, effort > 0 ? effort : EFFORT_DEFAULT);
    SHOAL_TRY(shoal_i_uniques_find(ctx, &s));
    SHOAL_TRY(sift(ctx, &s, &found));
    *out = found;
    found = (shoal_i_combinations){0};
done:
    shoal_i_uniques_clear(&s);
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

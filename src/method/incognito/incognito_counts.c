#include "incognito_counts.h"

#include "../../base/fail.h"
#include "../../base/hash.h"

#include <string.h>

/* --- Counts. -------------------- */

void shoal_i_counts_clear(shoal_i_counts *counts)
{
    free(counts->keys);
    free(counts->sizes);
    free(counts->starts);
    free(counts->values);
    *counts = (shoal_i_counts){0};
}

static size_t count_values(const shoal_i_counts *counts)
{
    return counts->starts[counts->class_count * counts->active_count];
}

size_t shoal_i_counts_bytes(const shoal_i_counts *counts)
{
    return counts->class_count *
               (counts->word_count * sizeof *counts->keys + sizeof *counts->sizes +
                counts->active_count * sizeof *counts->starts) +
           count_values(counts) * sizeof *counts->values;
}

static shoal_status init_counts(shoal_ctx *ctx, shoal_i_counts *out, size_t class_count,
                                size_t value_count)
{
    shoal_status st = SHOAL_OK;
    size_t words = 0;
    size_t starts = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &words, class_count, out->word_count));
    SHOAL_TRY(shoal_i_size_mul(ctx, &starts, class_count, out->active_count));
    SHOAL_ALLOC(ctx, out->keys, words);
    SHOAL_ALLOC(ctx, out->sizes, class_count);
    SHOAL_ALLOC(ctx, out->starts, starts + 1);
    SHOAL_ALLOC(ctx, out->values, value_count);
done:
    return st;
}

static void load_class(shoal_i_counts *out, const shoal_i_problem *problem,
                       const shoal_i_levels *levels, size_t row)
{
    uint64_t *key = out->keys + row * out->word_count;

    for (size_t c = 0; c < levels->count; c++) {
        const shoal_i_level_column *column = &levels->columns[c];
        uint32_t code = shoal_i_quasi_alike(&levels->quasi->columns[c],
                                            shoal_i_quasi_code(levels->quasi, c, row));

        key[column->word] |= (uint64_t)code << column->shift;
    }
    out->sizes[row] = 1;
    for (size_t j = 0; j < out->active_count; j++) {
        size_t at = row * out->active_count + j;

        out->values[at] =
            (shoal_i_value_count){.code = problem->source->active[j].codes[row], .count = 1};
        out->starts[at + 1] = at + 1;
    }
}

shoal_status shoal_i_counts_load(shoal_ctx *ctx, shoal_i_counts *out,
                                 const shoal_i_problem *problem, const shoal_i_levels *levels)
{
    shoal_status st = SHOAL_OK;
    size_t values = 0;

    *out = (shoal_i_counts){.class_count = problem->row_count,
                            .word_count = levels->word_count,
                            .active_count = problem->source->active_count};
    SHOAL_TRY(shoal_i_size_mul(ctx, &values, problem->row_count, out->active_count));
    SHOAL_TRY(init_counts(ctx, out, problem->row_count, values));
    for (size_t row = 0; row < problem->row_count; row++) {
        load_class(out, problem, levels, row);
    }
done:
    if (st != SHOAL_OK) {
        shoal_i_counts_clear(out);
    }
    return st;
}

/* --- Scratch. -------------------- */

void shoal_i_roller_clear(shoal_i_roller *roller)
{
    shoal_i_counts_clear(&roller->made);
    free(roller->class_of);
    free(roller->slots);
    free(roller->order);
    free(roller->firsts);
    free(roller->holds);
    free(roller->kept_bits);
    free(roller->lifts);
    shoal_i_tally_clear(&roller->tally);
    shoal_i_tally_clear(&roller->suppressed);
    *roller = (shoal_i_roller){0};
}

shoal_status shoal_i_roller_init(shoal_ctx *ctx, shoal_i_roller *roller,
                                 const shoal_i_problem *problem, const shoal_i_levels *levels,
                                 size_t class_count, size_t value_count)
{
    shoal_status st = SHOAL_OK;

    *roller = (shoal_i_roller){
        .problem = problem,
        .levels = levels,
        .made = {.word_count = levels->word_count,
                 .active_count = problem->source->active_count},
        .slot_count = 16,
        .hash_key = ctx->hash_key,
    };
    while (roller->slot_count < 2 * class_count) {
        roller->slot_count *= 2;
    }
    SHOAL_TRY(init_counts(ctx, &roller->made, class_count, value_count));
    SHOAL_ALLOC(ctx, roller->class_of, class_count);
    SHOAL_ALLOC(ctx, roller->slots, roller->slot_count);
    SHOAL_ALLOC(ctx, roller->order, class_count);
    SHOAL_ALLOC(ctx, roller->firsts, class_count + 1);
    SHOAL_ALLOC(ctx, roller->holds, class_count);
    SHOAL_ALLOC(ctx, roller->kept_bits, levels->word_count);
    SHOAL_ALLOC(ctx, roller->lifts, levels->count);
    SHOAL_TRY(shoal_i_tally_init(ctx, &roller->tally, problem->source));
    SHOAL_TRY(shoal_i_tally_init(ctx, &roller->suppressed, problem->source));
done:
    if (st != SHOAL_OK) {
        shoal_i_roller_clear(roller);
    }
    return st;
}

shoal_status shoal_i_roller_copy(shoal_ctx *ctx, shoal_i_counts *out,
                                 const shoal_i_roller *roller)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_counts *made = &roller->made;
    size_t classes = made->class_count;
    size_t values = count_values(made);

    *out = *made;
    out->keys = NULL;
    out->sizes = NULL;
    out->starts = NULL;
    out->values = NULL;
    SHOAL_TRY(init_counts(ctx, out, classes, values));
    memcpy(out->keys, made->keys, classes * made->word_count * sizeof *out->keys);
    memcpy(out->sizes, made->sizes, classes * sizeof *out->sizes);
    memcpy(out->starts, made->starts, (classes * made->active_count + 1) * sizeof *out->starts);
    memcpy(out->values, made->values, values * sizeof *out->values);
done:
    if (st != SHOAL_OK) {
        shoal_i_counts_clear(out);
    }
    return st;
}

/* --- Classes of keys. -------------------- */

/* Work out once per roll-up how keys change: columns that are left out are masked away, those
 * that rise are looked up. */
static void plan_lifts(shoal_i_roller *r, const uint8_t *from, const uint8_t *to)
{
    const shoal_i_levels *levels = r->levels;

    r->lift_count = 0;
    memset(r->kept_bits, 0, levels->word_count * sizeof *r->kept_bits);
    for (size_t c = 0; c < levels->count; c++) {
        const shoal_i_level_column *column = &levels->columns[c];

        if (to[c] == 0) {
            continue;
        }
        r->kept_bits[column->word] |= column->mask << column->shift;
        if (to[c] != from[c]) {
            r->lifts[r->lift_count++] = (shoal_i_lift){
                .word = column->word,
                .shift = column->shift,
                .mask = column->mask,
                .to = column->intervals + (to[c] - 1u) * column->value_count,
            };
        }
    }
}

/* Generalize a key. */
static void lift_key(const shoal_i_roller *r, uint64_t *key, const uint64_t *from)
{
    for (size_t i = 0; i < r->levels->word_count; i++) {
        key[i] = from[i] & r->kept_bits[i];
    }
    for (size_t i = 0; i < r->lift_count; i++) {
        const shoal_i_lift *lift = &r->lifts[i];
        uint64_t *word = &key[lift->word];
        uint64_t code = lift->to[*word >> lift->shift & lift->mask].lo;

        *word = (*word & ~(lift->mask << lift->shift)) | code << lift->shift;
    }
}

static bool is_same_key(const uint64_t *a, const uint64_t *b, size_t word_count)
{
    for (size_t i = 0; i < word_count; i++) {
        if (a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

/* The class of the key that stands behind those of the classes made so far: one of them, or it
 * becomes a new one. */
static uint32_t find_class(shoal_i_roller *r, size_t slot_mask)
{
    shoal_i_counts *made = &r->made;
    const uint64_t *key = made->keys + made->class_count * made->word_count;
    size_t slot = (size_t)shoal_i_hash_words(&r->hash_key, key, made->word_count) & slot_mask;

    while (r->slots[slot] != 0) {
        uint32_t e = r->slots[slot] - 1;

        if (is_same_key(made->keys + e * made->word_count, key, made->word_count)) {
            return e;
        }
        slot = (slot + 1) & slot_mask;
    }
    r->slots[slot] = (uint32_t)made->class_count + 1;
    made->sizes[made->class_count] = 0;
    return (uint32_t)made->class_count++;
}

static void classify(shoal_i_roller *r, const shoal_i_counts *source)
{
    shoal_i_counts *made = &r->made;
    size_t slot_count = 16;

    while (slot_count < 2 * source->class_count) {
        slot_count *= 2;
    }
    memset(r->slots, 0, slot_count * sizeof *r->slots);
    made->class_count = 0;
    for (size_t i = 0; i < source->class_count; i++) {
        lift_key(r, made->keys + made->class_count * made->word_count,
                 source->keys + i * made->word_count);
        r->class_of[i] = find_class(r, slot_count - 1);
        made->sizes[r->class_of[i]] += source->sizes[i];
    }
}

/* --- Adding up the values of classes, and judging them. -------------------- */

static void order_sources(shoal_i_roller *r, const shoal_i_counts *source)
{
    memset(r->firsts, 0, (r->made.class_count + 1) * sizeof *r->firsts);
    for (size_t i = 0; i < source->class_count; i++) {
        r->firsts[r->class_of[i]]++;
    }
    for (size_t e = 0, next = 0; e <= r->made.class_count; e++) {
        size_t size = r->firsts[e];

        r->firsts[e] = (uint32_t)next;
        next += size;
    }
    for (size_t i = 0; i < source->class_count; i++) {
        r->order[r->firsts[r->class_of[i]]++] = (uint32_t)i;
    }
    /* Each has moved to the start of the next. */
    memmove(r->firsts + 1, r->firsts, r->made.class_count * sizeof *r->firsts);
    r->firsts[0] = 0;
}

/* Count the values of a class of the source into the tally. */
static void add_values(shoal_i_tally *tally, const shoal_i_counts *source, size_t i)
{
    for (size_t j = 0; j < source->active_count; j++) {
        size_t at = i * source->active_count + j;

        for (size_t v = source->starts[at]; v < source->starts[at + 1]; v++) {
            shoal_i_tally_add_values(tally, j, source->values[v].code, source->values[v].count);
        }
    }
}

/* Write down what the tally holds as the values of a class made. */
static void write_values(shoal_i_roller *r, size_t e)
{
    shoal_i_counts *made = &r->made;

    for (size_t j = 0; j < made->active_count; j++) {
        const struct shoal_i_tally_lists *lists = &r->tally.lists[j];
        size_t at = e * made->active_count + j;
        size_t end = made->starts[at];

        for (size_t v = 0; v < lists->present_count; v++) {
            uint32_t code = lists->present[v];

            made->values[end++] =
                (shoal_i_value_count){.code = code, .count = lists->counts[code]};
        }
        made->starts[at + 1] = end;
    }
}

/* The tally of a class made. */
static void tally_class(shoal_i_roller *r, const shoal_i_counts *source, size_t e)
{
    shoal_i_tally_empty(&r->tally);
    shoal_i_tally_add_size(&r->tally, r->made.sizes[e]);
    if (r->made.active_count > 0) {
        for (size_t i = r->firsts[e]; i < r->firsts[e + 1]; i++) {
            add_values(&r->tally, source, r->order[i]);
        }
        write_values(r, e);
    }
}

static void judge_class(shoal_i_roller *r, const uint8_t *node, size_t e,
                        shoal_i_judging judging)
{
    const shoal_i_counts *made = &r->made;
    bool is_open =
        judging == SHOAL_I_JUDGE_ALL || (judging == SHOAL_I_JUDGE_FIRST && r->violating == 0);

    if (!is_open) {
        return;
    }
    r->holds[e] = shoal_i_requirement_holds(r->problem->requirements, &r->tally.stats);
    if (!r->holds[e]) {
        r->violating += made->sizes[e];
    }
    if (!r->holds[e] && judging == SHOAL_I_JUDGE_ALL) {
        shoal_i_tally_join(&r->suppressed, &r->tally);
        r->extra += made->sizes[e] *
                    shoal_i_levels_gain(r->levels, node, made->keys + e * made->word_count);
    }
}

static uint64_t count_small(const shoal_i_roller *r)
{
    uint64_t smallest = shoal_i_requirement_smallest_class(r->problem->requirements);
    uint64_t small = 0;

    for (size_t e = 0; e < r->made.class_count; e++) {
        small += r->made.sizes[e] < smallest ? r->made.sizes[e] : 0;
    }
    return small;
}

static void forget_values(shoal_i_counts *made)
{
    memset(made->starts, 0,
           (made->class_count * made->active_count + 1) * sizeof *made->starts);
}

void shoal_i_roll_up(shoal_i_roller *roller, const shoal_i_counts *source,
                     const uint8_t *source_node, const uint8_t *node, shoal_i_judging judging)
{
    plan_lifts(roller, source_node, node);
    classify(roller, source);
    if (roller->made.active_count > 0 && judging != SHOAL_I_JUDGE_SIZES) {
        order_sources(roller, source);
    }
    roller->small = judging == SHOAL_I_JUDGE_NONE ? 0 : count_small(roller);
    roller->violating = judging == SHOAL_I_JUDGE_FIRST ? roller->small : 0;
    roller->extra = 0;
    shoal_i_tally_empty(&roller->suppressed);
    roller->made.starts[0] = 0;
    if (judging == SHOAL_I_JUDGE_SIZES) {
        forget_values(&roller->made);
        return;
    }
    for (size_t e = 0; e < roller->made.class_count; e++) {
        tally_class(roller, source, e);
        judge_class(roller, node, e, judging);
    }
    roller->may_suppress =
        roller->violating == 0 ||
        (judging == SHOAL_I_JUDGE_ALL &&
         shoal_i_requirement_holds(roller->problem->requirements, &roller->suppressed.stats));
}

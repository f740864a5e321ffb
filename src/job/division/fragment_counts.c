/* Answers to what fragments ask: how often each value occurs, or what lies between cuts that
 * are on trial. */
#include "division.h"

#include "../../base/hash.h"

#include <string.h>

/* --- Answers. --------------------------------------------------------------------------- */

static size_t count_values(const shoal_division *d)
{
    size_t values = 0;

    for (size_t c = 0; c < d->prepared.quasi->count; c++) {
        values += d->prepared.quasi->columns[c].value_count;
    }
    return values;
}

/* Of each column: segments, one more than the cuts that are on trial there. */
static size_t count_segments(const shoal_division *d, const shoal_i_fragment *fragment)
{
    size_t segments = 0;

    for (size_t c = 0; c < d->prepared.quasi->count; c++) {
        size_t cuts = 0;

        for (size_t i = 0; i < fragment->trial; i++) {
            cuts += fragment->cuts[fragment->tried + i].column == c;
        }
        segments += cuts > 0 ? cuts + 1 : 0;
    }
    return segments;
}

size_t shoal_i_answer_cells(const shoal_division *division, const shoal_i_fragment *fragment)
{
    return fragment->state == SHOAL_I_FRAGMENT_VALUES
               ? count_values(division)
               : count_segments(division, fragment) * shoal_i_trial_segment_size(division);
}

static shoal_status init_answer(shoal_ctx *ctx, shoal_i_part_answer *answer,
                                const shoal_division *d, size_t fragment)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_fragment *f = &d->fragments[fragment];

    answer->fragment = fragment;
    answer->cell_count = shoal_i_answer_cells(d, f);
    SHOAL_ALLOC(ctx, answer->cells, answer->cell_count);
    if (f->state == SHOAL_I_FRAGMENT_VALUES && !d->is_exact) {
        answer->sample = (shoal_i_draw){
            .width = shoal_i_sample_width(d), .most = d->most_sampled, .threshold = UINT64_MAX};
    }
done:
    return st;
}

shoal_status shoal_i_part_counts_init(shoal_ctx *ctx, struct shoal_counts *counts,
                                      const shoal_division *division)
{
    shoal_status st = SHOAL_OK;
    size_t asked = 0;

    *counts = (struct shoal_counts){0};
    for (size_t i = 0; i < division->count; i++) {
        asked += division->fragments[i].is_asked;
    }
    SHOAL_ALLOC(ctx, counts->answers, asked);
    for (size_t i = 0; i < division->count; i++) {
        if (division->fragments[i].is_asked) {
            SHOAL_TRY(init_answer(ctx, &counts->answers[counts->count++], division, i));
        }
    }
done:
    return st;
}

void shoal_i_part_counts_clear(struct shoal_counts *counts)
{
    for (size_t i = 0; i < counts->count; i++) {
        free(counts->answers[i].cells);
        shoal_i_draw_clear(&counts->answers[i].sample);
    }
    free(counts->answers);
    *counts = (struct shoal_counts){0};
}

/* --- Counting. -------------------------------------------------------------------------- */

struct shoal_i_counter {
    const shoal_division *division;
    struct shoal_counts *counts;
    uint32_t *answer_of;    /* of each fragment: 1 + its answer, 0: it is not asked */
    shoal_i_trial **trials; /* of each answer; NULL: it is asked for its values */
    uint32_t *record;       /* the sampled codes of one */
    shoal_i_person_at at;   /* where persons are counted */
};

void shoal_i_counter_free(shoal_i_counter *counter)
{
    if (!counter) {
        return;
    }
    for (size_t i = 0; counter->trials && i < counter->counts->count; i++) {
        shoal_i_trial_free(counter->trials[i]);
    }
    free(counter->trials);
    free(counter->answer_of);
    free(counter->record);
    shoal_i_person_at_clear(&counter->at);
    free(counter);
}

shoal_status shoal_i_counter_new(shoal_ctx *ctx, shoal_i_counter **out,
                                 const shoal_division *division, struct shoal_counts *counts)
{
    shoal_status st = SHOAL_OK;
    shoal_i_counter *counter = NULL;

    SHOAL_ALLOC(ctx, counter, 1);
    counter->division = division;
    counter->counts = counts;
    SHOAL_ALLOC(ctx, counter->answer_of, division->count);
    SHOAL_ALLOC(ctx, counter->trials, counts->count);
    SHOAL_ALLOC(ctx, counter->record, shoal_i_sample_width(division));
    for (size_t i = 0; i < counts->count; i++) {
        const shoal_i_fragment *fragment = &division->fragments[counts->answers[i].fragment];

        counter->answer_of[counts->answers[i].fragment] = (uint32_t)i + 1;
        if (fragment->state == SHOAL_I_FRAGMENT_SIDES) {
            SHOAL_TRY(shoal_i_trial_new(ctx, &counter->trials[i], division, fragment));
        }
    }
    if (shoal_i_division_counts_persons(division)) {
        SHOAL_TRY(shoal_i_person_at_init(ctx, &counter->at, division));
    }
    *out = counter;
    counter = NULL;
done:
    shoal_i_counter_free(counter);
    return st;
}

/* A number drawn by the values of a record, all of them that are read. */
static uint64_t draw_number(const shoal_division *d, const shoal_i_batch *batch, size_t i)
{
    uint64_t draw = d->seed;

    for (size_t c = 0; c < d->prepared.column_count; c++) {
        if (batch->codes[c]) {
            draw = shoal_i_digest_u64(draw + ((uint64_t)c << 32) + batch->codes[c][i] + 1);
        }
    }
    if (d->counts_persons && !batch->codes[d->prepared.persons.column]) {
        draw = shoal_i_digest_u64(draw + batch->persons[i]);
    }
    return draw;
}

static shoal_status take_sample(shoal_ctx *ctx, shoal_i_counter *counter, shoal_i_draw *sample,
                                const shoal_i_batch *batch, size_t i)
{
    const shoal_division *d = counter->division;
    uint64_t draw = draw_number(d, batch, i);

    if (draw > sample->threshold) {
        return SHOAL_OK;
    }
    for (size_t s = 0; s < d->sampled_count; s++) {
        counter->record[s] = batch->codes[d->sampled[s]][i];
    }
    if (d->counts_persons) {
        counter->record[d->sampled_count] = (uint32_t)(batch->persons[i] >> 32);
        counter->record[d->sampled_count + 1] = (uint32_t)batch->persons[i];
    }
    return shoal_i_draw_add(ctx, sample, draw, 1, counter->record);
}

static void count_record(const shoal_division *d, uint32_t *cells, const shoal_i_batch *batch,
                         size_t i)
{
    for (size_t c = 0; c < d->prepared.quasi->count; c++) {
        cells[shoal_i_batch_code(d, batch, c, i)]++;
        cells += d->prepared.quasi->columns[c].value_count;
    }
}

shoal_status shoal_i_counter_add(shoal_ctx *ctx, shoal_i_counter *counter,
                                 const shoal_i_batch *batch)
{
    shoal_status st = SHOAL_OK;
    const shoal_division *d = counter->division;

    for (size_t i = 0; i < batch->count; i++) {
        uint32_t number = counter->answer_of[shoal_i_division_find(d, batch, i)];

        if (number == 0) {
            continue;
        }
        shoal_i_part_answer *answer = &counter->counts->answers[number - 1];

        if (counter->trials[number - 1] && shoal_i_division_counts_persons(d)) {
            SHOAL_TRY(shoal_i_trial_count_person(ctx, &counter->at, counter->trials[number - 1],
                                                 answer->cells, batch, i));
            continue;
        }
        if (counter->trials[number - 1]) {
            shoal_i_trial_count(counter->trials[number - 1], answer->cells, batch, i);
            continue;
        }
        count_record(d, answer->cells, batch, i);
        if (answer->sample.width > 0) {
            SHOAL_TRY(take_sample(ctx, counter, &answer->sample, batch, i));
        }
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

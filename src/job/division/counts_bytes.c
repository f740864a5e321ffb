/* Counts of parts: made, added up, and as bytes. */
#include "../../base/entry.h"
#include "bound_part.h"
#include "division_bytes.h"

#include <string.h>

#define RECORDS_MAX (UINT32_MAX - 1)

static const shoal_i_portable_kind kind = SHOAL_I_PORTABLE_COUNTS;

void shoal_counts_free(shoal_counts *counts)
{
    if (counts) {
        shoal_i_part_counts_clear(counts);
        free(counts);
    }
}

/* Empty counts of a division as it stands. */
static shoal_status new_counts(shoal_ctx *ctx, shoal_counts **out,
                               const shoal_division *division)
{
    shoal_status st = SHOAL_OK;
    shoal_counts *counts = NULL;

    SHOAL_ALLOC(ctx, counts, 1);
    SHOAL_TRY(shoal_i_part_counts_init(ctx, counts, division));
    SHOAL_TRY(shoal_i_division_digest(ctx, counts->digest, division));
    *out = counts;
    counts = NULL;
done:
    shoal_counts_free(counts);
    return st;
}

/* Whether any fragment asks about sides, where the records of a person must follow each
 * other. */
static bool asks_persons(const shoal_division *d, const shoal_counts *counts)
{
    for (size_t i = 0; shoal_i_division_counts_persons(d) && i < counts->count; i++) {
        if (d->fragments[counts->answers[i].fragment].state == SHOAL_I_FRAGMENT_SIDES) {
            return true;
        }
    }
    return false;
}

static shoal_status count_in_order(shoal_ctx *ctx, shoal_i_counter *counter,
                                   const shoal_i_bound_part *part)
{
    shoal_status st = SHOAL_OK;
    shoal_i_batch batch = {0};
    uint32_t *rows = NULL;

    SHOAL_ALLOC(ctx, rows, SHOAL_I_BATCH_MAX);
    for (size_t first = 0; first < shoal_table_row_count(part->table);) {
        SHOAL_TRY(shoal_i_bound_part_read(ctx, &batch, rows, &first, part, first));
        SHOAL_TRY(shoal_i_counter_add(ctx, counter, &batch));
    }
done:
    free(rows);
    return st;
}

static shoal_status count_by_person(shoal_ctx *ctx, shoal_i_counter *counter,
                                    const shoal_i_bound_part *part)
{
    shoal_status st = SHOAL_OK;
    size_t count = part->persons.row_count;
    shoal_i_batch batch = {0};
    uint32_t *rows = NULL;

    SHOAL_TRY(shoal_i_bound_part_sort(ctx, &rows, part));
    for (size_t first = 0; first < count; first += batch.count) {
        size_t left = count - first;

        SHOAL_TRY(
            shoal_i_bound_part_gather(ctx, &batch, part, rows + first,
                                      left < SHOAL_I_BATCH_MAX ? left : SHOAL_I_BATCH_MAX));
        SHOAL_TRY(shoal_i_counter_add(ctx, counter, &batch));
    }
done:
    free(rows);
    return st;
}

static shoal_status count_part(shoal_ctx *ctx, shoal_counts *counts,
                               const shoal_division *division, const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    shoal_i_bound_part part = {0};
    shoal_i_counter *counter = NULL;

    SHOAL_TRY(shoal_i_bound_part_init(ctx, &part, division, table, SHOAL_I_PART_COUNTED));
    SHOAL_TRY(shoal_i_counter_new(ctx, &counter, division, counts));
    SHOAL_TRY(asks_persons(division, counts) ? count_by_person(ctx, counter, &part)
                                             : count_in_order(ctx, counter, &part));
    for (size_t i = 0; i < counts->count; i++) {
        if (counts->answers[i].sample.width > 0) {
            SHOAL_TRY(shoal_i_draw_settle(ctx, &counts->answers[i].sample));
        }
    }
done:
    shoal_i_counter_free(counter);
    shoal_i_bound_part_clear(&part);
    return st;
}

shoal_status shoal_division_count(shoal_ctx *ctx, shoal_counts **out,
                                  const shoal_division *division, const shoal_table *part)
{
    SHOAL_ENTER_FOR(ctx, out, division, part);
    shoal_status st = SHOAL_OK;
    shoal_counts *counts = NULL;

    SHOAL_TRY(new_counts(ctx, &counts, division));
    SHOAL_TRY(count_part(ctx, counts, division, part));
    *out = counts;
    counts = NULL;
done:
    shoal_counts_free(counts);
    return st;
}

static shoal_status fail_other(shoal_ctx *ctx)
{
    return shoal_i_fail(
        ctx, SHOAL_EINVAL,
        "The counts are those of another division, or of other cuts of it; count "
        "every part again after each cut.");
}

static shoal_status add_answer(shoal_ctx *ctx, shoal_i_part_answer *to,
                               const shoal_i_part_answer *more)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_draw *sample = &more->sample;

    for (size_t i = 0; i < to->cell_count; i++) {
        if (more->cells[i] > RECORDS_MAX - to->cells[i]) {
            return shoal_i_fail(ctx, SHOAL_ELIMIT, "The counts have too many records.");
        }
        to->cells[i] += more->cells[i];
    }
    for (size_t i = 0; i < sample->count; i++) {
        SHOAL_TRY(shoal_i_draw_add(ctx, &to->sample, sample->draws[i], sample->times[i],
                                   sample->codes + i * sample->width));
    }
done:
    return st;
}

shoal_status shoal_counts_add(shoal_ctx *ctx, shoal_counts *counts, const shoal_counts *more)
{
    SHOAL_ENTER(ctx, counts, more);
    shoal_status st = SHOAL_OK;

    if (strcmp(counts->digest, more->digest) != 0) {
        return fail_other(ctx);
    }
    for (size_t i = 0; i < counts->count; i++) {
        SHOAL_TRY(add_answer(ctx, &counts->answers[i], &more->answers[i]));
    }
done:
    return st;
}

shoal_status shoal_division_cut(shoal_ctx *ctx, size_t *open, shoal_division *division,
                                const shoal_counts *counts, uint64_t most_records)
{
    SHOAL_ENTER(ctx, open, division);
    shoal_status st = SHOAL_OK;
    char digest[SHOAL_I_SHA256_HEX];

    SHOAL_TRY(shoal_i_division_digest(ctx, digest, division));
    if (counts && strcmp(counts->digest, digest) != 0) {
        return fail_other(ctx);
    }
    SHOAL_TRY(shoal_i_division_cut(ctx, open, division, counts, most_records));
done:
    return st;
}

/* --- Bytes. ----------------------------------------------------------------------------- */

/* Most cells are 0 once fragments are small: how many of them follow, then one that is not. */
static void pack_cells(shoal_i_buffer *out, const shoal_i_part_answer *answer)
{
    size_t zeros = 0;

    for (size_t i = 0; i < answer->cell_count; i++) {
        if (answer->cells[i] == 0) {
            zeros++;
            continue;
        }
        shoal_i_pack_number(out, zeros);
        shoal_i_pack_number(out, answer->cells[i]);
        zeros = 0;
    }
    shoal_i_pack_number(out, zeros);
}

static void unpack_cells(shoal_i_part_answer *answer, shoal_i_unpacking *in)
{
    size_t at = 0;

    while (!in->is_broken) {
        at += (size_t)shoal_i_unpack_number(in, answer->cell_count - at);
        if (at == answer->cell_count) {
            return;
        }
        answer->cells[at] = (uint32_t)shoal_i_unpack_number(in, RECORDS_MAX);
        in->is_broken = in->is_broken || answer->cells[at] == 0;
        at++;
    }
}

static void pack_sample(shoal_i_buffer *out, const shoal_i_draw *sample)
{
    shoal_i_pack_number(out, sample->count);
    for (size_t i = 0; i < sample->count; i++) {
        shoal_i_pack_number(out, sample->draws[i]);
        shoal_i_pack_number(out, sample->times[i]);
        for (size_t s = 0; s < sample->width; s++) {
            shoal_i_pack_number(out, sample->codes[i * sample->width + s]);
        }
    }
}

static shoal_status unpack_sample(shoal_ctx *ctx, shoal_i_draw *sample, const shoal_division *d,
                                  shoal_i_unpacking *in)
{
    shoal_status st = SHOAL_OK;
    size_t count = shoal_i_unpack_count(in);
    uint32_t *codes = NULL;

    SHOAL_ALLOC(ctx, codes, shoal_i_sample_width(d));
    in->is_broken = in->is_broken || (sample->width == 0 && count > 0);
    for (size_t i = 0; i < count && !in->is_broken; i++) {
        uint64_t draw = shoal_i_unpack_number(in, UINT64_MAX);
        uint32_t times = (uint32_t)shoal_i_unpack_number(in, RECORDS_MAX);

        for (size_t s = 0; s < d->sampled_count; s++) {
            size_t c = d->sampled[s];
            const shoal_table *table = d->prepared.table;
            size_t last =
                shoal_table_value_count(table, c) - (shoal_table_missing_count(table, c) == 0);

            codes[s] = (uint32_t)shoal_i_unpack_number(in, last);
        }
        for (size_t s = d->sampled_count; s < shoal_i_sample_width(d); s++) {
            codes[s] = (uint32_t)shoal_i_unpack_number(in, UINT32_MAX);
        }
        SHOAL_TRY(shoal_i_draw_add(ctx, sample, draw, times, codes));
    }
done:
    free(codes);
    return st;
}

shoal_status shoal_counts_write_memory(shoal_ctx *ctx, char **bytes, size_t *size,
                                       const shoal_counts *counts)
{
    SHOAL_ENTER_FOR(ctx, bytes, size, counts);
    shoal_i_buffer out;

    shoal_i_buffer_init(&out, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_pack_text(&out, counts->digest, strlen(counts->digest));
    for (size_t i = 0; i < counts->count; i++) {
        pack_cells(&out, &counts->answers[i]);
        pack_sample(&out, &counts->answers[i].sample);
    }
    return shoal_i_pack_end(ctx, bytes, size, kind, &out);
}

shoal_status shoal_counts_read_memory(shoal_ctx *ctx, shoal_counts **out,
                                      const shoal_division *division, const void *bytes,
                                      size_t size)
{
    SHOAL_ENTER_FOR(ctx, out, division);
    shoal_status st = SHOAL_OK;
    shoal_i_unpacking in = {0};
    shoal_counts *counts = NULL;
    size_t length = 0;

    SHOAL_TRY(shoal_i_unpack_begin(ctx, &in, kind, bytes, size));
    SHOAL_TRY(new_counts(ctx, &counts, division));
    const char *digest = shoal_i_unpack_text(&in, &length);

    if (length != strlen(counts->digest) || memcmp(digest, counts->digest, length) != 0) {
        SHOAL_TRY(fail_other(ctx));
    }
    for (size_t i = 0; i < counts->count; i++) {
        unpack_cells(&counts->answers[i], &in);
        SHOAL_TRY(unpack_sample(ctx, &counts->answers[i].sample, division, &in));
    }
    SHOAL_TRY(shoal_i_unpack_end(ctx, &in, kind));
    *out = counts;
    counts = NULL;
done:
    shoal_counts_free(counts);
    return st;
}

#include "row_order.h"

#include "../base/pool.h"
#include "../base/sort.h"
#include "../table/table_codes.h"

#define ROWS_PER_CHUNK 16384

void shoal_i_row_order_group(uint32_t *rows, uint32_t *starts, const shoal_i_release *release)
{
    uint32_t sum = 0;

    /* starts[b + 1] first tells where the next row of box b goes, and ends as the end of b. */
    starts[0] = 0;
    for (size_t b = 0; b < release->box_count; b++) {
        starts[b + 1] = sum;
        sum += release->box_sizes[b];
    }
    for (size_t row = 0; row < release->row_count; row++) {
        rows[starts[release->box_of[row] + 1]++] = (uint32_t)row;
    }
}

/* Codes of one column within a key. */
typedef struct key_field {
    shoal_i_codes codes;
    unsigned bits;
} key_field;

typedef struct row_sort {
    uint32_t *rows;
    const uint32_t *starts;
    const shoal_i_release *release;
    size_t box_count;
    size_t row_count;
    key_field *fields;
    size_t field_count;
    size_t *word_fields; /* the first field of each word, and the end */
    size_t word_count;
} row_sort;

/* Pack the columns' codes into words; a column with one value needs no bits and is left out. */
static void plan_fields(row_sort *s, const shoal_table *table, const size_t *columns,
                        size_t column_count)
{
    unsigned used = 64;

    for (size_t i = 0; i < column_count; i++) {
        uint64_t codes = (uint64_t)shoal_table_value_count(table, columns[i]) +
                         (shoal_table_missing_count(table, columns[i]) > 0);
        unsigned bits = shoal_i_sort_bits(codes);

        if (bits == 0) {
            continue;
        }
        if (used + bits > 64) {
            s->word_fields[s->word_count++] = s->field_count;
            used = 0;
        }
        used += bits;
        s->fields[s->field_count++] = (key_field){
            .codes = shoal_i_table_codes(table, columns[i]),
            .bits = bits,
        };
    }
    s->word_fields[s->word_count] = s->field_count;
}

static void load_row_word(const void *payload, size_t word, shoal_i_sort_item *items,
                          size_t count)
{
    const row_sort *s = payload;

    for (size_t i = 0; i < count; i++) {
        items[i].key = 0;
    }
    for (size_t f = s->word_fields[word]; f < s->word_fields[word + 1]; f++) {
        const key_field *field = &s->fields[f];

        for (size_t i = 0; i < count; i++) {
            uint32_t source = shoal_i_release_source(s->release, items[i].item);

            items[i].key =
                items[i].key << field->bits | shoal_i_codes_get(field->codes, source);
        }
    }
}

/* The first box that starts at or behind a row. */
static size_t find_box(const row_sort *s, size_t row)
{
    size_t low = 0;
    size_t high = s->box_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->starts[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* A chunk holds the boxes that start within its rows. */
static shoal_status sort_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    row_sort *s = payload;
    size_t first = find_box(s, chunk * ROWS_PER_CHUNK);
    size_t end = find_box(s, (chunk + 1) * ROWS_PER_CHUNK);

    return shoal_i_sort_runs(ctx, s->rows, s->starts + first, end - first, s->word_count,
                             load_row_word, s);
}

shoal_status shoal_i_row_order_sort(shoal_ctx *ctx, uint32_t *rows, const uint32_t *starts,
                                    const shoal_i_release *release, const size_t *columns,
                                    size_t column_count)
{
    shoal_status st = SHOAL_OK;
    row_sort s = {.rows = rows,
                  .starts = starts,
                  .release = release,
                  .box_count = release->box_count,
                  .row_count = release->row_count};

    SHOAL_ALLOC(ctx, s.fields, column_count);
    SHOAL_ALLOC(ctx, s.word_fields, column_count + 1);
    plan_fields(&s, release->quasi->table, columns, column_count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, s.row_count / ROWS_PER_CHUNK + 1, sort_chunk, &s));
done:
    free(s.fields);
    free(s.word_fields);
    return st;
}

#include "buckets.h"

#include "../table/table_codes.h"
#include "number.h"
#include "row_order.h"

#include <assert.h>
#include <string.h>

/* --- Making. */

/* The distinct records as boxes: *box_of of each row, *boxes of each. */
static shoal_status find_points(shoal_ctx *ctx, uint32_t **box_of, shoal_i_interval **boxes,
                                size_t *box_count, const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;
    size_t cells = 0;
    size_t seen = 0;

    SHOAL_TRY(shoal_i_number_records(ctx, box_of, box_count, quasi));
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, *box_count, quasi->count));
    SHOAL_ALLOC(ctx, *boxes, cells);
    for (size_t row = 0; seen < *box_count; row++) {
        if ((*box_of)[row] != seen) {
            continue; /* numbers are given in the order of first rows */
        }
        for (size_t c = 0; c < quasi->count; c++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, row);

            (*boxes)[seen * quasi->count + c] = (shoal_i_interval){code, code};
        }
        seen++;
    }
done:
    return st;
}

shoal_status shoal_i_release_from_buckets(shoal_ctx *ctx, shoal_i_release **out,
                                          const shoal_i_quasi *quasi, const uint32_t *bucket_of,
                                          size_t bucket_count)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(quasi->table);
    shoal_i_release *release = NULL;
    shoal_i_interval *boxes = NULL;
    uint32_t *box_of = NULL;
    size_t box_count = 0;

    *out = NULL;
    SHOAL_TRY(find_points(ctx, &box_of, &boxes, &box_count, quasi));
    SHOAL_TRY(
        shoal_i_release_from_numbered(ctx, &release, quasi, boxes, box_count, box_of, rows));
    release->shape = SHOAL_I_SHAPE_BUCKETS;
    release->bucket_count = bucket_count;
    SHOAL_ALLOC(ctx, release->bucket_of, rows);
    memcpy(release->bucket_of, bucket_of, rows * sizeof *bucket_of);
    *out = release;
    release = NULL;
done:
    free(boxes);
    free(box_of);
    shoal_i_release_free(release);
    return st;
}

/* --- Grouping rows by bucket. */

/* Where each bucket starts among the rows, and the end: bucket_count + 1 entries. */
static void count_starts(uint32_t *starts, const shoal_i_release *release)
{
    memset(starts, 0, (release->bucket_count + 1) * sizeof *starts);
    for (size_t row = 0; row < release->row_count; row++) {
        starts[release->bucket_of[row] + 1]++;
    }
    for (size_t b = 0; b < release->bucket_count; b++) {
        starts[b + 1] += starts[b];
    }
}

/* The rows of `from` go to `to`, bucket after bucket. next is scratch: as starts, and spent. */
static void deal_rows(uint32_t *to, const uint32_t *from, uint32_t *next,
                      const shoal_i_release *release)
{
    for (size_t i = 0; i < release->row_count; i++) {
        to[next[release->bucket_of[from[i]]]++] = from[i];
    }
}

shoal_status shoal_i_buckets_group(shoal_ctx *ctx, uint32_t *rows,
                                   const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    uint32_t *from = NULL;
    uint32_t *next = NULL;

    SHOAL_ALLOC(ctx, from, release->row_count);
    SHOAL_ALLOC(ctx, next, release->bucket_count + 1);
    memcpy(from, rows, release->row_count * sizeof *rows);
    count_starts(next, release);
    deal_rows(rows, from, next, release);
done:
    free(from);
    free(next);
    return st;
}

/* --- Numbering. */

/* What a bucket is known by: ascending lists of numbers, one of its records as published, and
 * one of the values of each sensitive column. */
typedef struct bucket_keys {
    size_t count;
    uint32_t *starts; /* of the buckets in each list */
    size_t list_count;
    uint32_t **lists;
} bucket_keys;

static int compare_buckets(const bucket_keys *k, uint32_t a, uint32_t b)
{
    size_t a_size = k->starts[a + 1] - k->starts[a];
    size_t b_size = k->starts[b + 1] - k->starts[b];
    size_t shorter = a_size < b_size ? a_size : b_size;

    for (size_t list = 0; list < k->list_count; list++) {
        const uint32_t *x = k->lists[list] + k->starts[a];
        const uint32_t *y = k->lists[list] + k->starts[b];

        for (size_t i = 0; i < shorter; i++) {
            if (x[i] != y[i]) {
                return x[i] < y[i] ? -1 : 1;
            }
        }
        if (a_size != b_size) {
            return a_size < b_size ? -1 : 1;
        }
    }
    return 0;
}

/* Merge two neighbouring sorted runs. */
static void merge_runs(uint32_t *to, const uint32_t *from, size_t start, size_t middle,
                       size_t end, const bucket_keys *k)
{
    size_t left = start;
    size_t right = middle;

    for (size_t i = start; i < end; i++) {
        bool is_left =
            right == end || (left < middle && compare_buckets(k, from[left], from[right]) <= 0);

        to[i] = is_left ? from[left++] : from[right++];
    }
}

/* The buckets in order: a stable merge sort, since keys have any length. */
static shoal_status sort_buckets(shoal_ctx *ctx, uint32_t **out, const bucket_keys *k)
{
    shoal_status st = SHOAL_OK;
    uint32_t *sorted = NULL;
    uint32_t *other = NULL;

    SHOAL_ALLOC(ctx, sorted, k->count);
    SHOAL_ALLOC(ctx, other, k->count);
    for (size_t b = 0; b < k->count; b++) {
        sorted[b] = (uint32_t)b;
    }
    for (size_t run = 1; run < k->count; run *= 2) {
        for (size_t start = 0; start < k->count; start += 2 * run) {
            size_t middle = start + run < k->count ? start + run : k->count;
            size_t end = middle + run < k->count ? middle + run : k->count;

            merge_runs(other, sorted, start, middle, end, k);
        }
        uint32_t *swapped = sorted;

        sorted = other;
        other = swapped;
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
    *out = sorted;
    sorted = NULL;
done:
    free(sorted);
    free(other);
    return st;
}

/* The columns of a role that are in memory. */
static size_t list_columns(size_t *out, const shoal_table *table, const shoal_role *roles,
                           shoal_role role)
{
    size_t count = 0;

    for (size_t i = 0; i < shoal_table_column_count(table); i++) {
        if (roles[i] == role && !shoal_table_is_skipped(table, i)) {
            out[count++] = i;
        }
    }
    return count;
}

/* Whether two rows look alike: in the same box, with the same values in some columns. */
static bool are_alike(const shoal_i_release *release, const size_t *columns, size_t count,
                      uint32_t a, uint32_t b)
{
    if (release->box_of[a] != release->box_of[b]) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        shoal_i_codes codes = shoal_i_table_codes(release->quasi->table, columns[i]);

        if (shoal_i_codes_get(codes, a) != shoal_i_codes_get(codes, b)) {
            return false;
        }
    }
    return true;
}

/* The list of the records: of each row, in the order of what is published of it, a number that
 * those that look alike share. */
static shoal_status list_records(shoal_ctx *ctx, uint32_t *list, uint32_t *next,
                                 const shoal_i_release *release, const size_t *columns,
                                 size_t count)
{
    shoal_status st = SHOAL_OK;
    uint32_t *rows = NULL;
    uint32_t *starts = NULL;
    uint32_t number = 0;

    SHOAL_ALLOC(ctx, rows, release->row_count);
    SHOAL_ALLOC(ctx, starts, release->box_count + 1);
    shoal_i_row_order_group(rows, starts, release);
    SHOAL_TRY(shoal_i_row_order_sort(ctx, rows, starts, release, columns, count));
    for (size_t i = 0; i < release->row_count; i++) {
        number += i > 0 && !are_alike(release, columns, count, rows[i - 1], rows[i]);
        list[next[release->bucket_of[rows[i]]]++] = number;
    }
done:
    free(rows);
    free(starts);
    return st;
}

/* The list of the values of a column. */
static shoal_status list_values(shoal_ctx *ctx, uint32_t *list, uint32_t *next,
                                const shoal_i_release *release, size_t column)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = release->quasi->table;
    shoal_i_codes codes = shoal_i_table_codes(table, column);
    size_t values = shoal_table_value_count(table, column) + 1;
    uint32_t *places = NULL;
    uint32_t *rows = NULL;

    SHOAL_ALLOC(ctx, places, values + 1);
    SHOAL_ALLOC(ctx, rows, release->row_count);
    for (size_t row = 0; row < release->row_count; row++) {
        places[shoal_i_codes_get(codes, row) + 1]++;
    }
    for (size_t code = 0; code < values; code++) {
        places[code + 1] += places[code];
    }
    for (size_t row = 0; row < release->row_count; row++) {
        rows[places[shoal_i_codes_get(codes, row)]++] = (uint32_t)row;
    }
    for (size_t i = 0; i < release->row_count; i++) {
        list[next[release->bucket_of[rows[i]]]++] = shoal_i_codes_get(codes, rows[i]);
    }
done:
    free(places);
    free(rows);
    return st;
}

static void clear_keys(bucket_keys *k)
{
    for (size_t i = 0; k->lists && i < k->list_count; i++) {
        free(k->lists[i]);
    }
    free(k->lists);
    free(k->starts);
}

static shoal_status list_keys(shoal_ctx *ctx, bucket_keys *k, const shoal_i_release *release,
                              const shoal_role *roles)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = release->quasi->table;
    size_t *columns = NULL;
    uint32_t *next = NULL;

    SHOAL_ALLOC(ctx, columns, shoal_table_column_count(table));
    SHOAL_ALLOC(ctx, k->starts, k->count + 1);
    SHOAL_ALLOC(ctx, next, k->count + 1);
    SHOAL_ALLOC(ctx, k->lists, shoal_table_column_count(table) + 1);
    count_starts(k->starts, release);

    size_t plain = list_columns(columns, table, roles, SHOAL_ROLE_INSENSITIVE);

    k->list_count = 1;
    SHOAL_ALLOC(ctx, k->lists[0], release->row_count);
    memcpy(next, k->starts, k->count * sizeof *next);
    SHOAL_TRY(list_records(ctx, k->lists[0], next, release, columns, plain));

    size_t sensitive = list_columns(columns, table, roles, SHOAL_ROLE_SENSITIVE);

    for (size_t i = 0; i < sensitive; i++) {
        k->list_count++;
        SHOAL_ALLOC(ctx, k->lists[i + 1], release->row_count);
        memcpy(next, k->starts, k->count * sizeof *next);
        SHOAL_TRY(list_values(ctx, k->lists[i + 1], next, release, columns[i]));
    }
done:
    free(columns);
    free(next);
    return st;
}

shoal_status shoal_i_buckets_number(shoal_ctx *ctx, shoal_i_release *release,
                                    const shoal_role *roles)
{
    shoal_status st = SHOAL_OK;
    bucket_keys k = {.count = release->bucket_count};
    uint32_t *sorted = NULL;
    uint32_t *number = NULL;

    assert(release->shape == SHOAL_I_SHAPE_BUCKETS);
    SHOAL_TRY(list_keys(ctx, &k, release, roles));
    SHOAL_TRY(sort_buckets(ctx, &sorted, &k));
    SHOAL_ALLOC(ctx, number, k.count);
    for (size_t i = 0; i < k.count; i++) {
        number[sorted[i]] = (uint32_t)i;
    }
    for (size_t row = 0; row < release->row_count; row++) {
        release->bucket_of[row] = number[release->bucket_of[row]];
    }
done:
    clear_keys(&k);
    free(sorted);
    free(number);
    return st;
}

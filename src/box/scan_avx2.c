#include "scan_avx2.h"

#if SHOAL_I_HAS_AVX2

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline))

/* Rows are taken four at a time, so that three horizontal additions serve all four sums. */
#define ROWS 4

/* The kernels are compiled once per common row length, so that the probe stays in registers,
 * and once for any length. */
#define FOR_LANE_COUNT(lanes, call)                                                            \
    switch ((lanes)->count) {                                                                  \
    case 4:                                                                                    \
        call(4);                                                                               \
        break;                                                                                 \
    case 8:                                                                                    \
        call(8);                                                                               \
        break;                                                                                 \
    case 12:                                                                                   \
        call(12);                                                                              \
        break;                                                                                 \
    case 16:                                                                                   \
        call(16);                                                                              \
        break;                                                                                 \
    case 20:                                                                                   \
        call(20);                                                                              \
        break;                                                                                 \
    default:                                                                                   \
        call((lanes)->count);                                                                  \
        break;                                                                                 \
    }

INLINE AVX2 __m256i load8(const int32_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

INLINE AVX2 __m128i load4(const int32_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* Penalty of the union in each of eight lanes; climb is 0 in numeric lanes. */
INLINE AVX2 __m256i join8(const shoal_i_probe *probe, const int32_t *is_tree, size_t at,
                          const int32_t *lo, const int32_t *hi)
{
    __m256i high = _mm256_max_epi32(load8(probe->hi + at), load8(hi + at));
    __m256i low = _mm256_min_epi32(load8(probe->lo + at), load8(lo + at));
    __m256i spread = _mm256_sub_epi32(high, low);
    __m256i parts = _mm256_cmpgt_epi32(spread, _mm256_setzero_si256());

    return _mm256_add_epi32(_mm256_andnot_si256(load8(is_tree + at), spread),
                            _mm256_and_si256(parts, load8(probe->climb + at)));
}

INLINE AVX2 __m128i join4(const shoal_i_probe *probe, const int32_t *is_tree, size_t at,
                          const int32_t *lo, const int32_t *hi)
{
    __m128i high = _mm_max_epi32(load4(probe->hi + at), load4(hi + at));
    __m128i low = _mm_min_epi32(load4(probe->lo + at), load4(lo + at));
    __m128i spread = _mm_sub_epi32(high, low);
    __m128i parts = _mm_cmpgt_epi32(spread, _mm_setzero_si128());

    return _mm_add_epi32(_mm_andnot_si128(load4(is_tree + at), spread),
                         _mm_and_si128(parts, load4(probe->climb + at)));
}

/* The same of two records: what is spread is a difference, and where they are the same nothing
 * is given up. A lane is numeric or has climbs, so that one of the two is 0. */
INLINE AVX2 __m256i part8(const shoal_i_probe *probe, const int32_t *is_tree, size_t at,
                          const int32_t *row)
{
    __m256i own = load8(probe->lo + at);
    __m256i other = load8(row + at);
    __m256i spread = _mm256_abs_epi32(_mm256_sub_epi32(own, other));
    __m256i same = _mm256_cmpeq_epi32(own, other);

    return _mm256_or_si256(_mm256_andnot_si256(load8(is_tree + at), spread),
                           _mm256_andnot_si256(same, load8(probe->climb + at)));
}

INLINE AVX2 __m128i part4(const shoal_i_probe *probe, const int32_t *is_tree, size_t at,
                          const int32_t *row)
{
    __m128i own = load4(probe->lo + at);
    __m128i other = load4(row + at);
    __m128i spread = _mm_abs_epi32(_mm_sub_epi32(own, other));
    __m128i same = _mm_cmpeq_epi32(own, other);

    return _mm_or_si128(_mm_andnot_si128(load4(is_tree + at), spread),
                        _mm_andnot_si128(same, load4(probe->climb + at)));
}

/* Four numbers in the lower half, zeros in the upper one. */
INLINE AVX2 __m256i widen4(__m128i four)
{
    return _mm256_inserti128_si256(_mm256_setzero_si256(), four, 0);
}

/* The sums of four vectors, each of eight numbers. */
INLINE AVX2 __m128i add_up(__m256i a, __m256i b, __m256i c, __m256i d)
{
    __m256i sums = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));

    return _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
}

/* Eight partial sums of the penalty of the union with (lo, hi). */
INLINE AVX2 __m256i join_row(const shoal_i_probe *probe, const int32_t *is_tree, size_t count,
                             const int32_t *lo, const int32_t *hi)
{
    __m256i sum = _mm256_setzero_si256();
    size_t at = 0;

    for (; at + 8 <= count; at += 8) {
        sum = _mm256_add_epi32(sum, join8(probe, is_tree, at, lo, hi));
    }
    return at < count ? _mm256_add_epi32(sum, widen4(join4(probe, is_tree, at, lo, hi))) : sum;
}

/* The same of two records. */
INLINE AVX2 __m256i part_row(const shoal_i_probe *probe, const int32_t *is_tree, size_t count,
                             const int32_t *row)
{
    __m256i sum = _mm256_setzero_si256();
    size_t at = 0;

    for (; at + 8 <= count; at += 8) {
        sum = _mm256_add_epi32(sum, part8(probe, is_tree, at, row));
    }
    return at < count ? _mm256_add_epi32(sum, widen4(part4(probe, is_tree, at, row))) : sum;
}

INLINE AVX2 __m128i part_rows(const shoal_i_probe *probe, const int32_t *is_tree, size_t count,
                              const int32_t *rows)
{
    __m256i p0 = part_row(probe, is_tree, count, rows);
    __m256i p1 = part_row(probe, is_tree, count, rows + count);
    __m256i p2 = part_row(probe, is_tree, count, rows + 2 * count);
    __m256i p3 = part_row(probe, is_tree, count, rows + 3 * count);

    return add_up(p0, p1, p2, p3);
}

INLINE AVX2 __m128i join_rows(const shoal_i_probe *probe, const int32_t *is_tree, size_t count,
                              const int32_t *rows)
{
    __m256i p0 = join_row(probe, is_tree, count, rows, rows);
    __m256i p1 = join_row(probe, is_tree, count, rows + count, rows + count);
    __m256i p2 = join_row(probe, is_tree, count, rows + 2 * count, rows + 2 * count);
    __m256i p3 = join_row(probe, is_tree, count, rows + 3 * count, rows + 3 * count);

    return add_up(p0, p1, p2, p3);
}

INLINE AVX2 int32_t join_one(const shoal_i_probe *probe, const int32_t *is_tree, size_t count,
                             const int32_t *lo, const int32_t *hi)
{
    __m256i eight = join_row(probe, is_tree, count, lo, hi);
    __m128i parts =
        _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));

    parts = _mm_hadd_epi32(parts, parts);
    parts = _mm_hadd_epi32(parts, parts);
    return _mm_cvtsi128_si32(parts);
}

INLINE AVX2 void penalties_of(size_t lane_count, int32_t *out, const int32_t *is_tree,
                              const shoal_i_probe *probe, const int32_t *rows, size_t count)
{
    size_t i = 0;

    for (; i + ROWS <= count; i += ROWS) {
        __m128i four = join_rows(probe, is_tree, lane_count, rows + i * lane_count);

        _mm_storeu_si128((__m128i *)(void *)(out + i), four);
    }
    for (; i < count; i++) {
        const int32_t *row = rows + i * lane_count;

        out[i] = join_one(probe, is_tree, lane_count, row, row);
    }
}

AVX2 static void avx2_penalties(int32_t *out, const shoal_i_lanes *lanes,
                                const shoal_i_probe *probe, const int32_t *rows, size_t count){
#define CALL(n) penalties_of(n, out, lanes->is_tree, probe, rows, count)
    FOR_LANE_COUNT(lanes, CALL)
#undef CALL
}

/* An end of four lanes: the next value where who leaves is the only one at the end. */
INLINE AVX2 __m128i
    next_end(const int32_t *ends, const uint32_t *times, size_t count, __m128i leaves)
{
    __m128i end = load4(ends);
    __m128i once =
        _mm_cmpeq_epi32(load4((const int32_t *)(const void *)times), _mm_set1_epi32(1));
    __m128i goes = _mm_and_si128(once, _mm_cmpeq_epi32(end, leaves));

    return _mm_blendv_epi8(end, load4(ends + count), goes);
}

AVX2 static int32_t avx2_replaced(const shoal_i_lanes *lanes, const int32_t *ends,
                                  const uint32_t *times, const int32_t *leaves,
                                  const int32_t *joins, const int32_t *climb)
{
    size_t count = lanes->count;
    __m128i sum = _mm_setzero_si128();

    for (size_t at = 0; at < count; at += 4) {
        __m128i goes = load4(leaves + at);
        __m128i comes = load4(joins + at);
        __m128i low = next_end(ends + at, times + at, count, goes);
        __m128i high = next_end(ends + 2 * count + at, times + 2 * count + at, count, goes);
        __m128i spread = _mm_sub_epi32(_mm_max_epi32(high, comes), _mm_min_epi32(low, comes));
        __m128i parts = _mm_cmpgt_epi32(spread, _mm_setzero_si128());

        sum = _mm_add_epi32(sum, _mm_andnot_si128(load4(lanes->is_tree + at), spread));
        sum = _mm_add_epi32(sum, _mm_and_si128(parts, load4(climb + at)));
    }
    sum = _mm_hadd_epi32(sum, sum);
    sum = _mm_hadd_epi32(sum, sum);
    return _mm_cvtsi128_si32(sum);
}

/* The first row with the largest penalty: the maximum is found per position modulo four, each
 * with the first index that reached it, and the four are compared at the end. */
INLINE AVX2 size_t farthest_of(bool is_record, size_t lane_count, int32_t *largest,
                               const int32_t *is_tree, const shoal_i_probe *probe,
                               const int32_t *rows, size_t count)
{
    __m128i best = _mm_set1_epi32(-1);
    __m128i best_at = _mm_setzero_si128();
    __m128i at = _mm_setr_epi32(0, 1, 2, 3);
    size_t i = 0;
    size_t winner = 0;

    for (; i + ROWS <= count; i += ROWS) {
        const int32_t *next = rows + i * lane_count;
        __m128i four = is_record ? part_rows(probe, is_tree, lane_count, next)
                                 : join_rows(probe, is_tree, lane_count, next);
        __m128i better = _mm_cmpgt_epi32(four, best);

        best = _mm_max_epi32(four, best);
        best_at = _mm_blendv_epi8(best_at, at, better);
        at = _mm_add_epi32(at, _mm_set1_epi32(ROWS));
    }
    int32_t values[ROWS];
    uint32_t places[ROWS];

    _mm_storeu_si128((__m128i *)(void *)values, best);
    _mm_storeu_si128((__m128i *)(void *)places, best_at);
    *largest = -1;
    for (size_t j = 0; j < ROWS; j++) {
        if (values[j] > *largest || (values[j] == *largest && places[j] < winner)) {
            *largest = values[j];
            winner = places[j];
        }
    }
    for (; i < count; i++) {
        const int32_t *row = rows + i * lane_count;
        int32_t penalty = join_one(probe, is_tree, lane_count, row, row);

        if (penalty > *largest) {
            *largest = penalty;
            winner = i;
        }
    }
    return winner;
}

AVX2 static size_t avx2_farthest(int32_t *largest, const shoal_i_lanes *lanes,
                                 const shoal_i_probe *probe, const int32_t *rows, size_t count)
{
    size_t winner = 0;

#define CALL(n) winner = farthest_of(false, n, largest, lanes->is_tree, probe, rows, count)
#define CALL_RECORD(n)                                                                         \
    winner = farthest_of(true, n, largest, lanes->is_tree, probe, rows, count)
    if (probe->lo == probe->hi) {
        FOR_LANE_COUNT(lanes, CALL_RECORD)
    } else {
        FOR_LANE_COUNT(lanes, CALL)
    }
#undef CALL_RECORD
#undef CALL
    return winner;
}

/* How much farther four rows are from a than from b, lane by lane. */
INLINE AVX2 __m256i lean_row(bool are_records, const shoal_i_probe *a, const shoal_i_probe *b,
                             const int32_t *is_tree, size_t count, const int32_t *row)
{
    __m256i sum = _mm256_setzero_si256();
    size_t at = 0;

    if (are_records) {
        return _mm256_sub_epi32(part_row(a, is_tree, count, row),
                                part_row(b, is_tree, count, row));
    }
    for (; at + 8 <= count; at += 8) {
        sum = _mm256_add_epi32(sum, _mm256_sub_epi32(join8(a, is_tree, at, row, row),
                                                     join8(b, is_tree, at, row, row)));
    }
    if (at < count) {
        __m128i rest =
            _mm_sub_epi32(join4(a, is_tree, at, row, row), join4(b, is_tree, at, row, row));

        sum = _mm256_add_epi32(sum, widen4(rest));
    }
    return sum;
}

/* sides of four rows by how much farther they are from a than from b; ties alternate through
 * *tie. */
INLINE AVX2 size_t put_sides(uint8_t *sides, __m128i lean, unsigned *tie)
{
    __m128i zero = _mm_setzero_si128();
    unsigned nearer = (unsigned)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpgt_epi32(lean, zero)));
    unsigned equal = (unsigned)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(lean, zero)));

    for (; equal; equal &= equal - 1) {
        nearer |= *tie << __builtin_ctz(equal);
        *tie ^= 1;
    }
    uint32_t bytes = (nearer * 0x00204081U) & 0x01010101U; /* bit j to byte j */

    memcpy(sides, &bytes, sizeof bytes);
    return (size_t)__builtin_popcount(nearer);
}

/* Penalties are far from what 32 bits hold (points.h), so that their difference is, too. */
INLINE AVX2 size_t sides_of(bool are_records, size_t lane_count, uint8_t *sides,
                            const int32_t *is_tree, const shoal_i_probe *a,
                            const shoal_i_probe *b, const int32_t *rows, size_t count)
{
    size_t ones = 0;
    size_t i = 0;
    unsigned tie = 0;

    for (; i + ROWS <= count; i += ROWS) {
        const int32_t *row = rows + i * lane_count;
        __m256i p0 = lean_row(are_records, a, b, is_tree, lane_count, row);
        __m256i p1 = lean_row(are_records, a, b, is_tree, lane_count, row + lane_count);
        __m256i p2 = lean_row(are_records, a, b, is_tree, lane_count, row + 2 * lane_count);
        __m256i p3 = lean_row(are_records, a, b, is_tree, lane_count, row + 3 * lane_count);

        ones += put_sides(sides + i, add_up(p0, p1, p2, p3), &tie);
    }
    for (; i < count; i++) {
        const int32_t *row = rows + i * lane_count;
        int32_t to_a = join_one(a, is_tree, lane_count, row, row);
        int32_t to_b = join_one(b, is_tree, lane_count, row, row);

        sides[i] = to_b < to_a || (to_b == to_a && tie);
        tie ^= to_b == to_a;
        ones += sides[i];
    }
    return ones;
}

AVX2 static size_t avx2_sides(uint8_t *sides, const shoal_i_lanes *lanes,
                              const shoal_i_probe *a, const shoal_i_probe *b,
                              const int32_t *rows, size_t count)
{
    size_t ones = 0;

#define CALL(n) ones = sides_of(false, n, sides, lanes->is_tree, a, b, rows, count)
#define CALL_RECORDS(n) ones = sides_of(true, n, sides, lanes->is_tree, a, b, rows, count)
    if (a->lo == a->hi && b->lo == b->hi) {
        FOR_LANE_COUNT(lanes, CALL_RECORDS)
    } else {
        FOR_LANE_COUNT(lanes, CALL)
    }
#undef CALL_RECORDS
#undef CALL
    return ones;
}

INLINE AVX2 void unions_of(size_t lane_count, int32_t *out, const int32_t *is_tree,
                           const shoal_i_probe *probe, const int32_t *boxes,
                           const uint32_t *groups, size_t count)
{
    size_t i = 0;

    for (; i + ROWS <= count; i += ROWS) {
        __m256i parts[ROWS];

        for (size_t j = 0; j < ROWS; j++) {
            const int32_t *lo = boxes + (size_t)groups[i + j] * 2 * lane_count;

            parts[j] = join_row(probe, is_tree, lane_count, lo, lo + lane_count);
        }
        _mm_storeu_si128((__m128i *)(void *)(out + i),
                         add_up(parts[0], parts[1], parts[2], parts[3]));
    }
    for (; i < count; i++) {
        const int32_t *lo = boxes + (size_t)groups[i] * 2 * lane_count;

        out[i] = join_one(probe, is_tree, lane_count, lo, lo + lane_count);
    }
}

AVX2 static void avx2_unions(int32_t *out, const shoal_i_lanes *lanes,
                             const shoal_i_probe *probe, const int32_t *boxes,
                             const uint32_t *groups, size_t count){
#define CALL(n) unions_of(n, out, lanes->is_tree, probe, boxes, groups, count)
    FOR_LANE_COUNT(lanes, CALL)
#undef CALL
}

/* Whether eight nodes may have groups with the value that the probe has in a lane. */
INLINE AVX2 __m256i find_value(bool is_narrow, const int32_t *marks, int32_t value)
{
    __m256i low = load8(marks);
    __m256i bit = _mm256_set1_epi32(shoal_i_mark_bit(value));
    __m256i sought = _mm256_set1_epi32(value);

    if (is_narrow) {
        return _mm256_cmpeq_epi32(_mm256_and_si256(low, bit), bit);
    }
    __m256i high = load8(marks + SHOAL_I_BLOCK_GROUPS);
    __m256i is_outside =
        _mm256_or_si256(_mm256_cmpgt_epi32(low, sought), _mm256_cmpgt_epi32(sought, high));

    return _mm256_cmpeq_epi32(is_outside, _mm256_setzero_si256());
}

/* Half of a block, lane after lane: what its eight groups cost together with the probe. */
INLINE AVX2 __m256i join_half(bool are_nodes, const shoal_i_block_probe *probe,
                              const int32_t *half)
{
    __m256i sum = _mm256_set1_epi32(probe->fixed);

    for (size_t n = 0; n < probe->numeric_count; n++) {
        const int32_t *lo = half + 2 * n * SHOAL_I_BLOCK_GROUPS;
        __m256i low = _mm256_min_epi32(_mm256_set1_epi32(probe->ends[2 * n]), load8(lo));
        __m256i high = _mm256_max_epi32(_mm256_set1_epi32(probe->ends[2 * n + 1]),
                                        load8(lo + SHOAL_I_BLOCK_GROUPS));

        sum = _mm256_add_epi32(sum, _mm256_sub_epi32(high, low));
    }
    for (size_t t = 0; t < probe->tree_count; t++) {
        const int32_t *marks = half + probe->trees[t];
        __m256i climb = _mm256_set1_epi32(probe->climbs[t]);
        __m256i same =
            are_nodes ? find_value(t < probe->narrow_count, marks, probe->values[t])
                      : _mm256_cmpeq_epi32(load8(marks), _mm256_set1_epi32(probe->values[t]));

        sum = _mm256_add_epi32(sum, _mm256_andnot_si256(same, climb));
    }
    return sum;
}

INLINE AVX2 uint32_t join_block(bool are_nodes, int32_t *out, const shoal_i_block_probe *probe,
                                const int32_t *block, int32_t cap)
{
    __m256i front = join_half(are_nodes, probe, block);
    __m256i back = join_half(are_nodes, probe, block + SHOAL_I_BLOCK_GROUPS / 2);
    __m256i most = _mm256_set1_epi32(cap);
    __m256i front_is_dear = _mm256_cmpgt_epi32(front, most);
    __m256i back_is_dear = _mm256_cmpgt_epi32(back, most);
    int dear = _mm256_movemask_ps(_mm256_castsi256_ps(front_is_dear)) |
               _mm256_movemask_ps(_mm256_castsi256_ps(back_is_dear))
                   << SHOAL_I_BLOCK_GROUPS / 2;

    _mm256_storeu_si256((__m256i *)(void *)out, front);
    _mm256_storeu_si256((__m256i *)(void *)(out + SHOAL_I_BLOCK_GROUPS / 2), back);
    return ~(uint32_t)dear & ((1U << SHOAL_I_BLOCK_GROUPS) - 1);
}

AVX2 static uint32_t avx2_block_unions(int32_t *out, const shoal_i_block_probe *probe,
                                       const int32_t *block, int32_t cap)
{
    return join_block(false, out, probe, block, cap);
}

AVX2 static uint32_t avx2_block_bounds(int32_t *out, const shoal_i_block_probe *probe,
                                       const int32_t *block, int32_t cap)
{
    return join_block(true, out, probe, block, cap);
}

/* What one box costs in eight lanes; most is 0 in lanes of trees. */
INLINE AVX2 __m256i cost8(__m256i lo, __m256i hi, __m256i most, __m256i climb)
{
    __m256i spread = _mm256_sub_epi32(hi, lo);
    __m256i parts = _mm256_cmpgt_epi32(spread, _mm256_setzero_si256());

    return _mm256_add_epi32(_mm256_min_epi32(spread, most), _mm256_and_si256(parts, climb));
}

/* Eight lanes of the growing box, added to what the lanes before them cost. With four lanes
 * left the upper half reads what belongs to the next row, and is masked. */
INLINE AVX2 void grow8(int32_t *out, const shoal_i_lanes *lanes, size_t at,
                       const int32_t *climb, const int32_t *rows, size_t count)
{
    size_t lane_count = lanes->count;
    __m256i used = at + 8 <= lane_count ? _mm256_set1_epi32(-1)
                                        : _mm256_setr_epi32(-1, -1, -1, -1, 0, 0, 0, 0);
    __m256i most = _mm256_maskload_epi32(lanes->most + at, used);
    __m256i steps = _mm256_maskload_epi32(climb + at, used);
    __m256i lo = _mm256_maskload_epi32(rows + at, used);
    __m256i hi = lo;

    for (size_t i = 0; i < count; i++) {
        __m256i row = _mm256_maskload_epi32(rows + i * lane_count + at, used);

        lo = _mm256_min_epi32(lo, row);
        hi = _mm256_max_epi32(hi, row);
        __m256i cost = cost8(lo, hi, most, steps);
        __m128i half =
            _mm_add_epi32(_mm256_castsi256_si128(cost), _mm256_extracti128_si256(cost, 1));

        half = _mm_hadd_epi32(half, half);
        half = _mm_hadd_epi32(half, half);
        out[i] += _mm_cvtsi128_si32(half);
    }
}

AVX2 static void avx2_grow(int32_t *out, const shoal_i_lanes *lanes, const int32_t *climb,
                           const int32_t *rows, size_t count)
{
    memset(out, 0, count * sizeof *out);
    for (size_t at = 0; at < lanes->count; at += 8) {
        grow8(out, lanes, at, climb, rows, count);
    }
}

/* Eight lanes of the two boxes, or four. Lane values are not negative: for lo the rows of the
 * other side count as the largest number, for hi as 0. */
INLINE AVX2 void enclose8(int32_t *boxes, size_t lane_count, size_t at, const uint8_t *sides,
                          const int32_t *rows, size_t count)
{
    const __m256i largest = _mm256_set1_epi32(INT32_MAX);
    __m256i used = at + 8 <= lane_count ? _mm256_set1_epi32(-1)
                                        : _mm256_setr_epi32(-1, -1, -1, -1, 0, 0, 0, 0);
    __m256i lo0 = largest;
    __m256i hi0 = _mm256_setzero_si256();
    __m256i lo1 = largest;
    __m256i hi1 = _mm256_setzero_si256();

    for (size_t i = 0; i < count; i++) {
        __m256i row = _mm256_maskload_epi32(rows + i * lane_count + at, used);
        __m256i is_one = _mm256_set1_epi32(-(int32_t)sides[i]);

        lo0 = _mm256_min_epi32(lo0, _mm256_or_si256(row, _mm256_and_si256(is_one, largest)));
        hi0 = _mm256_max_epi32(hi0, _mm256_andnot_si256(is_one, row));
        lo1 = _mm256_min_epi32(lo1, _mm256_or_si256(row, _mm256_andnot_si256(is_one, largest)));
        hi1 = _mm256_max_epi32(hi1, _mm256_and_si256(is_one, row));
    }
    _mm256_maskstore_epi32(boxes + at, used, lo0);
    _mm256_maskstore_epi32(boxes + lane_count + at, used, hi0);
    _mm256_maskstore_epi32(boxes + 2 * lane_count + at, used, lo1);
    _mm256_maskstore_epi32(boxes + 3 * lane_count + at, used, hi1);
}

AVX2 static void avx2_enclose(int32_t *boxes, const shoal_i_lanes *lanes, const uint8_t *sides,
                              const int32_t *rows, size_t count)
{
    for (size_t at = 0; at < lanes->count; at += 8) {
        enclose8(boxes, lanes->count, at, sides, rows, count);
    }
}

AVX2 static void avx2_join(const shoal_i_lanes *lanes, int32_t *lo, int32_t *hi,
                           const int32_t *other_lo, const int32_t *other_hi)
{
    size_t at = 0;

    for (; at + 8 <= lanes->count; at += 8) {
        __m256i low = _mm256_min_epi32(load8(lo + at), load8(other_lo + at));
        __m256i high = _mm256_max_epi32(load8(hi + at), load8(other_hi + at));

        _mm256_storeu_si256((__m256i *)(void *)(lo + at), low);
        _mm256_storeu_si256((__m256i *)(void *)(hi + at), high);
    }
    if (at < lanes->count) {
        __m128i low = _mm_min_epi32(load4(lo + at), load4(other_lo + at));
        __m128i high = _mm_max_epi32(load4(hi + at), load4(other_hi + at));

        _mm_storeu_si128((__m128i *)(void *)(lo + at), low);
        _mm_storeu_si128((__m128i *)(void *)(hi + at), high);
    }
}

const shoal_i_kernels shoal_i_kernels_avx2 = {
    .name = "avx2",
    .penalties = avx2_penalties,
    .replaced = avx2_replaced,
    .farthest = avx2_farthest,
    .sides = avx2_sides,
    .unions = avx2_unions,
    .block_unions = avx2_block_unions,
    .block_bounds = avx2_block_bounds,
    .grow = avx2_grow,
    .enclose = avx2_enclose,
    .join = avx2_join,
};

#endif /* SHOAL_I_HAS_AVX2 */

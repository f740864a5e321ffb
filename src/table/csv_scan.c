#include "csv_scan.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_X86 1
#include <immintrin.h>
#endif

static shoal_i_csv_marks classify_portable(shoal_i_csv_masks *out, const char *bytes,
                                           size_t count, char delimiter)
{
    shoal_i_csv_marks marks = {0};

    for (size_t w = 0; w < count; w++) {
        shoal_i_csv_masks masks = {0};

        for (unsigned i = 0; i < SHOAL_I_CSV_WORD; i++) {
            char c = bytes[w * SHOAL_I_CSV_WORD + i];

            masks.delimiters |= (uint64_t)(c == delimiter) << i;
            masks.newlines |= (uint64_t)(c == '\n') << i;
            masks.quotes |= (uint64_t)(c == '"') << i;
            marks.has_nul |= c == '\0';
            marks.has_high |= (unsigned char)c >= 0x80;
        }
        out[w] = masks;
    }
    return marks;
}

#ifdef HAS_X86

/* Bit i: whether byte i of the 64 in v equals the one that all of `wanted` hold. */
static uint64_t match_sse2(const __m128i v[4], __m128i wanted)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < 4; i++) {
        uint64_t part = (uint16_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v[i], wanted));

        bits |= part << (16 * i);
    }
    return bits;
}

static shoal_i_csv_marks classify_sse2(shoal_i_csv_masks *out, const char *bytes, size_t count,
                                       char delimiter)
{
    const __m128i delimiters = _mm_set1_epi8(delimiter);
    const __m128i newlines = _mm_set1_epi8('\n');
    const __m128i quotes = _mm_set1_epi8('"');
    __m128i any = _mm_setzero_si128();
    __m128i nul = _mm_setzero_si128();

    for (size_t w = 0; w < count; w++) {
        __m128i v[4];

        for (unsigned i = 0; i < 4; i++) {
            v[i] = _mm_loadu_si128((const __m128i *)(bytes + w * SHOAL_I_CSV_WORD) + i);
            any = _mm_or_si128(any, v[i]);
            nul = _mm_or_si128(nul, _mm_cmpeq_epi8(v[i], _mm_setzero_si128()));
        }
        out[w].delimiters = match_sse2(v, delimiters);
        out[w].newlines = match_sse2(v, newlines);
        out[w].quotes = match_sse2(v, quotes);
    }
    return (shoal_i_csv_marks){.has_nul = _mm_movemask_epi8(nul) != 0,
                               .has_high = _mm_movemask_epi8(any) != 0};
}

__attribute__((target("avx2"))) static inline uint64_t match_avx2(__m256i low, __m256i high,
                                                                  __m256i wanted)
{
    uint32_t low_bits = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted));
    uint32_t high_bits = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted));

    return low_bits | (uint64_t)high_bits << 32;
}

__attribute__((target("avx2"))) static shoal_i_csv_marks
classify_avx2(shoal_i_csv_masks *out, const char *bytes, size_t count, char delimiter)
{
    const __m256i delimiters = _mm256_set1_epi8(delimiter);
    const __m256i newlines = _mm256_set1_epi8('\n');
    const __m256i quotes = _mm256_set1_epi8('"');
    __m256i any = _mm256_setzero_si256();
    __m256i nul = _mm256_setzero_si256();

    for (size_t w = 0; w < count; w++) {
        const __m256i *at = (const __m256i *)(bytes + w * SHOAL_I_CSV_WORD);
        __m256i low = _mm256_loadu_si256(at);
        __m256i high = _mm256_loadu_si256(at + 1);

        out[w].delimiters = match_avx2(low, high, delimiters);
        out[w].newlines = match_avx2(low, high, newlines);
        out[w].quotes = match_avx2(low, high, quotes);
        any = _mm256_or_si256(any, _mm256_or_si256(low, high));
        /* The smaller of two bytes is 0 when one of them is. */
        nul = _mm256_or_si256(
            nul, _mm256_cmpeq_epi8(_mm256_min_epu8(low, high), _mm256_setzero_si256()));
    }
    return (shoal_i_csv_marks){.has_nul = _mm256_movemask_epi8(nul) != 0,
                               .has_high = _mm256_movemask_epi8(any) != 0};
}

#endif /* HAS_X86 */

shoal_i_csv_classify_fn shoal_i_csv_classifier(shoal_i_csv_kind kind)
{
#ifdef HAS_X86
    bool has_avx2 = __builtin_cpu_supports("avx2");

    switch (kind) {
    case SHOAL_I_CSV_BEST:
        return has_avx2 ? classify_avx2 : classify_sse2;
    case SHOAL_I_CSV_AVX2:
        return has_avx2 ? classify_avx2 : NULL;
    case SHOAL_I_CSV_SSE2:
        return classify_sse2;
    case SHOAL_I_CSV_PORTABLE:
        break;
    }
    return classify_portable;
#else
    return kind == SHOAL_I_CSV_BEST || kind == SHOAL_I_CSV_PORTABLE ? classify_portable : NULL;
#endif
}

shoal_i_csv_marks shoal_i_csv_scan(shoal_i_csv_masks *out, const char *bytes, size_t size,
                                   char delimiter, shoal_i_csv_classify_fn classify)
{
    size_t whole = size / SHOAL_I_CSV_WORD;
    size_t rest = size % SHOAL_I_CSV_WORD;
    shoal_i_csv_marks marks = classify(out, bytes, whole, delimiter);

    if (rest > 0) {
        char last[SHOAL_I_CSV_WORD];
        uint64_t keep = ((uint64_t)1 << rest) - 1;

        memset(last, ' ', sizeof last);
        memcpy(last, bytes + whole * SHOAL_I_CSV_WORD, rest);
        shoal_i_csv_marks more = classify(out + whole, last, 1, delimiter);

        out[whole].delimiters &= keep; /* the filling may be the delimiter */
        marks.has_nul |= more.has_nul;
        marks.has_high |= more.has_high;
    }
    return marks;
}

bool shoal_i_csv_has_odd_quotes(const char *bytes, size_t size)
{
    uint8_t odd = 0;

    for (size_t i = 0; i < size; i++) {
        odd ^= bytes[i] == '"';
    }
    return odd;
}

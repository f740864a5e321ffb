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

/* --- Listing. --- */

/* Write the places of the bits of a word, in groups of eight whether there are so many or not:
 * what is too much is overwritten, and the processor need not guess the number. */
#define GROUP 8

static inline void list_word(uint32_t *out, uint64_t bits, unsigned count, uint32_t first)
{
    for (unsigned i = 0; i < count; i += GROUP) {
        for (unsigned k = 0; k < GROUP; k++) {
            /* The top bit keeps the argument from being 0, for which the result is undefined.
             */
            out[i + k] = first + (uint32_t)__builtin_ctzll(bits | (uint64_t)1 << 63);
            bits &= bits - 1;
        }
    }
}

static inline size_t list_words(uint32_t *out, const shoal_i_csv_masks *masks, size_t count,
                                uint32_t first, shoal_i_csv_state *state)
{
    shoal_i_csv_state s = *state;
    size_t end_count = 0;

    for (size_t w = 0; w < count; w++) {
        uint64_t newlines = masks[w].newlines;
        uint64_t ends = masks[w].delimiters | newlines;

        s.line_count += (unsigned)__builtin_popcountll(newlines);
        if ((masks[w].quotes | s.inside) != 0) {
            uint64_t inside = shoal_i_csv_prefix_xor(masks[w].quotes) ^ s.inside;

            newlines &= ~inside;
            ends &= ~inside;
            s.inside = 0 - (inside >> 63);
            s.quotes |= masks[w].quotes;
        }
        s.record_count += (unsigned)__builtin_popcountll(newlines);
        unsigned more = (unsigned)__builtin_popcountll(ends);

        list_word(out + end_count, ends, more, first + (uint32_t)(w * SHOAL_I_CSV_WORD));
        end_count += more;
    }
    *state = s;
    return end_count;
}

static size_t list_portable(uint32_t *out, const shoal_i_csv_masks *masks, size_t count,
                            uint32_t first, shoal_i_csv_state *state)
{
    return list_words(out, masks, count, first, state);
}

static const shoal_i_csv_scanner portable = {classify_portable, list_portable};

#ifdef HAS_X86

/* The same with instructions for counting and finding bits. */
__attribute__((target("avx2,bmi,popcnt"))) static size_t
list_bmi(uint32_t *out, const shoal_i_csv_masks *masks, size_t count, uint32_t first,
         shoal_i_csv_state *state)
{
    return list_words(out, masks, count, first, state);
}

static const shoal_i_csv_scanner sse2 = {classify_sse2, list_portable};
static const shoal_i_csv_scanner avx2 = {classify_avx2, list_bmi};

#endif /* HAS_X86 */

const shoal_i_csv_scanner *shoal_i_csv_scanner_find(shoal_i_csv_kind kind)
{
#ifdef HAS_X86
    bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("popcnt");

    switch (kind) {
    case SHOAL_I_CSV_BEST:
        return has_avx2 ? &avx2 : &sse2;
    case SHOAL_I_CSV_AVX2:
        return has_avx2 ? &avx2 : NULL;
    case SHOAL_I_CSV_SSE2:
        return &sse2;
    case SHOAL_I_CSV_PORTABLE:
        break;
    }
    return &portable;
#else
    return kind == SHOAL_I_CSV_BEST || kind == SHOAL_I_CSV_PORTABLE ? &portable : NULL;
#endif
}

shoal_i_csv_marks shoal_i_csv_scan(shoal_i_csv_masks *out, const char *bytes, size_t size,
                                   char delimiter, const shoal_i_csv_scanner *scanner)
{
    size_t whole = size / SHOAL_I_CSV_WORD;
    size_t rest = size % SHOAL_I_CSV_WORD;
    shoal_i_csv_marks marks = scanner->classify(out, bytes, whole, delimiter);

    if (rest > 0) {
        char last[SHOAL_I_CSV_WORD];
        uint64_t keep = ((uint64_t)1 << rest) - 1;

        memset(last, ' ', sizeof last);
        memcpy(last, bytes + whole * SHOAL_I_CSV_WORD, rest);
        shoal_i_csv_marks more = scanner->classify(out + whole, last, 1, delimiter);

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

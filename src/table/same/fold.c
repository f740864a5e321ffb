#include "fold.h"

#include <string.h>
#include <unicode_tables.h> /* made by unicode_tables.py */

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A byte that is part of no character, as a number that no character has. */
#define STRAY 0x110000

/* No character has a decomposition of more, and none a longer form by folding. */
#define GROWTH_MAX 4

void shoal_i_folder_clear(shoal_i_folder *folder)
{
    free(folder->text);
    free(folder->points[0]);
    free(folder->points[1]);
    *folder = (shoal_i_folder){0};
}

/* --- UTF-8 to numbers and back. ----------------------------------------------------------- */

/* How many bytes a character has by its first; 0: it begins none. */
static size_t measure_first(unsigned char first)
{
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xC2 || first > 0xF4) {
        return 0;
    }
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* Take the next character off a text; returns its bytes. */
static size_t take_point(uint32_t *out, const unsigned char *text, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    size_t size = measure_first(text[0]);

    *out = STRAY + text[0];
    if (size == 0 || size > length) {
        return 1;
    }
    uint32_t point = text[0] & bits[size];

    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 1;
        }
        point = point << 6 | (text[i] & 0x3F);
    }
    if (point < least[size] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) {
        return 1;
    }
    *out = point;
    return size;
}

static size_t put_point(char *out, uint32_t point)
{
    if (point >= STRAY) {
        out[0] = (char)(point - STRAY);
        return 1;
    }
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char marks[] = {0, 0, 0xC0, 0xE0, 0xF0};

    for (size_t i = size; i-- > 1; point >>= 6) {
        out[i] = (char)(0x80 | (point & 0x3F));
    }
    out[0] = (char)(marks[size] | point);
    return size;
}

/* --- Facts about characters. -------------------------------------------------------------- */

/* The place of the last number that is not above; count of them when there is none. */
static size_t find_last(const uint32_t *numbers, size_t count, uint32_t number)
{
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (numbers[middle] <= number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? low - 1 : count;
}

static unsigned find_class(uint32_t point)
{
    size_t at = point < class_first[0] ? COUNT(class_first)
                                       : find_last(class_first, COUNT(class_first), point);

    return at < COUNT(class_first) && point <= class_last[at] ? class_of_run[at] : 0;
}

static bool is_invisible(uint32_t point)
{
    return point == 0x200B || point == 0x2060 || point == 0xFEFF;
}

/* The property White_Space. */
static bool is_blank(uint32_t point)
{
    return point == ' ' || (point >= '\t' && point <= '\r') || point == 0x85 || point == 0xA0 ||
           point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
           point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

/* --- Forms of numbers. -------------------------------------------------------------------- */

typedef struct map {
    const uint32_t *from;
    const uint16_t *at;
    const uint32_t *to;
    size_t count;
} map;

static const map decompositions = {decompose_from, decompose_at, decompose_to,
                                   COUNT(decompose_from)};
static const map foldings = {fold_from, fold_at, fold_to, COUNT(fold_from)};

/* What a character becomes by a map; how many. */
static size_t put_mapped(uint32_t *out, const map *m, uint32_t point)
{
    size_t at = point < m->from[0] ? m->count : find_last(m->from, m->count, point);

    if (at == m->count || m->from[at] != point) {
        out[0] = point;
        return 1;
    }
    size_t size = (size_t)(m->at[at + 1] - m->at[at]);

    memcpy(out, m->to + m->at[at], size * sizeof *out);
    return size;
}

/* Syllables of Hangul are composed by a formula: Unicode, 3.12. */
static size_t put_decomposed(uint32_t *out, uint32_t point)
{
    enum { FIRST = 0xAC00, SYLLABLES = 11172, LEADING = 0x1100, VOWEL = 0x1161 };
    enum { TRAILING = 0x11A7, TRAILINGS = 28, PER_LEADING = 588 };

    if (point < FIRST || point >= FIRST + SYLLABLES) {
        return put_mapped(out, &decompositions, point);
    }
    uint32_t s = point - FIRST;

    out[0] = LEADING + s / PER_LEADING;
    out[1] = VOWEL + s % PER_LEADING / TRAILINGS;
    out[2] = TRAILING + s % TRAILINGS;
    return out[2] == TRAILING ? 2 : 3;
}

/* Sort marks by their classes, those of one class as they came. By counting, since somebody may
 * put a million of them on a letter. */
static void sort_marks(uint32_t *marks, uint32_t *scratch, size_t count)
{
    size_t starts[257] = {0};

    for (size_t i = 0; i < count; i++) {
        starts[find_class(marks[i]) + 1]++;
    }
    for (size_t class = 1; class < COUNT(starts); class ++) {
        starts[class] += starts[class - 1];
    }
    for (size_t i = 0; i < count; i++) {
        scratch[starts[find_class(marks[i])]++] = marks[i];
    }
    memcpy(marks, scratch, count * sizeof *marks);
}

/* Bring marks into canonical order. */
static void order_marks(uint32_t *points, uint32_t *scratch, size_t count)
{
    for (size_t first = 0; first < count;) {
        size_t end = first;

        while (end < count && find_class(points[end]) > 0) {
            end++;
        }
        if (end - first > 1) {
            sort_marks(points + first, scratch, end - first);
        }
        first = end + 1;
    }
}

static size_t put_blanks(uint32_t *out, const uint32_t *points, size_t count)
{
    size_t size = 0;
    bool is_between = false;

    for (size_t i = 0; i < count; i++) {
        if (is_invisible(points[i])) {
            continue;
        }
        if (is_blank(points[i])) {
            is_between = size > 0;
            continue;
        }
        if (is_between) {
            out[size++] = ' ';
            is_between = false;
        }
        out[size++] = points[i];
    }
    return size;
}

/* --- A text. ------------------------------------------------------------------------------ */

static shoal_status reserve_points(shoal_ctx *ctx, shoal_i_folder *f, size_t which,
                                   size_t count)
{
    if (count <= f->point_capacity[which]) {
        return SHOAL_OK;
    }
    uint32_t *points = shoal_i_realloc(ctx, f->points[which], count, sizeof *points);

    if (!points) {
        return SHOAL_ENOMEM;
    }
    f->points[which] = points;
    f->point_capacity[which] = count;
    return SHOAL_OK;
}

/* What becomes of a character; how many. */
typedef size_t (*put_fn)(uint32_t *out, uint32_t point);

static size_t put_folded(uint32_t *out, uint32_t point)
{
    return put_mapped(out, &foldings, point);
}

static void swap_points(shoal_i_folder *f)
{
    uint32_t *points = f->points[0];
    size_t capacity = f->point_capacity[0];

    f->points[0] = f->points[1];
    f->point_capacity[0] = f->point_capacity[1];
    f->points[1] = points;
    f->point_capacity[1] = capacity;
}

/* Replace each of the first `count` numbers by what becomes of it. */
static shoal_status replace(shoal_ctx *ctx, shoal_i_folder *f, size_t *count, put_fn put)
{
    shoal_status st = SHOAL_OK;
    size_t size = 0;

    SHOAL_TRY(reserve_points(ctx, f, 1, *count * GROWTH_MAX));
    for (size_t i = 0; i < *count; i++) {
        size += put(f->points[1] + size, f->points[0][i]);
    }
    swap_points(f);
    *count = size;
done:
    return st;
}

static shoal_status decompose_all(shoal_ctx *ctx, shoal_i_folder *f, size_t *count)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(replace(ctx, f, count, put_decomposed));
    SHOAL_TRY(reserve_points(ctx, f, 1, *count));
    order_marks(f->points[0], f->points[1], *count);
done:
    return st;
}

static shoal_status reserve_text(shoal_ctx *ctx, shoal_i_folder *f, size_t size)
{
    if (size <= f->text_capacity) {
        return SHOAL_OK;
    }
    char *text = shoal_i_realloc(ctx, f->text, size, 1);

    if (!text) {
        return SHOAL_ENOMEM;
    }
    f->text = text;
    f->text_capacity = size;
    return SHOAL_OK;
}

/* Most texts: neither composition nor long forms. */
static size_t fold_ascii(char *out, const char *text, size_t length, unsigned ways)
{
    size_t size = 0;
    bool is_between = false;

    for (size_t i = 0; i < length; i++) {
        char c = text[i];

        if ((ways & SHOAL_I_FOLD_BLANKS) && is_blank((unsigned char)c)) {
            is_between = size > 0;
            continue;
        }
        if (is_between) {
            out[size++] = ' ';
            is_between = false;
        }
        out[size++] =
            (ways & SHOAL_I_FOLD_CASE) && c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return size;
}

static bool is_ascii(const char *text, size_t length)
{
    unsigned char all = 0;

    for (size_t i = 0; i < length; i++) {
        all |= (unsigned char)text[i];
    }
    return all < 0x80;
}

static shoal_status fold_points(shoal_ctx *ctx, shoal_i_folder *f, size_t *count, unsigned ways)
{
    shoal_status st = SHOAL_OK;

    /* First, since what has no width may stand between two marks that change places. */
    if (ways & SHOAL_I_FOLD_BLANKS) {
        *count = put_blanks(f->points[0], f->points[0], *count);
    }
    if (ways & SHOAL_I_FOLD_UNICODE) {
        SHOAL_TRY(decompose_all(ctx, f, count));
    }
    if (ways & SHOAL_I_FOLD_CASE) {
        SHOAL_TRY(replace(ctx, f, count, put_folded));
    }
    if ((ways & SHOAL_I_FOLD_UNICODE) && (ways & SHOAL_I_FOLD_CASE)) {
        SHOAL_TRY(decompose_all(ctx, f, count));
    }
done:
    return st;
}

shoal_status shoal_i_fold(shoal_ctx *ctx, shoal_i_folder *folder, const char **out,
                          size_t *size, const char *text, size_t length, unsigned ways)
{
    shoal_status st = SHOAL_OK;
    shoal_i_folder *f = folder;
    size_t count = 0;

    if (ways == 0 || length == 0) {
        *out = text;
        *size = length;
        return SHOAL_OK;
    }
    if (is_ascii(text, length)) {
        SHOAL_TRY(reserve_text(ctx, f, length));
        *size = fold_ascii(f->text, text, length, ways);
        *out = f->text;
        goto done;
    }
    SHOAL_TRY(reserve_points(ctx, f, 0, length));
    for (size_t at = 0; at < length;) {
        at += take_point(&f->points[0][count++], (const unsigned char *)text + at, length - at);
    }
    SHOAL_TRY(fold_points(ctx, f, &count, ways));
    SHOAL_TRY(reserve_text(ctx, f, count * 4 + 1));
    *size = 0;
    for (size_t i = 0; i < count; i++) {
        *size += put_point(f->text + *size, f->points[0][i]);
    }
    *out = f->text;
done:
    return st;
}

#include "arrow_coder.h"

#include "../../base/text.h"
#include "../grow.h"
#include "../value_type.h"
#include "arrow_text.h"

#include <assert.h>
#include <math.h>

#define BLOCK 1024          /* records at a time: what they need stays in the nearest cache */
#define BLOCKS_PER_CHECK 64 /* between two looks at the cancel flag */

/* Numbers that lie near each other are found by their place in a window. */
#define WINDOW_MIN 1024
#define WINDOW_MAX ((uint64_t)1 << 18) /* what the second cache holds */
#define WINDOW_PER_ROW 8

#define DECIMAL_SLOTS_BITS 13
#define DECIMAL_DIGITS 15 /* decimals of up to this many are told apart as doubles */

struct shoal_i_decimal_slot {
    shoal_i_decimal decimal;
    uint32_t index; /* 0: empty */
};

/* A block on its way: validity byte by byte, NULL when nothing is missing. */
typedef struct block {
    size_t first;
    size_t count;
    const uint8_t *valid;
    uint32_t *out;
} block;

void shoal_i_arrow_coder_clear(shoal_i_arrow_coder *coder)
{
    shoal_i_dictionary_clear(&coder->values);
    free(coder->window);
    free(coder->indices);
    free(coder->entries);
    free(coder->touched);
    free(coder->decimals);
    *coder = (shoal_i_arrow_coder){0};
}

const char *shoal_i_arrow_fault_text(shoal_i_arrow_fault fault)
{
    switch (fault) {
    case SHOAL_I_ARROW_INFINITE:
        return "has a value that is infinite; mark it as missing or leave the record out";
    case SHOAL_I_ARROW_YEAR:
        return "has a date outside the years 1 to 9999";
    case SHOAL_I_ARROW_UTF8:
        return "has a text that is not valid UTF-8 or contains a NUL byte";
    case SHOAL_I_ARROW_PLACE:
        return "has a text that lies outside its buffer";
    default:
        return "has an index outside its dictionary";
    }
}

static bool is_missing(const block *b, size_t i)
{
    return b->valid && !b->valid[i];
}

/* --- Single values: *index is that of the value, 0 when it is missing. --- */

static void note_instant(shoal_i_arrow_coder *coder, int64_t instant)
{
    int64_t rest;
    int digits = shoal_i_instant_digits(instant, &coder->type);

    shoal_i_instant_days(&rest, instant, &coder->type);
    coder->has_time |= rest != 0;
    coder->digits = digits > coder->digits ? digits : coder->digits;
}

/* What has to be known of a number that occurs for the first time. */
static shoal_i_arrow_fault note_number(shoal_i_arrow_coder *coder, int64_t number)
{
    const shoal_i_arrow_type *type = &coder->type;
    int year;
    int month;
    int day;

    switch (type->kind) {
    case SHOAL_I_ARROW_INTEGER:
        coder->is_beyond |= type->is_signed
                                ? number < -SHOAL_I_INTEGER_MAX || number > SHOAL_I_INTEGER_MAX
                                : (uint64_t)number > (uint64_t)SHOAL_I_INTEGER_MAX;
        return SHOAL_I_ARROW_FINE;
    case SHOAL_I_ARROW_DATE:
        shoal_i_date_parts((int32_t)number, &year, &month, &day);
        return year < 1 || year > 9999 ? SHOAL_I_ARROW_YEAR : SHOAL_I_ARROW_FINE;
    case SHOAL_I_ARROW_INSTANT:
        if (!shoal_i_instant_has_text(number, type)) {
            return SHOAL_I_ARROW_YEAR;
        }
        note_instant(coder, number);
        return SHOAL_I_ARROW_FINE;
    default:
        return SHOAL_I_ARROW_FINE;
    }
}

static shoal_status add_number(shoal_ctx *ctx, shoal_i_arrow_coder *coder, uint32_t *index,
                               int64_t number)
{
    coder->fault = note_number(coder, number);
    return coder->fault
               ? SHOAL_OK
               : shoal_i_dictionary_add_number(ctx, &coder->values, index, (uint64_t)number);
}

static shoal_status add_double(shoal_ctx *ctx, shoal_i_arrow_coder *coder, uint32_t *index,
                               double number)
{
    uint64_t bits;

    if (isinf(number)) {
        coder->fault = SHOAL_I_ARROW_INFINITE;
        return SHOAL_OK;
    }
    memcpy(&bits, &number, sizeof bits);
    return shoal_i_dictionary_add_number(ctx, &coder->values, index, bits);
}

static shoal_status add_text(shoal_ctx *ctx, shoal_i_arrow_coder *coder, uint32_t *index,
                             const char *text, size_t length)
{
    size_t at;

    if (memchr(text, '\0', length) || !shoal_i_text_is_utf8(&at, text, length)) {
        coder->fault = SHOAL_I_ARROW_UTF8;
        return SHOAL_OK;
    }
    return shoal_i_dictionary_add(ctx, &coder->values, index, text, length);
}

/* By way of a few decimals that occurred lately: making the text is the slow part. */
static shoal_status add_decimal(shoal_ctx *ctx, shoal_i_arrow_coder *coder, uint32_t *index,
                                const shoal_i_arrow_view *view, size_t i)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_arrow_type *type = &coder->type;
    shoal_i_decimal decimal =
        shoal_i_decimal_load(view->data + (view->offset + i) * type->width, type->width);
    char text[SHOAL_I_ARROW_TEXT_MAX];
    int significant;
    int64_t whole;

    if (!coder->decimals) {
        SHOAL_ALLOC(ctx, coder->decimals, (size_t)1 << DECIMAL_SLOTS_BITS);
    }
    struct shoal_i_decimal_slot *slot =
        &coder->decimals[(decimal.words[0] * 0x9E3779B97F4A7C15u) >> (64 - DECIMAL_SLOTS_BITS)];

    if (slot->index == 0 || memcmp(&slot->decimal, &decimal, sizeof decimal) != 0) {
        size_t length = shoal_i_decimal_text(text, &significant, &decimal, type->scale);

        coder->is_beyond |= type->scale > 0 ? significant > DECIMAL_DIGITS
                                            : !shoal_i_text_to_int64(&whole, text, length) ||
                                                  whole < -SHOAL_I_INTEGER_MAX ||
                                                  whole > SHOAL_I_INTEGER_MAX;
        SHOAL_TRY(shoal_i_dictionary_add(ctx, &coder->values, &slot->index, text, length));
        slot->decimal = decimal;
    }
    *index = slot->index;
done:
    return st;
}

/* Element i of an array of values, whatever it is: the slow way. */
static shoal_status add_element(shoal_ctx *ctx, shoal_i_arrow_coder *coder, uint32_t *index,
                                const shoal_i_arrow_view *view, size_t i)
{
    const char *text = NULL;
    size_t length = 0;
    size_t readable = 0;
    double real = 0;
    int64_t number = 0;

    *index = 0;
    if (!shoal_i_arrow_view_has(view, i)) {
        return SHOAL_OK;
    }
    switch (view->type.kind) {
    case SHOAL_I_ARROW_TEXT:
    case SHOAL_I_ARROW_VIEW:
        if (!shoal_i_arrow_view_text(&text, &length, &readable, view, i)) {
            coder->fault = SHOAL_I_ARROW_PLACE;
            return SHOAL_OK;
        }
        return add_text(ctx, coder, index, text, length);
    case SHOAL_I_ARROW_DECIMAL:
        return add_decimal(ctx, coder, index, view, i);
    case SHOAL_I_ARROW_FLOAT:
        shoal_i_arrow_view_doubles(&real, view, i, 1);
        return isnan(real) ? SHOAL_OK : add_double(ctx, coder, index, real + 0.0);
    default:
        shoal_i_arrow_view_integers(&number, view, i, 1);
        return add_number(ctx, coder, index, number);
    }
}

/* --- Blocks. A fault ends one: coder->fault is set, and out[i] of the record is not. Each
 * returns how many records it did. --- */

/* Numbers that have occurred are found without a call. */
static uint32_t find_number(const shoal_i_dictionary *values, uint64_t number)
{
    uint64_t key[] = {number, 1};

    return values->words == 2 ? shoal_i_dictionary_find_key(values, 2, key) : 0;
}

/* Smallest and largest of the numbers that are there, as 64 bits with a sign, which of those
 * without one wrap around: then the window is of no use, and does no harm. False: there is
 * none. */
static bool find_range(int64_t *least, int64_t *most, const int64_t *numbers, const block *b)
{
    *least = INT64_MAX;
    *most = INT64_MIN;
    for (size_t i = 0; i < b->count; i++) {
        bool is_there = !is_missing(b, i);

        *least = is_there && numbers[i] < *least ? numbers[i] : *least;
        *most = is_there && numbers[i] > *most ? numbers[i] : *most;
    }
    return *least <= *most;
}

/* Widen the window to these numbers, unless it would be large for what it is worth. */
static shoal_status widen_window(shoal_ctx *ctx, shoal_i_arrow_coder *coder, int64_t least,
                                 int64_t most, size_t row_count)
{
    shoal_status st = SHOAL_OK;
    uint32_t *window = NULL;
    int64_t first = coder->window_first;
    int64_t last = (int64_t)((uint64_t)first + coder->window_count - 1);

    if (!coder->window || least < first) {
        first = least;
    }
    if (!coder->window || most > last) {
        last = most;
    }
    uint64_t span = (uint64_t)last - (uint64_t)first; /* one less than the numbers there */
    bool is_large =
        span >= WINDOW_MAX || (span >= WINDOW_MIN && span / WINDOW_PER_ROW >= row_count);

    if (is_large || span < coder->window_count) {
        return SHOAL_OK;
    }
    /* Twice as many as wanted, so that windows seldom grow; upwards, where ids go. */
    size_t count = (size_t)span + 1;

    count = 2 * count < WINDOW_MAX ? 2 * count : count;
    if ((uint64_t)INT64_MAX - (uint64_t)first < count) {
        return SHOAL_OK; /* at the end of all numbers */
    }
    SHOAL_ALLOC(ctx, window, count);
    if (coder->window) {
        memcpy(window + ((uint64_t)coder->window_first - (uint64_t)first), coder->window,
               coder->window_count * sizeof *window);
    }
    free(coder->window);
    coder->window = window;
    coder->window_first = first;
    coder->window_count = count;
done:
    return st;
}

static shoal_status code_numbers(shoal_ctx *ctx, shoal_i_arrow_coder *coder, size_t *done_count,
                                 const shoal_i_arrow_view *view, const block *b)
{
    shoal_status st = SHOAL_OK;
    int64_t numbers[BLOCK];
    int64_t least;
    int64_t most;
    size_t i = 0;

    shoal_i_arrow_view_integers(numbers, view, b->first, b->count);
    if (find_range(&least, &most, numbers, b)) {
        SHOAL_TRY(widen_window(ctx, coder, least, most, coder->count + b->count));
    }
    for (; i < b->count && !coder->fault; i++) {
        uint64_t place = (uint64_t)numbers[i] - (uint64_t)coder->window_first;
        bool is_near = place < coder->window_count;
        uint32_t index = is_near ? coder->window[place] : 0;

        if (is_missing(b, i)) {
            b->out[i] = 0;
            continue;
        }
        if (index == 0) {
            index = find_number(&coder->values, (uint64_t)numbers[i]);
            if (index == 0) {
                SHOAL_TRY(add_number(ctx, coder, &index, numbers[i]));
            }
            if (is_near) {
                coder->window[place] = index;
            }
        }
        b->out[i] = index;
    }
done:
    *done_count = i - (coder->fault != SHOAL_I_ARROW_FINE);
    return st;
}

static shoal_status code_doubles(shoal_ctx *ctx, shoal_i_arrow_coder *coder, size_t *done_count,
                                 const shoal_i_arrow_view *view, const block *b)
{
    shoal_status st = SHOAL_OK;
    double numbers[BLOCK];
    size_t i = 0;

    shoal_i_arrow_view_doubles(numbers, view, b->first, b->count);
    for (; i < b->count && !coder->fault; i++) {
        uint32_t index = 0;

        if (!is_missing(b, i) && !isnan(numbers[i])) {
            double number = numbers[i] == 0 ? 0 : numbers[i]; /* -0 and 0 are one value */
            uint64_t bits;

            memcpy(&bits, &number, sizeof bits);
            index = find_number(&coder->values, bits);
            if (index == 0) {
                SHOAL_TRY(add_double(ctx, coder, &index, number));
            }
        }
        b->out[i] = index;
    }
done:
    *done_count = i - (coder->fault != SHOAL_I_ARROW_FINE);
    return st;
}

/* A text without a NUL byte that has occurred; 0 when it has not, or must be looked up as a
 * whole. */
static uint32_t find_text(const shoal_i_dictionary *values, const char *text, size_t length,
                          size_t readable)
{
    uint64_t key[SHOAL_I_DICTIONARY_WORDS_MAX];
    const unsigned words = values->words;

    if (words == 0 || length > 8 * words || readable < 8 * words) {
        return 0;
    }
    shoal_i_dictionary_key(key, words, text, length);
    return shoal_i_dictionary_find_key(values, words, key);
}

/* Whether any text of a block may hold a NUL byte, which would be taken for its end. Of texts
 * that lie one behind the other one look at all of their bytes tells. */
static bool may_have_nul(const shoal_i_arrow_view *view, const block *b)
{
    if (view->type.kind != SHOAL_I_ARROW_TEXT) {
        return true;
    }
    int64_t start = shoal_i_arrow_view_offset(view, b->first);
    int64_t end = shoal_i_arrow_view_offset(view, b->first + b->count);

    return start < 0 || end < start || end > view->end ||
           (end > start && memchr(view->data + start, '\0', (size_t)(end - start)));
}

static shoal_status code_texts(shoal_ctx *ctx, shoal_i_arrow_coder *coder, size_t *done_count,
                               const shoal_i_arrow_view *view, const block *b)
{
    shoal_status st = SHOAL_OK;
    bool has_nul = may_have_nul(view, b);
    size_t i = 0;

    for (; i < b->count && !coder->fault; i++) {
        const char *text = NULL;
        size_t length = 0;
        size_t readable = 0;

        b->out[i] = 0;
        if (is_missing(b, i)) {
            continue;
        }
        if (!shoal_i_arrow_view_text(&text, &length, &readable, view, b->first + i)) {
            coder->fault = SHOAL_I_ARROW_PLACE;
            continue;
        }
        if (!has_nul || !memchr(text, '\0', length)) {
            b->out[i] = find_text(&coder->values, text, length, readable);
        }
        if (b->out[i] == 0) {
            SHOAL_TRY(add_text(ctx, coder, &b->out[i], text, length));
        }
    }
done:
    *done_count = i - (coder->fault != SHOAL_I_ARROW_FINE);
    return st;
}

static shoal_status code_decimals(shoal_ctx *ctx, shoal_i_arrow_coder *coder,
                                  size_t *done_count, const shoal_i_arrow_view *view,
                                  const block *b)
{
    shoal_status st = SHOAL_OK;
    size_t i = 0;

    for (; i < b->count; i++) {
        b->out[i] = 0;
        if (!is_missing(b, i)) {
            SHOAL_TRY(add_decimal(ctx, coder, &b->out[i], view, b->first + i));
        }
    }
done:
    *done_count = i;
    return st;
}

/* --- Dictionaries. --- */

/* Forget the entries of the dictionary before and make room for those of the next. Only what
 * was used is touched: tiny arrays may come with a large dictionary each. */
static shoal_status open_entries(shoal_ctx *ctx, shoal_i_arrow_coder *coder, size_t count)
{
    shoal_status st = SHOAL_OK;
    uint32_t *entries = NULL;

    for (size_t i = 0; i < coder->touched_count; i++) {
        coder->entries[coder->touched[i]] = 0;
    }
    coder->touched_count = 0;
    if (count <= coder->entry_capacity && coder->entries) {
        return SHOAL_OK;
    }
    /* Twice as many as wanted where dictionaries grow from array to array. */
    size_t capacity = coder->entries ? 2 * count : count;

    SHOAL_ALLOC(ctx, entries, capacity);
    free(coder->entries);
    coder->entries = entries;
    coder->entry_capacity = capacity;
done:
    return st;
}

static shoal_status add_entry(shoal_ctx *ctx, shoal_i_arrow_coder *coder,
                              const shoal_i_arrow_view *entries, size_t entry)
{
    shoal_status st = SHOAL_OK;
    uint32_t index = 0;
    uint32_t *touched = shoal_i_grow(ctx, coder->touched, &coder->touched_capacity,
                                     coder->touched_count + 1, sizeof *touched);

    if (!touched) {
        return SHOAL_ENOMEM;
    }
    coder->touched = touched;
    SHOAL_TRY(add_element(ctx, coder, &index, entries, entry));
    if (!coder->fault) {
        coder->touched[coder->touched_count++] = (uint32_t)entry;
        coder->entries[entry] = index + 1;
    }
done:
    return st;
}

static shoal_status code_entries(shoal_ctx *ctx, shoal_i_arrow_coder *coder, size_t *done_count,
                                 const shoal_i_arrow_view *view,
                                 const shoal_i_arrow_view *entries, const block *b)
{
    shoal_status st = SHOAL_OK;
    int64_t indices[BLOCK];
    size_t i = 0;

    shoal_i_arrow_view_integers(indices, view, b->first, b->count);
    for (; i < b->count && !coder->fault; i++) {
        uint64_t entry = (uint64_t)indices[i];

        b->out[i] = 0;
        if (is_missing(b, i)) {
            continue;
        }
        if (entry >= entries->length) {
            coder->fault = SHOAL_I_ARROW_INDEX;
            continue;
        }
        if (coder->entries[entry] == 0) {
            SHOAL_TRY(add_entry(ctx, coder, entries, entry));
        }
        b->out[i] = coder->entries[entry] - 1;
    }
done:
    *done_count = i - (coder->fault != SHOAL_I_ARROW_FINE);
    return st;
}

/* --- Indices of all records. --- */

/* Give the indices so far more bytes each: from the last to the first, in place. */
static shoal_status widen_indices(shoal_ctx *ctx, shoal_i_arrow_coder *coder, unsigned width)
{
    void *wider = shoal_i_realloc(ctx, coder->indices, coder->capacity, width);
    shoal_i_codes old = {.data = wider, .width = coder->width};

    if (!wider) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = coder->count; i-- > 0;) {
        uint32_t index = shoal_i_codes_get(old, i);

        shoal_i_codes_narrow(wider, width, i, &index, 1);
    }
    coder->indices = wider;
    coder->width = width;
    return SHOAL_OK;
}

static shoal_status store_indices(shoal_ctx *ctx, shoal_i_arrow_coder *coder,
                                  const uint32_t *indices, size_t count)
{
    shoal_status st = SHOAL_OK;
    unsigned width = shoal_i_codes_width(coder->values.count);

    if (count == 0) {
        return SHOAL_OK;
    }
    if (coder->width == 0) {
        coder->width = width;
    }
    void *grown =
        shoal_i_grow(ctx, coder->indices, &coder->capacity, coder->count + count, coder->width);

    if (!grown) {
        return SHOAL_ENOMEM;
    }
    coder->indices = grown;
    if (width > coder->width) {
        SHOAL_TRY(widen_indices(ctx, coder, width));
    }
    shoal_i_codes_narrow(coder->indices, coder->width, coder->count, indices, count);
    coder->count += count;
done:
    return st;
}

/* --- Pieces. --- */

/* The validity of a block byte by byte; NULL when nothing is missing. */
static const uint8_t *read_validity(uint8_t *out, const shoal_i_arrow_piece *piece,
                                    const block *b)
{
    const uint8_t *bits = piece->view->validity;
    size_t at = piece->view->offset + b->first;
    unsigned all = 1;

    if (!bits && !piece->records) {
        return NULL;
    }
    for (size_t i = 0; i < b->count; i++) {
        out[i] = !bits || shoal_i_bitset_has(bits, at + i);
        if (piece->records) {
            out[i] &= shoal_i_bitset_has(piece->records,
                                         piece->records_offset + b->first - piece->first + i);
        }
        all &= out[i];
    }
    return all ? NULL : out;
}

static shoal_status code_block(shoal_ctx *ctx, shoal_i_arrow_coder *coder, size_t *done_count,
                               const shoal_i_arrow_piece *piece, const block *b)
{
    const shoal_i_arrow_view *view = piece->view;

    if (coder->has_entries) {
        return code_entries(ctx, coder, done_count, view, piece->entries, b);
    }
    switch (view->type.kind) {
    case SHOAL_I_ARROW_NULL:
        memset(b->out, 0, b->count * sizeof *b->out);
        *done_count = b->count;
        return SHOAL_OK;
    case SHOAL_I_ARROW_TEXT:
    case SHOAL_I_ARROW_VIEW:
        return code_texts(ctx, coder, done_count, view, b);
    case SHOAL_I_ARROW_DECIMAL:
        return code_decimals(ctx, coder, done_count, view, b);
    case SHOAL_I_ARROW_FLOAT:
        return code_doubles(ctx, coder, done_count, view, b);
    default:
        return code_numbers(ctx, coder, done_count, view, b);
    }
}

shoal_status shoal_i_arrow_code(shoal_ctx *ctx, shoal_i_arrow_coder *coder,
                                const shoal_i_arrow_piece *piece)
{
    shoal_status st = SHOAL_OK;
    uint8_t valid[BLOCK];
    uint32_t out[BLOCK];

    assert(!coder->fault);
    if (coder->has_entries && !piece->is_same_dictionary) {
        SHOAL_TRY(open_entries(ctx, coder, piece->entries->length));
    }
    for (size_t at = 0; at < piece->count && !coder->fault; at += BLOCK) {
        size_t left = piece->count - at;
        size_t done_count = 0;
        block b = {
            .first = piece->first + at, .count = left < BLOCK ? left : BLOCK, .out = out};

        if (at / BLOCK % BLOCKS_PER_CHECK == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
        b.valid = read_validity(valid, piece, &b);
        SHOAL_TRY(code_block(ctx, coder, &done_count, piece, &b));
        SHOAL_TRY(store_indices(ctx, coder, out, done_count));
    }
    coder->fault_row = coder->count;
done:
    return st;
}

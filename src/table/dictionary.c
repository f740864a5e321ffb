#include "dictionary.h"

#include <assert.h>

#define SLOT_BITS_FIRST 6
#define KEYS_FIRST 16
#define LONG_FIRST 16
#define INDEX_MAX (UINT32_MAX / 4)

/* Keys allocated beyond the last one: the longest key can be read at each. */
#define KEYS_BEHIND SHOAL_I_DICTIONARY_WORDS_MAX

#define GROUP 16 /* texts that are looked up together */

/* No UTF-8 text contains this byte: as the first byte of a key it marks a long text, and the
 * upper half of that word is the text's place in long_values. */
#define LONG_MARK 0xFF

struct shoal_i_long_value {
    uint64_t hash;
    const char *text;
    size_t length;
    uint32_t index;
};

#define ONES_8 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF
const unsigned char shoal_i_dictionary_mask[2 * SHOAL_I_DICTIONARY_SHORT_MAX] = {
    ONES_8, ONES_8, ONES_8, ONES_8};

void shoal_i_dictionary_clear(shoal_i_dictionary *dictionary)
{
    free(dictionary->slots);
    free(dictionary->keys);
    free(dictionary->long_values);
    free(dictionary->long_slots);
    shoal_i_arena_clear(&dictionary->long_texts);
    memset(dictionary, 0, sizeof *dictionary);
}

size_t shoal_i_dictionary_size(const shoal_i_dictionary *dictionary)
{
    size_t slots = dictionary->slots ? (size_t)(UINT64_MAX >> dictionary->shift) + 1 : 0;

    return slots * sizeof *dictionary->slots +
           dictionary->key_capacity * dictionary->words * sizeof *dictionary->keys +
           dictionary->long_capacity * sizeof *dictionary->long_values +
           dictionary->long_slot_count * sizeof *dictionary->long_slots +
           dictionary->long_bytes;
}

/* --- Keys. --- */

static unsigned count_words(size_t length)
{
    return length <= 8 ? 1 : length <= 16 ? 2 : 4;
}

/* Make room for one more index. */
static shoal_status reserve_key(shoal_ctx *ctx, shoal_i_dictionary *d)
{
    if (d->count + 1 < d->key_capacity) {
        return SHOAL_OK;
    }
    if (d->count >= INDEX_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "A column has more than %u distinct values.",
                            INDEX_MAX);
    }
    size_t capacity = d->key_capacity * 2;
    uint64_t *keys =
        shoal_i_realloc(ctx, d->keys, capacity + KEYS_BEHIND, d->words * sizeof *keys);

    if (!keys) {
        return SHOAL_ENOMEM;
    }
    d->keys = keys;
    d->key_capacity = capacity;
    return SHOAL_OK;
}

/* Give every key more words, the new ones zero. Hashes stay, and so do the slots. */
static shoal_status widen_keys(shoal_ctx *ctx, shoal_i_dictionary *d, unsigned words)
{
    uint64_t *keys = shoal_i_alloc(ctx, d->key_capacity + KEYS_BEHIND, words * sizeof *keys);

    if (!keys) {
        return SHOAL_ENOMEM;
    }
    for (size_t index = 0; index <= d->count; index++) {
        memcpy(keys + index * words, d->keys + index * d->words, d->words * sizeof *keys);
    }
    memset(keys, 0xFF, words * sizeof *keys);
    free(d->keys);
    d->keys = keys;
    d->words = words;
    return SHOAL_OK;
}

static shoal_status start(shoal_ctx *ctx, shoal_i_dictionary *d, unsigned words)
{
    shoal_status st = SHOAL_OK;
    uint32_t *slots = NULL;
    uint64_t *keys = NULL;

    SHOAL_ALLOC(ctx, slots, (size_t)1 << SLOT_BITS_FIRST);
    SHOAL_ALLOC(ctx, keys, (size_t)(KEYS_FIRST + KEYS_BEHIND) * words);
    memset(keys, 0xFF, words * sizeof *keys);
    d->hash_key = ctx->hash_key;
    d->slots = slots;
    d->shift = 64 - SLOT_BITS_FIRST;
    d->keys = keys;
    d->key_capacity = KEYS_FIRST;
    d->words = words;
    slots = NULL;
done:
    free(slots);
    return st;
}

/* Empty dictionaries cost nothing: tables may have thousands of columns. */
static shoal_status prepare(shoal_ctx *ctx, shoal_i_dictionary *d, unsigned words)
{
    if (d->words == 0) {
        return start(ctx, d, words);
    }
    return d->words < words ? widen_keys(ctx, d, words) : SHOAL_OK;
}

/* --- Slots of short texts. --- */

static bool is_long(const uint64_t *key)
{
    unsigned char first;

    memcpy(&first, key, 1);
    return first == LONG_MARK;
}

static void fill_slot(uint32_t *slots, unsigned shift, uint64_t hash, uint32_t index)
{
    uint64_t slot = hash >> shift;

    while (slots[slot] != 0) {
        slot = (slot + 1) & (UINT64_MAX >> shift);
    }
    slots[slot] = index;
}

static shoal_status grow_slots(shoal_ctx *ctx, shoal_i_dictionary *d, bool holds_numbers)
{
    unsigned shift = d->shift - 1;
    uint32_t *slots = shoal_i_alloc(ctx, (size_t)(UINT64_MAX >> shift) + 1, sizeof *slots);

    if (!slots) {
        return SHOAL_ENOMEM;
    }
    for (uint32_t index = 1; index <= d->count; index++) {
        const uint64_t *key = d->keys + (size_t)index * d->words;

        if (holds_numbers || !is_long(key)) {
            fill_slot(slots, shift, shoal_i_dictionary_hash(&d->hash_key, key, d->words),
                      index);
        }
    }
    free(d->slots);
    d->slots = slots;
    d->shift = shift;
    return SHOAL_OK;
}

/* Add a key that the dictionary lacks. At most half of the slots are taken: probes stay short.
 */
static shoal_status add_key(shoal_ctx *ctx, shoal_i_dictionary *d, uint32_t *index,
                            const uint64_t *key, bool holds_numbers)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(reserve_key(ctx, d));
    if (d->slot_used >= (UINT64_MAX >> d->shift) / 2) {
        SHOAL_TRY(grow_slots(ctx, d, holds_numbers));
    }
    *index = ++d->count;
    memcpy(d->keys + (size_t)*index * d->words, key, d->words * sizeof *key);
    fill_slot(d->slots, d->shift, shoal_i_dictionary_hash(&d->hash_key, key, d->words), *index);
    d->slot_used++;
done:
    return st;
}

/* --- Long texts. --- */

static uint32_t find_long(const shoal_i_dictionary *d, const char *text, size_t length,
                          uint64_t hash)
{
    uint32_t last = d->long_slot_count - 1;

    if (d->long_slot_count == 0) {
        return 0;
    }
    for (uint32_t slot = (uint32_t)hash & last; d->long_slots[slot] != 0;
         slot = (slot + 1) & last) {
        const struct shoal_i_long_value *value = &d->long_values[d->long_slots[slot] - 1];

        if (value->hash == hash && value->length == length &&
            memcmp(value->text, text, length) == 0) {
            return value->index;
        }
    }
    return 0;
}

static void fill_long_slot(shoal_i_dictionary *d, uint32_t place)
{
    uint32_t last = d->long_slot_count - 1;
    uint32_t slot = (uint32_t)d->long_values[place].hash & last;

    while (d->long_slots[slot] != 0) {
        slot = (slot + 1) & last;
    }
    d->long_slots[slot] = place + 1;
}

static shoal_status grow_long(shoal_ctx *ctx, shoal_i_dictionary *d)
{
    shoal_status st = SHOAL_OK;
    uint32_t capacity = d->long_capacity ? d->long_capacity * 2 : LONG_FIRST;
    uint32_t *slots = NULL;
    struct shoal_i_long_value *values =
        shoal_i_realloc(ctx, d->long_values, capacity, sizeof *values);

    if (!values) {
        return SHOAL_ENOMEM;
    }
    d->long_values = values;
    SHOAL_ALLOC(ctx, slots, (size_t)2 * capacity);
    free(d->long_slots);
    d->long_slots = slots;
    d->long_slot_count = 2 * capacity;
    d->long_capacity = capacity;
    for (uint32_t place = 0; place < d->long_count; place++) {
        fill_long_slot(d, place);
    }
done:
    return st;
}

static shoal_status add_long(shoal_ctx *ctx, shoal_i_dictionary *d, uint32_t *index,
                             const char *text, size_t length)
{
    shoal_status st = SHOAL_OK;
    uint64_t hash = 0;
    uint32_t marked[2] = {0};
    uint64_t key[SHOAL_I_DICTIONARY_WORDS_MAX] = {0};
    char *copy = NULL;

    SHOAL_TRY(prepare(ctx, d, 1));
    hash = shoal_i_hash_bytes(&d->hash_key, text, length);
    *index = find_long(d, text, length, hash);
    if (*index != 0) {
        return SHOAL_OK;
    }
    SHOAL_TRY(reserve_key(ctx, d));
    if (d->long_count == d->long_capacity) {
        SHOAL_TRY(grow_long(ctx, d));
    }
    copy = shoal_i_arena_text(ctx, &d->long_texts, text, length);
    if (!copy) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    memset(&marked[0], LONG_MARK, 1);
    marked[1] = d->long_count;
    memcpy(key, marked, sizeof marked);
    *index = ++d->count;
    memcpy(d->keys + (size_t)*index * d->words, key, d->words * sizeof *key);
    d->long_bytes += length + 1;
    d->long_values[d->long_count++] = (struct shoal_i_long_value){
        .hash = hash, .text = copy, .length = length, .index = *index};
    fill_long_slot(d, d->long_count - 1);
done:
    return st;
}

/* --- Texts. --- */

static void make_key(uint64_t *key, unsigned words, const char *text, size_t length)
{
    memset(key, 0, words * sizeof *key);
    if (length > 0) {
        memcpy(key, text, length);
    }
}

shoal_status shoal_i_dictionary_add(shoal_ctx *ctx, shoal_i_dictionary *dictionary,
                                    uint32_t *index, const char *text, size_t length)
{
    uint64_t key[SHOAL_I_DICTIONARY_WORDS_MAX];
    shoal_status st = SHOAL_OK;

    *index = 0;
    if (length > SHOAL_I_DICTIONARY_SHORT_MAX) {
        return add_long(ctx, dictionary, index, text, length);
    }
    SHOAL_TRY(prepare(ctx, dictionary, count_words(length)));
    make_key(key, dictionary->words, text, length);
    *index = shoal_i_dictionary_find_key(dictionary, dictionary->words, key);
    if (*index == 0) {
        SHOAL_TRY(add_key(ctx, dictionary, index, key, false));
    }
done:
    return st;
}

static void announce_slot(const shoal_i_dictionary *d, uint64_t hash)
{
    __builtin_prefetch(&d->slots[hash >> d->shift]);
}

/* Three steps, so that the memory each text needs is on its way while the others are worked
 * with. */
static shoal_status add_group(shoal_ctx *ctx, shoal_i_dictionary *d, uint32_t *indices,
                              const shoal_i_text *texts, size_t stride, size_t count)
{
    shoal_status st = SHOAL_OK;
    const unsigned words = d->words;
    uint64_t keys[GROUP][SHOAL_I_DICTIONARY_WORDS_MAX];
    uint64_t hashes[GROUP];

    for (size_t i = 0; i < count; i++) {
        const shoal_i_text *text = &texts[i * stride];
        bool has_key = text->length <= 8 * words; /* others are looked up as a whole below */

        shoal_i_dictionary_key(keys[i], words, text->text, has_key ? text->length : 0);
        hashes[i] = shoal_i_dictionary_hash(&d->hash_key, keys[i], words);
        announce_slot(d, hashes[i]);
    }
    for (size_t i = 0; i < count; i++) {
        shoal_i_dictionary_announce(d, d->slots[hashes[i] >> d->shift]);
    }
    for (size_t i = 0; i < count; i++) {
        const shoal_i_text *text = &texts[i * stride];
        bool has_key = text->length <= 8 * words && d->words == words;

        indices[i] = has_key ? shoal_i_dictionary_find_key(d, words, keys[i]) : 0;
        if (indices[i] == 0) {
            SHOAL_TRY(shoal_i_dictionary_add(ctx, d, &indices[i], text->text, text->length));
        }
    }
done:
    return st;
}

shoal_status shoal_i_dictionary_add_all(shoal_ctx *ctx, shoal_i_dictionary *dictionary,
                                        uint32_t *indices, const shoal_i_text *texts,
                                        size_t stride, size_t count)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(prepare(ctx, dictionary, 1));
    for (size_t i = 0; i < count; i += GROUP) {
        size_t left = count - i;

        SHOAL_TRY(add_group(ctx, dictionary, indices + i, texts + i * stride, stride,
                            left < GROUP ? left : GROUP));
    }
done:
    return st;
}

uint32_t shoal_i_dictionary_find(const shoal_i_dictionary *dictionary, const char *text,
                                 size_t length)
{
    uint64_t key[SHOAL_I_DICTIONARY_WORDS_MAX];

    if (length > SHOAL_I_DICTIONARY_SHORT_MAX) {
        return find_long(dictionary, text, length,
                         shoal_i_hash_bytes(&dictionary->hash_key, text, length));
    }
    if (length > 8 * dictionary->words || dictionary->words == 0) {
        return 0;
    }
    make_key(key, dictionary->words, text, length);
    return shoal_i_dictionary_find_key(dictionary, dictionary->words, key);
}

const char *shoal_i_dictionary_text(const shoal_i_dictionary *dictionary, uint32_t index,
                                    size_t *length)
{
    const uint64_t *key = dictionary->keys + (size_t)index * dictionary->words;
    const char *text = (const char *)key;
    uint32_t marked[2];

    assert(index >= 1 && index <= dictionary->count);
    if (is_long(key)) {
        memcpy(marked, key, sizeof marked);
        *length = dictionary->long_values[marked[1]].length;
        return dictionary->long_values[marked[1]].text;
    }
    const char *end = memchr(text, '\0', 8 * dictionary->words);

    *length = end ? (size_t)(end - text) : 8 * dictionary->words;
    return text;
}

/* --- Numbers. A second word of 1 keeps them apart from the key that no value has. --- */

shoal_status shoal_i_dictionary_add_number(shoal_ctx *ctx, shoal_i_dictionary *dictionary,
                                           uint32_t *index, uint64_t number)
{
    uint64_t key[] = {number, 1};
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(prepare(ctx, dictionary, 2));
    *index = shoal_i_dictionary_find_key(dictionary, 2, key);
    if (*index == 0) {
        SHOAL_TRY(add_key(ctx, dictionary, index, key, true));
    }
done:
    return st;
}

uint64_t shoal_i_dictionary_number(const shoal_i_dictionary *dictionary, uint32_t index)
{
    return dictionary->keys[(size_t)index * 2];
}

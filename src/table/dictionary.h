/* dictionary.h -- the distinct texts of a column, each with an index, while it is being read.
 *
 * The innermost loop of reading a table: each field of each record is looked up here once.
 * Texts contain no NUL byte and are valid UTF-8, so a short text padded with zeros to whole
 * 8-byte words identifies itself, length included, and looking it up compares a few words:
 *
 *     "Male"  ->  key  4d 61 6c 65 00 00 00 00
 *     slots[hash(key)] = 2  ->  keys[2] == key  ->  index 2
 *
 * Keys have 1, 2 or 4 words, as the longest short text of this dictionary needs, and the hash
 * does not change when zero words are added. It is made by a secret (hash.h): texts that all
 * fall into one slot cannot be made by whoever writes the table. Texts of more than 32 bytes
 * are long: they have a table of their own, hashed and compared as bytes.
 *
 * Indices start at 1 and are given in order of arrival. Index 0 means none; keys[0] is a key
 * that no text has, so an empty slot needs no test of its own.
 *
 * Numbers can be looked up as well, as keys of two words; a dictionary holds either texts or
 * numbers.
 *
 * A dictionary starts as {0}, ends with clear, and belongs to one thread.
 */
#ifndef SHOAL_I_DICTIONARY_H
#define SHOAL_I_DICTIONARY_H

#include "../base/arena.h"
#include "../base/hash.h"

#include <string.h>

#define SHOAL_I_DICTIONARY_WORDS_MAX 4
#define SHOAL_I_DICTIONARY_SHORT_MAX (8 * SHOAL_I_DICTIONARY_WORDS_MAX)

typedef struct shoal_i_dictionary {
    shoal_i_hash_key hash_key;
    uint32_t count;      /* values so far */
    unsigned words;      /* of a key; 0 in an empty dictionary */
    unsigned shift;      /* a hash has 64 bits; its upper 64 - shift bits choose the slot */
    uint32_t slot_used;  /* slots taken */
    uint32_t *slots;     /* index of a short text, 0 when empty */
    uint64_t *keys;      /* words of each index, from index 0 on */
    size_t key_capacity; /* indices that keys has room for */

    struct shoal_i_long_value *long_values;
    uint32_t long_count;
    uint32_t long_capacity;
    uint32_t *long_slots; /* 1 + place in long_values, 0 when empty */
    uint32_t long_slot_count;
    shoal_i_arena long_texts;
    size_t long_bytes; /* of all long texts */
} shoal_i_dictionary;

void shoal_i_dictionary_clear(shoal_i_dictionary *dictionary);

/* Bytes that the values take: keys, texts, and the tables to find them by. */
size_t shoal_i_dictionary_size(const shoal_i_dictionary *dictionary);

/* *index = that of the text, which is added if it is new. */
shoal_status shoal_i_dictionary_add(shoal_ctx *ctx, shoal_i_dictionary *dictionary,
                                    uint32_t *index, const char *text, size_t length);

/* The index of a text, 0 when the dictionary lacks it. */
uint32_t shoal_i_dictionary_find(const shoal_i_dictionary *dictionary, const char *text,
                                 size_t length);

/* The text of an index. Borrowed until the next add; not NUL-terminated, but 8 bytes can be
 * read. */
const char *shoal_i_dictionary_text(const shoal_i_dictionary *dictionary, uint32_t index,
                                    size_t *length);

/* The same for numbers of 64 bits. */
shoal_status shoal_i_dictionary_add_number(shoal_ctx *ctx, shoal_i_dictionary *dictionary,
                                           uint32_t *index, uint64_t number);
uint64_t shoal_i_dictionary_number(const shoal_i_dictionary *dictionary, uint32_t index);

/* --- The fast way, for bulk passes. --- */

/* 32 bytes of ones, 32 of zeros: from place 32 - n on, a mask that keeps n bytes. */
extern const unsigned char shoal_i_dictionary_mask[2 * SHOAL_I_DICTIONARY_SHORT_MAX];

/* The key of a text of at most 8 * words bytes. 8 * words bytes are read. */
static inline void shoal_i_dictionary_key(uint64_t *key, unsigned words, const char *text,
                                          size_t length)
{
    const unsigned char *mask = shoal_i_dictionary_mask + SHOAL_I_DICTIONARY_SHORT_MAX - length;

    for (unsigned w = 0; w < words; w++) {
        uint64_t keep;

        memcpy(&key[w], text + 8 * w, sizeof key[w]);
        memcpy(&keep, mask + 8 * w, sizeof keep);
        key[w] &= keep;
    }
}

/* A word of the secret for each word of the key, so that words of zero add nothing, and two for
 * the sum. */
static inline uint64_t shoal_i_dictionary_hash(const shoal_i_hash_key *secret,
                                               const uint64_t *key, unsigned words)
{
    uint64_t sum = 0;

    for (unsigned w = 0; w < words; w++) {
        sum += shoal_i_hash_fold(key[w], secret->words[w]);
    }
    return shoal_i_hash_fold(sum ^ secret->words[4], secret->words[5]);
}

/* The index of a key, 0 when the dictionary lacks it. words is dictionary->words, not 0; a
 * constant where speed matters. */
static inline uint32_t shoal_i_dictionary_find_key(const shoal_i_dictionary *dictionary,
                                                   unsigned words, const uint64_t *key)
{
    uint64_t slot =
        shoal_i_dictionary_hash(&dictionary->hash_key, key, words) >> dictionary->shift;
    uint64_t last = UINT64_MAX >> dictionary->shift;

    for (;; slot = (slot + 1) & last) {
        uint32_t index = dictionary->slots[slot];
        const uint64_t *candidate = dictionary->keys + (size_t)index * words;
        uint64_t difference = 0;

        for (unsigned w = 0; w < words; w++) {
            difference |= candidate[w] ^ key[w];
        }
        if (difference == 0 || index == 0) {
            return index;
        }
    }
}

/* A text in somebody else's memory. */
typedef struct shoal_i_text {
    const char *text;
    size_t length;
} shoal_i_text;

/* Values from which on a dictionary no longer lies in the nearer caches, and add_all is the
 * better way. */
#define SHOAL_I_DICTIONARY_LARGE 65536

/* As add for `count` texts, which lie `stride` entries apart; SHOAL_I_DICTIONARY_SHORT_MAX
 * bytes from the start of each may be read. Memory is asked for some texts ahead of its use, so
 * that adding to a large dictionary does not wait for it each time. */
shoal_status shoal_i_dictionary_add_all(shoal_ctx *ctx, shoal_i_dictionary *dictionary,
                                        uint32_t *indices, const shoal_i_text *texts,
                                        size_t stride, size_t count);

/* Ask for the memory of a text that will be wanted soon. */
static inline void shoal_i_dictionary_announce(const shoal_i_dictionary *dictionary,
                                               uint32_t index)
{
    __builtin_prefetch(&dictionary->keys[(size_t)index * dictionary->words]);
}

#endif /* SHOAL_I_DICTIONARY_H */

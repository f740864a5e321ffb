/* label_index.h -- from a text to a number, for texts that live elsewhere.
 *
 * An open-addressing hash table of (number, hash tag). The index holds no text: its owner tells
 * the text of a number when a tag matches, so a tree of a million labels costs 8 bytes per slot
 * and no copies.
 *
 *     SHOAL_TRY(shoal_i_label_index_reserve(ctx, &index, count + 1));
 *     uint32_t tag = shoal_i_label_tag(&index, text, length);
 *     uint32_t other = shoal_i_label_index_put(&index, tag, text, length, number, text_of,
 * owner);
 */
#ifndef SHOAL_I_LABEL_INDEX_H
#define SHOAL_I_LABEL_INDEX_H

#include "../base/context.h"
#include "../base/fail.h"

#define SHOAL_I_LABEL_NONE UINT32_MAX

/* The text of a number that was put into the index; *length receives its length. */
typedef const char *(*shoal_i_label_fn)(const void *owner, uint32_t number, size_t *length);

typedef struct shoal_i_label_slot {
    uint32_t number; /* SHOAL_I_LABEL_NONE: free */
    uint32_t tag;
} shoal_i_label_slot;

typedef struct shoal_i_label_index {
    shoal_i_label_slot *slots;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
    shoal_i_hash_key hash_key; /* once there is room */
} shoal_i_label_index;

/* An index starts as {0}. Make room for `count` texts in all. */
shoal_status shoal_i_label_index_reserve(shoal_ctx *ctx, shoal_i_label_index *index,
                                         size_t count);
void shoal_i_label_index_clear(shoal_i_label_index *index);

/* The tag under which a text is kept. Needs an index with room for one text. */
uint32_t shoal_i_label_tag(const shoal_i_label_index *index, const char *text, size_t length);

/* Fetch the place of a tag into the cache, some time before it is needed. */
static inline void shoal_i_label_index_prefetch(const shoal_i_label_index *index, uint32_t tag)
{
    __builtin_prefetch(&index->slots[tag & (index->capacity - 1)], 1);
}

/* The number that a text has, or SHOAL_I_LABEL_NONE. Needs an index with room for one text. */
uint32_t shoal_i_label_index_find(const shoal_i_label_index *index, const char *text,
                                  size_t length, shoal_i_label_fn text_of, const void *owner);

/* The number that a text has, or SHOAL_I_LABEL_NONE after giving it `number`. Needs room. */
uint32_t shoal_i_label_index_put(shoal_i_label_index *index, uint32_t tag, const char *text,
                                 size_t length, uint32_t number, shoal_i_label_fn text_of,
                                 const void *owner);

#endif /* SHOAL_I_LABEL_INDEX_H */

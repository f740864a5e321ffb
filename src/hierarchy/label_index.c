#include "label_index.h"

#include "../base/hash.h"

#include <assert.h>
#include <string.h>

static bool is_text(const char *text, size_t length, uint32_t number, shoal_i_label_fn text_of,
                    const void *owner)
{
    size_t other_length = 0;
    const char *other = text_of(owner, number, &other_length);

    return other_length == length && (length == 0 || memcmp(other, text, length) == 0);
}

/* The slot of a text, or the free one where it belongs. The low half of the hash chooses the
 * slot, the high half is the tag. */
static shoal_i_label_slot *find_slot(const shoal_i_label_index *index, uint64_t hash,
                                     const char *text, size_t length, shoal_i_label_fn text_of,
                                     const void *owner)
{
    uint32_t tag = (uint32_t)(hash >> 32);
    size_t mask = index->capacity - 1;

    for (size_t at = (size_t)hash & mask;; at = (at + 1) & mask) {
        shoal_i_label_slot *slot = &index->slots[at];

        if (slot->number == SHOAL_I_LABEL_NONE ||
            (slot->tag == tag && is_text(text, length, slot->number, text_of, owner))) {
            return slot;
        }
    }
}

static void move_slots(shoal_i_label_index *to, const shoal_i_label_index *from,
                       shoal_i_label_fn text_of, const void *owner)
{
    for (size_t i = 0; i < from->capacity; i++) {
        uint32_t number = from->slots[i].number;

        if (number != SHOAL_I_LABEL_NONE) {
            size_t length = 0;
            const char *text = text_of(owner, number, &length);

            shoal_i_label_index_put(to, text, length, number, text_of, owner);
        }
    }
}

shoal_status shoal_i_label_index_reserve(shoal_ctx *ctx, shoal_i_label_index *index,
                                         size_t count, shoal_i_label_fn text_of,
                                         const void *owner)
{
    shoal_status st = SHOAL_OK;
    shoal_i_label_index grown = {.capacity = 16};

    if (count <= index->capacity / 2) {
        return SHOAL_OK;
    }
    while (grown.capacity / 2 < count) {
        grown.capacity *= 2;
    }
    SHOAL_ALLOC(ctx, grown.slots, grown.capacity);
    for (size_t i = 0; i < grown.capacity; i++) {
        grown.slots[i].number = SHOAL_I_LABEL_NONE;
    }
    move_slots(&grown, index, text_of, owner);
    free(index->slots);
    *index = grown;
done:
    return st;
}

void shoal_i_label_index_clear(shoal_i_label_index *index)
{
    free(index->slots);
    *index = (shoal_i_label_index){0};
}

uint32_t shoal_i_label_index_find(const shoal_i_label_index *index, const char *text,
                                  size_t length, shoal_i_label_fn text_of, const void *owner)
{
    if (index->capacity == 0) {
        return SHOAL_I_LABEL_NONE;
    }
    return find_slot(index, shoal_i_hash_bytes(text, length), text, length, text_of, owner)
        ->number;
}

uint32_t shoal_i_label_index_put(shoal_i_label_index *index, const char *text, size_t length,
                                 uint32_t number, shoal_i_label_fn text_of, const void *owner)
{
    uint64_t hash = shoal_i_hash_bytes(text, length);
    shoal_i_label_slot *slot = find_slot(index, hash, text, length, text_of, owner);

    if (slot->number != SHOAL_I_LABEL_NONE) {
        return slot->number;
    }
    assert(index->count < index->capacity / 2);
    *slot = (shoal_i_label_slot){.number = number, .tag = (uint32_t)(hash >> 32)};
    index->count++;
    return SHOAL_I_LABEL_NONE;
}

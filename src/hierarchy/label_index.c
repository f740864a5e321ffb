#include "label_index.h"

#include "../base/hash.h"

#include <assert.h>
#include <string.h>

uint32_t shoal_i_label_tag(const shoal_i_label_index *index, const char *text, size_t length)
{
    return (uint32_t)shoal_i_hash_bytes(&index->hash_key, text, length);
}

static bool is_text(const char *text, size_t length, uint32_t number, shoal_i_label_fn text_of,
                    const void *owner)
{
    size_t other_length = 0;
    const char *other = text_of(owner, number, &other_length);

    return other_length == length && (length == 0 || memcmp(other, text, length) == 0);
}

/* The slot of a text, or the free one where it belongs. */
static shoal_i_label_slot *find_slot(const shoal_i_label_index *index, uint32_t tag,
                                     const char *text, size_t length, shoal_i_label_fn text_of,
                                     const void *owner)
{
    size_t mask = index->capacity - 1;

    for (size_t at = tag & mask;; at = (at + 1) & mask) {
        shoal_i_label_slot *slot = &index->slots[at];

        if (slot->number == SHOAL_I_LABEL_NONE ||
            (slot->tag == tag && is_text(text, length, slot->number, text_of, owner))) {
            return slot;
        }
    }
}

/* The tag alone tells the new place: texts are known to differ. */
static void move_slots(shoal_i_label_index *to, const shoal_i_label_index *from)
{
    size_t mask = to->capacity - 1;

    for (size_t i = 0; i < from->capacity; i++) {
        if (from->slots[i].number != SHOAL_I_LABEL_NONE) {
            size_t at = from->slots[i].tag & mask;

            while (to->slots[at].number != SHOAL_I_LABEL_NONE) {
                at = (at + 1) & mask;
            }
            to->slots[at] = from->slots[i];
        }
    }
    to->count = from->count;
}

shoal_status shoal_i_label_index_reserve(shoal_ctx *ctx, shoal_i_label_index *index,
                                         size_t count)
{
    shoal_i_label_index grown = {.capacity = 16, .hash_key = index->hash_key};

    if (count <= index->capacity / 2) {
        return SHOAL_OK;
    }
    while (grown.capacity / 2 < count) {
        grown.capacity *= 2;
    }
    if (index->capacity == 0) {
        grown.hash_key = ctx->hash_key;
    }
    grown.slots = shoal_i_alloc_raw(ctx, grown.capacity, sizeof *grown.slots);
    if (!grown.slots) {
        return SHOAL_ENOMEM;
    }
    memset(grown.slots, 0xFF, grown.capacity * sizeof *grown.slots); /* all free */
    move_slots(&grown, index);
    free(index->slots);
    *index = grown;
    return SHOAL_OK;
}

void shoal_i_label_index_clear(shoal_i_label_index *index)
{
    free(index->slots);
    *index = (shoal_i_label_index){0};
}

uint32_t shoal_i_label_index_find(const shoal_i_label_index *index, const char *text,
                                  size_t length, shoal_i_label_fn text_of, const void *owner)
{
    assert(index->capacity > 0);
    uint32_t tag = shoal_i_label_tag(index, text, length);

    return find_slot(index, tag, text, length, text_of, owner)->number;
}

uint32_t shoal_i_label_index_put(shoal_i_label_index *index, uint32_t tag, const char *text,
                                 size_t length, uint32_t number, shoal_i_label_fn text_of,
                                 const void *owner)
{
    shoal_i_label_slot *slot = find_slot(index, tag, text, length, text_of, owner);

    if (slot->number != SHOAL_I_LABEL_NONE) {
        return slot->number;
    }
    assert(index->count < index->capacity / 2);
    *slot = (shoal_i_label_slot){.number = number, .tag = tag};
    index->count++;
    return SHOAL_I_LABEL_NONE;
}

#include "arena.h"

#include <stddef.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)64 * 1024)
#define ALIGNMENT _Alignof(max_align_t)

typedef struct shoal_i_arena_chunk {
    struct shoal_i_arena_chunk *next;
    size_t capacity;
    max_align_t data[];
} chunk;

void shoal_i_arena_clear(shoal_i_arena *arena)
{
    while (arena->chunks) {
        chunk *next = arena->chunks->next;

        free(arena->chunks);
        arena->chunks = next;
    }
    arena->used = 0;
}

static chunk *new_chunk(shoal_ctx *ctx, size_t capacity)
{
    chunk *c = shoal_i_alloc(ctx, sizeof(chunk) + capacity, 1);

    if (c) {
        c->capacity = capacity;
    }
    return c;
}

/* A block too large to share a chunk gets one of its own, put behind the newest so that the
 * rest of that one stays in use. */
static void *alloc_alone(shoal_ctx *ctx, shoal_i_arena *arena, size_t bytes)
{
    chunk *c = new_chunk(ctx, bytes);

    if (!c) {
        return NULL;
    }
    if (arena->chunks) {
        c->next = arena->chunks->next;
        arena->chunks->next = c;
    } else {
        arena->chunks = c;
        arena->used = bytes;
    }
    return c->data;
}

static void *alloc_shared(shoal_ctx *ctx, shoal_i_arena *arena, size_t bytes)
{
    if (!arena->chunks || arena->chunks->capacity - arena->used < bytes) {
        chunk *c = new_chunk(ctx, CHUNK_BYTES);

        if (!c) {
            return NULL;
        }
        c->next = arena->chunks;
        arena->chunks = c;
        arena->used = 0;
    }
    void *block = (char *)arena->chunks->data + arena->used;

    arena->used += bytes;
    return block;
}

void *shoal_i_arena_alloc(shoal_ctx *ctx, shoal_i_arena *arena, size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / 2 / size) {
        shoal_i_fail(ctx, SHOAL_ENOMEM, "%zu items of %zu bytes are more than memory can hold.",
                     count, size);
        return NULL;
    }
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

    if (bytes == 0) {
        bytes = ALIGNMENT; /* no two blocks are the same */
    }

    return bytes > CHUNK_BYTES / 4 ? alloc_alone(ctx, arena, bytes)
                                   : alloc_shared(ctx, arena, bytes);
}

char *shoal_i_arena_text(shoal_ctx *ctx, shoal_i_arena *arena, const char *text, size_t length)
{
    char *copy = shoal_i_arena_alloc(ctx, arena, length + 1, 1);

    if (copy && length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

#include "arena.h"

#include <stddef.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)64 * 1024)
#define ALIGNMENT sizeof(max_align_t)

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

void *shoal_i_arena_alloc(shoal_ctx *ctx, shoal_i_arena *arena, size_t count, size_t size)
{
    size_t bytes = 0;

    if (shoal_i_size_mul(ctx, &bytes, count, size) != SHOAL_OK ||
        shoal_i_size_add(ctx, &bytes, bytes, sizeof(chunk) + ALIGNMENT) != SHOAL_OK) {
        ctx->error.status = SHOAL_ENOMEM;
        return NULL;
    }
    bytes -= sizeof(chunk) + ALIGNMENT;
    bytes = bytes ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
    if (bytes > CHUNK_BYTES / 4) {
        return alloc_alone(ctx, arena, bytes);
    }
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

char *shoal_i_arena_text(shoal_ctx *ctx, shoal_i_arena *arena, const char *text, size_t length)
{
    char *copy = shoal_i_arena_alloc(ctx, arena, length + 1, 1);

    if (copy && length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

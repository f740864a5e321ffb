/* arena.h -- scratch memory of one phase, released at once.
 *
 * Blocks are taken from the system a chunk at a time; nothing in an arena is freed by itself.
 * For many small pieces that end together: labels, nodes, tokens. Large columns are allocations
 * of their own. */
#ifndef SHOAL_I_ARENA_H
#define SHOAL_I_ARENA_H

#include "fail.h"

typedef struct shoal_i_arena {
    struct shoal_i_arena_chunk *chunks; /* newest first */
    size_t used;                        /* bytes of the newest chunk */
} shoal_i_arena;

/* An arena starts as {0} and ends with clear, which leaves it as {0}. */
void shoal_i_arena_clear(shoal_i_arena *arena);

/* count * size bytes, zeroed, aligned for any type. NULL after recording SHOAL_ENOMEM. */
void *shoal_i_arena_alloc(shoal_ctx *ctx, shoal_i_arena *arena, size_t count, size_t size);

/* A copy of length bytes with a NUL added. */
char *shoal_i_arena_text(shoal_ctx *ctx, shoal_i_arena *arena, const char *text, size_t length);

#endif /* SHOAL_I_ARENA_H */

/* unpack.h -- reading a stream of packed bytes.
 *
 *     packed   |member|member|           members one behind the other are one text
 *     bytes    ---------------->
 *
 * A few bytes can stand for any number of them, so there is a limit: beyond its first gigabyte
 * a text must not be more than 200 times as long as what it is packed into. Tables are far from
 * that (5 to 50 times); whoever has one that is not unpacks it first.
 */
#ifndef SHOAL_I_UNPACK_H
#define SHOAL_I_UNPACK_H

#include "codec.h"

typedef struct shoal_i_unpacker shoal_i_unpacker;

/* Up to capacity of the next packed bytes; fewer only at their end. */
typedef shoal_status (*shoal_i_unpack_fn)(shoal_ctx *ctx, size_t *got, void *payload,
                                          char *bytes, size_t capacity);

typedef struct shoal_i_unpack_limits {
    uint64_t free_bytes; /* of text that nobody asks about */
    uint64_t ratio;      /* of a longer text to what it is packed into, at most */
} shoal_i_unpack_limits;

extern const shoal_i_unpack_limits shoal_i_unpack_usual;

/* Packed bytes come from `give`. */
shoal_status shoal_i_unpacker_open(shoal_ctx *ctx, shoal_i_unpacker **out,
                                   const shoal_i_codec *codec, shoal_i_unpack_limits limits,
                                   shoal_i_unpack_fn give, void *payload);
void shoal_i_unpacker_free(shoal_i_unpacker *unpacker);

/* Read up to capacity bytes of text; *got is less than that only at its end.
 *   SHOAL_EFORMAT  broken, cut off in the middle, followed by something else; a window of more
 *                  than 128 MiB
 *   SHOAL_ELIMIT   beyond the limits
 * and whatever `give` fails with. */
shoal_status shoal_i_unpacker_read(shoal_ctx *ctx, size_t *got, shoal_i_unpacker *unpacker,
                                   char *bytes, size_t capacity);

#endif /* SHOAL_I_UNPACK_H */

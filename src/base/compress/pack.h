/* pack.h -- packing a stream of bytes that goes to somebody else piece by piece. */
#ifndef SHOAL_I_PACK_H
#define SHOAL_I_PACK_H

#include "codec.h"

typedef struct shoal_i_packer shoal_i_packer;

/* Takes over packed bytes. */
typedef shoal_status (*shoal_i_pack_fn)(shoal_ctx *ctx, void *payload, const void *bytes,
                                        size_t size);

/* Packed bytes go to `take`. */
shoal_status shoal_i_packer_open(shoal_ctx *ctx, shoal_i_packer **out,
                                 const shoal_i_codec *codec, shoal_i_pack_fn take,
                                 void *payload);
void shoal_i_packer_free(shoal_i_packer *packer);

/* Fails as `take` does. */
shoal_status shoal_i_packer_write(shoal_ctx *ctx, shoal_i_packer *packer, const void *bytes,
                                  size_t size);

/* Give out all that is held back, and the end of the member; nothing can be written behind it.
 * Again: nothing happens. */
shoal_status shoal_i_packer_end(shoal_ctx *ctx, shoal_i_packer *packer);

#endif /* SHOAL_I_PACK_H */

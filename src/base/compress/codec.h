/* codec.h -- a way to pack bytes: a step takes some bytes in and gives some out.
 *
 * The two codecs are const tables of functions; pack.h and unpack.h lead them over streams of
 * any length. What is packed is one or more members, one behind the other, each of which begins
 * with the codec's magic bytes.
 */
#ifndef SHOAL_I_CODEC_H
#define SHOAL_I_CODEC_H

#include "../fail.h"

#define SHOAL_I_CODEC_MAGIC_MAX 4

/* What is left of both sides; a step moves on in both. */
typedef struct shoal_i_codec_io {
    const unsigned char *in;
    size_t in_left;
    unsigned char *out;
    size_t out_left;
} shoal_i_codec_io;

typedef enum shoal_i_codec_result {
    SHOAL_I_CODEC_MORE,     /* did what it could with the room and the bytes there are */
    SHOAL_I_CODEC_ENDED,    /* a member is complete; of packing: all is given out */
    SHOAL_I_CODEC_BROKEN,   /* the bytes are not what the codec makes */
    SHOAL_I_CODEC_TOO_WIDE, /* unpacking would need a window larger than we allow */
    SHOAL_I_CODEC_NO_MEMORY
} shoal_i_codec_result;

typedef struct shoal_i_codec {
    const char *name;   /* "gzip" */
    const char *ending; /* of file names: ".gz" */
    /* Whether bytes, at least SHOAL_I_CODEC_MAGIC_MAX or all there are, begin a member. */
    bool (*begins)(const unsigned char *bytes, size_t size);
    /* A state for one direction; NULL: no memory. The context is only used for allocations. */
    void *(*open)(shoal_ctx *ctx, bool is_packing);
    void (*close)(void *state, bool is_packing);
    shoal_i_codec_result (*pack)(shoal_ctx *ctx, void *state, shoal_i_codec_io *io,
                                 bool is_end);
    shoal_i_codec_result (*unpack)(shoal_ctx *ctx, void *state, shoal_i_codec_io *io);
    /* Get ready for the next member. */
    void (*restart)(void *state);
} shoal_i_codec;

extern const shoal_i_codec shoal_i_codec_gzip;
extern const shoal_i_codec shoal_i_codec_zstd;

/* The codec that the ending of a file's name asks for, or that its first bytes, up to
 * SHOAL_I_CODEC_MAGIC_MAX, tell of; NULL: none. */
const shoal_i_codec *shoal_i_codec_of_name(const char *path);
const shoal_i_codec *shoal_i_codec_of_bytes(const unsigned char *bytes, size_t size);

#endif /* SHOAL_I_CODEC_H */

/* gzip (RFC 1952) by zlib. */
#include "codec.h"

#include <limits.h>

#define ZLIB_CONST
#include <zlib.h>

#define WINDOW_BITS (15 + 16) /* the largest window; gzip's header and check sum */
#define MEMORY_LEVEL 8

static bool begins(const unsigned char *bytes, size_t size)
{
    return size >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B;
}

/* zlib's memory is ours, so that tests can refuse it; opaque is the context of the step. */
static void *take_memory(void *opaque, unsigned count, unsigned size)
{
    return shoal_i_alloc_raw(opaque, count, size);
}

static void give_memory(void *opaque, void *memory)
{
    (void)opaque;
    free(memory);
}

static void *open_stream(shoal_ctx *ctx, bool is_packing)
{
    z_stream *stream = shoal_i_alloc(ctx, 1, sizeof *stream);

    if (!stream) {
        return NULL;
    }
    stream->zalloc = take_memory;
    stream->zfree = give_memory;
    stream->opaque = ctx;
    int result = is_packing ? deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                           WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY)
                            : inflateInit2(stream, WINDOW_BITS);

    if (result != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

static void close_stream(void *state, bool is_packing)
{
    if (is_packing) {
        deflateEnd(state);
    } else {
        inflateEnd(state);
    }
    free(state);
}

static unsigned limit(size_t size)
{
    return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

static int step(shoal_ctx *ctx, z_stream *stream, shoal_i_codec_io *io,
                int (*work)(z_stream *stream, int flush), int flush)
{
    unsigned in = limit(io->in_left);
    unsigned out = limit(io->out_left);

    stream->opaque = ctx;
    stream->next_in = io->in;
    stream->avail_in = in;
    stream->next_out = io->out;
    stream->avail_out = out;
    int result = work(stream, flush);

    io->in += in - stream->avail_in;
    io->in_left -= in - stream->avail_in;
    io->out += out - stream->avail_out;
    io->out_left -= out - stream->avail_out;
    return result;
}

static shoal_i_codec_result read_result(int result)
{
    switch (result) {
    case Z_OK:
    case Z_BUF_ERROR: /* no room or no bytes, which is for the caller to see */
        return SHOAL_I_CODEC_MORE;
    case Z_STREAM_END:
        return SHOAL_I_CODEC_ENDED;
    case Z_MEM_ERROR:
        return SHOAL_I_CODEC_NO_MEMORY;
    default:
        return SHOAL_I_CODEC_BROKEN;
    }
}

static shoal_i_codec_result pack(shoal_ctx *ctx, void *state, shoal_i_codec_io *io, bool is_end)
{
    return read_result(step(ctx, state, io, deflate, is_end ? Z_FINISH : Z_NO_FLUSH));
}

static shoal_i_codec_result unpack(shoal_ctx *ctx, void *state, shoal_i_codec_io *io)
{
    return read_result(step(ctx, state, io, inflate, Z_NO_FLUSH));
}

static void restart(void *state)
{
    inflateReset(state);
}

const shoal_i_codec shoal_i_codec_gzip = {
    .name = "gzip",
    .ending = ".gz",
    .begins = begins,
    .open = open_stream,
    .close = close_stream,
    .pack = pack,
    .unpack = unpack,
    .restart = restart,
};

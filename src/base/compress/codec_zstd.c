/* Zstandard (RFC 8878) by libzstd. */
#include "codec.h"

#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#define LEVEL 3           /* the library's own choice */
#define WINDOW_LOG_MAX 27 /* 128 MiB, as the program zstd allows unasked */

/* A frame, or one that is skipped, with which files in parts begin. */
static bool begins(const unsigned char *bytes, size_t size)
{
    return size >= 4 &&
           (memcmp(bytes, "\x28\xB5\x2F\xFD", 4) == 0 ||
            ((bytes[0] & 0xF0) == 0x50 && memcmp(bytes + 1, "\x2A\x4D\x18", 3) == 0));
}

static void *open_stream(shoal_ctx *ctx, bool is_packing)
{
    void *stream = NULL;
    size_t result = 0;

    (void)ctx;
    if (is_packing) {
        stream = ZSTD_createCCtx();
        result = stream ? ZSTD_CCtx_setParameter(stream, ZSTD_c_compressionLevel, LEVEL) : 0;
        if (stream && !ZSTD_isError(result)) {
            result = ZSTD_CCtx_setParameter(stream, ZSTD_c_checksumFlag, 1);
        }
    } else {
        stream = ZSTD_createDCtx();
        result =
            stream ? ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, WINDOW_LOG_MAX) : 0;
    }
    (void)result; /* these values are allowed */
    if (!stream) {
        shoal_i_fail(ctx, SHOAL_ENOMEM, "Out of memory.");
    }
    return stream;
}

static void close_stream(void *state, bool is_packing)
{
    if (is_packing) {
        ZSTD_freeCCtx(state);
    } else {
        ZSTD_freeDCtx(state);
    }
}

static void move_on(shoal_i_codec_io *io, const ZSTD_inBuffer *in, const ZSTD_outBuffer *out)
{
    io->in += in->pos;
    io->in_left -= in->pos;
    io->out += out->pos;
    io->out_left -= out->pos;
}

static shoal_i_codec_result read_result(size_t result)
{
    if (!ZSTD_isError(result)) {
        return result == 0 ? SHOAL_I_CODEC_ENDED : SHOAL_I_CODEC_MORE;
    }
    switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_memory_allocation:
        return SHOAL_I_CODEC_NO_MEMORY;
    case ZSTD_error_frameParameter_windowTooLarge:
        return SHOAL_I_CODEC_TOO_WIDE;
    default:
        return SHOAL_I_CODEC_BROKEN;
    }
}

static shoal_i_codec_result pack(shoal_ctx *ctx, void *state, shoal_i_codec_io *io, bool is_end)
{
    ZSTD_inBuffer in = {io->in, io->in_left, 0};
    ZSTD_outBuffer out = {io->out, io->out_left, 0};
    size_t result =
        ZSTD_compressStream2(state, &out, &in, is_end ? ZSTD_e_end : ZSTD_e_continue);

    (void)ctx;
    move_on(io, &in, &out);
    shoal_i_codec_result r = read_result(result);

    return r == SHOAL_I_CODEC_ENDED && !is_end ? SHOAL_I_CODEC_MORE : r;
}

static shoal_i_codec_result unpack(shoal_ctx *ctx, void *state, shoal_i_codec_io *io)
{
    ZSTD_inBuffer in = {io->in, io->in_left, 0};
    ZSTD_outBuffer out = {io->out, io->out_left, 0};
    size_t result = ZSTD_decompressStream(state, &out, &in);

    (void)ctx;
    move_on(io, &in, &out);
    return read_result(result);
}

/* A frame that is complete leaves the state ready for the next. */
static void restart(void *state)
{
    (void)state;
}

const shoal_i_codec shoal_i_codec_zstd = {
    .name = "zstd",
    .ending = ".zst",
    .begins = begins,
    .open = open_stream,
    .close = close_stream,
    .pack = pack,
    .unpack = unpack,
    .restart = restart,
};

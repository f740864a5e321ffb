#include "pack.h"

#include <assert.h>
#include <string.h>

#define BLOCK ((size_t)128 * 1024)

struct shoal_i_packer {
    const shoal_i_codec *codec;
    void *state;
    shoal_i_pack_fn take;
    void *payload;
    bool has_ended;
    unsigned char *block;
};

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text);
    size_t size = strlen(ending);

    return length > size && strcmp(text + length - size, ending) == 0;
}

const shoal_i_codec *shoal_i_codec_of_name(const char *path)
{
    return ends_with(path, shoal_i_codec_gzip.ending)   ? &shoal_i_codec_gzip
           : ends_with(path, shoal_i_codec_zstd.ending) ? &shoal_i_codec_zstd
                                                        : NULL;
}

const shoal_i_codec *shoal_i_codec_of_bytes(const unsigned char *bytes, size_t size)
{
    return shoal_i_codec_gzip.begins(bytes, size)   ? &shoal_i_codec_gzip
           : shoal_i_codec_zstd.begins(bytes, size) ? &shoal_i_codec_zstd
                                                    : NULL;
}

shoal_status shoal_i_packer_open(shoal_ctx *ctx, shoal_i_packer **out,
                                 const shoal_i_codec *codec, shoal_i_pack_fn take,
                                 void *payload)
{
    shoal_status st = SHOAL_OK;
    shoal_i_packer *packer = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, packer, 1);
    *packer = (shoal_i_packer){.codec = codec, .take = take, .payload = payload};
    SHOAL_ALLOC(ctx, packer->block, BLOCK);
    packer->state = codec->open(ctx, true);
    if (!packer->state) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    *out = packer;
    packer = NULL;
done:
    shoal_i_packer_free(packer);
    return st;
}

void shoal_i_packer_free(shoal_i_packer *packer)
{
    if (!packer) {
        return;
    }
    if (packer->state) {
        packer->codec->close(packer->state, true);
    }
    free(packer->block);
    free(packer);
}

static shoal_status feed(shoal_ctx *ctx, shoal_i_packer *packer, const void *bytes, size_t size,
                         bool is_end)
{
    shoal_status st = SHOAL_OK;
    shoal_i_codec_io io = {.in = bytes, .in_left = size};
    shoal_i_codec_result result = SHOAL_I_CODEC_MORE;

    while (is_end ? result != SHOAL_I_CODEC_ENDED : io.in_left > 0) {
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
        io.out = packer->block;
        io.out_left = BLOCK;
        result = packer->codec->pack(ctx, packer->state, &io, is_end);
        if (result != SHOAL_I_CODEC_MORE && result != SHOAL_I_CODEC_ENDED) {
            SHOAL_TRY(shoal_i_fail(ctx, SHOAL_ENOMEM, "Out of memory while packing by %s.",
                                   packer->codec->name));
        }
        if (io.out_left < BLOCK) {
            SHOAL_TRY(packer->take(ctx, packer->payload, packer->block, BLOCK - io.out_left));
        }
    }
done:
    return st;
}

shoal_status shoal_i_packer_write(shoal_ctx *ctx, shoal_i_packer *packer, const void *bytes,
                                  size_t size)
{
    assert(!packer->has_ended);
    return feed(ctx, packer, bytes, size, false);
}

shoal_status shoal_i_packer_end(shoal_ctx *ctx, shoal_i_packer *packer)
{
    if (packer->has_ended) {
        return SHOAL_OK;
    }
    packer->has_ended = true;
    return feed(ctx, packer, "", 0, true); /* NULL must not even be moved on by nothing */
}

#include "unpack.h"

#include <string.h>

#define BLOCK ((size_t)64 * 1024)

const shoal_i_unpack_limits shoal_i_unpack_usual = {.free_bytes = (uint64_t)1 << 30,
                                                    .ratio = 200};

struct shoal_i_unpacker {
    const shoal_i_codec *codec;
    void *state;
    shoal_i_unpack_limits limits;
    shoal_i_unpack_fn give;
    void *payload;
    unsigned char *block; /* packed bytes block[at .. end) are there */
    size_t at;
    size_t end;
    bool is_drained;   /* there are no further ones */
    bool has_ended;    /* a member has, and no other has begun */
    uint64_t consumed; /* packed bytes */
    uint64_t produced; /* bytes of text */
};

shoal_status shoal_i_unpacker_open(shoal_ctx *ctx, shoal_i_unpacker **out,
                                   const shoal_i_codec *codec, shoal_i_unpack_limits limits,
                                   shoal_i_unpack_fn give, void *payload)
{
    shoal_status st = SHOAL_OK;
    shoal_i_unpacker *unpacker = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, unpacker, 1);
    *unpacker =
        (shoal_i_unpacker){.codec = codec, .limits = limits, .give = give, .payload = payload};
    SHOAL_ALLOC(ctx, unpacker->block, BLOCK);
    unpacker->state = codec->open(ctx, false);
    if (!unpacker->state) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    *out = unpacker;
    unpacker = NULL;
done:
    shoal_i_unpacker_free(unpacker);
    return st;
}

void shoal_i_unpacker_free(shoal_i_unpacker *unpacker)
{
    if (!unpacker) {
        return;
    }
    if (unpacker->state) {
        unpacker->codec->close(unpacker->state, false);
    }
    free(unpacker->block);
    free(unpacker);
}

/* Have at least `count` packed bytes, or all that there are. */
static shoal_status refill(shoal_ctx *ctx, shoal_i_unpacker *u, size_t count)
{
    size_t left = u->end - u->at;
    size_t got = 0;

    if (left >= count || u->is_drained) {
        return SHOAL_OK;
    }
    memmove(u->block, u->block + u->at, left);
    u->at = 0;
    shoal_status st = u->give(ctx, &got, u->payload, (char *)u->block + left, BLOCK - left);

    u->end = left + (st == SHOAL_OK ? got : 0);
    u->is_drained = u->end < BLOCK;
    return st;
}

static shoal_status fail_bytes(shoal_ctx *ctx, const shoal_i_unpacker *u,
                               shoal_i_codec_result result)
{
    unsigned long long at = u->consumed;

    switch (result) {
    case SHOAL_I_CODEC_NO_MEMORY:
        return shoal_i_fail(ctx, SHOAL_ENOMEM, "Out of memory while unpacking by %s.",
                            u->codec->name);
    case SHOAL_I_CODEC_TOO_WIDE:
        return shoal_i_fail(ctx, SHOAL_EFORMAT,
                            "The file is packed by %s with a window of more than 128 MiB; "
                            "unpack it first.",
                            u->codec->name);
    default:
        return shoal_i_fail(ctx, SHOAL_EFORMAT,
                            "The file is packed by %s, and it is broken near byte %llu; get it "
                            "again from where it came from.",
                            u->codec->name, at);
    }
}

static shoal_status fail_cut(shoal_ctx *ctx, const shoal_i_unpacker *u)
{
    return shoal_i_fail(ctx, SHOAL_EFORMAT,
                        "The file is packed by %s, and its end is missing: it stops at byte "
                        "%llu, after %llu bytes of text; get it again from where it came from.",
                        u->codec->name, (unsigned long long)u->consumed,
                        (unsigned long long)u->produced);
}

static shoal_status check_limits(shoal_ctx *ctx, const shoal_i_unpacker *u)
{
    if (u->produced <= u->limits.free_bytes || u->produced / u->limits.ratio <= u->consumed) {
        return SHOAL_OK;
    }
    return shoal_i_fail(
        ctx, SHOAL_ELIMIT,
        "The file is packed by %s, and its text is more than %llu times as long, "
        "and longer than %llu MiB, as in files made to fill up a machine; if "
        "you know what it is, unpack it first.",
        u->codec->name, (unsigned long long)u->limits.ratio,
        (unsigned long long)(u->limits.free_bytes >> 20));
}

/* Behind a member: the end, another member, or something that does not belong there. */
static shoal_status begin_next(shoal_ctx *ctx, shoal_i_unpacker *u, bool *is_over)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(refill(ctx, u, SHOAL_I_CODEC_MAGIC_MAX));
    *is_over = u->at == u->end;
    if (!*is_over && !u->codec->begins(u->block + u->at, u->end - u->at)) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EFORMAT,
                               "The file is packed by %s, but something else follows from byte "
                               "%llu on; cut that off.",
                               u->codec->name, (unsigned long long)u->consumed + 1));
    }
    if (!*is_over) {
        u->codec->restart(u->state);
        u->has_ended = false;
    }
done:
    return st;
}

/* One step; *got grows. */
static shoal_status unpack_some(shoal_ctx *ctx, shoal_i_unpacker *u, char *bytes,
                                size_t capacity, size_t *got)
{
    shoal_i_codec_io io = {.in = u->block + u->at,
                           .in_left = u->end - u->at,
                           .out = (unsigned char *)bytes + *got,
                           .out_left = capacity - *got};
    shoal_i_codec_result result = u->codec->unpack(ctx, u->state, &io);
    size_t taken = u->end - u->at - io.in_left;
    size_t given = capacity - *got - io.out_left;

    u->at += taken;
    u->consumed += taken;
    u->produced += given;
    *got += given;
    u->has_ended = result == SHOAL_I_CODEC_ENDED;
    if (result != SHOAL_I_CODEC_MORE && result != SHOAL_I_CODEC_ENDED) {
        return fail_bytes(ctx, u, result);
    }
    if (!u->has_ended && taken == 0 && given == 0 && u->is_drained) {
        return fail_cut(ctx, u);
    }
    return check_limits(ctx, u);
}

shoal_status shoal_i_unpacker_read(shoal_ctx *ctx, size_t *got, shoal_i_unpacker *unpacker,
                                   char *bytes, size_t capacity)
{
    shoal_status st = SHOAL_OK;
    bool is_over = false;

    *got = 0;
    while (*got < capacity && !is_over) {
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
        if (unpacker->has_ended) {
            SHOAL_TRY(begin_next(ctx, unpacker, &is_over));
        } else {
            SHOAL_TRY(refill(ctx, unpacker, 1));
            SHOAL_TRY(unpack_some(ctx, unpacker, bytes, capacity, got));
        }
    }
done:
    return st;
}

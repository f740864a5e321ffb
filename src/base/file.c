#include "file.h"

#include "buffer.h"
#include "compress/unpack.h"
#include "file_system.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BLOCK ((size_t)256 * 1024)

struct shoal_i_input {
    int fd;            /* -1: the bytes are in memory */
    const char *bytes; /* in memory, of `size` */
    uint64_t size;
    uint64_t taken; /* of the bytes as they lie there */
    char *name;     /* for messages */
    bool is_raw;    /* bytes are read as they lie there, packed or not */
    bool is_begun;  /* the first bytes have been looked at */
    /* These, until they are handed on. */
    char head[SHOAL_I_CODEC_MAGIC_MAX];
    size_t head_at;
    size_t head_size;
    shoal_i_unpacker *unpacker; /* NULL: not packed */
};

static shoal_status open_path(shoal_ctx *ctx, shoal_i_input **out, const char *path,
                              bool is_raw)
{
    shoal_status st = SHOAL_OK;
    shoal_i_input *input = NULL;
    struct stat info;

    *out = NULL;
    SHOAL_ALLOC(ctx, input, 1);
    input->fd = -1;
    input->is_raw = is_raw;
    input->name = shoal_i_strdup(ctx, shoal_i_is_standard(path) ? "standard input" : path);
    if (!input->name) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    if (shoal_i_is_standard(path)) {
        input->fd = STDIN_FILENO;
    } else {
        SHOAL_TRY(
            shoal_i_open_file(ctx, &input->fd, "open the file for reading", path, O_RDONLY));
    }
    if (fstat(input->fd, &info) != 0) {
        SHOAL_TRY(shoal_i_fail_system(ctx, "read the file", errno, input->name));
    }
    if (S_ISDIR(info.st_mode)) {
        SHOAL_TRY(shoal_i_fail_system(ctx, "read the file", EISDIR, input->name));
    }
    if (S_ISREG(info.st_mode) && info.st_size > 0) {
        input->size = (uint64_t)info.st_size;
        posix_fadvise(input->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    *out = input;
    input = NULL;
done:
    shoal_i_input_free(input);
    return st;
}

shoal_status shoal_i_input_open(shoal_ctx *ctx, shoal_i_input **out, const char *path)
{
    return open_path(ctx, out, path, false);
}

shoal_status shoal_i_input_open_raw(shoal_ctx *ctx, shoal_i_input **out, const char *path)
{
    return open_path(ctx, out, path, true);
}

shoal_status shoal_i_input_open_bytes(shoal_ctx *ctx, shoal_i_input **out, const char *bytes,
                                      size_t size, const char *name)
{
    shoal_status st = SHOAL_OK;
    shoal_i_input *input = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, input, 1);
    *input = (shoal_i_input){.fd = -1, .bytes = bytes, .size = size};
    input->name = shoal_i_strdup(ctx, name);
    if (!input->name) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    *out = input;
    input = NULL;
done:
    shoal_i_input_free(input);
    return st;
}

void shoal_i_input_free(shoal_i_input *input)
{
    if (!input) {
        return;
    }
    shoal_i_unpacker_free(input->unpacker);
    if (input->fd > STDERR_FILENO) {
        close(input->fd);
    }
    free(input->name);
    free(input);
}

static shoal_status read_file(shoal_ctx *ctx, size_t *got, shoal_i_input *input, char *bytes,
                              size_t capacity)
{
    *got = 0;
    while (*got < capacity) {
        if (shoal_i_wait_for(ctx, input->fd, false) != SHOAL_OK) {
            return SHOAL_ECANCELLED;
        }
        ssize_t count = read(input->fd, bytes + *got, capacity - *got);

        if (count == 0) {
            break;
        }
        if (count > 0) {
            *got += (size_t)count;
        } else if (errno != EINTR) {
            return shoal_i_fail_system(ctx, "read the file", errno, input->name);
        }
    }
    input->taken += *got;
    return SHOAL_OK;
}

static void read_memory(size_t *got, shoal_i_input *input, char *bytes, size_t capacity)
{
    size_t left = (size_t)(input->size - input->taken);

    *got = left < capacity ? left : capacity;
    if (*got > 0) {
        memcpy(bytes, input->bytes + input->taken, *got);
        input->taken += *got;
    }
}

/* The bytes as they lie there, those that were looked at first. */
static shoal_status read_raw(shoal_ctx *ctx, size_t *got, void *payload, char *bytes,
                             size_t capacity)
{
    shoal_i_input *input = payload;
    size_t left = input->head_size - input->head_at;
    size_t known = left < capacity ? left : capacity;
    shoal_status st = SHOAL_OK;

    if (known > 0) {
        memcpy(bytes, input->head + input->head_at, known);
        input->head_at += known;
    }
    *got = 0;
    if (input->fd < 0) {
        read_memory(got, input, bytes + known, capacity - known);
    } else {
        st = read_file(ctx, got, input, bytes + known, capacity - known);
    }
    *got += known;
    return st;
}

/* Look at the first bytes: do they tell that all of them are packed? */
static shoal_status begin(shoal_ctx *ctx, shoal_i_input *input)
{
    shoal_status st = SHOAL_OK;
    char head[SHOAL_I_CODEC_MAGIC_MAX];
    size_t size = 0;

    assert(input->head_size == 0);
    SHOAL_TRY(read_raw(ctx, &size, input, head, sizeof head));
    memcpy(input->head, head, size);
    input->head_size = size;
    const shoal_i_codec *codec =
        shoal_i_codec_of_bytes((const unsigned char *)input->head, input->head_size);

    if (codec) {
        SHOAL_TRY(shoal_i_unpacker_open(ctx, &input->unpacker, codec, shoal_i_unpack_usual,
                                        read_raw, input));
    }
    input->is_begun = true;
done:
    return st;
}

shoal_status shoal_i_input_read(shoal_ctx *ctx, size_t *got, shoal_i_input *input, char *bytes,
                                size_t capacity)
{
    shoal_status st = SHOAL_OK;

    *got = 0;
    if (!input->is_begun && !input->is_raw) {
        SHOAL_TRY(begin(ctx, input));
    }
    if (!input->unpacker) {
        SHOAL_TRY(read_raw(ctx, got, input, bytes, capacity));
    } else {
        st = shoal_i_unpacker_read(ctx, got, input->unpacker, bytes, capacity);
        if (st == SHOAL_EFORMAT || st == SHOAL_ELIMIT) {
            shoal_i_fail_in(ctx, input->name, 0, 0);
        }
    }
done:
    return st;
}

const char *shoal_i_input_name(const shoal_i_input *input)
{
    return input->name;
}

uint64_t shoal_i_input_taken(const shoal_i_input *input)
{
    return input->taken;
}

uint64_t shoal_i_input_size(const shoal_i_input *input)
{
    return input->size;
}

static shoal_status read_to_end(shoal_ctx *ctx, shoal_i_buffer *buffer, shoal_i_input *input,
                                size_t max)
{
    /* One byte more than the file should have shows its end, or that it is too large. What is
     * packed comes in steps of its size. */
    size_t step =
        input->size == 0 ? READ_BLOCK : 1 + (size_t)(input->size < max ? input->size : max);
    size_t got = 0;

    do {
        if (!shoal_i_buffer_reserve(buffer, step)) {
            return shoal_i_buffer_status(buffer);
        }
        shoal_status st =
            shoal_i_input_read(ctx, &got, input, buffer->data + buffer->size, step);

        if (st != SHOAL_OK) {
            return st;
        }
        buffer->size += got;
        if (buffer->size > max) {
            shoal_i_fail(ctx, SHOAL_ELIMIT, "The file is larger than the limit of %zu bytes.",
                         max);
            return shoal_i_fail_in(ctx, input->name, 0, 0);
        }
    } while (got == step);
    return SHOAL_OK;
}

shoal_status shoal_i_input_read_all(shoal_ctx *ctx, char **bytes, size_t *size,
                                    const char *path, size_t max)
{
    shoal_status st = SHOAL_OK;
    shoal_i_input *input = NULL;
    shoal_i_buffer buffer;

    *bytes = NULL;
    *size = 0;
    shoal_i_buffer_init(&buffer, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_TRY(shoal_i_input_open(ctx, &input, path));
    SHOAL_TRY(read_to_end(ctx, &buffer, input, max));
    size_t total = buffer.size;

    SHOAL_TRY(shoal_i_buffer_take(bytes, &buffer));
    *size = total;
done:
    shoal_i_buffer_clear(&buffer);
    shoal_i_input_free(input);
    return st;
}

bool shoal_i_is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

bool shoal_i_is_same_file(const char *a, const char *b)
{
    struct stat a_info;
    struct stat b_info;

    if (shoal_i_is_standard(a) || shoal_i_is_standard(b) || stat(a, &a_info) != 0 ||
        stat(b, &b_info) != 0) {
        return false;
    }
    return a_info.st_dev == b_info.st_dev && a_info.st_ino == b_info.st_ino;
}

bool shoal_i_is_regular_file(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

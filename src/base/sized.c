#include "sized.h"

#include "fail.h"

#include <string.h>

/* The size that a struct says it has; it stands first. */
static size_t read_size(const void *sized)
{
    size_t size;

    memcpy(&size, sized, sizeof size);
    return size;
}

/* A struct that begins with a size_t is as large as some number of them. */
static bool is_known(size_t given, size_t known)
{
    return given > 0 && given <= known && given % sizeof(size_t) == 0;
}

shoal_status shoal_i_sized_take(shoal_ctx *ctx, void *known, size_t size, const void *from,
                                const char *name)
{
    size_t given = from ? read_size(from) : sizeof given;

    if (!is_known(given, size)) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "A %s has a struct_size of %zu bytes at most here, got %zu; start it "
            "with its _INIT macro, and use headers no newer than the library.",
            name, size, given);
    }
    /* The size itself stays that of the library. */
    if (from) {
        memcpy((char *)known + sizeof given, (const char *)from + sizeof given,
               given - sizeof given);
    }
    return SHOAL_OK;
}

bool shoal_i_sized_fill(void *to, const void *known, size_t size)
{
    size_t given = read_size(to);

    if (!is_known(given, size)) {
        return false;
    }
    memcpy((char *)to + sizeof given, (const char *)known + sizeof given, given - sizeof given);
    return true;
}

/* portable.h -- objects of a division as bytes that another process reads.
 *
 *     "SHOALDIV" | version | kind | size of the rest | SHA-256 of the rest | the rest
 *
 * Numbers of the frame are of 4 and 8 bytes, the least significant first; those of the rest
 * have seven bits a byte and end with the first byte below 128, since most of them are counts
 * and small. Texts have their length before them.
 *
 * A reader takes nothing for granted: whatever does not fit marks it as broken, and it goes on
 * with zeros and empty texts, so that one question at the end is enough.
 */
#ifndef SHOAL_I_PORTABLE_H
#define SHOAL_I_PORTABLE_H

#include "../../base/buffer.h"
#include "../../base/sha256.h"
#include "../../spec/spec.h"

#define SHOAL_I_PORTABLE_VERSION 2u

typedef enum shoal_i_portable_kind {
    SHOAL_I_PORTABLE_VALUES,
    SHOAL_I_PORTABLE_DIVISION,
    SHOAL_I_PORTABLE_COUNTS,
    SHOAL_I_PORTABLE_CLASSES
} shoal_i_portable_kind;

void shoal_i_pack_number(shoal_i_buffer *out, uint64_t number);
void shoal_i_pack_double(shoal_i_buffer *out, double number);
void shoal_i_pack_text(shoal_i_buffer *out, const char *text, size_t length);

/* A number whose bits are all alike, of 8 bytes. */
void shoal_i_pack_digest(shoal_i_buffer *out, uint64_t digest);

/* Frame what was packed, which is cleared. *bytes is the caller's to free. */
shoal_status shoal_i_pack_end(shoal_ctx *ctx, char **bytes, size_t *size,
                              shoal_i_portable_kind kind, shoal_i_buffer *rest);

typedef struct shoal_i_unpacking {
    const unsigned char *at;
    const unsigned char *end;
    bool is_broken;
} shoal_i_unpacking;

/* Check the frame. The bytes are borrowed.
 *   SHOAL_EFORMAT       not such bytes, cut short, changed since they were written
 *   SHOAL_EUNSUPPORTED  of another version
 *   SHOAL_EINVAL        of another kind of object, or NULL */
shoal_status shoal_i_unpack_begin(shoal_ctx *ctx, shoal_i_unpacking *in,
                                  shoal_i_portable_kind kind, const void *bytes, size_t size);

/* At most `most`, or broken. */
uint64_t shoal_i_unpack_number(shoal_i_unpacking *in, uint64_t most);

/* How many things follow, each of which takes a byte at least: never more than bytes are
 * left. */
size_t shoal_i_unpack_count(shoal_i_unpacking *in);
double shoal_i_unpack_double(shoal_i_unpacking *in);
uint64_t shoal_i_unpack_digest(shoal_i_unpacking *in);

/* Borrowed, not NUL-terminated; valid UTF-8 without a NUL byte, or broken. */
const char *shoal_i_unpack_text(shoal_i_unpacking *in, size_t *length);

/* SHOAL_EFORMAT: it is broken, or something is left over. */
shoal_status shoal_i_unpack_end(shoal_ctx *ctx, const shoal_i_unpacking *in,
                                shoal_i_portable_kind kind);

/* What a spec says about columns, missing values, requirements and the method, as a digest:
 * what the parts of a table must agree on. Of a hierarchy's file its last name counts, not its
 * folder. */
shoal_status shoal_i_spec_digest(shoal_ctx *ctx, char hex[SHOAL_I_SHA256_HEX],
                                 const shoal_spec *spec);

/* A digest from the bytes, and whether it is this one. SHOAL_EINVAL: built by another spec. */
shoal_status shoal_i_unpack_spec(shoal_ctx *ctx, shoal_i_unpacking *in,
                                 shoal_i_portable_kind kind,
                                 const char digest[SHOAL_I_SHA256_HEX]);

#endif /* SHOAL_I_PORTABLE_H */

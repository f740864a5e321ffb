#include "text_source.h"

#include "decode.h"

#include <string.h>

#define BLOCK ((size_t)32 * 1024) /* bytes that are decoded at once */
#define MARK_MAX 4

struct shoal_i_text_source {
    shoal_i_input *input;
    shoal_encoding encoding; /* as asked for; what it is, when is_begun */
    bool is_begun;
    bool is_drained; /* the input has ended */
    /* Bytes of the input that are not decoded: those looked at for a mark, an end of UTF-16. */
    unsigned char *raw;
    size_t raw_size;
    /* UTF-8 that is not handed out yet. */
    char *text;
    size_t text_at;
    size_t text_size;
    int64_t lines;            /* newlines in all that was decoded */
    size_t column;            /* bytes behind the last of them */
    shoal_i_utf8_guess guess; /* of the encodings of one byte */
    int64_t guess_line;       /* of the first character that speaks for UTF-8 */
};

shoal_status shoal_i_text_source_open(shoal_ctx *ctx, shoal_i_text_source **out,
                                      const shoal_i_text_origin *origin)
{
    shoal_status st = SHOAL_OK;
    shoal_i_text_source *source = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, source, 1);
    source->encoding = origin->encoding;
    SHOAL_TRY(origin->path ? shoal_i_input_open(ctx, &source->input, origin->path)
                           : shoal_i_input_open_bytes(ctx, &source->input, origin->bytes,
                                                      origin->size, origin->name));
    *out = source;
    source = NULL;
done:
    shoal_i_text_source_free(source);
    return st;
}

void shoal_i_text_source_free(shoal_i_text_source *source)
{
    if (!source) {
        return;
    }
    shoal_i_input_free(source->input);
    free(source->raw);
    free(source->text);
    free(source);
}

uint64_t shoal_i_text_source_size(const shoal_i_text_source *source)
{
    return shoal_i_input_size(source->input);
}

uint64_t shoal_i_text_source_taken(const shoal_i_text_source *source)
{
    return shoal_i_input_taken(source->input);
}

/* --- Which encoding it is. --------------------------------------------------------------- */

typedef struct mark {
    const char *bytes;
    size_t size;
    shoal_encoding encoding; /* AUTO: one that we do not read */
    const char *name;
} mark;

/* The longer ones first: that of UTF-32 begins with that of UTF-16. */
static const mark marks[] = {
    {"\xFF\xFE\0\0", 4, SHOAL_ENCODING_AUTO, "UTF-32"},
    {"\0\0\xFE\xFF", 4, SHOAL_ENCODING_AUTO, "UTF-32"},
    {"\xEF\xBB\xBF", 3, SHOAL_ENCODING_UTF8, "UTF-8"},
    {"\xFF\xFE", 2, SHOAL_ENCODING_UTF16LE, "UTF-16"},
    {"\xFE\xFF", 2, SHOAL_ENCODING_UTF16BE, "UTF-16"},
};

static const mark *find_mark(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (size >= marks[i].size && memcmp(bytes, marks[i].bytes, marks[i].size) == 0) {
            return &marks[i];
        }
    }
    return NULL;
}

static shoal_status fail_begin(shoal_ctx *ctx, const shoal_i_text_source *source)
{
    return shoal_i_fail_in(ctx, shoal_i_input_name(source->input), 1, 1);
}

static bool agrees(shoal_encoding asked, shoal_encoding told)
{
    return asked == SHOAL_ENCODING_AUTO || asked == told ||
           (asked == SHOAL_ENCODING_UTF16 && told != SHOAL_ENCODING_UTF8);
}

/* Hold what was asked for against the mark at the beginning. */
static shoal_status settle(shoal_ctx *ctx, shoal_i_text_source *source, const mark *found)
{
    if (found && found->encoding == SHOAL_ENCODING_AUTO) {
        shoal_i_fail(ctx, SHOAL_EFORMAT, "The file is %s; convert it to UTF-8 first.",
                     found->name);
        return fail_begin(ctx, source);
    }
    if (found && !agrees(source->encoding, found->encoding)) {
        shoal_i_fail(
            ctx, SHOAL_EFORMAT,
            "The file begins with the byte order mark of %s, but `input.encoding` says "
            "otherwise; leave that out.",
            found->name);
        return fail_begin(ctx, source);
    }
    if (!found && source->encoding == SHOAL_ENCODING_UTF16) {
        shoal_i_fail(
            ctx, SHOAL_EFORMAT,
            "The file has no byte order mark, which UTF-16 begins with; say its order, "
            "`input.encoding: utf-16le` or utf-16be.");
        return fail_begin(ctx, source);
    }
    if (found) {
        source->encoding = found->encoding;
    } else if (source->encoding == SHOAL_ENCODING_AUTO) {
        source->encoding = SHOAL_ENCODING_UTF8;
    }
    return SHOAL_OK;
}

static shoal_status begin(shoal_ctx *ctx, shoal_i_text_source *source)
{
    shoal_status st = SHOAL_OK;
    unsigned char head[MARK_MAX];
    size_t size = 0;

    SHOAL_TRY(shoal_i_input_read(ctx, &size, source->input, (char *)head, sizeof head));
    source->is_drained = size < sizeof head;
    const mark *found = find_mark(head, size);

    SHOAL_TRY(settle(ctx, source, found));
    if (!source->raw) {
        SHOAL_ALLOC(ctx, source->raw, BLOCK + MARK_MAX);
    }
    if (source->encoding != SHOAL_ENCODING_UTF8 && !source->text) {
        SHOAL_ALLOC(ctx, source->text, (BLOCK + MARK_MAX) * SHOAL_I_DECODE_GROWTH);
    }
    size_t skipped = found && source->encoding != SHOAL_ENCODING_UTF8 ? found->size : 0;

    source->raw_size = size - skipped;
    memcpy(source->raw, head + skipped, source->raw_size);
    source->is_begun = true;
done:
    return st;
}

/* --- Reading. ---------------------------------------------------------------------------- */

static shoal_status read_plain(shoal_ctx *ctx, size_t *got, shoal_i_text_source *source,
                               char *bytes, size_t capacity)
{
    size_t known = source->raw_size < capacity ? source->raw_size : capacity;
    size_t rest = 0;
    shoal_status st = SHOAL_OK;

    if (known > 0) {
        memcpy(bytes, source->raw, known);
        memmove(source->raw, source->raw + known, source->raw_size - known);
        source->raw_size -= known;
    }
    if (!source->is_drained && known < capacity) {
        st = shoal_i_input_read(ctx, &rest, source->input, bytes + known, capacity - known);
    }
    *got = known + rest;
    return st;
}

/* Keep count of where the text decoded so far ends. */
static void count_lines(shoal_i_text_source *source, const char *text, size_t size)
{
    const char *last = NULL;

    for (const char *at = text; (at = memchr(at, '\n', size - (size_t)(at - text))); at++) {
        source->lines++;
        last = at;
    }
    source->column = last ? (size_t)(text + size - last - 1) : source->column + size;
}

/* Text of one byte a letter may be UTF-8: look at it before it is decoded. */
static void watch(shoal_i_text_source *source)
{
    shoal_i_utf8_guess *guess = &source->guess;
    size_t start = guess->seen;
    size_t known = guess->found;

    if (source->encoding != SHOAL_ENCODING_LATIN1 &&
        source->encoding != SHOAL_ENCODING_WINDOWS_1252) {
        return;
    }
    shoal_i_utf8_guess_see(guess, source->raw, source->raw_size);
    if (known == 0 && guess->found > 0) {
        source->guess_line = source->lines + 1;
        for (size_t i = 0; i < guess->first - start; i++) {
            source->guess_line += source->raw[i] == '\n';
        }
    }
}

/* A mistake of the encoding, or that it is UTF-8 from beginning to end. */
static shoal_status check_decoded(shoal_ctx *ctx, const shoal_i_text_source *source,
                                  const shoal_i_decoded *d)
{
    const char *name = shoal_i_input_name(source->input);

    if ((d->mistake || source->is_drained) && shoal_i_utf8_guess_is(&source->guess)) {
        shoal_i_fail(ctx, SHOAL_EFORMAT,
                     "The text is UTF-8, though `input.encoding` says otherwise: each letter "
                     "beyond ASCII would become two or more. Leave that out; or, if it is not "
                     "UTF-8, convert it first.");
        return shoal_i_fail_in(ctx, name, source->guess_line, 0);
    }
    if (!d->mistake) {
        return SHOAL_OK;
    }
    shoal_i_fail(ctx, SHOAL_EFORMAT, "%s", d->mistake);
    return shoal_i_fail_in(ctx, name, source->lines + 1, (int64_t)source->column + 1);
}

static shoal_status decode_some(shoal_ctx *ctx, shoal_i_text_source *source)
{
    shoal_status st = SHOAL_OK;
    size_t got = 0;

    SHOAL_TRY(shoal_i_input_read(ctx, &got, source->input,
                                 (char *)source->raw + source->raw_size, BLOCK));
    source->is_drained = got < BLOCK;
    source->raw_size += got;
    watch(source);
    shoal_i_decoded d = shoal_i_decode(source->text, source->encoding, source->raw,
                                       source->raw_size, source->is_drained);

    count_lines(source, source->text, d.given);
    SHOAL_TRY(check_decoded(ctx, source, &d));
    source->text_at = 0;
    source->text_size = d.given;
    source->raw_size -= d.taken;
    memmove(source->raw, source->raw + d.taken, source->raw_size);
done:
    return st;
}

static shoal_status read_decoded(shoal_ctx *ctx, size_t *got, shoal_i_text_source *source,
                                 char *bytes, size_t capacity)
{
    shoal_status st = SHOAL_OK;

    while (*got < capacity) {
        size_t left = source->text_size - source->text_at;
        size_t some = left < capacity - *got ? left : capacity - *got;

        memcpy(bytes + *got, source->text + source->text_at, some);
        source->text_at += some;
        *got += some;
        if (source->text_at == source->text_size) {
            if (source->is_drained && source->raw_size == 0) {
                break;
            }
            SHOAL_TRY(decode_some(ctx, source));
        }
    }
done:
    return st;
}

shoal_status shoal_i_text_source_read(shoal_ctx *ctx, size_t *got, shoal_i_text_source *source,
                                      char *bytes, size_t capacity)
{
    shoal_status st = SHOAL_OK;

    *got = 0;
    if (!source->is_begun) {
        SHOAL_TRY(begin(ctx, source));
    }
    SHOAL_TRY(source->encoding == SHOAL_ENCODING_UTF8
                  ? read_plain(ctx, got, source, bytes, capacity)
                  : read_decoded(ctx, got, source, bytes, capacity));
done:
    return st;
}

#include "csv_fields.h"

#include "../../base/text.h"
#include "../grow.h"

#include <shoal/csv.h>

#include <assert.h>

#define NOWHERE (SIZE_MAX / 2)
#define CHARACTER_MAX 4 /* bytes of a character in UTF-8 */

/* Masks that are listed between two looks at the room that is left. */
#define MASKS_AT_ONCE ((size_t)1024)

void shoal_i_csv_fields_clear(shoal_i_csv_fields *fields)
{
    free(fields->ends);
    free(fields->list);
    free(fields->shifts);
    free(fields->masks);
    shoal_i_arena_clear(&fields->unescaped);
    memset(fields, 0, sizeof *fields);
}

/* --- Where fields end. --- */

static shoal_status reserve_ends(shoal_ctx *ctx, shoal_i_csv_fields *f, size_t needed)
{
    uint32_t *ends = shoal_i_grow(ctx, f->ends, &f->end_capacity, needed, sizeof *ends);

    if (!ends) {
        return SHOAL_ENOMEM;
    }
    f->ends = ends;
    return SHOAL_OK;
}

static shoal_status scan(shoal_ctx *ctx, shoal_i_csv_fields *f, shoal_i_csv_marks *marks)
{
    size_t count = shoal_i_csv_mask_count(f->size);
    shoal_i_csv_masks *masks =
        shoal_i_grow(ctx, f->masks, &f->mask_capacity, count + 1, sizeof *masks);

    if (!masks) {
        return SHOAL_ENOMEM;
    }
    f->masks = masks;
    *marks = shoal_i_csv_scan(masks, f->bytes, f->size, f->delimiter, f->scanner);
    return SHOAL_OK;
}

/* List the delimiters and newlines outside quotes; count the records and the lines. */
static shoal_status list_ends(shoal_ctx *ctx, shoal_i_csv_fields *f, bool *has_quotes)
{
    shoal_status st = SHOAL_OK;
    size_t mask_count = shoal_i_csv_mask_count(f->size);
    shoal_i_csv_state state = {0};
    size_t count = 1;

    SHOAL_TRY(reserve_ends(ctx, f, count));
    f->ends[0] = UINT32_MAX; /* one more is 0, where the first field starts */
    for (size_t w = 0; w < mask_count; w += MASKS_AT_ONCE) {
        size_t left = mask_count - w;
        size_t some = left < MASKS_AT_ONCE ? left : MASKS_AT_ONCE;

        SHOAL_TRY(reserve_ends(ctx, f, count + SHOAL_I_CSV_ENDS(some)));
        count += f->scanner->list(f->ends + count, f->masks + w, some,
                                  (uint32_t)(w * SHOAL_I_CSV_WORD), &state);
    }
    f->end_count = count - 1;
    f->record_count = state.record_count;
    f->line_count = state.line_count;
    *has_quotes = state.quotes != 0;
done:
    return st;
}

/* A byte order mark at the beginning of a line: those of a text stand at its own beginning
 * only. */
static size_t find_mark(const char *bytes, size_t size)
{
    const char *at = bytes;

    while (size - (size_t)(at - bytes) >= 3 &&
           (at = memchr(at, 0xEF, size - (size_t)(at - bytes) - 2))) {
        if ((unsigned char)at[1] == 0xBB && (unsigned char)at[2] == 0xBF &&
            (at == bytes || at[-1] == '\n')) {
            return (size_t)(at - bytes);
        }
        at++;
    }
    return NOWHERE;
}

/* The first byte that no CSV text may contain. */
static size_t find_bad_byte(const shoal_i_csv_fields *f, shoal_i_csv_marks marks)
{
    const char *nul = marks.has_nul ? memchr(f->bytes, '\0', f->size) : NULL;
    size_t nul_at = nul ? (size_t)(nul - f->bytes) : NOWHERE;
    size_t bad_at = NOWHERE;

    if (!marks.has_high) {
        return nul_at;
    }
    if (shoal_i_text_is_utf8(&bad_at, f->bytes, f->size)) {
        bad_at = find_mark(f->bytes, f->size);
    } else {
        size_t mark_at = find_mark(f->bytes, bad_at);

        bad_at = mark_at < bad_at ? mark_at : bad_at;
    }
    return nul_at < bad_at ? nul_at : bad_at;
}

/* Whether every record has its newline where the number of columns wants it. As there are as
 * many newlines as records, none can be elsewhere. */
static bool is_regular(shoal_i_csv_fields *f)
{
    const size_t stride = f->column_count;
    bool is_right = stride > 0 && f->end_count == f->record_count * stride;
    bool has_cr = false;

    for (size_t r = 1; is_right && r <= f->record_count; r++) {
        size_t end = f->ends[r * stride];

        is_right = f->bytes[end] == '\n';
        has_cr |= f->bytes[end - (end > 0)] == '\r';
    }
    f->has_cr = has_cr;
    return is_right;
}

/* --- What is wrong. --- */

/* Add to the failure just recorded where in this text it is. */
static shoal_status locate(shoal_ctx *ctx, const shoal_i_csv_fields *f, size_t at)
{
    int64_t line = 1;
    size_t line_start = 0;

    for (size_t i = 0; i < at; i++) {
        if (f->bytes[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    }
    ctx->error.line = line;
    ctx->error.column = (int64_t)(at - line_start) + 1;
    return ctx->error.status;
}

typedef enum flaw {
    FLAW_NONE,
    FLAW_STRAY,    /* a quote in a field that does not start with one */
    FLAW_FOLLOWED, /* something behind the closing quote */
    FLAW_OPEN,     /* no closing quote */
    FLAW_LONG
} flaw;

/* Whichever flaw of a field comes first in the text. *at is the byte where it shows, *doubled
 * the number of quotes that stand for one. What lies behind that byte has no influence: it may
 * not have been read yet. */
static flaw find_flaw(const shoal_i_csv_fields *f, size_t start, size_t end, size_t *at,
                      size_t *doubled)
{
    const char *bytes = f->bytes;
    const char *quote;
    size_t from = start + 1;

    *doubled = 0;
    if (start == end || bytes[start] != '"') {
        bool is_long = end - start > SHOAL_CSV_FIELD_MAX;

        *at = is_long ? start + SHOAL_CSV_FIELD_MAX : end;
        quote = memchr(bytes + start, '"', *at - start);
        *at = quote ? (size_t)(quote - bytes) : *at;
        return quote ? FLAW_STRAY : is_long ? FLAW_LONG : FLAW_NONE;
    }
    for (;; from = *at + 1, ++*doubled) {
        quote = memchr(bytes + from, '"', end - from);
        *at = quote ? (size_t)(quote - bytes) : end;
        if (*at - start - 1 - *doubled > SHOAL_CSV_FIELD_MAX) {
            *at = start + 1 + *doubled + SHOAL_CSV_FIELD_MAX;
            return FLAW_LONG;
        }
        if (!quote) {
            return FLAW_OPEN;
        }
        if (++*at == end) {
            return FLAW_NONE;
        }
        if (bytes[*at] != '"') {
            return FLAW_FOLLOWED;
        }
    }
}

static const char *word_flaw(flaw found)
{
    switch (found) {
    case FLAW_STRAY:
        return "A quote stands inside a field that does not start with one; put the whole "
               "field "
               "in quotes and double the quote.";
    case FLAW_FOLLOWED:
        return "Text follows a closing quote, where a delimiter or the end of the line was "
               "expected; double a quote that belongs to the text.";
    default:
        return "A quote is opened here and never closed.";
    }
}

/* --- Walking through the records one by one. --- */

typedef struct walk {
    shoal_ctx *ctx;
    shoal_i_csv_fields *fields;
    size_t bad_at; /* the first byte that is wrong in itself */
    bool has_quotes;
    bool is_header;
    size_t record;
} walk;

static int64_t record_of(const walk *w)
{
    return w->is_header ? -1 : (int64_t)w->record;
}

static shoal_status fail_byte(const walk *w)
{
    const char *bytes = w->fields->bytes + w->bad_at;
    size_t left = w->fields->size - w->bad_at;
    const char *message = "The text is not valid UTF-8; say what it is encoded in, "
                          "`input.encoding: windows-1252` "
                          "or latin1, or convert it to UTF-8 first.";

    if (*bytes == '\0') {
        message = "The text contains a NUL byte; this does not look like a CSV file.";
    } else if (left >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        message =
            "A byte order mark stands in the middle of the text, as where files are joined "
            "one behind the other; remove it, and the header that may follow it.";
    }
    shoal_i_fail_at(w->ctx, SHOAL_EFORMAT, record_of(w), -1, "%s", message);
    return locate(w->ctx, w->fields, w->bad_at);
}

static shoal_status fail_long(const walk *w, size_t field, size_t start)
{
    bool is_quoted = w->fields->bytes[start] == '"';

    shoal_i_fail_at(w->ctx, SHOAL_ELIMIT, record_of(w), (int64_t)field,
                    "A field is longer than %u bytes%s.", SHOAL_CSV_FIELD_MAX,
                    is_quoted ? "; the quote opened here may never have been closed" : "");
    return locate(w->ctx, w->fields, start);
}

static shoal_status fail_field(const walk *w, size_t field, size_t start, flaw found, size_t at)
{
    if (w->bad_at < at) {
        return fail_byte(w);
    }
    if (found == FLAW_LONG) {
        return fail_long(w, field, start);
    }
    shoal_i_fail_at(w->ctx, SHOAL_EFORMAT, record_of(w), (int64_t)field, "%s",
                    word_flaw(found));
    return locate(w->ctx, w->fields, found == FLAW_OPEN ? start : at);
}

static shoal_status fail_ragged(const walk *w, size_t first, size_t count)
{
    const shoal_i_csv_fields *f = w->fields;
    size_t wanted = f->column_count;
    size_t at = count > wanted ? f->ends[first + wanted - 1] : f->ends[first + count - 1];

    shoal_i_fail_at(w->ctx, SHOAL_EFORMAT, record_of(w), -1,
                    "Expected %zu field%s, as in the header, but this record has %zu%s.",
                    wanted, wanted == 1 ? "" : "s", count,
                    wanted == 1
                        ? "; if the header is further down, leave out the lines before it by "
                          "`input.skip_lines` or `input.comment`"
                        : "");
    return locate(w->ctx, f, at);
}

/* Copy a quoted field with each pair of quotes made one. */
static char *unescape(walk *w, const char *text, size_t length, size_t doubled)
{
    char *copy = shoal_i_arena_alloc(w->ctx, &w->fields->unescaped,
                                     length - doubled + SHOAL_I_CSV_PADDING, 1);
    size_t to = 0;

    for (size_t i = 0; copy && i < length; i++) {
        copy[to++] = text[i];
        i += text[i] == '"';
    }
    return copy;
}

static shoal_status add_field(walk *w, size_t field, size_t start, size_t end)
{
    shoal_i_csv_fields *f = w->fields;
    const char *text = f->bytes + start;
    size_t length = end - start;
    size_t doubled = 0;
    size_t at = 0;

    if (w->has_quotes || length > SHOAL_CSV_FIELD_MAX) {
        flaw found = find_flaw(f, start, end, &at, &doubled);

        if (found != FLAW_NONE) {
            return fail_field(w, field, start, found, at);
        }
    }
    if (length > 0 && text[0] == '"') {
        text++;
        length -= 2;
    }
    if (doubled > 0) {
        text = unescape(w, text, length, doubled);
        if (!text) {
            return SHOAL_ENOMEM;
        }
    }
    f->list[f->list_count++] = (shoal_i_text){.text = text, .length = length - doubled};
    return SHOAL_OK;
}

/* From this record on, so many more lines have gone by than records. */
static shoal_status add_shift(walk *w, size_t record, int64_t lines)
{
    shoal_i_csv_fields *f = w->fields;
    shoal_i_line_shift *shifts =
        shoal_i_grow(w->ctx, f->shifts, &f->shift_capacity, f->shift_count + 1, sizeof *shifts);

    if (!shifts) {
        return SHOAL_ENOMEM;
    }
    f->shifts = shifts;
    shifts[f->shift_count++] = (shoal_i_line_shift){.row = record, .lines = lines};
    return SHOAL_OK;
}

static int64_t count_lines(const char *bytes, size_t size)
{
    int64_t count = 0;

    for (size_t i = 0; i < size; i++) {
        count += bytes[i] == '\n';
    }
    return count;
}

/* One record: the fields that end at ends[first] .. ends[last]. */
static shoal_status walk_record(walk *w, size_t first, size_t last)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_fields *f = w->fields;
    size_t start = (uint32_t)(f->ends[first - 1] + 1);
    size_t end = f->ends[last];
    size_t stripped = end > start && f->bytes[end - 1] == '\r' ? end - 1 : end;
    size_t count = last - first + 1;

    if (f->column_count > 1 && stripped == start) {
        return add_shift(w, w->record, 1);
    }
    for (size_t i = 0; i < count; i++) {
        size_t field_start = (uint32_t)(f->ends[first + i - 1] + 1);

        SHOAL_TRY(add_field(w, i, field_start, i + 1 < count ? f->ends[first + i] : stripped));
    }
    if (w->bad_at <= end) {
        return fail_byte(w);
    }
    if (f->column_count > 0 && count != f->column_count) {
        return fail_ragged(w, first, count);
    }
    w->record++;
    if (w->has_quotes) {
        int64_t inner = count_lines(f->bytes + start, end - start);

        if (inner > 0) {
            SHOAL_TRY(add_shift(w, w->record, inner));
        }
    }
done:
    return st;
}

static shoal_status reserve_list(shoal_ctx *ctx, shoal_i_csv_fields *f)
{
    shoal_i_text *list =
        shoal_i_grow(ctx, f->list, &f->list_capacity, f->end_count + 1, sizeof *list);

    if (!list) {
        return SHOAL_ENOMEM;
    }
    f->list = list;
    return SHOAL_OK;
}

static shoal_status walk_records(walk *w)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_fields *f = w->fields;

    SHOAL_TRY(reserve_list(w->ctx, f));
    for (size_t first = 1, last; first <= f->end_count; first = last + 1) {
        last = first;
        while (f->bytes[f->ends[last]] != '\n') {
            last++;
        }
        SHOAL_TRY(walk_record(w, first, last));
    }
    f->record_count = w->record;
done:
    return st;
}

/* --- The two ways in. --- */

static void start(shoal_i_csv_fields *f, const char *bytes, size_t size)
{
    assert(size < UINT32_MAX);
    f->bytes = bytes;
    f->size = size;
    f->record_count = 0;
    f->line_count = 0;
    f->end_count = 0;
    f->list_count = 0;
    f->shift_count = 0;
    f->has_cr = false;
    shoal_i_arena_clear(&f->unescaped);
}

shoal_status shoal_i_csv_fields_find(shoal_ctx *ctx, shoal_i_csv_fields *fields,
                                     const char *bytes, size_t size)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_marks marks;
    walk w = {.ctx = ctx, .fields = fields, .is_header = fields->column_count == 0};

    assert(size > 0 && bytes[size - 1] == '\n');
    start(fields, bytes, size);
    SHOAL_TRY(scan(ctx, fields, &marks));
    SHOAL_TRY(list_ends(ctx, fields, &w.has_quotes));
    w.bad_at = find_bad_byte(fields, marks);
    fields->is_plain = !w.has_quotes && w.bad_at == NOWHERE && size <= SHOAL_CSV_FIELD_MAX &&
                       is_regular(fields);
    if (!fields->is_plain) {
        SHOAL_TRY(walk_records(&w));
    }
done:
    return st;
}

/* The last field, of which the end is not there. Its last byte may be the first of CR LF. */
static shoal_status check_open_field(const walk *w, size_t field, size_t start, bool is_end)
{
    const shoal_i_csv_fields *f = w->fields;
    bool ends_in_cr = !is_end && f->size > start && f->bytes[f->size - 1] == '\r';
    size_t at = 0;
    size_t doubled = 0;
    flaw found = find_flaw(f, start, f->size - ends_in_cr, &at, &doubled);

    if (found == FLAW_NONE || (found == FLAW_OPEN && !is_end)) {
        return w->bad_at == NOWHERE ? SHOAL_OK : fail_byte(w);
    }
    return fail_field(w, field, start, found, at);
}

shoal_status shoal_i_csv_fields_check_open(shoal_ctx *ctx, shoal_i_csv_fields *fields,
                                           const char *bytes, size_t size, bool is_end)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_marks marks;
    walk w = {.ctx = ctx, .fields = fields, .is_header = fields->column_count == 0};

    start(fields, bytes, size);
    SHOAL_TRY(scan(ctx, fields, &marks));
    SHOAL_TRY(list_ends(ctx, fields, &w.has_quotes));
    SHOAL_TRY(reserve_list(ctx, fields));
    w.bad_at = find_bad_byte(fields, marks);
    if (!is_end && w.bad_at + CHARACTER_MAX > size) {
        w.bad_at = NOWHERE; /* only a character cut in two */
    }
    for (size_t i = 0; i < fields->end_count; i++) {
        size_t field_start = (uint32_t)(fields->ends[i] + 1);

        SHOAL_TRY(add_field(&w, i, field_start, fields->ends[i + 1]));
    }
    SHOAL_TRY(check_open_field(&w, fields->end_count,
                               (uint32_t)(fields->ends[fields->end_count] + 1), is_end));
done:
    return st;
}

#include "arrow_leave.h"

#include "../../base/bitset.h"
#include "../../base/text.h"
#include "arrow_text.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* --- Elements: what a value is in the type it leaves with; false when it has no place
 * there. */

static const char *text_of(size_t *length, const shoal_i_column *column, uint32_t code)
{
    *length = column->starts[code + 1] - column->starts[code] - 1;
    return column->texts + column->starts[code];
}

static bool store_integer(void *out, const shoal_i_arrow_type *type, uint64_t bits)
{
    unsigned unused = 64 - 8 * type->width;
    /* Shifted up and down again, the number is what its bytes say. */
    uint64_t up = bits << unused;
    uint64_t back = type->is_signed ? (uint64_t)((int64_t)up >> unused) : up >> unused;

    memcpy(out, &bits, type->width); /* the lower bytes come first */
    return back == bits;
}

static bool convert_integer(void *out, const shoal_i_arrow_type *type,
                            const shoal_i_column *column, uint32_t code)
{
    size_t length;
    const char *text = text_of(&length, column, code);
    int64_t number = 0;
    uint64_t bits = 0;

    if (column->type == SHOAL_TYPE_INTEGER) {
        number = (int64_t)column->numbers[code];
        bits = (uint64_t)number;
        return (type->is_signed || number >= 0) && store_integer(out, type, bits);
    }
    if (!type->is_signed) {
        return shoal_i_unsigned_parse(&bits, text, length) && store_integer(out, type, bits);
    }
    return shoal_i_text_to_int64(&number, text, length) &&
           store_integer(out, type, (uint64_t)number);
}

static bool convert_float(void *out, const shoal_i_arrow_type *type,
                          const shoal_i_column *column, uint32_t code)
{
    double number = column->numbers ? column->numbers[code] : 0;
    float narrow = (float)number;

    if (type->width == 8) {
        memcpy(out, &number, sizeof number);
    } else {
        memcpy(out, &narrow, sizeof narrow);
    }
    return column->type == SHOAL_TYPE_REAL && (type->width == 8 || isfinite(narrow));
}

static bool convert_decimal(void *out, const shoal_i_arrow_type *type,
                            const shoal_i_column *column, uint32_t code)
{
    size_t length;
    const char *text = text_of(&length, column, code);
    shoal_i_decimal decimal;

    if (!shoal_i_decimal_parse(&decimal, text, length, type->scale, type->width)) {
        return false;
    }
    shoal_i_decimal_store(out, type->width, &decimal);
    return true;
}

static bool convert_instant(void *out, const shoal_i_arrow_type *type,
                            const shoal_i_column *column, uint32_t code)
{
    size_t length;
    const char *text = text_of(&length, column, code);
    int64_t instant = 0;

    if (!shoal_i_instant_parse(&instant, text, length, type)) {
        return false;
    }
    memcpy(out, &instant, sizeof instant);
    return true;
}

/* Short texts in the view itself; of longer ones the first bytes, the buffer, which is the
 * column's texts, and the place there. */
static bool convert_view(void *out, const shoal_i_column *column, uint32_t code)
{
    size_t length;
    const char *text = text_of(&length, column, code);
    char view[16] = {0};

    if (column->starts[code + 1] > INT32_MAX) {
        return false;
    }
    int32_t place[] = {0, (int32_t)column->starts[code]};
    int32_t size = (int32_t)length;

    memcpy(view, &size, sizeof size);
    memcpy(view + 4, text, length <= SHOAL_I_ARROW_VIEW_SHORT ? length : 4);
    if (length > SHOAL_I_ARROW_VIEW_SHORT) {
        memcpy(view + 8, place, sizeof place);
    }
    memcpy(out, view, sizeof view);
    return true;
}

static bool convert(void *out, const shoal_i_arrow_type *type, const shoal_i_column *column,
                    uint32_t code)
{
    size_t length;
    const char *text = text_of(&length, column, code);
    int32_t days;

    switch (type->kind) {
    case SHOAL_I_ARROW_INTEGER:
        return convert_integer(out, type, column, code);
    case SHOAL_I_ARROW_FLOAT:
        return convert_float(out, type, column, code);
    case SHOAL_I_ARROW_DECIMAL:
        return convert_decimal(out, type, column, code);
    case SHOAL_I_ARROW_INSTANT:
        return convert_instant(out, type, column, code);
    case SHOAL_I_ARROW_VIEW:
        return convert_view(out, column, code);
    case SHOAL_I_ARROW_DATE:
        days = column->type == SHOAL_TYPE_DATE ? (int32_t)column->numbers[code] : 0;
        memcpy(out, &days, sizeof days);
        return column->type == SHOAL_TYPE_DATE;
    case SHOAL_I_ARROW_BOOL:
        *(char *)out = text[0] == 't';
        return strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
    case SHOAL_I_ARROW_TEXT:
        return type->width == 8 || length <= INT32_MAX;
    default:
        return false; /* a column of the type null has no values */
    }
}

static size_t element_width(const shoal_i_arrow_type *type)
{
    return type->kind == SHOAL_I_ARROW_BOOL ? 1 : type->width;
}

/* The elements of all values, and zeros for missing. *fits: whether each value has one; of
 * texts there is nothing to be made. */
static shoal_status convert_all(shoal_ctx *ctx, void **out, bool *fits,
                                const shoal_i_arrow_type *type, const shoal_i_column *column)
{
    shoal_status st = SHOAL_OK;
    size_t width = element_width(type);
    char *elements = NULL;
    char unused[8];
    bool has_elements = type->kind != SHOAL_I_ARROW_TEXT && type->kind != SHOAL_I_ARROW_NULL;

    *fits = true;
    *out = NULL;
    if (has_elements) {
        elements = shoal_i_alloc(ctx, (size_t)column->value_count + 1, width);
        if (!elements) {
            return SHOAL_ENOMEM;
        }
    }
    for (uint32_t code = 0; code < column->value_count && *fits; code++) {
        *fits = convert(has_elements ? elements + code * width : unused, type, column, code);
    }
    if (*fits) {
        *out = elements;
        elements = NULL;
    }
    free(elements);
    return st;
}

/* --- Dictionaries. --- */

/* Numbers as they are; of truth values bits. */
static shoal_status make_value_bits(shoal_ctx *ctx, shoal_i_leaving *leaving, const char *bytes)
{
    shoal_status st = SHOAL_OK;
    uint8_t *bits = NULL;

    SHOAL_ALLOC(ctx, bits, shoal_i_bitset_bytes(leaving->column.value_count));
    for (uint32_t code = 0; code < leaving->column.value_count; code++) {
        if (bytes[code]) {
            shoal_i_bitset_add(bits, code);
        }
    }
    leaving->owned[1] = bits;
    leaving->value_buffers[1] = bits;
done:
    return st;
}

/* Texts without the NUL bytes between them. */
static shoal_status make_value_texts(shoal_ctx *ctx, shoal_i_leaving *leaving,
                                     const shoal_i_arrow_type *type)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_column *column = &leaving->column;
    size_t count = column->value_count;
    char *offsets = NULL;
    char *bytes = NULL;
    size_t end = 0;

    SHOAL_ALLOC(ctx, offsets, (count + 1) * type->width);
    leaving->owned[0] = offsets;
    SHOAL_ALLOC(ctx, bytes, column->starts[count]);
    leaving->owned[1] = bytes;
    for (uint32_t code = 0; code < count; code++) {
        size_t length;
        const char *text = text_of(&length, column, code);
        int64_t next = 0;

        memcpy(bytes + end, text, length);
        end += length;
        next = (int64_t)end;
        memcpy(offsets + (code + 1) * type->width, &next, type->width);
    }
    leaving->value_buffers[1] = offsets;
    leaving->value_buffers[2] = bytes;
done:
    return st;
}

/* The array of the values; their elements are handed over. */
static shoal_status make_values(shoal_ctx *ctx, shoal_i_leaving *leaving,
                                const shoal_i_arrow_type *type, void *elements)
{
    leaving->owned[0] = elements;
    leaving->value_buffer_count = shoal_i_arrow_buffer_count(type);
    switch (type->kind) {
    case SHOAL_I_ARROW_TEXT:
        return make_value_texts(ctx, leaving, type);
    case SHOAL_I_ARROW_BOOL:
        return make_value_bits(ctx, leaving, elements);
    case SHOAL_I_ARROW_VIEW:
        leaving->value_buffers[1] = elements;
        leaving->value_buffers[2] = leaving->column.texts;
        leaving->value_buffers[3] = leaving->texts_size;
        leaving->value_buffer_count = 4;
        return SHOAL_OK;
    default:
        leaving->value_buffers[1] = elements;
        return SHOAL_OK;
    }
}

/* Whether indices of a type reach all values. */
static bool reaches(const shoal_i_arrow_type *type, uint32_t count)
{
    unsigned bits = 8 * type->width - type->is_signed;

    return bits >= 32 || count <= (uint32_t)1 << bits;
}

/* Indices of the type asked for if they reach, else of the smallest that do. */
static shoal_status make_indices(shoal_ctx *ctx, shoal_i_leaving *leaving, char asked)
{
    static const char formats[] = "csil";
    uint32_t count = leaving->column.value_count;
    char format[2] = {asked, '\0'};
    size_t next = 0;

    while (!shoal_i_arrow_type_find(&leaving->type, format) ||
           leaving->type.kind != SHOAL_I_ARROW_INTEGER || !reaches(&leaving->type, count)) {
        format[0] = formats[next++];
    }
    leaving->format = shoal_i_strdup(ctx, format);
    leaving->elements = shoal_i_alloc(ctx, (size_t)count + 1, leaving->type.width);
    if (!leaving->format || !leaving->elements) {
        return SHOAL_ENOMEM;
    }
    for (uint64_t code = 0; code < count; code++) {
        memcpy((char *)leaving->elements + code * leaving->type.width, &code,
               leaving->type.width);
    }
    return SHOAL_OK;
}

/* --- The type. --- */

/* Leave as values of this format, `index` 0, or as a dictionary of them. *fits is false when
 * the values do not fit the format, with nothing done. */
static shoal_status try_format(shoal_ctx *ctx, shoal_i_leaving *leaving, bool *fits, char index,
                               const char *format)
{
    shoal_status st = SHOAL_OK;
    shoal_i_arrow_type type;
    void *elements = NULL;

    *fits = shoal_i_arrow_type_find(&type, format);
    if (!*fits) {
        return SHOAL_OK;
    }
    /* The offsets of a dictionary of texts reach all of it. */
    if (index && type.kind == SHOAL_I_ARROW_TEXT &&
        leaving->column.starts[leaving->column.value_count] > INT32_MAX) {
        format = "U";
        type.width = 8;
    }
    SHOAL_TRY(convert_all(ctx, &elements, fits, &type, &leaving->column));
    if (!*fits) {
        goto done;
    }
    if (!index) {
        leaving->type = type;
        leaving->elements = elements;
        elements = NULL;
        leaving->format = shoal_i_strdup(ctx, format);
        st = leaving->format ? SHOAL_OK : SHOAL_ENOMEM;
        goto done;
    }
    void *handed = elements;

    elements = NULL;
    SHOAL_TRY(make_values(ctx, leaving, &type, handed));
    SHOAL_TRY(make_indices(ctx, leaving, index));
    leaving->values_format = shoal_i_strdup(ctx, format);
    st = leaving->values_format ? SHOAL_OK : SHOAL_ENOMEM;
done:
    free(elements);
    return st;
}

static shoal_status try_default(shoal_ctx *ctx, shoal_i_leaving *leaving, bool *fits)
{
    switch (leaving->column.type) {
    case SHOAL_TYPE_INTEGER:
        return try_format(ctx, leaving, fits, 0, "l");
    case SHOAL_TYPE_REAL:
        return try_format(ctx, leaving, fits, 0, "g");
    case SHOAL_TYPE_DATE:
        return try_format(ctx, leaving, fits, 0, "tdD");
    default:
        return try_format(ctx, leaving, fits, 'c', "u");
    }
}

shoal_status shoal_i_leaving_open(shoal_ctx *ctx, shoal_i_leaving *leaving,
                                  const shoal_i_column *column)
{
    shoal_status st = SHOAL_OK;
    const char *origin = column->origin;
    bool has_index = origin && origin[0] && origin[1] == '>';
    bool fits = false;

    *leaving = (shoal_i_leaving){.column = *column};
    leaving->texts_size[0] = (int64_t)column->starts[column->value_count + 1];
    if (origin) {
        SHOAL_TRY(try_format(ctx, leaving, &fits, has_index ? origin[0] : '\0',
                             has_index ? origin + 2 : origin));
    }
    if (!fits) {
        SHOAL_TRY(try_default(ctx, leaving, &fits));
        assert(fits);
    }
done:
    return st;
}

void shoal_i_leaving_clear(shoal_i_leaving *leaving)
{
    free(leaving->format);
    free(leaving->values_format);
    free(leaving->elements);
    free(leaving->owned[0]);
    free(leaving->owned[1]);
    *leaving = (shoal_i_leaving){0};
}

/* --- Arrays. --- */

static bool is_missing_in(const shoal_i_leaving *leaving)
{
    return leaving->column.missing_count > 0;
}

static shoal_i_codes codes_of(const shoal_i_column *column)
{
    return (shoal_i_codes){.data = column->codes, .width = column->width};
}

size_t shoal_i_leaving_fit(const shoal_i_leaving *leaving, size_t first, size_t count)
{
    const shoal_i_column *column = &leaving->column;
    shoal_i_codes codes = codes_of(column);
    size_t size = 0;
    size_t length;

    if (leaving->type.kind != SHOAL_I_ARROW_TEXT || leaving->type.width == 8 || count == 0 ||
        column->starts[column->value_count + 1] <= INT32_MAX / count) {
        return count;
    }
    for (size_t i = 0; i < count; i++) {
        text_of(&length, column, shoal_i_codes_get(codes, first + i));
        size += length;
        if (size > INT32_MAX) {
            return i;
        }
    }
    return count;
}

/* One loop for each width of codes and of elements. */
#define GATHER_ALL(code_type, element_type)                                                    \
    do {                                                                                       \
        const code_type *code = (const code_type *)codes.data + first;                         \
        const element_type *from = leaving->elements;                                          \
        element_type *to = out;                                                                \
                                                                                               \
        for (size_t i = 0; i < count; i++) {                                                   \
            to[i] = from[code[i]];                                                             \
        }                                                                                      \
    } while (0)

#define GATHER(element_type)                                                                   \
    do {                                                                                       \
        if (codes.width == 1) {                                                                \
            GATHER_ALL(uint8_t, element_type);                                                 \
        } else if (codes.width == 2) {                                                         \
            GATHER_ALL(uint16_t, element_type);                                                \
        } else {                                                                               \
            GATHER_ALL(uint32_t, element_type);                                                \
        }                                                                                      \
    } while (0)

typedef struct wide16 {
    uint64_t words[2];
} wide16;

typedef struct wide32 {
    uint64_t words[4];
} wide32;

static void gather_elements(void *out, const shoal_i_leaving *leaving, size_t first,
                            size_t count)
{
    shoal_i_codes codes = codes_of(&leaving->column);

    switch (element_width(&leaving->type)) {
    case 1:
        GATHER(uint8_t);
        break;
    case 2:
        GATHER(uint16_t);
        break;
    case 4:
        GATHER(uint32_t);
        break;
    case 8:
        GATHER(uint64_t);
        break;
    case 16:
        GATHER(wide16);
        break;
    default:
        GATHER(wide32);
    }
}

/* Bit i is set where code i is not that of missing; how many are not. */
static size_t gather_validity(uint8_t *out, const shoal_i_leaving *leaving, size_t first,
                              size_t count)
{
    shoal_i_codes codes = codes_of(&leaving->column);
    uint32_t missing = leaving->column.value_count;
    size_t found = 0;

    for (size_t i = 0; i < count; i += 8) {
        unsigned bits = 0;

        for (size_t b = 0; b < 8 && i + b < count; b++) {
            unsigned has = shoal_i_codes_get(codes, first + i + b) != missing;

            bits |= has << b;
            found += has;
        }
        out[i / 8] = (uint8_t)bits;
    }
    return count - found;
}

static shoal_status gather_texts(shoal_ctx *ctx, shoal_i_leaving_array *out,
                                 const shoal_i_leaving *leaving, size_t first, size_t count)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_column *column = &leaving->column;
    shoal_i_codes codes = codes_of(column);
    unsigned width = leaving->type.width;
    char *offsets = NULL;
    char *bytes = NULL;
    int64_t end = 0;
    size_t length;

    offsets = shoal_i_alloc_raw(ctx, count + 1, width);
    out->owned[1] = offsets;
    if (!offsets) {
        return SHOAL_ENOMEM;
    }
    memcpy(offsets, &end, width);
    for (size_t i = 0; i < count; i++) {
        uint32_t code = shoal_i_codes_get(codes, first + i);

        text_of(&length, column, code);
        end += code < column->value_count ? (int64_t)length : 0;
        memcpy(offsets + (i + 1) * width, &end, width);
    }
    bytes = shoal_i_alloc_raw(ctx, (size_t)end, 1);
    out->owned[2] = bytes;
    if (!bytes) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t code = shoal_i_codes_get(codes, first + i);
        const char *text = text_of(&length, column, code);

        if (code < column->value_count) {
            memcpy(bytes, text, length);
            bytes += length;
        }
    }
    out->buffers[1] = offsets;
    out->buffers[2] = out->owned[2];
    return st;
}

static shoal_status gather_bits(shoal_ctx *ctx, shoal_i_leaving_array *out,
                                const shoal_i_leaving *leaving, size_t first, size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_codes codes = codes_of(&leaving->column);
    const char *elements = leaving->elements;
    uint8_t *bits = NULL;

    SHOAL_ALLOC(ctx, bits, shoal_i_bitset_bytes(count));
    for (size_t i = 0; i < count; i++) {
        if (elements[shoal_i_codes_get(codes, first + i)]) {
            shoal_i_bitset_add(bits, i);
        }
    }
    out->owned[1] = bits;
    out->buffers[1] = bits;
done:
    return st;
}

static shoal_status gather_data(shoal_ctx *ctx, shoal_i_leaving_array *out,
                                const shoal_i_leaving *leaving, size_t first, size_t count)
{
    const shoal_i_column *column = &leaving->column;
    size_t width = element_width(&leaving->type);

    if (leaving->values_format && width == column->width && !is_missing_in(leaving)) {
        out->buffers[1] = (const char *)column->codes + first * width;
        return SHOAL_OK;
    }
    out->owned[1] = shoal_i_alloc_aligned(ctx, count, width);
    if (!out->owned[1]) {
        return SHOAL_ENOMEM;
    }
    gather_elements(out->owned[1], leaving, first, count);
    out->buffers[1] = out->owned[1];
    return SHOAL_OK;
}

shoal_status shoal_i_leaving_gather(shoal_ctx *ctx, shoal_i_leaving_array *out,
                                    const shoal_i_leaving *leaving, size_t first, size_t count)
{
    shoal_status st = SHOAL_OK;
    uint8_t *validity = NULL;

    *out = (shoal_i_leaving_array){.buffer_count = shoal_i_arrow_buffer_count(&leaving->type)};
    if (leaving->type.kind == SHOAL_I_ARROW_NULL) {
        out->null_count = (int64_t)count;
        return SHOAL_OK;
    }
    if (is_missing_in(leaving)) {
        SHOAL_ALLOC(ctx, validity, shoal_i_bitset_bytes(count));
        out->owned[0] = validity;
        out->null_count = (int64_t)gather_validity(validity, leaving, first, count);
        out->buffers[0] = out->null_count > 0 ? validity : NULL;
    }
    switch (leaving->type.kind) {
    case SHOAL_I_ARROW_TEXT:
        SHOAL_TRY(gather_texts(ctx, out, leaving, first, count));
        break;
    case SHOAL_I_ARROW_BOOL:
        SHOAL_TRY(gather_bits(ctx, out, leaving, first, count));
        break;
    case SHOAL_I_ARROW_VIEW:
        SHOAL_TRY(gather_data(ctx, out, leaving, first, count));
        out->buffers[2] = leaving->column.texts;
        out->buffers[3] = leaving->texts_size;
        out->buffer_count = 4;
        break;
    default:
        SHOAL_TRY(gather_data(ctx, out, leaving, first, count));
    }
done:
    return st;
}

#include "arrow_view.h"

/* Elements up to which the size of a buffer fits in a pointer difference. */
#define ELEMENTS_MAX (PTRDIFF_MAX / (2 * SHOAL_I_ARROW_WIDTH_MAX))

static const char *check_shape(const shoal_i_arrow_type *type, const struct ArrowArray *array)
{
    int64_t buffers = shoal_i_arrow_buffer_count(type);

    if (array->length < 0 || array->offset < 0 || array->length > ELEMENTS_MAX ||
        array->offset > ELEMENTS_MAX - array->length) {
        return "has an array whose length or offset cannot be";
    }
    if (array->null_count < -1 || array->null_count > array->length) {
        return "has an array with more or fewer missing values than can be";
    }
    if (type->kind == SHOAL_I_ARROW_NULL) {
        return NULL;
    }
    if (type->kind == SHOAL_I_ARROW_VIEW ? array->n_buffers < buffers
                                         : array->n_buffers != buffers) {
        return "has an array with too many or too few buffers for its type";
    }
    if (!array->buffers) {
        return "has an array without buffers";
    }
    if (array->null_count > 0 && !array->buffers[0]) {
        return "has an array that tells of missing values, but not which ones";
    }
    return NULL;
}

static const char *open_text(shoal_i_arrow_view *view, const struct ArrowArray *array)
{
    view->offsets = array->buffers[1];
    view->data = array->buffers[2];
    if (view->length == 0) {
        return NULL;
    }
    if (!view->offsets) {
        return "has an array of texts without offsets";
    }
    view->end = shoal_i_arrow_view_offset(view, view->length);
    return view->end < 0 || (view->end > 0 && !view->data) ||
                   (uint64_t)view->end > (uint64_t)PTRDIFF_MAX
               ? "has offsets that do not ascend within its bytes"
               : NULL;
}

static const char *open_views(shoal_i_arrow_view *view, const struct ArrowArray *array)
{
    view->data = array->buffers[1];
    view->more = array->buffers + 2;
    view->more_count = array->n_buffers - 3;
    view->sizes = array->buffers[array->n_buffers - 1];
    if (view->more_count > 0 && !view->sizes) {
        return "has an array of texts whose sizes of buffers are not given";
    }
    return view->length > 0 && !view->data ? "has an array without data" : NULL;
}

const char *shoal_i_arrow_view_open(shoal_i_arrow_view *view, const shoal_i_arrow_type *type,
                                    const struct ArrowArray *array)
{
    const char *problem = check_shape(type, array);

    if (problem) {
        return problem;
    }
    *view = (shoal_i_arrow_view){
        .type = *type, .offset = (size_t)array->offset, .length = (size_t)array->length};
    if (type->kind == SHOAL_I_ARROW_NULL) {
        return NULL;
    }
    view->validity = array->buffers[0];
    if (type->kind == SHOAL_I_ARROW_TEXT) {
        return open_text(view, array);
    }
    if (type->kind == SHOAL_I_ARROW_VIEW) {
        return open_views(view, array);
    }
    view->data = array->buffers[1];
    return view->length > 0 && !view->data ? "has an array without data" : NULL;
}

/* One loop per type of element: the compiler makes vectors of them. */
#define LOAD(type)                                                                             \
    do {                                                                                       \
        for (size_t i = 0; i < count; i++) {                                                   \
            type element;                                                                      \
                                                                                               \
            memcpy(&element, data + i * sizeof element, sizeof element);                       \
            out[i] = element;                                                                  \
        }                                                                                      \
    } while (0)

static void load_bits(int64_t *out, const shoal_i_arrow_view *view, size_t first, size_t count)
{
    const uint8_t *bits = (const uint8_t *)view->data;

    for (size_t i = 0; i < count; i++) {
        out[i] = shoal_i_bitset_has(bits, view->offset + first + i);
    }
}

void shoal_i_arrow_view_integers(int64_t *out, const shoal_i_arrow_view *view, size_t first,
                                 size_t count)
{
    const shoal_i_arrow_type *type = &view->type;
    const char *data = view->data + (view->offset + first) * type->width;
    bool is_signed = type->kind != SHOAL_I_ARROW_INTEGER || type->is_signed;

    if (type->kind == SHOAL_I_ARROW_BOOL) {
        load_bits(out, view, first, count);
    } else if (type->width == 8) {
        memcpy(out, data, count * sizeof *out);
    } else if (type->width == 4 && is_signed) {
        LOAD(int32_t);
    } else if (type->width == 4) {
        LOAD(uint32_t);
    } else if (type->width == 2 && is_signed) {
        LOAD(int16_t);
    } else if (type->width == 2) {
        LOAD(uint16_t);
    } else if (is_signed) {
        LOAD(int8_t);
    } else {
        LOAD(uint8_t);
    }
}

void shoal_i_arrow_view_doubles(double *out, const shoal_i_arrow_view *view, size_t first,
                                size_t count)
{
    const char *data = view->data + (view->offset + first) * view->type.width;

    if (view->type.width == 8) {
        memcpy(out, data, count * sizeof *out);
    } else {
        LOAD(float);
    }
}

/* --- Texts. --- */

/* The text of a view: length, then the text itself or four bytes of it, the buffer it is in and
 * the offset there. */
static bool read_view(const char **text, size_t *length, size_t *readable,
                      const shoal_i_arrow_view *view, size_t i)
{
    size_t place = view->offset + i;
    const char *at = view->data + place * 16;
    int32_t parts[4];
    int64_t size;

    memcpy(parts, at, sizeof parts);
    if (parts[0] < 0) {
        return false;
    }
    *length = (size_t)parts[0];
    if (parts[0] <= SHOAL_I_ARROW_VIEW_SHORT) {
        *text = at + 4;
        *readable = (view->offset + view->length - place) * 16 - 4;
        return true;
    }
    if (parts[2] < 0 || parts[2] >= view->more_count || parts[3] < 0 || !view->more[parts[2]]) {
        return false;
    }
    memcpy(&size, view->sizes + (size_t)parts[2] * sizeof size, sizeof size);
    if (size < parts[3] || size - parts[3] < parts[0]) {
        return false;
    }
    *text = (const char *)view->more[parts[2]] + parts[3];
    *readable = (size_t)(size - parts[3]);
    return true;
}

bool shoal_i_arrow_view_text(const char **text, size_t *length, size_t *readable,
                             const shoal_i_arrow_view *view, size_t i)
{
    if (view->type.kind == SHOAL_I_ARROW_VIEW) {
        return read_view(text, length, readable, view, i);
    }
    int64_t start = shoal_i_arrow_view_offset(view, i);
    int64_t end = shoal_i_arrow_view_offset(view, i + 1);

    if (start < 0 || end < start || end > view->end) {
        return false;
    }
    *length = (size_t)(end - start);
    *readable = (size_t)(view->end - start);
    *text = view->data ? view->data + start : "";
    return true;
}

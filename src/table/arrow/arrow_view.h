/* arrow_view.h -- one array of Arrow's, checked, and where its elements lie.
 *
 * Everything that can be checked without knowing how long the buffers are is checked once, when
 * the view is opened; what the elements themselves refer to (offsets, views of texts) is
 * checked when they are read. Foreign memory is read by memcpy: nothing is said about its
 * alignment.
 */
#ifndef SHOAL_I_ARROW_VIEW_H
#define SHOAL_I_ARROW_VIEW_H

#include "arrow_type.h"

#include "../../base/bitset.h"

#include <string.h>

typedef struct shoal_i_arrow_view {
    shoal_i_arrow_type type;
    size_t offset;           /* of the first element, in all buffers */
    size_t length;           /* elements */
    const uint8_t *validity; /* NULL: all have a value */
    const char *data;        /* elements; of TEXT the bytes */
    const char *offsets;     /* TEXT */
    int64_t end;             /* TEXT: the last offset, as far as the bytes reach */
    const void **more;       /* VIEW: buffers of bytes */
    const char *sizes;       /* VIEW: of each of these, 64 bits */
    int64_t more_count;
} shoal_i_arrow_view;

/* Look at an array. NULL, or what is wrong with it: a clause behind "Column x". */
const char *shoal_i_arrow_view_open(shoal_i_arrow_view *view, const shoal_i_arrow_type *type,
                                    const struct ArrowArray *array);

static inline bool shoal_i_arrow_view_has(const shoal_i_arrow_view *view, size_t i)
{
    return view->type.kind != SHOAL_I_ARROW_NULL &&
           (!view->validity || shoal_i_bitset_has(view->validity, view->offset + i));
}

/* Elements of BOOL, INTEGER, DATE and INSTANT as 64 bits, those without a sign as they are; of
 * FLOAT as doubles. */
void shoal_i_arrow_view_integers(int64_t *out, const shoal_i_arrow_view *view, size_t first,
                                 size_t count);
void shoal_i_arrow_view_doubles(double *out, const shoal_i_arrow_view *view, size_t first,
                                size_t count);

/* The text of an element of TEXT or VIEW, and how many bytes from its start on may be read.
 * False when it lies outside its buffer. */
bool shoal_i_arrow_view_text(const char **text, size_t *length, size_t *readable,
                             const shoal_i_arrow_view *view, size_t i);

/* Offset i of TEXT. */
static inline int64_t shoal_i_arrow_view_offset(const shoal_i_arrow_view *view, size_t i)
{
    const char *at = view->offsets + (view->offset + i) * view->type.width;
    int64_t wide;
    int32_t narrow;

    if (view->type.width == 8) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

#endif /* SHOAL_I_ARROW_VIEW_H */

/* convert_hierarchy.c -- a hierarchy file in its other form, without a table: its values stand
 * in for the column. */
#include "hierarchy_lines.h"

#include "../base/entry.h"
#include "../base/file.h"

#include <string.h>

#define FILE_MAX ((size_t)1 << 30)

/* The values of a file, as an array of texts. */
typedef struct value_list {
    char *bytes;
    size_t used;
    int32_t *offsets;
    size_t count;
    size_t capacity;
} value_list;

static shoal_status add_value(shoal_ctx *ctx, value_list *list, const shoal_i_line_label *label)
{
    if (list->count + 1 >= list->capacity) {
        size_t capacity = list->capacity * 2 + 64;
        int32_t *offsets = shoal_i_realloc(ctx, list->offsets, capacity, sizeof *list->offsets);

        if (!offsets) {
            return SHOAL_ENOMEM;
        }
        list->offsets = offsets;
        list->capacity = capacity;
    }
    list->offsets[list->count++] = (int32_t)list->used;
    memcpy(list->bytes + list->used, label->text, label->length);
    list->used += label->length;
    list->offsets[list->count] = (int32_t)list->used;
    return SHOAL_OK;
}

/* Values are no longer than the file. */
static shoal_status list_values(shoal_ctx *ctx, value_list *list, bool *is_outline,
                                const char *bytes, size_t size, const char *source)
{
    shoal_status st = SHOAL_OK;
    char *copy = size > 0 ? shoal_i_strndup(ctx, bytes, size) : shoal_i_strdup(ctx, "");
    shoal_i_hierarchy_lines lines;

    if (!copy) {
        return SHOAL_ENOMEM;
    }
    SHOAL_ALLOC(ctx, list->bytes, size + 1);
    SHOAL_TRY(shoal_i_hierarchy_lines_start(ctx, &lines, copy, size, source));
    *is_outline = lines.is_outline;
    for (bool found = true;;) {
        SHOAL_TRY(shoal_i_hierarchy_lines_next(ctx, &found, &lines));
        if (!found) {
            break;
        }
        SHOAL_TRY(add_value(ctx, list, &lines.labels[0]));
    }
done:
    free(copy);
    return st;
}

static shoal_status make_table(shoal_ctx *ctx, shoal_table **out, const value_list *list)
{
    shoal_array array = {.name = "value",
                         .kind = SHOAL_ARRAY_UTF8,
                         .length = list->count,
                         .data = list->bytes,
                         .offsets32 = list->offsets};

    return shoal_table_from_arrays(ctx, out, &array, 1);
}

shoal_status shoal_hierarchy_convert(shoal_ctx *ctx, const char *from, const char *to)
{
    SHOAL_ENTER(ctx, from, to);
    shoal_status st = SHOAL_OK;
    char *bytes = NULL;
    size_t size = 0;
    value_list list = {0};
    bool is_outline = false;
    shoal_table *table = NULL;
    shoal_hierarchy *h = NULL;

    SHOAL_TRY(shoal_i_input_read_all(ctx, &bytes, &size, from, FILE_MAX));
    SHOAL_TRY(list_values(ctx, &list, &is_outline, bytes, size, from));
    if (list.count == 0) {
        shoal_i_fail(ctx, SHOAL_EFORMAT, "The hierarchy file is empty.");
        st = shoal_i_fail_in(ctx, from, 1, 0);
        goto done;
    }
    SHOAL_TRY(make_table(ctx, &table, &list));
    SHOAL_TRY(shoal_hierarchy_build_memory(ctx, &h, table, 0, bytes, size, from));
    SHOAL_TRY(is_outline ? shoal_hierarchy_write(ctx, h, to)
                         : shoal_hierarchy_write_outline(ctx, h, to));
done:
    free(bytes);
    free(list.bytes);
    free(list.offsets);
    shoal_table_free(table);
    shoal_hierarchy_free(h);
    return st;
}

/* Levels of a hierarchy within a spec file, a list for each value, made a table:
 *
 *     levels: [[nurse, services, "*"], [baker, trades, "*"], [null, "*"]]
 *
 * Lists may differ in length; the cells behind a shorter one have no value. null as the first
 * stands for missing values.
 */
#include "yaml_walk.h"

#include <stdio.h>
#include <string.h>

static const char expected[] =
    "a list of lists of labels, such as [[nurse, services, \"*\"], [baker, \"*\"]]";

typedef struct levels {
    size_t row_count;
    size_t column_count;
    shoal_array arrays[SHOAL_LEVELS_MAX];
    char names[SHOAL_LEVELS_MAX][16];
    int32_t *offsets[SHOAL_LEVELS_MAX];
    uint8_t *validity[SHOAL_LEVELS_MAX];
    char *bytes; /* of all columns; column by column */
} levels;

static void clear_levels(levels *l)
{
    for (size_t c = 0; c < SHOAL_LEVELS_MAX; c++) {
        free(l->offsets[c]);
        free(l->validity[c]);
    }
    free(l->bytes);
}

static bool is_null(const yaml_node_t *node)
{
    const char *text = shoal_i_yaml_text(node);

    return text && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (strcmp(text, "null") == 0 || strcmp(text, "~") == 0 || text[0] == '\0');
}

/* Whether it is a list of lists of texts; finds how many and how long, and the bytes of all.
 * *size is 0 after a mistake. */
static shoal_status measure(shoal_i_yaml *yaml, levels *l, size_t *size,
                            const yaml_node_t *value)
{
    size_t total = 1;

    *size = 0;
    l->row_count = value->type == YAML_SEQUENCE_NODE ? shoal_i_yaml_item_count(value) : 0;
    if (l->row_count == 0) {
        return shoal_i_yaml_judge_kind(yaml, value, expected);
    }
    for (size_t row = 0; row < l->row_count; row++) {
        const yaml_node_t *line = shoal_i_yaml_item(yaml, value, row);
        size_t count = line->type == YAML_SEQUENCE_NODE ? shoal_i_yaml_item_count(line) : 0;

        if (count < 2 || count > SHOAL_LEVELS_MAX) {
            return shoal_i_yaml_judge_kind(yaml, line,
                                           "a list of a value and 1 to 63 coarser labels");
        }
        l->column_count = count > l->column_count ? count : l->column_count;
        for (size_t c = 0; c < count; c++) {
            const yaml_node_t *cell = shoal_i_yaml_item(yaml, line, c);

            if (!shoal_i_yaml_text(cell)) {
                return shoal_i_yaml_judge_kind(yaml, cell, "a label");
            }
            total += cell->data.scalar.length + 1;
        }
        /* Aliases may repeat a list more often than a file has room for. */
        if (total > SHOAL_I_SPEC_SIZE_MAX) {
            return shoal_i_yaml_judge_kind(yaml, value, "levels of at most 1 MiB");
        }
    }
    *size = total;
    return SHOAL_OK;
}

static shoal_status fill_column(shoal_i_yaml *yaml, levels *l, size_t c,
                                const yaml_node_t *value, size_t *used)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(yaml->ctx, l->offsets[c], l->row_count + 1);
    SHOAL_ALLOC(yaml->ctx, l->validity[c], l->row_count / 8 + 1);
    l->offsets[c][0] = (int32_t)*used;
    for (size_t row = 0; row < l->row_count; row++) {
        const yaml_node_t *line = shoal_i_yaml_item(yaml, value, row);
        const yaml_node_t *cell =
            c < shoal_i_yaml_item_count(line) ? shoal_i_yaml_item(yaml, line, c) : NULL;

        if (cell && !is_null(cell)) {
            memcpy(l->bytes + *used, cell->data.scalar.value, cell->data.scalar.length);
            *used += cell->data.scalar.length;
            l->validity[c][row / 8] |= (uint8_t)(1U << row % 8);
        }
        l->offsets[c][row + 1] = (int32_t)*used;
    }
    snprintf(l->names[c], sizeof l->names[c], c == 0 ? "value" : "level %zu", c);
    l->arrays[c] = (shoal_array){.name = l->names[c],
                                 .kind = SHOAL_ARRAY_UTF8,
                                 .length = l->row_count,
                                 .data = l->bytes,
                                 .offsets32 = l->offsets[c],
                                 .validity = l->validity[c]};
done:
    return st;
}

shoal_status shoal_i_yaml_levels(shoal_i_yaml *yaml, const shoal_table **out,
                                 const yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;
    levels l = {0};
    shoal_table *table = NULL;
    size_t size = 0;
    size_t used = 0;

    SHOAL_TRY(measure(yaml, &l, &size, value));
    if (size == 0) {
        return SHOAL_OK; /* a mistake, which was taken down */
    }
    SHOAL_ALLOC(yaml->ctx, l.bytes, size);
    for (size_t c = 0; c < l.column_count; c++) {
        SHOAL_TRY(fill_column(yaml, &l, c, value, &used));
    }
    st = shoal_table_from_arrays(yaml->ctx, &table, l.arrays, l.column_count);
    SHOAL_TRY(shoal_i_yaml_judge(yaml, value, st));
    *out = table;
done:
    clear_levels(&l);
    return st;
}

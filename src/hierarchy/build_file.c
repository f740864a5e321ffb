/* build_file.c -- a hierarchy from a file of paths, one line per value, as ARX reads and writes
 * it; or from a table with a record per value, whose records are such lines.
 *
 * A line is read from its end: the root, then label by label down to the value. A label that
 * was seen before must be below the same label again; so the groups form a tree by
 * construction, and the line that breaks it is known. Values are kept apart from groups,
 * because a group may bear the name of one of its values.
 */
#include "hierarchy_lines.h"
#include "coverage.h"
#include "label_index.h"
#include "sketch.h"

#include "../base/entry.h"
#include "../base/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FILE_MAX ((size_t)1 << 30)
#define NONE SHOAL_I_NO_ENTRY

/* What a line says about one value. */
typedef struct entry {
    shoal_i_line_label label;
    uint32_t parent; /* node of the sketch */
} entry;

typedef struct builder {
    shoal_i_hierarchy_lines lines;
    shoal_i_sketch sketch;      /* groups, until all lines are read; then leaves too */
    shoal_i_label_index groups; /* label -> node of the sketch */
    int64_t *group_lines;       /* node -> the line that named it first */
    size_t group_capacity;
    uint32_t trail[SHOAL_LEVELS_MAX]; /* groups of the lines before, by depth; 0: none yet */
    entry *entries;
    size_t entry_count;
    size_t entry_capacity;
    shoal_i_label_index values; /* text -> entry */
    uint32_t missing_entry;     /* of a record without a value; NONE: there is none */
    uint32_t *entry_of_code;    /* NONE: no line has it */
} builder;

static void clear_builder(builder *b)
{
    shoal_i_sketch_clear(&b->sketch);
    shoal_i_label_index_clear(&b->groups);
    shoal_i_label_index_clear(&b->values);
    free(b->group_lines);
    free(b->entries);
    free(b->entry_of_code);
}

static const char *get_group_label(const void *owner, uint32_t node, size_t *length)
{
    const builder *b = owner;

    *length = strlen(b->sketch.labels[node]);
    return b->sketch.labels[node];
}

static const char *get_value_text(const void *owner, uint32_t number, size_t *length)
{
    const builder *b = owner;

    *length = b->entries[number].label.length;
    return b->entries[number].label.text;
}

/* A label for messages, in quotes, when values may be shown; else nothing. */
static const char *quote_label(const shoal_ctx *ctx, char out[64], const char *text)
{
    out[0] = '\0';
    if (ctx->show_values) {
        snprintf(out, 64, " \"%.*s\"", shoal_i_shown_length(text), text);
    }
    return out;
}

/* --- Groups. ------------------------------------------------------------------------------ */

static shoal_status reserve_group(shoal_ctx *ctx, builder *b)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_label_index_reserve(ctx, &b->groups, b->sketch.count + 1));
    if (b->sketch.count >= b->group_capacity) {
        size_t capacity = b->group_capacity * 2 + 64;
        int64_t *lines = shoal_i_realloc(ctx, b->group_lines, capacity, sizeof *b->group_lines);

        if (!lines) {
            return SHOAL_ENOMEM;
        }
        b->group_lines = lines;
        b->group_capacity = capacity;
    }
done:
    return st;
}

static void name_group(builder *b, uint32_t node, const shoal_i_line_label *label)
{
    uint32_t tag = shoal_i_label_tag(&b->groups, label->text, label->length);

    b->group_lines[node] = label->line;
    shoal_i_label_index_put(&b->groups, tag, label->text, label->length, node, get_group_label,
                            b);
}

static shoal_status add_group(shoal_ctx *ctx, uint32_t *node, builder *b, uint32_t parent,
                              const shoal_i_line_label *label)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(reserve_group(ctx, b));
    SHOAL_TRY(shoal_i_sketch_add(ctx, node, &b->sketch, parent, label->text, label->length));
    name_group(b, *node, label);
done:
    return st;
}

static shoal_status set_root(shoal_ctx *ctx, builder *b, const shoal_i_line_label *label)
{
    shoal_status st = SHOAL_OK;

    b->sketch.labels[0] = label->text;
    SHOAL_TRY(reserve_group(ctx, b));
    name_group(b, 0, label);
done:
    return st;
}

static shoal_status check_root(shoal_ctx *ctx, builder *b, const shoal_i_line_label *label)
{
    char shown[64];

    if (b->entry_count == 0) {
        return set_root(ctx, b, label);
    }
    if (strcmp(b->sketch.labels[0], label->text) == 0) {
        return SHOAL_OK;
    }
    const char *unit = b->lines.unit;

    return shoal_i_hierarchy_lines_fail(
        ctx, &b->lines, SHOAL_EFORMAT, label,
        "No common root: this %s ends in another label%s than %s %" PRId64
        "; every %s must end in the same one, such as *%s.",
        unit, quote_label(ctx, shown, label->text), unit, b->group_lines[0], unit,
        b->lines.levels ? "" : ", and there is no header line");
}

static shoal_status fail_two_parents(shoal_ctx *ctx, const builder *b, uint32_t node,
                                     const shoal_i_line_label *label)
{
    char shown[64];

    return shoal_i_hierarchy_lines_fail(
        ctx, &b->lines, SHOAL_EFORMAT, label,
        "Two parents: the label%s is below another label here than %s %s %" PRId64
        "; a label has one parent, so correct one of the %ss or rename one of the groups.",
        quote_label(ctx, shown, label->text), b->lines.levels ? "in" : "on", b->lines.unit,
        b->group_lines[node], b->lines.unit);
}

/* The group of a label below node, found or made. Lines that follow each other mostly share
 * their groups, so the one that the line before had at this depth is tried first. */
static shoal_status find_group(shoal_ctx *ctx, uint32_t *node, builder *b, size_t depth,
                               const shoal_i_line_label *label)
{
    uint32_t before = b->trail[depth];

    if (before != 0 && b->sketch.parents[before] == *node &&
        strcmp(b->sketch.labels[before], label->text) == 0) {
        *node = before;
        return SHOAL_OK;
    }
    uint32_t known =
        shoal_i_label_index_find(&b->groups, label->text, label->length, get_group_label, b);

    if (known == SHOAL_I_LABEL_NONE) {
        return add_group(ctx, node, b, *node, label);
    }
    if (known == 0 || b->sketch.parents[known] != *node) {
        return fail_two_parents(ctx, b, known, label);
    }
    *node = known;
    return SHOAL_OK;
}

/* Find or make the groups of the line read last; *parent is the one just above its value. */
static shoal_status follow_path(shoal_ctx *ctx, uint32_t *parent, builder *b)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_line_label *labels = b->lines.labels;
    uint32_t node = 0;
    size_t depth = 1;

    SHOAL_TRY(check_root(ctx, b, &labels[b->lines.count - 1]));
    for (size_t i = b->lines.count - 2; i > 0; i--) {
        if (strcmp(labels[i].text, b->sketch.labels[node]) == 0) {
            continue; /* a label repeated on the next level is the same group */
        }
        SHOAL_TRY(find_group(ctx, &node, b, depth, &labels[i]));
        b->trail[depth++] = node;
    }
    *parent = node;
done:
    return st;
}

/* --- Values. ------------------------------------------------------------------------------ */

static shoal_status reserve_entry(shoal_ctx *ctx, builder *b)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_label_index_reserve(ctx, &b->values, b->entry_count + 1));
    if (b->entry_count == b->entry_capacity) {
        size_t capacity = b->entry_capacity * 2 + 64;
        entry *entries = shoal_i_realloc(ctx, b->entries, capacity, sizeof *b->entries);

        if (!entries) {
            return SHOAL_ENOMEM;
        }
        b->entries = entries;
        b->entry_capacity = capacity;
    }
done:
    return st;
}

/* The code of a value of a line, missing included; NONE when the column lacks it. */
static uint32_t find_code(const builder *b, const shoal_i_line_label *label)
{
    const shoal_table *table = b->sketch.table;
    size_t column = b->sketch.column;
    size_t value_count = shoal_table_value_count(table, column);
    if (label->is_missing) {
        return b->sketch.code_count > value_count ? (uint32_t)value_count : NONE;
    }
    int64_t code = shoal_table_find_code(table, column, label->text, label->length);

    if (code >= 0 && (size_t)code < value_count) {
        return (uint32_t)code;
    }
    if (b->sketch.code_count > value_count) {
        const char *token = shoal_table_text(table, column, (uint32_t)value_count, NULL);

        return strcmp(token, label->text) == 0 ? (uint32_t)value_count : NONE;
    }
    return NONE;
}

static shoal_status check_same_path(shoal_ctx *ctx, const builder *b, uint32_t earlier,
                                    uint32_t parent, const shoal_i_line_label *label)
{
    char shown[64];

    if (b->entries[earlier].parent == parent) {
        return SHOAL_OK;
    }
    const char *unit = b->lines.unit;

    return shoal_i_hierarchy_lines_fail(ctx, &b->lines, SHOAL_EFORMAT, label,
                                        "The value%s of this %s is %s %s %" PRId64
                                        " too, with another path; keep one of the two %ss.",
                                        quote_label(ctx, shown, label->text), unit,
                                        b->lines.levels ? "in" : "on", unit,
                                        b->entries[earlier].label.line, unit);
}

/* The entry that has the value already; NONE: this is the first, and is known from now on. No
 * value is no text, also where a text is empty. */
static uint32_t note_value(builder *b, const shoal_i_line_label *label, uint32_t number)
{
    uint32_t earlier = b->missing_entry;

    if (label->is_missing) {
        b->missing_entry = earlier == NONE ? number : earlier;
        return earlier;
    }
    earlier = shoal_i_label_index_put(&b->values,
                                      shoal_i_label_tag(&b->values, label->text, label->length),
                                      label->text, label->length, number, get_value_text, b);
    return earlier == SHOAL_I_LABEL_NONE ? NONE : earlier;
}

static shoal_status add_value(shoal_ctx *ctx, builder *b, uint32_t parent)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_line_label *label = &b->lines.labels[0];
    uint32_t number = (uint32_t)b->entry_count;

    SHOAL_TRY(reserve_entry(ctx, b));
    uint32_t earlier = note_value(b, label, number);

    if (earlier != NONE) {
        return check_same_path(ctx, b, earlier, parent, label);
    }
    b->entries[b->entry_count++] = (entry){.label = *label, .parent = parent};
    uint32_t code = find_code(b, label);

    if (code == NONE) {
        return SHOAL_OK;
    }
    if (b->entry_of_code[code] != NONE) { /* two texts of one number, such as 7 and 7.0 */
        return check_same_path(ctx, b, b->entry_of_code[code], parent, label);
    }
    b->entry_of_code[code] = number;
done:
    return st;
}

static shoal_status fail_empty(shoal_ctx *ctx, const builder *b)
{
    if (b->lines.levels) {
        return shoal_i_fail(ctx, SHOAL_EFORMAT,
                            "The table of levels has no records; it needs one for each value.");
    }
    shoal_i_fail(ctx, SHOAL_EFORMAT,
                 "The hierarchy file is empty; it needs a line such as value;group;* for "
                 "each value.");
    return shoal_i_fail_in(ctx, b->lines.source, 1, 0);
}

static shoal_status read_lines(shoal_ctx *ctx, builder *b)
{
    shoal_status st = SHOAL_OK;

    for (bool found = true;;) {
        uint32_t parent = 0;

        if (b->entry_count % 4096 == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
        SHOAL_TRY(shoal_i_hierarchy_lines_next(ctx, &found, &b->lines));
        if (!found) {
            break;
        }
        SHOAL_TRY(follow_path(ctx, &parent, b));
        SHOAL_TRY(add_value(ctx, b, parent));
    }
    if (b->entry_count == 0) {
        st = fail_empty(ctx, b);
    }
done:
    return st;
}

/* --- Checks of the whole. ----------------------------------------------------------------- */

/* A released label must lead back to its group, so a value may share the label of a group only
 * when it is in it. */
static shoal_status check_value_label(shoal_ctx *ctx, const builder *b, const entry *e)
{
    uint32_t group = shoal_i_label_index_find(&b->groups, e->label.text, e->label.length,
                                              get_group_label, b);
    char shown[64];

    if (group == SHOAL_I_LABEL_NONE) {
        return SHOAL_OK;
    }
    uint32_t node = e->parent;

    while (node != group && node != 0) {
        node = b->sketch.parents[node];
    }
    if (node == group) {
        return SHOAL_OK;
    }
    return shoal_i_hierarchy_lines_fail(
        ctx, &b->lines, SHOAL_EFORMAT, &e->label,
        "The value%s of this %s has the label of a group that it is not in (%s %" PRId64
        "); rename the group.",
        quote_label(ctx, shown, e->label.text), b->lines.unit, b->lines.unit,
        b->group_lines[group]);
}

static shoal_status add_leaves(shoal_ctx *ctx, builder *b)
{
    shoal_status st = SHOAL_OK;
    size_t used = 0;

    for (uint32_t code = 0; code < b->sketch.code_count; code++) {
        uint32_t number = b->entry_of_code[code];

        if (number != NONE) {
            SHOAL_TRY(check_value_label(ctx, b, &b->entries[number]));
            SHOAL_TRY(
                shoal_i_sketch_add_leaf(ctx, &b->sketch, code, b->entries[number].parent));
            used++;
        }
    }
    if (used < b->entry_count) {
        shoal_i_log(
            ctx, SHOAL_LOG_DEBUG,
            "%zu of the %zu values of %s do not occur in column \"%s\" and are left out.",
            b->entry_count - used, b->entry_count,
            b->lines.levels ? "the table of levels" : b->lines.source,
            shoal_table_name(b->sketch.table, b->sketch.column));
    }
done:
    return st;
}

/* From lines that were started. */
static shoal_status build_from(shoal_ctx *ctx, shoal_hierarchy **out, const shoal_table *table,
                               size_t column, const shoal_i_hierarchy_lines *lines)
{
    shoal_status st = SHOAL_OK;
    builder b = {.lines = *lines, .missing_entry = NONE};

    *out = NULL;
    SHOAL_TRY(shoal_i_sketch_start(ctx, &b.sketch, table, column));
    SHOAL_ALLOC(ctx, b.entry_of_code, b.sketch.code_count);
    memset(b.entry_of_code, 0xFF, b.sketch.code_count * sizeof *b.entry_of_code);
    SHOAL_TRY(read_lines(ctx, &b));
    SHOAL_TRY(shoal_i_check_coverage(ctx, table, column, b.entry_of_code, &b.lines));
    SHOAL_TRY(add_leaves(ctx, &b));
    SHOAL_TRY(shoal_i_sketch_build(ctx, out, &b.sketch));
done:
    clear_builder(&b);
    return st;
}

/* From bytes that may be changed and have room for a NUL behind them. */
static shoal_status build_from_bytes(shoal_ctx *ctx, shoal_hierarchy **out,
                                     const shoal_table *table, size_t column, char *bytes,
                                     size_t size, const char *source)
{
    shoal_status st = SHOAL_OK;
    shoal_i_hierarchy_lines lines;

    SHOAL_TRY(shoal_i_hierarchy_lines_start(ctx, &lines, bytes, size, source));
    SHOAL_TRY(build_from(ctx, out, table, column, &lines));
done:
    return st;
}

shoal_status shoal_hierarchy_build_file(shoal_ctx *ctx, shoal_hierarchy **out,
                                        const shoal_table *table, size_t column,
                                        const char *path)
{
    SHOAL_ENTER_FOR(ctx, out, table, path);
    SHOAL_NEED_COLUMN(ctx, table, column);
    shoal_status st = SHOAL_OK;
    char *bytes = NULL;
    size_t size = 0;

    SHOAL_TRY(shoal_i_input_read_all(ctx, &bytes, &size, path, FILE_MAX));
    SHOAL_TRY(build_from_bytes(ctx, out, table, column, bytes, size, path));
done:
    free(bytes);
    return st;
}

shoal_status shoal_hierarchy_build_memory(shoal_ctx *ctx, shoal_hierarchy **out,
                                          const shoal_table *table, size_t column,
                                          const char *bytes, size_t size, const char *source)
{
    SHOAL_ENTER_FOR(ctx, out, table, source);
    SHOAL_NEED_COLUMN(ctx, table, column);
    shoal_status st = SHOAL_OK;
    char *copy = NULL;

    SHOAL_TRY(shoal_i_check_bytes(ctx, bytes, size));
    copy = size > 0 ? shoal_i_strndup(ctx, bytes, size) : shoal_i_strdup(ctx, "");
    if (!copy) {
        return SHOAL_ENOMEM;
    }
    SHOAL_TRY(build_from_bytes(ctx, out, table, column, copy, size, source));
done:
    free(copy);
    return st;
}

shoal_status shoal_hierarchy_build_table(shoal_ctx *ctx, shoal_hierarchy **out,
                                         const shoal_table *table, size_t column,
                                         const shoal_table *levels)
{
    SHOAL_ENTER_FOR(ctx, out, table, levels);
    SHOAL_NEED_COLUMN(ctx, table, column);
    shoal_status st = SHOAL_OK;
    shoal_i_hierarchy_lines lines;

    SHOAL_TRY(shoal_i_hierarchy_lines_start_table(ctx, &lines, levels));
    SHOAL_TRY(build_from(ctx, out, table, column, &lines));
done:
    return st;
}

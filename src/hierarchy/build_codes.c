/* build_codes.c -- a hierarchy over codes whose groups are known (codes.h). */
#include "codes.h"
#include "coverage.h"
#include "sketch.h"

#include "../base/entry.h"

#include <string.h>

const char *shoal_hierarchy_codes_name(size_t i)
{
    size_t count = 0;

    while (shoal_i_code_systems[count].name) {
        count++;
    }
    return i < count ? shoal_i_code_systems[i].name : NULL;
}

const char *shoal_hierarchy_codes_help(size_t i)
{
    return shoal_hierarchy_codes_name(i) ? shoal_i_code_systems[i].help : NULL;
}

static shoal_status fail_unknown(shoal_ctx *ctx, const shoal_table *table, size_t column,
                                 const shoal_i_code_system *system, uint32_t *entries,
                                 size_t unknown)
{
    char list[SHOAL_MESSAGE_MAX - 400];
    size_t first = 0;
    size_t listed =
        shoal_i_list_uncovered(ctx, list, sizeof list, &first, table, column, entries);

    return shoal_i_fail_at(
        ctx, SHOAL_EFORMAT, (int64_t)first, (int64_t)column,
        "%zu of the %zu values of column \"%.60s\" %s not among the %s (%s%s); correct %s, "
        "read %s as "
        "missing (`missing.tokens`), or put %s into a group of %s own by `%s:other`%s.",
        unknown, shoal_table_value_count(table, column), shoal_table_name(table, column),
        unknown == 1 ? "is" : "are", system->codes, list, unknown > listed ? ", ..." : "",
        unknown == 1 ? "it" : "them", unknown == 1 ? "it" : "them",
        unknown == 1 ? "it" : "them", unknown == 1 ? "its" : "their", system->name,
        ctx->show_values ? "" : " (`show_values` names them)");
}

/* Draw the codes that are known; entries[code] is SHOAL_I_NO_ENTRY for the others. */
static shoal_status draw_known(shoal_ctx *ctx, size_t *unknown, shoal_i_sketch *sketch,
                               const shoal_i_code_system *system, uint32_t *entries)
{
    shoal_status st = SHOAL_OK;
    size_t values = shoal_table_value_count(sketch->table, sketch->column);
    shoal_i_code_groups groups;

    *unknown = 0;
    for (uint32_t code = 0; code < values; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(sketch->table, sketch->column, code, &length);
        uint32_t node = 0;

        if (!system->find(&groups, text, length)) {
            entries[code] = SHOAL_I_NO_ENTRY;
            ++*unknown;
            continue;
        }
        for (size_t i = 0; i < groups.count; i++) {
            SHOAL_TRY(shoal_i_sketch_descend(ctx, &node, sketch, groups.labels[i],
                                             strlen(groups.labels[i])));
        }
        SHOAL_TRY(shoal_i_sketch_add_leaf(ctx, sketch, code, node));
    }
done:
    return st;
}

/* Those that are not known, in a group below the root. */
static shoal_status draw_unknown(shoal_ctx *ctx, shoal_i_sketch *sketch, const char *other,
                                 const uint32_t *entries)
{
    shoal_status st = SHOAL_OK;
    size_t values = shoal_table_value_count(sketch->table, sketch->column);
    uint32_t node = 0;

    if (shoal_i_sketch_has_group(sketch, other)) {
        return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)sketch->column,
                               "The group of codes that are not known needs a name of its own; "
                               "\"%.40s\" is one of the others of column \"%.200s\".",
                               other, shoal_table_name(sketch->table, sketch->column));
    }
    SHOAL_TRY(shoal_i_sketch_add(ctx, &node, sketch, 0, other, strlen(other)));
    for (uint32_t code = 0; code < values; code++) {
        if (entries[code] == SHOAL_I_NO_ENTRY) {
            SHOAL_TRY(shoal_i_sketch_add_leaf(ctx, sketch, code, node));
        }
    }
done:
    return st;
}

static shoal_status find_system(shoal_ctx *ctx, const shoal_i_code_system **out,
                                const char *name, const char *other)
{
    *out = shoal_i_code_system_find(name, strlen(name));
    if (!*out) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "There is no system of codes \"%.40s\".", name);
    }
    if (other && (other[0] == '\0' || strcmp(other, "*") == 0)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The group of codes that are not known needs a name of its own.");
    }
    return SHOAL_OK;
}

shoal_status shoal_hierarchy_build_codes(shoal_ctx *ctx, shoal_hierarchy **out,
                                         const shoal_table *table, size_t column,
                                         const char *system, const char *other)
{
    SHOAL_ENTER_FOR(ctx, out, table, system);
    SHOAL_NEED_COLUMN(ctx, table, column);
    shoal_status st = SHOAL_OK;
    shoal_i_sketch sketch = {0};
    uint32_t *entries = NULL;
    size_t unknown = 0;
    const shoal_i_code_system *known = NULL;

    SHOAL_TRY(find_system(ctx, &known, system, other));
    SHOAL_TRY(shoal_i_sketch_start(ctx, &sketch, table, column));
    SHOAL_ALLOC(ctx, entries, sketch.code_count);
    SHOAL_TRY(draw_known(ctx, &unknown, &sketch, known, entries));
    if (unknown > 0 && !other) {
        SHOAL_TRY(fail_unknown(ctx, table, column, known, entries, unknown));
    }
    if (unknown > 0) {
        SHOAL_TRY(draw_unknown(ctx, &sketch, other, entries));
    }
    SHOAL_TRY(shoal_i_sketch_build(ctx, out, &sketch));
done:
    free(entries);
    shoal_i_sketch_clear(&sketch);
    return st;
}

#include "hierarchy_plan.h"

#include "../base/text.h"
#include "../hierarchy/codes.h"
#include "../hierarchy/sketch.h"
#include "../hierarchy/tree.h"
#include "../table/table_hold.h"

#include <string.h>

/* Count the numbers of a list, separators one less. */
static size_t count_items(const char *text, const char *separators)
{
    size_t count = 1;

    for (; *text; text++) {
        count += strchr(separators, *text) != NULL;
    }
    return count;
}

static shoal_status parse_number(shoal_ctx *ctx, double *out, const char *text, size_t length,
                                 const char *what)
{
    if (!shoal_i_text_to_double(out, text, length)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "%s are numbers; got \"%.*s\".", what,
                            (int)(length < 40 ? length : 40), text);
    }
    return SHOAL_OK;
}

/* Numbers separated by commas and semicolons; *starts, when asked for, marks where each run
 * between semicolons begins. */
static shoal_status parse_numbers(shoal_ctx *ctx, shoal_i_hierarchy_plan *plan,
                                  shoal_i_arena *arena, const char *text, const char *what)
{
    shoal_status st = SHOAL_OK;
    size_t count = count_items(text, ",;");
    size_t levels = count_items(text, ";");
    double *numbers = shoal_i_arena_alloc(ctx, arena, count, sizeof *numbers);
    size_t *starts = shoal_i_arena_alloc(ctx, arena, levels + 1, sizeof *starts);
    size_t level = 0;

    if (!numbers || !starts) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        size_t length = strcspn(text, ",;");

        SHOAL_TRY(parse_number(ctx, &numbers[i], text, length, what));
        text += length;
        if (*text != ',') {
            starts[++level] = i + 1;
        }
        text += *text != '\0';
    }
    plan->numbers = numbers;
    plan->number_count = count;
    plan->starts = starts;
    plan->level_count = levels;
done:
    return st;
}

shoal_status shoal_i_hierarchy_plan_parse_prefix(shoal_ctx *ctx, shoal_i_hierarchy_plan *plan,
                                                 const char *length)
{
    int64_t count = 0;

    if (!shoal_i_text_to_int64(&count, length, strlen(length)) || count < 1 ||
        count >= SHOAL_LEVELS_MAX) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "A prefix hierarchy masks 1 to %d characters; got \"%.40s\".",
                            SHOAL_LEVELS_MAX - 1, length);
    }
    plan->kind = SHOAL_I_PLAN_PREFIX;
    plan->length = (size_t)count;
    return SHOAL_OK;
}

shoal_status shoal_i_hierarchy_plan_parse_separators(shoal_ctx *ctx,
                                                     shoal_i_hierarchy_plan *plan,
                                                     shoal_i_arena *arena, const char *text)
{
    if (!shoal_i_are_separators(text)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "Separators are 1 to 16 characters that are no letters, digits or "
                            "asterisks; got \"%.40s\".",
                            text);
    }
    plan->separators = shoal_i_arena_text(ctx, arena, text, strlen(text));
    return plan->separators ? SHOAL_OK : SHOAL_ENOMEM;
}

/* What follows "prefix": "[:N][@SEPARATORS]" */
static shoal_status parse_prefix(shoal_ctx *ctx, shoal_i_hierarchy_plan *plan,
                                 shoal_i_arena *arena, const char *text)
{
    shoal_status st = SHOAL_OK;
    size_t length = strcspn(text, "@");

    plan->kind = SHOAL_I_PLAN_PREFIX;
    if (length > 0) {
        char *number = shoal_i_arena_text(ctx, arena, text + 1, length - 1);

        if (!number) {
            return SHOAL_ENOMEM;
        }
        SHOAL_TRY(shoal_i_hierarchy_plan_parse_prefix(ctx, plan, number));
    }
    if (text[length] == '@') {
        SHOAL_TRY(shoal_i_hierarchy_plan_parse_separators(ctx, plan, arena, text + length + 1));
    }
done:
    return st;
}

/* "5,10,20[@ORIGIN]" */
static shoal_status parse_widths(shoal_ctx *ctx, shoal_i_hierarchy_plan *plan,
                                 shoal_i_arena *arena, const char *text)
{
    shoal_status st = SHOAL_OK;
    size_t length = strcspn(text, "@");
    char *widths = shoal_i_arena_text(ctx, arena, text, length);

    if (!widths) {
        return SHOAL_ENOMEM;
    }
    if (strchr(widths, ';')) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "Widths are one list, separated by commas; got a semicolon.");
    }
    if (text[length] == '@') {
        const char *origin = text + length + 1;

        SHOAL_TRY(parse_number(ctx, &plan->origin, origin, strlen(origin), "Origins"));
    }
    SHOAL_TRY(parse_numbers(ctx, plan, arena, widths, "Widths"));
    plan->kind = SHOAL_I_PLAN_WIDTHS;
done:
    return st;
}

static shoal_status parse_breaks(shoal_ctx *ctx, shoal_i_hierarchy_plan *plan,
                                 shoal_i_arena *arena, const char *text)
{
    plan->kind = SHOAL_I_PLAN_BREAKS;
    return parse_numbers(ctx, plan, arena, text, "Breaks");
}

/* The rest of text behind prefix, or NULL. */
static const char *find_rest(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* "prefix", "prefix:..." or "prefix@..." */
static bool is_prefix(const char *text)
{
    const char *rest = find_rest(text, "prefix");

    return rest && (*rest == '\0' || *rest == ':' || *rest == '@');
}

shoal_status shoal_i_hierarchy_plan_resolve(shoal_ctx *ctx, const char **out,
                                            shoal_i_arena *arena, const char *folder,
                                            const char *path)
{
    bool is_relative = folder && folder[0] && path[0] != '/';
    size_t before = is_relative ? strlen(folder) + 1 : 0;
    size_t length = strlen(path);
    char *joined = shoal_i_arena_alloc(ctx, arena, before + length + 1, 1);

    if (!joined) {
        return SHOAL_ENOMEM;
    }
    if (is_relative) {
        memcpy(joined, folder, before - 1);
        joined[before - 1] = '/';
    }
    memcpy(joined + before, path, length);
    *out = joined;
    return SHOAL_OK;
}

static shoal_status parse_path(shoal_ctx *ctx, shoal_i_hierarchy_plan *plan,
                               shoal_i_arena *arena, const char *folder, const char *path)
{
    if (path[0] == '\0') {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "A hierarchy is a file, flat, prefix[:N][@SEPARATORS], "
                            "dates, widths:LIST, "
                            "breaks:LISTS or a system of codes such as icd10; got nothing.");
    }
    plan->kind = SHOAL_I_PLAN_FILE;
    return shoal_i_hierarchy_plan_resolve(ctx, &plan->path, arena, folder, path);
}

/* "icd10[:OTHER]"; *is_codes tells whether it is one. */
static shoal_status parse_codes(shoal_ctx *ctx, bool *is_codes, shoal_i_hierarchy_plan *plan,
                                shoal_i_arena *arena, const char *text)
{
    size_t length = strcspn(text, ":");
    const shoal_i_code_system *system = shoal_i_code_system_find(text, length);

    *is_codes = system != NULL;
    if (!system) {
        return SHOAL_OK;
    }
    plan->kind = SHOAL_I_PLAN_CODES;
    plan->codes = system->name;
    if (text[length] == '\0') {
        return SHOAL_OK;
    }
    if (strcmp(text + length, ":") == 0 || strcmp(text + length, ":*") == 0) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "The group of codes that are not known has a name of its own, as in "
            "%s:other; got \"%.40s\".",
            system->name, text);
    }
    plan->other = shoal_i_arena_text(ctx, arena, text + length + 1, strlen(text + length + 1));
    return plan->other ? SHOAL_OK : SHOAL_ENOMEM;
}

shoal_status shoal_i_hierarchy_plan_parse(shoal_ctx *ctx, shoal_i_hierarchy_plan *out,
                                          shoal_i_arena *arena, const char *folder,
                                          const char *text)
{
    shoal_status st = SHOAL_OK;
    shoal_i_hierarchy_plan plan = {0};
    const char *rest = NULL;
    bool is_codes = false;

    SHOAL_TRY(parse_codes(ctx, &is_codes, &plan, arena, text));
    if (is_codes) {
        /* as it was read */
    } else if (strcmp(text, "flat") == 0) {
        plan.kind = SHOAL_I_PLAN_FLAT;
    } else if (strcmp(text, "dates") == 0) {
        plan.kind = SHOAL_I_PLAN_DATES;
    } else if (is_prefix(text)) {
        SHOAL_TRY(parse_prefix(ctx, &plan, arena, text + strlen("prefix")));
    } else if ((rest = find_rest(text, "widths:")) != NULL) {
        SHOAL_TRY(parse_widths(ctx, &plan, arena, rest));
    } else if ((rest = find_rest(text, "breaks:")) != NULL) {
        SHOAL_TRY(parse_breaks(ctx, &plan, arena, rest));
    } else {
        SHOAL_TRY(parse_path(ctx, &plan, arena, folder, text));
    }
    *out = plan;
done:
    return st;
}

void shoal_i_hierarchy_plan_replace(shoal_i_hierarchy_plan *plan,
                                    const shoal_i_hierarchy_plan *other)
{
    shoal_i_table_drop(plan->levels);
    *plan = *other;
}

static shoal_status build_bare(shoal_ctx *ctx, shoal_hierarchy **out,
                               const shoal_i_hierarchy_plan *plan, const shoal_table *table,
                               size_t column)
{
    switch (plan->kind) {
    case SHOAL_I_PLAN_FLAT:
        return shoal_hierarchy_build_flat(ctx, out, table, column);
    case SHOAL_I_PLAN_FILE:
        return shoal_hierarchy_build_file(ctx, out, table, column, plan->path);
    case SHOAL_I_PLAN_PREFIX:
        return plan->separators
                   ? shoal_hierarchy_build_parts(ctx, out, table, column, plan->separators,
                                                 plan->length)
                   : shoal_hierarchy_build_prefix(ctx, out, table, column, plan->length);
    case SHOAL_I_PLAN_DATES:
        return shoal_hierarchy_build_dates(ctx, out, table, column);
    case SHOAL_I_PLAN_WIDTHS:
        return shoal_hierarchy_build_widths(ctx, out, table, column, plan->origin,
                                            plan->numbers, plan->number_count);
    case SHOAL_I_PLAN_BREAKS:
        return shoal_hierarchy_build_breaks(ctx, out, table, column, plan->numbers,
                                            plan->starts, plan->level_count);
    case SHOAL_I_PLAN_TABLE:
        return shoal_hierarchy_build_table(ctx, out, table, column, plan->levels);
    case SHOAL_I_PLAN_CODES:
        return shoal_hierarchy_build_codes(ctx, out, table, column, plan->codes, plan->other);
    case SHOAL_I_PLAN_NONE:
        break;
    }
    return SHOAL_OK;
}

shoal_status shoal_i_hierarchy_plan_build(shoal_ctx *ctx, shoal_hierarchy **out,
                                          const shoal_i_hierarchy_plan *plan,
                                          const shoal_table *table, size_t column)
{
    shoal_status st = SHOAL_OK;
    shoal_hierarchy *hierarchy = NULL;

    *out = NULL;
    SHOAL_TRY(build_bare(ctx, &hierarchy, plan, table, column));
    if (plan->weight_count > 0) {
        SHOAL_TRY(
            shoal_i_hierarchy_set_weights(ctx, hierarchy, plan->weights, plan->weight_count));
    }
    *out = hierarchy;
    hierarchy = NULL;
done:
    shoal_hierarchy_free(hierarchy);
    return st;
}

static void describe_numbers(const shoal_i_hierarchy_plan *plan, shoal_i_buffer *out)
{
    char text[SHOAL_I_NUMBER_MAX];

    for (size_t level = 0; level < plan->level_count; level++) {
        for (size_t i = plan->starts[level]; i < plan->starts[level + 1]; i++) {
            shoal_i_text_from_double(text, plan->numbers[i]);
            shoal_i_buffer_printf(out, "%s%s",
                                  i == 0                     ? ""
                                  : i == plan->starts[level] ? ";"
                                                             : ",",
                                  text);
        }
    }
}

static void describe_widths(const shoal_i_hierarchy_plan *plan, shoal_i_buffer *out)
{
    char origin[SHOAL_I_NUMBER_MAX];

    shoal_i_buffer_text(out, "widths:");
    describe_numbers(plan, out);
    if (plan->origin != 0) {
        shoal_i_text_from_double(origin, plan->origin);
        shoal_i_buffer_printf(out, "@%s", origin);
    }
}

void shoal_i_hierarchy_plan_describe(const shoal_i_hierarchy_plan *plan, shoal_i_buffer *out)
{
    switch (plan->kind) {
    case SHOAL_I_PLAN_FLAT:
        shoal_i_buffer_text(out, "flat");
        break;
    case SHOAL_I_PLAN_FILE:
        shoal_i_buffer_text(out, plan->path);
        break;
    case SHOAL_I_PLAN_PREFIX:
        shoal_i_buffer_text(out, "prefix");
        if (plan->length > 0) {
            shoal_i_buffer_printf(out, ":%zu", plan->length);
        }
        if (plan->separators) {
            shoal_i_buffer_printf(out, "@%s", plan->separators);
        }
        break;
    case SHOAL_I_PLAN_DATES:
        shoal_i_buffer_text(out, "dates");
        break;
    case SHOAL_I_PLAN_WIDTHS:
        describe_widths(plan, out);
        break;
    case SHOAL_I_PLAN_BREAKS:
        shoal_i_buffer_text(out, "breaks:");
        describe_numbers(plan, out);
        break;
    case SHOAL_I_PLAN_TABLE:
        shoal_i_buffer_text(out, "from a table");
        break;
    case SHOAL_I_PLAN_CODES:
        shoal_i_buffer_printf(out, "%s%s%s", plan->codes, plan->other ? ":" : "",
                              plan->other ? plan->other : "");
        break;
    case SHOAL_I_PLAN_NONE:
        shoal_i_buffer_text(out, "none");
        break;
    }
}

void shoal_i_hierarchy_plan_put(shoal_i_buffer *out, const shoal_i_hierarchy_plan *plan)
{
    static const char *const words[] = {"flat", "dates"};
    bool is_word = plan->kind == SHOAL_I_PLAN_FILE &&
                   (shoal_i_code_system_find(plan->path, strcspn(plan->path, ":")) ||
                    is_prefix(plan->path) || find_rest(plan->path, "widths:") ||
                    find_rest(plan->path, "breaks:"));

    for (size_t i = 0; plan->kind == SHOAL_I_PLAN_FILE && i < sizeof words / sizeof *words;
         i++) {
        is_word = is_word || strcmp(plan->path, words[i]) == 0;
    }
    if (is_word) {
        shoal_i_buffer_text(out, "./");
    }
    shoal_i_hierarchy_plan_describe(plan, out);
}

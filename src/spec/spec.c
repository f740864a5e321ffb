#include "spec.h"

#include "../base/hash.h"
#include "../table/table_hold.h"
#include "setting.h"

#include <string.h>

shoal_status shoal_spec_new(shoal_ctx *ctx, shoal_spec **out)
{
    SHOAL_ENTER(ctx, out);

    *out = shoal_i_alloc(ctx, 1, sizeof **out);
    if (!*out) {
        return SHOAL_ENOMEM;
    }
    **out = shoal_i_spec_standard;
    return SHOAL_OK;
}

void shoal_spec_free(shoal_spec *spec)
{
    if (spec) {
        for (size_t i = 0; i < spec->column_count; i++) {
            shoal_i_table_drop(spec->columns[i].plan.levels);
            shoal_i_table_drop(spec->columns[i].populations.levels);
        }
        shoal_i_table_drop(spec->population_table);
        shoal_i_arena_clear(&spec->arena);
        free(spec->columns);
        free(spec->slots);
        free(spec);
    }
}

/* The slot that holds the name, or the free one where it belongs. */
static size_t find_slot(const shoal_spec *spec, const char *name)
{
    size_t mask = spec->slot_count - 1;
    size_t slot = (size_t)shoal_i_hash_bytes(&spec->hash_key, name, strlen(name)) & mask;

    while (spec->slots[slot] && strcmp(spec->columns[spec->slots[slot] - 1].name, name) != 0) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

shoal_i_spec_column *shoal_i_spec_find_column(const shoal_spec *spec, const char *name)
{
    if (spec->slot_count == 0) {
        return NULL;
    }
    uint32_t index = spec->slots[find_slot(spec, name)];

    if (index) {
        return &spec->columns[index - 1];
    }
    for (size_t i = 0; spec->renamed_count > 0 && i < spec->column_count; i++) {
        if (spec->columns[i].original && strcmp(spec->columns[i].original, name) == 0) {
            return &spec->columns[i];
        }
    }
    return NULL;
}

bool shoal_i_spec_renames(const shoal_spec *spec)
{
    return spec->renamed_count > 0;
}

shoal_status shoal_i_spec_rename(shoal_ctx *ctx, shoal_spec *spec, shoal_i_spec_column *column,
                                 const char *name)
{
    const shoal_i_spec_column *other = shoal_i_spec_find_column(spec, name);

    if (name[0] == '\0' || strpbrk(name, "\r\n")) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The new name of a column is a text of one line, and not empty.");
    }
    if (other && other != column) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "The column \"%.200s\" cannot be renamed to \"%.200s\": another one "
            "is called so.",
            shoal_i_spec_original(column), name);
    }
    char *copy = shoal_i_arena_text(ctx, &spec->arena, name, strlen(name));

    if (!copy) {
        return SHOAL_ENOMEM;
    }
    column->original = shoal_i_spec_original(column);
    column->name = copy;
    spec->renamed_count++;
    memset(spec->slots, 0, spec->slot_count * sizeof *spec->slots);
    for (size_t i = 0; i < spec->column_count; i++) {
        spec->slots[find_slot(spec, spec->columns[i].name)] = (uint32_t)i + 1;
    }
    return SHOAL_OK;
}

/* Make room for one more column, and keep the slots less than half full. */
static shoal_status grow_columns(shoal_ctx *ctx, shoal_spec *spec)
{
    if (spec->column_count < spec->column_capacity) {
        return SHOAL_OK;
    }
    size_t capacity = spec->column_capacity ? spec->column_capacity * 2 : 16;
    shoal_i_spec_column *columns =
        shoal_i_realloc(ctx, spec->columns, capacity, sizeof *columns);

    if (!columns) {
        return SHOAL_ENOMEM;
    }
    spec->columns = columns;

    uint32_t *slots = shoal_i_alloc(ctx, capacity * 4, sizeof *slots);

    if (!slots) {
        return SHOAL_ENOMEM;
    }
    if (spec->slot_count == 0) {
        spec->hash_key = ctx->hash_key;
    }
    free(spec->slots);
    spec->slots = slots;
    spec->slot_count = capacity * 4;
    spec->column_capacity = capacity;
    for (size_t i = 0; i < spec->column_count; i++) {
        spec->slots[find_slot(spec, columns[i].name)] = (uint32_t)i + 1;
    }
    return SHOAL_OK;
}

shoal_status shoal_i_spec_add_column(shoal_ctx *ctx, shoal_spec *spec, const char *name,
                                     shoal_i_spec_column **out)
{
    shoal_status st = SHOAL_OK;

    *out = shoal_i_spec_find_column(spec, name);
    if (*out && strcmp(shoal_i_spec_original(*out), name) != 0) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "\"%.200s\" is the new name of the column \"%.200s\"; what is said of a "
                     "column is said by the name that it has in the file.",
                     name, (*out)->original);
        *out = NULL;
        return SHOAL_EINVAL;
    }
    if (*out) {
        return SHOAL_OK;
    }
    if (name[0] == '\0') {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "A column has an empty name.");
    }
    SHOAL_TRY(grow_columns(ctx, spec));

    char *copy = shoal_i_arena_text(ctx, &spec->arena, name, strlen(name));

    if (!copy) {
        return SHOAL_ENOMEM;
    }
    spec->columns[spec->column_count] =
        (shoal_i_spec_column){.name = copy, .type = SHOAL_TYPE_AUTO, .weight = 1.0};
    spec->slots[find_slot(spec, copy)] = (uint32_t)spec->column_count + 1;
    *out = &spec->columns[spec->column_count++];
done:
    return st;
}

static shoal_status set_role(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                             shoal_role role)
{
    shoal_status st = SHOAL_OK;
    shoal_i_spec_column *target = NULL;

    SHOAL_TRY(shoal_i_spec_add_column(ctx, spec, column, &target));
    if (target->role_by_flag && target->role != role) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The column \"%.200s\" has two roles, %s and %s; give it one.",
                            column, shoal_role_name(target->role), shoal_role_name(role));
    }
    target->role = role;
    target->has_role = true;
    target->role_by_flag = true;
done:
    return st;
}

shoal_status shoal_spec_set_role(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                 shoal_role role)
{
    SHOAL_ENTER(ctx, spec, column);

    return set_role(ctx, spec, column, role);
}

shoal_status shoal_i_spec_column_assign(shoal_ctx *ctx, shoal_spec *spec,
                                        shoal_i_spec_column *column, const char *key,
                                        const char *text, const char *folder)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_setting *s = shoal_i_column_setting_find(key);
    size_t word = 0;

    if (strcmp(key, "hierarchy") == 0 || strcmp(key, "populations") == 0) {
        shoal_i_hierarchy_plan plan = {0};

        SHOAL_TRY(shoal_i_hierarchy_plan_parse(ctx, &plan, &spec->arena, folder, text));
        shoal_i_hierarchy_plan_replace(
            strcmp(key, "hierarchy") == 0 ? &column->plan : &column->populations, &plan);
        return SHOAL_OK;
    }
    if (strcmp(key, "weight") == 0) {
        return shoal_i_setting_parse_number(ctx, &column->weight, s, text, NULL);
    }
    if (strcmp(key, "grid") == 0) {
        return shoal_i_grid_read(&column->grid, text)
                   ? SHOAL_OK
                   : shoal_i_fail(ctx, SHOAL_EINVAL, "%s %s; got \"%.40s\".", s->subject,
                                  s->range, text);
    }
    if (s >= shoal_i_column_settings + SHOAL_I_COLUMN_FACTS) {
        return shoal_i_column_text_assign(ctx, spec, column, s, text);
    }
    SHOAL_TRY(shoal_i_parse_word(ctx, &word, s->subject, text, s->words));
    if (strcmp(key, "role") == 0) {
        column->has_role = shoal_role_find(&column->role, text);
    } else {
        shoal_type_find(&column->type, text);
    }
done:
    return st;
}

static shoal_status set_column(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                               const char *key, const char *value)
{
    shoal_status st = SHOAL_OK;
    shoal_i_spec_column *target = NULL;

    SHOAL_TRY(shoal_i_spec_add_column(ctx, spec, column, &target));
    SHOAL_TRY(shoal_i_spec_column_assign(ctx, spec, target, key, value, NULL));
done:
    return st;
}

shoal_status shoal_spec_set_type(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                 const char *type)
{
    SHOAL_ENTER(ctx, spec, column, type);

    return set_column(ctx, spec, column, "type", type);
}

shoal_status shoal_spec_set_weight(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                   const char *weight)
{
    SHOAL_ENTER(ctx, spec, column, weight);

    return set_column(ctx, spec, column, "weight", weight);
}

/* A hierarchy or a grid, which are held against the values when those are read. */
static shoal_status set_form(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                             const char *key, const char *value)
{
    shoal_status st = set_column(ctx, spec, column, key, value);

    if (st == SHOAL_OK) {
        /* What is wrong with it is not at the line of a file that says otherwise. */
        shoal_i_spec_find_column(spec, column)->place = (shoal_i_place){0};
    }
    return st;
}

bool shoal_i_spec_has_coarsest(const shoal_spec *spec)
{
    for (size_t i = 0; i < spec->column_count; i++) {
        if (spec->columns[i].texts[SHOAL_I_COLUMN_COARSEST]) {
            return true;
        }
    }
    return false;
}

shoal_status shoal_spec_set_hierarchy(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                      const char *hierarchy)
{
    SHOAL_ENTER(ctx, spec, column, hierarchy);

    return set_form(ctx, spec, column, "hierarchy", hierarchy);
}

shoal_status shoal_spec_set_column(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                   const char *key, const char *value)
{
    SHOAL_ENTER(ctx, spec, column, key, value);
    shoal_role role = SHOAL_ROLE_INSENSITIVE;

    if (!shoal_i_column_setting_find(key)) {
        return shoal_i_fail_column_setting(ctx, key);
    }
    if (strcmp(key, "role") == 0 && shoal_role_find(&role, value)) {
        return set_role(ctx, spec, column, role);
    }
    return strcmp(key, "hierarchy") == 0 || strcmp(key, "grid") == 0
               ? set_form(ctx, spec, column, key, value)
               : set_column(ctx, spec, column, key, value);
}

shoal_status shoal_spec_set_hierarchy_table(shoal_ctx *ctx, shoal_spec *spec,
                                            const char *column, const shoal_table *levels)
{
    SHOAL_ENTER(ctx, spec, column, levels);
    shoal_status st = SHOAL_OK;
    shoal_i_spec_column *target = NULL;
    shoal_i_hierarchy_plan plan = {.kind = SHOAL_I_PLAN_TABLE, .levels = levels};

    SHOAL_TRY(shoal_i_spec_add_column(ctx, spec, column, &target));
    shoal_i_table_hold(levels);
    shoal_i_hierarchy_plan_replace(&target->plan, &plan);
    target->place = (shoal_i_place){0};
done:
    return st;
}

shoal_status shoal_spec_set_population_table(shoal_ctx *ctx, shoal_spec *spec,
                                             const shoal_table *population)
{
    SHOAL_ENTER(ctx, spec, population);

    shoal_i_table_hold(population);
    shoal_i_table_drop(spec->population_table);
    spec->population_table = population;
    spec->population = NULL;
    return SHOAL_OK;
}

shoal_i_grid shoal_i_spec_grid(const shoal_spec *spec, const shoal_i_spec_column *column,
                               shoal_type type)
{
    bool is_general = !column || column->grid.unit == SHOAL_I_GRID_UNSET;
    shoal_i_grid grid = is_general ? spec->grid : column->grid;
    bool has_ranges =
        type != SHOAL_TYPE_STRING && (!column || column->plan.kind == SHOAL_I_PLAN_NONE);

    if (!has_ranges || !shoal_i_grid_is_set(&grid) ||
        !shoal_i_grid_fits(&grid, type == SHOAL_TYPE_DATE)) {
        return (shoal_i_grid){0};
    }
    return grid;
}

bool shoal_i_spec_has_grid(const shoal_spec *spec)
{
    bool has = shoal_i_grid_is_set(&spec->grid);

    for (size_t i = 0; i < spec->column_count; i++) {
        has = has || shoal_i_grid_is_set(&spec->columns[i].grid);
    }
    return has;
}

bool shoal_i_spec_has_population(const shoal_spec *spec)
{
    return spec->population || spec->population_table;
}

const char *shoal_i_spec_population_name(const shoal_spec *spec)
{
    return spec->population ? spec->population : "from a table";
}

shoal_status shoal_spec_set_populations(shoal_ctx *ctx, shoal_spec *spec, const char *column,
                                        const char *hierarchy)
{
    SHOAL_ENTER(ctx, spec, column, hierarchy);

    return set_column(ctx, spec, column, "populations", hierarchy);
}

shoal_status shoal_i_spec_add_request(shoal_ctx *ctx, shoal_spec *spec,
                                      const shoal_i_requirement_request *request)
{
    if (spec->request_count == SHOAL_I_REQUIREMENTS_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "At most %d requirements can be combined.",
                            SHOAL_I_REQUIREMENTS_MAX);
    }
    spec->requests[spec->request_count++] = *request;
    return SHOAL_OK;
}

void shoal_i_spec_forget_requests(shoal_spec *spec, const char *key, bool of_files_only)
{
    size_t kept = 0;

    for (size_t i = 0; i < spec->request_count; i++) {
        const shoal_i_requirement_request *request = &spec->requests[i];
        bool is_of_key = strcmp(request->kind->key, key) == 0;

        if (!is_of_key || (of_files_only && !request->place.source)) {
            spec->requests[kept++] = *request;
        }
    }
    spec->request_count = kept;
}

bool shoal_i_spec_reads_sensitive(const shoal_spec *spec)
{
    bool reads = false;

    for (size_t i = 0; i < spec->request_count; i++) {
        reads = reads || spec->requests[i].kind->needs_sensitive;
    }
    return reads;
}

bool shoal_i_spec_reads_population(const shoal_spec *spec)
{
    bool reads = false;

    for (size_t i = 0; i < spec->request_count; i++) {
        reads = reads || spec->requests[i].kind->needs_population;
    }
    return reads;
}

bool shoal_i_spec_is_undecided(const shoal_spec *spec, const char *name)
{
    const shoal_i_spec_column *column = shoal_i_spec_find_column(spec, name);
    bool is_k = spec->k_column && strcmp(spec->k_column, name) == 0;

    return !(column && column->has_role) && !is_k;
}

const shoal_i_spec_column *shoal_i_spec_person(const shoal_spec *spec)
{
    for (size_t i = 0; i < spec->column_count; i++) {
        if (spec->columns[i].has_role && spec->columns[i].role == SHOAL_ROLE_PERSON) {
            return &spec->columns[i];
        }
    }
    return NULL;
}

bool shoal_i_spec_has_role(const shoal_spec *spec, shoal_role role)
{
    for (size_t i = 0; i < spec->column_count; i++) {
        if (spec->columns[i].has_role && spec->columns[i].role == role) {
            return true;
        }
    }
    return false;
}

shoal_i_chosen shoal_i_spec_method(const shoal_spec *spec)
{
    shoal_i_chosen chosen = {spec->method, spec->method_settings};

    if (!chosen.method) {
        chosen =
            (shoal_i_chosen){shoal_i_methods[0], shoal_i_method_defaults(shoal_i_methods[0])};
    }
    for (size_t i = 0; spec->has_effort && chosen.method->options[i].name; i++) {
        if (strcmp(chosen.method->options[i].name, "effort") == 0) {
            chosen.settings.values[i] = (double)spec->effort;
        }
    }
    return chosen;
}

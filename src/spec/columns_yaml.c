/* The part of a spec file under `columns`: roles, types, weights and hierarchies. */
#include "yaml_walk.h"

#include "../hierarchy/codes.h"

#include <stdio.h>
#include <string.h>

#define WORD_LONGEST 20
#define WORDS_LONGEST 120

/* A role, a type or a weight. */
static shoal_status read_fact(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                              yaml_node_t *value)
{
    const char *text = shoal_i_yaml_text(value);

    if (!text) {
        return shoal_i_yaml_judge_kind(yaml, value, self->expected);
    }
    return shoal_i_yaml_judge(yaml, value,
                              shoal_i_spec_column_assign(yaml->ctx, yaml->spec, target,
                                                         self->name, text, yaml->folder));
}

/* A list of words, as the text that options have for it: "blanks,case". */
static shoal_status read_words(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                               yaml_node_t *value)
{
    char joined[WORDS_LONGEST] = "";
    size_t length = 0;

    if (value->type != YAML_SEQUENCE_NODE) {
        return read_fact(yaml, target, self, value);
    }
    for (size_t i = 0; i < shoal_i_yaml_item_count(value); i++) {
        const char *word = shoal_i_yaml_text(shoal_i_yaml_item(yaml, value, i));

        if (!word) {
            return shoal_i_yaml_judge_kind(yaml, value, self->expected);
        }
        length += (size_t)snprintf(joined + length, sizeof joined - length, "%s%.*s",
                                   i > 0 ? "," : "", WORD_LONGEST, word);
        if (length >= sizeof joined - WORD_LONGEST - 1) {
            break; /* more than there are, so one of them is wrong */
        }
    }
    return length == 0 ? shoal_i_yaml_judge_kind(yaml, value, self->expected)
                       : shoal_i_yaml_judge(yaml, value,
                                            shoal_i_spec_column_assign(yaml->ctx, yaml->spec,
                                                                       target, self->name,
                                                                       joined, yaml->folder));
}

/* --- Hierarchies. ----------------------------------------------------------------------- */

/* A plan has one kind; a second one is a mistake. */
static shoal_status choose_kind(shoal_i_yaml *yaml, shoal_i_hierarchy_plan *plan,
                                shoal_i_hierarchy_plan_kind kind, const yaml_node_t *node)
{
    if (plan->kind != SHOAL_I_PLAN_NONE) {
        shoal_i_fail(yaml->ctx, SHOAL_EFORMAT,
                     "A hierarchy is made in one way; this is a second.");
        return shoal_i_yaml_judge(yaml, node, SHOAL_EFORMAT);
    }
    plan->kind = kind;
    return SHOAL_OK;
}

static shoal_status read_file(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                              yaml_node_t *value)
{
    shoal_i_hierarchy_plan *plan = target;
    const char *text = shoal_i_yaml_text(value);

    (void)self;
    if (!text || text[0] == '\0') {
        return shoal_i_yaml_judge_kind(yaml, value, "the path of a file");
    }
    shoal_status st = shoal_i_hierarchy_plan_resolve(yaml->ctx, &plan->path, &yaml->spec->arena,
                                                     yaml->folder, text);

    return st == SHOAL_OK ? choose_kind(yaml, plan, SHOAL_I_PLAN_FILE, value) : st;
}

static shoal_status read_prefix(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                yaml_node_t *value)
{
    shoal_i_hierarchy_plan *plan = target;
    shoal_i_hierarchy_plan parsed = {0};
    const char *text = shoal_i_yaml_text(value);

    (void)self;
    if (!text) {
        return shoal_i_yaml_judge_kind(yaml, value, "a number of characters");
    }
    shoal_status status = shoal_i_hierarchy_plan_parse_prefix(yaml->ctx, &parsed, text);

    if (status != SHOAL_OK) {
        return shoal_i_yaml_judge(yaml, value, status);
    }
    plan->length = parsed.length;
    return choose_kind(yaml, plan, SHOAL_I_PLAN_PREFIX, value);
}

/* separators: "." ; without prefix as many characters as the longest first part has */
static shoal_status read_separators(shoal_i_yaml *yaml, void *target,
                                    const shoal_i_yaml_key *self, yaml_node_t *value)
{
    const char *text = shoal_i_yaml_text(value);

    return text ? shoal_i_yaml_judge(yaml, value,
                                     shoal_i_hierarchy_plan_parse_separators(
                                         yaml->ctx, target, &yaml->spec->arena, text))
                : shoal_i_yaml_judge_kind(yaml, value, self->expected);
}

/* codes: icd10 */
static shoal_status read_codes(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                               yaml_node_t *value)
{
    shoal_i_hierarchy_plan *plan = target;
    const char *text = shoal_i_yaml_text(value);
    const shoal_i_code_system *system =
        text ? shoal_i_code_system_find(text, strlen(text)) : NULL;

    if (!text) {
        return shoal_i_yaml_judge_kind(yaml, value, self->expected);
    }
    if (!system) {
        shoal_i_fail(yaml->ctx, SHOAL_EFORMAT, "Expected %s; got \"%.40s\".", self->expected,
                     text);
        return shoal_i_yaml_judge(yaml, value, SHOAL_EFORMAT);
    }
    plan->codes = system->name;
    return choose_kind(yaml, plan, SHOAL_I_PLAN_CODES, value);
}

/* other: the group of codes that are not known */
static shoal_status read_other(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                               yaml_node_t *value)
{
    shoal_i_hierarchy_plan *plan = target;
    const char *text = shoal_i_yaml_text(value);

    if (!text || text[0] == '\0' || strcmp(text, "*") == 0) {
        return shoal_i_yaml_judge_kind(yaml, value, self->expected);
    }
    plan->other = shoal_i_arena_text(yaml->ctx, &yaml->spec->arena, text, strlen(text));
    return plan->other ? SHOAL_OK : SHOAL_ENOMEM;
}

static shoal_status read_numbers(shoal_i_yaml *yaml, double *out, const yaml_node_t *list)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < shoal_i_yaml_item_count(list); i++) {
        SHOAL_TRY(shoal_i_yaml_number(yaml, &out[i], shoal_i_yaml_item(yaml, list, i)));
    }
done:
    return st;
}

/* Room for the numbers of a plan and the starts of its levels. */
static shoal_status make_room(shoal_i_yaml *yaml, double **numbers, size_t number_count,
                              size_t **starts, size_t level_count)
{
    shoal_i_arena *arena = &yaml->spec->arena;

    *numbers = shoal_i_arena_alloc(yaml->ctx, arena, number_count, sizeof **numbers);
    *starts = shoal_i_arena_alloc(yaml->ctx, arena, level_count + 1, sizeof **starts);
    return *numbers && *starts ? SHOAL_OK : SHOAL_ENOMEM;
}

static shoal_status read_widths(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;
    shoal_i_hierarchy_plan *plan = target;
    size_t count = value->type == YAML_SEQUENCE_NODE ? shoal_i_yaml_item_count(value) : 0;
    double *numbers = NULL;
    size_t *starts = NULL;

    (void)self;
    if (count == 0 || count >= SHOAL_LEVELS_MAX) {
        return shoal_i_yaml_judge_kind(yaml, value,
                                       "a list of 1 to 63 widths, such as [5, 10, 20]");
    }
    SHOAL_TRY(make_room(yaml, &numbers, count, &starts, 1));
    SHOAL_TRY(read_numbers(yaml, numbers, value));
    starts[1] = count;
    plan->numbers = numbers;
    plan->number_count = count;
    plan->starts = starts;
    plan->level_count = 1;
    SHOAL_TRY(choose_kind(yaml, plan, SHOAL_I_PLAN_WIDTHS, value));
done:
    return st;
}

static shoal_status read_origin(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                yaml_node_t *value)
{
    shoal_i_hierarchy_plan *plan = target;

    (void)self;
    return shoal_i_yaml_number(yaml, &plan->origin, value);
}

/* How many numbers a list of lists holds; 0, after a mistake, when it is none or too long. */
static shoal_status count_breaks(shoal_i_yaml *yaml, size_t *out, const yaml_node_t *value)
{
    const char *const expected = "a list of lists of breaks, such as [[18, 40, 65], [40]]";
    size_t levels = value->type == YAML_SEQUENCE_NODE ? shoal_i_yaml_item_count(value) : 0;
    size_t total = 0;

    *out = 0;
    if (levels == 0 || levels >= SHOAL_LEVELS_MAX) {
        return shoal_i_yaml_judge_kind(yaml, value, expected);
    }
    for (size_t i = 0; i < levels; i++) {
        const yaml_node_t *level = shoal_i_yaml_item(yaml, value, i);
        size_t count = level->type == YAML_SEQUENCE_NODE ? shoal_i_yaml_item_count(level) : 0;

        if (count == 0 || count > SHOAL_I_PLAN_NUMBERS_MAX - total) {
            return shoal_i_yaml_judge_kind(yaml, level, expected);
        }
        total += count;
    }
    *out = total;
    return SHOAL_OK;
}

static shoal_status read_breaks(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;
    shoal_i_hierarchy_plan *plan = target;
    size_t count = 0;
    double *numbers = NULL;
    size_t *starts = NULL;

    (void)self;
    SHOAL_TRY(count_breaks(yaml, &count, value));
    if (count == 0) {
        return SHOAL_OK;
    }
    size_t levels = shoal_i_yaml_item_count(value);

    SHOAL_TRY(make_room(yaml, &numbers, count, &starts, levels));
    for (size_t i = 0; i < levels; i++) {
        const yaml_node_t *level = shoal_i_yaml_item(yaml, value, i);

        SHOAL_TRY(read_numbers(yaml, numbers + starts[i], level));
        starts[i + 1] = starts[i] + shoal_i_yaml_item_count(level);
    }
    plan->numbers = numbers;
    plan->number_count = count;
    plan->starts = starts;
    plan->level_count = levels;
    SHOAL_TRY(choose_kind(yaml, plan, SHOAL_I_PLAN_BREAKS, value));
done:
    return st;
}

/* levels: [[nurse, services, "*"], ...] */
static shoal_status read_levels(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;
    shoal_i_hierarchy_plan *plan = target;

    (void)self;
    if (!plan->levels) {
        SHOAL_TRY(shoal_i_yaml_levels(yaml, &plan->levels, value));
    }
    if (plan->levels) {
        SHOAL_TRY(choose_kind(yaml, plan, SHOAL_I_PLAN_TABLE, value));
    }
done:
    return st;
}

/* weights: {label: weight, ...} */
static shoal_status read_weights(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                 yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;
    shoal_i_hierarchy_plan *plan = target;
    shoal_i_yaml_pair pair;
    shoal_i_arena *arena = &yaml->spec->arena;

    (void)self;
    if (value->type != YAML_MAPPING_NODE ||
        shoal_i_yaml_pair_count(value) > SHOAL_I_PLAN_WEIGHTS_MAX) {
        return shoal_i_yaml_judge_kind(yaml, value,
                                       "a mapping of at most 4096 labels to weights");
    }
    size_t count = shoal_i_yaml_pair_count(value);
    shoal_group_weight *weights = shoal_i_arena_alloc(yaml->ctx, arena, count, sizeof *weights);

    if (!weights) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(shoal_i_yaml_pair_read(yaml, &pair, value, i));
        SHOAL_TRY(shoal_i_yaml_number(yaml, &weights[i].weight, pair.value));

        const char *label = pair.name ? pair.name : "";

        weights[i].label = shoal_i_arena_text(yaml->ctx, arena, label, strlen(label));
        if (!weights[i].label) {
            return SHOAL_ENOMEM;
        }
    }
    plan->weights = weights;
    plan->weight_count = count;
done:
    return st;
}

static shoal_status read_plan(shoal_i_yaml *yaml, shoal_i_hierarchy_plan *plan,
                              yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {
        {"file", read_file, NULL},
        {"prefix", read_prefix, NULL},
        {"widths", read_widths, NULL},
        {"origin", read_origin, NULL},
        {"breaks", read_breaks, NULL},
        {"levels", read_levels, NULL},
        {"separators", read_separators, "the signs that values are cut at, such as \".\""},
        {"codes", read_codes, "a system of codes: icd10, countries, nuts or isco"},
        {"other", read_other, "the name of a group"},
        {"weights", read_weights, NULL},
    };
    shoal_status st = SHOAL_OK;
    size_t mistakes = yaml->mistakes.count;

    SHOAL_TRY(shoal_i_yaml_mapping(yaml, plan, value, keys, sizeof keys / sizeof *keys));
    if (plan->kind == SHOAL_I_PLAN_NONE && plan->separators) {
        plan->kind = SHOAL_I_PLAN_PREFIX;
    }
    if (plan->separators && plan->kind != SHOAL_I_PLAN_PREFIX) {
        shoal_i_fail(yaml->ctx, SHOAL_EFORMAT, "separators goes with prefix.");
        SHOAL_TRY(shoal_i_yaml_judge(yaml, value, SHOAL_EFORMAT));
    }
    if (plan->kind == SHOAL_I_PLAN_NONE && yaml->mistakes.count == mistakes) {
        shoal_i_fail(yaml->ctx, SHOAL_EFORMAT,
                     "A hierarchy needs one of the keys file, prefix, widths, breaks, codes "
                     "and levels.");
        SHOAL_TRY(shoal_i_yaml_judge(yaml, value, SHOAL_EFORMAT));
    }
    if (plan->other && plan->kind != SHOAL_I_PLAN_CODES && yaml->mistakes.count == mistakes) {
        shoal_i_fail(yaml->ctx, SHOAL_EFORMAT, "other goes with codes.");
        SHOAL_TRY(shoal_i_yaml_judge(yaml, value, SHOAL_EFORMAT));
    }
done:
    return st;
}

/* hierarchy, populations: job.csv, or flat, dates, prefix; or a mapping */
static shoal_status read_hierarchy(shoal_i_yaml *yaml, void *target,
                                   const shoal_i_yaml_key *self, yaml_node_t *value)
{
    shoal_i_spec_column *column = target;
    shoal_i_hierarchy_plan plan = {0};
    shoal_status st = SHOAL_OK;

    if (shoal_i_yaml_text(value)) {
        return read_fact(yaml, target, self, value);
    }
    if (value->type != YAML_MAPPING_NODE) {
        return shoal_i_yaml_judge_kind(yaml, value, self->expected);
    }
    st = read_plan(yaml, &plan, value);
    shoal_i_hierarchy_plan_replace(
        strcmp(self->name, "populations") == 0 ? &column->populations : &column->plan, &plan);
    return st;
}

/* --- Columns. --------------------------------------------------------------------------- */

/* age: quasi, or age: {role: quasi, type: integer, weight: 2} */
static shoal_status read_column(shoal_i_yaml *yaml, shoal_i_spec_column *column,
                                yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {
        {"role", read_fact, "a role"},
        {"type", read_fact, "a type"},
        {"weight", read_fact, "a number"},
        {"grid", read_fact, "a step"},
        {"hierarchy", read_hierarchy, "a file, a word or a mapping"},
        {"populations", read_hierarchy, "a file, a word or a mapping"},
        {"date_format", read_fact, "a format of dates"},
        {"decimal", read_fact, "a decimal mark"},
        {"thousands", read_fact, "a sign"},
        {"top", read_fact, "a number"},
        {"bottom", read_fact, "a number"},
        {"round", read_fact, "a number"},
        {"truncate", read_fact, "a number of characters"},
        {"generalize", read_fact, "a level"},
        {"coarsest", read_fact, "a level"},
        {"rename", read_fact, "a name"},
        {"same", read_words, "a list of words"},
        {"rare", read_fact, "a number of records"},
    };

    if (value->type == YAML_SCALAR_NODE) {
        return read_fact(yaml, column, &keys[0], value);
    }
    return shoal_i_yaml_mapping(yaml, column, value, keys, sizeof keys / sizeof *keys);
}

shoal_status shoal_i_yaml_columns(shoal_i_yaml *yaml, void *target,
                                  const shoal_i_yaml_key *self, yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;
    shoal_i_yaml_pair pair;

    (void)target;
    (void)self;
    if (value->type != YAML_MAPPING_NODE) {
        return shoal_i_yaml_judge_kind(yaml, value, "a mapping of column names");
    }
    for (size_t i = 0; i < shoal_i_yaml_pair_count(value); i++) {
        shoal_i_spec_column *column = NULL;

        SHOAL_TRY(shoal_i_yaml_pair_read(yaml, &pair, value, i));
        if (!pair.name) {
            continue;
        }
        st = shoal_i_spec_add_column(yaml->ctx, yaml->spec, pair.name, &column);
        SHOAL_TRY(shoal_i_yaml_judge(yaml, pair.key, st));
        if (column && column->place.source == yaml->source) {
            SHOAL_TRY(shoal_i_yaml_judge_twice(yaml, pair.key, pair.name));
        } else if (column) {
            column->place = shoal_i_yaml_place(yaml, pair.key->start_mark);
            SHOAL_TRY(read_column(yaml, column, pair.value));
        }
    }
done:
    return st;
}

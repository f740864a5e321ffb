/* The keys of a spec file: a level of the file for each dot in the keys of the table of
 * settings. Columns (columns_yaml.c), requirements (requirement_request_yaml.c) and sweeps
 * (sweep_yaml.c) have forms of their own. */
#include "yaml_walk.h"

#include "setting.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define PATH_MOST 64

/* --- Values. ------------------------------------------------------------------------------ */

/* The texts of a list; *out is NULL, after a mistake, when there are other items. */
static shoal_status read_texts(shoal_i_yaml *yaml, const char ***out,
                               const shoal_i_setting_type *type, const yaml_node_t *list)
{
    shoal_status st = SHOAL_OK;
    size_t mistakes = yaml->mistakes.count;
    const char **texts = NULL;

    SHOAL_ALLOC(yaml->ctx, texts, shoal_i_yaml_item_count(list));
    for (size_t i = 0; i < shoal_i_yaml_item_count(list); i++) {
        const yaml_node_t *item = shoal_i_yaml_item(yaml, list, i);

        texts[i] = shoal_i_yaml_text(item);
        if (!texts[i]) {
            SHOAL_TRY(shoal_i_yaml_judge_kind(yaml, item,
                                              type->item ? type->item : "a single value"));
        }
    }
    if (yaml->mistakes.count == mistakes) {
        *out = texts;
        texts = NULL;
    }
done:
    free(texts);
    return st;
}

/* What a file has for a setting, in words. */
static const char *name_form(const shoal_i_setting *s)
{
    return s->type == &shoal_i_type_texts ? s->range
           : s->type->in_files            ? s->type->in_files
                                          : "a single value";
}

static shoal_status read_list(shoal_i_yaml *yaml, const shoal_i_setting *s,
                              shoal_i_setting_given *given, const yaml_node_t *list)
{
    shoal_status st = SHOAL_OK;
    const char **texts = NULL;
    bool is_adding = s->type->form == SHOAL_I_FORM_ADDING;
    size_t count = shoal_i_yaml_item_count(list);

    if (count < s->type->least_items || (s->capacity > 0 && count > s->capacity)) {
        return shoal_i_yaml_judge_kind(yaml, list, name_form(s));
    }
    SHOAL_TRY(read_texts(yaml, &texts, s->type, list));
    for (size_t i = 0; texts && i < (is_adding ? count : 1); i++) {
        given->items = texts + i;
        given->count = is_adding ? 1 : count;
        st = shoal_i_setting_assign(yaml->ctx, yaml->spec, s, given);
        given->at = is_adding ? i : given->at;
        SHOAL_TRY(shoal_i_yaml_judge(
            yaml, given->at < count ? shoal_i_yaml_item(yaml, list, given->at) : list, st));
    }
done:
    free(texts);
    return st;
}

/* A value by its type: a single one, or a list. */
static shoal_status read_value(shoal_i_yaml *yaml, const shoal_i_setting *s,
                               const yaml_node_t *value)
{
    shoal_i_setting_given given = {.folder = yaml->folder, .is_of_file = true};
    const char *text = shoal_i_yaml_text(value);

    if (value->type == YAML_SEQUENCE_NODE && s->type->form != SHOAL_I_FORM_SINGLE) {
        return read_list(yaml, s, &given, value);
    }
    if (!text || s->type->is_list_in_files ||
        (s->type == &shoal_i_type_path && text[0] == '\0')) {
        return shoal_i_yaml_judge_kind(yaml, value, name_form(s));
    }
    return shoal_i_yaml_judge(
        yaml, value, shoal_i_setting_assign_text(yaml->ctx, yaml->spec, s, &given, text));
}

/* --- method. ---------------------------------------------------------------------------- */

/* The method that a mapping names; NULL, after a mistake, when it names none. */
static shoal_status read_method_name(shoal_i_yaml *yaml, const shoal_i_method **out,
                                     const yaml_node_t *mapping)
{
    shoal_status st = SHOAL_OK;
    shoal_i_yaml_pair pair;
    const yaml_node_t *found = NULL;
    shoal_i_method_settings settings;

    *out = NULL;
    for (size_t i = 0; i < shoal_i_yaml_pair_count(mapping); i++) {
        SHOAL_TRY(shoal_i_yaml_pair_read(yaml, &pair, mapping, i));
        if (pair.name && strcmp(pair.name, "name") == 0) {
            if (found) {
                return shoal_i_yaml_judge_twice(yaml, pair.key, pair.name);
            }
            found = pair.value;
        }
    }
    const char *name = found ? shoal_i_yaml_text(found) : NULL;

    if (!name) {
        return shoal_i_yaml_judge_kind(yaml, found ? found : mapping,
                                       "a method as a name or a mapping with the key \"name\"");
    }
    *out = shoal_i_method_find(name);
    if (!*out) {
        /* Names what there is. */
        st = shoal_i_yaml_judge(yaml, found,
                                shoal_i_method_parse(yaml->ctx, out, &settings, name));
        *out = NULL;
    }
done:
    return st;
}

/* The options of the method that are, or are not, its own. */
static shoal_status read_method_options(shoal_i_yaml *yaml, shoal_i_method_settings *settings,
                                        const shoal_i_method *method,
                                        const yaml_node_t *mapping, bool are_own)
{
    shoal_status st = SHOAL_OK;
    shoal_i_yaml_pair pair;

    for (size_t i = 0; i < shoal_i_yaml_pair_count(mapping); i++) {
        const yaml_node_pair_t *nodes = &mapping->data.mapping.pairs.start[i];

        pair.name = shoal_i_yaml_text(yaml_document_get_node(yaml->document, nodes->key));
        if (!pair.name || strcmp(pair.name, "name") == 0 ||
            shoal_i_method_has_option(method, pair.name, strlen(pair.name)) != are_own) {
            continue;
        }
        SHOAL_TRY(shoal_i_yaml_pair_read(yaml, &pair, mapping, i));
        const char *text = shoal_i_yaml_text(pair.value);

        if (!text || strpbrk(text, ",=:")) {
            SHOAL_TRY(shoal_i_yaml_judge_kind(yaml, pair.value, "a number or a word"));
        } else {
            SHOAL_TRY(shoal_i_yaml_judge(
                yaml, pair.key,
                shoal_i_method_set_option(yaml->ctx, settings, method, pair.name, text)));
        }
    }
done:
    return st;
}

/* method: topdown, or method: {name: topdown, rounds: 6}; options of the method's own come
 * first: those that are passed on depend on them. */
static shoal_status read_method(shoal_i_yaml *yaml, const shoal_i_setting *s,
                                const yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_method *method = NULL;

    if (value->type != YAML_MAPPING_NODE) {
        return read_value(yaml, s, value);
    }
    SHOAL_TRY(read_method_name(yaml, &method, value));
    if (method) {
        shoal_i_method_settings settings = shoal_i_method_defaults(method);

        SHOAL_TRY(read_method_options(yaml, &settings, method, value, true));
        SHOAL_TRY(read_method_options(yaml, &settings, method, value, false));
        yaml->spec->method = method;
        yaml->spec->method_settings = settings;
    }
done:
    return st;
}

static shoal_status read_setting(shoal_i_yaml *yaml, const shoal_i_setting *s,
                                 yaml_node_t *value)
{
    shoal_i_spec_set_place(yaml->spec, s->key, shoal_i_yaml_place(yaml, value->start_mark));
    if (s->type == &shoal_i_type_requirement) {
        return shoal_i_yaml_requests(yaml, strchr(s->key, '.') + 1, value);
    }
    if (s->type == &shoal_i_type_sweep) {
        return shoal_i_yaml_sweep(yaml, value);
    }
    return s->type == &shoal_i_type_method ? read_method(yaml, s, value)
                                           : read_value(yaml, s, value);
}

/* --- Levels. ------------------------------------------------------------------------------ */

/* The rest of a key behind the path of its level, "" being the whole file; NULL: it is not on
 * it. */
static const char *find_rest(const char *key, const char *path)
{
    size_t length = strlen(path);

    if (length == 0) {
        return key;
    }
    return strncmp(key, path, length) == 0 && key[length] == '.' ? key + length + 1 : NULL;
}

/* What may stand on a level: the keys, with their names in memory of their own. */
typedef struct level {
    shoal_i_yaml_key keys[SHOAL_I_YAML_KEYS_MAX];
    char names[SHOAL_I_YAML_KEYS_MAX][PATH_MOST];
    size_t count;
} level;

static shoal_status read_key(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                             yaml_node_t *value);

static void add_key(level *l, const char *name, size_t length)
{
    assert(l->count < SHOAL_I_YAML_KEYS_MAX && length < PATH_MOST);
    for (size_t i = 0; i < l->count; i++) {
        if (strlen(l->names[i]) == length && memcmp(l->names[i], name, length) == 0) {
            return;
        }
    }
    memcpy(l->names[l->count], name, length);
    l->names[l->count][length] = '\0';
    l->keys[l->count] = (shoal_i_yaml_key){l->names[l->count], read_key, NULL};
    l->count++;
}

static void find_level(level *l, const char *path)
{
    l->count = 0;
    if (path[0] == '\0') {
        add_key(l, "columns", strlen("columns"));
        l->keys[0].read = shoal_i_yaml_columns;
    } else if (shoal_i_setting_find(path)) {
        add_key(l, "value", strlen("value")); /* k: {value: 10, column: my_k} */
    }
    for (size_t i = 0; i < shoal_i_setting_count; i++) {
        const char *rest = find_rest(shoal_i_settings[i].key, path);

        if (rest) {
            add_key(l, rest, strcspn(rest, "."));
        }
    }
}

/* The setting that a single value on a level stands for, or NULL: missing: drop. */
static const shoal_i_setting *find_short(const char *path)
{
    for (size_t i = 0; i < shoal_i_setting_count; i++) {
        if (shoal_i_settings[i].is_short && find_rest(shoal_i_settings[i].key, path)) {
            return &shoal_i_settings[i];
        }
    }
    return NULL;
}

static shoal_status read_level(shoal_i_yaml *yaml, const char *path, const yaml_node_t *value)
{
    bool is_of_figures = strcmp(path, "frontier.max") == 0;
    char target[PATH_MOST];
    level l;

    if (is_of_figures && value->type != YAML_MAPPING_NODE) {
        return shoal_i_yaml_judge_kind(yaml, value, "figures and the most that each may be");
    }
    find_level(&l, path);
    snprintf(target, sizeof target, "%s", path);
    return shoal_i_yaml_mapping_of(yaml, target, value, l.keys, l.count,
                                   is_of_figures ? "figure" : "key");
}

/* A key on the level of a path, which is the target. */
static shoal_status read_key(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                             yaml_node_t *value)
{
    const char *parent = target;
    const shoal_i_setting *s = shoal_i_setting_find(parent);
    char path[2 * PATH_MOST];

    if (s && strcmp(self->name, "value") == 0) {
        return read_setting(yaml, s, value);
    }
    snprintf(path, sizeof path, "%s%s%s", parent, parent[0] ? "." : "", self->name);
    s = shoal_i_setting_find(path);
    if (!s && value->type == YAML_SCALAR_NODE) {
        s = find_short(path);
    }
    level l;

    find_level(&l, path);
    /* k has a value of its own and a level below it; the others have one of the two. */
    return s && (l.count <= 1 || value->type != YAML_MAPPING_NODE)
               ? read_setting(yaml, s, value)
               : read_level(yaml, path, value);
}

shoal_status shoal_i_yaml_root(shoal_i_yaml *yaml)
{
    yaml_node_t *root = yaml_document_get_root_node(yaml->document);

    if (!root) {
        shoal_i_fail(yaml->ctx, SHOAL_EFORMAT,
                     "The spec is empty; it needs at least the columns.");
        shoal_i_fail_in(yaml->ctx, yaml->source, 1, 1);
        return shoal_i_mistakes_take(&yaml->mistakes, SHOAL_EFORMAT);
    }
    return read_level(yaml, "", root);
}

#include "specs.h"

#include "folder.h"
#include "spec_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages about a spec that a page sends name it so; without a folder in it, paths inside are
 * seen from the one that is served. */
#define SOURCE "spec"

/* --- Its forms. --------------------------------------------------------------------------- */

/* FNV-1a of 64 bits: tells specs apart that people write, and nothing depends on more. */
static void set_hash(server_spec *spec, const char *text)
{
    uint64_t hash = 0xcbf29ce484222325ULL;

    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
    }
    snprintf(spec->hash, sizeof spec->hash, "%016" PRIx64, hash);
}

void server_spec_clear(server_spec *spec)
{
    shoal_spec_free(spec->spec);
    free(spec->yaml);
    json_decref(spec->tree);
    *spec = (server_spec){0};
}

/* What is there once the spec is read. */
static shoal_status complete(shoal_ctx *ctx, server_spec *spec)
{
    char *json = NULL;
    char *written = NULL;
    shoal_status st = shoal_spec_write_yaml(ctx, &written, spec->spec);

    if (st == SHOAL_OK) {
        st = shoal_spec_write_json(ctx, &json, spec->spec);
    }
    if (st == SHOAL_OK) {
        set_hash(spec, written);
        spec->tree = json_loads(json, 0, NULL);
        if (!spec->yaml) {
            spec->yaml = written;
            written = NULL;
        }
        st = spec->tree ? SHOAL_OK : SHOAL_ENOMEM;
    }
    free(json);
    free(written);
    return st;
}

shoal_status server_spec_build(shoal_ctx *ctx, server_spec *out, const char *yaml, bool kept)
{
    server_spec spec = {0};
    shoal_status st = shoal_spec_new(ctx, &spec.spec);

    if (st == SHOAL_OK) {
        st = shoal_spec_read_memory(ctx, spec.spec, yaml, strlen(yaml), SOURCE);
    }
    if (st == SHOAL_OK && kept && (spec.yaml = strdup(yaml)) == NULL) {
        st = SHOAL_ENOMEM;
    }
    if (st == SHOAL_OK) {
        st = complete(ctx, &spec);
    }
    if (st != SHOAL_OK) {
        server_spec_clear(&spec);
    }
    *out = spec;
    return st;
}

shoal_status server_spec_copy(shoal_ctx *ctx, server_spec *out, const server_spec *spec)
{
    server_spec copy = {.yaml = strdup(spec->yaml), .tree = json_incref(spec->tree)};
    shoal_status st = shoal_spec_copy(ctx, &copy.spec, spec->spec);

    memcpy(copy.hash, spec->hash, sizeof copy.hash);
    if (st == SHOAL_OK && !copy.yaml) {
        st = SHOAL_ENOMEM;
    }
    if (st != SHOAL_OK) {
        server_spec_clear(&copy);
    }
    *out = copy;
    return st;
}

/* --- Files that it names. ----------------------------------------------------------------- */

static bool check_file(const server *s, server_reply *reply, const json_t *name)
{
    const char *path = json_string_value(name);

    return !path || server_check_input(s, reply, path, "The file");
}

/* What a tree says under a key of settings, "privacy.population". */
static const json_t *find_setting(const json_t *tree, const char *key)
{
    char part[64];

    while (tree && *key) {
        size_t length = strcspn(key, ".");

        snprintf(part, sizeof part, "%.*s", (int)length, key);
        tree = json_object_get(tree, part);
        key += length + (key[length] == '.');
    }
    return tree;
}

/* Files that a run reads must be there; those that it writes go elsewhere, and need only be
 * named well. */
static bool check_setting(const server *s, server_reply *reply, const json_t *value,
                          const char *key)
{
    bool is_written =
        strcmp(key, "output.sensitive_table") == 0 || strcmp(key, "temporary") == 0;
    const char *fault = NULL;

    if (is_written && json_is_string(value)) {
        fault = server_path_fault(json_string_value(value));
    }
    if (fault) {
        return server_refuse(reply, 403, "forbidden", "`%s` cannot be used: %s.", key, fault);
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!check_file(s, reply, json_array_get(value, i))) {
            return false;
        }
    }
    return is_written || check_file(s, reply, value);
}

bool server_spec_check_files(const server *s, server_reply *reply, const json_t *tree)
{
    static const char *const plans[] = {"hierarchy", "populations"};
    shoal_setting_facts facts = SHOAL_SETTING_FACTS_INIT;
    const char *name = NULL;
    json_t *column = NULL;

    json_object_foreach(json_object_get(tree, "columns"), name, column)
    {
        for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
            const json_t *plan = json_object_get(column, plans[i]);

            if (!check_file(s, reply, json_object_get(plan, "file"))) {
                return false;
            }
        }
    }
    for (size_t i = 0; shoal_setting_describe(&facts, i); i++) {
        if (strstr(facts.type, "path") &&
            !check_setting(s, reply, find_setting(tree, facts.key), facts.key)) {
            return false;
        }
    }
    return true;
}

/* --- From requests. ----------------------------------------------------------------------- */

/* Read YAML in the thread of requests. lines: what it was written from, or NULL. */
static bool read_yaml(server *s, server_spec *out, server_reply *reply, const char *yaml,
                      const server_lines *lines)
{
    server_mistakes mistakes = {json_array(), s->work};

    shoal_ctx_set_log(s->ctx, server_take_mistake, &mistakes);
    shoal_status st = server_spec_build(s->ctx, out, yaml, !lines);

    shoal_ctx_set_log(s->ctx, NULL, NULL);
    if (st == SHOAL_ENOMEM) {
        json_decref(mistakes.list);
        return server_refuse(reply, 500, "memory", "Out of memory.");
    }
    if (st != SHOAL_OK) {
        if (lines) {
            server_lines_resolve(lines, mistakes.list);
        }
        return server_refuse_error(reply, shoal_ctx_error(s->ctx), mistakes.list, s->work);
    }
    json_decref(mistakes.list);
    if (!server_spec_check_files(s, reply, out->tree)) {
        server_spec_clear(out);
        return false;
    }
    return true;
}

bool server_spec_from_tree(server *s, server_spec *out, server_reply *reply, const json_t *tree)
{
    server_lines lines;
    bool is_good = server_lines_write(&lines, tree);

    if (!is_good) {
        server_refuse(reply, 413, "limit", "The spec is too large.");
    } else {
        is_good = read_yaml(s, out, reply, lines.text, &lines);
    }
    server_lines_clear(&lines);
    return is_good;
}

bool server_spec_take(server *s, server_spec *out, server_reply *reply, const json_t *object,
                      bool *is_there)
{
    const json_t *tree = json_object_get(object, "spec");
    const char *yaml = NULL;

    *out = (server_spec){0};
    if (!server_body_want_text(reply, object, "yaml", &yaml)) {
        return false;
    }
    *is_there = tree || yaml;
    if (tree && yaml) {
        return server_refuse(reply, 400, "request", "A spec comes as \"spec\" or as \"yaml\".");
    }
    if (tree && !json_is_object(tree)) {
        return server_refuse(reply, 400, "request", "\"spec\" must be an object.");
    }
    if (tree) {
        return server_spec_from_tree(s, out, reply, tree);
    }
    return !yaml || read_yaml(s, out, reply, yaml, NULL);
}

/* --- How a file is read. ------------------------------------------------------------------ */

/* What is said of a column about reading it. */
static void put_reading(server_body *b, json_t *columns, const char *name, const json_t *column,
                        const shoal_table *table)
{
    static const char *const keys[] = {"type", "decimal", "thousands", "date_format"};
    ptrdiff_t place = shoal_table_find(table, name);
    json_t *object = json_object();

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *value = json_string_value(json_object_get(column, keys[i]));
        bool is_so =
            i == 0 && value && place >= 0 &&
            strcmp(value, shoal_type_name(shoal_table_type(table, (size_t)place))) == 0;

        if (value && !is_so && strcmp(value, "auto") != 0) {
            server_body_put(b, object, keys[i], json_string(value));
        }
    }
    if (json_object_size(object) > 0) {
        server_body_put(b, columns, name, object);
    } else {
        json_decref(object);
    }
}

char *server_spec_reading(const json_t *tree, const shoal_table *table)
{
    server_body b = server_body_begin();
    json_t *columns = json_object();
    json_t *input = json_object_get(tree, "input");
    json_t *tokens = json_object_get(json_object_get(tree, "missing"), "tokens");
    const char *name = NULL;
    json_t *column = NULL;

    json_object_foreach(json_object_get(tree, "columns"), name, column)
    {
        put_reading(&b, columns, name, column, table);
    }
    server_body_put(&b, b.root, "input", input ? json_incref(input) : json_null());
    server_body_put(&b, b.root, "tokens", tokens ? json_incref(tokens) : json_null());
    server_body_put(&b, b.root, "columns", columns);
    char *text = b.has_failed ? NULL : json_dumps(b.root, JSON_COMPACT | JSON_SORT_KEYS);

    json_decref(b.root);
    return text;
}

bool server_spec_is_stale(const server *s)
{
    if (!s->table.table) {
        return false;
    }
    char *reading = server_spec_reading(s->spec.tree, s->table.table);
    bool is_stale = reading && strcmp(reading, s->table.reading) != 0;

    free(reading);
    return is_stale;
}

/* --- Calls. ------------------------------------------------------------------------------- */

void server_spec_put(server_body *b, json_t *object, const server_spec *spec, bool is_stale)
{
    server_body_put(b, object, "hash", server_body_text(spec->hash));
    server_body_put(b, object, "yaml", server_body_text(spec->yaml));
    server_body_put(b, object, "spec", json_incref(spec->tree));
    server_body_put(b, object, "stale_table", json_boolean(is_stale));
}

static void send_spec(server_reply *reply, const server_spec *spec, bool is_stale)
{
    server_body b = server_body_begin();

    server_spec_put(&b, b.root, spec, is_stale);
    server_body_send(&b, reply, 200);
}

void server_get_spec(server *s, server_request *request, server_reply *reply)
{
    (void)request;
    send_spec(reply, &s->spec, server_spec_is_stale(s));
}

/* Take a spec over into the session. */
static void keep(server *s, server_spec *spec, server_reply *reply)
{
    s->revision += strcmp(s->spec.hash, spec->hash) != 0;
    server_spec_clear(&s->spec);
    s->spec = *spec;
    send_spec(reply, &s->spec, server_spec_is_stale(s));
}

void server_put_spec(server *s, server_request *request, server_reply *reply)
{
    static const char *const known[] = {"spec", "yaml", "base", NULL};
    json_t *body = server_body_parse(request, reply, known);
    server_spec spec = {0};
    const char *base = NULL;
    bool is_there = false;

    if (!body || !server_body_want_text(reply, body, "base", &base)) {
        json_decref(body);
        return;
    }
    if (base && strcmp(base, s->spec.hash) != 0) {
        server_refuse(reply, 409, "conflict", "The spec was changed by another page.");
    } else if (server_spec_take(s, &spec, reply, body, &is_there)) {
        if (is_there) {
            keep(s, &spec, reply);
        } else {
            server_refuse(reply, 400, "request", "A spec comes as \"spec\" or as \"yaml\".");
        }
    }
    json_decref(body);
}

void server_check_spec(server *s, server_request *request, server_reply *reply)
{
    static const char *const known[] = {"spec", "yaml", NULL};
    json_t *body = server_body_parse(request, reply, known);
    server_spec spec = {0};
    bool is_there = false;

    if (body && server_spec_take(s, &spec, reply, body, &is_there)) {
        if (is_there) {
            send_spec(reply, &spec, false);
        } else {
            server_refuse(reply, 400, "request", "A spec comes as \"spec\" or as \"yaml\".");
        }
    }
    server_spec_clear(&spec);
    json_decref(body);
}

/* The text of a small file; NULL after a refusal. */
static char *read_small(server_reply *reply, const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(SERVER_BODY_MAX + 1) : NULL;
    size_t size = text ? fread(text, 1, SERVER_BODY_MAX, file) : 0;

    if (!text || ferror(file)) {
        server_refuse(reply, 500, "io", "\"%.200s\" cannot be read.", path);
        free(text);
        text = NULL;
    } else if (size == SERVER_BODY_MAX || memchr(text, '\0', size)) {
        server_refuse(reply, 422, "format", "\"%.200s\" is no spec.", path);
        free(text);
        text = NULL;
    } else {
        text[size] = '\0';
    }
    if (file) {
        fclose(file);
    }
    return text;
}

void server_open_spec(server *s, server_request *request, server_reply *reply)
{
    static const char *const known[] = {"path", NULL};
    json_t *body = server_body_parse(request, reply, known);
    const char *path = NULL;
    server_spec spec = {0};

    if (body && server_body_want_text(reply, body, "path", &path)) {
        if (!path) {
            server_refuse(reply, 400, "request", "\"path\" must be a text.");
        } else if (server_check_input(s, reply, path, "The spec")) {
            char *yaml = read_small(reply, path);

            if (yaml && read_yaml(s, &spec, reply, yaml, NULL)) {
                keep(s, &spec, reply);
            }
            free(yaml);
        }
    }
    json_decref(body);
}

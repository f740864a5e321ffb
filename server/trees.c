/* Hierarchies: built for a column of the open table, checked, shown as trees and saved. */
#include "folder.h"
#include "session.h"
#include "specs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- A tree of a page as lines of a hierarchy file. --------------------------------------- */

typedef struct lines {
    char *text;
    size_t size;
    size_t capacity;
    const char *labels[SHOAL_LEVELS_MAX + 1]; /* on the way to the leaf, the root first */
    size_t depth;
    json_t *leaves; /* of each line, its value */
    const char *missing;
    size_t nodes;
    const char *fault; /* what is wrong with the tree; NULL: nothing */
} lines;

static void put_char(lines *l, char c)
{
    if (l->size == l->capacity) {
        size_t capacity = 2 * l->capacity + 4096;
        char *text = realloc(l->text, capacity);

        if (!text) {
            l->fault = "there is no memory for it";
            return;
        }
        l->text = text;
        l->capacity = capacity;
    }
    l->text[l->size++] = c;
}

static void put_label(lines *l, const char *label, char end)
{
    put_char(l, '"');
    for (; *label && !l->fault; label++) {
        if (*label == '"') {
            put_char(l, '"');
        }
        put_char(l, *label);
    }
    put_char(l, '"');
    put_char(l, end);
}

static void put_leaf(lines *l, bool is_missing)
{
    const char *value = is_missing ? l->missing : l->labels[l->depth - 1];

    for (size_t i = l->depth; i-- > 0;) {
        put_label(l, i == l->depth - 1 ? value : l->labels[i], i > 0 ? ';' : '\n');
    }
    json_array_append_new(l->leaves, json_string(value));
}

static void put_tree(lines *l, const json_t *node)
{
    const char *label = json_string_value(json_object_get(node, "label"));
    const json_t *children = json_object_get(node, "children");
    bool is_missing = json_is_true(json_object_get(node, "missing"));

    if (!label || (children && !json_is_array(children))) {
        l->fault = "a node has a text as label, and a list of children";
    } else if (l->depth >= SHOAL_LEVELS_MAX) {
        l->fault = "it has too many levels";
    } else if (++l->nodes > SERVER_NODES_MAX) {
        l->fault = "it has too many nodes";
    }
    if (l->fault) {
        return;
    }
    l->labels[l->depth++] = label;
    if (json_array_size(children) == 0) {
        put_leaf(l, is_missing);
    }
    for (size_t i = 0; i < json_array_size(children) && !l->fault; i++) {
        put_tree(l, json_array_get(children, i));
    }
    l->depth--;
}

/* --- Building. ---------------------------------------------------------------------------- */

typedef struct asked {
    const char *column;
    size_t place;
    const char *how;
    const char *path;
    const char *text;
    const json_t *tree;
} asked;

static bool take_asked(server *s, server_reply *reply, asked *a, const json_t *body)
{
    *a = (asked){.tree = json_object_get(body, "tree")};
    if (!server_body_want_text(reply, body, "column", &a->column) ||
        !server_body_want_text(reply, body, "how", &a->how) ||
        !server_body_want_text(reply, body, "path", &a->path) ||
        !server_body_want_text(reply, body, "text", &a->text)) {
        return false;
    }
    if (!s->table.table) {
        return server_refuse(reply, 409, "conflict", "No file is open yet.");
    }
    if ((a->how != NULL) + (a->path != NULL) + (a->text != NULL) + (a->tree != NULL) > 1) {
        return server_refuse(reply, 400, "request",
                             "A hierarchy is made in one way: \"how\", \"path\", \"text\" or "
                             "\"tree\".");
    }
    ptrdiff_t place = a->column ? shoal_table_find(s->table.table, a->column) : -1;

    if (place < 0) {
        return server_refuse(reply, 404, "not_found", "There is no such column.");
    }
    a->place = (size_t)place;
    return true;
}

/* By a spec: the session's, or one that says just this. */
static bool build_by_spec(server *s, server_reply *reply, const asked *a, shoal_hierarchy **out,
                          shoal_status *st)
{
    server_spec spec = {0};
    bool is_good = true;

    if (a->how) {
        json_t *tree = json_pack("{s:{s:{s:s}}}", "columns", a->column, "hierarchy", a->how);

        is_good = tree ? server_spec_from_tree(s, &spec, reply, tree)
                       : server_refuse(reply, 500, "memory", "Out of memory.");
        json_decref(tree);
    } else {
        is_good = server_spec_check_files(s, reply, s->spec.tree) &&
                  (server_spec_copy(s->ctx, &spec, &s->spec) == SHOAL_OK ||
                   server_refuse(reply, 500, "memory", "Out of memory."));
    }
    if (is_good && shoal_spec_column_count(spec.spec) == 0) { /* nothing said: flat */
        (void)shoal_spec_set_type(s->ctx, spec.spec, a->column, "auto");
    }
    if (is_good) {
        *st =
            shoal_hierarchy_build_spec_table(s->ctx, out, spec.spec, s->table.table, a->column);
    }
    server_spec_clear(&spec);
    return is_good;
}

/* A mistake in a line of a tree is one of its value. */
static void name_leaves(json_t *mistakes, const json_t *leaves)
{
    for (size_t i = 0; i < json_array_size(mistakes); i++) {
        json_t *mistake = json_array_get(mistakes, i);
        json_int_t line = json_integer_value(json_object_get(mistake, "line"));
        json_t *leaf = line > 0 ? json_array_get(leaves, (size_t)line - 1) : NULL;

        if (leaf) {
            json_object_set(mistake, "leaf", leaf);
            json_object_set_new(mistake, "line", json_null());
            json_object_set_new(mistake, "column", json_null());
        }
    }
}

static bool build_by_tree(server *s, server_reply *reply, const asked *a, shoal_hierarchy **out,
                          shoal_status *st, json_t **leaves)
{
    const shoal_table *table = s->table.table;
    uint32_t missing = (uint32_t)shoal_table_value_count(table, a->place);
    lines l = {.leaves = json_array(), .missing = ""};

    if (shoal_table_missing_count(table, a->place) > 0) {
        l.missing = shoal_table_text(table, a->place, missing, NULL);
    }
    put_tree(&l, a->tree);
    if (!l.fault) {
        *st =
            shoal_hierarchy_build_memory(s->ctx, out, table, a->place, l.text, l.size, "tree");
    }
    free(l.text);
    *leaves = l.leaves;
    return !l.fault ||
           server_refuse(reply, 400, "request", "The tree cannot be used: %s.", l.fault);
}

/* Build what is asked for; NULL after a refusal. */
static shoal_hierarchy *build(server *s, server_reply *reply, const asked *a)
{
    server_mistakes mistakes = {json_array(), s->work};
    shoal_hierarchy *hierarchy = NULL;
    shoal_status st = SHOAL_OK;
    json_t *leaves = NULL;
    bool is_asked = true;

    shoal_ctx_set_log(s->ctx, server_take_mistake, &mistakes);
    if (a->tree) {
        is_asked = build_by_tree(s, reply, a, &hierarchy, &st, &leaves);
    } else if (a->text) {
        st = shoal_hierarchy_build_memory(s->ctx, &hierarchy, s->table.table, a->place, a->text,
                                          strlen(a->text), "text");
    } else if (a->path) {
        is_asked = server_check_input(s, reply, a->path, "The hierarchy");
        st = is_asked ? shoal_hierarchy_build_file(s->ctx, &hierarchy, s->table.table, a->place,
                                                   a->path)
                      : SHOAL_OK;
    } else {
        is_asked = build_by_spec(s, reply, a, &hierarchy, &st);
    }
    shoal_ctx_set_log(s->ctx, NULL, NULL);
    if (is_asked && st != SHOAL_OK) {
        if (json_array_size(mistakes.list) == 0) {
            json_array_append_new(mistakes.list,
                                  server_body_error(shoal_ctx_error(s->ctx), s->work));
        }
        name_leaves(mistakes.list, leaves);
        server_refuse_error(reply, shoal_ctx_error(s->ctx), mistakes.list, s->work);
    } else {
        json_decref(mistakes.list);
    }
    json_decref(leaves);
    return hierarchy;
}

/* --- Showing. ----------------------------------------------------------------------------- */

typedef struct shown {
    server_body *b;
    const shoal_hierarchy *h;
    uint64_t *before; /* records of the leaves before one */
    uint32_t missing; /* its code */
} shown;

static json_t *make_node(const shown *w, uint32_t node)
{
    uint32_t first = shoal_hierarchy_first(w->h, node);
    uint32_t last = shoal_hierarchy_last(w->h, node);
    size_t count = shoal_hierarchy_child_count(w->h, node);
    json_t *object = json_object();
    json_t *children = json_array();

    server_body_put(w->b, object, "label", server_body_text(shoal_hierarchy_label(w->h, node)));
    server_body_put(w->b, object, "values", server_body_count(last - first + 1));
    server_body_put(w->b, object, "records",
                    server_body_count(w->before[last + 1] - w->before[first]));
    if (count == 0 && shoal_hierarchy_code(w->h, first) == w->missing) {
        server_body_put(w->b, object, "missing", json_true());
    }
    for (size_t i = 0; i < count; i++) {
        server_body_add(w->b, children, make_node(w, shoal_hierarchy_child(w->h, node, i)));
    }
    server_body_put(w->b, object, "children", children);
    return object;
}

/* A value and its labels up to the root. */
static json_t *make_levels(const shown *w, uint32_t leaf)
{
    uint32_t node = shoal_hierarchy_leaf_node(w->h, leaf);
    json_t *list = json_array();
    bool is_missing = shoal_hierarchy_code(w->h, leaf) == w->missing;

    server_body_add(w->b, list,
                    is_missing ? json_null()
                               : server_body_text(shoal_hierarchy_label(w->h, node)));
    while (node != 0) {
        node = shoal_hierarchy_parent(w->h, node);
        server_body_add(w->b, list, server_body_text(shoal_hierarchy_label(w->h, node)));
    }
    return list;
}

static void send_hierarchy(const server *s, server_reply *reply, const asked *a,
                           const shoal_hierarchy *h)
{
    size_t leaves = shoal_hierarchy_leaf_count(h);
    server_body b = server_body_begin();
    json_t *levels = json_array();
    shown w = {.b = &b,
               .h = h,
               .before = calloc(leaves + 1, sizeof *w.before),
               .missing = (uint32_t)shoal_table_value_count(s->table.table, a->place)};

    b.has_failed |= !w.before;
    for (uint32_t leaf = 0; w.before && leaf < leaves; leaf++) {
        w.before[leaf + 1] =
            w.before[leaf] + s->table.counts[a->place][shoal_hierarchy_code(h, leaf)];
    }
    for (uint32_t leaf = 0; w.before && leaf < leaves; leaf++) {
        server_body_add(&b, levels, make_levels(&w, leaf));
    }
    server_body_put(&b, b.root, "column", server_body_text(a->column));
    server_body_put(&b, b.root, "leaves", server_body_count(leaves));
    server_body_put(&b, b.root, "nodes", server_body_count(shoal_hierarchy_node_count(h)));
    server_body_put(&b, b.root, "height", json_integer(shoal_hierarchy_height(h)));
    if (w.before) {
        server_body_put(&b, b.root, "tree", make_node(&w, 0));
    }
    server_body_put(&b, b.root, "levels", levels);
    free(w.before);
    server_body_send(&b, reply, 200);
}

void server_post_hierarchy(server *s, server_request *request, server_reply *reply)
{
    static const char *const known[] = {"column", "how", "path", "text", "tree", NULL};
    json_t *body = server_body_parse(request, reply, known);
    asked a = {0};

    if (body && take_asked(s, reply, &a, body)) {
        shoal_hierarchy *h = build(s, reply, &a);

        if (h && shoal_hierarchy_node_count(h) > SERVER_NODES_MAX) {
            server_refuse(
                reply, 413, "limit",
                "The hierarchy has %zu nodes, and is shown up to %d; save it to a file.",
                shoal_hierarchy_node_count(h), SERVER_NODES_MAX);
        } else if (h) {
            send_hierarchy(s, reply, &a, h);
        }
        shoal_hierarchy_free(h);
    }
    json_decref(body);
}

/* --- Saving. ------------------------------------------------------------------------------ */

static void save(server *s, server_reply *reply, const shoal_hierarchy *h, const char *file,
                 bool is_outline)
{
    shoal_status st = is_outline ? shoal_hierarchy_write_outline(s->ctx, h, file)
                                 : shoal_hierarchy_write(s->ctx, h, file);

    if (st != SHOAL_OK) {
        server_refuse_error(reply, shoal_ctx_error(s->ctx), NULL, s->work);
        return;
    }
    server_body b = server_body_begin();

    server_body_put(&b, b.root, "file", server_body_text(file));
    server_body_send(&b, reply, 201);
}

void server_save_hierarchy(server *s, server_request *request, server_reply *reply)
{
    static const char *const known[] = {"column", "how",  "path",    "text", "tree",
                                        "file",   "form", "replace", NULL};
    json_t *body = server_body_parse(request, reply, known);
    const char *file = NULL;
    const char *form = NULL;
    bool may_replace = false;
    asked a = {0};

    if (!body || !server_body_want_text(reply, body, "file", &file) ||
        !server_body_want_text(reply, body, "form", &form) ||
        !server_body_want_truth(reply, body, "replace", &may_replace)) {
        json_decref(body);
        return;
    }
    bool is_outline = form && strcmp(form, "outline") == 0;

    if (!file || (form && !is_outline && strcmp(form, "paths") != 0)) {
        server_refuse(reply, 400, "request",
                      "\"file\" must be a text, \"form\" paths or outline.");
    } else if (take_asked(s, reply, &a, body) &&
               server_check_output(s, reply, file, may_replace)) {
        shoal_hierarchy *h = build(s, reply, &a);

        if (h) {
            save(s, reply, h, file, is_outline);
        }
        shoal_hierarchy_free(h);
    }
    json_decref(body);
}

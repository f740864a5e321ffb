#include "results.h"

#include "folder.h"
#include "gate.h"
#include "rows.h"
#include "specs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A page of the library: styles and pictures of its own, no scripts, nothing from elsewhere,
 * and shown by our own page alone. */
#define REPORT_POLICY                                                                          \
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "          \
    "form-action 'none'; frame-ancestors 'self'; sandbox"

/* --- Finding. ----------------------------------------------------------------------------- */

/* The job of a request, when it is over and has a report. */
static server_job *find_reported(const server *s, server_request *request, server_reply *reply)
{
    server_job *job = server_job_named(s, reply, request->parts[0]);

    if (job && (!server_job_is_over(job) || !job->report)) {
        server_refuse(reply, 409, "conflict", "The job has no report, or not yet.");
        return NULL;
    }
    return job;
}

/* Send a text of the library; the name of the private folder is left out. */
static void send_text(const server *s, server_reply *reply, const char *text, const char *type)
{
    char *copy = server_without_work(text, s->work);

    if (!copy) {
        server_refuse(reply, 500, "memory", "Out of memory.");
        return;
    }
    reply->status = 200;
    reply->type = type;
    reply->bytes = copy;
    reply->size = strlen(copy);
}

void server_get_report(server *s, server_request *request, server_reply *reply)
{
    const server_job *job = find_reported(s, request, reply);

    if (job) {
        send_text(s, reply, shoal_report_json(job->report), "application/json");
    }
}

void server_get_text(server *s, server_request *request, server_reply *reply)
{
    const server_job *job = find_reported(s, request, reply);

    if (job) {
        send_text(s, reply, shoal_report_text(job->report), "text/plain; charset=utf-8");
    }
}

/* The tree of a spec that a point has, or NULL. */
static json_t *tree_of(server *s, const char *yaml)
{
    server_spec spec = {0};
    json_t *tree = NULL;

    if (yaml[0] && server_spec_build(s->ctx, &spec, yaml, true) == SHOAL_OK) {
        tree = json_incref(spec.tree);
    }
    server_spec_clear(&spec);
    return tree ? tree : json_null();
}

/* The spec of a point without what the run has set of its own. */
static void put_point(server *s, server_body *b, json_t *points, size_t i, const char *yaml)
{
    json_t *point = json_object();
    json_t *tree = tree_of(s, yaml);
    json_t *report = json_object_get(tree, "report");

    json_object_del(tree, "temporary");
    json_object_del(report, "detail");
    if (report && json_object_size(report) == 0) {
        json_object_del(tree, "report");
    }
    server_body_put(b, point, "point", server_body_count(i));
    server_body_put(b, point, "spec", tree);
    server_body_add(b, points, point);
}

void server_get_points(server *s, server_request *request, server_reply *reply)
{
    const server_job *job = find_reported(s, request, reply);

    if (!job) {
        return;
    }
    server_body b = server_body_begin();
    json_t *points = json_array();

    for (size_t i = 0; i < shoal_report_point_count(job->report); i++) {
        put_point(s, &b, points, i, shoal_report_point_spec(job->report, i));
    }
    server_body_put(&b, b.root, "points", points);
    server_body_send(&b, reply, 200);
}

/* --- Rows. -------------------------------------------------------------------------------- */

/* What a row of the release shows of a column of the original; two columns where it became its
 * ends. */
static json_t *after_cell(server_body *b, const shoal_table *table, const char *name,
                          size_t row)
{
    char both[2 * SERVER_CELL_MAX + 8];
    char ends[2][SERVER_NAME_MAX + 64];
    ptrdiff_t column = shoal_table_find(table, name);

    if (column >= 0) {
        return server_cell(b, table, (size_t)column, row, NULL, 0);
    }
    snprintf(ends[0], sizeof ends[0], "%.200s_min", name);
    snprintf(ends[1], sizeof ends[1], "%.200s_max", name);
    ptrdiff_t least = shoal_table_find(table, ends[0]);
    ptrdiff_t most = shoal_table_find(table, ends[1]);

    if (least < 0 || most < 0) {
        return json_null();
    }
    snprintf(both, sizeof both, "%.1000s \xE2\x80\xA6 %.1000s",
             shoal_table_text(table, (size_t)least, shoal_table_code(table, (size_t)least, row),
                              NULL),
             shoal_table_text(table, (size_t)most, shoal_table_code(table, (size_t)most, row),
                              NULL));
    return server_body_text(both);
}

static json_t *make_pair(server_body *b, const server_job *job, size_t row)
{
    const shoal_table *released = shoal_release_table(job->pairs);
    int64_t record = shoal_release_record(job->pairs, row);
    json_t *pair = json_object();
    json_t *before = json_array();
    json_t *after = json_array();

    for (size_t c = 0; c < shoal_table_column_count(job->original) && record >= 0; c++) {
        server_body_add(b, before, server_cell(b, job->original, c, (size_t)record, NULL, 0));
        server_body_add(b, after,
                        after_cell(b, released, shoal_table_name(job->original, c), row));
    }
    server_body_put(b, pair, "record", json_integer(record));
    server_body_put(
        b, pair, "class",
        json_integer(record < 0 ? -1 : shoal_release_class_of(job->pairs, (size_t)record)));
    server_body_put(b, pair, "before", before);
    server_body_put(b, pair, "after", after);
    return pair;
}

static void send_pairs(server_request *request, server_reply *reply, const server_job *job)
{
    uint64_t total = shoal_release_row_count(job->pairs);
    uint64_t from = 0;
    uint64_t count = 0;

    if (!server_window_of(request, reply, &from, &count)) {
        return;
    }
    server_body b = server_body_begin();
    json_t *names = json_array();
    json_t *rows = json_array();

    for (size_t c = 0; c < shoal_table_column_count(job->original); c++) {
        server_body_add(&b, names, server_body_text(shoal_table_name(job->original, c)));
    }
    for (uint64_t row = from; row < total && row < from + count; row++) {
        server_body_add(&b, rows, make_pair(&b, job, (size_t)row));
    }
    server_body_put(&b, b.root, "from", server_body_count(from));
    server_body_put(&b, b.root, "total", server_body_count(total));
    server_body_put(&b, b.root, "columns", names);
    server_body_put(&b, b.root, "rows", rows);
    server_body_send(&b, reply, 200);
}

void server_get_job_rows(server *s, server_request *request, server_reply *reply)
{
    const server_job *job = server_job_named(s, reply, request->parts[0]);
    const char *which = server_argument_of(request, "table");
    bool is_second = which && strcmp(which, "sensitive") == 0;
    bool is_known = !which || is_second || strcmp(which, "release") == 0;

    if (!job) {
        return;
    }
    const shoal_table *table = job->state != SERVER_DONE ? NULL
                               : is_second               ? job->second.table
                                                         : job->rows.table;

    if (!is_known) {
        server_refuse(reply, 400, "request", "\"table\" must be release or sensitive.");
    } else if (job->state == SERVER_DONE && job->pairs) {
        send_pairs(request, reply, job);
    } else if (!table) {
        server_refuse(reply, 409, "conflict", "The job has no such rows, or not yet.");
    } else {
        server_send_rows(request, reply, table);
    }
}

void server_get_job_columns(server *s, server_request *request, server_reply *reply)
{
    server_job *job = server_job_named(s, reply, request->parts[0]);

    if (!job) {
        return;
    }
    if (job->state != SERVER_DONE || !job->rows.table || !s->table.table ||
        job->source.number != s->source.number) {
        server_refuse(reply, 409, "conflict",
                      "The job has no release of the file that is open.");
        return;
    }
    server_body b = server_body_begin();

    server_put_columns(&b, &s->table, job->spec.tree, &job->rows);
    server_body_send(&b, reply, 200);
}

/* --- Files. ------------------------------------------------------------------------------- */

typedef struct part {
    const char *what;
    const char *type;
    const char *ending; /* of the name that it is saved by */
    bool is_private;
} part;

static const part parts[] = {
    {"release", "text/csv; charset=utf-8", ".csv", false},
    {"sensitive", "text/csv; charset=utf-8", ".sensitive.csv", false},
    {"report.html", "text/html; charset=utf-8", ".html", true},
    {"external.html", "text/html; charset=utf-8", ".external.html", false},
    {"report.json", "application/json", ".json", true},
    {"report", "application/json", ".json", true},
    {"points.csv", "text/csv; charset=utf-8", ".points.csv", false},
    {"points.svg", "image/svg+xml", ".points.svg", false},
    {"spec", "text/plain; charset=utf-8", ".yaml", false},
};

#define PART_COUNT (sizeof parts / sizeof *parts)

static const part *find_part(const char *what)
{
    for (size_t i = 0; what && i < PART_COUNT; i++) {
        if (strcmp(parts[i].what, what) == 0) {
            return &parts[i];
        }
    }
    return NULL;
}

/* The text of a part, or NULL where it is a file or is not there. */
static const char *text_of(const server_job *job, const char *what)
{
    const shoal_report *report = server_job_is_over(job) ? job->report : NULL;
    const char *text = NULL;

    if (strcmp(what, "spec") == 0) {
        return job->spec.yaml;
    }
    if (!report) {
        return NULL;
    }
    text = strcmp(what, "report.html") == 0     ? shoal_report_html(report)
           : strcmp(what, "external.html") == 0 ? shoal_report_external(report)
           : strcmp(what, "points.csv") == 0    ? shoal_report_csv(report)
           : strcmp(what, "points.svg") == 0    ? shoal_report_svg(report)
           : strncmp(what, "report", 6) == 0    ? shoal_report_json(report)
                                                : "";
    return text[0] ? text : NULL;
}

/* The file of a part of a release that was verified; false when it has none. */
static bool path_of(const server_job *job, const char *what, char *path, size_t size)
{
    bool is_second = strcmp(what, "sensitive") == 0;

    if (job->kind != SERVER_ANONYMIZE || job->state != SERVER_DONE ||
        !(is_second ? job->second.table != NULL : strcmp(what, "release") == 0)) {
        return false;
    }
    server_job_path(job, path, size, is_second ? "release.sensitive.csv" : "release.csv");
    return true;
}

static void send_part(const server *s, server_reply *reply, const server_job *job,
                      const part *wanted)
{
    const char *text = text_of(job, wanted->what);
    char path[SERVER_PATH_MAX];
    struct stat info;

    if (text) {
        send_text(s, reply, text, wanted->type);
    } else if (path_of(job, wanted->what, path, sizeof path)) {
        reply->file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (reply->file < 0 || fstat(reply->file, &info) != 0) {
            server_refuse(reply, 500, "io", "The file of the job cannot be read.");
            return;
        }
        reply->status = 200;
        reply->type = wanted->type;
        reply->file_size = (uint64_t)info.st_size;
    } else {
        server_refuse(reply, 409, "conflict", "The job has no such result, or not yet.");
    }
    reply->policy = REPORT_POLICY;
}

void server_get_file(server *s, server_request *request, server_reply *reply)
{
    const server_job *job = server_job_named(s, reply, request->parts[0]);
    const part *wanted = find_part(server_argument_of(request, "what"));

    if (job && !wanted) {
        server_refuse(reply, 400, "request", "\"what\" must be one of what the job has.");
    } else if (job) {
        send_part(s, reply, job, wanted);
    }
}

/* --- Tickets. ----------------------------------------------------------------------------- */

/* A place for a ticket: one that is free or over, else the one that ends first. */
static server_ticket *find_place(server *s)
{
    server_ticket *place = &s->tickets[0];

    for (size_t i = 1; i < SERVER_TICKETS_MAX; i++) {
        if (s->tickets[i].until < place->until) {
            place = &s->tickets[i];
        }
    }
    return place;
}

static void give_ticket(server *s, server_reply *reply, const server_job *job,
                        const part *wanted, const server_ticket *asked)
{
    server_ticket *ticket = find_place(s);
    char path[64];

    *ticket = *asked;
    if (!server_draw(ticket->key, sizeof ticket->key)) {
        server_refuse(reply, 500, "io", "The operating system gives no random numbers.");
        return;
    }
    ticket->job = job->number;
    snprintf(ticket->what, sizeof ticket->what, "%s", wanted->what);
    ticket->until = server_now() + SERVER_TICKET_SECONDS;
    server_body b = server_body_begin();

    snprintf(path, sizeof path, "/view/%s", ticket->key);
    server_body_put(&b, b.root, "path", json_string(path));
    server_body_put(&b, b.root, "seconds", json_integer(SERVER_TICKET_SECONDS));
    server_body_send(&b, reply, 200);
}

void server_post_ticket(server *s, server_request *request, server_reply *reply)
{
    static const char *const known[] = {"what", "download", "name", NULL};
    const server_job *job = server_job_named(s, reply, request->parts[0]);
    json_t *body = job ? server_body_parse(request, reply, known) : NULL;
    const char *what = NULL;
    const char *name = NULL;
    server_ticket asked = {0};

    if (!body || !server_body_want_text(reply, body, "what", &what) ||
        !server_body_want_text(reply, body, "name", &name) ||
        !server_body_want_truth(reply, body, "download", &asked.is_download)) {
        json_decref(body);
        return;
    }
    const part *wanted = find_part(what);
    char path[SERVER_PATH_MAX];

    if (!wanted) {
        server_refuse(reply, 400, "request", "\"what\" must be one of what the job has.");
    } else if (name && !server_is_name(name)) {
        server_refuse(reply, 400, "request", "\"name\" must be a name of a file.");
    } else if (!text_of(job, what) && !path_of(job, what, path, sizeof path)) {
        server_refuse(reply, 409, "conflict", "The job has no such result, or not yet.");
    } else {
        snprintf(asked.name, sizeof asked.name, "%s%s", name ? name : "release",
                 name ? "" : wanted->ending);
        give_ticket(s, reply, job, wanted, &asked);
    }
    json_decref(body);
}

void server_view(server *s, server_request *request, server_reply *reply)
{
    server_ticket *found = NULL;

    for (size_t i = 0; i < SERVER_TICKETS_MAX; i++) {
        if (s->tickets[i].key[0] && s->tickets[i].until > server_now() &&
            server_is_same_secret(s->tickets[i].key, request->parts[0])) {
            found = &s->tickets[i];
        }
    }
    const server_job *job = found ? server_job_find(s, found->job) : NULL;

    if (!job) {
        server_refuse(reply, 404, "not_found",
                      "This address was for one visit, which is over.");
        return;
    }
    send_part(s, reply, job, find_part(found->what));
    if (reply->status == 200 && found->is_download) {
        reply->download = strdup(found->name);
    }
    *found = (server_ticket){0};
}

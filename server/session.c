#include "session.h"

#include "folder.h"
#include "jobs.h"
#include "page.h"
#include "rows.h"
#include "specs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Life. -------------------------------------------------------------------------------- */

bool server_open(server *s)
{
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->is_wanted, NULL);
    s->ctx = shoal_ctx_new();
    if (s->ctx) {
        shoal_ctx_set_threads(s->ctx, s->threads);
    }
    return s->ctx && server_spec_build(s->ctx, &s->spec, "columns: {}\n", false) == SHOAL_OK &&
           server_draw(s->token, sizeof s->token);
}

void server_close(server *s)
{
    server_jobs_clear(s);
    server_table_clear(&s->table);
    server_spec_clear(&s->spec);
    free(s->source.name);
    free(s->source.path);
    shoal_ctx_free(s->ctx);
    pthread_cond_destroy(&s->is_wanted);
    pthread_mutex_destroy(&s->mutex);
}

/* --- The session. ------------------------------------------------------------------------- */

/* What opens it again: a path of the folder, an upload, or the name of an example. */
static json_t *make_path(const server *s)
{
    char id[SERVER_ID_MAX];

    for (size_t i = 0; i < SERVER_UPLOADS_MAX; i++) {
        if (s->uploads[i].number > 0 && strcmp(s->uploads[i].path, s->source.path) == 0) {
            snprintf(id, sizeof id, "u%u", s->uploads[i].number);
            return json_string(id);
        }
    }
    return strcmp(s->source.origin, "example") == 0 ? json_string("census")
                                                    : server_body_text(s->source.path);
}

static json_t *make_source(server_body *b, const server *s)
{
    if (!s->source.path) {
        return json_null();
    }
    json_t *source = json_object();

    server_body_put(b, source, "name", server_body_text(s->source.name));
    server_body_put(b, source, "origin", json_string(s->source.origin));
    server_body_put(b, source, "path", make_path(s));
    server_body_put(b, source, "bytes", server_body_count(s->source.bytes));
    return source;
}

static json_t *make_table(server_body *b, const server *s)
{
    if (!s->table.table) {
        return json_null();
    }
    json_t *table = json_object();

    server_body_put(b, table, "records",
                    server_body_count(shoal_table_row_count(s->table.table)));
    server_body_put(b, table, "columns",
                    server_body_count(shoal_table_column_count(s->table.table)));
    server_body_put(b, table, "stale", json_boolean(server_spec_is_stale(s)));
    return table;
}

static json_t *make_limits(server_body *b)
{
    static const struct {
        const char *name;
        uint64_t most;
    } limits[] = {{"rows", SERVER_ROWS_MAX},      {"cell", SERVER_CELL_MAX},
                  {"body", SERVER_BODY_MAX},      {"upload", SERVER_UPLOAD_MAX},
                  {"nodes", SERVER_NODES_MAX},    {"jobs_waiting", SERVER_WAITING_MAX},
                  {"jobs_kept", SERVER_JOBS_MAX}, {"ticket_seconds", SERVER_TICKET_SECONDS}};
    json_t *object = json_object();

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        server_body_put(b, object, limits[i].name, server_body_count(limits[i].most));
    }
    return object;
}

void server_get_session(server *s, server_request *request, server_reply *reply)
{
    server_body b = server_body_begin();
    json_t *spec = json_object();
    json_t *jobs = json_array();
    char inspect[SERVER_ID_MAX];

    (void)request;
    snprintf(inspect, sizeof inspect, "j%u", s->inspect);
    server_spec_put(&b, spec, &s->spec, server_spec_is_stale(s));
    for (const server_job *job = s->jobs; job; job = job->next) {
        server_body_add(&b, jobs, server_job_put(&b, job));
    }
    server_body_put(&b, b.root, "version", json_string(shoal_version()));
    server_body_put(&b, b.root, "revision", server_body_count(s->revision));
    server_body_put(&b, b.root, "folder", server_body_text(s->folder));
    server_body_put(&b, b.root, "page", json_boolean(server_page_is_there()));
    server_body_put(&b, b.root, "source", make_source(&b, s));
    server_body_put(&b, b.root, "table", make_table(&b, s));
    server_body_put(&b, b.root, "spec", spec);
    server_body_put(&b, b.root, "inspect", s->inspect ? json_string(inspect) : json_null());
    server_body_put(&b, b.root, "jobs", jobs);
    server_body_put(&b, b.root, "limits", make_limits(&b));
    server_body_send(&b, reply, 200);
}

/* --- Uploads. ----------------------------------------------------------------------------- */

/* Whether a job, or the session, still reads an upload. */
static bool is_used(const server *s, const server_upload *upload)
{
    bool is = s->source.path && strcmp(s->source.path, upload->path) == 0;

    for (const server_job *job = s->jobs; job && !is; job = job->next) {
        is = !server_job_is_over(job) && job->source.path &&
             strcmp(job->source.path, upload->path) == 0;
    }
    return is;
}

static void forget_upload(server_upload *upload)
{
    char *slash = strrchr(upload->path, '/');

    if (slash) {
        *slash = '\0';
        server_remove_folder(upload->path);
    }
    *upload = (server_upload){0};
}

/* A place for one more; the oldest that nobody reads makes room. NULL: all are in use. */
static server_upload *find_place(server *s)
{
    server_upload *place = NULL;

    for (size_t i = 0; i < SERVER_UPLOADS_MAX; i++) {
        server_upload *upload = &s->uploads[i];

        if (upload->number == 0) {
            return upload;
        }
        if (!is_used(s, upload) && (!place || upload->number < place->number)) {
            place = upload;
        }
    }
    if (place) {
        forget_upload(place);
    }
    return place;
}

/* A file name of its own in the private folder. */
static bool place_upload(server *s, server_upload *upload, const char *name)
{
    char folder[SERVER_PATH_MAX];

    upload->number = ++s->upload_number;
    snprintf(upload->name, sizeof upload->name, "%s", name);
    snprintf(folder, sizeof folder, "%s/uploads/%u", s->work, upload->number);
    int length = snprintf(upload->path, sizeof upload->path, "%s/%s", folder, name);

    return length > 0 && (size_t)length < sizeof upload->path && mkdir(folder, 0700) == 0;
}

void server_post_upload(server *s, server_request *request, server_reply *reply)
{
    const char *name = server_argument_of(request, "name");
    server_upload *upload = NULL;
    char id[SERVER_ID_MAX];

    if (!name || !server_is_name(name)) {
        server_refuse(reply, 400, "request",
                      "\"name\" must be a name of a file, without slashes and not hidden.");
        return;
    }
    upload = find_place(s);
    if (!upload) {
        server_refuse(reply, 429, "busy", "%d uploads are in use.", SERVER_UPLOADS_MAX);
        return;
    }
    bool is_kept = place_upload(s, upload, name) &&
                   (request->file ? rename(request->file, upload->path) == 0
                                  : server_write_file(upload->path, request->body,
                                                      request->body_size, true));

    if (!is_kept) {
        server_refuse_write(reply, name, errno);
        forget_upload(upload);
        return;
    }
    upload->bytes = request->file ? request->file_size : request->body_size;
    server_body b = server_body_begin();

    snprintf(id, sizeof id, "u%u", upload->number);
    server_body_put(&b, b.root, "upload", json_string(id));
    server_body_put(&b, b.root, "name", server_body_text(name));
    server_body_put(&b, b.root, "bytes", server_body_count(upload->bytes));
    server_body_send(&b, reply, 201);
}

/* --- Opening. ----------------------------------------------------------------------------- */

typedef struct opening {
    const char *name;
    char path[SERVER_PATH_MAX];
    const char *origin;
    uint64_t bytes;
} opening;

static const server_upload *find_upload(const server *s, const char *id)
{
    char name[SERVER_ID_MAX];

    for (size_t i = 0; i < SERVER_UPLOADS_MAX; i++) {
        snprintf(name, sizeof name, "u%u", s->uploads[i].number);
        if (s->uploads[i].number > 0 && strcmp(name, id) == 0) {
            return &s->uploads[i];
        }
    }
    return NULL;
}

static bool take_path(server *s, server_reply *reply, opening *out, const char *path)
{
    const char *slash = strrchr(path, '/');
    struct stat info = {0};

    if (!server_check_input(s, reply, path, "The file")) {
        return false;
    }
    (void)stat(path, &info);
    *out = (opening){
        .name = slash ? slash + 1 : path, .origin = "folder", .bytes = (uint64_t)info.st_size};
    snprintf(out->path, sizeof out->path, "%s", path);
    return true;
}

static bool take_upload(server *s, server_reply *reply, opening *out, const char *id)
{
    const server_upload *upload = find_upload(s, id);

    if (!upload) {
        return server_refuse(reply, 404, "not_found", "There is no such upload.");
    }
    *out = (opening){.name = upload->name, .origin = "upload", .bytes = upload->bytes};
    snprintf(out->path, sizeof out->path, "%s", upload->path);
    return true;
}

static bool take_example(server *s, server_reply *reply, opening *out, const char *name)
{
    if (strcmp(name, "census") != 0) {
        return server_refuse(reply, 404, "not_found", "The example is called census.");
    }
    *out = (opening){.name = "census.csv", .origin = "example"};
    snprintf(out->path, sizeof out->path, "%s/uploads/census.csv", s->work);
    return true;
}

/* Which file a body asks for; exactly one. */
static bool take_opening(server *s, server_reply *reply, opening *out, const json_t *body)
{
    const char *path = NULL;
    const char *upload = NULL;
    const char *example = NULL;

    if (!server_body_want_text(reply, body, "path", &path) ||
        !server_body_want_text(reply, body, "upload", &upload) ||
        !server_body_want_text(reply, body, "example", &example)) {
        return false;
    }
    if ((path != NULL) + (upload != NULL) + (example != NULL) != 1) {
        return server_refuse(reply, 400, "request",
                             "Say what to open: \"path\", \"upload\" or \"example\".");
    }
    return path     ? take_path(s, reply, out, path)
           : upload ? take_upload(s, reply, out, upload)
                    : take_example(s, reply, out, example);
}

/* The spec that reading begins with. */
static bool take_from(server *s, server_reply *reply, server_spec *out, const json_t *from)
{
    if (json_is_object(from)) {
        return server_spec_from_tree(s, out, reply, from);
    }
    if (json_is_string(from) && strcmp(json_string_value(from), "current") == 0) {
        return server_spec_copy(s->ctx, out, &s->spec) == SHOAL_OK ||
               server_refuse(reply, 500, "memory", "Out of memory.");
    }
    if (from && !json_is_null(from)) {
        return server_refuse(reply, 400, "request",
                             "\"from\" must be \"current\" or an object.");
    }
    return server_spec_build(s->ctx, out, "columns: {}\n", false) == SHOAL_OK ||
           server_refuse(reply, 500, "memory", "Out of memory.");
}

static bool queue_opening(server *s, server_reply *reply, const opening *what,
                          const server_spec *spec)
{
    server_job *job = server_job_new(s, reply, SERVER_OPEN, spec);

    if (!job) {
        return false;
    }
    free(job->source.name);
    free(job->source.path);
    job->source = (server_source){.name = strdup(what->name),
                                  .path = strdup(what->path),
                                  .origin = what->origin,
                                  .bytes = what->bytes,
                                  .number = ++s->source_number};
    if (!job->source.name || !job->source.path) {
        server_job_free(job);
        return server_refuse(reply, 500, "memory", "Out of memory.");
    }
    server_job_queue(s, job);
    s->revision++;
    server_body b = server_body_begin();

    json_decref(b.root);
    b.root = server_job_put(&b, job);
    server_body_send(&b, reply, 202);
    return true;
}

void server_post_open(server *s, server_request *request, server_reply *reply)
{
    static const char *const known[] = {"path", "upload", "example", "from", NULL};
    json_t *body = server_body_parse(request, reply, known);
    server_spec spec = {0};
    opening what = {0};

    if (body && take_opening(s, reply, &what, body) &&
        take_from(s, reply, &spec, json_object_get(body, "from"))) {
        queue_opening(s, reply, &what, &spec);
    }
    server_spec_clear(&spec);
    json_decref(body);
}

bool server_open_first(server *s, server_reply *reply, const char *path)
{
    server_spec spec = {0};
    opening what = {0};
    bool is_good = take_path(s, reply, &what, path) && take_from(s, reply, &spec, NULL) &&
                   queue_opening(s, reply, &what, &spec);

    server_spec_clear(&spec);
    return is_good;
}

#include "route.h"

#include "folder.h"
#include "gate.h"
#include "jobs.h"
#include "page.h"
#include "results.h"
#include "rows.h"
#include "session.h"
#include "specs.h"
#include "stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static const server_route routes[] = {
    {"GET", "/api/session", server_get_session, SERVER_NO_BODY},
    {"GET", "/api/choices", server_get_choices, SERVER_NO_BODY},
    {"GET", "/api/folder", server_list_folder, SERVER_NO_BODY},
    {"POST", "/api/upload", server_post_upload, SERVER_OCTETS},
    {"POST", "/api/open", server_post_open, SERVER_JSON},
    {"GET", "/api/rows", server_get_rows, SERVER_NO_BODY},
    {"GET", "/api/columns", server_get_columns, SERVER_NO_BODY},
    {"GET", "/api/columns/*/values", server_get_values, SERVER_NO_BODY},
    {"GET", "/api/spec", server_get_spec, SERVER_NO_BODY},
    {"PUT", "/api/spec", server_put_spec, SERVER_JSON},
    {"POST", "/api/spec/check", server_check_spec, SERVER_JSON},
    {"POST", "/api/spec/open", server_open_spec, SERVER_JSON},
    {"POST", "/api/hierarchy", server_post_hierarchy, SERVER_JSON},
    {"POST", "/api/hierarchy/save", server_save_hierarchy, SERVER_JSON},
    {"GET", "/api/jobs", server_list_jobs, SERVER_NO_BODY},
    {"POST", "/api/jobs", server_post_job, SERVER_JSON},
    {"GET", "/api/jobs/*", server_get_job, SERVER_NO_BODY},
    {"DELETE", "/api/jobs/*", server_delete_job, SERVER_NO_BODY},
    {"GET", "/api/jobs/*/events", server_get_events, SERVER_NO_BODY},
    {"GET", "/api/jobs/*/report", server_get_report, SERVER_NO_BODY},
    {"GET", "/api/jobs/*/text", server_get_text, SERVER_NO_BODY},
    {"GET", "/api/jobs/*/points", server_get_points, SERVER_NO_BODY},
    {"GET", "/api/jobs/*/rows", server_get_job_rows, SERVER_NO_BODY},
    {"GET", "/api/jobs/*/columns", server_get_job_columns, SERVER_NO_BODY},
    {"GET", "/api/jobs/*/command", server_get_command, SERVER_NO_BODY},
    {"GET", "/api/jobs/*/file", server_get_file, SERVER_NO_BODY},
    {"POST", "/api/jobs/*/ticket", server_post_ticket, SERVER_JSON},
    {"POST", "/api/release", server_post_release, SERVER_JSON},
    {"GET", "/view/*", server_view, SERVER_NO_BODY},
};

#define ROUTE_COUNT (sizeof routes / sizeof *routes)

const server_route *server_route_at(size_t i)
{
    return i < ROUTE_COUNT ? &routes[i] : NULL;
}

/* Whether a path is of a pattern; what stands for its stars is copied into the request. */
static bool matches(server_request *request, const char *pattern)
{
    const char *path = request->path;
    char *text = request->part_texts;
    size_t star = 0;

    while (*pattern) {
        if (*pattern == '*') {
            size_t length = strcspn(path, "/");

            if (length == 0 || star == 2 ||
                (size_t)(text - request->part_texts) + length + 1 > SERVER_PATH_MAX) {
                return false;
            }
            memcpy(text, path, length);
            text[length] = '\0';
            request->parts[star++] = text;
            text += length + 1;
            path += length;
            pattern++;
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return *path == '\0';
}

const server_route *server_route_find(server_request *request, server_reply *reply)
{
    bool is_there = false;

    if (strlen(request->path) >= SERVER_PATH_MAX) {
        server_refuse(reply, 404, "not_found", "There is no such call.");
        return NULL;
    }
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        if (matches(request, routes[i].pattern)) {
            if (strcmp(routes[i].method, request->method) == 0) {
                return &routes[i];
            }
            is_there = true;
        }
    }
    if (is_there) {
        server_refuse(reply, 405, "method", "This call has another method.");
    } else {
        server_refuse(reply, 404, "not_found", "There is no such call.");
    }
    return NULL;
}

/* --- Bodies. ------------------------------------------------------------------------------ */

/* The length that a head promises; -1: none, or no number. */
static int64_t read_length(const char *text)
{
    char *end = NULL;

    if (!text || text[0] < '0' || text[0] > '9') {
        return -1;
    }
    errno = 0;
    long long length = strtoll(text, &end, 10);

    return *end || errno ? -1 : (int64_t)length;
}

/* Whether a type is this one, with or without parameters. */
static bool is_type(const char *text, const char *type)
{
    size_t length = strlen(type);

    return text && strncmp(text, type, length) == 0 &&
           (text[length] == '\0' || text[length] == ';' || text[length] == ' ');
}

static bool admit_body(const server_request *request, server_reply *reply,
                       const server_route *route)
{
    bool is_upload = route->body == SERVER_OCTETS;
    uint64_t most = is_upload ? SERVER_UPLOAD_MAX : SERVER_BODY_MAX;
    int64_t length = read_length(request->length);

    if (route->body == SERVER_NO_BODY) {
        return (!request->is_chunked && length <= 0) ||
               server_refuse(reply, 400, "request", "This call has no body.");
    }
    if (!is_type(request->type, is_upload ? "application/octet-stream" : "application/json")) {
        return server_refuse(reply, 415, "media", "The body must be %s.",
                             is_upload ? "application/octet-stream" : "application/json");
    }
    if (request->is_chunked || length < 0) {
        return server_refuse(reply, 411, "request", "Say how long the body is.");
    }
    return (uint64_t)length <= most ||
           server_refuse(reply, 413, "limit", "The body may have %llu bytes.",
                         (unsigned long long)most);
}

bool server_admit(server *s, server_request *request, server_reply *reply, bool *is_upload)
{
    bool is_page =
        strncmp(request->path, "/api/", 5) != 0 && strncmp(request->path, "/view/", 6) != 0;

    *is_upload = false;
    if (!server_gate(s, request, reply)) {
        return false;
    }
    if (is_page) {
        return true;
    }
    const server_route *route = server_route_find(request, reply);

    if (!route || !admit_body(request, reply, route)) {
        return false;
    }
    *is_upload = route->body == SERVER_OCTETS;
    return true;
}

void server_answer(server *s, server_request *request, server_reply *reply)
{
    bool is_upload = false;

    *reply = (server_reply){.file = -1};
    if (!server_admit(s, request, reply, &is_upload)) {
        return;
    }
    if (strncmp(request->path, "/api/", 5) != 0 && strncmp(request->path, "/view/", 6) != 0) {
        server_send_page(request, reply);
        return;
    }
    const server_route *route = server_route_find(request, reply);

    pthread_mutex_lock(&s->mutex);
    route->handle(s, request, reply);
    pthread_mutex_unlock(&s->mutex);
}

/* --- What handlers share. ----------------------------------------------------------------- */

void server_reply_clear(server_reply *reply)
{
    if (!reply->is_borrowed) {
        free(reply->bytes);
    }
    if (reply->file >= 0) {
        close(reply->file);
    }
    free(reply->download);
    *reply = (server_reply){.file = -1};
}

double server_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool server_draw(char *out, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[32];
    size_t count = (size - 1) / 2;

    if (count > sizeof bytes || getentropy(bytes, count) != 0) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * count] = '\0';
    return true;
}

const char *server_argument_of(const server_request *request, const char *name)
{
    for (size_t i = 0; i < request->argument_count; i++) {
        if (strcmp(request->arguments[i].name, name) == 0) {
            return request->arguments[i].value;
        }
    }
    return NULL;
}

bool server_count_of(const server_request *request, server_reply *reply, const char *name,
                     uint64_t *out, uint64_t standard, uint64_t most)
{
    const char *text = server_argument_of(request, name);
    char *end = NULL;

    *out = standard;
    if (!text) {
        return true;
    }
    errno = 0;
    unsigned long long number = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;

    if (!end || *end || errno || number > most) {
        return server_refuse(reply, 400, "request",
                             "\"%s\" must be a whole number from 0 to %llu.", name,
                             (unsigned long long)most);
    }
    *out = number;
    return true;
}

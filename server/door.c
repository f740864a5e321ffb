#include "door.h"

#include "folder.h"
#include "jobs.h"
#include "stream.h"

#include <microhttpd.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTIONS_MAX 128
#define CROWDED 112 /* connections from which on slow ones are cut off early */
#define CROWDED_SECONDS 1.0
#define READING_SECONDS 30.0
#define IDLE_SECONDS 10u
#define API_POLICY "default-src 'none'; frame-ancestors 'none'; sandbox"

/* A request on its way in. */
typedef struct exchange {
    server_request request;
    char *body;
    size_t size;
    size_t capacity;
    bool is_upload;
    int file;
    int file_error; /* of errno; 0: none */
    char path[SERVER_PATH_MAX];
} exchange;

/* --- Visits. ------------------------------------------------------------------------------ */

static void notice_visit(void *payload, struct MHD_Connection *connection, void **context,
                         enum MHD_ConnectionNotificationCode code)
{
    server_door *door = payload;

    pthread_mutex_lock(&door->mutex);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        server_visit *visit = calloc(1, sizeof *visit);

        if (visit) {
            *visit = (server_visit){door->visits, info->connect_fd, server_now(), true, false};
            door->visits = visit;
            door->visit_count++;
        }
        *context = visit;
    } else {
        for (server_visit **link = &door->visits; *link; link = &(*link)->next) {
            if (*link == *context) {
                server_visit *visit = *link;

                *link = visit->next;
                door->visit_count--;
                free(visit);
                break;
            }
        }
        *context = NULL;
    }
    pthread_mutex_unlock(&door->mutex);
}

static void mark_visit(server_door *door, struct MHD_Connection *connection, bool is_reading,
                       bool is_upload)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    server_visit *visit = info ? info->socket_context : NULL;

    pthread_mutex_lock(&door->mutex);
    if (visit) {
        visit->since = server_now();
        visit->is_reading = is_reading;
        visit->is_upload = is_upload;
    }
    pthread_mutex_unlock(&door->mutex);
}

/* Cut off who takes too long to say what he wants. */
static void watch_visits(server_door *door)
{
    double now = server_now();

    pthread_mutex_lock(&door->mutex);
    double patience = door->visit_count >= CROWDED ? CROWDED_SECONDS : READING_SECONDS;

    for (const server_visit *visit = door->visits; visit; visit = visit->next) {
        if (visit->is_reading && !visit->is_upload && now - visit->since > patience) {
            (void)shutdown(visit->socket, SHUT_RDWR);
        }
    }
    pthread_mutex_unlock(&door->mutex);
}

/* --- Heads. ------------------------------------------------------------------------------- */

typedef struct head {
    const char *name;
    size_t field; /* of the request */
} head;

static const head heads[] = {
    {"Host", offsetof(server_request, host)},
    {"Origin", offsetof(server_request, origin)},
    {"Sec-Fetch-Site", offsetof(server_request, site)},
    {"Shoal-Token", offsetof(server_request, token)},
    {"Content-Type", offsetof(server_request, type)},
    {"Content-Length", offsetof(server_request, length)},
};

static enum MHD_Result take_head(void *payload, enum MHD_ValueKind kind, const char *name,
                                 const char *value)
{
    server_request *request = payload;

    (void)kind;
    if (strcasecmp(name, "Transfer-Encoding") == 0) {
        request->is_chunked = true;
    } else if (strcasecmp(name, "Accept-Encoding") == 0) {
        request->takes_gzip = value && strstr(value, "gzip") && !strstr(value, "gzip;q=0");
    }
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (strcasecmp(name, heads[i].name) == 0) {
            const char **field = (const char **)((char *)request + heads[i].field);

            request->has_twice |= *field != NULL;
            *field = value ? value : "";
        }
    }
    return MHD_YES;
}

static enum MHD_Result take_argument(void *payload, enum MHD_ValueKind kind, const char *name,
                                     const char *value)
{
    server_request *request = payload;

    (void)kind;
    if (request->argument_count == SERVER_ARGUMENTS_MAX) {
        return MHD_NO;
    }
    request->arguments[request->argument_count++] = (server_argument){name, value};
    return MHD_YES;
}

static void take_request(exchange *e, struct MHD_Connection *connection, const char *method,
                         const char *path)
{
    e->request.method = method;
    e->request.path = path;
    MHD_get_connection_values(connection, MHD_HEADER_KIND, take_head, &e->request);
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, take_argument, &e->request);
}

/* --- Replies. ----------------------------------------------------------------------------- */

static void put_head(struct MHD_Response *response, const char *name, const char *value)
{
    (void)MHD_add_response_header(response, name, value);
}

/* attachment; filename*=UTF-8''NAME, with all but letters and digits in hexadecimal digits. */
static void put_download(struct MHD_Response *response, const char *name)
{
    char value[3 * SERVER_NAME_MAX + 64] = "attachment; filename*=UTF-8''";
    size_t used = strlen(value);

    for (; *name && used + 4 < sizeof value; name++) {
        unsigned char c = (unsigned char)*name;
        bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                        (c >= 'A' && c <= 'Z') || strchr(".-_", c);

        used +=
            (size_t)snprintf(value + used, sizeof value - used, is_plain ? "%c" : "%%%02X", c);
    }
    put_head(response, MHD_HTTP_HEADER_CONTENT_DISPOSITION, value);
}

static void put_heads(struct MHD_Response *response, const server_reply *reply)
{
    put_head(response, MHD_HTTP_HEADER_CONTENT_TYPE, reply->type);
    put_head(response, "Content-Security-Policy", reply->policy ? reply->policy : API_POLICY);
    put_head(response, "X-Content-Type-Options", "nosniff");
    put_head(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    put_head(response, "Referrer-Policy", "no-referrer");
    put_head(response, "Cross-Origin-Resource-Policy", "same-origin");
    put_head(response, "Cross-Origin-Opener-Policy", "same-origin");
    if (reply->is_packed) {
        put_head(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    }
    if (reply->download) {
        put_download(response, reply->download);
    }
}

/* The next bytes of a stream; where there are none the connection rests. */
static ssize_t read_stream(void *payload, uint64_t position, char *out, size_t most)
{
    server_stream *stream = payload;
    server_door *door = stream->door;
    ssize_t count = 0;

    (void)position;
    pthread_mutex_lock(&stream->server->mutex);
    if (stream->sent == stream->size) {
        (void)server_stream_fill(stream);
    }
    if (stream->sent < stream->size) {
        size_t left = stream->size - stream->sent;

        count = (ssize_t)(left < most ? left : most);
        memcpy(out, stream->text + stream->sent, (size_t)count);
        stream->sent += (size_t)count;
    } else if (stream->is_ended || stream->server->is_ending) {
        count = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        stream->next = door->resting;
        door->resting = stream;
        MHD_suspend_connection(stream->connection);
    }
    pthread_mutex_unlock(&stream->server->mutex);
    return count;
}

static void end_stream(void *payload)
{
    server_stream *stream = payload;
    server *s = stream->server;

    pthread_mutex_lock(&s->mutex);
    server_stream_free(stream);
    pthread_mutex_unlock(&s->mutex);
}

static struct MHD_Response *make_response(server_reply *reply, server_door *door,
                                          struct MHD_Connection *connection)
{
    struct MHD_Response *response = NULL;

    if (reply->stream) {
        reply->stream->connection = connection;
        reply->stream->door = door;
        response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_stream,
                                                     reply->stream, end_stream);
        if (!response) {
            end_stream(reply->stream);
        }
        reply->stream = NULL;
    } else if (reply->file >= 0) {
        response = MHD_create_response_from_fd64(reply->file_size, reply->file);
        reply->file = response ? -1 : reply->file;
    } else {
        response = MHD_create_response_from_buffer(reply->size, reply->bytes,
                                                   reply->is_borrowed ? MHD_RESPMEM_PERSISTENT
                                                                      : MHD_RESPMEM_MUST_FREE);
        reply->bytes = response ? NULL : reply->bytes;
    }
    return response;
}

static enum MHD_Result send_reply(server_door *door, struct MHD_Connection *connection,
                                  server_reply *reply)
{
    struct MHD_Response *response = make_response(reply, door, connection);
    enum MHD_Result result = MHD_NO;

    if (response) {
        put_heads(response, reply);
        result = MHD_queue_response(connection, reply->status, response);
        MHD_destroy_response(response);
    }
    mark_visit(door, connection, false, false);
    server_reply_clear(reply);
    return result;
}

/* --- Bodies. ------------------------------------------------------------------------------ */

static bool open_upload(exchange *e, const server *s)
{
    char key[SERVER_TOKEN_SIZE];

    if (!server_draw(key, sizeof key)) {
        return false;
    }
    snprintf(e->path, sizeof e->path, "%s/uploads/in-%s", s->work, key);
    e->file = open(e->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    e->file_error = e->file < 0 ? errno : 0;
    return true;
}

/* A disk that is full is told at the end: the rest of the body is read and dropped. */
static void take_upload(exchange *e, const char *bytes, size_t size)
{
    e->request.file_size += size;
    if (e->request.file_size > SERVER_UPLOAD_MAX) {
        e->file_error = EFBIG;
    }
    while (size > 0 && e->file_error == 0) {
        ssize_t written = write(e->file, bytes, size);

        if (written < 0 && errno != EINTR) {
            e->file_error = errno;
        } else if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
}

static bool take_bytes(exchange *e, const char *bytes, size_t size)
{
    if (e->size + size > SERVER_BODY_MAX) {
        return false;
    }
    if (e->size + size > e->capacity) {
        size_t capacity = 2 * (e->size + size);
        char *body = realloc(e->body, capacity);

        if (!body) {
            return false;
        }
        e->body = body;
        e->capacity = capacity;
    }
    memcpy(e->body + e->size, bytes, size);
    e->size += size;
    return true;
}

static enum MHD_Result begin(server_door *door, struct MHD_Connection *connection, exchange *e,
                             const char *method, const char *path)
{
    server_reply reply = {.file = -1};

    take_request(e, connection, method, path);
    if (!server_admit(door->server, &e->request, &reply, &e->is_upload)) {
        return send_reply(door, connection, &reply);
    }
    if (e->is_upload && !open_upload(e, door->server)) {
        server_refuse(&reply, 500, "io", "The operating system gives no random numbers.");
        return send_reply(door, connection, &reply);
    }
    mark_visit(door, connection, true, e->is_upload);
    return MHD_YES;
}

static enum MHD_Result finish(server_door *door, struct MHD_Connection *connection, exchange *e,
                              const char *method, const char *path)
{
    server_reply reply = {.file = -1};

    /* What the library holds of a request may have moved while the body came. */
    e->request = (server_request){.file_size = e->request.file_size};
    take_request(e, connection, method, path);
    e->request.body = e->body;
    e->request.body_size = e->size;
    e->request.file = e->is_upload ? e->path : NULL;
    if (e->is_upload && close(e->file) != 0 && e->file_error == 0) {
        e->file_error = errno;
    }
    e->file = -1;
    if (e->is_upload && e->file_error != 0) {
        const char *name = server_argument_of(&e->request, "name");

        (void)unlink(e->path);
        server_refuse_write(&reply, name ? name : "upload", e->file_error);
    } else {
        server_answer(door->server, &e->request, &reply);
    }
    return send_reply(door, connection, &reply);
}

static enum MHD_Result answer(void *payload, struct MHD_Connection *connection,
                              const char *path, const char *method, const char *version,
                              const char *bytes, size_t *size, void **state)
{
    server_door *door = payload;
    exchange *e = *state;

    (void)version;
    if (!e) {
        e = calloc(1, sizeof *e);
        if (!e) {
            return MHD_NO;
        }
        e->file = -1;
        *state = e;
        return begin(door, connection, e, method, path);
    }
    if (*size > 0) {
        if (e->is_upload) {
            take_upload(e, bytes, *size);
        } else if (!take_bytes(e, bytes, *size)) {
            return MHD_NO;
        }
        *size = 0;
        return MHD_YES;
    }
    return finish(door, connection, e, method, path);
}

static void end_exchange(void *payload, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code)
{
    exchange *e = *state;

    (void)code;
    mark_visit(payload, connection, true, false);
    if (e) {
        if (e->file >= 0) {
            close(e->file);
        }
        if (e->is_upload) { /* gone, unless a handler has given it another name */
            (void)unlink(e->path);
        }
        free(e->body);
        free(e);
    }
    *state = NULL;
}

/* --- Life. -------------------------------------------------------------------------------- */

bool server_door_open(server_door *door, server *s, int socket)
{
    *door = (server_door){.server = s};
    pthread_mutex_init(&door->mutex, NULL);
    door->daemon = MHD_start_daemon(
        MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, door,
        MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(2 * SERVER_HEAD_MAX),
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED, end_exchange, door,
        MHD_OPTION_NOTIFY_CONNECTION, notice_visit, door, MHD_OPTION_END);
    if (!door->daemon) {
        close(socket);
        pthread_mutex_destroy(&door->mutex);
    }
    return door->daemon != NULL;
}

/* Wake streams that have something to tell, or all of them. */
static void wake_streams(server_door *door, bool is_all)
{
    server_stream **link = &door->resting;

    while (*link) {
        server_stream *stream = *link;

        if (is_all || server_stream_is_due(stream)) {
            *link = stream->next;
            MHD_resume_connection(stream->connection);
        } else {
            link = &stream->next;
        }
    }
}

void server_door_tick(server_door *door)
{
    server *s = door->server;

    watch_visits(door);
    pthread_mutex_lock(&s->mutex);
    if (s->running) {
        server_job_poll(s->running, false);
    }
    wake_streams(door, false);
    pthread_mutex_unlock(&s->mutex);
}

void server_door_close(server_door *door)
{
    server *s = door->server;

    pthread_mutex_lock(&s->mutex);
    s->is_ending = true;
    wake_streams(door, true);
    pthread_mutex_unlock(&s->mutex);
    MHD_stop_daemon(door->daemon);
    pthread_mutex_destroy(&door->mutex);
}

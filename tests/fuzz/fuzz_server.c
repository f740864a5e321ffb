/* Requests to the server, in the form they have behind libmicrohttpd: a line with the method,
 * one with the path, one with what stands behind its question mark, and a body.
 *
 *     PUT
 *     /api/spec
 *     from=1&count=2
 *     {"yaml": "..."}
 *
 * The gate lets them in, so that handlers and what they parse are reached. No answer may be
 * without a status or promise bytes that are not there. The folder that is served is an empty
 * one, and jobs are queued but never run.
 */
#include <server.h>

#include <folder.h>
#include <jobs.h>
#include <rows.h>
#include <stream.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static server state;
static int lock = -1;

static void end(void)
{
    char *folder = state.folder;

    server_close(&state);
    server_work_close(state.work, lock);
    if (chdir("/") == 0) {
        server_remove_folder(folder);
    }
    free(folder);
}

static void begin(void)
{
    char folder[] = "/tmp/fuzz-server-XXXXXX";
    char message[256];

    if (!mkdtemp(folder) || chdir(folder) != 0 ||
        !server_work_open(&state.work, &lock, message, sizeof message) ||
        !server_open(&state)) {
        abort();
    }
    state.folder = realpath(".", NULL);
    state.port = 80;
    atexit(end);
}

/* A table to ask about. */
static void open_table(void)
{
    static const char text[] = "a,b\nx,1\ny,2\n,3\nx,4\n";
    shoal_table *table = NULL;

    if (shoal_csv_read_memory(state.ctx, &table, text, sizeof text - 1, "t", NULL) !=
            SHOAL_OK ||
        server_table_count(&state.table, table, state.spec.tree) != SHOAL_OK) {
        abort();
    }
    state.source = (server_source){strdup("t.csv"), strdup("t.csv"), "folder", sizeof text, 1};
    state.source_number = 1;
}

/* The next line of the input, cut off from it. */
static char *cut_line(char **rest)
{
    char *line = *rest;
    char *end_of_line = strchr(line, '\n');

    if (end_of_line) {
        *end_of_line = '\0';
        *rest = end_of_line + 1;
    } else {
        *rest = line + strlen(line);
    }
    return line;
}

static void take_arguments(server_request *request, char *text)
{
    while (*text && request->argument_count < SERVER_ARGUMENTS_MAX) {
        char *next = strchr(text, '&');
        char *value = NULL;

        if (next) {
            *next = '\0';
        }
        value = strchr(text, '=');
        if (value) {
            *value++ = '\0';
        }
        request->arguments[request->argument_count++] = (server_argument){text, value};
        text = next ? next + 1 : text + strlen(text);
    }
}

static void check(const server_reply *reply)
{
    bool has_body = reply->stream || reply->file >= 0 || reply->bytes;

    if (reply->status < 200 || reply->status > 599 || !reply->type || !has_body) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char length[32];
    char *text = malloc(size + 1);
    char *rest = text;
    server_reply reply = {.file = -1};

    if (!state.ctx) {
        begin();
        open_table();
    }
    if (!text) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    server_request request = {.host = "127.0.0.1:80", .token = state.token};

    request.method = cut_line(&rest);
    request.path = cut_line(&rest);
    take_arguments(&request, cut_line(&rest));
    request.body = rest;
    request.body_size = size - (size_t)(rest - text);
    snprintf(length, sizeof length, "%zu", request.body_size);
    if (request.body_size > 0) {
        request.length = length;
        request.type = strncmp(request.path, "/api/upload", 11) == 0
                           ? "application/octet-stream"
                           : "application/json";
    }
    server_answer(&state, &request, &reply);
    check(&reply);
    if (reply.stream) {
        (void)server_stream_fill(reply.stream);
        server_stream_free(reply.stream);
    }
    server_reply_clear(&reply);
    server_jobs_clear(&state);
    free(text);
    return 0;
}

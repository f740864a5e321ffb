/* server.h -- what the files of the server share: a request, a reply, and the state behind
 * them.
 *
 *     connection (serve.c) -> gate -> route -> a handler -> reply
 *
 * Handlers see neither sockets nor libmicrohttpd: a request is a struct of texts, a reply a
 * struct of bytes, so that they can be called by a test as well. They run in one thread, with
 * the server locked; jobs run in another one, which locks it for moments.
 *
 * Everything that is said about data comes from <shoal/...>.
 */
#ifndef SHOAL_SERVER_H
#define SHOAL_SERVER_H

#include <shoal/shoal.h>

#include "body.h"

#include <pthread.h>

/* --- Limits, as docs/server.md has them. ------------------------------------------------- */

#define SERVER_HEAD_MAX 16384
#define SERVER_BODY_MAX ((size_t)2 << 20)
#define SERVER_UPLOAD_MAX ((uint64_t)4 << 30)
#define SERVER_ROWS_MAX 500
#define SERVER_CELL_MAX 1024
#define SERVER_NODES_MAX 50000
#define SERVER_WAITING_MAX 16
#define SERVER_JOBS_MAX 64
#define SERVER_UPLOADS_MAX 16
#define SERVER_TICKETS_MAX 64
#define SERVER_TICKET_SECONDS 60
#define SERVER_ARGUMENTS_MAX 16
#define SERVER_NAME_MAX 200
#define SERVER_PATH_MAX 1024
#define SERVER_TOKEN_SIZE 33 /* 32 digits */
#define SERVER_ID_MAX 16

/* --- A request and its reply. ------------------------------------------------------------- */

typedef struct server_argument {
    const char *name;
    const char *value; /* NULL: none */
} server_argument;

typedef struct server_request {
    const char *method;
    const char *path;
    /* Heads; NULL: it has none of the name. A head that comes twice counts as wrong. */
    const char *host;
    const char *origin;
    const char *site; /* Sec-Fetch-Site */
    const char *token;
    const char *type;   /* Content-Type */
    const char *length; /* Content-Length */
    bool has_twice;
    bool is_chunked; /* a body of unknown length */
    bool takes_gzip;
    server_argument arguments[SERVER_ARGUMENTS_MAX];
    size_t argument_count;
    const char *body;
    size_t body_size;
    const char *file; /* an upload, whose body went to this file; NULL: the body is above */
    uint64_t file_size;
    const char *parts[2]; /* what stood for the stars of the route's pattern */
    char part_texts[SERVER_PATH_MAX];
} server_request;

struct server_stream;

typedef struct server_reply {
    unsigned status;
    const char *type;
    const char *policy; /* Content-Security-Policy; NULL: that of answers that are no pages */
    char *bytes;
    size_t size;
    bool is_borrowed; /* the bytes are constants */
    bool is_packed;   /* by gzip */
    int file;         /* in place of bytes; -1: none */
    uint64_t file_size;
    char *download;               /* the name to save it by; NULL: it is shown */
    struct server_stream *stream; /* in place of bytes */
} server_reply;

/* --- State. ------------------------------------------------------------------------------- */

/* A spec in all its forms. */
typedef struct server_spec {
    shoal_spec *spec;
    char *yaml;   /* as it was sent, or as the library writes it */
    json_t *tree; /* as the library writes it */
    char hash[SERVER_ID_MAX + 1];
} server_spec;

/* The table that rows are shown of, and how often each value is there. */
typedef struct server_table {
    shoal_table *table;
    uint64_t **counts; /* of column and code; one more for missing */
    uint32_t **orders; /* codes of a column by count, made when it is asked for */
    char *reading;     /* what the spec said about reading it */
} server_table;

typedef struct server_source {
    char *name;         /* to be shown */
    char *path;         /* to be read */
    const char *origin; /* "folder", "upload" or "example" */
    uint64_t bytes;
    unsigned number; /* of the openings: results of another one are not current */
} server_source;

typedef struct server_upload {
    unsigned number;
    char name[SERVER_NAME_MAX + 1];
    char path[SERVER_PATH_MAX];
    uint64_t bytes;
} server_upload;

typedef struct server_ticket {
    char key[SERVER_TOKEN_SIZE];
    unsigned job;
    char what[24];
    char name[SERVER_NAME_MAX + 1];
    bool is_download;
    double until;
} server_ticket;

struct server_job;

typedef struct server {
    pthread_mutex_t mutex;
    shoal_ctx *ctx; /* of the thread of requests */
    char *folder;   /* that is served, and is the current one */
    char *work;     /* the private folder */
    int port;
    int threads; /* of each run; 0: one per processor */
    char token[SERVER_TOKEN_SIZE];

    uint64_t revision;
    server_source source;
    server_table table;
    server_spec spec;
    unsigned inspect; /* the job that looked at the source; 0: none */

    server_upload uploads[SERVER_UPLOADS_MAX];
    unsigned upload_number;
    server_ticket tickets[SERVER_TICKETS_MAX];

    struct server_job *jobs; /* oldest first */
    unsigned job_number;
    unsigned source_number;
    struct server_job *running;
    pthread_t worker;
    pthread_cond_t is_wanted;
    bool is_ending;
} server;

/* Answer a request, the gate included. The reply is the caller's to clear. */
void server_answer(server *s, server_request *request, server_reply *reply);

/* Whether the request, of which only the head is there, may send its body: as server_answer,
 * with the refusal in the reply. *is_upload: the body goes to a file. */
bool server_admit(server *s, server_request *request, server_reply *reply, bool *is_upload);

void server_reply_clear(server_reply *reply);

/* Open and close what requests are about, without a socket; `work` and `folder` are set. */
bool server_open(server *s);
void server_close(server *s);

/* Seconds of a clock that does not go back. */
double server_now(void);

/* Bytes of the operating system as hexadecimal digits; size counts the NUL. False: there are
 * none. */
bool server_draw(char *out, size_t size);

/* The value of an argument of the address, or NULL. */
const char *server_argument_of(const server_request *request, const char *name);

/* A whole number of the address within a range, `standard` where it is not given. False, with a
 * reply, when it is none. */
bool server_count_of(const server_request *request, server_reply *reply, const char *name,
                     uint64_t *out, uint64_t standard, uint64_t most);

#endif /* SHOAL_SERVER_H */

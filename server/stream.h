/* stream.h -- the events of a job, one JSON object per line, for as long as it lasts.
 *
 * A reader is asked for its next lines whenever the connection takes some. When there are none
 * the connection rests, and is looked at again ten times a second.
 */
#ifndef SHOAL_SERVER_STREAM_H
#define SHOAL_SERVER_STREAM_H

#include "jobs.h"

struct server_door;

typedef struct server_stream {
    struct server_stream *next; /* of those that rest (serve.c) */
    void *connection;           /* of libmicrohttpd */
    struct server_door *door;
    server *server;
    server_job *job;
    uint64_t seen;      /* changes of the job */
    size_t point_count; /* told so far */
    bool is_begun;
    bool is_ended;
    bool has_told_table;
    double told; /* when the last line was */
    char *text;  /* lines on their way */
    size_t size;
    size_t sent;
} server_stream;

/* Compose the next lines; false when there is nothing to tell. The server is locked. */
bool server_stream_fill(server_stream *stream);

/* Whether there is something to tell. */
bool server_stream_is_due(const server_stream *stream);

void server_stream_free(server_stream *stream);

/* GET /api/jobs/ID/events */
void server_get_events(server *s, server_request *request, server_reply *reply);

#endif /* SHOAL_SERVER_STREAM_H */

#include "stream.h"

#include <stdlib.h>
#include <string.h>

#define HEARTBEAT_SECONDS 5.0

static void add_text(server_stream *stream, const char *text)
{
    size_t length = strlen(text);
    char *all = realloc(stream->text, stream->size + length + 2);

    if (!all) {
        return; /* a line less: the next one tells more */
    }
    memcpy(all + stream->size, text, length);
    all[stream->size + length] = '\n';
    stream->text = all;
    stream->size += length + 1;
}

/* A line of a node, which is released. */
static void add_line(server_stream *stream, json_t *node)
{
    char *text = node ? server_body_dump(node) : NULL;

    if (text) {
        add_text(stream, text);
    }
    free(text);
    json_decref(node);
}

static void add_job(server_stream *stream, const char *event)
{
    server_body b = server_body_begin();

    server_body_put(&b, b.root, "event", json_string(event));
    server_body_put(&b, b.root, "job", server_job_put(&b, stream->job));
    add_line(stream, b.root);
}

static void add_progress(server_stream *stream)
{
    const server_job *job = stream->job;
    server_body b = server_body_begin();

    server_body_put(&b, b.root, "event", json_string("progress"));
    server_body_put(&b, b.root, "stage", server_body_text(job->stage));
    server_body_put(&b, b.root, "fraction", server_body_number(job->fraction));
    server_body_put(&b, b.root, "seconds",
                    server_body_number(job->begun > 0 ? server_now() - job->begun : 0));
    add_line(stream, b.root);
}

static void add_news(server_stream *stream)
{
    const server_job *job = stream->job;

    if (job->has_table && !stream->has_told_table) {
        stream->has_told_table = true;
        add_text(stream, "{\"event\":\"table\"}");
    }
    for (; stream->point_count < json_array_size(job->points); stream->point_count++) {
        add_line(stream, json_incref(json_array_get(job->points, stream->point_count)));
    }
    if (job->is_removed || server_job_is_over(job)) {
        add_job(stream, "end");
        stream->is_ended = true;
    } else if (stream->is_begun) {
        add_progress(stream);
    }
}

bool server_stream_is_due(const server_stream *stream)
{
    return !stream->is_begun || stream->seen != stream->job->changes ||
           server_now() - stream->told >= HEARTBEAT_SECONDS;
}

bool server_stream_fill(server_stream *stream)
{
    if (stream->is_ended || !server_stream_is_due(stream)) {
        return false;
    }
    free(stream->text);
    stream->text = NULL;
    stream->size = 0;
    stream->sent = 0;
    if (!stream->is_begun) {
        add_job(stream, "job");
    }
    if (!stream->is_begun || stream->seen != stream->job->changes) {
        add_news(stream);
    } else {
        add_text(stream, "{\"event\":\"heartbeat\"}");
    }
    stream->is_begun = true;
    stream->seen = stream->job->changes;
    stream->told = server_now();
    return stream->size > 0;
}

void server_stream_free(server_stream *stream)
{
    stream->job->reader_count--;
    server_job_leave(stream->job);
    free(stream->text);
    free(stream);
}

void server_get_events(server *s, server_request *request, server_reply *reply)
{
    server_job *job = server_job_named(s, reply, request->parts[0]);
    server_stream *stream = job ? calloc(1, sizeof *stream) : NULL;

    if (!job) {
        return;
    }
    if (!stream) {
        server_refuse(reply, 500, "memory", "Out of memory.");
        return;
    }
    stream->server = s;
    stream->job = job;
    job->reader_count++;
    reply->status = 200;
    reply->type = "application/x-ndjson";
    reply->stream = stream;
}

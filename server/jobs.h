/* jobs.h -- what takes long: a queue, one worker, results that stay.
 *
 *     waiting -> running -> done, failed or cancelled
 *
 * The worker takes one job after the other and runs it with a context of its own, so that a
 * page that goes away ends nothing. What a job shows (state, stage, fraction, points) is
 * changed with the server locked; what it makes (report, tables, files) is the worker's until
 * the job has ended, and never changes afterwards.
 */
#ifndef SHOAL_SERVER_JOBS_H
#define SHOAL_SERVER_JOBS_H

#include "server.h"

typedef enum server_kind {
    SERVER_OPEN,
    SERVER_INSPECT,
    SERVER_ANONYMIZE,
    SERVER_FRONTIER,
    SERVER_RISK,
    SERVER_ATTACK,
    SERVER_QUERY,
    SERVER_PAIRS,
    SERVER_KIND_COUNT
} server_kind;

typedef enum server_state {
    SERVER_WAITING,
    SERVER_RUNNING,
    SERVER_DONE,
    SERVER_FAILED,
    SERVER_CANCELLED
} server_state;

typedef struct server_job {
    struct server_job *next;
    server *server;
    unsigned number;
    server_kind kind;
    server_state state;
    uint64_t changes; /* grows with all that readers of its events should know */
    char stage[32];
    double fraction;
    double told; /* when progress was last taken over */
    double begun;
    double ended;
    int cancel; /* set by another thread, atomically */

    /* What it is asked to do. */
    server_spec spec;
    server_source source; /* a copy of the session's, or what is to be opened */
    unsigned of;          /* another job, whose release it is about; 0: none */
    char release[SERVER_PATH_MAX];
    char *query;
    char *estimator;

    /* What it made. */
    shoal_report *report;
    json_t *failure;  /* an error, or NULL */
    json_t *mistakes; /* an array */
    json_t *points;   /* of a frontier, as events */
    long points_read; /* bytes of the file they are kept in */
    bool has_table;   /* of open: rows can be fetched */
    server_table rows;
    server_table second; /* of buckets: the sensitive values */
    shoal_release *pairs;
    shoal_table *original; /* of pairs */

    size_t reader_count; /* of its events */
    bool is_removed;     /* to be freed when the last reader is gone */
} server_job;

const char *server_kind_name(server_kind kind);

/* Start and end the worker. At the end, a job that runs is cancelled. */
bool server_jobs_start(server *s);
void server_jobs_stop(server *s);
void server_jobs_clear(server *s);

/* A new job with a copy of a spec and of the session's source; it waits until it is queued.
 * NULL after a refusal. */
server_job *server_job_new(server *s, server_reply *reply, server_kind kind,
                           const server_spec *spec);
void server_job_queue(server *s, server_job *job);
void server_job_free(server_job *job);

/* One that nobody reads and that is removed goes. */
void server_job_leave(server_job *job);

/* The job of a number, or NULL. */
server_job *server_job_find(const server *s, unsigned number);

/* The job that a request names, "j3"; NULL after a refusal. */
server_job *server_job_named(const server *s, server_reply *reply, const char *name);
bool server_job_is_over(const server_job *job);

/* The folder of its files, and a file in it. */
void server_job_path(const server_job *job, char *out, size_t size, const char *file);

/* It as an object. */
json_t *server_job_put(server_body *b, const server_job *job);

/* Run it, in the thread of the worker (job_runs.c). */
shoal_status server_job_run(shoal_ctx *ctx, server_job *job);

/* Take over points that a frontier has found by now; is_last: it has ended, and has a report.
 * The server is locked. */
void server_job_poll(server_job *job, bool is_last);

/* GET and POST /api/jobs, GET and DELETE /api/jobs/ID */
void server_list_jobs(server *s, server_request *request, server_reply *reply);
void server_post_job(server *s, server_request *request, server_reply *reply);
void server_get_job(server *s, server_request *request, server_reply *reply);
void server_delete_job(server *s, server_request *request, server_reply *reply);

#endif /* SHOAL_SERVER_JOBS_H */

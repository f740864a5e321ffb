#include "jobs.h"

#include "folder.h"
#include "rows.h"
#include "specs.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PROGRESS_SECONDS 0.1

static const char *const kinds[] = {"open", "inspect", "anonymize", "frontier",
                                    "risk", "attack",  "query",     "pairs"};

const char *server_kind_name(server_kind kind)
{
    return kinds[kind];
}

/* --- One job. ----------------------------------------------------------------------------- */

bool server_job_is_over(const server_job *job)
{
    return job->state != SERVER_WAITING && job->state != SERVER_RUNNING;
}

void server_job_path(const server_job *job, char *out, size_t size, const char *file)
{
    snprintf(out, size, "%s/jobs/%u/%s", job->server->work, job->number, file);
}

void server_job_free(server_job *job)
{
    char folder[SERVER_PATH_MAX];

    if (!job) {
        return;
    }
    server_job_path(job, folder, sizeof folder, "");
    server_remove_folder(folder);
    server_spec_clear(&job->spec);
    free(job->source.name);
    free(job->source.path);
    free(job->query);
    free(job->estimator);
    shoal_report_free(job->report);
    json_decref(job->failure);
    json_decref(job->mistakes);
    json_decref(job->points);
    server_table_clear(&job->rows);
    server_table_clear(&job->second);
    shoal_release_free(job->pairs);
    shoal_table_free(job->original);
    free(job);
}

void server_job_leave(server_job *job)
{
    if (job->is_removed && job->reader_count == 0) {
        server_job_free(job);
    }
}

/* Take a job out of the list; it goes when nobody reads its events any more. */
static void remove_job(server *s, server_job *job)
{
    for (server_job **link = &s->jobs; *link; link = &(*link)->next) {
        if (*link == job) {
            *link = job->next;
            break;
        }
    }
    job->is_removed = true;
    job->changes++;
    server_job_leave(job);
}

/* How many wait; the oldest that is over goes where there are too many. */
static size_t make_room(server *s)
{
    size_t count = 0;
    size_t waiting = 0;
    server_job *oldest = NULL;

    for (server_job *job = s->jobs; job; job = job->next) {
        count++;
        waiting += job->state == SERVER_WAITING;
        if (!oldest && server_job_is_over(job) && job->number != s->inspect) {
            oldest = job;
        }
    }
    if (count >= SERVER_JOBS_MAX && oldest) {
        remove_job(s, oldest);
    }
    return waiting;
}

static bool copy_source(server_source *out, const server_source *source)
{
    *out = *source;
    out->name = source->name ? strdup(source->name) : NULL;
    out->path = source->path ? strdup(source->path) : NULL;
    return !source->path || (out->name && out->path);
}

server_job *server_job_new(server *s, server_reply *reply, server_kind kind,
                           const server_spec *spec)
{
    char folder[SERVER_PATH_MAX];

    if (make_room(s) >= SERVER_WAITING_MAX) {
        server_refuse(reply, 429, "busy", "%d jobs wait already.", SERVER_WAITING_MAX);
        return NULL;
    }
    server_job *job = calloc(1, sizeof *job);

    if (!job) {
        server_refuse(reply, 500, "memory", "Out of memory.");
        return NULL;
    }
    job->server = s;
    job->number = ++s->job_number;
    job->kind = kind;
    job->mistakes = json_array();
    job->points = json_array();
    server_job_path(job, folder, sizeof folder, "");
    if (!job->mistakes || !job->points || !copy_source(&job->source, &s->source) ||
        server_spec_copy(s->ctx, &job->spec, spec) != SHOAL_OK) {
        server_refuse(reply, 500, "memory", "Out of memory.");
        server_job_free(job);
        return NULL;
    }
    if (mkdir(folder, 0700) != 0) {
        server_refuse_write(reply, "the folder of the job", errno);
        server_job_free(job);
        return NULL;
    }
    return job;
}

void server_job_queue(server *s, server_job *job)
{
    server_job **link = &s->jobs;

    while (*link) {
        link = &(*link)->next;
    }
    *link = job;
    pthread_cond_signal(&s->is_wanted);
}

server_job *server_job_find(const server *s, unsigned number)
{
    server_job *job = s->jobs;

    while (job && job->number != number) {
        job = job->next;
    }
    return job;
}

server_job *server_job_named(const server *s, server_reply *reply, const char *name)
{
    char *end = NULL;
    unsigned long number =
        name[0] == 'j' && name[1] >= '1' && name[1] <= '9' ? strtoul(name + 1, &end, 10) : 0;
    server_job *job =
        end && !*end && number <= s->job_number ? server_job_find(s, (unsigned)number) : NULL;

    if (!job) {
        server_refuse(reply, 404, "not_found",
                      "There is no such job; it may have been removed.");
    }
    return job;
}

/* --- The worker. -------------------------------------------------------------------------- */

static bool show_progress(void *payload, const char *stage, double fraction)
{
    server_job *job = payload;
    double now = server_now();

    if (now - job->told >= PROGRESS_SECONDS ||
        strncmp(stage, job->stage, sizeof job->stage) != 0) {
        pthread_mutex_lock(&job->server->mutex);
        snprintf(job->stage, sizeof job->stage, "%s", stage);
        job->fraction = fraction;
        job->told = now;
        job->changes++;
        pthread_mutex_unlock(&job->server->mutex);
    }
    return __atomic_load_n(&job->cancel, __ATOMIC_RELAXED) == 0;
}

/* What became of it. */
static void end_job(server_job *job, shoal_status status, const shoal_error *error,
                    json_t *mistakes)
{
    server *s = job->server;
    json_t *failure = NULL;

    if (status != SHOAL_OK && status != SHOAL_ECANCELLED) {
        shoal_error told = *error;

        told.status = status;
        failure = json_array_size(mistakes) > 0 ? json_incref(json_array_get(mistakes, 0))
                                                : server_body_error(&told, s->work);
    }
    pthread_mutex_lock(&s->mutex);
    server_job_poll(job, true);
    json_decref(job->mistakes);
    job->mistakes = mistakes;
    job->failure = failure;
    job->ended = server_now();
    job->state = status == SHOAL_OK           ? SERVER_DONE
                 : status == SHOAL_ECANCELLED ? SERVER_CANCELLED
                                              : SERVER_FAILED;
    job->changes++;
    s->running = NULL;
    s->revision++;
    pthread_mutex_unlock(&s->mutex);
}

static void run_job(server_job *job)
{
    server_mistakes mistakes = {json_array(), job->server->work};
    shoal_error without = {
        .status = SHOAL_ENOMEM, .record = -1, .field = -1, .message = "Out of memory."};
    shoal_ctx *ctx = shoal_ctx_new();
    shoal_status st = ctx && mistakes.list ? SHOAL_OK : SHOAL_ENOMEM;

    if (st == SHOAL_OK) {
        shoal_ctx_set_threads(ctx, job->server->threads);
        shoal_ctx_set_progress(ctx, show_progress, job);
        shoal_ctx_set_cancel(ctx, &job->cancel);
        shoal_ctx_set_log(ctx, server_take_mistake, &mistakes);
        st = server_job_run(ctx, job);
    }
    bool is_told = ctx && (st != SHOAL_ENOMEM || shoal_ctx_error(ctx)->status == SHOAL_ENOMEM);

    end_job(job, st, is_told ? shoal_ctx_error(ctx) : &without, mistakes.list);
    shoal_ctx_free(ctx);
}

static server_job *next_waiting(const server *s)
{
    server_job *job = s->jobs;

    while (job && job->state != SERVER_WAITING) {
        job = job->next;
    }
    return job;
}

static void *work(void *payload)
{
    server *s = payload;

    pthread_mutex_lock(&s->mutex);
    while (!s->is_ending) {
        server_job *job = next_waiting(s);

        if (!job) {
            pthread_cond_wait(&s->is_wanted, &s->mutex);
            continue;
        }
        job->state = SERVER_RUNNING;
        job->begun = server_now();
        job->changes++;
        s->running = job;
        pthread_mutex_unlock(&s->mutex);
        run_job(job);
        pthread_mutex_lock(&s->mutex);
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

bool server_jobs_start(server *s)
{
    return pthread_create(&s->worker, NULL, work, s) == 0;
}

void server_jobs_stop(server *s)
{
    pthread_mutex_lock(&s->mutex);
    s->is_ending = true;
    if (s->running) {
        __atomic_store_n(&s->running->cancel, 1, __ATOMIC_RELAXED);
    }
    pthread_cond_signal(&s->is_wanted);
    pthread_mutex_unlock(&s->mutex);
    pthread_join(s->worker, NULL);
}

void server_jobs_clear(server *s)
{
    while (s->jobs) {
        server_job *job = s->jobs;

        s->jobs = job->next;
        server_job_free(job);
    }
}

/* --- Calls. ------------------------------------------------------------------------------- */

static void put_warnings(server_body *b, json_t *object, const shoal_report *report)
{
    shoal_warning_facts facts = SHOAL_WARNING_FACTS_INIT;
    json_t *warnings = json_array();

    for (size_t i = 0; report && shoal_report_warning(report, i, &facts); i++) {
        json_t *warning = json_object();

        server_body_put(b, warning, "code", server_body_text(facts.code));
        server_body_put(b, warning, "column",
                        facts.column[0] ? server_body_text(facts.column) : json_null());
        server_body_put(b, warning, "message", server_body_text(facts.message));
        server_body_put(b, warning, "accepted", json_boolean(facts.is_accepted));
        server_body_add(b, warnings, warning);
    }
    server_body_put(b, object, "warnings", warnings);
}

/* What can be fetched of it. */
static void put_has(server_body *b, json_t *object, const server_job *job)
{
    const shoal_report *report = server_job_is_over(job) ? job->report : NULL;
    bool is_released = job->kind == SERVER_ANONYMIZE && job->state == SERVER_DONE;
    const struct {
        const char *name;
        bool is_there;
    } parts[] = {
        {"report", report != NULL},
        {"report.html", report && shoal_report_html(report)[0]},
        {"external.html", report && shoal_report_external(report)[0]},
        {"release", is_released},
        {"sensitive", is_released && job->second.table},
        {"points.csv", report && shoal_report_csv(report)[0]},
        {"points.svg", report && shoal_report_svg(report)[0]},
        {"rows", is_released || (job->kind == SERVER_PAIRS && job->state == SERVER_DONE)},
        {"spec", true},
    };
    json_t *has = json_array();

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].is_there) {
            server_body_add(b, has, json_string(parts[i].name));
        }
    }
    server_body_put(b, object, "has", has);
}

static json_t *name_of(unsigned number)
{
    char name[SERVER_ID_MAX];

    snprintf(name, sizeof name, "j%u", number);
    return number > 0 ? json_string(name) : json_null();
}

json_t *server_job_put(server_body *b, const server_job *job)
{
    static const char *const states[] = {"waiting", "running", "done", "failed", "cancelled"};
    const server *s = job->server;
    bool is_over = server_job_is_over(job);
    double until = is_over ? job->ended : server_now();
    bool is_current =
        strcmp(job->spec.hash, s->spec.hash) == 0 && job->source.number == s->source.number;
    json_t *object = json_object();

    server_body_put(b, object, "id", name_of(job->number));
    server_body_put(b, object, "kind", json_string(kinds[job->kind]));
    server_body_put(b, object, "state", json_string(states[job->state]));
    server_body_put(b, object, "stage", server_body_text(job->stage));
    server_body_put(b, object, "fraction",
                    server_body_number(job->state == SERVER_DONE ? 1 : job->fraction));
    server_body_put(b, object, "seconds",
                    server_body_number(job->begun > 0 ? until - job->begun : 0));
    server_body_put(b, object, "spec_hash", json_string(job->spec.hash));
    server_body_put(b, object, "current", json_boolean(is_current));
    server_body_put(b, object, "of", name_of(job->of));
    server_body_put(b, object, "holds",
                    is_over && job->report ? json_boolean(shoal_report_holds(job->report))
                                           : json_null());
    put_warnings(b, object, is_over ? job->report : NULL);
    server_body_put(b, object, "error",
                    is_over && job->failure ? json_incref(job->failure) : json_null());
    server_body_put(b, object, "mistakes", is_over ? json_incref(job->mistakes) : json_array());
    put_has(b, object, job);
    return object;
}

void server_list_jobs(server *s, server_request *request, server_reply *reply)
{
    server_body b = server_body_begin();
    json_t *jobs = json_array();

    (void)request;
    for (const server_job *job = s->jobs; job; job = job->next) {
        server_body_add(&b, jobs, server_job_put(&b, job));
    }
    server_body_put(&b, b.root, "jobs", jobs);
    server_body_send(&b, reply, 200);
}

static void send_job(server_reply *reply, const server_job *job, unsigned status)
{
    server_body b = server_body_begin();

    json_decref(b.root);
    b.root = server_job_put(&b, job);
    server_body_send(&b, reply, status);
}

void server_get_job(server *s, server_request *request, server_reply *reply)
{
    const server_job *job = server_job_named(s, reply, request->parts[0]);

    if (job) {
        send_job(reply, job, 200);
    }
}

void server_delete_job(server *s, server_request *request, server_reply *reply)
{
    server_job *job = server_job_named(s, reply, request->parts[0]);

    if (!job) {
        return;
    }
    if (job->state == SERVER_RUNNING) {
        __atomic_store_n(&job->cancel, 1, __ATOMIC_RELAXED);
        send_job(reply, job, 202);
    } else if (job->state == SERVER_WAITING) {
        job->state = SERVER_CANCELLED;
        job->changes++;
        send_job(reply, job, 200);
    } else {
        send_job(reply, job, 200);
        s->inspect = s->inspect == job->number ? 0 : s->inspect;
        s->revision++;
        remove_job(s, job);
    }
}

/* --- New ones. ---------------------------------------------------------------------------- */

/* A text of the body as a copy of the job's. */
static bool take_text(server_reply *reply, const json_t *body, const char *key, char **out)
{
    const char *text = NULL;

    if (!server_body_want_text(reply, body, key, &text)) {
        return false;
    }
    *out = text ? strdup(text) : NULL;
    return !text || *out || server_refuse(reply, 500, "memory", "Out of memory.");
}

/* The job whose release this one is about. */
static bool take_of(server *s, server_reply *reply, const json_t *body, server_job *job)
{
    const char *name = NULL;
    bool is_needed =
        job->kind == SERVER_ATTACK || job->kind == SERVER_QUERY || job->kind == SERVER_PAIRS;

    if (!server_body_want_text(reply, body, "of", &name)) {
        return false;
    }
    if (!name) {
        return !is_needed || server_refuse(reply, 400, "request",
                                           "\"of\" must name the job that made the release.");
    }
    const server_job *other = server_job_named(s, reply, name);

    if (!other) {
        return false;
    }
    if (other->kind != SERVER_ANONYMIZE || other->state != SERVER_DONE ||
        other->source.number != job->source.number) {
        return server_refuse(reply, 409, "conflict", "That job has no release of this file.");
    }
    job->of = other->number;
    server_job_path(other, job->release, sizeof job->release, "release.csv");
    /* What a release promised is in the spec that made it. */
    server_spec_clear(&job->spec);
    return server_spec_copy(s->ctx, &job->spec, &other->spec) == SHOAL_OK ||
           server_refuse(reply, 500, "memory", "Out of memory.");
}

/* One that did the same, or is about to. */
static server_job *find_same(const server *s, const server_job *job)
{
    for (server_job *other = s->jobs; other; other = other->next) {
        bool is_query = job->kind == SERVER_QUERY;

        if (other->kind == job->kind && other->of == job->of && !is_query &&
            other->source.number == job->source.number &&
            strcmp(other->spec.hash, job->spec.hash) == 0 && other->state != SERVER_FAILED &&
            other->state != SERVER_CANCELLED &&
            __atomic_load_n(&other->cancel, __ATOMIC_RELAXED) == 0) {
            return other;
        }
    }
    return NULL;
}

static bool find_kind(server_reply *reply, const char *name, server_kind *out)
{
    for (int i = SERVER_INSPECT; i < SERVER_KIND_COUNT; i++) {
        if (name && strcmp(kinds[i], name) == 0) {
            *out = (server_kind)i;
            return true;
        }
    }
    return server_refuse(
        reply, 400, "request",
        "\"kind\" must be inspect, anonymize, frontier, risk, attack, query or "
        "pairs.");
}

/* Fill a job from the body; false after a refusal. */
static bool fill_job(server *s, server_reply *reply, const json_t *body, server_job *job)
{
    return take_of(s, reply, body, job) && take_text(reply, body, "query", &job->query) &&
           take_text(reply, body, "estimator", &job->estimator) &&
           (job->kind != SERVER_QUERY || job->query ||
            server_refuse(reply, 400, "request", "\"query\" must be a text.")) &&
           server_spec_check_files(s, reply, job->spec.tree);
}

static void post(server *s, server_reply *reply, const json_t *body, const server_spec *spec,
                 server_kind kind)
{
    bool is_again = false;
    server_job *job = NULL;

    if (!server_body_want_truth(reply, body, "again", &is_again) ||
        (job = server_job_new(s, reply, kind, spec)) == NULL) {
        return;
    }
    if (!fill_job(s, reply, body, job)) {
        server_job_free(job);
        return;
    }
    const server_job *same = is_again ? NULL : find_same(s, job);

    if (same) {
        server_job_free(job);
        send_job(reply, same, 200);
    } else {
        server_job_queue(s, job);
        s->revision++;
        send_job(reply, job, 202);
    }
}

void server_post_job(server *s, server_request *request, server_reply *reply)
{
    static const char *const known[] = {"kind",  "spec",  "yaml",      "of",
                                        "query", "again", "estimator", NULL};
    json_t *body = server_body_parse(request, reply, known);
    const char *name = NULL;
    server_kind kind = SERVER_OPEN;
    server_spec spec = {0};
    bool is_there = false;

    if (body && server_body_want_text(reply, body, "kind", &name) &&
        find_kind(reply, name, &kind)) {
        if (!s->source.path) {
            server_refuse(reply, 409, "conflict", "No file is open yet.");
        } else if (server_spec_take(s, &spec, reply, body, &is_there)) {
            post(s, reply, body, is_there ? &spec : &s->spec, kind);
        }
    }
    server_spec_clear(&spec);
    json_decref(body);
}

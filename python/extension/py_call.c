/* One call of the library: a thread of its own, signals, progress, failures. */
#include "py_core.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How long the waiting thread sleeps before it looks for signals. */
#define LOOK_NANOSECONDS 50000000L
/* How long the end of the interpreter waits for calls that it cancelled. */
#define STOP_LOOKS 100

/* Something the library said, for the waiting thread. */
typedef struct event {
    struct event *next;
    bool is_progress;
    double fraction;
    shoal_log_level level;
    bool has_place;
    int64_t record;
    int64_t field;
    int64_t line;
    int64_t column;
    char source[SHOAL_SOURCE_MAX];
    char text[]; /* the stage, or the message */
} event;

typedef struct call {
    int references; /* of the waiting thread and the working one; under the mutex */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pid_t process;
    bool done;
    int cancel; /* read by the library while it works */
    shoal_ctx *ctx;
    py_work_fn work;
    void *job;
    shoal_status status;
    event *first;
    event *last;
    struct call *next; /* of all that are running; under the interpreter's lock */
} call;

static call *running;

/* --- Life. -------------------------------------------------------------------------------- */

static void drop_events(event *first)
{
    while (first) {
        event *next = first->next;

        free(first);
        first = next;
    }
}

static void drop_call(call *c)
{
    pthread_mutex_lock(&c->mutex);
    int left = --c->references;
    pthread_mutex_unlock(&c->mutex);

    if (left == 0) {
        drop_events(c->first);
        shoal_ctx_free(c->ctx);
        pthread_cond_destroy(&c->changed);
        pthread_mutex_destroy(&c->mutex);
        free(c->job);
        free(c);
    }
}

static call *new_call(py_work_fn work, const void *job, size_t job_size)
{
    call *c = calloc(1, sizeof *c);
    pthread_condattr_t by_clock;

    if (!c) {
        PyErr_NoMemory();
        return NULL;
    }
    c->references = 1;
    c->process = getpid();
    c->work = work;
    pthread_mutex_init(&c->mutex, NULL);
    pthread_condattr_init(&by_clock);
    pthread_condattr_setclock(&by_clock, CLOCK_MONOTONIC);
    pthread_cond_init(&c->changed, &by_clock);
    pthread_condattr_destroy(&by_clock);
    c->ctx = shoal_ctx_new();
    c->job = malloc(job_size);
    if (!c->ctx || !c->job) {
        drop_call(c);
        PyErr_NoMemory();
        return NULL;
    }
    memcpy(c->job, job, job_size);
    return c;
}

/* --- What the library says while it works. ------------------------------------------------ */

/* Without memory for it nothing is said. */
static event *new_event(const char *text)
{
    size_t size = strlen(text) + 1;
    event *e = calloc(1, sizeof *e + size);

    if (e) {
        memcpy(e->text, text, size);
    }
    return e;
}

static void tell(call *c, event *e)
{
    if (!e) {
        return;
    }
    pthread_mutex_lock(&c->mutex);
    if (c->last) {
        c->last->next = e;
    } else {
        c->first = e;
    }
    c->last = e;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->mutex);
}

static bool hear_progress(void *payload, const char *stage, double fraction)
{
    call *c = payload;
    event *e = new_event(stage);

    if (e) {
        e->is_progress = true;
        e->fraction = fraction;
        tell(c, e);
    }
    return __atomic_load_n(&c->cancel, __ATOMIC_RELAXED) == 0;
}

static void hear_log(void *payload, shoal_log_level level, const char *message,
                     const shoal_error *where)
{
    event *e = new_event(message);

    if (e) {
        e->level = level;
        e->has_place = where != NULL;
        if (where) {
            e->record = where->record;
            e->field = where->field;
            e->line = where->line;
            e->column = where->column;
            memcpy(e->source, where->source, sizeof e->source);
            e->source[sizeof e->source - 1] = '\0';
        }
        tell(payload, e);
    }
}

static PyObject *new_none(void)
{
    Py_INCREF(Py_None);
    return Py_None;
}

/* Hand one event to Python. False: an exception, or the answer to stop, is set. */
static bool deliver(const event *e, PyObject *progress, PyObject *log, bool *is_stopped)
{
    PyObject *answer = NULL;

    if (e->is_progress) {
        answer = progress == Py_None
                     ? new_none()
                     : PyObject_CallFunction(progress, "sd", e->text, e->fraction);
        if (answer == Py_False) {
            *is_stopped = true;
        }
    } else if (log == Py_None) {
        return true;
    } else {
        PyObject *text = py_text(e->text);
        PyObject *source = py_text(e->source);
        PyObject *place =
            !e->has_place || !source
                ? new_none()
                : Py_BuildValue("(LLLLO)", (long long)e->record, (long long)e->field,
                                (long long)e->line, (long long)e->column, source);

        answer = text && source && place
                     ? PyObject_CallFunction(log, "iOO", (int)e->level, text, place)
                     : NULL;
        Py_XDECREF(text);
        Py_XDECREF(source);
        Py_XDECREF(place);
    }
    Py_XDECREF(answer);
    return answer && !*is_stopped;
}

/* All that was said so far. False: no further one is to be delivered. */
static bool deliver_all(call *c, PyObject *progress, PyObject *log, bool *is_stopped)
{
    pthread_mutex_lock(&c->mutex);
    event *first = c->first;

    c->first = NULL;
    c->last = NULL;
    pthread_mutex_unlock(&c->mutex);

    bool goes_on = true;

    for (event *e = first; e && goes_on; e = e->next) {
        goes_on = deliver(e, progress, log, is_stopped);
    }
    drop_events(first);
    return goes_on;
}

/* --- Failures. ---------------------------------------------------------------------------- */

static void raise_failure(const shoal_error *error, const char *name)
{
    PyObject *module = PyImport_ImportModule("shoal._errors");
    PyObject *message = py_text(error->message);
    PyObject *source = py_text(error->source);
    PyObject *failure = NULL;

    if (module && message && source) {
        failure =
            PyObject_CallMethod(module, "failure", "iOLLLLOz", (int)error->status, message,
                                (long long)error->record, (long long)error->field,
                                (long long)error->line, (long long)error->column, source, name);
    }
    if (failure) {
        PyErr_SetObject((PyObject *)Py_TYPE(failure), failure);
    }
    Py_XDECREF(failure);
    Py_XDECREF(message);
    Py_XDECREF(source);
    Py_XDECREF(module);
}

/* --- Calling. ----------------------------------------------------------------------------- */

static void *work(void *payload)
{
    call *c = payload;
    shoal_status status = c->work(c->ctx, c->job);

    pthread_mutex_lock(&c->mutex);
    c->status = status;
    c->done = true;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
    drop_call(c);
    return NULL;
}

/* Signals are for the threads of the interpreter. */
static bool start(call *c)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all;
    sigset_t before;

    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, (size_t)8 << 20);
    c->references++;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&thread, &attributes, work, c);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (failed) {
        c->references--;
        /* Its stack needs memory, and that is what is lacking. */
        PyErr_SetString(PyExc_MemoryError, "No thread could be started for the call.");
    }
    return !failed;
}

static struct timespec next_look(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += LOOK_NANOSECONDS;
    if (at.tv_nsec >= 1000000000L) {
        at.tv_nsec -= 1000000000L;
        at.tv_sec++;
    }
    return at;
}

/* Without the interpreter's lock: sleep until something happens. Whether the call is over. */
static bool wait_for(call *c)
{
    struct timespec until = next_look();

    pthread_mutex_lock(&c->mutex);
    while (!c->done && !c->first &&
           pthread_cond_timedwait(&c->changed, &c->mutex, &until) != ETIMEDOUT) {
    }
    bool is_over = c->done;
    pthread_mutex_unlock(&c->mutex);
    return is_over;
}

static void attend(call *c, PyObject *progress, PyObject *log, bool *is_stopped)
{
    bool listens = true;
    bool is_over = false;
    PyObject *type = NULL;
    PyObject *value = NULL;
    PyObject *traceback = NULL;

    while (!is_over) {
        Py_BEGIN_ALLOW_THREADS is_over = wait_for(c);
        Py_END_ALLOW_THREADS if (!listens)
        {
            continue;
        }
        listens = deliver_all(c, progress, log, is_stopped) && PyErr_CheckSignals() == 0;
        if (!listens) {
            __atomic_store_n(&c->cancel, 1, __ATOMIC_RELAXED);
            PyErr_Fetch(&type, &value, &traceback);
        }
    }
    PyErr_Restore(type, value, traceback);
}

static void unlist(call *c)
{
    call **at = &running;

    while (*at && *at != c) {
        at = &(*at)->next;
    }
    if (*at) {
        *at = c->next;
    }
}

static bool set_up(call *c, PyObject *options, PyObject **progress, PyObject **log)
{
    int shows_values = 0;
    int threads = 0;

    if (!PyArg_ParseTuple(options, "OOpi", progress, log, &shows_values, &threads)) {
        return false;
    }
    if (shoal_ctx_set_threads(c->ctx, threads) != SHOAL_OK) {
        raise_failure(shoal_ctx_error(c->ctx), NULL);
        return false;
    }
    shoal_ctx_set_show_values(c->ctx, shows_values != 0);
    shoal_ctx_set_progress(c->ctx, *progress == Py_None ? NULL : hear_progress, c);
    shoal_ctx_set_log(c->ctx, *log == Py_None ? NULL : hear_log, c);
    shoal_ctx_set_cancel(c->ctx, &c->cancel);
    return true;
}

/* An exception of a callback or a signal comes before the failure it led to. */
static int end(call *c, void *job, size_t job_size, py_name_fn name_of)
{
    memcpy(job, c->job, job_size);
    if (PyErr_Occurred()) {
        return -1;
    }
    if (c->status != SHOAL_OK) {
        const shoal_error *error = shoal_ctx_error(c->ctx);
        const char *name = name_of && error->field >= 0 ? name_of(job, error->field) : NULL;

        raise_failure(error, name);
        return -1;
    }
    return 0;
}

int py_call(PyObject *options, py_work_fn work_fn, void *job, size_t job_size,
            py_name_fn name_of)
{
    PyObject *progress = NULL;
    PyObject *log = NULL;
    bool is_stopped = false;
    call *c = new_call(work_fn, job, job_size);

    if (!c) {
        return -1;
    }
    if (!set_up(c, options, &progress, &log) || !start(c)) {
        drop_call(c);
        return -1;
    }
    c->next = running;
    running = c;
    attend(c, progress, log, &is_stopped);
    unlist(c);

    int result = end(c, job, job_size, name_of);

    drop_call(c);
    return result;
}

int py_call_here(PyObject *options, py_work_fn work_fn, void *job, py_name_fn name_of)
{
    PyObject *progress = NULL;
    PyObject *log = NULL;
    bool is_stopped = false;
    char nothing = 0;
    call *c = new_call(work_fn, &nothing, sizeof nothing);

    if (!c) {
        return -1;
    }
    if (!set_up(c, options, &progress, &log)) {
        drop_call(c);
        return -1;
    }
    c->status = work_fn(c->ctx, job);

    int result = deliver_all(c, progress, log, &is_stopped) ? 0 : -1;

    if (result == 0 && c->status != SHOAL_OK) {
        const shoal_error *error = shoal_ctx_error(c->ctx);

        raise_failure(error, name_of && error->field >= 0 ? name_of(job, error->field) : NULL);
        result = -1;
    }
    drop_call(c);
    return result;
}

/* --- The end of the interpreter. ---------------------------------------------------------- */

/* Of this process: one that was forked has the list, but not the threads. */
static call *find_running(void)
{
    call *c = running;

    for (; c; c = c->next) {
        if (c->process == getpid()) {
            pthread_mutex_lock(&c->mutex);
            bool is_over = c->done;
            pthread_mutex_unlock(&c->mutex);

            if (!is_over) {
                break;
            }
        }
    }
    return c;
}

PyObject *py_stop_calls(PyObject *module, PyObject *args)
{
    (void)module;
    (void)args;
    for (call *c = running; c; c = c->next) {
        __atomic_store_n(&c->cancel, 1, __ATOMIC_RELAXED);
    }
    for (int look = 0; look < STOP_LOOKS && find_running(); look++) {
        const struct timespec pause = {0, LOOK_NANOSECONDS};

        Py_BEGIN_ALLOW_THREADS nanosleep(&pause, NULL);
        Py_END_ALLOW_THREADS
    }
    Py_RETURN_NONE;
}

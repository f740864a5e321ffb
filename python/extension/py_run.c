/* The runs of job.h by their names, of files and of tables, and sessions of queries. */
#include "py_core.h"

#include <string.h>

static void end_session(PyObject *capsule)
{
    shoal_query_session_free(PyCapsule_GetPointer(capsule, PY_SESSION));
}

PyObject *py_wrap_session(shoal_query_session *session)
{
    PyObject *capsule = PyCapsule_New(session, PY_SESSION, end_session);

    if (!capsule) {
        shoal_query_session_free(session);
    }
    return capsule;
}

int py_session_arg(PyObject *object, void *out)
{
    *(void **)out = PyCapsule_GetPointer(object, PY_SESSION);
    return *(void **)out != NULL;
}

int py_session_or_none(PyObject *object, void *out)
{
    if (object == Py_None) {
        *(void **)out = NULL;
        return 1;
    }
    return py_session_arg(object, out);
}

#define RELEASES_MOST 16

/* What a run is given, each as far as it needs it, and what it gives. */
typedef struct run_job {
    const shoal_spec *spec;
    const shoal_table *table; /* the original */
    const shoal_release *release;
    const shoal_query_session *session;
    const char *input;        /* the file of the original */
    const char *release_path; /* and of the release */
    const char *output;
    const char *query;
    const char *estimator;
    shoal_workload workload;
    int resume;
    size_t other_count; /* further releases of an attack, behind the first; as files or not */
    const shoal_release *releases[RELEASES_MOST];
    const char *release_paths[RELEASES_MOST];
    shoal_release *made;
    shoal_report *report;
    shoal_query_session *opened;
} run_job;

#define RUN(name, ...)                                                                         \
    static shoal_status name(shoal_ctx *ctx, void *payload)                                    \
    {                                                                                          \
        run_job *j = payload;                                                                  \
                                                                                               \
        return __VA_ARGS__;                                                                    \
    }

RUN(anonymize, shoal_anonymize_table(ctx, &j->made, &j->report, j->spec, j->table))
RUN(anonymize_file, shoal_anonymize(ctx, &j->report, j->spec, j->input, j->output))
RUN(refine, shoal_refine_release(ctx, &j->made, &j->report, j->spec, j->table, j->release))
RUN(refine_file, shoal_refine(ctx, &j->report, j->spec, j->input, j->release_path, j->output))
RUN(verify, j->table
                ? shoal_verify_release_records(ctx, &j->report, j->spec, j->table, j->release)
                : shoal_verify_release(ctx, &j->report, j->spec, j->release))
RUN(verify_file, j->input
                     ? shoal_verify_records(ctx, &j->report, j->spec, j->input, j->release_path)
                     : shoal_verify(ctx, &j->report, j->spec, j->release_path))
RUN(measure, shoal_measure_release(ctx, &j->report, j->spec, j->table, j->release))
RUN(measure_file, shoal_measure(ctx, &j->report, j->spec, j->input, j->release_path))
RUN(risk, shoal_risk_release(ctx, &j->report, j->spec, j->table, j->release))
RUN(risk_file, shoal_risk(ctx, &j->report, j->spec, j->input, j->release_path))
RUN(attack,
    (j->releases[0] = j->release,
     shoal_attack_release(ctx, &j->report, j->spec, j->table, j->releases, j->other_count + 1)))
RUN(attack_file,
    (j->release_paths[0] = j->release_path,
     shoal_attack(ctx, &j->report, j->spec, j->input, j->release_paths, j->other_count + 1)))
RUN(inspect, shoal_inspect_table(ctx, &j->report, j->spec, j->table))
RUN(inspect_file, shoal_inspect(ctx, &j->report, j->spec, j->input))
RUN(frontier, shoal_frontier_table(ctx, &j->report, j->spec, j->table))
RUN(frontier_file,
    shoal_frontier(ctx, &j->report, j->spec, j->input, j->output, j->resume != 0))
RUN(query,
    shoal_query_release(ctx, &j->report, j->spec, j->release, j->table, j->query, j->estimator))
RUN(query_file,
    shoal_query(ctx, &j->report, j->spec, j->release_path, j->input, j->query, j->estimator))
RUN(workload,
    shoal_query_release_workload(ctx, &j->report, j->spec, j->release, j->table, &j->workload))
RUN(workload_file,
    shoal_query_workload(ctx, &j->report, j->spec, j->release_path, j->input, &j->workload))
RUN(open_session, shoal_query_session_open_release(ctx, &j->opened, j->spec, j->release,
                                                   j->table, j->estimator))
RUN(open_session_file,
    shoal_query_session_open(ctx, &j->opened, j->spec, j->release_path, j->input, j->estimator))
RUN(ask, shoal_query_session_ask(ctx, &j->report, j->session, j->query))
RUN(ask_workload, shoal_query_session_workload(ctx, &j->report, j->session, &j->workload))

static const struct {
    const char *name;
    py_work_fn work;
} runs[] = {
    {"anonymize", anonymize},
    {"anonymize_file", anonymize_file},
    {"refine", refine},
    {"refine_file", refine_file},
    {"verify", verify},
    {"verify_file", verify_file},
    {"measure", measure},
    {"measure_file", measure_file},
    {"risk", risk},
    {"risk_file", risk_file},
    {"attack", attack},
    {"attack_file", attack_file},
    {"inspect", inspect},
    {"inspect_file", inspect_file},
    {"frontier", frontier},
    {"frontier_file", frontier_file},
    {"query", query},
    {"query_file", query_file},
    {"workload", workload},
    {"workload_file", workload_file},
    {"session", open_session},
    {"session_file", open_session_file},
    {"ask", ask},
    {"ask_workload", ask_workload},
};

/* Most failures with a field are about the original. */
static const char *name_column(const void *payload, int64_t field)
{
    const run_job *job = payload;
    const shoal_table *table = job->table     ? job->table
                               : job->release ? shoal_release_table(job->release)
                                              : NULL;

    return table && (size_t)field < shoal_table_column_count(table)
               ? shoal_table_name(table, (size_t)field)
               : NULL;
}

/* The tuple (kind, queries, columns, sum, dimensions, selectivity, estimator), or None. */
static bool read_workload(run_job *job, PyObject *object)
{
    Py_ssize_t queries = 0;
    Py_ssize_t dimensions = 0;
    shoal_workload standard = SHOAL_WORKLOAD_INIT;

    job->workload = standard;
    if (object == Py_None) {
        return true;
    }
    if (!PyArg_ParseTuple(object, "znzzndz", &job->workload.kind, &queries,
                          &job->workload.columns, &job->workload.sum, &dimensions,
                          &job->workload.selectivity, &job->workload.estimator)) {
        return false;
    }
    job->workload.queries = (size_t)queries;
    job->workload.dimensions = (size_t)dimensions;
    return true;
}

/* A tuple of further releases, each a release or the path of one; or None. */
static bool read_others(run_job *job, PyObject *object)
{
    if (object == Py_None) {
        return true;
    }
    Py_ssize_t count = PyTuple_Size(object);

    if (count < 0 || count >= RELEASES_MOST) {
        if (count > 0) {
            PyErr_Format(PyExc_ValueError, "At most %d releases are attacked together.",
                         RELEASES_MOST);
        }
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *other = PyTuple_GetItem(object, i); /* borrowed */
        bool is_path = other && PyBytes_Check(other);

        if (!other || !(is_path ? py_path_or_none(other, &job->release_paths[i + 1])
                                : py_release_arg(other, &job->releases[i + 1]))) {
            return false;
        }
    }
    job->other_count = (size_t)count;
    return true;
}

static void free_results(run_job *job)
{
    shoal_release_free(job->made);
    shoal_report_free(job->report);
    shoal_query_session_free(job->opened);
}

/* (release or None, report or None), or the session. */
static PyObject *give_results(run_job *job)
{
    PyObject *report = NULL;
    PyObject *release = NULL;

    if (job->opened) {
        return py_wrap_session(job->opened);
    }
    report = py_report_dict(job->report);
    shoal_report_free(job->report);
    if (!report) {
        shoal_release_free(job->made);
        return NULL;
    }
    if (job->made) {
        release = py_wrap_release(job->made);
    } else {
        Py_INCREF(Py_None);
        release = Py_None;
    }
    return release ? Py_BuildValue("(NN)", release, report) : (Py_DECREF(report), NULL);
}

/* run(options, name, *, spec, table, release, session, input, release_path, output, query,
 *     estimator, workload, resume, others) */
PyObject *py_run(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"options",   "name",     "spec",         "table",  "release",
                            "session",   "input",    "release_path", "output", "query",
                            "estimator", "workload", "resume",       "others", NULL};
    PyObject *options = NULL;
    const char *name = NULL;
    PyObject *spec = Py_None;
    PyObject *many = Py_None;
    PyObject *others = Py_None;
    run_job job = {0};
    size_t at = 0;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "Os|$OO&O&O&O&O&O&zzOpO", names, &options,
                                     &name, &spec, py_table_or_none, &job.table,
                                     py_release_or_none, &job.release, py_session_or_none,
                                     &job.session, py_path_or_none, &job.input, py_path_or_none,
                                     &job.release_path, py_path_or_none, &job.output,
                                     &job.query, &job.estimator, &many, &job.resume, &others) ||
        !read_workload(&job, many) || !read_others(&job, others) ||
        (spec != Py_None && !py_spec_arg(spec, &job.spec))) {
        return NULL;
    }
    while (at < sizeof runs / sizeof *runs && strcmp(runs[at].name, name) != 0) {
        at++;
    }
    if (at == sizeof runs / sizeof *runs) {
        PyErr_Format(PyExc_ValueError, "There is no run \"%.40s\".", name);
        return NULL;
    }
    if (py_call(options, runs[at].work, &job, sizeof job, name_column) < 0) {
        free_results(&job);
        return NULL;
    }
    return give_results(&job);
}

/* Reports and releases. */
#include "py_core.h"

#include <string.h>

/* --- Reports. ----------------------------------------------------------------------------- */

static PyObject *requirement_dict(const shoal_requirement_facts *f)
{
    return Py_BuildValue(
        "{ss,ss,ss,ss,ss,ss,sd,sd,sO,sO,sK,sK,sK,sK,sK}", "key", f->key, "kind", f->kind,
        "title", f->title, "asked", f->asked, "column", f->column, "figure", f->figure, "worst",
        f->worst_figure, "bound", f->bound, "larger_is_safer",
        f->larger_is_safer ? Py_True : Py_False, "holds", f->holds ? Py_True : Py_False,
        "worst_class", (unsigned long long)f->worst_class, "worst_class_size",
        (unsigned long long)f->worst_class_size, "worst_row", (unsigned long long)f->worst_row,
        "failing_classes", (unsigned long long)f->failing_classes, "failing_records",
        (unsigned long long)f->failing_records);
}

static PyObject *point_dict(const shoal_report *report, size_t point,
                            const shoal_point_facts *f)
{
    return Py_BuildValue("{ss,ss,ss,ss,ss,sK,sK,sd,sO,sO,ss}", "requirement", f->requirement,
                         "method", f->method, "state", f->state, "reason", f->reason, "shape",
                         f->shape, "classes", (unsigned long long)f->classes, "smallest_class",
                         (unsigned long long)f->smallest_class, "seconds", f->seconds,
                         "is_dominated", f->is_dominated ? Py_True : Py_False, "is_recommended",
                         f->is_recommended ? Py_True : Py_False, "yaml",
                         shoal_report_point_spec(report, point));
}

/* Append and let go; false, with the list gone, when there is no memory. */
static bool append(PyObject **list, PyObject *item)
{
    if (!item || PyList_Append(*list, item) < 0) {
        Py_CLEAR(*list);
    }
    Py_XDECREF(item);
    return *list != NULL;
}

static PyObject *list_figures(const shoal_report *report)
{
    PyObject *list = PyList_New(0);

    for (size_t i = 0; list && i < shoal_report_figure_count(report); i++) {
        append(&list, Py_BuildValue("(sd)", shoal_report_figure_name(report, i),
                                    shoal_report_figure_at(report, i)));
    }
    return list;
}

static PyObject *list_requirements(const shoal_report *report)
{
    PyObject *list = PyList_New(0);
    shoal_requirement_facts facts = SHOAL_REQUIREMENT_FACTS_INIT;

    for (size_t i = 0; list && shoal_report_requirement(report, i, &facts); i++) {
        append(&list, requirement_dict(&facts));
    }
    return list;
}

static PyObject *list_warnings(const shoal_report *report)
{
    PyObject *list = PyList_New(0);
    shoal_warning_facts facts = SHOAL_WARNING_FACTS_INIT;

    for (size_t i = 0; list && shoal_report_warning(report, i, &facts); i++) {
        append(&list, Py_BuildValue("{ss,ss,sN,sO}", "code", facts.code, "column", facts.column,
                                    "message", py_text(facts.message), "is_accepted",
                                    facts.is_accepted ? Py_True : Py_False));
    }
    return list;
}

static PyObject *list_points(const shoal_report *report)
{
    PyObject *list = PyList_New(0);
    shoal_point_facts facts = SHOAL_POINT_FACTS_INIT;

    for (size_t i = 0; list && shoal_report_point(report, i, &facts); i++) {
        append(&list, point_dict(report, i, &facts));
    }
    return list;
}

PyObject *py_report_dict(const shoal_report *report)
{
    return Py_BuildValue(
        "{sN,sN,sN,sN,sN,sN,sN,sO,sN,sN,sN,sN}", "text", py_text(shoal_report_text(report)),
        "json", py_text(shoal_report_json(report)), "yaml", py_text(shoal_report_spec(report)),
        "html", py_text(shoal_report_html(report)), "external",
        py_text(shoal_report_external(report)), "csv", py_text(shoal_report_csv(report)), "svg",
        py_text(shoal_report_svg(report)), "holds",
        shoal_report_holds(report) ? Py_True : Py_False, "figures", list_figures(report),
        "requirements", list_requirements(report), "warnings", list_warnings(report), "points",
        list_points(report));
}

/* --- Releases. ---------------------------------------------------------------------------- */

static void end_release(PyObject *capsule)
{
    shoal_release_free(PyCapsule_GetPointer(capsule, PY_RELEASE));
}

PyObject *py_wrap_release(shoal_release *release)
{
    PyObject *capsule = PyCapsule_New(release, PY_RELEASE, end_release);

    if (!capsule) {
        shoal_release_free(release);
    }
    return capsule;
}

int py_release_arg(PyObject *object, void *out)
{
    *(void **)out = PyCapsule_GetPointer(object, PY_RELEASE);
    return *(void **)out != NULL;
}

int py_release_or_none(PyObject *object, void *out)
{
    if (object == Py_None) {
        *(void **)out = NULL;
        return 1;
    }
    return py_release_arg(object, out);
}

/* What is asked of a release, each as far as it is needed. */
typedef struct release_job {
    const shoal_table *rows;
    const shoal_table *sensitive;
    const shoal_release *release;
    const char *path;
    const char *sensitive_path;
    char delimiter;
    int of_sensitive;
    shoal_release *made;
    struct ArrowArrayStream stream;
} release_job;

static shoal_status make(shoal_ctx *ctx, void *payload)
{
    release_job *job = payload;

    return shoal_release_from_tables(ctx, &job->made, job->rows, job->sensitive);
}

static shoal_status export_rows(shoal_ctx *ctx, void *payload)
{
    release_job *job = payload;

    return job->of_sensitive ? shoal_release_export_sensitive(ctx, &job->stream, job->release)
                             : shoal_release_export(ctx, &job->stream, job->release);
}

static shoal_status write_rows(shoal_ctx *ctx, void *payload)
{
    const release_job *job = payload;

    return shoal_release_write(ctx, job->release, job->path, job->sensitive_path,
                               job->delimiter);
}

/* release_from_tables(options, rows, sensitive or None) -> release */
PyObject *py_release_from_tables(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    release_job job = {0};

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&O&", &options, py_table_arg, &job.rows, py_table_or_none,
                          &job.sensitive)) {
        return NULL;
    }
    if (py_call_here(options, make, &job, NULL) < 0) {
        shoal_release_free(job.made);
        return NULL;
    }
    return py_wrap_release(job.made);
}

/* release_export(options, release, of_sensitive) -> stream */
PyObject *py_release_export(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    release_job job = {0};

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&p", &options, py_release_arg, &job.release,
                          &job.of_sensitive)) {
        return NULL;
    }
    if (py_call(options, export_rows, &job, sizeof job, NULL) < 0) {
        if (job.stream.release) {
            job.stream.release(&job.stream);
        }
        return NULL;
    }
    return py_wrap_stream(&job.stream);
}

/* release_write(options, release, path, sensitive_path or None, delimiter) */
PyObject *py_release_write(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    const char *delimiter = NULL;
    release_job job = {0};

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&O&O&s", &options, py_release_arg, &job.release,
                          py_path_or_none, &job.path, py_path_or_none, &job.sensitive_path,
                          &delimiter)) {
        return NULL;
    }
    job.delimiter = delimiter[0];
    if (py_call(options, write_rows, &job, sizeof job, NULL) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* release_values(release, of_sensitive) -> [(name, type, [value, ...]), ...] */
PyObject *py_release_values(PyObject *module, PyObject *args)
{
    const shoal_release *release = NULL;
    int of_sensitive = 0;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&p", py_release_arg, &release, &of_sensitive)) {
        return NULL;
    }
    const shoal_table *table =
        of_sensitive ? shoal_release_sensitive(release) : shoal_release_table(release);

    if (!table) {
        PyErr_SetString(PyExc_ValueError, "The release has no table of sensitive values.");
        return NULL;
    }
    return py_table_columns(table);
}

/* release_facts(release) -> (shape, rows, records, classes, [column of the rows, ...],
 * [quasi column, ...]) */
PyObject *py_release_facts(PyObject *module, PyObject *args)
{
    const shoal_release *release = NULL;
    PyObject *columns = NULL;
    PyObject *quasi = NULL;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&", py_release_arg, &release)) {
        return NULL;
    }
    const shoal_table *rows = shoal_release_table(release);

    columns = PyList_New(0);
    for (size_t c = 0; columns && c < shoal_table_column_count(rows); c++) {
        append(&columns, py_text(shoal_table_name(rows, c)));
    }
    quasi = PyList_New(0);
    for (size_t q = 0; quasi && q < shoal_release_quasi_count(release); q++) {
        append(&quasi, py_text(shoal_release_quasi_name(release, q)));
    }
    if (!columns || !quasi) {
        Py_XDECREF(columns);
        Py_XDECREF(quasi);
        return NULL;
    }
    return Py_BuildValue("(snnnNN)", shoal_shape_name(shoal_release_shape(release)),
                         (Py_ssize_t)shoal_release_row_count(release),
                         (Py_ssize_t)shoal_release_record_count(release),
                         (Py_ssize_t)shoal_release_class_count(release), columns, quasi);
}

/* release_numbers(release, what) -> bytes: for "class_of" (of each record, int64), "risk" (of
 * each record, double), "record" (of each row, int64), "size" (of each class, int64). */
PyObject *py_release_numbers(PyObject *module, PyObject *args)
{
    const shoal_release *release = NULL;
    const char *what = NULL;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&s", py_release_arg, &release, &what)) {
        return NULL;
    }
    bool of_rows = strcmp(what, "record") == 0;
    bool of_classes = strcmp(what, "size") == 0;
    bool is_risk = strcmp(what, "risk") == 0;
    size_t count = of_rows      ? shoal_release_row_count(release)
                   : of_classes ? shoal_release_class_count(release)
                                : shoal_release_record_count(release);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * 8));

    if (!bytes) {
        return NULL;
    }
    char *at = PyBytes_AsString(bytes);

    Py_BEGIN_ALLOW_THREADS for (size_t i = 0; i < count; i++, at += 8)
    {
        double risk = is_risk ? shoal_release_risk(release, i) : 0.0;
        int64_t number = is_risk      ? 0
                         : of_rows    ? shoal_release_record(release, i)
                         : of_classes ? (int64_t)shoal_release_class_size(release, i)
                                      : shoal_release_class_of(release, i);

        memcpy(at, is_risk ? (const void *)&risk : (const void *)&number, 8);
    }
    Py_END_ALLOW_THREADS return bytes;
}

/* release_class(release, class) -> [(text or None, least or None, greatest or None), ...] */
PyObject *py_release_class(PyObject *module, PyObject *args)
{
    const shoal_release *release = NULL;
    Py_ssize_t number = 0;
    PyObject *list = NULL;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&n", py_release_arg, &release, &number)) {
        return NULL;
    }
    if (number < 0 || (size_t)number >= shoal_release_class_count(release)) {
        PyErr_Format(PyExc_IndexError, "The release has %zu classes; got %zd.",
                     shoal_release_class_count(release), number);
        return NULL;
    }
    list = PyList_New(0);
    for (size_t q = 0; list && q < shoal_release_quasi_count(release); q++) {
        const char *text = shoal_release_text(release, (size_t)number, q);
        double least = 0;
        double greatest = 0;

        append(&list, shoal_release_interval(release, (size_t)number, q, &least, &greatest)
                          ? Py_BuildValue("(zdd)", text, least, greatest)
                          : Py_BuildValue("(zOO)", text, Py_None, Py_None));
    }
    return list;
}

/* Specs, and what can be said in them. All of it is short: it runs in the thread that asks. */
#include "py_core.h"

#include <stdlib.h>
#include <string.h>

static void end_spec(PyObject *capsule)
{
    shoal_spec_free(PyCapsule_GetPointer(capsule, PY_SPEC));
}

PyObject *py_wrap_spec(shoal_spec *spec)
{
    PyObject *capsule = PyCapsule_New(spec, PY_SPEC, end_spec);

    if (!capsule) {
        shoal_spec_free(spec);
    }
    return capsule;
}

int py_spec_arg(PyObject *object, void *out)
{
    *(void **)out = PyCapsule_GetPointer(object, PY_SPEC);
    return *(void **)out != NULL;
}

/* What the functions below ask for; each takes of it what it needs. */
typedef struct spec_job {
    shoal_spec *spec;
    const shoal_table *table;
    const char *column;
    const char *key;
    const char *value;
    const char *path;
    size_t size;
    size_t item;
    shoal_spec *made;
    char *text;
} spec_job;

static PyObject *give_spec(PyObject *options, py_work_fn work, spec_job *job)
{
    if (py_call_here(options, work, job, NULL) < 0) {
        shoal_spec_free(job->made);
        return NULL;
    }
    return py_wrap_spec(job->made);
}

static PyObject *give_nothing(PyObject *options, py_work_fn work, spec_job *job)
{
    if (py_call_here(options, work, job, NULL) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *give_text(PyObject *options, py_work_fn work, spec_job *job)
{
    PyObject *text = NULL;

    if (py_call_here(options, work, job, NULL) == 0) {
        if (!job->text) {
            Py_RETURN_NONE;
        }
        text = py_text(job->text);
    }
    free(job->text);
    return text;
}

/* --- Whole specs. ------------------------------------------------------------------------- */

static shoal_status make(shoal_ctx *ctx, void *payload)
{
    spec_job *job = payload;

    return shoal_spec_new(ctx, &job->made);
}

static shoal_status copy(shoal_ctx *ctx, void *payload)
{
    spec_job *job = payload;

    return shoal_spec_copy(ctx, &job->made, job->spec);
}

static shoal_status read_file(shoal_ctx *ctx, void *payload)
{
    spec_job *job = payload;

    return shoal_spec_read(ctx, job->spec, job->path);
}

static shoal_status read_text(shoal_ctx *ctx, void *payload)
{
    spec_job *job = payload;

    return shoal_spec_read_memory(ctx, job->spec, job->value, job->size, job->path);
}

static shoal_status write_yaml(shoal_ctx *ctx, void *payload)
{
    spec_job *job = payload;

    return shoal_spec_write_yaml(ctx, &job->text, job->spec);
}

/* spec_new(options) -> spec */
PyObject *py_spec_new(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    spec_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "O", &options) ? give_spec(options, make, &job) : NULL;
}

/* spec_copy(options, spec) -> spec */
PyObject *py_spec_copy(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    spec_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&", &options, py_spec_arg, &job.spec)
               ? give_spec(options, copy, &job)
               : NULL;
}

/* spec_read(options, spec, path) */
PyObject *py_spec_read(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    spec_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&O&", &options, py_spec_arg, &job.spec, py_path_or_none,
                            &job.path)
               ? give_nothing(options, read_file, &job)
               : NULL;
}

/* spec_read_text(options, spec, yaml, source) */
PyObject *py_spec_read_text(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    spec_job job = {0};
    Py_ssize_t size = 0;

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&s#O&", &options, py_spec_arg, &job.spec, &job.value, &size,
                          py_path_or_none, &job.path)) {
        return NULL;
    }
    job.size = (size_t)size;
    return give_nothing(options, read_text, &job);
}

/* spec_yaml(options, spec) -> str */
PyObject *py_spec_yaml(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    spec_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&", &options, py_spec_arg, &job.spec)
               ? give_text(options, write_yaml, &job)
               : NULL;
}

/* --- Settings. ---------------------------------------------------------------------------- */

static shoal_status set(shoal_ctx *ctx, void *payload)
{
    spec_job *job = payload;

    return shoal_spec_set(ctx, job->spec, job->key, job->value);
}

static shoal_status get(shoal_ctx *ctx, void *payload)
{
    spec_job *job = payload;

    return shoal_spec_get(ctx, &job->text, job->spec, job->key, job->item);
}

static shoal_status set_column(shoal_ctx *ctx, void *payload)
{
    spec_job *job = payload;

    return shoal_spec_set_column(ctx, job->spec, job->column, job->key, job->value);
}

static shoal_status get_column(shoal_ctx *ctx, void *payload)
{
    spec_job *job = payload;

    return shoal_spec_get_column(ctx, &job->text, job->spec, job->column, job->key);
}

static shoal_status set_hierarchy(shoal_ctx *ctx, void *payload)
{
    spec_job *job = payload;

    return shoal_spec_set_hierarchy_table(ctx, job->spec, job->column, job->table);
}

static shoal_status set_population(shoal_ctx *ctx, void *payload)
{
    spec_job *job = payload;

    return shoal_spec_set_population_table(ctx, job->spec, job->table);
}

/* spec_set(options, spec, key, value) */
PyObject *py_spec_set(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    spec_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&ss", &options, py_spec_arg, &job.spec, &job.key,
                            &job.value)
               ? give_nothing(options, set, &job)
               : NULL;
}

/* spec_get(options, spec, key, item) -> str or None */
PyObject *py_spec_get(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    spec_job job = {0};
    Py_ssize_t item = 0;

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&sn", &options, py_spec_arg, &job.spec, &job.key, &item)) {
        return NULL;
    }
    job.item = (size_t)item;
    return give_text(options, get, &job);
}

/* spec_set_column(options, spec, column, key, value) */
PyObject *py_spec_set_column(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    spec_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&sss", &options, py_spec_arg, &job.spec, &job.column,
                            &job.key, &job.value)
               ? give_nothing(options, set_column, &job)
               : NULL;
}

/* spec_get_column(options, spec, column, key) -> str or None */
PyObject *py_spec_get_column(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    spec_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&ss", &options, py_spec_arg, &job.spec, &job.column,
                            &job.key)
               ? give_text(options, get_column, &job)
               : NULL;
}

/* spec_set_hierarchy(options, spec, column, table) */
PyObject *py_spec_set_hierarchy(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    spec_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&sO&", &options, py_spec_arg, &job.spec, &job.column,
                            py_table_arg, &job.table)
               ? give_nothing(options, set_hierarchy, &job)
               : NULL;
}

/* spec_set_population(options, spec, table) */
PyObject *py_spec_set_population(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    spec_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&O&", &options, py_spec_arg, &job.spec, py_table_arg,
                            &job.table)
               ? give_nothing(options, set_population, &job)
               : NULL;
}

/* spec_columns(spec) -> [name, ...] */
PyObject *py_spec_columns(PyObject *module, PyObject *args)
{
    const shoal_spec *spec = NULL;
    PyObject *names = NULL;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&", py_spec_arg, &spec)) {
        return NULL;
    }
    names = PyList_New(0);
    for (size_t c = 0; names && c < shoal_spec_column_count(spec); c++) {
        PyObject *name = py_text(shoal_spec_column_name(spec, c));

        if (!name || PyList_Append(names, name) < 0) {
            Py_CLEAR(names);
        }
        Py_XDECREF(name);
    }
    return names;
}

/* --- What there is. ----------------------------------------------------------------------- */

static PyObject *list_words(const char *const *words)
{
    PyObject *list = PyList_New(0);

    for (; list && words && *words; words++) {
        PyObject *word = py_text(*words);

        if (!word || PyList_Append(list, word) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(word);
    }
    return list;
}

/* (key, type, range, words, standard, is_list, adds_up, runs, help) */
static PyObject *setting_tuple(const shoal_setting_facts *facts)
{
    PyObject *words = list_words(facts->words);

    return words ? Py_BuildValue("(sszNzOOss)", facts->key, facts->type, facts->range, words,
                                 facts->standard, facts->is_list ? Py_True : Py_False,
                                 facts->adds_up ? Py_True : Py_False, facts->runs, facts->help)
                 : NULL;
}

/* settings(of_columns) -> [(key, type, range, words, standard, is_list, adds_up, runs, help)]
 */
PyObject *py_settings(PyObject *module, PyObject *args)
{
    int of_columns = 0;
    PyObject *list = NULL;

    (void)module;
    if (!PyArg_ParseTuple(args, "p", &of_columns)) {
        return NULL;
    }
    bool (*describe)(shoal_setting_facts *, size_t) =
        of_columns ? shoal_column_setting_describe : shoal_setting_describe;
    shoal_setting_facts facts = SHOAL_SETTING_FACTS_INIT;

    list = PyList_New(0);
    for (size_t i = 0; list && describe(&facts, i); i++) {
        PyObject *setting = setting_tuple(&facts);

        if (!setting || PyList_Append(list, setting) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(setting);
    }
    return list;
}

/* methods() -> [(name, summary, shape, cost, citation), ...] */
PyObject *py_methods(PyObject *module, PyObject *args)
{
    PyObject *list = PyList_New(0);
    shoal_method_facts facts = SHOAL_METHOD_FACTS_INIT;

    (void)module;
    (void)args;
    for (size_t i = 0; list && shoal_method_describe(&facts, i); i++) {
        PyObject *method = Py_BuildValue("(sssss)", facts.name, facts.summary, facts.shape,
                                         facts.cost, facts.citation);

        if (!method || PyList_Append(list, method) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(method);
    }
    return list;
}

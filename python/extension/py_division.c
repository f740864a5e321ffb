/* A table in parts: values, divisions, counts and classes of division.h. */
#include "py_core.h"

#include <string.h>

#define PY_VALUES "shoal.values"
#define PY_DIVISION "shoal.division"
#define PY_COUNTS "shoal.counts"
#define PY_CLASSES "shoal.classes"

/* What the functions below ask for; each takes of it what it needs. */
typedef struct division_job {
    const shoal_spec *spec;
    const shoal_table *table;
    shoal_values *values;
    const shoal_values *more_values;
    shoal_division *division;
    shoal_counts *counts;
    const shoal_counts *more_counts;
    shoal_classes *classes;
    const shoal_classes *more_classes;
    const char *bytes;
    Py_ssize_t size;
    unsigned long long most_records;
    size_t fragment;
    size_t open;
    uint32_t *numbers; /* the fragment of each record; or the record of each row */
    char *written;
    size_t written_size;
    shoal_table *published;
    shoal_division_outcome outcome;
} division_job;

/* --- Capsules. ---------------------------------------------------------------------------- */

static void end_values(PyObject *capsule)
{
    shoal_values_free(PyCapsule_GetPointer(capsule, PY_VALUES));
}

static void end_counts(PyObject *capsule)
{
    shoal_counts_free(PyCapsule_GetPointer(capsule, PY_COUNTS));
}

static void end_classes(PyObject *capsule)
{
    shoal_classes_free(PyCapsule_GetPointer(capsule, PY_CLASSES));
}

/* A division borrows its spec, whose capsule it holds on to. */
static void end_division(PyObject *capsule)
{
    shoal_division_free(PyCapsule_GetPointer(capsule, PY_DIVISION));
    Py_XDECREF((PyObject *)PyCapsule_GetContext(capsule));
}

static PyObject *wrap_values(shoal_values *values)
{
    PyObject *capsule = PyCapsule_New(values, PY_VALUES, end_values);

    if (!capsule) {
        shoal_values_free(values);
    }
    return capsule;
}

static PyObject *wrap_counts(shoal_counts *counts)
{
    PyObject *capsule = PyCapsule_New(counts, PY_COUNTS, end_counts);

    if (!capsule) {
        shoal_counts_free(counts);
    }
    return capsule;
}

static PyObject *wrap_classes(shoal_classes *classes)
{
    PyObject *capsule = PyCapsule_New(classes, PY_CLASSES, end_classes);

    if (!capsule) {
        shoal_classes_free(classes);
    }
    return capsule;
}

static PyObject *wrap_division(shoal_division *division, PyObject *spec)
{
    PyObject *capsule = PyCapsule_New(division, PY_DIVISION, end_division);

    if (!capsule) {
        shoal_division_free(division);
        return NULL;
    }
    if (PyCapsule_SetContext(capsule, spec) != 0) {
        Py_CLEAR(capsule);
        return NULL;
    }
    Py_INCREF(spec);
    return capsule;
}

static int values_arg(PyObject *object, void *out)
{
    *(void **)out = PyCapsule_GetPointer(object, PY_VALUES);
    return *(void **)out != NULL;
}

static int division_arg(PyObject *object, void *out)
{
    *(void **)out = PyCapsule_GetPointer(object, PY_DIVISION);
    return *(void **)out != NULL;
}

static int counts_arg(PyObject *object, void *out)
{
    *(void **)out = PyCapsule_GetPointer(object, PY_COUNTS);
    return *(void **)out != NULL;
}

static int counts_or_none(PyObject *object, void *out)
{
    if (object == Py_None) {
        *(void **)out = NULL;
        return 1;
    }
    return counts_arg(object, out);
}

static int classes_arg(PyObject *object, void *out)
{
    *(void **)out = PyCapsule_GetPointer(object, PY_CLASSES);
    return *(void **)out != NULL;
}

/* --- Calls. ------------------------------------------------------------------------------- */

static const char *name_column(const void *payload, int64_t field)
{
    const division_job *job = payload;

    return job->table && (size_t)field < shoal_table_column_count(job->table)
               ? shoal_table_name(job->table, (size_t)field)
               : NULL;
}

static int call(PyObject *options, py_work_fn work, division_job *job)
{
    return py_call(options, work, job, sizeof *job, name_column);
}

/* What was written, as bytes. */
static PyObject *give_bytes(PyObject *options, py_work_fn work, division_job *job)
{
    PyObject *bytes = NULL;

    if (call(options, work, job) == 0) {
        bytes = PyBytes_FromStringAndSize(job->written, (Py_ssize_t)job->written_size);
    }
    shoal_bytes_free(job->written);
    return bytes;
}

static PyObject *give_nothing(PyObject *options, py_work_fn work, division_job *job)
{
    if (call(options, work, job) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

#define WORK(name, ...)                                                                        \
    static shoal_status name(shoal_ctx *ctx, void *payload)                                    \
    {                                                                                          \
        division_job *j = payload;                                                             \
                                                                                               \
        return __VA_ARGS__;                                                                    \
    }

WORK(count_values, shoal_values_count(ctx, &j->values, j->spec, j->table))
WORK(add_values, shoal_values_add(ctx, j->values, j->more_values))
WORK(write_values, shoal_values_write_memory(ctx, &j->written, &j->written_size, j->values))
WORK(read_values, shoal_values_read_memory(ctx, &j->values, j->spec, j->bytes, (size_t)j->size))
WORK(build, shoal_division_build(ctx, &j->division, j->spec, j->values))
WORK(write_division,
     shoal_division_write_memory(ctx, &j->written, &j->written_size, j->division))
WORK(read_division,
     shoal_division_read_memory(ctx, &j->division, j->spec, j->bytes, (size_t)j->size))
WORK(count, shoal_division_count(ctx, &j->counts, j->division, j->table))
WORK(add_counts, shoal_counts_add(ctx, j->counts, j->more_counts))
WORK(write_counts, shoal_counts_write_memory(ctx, &j->written, &j->written_size, j->counts))
WORK(read_counts,
     shoal_counts_read_memory(ctx, &j->counts, j->division, j->bytes, (size_t)j->size))
WORK(cut, shoal_division_cut(ctx, &j->open, j->division, j->more_counts, j->most_records))
WORK(route, shoal_division_route(ctx, j->numbers, j->division, j->table))
WORK(solve, shoal_division_solve_rows(ctx, &j->published, &j->classes, j->numbers, j->division,
                                      j->table, j->fragment))
WORK(count_classes, shoal_classes_count(ctx, &j->classes, j->spec, j->table))
WORK(add_classes, shoal_classes_add(ctx, j->classes, j->more_classes))
WORK(write_classes, shoal_classes_write_memory(ctx, &j->written, &j->written_size, j->classes))
WORK(read_classes,
     shoal_classes_read_memory(ctx, &j->classes, j->spec, j->bytes, (size_t)j->size))
WORK(verify, shoal_division_verify(ctx, &j->outcome, j->division, j->classes))

/* --- Values. ------------------------------------------------------------------------------ */

static PyObject *give_values(PyObject *options, py_work_fn work, division_job *job)
{
    if (call(options, work, job) < 0) {
        shoal_values_free(job->values);
        return NULL;
    }
    return wrap_values(job->values);
}

/* values_count(options, spec, table) -> values */
PyObject *py_values_count(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&O&", &options, py_spec_arg, &job.spec, py_table_arg,
                            &job.table)
               ? give_values(options, count_values, &job)
               : NULL;
}

/* values_read(options, spec, bytes) -> values */
PyObject *py_values_read(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&y#", &options, py_spec_arg, &job.spec, &job.bytes,
                            &job.size)
               ? give_values(options, read_values, &job)
               : NULL;
}

/* values_add(options, values, more) */
PyObject *py_values_add(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&O&", &options, values_arg, &job.values, values_arg,
                            &job.more_values)
               ? give_nothing(options, add_values, &job)
               : NULL;
}

/* values_write(options, values) -> bytes */
PyObject *py_values_write(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&", &options, values_arg, &job.values)
               ? give_bytes(options, write_values, &job)
               : NULL;
}

/* values_facts(values) -> (records, [(column, values), ...]) */
PyObject *py_values_facts(PyObject *module, PyObject *args)
{
    const shoal_values *values = NULL;
    PyObject *columns = NULL;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&", values_arg, &values)) {
        return NULL;
    }
    columns = PyList_New(0);
    for (size_t c = 0; columns && c < shoal_values_column_count(values); c++) {
        PyObject *column = Py_BuildValue("(sn)", shoal_values_column_name(values, c),
                                         (Py_ssize_t)shoal_values_value_count(values, c));

        if (!column || PyList_Append(columns, column) < 0) {
            Py_CLEAR(columns);
        }
        Py_XDECREF(column);
    }
    return columns ? Py_BuildValue(
                         "(KN)", (unsigned long long)shoal_values_record_count(values), columns)
                   : NULL;
}

/* --- The division. ------------------------------------------------------------------------ */

/* The spec is the second argument of those that make a division. */
static PyObject *give_division(PyObject *args, PyObject *options, py_work_fn work,
                               division_job *job)
{
    if (call(options, work, job) < 0) {
        shoal_division_free(job->division);
        return NULL;
    }
    return wrap_division(job->division, PyTuple_GetItem(args, 1));
}

/* division_build(options, spec, values) -> division */
PyObject *py_division_build(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&O&", &options, py_spec_arg, &job.spec, values_arg,
                            &job.values)
               ? give_division(args, options, build, &job)
               : NULL;
}

/* division_read(options, spec, bytes) -> division */
PyObject *py_division_read(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&y#", &options, py_spec_arg, &job.spec, &job.bytes,
                            &job.size)
               ? give_division(args, options, read_division, &job)
               : NULL;
}

/* division_write(options, division) -> bytes */
PyObject *py_division_write(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&", &options, division_arg, &job.division)
               ? give_bytes(options, write_division, &job)
               : NULL;
}

/* division_facts(division) -> (records, [records of each fragment, ...]) */
PyObject *py_division_facts(PyObject *module, PyObject *args)
{
    const shoal_division *division = NULL;
    PyObject *sizes = NULL;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&", division_arg, &division)) {
        return NULL;
    }
    sizes = PyList_New(0);
    for (size_t f = 0; sizes && f < shoal_division_fragment_count(division); f++) {
        PyObject *size = PyLong_FromUnsignedLongLong(shoal_division_fragment_size(division, f));

        if (!size || PyList_Append(sizes, size) < 0) {
            Py_CLEAR(sizes);
        }
        Py_XDECREF(size);
    }
    return sizes ? Py_BuildValue(
                       "(KN)", (unsigned long long)shoal_division_record_count(division), sizes)
                 : NULL;
}

/* division_cut(options, division, counts or None, most_records) -> fragments still open */
PyObject *py_division_cut(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&O&K", &options, division_arg, &job.division, counts_or_none,
                          &job.more_counts, &job.most_records) ||
        call(options, cut, &job) < 0) {
        return NULL;
    }
    return PyLong_FromSize_t(job.open);
}

/* Room for a number of each record; not in a Python object, which a call that outlives the
 * interpreter would write to. */
static bool make_numbers(division_job *job)
{
    job->numbers = calloc(shoal_table_row_count(job->table) + 1, sizeof *job->numbers);
    if (!job->numbers) {
        PyErr_NoMemory();
    }
    return job->numbers != NULL;
}

static PyObject *numbers_bytes(const division_job *job, size_t count)
{
    return PyBytes_FromStringAndSize((const char *)job->numbers,
                                     (Py_ssize_t)(count * sizeof *job->numbers));
}

/* division_route(options, division, table) -> bytes: the fragment of each record, uint32 */
PyObject *py_division_route(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    PyObject *bytes = NULL;
    division_job job = {0};

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&O&", &options, division_arg, &job.division, py_table_arg,
                          &job.table) ||
        !make_numbers(&job)) {
        return NULL;
    }
    if (call(options, route, &job) == 0) {
        bytes = numbers_bytes(&job, shoal_table_row_count(job.table));
    }
    free(job.numbers);
    return bytes;
}

/* division_solve(options, division, table, fragment) -> (published, classes, bytes: the record
 * of each row, uint32) */
PyObject *py_division_solve(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    Py_ssize_t fragment = 0;
    division_job job = {0};

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&O&n", &options, division_arg, &job.division, py_table_arg,
                          &job.table, &fragment) ||
        !make_numbers(&job)) {
        return NULL;
    }
    job.fragment = (size_t)fragment;
    if (call(options, solve, &job) < 0) {
        shoal_table_free(job.published);
        shoal_classes_free(job.classes);
        free(job.numbers);
        return NULL;
    }
    PyObject *records = numbers_bytes(&job, shoal_table_row_count(job.published));
    PyObject *published = py_wrap_table(job.published);
    PyObject *classes = wrap_classes(job.classes);

    free(job.numbers);
    if (!published || !classes || !records) {
        Py_XDECREF(published);
        Py_XDECREF(classes);
        Py_XDECREF(records);
        return NULL;
    }
    return Py_BuildValue("(NNN)", published, classes, records);
}

/* --- Counts. ------------------------------------------------------------------------------ */

static PyObject *give_counts(PyObject *options, py_work_fn work, division_job *job)
{
    if (call(options, work, job) < 0) {
        shoal_counts_free(job->counts);
        return NULL;
    }
    return wrap_counts(job->counts);
}

/* division_count(options, division, table) -> counts */
PyObject *py_division_count(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&O&", &options, division_arg, &job.division, py_table_arg,
                            &job.table)
               ? give_counts(options, count, &job)
               : NULL;
}

/* counts_read(options, division, bytes) -> counts */
PyObject *py_counts_read(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&y#", &options, division_arg, &job.division, &job.bytes,
                            &job.size)
               ? give_counts(options, read_counts, &job)
               : NULL;
}

/* counts_add(options, counts, more) */
PyObject *py_counts_add(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&O&", &options, counts_arg, &job.counts, counts_arg,
                            &job.more_counts)
               ? give_nothing(options, add_counts, &job)
               : NULL;
}

/* counts_write(options, counts) -> bytes */
PyObject *py_counts_write(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&", &options, counts_arg, &job.counts)
               ? give_bytes(options, write_counts, &job)
               : NULL;
}

/* --- Classes. ----------------------------------------------------------------------------- */

static PyObject *give_classes(PyObject *options, py_work_fn work, division_job *job)
{
    if (call(options, work, job) < 0) {
        shoal_classes_free(job->classes);
        return NULL;
    }
    return wrap_classes(job->classes);
}

/* classes_count(options, spec, table) -> classes */
PyObject *py_classes_count(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&O&", &options, py_spec_arg, &job.spec, py_table_arg,
                            &job.table)
               ? give_classes(options, count_classes, &job)
               : NULL;
}

/* classes_read(options, spec, bytes) -> classes */
PyObject *py_classes_read(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&y#", &options, py_spec_arg, &job.spec, &job.bytes,
                            &job.size)
               ? give_classes(options, read_classes, &job)
               : NULL;
}

/* classes_add(options, classes, more) */
PyObject *py_classes_add(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&O&", &options, classes_arg, &job.classes, classes_arg,
                            &job.more_classes)
               ? give_nothing(options, add_classes, &job)
               : NULL;
}

/* classes_write(options, classes) -> bytes */
PyObject *py_classes_write(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {0};

    (void)module;
    return PyArg_ParseTuple(args, "OO&", &options, classes_arg, &job.classes)
               ? give_bytes(options, write_classes, &job)
               : NULL;
}

/* division_verify(options, division, classes) -> dict */
PyObject *py_division_verify(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    division_job job = {.outcome = SHOAL_DIVISION_OUTCOME_INIT};

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&O&", &options, division_arg, &job.division, classes_arg,
                          &job.classes) ||
        call(options, verify, &job) < 0) {
        return NULL;
    }
    const shoal_division_outcome *o = &job.outcome;

    return Py_BuildValue("{sO,sK,sK,sK,sK,sd,sd,sN}", "holds", o->holds ? Py_True : Py_False,
                         "records", (unsigned long long)o->records, "classes",
                         (unsigned long long)o->classes, "smallest_class",
                         (unsigned long long)o->smallest_class, "failing_classes",
                         (unsigned long long)o->failing_classes, "ncp", o->ncp, "gcp", o->gcp,
                         "failing", py_text(o->failing));
}

/* --- Hierarchies, for those who count by them. -------------------------------------------- */

typedef struct hierarchy_job {
    const shoal_spec *spec;
    const shoal_table *table;
    const char *column;
    shoal_hierarchy *hierarchy;
} hierarchy_job;

static shoal_status build_hierarchy(shoal_ctx *ctx, void *payload)
{
    hierarchy_job *job = payload;

    return shoal_hierarchy_build_spec_table(ctx, &job->hierarchy, job->spec, job->table,
                                            job->column);
}

/* A number of each node, or of each record. */
static PyObject *list_numbers(const hierarchy_job *job, size_t count,
                              long long (*number)(const hierarchy_job *, uint32_t))
{
    PyObject *list = PyList_New(0);

    for (size_t i = 0; list && i < count; i++) {
        PyObject *item = PyLong_FromLongLong(number(job, (uint32_t)i));

        if (!item || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

static long long number_leaf(const hierarchy_job *job, uint32_t row)
{
    const shoal_hierarchy *h = job->hierarchy;
    size_t column = (size_t)shoal_table_find(job->table, job->column);

    return shoal_hierarchy_leaf_node(
        h, shoal_hierarchy_leaf(h, shoal_table_code(job->table, column, row)));
}

static long long number_parent(const hierarchy_job *job, uint32_t node)
{
    return node > 0 ? (long long)shoal_hierarchy_parent(job->hierarchy, node) : 0;
}

static long long number_height(const hierarchy_job *job, uint32_t node)
{
    return shoal_hierarchy_node_height(job->hierarchy, node);
}

/* hierarchy_nodes(options, spec, table, column) -> ([node of each record], [parent of each
 * node], [height of each node]); node 0 is the root */
PyObject *py_hierarchy_nodes(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    hierarchy_job job = {0};

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&O&s", &options, py_spec_arg, &job.spec, py_table_arg,
                          &job.table, &job.column)) {
        return NULL;
    }
    if (py_call_here(options, build_hierarchy, &job, NULL) < 0) {
        shoal_hierarchy_free(job.hierarchy);
        return NULL;
    }
    size_t nodes = shoal_hierarchy_node_count(job.hierarchy);
    PyObject *leaves = list_numbers(&job, shoal_table_row_count(job.table), number_leaf);
    PyObject *parents = list_numbers(&job, nodes, number_parent);
    PyObject *heights = list_numbers(&job, nodes, number_height);

    shoal_hierarchy_free(job.hierarchy);
    if (!leaves || !parents || !heights) {
        Py_XDECREF(leaves);
        Py_XDECREF(parents);
        Py_XDECREF(heights);
        return NULL;
    }
    return Py_BuildValue("(NNN)", leaves, parents, heights);
}

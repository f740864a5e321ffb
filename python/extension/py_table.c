/* Tables from and to Arrow streams, arrays and CSV. */
#include "py_core.h"

#include <stdlib.h>
#include <string.h>

PyObject *py_text(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static void end_table(PyObject *capsule)
{
    shoal_table_free(PyCapsule_GetPointer(capsule, PY_TABLE));
}

PyObject *py_wrap_table(shoal_table *table)
{
    PyObject *capsule = PyCapsule_New(table, PY_TABLE, end_table);

    if (!capsule) {
        shoal_table_free(table);
    }
    return capsule;
}

int py_table_arg(PyObject *object, void *out)
{
    *(void **)out = PyCapsule_GetPointer(object, PY_TABLE);
    return *(void **)out != NULL;
}

int py_table_or_none(PyObject *object, void *out)
{
    if (object == Py_None) {
        *(void **)out = NULL;
        return 1;
    }
    return py_table_arg(object, out);
}

int py_path_or_none(PyObject *object, void *out)
{
    char *bytes = NULL;

    /* Without a place for the length, a NUL inside is a ValueError. */
    if (object != Py_None && PyBytes_AsStringAndSize(object, &bytes, NULL) < 0) {
        return 0;
    }
    *(const char **)out = bytes;
    return 1;
}

/* --- In. ---------------------------------------------------------------------------------- */

typedef struct import_job {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema; /* to name the column that is at fault */
    shoal_table *table;
} import_job;

static shoal_status import_table(shoal_ctx *ctx, void *payload)
{
    import_job *job = payload;

    /* What is wrong with the schema is told by the import. */
    if (job->stream.get_schema(&job->stream, &job->schema) != 0) {
        job->schema.release = NULL;
    }
    return shoal_table_import(ctx, &job->table, &job->stream);
}

static const char *name_imported(const void *payload, int64_t field)
{
    const import_job *job = payload;

    return job->schema.release && field < job->schema.n_children
               ? job->schema.children[field]->name
               : NULL;
}

/* table_import(options, stream) -> table; the stream is used up. */
PyObject *py_table_import(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    PyObject *capsule = NULL;
    import_job job = {0};

    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &options, &capsule)) {
        return NULL;
    }
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, PY_STREAM);

    if (!stream) {
        return NULL;
    }
    if (!stream->release) {
        PyErr_SetString(PyExc_ValueError, "The stream was read before; hand over a new one.");
        return NULL;
    }
    job.stream = *stream;
    stream->release = NULL; /* moved */

    int result = py_call(options, import_table, &job, sizeof job, name_imported);

    if (job.schema.release) {
        job.schema.release(&job.schema);
    }
    if (job.stream.release) { /* the call did not come so far */
        job.stream.release(&job.stream);
    }
    if (result < 0) {
        shoal_table_free(job.table);
        return NULL;
    }
    return py_wrap_table(job.table);
}

typedef struct arrays_job {
    shoal_array *arrays;
    size_t count;
    shoal_table *table;
} arrays_job;

static shoal_status build_table(shoal_ctx *ctx, void *payload)
{
    arrays_job *job = payload;

    return shoal_table_from_arrays(ctx, &job->table, job->arrays, job->count);
}

static const char *name_array(const void *payload, int64_t field)
{
    const arrays_job *job = payload;

    return (size_t)field < job->count ? job->arrays[field].name : NULL;
}

/* One column: (name, kind, length, data, offsets or None, validity or None). */
static bool fill_array(shoal_array *array, PyObject *column)
{
    const char *kind = NULL;
    Py_ssize_t length = 0;
    const char *data = NULL;
    Py_ssize_t data_size = 0;
    const char *offsets = NULL;
    Py_ssize_t offsets_size = 0;
    const char *validity = NULL;
    Py_ssize_t validity_size = 0;

    if (!PyArg_ParseTuple(column, "ssny#z#z#", &array->name, &kind, &length, &data, &data_size,
                          &offsets, &offsets_size, &validity, &validity_size)) {
        return false;
    }
    array->length = (size_t)length;
    array->data = data;
    array->validity = (const uint8_t *)validity;

    Py_ssize_t width = strcmp(kind, "date") == 0 ? 4 : 8;
    bool is_text = strcmp(kind, "text") == 0;

    array->kind = is_text                        ? SHOAL_ARRAY_LARGE_UTF8
                  : strcmp(kind, "integer") == 0 ? SHOAL_ARRAY_INT64
                  : strcmp(kind, "real") == 0    ? SHOAL_ARRAY_DOUBLE
                                                 : SHOAL_ARRAY_DATE32;
    array->offsets64 = (const int64_t *)(const void *)offsets;
    if (length < 0 || (validity && validity_size < (length + 7) / 8) ||
        (is_text ? !offsets || offsets_size / 8 <= length : data_size / width < length)) {
        PyErr_SetString(PyExc_ValueError, "A column is shorter than it says.");
        return false;
    }
    return true;
}

/* table_from_columns(options, columns) -> table */
PyObject *py_table_from_columns(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    PyObject *columns = NULL;
    arrays_job job = {0};

    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &options, &columns)) {
        return NULL;
    }
    Py_ssize_t count = PyTuple_Size(columns);

    if (count < 0) {
        return NULL;
    }
    job.count = (size_t)count;
    job.arrays = calloc(job.count + 1, sizeof *job.arrays);
    if (!job.arrays) {
        return PyErr_NoMemory();
    }
    int result = 0;

    for (Py_ssize_t i = 0; i < count && result == 0; i++) {
        result = fill_array(&job.arrays[i], PyTuple_GetItem(columns, i)) ? 0 : -1;
    }
    if (result == 0) {
        result = py_call(options, build_table, &job, sizeof job, name_array);
    }
    free(job.arrays);
    if (result < 0) {
        shoal_table_free(job.table);
        return NULL;
    }
    return py_wrap_table(job.table);
}

/* --- Out. --------------------------------------------------------------------------------- */

static void end_stream(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, PY_STREAM);

    if (stream->release) {
        stream->release(stream);
    }
    free(stream);
}

PyObject *py_wrap_stream(struct ArrowArrayStream *stream)
{
    struct ArrowArrayStream *copy = malloc(sizeof *copy);
    PyObject *capsule = NULL;

    if (copy) {
        *copy = *stream;
        capsule = PyCapsule_New(copy, PY_STREAM, end_stream);
    } else {
        PyErr_NoMemory();
    }
    if (!capsule) {
        free(copy);
        stream->release(stream);
    }
    return capsule;
}

typedef struct export_job {
    const shoal_table *table;
    size_t batch_rows;
    struct ArrowArrayStream stream;
} export_job;

static shoal_status export_table(shoal_ctx *ctx, void *payload)
{
    export_job *job = payload;

    return shoal_table_export_batches(ctx, &job->stream, job->table, job->batch_rows);
}

/* table_export(options, table, batch_rows) -> stream */
PyObject *py_table_export(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    export_job job = {0};
    Py_ssize_t rows = 0;

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&n", &options, py_table_arg, &job.table, &rows)) {
        return NULL;
    }
    job.batch_rows = (size_t)rows;
    if (py_call(options, export_table, &job, sizeof job, NULL) < 0) {
        if (job.stream.release) {
            job.stream.release(&job.stream);
        }
        return NULL;
    }
    return py_wrap_stream(&job.stream);
}

/* table_facts(table) -> (rows, [(name, type, values, missing), ...]) */
PyObject *py_table_facts(PyObject *module, PyObject *args)
{
    const shoal_table *table = NULL;
    PyObject *columns = NULL;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&", py_table_arg, &table)) {
        return NULL;
    }
    columns = PyList_New(0);
    for (size_t c = 0; columns && c < shoal_table_column_count(table); c++) {
        PyObject *facts = Py_BuildValue("(ssnn)", shoal_table_name(table, c),
                                        shoal_type_name(shoal_table_type(table, c)),
                                        (Py_ssize_t)shoal_table_value_count(table, c),
                                        (Py_ssize_t)shoal_table_missing_count(table, c));

        if (!facts || PyList_Append(columns, facts) < 0) {
            Py_CLEAR(columns);
        }
        Py_XDECREF(facts);
    }
    return columns ? Py_BuildValue("(nN)", (Py_ssize_t)shoal_table_row_count(table), columns)
                   : NULL;
}

/* --- As values of Python. ----------------------------------------------------------------- */

/* One value; days since 1970-01-01 of a date. */
static PyObject *make_value(const shoal_table *table, size_t column, uint32_t code)
{
    size_t length = 0;
    const char *text = NULL;

    switch (shoal_table_type(table, column)) {
    case SHOAL_TYPE_INTEGER:
    case SHOAL_TYPE_DATE:
        return PyLong_FromLongLong((long long)shoal_table_number(table, column, code));
    case SHOAL_TYPE_REAL:
        return PyFloat_FromDouble(shoal_table_number(table, column, code));
    default:
        text = shoal_table_text(table, column, code, &length);
        return PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
    }
}

/* A list of the values, each made once; the last one stands for missing. */
static PyObject *list_distinct(const shoal_table *table, size_t column)
{
    PyObject *values = PyList_New(0);

    for (size_t v = 0; values && v < shoal_table_value_count(table, column); v++) {
        PyObject *value = make_value(table, column, (uint32_t)v);

        if (!value || PyList_Append(values, value) < 0) {
            Py_CLEAR(values);
        }
        Py_XDECREF(value);
    }
    if (values && PyList_Append(values, Py_None) < 0) {
        Py_CLEAR(values);
    }
    return values;
}

static PyObject *list_column(const shoal_table *table, size_t column)
{
    size_t count = shoal_table_row_count(table);
    PyObject *values = list_distinct(table, column);
    PyObject *list = values ? PyList_New((Py_ssize_t)count) : NULL;

    for (size_t row = 0; list && row < count; row++) {
        uint32_t code = shoal_table_code(table, column, row);
        PyObject *value = PyList_GetItem(values, (Py_ssize_t)code);

        Py_INCREF(value);
        PyList_SetItem(list, (Py_ssize_t)row, value);
    }
    Py_XDECREF(values);
    return list;
}

PyObject *py_table_columns(const shoal_table *table)
{
    PyObject *columns = PyList_New(0);

    for (size_t c = 0; columns && c < shoal_table_column_count(table); c++) {
        PyObject *list = list_column(table, c);
        PyObject *column =
            list ? Py_BuildValue("(ssN)", shoal_table_name(table, c),
                                 shoal_type_name(shoal_table_type(table, c)), list)
                 : NULL;

        if (!column || PyList_Append(columns, column) < 0) {
            Py_CLEAR(columns);
        }
        Py_XDECREF(column);
    }
    return columns;
}

/* table_values(table) -> [(name, type, [value, ...]), ...] */
PyObject *py_table_values(PyObject *module, PyObject *args)
{
    const shoal_table *table = NULL;

    (void)module;
    return PyArg_ParseTuple(args, "O&", py_table_arg, &table) ? py_table_columns(table) : NULL;
}

/* --- CSV. --------------------------------------------------------------------------------- */

typedef struct csv_job {
    const char *path;
    char delimiter;
    int encoding;
    Py_ssize_t skip_lines;
    const char *comment;
    shoal_table *table;
} csv_job;

static shoal_status read_table(shoal_ctx *ctx, void *payload)
{
    csv_job *job = payload;
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;

    options.delimiter = job->delimiter;
    options.encoding = (shoal_encoding)job->encoding;
    options.skip_lines = (size_t)job->skip_lines;
    options.comment = job->comment;
    return shoal_csv_read(ctx, &job->table, job->path, &options);
}

static shoal_status write_table(shoal_ctx *ctx, void *payload)
{
    const csv_job *job = payload;

    return shoal_csv_write(ctx, job->table, job->path, job->delimiter);
}

/* table_read(options, path, delimiter, encoding, skip_lines, comment) -> table; delimiter "":
 * detect; encoding: a shoal_encoding */
PyObject *py_table_read(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    const char *delimiter = NULL;
    csv_job job = {0};

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&sinz", &options, py_path_or_none, &job.path, &delimiter,
                          &job.encoding, &job.skip_lines, &job.comment)) {
        return NULL;
    }
    job.delimiter = delimiter[0];
    if (py_call(options, read_table, &job, sizeof job, NULL) < 0) {
        shoal_table_free(job.table);
        return NULL;
    }
    return py_wrap_table(job.table);
}

/* table_write(options, table, path, delimiter) */
PyObject *py_table_write(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    const char *delimiter = NULL;
    csv_job job = {0};

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&O&s", &options, py_table_arg, &job.table, py_path_or_none,
                          &job.path, &delimiter)) {
        return NULL;
    }
    job.delimiter = delimiter[0];
    if (py_call(options, write_table, &job, sizeof job, NULL) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* --- Made up. ----------------------------------------------------------------------------- */

typedef struct generate_job {
    shoal_generate_options options;
    const char *path; /* NULL: in memory */
    shoal_table *table;
} generate_job;

static shoal_status generate(shoal_ctx *ctx, void *payload)
{
    generate_job *job = payload;

    return job->path ? shoal_generate(ctx, job->path, &job->options)
                     : shoal_generate_table(ctx, &job->table, &job->options);
}

/* generate(options, kind, records, seed, dimensions, sigma, path or None) -> table or None */
PyObject *py_generate(PyObject *module, PyObject *args)
{
    PyObject *options = NULL;
    const char *kind = NULL;
    unsigned long long records = 0;
    unsigned long long seed = 0;
    generate_job job = {.options = SHOAL_GENERATE_OPTIONS_INIT};

    (void)module;
    if (!PyArg_ParseTuple(args, "OsKKIdO&", &options, &kind, &records, &seed,
                          &job.options.dimensions, &job.options.sigma, py_path_or_none,
                          &job.path)) {
        return NULL;
    }
    if (!shoal_generate_kind_find(&job.options.kind, kind)) {
        PyErr_Format(
            PyExc_ValueError,
            "A table is generated as uniform, gaussian, census or payments; got \"%.40s\".",
            kind);
        return NULL;
    }
    job.options.records = records;
    job.options.seed = seed;
    if (py_call(options, generate, &job, sizeof job, NULL) < 0) {
        shoal_table_free(job.table);
        return NULL;
    }
    if (job.path) {
        Py_RETURN_NONE;
    }
    return py_wrap_table(job.table);
}

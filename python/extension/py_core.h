/* py_core.h -- what the files of the extension share.
 *
 * shoal._core is the library as Python can call it, and no more: objects are capsules, texts go
 * in as str, paths as bytes (os.fsencode), what a report says comes out as one dict. Names,
 * defaults, kinds of data frames and everything else that people see is Python, in
 * python/shoal.
 *
 *   py_call.c     one call of the library: a thread of its own, signals, progress, failures
 *   py_table.c    tables from and to Arrow streams, arrays and CSV
 *   py_spec.c     specs, and what can be said in them
 *   py_run.c      the runs of job.h, sessions of queries
 *   py_result.c   reports and releases
 *   py_division.c tables in parts
 *   py_module.c   the module
 *
 * Only the limited API of CPython 3.9 is used, so one build serves every later version.
 */
#ifndef PY_CORE_H
#define PY_CORE_H

#define Py_LIMITED_API 0x03090000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <shoal/shoal.h>

/* --- Capsules. ---------------------------------------------------------------------------- */

#define PY_TABLE "shoal.table"
#define PY_SPEC "shoal.spec"
#define PY_RELEASE "shoal.release"
#define PY_SESSION "shoal.session"
#define PY_STREAM "arrow_array_stream" /* the name that Arrow's interface asks for */

/* A capsule that owns the object from now on; when there is no memory for it, the object is
 * freed and NULL returned. NULL becomes None. */
PyObject *py_wrap_table(shoal_table *table);
PyObject *py_wrap_spec(shoal_spec *spec);
PyObject *py_wrap_release(shoal_release *release);
PyObject *py_wrap_session(shoal_query_session *session);

/* Converters of PyArg_Parse ("O&"): the object of a capsule, or NULL for None where that is
 * allowed. Borrowed from the capsule. */
int py_table_arg(PyObject *object, void *out);
int py_spec_arg(PyObject *object, void *out);
int py_release_arg(PyObject *object, void *out);
int py_session_arg(PyObject *object, void *out);
int py_table_or_none(PyObject *object, void *out);
int py_release_or_none(PyObject *object, void *out);
int py_session_or_none(PyObject *object, void *out);

/* The bytes of a path, without a NUL inside; NULL for None. Borrowed. */
int py_path_or_none(PyObject *object, void *out);

/* --- Calls. ------------------------------------------------------------------------------- */

/* What is called: reads and fills the job. */
typedef shoal_status (*py_work_fn)(shoal_ctx *ctx, void *job);

/* The name of a column that a failure is about, borrowed from the job; NULL: not known. */
typedef const char *(*py_name_fn)(const void *job, int64_t field);

/* Call the library without the lock of the interpreter (GIL), in a thread of its own. This
 * thread waits, hands on progress and log lines, and looks for signals: Ctrl-C cancels the call
 * at once.
 *
 * options: a tuple (progress, log, show_values, threads); progress(stage, fraction) and
 *          log(level, message, where) may be None. Progress answers False to stop.
 * job:     copied for the call and copied back in any case: results are the caller's, also
 *          when -1 is returned.
 * Returns 0, or -1 with an exception: that of the callback or the signal, else what
 * shoal._errors makes of the failure.
 *
 * The interpreter may end while the call runs, in a daemon thread: that thread never comes
 * back. So everything that the call touches is on the heap, or belongs to Python objects that
 * the thread has references to. */
int py_call(PyObject *options, py_work_fn work, void *job, size_t job_size, py_name_fn name_of);

/* The same in this thread, for what takes no time. */
int py_call_here(PyObject *options, py_work_fn work, void *job, py_name_fn name_of);

/* Cancel all calls that are running, and wait for a while until they are over. */
PyObject *py_stop_calls(PyObject *module, PyObject *args);

/* --- Methods of the module. --------------------------------------------------------------- */

PyObject *py_table_import(PyObject *module, PyObject *args);
PyObject *py_table_from_columns(PyObject *module, PyObject *args);
PyObject *py_table_export(PyObject *module, PyObject *args);
PyObject *py_table_facts(PyObject *module, PyObject *args);
PyObject *py_table_values(PyObject *module, PyObject *args);
PyObject *py_table_read(PyObject *module, PyObject *args);
PyObject *py_table_write(PyObject *module, PyObject *args);
PyObject *py_generate(PyObject *module, PyObject *args);

PyObject *py_spec_new(PyObject *module, PyObject *args);
PyObject *py_spec_read(PyObject *module, PyObject *args);
PyObject *py_spec_read_text(PyObject *module, PyObject *args);
PyObject *py_spec_copy(PyObject *module, PyObject *args);
PyObject *py_spec_yaml(PyObject *module, PyObject *args);
PyObject *py_spec_set(PyObject *module, PyObject *args);
PyObject *py_spec_get(PyObject *module, PyObject *args);
PyObject *py_spec_set_column(PyObject *module, PyObject *args);
PyObject *py_spec_get_column(PyObject *module, PyObject *args);
PyObject *py_spec_columns(PyObject *module, PyObject *args);
PyObject *py_spec_set_hierarchy(PyObject *module, PyObject *args);
PyObject *py_spec_set_population(PyObject *module, PyObject *args);
PyObject *py_settings(PyObject *module, PyObject *args);
PyObject *py_methods(PyObject *module, PyObject *args);

PyObject *py_run(PyObject *module, PyObject *args, PyObject *keywords);

PyObject *py_release_from_tables(PyObject *module, PyObject *args);
PyObject *py_release_values(PyObject *module, PyObject *args);
PyObject *py_release_facts(PyObject *module, PyObject *args);
PyObject *py_release_numbers(PyObject *module, PyObject *args);
PyObject *py_release_class(PyObject *module, PyObject *args);
PyObject *py_release_export(PyObject *module, PyObject *args);
PyObject *py_release_write(PyObject *module, PyObject *args);

PyObject *py_values_count(PyObject *module, PyObject *args);
PyObject *py_values_read(PyObject *module, PyObject *args);
PyObject *py_values_add(PyObject *module, PyObject *args);
PyObject *py_values_write(PyObject *module, PyObject *args);
PyObject *py_values_facts(PyObject *module, PyObject *args);
PyObject *py_division_build(PyObject *module, PyObject *args);
PyObject *py_division_read(PyObject *module, PyObject *args);
PyObject *py_division_write(PyObject *module, PyObject *args);
PyObject *py_division_facts(PyObject *module, PyObject *args);
PyObject *py_division_cut(PyObject *module, PyObject *args);
PyObject *py_division_route(PyObject *module, PyObject *args);
PyObject *py_division_solve(PyObject *module, PyObject *args);
PyObject *py_division_count(PyObject *module, PyObject *args);
PyObject *py_counts_read(PyObject *module, PyObject *args);
PyObject *py_counts_add(PyObject *module, PyObject *args);
PyObject *py_counts_write(PyObject *module, PyObject *args);
PyObject *py_classes_count(PyObject *module, PyObject *args);
PyObject *py_classes_read(PyObject *module, PyObject *args);
PyObject *py_classes_add(PyObject *module, PyObject *args);
PyObject *py_classes_write(PyObject *module, PyObject *args);
PyObject *py_division_verify(PyObject *module, PyObject *args);
PyObject *py_hierarchy_nodes(PyObject *module, PyObject *args);

/* Everything a report says, as a dict. */
PyObject *py_report_dict(const shoal_report *report);

/* The columns of a table: [(name, type, [value, ...]), ...]; dates as days since 1970-01-01. */
PyObject *py_table_columns(const shoal_table *table);

/* A capsule with a stream, which is moved into it; released when there is no memory. */
PyObject *py_wrap_stream(struct ArrowArrayStream *stream);

/* Text of the library as str: a message that was cut may end within a character. */
PyObject *py_text(const char *text);

#endif /* PY_CORE_H */

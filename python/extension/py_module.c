/* The module shoal._core. */
#include "py_core.h"

static PyMethodDef methods[] = {
    {"stop_calls", py_stop_calls, METH_NOARGS, NULL},
    {"table_import", py_table_import, METH_VARARGS, NULL},
    {"table_from_columns", py_table_from_columns, METH_VARARGS, NULL},
    {"table_export", py_table_export, METH_VARARGS, NULL},
    {"table_facts", py_table_facts, METH_VARARGS, NULL},
    {"table_values", py_table_values, METH_VARARGS, NULL},
    {"table_read", py_table_read, METH_VARARGS, NULL},
    {"table_write", py_table_write, METH_VARARGS, NULL},
    {"generate", py_generate, METH_VARARGS, NULL},
    {"spec_new", py_spec_new, METH_VARARGS, NULL},
    {"spec_read", py_spec_read, METH_VARARGS, NULL},
    {"spec_read_text", py_spec_read_text, METH_VARARGS, NULL},
    {"spec_copy", py_spec_copy, METH_VARARGS, NULL},
    {"spec_yaml", py_spec_yaml, METH_VARARGS, NULL},
    {"spec_set", py_spec_set, METH_VARARGS, NULL},
    {"spec_get", py_spec_get, METH_VARARGS, NULL},
    {"spec_set_column", py_spec_set_column, METH_VARARGS, NULL},
    {"spec_get_column", py_spec_get_column, METH_VARARGS, NULL},
    {"spec_columns", py_spec_columns, METH_VARARGS, NULL},
    {"spec_set_hierarchy", py_spec_set_hierarchy, METH_VARARGS, NULL},
    {"spec_set_population", py_spec_set_population, METH_VARARGS, NULL},
    {"settings", py_settings, METH_VARARGS, NULL},
    {"methods", py_methods, METH_NOARGS, NULL},
    {"run", (PyCFunction)(void (*)(void))py_run, METH_VARARGS | METH_KEYWORDS, NULL},
    {"release_from_tables", py_release_from_tables, METH_VARARGS, NULL},
    {"release_facts", py_release_facts, METH_VARARGS, NULL},
    {"release_values", py_release_values, METH_VARARGS, NULL},
    {"release_numbers", py_release_numbers, METH_VARARGS, NULL},
    {"release_class", py_release_class, METH_VARARGS, NULL},
    {"release_export", py_release_export, METH_VARARGS, NULL},
    {"release_write", py_release_write, METH_VARARGS, NULL},
    {"values_count", py_values_count, METH_VARARGS, NULL},
    {"values_read", py_values_read, METH_VARARGS, NULL},
    {"values_add", py_values_add, METH_VARARGS, NULL},
    {"values_write", py_values_write, METH_VARARGS, NULL},
    {"values_facts", py_values_facts, METH_VARARGS, NULL},
    {"division_build", py_division_build, METH_VARARGS, NULL},
    {"division_read", py_division_read, METH_VARARGS, NULL},
    {"division_write", py_division_write, METH_VARARGS, NULL},
    {"division_facts", py_division_facts, METH_VARARGS, NULL},
    {"division_cut", py_division_cut, METH_VARARGS, NULL},
    {"division_route", py_division_route, METH_VARARGS, NULL},
    {"division_solve", py_division_solve, METH_VARARGS, NULL},
    {"division_count", py_division_count, METH_VARARGS, NULL},
    {"counts_read", py_counts_read, METH_VARARGS, NULL},
    {"counts_add", py_counts_add, METH_VARARGS, NULL},
    {"counts_write", py_counts_write, METH_VARARGS, NULL},
    {"classes_count", py_classes_count, METH_VARARGS, NULL},
    {"classes_read", py_classes_read, METH_VARARGS, NULL},
    {"classes_add", py_classes_add, METH_VARARGS, NULL},
    {"classes_write", py_classes_write, METH_VARARGS, NULL},
    {"division_verify", py_division_verify, METH_VARARGS, NULL},
    {"hierarchy_nodes", py_hierarchy_nodes, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "shoal._core",
    "The library; see the package above.",
    -1,
    methods,
    NULL,
    NULL,
    NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module = PyModule_Create(&definition);

    if (module && (PyModule_AddStringConstant(module, "version", shoal_version()) < 0 ||
                   PyModule_AddIntConstant(module, "batch_rows", SHOAL_ARROW_BATCH) < 0)) {
        Py_CLEAR(module);
    }
    return module;
}

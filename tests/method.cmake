shoal_unit_test(test_methods)
shoal_unit_test(test_bottomup)
shoal_unit_test(test_exact)
shoal_unit_test(test_lattice)
shoal_unit_test(test_specialize)
shoal_unit_test(test_hilbert)
shoal_unit_test(test_incognito)
shoal_unit_test(test_people)
shoal_test_threads(test_incognito)

# All of test_methods takes minutes under the thread sanitizer; this is the part with threads in it.
add_test(NAME test_method_threads COMMAND test_methods "test_threads*")
set_tests_properties(test_method_threads PROPERTIES LABELS "unit;threads")
add_dependencies(threaded_tests test_methods)

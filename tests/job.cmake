shoal_unit_test(test_inspect)
shoal_unit_test(test_job)
shoal_unit_test(test_spec)
shoal_fuzz_target(fuzz_spec)

shoal_unit_test(test_scan)

shoal_unit_test(test_box_tree)
shoal_unit_test(test_grid)
shoal_unit_test(test_scan)

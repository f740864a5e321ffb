foreach(name csv_blocks)
    shoal_unit_test(test_${name})
endforeach()
shoal_test_threads(test_csv_blocks)

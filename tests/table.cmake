foreach(name
        csv_scan dictionary sort_keys column_build table arrays csv_read csv_blocks csv_spooled csv_write
        arrow_import arrow_lies arrow_export table_configure text_source value_format fold)
    shoal_unit_test(test_${name})
endforeach()
shoal_test_threads(test_csv_blocks test_csv_read test_csv_write test_arrays test_table test_arrow_import)
shoal_fuzz_target(fuzz_csv)
shoal_fuzz_target(fuzz_arrow)
shoal_fuzz_target(fuzz_fold)

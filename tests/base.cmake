foreach(name ctx pool random arena buffer json file output output_pairs output_device text hash sha256 sort entropy spool sized fork entry warnings compress relay for_people)
    shoal_unit_test(test_${name})
endforeach()
shoal_test_threads(test_pool test_entry)

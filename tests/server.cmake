# The server of `shoal serve`, as its users and its enemies meet it.

if(TARGET shoal_program AND SHOAL_HAS_SERVER)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    shoal_script_test(server server Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/server/test_server.py
        --program $<TARGET_FILE:shoal_program> --source ${PROJECT_SOURCE_DIR})
    shoal_test_long(server)
    set_property(TEST server APPEND PROPERTY LABELS threads)
    add_dependencies(threaded_tests shoal_program)

    shoal_fuzz_target(fuzz_server)
    target_link_libraries(fuzz_server PRIVATE shoal_server)
endif()

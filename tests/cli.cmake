# Golden cases of the program: tests/cli/NAME.sh with what it must print and how it must end.

if(TARGET shoal_program)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    file(GLOB cases CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cli/*.sh)
    foreach(case ${cases})
        cmake_path(GET case STEM name)
        if(NOT name STREQUAL "lib")
            shoal_script_test(cli_${name} cli Python3::Interpreter
                ${CMAKE_CURRENT_SOURCE_DIR}/cli/run.py --program $<TARGET_FILE:shoal_program> ${case})
        endif()
    endforeach()

    # The tables of options, without main.
    shoal_unit_test(test_options)
    get_target_property(sources shoal_program SOURCES)
    list(REMOVE_ITEM sources main.c)
    list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/cli/)
    target_sources(test_options PRIVATE ${sources})
    target_include_directories(test_options PRIVATE ${PROJECT_SOURCE_DIR}/cli)
    target_link_libraries(test_options PRIVATE shoal_server)
endif()

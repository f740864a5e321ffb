# Random tables through the program, checked by a program that shares nothing with it.

if(TARGET shoal_program)
    find_package(Python3 COMPONENTS Interpreter)
    set(script ${CMAKE_CURRENT_SOURCE_DIR}/property/random_releases.py)
    if(Python3_FOUND)
        shoal_script_test(random_releases property Python3::Interpreter ${script}
            --program $<TARGET_FILE:shoal_program> --seeds 120)
    else()
        shoal_script_test(random_releases property ${CMAKE_COMMAND} -E false)
        set_tests_properties(random_releases PROPERTIES DISABLED TRUE)
    endif()
endif()

# How tests are declared. Each kind has a ctest label of its name:
#
#   shoal_unit_test(test_x)        tests/unit/test_x.c, on cmocka
#   shoal_unit_test(test_x shoal_i_f)   the same with a __wrap_shoal_i_f in place of shoal_i_f
#   shoal_property_test(test_x)    tests/property/test_x.c, on cmocka
#   shoal_fuzz_target(fuzz_x)      tests/fuzz/fuzz_x.c, run over tests/fuzz/corpus/fuzz_x/
#   shoal_script_test(NAME LABEL COMMAND...)
#   shoal_test_threads(test_x...)  these also run under the thread sanitizer
#   shoal_test_deep(test_x...)     only in `make test-deep`
#   shoal_test_long(test_x...)     `make test-deep` has more of it, with the program as users get it
#
# What makes allocations fail has the label "allocations", too. tests/deep.h says how a program learns
# how long it may take.
#
# A test that ends with 77 counts as skipped. Tests may include private headers as "base/fail.h".

find_package(PkgConfig REQUIRED)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

# Everything that `make test` runs under the thread sanitizer.
add_custom_target(threaded_tests)

function(shoal_add_test name label)
    add_test(NAME ${name} COMMAND ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT 600)
endfunction()

function(shoal_cmocka_test name label)
    add_executable(${name} ${PROJECT_SOURCE_DIR}/tests/${label}/${name}.c)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
    set(linked ${SHOAL_LINKED})
    foreach(wrapped ${ARGN}) # calls within a shared library could not be wrapped
        set(linked shoal)
        target_link_options(${name} PRIVATE -Wl,--wrap=${wrapped})
    endforeach()
    target_link_libraries(${name} PRIVATE ${linked} shoal_flags PkgConfig::CMOCKA)
    shoal_add_test(${name} ${label} ${name})
    file(STRINGS ${PROJECT_SOURCE_DIR}/tests/${label}/${name}.c failing REGEX "failing_allocations")
    if(failing)
        set_property(TEST ${name} APPEND PROPERTY LABELS allocations)
    endif()
endfunction()

function(shoal_unit_test name)
    shoal_cmocka_test(${name} unit ${ARGN})
endfunction()

function(shoal_property_test name)
    shoal_cmocka_test(${name} property)
endfunction()

# With libFuzzer where that is on; otherwise with a main that runs the stored corpus.
function(shoal_fuzz_target name)
    set(folder ${PROJECT_SOURCE_DIR}/tests/fuzz)
    add_executable(${name} ${folder}/${name}.c)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${name} PRIVATE ${SHOAL_LINKED} shoal_flags)
    if(SHOAL_LIBFUZZER)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        set_property(GLOBAL APPEND PROPERTY SHOAL_FUZZ_TARGETS ${name})
    else()
        target_sources(${name} PRIVATE ${folder}/driver.c)
        shoal_add_test(${name} fuzz ${name} ${folder}/corpus/${name})
    endif()
endfunction()

function(shoal_script_test name label)
    shoal_add_test(${name} ${label} ${ARGN})
endfunction()

function(shoal_test_threads)
    foreach(name ${ARGN})
        set_property(TEST ${name} APPEND PROPERTY LABELS threads)
        add_dependencies(threaded_tests ${name})
    endforeach()
endfunction()

function(shoal_test_deep)
    foreach(name ${ARGN})
        set_property(TEST ${name} APPEND PROPERTY LABELS deep)
    endforeach()
endfunction()

function(shoal_test_long)
    foreach(name ${ARGN})
        set_property(TEST ${name} APPEND PROPERTY LABELS long)
    endforeach()
endfunction()

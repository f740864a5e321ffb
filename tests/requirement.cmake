foreach(test requirement requirement_kinds requirement_oracle requirement_random requirement_refusals
        requirement_tally persons same_values)
    shoal_unit_test(test_${test})
endforeach()

# What the kinds are held against, and the script that computes it again from the definitions.
set(oracle ${CMAKE_CURRENT_SOURCE_DIR}/oracle/requirements)
target_compile_definitions(test_requirement_oracle PRIVATE SHOAL_ORACLE_FILE="${oracle}.txt")
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
    shoal_script_test(oracle_requirements oracle
        Python3::Interpreter ${oracle}.py --check ${oracle}.txt)
else()
    shoal_script_test(oracle_requirements oracle sh -c "echo skipped: no python3; exit 77")
endif()

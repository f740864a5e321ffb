# Tests of the house itself: sources, public headers, package, documents, tools.

set(tools ${PROJECT_SOURCE_DIR}/tools)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(SHOAL_CXX NAMES c++ g++ clang++ REQUIRED)

shoal_script_test(check_source source Python3::Interpreter ${tools}/check_source.py --format)
foreach(tool check_source check_docs mutate check_settings)
    shoal_script_test(test_${tool} house
        Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/house/test_${tool}.py)
endforeach()

# Each public header alone, twice, as C17 and as C++.
file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR}/include/shoal CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/include/shoal/*.h)
set(header_check ${CMAKE_CURRENT_SOURCE_DIR}/headers/check.sh)
foreach(header ${headers})
    shoal_script_test(header_c_${header} headers
        ${header_check} ${header} ${PROJECT_SOURCE_DIR}/include ${CMAKE_C_COMPILER} -x c -std=c17)
    shoal_script_test(header_cxx_${header} headers
        ${header_check} ${header} ${PROJECT_SOURCE_DIR}/include ${SHOAL_CXX} -x c++ -std=c++17)
endforeach()

# The package and its symbols, as users get them.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT SHOAL_SANITIZE)
    shoal_script_test(check_symbols symbols
        Python3::Interpreter ${tools}/check_source.py --library $<TARGET_FILE:shoal>)
    shoal_script_test(exported_symbols symbols Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/headers/exported.py ${PROJECT_SOURCE_DIR}
        $<TARGET_FILE:shoal_shared>)
    shoal_script_test(install_package install
        ${CMAKE_CURRENT_SOURCE_DIR}/install/run.sh ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER} ${SHOAL_CXX})
endif()

# Every example in a document is run.
file(GLOB_RECURSE documents RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/docs/*.md)
foreach(document README.md CONTRIBUTING.md examples/README.md ${documents})
    string(REGEX REPLACE "[/.]" "_" name ${document})
    shoal_script_test(docs_${name} docs Python3::Interpreter ${tools}/check_docs.py
        --program $<TARGET_FILE:shoal_program> ${PROJECT_SOURCE_DIR}/${document})
endforeach()

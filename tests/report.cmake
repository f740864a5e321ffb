# The pages of reports: by a parser, and in a browser where there is one.

if(TARGET shoal_program)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    shoal_script_test(report_pages report Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/report/check_pages.py --program $<TARGET_FILE:shoal_program>)
shoal_script_test(report_frontier report Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/report/check_frontier.py --program $<TARGET_FILE:shoal_program>)
    shoal_script_test(report_browser report
        ${CMAKE_CURRENT_SOURCE_DIR}/web/run.sh $<TARGET_FILE:shoal_program> ${Python3_EXECUTABLE})
    shoal_test_deep(report_browser)
    shoal_test_long(report_browser)
endif()

# Build options and the flags every target is compiled with.

option(SHOAL_TESTS "Build the tests and the examples" ON)
option(SHOAL_BENCH "Build the benchmarks" OFF)
option(SHOAL_PYTHON "Build the extension of the Python package; libyaml is linked statically" OFF)
option(SHOAL_SERVER "Build `shoal serve`, where libmicrohttpd and jansson are there" ON)
option(SHOAL_WERROR "Treat warnings as errors" OFF)
option(SHOAL_LIBFUZZER "Build the fuzz targets with libFuzzer (clang)" OFF)
set(SHOAL_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")
option(SHOAL_COVERAGE "Count which lines run" OFF)
option(SHOAL_QUICK_LINKS "Tests and program link a libshoal.so that shows all symbols (tools/mutate.py)" OFF)

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)

# What tests and the program link. A change of one source is then a link of one library, not of all of them.
set(SHOAL_LINKED shoal)
if(SHOAL_QUICK_LINKS)
    set(CMAKE_C_VISIBILITY_PRESET default)
    set(SHOAL_LINKED shoal_shared m)
endif()

include(GNUInstallDirs)

add_library(shoal_flags INTERFACE)
target_compile_options(shoal_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wvla)
target_compile_definitions(shoal_flags INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
if(SHOAL_WERROR)
    target_compile_options(shoal_flags INTERFACE -Werror)
endif()
if(SHOAL_SANITIZE)
    # Undefined behaviour ends the program: a message alone would pass the tests.
    target_compile_options(shoal_flags INTERFACE
        -fsanitize=${SHOAL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(shoal_flags INTERFACE -fsanitize=${SHOAL_SANITIZE})
endif()
if(SHOAL_LIBFUZZER)
    target_compile_options(shoal_flags INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(shoal_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(SHOAL_COVERAGE)
    # Counted atomically: threads run the same lines.
    target_compile_options(shoal_flags INTERFACE --coverage -fprofile-update=atomic)
    target_link_options(shoal_flags INTERFACE --coverage)
endif()

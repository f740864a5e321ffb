# The version stands in include/shoal/api.h, where users see it.
file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/include/shoal/api.h lines REGEX "^#define SHOAL_VERSION_")
foreach(part MAJOR MINOR PATCH)
    if(NOT lines MATCHES "SHOAL_VERSION_${part} ([0-9]+)")
        message(FATAL_ERROR "include/shoal/api.h does not define SHOAL_VERSION_${part}.")
    endif()
    list(APPEND SHOAL_VERSION ${CMAKE_MATCH_1})
endforeach()
list(JOIN SHOAL_VERSION . SHOAL_VERSION)

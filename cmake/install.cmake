# What `cmake --install` puts where: both libraries with their headers, for pkg-config and for
# find_package(shoal). The program installs itself in cli/.

include(CMakePackageConfigHelpers)

function(shoal_install_library)
    set(package ${CMAKE_INSTALL_LIBDIR}/cmake/shoal)

    # From lib/pkgconfig back to the prefix, so that an installed tree can be moved.
    file(RELATIVE_PATH SHOAL_PC_TO_PREFIX
        /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)

    string(REGEX REPLACE "/$" "" SHOAL_PC_TO_PREFIX ${SHOAL_PC_TO_PREFIX})

    foreach(kind shoal shoal-static)
        configure_file(cmake/${kind}.pc.in ${kind}.pc @ONLY)
        install(FILES ${PROJECT_BINARY_DIR}/${kind}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    endforeach()
    configure_package_config_file(cmake/shoalConfig.cmake.in shoalConfig.cmake
        INSTALL_DESTINATION ${package})
    write_basic_package_version_file(shoalConfigVersion.cmake COMPATIBILITY SameMinorVersion)

    install(TARGETS shoal shoal_shared EXPORT shoalTargets)
    install(DIRECTORY include/shoal TYPE INCLUDE)
    install(EXPORT shoalTargets NAMESPACE shoal:: DESTINATION ${package})
    install(FILES
        ${PROJECT_BINARY_DIR}/shoalConfig.cmake
        ${PROJECT_BINARY_DIR}/shoalConfigVersion.cmake
        DESTINATION ${package})
    install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md TYPE DOC)
    # With its folders, so that links between the pages work.
    install(DIRECTORY docs examples TYPE DOC PATTERN shoal.1 EXCLUDE)
endfunction()

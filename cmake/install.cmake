# What `cmake --install` puts where: the library with its headers, for pkg-config and for
# find_package(shoal). The program installs itself in cli/.

include(CMakePackageConfigHelpers)

function(shoal_install_library)
    set(package ${CMAKE_INSTALL_LIBDIR}/cmake/shoal)

    # A static library hands the libraries it needs on to whoever links it.
    if(BUILD_SHARED_LIBS)
        set(SHOAL_PC_REQUIRES "Requires.private")
    else()
        set(SHOAL_PC_REQUIRES "Requires")
    endif()
    # From lib/pkgconfig back to the prefix, so that an installed tree can be moved.
    file(RELATIVE_PATH SHOAL_PC_TO_PREFIX
        /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)

    configure_file(cmake/shoal.pc.in shoal.pc @ONLY)
    configure_package_config_file(cmake/shoalConfig.cmake.in shoalConfig.cmake
        INSTALL_DESTINATION ${package})
    write_basic_package_version_file(shoalConfigVersion.cmake COMPATIBILITY SameMinorVersion)

    set_target_properties(shoal PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0)
    install(TARGETS shoal EXPORT shoalTargets)
    install(DIRECTORY include/shoal TYPE INCLUDE)
    install(EXPORT shoalTargets NAMESPACE shoal:: DESTINATION ${package})
    install(FILES
        ${PROJECT_BINARY_DIR}/shoalConfig.cmake
        ${PROJECT_BINARY_DIR}/shoalConfigVersion.cmake
        DESTINATION ${package})
    install(FILES ${PROJECT_BINARY_DIR}/shoal.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    install(FILES LICENSE TYPE DOC)
endfunction()

# libshoal.so, of the objects that libshoal.a is made of. Tests and the program link the latter:
# its private functions can be called.
add_library(shoal_shared SHARED $<TARGET_OBJECTS:shoal>)
target_include_directories(shoal_shared INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(shoal_shared
    PRIVATE $<BUILD_INTERFACE:shoal_flags> PkgConfig::YAML PkgConfig::ZLIB PkgConfig::ZSTD Threads::Threads m)
set_target_properties(shoal_shared PROPERTIES
    OUTPUT_NAME shoal
    EXPORT_NAME shared
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR})
set_target_properties(shoal PROPERTIES EXPORT_NAME static)

# What `cmake --install` puts in place: the program, every room but that of the program as a static library, their headers
# below include/starloom, and the package that find_package(starloom) finds. Targets keep their names: starloom::fabric.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/starloom)
set(include_root ${CMAKE_INSTALL_INCLUDEDIR}/starloom)

get_property(rooms GLOBAL PROPERTY STARLOOM_ROOMS)
list(REMOVE_ITEM rooms starloom_program)
install(TARGETS ${rooms} EXPORT starloom INCLUDES DESTINATION ${include_root})
install(TARGETS starloom)

# The include roots of the tree fall together in one, so that #include lines are the same there and here.
set(roots modules tlm testbenches waveforms)
list(TRANSFORM roots PREPEND ${PROJECT_SOURCE_DIR}/)
list(TRANSFORM roots APPEND /*.hpp OUTPUT_VARIABLE headers)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${headers})
add_library(starloom_headers INTERFACE)
target_sources(starloom_headers INTERFACE FILE_SET HEADERS BASE_DIRS ${roots} FILES ${headers})
install(TARGETS starloom_headers FILE_SET HEADERS DESTINATION ${include_root})

install(EXPORT starloom NAMESPACE starloom:: DESTINATION ${package} FILE starloomTargets.cmake)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/starloomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/starloomConfig.cmake ${PROJECT_BINARY_DIR}/starloomConfigVersion.cmake
        DESTINATION ${package})

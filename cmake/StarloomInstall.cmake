# What `cmake --install` puts in place: the program, every room as a static library, their headers as
# <starloom/ROOM/file.hpp>, and the package that find_package(starloom) finds. Targets keep their names: starloom::fabric.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/starloom)

get_property(rooms GLOBAL PROPERTY STARLOOM_ROOMS)
foreach(room IN LISTS rooms)
  get_target_property(folder starloom_${room} STARLOOM_FOLDER)
  install(TARGETS starloom_${room} EXPORT starloom INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/starloom/${room} FILES_MATCHING PATTERN *.hpp)
endforeach()
install(TARGETS starloom)

install(EXPORT starloom NAMESPACE starloom:: DESTINATION ${package} FILE starloomTargets.cmake)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/starloomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/starloomConfig.cmake ${PROJECT_BINARY_DIR}/starloomConfigVersion.cmake
        DESTINATION ${package})

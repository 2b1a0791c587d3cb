# What `cmake --install` puts in place: the program, every room as a static library, their headers as
# <starloom/ROOM/file.hpp>, and the package that find_package(starloom) finds. Targets keep their names: starloom::fabric.
# The rooms below sc_main are the component `program` of the package, for they need more libraries than a netlist does.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/starloom)

get_property(rooms GLOBAL PROPERTY STARLOOM_ROOMS)
foreach(room IN LISTS rooms)
  get_target_property(folder starloom_${room} STARLOOM_FOLDER)
  set(export starloom)
  if(folder MATCHES "^${PROJECT_SOURCE_DIR}/sc_main/")
    set(export starloomProgram)
  endif()
  install(TARGETS starloom_${room} EXPORT ${export} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/starloom/${room} FILES_MATCHING PATTERN *.hpp)
endforeach()
install(TARGETS starloom)

foreach(export IN ITEMS starloom starloomProgram)
  install(EXPORT ${export} NAMESPACE starloom:: DESTINATION ${package} FILE ${export}Targets.cmake)
endforeach()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/starloomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/starloomConfig.cmake ${PROJECT_BINARY_DIR}/starloomConfigVersion.cmake
        DESTINATION ${package})

# find_package(starloom): targets starloom::fabric, starloom::sockets, starloom::traffic and so on, one a room.
# What the rooms link is found here, in the way in which Starloom itself found it (StarloomLibraries.cmake).
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc>=2.3.4)
if(NOT SYSTEMC_FOUND)
  set(starloom_FOUND FALSE)
  set(starloom_NOT_FOUND_MESSAGE "pkg-config finds no SystemC 2.3.4 or newer (Debian: libsystemc-dev)")
  return()
endif()
find_dependency(nlohmann_json)
find_dependency(fmt)
find_dependency(yaml-cpp)
find_dependency(Boost 1.74 COMPONENTS iostreams)

include(${CMAKE_CURRENT_LIST_DIR}/starloomTargets.cmake)

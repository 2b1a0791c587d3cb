# SPDX-License-Identifier: Apache-2.0
# The SAT solver CaDiCaL, which comes without a CMake package: target CaDiCaL::CaDiCaL. Installed beside
# starloomConfig.cmake, which finds it in the same way.
find_library(CADICAL_LIBRARY cadical)
find_path(CADICAL_INCLUDE_DIR cadical.hpp)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CaDiCaL REQUIRED_VARS CADICAL_LIBRARY CADICAL_INCLUDE_DIR)
mark_as_advanced(CADICAL_LIBRARY CADICAL_INCLUDE_DIR)
if(CaDiCaL_FOUND AND NOT TARGET CaDiCaL::CaDiCaL)
  add_library(CaDiCaL::CaDiCaL UNKNOWN IMPORTED)
  set_target_properties(CaDiCaL::CaDiCaL PROPERTIES IMPORTED_LOCATION ${CADICAL_LIBRARY}
                                                    INTERFACE_INCLUDE_DIRECTORIES ${CADICAL_INCLUDE_DIR})
endif()

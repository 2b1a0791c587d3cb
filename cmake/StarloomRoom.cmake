# SPDX-License-Identifier: Apache-2.0
# A room is the folder `starloom/NAME` of the folder that calls, and a library target `starloom_NAME` with the alias
# `starloom::NAME`.
#   starloom_room(NAME [COLD] [LINKS <targets>...] [PRIVATE_LINKS <targets>...])
# All sources below the folder belong to it. Its headers are included as <starloom/NAME/file.hpp>, in the tree and after
# installation. The compiler also sees the headers of other rooms in the same top folder; tests/house holds every room to
# the arrows of tests/house/arrows.txt. COLD: a release compiles it at -O1, because reading and writing texts takes no time
# worth a third of theirs to compile, and runs do not go through it.

# Clones at different places share the compiler cache. The sloppiness is what ccache requires for precompiled headers.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_SLOPPINESS=pch_defines,time_macros
                                  ${CCACHE_PROGRAM})
endif()

add_library(starloom_flags INTERFACE)
# A switch over an enumeration names all of its values. Files that are compiled together may use the names of their
# neighbours for things of their own.
target_compile_options(starloom_flags INTERFACE -Wall -Wextra -Wpedantic -Werror=switch $<$<NOT:$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wshadow>)
# File names in the code (__FILE__) are relative, so that a build does not depend on the location of the project.
target_compile_options(starloom_flags INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
# GCC collects its garbage less often: 5 to 10 % less processor time for a tenth more memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(starloom_flags INTERFACE "SHELL:--param ggc-min-heapsize=262144")
endif()
# Some forty programs are linked, and these linkers take a third of the time of GNU ld.
include(CheckLinkerFlag)
foreach(linker IN ITEMS lld gold)
  check_linker_flag(CXX -fuse-ld=${linker} STARLOOM_LINKER_IS_${linker})
  if(STARLOOM_LINKER_IS_${linker})
    target_link_options(starloom_flags INTERFACE -fuse-ld=${linker})
    break()
  endif()
endforeach()
if(STARLOOM_WERROR)
  target_compile_options(starloom_flags INTERFACE -Werror)
endif()
if(STARLOOM_SANITIZE)
  target_compile_options(starloom_flags INTERFACE -fsanitize=${STARLOOM_SANITIZE} -fno-omit-frame-pointer
                                                  -fno-sanitize-recover=all)
  target_link_options(starloom_flags INTERFACE -fsanitize=${STARLOOM_SANITIZE})
endif()
if(STARLOOM_COVERAGE)
  target_compile_options(starloom_flags INTERFACE --coverage)
  target_link_options(starloom_flags INTERFACE --coverage)
endif()

# starloom_join_sources(TARGET): with CMAKE_UNITY_BUILD (the presets say which), compiles the sources of a target in as few
# units as can be, of equal size and at most 16 files: headers are read once a unit, not once a file, and yet a change of
# one file is compiled in seconds. So what files of a target have for themselves must differ in name.
function(starloom_join_sources target)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  math(EXPR units "(${count} + 15) / 16")
  math(EXPR batch "(${count} + ${units} - 1) / ${units}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()

# The standard headers that most sources include, precompiled.
#   starloom_precompile(TARGET [OPTIONS <options>...] [LINKS <targets>...] [HEADERS <more headers>...])
# Other targets use them by target_precompile_headers(... REUSE_FROM TARGET), if they are compiled at the same level of
# optimisation: GCC 12 accepts those of another level without a warning and generates other code. Sources with a level of their
# own have SKIP_PRECOMPILE_HEADERS; house.precompiled_headers_have_one_level compares the levels.
function(starloom_precompile target)
  cmake_parse_arguments(P "" "" "OPTIONS;LINKS;HEADERS" ${ARGN})
  file(CONFIGURE OUTPUT ${target}.cpp CONTENT "")
  add_library(${target} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  target_compile_options(${target} PRIVATE ${P_OPTIONS})
  target_link_libraries(${target} PRIVATE starloom_flags ${P_LINKS})
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <charconv> <cmath> <cstdint> <cstdio> <deque> <filesystem> <fstream> <functional> <limits> <map>
    <memory> <numeric> <optional> <set> <sstream> <stdexcept> <string> <string_view> <tuple> <unordered_map> <utility>
    <variant> <vector> ${P_HEADERS})
endfunction()
set(cold $<$<CONFIG:Release>:-O1>)
starloom_precompile(starloom_precompiled)
starloom_precompile(starloom_precompiled_cold OPTIONS ${cold})

function(starloom_room name)
  cmake_parse_arguments(ROOM "COLD" "" "LINKS;PRIVATE_LINKS" ${ARGN})
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/starloom/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  add_library(starloom_${name} STATIC ${sources})
  add_library(starloom::${name} ALIAS starloom_${name})
  starloom_join_sources(starloom_${name})
  if(ROOM_COLD)
    target_compile_options(starloom_${name} PRIVATE ${cold})
    target_precompile_headers(starloom_${name} REUSE_FROM starloom_precompiled_cold)
  else()
    target_precompile_headers(starloom_${name} REUSE_FROM starloom_precompiled)
  endif()
  target_include_directories(starloom_${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>)
  target_link_libraries(starloom_${name} PUBLIC ${ROOM_LINKS} PRIVATE $<BUILD_INTERFACE:starloom_flags>
                                         ${ROOM_PRIVATE_LINKS})
  target_compile_features(starloom_${name} PUBLIC cxx_std_17)
  set_target_properties(starloom_${name} PROPERTIES EXPORT_NAME ${name} STARLOOM_FOLDER ${folder})
  set_property(GLOBAL APPEND PROPERTY STARLOOM_ROOMS ${name})
endfunction()

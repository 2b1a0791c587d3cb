# SPDX-License-Identifier: Apache-2.0
# `cmake --install` puts in place: the program, its manual, completions, documentation and ready experiments; every room as a
# static library, their headers as <starloom/ROOM/file.hpp>, and the package that find_package(starloom) finds, in components.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/starloom)

# The room belongs to the component with all rooms that it links, except those that a component before has.
function(starloom_install_room component room)
  get_target_property(has starloom_${room} STARLOOM_COMPONENT)
  if(has)
    return()
  endif()
  set_target_properties(starloom_${room} PROPERTIES STARLOOM_COMPONENT ${component})
  get_target_property(folder starloom_${room} STARLOOM_FOLDER)
  install(TARGETS starloom_${room} EXPORT ${component} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/starloom/${room} FILES_MATCHING PATTERN *.hpp)
  get_target_property(links starloom_${room} LINK_LIBRARIES)
  list(FILTER links INCLUDE REGEX "^starloom::")
  list(TRANSFORM links REPLACE "^starloom::" "")
  foreach(link IN LISTS links)
    starloom_install_room(${component} ${link})
  endforeach()
endfunction()

# starloom_component(NAME ROOM...): a component, and the target starloom::NAME that links these rooms, unless one of them has
# that name. It builds on the components before it; starloomConfig.cmake finds the libraries that it needs.
function(starloom_component name)
  foreach(room IN LISTS ARGN)
    starloom_install_room(${name} ${room})
  endforeach()
  if(NOT name IN_LIST ARGN)
    add_library(starloom_${name} INTERFACE)
    add_library(starloom::${name} ALIAS starloom_${name})
    list(TRANSFORM ARGN PREPEND starloom:: OUTPUT_VARIABLE rooms)
    target_link_libraries(starloom_${name} INTERFACE ${rooms})
    set_target_properties(starloom_${name} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS starloom_${name} EXPORT ${name})
  endif()
  install(EXPORT ${name} NAMESPACE starloom:: DESTINATION ${package} FILE ${name}Targets.cmake)
endfunction()

starloom_component(network router fabric waveforms)
starloom_component(tlm sockets)
target_link_libraries(starloom_tlm INTERFACE starloom::network)  # the routers of a platform, and their waves
starloom_component(algorithms algorithms topologies message simulation verify)
starloom_component(program commands)

get_property(rooms GLOBAL PROPERTY STARLOOM_ROOMS)
foreach(room IN LISTS rooms)
  get_target_property(component starloom_${room} STARLOOM_COMPONENT)
  if(NOT component)
    message(FATAL_ERROR "room ${room} is in no component of the package; name it in cmake/StarloomInstall.cmake")
  endif()
endforeach()
install(TARGETS starloom)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/starloomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/starloomConfig.cmake cmake/FindCaDiCaL.cmake ${PROJECT_BINARY_DIR}/starloomConfigVersion.cmake
        DESTINATION ${package})

# The program writes its manual and its completions itself, when it is installed.
find_program(GZIP_PROGRAM gzip REQUIRED)
set(written ${PROJECT_BINARY_DIR}/written)
install(CODE "
  file(MAKE_DIRECTORY ${written})
  foreach(page IN ITEMS \"starloom.1 help --man\" \"starloom.5 explain --man\" \"starloom help --completion bash\"
                        \"_starloom help --completion zsh\")
    separate_arguments(words UNIX_COMMAND \"\${page}\")
    list(POP_FRONT words file)
    execute_process(COMMAND $<TARGET_FILE:starloom> \${words} OUTPUT_FILE ${written}/\${file} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  file(COPY_FILE ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${written}/changelog)
  execute_process(COMMAND ${GZIP_PROGRAM} -9nf starloom.1 starloom.5 changelog WORKING_DIRECTORY ${written}
                  COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${written}/starloom.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${written}/starloom.5.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
install(FILES ${written}/starloom DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${written}/_starloom DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)

install(FILES README.md CONTRIBUTING.md SECURITY.md ${written}/changelog.gz cmake/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(folder IN ITEMS applications campaigns graphs scenarios)
  install(DIRECTORY testbenches/${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/starloom USE_SOURCE_PERMISSIONS)
endforeach()

# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts in place: the program, its manual, completions, documentation and ready experiments; every room
# as a static library, their headers as <starloom/ROOM/file.hpp>, and the package that find_package(starloom) finds. Targets
# keep their names: starloom::fabric.
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

# SPDX-License-Identifier: Apache-2.0
# `cpack` in the build folder makes a Debian package of what `cmake --install` puts in place.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The authors of Starloom <starloom@packages.invalid>")
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Models meshes, tori, any other network of links, and optical passive star\ncouplers cycle by cycle, with routing \
algorithms of the literature, a referee\nthat checks every run, waves for GTKWave, and campaigns of many runs.\n\
With static libraries and headers for designs of one's own.")
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
# dpkg-shlibdeps names the packages that the program needs. It is called here, when cpack runs, because
# CPACK_DEBIAN_PACKAGE_SHLIBDEPS first examines every installed file, which takes 15 times as long as all the rest.
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/package_depends.cmake)
file(CONFIGURE OUTPUT ${CPACK_PROJECT_CONFIG_FILE} @ONLY CONTENT [[
file(WRITE "@PROJECT_BINARY_DIR@/shlibdeps/debian/control" "Source: starloom\n\nPackage: starloom\nArchitecture: any\n")
execute_process(COMMAND dpkg-shlibdeps -O "@PROJECT_BINARY_DIR@/sc_main/starloom"
                WORKING_DIRECTORY "@PROJECT_BINARY_DIR@/shlibdeps" OUTPUT_VARIABLE CPACK_DEBIAN_PACKAGE_DEPENDS
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "shlibs:Depends=" "" CPACK_DEBIAN_PACKAGE_DEPENDS "${CPACK_DEBIAN_PACKAGE_DEPENDS}")
]])
# Plots and packed waves come from other programs.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox, gtkwave")
# Programs that link the libraries need the packages that Starloom is built from.
file(STRINGS cmake/packages.txt development REGEX "^[a-z0-9.+-]+-dev +")
list(TRANSFORM development REPLACE " .*" "")
list(JOIN development ", " CPACK_DEBIAN_PACKAGE_SUGGESTS)
include(CPack)

# SPDX-License-Identifier: Apache-2.0
# Targets that build documentation, none of them part of `all`.

# docs-site, if MkDocs is installed (Debian packages mkdocs and mkdocs-material): docs/ and the pages of the root as a site
# with navigation and search, in docs-site of the build folder. A link that leads nowhere fails it.
find_program(MKDOCS_PROGRAM mkdocs)
if(MKDOCS_PROGRAM)
  add_custom_target(docs-site COMMAND /usr/bin/python3 -B ${CMAKE_CURRENT_LIST_DIR}/docs_site.py ${PROJECT_SOURCE_DIR}
                                      ${PROJECT_BINARY_DIR}/docs-site VERBATIM COMMENT "The documentation as a site")
endif()

# docs-api, if doxygen is installed (Debian package doxygen): pages of all public headers, in docs-api of the build folder. A
# docstring that doxygen does not understand fails it.
find_package(Doxygen QUIET)
if(NOT DOXYGEN_FOUND)
  return()
endif()
set(DOXYGEN_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/docs-api)
set(DOXYGEN_FILE_PATTERNS *.hpp)
set(DOXYGEN_EXTRACT_ALL YES)
set(DOXYGEN_JAVADOC_AUTOBRIEF YES)
set(DOXYGEN_QUIET YES)
set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
set(DOXYGEN_WARN_IF_INCOMPLETE_DOC NO)  # parameters are described where their names do not say enough
set(DOXYGEN_HAVE_DOT NO)
# Behind \file doxygen looks for a name; here the sentence about the file begins at once.
set(DOXYGEN_INPUT_FILTER "sed '2s|file |file\\n/// |'")
doxygen_add_docs(docs-api modules tlm testbenches waveforms sc_main COMMENT "Pages of all public headers")

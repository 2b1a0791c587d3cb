# SPDX-License-Identifier: Apache-2.0
# starloom_page(FOLDER OUTPUT): writes a C++ source with the page of FOLDER as one text. page.html names its style and its
# modules in lines of their own, `@NAME.css@` and `@NAME.js@`; modules are joined in that order, without their imports and
# exports, so that one script runs from the disk, where browsers load no modules; lines lose their comments and margins, and
# the page the lines that name the licence of a file.
function(starloom_page folder output)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.html ${folder}/*.css ${folder}/*.js)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  file(READ ${folder}/page.html page)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME)
    file(READ ${source} text)
    if(name MATCHES "[.]js$")
      string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
      string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
      string(REGEX REPLACE "(^|\n) *//[^\n]*" "" text "${text}")
      string(REGEX REPLACE "\n[ \n]+" "\n" text "${text}")
    endif()
    string(REPLACE "@${name}@" "${text}" page "${page}")
  endforeach()
  string(REGEX REPLACE "[^\n]*SPDX-License-Identifier[^\n]*\n" "" page "${page}")
  # A literal may not be longer than 65,536 characters where compilers are strict: one a module would do, parts do always.
  string(LENGTH "${page}" length)
  set(parts)
  foreach(at RANGE 0 ${length} 16000)
    string(SUBSTRING "${page}" ${at} 16000 part)
    string(APPEND parts "    R\"page(${part})page\"\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [[
#include <starloom/inspection/replay_page.hpp>

namespace starloom {

const char* const replay_template =
@parts@    "";

}  // namespace starloom
]])
endfunction()

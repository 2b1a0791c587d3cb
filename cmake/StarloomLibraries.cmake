# SPDX-License-Identifier: Apache-2.0
# Every library comes from Debian; `run.sh` installs what is missing.
find_package(PkgConfig REQUIRED)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc>=2.3.4)
pkg_check_modules(CLP REQUIRED IMPORTED_TARGET clp)
find_package(CLI11 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS iostreams)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(SQLite3 REQUIRED)
find_package(Threads REQUIRED)
find_package(CaDiCaL REQUIRED)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)

# SystemC refuses to link with another C++ standard than its own; say so at configure time, in words.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES PkgConfig::SYSTEMC)
set(CMAKE_REQUIRED_FLAGS -std=c++17)
check_cxx_source_compiles("#include <systemc>
int sc_main(int, char**) { sc_core::sc_time t; return t == sc_core::SC_ZERO_TIME ? 0 : 1; }" STARLOOM_SYSTEMC_IS_CXX17)
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT STARLOOM_SYSTEMC_IS_CXX17)
  message(FATAL_ERROR "The SystemC library found by pkg-config (${SYSTEMC_VERSION}) was not built as C++17. "
                      "Use Debian's libsystemc-dev 2.3.4 or rebuild SystemC with -std=c++17.")
endif()

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds designs with the components `network` and `tlm` of the package where CMake finds SystemC and no other library:
#   network_test.sh CMAKE SOURCE PREFIX SCRATCH IGNORED [OPTION OF CMAKE...]
# IGNORED: folders of the other libraries, separated by colons.
set -euo pipefail
cmake=$1 source=$2 prefix=$3 scratch=$4 ignored=${5//:/;}
shift 5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 CCACHE_BASEDIR=$scratch CCACHE_NOHASHDIR=1
fail() { echo "network: $*"; exit 1; }

rm -rf "$scratch"
mkdir -p "$scratch/pkgconfig"
cp "$(pkg-config --variable=pcfiledir systemc)/systemc.pc" "$scratch/pkgconfig"
export PKG_CONFIG_LIBDIR=$scratch/pkgconfig
configure() {
  "$cmake" -S "$here/network" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$prefix" "-DCMAKE_IGNORE_PATH=$ignored" \
    -DCMAKE_BUILD_TYPE=Debug -DROUTER_MESH="$source/tests/examples/router_mesh.cpp" \
    -DTLM_PLATFORM="$source/tests/examples/tlm_platform.cpp" "$@" >"$scratch/configure.log" 2>&1
}
configure -DOPTIONAL='algorithms;program' "$@" || fail "$(cat "$scratch/configure.log")"
configure -DOPTIONAL= "$@" || fail "$(cat "$scratch/configure.log")"
"$cmake" --build "$scratch/build" >"$scratch/build.log" 2>&1 || fail "$(cat "$scratch/build.log")"
output=$(cd "$scratch" && build/router_mesh)
[[ $output == '16 packets, 16 delivered, the last in step 33' ]] || fail "router_mesh printed: $output"
"$scratch/build/tlm_platform" "$scratch/tlm_platform.vcd" | grep -qF 'TLM_OK_RESPONSE, 0x12345678 at 118 ns' ||
  fail 'tlm_platform read something else'
grep -q 'scope module node_r01_c01 ' "$scratch/router_mesh.vcd" || fail 'router_mesh wrote no waves'
"$scratch/build/every_header" || fail 'every_header does not run'
if grep -E 'include/(nlohmann|yaml-cpp|fmt|boost|coin|cadical|sqlite3|openssl|CLI)[./]' "$scratch/build.log"; then
  fail 'headers of the components include those of other libraries'
fi
grep -q '/systemc' "$scratch/build.log" || fail 'the compiler listed no headers'
others=$(readelf -d "$scratch/build/every_header" | grep -F '(NEEDED)' |
  grep -vE '\[(libsystemc|libstdc\+\+|libgcc_s|libm|libc|ld-linux[^.]*|lib[a-z]+san)[-.]' || true)
[[ -z $others ]] || fail "it needs other libraries: $others"

# Components whose libraries are missing are refused with all that are.
mkdir "$scratch/algorithms"
cat >"$scratch/algorithms/CMakeLists.txt" <<'LISTS'
cmake_minimum_required(VERSION 3.25)
project(algorithms LANGUAGES CXX)
find_package(starloom REQUIRED)
LISTS
if "$cmake" -S "$scratch/algorithms" -B "$scratch/without" -DCMAKE_PREFIX_PATH="$prefix" "-DCMAKE_IGNORE_PATH=$ignored" "$@" \
  >"$scratch/without.log" 2>&1; then
  fail 'algorithms were found without solvers'
fi
expected="component 'algorithms' links libraries that are not found: CLP (for pkg-config, Debian: coinor-libclp-dev), CaDiCaL "`
  `'(Debian: libcadical-dev), nlohmann-json (Debian: nlohmann-json3-dev), yaml-cpp'
tr -s ' \n' ' ' <"$scratch/without.log" | grep -qF "$expected" || fail "$(cat "$scratch/without.log")"

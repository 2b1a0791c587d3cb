#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds a project against the package, and runs what it has built:
#   project_test.sh CMAKE SOURCE PREFIX SCRATCH [OPTION OF CMAKE...]
set -euo pipefail
cmake=$1 source=$2 prefix=$3 scratch=$4
shift 4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 CCACHE_BASEDIR=$scratch CCACHE_NOHASHDIR=1
fail() { echo "project: $*"; exit 1; }

rm -rf "$scratch"
mkdir -p "$scratch"
configure() {
  "$cmake" -S "$here/project" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Debug \
    -DOWN_DESIGN="$source/tests/examples/own_design.cpp" "$@" >"$scratch/configure.log" 2>&1
}
refuses() {  # WHAT TEXT OPTION...: the project is not configured, and TEXT says why
  if configure "${@:3}"; then fail "$1 was found"; fi
  tr -s ' \n' ' ' <"$scratch/configure.log" | grep -qF "$2" || fail "$(cat "$scratch/configure.log")"
  rm "$scratch/build/CMakeCache.txt"
}
refuses 'version 99' 'compatible with requested version "99"' -DVERSION=99 "$@"
refuses 'component sockets' "the package has no component 'sockets', only network, tlm, algorithms, program; "`
  `'the target starloom::sockets comes with tlm' \
  -DVERSION=0.1 -DCOMPONENTS=sockets "$@"
refuses 'C++20' 'CMAKE_CXX_STANDARD is 20, but Starloom and its SystemC are C++17' -DVERSION=0.1 -DCMAKE_CXX_STANDARD=20 "$@"
refuses 'a target of C++20' 'CXX_STANDARD of the target own_design is 20, but Starloom and its SystemC are C++17' \
  -DVERSION=0.1 -DCOMPONENTS=program -DOWN_STANDARD=20 "$@"
configure -DVERSION=0.1 -DCOMPONENTS=program "$@" || fail "$(cat "$scratch/configure.log")"
"$cmake" --build "$scratch/build" --parallel 2 >"$scratch/build.log" 2>&1 || fail "$(cat "$scratch/build.log")"

output=$(cd "$scratch" && build/own_design)
grep -q 'scope module node_r01_c01 ' "$scratch/own_design.vcd" || fail 'own_design wrote no waves'
[[ $output == '30 packets, 30 delivered, the last in step 67' ]] || fail "own_design printed: $output"
"$scratch/build/every_room" || fail 'every_room does not run'
unset SYSTEMC_DISABLE_COPYRIGHT_MESSAGE  # the program sees to that
status=0
output=$("$scratch/build/taken_name" list 2>&1) || status=$?
expected="starloom: there is a topology called mesh already; rename your own entry"
[[ $status == 2 && $output == "$expected" ]] || fail "taken_name printed, with status $status: $output"

#!/usr/bin/env bash
# Installs, moves what was installed, and builds a project against it:
#   consumer_test.sh CMAKE SOURCE BUILD SCRATCH [OPTION OF CMAKE...]
set -euo pipefail
cmake=$1 source=$2 build=$3 scratch=$4
shift 4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 CCACHE_BASEDIR=$scratch CCACHE_NOHASHDIR=1
fail() { echo "consumer: $*"; exit 1; }

rm -rf "$scratch"
mkdir -p "$scratch"
"$cmake" --install "$build" --prefix "$scratch/first" >"$scratch/install.log"
mv "$scratch/first" "$scratch/prefix"
package=$(dirname "$(find "$scratch/prefix" -name starloomConfig.cmake)")
if grep -rnF -e "$source/" -e "$build/" -e "$scratch/first" "$package"; then fail 'the package names places of its build'; fi
"$scratch/prefix/bin/starloom" list >/dev/null || fail 'the installed program does not run'

# The headers are those of the tree and nothing else, each room's in a folder of its name.
headers() { (cd "$1" && find "${@:2}" -name '*.hpp' -printf 'starloom/%P\n'); }
for root in modules tlm testbenches sc_main; do headers "$source/$root" .; done >"$scratch/in_tree"
headers "$source" waveforms | sed 's|^starloom/|&waveforms/|' >>"$scratch/in_tree"
find "$scratch/prefix/include" ! -type d -printf '%P\n' | sort | diff <(sort "$scratch/in_tree") - ||
  fail 'other headers are installed'

configure() {
  "$cmake" -S "$here/project" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_BUILD_TYPE=Debug \
    -DOWN_DESIGN="$source/tests/examples/own_design.cpp" -DOWN_PROGRAM="$source/tests/examples/own_program.cpp" "$@" >"$scratch/configure.log" 2>&1
}
refuses() {  # WHAT TEXT OPTION...: the project is not configured, and TEXT says why
  if configure "${@:3}"; then fail "$1 was found"; fi
  tr -s ' \n' ' ' <"$scratch/configure.log" | grep -qF "$2" || fail "$(cat "$scratch/configure.log")"
}
refuses 'version 99' 'compatible with requested version "99"' -DVERSION=99 "$@"
refuses 'component kitchen' "the package has no component 'kitchen', only 'program'" -DVERSION=0.1 -DCOMPONENTS=kitchen "$@"
configure -DVERSION=0.1 -DCOMPONENTS=program "$@" || fail "$(cat "$scratch/configure.log")"
"$cmake" --build "$scratch/build" --parallel 2 >"$scratch/build.log" 2>&1 || fail "$(cat "$scratch/build.log")"
output=$("$scratch/build/own_design")
[[ $output == '30 packets, 30 delivered, the last in step 67' ]] || fail "own_design printed: $output"
unset SYSTEMC_DISABLE_COPYRIGHT_MESSAGE  # the program sees to that
output=$("$scratch/build/own_program" "$source/testbenches/scenarios/vopd_4x4.yaml") || fail "own_program printed: $output"
[[ $output == 'scenario '*'1 of 1 scenarios passed' ]] || fail "own_program printed: $output"
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
"$scratch/build/every_room" || fail 'every_room does not run'

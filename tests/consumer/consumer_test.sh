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

# The headers are those of the tree, where each of them is compiled alone (tests/house).
headers() { (cd "$1" && find . -name '*.hpp'); }
for root in modules tlm testbenches waveforms; do headers "$source/$root"; done | sort >"$scratch/in_tree"
headers "$scratch/prefix/include/starloom" | sort | diff "$scratch/in_tree" - || fail 'other headers are installed'

configure() {
  "$cmake" -S "$here/project" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_BUILD_TYPE=Debug \
    -DOWN_DESIGN="$source/tests/examples/own_design.cpp" "$@" >"$scratch/configure.log" 2>&1
}
if configure -DVERSION=99 "$@"; then fail 'version 99 was found'; fi
grep -q 'compatible with requested version "99"' "$scratch/configure.log" || fail "$(cat "$scratch/configure.log")"
configure -DVERSION=0.1 "$@" || fail "$(cat "$scratch/configure.log")"
"$cmake" --build "$scratch/build" --parallel 2 >"$scratch/build.log" 2>&1 || fail "$(cat "$scratch/build.log")"
output=$("$scratch/build/own_design")
[[ $output == '30 packets, 30 delivered, the last in step 67' ]] || fail "own_design printed: $output"
"$scratch/build/every_room" || fail 'every_room does not run'

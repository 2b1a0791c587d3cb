#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, and moves what was installed:
#   package_test.sh CMAKE SOURCE PREFIX BUILD
set -euo pipefail
cmake=$1 source=$2 prefix=$3 build=$4
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
fail() { echo "package: $*"; exit 1; }

rm -rf "$prefix" "$prefix.first"
mkdir -p "$prefix.first"
"$cmake" --install "$build" --prefix "$prefix.first" >"$prefix.log"
mv "$prefix.first" "$prefix"
package=$(dirname "$(find "$prefix" -name starloomConfig.cmake)")
if grep -rnF -e "$source/" -e "$build/" -e "$prefix.first" "$package"; then fail 'it names places of its build'; fi
"$prefix/bin/starloom" list >/dev/null || fail 'the installed program does not run'

# The headers are those of the tree and no others, and stand as they do there.
(cd "$source" && find {modules,tlm,testbenches,waveforms,sc_main}/starloom -name '*.hpp') | cut -d/ -f2- | sort >"$prefix.headers"
find "$prefix/include" ! -type d -printf '%P\n' | sort | diff "$prefix.headers" - || fail 'other headers are installed'

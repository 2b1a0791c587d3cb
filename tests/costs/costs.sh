#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# costs.sh [BUILD]: writes costs.txt from the log of a run of all tests on an idle machine, `./test.sh -j "$(nproc)"`. A test
# is listed if it took more than half a second, and leaves the list below 0.4, so that the same tests stay listed.
#   --check BUILD    only checks that all tests that the list names exist
set -euo pipefail
list=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/costs.txt

if [[ ${1-} == --check ]]; then
  # The tests that the test programs of this build have. Tests of a program that is not built cannot be missing.
  find "$2/tests" -name '*_tests.cmake' -exec sed -nE 's/^add_test\(\[=*\[([^]]*)\].*/\1/p' {} + |
    awk 'NR == FNR { exists[$0]; split($0, part, "."); program[part[1]]; next }
         /^[0-9]/ { name = substr($0, index($0, " ") + 1); split(name, part, ".") }
         /^[0-9]/ && part[1] in program && !(name in exists) { print "costs.txt: there is no test " name; wrong = 1 }
         END { exit wrong }' - "$list"
  exit
fi

build=${1:-$(dirname "$list")/../../build/release}
{
  sed '/^[0-9]/d' "$list"
  awk 'NR == FNR { if (/^[0-9]/) listed[substr($0, index($0, " ") + 1)]; next }
       / Testing: / { sub(/^[0-9]+\/[0-9]+ Testing: /, ""); name = $0 }
       /^Test time = / { if ($4 > 0.5 || ($4 > 0.4 && name in listed)) printf "%.1f %s\n", $4, name }' \
    "$list" "$build/Testing/Temporary/LastTest.log" | sort -k1,1nr -k2
} >"$list.new"
mv "$list.new" "$list"

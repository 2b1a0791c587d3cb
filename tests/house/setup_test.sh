#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh where packages are missing, with a faked system in front of PATH. Arguments: the source tree.
set -euo pipefail
tree=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
expect() {  # TEXT COMMAND...: the command succeeds
  local text=$1
  shift
  "$@" || { echo "$case_name: expected: $text"; cat "$work/out" "$work/err" "$work/calls"; failures=1; }
}
fake() {  # NAME BODY
  printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
# A copy of the tree's scripts alone, so that nothing real is built; cmake and ninja only record that they were called.
new_case() {  # NAME UID
  case_name=$1
  rm -rf "${work:?}"/*
  mkdir -p "$work"/{bin,tree/cmake,elsewhere}
  touch "$work/calls"
  cp "$tree/run.sh" "$tree/test.sh" "$tree/CMakePresets.json" "$work/tree"
  cp "$tree"/cmake/{setup.sh,packages.txt,packages-tests.txt} "$work/tree/cmake"
  sed -n 's/^\([^# ]*\) .*/\1 installed/p' "$tree"/cmake/packages*.txt >"$work/installed"
  fake id "echo $2"
  fake dpkg-query "cat '$work/installed'; exit 1"
  fake sudo 'echo "sudo: a password is required" >&2; exit 1'
  fake apt-get "echo \"apt-get \$*\" >>'$work/calls'"
  # shellcheck disable=SC2016
  fake cmake 'echo "cmake $*" >>'"'$work/calls'"'; mkdir -p build/release; /bin/sleep 0.01; touch build/release/build.ninja
    echo "STARLOOM_TESTS:BOOL=${3#*=}" >build/release/CMakeCache.txt'
  fake ninja "echo \"ninja \$3\" >>'$work/calls'; echo 'ninja: no work to do.'"
  fake ctest "echo \"ctest \$*\" >>'$work/calls'"
}
lose() { sed -i "s/^$1 .*/$1 ${2:-config-files}/" "$work/installed"; }
start() {  # SCRIPT ARGUMENTS...: sets status; from another folder
  local script=$1
  shift
  status=0
  (cd "$work/elsewhere" && PATH=$work/bin:$PATH bash "$work/tree/$script" "$@") >"$work/out" 2>"$work/err" || status=$?
}
with_program() {
  mkdir -p "$work/tree/build/release/sc_main"
  printf '#!/bin/bash\necho "starloom $*"\n' >"$work/tree/build/release/sc_main/starloom"
  chmod +x "$work/tree/build/release/sc_main/starloom"
}

install_line='apt-get install --no-install-recommends libfmt-dev'
for script in run.sh test.sh; do
  new_case "$script may not install" 1000
  lose libfmt-dev
  lose libgtest-dev half-installed
  start "$script"
  if [[ $script == test.sh ]]; then install_line+=' libgtest-dev'; fi
  expect 'status 2' test "$status" = 2
  expect 'a package with its reason' grep -qE '^  libfmt-dev +[a-z]' "$work/err"
  expect 'the cause' grep -q ' not installed: that takes root, or sudo without a password' "$work/err"
  expect 'the exact line' grep -qxF "  sudo apt-get update && sudo $install_line" "$work/err"
  expect 'no other package named' test "$(grep -c '^  ' "$work/err")" = "$(wc -w <<<"${install_line#*recommends}" | xargs expr 1 +)"
  expect 'nothing on stdout' test ! -s "$work/out"
  expect 'nothing installed, nothing built' test ! -s "$work/calls"
done

new_case 'apt-get fails' 0
lose libfmt-dev
fake apt-get 'echo "W: old" >&2; echo "E: Failed to fetch x" >&2; echo "E: Y" >&2; exit 100'
start run.sh
expect 'status 2' test "$status" = 2
expect 'all that apt-get says' grep -qx 'E: Y' "$work/err"
expect 'its first error as the cause' grep -qF 'not installed: Failed to fetch x. By hand:' "$work/err"
expect 'the exact line' grep -qF 'apt-get install --no-install-recommends libfmt-dev' "$work/err"
expect 'nothing built' test ! -s "$work/calls"

# The first words of apt-get's sentences on its locks, for `update` and for `install`.
locked='E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (unattended-upgr)'
for word in update install; do
  new_case "another package manager runs, $word" 0
  with_program
  lose libfmt-dev
  fake sleep "echo \"sleep \$1\" >>'$work/calls'"
  fake apt-get "echo \"apt-get \$*\" >>'$work/calls'
    if [[ \"\$*\" == *$word* ]] && ((\$(grep -c sleep '$work/calls') < 3)); then echo '$locked' >&2; exit 100; fi"
  start run.sh list
  expect 'status 0' test "$status" = 0
  expect 'waits' test "$(grep -c sleep "$work/calls")" = 3
  expect 'says once for what' test "$(grep -c 'another package manager runs, process 7 (unattended-upgr); waiting' "$work/err")" = 1
  expect 'then built' grep -qx 'ninja starloom' "$work/calls"
done

new_case 'another package manager goes on' 0
lose libfmt-dev
fake sleep "echo \"sleep \$1\" >>'$work/calls'"
fake apt-get "echo '$locked' >&2; exit 100"
start run.sh
expect 'status 2' test "$status" = 2
expect 'waits ten minutes' test "$(awk '{ sum += $2 } END { print sum }' "$work/calls")" = 600
expect 'the cause' grep -qF "not installed: ${locked#E: }. By hand:" "$work/err"

for uid in 0 1000; do
  new_case "may install, user $uid" $uid
  with_program
  lose libfmt-dev
  # shellcheck disable=SC2016
  fake sudo '[[ $1 == -n ]] && shift && exec "$@"'
  start run.sh list
  expect 'status 0' test "$status" = 0
  expect 'only what is missing' grep -qx 'apt-get .*install .* libfmt-dev' "$work/calls"
  expect 'update first' grep -qx 'apt-get .*update' <(head -n 1 "$work/calls")
  expect 'then built' grep -qx 'ninja starloom' "$work/calls"
  expect 'stdout is the program'\''s' test "$(cat "$work/out")" = 'starloom list'
done

new_case 'nothing missing' 1000
with_program
start run.sh
expect 'configured without tests and built, no apt-get' \
  test "$(tr '\n' ';' <"$work/calls")" = 'cmake --preset release -DSTARLOOM_TESTS=OFF;ninja starloom;'
expect 'the demo' grep -qx "starloom demo --force" "$work/out"
: >"$work/calls"
start run.sh run 'a b.yaml'
expect 'not configured again' test "$(cat "$work/calls")" = 'ninja starloom'
expect 'silent' test ! -s "$work/err"
expect 'arguments handed on' test "$(cat "$work/out")" = 'starloom run a b.yaml'
: >"$work/calls"
start test.sh -R house
expect 'all is built, with the tests' \
  test "$(head -n 2 "$work/calls" | tr '\n' ';')" = 'cmake --preset release -DSTARLOOM_TESTS=ON;ninja all;'
expect 'ctest gets the arguments' grep -qx 'ctest .* -R house' "$work/calls"
: >"$work/calls"
start run.sh
expect 'the tests stay' test "$(cat "$work/calls")" = 'ninja starloom'
/bin/sleep 0.01
touch "$work/tree/CMakePresets.json"
start run.sh
expect 'also with other presets' grep -qx 'cmake --preset release -DSTARLOOM_TESTS=ON' "$work/calls"
fake ninja 'echo "FAILED: x"; exit 1'
start run.sh
expect 'a failed build ends it' test "$status" = 1
expect 'and says why on stderr' grep -q FAILED "$work/err"
expect 'without running' test ! -s "$work/out"
exit "$failures"

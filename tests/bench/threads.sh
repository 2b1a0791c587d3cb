#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a second thread is worth:  threads.sh [--pairs N] [--quick] [--busy N] [STARLOOM]
# Runs of one and of two threads in turn, N times [5], and two processes of one thread each at the same time: no thread can be
# worth more than they are on this machine in these minutes. Printed are medians of ratios of wall time, with the lowest and
# the highest. --quick: the runs of a second. --busy: beside N processes that want a core all the time; a ratio of 0.91 or more
# means that two threads take at most 1.1 times as long as one. STARLOOM: the program, by default that of the release build.
set -euo pipefail
pairs=5 quick=no busy=0
while [[ ${1:-} == --* ]]; do
  case $1 in
    --pairs) pairs=${2:?"a number behind --pairs"}; shift ;;
    --busy) busy=${2:?"a number behind --busy"}; shift ;;
    --quick) quick=yes ;;
    *) echo "threads.sh: there is no option $1" >&2; exit 2 ;;
  esac
  shift
done
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
starloom=${1:-$here/../../build/release/sc_main/starloom}
[[ -x $starloom ]] || { echo "threads.sh: $starloom is not built: cmake --build build/release --target starloom" >&2; exit 2; }
work=$(mktemp -d)
for ((i = 0; i < busy; ++i)); do while :; do :; done & done
others=$(jobs -p)
trap 'rm -rf "$work"; if ((busy)); then kill $others; fi' EXIT

seconds() { # threads folder [options]
  # shellcheck disable=SC2086
  "$starloom" run "$work/e.yaml" --quiet --no-packets $3 --threads "$1" --force --out "$work/$2" 2>/dev/null
  sed -n 's/.*"wall_seconds": \([0-9.e-]*\).*/\1/p' "$work/$2/timing.json" >"$work/$2.seconds"
}
spread() { sort -g | awk '{ a[NR] = $1 } END { printf "%.2f (%.2f to %.2f)", a[int((NR + 1) / 2)], a[1], a[NR] }'; }

printf '| %-40s | %-6s | %-21s | %-28s |\n' run 's, one' 'two threads' 'two processes at once'
printf '| %s | %s | %s | %s |\n' --- --- --- ---
while IFS='|' read -r name network routing traffic option long; do
  [[ $quick == no || -z $long ]] || continue
  printf 'schema: 1\nnetwork: %b\nrouting: {%s}\ntraffic: {%s}\n' "$network" "$routing" "$traffic" >"$work/e.yaml"
  : >"$work/one"; : >"$work/two"; : >"$work/both"
  for ((pair = 0; pair < pairs; ++pair)); do
    seconds 1 a "$option"
    seconds 2 b "$option"
    seconds 1 c "$option" & seconds 1 d "$option"; wait $!
    read -r a <"$work/a.seconds"; read -r b <"$work/b.seconds"; read -r c <"$work/c.seconds"; read -r d <"$work/d.seconds"
    echo "$a" >>"$work/one"
    awk "BEGIN { print $a / $b }" >>"$work/two"
    awk "BEGIN { print 2 * $a / ($c > $d ? $c : $d) }" >>"$work/both"
  done
  printf '| %-40s | %-6s | %-21s | %-28s |\n' "$name" "$(sort -g "$work/one" | awk 'NR == 1 { printf "%.2f", $1 }')" "$(spread <"$work/two")" "$(spread <"$work/both")"
done <<'RUNS'
greedy 64 x 64, near saturation|{topology: mesh, shape: [64, 64]}|algorithm: greedy|pattern: uniform, rate: 0.055, warmup: 100, measure: 2000, drain: 0|--no-referee|
greedy 64 x 64, with its referee|{topology: mesh, shape: [64, 64]}|algorithm: greedy|pattern: uniform, rate: 0.055, warmup: 100, measure: 1000, drain: 0||long
greedy 180 x 180, near saturation|{topology: mesh, shape: [180, 180]}|algorithm: greedy|pattern: uniform, rate: 0.02, warmup: 100, measure: 2000, drain: 0|--no-referee|long
greedy 64 x 64, 5 % of the nodes|{topology: mesh, shape: [64, 64]}|algorithm: greedy|pattern: uniform, rate: 0.0012, warmup: 100, measure: 20000, drain: 0|--no-referee|
greedy 36 x 36, all nodes in short steps|{topology: mesh, shape: [36, 36]}|algorithm: greedy|pattern: uniform, rate: 0.0001, warmup: 100, measure: 15000, drain: 0|--no-referee --wake all|
vc-wormhole 32 x 32, 90 %|{topology: mesh, shape: [32, 32]}|algorithm: vc-wormhole, buffer: 8|pattern: uniform, rate: 0.0768, flits: 8, warmup: 500, measure: 3000, drain: 0|--no-referee|
constant-queue 256 x 256|{topology: mesh, shape: [256, 256]}|algorithm: constant-queue|pattern: random-permutation|--no-referee|long
direct on arrays, POPS(1024,1024)|{topology: pops, groups: 1024, group_size: 1024}\nmodel: message|algorithm: direct|pattern: random-permutation||long
randomized, the same, and its audit|{topology: pops, groups: 1024, group_size: 1024}\nmodel: message|algorithm: randomized|pattern: random-permutation||long
RUNS

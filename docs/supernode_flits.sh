#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the column "single flits" of the table in docs/algorithms/supernode-hot-potato.md: steps in which `deflection` moves
# the flits of a random permutation's worms, each as a packet of its own. Called from anywhere, after ./run.sh has built
# the program.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for size in "18 4" "36 4" "72 4" "34 16"; do
  # shellcheck disable=SC2086
  set -- $size
  for seed in 1 2 3; do
    cat >"$work/worms.yaml" <<Y
schema: 1
network: {topology: mesh, shape: [$1, $1]}
routing: {algorithm: offline-worms}
traffic: {pattern: random-permutation, flits: $2}
seed: $seed
Y
    cat >"$work/flits.yaml" <<Y
schema: 1
network: {topology: mesh, shape: [$1, $1]}
routing: {algorithm: deflection}
traffic: {pattern: packets, file: flits.csv}
Y
    ./run.sh run "$work/worms.yaml" --quiet --force --out "$work/worms"
    awk -F, -v k="$2" 'NR == 1 { print "cycle,source,destination,flits"; next }
      { for (i = 0; i < k; i++) print "0," $2 "," $3 ",1" }' "$work/worms/packets.csv" >"$work/flits.csv"
    for priority in rank restricted; do
      ./run.sh run "$work/flits.yaml" --set routing.priority=$priority --quiet --force --out "$work/flits"
      echo "n = $1, k = $2, seed $seed, $priority: $(sed -n 's/^  "steps": \([0-9]*\),$/\1/p' "$work/flits/result.json")"
    done
  done
done

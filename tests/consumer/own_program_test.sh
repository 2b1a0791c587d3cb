#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds tests/examples/own_program against the package, as docs/library.md says, and gives its program all commands:
#   own_program_test.sh CMAKE SOURCE PREFIX SCRATCH [OPTION OF CMAKE...]
set -euo pipefail
cmake=$1 source=$2 prefix=$3 scratch=$4
shift 4
export CCACHE_BASEDIR=$scratch CCACHE_NOHASHDIR=1
fail() { echo "own_program: $*"; exit 1; }

rm -rf "$scratch"
mkdir -p "$scratch"
cp -r "$source/tests/examples/own_program" "$scratch/project"
cd "$scratch/project"
"$cmake" -S . -B build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Debug "$@" >../log 2>&1 || fail "$(cat ../log)"
"$cmake" --build build --parallel 2 >../log 2>&1 || fail "$(cat ../log)"

# expect STATUS WORD...: the program ends so; what it prints is in `output`
expect() {
  local status=0
  output=$(build/own_program "${@:2}" 2>&1) || status=$?
  [[ $status == "$1" ]] || fail "${*:2}: status $status: $output"
}
# says TEXT: `output` has it, and `is TEXT`: it is all of it
says() { [[ $output == *"$1"* ]] || fail "expected '$1' in: $output"; }
is() { [[ $output == "$1" ]] || fail "expected '$1', not: $output"; }

# The user's entries are found like all others.
expect 0 list
says '  spidergon              a ring of processors, each also joined to the one opposite
'
says '  across-first           spidergon     '
says '  across-adaptive        across the ring or along it; the router chooses where both are about as long
'
says '  emptiest               the port with the most channels to give
'
says '  longest-unserved       the requester that was served the longest time ago
'
says '  strided                in step k, from 0 on, node v sends to (v + (k + 1) * stride) mod n
'
expect 0 explain across_beyond
says '  range    1 to 1048576'
says '  for      across-first'
expect 0 explain across-first
says '  on       spidergon
  storage  store-and-forward'
says 'routing.across_beyond'
says 'routing.order'
says '  one of   passing, fifo'
expect 0 explain slack
says '  range    0 to 1048576'
says '  for      vc-wormhole'
expect 0 explain across-adaptive
says '  on       spidergon (2 channels)'
expect 0 explain spidergon
says 'network.nodes'
expect 0 explain strided
says 'traffic.lines'

expect 0 check experiments/strided.yaml
says '  network       spidergon of 16, 16 nodes, 48 links, diameter 4'
says '  traffic       strided: 640 packets'
says '  deadlock      none: no packet waits for room in another node'

expect 0 run experiments/strided.yaml --trace --waves
says 'completed (as expected): 44 steps (at least 42 by distance)
  experiment    across-first on spidergon of 16, strided, seed 1'
# A figure of its own.
grep -q '"across_beyond": 4' out/strided/result.json || fail "$(cat out/strided/result.json)"
expect 0 explain --figures
says 'algorithm.across_beyond'
# The state of a node, and that some node of its own packets waited.
mode=$(awk '/ mode \[1:0\] / { print $4; exit }' out/strided/waves.vcd)
grep -qxF "b10 $mode" out/strided/waves.vcd || fail 'waves.vcd does not show a node that yields'
grep -qx '2 yielding' out/strided/waves.mode.filter || fail "$(cat out/strided/waves.mode.filter)"
expect 0 run experiments/strided.yaml --quiet --out out/again --trace --waves --shuffle 5 --wake all
for file in trace.csv packets.csv result.json waves.vcd; do cmp "out/strided/$file" "out/again/$file"; done

# The folder says all that its readers need; even the program that does not know the spidergon reads it.
expect 0 verify out/strided
is 'out/strided: no violation (640 packets, 2784 rows of the trace)'
[[ $("$prefix/bin/starloom" verify out/strided) == "$output" ]] || fail 'starloom does not read the folder'
expect 0 show out/strided --step 3
says '  link_00_clockwise: packet '
sed -i '0,/,hop,/{/,hop,/d}' out/again/trace.csv
expect 3 verify out/again
says 'packet '

# Routers with a user's function, selection and arbiter.
expect 0 check experiments/routers.yaml
says '  deadlock      acyclic: 72 classes of channels, 2 per link, with 114 dependencies, no cycle'
expect 0 run experiments/routers.yaml --trace --waves
says 'completed (as expected): 263 steps (at least 42 by distance)'
expect 0 run experiments/routers.yaml --quiet --out out/again --force --trace --waves --shuffle 5 --wake all --threads 2
for file in trace.csv packets.csv result.json waves.vcd; do cmp "out/routers/$file" "out/again/$file"; done
expect 0 verify out/routers
is 'out/routers: no violation (640 packets, 2930 rows of the trace)'
[[ $("$prefix/bin/starloom" verify out/routers) == "$output" ]] || fail 'starloom does not read the folder of routers'
expect 0 why out/routers --packet 600
says 'latency 166 = distance 2 + source 37 + credit 102 + worm 16 + pipeline 9'
grep -qx '2 waiting' out/routers/waves.state.filter || fail "$(cat out/routers/waves.state.filter)"
# Each of the parts has its effect, and is in the result where it is not the one that others have.
for set in slack=0 selection=first arbiter=round-robin; do
  expect 0 run experiments/routers.yaml --quiet --out out/other --force --trace --set "routing.$set"
  ! cmp -s out/routers/trace.csv out/other/trace.csv || fail "$set changes nothing"
done
grep -q '"arbiter": "longest-unserved"' out/routers/result.json || fail 'result.json has no arbiter'
! grep -q '"arbiter"' out/other/result.json || fail 'result.json has an arbiter that was not given'
expect 0 campaign parts.yaml
says '12 of 12 runs done (12 now), 0 failed'
expect 0 report parts.yaml
says 'without slack no packet takes more links than the distance'

expect 0 campaign across.yaml
says '12 of 12 runs done (12 now), 0 failed'
expect 0 report across.yaml
says '20 requests of 8 processors over every clockwise link'
[[ $(wc -l <out/across/points.csv) == 37 ]] || fail "$(cat out/across/points.csv)"

expect 0 regress . --update
[[ -f experiments/strided.golden.json ]] || fail 'no golden file was written'
expect 0 regress .
says '4 of 4 scenarios passed'
sed -i 's/stride: 3/stride: 5/' experiments/strided.yaml
expect 6 regress .
says '3 of 4 scenarios passed'

# Incompatible entries are refused at their location, with compatible ones.
expect 2 check experiments/opposite.yaml --set network.nodes=15
says 'network.nodes: a spidergon has an even number of nodes from 4 on, not 15'
expect 2 check experiments/opposite_ring.yaml --set routing.across_beyond=3
is 'experiments/opposite_ring.yaml:4:22: routing: with across_beyond 3 packets would cross a ring of 16 to and fro; '`
  `'it can be 4 or more'
sed 's/{topology: spidergon, nodes: 16}/{topology: torus, shape: [16]}/' experiments/opposite.yaml >on_torus.yaml
expect 2 check on_torus.yaml
says 'on_torus.yaml:4:22: routing.algorithm: across-first works on spidergon, not on torus; these work on torus: vc-wormhole, greedy, '
expect 2 check experiments/opposite.yaml --set 'routing={algorithm: greedy}'
says '--set routing: routing.function: dimension-order works on mesh, torus, ring, concentrated-mesh, express-mesh, hypercube and flattened-butterfly, not on a '`
  `'spidergon; these do: up-down, '

expect 2 check experiments/routers.yaml --set routing.channels=1
is '--set routing.channels: across-adaptive on a spidergon needs 2 channels for datelines, not 1'
expect 2 check experiments/routers.yaml --set network.topology=ring
says 'routing.function: across-adaptive works on spidergon, not on '

# Algorithms and functions that need only a connected network support the user's topology.
for routing in 'greedy, function: shortest' 'vc-wormhole, function: up-down'; do
  expect 0 run experiments/strided.yaml --quiet --force --trace --out out/served --set "routing={algorithm: $routing}" \
    --set 'expect={outcome: completed}'
  expect 0 verify out/served
done
expect 0 check experiments/strided.yaml --set 'routing={algorithm: vc-wormhole, function: up-down}'
says '  deadlock      acyclic: '

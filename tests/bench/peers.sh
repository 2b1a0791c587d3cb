#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Speed beside another simulator, on the same work in the same minutes:  peers.sh BOOKSIM [BENCH]
# BOOKSIM: a binary of BookSim2 (github.com/booksim/booksim2) built by yourself. BENCH: router_bench, by default that of the
# release build. At 10 % and 90 % of saturation the two run in turn, three times; of each pair the ratio of router-cycles (and so
# of flit hops) a CPU second is taken, and the median of the three is printed. Neither counts how it builds and fills its network.
set -euo pipefail
booksim=${1:?the path of a BookSim2 binary is missing}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bench=${2:-$here/../../build/release/tests/bench/router_bench}
[[ -x $booksim ]] || { echo "peers.sh: $booksim is no program" >&2; exit 2; }
[[ -x $bench ]] || { echo "peers.sh: $bench is not built: ninja -C build/release router_bench builds it" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# CPU seconds of BookSim2 for the first cycles of a run.
booksim_seconds() { # side rate cycles
  cat >"$work/config" <<CONFIG
topology = mesh; k = $1; n = 2; routing_function = dim_order;
num_vcs = 1; vc_buf_size = 8; wait_for_tail_credit = 0;
vc_allocator = islip; sw_allocator = islip; alloc_iters = 1; speculative = 1; routing_delay = 0;
vc_alloc_delay = 1; sw_alloc_delay = 1; st_final_delay = 1; credit_delay = 0; input_speedup = 1; output_speedup = 1;
traffic = uniform; packet_size = 8; injection_rate = $(awk "BEGIN{print $2/8}"); sim_type = throughput;
warmup_periods = 0; sample_period = $3; max_samples = 1; sim_count = 1; seed = 1;
CONFIG
  local TIMEFORMAT='%U %S' times
  times=$({ time "$booksim" "$work/config" >"$work/log" 2>&1; } 2>&1) || { cat "$work/log" >&2; exit 1; }
  awk '{print $1 + $2}' <<<"$times"
}
# Million router-cycles a CPU second of this project.
ours() { # filter
  "$bench" --benchmark_filter="$1" --benchmark_format=json 2>/dev/null |
    sed -n 's/.*"router_cycles\/s": \([0-9.e+]*\).*/\1/p' | awk '{print $1 / 1e6}'
}
median() { sort -g | sed -n 2p; }

printf '%-16s %22s %22s %8s\n' 'M a CPU second' 'ours: cycles, hops' 'BookSim2: cycles, hops' ratio
while read -r side rate mark warmup cycles; do
  : >"$work/ours"; : >"$work/peer"; : >"$work/ratio"
  for _ in 1 2 3; do
    own=$(ours "mesh/$side/1/8/8/$mark/")
    short=$(booksim_seconds "$side" "$rate" "$warmup")
    long=$(booksim_seconds "$side" "$rate" $((warmup + cycles)))
    peer=$(awk "BEGIN{print $side * $side * $cycles / ($long - $short) / 1e6}")
    echo "$own" >>"$work/ours"; echo "$peer" >>"$work/peer"
    awk "BEGIN{print $own / $peer}" >>"$work/ratio"
  done
  # A flit of uniform traffic crosses 2 (k - 1/k) / 3 links.
  awk -v a="$(median <"$work/ours")" -v b="$(median <"$work/peer")" -v r="$(median <"$work/ratio")" -v k="$side" -v p="$rate" \
    'BEGIN{h = p * 2 * (k - 1 / k) / 3; printf "%-16s %11.2f %10.2f %11.2f %10.3f %8.1f\n", k "x" k " at " p, a, a * h, b, b * h, r}'
done <<LOADS
8 0.0278 278 20000 60000
8 0.25 2500 6000 14000
32 0.0085 85 2000 2000
32 0.0768 768 600 1000
LOADS

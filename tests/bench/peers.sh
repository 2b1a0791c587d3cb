#!/usr/bin/env bash
# Speed beside another simulator, on the same work in the same minutes:  peers.sh BOOKSIM [BENCH]
# BOOKSIM: a binary of BookSim2 (github.com/booksim/booksim2) built by yourself. BENCH: router_bench, by default that of the
# release build. For each load the two run in turn, three times; ratios are of the router-cycles and flit hops a CPU second.
set -euo pipefail
booksim=${1:?the path of a BookSim2 binary is missing}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bench=${2:-$here/../../build/release/tests/bench/router_bench}
[[ -x $booksim ]] || { echo "peers.sh: $booksim is no program" >&2; exit 2; }
[[ -x $bench ]] || { echo "peers.sh: $bench is not built: cmake --build build/release --target router_bench" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# CPU seconds of BookSim2 for a number of cycles, warm-up included.
booksim_seconds() { # side flits rate cycles
  cat >"$work/config" <<CONFIG
topology = mesh; k = $1; n = 2; routing_function = dim_order;
num_vcs = 1; vc_buf_size = 8; wait_for_tail_credit = 0;
vc_allocator = islip; sw_allocator = islip; alloc_iters = 1; speculative = 1; routing_delay = 0;
vc_alloc_delay = 1; sw_alloc_delay = 1; st_final_delay = 1; credit_delay = 1; input_speedup = 1; output_speedup = 1;
traffic = uniform; packet_size = $2; injection_rate = $(awk "BEGIN{print $3/$2}"); sim_type = throughput;
warmup_periods = 0; sample_period = $4; max_samples = 1; sim_count = 1; seed = 1;
CONFIG
  TIMEFORMAT='%U'
  { time "$booksim" "$work/config" >/dev/null; } 2>&1
}
# Router-cycles and flit hops a second of this project.
ours() { # filter
  "$bench" --benchmark_filter="$1" --benchmark_format=json 2>/dev/null |
    sed -n 's/.*"\(router_cycles\/s\|hops\/s\)": \([0-9.e+]*\).*/\2/p'
}

printf '%-24s %14s %14s %8s\n' load 'ours, Mrc/s' 'BookSim2' ratio
while read -r side rate cycles mark; do
  best=0 peer=0
  for _ in 1 2 3; do
    one=$(ours "mesh/$side/1/8/8/$mark/" | sort -g | tail -1)
    seconds=$(booksim_seconds "$side" 8 "$rate" "$cycles")
    best=$(awk "BEGIN{print $one > $best ? $one : $best}")
    peer=$(awk "BEGIN{r = $side*$side*$cycles/$seconds; print r > $peer ? r : $peer}")
  done
  printf '%-24s %14.2f %14.2f %8.1f\n' "${side}x$side at $rate" "$(awk "BEGIN{print $best/1e6}")" \
    "$(awk "BEGIN{print $peer/1e6}")" "$(awk "BEGIN{print $best/$peer}")"
done <<LOADS
8 0.0278 100000 278
8 0.25 20000 2500
32 0.0085 4000 85
32 0.0768 1500 768
LOADS

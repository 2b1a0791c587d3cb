#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The results of all benchmarks as the page docs/speed.md:  report.sh [--quick] [--runs N] [BUILD] >docs/speed.md
# BUILD: the folder of a release build with the benchmarks in it, by default build/release. Every benchmark is run N times [3], in
# turn with all others, half an hour in total; --quick: the short ones, in two to three minutes. Ratios compare what ran in one and the same process
# run, so they say something on a busy machine too; absolute figures are this machine's.
set -euo pipefail
shopt -s inherit_errexit
repetitions=3 quick=no
if [[ ${1:-} == --quick ]]; then quick=yes; shift; fi
if [[ ${1:-} == --runs ]]; then
  repetitions=${2:?"--runs N"}
  shift 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${1:-$here/../../build/release}
programs=$build/tests/bench

# program | benchmark (the beginning of its name) | figure, or FIGURE of it over that of / under that of another benchmark |
# long, if --quick omits it | meaning. Values that end in x are ratios.
table() {
  cat <<'ROWS'
fabric_bench|mesh/near_saturation/64|of_loop||x|links, 64 x 64 near saturation: speed as a fraction of that of a plain loop
fabric_bench|mesh/near_saturation/64|times_classic||x|... relative to one process per node and one signal per link
fabric_bench|mesh/near_saturation/180|of_loop|long|x|links, 180 x 180 near saturation: speed as a fraction of that of a plain loop
fabric_bench|mesh/near_saturation/180|times_classic|long|x|... relative to one process per node and one signal per link
fabric_bench|mesh/activity_5_percent/64|times_classic|long|x|links, 64 x 64, 5 % of the nodes active: speed relative to one process per node and one signal per link
fabric_bench|mesh/activity_5_percent/180|times_classic|long|x|the same, 180 x 180
pops_netlist_bench|rotation/64|of_loop||x|POPS(64,64), every coupler carries in every slot: speed as a fraction of that of two plain loops
pops_netlist_bench|rotation/256|of_loop|long|x|the same, POPS(256,256)
pops_netlist_bench|randomized/64|of_checked_model||x|POPS(64,64), `randomized`: speed as a fraction of that of the message-level model with its checks
pops_bench|randomized/16384/1024|ns_per_message / randomized/4096/4096|long|x|message level, 2^24 processors: time of a message of POPS(16384,1024) relative to POPS(4096,4096)
sources_bench|sources|times_definition||x|random numbers of open-loop sources: speed relative to their definition
multistage_bench|select_paths<PlainPlanner>/100|cpu_time / select_paths<OneBendPlanner>/100||x|path selection, 100 x 100: speed relative to the plain planner
waves_bench|waves/pops|window_cost_percent|long|%|waves of a window of POPS(256,16): time added
waves_bench|waves/near_saturation|window_cost_percent|long|%|waves of a window of 8 x 8 nodes of a 64 x 64 mesh near saturation: time added
waves_bench|waves/near_saturation|ns_per_change|long|ns|waves of everything: per value written
router_bench|mesh/8/1/8/8/2500|ns/hop||ns|virtual channels, 8 x 8 at 90 % of saturation: per flit hop
tlm_bench|transactions/0|transactions/s||/s|transactions, loosely timed
tlm_bench|transactions/1|transactions/s||/s|... approximately timed
tlm_bench|transactions/2|transactions/s||/s|... cycle-accurate
campaign_bench|campaign/dummy:0/runs:1000/|overhead_us_per_run||us|campaigns of a 4 x 4 netlist: CPU time per run besides the run itself
referee_bench|ten_million_rows|cpu_time|long|s|referee: ten million rows
planner_bench|demand_colouring|cpu_time|long|ms|colouring of the 2^20 packets of POPS(1024,1024)
pops_netlist_bench|elaboration/256|real_time|long|ms|POPS(256,256) of modules: build, one slot, exit
pops_bench|randomized/4096/4096|cpu_time|long|ms|message level, POPS(4096,4096): a permutation
pops_bench|randomized/16384/1024|cpu_time|long|ms|... POPS(16384,1024)
pops_bench|randomized/4096/4096|bytes_per_processor|long|bytes|... memory per processor, permutation included
ROWS
}
rows() { table | if [[ $quick == yes ]]; then awk -F'|' '$4 != "long"'; else cat; fi; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# An unknown name of a benchmark is an error now, not after half an hour.
while IFS='|' read -r program benchmark figure _; do
  [[ -x $programs/$program ]] || { echo "report.sh: $program is not built: ninja -C build/release benchmarks builds it" >&2; exit 2; }
  [[ -s $work/$program.names ]] || "$programs/$program" --benchmark_list_tests >"$work/$program.names" 2>/dev/null
  under=
  [[ $figure != *" / "* ]] || under=${figure#* / }
  for name in "$benchmark" "${under%% *}"; do
    awk -v name="$name" 'index($0, name) == 1 { found = 1 } END { exit !found }' "$work/$program.names" ||
      { echo "report.sh: $program has no benchmark $name" >&2; exit 1; }
  done
done < <(rows)
for ((repetition = 1; repetition <= repetitions; ++repetition)); do
  rows | cut -d'|' -f1 | sort -u | while read -r program; do
    filter=$(rows | awk -F'|' -v p="$program" '$1 == p { print "^" $2; if (split($3, over, " / ") > 1) print "^" over[2] }' | sort -u | paste -sd'|')
    echo "report.sh: $program, run $repetition of $repetitions" >&2
    "$programs/$program" --benchmark_filter="$filter" --benchmark_format=json >"$work/$program.$repetition" 2>"$work/log" ||
      { cat "$work/log" >&2; exit 1; }
    # A line for each figure: benchmark, figure, value.
    awk -F'": ' -v OFS='|' '
      /"error_occurred": true/ { print "report.sh: " name " failed" >"/dev/stderr"; exit 1 }
      { key = $1; sub(/^ *"/, "", key); value = $2; sub(/,$/, "", value) }
      key == "name" { gsub(/"/, "", value); name = value }
      name != "" && value ~ /^[-0-9.e+]+$/ { print name, key, value }' "$work/$program.$repetition" >"$work/$program.$repetition.figures"
  done
done

# Median, least and greatest of a row's figure over all repetitions.
spread() { # program benchmark figure
  for ((repetition = 1; repetition <= repetitions; ++repetition)); do
    awk -F'|' -v name="$2" -v figure="$3" '
      BEGIN { n = split(figure, part, " / ") }
      index($1, name) == 1 && $2 == part[1] && above == "" { above = $3 }
      n > 1 && index($1, part[2]) == 1 && $2 == part[1] && below == "" { below = $3 }
      END { if (above == "" || (n > 1 && below == "")) exit 1; print (n > 1 ? above / below : above) }' "$work/$1.$repetition.figures" ||
      { echo "report.sh: $1 has no figure $3 of $2" >&2; exit 1; }
  done | sort -g | awk '{ v[NR] = $1 } END { printf "%.3g | %.3g to %.3g", v[int((NR + 1) / 2)], v[1], v[NR] }'
}
section() { # 1: ratios, 0: absolute figures
  echo "| measurement | median | least to greatest |"
  echo "| --- | --- | --- |"
  rows | while IFS='|' read -r program benchmark figure _ unit what; do
    [[ $1 == 1 && $unit =~ ^[x%]$ || $1 == 0 && ! $unit =~ ^[x%]$ ]] || continue
    line=$(spread "$program" "$benchmark" "$figure")
    [[ $unit == x ]] || what="$what, $unit"
    echo "| $what (\`$program\`) | $line |"
  done
}

# Before the page, so that a missing value ends the script without a page.
ratios=$(section 1)
absolute=$(section 0)
echo "report.sh: threads" >&2
threads=$("$here/threads.sh" --pairs "$repetitions" $([[ $quick == no ]] || echo --quick) "$build/sc_main/starloom")
cat <<PAGE
# Speed

    cmake --build build/release --target benchmarks && tests/bench/report.sh$([[ $quick == no ]] || echo " --quick") >docs/speed.md

writes this page. It runs the benchmarks of \`tests/bench\` $repetitions times each, alternately. These values are from
$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -1), $(nproc) cores, $(uname -sr | cut -d- -f1); load of the machine at the
start: $(cut -d' ' -f1 /proc/loadavg) processes. Times are CPU times of one thread.

## Ratios within one run

Each value is the ratio of two speeds or costs that one process measured alternately: the median of all runs, with the least and the greatest.

$ratios

## Absolute values on this machine

$absolute

## Threads

\`tests/bench/threads.sh\`: the wall time with one thread divided by that with two, measured alternately. The last column is
the same for two processes of one thread each that run at the same time: the limit of this machine in these minutes. Medians, with the least and the greatest.

$threads
PAGE

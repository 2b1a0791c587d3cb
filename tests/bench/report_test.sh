#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page of tests/bench/report.sh, from benchmarks that only print:  report_test.sh REPORT
set -euo pipefail
report=${1:?the path of report.sh is missing}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
programs=$work/build/tests/bench
mkdir -p "$programs"
failed() { echo "report_test.sh: $1" >&2; exit 1; }

# A program that writes what Google Benchmark writes, with figures that grow from run to run: 1, 2, 3 times those given.
program() { # name, then benchmark figure value ...
  local name=$1
  shift
  {
    printf '#!/usr/bin/env bash\n[[ $1 == --benchmark_list_tests ]] && { printf "%%s\\n"'
    local i
    for ((i = 1; i <= $#; i += 3)); do printf ' "%s"' "${!i}"; done
    printf '; exit; }\nruns=$(($(cat "$0.runs" 2>/dev/null || echo 0) + 1))\necho "$runs" >"$0.runs"\n'
    printf 'echo "$1" >>"$0.asked"\necho \x27{ "context": { "num_cpus": 2 }, "benchmarks": [\x27\n'
    while (($#)); do
      printf 'printf \x27{\\n      "name": "%s/iterations:1",\\n      "cpu_time": 5.0e+00,\\n      "%s": %%s,\\n      "time_unit": "ms"\\n},\\n\x27 $((%s * runs))\n' "$1" "$2" "$3"
      shift 3
    done
    printf 'echo "] }"\n'
  } >"$programs/$name"
  chmod +x "$programs/$name"
}
program fabric_bench mesh/near_saturation/64/1000 of_loop 2 mesh/near_saturation/64/1000 times_classic 7 \
  mesh/activity_5_percent/64 times_classic 50
program pops_netlist_bench rotation/64 of_loop 3 randomized/64 of_checked_model 4
program sources_bench sources times_definition 6
program multistage_bench 'select_paths<PlainPlanner>/100' real_time 9 'select_paths<OneBendPlanner>/100' real_time 3
program router_bench mesh/8/1/8/8/2500 ns/hop 100
program tlm_bench transactions/0 transactions/s 30 transactions/1 transactions/s 20 transactions/2 transactions/s 10
program campaign_bench campaign/dummy:0/runs:1000/jobs:1 overhead_us_per_run 5

# Runs of two threads take half a second, others a second.
mkdir "$work/build/sc_main"
cat >"$work/build/sc_main/starloom" <<'P'
#!/usr/bin/env bash
seconds=1
while (($#)); do
  if [[ $1 == --threads && $2 == 2 ]]; then seconds=0.5; fi
  if [[ $1 == --out ]]; then out=$2; fi
  shift
done
mkdir -p "$out"
echo "\"wall_seconds\": $seconds," >"$out/timing.json"
P
chmod +x "$work/build/sc_main/starloom"

"$report" --quick "$work/build" >"$work/page" 2>"$work/log" || { cat "$work/log" >&2; failed "it ended with an error"; }
has() { grep -qF -- "$1" "$work/page" || { cat "$work/page" >&2; failed "the page has no \"$1\""; }; }
has '# Speed'
has '3 times each'
has 'speed as a fraction of that of a plain loop (`fabric_bench`) | 4 | 2 to 6 |'
has '... relative to one process per node and one signal per link (`fabric_bench`) | 14 | 7 to 21 |'
has 'speed relative to the plain planner (`multistage_bench`) | 1 | 1 to 1 |'
has 'at 90 % of saturation: per flit hop, ns (`router_bench`) | 200 | 100 to 300 |'
has '| 2.00 (2.00 to 2.00)   | 2.00 (2.00 to 2.00)'
# Only what is in the page is run.
grep -q 'near_saturation/64' "$programs/fabric_bench.asked" || failed "fabric_bench was not asked for 64 x 64"
! grep -q 'near_saturation/180' "$programs/fabric_bench.asked" || failed "--quick asked for a long benchmark"

"$report" --quick --runs 1 "$work/build" >"$work/page" 2>"$work/log" || failed "one run ended with an error"
has '1 times each'
has 'at 90 % of saturation: per flit hop, ns (`router_bench`) | 400 | 400 to 400 |'

rm "$programs/router_bench"
if "$report" --quick "$work/build" >"$work/page" 2>"$work/log"; then failed "a benchmark is missing, and it did not mind"; fi
grep -qF 'router_bench is not built: ninja -C build/release benchmarks builds it' "$work/log" || failed "it does not name what is missing"

program router_bench mesh/8/1/8/8/2500 hops/s 100
if "$report" --quick "$work/build" >"$work/page" 2>"$work/log"; then failed "a figure is missing, and it did not mind"; fi
grep -qF 'router_bench has no figure ns/hop of mesh/8/1/8/8/2500' "$work/log" || failed "it does not name the metric that is missing"

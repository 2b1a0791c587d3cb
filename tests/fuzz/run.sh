#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh [--minutes N] [READER...]: coverage-guided fuzzing of the readers, one after the other, N minutes in all [10].
# Found cases are left in build/fuzz/found/READER; mended, they go to tests/fuzz/corpus/READER, which the tests replay.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
minutes=10
if [[ ${1:-} == --minutes ]]; then
  minutes=${2:?"--minutes N"}
  shift 2
fi
cd "$root"
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzz_readers
fuzzer=build/fuzz/tests/fuzz/fuzz_readers
readers=("$@")
((${#readers[@]})) || read -ra readers <<<"$("$fuzzer" 2>&1 | sed -n 's/^--reader=NAME is one of: //p')"
export ASAN_OPTIONS=detect_leaks=0  # the SystemC library keeps its objects
found=0
for reader in "${readers[@]}"; do
  work=build/fuzz/work/$reader
  mkdir -p "$work" "build/fuzz/found/$reader"
  corpus=()
  [[ -d tests/fuzz/corpus/$reader ]] && corpus=("tests/fuzz/corpus/$reader")
  # It goes on after what it finds. A minute for a file: sanitizers make the slowest of the shipped ones ten times slower.
  end=$((SECONDS + minutes * 60 / ${#readers[@]}))
  while ((SECONDS < end)); do
    "$fuzzer" "--reader=$reader" "--seeds=$work" -max_total_time=$((end - SECONDS)) -timeout=60 -rss_limit_mb=2048 \
      -max_len=100000 -print_final_stats=1 "-artifact_prefix=build/fuzz/found/$reader/" "$work" \
      ${corpus[@]+"${corpus[@]}"} || found=1
  done
done
exit "$found"

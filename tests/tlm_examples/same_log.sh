#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a TLM example and compares what it prints:  same_log.sh PROGRAM EXPECTED [EXTRA]
# EXTRA: initiators and targets stand apart, and every transaction takes this many nanoseconds longer than expected.
set -euo pipefail
program=$1 expected=$2 extra=${3:-0}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
if ((extra)); then export APART=1; fi
"$program" >"$work/log" 2>&1

if ((!extra)); then
  diff "$expected" "$work/log"
  exit
fi
# Each delay that an initiator hears, and the time at which each line is printed: an initiator waits for one transaction
# after the other, so a line after k of them is k * EXTRA later. The initiators keep in step, so lines keep their order.
awk -v extra="$extra" '
  /b_transport returned delay/ { ++done[$2]; $(NF - 1) += extra }
  { print }' "$expected" | sed -n 's/.*\(Initiator: .*returned delay = .*\)/\1/p' >"$work/expected_delays"
sed -n 's/.*\(Initiator: .*returned delay = .*\)/\1/p' "$work/log" >"$work/delays"
[[ $(wc -l <"$work/delays") == 128 ]]
diff -b "$work/expected_delays" "$work/delays"
# The rest of the log, times left out.
timeless() { sed -E 's/[0-9]+ (s|ns|us)\b/TIME/g; s/(TIME \+ )+TIME = TIME/SUM/' "$1"; }
diff <(timeless "$expected") <(timeless "$work/log")
# The last transaction ends 64 * EXTRA later.
last() { sed -nE 's/^Info: traffic_generator.cpp: ([0-9]+) ns - .*/\1/p' "$1" | tail -1; }
[[ $(last "$work/log") == $(($(last "$expected") + 64 * extra)) ]]

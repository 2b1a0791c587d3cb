#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws docs/line_sort.svg, how the packets of a line follow their keys, from the trace and the waves of a run of mesh-sort: the
# first column of 8 x 8 nodes in the first phase. Needs gnuplot. Called from anywhere, after ./run.sh has built the program.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Only the first column has packets, for the second one: node (r, 0) for (keys[r], 1).
awk 'BEGIN {
  split("7 3 5 4 6 2 1 0", keys, " ")
  for (node = 0; node < 64; node++) print (node % 8 ? "-" : 8 * keys[node / 8 + 1] + 1)
}' >"$work/line.txt"
./run.sh run testbenches/scenarios/mesh_sort_16x16.yaml --set network.shape=[8,8] \
  --set "traffic={pattern: file, file: $work/line.txt}" --set expect=null --trace --waves --quiet --out "$work/run"

# Points of $work/keys.K and $work/packets.K: step and row of the key K and of its packet, steps 0 to 9.
awk -v work="$work" '
  /\$scope/ { scope = $3 }
  /\$var/ && $5 == "key" && scope ~ /^node_r.*_c00$/ { row[$4] = substr(scope, 7, 2) + 0 }
  /^#/ { show(); step = substr($1, 2) / 1000 }
  /^b/ && ($2 in row) { key[row[$2]] = 0; for (i = 2; i <= length($1); i++) key[row[$2]] = 2 * key[row[$2]] + substr($1, i, 1) }
  function show(   r) { for (; shown < step && shown <= 9; shown++) for (r in key) print shown + 0, r >(work "/keys." key[r] - 8) }
' "$work/run/waves.vcd"
awk -F, -v work="$work" '
  FNR == 1 { next }
  FILENAME ~ /packets.csv$/ { of[$1] = ($3 - 1) / 8 + 1; at[$1] = $2 / 8; next }
  { for (; shown <= $1 && shown <= 9; shown++) show() }
  $2 == "hop" { at[$3] = $7 / 8 }
  function show(   p) { for (p in at) print shown + 0, at[p] >(work "/packets." of[p]) }
' "$work/run/packets.csv" "$work/run/trace.csv"
{
  cat <<G
set terminal svg size 880,420 font "sans,12" background "#ffffff"
set output "docs/line_sort.svg"
set xrange [-0.6:9.6]
set yrange [7.5:-0.5]
unset key
set xtics 0,1
set ytics 0,1
set xlabel "steps"
set ylabel "row"
set grid x lc rgb "#dddddd"
G
  printf 'plot NaN'
  k=0
  for colour in 1f5fbf 3fa0d8 2a9d8f 7a9a01 e9a820 e76f00 c0392b 8e44ad; do
    k=$((k + 1))
    printf ", '%s' with lines lw 3 lc rgb '#%s', '%s' with points pt 6 ps 1.1 lw 2 lc rgb '#%s'" \
      "$work/packets.$k" $colour "$work/keys.$k" $colour
    printf ", '%s' every ::0::0 using (\$1-0.35):2:('%s') with labels tc rgb '#%s'" "$work/packets.$k" $k $colour
    printf ", '%s' every ::9::9 using (\$1+0.35):2:('%s') with labels tc rgb '#%s'" "$work/packets.$k" $k $colour
  done
  echo
} | gnuplot

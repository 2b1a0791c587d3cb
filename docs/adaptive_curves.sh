#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws docs/adaptive_curves.svg from the points of the campaign adaptive-curves:
#   docs/adaptive_curves.sh out/adaptive-curves/points.csv
# Needs gnuplot.
set -eu
points=$(realpath "${1:?the points.csv that starloom report has written}")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# For each pattern and function: load and mean latency, as long as all runs were completed.
awk -F, -v work="$work" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  $column["figure"] == "latency.mean" && $column["lost"] == 0 {
    print $column["traffic.rate"], $column["mean"] > (work "/" $column["traffic.pattern"] "." $column["routing.function"])
  }' "$points"
gnuplot <<G
set terminal svg size 900,460 font "sans,12" background "#ffffff"
set output "adaptive_curves.svg"
set multiplot layout 1,2
set xlabel "flits per node and step"
set ylabel "mean latency, steps"
set xrange [0:0.36]
set yrange [0:150]
set grid lc rgb "#dddddd"
set key top left samplen 2 maxrows 5 font "sans,9"
functions = "dimension-order o1turn xy-yx-adaptive west-first odd-even planar-adaptive adaptive min-adaptive"
dashed = "romm valiant"
do for [pattern in "transpose bit-complement"] {
  set title pattern
  plot for [f in functions] "$work/".pattern.".".f with linespoints pt 7 ps 0.4 title f, \\
       for [f in dashed] "$work/".pattern.".".f with linespoints dt 2 pt 7 ps 0.4 title f
}
G

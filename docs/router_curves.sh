#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws docs/router_curves.svg from the points of the campaign router-curves:
#   docs/router_curves.sh out/router-curves/points.csv
# Needs gnuplot.
set -eu
points=$(realpath "${1:?the points.csv that starloom report has written}")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# For each router and pattern: load, mean, and BookSim2's.
awk -F, -v work="$work" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  $column["figure"] == "latency.mean" {
    name = "V " $column["routing.channels"] ", " $column["traffic.flits"] "-flit, " $column["routing.pipeline"] " cycles, " \
      $column["traffic.pattern"]
    print $column["traffic.rate"], $column["mean"], $column["reference"] > (work "/" name)
  }' "$points"
curves= colour=0
for file in "$work"/*; do
  colour=$((colour + 1))
  curves="$curves, '$file' using 1:2 with linespoints lt $colour pt 7 ps 0.5 title '$(basename "$file")'"
  curves="$curves, '$file' using 1:3 with points pt 4 ps 1.1 lc rgb '#666666' notitle"
done
gnuplot <<G
set terminal svg size 760,480 font "sans,12" background "#ffffff"
set output "router_curves.svg"
set xlabel "offered load (flits per node and step)"
set ylabel "mean packet latency (steps)"
set yrange [0:60]
set xtics 0.05
set grid lc rgb "#dddddd"
set key below maxcols 3 samplen 2
plot NaN with points pt 4 ps 1.1 lc rgb "#666666" title "BookSim2" $curves
G

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws docs/pops_tables.svg from the points of the campaign pops-table-1, and docs/pops_curves.svg, figures 4 to 6 of Mei and
# Rizzi, from the same:
#   docs/pops_tables.sh out/pops-table-1/points.csv
# Needs gnuplot.
set -eu
points=$(realpath "${1:?the points.csv that starloom report has written}")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# For each d/g: n, mean, both ends of the confidence interval, and the paper's figure; n and formula B.
awk -F, -v work="$work" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  { g = $column["network.groups"]; d = $column["network.group_size"] }
  $column["figure"] == "schedule.units" {
    print g * d, $column["mean"], $column["ci_low"], $column["ci_high"], $column["reference"] > (work "/" d / g)
  }
  $column["figure"] == "algorithm.published_formula_slots" { print g * d, $column["mean"] > (work "/b" d / g) }' "$points"
gnuplot <<G
set terminal svg size 760,420 font "sans,12" background "#ffffff"
set output "pops_tables.svg"
set logscale x 2
set format x "2^{%L}"
set xlabel "processors"
set ylabel "cycles of five slots"
set yrange [0:90]
set grid lc rgb "#dddddd"
set key outside right center
plot for [ratio in "1 4 16"] "$work/".ratio using 1:2:3:4 with yerrorlines pt 7 ps 0.6 title "d = ".ratio."g", \
     for [ratio in "1 4 16"] "$work/".ratio using 1:5 with points pt 4 ps 1.1 lc rgb "#666666" \
       title (ratio eq "1" ? "the paper" : "")
set terminal svg size 960,340 font "sans,11" background "#ffffff"
set output "pops_curves.svg"
set multiplot layout 1,3
set ylabel "slots"
set yrange [0:*]
set key inside left top Left reverse
do for [ratio in "1 4 16"] {
  set title "d = ".(ratio eq "1" ? "" : ratio)."g"
  plot "$work/".ratio using 1:(5 * \$2) with linespoints pt 7 ps 0.5 title "A, 5 per cycle", \
       "$work/b".ratio using 1:2 with linespoints pt 5 ps 0.5 title "B, formula"
}
unset multiplot
G

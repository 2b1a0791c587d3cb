#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws docs/network_curves.svg from the points of three campaigns:
#   docs/network_curves.sh out/adaptive-hot-spot/points.csv out/chiplets/points.csv out/families/points.csv
# Needs gnuplot.
set -eu
hot_spot=$(realpath "${1:?the points.csv that starloom report has written of adaptive-hot-spot}")
chiplets=$(realpath "${2:?the points.csv of chiplets}")
families=$(realpath "${3:?the points.csv of families}")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A file for each curve: load and mean latency, as long as all runs were completed. Networks are in quotes, with commas, so
# figures are counted from the end.
curves() {
  awk -F, -v work="$work" '$(NF - 10) == "latency.mean" && $NF == 0 { print '"$1"', $(NF - 8) > (work "/" '"$2"') }'
}
curves '$1' '"hot_spot." $2' <"$hot_spot"
sed 's|\.\./graphs/chiplets_on_||; s|\.yaml||' "$chiplets" | curves '$1' '"chiplets." $2'
sed 's|"{""topology"":""\([a-z-]*\)""[^}]*}"|\1|' "$families" | curves '$1 / $2' '"families." $4'
gnuplot <<G
set terminal svg size 1050,380 font "sans,12" background "#ffffff"
set output "network_curves.svg"
set multiplot layout 1,3
set ylabel "mean latency, steps"
set grid lc rgb "#dddddd"
set key top left samplen 2
set style data linespoints
set pointsize 0.4
set xlabel "flits per node and step"
set xrange [0:0.065]
set yrange [0:160]
set title "hot spot"
plot for [f in "dimension-order o1turn west-first odd-even adaptive valiant"] "$work/hot_spot.".f pt 7 title f
set xrange [0:0.13]
set yrange [0:100]
set title "chiplets"
plot for [f in "a_ring an_interposer"] "$work/chiplets.".f pt 7 title f[strstrt(f, "_") + 1:*]
set xlabel "packets of 512 bits per node and step"
set xrange [0:0.11]
set title "families at equal bisection"
plot for [f in "mesh torus hypercube concentrated-mesh"] "$work/families.".f pt 7 title f
G

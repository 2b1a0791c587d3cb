#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws docs/clusters.svg: the loads of the links of docs/clusters.md with one path and with all of them, and
# docs/spreading.svg, the plot of its campaign. Called from anywhere, after ./run.sh has built the program.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

width=1024 height=400 y=0
{
  printf '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">\n' \
    $width $((2 * height)) $width $((2 * height))
  for spread in none packet; do
    ./run.sh run testbenches/scenarios/cluster.yaml --set expect=null --set routing.spread=$spread \
      --set traffic.warmup=1000 --set traffic.measure=4000 --set traffic.drain=4000 --quiet --out "$work/$spread" \
      2>"$work/said" || { cat "$work/said" >&2; exit 1; }
    # Identifiers must differ between the pictures; the title names what differs.
    sed "s/\(id=\"\|href=\"#\)s/\1${spread}_s/g; s/, matrix, seed 1/, spread: $spread/; 1s|<svg |<svg y=\"$y\" |" \
      "$work/$spread/links.svg"
    y=$((y + height))
  done
  echo '</svg>'
} >docs/clusters.svg

./run.sh campaign testbenches/campaigns/spreading.yaml --store "$work/store.sqlite" >"$work/said"
./run.sh report testbenches/campaigns/spreading.yaml --store "$work/store.sqlite" --out "$work/report" >"$work/said"
cp "$work/report/throughput_accepted.svg" docs/spreading.svg

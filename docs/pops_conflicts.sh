#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws docs/pops_conflicts.svg: the conflict graph of the first cycle of `randomized` on POPS(4,4), as figure 3 of Mei and Rizzi
# has it: each packet from its source group to its temporary group, in the colour of the intermediate group that it drew; all,
# those that slot 1 carried, and those that slot 2 carried. Called from anywhere, after ./run.sh has built the program.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
./run.sh run testbenches/scenarios/pops_8x8_randomized.yaml --set network.groups=4 --set network.group_size=4 --set expect=null \
  --trace --quiet --out "$work/run"

awk -F, '
  # A packet goes to the temporary group whose number is the index of its destination.
  FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  FILENAME ~ /packets/ { temporary[$column["packet"]] = $column["destination"] % 4; next }
  $column["slot"] == 0 && $column["event"] == "drive" {
    p = $column["packet"]; source[p] = $column["source_group"]; colour[p] = $column["destination_group"]; left[p] = 0
  }
  $column["slot"] <= 1 && $column["event"] == "listen" && $column["packet"] != "" { left[$column["packet"]] = $column["slot"] + 1 }
  END {
    split("#0072b2 #d55e00 #009e73 #cc79a7", shade, " ")
    split("before slot 1;carried by slot 1;carried by slot 2", title, ";")
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"270\" font-family=\"sans-serif\" font-size=\"13\">"
    print "<rect width=\"720\" height=\"270\" fill=\"#ffffff\"/>"
    for (stage = 0; stage < 3; stage++) {
      x = 240 * stage + 40
      printf "<text x=\"%d\" y=\"22\" font-weight=\"bold\">%s</text>\n", x, title[stage + 1]
      for (p = 0; p < 16; p++) {
        if (!(p in source) || left[p] < stage) continue
        pair = source[p] * 4 + temporary[p]; k = seen[stage, pair]++
        printf "<path d=\"M%d %d Q%d %d %d %d\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", x + 10, 60 + 52 * source[p], \
          x + 80, 30 + 26 * (source[p] + temporary[p]) + 30 + 22 * k, x + 150, 60 + 52 * temporary[p], shade[colour[p] + 1]
      }
      for (group = 0; group < 4; group++)
        for (side = 0; side < 2; side++) {
          printf "<circle cx=\"%d\" cy=\"%d\" r=\"13\" fill=\"#eeeeee\" stroke=\"#444444\"/>", x + 10 + 140 * side, 60 + 52 * group
          printf "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", x + 10 + 140 * side, 65 + 52 * group, group
        }
    }
    print "</svg>"
  }' "$work/run/packets.csv" "$work/run/trace.csv" >docs/pops_conflicts.svg

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws two pictures of where the packets of constant-queue are at the times at which its blocks turn, from the traces of runs:
# docs/blocks.svg, the scenario constant_queue_waves, and docs/type_one_blocks.svg, all of block rows 0 and 7 on their way to
# the middle columns. Needs gnuplot. Called from anywhere, after ./run.sh has built the program.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# picture NAME SIDE TIMES ROWS,COLUMNS STYLES: docs/NAME.svg from the run in $work/NAME. A style is a kind of packets and its
# colour; $work/NAME.awk says with kind(source, destination, side) of which kind a packet is.
picture() {
  name=$1 side=$2 times=$3 panels=$4
  shift 4
  # Files of points: the place of every packet that is under way, by time and kind.
  cat "$work/$name.awk" - >"$work/places.awk" <<'A'
    function place(node) { return node % side " " int(node / side) }
    FNR == 1 { next }
    FILENAME ~ /packets.csv$/ { at[$1] = $2; of[$1] = kind($2, $3, side); gone[$1] = $6; next }
    { if ($2 == "hop") { step[++rows] = $1; packet[rows] = $3; to[rows] = $7 } }
    END {
      count = split(times, time, " ")
      row = 1
      for (i = 1; i <= count; i++) {
        for (; row <= rows && step[row] < time[i]; row++) at[packet[row]] = to[row]
        for (p in at) if (gone[p] >= time[i]) print place(at[p]) > (work "/" time[i] "." of[p])
      }
    }
A
  awk -F, -v side="$side" -v times="$times" -v work="$work" -f "$work/places.awk" "$work/$name/packets.csv" "$work/$name/trace.csv"
  {
    cat <<G
set terminal svg size 880,480 font "sans,11" background "#ffffff"
set output "docs/$name.svg"
set multiplot layout $panels
set xrange [-0.5:$side-0.5]
set yrange [$side-0.5:-0.5]
set size ratio 1
unset key
set xtics -0.5,$((side / 8)) format ""
set ytics -0.5,$((side / 8)) format ""
set grid lc rgb "#dddddd"
G
    for t in $times; do
      echo "set title 'after $t steps'"
      printf 'plot NaN'
      for style in "$@"; do
        file="$work/$t.${style%%:*}"
        if test -s "$file"; then
          sort -n -o "$file" "$file"
          printf ", '%s' with points pt 5 ps 0.35 lc rgb '%s' notitle" "$file" "${style#*:}"
        fi
      done
      echo
    done
  } | gnuplot
  rm -f "$work"/[0-9]*
}

# From the left corners, from the right corners, and all others.
./run.sh run testbenches/scenarios/constant_queue_waves.yaml --trace --quiet --out "$work/blocks"
cat >"$work/blocks.awk" <<'A'
    function kind(source, destination, side,   r, c, m) {
      m = side / 8; r = int(source / side); c = source % side
      if ((r < m || r >= 7 * m) && (c < m || c >= 7 * m) && destination == side * side - 1 - source) return c < m ? "left" : "right"
      return "others"
    }
A
picture blocks 32 "0 4 16 28 32 44 50 62" 2,4 others:#bbbbbb left:#1f5fbf right:#c0392b

# Node (r, c) of block rows 0 and 7 sends to column 3m + c mod 2m; four block columns of each fill half of it. By block column.
awk 'BEGIN {
  side = 24; m = 3
  for (r = 0; r < side; r++) for (c = 0; c < side; c++)
    print (r < m || r >= 7 * m ? (r % m + m * int(c / (2 * m)) + (r < m ? 0 : 4 * m)) * side + 3 * m + c % (2 * m) : "-")
}' >"$work/type_one.txt"
./run.sh run testbenches/scenarios/constant_queue_24x24.yaml --set "traffic={pattern: file, file: $work/type_one.txt}" \
  --set 'expect={outcome: completed}' --trace --quiet --out "$work/type_one_blocks"
cat >"$work/type_one_blocks.awk" <<'A'
    function kind(source, destination, side) { return "block" int(source % side / (side / 8)) }
A
picture type_one_blocks 24 "0 3 6 9 12 15 18 23" 2,4 block0:#1f5fbf block1:#3fa0d8 block2:#2a9d8f block3:#e9a820 \
  block4:#e76f00 block5:#c0392b block6:#8e44ad block7:#444444

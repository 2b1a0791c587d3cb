#!/bin/sh
# Draws docs/blocks.svg: where the packets of constant-queue are at the times at which its blocks turn, from the trace of
# the scenario constant_queue_waves. Needs gnuplot. Called from anywhere, after ./run.sh has built the program.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
./run.sh run testbenches/scenarios/constant_queue_waves.yaml --trace --quiet --out "$work/run"

side=32
times="0 4 16 28 32 44 50 62"
# Files of points: the place of every packet that is under way, by kind: from the left corners, from the right corners,
# and all others.
awk -F, -v side=$side -v times="$times" -v work="$work" '
  function place(node) { return node % side " " int(node / side) }
  function kind(source, destination,   r, c, m) {
    m = side / 8; r = int(source / side); c = source % side
    if ((r < m || r >= 7 * m) && (c < m || c >= 7 * m) && destination == side * side - 1 - source) return c < m ? "left" : "right"
    return "others"
  }
  FNR == 1 { next }
  FILENAME ~ /packets.csv$/ { at[$1] = $2; of[$1] = kind($2, $3); gone[$1] = $6; next }
  { if ($2 == "hop") { step[++rows] = $1; packet[rows] = $3; to[rows] = $7 } }
  END {
    count = split(times, time, " ")
    row = 1
    for (i = 1; i <= count; i++) {
      for (; row <= rows && step[row] < time[i]; row++) at[packet[row]] = to[row]
      for (p in at) if (gone[p] >= time[i]) print place(at[p]) > (work "/" time[i] "." of[p])
    }
  }' "$work/run/packets.csv" "$work/run/trace.csv"

for t in $times; do for kind in left right others; do
  test -e "$work/$t.$kind" || : >"$work/$t.$kind"
  sort -n -o "$work/$t.$kind" "$work/$t.$kind"
done; done

{
  cat <<G
set terminal svg size 880,480 font "sans,11" background "#ffffff"
set output "docs/blocks.svg"
set multiplot layout 2,4
set xrange [-0.5:$side-0.5]
set yrange [$side-0.5:-0.5]
set size ratio 1
unset key
set xtics 4 format ""
set ytics 4 format ""
set grid lc rgb "#dddddd"
G
  for t in $times; do
    echo "set title 'after $t steps'"
    printf 'plot NaN'
    for style in others:#bbbbbb left:#1f5fbf right:#c0392b; do
      file="$work/$t.${style%%:*}"
      if test -s "$file"; then printf ", '%s' with points pt 5 ps 0.35 lc rgb '%s'" "$file" "${style#*:}"; fi
    done
    echo
  done
} | gnuplot

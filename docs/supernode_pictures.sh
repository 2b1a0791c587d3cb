#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws docs/supernodes.svg: a storage ring with its folds, one fold, an extraction and a transmission, each as the way of a
# head through the trace of the scenario supernode_2x2. Needs gnuplot. Called from anywhere, after ./run.sh has built the
# program.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
./run.sh run testbenches/scenarios/supernode_2x2.yaml --trace --quiet --out "$work/run"

n=18 side=9 h=4 s=2
# The hops of the head of packet 0 in steps FROM to TO, as arrows at the right-hand side of their links: x y dx dy step.
hops() {
  awk -F, -v from="$1" -v to="$2" -v n=$n '
    $2 == "hop" && $3 == 0 && $4 == 0 && $1 >= from && $1 <= to {
      x = $5 % n; y = int($5 / n); dx = $7 % n - x; dy = int($7 / n) - y
      print x - 0.14 * dy, y + 0.14 * dx, dx, dy, $1 - from
    }' "$work/run/trace.csv" >"$work/$3.hops"
}
# Rotations take 42 steps, the first superstep of supernode 0 begins in step 43.
hops 43 84 ring
hops 51 66 fold
hops 128 157 extraction
hops 156 170 transmission

# Every node of two supernodes side by side, by what it is for.
awk -v n=$n -v side=$side -v h=$h -v s=$s -v work="$work" 'BEGIN {
  for (y = 0; y < side; y++) for (x = 0; x < n; x++) {
    a = x % side - h; a = a < 0 ? -a : a; b = y - h; b = b < 0 ? -b : b
    kind = a == 0 && b == 0 ? "centre" : a == 0 && b == 1 ? "command" : a == 0 || b == 0 ? "lane" : \
           a == 1 && b == 1 ? "head" : a <= s && b <= s ? "buffer" : "storage"
    print x, y >(work "/" kind)
  }
}'

panel() {  # title, ranges, size of a node, of an arrow head, hops
  echo "set title '$1'"
  echo "set xrange [$2]; set yrange [$3]"
  printf 'plot NaN'
  for kind in storage:#e8eef8 lane:#eeeeee buffer:#fbe9d0 head:#f2c078 command:#c9e4c5 centre:#9fcf9a; do
    printf ", '%s' with points pt 5 ps %s lc rgb '%s'" "$work/${kind%%:*}" "$4" "${kind#*:}"
  done
  printf ", '%s' using 1:2:3:4:5 with vectors head size %s,20 filled lw 1.6 lc palette\n" "$work/$6.hops" "$5"
}
{
  cat <<G
set terminal svg size 880,640 font "sans,11" background "#ffffff"
set output "docs/supernodes.svg"
set multiplot layout 2,2
set size ratio -1
set palette defined (0 "#1f5fbf", 1 "#c0392b")
unset colorbox
unset key
set xtics 1 format ""
set ytics 1 format ""
set border 0
set tics scale 0
G
  panel 'the left storage ring, one rotation' '-0.7:8.7' '8.7:-0.7' 3.1 0.22 ring
  panel 'its first folds: out to a node and back' '-0.6:4.6' '3.6:-0.6' 6.2 0.13 fold
  panel 'extraction: two steps out, then rounds in the buffer' '-0.7:8.7' '8.7:-0.7' 3.1 0.22 extraction
  panel 'transmission: into an odd supernode, through its centre' '-0.7:17.7' '7.7:0.3' 2.2 0.3 transmission
} | gnuplot

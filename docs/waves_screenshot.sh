#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Opens the waves of a scenario in GTKWave on a virtual screen (Xvfb) and saves a picture of the window:
#   docs/waves_screenshot.sh [PICTURE [SCENARIO [PROGRAM]]]
# Prints the names of the rows that GTKWave shows. Needs the packages gtkwave and xvfb.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
picture=$(realpath -m "${1:-$root/docs/waves.png}")
scenario=${2:-$root/testbenches/scenarios/torus_waves.yaml}
program=${3:-$root/build/release/sc_main/starloom}
name=$(basename "$scenario" .yaml)

for tool in gtkwave:gtkwave Xvfb:xvfb; do
  command -v "${tool%:*}" >/dev/null || { echo "${tool%:*} is missing; install the package ${tool#*:}" >&2; exit 2; }
done
work=$(mktemp -d)
screen=
trap '[[ -z $screen ]] || kill "$screen"; rm -rf "$work"' EXIT

"$program" run "$scenario" --waves --quiet --out "$work/$name"

# Runs every half second; the window needs a few rounds to be drawn.
cat >"$work/grab.tcl" <<TCL
if {![info exists rounds]} { set rounds 0 }
incr rounds
if {\$rounds == 4} {
  gtkwave::/File/Grab_To_File {$picture}
  foreach name [gtkwave::getDisplayedSignals] { puts "row \$name" }
}
if {\$rounds == 6} { exit }
TCL

mkfifo "$work/display"
Xvfb -displayfd 1 -screen 0 1500x1000x24 -nolisten tcp >"$work/display" 2>/dev/null &
screen=$!
read -r display <"$work/display"
rm -f "$picture"
cd "$work/$name"  # the title of the window is the path as given
DISPLAY=:$display GDK_BACKEND=x11 HOME=$work timeout 120 \
  gtkwave waves.vcd waves.gtkw --repscript="$work/grab.tcl" --repperiod=500 2>/dev/null | sed -n 's/^row //p'
[[ -s $picture ]] || { echo "GTKWave has made no picture" >&2; exit 1; }

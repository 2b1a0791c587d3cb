#!/usr/bin/env bash
# GTKWave opens the waves of a scenario, shows every row of the save file, and lets itself be photographed:
#   gtkwave_test.sh ROOT PROGRAM
set -euo pipefail
root=$1 program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scenario=$root/testbenches/scenarios/torus_waves.yaml
"$root/docs/waves_screenshot.sh" "$work/picture.png" "$scenario" "$program" >"$work/shown"
"$program" run "$scenario" --quiet --out "$work/out"
sed -n 's/^+{[^}]*} //p' "$work/out/waves.gtkw" >"$work/wanted"
[[ -s $work/wanted ]]
diff "$work/wanted" "$work/shown"
[[ $(head -c 4 "$work/picture.png" | tail -c 3) == PNG ]]

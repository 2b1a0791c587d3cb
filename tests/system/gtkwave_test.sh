#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# GTKWave opens the waves of scenarios, shows every row of the save file, and lets itself be photographed:
#   gtkwave_test.sh ROOT PROGRAM
set -euo pipefail
root=$1 program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in torus_waves pops_waves; do
  scenario=$root/testbenches/scenarios/$name.yaml
  "$root/docs/waves_screenshot.sh" "$work/picture.png" "$scenario" "$program" >"$work/shown"
  "$program" run "$scenario" --quiet --out "$work/$name"
  sed -n 's/^+{[^}]*} //p' "$work/$name/waves.gtkw" >"$work/wanted"
  [[ -s $work/wanted ]]
  diff "$work/wanted" "$work/shown"
  [[ $(head -c 4 "$work/picture.png" | tail -c 3) == PNG ]]
  rm "$work/picture.png"
done

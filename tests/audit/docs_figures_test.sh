#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs_figures.sh finds every kind of damage: pages with one wrong row each, and one without.
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# With this option, or in full with none, the row ends with this status, and what is said has this text.
ends() {
  local wanted=$1 text=$2 mode=$3
  printf '| claim | where | command or test | printed | measured | verdict |\n| --- | --- | --- | --- | --- | --- |\n%s\n' \
    "$4" >"$work/page.md"
  local said
  said=$(bash "$here/docs_figures.sh" ${mode:+"$mode"} "$program" "$work/page.md" 2>&1)
  local got=$?
  [ "$got" = "$wanted" ] && [[ $said == *"$text"* ]] && return
  echo "status $got in place of $wanted, or \"$text\" is not in: $said" >&2
  status=1
}

small='starloom run testbenches/scenarios/mesh_single_node.yaml'
for mode in --named --quick; do
  ends 0 '1 rows, 0 figures' $mode '| a | | `Greedy` | | | holds |'
  ends 1 'there is no test Greddy' $mode '| a | | `Greddy` | | | holds |'
  ends 1 'there is no test Greedy.Nothing' $mode '| a | | `Greedy.Nothing` | | | holds |'
  ends 1 'there is no docs/algorithms/gredy.md' $mode '| a | [x](../algorithms/gredy.md) | | | | holds |'
  ends 1 'greedy.md does not link' $mode '| a | [x](../algorithms/greedy.md) | | | | holds |'
  ends 1 'no-such.yaml' $mode '| a | | `starloom run testbenches/scenarios/no-such.yaml` | | | holds |'
  ends 1 'routing.gaurd' $mode "| a | | \`$small --set routing.gaurd=1\` | | | holds |"
  ends 1 'figures of 0 runs' $mode '| a | | `Greedy` | | `steps` 5 | holds |'
done
ends 1 'no-such.yaml' --named '| a | | `starloom campaign testbenches/campaigns/no-such.yaml` | | | holds |'
ends 0 '1 figures, 1 commands run' --quick "| a | | \`$small\` | | \`steps\` 0 | holds |"
ends 1 'expectation missed: steps is 0, expected 1' --quick "| a | | \`$small\` | | \`steps\` 1 | holds |"
ends 1 'outcome' --quick "| a | | \`$small\` | | \`outcome\` livelock | holds |"
ends 0 '0 commands run' --quick "| a | | \`$small\` (60 s) | | \`steps\` 1 | holds |"
# Reversal on 2 x 2 nodes takes 2 steps.
campaign() {
  cat >"$work/campaign.yaml" <<Y
schema: 1
base: {schema: 1, network: {topology: mesh, shape: [2, 2]}, routing: {algorithm: greedy}, traffic: {pattern: reversal}}
runs: 1
keep: [steps]
reference: [{at: {}, figure: steps, value: $1, tolerance: 0, source: by hand}]
Y
  ends "$2" "$3" '' "| a | | \`starloom campaign $work/campaign.yaml\` | | | holds |"
}
campaign 2 0 '1 commands run'
campaign 3 1 'reference missed: steps is 2, expected 3'
exit $status

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the built-in tables of energy with DSENT:  dsent.sh DSENT [STARLOOM]
# DSENT: the folder ext/dsent of gem5, which is compiled here without its interface for Python 2; or a program of DSENT that
# takes `-cfg FILE`, in the folder that has `tech`. STARLOOM: by default the program of the release build. For 30 routers and
# links at 45, 32, 22 and 11 nm, energies, leakage and areas of both are printed, then the greatest and mean differences.
# Status 1 if one of them is above what docs/energy.md says.
set -euo pipefail
dsent=$(realpath "${1:?the path of DSENT is missing}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
starloom=${2:-$here/../../build/release/sc_main/starloom}
[[ -x $starloom ]] || { echo "dsent.sh: $starloom is not built: ./run.sh builds it" >&2; exit 2; }
folder=$dsent
[[ -d $dsent ]] || folder=$(dirname "$dsent")
[[ -d $folder/tech/tech_models ]] || { echo "dsent.sh: $folder has no folder tech/tech_models of DSENT" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [[ -d $dsent ]]; then
  echo "compiling $dsent" >&2
  cat >"$work/main.cc" <<'MAIN'
#include "DSENT.h"
int main(int, char** words) {
  std::map<LibUtil::String, LibUtil::String> config;
  std::map<std::string, double> outputs;
  DSENT::Model* model = DSENT::initialize(words[2], config);
  DSENT::run(config, model, outputs);
}
MAIN
  (cd "$work"
    { find "$dsent" -name '*.cc' ! -name interface.cc; echo main.cc; } |
      xargs -P "$(nproc)" -n 8 "${CXX:-g++}" -std=c++17 -O2 -w -I"$dsent" -c
    "${CXX:-g++}" -o dsent ./*.o)
  dsent=$work/dsent
fi

# Ports, channels, flits of a buffer, bits of a flit, mm of a link.
cat >"$work/routers" <<ROUTERS
5 1 8 128 1
5 4 4 64 1
8 2 10 16 0.5
4 3 2 192 1.5
3 1 10 128 0.5
6 1 16 128 0.25
4 2 2 256 4
3 2 2 192 1
7 4 4 192 0.5
7 5 4 24 1.5
8 1 16 24 0.25
6 4 16 128 3
10 5 12 96 2
6 8 4 48 0.5
7 5 12 96 5
7 5 3 24 6
9 2 8 32 5
9 1 3 192 3
8 6 8 256 5
10 1 3 64 5
4 1 6 256 5
7 6 10 96 0.25
10 3 4 256 0.5
10 1 5 64 1
6 4 10 160 0.5
5 4 10 192 2
5 8 10 192 2
9 3 10 48 1
4 2 4 48 1.5
3 4 4 64 2
ROUTERS

# shellcheck disable=SC2016
print_energy() { printf 'print "%s " $(Energy>>%s); ' "$1" "$2"; }

# What DSENT prints for a router and a link: `name value`, in J, W and m2.
ask_dsent() { # technology ports channels buffer bits mm
  {
    printf 'ModelName = Router\nQueryString = Area>>Router:Active@0\nEvaluateString = '
    print_energy buffer_write Router:WriteBuffer
    print_energy buffer_read Router:ReadBuffer
    print_energy crossbar 'Router:TraverseCrossbar->Multicast1'
    print_energy arbiter_v 'Router:ArbitrateSwitch->ArbitrateStage1'
    print_energy arbiter_p 'Router:ArbitrateSwitch->ArbitrateStage2'
    print_energy clock Router:DistributeClock
    # shellcheck disable=SC2016
    printf 'print "leakage " $(NddPower>>Router:Leakage); print "area " $(Area>>Router:Active)\n'
    cat <<CONFIG
ElectricalTechModelFilename = $folder/tech/tech_models/$1.model
IsPerformTimingOptimization = true
TimingOptimization->StartNetNames = [*]
Frequency = 1e9
NumberInputPorts = $2
NumberOutputPorts = $2
NumberBitsPerFlit = $5
NumberVirtualNetworks = 1
NumberVirtualChannelsPerVirtualNetwork = [$3]
NumberBuffersPerVirtualChannel = [$4]
InputPort->BufferModel = DFFRAM
CrossbarModel = MultiplexerCrossbar
SwitchAllocator->ArbiterModel = MatrixArbiter
ClockTreeModel = BroadcastHTree
ClockTree->NumberLevels = 5
ClockTree->WireLayer = Global
ClockTree->WireWidthMultiplier = 1.0
CONFIG
  } >"$work/router.cfg"
  {
    printf 'ModelName = RepeatedLink\nQueryString = Area>>RepeatedLink:Active@0\nEvaluateString = '
    print_energy link RepeatedLink:Send
    cat <<CONFIG

ElectricalTechModelFilename = $folder/tech/tech_models/$1.model
IsPerformTimingOptimization = false
TimingOptimization->StartNetNames = []
Frequency = 1e9
NumberBits = $5
WireLayer = Global
WireWidthMultiplier = 1.0
WireSpacingMultiplier = 1.0
WireLength = ${6}e-3
Delay = 1e-9
CONFIG
  } >"$work/link.cfg"
  "$dsent" -cfg "$work/router.cfg"
  "$dsent" -cfg "$work/link.cfg"
}

# One flit over one link of a hypercube, all of whose routers have the same number of ports.
column() { awk -v c="$1" -v less="${2:-0}" '{ printf "%s%s", (NR == 1 ? "" : ", "), $c - less }' "$work/routers"; }
printf 'cycle,source,destination,flits\n0,0,1,1\n' >"$work/packet.csv"
cat >"$work/tables.yaml" <<CAMPAIGN
schema: 1
base:
  schema: 1
  network: {topology: hypercube, dimensions: 4}
  routing: {algorithm: vc-wormhole}
  traffic: {pattern: packets, file: packet.csv}
  energy: {channel_allocator: false}
zip:
  network.dimensions: [$(column 1 1)]
  routing.channels: [$(column 2)]
  routing.buffer: [$(column 3)]
  energy.width_bits: [$(column 4)]
  energy.link_mm: [$(column 5)]
axes:
  energy.table: [dsent-45, dsent-32, dsent-22, dsent-11]
keep: [energy.steps, energy.dynamic.buffer_write, energy.dynamic.buffer_read, energy.dynamic.crossbar, energy.dynamic.switch,
       energy.dynamic.clock, energy.dynamic.link, energy.leakage_pj, energy.leakage.links, energy.area_um2.total,
       energy.area_um2.links]
plot: []
CAMPAIGN
"$starloom" campaign "$work/tables.yaml" --store "$work/store" >/dev/null 2>"$work/errors" || { cat "$work/errors" >&2; exit 1; }
"$starloom" report "$work/tables.yaml" --store "$work/store" --out "$work/report" >/dev/null

for technology in 45:Bulk45LVT 32:Bulk32LVT 22:Bulk22LVT 11:TG11LVT; do
  while read -r ports channels buffer bits mm; do
    echo "router ${technology%:*} $ports $channels $buffer $bits $mm"
    ask_dsent "${technology#*:}" "$ports" "$channels" "$buffer" "$bits" "$mm"
  done <"$work/routers"
done >"$work/answers"

# Energies in fJ, leakage in uW, areas in um2.
awk '
  FNR == NR { # points.csv; a value of this project, of all routers of the network
    # Dimensions, channels, buffer, bits, mm, table, figure, runs, mean.
    split($0, cell, ",")
    sub(/dsent-/, "", cell[6])
    sub(/^energy\.(dynamic\.)?/, "", cell[7])
    value[cell[6], cell[1] + 1, cell[2], cell[3], cell[4], cell[7]] = cell[9]
    next
  }
  function ours(name) { return value[node, ports, channels, buffer, bits, name] }
  function compare(name, dsent, here,    error) {
    error = here / dsent - 1
    if (error < 0) error = -error
    if (error > greatest[name]) greatest[name] = error
    sum[name] += error; number[name]++
    return sprintf(" %10.1f %10.1f %5.1f %%", dsent, here, 100 * (here / dsent - 1))
  }
  function finish(    routers, flit, static, area) {
    if (node == "") return
    routers = 2 ^ (ports - 1)
    compare("buffer_write", 1e15 * dsent["buffer_write"], 500 * ours("buffer_write"))
    compare("buffer_read", 1e15 * dsent["buffer_read"], 500 * ours("buffer_read"))
    compare("crossbar", 1e15 * dsent["crossbar"], 500 * ours("crossbar"))
    compare("clock", 1e15 * dsent["clock"], 1000 * ours("clock") / routers / ours("steps"))
    flit = compare("flit in a router", 1e15 * (dsent["buffer_write"] + dsent["buffer_read"] + dsent["crossbar"] + \
      dsent["arbiter_v"] + dsent["arbiter_p"]), 500 * (ours("buffer_write") + ours("buffer_read") + ours("crossbar") + \
      ours("switch")))
    static = compare("leakage", 1e6 * dsent["leakage"], \
      1000 * (ours("leakage_pj") - ours("leakage.links")) / routers / ours("steps"))
    area = compare("area", 1e12 * dsent["area"], (ours("area_um2.total") - ours("area_um2.links")) / routers)
    printf "%5d %4d %4d %4d %5d%s%s%s%s\n", node, ports, channels, buffer, bits, flit, static, area, \
      compare("link", 1e15 * dsent["link"], 1000 * ours("link"))
  }
  BEGIN {
    printf "%5s %4s %4s %4s %5s", "nm", "P", "V", "B", "W"
    split("flit, fJ:leakage, uW:area, um2:link, fJ", title, ":")
    for (t = 1; t <= 4; t++) printf " %21s %7s", title[t], ""
    printf "\n"
  }
  $1 == "router" { finish(); node = $2; ports = $3; channels = $4; buffer = $5; bits = $6; delete dsent; next }
  { dsent[$1] = $2 }
  END {
    finish()
    limits = "buffer_write:10.2,buffer_read:3.2,crossbar:2.5,clock:4.8,flit in a router:4.4,leakage:2.5,area:2.2,link:1"
    printf "\n%-18s %10s %10s\n", "difference", "greatest", "mean"
    for (k = 1; k <= split(limits, entry, ","); k++) {
      split(entry[k], part, ":"); name = part[1]
      above = !(100 * greatest[name] <= part[2] + 0.05)
      bad += above
      printf "%-18s %8.1f %% %8.1f %%%s\n", name, 100 * greatest[name], 100 * sum[name] / number[name], \
        above ? "  above " part[2] " %" : ""
    }
    exit bad > 0
  }' "$work/report/points.csv" "$work/answers"

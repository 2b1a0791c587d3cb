#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the events that energy is counted from against BookSim2:  booksim_power.sh BOOKSIM [STARLOOM]
# BOOKSIM: a binary of BookSim2 (github.com/booksim/booksim2) built by yourself in its folder src, beside power/techfile.txt.
# STARLOOM: by default the program of the release build. BookSim2 simulates six networks and prints the powers and areas of
# its own model (sim_power). The same packets run in Starloom, and the formulas of that model (src/power/power_module.cpp) are
# applied to the rows of its trace. Status 1 if any number differs in any digit that BookSim2 prints.
set -euo pipefail
booksim=${1:?the path of a BookSim2 binary is missing}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
starloom=${2:-$here/../../build/release/sc_main/starloom}
tech=$(dirname "$booksim")/power/techfile.txt
[[ -x $booksim ]] || { echo "booksim_power.sh: $booksim is no program" >&2; exit 2; }
[[ -f $tech ]] || { echo "booksim_power.sh: $tech is missing: name the binary in the folder src of BookSim2" >&2; exit 2; }
[[ -x $starloom ]] || { echo "booksim_power.sh: $starloom is not built: ./run.sh builds it" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seq -f 'p%.0f' 0 99999 >"$work/watched"

# 500 cycles of injection, then until the network is empty.
simulate() { # topology k channels buffer flits bits pattern load
  cat >"$work/config" <<CONFIG
topology = $1; k = $2; n = 2; routing_function = dim_order;
num_vcs = $3; vc_buf_size = $4; wait_for_tail_credit = 0;
vc_allocator = islip; sw_allocator = islip; alloc_iters = 1; speculative = 1; routing_delay = 0;
vc_alloc_delay = 1; sw_alloc_delay = 1; st_final_delay = 1; credit_delay = 0; input_speedup = 1; output_speedup = 1;
traffic = $7; packet_size = $5; injection_rate = $(awk "BEGIN{print $8 / $5}");
sim_type = throughput; warmup_periods = 1; sample_period = 250; max_samples = 2; sim_count = 1; seed = 1;
sim_power = 1; tech_file = $tech; channel_width = $6;
watch_file = $work/watched; watch_out = $work/watch;
CONFIG
  "$booksim" "$work/config" >"$work/log" 2>&1 || true  # a run that converges ends with status 255
  grep -q '^- Total Area:' "$work/log" || { cat "$work/log" >&2; exit 1; }
}

# The packets of the log of BookSim2: when and where each was created, and where it arrived.
packets() { # flits
  awk -v flits="$1" '
    / Enqueuing packet / { packet = $7; created[packet] = $10 + 0; source[packet] = substr($3, 5) + 0; next }
    / Retiring packet / {
      match($0, /dest = [0-9]+/)
      printf "%d,%d,%d,%d\n", created[$7], source[$7], substr($0, RSTART + 7, RLENGTH - 7), flits
    }' "$work/watch" | sort -t, -k1,1n -k2,2n | sed '1i cycle,source,destination,flits'
}

run_starloom() { # topology k channels buffer latency
  cat >"$work/run.yaml" <<RUN
schema: 1
network: {topology: $1, shape: [$2, $2], link_latency: $5}
routing: {algorithm: vc-wormhole, channels: $3, buffer: $4}
traffic: {pattern: packets, file: packets.csv}
RUN
  "$starloom" run "$work/run.yaml" --trace --no-packets --quiet --force --out "$work/out"
}

# The powers (W) and areas (mm2) of the model of BookSim2 for the events of a trace.
model() { # topology k channels buffer bits latency cycles
  awk -v topology="$1" -v k="$2" -v places=$(($3 * $4)) -v bits="$5" -v latency="$6" -v cycles="$7" '
    FNR == NR { # the technology: name = value; // comment
      sub(/;.*/, "")
      if (split($0, part, "=") == 2) { gsub(/[ \t]/, "", part[1]); value[part[1]] = part[2] + 0 }
      next
    }
    FNR == 1 { FS = ","; next }
    { $0 = $0; flit = $3 "," $4 }
    $2 == "inject" { injects++; side[flit] = 4 }
    $2 == "hop" {
      # Ports of BookSim2: +x, -x, +y, -y, processor. Those of a mesh here are north, east, south, west.
      out = topology == "mesh" ? substr("3021", $6 + 1, 1) + 0 : $6
      hops++; crossed[side[flit], out]++
      side[flit] = out % 2 == 0 ? out + 1 : out - 1
    }
    $2 == "eject" { ejects++; crossed[side[flit], 4]++ }

    # A wire of a length in mm with repeaters of size best_k, best_n of them in each of best_m stages: of those that are
    # fast enough the one with the least power times stages^4.
    function choose_wire(mm,    size, n, m, part, time, metric, least) {
      least = 1e8
      for (size = 1.0; size < 10; size += 0.1)
        for (n = 1; n < 40; n++)
          for (m = 1; m < 40; m++) {
            part = mm / (n * m)
            time = value["R"] * (co_delay + ci_delay) + (value["R"] / size * wire + size * value["Rw"] * ci_delay) * part + \
              0.5 * value["Rw"] * wire * part * part
            if (n * time >= 0.8 * period) continue
            metric = m * m * m * m * (0.2 * 64 * repeated(mm, size, m, n) + flip_flops(m, 64, 0.2))
            if (metric < least) { least = metric; best_k = size; best_n = n; best_m = m }
          }
    }
    function repeated(mm, size, m, n) { return 0.5 * (size * (ci + co) + wire * mm / (m * n)) * m * n * switching }
    function flip_flops(m, width, activity) {
      return (activity * 0.5 * (1.6 * (ci + co) + 1.6 * 2 / 3 * co) + \
              activity * (1.6 * (ci + co) + 1.6 * 2 / 3 * value["Cg_pwr"])) * m * width * switching
    }
    function clock(m) {
      return m * (1 + driver * (1 + co_delay / ci_delay)) * \
        (bits * pitch * wire * value["H_DFQD1"] * value["MetalPitch"] / pitch + bits * ci_delay) * switching
    }
    function channels(number, mm, flits) { # that many channels, over which so many flits pass together
      if (mm != length_known) { choose_wire(mm); length_known = mm }
      channel_wire += repeated(mm, best_k, best_m, best_n) * bits * flits / cycles
      channel_dff += flip_flops(best_m, bits, flits / cycles)
      channel_clock += number * clock(best_m)
      channel_leak += number * best_k * 0.5 * (value["IoffN"] + 2 * value["IoffP"]) * value["Vdd"] * best_m * best_n * bits
      channel_area += number * bits * square * (best_m * value["W_DFQD1"] * value["H_DFQD1"] + \
        best_m * best_n * (value["W_INVD2"] + 3 * best_k) * value["H_INVD2"])
    }
    function crossbar(from, to,    line, cross_in, cross_out, end_in, end_out, c_in, c_out) {
      line = bits * 5 * pitch * wire
      cross_in = line / 16; cross_out = 4 * cross_in * co_delay / ci_delay
      end_in = line / 16; end_out = 4 * end_in * co_delay / ci_delay
      c_in = driver * (1 + co_delay / ci_delay) * (0.5 * line + end_in) + line + end_in + 5 * cross_in
      c_out = line + end_out + 5 * cross_out
      if (to < 2.5) c_in -= 0.5 * line + 2.5 * cross_in
      if (from < 2.5) c_out -= 0.5 * line + 2.5 * cross_out
      return 0.5 * (c_in + c_out) * switching
    }
    function show(name, number) { printf "%s:%.6g\n", name, number }

    END {
      driver = 5 / 16
      wire = 2 * value["Cw_cpl"] + 2 * value["Cw_gnd"]
      pitch = 2 * value["MetalPitch"]; square = value["MetalPitch"] ^ 2
      ci = 3 * value["Cg_pwr"]; co = 3 * value["Cd_pwr"]
      ci_delay = 3 * (value["Cg"] + value["Cgdl"]); co_delay = 3 * value["Cd"]
      period = 20 * value["R"] * (3 * value["Cd"] + 12 * value["Cg"] + 12 * value["Cgdl"])
      switching = value["Vdd"] ^ 2 / period

      nodes = k * k; ports = 5 * nodes
      channels(nodes, value["wire_length"], injects)
      channels(nodes, value["wire_length"], ejects)
      channels(4 * nodes, latency * value["wire_length"], hops)

      cell = 2 * 4 * value["LAMBDA"] * value["Cg_pwr"] + 6 * value["MetalPitch"] * wire
      decoder = 1 + driver * (1 + co / ci); column = 1.25 * (1 + co / ci); row = 6 * bits * value["MetalPitch"]
      word = (column * (2 * wire * row + 5 * bits * ci) + \
        2 * decoder * wire * (8 * value["MetalPitch"] + places) * ci + decoder * bits * cell) * switching
      bit = places * (4 * value["LAMBDA"] * value["Cd_pwr"] + 8 * value["MetalPitch"] * wire)
      traversals = hops + ejects
      buffer_read = traversals / cycles * (word + bit * switching * bits)
      # The first term of a write is not multiplied by the frequency in BookSim2.
      buffer_write = (injects + hops) / cycles * (word + bits * ((co + ci) * value["Vdd"] ^ 2 + bit * switching))
      buffer_leak = ports * places * value["IoffSRAM"] * value["Vdd"] * bits

      for (pair in crossed) {
        split(pair, at, SUBSEP)
        switch_power += crossed[pair] / cycles * bits * crossbar(at[1], at[2])
      }
      line = bits * 5 * pitch * wire
      control = bits * driver * line + 2 * line
      switch_control = traversals / cycles * control * (1 + driver * (1 + co_delay / ci_delay)) * switching
      # As in BookSim2, this leakage is without a factor Vdd.
      switch_leak = nodes * 0.5 * (value["IoffN"] + 2 * value["IoffP"]) * bits * (25 * line / 16 + 10 * line / 16) / ci
      output_dff = traversals / cycles * flip_flops(1, bits, 1)
      output_clock = ports * clock(1)
      output_control = traversals / cycles * (1 + driver) * (1 + co / ci) * bits * (pitch * wire + ci) * switching

      show("Channel Wire Power", channel_wire); show("Channel Clock Power", channel_clock)
      show("Channel Retiming Power", channel_dff); show("Channel Leakage Power", channel_leak)
      show("Input Read Power", buffer_read); show("Input Write Power", buffer_write)
      show("Input Leakage Power", buffer_leak)
      show("Switch Power", switch_power); show("Switch Control Power", switch_control)
      show("Switch Leakage Power", switch_leak)
      show("Output DFF Power", output_dff); show("Output Clk Power", output_clock)
      show("Output Control Power", output_control)
      show("Total Power", channel_wire + channel_clock + channel_dff + channel_leak + buffer_read + buffer_write + \
        buffer_leak + switch_power + switch_control + switch_leak + output_dff + output_clock + output_control)
      switch_area = nodes * (5 * bits * pitch) ^ 2
      input_area = ports * bits * value["H_SRAM"] * places * value["W_SRAM"] * square
      output_area = nodes * bits * 5 * value["W_DFQD1"] * value["H_DFQD1"] * square
      show("Channel Area", channel_area); show("Switch Area", switch_area)
      show("Input Area", input_area); show("Output Area", output_area)
      show("Total Area", channel_area + switch_area + input_area + output_area)
      show("injects", injects); show("hops", hops)
    }' "$tech" "$work/out/trace.csv"
}

different=0
while read -r topology k channels buffer flits bits pattern load; do
  latency=$([[ $topology == torus ]] && echo 2 || echo 1)
  simulate "$topology" "$k" "$channels" "$buffer" "$flits" "$bits" "$pattern" "$load"
  packets "$flits" >"$work/packets.csv"
  run_starloom "$topology" "$k" "$channels" "$buffer" "$latency"
  cycles=$(sed -n 's/^- Completion Time: *//p' "$work/log")
  model "$topology" "$k" "$channels" "$buffer" "$bits" "$latency" "$cycles" >"$work/ours"
  sed -n 's/^- \(.*\(Power\|Area\)\): *\(.*\)/\1:\3/p' "$work/log" | sed 's/  */ /g' >"$work/theirs"
  awk -F: -v title="$topology $k x $k, V $channels, B $buffer, packets of $flits x $bits bits, $pattern $load, $cycles cycles" '
    FNR == NR { ours[$1] = $2; next }
    FNR == 1 { printf "%s; %d flits injected, %d hops\n  %-24s %12s %12s\n", title, ours["injects"], ours["hops"], \
      "W, mm2", "BookSim2", "Starloom" }
    { differs = $2 != ours[$1]; bad += differs
      printf "  %-24s %12s %12s%s\n", $1, $2, ours[$1], differs ? "  differs" : "" }
    END { exit bad > 0 || FNR != 19 }' "$work/ours" "$work/theirs" || different=1
done <<NETWORKS
mesh 4 1 8 1 128 uniform 0.1
mesh 8 1 8 1 128 uniform 0.2
mesh 8 4 4 5 64 uniform 0.2
mesh 8 2 8 8 32 transpose 0.08
torus 5 2 4 4 128 uniform 0.15
mesh 4 2 4 2 256 bitcomp 0.1
NETWORKS
[[ $different == 0 ]] || { echo "some numbers differ" >&2; exit 1; }
echo "all 114 numbers are equal"

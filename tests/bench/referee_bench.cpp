// SPDX-License-Identifier: Apache-2.0
/// \file The referee on ten million rows: time and memory. Repeat: `build/release/tests/bench/referee_bench`.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <vector>

#include <starloom/referee/links/referee.hpp>
#include <starloom/topology/grid/grid_graph.hpp>

namespace starloom::links {
namespace {

/// Packets that cross a line of `length` links one behind the other, again and again: every link is busy in every step.
void ten_million_rows(benchmark::State& state) {
  const std::int32_t length = 100;
  const NetworkGraph line = make_grid_graph(Grid::mesh({1, length + 1}));
  const Port east = 1;
  const PacketId packets = 100'000;
  for (auto _ : state) {
    Referee referee(line, RefereeRules());
    std::vector<Packet> facts;
    for (PacketId p = 0; p < packets; ++p) facts.push_back({0, length, 1, p});
    referee.packets(facts);
    std::vector<TraceRow> rows;
    for (Step step = 0; step < packets + length; ++step) {
      rows.clear();
      if (step < packets)
        rows.push_back({step, TraceEvent::inject, static_cast<PacketId>(step), 0, 0, no_port, no_node});
      for (std::int32_t node = 0; node < length; ++node) {
        const Step packet = step - node;
        if (packet >= 0 && packet < packets)
          rows.push_back({step, TraceEvent::hop, static_cast<PacketId>(packet), 0, node, east, node + 1});
      }
      if (step >= length)
        rows.push_back({step, TraceEvent::eject, static_cast<PacketId>(step - length), 0, length, no_port, no_node});
      referee.rows(rows);
    }
    std::vector<Step> delivered;
    for (PacketId p = 0; p < packets; ++p) delivered.push_back(p + length);
    referee.finish(delivered, true);
    if (!referee.ok()) state.SkipWithError(referee.violation().text.c_str());
    state.counters["rows"] = static_cast<double>(referee.rows_seen());
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}
BENCHMARK(ten_million_rows)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace starloom::links

BENCHMARK_MAIN();

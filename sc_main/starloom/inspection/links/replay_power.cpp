// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/replay_power.hpp>

#include <utility>
#include <vector>

#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/links/trace_reader.hpp>
#include <starloom/verify/links/power_windows.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::links {
namespace {

constexpr std::int64_t most_powers = 2'000'000;  ///< numbers of a page

std::vector<PowerWindow> windows_of(const RunFiles& run, const ResultDocument& result) {
  const NetworkGraph& graph = run.network.graph;
  PowerWindows windows(run.folder, result, graph, run.rules, run.measured_from, most_powers);
  TraceReader trace(find_trace(run.folder), SubnetRows(graph), &run.packets.packets);
  for (std::vector<TraceRow> rows; trace.next(rows);) {
    for (const TraceRow& row : rows) check_row(run, row);
    windows.rows(rows);
  }
  return windows.finish();
}

}  // namespace

void add_power(const RunFiles& run, Step from, Step to, ReplayContent& content) {
  const ResultDocument result(run.folder / "result.json");
  if (!result.given("energy.steps")) return;
  const NetworkGraph& graph = run.network.graph;
  ByteStream stream;
  std::size_t count = 0;
  PowerWindow before{0, 0, std::vector<std::int64_t>(static_cast<std::size_t>(graph.nodes()), 0),
                     std::vector<std::int64_t>(graph.link_slots(), 0)};
  for (PowerWindow& window : windows_of(run, result)) {
    if (window.to <= from || window.from >= to) continue;
    stream.number(static_cast<std::uint64_t>(window.from - before.to));
    stream.number(static_cast<std::uint64_t>(window.to - window.from));
    for (std::size_t node = 0; node < window.routers.size(); ++node)
      stream.difference(window.routers[node] - before.routers[node]);
    for (NodeId node = 0; node < graph.nodes(); ++node)
      for (const Port port : graph.out_ports(node)) {
        const std::size_t link = graph.index(node, port);
        stream.difference(window.links[link] - before.links[link]);
      }
    before = std::move(window);
    ++count;
  }
  content.facts["power"] = count;
  content.sections.emplace_back("power", std::move(stream));
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/collective_results.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <starloom/analysis/links/path_demand.hpp>
#include <starloom/control/links/paths.hpp>
#include <starloom/control/links/zero_load.hpp>
#include <starloom/pictures/links/collectives_picture.hpp>
#include <starloom/results/metric_writer.hpp>
#include <starloom/run/links/offered_load.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/trace_io/links/collectives_csv.hpp>
#include <starloom/trace_io/links/operations_csv.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace starloom::links {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_in_result = 1'000, most_lines = 10;

/// Bounds of the collectives of a program, and estimates of their steps.
class ProgramBounds {
 public:
  ProgramBounds(const Program& program, const LinkNetwork& network, const Algorithm& algorithm, int subnets)
      : program_(program),
        network_(network),
        algorithm_(algorithm),
        zero_load_(network.graph, algorithm),
        subnets_(subnets) {}

  /// They are the same in each run of an operation by a list.
  const CollectiveBounds& of(const OperationInstance& instance) {
    const auto [known, is_new] = known_.try_emplace({instance.operation, instance.list});
    if (is_new) known->second = compute(instance);
    return known->second;
  }

 private:
  CollectiveBounds compute(const OperationInstance& instance) {
    const Collective& collective = program_.operation(instance).collective;
    const std::vector<std::int32_t>& ranks = program_.ranks_of(instance);
    const auto count = static_cast<std::int32_t>(ranks.size());
    CollectiveBounds bounds{program_.totals_of(instance).busiest, busiest_link(instance), bisection(collective, count)};
    const CollectiveAlgorithm& algorithm = *find_collective(collective.op, collective.algorithm);
    if (const auto neighbour = latency_to_neighbour(program_.node(ranks.front())); neighbour && algorithm.model)
      bounds.model = algorithm.model(collective, count, *neighbour);
    return bounds;
  }

  /// Known only if packets take fixed paths.
  std::optional<std::int64_t> busiest_link(const OperationInstance& instance) const {
    if (!paths_are_fixed(algorithm_)) return std::nullopt;
    const std::vector<std::int32_t>& ranks = program_.ranks_of(instance);
    std::vector<Flow> flows;
    std::int64_t crossings = 0;
    for (const OperationPlan::Flow& flow : program_.totals_of(instance).flows) {
      const NodeId from = program_.node(ranks[static_cast<std::size_t>(flow.from)]);
      const NodeId to = program_.destination(instance, flow.to);
      if (is_group(to)) return flow.flits;  // no other messages are in the instance, and they cross each link once
      flows.push_back({from, to, static_cast<double>(flow.flits)});
      crossings += least_links(algorithm_.declaration(), network_.graph, from, to);
    }
    if (crossings > most_crossings) return std::nullopt;
    const std::optional<LinkDemand> demand = demand_of_paths(network_.graph, algorithm_, flows, false);
    if (!demand || demand->meaning != LinkDemand::Meaning::certain) return std::nullopt;
    return static_cast<std::int64_t>(demand->most());
  }

  /// Steps in which the flits that must cross the middle of a grid can do so.
  std::optional<double> bisection(const Collective& collective, std::int32_t ranks) const {
    const Grid* const grid = network_.as<Grid>();
    if (grid == nullptr || ranks != network_.graph.processors()) return std::nullopt;
    const std::int64_t side = *std::max_element(grid->shape().begin(), grid->shape().end());
    if (side % 2 != 0) return std::nullopt;
    const auto axis =
        static_cast<int>(std::find(grid->shape().begin(), grid->shape().end(), side) - grid->shape().begin());
    std::int64_t links = 0;
    const auto is_far = [&](NodeId node) { return grid->coordinate(node, axis) >= side / 2; };
    for (NodeId node = 0; node < grid->nodes(); ++node)
      for (const Port port : network_.graph.out_ports(node))
        if (!is_far(node) && is_far(network_.graph.far_end(node, port).node)) links += subnets_;
    if (links == 0) return std::nullopt;
    const auto flits = static_cast<double>(collective.flits);
    if (collective.op == "all-reduce") return flits / static_cast<double>(links);
    if (collective.op == "all-to-all") return ranks * flits / static_cast<double>(4 * links);
    return std::nullopt;
  }

  /// The least latency of a flit from a processor to another one.
  std::optional<Step> latency_to_neighbour(NodeId node) {
    const auto [known, is_new] = latency_.try_emplace(node);
    if (!is_new) return known->second;
    for (NodeId other = 0; other < network_.graph.nodes(); ++other) {
      if (other == node || network_.graph.processor_of(other) < 0) continue;
      const Step latency = zero_load_.least(node, other, 1);
      if (!known->second || latency < *known->second) known->second = latency;
    }
    return known->second;
  }

  const Program& program_;
  const LinkNetwork& network_;
  const Algorithm& algorithm_;
  const ZeroLoad zero_load_;
  const int subnets_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, CollectiveBounds> known_;  ///< [operation, list]
  std::map<NodeId, std::optional<Step>> latency_;                              ///< [processor] to its neighbour
};

Json json_of(const CollectiveRow& row) {
  const auto step = [](Step value) { return value == no_step ? Json() : Json(value); };
  const auto number = [](const std::optional<double>& value) { return value ? number_json(*value) : Json(); };
  return {{"name", row.name},
          {"instance", row.instance},
          {"op", row.op},
          {"algorithm", row.algorithm},
          {"ranks", row.ranks},
          {"flits", row.flits},
          {"start", step(row.start)},
          {"finish", step(row.finish)},
          {"algbw_gbps", number(row.algbw_gbps)},
          {"busbw_gbps", number(row.busbw_gbps)},
          {"node", row.bounds.node},
          {"link", row.bounds.link ? Json(*row.bounds.link) : Json()},
          {"bisection", number(row.bounds.bisection)},
          {"model", number(row.bounds.model)}};
}

/// `gradients[0]: all-reduce ring of 256 flits by 16 ranks, steps 0 to 731; algbw 5.603, busbw 10.51 GB/s; bounds: ...`
std::string text_of(const CollectiveRow& row) {
  std::string text = fmt::format("{}[{}]: {} {}", row.name, row.instance, row.op, row.algorithm);
  if (row.flits > 0) text += fmt::format(" of {}", counted(row.flits, "flit"));
  text += fmt::format(" by {}, ", counted(row.ranks, "rank"));
  if (row.start == no_step) return text + "which none has entered";
  if (row.finish == no_step) return text + fmt::format("from step {} on, not finished", row.start);
  text += fmt::format("steps {} to {}", row.start, row.finish);
  if (row.algbw_gbps)
    text += fmt::format("; algbw {}, busbw {} GB/s", decimal(*row.algbw_gbps), decimal(*row.busbw_gbps));
  text += fmt::format("; node {}", row.bounds.node);
  if (row.bounds.link) text += fmt::format(", link {}", *row.bounds.link);
  if (row.bounds.bisection) text += fmt::format(", bisection {}", decimal(*row.bounds.bisection));
  if (row.bounds.model) text += fmt::format(", model {}", decimal(*row.bounds.model));
  return text;
}

/// The times of an instance: its first rank enters, and its last one finishes.
OperationTimes times_of(const OperationLog& log, const Program& program, const OperationInstance& instance) {
  const std::size_t ranks = program.ranks_of(instance).size();
  OperationTimes times;
  std::size_t finished = 0;
  for (std::size_t part = instance.first_part; part < instance.first_part + ranks; ++part) {
    const auto& [start, finish] = log.times[part];
    if (start != no_step && (times.start == no_step || start < times.start)) times.start = start;
    times.finish = std::max(times.finish, finish);
    if (finish != no_step) ++finished;
  }
  if (finished < ranks) times.finish = no_step;
  return times;
}

std::vector<CollectiveRow> rows_of(const OperationLog& log, const Program& program, const Units& units,
                                   ProgramBounds& bounds) {
  std::vector<CollectiveRow> rows;
  for (const OperationInstance& instance : program.instances()) {
    const Operation& operation = program.operation(instance);
    if (!operation.is_collective()) continue;
    const Collective& collective = operation.collective;
    const OperationTimes times = times_of(log, program, instance);
    CollectiveRow row{operation.name,
                      instance.number,
                      collective.op,
                      collective.algorithm,
                      static_cast<std::int32_t>(program.ranks_of(instance).size()),
                      collective.flits,
                      times.start,
                      times.finish};
    const auto factor = bus_factor(row.op, row.ranks);
    if (factor && row.finish > row.start) {
      row.algbw_gbps = static_cast<double>(row.flits * units.flit_bytes) /
                       (static_cast<double>(row.finish - row.start) * units.clock_ns);
      row.busbw_gbps = *row.algbw_gbps * *factor;
    }
    row.bounds = bounds.of(instance);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<ChunkRow> chunks_of(std::vector<ChunkTime> times, const Program& program) {
  std::sort(times.begin(), times.end(), [](const ChunkTime& one, const ChunkTime& other) {
    return std::tie(one.instance, one.block, one.piece) < std::tie(other.instance, other.block, other.piece);
  });
  std::vector<ChunkRow> rows;
  for (const ChunkTime& chunk : times) {
    const OperationInstance& instance = program.instances()[chunk.instance];
    rows.push_back({program.operation(instance).name, instance.number, chunk.block, chunk.piece, chunk.finish});
  }
  return rows;
}

/// Calls `visit(operation, instance, rank, times)` for each part of a program.
template <class Visit>
void each_part(const OperationLog& log, const Program& program, Visit&& visit) {
  for (const OperationInstance& instance : program.instances()) {
    std::size_t part = instance.first_part;
    for (const std::int32_t rank : program.ranks_of(instance))
      visit(program.operation(instance), instance, rank, log.times[part++]);
  }
}

std::vector<OperationRow> operations_of(const OperationLog& log, const Program& program) {
  std::vector<OperationRow> rows;
  each_part(
      log, program,
      [&](const Operation& operation, const OperationInstance& instance, std::int32_t rank, OperationTimes times) {
        rows.push_back({operation.name, instance.number, operation.collective.op, rank, program.node(rank), times.start,
                        times.finish});
      });
  return rows;
}

}  // namespace

void add_collectives(RunReport& report, OperationLog log, const Program& program, const Experiment& experiment,
                     const LinkNetwork& network, const Algorithm& algorithm, bool listed) {
  ProgramBounds bounds(program, network, algorithm, experiment.subnets());
  std::vector<CollectiveRow> rows = rows_of(log, program, experiment.units, bounds);
  Json& list = report.metrics["workload.collectives"] = Json::array();
  for (std::size_t i = 0; i < std::min(rows.size(), most_in_result); ++i) list.push_back(json_of(rows[i]));
  std::string name = "collectives";
  for (std::size_t i = 0; i < std::min(rows.size(), most_lines); ++i)
    report.lines.push_back({std::exchange(name, ""), text_of(rows[i])});
  if (rows.size() > most_lines)
    report.lines.push_back({"", fmt::format("and {} more: collectives.csv", rows.size() - most_lines)});
  report.files.push_back({"collectives.csv", [rows = std::move(rows)](const std::filesystem::path& file) {
                            write_collectives(file, rows);
                          }});
  if (listed)
    report.files.push_back({"operations.csv", [rows = operations_of(log, program)](const std::filesystem::path& file) {
                              write_operations(file, rows);
                            }});
  report.files.push_back({"chunks.csv", [rows = chunks_of(std::move(log.chunks), program)](
                                            const std::filesystem::path& file) { write_chunks(file, rows); }});
}

std::string picture_of_operations(const OperationLog& log, const Program& program, Step end, const std::string& title) {
  std::vector<OperationBar> bars;
  each_part(
      log, program,
      [&](const Operation& operation, const OperationInstance& instance, std::int32_t rank, OperationTimes times) {
        bars.push_back({rank, operation.name, instance.number, operation.is_compute(), times.start, times.finish});
      });
  return collectives_picture(std::move(bars), program.ranks(), end, title);
}

}  // namespace starloom::links

#include "commands/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands/run_waves.hpp"
#include "experiment/experiment.hpp"
#include "results/statistics.hpp"

namespace starloom {

Ending check_experiment(const ExperimentOptions& options) {
  const Experiment experiment = load_experiment(options.file, overrides_of(options));
  const auto setup = set_up(experiment);
  if (experiment.waves) shown_in_waves(experiment, *setup);
  const Topology& topology = setup->topology;
  fmt::print("{}: valid\n", options.file.string());
  fmt::print("  network       {} {}, {} nodes, {} links, diameter {}\n", topology.kind_name(),
             fmt::join(topology.shape(), " x "), topology.nodes(), topology.links(), topology.diameter());
  fmt::print("  routing       {}, {}\n", experiment.algorithm->name,
             storage_model_names[static_cast<std::size_t>(setup->algorithm->declaration().storage)]);
  if (!setup->traffic->end()) {
    fmt::print("  traffic       {}: its sources never end\n", experiment.pattern->name);
    return {};
  }
  std::vector<Packet> packets;
  setup->traffic->generate(0, *setup->traffic->end(), packets);
  fmt::print("  traffic       {}: {} packets\n", experiment.pattern->name, packets.size());
  std::vector<std::int64_t> distances;
  distances.reserve(packets.size());
  for (const Packet& packet : packets) distances.push_back(topology.distance(packet.source, packet.destination));
  if (const auto figures = statistics_of(std::move(distances)))
    fmt::print("  distance      mean {:.2f}, max {}\n", figures->mean, figures->max);
  for (const auto& [name, value] : setup->algorithm->bounds(packets))
    fmt::print("  bound         {} {}\n", name, value);
  return {};
}

}  // namespace starloom

#include <starloom/commands/check.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <starloom/analysis/pops/optics_text.hpp>
#include <starloom/commands/prospects.hpp>
#include <starloom/commands/run_waves.hpp>
#include <starloom/commands/summary.hpp>
#include <starloom/experiment/experiment.hpp>
#include <starloom/planners/pops/optics.hpp>
#include <starloom/results/statistics.hpp>

namespace starloom {
namespace {

std::vector<Packet> packets_of(Setup& setup) {
  std::vector<Packet> packets;
  setup.traffic->generate(0, *setup.traffic->end(), packets);
  return packets;
}

void print_traffic(const Experiment& experiment, std::size_t packets) {
  fmt::print("  traffic       {}: {} packets\n", experiment.pattern->name, packets);
}

void print_bounds(const std::map<std::string, double>& bounds) {
  for (const auto& [name, value] : bounds) fmt::print("  bound         {} {}\n", name, value);
}

void check_grid(const Experiment& experiment, Setup& setup) {
  const NetworkGraph& graph = setup.network->graph;
  fmt::print("  network       {}, {} nodes, {} links, diameter {}\n", network_text(setup), graph.nodes(), graph.links(),
             graph.diameter());
  fmt::print("  routing       {}, {}\n", experiment.algorithm->name,
             storage_model_names[static_cast<std::size_t>(setup.algorithm->declaration().storage)]);
  if (!setup.traffic->end()) {
    fmt::print("  traffic       {}: its sources never end\n{}", experiment.pattern->name,
               prospects_text(experiment, setup, nullptr));
    return;
  }
  if (!setup.algorithm->remark().empty()) fmt::print("  remark        {}\n", setup.algorithm->remark());
  const std::vector<Packet> packets = packets_of(setup);
  print_traffic(experiment, packets.size());
  std::vector<std::int64_t> distances;
  distances.reserve(packets.size());
  for (const Packet& packet : packets) distances.push_back(graph.distance(packet.source, packet.destination));
  if (const auto figures = statistics_of(std::move(distances)))
    fmt::print("  distance      mean {:.2f}, max {}\n", figures->mean, figures->max);
  print_bounds(setup.algorithm->bounds(packets));
  fmt::print("{}", prospects_text(experiment, setup, &packets));
}

void check_star(const Experiment& experiment, Setup& setup) {
  const Pops& pops = setup.star->pops();
  const pops::Parts parts = pops::parts_of(pops);
  fmt::print("  network       {}, {} processors, {} couplers, {} transmitters, {} receivers\n", network_text(setup),
             pops.nodes(), parts.couplers, parts.transmitters, parts.receivers);
  fmt::print("  routing       {}\n", experiment.algorithm->name);
  if (!setup.star->remark().empty()) fmt::print("  remark        {}\n", setup.star->remark());
  print_traffic(experiment, packets_of(setup).size());
  print_bounds(setup.star->bounds());
  const auto randomized = pops::randomized_cost(pops);
  fmt::print("  a permutation here: offline {:.0f}, comparator-sort {:.0f}{}\n", pops::offline_cost(pops).slots(),
             pops::comparator_sort_cost(pops).slots(),
             randomized
                 ? fmt::format(", randomized about {:.1f} slots (C = 4, all couplers in service)", randomized->slots())
                 : " slots");
  if (const auto published = pops::published_slots(pops))
    fmt::print("  formula B     {:.0f} slots, the published cost of an older deterministic algorithm\n", *published);
  fmt::print("{}", star_prospects_text(experiment, *setup.star));
  if (setup.optics) fmt::print("{}", pops::optics_text(*setup.optics, pops));
}

}  // namespace

Ending check_experiment(const ExperimentOptions& options) {
  const Experiment experiment = load_experiment(options.file, overrides_of(options));
  const auto setup = set_up(experiment);
  if (experiment.waves) require_waves(experiment, *setup);
  fmt::print("{}: valid\n", options.file.string());
  if (setup->star != nullptr) check_star(experiment, *setup);
  else check_grid(experiment, *setup);
  return {};
}

}  // namespace starloom

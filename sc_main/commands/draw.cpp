#include "commands/draw.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands/summary.hpp"
#include "core/error.hpp"
#include "experiment/experiment.hpp"
#include "experiment/key_reader.hpp"
#include "pictures/netlist_picture.hpp"
#include "results/netlist_json.hpp"
#include "simulation.hpp"

namespace starloom {
namespace {

const std::vector<std::string> formats = {"svg", "json"};

}  // namespace

Ending draw_experiment(const DrawOptions& options) {
  if (std::find(formats.begin(), formats.end(), options.format) == formats.end())
    throw InputError("starloom draw: " + unknown_name("format", options.format, formats));
  const Experiment experiment = load_experiment(options.experiment.file, overrides_of(options.experiment));
  if (experiment.network.topology == TopologyKind::pops)
    throw InputError(fmt::format("{}: network.topology: pops networks cannot be drawn yet; meshes and tori can",
                                 experiment.place("network.topology").text()));
  const auto setup = set_up(experiment);
  const Topology& topology = setup->topology;
  std::string text;
  const bool large = elaborate(simulation_of(experiment, *setup), [&](Network& network) {
    text = options.format == "json"
               ? netlist_json(network, topology.nodes())
               : netlist_picture(network, topology, setup->algorithm->declaration(),
                                 fmt::format("{}, {}", network_text(*setup), experiment.algorithm->name));
  });
  fmt::print("{}", text);
  return {ExitStatus::done, large};
}

}  // namespace starloom

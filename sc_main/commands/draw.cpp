#include "commands/draw.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands/summary.hpp"
#include "core/error.hpp"
#include "experiment/experiment.hpp"
#include "experiment/key_reader.hpp"
#include "pictures/netlist_picture.hpp"
#include "pictures/star_netlist_picture.hpp"
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
  const auto setup = set_up(experiment);
  const SimulationSetup simulation = simulation_of(experiment, *setup);
  const std::string title = fmt::format("{}, {}", network_text(*setup), experiment.algorithm->name);
  const bool json = options.format == "json";
  std::string text;
  bool large = false;
  if (setup->star != nullptr) {
    large = elaborate_star(simulation, [&](StarNetwork& network) {
      const Pops& pops = setup->star->pops();
      text = json ? netlist_json(network, pops) : star_netlist_picture(network, pops, title);
    });
  } else {
    large = elaborate(simulation, [&](Network& network) {
      const Topology& topology = setup->topology;
      text = json ? netlist_json(network, topology.nodes())
                  : netlist_picture(network, topology, setup->algorithm->declaration(), title);
    });
  }
  fmt::print("{}", text);
  return {ExitStatus::done, large};
}

}  // namespace starloom

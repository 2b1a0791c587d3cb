#include <starloom/commands/draw.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <starloom/commands/summary.hpp>
#include <starloom/config/key_reader.hpp>
#include <starloom/core/error.hpp>
#include <starloom/experiment/experiment.hpp>
#include <starloom/pictures/links/netlist_picture.hpp>
#include <starloom/pictures/pops/netlist_picture.hpp>
#include <starloom/results/links/netlist_json.hpp>
#include <starloom/results/pops/netlist_json.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <starloom/simulation/pops/simulation.hpp>

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
    large = pops::elaborate(simulation, [&](pops::Network& network) {
      const Pops& pops = setup->star->pops();
      text = json ? pops::netlist_json(network, pops) : pops::netlist_picture(network, pops, title);
    });
  } else {
    large = links::elaborate(simulation, [&](links::Network& network) {
      text = json ? links::netlist_json(network, setup->network->graph.nodes())
                  : links::netlist_picture(network, *setup->network, setup->algorithm->declaration(), title);
    });
  }
  fmt::print("{}", text);
  return {ExitStatus::done, large};
}

}  // namespace starloom

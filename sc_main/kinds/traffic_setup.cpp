#include <starloom/kinds/traffic_setup.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <starloom/core/error.hpp>
#include <utility>

namespace starloom {
namespace {

/// All packets that a pattern will create; null if its sources never end.
std::optional<std::vector<Packet>> packets_if_all(const Experiment& experiment, const TrafficContext& context) {
  const auto traffic = make_traffic(*experiment.pattern, context, experiment.traffic);
  if (!traffic->end()) return std::nullopt;
  std::vector<Packet> packets;
  traffic->generate(0, *traffic->end(), packets);
  return packets;
}

}  // namespace

std::optional<std::string> flits_fault(const Experiment& experiment, const TrafficContext& context, std::int64_t most) {
  // The key tells for most patterns; a packet file has to be read.
  std::int64_t longest = 1;
  if (experiment.traffic.all().count("flits") != 0) {
    if (experiment.traffic.has("flits")) longest = experiment.traffic.integer("flits");
  } else {
    for (const Packet& packet : packets_if_all(experiment, context).value_or(std::vector<Packet>()))
      if (longest <= most) longest = packet.flits;
  }
  if (longest <= most) return std::nullopt;
  return fmt::format("{} flits a packet, but {} moves packets of {} only", longest, experiment.algorithm->name,
                     most == 1 ? "one flit" : fmt::format("at most {} flits", most));
}

TrafficContext traffic_context(const Experiment& experiment, Processors processors, bool to_all) {
  return {std::move(processors), experiment.seed, experiment.units, experiment.file.parent_path(), to_all};
}

TrafficSetup set_up_traffic(const Experiment& experiment, const TrafficContext& context, Faults& faults) {
  TrafficSetup setup;
  const AlgorithmEntry& algorithm = *experiment.algorithm;
  try {
    setup.traffic = make_traffic(*experiment.pattern, context, experiment.traffic);
    if (setup.traffic->ranks() && !(algorithm.off_line && experiment.model == "message"))
      faults.add(experiment.place("traffic.pattern"),
                 "traffic.pattern: ranks are for planners: they take routing.algorithm: multistage and model: message");
    else if (all_at_once(algorithm) && !setup.traffic->ranks()) setup.known = packets_if_all(experiment, context);
  } catch (const DataFileError& fault) {
    faults.add_placed(fault.what());
  } catch (const InputError& fault) {
    faults.add(experiment.place("traffic"), fmt::format("traffic: {}", fault.what()));
  }
  if (all_at_once(algorithm)) faults.raise();
  return setup;
}

}  // namespace starloom

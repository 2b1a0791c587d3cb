#pragma once
/// \file An experiment: everything that decides the result of a run, checked, with all defaults.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <starloom/config/overrides.hpp>
#include <starloom/controllers/links/algorithm.hpp>
#include <starloom/core/keys.hpp>
#include <starloom/experiment/coupler_faults.hpp>
#include <starloom/experiment/expectation.hpp>
#include <starloom/planners/pops/optics.hpp>
#include <starloom/simulation/links/watchdog.hpp>
#include <starloom/simulation/simulation.hpp>
#include <starloom/topology/topology_entry.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// `network:`.
struct NetworkConfig {
  const TopologyEntry* topology = nullptr;
  KeyValues keys;  ///< all but `topology`
};

/// `waves:`.
struct WavesConfig {
  std::vector<std::string> scope;  ///< instance names with * and ?
  Step from = 0;
  std::optional<Step> to;  ///< nothing: the end
  std::string format;      ///< vcd or fst
};

/// A checked experiment file.
struct Experiment {
  std::filesystem::path file;
  NetworkConfig network;
  std::string model;
  const AlgorithmEntry* algorithm = nullptr;
  KeyValues routing;  ///< `algorithm` and its own keys
  const PatternEntry* pattern = nullptr;
  KeyValues traffic;  ///< `pattern` and its own keys
  std::uint64_t seed = 1;
  Limits limits;
  CouplerFaults coupler_faults;
  std::optional<WavesConfig> waves;
  Units units;
  std::optional<KeyValues> optics;  ///< `optics:`, if it is given
  std::vector<Expectation> expect;
  std::map<std::string, Place> places;  ///< of every key that was given, by its path

  /// Where a key stands, or else the section around it, or else the file.
  Place place(const std::string& path) const;
};

/// Reads and checks an experiment. \throws InputError with all faults found in one pass.
Experiment load_experiment(const std::filesystem::path& file, const std::vector<Override>& overrides = {});
/// Checks an experiment that stands in a document. `file`: what paths in it are relative to. \throws InputError
Experiment read_experiment(const DocumentValue& document, const std::filesystem::path& file);

/// What an experiment sets up, apart from hardware. The algorithm refers to the network, so the setup never moves.
struct Setup {
  Setup() = default;
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  std::optional<LinkNetwork> network;  ///< not of a POPS network
  Processors processors;
  std::unique_ptr<Traffic> traffic;
  std::unique_ptr<links::Algorithm> algorithm;  ///< of a network of links, else null
  std::unique_ptr<pops::Algorithm> star;        ///< of a POPS network, else null
  std::optional<pops::OpticalParts> optics;     ///< if the experiment has some
};

/// \throws InputError: parameters that the algorithm or the pattern cannot serve, faults in data files.
std::unique_ptr<Setup> set_up(const Experiment& experiment);

/// The run that an experiment asks for. Refers to `setup`.
SimulationSetup simulation_of(const Experiment& experiment, const Setup& setup);

/// What traffic is made of.
TrafficContext traffic_context(const Experiment& experiment, const Setup& setup);

/// Why `entry` cannot route on `topology`, as a sentence with those of `table` that can, or nothing if it can.
std::optional<std::string> topology_refusal(const AlgorithmEntry& entry, const std::string& topology,
                                            const std::vector<AlgorithmEntry>& table);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file An experiment: everything that decides the result of a run, checked, with all defaults.
#include <filesystem>
#include <map>
#include <optional>
#include <starloom/config/overrides.hpp>
#include <starloom/experiment/catalogue.hpp>
#include <starloom/experiment/clock_list.hpp>
#include <starloom/experiment/coupler_faults.hpp>
#include <starloom/experiment/energy_section.hpp>
#include <starloom/experiment/expectation.hpp>
#include <starloom/experiment/link_faults.hpp>
#include <starloom/experiment/link_list.hpp>
#include <starloom/experiment/optics_section.hpp>
#include <starloom/experiment/region_list.hpp>
#include <starloom/experiment/tlm_section.hpp>
#include <starloom/experiment/traffic_classes.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/simulation/limits.hpp>
#include <string>
#include <vector>

namespace starloom {

/// `waves:`.
struct WavesConfig {
  std::vector<std::string> scope;  ///< instance names with * and ?
  Step from = 0;
  std::optional<Step> to;  ///< empty: the end
  std::string format;      ///< vcd or fst
};

/// A checked experiment file.
struct Experiment {
  std::filesystem::path file;
  const TopologyEntry* topology = nullptr;
  KeyValues network;                     ///< all below `network`
  std::vector<LinkChange> link_changes;  ///< `network.links`
  std::vector<router::Region> regions;   ///< `network.regions`
  std::vector<NetworkClock> clocks;      ///< `network.clocks`; empty: all nodes run in every step
  std::string model;
  const AlgorithmEntry* algorithm = nullptr;
  KeyValues routing;  ///< `algorithm` and its own keys
  const PatternEntry* pattern = nullptr;
  KeyValues traffic;                 ///< `pattern` and its own keys
  std::vector<ClassConfig> classes;  ///< `traffic.classes`; empty: not given
  std::uint64_t seed = 1;
  Limits limits;
  std::optional<CouplerFaults> coupler_faults;  ///< for POPS networks
  std::optional<LinkFaults> link_faults;        ///< for networks of links, if `faults` is given
  std::optional<WavesConfig> waves;
  double stall_rate = 0;  ///< `stalls.rate`
  Units units;
  std::optional<pops::OpticalParts> optics;  ///< `optics:`, if given
  std::optional<EnergyConfig> energy;        ///< `energy:`, if given, of networks of links
  std::optional<TlmConfig> tlm;              ///< `tlm:`, for pattern transactions
  std::vector<Expectation> expect;
  std::map<std::string, SourceLocation> locations;  ///< of every given key, by its path

  /// `network.subnets`.
  int subnets() const { return static_cast<int>(network.integer("subnets")); }
  /// The location of a key, or else of the section around it, or else of the file.
  SourceLocation location(const std::string& path) const;
  /// Adds an error of the topology or algorithm of this experiment, at the location of its key, or else of its name,
  /// which is the key `selector` of `section`.
  void entry_error(const std::string& section, const std::string& selector, const InputError& error,
                   Diagnostics& diagnostics) const;
};

/// Reads and checks an experiment. It refers to entries of the catalogue.
/// \throws InputError with all errors found in one pass.
Experiment load_experiment(const Catalogue& catalogue, const std::filesystem::path& file,
                           const std::vector<Override>& overrides = {});
/// Checks an experiment in a document. `file`: paths in it are relative to this file. \throws InputError
Experiment read_experiment(const Catalogue& catalogue, const DocumentValue& document,
                           const std::filesystem::path& file);

/// The reason why an algorithm cannot route on a topology, as a sentence with those of the catalogue that can; empty
/// if it can.
std::optional<std::string> topology_refusal(const AlgorithmEntry& algorithm, const TopologyEntry& topology,
                                            const Catalogue& catalogue);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom run`: one experiment, its metrics and its files.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <starloom/commands/ending.hpp>
#include <starloom/config/overrides.hpp>
#include <starloom/experiment/catalogue.hpp>
#include <starloom/trace_io/trace_window.hpp>

namespace starloom {

/// The source of an experiment: its file, and values of the command line that replace some of its values.
struct ExperimentOptions {
  std::filesystem::path file;
  std::vector<std::string> set;  ///< key.path=value
  std::optional<std::string> seed;
};

/// In the order in which they are applied. \throws InputError
std::vector<Override> overrides_of(const ExperimentOptions& options);

struct RunOptions {
  ExperimentOptions experiment;
  std::optional<std::filesystem::path> out;  ///< empty: `out/<file stem>`
  bool force = false;
  bool waves = false;
  std::optional<TraceWindow> trace;
  bool replay = false;          ///< write replay.html; needs a trace
  std::vector<PacketId> watch;  ///< packets whose rows are printed on stderr
  bool referee = true;
  bool packets = true;   ///< write packets.csv
  bool netlist = false;  ///< write netlist.json
  bool quiet = false;
  std::uint64_t shuffle = 0;
  bool wake_all = false;
  std::optional<int> threads;  ///< at least 1; empty: as many as are useful
};

Ending run_experiment(const Catalogue& catalogue, const RunOptions& options);

/// `FROM:TO` of --trace; either may be omitted. \throws InputError
TraceWindow parse_trace_window(const std::string& text);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom run`: one experiment, its figures and its files.
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

/// What an experiment is loaded from: its file and what the command line puts in place of some values.
struct ExperimentOptions {
  std::filesystem::path file;
  std::vector<std::string> set;  ///< key.path=value
  std::optional<std::string> seed;
};

/// In the order in which they are applied. \throws InputError
std::vector<Override> overrides_of(const ExperimentOptions& options);

struct RunOptions {
  ExperimentOptions experiment;
  std::optional<std::filesystem::path> out;  ///< nothing: `out/<file stem>`
  bool force = false;
  bool waves = false;
  std::optional<TraceWindow> trace;
  bool replay = false;          ///< write replay.html; needs a trace
  std::vector<PacketId> watch;  ///< packets whose rows are told on stderr
  bool referee = true;
  bool packets = true;   ///< write packets.csv
  bool netlist = false;  ///< write netlist.json
  bool quiet = false;
  std::uint64_t shuffle = 0;
  bool wake_all = false;
  std::optional<int> threads;  ///< at least 1; nothing: as many as are worth their while
};

Ending run_experiment(const Catalogue& catalogue, const RunOptions& options);

/// `FROM:TO` of --trace; either may be left out. \throws InputError
TraceWindow parse_trace_window(const std::string& text);

}  // namespace starloom

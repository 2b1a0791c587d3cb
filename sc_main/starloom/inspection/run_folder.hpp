// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The door to output folders of both kinds of network. It knows files only, neither fabric nor controllers.
#include <filesystem>
#include <memory>
#include <starloom/inspection/packet_history.hpp>
#include <starloom/trace_io/trace_window.hpp>
#include <starloom/verify/known_entries.hpp>
#include <starloom/verify/verify_report.hpp>
#include <string>
#include <vector>

namespace starloom {

/// The output folder of a run.
class RunFolder {
 public:
  virtual ~RunFolder() = default;
  /// Replays the trace with the referee and compares `result.json` and `packets.csv` with its rows. A run that itself
  /// ended as a violation breaks a rule. \throws InputError if a file is missing or cannot be read as its format.
  virtual VerifyReport verify() const = 0;
  /// A picture in text of a step, or slot. \throws InputError as above.
  virtual std::string show(Step step) const = 0;
  /// What a run counts: `step` or `slot`.
  virtual std::string clock() const = 0;
  /// Why packets took as long as they did. \throws InputError as above, and for a packet that is not there.
  virtual std::vector<PacketHistory> histories(const std::vector<PacketId>& packets) const = 0;
  /// The packets and places that waited most. \throws InputError as above.
  virtual WaitingOverview waiting() const = 0;
  /// A page for browsers (docs/replay.md). \throws InputError as above, for a window in which nothing is, and for more
  /// rows than a page takes.
  virtual std::string replay(const TraceWindow& window) const = 0;
};

/// Reads result.json alone, for the kind of the network and the ranges of its numbers.
/// \throws InputError if it is missing, cannot be read as its format, or has a number that no run has
std::unique_ptr<RunFolder> open_run_folder(const std::filesystem::path& folder, KnownEntries known);

}  // namespace starloom

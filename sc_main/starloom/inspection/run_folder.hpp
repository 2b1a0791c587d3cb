// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The interface to output folders of both kinds of network. It depends on files only, not on fabric and
/// controllers.
#include <filesystem>
#include <memory>
#include <starloom/inspection/message_chain.hpp>
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
  /// The unit of the run: `step` or `slot`.
  virtual std::string clock() const = 0;
  /// The latencies of packets and their causes. \throws InputError as above, and for a packet that does not exist.
  virtual std::vector<PacketHistory> histories(const std::vector<PacketId>& packets) const = 0;
  /// The packets and locations with the longest waits. \throws InputError as above.
  virtual WaitingOverview waiting() const = 0;
  /// The messages that made a program as long as it was. \throws InputError as above, and if packets do not wait for
  /// others.
  virtual MessageChain message_chain() const = 0;
  /// A page for browsers (docs/replay.md). \throws InputError as above, for an empty window, and for more rows than a
  /// page supports.
  virtual std::string replay(const TraceWindow& window) const = 0;
};

/// Reads only result.json, for the kind of the network and the ranges of its numbers.
/// \throws InputError if it is missing, cannot be read as its format, or has a number that no run has
std::unique_ptr<RunFolder> open_run_folder(const std::filesystem::path& folder, KnownEntries known);

}  // namespace starloom
